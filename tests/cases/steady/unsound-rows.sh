# Rows of points without a steady state, and of intervals wider than wanted, have a mark in the tables of studies and
# comparisons; JSON and CSV have the words, and so does a database: two stations have 100 s^-1 * 30 ms / 2 = 150 % to do.
limit='--set solver=simulation[queueing] --set queueing.limit=20000'
psl study random-split.psl --vary n=2,4 --report R=request.response $limit 2>/dev/null
psl compare random-split.psl --vary n=2,4 $limit 2>/dev/null | head -9
psl compare random-split.psl --vary n=2 $limit --format json 2>/dev/null | grep -o '"stop": .*'
psl study random-split.psl --vary n=2,4 --report R=request.response $limit --format csv --db $TMP/split.db 2>/dev/null | cut -d, -f6-
sqlite3 $TMP/split.db 'select stop, warnings from run order by warnings'
