/* Facilities: the servers of an accept at an instance, and the clock of an instance.
 *
 * A call takes a server in the order of virtual time and keeps it through nested calls. Under fcfs and
 * priority it waits for a free one; under the disciplines that share (processor sharing, round robin, those
 * with preemption) it always gets in, and its `hold`s are served together with others: see service.c. */
#include "interp/execute/causality.h"
#include "interp/execute/steady.h"
#include "interp/model/discipline.h"
#include <string.h>

static struct facility *facility_new(struct machine *machine, uint32_t instance) {
  struct facility *facility = ARENA_NEW(machine->arena, struct facility);
  facility->instance = instance;
  facility->servers = 1;
  facility->next = machine->all_facilities;
  machine->all_facilities = facility;
  return facility;
}

/* The rates by the number of jobs, each greater than 0; false after a stop. */
static bool rates_read(struct machine *machine, struct facility *facility, struct environment *environment,
                       const struct expr *expr) {
  struct types *types = &machine->model->types;
  struct value value;
  if (!evaluate_as(environment, expr, type_list(types, types->real), &value)) {
    machine_stop(machine, STOP_ERROR, expr->span, NULL);
    return false;
  }
  double *rates = ARENA_ARRAY(machine->arena, double, value.object->count);
  for (uint32_t i = 0; i < value.object->count; i++)
    rates[i] =
        value.object->items[i].kind == VALUE_INT ? (double)value.object->items[i].integer : value.object->items[i].real;
  facility->rates = rates;
  facility->rate_count = value.object->count;
  for (uint32_t i = 0; i < value.object->count; i++)
    if (!(rates[i] > 0)) {
      machine_stop(machine, STOP_ERROR, expr->span, "a rate of work must be greater than 0: it is %g", rates[i]);
      return false;
    }
  if (value.object->count) return true;
  machine_stop(machine, STOP_ERROR, expr->span, "at least one rate of work is wanted");
  return false;
}

static struct facility **row_of(struct machine *machine, const struct model_component *component,
                                struct facility ***rows, uint32_t instance) {
  const struct instances *instances = &machine->graph->instances[component->id];
  if (!*rows) *rows = ARENA_ARRAY(machine->arena, struct facility *, instances->count);
  return &(*rows)[instance - instances->first];
}

struct facility *clock_of(struct machine *machine, uint32_t instance) {
  const struct model_component *component = graph_component(machine->graph, instance);
  struct facility **place = row_of(machine, component, &machine->states[component->id].clocks, instance);
  if (!*place) *place = facility_new(machine, instance);
  return *place;
}

struct facility *facility_of(struct machine *machine, struct model_accept *accept, uint32_t instance) {
  if (!accept->servers && !accept->unlimited) return clock_of(machine, instance);
  struct facility **place = row_of(machine, accept->component, &machine->facilities[accept->id], instance);
  if (*place) return *place;
  struct facility *facility = *place = facility_new(machine, instance);
  facility->accept = accept;
  facility->unlimited = accept->unlimited;
  facility->discipline = accept->discipline;
  int64_t indices[COMPONENT_INDICES];
  graph_indices(machine->graph, instance, indices);
  struct environment environment = machine_environment(machine, indices);
  struct value value;
  if (accept->servers && !accept->unlimited) {
    if (!evaluate(&environment, accept->servers, &value))
      machine_stop(machine, STOP_ERROR, accept->servers->span, NULL);
    else if (value.kind == VALUE_INT && value.integer < 1)
      machine_stop(machine, STOP_ERROR, accept->servers->span, "%lld servers: at least one is wanted",
                   (long long)value.integer);
    else
      facility->servers = value.integer;
  }
  if (accept->quantum) {
    if (!evaluate_as(&environment, accept->quantum, machine->model->types.time, &value))
      machine_stop(machine, STOP_ERROR, accept->quantum->span, NULL);
    else if (!(value.real > 0))
      machine_stop(machine, STOP_ERROR, accept->quantum->span, "a round robin's quantum must be greater than 0 s");
    else
      facility->quantum = value.real;
  }
  if (accept->rates && !accept->unlimited) rates_read(machine, facility, &environment, accept->rates);
  return facility;
}

static bool discipline_shares(enum psl_discipline discipline) { return discipline_of(discipline)->shares; }

