/* Calls of evaluators: the host's side of interp/include/evaluator.h. */
#include "interp/execute/levels.h"
#include "interp/execute/pair.h"
#include "interp/execute/partitions.h"
#include "interp/execute/records.h"
#include "interp/execute/steps.h"
#include "interp/model/answers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct value value_of(struct executor *executor, const struct type *type, union psl_argument argument) {
  struct value value = {.kind = VALUE_NONE};
  switch (type->kind) {
  case TYPE_INT: value = (struct value){.kind = VALUE_INT, .integer = argument.integer}; break;
  case TYPE_BOOL: value = (struct value){.kind = VALUE_BOOL, .boolean = argument.integer != 0}; break;
  case TYPE_REAL: value = (struct value){.kind = VALUE_REAL, .real = argument.real}; break;
  case TYPE_TERM:
    value = (struct value){.kind = VALUE_TERM, .term = {argument.term.head, argument.term.qualifier}};
    break;
  case TYPE_SIGNAL: value.kind = VALUE_SIGNAL; break;
  case TYPE_LIST: /* of ints or numbers, which the two members count at one place */
    value = value_object(&executor->scratch, VALUE_LIST, argument.integers.count);
    for (uint32_t i = 0; i < argument.integers.count; i++)
      value.object->items[i] = type->element->kind == TYPE_INT ? value_integer(argument.integers.items[i])
                                                               : value_real(argument.list.items[i]);
    value_seal(value);
    break;
  case TYPE_ANY: value = value_taken(argument.value); break;
  default: break; /* psl_argument has no other */
  }
  return value;
}

/* What an evaluator says must be numbers: else the run is stopped. */
static bool are_numbers(struct executor *executor, uint32_t id, const char *what, double a, double b, double c) {
  struct process *process = process_at(executor, id);
  if (isfinite(a) && isfinite(b) && isfinite(c)) return true;
  snprintf(executor->call.error, sizeof executor->call.error, "%s is not finite", what);
  evaluator_failed(executor, process, process->wait);
  return false;
}

bool result_refused(struct executor *executor, struct process *process, const struct wait *wait,
                    union psl_argument result) {
  if (wait->callee->type->kind != TYPE_REAL || isfinite(result.real)) return true;
  snprintf(executor->call.error, sizeof executor->call.error, "the result of '%s' is not finite",
           wait->callee->name->text);
  evaluator_failed(executor, process, wait);
  return false;
}

static inline void answer(struct executor *executor, struct process *process, const struct wait *wait,
                          union psl_argument result) {
  struct frame *frame = process->frame;
  const struct type *type = wait->callee->type;
  bool number = (type->kind == TYPE_INT || type->kind == TYPE_REAL) && !value_is_object(frame_reply(frame).value);
  if (number && type->kind == TYPE_INT) /* as mostly, and then the other one */
    frame_answer(frame, (struct kept){{.kind = VALUE_INT, .integer = result.integer}});
  else if (number)
    frame_answer(frame, (struct kept){{.kind = VALUE_REAL, .real = result.real}});
  else
    frame_reply_store(executor, frame, value_of(executor, type, result));
  frame->called = true;
  process->memory = NULL;
}

/* The process has waited in its call; `wait`: of the call that this answers. */
static void resume(struct executor *executor, struct process *process, const struct wait *wait, double clock,
                   union psl_argument result) {
  if (!clock_answered(executor, process, process->wait, process->clock, clock) ||
      !evaluator_result(executor, process, wait, result))
    return;
  happens_later(executor, "an answer of an evaluator", clock);
  if (executor->retried == process) { /* in its own call */
    process->clock = executor->retried_since;
    executor->retried = NULL;
  }
  process->generation++; /* a retry that stands in the queue is void */
  if (executor->causes) causes_answered(executor, process);
  if (process->cancellable && (clock > executor->now || !executor->call.ordered)) {
    executor->division.given = false;
    answer(executor, process, wait, result);
    process_pause(executor, process, PROCESS_LATER, EVENT_PROCESS, clock);
    return;
  }
  process_answer_until(executor, process, clock);
  answer(executor, process, wait, result);
  process->in_turn = false;
  process->answered = !executor->call.ordered;
  if (process->answered) {
    process_ready(executor, process);
    return;
  }
  process_wake(executor, process);
  head_given(executor, process, true);
}

