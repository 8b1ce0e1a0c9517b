/* Functions, and the types of global params and lets and of a component's lets: each worked out when it is
 * first used. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <string.h>

struct function_calls { /* by function id: whom it calls */
  struct model_function **items;
  uint32_t count, capacity;
};

void functions_added(struct checker *c) {
  uint32_t count = c->model->function_count, room = c->calls_capacity;
  if (count <= room) return;
  c->calls_capacity = count > 2 * room ? count : 2 * room;
  c->calls = arena_grow(c->arena, c->calls, room * sizeof *c->calls, c->calls_capacity * sizeof *c->calls);
}

void function_declare(struct checker *c, struct symbol *symbol, struct model_component *component) {
  const struct signature *signature = &symbol->decl->function.signature;
  struct model *m = c->model;
  struct model_function *function = ARENA_NEW(c->arena, struct model_function);
  function->symbol = symbol;
  function->component = component;
  function->value = symbol->decl->function.value;
  function->fit = symbol->decl->function.fit;
  function->param_count = signature->param_count;
  function->params = ARENA_ARRAY(c->arena, struct symbol *, signature->param_count);
  function->defaults = ARENA_ARRAY(c->arena, struct expr *, signature->param_count);
  function->id = m->function_count;
  symbol->function = function;
  ARENA_PUSH(c->arena, m->functions, m->function_count, c->function_capacity, function);
}

/* Types of parameters: before anything calls it. */
void function_open(struct checker *c, struct model_function *function) {
  const struct signature *signature = &function->symbol->decl->function.signature;
  struct scope scope = {0};
  uint32_t slots = 0;
  struct context x = {.slots = &slots};
  for (uint32_t i = 0; i < signature->param_count; i++) {
    struct param *param = &signature->params[i];
    const struct type *type = c->model->types.error;
    if (param->type) type = type_check(c, param->type);
    if (!param->type) {
      const char *name = param->name.name->text;
      check_error(c, param->name.span, "parameter '%s' of function '%s' has no type", name, signature->name.name->text);
      check_help(c, (struct span){0, 0},
                 "a number is an int or a real, what has a unit its dimension: %s : real, %s : time, %s : data", name,
                 name, name);
    }
    if (param->every) check_error(c, param->name.span, "'every' is for parameters of transactions");
    param->symbol = function->params[i] = scope_local(c, &x, &scope, param->name, type);
    function->defaults[i] = param->value;
  }
}

void function_called(struct checker *c, struct model_function *caller, struct model_function *callee) {
  if (!caller) return;
  struct function_calls *calls = &c->calls[caller->id];
  for (uint32_t i = 0; i < calls->count; i++)
    if (calls->items[i] == callee) return;
  ARENA_PUSH(c->arena, calls->items, calls->count, calls->capacity, callee);
}

static struct context function_context(struct checker *c, struct model_function *function, struct scope *scope,
                                       uint32_t *slots) {
  struct context x = {
      .scope = scope, .slots = slots, .component = function->component, .draws = "a function", .function = function};
  scope->items = function->params;
  scope->count = function->param_count;
  scope->outer = function->component ? &c->components[function->component->id]->scope : NULL;
  return x;
}

static const struct type *function_result(struct checker *c, struct symbol *symbol, struct span span) {
  struct model_function *function = symbol->function;
  const struct type_expr *declared = symbol->decl->function.signature.result;
  struct types *types = &c->model->types;
  if (symbol->in_progress) {
    if (symbol->type) return symbol->type;
    check_error(c, span, "'%s' calls itself: declare its result, as in function %s(…) -> int", symbol->name->text,
                symbol->name->text);
    check_note(c, symbol->span, "declared here");
    return types->error;
  }
  uint32_t slots = function->param_count;
  struct scope scope = {0};
  struct context x = function_context(c, function, &scope, &slots);
  symbol->in_progress = true;
  if (function->fit && !function->fit->fitted) {
    symbol->type = declared ? type_check(c, declared) : types->error;
    if (function->part)
      symbol_type(c, symbol->decl->symbol, span);
    else
      fit_function(c, &x, function);
    if (!function->fit->fitted) {
      symbol->in_progress = false;
      return symbol->type = types->error;
    }
  }
  if (function->part) function->value = fit_part(c, function);
  const struct type *type;
  if (declared) {
    symbol->type = type_check(c, declared);
    const char *what = arena_printf(c->arena, "the result of '%s'", symbol->name->text);
    type = expr_check_as(c, &x, function->value, symbol->type, what);
    if (type->kind == TYPE_ERROR) type = symbol->type;
    if (type->kind == TYPE_DISTRIBUTION && symbol->type->kind == TYPE_REAL && type != symbol->type) symbol->type = type;
  } else {
    type = expr_check(c, &x, function->value, NULL);
    if (type->kind == TYPE_VOID) type = types->error;
  }
  symbol->in_progress = false;
  function->slot_count = slots;
  return symbol->type = type;
}

/* What the model's files declare by the name of something of a component, which was probably meant. */
static void hidden_help(struct checker *c, const struct symbol *symbol, struct span span) {
  const char *name = symbol->name->text, *word = symbol->decl->kind == DECL_PARAM ? "param" : "let";
  const struct symbol *hidden = symbol->kind == SYMBOL_INSTANCE ? value_first(c, symbol->name, span) : NULL;
  if (!hidden) return;
  check_note(c, hidden->span, "this '%s' is hidden by the %s of the component", name, word);
  if (hidden->file && !c->model->loading->options.session)
    check_help(c, (struct span){0, 0}, "write %s.%s for the hidden one, or give it another name", hidden->file->name,
               name);
  else
    check_help(c, (struct span){0, 0}, "give one of them another name");
}

