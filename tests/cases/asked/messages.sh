# What simulated processors that send each other their data take is kept, too: where all is known nothing is executed,
# where something is not, memories come to hold what they would; whatever was asked before, answers are the same.
cat > "$TMP/ring.c" <<'END'
double out[64], in[64];
double turn(int n, double x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = 0.5 * in[i] + x;
    if (out[i] > 1.5) out[i] -= x / (i + 1);
    sum += out[i];
  }
  return sum;
}
int main(void) { return 0; }
END
riscv64-linux-gnu-gcc -O1 -static "$TMP/ring.c" -o "$TMP/ring"
cat > "$TMP/ring.psl" <<'END'
use Processor;
use out-of-order { param program = "ring"; }
param turns : int  = 2;
param size  : data = 512 byte;
param wrong : int  = 0;
param look  : bool = false;
param L     : time = 1 us;
param level : string = "dl1:128:32:4:l";
param window : int = 16;
transaction go();
transaction ring() -> time;
component a {
  param W : time = call work();
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: hold L + W;
  requests: work(): selector = { node type = ring }; transaction = ring(); protocol = call-return;
}
component ring {
  var cycles : int = 0;
  accepts:
    profile = { domain = hardware[processor/memory], node type = ring }; transaction = ring(); protocol = call-return;
  body:
    let first = call Processor.open("ring");
    let second = call Processor.open("ring");
    let third = call Processor.open("ring");
    for k in 0 .. 2 {
      call Processor.set([first, second, third][k], "cache:dl1", level);
      call Processor.set-numbers([first, second, third][k], "ruu:size", [window]);
    }
    for t in 1 .. turns {
      for k in 0 .. 2 {
        call Processor.prepare([first, second, third][k], out-of-order.address("turn"), [64], [0.5 + k]);
        let took = call Processor.simulate([first, second, third][k], 10000);
        cycles = cycles + took;
        let message = call Processor.take([first, second, third][k], out-of-order.address("out"), size);
        let sent = call Processor.put(message, [second, third, first][k], out-of-order.address("in") + wrong);
        assert sent == size;
      }
    }
    if look {
      let x = call Processor.read(first, out-of-order.address("in") + 8 * 7);
      record x = x;
    }
    return cycles * 1 ns;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
cd "$TMP"
figures() { psl study -q ring.psl "$@" --report 'W,instructions=simulated-instructions' --format csv | tail -n +2; }
answers() { sqlite3 "$1" 'SELECT count(*) FROM answer'; }
figures --vary turns=6,1,5,2,4,3 | sort > fresh
wc -l < fresh
# The same, each known in part; by two workers; and all known, in another order, with other params: no more answers.
figures --vary turns=1,2 --db d.db >out
figures --vary turns=4,3 --db d.db >out
figures --vary turns=6,1,5,2,4,3 --db d.db -j 2 | sort | cmp - fresh && echo 'the same'
known=$(answers d.db)
figures --vary turns=3,6,2,1,5,4 --set L='2 us' --db d.db | sort | cmp - fresh && echo 'the same'
test "$known" = "$(answers d.db)" && echo 'nothing new'
# Smaller messages bring other data: another time, as without a database.
figures --vary turns=5,6 --set 'size=200 byte' > fresh
figures --vary turns=5,6 --set 'size=200 byte' --db d.db | cmp - fresh && echo 'the same'
# What stands in a memory at last, beside the same program here.
look() {
  psl study -q ring.psl --set look=true --vary "$@" --report 'x=ring.x' --format csv |
    awk -F, 'NR > 1 { printf "%.9f\n", $2 }'
}
sed -i 's/int main.*//' ring.c
cat >> ring.c <<'END'
#include <stdio.h>
#include <string.h>
int main(void) {
  double at[3][64] = {0};
  for (int turns = 1; turns <= 4; turns++) {
    for (int k = 0; k < 3; k++) {
      memcpy(in, at[k], sizeof in);
      turn(64, 0.5 + k);
      memcpy(at[(k + 1) % 3], out, sizeof out);
    }
    printf("%.9f\n", at[0][7]);
  }
  return 0;
}
END
gcc -O1 -ffp-contract=off ring.c -o here
./here > here.out
look turns=1..4 | cmp - here.out && look turns=1..4 --db d.db | cmp - here.out && echo 'as here'
# An error is none of the answers: it comes each time.
for again in 1 2; do
  psl run ring.psl --set wrong=1000000000 2>&1 | grep error
  psl study ring.psl --vary turns=2 --set wrong=1000000000 --db d.db 2>&1 | grep -c 'no memory of 512 bytes'
done
# The program's file, a cache and the size of a window are part of the key.
before=$(answers d.db)
figures --vary turns=2 --db d.db > same
test "$before" = "$(answers d.db)" && echo 'nothing new'
for change in 'level="dl1:2:16:1:l"' window=2; do
  figures --vary turns=2 --set "$change" > fresh
  figures --vary turns=2 --set "$change" --db d.db | cmp - fresh && cmp -s same fresh || echo 'another time'
done
riscv64-linux-gnu-gcc -O2 -funroll-loops -static ring.c -o ring
figures --vary turns=2 > fresh
figures --vary turns=2 --db d.db | cmp - fresh && cmp -s same fresh || echo 'another time'
