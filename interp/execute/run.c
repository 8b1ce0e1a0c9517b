/* A run from its beginning to its result: the system's requests are the first process; the end, a
 * deadlock or a stop is turned into what the report shows. */
#include "interp/evaluate/range_groups.h"
#include "grammar/children.h"
#include "interp/execute/causality.h"
#include "interp/execute/execute.h"
#include "interp/execute/levels.h"
#include "interp/execute/partitions.h"
#include "interp/execute/records.h"
#include "interp/execute/reuse.h"
#include "interp/execute/steady.h"
#include "interp/execute/steps.h"
#include "interp/execute/trace.h"
#include "interp/include/psl.h"
#include "interp/queueing/queueing.h"
#include "interp/execute/host_time.h"
#include "interp/statistics/batches.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct executor *executor_open(struct graph *graph, struct arena *results, const struct run_options *options,
                                      enum range_end end, struct range_groups *ranges) {
  struct executor *executor = ARENA_NEW(results, struct executor);
  struct model *model = graph->model;
  struct arena *arena = executor->arena = &executor->own;
  arena_open(arena, results->memory);
  arena_open(&executor->beside, results->memory);
  arena_open(&executor->scratch, results->memory);
  executor->results = results;
  executor->graph = graph;
  executor->model = model;
  executor->options = options;
  executor->host_time = options->host_time;
  if (options->trace && options->trace->causes) causes_open(executor, options->trace->causes);
  executor->run = ++model->runs;
  executor->stop = STOP_END;
  executor->steady_at = INFINITY;
  executor->horizon = INFINITY;
  executor->paced = lookahead_least(graph) > 0;
  executor->time_most = options->max_time > 0 ? fmin(options->max_time, CLOCK_MOST) : CLOCK_MOST;
  executor->until = options->again ? options->until : INFINITY;
  if (options->max_time > 0) executor->until = fmin(executor->until, executor->time_most);
  executor->look_mask = options->max_firings ? 0 : 1023;
  executor->environment = (struct environment){.model = model,
                                               .scratch = &executor->scratch,
                                               .attribute = executor_attribute,
                                               .user = executor,
                                               .range_end = end,
                                               .ranges = ranges,
                                               .refused = &executor->refused};
  return executor;
}

static struct record_places *record_places_of(struct executor *executor) {
  struct reuse *reuse = executor->graph->reuse;
  if (reuse) return &reuse->record_places;
  struct record_places *places = ARENA_NEW(executor->arena, struct record_places);
  places->arena = executor->arena;
  places->numbered = ARENA_ARRAY(executor->arena, bool, executor->model->component_count + 1);
  return places;
}

static void executor_prepare(struct executor *executor) {
  struct model *model = executor->model;
  struct arena *arena = executor->arena;
  slabs_open(&executor->slabs, arena);
  slabs_open(&executor->keep, arena);
  executor->bodies = ARENA_ARRAY(arena, struct body *, model->accept_count + 1);
  executor->coercion_bodies = ARENA_ARRAY(arena, struct body *, model->coercion_count + 1);
  executor->states = ARENA_ARRAY(arena, struct instance_state, model->component_count + 1);
  executor->fired = ARENA_ARRAY(arena, uint64_t, model->component_count + 1);
  executor->uncounted = ARENA_ARRAY(arena, uint64_t, model->component_count + 1);
  executor->left = ARENA_ARRAY(arena, struct turned_away, model->component_count + 1);
  executor->spent = ARENA_ARRAY(arena, struct sum, ACTIVITIES * (model->component_count + 1));
  executor->parts = ARENA_ARRAY(arena, struct wait_parts, model->component_count + 1);
  executor->networks = ARENA_ARRAY(arena, bool, model->component_count + 1);
  executor->inboxes = ARENA_ARRAY(arena, struct inbox **, model->accept_count + 1);
  executor->facilities = ARENA_ARRAY(arena, struct facility **, model->accept_count + 1);
  executor->record_order = record_places_of(executor);
  requests_prepare(executor);
  const char *shuffle = CAUSALITY_TESTED ? getenv("PSL_SHUFFLE") : NULL;
  if (shuffle) {
    executor->shuffle = ARENA_NEW(arena, struct random_stream);
    *executor->shuffle = random_open(strtoull(shuffle, NULL, 10), "shuffle", strlen("shuffle"));
  }
  warm_up_read(executor);
  executor->process_size = sizeof(struct process);
  if (executor->options->network) {
    steady_open(executor);
    executor->process_size += sizeof(double);
  }
  evaluators_open(executor);
  rules_open(executor);
}

static void executor_close(struct executor *executor) {
  evaluators_close(executor);
  arena_close(&executor->scratch);
  arena_close(&executor->own);
}

/* The system as a frame of its own: no accept, only requests, from time 0. */
static void system_start(struct executor *executor) {
  struct model_component *system = executor->graph->system;
  struct model_accept *accept = ARENA_NEW(executor->arena, struct model_accept);
  struct model_transaction *none = ARENA_NEW(executor->arena, struct model_transaction);
  struct body *body = ARENA_NEW(executor->arena, struct body);
  none->result = executor->model->types.none;
  none->symbol = system->symbol;
  accept->component = system;
  accept->transaction = none;
  accept->requests = system->requests;
  accept->request_count = system->request_count;
  body->component = system;
  body->accept = accept;
  body->tried = true; /* the walker takes it */
  body->slot_count = 1;
  body->frame_size =
      (uint32_t)(sizeof(struct frame) + sizeof(struct walked) + sizeof(struct value) + 64 * sizeof(int64_t));
  uint32_t instance = executor->graph->instances[system->id].first;
  struct process *process = process_new(executor, instance, 0, false);
  if (executor->causes) causes_begin(executor, process, CAUSE_TIME);
  struct frame *frame = frame_push(executor, process, body, instance, NULL, INSTANCE_NONE, NULL, NULL);
  frame->admitted = true;
  executor->fired[system->id]--; /* a system is no firing */
  executor->uncounted[system->id] = 0;
  executor->root = accept;
  executor->spawned_at = -1;
  process_ready(executor, process);
  turn_take(executor, process);
}

static void wait_add(struct executor *executor, struct run_result *result, uint32_t *capacity, uint32_t instance,
                     struct span span, const char *text, uint32_t peer, uint32_t process) {
  struct run_wait wait = {instance, span, arena_copy(executor->results, text, strlen(text)), peer, process};
  ARENA_PUSH(executor->results, result->waits, result->wait_count, *capacity, wait);
}

