/* Arithmetic of PSL on plain numbers, shared by the reference walker and compiled code, so that both
 * do the same operations in the same order.
 *
 * Whole numbers have 64 bits and overflow is an error.  `div` rounds down and `mod` has the sign of the
 * divisor: (-1) div 4 == -1, (-1) mod 4 == 3, and a == (a div b) * b + a mod b.  `/` is real, by zero an
 * error.  Real arithmetic is IEEE 754's double, to nearest; an infinite or undefined result is no error on the
 * way, but is one where the expression ends (evaluate, real_settled). What is undefined stays so on that way, and a
 * comparison that it would decide is an error (real_comparable), so that nothing hides it. */
#ifndef PSL_ARITHMETIC_H
#define PSL_ARITHMETIC_H
#include "grammar/ast.h"
#include <math.h>

enum arithmetic { ARITHMETIC_FINE, ARITHMETIC_OVERFLOW, ARITHMETIC_ZERO, ARITHMETIC_POWER, ARITHMETIC_UNDEFINED };

/* What an error is called in a diagnostic. */
static inline const char *arithmetic_text(enum arithmetic status) {
  switch (status) {
  case ARITHMETIC_FINE: return "";
  case ARITHMETIC_OVERFLOW: return "the result does not fit 64 bits";
  case ARITHMETIC_ZERO: return "division by zero";
  case ARITHMETIC_POWER: return "a whole number to a negative power is not whole";
  case ARITHMETIC_UNDEFINED: return "a negative number to a power that is not whole";
  }
  return "";
}

static inline enum arithmetic int_add(int64_t a, int64_t b, int64_t *out) {
  return __builtin_add_overflow(a, b, out) ? ARITHMETIC_OVERFLOW : ARITHMETIC_FINE;
}
static inline enum arithmetic int_subtract(int64_t a, int64_t b, int64_t *out) {
  return __builtin_sub_overflow(a, b, out) ? ARITHMETIC_OVERFLOW : ARITHMETIC_FINE;
}
static inline enum arithmetic int_multiply(int64_t a, int64_t b, int64_t *out) {
  return __builtin_mul_overflow(a, b, out) ? ARITHMETIC_OVERFLOW : ARITHMETIC_FINE;
}
static inline enum arithmetic int_negate(int64_t a, int64_t *out) { return int_subtract(0, a, out); }
/* a div b, rounded down. */
static inline enum arithmetic int_divide(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 && (b & (b - 1)) == 0) { /* as distances that double are; a division takes a processor long */
    *out = a >> __builtin_ctzll((uint64_t)b);
    return ARITHMETIC_FINE;
  }
  if (b == 0) return ARITHMETIC_ZERO;
  if (b == -1) return int_negate(a, out);
  int64_t quotient = a / b;
  *out = quotient - (a % b != 0 && (a < 0) != (b < 0));
  return ARITHMETIC_FINE;
}
/* a mod b, 0 or of b's sign. */
static inline enum arithmetic int_modulo(int64_t a, int64_t b, int64_t *out) {
  if (b == 0) return ARITHMETIC_ZERO;
  int64_t rest = b == -1 ? 0 : a % b;
  *out = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  return ARITHMETIC_FINE;
}
/* a ^ b; 0 ^ 0 is 1. */
static inline enum arithmetic int_power(int64_t a, int64_t b, int64_t *out) {
  if (b < 0) return ARITHMETIC_POWER;
  int64_t result = 1;
  for (;;) {
    if ((b & 1) && __builtin_mul_overflow(result, a, &result)) return ARITHMETIC_OVERFLOW;
    b >>= 1;
    if (!b) break;
    if (__builtin_mul_overflow(a, a, &a)) return ARITHMETIC_OVERFLOW;
  }
  *out = result;
  return ARITHMETIC_FINE;
}

static inline enum arithmetic real_divide(double a, double b, double *out) {
  if (b == 0) return ARITHMETIC_ZERO;
  *out = a / b;
  return ARITHMETIC_FINE;
}
static inline enum arithmetic real_power(double a, double b, double *out) {
  if (a == 0 && b < 0) return ARITHMETIC_ZERO;
  bool undefined = isnan(a) || isnan(b); /* C has 1 for anything to the power 0, and for 1 to any power */
  *out = undefined ? NAN : pow(a, b);
  return a < 0 && isnan(*out) && !undefined ? ARITHMETIC_UNDEFINED : ARITHMETIC_FINE;
}

/* OP_ADD .. OP_POW of whole numbers but OP_DIV, which is real (real_operation). */
static inline enum arithmetic int_operation(enum operator op, int64_t a, int64_t b, int64_t *out) {
  if (op == OP_ADD) return int_add(a, b, out);
  if (op == OP_SUB) return int_subtract(a, b, out);
  if (op == OP_MUL) return int_multiply(a, b, out);
  if (op == OP_WHOLE) return int_divide(a, b, out);
  if (op == OP_MOD) return int_modulo(a, b, out);
  return int_power(a, b, out);
}
/* OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW. */
static inline enum arithmetic real_operation(enum operator op, double a, double b, double *out) {
  if (op == OP_ADD)
    *out = a + b;
  else if (op == OP_SUB)
    *out = a - b;
  else if (op == OP_MUL)
    *out = a * b;
  else if (op == OP_DIV)
    return real_divide(a, b, out);
  else
    return real_power(a, b, out);
  return ARITHMETIC_FINE;
}
/* OP_EQ .. OP_GE. */
static inline bool int_compare(enum operator op, int64_t a, int64_t b) {
  return op == OP_EQ   ? a == b
         : op == OP_NE ? a != b
         : op == OP_LT ? a < b
         : op == OP_LE ? a <= b
         : op == OP_GT ? a > b
                       : a >= b;
}
static inline bool real_compare(enum operator op, double a, double b) {
  return op == OP_EQ   ? a == b
         : op == OP_NE ? a != b
         : op == OP_LT ? a < b
         : op == OP_LE ? a <= b
         : op == OP_GT ? a > b
                       : a >= b;
}
/* Is it known which is less? Not where one is undefined, nor of two that have both become infinite. */
static inline bool real_comparable(double a, double b) { return !isnan(a - b); }
static inline double real_max(double a, double b) { return a < b || isnan(b) ? b : a; }
static inline double real_min(double a, double b) { return b < a || isnan(b) ? b : a; }
/* A whole real as an int; false where it does not fit (or is no number). */
static inline bool real_to_int(double x, int64_t *out) {
  if (!(x >= -9223372036854775808.0 && x < 9223372036854775808.0)) return false;
  *out = (int64_t)x;
  return true;
}
/* A number as written times its unit's factor: divided by the whole number that 1 / factor is, where it is
 * one, since 1e-6 is no double and 1e6 is: 5 us is the double nearest to 0.000005. */
static inline double real_of_unit(double written, double factor) {
  double parts = 1 / factor, whole = rint(parts);
  return whole > 1 && fabs(parts - whole) < whole * 0x1p-50 ? written / whole : written * factor;
}
/* May an expression end with this? */
static inline bool real_settled(double x) { return isfinite(x); }
#endif
