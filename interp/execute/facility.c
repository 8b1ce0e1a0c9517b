/* Facilities: the servers of an accept at an instance, and the clock of an instance.
 *
 * A call takes a server in the order of virtual time and keeps it through nested calls. Under fcfs and
 * priority it waits for a free one; under the disciplines that share (processor sharing, round robin, those
 * with preemption) it always gets in, and its `hold`s are served together with others: see service.c. */
#include "interp/execute/levels.h"
#include "interp/execute/steady.h"
#include "interp/execute/steps.h"
#include "interp/model/discipline.h"
#include <string.h>

bool accept_shares(const struct model_accept *accept) {
  return accept->servers && discipline_of(accept->discipline)->shares;
}

static struct facility *facility_new(struct executor *executor, uint32_t instance) {
  struct facility *facility = ARENA_NEW(executor->arena, struct facility);
  facility->instance = instance;
  facility->servers = 1;
  facility->next = executor->all_facilities;
  executor->all_facilities = facility;
  return facility;
}

/* The rates by the number of jobs, each greater than 0; false after a stop. */
static bool rates_read(struct executor *executor, struct facility *facility, struct environment *environment,
                       const struct expr *expr) {
  struct types *types = &executor->model->types;
  struct value value;
  if (!evaluate_as(environment, expr, type_list(types, types->real), &value)) {
    executor_stop(executor, STOP_ERROR, expr->span, NULL);
    return false;
  }
  double *rates = ARENA_ARRAY(executor->arena, double, value.object->count);
  for (uint32_t i = 0; i < value.object->count; i++)
    rates[i] =
        value.object->items[i].kind == VALUE_INT ? (double)value.object->items[i].integer : value.object->items[i].real;
  facility->rates = rates;
  facility->rate_count = value.object->count;
  for (uint32_t i = 0; i < value.object->count; i++)
    if (!(rates[i] > 0)) {
      executor_stop(executor, STOP_ERROR, expr->span, "a rate of work must be greater than 0: it is %g", rates[i]);
      return false;
    }
  if (value.object->count) return true;
  executor_stop(executor, STOP_ERROR, expr->span, "at least one rate of work is wanted");
  return false;
}

static struct facility **row_of(struct executor *executor, const struct model_component *component,
                                struct facility ***rows, uint32_t instance) {
  const struct instances *instances = &executor->graph->instances[component->id];
  if (!*rows) *rows = ARENA_ARRAY(executor->arena, struct facility *, instances->count);
  return &(*rows)[instance - instances->first];
}

struct facility *clock_of(struct executor *executor, uint32_t instance) {
  const struct model_component *component = graph_component(executor->graph, instance);
  struct facility **place = row_of(executor, component, &executor->states[component->id].clocks, instance);
  if (*place) return *place;
  *place = facility_new(executor, instance);
  for (uint32_t i = 0; i < component->accept_count; i++) {
    const struct model_accept *accept = component->accepts[i];
    bool takes = accept->protocol == PROTOCOL_DATAFLOW && !accept->servers && !accept->unlimited;
    (*place)->rules |= takes && accept->firing_rule;
  }
  return *place;
}