/* "for a server of disk[0], held by worker[1]"; who holds it, INSTANCE_NONE: nobody. */
static uint32_t server_wait(struct executor *executor, struct text *text, const struct facility *facility,
                            uint32_t instance) {
  text_put(text, "for a server of ");
  graph_instance_print(text, executor->graph, instance);
  if (!facility->holder) return INSTANCE_NONE;
  text_put(text, ", held by ");
  graph_instance_print(text, executor->graph, facility->holder->instance);
  return facility->holder->instance;
}

static void holders_note(struct executor *executor) {
  for (uint32_t i = 0; i < executor->process_count; i++)
    for (struct frame *frame = process_at(executor, i)->frame; frame; frame = frame_parent(frame))
      if (frame_called(frame)->facility && frame->admitted)
        frame_called(frame)->facility->holder = process_at(executor, i);
}

static bool wait_describe(struct executor *executor, const struct process *process, struct text *text, uint32_t *peer);

/* All that those wait for that it has forked; false: one of them may do so for ever. */
static bool forked_describe(struct executor *executor, const struct join *join, struct text *text) {
  const char *before = join->count == 1 ? "" : join->first_of ? "for the first of several: " : "for all of several: ";
  for (uint32_t i = 0; i < join->count; i++) {
    uint32_t peer;
    if (!join->children[i]) continue; /* it has ended */
    text_put(text, before);
    if (!wait_describe(executor, join->children[i], text, &peer)) return false;
    before = "; ";
  }
  return true;
}

/* A call that the evaluator knows nothing of where the run was stopped had not been made at that time. */
static bool call_describe(struct executor *executor, const struct process *process, struct text *text, uint32_t *peer) {
  const struct psl_evaluator *evaluator = process->wait->callee->evaluator_of;
  char unsaid[200], said[200];
  uint32_t other = UINT32_MAX;
  snprintf(unsaid, sizeof unsaid, "for an answer of %s", evaluator->name);
  memcpy(said, unsaid, sizeof said);
  if (evaluator->explain_wait)
    evaluator->explain_wait(executor->evaluators[evaluator_open(executor, evaluator)].state, process->id, said,
                            sizeof said, &other);
  if (other < executor->process_count && process_at(executor, other)->state != PROCESS_FREE)
    *peer = process_at(executor, other)->instance;
  text_put(text, said);
  return *said && !(evaluator->explain_wait && executor_stopped(executor) && !strcmp(said, unsaid));
}

/* What the process waits for, and for whom, where one is known; false: nothing, or it may wait for ever. */
static bool wait_describe(struct executor *executor, const struct process *process, struct text *text, uint32_t *peer) {
  bool asks;
  switch ((enum process_state)process->state) {
  case PROCESS_EVALUATOR: return call_describe(executor, process, text, peer);
  case PROCESS_SERVER:
    *peer = server_wait(executor, text, process->waiter->facility, process->waiter->facility->instance);
    return true;
  case PROCESS_RULE:
    asks = instance_asks(executor, process->frame->instance);
    text_put(text, asks ? "for what " : "for the firing rule of ");
    graph_instance_print(text, executor->graph, process->frame->instance);
    if (asks) text_put(text, " asks for");
    *peer = process->frame->instance;
    return true;
  case PROCESS_ANY: text_put(text, "for a component that matches"); return true;
  case PROCESS_FIRST:
  case PROCESS_JOIN: /* one that is not cancellable says itself what it waits for */
    return process->forked->children && forked_describe(executor, process->forked, text);
  case PROCESS_HOLD:
  case PROCESS_LATER:
  case PROCESS_MOVES:
  case PROCESS_FREE:
  case PROCESS_READY:
  case PROCESS_RUNNING:
  case PROCESS_QUEUED:
  case PROCESS_SHARE: return false;
  }
  return false;
}

/* Evaluators that read or run a program know where in that the instance stands. */
static void where_put(struct executor *executor, uint32_t instance, struct text *text) {
  char buffer[120];
  for (uint32_t k = 0; k < executor->evaluator_count; k++) {
    const struct psl_evaluator *evaluator = executor->evaluators[k].evaluator;
    if (executor->evaluators[k].opened && evaluator->where &&
        evaluator->where(executor->evaluators[k].state, instance, buffer, sizeof buffer))
      text_printf(text, ", at %s", buffer);
  }
}

static void process_waits(struct executor *executor, struct run_result *result, uint32_t *capacity,
                          struct process *process) {
  struct text text = {.arena = executor->arena};
  uint32_t peer = INSTANCE_NONE;
  if (process->state == PROCESS_FREE || process->cancellable) return; /* who waits for it says so */
  if (!wait_describe(executor, process, &text, &peer)) return;
  where_put(executor, process->instance, &text);
  wait_add(executor, result, capacity, process->instance, process_span(process), text.data, peer, process->id);
}

/* A dataflow accept that has some of the tokens of a firing, or all and cannot fire. One that is about to take
 * them where the run was stopped waits for nothing. */
static void inbox_waits(struct executor *executor, struct run_result *result, uint32_t *capacity, struct inbox *inbox) {
  bool some = false;
  struct moment ready;
  const char *missing = NULL;
  for (uint32_t k = 0; k < inbox->queue_count; k++) {
    if (inbox->queues[k].first)
      some = true;
    else if (!inbox->full && (inbox->reached >> k & 1) && !missing)
      missing = inbox->accept->transaction->params[k].name->text;
  }
  bool all = inbox_ready(executor, inbox, &ready);
  if (!some || (all && !inbox->waiting)) return;
  struct text text = {.arena = executor->arena};
  uint32_t peer = INSTANCE_NONE;
  if (missing)
    text_printf(&text, "for a token of '%s'", missing);
  else if (!all)
    text_put(&text, "for a token of each edge");
  else if (!facility_free(inbox->facility))
    peer = server_wait(executor, &text, inbox->facility, inbox->instance);
  else
    text_put(&text, instance_asks(executor, inbox->instance) ? "for what it asks for" : "for its firing rule");
  wait_add(executor, result, capacity, inbox->instance, inbox->accept->syntax->span, text.data, peer, UINT32_MAX);
}

static int wait_order(const void *a, const void *b) {
  const struct run_wait *x = a, *y = b;
  return x->instance < y->instance ? -1 : x->instance > y->instance;
}

