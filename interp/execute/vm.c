/* The engine of compiled programs: one loop over register code.
 *
 * A process's clock is a local here; it is put back before anything else looks at it. When a process leaves
 * (it waits, stands in the queue, or a frame is pushed) its saved registers go to its frame and the place in
 * the code with them; an instruction that leaves is executed again when the process comes back, and then
 * finds its answer. */
#include "interp/execute/compiled_function.h"
#include "interp/execute/host_time.h"
#include "interp/execute/steps.h"
#include "interp/execute/pair.h"
#include "interp/execute/turns.h"
#include "interp/execute/usage.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/model/distribution.h"
#include <float.h>
#include <string.h>

union slot slot_of(struct value value) {
  union slot slot = {.integer = 0};
  switch (value.kind) {
  case VALUE_INT: slot.integer = value.integer; break;
  case VALUE_BOOL: slot.integer = value.boolean; break;
  case VALUE_REAL: slot.real = value.real; break;
  case VALUE_TERM: slot.term = value.term; break;
  default: break; /* registers hold scalars */
  }
  return slot;
}

struct value value_of_slot(enum type_kind kind, union slot slot) {
  switch (kind) {
  case TYPE_INT: return (struct value){.kind = VALUE_INT, .integer = slot.integer};
  case TYPE_BOOL: return (struct value){.kind = VALUE_BOOL, .boolean = slot.integer != 0};
  case TYPE_REAL: return (struct value){.kind = VALUE_REAL, .real = slot.real};
  case TYPE_TERM: return (struct value){.kind = VALUE_TERM, .term = slot.term};
  default: break; /* registers hold scalars */
  }
  return (struct value){.kind = VALUE_SIGNAL};
}

uint32_t program_frame_size(const struct program *program) {
  size_t apart = program->saved > program->inside ? sizeof(union slot *) : 0;
  return (uint32_t)(sizeof(struct frame) + program->inside * sizeof(union slot) + apart);
}

const struct wait *program_wait(const struct frame *frame) {
  const struct instruction *at = &frame->body->program->code[frame->at];
  return at->op == DO_NATIVE || at->op == DO_REQUEST || at->op == DO_ENTER || at->op == DO_START || at->op == DO_ACQUIRE
             ? at->site
             : NULL;
}

void program_parameter(struct frame *frame, uint32_t param, struct value value) {
  const struct program *program = frame->body->program;
  if (program->params[param] != UINT16_MAX) frame_registers(frame)[program->params[param]] = slot_of(value);
}

struct value program_argument(struct frame *frame, uint32_t param) {
  uint16_t place = frame->body->program->params[param];
  if (place == UINT16_MAX) return (struct value){.kind = VALUE_SIGNAL};
  return value_of_slot(frame->body->params[param]->type->kind, frame_registers(frame)[place]);
}

/* ---- the walker's help ---- */

static struct environment *site_environment(struct executor *executor, struct process *process,
                                            struct model_component *component, uint32_t instance, struct value *locals,
                                            bool analysis) {
  struct environment *environment = &executor->environment;
  state_used(executor, component, process->clock);
  graph_indices(executor->graph, instance, executor->indices);
  environment->locals = locals;
  environment->indices = executor->indices;
  state_borrow(executor, environment, component, instance);
  environment->clock = process->clock;
  environment->analysis = analysis;
  environment->random = instance_random(executor, instance);
  executor->attribute_called = process->frame ? frame_called(process->frame) : NULL;
  executor->lacked = NULL;
  return environment;
}

bool site_allowed(struct executor *executor, const struct allowed_site *site, union slot slot) {
  struct environment environment = executor_environment(executor, NULL);
  struct value value = value_of_slot(site->type->kind, slot);
  bool fine = value_allowed(&environment, site->allowed, site->name, site->type, site->span, value);
  if (!fine) {
    executor->leading = site->outer;
    executor_stop(executor, STOP_ERROR, site->span, NULL);
  }
  if (executor->scratch.blocks) arena_reset(&executor->scratch);
  return fine;
}

bool site_evaluate(struct executor *executor, struct process *process, struct eval_site *site,
                   const union slot *registers, struct value *out) {
  struct value *locals = ARENA_ARRAY(&executor->scratch, struct value, site->slot_count);
  if (site->stream) site->stream->count = site->before;
  site->stream = NULL;
  for (uint32_t i = 0; i < site->local_count; i++)
    locals[site->locals[i].slot] = value_of_slot(site->locals[i].kind, registers[site->locals[i].reg]);
  struct environment *environment = site_environment(
      executor, process, site->component, (uint32_t)registers[site->instance].integer, locals, site->analysis);
  if (site->caller) {
    executor->site_called.instance = (uint32_t)registers[site->caller_instance].integer;
    executor->site_called.accept = site->caller;
    executor->attribute_called = &executor->site_called;
  }
  if (site->target)
    executor->attribute_target = (struct target){(uint32_t)registers[site->target_instance].integer, site->target->id};
  executor->kept.next = 0;
  environment->kept = site->calls_c ? &executor->kept : NULL;
  bool fine = evaluate_as(environment, site->expr, site->type, out);
  environment->kept = NULL;
  if (!fine) {
    executor->leading = site->outer;
    executor_stop(executor, STOP_ERROR, site->expr->span, NULL);
  }
  if (executor->scratch.blocks) arena_reset(&executor->scratch);
  return fine;
}

