/* The search: which terms there are, how many of them are taken, and of sums that fit as well which one. */
#include "interp/fit/normal_form.h"
#include "interp/fit/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PLAIN = 300, /* terms that each other one is added to */
  BEAM_WORK = 20000,
  BEAM_LEAST = 2,
  BEAM_MOST = 64,
  RANKED = 512,          /* sums with as many terms that the middle is of */
  OTHERS = 64,           /* that fit as well, at most */
  VALUES_MOST = 4000000, /* of candidates by points */
  BEYOND = 4             /* times the greatest parameters: where predictions are compared */
};
/* A part of the measurements that is rounding alone. */
#define EXACT 1e-9
/* A part of a measurement below which a term is. */
#define ROUNDING 1e-12
/* How likely a term more is before anything is measured. */
#define ODDS 0.5
/* Differences in variances of noise that are none: two standard deviations. */
#define AS_WELL 4.0

struct term_search {
  struct arena *arena;
  const double *x;
  const struct normal_options *options;
  struct observations observations; /* errors count as has been chosen */
  double within;
  struct normal_term *terms; /* of the candidates */
  uint32_t term_count, term_capacity;
  struct candidates candidates;
  struct trials *trials;
  struct ranking *ranks; /* by number of terms */
  double *beyond;        /* values of the candidates there */
  uint32_t chosen;       /* number of terms */
};

double normal_term_value(const struct normal_term *term, uint32_t parameters, const double *x) {
  double value = 1;
  for (uint32_t i = 0; i < parameters; i++) {
    value *= pow(x[i], term->twelfths[i] / 12.0);
    for (int k = 0; k < term->logs[i]; k++)
      value *= log2(x[i]);
  }
  return value;
}

/* ---- candidates ---- */

/* Quarters, thirds and halves from -1 to 3; of three parameters halves alone, since they multiply. */
static bool is_exponent(const struct normal_options *o, int twelfths) {
  if (twelfths < 0 && !o->negative) return false;
  return twelfths % 6 == 0 || (o->parameters < NORMAL_PARAMETERS && (twelfths % 4 == 0 || twelfths % 3 == 0));
}

static uint32_t candidate_limit(const struct normal_options *o) {
  uint32_t exponents = 0, all = 1;
  for (int twelfths = -12; twelfths <= 36; twelfths++)
    exponents += is_exponent(o, twelfths);
  for (uint32_t i = 0; i < o->parameters; i++)
    all *= 3 * exponents;
  return all;
}

uint32_t normal_form_points(const struct normal_options *options) { return VALUES_MOST / candidate_limit(options); }

static void add_candidates(struct term_search *s, struct normal_term *term, uint32_t parameter, bool any) {
  if (parameter == s->options->parameters) {
    if (any) ARENA_PUSH(s->arena, s->terms, s->term_count, s->term_capacity, *term);
    return;
  }
  for (int logs = 0; logs <= 2; logs++)
    for (int twelfths = -12; twelfths <= 36; twelfths++) {
      if (!is_exponent(s->options, twelfths)) continue;
      term->twelfths[parameter] = (int8_t)twelfths;
      term->logs[parameter] = (int8_t)logs;
      add_candidates(s, term, parameter + 1, any || twelfths || logs);
    }
}

/* How far from plain a term is: of equals the plain one is taken. */
static int complexity(const struct normal_term *term) {
  int sum = 0;
  for (int i = 0; i < NORMAL_PARAMETERS; i++) {
    int twelfths = term->twelfths[i], broken = twelfths % 12 == 0 ? 0 : twelfths % 6 == 0 ? 1 : 2;
    sum += abs(twelfths) + 6 * (twelfths < 0) + 6 * broken + 12 * term->logs[i] + 24 * (twelfths || term->logs[i]);
  }
  return sum;
}

static int by_complexity(const void *a, const void *b) {
  int x = complexity(a), y = complexity(b);
  return x != y ? (x > y) - (x < y) : memcmp(a, b, sizeof(struct normal_term));
}

/* The only parameter of a term, or none. */
static int8_t only_parameter(const struct normal_term *term) {
  int8_t only = -1;
  for (int8_t i = 0; i < NORMAL_PARAMETERS; i++) {
    if (!term->twelfths[i] && !term->logs[i]) continue;
    if (only >= 0) return -1;
    only = i;
  }
  return only;
}

