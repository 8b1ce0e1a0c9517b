# A run ends where --max-time says, in the midst of a block and of what a rank computes, which might go on for ever; a
# block that takes less takes the same with it.
cat >"$TMP/loop.c" <<'END_OF_CODE'
double cells[512];
void fill(int n, double x) { for (int i = 0; i < n; i++) cells[i] = x + i; }
void turn(int n, double x) { for (;;) cells[0] += x; }
int main(void) { turn(0, 1); return 0; }
END_OF_CODE
cd "$TMP" || exit
riscv64-linux-gnu-gcc -O1 -static loop.c -o loop
cat >m.psl <<'END_OF_MODEL'
use out-of-order { param program = "loop"; }
param name : string = "fill";
transaction go();
component task {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: call block();
  requests:
    block():
      selector    = { domain = hardware[processor/memory], node type = processor, evaluation mode = simulation[out-of-order] };
      transaction = execute-block(out-of-order.address(name), [512], [0.5]);
      protocol    = call-return;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END_OF_MODEL
limited() { timeout -s KILL 30 "$@" 2>&1 | grep -E '^(predicted|simulated) time|^ended|error'; }
limited psl run m.psl >free
limited psl run m.psl --max-time '1 ms' | cmp - free && echo 'a short one: the same'
limited psl run m.psl --set 'name="turn"' --max-time '1 ms'
limited psl run m.psl --set 'name="turn"' --max-time '1 ms' --set frequency='2 GHz'
timeout -s KILL 30 psl study m.psl --vary 'name="fill","turn"' --max-time '1 ms' --report makespan --format csv
limited psl mpirun -n 2 --max-time 1ms ./loop
limited psl mpirun -n 1 --max-time 1ms --costs instructions ./loop
