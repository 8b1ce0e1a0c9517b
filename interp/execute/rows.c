/* Rows of the report: what the processes of an instance have spent, each of those that count, and of forks where they
 * take turns. A run may have very many, so a row is small: what more than one process leaves behind the sums, and each
 * part of waits, has an array of its own that is made when there is something in it; so have processes of parts of
 * waits. Rows are made as late as can be, when most of the run's memory has been given back: a process that has ended
 * keeps what it has spent until its memory is another one's. */
#include "interp/execute/partitions.h"
#include "interp/resolve/graph.h"

struct row_told { /* of a partition; the sums of its waits stand behind it, for each bit one */
  uint32_t instance, waits;
  double end;
  struct sum time[ACTIVITIES];
};

static struct process_rows *rows_of(struct executor *executor, uint32_t instance, bool forks) {
  const struct model_component *component = graph_component(executor->graph, instance);
  struct instance_state *state = &executor->states[component->id];
  struct process_rows *rows = forks ? &state->fork_rows : &state->rows;
  const struct instances *instances = &executor->graph->instances[component->id];
  rows->first = instances->first;
  rows->count = instances->count;
  return rows;
}

static struct run_process *row_at(struct executor *executor, struct process_rows *rows, uint32_t instance) {
  if (!rows->items) rows->items = ARENA_ARRAY(executor->results, struct run_process, rows->count);
  return &rows->items[instance - rows->first];
}

/* The row is one of the report. */
static void row_counts(struct executor *executor, struct run_process *row, uint32_t instance) {
  executor->row_count += row->instance == 0;
  row->instance = instance + 1;
}

void process_counts(struct executor *executor, struct process *process) {
  rows_of(executor, process->instance, false);
  process->counted = true;
}

void process_forked(struct executor *executor, struct process *process) {
  if (executor->partition && partition_shares(executor, process->instance))
    partition_give_up(executor, executor_span(executor), "calls of several run at one instance");
  rows_of(executor, process->instance, true);
  process->counted = process->fork = true;
}

double *process_waits_make(struct executor *executor, enum activity part) {
  if (!executor->waits_capacity) executor->waits_capacity = executor->process_chunks << PROCESSES_SHIFT;
  return executor->waits[part - ACTIVITIES] = ARENA_ARRAY(executor->arena, double, executor->waits_capacity);
}

void process_waits_grow(struct executor *executor) {
  uint32_t before = executor->waits_capacity, capacity = executor->process_chunks << PROCESSES_SHIFT;
  if (capacity < 2 * before) capacity = 2 * before;
  for (int k = 0; k < WAIT_PARTS; k++) {
    double **waits = &executor->waits[k];
    if (*waits) *waits = arena_grow(executor->arena, *waits, before * sizeof **waits, capacity * sizeof **waits);
  }
  executor->waits_capacity = capacity;
}

/* Spans that no fork can meet any more are forgotten: one begins now or later, or has begun already. */
static void spans_forget(const struct executor *executor, struct forks *forks, uint32_t instance) {
  double from = executor->now;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < executor->process_count; i++) {
    const struct process *other = process_at(executor, i);
    if (other->state != PROCESS_FREE && other->fork && other->join && other->instance == instance)
      from = fmin(from, join_of(executor, other)->began);
  }
  for (uint32_t i = 0; i < forks->count; i++)
    if (forks->spans[i].end > from) forks->spans[kept++] = forks->spans[i];
  forks->count = kept;
}

static bool is_together(const struct forks *forks) { return forks->count == TOGETHER; }
static struct span_of_time *spans_of(struct forks *forks) { return forks->capacity ? forks->spans : &forks->only; }

