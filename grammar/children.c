/* The children of expressions and statements, read from the table in grammar/ast.def. */
#include "grammar/children.h"

#include <stddef.h>
#include <string.h>

enum { ROWS = 6 }; /* of a kind, the last one CHILD_NONE */

#define LEAF
#define ONE(m) {CHILD_EXPR, NULL, offsetof(struct NODE, m), 0},
#define UNDER(what, m) {CHILD_EXPR, what, offsetof(struct NODE, m), 0},
#define MANY(m, count) {CHILD_EXPRS, NULL, offsetof(struct NODE, m), offsetof(struct NODE, count)},
#define FIELDS(what, m, count) {CHILD_FIELDS, what, offsetof(struct NODE, m), offsetof(struct NODE, count)},
#define BINDERS(m, count) {CHILD_BINDERS, "binder", offsetof(struct NODE, m), offsetof(struct NODE, count)},
#define NAME_OF(m) {CHILD_NAME, NULL, offsetof(struct NODE, m), 0},
#define BLOCK(what, m) {CHILD_BLOCK, what, offsetof(struct NODE, m), 0},
#define CHANCES(m, count) {CHILD_CHANCES, "chance", offsetof(struct NODE, m), offsetof(struct NODE, count)},
#define HEADS(m, count) {CHILD_HEADS, "head", offsetof(struct NODE, m), offsetof(struct NODE, count)},

#define NODE expr
static const struct child_row expr_rows[EXPR_KINDS][ROWS] = {
#define EXPR(kind, text, children) [EXPR_##kind] = {children{CHILD_NONE, NULL, 0, 0}},
#define APART(kind, text, children) [EXPR_##kind] = {{CHILD_NONE, NULL, 0, 0}},
#include "grammar/ast.def"
};
#undef NODE
#define NODE call
static const struct child_row call_rows[ROWS] = {
#define APART(kind, text, children) children{CHILD_NONE, NULL, 0, 0},
#include "grammar/ast.def"
};
#undef NODE
#define NODE stmt
static const struct child_row stmt_rows[STMT_KINDS][ROWS] = {
#define STMT(kind, text, children) [STMT_##kind] = {children{CHILD_NONE, NULL, 0, 0}},
#include "grammar/ast.def"
};

struct children expr_children(const struct expr *expr) {
  if (expr->kind == EXPR_CALL) return (struct children){.node = expr->call, .row = call_rows};
  return (struct children){.node = expr, .row = expr_rows[expr->kind]};
}

struct children stmt_children(const struct stmt *stmt) {
  return (struct children){.node = stmt, .row = stmt_rows[stmt->kind]};
}

struct children expr_operands(const struct expr *expr) {
  bool name = (expr->kind == EXPR_INDEX && expr->index.term) || (expr->kind == EXPR_MEMBER && expr->member.symbol);
  struct children children = expr_children(expr);
  children.evaluated = true;
  children.ended = name;
  return children;
}

static uint32_t row_count(const struct children *c) {
  enum child_form form = c->row->form;
  bool pairs = form == CHILD_CHANCES || form == CHILD_HEADS;
  bool several = form == CHILD_EXPRS || form == CHILD_FIELDS || form == CHILD_BINDERS || pairs;
  uint32_t count = several ? *(const uint32_t *)((const char *)c->node + c->row->count_member) : 1;
  return pairs ? 2 * count : count;
}

/* The child of that number in the row; false: none stands there. */
static bool take(struct children *c, uint32_t k) {
  char *member = (char *)c->node + c->row->member;
  c->expr = NULL;
  c->block = NULL;
  c->name = NULL;
  c->binder = NULL;
  switch (c->row->form) {
  case CHILD_NONE: return false;
  case CHILD_NAME: c->expr = (struct expr **)member; return !c->evaluated;
  case CHILD_EXPR: c->expr = (struct expr **)member; return *c->expr != NULL;
  case CHILD_EXPRS: c->expr = *(struct expr ***)member + k; return *c->expr != NULL;
  case CHILD_FIELDS: {
    struct field *field = *(struct field **)member + k;
    c->name = &field->name;
    if (field->value) c->expr = &field->value;
    return field->value || !c->evaluated;
  }
  case CHILD_BINDERS: {
    struct binder *binder = *(struct binder **)member + k;
    c->binder = binder;
    c->name = &binder->name;
    c->expr = &binder->range;
    return true;
  }
  case CHILD_BLOCK: c->block = (struct block *)member; return true;
  case CHILD_CHANCES: { /* the number, then its block */
    struct chance *chance = *(struct chance **)member + k / 2;
    if (k % 2)
      c->block = &chance->body;
    else
      c->expr = &chance->value;
    return true;
  }
  case CHILD_HEADS: {
    struct head *head = *(struct head **)member + k / 2;
    c->block = k % 2 ? &head->body : &head->wait;
    return true;
  }
  }
  return false;
}

bool children_next(struct children *c) {
  while (!c->ended) {
    if (c->next < row_count(c) && c->row->form != CHILD_NONE) {
      if (take(c, c->next++)) return true;
    } else if (c->row->form == CHILD_NONE) {
      c->ended = true;
    } else {
      c->row++;
      c->next = 0;
    }
  }
  return false;
}

bool expr_any_child(const struct expr *expr, expr_visit *visit, void *user) {
  for (struct children c = expr_operands(expr); children_next(&c);)
    if (visit(*c.expr, user)) return true;
  return false;
}

bool block_any(const struct block *block, expr_visit *visit, void *user) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next)
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.expr ? visit(*c.expr, user) : c.block && block_any(c.block, visit, user)) return true;
  return false;
}

bool block_has(const struct block *block, enum stmt_kind kind) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next) {
    if (stmt->kind == kind) return true;
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && block_has(c.block, kind)) return true;
  }
  return false;
}

static void copy_array(struct arena *arena, void *node, const struct child_row *row, size_t size) {
  void **array = (void **)((char *)node + row->member);
  uint32_t count = *(uint32_t *)((char *)node + row->count_member);
  if (count) *array = memcpy(arena_alloc(arena, size * count), *array, size * count);
}

static void unshare(struct arena *arena, void *node, const struct child_row *row) {
  for (; row->form != CHILD_NONE; row++) {
    if (row->form == CHILD_EXPRS) copy_array(arena, node, row, sizeof(struct expr *));
    if (row->form == CHILD_FIELDS) copy_array(arena, node, row, sizeof(struct field));
    if (row->form == CHILD_BINDERS) copy_array(arena, node, row, sizeof(struct binder));
    if (row->form == CHILD_CHANCES) copy_array(arena, node, row, sizeof(struct chance));
    if (row->form == CHILD_HEADS) copy_array(arena, node, row, sizeof(struct head));
  }
}

void expr_unshare(struct arena *arena, struct expr *expr) {
  if (expr->kind != EXPR_CALL) {
    unshare(arena, expr, expr_rows[expr->kind]);
    return;
  }
  expr->call = memcpy(ARENA_NEW(arena, struct call), expr->call, sizeof *expr->call);
  unshare(arena, expr->call, call_rows);
}

void stmt_unshare(struct arena *arena, struct stmt *stmt) { unshare(arena, stmt, stmt_rows[stmt->kind]); }
