/* Requests while a model runs: their arguments and targets, calls, forks, and the coercions on the way. */
#include "grammar/children.h"
#include "interp/execute/causality.h"
#include "interp/execute/partitions.h"
#include "interp/execute/steady.h"
#include "interp/execute/steps.h"
#include <math.h>
#include <string.h>

enum { CALLS_DEEP = 1000000 };

bool executor_attribute(struct environment *environment, const struct symbol *attribute, struct span span,
                        struct value *out, bool *lacks) {
  struct executor *executor = environment->user;
  uint32_t instance = executor->attribute_target.instance;
  struct model_accept *accept = executor->model->accepts[executor->attribute_target.accept];
  if (attribute->side == OF_CALLER) {
    const struct called *called = executor->attribute_called;
    instance = called ? called->instance : INSTANCE_NONE;
    accept = called ? called->accept : NULL;
  }
  if (accept) attribute_used(executor, accept->component, attribute->name->folded, executor->running->clock);
  if (accept && graph_attribute(executor->graph, accept, instance, attribute->name->folded,
                                kept_values(instance_dynamics(executor, instance)), out))
    return true;
  (void)span; /* evaluate says what is missing, there */
  *lacks = true;
  executor->lacked = accept ? accept->component : NULL;
  return false;
}

bool conversion_apply(struct executor *executor, struct requester who, const struct conversion *conversion,
                      struct target target, struct span span, struct value value, struct value *out) {
  struct environment environment = executor_environment(executor, NULL);
  environment.analysis = who.analysis;
  environment.random = instance_random(executor, who.instance);
  executor->attribute_target = target;
  for (uint32_t i = 0; i < conversion->count; i++) {
    struct model_coercion *step = conversion->steps[i];
    if (!value_as(&environment, span, step->from, value, environment.locals) ||
        !evaluate_as(&environment, step->value, step->to, &value)) {
      executor_stop(executor, STOP_ERROR, step->decl->span, NULL);
      return false;
    }
  }
  if (value_as(&environment, span, conversion->to, value, out)) return true;
  executor_stop(executor, STOP_ERROR, span, NULL);
  return false;
}

bool argument_allowed(struct executor *executor, struct model_parameter *parameter, struct span span,
                      struct value value) {
  struct environment environment = executor_environment(executor, NULL);
  if (value_allowed(&environment, &parameter->allowed, parameter->name, parameter->type, span, value)) return true;
  executor_stop(executor, STOP_ERROR, span, NULL);
  return false;
}

bool arguments_apply(struct executor *executor, struct requester who, const struct conversion *params,
                     const struct model_transaction *transaction, struct target target, struct expr *const *given,
                     const struct value *arguments, const struct value **out) {
  uint32_t count = transaction->param_count;
  struct value *converted = params ? ARENA_ARRAY(&executor->scratch, struct value, count + 1) : NULL;
  *out = params ? converted : arguments;
  for (uint32_t k = 0; k < count && (params || transaction->ranged); k++) {
    if (params) converted[k] = arguments[k];
    if (!given[k]) continue;
    if (params && params[k].to &&
        !conversion_apply(executor, who, &params[k], target, given[k]->span, arguments[k], &converted[k]))
      return false;
    if (transaction->ranged && !argument_allowed(executor, &transaction->params[k], given[k]->span, (*out)[k]))
      return false;
  }
  return true;
}

/* What an interaction of several parameters carries is a record of them. */
static bool carried_allowed(struct executor *executor, const struct model_transaction *transaction, struct value value,
                            struct span span) {
  uint32_t count = transaction->param_count;
  for (uint32_t k = 0; k < count && transaction->ranged; k++)
    if (!argument_allowed(executor, &transaction->params[k], span, count > 1 ? value.object->items[k] : value))
      return false;
  return true;
}

static struct span span_in_hand(const struct executor *executor) {
  return process_span(process_at(executor, executor->call.process));
}

static const struct model_protocol *declared_by(const struct executor *executor, const struct psl_carried *carried,
                                                bool accept) {
  return accept ? executor->model->accepts[carried->accept]->declared
                : executor->model->requests[carried->request]->declared;
}

