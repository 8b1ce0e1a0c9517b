/* The search: all hypotheses of one term, all pairs for one parameter, and beyond that those that begin with
 * the best of fewer terms, and sums of one parameter's term and another's. */
#include "interp/fit/normal_form.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { WORK = 20000, BEAM_LEAST = 4, BEAM_MOST = 64, VALUES_MOST = 2000000 };
/* A cross-validated error that is rounding alone. */
#define EXACT 1e-9
/* Of being wrong that a term is no noise, over all that were tried. */
#define RISK 0.05

struct hypothesis {
  struct normal_term terms[NORMAL_TERMS];
  uint32_t count;
  double error, deviation; /* of the cross-validation: its SMAPE, and the standard error of that */
  double chance;           /* that its weakest term is nothing but noise */
};
struct term_search {
  struct arena *arena;
  struct arena scratch;
  struct arena_deferred deferred;
  const double *x;
  const struct observations *observations;
  const struct normal_options *options;
  struct normal_term *candidates;
  uint32_t candidate_count, candidate_capacity;
  double *values;          /* candidates x points */
  struct hypothesis *best; /* of the number of terms in hand, the best first */
  uint32_t best_count, beam;
  uint64_t tried;
};

double normal_term_value(const struct normal_term *term, uint32_t parameters, const double *x) {
  double value = 1;
  for (uint32_t i = 0; i < parameters; i++) {
    value *= pow(x[i], term->halves[i] / 2.0);
    for (int k = 0; k < term->logs[i]; k++)
      value *= log2(x[i]);
  }
  return value;
}

/* ---- candidates ---- */

uint32_t normal_form_points(const struct normal_options *options) {
  uint32_t candidates = 1;
  for (uint32_t i = 0; i < options->parameters; i++)
    candidates *= options->negative ? 27 : 21;
  return VALUES_MOST / candidates;
}

static void add_candidates(struct term_search *s, struct normal_term *term, uint32_t parameter, bool any) {
  if (parameter == s->options->parameters) {
    if (any) ARENA_PUSH(s->arena, s->candidates, s->candidate_count, s->candidate_capacity, *term);
    return;
  }
  for (int logs = 0; logs <= 2; logs++)
    for (int halves = s->options->negative ? -2 : 0; halves <= 6; halves++) {
      term->halves[parameter] = (int8_t)halves;
      term->logs[parameter] = (int8_t)logs;
      add_candidates(s, term, parameter + 1, any || halves || logs);
    }
}

/* How far from plain a term is: of equals the plain one is taken. */
static int complexity(const struct normal_term *term) {
  int sum = 0;
  for (int i = 0; i < NORMAL_PARAMETERS; i++) {
    int halves = term->halves[i] < 0 ? 1 - term->halves[i] : term->halves[i];
    sum += halves + (halves & 1) + 2 * term->logs[i] + 4 * (term->halves[i] || term->logs[i]);
  }
  return sum;
}

static void sort_candidates(struct term_search *s) {
  for (uint32_t i = 1; i < s->candidate_count; i++) { /* they come nearly in order, and there are few of them */
    struct normal_term term = s->candidates[i];
    uint32_t k = i;
    for (; k && complexity(&s->candidates[k - 1]) > complexity(&term); k--)
      s->candidates[k] = s->candidates[k - 1];
    s->candidates[k] = term;
  }
}

/* The only parameter of a term, or none. */
static int only_parameter(const struct normal_term *term) {
  int only = -1;
  for (int i = 0; i < NORMAL_PARAMETERS; i++) {
    if (!term->halves[i] && !term->logs[i]) continue;
    if (only >= 0) return -1;
    only = i;
  }
  return only;
}

/* ---- hypotheses ---- */

/* The chance that noise alone makes the weakest term look as strong. Noise is what points are off by, not
 * what measurements of one point differ by: that says nothing of how well the terms fit. */
static double weakest_chance(const struct regression *r, const struct observations *o) {
  double chance = 0;
  uint32_t freedom = r->points - r->terms;
  if (r->terms == 1) return 0;
  if (!freedom) return 1;
  double off = fmax(r->rss - o->within, 0);
  if (off <= EXACT * EXACT * r->total) return 0;
  double noise = sqrt(off / freedom) / r->sigma;
  for (uint32_t k = 1; k < r->terms; k++) {
    double t = fabs(r->coefficients[k]) / (r->errors[k] * noise), one = 2 * gsl_cdf_tdist_Q(t, freedom);
    if (!(one <= chance)) chance = one; /* 0 of 0 is no evidence */
  }
  return chance;
}

static void validate(struct term_search *s, const double *design, struct hypothesis *h) {
  const struct observations *o = s->observations;
  struct regression regression;
  uint32_t term;
  const double *predicted;
  h->error = NAN;
  if (regression_fit(&s->scratch, design, h->count + 1, o, &regression, &term) != REGRESSION_FINE) return;
  predicted = regression.left_out;
  if (s->options->folds) {
    double *out = ARENA_ARRAY(&s->scratch, double, o->points);
    regression_fold(&s->scratch, design, h->count + 1, o, s->options->folds, out);
    predicted = out;
  }
  double squares = 0, mean = smape(predicted, o->y, o->points);
  for (uint32_t i = 0; i < o->points; i++) {
    double about = smape(&predicted[i], &o->y[i], 1) - mean;
    squares += about * about;
  }
  h->error = mean;
  h->chance = weakest_chance(&regression, o);
  h->deviation = o->points > 1 ? sqrt(squares / (o->points - 1) / o->points) : 0;
}

