/* Sums over the turns of a loop in closed form: Faulhaber's formulas where the variable stands in powers; comparisons
 * that hold from one turn on, or up to one, become bounds; what goes by the turn's number modulo another is summed by
 * its rests; a few turns are written out. What is none of these stays a sum.  Called by algebra.c. */
#include "interp/derive/algebra.h"

#include <string.h>

enum { WRITTEN_OUT = 64, LARGEST_POWER = 12 };

/* Bernoulli's numbers, the second one 1/2. */
static struct number bernoulli(int k) {
  static const int64_t above[] = {1, 1, 1, 0, -1, 0, 1, 0, -1, 0, 5, 0, -691};
  static const int64_t below[] = {1, 2, 6, 1, 30, 1, 42, 1, 30, 1, 66, 1, 2730};
  return number_times(number_whole(above[k]), number_inverse(number_whole(below[k])));
}

/* 1^p + ... + n^p */
static const struct poly *powers_up_to(struct algebra *al, int p, const struct poly *n) {
  const struct poly *result = al->zero;
  struct number choose = number_whole(1); /* p + 1 over j */
  for (int j = 0; j <= p; j++) {
    struct number by = number_times(number_times(choose, bernoulli(j)), number_inverse(number_whole(p + 1)));
    result = poly_plus(al, result, poly_scaled(al, poly_power(al, n, poly_whole(al, p + 1 - j)), by));
    choose = number_times(choose, number_times(number_whole(p + 1 - j), number_inverse(number_whole(j + 1))));
  }
  return result;
}

static bool term_reads(const struct poly_term *term, const struct atom *variable) {
  return poly_reads(&(struct poly){.count = 1, .terms = term}, variable);
}

/* The power of the variable in the term; -1: it stands in something else. */
static int64_t power_in(const struct poly_term *term, const struct atom *variable) {
  int64_t power = 0;
  for (uint32_t f = 0; f < term->count; f++) {
    const struct poly_factor *factor = &term->factors[f];
    if (factor->atom == variable)
      power = factor->power < 0 ? -1 : factor->power;
    else if (term_reads(&(struct poly_term){.by = number_whole(1), .count = 1, .factors = factor}, variable))
      return -1;
    if (power < 0) return -1;
  }
  return power <= LARGEST_POWER ? power : -1;
}

/* The term without one of its factors, or all those of that atom. */
static const struct poly *term_without(struct algebra *al, const struct poly_term *term, const struct atom *atom) {
  const struct poly *result = poly_number(al, term->by);
  for (uint32_t f = 0; f < term->count; f++) {
    if (term->factors[f].atom == atom) continue;
    const struct poly *base = poly_atom(al, term->factors[f].atom);
    result = poly_times(al, result, poly_power(al, base, poly_whole(al, term->factors[f].power)));
  }
  return result;
}

static const struct poly *as_poly(struct algebra *al, const struct poly_term *term) {
  return term_without(al, term, NULL);
}

/* a = by * variable + rest, by a whole number that is not 0. */
static bool is_linear(struct algebra *al, const struct poly *a, const struct atom *variable, int64_t *by,
                      const struct poly **rest) {
  *by = 0;
  *rest = al->zero;
  for (uint32_t k = 0; k < a->count; k++) {
    const struct poly_term *term = &a->terms[k];
    if (!term_reads(term, variable)) {
      *rest = poly_plus(al, *rest, as_poly(al, term));
      continue;
    }
    if (term->count != 1 || term->factors[0].atom != variable || term->factors[0].power != 1 || !term->by.exact ||
        term->by.below != 1)
      return false;
    *by = term->by.above;
  }
  return *by;
}

/* How often the expression is the same again as the variable rises: by quotients and rests of it; 0: by none. */
static int64_t period_of(struct algebra *al, const struct poly *a, const struct atom *variable) {
  int64_t period = 0;
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct atom *atom = a->terms[k].factors[f].atom;
      struct number number;
      int64_t by, mine = 0;
      const struct poly *rest;
      if (atom == variable || atom->kind == ATOM_NAME) continue;
      bool divides = atom->kind == ATOM_DIV || atom->kind == ATOM_MOD;
      if (divides && poly_constant(atom->args[1], &number) && number.exact && number.below == 1 && number.above > 0 &&
          is_linear(al, atom->args[0], variable, &by, &rest) && poly_is_whole(rest))
        mine = number.above;
      for (uint32_t g = 0; g < atom->arg_count && !mine; g++)
        mine = period_of(al, atom->args[g], variable);
      if (!mine) continue;
      int64_t x = period ? period : mine, y = mine;
      while (y) {
        int64_t rest_of = x % y;
        x = y;
        y = rest_of;
      }
      period = period ? period / x * mine : mine;
      if (period > WRITTEN_OUT) return 0;
    }
  return period;
}

static const struct poly *written_out(struct algebra *al, const struct atom *variable, int64_t low, int64_t high,
                                      const struct poly *body) {
  const struct poly *result = al->zero;
  for (int64_t k = low; k <= high && !al->too_large; k++)
    result = poly_plus(al, result, poly_with(al, body, variable, poly_whole(al, k)));
  return result;
}

