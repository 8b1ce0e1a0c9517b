/* Exact factors of symbolic expressions.  Called by algebra.c and sums.c. */
#include "interp/derive/algebra.h"

#include <math.h>

static struct number inexact(double value) { return (struct number){.real = value}; }

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static struct number reduced(__int128 above, __int128 below) {
  const __int128 most = INT64_MAX;
  if (below < 0) above = -above, below = -below;
  __int128 a = above < 0 ? -above : above, b = below;
  while (b) {
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  if (a > 1) above /= a, below /= a;
  if (above > most || above < -most || below > most) return inexact((double)above / (double)below);
  return (struct number){.exact = true, .above = (int64_t)above, .below = (int64_t)below};
}

struct number number_whole(int64_t value) {
  return reduced(value, 1);
}

struct number number_of_double(double value) {
  double power = 1;
  for (int digits = 0; digits <= 18; digits++, power *= 10) {
    double whole = nearbyint(value * power);
    if (fabs(whole) > 0x1p53) break;
    if (whole / power != value) continue;
    uint64_t below = (uint64_t)power, above = (uint64_t)fabs(whole), divisor = common_divisor(above, below);
    return reduced((__int128)whole / (__int128)divisor, below / divisor);
  }
  return inexact(value);
}

double number_double(struct number number) {
  return number.exact ? (double)number.above / (double)number.below : number.real;
}

struct number number_times(struct number a, struct number b) {
  if (!a.exact || !b.exact) return inexact(number_double(a) * number_double(b));
  return reduced((__int128)a.above * b.above, (__int128)a.below * b.below);
}

struct number number_plus(struct number a, struct number b) {
  __int128 left, right, above;
  if (!a.exact || !b.exact) return inexact(number_double(a) + number_double(b));
  left = (__int128)a.above * b.below;
  right = (__int128)b.above * a.below;
  if (__builtin_add_overflow(left, right, &above)) return inexact(number_double(a) + number_double(b));
  return reduced(above, (__int128)a.below * b.below);
}

struct number number_inverse(struct number a) {
  return a.exact ? reduced(a.below, a.above) : inexact(1 / a.real);
}

bool number_is(struct number number, int64_t value) {
  return number.exact ? number.below == 1 && number.above == value : number.real == (double)value;
}