static void host_resume(struct psl_host *host, uint32_t id, double clock, union psl_argument result) {
  struct executor *executor = (struct executor *)(void *)host;
  struct process *process = process_at(executor, id);
  if (process->state == PROCESS_EVALUATOR) resume(executor, process, process->wait, clock, result);
}

static void host_resume_pair(struct psl_host *host, uint32_t id, double clock, union psl_argument result) {
  struct executor *executor = (struct executor *)(void *)host;
  struct process *process = process_at(executor, id);
  if (process->state != PROCESS_EVALUATOR) return;
  process->frame->paired = true;
  resume(executor, process, pair_waiting(process->frame)->second, clock, result);
}

static void host_retry(struct psl_host *host, uint32_t id, double clock) {
  struct executor *executor = (struct executor *)(void *)host;
  struct process *process = process_at(executor, id);
  if (process->state != PROCESS_EVALUATOR) return;
  if (!clock_answered(executor, process, process->wait, process->clock, clock)) return;
  process->generation++;
  if (executor->causes) causes_retry(executor, process);
  event_push(executor, clock, EVENT_RETRY, stamp_of(executor, process), process->instance, process,
             process->generation);
}

static void fetch(const void *first, size_t size) {
  enum { LINE = 64 }; /* bytes of a line of the cache */
  for (size_t at = 0; at < size; at += LINE)
    __builtin_prefetch((const char *)first + at, 1);
}

static void host_soon(struct psl_host *host, uint32_t id) {
  const struct executor *executor = (const struct executor *)(void *)host;
  if (id >= executor->process_count) return;
  const struct process *process = process_at(executor, id);
  fetch(process, sizeof *process);
  if (process->frame)
    fetch(process->frame, sizeof *process->frame + 8 * sizeof(union psl_argument)); /* and registers */
}

static double host_clock(struct psl_host *host, uint32_t id) {
  return process_at((struct executor *)(void *)host, id)->clock;
}

static void *host_allocate(struct psl_host *host, size_t size) {
  return arena_alloc(&((struct executor *)(void *)host)->beside, size);
}

static void host_warn(struct psl_host *host, const char *text) {
  enum { MOST = 20 };
  struct executor *executor = (struct executor *)(void *)host;
  struct span span = executor->over ? executor->graph->system->symbol->span
                                    : process_span(process_at(executor, executor->call.process));
  for (uint32_t i = 0; i < executor->warned_count; i++)
    if (executor->warned[i].at == span.begin && strcmp(executor->warned[i].text, text) == 0) return;
  if (executor->warned_count >= MOST || executor->environment.range_end != RANGE_MIDDLE || executor->options->again)
    return;
  struct warned warned = {span.begin, arena_copy(executor->arena, text, strlen(text))};
  ARENA_PUSH(executor->arena, executor->warned, executor->warned_count, executor->warned_capacity, warned);
  diagnostic_add(executor->model->diagnostics, SEVERITY_WARNING, span, "%s", text);
}

static void host_waited(struct psl_host *host, uint32_t process, enum psl_partner kind, double partner, double queued) {
  struct executor *executor = (struct executor *)(void *)host;
  if (kind < PSL_BUSY) executor->waits_told |= kind >= PSL_WAIT_TO_GET ? WAITS_OF_ITEMS : WAITS_OF_MESSAGES;
  if (queued < 0)
    contention_less(executor, process_at(executor, process), -queued);
  else
    executor->division = (struct division){true, kind, process, partner, queued};
}

static void host_message(struct psl_host *host, const struct psl_message *m) {
  struct executor *executor = (struct executor *)(void *)host;
  if (!are_numbers(executor, executor->call.process, "a message", m->sent, m->received, m->bytes) ||
      !are_numbers(executor, executor->call.process, "a message", m->posted, m->received, m->bytes))
    return;
  struct trace_message message = {m->from, m->to, m->sent, m->posted, m->received, m->bytes, m->tag, m->inside};
  trace_message(executor->options->trace, &message);
}

