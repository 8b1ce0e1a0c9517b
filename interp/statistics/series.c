/* Series of sums over time: their warm-up, and intervals by batch means; see series.h.  What simulates a
 * steady state enters its observations here. */
#include "interp/statistics/series.h"
#include "interp/statistics/tally.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

static const double nothing = 1e-6; /* of a figure: what varies by less is the rounding of clocks */

/* Where neighbouring pieces are more alike than this, batches are too short: a batch, which is six pieces, then lasts
 * some seventeen times as long as what is estimated takes to forget. */
static const double correlation_most = 0.25;
/* An interval that is no wider than so many times what is wished tells how long the run has to last; with so much more,
 * that it seldom turns out to be too short. Wide intervals are of few independent observations and tell it worse. */
static const double telling = 1.5, spare = 2, spare_wide = 3, wide = 0.05;
/* What has turned out to be too short lasts so much longer, at least and at most. */
static const double again_least = 1.5, again_most = 2;

void grid_open(struct grid *grid, struct arena *arena, uint32_t rows, uint32_t columns) {
  *grid = (struct grid){.rows = rows, .columns = columns, .arena = arena};
  grid->sums = ARENA_ARRAY(arena, double *, rows);
}

double *grid_row(struct grid *grid, uint32_t row) {
  if (!grid->sums[row]) grid->sums[row] = ARENA_ARRAY(grid->arena, double, (size_t)GRID_BINS * grid->columns);
  return grid->sums[row];
}

static void grid_width(struct grid *grid, double width) {
  grid->width = width;
  grid->per_second = 1 / width;
  grid->end = width * GRID_BINS;
}

static void grid_double(struct grid *grid) {
  uint32_t columns = grid->columns;
  for (uint32_t row = 0; row < grid->rows; row++) {
    double *bins = grid->sums[row];
    if (!bins) continue;
    for (uint32_t i = 0; i < GRID_BINS / 2; i++)
      for (uint32_t k = 0; k < columns; k++)
        bins[i * columns + k] = bins[2 * i * columns + k] + bins[(2 * i + 1) * columns + k];
    memset(bins + GRID_BINS / 2 * columns, 0, GRID_BINS / 2 * columns * sizeof *bins);
  }
  grid_width(grid, grid->width * 2);
}

void grid_reach(struct grid *grid, double time) {
  if (grid->width == 0) { /* the first: its time is near the end; at 0 the least width will do */
    int exponent;
    frexp(fmax(time, 1e-300) / GRID_BINS, &exponent);
    grid_width(grid, ldexp(1, exponent));
  }
  while (!(time < grid->end))
    grid_double(grid);
}

uint32_t grid_bins(const struct grid *grid, double time) {
  double bins = floor(time * grid->per_second);
  return bins < GRID_BINS ? (uint32_t)bins : GRID_BINS;
}

struct series grid_series(struct grid *grid, uint32_t row, uint32_t column) {
  return (struct series){grid_row(grid, row) + column, grid->columns};
}

static double series_at(struct series series, uint32_t k) {
  return series.at ? series.at[(size_t)k * series.stride] : 1;
}

static double series_sum(struct series series, uint32_t first, uint32_t end) {
  double sum = 0;
  for (uint32_t k = first; k < end; k++)
    sum += series_at(series, k);
  return sum;
}

/* From the last point to the first: what lies behind each is known by its mean and sum of squares. */
uint32_t series_warm_up(struct series series, uint32_t count) {
  uint32_t points = count / GROUP, best = points / 2;
  double mean = 0, square = 0, least = INFINITY;
  for (uint32_t taken = 1; taken <= points; taken++) {
    uint32_t at = points - taken;
    double value = series_sum(series, at * GROUP, (at + 1) * GROUP) / GROUP, far = value - mean;
    mean += far / taken;
    square += far * (value - mean);
    double error = square / ((double)taken * taken);
    if (at > points / 2 || error > least) continue;
    least = error;
    best = at;
  }
  return best < points / 2 ? best * GROUP : count / 2;
}

struct residuals {                  /* above - value * below of parts of equal length, the last ending at `end` */
  double square, cube, correlation; /* sums of their powers; of neighbours */
};

