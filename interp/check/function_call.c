/* Calls in expressions: functions of PSL, built-in ones, foreign ones and pure ones of evaluators; and the
 * binding of arguments to parameters, by place and by name, which requests and `call` statements share. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "interp/foreign/foreign.h"

#include <string.h>

/* ---- arguments ---- */

static void plural(struct checker *c, struct span span, const char *what, uint32_t least, uint32_t most,
                   uint32_t given) {
  const char *number = most == UINT32_MAX ? arena_printf(c->arena, "at least %u", least)
                       : least == most    ? arena_printf(c->arena, "%u", most)
                                          : arena_printf(c->arena, "%u to %u", least, most);
  uint32_t last = most == UINT32_MAX ? least : most;
  check_error(c, span, "%s takes %s argument%s, not %u", what, most == 0 ? "no" : number, last == 1 ? "" : "s", given);
}

static void declared_here(struct checker *c, struct span span) {
  if (span.end) check_note(c, span, "declared here");
}

bool args_bind(struct checker *c, const char *what, const struct args *args, const struct formal *formals,
               uint32_t count, struct expr **bound) {
  bool fine = true, known;
  struct map places = {0};
  for (uint32_t i = 0; i < count; i++)
    bound[i] = NULL;
  for (uint32_t i = 0; i < count && args->field_count; i++)
    map_add(c->arena, &places, map_key(formals[i].name), i, &known);
  if (args->value_count > count) {
    plural(c, args->span, what, count, count, args->value_count + args->field_count);
    fine = false;
  }
  for (uint32_t i = 0; i < args->value_count && i < count; i++)
    bound[i] = args->values[i];
  for (uint32_t i = 0; i < args->field_count; i++) {
    const struct field *field = &args->fields[i];
    uint32_t k = map_get(&places, map_key(field->name.name), count);
    if (k == count) {
      struct words_list list = {0};
      check_error(c, field->name.span, "%s has no parameter '%s'", what, field->name.name->text);
      for (uint32_t f = 0; f < count; f++)
        words_add(c, &list, formals[f].name->text);
      check_meant(c, field->name.name->text, &list);
      fine = false;
    } else if (bound[k]) {
      check_error(c, field->name.span, "'%s' is given twice", field->name.name->text);
      check_note(c, bound[k]->span, "first given here");
      fine = false;
    } else {
      bound[k] = field->value;
    }
  }
  return fine;
}

/* Checks arguments against formals and puts defaults where one is left out. *lifted: one is a range. */
static bool check_arguments(struct checker *c, struct context *x, struct expr *call, const char *what,
                            const struct formal *formals, uint32_t count, bool *lifted) {
  struct expr **bound = ARENA_ARRAY(c->arena, struct expr *, count);
  bool fine = args_bind(c, what, &call->call->args, formals, count, bound);
  *lifted = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!bound[i]) {
      if (!formals[i].value && fine && !(formals[i].foreign && formals[i].foreign->sized)) {
        check_error(c, call->span, "%s lacks its argument '%s'", what, formals[i].name->text);
        declared_here(c, formals[i].span);
        fine = false;
      }
      bound[i] = formals[i].value;
      continue;
    }
    if (formals[i].foreign && formals[i].foreign->callback) {
      foreign_callback_check(c, x, bound[i], formals[i].foreign);
      continue;
    }
    const char *place = arena_printf(c->arena, "parameter '%s' of %s", formals[i].name->text, what);
    const struct type *wanted = formals[i].type;
    unsigned errors = c->d->errors;
    const struct type *type = expr_check_as(c, x, bound[i], wanted, place);
    if (type->kind == TYPE_ERROR) {
      if (c->d->errors != errors && !type_conforms(bound[i]->type, wanted)) declared_here(c, formals[i].span);
      continue;
    }
    if (type->kind == TYPE_DISTRIBUTION && wanted->kind != TYPE_DISTRIBUTION) check_draw(c, x, bound[i], type);
    *lifted = *lifted || (type->kind == TYPE_RANGE && wanted->kind != TYPE_RANGE);
  }
  for (uint32_t i = count; i < call->call->args.value_count; i++)
    expr_check(c, x, call->call->args.values[i], NULL);
  call->call->bound = bound;
  call->call->bound_count = count;
  return fine;
}

