/* What threads take: the next of a plan, when the data of all that it waits for are there; or what stands in queues of
 * tasks that wait for nothing: one for all, first come first served (`dynamic`), or the longest way to the end first,
 * of equal ones that with the most tasks behind it (`critical-path`: CP/MISF of Kasahara and Narita, 1984); or one for
 * each thread (`stealing`), which takes from its end, where it puts, and others from its beginning (Blumofe and
 * Leiserson, 1999). All tasks that wait for nothing at the beginning stand in the queue of thread 0.
 *
 * A thread that finds nothing waits for its turn among those that do. */
#include "evaluators/scheduling/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NONE UINT32_MAX

struct queue { /* of tasks that wait for nothing, from its beginning to its end */
  uint32_t first, last;
};

struct worker { /* a thread */
  uint32_t process;
  uint32_t task;    /* that it executes, or waits for, or NONE */
  uint32_t follows; /* of those that wait: the next one, or NONE */
  uint32_t queue;   /* in which its last task stood */
  uint32_t looked;
  bool waits;
};

struct run {
  struct psl_host *host;
  const struct graph *graph;
  const struct plan *plan;
  uint32_t *planned; /* by thread: its next task of the plan, or NONE */
  bool by_level, steals;
  double *levels; /* of `critical-path` */
  uint32_t *heap; /* of `critical-path`: tasks that wait for nothing */
  uint32_t heap_count;
  struct queue *queues;
  uint32_t *before, *behind; /* by task: in its queue */
  uint32_t *missing;         /* by task: how many it waits for */
  double *finish;            /* by task, s */
  uint32_t *thread;          /* by task: that executes it */
  struct worker *workers;
  uint32_t first_waiting, last_waiting;
  uint32_t taken, finished, stolen;
};

/* ---- queues ---- */

static void queue_put(struct run *run, uint32_t number, uint32_t task) {
  struct queue *queue = &run->queues[number];
  run->before[task] = queue->last;
  run->behind[task] = NONE;
  *(queue->last == NONE ? &queue->first : &run->behind[queue->last]) = task;
  queue->last = task;
}

/* NONE: it is empty. */
static uint32_t queue_take(struct run *run, uint32_t number, bool at_end) {
  struct queue *queue = &run->queues[number];
  uint32_t task = at_end ? queue->last : queue->first;
  if (task == NONE) return NONE;
  uint32_t before = run->before[task], behind = run->behind[task];
  *(before == NONE ? &queue->first : &run->behind[before]) = behind;
  *(behind == NONE ? &queue->last : &run->before[behind]) = before;
  return task;
}

/* Does `a` go before `b`? */
static bool is_longer(const struct run *run, uint32_t a, uint32_t b) {
  const struct graph *graph = run->graph;
  uint32_t x = graph->after_at[a + 1] - graph->after_at[a], y = graph->after_at[b + 1] - graph->after_at[b];
  if (run->levels[a] != run->levels[b]) return run->levels[a] > run->levels[b];
  return x != y ? x > y : a < b;
}

static void heap_put(struct run *run, uint32_t task) {
  uint32_t k = run->heap_count++;
  for (; k > 0 && is_longer(run, task, run->heap[(k - 1) / 2]); k = (k - 1) / 2)
    run->heap[k] = run->heap[(k - 1) / 2];
  run->heap[k] = task;
}

static uint32_t heap_take(struct run *run) {
  if (!run->heap_count) return NONE;
  uint32_t first = run->heap[0], last = run->heap[--run->heap_count], k = 0;
  for (uint32_t child; (child = 2 * k + 1) < run->heap_count; k = child) {
    if (child + 1 < run->heap_count && is_longer(run, run->heap[child + 1], run->heap[child])) child++;
    if (is_longer(run, last, run->heap[child])) break;
    run->heap[k] = run->heap[child];
  }
  run->heap[k] = last;
  return first;
}

