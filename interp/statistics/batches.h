/* Observations in the order in which they come, as sums of equally many: whose mean is sought to a precision. Memory
 * is bounded: where there are too many batches, neighbours are added up. The same of a level: sums over equal times. */
#ifndef PSL_BATCHES_H
#define PSL_BATCHES_H
#include "interp/statistics/series.h"

enum { BATCHES_KEPT = 4 * PIECES }; /* half of them, without what is left over, are pieces enough */
#define RECORD_CONFIDENCE 0.95      /* of the intervals of what is recorded */

struct looks { /* at an interval, now and then */
  uint64_t total, at;
  bool told; /* one has told how many are wanted, which is the next */
};

struct batches {
  double sums[BATCHES_KEPT];
  uint32_t count;        /* of full ones */
  uint64_t size, inside; /* observations of a full one; so far of the one in hand, */
  double sum;            /* which this is the sum of */
  struct looks looks;
};

void batches_add(struct batches *batches, double value);
/* Of the mean, in the batches that are full. */
struct estimate batches_estimate(const struct batches *batches, double confidence);
/* Is it time to look, after an observation more, and is the interval no wider than that part of the mean after as many
 * as an earlier look has told? */
bool batches_narrow(struct batches *batches, double part, double confidence);

struct level_batches {
  struct grid grid;           /* of one row: the area under the level */
  double begin, since, value; /* s: what was before does not count; s, value: of the last setting */
  struct looks looks;         /* after settings that count */
};

void level_batches_open(struct level_batches *batches, struct arena *arena, double begin);
/* The value holds from that time on; times do not fall. */
void level_batches_set(struct level_batches *batches, double time, double value);
struct estimate level_batches_estimate(struct level_batches *batches, double confidence);
/* After a setting more, the same. */
bool level_batches_narrow(struct level_batches *batches, double part, double confidence);
#endif
