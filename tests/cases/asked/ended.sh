# A measured function that ends the program, or waits: a study loses that point alone, and a run says who it was; what its
# threads do is counted by the clock. A whole number gets there as it is, or not at all.
cd "$TMP" || exit
cat >f.c <<'END_OF_CODE'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
double quit(long n) { if (n == 2000) exit(0); return n; }
static void *work(void *milliseconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1e3 + (now.tv_nsec - begin.tv_nsec) * 1e-6 < *(long *)milliseconds);
  return NULL;
}
double threads(long n) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, &n);
  pthread_join(thread, NULL);
  return 0;
}
END_OF_CODE
gcc -O1 -shared -fPIC f.c -o f.so -lpthread
cat >m.psl <<'END_OF_MODEL'
use Timer;
param fn : string = "quit";
param n  : int = 1000;
transaction go();
component a {
  accepts: profile = { node type = a }; transaction = go(); protocol = dataflow;
  body:
    let W = call Timer.time("f.so", fn, [n]);
    record right = if W in 2 ms .. 1 s then 1 else 0;
    hold 1 s;
}
system s { requests: selector = { node type = a }; transaction = go(); protocol = dataflow; }
END_OF_MODEL
for jobs in 1 2; do
  psl study --allow-native m.psl --vary n=1000,2000,3000 --report makespan --format csv -j $jobs >points 2>notes
  status=$?
  sed "s/the time of .* is known to .* only: the computer is too noisy ([^)]*)//" points # a loaded computer
  echo "exit $status"
  grep '^psl' notes >&2
done
psl run --allow-native m.psl --set n=2000
echo "exit $?"
printf ':allow native\nrun --set n=2000\n' | psl -c m.psl
echo "exit $?"
psl run --allow-native m.psl --set 'fn="threads"' --set n=2 2>notes | grep '^  right'
psl run --allow-native m.psl --set n=9007199254740992 | grep '^predicted'
psl run --allow-native m.psl --set n=9007199254740993 2>&1 >/dev/null
# An answer of it that is out of its range.
sed 's/^  accepts:/  param T : time = call Timer.time("f.so", fn, [n]) in 100 s .. 200 s;\n&/' m.psl >ranged.psl
psl run --allow-native ranged.psl 2>&1 >/dev/null | sed -n 's/T = [0-9.]* [a-z]*s,/T = some time,/p'
