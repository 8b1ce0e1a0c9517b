/* What statements call, in programs: functions of evaluators, requests, and the calls of coercion blocks; and where
 * their values go. */
#include "interp/execute/compiler.h"
#include "interp/execute/host_time.h"
#include "interp/execute/steps.h"
#include "interp/model/distribution.h"
#include <string.h>

/* ---- values ---- */

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
    if (stmt->assign.is_call) emit_order(compiler, context); /* the answer may have taken time */
    if (target->kind != EXPR_NAME || target->name.symbol->kind != SYMBOL_VAR || !kind_is_scalar(target->type->kind)) {
      give_up(compiler, "a var or attribute that is no number, truth or term");
      return;
    }
    give_up_if(compiler, context->component->watched, "a var that firing rules of others may read");
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
  if (!kind_is_scalar(type->kind)) give_up(compiler, "an answer that is no number, truth or term");
  return mark_finite(compiler, (uint16_t)register_new(compiler, type->kind, compiler->level));
}

/* ---- evaluators ---- */

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
  give_up_if(compiler, reg < 0, "an argument that is no number, truth or term");
  if (compiler->failed) return 0;
  *kind = (uint8_t)compiler->registers[reg].kind;
  return (uint16_t)reg;
}

/* Is it known already that the answer is the second argument? */
static bool is_passed_on(struct compiler *compiler, const struct native_site *site) {
  const struct psl_passing *passing = site->function->passing;
  if (!passing || site->function->kind != PSL_EVENT || site->count != 2 || site->valued) return false;
  const struct virtual *first = info(compiler, site->arguments[0]);
  return first->constant && first->value.integer >= passing->least && first->value.integer <= passing->most;
}

