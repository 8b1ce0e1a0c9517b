/* Tallies, levels, sketches and series against answers that are computed in another way. */
#include "tests/unit/unit.h"

#include "interp/statistics/batches.h"
#include "interp/statistics/course.h"
#include "interp/statistics/series.h"
#include "interp/statistics/sketch.h"
#include "interp/statistics/sum.h"
#include "interp/statistics/tally.h"
#include "interp/model/distribution.h"
#include <math.h>
#include <stdlib.h>

static void near_to(double value, double wanted, double part) {
  if (!(fabs(value - wanted) <= part * fabs(wanted))) fail_msg("%.17g is not %.17g", value, wanted);
}

/* The numerical-accuracy sets of the NIST's Statistical Reference Datasets: NumAcc3 (mean 1000000.2, deviation
 * 0.1, 1001 values) and NumAcc4 (mean 10000000.2, deviation 0.1). */
static void deviations_do_not_cancel(void **state) {
  (void)state;
  for (double base = 1e6; base <= 1e7; base *= 10) {
    struct tally tally = {0};
    tally_add(&tally, base + 0.2);
    for (int i = 0; i < 500; i++) {
      tally_add(&tally, base + 0.1);
      tally_add(&tally, base + 0.3);
    }
    assert_int_equal(tally.count, 1001);
    near_to(tally.mean, base + 0.2, 1e-15);
    near_to(tally_deviation(&tally), 0.1, 1e-7);
    assert_true(tally.minimum == base + 0.1 && tally.maximum == base + 0.3);
  }
}

/* The same sets and NumAcc2 (mean 1.2, deviation 0.1), in two orders, and equal values, which have no deviation. */
static void sums_know_no_order(void **state) {
  (void)state;
  for (double base = 1; base <= 1e7; base *= 10) {
    struct sum values[3] = {{0}}, squares[3] = {{0}};
    for (int i = 0; i < 1001; i++)
      for (int k = 0; k < 3; k++) {
        bool middle = i == (k ? 0 : 1000);
        double value = base + (k == 2 || middle ? 0.2 : (i + k) % 2 ? 0.3 : 0.1);
        sum_add_value(&values[k], &squares[k], value);
      }
    near_to(sum_total(&values[0]) / 1001, base + 0.2, 1e-15);
    near_to(sum_deviation(&values[0], &squares[0], 1001), 0.1, 1e-14 * base);
    assert_true(sum_total(&values[0]) == sum_total(&values[1]));
    if (base <= 1e4) /* beyond, digits cancel that tell the order */
      assert_true(sum_deviation(&values[0], &squares[0], 1001) == sum_deviation(&values[1], &squares[1], 1001));
    assert_true(sum_deviation(&values[2], &squares[2], 1001) == 0);
  }
}

