/* The scheduler: processes, the event queue, blocks of memory that are used again, and the loop that
 * runs ready processes ahead and then takes the next event in the order of virtual time. */
#include "interp/execute/host_time.h"
#include "interp/execute/partitions.h"
#include "interp/execute/steady.h"
#include "interp/execute/steps.h"
#include "interp/include/psl.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum event_kind event_kind(const struct event *event) { return (enum event_kind)(event->order >> KIND_SHIFT); }

static const char ordered_here[] = "what is done here depends on what others have done before";

/* In a partition only what begins, ends and waits for the others to catch up is an event: what has no order. With a
 * lookahead evaluators have one there, too, if theirs is that of a partition. */
static void event_look(struct executor *executor, enum event_kind kind, uint32_t instance, const void *subject) {
  const struct process *process = subject;
  const struct facility *facility = subject;
  switch (kind) {
  case EVENT_AHEAD:
  case EVENT_TOKEN: break;
  case EVENT_PROCESS:
    if (process->state == PROCESS_EVALUATOR)
      partition_call_ordered(executor, process);
    else if (!process->begins)
      partition_give_up(executor, process_span(process), ordered_here);
    break;
  case EVENT_RELEASE:
    if (facility->accept || partition_shares(executor, instance))
      partition_give_up(executor, executor_span(executor), ordered_here);
    break;
  case EVENT_ARRIVAL:
  case EVENT_RETRY:
    if (process->state == PROCESS_EVALUATOR && partition_orders(executor) &&
        process->wait->callee->evaluator_function->local)
      break;
    if (process->state == PROCESS_EVALUATOR)
      partition_call_ordered(executor, process);
    else
      partition_give_up(executor, process_span(process), ordered_here);
    break;
  case EVENT_SHARE:
  case EVENT_RULE: partition_give_up(executor, executor_span(executor), ordered_here); break;
  }
}

void event_push_looked(struct executor *executor, double time, enum event_kind kind, struct stamp stamp,
                       uint32_t instance, void *subject, uint32_t generation) {
  event_look(executor, kind, instance, subject);
  event_add(&executor->events, executor->arena, time, event_order(kind, stamp), stamp.step, subject, generation,
            instance);
}

/* Pieces of memory that begin with a line of the cache. */
enum { CACHE_LINE = 64 };
static char *line_begin(char *room) { return room + (CACHE_LINE - (uintptr_t)room % CACHE_LINE) % CACHE_LINE; }
_Static_assert(sizeof(struct process) == 96, "there are as many as ranks");

/* Where there are many, so many at once that they stand alone, and nothing is left over beside them. */
static void processes_grow(struct executor *executor) {
  enum { MANY = 16 };
  uint32_t count = executor->process_chunks < MANY ? 1 : MANY;
  size_t size = (size_t)PROCESSES * executor->process_size;
  char *chunk = line_begin(arena_alloc(executor->arena, count * size + CACHE_LINE));
  executor->slabs.bytes += count * size;
  for (uint32_t k = 0; k < count; k++, chunk += size)
    ARENA_PUSH(executor->arena, executor->processes, executor->process_chunks, executor->chunk_capacity, chunk);
}

/* For all that there is a place for. */
void process_more_make(struct executor *executor) {
  uint32_t capacity = executor->process_chunks << PROCESSES_SHIFT, count = executor->more_capacity;
  if (capacity < 2 * count) capacity = 2 * count;
  struct process_more *grown = ARENA_ARRAY(executor->arena, struct process_more, capacity);
  if (count) memcpy(grown, executor->more, count * sizeof *grown);
  if (count * sizeof *grown > ARENA_LARGE) arena_release(executor->arena, executor->more);
  executor->more = grown;
  executor->more_capacity = capacity;
}

/* For all processes that there is a place for. */
static void stamps_grow(struct executor *executor) {
  uint32_t held = executor->stamp_capacity, capacity = executor->process_chunks << PROCESSES_SHIFT;
  if (capacity < 2 * held) capacity = 2 * held;
  executor->stamps = arena_grow(executor->arena, executor->stamps, held * sizeof *executor->stamps,
                                (size_t)capacity * sizeof *executor->stamps);
  executor->stamp_capacity = capacity;
}

void stamp_keep(struct executor *executor, struct process *process, struct stamp stamp) {
  if (process->id >= executor->stamp_capacity) stamps_grow(executor);
  executor->stamps[process->id] = stamp;
  process->stamp = LONG_STAMP;
}

struct process *process_make(struct executor *executor) {
  uint32_t id = executor->process_count;
  if (id >> PROCESSES_SHIFT == executor->process_chunks) processes_grow(executor);
  if (executor->more && id >= executor->more_capacity) process_more_make(executor);
  if (executor->waits_capacity && id >= executor->waits_capacity) process_waits_grow(executor);
  executor->process_count++;
  struct process *process = process_at(executor, id);
  process->id = id;
  return process;
}

