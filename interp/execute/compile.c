/* Bodies to programs: statements, the requests whose targets are known put in line, then registers and jumps
 * made real. A body that has locals other than numbers, booleans and terms is left to the walker. */
#include "grammar/children.h"
#include "interp/execute/compiler.h"
#include "interp/execute/usage.h"
#include "interp/execute/steps.h"
#include "interp/model/distribution.h"
#include <string.h>

enum { CALL_DEPTH = 10 };

static void block(struct compiler *compiler, struct context *context, const struct block *block);
static void requests_of(struct compiler *compiler, struct context *context);
static void loop_open(struct compiler *compiler, const struct context *context);
static void loop_close(struct compiler *compiler);

/* ---- contexts ---- */

static struct context *context_new(struct compiler *compiler, struct body *body, struct context *parent,
                                   uint16_t instance) {
  struct context *context = ARENA_NEW(compiler->arena, struct context);
  context->body = body;
  context->component = body->component;
  context->accept = body->accept;
  context->instance = instance;
  context->slot_count = body->slot_count;
  context->slots = ARENA_ARRAY(compiler->arena, int32_t, body->slot_count + 1);
  context->indices = ARENA_ARRAY(compiler->arena, int32_t, body->component->index_count + 1);
  memset(context->slots, 0xff, (body->slot_count + 1) * sizeof(int32_t));
  memset(context->indices, 0xff, (body->component->index_count + 1) * sizeof(int32_t));
  context->communicates = body->communicates || (parent && parent->communicates);
  context->spawned = parent && parent->spawned;
  context->analysis = body->analysis;
  context->shared = body->shared;
  context->result = -1;
  context->depth = parent ? parent->depth + 1 : 0;
  return context;
}

static void order(struct compiler *compiler, const struct context *context) {
  if (context->shared && !compiler->alone) emit(compiler, DO_ORDER);
}

static const struct type *result_type(const struct context *context) {
  if (context->answers) return context->answers;
  return context->accept ? context->accept->result : context->body->coercion->from_transaction->result;
}

static bool result_known(const struct context *context) { return kind_is_scalar(result_type(context)->kind); }

/* An operation that takes a real: the test before it that the real is finite becomes part of it. */
static struct node *emit_testing(struct compiler *compiler, enum operation op, uint16_t value, bool *tested) {
  struct node *test = compiler->last, *node = emit(compiler, op);
  *tested = test->op == DO_FINITE && test->b == value;
  if (*tested) {
    node->label = test->label;
    test->op = DO_NOP;
    test->has_b = false;
    test->label = NULL;
  }
  return node;
}

/* ---- calls ---- */

/* What the value of a statement is declared to be. */
static const struct type *stored_type(const struct context *context, const struct stmt *stmt) {
  return stmt->kind == STMT_LET      ? stmt->assign.symbol->type
         : stmt->kind == STMT_ASSIGN ? stmt->assign.target->type
                                     : result_type(context);
}

static void store(struct compiler *compiler, struct context *context, const struct stmt *stmt, uint16_t value) {
  value = converted(compiler, value, stored_type(context, stmt));
  if (stmt->kind == STMT_LET) {
    context->slots[stmt->assign.symbol->slot] = value;
  } else if (stmt->kind == STMT_ASSIGN) {
    const struct expr *target = stmt->assign.target;
    if (stmt->assign.is_call) order(compiler, context); /* the answer may have taken time */
    if (target->kind != EXPR_NAME || target->name.symbol->kind != SYMBOL_VAR || !kind_is_scalar(target->type->kind)) {
      compiler->failed = true;
      return;
    }
    struct record_site *site = ARENA_NEW(compiler->sites, struct record_site);
    struct node *node = emit_testing(compiler, DO_STORE, value, &site->tested);
    site->component = context->component;
    site->slot = target->name.symbol->slot;
    site->type = target->type;
    site->real = target->type->kind == TYPE_REAL;
    site->next = 1 + site->tested;
    node->b = context->instance;
    node->c = value;
    node->has_b = node->has_c = true;
    node->site = site;
  } else if (stmt->kind == STMT_RETURN) {
    struct node *node = emit(compiler, DO_MOVE);
    node->a = (uint16_t)context->result;
    node->b = value;
    node->has_a = node->has_b = true;
  }
}

static int32_t answer_register(struct compiler *compiler, const struct stmt *stmt, const struct type *type) {
  bool wanted = stmt && stmt->kind != STMT_CALL && type->kind != TYPE_VOID;
  if (!wanted) return -1;
  if (!kind_is_scalar(type->kind)) compiler->failed = true;
  return mark_finite(compiler, (uint16_t)register_new(compiler, type->kind, compiler->level));
}

/* A text that is written there is handed on as its address. */
static uint16_t native_argument(struct compiler *compiler, struct context *context, struct expr *given,
                                const struct type *type) {
  if (given->kind != EXPR_STRING) return compile_root(compiler, context, given, type);
  return register_constant(compiler, TYPE_INT, (union slot){.integer = (intptr_t)given->string});
}

/* What an evaluator takes as a value: a scalar here, as it is. */
static uint16_t value_argument(struct compiler *compiler, struct context *context, struct expr *given, uint8_t *kind) {
  const struct symbol *local =
      given->kind == EXPR_NAME && given->name.symbol && given->name.symbol->kind == SYMBOL_LOCAL ? given->name.symbol
                                                                                                 : NULL;
  int32_t reg = local ? context->slots[local->slot] : -1;
  if (reg < 0 && kind_is_scalar(given->type->kind)) reg = compile_root(compiler, context, given, given->type);
  compiler->failed |= reg < 0;
  if (compiler->failed) return 0;
  *kind = (uint8_t)compiler->registers[reg].kind;
  return (uint16_t)reg;
}

