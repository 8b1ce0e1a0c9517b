/* Figures predicted: least squares, boosted trees, cross-validation by problems, intervals by region. */
#include "interp/recommend/forecaster.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TREES_AT_MOST = 400, TREES_IN_VAIN = 60, FEWEST = 10, DEGREES = 2, REGION = 20 };
static const double shrinkage = 0.1;

/* One polynomial and its trees. */
struct boosted {
  double *coefficients;
  struct tree *trees;
  uint32_t count;
};

struct forecaster {
  struct arena *arena;
  struct forecaster_quality quality;
  uint32_t features;
  const bool *named;
  bool logarithmic;       /* the figure */
  bool *by_logarithm;     /* by feature */
  double *middle, *width; /* by feature: of what the trend takes of it */
  uint32_t terms;
  double *row, *scaled; /* of terms, and of features as the trend takes them; at hand */
  struct boosted whole, folds[FORECASTER_FOLDS];
  struct tree doubt;
  double *off; /* by node of it: no further off are nine in ten */
};

struct learning {
  struct forecaster *p;
  struct tree_data data; /* what is known; y: what is left for trees */
  double *target;        /* by row: the figure in its scale */
  uint32_t *fold;
  double *design; /* rows x terms */
  double *fitted; /* by row */
};

/* ---- the trend ---- */

static double taken(const struct forecaster *p, uint32_t feature, double x) {
  if (p->by_logarithm[feature]) x = x > 0 ? log(x) : -700;
  return (x - p->middle[feature]) / p->width[feature];
}

static uint32_t numbers_of(const struct forecaster *p) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < p->features; f++)
    count += !p->named[f];
  return count;
}

static uint32_t terms_of(const struct forecaster *p, uint32_t degree) {
  uint32_t n = numbers_of(p);
  return degree == 0 ? 1 : degree == 1 ? 1 + n : 1 + n + n * (n + 1) / 2;
}

/* 1, each feature that is a number, each product of two. */
static void put_terms(const struct forecaster *p, const double *x, uint32_t degree, double *row) {
  uint32_t at = 0, numbers = 0;
  for (uint32_t f = 0; f < p->features; f++)
    if (!p->named[f]) p->scaled[numbers++] = taken(p, f, x[f]);
  row[at++] = 1;
  for (uint32_t f = 0; degree && f < numbers; f++)
    row[at++] = p->scaled[f];
  for (uint32_t f = 0; degree > 1 && f < numbers; f++)
    for (uint32_t g = f; g < numbers; g++)
      row[at++] = p->scaled[f] * p->scaled[g];
}

/* Least squares by singular values: features that follow from others share what they explain. */
static bool fit_trend(struct learning *l, uint32_t terms, const bool *used, double *coefficients) {
  uint32_t count = 0, at = 0;
  for (uint32_t r = 0; r < l->data.rows; r++)
    count += !used || used[r];
  if (count < terms) return false;
  gsl_error_handler_t *before = gsl_set_error_handler_off();
  gsl_matrix *design = gsl_matrix_alloc(count, terms), *covariance = gsl_matrix_alloc(terms, terms);
  gsl_vector *y = gsl_vector_alloc(count), *c = gsl_vector_alloc(terms);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(count, terms);
  bool fine = design && covariance && y && c && work;
  for (uint32_t r = 0; fine && r < l->data.rows; r++) {
    if (used && !used[r]) continue;
    for (uint32_t t = 0; t < terms; t++)
      gsl_matrix_set(design, at, t, l->design[(size_t)r * terms + t]);
    gsl_vector_set(y, at++, l->target[r]);
  }
  double rest;
  size_t rank;
  fine = fine && !gsl_multifit_linear_tsvd(design, y, 1e-8, c, covariance, &rest, &rank, work);
  for (uint32_t t = 0; fine && t < terms; t++)
    coefficients[t] = gsl_vector_get(c, t);
  if (work) gsl_multifit_linear_free(work);
  if (design) gsl_matrix_free(design);
  if (covariance) gsl_matrix_free(covariance);
  if (y) gsl_vector_free(y);
  if (c) gsl_vector_free(c);
  gsl_set_error_handler(before);
  return fine;
}

static double trend_of_row(const struct learning *l, const double *coefficients, uint32_t terms, uint32_t row) {
  double sum = 0;
  for (uint32_t t = 0; t < terms; t++)
    sum += coefficients[t] * l->design[(size_t)row * terms + t];
  return sum;
}

