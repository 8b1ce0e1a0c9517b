/* Sorting of more than there is memory for: random items, of which few fit into memory, come in the order of qsort. */
#include "tests/unit/unit.h"

#include "evaluators/programs/sorter.h"
#include <stdlib.h>
#include <string.h>

struct item {
  int key, number;
  char rest[16];
};

static int by_key(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static void sorts(int count, size_t memory) {
  struct sorter *sorter = sorter_open(sizeof(struct item), memory, by_key);
  struct item *items = calloc((size_t)count + 1, sizeof *items);
  const struct item *got;
  unsigned state = 12345;
  assert_non_null(sorter);
  for (int k = 0; k < count; k++) {
    state = state * 1664525u + 1013904223u;
    items[k] = (struct item){(int)(state >> 12) % 1000, k, "as it was"};
    assert_true(sorter_add(sorter, &items[k]));
  }
  qsort(items, (size_t)count, sizeof *items, by_key);
  assert_true(sorter_begin(sorter));
  int k = 0;
  for (; (got = sorter_next(sorter)); k++)
    assert_memory_equal(got, &items[k], sizeof *got);
  assert_int_equal(k, count);
  assert_false(sorter_failed(sorter));
  sorter_close(sorter);
  free(items);
}

static void in_memory(void **state) {
  (void)state;
  sorts(0, 1000), sorts(1, 1000), sorts(40, 1000), sorts(1000, 1 << 20);
}

/* Runs of 4 items: 64 of them are merged at a time, so 20,000 items take three levels. */
static void in_files(void **state) {
  (void)state;
  sorts(42, 1000), sorts(1000, 100), sorts(20000, 100), sorts(65536, 100), sorts(16385, 100), sorts(100000, 50000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_memory), cmocka_unit_test(in_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
