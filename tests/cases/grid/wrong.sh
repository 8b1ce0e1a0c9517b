# Links that cannot be: each is refused where it is said.
try() {
  cat > $TMP/wrong.psl <<END
use wide-area;
component bad [way] : 0 <= way < 2 like wide-area-link {
  $1
  profile link = bad;
}
transaction go();
component sender {
  accepts:
    profile     = { domain = application, node type = sender };
    transaction = go();
    protocol    = dataflow;
  body:
    call send();
  requests:
    send():
      selector    = { domain = hardware[network], node type = wide-area-link, link = bad, way = 0,
                      evaluation mode = grid-by };
      transaction = $2;
      protocol    = call-return;
}
system wrong {
  requests:
    selector    = { domain = application, node type = sender };
    transaction = go();
    protocol    = dataflow;
}
END
  for by in 'simulation[rounds]' 'analysis[TCP]'; do
    (cd $TMP && psl run wrong.psl --quiet --set "grid-by=$by" 2>&1 >/dev/null | head -4)
  done
}
try 'function bandwidth-at(t : time) -> data/time = 0 byte/s;' 'carry-stream(1 MB)'
try 'function loss-at(t : time) -> real = 0.6;' 'carry-stream(1 MB)'
try 'function background-at(t : time) -> real = 1;' 'carry-stream(1 MB)'
try 'param loss = 0.3;' 'carry-stream(1 MB)'
try '' 'carry-datagram(70 kB)'
try 'function loss-at(t : time) -> real = 0.4;' 'carry-stream(1 kB, connected = false)'
