# Collective operations with lists, in traces of Paraver and of Dimemas and back: these have what each rank gives and gets, of which
# the lists come again: each part is what another rank gives or gets. One of no bytes is no message, on either side, so that a
# replay takes as long as that of the trace itself. Of all-to-all in parts the sums of each rank come again, in parts of
# whole bytes that both sides know: what goes from i to j is the part of what i gives that j gets of all.
trace() {
  for rank in 0 1 2; do
    shift_to=$((rank + 1))
    printf '%s\n' "init" "$(eval "echo \"\$$shift_to\"")" "barrier" "finalize" | sed "s/^/$rank /"
  done >"$TMP/as-given.tit"
  psl replay "$TMP/as-given.tit" --record "$TMP/as-given.trace" --quiet >"$TMP/report"
  for format in prv dim; do
    psl trace convert "$TMP/as-given.trace" "$TMP/sums.$format"
    psl trace convert "$TMP/sums.$format" "$TMP/all.tit" 2>"$TMP/lost"
    grep -v ' sleep 0$' "$TMP/all.tit" >"$TMP/again.$format.tit"
    diff "$TMP/as-given.tit" "$TMP/again.$format.tit" && echo "$format: the same"
  done
  for name in as-given.tit sums.prv sums.dim again.dim.tit; do psl replay "$TMP/$name" --format csv | grep ,makespan,; done
}
trace 'gatherv 0 0 4 8 1' 'gatherv 4 0 4 8 1' 'gatherv 8 0 4 8 1'
trace 'scatterv 0 4 8 0 1' 'scatterv 0 4 8 4 1' 'scatterv 0 4 8 8 1'
trace 'scatterv 4 0 8 4 0' 'scatterv 4 0 8 0 0' 'scatterv 4 0 8 8 0'
trace 'allgatherv 0 0 4 8' 'allgatherv 4 0 4 8' 'allgatherv 8 0 4 8'
trace 'reducescatter 0 4 8 0' 'reducescatter 0 4 8 0' 'reducescatter 0 4 8 0'
trace 'gather 4 4 2' 'gather 4 4 2' 'gather 4 4 2'
# From 1 to 0: 6 x 5 / 9 = 3.3.., 4 bytes; to 1: 6 x 4 / 9 = 2.7.., 3 bytes; from 2 to 0: 3 x 5 / 9, 2 bytes; to 1: 2 bytes.
trace 'alltoallv 0 0 0 0 5 0 2 3' 'alltoallv 6 2 4 0 4 0 4 0' 'alltoallv 3 3 0 0 0 0 0 0'
