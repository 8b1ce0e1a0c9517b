# Virtual time ends at 1e100 s: what would pass it stops the run at its place, in both engines, and all that is written
# are numbers.
begin='transaction go(); transaction visit(t : time);
component main [m] : 0 <= m < 3 {
  accepts: profile = { domain = application, node type = main }; transaction = go(); protocol = dataflow;'
end='system s { requests: every selector = { domain = application }; transaction = go(); protocol = dataflow; }'
ask='requests: ask(t): selector = { domain = hardware }; transaction = visit(t); protocol = call-return; }'
desk='component desk { accepts: profile = { domain = hardware, node type = desk }; transaction = visit(t); protocol = call-return;'
run() {
  echo "-- $1"
  shift
  cat >"$TMP/m.psl"
  psl run "$TMP/m.psl" -q --trace "$TMP/trace.json" "$@" 2>"$TMP/one" >"$TMP/report"
  echo "status $?"
  psl run "$TMP/m.psl" --format json --reference "$@" 2>"$TMP/other" >"$TMP/json"
  cmp "$TMP/one" "$TMP/other"
  cat "$TMP/one"
  grep -E '[^A-Za-z0-9_./](inf|nan)' "$TMP/report" "$TMP/json" "$TMP"/trace.json*
}
run 'holds' <<END
$begin
  body: hold 6e99 s; hold 6e99 s; }
$end
END
run 'a limit of time comes before it' --max-time 1s <<END
$begin
  body: hold 1.7e308 s; }
$end
END
run 'holds of turns that repeat what the one before has computed' <<END
transaction go();
component main {
  accepts: profile = { domain = application, node type = main }; transaction = go(); protocol = call-return;
  body:
    for k in 1 .. 3000 {
      let a = min(5, k div 100) + 1;
      let b = a * 7 + 3 * a * a - (a + 1) * (a + 2) + a * a * a;
      let c = b * 3 + a * b + b * b + (b - a) * 5;
      hold c * 1e93 s;
      hold b * 2e93 s;
    }
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = call-return; }
END
run 'a delay' <<END
$begin
  body: hold 6e99 s;
  requests: selector = { domain = hardware }; transaction = visit(1 s); delay = 6e99 s; protocol = dataflow; }
component sink { accepts: profile = { domain = hardware, node type = sink }; transaction = visit(t); protocol = dataflow; }
$end
END
run 'work that is shared' <<END
$begin
  body: call ask(6e99 s); $ask
$desk servers = 1; discipline = processor-sharing; body: hold t; }
$end
END
run 'work that waits for others' <<END
$begin
  body: call ask(6e99 s); $ask
$desk servers = 1; discipline = lcfs-preemptive; body: hold t; }
$end
END
run 'work at almost no rate' <<END
$begin
  body: call ask(1 s); $ask
$desk servers = 1; discipline = processor-sharing([1e-300]); body: hold t; }
$end
END
run 'work at any rate' <<END
$begin
  body: call ask(1e308 s); $ask
$desk servers = 1; discipline = processor-sharing([1e300]); body: hold t; }
$end
END
