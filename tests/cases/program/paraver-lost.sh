# A trace that is converted to Paraver's keeps how much of a burst, or of a call, others had the processor: 5 us of
# rank 1's first burst of 7 us, and 1 us of rank 0's barrier. It is not computed again. Without the line that says so, the
# state is that of Extrae, OpenMP's own work, which is part of the burst.
cd "$TMP" || exit
cat >t.prv <<'END'
#Paraver (01/01/70 at 00:00):12000_ns:2(1,1):1:2(1:1,1:2),1
# of a run that lost the processor to others
c:1:1:2:1:2
2:1:1:1:1:0:50000003:31
2:2:1:2:1:0:50000003:31
2:1:1:1:1:1000:50000003:0
2:2:1:2:1:1000:50000003:0
1:1:1:1:1:1000:6000:1
1:2:1:2:1:1000:3000:1
1:2:1:2:1:3000:8000:7
2:1:1:1:1:6000:50000002:8
2:2:1:2:1:8000:50000002:8
1:1:1:1:1:8000:9000:7
2:1:1:1:1:10000:50000002:0
2:2:1:2:1:10000:50000002:0
1:1:1:1:1:10000:12000:1
1:2:1:2:1:10000:12000:1
2:1:1:1:1:12000:50000003:32
2:1:1:1:1:12000:50000003:0
2:2:1:2:1:12000:50000003:32
2:2:1:2:1:12000:50000003:0
END
psl trace convert t.prv t.trace && psl trace convert t.trace again.prv && grep ':7$\|^#' again.prv
sed '/^# of/d' t.prv >extrae.prv
for trace in t.trace t.prv again.prv extrae.prv; do
  psl replay $trace | sed -n "1s/^/$trace: /p"
  psl trace info $trace --by rank | sed '1d; s/^format.*//' >$trace.info
done
cmp t.trace.info again.prv.info && sed -n '/^what/,$p' again.prv.info
