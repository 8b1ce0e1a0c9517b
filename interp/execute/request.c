/* Requests while a model runs: their arguments and targets, calls, forks, and the coercions on the way. */
#include "interp/execute/causality.h"
#include <math.h>
#include <string.h>

enum { CALLS_DEEP = 1000000 };

bool machine_attribute(struct environment *environment, const struct symbol *attribute, struct span span,
                       struct value *out, bool *lacks) {
  struct machine *machine = environment->user;
  uint32_t instance = machine->attribute_target.instance;
  struct model_accept *accept = machine->model->accepts[machine->attribute_target.accept];
  if (attribute->side == OF_CALLER) {
    const struct frame *frame = machine->attribute_frame;
    instance = frame ? frame->caller_instance : INSTANCE_NONE;
    accept = frame ? frame->caller_accept : NULL;
  }
  if (accept) attribute_used(machine, accept->component, attribute->name->folded, machine->running->clock);
  if (accept && graph_attribute(machine->graph, accept, instance, attribute->name->folded,
                                kept_values(instance_dynamics(machine, instance)), out))
    return true;
  (void)span; /* evaluate says what is missing, there */
  *lacks = true;
  machine->lacked = accept ? accept->component : NULL;
  return false;
}

bool conversion_apply(struct machine *machine, struct requester who, const struct conversion *conversion,
                      struct target target, struct span span, struct value value, struct value *out) {
  struct environment environment = machine_environment(machine, NULL);
  environment.analysis = who.analysis;
  environment.random = instance_random(machine, who.instance);
  machine->attribute_target = target;
  for (uint32_t i = 0; i < conversion->count; i++) {
    struct model_coercion *step = conversion->steps[i];
    if (!value_as(&environment, span, step->from, value, environment.locals) ||
        !evaluate_as(&environment, step->value, step->to, &value)) {
      machine_stop(machine, STOP_ERROR, step->decl->span, NULL);
      return false;
    }
  }
  if (value_as(&environment, span, conversion->to, value, out)) return true;
  machine_stop(machine, STOP_ERROR, span, NULL);
  return false;
}

bool argument_allowed(struct machine *machine, struct model_parameter *parameter, struct span span,
                      struct value value) {
  struct environment environment = machine_environment(machine, NULL);
  if (value_allowed(&environment, &parameter->allowed, parameter->name, parameter->type, span, value)) return true;
  machine_stop(machine, STOP_ERROR, span, NULL);
  return false;
}

bool arguments_apply(struct machine *machine, struct requester who, const struct conversion *params,
                     const struct model_transaction *transaction, struct target target, struct expr *const *given,
                     const struct value *arguments, const struct value **out) {
  uint32_t count = transaction->param_count;
  struct value *converted = params ? ARENA_ARRAY(&machine->scratch, struct value, count + 1) : NULL;
  *out = params ? converted : arguments;
  for (uint32_t k = 0; k < count && (params || transaction->ranged); k++) {
    if (params) converted[k] = arguments[k];
    if (!given[k]) continue;
    if (params && params[k].to &&
        !conversion_apply(machine, who, &params[k], target, given[k]->span, arguments[k], &converted[k]))
      return false;
    if (transaction->ranged && !argument_allowed(machine, &transaction->params[k], given[k]->span, (*out)[k]))
      return false;
  }
  return true;
}

static size_t pending_size(const struct model_transaction *transaction, uint32_t targets) {
  return sizeof(struct pending) + (transaction->param_count + 1) * sizeof(struct value) +
         targets * sizeof(struct target);
}

static struct pending *pending_new(struct machine *machine, struct model_request *request,
                                   struct model_transaction *transaction, uint32_t targets) {
  size_t size = pending_size(transaction, targets);
  struct pending *pending = slab_take(&machine->slabs, size);
  pending->request = request;
  pending->transaction = transaction;
  pending->capacity = targets;
  pending->targets = (struct target *)(void *)(pending->arguments + transaction->param_count + 1);
  return pending;
}

