# Studies of several names share a database; one that takes another's place says so. A study that was not named and
# varies more than --vary says is named. --quiet leaves errors alone.
cp farm.psl "$TMP" && cd "$TMP" || exit 1
sed '/^study/,$d' farm.psl > model.psl
name=$(sed -n 's/^system \([^ ]*\).*/\1/p' model.psl | head -1)
over() { psl study model.psl "$name" --vary "$@" --db a.db -o /dev/null; }
over workers=1,2 && over workers=1,2,3 && over work=1s,2s
over work=1s,2s,3s --name longer && over work=1s --quiet && over workers=4 --quiet
sqlite3 a.db "SELECT name, view, points FROM study ORDER BY id; SELECT count(*) FROM run"
sqlite3 a.db "SELECT name, unit FROM unit WHERE study = 'longer' AND kind <> 'result'"
psl study model.psl --name '' --vary workers=1
psl study farm.psl --vary work=1s -o /dev/null
psl study farm.psl --vary work=1s -o /dev/null --quiet
psl study farm.psl "$name" --vary work=1s | head -1
psl check model.psl --quiet
psl check none.psl --quiet
