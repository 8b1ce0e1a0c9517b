# Receives from any rank, and of any tag, in a schedule in GOAL: the schedule takes as long as the trace that it is of, and
# the same messages in the same order. Rank 0 has the message of rank 2 first, which comes 2 ms before that of rank 1, so that
# it waits for that one last. Where collective operations are there, too, whose messages are like others, that is said.
cd "$TMP" || exit
cat >any.tit <<'TIT'
0 init
0 recv -1 7 2000
0 irecv -1 -1 1000
0 sleep 1e-3
0 wait -1 0 -1
0 finalize
1 init
1 sleep 3e-3
1 send 0 9 1000
1 finalize
2 init
2 sleep 1e-3
2 send 0 7 2000
2 finalize
TIT
psl trace convert any.tit any.goal && cat any.goal
for name in any.tit any.goal; do psl replay $name --set machine=cluster --format csv | grep -E ',(makespan|messages|bytes),'; done
sed 's/^\([0-9]\) finalize/\1 barrier\n&/' any.tit >mixed.tit
psl trace convert mixed.tit mixed.goal
