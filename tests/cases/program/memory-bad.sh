# Memory traces of programs as people have them: without symbols, whose blocks then stand under their addresses, with the
# same counts; that change their code while they run; and that end by a signal.
cat > "$TMP/bad.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
double cells[4096];
__attribute__((noinline)) double sum(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += cells[i];
  return s;
}
int main(int count, char **arguments) {
  int k = count > 1 ? atoi(arguments[1]) : 0;
  for (int times = 0; times < 10; times++)
    cells[times] = sum(4096);
  if (k == 1) __asm__ volatile("ud2");
  if (k == 2) abort();
  if (k == 3) {
    unsigned char *own = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int all = 0;
    for (int x = 0; x < 5; x++) { /* returns x: mov $x, %eax; ret */
      memcpy(own, (unsigned char[]){0xb8, (unsigned char)x, 0, 0, 0, 0xc3}, 6);
      all += ((int (*)(void))(void *)own)();
    }
    return all != 10;
  }
  return 0;
}
END
cd "$TMP"
gcc -O1 -static bad.c -o bad
mkdir other
cp bad other/bad
strip other/bad
trace() { psl trace --memory -o bad.psl ./bad "$@"; }
trace
(cd other && trace)
counts() { sed -n '/param blocks/{n;p}' $1; } # of the loop, 10 x 4096 times; others depend on where the stack is
counts bad.psl > loop
counts other/bad.psl | cmp - loop && cat loop
for signature in bad.psl other/bad.psl; do
  sed -n '/^\/\/ .*%/{n;s/^[^a-z?]*\([a-z?]*\) \([a-z]*\) 0x[0-9a-f]*$/\1 \2 at its address/p;q}' $signature
done
trace 3 && echo 'code that changes is traced'
for k in 1 2; do
  trace $k 2>&1 | grep -v '^qemu'
done