static void make_design(struct learning *l, uint32_t degree) {
  struct forecaster *p = l->p;
  p->quality.degree = degree;
  p->terms = terms_of(p, degree);
  for (uint32_t r = 0; r < l->data.rows; r++)
    put_terms(p, l->data.x + (size_t)r * p->features, degree, l->design + (size_t)r * p->terms);
}

static void leave_out(const struct learning *l, uint32_t fold, bool *used) {
  for (uint32_t r = 0; r < l->data.rows; r++)
    used[r] = l->fold[r] != fold;
}

/* The squares that the trend of a degree leaves of rows that it has not seen; infinite where it cannot be fitted. */
static double trend_error(struct learning *l, uint32_t degree, bool *used, double *coefficients) {
  double sum = 0;
  if (terms_of(l->p, degree) * 3 > l->data.rows) return INFINITY;
  make_design(l, degree);
  for (uint32_t k = 0; k < FORECASTER_FOLDS; k++) {
    leave_out(l, k, used);
    if (!fit_trend(l, l->p->terms, used, coefficients)) return INFINITY;
    for (uint32_t r = 0; r < l->data.rows; r++) {
      double away = used[r] ? 0 : l->target[r] - trend_of_row(l, coefficients, l->p->terms, r);
      sum += away * away;
    }
  }
  return sum;
}

static void choose_degree(struct learning *l, bool *used) {
  double best = INFINITY;
  uint32_t degree = 0, most = terms_of(l->p, DEGREES);
  l->design = ARENA_ARRAY(l->p->arena, double, (size_t)l->data.rows *most);
  double *coefficients = ARENA_ARRAY(l->p->arena, double, most);
  for (uint32_t d = 0; d <= DEGREES; d++) {
    double error = trend_error(l, d, used, coefficients);
    if (!(error < best)) continue;
    best = error;
    degree = d;
  }
  make_design(l, degree);
}

/* ---- trees behind it ---- */

static struct tree_limits limits_of(const struct learning *l) {
  uint32_t least = l->data.rows / 50;
  return (struct tree_limits){.depth = 8, .least = least < 1 ? 1 : least > 5 ? 5 : least};
}

/* Adds trees, at most so many; errors[k] gets the squares that k trees leave of rows that are not used. */
static void boost(struct learning *l, struct boosted *out, const bool *used, uint32_t most, double *errors) {
  struct forecaster *p = l->p;
  struct tree_limits limits = limits_of(l);
  double *left = (double *)l->data.y;
  uint32_t best = 0;
  out->coefficients = ARENA_ARRAY(p->arena, double, p->terms);
  out->trees = ARENA_ARRAY(p->arena, struct tree, most);
  if (!fit_trend(l, p->terms, used, out->coefficients)) memset(out->coefficients, 0, p->terms * sizeof(double));
  for (uint32_t r = 0; r < l->data.rows; r++)
    left[r] = l->target[r] - trend_of_row(l, out->coefficients, p->terms, r);
  for (uint32_t k = 0; k <= most; k++) {
    for (uint32_t r = 0; errors && r < l->data.rows; r++)
      if (!used[r]) errors[k] += left[r] * left[r];
    interrupt_look(p->arena->memory);
    if (k == most || (errors && k > best + TREES_IN_VAIN)) break;
    if (errors && errors[k] < errors[best]) best = k;
    out->trees[out->count] = tree_grow(p->arena, &l->data, used, &limits);
    const struct tree *tree = &out->trees[out->count++];
    for (uint32_t r = 0; r < l->data.rows; r++)
      left[r] -= shrinkage * *tree_leaf(tree, l->data.x + (size_t)r * p->features)->mean;
  }
  for (uint32_t k = out->count + 1; errors && k <= most; k++) /* it has got no better for long */
    errors[k] = INFINITY;
}

/* Where p->row has the terms of x. */
static double boosted_at(const struct forecaster *p, const struct boosted *boosted, const double *x) {
  double sum = 0;
  for (uint32_t t = 0; t < p->terms; t++)
    sum += boosted->coefficients[t] * p->row[t];
  for (uint32_t k = 0; k < boosted->count; k++)
    sum += shrinkage * *tree_leaf(&boosted->trees[k], x)->mean;
  return sum;
}

static double boosted_alone(const struct forecaster *p, const struct boosted *boosted, const double *x) {
  put_terms(p, x, p->quality.degree, p->row);
  return boosted_at(p, boosted, x);
}