/* False: the walker says why. */
static __attribute__((noinline)) bool c_called(struct executor *executor, const struct c_site *site,
                                               const union slot *registers, union slot *out) {
  const struct foreign_parameter *parameters = site->function->signature.parameters;
  union c_item items[FOREIGN_NUMBERS], *result = &executor->kept.results[executor->kept.count];
  for (uint32_t i = 0; i < site->count; i++) {
    enum c_type c = parameters[i].c;
    const union slot *given = &registers[site->arguments[i]];
    if (c_is_real(c) ? !(fabs(given->real) <= DBL_MAX && c_write_real(c, given->real, &items[i]))
                     : !c_write_whole(c, given->integer, &items[i]))
      return false;
  }
  foreign_call_numbers(site->function, items, result);
  executor->kept.count++;
  enum c_type c = site->function->signature.result.c;
  return c_is_real(c) ? c_read_real(c, result, &out->real) : c_read_whole(c, result, &out->integer);
}

/* A request as the walker makes it, from registers. */
static enum outcome site_request(struct executor *executor, struct process *process, const struct request_site *site,
                                 const union slot *registers) {
  uint32_t instance = (uint32_t)registers[site->instance].integer;
  struct model_component *component = executor->model->components[site->wait.component];
  struct value *locals = NULL;
  struct environment *environment = NULL;
  struct pending *pending;
  process->wait = &site->wait;
  executor->leading = site->wait.outer.begin == site->wait.span.begin ? (struct span){0, 0} : site->wait.outer;
  if (executor->graph->bindings[site->request->id].kind == BINDING_LATE || site->request->by) {
    locals = ARENA_ARRAY(&executor->scratch, struct value, executor->model->slot_max + 1);
    for (uint32_t i = 0; i < site->local_count; i++)
      locals[site->locals[i].slot] = value_of_slot(site->locals[i].kind, registers[site->locals[i].reg]);
    environment = site_environment(executor, process, component, instance, locals, site->analysis);
  }
  enum outcome outcome = request_targets(executor, process, environment, site->request, instance, &pending);
  if (executor->scratch.blocks) arena_reset(&executor->scratch);
  if (outcome != OUTCOME_DONE || !pending) return outcome;
  for (uint32_t i = 0; i < site->argument_count; i++)
    kept_store(&executor->keep, &pending->arguments[site->arguments[i].slot],
               value_of_slot(site->arguments[i].kind, registers[site->arguments[i].reg]));
  if (site->has_delay && !pending_delay(executor, pending, registers[site->delay].real)) return OUTCOME_STOP;
  struct requester who = {instance, site->requester, component, communicates_in(process, site->communicates),
                          site->analysis};
  return request_perform(executor, process, who, pending);
}

static void site_arguments(const struct request_site *site, const union slot *registers,
                           struct value arguments[ENTER_ARGUMENTS]) {
  memset(arguments, 0, site->accept->transaction->param_count * sizeof *arguments);
  for (uint32_t i = 0; i < site->argument_count; i++)
    arguments[site->arguments[i].slot] = value_of_slot(site->arguments[i].kind, registers[site->arguments[i].reg]);
}

/* All of them, from registers to those of a compiled body. */
static void arguments_move(const struct request_site *site, const union slot *registers, struct frame *frame) {
  const struct program *program = frame->body->program;
  for (uint32_t k = 0; k < frame->body->param_count; k++)
    if (program->params[k] != UINT16_MAX)
      frame_registers(frame)[program->params[k]] = registers[site->arguments[site->accept->param_of[k]].reg];
}

static struct requester site_requester(const struct executor *executor, const struct process *process,
                                       const struct request_site *site, const union slot *registers) {
  return (struct requester){(uint32_t)registers[site->instance].integer, site->requester,
                            executor->model->components[site->wait.component],
                            communicates_in(process, site->communicates), site->analysis};
}

static inline void site_waits(struct executor *executor, struct process *process, const struct request_site *site) {
  process->wait = &site->wait;
  executor->leading = site->wait.outer.begin == site->wait.span.begin ? (struct span){0, 0} : site->wait.outer;
}

static void defaults_end(struct executor *executor, const struct request_site *site) {
  if (site->argument_count < site->accept->transaction->param_count && executor->scratch.blocks)
    arena_reset(&executor->scratch);
}

/* A request whose one target is known and takes the arguments as they are: a call, */
static void site_enter(struct executor *executor, struct process *process, const struct request_site *site,
                       const union slot *registers) {
  struct value arguments[ENTER_ARGUMENTS];
  site_arguments(site, registers, arguments);
  site_waits(executor, process, site);
  request_enter(executor, process, site_requester(executor, process, site, registers),
                (uint32_t)registers[site->target].integer, site->accept, NULL, arguments,
                site->request->syntax->txn.span);
  defaults_end(executor, site);
}

/* or a process that starts, */
static __attribute__((noinline)) struct process *site_begin(struct executor *executor, struct process *process,
                                                            const struct request_site *site,
                                                            const union slot *registers) {
  struct value arguments[ENTER_ARGUMENTS];
  site_arguments(site, registers, arguments);
  struct process *child = token_begin(executor, site_requester(executor, process, site, registers), site->accept,
                                      (uint32_t)registers[site->target].integer, arguments, process->clock);
  defaults_end(executor, site);
  return child;
}

