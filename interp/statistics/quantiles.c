/* Counts of observations by time and size, and quantiles of them; see quantiles.h.  What simulates a steady state
 * enters the responses of customers here. */
#include "interp/statistics/quantiles.h"
#include "interp/statistics/tally.h"
#include "interp/statistics/series.h"

#include <math.h>

enum {
  SLOT_BITS = 7,
  FEWEST_SLOT_BITS = 4,
  ROWS = 32, /* of as many slots as can be; with more rows there are fewer, so that memory stays as it is */
};

void quantiles_open(struct quantiles *quantiles, struct arena *arena, uint32_t rows) {
  *quantiles = (struct quantiles){.rows = rows, .slot_bits = SLOT_BITS, .arena = arena};
  for (uint32_t many = ROWS; many < rows && quantiles->slot_bits > FEWEST_SLOT_BITS; many *= 2)
    quantiles->slot_bits--;
  quantiles->powers = ARENA_ARRAY(arena, struct quantile_power *, rows);
}

static uint32_t slots_of(const struct quantiles *quantiles) { return 1u << quantiles->slot_bits; }

void quantiles_power(struct quantiles *quantiles, uint32_t row, uint32_t power) {
  struct quantile_power **powers = &quantiles->powers[row];
  uint32_t slots = slots_of(quantiles);
  if (!*powers) *powers = ARENA_ARRAY(quantiles->arena, struct quantile_power, QUANTILE_POWERS);
  struct quantile_power *new = &(*powers)[power];
  new->slots = ARENA_ARRAY(quantiles->arena, struct quantile_slot, slots);
  for (uint32_t slot = 0; slot < slots; slot++)
    new->slots[slot] = (struct quantile_slot){INFINITY, -INFINITY};
  new->counts = ARENA_ARRAY(quantiles->arena, uint32_t, (size_t)QUANTILE_BINS * slots);
}

static void width_set(struct quantiles *quantiles, double width) {
  quantiles->width = width;
  quantiles->per_second = 1 / width;
  quantiles->end = width * QUANTILE_BINS;
}

static void halve(uint32_t *counts, uint32_t slots) {
  for (uint32_t bin = 0; bin < QUANTILE_BINS / 2; bin++)
    for (uint32_t slot = 0; slot < slots; slot++)
      counts[bin * slots + slot] = counts[2 * bin * slots + slot] + counts[(2 * bin + 1) * slots + slot];
  memset(counts + (size_t)QUANTILE_BINS / 2 * slots, 0, QUANTILE_BINS / 2 * slots * sizeof *counts);
}

static void width_double(struct quantiles *quantiles) {
  for (uint32_t row = 0; row < quantiles->rows; row++)
    for (uint32_t power = 0; quantiles->powers[row] && power < QUANTILE_POWERS; power++)
      if (quantiles->powers[row][power].counts) halve(quantiles->powers[row][power].counts, slots_of(quantiles));
  width_set(quantiles, quantiles->width * 2);
}

void quantiles_reach(struct quantiles *quantiles, double time, double width) {
  if (quantiles->width == 0) { /* the first: its time is near the end; at 0 the least width will do */
    int exponent;
    frexp(fmax(time, 1e-300) / QUANTILE_BINS, &exponent);
    width_set(quantiles, ldexp(1, exponent));
  }
  while (!(time < quantiles->end) || quantiles->width < width)
    width_double(quantiles);
}

/* ---- estimates ---- */

struct bucket {
  uint32_t number; /* its power of two and slot */
  double before, count;
};

struct counted { /* what some rows have in some bins */
  const struct quantiles *quantiles;
  const uint32_t *rows;
  uint32_t row_count, first, end;
  struct bucket *buckets; /* those that are not empty, ascending */
  uint32_t bucket_count;
  double count;
};

/* Those of the rows in one bin. */
static double count_at(const struct counted *c, uint32_t number, uint32_t bin) {
  uint32_t slots = slots_of(c->quantiles), power = number / slots;
  double count = 0;
  for (uint32_t r = 0; r < c->row_count; r++) {
    const struct quantile_power *row = c->quantiles->powers[c->rows[r]];
    if (row && row[power].counts) count += row[power].counts[bin * slots + number % slots];
  }
  return count;
}

static bool has_power(const struct counted *c, uint32_t power) {
  for (uint32_t r = 0; r < c->row_count; r++) {
    const struct quantile_power *row = c->quantiles->powers[c->rows[r]];
    if (row && row[power].counts) return true;
  }
  return false;
}

/* The least and the greatest in a bucket that is not empty. */
static struct quantile_slot slot_of(const struct counted *c, uint32_t number) {
  uint32_t slots = slots_of(c->quantiles), power = number / slots;
  struct quantile_slot all = {INFINITY, -INFINITY};
  for (uint32_t r = 0; r < c->row_count; r++) {
    const struct quantile_power *row = c->quantiles->powers[c->rows[r]];
    if (!row || !row[power].counts) continue;
    all.least = fmin(all.least, row[power].slots[number % slots].least);
    all.greatest = fmax(all.greatest, row[power].slots[number % slots].greatest);
  }
  return all;
}

