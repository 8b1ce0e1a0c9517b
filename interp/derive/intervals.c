/* Symbolic expressions in numbers: their values, the bounds of these where names lie in intervals, and the bounds of
 * how fast they rise with a name.  Called for predictions, for what is decided whatever the params are, and for bounds.
*/
#include "interp/derive/algebra.h"

#include <math.h>
#include <string.h>

enum { SUMMED_MOST = 1000000 };

static struct interval exactly(double value) { return (struct interval){value, value}; }
static struct interval anything(void) { return (struct interval){-INFINITY, INFINITY}; }

/* 0 times what is not bounded is 0: the bound is no value. */
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static struct interval product(struct interval a, struct interval b) {
  double all[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  struct interval result = exactly(all[0]);
  for (int k = 1; k < 4; k++) {
    result.low = fmin(result.low, all[k]);
    result.high = fmax(result.high, all[k]);
  }
  return result;
}

static struct interval added(struct interval a, struct interval b) {
  return (struct interval){a.low == -INFINITY || b.low == -INFINITY ? -INFINITY : a.low + b.low,
                           a.high == INFINITY || b.high == INFINITY ? INFINITY : a.high + b.high};
}

static struct interval hull(struct interval a, struct interval b) {
  return (struct interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static struct interval inverted(struct interval a) {
  if (a.low <= 0 && a.high >= 0) {
    if (a.low == 0 && a.high > 0) return (struct interval){1 / a.high, INFINITY};
    return a.high == 0 && a.low < 0 ? (struct interval){-INFINITY, 1 / a.low} : anything();
  }
  return (struct interval){1 / a.high, 1 / a.low};
}

static struct interval raised(struct interval a, int64_t power) {
  if (power < 0) return inverted(raised(a, -power));
  struct interval ends = {pow(a.low, (double)power), pow(a.high, (double)power)};
  if (power % 2) return ends;
  if (a.low >= 0) return ends;
  if (a.high <= 0) return (struct interval){ends.high, ends.low};
  return (struct interval){0, fmax(ends.low, ends.high)};
}

static struct interval monotone(double (*function)(double), struct interval a) {
  return (struct interval){function(a.low), function(a.high)};
}

static struct interval quotient(struct interval a, struct interval b) {
  if (b.low <= 0 && b.high >= 0) return product(a, inverted(b));
  double all[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  struct interval result = exactly(all[0]);
  for (int k = 0; k < 4; k++) {
    if (isnan(all[k])) return anything();
    result = hull(result, exactly(all[k]));
  }
  return result;
}

static double floor_mod(double a, double b) { return a - b * floor(a / b); }

static struct interval rest_of(struct interval a, struct interval b) {
  if (a.low == a.high && b.low == b.high && b.low != 0) return exactly(floor_mod(a.low, b.low));
  if (!(b.low > 0)) return anything();
  if (a.low >= 0 && a.high < b.low) return a;
  return (struct interval){0, b.high == INFINITY ? (a.low >= 0 ? a.high : INFINITY) : b.high - 1};
}

static struct interval general_power(struct interval a, struct interval b) {
  if (!(a.low > 0) && !(a.low == 0 && b.low > 0)) return anything();
  double all[] = {pow(a.low, b.low), pow(a.low, b.high), pow(a.high, b.low), pow(a.high, b.high)};
  struct interval result = exactly(all[0]);
  for (int k = 1; k < 4; k++)
    result = hull(result, exactly(all[k]));
  return isnan(result.low) || isnan(result.high) ? anything() : result;
}

static const struct function_row {
  const char *name;
  double (*function)(double);
  double least; /* below this it is not defined; of all that rise */
} functions[] = {{"sqrt", sqrt, 0}, {"log2", log2, 0}, {"log10", log10, 0},
                 {"log", log, 0},   {"ln", log, 0},    {"exp", exp, -INFINITY}};

static struct interval called(struct settings *s, const char *name, struct interval a) {
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    if (strcmp(functions[k].name, name)) continue;
    if (a.high < functions[k].least) s->failed = true;
    if (a.low < functions[k].least) a.low = functions[k].least;
    return monotone(functions[k].function, a);
  }
  return anything();
}

static struct interval name_interval(const struct settings *s, const struct atom *name) {
  if (s->at && name->id < s->count && !isnan(s->at[name->id].low)) return s->at[name->id];
  return (struct interval){name->low, name->high};
}

/* A sum between bounds that are no numbers: of as many turns as there may be, each of which may be any. */
static struct interval sum_between(struct settings *s, const struct atom *atom, struct interval low,
                                   struct interval high) {
  struct interval body, turns = {fmax(0, high.low - low.high + 1), fmax(0, high.high - low.low + 1)};
  struct atom *variable = (struct atom *)atom->variable;
  struct interval before = {variable->low, variable->high};
  variable->low = fmax(before.low, low.low);
  variable->high = fmin(before.high, high.high);
  if (variable->low > variable->high) variable->low = variable->high;
  body = poly_interval(s, atom->args[2]);
  variable->low = before.low;
  variable->high = before.high;
  return product(turns, body);
}

static struct interval sum_of(struct settings *s, const struct atom *atom,
                              struct interval (*of)(struct settings *, const struct poly *, const struct atom *),
                              const struct atom *name) {
  struct interval low = poly_interval(s, atom->args[0]), high = poly_interval(s, atom->args[1]);
  struct atom *variable = (struct atom *)atom->variable;
  struct interval result = exactly(0), before = {variable->low, variable->high};
  if (low.low != low.high || high.low != high.high || !(high.high - low.low < SUMMED_MOST)) {
    if (s->at) s->failed |= low.low == low.high && high.low == high.high;
    return sum_between(s, atom, low, high);
  }
  for (double k = low.low; k <= high.low; k++) {
    variable->low = variable->high = k;
    result = added(result, of(s, atom->args[2], name));
  }
  variable->low = before.low;
  variable->high = before.high;
  return result;
}

static struct interval plain_interval(struct settings *s, const struct poly *a, const struct atom *name) {
  (void)name;
  return poly_interval(s, a);
}

/* Of each value of the variable between numbers, else of all that there may be at once. */
static struct interval most_of(struct settings *s, const struct atom *atom) {
  struct interval low = poly_interval(s, atom->args[0]), high = poly_interval(s, atom->args[1]);
  struct atom *variable = (struct atom *)atom->variable;
  struct interval result = {-INFINITY, -INFINITY}, before = {variable->low, variable->high};
  bool apart = low.low == low.high && high.low == high.high && high.high - low.low < SUMMED_MOST;
  if (!apart) {
    if (s->at) s->failed |= low.low == low.high && high.low == high.high;
    variable->low = fmax(before.low, low.low);
    variable->high = fmax(variable->low, fmin(before.high, high.high));
    result = poly_interval(s, atom->args[2]);
  }
  for (double k = low.low; apart && k <= high.low; k++) {
    variable->low = variable->high = k;
    struct interval one = poly_interval(s, atom->args[2]);
    result = (struct interval){fmax(result.low, one.low), fmax(result.high, one.high)};
  }
  variable->low = before.low;
  variable->high = before.high;
  return result;
}

static struct interval atom_interval(struct settings *s, const struct atom *atom) {
  struct interval a = {0, 0}, b = {0, 0};
  bool plain = atom->kind != ATOM_SUM && atom->kind != ATOM_MOST;
  if (atom->arg_count && plain) a = poly_interval(s, atom->args[0]);
  if (atom->arg_count > 1 && plain) b = poly_interval(s, atom->args[1]);
  switch (atom->kind) {
  case ATOM_UNIT: return exactly(1);
  case ATOM_NAME: return name_interval(s, atom);
  case ATOM_NOT_LESS: return (struct interval){a.low >= 0, a.high >= 0};
  case ATOM_ZERO: return (struct interval){a.low == 0 && a.high == 0, a.low <= 0 && a.high >= 0};
  case ATOM_MAX: return (struct interval){fmax(a.low, b.low), fmax(a.high, b.high)};
  case ATOM_MIN: return (struct interval){fmin(a.low, b.low), fmin(a.high, b.high)};
  case ATOM_DIV: return monotone(floor, quotient(a, b));
  case ATOM_MOD: return rest_of(a, b);
  case ATOM_FLOOR: return monotone(floor, a);
  case ATOM_CEIL: return monotone(ceil, a);
  case ATOM_ROUND: return monotone(round, a);
  case ATOM_POWER: return general_power(a, b);
  case ATOM_FUNCTION: return called(s, atom->name, a);
  case ATOM_GROUP: return a;
  case ATOM_MOST: return most_of(s, atom);
  case ATOM_SUM: return sum_of(s, atom, plain_interval, NULL);
  }
  return anything();
}

struct interval poly_interval(struct settings *s, const struct poly *a) {
  struct interval result = exactly(0);
  for (uint32_t k = 0; k < a->count; k++) {
    struct interval term = exactly(number_double(a->terms[k].by));
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      if (term.low == 0 && term.high == 0) break; /* what is not taken need not be defined */
      const struct poly_factor *factor = &a->terms[k].factors[a->terms[k].count - 1 - f];
      term = product(term, raised(atom_interval(s, factor->atom), factor->power));
    }
    result = added(result, term);
  }
  return isnan(result.low) || isnan(result.high) ? anything() : result;
}

double poly_value(struct settings *s, const struct poly *a) {
  struct interval value = poly_interval(s, a);
  if (!isfinite(value.low) || value.low != value.high) s->failed = true;
  return value.low;
}

/* ---- slopes ---- */

/* Of what rises, in steps or not, wherever its argument does. */
static struct interval by_direction(struct interval slope) {
  return (struct interval){slope.low >= 0 ? 0 : -INFINITY, slope.high <= 0 ? 0 : INFINITY};
}

static struct interval negated(struct interval a) { return (struct interval){-a.high, -a.low}; }

static struct interval quotient_slope(struct settings *s, const struct atom *atom, const struct atom *name) {
  struct interval a = poly_interval(s, atom->args[0]), b = inverted(poly_interval(s, atom->args[1]));
  struct interval up = product(poly_slope(s, atom->args[0], name), b);
  struct interval down = product(a, product(product(b, b), poly_slope(s, atom->args[1], name)));
  return added(up, negated(down));
}

static struct interval power_slope(struct settings *s, const struct atom *atom, const struct atom *name) {
  struct interval base = poly_interval(s, atom->args[0]), power = poly_interval(s, atom->args[1]);
  if (!(base.low > 0)) return anything();
  if (poly_reads(atom->args[1], name)) {
    bool rises = base.low >= 1, falls = base.high <= 1;
    struct interval slope = poly_slope(s, atom->args[1], name);
    if (poly_reads(atom->args[0], name) || (!rises && !falls)) return anything();
    return by_direction(rises ? slope : negated(slope));
  }
  struct interval less = general_power(base, (struct interval){power.low - 1, power.high - 1});
  return product(product(power, less), poly_slope(s, atom->args[0], name));
}

static struct interval sum_slope(struct settings *s, const struct atom *atom, const struct atom *name) {
  if (!poly_reads(atom->args[0], name) && !poly_reads(atom->args[1], name)) return sum_of(s, atom, poly_slope, name);
  struct interval low = poly_interval(s, atom->args[0]), high = poly_interval(s, atom->args[1]);
  if (poly_reads(atom->args[2], name) || !(sum_between(s, atom, low, high).low >= 0)) return anything();
  return by_direction(added(poly_slope(s, atom->args[1], name), negated(poly_slope(s, atom->args[0], name))));
}

static struct interval atom_slope(struct settings *s, const struct atom *atom, const struct atom *name) {
  if (atom == name) return exactly(1);
  bool reads = false;
  for (uint32_t k = 0; k < atom->arg_count; k++)
    reads |= poly_reads(atom->args[k], name);
  if (!reads) return exactly(0);
  switch (atom->kind) {
  case ATOM_UNIT:
  case ATOM_NAME: return exactly(0);
  case ATOM_NOT_LESS: {
    struct interval truth = atom_interval(s, atom);
    return truth.low == truth.high ? exactly(0) : by_direction(poly_slope(s, atom->args[0], name));
  }
  case ATOM_ZERO: {
    struct interval truth = atom_interval(s, atom);
    return truth.low == truth.high ? exactly(0) : anything();
  }
  case ATOM_MAX:
  case ATOM_MIN: {
    struct interval a = poly_interval(s, atom->args[0]), b = poly_interval(s, atom->args[1]);
    bool first = atom->kind == ATOM_MAX ? a.low >= b.high : a.high <= b.low;
    bool second = atom->kind == ATOM_MAX ? b.low >= a.high : b.high <= a.low;
    if (first) return poly_slope(s, atom->args[0], name);
    if (second) return poly_slope(s, atom->args[1], name);
    return hull(poly_slope(s, atom->args[0], name), poly_slope(s, atom->args[1], name));
  }
  case ATOM_DIV: return by_direction(quotient_slope(s, atom, name));
  case ATOM_MOD: return anything();
  case ATOM_FLOOR:
  case ATOM_CEIL:
  case ATOM_ROUND: return by_direction(poly_slope(s, atom->args[0], name));
  case ATOM_POWER: return power_slope(s, atom, name);
  case ATOM_FUNCTION: return by_direction(poly_slope(s, atom->args[0], name));
  case ATOM_GROUP: return poly_slope(s, atom->args[0], name);
  case ATOM_MOST: return anything();
  case ATOM_SUM: return sum_slope(s, atom, name);
  }
  return anything();
}

struct interval poly_slope(struct settings *s, const struct poly *a, const struct atom *name) {
  struct interval result = exactly(0);
  for (uint32_t k = 0; k < a->count; k++) {
    const struct poly_term *term = &a->terms[k];
    for (uint32_t f = 0; f < term->count; f++) {
      struct interval one = atom_slope(s, term->factors[f].atom, name);
      if (one.low == 0 && one.high == 0) continue;
      struct interval base = atom_interval(s, term->factors[f].atom);
      one = product(one, product(exactly((double)term->factors[f].power), raised(base, term->factors[f].power - 1)));
      one = product(one, exactly(number_double(term->by)));
      for (uint32_t g = 0; g < term->count; g++)
        if (g != f) one = product(one, raised(atom_interval(s, term->factors[g].atom), term->factors[g].power));
      result = added(result, one);
    }
  }
  return isnan(result.low) || isnan(result.high) ? anything() : result;
}
