# A point that --max-time ends has its figures up to then, in each kind of study, and says so; one that --max-firings stops
# has failed. The overloaded desk of max-time.psl takes 2 s for each who comes, one a second, so that customers are done at
# 2 s, 4 s, ...: 47 till 95 s, at 48 s on the mean, and 23 of these from 50 s on, at 72 s. Without overload ten are done at
# 10 s, 20 s, ...: the run goes on till 5050 s, which is an end as another.
cp max-time.psl "$TMP" && cd "$TMP" || exit
wanted='makespan, done = customer.done.mean, customer.done.count'
psl study max-time.psl --max-time 95s --set overload=true --vary from=0s,50s --report "$wanted" --db a.db
psl study max-time.psl --max-time 95s --vary overload=true,false --report "$wanted" --repetitions 2 -q -f csv
psl study max-time.psl --max-time 5050s --vary overload=true,false --report "$wanted" --db a.db --name both
psl study max-time.psl --max-time 95s --set overload=true --vary from=0s,50s --report "$wanted" --db a.db -q -f jsonl
sqlite3 a.db 'SELECT status, stop, count(*) FROM run GROUP BY status, stop ORDER BY stop'
for study in bank both; do
  psl report a.db $study -q -o page.html; grep -o '[^>]*--max-time<\|[^>]*--max-time has stated' page.html
done
psl compare max-time.psl --max-time 95s --vary overload=true,false
psl compare max-time.psl --max-time 95s --vary overload=true,false -f csv | grep -e stop -e note
psl study max-time.psl --max-firings 20 --vary overload=true,false --report "$wanted" --error-format short
# Of repetitions some, or all.
cat > drawn.psl <<'END'
transaction go();
component c {
  accepts: profile = { k = a }; transaction = go(); protocol = dataflow;
  body: hold exponential(1 s);
}
system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }
END
psl study drawn.psl --repetitions 4 --max-time 1s -q
psl study drawn.psl --repetitions 4 --max-time 0.01ns -q
# What is of predicted times alone has none then.
psl diff max-time.psl --against overload=true --max-time 95s
psl sensitivity max-time.psl --set from=1s --max-time 95s