/* Room for one more: mostly an instance forks once. */
static void spans_grow(struct executor *executor, struct forks *forks) {
  if (!forks->capacity && forks->count) {
    struct span_of_time only = forks->only, *spans = NULL;
    forks->count = 0;
    ARENA_PUSH(executor->arena, spans, forks->count, forks->capacity, only);
    forks->spans = spans;
  }
  if (forks->capacity)
    ARENA_PUSH(executor->arena, forks->spans, forks->count, forks->capacity, (struct span_of_time){0});
  else
    forks->count++;
}

static void row_sum(struct executor *executor, struct process_rows *rows, uint32_t place, int activity,
                    struct sum more) {
  struct run_process *row = &rows->items[place];
  struct sum sum = {row->time[activity], rows->rests ? rows->rests[place].time[activity] : 0};
  sum_join(&sum, &more);
  row->time[activity] = sum.value;
  if (sum.rest != 0 && !rows->rests) rows->rests = ARENA_ARRAY(executor->arena, struct rests, rows->count);
  if (rows->rests) rows->rests[place].time[activity] = sum.rest;
}

static void row_add(struct executor *executor, struct process_rows *rows, uint32_t place, const double *share) {
  for (int k = 0; k < ACTIVITIES; k++)
    row_sum(executor, rows, place, k, (struct sum){share[k], 0});
}

static struct sum *rows_waits(struct executor *executor, struct process_rows *rows, int k) {
  if (!rows->waits[k]) rows->waits[k] = ARENA_ARRAY(executor->results, struct sum, rows->count);
  return rows->waits[k];
}

static void waits_settle(struct executor *executor, struct process_rows *rows, const struct process *process) {
  for (int k = 0; k < WAIT_PARTS; k++) {
    double *own = executor->waits[k] ? &executor->waits[k][process->id] : NULL;
    if (!own || *own == 0) continue;
    sum_add(&rows_waits(executor, rows, k)[process->instance - rows->first], *own);
    *own = 0;
  }
}

void process_settle(struct executor *executor, struct process *process) {
  struct process_rows *rows = rows_of(executor, process->instance, process->fork);
  struct run_process *row = row_at(executor, rows, process->instance);
  if (process->fork)
    row->instance = process->instance + 1;
  else
    row_counts(executor, row, process->instance);
  row->end = fmax(row->end, fmin(process->clock, executor->until));
  row_add(executor, rows, process->instance - rows->first, process->share);
  waits_settle(executor, rows, process);
  process->counted = false;
}

static void rows_settle(struct executor *executor) {
  for (uint32_t i = 0; i < executor->process_count; i++) {
    struct process *process = process_at(executor, i);
    if (process->state == PROCESS_FREE && process->counted) process_settle(executor, process);
  }
}

/* Mostly all have been forked at one time, once: the span of each is known from its row. */
static bool forked_once(const struct executor *executor, struct instance_state *state, const struct process *process) {
  uint32_t place = process->instance - state->fork_rows.first;
  double begin = join_of(executor, process)->began;
  if (state->forks || executor->until != INFINITY) return false;
  if (!state->forked_before)
    state->forked_before = ARENA_ARRAY(executor->arena, uint8_t, state->fork_rows.count / 8 + 1);
  if (state->forked_before[place / 8] >> place % 8 & 1) return false;
  if (!state->forked_any) state->forked = begin;
  state->forked_any = true;
  if (process->clock > 0) state->forked_before[place / 8] |= (uint8_t)(1 << place % 8);
  return state->forked == begin;
}

static struct forks *forks_of(struct executor *executor, struct instance_state *state, uint32_t place) {
  const struct process_rows *rows = &state->fork_rows;
  if (!state->forks) {
    if (state->forked_any) rows_settle(executor);
    state->forks = ARENA_ARRAY(executor->arena, struct forks, rows->count);
    for (uint32_t i = 0; i < rows->count; i++)
      if (state->forked_any && rows->items[i].end > state->forked)
        state->forks[i] = (struct forks){.only = {state->forked, rows->items[i].end}, .count = 1};
  }
  return &state->forks[place];
}