/* All folds, and how many trees are best over them together. */
static void learn_folds(struct learning *l, bool *used) {
  struct forecaster *p = l->p;
  double *errors = ARENA_ARRAY(p->arena, double, TREES_AT_MOST + 1), *own;
  uint32_t best = 0;
  for (uint32_t k = 0; k < FORECASTER_FOLDS; k++) {
    own = ARENA_ARRAY(p->arena, double, TREES_AT_MOST + 1);
    leave_out(l, k, used);
    boost(l, &p->folds[k], used, TREES_AT_MOST, own);
    for (uint32_t t = 0; t <= TREES_AT_MOST; t++)
      errors[t] += own[t];
  }
  for (uint32_t t = 1; t <= TREES_AT_MOST; t++)
    if (errors[t] < errors[best]) best = t;
  p->quality.trees = best;
  for (uint32_t k = 0; k < FORECASTER_FOLDS; k++)
    p->folds[k].count = best;
}

/* ---- how far off ---- */

static int by_size(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/* No greater are so many of them, counted with one more (conformal quantile). */
static double quantile(double *sorted, uint32_t count, double level) {
  if (!count) return NAN;
  double place = ceil((count + 1) * level);
  return sorted[place > count ? count - 1 : (uint32_t)place - 1];
}

static double quantile_of(struct arena *arena, const double *errors, uint32_t count, double level) {
  double *sorted = ARENA_ARRAY(arena, double, count + 1);
  memcpy(sorted, errors, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_size);
  return quantile(sorted, count, level);
}

/* Regions of greater and smaller errors. */
static void learn_doubt(struct learning *l, const double *errors) {
  struct forecaster *p = l->p;
  struct tree_data data = l->data;
  struct tree_limits limits = {.depth = 4, .least = REGION};
  double error;
  data.y = errors;
  p->doubt = tree_validated(p->arena, &data, l->fold, FORECASTER_FOLDS, &limits, &error);
  p->off = ARENA_ARRAY(p->arena, double, p->doubt.count);
  double *of_leaf = ARENA_ARRAY(p->arena, double, data.rows);
  for (uint32_t n = 0; n < p->doubt.count; n++) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < data.rows && p->doubt.nodes[n].feature == (uint32_t)TREE_LEAF; r++)
      if (tree_leaf(&p->doubt, data.x + (size_t)r * p->features) == &p->doubt.nodes[n]) of_leaf[count++] = errors[r];
    p->off[n] = quantile_of(p->arena, of_leaf, count, FORECASTER_LEVEL);
  }
}

/* The errors of cases that were left out, each by the fold that has not seen it. */
static void judge(struct learning *l) {
  struct forecaster *p = l->p;
  double *errors = ARENA_ARRAY(p->arena, double, l->data.rows);
  for (uint32_t r = 0; r < l->data.rows; r++)
    errors[r] = fabs(l->target[r] - boosted_alone(p, &p->folds[l->fold[r]], l->data.x + (size_t)r * p->features));
  p->quality.median = quantile_of(p->arena, errors, l->data.rows, 0.5);
  p->quality.most = quantile_of(p->arena, errors, l->data.rows, FORECASTER_LEVEL);
  learn_doubt(l, errors);
}

/* What half of the problems would have come to: those of an odd fold's place tell of the others. */
static void judge_half(struct learning *l, const uint32_t *problem, bool *used) {
  struct forecaster *p = l->p;
  struct boosted half = {0};
  double *errors = ARENA_ARRAY(p->arena, double, l->data.rows);
  uint32_t count = 0, known = 0;
  for (uint32_t r = 0; r < l->data.rows; r++)
    known += used[r] = problem[r] % 2 == 0;
  p->quality.median_of_half = NAN;
  if (known < FEWEST || known < 3 * p->terms) return;
  boost(l, &half, used, p->quality.trees, NULL);
  for (uint32_t r = 0; r < l->data.rows; r++)
    if (!used[r]) errors[count++] = fabs(l->target[r] - boosted_alone(p, &half, l->data.x + (size_t)r * p->features));
  p->quality.median_of_half = quantile_of(p->arena, errors, count, 0.5);
}

/* ---- all of it ---- */