void pending_free(struct machine *machine, struct pending *pending) {
  for (uint32_t i = 0; i < pending->transaction->param_count; i++)
    kept_drop(&machine->keep, &pending->arguments[i]);
  slab_give(&machine->slabs, pending, pending_size(pending->transaction, pending->capacity));
}

static const struct value *dynamics_of(void *user, uint32_t instance) {
  return kept_values(instance_dynamics(user, instance));
}

/* Which accepts' servers `any` chooses among: who goes there is counted from when it sets out. */
static void choices_find(struct machine *machine, const struct model_request *request) {
  const struct binding *binding = &machine->graph->bindings[request->id];
  for (uint32_t i = 0; request->quantifier == TARGET_ANY && i < binding->candidate_count; i++)
    machine->chosen[binding->candidates[i]->id] = !binding->candidates[i]->unlimited;
}

/* Does what the request does depend on what others have done by then, or what others do on it? */
static bool request_ordered(const struct machine *machine, const struct model_request *request) {
  const struct binding *binding = &machine->graph->bindings[request->id];
  if (request->quantifier == TARGET_ANY) return true;
  for (uint32_t i = 0; i < binding->candidate_count; i++) {
    const struct model_accept *candidate = binding->candidates[i];
    const struct adapter *adapter = adapter_of(binding, candidate);
    if (machine->chosen[candidate->id] || (adapter && adapter->late) ||
        (binding->kind == BINDING_LATE && candidate->component->dynamic_count > 0))
      return true;
  }
  return false;
}

void requests_prepare(struct machine *machine) {
  const struct model *model = machine->model;
  machine->ordered = ARENA_ARRAY(machine->arena, bool, model->request_count + 1);
  machine->chosen = ARENA_ARRAY(machine->arena, bool, model->accept_count + 1);
  for (uint32_t i = 0; i < model->request_count; i++)
    choices_find(machine, model->requests[i]);
  for (uint32_t i = 0; i < model->request_count; i++)
    machine->ordered[i] = request_ordered(machine, model->requests[i]);
}

/* Does the request never have more than one process going on at a time? */
static bool request_alone(const struct machine *machine, const struct model_request *request) {
  const struct binding *binding = &machine->graph->bindings[request->id];
  if (binding->kind == BINDING_ABSENT) return true;
  if (request->protocol != PROTOCOL_CALL_RETURN || request->quantifier == TARGET_ANY) return false;
  if (request->quantifier != TARGET_EVERY) return true;
  if (binding->kind != BINDING_EVERY) return false;
  for (uint32_t i = 0; i < machine->graph->instances[request->component->id].count; i++)
    if (binding->starts[i + 1] - binding->starts[i] > 1) return false;
  return true;
}

bool requests_alone(struct machine *machine) {
  const struct model *model = machine->model;
  if (machine->alone != ALONE_UNKNOWN) return machine->alone == ALONE_YES;
  machine->alone = ALONE_YES;
  for (uint32_t c = 0; c < model->component_count; c++) {
    const struct model_component *component = model->components[c];
    if (!machine->graph->instances[c].count) continue;
    for (uint32_t i = 0; i < component->request_count; i++)
      if (!request_alone(machine, component->requests[i])) machine->alone = ALONE_NOT;
  }
  return machine->alone == ALONE_YES;
}

/* Late targets, into `found` (of the scratch arena). */
static bool targets_late(struct machine *machine, struct environment *environment, struct model_request *request,
                         uint32_t instance, struct target **found, uint32_t *count) {
  uint32_t capacity = 16;
  for (;;) {
    *found = ARENA_ARRAY(&machine->scratch, struct target, capacity);
    if (!resolve_late(machine->graph, request, instance, environment, dynamics_of, machine, *found, capacity, count))
      return false;
    if (*count <= capacity) return true;
    capacity = *count;
  }
}

/* Is facility a's clock less than b's? A busy one's is behind a free one's; of equals the one with fewer on
 * their way. */
