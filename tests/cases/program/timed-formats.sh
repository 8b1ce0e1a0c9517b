# Formats that hold times: traces for Chrome and for Paraver, of a run and of a prediction. Rank 0 computes 3 us and sends
# 1000 bytes, rank 1 has begun their receive before, computes 4 us and waits; then a broadcast by the second member of a
# communicator of both, in a region, and a function within it.
cd "$TMP" || exit
cat >t.prv <<'END'
#Paraver (03/11/2026 at 12:30):12000_ns:2(1,1):1:2(1:1,1:2),2
c:1:1:2:1:2
c:1:2:2:2:1
2:1:1:1:1:1000:50000003:31
2:2:1:2:1:1000:50000003:31
2:1:1:1:1:1000:50000003:0
2:2:1:2:1:1000:50000003:0
2:2:1:2:1:2000:50000001:4
2:2:1:2:1:2500:50000001:0
2:1:1:1:1:4000:50000001:1
2:1:1:1:1:5000:50000001:0
3:1:1:1:1:4000:4000:2:1:2:1:2000:7500:1000:9
2:2:1:2:1:6500:50000001:5
2:2:1:2:1:7500:50000001:0
2:1:1:1:1:8000:60000019:1
2:2:1:2:1:8000:60000019:1
2:1:1:1:1:8500:60000019:2
2:1:1:1:1:9000:50000002:7:50100001:0:50100002:64:50100004:2
2:2:1:2:1:9500:50000002:7:50100001:64:50100002:0:50100004:2:50100003:1
2:1:1:1:1:10000:50000002:0
2:2:1:2:1:10000:50000002:0
2:1:1:1:1:10500:60000019:0
2:1:1:1:1:11000:60000019:0
2:2:1:2:1:11000:60000019:0
2:1:1:1:1:12000:50000003:32
2:1:1:1:1:12000:50000003:0
2:2:1:2:1:12000:50000003:32
2:2:1:2:1:12000:50000003:0
END
printf 'EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 solve "it"\n2 within\n' >t.pcf
psl trace convert t.prv t.json && cat t.json
perl -MJSON::PP -e 'local $/; decode_json(<>); print "it is JSON\n"' t.json
psl trace convert t.prv again.prv && cat again.prv again.pcf again.row
for trace in t again; do psl trace info $trace.prv --by rank | sed 1d >$trace; done
cmp t again && echo 'the same comes out'
echo '--- what a name says of a trace that is recorded'
printf '0 init\n0 compute 1e6\n0 finalize\n' >c.tit
for name in own c.trace r.tit r.prv r.json r.xyz; do psl replay c.tit --record $name >>replay.txt && psl trace info $name 2>&1 | grep -E '^format|error'; done
psl trace convert c.tit c.json
ls