struct process *process_new(struct executor *executor, uint32_t instance, double clock, bool counted) {
  struct process *process = process_take(executor, instance, clock);
  if (counted) process_counts(executor, process);
  return process;
}

struct join *join_make(struct executor *executor, struct process *parent) {
  struct join *join = slab_take(&executor->slabs, sizeof *join);
  const union numbered_join none = {NULL};
  uint32_t number = executor->free_join ? executor->free_join : executor->join_count + !executor->join_count;
  if (executor->free_join) executor->free_join = executor->joins[number].next;
  while (executor->join_count <= number)
    ARENA_PUSH(executor->arena, executor->joins, executor->join_count, executor->join_capacity, none);
  join->number = number;
  join->parent = parent;
  executor->joins[number].join = join;
  return join;
}

void join_free(struct executor *executor, struct join *join) {
  executor->joins[join->number].next = executor->free_join;
  executor->free_join = join->number;
  if (join->results) slab_give(&executor->slabs, join->results, join->count * sizeof(struct kept));
  if (join->children) slab_give(&executor->slabs, join->children, join->count * sizeof(struct process *));
  if (join->parts) slab_give(&executor->slabs, join->parts, join->count * sizeof(struct wait_parts));
  slab_give(&executor->slabs, join, sizeof *join);
}

static uint32_t waits_for(const struct process *process);

/* A join's last child has ended: its parent goes on at the latest end with the list of results. */
static void join_end(struct executor *executor, struct join *join) {
  struct process *parent = join->parent;
  double forked = parent->clock;
  if (executor->partition && partition_begins(executor, parent->frame->body->accept)) {
    partition_joined(executor, waits_for(parent), forked, join->clock);
    parent->clock = join->clock;
  }
  if (executor->causes) causes_tell(executor, parent, join->cause);
  process_wait_until(executor, parent, join->clock);
  process_queued_set(executor, parent, join->queued);
  stamp_set(executor, parent, join->stamp);
  parent->turn_at = join->turn_at;
  parent->in_turn = false;
  if (executor->steady) steady_joined(executor, parent, parent->clock - forked);
  if (join->results) {
    struct kept list = {.value = {.kind = VALUE_NONE}};
    frame_reply_drop(executor, parent->frame);
    if (!kept_list(&executor->keep, join->results, join->count, &list))
      executor_stop(executor, STOP_ERROR, process_span(parent), VALUE_TOO_LARGE);
    frame_answer(parent->frame, list);
  }
  parent->frame->called = true;
  parent->forked = NULL;
  join_free(executor, join);
  process_ready(executor, parent);
}

void process_end(struct executor *executor, struct process *process) {
  struct join *join = join_of(executor, process);
  double queued = process_has_queued(executor, process);
  if (join && join->children) join->children[process_more(executor, process).join_place] = NULL;
  process_over(executor, process);
  if (join) {
    if (process->clock > join->clock || (process->clock == join->clock && queued > join->queued)) join->queued = queued;
    if (process->clock > join->clock && executor->causes)
      join->cause = causes_note(executor, CAUSE_ENDED, process, process->clock, INSTANCE_NONE);
    if (process->clock > join->clock) join->clock = process->clock;
    if (stamp_before(join->stamp, stamp_of(executor, process))) {
      join->stamp = stamp_of(executor, process);
      join->turn_at = process->turn_at;
    }
    join->parent->answered |= process->answered;
    if (--join->remaining == 0) join_end(executor, join);
  }
}

void process_ready(struct executor *executor, struct process *process) {
  happens_later(executor, "a process goes on", process->clock);
  process->state = PROCESS_READY;
  if (executor->causes) causes_goes_on(executor, process);
  ARENA_PUSH(executor->arena, executor->ready, executor->ready_count, executor->ready_capacity, process);
}

void process_wake(struct executor *executor, struct process *process) {
  turn_number(executor, process);
  process_ready(executor, process);
}

void causality_broken(const struct executor *executor, const char *what, double time) {
  fprintf(stderr, "psl: causality is broken: %s at %.17g s, and it is %.17g s\n", what, time, executor->now);
  abort();
}

void turn_follows(struct executor *executor, const struct process *process) {
  struct moment next = {process->clock, stamp_of(executor, process)};
  if (!CAUSALITY_TESTED || executor->partition) return;
  if (!process->answered && moment_before(next, executor->followed))
    causality_broken(executor, "a turn out of order", process->clock);
  if (!process->answered) executor->followed = next;
}

uint32_t shuffled(struct executor *executor, uint32_t count) {
  return executor->shuffle ? (uint32_t)(random_next(executor->shuffle) % count) : 0;
}

void attribute_used(const struct executor *executor, const struct model_component *component, const struct name *folded,
                    double time) {
  for (uint32_t i = 0; CAUSALITY_TESTED && i < component->dynamic_count; i++)
    if (component->dynamic_names[i]->folded == folded) happens_now(executor, "a look at an attribute", time);
}

static void now_set(struct executor *executor, double time) {
  happens_later(executor, "time goes on", time);
  executor->now = time;
}

