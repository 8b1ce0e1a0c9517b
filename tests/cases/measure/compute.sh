# A processor that is known comes back from a table of it: additions of 4 cycles of 0.5 ns, two at once, by four lanes;
# what was not measured in all ways is left out; a noisy host, tables that are wrong.
measure() { psl measure compute --from - "$@" 2>&1; echo "[$?]"; }
table() {
  awk -v noise="$1" 'BEGIN {
    print "operation,lanes,chains,time [ns]"
    for (k = 0; k < 8; k++) {
      off = 1 + noise * (k % 4)
      for (lanes = 1; lanes <= 4; lanes *= 2) {
        print "add," lanes ",1," 2 * off
        print "add," lanes ",12," 0.25 * off
        if (lanes != 2) { print "fused," lanes ",1," 2 * off; print "fused," lanes ",12," 0.5 * off }
        if (lanes == 1) print "divide,1,1," 7 * off
      }
    }
  }'
}
table 0 | measure --name known
table 0.2 | measure | tail -3
# One step of a chain by kind, if all kinds were measured, and an instruction that waits for none.
steps() {
  echo 'operation,lanes,chains,time [ns]'
  printf '%s,1,1,%s\n' integer 0.25 add 0.75 multiply 1 fused 1.25 divide 3 root 5 "$@"
  printf 'add,4,1,0.75\nadd,1,12,0.25\nadd,4,12,0.25\nmixed,1,12,0.0625\n'
}
steps forward 1.5 | measure --name stepped
steps | measure --name stepped | grep -c latencies
# Half of the branches are mispredicted in the first.
{ steps; printf 'branch,1,1,3\nbranch,1,12,1\n'; } | measure | grep misprediction
wrong() { printf "operation,lanes,chains,time\n$1" | measure; }
wrong 'add,1,1,1\n'
wrong 'turn,1,1,1\n'
wrong 'add it,1,1,1\n'
wrong 'add,0,1,1\n'
wrong 'add,1,0,1\n'
wrong 'add,1,1,0\n'
printf 'test,time\nadd,1\n' | measure
table 0 | measure --name 'no name'
psl measure compute --mpirun x 2>&1
# Measured here, in all ways; the table is kept.
psl measure compute --repetitions 7 2>/dev/null | grep -c '  param latencies = \[\([0-9.]* ns, \)\{6\}[0-9.]* ns\];\|  param instruction-time = 0.* ns;\|  param misprediction = [0-9.]* ns;'
psl measure compute --repetitions 7 --table "$TMP/kept.csv" 2>/dev/null | grep -c '  param [admr].* = \['
grep -c '^add,[14],\(1\|12\),[0-9.e-]*$' "$TMP/kept.csv" | sed 's/[0-9]*[1-9][0-9]*/some/'
