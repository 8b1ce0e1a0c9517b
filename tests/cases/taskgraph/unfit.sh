# What a task graph cannot take, each at its place.
try() {  # LOCALS ACCEPT BODY REQUESTS
  cat >"$TMP/unfit.psl" <<END
use task-graph;
use domains;
transaction begin();
transaction task(n : int, t : time = 0 s);
component whole {
  component node [k] : 0 <= k < 2 {
    $1
    accepts:
      profile     = { domain = application[test], node type = node };
      transaction = task(n, t);
      protocol    = dataflow;
      $2
    body:
      $3
    requests:
      where k == 0;
      selector    = { domain = application[test], node type = node, k = 1 };
      transaction = task(n);
      protocol    = dataflow;
      $4
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
           transaction = task(0);
           protocol    = dataflow;
}
component desk [d] : 0 <= d < 3 {
  accepts:
    profile     = { domain = hardware, node type = desk };
    transaction = begin();
    protocol    = call-return;
}
system test {
  requests:
    selector    = { domain = application[test], node type = whole };
    transaction = begin();
    protocol    = call-return;
}
END
  psl run --error-format short "$TMP/unfit.psl" 2>&1 >"$TMP/report.txt" | sed 's,.*/,,'
  psl run --error-format short --reference "$TMP/unfit.psl" 2>&1 >"$TMP/report.txt" | sed 's,.*/,,' >"$TMP/reference.txt"
  psl run --error-format short "$TMP/unfit.psl" 2>&1 >"$TMP/report.txt" | sed 's,.*/,,' | cmp - "$TMP/reference.txt"
}
next='selector = { domain = application[test], node type = node, k = 1 };'
try '' '' 'hold 1 s;' ''
try 'var v : int = 0;' '' '' ''
try '' 'servers = 2;' '' ''
try '' 'firing rule = n > 0;' '' ''
try '' '' 'while n > 0 { hold 1 s; }' ''
try '' '' 'record x = 1;' ''
try '' '' 'return;' ''
try '' '' 'hold clock;' ''
try '' '' 'let m = n + 1; hold 1 s;' "where k == 0; $next transaction = task(m); protocol = dataflow;"
try '' '' 'hold 1 s;' "selector = { domain = hardware, node type = desk, d = 0 }; transaction = begin(); protocol = call-return;"
try '' '' 'hold 1 s;' "where k == 0; selector = { domain = application[test], node type = node, k = n + 1 }; transaction = task(n); protocol = dataflow;"
try '' '' 'hold t;' "where k == 0; $next transaction = task(t = clock); protocol = dataflow;"
try '' '' 'hold 1 s;' "where k == 0; $next transaction = task(n); delay = -1 s; protocol = dataflow;"
try '' 'body: accepts: transaction = begin(); protocol = call-return;' 'hold 1 s;' ''
try '' '' 'call ask();' "ask: selector = { domain = hardware, node type = desk, d = 7 }; transaction = begin(); protocol = call-return;"
try '' '' 'call ask(k);' "ask(d): selector = { domain = hardware, node type = desk, d = d }; transaction = begin(); protocol = call-return;"
