/* Digits of numbers, the bytes that printf gives, without its time: a row of a study has dozens of numbers.
 *
 * A double is m * 2^-s. Where it is neither huge nor tiny, m * 10^k, with the k by which 17 digits stand before the
 * point, is a whole number of less than 192 bits, so that digits, what is left over, and whether fewer digits bring
 * back the same double are found exactly. All else is left to printf. */
#include "grammar/digits.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

enum { MOST = 17, LEAST = 15, MANTISSA = 52, TEN_MOST = 18 };

static const uint64_t tens[TEN_MOST + 1] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
};

static wide power_of_ten(int k) { return k <= TEN_MOST ? tens[k] : (wide)tens[TEN_MOST] * tens[k - TEN_MOST]; }

/* A value times 10^k: `whole` has 17 digits, and rest / 2^shift is what it has besides. */
struct scaled {
  uint64_t mantissa, whole;
  wide rest, power;
  int shift;
  int exponent; /* of the first digit */
};

/* digits * 10^(exponent - how many there are + 1) */
struct decimal {
  uint64_t digits;
  int exponent, precision;
};

static void scale(struct scaled *scaled, int exponent) {
  int shift = scaled->shift;
  scaled->exponent = exponent;
  scaled->power = power_of_ten(MOST - 1 - exponent);
  wide low = (wide)scaled->mantissa * (uint64_t)scaled->power;
  wide high = (wide)scaled->mantissa * (uint64_t)(scaled->power >> 64) + (low >> 64);
  low = (uint64_t)low;
  if (shift < 64) {
    scaled->whole = (uint64_t)(high << (64 - shift)) | (uint64_t)low >> shift;
    scaled->rest = low & (((uint64_t)1 << shift) - 1);
  } else {
    scaled->whole = (uint64_t)(high >> (shift - 64));
    scaled->rest = (high & (((wide)1 << (shift - 64)) - 1)) << 64 | low;
  }
}

/* Rounded to so many digits, a tie to the even one, as printf does. */
static struct decimal rounded(const struct scaled *scaled, int precision) {
  uint64_t unit = tens[MOST - precision], digits = scaled->whole / unit, over = scaled->whole % unit;
  wide half = (wide)1 << (scaled->shift - 1);
  int above = unit == 1                                               ? (scaled->rest > half) - (scaled->rest < half)
              : over > unit / 2 || (over == unit / 2 && scaled->rest) ? 1
                                                                      : -(over < unit / 2);
  if (above > 0 || (above == 0 && digits % 2)) digits++;
  struct decimal decimal = {digits, scaled->exponent, precision};
  if (digits == tens[precision]) {
    decimal.digits /= 10;
    decimal.exponent++;
  }
  return decimal;
}

/* Is the double that is next to these digits the value? Neighbours are 10^k apart, where the value is no power of 2. */
static bool brings_back(const struct scaled *scaled, const struct decimal *decimal) {
  int places = MOST - decimal->precision + decimal->exponent - scaled->exponent;
  uint64_t given = decimal->digits * tens[places];
  wide apart = given > scaled->whole ? ((wide)(given - scaled->whole) << scaled->shift) - scaled->rest
                                     : ((wide)(scaled->whole - given) << scaled->shift) + scaled->rest;
  return 2 * apart < scaled->power || (2 * apart == scaled->power && scaled->mantissa % 2 == 0);
}

/* The last digits of a number, before `end`: at least so many. */
static char *put_back(char *end, uint64_t number, int least) {
  for (; number || least > 0; least--, number /= 10)
    *--end = (char)('0' + number % 10);
  return end;
}

static char *put_bytes(char *to, const char *bytes, int count) {
  memcpy(to, bytes, (size_t)count);
  return to + count;
}

/* As %g lays them out. */
static char *put_decimal(char *to, struct decimal decimal) {
  char digits[MOST];
  int exponent = decimal.exponent, count = decimal.precision;
  put_back(digits + count, decimal.digits, count);
  while (count > 1 && digits[count - 1] == '0')
    count--;
  bool scientific = exponent < -4 || exponent >= decimal.precision;
  int before = scientific ? 1 : exponent + 1; /* the point */
  for (int i = before; i < 1; i++) {
    to = put_bytes(to, "0.", i == before ? 2 : 0);
    if (i > before) *to++ = '0';
  }
  to = put_bytes(to, digits, before < 1 ? count : before < count ? before : count);
  for (int i = count; i < before; i++)
    *to++ = '0';
  if (before >= 1 && before < count) {
    *to++ = '.';
    to = put_bytes(to, digits + before, count - before);
  }
  if (!scientific) return to;
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  char power[4], *end = power + sizeof power, *begin = put_back(end, (uint64_t)abs(exponent), 2);
  return put_bytes(to, begin, (int)(end - begin));
}

static int put_whole(char *to, double value) {
  char digits[MOST], *end = digits + sizeof digits, *begin = put_back(end, (uint64_t)fabs(value), 1), *at = to;
  if (signbit(value)) *at++ = '-';
  at = put_bytes(at, begin, (int)(end - begin));
  *at = '\0';
  return (int)(at - to);
}

/* No two decimal numbers of DBL_DIG digits are the same double, and %g leaves zeros at the end out: where that many
 * do, they are as few as can be. */
static int put_by_printf(char *to, double value, int step) {
  int precision = fabs(value) >= DBL_MIN ? LEAST : step == 1 ? 1 : LEAST, length = 0;
  for (; precision <= MOST; precision += step) {
    length = snprintf(to, DIGITS_ROOM, "%.*g", precision, value);
    if (strtod(to, NULL) == value) break;
  }
  return length;
}

int digits_put(char to[DIGITS_ROOM], double value, int step) {
  double size = fabs(value);
  uint64_t bits;
  if (value == floor(value) && size < 1e15) return put_whole(to, value);
  memcpy(&bits, &size, sizeof bits);
  uint64_t below = ((uint64_t)1 << MANTISSA) - 1;
  if (!(size >= 0x1p-60 && size < 1e15) || !(bits & below)) return put_by_printf(to, value, step);
  int exponent = (int)(bits >> MANTISSA) - (DBL_MAX_EXP - 1); /* of 2 */
  struct scaled scaled = {.mantissa = (bits & below) | (below + 1), .shift = MANTISSA - exponent};
  int guess = exponent * 1233 >> 12; /* log10 of 2 is 0.30103: it, or one less than the exponent of 10 */
  scale(&scaled, guess);
  if (scaled.whole >= tens[MOST]) scale(&scaled, guess + 1);
  struct decimal decimal;
  for (int precision = LEAST;; precision += step) {
    decimal = rounded(&scaled, precision);
    if (precision == MOST || brings_back(&scaled, &decimal)) break;
  }
  char *at = to;
  if (value < 0) *at++ = '-';
  at = put_decimal(at, decimal);
  *at = '\0';
  return (int)(at - to);
}
