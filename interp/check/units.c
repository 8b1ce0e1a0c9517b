/* Units: `us/byte`, `s*byte^2`, `%` to a factor and a dimension, by the `unit` declarations of the model. */
#include "interp/check/checker.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct measure {
  double factor;
  struct dimension dimension;
};

bool is_unit(const struct checker *c, const struct name *name) {
  for (uint32_t i = 0; i < c->model->types.dimension_count; i++)
    if (c->model->types.base_units[i] == name) return true;
  return table_first(c, SPACE_UNIT, name) != NULL;
}

/* Whether the word of a unit, as other languages have it, ends what is said: `Mbytes` and `megabytes` do in `byte`. */
static bool ends_in(const char *text, const char *end) {
  size_t i = 0;
  while (text[i] && tolower((unsigned char)text[i]) == end[i])
    i++;
  return !end[i] && (!text[i] || (tolower((unsigned char)text[i]) == 's' && !text[i + 1]));
}

static bool begins_with(const char *text, const char *begin, bool exactly) {
  return exactly ? !strncmp(text, begin, strlen(begin)) : !strncasecmp(text, begin, strlen(begin));
}

/* The declared unit that a prefix and a unit mean which are written out or joined otherwise: MB by `Mbytes`,
 * `megabytes` and `Megabyte`, us by `microsecs`; NULL: there is none. Letters of a prefix mean themselves, and where
 * nothing begins so, those of the other case: MB by `mbytes`. */
static const char *prefixed_unit(struct checker *c, const char *word) {
  static const char *const prefixes[][2] = {
      {"kilo", "k"},  {"mega", "M"}, {"giga", "G"},  {"tera", "T"},  {"peta", "P"},  {"milli", "m"},
      {"micro", "u"}, {"nano", "n"}, {"kibi", "Ki"}, {"mebi", "Mi"}, {"gibi", "Gi"}, {"tebi", "Ti"},
      {"k", "k"},     {"M", "M"},    {"G", "G"},     {"T", "T"},     {"P", "P"},     {"m", "m"},
      {"u", "u"},     {"n", "n"},    {"Ki", "Ki"},   {"Mi", "Mi"},   {"Gi", "Gi"},   {"Ti", "Ti"}};
  static const char *const units[][2] = {{"byte", "B"},   {"bit", "bit"}, {"second", "s"}, {"sec", "s"},
                                         {"hertz", "Hz"}, {"hz", "Hz"},   {"flop", "flop"}};
  enum { PREFIXES = sizeof prefixes / sizeof *prefixes, UNITS = sizeof units / sizeof *units };
  for (size_t i = 0; i < 2 * (size_t)PREFIXES * UNITS; i++) {
    bool exactly = i < (size_t)PREFIXES * UNITS;
    const char *const *prefix = prefixes[i / UNITS % PREFIXES], *const *unit = units[i % UNITS];
    if (!begins_with(word, prefix[0], exactly && strlen(prefix[0]) <= 2) || !ends_in(word + strlen(prefix[0]), unit[0]))
      continue;
    const char *meant = arena_printf(c->arena, "%s%s", prefix[1], unit[1]);
    if (is_unit(c, name_of(c->model->names, meant))) return meant;
  }
  return NULL;
}

/* `0x1F`, `0b101`, `10L`, `1.5f`: numbers of C and Python, of which what stands behind the first digits is a unit. */
static bool of_other_number(struct checker *c, const char *word, struct span span) {
  static const struct base {
    char letter;
    int base;
    const char *digits;
  } bases[] = {{'x', 16, "0123456789abcdefABCDEF"}, {'b', 2, "01"}, {'o', 8, "01234567"}};
  const struct source *source = source_of(c->model->sources, span.begin);
  const char *text = source ? source->text + (span.begin - source->base) : "", *number = text;
  while (source && number > source->text && (isdigit((unsigned char)number[-1]) || number[-1] == '.'))
    number--;
  if (number == text) return false;
  for (size_t i = 0; i < sizeof bases / sizeof *bases && text - number == 1 && *number == '0'; i++) {
    size_t digits = strspn(word + 1, bases[i].digits);
    if (*word != bases[i].letter || !digits || word[1 + digits] || digits > 15) continue;
    check_help(c, (struct span){0, 0}, "numbers are decimal: %lld", strtoll(word + 1, NULL, bases[i].base));
    return true;
  }
  if (strlen(word) != 1 || !strchr("fFlLuU", *word)) return false;
  check_help(c, (struct span){0, 0}, "a number has no letter behind it: %.*s", (int)(text - number), number);
  return true;
}

