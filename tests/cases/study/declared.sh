# A point is refused where its own values are, not where those that are declared would be; what no axis reaches is said once.
# Why a point failed is the same whatever was run before it, by however many jobs.
cat >"$TMP/declared.psl" <<'END'
let counts = [2, 3];
param n : int = 1 in counts;
param b : int = 15 in 0 .. 8 * n;
param own : int = 3 in 1 .. 30;
assert b <= 7 * n;
let off = if n > most then 1 else 0;
param most : int = 9;
function twice(i : int) -> int = 2 * i + off;

transaction go();

component one {
  accepts:
    profile     = { domain = application, node type = one };
    transaction = go();
    protocol    = call-return;
  body:
    hold b * n * 1 s;
}

system s {
  requests:
    selector    = { domain = application, node type = one };
    transaction = go();
    protocol    = call-return;
}

study points of s { vary n in [1, 2, 3]; report time = makespan; }
study circle of s { vary own in 1 .. 30, n in [3, 4], most = twice(own); report time = makespan; }
END
cd "$TMP"
psl study declared.psl points
psl study -j 2 declared.psl points --format csv 2>/dev/null
psl compare declared.psl --vary n | head -5
psl study declared.psl points --set own=31
psl compare declared.psl --vary n --set own=31
psl study -j 1 declared.psl circle --format csv >one 2>/dev/null
psl study -j 2 declared.psl circle --format csv 2>/dev/null | cmp - one
psl study --reference declared.psl circle --format csv 2>/dev/null | cmp - one
cut -d, -f5- one | sort | uniq -c