bool carried_given(struct executor *executor, const struct psl_carried *carried, struct value value) {
  const struct model_protocol *by = declared_by(executor, carried, carried->back);
  return carried_allowed(executor, by->transactions[carried->step], value, span_in_hand(executor));
}

bool carried_apply(struct executor *executor, const struct psl_carried *carried, struct value *value) {
  const struct model_request *request = executor->model->requests[carried->request];
  const struct model_accept *accept = executor->model->accepts[carried->accept];
  const struct adapter *adapter = adapter_of(&executor->graph->bindings[request->id], accept);
  const struct conversion *params =
      adapter && adapter->steps ? adapter->steps->params[carried->back][carried->step] : NULL;
  const struct model_transaction *from = declared_by(executor, carried, carried->back)->transactions[carried->step];
  const struct model_transaction *to = declared_by(executor, carried, !carried->back)->transactions[carried->as];
  struct span span = span_in_hand(executor);
  if (!params) return from == to || carried_allowed(executor, to, *value, span);
  uint32_t count = from->param_count;
  struct value given = *value, made = given;
  if (count > 1) made = value_object(&executor->scratch, VALUE_RECORD, count);
  struct requester who = {.instance = carried->from, .accept = request->accept, .component = request->component};
  for (uint32_t k = 0; k < count; k++) {
    struct value *item = count > 1 ? &made.object->items[k] : &made;
    *item = count > 1 ? given.object->items[k] : given;
    if (params[k].to &&
        !conversion_apply(executor, who, &params[k], (struct target){carried->to, accept->id}, span, *item, item))
      return false;
  }
  if (count > 1 && !value_seal(made)) {
    executor_stop(executor, STOP_ERROR, span, VALUE_TOO_LARGE);
    return false;
  }
  *value = made;
  return carried_allowed(executor, to, made, span);
}

static size_t pending_size(const struct model_transaction *transaction, uint32_t targets) {
  return sizeof(struct pending) + (transaction->param_count + 1) * sizeof(struct value) +
         targets * sizeof(struct target);
}

static struct pending *pending_new(struct executor *executor, struct model_request *request,
                                   struct model_transaction *transaction, uint32_t targets) {
  size_t size = pending_size(transaction, targets);
  struct pending *pending = slab_take(&executor->slabs, size);
  pending->request = request;
  pending->patience = -1;
  pending->transaction = transaction;
  pending->capacity = targets;
  pending->targets = (struct target *)(void *)(pending->arguments + transaction->param_count + 1);
  return pending;
}

void pending_free(struct executor *executor, struct pending *pending) {
  for (uint32_t i = 0; i < pending->transaction->param_count; i++)
    kept_drop(&executor->keep, &pending->arguments[i]);
  slab_give(&executor->slabs, pending, pending_size(pending->transaction, pending->capacity));
}

static const struct value *dynamics_of(void *user, uint32_t instance) {
  return kept_values(instance_dynamics(user, instance));
}

/* Has it servers of which one can be freer than another? */
static bool accept_chosen(const struct model_accept *accept) {
  return !accept->unlimited && (accept->servers || accept->protocol == PROTOCOL_DATAFLOW);
}

/* Which accepts' servers `any` chooses among: who goes there is counted from when it sets out. */
static void choices_find(struct executor *executor, const struct model_request *request) {
  const struct binding *binding = &executor->graph->bindings[request->id];
  for (uint32_t i = 0; request->quantifier == TARGET_ANY && !request->by && i < binding->candidate_count; i++)
    executor->chosen[binding->candidates[i]->id] = accept_chosen(binding->candidates[i]);
}

/* Does what the request does depend on what others have done by then, or what others do on it? */
static bool request_ordered(const struct executor *executor, const struct model_request *request) {
  const struct binding *binding = &executor->graph->bindings[request->id];
  if (request->quantifier == TARGET_ANY) return true;
  if (request->quantifier == TARGET_EVERY && request->protocol == PROTOCOL_CALL_RETURN) return true; /* it forks */
  for (uint32_t i = 0; i < binding->candidate_count; i++) {
    const struct model_accept *candidate = binding->candidates[i];
    const struct adapter *adapter = adapter_of(binding, candidate);
    if (executor->chosen[candidate->id] || (adapter && adapter->late) ||
        (binding->kind == BINDING_LATE && candidate->component->dynamic_count > 0))
      return true;
  }
  return false;
}

