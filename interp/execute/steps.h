/* The steps of bodies that have an effect on clocks and in the report, once for both engines: processes that begin and
 * end, firings, holds, calls of evaluators. Inline, since compiled bodies spend their time here. */
#ifndef PSL_STEPS_H
#define PSL_STEPS_H
#include "interp/execute/causality.h"
#include "interp/execute/steady.h"
#include "interp/execute/trace.h"
#include "interp/execute/usage.h"

/* Something is to happen at that time; its stamp is of when it was set off. */
static inline void event_push(struct executor *executor, double time, enum event_kind kind, struct stamp stamp,
                              uint32_t instance, void *subject, uint32_t generation) {
  happens_later(executor, "an event", time);
  if (executor->partition)
    event_push_looked(executor, time, kind, stamp, instance, subject, generation);
  else
    event_add(&executor->events, executor->arena, time, event_order(kind, stamp), stamp.step, subject, generation,
              instance);
}

/* Does what happens at that time count? What ends the run does. */
static inline bool counts(const struct executor *executor, double clock) {
  return clock >= executor->from && clock <= executor->until;
}

/* What counts of a stretch of so many seconds. */
static inline double counted(const struct executor *executor, double begin, double seconds) {
  if (executor->all_counts) return seconds;
  double end = begin + seconds;
  if (begin >= executor->from && end <= executor->until) return seconds;
  double left = fmin(end, executor->until) - fmax(begin, executor->from);
  return left > 0 ? left : 0;
}

/* May a clock be held for so long, until then? */
static inline bool hold_possible(double seconds, double until) { return seconds >= 0 && until <= CLOCK_MOST; }
/* It may not: stops the run. False. */
bool hold_refused(struct executor *executor, double seconds, double until, struct span span);

/* An accept of the component fires at that time. */
static inline void fire(struct executor *executor, uint32_t component, double clock) {
  executor->fired[component]++;
  if (executor->all_counts) return;
  executor->uncounted[component] += !counts(executor, clock);
  executor->fired_late += clock > executor->time_most;
}

/* It was to fire then, and does not. */
static inline void unfire(struct executor *executor, uint32_t component, double clock) {
  executor->fired[component]--;
  if (executor->all_counts) return;
  executor->uncounted[component] -= !counts(executor, clock);
  executor->fired_late -= clock > executor->time_most;
}

/* Time that a body of the component spends behind the warm-up counts for it, and for the process. */
static inline void time_count(struct executor *executor, struct process *process, uint32_t component,
                              enum activity activity, double seconds) {
  sum_add(&executor->spent[ACTIVITIES * component + activity], seconds);
  if (process) process->share[activity] += seconds;
}

/* A stretch of the process's time, for the trace, where it has a row there, and for the record of causes. */
void trace_stretch(struct executor *executor, const struct process *process, enum activity activity, uint32_t component,
                   double begin, double end);

/* A hold from `begin` to `end` counts for the component whose body holds, and for the process: in its row and in the
 * trace. `process` NULL: one that has been put in line, which has neither. */
static inline void hold_count(struct executor *executor, struct process *process, uint32_t component,
                              enum activity activity, double seconds, double begin, double end) {
  executor->events_done++;
  time_count(executor, process, component, activity, counted(executor, begin, seconds));
  if (!process) return;
  if (end > begin) process->still = 0;
  if (executor->options->trace) trace_stretch(executor, process, activity, component, begin, end);
}

/* Holds on the clock; false: the run has been stopped. */
static inline bool hold(struct executor *executor, struct process *process, uint32_t component, enum activity activity,
                        double seconds, struct span span, double *clock) {
  double until = *clock + seconds;
  if (!hold_possible(seconds, until)) return hold_refused(executor, seconds, until, span);
  hold_count(executor, process, component, activity, seconds, *clock, until);
  *clock = until;
  return true;
}

struct process *process_make(struct executor *executor); /* where none is at hand: nothing is set but its number */

