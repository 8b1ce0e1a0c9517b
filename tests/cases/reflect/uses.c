/* Uses of resources: known numbers of them, nested ones, and what may go wrong. */
#include "psl-reflector.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *what, const char *word) { return strcmp(what, word) == 0; }

/* How often the work was done; each use of two amounts, 0 to 4 and 3. */
static void uses(void) {
  int done = 0, other = 0;
  for (int k = 0; k < 5; k++)
    PSL_RESOURCE_OR_SKIP("multiply", k, 3) done++;
  for (int k = 0; k < 5; k++)
    PSL_RESOURCE("add", k) { other++; }
  double amount = 7;
  double misses = psl_figure("misses", "uses.c", 21, -1, 1, &amount);
  printf("multiplied %d times, added %d times, %g misses, clock %g s\n", done, other, misses, psl_clock());
}

/* What is used inside of an answer is part of it; the inner use of a measured one has its own answer. */
static void nested(void) {
  int inner = 0;
  PSL_RESOURCE("multiply", 1, 1) { PSL_RESOURCE_OR_SKIP("multiply", 1, 1) inner++; }
  PSL_RESOURCE("unknown") { PSL_RESOURCE_OR_SKIP("multiply", 2, 2) inner++; }
  double last = psl_reflect_seconds();
  printf("inside %d times, the last took %g s\n", inner, last);
}

static void deep(int depth) {
  if (depth) PSL_RESOURCE("unknown", depth) deep(depth - 1);
}

static void steered(void) {
  int whole = 5, fixed = 1;
  double real = 0.5;
  psl_actuator_int("whole", &whole, 1, 8);
  psl_actuator("real", &real, 0, 1);
  psl_actuator_int("nobody", &fixed, 0, 2);
  psl_sensor("load", 0.25);
  int changed = psl_poll();
  printf("%d have changed: whole %d, real %g, nobody's %d\n", changed, whole, real, fixed);
  changed = psl_poll();
  psl_actuator_drop("whole");
  printf("%d have changed: whole %d, real %g; without it %d\n", changed, whole, real, psl_poll());
}

/* Names that cannot be as they are. */
static void named(void) {
  static const char letters[] = "a-name-of-sixty-four-letters-is-one-letter-longer-than-names-are";
  for (int k = 0; k < 3; k++)
    PSL_RESOURCE("two words", k) {}
  PSL_RESOURCE(letters, 1) {}
  psl_sensor("a sensor", 1);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "uses";
  if (is(what, "uses")) uses();
  if (is(what, "nested")) nested();
  if (is(what, "deep")) deep(100), printf("it is back\n");
  if (is(what, "steered")) steered();
  if (is(what, "named")) named();
  if (is(what, "exit")) uses(), exit(3);
  if (is(what, "abort")) uses(), fflush(stdout), raise(SIGKILL);
  return 0;
}