void requests_prepare(struct executor *executor) {
  const struct model *model = executor->model;
  executor->ordered = ARENA_ARRAY(executor->arena, bool, model->request_count + 1);
  executor->passes = ARENA_ARRAY(executor->arena, uint8_t, model->accept_count + 1);
  executor->ahead_of_all = ARENA_ARRAY(executor->arena, uint8_t, model->accept_count + 1);
  executor->chosen = ARENA_ARRAY(executor->arena, bool, model->accept_count + 1);
  const struct graph *graph = executor->graph;
  for (uint32_t c = 0; c < graph->there_count; c++)
    for (uint32_t i = 0; i < graph->there[c]->component->request_count; i++)
      choices_find(executor, graph->there[c]->component->requests[i]);
  for (uint32_t c = 0; c < graph->there_count; c++) {
    const struct model_component *component = graph->there[c]->component;
    for (uint32_t i = 0; i < component->request_count; i++)
      executor->ordered[component->requests[i]->id] = request_ordered(executor, component->requests[i]);
  }
}

/* Does the request never have more than one process going on at a time? */
static bool request_alone(const struct executor *executor, const struct model_request *request) {
  const struct binding *binding = &executor->graph->bindings[request->id];
  if (binding->kind == BINDING_ABSENT) return true;
  if (request->protocol != PROTOCOL_CALL_RETURN || request->quantifier == TARGET_ANY) return false;
  if (request->quantifier != TARGET_EVERY) return true;
  if (binding->kind != BINDING_EVERY) return false;
  for (uint32_t i = 0; i < executor->graph->instances[request->component->id].count; i++)
    if (binding->starts[i + 1] - binding->starts[i] > 1) return false;
  return true;
}

bool requests_alone(struct executor *executor) {
  const struct model *model = executor->model;
  if (executor->alone != ALONE_UNKNOWN) return executor->alone == ALONE_YES;
  executor->alone = ALONE_YES;
  for (uint32_t c = 0; c < model->component_count; c++) {
    const struct model_component *component = model->components[c];
    if (!executor->graph->instances[c].count) continue;
    for (uint32_t i = 0; i < component->request_count; i++)
      if (!request_alone(executor, component->requests[i])) executor->alone = ALONE_NOT;
    for (uint32_t i = 0; i < component->accept_count; i++)
      if (block_has(component->accepts[i]->body, STMT_FIRST_OF)) executor->alone = ALONE_NOT;
  }
  return executor->alone == ALONE_YES;
}

/* Late targets, into `found` (of the scratch arena). */
static bool targets_late(struct executor *executor, struct environment *environment, struct model_request *request,
                         uint32_t instance, struct target **found, uint32_t *count) {
  uint32_t capacity = 16;
  for (;;) {
    *found = ARENA_ARRAY(&executor->scratch, struct target, capacity);
    if (!resolve_late(executor->graph, request, instance, environment, dynamics_of, executor, *found, capacity, count))
      return false;
    if (*count <= capacity) return true;
    capacity = *count;
  }
}

/* What `any` goes by: how an instance that could be the target stands. */
struct standing {
  bool busy;      /* a firing more would not find a free server */
  double clock;   /* when a server was given back last */
  int64_t excess; /* firings that are there or on their way above the number of servers */
};

static struct standing standing_of(struct executor *executor, struct target target) {
  struct model_accept *accept = executor->model->accepts[target.accept];
  if (!accept_chosen(accept)) return (struct standing){0};
  const struct facility *facility = facility_of(executor, accept, target.instance);
  int64_t excess = facility->busy + facility->expected - facility->servers;
  return (struct standing){excess >= 0, facility->free_at, excess};
}

static bool stands_before(struct standing a, struct standing b) {
  if (a.busy != b.busy) return b.busy;
  if (!a.busy && a.clock != b.clock) return a.clock < b.clock;
  return a.excess < b.excess;
}