static const struct type *lift_result(struct checker *c, const struct type *result, bool lifted) {
  if (!lifted || !type_is_number(result)) return result;
  return type_of_kind(&c->model->types, TYPE_RANGE, type_dimension(result));
}

/* ---- the kinds of functions ---- */

static const struct type *call_function(struct checker *c, struct context *x, struct expr *expr,
                                        struct symbol *symbol) {
  struct model_function *function = symbol->function;
  const char *what = arena_printf(c->arena, "'%s'", symbol->name->text);
  struct formal *formals = ARENA_ARRAY(c->arena, struct formal, function->param_count);
  for (uint32_t i = 0; i < function->param_count; i++) {
    struct symbol *param = function->params[i];
    formals[i] =
        (struct formal){.name = param->name, .type = param->type, .value = function->defaults[i], .span = param->span};
  }
  bool lifted;
  bool fine = check_arguments(c, x, expr, what, formals, function->param_count, &lifted);
  function_called(c, x->function, function);
  const struct type *result = symbol_type(c, symbol, expr->span);
  return fine ? lift_result(c, result, lifted) : result;
}

static const struct type *call_signature(struct checker *c, struct context *x, struct expr *expr,
                                         struct symbol *symbol) {
  const struct model_signature *s = symbol->signature;
  if (!s) return c->model->types.error;
  const char *what = arena_printf(c->arena, "'%s'", expr_text(c, expr->call->callee));
  struct formal *formals = ARENA_ARRAY(c->arena, struct formal, s->count);
  for (uint32_t i = 0; i < s->count; i++) {
    const struct foreign_parameter *foreign = symbol->kind == SYMBOL_FOREIGN ? symbol->foreign->arguments[i] : NULL;
    formals[i] = (struct formal){.name = s->names[i], .type = s->types[i], .value = s->defaults[i], .foreign = foreign};
    if (foreign) formals[i].span = foreign->span;
  }
  bool lifted;
  bool fine = check_arguments(c, x, expr, what, formals, s->count, &lifted);
  bool pure = symbol->kind == SYMBOL_EVALUATOR_FUNCTION && symbol->evaluator_function->kind == PSL_PURE;
  if (lifted && pure) return fine ? lift_result(c, s->result, lifted) : s->result; /* called at the ranges' ends */
  if (lifted && symbol->kind != SYMBOL_EVALUATOR_FUNCTION) { /* one with state takes the end of the run */
    check_error(c, expr->span, "%s takes no range of values", what);
    help_one_number(c, expr->call->args.values, expr->call->args.value_count);
  }
  return s->result;
}

struct model_signature *signature_check(struct checker *c, const struct signature *signature, struct symbol *symbol,
                                        const char *what) {
  struct model_signature *out = ARENA_NEW(c->arena, struct model_signature);
  uint32_t slots = 0;
  struct context x = {.slots = &slots, .draws = "a default"};
  out->symbol = symbol;
  out->count = signature->param_count;
  out->names = ARENA_ARRAY(c->arena, const struct name *, out->count);
  out->types = ARENA_ARRAY(c->arena, const struct type *, out->count);
  out->defaults = ARENA_ARRAY(c->arena, struct expr *, out->count);
  for (uint32_t i = 0; i < out->count; i++) {
    struct param *param = &signature->params[i];
    out->names[i] = param->name.name;
    out->types[i] = c->model->types.error;
    if (param->type)
      out->types[i] = type_check(c, param->type);
    else
      check_error(c, param->name.span, "parameter '%s' of %s has no type", param->name.name->text, what);
    out->defaults[i] = param->value;
    if (param->value) expr_check_as(c, &x, param->value, out->types[i], "this default");
  }
  out->result = signature->result ? type_check(c, signature->result) : c->model->types.none;
  symbol->signature = out;
  return out;
}

