/* A deep copy of a component's syntax for `like`, so that each copy has annotations of its own.  Names, texts
 * and spans are shared with the original. */
#include "interp/check/checker.h"

#include <string.h>

static struct expr *clone_expr(struct arena *a, const struct expr *expr);

#define COPY(arena, type, from, count) \
  ((type *)((from) ? memcpy(ARENA_ARRAY((arena), type, (count)), (from), sizeof(type) * (size_t)(count)) : NULL))

static struct expr **clone_exprs(struct arena *a, struct expr **from, uint32_t count) {
  struct expr **to = ARENA_ARRAY(a, struct expr *, count);
  for (uint32_t i = 0; i < count; i++)
    to[i] = clone_expr(a, from[i]);
  return to;
}

static struct field *clone_fields(struct arena *a, const struct field *from, uint32_t count) {
  struct field *to = COPY(a, struct field, from, count);
  for (uint32_t i = 0; i < count; i++)
    to[i].value = clone_expr(a, from[i].value);
  return to;
}

static struct binder *clone_binders(struct arena *a, const struct binder *from, uint32_t count) {
  struct binder *to = COPY(a, struct binder, from, count);
  for (uint32_t i = 0; i < count; i++)
    to[i].range = clone_expr(a, from[i].range);
  return to;
}

static struct args clone_args(struct arena *a, const struct args *from) {
  struct args to = *from;
  to.values = clone_exprs(a, from->values, from->value_count);
  to.fields = clone_fields(a, from->fields, from->field_count);
  return to;
}

static struct expr *clone_expr(struct arena *a, const struct expr *from) {
  if (!from) return NULL;
  struct expr *to = COPY(a, struct expr, from, 1);
  switch (from->kind) {
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_QUANTITY:
  case EXPR_STRING:
  case EXPR_BOOLEAN:
  case EXPR_NAME:
  case EXPR_NA:
  case EXPR_KINDS: break;
  case EXPR_UNARY: to->unary.operand = clone_expr(a, from->unary.operand); break;
  case EXPR_BINARY:
    to->binary.left = clone_expr(a, from->binary.left);
    to->binary.right = clone_expr(a, from->binary.right);
    break;
  case EXPR_COMPARE: to->compare.operands = clone_exprs(a, from->compare.operands, from->compare.count); break;
  case EXPR_IF:
    to->branch.condition = clone_expr(a, from->branch.condition);
    to->branch.then = clone_expr(a, from->branch.then);
    to->branch.otherwise = clone_expr(a, from->branch.otherwise);
    break;
  case EXPR_RANGE:
    to->range.low = clone_expr(a, from->range.low);
    to->range.high = clone_expr(a, from->range.high);
    break;
  case EXPR_INDEX:
    to->index.base = clone_expr(a, from->index.base);
    to->index.subscripts = clone_exprs(a, from->index.subscripts, from->index.count);
    break;
  case EXPR_CALL:
    to->call.callee = clone_expr(a, from->call.callee);
    to->call.args = clone_args(a, &from->call.args);
    to->call.binders = clone_binders(a, from->call.binders, from->call.binder_count);
    break;
  case EXPR_MEMBER: to->member.base = clone_expr(a, from->member.base); break;
  case EXPR_LIST: to->list.items = clone_exprs(a, from->list.items, from->list.count); break;
  case EXPR_EACH:
    to->each.binders = clone_binders(a, from->each.binders, from->each.binder_count);
    to->each.body = clone_expr(a, from->each.body);
    break;
  case EXPR_RECORD: to->record.fields = clone_fields(a, from->record.fields, from->record.count); break;
  case EXPR_CLAUSE: to->clause.value = clone_expr(a, from->clause.value); break;
  }
  return to;
}

static void clone_block(struct arena *a, struct block *block);

