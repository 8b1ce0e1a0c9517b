/* Looking through bodies without executing them: what a block reads, which evaluators a model's fired
 * components use (also inside functions, lets and requests), so that the report can name them. */
#include "interp/execute/executor.h"
#include "grammar/children.h"
#include "interp/execute/reuse.h"
#include <string.h>

static bool reads_slot(const struct expr *expr, void *user) {
  if (expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_LOCAL &&
      expr->name.symbol->slot == *(uint32_t *)user)
    return true;
  return expr_any_child(expr, reads_slot, user);
}

static bool reads_clock(const struct expr *expr, void *user) {
  if (expr_is_clock(expr)) {
    *(struct span *)user = expr->span;
    return true;
  }
  return expr_any_child(expr, reads_clock, user);
}

bool expr_reads_clock(const struct expr *expr, struct span *where) { return reads_clock(expr, where); }

bool block_reads_clock(const struct block *block, struct span *where) { return block_any(block, reads_clock, where); }

bool expr_reads_slot(const struct expr *expr, uint32_t slot) { return reads_slot(expr, &slot); }

bool block_reads(const struct block *block, uint32_t slot) { return block_any(block, reads_slot, &slot); }

static bool reads_changing(const struct expr *expr, void *user) {
  const struct executor *executor = user;
  const struct symbol *symbol = expr->kind == EXPR_MEMBER ? expr->member.symbol : NULL;
  bool attribute = symbol && symbol->kind == SYMBOL_ATTRIBUTE;
  for (uint32_t c = 0; attribute && c < executor->model->component_count; c++) {
    const struct model_component *component = executor->model->components[c];
    for (uint32_t i = 0; i < component->dynamic_count && executor->graph->instances[c].count; i++)
      if (component->dynamic_names[i]->folded == symbol->name->folded) return true;
  }
  return expr_any_child(expr, reads_changing, user);
}

bool reads_others(const struct executor *executor, const struct model_component *component, const struct block *block) {
  void *user = (void *)executor;
  for (uint32_t i = 0; i < component->request_count; i++) {
    const struct model_request *request = component->requests[i];
    const struct expr *parts[] = {request->where,  request->selector, request->by,
                                  request->visits, request->delay,    request->patience};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
      if (parts[k] && reads_changing(parts[k], user)) return true;
    for (uint32_t k = 0; k < request->transaction->param_count; k++)
      if (request->args[k] && reads_changing(request->args[k], user)) return true;
  }
  return block_any(block, reads_changing, user);
}

/* ---- which function of an evaluator is called ---- */

struct wanted_function {
  const struct psl_evaluator *evaluator;
  const char *name;
};

static bool calls_function(const struct expr *expr, void *user) {
  const struct wanted_function *wanted = user;
  const struct symbol *symbol = expr->kind == EXPR_CALL     ? expr->call->symbol
                                : expr->kind == EXPR_MEMBER ? expr->member.symbol
                                                            : NULL;
  if (symbol && symbol->kind == SYMBOL_EVALUATOR_FUNCTION && symbol->evaluator_of == wanted->evaluator &&
      strcmp(symbol->evaluator_function->name, wanted->name) == 0)
    return true;
  return expr_any_child(expr, calls_function, user);
}

/* Marks whom the calls of transactions in the block that stands for a request go to. True: the block itself calls. */
static bool adapter_calls(const struct adapter *adapter, uint8_t *asked, struct wanted_function *wanted) {
  for (uint32_t i = 0; i < adapter->statement_count; i++)
    if (adapter->statements[i].accept) asked[adapter->statements[i].accept->id] = 1;
  return adapter->transaction && block_any(adapter->transaction->body, calls_function, wanted);
}

bool model_calls(const struct executor *executor, const struct psl_evaluator *evaluator, const char *function) {
  const struct model *model = executor->model;
  struct wanted_function wanted = {evaluator, function};
  uint8_t *asked = ARENA_ARRAY(executor->arena, uint8_t, model->accept_count + 1);
  uint8_t *serves = ARENA_ARRAY(executor->arena, uint8_t, model->component_count + 1);
  for (uint32_t r = 0; r < model->request_count; r++) {
    const struct binding *binding = &executor->graph->bindings[model->requests[r]->id];
    if (binding->kind == BINDING_ABSENT) continue;
    for (uint32_t i = 0; i < binding->candidate_count; i++)
      asked[binding->candidates[i]->id] = 1;
    for (uint32_t i = 0; i < binding->adapter_count; i++)
      if (adapter_calls(binding->adapters[i], asked, &wanted)) return true;
  }
  for (uint32_t a = 0; a < model->accept_count; a++)
    serves[model->accepts[a]->component->id] |= asked[a];
  for (uint32_t a = 0; a < model->accept_count; a++) { /* nobody requests what a task graph is made of */
    const struct model_accept *accept = model->accepts[a];
    bool fires = asked[a] || !serves[accept->component->id];
    if (fires && executor->graph->instances[accept->component->id].count &&
        block_any(accept->body, calls_function, &wanted))
      return true;
  }
  return false;
}

/* ---- evaluators in use ---- */

