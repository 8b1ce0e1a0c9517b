/* Where two traces of one program differ, a measured run and a predicted one: by rank, region, communicator and what
 * the time was spent for, as far as the differences are beyond what their parts spread. */
#ifndef PSL_MISMATCH_H
#define PSL_MISMATCH_H
#include "evaluators/programs/profile.h"
#include "interp/library/handle.h"

#define ROUNDING 1e-12 /* s: no difference */

enum { MEASURED, PREDICTED, SIDES };

struct amount { /* of time, s, all samples together */
  double total[SIDES];
  double variance, known; /* of their difference; known: the sum of squared parts of it by what each is known from */
  double half;            /* half the width of its interval */
  double count[SIDES];    /* of samples, */
  double squares[SIDES];  /* s^2, how far they are from their means, */
  double longest[SIDES];  /* and s, by how much one is beyond it at most */
  enum spread { SPREAD_UNKNOWN, SPREAD_WITHIN, SPREAD_FEW, SPREAD_BEYOND } spread; /* FEW: known from too few */
  bool beyond;                                                                     /* its spread, and it matters */
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

/* What the critical paths of both runs spend for one thing in one region. All parts make the difference of the runs. */
struct mismatch_part {
  uint32_t region;
  enum spent spent;
  double path[SIDES]; /* s */
  double named;       /* so much of the difference is in a cause that is named, */
  const char *why;    /* and that is why not all of it; NULL: it is */
};

static inline double mismatch_part_difference(const struct mismatch_part *part) {
  double difference = part->path[MEASURED] - part->path[PREDICTED];
  return difference > -ROUNDING && difference < ROUNDING ? 0 : difference;
}

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
  struct {
    double mean, square;
  } times[SPENT_KINDS];        /* over the ranks: logarithms of how many times as long as predicted they take */
  struct mismatch_part *parts; /* the greatest difference first */
  uint32_t part_count, part_capacity;
  bool unknown; /* a part that matters is not named since too little is known of its spread */
  struct finding *causes, *waits;
  uint32_t cause_count, wait_count;
  struct arena_deferred deferred;
};

double mismatch_whole(const struct mismatch *m); /* s: the measured time */
/* Makes the parts of the critical paths, of rows and causes that are there. */
void mismatch_paths(struct mismatch *m);
struct report;
void report_mismatch(struct report *report, const struct mismatch *m);
#endif