static bool clock_less(const struct facility *a, const struct facility *b) {
  bool busy_a = !facility_free(a), busy_b = !facility_free(b);
  if (busy_a != busy_b) return busy_b;
  if (!busy_a && a->free_at != b->free_at) return a->free_at < b->free_at;
  return a->expected < b->expected;
}

/* `any`: of the targets, the one with the least clock (the first of equals). */
static void target_choose(struct machine *machine, struct pending *pending) {
  uint32_t best = 0;
  const struct facility *least = NULL;
  for (uint32_t i = 0; i < pending->target_count; i++) {
    const struct facility *facility =
        facility_of(machine, machine->model->accepts[pending->targets[i].accept], pending->targets[i].instance);
    if (!least || clock_less(facility, least)) {
      best = i;
      least = facility;
    }
  }
  pending->targets[0] = pending->targets[best];
  pending->target_count = 1;
}

enum outcome request_targets(struct machine *machine, struct process *process, struct environment *environment,
                             struct model_request *request, uint32_t requester, struct pending **out) {
  const struct binding *binding = &machine->graph->bindings[request->id];
  struct target one, *late = NULL;
  const uint32_t *many = NULL;
  uint32_t first = 0, count;
  *out = NULL;
  if (machine->ordered[request->id]) happens_now(machine, "a request in order", process->clock);
  if (binding->kind == BINDING_LATE) {
    struct value exists = {.kind = VALUE_BOOL, .boolean = true};
    if (request->where && !evaluate(environment, request->where, &exists))
      return machine_stop(machine, STOP_ERROR, request->where->span, NULL), OUTCOME_STOP;
    if (!exists.boolean) return OUTCOME_DONE;
    if (!targets_late(machine, environment, request, requester, &late, &count))
      return machine_stop(machine, STOP_ERROR, request->syntax->span, NULL), OUTCOME_STOP;
  } else {
    count = targets_bound(binding, requester - machine->graph->instances[request->component->id].first, &one, &many,
                          &first);
  }
  if (count == 0 && request->quantifier == TARGET_ANY && binding->kind == BINDING_LATE) {
    process->state = PROCESS_ANY; /* a body may still make a match */
    process->next = machine->any_waiters;
    machine->any_waiters = process;
    return OUTCOME_AGAIN;
  }
  if (count == 0 && (request->quantifier != TARGET_EVERY || request->result->kind == TYPE_VOID)) return OUTCOME_DONE;
  struct pending *pending = pending_new(machine, request, request->transaction, count ? count : 1);
  pending->span = request->syntax->txn.span;
  pending->target_count = count;
  for (uint32_t i = 0; i < count; i++)
    if (late)
      pending->targets[i] = late[i];
    else if (many)
      pending->targets[i] =
          (struct target){many[first + i], binding->accept ? binding->accept->id : binding->accepts[first + i]};
    else
      pending->targets[i] = one;
  if (request->quantifier == TARGET_ANY && count > 1) target_choose(machine, pending);
  *out = pending;
  return OUTCOME_DONE;
}

bool pending_delay(struct machine *machine, struct pending *pending, double seconds) {
  pending->delay = seconds;
  if (seconds >= 0) return true;
  machine_stop(machine, STOP_ERROR, pending->request->delay->span, "a delay must not be negative: it is %g s", seconds);
  return false;
}

bool visits_count(struct machine *machine, const struct model_request *request, uint32_t instance, double visits,
                  int64_t *count) {
  static const double most = 1e15;
  if (!(visits >= 0 && visits <= most)) {
    machine_stop(machine, STOP_ERROR, request->visits->span, "visits must be from 0 to %g: they are %g", most, visits);
    return false;
  }
  double whole = floor(visits);
  *count = (int64_t)whole;
  if (visits > whole) *count += random_uniform(instance_random(machine, instance)) < visits - whole;
  return true;
}

