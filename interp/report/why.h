/* The chain of what caused what, back from a process at a time: found in why.c, written by why_text.c. */
#ifndef PSL_WHY_H
#define PSL_WHY_H
#include "interp/execute/causes.h"
#include "interp/report/results.h"
#include "interp/statistics/sum.h"

/* What a run's record of causes needs of its model, which may be gone by then. */
struct why {
  struct causes *causes;
  const char **names; /* by instance, of those that have lived or that somebody has waited for; NULL: others */
  struct why_site {
    struct psl_place outer, inner; /* inner: where that is another one, else without a file */
    const char *name;              /* NULL: none */
    bool inner_told;               /* it stands in the model, not in the library */
    uint32_t told;                 /* the first site whose places are told alike */
  } * sites;
  const char *const *components; /* all of the model */
  size_t component_count;
};

enum why_kind {
  PART_COMPUTE,
  PART_COMMUNICATE,
  PART_FLIGHT, /* what was sent was on its way */
  PART_SHARED, /* servers were busy with others, too */
  PART_DELAY,  /* it was begun with a delay */
  PART_WAIT,   /* it waited, for nothing that somebody did */
  PART_KINDS
};
struct why_part {
  enum why_kind kind;
  uint32_t site;
  double begin, end; /* s */
};

/* What the whole chain's time is, s; their sum is that time. */
struct why_totals {
  struct sum compute, communicate, servers, other;
};

/* What one process did at one place, in all steps together. */
struct why_share {
  uint32_t instance, site; /* the first site that is told alike */
  enum why_kind kind;
  size_t times;
  struct sum seconds;
};

struct why_step { /* a stretch of one life, from what let it go on to where it has been asked for */
  uint32_t life;
  double begin, end;      /* s */
  struct why_part *parts; /* the last one first */
  size_t count, capacity;
  uint32_t cause; /* what let it go on; 0: the run has begun */
  bool born;      /* that is its beginning, not the end of a wait */
  double since;   /* s: from when on it has waited for that; else `begin` */
  enum activity activity;
  uint32_t site; /* where it has waited */
};

enum { MOST_SHARES = 3 };
struct chain {
  const struct why *why;
  const struct types *types;   /* of the model */
  uint32_t life;               /* that was asked for, */
  double asked, at;            /* and the time; `at`: where the chain begins, since it had ended before */
  struct why_step *steps;      /* those that are written, the last one in time first */
  size_t count, capacity, all; /* all: with those that are not written */
  double from;                 /* s: where the chain ends */
  struct why_totals totals;
  struct why_share most[MOST_SHARES]; /* the greatest, the greatest first */
  size_t most_count;
};

/* The path from the library's folder on, of a place there; NULL: it is none. */
const char *place_library(const char *path);
/* False: *wrong says why. */
bool chain_find(struct chain *chain, struct arena *arena, const struct results *results,
                const struct psl_why_options *options, struct why_wrong *wrong);

/* The parts of a step that are of one kind and place, the outer one or, `within`, the inner one, too, as one each, in
 * the order of time. */
struct why_sum {
  enum why_kind kind;
  uint32_t site;
  size_t times;
  struct sum seconds;
};
struct why_sum *step_sums(struct arena *arena, const struct chain *chain, const struct why_step *step, bool within,
                          size_t *count);

void chain_text(struct output *out, const struct chain *chain, unsigned columns);
void chain_json(struct output *out, const struct chain *chain);
#endif
