/* Operators on tagged values, ranges as intervals.  The reference walker and the folds of built-in functions
 * call it; the arithmetic of plain numbers is arithmetic.h's. */
#include "interp/evaluate/arithmetic.h"
#include "interp/evaluate/evaluate.h"
#include <stdio.h>

static bool is_number(struct value value) {
  return value.kind == VALUE_INT || value.kind == VALUE_REAL || value.kind == VALUE_RANGE;
}

struct interval {
  double low, middle, high; /* middle: with each range at its middle */
};

static struct interval interval_of(struct value value) {
  const struct object *range = value.kind == VALUE_RANGE ? value.object : NULL;
  if (range) return (struct interval){range->range.low, range->range.middle, range->range.high};
  double x = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return (struct interval){x, x, x};
}

/* The hull of four products or quotients. */
static struct interval hull(double a, double b, double c, double d) {
  return (struct interval){.low = real_min(real_min(a, b), real_min(c, d)),
                           .high = real_max(real_max(a, b), real_max(c, d))};
}

static bool refuse(char *error, size_t size, const char *text) {
  snprintf(error, size, "%s", text);
  return false;
}

/* a ^ n for whole n: even powers of an interval over 0 turn at 0. */
static bool interval_power(struct interval a, struct interval power, struct interval *out, char *error, size_t size) {
  double n = power.low;
  if (power.high != n) return refuse(error, size, "the exponent is a range");
  if (n < 0 && a.low <= 0 && a.high >= 0) return refuse(error, size, "division by a range that holds 0");
  if (n != floor(n) && a.low < 0) return refuse(error, size, arithmetic_text(ARITHMETIC_UNDEFINED));
  double low = pow(a.low, n), high = pow(a.high, n);
  *out = hull(low, high, low, high);
  if (a.low < 0 && a.high > 0 && fmod(n, 2) == 0) out->low = n == 0 ? 1 : 0;
  return true;
}

