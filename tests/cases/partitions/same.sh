# A run in partitions has the bytes of one that is made in one: messages without and with handshakes, receives that are
# posted before and behind their messages, collective operations, what interfaces that are left out would have to do, and
# both engines.
compare() {
  name=$1
  shift
  psl run "$@" --format json 2>&1 > "$TMP/one.json" | sed 's/^[^ ]*: //' > "$TMP/one.txt"
  for threads in 2 3; do
    psl run "$@" --format json --threads $threads:1 2>&1 > "$TMP/several.json" | sed 's/^[^ ]*: //' > "$TMP/several.txt"
    made=$(psl run "$@" --timing --format csv --quiet --threads $threads:1 | sed -n 's|^timing,partitions,value,\([0-9]*\).*|\1|p')
    if cmp -s "$TMP/one.json" "$TMP/several.json" && cmp -s "$TMP/one.txt" "$TMP/several.txt"; then
      echo "$name in $made: the same"
    else
      echo "$name in $made: differs"
    fi
  done
}
examples=$PSL_PATH/examples
compare wavefront "$PSL_PATH/tests/bench/wavefront.psl" --set px=6 --set py=7 --set blocks=5
compare 'wavefront, walked' "$PSL_PATH/tests/bench/wavefront.psl" --set px=6 --set py=7 --set blocks=5 --reference
compare 'wavefront of large messages' "$PSL_PATH/tests/bench/wavefront.psl" --set px=6 --set py=7 --set blocks=5 --set m=20kB
compare Sweep3D "$examples/sweep3d/sweep3d.psl" --set px=5 --set py=6
compare 'halo, non-blocking' "$examples/mpi/halo2d.psl" --by rank
compare 'halo, non-blocking, handshakes' "$examples/mpi/halo2d.psl" --set n=1024 --by rank
compare 'halo with interfaces left out' "$PSL_PATH/tests/bench/halo.psl" --set p=6
compare all-reduces "$PSL_PATH/tests/bench/allreduce.psl" --set p=12 --set times=7
compare 'all-reduces behind a warm-up' "$PSL_PATH/tests/bench/allreduce.psl" --set p=12 --set times=7 --warm-up 3ms