static void compute_values(struct term_search *s) {
  uint32_t points = s->observations.points, parameters = s->options->parameters;
  double *values = ARENA_ARRAY(s->arena, double, (size_t)s->term_count *points), most[NORMAL_PARAMETERS] = {0};
  s->beyond = ARENA_ARRAY(s->arena, double, s->term_count);
  for (uint32_t i = 0; i < points * parameters; i++)
    most[i % parameters] = fmax(most[i % parameters], BEYOND * s->x[i]);
  for (uint32_t k = 0; k < s->term_count; k++) {
    for (uint32_t i = 0; i < points; i++)
      values[(size_t)k * points + i] = normal_term_value(&s->terms[k], parameters, s->x + (size_t)i * parameters);
    s->beyond[k] = normal_term_value(&s->terms[k], parameters, most);
  }
  s->candidates.values = values;
}

static void open_search(struct term_search *s) {
  struct normal_term term = {{0}, {0}};
  add_candidates(s, &term, 0, false);
  qsort(s->terms, s->term_count, sizeof *s->terms, by_complexity);
  int8_t *only = ARENA_ARRAY(s->arena, int8_t, s->term_count);
  for (uint32_t k = 0; k < s->term_count; k++)
    only[k] = only_parameter(&s->terms[k]);
  uint32_t beam = BEAM_WORK / s->term_count;
  s->candidates = (struct candidates){.points = s->observations.points,
                                      .count = s->term_count,
                                      .parameters = s->options->parameters,
                                      .only = only,
                                      .plain = PLAIN,
                                      .positive = s->options->positive,
                                      .beam = beam < BEAM_LEAST  ? BEAM_LEAST
                                              : beam > BEAM_MOST ? BEAM_MOST
                                                                 : beam,
                                      .memory = s->arena->memory};
  compute_values(s);
  s->trials = trials_open(s->arena, &s->candidates);
  s->ranks = ARENA_ARRAY(s->arena, struct ranking, s->options->most_terms + 1);
  for (uint32_t k = 0; k <= s->options->most_terms; k++)
    s->ranks[k] = ranking_open(s->arena, RANKED);
}

/* ---- hypotheses on what was measured ---- */

/* Do measurements of one point differ by parts of it, or by as much everywhere? That which makes them more likely;
 * where none was repeated nothing tells, and noise of measured times is of the first kind. */
static bool errors_are_relative(const struct observations *o) {
  double parts = 0, absolute = 0, scale = 0, freedom = (double)(o->count - o->points);
  for (uint32_t i = 0; i < o->points; i++) {
    if (!(o->y[i] > 0)) return false;
    parts += o->spread[i] / o->y[i] / o->y[i];
    absolute += o->spread[i];
    scale += (o->times[i] - 1) * log(o->y[i]);
  }
  return !(absolute > 0) || 0.5 * freedom * log(parts) + scale <= 0.5 * freedom * log(absolute);
}

static void rank_measured(struct term_search *s) {
  struct observations *o = &s->observations;
  double *weight = ARENA_ARRAY(s->arena, double, o->points);
  o->relative = s->options->errors == NORMAL_CHOOSE ? errors_are_relative(o) : s->options->errors == NORMAL_RELATIVE;
  s->within = observations_within(o);
  observations_weigh(o, weight);
  trials_respond(s->trials, o->y, weight);
  for (uint32_t k = 0; k <= s->options->most_terms; k++)
    trials_rank(s->trials, k, k ? &s->ranks[k - 1] : NULL, &s->ranks[k]);
}

/* Is what it leaves rounding alone? */
static bool is_exact(const struct term_search *s, const struct hypothesis *h) {
  const struct observations *o = &s->observations;
  double all = 0;
  for (uint32_t i = 0; i < o->points; i++)
    all += o->relative ? o->times[i] : o->times[i] * o->y[i] * o->y[i];
  return h->rss <= EXACT * EXACT * all;
}

/* How many terms are more than noise. */
static void choose_count(struct term_search *s) {
  struct significance *significance =
      significance_open(s->arena, &s->candidates, &s->observations, s->options->most_terms);
  for (uint32_t k = 1; k <= s->options->most_terms; k++) {
    const struct hypothesis *best = &s->ranks[s->chosen].best[0];
    if (!s->ranks[k].count || is_exact(s, best)) continue;
    if (significant(significance, best, &s->ranks[k].best[0], s->ranks[k].tried)) s->chosen = k;
  }
}

/* ---- the middle ---- */

struct forecast {
  double value, weight;
};