/* What the trend takes of a feature, about 0 and of about 1. */
static void find_scales(struct learning *l) {
  struct forecaster *p = l->p;
  p->by_logarithm = ARENA_ARRAY(p->arena, bool, p->features);
  p->middle = ARENA_ARRAY(p->arena, double, p->features);
  p->width = ARENA_ARRAY(p->arena, double, p->features);
  for (uint32_t f = 0; f < p->features; f++) {
    bool positive = !p->named[f];
    double low = INFINITY, high = -INFINITY;
    for (uint32_t r = 0; r < l->data.rows; r++)
      positive &= l->data.x[(size_t)r * p->features + f] > 0;
    p->by_logarithm[f] = positive;
    for (uint32_t r = 0; r < l->data.rows; r++) {
      double x = l->data.x[(size_t)r * p->features + f];
      low = fmin(low, positive ? log(x) : x);
      high = fmax(high, positive ? log(x) : x);
    }
    p->middle[f] = (low + high) / 2;
    p->width[f] = high > low ? (high - low) / 2 : 1;
  }
}

/* The rows whose figure is known, and their problems, numbered so that those that are left out together have nothing
 * else in common. */
static uint32_t take_known(struct learning *l, const struct forecaster_cases *cases, uint32_t *problem) {
  struct arena *arena = l->p->arena;
  double *x = ARENA_ARRAY(arena, double, (size_t)cases->rows * cases->features);
  uint32_t count = 0, problems = 0, most = 0;
  for (uint32_t r = 0; r < cases->rows; r++)
    most = cases->problem[r] > most ? cases->problem[r] : most;
  uint32_t *number = ARENA_ARRAY(arena, uint32_t, most + 1), *place;
  for (uint32_t r = 0; r < cases->rows; r++) {
    if (isnan(cases->y[r])) continue;
    memcpy(x + (size_t)count * cases->features, cases->x + (size_t)r * cases->features, cases->features * sizeof *x);
    l->target[count] = cases->y[r];
    if (!number[cases->problem[r]]) number[cases->problem[r]] = ++problems;
    problem[count++] = number[cases->problem[r]] - 1;
  }
  place = tree_shuffled(arena, problems);
  for (uint32_t r = 0; r < count; r++)
    problem[r] = place[problem[r]];
  l->data = (struct tree_data){.rows = count, .features = cases->features, .targets = 1, .x = x, .named = cases->named};
  return problems;
}

struct forecaster *forecaster_learn(struct arena *arena, const struct forecaster_cases *cases) {
  struct forecaster *p = ARENA_NEW(arena, struct forecaster);
  struct learning l = {.p = p, .target = ARENA_ARRAY(arena, double, cases->rows)};
  uint32_t *problem = ARENA_ARRAY(arena, uint32_t, cases->rows);
  *p = (struct forecaster){.arena = arena, .features = cases->features, .named = cases->named, .logarithmic = true};
  p->quality.problems = take_known(&l, cases, problem);
  p->quality.cases = l.data.rows;
  if (l.data.rows < FEWEST || p->quality.problems < 2) return NULL;
  l.fold = ARENA_ARRAY(arena, uint32_t, l.data.rows);
  bool *used = ARENA_ARRAY(arena, bool, l.data.rows);
  for (uint32_t r = 0; r < l.data.rows; r++) {
    l.fold[r] = problem[r] % FORECASTER_FOLDS;
    p->logarithmic &= l.target[r] > 0;
  }
  p->quality.relative = p->logarithmic;
  for (uint32_t r = 0; p->logarithmic && r < l.data.rows; r++)
    l.target[r] = log(l.target[r]);
  l.data.y = ARENA_ARRAY(arena, double, l.data.rows);
  tree_order(arena, &l.data);
  p->scaled = ARENA_ARRAY(arena, double, p->features);
  find_scales(&l);
  choose_degree(&l, used);
  p->row = ARENA_ARRAY(arena, double, p->terms);
  learn_folds(&l, used);
  boost(&l, &p->whole, NULL, p->quality.trees, NULL);
  judge(&l);
  judge_half(&l, problem, used);
  return p;
}

static double scaled(const struct forecaster *p, double value) { return p->logarithmic ? exp(value) : value; }

struct prediction forecaster_at(const struct forecaster *p, const double *x) {
  double value = boosted_alone(p, &p->whole, x), mean = 0, squares = 0;
  double off = p->off[tree_leaf(&p->doubt, x) - p->doubt.nodes];
  for (uint32_t k = 0; k < FORECASTER_FOLDS; k++) {
    double other = boosted_at(p, &p->folds[k], x) - value;
    mean += other / FORECASTER_FOLDS;
    squares += other * other / FORECASTER_FOLDS;
  }
  return (struct prediction){.value = scaled(p, value),
                             .low = scaled(p, value - off),
                             .high = scaled(p, value + off),
                             .spread = sqrt(fmax(0, squares - mean * mean))};
}

const struct forecaster_quality *forecaster_quality(const struct forecaster *forecaster) {
  return &forecaster->quality;
}
