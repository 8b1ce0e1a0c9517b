# The last result as values; a declaration takes those of its moment.
psl -c farm.psl <<'END'
run
last.makespan
last.disk-drive.wait / last.makespan
last.response
last
let before = last.makespan;
function speedup(t : time) -> real = t / last.makespan;
let all = last;
run --set workers=16 --format csv
before / last.makespan
speedup(last.makespan)
all.worker.firings
:set work = 2 * last.makespan
:set
workers
last.makspan
END
echo "[exit $?]"
psl -e last.makespan
echo "[exit $?]"
