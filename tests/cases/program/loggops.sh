# LogGOPS: the times of ranks, beside what LogGOPSim (its sources of 2024, built with a sort that keeps the order of
# equals) prints for the same schedules in ns, with O = 0 and O = 9 ns/byte: message 11644, 14641; rendezvous 927036,
# 1137054; fan 20282, 19173; begun 492142, 733657; fan's ranks with O = 0: 13594, 7594, 16594, 20282.
figures='--set L=2500ns --set o=1500ns --set g=1000ns --set G=6ns/byte'
for name in message rendezvous fan begun; do
  for O in 0 9; do
    for engine in '' --reference; do
      psl replay $name.goal --set 'costs=analysis[LogGOPS]' $figures --set O=${O}ns/byte --format csv $engine |
        awk -F, -v name="$name, O = $O:" '/makespan,/ { printf "%s %.3f ns\n", name, $4 * 1e9 }'
    done
  done
done
# Two ranks that one event wakes have turns in their order, whichever psl runs first: LogGOPSim's 359578 ns.
psl replay turns.goal --set 'costs=analysis[LogGOPS]' --set L=2500ns --set o=0ns --set g=4000ns --set G=6ns/byte \
  --set S=1000byte --format csv | sed -n 's/.*makespan,/turns: /p'
# A message to the rank itself above S ends its send and its receive at once, and what waits for them begins as what waits
# for one does: LogGOPSim's 40, 47, 46, 49, 44 and 36 ns.
psl replay itself.goal --set 'costs=analysis[LogGOPS]' --set L=4ns --set o=2ns --set g=1ns --set G=1ns/byte --set S=0byte \
  --by rank | sed -n '/^by process/,/^$/p'
psl replay fan.goal --set 'costs=analysis[LogGOPS]' $figures --by rank | sed -n '/^by process/,/^$/p'
# What it has no operation for is said; so is a deadlock.
try() {
  printf "$1" >"$TMP/one.tit"
  psl replay "$TMP/one.tit" --set 'costs=analysis[LogGOPS]' $figures --error-format short --format csv 2>&1 |
    sed -n 's/.*makespan,/makespan /p; s/.*error: //p; s/.*note: program/program/p'
}
try '0 init\n1 init\n0 barrier\n1 barrier\n0 allreduce 1000 0\n1 allreduce 1000 0\n0 finalize\n1 finalize\n'
try '0 init\n1 init\n0 irecv 1 0 8\n0 test 1 0 0\n0 finalize\n1 finalize\n'
try '0 init\n1 init\n0 recv 1 0 8\n0 finalize\n1 finalize\n'
try '0 init\n1 init\n0 send 1 0 70000\n0 finalize\n1 finalize\n'
# Who waits for whom in a schedule, and where what is waited for stands.
cat >"$TMP/circle.goal" <<'END'
num_ranks 3
rank 0 {
l1: recv 8b from 1 tag 3
l2: recv 8b from 2 tag 4
l3: send 8b to 1 tag 5
l3 requires l1
l3 requires l2
}
rank 1 {
l1: recv 8b from 0 tag 5
l2: send 8b to 0 tag 3
l2 requires l1
}
rank 2 {
l1: calc 100
l2: send 100000b to 1 tag 9
}
END
for costs in 'simulation[MPI-Sim]' 'analysis[LogGOPS]'; do
  psl replay "$TMP/circle.goal" --set "costs=$costs" 2>&1 >/dev/null | sed -n 's/.*note: program/program/p; /^help/p'
done
