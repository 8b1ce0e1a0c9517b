/* What the unit tests share: cmocka with the headers that it wants before it, and an arena a test. */
#ifndef PSL_UNIT_H
#define PSL_UNIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "grammar/arena.h"

struct unit {
  struct memory memory;
  struct arena arena;
};

static inline int unit_open(void **state) {
  static struct unit unit; /* one test runs at a time */
  unit = (struct unit){0};
  arena_open(&unit.arena, &unit.memory);
  *state = &unit;
  return 0;
}

static inline int unit_close(void **state) {
  struct unit *unit = *state;
  arena_close(&unit->arena);
  return unit->memory.used ? -1 : 0;
}

#define UNIT_TEST(f) cmocka_unit_test_setup_teardown(f, unit_open, unit_close)
#endif
