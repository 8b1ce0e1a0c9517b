# A patience that is no time, and calls that cannot have one.
cat > $TMP/base.psl <<'M'
transaction cycle();
transaction serve(demand : time);
component customer [c] : 0 <= c < 3 {
  accepts:
    profile     = { domain = application[client], node type = customer, evaluation mode = measurement };
    transaction = cycle();
    protocol    = dataflow;
  body:
    let longest = 1 s;
    hold exponential(longest);
    if clock < 9 s { call visit(2 s); }
  requests:
    visit(d): selector    = { node type = disk };
              transaction = serve(d);
              patience    = 1 s;
              protocol    = call-return;
    selector    = { domain = application[client], node type = customer, c = c };
    transaction = cycle();
    protocol    = dataflow;
}
component disk {
  accepts:
    profile     = { domain = hardware[server], node type = disk };
    transaction = serve(demand);
    protocol    = call-return;
    servers     = 1;
  body:
    hold exponential(demand);
}
system net {
  requests:
    every selector = { domain = application[client], node type = customer };
    transaction    = cycle();
    protocol       = dataflow;
}
M
try() { # WHAT SED-SCRIPT
  echo "-- $1"
  sed "$2" $TMP/base.psl > $TMP/model.psl
  (cd "$TMP" && psl run --max-time '50 s' model.psl 2>&1 >out | sed 's/^/  /')
}
try 'a negative time' 's/patience    = 1 s/patience    = d - 3 s/'
try 'a network of queues' 's/evaluation mode = measurement/evaluation mode = analysis[MVA]/; s/if clock < 9 s { \(.*\) }/\1/'
try 'a network that is simulated' 's/evaluation mode = measurement/evaluation mode = simulation[queueing]/; s/if clock < 9 s { \(.*\) }/\1/'
try 'a block of a coercion' 's/transaction = serve(demand)/transaction = work(demand)/; 2a transaction work(demand : time);\ncoercion serve -> work { call work(demand); }'