static void call_native(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct symbol *callee = stmt->assign.callee;
  const struct expr *call = stmt->assign.value;
  if (callee->kind != SYMBOL_EVALUATOR_FUNCTION || callee->signature->count > EVALUATOR_ARGUMENTS ||
      (context->spawned && callee->evaluator_function->kind != PSL_EVENT) ||
      callee->evaluator_function->kind == PSL_GRAPH || callee->evaluator_function->reads) {
    compiler->failed = true; /* the walker looks whether a file may be read */
    return;
  }
  struct native_site *site = ARENA_NEW(compiler->sites, struct native_site);
  site->wait = (struct wait){callee, call->span, compiler->outer, context->component->id};
  site->function = callee->evaluator_function;
  site->instance = context->instance;
  site->evaluator = evaluator_open(compiler->executor, callee->evaluator_of);
  compiler->program->evaluators[site->evaluator] = 1;
  site->count = callee->signature->count;
  for (uint32_t i = 0; i < site->count; i++) {
    struct expr *given =
        i < call->call.bound_count && call->call.bound[i] ? call->call.bound[i] : callee->signature->defaults[i];
    bool valued = callee->signature->types[i]->kind == TYPE_ANY;
    site->valued |= (uint32_t)valued << i;
    site->arguments[i] = valued ? value_argument(compiler, context, given, &site->kinds[i])
                                : native_argument(compiler, context, given, callee->signature->types[i]);
  }
  site->answers_value = callee->type->kind == TYPE_ANY;
  site->answers_real = callee->type->kind == TYPE_REAL;
  bool quick = !context->spawned && site->function->kind == PSL_EVENT && site->function->quick && site->count > 0 &&
               site->count <= PSL_QUICK_ARGUMENTS && !site->valued && !site->answers_value;
  int32_t answer = answer_register(compiler, stmt, site->answers_value ? stored_type(context, stmt) : callee->type);
  struct node *node = emit(compiler, context->spawned ? DO_NOTIFY : quick ? DO_QUICK : DO_NATIVE);
  node->site = site;
  if (quick) {
    node->c = site->arguments[0];
    node->has_c = true;
  }
  if (answer >= 0) {
    node->a = (uint16_t)answer;
    node->b = 1;
    node->has_a = true;
    store(compiler, context, stmt, node->a);
  }
}

/* What it does as a rank lasts as long as its frame (host->stay). */
static bool is_rank(struct executor *executor, const struct model_accept *accept) {
  const struct name *rank = name_known(executor->model->names, KNOWN_RANK);
  for (uint32_t i = 0; i < accept->profile_count; i++)
    if (accept->profile[i].attribute->folded == rank)
      return !body_of_accept(executor, (struct model_accept *)accept)->implementing;
  return false;
}

/* The end of a body where there are rules may let others go on, and calls where `any` chooses are counted: the executor
 * sees to that. */
static bool accept_fits(struct executor *executor, const struct model_accept *accept) {
  for (uint32_t i = 0; i < accept->component->request_count; i++)
    if (accept->component->requests[i]->patience) return false;
  return !executor->chosen[accept->id] && !component_has_rules(accept->component) && !block_forks(accept->body) &&
         accept->protocol == PROTOCOL_CALL_RETURN && !accept->firing_rule &&
         (!accept->servers || accept->discipline == PSL_FCFS) && !is_rank(executor, accept);
}

/* A body in line is counted with those that have no class. */
static bool counted_apart(struct executor *executor, const struct model_accept *accept,
                          const struct model_accept *caller) {
  return usage_counts(accept) && usage_by_class(executor, accept, caller);
}

/* The register of what a body returns; 0 where it may end without saying. */
static void result_open(struct compiler *compiler, struct context *context) {
  if (!result_known(context)) return;
  context->result =
      mark_finite(compiler, (uint16_t)register_new(compiler, result_type(context)->kind, compiler->level));
  const struct stmt *last = context->body->block ? context->body->block->first : NULL;
  while (last && last->next)
    last = last->next;
  if (last && last->kind == STMT_RETURN) return;
  struct node *node = emit(compiler, DO_MOVE);
  node->a = (uint16_t)context->result;
  node->b = register_constant(compiler, result_type(context)->kind, (union slot){.integer = 0});
  node->has_a = node->has_b = true;
}

static uint16_t clock_now(struct compiler *compiler) {
  int32_t reg = register_new(compiler, TYPE_REAL, compiler->level);
  struct node *node = emit(compiler, DO_CLOCK);
  node->a = (uint16_t)reg;
  node->has_a = true;
  return (uint16_t)reg;
}

/* A server of the accept, before its body; NULL: it has none. */
static struct acquire_site *acquire(struct compiler *compiler, const struct context *context) {
  struct model_accept *accept = context->accept;
  if (!accept->servers || accept->unlimited) return NULL;
  struct acquire_site *site = ARENA_NEW(compiler->sites, struct acquire_site);
  site->wait = (struct wait){NULL, compiler->outer, compiler->outer, context->component->id};
  site->accept = accept;
  site->instance = context->instance;
  site->asked = clock_now(compiler);
  emit(compiler, DO_ACQUIRE)->site = site;
  site->began = clock_now(compiler);
  compiler->failed |= context->spawned; /* one in line cannot wait */
  return site;
}

static bool names_symbols(const struct expr *expr, void *user) {
  bool name = expr->kind == EXPR_NAME && expr->name.symbol;
  return name || expr->kind == EXPR_MEMBER || expr->kind == EXPR_CALL || expr_any_child(expr, names_symbols, user);
}

/* Tests that the value is in its range, where that is not plain. */
static void test_allowed(struct compiler *compiler, struct context *context, struct allowed *allowed,
                         const struct name *name, const struct type *type, struct span span, uint16_t value) {
  if (!allowed || !allowed->range || compiler->failed) return;
  if (info(compiler, value)->constant && !names_symbols(allowed->range, NULL)) {
    struct value constant = value_of_slot(type->kind, info(compiler, value)->value);
    struct environment environment = executor_environment(compiler->executor, NULL);
    compiler->failed = !value_allowed(&environment, allowed, name, type, span, constant); /* the walker says so */
    return;
  }
  struct allowed_site *site = ARENA_NEW(compiler->sites, struct allowed_site);
  *site = (struct allowed_site){allowed, name, type, span, {0, 0}};
  if (context->depth > 0) site->outer = compiler->outer;
  struct node *node = emit(compiler, DO_ALLOWED);
  node->b = value;
  node->has_b = true;
  node->site = site;
}

static uint16_t given_default(struct compiler *compiler, struct context *context, struct model_parameter *parameter) {
  if (parameter->condition) return compile_root(compiler, context, parameter->value, parameter->value->type);
  uint16_t value = compile_root(compiler, context, parameter->value, parameter->type);
  test_allowed(compiler, context, &parameter->allowed, parameter->name, parameter->type, parameter->value->span, value);
  return value;
}

/* The same of an argument of those expressions, of all, by parameter. */
static void test_argument(struct compiler *compiler, struct context *context, struct model_transaction *transaction,
                          struct expr *const *given, const int32_t *arguments, uint32_t k) {
  struct model_parameter *parameter = &transaction->params[k];
  if (transaction->ranged && given[k] && arguments[k] >= 0)
    test_allowed(compiler, context, &parameter->allowed, parameter->name, parameter->type, given[k]->span,
                 (uint16_t)arguments[k]);
}

static void test_arguments(struct compiler *compiler, struct context *context, struct model_transaction *transaction,
                           struct expr *const *given, const int32_t *arguments) {
  for (uint32_t k = 0; k < transaction->param_count && transaction->ranged; k++)
    test_argument(compiler, context, transaction, given, arguments, k);
}

