# Programs of RISC-V do what they do under QEMU, each flag and bit of floating point, and end with the same status; their
# cycles are the same each time. A chain of 4000 sums takes a cycle more each, whole or compressed.
# Plain build alone: long programs.
cc() { riscv64-linux-gnu-gcc -static "$@" -lm; }
cc -O1 numbers.c -o "$TMP/numbers"
cc -O2 work.c -o "$TMP/work"
for p in numbers work; do
  qemu-riscv64 "$TMP/$p" "$TMP/words" >"$TMP/wanted"
  echo "$p ends with $?"
  psl simulate -f json -o "$TMP/first" "$TMP/$p" "$TMP/words" >"$TMP/got"
  echo "$p ends with $?"
  cmp "$TMP/wanted" "$TMP/got" && wc -l <"$TMP/got"
done
psl simulate -f json -o "$TMP/second" "$TMP/work" "$TMP/words" >"$TMP/got"
cmp "$TMP/first" "$TMP/second" && echo 'the same again'
chain() { # COUNT TEXT
  printf '.globl _start\n_start:\n.rept %s\n%s\n.endr\nli a0, 0\nli a7, 93\necall\n' "$1" "$2" >"$TMP/chain.s"
  riscv64-linux-gnu-gcc -nostdlib -static "$TMP/chain.s" -o "$TMP/chain"
  psl simulate --set cache:il1=none --set cache:il2=none --set tlb:itlb=none -f json "$TMP/chain" 2>&1 |
    perl -MJSON::PP -0777 -ne 'print decode_json($_)->{sim_cycle}'
}
for text in 'add t0, t0, t1' 'addi a0, a0, 1' 'fmul.d ft0, ft0, ft1' 'div t0, t0, t1' 'mul t0, t0, t1' \
  'fsqrt.s ft0, ft0' 'nop'; do
  a=$(chain 1000 "$text") b=$(chain 5000 "$text")
  perl -e 'printf "%-22s %.2f cycles each\n", $ARGV[0], ($ARGV[2] - $ARGV[1]) / 4000' "$text" "$a" "$b"
done
printf '.globl _start\n_start:\nlla t0, d\nlw a0, (t0)\nli a7, 93\necall\n.data\nd: .word 42\n' >"$TMP/moved.s"
riscv64-linux-gnu-gcc -nostdlib -pie -Wl,--no-dynamic-linker "$TMP/moved.s" -o "$TMP/moved"
psl simulate -o "$TMP/report" "$TMP/moved"
echo "what stands anywhere ends with $?"
# Counters: a loop of 1000 rounds is 2000 instructions, and a cycle a round, however fast the clock is.
cat >"$TMP/counters.c" <<'END'
#include <stdio.h>
#define COUNTER(name) ({ long now; __asm__ volatile("rd" name " %0" : "=r"(now)); now; })
int main(void) {
  long cycle = COUNTER("cycle"), time = COUNTER("time"), count = COUNTER("instret");
  __asm__ volatile("li t0, 1000\n1: addi t0, t0, -1\n bnez t0, 1b" : : : "t0");
  count = COUNTER("instret") - count, time = COUNTER("time") - time, cycle = COUNTER("cycle") - cycle;
  printf("%ld instructions, %ld times 100 cycles, %ld times 100 ns\n", count, cycle / 100, time / 100);
  return 0;
}
END
cc -O1 "$TMP/counters.c" -o "$TMP/counters"
psl simulate --set clock=2000000000 -o "$TMP/report" "$TMP/counters"
# What goes wrong.
refuse() { (cd "$TMP" && psl simulate -q -o report "$@") 2>&1; }
bare() { # NAME TEXT
  printf '.globl _start\n_start:\n%s\n' "$2" >"$TMP/$1.s"
  riscv64-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none "$TMP/$1.s" -o "$TMP/$1"
  refuse "$1"
}
bare zero '.word 0'
bare unknown 'nop
.word 0xffffffff'
bare break 'ebreak'
bare call 'li a7, 1234
ecall'
bare away 'ld a0, 8(zero)'
bare itself '1: la a0, 1b
sw a0, 0(a0)'
bare nowhere 'jr zero'
bare rounding '.word 0x02005053'
printf 'int main(void) { return 0; }\n' >"$TMP/main.c"
riscv64-linux-gnu-gcc "$TMP/main.c" -o "$TMP/dynamic"
riscv64-linux-gnu-gcc -c "$TMP/main.c" -o "$TMP/object"
head -c 500 "$TMP/work" >"$TMP/short"
head -c 70 "$TMP/work" >"$TMP/shorter"
for p in dynamic object short shorter; do
  refuse $p
done
