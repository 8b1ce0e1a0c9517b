/* Calls of evaluators: the host's side of interp/include/evaluator.h. */
#include "interp/execute/causality.h"
#include "interp/execute/trace.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct value value_of(const struct type *type, union psl_argument argument) {
  struct value value = {.kind = VALUE_NONE};
  switch (type->kind) {
  case TYPE_INT: value = (struct value){.kind = VALUE_INT, .integer = argument.integer}; break;
  case TYPE_BOOL: value = (struct value){.kind = VALUE_BOOL, .boolean = argument.integer != 0}; break;
  case TYPE_REAL: value = (struct value){.kind = VALUE_REAL, .real = argument.real}; break;
  case TYPE_TERM:
    value = (struct value){.kind = VALUE_TERM, .term = {argument.term.head, argument.term.qualifier}};
    break;
  case TYPE_SIGNAL: value.kind = VALUE_SIGNAL; break;
  default: break; /* psl_argument has no other */
  }
  return value;
}

/* What an evaluator says must be numbers: else the run is stopped. */
static bool are_numbers(struct machine *machine, uint32_t id, const char *what, double a, double b, double c) {
  struct process *process = machine->processes[id];
  if (isfinite(a) && isfinite(b) && isfinite(c)) return true;
  snprintf(machine->call.error, sizeof machine->call.error, "%s is not finite", what);
  evaluator_failed(machine, process, process->wait);
  return false;
}

bool result_refused(struct machine *machine, struct process *process, const struct wait *wait,
                    union psl_argument result) {
  if (wait->callee->type->kind != TYPE_REAL || isfinite(result.real)) return true;
  snprintf(machine->call.error, sizeof machine->call.error, "the result of '%s' is not finite",
           wait->callee->name->text);
  evaluator_failed(machine, process, wait);
  return false;
}

static void answer(struct machine *machine, struct process *process, union psl_argument result) {
  struct frame *frame = process->frame;
  kept_store(&machine->keep, &frame->reply, value_of(process->wait->callee->type, result));
  frame->called = true;
  process->memory = NULL;
}

static void host_resume(struct psl_host *host, uint32_t id, double clock, union psl_argument result) {
  struct machine *machine = (struct machine *)(void *)host;
  struct process *process = machine->processes[id];
  if (process->state != PROCESS_EVALUATOR) return;
  if (!clock_answered(machine, process, process->wait, process->clock, clock) ||
      !evaluator_result(machine, process, process->wait, result))
    return;
  happens_later(machine, "an answer of an evaluator", clock);
  process->generation++; /* a retry that stands in the queue is void */
  process_wait_until(machine, process, clock);
  answer(machine, process, result);
  process_ready(machine, process);
}

static void host_retry(struct psl_host *host, uint32_t id, double clock) {
  struct machine *machine = (struct machine *)(void *)host;
  struct process *process = machine->processes[id];
  if (process->state != PROCESS_EVALUATOR) return;
  if (!clock_answered(machine, process, process->wait, process->clock, clock)) return;
  process->generation++;
  event_push(machine, clock, EVENT_RETRY, process->instance, process, process->generation);
}

static void *host_allocate(struct psl_host *host, size_t size) {
  return arena_alloc(((struct machine *)(void *)host)->arena, size);
}

static void host_warn(struct psl_host *host, const char *text) {
  enum { MOST = 20 };
  struct machine *machine = (struct machine *)(void *)host;
  struct span span = process_span(machine->processes[machine->call.process]);
  for (uint32_t i = 0; i < machine->warned_count; i++)
    if (machine->warned[i].at == span.begin && strcmp(machine->warned[i].text, text) == 0) return;
  if (machine->warned_count >= MOST || machine->environment.range_end != RANGE_MIDDLE) return;
  struct warned warned = {span.begin, arena_copy(machine->arena, text, strlen(text))};
  ARENA_PUSH(machine->arena, machine->warned, machine->warned_count, machine->warned_capacity, warned);
  diagnostic_add(machine->model->diagnostics, SEVERITY_WARNING, span, "%s", text);
}

static void host_message(struct psl_host *host, uint32_t from, uint32_t to, double sent, double received,
                         double bytes) {
  struct machine *machine = (struct machine *)(void *)host;
  if (!are_numbers(machine, from, "a message", sent, received, bytes)) return;
  trace_message(machine->options->trace, machine->processes[from]->instance, machine->processes[to]->instance, sent,
                received, bytes);
}

static void host_element(struct psl_host *host, uint32_t process, const char *kind, const char *name, double begin,
                         double end, double own) {
  struct machine *machine = (struct machine *)(void *)host;
  if (are_numbers(machine, process, "the time of an element", begin, end, own))
    element_end(machine, process, kind, name, begin, end, own);
}

static const char *host_name(struct psl_host *host, uint32_t instance) {
  struct machine *machine = (struct machine *)(void *)host;
  struct text text = {.arena = machine->arena};
  graph_instance_print(&text, machine->graph, instance);
  return text.data;
}

static double host_end(struct psl_host *host) {
  const struct machine *machine = (struct machine *)(void *)host;
  return machine_stopped(machine) ? fmax(machine->makespan, machine->now) : machine->makespan;
}

