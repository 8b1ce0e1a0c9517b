# What is in no network of queues and no task graph, and calls that cannot be cancelled.
try() { # WHAT FILE
  echo "-- $1"
  (cd "$TMP" && psl run $2 2>&1 >out | sed 's/^/  /')
}
cat > $TMP/net.psl <<'M'
use queueing;
transaction serve(demand : time);
component customer [c] : 0 <= c < 3 {
  accepts:
    profile     = { domain = queueing[client], node type = customer, evaluation mode = analysis[MVA] };
    transaction = cycle();
    protocol    = dataflow;
  body:
    hold 1 s;
    first of {
      hold 3 s { }
      call visit(2 s) { }
    }
  requests:
    visit(d): selector    = { node type = disk };
              transaction = serve(d);
              protocol    = call-return;
    selector    = { domain = queueing[client], node type = customer, c = c };
    transaction = cycle();
    protocol    = dataflow;
}
component disk {
  accepts:
    profile     = { domain = queueing[server], node type = disk };
    transaction = serve(demand);
    protocol    = call-return;
    servers     = 1;
  body:
    hold exponential(demand);
}
system net {
  requests:
    every selector = { domain = queueing[client], node type = customer };
    transaction    = cycle();
    protocol       = dataflow;
}
M
try 'a network of queues' net.psl
sed 's/analysis.MVA./simulation[queueing]/' $TMP/net.psl > $TMP/simulated.psl
try 'a network that is simulated' simulated.psl
cat > $TMP/graph.psl <<'M'
use task-graph;
transaction begin();
transaction task();
component whole {
  component node [k] : 0 <= k < 2 {
    accepts:
      profile     = { domain = application[test], node type = node };
      transaction = task();
      protocol    = dataflow;
    body:
      first of {
        hold 1 s { }
        hold 3 s { }
      }
    requests:
      where k == 0;
      selector    = { domain = application[test], node type = node, k = 1 };
      transaction = task();
      protocol    = dataflow;
  }
  accepts:
    profile     = { domain = application[test], node type = whole, evaluation mode = analysis[task-graph] };
    transaction = begin();
    protocol    = call-return;
  body:
    call start();
    call task-graph.critical-path();
  requests:
    start: selector    = { domain = application[test], node type = node, k = 0 };
           transaction = task();
           protocol    = dataflow;
}
system test {
  requests:
    selector    = { domain = application[test], node type = whole };
    transaction = begin();
    protocol    = call-return;
}
M
try 'a task' graph.psl
sed '/first of/,/^      }/c\      call pause();
/where k == 0/i\      pause(): selector = { node type = pause }; transaction = begin(); protocol = call-return;
/^system/i\component pause { accepts: profile = { domain = application[test], node type = pause }; transaction = begin(); protocol = call-return; body: first of { hold 1 s { } hold 3 s { } } }' $TMP/graph.psl > $TMP/called.psl
try 'what a task calls' called.psl
cat > $TMP/mpi.psl <<'M'
use mpi;
transaction solve();
component program [i] : 0 <= i < 2 {
  accepts:
    profile     = { domain = application[test], node type = program, rank = i, size = 2 };
    transaction = solve();
    protocol    = dataflow;
  body:
    first of {
      hold 1 s { }
      call get() { }
    }
  requests:
    get(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation };
           transaction = MPI-recv(source = 1 - i);
           protocol    = call-return;
}
system test {
  requests:
    every selector = { domain = application[test], node type = program };
    transaction    = solve();
    protocol       = dataflow;
}
M
try 'MPI' mpi.psl
