# The float rate of a machine makes time of computations that count floating-point operations: at twice the rate they take
# half as long. Those of a trace that counts seconds take as long as they did, which is said where a rate is given for
# nothing, once for all values of a comparison; speed makes them shorter. So it is with the frequency of a processor's clock.
cd "$TMP" || exit
printf '%s\n' '0 init' '0 compute 4e8' '0 finalize' >flops.tit
printf '%s\n' 'num_ranks 1' 'rank 0 {' 'l1: calc 100000000' '}' >seconds.goal
machine() { printf 'use machines;\ncomponent mine like present-cluster {\n  profile machine = mine;\n%s}\n' "$2" >"$1.psl"; }
machine slow '  profile float rate = 2 Gflop/s;
'
machine fast '  profile float rate = 4 Gflop/s;
'
machine clock '  profile frequency = 3 GHz;
'
machine plain ''
for of in 'flops.tit slow' 'flops.tit fast' 'seconds.goal slow' 'seconds.goal fast' 'seconds.goal clock' 'seconds.goal plain'; do
  set -- $of
  echo "-- $of"
  psl replay $1 --model $2.psl --set machine=mine 2>&1 | grep -E 'predicted|note|Program:'
done
echo '-- a comparison'
psl compare seconds.goal --model fast.psl --set machine=mine --vary speed=1,2 2>&1 | head -n 8
