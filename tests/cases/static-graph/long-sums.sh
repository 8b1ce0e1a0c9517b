# A loop that is condensed is a sum, which no limit of a run could end: one of too many values is an error at its place, in
# both engines, as is each fold that looks at all of its values. One of as many as may be is none.
cat > "$TMP/model.psl" << 'END'
param n : int = 3;
param m : int = 3;
transaction go();
function evens(n : int) -> int =
  count(i in 9_223_372_036_854_775_806 - n .. 9_223_372_036_854_775_806 : i mod 2 == 0);
function one(n : int) -> bool = any(i in -3 .. n : i > 0);
component worker {
  accepts:
    profile     = { domain = application[test], node type = worker };
    transaction = go();
    protocol    = dataflow;
  body:
    for i in 0 .. n { hold (i mod 7) * 1 us; }
    if one(n) { hold evens(m) * 1 us; }
    for i in 1 .. n { hold 2 us; }
}
system test {
  requests:
    every selector = { domain = application[test], node type = worker };
    transaction    = go();
    protocol       = dataflow;
}
END
cd "$TMP"
for engine in '' --reference; do
  psl run model.psl --condense $engine | head -1
  psl run model.psl --condense $engine --set n=1_000_000_000_000 --max-time 1s | grep time
  psl run model.psl $engine --set m=1_000_000_000_000 | grep time
  psl run model.psl $engine --set m=100_000_000 | grep time
done
psl run model.psl --set m=99_999_999 | head -1
psl run model.psl --set n=1_000_000_000_000 --max-time 1s | head -1
