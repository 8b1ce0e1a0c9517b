# What keeps an analysis from solving a network, with the params as they are, is said by the check, in the words of a run.
# Each second brings 2 s of work to one server of 1 s a second; FCFS and constant services have no product form; a param that
# is given twice in a component made like another one is refused.
run() {
  printf 'use queueing%s\n%s\nsystem lab {\n  requests:\n    every selector = { node type = %s };\n' "$3" "$1" "$2" >"$TMP/lab.psl"
  printf '    transaction    = %s();\n    protocol       = dataflow;\n}\n' "$4" >>"$TMP/lab.psl"
  (cd "$TMP" && psl check lab.psl 2>check.txt
  echo "[exit $?]"
  cat check.txt
  psl run lab.psl >out.txt 2>run.txt
  cmp check.txt run.txt && echo "run: the same")
}
closed() {
  run "component desk like fcfs-station { profile number = 0; param service = $1; }
component people like closed-customers { param class = person; param visits = [$2]; }" customer "$3" cycle
}
open() {
  run "component desk like fcfs-station { profile number = 0; param service = exponential(2 s); }
component guests like arrivals { param class = guest; param between = exponential($1); }
component guest like visitors { param class = guest; param visits = [1]; }" arrivals "$2" arrive
}
echo "saturated"
open '1 s' ';'
echo "bounds of an open network"
open '3 s' ' { param solver = analysis[bounds]; }'
echo "no product form"
closed '100 ms' 1 ';'
echo "below zero"
closed 'exponential(-1 s)' 1 ';'
closed 'exponential(1 s)' -1 ';'
echo "closed, and to be open"
closed 'exponential(1 s)' 1 ' { param solver = analysis[open]; }'
echo "given twice"
closed 'exponential(1 s); param service = exponential(2 s)' 1 ';'
echo "fine"
closed 'exponential(1 s)' 1 ';'
open '3 s' ';'
