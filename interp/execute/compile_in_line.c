/* Accepts and coercion blocks whose target is known are put in line where they are called: their bodies, servers and
 * ranges, and the values as coercions make them. */
#include "grammar/children.h"
#include "interp/execute/compiler.h"
#include "interp/execute/usage.h"
#include "interp/model/distribution.h"
#include <string.h>

/* ---- what may be in line ---- */

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
static const char *accept_misfit(struct executor *executor, const struct model_accept *accept) {
  for (uint32_t i = 0; i < accept->component->request_count; i++)
    if (accept->component->requests[i]->patience) return "it makes requests with patience";
  if (executor->chosen[accept->id]) return "'any' chooses among its servers";
  if (component_has_rules(accept->component) || accept->firing_rule) return "its component has firing rules";
  if (block_has(accept->body, STMT_FIRST_OF)) return "'first of'";
  if (accept->protocol != PROTOCOL_CALL_RETURN) return "tokens fire it";
  if (accept->servers && accept->discipline != PSL_FCFS) return "its servers do not take who comes first";
  return is_rank(executor, accept) ? "it is a rank" : NULL;
}

/* A body in line is counted with those that have no class. */
static bool counted_apart(struct executor *executor, const struct model_accept *accept,
                          const struct model_accept *caller) {
  return usage_counts(accept) && usage_by_class(executor, accept, caller);
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

const char *kept_out_of_line(struct compiler *compiler, const struct context *context, struct model_accept *accept) {
  struct executor *executor = compiler->executor;
  const struct model_accept *caller = context->accept ? context->accept : context->caller->accept;
  if (context->depth >= CALL_DEPTH) return "it is called from too deep within others";
  const char *why = accept_misfit(executor, accept);
  if (why) return why;
  if (body_of_accept(executor, accept)->observed) return "it is of a queueing network that is simulated";
  if (is_recursive(compiler, accept)) return "it may call itself";
  return counted_apart(executor, accept, caller) ? "its servers are counted by class" : NULL;
}

/* ---- what a body answers, and its servers ---- */

void result_open(struct compiler *compiler, struct context *context) {
  if (!kind_is_scalar(result_type(context)->kind)) return;
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
  give_up_if(compiler, context->spawned, "a server for what a token starts"); /* one in line cannot wait */
  return site;
}

/* ---- ranges ---- */

static bool names_symbols(const struct expr *expr, void *user) {
  bool name = expr->kind == EXPR_NAME && expr->name.symbol;
  return name || expr->kind == EXPR_MEMBER || expr->kind == EXPR_CALL || expr_any_child(expr, names_symbols, user);
}

void test_allowed(struct compiler *compiler, struct context *context, struct allowed *allowed, const struct name *name,
                  const struct type *type, struct span span, uint16_t value) {
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

void test_arguments(struct compiler *compiler, struct context *context, struct model_transaction *transaction,
                    struct expr *const *given, const int32_t *arguments) {
  for (uint32_t k = 0; k < transaction->param_count && transaction->ranged; k++)
    test_argument(compiler, context, transaction, given, arguments, k);
}

/* ---- coercions ---- */

struct context *target_context(struct compiler *compiler, struct model_accept *accept, int32_t instance) {
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
    give_up_if(compiler, !kind_is_scalar(step->from->kind) || expr_is_random(step->value),
               "a coercion of a value that is no number, or draws"); /* the walker's */
    if (compiler->failed) return 0;
    value = coerced_once(compiler, context, target, step, value);
  }
  give_up_if(compiler, !kind_is_scalar(conversion->to->kind), "a coercion to a value that is no number, truth or term");
  return compiler->failed ? 0 : converted(compiler, value, conversion->to);
}

void arguments_adapt(struct compiler *compiler, struct context *context, struct context *target,
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

/* ---- bodies ---- */

bool body_in_line(struct compiler *compiler, struct context *inner, const int32_t *arguments) {
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
      give_up(compiler, "a default that is no number, truth or term");
      return false;
    }
  }
  if (body->accept) emit(compiler, DO_FIRE)->whole = body->component->id;
  struct acquire_site *server = body->accept ? acquire(compiler, inner) : NULL;
  result_open(compiler, inner);
  if (body->block) compile_block(compiler, inner, body->block);
  label_here(compiler, after);
  if (body->accept) compile_requests(compiler, inner);
  emit_order(compiler, inner); /* the walker's look before the end of a body that others see */
  if (server) {
    struct node *release = emit(compiler, DO_RELEASE);
    release->b = inner->instance;
    release->has_b = true;
    release->site = server;
  }
  return !compiler->failed;
}
