# What psl db refuses, in its words.
cd "$TMP"
export PSL_DB=a.db
say() { echo "\$ psl db $*"; psl db "$@"; }
echo 'a text' >note.txt
PSL_DB= say list
say list
say
say lits
say add
say list more
say diff one
say add note.txt --kind rumour
say add note.txt --kind component
say add note.txt --name a/b
say add missing.txt
mkfifo pipe.txt pipe.psl
say add pipe.txt
say add pipe.psl
say add /dev/null
say add note.txt
say add note.txt
echo 'another text' >note.txt
say add note.txt
say add note.txt --replace
say add note.txt --name other --description 'as well' --attributes 'kind'
say add note.txt --name other --attributes 'kind > 3'
say add note.txt note.txt --name both
say show nothing
say show nota
say show graph/note
say list --kind rumour
say list --name note
say show note --kind knowledge
say search 'kind = = 3'
say search 'a AND'
echo '{"a": ' >broken.json
say add broken.json
echo '{"format": "static task graph 1", "graphs": 3}' >graph.json
say add graph.json
say add broken.json --kind graph
echo '[]' >rules.json
say add rules.json --kind knowledge
echo '[{"if": "n > 4"}]' >rules.json
say add rules.json --kind knowledge
echo '[{"if": "n > > 4", "then": "more"}]' >rules.json
say add rules.json --kind knowledge
printf 'a\0b' >binary.txt
say add binary.txt
cp note.txt note.dat
say add note.dat
say add note.dat --kind measurement --name 'note'
say show note
say export measurement/note
cat >alone.psl <<'P'
transaction go();
system alone { requests: optional selector = { node type = x }; transaction = go(); protocol = dataflow; }
P
say add alone.psl
cat >ted.psl <<'P'
use tasks;
transaction go();
component ted { accepts: profile = { domain = task, node type = x }; transaction = go(); protocol = call-return; }
P
say add ted.psl
say add ted.psl --kind ted
say add ted.psl --name t
say add ted.psl --attributes 'a = b'
sed -i 's/node type = x/node type = x, method = analytic, code = "absent"/' ted.psl
say add ted.psl
sed -i 's/absent/note.txt/' ted.psl
say add ted.psl
say remove note
say remove measurement/note knowledge/note
psl run alone.psl --search --db note.txt
