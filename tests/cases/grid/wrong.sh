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
    (cd $TMP && psl run wrong.psl --quiet --set "grid-by=$by" 2>&1 >/dev/null)
  done
}
try 'function bandwidth-at(t : time) -> data/time = 0 byte/s;' 'carry-stream(1 MB)'
try 'function loss-at(t : time) -> real = 0.6;' 'carry-stream(1 MB)'
try 'function background-at(t : time) -> real = 1;' 'carry-stream(1 MB)'
try 'param loss = 0.3;' 'carry-stream(1 MB)'
try '' 'carry-datagram(70 kB)'
try 'function bandwidth-at(t : time) -> data/time = -1 byte/s;' 'carry-stream(1 MB)'
try 'function delay-at(t : time) -> time = -1 ms;' 'carry-stream(1 MB)'
try 'function jitter-at(t : time) -> time = -1 ms;' 'carry-stream(1 MB)'
try 'function loss-at(t : time) -> real = -0.1;' 'carry-stream(1 MB)'
try 'function background-at(t : time) -> real = -0.1;' 'carry-stream(1 MB)'
try 'function loss-at(t : time) -> real = -0.1;' 'shake-hands(1, 1 s)'
try 'param delay = -1 ms;' 'carry-stream(1 MB)'
try 'param window-size = 0 byte;' 'carry-stream(1 MB)'
try '' 'carry-stream(-1 GB)'
try '' 'carry-datagram(-1 kB)'
try '' 'expect-datagram(-1 kB)'
try '' 'shake-hands(-1, 1 s)'
try '' 'shake-hands(1, -1 s)'
try 'function loss-at(t : time) -> real = 0.4;' 'carry-stream(1 kB, connected = false)'

# A trace that goes wrong while a stream is on its way: its simulation says so.
try 'function loss-at(t : time) -> real = if t < 1 s then 0 else -0.1;' 'carry-stream(100 MB)'
