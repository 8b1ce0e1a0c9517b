/* Quantiles of observations that are made over time, with intervals.
 *
 * Time is divided into at most QUANTILE_BINS bins of one width, a power of two seconds, which doubles as that of a
 * grid does (series.h). A bin counts its observations in buckets: of a power of two the 2^slot_bits that its mantissa
 * begins with, 128 where there are few rows. So an observation costs one addition and no logarithm, what is counted is
 * the same in whatever order it comes, and memory is bounded: 34 KiB for each row and power of two that occurs, with
 * many rows less. A quantile lies in its bucket, between the least and the greatest that was counted there, where it
 * is interpolated. */
#ifndef PSL_QUANTILES_H
#define PSL_QUANTILES_H
#include "grammar/arena.h"
#include <string.h>

enum { QUANTILE_BINS = 128, QUANTILE_POWERS = 2048, QUANTILE_PARTS = 20 /* asked for at most */ };

struct quantile_power { /* observations from a power of two to the next */
  struct quantile_slot {
    double least, greatest;
  } * slots;
  uint32_t *counts; /* by bin and slot */
};
struct quantiles {
  double width, per_second, end; /* s, 1/s, s; 0: nothing has been entered yet */
  uint32_t rows, slot_bits;
  struct arena *arena;
  struct quantile_power **powers; /* by row: by power of two; NULL: nothing has been entered */
};

void quantiles_open(struct quantiles *quantiles, struct arena *arena, uint32_t rows);
/* Makes the bins go beyond the time, and be of that width at least. */
void quantiles_reach(struct quantiles *quantiles, double time, double width);
/* Makes room for a row's power of two. */
void quantiles_power(struct quantiles *quantiles, uint32_t row, uint32_t power);

/* A value, not negative and finite, at the time, s, likewise. */
static inline void quantiles_add(struct quantiles *quantiles, uint32_t row, double time, double value) {
  uint64_t bits;
  if (!(time < quantiles->end)) quantiles_reach(quantiles, time, 0);
  memcpy(&bits, &value, sizeof bits);
  uint32_t slots = 1u << quantiles->slot_bits, power = (uint32_t)(bits >> 52);
  uint32_t slot = (uint32_t)(bits >> (52 - quantiles->slot_bits)) % slots;
  uint32_t bin = (uint32_t)(time * quantiles->per_second);
  if (!quantiles->powers[row] || !quantiles->powers[row][power].counts) quantiles_power(quantiles, row, power);
  const struct quantile_power *at = &quantiles->powers[row][power];
  if (value < at->slots[slot].least) at->slots[slot].least = value;
  if (value > at->slots[slot].greatest) at->slots[slot].greatest = value;
  at->counts[bin * slots + slot]++;
}

struct quantile { /* NaN: there is none */
  double value, low, high;
  double half_width; /* half of the interval, without the width of the buckets that its ends lie in */
};
/* Of all observations of some rows together in the bins first .. end - 1: the values that the parts, ascending, do not
 * exceed, and intervals of that confidence. Wants as many bins as series_ratio wants.
 *
 * The interval is made of order statistics: batch means give the part of observations up to the value an interval, and
 * the quantiles of its ends are the ends (P. Heidelberger, P. A. W. Lewis, Quantile estimation in dependent sequences,
 * Operations Research 32, 1984). So it needs no density, and batches may be short beside 1 / (1 - p). The interval of
 * the part is symmetric in its logit, ln(p / (1 - p)), so that both ends lie within 0 and 1; with half the part's, h,
 * it is logit(p) +- h / (p (1 - p)) by the delta method. Where the tail is exponential that is symmetric in the value,
 * too. There is no interval with less than five observations beyond either end. */
void quantiles_estimate(const struct quantiles *quantiles, const uint32_t *rows, uint32_t row_count, uint32_t first,
                        uint32_t end, double confidence, const double *parts, uint32_t part_count,
                        struct quantile *estimates);
#endif
