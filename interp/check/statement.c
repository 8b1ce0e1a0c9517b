/* Statements of bodies and of coercions' blocks. */
#include "interp/check/checker.h"
#include "evaluators/conversation.h"
#include "interp/model/chances.h"
#include "interp/model/run.h"
#include "interp/evaluate/evaluate.h"

#include <stdlib.h>
#include <string.h>

static void block_in(struct checker *c, struct context *x, const struct body *body, struct block *block) {
  struct scope scope = {.outer = x->scope};
  block_check(c, x, body, block, &scope);
}

/* What a local hides and likely should not; NULL: it may well have the name of something shared, or of a param that its
 * component has from another file. */
static const char *hidden_word(const struct symbol *hidden, const struct source *file) {
  switch (hidden->kind) {
  case SYMBOL_INDEX: return "index";
  case SYMBOL_VAR: return "var";
  case SYMBOL_PARAM: return "param";
  case SYMBOL_INSTANCE: return hidden->file != file ? NULL : hidden->decl->kind == DECL_PARAM ? "param" : "let";
  default: return NULL;
  }
}

/* Of what its component declares, of a param of its file, or of the time of the firing. */
static void warn_hidden(struct checker *c, const struct context *x, const struct body *body, const struct ident *name) {
  if (!body->component) return;
  const struct symbol *hidden = scope_find(c, &c->components[body->component->id]->scope, name->name);
  const struct source *file = source_of(c->model->sources, name->span.begin);
  if (!hidden) hidden = table_in_file(c, SPACE_VALUE, name->name, file);
  const char *what = hidden ? hidden_word(hidden, file) : NULL;
  if (what) {
    check_warning(c, name->span, "'%s' hides the %s of the same name", name->name->text, what);
    check_note(c, hidden->span, "declared here");
    if (hidden->kind == SYMBOL_VAR)
      check_help(c, (struct span){0, 0}, "without 'let' the var gets the value: %s = ...;", name->name->text);
  } else if (x->clock && name_is(name->name, KNOWN_CLOCK)) {
    check_warning(c, name->span, "'clock' hides the time of the firing, which is called so");
  }
}

/* ---- call ---- */

/* The label of a request for that transaction; NULL: none has it. */
static const struct symbol *label_of(const struct model_component *component, const struct name *transaction) {
  for (uint32_t k = 0; k < component->request_count; k++) {
    const struct qname *asked = &component->requests[k]->syntax->txn.name;
    if (component->requests[k]->label && asked->count && asked->parts[asked->count - 1].name == transaction)
      return component->requests[k]->label;
  }
  return NULL;
}

/* What a coercion's block can call: what those accept that accept the transaction that it goes to. */
static void help_accepted(struct checker *c, const struct model_transaction *target) {
  const struct model_component *of = NULL;
  struct words_list list = {0};
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct model_accept *accept = c->model->accepts[i];
    if (!of && accept->transaction == target) of = accept->component;
  }
  for (uint32_t i = 0; of && i < c->model->accept_count; i++)
    if (c->model->accepts[i]->component == of && c->model->accepts[i]->transaction)
      words_add(c, &list, c->model->accepts[i]->transaction->symbol->name->text);
  if (of)
    check_help(c, (struct span){0, 0},
               "a coercion's block calls what the component that was matched accepts: '%s' accepts %s",
               of->symbol->name->text, words_text(c, &list));
  else
    check_help(c, (struct span){0, 0},
               "a coercion's block calls transactions that the component which was matched accepts");
}

static void unknown_callee(struct checker *c, struct context *x, const struct body *body, const struct expr *callee) {
  const struct name *name = callee->name.name;
  struct symbol *value = scope_find(c, x->scope, name);
  if (!value) value = table_first(c, SPACE_VALUE, name);
  bool own = value && value->kind == SYMBOL_FUNCTION && !(value->file && model_in_library(c->model, value->file));
  if (own || (!value && builtin_find(name->text))) {
    check_error(c, callee->span, "'%s' is a function: use it in an expression, without call", name->text);
    return;
  }
  struct words_list list = {0};
  if (body->target) {
    check_error(c, callee->span, "no transaction '%s' to call", name->text);
    words_add_table(c, &list, &c->tables[SPACE_TRANSACTION]);
  } else {
    check_error(c, callee->span, "no labelled request '%s'", name->text);
    words_add_scope(c, &list, &c->components[body->component->id]->labels);
  }
  bool near = check_meant(c, name->text, &list);
  const struct symbol *label = body->target ? NULL : label_of(body->component, name);
  if (label)
    check_help(c, (struct span){0, 0},
               "the request that has it as its transaction is called by its label: call %s(...);", label->name->text);
  else if (body->target && table_first(c, SPACE_COMPONENT, name))
    check_help(
        c, (struct span){0, 0},
        "'%s' is a component: a coercion's block calls transactions that the component which was matched accepts",
        name->text);
  else if (body->target && !near)
    help_accepted(c, body->target);
  else if (!body->target && table_first(c, SPACE_TRANSACTION, name))
    check_help(c, (struct span){0, 0}, "'%s' is a transaction: a request with a label asks for it", name->text);
  else if (!body->target && table_first(c, SPACE_COMPONENT, name))
    check_help(c, (struct span){0, 0}, "'%s' is a component: a request with a label asks for what it accepts",
               name->text);
  else if (!body->target && !near)
    check_help(
        c, (struct span){0, 0},
        "what is called stands under 'requests:', with its label: %s(...): selector = { ... }; transaction = ...;",
        name->text);
}

