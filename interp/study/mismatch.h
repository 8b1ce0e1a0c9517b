/* Where two traces of one program differ, a measured run and a predicted one: by rank, region, communicator and what
 * the time was spent for, as far as the differences are beyond what their parts spread. */
#ifndef PSL_MISMATCH_H
#define PSL_MISMATCH_H
#include "evaluators/programs/profile.h"
#include "interp/library/handle.h"

enum { MEASURED, PREDICTED, SIDES };

struct amount { /* of time, s, all samples together */
  double total[SIDES];
  double variance, known; /* of their difference; known: the sum of squared parts of it by what each is known from */
  double half;            /* half the width of its interval */
  bool beyond;            /* it is not within that, and great enough to matter */
};
static inline double amount_difference(const struct amount *a) { return a->total[MEASURED] - a->total[PREDICTED]; }

struct mismatch_row {
  uint32_t rank, region, communicator; /* region: among the names */
  enum spent spent;
  struct amount amount;
};

/* Of one thing that time was spent for: the ranks that differ, and in what they have it in common. */
struct finding {
  enum spent spent;
  const char *text, *ranks;          /* for people: a sentence; for programs: "0 2 3" */
  const char *region, *communicator; /* where nearly all of it is; NULL: at several */
  int64_t other;                     /* the rank waited for, or all of whose messages it is; negative: none */
  double total[SIDES];               /* s a rank, of those that differ, in that region */
  double most;                       /* s, the greatest difference of a rank: by this they are ranked */
};

struct mismatch {
  struct psl *psl;
  const char *paths[SIDES];
  struct program_source *sources[SIDES];
  struct profile profiles[SIDES];
  const char **regions; /* of which numbers are from 1; 0: none */
  uint32_t region_count, region_capacity;
  uint32_t *region_of[SIDES]; /* by a side's number */
  double least;               /* a part of the measured time: what matters */
  double confidence;          /* of the intervals */
  struct mismatch_row *rows;  /* all, those beyond their spread first, by how great they are */
  uint32_t row_count, row_capacity, beyond;
  struct amount *of_ranks; /* by rank and what time was spent for */
  struct finding *causes, *waits;
  uint32_t cause_count, wait_count;
  struct arena_deferred deferred;
};

double mismatch_whole(const struct mismatch *m); /* s: the measured time */
struct report;
void report_mismatch(struct report *report, const struct mismatch *m);
#endif