static int by_value(const void *a, const void *b) {
  const struct forecast *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/* The logarithm of a sum's likelihood, by what it leaves and by how many there are with as many terms. */
static double likelihood(const struct term_search *s, uint32_t terms, double rss) {
  const struct observations *o = &s->observations;
  double freedom = (double)o->count - terms - 1;
  double unlikely = log((double)s->ranks[terms].tried) - terms * log(ODDS) + 0.5 * terms * log((double)o->count);
  return -0.5 * freedom * log(rss + s->within) - unlikely;
}

/* The median of what all sums predict, each by its likelihood. */
static double middle(struct term_search *s) {
  struct forecast *forecasts = ARENA_ARRAY(s->arena, struct forecast, RANKED * (s->options->most_terms + 1));
  double most = -INFINITY, all = 0, below = 0;
  size_t count = 0;
  for (uint32_t k = 1; k <= s->options->most_terms; k++)
    for (uint32_t i = 0; i < s->ranks[k].count && s->observations.count > k + 1; i++) {
      const struct hypothesis *h = &s->ranks[k].best[i];
      forecasts[count] = (struct forecast){hypothesis_value(h, s->beyond), likelihood(s, k, h->rss)};
      most = fmax(most, forecasts[count++].weight);
    }
  for (size_t i = 0; i < count; i++)
    all += forecasts[i].weight = exp(forecasts[i].weight - most);
  qsort(forecasts, count, sizeof *forecasts, by_value);
  for (size_t i = 0; i < count; i++)
    if ((below += forecasts[i].weight) >= all / 2) return forecasts[i].value;
  return NAN;
}

/* Is a coefficient times its values (NULL: 1) rounding of what was measured, wherever that was? */
static bool is_rounding(const struct observations *o, double coefficient, const double *values) {
  double most = 0;
  for (uint32_t i = 0; i < o->points; i++)
    most = fmax(most, fabs(o->y[i]));
  for (uint32_t i = 0; i < o->points; i++)
    if (fabs(coefficient * (values ? values[i] : 1)) > ROUNDING * (o->relative ? fabs(o->y[i]) : most)) return false;
  return true;
}

/* Without what is rounding; of nothing but that the constant stays. */
static struct normal_sum sum_of(const struct term_search *s, const struct hypothesis *h) {
  const struct observations *o = &s->observations;
  struct normal_sum sum = {.constant = !h->bare && !is_rounding(o, h->constant, NULL)};
  for (uint32_t k = 0; k < h->count; k++)
    if (!is_rounding(o, h->coefficients[k], s->candidates.values + (size_t)h->places[k] * o->points))
      sum.terms[sum.count++] = s->terms[h->places[k]];
  sum.constant |= !sum.count;
  return sum;
}

/* Of those that fit as well as the best the one in the middle; all that do are the first of the ranking. */
static void choose_sum(struct term_search *s, struct normal_form *form) {
  const struct ranking *rank = &s->ranks[s->chosen];
  double noise = noise_variance(&s->observations, s->within, &rank->best[0]), wanted = NAN;
  bool choice = s->chosen && noise > 0 && !is_exact(s, &rank->best[0]);
  uint32_t taken = 0, as_well = 1;
  while (choice && as_well < rank->count && rank->best[as_well].rss - rank->best[0].rss <= AS_WELL * noise)
    as_well++;
  if (as_well > 1) wanted = middle(s);
  for (uint32_t i = 1; i < as_well; i++) {
    double off = fabs(hypothesis_value(&rank->best[i], s->beyond) - wanted);
    if (off < fabs(hypothesis_value(&rank->best[taken], s->beyond) - wanted)) taken = i;
  }
  form->chosen = sum_of(s, &rank->best[taken]);
  form->others = ARENA_ARRAY(s->arena, struct normal_sum, OTHERS);
  for (uint32_t i = 0; i < as_well && form->other_count < OTHERS; i++)
    if (i != taken) form->others[form->other_count++] = sum_of(s, &rank->best[i]);
}

struct normal_form normal_form_search(struct arena *arena, const double *x, const struct observations *observations,
                                      const struct normal_options *options) {
  struct term_search *s = ARENA_NEW(arena, struct term_search);
  struct normal_form form = {.chosen = {.constant = true}};
  *s = (struct term_search){.arena = arena, .x = x, .options = options, .observations = *observations};
  open_search(s);
  rank_measured(s);
  if (!s->ranks[0].count) return form; /* numbers too large: the fit says so */
  choose_count(s);
  choose_sum(s, &form);
  form.relative = s->observations.relative;
  form.freedom = observations->count - form.chosen.count - form.chosen.constant;
  form.noise = noise_variance(&s->observations, s->within, &s->ranks[s->chosen].best[0]);
  for (uint32_t k = 0; k <= options->most_terms; k++)
    form.tried += s->ranks[k].tried;
  return form;
}