bool none_before(const struct executor *executor, double time, enum event_kind kind, struct stamp stamp) {
  return event_none_before(&executor->events, time, event_order(kind, stamp), stamp.step);
}

/* Not so beyond a limit, which the next event meets. */
bool time_has_come(struct executor *executor, double time, enum event_kind kind, struct stamp stamp) {
  if (time > executor->time_most || time >= executor->horizon) return false;
  if (executor->ready_count > 0 || executor->narrow || !none_before(executor, time, kind, stamp)) return false;
  now_set(executor, time);
  return true;
}

void turn_take(struct executor *executor, struct process *process) {
  if (CAUSALITY_TESTED && process->clock != executor->now && !executor->partition)
    causality_broken(executor, "a turn", process->clock);
  turn_number(executor, process);
  process->in_turn = true;
}

/* In a partition nothing is done in order but by what begins it. */
static bool partition_queues(struct executor *executor, const struct process *process) {
  bool begins = partition_begins(executor, process->frame->body->accept);
  if (!begins) partition_give_up(executor, process_span(process), ordered_here);
  return !begins;
}

bool process_queued(struct executor *executor, struct process *process) {
  if (executor->partition) return partition_queues(executor, process);
  if (time_has_come(executor, process->clock, EVENT_PROCESS, stamp_of(executor, process))) {
    turn_follows(executor, process);
    turn_take(executor, process);
    return false;
  }
  process->state = PROCESS_QUEUED;
  event_push(executor, process->clock, EVENT_PROCESS, stamp_of(executor, process), process->instance, process,
             process->generation);
  return true;
}

/* Waiting for a server or a rule counts for the component that has it, else for the one whose body calls. */
static uint32_t waits_for(const struct process *process) {
  bool inside = process->frame && !process->frame->admitted;
  return inside || !process->wait ? process->frame->body->component->id : process->wait->component;
}

void process_wait_until(struct executor *executor, struct process *process, double clock) {
  if (!(clock > process->clock)) return;
  wait_count(executor, process, waits_for(process), clock);
}

static inline void wait_add(struct executor *executor, struct process *process, uint32_t component, double clock) {
  time_count(executor, process, component, ACTIVITY_WAIT, counted(executor, process->clock, clock - process->clock));
  if (executor->options->trace) trace_stretch(executor, process, ACTIVITY_WAIT, component, process->clock, clock);
  process->clock = clock;
  process->still = 0;
}

void wait_count(struct executor *executor, struct process *process, uint32_t component, double clock) {
  wait_add(executor, process, component, clock);
}

static bool is_head(const struct executor *executor, const struct process *process) {
  return process->join && join_of(executor, process)->first_of;
}

static struct wait_parts *head_parts(struct executor *executor, const struct process *head) {
  struct join *join = join_of(executor, head);
  if (!join->parts) join->parts = slab_take(&executor->slabs, join->count * sizeof(struct wait_parts));
  return &join->parts[process_more(executor, head).join_place];
}

/* A part of its waiting: by component in `all`, where it has a row there, and its own or a head's. */
static inline __attribute__((always_inline)) void part_count(struct executor *executor, struct process *process,
                                                             struct wait_parts *all, enum activity part,
                                                             double seconds) {
  if (!(seconds > 0)) return;
  if (all) sum_add(&all->time[part - ACTIVITIES], seconds);
  if (process->counted)
    *process_wait_part(executor, process, part) += seconds;
  else if (is_head(executor, process))
    sum_add(&head_parts(executor, process)->time[part - ACTIVITIES], seconds);
}

/* What is no more than rounding of clocks that have come so far. */
static inline double rounding_at(double clock) { return 16 * DBL_EPSILON * clock; }

/* A part of `most` seconds: between none of it and all, from which rounding alone does not keep it. */
static inline double within(double value, double most, double rounding) {
  if (value <= rounding && value < most) return 0;
  return value < most - rounding ? value : most;
}

/* A wait for a message, divided, from `begin` on. */
struct message_wait {
  double begin, late, transfer, queued; /* s */
  enum activity partner;
  uint32_t component;
};

/* The same where not all of it counts, or there is a trace. */
static __attribute__((noinline)) void message_wait_part(struct executor *executor, struct process *process,
                                                        const struct message_wait *w, double clock) {
  struct wait_parts *all = &executor->parts[w->component];
  double begin = w->begin, met = begin + w->late;
  time_count(executor, process, w->component, ACTIVITY_WAIT, counted(executor, begin, clock - begin));
  part_count(executor, process, all, w->partner, counted(executor, begin, w->late));
  part_count(executor, process, all, WAIT_TRANSFER, counted(executor, met, w->transfer));
  part_count(executor, process, all, WAIT_CONTENTION, counted(executor, clock - w->queued, w->queued));
  if (executor->causes) causes_stretch(executor, process, w->partner, begin, clock);
  if (executor->options->trace && process->counted) {
    struct trace *trace = executor->options->trace;
    double came = fmin(met, clock), over = fmax(clock - w->queued, came);
    trace_event(trace, process->id, process->instance, w->partner, w->component, begin, came);
    trace_event(trace, process->id, process->instance, WAIT_TRANSFER, w->component, came, over);
    trace_event(trace, process->id, process->instance, WAIT_CONTENTION, w->component, over, clock);
  }
}