/* ---- built-in functions ---- */

/* How often or how long apart, given to the distribution of a number of events. */
static bool poisson_help(struct checker *c, const struct expr *given, const struct builtin *builtin,
                         const struct type *type) {
  const struct types *types = &c->model->types;
  const char *text = expr_text(c, given);
  if (builtin->kind != DISTRIBUTION_POISSON || type->kind != TYPE_REAL) return false;
  struct dimension often;
  bool apart = dimension_equal(type->dimension, types->time->dimension);
  bool rate = dimension_power(types->time->dimension, -1, 1, &often) && dimension_equal(type->dimension, often);
  if (!apart && !rate) return false;
  check_help(c, (struct span){0, 0},
             apart ? "the times between the events of a Poisson process are exponential(%s)"
                   : "the times between the events of a Poisson process are exponential(1 / (%s))",
             text);
  return true;
}

/* The mean or the rate of a random time by name, as other simulators have it; exp is then theirs. */
static bool named_help(struct checker *c, const struct expr *expr, const struct builtin *builtin) {
  const struct args *args = &expr->call->args;
  bool exponential = builtin->kind == DISTRIBUTION_EXPONENTIAL || !strcmp(builtin->name, "exp");
  if (!exponential || args->value_count || args->field_count != 1) return false;
  const char *word = args->fields[0].name.name->text, *value = expr_text(c, args->fields[0].value);
  if (!strcmp(word, "rate") || !strcmp(word, "lambda"))
    check_help(c, expr->span, "the argument is the mean, not the rate: write exponential(1 / (%s))", value);
  else
    check_help(c, expr->span, "write exponential(%s)", value);
  return true;
}

/* A quantity where a number without a dimension is wanted, alone. */
static void number_help(struct checker *c, const struct expr *expr, const struct builtin *builtin,
                        const struct type *type) {
  const struct expr *given = expr->call->args.values[0];
  bool plain = given->kind == EXPR_NAME || given->kind == EXPR_QUANTITY;
  struct text unit = {.arena = c->arena};
  char error[400];
  if (type->kind != TYPE_REAL || dimension_none(type->dimension) || poisson_help(c, given, builtin, type)) return;
  if (!builtin->type(&c->model->types, builtin, (const struct type *const[]){c->model->types.real}, 1, error,
                     sizeof error))
    return;
  unit_print(&unit, &c->model->types, type->dimension);
  check_help(c, (struct span){0, 0}, plain ? "as a number it is %s(%s / 1 %s)" : "as a number it is %s((%s) / 1 %s)",
             builtin->name, expr_text(c, given), unit.data);
}

static void parameters_note(struct checker *c, const struct builtin *builtin) {
  check_note(c, (struct span){0, 0}, "%s%s: %s", builtin->name, builtin->parameters, builtin->doc);
}

/* `max(1 s, 2)`: a number among quantities of one dimension, as `a + 2` has it. */
static void unit_lacks_help(struct checker *c, const struct expr *expr, const struct type *const *types,
                            uint32_t count) {
  const struct expr *bare = NULL;
  const struct type *other = NULL;
  for (uint32_t i = 0; i < count && i < expr->call->args.value_count && !expr->call->binder_count; i++) {
    const struct expr *given = expr->call->args.values[i];
    bool number = given->kind == EXPR_INTEGER || given->kind == EXPR_REAL;
    bool quantity = type_is_number(types[i]) && !dimension_none(type_dimension(types[i]));
    if (number && !bare) bare = given;
    if (quantity && other && !dimension_equal(type_dimension(other), type_dimension(types[i]))) return;
    if (quantity) other = types[i];
    if (!number && !quantity) return;
  }
  if (bare && other)
    check_help(c, (struct span){0, 0}, "%s has no unit: write it with one, such as %s %s", expr_text(c, bare),
               expr_text(c, bare), unit_example(c, type_dimension(other)));
}

