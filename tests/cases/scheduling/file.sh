# Graphs in the format of the Standard Task Graph Set, with and without the first and the last task of no time, and with
# comments; the same as lists; files that are none.
cat >"$TMP/file.psl" <<'M'
use task-scheduling;
use scheduling;
param file : string = "graph.stg";
transaction run();
component stored like task-graph { param path = file;  param scale = 1 ms;  profile graph = stored; }
component program {
  accepts:
    profile     = { domain = application, node type = program };
    transaction = run();
    protocol    = dataflow;
  body:
    call execute();
  requests:
    execute:
      selector    = { domain = application, node type = team };
      transaction = execute-graph(stored);
      protocol    = call-return;
}
system graph {
  requests:
    selector    = { domain = application, node type = program };
    transaction = run();
    protocol    = dataflow;
}
M
cd "$TMP"
run() { psl run -q file.psl "$@" 2>&1 | sed -n '/^predicted/p;/^  tasks/p;/^ended/d;s|.*stdlib|stdlib|;/error:/p'; }
printf '3\n0 0 0\n1 2 1 0\n2 3 1 0\n3 4 1 1\n4 0 2 2 3\n# three tasks\n' >graph.stg
for schedule in HLFET HEFT dynamic critical-path; do run --set threads=2 --set schedule=$schedule; done
run --set threads=1 --set schedule=HEFT
printf '# without ends\n2\n0 2 0\n1 3.5 1 0 # waits\n' >short.stg
run --set 'file="short.stg"' --set schedule=HEFT
wrong() { printf "$1" >wrong.stg; run --set 'file="wrong.stg"' --set schedule=HEFT; }
wrong ''
wrong 'three\n'
wrong '1.5\n'
wrong '0\n'
wrong '3\n0 0 0\n1 2 1 0\n'
wrong '1\n0 0 0\n2 1 0\n'
wrong '1\n0 -1 0\n'
wrong '1\n0 1e999 0\n'
wrong '1\n0 1 1.5 0\n'
wrong '1\n0 1 9 0\n'
wrong '1\n0 1x 0\n'
wrong '2\n0 1 1 1\n1 1 1 0\n'
wrong '2\n0 1 0\n1 1 1 7\n'
wrong '99999999999\n'
run --set 'file="nowhere.stg"' --set schedule=HEFT
run --set 'file="/etc/passwd"' --set schedule=HEFT
mkfifo pipe.stg
timeout -s KILL 20 psl run -q file.psl --set 'file="pipe.stg"' --set schedule=HEFT 2>&1 | sed -n "/^ended/d;/error:/p"
