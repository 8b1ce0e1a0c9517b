/* Uncertain values in a run: which ranges take part, and what the predicted time is bounded by.
 *
 * Each `low .. high` that is written is a source, with a bit of its own in the ranges that are made of it. Where a run
 * wants a number and has a range, it belongs to the group of its sources: those of one group are moved together. A time
 * that rises with one group and falls with another is not bounded by all low ends and all high ends: each group is
 * moved by itself, for its direction, and then all are where the time is least and where it is greatest. That bounds a
 * time that rises or falls in each, whatever the others are. Called by runs and by solved networks. */
#ifndef PSL_RANGE_GROUPS_H
#define PSL_RANGE_GROUPS_H
#include "interp/evaluate/evaluate.h"

enum { RANGE_GROUPS = 8 }; /* more of them are not moved by themselves: each takes two runs */

struct range_group {
  uint64_t sources;
  enum range_end end; /* of this group, with RANGE_EACH */
};
struct range_groups {
  struct range_group groups[RANGE_GROUPS];
  uint32_t count;
  bool met, more; /* there are ranges; there are more groups than these */
};

/* The bit of a range that is written, in the expression of the param or let, or NULL: somewhere else. */
uint64_t range_source(struct model *model, const struct symbol *owner, const struct expr *range);
/* The end of its group, which is added where there is none, at the middle. */
enum range_end range_groups_end(struct range_groups *groups, uint64_t sources);

/* A run at the ends, `with` in words: its predicted time, NaN where it has none; false: it has failed. */
typedef bool range_run(void *user, enum range_end end, const char *with, double *time);
struct range_bounds {
  double low, high; /* NaN: a run has no time */
};
/* Of the time that is `middle` in the run that has met the groups. Warns, at the place, where they are not certain;
 * false where a run has failed. */
bool range_groups_bound(struct range_groups *groups, struct model *model, struct arena *arena, struct span place,
                        double middle, range_run *run, void *user, struct range_bounds *out);
#endif