/* How many of the rows are in each bucket of the power, in all bins. */
static void totals_make(const struct counted *c, uint32_t power, double *totals) {
  uint32_t slots = slots_of(c->quantiles);
  memset(totals, 0, slots * sizeof *totals);
  for (uint32_t r = 0; r < c->row_count; r++) {
    const struct quantile_power *row = c->quantiles->powers[c->rows[r]];
    if (!row || !row[power].counts) continue;
    for (uint32_t bin = c->first; bin < c->end; bin++)
      for (uint32_t slot = 0; slot < slots; slot++)
        totals[slot] += row[power].counts[bin * slots + slot];
  }
}

static void buckets_make(struct counted *c) {
  uint32_t slots = slots_of(c->quantiles), capacity = 0;
  double totals[1 << SLOT_BITS];
  for (uint32_t power = 0; power < QUANTILE_POWERS; power++) {
    if (!has_power(c, power)) continue;
    totals_make(c, power, totals);
    for (uint32_t slot = 0; slot < slots; slot++) {
      struct bucket bucket = {power * slots + slot, c->count, totals[slot]};
      if (bucket.count == 0) continue;
      c->count += bucket.count;
      ARENA_PUSH(c->quantiles->arena, c->buckets, c->bucket_count, capacity, bucket);
    }
  }
}

/* The bucket that the part lies in, and how much of it does not exceed the part. */
static const struct bucket *bucket_of(const struct counted *c, double part, double *share) {
  double rank = part * c->count;
  uint32_t low = 0, high = c->bucket_count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->buckets[middle].before + c->buckets[middle].count < rank)
      low = middle + 1;
    else
      high = middle;
  }
  *share = fmin(fmax((rank - c->buckets[low].before) / c->buckets[low].count, 0), 1);
  return &c->buckets[low];
}

static double value_at(const struct counted *c, double part) {
  double share;
  const struct bucket *bucket = bucket_of(c, part, &share);
  struct quantile_slot slot = slot_of(c, bucket->number);
  return slot.least + share * (slot.greatest - slot.least);
}

enum { OUTSIDE = 5 }; /* observations beyond either end of an interval */

/* An end of the interval of a part whose logit is so much greater. */
static double logit_shifted(double part, double by) { return part / (part + (1 - part) * exp(-by)); }

/* From half the interval of the part. */
static void interval_make(const struct counted *c, double part, double half, struct quantile *estimate) {
  double by = half / (part * (1 - part)), low = logit_shifted(part, -by), high = logit_shifted(part, by);
  if (!(isfinite(by) && fmin(low, 1 - high) * c->count >= OUTSIDE)) return;
  double share; /* where in a bucket an end is, is not known */
  estimate->low = slot_of(c, bucket_of(c, low, &share)->number).least;
  estimate->high = slot_of(c, bucket_of(c, high, &share)->number).greatest;
  estimate->half_width = half_beyond(ROUNDING_OF_CLOCKS, (value_at(c, high) - value_at(c, low)) / 2, estimate->value);
  if (half_beyond(ROUNDING_OF_CLOCKS, (estimate->high - estimate->low) / 2, estimate->value) == 0)
    estimate->low = estimate->high = estimate->value;
}

/* By bin: observations, and by part and bin those that do not exceed its value. */
static void bins_count(const struct counted *c, const double *parts, uint32_t part_count, double *all, double *below) {
  double shares[QUANTILE_PARTS];
  const struct bucket *ends[QUANTILE_PARTS];
  for (uint32_t p = 0; p < part_count; p++)
    ends[p] = bucket_of(c, parts[p], &shares[p]);
  for (uint32_t bin = c->first; bin < c->end; bin++) {
    uint32_t p = 0;
    all[bin] = 0;
    for (const struct bucket *b = c->buckets; b < c->buckets + c->bucket_count; b++) {
      double count = count_at(c, b->number, bin);
      for (; p < part_count && ends[p] == b; p++)
        below[p * QUANTILE_BINS + bin] = all[bin] + shares[p] * count;
      all[bin] += count;
    }
  }
}

void quantiles_estimate(const struct quantiles *quantiles, const uint32_t *rows, uint32_t row_count, uint32_t first,
                        uint32_t end, double confidence, const double *parts, uint32_t part_count,
                        struct quantile *estimates) {
  struct counted c = {.quantiles = quantiles, .rows = rows, .row_count = row_count, .first = first, .end = end};
  double all[QUANTILE_BINS], below[QUANTILE_PARTS * QUANTILE_BINS];
  for (uint32_t p = 0; p < part_count; p++)
    estimates[p] = (struct quantile){NAN, NAN, NAN, NAN};
  if (end < first + BATCHES) return;
  buckets_make(&c);
  if (c.count == 0) return;
  bins_count(&c, parts, part_count, all, below);
  for (uint32_t p = 0; p < part_count; p++) {
    struct series up_to = {below + (size_t)p * QUANTILE_BINS, 1}, every = {all, 1};
    estimates[p].value = value_at(&c, parts[p]);
    interval_make(&c, parts[p], series_part(up_to, every, first, end, confidence), &estimates[p]);
  }
}