enum outcome request_evaluate(struct machine *machine, struct process *process, struct frame *frame,
                              struct model_request *request, struct value *locals, struct pending **out) {
  enum outcome outcome = request_targets(machine, process, frame_environment(machine, process, frame, locals), request,
                                         frame->instance, out);
  struct pending *pending = *out;
  if (outcome != OUTCOME_DONE || !pending) return outcome;
  struct environment *environment = frame_environment(machine, process, frame, locals);
  struct span span = {0, 0};
  bool fine = true;
  for (uint32_t k = 0; fine && k < request->transaction->param_count; k++) {
    struct value value;
    if (!request->args[k]) continue;
    span = request->args[k]->span;
    fine = evaluate_as(environment, request->args[k],
                       argument_type(machine->model, request->args[k], pending->transaction->params[k].type), &value);
    if (fine) pending->arguments[k] = value_keep(&machine->keep, value);
  }
  struct value delay;
  if (fine && request->delay) {
    span = request->delay->span;
    fine = evaluate_as(environment, request->delay, machine->model->types.time, &delay) &&
           pending_delay(machine, pending, delay.real);
  }
  if (fine) return OUTCOME_DONE;
  machine_stop(machine, STOP_ERROR, span, NULL);
  pending_free(machine, pending);
  *out = NULL;
  return OUTCOME_STOP;
}

struct requester frame_requester(const struct frame *frame) {
  return (struct requester){frame->instance, frame->body->accept ? frame->body->accept : frame->caller_accept,
                            frame->body->component, frame->communicates, frame->body->analysis};
}

enum outcome request_enter(struct machine *machine, struct process *process, struct requester who, uint32_t instance,
                           struct model_accept *accept, struct adapter *adapter, const struct value *arguments,
                           struct span span) {
  struct frame *frame = process->frame;
  if (frame->depth >= CALLS_DEEP) {
    machine_stop(machine, STOP_DEPTH, span, "calls nest too deep: %d of them", CALLS_DEEP);
    return OUTCOME_STOP;
  }
  if (adapter && adapter->transaction) {
    struct body *body = body_of_coercion(machine, adapter->transaction, who);
    frame = frame_push(machine, process, body, who.instance, arguments, who.instance, who.accept, adapter);
    frame->block_target = instance;
  } else {
    frame = frame_push(machine, process, body_of_accept(machine, accept), instance, arguments, who.instance, who.accept,
                       adapter);
  }
  frame->communicates |= who.communicates;
  return OUTCOME_PUSHED;
}

/* The arguments as the target takes them; false after a stop. */
static bool pending_arguments(struct machine *machine, struct requester who, const struct pending *pending,
                              struct target target, const struct adapter *adapter, const struct value **out) {
  const struct model_transaction *theirs = adapter && adapter->transaction
                                               ? adapter->transaction->from_transaction
                                               : machine->model->accepts[target.accept]->transaction;
  return arguments_apply(machine, who, adapter ? adapter->params : NULL, theirs, target, pending->request->args,
                         kept_values(pending->arguments), out);
}

static struct adapter *target_adapter(const struct machine *machine, const struct pending *pending,
                                      struct target target) {
  return adapter_of(&machine->graph->bindings[pending->request->id], machine->model->accepts[target.accept]);
}