/* A wait for a message: for the partner, then the transfer, at last what contention has added to it. The transfer is
 * what the others leave. */
static void message_waited(struct executor *executor, struct process *process, double clock) {
  const struct division *division = &executor->division;
  double begin = process->clock, wait = clock - begin, rounding = rounding_at(clock);
  double late = within(division->partner - begin, wait, rounding);
  double queued = division->queued == 0 ? 0 : within(division->queued, wait - late, rounding); /* as mostly */
  double transfer = wait - late - queued;
  enum activity partner = WAIT_LATE_SENDER + (enum activity)division->kind;
  uint32_t component = waits_for(process);
  if (executor->all_counts && !executor->options->trace) {
    struct wait_parts *all = &executor->parts[component];
    time_count(executor, process, component, ACTIVITY_WAIT, wait);
    part_count(executor, process, all, partner, late);
    part_count(executor, process, all, WAIT_TRANSFER, transfer);
    part_count(executor, process, all, WAIT_CONTENTION, queued);
  } else {
    struct message_wait divided = {begin, late, transfer, queued, partner, component};
    message_wait_part(executor, process, &divided, clock);
  }
  process->clock = clock;
  process->still = 0;
}

static void part_move(struct sum *contention, struct sum *transfer, double seconds) {
  sum_add(contention, -seconds);
  sum_add(transfer, seconds);
}

static void part_less(struct sum *contention, struct sum *transfer, double seconds) {
  part_move(contention, transfer, fmin(seconds, sum_total(contention)));
}

static void own_less(struct executor *executor, const struct process *process, double seconds) {
  double *contention = process_wait_part(executor, process, WAIT_CONTENTION);
  double less = fmin(seconds, *contention);
  *contention -= less;
  *process_wait_part(executor, process, WAIT_TRANSFER) += less;
}

static struct sum *contention_of(struct wait_parts *parts) { return &parts->time[WAIT_CONTENTION - ACTIVITIES]; }
static struct sum *transfer_of(struct wait_parts *parts) { return &parts->time[WAIT_TRANSFER - ACTIVITIES]; }

struct wait_parts parts_settled(struct wait_parts parts) {
  struct sum *contention = contention_of(&parts);
  if (sum_total(contention) < 0) {
    sum_join(transfer_of(&parts), contention);
    *contention = (struct sum){0, 0};
  }
  return parts;
}

void contention_less(struct executor *executor, struct process *process, double seconds) {
  if (seconds <= rounding_at(process->clock)) return;
  struct wait_parts *all = &executor->parts[waits_for(process)], *head = NULL;
  part_move(contention_of(all), transfer_of(all), seconds); /* what others add to them may come in any order */
  if (is_head(executor, process)) head = head_parts(executor, process);
  if (head)
    part_less(contention_of(head), transfer_of(head), seconds);
  else if (process->counted)
    own_less(executor, process, seconds);
}

void process_queue_until(struct executor *executor, struct process *process, double clock) {
  double waited = clock - process->clock;
  if (!(waited > 0)) return;
  process_more_at(executor, process)->queued += waited;
  uint32_t component = waits_for(process);
  if (!executor->networks[component]) {
    wait_add(executor, process, component, clock);
    return;
  }
  if (process->counted) executor->waits_told |= WAITS_OF_MESSAGES;
  executor->division = (struct division){false, PSL_LATE_SENDER, process->id, process->clock, waited};
  message_waited(executor, process, clock);
}

/* Whose row by component has it that the process was starved or blocked. A head's waits are its process's, which is
 * starved but once where several heads are: those of the head that is done. */
static struct wait_parts *item_parts(struct executor *executor, const struct process *process) {
  return is_head(executor, process) ? NULL : &executor->parts[graph_component(executor->graph, process->instance)->id];
}

void head_waits_count(struct executor *executor, struct process *process, const struct wait_parts *head) {
  struct wait_parts *all = item_parts(executor, process);
  for (int part = ACTIVITIES; part < STRETCHES; part++) /* of messages, by component, it has been counted */
    part_count(executor, process, part >= WAIT_STARVED ? all : NULL, (enum activity)part,
               sum_total(&head->time[part - ACTIVITIES]));
}

/* A wait to get or to put: by component it counts for the one whose process was starved or blocked. For what may come
 * of it, the process has stood in line. */
static void item_waited(struct executor *executor, struct process *process, double clock) {
  enum activity part = executor->division.kind == PSL_WAIT_TO_GET ? WAIT_STARVED : WAIT_BLOCKED;
  uint32_t component = waits_for(process);
  double begin = process->clock, waited = counted(executor, begin, clock - begin);
  time_count(executor, process, component, ACTIVITY_WAIT, waited);
  part_count(executor, process, item_parts(executor, process), part, waited);
  if (executor->options->trace) trace_stretch(executor, process, part, component, begin, clock);
  process_more_at(executor, process)->queued += clock - begin;
  process->clock = clock;
  process->still = 0;
}

