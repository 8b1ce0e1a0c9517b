/* Deterministic task graph analysis: when each task of a graph of known durations starts and ends, if
 * each processor runs its tasks one after another, and which chain of tasks sets the time of the whole.
 *
 * Called by models as `call task-graph.critical-path()`; the host hands over the resolved graph. A
 * processor takes its ready tasks in the order of the time at which they became ready, ties by their
 * number (list scheduling in virtual time, without preemption). Ready tasks stand in one pairing heap a
 * processor; the processors in a binary heap by the start of their next task: O((V + E) log V). */
#include "interp/include/evaluator.h"
#include <stdio.h>
#include <string.h>

#define NONE UINT32_MAX

struct entry { /* a processor that could start its first ready task at `start` */
  double start;
  uint32_t processor, task;
};

struct schedule {
  const struct psl_task_graph *graph;
  struct psl_graph_result *result;
  double *ready;             /* by task: the latest of its release and its predecessors' ends and delays */
  uint32_t *waits_for;       /* by task: predecessors that have not ended */
  uint32_t *cause;           /* by task: the task that set its start, or NONE */
  uint32_t *child, *sibling; /* by task: pairing heap */
  uint32_t *first;           /* by processor: root of its heap of ready tasks, or NONE */
  uint32_t *last;            /* by processor: the task that it ran last, or NONE */
  struct entry *heap;        /* of processors; at most one live entry each, stale ones are dropped when met */
  size_t heap_count, heap_capacity;
  struct psl_host *host;
};

static bool before(const struct schedule *s, uint32_t a, uint32_t b) {
  return s->ready[a] < s->ready[b] || (s->ready[a] == s->ready[b] && a < b);
}

static uint32_t meld(struct schedule *s, uint32_t a, uint32_t b) {
  if (a == NONE || b == NONE) return a == NONE ? b : a;
  if (before(s, b, a)) {
    uint32_t t = a;
    a = b;
    b = t;
  }
  s->sibling[b] = s->child[a];
  s->child[a] = b;
  return a;
}

/* The heap without its root: children melded in pairs, then the pairs from the last to the first. */
static uint32_t without_root(struct schedule *s, uint32_t root) {
  uint32_t pairs = NONE, merged = NONE;
  for (uint32_t a = s->child[root], next; a != NONE; a = next) {
    uint32_t b = s->sibling[a];
    next = b == NONE ? NONE : s->sibling[b];
    s->sibling[a] = NONE;
    if (b != NONE) s->sibling[b] = NONE;
    uint32_t pair = meld(s, a, b);
    s->sibling[pair] = pairs;
    pairs = pair;
  }
  while (pairs != NONE) {
    uint32_t next = s->sibling[pairs];
    s->sibling[pairs] = NONE;
    merged = meld(s, merged, pairs);
    pairs = next;
  }
  return merged;
}

static bool entry_before(const struct entry *a, const struct entry *b) {
  return a->start < b->start || (a->start == b->start && a->task < b->task);
}

static void heap_push(struct schedule *s, struct entry entry) {
  if (s->heap_count == s->heap_capacity) {
    size_t capacity = s->heap_capacity ? 2 * s->heap_capacity : 64;
    struct entry *grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (s->heap_count) memcpy(grown, s->heap, s->heap_count * sizeof *grown);
    s->heap = grown;
    s->heap_capacity = capacity;
  }
  size_t k = s->heap_count++;
  for (; k > 0 && entry_before(&entry, &s->heap[(k - 1) / 2]); k = (k - 1) / 2)
    s->heap[k] = s->heap[(k - 1) / 2];
  s->heap[k] = entry;
}

static struct entry heap_pop(struct schedule *s) {
  struct entry top = s->heap[0], moved = s->heap[--s->heap_count];
  size_t k = 0;
  for (size_t child; (child = 2 * k + 1) < s->heap_count; k = child) {
    if (child + 1 < s->heap_count && entry_before(&s->heap[child + 1], &s->heap[child])) child++;
    if (!entry_before(&s->heap[child], &moved)) break;
    s->heap[k] = s->heap[child];
  }
  s->heap[k] = moved;
  return top;
}

/* Enters the processor with the start of its first ready task. */
static void offer(struct schedule *s, uint32_t processor) {
  uint32_t task = s->first[processor], last = s->last[processor];
  if (task == NONE) return;
  double start = s->ready[task];
  if (last != NONE && s->result->finish[last] > start) start = s->result->finish[last];
  heap_push(s, (struct entry){start, processor, task});
}

static void become_ready(struct schedule *s, uint32_t task) {
  uint32_t processor = s->graph->processor[task];
  s->child[task] = s->sibling[task] = NONE;
  s->first[processor] = meld(s, s->first[processor], task);
  if (s->first[processor] == task) offer(s, processor);
}