static enum outcome call_every(struct machine *machine, struct process *process, struct requester who,
                               struct pending *pending) {
  bool results = pending->request->result->kind != TYPE_VOID;
  struct join *join = slab_take(&machine->slabs, sizeof *join);
  join->parent = process;
  join->clock = process->clock;
  join->count = join->remaining = pending->target_count;
  if (results) join->results = slab_take(&machine->slabs, pending->target_count * sizeof(struct value));
  process->state = PROCESS_JOIN;
  for (uint32_t i = pending->target_count; i-- > 0 && !machine_stopped(machine);) {
    struct target target = pending->targets[i];
    struct model_accept *accept = machine->model->accepts[target.accept];
    struct adapter *adapter = target_adapter(machine, pending, target);
    const struct value *arguments;
    if (!pending_arguments(machine, who, pending, target, adapter, &arguments)) break;
    bool block = adapter && adapter->transaction;
    struct body *body = block ? body_of_coercion(machine, adapter->transaction, who) : body_of_accept(machine, accept);
    struct process *child = process_new(machine, target.instance, process->clock, !body->implementing);
    child->join = join;
    child->customer = process->customer;
    child->join_place = i;
    frame_push(machine, child, body, block ? who.instance : target.instance, arguments, who.instance, who.accept,
               adapter);
    child->frame->block_target = target.instance;
    child->frame->communicates |= who.communicates;
    process_ready(machine, child);
  }
  if (pending->target_count == 0) {
    join->remaining = 1; /* an empty list, at once */
    struct process *nobody = process_new(machine, who.instance, process->clock, false);
    nobody->join = join;
    process_end(machine, nobody);
  }
  return OUTCOME_WAIT;
}

static enum outcome call_one(struct machine *machine, struct process *process, struct requester who,
                             struct pending *pending) {
  struct target target = pending->targets[0];
  struct adapter *adapter = target_adapter(machine, pending, target);
  const struct value *arguments;
  if (!pending_arguments(machine, who, pending, target, adapter, &arguments)) return OUTCOME_STOP;
  return request_enter(machine, process, who, target.instance, machine->model->accepts[target.accept], adapter,
                       arguments, pending->span);
}

static void send_all(struct machine *machine, struct process *process, struct requester who, struct pending *pending) {
  for (uint32_t i = 0; i < pending->target_count && !machine_stopped(machine); i++) {
    struct target target = pending->targets[i];
    const struct value *arguments;
    if (pending_arguments(machine, who, pending, target, target_adapter(machine, pending, target), &arguments))
      token_send(machine, who, pending->request, target, arguments, process->clock + pending->delay);
  }
}

enum outcome request_perform(struct machine *machine, struct process *process, struct requester who,
                             struct pending *pending) {
  enum outcome outcome = OUTCOME_DONE;
  if (process->clock + pending->delay > CLOCK_MOST) {
    clock_passed(machine, process->clock + pending->delay, pending->request->delay->span);
  } else if (pending->request->protocol == PROTOCOL_DATAFLOW) {
    send_all(machine, process, who, pending);
  } else {
    if (pending->delay > 0) process_wait_until(machine, process, process->clock + pending->delay);
    outcome = pending->request->quantifier == TARGET_EVERY ? call_every(machine, process, who, pending)
                                                           : call_one(machine, process, who, pending);
  }
  pending_free(machine, pending);
  return machine_stopped(machine) ? OUTCOME_STOP : outcome;
}

enum outcome block_call(struct machine *machine, struct process *process, struct frame *frame,
                        const struct stmt *stmt) {
  const struct adapted *adapted = adapter_at(frame->adapter, stmt);
  const struct model_transaction *transaction = adapted->accept->transaction;
  const struct expr *call = stmt->assign.value;
  struct target target = {frame->block_target, adapted->accept->id};
  struct environment *environment = frame_environment(machine, process, frame, frame_borrow(machine, frame));
  struct value *given = ARENA_ARRAY(&machine->scratch, struct value, transaction->param_count + 1);
  const struct value *arguments;
  for (uint32_t k = 0; k < call->call.bound_count; k++) {
    struct expr *argument = call->call.bound[k];
    if (argument && !evaluate_as(environment, argument,
                                 argument_type(machine->model, argument, transaction->params[k].type), &given[k])) {
      machine_stop(machine, STOP_ERROR, call->span, NULL);
      return OUTCOME_STOP;
    }
  }
  if (!arguments_apply(machine, frame_requester(frame), adapted->params, transaction, target, call->call.bound, given,
                       &arguments))
    return OUTCOME_STOP;
  frame_push(machine, process, body_of_accept(machine, adapted->accept), frame->block_target, arguments,
             frame->caller_instance, frame->caller_accept, NULL);
  return OUTCOME_PUSHED;
}