/* It was no wait, or not all of it: at its beginning and its end the process was busy. */
static void busy_waited(struct executor *executor, struct process *process, double clock) {
  const struct division *division = &executor->division;
  uint32_t component = waits_for(process);
  double begin = process->clock, rounding = rounding_at(clock);
  double first = begin + within(division->queued, clock - begin, rounding);
  double since = first + within(division->partner - first, clock - first, rounding);
  enum activity activity = frame_activity(process->frame);
  double busy = counted(executor, begin, first - begin) + counted(executor, since, clock - since);
  time_count(executor, process, component, activity, busy);
  time_count(executor, process, component, ACTIVITY_WAIT, counted(executor, first, since - first));
  if (executor->options->trace) {
    trace_stretch(executor, process, activity, component, begin, first);
    trace_stretch(executor, process, ACTIVITY_WAIT, component, first, since);
    trace_stretch(executor, process, activity, component, since, clock);
  }
  process->clock = clock;
  process->still = 0;
}

/* That it is started before it is there, or not, is a matter of who runs ahead. */
static void was_not_there(struct executor *executor, struct process *process, double clock) {
  if (executor->causes) causes_stretch(executor, process, ACTIVITY_WAIT, process->clock, clock);
  process->clock = clock;
  process->still = 0;
}

/* The same of what was no message, or is not known. */
static __attribute__((noinline)) void answer_awaited(struct executor *executor, struct process *process, double clock,
                                                     bool divided) {
  if (!divided)
    process_queue_until(executor, process, clock);
  else if (executor->division.kind == PSL_BUSY)
    busy_waited(executor, process, clock);
  else if (executor->division.kind == PSL_NOT_THERE)
    was_not_there(executor, process, clock);
  else
    item_waited(executor, process, clock);
}

void process_answer_until(struct executor *executor, struct process *process, double clock) {
  bool divided = executor->division.given && executor->division.process == process->id && clock > process->clock;
  executor->division.given = false;
  if (divided && executor->division.kind < PSL_WAIT_TO_GET)
    message_waited(executor, process, clock);
  else if (divided || clock > process->clock)
    answer_awaited(executor, process, clock, divided);
}

struct span process_span(const struct process *process) {
  struct frame *first = process->frame;
  if (!first) return (struct span){0, 0};
  while (frame_parent(first))
    first = frame_parent(first);
  /* a compiled frame that runs has its place in the code not in the frame */
  const struct wait *wait = !first->compiled                           ? &frame_walked(first)->wait
                            : first == process->frame && process->wait ? process->wait
                                                                       : program_wait(first);
  if (wait && wait->outer.end) return wait->outer;
  const struct model_accept *accept = first->body->accept;
  return accept && accept->syntax ? accept->syntax->span : (struct span){0, 0};
}

/* An attribute that the caller's profile lacks is met where it is read; what is to be mended is the caller.
 */
static void lacked_note(struct executor *executor) {
  const struct model_component *caller = executor->lacked;
  if (caller)
    diagnostic_help(executor->model->diagnostics, caller->symbol->span, "give the profile of '%s' this attribute",
                    caller->symbol->name->text);
}

/* The call of the process's first body that led to the expression in hand; none where it stands there itself.
 */
static struct span leading_span(const struct executor *executor) {
  const struct process *process = executor->running;
  if (!process || process->state != PROCESS_RUNNING || !process->frame) return (struct span){0, 0};
  if (frame_parent(process->frame)) return process_span(process);
  return process->frame->compiled ? executor->leading : (struct span){0, 0};
}

/* An expression has failed, with a diagnostic. Where a call led to it that is said, too; and what an evaluator
 * would not have is a matter of that call. */
static void expression_failed(struct executor *executor) {
  struct diagnostics *d = executor->model->diagnostics;
  struct span outer = leading_span(executor), inner = d->current.span;
  if (!d->open || d->current.severity != SEVERITY_ERROR) return;
  if (executor->refused && outer.end) {
    struct text who = {.arena = executor->arena};
    text_put(&who, " (in ");
    graph_instance_print(&who, executor->graph, executor->running->instance);
    text_put(&who, ")");
    diagnostic_move(d, outer, who.data);
    diagnostic_note(d, inner, "called here");
  } else if (outer.end) {
    diagnostic_note(d, outer, "called from here");
  }
  executor->stop_detail = arena_copy(executor->arena, d->current.text, strlen(d->current.text));
  lacked_note(executor);
}

