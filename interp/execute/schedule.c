/* The scheduler: processes, the event queue, blocks of memory that are used again, and the loop that
 * runs ready processes ahead and then takes the next event in the order of virtual time. */
#include "interp/execute/causality.h"
#include "interp/execute/steady.h"
#include "interp/execute/trace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool event_before(const struct event *a, const struct event *b) {
  if (a->time != b->time) return a->time < b->time;
  if (a->order != b->order) return a->order < b->order;
  return a->sequence < b->sequence;
}

void event_push(struct machine *machine, double time, enum event_kind kind, uint32_t instance, void *subject,
                uint32_t generation) {
  struct event event = {time, (uint64_t)kind << 32 | instance, machine->sequence++, subject, generation};
  happens_later(machine, "an event", time);
  ARENA_PUSH(machine->arena, machine->events, machine->event_count, machine->event_capacity, event);
  uint32_t at = machine->event_count - 1;
  while (at > 0) {
    uint32_t up = (at - 1) / 4;
    if (!event_before(&event, &machine->events[up])) break;
    machine->events[at] = machine->events[up];
    at = up;
  }
  machine->events[at] = event;
}

static struct event event_pop(struct machine *machine) {
  struct event *events = machine->events, top = events[0], last = events[--machine->event_count];
  uint32_t count = machine->event_count, at = 0;
  for (;;) {
    uint32_t first = 4 * at + 1, least = first;
    if (first >= count) break;
    for (uint32_t i = first + 1; i < first + 4 && i < count; i++)
      if (event_before(&events[i], &events[least])) least = i;
    if (!event_before(&events[least], &last)) break;
    events[at] = events[least];
    at = least;
  }
  if (count > 0) events[at] = last;
  return top;
}

/* The row of the report that an instance's processes add up in. */
static struct run_process *process_row(struct machine *machine, uint32_t instance) {
  const struct model_component *component = graph_component(machine->graph, instance);
  struct instance_state *state = &machine->states[component->id];
  const struct instances *instances = &machine->graph->instances[component->id];
  if (!state->rows) state->rows = ARENA_ARRAY(machine->results, struct run_process, instances->count);
  struct run_process *row = &state->rows[instance - instances->first];
  if (row->instance == 0) {
    row->instance = instance + 1;
    machine->row_count++;
  }
  return row;
}

struct process *process_new(struct machine *machine, uint32_t instance, double clock, bool counted) {
  struct process *process = machine->free_process;
  uint32_t id;
  if (process) {
    machine->free_process = process->next;
    id = process->id;
    uint32_t generation = process->generation;
    memset(process, 0, sizeof *process);
    process->generation = generation;
  } else {
    id = machine->process_count;
    process = slab_take(&machine->slabs, sizeof *process);
    ARENA_PUSH(machine->arena, machine->processes, machine->process_count, machine->process_capacity, process);
  }
  process->id = id;
  process->instance = instance;
  process->clock = clock;
  process->counted = counted;
  process->share = counted ? process_row(machine, instance)->share.time : machine->uncounted;
  return process;
}

/* A join's last child has ended: its parent goes on at the latest end with the list of results. */
static void join_end(struct machine *machine, struct join *join) {
  struct process *parent = join->parent;
  double forked = parent->clock;
  process_wait_until(machine, parent, join->clock);
  if (machine->steady) steady_joined(machine, parent, parent->clock - forked);
  if (join->results) {
    kept_drop(&machine->keep, &parent->frame->reply);
    if (!kept_list(&machine->keep, join->results, join->count, &parent->frame->reply))
      machine_stop(machine, STOP_ERROR, process_span(parent), VALUE_TOO_LARGE);
    slab_give(&machine->slabs, join->results, join->count * sizeof(struct kept));
  }
  parent->frame->called = true;
  slab_give(&machine->slabs, join, sizeof *join);
  process_ready(machine, parent);
}

void process_reuse(struct machine *machine, struct process *process) {
  process->next = machine->free_process;
  machine->free_process = process;
}

