/* Arenas: zeroed and aligned pieces, growth, the count, the limit, and the one way to fail.  Slabs: blocks that are
 * used again, and what the address sanitizer is to see of both. */
#include "grammar/slab.h"
#include "tests/unit/unit.h"

#include <string.h>

static void pieces_are_zeroed_and_aligned(void **state) {
  struct unit *unit = *state;
  for (size_t size = 0; size < 200000; size = size * 3 + 1) {
    char *piece = arena_alloc(&unit->arena, size);
    assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(piece[i], 0);
    memset(piece, 0xff, size);
  }
}

static void growing_keeps_and_zeroes(void **state) {
  struct unit *unit = *state;
  size_t size = 3;
  char *block = arena_alloc(&unit->arena, size), *other = NULL;
  memset(block, 'x', size);
  while (size < 3000000) {
    size_t bigger = size * 2 + 1;
    block = arena_grow(&unit->arena, block, size, bigger);
    for (size_t i = 0; i < bigger; i++)
      assert_int_equal(block[i], i < size ? 'x' : 0);
    memset(block, 'x', bigger);
    size = bigger;
    other = arena_alloc(&unit->arena, 40); /* so that the next one cannot grow in place */
    assert_int_equal(other[0], 0);
  }
  assert_ptr_equal(arena_grow(&unit->arena, block, size, size - 1), block);
  /* a large block is moved, not left behind */
  assert_true(unit->memory.used < 2 * size);
}

/* In an arena that has become so large that its chunks are larger than what stands alone. */
static void growing_in_a_large_chunk(void **state) {
  struct unit *unit = *state;
  for (int i = 0; i < 4000; i++)
    arena_alloc(&unit->arena, 10000);
  size_t size = 1000;
  char *block = arena_alloc(&unit->arena, size);
  for (; size < 3000000; size *= 2) {
    memset(block, 'x', size);
    block = arena_grow(&unit->arena, block, size, 2 * size);
    for (size_t i = 0; i < 2 * size; i++)
      assert_int_equal(block[i], i < size ? 'x' : 0);
  }
}

static void all_is_given_back(void **state) {
  struct unit *unit = *state;
  for (int i = 0; i < 1000; i++)
    arena_alloc(&unit->arena, 1000);
  assert_true(unit->memory.used >= 1000000);
  size_t peak = unit->memory.peak;
  arena_close(&unit->arena);
  assert_int_equal(unit->memory.used, 0);
  assert_int_equal(unit->memory.peak, peak);
  assert_non_null(arena_alloc(&unit->arena, 1)); /* open again */
}

/* Beyond some size an arena has chunks of another kind, and without room for these those of before. */
static void large_arenas_are_like_small_ones(void **state) {
  enum { PIECE = 1000, LARGE = 60 << 20, ROOM = 1 << 20 };
  struct unit *unit = *state;
  for (int turn = 0; turn < 2; turn++) {
    while (unit->memory.used < LARGE) {
      char *piece = arena_alloc(&unit->arena, PIECE);
      assert_true(!piece[0] && !piece[PIECE - 1] && (uintptr_t)piece % _Alignof(max_align_t) == 0);
      memset(piece, 0xff, PIECE);
    }
    size_t allocations = unit->memory.allocations;
    unit->memory.limit = unit->memory.used + ROOM;
    while (unit->memory.used + ROOM / 4 < unit->memory.limit)
      assert_int_equal(*(char *)arena_alloc(&unit->arena, PIECE), 0);
    assert_true(unit->memory.allocations > allocations);
    unit->memory.limit = 0;
    arena_close(&unit->arena);
    assert_int_equal(unit->memory.used, 0);
  }
}

/* How an allocation ends: 0 as it should, 1 by the guard. */
static int guarded(struct unit *unit, size_t size) {
  jmp_buf here;
  unit->memory.guard = &here;
  if (setjmp(here)) {
    unit->memory.guard = NULL;
    return 1;
  }
  arena_alloc(&unit->arena, size);
  unit->memory.guard = NULL;
  return 0;
}