void executor_stop(struct executor *executor, enum stop stop, struct span span, const char *format, ...) {
  if (executor_stopped(executor)) return;
  bool broken_off = stop == STOP_ERROR && interrupted(executor->results->memory);
  executor->stop = broken_off ? STOP_INTERRUPT : stop;
  executor->stop_span = span;
  if (!format) { /* the diagnostic has been given by whoever met the error */
    expression_failed(executor);
    return;
  }
  struct text text = {.arena = executor->arena};
  va_list arguments;
  va_start(arguments, format);
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text_put(&text, line);
  executor->stop_detail = text.data;
  diagnostic_add(executor->model->diagnostics, SEVERITY_ERROR, span, "%s", line);
}

struct span executor_span(const struct executor *executor) {
  struct span span = executor->running ? process_span(executor->running) : (struct span){0, 0};
  return span.end ? span : executor->graph->system->symbol->span;
}

/* Where it was is chance: no place is named. */
static void interrupt(struct executor *executor, double time) {
  uint64_t firings = firings_of(executor);
  struct text text = {.arena = executor->arena};
  quantity_print(&text, &executor->model->types, time, executor->model->types.time->dimension, 4);
  executor_stop(executor, STOP_INTERRUPT, (struct span){0, 0}, "interrupted after %s of virtual time, %llu firing%s",
                text.data, (unsigned long long)firings, firings == 1 ? "" : "s");
}

/* The run has come to the limit, and is made once more: nothing is said yet. */
static bool limit_first(struct executor *executor, enum stop stop) {
  if (executor_stopped(executor)) return false;
  executor->stop = stop;
  if (runs_again(executor)) return true;
  executor->stop = STOP_END;
  return false;
}

double time_left(const struct executor *executor) {
  const struct process *running = executor->running;
  double least = event_count(&executor->events) ? event_first(&executor->events)->time : INFINITY;
  for (uint32_t i = 0; i < executor->ready_count; i++)
    least = fmin(least, executor->ready[i]->clock);
  if (running && running->state == PROCESS_RUNNING) least = fmin(least, running->clock);
  return fmax(least, executor->now);
}

/* An end that the user has stated is no error; of a network in a steady state it is a limit like its own. */
static void time_is_up(struct executor *executor) {
  struct text text = {.arena = executor->arena};
  if (executor_stopped(executor)) return;
  if (executor->steady) {
    steady_time_is_up(executor);
    return;
  }
  text_put(&text, "--max-time ");
  quantity_print(&text, &executor->model->types, executor->options->max_time, executor->model->types.time->dimension,
                 4);
  executor->stop = STOP_MAX_TIME;
  executor->stop_detail = text.data;
}

static void firings_look(struct executor *executor) {
  uint64_t most = executor->options->max_firings;
  if (!most || firings_of(executor) <= most || limit_first(executor, STOP_MAX_FIRINGS)) return;
  executor_stop(executor, STOP_MAX_FIRINGS, executor_span(executor), "more than %llu firings (--max-firings)",
                (unsigned long long)most);
}

static double spent_in(const struct executor *executor, uint32_t component) {
  double time = 0;
  for (int a = 0; a < ACTIVITIES; a++)
    time += sum_total(&executor->spent[ACTIVITIES * component + a]);
  return time;
}

/* The components that have taken the most time, in order. */
static void find_parts(const struct executor *executor, struct psl_run_progress *progress) {
  double all = 0;
  for (uint32_t c = 0; c < executor->model->component_count; c++) {
    double time = spent_in(executor, c);
    size_t at = progress->part_count;
    all += time;
    if (at < PSL_RUN_PARTS) progress->part_count += time > 0;
    if (at == PSL_RUN_PARTS && time > progress->parts[at - 1].share) at--;
    if (at == PSL_RUN_PARTS || !(time > 0)) continue;
    for (; at > 0 && progress->parts[at - 1].share < time; at--)
      progress->parts[at] = progress->parts[at - 1];
    progress->parts[at] = (struct psl_run_part){executor->model->components[c]->symbol->name->text, time};
  }
  for (size_t p = 0; p < progress->part_count; p++)
    progress->parts[p].share /= all;
}

/* One of several partitions does not know how far the others are. */
static void tell_watch(struct executor *executor) {
  const struct run_watch *watch = executor->options->watch;
  if (!watch || !*watch->wanted || executor->partition) return;
  *watch->wanted = 0;
  struct psl_run_progress progress = {.seconds = time_left(executor), .events = executor->events_done};
  find_parts(executor, &progress);
  watch->told(watch->user, &progress);
}

void limits_look(struct executor *executor, double time) {
  const struct run_options *options = executor->options;
  tell_watch(executor);
  if (interrupted(executor->results->memory)) interrupt(executor, time);
  if (executor->steady && !executor_stopped(executor)) steady_limits(executor);
  firings_look(executor);
  if (options->max_time > 0 && time > options->max_time && !limit_first(executor, STOP_MAX_TIME)) time_is_up(executor);
}

/* It waits for the others to catch up. */
static void queue_ahead(struct executor *executor, struct process *process) {
  process->state = PROCESS_QUEUED;
  event_push(executor, process->clock, EVENT_AHEAD, stamp_of(executor, process), process->instance, process,
             process->generation);
}

