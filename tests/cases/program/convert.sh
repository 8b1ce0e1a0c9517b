# psl trace: what traces hold, and other formats; what these cannot hold is said by name.
trace() { psl trace "$@" 2>&1 | sed "s|$TMP|TMP|g"; }
cat >"$TMP/all.tit" <<'END'
0 init
0 compute 1e6
0 sleep 0.25
0 isend 1 3 1000
0 isend 1 3 2000
0 wait 0 1 3
0 waitall
0 bcast 800 1
0 reduce 80 1000 0
0 allreduce 8 10
0 alltoall 100 100
0 allgather 24 24
0 gather 16 16 1
0 scatter 16 16 1
0 gatherv 5 5 7 0
0 allgatherv 5 5 7
0 scatterv 5 7 5 0
0 alltoallv 3 1 2 3 1 2
0 reducescatter 1 2 0
0 scan 8 0
0 exscan 8 0
0 barrier
0 recv -1 -1 10
0 irecv -1 4 10
0 test -1 0 4
0 wait -1 0 4
0 finalize
1 init
1 irecv 0 3 2000
1 irecv 0 3 2000
1 waitall
1 bcast 800 1
1 reduce 80 1000 0
1 allreduce 8 10
1 alltoall 100 100
1 allgather 24 24
1 gather 16 16 1
1 scatter 16 16 1
1 gatherv 7 5 7 0
1 allgatherv 7 5 7
1 scatterv 5 7 7 0
1 alltoallv 3 2 1 3 2 1
1 reducescatter 1 2 0
1 scan 8 0
1 exscan 8 0
1 barrier
1 send 0 2 10
1 send 0 4 10
1 finalize
END
trace info "$TMP/all.tit"
trace convert "$TMP/all.tit" "$TMP/all.trace"
trace convert "$TMP/all.trace" "$TMP/again.tit"
trace convert "$TMP/again.tit" "$TMP/again.trace"
cmp "$TMP/all.trace" "$TMP/again.trace"
for name in all.tit all.trace again.tit; do psl replay "$TMP/$name" --format csv | grep ,makespan,; done
trace convert schedule.goal "$TMP/schedule.tit"
trace info --format json "$TMP/schedule.tit"
trace info --format csv "$TMP/schedule.tit"

# A trace that is cut off.
head -c 200 "$TMP/all.trace" >"$TMP/cut.trace"
trace info "$TMP/cut.trace"
trace convert "$TMP/cut.trace" "$TMP/none.tit"
ls "$TMP"/none* 2>/dev/null

# What cannot be.
trace convert "$TMP/all.tit" "$TMP/all.foo"
trace convert "$TMP/all.tit" /dev/null
trace convert "$TMP/all.tit" "$TMP/all.tit"
trace convert "$TMP/all.tit"
trace convert "$TMP/nothing.tit" "$TMP/none.trace"
trace info "$TMP/nothing.tit"
trace info
trace
trace frob

# As a schedule, in which collective operations are messages: each receive has its send, and there are as many as the
# algorithms say, n log2 n of a barrier, n - 1 of a tree, n (n - 1) of a ring and of pairs.
trace convert "$TMP/all.tit" "$TMP/all.goal"
for n in 2 3 5 8; do
  for r in $(seq 0 $((n - 1))); do
    parts() { seq -s ' ' 1 $n; }
    echo "$r init
$r barrier
$r bcast 100 1
$r reduce 10 0 $((n - 1))
$r allreduce 8 0
$r gather 4 4 1
$r scatter 4 4 1
$r gatherv $((r + 1)) $(parts) 1
$r allgather 3 3
$r allgatherv $((r + 1)) $(parts)
$r scatterv $(parts) $((r + 1)) 0
$r alltoall 6 6
$r reducescatter $(parts) 0
$r scan 2 0
$r finalize"
  done >"$TMP/$n.tit"
  psl trace convert "$TMP/$n.tit" "$TMP/$n.goal" 2>/dev/null
  psl replay "$TMP/$n.goal" --set 'costs=analysis[LogGOPS]' --format csv | grep '^result,replay,\(stop\|messages\|bytes\)'
  psl trace info "$TMP/$n.goal" --format csv | grep 'send\|recv'
done
