/* Batch means of observations and of levels, and when they are known well enough. Used by records that end a run. */
#include "interp/statistics/batches.h"

#include <math.h>

/* Before anything is concluded; then looks are a quarter more apart each time. */
enum { LEAST_COUNT = 100 * BATCHES };
/* As many as one look has told are so much more than it has seen, at least. */
static const double more_least = 1.25;

static void add_neighbours(struct batches *batches) {
  batches->count /= 2;
  batches->size *= 2;
  for (uint32_t k = 0; k < batches->count; k++)
    batches->sums[k] = batches->sums[2 * k] + batches->sums[2 * k + 1];
}

void batches_add(struct batches *batches, double value) {
  if (!batches->size) batches->size = 1;
  batches->sum += value;
  if (++batches->inside < batches->size) return;
  batches->sums[batches->count++] = batches->sum;
  batches->sum = 0;
  batches->inside = 0;
  if (batches->count == BATCHES_KEPT) add_neighbours(batches);
}

struct estimate batches_estimate(const struct batches *batches, double confidence) {
  struct series sums = {batches->sums, 1}, ones = {0};
  struct estimate estimate = series_ratio(sums, ones, 0, batches->count, confidence);
  estimate.value /= (double)batches->size;
  estimate.half_width /= (double)batches->size;
  return estimate;
}

/* Has one more come, behind which it is time to look? */
static bool is_due(struct looks *looks) {
  if (!looks->at) looks->at = LEAST_COUNT;
  if (++looks->total < looks->at) return false;
  looks->at += looks->at / 4;
  return true;
}

static bool enough(struct looks *looks, struct estimate estimate, double part) {
  double lasts = series_lasts(looks->told, series_excess(estimate, part), part);
  if (looks->told && lasts == 1) return true;
  if (lasts > 0) looks->at = (uint64_t)ceil((double)looks->total * fmax(lasts, more_least));
  looks->told |= lasts > 0;
  return false;
}

bool batches_narrow(struct batches *batches, double part, double confidence) {
  return is_due(&batches->looks) && enough(&batches->looks, batches_estimate(batches, confidence), part);
}

/* ---- levels ---- */

void level_batches_open(struct level_batches *batches, struct arena *arena, double begin) {
  *batches = (struct level_batches){.begin = begin};
  grid_open(&batches->grid, arena, 1, 1);
}

void level_batches_set(struct level_batches *batches, double time, double value) {
  struct grid *grid = &batches->grid;
  if (time > batches->since) grid_reach(grid, time);
  for (double from = batches->since, to; from < time; from = to) {
    to = fmin((floor(from * grid->per_second) + 1) * grid->width, time);
    *grid_at(grid, 0, from) += batches->value * (to - from);
  }
  batches->since = time;
  batches->value = value;
}

struct estimate level_batches_estimate(struct level_batches *batches, double confidence) {
  struct grid *grid = &batches->grid;
  struct series areas = grid_series(grid, 0, 0), ones = {0};
  uint32_t end = grid_bins(grid, batches->since), first = (uint32_t)ceil(fmin(batches->begin * grid->per_second, end));
  struct estimate estimate = series_ratio(areas, ones, first, end, confidence);
  estimate.value /= grid->width;
  estimate.half_width /= grid->width;
  return estimate;
}

bool level_batches_narrow(struct level_batches *batches, double part, double confidence) {
  return batches->since >= batches->begin && is_due(&batches->looks) &&
         enough(&batches->looks, level_batches_estimate(batches, confidence), part);
}
