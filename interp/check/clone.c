/* A deep copy of a component's syntax for `like`, so that each copy has annotations of its own.  Names, texts
 * and spans are shared with the original. */
#include "interp/check/checker.h"
#include "grammar/children.h"

#include <string.h>

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

static struct args clone_args(struct arena *a, const struct args *from) {
  struct args to = *from;
  to.values = clone_exprs(a, from->values, from->value_count);
  to.fields = clone_fields(a, from->fields, from->field_count);
  return to;
}

struct expr *clone_expr(struct arena *a, const struct expr *from) {
  if (!from) return NULL;
  struct expr *to = COPY(a, struct expr, from, 1);
  expr_unshare(a, to);
  for (struct children c = expr_children(to); children_next(&c);)
    if (c.expr) *c.expr = clone_expr(a, *c.expr);
  return to;
}

static void clone_block(struct arena *a, struct block *block);

static void clone_stmt(struct arena *a, struct stmt *stmt) {
  stmt_unshare(a, stmt);
  for (struct children c = stmt_children(stmt); children_next(&c);) {
    if (c.expr) *c.expr = clone_expr(a, *c.expr);
    if (c.block) clone_block(a, c.block);
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
  request->by = clone_expr(a, request->by);
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
  if (decl->component.changed) {
    to->component.changed = COPY(a, struct accept, decl->component.changed, 1);
    clone_accept(a, to->component.changed);
  }
  struct decl **link = &to->component.locals;
  for (const struct decl *from = decl->component.locals; from; from = from->next) {
    *link = clone_local(a, from);
    link = &(*link)->next;
  }
  return to;
}