static void unknown_unit(struct checker *c, const char *word, struct span span, bool compound) {
  struct words_list list = {0};
  check_error(c, span, "unknown unit '%s'", word);
  words_add_table(c, &list, &c->tables[SPACE_UNIT]);
  words_add(c, &list, "s");
  words_add(c, &list, "byte");
  if (is_type_word(c, name_of(c->model->names, word))) {
    check_help(c, (struct span){0, 0}, "'%s' is a type: '-> UNIT' shows a value in a unit, as in E -> ms", word);
    return;
  }
  if (of_other_number(c, word, span)) return;
  size_t sizes = strspn(word, "x0123456789");
  if (*word == 'x' && sizes > 1 && !word[sizes]) {
    check_help(c, (struct span){0, 0}, "sizes are a list, as in [4, 4]; a product is 4 * 4");
    return;
  }
  bool value = table_first(c, SPACE_VALUE, name_of(c->model->names, word)) != NULL;
  bool habit = check_habit(c, HABIT_UNIT, word);
  const char *prefixed = habit ? NULL : prefixed_unit(c, word);
  if (prefixed) check_help(c, (struct span){0, 0}, "did you mean '%s'?", prefixed);
  habit |= prefixed != NULL;
  bool near = !habit && !value && check_meant(c, word, &list);
  const struct source *source = source_of(c->model->sources, span.begin);
  bool apart = source && span.begin > source->base && strchr(" \t", source->text[span.begin - source->base - 1]);
  if (!habit && !value && !near && apart)
    check_help(c, (struct span){0, 0}, "what has a unit of its own is declared: unit %s;%s", word,
               compound ? " a name that is no unit stands between blanks, as in 100 us / n" : "");
  else if ((compound && !habit) || value)
    check_help(c, (struct span){0, 0},
               "a word after a number is its unit: write blanks around an operator, as in 100 us / n");
}

static bool named_unit(struct checker *c, const struct name *name, struct span span, struct measure *out) {
  *out = (struct measure){0.01, {{0}}};
  if (!strcmp(name->text, "%")) return true;
  struct symbol *symbol = table_find(c, SPACE_UNIT, name, span);
  const struct types *types = &c->model->types;
  if (symbol) {
    bool fine = unit_symbol(c, symbol);
    *out = (struct measure){symbol->unit.factor, symbol->unit.dimension};
    return fine;
  }
  *out = (struct measure){1, {{0}}};
  for (uint32_t i = 0; i < types->dimension_count; i++) {
    if (types->base_units[i] != name) continue;
    out->dimension.power[i] = 1;
    return true;
  }
  return false;
}

static bool combine(struct measure *a, struct measure b, int power) {
  for (int i = 0; i < (power < 0 ? -power : power); i++)
    if (!dimension_combine(a->dimension, b.dimension, power < 0 ? -1 : 1, &a->dimension)) return false;
  a->factor *= pow(b.factor, power);
  return true;
}

/* One word, with the exponent it may have. "µs" is "us", by the micro sign and by the Greek letter. */
static bool parse_word(struct checker *c, const char *text, size_t length, struct span span, bool divided,
                       bool compound, struct measure *out) {
  char word[128];
  size_t size = 0, i = 0;
  int power = 1;
  for (; i < length && text[i] != '^'; i++) {
    bool micro = !strncmp(text + i, "\xC2\xB5", 2) || !strncmp(text + i, "\xCE\xBC", 2);
    if (size + 1 < sizeof word) word[size++] = micro ? 'u' : text[i];
    i += micro;
  }
  word[size] = 0;
  if (i < length) {
    i++;
    bool negative = i < length && text[i] == '-';
    power = 0;
    for (i += negative; i < length && power < 1000; i++)
      power = power * 10 + (text[i] - '0');
    if (negative) power = -power;
  }
  struct measure unit;
  if (!named_unit(c, name_intern(c->model->names, word, size), span, &unit)) {
    if (!table_first(c, SPACE_UNIT, name_intern(c->model->names, word, size))) unknown_unit(c, word, span, compound);
    return false;
  }
  if (power > 100 || power < -100 || !combine(out, unit, divided ? -power : power)) {
    check_error(c, span, "the exponent of '%s' is out of range", word);
    return false;
  }
  return true;
}

bool unit_parse(struct checker *c, const char *text, struct span span, double *factor, struct dimension *dimension) {
  struct measure out = {1, {{0}}};
  bool fine = true, divided = !strncmp(text, "1/", 2), compound = strpbrk(text, "*/") != NULL;
  for (const char *at = text + (divided ? 2 : 0); fine && *at;) {
    size_t length = strcspn(at, "*/");
    fine = parse_word(c, at, length, span, divided, compound, &out);
    divided = at[length] == '/';
    at += length + (at[length] != 0);
  }
  *factor = out.factor;
  *dimension = out.dimension;
  return fine;
}

/* ---- products behind a number ---- */

