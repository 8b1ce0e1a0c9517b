/* Counts that are deferred: what happens again and again in the same way is not added to the figures of its component
 * each time, but as often as it has happened once somebody looks at them. Sums are of twice the precision, so that they
 * come to the same. In runs without a warm-up, a trace, an end of figures and a limit of firings, which would have to
 * look all the time: executor->deferring. */
#ifndef PSL_DEFERRED_H
#define PSL_DEFERRED_H
#include "interp/execute/executor.h"

struct deferred { /* holds of a statement */
  uint64_t run;   /* in which it has held last */
  double seconds;
  uint64_t times; /* so often has it held for so long since that was counted */
  struct sum *to;
  struct deferred *next; /* of the same executor */
};

void deferred_count(struct executor *executor, struct deferred *deferred);
/* A hold for another time than the one before, or the first of a run. */
void deferred_change(struct executor *executor, struct deferred *deferred, struct sum *to, double seconds);

/* Neither the first of a run nor for as long as the one before, as times that are drawn are. */
static inline void deferred_other(struct executor *executor, struct deferred *deferred, double seconds) {
  if (deferred->times) deferred_count(executor, deferred);
  deferred->seconds = seconds;
  sum_add(deferred->to, seconds);
  executor->events_done++;
}

/* Is it for as long as the one before? Then it can be held for so long, and is to be counted by adding to `times`. */
static inline bool deferred_again(const struct executor *executor, const struct deferred *deferred, double seconds) {
  return deferred->run == executor->run && deferred->seconds == seconds;
}

static inline void deferred_add(struct executor *executor, struct deferred *deferred, uint32_t component,
                                enum activity activity, double seconds) {
  if (deferred_again(executor, deferred, seconds))
    deferred->times++;
  else
    deferred_change(executor, deferred, &executor->spent[ACTIVITIES * component + activity], seconds);
}
#endif