/* Said at the first use alone. */
static const struct type *depends_on_itself(struct checker *c, const struct symbol *symbol, struct span span) {
  bool known;
  map_add(c->arena, &c->reported, map_key(symbol), 0, &known);
  if (known) return c->model->types.error;
  check_error(c, span, "the value of '%s' depends on itself", symbol->name->text);
  check_note(c, symbol->span, "declared here");
  hidden_help(c, symbol, span);
  return c->model->types.error;
}

/* `param mtbf : min = 100;`: a unit stands for its dimension. NULL: none does. */
static const char *unit_named(struct checker *c, const struct type_expr *type) {
  const struct name *name = type && type->count == 1 ? type->atoms[0].name : NULL;
  return name && !is_type_word(c, name) && is_unit(c, name) ? name->text : NULL;
}

/* A let, param, or let of a component: its type, that of its value where none is declared. */
static const struct type *value_result(struct checker *c, struct symbol *symbol, struct span span) {
  struct types *types = &c->model->types;
  struct decl *decl = symbol->decl;
  uint32_t slots = 0;
  bool own = symbol->kind == SYMBOL_INSTANCE;
  const char *word = decl->kind == DECL_PARAM ? "param" : "let";
  struct context x = {.slots = &slots, .draws = arena_printf(c->arena, "a %s", word)};
  if (own) {
    x.component = symbol->instance.component;
    x.scope = &c->components[x.component->id]->scope;
  }
  if (symbol->in_progress) return depends_on_itself(c, symbol, span);
  symbol->in_progress = true;
  const struct type *declared = decl->value.type ? type_check(c, decl->value.type) : NULL, *type;
  struct expr *value = own && !symbol->setting ? symbol->instance.value : value_expr(symbol);
  const char *what = arena_printf(c->arena, "%s '%s'", word, symbol->name->text);
  if (declared) {
    unsigned errors = c->d->errors;
    c->wanted_unit = unit_named(c, decl->value.type);
    type = expr_check_as(c, &x, value, declared, what);
    c->wanted_unit = NULL;
    if (type->kind == TYPE_ERROR && c->d->errors != errors && symbol->setting) {
      check_note(c, symbol->span, "declared here");
      symbol->in_progress = false;
      return symbol->type = declared;
    }
    if (type->kind == TYPE_ERROR && value->kind == EXPR_RANGE && declared->kind == TYPE_INT &&
        decl->kind == DECL_PARAM && type_is_number(value->type) && dimension_none(type_dimension(value->type)))
      check_help(c, (struct span){0, 0}, "an int has one value, and those that it may have stand behind it: %s in %s",
                 expr_text(c, value->range.low), expr_text(c, value));
    if (type->kind == TYPE_ERROR) type = declared;
  } else {
    type = expr_check(c, &x, value, NULL);
    if (type->kind == TYPE_VOID) type = types->error;
  }
  symbol->in_progress = false;
  symbol->type = type;
  if (decl->kind == DECL_PARAM && decl->value.range)
    check_in(c, &x, decl->value.range, declared ? declared : type, "param", symbol->name, symbol->span);
  return type;
}

/* `in` of a param: a range of its dimension or a list of its type. */
const struct type *symbol_type(struct checker *c, struct symbol *symbol, struct span span) {
  if (symbol->type && !symbol->in_progress) return symbol->type;
  switch (symbol->kind) {
  case SYMBOL_FUNCTION: return function_result(c, symbol, span);
  case SYMBOL_PARAM:
  case SYMBOL_LET:
  case SYMBOL_INSTANCE: return value_result(c, symbol, span);
  default: return symbol->type ? symbol->type : c->model->types.error;
  }
}

void function_check(struct checker *c, struct model_function *function) {
  const struct signature *signature = &function->symbol->decl->function.signature;
  for (uint32_t i = 0; i < signature->param_count; i++) {
    struct expr *value = signature->params[i].value;
    if (!value) continue;
    uint32_t slots = 0;
    struct context x = {.slots = &slots, .component = function->component, .draws = "a default"};
    if (function->component) x.scope = &c->components[function->component->id]->scope;
    const char *what = arena_printf(c->arena, "the default of '%s'", signature->params[i].name.name->text);
    expr_check_as(c, &x, value, function->params[i]->type, what);
  }
  symbol_type(c, function->symbol, function->symbol->span);
}

void functions_recursive(struct checker *c, uint32_t first) {
  struct model *m = c->model;
  uint32_t count = m->function_count - first;
  uint32_t *seen = ARENA_ARRAY(c->arena, uint32_t, count + 1);
  struct model_function **stack = ARENA_ARRAY(c->arena, struct model_function *, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t depth = 0;
    struct model_function *function = m->functions[first + i];
    function->alone = true;
    stack[depth++] = function;
    while (depth) {
      const struct model_function *caller = stack[--depth];
      const struct function_calls *calls = &c->calls[caller->id];
      for (uint32_t k = 0; k < calls->count; k++) {
        struct model_function *callee = calls->items[k];
        if (callee == function) {
          function->recursive = true;
          if (caller != function) function->alone = false;
        }
        if (callee->id < first || seen[callee->id - first] == i + 1) continue;
        seen[callee->id - first] = i + 1;
        stack[depth++] = callee;
      }
    }
  }
}
