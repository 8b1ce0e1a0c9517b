/* The search for a best point, against a look at every point: several shapes of a million points and more,
 * each to be within 1 % of the best in 300 evaluations. */
#include "tests/unit/unit.h"
#include "interp/study/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct shape {
  const char *name;
  struct search_axis axes[6];
  uint32_t dims;
  double (*value)(const uint64_t *places);
  bool (*allowed)(const uint64_t *places);
};

struct asked {
  const struct shape *shape;
  size_t count, stop_after;
  uint64_t hash;
};

static bool allowed(void *user, const uint64_t *places) { return ((struct asked *)user)->shape->allowed(places); }

static bool evaluate(void *user, const uint64_t *const *points, size_t count, double *values) {
  struct asked *asked = user;
  for (size_t i = 0; i < count; i++) {
    values[i] = asked->shape->value(points[i]);
    for (uint32_t k = 0; k < asked->shape->dims; k++)
      asked->hash = asked->hash * 31 + points[i][k];
  }
  asked->count += count;
  return !asked->stop_after || asked->count < asked->stop_after;
}

/* ---- shapes ---- */

static double squared(double x) { return x * x; }

static double bowl(const uint64_t *p) {
  return 2 + squared((double)p[0] / 100 - 0.37) + 3 * squared((double)p[1] / 100 - 0.81) +
         squared((double)p[2] / 100 - 0.11);
}

static double valley(const uint64_t *p) { /* Rosenbrock's, turned off the axes */
  double x = (double)p[0] / 500 - 1, y = (double)p[1] / 500 - 1;
  return 1 + 10 * squared(y - x * x) + squared(0.7 - x);
}

/* Sweep3D as equations (4) to (8) of the POEMS paper have it, px x py processors. */
static double sweep(const uint64_t *p) {
  double px = (double)p[0] + 1, py = (double)p[1] + 1, mk = (double)p[2] + 1, mmi = (double)p[3] + 1;
  double I = ceil(1000 / px), J = ceil(1000 / py), blocks = ceil(500 / mk) * ceil(6 / mmi);
  double work = I * J * mk * mmi * 1.05e-6, face = 8 * mk * mmi * (I > J ? I : J);
  double message = 2 * 47e-6 + 23e-6 + face * 0.07e-6;
  double fill = px + 2 * py - 3;
  return 12 * (2 * (fill + 2 * blocks) * (work + message) + 2 * (fill + 2 * blocks) * (work + 2 * message));
}
static bool of_400(const uint64_t *p) { return (p[0] + 1) * (p[1] + 1) == 400; }
static bool up_to_1024(const uint64_t *p) { return (p[0] + 1) * (p[1] + 1) <= 1024; }

static double ridges(const uint64_t *p) { /* many ties */
  double n = ceil(4000.0 / (double)(p[0] + 1)), m = floor((double)p[1] / 25);
  return n * 3 + (double)((p[0] + 1) / 8) + fabs(m - 12) * 5 + 100;
}

static double two_valleys(const uint64_t *p) { /* the deeper one is narrow */
  double x = (double)p[0] / 1200, y = (double)p[1] / 1200;
  double broad = 1.2 + 2 * (squared(x - 0.75) + squared(y - 0.7));
  double deep = 1 + 12 * (squared(x - 0.2) + squared(y - 0.25));
  return broad < deep ? broad : deep;
}

static double waves(const uint64_t *p) { /* Rastrigin's, mild */
  double x = (double)p[0] / 100 - 6.2, y = (double)p[1] / 100 - 3.9;
  return 30 + squared(x) + squared(y) + 2 * (1 - cos(4 * x)) + 2 * (1 - cos(4 * y));
}

static double by_name(const uint64_t *p) { /* a name decides where the best is */
  static const double at[] = {0.2, 0.9, 0.5}, plus[] = {0.3, 0, 0.5};
  return 1 + plus[p[0]] + squared((double)p[1] / 700 - at[p[0]]) + squared((double)p[2] / 700 - 0.4);
}

static double half_unfit(const uint64_t *p) {
  double x = (double)p[0] / 1000, y = (double)p[1] / 1000;
  return x + y < 0.8 ? NAN : 1 + x + 2 * y;
}

static double widths(const uint64_t *p) { /* from 1 to a million: the best is at 300 */
  double n = (double)p[0] + 1;
  return 300 / n + n / 300;
}

static double five(const uint64_t *p) {
  double sum = 5;
  for (uint32_t k = 0; k < 5; k++)
    sum += squared((double)p[k] / 20 - 0.15 * (k + 1)) * (1 + k);
  return sum;
}

#define PLACES(n) \
  { (n), SEARCH_PLACES, 0 }
#define RATIO(n) \
  { (n), SEARCH_RATIO, (double)(n) }
static const struct shape shapes[] = {
    {"bowl", {PLACES(101), PLACES(101), PLACES(101)}, 3, bowl, NULL},
    {"valley", {PLACES(1001), PLACES(1001)}, 2, valley, NULL},
    {"sweep, 400 processors", {RATIO(400), RATIO(400), RATIO(50), RATIO(6)}, 4, sweep, of_400},
    {"sweep, up to 1024", {RATIO(64), RATIO(64), RATIO(100), RATIO(6)}, 4, sweep, up_to_1024},
    {"ridges", {RATIO(1000), PLACES(1000)}, 2, ridges, NULL},
    {"two valleys", {PLACES(1201), PLACES(1201)}, 2, two_valleys, NULL},
    {"waves", {PLACES(1001), PLACES(1001)}, 2, waves, NULL},
    {"by name", {{3, SEARCH_NAMES, 0}, PLACES(701), PLACES(701)}, 3, by_name, NULL},
    {"half unfit", {PLACES(1001), PLACES(1001)}, 2, half_unfit, NULL},
    {"widths", {RATIO(1000000)}, 1, widths, NULL},
    {"five", {PLACES(21), PLACES(21), PLACES(21), PLACES(21), PLACES(21)}, 5, five, NULL},
};