struct facility *facility_make(struct executor *executor, struct model_accept *accept, uint32_t instance) {
  if (!accept->servers && !accept->unlimited) return clock_of(executor, instance);
  struct facility **place = row_of(executor, accept->component, &executor->facilities[accept->id], instance);
  struct facility *facility = *place = facility_new(executor, instance);
  facility->accept = accept;
  if (usage_counts(accept)) facility->usage = ARENA_NEW(executor->arena, struct usage);
  if (executor->options->levels && !accept_shares(accept) && !accept->unlimited)
    facility->drawn = level_open(executor->options->levels, instance, "waiting", NULL);
  if (facility->drawn) level_now(facility->drawn, 0, 0);
  facility->unlimited = accept->unlimited;
  facility->rules = accept->firing_rule != NULL;
  facility->discipline = accept->discipline;
  facility->shares = discipline_of(accept->discipline)->shares;
  facility->by_priority = discipline_of(accept->discipline)->by_priority;
  int64_t indices[COMPONENT_INDICES];
  graph_indices(executor->graph, instance, indices);
  struct environment environment = executor_environment(executor, indices);
  struct value value;
  if (accept->servers && !accept->unlimited) {
    if (!evaluate(&environment, accept->servers, &value))
      executor_stop(executor, STOP_ERROR, accept->servers->span, NULL);
    else if (value.kind == VALUE_INT && value.integer < 1)
      executor_stop(executor, STOP_ERROR, accept->servers->span, "%lld servers: at least one is wanted",
                    (long long)value.integer);
    else
      facility->servers = value.integer;
  }
  if (accept->quantum) {
    if (!evaluate_as(&environment, accept->quantum, executor->model->types.time, &value))
      executor_stop(executor, STOP_ERROR, accept->quantum->span, NULL);
    else if (!(value.real > 0))
      executor_stop(executor, STOP_ERROR, accept->quantum->span, "a round robin's quantum must be greater than 0 s");
    else
      facility->quantum = value.real;
  }
  if (accept->rates && !accept->unlimited) rates_read(executor, facility, &environment, accept->rates);
  return facility;
}

bool call_known(struct executor *executor, struct frame *frame, int32_t param, bool left_out, enum known attribute,
                struct value *out) {
  const struct model_accept *accept = frame->body->accept, *caller = frame_called(frame)->accept;
  if ((param < 0 || left_out) && caller &&
      graph_attribute(executor->graph, caller, frame_called(frame)->instance,
                      name_known(executor->model->names, attribute),
                      kept_values(instance_dynamics(executor, frame_called(frame)->instance)), out))
    return true;
  if (param < 0) return false;
  *out = frame->compiled ? program_argument(frame, (uint32_t)param)
                         : frame_locals(frame)[accept->params[param]->slot].value;
  return true;
}

/* False: nobody gives one. */
static bool priority_given(struct executor *executor, struct frame *frame, struct value *out) {
  return call_known(executor, frame, frame->body->accept->priority_at, frame->no_priority, KNOWN_PRIORITY, out);
}

double facility_priority(struct executor *executor, const struct facility *facility, struct frame *frame) {
  struct value value;
  if (!facility->by_priority) return 0;
  if (!priority_given(executor, frame, &value)) return 0;
  double priority;
  const char *wrong = priority_wrong(value, &priority);
  if (!wrong) return priority;
  executor_stop(executor, STOP_ERROR, process_span(executor->running), "the priority of this call is %s, %s",
                value_brief(executor->arena, &executor->model->types, executor->model->names, NULL, value), wrong);
  return 0;
}

void call_expected(struct executor *executor, struct frame *frame, struct model_accept *accept, uint32_t instance) {
  if (!executor->chosen[accept->id] || frame->expected) return;
  frame->expected = true;
  facility_of(executor, accept, instance)->expected++;
}

void call_unexpected(struct executor *executor, struct frame *frame, struct model_accept *accept, uint32_t instance) {
  if (frame->expected) facility_of(executor, accept, instance)->expected--;
  frame->expected = false;
}

/* ---- the line ---- */

static bool goes_before(const struct waiter *a, const struct waiter *b) {
  return a->priority != b->priority ? a->priority > b->priority : a->order < b->order;
}

static void line_set(struct facility *facility, uint32_t at, struct waiter *waiter) {
  facility->line[at] = waiter;
  waiter->place = at;
}

/* Into the heap, from the place `at`, where nobody is. */
static void line_settle(struct facility *facility, struct waiter *waiter, uint32_t at) {
  struct waiter **line = facility->line;
  for (; at > 0 && goes_before(waiter, line[(at - 1) / 2]); at = (at - 1) / 2)
    line_set(facility, at, line[(at - 1) / 2]);
  for (uint32_t below; (below = 2 * at + 1) < facility->waiting; at = below) {
    if (below + 1 < facility->waiting && goes_before(line[below + 1], line[below])) below++;
    if (!goes_before(line[below], waiter)) break;
    line_set(facility, at, line[below]);
  }
  line_set(facility, at, waiter);
}

