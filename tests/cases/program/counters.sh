# What counters of the processor have counted stands in events of a trace of Paraver, since the event before. It is of the
# burst that ends there, or of the call that ends in the line or is going on: rank 0 counts 4000, 8000, 1000, 500 and 600
# instructions in its bursts, 70, 10 and 1 in calls; rank 1 1000 and 3000, and 70 and 30.
cd "$TMP" || exit
cat >t.prv <<'END'
#Paraver (03/11/2026 at 12:30):13000_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
2:1:1:1:1:0:50000003:31
2:2:1:2:1:0:50000003:31
2:1:1:1:1:1000:50000003:0:42000050:70:42000059:90
2:2:1:2:1:1000:50000003:0:42000050:70:42000059:90
2:2:1:2:1:3000:50000002:8:42000050:1000
2:2:1:2:1:3000:42000059:500
2:1:1:1:1:5000:42000050:4000:42000059:2000:50000002:8
2:1:1:1:1:6000:50000002:0:42000050:10
2:2:1:2:1:6000:50000002:0:42000050:30
2:1:1:1:1:8000:42000050:8000:42001007:5
2:1:1:1:1:9000:60000019:4:42000050:1000:42001007:7
2:1:1:1:1:10000:60000019:0:42000050:500
2:1:1:1:1:12000:50000003:32:42000050:600
2:1:1:1:1:13000:50000003:0:42000050:1
2:2:1:2:1:12000:50000003:32:42000050:3000
2:2:1:2:1:13000:50000003:0
END
cat >t.pcf <<'END'
EVENT_TYPE
7    42000050 PAPI_TOT_INS [Instr completed]
7    42000059 PAPI_TOT_CYC [Total cycles]
END
counters() { psl trace info "$@" | sed -n '/^counters/,/^$/p'; }
counters t.prv
psl trace info t.prv --format json | sed -n '/"counters"/,/\]/p' | head -9

echo '--- kept by each format that holds them'
psl trace convert t.prv t.trace
psl trace convert t.trace t.json
psl trace convert t.json again.trace
cmp t.trace again.trace
psl trace convert t.trace p.prv
sed -n '/:4200/p' p.prv | head -4
sed -n '/4200/p' p.pcf
counters t.prv >wanted
counters p.prv | cmp - wanted
psl replay t.trace --record r.trace >/dev/null
counters r.trace | sed -n 3p
psl trace convert t.trace t.tit

echo '--- the page: for each how much a second against the length of a burst'
psl report t.prv -o t.html
grep -o '[A-Z_0-9]* against length of a burst, by time' t.html | sort -u

echo '--- too many'
{ sed 3q t.prv; for k in 1 2 3 4 5; do echo "2:1:1:1:1:$k:$(seq -f "4200$k%03g:1" -s : 1 13)"; done; } >w.prv
psl trace info w.prv
