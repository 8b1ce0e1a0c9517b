/* Floating point of RISC-V, by that of the computer that runs this, which has the same formats: its flags are those of
 * the program, and its rounding for the time of one instruction. */
#include "evaluators/processor/riscv.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

#define NAN_32 0x7fc00000u
#define NAN_64 0x7ff8000000000000u
#define BOX 0xffffffff00000000u

static float single_of(uint64_t bits) {
  uint32_t low = (bits & BOX) == BOX ? (uint32_t)bits : NAN_32;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}
static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static double value_of(uint64_t bits, bool single) { return single ? (double)single_of(bits) : double_of(bits); }
static uint64_t bits_of_single(float value) {
  uint32_t low;
  memcpy(&low, &value, sizeof low);
  return BOX | (isnan(value) ? NAN_32 : low);
}
static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return isnan(value) ? NAN_64 : bits;
}

/* ---- flags and rounding ---- */

static const struct {
  int host;
  uint64_t bit;
} flags[] = {{FE_INEXACT, 1}, {FE_UNDERFLOW, 2}, {FE_OVERFLOW, 4}, {FE_DIVBYZERO, 8}, {FE_INVALID, 16}};

uint64_t riscv_flags(void) {
  uint64_t raised = 0;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (fetestexcept(flags[i].host)) raised |= flags[i].bit;
  return raised;
}

void riscv_set_flags(uint64_t raised) {
  feclearexcept(FE_ALL_EXCEPT);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (raised & flags[i].bit) feraiseexcept(flags[i].host);
}

enum { TO_NEAREST, TO_ZERO, DOWN, UP, TO_LARGER }; /* of halves: to even, to the one that is larger */

static unsigned rounding_of(const struct riscv *r, const struct instruction *i) {
  unsigned mode = i->mode & 7;
  return mode == 7 ? r->now.rounding : mode;
}

static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* ---- arithmetic, in one rounding ---- */

#define COMBINE(name, type, root, fused)                                \
  static type name(enum riscv_operation what, type a, type b, type c) { \
    switch (what) {                                                     \
    case RISCV_FADD: return a + b;                                      \
    case RISCV_FSUB: return a - b;                                      \
    case RISCV_FMUL: return a * b;                                      \
    case RISCV_FDIV: return a / b;                                      \
    case RISCV_FSQRT: return root(a);                                   \
    case RISCV_FMADD: return fused(a, b, c);                            \
    case RISCV_FMSUB: return fused(a, b, -c);                           \
    case RISCV_FNMSUB: return fused(-a, b, c);                          \
    case RISCV_FNMADD: return fused(-a, b, -c);                         \
    default: return a; /* a conversion of one format to another */      \
    }                                                                   \
  }
COMBINE(combine_doubles, double, sqrt, fma)
COMBINE(combine_singles, float, sqrtf, fmaf)
COMBINE(combine_longs, long double, sqrtl, fmal)

/* Infinity times zero is invalid, whatever is added, NaN too, of which other computers say nothing. */
static void check_product(double a, double b) {
  if ((isinf(a) && b == 0) || (a == 0 && isinf(b))) feraiseexcept(FE_INVALID);
}

static uint64_t arithmetic(const struct riscv *r, const struct instruction *i) {
  const uint64_t *f = r->now.floating, a = f[i->a], b = f[i->b], c = f[i->mode >> 3];
  if (i->operation >= RISCV_FMADD && i->operation <= RISCV_FNMADD)
    check_product(value_of(a, i->immediate), value_of(b, i->immediate));
  if (i->immediate) return bits_of_single(combine_singles(i->operation, single_of(a), single_of(b), single_of(c)));
  return bits_of_double(combine_doubles(i->operation, double_of(a), double_of(b), double_of(c)));
}

/* What is exactly half way between two numbers goes to the one that is larger in magnitude, to which other computers
 * do not round. It is there in a longer format, since it has one bit more than they; what that format rounds is no
 * half. */
