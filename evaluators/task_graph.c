/* Deterministic task graph analysis: when each task of a graph of known durations starts and ends, if
 * each processor runs its tasks one after another, and which chain of tasks sets the time of the whole.
 *
 * Called by models as `call task-graph.critical-path()`; the host has each task run when its turn comes. A
 * processor takes its ready tasks in the order of the time at which they became ready, ties by their
 * number (list scheduling in virtual time, without preemption). Ready tasks stand in one pairing heap a
 * processor; the processors in a binary heap by the start of their next task: O((V + E) log V).
 *
 * Memory goes with the tasks that wait, and with their histories: of a task that has run nothing is kept but
 * which one it waited for, and that only while a task that is still to run, the latest one of a processor or the
 * last end so far comes after it. These chains meet soon, so that they are a small part of all tasks. */
#include "interp/include/evaluator.h"
#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
#define NO_HISTORY UINT64_MAX
#define STRETCH 12u
#define BLOCK 1024u

struct place {             /* of a task that waits */
  double ready;            /* the latest of its release and its predecessors' ends and delays */
  uint64_t cause;          /* the history of the task that set it, or NO_HISTORY */
  uint32_t child, sibling; /* pairing heap */
  uint32_t task, processor;
};

/* Tasks that have run, each of which set the start of the next one. A history is one of them with all before it: its
 * number is STRETCH times that of the stretch, and its place in it. */
struct stretch {
  uint64_t cause;     /* the history that set the start of the first one, or NO_HISTORY; when free, the next free */
  uint32_t following; /* how many refer to a history in it */
  uint32_t count;
  uint32_t tasks[STRETCH];
};

struct processor {
  double free;    /* the end of the task that it ran last, */
  uint64_t last;  /* whose history this is, or NO_HISTORY */
  uint32_t first; /* root of its heap of ready tasks, or NONE */
};

struct schedule {
  struct psl_host *host;
  struct place *places;
  struct stretch **stretches; /* blocks of BLOCK, which stay where they are */
  struct processor *processors;
  size_t place_count, block_capacity, processor_count; /* as many as there is room for */
  uint64_t free_stretch, block_count;
  /* A heap of processors by the start of their first ready tasks, at most one live entry each; stale ones are dropped
   * when met. The bits of a time that is 0 or more are in the order of the times; a task's number << 32 | its
   * processor's orders those of the same time. */
  uint64_t *starts, *tasks;
  size_t heap_count, heap_capacity;
  bool heap_open;   /* the first one has been taken: the next one that comes may sink from there */
  uint32_t running; /* the processor whose task runs: it is entered behind that; or NONE */
  double makespan;
  uint64_t end;  /* history of the task that ends last */
  uint32_t done; /* tasks that have run */
};

/* Room for items up to number `at`: at least twice as many as there were. */
static void *more(struct schedule *s, void *items, size_t *count, size_t at, size_t size) {
  size_t held = *count;
  *count = held ? 2 * held : 64;
  while (*count <= at)
    *count *= 2;
  char *grown = s->host->allocate(s->host, *count * size);
  if (held) memcpy(grown, items, held * size);
  return grown;
}

static struct place *place_at(struct schedule *s, uint32_t place) {
  size_t held = s->place_count;
  if (place >= held) s->places = more(s, s->places, &s->place_count, place, sizeof *s->places);
  for (size_t k = held; k < s->place_count; k++)
    s->places[k] = (struct place){.ready = -INFINITY, .cause = NO_HISTORY};
  return &s->places[place];
}

static void processor_make(struct schedule *s, uint32_t processor) {
  size_t held = s->processor_count;
  if (processor < held) return;
  s->processors = more(s, s->processors, &s->processor_count, processor, sizeof *s->processors);
  for (size_t k = held; k < s->processor_count; k++)
    s->processors[k] = (struct processor){.first = NONE, .last = NO_HISTORY};
}

/* ---- histories ---- */

static struct stretch *stretch_at(const struct schedule *s, uint64_t at) {
  return &s->stretches[at / BLOCK][at % BLOCK];
}

static void stretches_more(struct schedule *s) {
  if (s->block_count == s->block_capacity)
    s->stretches = more(s, s->stretches, &s->block_capacity, s->block_count, sizeof *s->stretches);
  struct stretch *block = s->host->allocate(s->host, BLOCK * sizeof *block);
  for (uint32_t k = BLOCK; k-- > 0; s->free_stretch = s->block_count * BLOCK + k)
    block[k].cause = s->free_stretch;
  s->stretches[s->block_count++] = block;
}

/* The caller's reference to the cause becomes one to the history, with what that is the last of, if there is room, or
 * that of a stretch of its own. */
