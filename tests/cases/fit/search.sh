# Terms that measurements were made of, with noise of a fixed seed (Park and Miller's generator), are found again.
make_one() { # FORMULA in awk, over n; NOISE, a part
  awk -v noise=$2 'BEGIN { seed = 12345; print "n,time [s]"
    for (n = 4; n <= 2048; n *= 2) for (k = 0; k < 3; k++) {
      seed = (seed * 16807) % 2147483647
      printf "%d,%.12g\n", n, ('"$1"') * (1 + noise * (2 * seed / 2147483647 - 1)) } }'
}
make_two() {
  awk -v noise=$2 'BEGIN { seed = 12345; print "n,p,time [s]"
    for (n = 100; n <= 3200; n *= 2) for (p = 2; p <= 64; p *= 2) {
      seed = (seed * 16807) % 2147483647
      printf "%d,%d,%.12g\n", n, p, ('"$1"') * (1 + noise * (2 * seed / 2147483647 - 1)) } }'
}
found() {
  psl fit - --format json "$@" | sed -n 's/.*"term": "\([^"]*\)",.* "coefficient": \([^,]*\),.*/\1 \2/p' |
    awk '{ printf "%s%.3g", (NR > 1 ? " + " : ""), $NF; $NF = ""; sub(/ $/, ""); if ($0 != "1") printf " %s", $0 }
      END { print "" }'
}
for noise in 0 0.02; do
  echo "noise $noise"
  make_one '7' $noise | found
  make_one '3 + 2 * n' $noise | found
  make_one '3 + 2 * n * log(n) / log(2)' $noise | found
  make_one '1 + 0.5 * n ^ 1.5' $noise | found
  make_one '5 + 0.01 * n ^ 2 * (log(n) / log(2)) ^ 2' $noise | found
  make_one '20 + 9 * sqrt(n)' $noise | found
  make_one '1 + 400 / n' $noise | found --negative
  make_one '10 + 5 * log(n) / log(2) + 0.001 * n ^ 2' $noise | found
  make_two '3 + 0.1 * n * log(p) / log(2)' $noise | found
  make_two '1 + 0.002 * n ^ 2 + 40 * p' $noise | found
  make_two '2 + 5 * n / p' $noise | found --negative
done
