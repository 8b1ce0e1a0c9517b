# Graphs that cannot be: lists that do not go together, edges from nowhere and in circles, times below 0; schedules that
# there are not, for loops and for graphs, and what is not analysed; params that are no costs.
model() { # what the graph has, a schedule, more params
  cat >"$TMP/graph.psl" <<M
use task-scheduling;
use scheduling { param threads = 2; param schedule = ${2:-HEFT}; $3 }
transaction run();
component mine like task-graph { $1 profile graph = mine; }
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
      transaction = execute-graph(mine);
      protocol    = call-return;
}
system graph {
  requests:
    selector    = { domain = application, node type = program };
    transaction = run();
    protocol    = dataflow;
}
M
  psl run -q "$TMP/graph.psl" 2>&1 >/dev/null | sed "s|$TMP/||; s|$PSL_PATH/||" | grep -E "error|help"
}
two='let works = [2 s, 3 s];'
model ''
model 'param each = true; let works = [1 s, 2 s, 3 s];'
model 'let works = [1 s, -2 s];'
model "$two let tails = [0]; let heads = [0, 1];"
model "$two let tails = [0]; let heads = [1]; let delays = [1 s, 2 s];"
model "$two let tails = [0]; let heads = [1]; let delays = [-1 s];"
model "$two let tails = [2]; let heads = [1];"
model "$two let tails = [0]; let heads = [-1];"
model "$two let tails = [0, 1]; let heads = [1, 0];"
model "$two let tails = [0]; let heads = [0];"
model "$two" HEFT 'param speeds = [1, 2, 3];'
model "param each = true; $two" HEFT 'param speeds = [2];'
model "$two" HEFT 'param speeds = [0];'
model "$two" HEFT 'param transfer-cost = -1 ns;'
model "$two" HEFT 'param thread-machine = nowhere;'
model "$two" guided
model "$two" stealing 'param scheduling = analysis[schedule];'
model "$two" HEFT 'param scheduling = simulation[schedule];'
