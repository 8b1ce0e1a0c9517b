# A memory that is known comes back from a table of it: rates, levels by the latency, two processors at once; where sets are
# close to each other a level is told between two of them, by the latency that is as many times its own as the next one's
# is many times that: 48 KiB have 1 ns and 54 have 4, so that it ends at sqrt(48 * 54) KiB. A line beside one from
# memory takes what 8 numbers of each do, less 8 from memory: 16 * 2 - 8 * 1 = 24 ns. A noisy host has a range of rates;
# tables that are wrong, and what does not go together.
table() { # latency by level, noise
  awk -v noise="$1" 'BEGIN {
    print "test,stride,processors,bytes [KiB],time [ns]"
    for (set = 4; set <= 65536; set *= 2) {
      level = set <= 32 ? 0 : set <= 1024 ? 1 : 2
      split("1 4 80", latency, " "); split("0.5 0.5 1", load, " "); split("0.5 2 8", line, " ")
      for (k = 0; k < 8; k++) {
        off = 1 + noise * (k % 4)
        print "chase,0,1," set "," latency[level + 1] * off
        print "load,1,1," set "," load[level + 1] * off
        print "load,8,1," set "," line[level + 1] * off
        print "random,0,1," set "," latency[level + 1] * off
        print "store,1,1," set "," 2 * load[level + 1] * off
        print "store,8,1," set "," 2 * line[level + 1] * off
        if (set >= 32) print "load,64,1," set "," 3 * line[level + 1] * off
        if (set <= 4096) print "load,520,1," set "," 5 * line[level + 1] * off
        print "load,1,2," set "," 2 * load[level + 1] * off
        print "load,8,2," set "," 2 * line[level + 1] * off
        print "random,0,2," set "," 2 * latency[level + 1] * off
      }
    }
    for (k = 0; k < 8; k++) print "float,0,1,0," 0.25
    for (k = 0; k < 8; k++) print "integers,1,1,4," 0.125
    for (k = 0; k < 8; k++) print "copy,1,1,65536," 2 "\ntriad,1,1,65536," 4
    split("integer add multiply fused divide root forward", names, " ")
    for (k = 0; k < 56; k++) print names[k % 7 + 1] ",1,1,0," 0.25 * (k % 7 + 1)
    for (k = 0; k < 8; k++) print "mixed,12,1,0,0.05\nbranch,1,1,0,5\nbranch,12,1,0,1"
    for (k = 0; k < 8; k++) print "interleaved,1,1,4," 0.5 "\ninterleaved,1,1,512," 2
  }'
}
measure() { psl measure memory --from - "$@" 2>&1; echo "[$?]"; }
table 0 | measure --name known | grep -v '^//   '
table 0.2 | measure | grep 'noisy\|spread'
fine() {
  printf 'test,stride,processors,bytes [KiB],time [ns]\n'
  for set in 16 32 64 128; do printf '%s,%s,1\n' load,1,1 $set load,8,1 $set random,0,1 $set; done
  for chase in 32,1 40,1 48,1 54,4 64,4 80,4 128,4 160,4; do echo chase,0,1,$chase; done
}
fine | measure | grep Caches
# Where the kernel knows the caches, a level that the latency shows to be clearly smaller is one that others use, too.
{ fine; echo cache,0,1,48,0; } | measure | grep 'Caches\|levels'
{ fine; echo cache,0,1,96,0; } | measure | grep 'Caches\|levels'
wrong() { printf "test,stride,processors,bytes,time\n$1" | measure; }
wrong 'load,1,1,64,1\n'
wrong 'load,-1,1,64,1\n'
wrong 'load,1,0,64,1\n'
wrong 'load,1,1,-64,1\n'
wrong 'load,1,1,64,0\n'
wrong 'load me,1,1,64,1\n'
printf 'test,bytes,time\nload,1,1\n' | measure
table 0 | measure --name 'no name'
psl measure memory --mpirun x 2>&1
