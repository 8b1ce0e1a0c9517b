/* Sums over stretches of time, and what they say of a steady state.
 *
 * A grid divides the time from 0 into at most GRID_BINS bins of one width, a power of two seconds. Where time
 * leaves it, the width doubles and neighbours are added up: memory is bounded, a sum costs one addition, and
 * observations may come out of order. Each row of the grid has some columns of sums: of departures, of the
 * times that they took, ... */
#ifndef PSL_SERIES_H
#define PSL_SERIES_H
#include "grammar/arena.h"

enum {
  GRID_BINS = 512,
  BATCHES = 20, /* that batch means are taken over */
  PIECES = 128, /* shorter ones, whose correlation tells whether batches are long enough */
  GROUP = 5,    /* bins whose mean is one point for series_warm_up */
};

struct grid {
  double width, per_second, end; /* s, 1/s, s; 0: nothing has been entered yet */
  uint32_t rows, columns;
  struct arena *arena;
  double **sums; /* by row: by bin and column; NULL: nothing has been entered */
};

void grid_open(struct grid *grid, struct arena *arena, uint32_t rows, uint32_t columns);
void grid_reach(struct grid *grid, double time); /* makes the grid go beyond the time */
double *grid_row(struct grid *grid, uint32_t row);
/* The columns of a row's bin at the time, s, not negative and finite. */
static inline double *grid_at(struct grid *grid, uint32_t row, double time) {
  if (!(time < grid->end)) grid_reach(grid, time);
  double *sums = grid->sums[row] ? grid->sums[row] : grid_row(grid, row);
  return sums + (size_t)(uint32_t)(time * grid->per_second) * grid->columns;
}
/* Bins that lie before the time as a whole. */
uint32_t grid_bins(const struct grid *grid, double time);

struct series { /* a column of a row: value k is at[k * stride] */
  const double *at;
  uint32_t stride;
};
struct series grid_series(struct grid *grid, uint32_t row, uint32_t column);

/* How many of `count` values belong to the warm-up: those without which the standard error of the mean of the
 * rest is least. MSER-5: K. P. White, M. J. Cobb, S. C. Spratt, A comparison of five steady-state truncation
 * heuristics for simulation, Winter Simulation Conference 2000, on means of GROUP values. Half of them, where
 * it finds no smaller number: the series has not settled. */
uint32_t series_warm_up(struct series series, uint32_t count);

struct estimate {
  double value, half_width; /* NaN: there is none */
  double correlation;       /* of neighbouring pieces: von Neumann's ratio of them is 2 (1 - it) */
};
/* sum(above) / sum(below) over values first .. end - 1, by means of BATCHES batches of equal length (what is
 * left over goes to the warm-up): Student's t on the residuals above - value * below of the batches, as for
 * ratios of means, wider where they are skew. below.at NULL: 1 for each value. Wants end - first >= BATCHES, and
 * PIECES for the correlation, which else is 1. */
struct estimate series_ratio(struct series above, struct series below, uint32_t first, uint32_t end, double confidence);
/* Half the interval of a part, sum(above) / sum(below), likewise, but wider where they are skew by the
 * first order alone. Of few values, hence by BATCHES to 2 * BATCHES - 1
 * batches, so that little is left over. */
double series_part(struct series above, struct series below, uint32_t first, uint32_t end, double confidence);

/* ---- when to end ---- */

/* Are batches long beside the time in which what is estimated forgets? */
bool series_independent(struct estimate estimate);
/* How many times as wide the interval is as the wished part of the value to either side; infinity where it is not
 * sound. */
double series_excess(struct estimate estimate, double wished);
/* Runs that end where an interval happens to be narrow come out low: it is narrow where there was little, and what was
 * little goes into the mean (Y. S. Chow, H. Robbins, Annals of Mathematical Statistics 36, 1965; A. M. Law, W. D.
 * Kelton, Management Science 28, 1982). So an interval is not tested till it is narrow, but once to tell how long the
 * run has to last, and again when that has passed (C. Stein, Annals of Mathematical Statistics 16, 1945).
 *
 * By the greatest excess: how many times as long as so far it has to be. 0: not to be told yet; 1: it is enough. */
double series_lasts(bool told, double excess, double wished);
#endif
