# Two tasks and one processor: each waits for the other's block, so that what it measures by the clock holds that, too;
# with a processor each it is its own. Firings that prepare their blocks by turns are told what to write.
cd "$TMP" || exit
cat >sum.c <<'END'
double cells[4096];
double sum(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += cells[i];
  return s;
}
int main(void) { return 0; }
END
riscv64-linux-gnu-gcc -O1 -static sum.c -o sum || exit
cat >sum.psl <<'END'
param tasks : int = 2;
param own   : bool = false;
use out-of-order { param program = "sum"; param processors = if own then tasks else 1; }
transaction begin();
component task [t] : 0 <= t < tasks {
  accepts:
    profile     = { domain = application[sum], node type = task, rank = t };
    transaction = begin();
    protocol    = dataflow;
  body:
    let before = clock;
    call block();
    record taken = clock - before;
  requests:
    block():
      selector    = { domain = hardware[processor/memory], node type = processor,
                      evaluation mode = simulation[out-of-order], rank = (if own then t else 0) };
      transaction = execute-block(out-of-order.address("sum"), [4096], []);
      protocol    = call-return;
}
system sum {
  requests:
    every selector = { domain = application[sum], node type = task };
    transaction    = begin();
    protocol       = dataflow;
}
END
taken() { psl run sum.psl "$@" | sed -n '/^records/,/^$/p'; }
taken --set tasks=1
taken
taken --set own=true
cat >turns.psl <<'END'
use Processor;
use domains;
transaction begin();
transaction block();
component task [t] : 0 <= t < 2 {
  accepts:
    profile     = { domain = application[sum], node type = task, rank = t };
    transaction = begin();
    protocol    = dataflow;
  body:
    call block();
  requests:
    block():
      selector    = { domain = hardware[processor/memory], node type = processor };
      transaction = block();
      protocol    = call-return;
}
component processor {
  var handle : int = -1;
  accepts:
    profile     = { domain = hardware[processor/memory], node type = processor };
    transaction = block();
    protocol    = call-return;
    SERVERS
  body:
    if handle < 0 {
      handle = call Processor.open("sum");
    }
    call Processor.prepare(handle, Processor.address("sum", "sum"), [4096], []);
    hold 1 us;
    let cycles = call Processor.simulate(handle, 1_000_000);
    hold cycles * 1 ns;
}
system sum {
  requests:
    every selector = { domain = application[sum], node type = task };
    transaction    = begin();
    protocol       = dataflow;
}
END
sed 's/SERVERS//' turns.psl >now.psl
psl run now.psl 2>&1 | grep -E '^now.*error|^predicted'
sed 's/SERVERS/servers = 1;/' turns.psl >now.psl
psl run now.psl 2>&1 | grep -E 'error|^predicted'
