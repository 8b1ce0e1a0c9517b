/* Ranges of params, of parameters of transactions, of attributes: what may be there, as far as it is known before
 * anything runs. */
#include "interp/check/checker.h"
#include "interp/evaluate/evaluate.h"

bool check_in(struct checker *c, struct context *x, struct expr *range, const struct type *type, const char *what,
              const struct name *name, struct span span) {
  struct types *types = &c->model->types;
  const struct type *element = type->kind == TYPE_LIST && range->kind != EXPR_LIST ? type->element : type;
  if (type->kind == TYPE_ERROR) return false;
  const struct type *found = expr_check(c, x, range, type_list(types, type));
  if (found->kind == TYPE_ERROR || found->kind == TYPE_ANY) return found->kind == TYPE_ANY;
  if (found->kind == TYPE_RANGE && type_is_number(element) &&
      dimension_equal(type_dimension(found), type_dimension(element)))
    return true;
  if (found->kind == TYPE_LIST && type_conforms(found->element, type)) return true;
  check_error(c, range->span, "the range of %s '%s' is %s, and the %s is %s", what, name->text, type_text(c, found),
              what, type_text(c, type));
  check_note(c, span, "declared here");
  bool range_or_list = found->kind == TYPE_RANGE || found->kind == TYPE_LIST;
  const struct type *items = found->kind == TYPE_LIST ? found->element : found;
  bool unit = range_or_list && type_is_number(type) && !dimension_none(type_dimension(type)) && type_is_number(items) &&
              dimension_none(type_dimension(items));
  const char *of = unit ? unit_example(c, type_dimension(type)) : "";
  if (unit && range->kind == EXPR_RANGE && range->range.low->kind != EXPR_BINARY &&
      range->range.high->kind != EXPR_BINARY)
    check_help(c, (struct span){0, 0}, "both ends have a unit: %s %s .. %s %s", expr_text(c, range->range.low), of,
               expr_text(c, range->range.high), of);
  else if (unit)
    check_help(c, (struct span){0, 0}, "each of these values has a unit, such as 1 %s", of);
  else if (type_is_number(type) && !check_bracketed(c, range))
    check_help(c, (struct span){0, 0}, "a range is written 1 .. 100, a list of values [1, 2, 4]");
  return false;
}

const struct type *type_of_range(struct checker *c, struct context *x, struct expr *range) {
  bool terms = x->terms;
  x->terms = true;
  const struct type *type = expr_check(c, x, range, NULL);
  x->terms = terms;
  return type->kind == TYPE_LIST ? type->element : type_plain(&c->model->types, type);
}

/* Known from the text alone: numbers, words, and lists and ranges of these. */
static bool is_written(const struct expr *expr) {
  if (expr_is_literal(expr)) return true;
  switch (expr->kind) {
  case EXPR_NAME:
  case EXPR_INDEX: return is_word(expr);
  case EXPR_UNARY: return is_written(expr->unary.operand);
  case EXPR_RANGE: return is_written(expr->range.low) && is_written(expr->range.high);
  case EXPR_LIST:
    for (uint32_t i = 0; i < expr->list.count; i++)
      if (!is_written(expr->list.items[i])) return false;
    return true;
  default: return false;
  }
}

static const char *written_text(struct checker *c, const struct type *type, struct value value) {
  struct text text = {.arena = c->arena};
  value_print(&text, &c->model->types, c->model->names, type, value, 6);
  return text.data;
}

bool check_allowed(struct checker *c, const struct allowed *allowed, const struct name *name, const struct type *type,
                   const struct expr *value) {
  struct environment environment = {.model = c->model, .scratch = c->arena};
  struct value one, all;
  struct words_list list = {0};
  if (!allowed->range || !value || !allowed->range->type || !value->type || !is_written(value) ||
      !is_written(allowed->range) || !type_conforms(value->type, type))
    return true;
  if (!evaluate_as(&environment, value, type, &one) || !evaluate(&environment, allowed->range, &all)) return true;
  if (value_in(one, all)) return true;
  check_error(c, value->span, "%s = %s is not in its range", name->text, written_text(c, type, one));
  check_note(c, allowed->range->span, "%s is in %s", name->text, expr_text(c, allowed->range));
  for (uint32_t i = 0; all.kind == VALUE_LIST && one.kind == VALUE_TERM && i < all.object->count; i++)
    words_add(c, &list, written_text(c, type, all.object->items[i]));
  check_meant(c, written_text(c, type, one), &list);
  return false;
}

/* Is the word none of the list's items, which are words, too? They are noted, as what may be meant. */
static bool is_never(struct checker *c, const struct expr *range, const struct expr *word, struct words_list *list) {
  for (uint32_t i = 0; i < range->list.count; i++) {
    const struct expr *item = range->list.items[i];
    if (!is_word(item) || term_matches(term_of(c, word), term_of(c, item))) return false;
    words_add(c, list, expr_text(c, item));
  }
  return true;
}

/* A term that the domain's attribute never is. */
void never_note(struct checker *c, struct context *x, const struct allowed *allowed, const struct expr *e) {
  const struct expr *range = allowed->range;
  struct words_list list = {0};
  if (!range || range->kind != EXPR_LIST || e->clause.op != OP_EQ || !is_bare_word(c, x, e->clause.value)) return;
  if (!is_never(c, range, e->clause.value, &list)) return;
  const char *text = expr_text(c, e->clause.value);
  check_warning(c, e->span, "attribute '%s' is never %s: this never matches", e->clause.attribute->text, text);
  check_note(c, range->span, "%s is in %s", e->clause.attribute->text, expr_text(c, range));
  check_meant(c, text, &list);
}

/* A term, or terms of a list, that a param beside it never is. */
void never_compared_note(struct checker *c, const struct expr *word, const struct expr *other) {
  const struct symbol *param = other->kind == EXPR_NAME ? other->name.symbol : NULL;
  const struct expr *range = param && param->kind == SYMBOL_PARAM && param->decl ? param->decl->value.range : NULL;
  struct words_list list = {0};
  if (!range || range->kind != EXPR_LIST) return;
  for (uint32_t i = 0; word->kind == EXPR_LIST && i < word->list.count; i++)
    never_compared_note(c, word->list.items[i], other);
  if (!is_word(word) || (word->kind == EXPR_NAME && word->name.symbol) || !is_never(c, range, word, &list)) return;
  const char *text = expr_text(c, word);
  check_warning(c, word->span, "'%s' is never %s", param->name->text, text);
  check_note(c, range->span, "%s is in %s", param->name->text, expr_text(c, range));
  check_meant(c, text, &list);
}
