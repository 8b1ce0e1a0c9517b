# Callbacks in the workers of a study, made in each after the fork; a library that changes is another key.
cat >"$TMP/m.psl" <<'END'
extern "probe.so" {
  function integral(f : function(x : real) -> real, from : real, to : real, steps : int32 = 10) -> real;
}
param power : int = 1 in 1 .. 40;
param bend : real = 1;
function f(x : real) -> real = bend * x ^ power;
let before = integral(f, 0, 1);
assert before > 0;
component worker {
  accepts:
    profile     = { node type = worker };
    transaction = work();
    protocol    = dataflow;
  body:
    hold integral(f, 0, 2) * 1 s;
}
transaction work();
system integrating {
  requests:
    selector    = { node type = worker };
    transaction = work();
    protocol    = dataflow;
}
study powers of integrating {
  vary power in 1 .. 40;
  report time = makespan;
}
END
cd "$TMP" || exit
psl study --allow-native m.psl --format csv --jobs 1 >one.csv
psl study --allow-native m.psl --format csv --jobs 3 >three.csv
cmp one.csv three.csv && sed -n '1,4p;$p' one.csv
psl study m.psl --format csv 2>&1 | tail -n 3
cp "$(dirname "$(command -v psl)")/native/probe.so" .
for change in none none some; do
  [ $change = some ] && echo >>probe.so
  psl study --allow-native m.psl --vary power=1,2 -q --db runs.db >table && sqlite3 runs.db 'SELECT count(*) FROM run'
done
