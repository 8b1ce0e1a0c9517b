# What cannot be derived is named with its place, one by one; all else is still there.
cat > "$TMP/body" <<'END'
use machines;
use message-cost;
use mpi;
use storage;
param n : int = 5 in 1 .. 20;
param kind : term = short in [short, long];
param wide : bool = true;
transaction go();
transaction serve(work : time);
component one [r] : 0 <= r < 2 {
  var x : int = 0;
  accepts:
    profile     = { domain = application[line], node type = one, rank = r, size = 2 };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 1 us;
END
cat > "$TMP/rest" <<'END'
  requests:
    any-desk(w): any selector = { domain = application[line], node type = desk };
                 transaction = serve(w); protocol = call-return;
    desk(w, k): selector = { domain = application[line], node type = desk, k = k };
             transaction = serve(w); protocol = call-return;
    twice(w): selector = { domain = application[line], node type = desk, k = 0 };
              transaction = serve(w); visits = n - 3; protocol = call-return;
    often(w): selector = { domain = application[line], node type = desk, k = 0 };
              transaction = serve(w); visits = x; protocol = call-return;
    send(to, size): selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-send(to, size); protocol = call-return;
    receive(from): selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-recv(from); protocol = call-return;
    barrier(): selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-barrier(); protocol = call-return;
    reduce(): selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-reduce-scatter-block(8 byte); protocol = call-return;
}
component desk [k] : 0 <= k < 2 {
  accepts:
    profile     = { domain = application[line], node type = desk };
    transaction = serve(work);
    protocol    = call-return;
    servers     = 1;
  body:
    hold work;
}
system line {
  requests: every selector = { domain = application[line], node type = one }; transaction = go(); protocol = dataflow;
}
END
try() {
  echo "== $*"
  { cat "$TMP/body"; printf '%s\n' "$*"; cat "$TMP/rest"; } > "$TMP/model.psl"
  psl derive -q "$TMP/model.psl" 2>&1 | sed "1,2d; s|$TMP/||" | sed -n '/^one/,/^$/p'
}
try 'while x < n { hold 1 us; x = x + 1; }'
try 'hold exponential(1 us);'
try 'hold clock;'
try 'if clock > 1 s { hold 1 us; }'
try 'if clock > 1 s { hold 1 us; } else { hold 1 us; }'
try 'collapse by 25 % if clock > 1 s { hold 4 us; }'
try 'one of { 0.25 { hold 4 us; } 0.75 { hold 8 us; } }'
try 'first of { hold 1 s { } call barrier() { } }'
try 'for k in 1 .. n by * 2 { hold k * 1 us; }'
try 'for k in 1 .. 20 by * 2 { hold k * 1 us; }'
try 'for k in [1, 2, n] { hold k * 1 us; }'
try 'for k in 1 .. n { x = x + k; } hold x * 1 us;'
try 'for k in 1 .. 4 { x = x + k; } hold x * 1 us;'
try 'for k in 1 .. n { if k == 3 { return; } hold 1 us; }'
try 'if n > 3 { return; } hold 7 us;'
try 'call any-desk(1 us);'
try 'call desk(n * 1 us, r);'
try 'call desk(1 us, (x + 1) mod 2);'
try 'call twice(n * 1 us); call often(1 us);'
try 'call reduce();'
try 'call barrier();'
try 'if r == 0 { call send(1, r * 8 byte); } else { call receive(0); }'
try 'if r == 0 { call send(1, n * 8 byte); } else { call receive(0); }'
try 'hold (if kind == short then 1 us else 2 us); if wide { hold 3 us; }'
try 'hold sqrt(n) * 1 us + log2(n) * 1 us + floor(n / 2) * 1 us + 2.0 ^ n * 1 us + abs(n - 7) * 1 us + sin(n) * 1 us;'
try 'hold max(n, 7) * 1 us + min(k in 1 .. 3 : k + n) * 1 us + (n mod 3) * 1 us + sum(k in 1 .. n : k * k) * 1 us;'
try 'hold sum(k in 1 .. n : max(k, 7)) * 1 us + max(k in 1 .. n : k) * 1 us;'
try 'hold interpolate([[1, 2.0], [5, 4.0], [9, 4.0]], n) * 1 us;'
# Nothing to derive, and names that are not there.
{ cat "$TMP/body" | sed 's/hold 1 us;/hold 0 s;/'; cat "$TMP/rest"; } > "$TMP/model.psl"
psl derive -q "$TMP/model.psl" 2>&1 | sed "s|$TMP/||"
for option in '--section comput' '--process ran' '--section bench' '--section reduc' '--section 999' \
    '--process ones' '--process one[7]' '--verify -f psl' '--verify -f latex' \
    '--verify --section desk' '--section=' '-f csv'; do
  psl derive -q ranks.psl $option 2>&1 | head -3
done
# A section that cannot be derived is no result of 0 s: within a loop whose end is not known, and such a loop itself.
{ cat "$TMP/body"; printf '%s\n' 'while x < n {' '  call desk(1 us, 0);' '  x = x + 1;' '}'; cat "$TMP/rest"; } \
  > "$TMP/model.psl"
line=$(grep -n 'while x < n' "$TMP/model.psl" | cut -d: -f1)
for section in desk "$line"; do
  psl derive -q "$TMP/model.psl" --section "$section" > "$TMP/out" 2>&1
  echo "[exit $?]"
  sed "s|$TMP/||" "$TMP/out"
done
# Less than the run by nearly all of it.
sed -i.old 's/desk(1 us, 0)/desk(1 s, 0)/' "$TMP/model.psl"
psl derive -q "$TMP/model.psl" --verify 2>&1 | grep -o -e '-[0-9.e+]* %' | sort -u