/* ---- coercions ---- */

/* Whose attributes coercions read. */
static struct context *target_context(struct compiler *compiler, struct model_accept *accept, int32_t instance) {
  return context_new(compiler, body_of_accept(compiler->executor, accept), NULL, (uint16_t)instance);
}

/* What a step of a coercion makes of the value in a register. */
static uint16_t coerced_once(struct compiler *compiler, const struct context *context, struct context *target,
                             const struct model_coercion *step, uint16_t value) {
  struct context *inner = ARENA_NEW(compiler->arena, struct context);
  *inner = *context;
  inner->target = target;
  inner->slot_count = evaluate_slots(step->value) + 1;
  inner->slots = ARENA_ARRAY(compiler->arena, int32_t, inner->slot_count);
  memset(inner->slots, 0xff, inner->slot_count * sizeof(int32_t));
  inner->slots[0] = converted(compiler, value, step->from);
  return compile_root(compiler, inner, step->value, step->to);
}

static uint16_t coerced(struct compiler *compiler, const struct context *context, struct context *target,
                        const struct conversion *conversion, uint16_t value) {
  for (uint32_t i = 0; i < conversion->count; i++) {
    const struct model_coercion *step = conversion->steps[i];
    compiler->failed |= !kind_is_scalar(step->from->kind) || expr_is_random(step->value); /* the walker's */
    if (compiler->failed) return 0;
    value = coerced_once(compiler, context, target, step, value);
  }
  compiler->failed |= !kind_is_scalar(conversion->to->kind);
  return compiler->failed ? 0 : converted(compiler, value, conversion->to);
}

/* The arguments as the target takes them. */
static void arguments_adapt(struct compiler *compiler, struct context *context, struct context *target,
                            const struct adapter *adapter, const struct model_request *request, int32_t *arguments) {
  struct model_transaction *theirs =
      adapter->transaction ? adapter->transaction->from_transaction : adapter->accept->transaction;
  for (uint32_t k = 0; k < theirs->param_count && !compiler->failed; k++) {
    const struct conversion *conversion = adapter->params ? &adapter->params[k] : NULL;
    if (conversion && conversion->to && arguments[k] >= 0)
      arguments[k] = coerced(compiler, context, target, conversion, (uint16_t)arguments[k]);
    test_argument(compiler, context, theirs, request->args, arguments, k);
  }
}

/* Puts an accept's (or coercion block's) body in line. `arguments` by parameter of its transaction, -1: not
 * given. */
static bool in_line(struct compiler *compiler, struct context *inner, const int32_t *arguments) {
  struct body *body = inner->body;
  struct model_transaction *transaction = body->accept ? body->accept->transaction : body->coercion->from_transaction;
  struct label *after = inner->after = label_new(compiler);
  for (uint32_t k = 0; k < body->param_count; k++) {
    uint32_t at = body->accept ? body->accept->param_of[k] : k;
    struct model_parameter *parameter = &transaction->params[at];
    if (parameter->type->kind == TYPE_SIGNAL) continue;
    if (arguments[at] >= 0)
      inner->slots[body->params[k]->slot] = arguments[at];
    else if (parameter->value &&
             kind_is_scalar((parameter->condition ? parameter->value->type : parameter->type)->kind))
      inner->slots[body->params[k]->slot] = given_default(compiler, inner, parameter);
    else { /* a default that is an object is the walker's */
      compiler->failed = true;
      return false;
    }
  }
  if (body->accept) emit(compiler, DO_FIRE)->whole = body->component->id;
  struct acquire_site *server = body->accept ? acquire(compiler, inner) : NULL;
  result_open(compiler, inner);
  if (body->block) block(compiler, inner, body->block);
  label_here(compiler, after);
  if (body->accept) requests_of(compiler, inner);
  order(compiler, inner); /* the walker's look before the end of a body that others see */
  if (server) {
    struct node *release = emit(compiler, DO_RELEASE);
    release->b = inner->instance;
    release->has_b = true;
    release->site = server;
  }
  return !compiler->failed;
}

/* Can a call of the accept come back to it? Then it is not put in line, so that calls nest as deep as for the
 * walker. */
static bool comes_back(struct compiler *compiler, const struct model_accept *accept, const struct model_accept *to,
                       uint8_t *seen) {
  const struct model_component *component = accept->component;
  for (uint32_t i = 0; i < component->request_count; i++) {
    const struct model_request *request = component->requests[i];
    if (request->protocol != PROTOCOL_CALL_RETURN || (request->accept && request->accept != accept)) continue;
    const struct binding *binding = &compiler->executor->graph->bindings[request->id];
    for (uint32_t k = 0; k < binding->candidate_count; k++) {
      const struct model_accept *next = binding->candidates[k];
      if (next == to) return true;
      if (seen[next->id]) continue;
      seen[next->id] = 1;
      if (comes_back(compiler, next, to, seen)) return true;
    }
  }
  return false;
}

static bool is_recursive(struct compiler *compiler, const struct model_accept *accept) {
  uint8_t *seen = ARENA_ARRAY(compiler->arena, uint8_t, compiler->executor->model->accept_count + 1);
  return comes_back(compiler, accept, accept, seen);
}

/* The arguments of a request as registers, by parameter of its transaction. */
static int32_t *request_arguments(struct compiler *compiler, struct context *context, struct model_request *request) {
  int32_t *arguments = ARENA_ARRAY(compiler->arena, int32_t, request->transaction->param_count + 1);
  for (uint32_t k = 0; k < request->transaction->param_count; k++) {
    const struct type *type = given_as(request, k);
    arguments[k] = -1;
    if (!request->args[k]) continue;
    if (type->kind == TYPE_SIGNAL || request->transaction->params[k].condition)
      compiler->failed = true;
    else
      arguments[k] = compile_root(compiler, context, request->args[k], type);
  }
  return arguments;
}

/* A copy of the context whose locals are a label's parameters. */
static struct context *label_context(struct compiler *compiler, struct context *context, struct model_request *request,
                                     const struct expr *call) {
  struct context *inner = ARENA_NEW(compiler->arena, struct context);
  *inner = *context;
  inner->slot_count = request->slot_count;
  inner->slots = ARENA_ARRAY(compiler->arena, int32_t, request->slot_count + 1);
  memset(inner->slots, 0xff, (request->slot_count + 1) * sizeof(int32_t));
  for (uint32_t k = 0; k < request->param_count; k++)
    inner->slots[request->params[k]->slot] =
        compile_root(compiler, context, call->call.bound[k], request->params[k]->type);
  return inner;
}

