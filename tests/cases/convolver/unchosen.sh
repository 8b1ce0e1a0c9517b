# A profile of one's own whose machine nobody has chosen, and what its machine lacks where it is chosen: a processor.
cd "$TMP" || exit
cat >loads.psl <<'END'
use convolver { param program = loads; param traced = here; }
component loads-signature like signature {
  param places   = ["main loads.c:1"];
  param blocks   = [[1e6, 1e6, 1e6, 0, 0, 0, 0, 0, 1e6, 0, 0, 0, 0, 0]];
  param distance-ends = [64 byte, 16 KiB];
  param distances     = [[[1e6, 0, 0], [], [], [], [], []]];
  profile program = loads;
}
component here-memory like memory-profile {
  param levels     = [32 KiB];
  param sets       = [16 KiB, 64 KiB, 256 KiB, 1024 KiB, 4096 KiB, 16384 KiB];
  param sequential = [8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s, 8 GB/s];
  profile machine  = here;
}
transaction begin();
component task {
  accepts:
    profile     = { domain = application[loads], node type = task };
    transaction = begin();
    protocol    = dataflow;
  body:
    hold predicted-time;
}
system loads {
  requests:
    selector    = { node type = task };
    transaction = begin();
    protocol    = dataflow;
}
END
lines() { "$@" 2>&1 | sed "s|/.*/stdlib/||; s|psl:[0-9]*:|psl:*:|" | grep -E '^(loads|own|message|help|predicted time|[0-9]|--set)'; }
echo '--- a run, and answers: the note is said once'
lines psl run loads.psl
lines psl -c loads.psl -e predicted-time -e ratio -e traced-time
echo '--- nothing is said of what does not depend on it'
lines psl -c loads.psl -e traced-time
echo '--- it is chosen'
lines psl check loads.psl --set machine=here
echo '--- with a processor'
cat >own.psl <<'END'
use loads;
component here-processor like convolved { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = here; }
END
lines psl -c own.psl -e ratio
lines psl -c own.psl -e ':set machine=here' -e ratio
lines psl run own.psl --set machine=here
