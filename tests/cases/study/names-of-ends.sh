# A column that is called as the end of another one's interval is in files and databases is refused in all formats; by a
# name of its own it is a column like others.
cd "$TMP" || exit
cat > m.psl <<'E'
param n : int = 4;
transaction go();
component job {
  accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;
  body: hold uniform(1 s, 3 s) * n;
}
system s { requests: selector = { domain = d, node type = job }; transaction = go(); protocol = call-return; }
study both of s { vary n in [1, 2]; report makespan, makespan.high; repetitions = 2; }
E
psl study m.psl both
for format in text csv json jsonl html; do
  psl study m.psl s --vary n=1 --repetitions 3 --report 'makespan, makespan.low' -f $format > out 2> said
  echo "$format: $? $(wc -c < out | tr -d ' ') $(grep -c 'cannot be called' said)"
done
psl study m.psl s --vary n=1 --repetitions 3 --report 'makespan, makespan.low' --db m.db -q -o out
psl study m.psl s --vary n=1 --repetitions 3 --report 'makespan, lower = makespan.low' -f csv | head -1
psl study m.psl s --vary n=1 --report 'makespan, makespan.low' -f csv -q | head -1