/* The best so many, in order; of equals the one that came first stays before. */
static void keep(struct term_search *s, const struct hypothesis *h) {
  uint32_t at = s->best_count;
  while (at && h->error < s->best[at - 1].error - 1e-12 * s->best[at - 1].error - 1e-300)
    at--;
  if (at >= s->beam) return;
  uint32_t moved = s->best_count < s->beam ? s->best_count++ : s->best_count - 1;
  for (; moved > at; moved--)
    s->best[moved] = s->best[moved - 1];
  s->best[at] = *h;
}

/* places: candidates, `count` of them. */
static void try_terms(struct term_search *s, const uint32_t *places, uint32_t count) {
  uint32_t points = s->observations->points, terms = count + 1;
  struct hypothesis h = {.count = count};
  if (s->options->interrupted && *s->options->interrupted) return;
  arena_reset(&s->scratch);
  double *design = ARENA_ARRAY(&s->scratch, double, (size_t)points *terms);
  for (uint32_t i = 0; i < points; i++) {
    design[(size_t)i * terms] = 1;
    for (uint32_t k = 0; k < count; k++)
      design[(size_t)i * terms + k + 1] = s->values[(size_t)places[k] * points + i];
  }
  for (uint32_t k = 0; k < count; k++)
    h.terms[k] = s->candidates[places[k]];
  s->tried++;
  validate(s, design, &h);
  if (!isnan(h.error)) keep(s, &h);
}

static uint32_t place_of(const struct term_search *s, const struct normal_term *term) {
  uint32_t at = 0;
  while (memcmp(&s->candidates[at], term, sizeof *term))
    at++;
  return at;
}

/* One term more than those that were kept. */
static void extend(struct term_search *s, const struct hypothesis *from, uint32_t from_count) {
  uint32_t places[NORMAL_TERMS];
  for (uint32_t f = 0; f < from_count; f++) {
    uint32_t count = from[f].count;
    for (uint32_t k = 0; k < count; k++)
      places[k] = place_of(s, &from[f].terms[k]);
    for (uint32_t c = 0; c < s->candidate_count; c++) {
      bool again = false;
      for (uint32_t k = 0; k < count; k++)
        again |= places[k] == c;
      places[count] = c;
      if (!again) try_terms(s, places, count + 1);
    }
  }
}

/* A term of one parameter and a term of another. */
static void try_sums(struct term_search *s) {
  uint32_t *alone = ARENA_ARRAY(s->arena, uint32_t, s->candidate_count), count = 0;
  for (uint32_t c = 0; c < s->candidate_count; c++)
    if (only_parameter(&s->candidates[c]) >= 0) alone[count++] = c;
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a + 1; b < count; b++)
      if (only_parameter(&s->candidates[alone[a]]) != only_parameter(&s->candidates[alone[b]]))
        try_terms(s, (uint32_t[]){alone[a], alone[b]}, 2);
}

static void close_scratch(void *user) { arena_close(user); }

static void open_search(struct term_search *s) {
  struct normal_term term = {{0}, {0}};
  uint32_t points = s->observations->points;
  arena_open(&s->scratch, s->arena->memory);
  s->deferred = (struct arena_deferred){.run = close_scratch, .user = &s->scratch};
  arena_defer(s->arena, &s->deferred);
  add_candidates(s, &term, 0, false);
  sort_candidates(s);
  s->values = ARENA_ARRAY(s->arena, double, (size_t)s->candidate_count *points);
  for (uint32_t c = 0; c < s->candidate_count; c++)
    for (uint32_t i = 0; i < points; i++)
      s->values[(size_t)c * points + i] =
          normal_term_value(&s->candidates[c], s->options->parameters, s->x + (size_t)i * s->options->parameters);
  s->beam = WORK / s->candidate_count;
  if (s->beam < BEAM_LEAST) s->beam = BEAM_LEAST;
  if (s->beam > BEAM_MOST) s->beam = BEAM_MOST;
}

/* With more terms: is it more than luck? It was chosen among many, so that chance has had as many trials. */
static bool is_better(const struct hypothesis *h, const struct hypothesis *than, uint64_t tried) {
  return h->error + 2 * h->deviation < than->error && h->chance * (double)tried < RISK;
}

struct normal_form normal_form_search(struct arena *arena, const double *x, const struct observations *observations,
                                      const struct normal_options *options) {
  struct term_search *s = ARENA_NEW(arena, struct term_search);
  *s = (struct term_search){.arena = arena, .x = x, .observations = observations, .options = options};
  open_search(s);
  struct hypothesis chosen = {.error = INFINITY}, *from = ARENA_ARRAY(arena, struct hypothesis, 1);
  uint32_t from_count = 1;
  s->best = ARENA_ARRAY(arena, struct hypothesis, s->beam);
  try_terms(s, NULL, 0);
  if (s->best_count) chosen = s->best[0];
  for (uint32_t count = 1; count <= options->most_terms && chosen.error > EXACT; count++) {
    s->best = ARENA_ARRAY(arena, struct hypothesis, s->beam);
    s->best_count = 0;
    uint64_t tried = s->tried;
    if (count == 2 && options->parameters > 1) try_sums(s);
    extend(s, from, from_count);
    if (!s->best_count) break;
    if (is_better(&s->best[0], &chosen, s->tried - tried)) chosen = s->best[0];
    from = s->best;
    from_count = s->best_count;
  }
  struct normal_form form = {.count = chosen.count, .tried = s->tried};
  memcpy(form.terms, chosen.terms, sizeof form.terms);
  arena_close(&s->scratch);
  return form;
}