/* Its processes run ahead of each other, so that spans come in any order. */
static void span_add(struct executor *executor, struct forks *forks, const struct process *process, double end) {
  enum { FORGET_FROM = 64 }; /* spans: to look at all processes is worth it then */
  double begin = join_of(executor, process)->began;
  if (is_together(forks) || !(end > begin)) return;
  if (forks->count == forks->capacity && forks->count >= FORGET_FROM) spans_forget(executor, forks, process->instance);
  struct span_of_time *spans = spans_of(forks);
  uint32_t at = forks->count;
  while (at > 0 && spans[at - 1].begin >= end)
    at--;
  if (at > 0 && spans[at - 1].end > begin) {
    forks->count = TOGETHER;
  } else if (at > 0 && spans[at - 1].end == begin) {
    spans[at - 1].end = end;
  } else {
    spans_grow(executor, forks);
    spans = spans_of(forks);
    memmove(&spans[at + 1], &spans[at], (forks->count - 1 - at) * sizeof *spans);
    spans[at] = (struct span_of_time){begin, end};
  }
}

static struct instance_state *state_of(struct executor *executor, const struct process *process) {
  return &executor->states[graph_component(executor->graph, process->instance)->id];
}

static void fork_ends(struct executor *executor, const struct process *process, double end) {
  struct instance_state *state = state_of(executor, process);
  uint32_t place = process->instance - state->fork_rows.first;
  span_add(executor, forks_of(executor, state, place), process, end);
}

void process_orphaned(struct executor *executor, struct process *process) {
  if (process->fork && process->join) fork_ends(executor, process, executor->now);
  process->join = 0;
}

void process_row_end(struct executor *executor, const struct process *process) {
  if (process->fork && process->join && !forked_once(executor, state_of(executor, process), process))
    fork_ends(executor, process, process->clock);
}

/* ---- the end of the run ---- */

/* The row of a fork becomes the instance's. */
static void fork_settle(struct executor *executor, struct process_rows *rows, const struct process_rows *forks,
                        uint32_t place) {
  row_counts(executor, &rows->items[place], rows->first + place);
  rows->items[place] = forks->items[place];
  if (forks->rests && !rows->rests) rows->rests = ARENA_ARRAY(executor->arena, struct rests, rows->count);
  if (forks->rests) rows->rests[place] = forks->rests[place];
  for (int k = 0; k < WAIT_PARTS; k++) {
    if (!forks->waits[k]) continue;
    rows_waits(executor, rows, k)[place] = forks->waits[k][place];
  }
}

/* Where forks take turns at an instance that has no clock of its own to report, their time is its row. */
static void forks_settle(struct executor *executor, struct instance_state *state) {
  struct process_rows *forks = &state->fork_rows, *rows = &state->rows;
  bool alone = !rows->items;
  if (alone) *rows = *forks;
  for (uint32_t i = 0; i < forks->count; i++) {
    bool turns = forks->items[i].instance && !(state->forks && is_together(&state->forks[i]));
    if (alone && turns)
      executor->row_count++;
    else if (alone)
      rows->items[i].instance = 0;
    else if (turns && !rows->items[i].instance)
      fork_settle(executor, rows, forks, i);
  }
}

/* Of the component that is number c of those with some instance. */
static struct instance_state *state_there(struct executor *executor, uint32_t c) {
  return &executor->states[executor->graph->there[c]->component->id];
}

void rows_end(struct executor *executor) {
  rows_settle(executor);
  for (uint32_t c = 0; c < executor->graph->there_count; c++) {
    struct instance_state *state = state_there(executor, c);
    if (state->fork_rows.items) forks_settle(executor, state);
  }
}