/* `call station.serve()`: an object of other languages. */
static bool calls_component(struct checker *c, const struct expr *callee) {
  const struct expr *base = callee->member.base;
  return base->kind == EXPR_NAME && !table_first(c, SPACE_QUALIFIER, base->name.name) &&
         table_first(c, SPACE_COMPONENT, base->name.name);
}

static const struct type *check_call(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  struct expr *call = stmt->assign.value, *callee = call->call->callee;
  struct symbol *symbol = NULL;
  stmt->assign.callee = NULL;
  call->type = c->model->types.error;
  callee->type = c->model->types.none;
  const struct type *interaction = interaction_check(c, x, body, call, &symbol);
  if (interaction) {
    stmt->assign.callee = symbol;
    return call->type = interaction;
  }
  if (callee->kind == EXPR_MEMBER && calls_component(c, callee)) {
    check_error(c, callee->span, "a component is not called by its name: a request with a label asks for '%s'",
                callee->member.member.name->text);
    if (!body->target && label_of(body->component, callee->member.member.name))
      check_help(c, (struct span){0, 0},
                 "the request that has it as its transaction is called by its label: call %s(...);",
                 label_of(body->component, callee->member.member.name)->name->text);
    const struct scope *labels = &c->components[body->component->id]->labels;
    for (uint32_t i = 0; i < labels->count; i++)
      if (labels->items[i]->name == callee->member.member.name)
        check_help(c, (struct span){0, 0}, "its label alone calls it: call %s(...);", labels->items[i]->name->text);
  } else if (callee->kind == EXPR_MEMBER) {
    bool record;
    symbol = member_lookup(c, x, callee, &record);
    callee->member.symbol = symbol;
    if (record || (symbol && symbol->kind != SYMBOL_EVALUATOR_FUNCTION)) {
      check_error(c, callee->span, "%s is no function of an evaluator", expr_text(c, callee));
      symbol = NULL;
    }
    if (symbol) call_evaluator(c, x, call, symbol);
  } else if (callee->kind == EXPR_NAME) {
    if (body->component) symbol = label_find(c, body->component, callee->name.name);
    if (symbol)
      call_label(c, x, call, symbol);
    else if (body->target)
      symbol = table_find(c, SPACE_TRANSACTION, callee->name.name, callee->span);
    if (!symbol)
      unknown_callee(c, x, body, callee);
    else if (symbol->kind == SYMBOL_TRANSACTION)
      call_transaction(c, x, call, symbol->transaction);
    callee->name.symbol = symbol;
  }
  if (!symbol && !call->call->binder_count) {
    bool terms = x->terms;
    x->terms = true; /* one error is enough */
    for (uint32_t i = 0; i < call->call->args.value_count; i++)
      expr_check(c, x, call->call->args.values[i], NULL);
    x->terms = terms;
  }
  stmt->assign.callee = symbol;
  return call->type;
}

/* The value of let, assignment and return. wanted may be NULL. */
static const struct type *check_value(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt,
                                      const struct type *wanted, const char *what) {
  struct expr *value = stmt->assign.value;
  const struct type *type = stmt->assign.is_call ? check_call(c, x, body, stmt) : expr_check(c, x, value, wanted);
  if (type->kind == TYPE_VOID) {
    check_error(c, value->span, "this gives no value");
    const struct symbol *callee = stmt->assign.callee;
    if (stmt->assign.is_call && callee && callee->kind == SYMBOL_LABEL) {
      bool result = callee->request->transaction && callee->request->transaction->result->kind != TYPE_VOID;
      check_note(c, callee->span,
                 !result                                          ? "its transaction has no result"
                 : callee->request->protocol == PROTOCOL_DATAFLOW ? "it is dataflow, and nothing comes back"
                                                                  : "it is optional, and may find no target");
    }
    return c->model->types.error;
  }
  if (!wanted || type->kind == TYPE_ERROR) return type;
  bool kept = stmt->assign.is_call && type->kind == TYPE_ANY; /* an evaluator's, which has been given such a one */
  if (kept && stmt->kind == STMT_RETURN && body->returns->result_of) return wanted;
  if (body->target && stmt->kind == STMT_RETURN && coercion_leads(c, type, wanted)) return wanted;
  return type_require(c, value, wanted, what) ? type_lift(c, wanted, type) : c->model->types.error;
}