/* Of one instance several may wait, whose processes have started in any order. */
static int wait_said_order(const void *a, const void *b) {
  const struct run_wait *x = a, *y = b;
  int order = wait_order(a, b);
  if (order == 0) order = (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
  if (order == 0) order = strcmp(x->text, y->text);
  return order ? order : (x->waits_for > y->waits_for) - (x->waits_for < y->waits_for);
}

static const struct run_wait *wait_of(const struct run_result *result, uint32_t instance) {
  struct run_wait key = {.instance = instance};
  return result->wait_count ? bsearch(&key, result->waits, result->wait_count, sizeof key, wait_order) : NULL;
}

/* An instance of a cycle of those that wait for each other; NULL: there is none. Marks who has been seen from
 * where. */
static const struct run_wait *cycle_find(struct executor *executor, const struct run_result *result) {
  uint32_t *seen = ARENA_ARRAY(executor->arena, uint32_t, result->wait_count);
  for (uint32_t i = 0; i < result->wait_count; i++) {
    const struct run_wait *wait = &result->waits[i];
    while (wait && seen[wait - result->waits] == 0) {
      seen[wait - result->waits] = i + 1;
      wait = wait->waits_for < INSTANCE_ABSENT ? wait_of(result, wait->waits_for) : NULL;
    }
    if (wait && seen[wait - result->waits] == i + 1) return wait;
  }
  return NULL;
}

/* What the evaluator that it waits in knows to do about it; false: nothing. */
static bool advice_of(struct executor *executor, const struct run_wait *wait, bool circle, char *out, size_t size) {
  const struct process *process = wait->process < executor->process_count ? process_at(executor, wait->process) : NULL;
  if (!process || process->state != PROCESS_EVALUATOR) return false;
  const struct psl_evaluator *evaluator = process->wait->callee->evaluator_of;
  void *state = executor->evaluators[evaluator_open(executor, evaluator)].state;
  return evaluator->advise && evaluator->advise(state, process->id, circle, out, size);
}

/* The cycle, or the first of those that wait, as notes of the diagnostic. */
static void cycle_report(struct executor *executor, const struct run_result *result) {
  enum { MOST = 8 };
  char advice[200] = "";
  const struct run_wait *cycle = cycle_find(executor, result);
  const struct run_wait *wait = cycle ? cycle : result->waits, *end = result->waits + result->wait_count;
  for (int i = 0; wait && i < MOST; i++) {
    struct text who = {.arena = executor->arena};
    graph_instance_print(&who, executor->graph, wait->instance);
    diagnostic_note(executor->model->diagnostics, wait->span, "%s waits %s", who.data, wait->text);
    if (!*advice && !advice_of(executor, wait, cycle != NULL, advice, sizeof advice)) *advice = '\0';
    wait = cycle ? wait_of(result, wait->waits_for) : wait + 1 < end ? wait + 1 : NULL;
    if (wait == cycle) break;
  }
  if (cycle && wait == cycle)
    diagnostic_help(executor->model->diagnostics, (struct span){0, 0}, "they wait for each other in a circle");
  if (*advice) diagnostic_help(executor->model->diagnostics, (struct span){0, 0}, "%s", advice);
}

/* A loop that goes on up to some clock, in the block or the blocks in it; NULL: there is none. */
static const struct stmt *clocked_loop(const struct block *block) {
  const struct stmt *found = NULL;
  struct span where;
  for (const struct stmt *stmt = block ? block->first : NULL; stmt && !found; stmt = stmt->next) {
    if (stmt->kind == STMT_WHILE && expr_reads_clock(stmt->loop.condition, &where)) return stmt;
    struct children children = stmt_children(stmt);
    while (!found && children_next(&children))
      if (children.block) found = clocked_loop(children.block);
  }
  return found;
}

/* Whose loop ends by the clock leaves those that it serves waiting. */
static void help_loops(struct executor *executor) {
  const struct model *model = executor->model;
  const struct stmt *loop = NULL;
  for (uint32_t a = 0; a < model->accept_count && !loop; a++)
    if (executor->graph->instances[model->accepts[a]->component->id].count)
      loop = clocked_loop(model->accepts[a]->body);
  if (loop)
    diagnostic_help(model->diagnostics, loop->loop.condition->span,
                    "what ends by the clock leaves others waiting: write while true, and end the run by --max-time "
                    "or by a record's half-width");
}

/* Components that only an `any` of the system leads to, and that it has not chosen. */
static void help_not_begun(struct executor *executor) {
  const struct graph *graph = executor->graph;
  for (uint32_t i = 0; i < executor->model->request_count; i++) {
    const struct model_request *request = executor->model->requests[i];
    if (request->component != graph->system || request->quantifier != TARGET_ANY) continue;
    const uint32_t *targets;
    struct target one;
    uint32_t first, count = targets_bound(&graph->bindings[request->id], 0, &one, &targets, &first);
    const struct model_component *last = NULL;
    struct text text = {.arena = executor->arena};
    for (uint32_t k = 0; targets && k < count; k++) { /* ascending: those of one component stand together */
      const struct model_component *component = graph_component(graph, targets[first + k]);
      if (component != last && executor->fired[component->id] == 0)
        text_printf(&text, "%s'%s'", text.size ? ", " : "", component->symbol->name->text);
      last = component;
    }
    if (text.size)
      diagnostic_help(executor->model->diagnostics, request->syntax->quantifier_span,
                      "%s never began: 'any' chooses one of %u; write 'every selector' to begin them all", text.data,
                      count);
  }
}

static void deadlock_look(struct executor *executor, struct run_result *result) {
  uint32_t capacity = 0;
  holders_note(executor);
  for (uint32_t i = 0; i < executor->process_count; i++)
    process_waits(executor, result, &capacity, process_at(executor, i));
  for (struct inbox *inbox = executor->all_inboxes; inbox; inbox = inbox->next)
    inbox_waits(executor, result, &capacity, inbox);
  if (result->wait_count == 0) return;
  qsort(result->waits, result->wait_count, sizeof *result->waits, wait_said_order);
  if (executor_stopped(executor)) return;
  executor->stop = STOP_DEADLOCK;
  executor->stop_span = result->waits[0].span;
  executor->stop_detail = arena_printf(executor->arena, "nothing can happen any more and %u %s", result->wait_count,
                                       result->wait_count == 1 ? "instance waits" : "instances wait");
  diagnostic_add(executor->model->diagnostics, SEVERITY_ERROR, executor->stop_span, "deadlock: %s",
                 executor->stop_detail);
  cycle_report(executor, result);
  help_not_begun(executor);
  help_loops(executor);
}

/* What is no number is left out, and that is said. */
static bool statistic_fine(struct executor *executor, const struct psl_evaluator *evaluator,
                           const struct psl_statistic *statistic) {
  if (isfinite(statistic->value)) return true;
  diagnostic_add(executor->model->diagnostics, SEVERITY_WARNING, executor->graph->system->symbol->span,
                 "%s: the statistic '%s' is not finite", evaluator->name, statistic->name);
  return false;
}

static uint32_t assumptions_made(const struct psl_evaluator *evaluator, void *state, uint32_t used) {
  for (size_t k = 0; evaluator->assumes && evaluator->assumptions[k].text; k++)
    if (!evaluator->assumes(state, k)) used &= ~(UINT32_C(1) << k);
  return used;
}

static void result_statistics(struct executor *executor, struct run_result *result) {
  enum { MOST = 96 };
  uint32_t capacity = 0;
  result->used = ARENA_ARRAY(executor->results, struct run_evaluator, executor->evaluator_count + 1);
  executor->over = true;
  for (uint32_t i = 0; i < executor->evaluator_count; i++) {
    const struct psl_evaluator *evaluator = executor->evaluators[i].evaluator;
    if (!executor->evaluators[i].used) continue;
    void *state = executor->evaluators[evaluator_open(executor, evaluator)].state; /* also where no call was met */
    uint32_t assumes = assumptions_made(evaluator, state, executor->evaluators[i].used);
    result->used[result->used_count++] =
        (struct run_evaluator){evaluator, assumes, evaluator_evident(executor, evaluator)};
    if (!evaluator->statistics) continue;
    struct psl_statistic own[MOST];
    size_t count = evaluator->statistics(state, own, MOST);
    for (size_t k = 0; k < count; k++)
      if (statistic_fine(executor, evaluator, &own[k]))
        ARENA_PUSH(executor->results, result->statistics, result->statistic_count, capacity, own[k]);
  }
  for (uint32_t i = 0; i < result->statistic_count; i++) {
    const char *name = result->statistics[i].name; /* perhaps of the run's memory */
    result->statistics[i].name = arena_copy(executor->results, name, strlen(name));
    if (strcmp(result->statistics[i].name, PSL_MESSAGES) == 0) {
      result->messages_counted = true;
      result->messages += (uint64_t)result->statistics[i].value;
    }
    if (strcmp(result->statistics[i].name, PSL_BYTES) == 0) result->bytes += (uint64_t)result->statistics[i].value;
  }
}

/* Runs; where memory cannot be had the run stops like at any other limit, with the limit lifted for what
 * follows. */
static void run_guarded(struct executor *executor) {
  struct memory *memory = executor->results->memory;
  jmp_buf here, *outer = memory->guard;
  memory->guard = &here;
  if (executor->host_time) host_time_begin(executor->host_time);
  if (setjmp(here) == 0) {
    if (!executor_stopped(executor)) records_open(executor);
    if (!executor_stopped(executor)) system_start(executor);
    schedule(executor);
    if (executor->host_time) host_time_end(executor->host_time);
    memory->guard = outer;
    return;
  }
  memory->guard = outer;
  if (executor->host_time) host_time_end(executor->host_time);
  char lack[200];
  memory->limit = 0;
  executor_stop(executor, STOP_MEMORY, executor_span(executor), "%s", memory_lack(memory, lack, sizeof lack));
}

/* A component that states where its time goes by `record compute = …` and the like has that for its time. */
static void records_replace(struct executor *executor) {
  for (uint32_t i = 0; i < executor->record_count; i++) {
    const struct run_record *record = &executor->records[i];
    if (!model_states(record->component, record->name->text)) continue;
    struct sum *time = &executor->spent[ACTIVITIES * record->component->id];
    for (int k = 0; k < ACTIVITIES; k++)
      if (!strcmp(record->name->text, activity_names[k])) time[k] = record->all.sum;
  }
}

/* Has the run been stopped at the time up to which all has happened, and counts? */
static bool cut_at(const struct executor *executor) {
  bool firings = executor->stop == STOP_MAX_FIRINGS && executor->options->again;
  return isfinite(executor->until) && (executor->stop == STOP_NARROW || executor->stop == STOP_MAX_TIME || firings);
}

/* A stop in the middle: what each process had so far. */
static void processes_end(struct executor *executor) {
  for (uint32_t i = 0; cut_at(executor) && i < executor->process_count; i++)
    if (process_at(executor, i)->state != PROCESS_FREE)
      process_stop(executor, process_at(executor, i), executor->until);
  for (uint32_t i = 0; cut_at(executor) && i < executor->process_count; i++) {
    struct process *process = process_at(executor, i);
    if (process->state != PROCESS_FIRST) continue; /* the join of one that has ended may be gone */
    bool head = process->join && join_of(executor, process)->first_of;
    if (!head) heads_stop(executor, process);
  }
  for (uint32_t i = 0; i < executor->process_count; i++) /* who waits for it ends itself */
    if (process_at(executor, i)->state != PROCESS_FREE) process_over(executor, process_at(executor, i));
}

/* Of a difference of clocks as part of the run's time: each event rounds the clock anew, by 2^-53 of it at most. */
#define CLOCK_ROUNDING 0x1p-48

/* Values that are no further apart than `rounding` are one value. */
static void tally_end(struct run_tally *tally, double rounding) {
  if (isfinite(tally->sum.value)) tally->mean = sum_total(&tally->sum) / (double)tally->count;
  bool same = tally->maximum - tally->minimum <= rounding;
  tally->deviation = same ? 0 : sum_deviation(&tally->sum, &tally->squares, tally->count);
}

/* Counts from the end of the warm-up on. */
static void tally_of_level(struct run_tally *tally, const struct level *level) {
  bool first = !tally->count;
  tally->minimum = first ? level->minimum : fmin(tally->minimum, level->minimum);
  tally->maximum = first ? level->maximum : fmax(tally->maximum, level->maximum);
  if (tally->last_at.time == 0) tally->last = level->value;
  tally->count += level->count;
}

/* A level that has a warm-up: what held at its end counts, too. */
static void level_begin(const struct executor *executor, struct run_record *record) {
  record->all.count = 0;
  for (uint32_t i = 0; i < executor->graph->instances[record->component->id].count; i++) {
    struct level *level = &record->levels[i];
    if (executor->makespan < record->from) level->count = 0; /* it has not come to that */
    if (!level->count) continue;
    tally_of_level(&record->all, level);
    if (!record->own) continue;
    record->own[i].count = 0;
    tally_of_level(&record->own[i], level);
  }
}

/* Of a level: over all instances that have recorded it, to the end of the run. */
static void level_end(const struct executor *executor, struct run_record *record) {
  struct tally means = {0};
  double square = 0;
  for (uint32_t i = 0; i < executor->graph->instances[record->component->id].count; i++) {
    const struct level *level = &record->levels[i];
    if (!level->count) continue;
    double mean = level_mean(level, executor->makespan), deviation = level_deviation(level, executor->makespan);
    tally_add(&means, mean);
    square += deviation * deviation;
    if (!record->own) continue;
    record->own[i].mean = mean;
    record->own[i].deviation = deviation;
  }
  record->all.mean = means.mean;
  record->all.deviation = sqrt((square + means.square) / (double)means.count);
}

/* Of the mean over the instances that have recorded it. */
static double level_half_width(const struct executor *executor, struct run_record *record) {
  struct level_batches *batches = record->level_batches;
  uint32_t count = 0;
  for (uint32_t i = 0; i < executor->graph->instances[record->component->id].count; i++)
    count += record->levels[i].count > 0;
  level_batches_set(batches, executor->makespan, batches->value);
  return level_batches_estimate(batches, RECORD_CONFIDENCE).half_width / count;
}

static void records_end(struct executor *executor) {
  for (uint32_t i = 0; i < executor->record_count; i++) {
    struct run_record *record = &executor->records[i];
    if (record->levels && record->from > 0) level_begin(executor, record);
    if (record->batches) record->half_width = batches_estimate(record->batches, RECORD_CONFIDENCE).half_width;
    if (record->level_batches) record->half_width = level_half_width(executor, record);
    uint32_t own = record->own ? executor->graph->instances[record->component->id].count : 0;
    bool time = record->type == executor->model->types.time;
    double rounding = time ? executor->makespan * CLOCK_ROUNDING : 0;
    tally_end(&record->all, rounding);
    for (uint32_t k = 0; k < own; k++)
      if (record->own[k].count) tally_end(&record->own[k], rounding);
    if (record->levels) level_end(executor, record);
  }
}

/* It was recorded in its own warm-up alone; that of the whole run has its own warning. */
static void record_early(struct executor *executor, const struct run_record *record) {
  const struct types *types = &executor->model->types;
  struct text warm_up = {.arena = executor->arena}, end = {.arena = executor->arena};
  if (!stop_is_end(executor->stop) || !record->keeping || !record->keeping->warm_up || !(record->from > executor->from))
    return;
  quantity_print(&warm_up, types, record->from, types->time->dimension, 4);
  quantity_print(&end, types, executor->makespan, types->time->dimension, 4);
  diagnostic_add(executor->model->diagnostics, SEVERITY_WARNING, record->keeping->warm_up->span,
                 "'%s' has no figures: nothing was recorded after its warm-up of %s, and the run has ended at %s",
                 record->name->text, warm_up.data, end.data);
}

/* The run is over before its mean is known as well as was wished. */
static void record_wide(struct executor *executor, const struct run_record *record) {
  struct diagnostics *d = executor->model->diagnostics;
  bool cut = stop_is_end(executor->stop) || executor->stop == STOP_MAX_TIME;
  double part = record->half_width / fabs(record->all.mean), wished = 100 * record->wished;
  if (!(record->wished > 0) || record->narrow || !cut) return;
  struct span span = record->keeping->half_width->span;
  const char *name = record->name->text;
  if (!isfinite(part))
    diagnostic_add(d, SEVERITY_WARNING, span,
                   "the run is over before the mean of '%s' has an interval, which is to be of %g %%", name, wished);
  else if (part > record->wished)
    diagnostic_add(d, SEVERITY_WARNING, span,
                   "the run is over before the mean of '%s' is known to %g %%: its interval is %.3g %% to either side",
                   name, wished, 100 * part);
  else
    diagnostic_add(d, SEVERITY_WARNING, span,
                   "the run is over before the mean of '%s' is known to %g %%: its interval is so narrow, but of too "
                   "few observations to trust it",
                   name, wished);
  diagnostic_help(d, (struct span){0}, "let the run go on, or ask for a greater half-width");
}

/* Nothing was recorded after the warm-up. */
static void records_empty(struct executor *executor) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < executor->record_count; i++)
    if (executor->records[i].all.count)
      record_wide(executor, &executor->records[i]), executor->records[count++] = executor->records[i];
    else
      record_early(executor, &executor->records[i]);
  executor->record_count = count;
}

