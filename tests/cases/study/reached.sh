# From point to point only what a varied param reaches is computed again: through lets, functions, ranges, assertions, items
# that name other params, tied params and fits, which warn at each point. The reference computes all anew.
cat >"$TMP/reached.psl" <<'END'
param n : int = 1 in 1 .. most;
param most : int = 9;
param m : int = 2 * n;
param p : int = 7;
let base = 100 * p;
let both = base + twice(m);
function twice(i : int) -> int = 2 * i + offset;
let offset = if p > 7 then 1000 else 0;
fit growth(x : int) -> time {
  terms x;
  at 1: 1 s;
  at 2: 2 s;
  at 4: 4 s;
}
let slow = growth(p);
assert m < 8 or p > 7;
transaction go();
component one {
  accepts:
    profile     = { domain = application, node type = one };
    transaction = go();
    protocol    = call-return;
  body:
    hold slow + (both + n) * 1 ms;
}
system reached {
  requests:
    selector    = { domain = application, node type = one };
    transaction = go();
    protocol    = call-return;
}
study points of reached {
  vary n in [1, 3, most], p in [7, 8];
  report time = makespan, both = both, m = m;
}
study tied of reached {
  vary p in [1, 4, 2 * most, most], most in [9, 20], n = most - 2;
  report both = both, m = m;
}
END
cd "$TMP"
for study in points tied; do
  psl study reached.psl $study --format csv >walked --reference 2>walked.said
  psl study reached.psl $study --format csv 2>said
  psl study reached.psl $study --format csv -j 2 2>/dev/null | cmp - walked
  psl study reached.psl $study --format csv 2>/dev/null | cmp - walked
  cmp said walked.said
  cat walked
  cat said
done