struct search {
  struct executor *executor;
  uint8_t *functions; /* by id: looked through */
  uint32_t *found;    /* by evaluator: its `used` */
};

static uint32_t assumptions_of(const struct symbol *function) {
  const struct psl_assumption *all = function->evaluator_of->assumptions;
  uint32_t made = UINT32_C(1) << 31;
  for (int k = 0; all && all[k].text; k++)
    if (!all[k].except || strcmp(all[k].except, function->evaluator_function->name) != 0) made |= UINT32_C(1) << k;
  return made;
}

static bool search_expr(const struct expr *expr, void *user);

static void search_symbol(struct search *search, struct symbol *symbol) {
  if (!symbol) return;
  if (symbol->kind == SYMBOL_EVALUATOR_FUNCTION) {
    for (uint32_t i = 0; i < search->executor->evaluator_count; i++)
      if (search->executor->evaluators[i].evaluator == symbol->evaluator_of) search->found[i] |= assumptions_of(symbol);
  } else if (symbol->kind == SYMBOL_FUNCTION) {
    if (search->functions[symbol->function->id]) return;
    search->functions[symbol->function->id] = 1;
    search_expr(symbol->function->value, search);
  } else if (symbol->kind == SYMBOL_INSTANCE) {
    search_expr(symbol->instance.value, search);
  } else if (symbol->kind == SYMBOL_LET && symbol->decl && !symbol->in_progress) {
    symbol->in_progress = true;
    search_expr(symbol->decl->value.value, search);
    symbol->in_progress = false;
  }
}

static bool search_expr(const struct expr *expr, void *user) {
  if (!expr) return false;
  if (expr->kind == EXPR_NAME)
    search_symbol(user, expr->name.symbol);
  else if (expr->kind == EXPR_MEMBER)
    search_symbol(user, expr->member.symbol);
  else if (expr->kind == EXPR_CALL)
    search_symbol(user, expr->call->symbol);
  return expr_any_child(expr, search_expr, user);
}

/* Of its bodies and requests; what it asks for its params is apart. */
static uint32_t *component_evaluators(struct executor *executor, const struct model_component *component,
                                      struct arena *arena) {
  struct search search = {executor, ARENA_ARRAY(executor->arena, uint8_t, executor->model->function_count + 1),
                          ARENA_ARRAY(arena, uint32_t, executor->evaluator_count + 1)};
  for (uint32_t a = 0; a < component->accept_count; a++) {
    struct block behind = {.first = component->accepts[a]->body ? component->accepts[a]->body->first : NULL};
    for (uint32_t q = 0; q < component->question_count; q++)
      behind.first = behind.first->next;
    block_any(&behind, search_expr, &search);
  }
  for (uint32_t r = 0; r < component->request_count; r++) {
    const struct model_request *request = component->requests[r];
    search_expr(request->delay, &search);
    search_expr(request->patience, &search);
    search_expr(request->by, &search);
    for (uint32_t k = 0; request->transaction && k < request->transaction->param_count; k++)
      search_expr(request->args[k], &search);
  }
  return search.found;
}

static const uint32_t *evaluators_of(struct executor *executor, uint32_t component) {
  struct reuse *reuse = executor->graph->reuse;
  uint32_t *found = reuse ? reuse->evaluators[component] : NULL;
  if (!found)
    found =
        component_evaluators(executor, executor->model->components[component], reuse ? reuse->arena : executor->arena);
  if (reuse) reuse->evaluators[component] = found;
  return found;
}

static void evaluators_asked(struct executor *executor, const struct model_component *component) {
  for (uint32_t q = 0; q < component->question_count; q++)
    for (uint32_t i = 0; i < executor->evaluator_count; i++) {
      const struct symbol *callee = component->questions[q].callee;
      bool answers =
          callee->kind == SYMBOL_EVALUATOR_FUNCTION && callee->evaluator_of == executor->evaluators[i].evaluator;
      if (answers) executor->evaluators[i].used |= assumptions_of(callee);
    }
}

void evaluators_used(struct executor *executor) {
  for (uint32_t c = 0; c < executor->graph->there_count; c++) {
    const struct model_component *component = executor->graph->there[c]->component;
    if (executor->fired[component->id] == 0) continue;
    const uint32_t *found = evaluators_of(executor, component->id);
    for (uint32_t i = 0; i < executor->evaluator_count; i++)
      executor->evaluators[i].used |= found[i];
    evaluators_asked(executor, component);
  }
}

bool evaluator_evident(struct executor *executor, const struct psl_evaluator *evaluator) {
  return !evaluator->evident || evaluator->evident(executor->evaluators[evaluator_open(executor, evaluator)].state);
}

unsigned component_evidence(struct executor *executor, uint32_t component) {
  const uint32_t *found = evaluators_of(executor, component);
  unsigned evidence = 0;
  for (uint32_t i = 0; i < executor->evaluator_count; i++)
    if (found[i] && evaluator_evident(executor, executor->evaluators[i].evaluator))
      evidence |= 1U << executor->evaluators[i].evaluator->evidence;
  return evidence;
}