static uint32_t host_moment(struct psl_host *host) {
  struct executor *executor = (struct executor *)(void *)host;
  const struct process *by = process_at(executor, executor->call.process);
  return causes_note(executor, CAUSE_ANSWER, by, by->clock, INSTANCE_NONE);
}

static void host_because(struct psl_host *host, uint32_t process, uint32_t moment) {
  struct executor *executor = (struct executor *)(void *)host;
  causes_tell(executor, process_at(executor, process), moment);
}

static void host_beside(struct psl_host *host, const uint32_t place[2], const char *what) {
  struct executor *executor = (struct executor *)(void *)host;
  executor->met = (struct span){place[0], place[1]};
  executor->met_as = what;
}

static struct psl_level *host_level_open(struct psl_host *host, uint32_t instance, const char *name) {
  struct executor *executor = (struct executor *)(void *)host;
  return executor->options->levels ? level_open(executor->options->levels, instance, name, NULL) : NULL;
}

static void host_level(struct psl_level *level, double clock, double value) {
  if (isfinite(clock) && isfinite(value)) level_now(level, clock, value);
}

static uint32_t host_owner(struct psl_host *host, uint32_t process) {
  return process_at((struct executor *)(void *)host, process)->instance;
}

static void host_element(struct psl_host *host, uint32_t process, const char *kind, const char *name, double begin,
                         double end, double own) {
  struct executor *executor = (struct executor *)(void *)host;
  if (are_numbers(executor, process, "the time of an element", begin, end, own))
    element_end(executor, process, kind, name, begin, end, own);
}

static const char *host_name(struct psl_host *host, uint32_t instance) {
  struct executor *executor = (struct executor *)(void *)host;
  struct text text = {.arena = executor->arena};
  graph_instance_print(&text, executor->graph, instance);
  return text.data;
}

static double host_end(struct psl_host *host) {
  const struct executor *executor = (struct executor *)(void *)host;
  /* in a deadlock the last events may have been ends of patience that nobody waited for any more */
  bool cut = executor_stopped(executor) && executor->stop != STOP_DEADLOCK;
  return fmin(cut ? fmax(executor->makespan, executor->now) : executor->makespan, executor->until);
}

static void host_once(struct psl_host *host) {
  struct executor *executor = (struct executor *)(void *)host;
  executor->once = true;
}

static void host_restart(struct psl_host *host, double clock) {
  struct executor *executor = (struct executor *)(void *)host;
  executor->restarted = clock;
  records_restart(executor, clock);
}

/* Has the accept at this instance the attribute `rank` with this value? */
static bool is_rank(struct executor *executor, const struct model_accept *accept, uint32_t instance, int64_t rank) {
  struct value value;
  return accept && accept != executor->root &&
         graph_attribute(executor->graph, accept, instance, name_known(executor->model->names, KNOWN_RANK),
                         kept_values(instance_dynamics(executor, instance)), &value) &&
         value.kind == VALUE_INT && value.integer == rank;
}

static bool frame_is_rank(struct executor *executor, const struct frame *frame, int64_t rank) {
  return !frame->body->implementing && is_rank(executor, frame->body->accept, frame->instance, rank);
}

/* Has somebody who is the rank started the process, or one that waits for it? */
static bool works_for_rank(struct executor *executor, const struct process *process, int64_t rank) {
  for (bool first = true;; first = false) {
    const struct frame *frame = process->frame;
    for (; frame_parent(frame); frame = frame_parent(frame))
      if (!first && frame_is_rank(executor, frame, rank)) return true;
    if (!first && frame_is_rank(executor, frame, rank)) return true;
    if (is_rank(executor, frame_called(frame)->accept, frame_called(frame)->instance, rank)) return true;
    if (!process->join) return false;
    process = join_of(executor, process)->parent;
  }
}

/* The firing whose end is that of the process's work as the rank. */
static struct frame *stay_frame(struct executor *executor, const struct process *process, int64_t rank) {
  struct frame *outermost = NULL, *frame = process->frame;
  for (;; frame = frame_parent(frame)) {
    if (frame_is_rank(executor, frame, rank)) outermost = frame;
    if (!frame_parent(frame)) return outermost ? outermost : frame;
  }
}

