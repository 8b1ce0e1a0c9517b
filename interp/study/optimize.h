/* The objectives of a study, by search. */
#ifndef PSL_OPTIMIZE_H
#define PSL_OPTIMIZE_H
#include "interp/study/search.h"
#include "interp/study/study.h"

enum { STUDY_ENUMERATED = 100000 }; /* spaces of more points are searched, where nothing else is said */

struct study_optimize_options {
  size_t evaluations;     /* for each objective; 0: SEARCH_EVALUATIONS */
  study_deliver *deliver; /* takes the rows, in an order that is the same for any number of workers */
  void *user;
  const struct study_lines *lines; /* that it adds them to */
};
/* Searches for the best point of each objective of the plan, which has an axis and an objective at least;
 * `results` has room for all of them. A point is run once, whichever of them asks for it. PSL_STOPPED where
 * it was interrupted or `deliver` wanted no more: then `results` of the rest are left alone. */
enum psl_code study_optimize(struct study_plan *plan, const struct study_optimize_options *options,
                             struct search_result *results);
/* Says how an objective, declared by `item`, was looked for, and that it is no proof. */
void study_optimum_say(const struct study_plan *plan, const struct study_item *item, const char *name,
                       const struct search_result *result);
#endif
