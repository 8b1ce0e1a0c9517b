/* Observations in the order in which they come, as sums of equally many: whose mean is sought to a precision. Memory
 * is bounded: where there are too many batches, neighbours are added up. */
#ifndef PSL_BATCHES_H
#define PSL_BATCHES_H
#include "interp/statistics/series.h"

enum { BATCHES_KEPT = 2 * PIECES };
#define RECORD_CONFIDENCE 0.95 /* of the intervals of what is recorded */

struct batches {
  double sums[BATCHES_KEPT];
  uint32_t count;        /* of full ones */
  uint64_t size, inside; /* observations of a full one; so far of the one in hand, */
  double sum;            /* which this is the sum of */
  uint64_t total, look_at;
  uint32_t narrow; /* the last looks that have found the interval narrow */
};

void batches_add(struct batches *batches, double value);
/* Of the mean, in the batches that are full. */
struct estimate batches_estimate(const struct batches *batches, double confidence);
/* Is it time to look, after an observation more, and has the interval been no wider than that part of the mean at some
 * looks, one after another? */
bool batches_narrow(struct batches *batches, double part, double confidence);
#endif