/* Accepts whose tokens are processes of their own, as customers are. */
static bool comes_and_goes(const struct executor *executor, const struct model_component *component) {
  for (uint32_t i = 0; i < component->accept_count; i++) {
    const struct model_accept *accept = component->accepts[i];
    const struct body *body = executor->bodies[accept->id];
    if (accept->protocol == PROTOCOL_DATAFLOW && accept->unlimited && body && !body->implementing) return true;
  }
  return false;
}

static int64_t *count_servers(const struct executor *executor) {
  int64_t *servers = ARENA_ARRAY(executor->results, int64_t, executor->model->component_count + 1);
  for (const struct facility *facility = executor->all_facilities; facility; facility = facility->next) {
    const struct model_accept *accept = facility->accept;
    bool called = accept && (accept->protocol == PROTOCOL_CALL_RETURN || !accept->component->request_count);
    if (called && !facility->unlimited && !facility_shares(facility))
      servers[accept->component->id] += facility->servers;
  }
  for (uint32_t c = 0; executor->all_facilities && c < executor->graph->there_count; c++) {
    const struct model_component *component = executor->graph->there[c]->component;
    for (uint32_t i = 0; i < component->accept_count; i++) /* what has another accept is served there, too */
      if (!component->accepts[i]->servers) servers[component->id] = 0;
  }
  return servers;
}

