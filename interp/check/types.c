/* Types as they are written, and what is said where a value does not fit. */
#include "interp/check/checker.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A word that is no part of a product: `real` may be one. */
static const struct type *plain_word(struct checker *c, const struct type_atom *atom) {
  for (const struct type_word *word = type_words; word->name; word++)
    if (word->kind != TYPE_REAL && !strcmp(word->name, atom->name->text))
      return type_of_kind(&c->model->types, word->kind, (struct dimension){{0}});
  return NULL;
}

/* The dimension of a word of a type: `real` and `1` have none, a base dimension, or a unit's. */
static bool word_dimension(struct checker *c, const struct type_atom *atom, struct dimension *out) {
  const struct types *types = &c->model->types;
  *out = (struct dimension){{0}};
  if (name_is(atom->name, KNOWN_REAL) || name_is(atom->name, KNOWN_ONE)) return true;
  for (uint32_t i = 0; i < types->dimension_count; i++) {
    if (types->dimensions[i] != atom->name && types->base_units[i] != atom->name) continue;
    out->power[i] = 1;
    return true;
  }
  struct symbol *unit = table_find(c, SPACE_UNIT, atom->name, atom->span);
  if (!unit) return false;
  unit_symbol(c, unit);
  *out = unit->unit.dimension;
  return true;
}

/* `range` or `distribution`, of what stands behind it. */
static enum type_kind kind_of_first(const struct type_atom *first) {
  if (!first->name || first->power) return TYPE_REAL;
  if (name_is(first->name, KNOWN_DISTRIBUTION)) return TYPE_DISTRIBUTION;
  return name_is(first->name, KNOWN_RANGE) ? TYPE_RANGE : TYPE_REAL;
}

bool is_type_word(const struct checker *c, const struct name *name) {
  const struct types *types = &c->model->types;
  for (const struct type_word *word = type_words; word->name; word++)
    if (!strcmp(word->name, name->text)) return true;
  for (uint32_t i = 0; i < types->dimension_count; i++)
    if (types->dimensions[i] == name) return true;
  return name_is(name, KNOWN_FLOAT);
}

static void unknown_type(struct checker *c, const struct type_atom *atom) {
  struct words_list list = {0};
  for (const struct type_word *word = type_words; word->name; word++)
    words_add(c, &list, word->name);
  for (uint32_t i = 0; i < c->model->types.dimension_count; i++) {
    words_add(c, &list, c->model->types.dimensions[i]->text);
    words_add(c, &list, c->model->types.base_units[i]->text);
  }
  words_add_table(c, &list, &c->tables[SPACE_UNIT]);
  check_error(c, atom->span, "unknown type '%s'", atom->name->text);
  if (!check_habit(c, HABIT_TYPE, atom->name->text)) check_meant(c, atom->name->text, &list);
}

const struct name *type_attribute(struct checker *c, const struct type_expr *type) {
  const struct type_atom *atom = &type->atoms[0];
  if (type->count != 1 || !atom->of) return NULL;
  if (!name_is(atom->of, KNOWN_TARGET)) {
    check_error(c, atom->span, "the type of an attribute is that of whoever accepts: target.%s", atom->name->text);
    return NULL;
  }
  return atom->name->folded;
}