void evaluators_open(struct machine *machine) {
  machine->host = (struct psl_host){.resume = host_resume,
                                    .retry = host_retry,
                                    .allocate = host_allocate,
                                    .warn = host_warn,
                                    .element = host_element,
                                    .name = host_name,
                                    .end = host_end,
                                    .message = machine->options->trace ? host_message : NULL};
  machine->evaluator_count = machine->model->evaluator_count;
  machine->evaluators = arena_alloc(machine->arena, sizeof *machine->evaluators * (machine->evaluator_count + 1));
  for (uint32_t i = 0; i < machine->evaluator_count; i++)
    machine->evaluators[i].evaluator = machine->model->evaluators[i]->evaluator;
}

void evaluators_close(struct machine *machine) {
  for (uint32_t i = 0; i < machine->evaluator_count; i++)
    if (machine->evaluators[i].opened && machine->evaluators[i].evaluator->close)
      machine->evaluators[i].evaluator->close(machine->evaluators[i].state);
}

uint32_t evaluator_open(struct machine *machine, const struct psl_evaluator *evaluator) {
  uint32_t i = 0;
  while (machine->evaluators[i].evaluator != evaluator)
    i++;
  if (!machine->evaluators[i].opened) {
    machine->evaluators[i].opened = true;
    if (evaluator->open) machine->evaluators[i].state = evaluator->open(&machine->host);
  }
  return i;
}

static enum psl_status call_graph(struct machine *machine, struct process *process, struct frame *frame,
                                  const struct psl_evaluator_function *function, void *state) {
  struct psl_task_graph graph;
  struct psl_graph_result result = {0};
  uint32_t *instances;
  if (!task_graph_build(machine, frame->body->component, frame->instance, process->clock, process->wait->span, &graph,
                        &instances))
    return PSL_BLOCKED; /* stopped: the caller looks */
  machine->call.clock = process->clock;
  enum psl_status status = function->graph(state, &machine->call, &graph, &result);
  if (status == PSL_DONE) task_graph_account(machine, &graph, &result, process->clock, instances);
  return status;
}

static enum psl_status function_call(struct machine *machine, struct process *process, struct frame *frame,
                                     const struct psl_evaluator_function *function, void *state,
                                     const union psl_argument *arguments, bool ordered, uint32_t instance) {
  struct psl_call *call = &machine->call;
  call->host = &machine->host;
  call->process = process->id;
  call->ordered = ordered;
  call->clock = process->clock;
  call->arguments = arguments;
  call->memory = process->memory;
  call->instance = instance;
  if (ordered) happens_now(machine, "a call of an evaluator", process->clock);
  process->state = PROCESS_EVALUATOR;
  process->ordered = false;
  if (function->kind == PSL_PURE) return function->pure(arguments, &call->result, call->error) ? PSL_DONE : PSL_FAILED;
  if (function->kind == PSL_GRAPH) return call_graph(machine, process, frame, function, state);
  return function->call(state, call);
}

void evaluator_failed(struct machine *machine, struct process *process, const struct wait *wait) {
  struct span outer = process_span(process);
  struct text who = {.arena = machine->arena};
  graph_instance_print(&who, machine->graph, process->instance);
  machine_stop(machine, STOP_ERROR, outer, "%s: %s (in %s)", wait->callee->evaluator_of->name, machine->call.error,
               who.data);
  if (outer.begin != wait->span.begin) diagnostic_note(machine->model->diagnostics, wait->span, "called here");
}

enum outcome evaluator_settle(struct machine *machine, struct process *process, struct frame *frame,
                              enum psl_status status, void *state, const union psl_argument *arguments,
                              struct value *result) {
  struct psl_call *call = &machine->call;
  const struct symbol *callee = process->wait->callee;
  uint32_t instance = call->instance; /* of the body, which may be in line in the frame's */
  for (;;) {
    if (machine_stopped(machine)) return OUTCOME_STOP;
    process->memory = call->memory;
    if ((status == PSL_DONE || status == PSL_LATER) &&
        !clock_answered(machine, process, process->wait, process->clock, call->clock))
      return OUTCOME_STOP;
    switch (status) {
    case PSL_DONE:
      process->state = PROCESS_RUNNING;
      process->memory = NULL;
      if (!evaluator_result(machine, process, process->wait, call->result)) return OUTCOME_STOP;
      process_wait_until(machine, process, call->clock);
      *result = value_of(callee->type, call->result);
      return OUTCOME_DONE;
    case PSL_FAILED: evaluator_failed(machine, process, process->wait); return OUTCOME_STOP;
    case PSL_BLOCKED: return OUTCOME_WAIT;
    case PSL_LATER:
      if (!time_has_come(machine, call->clock, EVENT_RETRY, process->instance)) {
        process->generation++;
        event_push(machine, call->clock, EVENT_RETRY, process->instance, process, process->generation);
        return OUTCOME_WAIT;
      }
      process_wait_until(machine, process, call->clock);
      if (++process->still > STILL_LIMIT) {
        livelock(machine, STILL_LIMIT, "calls", process->instance, process->clock, process->wait->span);
        return OUTCOME_STOP;
      }
      status = function_call(machine, process, frame, callee->evaluator_function, state, arguments, true, instance);
    }
  }
}

enum outcome evaluator_invoke(struct machine *machine, struct process *process, struct frame *frame,
                              const union psl_argument *arguments, struct value *result) {
  const struct symbol *callee = process->wait->callee;
  void *state = machine->evaluators[evaluator_open(machine, callee->evaluator_of)].state;
  enum psl_status status = function_call(machine, process, frame, callee->evaluator_function, state, arguments,
                                         process->ordered, frame->instance);
  return evaluator_settle(machine, process, frame, status, state, arguments, result);
}