/* A register with the target's instance of a binding; -1 where it is found by resolve_late alone. */
static int32_t target_register(struct compiler *compiler, struct context *context, const struct binding *binding,
                               struct model_request *request) {
  struct target_site *site;
  struct node *node;
  int32_t reg;
  const struct instances *own = &compiler->executor->graph->instances[request->component->id];
  switch (binding->kind) {
  case BINDING_SAME: return constant_int(compiler, binding->target.instance);
  case BINDING_TABLE:
    if (!binding->accept) return -1;
    site = ARENA_NEW(compiler->sites, struct target_site);
    site->targets = binding->targets;
    site->first = own->first;
    reg = register_new(compiler, TYPE_INT, compiler->registers[context->instance].level);
    node = emit_at(compiler, compiler->registers[context->instance].level, DO_TARGET);
    node->a = (uint16_t)reg;
    node->b = context->instance;
    node->c = 0;
    node->has_a = node->has_b = true;
    node->site = site;
    compiler->registers[reg].low = 0;
    compiler->registers[reg].high = UINT32_MAX;
    return reg;
  case BINDING_LATE:
  case BINDING_ABSENT:
  case BINDING_EVERY: return -1;
  }
  return -1;
}

/* Absent targets of a TABLE are known there alone. */
static bool all_present(const struct executor *executor, const struct model_request *request,
                        const struct binding *binding) {
  for (uint32_t i = 0; i < executor->graph->instances[request->component->id].count; i++)
    if (binding->targets[i] >= INSTANCE_ABSENT) return false;
  return true;
}

static struct adapter *adapter_for(const struct binding *binding, const struct model_accept *accept) {
  for (uint32_t i = 0; i < binding->adapter_count; i++)
    if (binding->adapters[i]->accept == accept) return binding->adapters[i];
  return NULL;
}

/* A known target that takes all as it is needs no request to be made: it is entered, or started. */
static enum operation general_operation(struct compiler *compiler, struct context *context,
                                        struct model_request *request, const struct binding *binding,
                                        struct request_site *site) {
  struct executor *executor = compiler->executor;
  struct model_accept *accept = binding->kind == BINDING_SAME    ? executor->model->accepts[binding->target.accept]
                                : binding->kind == BINDING_TABLE ? binding->accept
                                                                 : NULL;
  bool call = request->protocol == PROTOCOL_CALL_RETURN;
  if (!accept || request->quantifier != TARGET_ONE || request->delay ||
      request->transaction->param_count > ENTER_ARGUMENTS || (!call && !token_starts(executor, accept)) ||
      (binding->kind == BINDING_TABLE && !all_present(executor, request, binding)))
    return DO_REQUEST;
  int32_t target = target_register(compiler, context, binding, request);
  if (target < 0) return DO_REQUEST;
  site->accept = accept;
  site->target = (uint16_t)target;
  return call ? DO_ENTER : DO_START;
}

/* The general request: the executor performs it as for the walker. */
static void general_request(struct compiler *compiler, struct context *context, struct model_request *request,
                            const struct binding *binding, const int32_t *arguments, const struct stmt *stmt,
                            struct context *outer, struct span span) {
  struct arena *arena = compiler->sites;
  struct request_site *site = ARENA_NEW(arena, struct request_site);
  bool waits = request->protocol == PROTOCOL_CALL_RETURN || request->quantifier == TARGET_ANY;
  if (binding->adapter_count || (context->spawned && waits)) { /* coercions of values: the walker's */
    compiler->failed = true;
    return;
  }
  site->request = request;
  site->wait = (struct wait){NULL, span, compiler->outer, context->component->id};
  site->instance = context->instance;
  site->requester = context->accept;
  site->communicates = context->communicates;
  site->analysis = context->analysis;
  uint32_t capacity = 0;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    if (arguments[k] >= 0) {
      struct operand operand = {(uint16_t)arguments[k], (uint16_t)k, compiler->registers[arguments[k]].kind};
      ARENA_PUSH(arena, site->arguments, site->argument_count, capacity, operand);
    }
  capacity = 0;
  site->slot_count = context->slot_count;
  bool walked = binding->kind == BINDING_LATE || request->by;              /* the walker evaluates something */
  if (request->by && expr_is_random(request->by)) compiler->failed = true; /* before the arguments do */
  for (uint32_t k = 0; walked && k < context->slot_count; k++)
    if (context->slots[k] >= 0) {
      struct operand operand = {(uint16_t)context->slots[k], (uint16_t)k, compiler->registers[context->slots[k]].kind};
      ARENA_PUSH(arena, site->locals, site->local_count, capacity, operand);
    }
  if (request->delay) {
    site->has_delay = true;
    site->delay = compile_root(compiler, context, request->delay, compiler->executor->model->types.time);
  }
  int32_t answer = request->protocol == PROTOCOL_DATAFLOW || request->quantifier == TARGET_EVERY
                       ? -1
                       : answer_register(compiler, stmt, request->result);
  if (stmt && stmt->kind != STMT_CALL && answer < 0) compiler->failed = true;
  enum operation operation = general_operation(compiler, context, request, binding, site);
  if (operation != DO_REQUEST) test_arguments(compiler, context, request->transaction, request->args, arguments);
  struct node *node = emit(compiler, operation);
  node->site = site;
  if (answer >= 0) {
    node->a = (uint16_t)answer;
    node->b = 1;
    node->has_a = true;
    store(compiler, outer, stmt, node->a);
  }
}

/* A token for a process that starts at once and, as nothing in it can wait, is done at once. */
static bool spawn(struct compiler *compiler, struct context *context, struct model_request *request,
                  const struct binding *binding, const int32_t *arguments, struct span span) {
  if (request->protocol != PROTOCOL_DATAFLOW || request->quantifier != TARGET_ONE || binding->kind != BINDING_SAME ||
      binding->adapter_count || request->delay || context->spawned || context->depth >= CALL_DEPTH)
    return false;
  struct model_accept *accept = compiler->executor->model->accepts[binding->target.accept];
  if (!accept->unlimited || component_has_rules(accept->component) ||
      !compiler->executor->graph->reach[accept->id].full || !token_passes(compiler->executor, accept))
    return false;
  struct body *body = body_of_accept(compiler->executor, accept);
  if (body->shared || body->observed) return false;
  /* on trial: the code so far is kept whole until it is known to do */
  struct node *last = compiler->last;
  uint32_t entries = compiler->entry_count, fails = compiler->fail_count;
  struct node *inserts[32];
  for (uint32_t i = 0; i < compiler->level; i++)
    inserts[i] = compiler->loops[i].insert;
  struct context *inner = context_new(compiler, body, NULL, constant_int(compiler, binding->target.instance));
  inner->caller = context;
  inner->depth = context->depth + 1;
  inner->spawned = true;
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  int32_t saved = register_new(compiler, TYPE_REAL, compiler->level);
  struct node *begin = emit(compiler, DO_SPAWN);
  begin->a = (uint16_t)saved;
  begin->has_a = true;
  begin->label = otherwise;
  block_enter(compiler);
  test_arguments(compiler, context, request->transaction, request->args, arguments);
  bool fine = in_line(compiler, inner, arguments);
  block_leave(compiler);
  if (!fine) { /* as if nothing had been written */
    compiler->failed = false;
    compiler->last = last;
    last->next = NULL;
    for (uint32_t i = 0; i < compiler->level; i++)
      compiler->loops[i].insert = inserts[i];
    for (uint32_t i = entries; i < compiler->entry_count; i++)
      compiler->entries[i].op = DO_NOP;
    compiler->fail_count = fails;
    return false;
  }
  struct node *close = emit(compiler, DO_UNSPAWN);
  close->b = (uint16_t)saved;
  close->has_b = true;
  jump(compiler, end);
  label_here(compiler, otherwise);
  block_enter(compiler);
  general_request(compiler, context, request, binding, arguments, NULL, context, span);
  block_leave(compiler);
  label_here(compiler, end);
  return true;
}