const struct type *type_check(struct checker *c, const struct type_expr *type) {
  struct types *types = &c->model->types;
  const struct type_atom *first = &type->atoms[0];
  for (uint32_t i = 0; i < type->count; i++) {
    if (!type->atoms[i].of) continue;
    check_error(c, type->atoms[i].span, "only a transaction's parameter or result has the type of an attribute, alone");
    return types->error;
  }
  if (c->signatures && type->count == 1 && first->name && name_is(first->name, KNOWN_VALUE)) return types->any;
  if (type->count == 1 && first->element) {
    const struct type *element = type_check(c, first->element);
    return element->kind == TYPE_ERROR ? element : type_list(types, element);
  }
  if (type->count == 1 && !first->power && plain_word(c, first)) return plain_word(c, first);
  if (type->count == 1 && name_is(first->name, KNOWN_ONE)) {
    check_error(c, type->span, "1 alone is no type: a number without a dimension is an int or a real");
    return types->error;
  }
  struct dimension all = {{0}};
  enum type_kind kind = kind_of_first(first);
  for (uint32_t i = kind != TYPE_REAL; i < type->count; i++) {
    const struct type_atom *atom = &type->atoms[i];
    struct dimension one;
    int power = atom->power ? atom->power : 1;
    if (atom->element || plain_word(c, atom)) {
      check_error(c, atom->span, "only quantities are multiplied and divided in a type");
      if (kind == TYPE_REAL)
        check_help(c, (struct span){0, 0}, "a number without a unit is 1 there, as in 1/time");
      else
        check_help(c, (struct span){0, 0}, "of numbers without a unit it is '%s' alone", first->name->text);
      return types->error;
    }
    if (!word_dimension(c, atom, &one)) {
      unknown_type(c, atom);
      return types->error;
    }
    if (!dimension_power(one, atom->divided ? -power : power, 1, &one) || !dimension_combine(all, one, 1, &all)) {
      check_error(c, type->span, "an exponent of this type is out of range");
      return types->error;
    }
  }
  return type_of_kind(types, kind, all);
}

/* RANGE before DISTRIBUTION before REAL before INT: what the value may be. */
static const struct type *join_numbers(struct checker *c, const struct type *a, const struct type *b) {
  if (!dimension_equal(type_dimension(a), type_dimension(b))) return NULL;
  enum type_kind kind = a->kind == TYPE_RANGE || b->kind == TYPE_RANGE                 ? TYPE_RANGE
                        : a->kind == TYPE_DISTRIBUTION && b->kind == TYPE_DISTRIBUTION ? TYPE_DISTRIBUTION
                                                                                       : TYPE_REAL;
  return type_of_kind(&c->model->types, kind, type_dimension(a));
}

const struct type *type_join(struct checker *c, const struct type *a, const struct type *b) {
  struct types *types = &c->model->types;
  if (a == b || b->kind == TYPE_ERROR) return a;
  if (a->kind == TYPE_ERROR) return b;
  if (a->kind == TYPE_ANY || b->kind == TYPE_ANY) return types->any;
  if (type_is_number(a) && type_is_number(b)) return join_numbers(c, a, b);
  if (a->kind == TYPE_LIST && b->kind == TYPE_LIST) {
    const struct type *element = type_join(c, a->element, b->element);
    return element ? type_list(types, element) : NULL;
  }
  if (a->kind != TYPE_RECORD || b->kind != TYPE_RECORD || a->field_count != b->field_count) return NULL;
  struct type_field *fields = ARENA_ARRAY(c->arena, struct type_field, a->field_count);
  for (uint32_t i = 0; i < a->field_count; i++) {
    fields[i].name = a->fields[i].name;
    fields[i].type = a->fields[i].name == b->fields[i].name ? type_join(c, a->fields[i].type, b->fields[i].type) : NULL;
    if (!fields[i].type) return NULL;
  }
  return type_record(types, fields, a->field_count);
}

/* A real whose value is a range or a distribution is one of those for whoever uses it. */
const struct type *type_lift(struct checker *c, const struct type *declared, const struct type *value) {
  struct types *types = &c->model->types;
  if (value->kind == TYPE_RANGE || value->kind == TYPE_DISTRIBUTION) {
    if (declared->kind == TYPE_REAL) return type_of_kind(types, value->kind, declared->dimension);
  }
  if (declared->kind == TYPE_LIST && value->kind == TYPE_LIST)
    return type_list(types, type_lift(c, declared->element, value->element));
  return declared;
}

static bool is_literal(const struct expr *expr) {
  if (expr->kind == EXPR_UNARY && expr->unary.op == OP_NEG) expr = expr->unary.operand;
  return expr->kind == EXPR_INTEGER || expr->kind == EXPR_REAL;
}

/* uniform(1, 6), or draw() of it. */
static bool is_drawn_uniform(const struct expr *expr) {
  if (expr->kind != EXPR_CALL || !expr->call->symbol || expr->call->symbol->kind != SYMBOL_BUILTIN) return false;
  const struct builtin *builtin = expr->call->symbol->builtin;
  if (builtin->kind == DISTRIBUTION_UNIFORM) return true;
  return builtin->draws && expr->call->args.value_count == 1 && is_drawn_uniform(expr->call->args.values[0]);
}

