/* Several runs of a system that differ in their seeds, as one: its figures are their means. */
#ifndef PSL_REPEATED_H
#define PSL_REPEATED_H
#include "interp/library/handle.h"

struct repeated;
struct repeated *repeated_open(struct psl *psl, uint64_t count); /* of so many runs at most, in psl->handed */
/* A run that has reached its end. All but the first are dropped. */
void repeated_add(struct repeated *repeated, const struct psl_results *results);
/* The results of the first run, of more than one with their means: those of a network of queues and of what is recorded
 * have the 95 % confidence intervals of these means in place of those of one run, and counts are rounded to whole ones.
 * What runs have one by one, as processes, is the first one's. */
const struct psl_results *repeated_close(struct repeated *repeated);
/* By run, the predicted times, and the means of a record of the results; NULL: some run has not made it. */
const double *repeated_times(const struct repeated *repeated);
const double *repeated_means(const struct repeated *repeated, size_t record);
void repeated_drop(struct repeated *repeated);

struct heard { /* all that runs have said, by runs; zero: nothing */
  const char **texts;
  uint32_t count, capacity;
};
/* What was said before, to the letter, is not said again, nor are warnings and notes that differ in figures alone. */
void hear(struct psl *psl, struct heard *heard, const struct handle_catch *caught);
/* Says of one of several runs that has gone wrong which it is. */
void note_seed(struct psl *psl, enum psl_code code, uint64_t count, uint64_t seed);

/* psl_run with the seed of the options and those behind it, `count` of them. `times` has room for the predicted time of
 * each run, s; `each` is shown each run by itself. */
typedef void repeated_each(void *user, uint64_t repetition, const struct results *results);
enum psl_code repeated_run(struct psl *psl, const char *system, const struct psl_run_options *options, uint64_t count,
                           double *times, repeated_each *each, void *user, const struct psl_results **results);
#endif