static const struct type *builtin_type(struct checker *c, const struct expr *expr, const struct builtin *builtin,
                                       const struct type *const *types, uint32_t count) {
  char error[400];
  for (uint32_t i = 0; i < count; i++)
    if (types[i]->kind == TYPE_ERROR) return types[i];
  for (uint32_t i = 0; i < count && !builtin->takes_any; i++)
    if (types[i]->kind == TYPE_ANY && !expr->call->binder_count) {
      check_not_known(c, expr->call->args.values[i]);
      return c->model->types.error;
    }
  const struct type *type = builtin->type(&c->model->types, builtin, types, count, error, sizeof error);
  if (type) return type;
  check_error(c, expr->span, "%s", error);
  for (uint32_t i = 0; i < count && i < expr->call->args.value_count && !expr->call->binder_count; i++)
    check_note(c, expr->call->args.values[i]->span, "this is %s", type_text(c, types[i]));
  for (uint32_t i = 0; i < count && i < expr->call->args.value_count && !expr->call->binder_count; i++)
    last_mean_help(c, expr->call->args.values[i], types[i]), check_bracketed(c, expr->call->args.values[i]);
  if (builtin->most > 1 || builtin->kind) parameters_note(c, builtin);
  if (distribution_places_help(c, expr, builtin, types, expr->call->binder_count ? 0 : count))
    return c->model->types.error;
  if (strstr(error, "of one dimension")) unit_lacks_help(c, expr, types, count);
  if (!strcmp(builtin->name, "exp") && type_is_number(types[0]))
    check_help(c, (struct span){0, 0}, "a random time is exponential(5 ms)");
  else if (count == 1 && expr->call->args.value_count == 1 && !expr->call->binder_count)
    number_help(c, expr, builtin, types[0]);
  return c->model->types.error;
}

static const struct type *call_fold(struct checker *c, struct context *x, struct expr *expr,
                                    const struct builtin *builtin) {
  struct scope scope = {.outer = x->scope};
  if (builtin->fold == FOLD_NONE) {
    check_error(c, expr->span, "'%s' has no form with 'in'", builtin->name);
    return c->model->types.error;
  }
  for (uint32_t i = 0; i < expr->call->binder_count; i++) {
    struct binder *binder = &expr->call->binders[i];
    const struct type *type = walk_check(c, x, binder->range, NULL, false, false);
    x->scope = &scope;
    binder->symbol = scope_local(c, x, &scope, binder->name, type);
  }
  x->scope = &scope;
  struct expr *body = expr->call->args.values[0];
  const struct type *type = check_draw(c, x, body, expr_check(c, x, body, NULL));
  x->scope = scope.outer;
  if (type->kind == TYPE_ERROR) return type;
  type = type_list(&c->model->types, type);
  return builtin_type(c, expr, builtin, &type, 1);
}

/* low(x) of a number of a study: the end of its interval over repetitions, which whoever runs the study gives a value.
 */
static const struct type *end_of_number(struct checker *c, struct context *x, struct expr *expr,
                                        const struct type *type, bool high) {
  struct model_study *study = x->study;
  if (!study || (type->kind != TYPE_INT && type->kind != TYPE_REAL)) return NULL;
  struct symbol *symbol = symbol_new(c, SYMBOL_LOCAL, name_of(c->model->names, high ? "high" : "low"), expr->span);
  struct study_end end = {.symbol = symbol,
                          .call = expr,
                          .value = expr->call->args.values[0],
                          .end = high ? 1 : -1,
                          .column = study->column_count};
  symbol->type = type_real(&c->model->types, type_dimension(type));
  symbol->slot = (*x->slots)++;
  if (*x->slots > c->model->slot_max) c->model->slot_max = *x->slots;
  ARENA_PUSH(c->arena, study->ends, study->end_count, study->end_capacity, end);
  expr->call->symbol = symbol;
  return symbol->type;
}