/* mostly in code that takes all arguments from registers. */
static inline struct process *site_start(struct executor *executor, struct process *process,
                                         const struct request_site *site, const union slot *registers) {
  struct body *body = body_of_accept(executor, site->accept);
  site_waits(executor, process, site);
  if (!body->program || site->argument_count != site->accept->transaction->param_count)
    return site_begin(executor, process, site, registers);
  struct process *child = token_start(executor, (uint32_t)registers[site->instance].integer, site->requester, body,
                                      (uint32_t)registers[site->target].integer, process->clock);
  arguments_move(site, registers, child->frame);
  return child;
}

static __attribute__((noinline)) struct kept *var_find(struct executor *executor, struct record_site *site,
                                                       uint32_t instance) {
  site->var = instance_vars(executor, instance) + site->slot;
  site->of = instance;
  site->run = executor->run;
  return site->var;
}

/* The var that an instruction loads or stores: mostly the one that it did before. Reals are
 * copied without the rest of their value: what is read soon after it was written should be written and read in
 * the same pieces. */
static inline struct kept *var_of(struct executor *executor, struct record_site *site, uint32_t instance) {
  if (site->run == executor->run && site->of == instance) return site->var;
  const struct instance_state *state = &executor->states[site->component->id];
  uint32_t local = instance - executor->graph->instances[site->component->id].first;
  if (!state->vars || !state->live[local]) return var_find(executor, site, instance);
  site->var = state->vars + (size_t)local * site->component->var_count + site->slot;
  site->of = instance;
  site->run = executor->run;
  return site->var;
}

struct kept *site_var(struct executor *executor, struct record_site *site, uint32_t instance) {
  return var_of(executor, site, instance);
}

/* Whose server a body in line takes and gives back: mostly the one that the last call took. */
static inline struct facility *site_facility(struct executor *executor, struct acquire_site *site, uint32_t instance) {
  if (site->run == executor->run && site->of == instance) return site->facility;
  site->facility = facility_of(executor, site->accept, instance);
  site->of = instance;
  site->run = executor->run;
  return site->facility;
}

/* Mostly that of the draw before. */
static inline struct random_stream *stream_of(struct executor *executor, struct draw_site *site, uint32_t instance) {
  if (site->run == executor->run && site->of == instance) return site->stream;
  const struct instance_state *state = &executor->states[site->component->id];
  uint32_t local = instance - executor->graph->instances[site->component->id].first;
  site->stream = state->random && state->random[local] ? state->random[local] : instance_random(executor, instance);
  site->of = instance;
  site->run = executor->run;
  site->streak = site->next = 0;
  site->first = UINT64_C(1) << 63; /* none */
  return site->stream;
}

/* False: there is none. */
static inline bool place_of(const struct place_site *site, const union slot *registers, uint32_t *out) {
  const struct instances *set = site->instances;
  uint32_t place = 0;
  for (uint32_t k = 0; k < site->count; k++) {
    int64_t index = registers[site->indices[k]].integer;
    if (index < set->low[k] || index > set->high[k]) return false;
    place += (uint32_t)(index - set->low[k]) * set->strides[k];
  }
  *out = set->first + place;
  return true;
}

static bool branch_of_site(struct executor *executor, const struct branch_site *site, const union slot *registers,
                           int64_t *out) {
  uint32_t taken;
  for (uint32_t i = 0; i < site->stmt->chances.count; i++)
    site->values[i] = registers[site->chances[i]].real;
  if (!branch_draw(executor, site->stmt, (uint32_t)registers[site->instance].integer, site->values, &taken))
    return false;
  *out = taken;
  return true;
}

/* Another one that follows those before. */
static __attribute__((noinline)) double exponential_follows(struct draw_site *site, uint64_t number) {
  bool ahead = ++site->streak >= DRAWN_AHEAD;
  random_exponentials(site->stream, number, ahead ? DRAWN_AHEAD : 1, site->units);
  site->next = number + (ahead ? DRAWN_AHEAD : 1);
  if (ahead) site->first = number;
  return site->units[0];
}

/* Of mean 1. Where one and the same stream gives many, some are computed ahead: a draw is known by its number. */
static inline double exponential_of(struct draw_site *site, struct random_stream *stream) {
  uint64_t number = stream->count + 1;
  if (number == site->next || number - site->first < DRAWN_AHEAD) {
    stream->count = number;
    return number - site->first < DRAWN_AHEAD ? site->units[number - site->first] : exponential_follows(site, number);
  }
  site->next = number + 1;
  site->streak = 0;
  return random_exponential(stream);
}

/* Where code fails later in the expression, the walker begins with the same numbers. */
static inline void drawn_within(struct eval_site *site, struct random_stream *stream, uint64_t before) {
  if (site->stream) return;
  site->stream = stream;
  site->before = before;
}

