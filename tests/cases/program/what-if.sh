# A trace in place of a model: each point of replay --vary and of a study is what a replay with --set gives.
# tolerance: 1e-9
cd "$TMP"
cat >two.dim <<'END'
#DIMEMAS:"two":0:2(1,1),1
d:1:1:2:0:1
1:0:0:0.5
2:0:0:1:4000:7:1:0
1:1:0:0.1
3:1:0:0:4000:7:1:0
1:1:0:0.3
END
cat >two.cfg <<'END'
#DIMEMAS_CONFIGURATION
"wide area network information" {"", 1, 0, 4, 0.0, 0.0, 1};;
"environment information" {"", 0, "", 2, 100.0, 0, 3};;
"multi node information" {0, 2, "", 1, 1.0, 0.0, 0.0, 1, 1, 0, 0.004, 1, 1, 0.0};;
"predefined mapping information" {"1 TASKS_PER_NODE"};;
END
cat >own.psl <<'END'
use program;
component host like computer { profile machine = host; profile float rate = 1 Gflop/s; }
use message-cost { param machine = host; param L = 1 us; param os = 1 us; param G = 1 ns/byte; }
study latencies of replay { vary L in 1 us .. 3 us by 1 us; report makespan; }
END
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
for latency in 1 2; do
  psl replay two.dim --dimemas two.cfg --set "latency=$latency ms" --format csv | grep makespan
done
t replay two.dim --dimemas two.cfg --vary 'latency=1 ms,2 ms'
t study two.dim --dimemas two.cfg --vary 'latency=1 ms,2 ms' --jobs 2 --format csv
t study two.dim dimemas --dimemas two.cfg --vary 'latency=1ms..2ms+1ms' --db two.db
sqlite3 two.db 'SELECT makespan FROM dimemas'
psl report two.db -o two.html; echo "[exit $?]"
t compare two.dim --dimemas two.cfg --vary 'latency=1 ms,2 ms' --format csv | grep -e exit -e makespan -e '^\$'
t sensitivity two.dim --dimemas two.cfg --format csv | grep -e exit -e '^\$' -e '^latency'
t params two.dim --dimemas two.cfg --set buses=3 | grep -e '^\$' -e buses
t plot two.dim makespan against latency --dimemas two.cfg --vary 'latency=1ms..5ms+1ms' | head -3
t study two.dim --model own.psl
t replay two.dim --model own.psl --vary speed=1,2
t replay two.dim --vary speed=1,2 --record again.trace
t replay two.dim --vary speed=1,2 --timeline two.svg
t replay two.dim --vary speed=1,2 --trace two.json
t replay two.dim --vary speed=1,2 --by rank
t replay two.dim --vary speed=1,2 --timing
t replay two.dim --vary spede=1,2
t replay two.dim --vary speed=1,2 --db two.db
t study two.dim --dimemas two.cfg --platform site.xml --vary speed=1,2
t study own.psl --platform site.xml
# With what psl study takes beside --vary.
t replay two.dim --vary speed=1,2,4 --db kept.db --report 'late = wait-late-sender' --minimize 'cost = makespan * speed' -q
t replay two.dim --vary speed=1,2,4 --db kept.db --report 'late = wait-late-sender' --minimize 'cost = makespan * speed' --name again -o again.csv
sqlite3 kept.db 'SELECT speed, round(late, 6), round(cost, 6) FROM again' 'SELECT count(*) FROM run'