static void a_failure_jumps_to_the_guard(void **state) {
  struct unit *unit = *state;
  unit->memory.limit = 1000000;
  assert_int_equal(guarded(unit, 900000), 0);
  assert_int_equal(guarded(unit, 900000), 1);
  assert_int_equal(guarded(unit, 1000), 0);
  unit->memory.limit = 0;
  assert_int_equal(guarded(unit, SIZE_MAX), 1);
  assert_int_equal(guarded(unit, SIZE_MAX - 100), 1);
  assert_int_equal(guarded(unit, SIZE_MAX / 2), 1);
  unit->memory.fail_at = unit->memory.allocations + 1;
  assert_int_equal(guarded(unit, 100000), 1);
  assert_int_equal(guarded(unit, 100000), 1);
  unit->memory.fail_at = 0;
  assert_int_equal(guarded(unit, 100000), 0);
}

static void what_was_made_since_is_given_back(void **state) {
  struct unit *unit = *state;
  arena_alloc(&unit->arena, 1); /* the chunk */
  struct arena before = unit->arena;
  char *first = arena_alloc(&unit->arena, 100);
  memset(first, 'x', 100);
  arena_copy(&unit->arena, "wavefront", 9);
  arena_return(&unit->arena, &before);
  char *again = arena_alloc(&unit->arena, 100);
  assert_ptr_equal(again, first);
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(again[i], 0);
}

static void texts_are_copied_and_printed(void **state) {
  struct unit *unit = *state;
  char *copy = arena_copy(&unit->arena, "wavefront", 4);
  assert_string_equal(copy, "wave");
  assert_string_equal(arena_printf(&unit->arena, "%s %d", copy, 7), "wave 7");
  assert_string_equal(arena_printf(&unit->arena, "%s", ""), "");
}

static void pushing_doubles(void **state) {
  struct unit *unit = *state;
  int *items = NULL;
  uint32_t count = 0, capacity = 0;
  for (int i = 0; i < 100000; i++)
    ARENA_PUSH(&unit->arena, items, count, capacity, i);
  assert_int_equal(count, 100000);
  for (int i = 0; i < 100000; i++)
    assert_int_equal(items[i], i);
}

static void blocks_are_used_again(void **state) {
  struct unit *unit = *state;
  struct slabs slabs;
  slabs_open(&slabs, &unit->arena);
  for (size_t size = 1; size < 200000; size = size * 3 + 1) {
    char *block = slab_take(&slabs, size);
    size_t bytes = slabs.bytes;
    assert_int_equal(block[0] | block[size - 1], 0);
    memset(block, 0xff, size);
    slab_give(&slabs, block, size);
#ifndef ARENA_GUARDED
    assert_ptr_equal(slab_take(&slabs, size), block);
    assert_int_equal(block[0] | block[size - 1], 0);
#else
    slab_take(&slabs, size);
#endif
    assert_int_equal(slabs.bytes, bytes);
  }
}

#ifdef ARENA_GUARDED
#include <sanitizer/asan_interface.h>
/* Each of these is an error of the address sanitizer where it is used. */
static void what_is_gone_is_poisoned(void **state) {
  struct unit *unit = *state;
  struct slabs slabs;
  slabs_open(&slabs, &unit->arena);
  void *block = slab_take(&slabs, 40);
  assert_false(__asan_address_is_poisoned(block));
  slab_give(&slabs, block, 40);
  assert_true(__asan_address_is_poisoned(block));
  char *piece = arena_alloc(&unit->arena, 40), *grown = arena_grow(&unit->arena, piece, 40, 400);
  assert_true(__asan_address_is_poisoned(piece));
  assert_false(__asan_address_is_poisoned(grown + 399));
  assert_true(__asan_address_is_poisoned(grown + 400));
  arena_reset(&unit->arena);
  assert_true(__asan_address_is_poisoned(grown));
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(pieces_are_zeroed_and_aligned),     UNIT_TEST(growing_keeps_and_zeroes),
      UNIT_TEST(growing_in_a_large_chunk),          UNIT_TEST(all_is_given_back),
      UNIT_TEST(large_arenas_are_like_small_ones),  UNIT_TEST(a_failure_jumps_to_the_guard),
      UNIT_TEST(texts_are_copied_and_printed),      UNIT_TEST(pushing_doubles),
      UNIT_TEST(what_was_made_since_is_given_back), UNIT_TEST(blocks_are_used_again),
#ifdef ARENA_GUARDED
      UNIT_TEST(what_is_gone_is_poisoned),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