static struct residuals residuals_of(struct series above, struct series below, double value, uint32_t first,
                                     uint32_t end, uint32_t parts) {
  struct residuals found = {.correlation = 1};
  uint32_t size = (end - first) / parts;
  if (!size) return found;
  double cross = 0, before = 0;
  first = end - size * parts;
  for (uint32_t k = 0; k < parts; k++, first += size) {
    double residual = series_sum(above, first, first + size) - value * series_sum(below, first, first + size);
    found.square += residual * residual;
    found.cube += residual * residual * residual;
    cross += residual * before;
    before = residual;
  }
  found.correlation = found.square > 0 ? cross / found.square : 0;
  return found;
}

static double student_of(uint32_t batches, double confidence) {
  return gsl_cdf_tdist_Pinv((1 + confidence) / 2, batches - 1);
}

static double skewness_of(struct residuals residuals, uint32_t batches) {
  double variance = residuals.square / batches;
  return variance > 0 ? fabs(residuals.cube) / batches / (variance * sqrt(variance)) : 0;
}

/* How many standard errors the mean of the batches may be off: Student's quantile, which Willink's transformation
 * (Communications in Statistics 34, 2005) makes greater on the one side and less on the other where the values are
 * skew. The greater. */
static double reach(struct residuals residuals, uint32_t batches, double confidence) {
  double student = student_of(batches, confidence), b = skewness_of(residuals, batches) / (6 * sqrt(batches));
  return b > 1e-6 ? (1 - cbrt(1 - 6 * b * (student + b))) / (2 * b) : student;
}

/* The same by the first term of that alone (N. J. Johnson, Modified t tests and confidence intervals for asymmetrical
 * populations, Journal of the American Statistical Association 73, 1978), which stays bounded where two or three
 * batches have most of what is rare. */
static double reach_first_order(struct residuals residuals, uint32_t batches, double confidence) {
  double student = student_of(batches, confidence);
  return student + skewness_of(residuals, batches) * (1 + 2 * student * student) / (6 * sqrt(batches));
}

/* By batches of one length, the last ending at `end`; first is where the first begins. */
static struct estimate ratio(struct series above, struct series below, uint32_t first, uint32_t end, uint32_t batches,
                             double confidence, bool first_order) {
  struct estimate estimate = {NAN, NAN, 0};
  double sum = series_sum(below, first, end);
  if (!(sum > 0)) return estimate;
  estimate.value = series_sum(above, first, end) / sum;
  struct residuals residuals = residuals_of(above, below, estimate.value, first, end, batches);
  double deviation = sqrt(residuals.square / (batches - 1)), mean = sum / batches;
  double errors = (first_order ? reach_first_order : reach)(residuals, batches, confidence);
  estimate.half_width = half_beyond(ROUNDING_OF_CLOCKS, errors * deviation / sqrt(batches) / mean, estimate.value);
  return estimate;
}

struct estimate series_ratio(struct series above, struct series below, uint32_t first, uint32_t end,
                             double confidence) {
  if (end < first + BATCHES) return (struct estimate){NAN, NAN, 0};
  first = end - (end - first) / BATCHES * BATCHES;
  struct estimate estimate = ratio(above, below, first, end, BATCHES, confidence, false);
  if (estimate.half_width > nothing * fabs(estimate.value))
    estimate.correlation = residuals_of(above, below, estimate.value, first, end, PIECES).correlation;
  return estimate;
}

double series_part(struct series above, struct series below, uint32_t first, uint32_t end, double confidence) {
  if (end < first + BATCHES) return NAN;
  uint32_t size = (end - first) / BATCHES, batches = (end - first) / size;
  return ratio(above, below, end - batches * size, end, batches, confidence, true).half_width;
}

bool series_independent(struct estimate estimate) { return !(estimate.correlation > correlation_most); }

double series_excess(struct estimate estimate, double wished) {
  double part = wished * fabs(estimate.value);
  if (isnan(estimate.half_width) || !series_independent(estimate)) return INFINITY;
  return estimate.half_width > 0 ? estimate.half_width / part : 0;
}

double series_lasts(bool told, double excess, double wished) {
  if (told) return excess <= 1 ? 1 : fmin(fmax(excess * excess, again_least), again_most);
  if (excess > telling) return 0;
  return fmax(excess * excess, 1 / (telling * telling)) * (wished > wide ? spare_wide : spare);
}
