# No memory in a function that C calls: the call ends, then the run, as anywhere else.
psl check --allow-native callback-errors.psl --set case=14 --max-memory 8MiB 2>&1 | sed 's/[0-9]* KiB were/N KiB were/g'
cat >"$TMP/m.psl" <<'END'
extern "probe.so" { function apply(f : function(x : real) -> real, x : real) -> real; }
function filled(x : real) -> real = [k in 1 .. 10000000 : x][0];
component worker {
  accepts: profile = { node type = worker }; transaction = work(x); protocol = dataflow;
  body: hold 1 s; hold apply(filled, x) * 1 s;
}
transaction work(x : real);
system s { requests: selector = { node type = worker }; transaction = work(1); protocol = dataflow; }
END
for how in '' --reference; do
  psl run --allow-native "$TMP/m.psl" --max-memory 8MiB $how 2>&1 | grep -v 'firings\|byte' | sed 's/[0-9]* KiB were/N KiB were/g'
done