/* ---- the statements ---- */

static void check_let(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt,
                      struct scope *scope) {
  const struct type *declared = stmt->assign.type ? type_check(c, stmt->assign.type) : NULL;
  const char *what = arena_printf(c->arena, "let '%s'", stmt->assign.name.name->text);
  const struct type *type = check_value(c, x, body, stmt, declared, what);
  if (declared && type->kind == TYPE_ERROR) type = declared;
  if (declared && type->kind == TYPE_DISTRIBUTION) type = declared; /* a number is wanted: it is drawn here */
  warn_hidden(c, x, body, &stmt->assign.name);
  stmt->assign.symbol = scope_local(c, x, scope, stmt->assign.name, type);
  stmt->assign.symbol->assignable = body->target != NULL;
  if (!declared && !body->target && !stmt->assign.is_call) stmt->assign.symbol->made = stmt->assign.value;
  if (type->kind == TYPE_ANY && !stmt->assign.is_call) passing_note(c, stmt->assign.value, stmt->assign.symbol, NULL);
}

static const struct expr *target_name(const struct expr *target) {
  while (target->kind == EXPR_INDEX || target->kind == EXPR_MEMBER)
    target = target->kind == EXPR_INDEX ? target->index.base : target->member.base;
  return target;
}

static bool check_target(struct checker *c, struct context *x, const struct body *body, const struct expr *target) {
  const struct expr *base = target_name(target);
  struct symbol *symbol = scope_find(c, x->scope, base->name.name);
  bool asked = symbol && symbol->kind == SYMBOL_VAR && symbol->decl->value.asked;
  if (symbol && symbol->kind == SYMBOL_VAR && (!asked || base->span.begin == symbol->span.begin)) return true;
  if (symbol && body->target && symbol->kind == SYMBOL_LOCAL && symbol->assignable) return true; /* it has no vars */
  if (!symbol) symbol = table_first(c, SPACE_VALUE, base->name.name);
  if (!symbol && name_is(base->name.name, KNOWN_CLOCK)) {
    check_error(c, base->span, "'clock' is not assigned: 'hold TIME;' moves it on");
    return false;
  }
  if (!symbol) {
    struct words_list list = {0};
    check_error(c, base->span, "unknown name '%s'", base->name.name->text);
    for (struct scope *scope = x->scope; scope; scope = scope->outer)
      for (uint32_t i = 0; i < scope->count; i++)
        if (scope->items[i]->kind == SYMBOL_VAR) words_add(c, &list, scope->items[i]->name->text);
    if (!check_meant(c, base->name.name->text, &list) && base == target)
      check_help(c, (struct span){0, 0},
                 "'let %s = VALUE;' gives a value a name, and what changes is a var of the component",
                 base->name.name->text);
    return false;
  }
  check_error(c, base->span, "'%s' has one value and is not assigned: only a var is", symbol->name->text);
  if (asked)
    check_note(c, symbol->decl->value.value->span, "it is asked for here");
  else
    check_note(c, symbol->span, "declared here");
  if (symbol->kind == SYMBOL_LOCAL || symbol->kind == SYMBOL_INSTANCE)
    check_help(c, (struct span){0, 0}, "declare a var in the component for what changes");
  if (symbol->kind == SYMBOL_PARAM)
    check_help(c, (struct span){0, 0},
               "a param is given its value before a run, as by --set %s=VALUE; for what changes declare a var in the "
               "component",
               symbol->name->text);
  return false;
}

static void check_assign(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  const struct type *wanted = NULL;
  if (check_target(c, x, body, stmt->assign.target)) {
    wanted = expr_check(c, x, stmt->assign.target, NULL);
    if (wanted->kind == TYPE_ERROR) wanted = NULL;
  }
  const char *what = wanted ? arena_printf(c->arena, "'%s'", expr_text(c, stmt->assign.target)) : "";
  bool terms = x->terms;
  x->terms = terms || !wanted;
  const struct type *type = check_value(c, x, body, stmt, wanted, what);
  x->terms = terms;
  if (type->kind == TYPE_DISTRIBUTION && wanted && wanted->kind != TYPE_DISTRIBUTION)
    check_draw(c, x, stmt->assign.value, type);
}