/* low(job.p95) is written job.p95.low, too; NULL: it is no end of an interval. */
static const struct type *end_of_interval(struct checker *c, struct context *x, struct expr *expr,
                                          const struct builtin *builtin, const struct type *type) {
  const struct name *name = name_of(c->model->names, builtin->name);
  bool high = name_is(name, KNOWN_HIGH);
  if (!high && !name_is(name, KNOWN_LOW)) return NULL;
  struct expr *figure = expr->call->args.values[0];
  struct symbol *symbol = result_end(c, x, figure, high);
  if (!symbol && last_end_refused(c, figure, high)) return c->model->types.error;
  if (!symbol) return end_of_number(c, x, expr, type, high);
  struct ident word = {.name = name, .span = expr->span};
  *expr = (struct expr){
      .kind = EXPR_MEMBER, .span = expr->span, .member = {.base = figure, .member = word, .symbol = symbol}};
  return symbol->type;
}

/* `sum(1, 2, 3)`, `log(8, 2)`, `round(x, 2)`: arguments that other languages have. */
static void arguments_help(struct checker *c, const struct args *args, const struct builtin *builtin) {
  static const char *const rounding[] = {"round", "floor", "ceil"}, *const of_list[] = {"mean"};
  if (args->value_count < 2) return;
  const char *first = expr_text(c, args->values[0]);
  if (!strcmp(builtin->name, "log"))
    check_help(c, (struct span){0, 0},
               "to base 2 it is log2(x), to base 10 log10(x), to another one log(x) / log(base)");
  for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++)
    if (!strcmp(builtin->name, rounding[i]))
      check_help(c, (struct span){0, 0}, "it gives whole numbers; to hundredths it is %s(%s * 100) / 100",
                 builtin->name, first);
  if (!strcmp(builtin->parameters, "(list)") || !strcmp(builtin->name, *of_list))
    check_help(c, (struct span){0, 0}, "a list stands in brackets: %s([%s, %s%s])", builtin->name, first,
               expr_text(c, args->values[1]), args->value_count > 2 ? ", ..." : "");
}

static const struct type *call_builtin(struct checker *c, struct context *x, struct expr *expr,
                                       const struct builtin *builtin) {
  struct args *args = &expr->call->args;
  if (expr->call->binder_count) return call_fold(c, x, expr, builtin);
  const struct type **types = ARENA_ARRAY(c->arena, const struct type *, args->value_count);
  expr->call->bound = args->values;
  expr->call->bound_count = args->value_count;
  for (uint32_t i = 0; i < args->value_count; i++) {
    types[i] = expr_check(c, x, args->values[i], NULL);
    if (!builtin->takes_distribution)
      types[i] = check_draw(c, x, args->values[i], types[i]);
    else if (builtin->draws && x->draws && types[i]->kind == TYPE_DISTRIBUTION)
      types[i] = check_draw(c, x, args->values[i], types[i]);
    if (types[i]->kind == TYPE_VOID) {
      check_error(c, args->values[i]->span, "this gives no value");
      types[i] = c->model->types.error;
    }
  }
  if (args->field_count) {
    check_error(c, args->fields[0].name.span, "'%s' takes its arguments by place: %s%s", builtin->name, builtin->name,
                builtin->parameters);
    struct text written = {.arena = c->arena};
    for (uint32_t i = 0; i < args->value_count + args->field_count; i++) {
      text_put(&written, i ? ", " : "");
      expr_format(&written, i < args->value_count ? args->values[i] : args->fields[i - args->value_count].value);
    }
    if (named_help(c, expr, builtin) || distribution_names_help(c, expr, builtin)) return c->model->types.error;
    if (args->value_count + args->field_count >= builtin->least &&
        args->value_count + args->field_count <= builtin->most)
      check_help(c, expr->span, "write %s(%s)", builtin->name, written.data);
    return c->model->types.error;
  }
  if (args->value_count < builtin->least || args->value_count > builtin->most) {
    plural(c, expr->span, arena_printf(c->arena, "'%s'", builtin->name), builtin->least, builtin->most,
           args->value_count);
    parameters_note(c, builtin);
    arguments_help(c, args, builtin);
    if (args->value_count == 1 && builtin->least == 2 && args->values[0]->kind == EXPR_RANGE)
      check_help(c, expr->span, "write %s(%s, %s)", builtin->name, expr_text(c, args->values[0]->range.low),
                 expr_text(c, args->values[0]->range.high));
    return c->model->types.error;
  }
  const struct type *end = end_of_interval(c, x, expr, builtin, types[0]);
  return end ? end : builtin_type(c, expr, builtin, types, args->value_count);
}

