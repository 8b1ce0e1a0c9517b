/* Static schedules: which thread executes which tasks of a graph, in which order, decided before. */
#ifndef PSL_SCHEDULING_PLAN_H
#define PSL_SCHEDULING_PLAN_H
#include "evaluators/scheduling/graph.h"

struct plan {             /* arrays are from host->allocate */
  uint32_t *thread;       /* by task */
  double *start, *finish; /* by task, s, where nothing else costs time */
  uint32_t *next, *first; /* by task, by thread: the one behind it on its thread, the thread's first; PLAN_NONE */
  uint32_t *last;         /* by thread */
  double makespan;        /* s */
};
#define PLAN_NONE UINT32_MAX

/* By the schedule of that name; false: there is none. */
bool plan_make(struct psl_host *host, const struct graph *graph, const char *schedule, struct plan *plan);
#endif