static bool is_int(const struct expr *expr) { return expr->type && expr->type->kind == TYPE_INT; }

static const struct expr *whole_of(struct expr *const *parts, uint32_t count);

/* What alone keeps the expression, or the value that it names, from being whole: a number by its point or exponent, as
 * in 1e7 - 1, or a quotient of whole numbers; NULL: something else is real. */
static const struct expr *whole_real(const struct expr *expr) {
  expr = expr_behind(expr);
  switch (expr->kind) {
  case EXPR_REAL: return floor(expr->real) == expr->real && fabs(expr->real) < 1e15 ? expr : NULL;
  case EXPR_UNARY: return expr->unary.op == OP_NEG ? whole_real(expr->unary.operand) : NULL;
  case EXPR_LIST: return whole_of(expr->list.items, expr->list.count);
  case EXPR_RANGE: return whole_of((struct expr *[]){expr->range.low, expr->range.high}, 2);
  case EXPR_BINARY:
    if (expr->binary.op == OP_DIV && is_int(expr->binary.left) && is_int(expr->binary.right)) return expr;
    if (expr->binary.op != OP_ADD && expr->binary.op != OP_SUB && expr->binary.op != OP_MUL) return NULL;
    return whole_of((struct expr *[]){expr->binary.left, expr->binary.right}, 2);
  default: return NULL;
  }
}

/* The first of those in which all that is not whole is such a one. */
static const struct expr *whole_of(struct expr *const *parts, uint32_t count) {
  const struct expr *first = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (is_int(parts[i])) continue;
    const struct expr *found = whole_real(parts[i]);
    if (!found) return NULL;
    if (!first) first = found;
  }
  return first;
}

const char *operand_text(struct checker *c, const struct expr *expr) {
  const char *text = expr_text(c, expr);
  return expr->kind == EXPR_BINARY || expr->kind == EXPR_IF ? arena_printf(c->arena, "(%s)", text) : text;
}

bool check_whole_number(struct checker *c, const struct expr *expr) {
  const struct expr *number = whole_real(expr);
  if (!number) return false;
  const char *text = expr_text(c, number);
  struct span place = number == expr ? (struct span){0, 0} : number->span;
  if (number->kind == EXPR_REAL)
    check_help(c, place, "a whole number has no %s: write %.0f", strpbrk(text, "eE") ? "exponent" : "point",
               number->real);
  else
    check_help(c, place, "whole numbers are divided by 'div', which rounds down: %s div %s",
               operand_text(c, number->binary.left), operand_text(c, number->binary.right));
  return true;
}

/* Where an int is wanted and a real is given. */
static void whole_help(struct checker *c, const struct expr *expr, const char *what) {
  bool written = expr->kind == EXPR_REAL && fabs(expr->real) < 1e15;
  bool drawn = expr->type->kind == TYPE_DISTRIBUTION, clause = name_is(name_of(c->model->names, what), KNOWN_SERVERS);
  double low = written ? floor(expr->real) : 0, high = written ? ceil(expr->real) : 0;
  if (is_drawn_uniform(expr) && !clause)
    check_help(c, (struct span){0, 0}, "a random whole number is uniform-int(1, 6)");
  else if (drawn && clause)
    check_help(c, (struct span){0, 0}, "there are as many from the beginning to the end: round(mean(%s))",
               expr_text(c, expr));
  else if (drawn)
    check_help(c, (struct span){0, 0}, "a number is drawn by draw(...), and becomes an int by round: round(draw(%s))",
               expr_text(c, expr));
  else if (check_whole_number(c, expr))
    return;
  else if (!written)
    check_help(c, (struct span){0, 0}, "a real becomes an int through ceil, floor or round");
  else
    check_help(c, (struct span){0, 0}, "a whole number has no point: write %.0f or %.0f", low, high);
}