/* Whose it is, or was: where it does not last any more that stands in the place of the process. */
static uint32_t stay_instance(const struct executor *executor, const struct psl_stay *stay) {
  const struct frame *frame = stay->lasts ? process_at(executor, stay->process)->frame : NULL;
  for (; frame; frame = frame_parent(frame))
    for (const struct psl_stay *its = frame->admitted ? frame->stays : NULL; its; its = its->next)
      if (its == stay) return frame->instance;
  return stay->process;
}

/* The number of a place in the source, from 1; there are few. */
static uint32_t place_number(struct executor *executor, struct span span) {
  for (uint32_t k = executor->place_count; k > 0; k--)
    if (executor->places[k - 1].begin == span.begin && executor->places[k - 1].end == span.end) return k;
  ARENA_PUSH(executor->arena, executor->places, executor->place_count, executor->place_capacity, span);
  return executor->place_count;
}

static enum psl_staying host_stay(struct psl_host *host, int64_t rank, struct psl_stay *stay, uint32_t *other) {
  struct executor *executor = (struct executor *)(void *)host;
  struct process *process = process_at(executor, executor->call.process);
  const struct psl_partition *own = host->partition;
  if (own && (rank < 0 || rank >= own->rank_count || own->of_rank[rank] != own->number)) {
    partition_give_up(executor, process_span(process), "a rank is no instance that the system begins with");
    return PSL_STAY_EARLY;
  }
  if (works_for_rank(executor, process, rank)) return PSL_STAY_HELPER;
  struct frame *frame = stay_frame(executor, process, rank);
  const struct facility *facility = frame_called(frame)->facility;
  uint32_t before = stay_instance(executor, stay);
  bool in_turn = before == frame->instance && facility && !facility->accept; /* on its clock */
  if (!executor->call.ordered && !in_turn && !own) return PSL_STAY_EARLY; /* of each rank there is one instance there */
  if (stay->lasts || stay->end > executor->call.clock) {
    executor->met = executor->places[stay->place - 1];
    executor->met_as = "the other process";
    *other = before;
    return PSL_STAY_TAKEN;
  }
  *stay = (struct psl_stay){.next = frame->stays,
                            .process = process->id & INT32_MAX,
                            .lasts = true,
                            .place = place_number(executor, process_span(process))};
  frame->stays = stay;
  return PSL_STAY_BEGUN;
}

/* ---- values ---- */

static struct psl_value host_keep(struct psl_host *host, struct psl_value value) {
  struct executor *executor = (struct executor *)(void *)host;
  return value_given(value_keep(&executor->keep, value_taken(value)).value);
}

static void host_drop(struct psl_host *host, struct psl_value value) {
  struct executor *executor = (struct executor *)(void *)host;
  kept_drop(&executor->keep, &executor->dropped);
  executor->dropped.value = value_taken(value);
}

static struct psl_value host_record(struct psl_host *host, const struct psl_value *fields, uint32_t count) {
  struct executor *executor = (struct executor *)(void *)host;
  struct value record = value_object(&executor->scratch, VALUE_RECORD, count);
  for (uint32_t i = 0; i < count; i++)
    record.object->items[i] = value_taken(fields[i]);
  if (!value_seal(record))
    executor_stop(executor, STOP_ERROR, process_span(process_at(executor, executor->call.process)), VALUE_TOO_LARGE);
  return value_given(record);
}

static struct psl_value host_whole(struct psl_host *host, int64_t number) {
  (void)host;
  return value_given(value_integer(number));
}

static union psl_argument host_term(struct psl_host *host, const char *text) {
  struct names *names = ((struct executor *)(void *)host)->model->names;
  const struct name *name = name_of(names, text);
  name_write(names, name);
  return (union psl_argument){.term = {name->folded->id}};
}

static bool host_key(struct psl_host *host, const char *text, const char *file, struct psl_key *key) {
  (void)host;
  return answers_key(text, file, key);
}

static bool host_recall(struct psl_host *host, struct psl_key key, double *answer) {
  return answers_find(((struct executor *)(void *)host)->options->answers, key, answer);
}

static double host_remember(struct psl_host *host, struct psl_key key, double answer) {
  return answers_keep(((struct executor *)(void *)host)->options->answers, key, answer);
}

