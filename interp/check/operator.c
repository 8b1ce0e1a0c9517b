/* Operators: the types and dimensions of arithmetic, logic and comparison. */
#include "interp/check/checker.h"

#include <string.h>

void check_not_drawn(struct checker *c, const struct context *x, const struct expr *expr) {
  check_error(c, expr->span, "a distribution is not drawn in %s", x->draws);
  check_help(c, (struct span){0, 0}, "draw it in a body, or take its mean: mean(…)");
}

/* A distribution where a number is wanted is drawn: in firings alone. Gives the number's type. */
const struct type *check_draw(struct checker *c, struct context *x, const struct expr *expr, const struct type *type) {
  if (type->kind != TYPE_DISTRIBUTION) return type;
  if (x->draws) {
    check_not_drawn(c, x, expr);
    return c->model->types.error;
  }
  return type_real(&c->model->types, type->dimension);
}

void check_not_known(struct checker *c, const struct expr *expr) {
  check_error(c, expr->span,
              "the type of %s is not known before the run: it is only passed on and compared for equality",
              expr_text(c, expr));
  check_help(c, (struct span){0, 0}, "declare the transaction with its types, as in transaction t(n : int);");
}

void help_one_number(struct checker *c, struct expr *const *values, uint32_t count) {
  struct span place = {0, 0};
  for (uint32_t i = 0; i < count && !place.end; i++)
    if (values[i]->type && values[i]->type->kind == TYPE_RANGE) place = values[i]->span;
  check_help(c, place, "give it one: low(…), middle(…) or high(…)");
}

void check_no_range(struct checker *c, const struct expr *expr, const char *what) {
  check_error(c, expr->span, "%s is one number, and this is a range of values", what);
  help_one_number(c, expr->kind == EXPR_LIST ? expr->list.items : NULL, expr->kind == EXPR_LIST ? expr->list.count : 0);
}

static const struct type *number(struct checker *c, struct context *x, const struct expr *expr, const struct type *type,
                                 enum operator op) {
  if (type_is_number(type)) return check_draw(c, x, expr, type);
  if (type->kind == TYPE_ANY)
    check_not_known(c, expr);
  else if (type->kind != TYPE_ERROR)
    check_error(c, expr->span, "%s wants numbers, and %s is %s", operator_text(op), expr_text(c, expr),
                type->kind == TYPE_VOID ? "no value" : type_text(c, type));
  if (type->kind == TYPE_STRING && op == OP_ADD)
    check_help(c, (struct span){0, 0}, "strings are compared and passed on, and not joined");
  last_mean_help(c, expr, type);
  return c->model->types.error;
}

/* `100 s-1`: a power that has lost its '^'. */
static bool lost_power(struct checker *c, const struct expr *left, const struct expr *right) {
  if (left->kind != EXPR_QUANTITY || right->kind != EXPR_INTEGER || right->span.begin != left->span.end + 1)
    return false;
  const struct source *source = source_of(c->model->sources, right->span.begin);
  if (source->text[left->span.end - source->base] != '-') return false;
  check_help(c, (struct span){0, 0}, "the power of a unit is written %s^-%s", expr_text(c, left), expr_text(c, right));
  return true;
}

static bool is_data(const struct type *type) {
  struct dimension data = {{0}};
  data.power[DIMENSION_DATA] = 1;
  return type_is_number(type) && dimension_equal(type_dimension(type), data);
}

static void note_sides(struct checker *c, const struct expr *left, const struct type *a, const struct expr *right,
                       const struct type *b) {
  check_note(c, left->span, "this is %s", type_text(c, a));
  check_note(c, right->span, "this is %s", type_text(c, b));
  last_mean_help(c, left, a);
  last_mean_help(c, right, b);
  if (lost_power(c, left, right)) return;
  const struct expr *string = a->kind == TYPE_TERM ? right : b->kind == TYPE_TERM ? left : NULL;
  if (string && string->kind == EXPR_STRING)
    check_help(c, (struct span){0, 0}, "a term is written without quotes: %s", string->string);
  const struct expr *bare = left->kind == EXPR_INTEGER || left->kind == EXPR_REAL ? left : right;
  if (is_data(b)) rate_between_help(c, right, b, a);
  if (is_data(a)) rate_between_help(c, left, a, b);
  if (bare->kind != EXPR_INTEGER && bare->kind != EXPR_REAL) return;
  const struct type *other = bare == left ? b : a;
  if (type_is_number(other) && !dimension_none(type_dimension(other)))
    check_help(c, (struct span){0, 0}, "%s has no unit: write it with one, such as %s %s", expr_text(c, bare),
               expr_text(c, bare), unit_example(c, other->dimension));
}

