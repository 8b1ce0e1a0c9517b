# Networks with interfaces, where messages meet, are simulated in partitions that keep the order of time by a lookahead,
# with the bytes of one: messages without and with handshakes, receives before and behind them, collective operations,
# warm-ups, nodes of several ranks, many messages that come at one time.
compare() {
  name=$1
  shift
  psl run "$@" --format json 2>&1 > "$TMP/one.json" | sed 's/^[^ ]*: //' > "$TMP/one.txt"
  for threads in 2 3 5; do
    psl run "$@" --format json --threads $threads:1 2>&1 > "$TMP/several.json" | sed 's/^[^ ]*: //' > "$TMP/several.txt"
    made=$(psl run "$@" --timing --format csv --quiet --threads $threads:1 | sed -n 's|^timing,partitions,value,\([0-9]*\).*|\1|p')
    if cmp -s "$TMP/one.json" "$TMP/several.json" && cmp -s "$TMP/one.txt" "$TMP/several.txt"; then
      echo "$name in $made: the same"
    else
      echo "$name in $made: differs"
    fi
  done
}
nic=--set=network=simulation[NIC]
bench=$PSL_PATH/tests/bench
compare halo "$bench/halo.psl" --set p=6 --set steps=7 $nic --by rank
compare 'halo, coarse times' "$bench/halo.psl" --set p=6 --set steps=7 $nic --set G=0s/byte --set L=20us --set os=10us --set g=10us
compare 'halo, nodes of four ranks' "$bench/halo.psl" --set p=6 --set steps=7 $nic --set ranks-per-node=4 --by rank
compare 'halo, nodes in turn' "$bench/halo.psl" --set p=6 --set steps=7 $nic --set ranks-per-node=4 --set mapping=cyclic --set node-count=9
compare 'halo, non-blocking' "$PSL_PATH/examples/mpi/halo2d.psl" $nic --by rank
compare 'halo, non-blocking, handshakes' "$PSL_PATH/examples/mpi/halo2d.psl" --set n=1024 $nic --by rank
compare 'wavefront of large messages' "$bench/wavefront.psl" --set px=6 --set py=7 --set blocks=5 --set m=20kB $nic
compare 'all-reduces behind a warm-up' "$bench/allreduce.psl" --set p=12 --set times=7 --warm-up 3ms $nic

# What cannot be: a note says why, and the run is made on one.
refused() {
  echo "$1:"
  shift
  psl run "$bench/halo.psl" --set p=6 --set steps=2 "$@" --threads 2:1 2>&1 > "$TMP/two.txt"
  psl run "$bench/halo.psl" --set p=6 --set steps=2 "$@" --quiet > "$TMP/one.txt"
  cmp "$TMP/one.txt" "$TMP/two.txt"
}
refused 'no latency' $nic --set L=0s
refused 'a latency that the clock cannot tell' $nic --set L=1e-25s
refused 'walked' $nic --reference
refused 'links' --set 'network=simulation[flows]'
refused 'one node' $nic --set ranks-per-node=36
