# A string is for people as PSL has it; CSV, JSON and SQL have it as it is, quoted once by their own rules: y "q" has five
# letters. The best points say which rows of the list they are.
psl study strings.psl --db "$TMP/a.db"
for format in csv json jsonl; do psl study strings.psl -f $format; done
psl study strings.psl -f csv --best
psl study strings.psl --best -f json
sqlite3 "$TMP/a.db" 'SELECT label, length(label), same FROM "by-label" WHERE n = 1'
psl report "$TMP/a.db" --point 3 -o "$TMP/page.html"
grep -c 'run again' "$TMP/page.html" # it would say why it is not
psl compare strings.psl --vary label -f csv | grep makespan
psl compare strings.psl --vary label -f json | grep '"value": "y'