/* ---- which function ---- */

bool function_unknown(struct checker *c, struct context *x, const struct expr *callee) {
  const struct name *name = callee->name.name;
  struct symbol *value = scope_find(c, x->scope, name);
  if (!value) value = table_first(c, SPACE_VALUE, name);
  struct symbol *label = x->component ? label_find(c, x->component, name) : NULL;
  struct symbol *transaction = table_first(c, SPACE_TRANSACTION, name);
  const struct symbol *component = table_first(c, SPACE_COMPONENT, name);
  if (label) {
    check_error(c, callee->span, "'%s' is a request, not a function: let x = call %s(…);", name->text, name->text);
    check_note(c, label->span, "declared here");
  } else if (value) {
    check_error(c, callee->span, "'%s' is no function", name->text);
    check_note(c, value->span, "declared here");
    if (value->type && value->type->kind == TYPE_LIST)
      check_help(c, (struct span){0, 0}, "an item of a list is %s[0], and so on", name->text);
  } else if (component) {
    check_error(c, callee->span, "'%s' is a component, not a function", name->text);
    check_help(c, (struct span){0, 0}, "a param, let or attribute of one made like it is %s(ATTRIBUTE = VALUE).NAME",
               name->text);
  } else if (transaction && !builtin_find(name->text)) {
    check_error(c, callee->span, "'%s' is a transaction, not a function: a labelled request asks for it", name->text);
    declared_here(c, transaction->span);
  } else {
    struct words_list list = {0};
    check_error(c, callee->span, "unknown function '%s'", name->text);
    if (name_is(name, KNOWN_CLOCK)) {
      check_help(c, (struct span){0, 0}, "the virtual time of a body is written without ( ): clock");
      return true;
    }
    if (is_unit(c, name)) {
      check_help(c, (struct span){0, 0}, "'%s' is a unit, which stands behind a number: 5 %s", name->text, name->text);
      return true;
    }
    if (session_word(c, name) || percentile_help(c, x, name->text, NULL) || check_habit(c, HABIT_VALUE, name->text))
      return true;
    for (struct scope *scope = x->scope; scope; scope = scope->outer)
      for (uint32_t i = 0; i < scope->count; i++)
        if (scope->items[i]->kind == SYMBOL_FUNCTION) words_add(c, &list, scope->items[i]->name->text);
    for (uint32_t i = 0; i < c->tables[SPACE_VALUE].count; i++) {
      const struct symbol *s = c->tables[SPACE_VALUE].items[i];
      if (s->kind == SYMBOL_FUNCTION || s->kind == SYMBOL_FOREIGN) words_add(c, &list, s->name->text);
    }
    for (const struct builtin *b = psl_builtins; b->name; b++)
      words_add(c, &list, b->name);
    return check_meant(c, name->text, &list) ||
           (!x->study && (check_library(c, SPACE_VALUE, name) || check_near_library(c, SPACE_VALUE, name)));
  }
  return true;
}

