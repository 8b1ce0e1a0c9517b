/* Expressions as they are written again: whatever tree there is, its text is read to the same tree, where -3 may be a
 * literal or the negation of one. */
#include "tests/unit/unit.h"

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/name.h"
#include "grammar/text.h"
#include <math.h>
#include <string.h>

struct maker {
  struct arena *arena;
  struct names *names;
  uint64_t state;
};

static unsigned choose(struct maker *m, unsigned count) {
  m->state = m->state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(m->state >> 33) % count;
}

static struct expr *leaf(struct maker *m) {
  static const char *const units[] = {"s", "MB/s", "s^2", "%"};
  struct expr *expr = ARENA_NEW(m->arena, struct expr);
  int sign = choose(m, 3) ? 1 : -1;
  switch (choose(m, 5)) {
  case 0:
    expr->kind = EXPR_REAL;
    expr->real = sign * (choose(m, 3) ? choose(m, 1000) / 8.0 : 3e9);
    break;
  case 1:
    expr->kind = EXPR_QUANTITY;
    expr->quantity.value = sign * (double)(1 + choose(m, 20));
    expr->quantity.whole = true;
    expr->quantity.unit = units[choose(m, 4)];
    break;
  case 2:
    expr->kind = EXPR_NAME;
    expr->name.name = name_of(m->names, choose(m, 2) ? "n" : "work-load");
    break;
  default:
    expr->kind = EXPR_INTEGER;
    expr->integer = sign * (int64_t)choose(m, 100);
    break;
  }
  return expr;
}

static struct expr *made(struct maker *m, unsigned depth);

static struct expr *made_binary(struct maker *m, unsigned depth) {
  static const enum operator ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_WHOLE, OP_MOD, OP_POW, OP_AND, OP_OR};
  struct expr *expr = ARENA_NEW(m->arena, struct expr);
  expr->kind = EXPR_BINARY;
  expr->binary.op = ops[choose(m, 9)];
  expr->binary.left = made(m, depth);
  expr->binary.right = made(m, depth);
  return expr;
}

static struct expr *made_compare(struct maker *m, unsigned depth) {
  struct expr *expr = ARENA_NEW(m->arena, struct expr);
  expr->kind = EXPR_COMPARE;
  expr->compare.count = 2 + choose(m, 2);
  expr->compare.operands = ARENA_ARRAY(m->arena, struct expr *, expr->compare.count);
  expr->compare.ops = ARENA_ARRAY(m->arena, enum operator, expr->compare.count - 1);
  for (uint32_t i = 0; i < expr->compare.count; i++) {
    expr->compare.operands[i] = made(m, depth);
    if (i) expr->compare.ops[i - 1] = choose(m, 2) ? OP_LT : OP_LE;
  }
  return expr;
}

static struct expr *made(struct maker *m, unsigned depth) {
  if (!depth) return leaf(m);
  struct expr *expr = ARENA_NEW(m->arena, struct expr);
  switch (choose(m, 9)) {
  case 0:
    expr->kind = EXPR_UNARY;
    expr->unary.op = choose(m, 4) ? OP_NEG : OP_NOT;
    expr->unary.operand = made(m, depth - 1);
    return expr;
  case 1: return made_compare(m, depth - 1);
  case 2:
    expr->kind = EXPR_IF;
    expr->branch.condition = made(m, depth - 1);
    expr->branch.then = made(m, depth - 1);
    expr->branch.otherwise = made(m, depth - 1);
    return expr;
  case 3:
    expr->kind = EXPR_LIST;
    expr->list.count = 1 + choose(m, 2);
    expr->list.items = ARENA_ARRAY(m->arena, struct expr *, expr->list.count);
    for (uint32_t i = 0; i < expr->list.count; i++)
      expr->list.items[i] = made(m, depth - 1);
    return expr;
  default: return made_binary(m, depth - 1);
  }
}

/* A negative literal is read as the negation of one. */
static bool is_negated(const struct expr *literal, const struct expr *read);

