# psl replay: the library's model and one's own, with its system or the library's; and what cannot be replayed.
cat >"$TMP/two.tit" <<'END'
p0 init
p1 init
p0 compute 1e6
p1 compute 2e6
p0 barrier
p1 barrier
p0 finalize
p1 finalize
END
cat >"$TMP/mine.psl" <<'END'
use program;
component host like computer { profile machine = host; profile float rate = 1 Gflop/s; }
use message-cost { param machine = host; param L = 1 us; param os = 1 us; param G = 1 ns/byte; }
END
(cat "$TMP/mine.psl"; echo 'system twice { requests: every selector = { domain = application[program], node type = process };
  transaction = run-program(); protocol = dataflow; }') >"$TMP/own.psl"
replay() { psl replay "$@" --format csv | sed -n 's/.*makespan,/makespan /p; s/^\(result,[^,]*\).*messages/\1 messages/p'; }
replay "$TMP/two.tit"
replay "$TMP/two.tit" --reference
replay "$TMP/two.tit" --set speed=2
replay "$TMP/two.tit" --set 'network=simulation[NIC]'
replay "$TMP/two.tit" --model "$TMP/mine.psl"
replay "$TMP/two.tit" --model "$TMP/own.psl"
cat >"$TMP/machine.psl" <<'END'
use machines;
component host like computer {
  param L = 1 us;  param os = 1 us;  param G = 1 ns/byte;
  profile machine = host;  profile float rate = 1 Gflop/s;
}
END
replay "$TMP/two.tit" --model "$TMP/machine.psl" --set machine=host
replay "$TMP/two.tit" replay --model "$TMP/own.psl" --set speed=0.5
psl replay "$TMP/nowhere.tit" 2>&1 | sed "s|$TMP|TMP|"
psl replay "$TMP/two.tit" --model "$TMP/mine.psl" nothing 2>&1 | head -1
psl replay "$TMP/two.tit" --model ../cli/small.psl
psl replay "$TMP/two.tit" --set 'network=simulation[flows]' --set topology=torus --set 'dimensions=[1]'
psl replay