/* A task waits for nothing any more: `thread` has released it. */
static void offer(struct run *run, uint32_t task, uint32_t thread) {
  if (run->by_level)
    heap_put(run, task);
  else
    queue_put(run, run->steals ? thread : 0, task);
}

/* NONE: no queue has one. */
static uint32_t take(struct run *run, uint32_t thread) {
  struct worker *worker = &run->workers[thread];
  uint32_t threads = run->graph->thread_count;
  worker->looked = worker->queue = 0;
  if (run->by_level) return heap_take(run);
  if (!run->steals) return queue_take(run, 0, false);
  for (worker->looked = 0; worker->looked < threads; worker->looked++) {
    worker->queue = (thread + worker->looked) % threads;
    uint32_t task = queue_take(run, worker->queue, worker->looked == 0);
    if (task == NONE) continue;
    run->stolen += worker->looked > 0;
    return task;
  }
  return NONE;
}

/* ---- a run ---- */

struct run *run_open(struct psl_host *host, const struct graph *graph, const char *schedule, const struct plan *plan) {
  static const char *const kinds[] = {"dynamic", "critical-path", "stealing"};
  size_t kind = 0, tasks = graph->task_count, threads = graph->thread_count;
  while (kind < 3 && strcmp(kinds[kind], schedule))
    kind++;
  if (kind == 3 && !plan) return NULL;
  struct run *run = host->allocate(host, sizeof *run);
  *run = (struct run){.host = host, .graph = graph, .plan = plan, .by_level = kind == 1, .steals = kind == 2};
  if (run->by_level) run->levels = graph_levels(host, graph, false);
  run->heap = host->allocate(host, (tasks + 1) * sizeof *run->heap);
  run->queues = host->allocate(host, threads * sizeof *run->queues);
  memset(run->queues, 0xff, threads * sizeof *run->queues);
  run->before = host->allocate(host, tasks * sizeof *run->before);
  run->behind = host->allocate(host, tasks * sizeof *run->behind);
  run->missing = host->allocate(host, tasks * sizeof *run->missing);
  run->finish = host->allocate(host, tasks * sizeof *run->finish);
  run->thread = host->allocate(host, tasks * sizeof *run->thread);
  run->workers = host->allocate(host, threads * sizeof *run->workers);
  run->planned = host->allocate(host, threads * sizeof *run->planned);
  if (plan) memcpy(run->planned, plan->first, threads * sizeof *run->planned);
  run->first_waiting = run->last_waiting = NONE;
  for (uint32_t k = 0; k < threads; k++)
    run->workers[k].task = NONE;
  for (uint32_t t = 0; t < tasks; t++) {
    run->missing[t] = graph->before_at[t + 1] - graph->before_at[t];
    if (!run->missing[t] && !plan) offer(run, t, 0);
  }
  return run;
}

/* When the data of all that it waits for are at the thread: those of a plan are sent to it as they come to be, others
 * fetched when the thread takes the task. */
static double data_at(const struct run *run, uint32_t task, uint32_t thread, double clock) {
  const struct graph *graph = run->graph;
  double data = clock;
  for (uint32_t k = graph->before_at[task]; k < graph->before_at[task + 1]; k++) {
    const struct edge *edge = &graph->before[k];
    double begin = run->plan ? run->finish[edge->task] : clock;
    data = fmax(data, begin + (run->thread[edge->task] == thread ? 0 : edge->delay));
  }
  return data;
}

/* The thread executes the task from when its data are there. */
static double begin(struct run *run, uint32_t thread, uint32_t task, double clock) {
  run->workers[thread].task = task;
  run->thread[task] = thread;
  run->taken++;
  return data_at(run, task, thread, clock);
}

/* It is answered, by a task or NONE: there is none any more. */
static void wake(struct run *run, uint32_t thread, uint32_t task, double clock) {
  struct worker *worker = &run->workers[thread];
  union psl_argument result = {.integer = task == NONE ? -1 : (int64_t)task};
  worker->waits = false;
  worker->task = NONE;
  double start = task == NONE ? clock : begin(run, thread, task, clock);
  run->host->waited(run->host, worker->process, PSL_WAIT_TO_GET, clock, 0);
  run->host->resume(run->host, worker->process, start, result);
}