/* `utilisation(disk)` where disk.utilisation is meant. */
static bool result_help(struct checker *c, struct context *x, const struct expr *call) {
  const struct args *args = &call->call->args;
  if ((!x->study && !c->asked) || args->value_count != 1 || args->values[0]->kind != EXPR_NAME) return false;
  const char *result =
      arena_printf(c->arena, "%s.%s", args->values[0]->name.name->text, call->call->callee->name.name->text);
  model_list_results(c->model);
  if (!result_named(c, result)) return false;
  check_help(c, (struct span){0, 0}, "it is written %s%s", x->study ? "" : "last.", result);
  return true;
}

/* `sizeof(double)` */
static bool size_help(struct checker *c, const struct expr *call) {
  static const char *const sizes[][2] = {{"char", "1"},      {"bool", "1"},     {"int8_t", "1"},   {"uint8_t", "1"},
                                         {"byte", "1"},      {"short", "2"},    {"half", "2"},     {"int16_t", "2"},
                                         {"int", "4"},       {"unsigned", "4"}, {"float", "4"},    {"int32_t", "4"},
                                         {"single", "4"},    {"uint32_t", "4"}, {"float32", "4"},  {"long", "8"},
                                         {"double", "8"},    {"size_t", "8"},   {"real", "8"},     {"int64_t", "8"},
                                         {"uint64_t", "8"},  {"float64", "8"},  {"complex", "16"}, {"MPI_DOUBLE", "8"},
                                         {"MPI_FLOAT", "4"}, {"MPI_INT", "4"}};
  const struct args *args = &call->call->args;
  if (strcmp(call->call->callee->name.name->text, "sizeof") != 0) return false;
  const struct expr *type = args->value_count == 1 ? args->values[0] : NULL;
  for (size_t i = 0; type && type->kind == EXPR_NAME && i < sizeof sizes / sizeof *sizes; i++) {
    if (strcmp(type->name.name->text, sizes[i][0]) != 0) continue;
    check_help(c, call->span, "write %s byte, the size of %s in C", sizes[i][1], sizes[i][0]);
    return true;
  }
  check_help(c, (struct span){0, 0}, "how much data something is says a number with a unit: 8 byte");
  return true;
}

/* `hardware(processor)` where hardware[processor] is meant. */
static void qualifier_help(struct checker *c, struct context *x, const struct expr *call) {
  const struct args *args = &call->call->args;
  if (call->call->binder_count || args->value_count != 1 || !is_bare_word(c, x, args->values[0])) return;
  check_help(c, (struct span){0, 0}, "the qualifier of a term stands in brackets: %s[%s]",
             call->call->callee->name.name->text, expr_text(c, args->values[0]));
}

/* Looks through what is no function: a local may have the name of one. */
struct symbol *function_named(struct checker *c, struct context *x, const struct name *name, struct span span) {
  for (struct scope *scope = x->scope; scope; scope = scope->outer)
    for (uint32_t i = 0; i < scope->count; i++)
      if (scope->items[i]->name == name && scope->items[i]->kind == SYMBOL_FUNCTION) return scope->items[i];
  struct symbol *first = value_first(c, name, span);
  bool function = false;
  for (struct symbol *s = first; s; s = s->next)
    function |= s->kind == SYMBOL_FUNCTION || s->kind == SYMBOL_FOREIGN;
  struct symbol *found = function ? table_find(c, SPACE_VALUE, name, span) : NULL;
  return found && (found->kind == SYMBOL_FUNCTION || found->kind == SYMBOL_FOREIGN) ? found : NULL;
}

static const struct type *check_loose(struct checker *c, struct context *x, struct expr *expr) {
  if (expr->call->binder_count) return c->model->types.error;
  for (uint32_t i = 0; i < expr->call->args.value_count; i++)
    if (!is_bare_word(c, x, expr->call->args.values[i])) expr_check(c, x, expr->call->args.values[i], NULL);
  return c->model->types.error;
}