/* In a coercion block: the accept of the matched component that takes the transaction, the requester its
 * caller. */
static void call_in_block(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct model_transaction *transaction = stmt->assign.callee->transaction;
  const struct expr *call = stmt->assign.value;
  const struct adapted *adapted = adapter_at(context->adapter, stmt);
  struct model_accept *accept = adapted->accept;
  if (adapted->params || !accept_fits(compiler->executor, accept) || context->depth >= CALL_DEPTH ||
      is_recursive(compiler, accept) || counted_apart(compiler->executor, accept, context->caller->accept) ||
      call_is_traced(compiler->executor, context->communicates, accept,
                     false)) { /* coercions of values: the walker's */
    compiler->failed = true;
    return;
  }
  int32_t *arguments = ARENA_ARRAY(compiler->arena, int32_t, transaction->param_count + 1);
  for (uint32_t k = 0; k < transaction->param_count; k++)
    arguments[k] = k < call->call.bound_count && call->call.bound[k]
                       ? compile_root(compiler, context, call->call.bound[k], transaction->params[k].type)
                       : -1;
  struct context *inner =
      context_new(compiler, body_of_accept(compiler->executor, accept), context, context->target->instance);
  inner->caller = context->caller;
  test_arguments(compiler, context, transaction, call->call.bound, arguments);
  if (in_line(compiler, inner, arguments) && inner->result >= 0 && stmt->kind != STMT_CALL)
    store(compiler, context, stmt, (uint16_t)inner->result);
}

static void request(struct compiler *compiler, struct context *context, struct model_request *request,
                    const struct stmt *stmt, struct context *outer, struct span span) {
  struct executor *executor = compiler->executor;
  const struct binding *binding = &executor->graph->bindings[request->id];
  struct label *end = label_new(compiler);
  const struct model_accept *single = binding->kind == BINDING_SAME ? executor->model->accepts[binding->target.accept]
                                      : binding->kind == BINDING_TABLE ? binding->accept
                                                                       : NULL;
  if (request->patience) compiler->failed = true; /* the walker's */
  if (binding->kind == BINDING_ABSENT || compiler->failed) return;
  bool sometimes = binding->kind == BINDING_SAME && binding->present;
  if (executor->ordered[request->id]) {
    bool chooses = request->quantifier == TARGET_ANY || binding->kind == BINDING_LATE;
    if (context->spawned || (context->depth > 0 && chooses)) {
      compiler->failed = true;
      return;
    }
    emit(compiler, DO_ORDER);
  }
  if (sometimes) {
    struct target_site *site = ARENA_NEW(compiler->sites, struct target_site);
    site->present = binding->present;
    site->first = executor->graph->instances[request->component->id].first;
    struct node *node = emit(compiler, DO_PRESENT);
    node->b = context->instance;
    node->has_b = true;
    node->site = site;
    node->label = end;
    block_enter(compiler);
  }
  bool call = request->protocol == PROTOCOL_CALL_RETURN && request->quantifier == TARGET_ONE && single &&
              accept_fits(executor, single) && !body_of_accept(executor, (struct model_accept *)single)->observed &&
              context->depth < CALL_DEPTH && !is_recursive(compiler, single) && !request->delay &&
              binding->kind != BINDING_LATE && !counted_apart(executor, single, context->accept);
  struct adapter *adapter = single ? adapter_for(binding, single) : NULL;
  bool by_block = adapter && adapter->transaction;
  if (call && !context->spawned) call = !call_is_traced(executor, context->communicates, single, by_block);
  if (binding->kind == BINDING_TABLE) call = call && all_present(executor, request, binding);
  if (adapter && (adapter->late || adapter->late_block || (!by_block && adapter->result.to)))
    compiler->failed = true; /* the walker's */
  int32_t *arguments = compiler->failed ? NULL : request_arguments(compiler, context, request);
  if (compiler->failed) return;
  if (call) {
    int32_t target = target_register(compiler, context, binding, request);
    struct requester who = {.accept = context->accept, .component = context->component, .analysis = context->analysis};
    struct body *body = by_block ? body_of_coercion(executor, adapter->transaction, who)
                                 : body_of_accept(executor, (struct model_accept *)single);
    if (body->shared && context->spawned) compiler->failed = true;
    struct context *inner = context_new(compiler, body, context, by_block ? context->instance : (uint16_t)target);
    inner->caller = context;
    if (by_block) {
      inner->adapter = adapter;
      inner->target = target_context(compiler, adapter->accept, target);
      inner->accept = NULL;
    } else if (request->transaction->result_of) {
      inner->answers = request->result;
    }
    if (!adapter)
      test_arguments(compiler, context, request->transaction, request->args, arguments);
    else
      arguments_adapt(compiler, context, target_context(compiler, adapter->accept, target), adapter, request,
                      arguments);
    if (in_line(compiler, inner, arguments) && inner->result >= 0 && stmt && stmt->kind != STMT_CALL)
      store(compiler, outer, stmt, (uint16_t)inner->result);
  } else if (!spawn(compiler, context, request, binding, arguments, span)) {
    general_request(compiler, context, request, binding, arguments, stmt, outer, span);
  }
  if (sometimes) block_leave(compiler);
  label_here(compiler, end);
}

/* Some instances do not make the request, or have nobody to make it to: what stands before it is not computed for
 * them. */
static bool has_absent(struct compiler *compiler, const struct model_request *request) {
  const struct binding *binding = &compiler->executor->graph->bindings[request->id];
  struct target one;
  const uint32_t *many;
  uint32_t first, count = compiler->executor->graph->instances[request->component->id].count;
  if (binding->kind == BINDING_LATE) return binding->present || binding->late_where;
  for (uint32_t i = 0; i < count; i++)
    if (!targets_bound(binding, i, &one, &many, &first)) return true;
  return false;
}

