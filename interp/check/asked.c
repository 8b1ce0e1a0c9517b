/* Params of components whose value is a call: `param W : time = call work(17, 17);`. Each becomes a var, and what its
 * bodies begin with: where it has not been asked for yet, the call, its range, and a record of it. So nobody behind
 * the check knows of it, and the request is matched and made as any other. */
#include "interp/check/checker.h"

static struct expr *node(struct checker *c, enum expr_kind kind, struct span span) {
  struct expr *expr = ARENA_NEW(c->arena, struct expr);
  expr->kind = kind;
  expr->span = span;
  return expr;
}

static struct expr *name_node(struct checker *c, struct ident name) {
  struct expr *expr = node(c, EXPR_NAME, name.span);
  expr->name.name = name.name;
  return expr;
}

static struct stmt *stmt_new(struct checker *c, enum stmt_kind kind, struct span span, struct stmt *next) {
  struct stmt *stmt = ARENA_NEW(c->arena, struct stmt);
  stmt->kind = kind;
  stmt->span = span;
  stmt->next = next;
  return stmt;
}

static struct stmt *assign(struct checker *c, struct ident name, struct expr *value, bool is_call, struct stmt *next) {
  struct stmt *stmt = stmt_new(c, STMT_ASSIGN, value->span, next);
  stmt->assign.target = name_node(c, name);
  stmt->assign.value = value;
  stmt->assign.is_call = is_call;
  return stmt;
}

/* No name of a model has a blank. */
static struct ident known_name(struct checker *c, const struct decl *param) {
  const char *text = arena_printf(c->arena, "%s known", param->name.name->text);
  return (struct ident){.name = name_of(c->model->names, text), .span = param->name.span};
}

struct decl *asked_var(struct checker *c, const struct decl *param) {
  struct decl *decl = ARENA_NEW(c->arena, struct decl);
  *decl = *param;
  decl->kind = DECL_VAR;
  return decl;
}

struct decl *asked_known(struct checker *c, const struct decl *param) {
  struct decl *decl = ARENA_NEW(c->arena, struct decl);
  *decl = (struct decl){.kind = DECL_VAR, .span = param->span, .name = known_name(c, param)};
  decl->value.value = node(c, EXPR_BOOLEAN, param->span);
  return decl;
}

/* What it is until it is asked for, which nobody sees. */
static struct expr *nothing(struct checker *c, const struct symbol *var) {
  enum type_kind type = var->type->kind;
  struct expr *expr = node(c, type == TYPE_REAL ? EXPR_REAL : type == TYPE_INT ? EXPR_INTEGER : EXPR_LIST, var->span);
  expr->type = var->type;
  return expr;
}

static struct stmt *range_test(struct checker *c, const struct decl *param, struct stmt *next) {
  struct stmt *stmt = stmt_new(c, STMT_ASSERT, param->value.range->span, next);
  struct expr *test = stmt->assertion = node(c, EXPR_COMPARE, param->value.range->span);
  test->compare.count = 2;
  test->compare.operands = ARENA_ARRAY(c->arena, struct expr *, 2);
  test->compare.ops = ARENA_ARRAY(c->arena, enum operator, 1);
  test->compare.operands[0] = name_node(c, param->name);
  test->compare.operands[1] = clone_expr(c->arena, param->value.range);
  test->compare.ops[0] = OP_IN;
  return stmt;
}

static struct stmt *record_of(struct checker *c, const struct decl *param, struct stmt *next) {
  struct stmt *stmt = stmt_new(c, STMT_RECORD, param->name.span, next);
  stmt->record.name = param->name;
  stmt->record.value = name_node(c, param->name);
  return stmt;
}

/* if not known { W = call …; known = true; assert W in …; record W = W; } */
static struct stmt *question(struct checker *c, const struct symbol *var, struct stmt *next) {
  const struct decl *param = var->decl;
  struct stmt *stmt = stmt_new(c, STMT_IF, param->span, next), *then = NULL;
  struct expr *condition = stmt->branch.condition = node(c, EXPR_UNARY, param->span);
  struct expr *yes = node(c, EXPR_BOOLEAN, param->span);
  yes->boolean = true;
  condition->unary.op = OP_NOT;
  condition->unary.operand = name_node(c, known_name(c, param));
  if (var->type->kind != TYPE_LIST) then = record_of(c, param, then);
  if (param->value.range) then = range_test(c, param, then);
  then = assign(c, known_name(c, param), yes, false, then);
  then = assign(c, param->name, clone_expr(c->arena, param->value.value), true, then);
  stmt->branch.then = (struct block){.first = then, .depth = 1, .span = param->span};
  return stmt;
}

/* A question may speak of what was asked for before. */
static void check_order(struct checker *c, const struct model_component *component, uint32_t k) {
  for (uint32_t later = k; later < component->var_count; later++) {
    const struct symbol *var = component->vars[later];
    const struct expr *question = component->vars[k]->decl->value.value;
    if (!var->decl->value.asked || !expr_mentions(question, var->name)) continue;
    check_error(c, question->span, "'%s' is not known before '%s'", var->name->text, component->vars[k]->name->text);
    check_note(c, var->span, "it is asked for here");
  }
}

/* Before the first statement of each body, in the order of the params; from then on the var begins as nothing. */
void asked_begin(struct checker *c, struct model_component *component) {
  for (uint32_t k = 0; k < component->var_count; k++)
    if (component->vars[k]->decl->value.asked) check_order(c, component, k);
  for (uint32_t a = 0; a < component->accept_count; a++) {
    struct model_accept *accept = component->accepts[a];
    struct block *body = accept->body;
    if (!body) {
      body = accept->body = ARENA_NEW(c->arena, struct block);
      body->span = accept->syntax->txn.span;
    }
    for (uint32_t k = component->var_count; k-- > 0;)
      if (component->vars[k]->decl->value.asked) body->first = question(c, component->vars[k], body->first);
    if (body->depth < 2) body->depth = 2;
  }
  for (uint32_t k = 0; k < component->var_count; k++)
    if (component->vars[k]->decl->value.asked) component->vars[k]->decl->value.value = nothing(c, component->vars[k]);
}