static void check_return(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  const struct type *result = body->result;
  if (!stmt->assign.value) {
    if (result->kind == TYPE_VOID || result->kind == TYPE_ERROR) return;
    check_error(c, stmt->span, "transaction '%s' has %s as its result: return gives it",
                body->returns->symbol->name->text, type_text(c, result));
    check_note(c, body->returns->symbol->span, "declared here");
    return;
  }
  if (result->kind != TYPE_VOID) {
    const char *what = arena_printf(c->arena, "the result of '%s'", body->returns->symbol->name->text);
    check_value(c, x, body, stmt, result, what);
    return;
  }
  check_value(c, x, body, stmt, NULL, "");
  if (body->returns->result->kind != TYPE_VOID) {
    check_error(c, stmt->span, "a dataflow accept has nobody to return a value to");
    return;
  }
  check_error(c, stmt->span, "transaction '%s' has no result", body->returns->symbol->name->text);
  check_note(c, body->returns->symbol->span, "declared here");
  check_help(c, (struct span){0, 0}, "declare it with one, as in transaction %s(…) -> %s;",
             body->returns->symbol->name->text,
             type_is_number(stmt->assign.value->type) ? type_text(c, stmt->assign.value->type) : "int");
}

static void note_recorder(struct checker *c, struct recorded *recorded, struct model_component *component) {
  for (uint32_t i = 0; i < recorded->component_count; i++)
    if (recorded->components[i] == component) return;
  ARENA_PUSH(c->arena, recorded->components, recorded->component_count, recorded->component_capacity, component);
}

static void note_recorded(struct checker *c, struct model_component *component, const struct ident *name,
                          const struct type *type) {
  for (uint32_t i = 0; i < c->record_count; i++) {
    struct recorded *before = &c->records[i];
    if (before->name != name->name) continue;
    const struct type *both = type_join(c, before->type, type);
    if (both) {
      before->type = both;
      if (component) note_recorder(c, before, component);
      return;
    }
    check_error(c, name->span, "'%s' is recorded as %s here and as %s elsewhere", name->name->text, type_text(c, type),
                type_text(c, before->type));
    check_note(c, before->span, "recorded here");
    return;
  }
  struct recorded new = {.name = name->name, .type = type, .span = name->span};
  if (component) note_recorder(c, &new, component);
  ARENA_PUSH(c->arena, c->records, c->record_count, c->record_capacity, new);
}

static bool is_recorded_by(const struct recorded *recorded, const struct model_component *component) {
  for (uint32_t i = 0; i < recorded->component_count; i++)
    if (recorded->components[i] == component) return true;
  return false;
}

static const struct recorded *recorded_of(const struct checker *c, const char *name,
                                          const struct model_component *component) {
  for (uint32_t i = 0; i < c->record_count; i++)
    if (!strcmp(c->records[i].name->text, name) && is_recorded_by(&c->records[i], component)) return &c->records[i];
  return NULL;
}

/* A component that records all of these says where its time goes. */
void stated_time_check(struct checker *c, struct model_component *component) {
  const struct recorded *stated[ACTIVITIES];
  for (int i = 0; i < ACTIVITIES; i++) {
    stated[i] = recorded_of(c, activity_names[i], component);
    if (!stated[i]) return;
  }
  component->states_time = true;
  for (int i = 0; i < ACTIVITIES; i++)
    if (!type_conforms(stated[i]->type, c->model->types.time))
      check_error(c, stated[i]->span,
                  "'%s' says where the time of '%s' goes, which records compute, communicate and wait, and this is %s",
                  activity_names[i], component->symbol->name->text, type_text(c, stated[i]->type));
}

/* ---- what a record keeps ---- */

enum { QUANTILES_MOST = 20, CLASSES_MOST = 1000 };

/* A number that is written as it is; false after a diagnostic. */
static bool literal_value(struct checker *c, struct context *x, struct expr *expr, const struct type *type,
                          const char *what, struct value *value) {
  struct environment environment = {.model = c->model, .scratch = c->arena};
  if (!expr_is_number(expr)) {
    check_error(c, expr->span, "%s is a number that is written as it is", what);
    return false;
  }
  return expr_check_as(c, x, expr, type, what)->kind != TYPE_ERROR && evaluate(&environment, expr, value);
}

static int ascending(const void *a, const void *b) {
  double x = ((const struct model_quantile *)a)->part, y = ((const struct model_quantile *)b)->part;
  return x < y ? -1 : x > y;
}