static bool whole_number(const struct poly *a, int64_t *out) {
  struct number number;
  if (!poly_constant(a, &number) || !number.exact || number.below != 1) return false;
  *out = number.above;
  return true;
}

/* The variable is period * q + rest, for each rest apart. */
static const struct poly *by_rests(struct algebra *al, const struct atom *variable, const struct poly *low,
                                   const struct poly *high, const struct poly *body, int64_t period) {
  const struct poly *result = al->zero, *times = poly_whole(al, period);
  for (int64_t rest = 0; rest < period && !al->too_large; rest++) {
    const struct poly *number = poly_whole(al, rest);
    const struct poly *from = poly_minus(al, al->zero, poly_div(al, poly_minus(al, number, low), times));
    const struct poly *to = poly_div(al, poly_minus(al, high, number), times);
    struct settings any = {0};
    double first = poly_interval(&any, from).low, last = poly_interval(&any, to).high;
    const struct atom *turn =
        atom_name(al, variable->name, NULL, true, (struct dimension){{0}}, first, last > first ? last : first);
    const struct poly *value = poly_plus(al, poly_times(al, times, poly_atom(al, turn)), number);
    result = poly_plus(al, result, poly_sum(al, turn, from, to, poly_with(al, body, variable, value)));
  }
  return result;
}

/* A comparison that the variable decides: its bounds. NULL: there is none. */
static const struct poly *by_bounds(struct algebra *al, const struct atom *variable, const struct poly *low,
                                    const struct poly *high, const struct poly_term *term) {
  for (uint32_t f = 0; f < term->count; f++) {
    const struct atom *atom = term->factors[f].atom;
    int64_t by;
    const struct poly *rest;
    bool compares = atom->kind == ATOM_NOT_LESS || atom->kind == ATOM_ZERO;
    if (!compares || !is_linear(al, atom->args[0], variable, &by, &rest) || !poly_is_whole(rest)) continue;
    const struct poly *others = term_without(al, term, atom), *minus = poly_minus(al, al->zero, rest);
    if (atom->kind == ATOM_NOT_LESS && by > 0) {
      const struct poly *from = poly_minus(al, al->zero, poly_div(al, rest, poly_whole(al, by)));
      return poly_sum(al, variable, poly_extreme(al, low, from, true), high, others);
    }
    if (atom->kind == ATOM_NOT_LESS)
      return poly_sum(al, variable, low, poly_extreme(al, high, poly_div(al, rest, poly_whole(al, -by)), false),
                      others);
    if (by != 1 && by != -1) continue;
    const struct poly *at = by > 0 ? minus : rest;
    const struct poly *there = poly_times(al, poly_not_less(al, poly_minus(al, at, low), true),
                                          poly_not_less(al, poly_minus(al, high, at), true));
    return poly_times(al, there, poly_with(al, others, variable, at));
  }
  return NULL;
}

/* Before what does not read the variable. */
static const struct poly *left_as_sum(struct algebra *al, const struct atom *variable, const struct poly *low,
                                      const struct poly *high, const struct poly_term *term) {
  const struct poly *outside = poly_number(al, term->by), *inside = al->one;
  for (uint32_t f = 0; f < term->count; f++) {
    struct poly_term one = {.by = number_whole(1), .count = 1, .factors = &term->factors[f]};
    const struct poly *factor =
        poly_power(al, poly_atom(al, term->factors[f].atom), poly_whole(al, term->factors[f].power));
    if (term_reads(&one, variable))
      inside = poly_times(al, inside, factor);
    else
      outside = poly_times(al, outside, factor);
  }
  return poly_times(al, outside, atom_sum(al, variable, low, high, inside));
}

const struct poly *poly_sum_parts(struct algebra *al, const struct atom *variable, const struct poly *low,
                                  const struct poly *high, const struct poly *body) {
  const struct poly *result = al->zero, *rest = al->zero;
  const struct poly *end = poly_extreme(al, high, poly_minus(al, low, al->one), true); /* no turns are none */
  for (uint32_t k = 0; k < body->count && !al->too_large; k++) {
    const struct poly_term *term = &body->terms[k];
    int64_t power = power_in(term, variable);
    if (power < 0) {
      rest = poly_plus(al, rest, as_poly(al, term));
      continue;
    }
    const struct poly *others = term_without(al, term, variable);
    const struct poly *sum = power ? poly_minus(al, powers_up_to(al, (int)power, end),
                                                powers_up_to(al, (int)power, poly_minus(al, low, al->one)))
                                   : poly_count_between(al, low, high);
    result = poly_plus(al, result, poly_times(al, others, sum));
  }
  if (!rest->count || al->too_large) return result;
  int64_t first, last, period;
  if (whole_number(low, &first) && whole_number(high, &last) && last - first < WRITTEN_OUT)
    return poly_plus(al, result, written_out(al, variable, first, last, rest));
  if ((period = period_of(al, rest, variable)) > 0)
    return poly_plus(al, result, by_rests(al, variable, low, high, rest, period));
  for (uint32_t k = 0; k < rest->count && !al->too_large; k++) {
    const struct poly *bounded = by_bounds(al, variable, low, high, &rest->terms[k]);
    if (!bounded) bounded = left_as_sum(al, variable, low, end, &rest->terms[k]);
    result = poly_plus(al, result, bounded);
  }
  return result;
}
