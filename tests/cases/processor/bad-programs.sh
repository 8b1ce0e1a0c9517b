# Programs as people have them: without symbols, that change their code, make code of their own, know instructions and
# calls of the system that the processor does not. Each works or ends with an error that says where; what it has written
# stays written. Caches need be no powers of two.
cat > "$TMP/bad.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
double cells[64];
__attribute__((noinline)) int add(int a) { return a + 1; }
int main(int count, char **arguments) {
  int k = count > 1 ? atoi(arguments[1]) : 0;
  printf("begun %d\n", add(k));
  fflush(stdout);
  if (k == 1) __asm__ volatile(".word 0xffffffff");
  if (k == 2) __asm__ volatile(".half 0");
  if (k == 3) syscall(1234);
  if (k == 4) printf("socket %ld\n", syscall(198, 1, 1, 0));
  if (k == 5) memset((void *)add, 0, 4);
  if (k == 6) {
    mprotect((void *)((unsigned long)add & ~4095UL), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    memset((void *)add, 0, 4);
  }
  if (k == 7) {
    void *own = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    puts(own == MAP_FAILED ? "no code of its own" : "code of its own");
  }
  if (k == 8) ((void (*)(void))(void *)cells)();
  if (k == 9) __asm__ volatile("ebreak");
  return 0;
}
END
cd "$TMP"
riscv64-linux-gnu-gcc -O1 -static bad.c -o bad
cp bad stripped
riscv64-linux-gnu-strip stripped
places() { sed 's/in instruction [0-9]*, at 0x[0-9a-f]*/in instruction N, at P/; s/ to 0x[0-9a-f]*,/ to Q,/'; }
for k in 1 2 3 4 5 6 7 8 9; do
  psl simulate -q -o report ./bad $k 2>&1 | places
done
# What there is of a report tells of the instructions up to there.
psl simulate -o report ./bad 1 2>&1 | places
sed -n '/^instructions  /s/[0-9,]*$/some/p' report.partial
# Without symbols it takes as long; a block cannot be named.
cycles() { psl simulate -f json "$@" 2>&1 >/dev/null | perl -MJSON::PP -0777 -ne 'print decode_json($_)->{sim_cycle}'; }
test "$(cycles ./bad)" = "$(cycles ./stripped)" && echo 'as long without symbols'
cat > m.psl <<'END'
use out-of-order;
transaction begin();
component task {
  accepts: profile = { domain = application[x] }; transaction = begin(); protocol = dataflow;
  body: call block("add", [1]);
  requests: block(name, numbers):
    selector    = { domain = hardware[processor/memory], node type = processor };
    transaction = execute-block(out-of-order.address(name), numbers);
    protocol    = call-return;
}
system s { requests: selector = { domain = application[x] }; transaction = begin(); protocol = dataflow; }
END
for mode in 'simulation[out-of-order]' 'analysis[instructions]'; do
  sed "s/node type = processor }/node type = processor, evaluation mode = $mode }/" m.psl > one.psl
  for program in bad stripped missing; do
    psl run one.psl --set "program=\"$program\"" 2>&1 | sed -n '/error: /{s|^/.*: error|error|;s|in .*|&|;p;q}; /^predicted/s/  .*/ some time/p'
  done
done
sed 's/address(name)/address("main") - 60_000/' one.psl > nowhere.psl
psl run nowhere.psl --set 'program="bad"' 2>&1 | grep -o 'error: .*' | head -1 | sed 's/0x[0-9a-f]*/P/'
psl run one.psl --set 'program="bad"' --set 'cache-dl1="dl1:3:24:5:l"' | sed -n 's/^predicted time.*/ran with 3 sets of 5 ways of 24 bytes/p'
sed 's/address(name)/address("")/' one.psl > unnamed.psl
psl run unnamed.psl --set 'program="bad"' 2>&1 | grep -o 'error: .*' | head -1
