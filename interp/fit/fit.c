/* Measurements grouped to points, and the errors of a fit over them. */
#include "interp/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_arguments(const struct fit_points *p, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < p->parameters; i++) {
    double x = p->x[(size_t)a * p->parameters + i], y = p->x[(size_t)b * p->parameters + i];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static int by_arguments(const void *a, const void *b, void *user) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  int order = compare_arguments(user, x, y);
  return order ? order : (x > y) - (x < y);
}

void fit_group(struct arena *arena, struct fit_points *p, bool log_of) {
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, p->rows);
  double *mean = ARENA_ARRAY(arena, double, p->rows), *times = ARENA_ARRAY(arena, double, p->rows),
         *spread = ARENA_ARRAY(arena, double, p->rows);
  for (uint32_t i = 0; i < p->rows; i++)
    order[i] = i;
  qsort_r(order, p->rows, sizeof *order, by_arguments, p);
  p->point = ARENA_ARRAY(arena, uint32_t, p->rows);
  p->arguments = ARENA_ARRAY(arena, double, (size_t)p->rows * p->parameters);
  p->count = 0;
  for (uint32_t k = 0; k < p->rows; k++) {
    uint32_t row = order[k];
    if (k && compare_arguments(p, order[k - 1], row) == 0)
      p->count--;
    else
      memcpy(p->arguments + (size_t)p->count * p->parameters, p->x + (size_t)row * p->parameters,
             p->parameters * sizeof *p->arguments);
    p->point[row] = p->count;
    mean[p->count] += log_of ? log(p->y[row]) : p->y[row];
    times[p->count++] += 1;
  }
  p->observations =
      (struct observations){.points = p->count, .y = mean, .times = times, .spread = spread, .count = p->rows};
  for (uint32_t i = 0; i < p->count; i++)
    mean[i] /= times[i];
  for (uint32_t i = 0; i < p->rows; i++) {
    double about = (log_of ? log(p->y[i]) : p->y[i]) - mean[p->point[i]];
    spread[p->point[i]] += about * about;
  }
}

bool fit_lacks(const struct model_fit *fit) { return fit->regression.lack_chance < 0.001; }

double fit_value(const struct model_fit *fit, double regressed) { return fit->log ? exp(regressed) : regressed; }

static double mean_of(const double *values, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += values[i];
  return count ? sum / count : 0;
}

static double smape_of(const double *predicted, const double *measured, uint32_t count, double *errors) {
  smape_errors(predicted, measured, count, errors);
  return mean_of(errors, count);
}

void fit_score(struct arena *arena, struct model_fit *fit, const double *design) {
  const struct fit_points *p = &fit->points;
  double *fitted = ARENA_ARRAY(arena, double, p->count), *means = ARENA_ARRAY(arena, double, p->count),
         *left_out = ARENA_ARRAY(arena, double, p->count), *errors = ARENA_ARRAY(arena, double, p->rows),
         *again = ARENA_ARRAY(arena, double, p->rows), *own = ARENA_ARRAY(arena, double, p->rows);
  uint32_t repeated = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    fitted[i] = fit_value(fit, fit->regression.fitted[i]);
    means[i] = fit_value(fit, p->observations.y[i]);
  }
  for (uint32_t row = 0; row < p->rows; row++) {
    if (p->observations.times[p->point[row]] < 2) continue;
    again[repeated] = p->y[row];
    own[repeated++] = means[p->point[row]];
  }
  fit->smape = smape_of(fitted, means, p->count, errors);
  fit->scatter = repeated ? smape_of(own, again, repeated, errors) : NAN;
  if (fit->folds >= p->count) fit->folds = 0; /* the same */
  if (fit->folds)
    regression_fold(arena, design, fit->term_count, &p->observations, fit->folds, left_out);
  else
    memcpy(left_out, fit->regression.left_out, p->count * sizeof *left_out);
  for (uint32_t i = 0; i < p->count; i++)
    left_out[i] = fit_value(fit, left_out[i]);
  fit->validated = smape_of(left_out, means, p->count, errors);
  double squares = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    double about = errors[i] - fit->validated;
    squares += about * about;
  }
  fit->validated_error = p->count > 1 ? sqrt(squares / (p->count - 1) / p->count) : 0;
}
