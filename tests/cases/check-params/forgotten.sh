# A machine that forgets its attribute, a component that is no machine at all, and percentages without their sign.
cat >"$TMP/machines.psl" <<'END'
use message-cost;
component alpha like computer {
  param L = 1 us;
  param os = 1 us;
  param G = 1 ns/byte;
}
component other { }
transaction go();
component one {
  accepts:
    profile     = { domain = application[test], node type = one };
    transaction = go();
    protocol    = dataflow;
  body:
    hold message-cost.send(8 byte);
}
system test { requests: selector = { domain = application, node type = one }; transaction = go(); protocol = dataflow; }
END
cat >"$TMP/percent.psl" <<'END'
use queueing;
param part : real = 50;
param whole : int = 3;
assert part < 1;
assert whole < 3;
transaction go();
component one {
  accepts:
    profile     = { domain = application[test], node type = one };
    transaction = go();
    protocol    = dataflow;
  body:
    hold part * whole * length(percentiles) * 1 s;
}
system test { requests: selector = { domain = application, node type = one }; transaction = go(); protocol = dataflow; }
END
cd "$TMP" || exit
psl run machines.psl --set machine=alpha
psl run machines.psl --set machine=other
psl run percent.psl --set 'percentiles=[95]' --set part=50% --set whole=1
psl run percent.psl --set part=50% --set whole=300 --set 'percentiles=[0.5, 5]'
psl run percent.psl