static bool draw(struct draw_site *site, const union slot *registers, struct random_stream *stream, double *out) {
  const struct object *distribution = site->distribution;
  if (distribution) {
    *out = distribution->distribution.kind == DISTRIBUTION_EXPONENTIAL
               ? distribution->distribution.scale * exponential_of(site, stream)
               : distribution_draw(distribution, stream);
    return true;
  }
  double arguments[DRAW_ARGUMENTS];
  for (uint32_t i = 0; i < site->count; i++)
    arguments[i] = registers[site->arguments[i]].real;
  return distribution_draw_of(site->kind, arguments, site->count, stream, out);
}

/* A hold for another time than the one before, or that is counted at once. `usual`: its activity in its own body;
 * process NULL: one that has been put in line. */
static __attribute__((noinline)) void hold_anew(struct executor *executor, struct process *process,
                                                struct deferred *deferred, uint32_t component, enum activity usual,
                                                enum activity activity, double seconds, double clock) {
  double until = clock + seconds;
  if (!executor->deferring || activity != usual) {
    hold_count(executor, process, component, activity, seconds, clock, until);
    return;
  }
  deferred_add(executor, deferred, component, activity, seconds);
  if (!process) return;
  process->share[activity] += seconds;
  if (until > clock) process->still = 0;
}

/* Is the process held for the function's value of this, as it was the last time? */
static __attribute__((noinline)) bool pure_hold_renew(const struct executor *executor, struct pure_hold_site *site,
                                                      int64_t of) {
  const struct native_site *pure = site->pure;
  const struct deferred *deferred = &site->hold->deferred;
  site->run = 0;
  if (!pure->known || pure->only->integer != of || !deferred_again(executor, deferred, pure->result.real)) return false;
  site->of = of;
  site->seconds = deferred->seconds;
  site->run = executor->run;
  return true;
}

/* Holds that follow each other, mostly each for as long as the last time. */
static bool hold_all(struct executor *executor, struct process *process, const struct holds_site *site,
                     const union slot *registers, double *clock) {
  struct held *held = site->held, *end = held + site->count;
  double begin = *clock, seconds = 0, until = begin;
  for (; held < end; held++, begin = until) {
    if (held->fires) fire(executor, held->component, begin);
    seconds = registers[held->reg].real;
    until = begin + seconds;
    enum activity activity = activity_in(process, held->activity);
    if (deferred_again(executor, &held->deferred, seconds) && until <= CLOCK_MOST && activity == held->activity) {
      held->deferred.times++;
      process->share[activity] += seconds;
    } else if (hold_possible(seconds, until)) {
      hold_anew(executor, process, &held->deferred, held->component, held->activity, activity, seconds, begin);
    } else {
      break;
    }
  }
  if (begin > *clock) process->still = 0;
  *clock = begin;
  return held == end || hold_refused(executor, seconds, until, site->spans[held - site->held]);
}

bool pure_renew(struct native_site *site) {
  char error[200];
  site->known = false;
  for (uint32_t i = 0; i < site->tested_count; i++)
    if (!isfinite(site->last[site->tested[i]].real)) return false;
  site->known = site->function->pure(site->last, &site->result, error);
  return site->known;
}

bool pure_call(struct native_site *site, const union slot *registers) {
  bool same = site->known;
  for (uint32_t i = 0; i < site->varying_count; i++) {
    int64_t given = registers[site->arguments[site->varying[i]]].integer;
    same &= given == site->last[site->varying[i]].integer;
    site->last[site->varying[i]].integer = given;
  }
  return same || pure_renew(site);
}

/* Mostly they are few: without a call. */
static inline void slots_copy(union slot *to, const union slot *from, uint32_t count) {
  for (; count >= 2 * SLOTS; count -= 2 * SLOTS, to += 2 * SLOTS, from += 2 * SLOTS)
    memcpy(to, from, 2 * SLOTS * sizeof *to);
  if (count) memcpy(to, from, SLOTS * sizeof *to);
}

__attribute__((noinline)) void registers_take(const struct program *program, struct frame *frame, union slot *registers,
                                              uint32_t count) {
  uint32_t inside = count < program->inside ? count : program->inside;
  slots_copy(registers, frame_registers(frame), inside);
  if (count > inside) slots_copy(registers + inside, *frame_apart(program, frame), count - inside);
}

__attribute__((noinline)) void registers_keep(struct executor *executor, const struct program *program,
                                              struct frame *frame, const union slot *registers, uint32_t count) {
  uint32_t inside = count < program->inside ? count : program->inside;
  slots_copy(frame_registers(frame), registers, inside);
  if (count == inside) return;
  union slot **apart = frame_apart(program, frame);
  if (!*apart) *apart = slab_take(&executor->slabs, (program->saved - program->inside) * sizeof **apart);
  slots_copy(*apart, registers + inside, count - inside);
}

/* At its begin it has no more than parameters, which are none of those that are apart. */
static inline void registers_load(const struct program *program, struct frame *frame) {
  uint32_t kept = frame->at ? program->restores[frame->restore].kept : program->inside;
  if (kept > program->inside)
    registers_take(program, frame, program->registers, kept);
  else
    slots_copy(program->registers, frame_registers(frame), kept);
  if (program->instance < program->working) program->registers[program->instance].integer = frame->instance;
}