static const struct type *of_kinds(struct checker *c, const struct type *a, const struct type *b,
                                   struct dimension dimension) {
  enum type_kind kind = a->kind == TYPE_RANGE || b->kind == TYPE_RANGE ? TYPE_RANGE : TYPE_REAL;
  return type_of_kind(&c->model->types, kind, dimension);
}

/* `4 us +- 10 %`: what other languages write of an uncertain value. */
static bool is_plus_minus(struct checker *c, const struct expr *e) {
  const struct expr *right = e->binary.right;
  if (e->binary.op != OP_ADD || right->kind != EXPR_UNARY || right->unary.op != OP_NEG) return false;
  const struct source *source = source_of(c->model->sources, right->span.begin);
  uint32_t at = right->span.begin - source->base;
  bool literal = right->unary.operand->kind == EXPR_QUANTITY || right->unary.operand->kind == EXPR_INTEGER ||
                 right->unary.operand->kind == EXPR_REAL;
  return at && literal && source->text[at - 1] == '+';
}

static const char *uncertain_example(struct checker *c, const struct expr *e) {
  const struct expr *middle = e->binary.left, *part = e->binary.right->unary.operand;
  struct text text = {.arena = c->arena};
  if (middle->kind != EXPR_QUANTITY || part->kind != EXPR_QUANTITY) return "LOW .. HIGH";
  bool share = !strcmp(part->quantity.unit, "%");
  if (!share && strcmp(part->quantity.unit, middle->quantity.unit)) return "LOW .. HIGH";
  double off = share ? middle->quantity.value * part->quantity.value / 100 : part->quantity.value;
  number_print(&text, middle->quantity.value - off, 6);
  text_printf(&text, " %s .. ", middle->quantity.unit);
  number_print(&text, middle->quantity.value + off, 6);
  text_printf(&text, " %s", middle->quantity.unit);
  return text.data;
}

/* `5 s + uniform(0, 1)`: what is called lacks a unit. */
static void unit_lacks_help(struct checker *c, const struct expr *called, const struct type *own,
                            const struct type *other) {
  if (called->kind != EXPR_CALL || !type_is_number(own) || !type_is_number(other)) return;
  if (!dimension_none(type_dimension(own))) return;
  check_help(c, (struct span){0, 0}, "a number becomes such a value by a unit: %s * 1 %s", expr_text(c, called),
             unit_example(c, type_dimension(other)));
}

static const struct type *sum(struct checker *c, const struct expr *e, const struct type *a, const struct type *b) {
  bool uncertain = is_plus_minus(c, e);
  if (dimension_equal(type_dimension(a), type_dimension(b))) {
    if (uncertain) check_warning(c, e->span, "'+-' adds a negative number");
    if (uncertain) check_help(c, (struct span){0, 0}, "an uncertain value is a range: %s", uncertain_example(c, e));
    return of_kinds(c, a, b, type_dimension(a));
  }
  if (e->binary.op == OP_ADD)
    check_error(c, e->span, "cannot add %s and %s", type_text(c, a), type_text(c, b));
  else
    check_error(c, e->span, "cannot subtract %s from %s", type_text(c, b), type_text(c, a));
  note_sides(c, e->binary.left, a, e->binary.right, b);
  unit_lacks_help(c, e->binary.left, a, b);
  unit_lacks_help(c, e->binary.right, b, a);
  if (uncertain) check_help(c, (struct span){0, 0}, "an uncertain value is a range: %s", uncertain_example(c, e));
  return c->model->types.error;
}