static uint64_t half_to_larger(const struct riscv *r, const struct instruction *i, bool single, uint64_t nearest) {
  const uint64_t *f = r->now.floating;
  fenv_t before;
  feholdexcept(&before);
  bool formats = i->operation == RISCV_FTOFLOAT; /* from the other one */
  bool given = formats != single;
  volatile long double exact =
      combine_longs(i->operation, value_of(f[i->a], given), value_of(f[i->b], given), value_of(f[i->mode >> 3], given));
  bool known = !fetestexcept(FE_INEXACT);
  long double value = value_of(nearest, single), further = value_of(nearest + 1, single);
  bool half = known && isfinite(exact) && isfinite(further) && exact - value == (further - value) / 2;
  fesetenv(&before);
  return half ? nearest + 1 : nearest;
}

/* ---- conversions ---- */

enum { TO_INT32, TO_UINT32, TO_INT64, TO_UINT64 };

/* The whole number that is meant, or the nearest that the type has, which is invalid. */
static uint64_t whole(double value, unsigned type, unsigned rounding) {
  static const double least[] = {-2147483648.0, 0, -9223372036854775808.0, 0};
  static const double beyond[] = {2147483648.0, 4294967296.0, 9223372036854775808.0, 18446744073709551616.0};
  static const uint64_t first[] = {0xffffffff80000000u, 0, 0x8000000000000000u, 0};
  static const uint64_t last[] = {0x7fffffff, UINT64_MAX, 0x7fffffffffffffff, UINT64_MAX};
  double rounded = rounding == TO_LARGER ? round(value) : nearbyint(value);
  if (!(rounded >= least[type] && rounded < beyond[type])) {
    feraiseexcept(FE_INVALID);
    return rounded < least[type] ? first[type] : last[type];
  }
  if (rounded != value) feraiseexcept(FE_INEXACT);
  if (type == TO_UINT64) return (uint64_t)rounded;
  return type == TO_UINT32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)rounded : (uint64_t)(int64_t)rounded;
}

/* From an integer, rounded once. */
static uint64_t from_whole(uint64_t x, unsigned type, bool single) {
  switch (type) {
  case TO_INT32: return single ? bits_of_single((float)(int32_t)x) : bits_of_double((double)(int32_t)x);
  case TO_UINT32: return single ? bits_of_single((float)(uint32_t)x) : bits_of_double((double)(uint32_t)x);
  case TO_INT64: return single ? bits_of_single((float)(int64_t)x) : bits_of_double((double)(int64_t)x);
  default: return single ? bits_of_single((float)x) : bits_of_double((double)x);
  }
}

/* The same, of two that are equally near the one that is larger in magnitude: glibc's round() wants it. */
static uint64_t from_whole_to_larger(uint64_t x, unsigned type, bool single) {
  int64_t number = type == TO_INT32 ? (int32_t)x : (int64_t)x;
  bool negative = (type == TO_INT32 || type == TO_INT64) && number < 0;
  uint64_t magnitude = type == TO_UINT32 ? (uint32_t)x : negative ? -(uint64_t)number : (uint64_t)number;
  int bits = magnitude ? 64 - __builtin_clzll(magnitude) : 0, kept = single ? FLT_MANT_DIG : DBL_MANT_DIG;
  if (bits <= kept) return from_whole(x, type, single);
  int dropped = bits - kept;
  uint64_t quotient = (magnitude >> dropped) + (magnitude >> (dropped - 1) & 1);
  if (magnitude & ((UINT64_C(1) << dropped) - 1)) feraiseexcept(FE_INEXACT);
  double value = ldexp(negative ? -(double)quotient : (double)quotient, dropped);
  return single ? bits_of_single((float)value) : bits_of_double(value);
}

/* ---- comparisons and others, without rounding ---- */

/* By bits: a comparison of NaN could raise a flag. */
static bool is_nan(uint64_t bits, bool single) {
  if (single) return (bits & BOX) != BOX || (bits & 0x7fffffff) > 0x7f800000;
  return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}
static bool is_signalling(uint64_t bits, bool single) {
  return is_nan(bits, single) && (single ? (bits & BOX) == BOX && !(bits & 0x400000) : !(bits & 0x8000000000000));
}

static uint64_t boxed(uint64_t bits, bool single) { return single && (bits & BOX) != BOX ? BOX | NAN_32 : bits; }

