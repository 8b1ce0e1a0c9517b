/* Least squares by a QR decomposition with column pivoting (GSL) of the scaled design, and the figures that
 * follow from it.  Called by the fits of models and by the search. */
#include "interp/fit/regression.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* A column counts as made of others when so little of it, as a part, is not. */
#define DEPENDENT 1e-13
/* A part of the greatest measurement that is its rounding. */
#define ROUNDING 1e-12

void observations_weigh(const struct observations *o, double *weight) {
  for (uint32_t i = 0; i < o->points; i++)
    weight[i] = o->relative ? o->times[i] / o->y[i] / o->y[i] : o->times[i];
}

double observations_within(const struct observations *o) {
  double sum = 0;
  for (uint32_t i = 0; i < o->points; i++)
    sum += o->relative ? o->spread[i] / o->y[i] / o->y[i] : o->spread[i];
  return sum;
}

/* The decomposition of sqrt(weight) x design with columns of length 1; all memory is the arena's. */
struct decomposition {
  uint32_t rows, terms;
  gsl_matrix_view qr;
  gsl_vector_view tau;
  gsl_permutation permutation;
  double *scale;   /* by term */
  double *inverse; /* of R, terms x terms */
};

static double column_scale(const double *design, uint32_t terms, const double *weight, uint32_t rows, uint32_t column) {
  double most = 0, sum = 0;
  for (uint32_t i = 0; i < rows; i++) {
    double x = fabs(design[(size_t)i * terms + column]);
    most = x > most || isnan(x) ? x : most;
  }
  if (!(most > 0) || !isfinite(most)) return most;
  for (uint32_t i = 0; i < rows; i++) {
    double x = design[(size_t)i * terms + column] / most;
    sum += weight[i] * x * x;
  }
  return most * sqrt(sum);
}

static enum regression_failure decompose(struct arena *arena, const double *design, uint32_t terms,
                                         const double *weight, uint32_t rows, struct decomposition *out,
                                         uint32_t *term) {
  if (rows < terms) return REGRESSION_FEW;
  double *data = ARENA_ARRAY(arena, double, (size_t)rows *terms);
  *out = (struct decomposition){.rows = rows, .terms = terms};
  out->scale = ARENA_ARRAY(arena, double, terms);
  for (uint32_t k = 0; k < terms; k++) {
    double scale = out->scale[k] = column_scale(design, terms, weight, rows, k);
    *term = k;
    if (!isfinite(scale)) return REGRESSION_RANGE;
    if (scale == 0) return REGRESSION_DEPENDENT;
    for (uint32_t i = 0; i < rows; i++)
      data[(size_t)i * terms + k] = sqrt(weight[i]) * (design[(size_t)i * terms + k] / scale);
  }
  out->qr = gsl_matrix_view_array(data, rows, terms);
  out->tau = gsl_vector_view_array(ARENA_ARRAY(arena, double, terms), terms);
  out->permutation = (gsl_permutation){terms, ARENA_ARRAY(arena, size_t, terms)};
  gsl_vector_view norm = gsl_vector_view_array(ARENA_ARRAY(arena, double, terms), terms);
  int sign;
  gsl_linalg_QRPT_decomp(&out->qr.matrix, &out->tau.vector, &out->permutation, &sign, &norm.vector);
  for (uint32_t k = 0; k < terms; k++) {
    double diagonal = fabs(data[(size_t)k * terms + k]);
    *term = (uint32_t)out->permutation.data[k];
    if (!isfinite(diagonal)) return REGRESSION_RANGE;
    if (diagonal < DEPENDENT) return REGRESSION_DEPENDENT;
  }
  out->inverse = ARENA_ARRAY(arena, double, (size_t)terms *terms);
  gsl_matrix_view r = gsl_matrix_submatrix(&out->qr.matrix, 0, 0, terms, terms);
  gsl_matrix_view inverse = gsl_matrix_view_array(out->inverse, terms, terms);
  gsl_matrix_set_identity(&inverse.matrix);
  gsl_blas_dtrsm(CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &r.matrix, &inverse.matrix);
  return REGRESSION_FINE;
}

/* Adds to the coefficients those that fit `rest`, by point; `work` has a place a point. */
static void solve(struct decomposition *d, const double *weight, const double *rest, double *work,
                  double *coefficients) {
  gsl_vector_view vector = gsl_vector_view_array(work, d->rows);
  for (uint32_t i = 0; i < d->rows; i++)
    work[i] = sqrt(weight[i]) * rest[i];
  gsl_linalg_QR_QTvec(&d->qr.matrix, &d->tau.vector, &vector.vector);
  for (uint32_t k = 0; k < d->terms; k++) {
    double x = 0;
    for (uint32_t j = k; j < d->terms; j++)
      x += d->inverse[(size_t)k * d->terms + j] * work[j];
    size_t term = d->permutation.data[k];
    coefficients[term] += x / d->scale[term];
  }
}