static const struct type *product(struct checker *c, const struct expr *e, const struct type *a, const struct type *b) {
  struct dimension dimension;
  if (dimension_combine(type_dimension(a), type_dimension(b), e->binary.op == OP_DIV ? -1 : 1, &dimension))
    return of_kinds(c, a, b, dimension);
  check_error(c, e->span, "an exponent of the dimension of this is out of range");
  return c->model->types.error;
}

/* An exponent that is a literal: n, -n, or n/m. */
static bool exponent(const struct expr *e, int64_t *numerator, int64_t *denominator) {
  *denominator = 1;
  if (e->kind == EXPR_INTEGER) {
    *numerator = e->integer;
    return e->integer < 1000;
  }
  if (e->kind == EXPR_REAL && e->real == 0.5) {
    *numerator = 1;
    *denominator = 2;
    return true;
  }
  if (e->kind == EXPR_UNARY && e->unary.op == OP_NEG && exponent(e->unary.operand, numerator, denominator)) {
    *numerator = -*numerator;
    return true;
  }
  if (e->kind != EXPR_BINARY || e->binary.op != OP_DIV) return false;
  int64_t one;
  return exponent(e->binary.left, numerator, &one) && exponent(e->binary.right, denominator, &one) && *denominator != 0;
}

static const struct type *power(struct checker *c, const struct expr *e, const struct type *a, const struct type *b) {
  const struct types *types = &c->model->types;
  const struct expr *right = e->binary.right;
  int64_t numerator, denominator;
  struct dimension dimension;
  if (!dimension_none(type_dimension(b))) {
    check_error(c, right->span, "an exponent is a number without a dimension, not %s", type_text(c, b));
    if (e->binary.left->kind == EXPR_INTEGER && e->binary.left->integer == 10)
      check_help(c, (struct span){0, 0}, "a power of ten before a unit is part of the number: 1e-3 s");
    return types->error;
  }
  if (dimension_none(type_dimension(a))) return of_kinds(c, a, b, type_dimension(a));
  if (!exponent(right, &numerator, &denominator)) {
    check_error(c, right->span, "the exponent of %s is a whole number written out", type_text(c, a));
    check_note(c, e->binary.left->span, "this is %s", type_text(c, a));
    return types->error;
  }
  if (dimension_power(type_dimension(a), numerator, denominator, &dimension)) return of_kinds(c, a, a, dimension);
  check_error(c, e->span, "this power of %s has no dimension with whole exponents in -100 .. 100", type_text(c, a));
  return types->error;
}

/* Joined, or added item by item. */
static const struct type *refuse_lists(struct checker *c, const struct expr *e, const struct type *a,
                                       const struct type *b) {
  check_error(c, e->span, "+ wants numbers, and these are lists: %s and %s", type_text(c, a), type_text(c, b));
  check_help(c, (struct span){0, 0},
             "lists a and b are joined by [i in 0 .. length(a) + length(b) - 1 : if i < length(a) then a[i] else b[i - "
             "length(a)]]");
  check_help(c, (struct span){0, 0}, "the sums of their items are [i in 0 .. length(a) - 1 : a[i] + b[i]]");
  return c->model->types.error;
}

static const struct type *arithmetic(struct checker *c, struct context *x, struct expr *e) {
  const struct types *types = &c->model->types;
  enum operator op = e->binary.op;
  const struct type *a = expr_check(c, x, e->binary.left, NULL);
  if (op == OP_MUL || op == OP_DIV) unit_join(c, x, e);
  if (e->kind == EXPR_QUANTITY) return expr_check(c, x, e, NULL);
  const struct type *b = expr_check(c, x, e->binary.right, NULL);
  if (op == OP_ADD && a->kind == TYPE_ERROR && b->kind == TYPE_LIST) return types->error;
  if (op == OP_ADD && a->kind == TYPE_LIST && b->kind == TYPE_LIST) return refuse_lists(c, e, a, b);
  a = number(c, x, e->binary.left, a, op);
  b = number(c, x, e->binary.right, b, op);
  if (a->kind == TYPE_ERROR || b->kind == TYPE_ERROR) return types->error;
  bool whole = a->kind == TYPE_INT && b->kind == TYPE_INT;
  if (op == OP_WHOLE || op == OP_MOD) {
    if (whole) return types->integer;
    const struct expr *wrong = a->kind == TYPE_INT ? e->binary.right : e->binary.left;
    check_error(c, wrong->span, "%s wants whole numbers, and %s is %s", operator_text(op), expr_text(c, wrong),
                type_text(c, a->kind == TYPE_INT ? b : a));
    if (!check_whole_number(c, wrong) && op == OP_MOD && dimension_equal(type_dimension(a), type_dimension(b)))
      check_help(c, (struct span){0, 0}, "what is left of it is %s - floor(%s / %s) * %s", expr_text(c, e->binary.left),
                 expr_text(c, e->binary.left), expr_text(c, e->binary.right), expr_text(c, e->binary.right));
    return types->error;
  }
  if (whole && op != OP_DIV) return types->integer;
  if (op == OP_ADD || op == OP_SUB) return sum(c, e, a, b);
  return op == OP_POW ? power(c, e, a, b) : product(c, e, a, b);
}

