# Traces that cannot be of a program of MPI, which a replay says: messages that nobody receives, receives that are too
# short or never waited for, collective operations that a rank leaves out or that have other sizes in another rank.
# Of many more tests/fuzz/faults finds by a count of its own what is wrong.
cd "$TMP"
trace() { cat > "$1.tit"; }
trace lost <<'T'
0 init
0 send 1 7 4000
0 send 1 8 4000
0 finalize
1 init
1 compute 3e8
1 finalize
T
trace crossed <<'T'
0 send 1 7 4000
1 send 0 7 4000
T
trace short <<'T'
0 send 1 7 4000
1 recv 0 7 100
T
trace short-announced <<'T'
0 send 1 7 4000000
1 recv 0 7 100
T
trace short-posted <<'T'
0 send 1 7 4000
0 send 1 7 4000000
0 send 1 7 200
1 irecv 0 7 100
1 irecv 0 7 200
1 irecv 0 7 300
1 waitall
T
trace unawaited <<'T'
0 send 1 7 4000
1 irecv 0 7 4000
1 irecv 0 8 4000
1 compute 3e8
T
trace left-out <<'T'
0 compute 1e6
0 bcast 1000 0
1 compute 4
T
trace bcast <<'T'
0 bcast 1000 0
1 bcast 500 0
T
trace gather <<'T'
0 gather 10 10 0
1 gather 20 20 0
T
trace alltoall <<'T'
0 alltoall 100 100
1 alltoall 50 50
T
trace allreduce <<'T'
0 allreduce 8 0
0 allreduce 8 0
1 allreduce 800000 0
1 allreduce 800000 0
T
# What programs may do: a test of the traced run has found the first receive done, and the second has more room than
# it needs; who sends late gives what is expected, and the root of a gather may give no size.
trace permitted <<'T'
0 send 1 7 4000
0 send 1 8 4000
0 gather 0 10 0
1 irecv 0 7 4000
1 test 0 1 7
1 recv 0 8 8000
1 gather 10 10 0
T
# In a deadlock, what those leave who do not wait any more.
trace stuck <<'T'
0 send 1 7 4000
0 recv 1 9 10
1 recv 0 8 10
2 send 0 5 10
2 send 3 5 10
3 compute 1
T
for name in lost crossed short short-announced short-posted unawaited left-out bcast gather alltoall allreduce \
    permitted stuck; do
  echo "== $name"
  psl replay $name.tit 2>&1 > /dev/null | grep -E 'warning|error' | grep -v interface
done
psl study lost.tit --vary speed=1,2 -f csv -q | sed 's/program.psl:[0-9]*/program.psl/'
psl replay lost.tit -f csv 2> /dev/null | grep warning
# A run that is stopped leaves what may still be received.
psl replay lost.tit --max-time 1ms 2>&1 > /dev/null | grep -c received || true
