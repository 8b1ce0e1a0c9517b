/* Processes that go on while they wait in a call of an evaluator: see ahead.h. */
#include "interp/execute/ahead.h"
#include <string.h>

static void call_note(struct ahead *ahead, const struct native_site *site, const struct psl_call *call) {
  ahead->calls[(ahead->first + ahead->count++) % AHEAD_MOST] = &site->wait;
  ahead->site = site;
  ahead->memory = call->memory;
  ahead->instance = call->instance;
}

void ahead_begin(struct executor *executor, struct process *process, const struct native_site *site) {
  struct ahead *ahead = process->ahead = slab_take(&executor->slabs, sizeof *ahead);
  ahead->first = ahead->count = 0;
  ahead->waits = false;
  executor->ahead_count++;
  process->state = PROCESS_RUNNING;
  executor->division.given = false;
  call_note(ahead, site, &executor->call);
}

static void ahead_end(struct executor *executor, struct process *process) {
  slab_give(&executor->slabs, process->ahead, sizeof *process->ahead);
  process->ahead = NULL;
  executor->ahead_count--;
}

void ahead_untrue(struct executor *executor) {
  executor->untrue = true;
  executor->stop = STOP_ERROR;
}

bool ahead_astray(const struct executor *executor) {
  return executor->untrue || (executor->stop == STOP_END && executor->ahead_count > 0 && !executor->once);
}

enum ahead_step ahead_call(struct executor *executor, struct process *process, struct native_site *site,
                           const union slot *registers, union slot *out) {
  struct ahead *ahead = process->ahead;
  bool waits = site->function->kind != PSL_EVENT;
  if (!site->goes_on || (waits && (ahead->count == AHEAD_MOST || site->evaluator != ahead->site->evaluator)))
    return AHEAD_WAITS;
  for (const struct varying *v = site->renewed, *end = v + site->renewed_count; v < end; v++)
    site->given[v->place].integer = registers[v->reg].integer;
  struct psl_call *call = call_prepare(executor, process, (uint32_t)registers[site->instance].integer, process->clock,
                                       false, NULL, site->given);
  call->ahead = true;
  enum psl_status status = call_make(site->function, executor->evaluators[site->evaluator].state, call);
  if (status == PSL_LATER) return AHEAD_WAITS;
  if (status != (waits ? PSL_AHEAD : PSL_DONE) || executor_stopped(executor)) return AHEAD_UNTRUE;
  if (waits) {
    call_note(ahead, site, call);
    return AHEAD_GOES_ON;
  }
  out->integer = call->result.integer;
  bool wrong = (out->integer & INT64_MAX) > FINITE_BITS && site->wait.callee->type->kind == TYPE_REAL;
  return wrong ? AHEAD_UNTRUE : AHEAD_GOES_ON;
}

/* Makes the last call again, till it is done. */
static bool last_call(struct executor *executor, struct process *process, struct frame *frame) {
  struct ahead *ahead = process->ahead;
  const struct native_site *site = ahead->site;
  void *state = executor->evaluators[site->evaluator].state;
  process->wait = &site->wait;
  process->state = PROCESS_EVALUATOR;
  struct psl_call *call = call_prepare(executor, process, ahead->instance, process->clock, process->ordered,
                                       process->memory, ahead->arguments);
  process->ordered = false;
  enum psl_status status = call_make(site->function, state, call);
  if (status == PSL_BLOCKED && executor->retried != process && !executor_stopped(executor)) {
    process_blocked(executor, process);
    return false;
  }
  struct value result;
  return evaluator_settle(executor, process, frame, status, state, ahead->arguments, &result) == OUTCOME_DONE;
}

bool ahead_over(struct executor *executor, struct process *process, struct frame *frame) {
  struct ahead *ahead = process->ahead;
  bool over = ahead->waits && frame->called;
  if (!ahead->waits) {
    ahead->waits = true;
    memcpy(ahead->arguments, ahead->site->given, ahead->site->count * sizeof *ahead->arguments);
    process->memory = ahead->memory;
  }
  if (over)
    frame->called = false;
  else
    over = last_call(executor, process, frame);
  if (over) ahead_end(executor, process);
  return over;
}

static void call_passed(struct executor *executor, struct process *process, double clock) {
  struct ahead *ahead = process->ahead;
  process->wait = ahead->calls[ahead->first];
  ahead->first = (ahead->first + 1) % AHEAD_MOST;
  ahead->count--;
  if (clock >= process->clock && clock <= CLOCK_MOST)
    process_queue_until(executor, process, clock);
  else if (!(clock < process->clock))
    clock_answered(executor, process, process->wait, process->clock, clock);
}

void ahead_passed(struct psl_host *host, uint32_t id, const double *clocks, uint32_t count) {
  struct executor *executor = (struct executor *)(void *)host;
  struct process *process = executor->processes[id];
  const struct ahead *ahead = process->ahead;
  const struct wait *last = process->wait;
  if (!ahead) return;
  if (executor->retried == process) process->clock = executor->retried_since;
  executor->division.given = false;
  for (uint32_t k = 0; k < count && ahead->count > 1; k++)
    call_passed(executor, process, clocks[k]);
  if (executor->retried == process) executor->retried_since = process->clock;
  process->wait = last;
}