/* A function that solves networks: who is to do it the evaluation mode says. */
static bool refuse_network(struct checker *c, const struct expr *expr, const struct symbol *symbol) {
  if (symbol->evaluator_function->kind != PSL_NETWORK) return false;
  const char *name = symbol->evaluator_of->name;
  check_error(c, expr->span, "no model calls '%s.%s'", name, symbol->name->text);
  check_help(c, (struct span){0, 0}, "customers with 'evaluation mode = analysis[%s]' have their network solved by it",
             name);
  return true;
}

const struct type *call_check(struct checker *c, struct context *x, struct expr *expr) {
  struct expr *callee = expr->call->callee;
  struct symbol *symbol = NULL;
  const struct builtin *builtin = NULL;
  expr->call->symbol = NULL;
  callee->type = c->model->types.none;
  if (callee->kind == EXPR_NAME) {
    symbol = function_named(c, x, callee->name.name, callee->span);
    if (!symbol) builtin = builtin_find(callee->name.name->text);
    callee->name.symbol = symbol;
    const struct type *aggregate = symbol ? NULL : aggregate_check(c, x, expr);
    if (aggregate) return aggregate;
    if (builtin) {
      expr->call->symbol = callee->name.symbol = builtin_symbol(c, callee->name.name, builtin);
      return call_builtin(c, x, expr, builtin);
    }
    bool helped = symbol || function_unknown(c, x, callee) || size_help(c, expr) || result_help(c, x, expr);
    if (!helped) qualifier_help(c, x, expr);
  } else if (callee->kind == EXPR_MEMBER) {
    bool record;
    symbol = member_lookup(c, x, callee, &record);
    callee->member.symbol = symbol;
    if (record) check_error(c, callee->span, "%s is no function", expr_text(c, callee));
    const struct expr *root = callee;
    while (root->kind == EXPR_MEMBER)
      root = root->member.base;
    if (record && root->kind == EXPR_NAME) check_habit(c, HABIT_VALUE, root->name.name->text);
  } else {
    check_error(c, callee->span, "%s is no function", expr_text(c, callee));
  }
  if (!symbol) return check_loose(c, x, expr);
  expr->call->symbol = symbol;
  if (expr->call->binder_count) {
    check_error(c, expr->span, "'%s' has no form with 'in'", symbol->name->text);
    return c->model->types.error;
  }
  if (symbol->kind == SYMBOL_FUNCTION) return call_function(c, x, expr, symbol);
  if (symbol->kind == SYMBOL_FOREIGN) return call_signature(c, x, expr, symbol);
  if (symbol->kind != SYMBOL_EVALUATOR_FUNCTION) {
    check_error(c, callee->span, "%s is no function", expr_text(c, callee));
    check_note(c, symbol->span, "declared here");
    return check_loose(c, x, expr);
  }
  if (symbol->evaluator_function->kind == PSL_PURE) return call_signature(c, x, expr, symbol);
  if (refuse_network(c, expr, symbol)) return check_loose(c, x, expr);
  check_error(c, expr->span, "%s takes time or has state: write call %s(…) as a statement of a body",
              expr_text(c, callee), expr_text(c, callee));
  return check_loose(c, x, expr);
}

/* `call E.f(…)`: a function of an evaluator that may advance the clock and block. */
const struct type *call_evaluator(struct checker *c, struct context *x, struct expr *expr, struct symbol *symbol) {
  expr->call->symbol = symbol;
  if (refuse_network(c, expr, symbol)) return check_loose(c, x, expr);
  expr->type = c->model->types.error;
  if (symbol->evaluator_function->kind != PSL_PURE) return expr->type = call_signature(c, x, expr, symbol);
  check_error(c, expr->span, "%s takes no time: use it in an expression, without call",
              expr_text(c, expr->call->callee));
  return expr->type;
}