static void result_components(struct executor *executor, struct run_result *result) {
  const int64_t *servers = count_servers(executor);
  const struct graph *graph = executor->graph;
  result->components = ARENA_ARRAY(executor->results, struct run_component, graph->there_count);
  for (uint32_t c = 0; c < graph->there_count; c++) {
    uint32_t i = graph->there[c]->component->id;
    const struct turned_away *left = &executor->left[i];
    if (!executor->fired[i] && !left->count) continue;
    struct run_component *row = &result->components[result->component_count++];
    row->component = executor->model->components[i];
    row->firings = executor->fired[i] - executor->uncounted[i];
    row->fired = executor->fired[i] > 0;
    if (row->fired) row->evidence = component_evidence(executor, i);
    row->left = left->count;
    row->left_wait = sum_total(&left->waited);
    row->servers = servers[i];
    result->passing |= comes_and_goes(executor, row->component);
    memcpy(row->time, &executor->spent[ACTIVITIES * i], sizeof row->time);
    row->parts = parts_settled(executor->parts[i]);
  }
  result->waits_told = executor->waits_told;
}

/* What the run has ended by, in the arena of who asked. */
static void result_stop(struct executor *executor, struct run_result *result) {
  bool ended = stop_is_end(executor->stop) && executor->stop != STOP_END && executor->stop != STOP_MAX_TIME;
  bool lacks = executor->stop == STOP_MEMORY; /* which a list of those who wait would take more of */
  if (!ended && !lacks && executor->stop != STOP_ERROR && executor->stop != STOP_ASSERT)
    deadlock_look(executor, result);
  result->stop = executor->stop;
  if (executor->stop_detail)
    result->stop_detail = arena_copy(executor->results, executor->stop_detail, strlen(executor->stop_detail));
  result->stop_span = executor->stop_span;
}