bool facility_shares(const struct facility *facility) { return discipline_shares(facility->discipline); }

bool accept_shares(const struct model_accept *accept) {
  return accept->servers && discipline_shares(accept->discipline);
}

/* False: nobody gives one. */
static bool priority_given(struct machine *machine, struct frame *frame, struct value *out) {
  struct model_accept *accept = frame->body->accept;
  for (uint32_t k = 0; k < accept->param_count; k++)
    if (name_is(accept->params[k]->name->folded, KNOWN_PRIORITY)) {
      *out = frame->compiled ? program_argument(frame, k) : frame_locals(frame)[accept->params[k]->slot].value;
      return true;
    }
  return frame->caller_accept && graph_attribute(machine->graph, frame->caller_accept, frame->caller_instance,
                                                 name_known(machine->model->names, KNOWN_PRIORITY),
                                                 kept_values(instance_dynamics(machine, frame->caller_instance)), out);
}

double facility_priority(struct machine *machine, const struct facility *facility, struct frame *frame) {
  struct value value;
  if (!discipline_of(facility->discipline)->by_priority) return 0;
  if (!priority_given(machine, frame, &value)) return 0;
  if (value.kind == VALUE_INT) return (double)value.integer;
  if (value.kind == VALUE_REAL) return value.real;
  machine_stop(machine, STOP_ERROR, process_span(machine->running), "the priority of this call is %s, and no number",
               value_brief(machine->arena, &machine->model->types, machine->model->names, NULL, value));
  return 0;
}

bool facility_free(const struct facility *facility) {
  return facility->unlimited || facility_shares(facility) || facility->busy < facility->servers;
}

bool facility_take(struct facility *facility) {
  if (!facility_free(facility) || (facility->waiters && !facility_shares(facility))) return false;
  facility->busy++;
  return true;
}

void facility_wait(struct machine *machine, struct facility *facility, struct process *process, double priority,
                   bool in_line) {
  struct waiter *waiter = slab_take(&machine->slabs, sizeof *waiter), **place = &facility->waiters;
  happens_now(machine, "a wait for a server", process->clock);
  waiter->process = process;
  waiter->since = process->clock;
  waiter->priority = priority;
  waiter->in_line = in_line;
  if (*place && facility->last_waiter->priority >= waiter->priority)
    place = &facility->last_waiter->next; /* mostly it goes to the end */
  while (*place && (*place)->priority >= waiter->priority)
    place = &(*place)->next;
  waiter->next = *place;
  *place = waiter;
  if (!waiter->next) facility->last_waiter = waiter;
  process->state = PROCESS_SERVER;
  process->facility = facility;
}

void facility_release(struct machine *machine, struct facility *facility, double time) {
  if (facility->unlimited || facility_shares(facility)) {
    facility->busy--;
    return;
  }
  event_push(machine, time, EVENT_RELEASE, facility->instance, facility, 0);
}

void facility_released(struct machine *machine, struct facility *facility, double time) {
  facility->busy--;
  facility->free_at = time;
  struct waiter *waiter = facility->waiters;
  if (waiter) {
    struct process *process = waiter->process;
    bool in_line = waiter->in_line;
    facility->waiters = waiter->next;
    slab_give(&machine->slabs, waiter, sizeof *waiter);
    facility->busy++;
    process->facility = NULL;
    process_wait_until(machine, process, time);
    if (in_line) {
      process->frame->called = true;
      facility->holder = process;
    } else {
      process->frame->admitted = true;
      if (process->frame->body->observed) frame_visit(process->frame)->began = process->clock;
    }
    process_ready(machine, process);
    return;
  }
  /* of the accepts that share the instance's clock, the one whose tokens have waited longest is first */
  struct inbox *first = NULL;
  for (struct inbox *inbox = facility->inboxes; inbox; inbox = inbox->peer)
    if (inbox->waiting && (!first || inbox->ready_at < first->ready_at ||
                           (inbox->ready_at == first->ready_at && inbox->accept->id < first->accept->id)))
      first = inbox;
  if (first) inbox_try(machine, first, time);
  for (struct inbox *inbox = facility->inboxes; inbox; inbox = inbox->peer)
    if (inbox != first && inbox->waiting) inbox_try(machine, inbox, time);
}
