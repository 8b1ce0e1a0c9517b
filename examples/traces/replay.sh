# What Dimemas 5.5 says of jacobi.dim on cluster.cfg is 0.033140012 s; the same with half the latency, and other formats.
seconds() { psl replay "$@" --format csv | sed -n 's/^result,[a-z]*,makespan,\([^,]*\).*/\1/p'; }
seconds jacobi.dim --dimemas cluster.cfg | awk '{ printf "%.9f\n", $1 }'
seconds jacobi.dim --dimemas cluster.cfg --reference | awk '{ printf "%.9f\n", $1 }'
seconds jacobi.dim --dimemas cluster.cfg --set 'latency=0.5 ms' | awk '{ printf "%.9f\n", $1 }'
psl trace convert jacobi.dim "$TMP/again.dim"
psl trace convert "$TMP/again.dim" "$TMP/own.trace"
psl trace convert "$TMP/own.trace" "$TMP/own.dim"
psl trace convert jacobi.tit "$TMP/tit.dim" 2>&1 | sed 's/^psl: //'
for trace in "$TMP/again.dim" "$TMP/own.dim" "$TMP/tit.dim" "$TMP/own.trace" jacobi.tit; do
  seconds "$trace" --dimemas cluster.cfg | awk '{ printf "%.9f\n", $1 }'
done
psl trace info jacobi.dim | grep -E '^ranks|^operations|^messages'
psl trace info jacobi.tit | grep -E '^ranks|^operations|^messages'