bool turn_look(struct executor *executor, struct process *process, struct span loop) {
  enum { AHEAD = 1 << 18 }; /* turns after which one that runs ahead lets the others catch up */
  const struct run_options *options = executor->options;
  if (process->still > STILL_LIMIT)
    livelock(executor, STILL_LIMIT, "turns of loops", process->instance, process->clock, loop);
  else if (interrupted(executor->results->memory))
    interrupt(executor, process->clock);
  else
    firings_look(executor);
  if (executor_stopped(executor)) return false;
  tell_watch(executor);
  bool late = options->max_time > 0 && process->clock > options->max_time, full = executor->ahead >= SENT;
  executor->look_at = (executor->turns | (LOOK_TURNS - 1)) + 1;
  if (executor->paced) executor->look_at = executor->turns + LOOK_TURNS;
  bool enough = executor->paced ? executor->turns - executor->gone_at >= AHEAD : executor->turns % AHEAD == 0;
  if (!late && !full && !enough) return true;
  executor->ahead = 0;
  if (has_turn(process)) return true;
  queue_ahead(executor, process);
  return false;
}

static void frame_run(struct executor *executor, struct process *process, struct frame *frame) {
  if (frame->compiled)
    vm_run(executor, process, frame);
  else
    walk(executor, process, frame);
}

/* Apart, since most runs are not profiled. */
static __attribute__((noinline)) void frame_profile(struct executor *executor, struct process *process,
                                                    struct frame *frame) {
  struct host_place *before = host_enter(executor->host_time, frame);
  frame_run(executor, process, frame);
  host_mark(executor->host_time, before);
}

void process_run(struct executor *executor, struct process *process) {
  process->state = PROCESS_RUNNING;
  executor->running = process;
  while (!executor_stopped(executor)) {
    struct frame *frame = process->frame;
    if (!frame->admitted && !frame_admit(executor, process, frame)) break;
    if (executor->host_time)
      frame_profile(executor, process, frame);
    else
      frame_run(executor, process, frame);
    if (process->state != PROCESS_RUNNING) break;
  }
  if (process->state == PROCESS_MOVES) partition_move(executor, process);
  if (!process->doomed) return;
  process_cancel(executor, process, process);
  cancels_done(executor);
}

/* How far it runs ahead depends on what it does itself, not on others. */
static void process_pace(struct executor *executor) {
  executor->ahead = 0;
  executor->gone_at = executor->turns;
  executor->look_at = executor->turns + LOOK_TURNS;
}

/* In its turn, or ahead of the others. */
static void process_go(struct executor *executor, struct process *process) {
  executor->setter = process;
  if (executor->paced) process_pace(executor);
  process_run(executor, process);
}

/* Whose turn it was, in the words of the model: the process, or the accept that tokens or servers are of. */
static struct span event_span(const struct executor *executor, const struct event *event) {
  const struct process *process = event->subject;
  const struct model_accept *accept = NULL;
  switch (event_kind(event)) {
  case EVENT_RELEASE: /* of an accept's servers, or of the instance's clock */
    accept = ((const struct facility *)event->subject)->accept;
    if (!accept) return graph_component(executor->graph, event->instance)->symbol->span;
    break;
  case EVENT_TOKEN: accept = ((const struct inbox *)event->subject)->accept; break;
  case EVENT_RULE: return graph_component(executor->graph, event->instance)->symbol->span;
  case EVENT_AHEAD:
  case EVENT_SHARE:
  case EVENT_PROCESS:
  case EVENT_ARRIVAL:
  case EVENT_RETRY: return process->generation == event->generation ? process_span(process) : executor_span(executor);
  }
  return accept && accept->syntax ? accept->syntax->span : executor_span(executor);
}

/* An evaluator has asked for that, in order. */
static void call_again(struct executor *executor, struct process *process, double time) {
  executor->retried = process;
  executor->retried_since = process->clock;
  process->clock = fmax(process->clock, time);
  process->ordered = true;
  turn_take(executor, process);
  process_go(executor, process);
}

/* What happens may add events: it does not look at this one any more, which then may stand there no longer. */
static void event_happen(struct executor *executor, const struct event *event) {
  void *subject = event->subject;
  struct process *process = subject;
  double time = event->time;
  uint32_t generation = event->generation;
  now_set(executor, time);
  switch (event_kind(event)) {
  case EVENT_RELEASE: facility_released(executor, subject, time, generation); break;
  case EVENT_SHARE:
    if (process->generation == generation && process->state == PROCESS_SHARE)
      service_happen(executor, process, time, false);
    break;
  case EVENT_TOKEN: inbox_due(executor, subject, generation, time); break;
  case EVENT_RULE: rules_test(executor, subject, time); break;
  case EVENT_AHEAD:
  case EVENT_PROCESS:
    if (process->generation != generation) break;
    if (process->state == PROCESS_EVALUATOR) {
      call_again(executor, process, time);
      break;
    }
    if (process->state != PROCESS_QUEUED) process_paused(executor, process, time);
    if (process->state != PROCESS_QUEUED) break;
    if (process->begins) {
      turn_follows(executor, process);
      turn_take(executor, process);
      process->begins = false;
    }
    process_go(executor, process);
    break;
  case EVENT_ARRIVAL:
  case EVENT_RETRY:
    if (process->generation != generation) break;
    if (process->state == PROCESS_SHARE) {
      service_happen(executor, process, time, true);
    } else if (process->state == PROCESS_HOLD) { /* of a head */
      process_paused(executor, process, time);
      turn_take(executor, process);
      process_go(executor, process);
    } else if (process->state == PROCESS_SERVER || process->state == PROCESS_RULE) { /* its patience ends */
      process_wait_until(executor, process, time);
      frame_leave_line(executor, process);
      turn_take(executor, process);
      frame_give_up(executor, process);
      process_go(executor, process);
    } else if (process->state == PROCESS_EVALUATOR) {
      call_again(executor, process, time);
    }
    break;
  }
}

