# A library that is compiled anew while a session has it: a copy of it was loaded, so that nothing crashes, :reload has
# the new one, and what a database keeps is of the code that ran. One that looks beside itself is refused then.
cd "$TMP" || exit
cat >m.psl <<'END_OF_MODEL'
extern "./scale.so" { function f(x : real) -> real; }
transaction go();
component user {
  accepts: profile = { node type = user }; transaction = go(); protocol = dataflow;
  body: hold f(1) * 1 s;
}
system s { requests: selector = { node type = user }; transaction = go(); protocol = dataflow; }
END_OF_MODEL
compile() { # by how much; what else is in it; how the new file comes to its place
  echo "$2 double f(double x) { return $1 * x; }" >scale.c
  gcc -O1 -shared -fPIC scale.c -o new.so && $3 new.so scale.so
}
wait_for() { # the session has said this often what it was asked
  for turn in $(seq 200); do
    [ "$(wc -l <said)" -ge "$1" ] && return
    sleep 0.05
  done
}
session() {
  : >said
  compile 1 "$@"
  { echo 'f(2)'; wait_for 1; compile 10 "$@"; echo 'f(3)'; echo ':reload'; echo 'f(2)'
    echo 'study --report makespan --db s.db --format csv'; } | timeout -s KILL 30 psl --allow-native -c m.psl >said 2>&1
  echo "exit $?"
  cat said
}
session '' cp
psl study --allow-native m.psl --report makespan --db s.db --format csv
sqlite3 s.db 'SELECT count(*) FROM run'
session 'extern int dladdr(const void *, void *); void *beside = (void *)dladdr;' mv | head -8
# What Timer measures is the code that stands there now, too.
cat >timed.psl <<'END_OF_MODEL'
use Timer;
transaction go();
component a {
  accepts: profile = { node type = a }; transaction = go(); protocol = dataflow;
  body:
    let W = call Timer.time("spin.so", "spin");
    hold if W > 3 ms then 2 s else 1 s;
}
system s { requests: selector = { node type = a }; transaction = go(); protocol = dataflow; }
END_OF_MODEL
spin() { # for so many milliseconds of processor time
  cat >spin.c <<END_OF_CODE
#include <time.h>
double spin(void) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((now.tv_sec - begin.tv_sec) * 1e3 + (now.tv_nsec - begin.tv_nsec) * 1e-6 < $1);
  return 0;
}
END_OF_CODE
  gcc -O1 -shared -fPIC spin.c -o new.so && cp new.so spin.so
}
spin 1
: >said
{ echo run; wait_for 1; spin 6; echo run; } | timeout -s KILL 30 psl --allow-native -c timed.psl >said 2>&1
grep '^predicted' said