static bool host_holds(struct psl_host *host, struct psl_value condition, struct psl_value item) {
  return condition_holds((struct executor *)(void *)host, value_taken(condition), value_taken(item));
}

static bool host_wants(struct psl_host *host, struct psl_value condition, struct psl_wanted *wanted) {
  (void)host;
  return condition_wants(value_taken(condition), wanted);
}

static uint64_t host_hash(struct psl_host *host, struct psl_value item, uint32_t field) {
  struct value value = value_taken(item);
  (void)host;
  if (field == UINT32_MAX) return value_hash(value);
  bool has = value.kind == VALUE_RECORD && field < value.object->count;
  return has ? value_hash(value.object->items[field]) : 0;
}

static bool host_complete(struct psl_host *host) {
  enum stop stop = ((struct executor *)(void *)host)->stop;
  return stop == STOP_END || stop == STOP_DEADLOCK;
}

/* A library stays loaded: what it has begun might still be there. */
static bool host_code(struct psl_host *host, const char *library, const char *function, void (**code)(void),
                      struct psl_key *content, char error[200]) {
  const char *why = "no library is named";
  void *handle = *library ? foreign_open(library, content, &why) : NULL, *address;
  (void)host;
  if (!handle) return snprintf(error, 200, *library ? "it cannot be loaded: %.170s" : "%s", why), false;
  const struct foreign_library named = {.handle = handle};
  address = foreign_symbol(&named, function);
  memcpy(code, &address, sizeof address);
  if (!address) snprintf(error, 200, "the library has no function '%.100s'", function);
  return address != NULL;
}

static void host_inside(struct psl_host *host, const char *function) {
  (void)host;
  foreign_enter(function);
}

static const uint16_t *host_steps(struct psl_host *host, uint32_t request, uint32_t accept, bool back) {
  const struct executor *executor = (const struct executor *)(void *)host;
  const struct adapter *adapter = adapter_of(&executor->graph->bindings[request], executor->model->accepts[accept]);
  return adapter && adapter->steps ? adapter->steps->to[back] : NULL;
}

static bool host_given(struct psl_host *host, const struct psl_carried *carried, struct psl_value message) {
  return carried_given((struct executor *)(void *)host, carried, value_taken(message));
}

static bool host_coerce(struct psl_host *host, const struct psl_carried *carried, struct psl_value *message) {
  struct value value = value_taken(*message);
  bool fine = carried_apply((struct executor *)(void *)host, carried, &value);
  if (fine) *message = value_given(value);
  return fine;
}

static bool host_calls(struct psl_host *host, const struct psl_evaluator *evaluator, const char *function) {
  return model_calls((const struct executor *)(const void *)host, evaluator, function);
}

void evaluators_open(struct executor *executor) {
  executor->host = (struct psl_host){
      .resume = host_resume,
      .resume_pair = host_resume_pair,
      .retry = host_retry,
      .soon = host_soon,
      .clock = host_clock,
      .waited = host_waited,
      .allocate = host_allocate,
      .warn = host_warn,
      .element = host_element,
      .name = host_name,
      .instances = executor->graph->instance_count,
      .begin = executor->from,
      .until = executor->until < executor->time_most ? executor->until : nextafter(executor->until, INFINITY),
      .restart = host_restart,
      .once = host_once,
      .complete = host_complete,
      .calls = host_calls,
      .end = host_end,
      .stay = host_stay,
      .owner = host_owner,
      .level_open = host_level_open,
      .level = host_level,
      .keep = host_keep,
      .drop = host_drop,
      .record = host_record,
      .whole = host_whole,
      .term = host_term,
      .holds = host_holds,
      .wants = host_wants,
      .hash = host_hash,
      .key = host_key,
      .recall = host_recall,
      .remember = host_remember,
      .code = host_code,
      .inside = host_inside,
      .message = executor->options->trace ? host_message : NULL,
      .moment = executor->causes ? host_moment : NULL,
      .because = executor->causes ? host_because : NULL,
      .beside = host_beside,
      .steps = host_steps,
      .given = host_given,
      .coerce = host_coerce};
  executor->call.host = &executor->host;
  uint32_t count = executor->model->evaluator_count;
  executor->evaluators = arena_alloc(executor->arena, sizeof *executor->evaluators * (count + 1));
  executor->evaluator_count = count;
  for (uint32_t i = 0; i < executor->evaluator_count; i++)
    executor->evaluators[i].evaluator = executor->model->evaluators[i]->evaluator;
}

