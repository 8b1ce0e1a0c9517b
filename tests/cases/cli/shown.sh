# Names of files and of elements steer no terminal and forge no lines; what is wide stands in its column.
cp small.psl ../uml/papyrus.* "$TMP" && cd "$TMP" || exit
esc=$(printf 'a\033[31m\nerror: b\302\233\342\200\256\377.psl')
cp small.psl "$esc"
psl run "$esc" | sed -n 3p
psl check "$esc"
psl params "$esc" | head -n 1
for format in json csv; do psl run "$esc" --format $format | grep -a 'model'; done
psl run "$esc" --timeline a.svg --trace a.json > /dev/null && LC_ALL=C grep -ac "$(printf '\033\|\302\233\|\377')" a.svg a.json
perl -MJSON::PP -0777 -ne 'decode_json($_); print "JSON\n"' a.json
psl run "$esc" --format html | grep -a "<dd>.*psl"
psl run "$esc" --format json | perl -MJSON::PP -0777 -ne 'print decode_json($_)->{model} eq "a\e[31m\nerror: b\x{9b}\x{202e}\x{fffd}.psl" ? "the same\n" : "another\n"'
echo 'let x = 1 s + 1;' > "$esc"
for format in full short json; do psl check "$esc" --error-format $format; done
psl check "$esc" --color always 2>&1 | head -n 1 | cat -v
echo "let   x = 1;" > "$esc"
psl fmt --check "$esc"
psl run "$esc/none"
psl "--$(printf '\033')" || psl run small.psl --format "$(printf '\033')"
# In PSL that is made a name stays on its line.
printf 'n,time [s]\n1,2\n2,4\n3,6\n' > "$(printf 'a\nlet b = 1;.csv')"
psl fit "$(printf 'a\nlet b = 1;.csv')" --terms n -f psl | head -n 2
psl fit "$(printf 'a\nlet b = 1;.csv')" --terms n | head -n 1
# Elements of UML.
sed 's/name="relax"/name="re\&#x202e;lax\&#x9b;31m"/' papyrus.uml > hostile.uml
psl graph --activity hostile.uml | grep lax
psl graph --activity hostile.uml -f psl
sed 's/name="relax"/name="緩和　é計算"/' papyrus.uml > wide.uml
sed 's/papyrus.uml/wide.uml/' papyrus.psl > wide.psl
psl run wide.psl | grep -A 4 'own time'
printf 'let a = "計算";\tlet b = "\303\251計" + 1; // tab\n' > caret.psl
psl check caret.psl
