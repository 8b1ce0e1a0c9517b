/* Streams and distributions: the same draws for the same names, and the moments that they claim. */
#include "tests/unit/unit.h"

#include "interp/model/distribution.h"
#include <math.h>

static void streams_are_told_apart_by_name(void **state) {
  (void)state;
  struct random_stream a = random_open(1, "rank[0]", 7), b = random_open(1, "rank[0]", 7);
  struct random_stream other = random_open(1, "rank[1]", 7), seed = random_open(2, "rank[0]", 7);
  int same_other = 0, same_seed = 0;
  for (int i = 0; i < 1000; i++) {
    uint64_t x = random_next(&a);
    assert_true(x == random_next(&b));
    same_other += x == random_next(&other);
    same_seed += x == random_next(&seed);
  }
  assert_int_equal(same_other, 0);
  assert_int_equal(same_seed, 0);
  for (int i = 0; i < 1000; i++) {
    double u = random_uniform(&a);
    assert_true(0 <= u && u < 1);
    assert_true(random_below(&a, 7) < 7);
  }
}

/* Mean and variance of 200,000 draws within 5 standard errors or so of what is claimed. */
static void draws_have_the_moments(void **state) {
  struct unit *unit = *state;
  static const struct {
    enum distribution_kind kind;
    uint32_t count;
    double arguments[6], mean, variance;
  } claims[] = {
      {DISTRIBUTION_CONSTANT, 1, {3}, 3, 0},
      {DISTRIBUTION_UNIFORM, 2, {2, 8}, 5, 3},
      {DISTRIBUTION_EXPONENTIAL, 1, {0.005}, 0.005, 0.000025},
      {DISTRIBUTION_NORMAL, 2, {10, 2}, 10, 4},
      {DISTRIBUTION_LOGNORMAL, 2, {4, 1}, 4, 1},
      {DISTRIBUTION_GAMMA, 2, {3, 2}, 6, 12},
      {DISTRIBUTION_ERLANG, 2, {4, 2}, 2, 1},
      {DISTRIBUTION_HYPEREXPONENTIAL, 3, {0.25, 1, 3}, 2.5, 0.5 + 13.5 - 6.25},
      {DISTRIBUTION_WEIBULL, 2, {1, 2}, 2, 4},
      {DISTRIBUTION_PARETO, 2, {6, 5}, 6, 1.5},
      {DISTRIBUTION_TRIANGULAR, 3, {0, 3, 6}, 3, 1.5},
      {DISTRIBUTION_BERNOULLI, 1, {0.3}, 0.3, 0.21},
      {DISTRIBUTION_GEOMETRIC, 1, {0.25}, 4, 12},
      {DISTRIBUTION_POISSON, 1, {2.5}, 2.5, 2.5},
      {DISTRIBUTION_EMPIRICAL, 3, {1, 2, 6}, 3, 14.0 / 3},
      {DISTRIBUTION_WEIGHTED, 6, {1, 2, 6, 5, 0, 3}, 2.875, 375.0 / 64},
      {DISTRIBUTION_HYPOEXPONENTIAL, 3, {1, 2, 0.5}, 3.5, 5.25},
      {DISTRIBUTION_BETA, 4, {2, 3, 10, 20}, 14, 4},
      {DISTRIBUTION_UNIFORM_INT, 2, {-3, 6}, 1.5, 8.25},
      {DISTRIBUTION_BINOMIAL, 2, {20, 0.25}, 5, 3.75},
      {DISTRIBUTION_NEGATIVE_BINOMIAL, 2, {3, 0.25}, 9, 36},
      {DISTRIBUTION_ZIPF, 2, {4, 1}, 1.92, 4.8 - 1.92 * 1.92},
      {DISTRIBUTION_ZIPF, 2, {3, 2}, 66.0 / 49, 108.0 / 49 - 66.0 / 49 * 66 / 49},
      {DISTRIBUTION_ZIPF, 2, {1000, 0}, 500.5, 999999.0 / 12},
  };
  enum { DRAWS = 200000 };
  for (size_t c = 0; c < sizeof claims / sizeof *claims; c++) {
    struct value value;
    char error[200] = "";
    assert_true(distribution_make(&unit->arena, claims[c].kind, claims[c].arguments, claims[c].count, &value, error,
                                  sizeof error));
    double mean = claims[c].mean, variance = claims[c].variance;
    assert_true(fabs(distribution_mean(value.object) - mean) <= 1e-9 * mean);
    assert_true(fabs(distribution_variance(value.object) - variance) <= 1e-9 * (variance + 1));
    struct random_stream stream = random_open(42, "moments", 7);
    double sum = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) {
      double x = distribution_draw(value.object, &stream);
      sum += x;
      square += (x - mean) * (x - mean);
    }
    assert_true(fabs(sum / DRAWS - mean) <= 5 * sqrt(variance / DRAWS) + 1e-12);
    assert_true(fabs(square / DRAWS - variance) <= 0.05 * variance);
  }
}

static void bad_arguments_are_refused(void **state) {
  struct unit *unit = *state;
  static const struct {
    enum distribution_kind kind;
    uint32_t count;
    double arguments[6];
  } bad[] = {
      {DISTRIBUTION_EXPONENTIAL, 1, {-1}},
      {DISTRIBUTION_UNIFORM, 2, {8, 2}},
      {DISTRIBUTION_NORMAL, 2, {0, -1}},
      {DISTRIBUTION_BERNOULLI, 1, {1.5}},
      {DISTRIBUTION_GEOMETRIC, 1, {0}},
      {DISTRIBUTION_ERLANG, 2, {0, 1}},
      {DISTRIBUTION_HYPEREXPONENTIAL, 3, {2, 1, 1}},
      {DISTRIBUTION_EMPIRICAL, 0, {0}},
      {DISTRIBUTION_EXPONENTIAL, 1, {(double)NAN}},
      {DISTRIBUTION_WEIGHTED, 4, {1, 2, 0, 0}},
      {DISTRIBUTION_WEIGHTED, 4, {1, 2, 1, -1}},
      {DISTRIBUTION_HYPOEXPONENTIAL, 0, {0}},
      {DISTRIBUTION_HYPOEXPONENTIAL, 2, {1, -1}},
      {DISTRIBUTION_BETA, 4, {0, 1, 0, 1}},
      {DISTRIBUTION_BETA, 4, {1, 1, 1, 0}},
      {DISTRIBUTION_UNIFORM_INT, 2, {0.5, 1}},
      {DISTRIBUTION_UNIFORM_INT, 2, {2, 1}},
      {DISTRIBUTION_BINOMIAL, 2, {1.5, 0.5}},
      {DISTRIBUTION_NEGATIVE_BINOMIAL, 2, {100, 1e-8}},
      {DISTRIBUTION_ZIPF, 2, {2e6, 1}},
      {DISTRIBUTION_ZIPF, 2, {2, -1}},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct value value;
    char error[200] = "";
    assert_false(
        distribution_make(&unit->arena, bad[i].kind, bad[i].arguments, bad[i].count, &value, error, sizeof error));
    assert_true(error[0] != 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_are_told_apart_by_name),
      UNIT_TEST(draws_have_the_moments),
      UNIT_TEST(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