void passing_note(struct checker *c, const struct expr *by, const struct symbol *to, const struct type *wanted) {
  if (by->kind == EXPR_IF && by->type->kind == TYPE_ANY && to) { /* else type_require goes into its branches */
    passing_note(c, by->branch.then, to, wanted);
    passing_note(c, by->branch.otherwise, to, wanted);
    return;
  }
  struct model_passing passing = {by, to, wanted};
  bool known = by->type->kind != TYPE_ANY;
  if (wanted && (known || by->kind != EXPR_NAME || !type_is_number(wanted))) return;
  ARENA_PUSH(c->arena, c->model->passings, c->model->passing_count, c->passing_capacity, passing);
}

static bool has_any(const struct type *type) {
  for (; type->kind == TYPE_LIST; type = type->element)
    ;
  for (uint32_t i = 0; type->kind == TYPE_RECORD && i < type->field_count; i++)
    if (has_any(type->fields[i].type)) return true;
  return type->kind == TYPE_ANY;
}

/* What has no type before the run fits as far as its parts do: branches, and items that are written out. */
static bool parts_fit(struct checker *c, const struct expr *expr, const struct type *wanted, const char *what) {
  bool fine = true;
  if (expr->kind == EXPR_IF) {
    fine = type_require(c, expr->branch.then, wanted, what);
    return type_require(c, expr->branch.otherwise, wanted, what) && fine;
  }
  for (uint32_t i = 0; expr->kind == EXPR_LIST && wanted->kind == TYPE_LIST && i < expr->list.count; i++)
    fine &= type_require(c, expr->list.items[i], wanted->element, what);
  bool item =
      expr->kind == EXPR_INDEX || expr->kind == EXPR_CALL || (expr->kind == EXPR_MEMBER && !expr->member.symbol);
  bool whole = expr->kind != EXPR_LIST && expr->kind != EXPR_RECORD && expr->type->kind != TYPE_ANY;
  if ((item && expr->type->kind == TYPE_ANY && type_is_number(wanted)) || whole) {
    check_not_known(c, expr);
    return false;
  }
  return fine;
}

bool parts_require(struct checker *c, const struct expr *expr, const struct type *wanted, const char *what) {
  bool parts = has_any(expr->type) && wanted->kind != TYPE_ANY && type_conforms(expr->type, wanted);
  return !parts || parts_fit(c, expr, wanted, what);
}

/* A number or a term of the wanted type between quotes. */
static bool is_quoted(const struct expr *expr, const struct type *wanted) {
  if (expr->kind != EXPR_STRING) return false;
  const char *text = expr->string;
  return type_is_number(wanted) ? isdigit((unsigned char)*text)
                                : wanted->kind == TYPE_TERM && isalpha((unsigned char)*text);
}

/* `8 Hz` where so many a second are wanted. */
static bool rate_help(struct checker *c, const struct type *wanted, const struct type *type) {
  struct dimension rate = {{0}};
  rate.power[DIMENSION_TIME] = -1;
  if (wanted->kind != TYPE_REAL || type->kind != TYPE_REAL) return false;
  if (!dimension_equal(wanted->dimension, rate) || type->dimension.power[DIMENSION_TIME] != -1) return false;
  check_help(c, (struct span){0, 0}, "so many a second have the unit s^-1: 8 s^-1");
  return true;
}

/* A value that is one over what is wanted: a rate. */
static void inverse_help(struct checker *c, const struct expr *expr) {
  if (expr->kind == EXPR_BINARY && expr->binary.op == OP_DIV && is_literal(expr->binary.left))
    check_help(c, (struct span){0, 0}, "'/' divides by all of what follows: a part of a unit is (1 / 3) * 1 s");
  else
    check_help(c, (struct span){0, 0}, "the inverse is 1 / %s", operand_text(c, expr));
}

/* Where what is wanted has a dimension: a number without one, or a rate. */
static void dimension_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  const struct type *type = expr->type;
  if (!type_is_number(wanted) || dimension_none(type_dimension(wanted))) return;
  if (!type_is_number(type)) return;
  struct dimension has = type_dimension(type), inverse;
  const char *unit = unit_example(c, wanted->dimension);
  if (type->kind == TYPE_DISTRIBUTION && distribution_help(c, expr, wanted)) return;
  if (dimension_power(has, -1, 1, &inverse) && dimension_equal(inverse, type_dimension(wanted)))
    inverse_help(c, expr);
  else if (dimension_none(has))
    check_help(c, (struct span){0, 0}, "a number becomes such a value by a unit: %s * 1 %s", operand_text(c, expr),
               unit);
}