static const struct type *logic(struct checker *c, struct context *x, struct expr *expr, enum operator op) {
  const struct type *boolean = c->model->types.boolean;
  const char *what = arena_printf(c->arena, "'%s'", operator_text(op));
  expr_check_as(c, x, expr, boolean, what);
  return boolean;
}

const struct type *operator_check(struct checker *c, struct context *x, struct expr *expr, const struct type *wanted) {
  (void)wanted;
  if (expr->kind == EXPR_UNARY) {
    struct expr *operand = expr->unary.operand;
    if (expr->unary.op == OP_NOT) return logic(c, x, operand, OP_NOT);
    return number(c, x, operand, expr_check(c, x, operand, NULL), OP_SUB);
  }
  enum operator op = expr->binary.op;
  if (op != OP_AND && op != OP_OR) return arithmetic(c, x, expr);
  logic(c, x, expr->binary.left, op);
  return logic(c, x, expr->binary.right, op);
}

/* ---- comparisons ---- */

/* A bare word gets its meaning from what it is compared with: a term, or a list of terms. */
static const struct type *hint_of(struct checker *c, struct context *x, const struct expr *expr, uint32_t at) {
  for (uint32_t side = 0; side < 2; side++) {
    if (side == 0 && at == 0) continue;
    uint32_t k = side == 0 ? at - 1 : at + 1;
    if (k >= expr->compare.count) continue;
    const struct expr *other = expr->compare.operands[k];
    if (other->kind == EXPR_NAME && is_bare_word(c, x, other)) continue;
    if (!other->type) continue;
    if (other->type->kind == TYPE_TERM) return other->type;
    if (other->type->kind == TYPE_LIST && other->type->element->kind == TYPE_TERM) return other->type->element;
  }
  return NULL;
}

static bool lists_name(const struct expr *range, const struct name *name) {
  for (uint32_t i = 0; range && range->kind == EXPR_LIST && i < range->list.count; i++)
    if (range->list.items[i]->kind == EXPR_NAME && range->list.items[i]->name.name->folded == name->folded) return true;
  return false;
}

/* A kind of evaluation alone, simulation, beside a param that is declared as one with brackets, analysis[MVA]. */
static void note_bare_mode(struct checker *c, const struct expr *word, const struct expr *other) {
  static const enum known modes[] = {KNOWN_SIMULATION, KNOWN_ANALYSIS, KNOWN_MEASUREMENT};
  const struct symbol *param = other->kind == EXPR_NAME ? other->name.symbol : NULL;
  bool mode = false;
  if (word->kind == EXPR_LIST)
    for (uint32_t i = 0; i < word->list.count; i++)
      note_bare_mode(c, word->list.items[i], other);
  if (word->kind != EXPR_NAME || word->name.symbol || !param || param->kind != SYMBOL_PARAM || !param->decl) return;
  const struct expr *declared = param->decl->value.value;
  if (declared->kind != EXPR_INDEX || declared->index.base->kind != EXPR_NAME) return;
  for (uint32_t m = 0; m < 3; m++)
    mode |= name_is(word->name.name->folded, modes[m]);
  if (!mode || lists_name(param->decl->value.range, word->name.name)) return;
  const char *example = expr_text(c, declared), *text = word->name.name->text;
  check_warning(c, word->span, "'%s' is a term with brackets, as %s is: '%s' alone does not equal it",
                param->name->text, example, text);
  if (name_is(word->name.name->folded, KNOWN_SIMULATION))
    check_help(c, (struct span){0, 0}, "write all of it, such as simulation[queueing] or simulation[MPI-Sim]");
  else if (declared->index.base->name.name->folded == word->name.name->folded)
    check_help(c, (struct span){0, 0}, "write all of it, such as %s", example);
}