static uint64_t history_new(struct schedule *s, uint32_t task, uint64_t cause) {
  if (cause != NO_HISTORY) {
    struct stretch *stretch = stretch_at(s, cause / STRETCH);
    if (stretch->count < STRETCH && cause % STRETCH == stretch->count - 1) {
      stretch->tasks[stretch->count++] = task;
      return cause + 1;
    }
  }
  if (s->free_stretch == NO_HISTORY) stretches_more(s);
  uint64_t at = s->free_stretch;
  struct stretch *stretch = stretch_at(s, at);
  s->free_stretch = stretch->cause;
  *stretch = (struct stretch){.cause = cause, .following = 1, .count = 1, .tasks = {task}};
  return at * STRETCH;
}

static uint64_t history_keep(struct schedule *s, uint64_t history) {
  if (history != NO_HISTORY) stretch_at(s, history / STRETCH)->following++;
  return history;
}

/* One refers to it no more, and so it and those before it may be gone. */
static void history_leave(struct schedule *s, uint64_t history) {
  while (history != NO_HISTORY) {
    struct stretch *stretch = stretch_at(s, history / STRETCH);
    if (--stretch->following > 0) return;
    uint64_t cause = stretch->cause;
    stretch->cause = s->free_stretch;
    s->free_stretch = history / STRETCH;
    history = cause;
  }
}

/* The one before it, or NO_HISTORY. */
static uint64_t history_before(const struct schedule *s, uint64_t history) {
  return history % STRETCH ? history - 1 : stretch_at(s, history / STRETCH)->cause;
}

/* ---- ready tasks of a processor ---- */

static bool before(const struct schedule *s, uint32_t a, uint32_t b) {
  const struct place *x = &s->places[a], *y = &s->places[b];
  return x->ready < y->ready || (x->ready == y->ready && x->task < y->task);
}

static uint32_t meld(struct schedule *s, uint32_t a, uint32_t b) {
  if (a == NONE || b == NONE) return a == NONE ? b : a;
  if (before(s, b, a)) {
    uint32_t t = a;
    a = b;
    b = t;
  }
  s->places[b].sibling = s->places[a].child;
  s->places[a].child = b;
  return a;
}

/* The heap without its root: children melded in pairs, then the pairs from the last to the first. */
static uint32_t without_root(struct schedule *s, uint32_t root) {
  uint32_t pairs = NONE, merged = NONE;
  for (uint32_t a = s->places[root].child, next; a != NONE; a = next) {
    uint32_t b = s->places[a].sibling;
    next = b == NONE ? NONE : s->places[b].sibling;
    s->places[a].sibling = NONE;
    if (b != NONE) s->places[b].sibling = NONE;
    uint32_t pair = meld(s, a, b);
    s->places[pair].sibling = pairs;
    pairs = pair;
  }
  while (pairs != NONE) {
    uint32_t next = s->places[pairs].sibling;
    s->places[pairs].sibling = NONE;
    merged = meld(s, merged, pairs);
    pairs = next;
  }
  return merged;
}

/* ---- processors by their next start ---- */

/* Nothing is guessed here, as it would be wrong half of the time. */
static bool entry_before(const struct schedule *s, size_t k, uint64_t start, uint64_t task) {
  return (s->starts[k] < start) | ((s->starts[k] == start) & (s->tasks[k] < task));
}

static void entry_set(struct schedule *s, size_t k, uint64_t start, uint64_t task) {
  s->starts[k] = start;
  s->tasks[k] = task;
}

/* Puts the entry where it belongs, from the top on. */
static void heap_sink(struct schedule *s, uint64_t start, uint64_t task) {
  size_t k = 0;
  for (size_t child; (child = 2 * k + 1) < s->heap_count; k = child) {
    if (child + 1 < s->heap_count) child += entry_before(s, child + 1, s->starts[child], s->tasks[child]);
    if (!entry_before(s, child, start, task)) break;
    entry_set(s, k, s->starts[child], s->tasks[child]);
  }
  entry_set(s, k, start, task);
}

static void heap_push(struct schedule *s, uint64_t start, uint64_t task) {
  if (s->heap_open) {
    s->heap_open = false;
    heap_sink(s, start, task);
    return;
  }
  if (s->heap_count == s->heap_capacity) {
    size_t capacity = s->heap_capacity;
    s->starts = more(s, s->starts, &capacity, s->heap_count, sizeof *s->starts);
    s->tasks = more(s, s->tasks, &s->heap_capacity, s->heap_count, sizeof *s->tasks);
  }
  size_t k = s->heap_count++;
  for (size_t parent; k > 0 && !entry_before(s, parent = (k - 1) / 2, start, task); k = parent)
    entry_set(s, k, s->starts[parent], s->tasks[parent]);
  entry_set(s, k, start, task);
}