void process_end(struct machine *machine, struct process *process) {
  if (process->clock > machine->makespan) machine->makespan = process->clock;
  if (process->counted) {
    struct run_process *row = process_row(machine, process->instance);
    if (process->clock > row->end) row->end = process->clock;
  }
  struct join *join = process->join;
  process->state = PROCESS_FREE;
  process->generation++;
  process->frame = NULL;
  if (!process->keep) process_reuse(machine, process);
  if (join) {
    if (process->clock > join->clock) join->clock = process->clock;
    if (--join->remaining == 0) join_end(machine, join);
  }
}

void process_ready(struct machine *machine, struct process *process) {
  happens_later(machine, "a process goes on", process->clock);
  process->state = PROCESS_READY;
  ARENA_PUSH(machine->arena, machine->ready, machine->ready_count, machine->ready_capacity, process);
}

void causality_broken(const struct machine *machine, const char *what, double time) {
  fprintf(stderr, "psl: causality is broken: %s at %.17g s, and it is %.17g s\n", what, time, machine->now);
  abort();
}

uint32_t shuffled(struct machine *machine, uint32_t count) {
  return machine->shuffle ? (uint32_t)(random_next(machine->shuffle) % count) : 0;
}

void attribute_used(const struct machine *machine, const struct model_component *component, const struct name *folded,
                    double time) {
  for (uint32_t i = 0; CAUSALITY_TESTED && i < component->dynamic_count; i++)
    if (component->dynamic_names[i]->folded == folded) happens_now(machine, "a look at an attribute", time);
}

static void now_set(struct machine *machine, double time) {
  happens_later(machine, "time goes on", time);
  machine->now = time;
}

bool time_has_come(struct machine *machine, double time, enum event_kind kind, uint32_t instance) {
  if (machine->ready_count > 0 || machine->nest > 0) return false;
  if (machine->event_count > 0) {
    const struct event *top = &machine->events[0];
    if (top->time < time || (top->time == time && top->order < ((uint64_t)kind << 32 | instance))) return false;
  }
  now_set(machine, time);
  return true;
}

bool process_in_order(struct machine *machine, struct process *process) {
  if (time_has_come(machine, process->clock, EVENT_PROCESS, process->instance)) return true;
  process->state = PROCESS_QUEUED;
  event_push(machine, process->clock, EVENT_PROCESS, process->instance, process, process->generation);
  return false;
}

void process_wait_until(struct machine *machine, struct process *process, double clock) {
  if (!(clock > process->clock)) return;
  double waited = clock - process->clock;
  process->share[ACTIVITY_WAIT] += waited;
  /* waiting for a server or a rule counts for the component that has it, else for the one whose body calls */
  bool inside = process->frame && !process->frame->admitted;
  uint32_t component = inside || !process->wait ? process->frame->body->component->id : process->wait->component;
  machine->states[component].report.time[ACTIVITY_WAIT] += waited;
  if (machine->options->trace && process->counted)
    trace_event(machine->options->trace, process->instance, ACTIVITY_WAIT, component, process->clock, clock);
  process->clock = clock;
  process->still = 0;
}

struct span process_span(const struct process *process) {
  struct frame *first = process->frame;
  if (!first) return (struct span){0, 0};
  while (first->parent)
    first = first->parent;
  /* a compiled frame that runs has its place in the code not in the frame */
  const struct wait *wait = !first->compiled                           ? &frame_walked(first)->wait
                            : first == process->frame && process->wait ? process->wait
                                                                       : program_wait(first);
  if (wait && wait->outer.end) return wait->outer;
  const struct model_accept *accept = first->body->accept;
  return accept && accept->syntax ? accept->syntax->span : (struct span){0, 0};
}

bool machine_stopped(const struct machine *machine) { return machine->stop != STOP_END; }

/* An attribute that the caller's profile lacks is met where it is read; what is to be mended is the caller.
 */
static void lacked_note(struct machine *machine) {
  const struct model_component *caller = machine->lacked;
  if (caller)
    diagnostic_help(machine->model->diagnostics, caller->symbol->span, "give the profile of '%s' this attribute",
                    caller->symbol->name->text);
}

/* The call of the process's first body that led to the expression in hand; none where it stands there itself.
 */
static struct span leading_span(const struct machine *machine) {
  const struct process *process = machine->running;
  if (!process || process->state != PROCESS_RUNNING || !process->frame) return (struct span){0, 0};
  if (process->frame->parent) return process_span(process);
  return process->frame->compiled ? machine->leading : (struct span){0, 0};
}

