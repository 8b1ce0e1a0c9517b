# Points that psl has not numbered so, and those of a study of more points than can be counted.
cd "$TMP" && cp "$OLDPWD/farm.psl" .
psl study farm.psl scaling --db a.db -o table
cp a.db b.db && sqlite3 b.db 'UPDATE point SET number = -1 WHERE number = 0' && psl report b.db -o page.html
cp a.db b.db && sqlite3 b.db 'UPDATE point SET repetition = 1 << 40 WHERE number = 0' && psl report b.db -o page.html
"$OLDPWD/../../lib/without-sums" a.db
cp a.db b.db && sqlite3 b.db 'UPDATE point SET number = -1 WHERE number = 0' && psl report b.db -o page.html
cp a.db b.db && sqlite3 b.db 'UPDATE point SET repetition = 1 << 40 WHERE number = 0' && psl report b.db -o page.html
cat >>farm.psl <<'M'
study huge of farm { vary workers in 1 .. 1000, result in 1 byte .. 1e15 byte by 1 byte, work in 1 s .. 1e12 s by 1 s; minimize least = makespan; }
M
psl study farm.psl huge --evaluations 4 --db c.db --format jsonl -o lines 2>/dev/null
grep -c '^{"workers": ' lines
sqlite3 c.db 'SELECT number FROM point'
psl report c.db -o page.html && grep -c '<svg' page.html