static void add_quantile(struct checker *c, struct model_keeping *keeping, const struct expr *item, double part) {
  for (uint32_t q = 0; q < keeping->quantile_count; q++) {
    if (keeping->quantiles[q].part != part) continue;
    check_error(c, item->span, "this quantile is given twice");
    return;
  }
  keeping->quantiles[keeping->quantile_count++] = (struct model_quantile){part, quantile_name(c->arena, part)};
}

static void keep_quantiles(struct checker *c, struct context *x, const struct field *option,
                           struct model_keeping *keeping) {
  const struct expr *list = option->value;
  if (!list || list->kind != EXPR_LIST || !list->list.count || list->list.count > QUANTILES_MOST) {
    check_error(c, list ? list->span : option->name.span, "quantiles are a list of 1 to %d parts: [50 %%, 95 %%]",
                QUANTILES_MOST);
    return;
  }
  keeping->quantiles = ARENA_ARRAY(c->arena, struct model_quantile, list->list.count);
  for (uint32_t i = 0; i < list->list.count; i++) {
    struct expr *item = list->list.items[i];
    struct value value;
    if (!literal_value(c, x, item, c->model->types.real, "a quantile", &value)) continue;
    double part = value.kind == VALUE_INT ? (double)value.integer : value.real;
    if (!(part >= 0 && part <= 1)) {
      check_error(c, item->span, "a quantile is a part, from 0 %% to 100 %%");
      if (part >= 2 && part <= 100) check_help(c, (struct span){0, 0}, "did you mean %g %%?", part);
    } else {
      add_quantile(c, keeping, item, part);
    }
  }
  if (keeping->quantile_count)
    qsort(keeping->quantiles, keeping->quantile_count, sizeof *keeping->quantiles, ascending);
}

static void keep_histogram(struct checker *c, struct context *x, const struct field *option,
                           struct model_keeping *keeping) {
  struct value value;
  if (!option->value) {
    check_error(c, option->name.span, "a histogram has a number of classes: histogram 20");
  } else if (literal_value(c, x, option->value, c->model->types.integer, "a histogram's number of classes", &value)) {
    if (value.integer < 1 || value.integer > CLASSES_MOST)
      check_error(c, option->value->span, "a histogram has 1 to %d classes", CLASSES_MOST);
    else
      keeping->classes = (uint32_t)value.integer;
  }
}

/* One value for all instances, before anything is recorded. */
static struct expr *keep_value(struct checker *c, const struct context *x, const struct field *option,
                               const struct type *type, const char *what) {
  uint32_t slots = 0;
  struct context own = {.scope = &c->components[x->component->id]->scope,
                        .slots = &slots,
                        .component = x->component,
                        .draws = "an option of a record"};
  if (!option->value) {
    check_error(c, option->name.span, "%s is said with its value", what);
    return NULL;
  }
  if (check_draw(c, &own, option->value, expr_check_as(c, &own, option->value, type, what))->kind == TYPE_ERROR)
    return NULL;
  const struct symbol *index = expr_index(option->value);
  if (!index) return option->value;
  check_error(c, option->value->span, "%s is the same for all instances, and this depends on the index '%s'", what,
              index->name->text);
  return NULL;
}

static void keep_option(struct checker *c, struct context *x, const struct field *option,
                        struct model_keeping *keeping) {
  const struct name *word = option->name.name;
  if (name_is(word, KNOWN_QUANTILES)) {
    keep_quantiles(c, x, option, keeping);
  } else if (name_is(word, KNOWN_HISTOGRAM)) {
    keep_histogram(c, x, option, keeping);
  } else if (name_is(word, KNOWN_LEVEL)) {
    if (option->value) check_error(c, option->value->span, "'level' stands alone");
    keeping->level = true;
  } else if (name_is(word, KNOWN_WARM_UP)) {
    keeping->warm_up = keep_value(c, x, option, c->model->types.time, "a warm-up");
  } else if (name_is(word, KNOWN_HALF_WIDTH)) {
    keeping->half_width = keep_value(c, x, option, c->model->types.real, "a half-width");
  } else {
    struct words_list list = {0};
    check_error(c, option->name.span, "a record has no '%s'", word->text);
    for (enum known k = KNOWN_QUANTILES; k <= KNOWN_HALF_WIDTH; k++)
      words_add(c, &list, name_known(c->model->names, k)->text);
    if (is_percentile(word->text))
      check_help(c, (struct span){0, 0}, "a percentile is kept by quantiles [%s %%], and is then NAME.%s",
                 percentile_text(c, word->text + 1), word->text);
    else if (!check_habit(c, HABIT_KEPT, word->text))
      check_meant(c, word->text, &list);
  }
}

