/* Where an accept under analysis takes a distribution by its mean: in its body, in its requests, in those that
 * its component's labels make. For coercion_chain.c, which refuses it under --deny-lossy, for `psl explain`, and for
 * the report. What arguments of requests become is coercion_chain.c's own. */
#include "interp/resolve/resolve.h"
#include "grammar/children.h"
#include "interp/evaluate/builtin.h"

#include <string.h>

struct finder {
  struct resolver *r;
  struct means *means;
  uint32_t capacity;
};

static void look(struct finder *f, const struct expr *expr, const struct type *wanted);

bool takes_mean(const struct type *from, const struct type *to) {
  if (from->kind == TYPE_DISTRIBUTION) return to->kind == TYPE_REAL || to->kind == TYPE_INT;
  if (from->kind == TYPE_LIST && to->kind == TYPE_LIST) return takes_mean(from->element, to->element);
  if (from->kind != TYPE_RECORD || to->kind != TYPE_RECORD) return false;
  for (uint32_t i = 0; i < from->field_count && i < to->field_count; i++)
    if (takes_mean(from->fields[i].type, to->fields[i].type)) return true;
  return false;
}

static bool look_child(const struct expr *expr, void *user) {
  look(user, expr, NULL);
  return false;
}

static const struct type *parameter_type(const struct symbol *callee, uint32_t k) {
  if (callee->kind == SYMBOL_FUNCTION)
    return k < callee->function->param_count ? callee->function->params[k]->type : NULL;
  if (callee->kind == SYMBOL_EVALUATOR_FUNCTION && callee->signature)
    return k < callee->signature->count ? callee->signature->types[k] : NULL;
  return NULL;
}

static void look_call(struct finder *f, const struct expr *expr) {
  const struct type *number = f->r->model->types.real;
  const struct symbol *callee = expr->call->symbol;
  bool built_in = callee && callee->kind == SYMBOL_BUILTIN;
  for (uint32_t b = 0; b < expr->call->binder_count; b++)
    look(f, expr->call->binders[b].range, NULL);
  for (uint32_t k = 0; k < expr->call->bound_count || (!expr->call->bound && k < expr->call->args.value_count); k++) {
    const struct expr *argument = expr->call->bound ? expr->call->bound[k] : expr->call->args.values[k];
    const struct type *wanted = built_in && !callee->builtin->takes_distribution ? number
                                : callee && !built_in                            ? parameter_type(callee, k)
                                                                                 : NULL;
    if (argument) look(f, argument, callee && callee->kind == SYMBOL_LABEL ? number : wanted);
  }
}

static void look_into(struct finder *f, const struct expr *expr) {
  const struct type *number = f->r->model->types.real, *type = expr->type;
  if (expr->kind == EXPR_UNARY) {
    look(f, expr->unary.operand, number);
  } else if (expr->kind == EXPR_BINARY) {
    look(f, expr->binary.left, number);
    look(f, expr->binary.right, number);
  } else if (expr->kind == EXPR_IF) {
    look(f, expr->branch.condition, NULL);
    look(f, expr->branch.then, type);
    look(f, expr->branch.otherwise, type);
  } else if (expr->kind == EXPR_LIST) {
    for (uint32_t i = 0; i < expr->list.count; i++)
      look(f, expr->list.items[i], type && type->kind == TYPE_LIST ? type->element : NULL);
  } else if (expr->kind == EXPR_CALL) {
    look_call(f, expr);
  } else {
    expr_any_child(expr, look_child, f);
  }
}

static void look(struct finder *f, const struct expr *expr, const struct type *wanted) {
  if (!expr) return;
  if (!wanted || !expr->type || !takes_mean(expr->type, wanted)) {
    look_into(f, expr);
    return;
  }
  for (uint32_t i = 0; i < f->means->count; i++)
    if (f->means->items[i] == expr) return;
  ARENA_PUSH(f->r->arena, f->means->items, f->means->count, f->capacity, expr);
}

static void look_block(struct finder *f, const struct block *block, const struct type *result) {
  const struct type *number = f->r->model->types.real;
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next)
    switch (stmt->kind) {
    case STMT_LET: look(f, stmt->assign.value, stmt->assign.symbol ? stmt->assign.symbol->type : NULL); break;
    case STMT_ASSIGN: look(f, stmt->assign.value, stmt->assign.target->type); break;
    case STMT_CALL: look(f, stmt->assign.value, NULL); break;
    case STMT_RETURN: look(f, stmt->assign.value, result); break;
    case STMT_HOLD: look(f, stmt->hold, number); break;
    case STMT_RECORD: look(f, stmt->record.value, number); break;
    case STMT_PROFILE: look(f, stmt->record.value, stmt->record.symbol ? stmt->record.symbol->type : NULL); break;
    case STMT_ASSERT: look(f, stmt->assertion, NULL); break;
    case STMT_IF:
      look(f, stmt->branch.condition, NULL);
      look_block(f, &stmt->branch.then, result);
      look_block(f, &stmt->branch.otherwise, result);
      break;
    case STMT_ONE_OF:
      for (uint32_t i = 0; i < stmt->chances.count; i++) {
        look(f, stmt->chances.items[i].value, NULL);
        look_block(f, &stmt->chances.items[i].body, result);
      }
      break;
    case STMT_FIRST_OF:
      for (uint32_t i = 0; i < stmt->heads.count; i++) {
        look_block(f, &stmt->heads.items[i].wait, result);
        look_block(f, &stmt->heads.items[i].body, result);
      }
      break;
    case STMT_WHILE:
      look(f, stmt->loop.condition, NULL);
      look_block(f, &stmt->loop.body, result);
      break;
    case STMT_FOR:
      look(f, stmt->each.range, NULL);
      look_block(f, &stmt->each.body, result);
      break;
    case STMT_KINDS: break;
    }
}

struct means means_in_block(struct resolver *r, const struct block *block, const struct type *result) {
  struct means means = {.known = true};
  struct finder finder = {.r = r, .means = &means};
  look_block(&finder, block, result);
  return means;
}

static void look_request(struct finder *f, const struct model_request *request) {
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    look(f, request->args[k], NULL);
  look(f, request->by, f->r->model->types.real);
  look(f, request->delay, f->r->model->types.real);
  look(f, request->patience, f->r->model->types.real);
}

/* By who takes distributions at their means: not by evaluators of networks, who are handed them whole. */
bool accept_is_analytic(struct resolver *r, const struct model_accept *accept) {
  struct value mode;
  if (!resolver_constant(r, accept, KNOWN_EVALUATION_MODE, &mode) || mode.kind != VALUE_TERM ||
      !name_is(name_id(r, mode.term.head), KNOWN_ANALYSIS))
    return false;
  return !mode.term.qualifier || !network_evaluator(r->model, name_id(r, mode.term.qualifier)->text);
}

const struct means *means_of(struct resolver *r, const struct model_accept *accept) {
  struct means *means = &r->graph->means[accept->id];
  const struct model_component *component = accept->component;
  struct finder finder = {.r = r, .means = means};
  if (means->known) return means;
  means->known = true;
  if (!accept_is_analytic(r, accept)) return means;
  look_block(&finder, accept->body, accept->result);
  for (uint32_t k = 0; k < component->request_count; k++)
    if (component->requests[k]->label || component->requests[k]->accept == accept)
      look_request(&finder, component->requests[k]);
  return means;
}