static double best_of(const struct shape *shape) {
  uint64_t size = search_size(shape->axes, shape->dims), places[6];
  double best = INFINITY;
  for (uint64_t number = 0; number < size; number++) {
    uint64_t rest = number;
    for (uint32_t k = shape->dims; k-- > 0; rest /= shape->axes[k].count)
      places[k] = rest % shape->axes[k].count;
    if (shape->allowed && !shape->allowed(places)) continue;
    double value = shape->value(places);
    if (value < best) best = value;
  }
  return best;
}

static struct search_result search(struct arena *arena, struct asked *asked, size_t evaluations) {
  struct search_problem problem = {
      .axes = asked->shape->axes,
      .axis_count = asked->shape->dims,
      .evaluations = evaluations,
      .allowed = asked->shape->allowed ? allowed : NULL,
      .evaluate = evaluate,
      .user = asked,
  };
  return search_minimize(arena, &problem);
}

static void test_shapes(void **state) {
  struct unit *unit = *state;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct asked asked = {.shape = &shapes[i]}, again = asked;
    struct search_result result = search(&unit->arena, &asked, 300);
    double best = best_of(&shapes[i]);
    printf("# %s: %.6g after %zu evaluations, the best is %.6g (%.3f %%)\n", shapes[i].name, result.value,
           result.evaluations, best, 100 * (result.value / best - 1));
    assert_non_null(result.places);
    assert_true(result.value == shapes[i].value(result.places));
    assert_true(result.value <= best * 1.01);
    assert_true(asked.count == result.evaluations && asked.count <= 300);
    assert_false(result.all || result.interrupted);
    search(&unit->arena, &again, 300);
    assert_true(again.hash == asked.hash);
  }
}

/* A space that the evaluations are enough for is looked at whole; of equal points the first is given. */
static double ties(const uint64_t *p) { return (double)(p[0] / 4 + (p[1] ^ 3) / 2); }
static bool not_first(const uint64_t *p) { return p[0] != 0 || p[1] > 2; }

static void test_small(void **state) {
  struct unit *unit = *state;
  struct shape shape = {"ties", {PLACES(12), PLACES(8)}, 2, ties, not_first};
  struct asked asked = {.shape = &shape};
  struct search_result result = search(&unit->arena, &asked, 96);
  assert_true(result.all && result.evaluations == 93 && result.value == 0);
  assert_true(result.places[0] == 0 && result.places[1] == 3);
  for (size_t evaluations = 30; evaluations < 96; evaluations++) { /* and so does the search */
    result = search(&unit->arena, &asked, evaluations);
    assert_true(result.value == 0 && result.places[0] == 0 && result.places[1] == 3);
    assert_true(result.all == (evaluations >= 93));
  }
}

static double none(const uint64_t *p) {
  (void)p;
  return NAN;
}
static bool never(const uint64_t *p) {
  (void)p;
  return false;
}

static void test_nothing(void **state) {
  struct unit *unit = *state;
  struct shape shape = {"none", {PLACES(1000), PLACES(1000)}, 2, none, NULL};
  struct asked asked = {.shape = &shape};
  struct search_result result = search(&unit->arena, &asked, 50);
  assert_true(!result.places && isnan(result.value) && result.evaluations <= 50 && result.evaluations > 10);
  shape.allowed = never;
  result = search(&unit->arena, &asked, 50);
  assert_true(!result.places && result.evaluations == 0 && result.all); /* all none of them */
  shape.axes[0].count = shape.axes[1].count = UINT64_C(1) << 33;
  result = search(&unit->arena, &asked, 50);
  assert_true(!result.places && result.evaluations == 0 && !result.all);
  shape = (struct shape){"one", {PLACES(1)}, 1, widths, NULL};
  result = search(&unit->arena, &asked, 50);
  assert_true(result.places && result.evaluations == 1 && result.all);
}

static void test_stop(void **state) {
  struct unit *unit = *state;
  for (size_t after = 1; after < 300; after += 23) {
    struct asked asked = {.shape = &shapes[0], .stop_after = after};
    struct search_result result = search(&unit->arena, &asked, 300);
    assert_true(result.interrupted && !result.all && result.evaluations <= asked.count);
  }
}

/* Lack of memory comes out of NLopt's callbacks, with nothing left behind. */
static bool endless(void *user, const uint64_t *const *points, size_t count, double *values) {
  struct unit *unit = user;
  for (size_t i = 0; i < count; i++)
    values[i] = bowl(points[i]);
  arena_alloc(&unit->arena, 100000);
  return true;
}

static void test_memory(void **state) {
  struct unit *unit = *state;
  for (volatile uint64_t at = 1; at < 100; at += 9) {
    jmp_buf guard;
    unit->memory.guard = &guard;
    unit->memory.fail_at = unit->memory.allocations + at;
    if (!setjmp(guard)) {
      search_minimize(&unit->arena, &(struct search_problem){shapes[0].axes, 3, .evaluate = endless, .user = unit});
      fail();
    }
    assert_ptr_equal(unit->memory.guard, &guard);
    unit->memory.guard = NULL;
    unit->memory.fail_at = 0;
    arena_close(&unit->arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(test_shapes), UNIT_TEST(test_small), UNIT_TEST(test_nothing),
                                     UNIT_TEST(test_stop), UNIT_TEST(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
