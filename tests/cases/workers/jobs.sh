# The same bytes with any number of processes, failing points among them, and so with a database, whether it is
# empty, has some of the runs, or all of them.
cat > $TMP/m.psl <<'END'
param n : int = 1 in 1 .. 100;
param mean : time = 1 s;
component c {
  accepts:
    profile = { domain = application[d], node type = c };
    transaction = t(x);
    protocol = call-return;
  body:
    record waited = exponential(mean);
    hold n * mean / (n - 7);
}
transaction t(x : int);
system s {
  requests:
    selector = { domain = application[d], node type = c };
    transaction = t(1);
    protocol = call-return;
}
study many of s {
  vary n in 1 .. 100;
  where n mod 3 > 0;
  report square = n * n, time = makespan, waited = waited.mean;
}
END
cd $TMP
study() { psl study m.psl many "$@" > out 2> err; echo "exit $?"; cmp out one; }
psl study m.psl many --repetitions 3 > one 2> errors
echo "exit $?"
wc -l < one
cat errors
for jobs in 1 2 5; do study --repetitions 3 --jobs $jobs; cmp err errors; done
psl study m.psl many --repetitions 2 --jobs 2 --db m.db > out 2>&1
for jobs in 1 2; do
  study --repetitions 3 --jobs $jobs --db m.db
  sqlite3 m.db 'SELECT count(*), count(DISTINCT key) FROM run; SELECT count(*) FROM many; SELECT count(*) FROM study'
done
cat err