/* An expression has failed, with a diagnostic. Where a call led to it that is said, too; and what an evaluator
 * would not have is a matter of that call. */
static void expression_failed(struct machine *machine) {
  struct diagnostics *d = machine->model->diagnostics;
  struct span outer = leading_span(machine), inner = d->current.span;
  if (!d->open || d->current.severity != SEVERITY_ERROR) return;
  if (machine->refused && outer.end) {
    struct text who = {.arena = machine->arena};
    text_put(&who, " (in ");
    graph_instance_print(&who, machine->graph, machine->running->instance);
    text_put(&who, ")");
    diagnostic_move(d, outer, who.data);
    diagnostic_note(d, inner, "called here");
  } else if (outer.end) {
    diagnostic_note(d, outer, "called from here");
  }
  machine->stop_detail = arena_copy(machine->arena, d->current.text, strlen(d->current.text));
  lacked_note(machine);
}

void machine_stop(struct machine *machine, enum stop stop, struct span span, const char *format, ...) {
  if (machine_stopped(machine)) return;
  bool broken_off = stop == STOP_ERROR && machine->options->interrupted && *machine->options->interrupted;
  machine->stop = broken_off ? STOP_INTERRUPT : stop;
  machine->stop_span = span;
  if (!format) { /* the diagnostic has been given by whoever met the error */
    expression_failed(machine);
    return;
  }
  struct text text = {.arena = machine->arena};
  va_list arguments;
  va_start(arguments, format);
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text_put(&text, line);
  machine->stop_detail = text.data;
  diagnostic_add(machine->model->diagnostics, SEVERITY_ERROR, span, "%s", line);
}

struct span machine_span(const struct machine *machine) {
  struct span span = machine->running ? process_span(machine->running) : (struct span){0, 0};
  return span.end ? span : machine->graph->system->symbol->span;
}

void limits_look(struct machine *machine, double time) {
  const struct run_options *options = machine->options;
  struct span span = machine_span(machine);
  if (options->interrupted && *options->interrupted) machine_stop(machine, STOP_INTERRUPT, span, "interrupted");
  if (machine->steady && !machine_stopped(machine)) steady_limits(machine);
  if (options->max_firings && machine->firings > options->max_firings)
    machine_stop(machine, STOP_MAX_FIRINGS, span, "more than %llu firings (--max-firings)",
                 (unsigned long long)options->max_firings);
  if (options->max_time > 0 && time > options->max_time) {
    struct text text = {.arena = machine->arena};
    quantity_print(&text, &machine->model->types, options->max_time, machine->model->types.time->dimension, 4);
    machine_stop(machine, STOP_MAX_TIME, span, "virtual time has passed %s (--max-time)", text.data);
  }
}

bool turn_look(struct machine *machine, struct process *process, struct span loop) {
  enum { AHEAD = 1 << 18 }; /* turns after which one that runs ahead lets the others catch up */
  const struct run_options *options = machine->options;
  if (process->still > STILL_LIMIT)
    livelock(machine, STILL_LIMIT, "turns of loops", process->instance, process->clock, loop);
  else if (options->interrupted && *options->interrupted)
    machine_stop(machine, STOP_INTERRUPT, loop, "interrupted");
  if (machine_stopped(machine)) return false;
  bool late = options->max_time > 0 && process->clock > options->max_time, full = machine->ahead >= SENT;
  machine->look_at = (machine->turns | 4095) + 1;
  if (!late && !full && machine->turns % AHEAD != 0) return true;
  machine->ahead = 0;
  process->state = PROCESS_QUEUED;
  event_push(machine, process->clock, EVENT_PROCESS, process->instance, process, process->generation);
  return false;
}

void process_run(struct machine *machine, struct process *process) {
  process->state = PROCESS_RUNNING;
  machine->running = process;
  while (process->state == PROCESS_RUNNING && !machine_stopped(machine)) {
    struct frame *frame = process->frame;
    if (!frame->admitted && !frame_admit(machine, process, frame)) break;
    if (frame->body->program)
      vm_run(machine, process, frame);
    else
      walk(machine, process, frame);
  }
  if (machine->options->max_time > 0 && process->clock > machine->options->max_time)
    limits_look(machine, process->clock);
}

