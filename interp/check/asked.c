/* Params of components whose value is a call: `param W : time = call work(17, 17);`. Each becomes a var, and what its
 * bodies begin with: where it has not been asked for yet, the call, its range, and a record of it. So the request is
 * matched and made as any other. Where others may enter an instance meanwhile, one more var says that it asks, and a
 * firing rule lets nobody in before it does not. */
#include "interp/check/checker.h"
#include "grammar/children.h"

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

/* A var that is false at first. */
static struct decl *flag(struct checker *c, const struct decl *param, struct ident name) {
  struct decl *decl = ARENA_NEW(c->arena, struct decl);
  *decl = (struct decl){.kind = DECL_VAR, .span = param->span, .name = name};
  decl->value.value = node(c, EXPR_BOOLEAN, param->span);
  return decl;
}

struct decl *asked_known(struct checker *c, const struct decl *param) {
  return flag(c, param, known_name(c, param));
}

struct decl *asked_asking(struct checker *c, const struct decl *param) {
  return flag(c, param, (struct ident){.name = name_of(c->model->names, "it asks"), .span = param->name.span});
}

/* What it is until it is asked for, which nobody sees; its place is that of the question. */
static struct expr *nothing(struct checker *c, const struct symbol *var) {
  enum type_kind type = var->type->kind;
  struct expr *expr = node(c,
                           type == TYPE_REAL  ? EXPR_REAL
                           : type == TYPE_INT ? EXPR_INTEGER
                                              : EXPR_LIST,
                           var->decl->value.value->span);
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

static struct stmt *assign_flag(struct checker *c, const struct decl *param, struct ident name, bool value,
                                struct stmt *next) {
  struct expr *flag = node(c, EXPR_BOOLEAN, param->span);
  flag->boolean = value;
  return assign(c, name, flag, false, next);
}

/* if not known { asking = true; W = call …; known = true; asking = false; assert W in …; record W = W; } */
static struct stmt *question(struct checker *c, const struct model_component *component, const struct symbol *var,
                             struct stmt *next) {
  const struct decl *param = var->decl;
  struct stmt *stmt = stmt_new(c, STMT_IF, param->span, next), *then = NULL;
  struct expr *condition = stmt->branch.condition = node(c, EXPR_UNARY, param->span);
  condition->unary.op = OP_NOT;
  condition->unary.operand = name_node(c, known_name(c, param));
  if (var->type->kind != TYPE_LIST) then = record_of(c, param, then);
  if (param->value.range) then = range_test(c, param, then);
  then = assign_flag(c, param, component->asking->decl->name, false, then);
  then = assign_flag(c, param, known_name(c, param), true, then);
  then = assign(c, param->name, clone_expr(c->arena, param->value.value), true, then);
  then = assign_flag(c, param, component->asking->decl->name, true, then);
  stmt->branch.then = (struct block){.first = then, .depth = 1, .span = param->span};
  return stmt;
}

/* not asking [and rule] */
static struct expr *rule_of(struct checker *c, const struct model_component *component, struct expr *rule) {
  struct expr *asks = name_node(c, component->asking->decl->name);
  struct expr *free = node(c, EXPR_UNARY, component->asking->span);
  asks->name.symbol = component->asking;
  asks->type = free->type = c->model->types.boolean;
  free->unary.op = OP_NOT;
  free->unary.operand = asks;
  if (!rule) return free;
  struct expr *both = node(c, EXPR_BINARY, rule->span);
  both->type = c->model->types.boolean;
  both->binary.op = OP_AND;
  both->binary.left = free;
  both->binary.right = rule;
  return both;
}

/* Before the first statement of each body, in the order of the params; from then on the var begins as nothing. */
void asked_begin(struct checker *c, struct model_component *component) {
  for (uint32_t a = 0; a < component->accept_count; a++) {
    struct model_accept *accept = component->accepts[a];
    struct block *body = accept->body;
    if (!body) {
      body = accept->body = ARENA_NEW(c->arena, struct block);
      body->span = accept->syntax->txn.span;
    }
    for (uint32_t k = component->var_count; k-- > 0;)
      if (component->vars[k]->decl->value.asked) body->first = question(c, component, component->vars[k], body->first);
    if (body->depth < 2) body->depth = 2;
  }
  for (uint32_t k = 0; k < component->var_count; k++)
    if (component->vars[k]->decl->value.asked) component->vars[k]->decl->value.value = nothing(c, component->vars[k]);
}

/* What is read where `var` is asked for; `call` makes the request that reads it, NULL: the question itself does. */
static void check_known(struct checker *c, const struct symbol *var, const struct expr *expr, uint32_t first_unknown,
                        const struct expr *call) {
  if (!expr) return;
  const struct symbol *read = expr_symbol(expr);
  if (read && read->kind == SYMBOL_VAR && read->decl->value.asked && read->slot >= first_unknown) {
    check_error(c, expr->span, "'%s' is not known yet when '%s' is asked for", read->name->text, var->name->text);
    if (call) check_note(c, call->span, "the request is made here");
    if (read != var) check_note(c, read->decl->value.value->span, "it is asked for here");
  }
  for (struct children operands = expr_operands(expr); children_next(&operands);)
    check_known(c, var, *operands.expr, first_unknown, call);
}

/* Selectors know no param that is asked for. */
static void check_request_known(struct checker *c, const struct symbol *var, const struct model_request *request,
                                const struct expr *call) {
  for (uint32_t i = 0; request->args && i < request->transaction->param_count; i++)
    check_known(c, var, request->args[i], var->slot, call);
  const struct expr *const clauses[] = {request->by, request->visits, request->delay, request->patience};
  for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
    check_known(c, var, clauses[i], var->slot, call);
}

/* A question, the request that it makes and its range may speak of what was asked for before. */
static void check_question(struct checker *c, const struct symbol *var, const struct stmt *answer) {
  const struct symbol *callee = answer->assign.callee;
  const struct stmt *test = answer;
  check_known(c, var, answer->assign.value, var->slot, NULL);
  if (callee && callee->kind == SYMBOL_LABEL) check_request_known(c, var, callee->request, answer->assign.value);
  while (test && test->kind != STMT_ASSERT)
    test = test->next;
  if (test) check_known(c, var, test->assertion->compare.operands[1], var->slot + 1, NULL);
}

/* The bodies are checked, and begin with the questions. Where others can come meanwhile, they wait. */
void asked_check(struct checker *c, struct model_component *component) {
  const struct stmt *stmt = component->accept_count ? component->accepts[0]->body->first : NULL;
  while (stmt && stmt->made)
    stmt = stmt->next;
  uint32_t capacity = 0;
  for (uint32_t a = 0; component_entered_again(component) && a < component->accept_count; a++)
    component->accepts[a]->firing_rule = rule_of(c, component, component->accepts[a]->firing_rule);
  for (uint32_t k = 0; stmt && k < component->var_count; k++) {
    const struct symbol *var = component->vars[k];
    if (!var->decl->value.asked) continue;
    const struct stmt *answer = stmt->branch.then.first->next;
    struct model_question question = {var, answer->assign.callee};
    if (question.callee) ARENA_PUSH(c->arena, component->questions, component->question_count, capacity, question);
    check_question(c, var, answer);
    stmt = stmt->next;
  }
}