/* Four at a time: where there are fewer, what follows is not read. */
static inline void arguments_take(const struct native_site *site, const union slot *registers,
                                  union psl_argument taken[EVALUATOR_ARGUMENTS]) {
  for (const uint16_t *from = site->arguments, *end = from + site->count; from < end; from += 4, taken += 4) {
    taken[0].integer = registers[from[0]].integer;
    taken[1].integer = registers[from[1]].integer;
    taken[2].integer = registers[from[2]].integer;
    taken[3].integer = registers[from[3]].integer;
  }
}

static void values_take(const struct native_site *site, const union slot *registers, union psl_argument *taken) {
  for (uint32_t left = site->valued; left; left &= left - 1) {
    uint32_t k = (uint32_t)__builtin_ctz(left);
    taken[k].value = value_given(value_of_slot(site->kinds[k], registers[site->arguments[k]]));
  }
}

/* Without all that a call is told; the result can be held. */
static inline bool quick(const struct executor *executor, const struct native_site *site, const union slot *registers,
                         union slot first, union slot *out) {
  union psl_argument arguments[PSL_QUICK_ARGUMENTS], result;
  arguments[0].integer = first.integer;
  arguments[1].integer = registers[site->arguments[1]].integer; /* where there is one alone, it is not read */
  if (!site->function->quick(executor->evaluators[site->evaluator].state, arguments, &result)) return false;
  out->integer = result.integer;
  return !site->answers_real || (result.integer & INT64_MAX) <= FINITE_BITS;
}

/* It stands in the item of that number, mostly as an int or a double; false: there is none, or it cannot be held. */
static inline bool member(const struct executor *executor, const struct native_site *site, uint64_t number,
                          union slot *out) {
  const struct psl_items *items = executor->evaluators[site->evaluator].state;
  if (number >= items->count) return false;
  const void *at = (const char *)items->first + number * items->size + site->member.at;
  if (site->member.kind == PSL_INT32) return out->integer = *(const int32_t *)at, true;
  if (site->member.kind == PSL_UINT32) return out->integer = *(const uint32_t *)at, true;
  if (site->member.kind == PSL_BOOL) return out->integer = *(const bool *)at, true;
  out->integer = *(const int64_t *)at;
  return site->member.kind == PSL_INT64 || (out->integer & INT64_MAX) <= FINITE_BITS;
}

/* Into those that are constants, which stand there already. */
static inline void arguments_renew(struct native_site *site, const union slot *registers) {
  for (const struct varying *v = site->renewed, *end = v + site->renewed_count; v < end; v++)
    site->given[v->place].integer = registers[v->reg].integer;
}

static enum outcome native(struct executor *executor, struct process *process, struct frame *frame,
                           struct native_site *site, union slot *registers, union slot *out) {
  union psl_argument *arguments = site->given;
  void *state = executor->evaluators[site->evaluator].state;
  arguments_renew(site, registers);
  values_take(site, registers, arguments);
  process->wait = &site->wait;
  process->state = PROCESS_EVALUATOR;
  struct psl_call *call = call_prepare(executor, process, (uint32_t)registers[site->instance].integer, process->clock,
                                       process->ordered, process->memory, arguments);
  process->ordered = false;
  enum psl_status status = call_make(site->function, state, call);
  if (status == PSL_DONE && call->clock == process->clock && !call->ordered && !site->answers_value &&
      (call->result.integer & INT64_MAX) <= FINITE_BITS && !executor_stopped(executor)) {
    process->state = PROCESS_RUNNING;
    out->integer = call->result.integer;
    return OUTCOME_DONE;
  }
  if (status == PSL_BLOCKED && executor->retried != process && !executor_stopped(executor)) {
    process_blocked(executor, process);
    return OUTCOME_WAIT;
  }
  struct value result = {.kind = VALUE_NONE};
  enum outcome outcome = evaluator_settle(executor, process, frame, status, state, arguments, &result);
  *out = slot_of(result);
  return outcome;
}

/* An evaluator's function that never waits, on the clock of a process that is spawned. */
static bool notify(struct executor *executor, struct process *process, const struct native_site *site,
                   const union slot *registers, double *clock, union slot *out) {
  union psl_argument arguments[EVALUATOR_ARGUMENTS];
  arguments_take(site, registers, arguments);
  struct psl_call *call =
      call_prepare(executor, process, (uint32_t)registers[site->instance].integer, *clock, false, NULL, arguments);
  if (call_make(site->function, executor->evaluators[site->evaluator].state, call) != PSL_DONE) {
    evaluator_failed(executor, process, &site->wait);
    return false;
  }
  if (!evaluator_result(executor, process, &site->wait, call->result)) return false;
  if (call->clock != *clock && !clock_answered(executor, process, &site->wait, *clock, call->clock)) return false;
  if (call->clock > *clock) {
    const struct division *said = &executor->division;
    bool there = !said->given || said->process != process->id || said->kind != PSL_NOT_THERE;
    double waited = there ? counted(executor, *clock, call->clock - *clock) : 0;
    time_count(executor, NULL, site->wait.component, ACTIVITY_WAIT, waited);
    executor->division.given = false;
    *clock = call->clock;
  }
  out->integer = call->result.integer;
  return !executor_stopped(executor);
}

static __attribute__((noinline)) void pair_apart(const struct pair_site *site) {
  if (site->place) site->place->apart++;
}

