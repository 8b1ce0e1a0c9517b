# A rank of a schedule goes on with whatever ends first. Rank 0 awaits a message that comes after 1 s and one that comes at
# once, upon which it computes for 1 s: both seconds are the same one, so that 1 s and the ways of messages are left. And
# where rank 1 takes a message by a handshake that is announced before an older receive can end, nobody waits in a circle.
cd "$TMP" || exit
cat >late.goal <<'GOAL'
num_ranks 3
rank 0 {
late: recv 8b from 1 tag 1
early: recv 8b from 2 tag 2
work: calc 1000000000
work requires early
}
rank 1 {
work: calc 1000000000
late: send 8b to 0 tag 1
late requires work
}
rank 2 {
early: send 8b to 0 tag 2
}
GOAL
cat >no-circle.goal <<'GOAL'
num_ranks 2
rank 0 {
answer: recv 8b from 1 tag 9
large: send 65536b to 1 tag 0
then: calc 1000
then requires large
small: send 8b to 1 tag 1
small requires then
}
rank 1 {
large: recv 65536b from 0 tag 0
small: recv 8b from 0 tag 1
answer: send 8b to 0 tag 9
answer requires small
}
GOAL
for schedule in late no-circle; do
  for costs in 'simulation[MPI-Sim]' 'analysis[LogGOPS]'; do
    echo "$schedule, $costs:"
    psl replay $schedule.goal --set machine=cluster --set "costs=$costs" | grep -E '^(predicted|ended)'
  done
done