static double at_row(const double *row, const double *coefficients, uint32_t terms) {
  double sum = 0;
  for (uint32_t k = 0; k < terms; k++)
    sum += row[k] * coefficients[k];
  return sum;
}

/* The fit twice: the second one is of what the first has left, which takes back most of its rounding. */
static bool coefficients_of(struct arena *arena, struct decomposition *d, const double *design, const double *weight,
                            const double *y, double *coefficients) {
  double *rest = ARENA_ARRAY(arena, double, d->rows), *work = ARENA_ARRAY(arena, double, d->rows);
  memcpy(rest, y, d->rows * sizeof *rest);
  for (int pass = 0; pass < 2; pass++) {
    solve(d, weight, rest, work, coefficients);
    for (uint32_t i = 0; i < d->rows; i++)
      rest[i] = y[i] - at_row(design + (size_t)i * d->terms, coefficients, d->terms);
  }
  for (uint32_t k = 0; k < d->terms; k++)
    if (!isfinite(coefficients[k])) return false;
  return true;
}

/* With X the weighted design as it is, (X^T X)^-1 is root root^T: so squares keep the digits that the product
 * would lose. */
static void normal_root(const struct decomposition *d, double *root) {
  for (uint32_t a = 0; a < d->terms; a++) {
    size_t term = d->permutation.data[a];
    for (uint32_t k = 0; k < d->terms; k++)
      root[term * d->terms + k] = d->inverse[(size_t)a * d->terms + k] / d->scale[term];
  }
}

/* row (X^T X)^-1 row^T */
static double spread_of(const double *root, const double *row, uint32_t terms) {
  double sum = 0;
  for (uint32_t k = 0; k < terms; k++) {
    double part = 0;
    for (uint32_t a = 0; a < terms; a++)
      part += row[a] * root[(size_t)a * terms + k];
    sum += part * part;
  }
  return sum;
}

/* Is 1 among what the terms make, at all points? */
static bool has_constant(struct arena *arena, struct decomposition *d, const double *design, const double *weight) {
  double *ones = ARENA_ARRAY(arena, double, d->rows), *made = ARENA_ARRAY(arena, double, d->terms);
  for (uint32_t i = 0; i < d->rows; i++)
    ones[i] = 1;
  if (!coefficients_of(arena, d, design, weight, ones, made)) return false;
  for (uint32_t i = 0; i < d->rows; i++)
    if (fabs(at_row(design + (size_t)i * d->terms, made, d->terms) - 1) > 1e-9) return false;
  return true;
}

static void sums_of_squares(const double *weight, const struct observations *o, struct regression *r) {
  double mean = 0, all = 0;
  for (uint32_t i = 0; i < r->points; i++) {
    mean += weight[i] * o->y[i];
    all += weight[i];
  }
  mean = r->constant ? mean / all : 0;
  r->rss = r->total = observations_within(o);
  for (uint32_t i = 0; i < r->points; i++) {
    double rest = o->y[i] - r->fitted[i], about = o->y[i] - mean;
    r->rss += weight[i] * rest * rest;
    r->total += weight[i] * about * about;
  }
  uint64_t total_freedom = o->count - r->constant;
  r->r2 = r->total > 0 ? 1 - r->rss / r->total : NAN;
  r->adjusted = r->freedom && r->total > 0 && total_freedom
                    ? 1 - r->rss / (double)r->freedom / (r->total / (double)total_freedom)
                    : NAN;
  r->sigma = r->freedom ? sqrt(r->rss / (double)r->freedom) : NAN;
}

/* N. Draper, H. Smith: Applied regression analysis, 3rd edition, 1998, 2.1. */
static void lack_of_fit(const struct observations *o, struct regression *r) {
  double within = observations_within(o);
  r->lack = NAN;
  r->lack_chance = 1;
  if (o->count == o->points || o->points <= r->terms || !(within > 0)) return;
  double freedom = o->points - r->terms, again = (double)(o->count - o->points);
  r->lack = (r->rss - within) / freedom / (within / again);
  r->lack_chance = gsl_cdf_fdist_Q(r->lack, freedom, again);
}