static void line_changed(const struct facility *facility, double time) {
  if (facility->drawn) level_now(facility->drawn, time, facility->waiting);
}

static inline void line_enter(struct executor *executor, struct facility *facility, struct waiter *waiter) {
  waiter->before = waiter->next = NULL;
  if (facility->by_priority) {
    ARENA_PUSH(executor->arena, facility->line, facility->waiting, facility->line_capacity, waiter);
    line_settle(facility, waiter, facility->waiting - 1);
    return;
  }
  waiter->before = facility->last;
  *(facility->last ? &facility->last->next : &facility->first) = waiter;
  facility->last = waiter;
  facility->waiting++;
}

static inline void line_remove(struct executor *executor, struct waiter *waiter, double time) {
  struct facility *facility = waiter->facility;
  facility->waiting--;
  if (facility->by_priority) {
    struct waiter *last = facility->line[facility->waiting];
    if (last != waiter) line_settle(facility, last, waiter->place);
  } else {
    *(waiter->before ? &waiter->before->next : &facility->first) = waiter->next;
    *(waiter->next ? &waiter->next->before : &facility->last) = waiter->before;
  }
  waiter->process->waiter = NULL;
  slab_give(&executor->slabs, waiter, sizeof *waiter);
  line_changed(facility, time);
}

void facility_wait(struct executor *executor, struct facility *facility, struct process *process, double priority,
                   bool in_line) {
  struct waiter *waiter = slab_take_raw(&executor->slabs, sizeof *waiter); /* all of it is set */
  happens_now(executor, "a wait for a server", process->clock);
  waiter->facility = facility;
  waiter->process = process;
  waiter->priority = priority;
  waiter->order = facility->came++;
  waiter->in_line = in_line;
  line_enter(executor, facility, waiter);
  process->state = PROCESS_SERVER;
  process->waiter = waiter;
  line_changed(facility, process->clock);
}

void facility_leave(struct executor *executor, struct process *process) {
  line_remove(executor, process->waiter, executor->now);
}

void facility_release(struct executor *executor, struct process *process, struct facility *facility, double time) {
  bool looked_at = !facility_shares(facility) || (facility->accept && executor->chosen[facility->accept->id]);
  if (facility->unlimited || !looked_at) {
    facility->busy--;
    return;
  }
  uint32_t cause = executor->causes ? causes_note(executor, CAUSE_SERVER, process, time, facility->instance) : 0;
  event_push(executor, time, EVENT_RELEASE, stamp_next(executor, process), facility->instance, facility, cause);
}

/* Of the accepts that share the instance's clock, the one whose tokens were complete first is first. */
static void inboxes_try(struct executor *executor, struct facility *facility, double time) {
  struct inbox *first = NULL;
  for (struct inbox *inbox = facility->inboxes; inbox; inbox = inbox->peer)
    if (inbox->waiting && (!first || moment_before(inbox->ready, first->ready))) first = inbox;
  if (first) inbox_try(executor, first, time);
  for (struct inbox *inbox = facility->inboxes; inbox; inbox = inbox->peer)
    if (inbox != first && inbox->waiting) inbox_try(executor, inbox, time);
}

void facility_released(struct executor *executor, struct facility *facility, double time, uint32_t cause) {
  facility->busy--;
  facility->free_at = time;
  if (facility->waiting) {
    struct waiter *waiter = facility->by_priority ? facility->line[0] : facility->first;
    struct process *process = waiter->process;
    bool in_line = waiter->in_line;
    line_remove(executor, waiter, time);
    facility->busy++;
    if (executor->causes) causes_tell(executor, process, cause);
    process_queue_until(executor, process, time);
    if (in_line) {
      process->frame->called = true;
      usage_begin(executor, facility->usage, time);
      facility->holder = process;
    } else {
      frame_admitted(executor, process, process->frame);
    }
    process_wake(executor, process);
    if (process->cancellable) head_given(executor, process, false);
    return;
  }
  if (executor->causes) executor->causes->releasing = cause;
  if (facility->rules)
    rules_again(executor, facility->instance, time);
  else
    inboxes_try(executor, facility, time);
  if (executor->causes) executor->causes->releasing = 0;
}
