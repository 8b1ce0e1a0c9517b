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

static bool dimension_fits(const struct type *type, const struct type *wanted) {
  return !type_is_number(type) || !type_is_number(wanted) ||
         dimension_equal(type_dimension(type), type_dimension(wanted));
}

static bool refuse_given(struct resolver *r, const struct given *given, const struct model_passing *passing) {
  struct text type = {.arena = &r->scratch}, wanted = {.arena = &r->scratch};
  type_print(&type, &r->model->types, given->by->type);
  type_print(&wanted, &r->model->types, passing->wanted);
  diagnostic_add(r->model->diagnostics, SEVERITY_ERROR, given->by->span,
                 "'%s' is given %s here, and is passed on where %s is wanted", given->to->name->text, type.data,
                 wanted.data);
  diagnostic_note(r->model->diagnostics, passing->by->span, "passed on here");
  diagnostic_help(r->model->diagnostics, (struct span){0}, "declare the type of '%s' in its transaction",
                  given->to->name->text);
  return false;
}

/* An argument that is `from` and carries what that was given (by), or any (from NULL), reaches a parameter. */
struct passage {
  struct givens *givens;
  const struct model_transaction *ours; /* what the check has held the arguments against */
  const struct symbol *from;
  const struct expr *by;
  bool fine;
};

/* Argument k of those is parameter k of the transaction, which the taker's names stand for. */
static void pass(struct passage *passage, struct expr *const *arguments, uint32_t k,
                 const struct model_transaction *transaction, const struct symbol *to) {
  const struct expr *argument = arguments[k];
  const struct type *wanted = transaction->params[k].type;
  if (!argument || (passage->from && !is_name_of(argument, passage->from))) return;
  struct given given = {passage->from, passage->by};
  struct model_passing passing = {argument, NULL, wanted};
  if (wanted->kind == TYPE_ANY)
    give(passage->givens, to, passage->by ? passage->by : origin(passage->givens->r, argument));
  else if (passage->from && passage->ours->params[k].type->kind == TYPE_ANY &&
           !dimension_fits(passage->by->type, wanted))
    passage->fine = refuse_given(passage->givens->r, &given, &passing);
}

static void pass_all(struct passage *passage, struct expr *const *arguments, uint32_t count,
                     const struct model_accept *accept) {
  for (uint32_t k = 0; k < accept->param_count; k++)
    if (accept->param_of[k] < count)
      pass(passage, arguments, accept->param_of[k], accept->transaction, accept->params[k]);
}

/* To a block that stands for the request, or from one to the accepts that it calls. */
static void pass_by_block(struct passage *passage, const struct model_request *request, const struct adapter *adapter) {
  const struct model_coercion *rule = adapter->transaction;
  for (uint32_t k = 0; k < rule->from_transaction->param_count; k++)
    pass(passage, request->args, k, rule->from_transaction, rule->params[k]);
  for (uint32_t k = 0; k < adapter->statement_count; k++) {
    const struct adapted *at = &adapter->statements[k];
    const struct expr *call = at->stmt->assign.value;
    passage->ours = at->accept ? at->accept->transaction : NULL;
    if (at->accept) pass_all(passage, call->call->bound, call->call->bound_count, at->accept);
  }
}

/* Arguments of a request reach those whom it can mean. */
static void pass_by_request(struct passage *passage, const struct plan *plan) {
  const struct model_request *request = plan->request;
  for (uint32_t c = 0; c < plan->count; c++) {
    const struct adapter *adapter = plan->candidates[c].adapter;
    passage->ours = request->transaction;
    if (adapter && adapter->transaction)
      pass_by_block(passage, request, adapter);
    else
      pass_all(passage, request->args, request->transaction->param_count, plan->candidates[c].accept);
  }
}

static bool pass_by_requests(struct givens *givens, const struct symbol *from, const struct expr *by) {
  struct passage passage = {givens, NULL, from, by, true};
  for (uint32_t k = 0; k < givens->r->model->request_count; k++)
    if (givens->r->plans[k]) pass_by_request(&passage, givens->r->plans[k]);
  return passage.fine;
}

bool undeclared_check(struct resolver *r) {
  const struct model *model = r->model;
  struct givens givens = {.r = r};
  bool fine = true;
  if (!model->passing_count) return true;
  pass_by_requests(&givens, NULL, NULL);
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
        fine = refuse_given(r, &given, passing);
      }
    }
    fine = pass_by_requests(&givens, given.to, given.by) && fine;
  }
  arena_close(&r->scratch);
  return fine;
}
