/* Arithmetic at its edges: what overflows, what is not defined, how `div` and `mod` round. */
#include "tests/unit/unit.h"

#include "interp/evaluate/arithmetic.h"

static int64_t result(enum operator op, int64_t a, int64_t b) {
  int64_t out = 0;
  assert_int_equal(int_operation(op, a, b, &out), ARITHMETIC_FINE);
  return out;
}

static enum arithmetic status(enum operator op, int64_t a, int64_t b) {
  int64_t out;
  return int_operation(op, a, b, &out);
}

static void whole_division_rounds_down(void **state) {
  (void)state;
  for (int64_t a = -7; a <= 7; a++) {
    for (int64_t b = -3; b <= 3; b++) {
      if (!b) continue;
      int64_t q = result(OP_WHOLE, a, b), r = result(OP_MOD, a, b);
      assert_int_equal(q * b + r, a);
      assert_true(b > 0 ? 0 <= r && r < b : b < r && r <= 0);
    }
  }
  assert_int_equal(result(OP_MOD, INT64_MIN, -1), 0);
  assert_int_equal(status(OP_WHOLE, INT64_MIN, -1), ARITHMETIC_OVERFLOW);
  assert_int_equal(status(OP_WHOLE, 1, 0), ARITHMETIC_ZERO);
  assert_int_equal(status(OP_MOD, 1, 0), ARITHMETIC_ZERO);
}

static void overflow_is_an_error(void **state) {
  (void)state;
  int64_t out;
  assert_int_equal(status(OP_ADD, INT64_MAX, 1), ARITHMETIC_OVERFLOW);
  assert_int_equal(status(OP_SUB, INT64_MIN, 1), ARITHMETIC_OVERFLOW);
  assert_int_equal(status(OP_MUL, INT64_MIN, -1), ARITHMETIC_OVERFLOW);
  assert_int_equal(int_negate(INT64_MIN, &out), ARITHMETIC_OVERFLOW);
  assert_int_equal(result(OP_ADD, INT64_MAX, INT64_MIN), -1);
}

static void powers(void **state) {
  (void)state;
  assert_int_equal(result(OP_POW, 0, 0), 1);
  assert_int_equal(result(OP_POW, -2, 63), INT64_MIN);
  assert_int_equal(result(OP_POW, 3, 39), 4052555153018976267);
  assert_int_equal(result(OP_POW, -1, INT64_MAX), -1);
  assert_int_equal(status(OP_POW, 2, 63), ARITHMETIC_OVERFLOW);
  assert_int_equal(status(OP_POW, 3, 40), ARITHMETIC_OVERFLOW);
  assert_int_equal(status(OP_POW, 2, -1), ARITHMETIC_POWER);
  double real;
  assert_int_equal(real_operation(OP_POW, -8, 1.0 / 3, &real), ARITHMETIC_UNDEFINED);
  assert_int_equal(real_operation(OP_POW, 0, -1, &real), ARITHMETIC_ZERO);
  assert_int_equal(real_operation(OP_POW, 4, 0.5, &real), ARITHMETIC_FINE);
  assert_true(real == 2);
}

static void reals_become_whole_only_where_they_fit(void **state) {
  (void)state;
  int64_t out;
  assert_true(real_to_int(-9223372036854775808.0, &out) && out == INT64_MIN);
  assert_false(real_to_int(9223372036854775808.0, &out));
  assert_false(real_to_int((double)NAN, &out));
  assert_false(real_to_int((double)INFINITY, &out));
  assert_false(real_settled((double)NAN));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_division_rounds_down),
      cmocka_unit_test(overflow_is_an_error),
      cmocka_unit_test(powers),
      cmocka_unit_test(reals_become_whole_only_where_they_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
