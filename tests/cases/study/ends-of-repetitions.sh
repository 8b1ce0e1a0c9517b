# Over repetitions low(x) and high(x) are the ends of the 95 % confidence interval over them, of a figure, a column and an
# expression, in columns, conditions and assertions. The witness is Student's t by hand, of single runs with those seeds:
# t(0.975; 2 degrees of freedom) = 4.302653.
cd "$TMP" || exit
cat > m.psl <<'E'
param n : int = 4;
transaction go();
component job {
  accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = dataflow;
  body: for i in 1 .. n { let began = clock; hold uniform(1 s, 3 s); record piece = clock - began; }
}
system s { requests: selector = { domain = d, node type = job }; transaction = go(); protocol = dataflow; }
study c of s {
  vary n in [2, 4];
  report time = makespan, cost = n * makespan, upper = high(makespan), least = makespan.low, dear = high(n * makespan),
         gap = upper - time;
  minimize near = time where high(time) < 9.5 s;
  minimize cheap = cost where high(cost) < 20 s;
  minimize self = time where high(self) < 9.5 s;
  assert high(time) > upper - 1 ns and high(time) < upper + 1 ns;
  assert max(high(time)) < 9 s;
  assert low(piece) > 0 s;
  repetitions = 3;
}
E
psl study m.psl c
psl study m.psl c -f csv -q > c.csv
psl study m.psl c -f csv -q --reference | cmp - c.csv
psl study m.psl c -f csv -q -j 2 | cmp - c.csv
head -1 c.csv
echo "by hand:"
for n in 2 4; do
  for seed in 0 1 2; do
    psl run m.psl --set n=$n --seed $seed -f json -q | perl -ne 'print "$1\n" if /"makespan": {"value": ([0-9.]+)/'
  done | awk -v n=$n '{ x[NR] = $1; sum += $1 } END { mean = sum / NR
    for (i in x) square += (x[i] - mean) ^ 2
    half = 4.302653 * sqrt(square / (NR - 1) / NR)
    printf "%d: %.4f from %.4f to %.4f, n times that to %.4f\n", n, mean, mean - half, mean + half, n * (mean + half) }'
done
echo "in a database, and drawn:"
psl study m.psl c --db m.db -q -o report 2> said
sqlite3 m.db 'SELECT n, round("time.high" - upper, 6), near FROM c_means'
psl report m.db -o page.html
sed 's/<[^>]*>/ /g' page.html | sed -n '/minimum of self/,/(point/p'
psl study m.psl s --vary n=2,4 --repetitions 3 --report 'upper = high(makespan)' --plot='upper against n' -q | tail -24
echo "one run has no interval:"
psl study m.psl s --vary n=2,4 --report 'cost = n * makespan, dear = high(cost), makespan.high, three = low(3)'
