# What was measured or simulated is kept, in a session from run to run, in a study's database, and for all its workers,
# by all that it depends on: the same is not asked again, and something else is.
sed 's|^double spin.*|#include <stdio.h>\n&\n  FILE *spun = fopen("spun", "a");\n  fputs("once\\n", spun);\n  fclose(spun);|' measured.c > "$TMP/spin.c"
gcc -O1 -shared -fPIC "$TMP/spin.c" -o "$TMP/block.so"
cat > "$TMP/m.psl" <<'END'
use Timer;
param ranks : int = 1;
param spin  : int = 20;  /// microseconds
transaction go();
component a {
  param W : time = call Timer.time("block.so", "spin", [spin], [1]);
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: hold ranks * W;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
cd "$TMP"
study() { # one more study: how many values W has in it, and whether the block was called for it
  : > spun
  psl study --allow-native m.psl --db m.db "$@" --report W --format csv 2>notes |
    awk -F, 'NR > 1 { if (!($(NF - 2) in seen)) n++; seen[$(NF - 2)] } END { printf "%d points, %d values, ", NR - 1, n }'
  test -s spun && echo "asked" || echo "not asked"
}
study --vary ranks=1..6 -j 2
study --vary ranks=7..8
study --vary ranks=1,2,9 --set spin=30
sed -i 's/1e6/1.0e6/' spin.c; gcc -O2 -shared -fPIC spin.c -o block.so
study --vary ranks=10..12 -j 2
sqlite3 m.db 'SELECT count(*) FROM answer'
# A kept one is taken: 7 is, where no sum says that psl has not written it.
cp m.db sums.db && sqlite3 sums.db 'UPDATE answer SET value = 7'
"$OLDPWD/../../lib/without-sums" m.db && sqlite3 m.db 'UPDATE answer SET value = 7'
for db in m sums; do
  psl study --allow-native m.psl --db $db.db --vary ranks=20 --report W --format csv 2>notes | grep -c '^20,7,'
done
grep damaged notes
printf 'run\nlet first = last.a.W;\n:set ranks=3\nrun\nlast.a.W == first\n' | psl -c m.psl --allow-native | tail -1
# Blocks are simulated one after another on a memory that stays: where the first ones are known and the next is not,
# all are executed, and come to the same.
cat > sum.c <<'END'
double cells[512];
void fill(int n, double x) { for (int i = 0; i < n; i++) cells[i] = x + i; }
double sum(int n) { double s = 0; for (int i = 0; i < n; i++) s += cells[i]; return s; }
int main(void) { return 0; }
END
riscv64-linux-gnu-gcc -O1 -static sum.c -o sum
cat > p.psl <<'END'
use Processor;
use out-of-order { param program = "sum"; }
param sums : int = 1;
param L    : time = 1 us;
transaction go();
transaction blocks() -> time;
component a {
  param W : time = call work();
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: hold L + W;
  requests: work(): selector = { node type = summing }; transaction = blocks(); protocol = call-return;
}
component summing {
  accepts: profile = { domain = hardware[processor/memory], node type = summing }; transaction = blocks(); protocol = call-return;
  body:
    var total : int = 0;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
sed -i 's|    var total : int = 0;|    let handle = call Processor.open("sum");\n    let most = out-of-order.block-limit;\n    call Processor.prepare(handle, out-of-order.address("fill"), [512], [0.5]);\n    let filled = call Processor.simulate(handle, most);\n    cycles = filled;\n    for k in 1 .. sums {\n      call Processor.prepare(handle, out-of-order.address("sum"), [512], []);\n      let took = call Processor.simulate(handle, most);\n      cycles = cycles + took;\n    }\n    record sum = if sums > 2 then 1 else 0;\n    return cycles * 1 ns;|; s|^component summing {|&\n  var cycles : int = 0;|' p.psl
figures() { psl study p.psl "$@" --report 'W,instructions=simulated-instructions' --format csv 2>notes | tail -n +2; }
figures --vary sums=3,1,2 | sort > fresh
figures --vary L='1 us,2 us,3 us' --db p.db --set sums=1 -j 2 | cut -d, -f2,3 | sort -u | wc -l
sqlite3 p.db 'SELECT count(*) FROM answer'
figures --vary sums=3,2,1 --db p.db --set L='5 us' | sort | cmp - fresh && echo the same
sqlite3 p.db 'SELECT count(*) FROM answer'
sed -i '/call Processor.prepare.*"fill"/d' p.psl
psl run p.psl 2>&1 >report | head -1