void evaluators_close(struct executor *executor) {
  for (uint32_t i = 0; i < executor->evaluator_count; i++) {
    if (executor->evaluators[i].opened && executor->evaluators[i].evaluator->close)
      executor->evaluators[i].evaluator->close(executor->evaluators[i].state);
    executor->evaluators[i].opened = false;
  }
  arena_close(&executor->beside);
}

/* Does it more than compute? */
static bool evaluator_acts(const struct psl_evaluator *evaluator) {
  bool acts = false;
  for (const struct psl_evaluator_function *function = evaluator->functions; function->name; function++)
    acts |= function->kind != PSL_PURE;
  return acts;
}

uint32_t evaluator_open(struct executor *executor, const struct psl_evaluator *evaluator) {
  uint32_t i = 0;
  while (executor->evaluators[i].evaluator != evaluator)
    i++;
  if (!executor->evaluators[i].opened) {
    executor->evaluators[i].opened = true;
    if (executor->partition && !evaluator->partitioned && evaluator_acts(evaluator)) {
      char why[120];
      snprintf(why, sizeof why, "what %s does is of the whole run", evaluator->name);
      partition_give_up(executor, executor_span(executor), why);
    }
    if (evaluator->open) executor->evaluators[i].state = evaluator->open(&executor->host);
  }
  return i;
}

static enum psl_status call_graph(struct executor *executor, struct process *process, struct frame *frame,
                                  const struct psl_evaluator_function *function, void *state) {
  if (executor->from > 0) {
    executor_stop(executor, STOP_ERROR, process->wait->span, "a task graph is analysed as a whole, without a warm-up");
    return PSL_BLOCKED;
  }
  if (executor->causes) {
    executor_stop(executor, STOP_ERROR, process->wait->span,
                  "a task graph is analysed, not simulated: nothing happens in it that would have a cause");
    diagnostic_help(executor->model->diagnostics, (struct span){0, 0},
                    "'psl run' names the tasks of its critical path");
    return PSL_BLOCKED;
  }
  return task_graph_call(executor, frame->body->component, frame->instance, process->clock, process->wait->span,
                         function, state);
}

static enum psl_status function_call(struct executor *executor, struct process *process, struct frame *frame,
                                     const struct psl_evaluator_function *function, void *state,
                                     const union psl_argument *arguments, bool ordered, uint32_t instance) {
  struct psl_call *call =
      call_prepare(executor, process, instance, process->clock, ordered, process->memory, arguments);
  process->state = PROCESS_EVALUATOR;
  process->ordered = false;
  executor->caller = process->cancellable ? process : NULL;
  enum psl_status status = function->kind == PSL_GRAPH ? call_graph(executor, process, frame, function, state)
                                                       : call_make(function, state, call);
  executor->caller = NULL;
  return status;
}

/* Could a call that waits be taken back? */
static bool call_cancellable(struct executor *executor, struct process *process, const struct symbol *callee) {
  bool waits = callee->evaluator_function->kind == PSL_CALL || callee->evaluator_function->kind == PSL_GRAPH;
  if (!process->cancellable || !waits || callee->evaluator_of->cancel) return true;
  snprintf(executor->call.error, sizeof executor->call.error,
           "a call of '%s' cannot be cancelled, so it can be no part of a head of 'first of'", callee->name->text);
  evaluator_failed(executor, process, process->wait);
  return false;
}

void evaluator_failed(struct executor *executor, struct process *process, const struct wait *wait) {
  struct span outer = process_span(process);
  struct text who = {.arena = executor->arena};
  graph_instance_print(&who, executor->graph, process->instance);
  executor_stop(executor, STOP_ERROR, outer, "%s: %s (in %s)", wait->callee->evaluator_of->name, executor->call.error,
                who.data);
  if (outer.begin != wait->span.begin) diagnostic_note(executor->model->diagnostics, wait->span, "called here");
  if (executor->met.end) diagnostic_note(executor->model->diagnostics, executor->met, "%s", executor->met_as);
}

