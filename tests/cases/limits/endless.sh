# A loop that only holds is a run without an end: that is said before it begins, and what ends it.  Here an assertion does.
cd "$TMP"
model() {
  cat <<END
component ticker {
  var n : int = 0;
  accepts: profile = { domain = application[test], node type = ticker }; transaction = tick(); protocol = dataflow;
  body:
    $1
}
component stopper {
  accepts: profile = { domain = application[test], node type = stopper }; transaction = tick(); protocol = dataflow;
  body: hold 9 s; assert false;
}
transaction tick();
system all {
  requests:
    selector = { node type = ticker };  transaction = tick(); protocol = dataflow;
    selector = { node type = stopper }; transaction = tick(); protocol = dataflow;
}
END
}
t() {
  model "$1" >loop.psl
  for engine in '' --reference; do
    psl run loop.psl $engine 2>&1 >out | sed '/loop.psl:9/,$d'
  done
}
t 'while (true) { hold 1 s; n = n + 1; }'
t 'for i in 1 .. 3 { hold 1 s; } while not false { hold 1 ms; if n > 3 { hold exponential(1 s); } }'
t 'while true { hold 1 s; if clock > 5 s { return; } }'
t 'while n < 3 { hold 1 s; n = n + 1; }'
model 'while true { hold 1 s; }' >loop.psl
psl check loop.psl
psl run loop.psl --max-time 3s 2>&1 | head -1
