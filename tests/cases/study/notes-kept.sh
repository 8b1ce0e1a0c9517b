# What is noted of a run is noted again where it comes from a database, to a study of other columns what concerns these: what
# percentiles of cycles are of that draw their visits, which percentiles a solver does not know, bounds by ranges, whose shares
# are not known, and what the run has said itself. A database of the format before has no notes and gets them by what is run.
cd "$TMP" || exit
cat > halves.psl <<'E'
use queueing { param percentiles = [40 %]; }
param pause : time = 1 s;
component quick like fcfs-station { param service = constant(1 s); profile number = 0; }
component slow like fcfs-station { param service = constant(3 s); profile number = 1; }
component job like closed-customers { param class = job; param think = exponential(pause); param visits = [0.5, 0.5]; }
system one-job {
  requests:
    selector    = { node type = customer, class = job };
    transaction = cycle();
    protocol    = dataflow;
}
E
cat > ranges.psl <<'E'
param L : time = 2 us .. 4 us;
param k : int = 3 in 1 .. 100;
transaction go();
component front [i] : 0 <= i < 2 {
  accepts:
    profile     = { domain = application, node type = front };
    transaction = go();
    protocol    = call-return;
  requests:
    selector    = { domain = application, node type = desk, i = i };
    transaction = go();
    protocol    = call-return;
}
component desk [i] : 0 <= i < 2 {
  accepts:
    profile     = { domain = application, node type = desk };
    transaction = go();
    protocol    = call-return;
  body:
    hold k * L;
}
system s {
  requests:
    every selector = { domain = application, node type = front };
    transaction    = go();
    protocol       = call-return;
}
E
notes() {
  psl study "$@" --error-format short 2>&1 >/dev/null |
    sed 's/each request.*/.../; s/in closed form.*/.../; /takes the place of study/d'
}
simulated() { notes halves.psl --set 'solver=simulation[queueing]' --vary 'pause=1s,2s' "$@"; }
echo 'no percentile:' && simulated --report job.response --db halves.db
echo 'from the same runs:' && simulated --report job.p40 --db halves.db
echo 'as they are run:' && simulated --report job.p40
echo 'by two jobs:' && simulated --report job.p40 --db two.db --jobs 2 && simulated --report job.p40 --db two.db --jobs 2
sed 's/constant/exponential/' halves.psl > analysed.psl
analysed() { notes analysed.psl --vary 'pause=1s,2s' --report job.p40 --set half-width=0.1 --db analysed.db; }
echo 'a solver that has none:' && analysed
echo again: && analysed
for report in makespan 'makespan, makespan.low' desk[0].compute; do
  echo "$report:" && notes ranges.psl --vary k=3,4 --report "$report" --db ranges.db
  echo again: && notes ranges.psl --vary k=3,4 --report "$report" --db ranges.db
done
sqlite3 halves.db 'SELECT DISTINCT notes FROM run'
sqlite3 analysed.db 'SELECT DISTINCT notes FROM run'
sqlite3 ranges.db 'SELECT DISTINCT notes FROM run'
"$OLDPWD/../../lib/without-sums" ranges.db
sqlite3 ranges.db 'ALTER TABLE run DROP COLUMN notes; PRAGMA user_version = 5'
echo 'a format before:' && notes ranges.psl --vary k=3..5 --report makespan --db ranges.db
sqlite3 ranges.db 'PRAGMA user_version; SELECT count(*), count(notes) FROM run'
"$OLDPWD/../../lib/without-sums" ranges.db
sqlite3 ranges.db 'ALTER TABLE run DROP COLUMN notes; PRAGMA user_version = 5'
psl report ranges.db -q -o ranges.html && sqlite3 ranges.db 'PRAGMA user_version'