/* Student's sleep data (1908): mean 0.75, deviation 1.789010, interval -0.5298 to 2.0298. */
static void intervals_are_students(void **state) {
  (void)state;
  static const double extra[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  struct tally tally = {0}, halves[2] = {{0}};
  for (int i = 0; i < 10; i++) {
    tally_add(&tally, extra[i]);
    tally_add(&halves[i / 4 > 0], extra[i]);
  }
  near_to(tally.mean, 0.75, 1e-12);
  near_to(tally_deviation(&tally), 1.789010, 1e-6);
  near_to(tally_half_width(&tally, 0.95), 1.2798, 1e-4);
  tally_join(&halves[0], &halves[1]);
  assert_int_equal(halves[0].count, 10);
  near_to(halves[0].mean, tally.mean, 1e-14);
  near_to(halves[0].square, tally.square, 1e-14);
  assert_true(halves[0].minimum == -1.6 && halves[0].maximum == 3.7);
  assert_true(isnan(tally_half_width(&(struct tally){.count = 1}, 0.95)));
}

static void levels_are_weighted_by_time(void **state) {
  (void)state;
  struct level level = {0};
  level_set(&level, 2, 1); /* for 1 s */
  level_set(&level, 3, 4); /* for 3 s */
  level_set(&level, 6, 0); /* for 4 s */
  near_to(level_mean(&level, 10), 13.0 / 8, 1e-15);
  near_to(level_deviation(&level, 10), sqrt(49.0 / 8 - 169.0 / 64), 1e-14);
  assert_true(level.minimum == 0 && level.maximum == 4 && level.count == 3);
  assert_true(level_mean(&(struct level){.value = 7}, 0) == 7);
  for (int k = 1; k < 1000; k++) { /* one that stays the same, set again and again, does not deviate from itself */
    struct level same = {0};
    level_set(&same, k / 7.0, k / 3.0);
    level_set(&same, k / 7.0, k / 10.0);
    level_set(&same, k / 5.0, k / 10.0);
    near_to(level_mean(&same, k / 1.1), k / 10.0, 1e-15);
    assert_true(level_deviation(&same, k / 1.1) == 0);
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Against the sorted sample, over 60 powers of ten and both signs. */
static void quantiles_keep_their_error(void **state) {
  enum { COUNT = 20001 };
  struct unit *unit = *state;
  double *values = ARENA_ARRAY(&unit->arena, double, COUNT);
  struct random_stream stream = random_open(7, "sketch", 6);
  struct sketch sketch = {.arena = &unit->arena};
  for (int i = 0; i < COUNT; i++) {
    double u = random_uniform(&stream);
    values[i] = (i % 3 ? 1 : -1) * pow(10, 60 * u - 30);
    if (i % 100 == 0) values[i] = 0;
    sketch_add(&sketch, values[i]);
  }
  qsort(values, COUNT, sizeof *values, ascending);
  for (int k = 0; k <= 1000; k++) {
    double part = k / 1000.0, rank = ceil(part * COUNT);
    double sample = values[rank > 0 ? (int)rank - 1 : 0], quantile = sketch_quantile(&sketch, part);
    if (!(fabs(quantile - sample) <= fabs(sample) / 256 + 1e-300)) fail_msg("%g: %g, not %g", part, quantile, sample);
  }
  for (int k = 1; k < 100; k++) {
    double at = values[k * 200], below = sketch_below(&sketch, at);
    assert_true(below <= COUNT);
    if (at == 0) continue; /* several of them */
    assert_true(sketch_below(&sketch, at * (at > 0 ? 1.01 : 0.99)) >= k * 200);
    assert_true(sketch_below(&sketch, at * (at > 0 ? 0.99 : 1.01)) <= k * 200);
  }
  assert_true(sketch_quantile(&sketch, 0) == values[0] && sketch_quantile(&sketch, 1) == values[COUNT - 1]);
  assert_true(isnan(sketch_quantile(&(struct sketch){0}, 0.5)));
}

/* Memory is taken once for what occurs. */
static void sketches_stay_small(void **state) {
  struct unit *unit = *state;
  struct sketch sketch = {.arena = &unit->arena};
  struct random_stream stream = random_open(7, "sketch", 6);
  for (int i = 0; i < 100000; i++)
    sketch_add(&sketch, 1 + random_uniform(&stream));
  size_t held = arena_size(&unit->arena);
  for (int i = 0; i < 100000; i++)
    sketch_add(&sketch, 1 + random_uniform(&stream));
  assert_true(arena_size(&unit->arena) == held && held < 200000);
}

/* Whatever the order of coming and the doublings between, sums are where their time is. */
static void grids_keep_sums(void **state) {
  struct unit *unit = *state;
  struct grid grid;
  struct random_stream stream = random_open(3, "grid", 4);
  grid_open(&grid, &unit->arena, 2, 2);
  double total = 0, early = 0;
  assert_true(grid_at(&grid, 0, 0) == grid_row(&grid, 0));
  for (int i = 0; i < 50000; i++) {
    double time = 1000 * random_uniform(&stream) * random_uniform(&stream) * (i < 100 ? 1e-9 : 1);
    grid_at(&grid, 1, time)[1] += 1;
    total += 1;
    early += time < 256;
  }
  grid_reach(&grid, 1023);
  assert_true(grid.width == 2 && grid_bins(&grid, 1000) == 500 && grid_bins(&grid, 1e9) == GRID_BINS);
  struct series series = grid_series(&grid, 1, 1);
  double sum = 0, first = 0;
  for (int i = 0; i < GRID_BINS; i++) {
    sum += series.at[(uint32_t)i * series.stride];
    if (i < 128) first += series.at[(uint32_t)i * series.stride];
  }
  assert_true(sum == total && first == early);
}

/* An exponential decay to noise: what is left out covers most of the decay and not much more. */
static void warm_ups_are_found(void **state) {
  (void)state;
  double values[GRID_BINS];
  struct series series = {values, 1};
  struct random_stream stream = random_open(5, "warm", 4);
  for (int i = 0; i < GRID_BINS; i++)
    values[i] = 10 * exp(-i / 20.0) + random_uniform(&stream);
  uint32_t warm = series_warm_up(series, GRID_BINS);
  assert_true(warm >= 50 && warm <= 150 && warm % GROUP == 0);
  for (int i = 0; i < GRID_BINS; i++)
    values[i] = i; /* grows for ever */
  assert_int_equal(series_warm_up(series, GRID_BINS), GRID_BINS / 2);
  for (int i = 0; i < GRID_BINS; i++)
    values[i] = 3;
  assert_int_equal(series_warm_up(series, GRID_BINS), 0);
}

/* 95 % intervals of a ratio of means, here 2, hold it in 95 % of 2,000 samples; 3 standard errors are 1.5 %. */
static void intervals_cover(void **state) {
  (void)state;
  enum { SAMPLES = 2000, COUNT = 320 };
  double above[COUNT], below[COUNT];
  struct random_stream stream = random_open(11, "cover", 5);
  int held = 0;
  for (int s = 0; s < SAMPLES; s++) {
    for (int i = 0; i < COUNT; i++) {
      below[i] = 0.5 + random_uniform(&stream);
      above[i] = 2 * below[i] + random_uniform(&stream) - 0.5;
    }
    struct estimate e = series_ratio((struct series){above, 1}, (struct series){below, 1}, 0, COUNT, 0.95);
    held += fabs(e.value - 2) <= e.half_width;
    assert_true(fabs(e.correlation) < 0.9);
  }
  if (held < 0.935 * SAMPLES || held > 0.965 * SAMPLES) fail_msg("%d of %d", held, SAMPLES);
}

/* Batches 1, 2, …, 20 of one value each: mean 10.5, variance 35, t(19) = 2.093024. */
static void batch_means_are_what_they_are(void **state) {
  (void)state;
  double values[BATCHES + 3];
  for (int i = 0; i < BATCHES + 3; i++)
    values[i] = i - 2;
  struct series series = {values, 1}, one = {NULL, 0};
  struct estimate e = series_ratio(series, one, 0, BATCHES + 3, 0.95);
  near_to(e.value, 10.5, 1e-15);
  near_to(e.half_width, 2.093024 * sqrt(35.0 / 20), 1e-6);
  assert_true(e.correlation > 0.7);
  assert_true(isnan(series_ratio(series, one, 5, BATCHES, 0.95).half_width));
}

/* 19 batches of 0 and one of 20: mean 1, error 1, skewness 4.1295, b = 0.153900: the side away from the many is
 * (1 - cbrt(1 - 6 b (t + b))) / (2 b) long. */
static void skew_batches_reach_farther(void **state) {
  (void)state;
  double values[BATCHES] = {0};
  values[7] = BATCHES;
  struct estimate e = series_ratio((struct series){values, 1}, (struct series){NULL, 0}, 0, BATCHES, 0.95);
  near_to(e.value, 1, 1e-15);
  near_to(e.half_width, 6.576891, 1e-6);
}

/* A level that is set each second is as many observations, and 1280 are 20 batches of 64 however they are cut. What was
 * there before 256 s does not count. */
static void levels_are_batched_by_time(void **state) {
  enum { BEGIN = 256, COUNT = 1280 };
  struct unit *unit = *state;
  struct level_batches level;
  struct batches batches = {.size = 0};
  level_batches_open(&level, &unit->arena, BEGIN);
  level_batches_set(&level, 0, 1e6);
  for (int i = 0; i < COUNT; i++) {
    double value = i * i % 101 + i % 7;
    batches_add(&batches, value);
    level_batches_set(&level, BEGIN + i, value);
  }
  level_batches_set(&level, BEGIN + COUNT, 0);
  struct estimate a = level_batches_estimate(&level, 0.95), b = batches_estimate(&batches, 0.95);
  near_to(a.value, b.value, 1e-14);
  near_to(a.half_width, b.half_width, 1e-9);
}

/* Sums that differ by rounding alone are independent, whatever their rounding errors have in common. */
static void rounding_is_no_correlation(void **state) {
  (void)state;
  double values[PIECES];
  for (uint32_t i = 0; i < PIECES; i++)
    values[i] = 0.1 + (i < PIECES / 2 ? 1e-16 : 0);
  struct estimate e = series_ratio((struct series){values, 1}, (struct series){NULL, 0}, 0, PIECES, 0.95);
  assert_true(e.correlation == 0);
}

/* What the line is at a time. */
static double line_at(const double *x, const double *y, size_t count, double time) {
  size_t p = 1;
  while (p < count - 1 && x[p] < time)
    p++;
  double part = x[p] > x[p - 1] ? (time - x[p - 1]) / (x[p] - x[p - 1]) : 1;
  return y[p - 1] + part * (y[p] - y[p - 1]);
}

/* Steps at whole times are drawn where they are, a value that holds for no time is not, and whatever the length each
 * bin of time has its extremes. */
static void courses_keep_extremes(void **state) {
  enum { LONG = 200000 };
  (void)state;
  static double x[COURSE_POINTS], y[COURSE_POINTS], values[LONG];
  struct memory memory = {0};
  struct arena arena;
  arena_open(&arena, &memory);
  struct course few = {0}, many = {0};
  for (int i = 0; i < 10; i++) {
    course_set(&few, &arena, i, 1000);
    course_set(&few, &arena, i, i * 7 % 10);
  }
  size_t count = course_line(&few, 10, x, y);
  assert_true(count <= 22 && x[0] == 0 && x[count - 1] == 10);
  for (int i = 0; i < 10; i++)
    assert_true(line_at(x, y, count, i + 0.5) == i * 7 % 10);
  srand(1);
  for (int i = 0; i < LONG; i++) {
    values[i] = rand() % 1000;
    course_set(&many, &arena, i * 1e-3, values[i]);
  }
  count = course_line(&many, LONG * 1e-3, x, y);
  assert_true(count <= COURSE_POINTS);
  for (size_t p = 1; p < count; p++)
    assert_true(x[p] > x[p - 1]);
  for (double begin = 0; begin + many.width < LONG * 1e-3; begin += many.width) {
    double least = INFINITY, greatest = -INFINITY, drawn_least = INFINITY, drawn_greatest = -INFINITY;
    for (int i = (int)ceil(begin * 1e3); i * 1e-3 < begin + many.width; i++) {
      least = fmin(least, values[i]);
      greatest = fmax(greatest, values[i]);
    }
    for (size_t p = 0; p < count; p++) {
      if (x[p] < begin || x[p] > begin + many.width) continue;
      drawn_least = fmin(drawn_least, y[p]);
      drawn_greatest = fmax(drawn_greatest, y[p]);
    }
    assert_true(drawn_least <= least && drawn_greatest >= greatest);
  }
  assert_true(course_changes(&few) == 9 && course_changes(&many) > COURSE_BINS / 2);
  static struct course_stretch stretches[COURSE_STRETCHES];
  count = course_stretches(&many, LONG * 1e-3, stretches);
  assert_true(count > COURSE_STRETCHES / 2 && count <= COURSE_STRETCHES);
  double width = stretches[1].middle - stretches[0].middle;
  for (size_t s = 0; s + 1 < count; s++) {
    double begin = stretches[s].middle - width / 2, end = begin + width;
    double sum = 0, least = INFINITY, greatest = -INFINITY;
    for (int i = (int)(begin * 1e3); i < LONG && i * 1e-3 < end; i++) {
      double held = fmin((i + 1) * 1e-3, end) - fmax(i * 1e-3, begin);
      if (held < 1e-12) continue;
      sum += held * values[i];
      least = fmin(least, values[i]);
      greatest = fmax(greatest, values[i]);
    }
    assert_true(fabs(stretches[s].mean - sum / width) < 1e-6);
    assert_true(stretches[s].least == least && stretches[s].greatest == greatest);
  }
  arena_close(&arena);
}

static uint64_t chance_state;
static double chance(void) { /* of 0 to 1, neither of them: Marsaglia's xorshift */
  chance_state ^= chance_state << 13;
  chance_state ^= chance_state >> 7;
  chance_state ^= chance_state << 17;
  return ((double)(chance_state >> 12) + 0.5) / 0x1p52;
}

/* Customers of M/M/1 are observed one after another till the interval of their mean stay, 1 / (1 - load), is within
 * 10 %: over many runs it is not low, and none goes on long after. */
static void observations_are_enough(void **state) {
  (void)state;
  enum { RUNS = 300, MOST = 2000000 };
  static struct batches batches;
  double load = 0.5, sum = 0, count = 0;
  int held = 0;
  for (int run = 1; run <= RUNS; run++) {
    chance_state = (uint64_t)run * 0x9e3779b97f4a7c15u;
    batches = (struct batches){0};
    double wait = 0;
    int n = 0;
    for (bool enough = false; !enough && n < MOST; n++) {
      double stay = wait - log(chance());
      batches_add(&batches, stay);
      enough = batches_narrow(&batches, 0.1, 0.95);
      wait = fmax(0, stay + log(chance()) / load);
    }
    struct estimate estimate = batches_estimate(&batches, 0.95);
    sum += estimate.value;
    count += n;
    held += fabs(estimate.value - 1 / (1 - load)) <= estimate.half_width;
  }
  if (sum / RUNS < 0.994 / (1 - load) || held < 0.9 * RUNS || count / RUNS > 25000)
    fail_msg("mean %g, %d of %d held, %g observations", sum / RUNS, held, RUNS, count / RUNS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deviations_do_not_cancel),
      cmocka_unit_test(sums_know_no_order),
      cmocka_unit_test(intervals_are_students),
      cmocka_unit_test(levels_are_weighted_by_time),
      cmocka_unit_test(courses_keep_extremes),
      UNIT_TEST(quantiles_keep_their_error),
      UNIT_TEST(sketches_stay_small),
      UNIT_TEST(grids_keep_sums),
      cmocka_unit_test(warm_ups_are_found),
      cmocka_unit_test(intervals_cover),
      cmocka_unit_test(batch_means_are_what_they_are),
      cmocka_unit_test(skew_batches_reach_farther),
      UNIT_TEST(levels_are_batched_by_time),
      cmocka_unit_test(rounding_is_no_correlation),
      cmocka_unit_test(observations_are_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