/* One that is free, or else the one with the shortest line; the first of equals. */
static uint32_t target_freest(struct executor *executor, const struct pending *pending) {
  uint32_t best = 0;
  struct standing least = standing_of(executor, pending->targets[0]);
  for (uint32_t i = 1; i < pending->target_count; i++) {
    struct standing standing = standing_of(executor, pending->targets[i]);
    if (!stands_before(standing, least)) continue;
    best = i;
    least = standing;
  }
  return best;
}

/* The target with the least of the expression (the first of equals); false after a stop. */
static bool target_least(struct executor *executor, struct environment *environment, const struct pending *pending,
                         uint32_t *best) {
  struct expr *by = pending->request->by;
  struct types *types = &executor->model->types;
  bool whole = by->type->kind == TYPE_INT;
  const struct type *type = whole ? types->integer : type_real(types, type_plain(types, by->type)->dimension);
  struct value least = {.kind = VALUE_NONE};
  for (uint32_t i = 0; i < pending->target_count; i++) {
    struct value value;
    executor->attribute_target = pending->targets[i];
    if (!evaluate_as(environment, by, type, &value)) {
      executor_stop(executor, STOP_ERROR, by->span, NULL);
      return false;
    }
    if (least.kind == VALUE_NONE || (whole ? value.integer < least.integer : value.real < least.real)) {
      least = value;
      *best = i;
    }
  }
  return true;
}

/* `any`: one of the targets. */
static bool target_choose(struct executor *executor, struct environment *environment, struct pending *pending) {
  uint32_t best = 0;
  if (!pending->request->by)
    best = target_freest(executor, pending);
  else if (!target_least(executor, environment, pending, &best))
    return false;
  pending->targets[0] = pending->targets[best];
  pending->target_count = 1;
  return true;
}

enum outcome request_targets(struct executor *executor, struct process *process, struct environment *environment,
                             struct model_request *request, uint32_t requester, struct pending **out) {
  const struct binding *binding = &executor->graph->bindings[request->id];
  struct target one, *late = NULL;
  const uint32_t *many = NULL;
  uint32_t first = 0, count;
  *out = NULL;
  if (executor->ordered[request->id]) happens_now(executor, "a request in order", process->clock);
  if (binding->kind == BINDING_LATE) {
    struct value exists = {.kind = VALUE_BOOL, .boolean = true};
    if (request->where && !evaluate(environment, request->where, &exists))
      return executor_stop(executor, STOP_ERROR, request->where->span, NULL), OUTCOME_STOP;
    if (!exists.boolean) return OUTCOME_DONE;
    if (!targets_late(executor, environment, request, requester, &late, &count))
      return executor_stop(executor, STOP_ERROR, request->syntax->span, NULL), OUTCOME_STOP;
  } else {
    count = targets_bound(binding, requester - executor->graph->instances[request->component->id].first, &one, &many,
                          &first);
  }
  if (count == 0 && request->quantifier == TARGET_ANY && binding->kind == BINDING_LATE) {
    process->state = PROCESS_ANY; /* a body may still make a match */
    process->next = executor->any_waiters;
    executor->any_waiters = process;
    return OUTCOME_AGAIN;
  }
  if (count == 0 && (request->quantifier != TARGET_EVERY || request->result->kind == TYPE_VOID)) return OUTCOME_DONE;
  struct pending *pending = pending_new(executor, request, request->transaction, count ? count : 1);
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
  if (request->quantifier == TARGET_ANY && count > 1 && !target_choose(executor, environment, pending)) {
    pending_free(executor, pending);
    return OUTCOME_STOP;
  }
  *out = pending;
  return OUTCOME_DONE;
}

bool pending_delay(struct executor *executor, struct pending *pending, double seconds) {
  pending->delay = seconds;
  if (seconds >= 0) return true;
  executor_stop(executor, STOP_ERROR, pending->request->delay->span, DELAY_REFUSED, seconds);
  return false;
}

bool visits_count(struct executor *executor, const struct model_request *request, uint32_t instance, double visits,
                  int64_t *count) {
  if (!(visits >= 0 && visits <= VISITS_MOST)) {
    executor_stop(executor, STOP_ERROR, request->visits->span, VISITS_REFUSED, visits);
    return false;
  }
  double whole = floor(visits);
  *count = (int64_t)whole;
  if (visits > whole && instance == INSTANCE_NONE) {
    executor_stop(executor, STOP_ERROR, request->visits->span,
                  "a component that is executed under analysis draws nothing, so its visits are whole: they are %g",
                  visits);
    return false;
  }
  if (visits == whole) return true;
  steady_fraction(executor, executor->running);
  *count += random_uniform(instance_random(executor, instance)) < visits - whole;
  return true;
}