/* As often as `visits` says; `call`: of the label. The label's parameters are computed for `visits` and then for
 * each call. */
static void request_repeated(struct compiler *compiler, struct context *context, struct model_request *wanted,
                             const struct stmt *stmt) {
  const struct expr *call = stmt ? stmt->assign.value : NULL;
  bool never = compiler->executor->graph->bindings[wanted->id].kind == BINDING_ABSENT;
  if (context->spawned || (!never && has_absent(compiler, wanted))) {
    compiler->failed = true;
    return;
  }
  struct context *inner = call ? label_context(compiler, context, wanted, call) : context;
  if (never) return; /* nothing is drawn for what is not made */
  uint16_t visits = compile_root(compiler, inner, wanted->visits, compiler->executor->model->types.real);
  if (compiler->failed) return;
  struct label *body = label_new(compiler), *end = label_new(compiler);
  uint16_t count = (uint16_t)register_new(compiler, TYPE_INT, compiler->level), one = constant_int(compiler, 1);
  struct node *node = emit(compiler, DO_VISITS);
  node->a = count;
  node->b = visits;
  node->c = context->analysis ? (uint16_t)constant_int(compiler, INSTANCE_NONE) : context->instance;
  node->has_a = node->has_b = node->has_c = true;
  node->site = wanted;
  node = emit(compiler, DO_UNLESS_INT_LE);
  node->b = one;
  node->c = count;
  node->has_b = node->has_c = true;
  node->label = end;
  block_enter(compiler);
  uint16_t turn = (uint16_t)register_new(compiler, TYPE_INT, compiler->level + 1);
  node = emit(compiler, DO_MOVE);
  node->a = turn;
  node->b = one;
  node->has_a = node->has_b = true;
  loop_open(compiler, context);
  label_here(compiler, body);
  if (call) inner = label_context(compiler, context, wanted, call);
  request(compiler, inner, wanted, stmt, context, call ? call->span : wanted->syntax->txn.span);
  emit(compiler, DO_TURN)->site = (void *)(stmt ? &stmt->span : &wanted->syntax->span);
  order(compiler, context);
  node = emit(compiler, DO_NEXT_UP);
  node->a = turn;
  node->b = one;
  node->c = count;
  node->has_a = node->has_b = node->has_c = node->updates = true;
  node->label = body;
  loop_close(compiler);
  block_leave(compiler);
  label_here(compiler, end);
}

static void requests_of(struct compiler *compiler, struct context *context) {
  for (uint32_t i = 0; i < context->accept->request_count && !compiler->failed; i++) {
    struct model_request *wanted = context->accept->requests[i];
    order(compiler, context);
    if (context->depth == 0) compiler->outer = wanted->syntax->txn.span;
    if (wanted->visits)
      request_repeated(compiler, context, wanted, NULL);
    else
      request(compiler, context, wanted, NULL, context, wanted->syntax->txn.span);
  }
}

/* ---- statements ---- */

static void value_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct adapted *adapted = adapter_at(context->adapter, stmt);
  if (adapted && adapted->result.to) compiler->failed = true; /* coercions of values: the walker's */
  if (context->depth == 0 && stmt->assign.value) compiler->outer = stmt->assign.value->span;
  if (stmt->assign.is_call) {
    struct symbol *callee = stmt->assign.callee;
    if (callee->kind == SYMBOL_LABEL && callee->request->visits && stmt->kind == STMT_CALL) {
      request_repeated(compiler, context, callee->request, stmt);
    } else if (callee->kind == SYMBOL_LABEL) {
      struct context *label = label_context(compiler, context, callee->request, stmt->assign.value);
      request(compiler, label, callee->request, stmt, context, stmt->assign.value->span);
    } else if (callee->kind == SYMBOL_TRANSACTION) {
      call_in_block(compiler, context, stmt);
    } else {
      call_native(compiler, context, stmt);
    }
  } else if (stmt->assign.value) {
    uint16_t value = compile_root(compiler, context, stmt->assign.value, stored_type(context, stmt));
    if (!compiler->failed) store(compiler, context, stmt, value);
  }
  if (stmt->kind == STMT_RETURN) jump(compiler, context->after);
}

static void compile_hold(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct hold_site *site = ARENA_NEW(compiler->sites, struct hold_site);
  bool shares = context->depth == 0 && accept_shares(context->accept); /* in the frame that has the server */
  if (shares) emit(compiler, DO_ORDER);
  uint16_t seconds = compile_root(compiler, context, stmt->hold, compiler->executor->model->types.time);
  site->component = context->component->id;
  site->activity = context->communicates ? ACTIVITY_COMMUNICATE : ACTIVITY_COMPUTE;
  site->spawned = context->spawned;
  site->span = stmt->hold->span;
  struct node *node = emit_testing(compiler, shares ? DO_SHARE : DO_HOLD, seconds, &site->tested);
  site->next = 1 + site->tested;
  node->b = seconds;
  node->has_b = true;
  node->site = site;
}

/* A loop of a process that is spawned in line could not let others catch up. */
static void loop_open(struct compiler *compiler, const struct context *context) {
  if (compiler->level >= 30 || context->spawned) {
    compiler->failed = true;
    return;
  }
  compiler->loops[compiler->level].insert = compiler->last;
  compiler->loops[compiler->level].block = compiler->block;
  compiler->level++;
  block_enter(compiler);
}

static void loop_close(struct compiler *compiler) {
  block_leave(compiler);
  compiler->level--;
}

static void while_loop(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct label *again = label_new(compiler), *end = label_new(compiler);
  loop_open(compiler, context);
  label_here(compiler, again);
  compile_condition(compiler, context, stmt->loop.condition, end);
  block(compiler, context, &stmt->loop.body);
  order(compiler, context);
  emit(compiler, DO_TURN)->site = (void *)&stmt->span;
  order(compiler, context);
  jump(compiler, again);
  loop_close(compiler);
  label_here(compiler, end);
}

