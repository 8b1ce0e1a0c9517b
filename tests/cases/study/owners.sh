# A result of what is not there: of whom it is one, of a part of whose name, of an instance by a point.
cat >"$TMP/shop.psl" <<'END'
use queueing { param solver = simulation[queueing]; param limit = 2000; }
component disk-drive like fcfs-station {
  param service = exponential(10 ms);
  profile node type = disk;
}
component gold like arrivals {
  param class   = gold;
  param between = exponential(100 ms);
}
component stage [k] : 0 <= k < 3 {
  accepts:
    profile     = { domain = application[test], node type = stage };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 1 s;
}
transaction go();
component visitor {
  accepts:
    profile     = { domain = application[queueing], node type = visitor, evaluation mode = solver, class = gold };
    transaction = cycle();
    protocol    = dataflow;
    servers     = unlimited;
  body:
    call ask();
  requests:
    ask():
      selector    = { domain = hardware[server], node type = disk, evaluation mode = solver };
      transaction = visit();
      protocol    = call-return;
}
system shop {
  requests:
    every selector = { node type = arrivals };
    transaction    = arrive();
    protocol       = dataflow;
}
END
cd "$TMP" || exit
for result in silver.p95 disk.response gld.response disk.wait stage.1.compute stage.95; do
  echo "$result"
  psl study shop.psl --vary 'limit=2000' --report "$result" 2>&1 | grep -e error -e help
done
