# An interrupt ends the partitions of a run with it: of the group, as by a terminal, or of the program alone. A note says
# that what they had simulated is lost.
cat > "$TMP/endless.psl" <<'PSL'
use mpi;
transaction go();
component rank [r] : 0 <= r < 4 {
  accepts:
    profile     = { domain = application, node type = process, rank = r, size = 4 };
    transaction = go();
    protocol    = dataflow;
  body:
    while true { call all(); }
  requests:
    all(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
           transaction = MPI-barrier();
           protocol    = call-return;
}
system endless {
  requests:
    every selector = { domain = application, node type = process };
    transaction    = go();
    protocol       = dataflow;
}
PSL
for whom in program partitions; do
  psl run "$TMP/endless.psl" --threads 2:1 > "$TMP/out.txt" 2> "$TMP/errors.txt" &
  program=$!
  tries=0
  while [ "$(pgrep -c -P $program)" -lt 2 ] && [ $tries -lt 500 ]; do
    sleep 0.01
    tries=$((tries + 1))
  done
  partitions=$(pgrep -P $program)
  kill -TERM $program
  [ $whom = program ] || kill -TERM $partitions
  { wait $program; } 2> /dev/null
  echo "$whom: $?"
  cat "$TMP/errors.txt"
  for partition in $partitions; do
    if kill -0 $partition 2> /dev/null; then echo "$partition goes on"; fi
  done
done
