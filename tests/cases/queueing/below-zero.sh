# Times that may be below 0 s end a simulation when one is drawn. An analysis takes their moments, and says how often that is;
# `chance` has it by the integral of the density, or in closed form.
chance() { psl run below-zero.psl --set 'solver=analysis[open]' "$@" 2>&1 >/dev/null | sed -n 's/.*warning: \(.*chance of [^,]*\),.*/\1/p'; }
normal() { awk "BEGIN { for (x = -12 * $2; x < 0; x += $2 / 1e4) sum += exp(-((x - $1) / $2) ^ 2 / 2) / $2; print \"by the integral:\", 100 * sum * $2 / 1e4 / sqrt(8 * atan2(1, 1)) }"; }
psl run below-zero.psl --set 'solver=analysis[open]'
psl run below-zero.psl --set 'solver=simulation[queueing]' --quiet 2>&1 | grep -e error: -e help:
for sd in 60 20 14; do
  chance --set "S=normal(80 ms, $sd ms)"
  normal 80 $sd
done
# From about six deviations on it is no more met.
chance --set 'S=normal(80 ms, 13 ms)'
# A third of [-10 ms, 20 ms]; a ninth of a triangle on it that rises, 1 - (5/6)^2 = 30.6 % of one that falls to 50 ms; two of
# four numbers; a quarter of [-10 ms, 30 ms].
chance --set 'S=uniform(-10 ms, 20 ms)'
chance --set 'S=triangular(-10 ms, -10 ms, 50 ms)'
chance --set 'S=triangular(-10 ms, 20 ms, 20 ms)'
chance --set 'S=empirical([-1 ms, -2 ms, 10 ms, 20 ms])'
chance --set 'S=beta(1, 1, -10 ms, 30 ms)'
# Of sums: 1 - exp(-1/2) = 39.35 % of one that is shifted; a multiple has the chance of one; the sum of two normal ones is a
# normal one, of 80 ms and 50 ms; sums of what is never below 0 are not; exp(-8) of what is taken from 80 ms.
for sums in shifted scaled several positive mixed; do
  echo $sums
  chance --set 'S=exponential(1 ms)' --set sums=$sums
done
normal 80 50