/* `param n : int = 5 byte`: what is counted. */
static void counted_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  if (expr->kind != EXPR_QUANTITY || !type_is_number(wanted) || !dimension_none(type_dimension(wanted))) return;
  if (dimension_none(type_dimension(expr->type))) return; /* 95 % */
  const char *text = expr_text(c, expr);
  int number = (int)strspn(text, "0123456789_.");
  if (text[number] == ' ' || isalpha((unsigned char)text[number]))
    check_help(c, (struct span){0, 0}, "what is of type %s has no unit: %.*s", type_text(c, wanted), number, text);
}

static bool unit_alone(const char *unit) { return *unit && !strpbrk(unit, "/^* "); }

/* So many a second, as processors and links do it. */
static const char *rate_example(struct checker *c, struct dimension dimension) {
  struct dimension data = {{0}};
  data.power[DIMENSION_DATA] = 1;
  return dimension_equal(dimension, data) ? "1 GB/s" : arena_printf(c->arena, "1e9 %s/s", unit_example(c, dimension));
}

/* `ops / 5e12`, `bytes * bandwidth`: a rate without its unit, a product for a quotient. */
static bool quotient_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  bool quotient = expr->kind == EXPR_BINARY && expr->binary.op == OP_DIV;
  if (!quotient && !(expr->kind == EXPR_BINARY && expr->binary.op == OP_MUL)) return false;
  const struct expr *left = expr->binary.left, *right = expr->binary.right;
  if (!left->type || !right->type || !type_is_number(wanted) || !type_is_number(left->type) ||
      !type_is_number(right->type))
    return false;
  struct dimension a = type_dimension(left->type), b = type_dimension(right->type), wants = type_dimension(wanted), got;
  const char *one = operand_text(c, left), *other = operand_text(c, right);
  const char *divisor = right->kind == EXPR_QUANTITY ? arena_printf(c->arena, "(%s)", other) : other;
  const char *under = left->kind == EXPR_QUANTITY ? arena_printf(c->arena, "(%s)", one) : one;
  struct dimension time = {{0}};
  time.power[DIMENSION_TIME] = 1;
  enum { RATE_LEAST = 1000 }; /* what is less is a part of it, as a half */
  bool plain = (right->kind == EXPR_INTEGER && right->integer >= RATE_LEAST) ||
               (right->kind == EXPR_REAL && right->real >= RATE_LEAST);
  if (quotient && plain && dimension_equal(wants, time) && !dimension_none(a)) {
    const char *unit = unit_example(c, a);
    if (dimension_equal(a, time) || !unit_alone(unit)) return false;
    check_help(c, (struct span){0, 0}, "a rate has a unit: %s / (%s %s/s)", one, other, unit);
    return true;
  }
  if (dimension_none(a) || dimension_none(b)) return false;
  if (quotient && dimension_combine(a, b, 1, &got) && dimension_equal(got, wants))
    check_help(c, (struct span){0, 0}, "%s is a product here: %s * %s", type_text(c, wanted), one, divisor);
  else if (!quotient && dimension_combine(a, b, -1, &got) && dimension_equal(got, wants))
    check_help(c, (struct span){0, 0}, "%s is a quotient here: %s / %s", type_text(c, wanted), one, divisor);
  else if (!quotient && dimension_combine(b, a, -1, &got) && dimension_equal(got, wants))
    check_help(c, (struct span){0, 0}, "%s is a quotient here: %s / %s", type_text(c, wanted), other, under);
  else
    return false;
  return true;
}

