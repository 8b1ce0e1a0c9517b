# What runs warn of, and why they ended, stands with each point: in CSV, JSON and databases, the same whatever the
# number of workers; it is said once, and again where runs come from a database. psl sensitivity warns, too.
cd "$TMP" || exit
cat > t.csv <<'E'
n,time [s]
1,1
2,2
3,3
4,4
E
cat > m.psl <<'E'
fit cost(n : int) -> time from "t.csv" { terms n; column = "time"; }
param n : int = 4;
param reach : int = 1;
let base = cost(reach);
transaction go();
component job {
  accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;
  body: hold base + cost(n);
}
system s { requests: selector = { node type = job }; transaction = go(); protocol = call-return; }
E
study() { psl study m.psl --vary reach=1,9 --vary n=3..5 --report makespan "$@"; }
study -f csv > one.csv 2> said
cat one.csv said
study -f csv -j 2 2> said | cmp - one.csv
grep -c warning said
study -f csv --reference -q | cmp - one.csv
study -f csv --repetitions 2 -q | sed -n 4p
study -f jsonl --db m.db -q | sed -n 3,4p
study -f json --db m.db -q | grep -o "warnings.*cost.*" | head -1
study -f csv --db m.db 2> said | cmp - one.csv
cat said
sqlite3 -csv m.db 'SELECT reach, n, status, error, warnings, stop FROM s' | tail -3
psl sensitivity m.psl > report 2> said
cat said
