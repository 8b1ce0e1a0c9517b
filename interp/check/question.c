/* An expression that a person asks: parsed and checked against the model as it is, its names those of the files that
 * were asked for. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <ctype.h>
#include <string.h>

/* The expression as it is written. */
static const char *written(struct checker *c, const struct expr *expr) {
  const struct source *source = source_of(c->model->sources, expr->span.begin);
  return arena_copy(c->arena, source->text + (expr->span.begin - source->base), expr->span.end - expr->span.begin);
}

/* Numbers, and lists of them, are given in the unit that was asked for. */
static bool check_unit(struct checker *c, struct expr *unit, struct question *question) {
  const struct type *type = question->type;
  struct dimension dimension;
  if (!unit_of_expr(c, unit, &question->factor, &dimension)) return false;
  question->unit = written(c, unit);
  while (type->kind == TYPE_LIST)
    type = type->element;
  if (!type_is_number(type) || type->kind == TYPE_DISTRIBUTION) {
    check_error(c, question->expr->span, "%s has no unit", type_text(c, question->type));
    last_mean_help(c, question->expr, question->type);
    return false;
  }
  if (dimension_equal(type_dimension(type), dimension)) return true;
  check_error(c, unit->span, "'%s' is a unit of %s, and the value is %s", question->unit,
              type_text(c, type_real(&c->model->types, dimension)), type_text(c, question->type));
  const char *example = unit_example(c, type_dimension(type));
  if (example && *example) check_help(c, (struct span){0, 0}, "as in -> %s", example);
  return false;
}

/* `max [1, 2]` is a term, and was meant for a call. */
static bool is_call_meant(struct checker *c, const struct expr *expr) {
  const struct name *head = expr->kind == EXPR_INDEX ? expr->index.term : NULL;
  if (!head || !builtin_find(head->text)) return false;
  check_error(c, expr->span, "'%s' is a function: call it with its arguments in ( )", head->text);
  if (name_is(head, KNOWN_LAST)) session_word(c, head);
  return true;
}

/* `7 // 2` says no more than 7. */
static void note_comment(struct checker *c, const struct source *source, const struct expr *expr) {
  const char *at = source->text + (expr->span.end - source->base);
  at += strspn(at, " \t");
  if (strncmp(at, "//", 2) != 0) return;
  at += 2 + strspn(at + 2, " \t");
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || (length && strchr("-_.", at[length]) && at[length]))
    length++;
  if (!length || at[length + strspn(at + length, " \t\r\n;")]) return;
  diagnostic_add(c->d, SEVERITY_NOTE, (struct span){0, 0},
                 "'//' begins a comment; to divide whole numbers: %s div %.*s", written(c, expr), (int)length, at);
}

bool model_question(struct model *model, const struct source *source, struct question *out) {
  struct checker *c = model->loading->checker;
  unsigned errors = model->diagnostics->errors;
  uint32_t slots = 0, uses = c->last_use_count;
  struct context x = {.slots = &slots, .draws = "a question"};
  struct expr *unit;
  *out = (struct question){.factor = 1};
  out->expr =
      parse_question(model->arena, model->names, model->diagnostics, source, model->loading->options.commands, &unit);
  if (!out->expr || model->diagnostics->errors != errors) return false;
  c->reported = (struct map){0}; /* the same mistake again is said again */
  c->asked = true;
  out->type = expr_check(c, &x, out->expr, NULL);
  c->asked = false;
  out->names_last = c->last_use_count > uses;
  for (uint32_t i = uses; i < c->last_use_count && !out->last.end; i++)
    if (source->text[c->last_uses[i].begin - source->base] == 'l') out->last = c->last_uses[i]; /* and no `ans` */
  out->is_last = c->last && expr_symbol(out->expr) == c->last;
  c->last_use_count = uses;
  if (out->type->kind == TYPE_ERROR || model->diagnostics->errors != errors) return false;
  note_comment(c, source, out->expr);
  if (is_call_meant(c, out->expr)) return false;
  if (out->type->kind == TYPE_VOID)
    check_error(c, out->expr->span, "this gives no value");
  else if (unit)
    check_unit(c, unit, out);
  return model->diagnostics->errors == errors;
}