/* The one has nothing to do with the other: `amount * 1 block/flop` where blocks are wanted of flops. */
static void factor_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  const struct type *type = expr->type;
  if (quotient_help(c, expr, wanted)) return;
  const struct expr *factor = expr->kind == EXPR_BINARY && expr->binary.op == OP_MUL ? expr->binary.right : NULL;
  if (factor && factor->kind != EXPR_QUANTITY) factor = expr->binary.left;
  if (factor && factor->kind == EXPR_QUANTITY && type_is_number(wanted)) {
    const struct expr *other = factor == expr->binary.left ? expr->binary.right : expr->binary.left;
    const char *text = expr_text(c, factor);
    if (type_is_number(other->type) && dimension_equal(type_dimension(other->type), type_dimension(wanted)))
      check_help(c, (struct span){0, 0}, "a factor has no unit: %s * %.*s", operand_text(c, other),
                 (int)strspn(text, "0123456789_."), text);
    return;
  }
  if (is_literal(expr) || expr->kind == EXPR_QUANTITY || expr->kind == EXPR_CALL) return;
  rate_between_help(c, expr, type, wanted);
}

void rate_between_help(struct checker *c, const struct expr *expr, const struct type *type, const struct type *wanted) {
  if (!type_is_number(wanted) || !type_is_number(type)) return;
  struct dimension time = {{0}}, has = type_dimension(type), wants = type_dimension(wanted);
  time.power[DIMENSION_TIME] = 1;
  if (dimension_none(has) || dimension_none(wants)) return;
  const char *from = unit_example(c, has), *to = unit_example(c, wants);
  if (!unit_alone(from) || !unit_alone(to)) return;
  const char *text = operand_text(c, expr), *made = type_text(c, wanted), *of = type_text(c, type);
  if (dimension_equal(wants, time))
    check_help(c, (struct span){0, 0}, "a rate makes %s of %s: %s / (%s)", made, of, text, rate_example(c, has));
  else if (dimension_equal(has, time))
    check_help(c, (struct span){0, 0}, "a rate makes %s of %s: %s * (%s)", made, of, text, rate_example(c, wants));
  else
    check_help(c, (struct span){0, 0}, "a factor makes %s of %s: %s * 1 %s/%s", made, of, text, to, from);
}

/* `bandwidth : data/time = 3 MB`: a value in units of something else. */
static void unit_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  if (expr->kind != EXPR_QUANTITY || !type_is_number(wanted) || dimension_none(type_dimension(wanted))) return;
  struct dimension time = {{0}}, data = {{0}};
  time.power[DIMENSION_TIME] = data.power[DIMENSION_DATA] = 1;
  const char *made = type_text(c, wanted), *unit = unit_example(c, type_dimension(wanted));
  if (dimension_equal(type_dimension(wanted), time) && dimension_equal(type_dimension(expr->type), data))
    rate_between_help(c, expr, expr->type, wanted);
  else if (strcmp(made, unit))
    check_help(c, (struct span){0, 0}, "what is %s has a unit such as %s", made, unit);
}

/* `d : distribution = exponential(3 s)`: what is drawn has a dimension, which the type names. */
static void of_dimension_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  const struct type *type = expr->type;
  if (wanted->kind != type->kind || (type->kind != TYPE_DISTRIBUTION && type->kind != TYPE_RANGE)) return;
  if (dimension_none(type_dimension(wanted)) && !dimension_none(type_dimension(type)))
    check_help(c, (struct span){0, 0}, "its type is written '%s'", type_text(c, type));
}

/* `hold delays`: a list for one of its items. */
static void list_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  const struct type *type = expr->type;
  if (type->kind != TYPE_LIST || !type_is_number(wanted) || !type_conforms(type->element, wanted)) return;
  if (expr->kind != EXPR_NAME) return;
  const char *name = expr_text(c, expr);
  check_help(c, (struct span){0, 0}, "one of its items is %s[0], their sum sum(%s), one at random empirical(%s)", name,
             name, name);
}

/* `if n { ... }` of a number. */
static void condition_help(struct checker *c, const struct expr *expr) {
  if (!type_is_number(expr->type)) return;
  struct text zero = {.arena = c->arena};
  if (dimension_none(type_dimension(expr->type)))
    text_put(&zero, "0");
  else
    text_printf(&zero, "0 %s", unit_example(c, type_dimension(expr->type)));
  check_help(c, (struct span){0, 0}, "a condition is a comparison, such as %s != %s", operand_text(c, expr), zero.data);
}

