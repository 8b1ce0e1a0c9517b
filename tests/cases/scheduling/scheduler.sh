# What an evaluator of task graphs is asked too early, or of what there is not.
model() {
  cat >"$TMP/own.psl" <<M
use Scheduler;
transaction run();
component own {
  accepts:
    profile     = { domain = application, node type = own };
    transaction = run();
    protocol    = dataflow;
  body:
    $1
}
system alone {
  requests:
    selector    = { domain = application, node type = own };
    transaction = run();
    protocol    = dataflow;
}
M
  psl run -q "$TMP/own.psl" 2>&1 >/dev/null | grep -E 'error|note: own waits' | sed "s|$TMP/||"
}
given='call Scheduler.describe(2, [], [1 s, 2 s], [0], [1]);'
begun="$given call Scheduler.begin(\"HEFT\");"
model 'call Scheduler.describe(0, [], [1 s], [], []);'
model 'call Scheduler.describe(1000000, [], [1 s], [], []);'
model 'call Scheduler.read(2, [], "", 1 s);'
model 'call Scheduler.read(2, [], "own.psl", -1 s);'
model 'call Scheduler.begin("HEFT");'
model "$given call Scheduler.begin(\"guided\");"
model 'let t = call Scheduler.tasks();'
model "$given let t = call Scheduler.next(0);"
model "$given let t = call Scheduler.makespan();"
model "$given call Scheduler.begin(\"dynamic\"); let t = call Scheduler.makespan();"
model "$begun let t = call Scheduler.next(2);"
model "$begun let t = call Scheduler.work(2, 0);"
model "$begun let t = call Scheduler.work(1, -1);"
model "$begun call Scheduler.finish(0);"
model "$begun let t = call Scheduler.next(0); let again = call Scheduler.next(0);"
# Nobody executes task 0, so that thread 1 waits for ever: by a static schedule for that one, from a queue for any.
model "$given call Scheduler.begin(\"cyclic\"); let t = call Scheduler.next(1);"
model "$given call Scheduler.begin(\"dynamic\"); let t = call Scheduler.next(0); let u = call Scheduler.next(1);"
# By which thread and when a static schedule has each task: two at once, and the one that waits for both.
model 'call Scheduler.describe(2, [], [2 s, 3 s, 1 s], [0, 1], [2, 2], [1 s, 1 s]); call Scheduler.begin("HEFT");
  let makespan = call Scheduler.makespan();
  assert makespan == 4 s;
  for k in 0 .. 2 {
    let thread = call Scheduler.thread-of(k);
    let start = call Scheduler.start-of(k);
    assert thread == [1, 0, 0][k] and start == [0 s, 0 s, 3 s][k];
  }'
