# Models that do something for ever while virtual time stands still: loops, calls, turns, starts and forks.
end='system s { requests: every selector = { domain = application }; transaction = go(); protocol = dataflow; }'
accept='accepts: profile = { domain = application, node type = main }; transaction = go(); protocol = dataflow;'
begin="transaction go(); transaction visit(); component main { $accept body: hold 3 s;"
ask='requests: ask(): every selector = { domain = hardware }; transaction = visit(); protocol = call-return; }'
serve='accepts: profile = { domain = hardware, node type = desk }; transaction = visit(); protocol = call-return;'
run() {
  echo "-- $1"
  cat >"$TMP/m.psl"
  psl run "$TMP/m.psl" 2>&1 >/dev/null | grep -v '^ *[0-9]* |' | grep -v '^ *|'
}
run 'a hold of 0 s' <<END
$begin while true { hold 0 s; } }
$end
END
run 'a hold that is lost in the clock' <<END
$begin while true { hold 1e-20 s; } }
$end
END
run 'a server that takes no time' <<END
$begin while true { call ask(); } $ask
component desk { $serve servers = 1; body: hold 0 s; }
$end
END
run 'turns that take no time' <<END
$begin call ask(); $ask
component desk [d] : 0 <= d < 1 { $serve servers = 1; discipline = round-robin(1e-20 s); body: hold 1 s; }
component other { $accept body: hold 3 s; call ask(); $ask
$end
END
run 'processes that start each other' <<END
transaction go();
component main [m] : 0 <= m < 2 {
  $accept
  servers = unlimited;
  requests: selector = { domain = application, m = 1 - m }; transaction = go(); protocol = dataflow;
}
system s { requests: selector = { domain = application, m = 0 }; transaction = go(); protocol = dataflow; }
END