static void check_options(struct checker *c, struct context *x, struct stmt *stmt) {
  struct model_component *component = x->component;
  const struct name *name = stmt->record.name.name;
  if (!stmt->record.option_count) return;
  if (!component) {
    check_error(c, stmt->record.options[0].name.span, "what a coercion records is a table alone");
    return;
  }
  for (const struct model_keeping *before = component->keepings; before; before = before->next) {
    if (before->name != name) continue;
    check_error(c, stmt->record.options[0].name.span, "what is kept of '%s' is said twice", name->text);
    check_note(c, before->span, "first said here");
    return;
  }
  struct model_keeping *keeping = ARENA_NEW(c->arena, struct model_keeping);
  *keeping =
      (struct model_keeping){.next = component->keepings, .name = name, .span = stmt->record.options[0].name.span};
  component->keepings = keeping;
  for (uint32_t i = 0; i < stmt->record.option_count; i++)
    keep_option(c, x, &stmt->record.options[i], keeping);
  if (keeping->level && (keeping->quantile_count || keeping->classes))
    check_error(c, keeping->span, "a level has neither quantiles nor a histogram");
}

static void check_record(struct checker *c, struct context *x, struct stmt *stmt) {
  struct expr *value = stmt->record.value;
  const struct type *type = check_draw(c, x, value, expr_check(c, x, value, NULL));
  check_options(c, x, stmt);
  if (type->kind == TYPE_ERROR) return;
  record_hides(c, x->component, stmt->record.name);
  if (type_is_number(type))
    note_recorded(c, x->component, &stmt->record.name, type_plain(&c->model->types, type));
  else
    check_error(c, value->span, "what is recorded is a number, not %s", type_text(c, type));
}

static const char *written(struct checker *c, const struct expr *value) {
  struct text text = {.arena = c->arena};
  if (!value) return "N/A";
  expr_format(&text, value);
  return text.data;
}

/* An attribute that changes is one of the instance, whichever accept has it: with one first value. */
static bool first_values_agree(struct checker *c, const struct stmt *stmt, const struct model_profile *a,
                               const struct model_profile *b) {
  const char *one = written(c, a->value), *other = written(c, b->value);
  if (a->type->kind == TYPE_ERROR || b->type->kind == TYPE_ERROR || !strcmp(one, other)) return true;
  check_error(c, stmt->record.name.span, "attribute '%s' changes, and has more than one first value",
              a->attribute->text);
  check_note(c, a->span, "it is %s here", one);
  check_note(c, b->span, "and %s here", other);
  return false;
}

static void check_profile(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  struct model_component *component = body->component;
  const struct name *folded = stmt->record.name.name->folded;
  const struct type *type = NULL;
  const struct model_profile *first = NULL;
  bool agree = true;
  struct words_list list = {0};
  if (!component) {
    check_error(c, stmt->span, "a coercion has no profile to set");
    return;
  }
  struct checked_component *own = c->components[component->id];
  int32_t slot = -1;
  for (uint32_t i = 0; i < component->dynamic_count; i++)
    if (component->dynamic_names[i] == folded) slot = (int32_t)i;
  for (uint32_t i = 0; i < component->accept_count; i++)
    for (uint32_t k = 0; k < component->accepts[i]->profile_count; k++) {
      struct model_profile *entry = &component->accepts[i]->profile[k];
      words_add(c, &list, entry->attribute->text);
      if (entry->attribute != folded) continue;
      if (slot < 0) {
        slot = (int32_t)component->dynamic_count;
        ARENA_PUSH(c->arena, component->dynamic_names, component->dynamic_count, own->dynamic_capacity, folded);
      }
      entry->dynamic = slot;
      if (!first) first = entry;
      agree = agree && first_values_agree(c, stmt, first, entry);
      if (!type) type = entry->type;
    }
  if (!type) {
    check_error(c, stmt->record.name.span, "no profile of '%s' has the attribute '%s'", component->symbol->name->text,
                stmt->record.name.name->text);
    check_meant(c, folded->text, &list);
    check_help(c, (struct span){0, 0}, "give it a first value in the profile");
    type = c->model->types.error;
  } else if (name_is(folded, KNOWN_DOMAIN)) {
    check_error(c, stmt->record.name.span, "the domain of a component does not change");
  }
  stmt->record.symbol = symbol_new(c, SYMBOL_ATTRIBUTE, folded, stmt->record.name.span);
  stmt->record.symbol->slot = slot < 0 ? 0 : (uint32_t)slot;
  stmt->record.symbol->type = type;
  stmt->record.symbol->allowed = first ? first->allowed : NULL;
  const char *what = arena_printf(c->arena, "attribute '%s'", stmt->record.name.name->text);
  bool terms = x->terms;
  x->terms = terms || type->kind == TYPE_ERROR || type->kind == TYPE_ANY;
  const struct type *given = expr_check_as(c, x, stmt->record.value, type, what);
  if (given->kind == TYPE_DISTRIBUTION && type->kind != TYPE_DISTRIBUTION) check_draw(c, x, stmt->record.value, given);
  if (first && first->allowed && given->kind != TYPE_ERROR)
    check_allowed(c, first->allowed, folded, type, stmt->record.value);
  x->terms = terms;
}