void row_put(struct text *out, const struct process_rows *rows, uint32_t place) {
  const struct run_process *row = &rows->items[place];
  struct row_told told;
  memset(&told, 0, sizeof told); /* with what lies between its members */
  told.instance = row->instance - 1;
  told.end = row->end;
  for (int k = 0; k < ACTIVITIES; k++)
    told.time[k] = (struct sum){row->time[k], rows->rests ? rows->rests[place].time[k] : 0};
  for (int k = 0; k < WAIT_PARTS; k++)
    if (rows->waits[k] && (rows->waits[k][place].value != 0 || rows->waits[k][place].rest != 0)) told.waits |= 1u << k;
  text_put_n(out, (const char *)&told, sizeof told);
  for (int k = 0; k < WAIT_PARTS; k++)
    if (told.waits >> k & 1) text_put_n(out, (const char *)&rows->waits[k][place], sizeof rows->waits[k][place]);
}

const char *row_take(struct executor *executor, const char *from) {
  struct row_told told;
  memcpy(&told, from, sizeof told);
  from += sizeof told;
  struct process_rows *rows = rows_of(executor, told.instance, false);
  uint32_t place = told.instance - rows->first;
  struct run_process *row = row_at(executor, rows, told.instance);
  row_counts(executor, row, told.instance);
  row->end = fmax(row->end, told.end);
  for (int k = 0; k < ACTIVITIES; k++)
    row_sum(executor, rows, place, k, told.time[k]);
  for (int k = 0; k < WAIT_PARTS; k++) {
    struct sum sum;
    if (!(told.waits >> k & 1)) continue;
    memcpy(&sum, from, sizeof sum);
    from += sizeof sum;
    sum_join(&rows_waits(executor, rows, k)[place], &sum);
  }
  return from;
}

/* The sums are whole. */
static void rests_settle(struct process_rows *rows) {
  for (uint32_t i = 0; rows->rests && i < rows->count; i++)
    for (int k = 0; k < ACTIVITIES; k++)
      rows->items[i].time[k] = sum_total(&(struct sum){rows->items[i].time[k], rows->rests[i].time[k]});
}

static void result_row(struct executor *executor, struct run_result *result, const struct process_rows *rows,
                       uint32_t place) {
  uint32_t at = result->process_count++;
  result->processes[at] = rows->items[place];
  result->processes[at].instance--;
  for (int k = 0; k < WAIT_PARTS; k++) {
    if (!rows->waits[k]) continue;
    if (!result->waits_of[k]) result->waits_of[k] = ARENA_ARRAY(executor->results, struct sum, executor->row_count);
    result->waits_of[k][at] = rows->waits[k][place];
  }
}

/* Are these all rows that there are? */
static bool are_all(const struct executor *executor, const struct process_rows *rows) {
  if (!rows->items || rows->count != executor->row_count) return false;
  for (uint32_t i = 0; i < rows->count; i++)
    if (!rows->items[i].instance) return false;
  return true;
}

void rows_result(struct executor *executor, struct run_result *result) {
  uint32_t components = executor->graph->there_count;
  rows_end(executor);
  for (uint32_t c = 0; c < components; c++)
    rests_settle(&state_there(executor, c)->rows);
  if (executor->row_count == 0 && executor->processor_count > 0) {
    result->processes = executor->processors;
    result->process_count = executor->processor_count;
    result->by_processor = true;
    return;
  }
  for (uint32_t c = 0; c < components; c++) { /* often all rows are of one component, and all there */
    struct process_rows *rows = &state_there(executor, c)->rows;
    if (!are_all(executor, rows)) continue;
    for (uint32_t i = 0; i < rows->count; i++)
      rows->items[i].instance--;
    result->processes = rows->items;
    result->process_count = rows->count;
    memcpy(result->waits_of, rows->waits, sizeof result->waits_of);
    return;
  }
  result->processes = ARENA_ARRAY(executor->results, struct run_process, executor->row_count + 1);
  for (uint32_t c = 0; c < components; c++) {
    const struct process_rows *rows = &state_there(executor, c)->rows;
    for (uint32_t i = 0; i < rows->count; i++)
      if (rows->items[i].instance) result_row(executor, result, rows, i);
  }
}