/* Runs the frame till the process leaves; without one, gives where each operation is done. */
static const void *const *loop(struct executor *executor, struct process *process, struct frame *frame) {
  static const void *const labels[] = {
#define OWN(name) [DO_##name] = &&do_##name,
#define OTHER(name)
      OPERATIONS(OWN, OWN, OTHER)
#undef OWN
#undef OTHER
  };
  if (!frame) return labels;
  struct program *program = frame->body->program;
  uint64_t runs = ++program->runs;
  registers_load(program, frame);
  union slot *const r = program->registers;
  const struct instruction *code = program->code, *i = code + (frame->at ? program->restores[frame->restore].place : 0);
  double clock = process->clock;
  enum outcome outcome;
  struct value value;
  uint64_t turns = 0; /* of folds */

#define CODE code
#define TURNS turns
#define INTERRUPTED interrupted(executor->results->memory)
#define LEAVE LEAVE_AT(i)
#define LEAVE_AT(to)                                     \
  do {                                                   \
    uint32_t kept = program->restores[i->c].kept;        \
    if (kept > program->inside)                          \
      registers_keep(executor, program, frame, r, kept); \
    else                                                 \
      slots_copy(frame_registers(frame), r, kept);       \
    frame->at = (uint32_t)((to)-code);                   \
    frame->restore = i->c;                               \
    process->clock = clock;                              \
  } while (0)

#include "interp/execute/operations.inc"
do_CLOCK:
  A.real = clock;
  NEXT;
do_LOAD : {
  state_used(executor, ((const struct record_site *)i->site)->component, clock);
  const struct value *var = &var_of(executor, i->site, (uint32_t)B.integer)->value;
  if (var->kind == VALUE_REAL)
    A.real = var->real;
  else
    A = slot_of(*var);
  NEXT;
}
do_STORE : {
  struct record_site *site = i->site;
  state_used(executor, site->component, clock);
  struct value *var = &var_of(executor, site, (uint32_t)B.integer)->value; /* no object */
  if (site->real) {
    if (site->tested && (C.integer & INT64_MAX) > FINITE_BITS) TO(i[1].whole);
    var->kind = VALUE_REAL;
    var->real = C.real;
  } else {
    *var = value_of_slot(site->type->kind, C);
  }
  i += site->next;
  GO;
}
do_ADD_TO : { /* a LOAD, what is added, and the STORE of that */
  struct record_site *site = i->site;
  state_used(executor, site->component, clock);
  struct value *var = &var_of(executor, site, (uint32_t)B.integer)->value;
  union slot sum = {.real = var->real + C.real};
  if (site->tested && (sum.integer & INT64_MAX) > FINITE_BITS) TO(i[1].whole);
  var->real = sum.real;
  i += site->next;
  GO;
}
do_TURN:
  if (++executor->turns >= executor->look_at || ++process->still > STILL_LIMIT) {
    process->clock = clock;
    if (!turn_look(executor, process, *(const struct span *)i->site)) {
      LEAVE_AT(i + 1);
      return NULL;
    }
  }
  NEXT;
do_CALL:
  if (!function_call(executor->model->compiled, i->site, r, &A)) TO(i[1].whole);
  i += 2;
  GO;
do_MARK:
  host_mark(executor->host_time, i->site);
  NEXT;
do_EVAL:
  process->clock = clock;
  if (!site_evaluate(executor, process, i->site, r, &value)) goto stopped;
  A = slot_of(value);
  NEXT;
do_DRAW : {
  struct draw_site *site = i->site;
  struct random_stream *stream = stream_of(executor, site, (uint32_t)r[site->instance].integer);
  uint64_t before = stream->count;
  double drawn;
  if (draw(site, r, stream, &drawn) && fabs(drawn) <= DBL_MAX) {
    A.real = drawn;
    if (site->within) drawn_within(site->within, stream, before);
    i += 2;
    GO;
  }
  stream->count = before; /* for the walker, who says what is wrong */
  TO(i[1].whole);
}
do_DRAWS:
  ((struct eval_site *)i->site)->stream = NULL;
  NEXT;
do_CALLS_C:
  executor->kept.count = 0;
  NEXT;
do_CALL_C:
  if (!c_called(executor, i->site, r, &A)) TO(i[1].whole);
  i += 2;
  GO;
do_FAIL : {
  struct eval_site *site = i->site;
  process->clock = clock;
  if (site_evaluate(executor, process, site, r, &value))
    executor_stop(executor, STOP_ERROR, site->expr->span, "the value is out of range");
  goto stopped;
}
do_HOLD : {
  struct hold_site *site = i->site;
  double seconds = B.real, until = clock + seconds;
  bool usual = site->deferred.run == executor->run &&
               (!frame->communicates || site->activity == ACTIVITY_COMMUNICATE) && until <= CLOCK_MOST;
  if (usual && (site->deferred.seconds == seconds || seconds >= 0)) {
    if (site->deferred.seconds == seconds)
      site->deferred.times++;
    else
      deferred_other(executor, &site->deferred, seconds);
    if (!site->spawned) {
      process->share[site->activity] += seconds;
      if (until > clock) process->still = 0;
    }
  } else if (!hold_possible(seconds, until)) {
    if (site->tested && !(fabs(seconds) <= DBL_MAX)) TO(i[1].whole);
    hold_refused(executor, seconds, until, site->span);
    goto stopped;
  } else {
    hold_anew(executor, site->spawned ? NULL : process, &site->deferred, site->component, site->activity,
              activity_in(process, site->activity), seconds, clock);
  }
  clock = until;
  TO(site->next);
}
do_PURE_HOLD : {
  struct pure_hold_site *site = i->site;
  if ((site->of == B.integer && site->run == executor->run) || pure_hold_renew(executor, site, B.integer)) {
    double until = clock + site->seconds;
    if (until <= CLOCK_MOST) {
      site->hold->deferred.times++;
      process->share[ACTIVITY_COMMUNICATE] += site->seconds;
      if (until > clock) process->still = 0;
      clock = until;
      TO(site->next);
    }
  }
  struct native_site *pure = site->pure;
  if (pure->only->integer != B.integer || !pure->known) {
    pure->only->integer = B.integer;
    if (!pure_renew(pure)) TO(i[1].whole);
  }
  A.integer = pure->result.integer;
  i += 2;
  GO;
}
do_HOLDS:
  if (!hold_all(executor, process, i->site, r, &clock)) goto stopped;
  NEXT;
do_TURNS:
  clock = turns_make(executor, process, i->site, r, clock);
  NEXT;
do_SHARE : { /* a hold that the facility serves together with others */
  const struct hold_site *site = i->site;
  double seconds = B.real;
  if (!(seconds >= 0 && seconds <= CLOCK_MOST)) goto do_HOLD;
  LEAVE_AT(i + 1 + site->tested);
  service_hold(executor, frame_called(frame)->facility, process, seconds);
  return NULL;
}
do_FIRE:
  fire(executor, (uint32_t)i->whole, clock);
  NEXT;
do_RECORD : {
  const struct record_site *site = i->site;
  record_value(executor, process, site->component, (uint32_t)r[site->instance].integer, clock, site->name, site->type,
               B.real);
  NEXT;
}
do_ALLOWED:
  process->clock = clock;
  if (site_allowed(executor, i->site, B)) NEXT;
  goto stopped;
do_PROFILE : {
  const struct record_site *site = i->site;
  kept_store(&executor->keep, &instance_dynamics(executor, (uint32_t)B.integer)[site->slot],
             value_of_slot(site->type->kind, C));
  process->clock = clock;
  profile_changed(executor, clock);
  NEXT;
}
do_ASSERT : {
  const struct record_site *site = i->site;
  process->clock = clock;
  assertion_failed(executor, process, (uint32_t)B.integer, site->stmt);
  goto stopped;
}
do_ORDER:
  process->clock = clock;
  if (process_in_order(executor, process)) NEXT;
  LEAVE;
  return NULL;
do_QUICK : {
  union slot out;
  if (process->ordered || !quick(executor, i->site, r, C, &out)) goto do_NATIVE;
  if (i->b) A = out;
  NEXT;
}
do_MEMBER : {
  union slot out = {.integer = 0};
  if (process->ordered || !member(executor, i->site, (uint64_t)C.integer, &out)) goto do_NATIVE;
  if (i->b) A = out;
  NEXT;
}
do_PAIR : {
  union slot out;
  process->clock = clock;
  enum paired paired = pair_make(executor, process, i->site, r, &out);
  if (paired == PAIR_APART || paired == PAIR_WAITS) {
    if (executor->host_time) pair_apart(i->site);
    i += PAIR_LENGTH; /* the first call */
    if (paired == PAIR_APART) GO;
    LEAVE;
    return NULL;
  }
  clock = process->clock;
  if (paired == PAIR_STOPPED) goto stopped;
  if (i->b) A = out;
  TO(i[1].whole);
}
do_PAIR_DIRECT : {
  union slot out = {.integer = 0};
  process->clock = clock;
  enum paired paired = C.integer ? pair_direct(executor, process, i->site, r, &out) : PAIR_APART;
  if (paired == PAIR_MADE) {
    clock = process->clock;
    if (i->b) A = out;
    TO(i[1].whole);
  }
  if (paired == PAIR_WAITS) goto ahead_waits;
  if (paired == PAIR_STOPPED) goto ahead_stopped;
  i += AHEAD_LENGTH;
  GO;
}
do_PAIR_HELD : {
  union slot out = {.integer = 0};
  process->clock = clock;
  enum paired paired = C.integer ? pair_held(executor, process, i->site, r, &out) : PAIR_APART;
  if (paired == PAIR_MADE) {
    clock = process->clock;
    if (i->b) A = out;
    TO(i[1].whole);
  }
  if (paired == PAIR_WAITS) goto ahead_waits;
  if (paired == PAIR_STOPPED) goto ahead_stopped;
  i += AHEAD_LENGTH;
  GO;
}
ahead_waits: /* in the first call, where that stands */
  i += PAIR_LENGTH;
  i = (const struct instruction *)(const void *)((const char *)i + i->whole);
  LEAVE;
  return NULL;
ahead_stopped:
  clock = process->clock;
  goto stopped;
do_PAIR_WAITS:
  NEXT;
do_NATIVE:
  process->clock = clock;
  if (frame->called) {
    frame->called = false;
    if (frame->paired) goto paired;
    if (i->b) A = slot_of(frame_reply(frame).value);
    NEXT;
  }
  {
    union slot out;
    outcome = native(executor, process, frame, i->site, r, &out);
    clock = process->clock;
    if (outcome == OUTCOME_DONE) {
      if (i->b) A = out;
      NEXT;
    }
  }
  if (i->op == DO_QUICK || i->op == DO_MEMBER) goto stopped; /* it has failed */
  LEAVE;
  return NULL;
paired: /* it has waited in the first call, and the second has been made as well */
  frame->paired = false;
  i -= PAIR_LENGTH;
  pair_ended(executor, process, i->site);
  if (i->b) A = slot_of(frame_reply(frame).value);
  TO(i[1].whole);
do_NOTIFY : {
  union slot out;
  if (!notify(executor, process, i->site, r, &clock, &out)) goto stopped;
  if (i->b) A = out;
  NEXT;
}
do_PRESENT : {
  const struct target_site *site = i->site;
  uint32_t local = (uint32_t)B.integer - site->first;
  if (!(site->present[local / 8] >> (local % 8) & 1)) TO(i[1].whole);
  i += 2;
  GO;
}
do_VISITS:
  process->clock = clock;
  if (!visits_count(executor, i->site, (uint32_t)C.integer, B.real, &A.integer)) goto stopped;
  NEXT;
do_BRANCH:
  process->clock = clock;
  if (!branch_of_site(executor, i->site, r, &A.integer)) goto stopped;
  NEXT;
do_TARGET : {
  const struct target_site *site = i->site;
  if (i->c == 0) {
    A.integer = site->targets[(uint32_t)B.integer - site->first];
  } else {
    A.integer = instance_index(site->instances, (uint32_t)B.integer, site->count);
  }
  NEXT;
}
do_PLACE : {
  uint32_t instance;
  if (!place_of(i->site, r, &instance)) TO(i[1].whole);
  A.integer = instance;
  i += 2;
  GO;
}
do_REQUEST : {
  const struct request_site *site = i->site;
  if (frame->called) {
    frame->called = false;
    if (i->b) A = slot_of(frame_reply(frame).value);
    NEXT;
  }
  LEAVE;
  outcome = site_request(executor, process, site, r);
  if (outcome != OUTCOME_DONE) return NULL;
  registers_load(program, frame);
  clock = process->clock;
  frame->at++;
  TO_PLACE(program->restores[frame->restore].place);
}
do_ENTER:
  if (frame->called) {
    frame->called = false;
    if (i->b) A = slot_of(frame_reply(frame).value);
    NEXT;
  }
  LEAVE;
  site_enter(executor, process, i->site, r);
  return NULL;
do_START : {
  const struct request_site *site = i->site;
  process->clock = clock;
  struct process *child = site_start(executor, process, site, r);
  if (executor_stopped(executor)) goto stopped;
  if (token_queued(executor, child, site->accept)) NEXT;
  LEAVE;
  token_run(executor, child);
  if (executor_stopped(executor)) return NULL;
  if (program->runs == runs) NEXT; /* nobody else has used the registers */
  runs = program->runs;
  registers_load(program, frame);
  frame->at++;
  TO_PLACE(program->restores[frame->restore].place);
}
do_ACQUIRE : {
  struct acquire_site *site = i->site;
  if (frame->called) {
    frame->called = false;
    NEXT;
  }
  process->clock = clock;
  process->wait = &site->wait;
  if (!process_in_order(executor, process)) {
    LEAVE;
    return NULL;
  }
  struct facility *facility = site_facility(executor, site, (uint32_t)r[site->instance].integer);
  if (executor_stopped(executor)) goto stopped;
  usage_come(executor, facility->usage, clock);
  if (!facility_take(facility)) {
    LEAVE;
    facility_wait(executor, facility, process, 0, true);
    return NULL;
  }
  usage_begin(executor, facility->usage, clock);
  facility->holder = process;
  NEXT;
}
do_RELEASE : {
  struct acquire_site *site = i->site;
  struct facility *facility = site_facility(executor, site, (uint32_t)B.integer);
  if (facility->holder == process) facility->holder = NULL;
  usage_serve(executor, facility->usage, r[site->asked].real, r[site->began].real, clock);
  facility_release(executor, process, facility, clock);
  NEXT;
}
do_SPAWN:
  if (executor->nest >= PASSES_DEEP || shuffled_away(executor)) TO(i->whole);
  executor->nest++;
  executor->spawned_at = clock;
  executor->events_done++;
  executor->starts++;
  A.real = clock;
  NEXT;
do_UNSPAWN:
  executor->nest--;
  executor->spawned_at = -1;
  if (clock > executor->makespan) executor->makespan = clock;
  clock = B.real;
  NEXT;
do_RESUME:
  TO_PLACE(frame->at);
do_END:
  process->clock = clock;
  {
    struct kept result = {{.kind = VALUE_NONE}};
    if (program->has_result) result = value_keep(&executor->keep, value_of_slot(program->result_kind, B));
    if (!frame_finish(executor, process, &result)) LEAVE;
  }
  return NULL;

stopped: /* for good */
  registers_keep(executor, program, frame, r, program->saved);
  frame->at = (uint32_t)(i - code);
  process->clock = clock;
  return NULL;
}

void vm_run(struct executor *executor, struct process *process, struct frame *frame) { loop(executor, process, frame); }

const void *const *vm_labels(void) { return loop(NULL, NULL, NULL); }