/* The run has been stopped: what it has waited till a retry counts all the same. */
static enum outcome evaluator_stopped(struct executor *executor, struct process *process, double since) {
  double clock = process->clock;
  process->clock = since;
  process_queue_until(executor, process, clock);
  return OUTCOME_STOP;
}

static enum event_kind event_of(enum psl_status status) {
  return status == PSL_ARRIVES ? EVENT_ARRIVAL : status == PSL_NEXT ? EVENT_PROCESS : EVENT_RETRY;
}

enum outcome evaluator_settle(struct executor *executor, struct process *process, struct frame *frame,
                              enum psl_status status, void *state, const union psl_argument *arguments,
                              struct value *result) {
  struct psl_call *call = &executor->call;
  const struct symbol *callee = process->wait->callee;
  uint32_t instance = call->instance; /* of the body, which may be in line in the frame's */
  double since = executor->retried == process ? executor->retried_since : process->clock;
  executor->retried = NULL;
  for (;;) {
    if (executor_stopped(executor)) return evaluator_stopped(executor, process, since);
    /* NULL where it has been resumed in its own call: what that left is no more */
    process->memory = process->state == PROCESS_EVALUATOR ? call->memory : NULL;
    if (status != PSL_DONE) executor->division.given = false;
    if (status != PSL_BLOCKED && status != PSL_FAILED &&
        !clock_answered(executor, process, process->wait, process->clock, call->clock))
      return evaluator_stopped(executor, process, since);
    switch (status) {
    case PSL_DONE:
      process->state = PROCESS_RUNNING;
      process->memory = NULL;
      if (!evaluator_result(executor, process, process->wait, call->result))
        return evaluator_stopped(executor, process, since);
      if (process->doomed) return OUTCOME_WAIT;
      if (process->cancellable && call->clock > process->clock) {
        executor->division.given = false;
        process->clock = since;
        answer(executor, process, process->wait, call->result);
        process_pause(executor, process, PROCESS_LATER, EVENT_PROCESS, call->clock);
        return OUTCOME_WAIT;
      }
      process->clock = since;
      process_answer_until(executor, process, call->clock);
      *result = value_of(executor, callee->type, call->result);
      return OUTCOME_DONE;
    case PSL_FAILED:
      evaluator_failed(executor, process, process->wait);
      return evaluator_stopped(executor, process, since);
    case PSL_BLOCKED:
      if (process->state == PROCESS_EVALUATOR) process->clock = since;
      return OUTCOME_WAIT;
    case PSL_LATER:
    case PSL_NEXT:
    case PSL_ARRIVES:
      if (process->doomed) return OUTCOME_WAIT;
      if (status == PSL_ARRIVES && executor->partition &&
          partition_moves(executor, process, evaluator_open(executor, callee->evaluator_of)))
        return OUTCOME_WAIT;
      enum event_kind kind = event_of(status);
      struct stamp stamp = status == PSL_ARRIVES ? arrival_stamp(&call->arrival) : stamp_of(executor, process);
      if (!time_has_come(executor, call->clock, kind, stamp)) {
        process->generation++;
        process->clock = since;
        event_push(executor, call->clock, kind, stamp, process->instance, process, process->generation);
        return OUTCOME_WAIT;
      }
      if (call->clock > process->clock) process->still = 0;
      process->clock = call->clock;
      turn_take(executor, process);
      if (++process->still > STILL_LIMIT) {
        livelock(executor, STILL_LIMIT, "calls", process->instance, process->clock, process->wait->span);
        return OUTCOME_STOP;
      }
      status = function_call(executor, process, frame, callee->evaluator_function, state, arguments, true, instance);
    }
  }
}

enum outcome evaluator_invoke(struct executor *executor, struct process *process, struct frame *frame,
                              const union psl_argument *arguments, struct value *result) {
  const struct symbol *callee = process->wait->callee;
  if (!call_cancellable(executor, process, callee)) return OUTCOME_STOP;
  void *state = executor->evaluators[evaluator_open(executor, callee->evaluator_of)].state;
  enum psl_status status = function_call(executor, process, frame, callee->evaluator_function, state, arguments,
                                         process->ordered, frame->instance);
  return evaluator_settle(executor, process, frame, status, state, arguments, result);
}