static void run(struct schedule *s, uint32_t task, double start) {
  const struct psl_task_graph *graph = s->graph;
  uint32_t processor = graph->processor[task], last = s->last[processor];
  double finish = start + graph->duration[task];
  if (last != NONE && s->result->finish[last] >= start && start > s->ready[task]) s->cause[task] = last;
  s->result->start[task] = start;
  s->result->finish[task] = finish;
  s->first[processor] = without_root(s, task);
  s->last[processor] = task;
  for (uint32_t e = graph->edge_start[task]; e < graph->edge_start[task + 1]; e++) {
    uint32_t head = graph->edge_head[e];
    double arrival = finish + graph->edge_delay[e];
    if (arrival > s->ready[head] || (arrival == s->ready[head] && s->cause[head] == NONE)) {
      s->ready[head] = arrival;
      s->cause[head] = task;
    }
    if (--s->waits_for[head] == 0) become_ready(s, head);
  }
  offer(s, processor);
}

/* Names the classes along one cycle of the tasks that never became ready. */
static void describe_cycle(struct schedule *s, char error[200]) {
  const struct psl_task_graph *graph = s->graph;
  uint32_t *behind = s->cause, at = NONE, length = 1;
  for (uint32_t t = 0; t < graph->task_count; t++)
    if (s->waits_for[t] > 0)
      for (uint32_t e = graph->edge_start[at = t]; e < graph->edge_start[t + 1]; e++)
        behind[graph->edge_head[e]] = t;
  for (uint32_t step = 0; step < graph->task_count; step++) /* afterwards surely on a cycle */
    at = behind[at];
  for (uint32_t t = behind[at]; t != at; t = behind[t])
    length++;
  int used = snprintf(error, 200, "the task graph has a cycle of %u tasks, backwards:", length);
  for (uint32_t t = at, k = 0; k < length && k < 4 && used < 160; k++, t = behind[t])
    used +=
        snprintf(error + used, (size_t)(200 - used), "%s %s", k ? " <-" : "", graph->class_names[graph->class_of[t]]);
  if (length > 4 && used < 190) snprintf(error + used, (size_t)(200 - used), " <- ...");
}

static void trace_critical(struct schedule *s, uint32_t end) {
  struct psl_graph_result *result = s->result;
  uint32_t count = 0;
  for (uint32_t t = end; t != NONE; t = s->cause[t])
    count++;
  result->critical = s->host->allocate(s->host, (count + 1) * sizeof *result->critical);
  result->critical_count = count;
  for (uint32_t t = end; t != NONE; t = s->cause[t])
    result->critical[--count] = t;
}

static void *fill(struct psl_host *host, uint32_t count) {
  uint32_t *array = host->allocate(host, ((size_t)count + 1) * sizeof *array);
  memset(array, 0xff, ((size_t)count + 1) * sizeof *array);
  return array;
}

static enum psl_status critical_path(void *state, struct psl_call *call, const struct psl_task_graph *graph,
                                     struct psl_graph_result *result) {
  (void)state;
  struct psl_host *host = call->host;
  uint32_t tasks = graph->task_count, done = 0, end = NONE;
  size_t times = ((size_t)tasks + 1) * sizeof(double);
  struct schedule s = {.graph = graph, .result = result, .host = host};
  result->start = host->allocate(host, times);
  result->finish = host->allocate(host, times);
  result->makespan = 0;
  s.ready = host->allocate(host, times);
  s.waits_for = host->allocate(host, ((size_t)tasks + 1) * sizeof *s.waits_for);
  s.cause = fill(host, tasks);
  s.child = fill(host, tasks);
  s.sibling = fill(host, tasks);
  s.first = fill(host, graph->processor_count);
  s.last = fill(host, graph->processor_count);

  for (uint32_t e = 0; e < graph->edge_count; e++)
    s.waits_for[graph->edge_head[e]]++;
  for (uint32_t t = 0; t < tasks; t++)
    s.ready[t] = graph->release ? graph->release[t] : 0;
  for (uint32_t t = 0; t < tasks; t++)
    if (s.waits_for[t] == 0) become_ready(&s, t);
  while (s.heap_count > 0) {
    struct entry next = heap_pop(&s);
    uint32_t last = s.last[next.processor];
    if (s.first[next.processor] != next.task || (last != NONE && result->finish[last] > next.start))
      continue; /* stale: a better offer of this processor stands in the heap or has run */
    run(&s, next.task, next.start);
    done++;
    if (end == NONE || result->finish[next.task] > result->finish[end]) end = next.task;
  }
  if (done < tasks) {
    describe_cycle(&s, call->error);
    return PSL_FAILED;
  }
  if (end != NONE) result->makespan = result->finish[end];
  trace_critical(&s, end);
  call->result.real = result->makespan > call->clock ? result->makespan - call->clock : 0;
  call->clock += call->result.real;
  return PSL_DONE;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "critical-path",
     .signature = "() -> time",
     .kind = PSL_GRAPH,
     .graph = critical_path,
     .doc = "Length of the critical path of the tasks inside the component that calls it, each processor "
            "running its "
            "tasks one after another in the order in which they became ready. Advances the caller's clock by "
            "it. "
            "Error: the graph has a cycle. Source: Adve and Vernon, deterministic task graph analysis."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"durations of tasks are known and do not depend on when they run"},
    {"a processor runs its ready tasks in the order in which they became ready"},
    {NULL},
};

const struct psl_evaluator task_graph_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "task-graph",
    .revision = "1",
    .doc = "Deterministic task graph analysis: the critical path under a mapping of tasks to processors.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
    .assumptions = assumptions,
};
