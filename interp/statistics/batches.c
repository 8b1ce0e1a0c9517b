/* Batch means of observations, and when they are known well enough. Used by records that end a run. */
#include "interp/statistics/batches.h"

#include <math.h>

/* Before anything is concluded; then looks are a quarter more apart each time. */
enum { LEAST_COUNT = 100 * BATCHES, LOOKS = 2, LOOKS_WIDE = 3 };
/* Intervals are narrow first where they happen to be: of a wide wish few independent observations are enough, which
 * happen to agree more often. Neighbouring pieces that are more alike than this are too short. */
static const double wide = 0.05, correlation_most = 0.25;

static void add_neighbours(struct batches *batches) {
  batches->count /= 2;
  batches->size *= 2;
  for (uint32_t k = 0; k < batches->count; k++)
    batches->sums[k] = batches->sums[2 * k] + batches->sums[2 * k + 1];
}

void batches_add(struct batches *batches, double value) {
  if (!batches->size) batches->size = 1, batches->look_at = LEAST_COUNT;
  batches->total++;
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

bool batches_narrow(struct batches *batches, double part, double confidence) {
  if (batches->total < batches->look_at) return batches->narrow >= (part < wide ? LOOKS : LOOKS_WIDE);
  batches->look_at += batches->look_at / 4;
  struct estimate estimate = batches_estimate(batches, confidence);
  bool narrow = estimate.half_width <= part * fabs(estimate.value) && estimate.correlation < correlation_most;
  batches->narrow = narrow ? batches->narrow + 1 : 0;
  return batches->narrow >= (part < wide ? LOOKS : LOOKS_WIDE);
}