/* The one that has become ready last. */
static struct process *ready_take(struct executor *executor) {
  struct process *process = executor->ready[--executor->ready_count];
  if (CAUSALITY_TESTED) {
    struct process **other = &executor->ready[executor->ready_count - shuffled(executor, executor->ready_count + 1)];
    struct process *last = process;
    process = *other;
    *other = last;
  }
  return process;
}

/* Has virtual time gone on since the last look? What runs ahead of the events may do so in any order: it is asked only
 * while they stand still. */
static void standstill_look(struct executor *executor, struct standstill *still) {
  uint64_t most = events_most(executor), done = executor->ticks + executor->starts;
  const struct process *ready = executor->ready_count ? executor->ready[executor->ready_count - 1] : NULL;
  const struct event *event = !ready && event_count(&executor->events) ? event_first(&executor->events) : NULL;
  double now = event ? event->time : executor->now, ahead = ready ? ready->clock : -1;
  if (now > still->now || ahead > still->ahead)
    *still = (struct standstill){now, ahead, done};
  else if (done - still->since > most && ready)
    livelock(executor, most, "events", ready->instance, ready->clock, process_span(ready));
  else if (done - still->since > most && event)
    livelock(executor, most, "events", event->instance, now, event_span(executor, event));
}

/* One that may run ahead of the others, but not beyond the limit of time. */
static void run_ready(struct executor *executor) {
  struct process *process = ready_take(executor);
  if (process->clock > executor->time_most)
    queue_ahead(executor, process);
  else
    process_go(executor, process);
}

static void run_event(struct executor *executor) {
  const struct event *event = event_take(&executor->events);
  if (event->time > executor->time_most) {
    limits_look(executor, event->time);
    if (event->time > CLOCK_MOST) clock_passed(executor, event->time, event_span(executor, event));
  }
  if (event->time >= executor->steady_at) {
    now_set(executor, event->time);
    steady_look(executor);
  }
  if (!executor_stopped(executor)) event_happen(executor, event);
}

/* Between some turns: what has been sent is published, and what has come is taken. True: look who is ready now. With a
 * lookahead that is done between two windows of time. */
static bool partition_looks(struct executor *executor) {
  if (partition_orders(executor)) {
    double next = event_count(&executor->events) > 0 ? event_first(&executor->events)->time : INFINITY;
    return executor->ready_count == 0 && next >= executor->horizon && partition_window(executor, next);
  }
  bool idle = event_count(&executor->events) == 0 && executor->ready_count == 0;
  if (!idle && !partition_due(executor)) return false;
  partition_publish(executor);
  return partition_receive(executor, idle);
}

/* Where all have begun at one time, most room that this took is given back. */
static void schedule_trim(struct executor *executor) {
  uint32_t count = executor->ready_count, capacity = executor->ready_capacity;
  event_queue_trim(&executor->events, executor->arena);
  if (capacity * sizeof *executor->ready <= ARENA_LARGE || count > capacity / 8 || executor->ready_trimmed) return;
  struct process **ready = ARENA_ARRAY(executor->arena, struct process *, capacity / 8);
  memcpy(ready, executor->ready, count * sizeof *ready);
  arena_release(executor->arena, executor->ready);
  executor->ready = ready;
  executor->ready_capacity = capacity / 8;
  executor->ready_trimmed = true;
}

void schedule(struct executor *executor) {
  struct standstill still = {.now = -1, .ahead = -1};
  while (!executor_stopped(executor) && !executor->narrow) {
    if ((executor->ticks++ & executor->look_mask) == 0) {
      limits_look(executor, executor->now);
      standstill_look(executor, &still);
      schedule_trim(executor);
    }
    if (executor->partition && partition_looks(executor)) continue;
    if (executor->ready_count > 0) {
      run_ready(executor);
    } else if (event_count(&executor->events) > 0) {
      run_event(executor);
    } else {
      limits_look(executor, executor->makespan);
      return;
    }
  }
  if (!executor_stopped(executor)) executor->stop = STOP_NARROW;
}
