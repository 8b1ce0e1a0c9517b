/* Settings that a fit leaves out, and that what was measured depends on all the same: by an analysis of variance of
 * measurements about the mean of their point. */
#include "interp/fit/fit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define CHANCE 0.001 /* of noise */

static int by_setting(const void *a, const void *b, void *user) {
  const double *setting = user;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  if (setting[x] != setting[y]) return setting[x] < setting[y] ? -1 : 1;
  return (x > y) - (x < y);
}

static bool differs(const struct fit_points *p, const double *setting, double *first) {
  bool any = false;
  for (uint32_t i = 0; i < p->count; i++)
    first[i] = NAN;
  for (uint32_t row = 0; row < p->rows; row++) {
    double *of_point = &first[p->point[row]];
    if (isnan(*of_point)) *of_point = setting[row];
    any |= setting[row] != *of_point;
  }
  return any;
}

/* By row: what is left beside the mean of its point, as a part of that where all are above 0, as times are. */
static void find_rests(const struct fit_points *p, double *mean, double *rest) {
  double least = INFINITY;
  for (uint32_t i = 0; i < p->count; i++)
    mean[i] = 0;
  for (uint32_t row = 0; row < p->rows; row++) {
    mean[p->point[row]] += p->y[row] / p->observations.times[p->point[row]];
    least = fmin(least, p->y[row]);
  }
  for (uint32_t row = 0; row < p->rows; row++) {
    double about = p->y[row] - mean[p->point[row]];
    rest[row] = least > 0 ? about / mean[p->point[row]] : about;
  }
}

bool fit_overlooks(struct arena *arena, const struct fit_points *p, const double *setting) {
  double *mean = ARENA_ARRAY(arena, double, p->count), *rest = ARENA_ARRAY(arena, double, p->rows);
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, p->rows), groups = 0;
  double all = 0, between = 0;
  if (!differs(p, setting, mean)) return false;
  find_rests(p, mean, rest);
  for (uint32_t row = 0; row < p->rows; row++) {
    order[row] = row;
    all += rest[row] * rest[row];
  }
  qsort_r(order, p->rows, sizeof *order, by_setting, (void *)setting);
  for (uint32_t begin = 0, end; begin < p->rows; begin = end, groups++) {
    double sum = 0;
    for (end = begin; end < p->rows && setting[order[end]] == setting[order[begin]]; end++)
      sum += rest[order[end]];
    between += sum * sum / (end - begin);
  }
  if (2 * groups > p->rows || p->rows < p->count + groups || !(all > 0)) return false;
  double freedom = p->rows - p->count - groups + 1, left = fmax(all - between, 0);
  return left == 0 || gsl_cdf_fdist_Q(between / (groups - 1) / (left / freedom), groups - 1, freedom) < CHANCE;
}