enum regression_failure regression_fit(struct arena *arena, const double *design, uint32_t terms,
                                       const struct observations *observations, struct regression *out,
                                       uint32_t *term) {
  uint32_t points = observations->points;
  double *weight = ARENA_ARRAY(arena, double, points);
  struct decomposition d;
  *term = 0;
  observations_weigh(observations, weight);
  enum regression_failure failure = decompose(arena, design, terms, weight, points, &d, term);
  if (failure != REGRESSION_FINE) return failure;
  *out = (struct regression){
      .points = points, .terms = terms, .freedom = observations->count - terms, .relative = observations->relative};
  out->coefficients = ARENA_ARRAY(arena, double, terms);
  out->errors = ARENA_ARRAY(arena, double, terms);
  out->root = ARENA_ARRAY(arena, double, (size_t)terms *terms);
  out->fitted = ARENA_ARRAY(arena, double, points);
  out->left_out = ARENA_ARRAY(arena, double, points);
  if (!coefficients_of(arena, &d, design, weight, observations->y, out->coefficients)) return REGRESSION_RANGE;
  out->constant = has_constant(arena, &d, design, weight);
  normal_root(&d, out->root);
  for (uint32_t i = 0; i < points; i++) {
    const double *row = design + (size_t)i * terms;
    out->fitted[i] = at_row(row, out->coefficients, terms);
    double leverage = weight[i] * spread_of(out->root, row, terms);
    bool alone = leverage > 1 - 1e-9; /* nothing else tells one of the coefficients */
    out->left_out[i] = alone ? NAN : observations->y[i] - (observations->y[i] - out->fitted[i]) / (1 - leverage);
  }
  sums_of_squares(weight, observations, out);
  lack_of_fit(observations, out);
  for (uint32_t k = 0; k < terms; k++) {
    double sum = 0;
    for (uint32_t j = 0; j < terms; j++)
      sum += out->root[(size_t)k * terms + j] * out->root[(size_t)k * terms + j];
    out->errors[k] = out->sigma * sqrt(sum);
  }
  return isfinite(out->rss) ? REGRESSION_FINE : REGRESSION_RANGE;
}

void regression_fold(struct arena *arena, const double *design, uint32_t terms, const struct observations *observations,
                     uint32_t folds, double *out) {
  uint32_t points = observations->points;
  double *some = ARENA_ARRAY(arena, double, (size_t)points *terms), *y = ARENA_ARRAY(arena, double, points),
         *weight = ARENA_ARRAY(arena, double, points), *coefficients = ARENA_ARRAY(arena, double, terms),
         *all = ARENA_ARRAY(arena, double, points);
  observations_weigh(observations, all);
  for (uint32_t fold = 0; fold < folds; fold++) {
    struct decomposition d;
    uint32_t rows = 0, term;
    for (uint32_t i = 0; i < points; i++) {
      if (i % folds == fold) continue;
      memcpy(some + (size_t)rows * terms, design + (size_t)i * terms, terms * sizeof *some);
      y[rows] = observations->y[i];
      weight[rows++] = all[i];
    }
    memset(coefficients, 0, terms * sizeof *coefficients);
    bool fine = decompose(arena, some, terms, weight, rows, &d, &term) == REGRESSION_FINE &&
                coefficients_of(arena, &d, some, weight, y, coefficients);
    for (uint32_t i = fold; i < points; i += folds)
      out[i] = fine ? at_row(design + (size_t)i * terms, coefficients, terms) : NAN;
  }
}

struct band regression_band(const struct regression *r, const double *row, double level) {
  struct band band = {.value = at_row(row, r->coefficients, r->terms), .mean = NAN, .prediction = NAN};
  if (!r->freedom) return band;
  double spread = spread_of(r->root, row, r->terms);
  double t = gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)r->freedom), one = r->relative ? band.value * band.value : 1;
  band.mean = t * r->sigma * sqrt(spread);
  band.prediction = t * r->sigma * sqrt(one + spread);
  return band;
}

struct coefficient regression_coefficient(const struct regression *r, uint32_t term, double level) {
  struct coefficient out = {NAN, NAN, NAN};
  double freedom = (double)r->freedom, error = r->errors[term];
  if (!r->freedom) return out;
  out.half = gsl_cdf_tdist_Pinv(0.5 + level / 2, freedom) * error;
  if (!(error > 0)) return out; /* it fits without an error: a test says nothing */
  out.t = r->coefficients[term] / error;
  out.chance = 2 * gsl_cdf_tdist_Q(fabs(out.t), freedom);
  return out;
}

void smape_errors(const double *predicted, const double *measured, uint32_t count, double *errors) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = fmax(most, fabs(measured[i]));
  for (uint32_t i = 0; i < count; i++) {
    double both = fabs(predicted[i]) + fabs(measured[i]);
    bool nothing = measured[i] == 0 && both <= ROUNDING * most;
    errors[i] = both > 0 && !nothing ? 2 * (fabs(predicted[i] - measured[i]) / both) : isnan(both) ? NAN : 0;
  }
}