/* Whose turn it was, in the words of the model: the process, or the accept that tokens or servers are of. */
static struct span event_span(const struct machine *machine, const struct event *event) {
  const struct process *process = event->subject;
  const struct model_accept *accept = NULL;
  switch ((enum event_kind)(event->order >> 32)) {
  case EVENT_RELEASE: /* of an accept's servers, or of the instance's clock */
    accept = ((const struct facility *)event->subject)->accept;
    if (!accept) return graph_component(machine->graph, (uint32_t)event->order)->symbol->span;
    break;
  case EVENT_TOKEN: accept = ((const struct inbox *)event->subject)->accept; break;
  case EVENT_SHARE:
  case EVENT_PROCESS:
  case EVENT_RULE:
  case EVENT_RETRY: return process->generation == event->generation ? process_span(process) : machine_span(machine);
  }
  return accept && accept->syntax ? accept->syntax->span : machine_span(machine);
}

static uint32_t event_instance(const struct event *event) {
  switch ((enum event_kind)(event->order >> 32)) {
  case EVENT_RELEASE:
  case EVENT_TOKEN: return (uint32_t)event->order;
  case EVENT_SHARE:
  case EVENT_PROCESS:
  case EVENT_RULE:
  case EVENT_RETRY: return ((const struct process *)event->subject)->instance;
  }
  return 0;
}

static void event_happen(struct machine *machine, const struct event *event) {
  struct process *process = event->subject;
  now_set(machine, event->time);
  switch ((enum event_kind)(event->order >> 32)) {
  case EVENT_RELEASE: facility_released(machine, event->subject, event->time); break;
  case EVENT_SHARE:
    if (process->generation == event->generation && process->state == PROCESS_SHARE)
      service_happen(machine, process, event->time);
    break;
  case EVENT_TOKEN: inbox_try(machine, event->subject, event->time); break;
  case EVENT_PROCESS:
  case EVENT_RULE:
    if (process->generation == event->generation && process->state == PROCESS_QUEUED) process_run(machine, process);
    break;
  case EVENT_RETRY:
    if (process->generation == event->generation && process->state == PROCESS_EVALUATOR) {
      process_wait_until(machine, process, event->time);
      process->ordered = true;
      process_run(machine, process);
    }
    break;
  }
}

/* The one that has become ready last. */
static struct process *ready_take(struct machine *machine) {
  struct process *process = machine->ready[--machine->ready_count];
  if (CAUSALITY_TESTED) {
    struct process **other = &machine->ready[machine->ready_count - shuffled(machine, machine->ready_count + 1)];
    struct process *last = process;
    process = *other;
    *other = last;
  }
  return process;
}

static bool stands_still(struct standstill *standstill, double time, uint64_t most) {
  standstill_count(standstill, time);
  return standstill->count > most;
}

/* One that may run ahead of the others. */
static void run_ready(struct machine *machine, uint64_t most) {
  struct process *process = ready_take(machine);
  if (stands_still(&machine->ahead_still, process->clock, most))
    livelock(machine, most, "events", process->instance, process->clock, process_span(process));
  else
    process_run(machine, process);
}

static void run_event(struct machine *machine, struct standstill *standstill, uint64_t most) {
  struct event event = event_pop(machine);
  if (machine->options->max_time > 0 && event.time > machine->options->max_time) limits_look(machine, event.time);
  if (event.time > CLOCK_MOST) clock_passed(machine, event.time, event_span(machine, &event));
  if (event.time >= machine->steady_at) {
    now_set(machine, event.time);
    steady_look(machine);
  }
  if (stands_still(standstill, event.time, most))
    livelock(machine, most, "events", event_instance(&event), event.time, event_span(machine, &event));
  if (!machine_stopped(machine)) event_happen(machine, &event);
}

void schedule(struct machine *machine) {
  struct standstill standstill = {-1, 0};
  uint64_t most = events_most(machine);
  while (!machine_stopped(machine)) {
    if ((machine->ticks++ & 1023) == 0 || machine->options->max_firings) limits_look(machine, machine->now);
    if (machine->ready_count > 0) {
      run_ready(machine, most);
    } else if (machine->event_count > 0) {
      machine->ahead_still.time = -1; /* it is events that are counted */
      run_event(machine, &standstill, most);
    } else {
      limits_look(machine, machine->makespan);
      return;
    }
  }
}