static void for_each(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct expr *range = stmt->each.range;
  const struct type *integer = compiler->executor->model->types.integer;
  if (range->kind != EXPR_RANGE || range->range.low->type->kind != TYPE_INT ||
      range->range.high->type->kind != TYPE_INT) {
    compiler->failed = true;
    return;
  }
  uint16_t low = compile_root(compiler, context, range->range.low, integer);
  uint16_t high = compile_root(compiler, context, range->range.high, integer);
  uint16_t step =
      stmt->each.step ? compile_root(compiler, context, stmt->each.step, integer) : constant_int(compiler, 1);
  if (compiler->failed) return;
  if (!compiler->registers[step].constant ||
      (stmt->each.geometric ? compiler->registers[step].value.integer < 2
                            : compiler->registers[step].value.integer == 0) ||
      (stmt->each.geometric && compiler->registers[low].low < 1)) {
    compiler->failed = true; /* the walker tells what is wrong */
    return;
  }
  int64_t stride = compiler->registers[step].value.integer;
  bool up = stride > 0;
  struct label *body = label_new(compiler), *end = label_new(compiler);
  struct node *test = emit(compiler, DO_UNLESS_INT_LE);
  test->b = up ? low : high;
  test->c = up ? high : low;
  test->has_b = test->has_c = true;
  test->label = end;
  block_enter(compiler);
  int32_t variable = register_new(compiler, TYPE_INT, compiler->level + 1);
  struct node *move = emit(compiler, DO_MOVE);
  move->a = (uint16_t)variable;
  move->b = low;
  move->has_a = move->has_b = true;
  compiler->registers[variable].low = compiler->registers[up ? low : high].low;
  compiler->registers[variable].high = compiler->registers[up ? high : low].high;
  loop_open(compiler, context);
  label_here(compiler, body);
  context->slots[stmt->each.symbol->slot] = variable;
  block(compiler, context, &stmt->each.body);
  order(compiler, context);
  emit(compiler, DO_TURN)->site = (void *)&stmt->span;
  struct node *next = emit(compiler, stmt->each.geometric ? DO_NEXT_TIMES : up ? DO_NEXT_UP : DO_NEXT_DOWN);
  next->a = (uint16_t)variable;
  next->b = step;
  next->c = high;
  next->has_a = next->has_b = next->has_c = next->updates = true;
  next->label = body;
  loop_close(compiler);
  block_leave(compiler);
  label_here(compiler, end);
}

/* A global param, or an int, bool or term that is written there. */
static bool is_settled(const struct expr *expr) {
  enum type_kind kind = expr->type ? expr->type->kind : TYPE_VOID;
  if (kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_TERM) return false;
  return expr->kind == EXPR_INTEGER || expr->kind == EXPR_BOOLEAN ||
         (expr->kind == EXPR_NAME && (!expr->name.symbol || expr->name.symbol->kind == SYMBOL_PARAM));
}

/* The condition of an `if` of the block that is the same in all turns and cannot fail; NULL: there is none, or a loop
 * is in the block. */
static struct expr *settled_condition(const struct block *body) {
  for (const struct stmt *stmt = body->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE) return NULL;
    struct expr *condition = stmt->kind == STMT_IF ? stmt->branch.condition : NULL;
    if (condition && condition->kind == EXPR_COMPARE && condition->compare.count == 2 &&
        is_settled(condition->compare.operands[0]) && is_settled(condition->compare.operands[1]))
      return condition;
  }
  return NULL;
}

/* A loop that decides the same in all its turns is written once for either answer: straight, it fits repeat.c. */
static void for_loop(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct expr *condition = compiler->settled ? NULL : settled_condition(&stmt->each.body);
  if (!condition) {
    for_each(compiler, context, stmt);
    return;
  }
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  compile_condition(compiler, context, condition, otherwise);
  compiler->settled = condition;
  for (uint32_t i = 0; i < 2; i++) {
    compiler->settled_holds = i == 0;
    block_enter(compiler);
    for_each(compiler, context, stmt);
    block_leave(compiler);
    if (i == 0) jump(compiler, end);
    label_here(compiler, i == 0 ? otherwise : end);
  }
  compiler->settled = NULL;
}

static void if_settled(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct block *taken = compiler->settled_holds ? &stmt->branch.then : &stmt->branch.otherwise;
  block(compiler, context, taken);
  if (taken->first) order(compiler, context);
}

static void if_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  if (stmt->branch.condition == compiler->settled) {
    if_settled(compiler, context, stmt);
    return;
  }
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  compile_condition(compiler, context, stmt->branch.condition, otherwise);
  block_enter(compiler);
  block(compiler, context, &stmt->branch.then);
  if (stmt->branch.then.first) order(compiler, context);
  block_leave(compiler);
  if (stmt->branch.otherwise.first) jump(compiler, end);
  label_here(compiler, otherwise);
  if (stmt->branch.otherwise.first) {
    block_enter(compiler);
    block(compiler, context, &stmt->branch.otherwise);
    order(compiler, context);
    block_leave(compiler);
    label_here(compiler, end);
  }
}

static uint16_t branch_taken(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct branch_site *site = ARENA_NEW(compiler->sites, struct branch_site);
  site->stmt = stmt;
  site->instance = context->instance;
  site->chances = ARENA_ARRAY(compiler->sites, uint16_t, stmt->chances.count);
  site->values = ARENA_ARRAY(compiler->sites, double, stmt->chances.count);
  for (uint32_t i = 0; i < stmt->chances.count && !compiler->failed; i++)
    site->chances[i] =
        compile_root(compiler, context, stmt->chances.items[i].value, compiler->executor->model->types.real);
  uint16_t taken = (uint16_t)register_new(compiler, TYPE_INT, compiler->level);
  if (compiler->failed) return taken;
  struct node *node = emit(compiler, DO_BRANCH);
  node->a = taken;
  node->has_a = true;
  node->site = site;
  return taken;
}

static void one_of_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct label *end = label_new(compiler);
  if (context->analysis) { /* the walker tells what is wrong */
    compiler->failed = true;
    return;
  }
  uint16_t taken = branch_taken(compiler, context, stmt);
  for (uint32_t i = 0; i < stmt->chances.count && !compiler->failed; i++) {
    const struct block *body = &stmt->chances.items[i].body;
    struct label *next = label_new(compiler);
    struct node *test = emit(compiler, DO_UNLESS_INT_EQ);
    test->b = taken;
    test->c = constant_int(compiler, i);
    test->has_b = test->has_c = true;
    test->label = next;
    block_enter(compiler);
    block(compiler, context, body);
    if (body->first) order(compiler, context);
    block_leave(compiler);
    jump(compiler, end);
    label_here(compiler, next);
  }
  label_here(compiler, end);
}

static struct record_site *record_site(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct record_site *site = ARENA_NEW(compiler->sites, struct record_site);
  site->component = context->component;
  site->accept = context->accept;
  site->instance = context->instance;
  site->stmt = stmt;
  site->span = stmt->span;
  return site;
}

