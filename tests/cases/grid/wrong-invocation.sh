# Invocations that cannot be: each is refused where it is said.
cat > $TMP/wrong.psl <<'END'
use remote-invocation;
param request : data = 1 kB;
param reply   : data = 1 kB;
transaction go();
component servant {
  accepts:
    profile     = { domain = application, node type = servant, object = 0 };
    transaction = perform(operation, request, reply);
    protocol    = call-return;
  body:
    hold 5 ms;
}
component client {
  accepts:
    profile     = { domain = application, node type = client };
    transaction = go();
    protocol    = dataflow;
  body:
    let answered = call invoke();
  requests:
    invoke():
      selector    = { domain = runtime, node type = remote-invocation, evaluation mode = invocation-mode };
      transaction = invoke-remote(0, 1, request, reply);
      protocol    = call-return;
}
system wrong {
  requests:
    selector    = { domain = application, node type = client };
    transaction = go();
    protocol    = dataflow;
}
END
cd $TMP
for transport in TCP UDP; do
  for by in 'simulation[rounds]' 'analysis[TCP]'; do
    for amount in request reply; do
      psl run wrong.psl --quiet --set transport=$transport --set "grid-by=$by" --set "$amount=-50 byte" 2>&1 >/dev/null
    done
  done
done
for set in tries=0 tries=-1 'first-patience=0 s' 'first-patience=-1 s' patience-factor=0.5 TLS-round-trips=-1 \
           'binary-rate=0 byte/s' 'text-rate=-1 byte/s' 'envelope=-1 byte' text-expansion=0 most-invocations=0; do
  psl run wrong.psl --quiet --set "$set" 2>&1 >/dev/null
done
