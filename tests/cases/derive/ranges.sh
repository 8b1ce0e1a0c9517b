# Bounds where params lie in ranges: at corners where the expression is monotone, else by intervals, which is said.
# Runs at the ends, and between them, lie within.
# tolerance: 1e-9
cat > "$TMP/hill.psl" <<'END'
use machines;
use message-cost;
param n : int = 5 in 0 .. 20;
param miss-ratio : real = 0.02 in 0 .. 1;
param miss-penalty : time = 80 ns;
transaction go();
component one {
  accepts:
    profile     = { domain = application[hill], node type = one };
    transaction = go();
    protocol    = dataflow;
  body:
    for i in 1 .. n { call compute(n * (20 - n) * 1 us); }
    hold miss-ratio * 1000 * miss-penalty;
  requests:
    compute(time): selector = { domain = hardware[processor], node type = processor, machine = machine };
                   transaction = execute(time); protocol = call-return;
}
system hill {
  requests: selector = { domain = application[hill], node type = one }; transaction = go(); protocol = dataflow;
}
END
psl derive "$TMP/hill.psl" --range miss-ratio=0.01..0.05 --range n=2..9
psl derive "$TMP/hill.psl" --range miss-ratio=0.01..0.05 --range n=5..20 -f json | grep -o '"[a-z-]*": {"psl[^}]*}'
for n in 5 13 20; do
  for ratio in 0.01 0.05; do
    psl run "$TMP/hill.psl" --set n=$n --set miss-ratio=$ratio | head -1
  done
done
# What is no range, and params that have none.
for range in n n=5 n=9..2 n=1..99 n=1s..2s 'n=[1]..2' m=1..2 I=1..2; do
  psl derive "$TMP/hill.psl" --range "$range" 2>&1
  echo "[exit $?]"
done
psl derive "$TMP/hill.psl" --range miss-penalty=1ns..2ns --section compute 2>&1
