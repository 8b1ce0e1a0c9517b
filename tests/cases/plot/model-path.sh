# The model that a page runs its point by is found from any folder: its path in the database begins where that stands, and both
# may be moved together.
mkdir "$TMP/models" "$TMP/models/kept" && cp ../../../examples/farm/farm.psl "$TMP/models" && cd "$TMP" || exit 1
page() { psl report "$1" farm -o page.html && { grep -o 'It is not run again[^<]*' page.html || echo "$1: run again"; }; }
psl study models/farm.psl --vary workers=4,8 --db models/beside.db -q > table.txt
psl study models/farm.psl --vary workers=4,8 --db models/kept/below.db -q > table.txt
psl study models/farm.psl --vary workers=4,8 --db here.db -q > table.txt
psl study "$TMP/models/farm.psl" --vary workers=4,8 --db root.db -q > table.txt
for db in models/beside.db models/kept/below.db here.db root.db; do
  sqlite3 "$db" 'SELECT model FROM study' | sed "s|^$TMP|TMP|"
  page "$db"
done
(cd models/kept && page ../beside.db && page below.db && page ../../here.db)
# It is one study, from whatever folder it is run.
(cd models && psl study farm.psl --vary workers=4,8 --db beside.db -q > table.txt && sqlite3 beside.db 'SELECT count(*) FROM study')
mv models moved
page moved/beside.db
page moved/kept/below.db
page here.db
