# A task of 64 parameters, of which a source gives the even ones and an edge the odd ones: the last of them are 62 and 63, and
# the task that they reach takes so many seconds together.
list() { seq "$1" "$2" 63 | sed "s/.*/$3/" | paste -sd, -; }  # FIRST STEP TEXT
cat >"$TMP/m.psl" <<END
use task-graph;
use domains;
transaction begin();
transaction go();
transaction task($(list 0 1 'p& : int'));
component whole {
  component one {
    accepts:
      profile     = { domain = application[test], node type = one };
      transaction = go();
      protocol    = dataflow;
    requests:
      selector    = { domain = application[test], node type = many };
      transaction = task($(list 1 2 'p& = &'));
      protocol    = dataflow;
  }
  component many {
    accepts:
      profile     = { domain = application[test], node type = many };
      transaction = task($(list 0 1 'p&'));
      protocol    = dataflow;
    body:
      hold (p62 + p63) * 1 s;
  }
  accepts:
    profile     = { domain = application[test], node type = whole, evaluation mode = analysis[task-graph] };
    transaction = begin();
    protocol    = call-return;
  body:
    call start();
    call give();
    call task-graph.critical-path();
  requests:
    start(): selector = { domain = application[test], node type = one }; transaction = go(); protocol = dataflow;
    give():  selector = { domain = application[test], node type = many };
             transaction = task($(list 0 2 'p& = &'));
             protocol = dataflow;
}
system test {
  requests:
    selector    = { domain = application[test], node type = whole };
    transaction = begin();
    protocol    = call-return;
}
END
psl run "$TMP/m.psl" | head -1
