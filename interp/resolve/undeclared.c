/* Parameters of a type that nobody has declared: what requests give to them must have the dimension that is
 * wanted where they are passed on, since values carry none. The check notes where such names go (model.h,
 * struct model_passing); here what is given is followed along the requests that a system makes. Called for
 * `psl check` and before each run. */
#include "interp/resolve/resolve.h"

struct given { /* to a parameter: a type, by an expression */
  const struct symbol *to;
  const struct expr *by;
};
struct givens { /* grows while it is walked through */
  struct resolver *r;
  struct given *items;
  uint32_t count, capacity;
};

static void give(struct givens *givens, const struct symbol *to, const struct expr *by) {
  if (!by->type || by->type->kind == TYPE_ANY || by->type->kind == TYPE_ERROR) return;
  for (uint32_t i = 0; i < givens->count; i++)
    if (givens->items[i].to == to && givens->items[i].by->type == by->type) return;
  struct given item = {to, by};
  ARENA_PUSH(&givens->r->scratch, givens->items, givens->count, givens->capacity, item);
}

/* What a label's call gave, where the expression is the label's parameter. */
static const struct expr *origin(const struct resolver *r, const struct expr *by) {
  for (uint32_t i = 0; i < r->model->passing_count && by->kind == EXPR_NAME; i++)
    if (r->model->passings[i].to == by->name.symbol) return r->model->passings[i].by;
  return by;
}

static bool is_name_of(const struct expr *expr, const struct symbol *symbol) {
  return symbol && expr->kind == EXPR_NAME && expr->name.symbol == symbol;
}

/* Arguments of a request reach the accepts that it can mean: those that are `from` carry what it was given (by),
 * those of a known type themselves (from NULL). */
static void give_by_request(struct givens *givens, const struct plan *plan, const struct symbol *from,
                            const struct expr *by) {
  const struct model_transaction *transaction = plan->request->transaction;
  for (uint32_t p = 0; p < transaction->param_count; p++) {
    const struct expr *argument = plan->request->args[p];
    if (transaction->params[p].type->kind != TYPE_ANY || !argument || (from && !is_name_of(argument, from))) continue;
    for (uint32_t c = 0; c < plan->count; c++) {
      const struct model_accept *accept = plan->candidates[c].accept;
      for (uint32_t k = 0; k < accept->param_count && accept->transaction == transaction; k++)
        if (accept->param_of[k] == p) give(givens, accept->params[k], by ? by : origin(givens->r, argument));
    }
  }
}

static struct dimension dimension_of(const struct type *type) {
  return type->kind == TYPE_INT ? (struct dimension){{0}} : type->dimension;
}

static bool dimension_fits(const struct type *type, const struct type *wanted) {
  return !type_is_number(type) || !type_is_number(wanted) || dimension_equal(dimension_of(type), dimension_of(wanted));
}

static void refuse_given(struct resolver *r, const struct given *given, const struct model_passing *passing) {
  struct text type = {.arena = &r->scratch}, wanted = {.arena = &r->scratch};
  type_print(&type, &r->model->types, given->by->type);
  type_print(&wanted, &r->model->types, passing->wanted);
  diagnostic_add(r->model->diagnostics, SEVERITY_ERROR, given->by->span,
                 "'%s' is given %s here, and is passed on where %s is wanted", given->to->name->text, type.data,
                 wanted.data);
  diagnostic_note(r->model->diagnostics, passing->by->span, "passed on here");
  diagnostic_help(r->model->diagnostics, (struct span){0}, "declare the type of '%s' in its transaction",
                  given->to->name->text);
}

bool undeclared_check(struct resolver *r) {
  const struct model *model = r->model;
  struct givens givens = {.r = r};
  bool fine = true;
  if (!model->passing_count) return true;
  for (uint32_t k = 0; k < model->request_count; k++)
    if (r->plans[k]) give_by_request(&givens, r->plans[k], NULL, NULL);
  for (uint32_t i = 0; i < model->passing_count; i++)
    if (model->passings[i].to && model->passings[i].to->type->kind == TYPE_ANY)
      give(&givens, model->passings[i].to, model->passings[i].by);
  for (uint32_t i = 0; i < givens.count; i++) {
    struct given given = givens.items[i];
    for (uint32_t p = 0; p < model->passing_count; p++) {
      const struct model_passing *passing = &model->passings[p];
      if (!is_name_of(passing->by, given.to)) continue;
      if (passing->to) {
        give(&givens, passing->to, given.by);
      } else if (!dimension_fits(given.by->type, passing->wanted)) {
        refuse_given(r, &given, passing);
        fine = false;
      }
    }
    for (uint32_t k = 0; k < model->request_count; k++)
      if (r->plans[k]) give_by_request(&givens, r->plans[k], given.to, given.by);
  }
  arena_close(&r->scratch);
  return fine;
}