/* `delays = 5 s` of a list. */
static void one_item_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  const struct type *item = wanted->kind == TYPE_LIST ? wanted->element : NULL;
  bool unit = item && is_literal(expr) && type_is_number(item) && !dimension_none(type_dimension(item));
  if (!unit && !(item && type_conforms(expr->type, item))) return;
  const struct source *source = source_of(c->model->sources, expr->span.begin);
  bool varied = source && !strncmp(source->path, "--vary ", strlen("--vary "));
  check_help(c, (struct span){0, 0},
             varied ? "each value is a list, in brackets: [%s%s%s]"
                    : "a list of one item stands in brackets, too: [%s%s%s]",
             expr_text(c, expr), unit ? " " : "", unit ? unit_example(c, item->dimension) : "");
}

/* `--set workers=[4,8]` and `--set workers=4..8`: several values of what a setting gives one. */
static void varied_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  static const char option[] = "--set ";
  const struct source *source = source_of(c->model->sources, expr->span.begin);
  const char *text = expr_text(c, expr);
  bool list = expr->kind == EXPR_LIST, range = expr->kind == EXPR_RANGE;
  if (!source || strncmp(source->path, option, strlen(option)) || wanted->kind == TYPE_LIST || !(list || range)) return;
  int length = (int)strlen(text);
  check_help(c, (struct span){0, 0}, "psl study runs several values: --vary '%s=%.*s'", source->path + strlen(option),
             list ? length - 2 : length, list ? text + 1 : text);
}

bool type_require(struct checker *c, const struct expr *expr, const struct type *wanted, const char *what) {
  const struct type *type = expr->type;
  if (!parts_require(c, expr, wanted, what)) return false;
  passing_note(c, expr, NULL, wanted);
  if (type_conforms(type, wanted)) return true;
  const char *wanted_text = type_text(c, wanted);
  if (is_literal(expr) && type_is_number(wanted) && !dimension_none(type_dimension(wanted))) {
    const char *text = expr_text(c, expr);
    const struct expr *like = c->wanted_like && c->wanted_like->kind == EXPR_QUANTITY ? c->wanted_like : NULL;
    bool same = like && like->type && dimension_equal(type_dimension(like->type), type_dimension(wanted));
    check_error(c, expr->span, "%s has no unit: %s wants %s, such as %s %s", text, what, wanted_text, text,
                same             ? like->quantity.unit
                : c->wanted_unit ? c->wanted_unit
                                 : unit_example(c, wanted->dimension));
    return false;
  }
  if (type->kind == TYPE_VOID) {
    check_error(c, expr->span, "%s wants %s, and this gives no value", what, wanted_text);
    return false;
  }
  check_error(c, expr->span, "%s wants %s, not %s", what, wanted_text, type_text(c, type));
  last_mean_help(c, expr, type);
  varied_help(c, expr, wanted);
  if (wanted->kind == TYPE_INT && expr->kind != EXPR_RANGE && type_is_number(type) &&
      dimension_none(type_dimension(type)))
    whole_help(c, expr, what);
  if (wanted->kind == TYPE_LIST && wanted->element->kind == TYPE_INT && expr->kind == EXPR_LIST)
    check_whole_number(c, expr);
  if (wanted->kind == TYPE_BOOL && (is_literal(expr) || expr->kind == EXPR_RANGE))
    check_help(c, (struct span){0, 0}, "a condition is true, false or a comparison, such as 0 <= i < 4");
  else if (wanted->kind == TYPE_BOOL)
    condition_help(c, expr);
  if (is_quoted(expr, wanted)) check_help(c, (struct span){0, 0}, "write it without quotes");
  if (type_is_number(wanted)) check_bracketed(c, expr);
  one_item_help(c, expr, wanted);
  counted_help(c, expr, wanted);
  dimension_help(c, expr, wanted);
  factor_help(c, expr, wanted);
  if (!rate_help(c, wanted, type)) unit_help(c, expr, wanted);
  of_dimension_help(c, expr, wanted);
  list_help(c, expr, wanted);
  return false;
}