/* Threads that wait, as they have come, take what there is; all go on if nothing will ever be there. */
static void wake_all(struct run *run, double clock) {
  while (run->first_waiting != NONE) {
    uint32_t thread = run->first_waiting, task = take(run, thread);
    if (task == NONE && run->taken < run->graph->task_count) return;
    run->first_waiting = run->workers[thread].follows;
    if (run->first_waiting == NONE) run->last_waiting = NONE;
    wake(run, thread, task, clock);
  }
}

static enum psl_status wait_in_line(struct run *run, struct psl_call *call, uint32_t thread, uint32_t task) {
  struct worker *worker = &run->workers[thread];
  *worker = (struct worker){.process = call->process, .task = task, .follows = NONE, .waits = true};
  if (task != NONE) return PSL_BLOCKED; /* it waits for that one, and in no line */
  if (run->last_waiting == NONE)
    run->first_waiting = thread;
  else
    run->workers[run->last_waiting].follows = thread;
  run->last_waiting = thread;
  return PSL_BLOCKED;
}

enum psl_status run_next(struct run *run, struct psl_call *call, uint32_t thread) {
  struct worker *worker = &run->workers[thread];
  if (worker->task != NONE || worker->waits)
    return psl_failed(call, "thread %u asks for a task, and has not finished task %u", thread, worker->task);
  uint32_t task = run->plan ? run->planned[thread] : take(run, thread);
  if (run->plan && task != NONE) {
    run->planned[thread] = run->plan->next[task];
    if (run->missing[task] > 0) return wait_in_line(run, call, thread, task);
  }
  if (task == NONE && !run->plan && run->taken < run->graph->task_count) return wait_in_line(run, call, thread, NONE);
  if (task != NONE) call->clock = begin(run, thread, task, call->clock);
  call->result.integer = task == NONE ? -1 : (int64_t)task;
  if (!run->plan && run->taken == run->graph->task_count) wake_all(run, call->clock);
  return PSL_DONE;
}

/* Of a plan: the thread that waits for it goes on. */
static void release_planned(struct run *run, uint32_t task, double clock) {
  uint32_t thread = run->plan->thread[task];
  if (run->workers[thread].waits && run->workers[thread].task == task) wake(run, thread, task, clock);
}

bool run_finish(struct run *run, struct psl_call *call, uint32_t thread) {
  struct worker *worker = &run->workers[thread];
  const struct graph *graph = run->graph;
  uint32_t task = worker->task;
  if (task == NONE || worker->waits) {
    snprintf(call->error, sizeof call->error, "thread %u has no task to finish", thread);
    return false;
  }
  worker->task = NONE;
  run->finish[task] = call->clock;
  run->finished++;
  for (uint32_t k = graph->after_at[task]; k < graph->after_at[task + 1]; k++) {
    uint32_t next = graph->after[k].task;
    if (--run->missing[next] > 0) continue;
    if (run->plan)
      release_planned(run, next, call->clock);
    else
      offer(run, next, thread);
  }
  if (!run->plan) wake_all(run, call->clock);
  return true;
}

uint32_t run_looked(const struct run *run, uint32_t thread) { return run->workers[thread].looked; }
uint32_t run_queue(const struct run *run, uint32_t thread) { return run->workers[thread].queue; }

uint32_t run_stolen(const struct run *run) { return run->stolen; }
uint32_t run_finished(const struct run *run) { return run->finished; }

bool run_waits(const struct run *run, uint32_t process, uint32_t *thread, uint32_t *task) {
  for (uint32_t k = 0; k < run->graph->thread_count; k++) {
    const struct worker *worker = &run->workers[k];
    if (!worker->waits || worker->process != process) continue;
    *thread = k;
    *task = worker->task;
    return worker->task != NONE;
  }
  return false;
}
