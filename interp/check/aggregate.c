/* spread(x), min(x), max(x) and mean(x) in an assertion of a study: figures of all its points.  Each becomes
 * a local of the study, which whoever runs it gives a value.  Called from function_call.c and study_declaration.c. */
#include "interp/check/checker.h"

#include <string.h>

static const char *const words[AGGREGATES] = {
    [AGGREGATE_SPREAD] = "spread",
    [AGGREGATE_MIN] = "min",
    [AGGREGATE_MAX] = "max",
    [AGGREGATE_MEAN] = "mean",
};

static bool find_kind(const struct expr *expr, enum aggregate_kind *kind) {
  const char *name = expr->call->callee->name.name->text;
  for (*kind = 0; *kind < AGGREGATES; ++*kind)
    if (!strcmp(name, words[*kind])) return true;
  return false;
}

/* The param that spread(x, p) is over: its points are set beside those that differ in p alone. */
static struct symbol *find_over(struct checker *c, struct context *x, struct expr *expr) {
  struct words_list list = {0};
  const struct symbol *symbol = expr->kind == EXPR_NAME     ? expr->name.symbol
                                : expr->kind == EXPR_MEMBER ? expr->member.symbol
                                                            : NULL;
  for (uint32_t i = 0; i < x->study->varied_count; i++) {
    if (x->study->varied[i] == symbol) return x->study->varied[i];
    words_add(c, &list, x->study->varied[i]->name->text);
  }
  check_error(c, expr->span, "spread(x, p) is over a param p that the study varies");
  if (expr->kind == EXPR_NAME) check_meant(c, expr->name.name->text, &list);
  return NULL;
}

static const struct type *add(struct checker *c, struct context *x, struct expr *expr, enum aggregate_kind kind,
                              const struct type *of) {
  const struct args *args = &expr->call->args;
  const struct type *type = kind == AGGREGATE_SPREAD                         ? c->model->types.real
                            : kind == AGGREGATE_MEAN && of->kind == TYPE_INT ? c->model->types.real
                                                                             : of;
  struct symbol *symbol = symbol_new(c, SYMBOL_LOCAL, name_of(c->model->names, words[kind]), expr->span);
  struct study_aggregate aggregate = {
      .kind = kind, .item = x->assertion, .symbol = symbol, .call = expr, .value = args->values[0]};
  if (args->value_count > 1) aggregate.over = find_over(c, x, args->values[1]);
  symbol->type = type;
  symbol->slot = (*x->slots)++;
  if (*x->slots > c->model->slot_max) c->model->slot_max = *x->slots;
  ARENA_PUSH(c->arena, x->study->aggregates, x->study->aggregate_count, x->study->aggregate_capacity, aggregate);
  expr->call->symbol = symbol;
  return type;
}

/* Outside of assertions: of a single figure it would say no more than that figure. */
static const struct type *refuse(struct checker *c, struct context *x, struct expr *expr, enum aggregate_kind kind) {
  const struct args *args = &expr->call->args;
  bool spread = kind == AGGREGATE_SPREAD;
  if (spread) check_error(c, expr->span, "spread is of all points of a study: it stands in its assertions");
  if (spread || args->value_count != 1 || args->field_count || expr->call->binder_count)
    return spread ? c->model->types.error : NULL;
  const struct type *of = expr_check(c, x, args->values[0], NULL);
  if (!type_is_number(of)) return NULL;
  const char *figure = expr_text(c, args->values[0]);
  check_error(c, expr->span, "here '%s' is of one point, of which %s is %s itself", figure, expr_text(c, expr), figure);
  check_help(c, (struct span){0, 0},
             "of all points it stands in an assertion; for a speedup divide what it is beside: 40 s / makespan");
  return c->model->types.error;
}

/* NULL: the call is no aggregate. min, max and mean of a list, and of several numbers, are what they are
 * everywhere. */
const struct type *aggregate_check(struct checker *c, struct context *x, struct expr *expr) {
  const struct args *args = &expr->call->args;
  enum aggregate_kind kind;
  if (!x->study || !find_kind(expr, &kind)) return NULL;
  bool spread = kind == AGGREGATE_SPREAD;
  if (!x->assertion) return refuse(c, x, expr, kind);
  bool fits = args->value_count == 1 || (spread && args->value_count == 2);
  if (!fits || args->field_count || expr->call->binder_count) {
    if (spread) check_error(c, expr->span, "spread takes a number, and a param that is varied if wanted");
    return spread ? c->model->types.error : NULL;
  }
  struct context inner = *x;
  inner.assertion = NULL;
  inner.met = NULL;
  const struct type *of = expr_check(c, &inner, args->values[0], NULL);
  if (args->value_count > 1) expr_check(c, &inner, args->values[1], NULL);
  if (of->kind == TYPE_ERROR) return spread ? c->model->types.real : of;
  if (type_is_number(of)) return add(c, x, expr, kind, type_plain(&c->model->types, of));
  if (spread) check_error(c, args->values[0]->span, "spread wants a number, not %s", type_text(c, of));
  return spread ? c->model->types.error : NULL;
}

/* An assertion is of each point, or of all: then it has no business with a single one. */
void assertion_check(struct checker *c, struct context *x, struct study_item *item) {
  struct model_study *study = x->study;
  uint32_t before = study->aggregate_count;
  x->assertion = item;
  x->met = NULL;
  expr_check_as(c, x, item->condition, c->model->types.boolean, "assert");
  x->assertion = NULL;
  if (study->aggregate_count == before || !x->met) return;
  check_error(c, x->met->span, "'%s' is of one point, and this assertion is of all of them", expr_text(c, x->met));
  if (type_is_number(x->met->type ? x->met->type : c->model->types.term))
    check_help(c, (struct span){0, 0}, "take min(%s), max(%s) or mean(%s)", expr_text(c, x->met), expr_text(c, x->met),
               expr_text(c, x->met));
}

/* Notes that a name in an assertion, outside of aggregates, is of a point. */
void aggregate_meet(struct context *x, struct expr *expr, const struct symbol *symbol) {
  const struct model_study *study = x->study;
  bool point = false;
  if (x->met) return;
  for (uint32_t i = 0; i < study->varied_count; i++)
    point |= study->varied[i] == symbol;
  for (uint32_t i = 0; i < study->column_count; i++)
    point |= study->columns[i].symbol == symbol;
  for (uint32_t i = 0; i < study->use_count; i++)
    point |= study->uses[i].symbol == symbol;
  if (point) x->met = expr;
}
