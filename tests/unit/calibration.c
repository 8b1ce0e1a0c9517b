/* What psl calibrate makes of runs with less of the caches, and of memory that is touched first, by hand. */
#include "tests/unit/unit.h"

#include "interp/compile/calibration.h"
#include <math.h>

static void near_to(double value, double wanted) {
  if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted))) fail_msg("%.17g is not %.17g", value, wanted);
}

/* Data go as the square root of work: twice as much data is four times as much work. */
static void factors_go_on(void **state) {
  (void)state;
  const double times[] = {2, 4, 8, 16}, ratios[] = {1.0, 1.5, 1.4, 2.0};
  const double data[] = {100, 200, 400}, work[] = {1, 4, 16};
  double growth = calibrate_growth(data, work, 3);
  near_to(growth, 0.5);
  struct nest_factor factors[6] = {{.work = 0, .value = 3, .low = 2, .high = 4}};
  struct nest_fit fit = {.factors = factors, .count = 1, .least = 1, .greatest = 16};
  calibrate_beyond(&fit, times, ratios, 4, growth);
  assert_int_equal(fit.count, 5);
  const double works[] = {16, 64, 256, 1024, 4096}, values[] = {3, 3, 4.5, 4.5, 6};
  for (size_t i = 0; i < fit.count; i++) {
    near_to(factors[i].work, works[i]);
    near_to(factors[i].value, values[i]);
    assert_true(factors[i].beyond == (i > 0));
  }
  near_to(calibrated_factor(&fit, 160), 3.75);
  near_to(calibrated_factor(&fit, 1e9), 6);
  near_to(calibrated_factor(&fit, 2), 3);
}

/* What does not change is not written; noise is none. */
static void the_same_is_said_once(void **state) {
  (void)state;
  const double times[] = {2, 4, 8, 16}, noise[] = {1.0, 1.02, 0.97, 1.03}, step[] = {1.2, 1.2, 1.2, 1.2};
  struct nest_factor factors[7] = {{.work = 1, .value = 1}, {.work = 2, .value = 2}};
  struct nest_fit fit = {.factors = factors, .count = 2, .least = 1, .greatest = 2};
  calibrate_beyond(&fit, times, noise, 4, 1);
  assert_int_equal(fit.count, 2);
  calibrate_beyond(&fit, times, step, 4, 0); /* how data grow is not known */
  assert_int_equal(fit.count, 2);
  calibrate_beyond(&fit, times, step, 4, 1);
  assert_int_equal(fit.count, 3);
  near_to(factors[2].work, 4);
  near_to(factors[2].value, 2.4);
}

static void growth_may_not_be_seen(void **state) {
  (void)state;
  const double data[] = {100, 200, 50}, same[] = {3, 3, 3}, none[] = {0, 0, 0}, work[] = {1, 2, 4};
  near_to(calibrate_growth(data, same, 3), 0);
  near_to(calibrate_growth(none, work, 3), 0);
  near_to(calibrate_growth(data, work, 3), 0); /* it falls */
  near_to(calibrate_growth(data, work, 2), 1);
}

/* Two nests, one of which touches none; the first run had 10 pages a rank, the second 40. */
static void pages_take_their_time(void **state) {
  (void)state;
  double quick[] = {1e-3, 1.1e-3}, slow[] = {4e-3, 4.2e-3};
  double first[] = {1e-3 + 20e-6, 1.1e-3 + 25e-6}, second[] = {4e-3 + 90e-6, 4.2e-3 + 80e-6};
  const struct nest_shape touches[] = {
      {.work = 40e-6, .entries = 20, .program_entries = 20, .totals = first, .times = quick, .pages = 20},
      {.work = 160e-6, .entries = 20, .program_entries = 20, .totals = second, .times = slow, .pages = 80}};
  const struct nest_shape others[] = {{.work = 1, .entries = 1, .program_entries = 1, .totals = slow, .times = quick},
                                      {.work = 1, .entries = 1, .program_entries = 1, .totals = slow, .times = slow}};
  const struct nest_shape *const nests[] = {touches, others};
  double page = calibrate_page(nests, 2, 2, 2);
  near_to(page, 1e-6);
  near_to(calibrate_first(touches, 2, page, 2), 40e-6 / 8e-6);
  near_to(calibrate_first(others, 2, page, 2), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_go_on),
      cmocka_unit_test(the_same_is_said_once),
      cmocka_unit_test(growth_may_not_be_seen),
      cmocka_unit_test(pages_take_their_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