static bool pending_patience(struct executor *executor, struct pending *pending, double seconds) {
  pending->patience = seconds;
  if (seconds >= 0 && isfinite(seconds)) return true;
  executor_stop(executor, STOP_ERROR, pending->request->patience->span, PATIENCE_REFUSED, seconds);
  return false;
}

/* The frame on top, which is the call's, has an end of its patience. */
static void call_be_patient(struct executor *executor, struct process *process, const struct pending *pending,
                            double begin) {
  struct frame *frame = process->frame;
  struct span span = pending->request->patience->span;
  frame->patient = true;
  frame_answer(frame, value_keep(&executor->keep, value_real(pending->patience)));
  if (frame->body->coercion)
    executor_stop(executor, STOP_ERROR, span, "a call that a coercion's block stands for cannot have a patience");
  else if (customer_of(executor, process))
    executor_stop(executor, STOP_ERROR, span, "simulation[queueing] cannot take this: a customer who leaves a line");
  else if (begin + pending->patience > CLOCK_MOST)
    clock_passed(executor, begin + pending->patience, span);
}

enum outcome request_evaluate(struct executor *executor, struct process *process, struct frame *frame,
                              struct model_request *request, struct value *locals, struct pending **out) {
  enum outcome outcome = request_targets(executor, process, frame_environment(executor, frame, locals, process->clock),
                                         request, frame->instance, out);
  struct pending *pending = *out;
  if (outcome != OUTCOME_DONE || !pending) return outcome;
  struct environment *environment = frame_environment(executor, frame, locals, process->clock);
  struct span span = {0, 0};
  bool fine = true;
  for (uint32_t k = 0; fine && k < request->transaction->param_count; k++) {
    struct value value;
    if (!request->args[k]) continue;
    span = request->args[k]->span;
    if (pending->transaction->params[k].condition)
      fine = condition_value(executor, environment, request, k, frame->instance, &value);
    else
      fine = evaluate_as(environment, request->args[k],
                         argument_type(executor->model, request->args[k], given_as(request, k)), &value);
    if (fine) pending->arguments[k] = value_keep(&executor->keep, value);
  }
  struct value delay;
  if (fine && request->delay) {
    span = request->delay->span;
    fine = evaluate_as(environment, request->delay, executor->model->types.time, &delay) &&
           pending_delay(executor, pending, delay.real);
  }
  if (fine && request->patience) {
    span = request->patience->span;
    fine = evaluate_as(environment, request->patience, executor->model->types.time, &delay) &&
           pending_patience(executor, pending, delay.real);
  }
  if (fine) return OUTCOME_DONE;
  executor_stop(executor, STOP_ERROR, span, NULL);
  pending_free(executor, pending);
  *out = NULL;
  return OUTCOME_STOP;
}

struct requester frame_requester(const struct frame *frame) {
  return (struct requester){frame->instance, frame->body->accept ? frame->body->accept : frame_called(frame)->accept,
                            frame->body->component, frame->communicates, frame->body->analysis};
}

enum outcome request_enter(struct executor *executor, struct process *process, struct requester who, uint32_t instance,
                           struct model_accept *accept, struct adapter *adapter, const struct value *arguments,
                           struct span span) {
  struct frame *frame = process->frame;
  if (frame->depth >= CALLS_DEEP) {
    executor_stop(executor, STOP_DEPTH, span, "calls nest too deep: %d of them", CALLS_DEEP);
    return OUTCOME_STOP;
  }
  if (adapter && adapter->transaction) {
    struct body *body = body_of_coercion(executor, adapter->transaction, who);
    frame = frame_push(executor, process, body, who.instance, arguments, who.instance, who.accept, adapter);
    called_apart(frame)->target = instance;
  } else {
    frame = frame_push(executor, process, body_of_accept(executor, accept), instance, arguments, who.instance,
                       who.accept, adapter);
  }
  frame->communicates |= who.communicates;
  call_trace_begin(executor, process, who.communicates, arguments);
  call_expected(executor, frame, accept, instance);
  return OUTCOME_PUSHED;
}

