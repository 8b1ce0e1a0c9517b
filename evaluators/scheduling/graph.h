/* Task graphs that schedules are made of: tasks, what each takes on each thread, and which ones wait for which. */
#ifndef PSL_SCHEDULING_GRAPH_H
#define PSL_SCHEDULING_GRAPH_H
#include "interp/include/evaluator.h"

struct edge {
  uint32_t task; /* at its other end */
  double delay;  /* s: of the data on their way to another thread */
};

struct graph { /* arrays are from host->allocate */
  uint32_t task_count, thread_count;
  const double *works;  /* s: by task; `each`: by task and thread, task * thread_count + thread */
  const double *speeds; /* by thread */
  bool each;
  uint32_t *after_at, *before_at; /* by task, and one more: where its edges begin in */
  struct edge *after, *before; /* these: to those that wait for it, from those that it waits for; by number of task */
  uint32_t *order;             /* all tasks, none before one that it waits for; of several the least number first */
};

struct graph_lists { /* what a graph is made of */
  const double *works, *speeds, *tails, *heads, *delays;
  uint32_t work_count, speed_count, edge_count, head_count, delay_count;
  uint32_t thread_count;
  bool each;
};

/* The lists are copied. False: they are no graph, and `error` says why. */
bool graph_make(struct psl_host *host, const struct graph_lists *lists, struct graph *graph, char error[200]);
/* Reads a file of the Standard Task Graph Set, whose figures are so many seconds each. False: it is none. */
bool graph_read(struct psl_host *host, const char *path, double unit, const struct graph_lists *threads,
                struct graph *graph, char error[200]);

static inline double graph_work(const struct graph *graph, uint32_t task, uint32_t thread) {
  return graph->each ? graph->works[(size_t)task * graph->thread_count + thread]
                     : graph->works[task] / graph->speeds[thread];
}
double graph_mean_work(const struct graph *graph, uint32_t task);
/* By task, from host->allocate: the longest path from its begin to the end of the graph, s, mean works; `delays`: with
 * those of the edges. */
double *graph_levels(struct psl_host *host, const struct graph *graph, bool delays);

struct graph_bounds { /* of any schedule that leaves no thread idle while a task waits for one, s */
  double least;       /* all work spread evenly, or the longest path */
  double greatest;    /* both, with what their data take (Graham 1969) */
};
struct graph_bounds graph_bounds(struct psl_host *host, const struct graph *graph);
#endif