static void check_for(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  const struct type *type = walk_check(c, x, stmt->each.range, stmt->each.step, stmt->each.geometric, false);
  struct scope scope = {.outer = x->scope}, inner = {.outer = &scope};
  warn_hidden(c, x, body, &stmt->each.name);
  stmt->each.symbol = scope_local(c, x, &scope, stmt->each.name, type);
  x->scope = &scope;
  block_check(c, x, body, &stmt->each.body, &inner);
  x->scope = scope.outer;
}

static void no_symbol(void *user, struct symbol *symbol) {
  (void)symbol;
  *(bool *)user = false;
}

/* Chances that name nothing are tested here, others when they are drawn by. */
static void test_chances(struct checker *c, const struct stmt *stmt) {
  uint32_t count = stmt->chances.count, at;
  double *chances = ARENA_ARRAY(c->arena, double, count);
  struct environment environment = {.model = c->model, .scratch = c->arena};
  bool written = true;
  for (uint32_t i = 0; i < count; i++) {
    struct value value;
    struct expr *expr = stmt->chances.items[i].value;
    if (expr->type->kind == TYPE_RANGE) return; /* refused */
    if (!type_conforms(expr->type, c->model->types.real)) return;
    expr_symbols(expr, no_symbol, &written);
    if (!written || !evaluate_as(&environment, expr, c->model->types.real, &value)) return;
    chances[i] = value.real;
  }
  const char *wrong = chances_wrong(c->arena, chances, count, &at);
  if (wrong) check_error(c, at < count ? stmt->chances.items[at].value->span : stmt->span, "%s", wrong);
}

static void check_one_of(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  const char *draws = x->draws;
  for (uint32_t i = 0; i < stmt->chances.count; i++) {
    struct chance *chance = &stmt->chances.items[i];
    x->draws = "a chance";
    const struct type *type = expr_check_as(c, x, chance->value, c->model->types.real, "a chance");
    if (type->kind == TYPE_DISTRIBUTION) check_not_drawn(c, x, chance->value);
    if (type->kind == TYPE_RANGE) check_no_range(c, chance->value, "a chance");
    x->draws = draws;
    block_in(c, x, body, &chance->body);
  }
  test_chances(c, stmt);
}

/* How often the condition of a branch holds that a condensed task graph has the mean of. */
static void check_collapse(struct checker *c, struct context *x, struct expr *chance) {
  const struct type *type = expr_check_as(c, x, chance, c->model->types.real, "a chance");
  if (type->kind == TYPE_DISTRIBUTION) check_not_drawn(c, x, chance);
  if (type->kind == TYPE_RANGE) check_no_range(c, chance, "a chance");
  double value = chance->kind == EXPR_QUANTITY ? chance->quantity.value * chance->quantity.factor
                 : chance->kind == EXPR_REAL   ? chance->real
                                               : 0;
  if (!(value >= 0 && value <= 1)) check_error(c, chance->span, "a chance is 0 to 1, or 0 to 100 %%");
}

/* Can the process wait there, and what it waits for be cancelled? */
static void test_head(struct checker *c, const struct stmt *wait) {
  const struct symbol *callee = wait->kind == STMT_HOLD ? NULL : wait->assign.callee;
  if (!callee) return;
  if (callee->kind == SYMBOL_LABEL) {
    if (callee->request->protocol != PROTOCOL_DATAFLOW) return;
    check_error(c, wait->assign.value->span, "'%s' is %s: it sends and does not wait", callee->name->text,
                callee->request->declared ? callee->request->declared->symbol->name->text : "dataflow");
    check_note(c, callee->span, "declared here");
  } else if (callee->kind == SYMBOL_EVALUATOR_FUNCTION && callee->evaluator_of != &conversation_evaluator) {
    check_error(c, wait->assign.value->span, "a head of 'first of' calls a labelled request, not an evaluator");
    check_help(c, (struct span){0, 0}, "a component whose body makes this call can be requested");
  }
}

