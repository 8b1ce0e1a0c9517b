# A column that is left out and that measurements of one point depend on: told, with what takes it in and what keeps to
# one value. Not so a number of the repetition, another figure that was measured, or what is the same at each point.
perl -e 'print "p,size [MB],run,energy,nodes,time [ms]\n";
  for $p (1, 2, 4, 8, 16) { for $n (1, 2) { for $run (1 .. 3) {
    printf "%d,%d,%d,%.4f,%d,%.3f\n", $p, $n, $run, 7 * $n / $p * (1 + 0.01 * ($run * $p % 7)), 2 * $p,
        10 + 100 * $n / $p * (1 + 0.003 * ($p * $run * 5 % 11 - 5)) } } }' > "$TMP/runs.csv"
cd "$TMP"
fitted() { psl fit runs.csv --column time "$@" | sed -n '4,7p'; }
fitted --params p
fitted --params p,size
fitted --params p --where 'size == 1 MB'
fitted --terms '1, 1/p' --terms '1, p'
fitted --terms '1, size/p'
echo 'fit cost(p : int) -> time from "runs.csv" { column = "time"; }' > cost.psl
psl check cost.psl
echo 'fit cost(p : int) -> time from "runs.csv" { column = "time"; where size == 1 MB; }' > cost.psl
psl check cost.psl
