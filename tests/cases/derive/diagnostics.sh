# What is waited for and left out, blocks of coercions, and what has no numbers, is too large or has no clock.
# tolerance: 1e-9
cat > "$TMP/waits.psl" <<'END'
use domains;
param n : int = 0 in -20 .. 20;
transaction go();
transaction serve(work : time);
transaction ask(work : time);
coercion ask -> serve { call serve(2 * work); }
component person {
  accepts: profile = { domain = application[waits], node type = person }; transaction = go(); protocol = dataflow;
  body:
    call gate(1 us);
    call desk(2 us);
    call asked(3 us);
    hold sqrt(n - 5) * 1 us;
  requests:
    gate(t): selector = { domain = hardware, node type = gate }; transaction = serve(t); protocol = call-return;
    desk(t): selector = { domain = hardware, node type = desk }; transaction = serve(t); patience = 5 us;
             protocol = call-return;
    asked(t): selector = { domain = hardware, node type = desk }; transaction = ask(t); protocol = call-return;
}
component gate {
  var up : bool = true;
  accepts: profile = { domain = hardware, node type = gate }; transaction = serve(t); protocol = call-return;
           firing rule = up;
  body: hold t;
}
component desk {
  accepts: profile = { domain = hardware, node type = desk }; transaction = serve(t); protocol = call-return;
           servers = 1;
  body: hold t;
}
system waits {
  requests: selector = { domain = application[waits], node type = person }; transaction = go(); protocol = dataflow;
}
END
psl derive -q "$TMP/waits.psl" --range n=0..9 2>&1
psl derive -q "$TMP/waits.psl" -f json --range n=0..9 2>&1 | grep -c '"least"\|"low"'
# Sixteen ranges, and one more.
set --
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do set -- "$@" --range "n=$k..20"; done
psl derive -q "$TMP/waits.psl" "$@" 2>&1
# Sums of nine params to the eighth power have 12,870 terms.
{
  echo 'use domains;'
  for k in 1 2 3 4 5 6 7 8 9; do echo "param p$k : real = 1.0;"; done
  cat <<'END'
transaction go();
component one {
  accepts: profile = { domain = application[large], node type = one }; transaction = go(); protocol = dataflow;
  body:
    let s = p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9;
    hold s ^ 8 * 1 us;
}
system large {
  requests: selector = { domain = application[large], node type = one }; transaction = go(); protocol = dataflow;
}
END
} > "$TMP/large.psl"
psl derive -q "$TMP/large.psl" 2>&1
# Who is not called by the system has no clock of its own.
cat > "$TMP/clockless.psl" <<'END'
use domains;
transaction go();
component one {
  accepts: profile = { domain = hardware, node type = one }; transaction = go(); protocol = call-return;
  body: hold 3 us;
}
system clockless {
  requests: selector = { domain = hardware, node type = one }; transaction = go(); protocol = call-return;
}
END
psl derive -q "$TMP/clockless.psl" --verify 2>&1