/* The arguments as the target takes them; false after a stop. */
static bool pending_arguments(struct executor *executor, struct requester who, const struct pending *pending,
                              struct target target, const struct adapter *adapter, const struct value **out) {
  const struct model_transaction *theirs = adapter && adapter->transaction
                                               ? adapter->transaction->from_transaction
                                               : executor->model->accepts[target.accept]->transaction;
  return arguments_apply(executor, who, adapter ? adapter->params : NULL, theirs, target, pending->request->args,
                         kept_values(pending->arguments), out);
}

static struct adapter *target_adapter(const struct executor *executor, const struct pending *pending,
                                      struct target target) {
  return adapter_of(&executor->graph->bindings[pending->request->id], executor->model->accepts[target.accept]);
}

/* What serves others has no row, whether a coercion leads to it or not. */
static bool fork_counts(struct executor *executor, struct model_accept *accept) {
  return !body_of_accept(executor, accept)->implementing;
}

/* They begin at that time: the process's clock, or later. */
static enum outcome call_every(struct executor *executor, struct process *process, struct requester who,
                               struct pending *pending, double begin) {
  bool partial = executor->partition && partition_begins(executor, who.accept), none = pending->target_count == 0;
  bool results = pending->request->label && pending->request->result->kind != TYPE_VOID; /* somebody can ask for them */
  struct join *join = join_make(executor, process);
  join->began = begin;
  join->clock = process->clock;
  join->queued = process_has_queued(executor, process);
  join->count = join->remaining = pending->target_count;
  if (partial) {
    for (uint32_t i = 0; i < pending->target_count; i++)
      join->remaining -= partition_lacks(executor, pending->targets[i].instance);
    none = join->remaining == 0;
  }
  if (results) join->results = slab_take(&executor->slabs, pending->target_count * sizeof(struct value));
  bool now = has_turn(process) && begin == process->clock;
  uint64_t first = executor->last_turn + 1;
  process->state = PROCESS_JOIN;
  process->forked = join;
  if (process->cancellable)
    join->children = slab_take(&executor->slabs, pending->target_count * sizeof(struct process *));
  if (now) executor->last_turn += pending->target_count;
  for (uint32_t i = pending->target_count; i-- > 0 && !executor_stopped(executor);) {
    struct target target = pending->targets[i];
    struct model_accept *accept = executor->model->accepts[target.accept];
    struct adapter *adapter = target_adapter(executor, pending, target);
    const struct value *arguments;
    if (partial && partition_lacks(executor, target.instance)) continue;
    if (!pending_arguments(executor, who, pending, target, adapter, &arguments)) break;
    bool block = adapter && adapter->transaction;
    struct body *body =
        block ? body_of_coercion(executor, adapter->transaction, who) : body_of_accept(executor, accept);
    struct process *child = process_new(executor, target.instance, begin, false);
    if (executor->causes) causes_begin(executor, child, CAUSE_CALL);
    child->join = join->number;
    if (fork_counts(executor, accept)) process_forked(executor, child);
    child->cancellable = process->cancellable;
    if (join->children) join->children[i] = child;
    customer_set(executor, child, customer_of(executor, process));
    process_queued_set(executor, child, process_has_queued(executor, process));
    if (join->results || join->children) process_more_at(executor, child)->join_place = i;
    frame_push(executor, child, body, block ? who.instance : target.instance, arguments, who.instance, who.accept,
               adapter);
    if (adapter) called_apart(child->frame)->target = target.instance;
    child->frame->communicates |= who.communicates;
    call_expected(executor, child->frame, accept, target.instance);
    child->turn_at = begin;
    if (now) {
      stamp_set(executor, child, (struct stamp){first + i, 0});
      process_ready(executor, child);
    } else { /* behind a delay: they begin in order */
      struct stamp stamp = stamp_of(executor, process);
      stamp_set(executor, child, (struct stamp){stamp.turn, stamp.step + i});
      child->answered = process->answered;
      child->begins = true;
      child->state = PROCESS_QUEUED;
      event_push(executor, child->clock, EVENT_PROCESS, stamp_of(executor, child), child->instance, child,
                 child->generation);
    }
  }
  if (none) {
    join->remaining = 1; /* an empty list, at once */
    struct process *nobody = process_new(executor, who.instance, begin, false);
    if (executor->causes) causes_begin(executor, nobody, CAUSE_CALL);
    nobody->join = join->number;
    stamp_set(executor, nobody, stamp_of(executor, process));
    nobody->turn_at = process->turn_at;
    process_end(executor, nobody);
  }
  return OUTCOME_WAIT;
}

