/* List scheduling before the run. Tasks are taken by their priority, and each goes to a thread at once:
 *
 *   block, cyclic  task k to thread k div (tasks / threads), k mod threads, whatever they take
 *   HLFET          highest level first with estimated times (Adam, Chandy, Dickson 1974; as Kwok and Ahmad, 1999, state
 *                  it): by static level, the longest path of work to the end, to the thread where it starts earliest,
 *                  behind what that has
 *   HEFT           heterogeneous earliest finish time (Topcuoglu, Hariri, Wu 2002): by upward rank, the longest path to
 *                  the end of mean work and data, to the thread where it ends earliest, in a gap that is wide enough
 *   CPOP           critical path on a processor (the same): by upward and downward rank together; those of the critical
 *                  path go to the one thread that executes it fastest
 *
 * A task has its turn when all that it waits for have had theirs. Of equal priorities the least number goes first, of
 * equal threads the first. */
#include "evaluators/scheduling/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gap { /* idle time of a thread before the last task that it has, longer than 0 s */
  double begin, end;
  uint32_t behind;  /* the task before it, or PLAN_NONE */
  uint32_t earlier; /* the next gap of the thread, or PLAN_NONE */
};

struct planning {
  struct psl_host *host;
  const struct graph *graph;
  struct plan *plan;
  double *priorities; /* by task */
  bool by_start;      /* the thread is taken where it starts earliest, not where it ends */
  struct gap *gaps;   /* NULL: nothing stands in gaps */
  uint32_t *latest;   /* by thread: its latest gap, or PLAN_NONE */
  uint32_t gap_count; /* at most two for each task */
};

static double ready_at(const struct planning *p, uint32_t task, uint32_t thread) {
  const struct graph *graph = p->graph;
  double ready = 0;
  for (uint32_t k = graph->before_at[task]; k < graph->before_at[task + 1]; k++) {
    const struct edge *edge = &graph->before[k];
    ready = fmax(ready, p->plan->finish[edge->task] + (p->plan->thread[edge->task] == thread ? 0 : edge->delay));
  }
  return ready;
}

/* Where the task would start there; *at: which gap it would stand in, the earliest that is wide enough, or PLAN_NONE. A
 * gap that ends before the task could, and all earlier ones, are not looked at. */
static double start_at(const struct planning *p, uint32_t task, uint32_t thread, uint32_t *at) {
  uint32_t last = p->plan->last[thread];
  double ready = ready_at(p, task, thread), work = graph_work(p->graph, task, thread);
  double start = fmax(ready, last == PLAN_NONE ? 0 : p->plan->finish[last]);
  *at = PLAN_NONE;
  for (uint32_t k = p->gaps ? p->latest[thread] : PLAN_NONE; k != PLAN_NONE; k = p->gaps[k].earlier) {
    const struct gap *gap = &p->gaps[k];
    if (gap->end < ready + work) break;
    if (fmax(ready, gap->begin) + work > gap->end) continue;
    start = fmax(ready, gap->begin);
    *at = k;
  }
  return start;
}

/* A new gap of that thread, before *from, if it is one. */
static void gap_put(struct planning *p, uint32_t *from, double begin, double end, uint32_t behind) {
  if (!p->gaps || begin >= end) return;
  p->gaps[p->gap_count] = (struct gap){begin, end, behind, *from};
  *from = p->gap_count++;
}

/* The task stands in the gap now: what is left of it before and behind. */
static uint32_t gap_fill(struct planning *p, uint32_t at, uint32_t task, uint32_t thread) {
  struct gap gap = p->gaps[at];
  uint32_t *from = &p->latest[thread];
  while (*from != at)
    from = &p->gaps[*from].earlier;
  *from = gap.earlier;
  gap_put(p, from, gap.begin, p->plan->start[task], gap.behind);
  gap_put(p, from, p->plan->finish[task], gap.end, task);
  return gap.behind;
}

static void place(struct planning *p, uint32_t task, uint32_t thread) {
  struct plan *plan = p->plan;
  uint32_t at, behind = plan->last[thread];
  double start = start_at(p, task, thread, &at);
  plan->thread[task] = thread;
  plan->start[task] = start;
  plan->finish[task] = start + graph_work(p->graph, task, thread);
  if (at != PLAN_NONE)
    behind = gap_fill(p, at, task, thread);
  else if (p->gaps)
    gap_put(p, &p->latest[thread], behind == PLAN_NONE ? 0 : plan->finish[behind], start, behind);
  uint32_t *from = behind == PLAN_NONE ? &plan->first[thread] : &plan->next[behind];
  plan->next[task] = *from;
  *from = task;
  if (plan->next[task] == PLAN_NONE) plan->last[thread] = task;
  plan->makespan = fmax(plan->makespan, plan->finish[task]);
}