static bool same(const struct expr *a, const struct expr *b) {
  if (is_negated(a, b)) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case EXPR_INTEGER: return a->integer == b->integer;
  case EXPR_REAL: return a->real == b->real;
  case EXPR_QUANTITY: return a->quantity.value == b->quantity.value && !strcmp(a->quantity.unit, b->quantity.unit);
  case EXPR_NAME: return a->name.name == b->name.name;
  case EXPR_UNARY: return a->unary.op == b->unary.op && same(a->unary.operand, b->unary.operand);
  case EXPR_BINARY:
    return a->binary.op == b->binary.op && same(a->binary.left, b->binary.left) &&
           same(a->binary.right, b->binary.right);
  case EXPR_IF:
    return same(a->branch.condition, b->branch.condition) && same(a->branch.then, b->branch.then) &&
           same(a->branch.otherwise, b->branch.otherwise);
  case EXPR_COMPARE:
    for (uint32_t i = 0; a->compare.count == b->compare.count && i < a->compare.count; i++)
      if (!same(a->compare.operands[i], b->compare.operands[i]) ||
          (i && a->compare.ops[i - 1] != b->compare.ops[i - 1]))
        return false;
    return a->compare.count == b->compare.count;
  case EXPR_LIST:
    for (uint32_t i = 0; a->list.count == b->list.count && i < a->list.count; i++)
      if (!same(a->list.items[i], b->list.items[i])) return false;
    return a->list.count == b->list.count;
  default: return false;
  }
}

static bool is_negated(const struct expr *literal, const struct expr *read) {
  if (!expr_is_number(literal) || read->kind != EXPR_UNARY || read->unary.op != OP_NEG) return false;
  struct expr positive = *literal;
  if (literal->kind == EXPR_INTEGER)
    positive.integer = -literal->integer;
  else if (literal->kind == EXPR_REAL)
    positive.real = -literal->real;
  else
    positive.quantity.value = -literal->quantity.value;
  return same(&positive, read->unary.operand);
}

static void said(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  (void)sources;
  fail_msg("%s: %s", (const char *)user, diagnostic->text);
}

/* NULL: no expression, which the test says. */
static const struct expr *read(struct unit *unit, struct names *names, char *text) {
  struct sources sources = {.arena = &unit->arena, .end = 1};
  struct diagnostics diagnostics = {.sources = &sources, .sink = said, .user = text, .limit = 20};
  arena_open(&diagnostics.arena, &unit->memory);
  const struct source *source = source_add(&sources, "expression", text, strlen(text));
  const struct expr *expr = parse_expression(&unit->arena, names, &diagnostics, source);
  diagnostic_flush(&diagnostics);
  arena_close(&diagnostics.arena);
  return expr;
}

static void texts_are_read_as_they_were(void **state) {
  struct unit *unit = *state;
  for (unsigned seed = 0; seed < 20000; seed++) {
    struct names names;
    arena_close(&unit->arena);
    arena_open(&unit->arena, &unit->memory);
    names_open(&names, &unit->arena);
    struct maker maker = {&unit->arena, &names, seed};
    struct expr *expr = made(&maker, 1 + choose(&maker, 4));
    struct text text = {.arena = &unit->arena};
    expr_format(&text, expr);
    const struct expr *again = read(unit, &names, text.data);
    if (!again || !same(expr, again)) fail_msg("seed %u is read as another tree: %s", seed, text.data);
  }
}

static void assert_written(struct unit *unit, struct names *names, char *text, const char *wanted) {
  struct text again = {.arena = &unit->arena};
  expr_format(&again, read(unit, names, text));
  assert_string_equal(again.data, wanted);
}

/* No two signs stand side by side, which look like an operator of another language. */
static void signs_stand_apart(void **state) {
  struct unit *unit = *state;
  struct names names;
  names_open(&names, &unit->arena);
  assert_written(unit, &names, (char[]){"-(-11)"}, "-(-11)");
  assert_written(unit, &names, (char[]){"- - -n"}, "-(-(-n))");
  assert_written(unit, &names, (char[]){"-(-n) ^ 2"}, "-(-n) ^ 2");
  assert_written(unit, &names, (char[]){"2 - (-3)"}, "2 - -3");
  assert_written(unit, &names, (char[]){"-(2 ^ n)"}, "-2 ^ n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(texts_are_read_as_they_were),
      UNIT_TEST(signs_stand_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