/* False: there is none. */
static bool heap_pop(struct schedule *s, double *start, uint64_t *task) {
  if (s->heap_open && --s->heap_count > 0) heap_sink(s, s->starts[s->heap_count], s->tasks[s->heap_count]);
  s->heap_open = s->heap_count > 0;
  if (!s->heap_open) return false;
  memcpy(start, &s->starts[0], sizeof *start);
  *task = s->tasks[0];
  return true;
}

/* Enters the processor with the start of its first ready task. */
static void offer(struct schedule *s, uint32_t number) {
  const struct processor *processor = &s->processors[number];
  uint32_t place = processor->first;
  uint64_t bits;
  if (place == NONE) return;
  double start = s->places[place].ready;
  if (processor->last != NO_HISTORY && processor->free > start) start = processor->free;
  start += 0.0; /* 0 of -0 */
  memcpy(&bits, &start, sizeof bits);
  heap_push(s, bits, (uint64_t)s->places[place].task << 32 | number);
}

/* The last edge has come. */
static void become_ready(struct schedule *s, const struct psl_task_edge *edge) {
  struct place *place = place_at(s, edge->place);
  place->task = edge->task;
  place->processor = edge->processor;
  place->child = place->sibling = NONE;
  if (edge->release > place->ready) {
    place->ready = edge->release;
    history_leave(s, place->cause);
    place->cause = NO_HISTORY;
  }
  processor_make(s, edge->processor);
  struct processor *processor = &s->processors[edge->processor];
  processor->first = meld(s, processor->first, edge->place);
  if (processor->first == edge->place && edge->processor != s->running) offer(s, edge->processor);
}

static void arrive(struct schedule *s, const struct psl_task_edge *edge, double finish, uint64_t tail) {
  struct place *head = place_at(s, edge->place);
  double arrival = finish + edge->delay;
  if (arrival > head->ready) {
    head->ready = arrival;
    history_leave(s, head->cause);
    head->cause = history_keep(s, tail);
  }
  if (edge->last) become_ready(s, edge);
}

static bool run(struct schedule *s, struct psl_task_graph *graph, uint32_t at, double start) {
  struct place *place = &s->places[at];
  uint32_t number = place->processor, edge_count;
  uint64_t cause = place->cause;
  struct processor *processor = &s->processors[number];
  const struct psl_task_edge *edges;
  double duration;
  if (!graph->run(graph, at, start, &duration, &edges, &edge_count)) return false;
  double finish = start + duration;
  if (processor->last != NO_HISTORY && processor->free >= start && start > place->ready) {
    history_leave(s, cause);
    cause = history_keep(s, processor->last);
  }
  uint64_t history = history_new(s, place->task, cause);
  processor->first = without_root(s, at);
  history_leave(s, processor->last);
  processor->last = history;
  processor->free = finish;
  place->ready = -INFINITY; /* for the next task that it is of */
  place->cause = NO_HISTORY;
  if (s->done++ == 0 || finish > s->makespan) {
    history_leave(s, s->end);
    s->end = history_keep(s, history);
    s->makespan = finish;
  }
  s->running = number;
  for (uint32_t e = 0; e < edge_count; e++)
    arrive(s, &edges[e], finish, history);
  offer(s, number);
  return true;
}

static void trace_critical(struct schedule *s, struct psl_graph_result *result) {
  uint32_t count = 0;
  for (uint64_t at = s->end; at != NO_HISTORY; at = history_before(s, at))
    count++;
  result->critical = s->host->allocate(s->host, ((size_t)count + 1) * sizeof *result->critical);
  result->critical_count = count;
  for (uint64_t at = s->end; at != NO_HISTORY; at = history_before(s, at))
    result->critical[--count] = stretch_at(s, at / STRETCH)->tasks[at % STRETCH];
}

static enum psl_status critical_path(void *state, struct psl_call *call, struct psl_task_graph *graph,
                                     struct psl_graph_result *result) {
  (void)state;
  struct schedule s = {.host = call->host, .free_stretch = NO_HISTORY, .end = NO_HISTORY, .running = NONE};
  for (struct psl_task_edge edge; graph->source(graph, &edge);)
    become_ready(&s, &edge);
  double start;
  for (uint64_t task; heap_pop(&s, &start, &task);) {
    const struct processor *processor = &s.processors[(uint32_t)task];
    uint32_t place = processor->first;
    if (place == NONE || s.places[place].task != task >> 32 ||
        (processor->last != NO_HISTORY && processor->free > start))
      continue; /* stale: a better offer of this processor stands in the heap or has run */
    if (!run(&s, graph, place, start)) return PSL_FAILED;
  }
  if (s.done < graph->task_count) return PSL_FAILED;
  result->makespan = s.makespan;
  trace_critical(&s, result);
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
