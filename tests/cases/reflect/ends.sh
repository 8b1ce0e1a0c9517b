# A program that psl has started ends with it, also where psl is killed while the program uses nothing.
cd "$TMP" || exit
cat >waits.c <<'END_OF_CODE'
#include "psl-reflector.h"
#include <stdio.h>
#include <unistd.h>
int main(void) {
  PSL_RESOURCE("begin") { puts("begun"); }
  FILE *begun = fopen("number", "w");
  fprintf(begun, "%d\n", (int)getpid());
  fclose(begun);
  rename("number", "begun");
  sleep(100);
  return 0;
}
END_OF_CODE
cc -I "$OLDPWD/../../../evaluators/programs/reflector" -o waits waits.c "$PSL_BUILD/libpsl-reflector.a" -pthread -lm
for signal in TERM INT HUP KILL; do
  rm -f begun
  psl reflect ./waits >said 2>&1 &
  psl=$!
  for turn in $(seq 400); do [ -e begun ] && break; sleep 0.05; done
  kill -"$signal" "$psl"
  wait "$psl" 2>/dev/null
  for turn in $(seq 200); do kill -0 "$(cat begun)" 2>/dev/null || break; sleep 0.05; done
  kill -0 "$(cat begun)" 2>/dev/null && echo "$signal: the program goes on" || echo "$signal: the program has ended"
done