static bool interval_operation(enum operator op, struct interval a, struct interval b, struct interval *out,
                               char *error, size_t size) {
  if (op == OP_ADD)
    *out = (struct interval){.low = a.low + b.low, .high = a.high + b.high};
  else if (op == OP_SUB)
    *out = (struct interval){.low = a.low - b.high, .high = a.high - b.low};
  else if (op == OP_MUL)
    *out = hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
  else if (op == OP_POW)
    return interval_power(a, b, out, error, size);
  else if (op != OP_DIV)
    return refuse(error, size, "div and mod want whole numbers, not a range");
  else if (b.low <= 0 && b.high >= 0)
    return refuse(error, size, b.low == b.high ? "division by zero" : "division by a range that holds 0");
  else
    *out = hull(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
  return true;
}

/* Is it known how each end of one lies to each end of the other? */
static bool ends_comparable(struct interval a, struct interval b, char *error, size_t size) {
  if (real_comparable(a.low, b.low) && real_comparable(a.low, b.high) && real_comparable(a.high, b.low) &&
      real_comparable(a.high, b.high))
    return true;
  bool undefined = isnan(a.low) || isnan(a.high) || isnan(b.low) || isnan(b.high);
  return refuse(error, size,
                undefined ? "a comparison of an undefined number" : "a comparison of two infinite numbers");
}

/* A comparison that holds for all of both intervals or for none of them. */
static bool interval_compare(enum operator op, struct interval a, struct interval b, bool *out, char *error,
                             size_t size) {
  bool never, always;
  if (op == OP_GT || op == OP_GE) return interval_compare(op == OP_GT ? OP_LT : OP_LE, b, a, out, error, size);
  if (op == OP_LT || op == OP_LE) {
    always = op == OP_LT ? a.high < b.low : a.high <= b.low;
    never = op == OP_LT ? a.low >= b.high : a.low > b.high;
  } else {
    bool same = a.low == a.high && b.low == b.high && a.low == b.low, apart = a.high < b.low || b.high < a.low;
    always = op == OP_EQ ? same : apart;
    never = op == OP_EQ ? apart : same;
  }
  *out = always;
  return always || never || refuse(error, size, UNCERTAIN_COMPARISON);
}

static enum certainty interval_in(struct interval inner, struct interval outer) {
  if (outer.low <= inner.low && inner.high <= outer.high) return CERTAINLY;
  bool apart = inner.high < outer.low || outer.high < inner.low || outer.high < outer.low;
  return apart ? CERTAINLY_NOT : UNCERTAIN;
}

/* Is the number in the range? A whole one is compared with whole bounds as such, with others as a real. */
static enum certainty number_in(struct value value, const struct object *range) {
  struct interval number = interval_of(value), outer = {.low = range->range.low, .high = range->range.high};
  if (value.kind != VALUE_INT) return interval_in(number, outer);
  bool above = range->count & WHOLE_LOW ? value.integer >= range->range.first : number.low >= outer.low;
  bool below = range->count & WHOLE_HIGH ? value.integer <= range->range.last : number.high <= outer.high;
  return above && below ? CERTAINLY : CERTAINLY_NOT;
}

enum certainty value_membership(struct value value, struct value range) {
  if (range.kind == VALUE_LIST) {
    enum certainty found = CERTAINLY_NOT;
    for (uint32_t i = 0; i < range.object->count && found != CERTAINLY; i++) {
      enum certainty one = value_equality(value, range.object->items[i]);
      if (one != CERTAINLY_NOT) found = one;
    }
    return found;
  }
  if (range.kind != VALUE_RANGE || !is_number(value)) return value_equality(value, range);
  return number_in(value, range.object);
}

/* An answer that is the same for all numbers of the ranges. */
static bool settled(enum certainty answer, bool wanted, struct value *out, char *error, size_t size) {
  *out = value_boolean((answer == CERTAINLY) == wanted);
  return answer != UNCERTAIN || refuse(error, size, UNCERTAIN_COMPARISON);
}

static bool is_comparison(enum operator op) { return op >= OP_EQ && op <= OP_GE; }

static bool number_binary(struct arena *arena, enum operator op, struct value a, struct value b, struct value *out,
                          char *error, size_t size) {
  if (a.kind == VALUE_RANGE || b.kind == VALUE_RANGE) {
    struct interval result;
    if (is_comparison(op)) {
      out->kind = VALUE_BOOL;
      return ends_comparable(interval_of(a), interval_of(b), error, size) &&
             interval_compare(op, interval_of(a), interval_of(b), &out->boolean, error, size);
    }
    if (!interval_operation(op, interval_of(a), interval_of(b), &result, error, size)) return false;
    enum arithmetic middle = real_operation(op, interval_of(a).middle, interval_of(b).middle, &result.middle);
    *out = value_range(arena, result.low, result.middle, result.high, value_sources(a) | value_sources(b));
    return middle == ARITHMETIC_FINE || refuse(error, size, arithmetic_text(middle));
  }
  enum arithmetic status = ARITHMETIC_FINE;
  if (a.kind == VALUE_INT && b.kind == VALUE_INT && op != OP_DIV) {
    if (is_comparison(op)) {
      *out = value_boolean(int_compare(op, a.integer, b.integer));
      return true;
    }
    *out = value_integer(0);
    status = int_operation(op, a.integer, b.integer, &out->integer);
  } else {
    double x = interval_of(a).low, y = interval_of(b).low;
    if (is_comparison(op)) {
      *out = value_boolean(real_compare(op, x, y));
      return ends_comparable(interval_of(a), interval_of(b), error, size);
    }
    if (op == OP_WHOLE || op == OP_MOD) return refuse(error, size, "div and mod want whole numbers");
    *out = value_real(0);
    status = real_operation(op, x, y, &out->real);
  }
  return status == ARITHMETIC_FINE || refuse(error, size, arithmetic_text(status));
}

/* The number beside what it may lie in: a range, or a list, whose items are finite. */
static bool membership_known(struct value value, struct value range, char *error, size_t size) {
  struct interval numbers = {0};
  if (!is_number(value)) return true;
  if (range.kind == VALUE_RANGE) numbers = interval_of(range);
  return ends_comparable(interval_of(value), numbers, error, size);
}

bool value_binary(struct arena *arena, enum operator op, struct value a, struct value b, struct value *out, char *error,
                  size_t error_size) {
  if (op == OP_IN && !membership_known(a, b, error, error_size)) return false;
  if (op == OP_IN) return settled(value_membership(a, b), true, out, error, error_size);
  if (is_number(a) && is_number(b)) return number_binary(arena, op, a, b, out, error, error_size);
  if (op == OP_EQ || op == OP_NE) return settled(value_equality(a, b), op == OP_EQ, out, error, error_size);
  snprintf(error, error_size, "'%s' wants numbers", operator_text(op));
  return false;
}

bool value_in(struct value value, struct value range) {
  if (range.kind == VALUE_LIST) {
    for (uint32_t i = 0; i < range.object->count; i++)
      if (value_equal(value, range.object->items[i])) return true;
    return false;
  }
  if (range.kind != VALUE_RANGE || !is_number(value)) return value_equal(value, range);
  return number_in(value, range.object) == CERTAINLY;
}