static enum outcome call_one(struct executor *executor, struct process *process, struct requester who,
                             struct pending *pending) {
  struct target target = pending->targets[0];
  struct adapter *adapter = target_adapter(executor, pending, target);
  const struct value *arguments;
  if (!pending_arguments(executor, who, pending, target, adapter, &arguments)) return OUTCOME_STOP;
  return request_enter(executor, process, who, target.instance, executor->model->accepts[target.accept], adapter,
                       arguments, pending->span);
}

static void send_all(struct executor *executor, struct process *process, struct requester who,
                     struct pending *pending) {
  for (uint32_t i = 0; i < pending->target_count && !executor_stopped(executor); i++) {
    struct target target = pending->targets[i];
    const struct value *arguments;
    if (pending_arguments(executor, who, pending, target, target_adapter(executor, pending, target), &arguments))
      token_send(executor, who, pending->request, target, arguments, process->clock + pending->delay);
  }
}

enum outcome request_perform(struct executor *executor, struct process *process, struct requester who,
                             struct pending *pending) {
  enum outcome outcome = OUTCOME_DONE;
  double begin = process->clock + pending->delay;
  if (begin > CLOCK_MOST) {
    clock_passed(executor, begin, pending->request->delay->span);
  } else if (pending->request->protocol == PROTOCOL_DATAFLOW) {
    send_all(executor, process, who, pending);
  } else {
    if (!process->cancellable) process_wait_until(executor, process, begin);
    outcome = pending->request->quantifier == TARGET_EVERY ? call_every(executor, process, who, pending, begin)
                                                           : call_one(executor, process, who, pending);
    if (outcome == OUTCOME_PUSHED && pending->patience >= 0) call_be_patient(executor, process, pending, begin);
    if (outcome == OUTCOME_PUSHED && begin > process->clock) /* the frame begins then */
      process_pause(executor, process, PROCESS_LATER, EVENT_PROCESS, begin);
  }
  pending_free(executor, pending);
  return executor_stopped(executor) ? OUTCOME_STOP : outcome;
}

enum outcome block_call(struct executor *executor, struct process *process, struct frame *frame,
                        const struct stmt *stmt) {
  const struct called *called = frame_called(frame);
  const struct adapted *adapted = adapter_at(called->adapter, stmt);
  const struct model_transaction *transaction = adapted->accept->transaction;
  const struct expr *call = stmt->assign.value;
  struct target target = {called->target, adapted->accept->id};
  struct environment *environment = frame_environment(executor, frame, frame_borrow(executor, frame), process->clock);
  struct value *given = ARENA_ARRAY(&executor->scratch, struct value, transaction->param_count + 1);
  const struct value *arguments;
  for (uint32_t k = 0; k < call->call->bound_count; k++) {
    struct expr *argument = call->call->bound[k];
    if (argument && !evaluate_as(environment, argument,
                                 argument_type(executor->model, argument, transaction->params[k].type), &given[k])) {
      executor_stop(executor, STOP_ERROR, call->span, NULL);
      return OUTCOME_STOP;
    }
  }
  if (!arguments_apply(executor, frame_requester(frame), adapted->params, transaction, target, call->call->bound, given,
                       &arguments))
    return OUTCOME_STOP;
  struct frame *callee = frame_push(executor, process, body_of_accept(executor, adapted->accept), called->target,
                                    arguments, called->instance, called->accept, NULL);
  call_trace_begin(executor, process, frame->communicates, arguments);
  if (adapted->accept == called->adapter->accept) { /* it is the call that the block stands for */
    callee->expected = frame->expected;
    frame->expected = false;
  }
  return OUTCOME_PUSHED;
}