static void clone_stmt(struct arena *a, struct stmt *stmt) {
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN:
    stmt->assign.target = clone_expr(a, stmt->assign.target);
    stmt->assign.value = clone_expr(a, stmt->assign.value);
    break;
  case STMT_HOLD: stmt->hold = clone_expr(a, stmt->hold); break;
  case STMT_RECORD:
  case STMT_PROFILE:
    stmt->record.value = clone_expr(a, stmt->record.value);
    stmt->record.options = clone_fields(a, stmt->record.options, stmt->record.option_count);
    break;
  case STMT_ASSERT: stmt->assertion = clone_expr(a, stmt->assertion); break;
  case STMT_IF:
    stmt->branch.condition = clone_expr(a, stmt->branch.condition);
    clone_block(a, &stmt->branch.then);
    clone_block(a, &stmt->branch.otherwise);
    break;
  case STMT_WHILE:
    stmt->loop.condition = clone_expr(a, stmt->loop.condition);
    clone_block(a, &stmt->loop.body);
    break;
  case STMT_FOR:
    stmt->each.range = clone_expr(a, stmt->each.range);
    stmt->each.step = clone_expr(a, stmt->each.step);
    clone_block(a, &stmt->each.body);
    break;
  case STMT_KINDS: break;
  }
}

static void clone_block(struct arena *a, struct block *block) {
  struct stmt **link = &block->first;
  for (const struct stmt *from = block->first; from; from = from->next) {
    struct stmt *to = COPY(a, struct stmt, from, 1);
    clone_stmt(a, to);
    *link = to;
    link = &to->next;
  }
}

static struct param *clone_params(struct arena *a, const struct param *from, uint32_t count) {
  struct param *to = COPY(a, struct param, from, count);
  for (uint32_t i = 0; i < count; i++)
    to[i].value = clone_expr(a, from[i].value);
  return to;
}

static struct pair *clone_pairs(struct arena *a, const struct pair *from, uint32_t count) {
  struct pair *to = COPY(a, struct pair, from, count);
  for (uint32_t i = 0; i < count; i++)
    to[i].value = clone_expr(a, from[i].value);
  return to;
}

static void clone_accept(struct arena *a, struct accept *accept) {
  accept->pairs = clone_pairs(a, accept->pairs, accept->pair_count);
  accept->txn.args = clone_args(a, &accept->txn.args);
  accept->settings = COPY(a, struct setting, accept->settings, accept->setting_count);
  for (uint32_t i = 0; i < accept->setting_count; i++)
    accept->settings[i].value = clone_expr(a, accept->settings[i].value);
}

static void clone_request(struct arena *a, struct request *request) {
  request->params = clone_params(a, request->params, request->param_count);
  request->where = clone_expr(a, request->where);
  request->selector = clone_expr(a, request->selector);
  request->txn.args = clone_args(a, &request->txn.args);
  request->settings = clone_fields(a, request->settings, request->setting_count);
}

struct part *clone_parts(struct arena *a, const struct part *from) {
  struct part *first = NULL, **link = &first;
  for (; from; from = from->next) {
    struct part *to = COPY(a, struct part, from, 1);
    clone_accept(a, &to->accept);
    clone_block(a, &to->body);
    to->requests = COPY(a, struct request, from->requests, from->request_count);
    for (uint32_t i = 0; i < to->request_count; i++)
      clone_request(a, &to->requests[i]);
    *link = to;
    link = &to->next;
  }
  return first;
}

struct decl *clone_local(struct arena *a, const struct decl *from) {
  if (from->kind == DECL_COMPONENT) return clone_component(a, from);
  struct decl *to = COPY(a, struct decl, from, 1);
  to->symbol = NULL;
  if (from->kind == DECL_FUNCTION) {
    struct signature *signature = &to->function.signature;
    signature->params = clone_params(a, signature->params, signature->param_count);
    to->function.value = clone_expr(a, from->function.value);
  } else {
    to->value.value = clone_expr(a, from->value.value);
    to->value.range = clone_expr(a, from->value.range);
  }
  return to;
}

struct decl *clone_component(struct arena *a, const struct decl *decl) {
  struct decl *to = COPY(a, struct decl, decl, 1);
  to->symbol = NULL;
  to->component.set = clone_expr(a, decl->component.set);
  to->component.parts = clone_parts(a, decl->component.parts);
  to->component.replaced = clone_pairs(a, decl->component.replaced, decl->component.replaced_count);
  struct decl **link = &to->component.locals;
  for (const struct decl *from = decl->component.locals; from; from = from->next) {
    *link = clone_local(a, from);
    link = &(*link)->next;
  }
  return to;
}