/* Is there nothing behind the warm-up? */
static void warm_up_look(struct executor *executor) {
  const struct model_component *system = executor->graph->system;
  struct text end = {.arena = executor->arena};
  if (!(executor->from > 0) || executor->makespan > executor->from || !stop_is_end(executor->stop)) return;
  quantity_print(&end, &executor->model->types, executor->makespan, executor->model->types.time->dimension, 4);
  diagnostic_add(executor->model->diagnostics, SEVERITY_WARNING,
                 system->warm_up ? system->warm_up->span : system->symbol->span,
                 "the run has ended at %s, during its warm-up: there are no figures", end.data);
}

/* NaN: there is none. In a network it is the response of a cycle, and queueing NULL where nobody has ended one. */
static double makespan_of(const struct executor *executor, const struct psl_queueing *queueing) {
  if (queueing) return network_response(queueing).value;
  bool none = stop_is_cut(executor->stop) || (executor->steady && stop_is_end(executor->stop));
  return none ? (double)NAN : executor->makespan;
}

static void result_records(const struct executor *executor, struct run_result *result) {
  result->record_count = executor->record_count;
  result->records = ARENA_ARRAY(executor->results, struct run_record, executor->record_count);
  if (executor->record_count)
    memcpy(result->records, executor->records, executor->record_count * sizeof *executor->records);
}

/* What else the report needs, in the same arena. */
static void result_make(struct executor *executor, struct run_result *result) {
  deferred_counts(executor);
  processes_end(executor);
  if (cut_at(executor)) executor->makespan = executor->until; /* however far some ran ahead */
  evaluators_used(executor);
  result_statistics(executor, result);
  warm_up_look(executor);
  records_sort(executor);
  records_replace(executor);
  records_end(executor);
  records_empty(executor);
  result_components(executor, result);
  usage_result(executor, result);
  one_by_one_result(executor, result);
  result_records(executor, result);
  result->elements = executor->elements.items;
  result->element_count = executor->elements.count;
  result->critical = executor->critical;
  result->critical_count = executor->critical_count;
  result->end = executor->makespan;
  result->makespan = makespan_of(executor, NULL);
  result->from = executor->from;
  result->firings = firings_of(executor) - executor->fired_late;
  result->events = executor->events_done;
  result->frame_bytes = executor->slabs.bytes;
  result->paired_calls = executor->paired_calls;
  result->partitions = executor->partitions;
  evaluators_close(executor);
  rows_result(executor, result);
}

bool runs_again(const struct executor *executor) {
  bool cut = executor->stop == STOP_NARROW || (executor->stop == STOP_MAX_FIRINGS && !executor->once);
  bool restarted = executor->restarted > executor->from;
  bool late = cut || (restarted && stop_is_end(executor->stop));
  bool middle = executor->environment.range_end == RANGE_MIDDLE;
  return late && !executor->options->again && middle && !executor->steady;
}

/* Up to when figures are of. */
static double figures_end(const struct executor *executor) {
  return executor->stop == STOP_NARROW        ? executor->now
         : executor->stop == STOP_MAX_FIRINGS ? time_left(executor)
                                              : INFINITY;
}

/* A network's predicted time is that of a cycle, and its processes have no share of it: traces alone name them. */
static void result_network(struct run_result *result, struct psl_queueing *queueing,
                           const struct run_options *options) {
  result->queueing = queueing;
  result->makespan = queueing ? network_response(queueing).value : (double)NAN;
  if (!options->trace) result->process_count = 0;
}

static bool has_drawn(const struct executor *executor) {
  if (executor->drawn) return true;
  for (uint32_t c = 0; c < executor->graph->there_count; c++) {
    const struct instances *set = executor->graph->there[c];
    struct random_stream **streams = executor->states[set->component->id].random;
    for (uint32_t i = 0; streams && i < set->count; i++)
      if (streams[i] && streams[i]->count) return true;
  }
  return false;
}

/* One run with ranges at one end. At the low and the high one the makespan, the stop and how far records go alone are
 * wanted. Memory that cannot be had for what comes before and after jumps on to the guard outside, with nothing left
 * behind. */