static void statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct node *node;
  struct record_site *site;
  struct label *holds;
  const struct type *type;
  uint16_t value;
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN: value_statement(compiler, context, stmt); return;
  case STMT_HOLD: compile_hold(compiler, context, stmt); return;
  case STMT_RECORD:
    type = stmt->record.value->type;
    if (!kind_is_scalar(type->kind) || context->spawned) {
      compiler->failed = true;
      return;
    }
    if (record_ordered(context->component, stmt->record.name.name)) emit(compiler, DO_ORDER);
    value = compile_root(compiler, context, stmt->record.value,
                         type->kind == TYPE_INT ? compiler->executor->model->types.real : type);
    site = record_site(compiler, context, stmt);
    site->name = stmt->record.name.name;
    site->type = type;
    node = emit(compiler, DO_RECORD);
    node->b = value;
    node->has_b = true;
    node->site = site;
    return;
  case STMT_PROFILE:
    if (!kind_is_scalar(stmt->record.symbol->type->kind) || context->spawned) {
      compiler->failed = true;
      return;
    }
    value = compile_root(compiler, context, stmt->record.value, stmt->record.symbol->type);
    site = record_site(compiler, context, stmt);
    site->type = stmt->record.symbol->type;
    site->slot = stmt->record.symbol->slot;
    test_allowed(compiler, context, stmt->record.symbol->allowed, stmt->record.symbol->name, stmt->record.symbol->type,
                 stmt->record.value->span, value);
    node = emit(compiler, DO_PROFILE);
    node->b = context->instance;
    node->c = value;
    node->has_b = node->has_c = true;
    node->site = site;
    return;
  case STMT_ASSERT: {
    struct label *fails = label_new(compiler);
    holds = label_new(compiler);
    compile_condition(compiler, context, stmt->assertion, fails);
    jump(compiler, holds);
    label_here(compiler, fails);
    node = emit(compiler, DO_ASSERT);
    node->b = context->instance;
    node->has_b = true;
    node->site = record_site(compiler, context, stmt);
    label_here(compiler, holds);
    return;
  }
  case STMT_IF: if_statement(compiler, context, stmt); return;
  case STMT_ONE_OF: one_of_statement(compiler, context, stmt); return;
  case STMT_FIRST_OF: compiler->failed = true; return; /* the walker's */
  case STMT_WHILE: while_loop(compiler, context, stmt); return;
  case STMT_FOR: for_loop(compiler, context, stmt); return;
  case STMT_KINDS: return;
  }
}

static void block(struct compiler *compiler, struct context *context, const struct block *body) {
  for (const struct stmt *stmt = body->first; stmt && !compiler->failed; stmt = stmt->next) {
    order(compiler, context);
    statement(compiler, context, stmt);
  }
}

static bool body_fits(const struct body *body) {
  const struct model_accept *accept = body->accept;
  if (!accept || accept->firing_rule || body->param_count > 32) return false;
  for (uint32_t k = 0; k < body->param_count; k++)
    if (!kind_is_scalar(body->params[k]->type->kind) && body->params[k]->type->kind != TYPE_SIGNAL) return false;
  return result_type(&(struct context){.accept = body->accept})->kind == TYPE_VOID ||
         kind_is_scalar(accept->result->kind);
}

static void ignore(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  (void)user;
  (void)sources;
  (void)diagnostic;
}

bool compile_guarded(struct model *model, bool (*work)(struct arena *, void *), void *user) {
  struct memory *memory = model->arena->memory;
  struct diagnostics *loud = model->diagnostics;
  struct diagnostics quiet = {.sources = model->sources, .sink = ignore, .unheard = true};
  struct arena arena;
  jmp_buf here, *outer = memory->guard;
  arena_open(&arena, memory);
  arena_open(&quiet.arena, memory);
  memory->guard = &here;
  model->diagnostics = &quiet;
  bool failed = setjmp(here) != 0;
  bool fine = !failed && work(&arena, user);
  memory->guard = outer;
  model->diagnostics = loud;
  arena_close(&quiet.arena);
  arena_close(&arena);
  if (failed) longjmp(*outer, 1);
  return fine;
}

struct compilation {
  struct executor *executor;
  struct body *body;
  struct arena *sites;
  struct program *program;
};

static bool compile_body(struct arena *arena, void *user) {
  struct compilation *compilation = user;
  struct executor *executor = compilation->executor;
  struct body *body = compilation->body;
  struct program *program = compilation->program = ARENA_NEW(compilation->sites, struct program);
  struct compiler compiler = {.executor = executor,
                              .functions = executor->model->apply ? functions_of(executor->model) : NULL,
                              .model = executor->model,
                              .environment = &executor->environment,
                              .sites = compilation->sites,
                              .arena = arena,
                              .program = program,
                              .alone = requests_alone(executor)};
  compiler.first = ARENA_NEW(arena, struct node);
  compiler.first->next = compiler.last = ARENA_NEW(arena, struct node); /* emit_first puts code between them */
  const struct instances *instances = &executor->graph->instances[body->component->id];
  int32_t instance = register_new(&compiler, TYPE_INT, 0);
  compiler.registers[instance].param = true;
  compiler.registers[instance].low = instances->first;
  compiler.registers[instance].high = (int64_t)instances->first + instances->count - 1;
  if (instances->count == 1) {
    compiler.registers[instance].constant = true;
    compiler.registers[instance].value.integer = instances->first;
  }
  struct context *context = context_new(&compiler, body, NULL, (uint16_t)instance);
  program->params = ARENA_ARRAY(compilation->sites, uint16_t, body->param_count + 1);
  program->param_count = body->param_count;
  program->evaluators = ARENA_ARRAY(compilation->sites, uint8_t, executor->evaluator_count + 1);
  for (uint32_t k = 0; k < body->param_count; k++) {
    program->params[k] = UINT16_MAX;
    if (body->params[k]->type->kind == TYPE_SIGNAL) continue;
    int32_t reg = register_new(&compiler, body->params[k]->type->kind, 0);
    compiler.registers[reg].param = true;
    mark_finite(&compiler, (uint16_t)reg);
    context->slots[body->params[k]->slot] = reg;
    program->params[k] = (uint16_t)reg;
  }
  context->after = label_new(&compiler);
  result_open(&compiler, context);
  if (context->result >= 0) {
    program->has_result = true;
    program->result_kind = result_type(context)->kind;
    program->result = (uint16_t)context->result;
  }
  if (body->block) block(&compiler, context, body->block);
  label_here(&compiler, context->after);
  requests_of(&compiler, context);
  order(&compiler, context);
  struct node *end = emit(&compiler, DO_END);
  end->b = (uint16_t)(context->result >= 0 ? context->result : 0);
  end->has_b = context->result >= 0;
  return !compiler.failed && assemble(&compiler, program, (uint16_t)instance);
}

struct program *compile(struct executor *executor, struct body *body, struct arena *sites) {
  struct compilation compilation = {executor, body, sites, NULL};
  if (!body_fits(body) || !compile_guarded(executor->model, compile_body, &compilation)) return NULL;
  return compilation.program;
}