static void compare_pair(struct checker *c, struct context *x, const struct expr *expr, uint32_t k) {
  enum operator op = expr->compare.ops[k];
  const struct expr *left = expr->compare.operands[k], *right = expr->compare.operands[k + 1];
  const struct type *a = left->type, *b = right->type;
  if (a->kind == TYPE_ERROR || b->kind == TYPE_ERROR) return;
  note_bare_mode(c, right, left);
  never_compared_note(c, right, left);
  if (op != OP_IN) note_bare_mode(c, left, right);
  if (op != OP_IN) never_compared_note(c, left, right);
  if (a->kind == TYPE_VOID || b->kind == TYPE_VOID) {
    check_error(c, a->kind == TYPE_VOID ? left->span : right->span, "this gives no value to compare");
    return;
  }
  if (a->kind == TYPE_DISTRIBUTION) a = check_draw(c, x, left, a);
  if (b->kind == TYPE_DISTRIBUTION) b = check_draw(c, x, right, b);
  if (op == OP_IN) {
    const struct type *element = b->kind == TYPE_LIST    ? b->element
                                 : b->kind == TYPE_RANGE ? type_plain(&c->model->types, b)
                                                         : NULL;
    if (!element)
      check_error(c, right->span, "in wants a list or a range, not %s", type_text(c, b));
    else if (b->kind == TYPE_RANGE && a->kind == TYPE_ANY)
      check_not_known(c, left);
    else if (!type_join(c, a, element)) {
      check_error(c, left->span, "cannot look for %s in %s", type_text(c, a), type_text(c, b));
      note_sides(c, left, a, right, b);
    }
    return;
  }
  bool order = op != OP_EQ && op != OP_NE;
  if (order && (a->kind == TYPE_ANY || b->kind == TYPE_ANY)) {
    check_not_known(c, a->kind == TYPE_ANY ? left : right);
    return;
  }
  if (a->kind == TYPE_ANY) passing_note(c, left, NULL, b);
  if (b->kind == TYPE_ANY) passing_note(c, right, NULL, a);
  bool numbers = type_is_number(a) && type_is_number(b);
  if (type_join(c, a, b) && (!order || numbers || a->kind == TYPE_ERROR || b->kind == TYPE_ERROR)) return;
  if (type_join(c, a, b))
    check_error(c, expr->span, "%s compares numbers, not %s", operator_text(op), type_text(c, a));
  else {
    check_error(c, expr->span, "cannot compare %s with %s", type_text(c, a), type_text(c, b));
    note_sides(c, left, a, right, b);
  }
}

const struct type *compare_check(struct checker *c, struct context *x, struct expr *expr) {
  uint32_t count = expr->compare.count;
  for (uint32_t i = 0; i < count; i++) {
    struct expr *operand = expr->compare.operands[i];
    operand->type = NULL;
    bool bare_name = operand->kind == EXPR_NAME && is_bare_word(c, x, operand);
    if (!bare_name && operand->kind != EXPR_LIST) expr_check(c, x, operand, NULL);
  }
  for (uint32_t pass = 0; pass < 2; pass++) /* what is left: bare words and lists, which may hold some */
    for (uint32_t i = 0; i < count; i++) {
      struct expr *operand = expr->compare.operands[i];
      if (operand->type) continue;
      const struct type *hint = hint_of(c, x, expr, i);
      if (!hint && !pass) continue;
      if (hint && operand->kind == EXPR_LIST) hint = type_list(&c->model->types, hint);
      expr_check(c, x, operand, hint);
    }
  for (uint32_t k = 0; k + 1 < count; k++)
    compare_pair(c, x, expr, k);
  return c->model->types.boolean;
}
