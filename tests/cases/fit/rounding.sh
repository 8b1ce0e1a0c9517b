# Of data without noise that are 0 at one point, neither a constant is found nor an error counted; nor of declared terms.
cd "$TMP" || exit
awk 'BEGIN { print "n,time [s]"; for (k = 0; k <= 6; k++) printf "%d,%.17g\n", 2 ^ k, 0.3 * k }' > log.csv
awk 'BEGIN { print "n,time [s]"; for (k = 0; k <= 6; k++) printf "%d,%.17g\n", 2 ^ k, 0.3 * k + 1e-3 }' > offset.csv
awk 'BEGIN { print "n,time [s]"; for (k = 0; k <= 6; k++) printf "%d,0\n", 2 ^ k }' > nothing.csv
for data in log offset nothing; do
  psl fit $data.csv | grep -E '=|SMAPE'
done
psl fit log.csv --terms '1, log2(n)' | grep SMAPE
