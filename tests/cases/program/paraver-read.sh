# Traces of Paraver as sources. One as Extrae has it: rank 0 computes 3 us and sends 1000 bytes, rank 1 has begun their
# receive before, computes 4 us and waits; a broadcast on a communicator of both by its second member, in a named
# function; a call that is not known; threads beside the first, other events and states that are passed over.
cd "$TMP" || exit
cat >t.prv <<'END'
#Paraver (03/11/2026 at 12:30):20000_ns:1(2):1:2(2:1,1:1),2
c:1:1:2:1:2
c:1:2:2:2:1
1:1:1:1:1:0:20000:1
2:1:1:1:1:0:50000003:31
2:2:1:2:1:0:50000003:31:40000001:7
2:1:1:1:1:1000:50000003:0
2:2:1:2:1:1000:50000003:0
2:1:1:1:2:1500:50000001:1
2:2:1:2:1:2000:50000001:4
2:2:1:2:1:2500:50000001:0
2:1:1:1:1:4000:50000001:1
2:1:1:1:1:5000:50000001:0
3:1:1:1:1:4000:5000:2:1:2:1:2000:7500:1000:9
2:2:1:2:1:6500:50000001:5
2:2:1:2:1:7500:50000001:0
2:1:1:1:1:8000:60000019:4
2:2:1:2:1:8000:60000019:4
2:1:1:1:1:9000:50000002:7:50100001:0:50100002:64:50100004:2
2:2:1:2:1:9500:50100001:64:50100003:1:50100004:2:50000002:7
2:1:1:1:1:10000:50000002:0
2:2:1:2:1:10000:50000002:0
2:1:1:1:1:10000:60000019:0
2:2:1:2:1:10000:60000019:0
2:1:1:1:1:11000:50000003:19
2:1:1:1:1:11500:50000003:0
2:1:1:1:1:12000:50000003:32
2:1:1:1:1:13000:50000003:0
2:2:1:2:1:12000:50000003:32
2:2:1:2:1:13000:50000003:0
END
cat >t.pcf <<'END'
EVENT_TYPE
0    50000003    MPI Other
VALUES
19   MPI_Comm_rank

EVENT_TYPE
0    60000019    User function
VALUES
0   End
4   solve it
END
psl trace info t.prv --by rank
psl replay t.prv --format csv | grep ,makespan,
psl trace convert t.prv t.tit
cat t.tit
psl trace convert t.prv t.trace
psl trace info t.trace | sed -n '/^operations by/,$p' >own
psl trace info t.prv | sed -n '/^operations by/,$p' | cmp - own

echo '--- a prediction'
cat >p.tit <<'END'
0 init
0 sleep 0.25
0 send 1 3 1000
0 allreduce 8 0
0 finalize
1 init
1 recv 0 3 1000
1 sleep 0.5
1 allreduce 8 0
1 finalize
END
psl replay p.tit --set machine=cluster --trace p.prv >/dev/null
grep '^[23]' p.prv
sed -n '/^EVENT_TYPE/,$p' p.pcf
psl trace info p.prv --by rank | sed -n '/^operations by/,$p'
psl replay p.tit --set machine=cluster --record p.trace >/dev/null
psl diff p.prv p.trace --least 0.1%
echo '--- without calls, in microseconds'
printf '#Paraver (03/11/26 at 12:30):20:0:1:1(1:1)\n1:0:1:1:1:0:7:1\n1:0:1:1:1:7:9:3\n1:0:1:1:1:9:12:1\n' >s.prv
psl replay s.prv --format csv | grep ,makespan,

echo '--- cut off: in a call, or without MPI_Finalize'
head -n 19 t.prv >cut.prv
psl trace info cut.prv | grep ^complete
grep -v :32$ t.prv >part.prv
psl trace info part.prv | grep ^complete
psl replay part.prv --error-format short 2>&1 | grep -e warning -e predicted

echo '--- what cannot be'
wrong() { psl trace info "$1" 2>&1 | sed -n 's/^complete *//p; s/.*error: //p'; }
line() { { printf '#Paraver (03/11/26 at 12:30):20_ns:1(2):1:2(1:1,1:1),1\n'; printf "$1\n"; } >w.prv; wrong w.prv; }
head() { printf "$1\n" >w.prv; wrong w.prv; }
line '2:1:1:3:1:5:50000001:1'
line '2:1:2:1:1:5:50000001:1'
line '2:1:1:1:1:5:50000001'
line '2:1:1:1:1:x:50000001:1'
line '2:1:1:1:1:5:50000001:1\n2:1:1:1:1:4:50000001:0'
line '1:1:1:1:1:5:4:1'
line '3:1:1:1:1:5:6:1:1:2:1:5:6:-1:0'
line '4:1'
line 'c:1:1:3:1:2:3'
line 'c:1:1:2:1:2\nc:1:1:1:1'
head '#Paraver (03/11/26 at 12:30):20_ns:1(2):2:2(1:1,1:1)'
head '#Paraver (03/11/26 at 12:30):20_ns'
head '#Paraver 03/11/26'
head '#Paraver (03/11/26 at 12:30):20_ns:0:1:0('
head '#Paraver (03/11/26 at 12:30):20_ns:0:1:99999999('

echo '--- what a run has written is looked at, and not run again'
psl replay p.prv 2>&1 >/dev/null | grep error
psl trace convert p.prv again.trace