static double run_once(struct graph *graph, struct arena *results, const struct run_options *options,
                       enum range_end end, struct run_result *result, struct range_groups *ranges) {
  struct memory *memory = results->memory;
  struct executor *executor = executor_open(graph, results, options, end, ranges);
  jmp_buf here, *outer = memory->guard;
  memory->guard = &here;
  if (setjmp(here) != 0) {
    memory->guard = outer;
    executor_close(executor);
    longjmp(*outer, 1);
  }
  executor_prepare(executor);
  enum partitions_end partitions = partitions_run(executor, run_guarded);
  if (partitions == PARTITIONS_SPOILT || partitions == PARTITIONS_ELSEWHERE) {
    memory->guard = outer;
    executor_close(executor);
    if (partitions == PARTITIONS_SPOILT) return run_once(graph, results, options, end, result, ranges);
    result->stop = STOP_ERROR;
    return -1;
  }
  if (partitions == PARTITIONS_NOT) run_guarded(executor);
  struct psl_queueing *queueing = executor->steady ? steady_result(executor) : NULL;
  if (stop_is_end(executor->stop) || !runs_again(executor)) result_stop(executor, result);
  result->unsound = executor->unsound;
  result->drawn |= has_drawn(executor);
  result->tail = executor->steady ? steady_tail(executor) : NULL;
  result->again = runs_again(executor);
  if (result->again) {
    result->from = fmax(executor->from, executor->restarted);
    result->end = figures_end(executor);
  } else if (end == RANGE_MIDDLE) {
    result_make(executor, result);
  } else {
    records_sort(executor);
    result_records(executor, result);
  }
  if (options->trace && !result->again) trace_sort(options->trace);
  if (options->levels && !result->again) levels_sort(options->levels);
  bool network = queueing || (executor->steady && stop_is_end(executor->stop));
  if (end == RANGE_MIDDLE && network) result_network(result, queueing, options);
  memory->guard = outer;
  double makespan = stop_is_end(executor->stop) ? makespan_of(executor, queueing) : -1;
  executor_close(executor);
  return makespan;
}

struct wide { /* the interval of a network's figure, wider than is wished */
  const char *name, *figure;
  double width; /* half, as a part of the value; infinity: there is none yet */
};
struct wides {
  struct arena *arena;
  double wished;
  struct wide *items;
  size_t count, capacity, widest; /* the place of the widest */
};

static void wides_look(struct wides *wides, double half, double value, const char *name, const char *figure) {
  double width = half / fabs(value);
  if (width <= wides->wished) return;
  struct wide wide = {name, figure, isnan(width) ? INFINITY : width};
  bool wider = wides->count && (isinf(wide.width) || wide.width > wides->items[wides->widest].width);
  if (wider) wides->widest = wides->count;
  ARENA_PUSH(wides->arena, wides->items, wides->count, wides->capacity, wide);
}

/* Of the percentiles of single cycles, for which a run waits where they were asked for. */
static void wides_percentiles(struct wides *wides, const struct psl_queueing *network) {
  for (size_t r = 0; network->parts_asked && r < network->response_count; r++) {
    const struct psl_queueing_response *row = &network->responses[r];
    for (size_t p = 0; !row->visit && !row->any && p < network->part_count; p++) {
      struct psl_estimate all = row->percentiles[p];
      if (isfinite(all.value))
        wides_look(wides, (all.high - all.low) / 2, all.value, row->name,
                   quantile_name(wides->arena, network->parts[p]));
    }
  }
}

enum { WIDE_NAMED = 12 }; /* beside the widest */

/* The others that are wider than is wished, in the order of reports. */
static void note_other_wides(struct diagnostics *d, const struct wides *wides) {
  struct text text = {.arena = wides->arena};
  size_t named = 0;
  for (size_t i = 0; i < wides->count; i++) {
    const struct wide *wide = &wides->items[i];
    if (i == wides->widest || named == WIDE_NAMED) continue;
    text_printf(&text, "%s%s of %s ", named++ ? ", " : "", wide->figure, wide->name);
    if (isinf(wide->width))
      text_put(&text, "(none yet)");
    else
      text_printf(&text, "%.3g %%", 100 * wide->width);
  }
  if (named + 1 < wides->count) text_printf(&text, " and %zu more", wides->count - 1 - named);
  if (named) diagnostic_note(d, (struct span){0, 0}, "wider than wanted are also: %s", text.data);
}

/* Which intervals of the network are wider than wanted, for who has been told that some are; the widest first. */
static void note_wides(struct diagnostics *d, struct arena *arena, const struct psl_queueing *network) {
  struct wides wides = {.arena = arena, .wished = network->half_width};
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    wides_look(&wides, class->throughput.high - class->throughput.value, class->throughput.value, class->name,
               "throughput");
    wides_look(&wides, class->response.high - class->response.value, class->response.value, class->name, "response");
  }
  wides_percentiles(&wides, network);
  const struct wide *widest = wides.count ? &wides.items[wides.widest] : NULL;
  if (!widest)
    diagnostic_note(d, (struct span){0, 0}, "they are as narrow, of batches that are too short to trust them");
  else if (isinf(widest->width))
    diagnostic_note(d, (struct span){0, 0}, "the %s of %s has none yet", widest->figure, widest->name);
  else
    diagnostic_note(d, (struct span){0, 0}, "the widest is that of the %s of %s: %.3g %% to either side",
                    widest->figure, widest->name, 100 * widest->width);
  note_other_wides(d, &wides);
}

/* Runs with other seeds behind the first one, as many as are wished and then as many as it takes. Records and
 * times by component are those of the first. */
static void replicate(struct graph *graph, struct arena *arena, const struct run_options *options,
                      struct run_result *result) {
  struct psl_queueing *first = result->queueing, **runs = NULL;
  struct random_stream seeds = random_open(options->seed, "replications", strlen("replications"));
  struct run_options own = *options;
  size_t count = 0, capacity = 0;
  struct range_groups ranges = {.count = 0};
  bool narrow = false;
  own.trace = NULL;
  own.levels = NULL;
  ARENA_PUSH(arena, runs, count, capacity, first);
  while (!narrow && result->stop == STOP_STEADY) {
    struct run_result *next = ARENA_NEW(arena, struct run_result);
    own.seed = random_next(&seeds);
    run_once(graph, arena, &own, RANGE_MIDDLE, next, &ranges);
    result->firings += next->firings;
    result->events += next->events;
    result->stop = next->stop;
    result->stop_detail = next->stop_detail;
    result->unsound = next->unsound;
    if (!stop_is_end(next->stop) || !next->queueing) return;
    ARENA_PUSH(arena, runs, count, capacity, next->queueing);
    if (count < first->replications && next->stop == STOP_STEADY) continue;
    result_network(result, replications_join(arena, runs, count), options);
    narrow = replications_narrow(result->queueing);
    if (narrow || result->firings <= first->limit || next->stop != STOP_STEADY) continue;
    result->stop = STOP_UNSTEADY;
    result->stop_detail =
        arena_printf(arena, "queueing.limit came before half-widths of %g %%", 100 * first->half_width);
    result->unsound = arena_printf(arena, "%s: %s", UNSOUND_WIDTH, result->stop_detail);
    diagnostic_add(graph->model->diagnostics, SEVERITY_WARNING, graph->system->symbol->span, "%s", result->unsound);
  }
}

