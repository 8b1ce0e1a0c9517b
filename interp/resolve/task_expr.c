/* Expressions of static task graphs: copies, names in place of which something else is put, sums that are simple enough
 * to be read.  Nobody checks them; whoever evaluates one has it parsed again.  Called by task_graph.c and by
 * interp/taskgraph/. */
#include "interp/resolve/task_graph.h"
#include "grammar/children.h"

#include <string.h>

static const struct expr *value_for(const struct expr *expr, const struct renaming *names, uint32_t count) {
  for (uint32_t k = 0; expr->kind == EXPR_NAME && k < count; k++)
    if (names[k].name == expr->name.name) return names[k].value;
  return NULL;
}

struct expr *task_expr_with(struct arena *arena, const struct expr *expr, const struct renaming *names,
                            uint32_t count) {
  if (!expr) return NULL;
  const struct expr *value = value_for(expr, names, count);
  if (value) return task_expr_copy(arena, value);
  struct expr *copy = memcpy(ARENA_NEW(arena, struct expr), expr, sizeof *expr);
  copy->parentheses = 0;
  expr_unshare(arena, copy);
  for (struct children c = expr_children(copy); children_next(&c);)
    if (c.expr && !(copy->kind == EXPR_CALL && *c.expr == copy->call->callee))
      *c.expr = task_expr_with(arena, *c.expr, names, count);
  return copy;
}

struct expr *task_expr_copy(struct arena *arena, const struct expr *expr) {
  return task_expr_with(arena, expr, NULL, 0);
}

bool task_expr_reads(const struct expr *expr, const struct name *name) {
  if (!expr) return false;
  if (expr->kind == EXPR_NAME) return expr->name.name == name;
  for (struct children c = expr_children(expr); children_next(&c);)
    if (c.expr && task_expr_reads(*c.expr, name)) return true;
  return false;
}

struct expr *task_expr_integer(struct arena *arena, int64_t value) {
  struct expr *expr = ARENA_NEW(arena, struct expr);
  expr->kind = EXPR_INTEGER;
  expr->integer = value;
  return expr;
}

bool task_expr_is(const struct expr *expr, int64_t value) {
  return expr && expr->kind == EXPR_INTEGER && expr->integer == value;
}

static struct expr *binary(struct arena *arena, enum operator op, struct expr *left, struct expr *right) {
  struct expr *expr = ARENA_NEW(arena, struct expr);
  expr->kind = EXPR_BINARY;
  expr->depth = (uint16_t)(1 + (left->depth > right->depth ? left->depth : right->depth));
  expr->binary.op = op;
  expr->binary.left = left;
  expr->binary.right = right;
  return expr;
}

static bool is_difference(const struct expr *expr, int64_t by) {
  return expr->kind == EXPR_BINARY && expr->binary.op == OP_SUB && task_expr_is(expr->binary.right, by);
}

struct expr *task_expr_binary(struct arena *arena, enum operator op, struct expr *left, struct expr *right) {
  bool numbers = left->kind == EXPR_INTEGER && right->kind == EXPR_INTEGER;
  int64_t value;
  if (numbers && op == OP_ADD && !__builtin_add_overflow(left->integer, right->integer, &value))
    return task_expr_integer(arena, value);
  if (numbers && op == OP_SUB && !__builtin_sub_overflow(left->integer, right->integer, &value))
    return task_expr_integer(arena, value);
  if (numbers && op == OP_MUL && !__builtin_mul_overflow(left->integer, right->integer, &value))
    return task_expr_integer(arena, value);
  if (numbers && op == OP_WHOLE && left->integer >= 0 && right->integer > 0)
    return task_expr_integer(arena, left->integer / right->integer);
  if ((op == OP_ADD || op == OP_SUB) && task_expr_is(right, 0)) return left;
  if (op == OP_ADD && task_expr_is(left, 0)) return right;
  if (op == OP_MUL && task_expr_is(left, 1)) return right;
  if (op == OP_MUL && task_expr_is(right, 1)) return left;
  if (op == OP_ADD && right->kind == EXPR_INTEGER && right->integer > 0 && is_difference(left, right->integer))
    return left->binary.left;
  return binary(arena, op, left, right);
}
