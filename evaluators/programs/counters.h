/* What counters of the processor have counted, as readers of traces gather it until the operation comes that it is of.
 * A trace numbers its counters from 0, those that it has events of. */
#ifndef PSL_COUNTERS_H
#define PSL_COUNTERS_H
#include "evaluators/programs/operations.h"

enum { COUNTERS_MOST = 64 };

struct counts { /* so far */
  uint64_t mask;
  double of[COUNTERS_MOST];
};
void counts_add(struct counts *counts, uint32_t counter, double count);

struct counter_set { /* that have counted together */
  uint64_t mask;
  char *names; /* parted by commas */
};
struct counter_sets { /* of a trace: their names live as long as it does */
  struct counter_set *items;
  uint32_t count, capacity;
};
typedef const char *counter_name(const void *user, uint32_t counter); /* what stands behind a blank is not of it */
/* The operation gets them, in `to`, and there are none any more. False: no memory. */
bool counts_give(struct counter_sets *sets, struct counts *counts, struct program_operation *operation,
                 double to[COUNTERS_MOST], counter_name *name, const void *user);
void counter_sets_free(struct counter_sets *sets);
#endif