/* A run with the ranges at an end could have gone on: then neither end bounds the time. */
static void lack_bound(struct graph *graph, struct arena *arena, const char *with, enum stop stop,
                       struct run_result *result) {
  if (result->unbounded) return;
  result->unbounded = arena_printf(arena, "%s the run has no time, ended by the %s", with, stop_text(stop));
  diagnostic_add(graph->model->diagnostics, SEVERITY_NOTE, graph->system->symbol->span,
                 "the predicted time has no bounds: %s", result->unbounded);
}

struct bounded {
  struct graph *graph;
  struct arena *arena;
  struct run_options options; /* without a trace */
  struct run_result *result;
  struct range_groups ranges;
};

static const struct run_record *same_record(const struct run_result *run, const struct run_record *record,
                                            uint32_t at) {
  const struct run_record *own = at < run->record_count ? &run->records[at] : NULL; /* mostly it stands at its place */
  if (own && own->name == record->name && own->component == record->component) return own;
  for (uint32_t k = 0; k < run->record_count; k++)
    if (run->records[k].name == record->name && run->records[k].component == record->component) return &run->records[k];
  return NULL;
}

static void widen_records(struct run_result *result, const struct run_result *own) {
  for (uint32_t k = 0; k < result->record_count; k++) {
    struct run_record *record = &result->records[k];
    const struct run_record *other = same_record(own, record, k);
    if (!other || !other->all.count) continue;
    record->low = fmin(record->ranges ? record->low : record->all.minimum, other->all.minimum);
    record->high = fmax(record->ranges ? record->high : record->all.maximum, other->all.maximum);
    record->ranges = true;
  }
}

/* The makespan with ranges at other ends than their middles, NaN where it has none. */
static bool run_at(void *user, enum range_end end, const char *with, double *time) {
  struct bounded *b = user;
  struct run_result *own = ARENA_NEW(b->arena, struct run_result), *result = b->result;
  *time = run_once(b->graph, b->arena, &b->options, end, own, &b->ranges);
  if (isnan(*time)) lack_bound(b->graph, b->arena, with, own->stop, result);
  if (*time >= 0) widen_records(result, own);
  if (!(*time < 0)) return true;
  result->stop = own->stop;
  result->stop_detail = own->stop_detail;
  result->stop_span = own->stop_span;
  result->waits = own->waits;
  result->wait_count = own->wait_count;
  run_failed_at(b->graph->model, b->arena, result, with);
  return false;
}

/* Once, or where the time that figures are of is known at the end alone, once more. */
static double run_first(struct graph *graph, struct arena *arena, const struct run_options *options,
                        struct run_result *result, struct range_groups *ranges) {
  struct trace *trace = options->trace, empty_trace = {0};
  struct levels *levels = options->levels, empty_levels = {0};
  struct run_options again = *options;
  if (trace) empty_trace = *trace;
  if (levels) empty_levels = *levels;
  double end = run_once(graph, arena, options, RANGE_MIDDLE, result, ranges);
  if (!result->again) return end;
  if (trace) *trace = empty_trace;
  if (trace && trace->causes) causes_drop(trace->causes);
  if (levels) *levels = empty_levels;
  again.again = true;
  again.warm_up = result->from;
  again.until = result->end;
  *result = (struct run_result){.again = false};
  return run_once(graph, arena, &again, RANGE_MIDDLE, result, ranges);
}

/* Causes are asked for of a system that is solved, not simulated. */
static struct run_result *nothing_happens(struct graph *graph, struct run_result *result) {
  diagnostic_add(graph->model->diagnostics, SEVERITY_ERROR, graph->system->symbol->span,
                 "the network of '%s' is solved by analysis: nothing happens that would have a cause",
                 graph->system->symbol->name->text);
  diagnostic_help(graph->model->diagnostics, (struct span){0, 0},
                  "with the evaluation mode simulation[queueing] its customers are simulated");
  result->stop = STOP_ERROR;
  return result;
}

struct run_result *run_graph(struct graph *graph, struct arena *arena, const struct run_options *options) {
  struct run_result *result = ARENA_NEW(arena, struct run_result);
  enum queueing_mode mode;
  const struct psl_evaluator *evaluator;
  struct bounded b = {.graph = graph, .arena = arena, .result = result};
  if (!queueing_mode(graph, &mode, &evaluator)) {
    result->stop = STOP_ERROR;
    return result;
  }
  if (mode == QUEUEING_ANALYSIS && options->trace && options->trace->causes) return nothing_happens(graph, result);
  if (mode == QUEUEING_ANALYSIS) return network_solve(graph, arena, evaluator);
  struct run_options observed = *options;
  if (mode == QUEUEING_SIMULATED) {
    observed.network =
        network_extract(graph, arena, &(struct network_options){.range_end = RANGE_MIDDLE, .ranges = &b.ranges});
    if (!observed.network) observed.network = network_outline(graph, arena);
    options = &observed;
  }
  double end = run_first(graph, arena, options, result, &b.ranges);
  one_by_one_note(graph->model, &result->one_by_one);
  unread_attributes_note(graph->model, result);
  if (result->queueing && result->queueing->replications > 1) replicate(graph, arena, options, result);
  if (result->queueing) network_warn_unserved(graph, options->network, result->queueing);
  if (result->queueing) network_drop_unvisited(result->queueing);
  if (result->queueing && result->stop == STOP_UNSTEADY) note_wides(graph->model->diagnostics, arena, result->queueing);
  if (result->tail) {
    diagnostic_add(graph->model->diagnostics, SEVERITY_WARNING, graph->system->symbol->span, "%s", result->tail);
    result->unsound = result->unsound ? arena_printf(arena, "%s; %s", result->unsound, result->tail) : result->tail;
  }
  if (end < 0 || !b.ranges.met) return result;
  struct range_bounds bounds;
  b.options = *options;
  b.options.trace = NULL;
  b.options.levels = NULL;
  if (!range_groups_bound(&b.ranges, graph->model, arena, graph->system->symbol->span, end, run_at, &b, &bounds))
    return result;
  result->uncertain = true;
  result->low = bounds.low;
  result->high = bounds.high;
  return result;
}