static void check_first_of(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt) {
  if (body->target) check_error(c, stmt->span, "a coercion's block cannot wait for the first of several things");
  for (uint32_t i = 0; i < stmt->heads.count; i++) {
    struct head *head = &stmt->heads.items[i];
    struct scope scope = {.outer = x->scope};
    c->heads = true;
    block_check(c, x, body, &head->wait, &scope);
    c->heads = false;
    if (!body->target) test_head(c, head->wait.first);
    x->scope = &scope;
    block_in(c, x, body, &head->body);
    x->scope = scope.outer;
  }
}

static void statement(struct checker *c, struct context *x, const struct body *body, struct stmt *stmt,
                      struct scope *scope) {
  const struct types *types = &c->model->types;
  if (stmt->made) {
    made_check(c, x, stmt, scope);
    return;
  }
  switch (stmt->kind) {
  case STMT_LET: check_let(c, x, body, stmt, scope); break;
  case STMT_ASSIGN: check_assign(c, x, body, stmt); break;
  case STMT_CALL: check_call(c, x, body, stmt); break;
  case STMT_HOLD: expr_check_as(c, x, stmt->hold, types->time, "hold"); break;
  case STMT_RETURN: check_return(c, x, body, stmt); break;
  case STMT_RECORD: check_record(c, x, stmt); break;
  case STMT_PROFILE: check_profile(c, x, body, stmt); break;
  case STMT_ASSERT: expr_check_as(c, x, stmt->assertion, types->boolean, "assert"); break;
  case STMT_IF:
    if (stmt->branch.chance) check_collapse(c, x, stmt->branch.chance);
    expr_check_as(c, x, stmt->branch.condition, types->boolean, "the condition of if");
    block_in(c, x, body, &stmt->branch.then);
    if (stmt->branch.has_else) block_in(c, x, body, &stmt->branch.otherwise);
    break;
  case STMT_ONE_OF: check_one_of(c, x, body, stmt); break;
  case STMT_FIRST_OF: check_first_of(c, x, body, stmt); break;
  case STMT_WHILE:
    expr_check_as(c, x, stmt->loop.condition, types->boolean, "the condition of while");
    block_in(c, x, body, &stmt->loop.body);
    break;
  case STMT_FOR: check_for(c, x, body, stmt); break;
  case STMT_KINDS: break;
  }
}

static bool never_goes_on(const struct stmt *stmt);

static bool block_ends(const struct block *block) {
  const struct stmt *last = block->first;
  while (last && last->next)
    last = last->next;
  return last && never_goes_on(last);
}

/* Is nothing done behind it in its block? */
static bool never_goes_on(const struct stmt *stmt) {
  bool ends = true;
  switch (stmt->kind) {
  case STMT_RETURN: return true;
  case STMT_IF: return stmt->branch.has_else && block_ends(&stmt->branch.then) && block_ends(&stmt->branch.otherwise);
  case STMT_WHILE: return stmt->loop.condition->kind == EXPR_BOOLEAN && stmt->loop.condition->boolean;
  case STMT_ONE_OF:
    for (uint32_t i = 0; i < stmt->chances.count; i++)
      ends &= block_ends(&stmt->chances.items[i].body);
    return ends;
  case STMT_FIRST_OF:
    for (uint32_t i = 0; i < stmt->heads.count; i++)
      ends &= block_ends(&stmt->heads.items[i].body);
    return ends;
  default: return false;
  }
}

static void warn_unreached(struct checker *c, const struct body *body, const struct stmt *end) {
  check_warning(c, end->next->span, "this is never done: %s",
                end->kind == STMT_RETURN  ? "a return stands before it"
                : end->kind == STMT_WHILE ? "the loop before it has no end"
                                          : "no block of the statement before it goes on");
  check_note(c, end->span, "here");
  if (!body->target && end->kind == STMT_WHILE)
    check_help(c, (struct span){0, 0}, "a loop ends when its condition no longer holds: while VAR < 10 { ... }");
  else if (!body->target)
    check_help(c, (struct span){0, 0},
               "what goes on behind the reply is done by another component, which a dataflow request starts");
}

void block_check(struct checker *c, struct context *x, const struct body *body, struct block *block,
                 struct scope *scope) {
  struct scope *outer = x->scope;
  x->scope = scope;
  for (struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    statement(c, x, body, stmt, scope);
    if (stmt->next && never_goes_on(stmt)) warn_unreached(c, body, stmt);
  }
  x->scope = outer;
}
