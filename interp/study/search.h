/* A search for the best point of a space that is too large to look at all of it.
 *
 * A point is a place on each axis. What is minimized is asked of a callback; a point is asked for once, and
 * the points asked for depend on the answers, the seed and the number of evaluations alone. There is no proof
 * that what is found is the best, but where all points were looked at. */
#ifndef PSL_SEARCH_H
#define PSL_SEARCH_H
#include "grammar/arena.h"

enum search_scale {
  SEARCH_PLACES, /* what lies between two places lies between their values */
  SEARCH_RATIO,  /* values step evenly from the first to `ratio` times it: small ones deserve a closer look */
  SEARCH_NAMES,  /* places have no order */
};

struct search_axis {
  uint64_t count; /* of places, at least 1 */
  enum search_scale scale;
  double ratio; /* RATIO: last value by first, over 1 */
};

struct search_problem {
  const struct search_axis *axes;
  uint32_t axis_count; /* at least 1 */
  size_t evaluations;  /* at most so many points are asked for; 0: SEARCH_EVALUATIONS */
  uint64_t seed;
  /* Is it a point at all? Cheap; NULL: all are. */
  bool (*allowed)(void *user, const uint64_t *places);
  /* What is to be as small as can be at each of the points, of axis_count places each; NaN: the point is not
   * fit. They may be computed side by side. false: enough, the search ends with what there is. */
  bool (*evaluate)(void *user, const uint64_t *const *points, size_t count, double *values);
  void *user;
};

enum { SEARCH_EVALUATIONS = 300 };

struct search_result {
  const uint64_t *places; /* NULL: no point was fit. Of equal ones the first in the order of places */
  double value;
  size_t evaluations;
  const char *method; /* for people */
  bool all;           /* all points of the space were looked at: it is the best */
  bool neighbours;    /* all its neighbours were looked at: it is the best of these */
  bool interrupted;   /* `evaluate` wanted no more */
};
struct search_result search_minimize(struct arena *arena, const struct search_problem *problem);

/* Points of the space before `allowed` is asked; saturates. */
uint64_t search_size(const struct search_axis *axes, uint32_t axis_count);
#endif
