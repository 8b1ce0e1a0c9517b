# What is kept of a study, a point or a run is taken for a result only where it is what was written: where the sum of a row does
# not fit, no report is made of it; the study says so, makes it anew and comes to what it was.
cd "$TMP" && cp "$OLDPWD/../../../examples/farm/farm.psl" .
cp farm.psl repeated.psl && cat >> repeated.psl <<'E'
study repeated of farm { vary workers in [2, 3]; report time = makespan; repetitions = 2; assert time > 1 s; }
E
study() { psl study farm.psl --vary workers=2..6 --format csv --db "$@"; }
page() { psl report "$1" farm 2>&1 | sed 's/a\.db\|b\.db//g'; }
study a.db > whole
psl study repeated.psl --db a.db --quiet -o table
sqlite3 a.db 'PRAGMA wal_checkpoint(TRUNCATE)' > /dev/null
page a.db > page
damage() { # SQL: in a copy
  echo "-- $1" && echo "-- $1" >&2
  cp a.db b.db && sqlite3 b.db "$1"
  psl report b.db farm -o page.html
  study b.db > again; cmp whole again && echo 'the same points'
  page b.db > again; cmp page again && echo 'the same page'
  sqlite3 b.db 'SELECT group_concat(name) FROM sqlite_schema WHERE type = '"'view'"
}
damage "UPDATE run SET results = replace(results, '1', '2')"
damage "UPDATE run SET wall = wall + 1, params = '{}' WHERE id = 2"
damage "UPDATE point SET params = replace(params, '4', '9') WHERE number = 2"
damage "UPDATE point SET number = 7 WHERE number = 2"
damage "UPDATE mean SET columns = replace(columns, '1', '2')"
damage "UPDATE study SET columns = replace(columns, 's', 'h') WHERE name = 'farm'"
damage "UPDATE study SET name = 'form', view = 'form' WHERE name = 'farm'"
damage "UPDATE study SET declaration = replace(declaration, '\"', '') WHERE name = 'farm'"
# Any bit of the file: what is reported and studied is the same, or it is refused with a message.
cp a.db whole.db && bad=0
for number in $(seq 24); do
  perl -e 'local $/; my $text = <STDIN>; srand shift; vec($text, int rand 8 * length $text, 1) ^= 1; print $text' \
    "$number" <whole.db >b.db
  page b.db > again
  cmp -s page again || grep -q '^psl: error: : ' again || { echo "bit $number is reported"; bad=1; }
  study b.db > again 2> notes
  cmp -s whole again || grep -q '^psl: error: b.db: ' notes || { echo "bit $number is studied"; bad=1; }
done
echo "bits: $bad"