/* `byte`, `byte^2`, `byte^-2` where no value has that name; NULL: something else. */
static const char *further_unit(struct checker *c, struct context *x, const struct expr *expr) {
  const struct expr *power = expr->kind == EXPR_BINARY && expr->binary.op == OP_POW ? expr->binary.right : NULL;
  const struct expr *base = power ? expr->binary.left : expr;
  bool negative = power && power->kind == EXPR_UNARY && power->unary.op == OP_NEG;
  if (negative) power = power->unary.operand;
  if (base->kind != EXPR_NAME || (power && power->kind != EXPR_INTEGER) || !is_unit(c, base->name.name) ||
      !is_bare_word(c, x, base))
    return NULL;
  const char *name = base->name.name->text;
  if (!power) return name;
  return arena_printf(c->arena, "%s^%s%lld", name, negative ? "-" : "", (long long)power->integer);
}

void unit_join(struct checker *c, struct context *x, struct expr *expr) {
  struct expr *left = expr->binary.left, *first = left;
  bool negative = left->kind == EXPR_UNARY && left->unary.op == OP_NEG, divides = expr->binary.op == OP_DIV;
  if (negative) first = left->unary.operand;
  if (first->kind != EXPR_QUANTITY || (divides && !strchr(first->quantity.unit, '*'))) return;
  const char *further = further_unit(c, x, expr->binary.right);
  if (!further) return;
  struct span unit = {first->quantity.unit_span.begin, expr->span.end};
  expr->kind = EXPR_QUANTITY;
  expr->quantity = first->quantity;
  if (negative) expr->quantity.value = -expr->quantity.value;
  expr->quantity.unit = arena_printf(c->arena, "%s%c%s", first->quantity.unit, divides ? '/' : '*', further);
  expr->quantity.unit_span = unit;
}

/* The value of `unit NAME = E;`: numbers with units, other units by name, and * / ^ between them. */
static bool fold(struct checker *c, const struct expr *expr, struct measure *out) {
  *out = (struct measure){1, {{0}}};
  switch (expr->kind) {
  case EXPR_INTEGER: out->factor = (double)expr->integer; return true;
  case EXPR_REAL: out->factor = expr->real; return true;
  case EXPR_QUANTITY:
    if (!unit_parse(c, expr->quantity.unit, expr->quantity.unit_span, &out->factor, &out->dimension)) return false;
    out->factor *= expr->quantity.value;
    return true;
  case EXPR_NAME:
    if (named_unit(c, expr->name.name, expr->span, out)) return true;
    if (!table_first(c, SPACE_UNIT, expr->name.name)) unknown_unit(c, expr->name.name->text, expr->span, false);
    return false;
  case EXPR_UNARY: /* of a power */
    if (expr->unary.op != OP_NEG || expr->unary.operand->kind != EXPR_INTEGER) break;
    out->factor = -(double)expr->unary.operand->integer;
    return true;
  case EXPR_BINARY: {
    struct measure right;
    if (expr->binary.op != OP_MUL && expr->binary.op != OP_DIV && expr->binary.op != OP_POW) break;
    if (!fold(c, expr->binary.left, out) || !fold(c, expr->binary.right, &right)) return false;
    if (expr->binary.op != OP_POW) return combine(out, right, expr->binary.op == OP_DIV ? -1 : 1);
    if (!dimension_none(right.dimension) || right.factor != nearbyint(right.factor) || fabs(right.factor) > 100) break;
    struct measure base = *out;
    *out = (struct measure){1, {{0}}};
    return combine(out, base, (int)right.factor);
  }
  default: break;
  }
  check_error(c, expr->span, "a unit is defined by a number with a unit, or by units with *, / and ^");
  return false;
}

bool unit_of_expr(struct checker *c, const struct expr *expr, double *factor, struct dimension *dimension) {
  struct measure measure;
  bool fine = fold(c, expr, &measure);
  *factor = measure.factor;
  *dimension = measure.dimension;
  return fine;
}

bool unit_symbol(struct checker *c, struct symbol *unit) {
  if (unit->has_value) return true;
  if (unit->was_set) return false; /* failed before */
  if (unit->in_progress) {
    check_error(c, unit->span, "unit '%s' is defined by itself", unit->name->text);
    unit->was_set = true;
    return false;
  }
  struct measure measure;
  unit->in_progress = true;
  bool fine = fold(c, unit->decl->value.value, &measure);
  unit->in_progress = false;
  if (fine && !(measure.factor > 0 && isfinite(measure.factor))) {
    check_error(c, unit->decl->value.value->span, "unit '%s' is not a positive number", unit->name->text);
    fine = false;
  }
  unit->unit.factor = fine ? measure.factor : 1;
  unit->unit.dimension = measure.dimension;
  unit->has_value = fine && !unit->was_set;
  unit->was_set = !unit->has_value;
  return unit->has_value;
}
