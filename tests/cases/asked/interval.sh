# The interval of what was measured goes to the predicted time, stays where it is kept, and is what a warning is about
# where the computer seems noisy: a block that takes 1 ms and 3 ms by turns, and one that takes the same each time.
cat > "$TMP/noise.c" <<'END'
#include <stdio.h>
#include <time.h>
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
static void spin(double milliseconds) {
  double begin = now();
  while (now() - begin < milliseconds)
    continue;
  FILE *spun = fopen("spun", "a");
  fputs("once\n", spun);
  fclose(spun);
}
void turns(void) {
  static int calls;
  spin(calls++ % 2 ? 3 : 1);
}
void steady(void) { spin(1); }
END
cd "$TMP"
gcc -O1 -shared -fPIC noise.c -o noise.so
cat > m.psl <<'END'
use Timer;
param block : string = "turns";
param times : int = 1;
transaction go();
transaction work() -> time;
component a {
  param W : time = call cost();
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: hold times * W;
  requests: cost(): selector = { domain = hardware[processor] }; transaction = work(); protocol = call-return;
}
component measured {
  accepts:
    profile = { domain = hardware[processor], evaluation mode = measurement[timer] }; transaction = work();
    protocol = call-return;
  body:
    let least = call Timer.least("noise.so", block);
    let median = call Timer.time("noise.so", block);
    let greatest = call Timer.greatest("noise.so", block);
    assert least <= median <= greatest;
    return least .. greatest;
}
system s { requests: selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
# Times as whole milliseconds, how well they are known as 'well' and 'badly'.
whole() { perl -pe 's/(\d\.\d+) ms/sprintf "%.0f ms", $1/ge; s/\b(\d+)\.?\d* %/$1 <= 5 ? "well" : "badly"/ge'; }
for block in turns steady; do
  psl run --allow-native m.psl --set "block=\"$block\"" 2>&1 | whole | sed -n '/^m.psl.*warn/p; /^psl.*warn/p; /^predicted/p; /^  W/p; /widest/p'
done
# A study that has it does not measure again, and warns again.
for times in 1,2 3; do
  : > spun
  psl study --allow-native m.psl --vary times=$times --db m.db --report W --format csv 2>notes | tail -n +2
  test -s spun && echo measured || echo 'not measured'
  grep -c 'too noisy' notes
done 2>&1 | sed 's/0\.00[0-9]*/some/g; s/[1-9][0-9] % only/much % only/'
# Runs that are compared have one measurement, with its interval: three of the blocks take from three times the least to
# three times the greatest.
psl compare --allow-native m.psl --vary times=1,3 --format csv 2>notes | awk -F, '
  $1 == "runs" && $3 ~ /makespan_(low|high)/ { of[$3, ++n[$3]] = $4 }
  END { for (f in n) print f, of[f, 2] / of[f, 1] }' | sort