/* The lesser of two, or the greater; of a number and NaN the number; -0 is less than 0. */
static uint64_t extreme(uint64_t a, uint64_t b, bool greater, bool single) {
  if (is_signalling(a, single) || is_signalling(b, single)) feraiseexcept(FE_INVALID);
  a = boxed(a, single), b = boxed(b, single);
  bool nan_a = is_nan(a, single), nan_b = is_nan(b, single);
  if (nan_a && nan_b) return single ? BOX | NAN_32 : NAN_64;
  if (nan_a || nan_b) return nan_a ? b : a;
  double va = value_of(a, single), vb = value_of(b, single);
  bool a_less = va < vb || (va == vb && signbit(va));
  return a_less != greater ? a : b;
}

static uint64_t compared(uint64_t a, uint64_t b, unsigned how, bool single) {
  if (single) {
    float x = single_of(a), y = single_of(b);
    return how == 2 ? x == y : how == 1 ? x < y : x <= y;
  }
  double x = double_of(a), y = double_of(b);
  return how == 2 ? x == y : how == 1 ? x < y : x <= y;
}

static uint64_t classified(uint64_t bits, bool single) {
  bits = boxed(bits, single);
  if (is_nan(bits, single)) return is_signalling(bits, single) ? 1 << 8 : 1 << 9;
  bool negative = single ? bits >> 31 & 1 : bits >> 63;
  uint64_t most = single ? 255 : 2047, exponent = single ? bits >> 23 & 255 : bits >> 52 & 2047;
  uint64_t fraction = bits & (single ? 0x7fffff : 0xfffffffffffff);
  unsigned place = exponent == most ? 0 : exponent ? 1 : fraction ? 2 : 3;
  return 1u << (negative ? place : 7 - place);
}

static uint64_t with_sign(uint64_t a, uint64_t b, unsigned how, bool single) {
  uint64_t mask = single ? 0x80000000u : 0x8000000000000000u;
  a = boxed(a, single), b = boxed(b, single);
  uint64_t sign = how == 0 ? b : how == 1 ? ~b : a ^ b;
  return (a & ~mask) | (sign & mask);
}

static uint64_t other_size(uint64_t bits, bool single) {
  return single ? bits_of_single((float)double_of(bits)) : bits_of_double((double)single_of(bits));
}

static void rounded_operation(struct riscv *r, const struct instruction *i, unsigned rounding) {
  uint64_t *x = r->now.integer, *f = r->now.floating;
  switch (i->operation) {
  case RISCV_FTOINT: x[i->c] = whole(value_of(f[i->a], i->immediate), i->b, rounding); break;
  case RISCV_FFROMINT:
    f[i->c] = rounding == TO_LARGER ? from_whole_to_larger(x[i->a], i->b, i->immediate)
                                    : from_whole(x[i->a], i->b, i->immediate);
    break;
  default: {
    uint64_t nearest = i->operation == RISCV_FTOFLOAT ? other_size(f[i->a], i->immediate) : arithmetic(r, i);
    f[i->c] = rounding == TO_LARGER ? half_to_larger(r, i, i->immediate, nearest) : nearest;
  }
  }
}

void riscv_float(struct riscv *r, const struct instruction *i) {
  uint64_t *x = r->now.integer, *f = r->now.floating, a = f[i->a], b = f[i->b];
  bool single = i->immediate;
  if (r->program.speculative && !r->flags_kept) {
    r->flags = fetestexcept(FE_ALL_EXCEPT);
    r->flags_kept = true;
  }
  switch (i->operation) {
  case RISCV_FSGNJ: f[i->c] = with_sign(a, b, i->mode, single); return;
  case RISCV_FMINMAX: f[i->c] = extreme(a, b, i->mode, single); return;
  case RISCV_FCMP: x[i->c] = compared(a, b, i->mode, single); return;
  case RISCV_FCLASS: x[i->c] = classified(a, single); return;
  case RISCV_FMVX: x[i->c] = single ? (uint64_t)(int64_t)(int32_t)a : a; return;
  case RISCV_FMVF: f[i->c] = single ? BOX | (uint32_t)x[i->a] : x[i->a]; return;
  default: break;
  }
  unsigned rounding = rounding_of(r, i);
  if (rounding > TO_LARGER) {
    program_fault(&r->program, "rounding mode %u, which is not supported", rounding);
    return;
  }
  if (rounding == TO_NEAREST || rounding == TO_LARGER) {
    rounded_operation(r, i, rounding);
    return;
  }
  fesetround(host_rounding[rounding]);
  rounded_operation(r, i, rounding);
  fesetround(FE_TONEAREST);
}