/* In two parts: compilers do so few bytes without a loop. */
static inline void process_clear(const struct executor *executor, struct process *process) {
  enum { PART = 64 };
  memset(process, 0, PART);
  memset((char *)process + PART, 0, sizeof *process - PART);
  if (executor->process_size > sizeof *process) *process->response = 0;
}

/* A process without a frame, and without a row. */
static inline struct process *process_take(struct executor *executor, uint32_t instance, double clock) {
  struct process *process = executor->free_process;
  if (process) {
    executor->free_process = process->next;
    if (process->counted) process_settle(executor, process);
    uint32_t id = process->id, generation = process->generation;
    process_clear(executor, process);
    process->id = id;
    process->generation = generation;
    if (executor->more) executor->more[id] = (struct process_more){0};
  } else {
    process = process_make(executor);
  }
  process->instance = instance;
  process->clock = clock;
  return process;
}

/* Its end, where nobody waits for it. */
static inline void process_over(struct executor *executor, struct process *process) {
  if (executor->steady && customer_of(executor, process)) steady_end(executor, process);
  if (process->clock > executor->makespan) executor->makespan = process->clock;
  if (process->counted) process_row_end(executor, process);
  process->state = PROCESS_FREE;
  process->generation++;
  process->frame = NULL;
  if (!process->keep) process_reuse(executor, process);
}

/* The frame of a program that has been tried, for a process that is new; its registers are the caller's to set. */
static inline struct frame *frame_start(struct executor *executor, struct process *process, struct body *body,
                                        uint32_t caller_instance, struct model_accept *caller_accept) {
  bool apart = !called_alike(body, NULL, caller_instance, caller_accept);
  struct frame *frame =
      frame_take(&executor->slabs, body->compiled_size + (apart ? (uint32_t)sizeof(struct called) : 0), NULL);
  *frame = (struct frame){.body = body,
                          .instance = process->instance,
                          .compiled = true,
                          .communicates = body->communicates,
                          .admitted = body->admitted,
                          .ordered = body->shared,
                          .apart = apart};
  if (apart) *called_apart(frame) = (struct called){.accept = caller_accept, .instance = caller_instance};
  process->frame = frame;
  fire(executor, body->component->id, process->clock);
  if (body_visits(body)) frame_visit(frame)->entered = frame_visit(frame)->began = process->clock;
  return frame;
}

/* What a call tells an evaluator; `memory`: what it has left of this call before. */
static inline struct psl_call *call_prepare(struct executor *executor, const struct process *process, uint32_t instance,
                                            double clock, bool ordered, void *memory,
                                            const union psl_argument *arguments) {
  struct psl_call *call = &executor->call;
  if (ordered) happens_now(executor, "a call of an evaluator", clock);
  call->process = process->id;
  call->instance = instance;
  call->clock = clock;
  if (executor->more) call->queued = executor->more[process->id].queued; /* else it always is 0 */
  call->ordered = ordered;
  call->memory = memory;
  call->arguments = arguments;
  return call;
}

/* The process waits in its call; or it has been resumed there, and what that has left is no more. */
static inline void process_blocked(struct executor *executor, struct process *process) {
  process->memory = process->state == PROCESS_EVALUATOR ? executor->call.memory : NULL;
  executor->division.given = false;
}

/* Calls a function that takes no task graph. */
static inline enum psl_status call_make(const struct psl_evaluator_function *function, void *state,
                                        struct psl_call *call) {
  if (function->kind != PSL_PURE) return function->call(state, call);
  return function->pure(call->arguments, &call->result, call->error) ? PSL_DONE : PSL_FAILED;
}

/* For the trace, where there is one (call_trace.c). Is the call one of a runtime by who does not communicate? block: by
 * a coercion of transactions. */
bool call_is_traced(struct executor *executor, bool communicates, const struct model_accept *accept, bool block);
/* The process has pushed a frame, for a requester who communicates or not. */
void call_trace_begin(struct executor *executor, struct process *process, bool communicates,
                      const struct value *arguments);
/* Of a frame that is traced: its answer, or its end without one. */
void call_trace_result(struct executor *executor, struct process *process, struct value result);
void call_trace_end(struct executor *executor, struct process *process);
#endif
