# Stands in for a program with timers: writes what one on RANKS ranks would, of times that are known. A nest of n passes
# takes half of its operations' time, the other a fifth of it for up to 1000 passes and two fifths for 4000; the third
# time of each is disturbed. A quarter of the passes come to the branch.
n=$1
turn=$(cat "$TMP/turn" 2>/dev/null || echo 0)
echo $((turn + 1)) >"$TMP/turn"
for rank in $(seq ${RANKS:-2}); do
  awk -v n="$n" -v turn="$turn" -v rank="$rank" -v source="${SOURCE:-c4c9c6548d06c5c3}" -v never="$NEVER" 'BEGIN {
    noise = (turn % 3 == 2 ? 1.5 : 1 + turn % 3 / 100)
    print "rank " rank
    print "source " source
    print "nest main_7 1 " n * 1.6e-9 * 0.5 * noise
    print "nest main_10 " (never ? 0 : 1) " " (never ? 0 : n * 1.775e-9 * (n <= 1000 ? 0.2 : 0.4) * noise)
    print "branch main_11-chance " (ENVIRON["PSL_NESTS_COUNT"] ? n / 4 : 0) " " (ENVIRON["PSL_NESTS_COUNT"] ? n : 0)
    print "end"
  }' >"$PSL_NESTS/$rank"
done