/* Tasks may stand in gaps from now on. */
static void use_gaps(struct planning *p) {
  size_t threads = p->graph->thread_count;
  p->gaps = p->host->allocate(p->host, 2 * ((size_t)p->graph->task_count + 1) * sizeof *p->gaps);
  p->latest = p->host->allocate(p->host, threads * sizeof *p->latest);
  memset(p->latest, 0xff, threads * sizeof *p->latest);
}

static uint32_t best_thread(const struct planning *p, uint32_t task) {
  uint32_t best = 0, at;
  double least = INFINITY;
  for (uint32_t thread = 0; thread < p->graph->thread_count; thread++) {
    double time = start_at(p, task, thread, &at);
    if (!p->by_start) time += graph_work(p->graph, task, thread);
    if (time >= least) continue;
    least = time;
    best = thread;
  }
  return best;
}

/* ---- lists ---- */

/* Tasks that wait for none that has no place: a heap, the greatest priority first. */
struct list {
  const struct planning *p;
  uint32_t *tasks, count;
};

static bool goes_before(const struct planning *p, uint32_t a, uint32_t b) {
  double x = p->priorities[a], y = p->priorities[b];
  return x != y ? x > y : a < b;
}

static void list_put(struct list *list, uint32_t task) {
  uint32_t k = list->count++;
  for (; k > 0 && goes_before(list->p, task, list->tasks[(k - 1) / 2]); k = (k - 1) / 2)
    list->tasks[k] = list->tasks[(k - 1) / 2];
  list->tasks[k] = task;
}

static uint32_t list_take(struct list *list) {
  uint32_t first = list->tasks[0], last = list->tasks[--list->count], k = 0;
  for (uint32_t child; (child = 2 * k + 1) < list->count; k = child) {
    if (child + 1 < list->count && goes_before(list->p, list->tasks[child + 1], list->tasks[child])) child++;
    if (goes_before(list->p, last, list->tasks[child])) break;
    list->tasks[k] = list->tasks[child];
  }
  list->tasks[k] = last;
  return first;
}

/* Each task as its turn comes; `on`: where it has to go, by task, PLAN_NONE: to the best one. NULL: all to that. */
static void place_all(struct planning *p, const uint32_t *on) {
  const struct graph *graph = p->graph;
  struct psl_host *host = p->host;
  struct list list = {p, host->allocate(host, ((size_t)graph->task_count + 1) * sizeof *list.tasks), 0};
  uint32_t *missing = host->allocate(host, graph->task_count * sizeof *missing);
  for (uint32_t task = 0; task < graph->task_count; task++) {
    missing[task] = graph->before_at[task + 1] - graph->before_at[task];
    if (!missing[task]) list_put(&list, task);
  }
  while (list.count) {
    uint32_t task = list_take(&list);
    place(p, task, on && on[task] != PLAN_NONE ? on[task] : best_thread(p, task));
    for (uint32_t k = graph->after_at[task]; k < graph->after_at[task + 1]; k++)
      if (--missing[graph->after[k].task] == 0) list_put(&list, graph->after[k].task);
  }
}

/* ---- schedules ---- */

static void plan_hlfet(struct planning *p) {
  p->by_start = true;
  p->priorities = graph_levels(p->host, p->graph, false);
  place_all(p, NULL);
}

static void plan_heft(struct planning *p) {
  use_gaps(p);
  p->priorities = graph_levels(p->host, p->graph, true);
  place_all(p, NULL);
}

/* The longest path from the beginning to where each task begins, s. */
static double *downward_ranks(const struct planning *p) {
  const struct graph *graph = p->graph;
  double *ranks = p->host->allocate(p->host, graph->task_count * sizeof *ranks);
  for (uint32_t n = 0; n < graph->task_count; n++) {
    uint32_t task = graph->order[n];
    for (uint32_t k = graph->before_at[task]; k < graph->before_at[task + 1]; k++) {
      const struct edge *edge = &graph->before[k];
      ranks[task] = fmax(ranks[task], ranks[edge->task] + graph_mean_work(graph, edge->task) + edge->delay);
    }
  }
  return ranks;
}