static void native_make(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct symbol *callee = stmt->assign.callee;
  const struct expr *call = stmt->assign.value;
  if (callee->kind != SYMBOL_EVALUATOR_FUNCTION || callee->signature->count > EVALUATOR_ARGUMENTS ||
      (context->spawned && callee->evaluator_function->kind != PSL_EVENT) ||
      callee->evaluator_function->kind == PSL_GRAPH || callee->evaluator_function->reads) {
    /* the walker looks whether a file may be read */
    give_up(compiler, "a function that is of no evaluator, reads files, or takes a task graph");
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
        i < call->call->bound_count && call->call->bound[i] ? call->call->bound[i] : callee->signature->defaults[i];
    bool valued = callee->signature->types[i]->kind == TYPE_ANY;
    site->valued |= (uint32_t)valued << i;
    site->arguments[i] = valued ? value_argument(compiler, context, given, &site->kinds[i])
                                : native_argument(compiler, context, given, callee->signature->types[i]);
  }
  if (is_passed_on(compiler, site)) {
    if (stmt->kind != STMT_CALL) store(compiler, context, stmt, site->arguments[1]);
    return;
  }
  site->answers_value = callee->type->kind == TYPE_ANY;
  site->answers_real = callee->type->kind == TYPE_REAL;
  bool plain = !context->spawned && site->function->kind == PSL_EVENT && !site->valued && !site->answers_value;
  bool quick = plain && site->function->quick && site->count > 0 && site->count <= PSL_QUICK_ARGUMENTS;
  bool member = plain && site->function->member && site->count == 1;
  int32_t answer = answer_register(compiler, stmt, site->answers_value ? stored_type(context, stmt) : callee->type);
  struct node *node = emit(compiler, context->spawned ? DO_NOTIFY : quick ? DO_QUICK : member ? DO_MEMBER : DO_NATIVE);
  node->site = site;
  if (member) site->member = *site->function->member;
  if (quick || member) {
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

static void call_native(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct symbol *callee = stmt->assign.callee;
  struct host_place *before = place_open(compiler, callee, callee->name, stmt->assign.value->span);
  place_said(compiler, "a function of an evaluator", NULL);
  native_make(compiler, context, stmt);
  place_close(compiler, before);
}

/* ---- requests ---- */

/* The arguments of a request as registers, by parameter of its transaction. */
static int32_t *request_arguments(struct compiler *compiler, struct context *context, struct model_request *request) {
  int32_t *arguments = ARENA_ARRAY(compiler->arena, int32_t, request->transaction->param_count + 1);
  for (uint32_t k = 0; k < request->transaction->param_count; k++) {
    const struct type *type = given_as(request, k);
    arguments[k] = -1;
    if (!request->args[k]) continue;
    if (type->kind == TYPE_SIGNAL || request->transaction->params[k].condition)
      give_up(compiler, "a condition on an item, or a signal as an argument");
    else
      arguments[k] = compile_root(compiler, context, request->args[k], type);
  }
  return arguments;
}

/* An optional one that nobody accepts, whoever makes it. */
static bool goes_nowhere(const struct binding *binding) {
  bool same = binding->kind == BINDING_SAME;
  return binding->kind == BINDING_ABSENT || (same && binding->target.instance >= INSTANCE_ABSENT);
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
        compile_root(compiler, context, call->call->bound[k], request->params[k]->type);
  return inner;
}

/* The targets of a TABLE, instance by instance. */
static const uint32_t *targets_table(struct compiler *compiler, const struct binding *binding, uint32_t count) {
  if (binding->targets) return binding->targets;
  uint32_t *targets = ARENA_ARRAY(compiler->sites, uint32_t, count);
  for (uint32_t k = 0; k < count; k++)
    targets[k] = binding_target(binding, k);
  return targets;
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
    site->targets = targets_table(compiler, binding, own->count);
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
  case BINDING_LATE: return compiler->placed.binding == binding ? compiler->placed.target : -1;
  case BINDING_ABSENT:
  case BINDING_EVERY: return -1;
  }
  return -1;
}

/* Absent targets of a TABLE are known there alone. */
static bool all_present(const struct executor *executor, const struct model_request *request,
                        const struct binding *binding) {
  for (uint32_t i = 0; i < executor->graph->instances[request->component->id].count; i++)
    if (binding_target(binding, i) >= INSTANCE_ABSENT) return false;
  return true;
}

static struct adapter *adapter_for(const struct binding *binding, const struct model_accept *accept) {
  for (uint32_t i = 0; i < binding->adapter_count; i++)
    if (binding->adapters[i]->accept == accept) return binding->adapters[i];
  return NULL;
}

/* The only accept that the request may be for; NULL: there are several. */
static struct model_accept *only_accept(const struct compiler *compiler, const struct binding *binding) {
  return binding->kind == BINDING_SAME         ? compiler->executor->model->accepts[binding->target.accept]
         : binding->kind == BINDING_TABLE      ? binding->accept
         : compiler->placed.binding == binding ? compiler->placed.accept
                                               : NULL;
}

/* A known target that takes all as it is needs no request to be made: it is entered, or started. */
static enum operation general_operation(struct compiler *compiler, struct context *context,
                                        struct model_request *request, const struct binding *binding,
                                        struct request_site *site) {
  struct executor *executor = compiler->executor;
  struct model_accept *accept = only_accept(compiler, binding);
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

/* A walker of the request reads the locals by their slots. */
static void request_locals(struct compiler *compiler, const struct context *context, struct request_site *site) {
  uint32_t capacity = 0;
  for (uint32_t k = 0; k < context->slot_count; k++)
    if (context->slots[k] >= 0) {
      struct operand operand = {(uint16_t)context->slots[k], (uint16_t)k, compiler->registers[context->slots[k]].kind};
      ARENA_PUSH(compiler->sites, site->locals, site->local_count, capacity, operand);
    }
}

static void request_operands(struct compiler *compiler, const struct model_request *request, const int32_t *arguments,
                             struct request_site *site) {
  uint32_t capacity = 0;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    if (arguments[k] >= 0) {
      struct operand operand = {(uint16_t)arguments[k], (uint16_t)k, compiler->registers[arguments[k]].kind};
      ARENA_PUSH(compiler->sites, site->arguments, site->argument_count, capacity, operand);
    }
}

/* The general request: the executor performs it as for the walker. */
static void general_request(struct compiler *compiler, struct context *context, struct model_request *request,
                            const struct binding *binding, const int32_t *arguments, const struct stmt *stmt,
                            struct context *outer, struct span span, const char *why) {
  bool waits = request->protocol == PROTOCOL_CALL_RETURN || request->quantifier == TARGET_ANY;
  if (binding->adapter_count || (context->spawned && waits)) { /* coercions of values: the walker's */
    give_up(compiler, "a coercion of what a request gives or answers");
    return;
  }
  struct request_site *site = ARENA_NEW(compiler->sites, struct request_site);
  site->request = request;
  site->wait = (struct wait){NULL, span, compiler->outer, context->component->id};
  site->instance = context->instance;
  site->requester = context->accept;
  site->communicates = context->communicates;
  site->analysis = context->analysis;
  site->slot_count = context->slot_count;
  request_operands(compiler, request, arguments, site);
  give_up_if(compiler, request->by && expr_is_random(request->by), "a draw in 'by'"); /* before the arguments do */
  if (binding->kind == BINDING_LATE || request->by) request_locals(compiler, context, site);
  if (request->delay) {
    site->has_delay = true;
    site->delay = compile_root(compiler, context, request->delay, compiler->executor->model->types.time);
  }
  bool answers = request->protocol != PROTOCOL_DATAFLOW && request->quantifier != TARGET_EVERY;
  int32_t answer = answers ? answer_register(compiler, stmt, request->result) : -1;
  if (stmt && stmt->kind != STMT_CALL && answer < 0) give_up(compiler, "an answer that is not used as one");
  enum operation operation = general_operation(compiler, context, request, binding, site);
  if (operation != DO_REQUEST) test_arguments(compiler, context, request->transaction, request->args, arguments);
  place_said(compiler,
             operation == DO_ENTER   ? "called"
             : operation == DO_START ? "started at once"
                                     : "looked up",
             request->protocol == PROTOCOL_DATAFLOW ? NULL : why);
  struct node *node = emit(compiler, operation);
  node->site = site;
  if (answer < 0) return;
  node->a = (uint16_t)answer;
  node->b = 1;
  node->has_a = true;
  store(compiler, outer, stmt, node->a);
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
  bool fine = body_in_line(compiler, inner, arguments);
  block_leave(compiler);
  if (!fine) { /* as if nothing had been written */
    compiler->failed = false;
    compiler->why = NULL;
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
  general_request(compiler, context, request, binding, arguments, NULL, context, span, NULL);
  place_said(compiler, "in line, as a process of its own", NULL);
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
  bool traced = call_is_traced(compiler->executor, context->communicates, accept, false);
  if (adapted->params || traced ||
      kept_out_of_line(compiler, context, accept)) { /* coercions of values: the walker's */
    give_up(compiler, "a coercion of what a call gives, or a call that cannot be in line");
    return;
  }
  int32_t *arguments = ARENA_ARRAY(compiler->arena, int32_t, transaction->param_count + 1);
  for (uint32_t k = 0; k < transaction->param_count; k++)
    arguments[k] = k < call->call->bound_count && call->call->bound[k]
                       ? compile_root(compiler, context, call->call->bound[k], transaction->params[k].type)
                       : -1;
  struct context *inner =
      context_new(compiler, body_of_accept(compiler->executor, accept), context, context->target->instance);
  inner->caller = context->caller;
  struct host_place *before = place_open(compiler, accept, accept->component->symbol->name, call->span);
  place_said(compiler, "in line", NULL);
  test_arguments(compiler, context, transaction, call->call->bound, arguments);
  if (body_in_line(compiler, inner, arguments) && inner->result >= 0 && stmt->kind != STMT_CALL)
    store(compiler, context, stmt, (uint16_t)inner->result);
  place_close(compiler, before);
}

/* Others who ask for the same come in the order of time. */
static void request_ordered(struct compiler *compiler, const struct context *context,
                            const struct model_request *request) {
  const struct executor *executor = compiler->executor;
  if (!executor->ordered[request->id]) return;
  bool chooses = request->quantifier == TARGET_ANY || executor->graph->bindings[request->id].kind == BINDING_LATE;
  give_up_if(compiler, context->spawned || (context->depth > 0 && chooses),
             "a target that is chosen where others take part");
  emit(compiler, DO_ORDER);
}

/* Only some instances make the request: the others go on at `end`. */
static void if_present(struct compiler *compiler, const struct context *context, const struct model_request *request,
                       const struct binding *binding, struct label *end) {
  struct target_site *site = ARENA_NEW(compiler->sites, struct target_site);
  site->present = binding->present;
  site->first = compiler->executor->graph->instances[request->component->id].first;
  struct node *node = emit(compiler, DO_PRESENT);
  node->b = context->instance;
  node->has_b = true;
  node->site = site;
  node->label = end;
}

/* Why the body of what accepts cannot be in line; NULL: it can. */
static const char *kept_out(struct compiler *compiler, const struct context *context,
                            const struct model_request *request, const struct binding *binding,
                            const struct adapter *adapter) {
  struct executor *executor = compiler->executor;
  struct model_accept *accept = only_accept(compiler, binding);
  if (request->protocol != PROTOCOL_CALL_RETURN) return "a token is sent";
  if (request->quantifier == TARGET_EVERY) return "every target is called";
  if (request->quantifier == TARGET_ANY) return "'any' chooses a target each time";
  if (request->delay) return "it has a delay";
  if (!accept) return binding->kind == BINDING_LATE ? "its target is sought each time" : "its targets are not alike";
  const char *why = kept_out_of_line(compiler, context, accept);
  if (why) return why;
  bool traced = call_is_traced(executor, context->communicates, accept, adapter && adapter->transaction);
  if (traced && !context->spawned) return "a trace has it as a call";
  return binding->kind == BINDING_TABLE && !all_present(executor, request, binding) ? "some instances have no target"
                                                                                    : NULL;
}

/* The body of what accepts, or of the coercion block before it. */
static void request_in_line(struct compiler *compiler, struct context *context, struct model_request *request,
                            const struct binding *binding, struct adapter *adapter, int32_t *arguments,
                            const struct stmt *stmt, struct context *outer) {
  struct executor *executor = compiler->executor;
  int32_t target = target_register(compiler, context, binding, request);
  bool by_block = adapter && adapter->transaction;
  struct requester who = {.accept = context->accept, .component = context->component, .analysis = context->analysis};
  struct body *body = by_block ? body_of_coercion(executor, adapter->transaction, who)
                               : body_of_accept(executor, only_accept(compiler, binding));
  give_up_if(compiler, body->shared && context->spawned, "state that others see, in what a token starts");
  struct context *inner = context_new(compiler, body, context, by_block ? context->instance : (uint16_t)target);
  inner->caller = context;
  if (by_block) {
    inner->adapter = adapter;
    inner->target = target_context(compiler, adapter->accept, target);
    inner->accept = NULL;
  } else if (request->transaction->result_of) {
    inner->answers = request->result;
  }
  if (adapter)
    arguments_adapt(compiler, context, target_context(compiler, adapter->accept, target), adapter, request, arguments);
  else
    test_arguments(compiler, context, request->transaction, request->args, arguments);
  if (body_in_line(compiler, inner, arguments) && inner->result >= 0 && stmt && stmt->kind != STMT_CALL)
    store(compiler, outer, stmt, (uint16_t)inner->result);
}

static void request_make(struct compiler *compiler, struct context *context, struct model_request *request,
                         const struct stmt *stmt, struct context *outer, struct span span) {
  const struct binding *binding = &compiler->executor->graph->bindings[request->id];
  give_up_if(compiler, request->patience != NULL, "a request with patience"); /* the walker's */
  if (goes_nowhere(binding) || compiler->failed) return;
  struct model_accept *accept = only_accept(compiler, binding);
  struct adapter *adapter = accept ? adapter_for(binding, accept) : NULL;
  bool adapted_late = adapter && (adapter->late || adapter->late_block ||
                                  (!adapter->transaction && adapter->result.to)); /* the walker's */
  give_up_if(compiler, adapted_late, "a coercion of an answer, or one that is found each time");
  request_ordered(compiler, context, request);
  if (compiler->failed) return;
  struct label *end = label_new(compiler);
  bool sometimes = binding->kind == BINDING_SAME && binding->present;
  if (sometimes) {
    if_present(compiler, context, request, binding, end);
    block_enter(compiler);
  }
  int32_t *arguments = request_arguments(compiler, context, request);
  if (compiler->failed) return;
  const char *out = kept_out(compiler, context, request, binding, adapter);
  place_said(compiler, "in line", NULL);
  if (!out)
    request_in_line(compiler, context, request, binding, adapter, arguments, stmt, outer);
  else if (!spawn(compiler, context, request, binding, arguments, span))
    general_request(compiler, context, request, binding, arguments, stmt, outer, span, out);
  if (sometimes) block_leave(compiler);
  label_here(compiler, end);
}

/* The accept of a late request whose target is computed at once from numbers that are there; *clauses: of its indices.
 * NULL: it is sought each time. */
static struct model_accept *placed_accept(const struct compiler *compiler, const struct model_request *request,
                                          const struct stmt *stmt, const struct expr *const **clauses) {
  const struct binding *binding = &compiler->executor->graph->bindings[request->id];
  struct model_accept *accept = late_accept(binding, clauses);
  bool sent = accept && (request->protocol == PROTOCOL_CALL_RETURN || token_starts(compiler->executor, accept));
  if (!sent || binding->adapter_count || request->delay || request->by || (stmt && stmt->kind == STMT_LET)) return NULL;
  uint32_t count = accept->component->index_count;
  const struct instances *set = &compiler->executor->graph->instances[accept->component->id];
  bool fine = count > 0 && count <= PLACE_INDICES && set->count > 0 && set->box;
  for (uint32_t k = 0; k < count && fine; k++) {
    const struct expr *value = (*clauses)[k]->clause.value;
    const struct symbol *symbol = value->kind == EXPR_NAME ? value->name.symbol : NULL;
    fine = symbol && symbol->kind == SYMBOL_LOCAL && value->type->kind == TYPE_INT;
  }
  return fine ? accept : NULL;
}

/* A late request in two ways: to the instance whose place is computed; and where there is none, as it is in general,
 * which says so. */
static void request_placed(struct compiler *compiler, struct context *context, struct model_request *wanted,
                           struct model_accept *accept, const struct expr *const *clauses, const struct stmt *stmt,
                           struct context *outer, struct span span) {
  struct executor *executor = compiler->executor;
  struct placed before = compiler->placed;
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  struct place_site *site = ARENA_NEW(compiler->sites, struct place_site);
  site->instances = &executor->graph->instances[accept->component->id];
  site->count = accept->component->index_count;
  for (uint32_t k = 0; k < site->count; k++)
    site->indices[k] = compile_root(compiler, context, clauses[k]->clause.value, executor->model->types.integer);
  struct node *node = emit(compiler, DO_PLACE);
  node->a = (uint16_t)register_new(compiler, TYPE_INT, compiler->level);
  node->has_a = true;
  node->site = site;
  node->label = otherwise;
  info(compiler, node->a)->low = 0;
  info(compiler, node->a)->high = UINT32_MAX;
  compiler->placed = (struct placed){&executor->graph->bindings[wanted->id], accept, node->a};
  block_enter(compiler);
  request_make(compiler, context, wanted, stmt, outer, span);
  block_leave(compiler);
  struct host_place *here = compiler->here;
  const char *how = here ? here->how : NULL, *why = here ? here->why : NULL;
  jump(compiler, end);
  label_here(compiler, otherwise);
  compiler->placed = (struct placed){.binding = NULL};
  block_enter(compiler);
  request_make(compiler, context, wanted, stmt, outer, span);
  block_leave(compiler);
  label_here(compiler, end);
  place_said(compiler, how, why);
  compiler->placed = before;
}

static void request(struct compiler *compiler, struct context *context, struct model_request *wanted,
                    const struct stmt *stmt, struct context *outer, struct span span) {
  const struct name *name = wanted->label ? wanted->label->name : wanted->transaction->symbol->name;
  struct host_place *before = place_open(compiler, wanted, name, span);
  const struct expr *const *clauses;
  struct model_accept *accept = placed_accept(compiler, wanted, stmt, &clauses);
  if (accept && !compiler->failed)
    request_placed(compiler, context, wanted, accept, clauses, stmt, outer, span);
  else
    request_make(compiler, context, wanted, stmt, outer, span);
  place_close(compiler, before);
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
  bool never = goes_nowhere(&compiler->executor->graph->bindings[wanted->id]);
  if (context->spawned || (!never && has_absent(compiler, wanted))) {
    give_up(compiler, "'visits' of a request that some instances do not make");
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
  emit_order(compiler, context);
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

void compile_requests(struct compiler *compiler, struct context *context) {
  for (uint32_t i = 0; i < context->accept->request_count && !compiler->failed; i++) {
    struct model_request *wanted = context->accept->requests[i];
    emit_order(compiler, context);
    if (context->depth == 0) compiler->outer = wanted->syntax->txn.span;
    if (wanted->visits)
      request_repeated(compiler, context, wanted, NULL);
    else
      request(compiler, context, wanted, NULL, context, wanted->syntax->txn.span);
  }
}

void compile_value_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct adapted *adapted = adapter_at(context->adapter, stmt);
  if (adapted && adapted->result.to)
    give_up(compiler, "a coercion of an answer"); /* coercions of values: the walker's */
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
