/* Does the noise of measurements grow with what is fitted, so that errors should count as parts of it?  By Spearman's
 * rank correlation of how far measurements are off with what is fitted: of the mean of their point where points were
 * measured again, else of the fit. */
#include "interp/fit/fit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define CHANCE 0.001 /* of noise that is the same everywhere */
enum { LEAST = 8 };  /* measurements, for the approximation by Student's t */

static int by_number(const void *a, const void *b, void *user) {
  const double *numbers = user;
  double x = numbers[*(const uint32_t *)a], y = numbers[*(const uint32_t *)b];
  return x < y ? -1 : x > y;
}

/* Equal numbers have the mean of their ranks. */
static void rank(struct arena *arena, double *numbers, uint32_t count, double *ranks) {
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  qsort_r(order, count, sizeof *order, by_number, numbers);
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && numbers[order[end]] == numbers[order[begin]];)
      end++;
    for (uint32_t i = begin; i < end; i++)
      ranks[order[i]] = 0.5 * (begin + end - 1);
  }
}

/* Of ranks, whose mean is the same in both. */
static double correlation(const double *a, const double *b, uint32_t count) {
  double mean = 0.5 * (count - 1), both = 0, square_a = 0, square_b = 0;
  for (uint32_t i = 0; i < count; i++) {
    both += (a[i] - mean) * (b[i] - mean);
    square_a += (a[i] - mean) * (a[i] - mean);
    square_b += (b[i] - mean) * (b[i] - mean);
  }
  return square_a > 0 && square_b > 0 ? both / sqrt(square_a * square_b) : 0;
}

static bool is_chance(double rho, uint32_t count) {
  if (rho >= 1) return false;
  double t = rho * sqrt((count - 2) / (1 - rho * rho));
  return gsl_cdf_tdist_Q(t, count - 2) >= CHANCE;
}

double fit_grows(struct arena *arena, const struct model_fit *fit) {
  const struct fit_points *p = &fit->points;
  double *off = ARENA_ARRAY(arena, double, p->rows), *size = ARENA_ARRAY(arena, double, p->rows);
  double *ranks = ARENA_ARRAY(arena, double, p->rows), *sizes = ARENA_ARRAY(arena, double, p->rows);
  bool again = !isnan(fit->scatter);
  uint32_t count = 0;
  if (fit->log || fit->regression.relative) return NAN;
  for (uint32_t row = 0; row < p->rows; row++) {
    uint32_t point = p->point[row];
    if (!(p->y[row] > 0)) return NAN;
    if (again && p->observations.times[point] < 2) continue;
    double about = again ? p->observations.y[point] : fit->regression.fitted[point];
    size[count] = fit->regression.fitted[point];
    off[count++] = fabs(p->y[row] - about);
  }
  if (count < LEAST) return NAN;
  rank(arena, off, count, ranks);
  rank(arena, size, count, sizes);
  double rho = correlation(ranks, sizes, count);
  return is_chance(rho, count) ? (double)NAN : rho;
}
