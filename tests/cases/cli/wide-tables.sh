# Tables at a terminal are no wider than that: errors stand below, words are wrapped, columns are left out and named.
# What goes to a file is whole. --vertical has a line a figure.
cp ../../../examples/farm/farm.psl ../../../examples/mpi/allreduce.psl "$TMP" && cd "$TMP" || exit 1
at() { # COLUMNS COMMAND...: at a terminal of so many columns
  columns=$1
  shift
  echo "-- $columns: psl $*"
  COLUMNS=$columns script -qec "psl $* --quiet --color never" /dev/null </dev/null 2>&1 | tr -d '\r'
}
at 80 study farm.psl --vary workers=0..2 '--vary work=1s,2s' '--report makespan,worker[0].wait,disk-drive.compute,disk-drive.wait,disk-drive.starved'
at 48 study farm.psl --vary workers=0,4 -o table
cat table.partial
at 44 compare farm.psl --vary workers=4,8
at 20 compare farm.psl --vary workers=4,8
at 60 run farm.psl
at 60 params farm.psl
at 0 params farm.psl
at 60 study farm.psl --vary workers=0,4 --vertical
at 60 -c farm.psl -e "'study --vary workers=4,8'" -e "'compare --vary workers=4,8 --vertical'"
psl run farm.psl --format vertical | tail -n +8
psl params farm.psl --vertical -o params.txt && head -3 params.txt
psl params farm.psl --vertical -o params.csv
psl study farm.psl --vary workers=1..3 --format csv --vertical --report 'time = makespan'
# Intervals go before what they are of, and what nobody has asked for before these: percentiles stay.
cat >queue.psl <<'M'
use queueing;
param rate : time = 0.5 s;
component desk like fcfs-station {
  param service = exponential(rate);
  profile number = 0;
}
component people like closed-customers {
  param class  = people;
  param think  = exponential(4 s);
  param visits = [1];
}
system office {
  requests:
    selector    = { node type = customer, class = people };
    transaction = cycle();
    visits      = 3;
    protocol    = dataflow;
}
M
at 80 run queue.psl --set "'solver=simulation[queueing]'" | sed -n '/^by class/,/^resources/p'
at 55 run queue.psl --set "'solver=simulation[queueing]'" | sed -n '/^percentiles/,/^resources/p'
at 80 compare queue.psl --set "'solver=simulation[queueing]'" --vary rate=1s,2s | sed -n '/^by station/,/^by component/p'
at 80 study queue.psl --set "'solver=simulation[queueing]'" --vary rate=1s,2s \
  --report desk.utilisation,desk.queue,people.p50,people.p95,people.p99
at 80 compare farm.psl --vary workers=4,8 --repetitions 2
# Lines and help go on under their beginnings; no command's help is wider than its terminal.
at 60 run allreduce.psl | sed -n '/^assumed/,$p'
at 60 check --help | sed -n '1,12p'
for command in run study fit report mpirun; do at 80 $command --help; done | awk 'length > 80' | wc -l