/* The first task of the critical path, or the one behind `task` there, PLAN_NONE: there is none. Of the tasks that a
 * critical task leads to several may be critical, one of which is the next: that with the longest way to the end. */
static uint32_t critical_first(const struct planning *p) {
  const struct graph *graph = p->graph;
  uint32_t best = PLAN_NONE;
  for (uint32_t t = 0; t < graph->task_count; t++)
    if (graph->before_at[t] == graph->before_at[t + 1] && (best == PLAN_NONE || goes_before(p, t, best))) best = t;
  return best;
}

static uint32_t critical_after(const struct planning *p, const double *upward, uint32_t task, double length) {
  const struct graph *graph = p->graph;
  uint32_t best = PLAN_NONE;
  for (uint32_t k = graph->after_at[task]; k < graph->after_at[task + 1]; k++) {
    uint32_t next = graph->after[k].task;
    if (p->priorities[next] < length * (1 - 1e-12)) continue;
    if (best == PLAN_NONE || upward[next] > upward[best]) best = next;
  }
  return best;
}

static void plan_cpop(struct planning *p) {
  const struct graph *graph = p->graph;
  uint32_t *on = p->host->allocate(p->host, graph->task_count * sizeof *on), best = 0;
  double *sums = p->host->allocate(p->host, graph->thread_count * sizeof *sums);
  double *upward = graph_levels(p->host, graph, true);
  use_gaps(p);
  p->priorities = downward_ranks(p);
  for (uint32_t task = 0; task < graph->task_count; task++) {
    p->priorities[task] += upward[task];
    on[task] = PLAN_NONE;
  }
  uint32_t first = critical_first(p);
  double length = p->priorities[first];
  for (uint32_t task = first; task != PLAN_NONE; task = critical_after(p, upward, task, length))
    for (uint32_t thread = 0; thread < graph->thread_count; thread++)
      sums[thread] += graph_work(graph, task, thread);
  for (uint32_t thread = 1; thread < graph->thread_count; thread++)
    if (sums[thread] < sums[best]) best = thread;
  for (uint32_t task = first; task != PLAN_NONE; task = critical_after(p, upward, task, length))
    on[task] = best;
  place_all(p, on);
}

/* In the graph's order, whatever tasks take. */
static void plan_fixed(struct planning *p, bool cyclic) {
  const struct graph *graph = p->graph;
  uint32_t each = graph->task_count / graph->thread_count, more = graph->task_count % graph->thread_count;
  for (uint32_t n = 0; n < graph->task_count; n++) {
    uint32_t task = graph->order[n], thread = task % graph->thread_count;
    if (!cyclic) thread = task < more * (each + 1) ? task / (each + 1) : more + (task - more * (each + 1)) / each;
    place(p, task, thread);
  }
}

static void plan_block(struct planning *p) { plan_fixed(p, false); }
static void plan_cyclic(struct planning *p) { plan_fixed(p, true); }

bool plan_make(struct psl_host *host, const struct graph *graph, const char *schedule, struct plan *plan) {
  static const struct {
    const char *name;
    void (*make)(struct planning *);
  } kinds[] = {
      {"block", plan_block}, {"cyclic", plan_cyclic}, {"HLFET", plan_hlfet}, {"HEFT", plan_heft}, {"CPOP", plan_cpop}};
  size_t tasks = graph->task_count, threads = graph->thread_count;
  struct planning p = {.host = host, .graph = graph, .plan = plan};
  *plan = (struct plan){.thread = host->allocate(host, tasks * sizeof *plan->thread),
                        .start = host->allocate(host, tasks * sizeof *plan->start),
                        .finish = host->allocate(host, tasks * sizeof *plan->finish),
                        .next = host->allocate(host, tasks * sizeof *plan->next),
                        .first = host->allocate(host, threads * sizeof *plan->first),
                        .last = host->allocate(host, threads * sizeof *plan->last)};
  memset(plan->next, 0xff, tasks * sizeof *plan->next);
  memset(plan->first, 0xff, threads * sizeof *plan->first);
  memset(plan->last, 0xff, threads * sizeof *plan->last);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(kinds[k].name, schedule)) continue;
    kinds[k].make(&p);
    return true;
  }
  return false;
}
