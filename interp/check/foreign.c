/* Signatures of functions of C: types of PSL and of C, arrays with their lengths, functions that C calls;
 * and the functions of PSL that calls give for those.  Called by check.c and function_call.c. */
#include "interp/check/checker.h"
#include "interp/foreign/foreign.h"

#include <ctype.h>
#include <string.h>

/* One signature while it is read: a function's, or that of a callback in it. */
struct reading {
  struct checker *c;
  const char *what; /* 'f', for messages */
  struct foreign_signature *out;
  struct scope scope;
  uint32_t *slots;
  struct reading *outer; /* of a callback: the function that it is given to */
};

static void read_signature(struct reading *r, const struct signature *signature);

/* ---- types ---- */

static enum c_type plain_type(const struct type *type) {
  switch (type->kind) {
  case TYPE_INT: return C_INT64;
  case TYPE_REAL: return C_DOUBLE;
  case TYPE_BOOL: return C_BOOL;
  case TYPE_STRING: return C_STRING;
  default: break; /* C has no other */
  }
  return C_VOID;
}

/* A word of C, or a type of PSL that C has. VOID after a diagnostic. */
static enum c_type read_plain(struct reading *r, const struct type_expr *written, const struct type **type) {
  struct checker *c = r->c;
  const struct types *types = &c->model->types;
  const struct type_atom *atom = &written->atoms[0];
  enum c_type named = written->count == 1 && atom->name && !atom->power ? c_type_named(atom->name->text) : C_VOID;
  if (named) {
    *type = named == C_FLOAT ? types->real : types->integer;
    return named;
  }
  if (atom->element) {
    check_error(c, written->span, "an array of C has a length: [real, n]");
    *type = types->error;
    return C_VOID;
  }
  *type = type_check(c, written);
  enum c_type plain = plain_type(*type);
  if (plain || (*type)->kind == TYPE_ERROR) return plain;
  check_error(c, written->span, "C has no %s", type_text(c, *type));
  check_help(c, (struct span){0, 0},
             "it has int, real, quantities, bool, string, int8 to int64, uint8 to uint64, float, arrays of "
             "them such as [real, n], and function(x : real) -> real");
  *type = types->error;
  return C_VOID;
}

static void read_array(struct reading *r, const struct type_atom *atom, struct foreign_parameter *out) {
  struct checker *c = r->c;
  const struct type_expr *element = atom->element;
  out->c = C_VOID;
  out->type = c->model->types.error;
  if (element->count == 1 && element->atoms[0].element) {
    check_error(c, element->span, "an array of C holds numbers or bool");
    return;
  }
  out->c = read_plain(r, element, &out->type);
  if (out->c && !c_type_size(out->c)) {
    check_error(c, element->span, "an array of C holds numbers or bool");
    out->c = C_VOID;
  }
  if (out->c) out->type = type_list(&c->model->types, out->type);
  out->length = atom->length;
}

static void read_callback(struct reading *r, const struct type_atom *atom, struct foreign_parameter *out) {
  struct checker *c = r->c;
  struct foreign_signature *callback = ARENA_NEW(c->arena, struct foreign_signature);
  struct reading inner = {.c = c, .what = r->what, .out = callback, .slots = r->slots, .outer = r};
  out->c = C_FUNCTION;
  out->type = c->model->types.none;
  out->callback = callback;
  if (r->outer)
    check_error(c, atom->span, "a function that C calls is given no function");
  else
    read_signature(&inner, atom->function);
}

static void read_type(struct reading *r, const struct type_expr *written, struct foreign_parameter *out) {
  const struct type_atom *atom = &written->atoms[0];
  if (written->count == 1 && atom->function)
    read_callback(r, atom, out);
  else if (written->count == 1 && atom->length)
    read_array(r, atom, out);
  else
    out->c = read_plain(r, written, &out->type);
}

/* ---- parameters ---- */

static void read_passing(struct reading *r, const struct param *param, struct foreign_parameter *out) {
  static const char *const words[] = {"", "in", "out", "inout"};
  out->passing = out->length && param->passing == PASS_VALUE ? PASS_IN : param->passing;
  if (param->passing != PASS_VALUE && !out->length && (out->c == C_STRING || out->c == C_FUNCTION))
    check_error(r->c, param->name.span, "'%s' is for numbers, bool and arrays: C has a %s by its pointer",
                words[param->passing], c_type_name(out->c));
  if (param->value && (r->outer || param->passing == PASS_OUT || out->c == C_FUNCTION))
    check_error(r->c, param->value->span, "'%s' takes no default: %s", param->name.name->text,
                r->outer                     ? "C gives it"
                : param->passing == PASS_OUT ? "C writes it"
                                             : "a call names the function");
}

static void read_parameter(struct reading *r, const struct param *param, struct foreign_parameter *out) {
  struct checker *c = r->c;
  out->name = param->name.name;
  out->span = param->name.span;
  out->type = c->model->types.error;
  out->argument = NO_ARGUMENT;
  if (param->type)
    read_type(r, param->type, out);
  else
    check_error(c, param->name.span, "parameter '%s' of %s has no type", out->name->text, r->what);
  read_passing(r, param, out);
}

/* ---- lengths ---- */

static struct foreign_parameter *parameter_of(struct reading *r, const struct symbol *symbol) {
  uint32_t place = symbol->kind == SYMBOL_LOCAL ? symbol->slot - r->out->first_slot : UINT32_MAX;
  return place < r->out->count && r->scope.items[place] == symbol ? &r->out->parameters[place] : NULL;
}

struct unwritten {
  struct reading *reading;
  const struct foreign_parameter *found;
};

static void find_unwritten(void *user, struct symbol *symbol) {
  struct unwritten *search = user;
  for (struct reading *r = search->reading; r; r = r->outer) {
    const struct foreign_parameter *parameter = parameter_of(r, symbol);
    if (parameter && parameter->passing == PASS_OUT) search->found = parameter;
  }
}

/* The length of an array that is passed is known before the call. */
static void check_length(struct reading *r, struct foreign_parameter *array, bool result) {
  struct checker *c = r->c;
  if (!array->length) return;
  struct context x = {.scope = &r->scope, .slots = r->slots, .draws = "a length"};
  expr_check_as(c, &x, array->length, c->model->types.integer, "the length of an array");
  struct unwritten search = {.reading = r};
  if (!result) expr_symbols(array->length, find_unwritten, &search);
  if (search.found)
    check_error(c, array->length->span, "a length is known before the call, and C writes '%s'",
                search.found->name->text);
  struct symbol *symbol = array->length->kind == EXPR_NAME ? array->length->name.symbol : NULL;
  struct foreign_parameter *size = symbol && !r->outer && !result ? parameter_of(r, symbol) : NULL;
  if (size) size->sized = array->passing != PASS_OUT || size->sized;
}

/* ---- signatures ---- */

/* What PSL has of a call: the result of C, or what it writes, or both in a record. */
static void result_type(struct reading *r, const struct signature *signature) {
  struct checker *c = r->c;
  struct foreign_signature *s = r->out;
  struct type_field *fields = ARENA_ARRAY(c->arena, struct type_field, s->count + 1);
  uint32_t count = 0;
  const struct name *result = name_of(c->model->names, "result");
  if (s->result.c) fields[count++] = (struct type_field){result, s->result.type};
  for (uint32_t i = 0; i < s->count; i++) {
    const struct foreign_parameter *p = &s->parameters[i];
    if (p->passing != PASS_OUT && p->passing != PASS_INOUT) continue;
    if (s->result.c && p->name == result)
      check_error(c, p->span, "what %s gives is named 'result' as well: name this parameter otherwise", r->what);
    fields[count++] = (struct type_field){p->name, p->type};
  }
  s->type = count == 1 ? fields[0].type : type_record(&c->model->types, fields, count);
  for (uint32_t i = 0; i < count; i++)
    if (fields[i].type->kind == TYPE_ERROR) s->type = c->model->types.error;
  if (count) return;
  s->type = c->model->types.error;
  check_error(c, signature->span,
              r->outer ? "this function has neither a result nor an 'out' parameter"
                       : "a call of this function gives nothing");
  check_help(c, (struct span){0, 0},
             "functions are pure: give it a result, -> real, or a parameter that C "
             "writes, out x : real");
}

static bool is_function(const struct param *param) {
  return param->type && param->type->count == 1 && param->type->atoms[0].function;
}

static void read_signature(struct reading *r, const struct signature *signature) {
  struct checker *c = r->c;
  struct foreign_signature *s = r->out;
  s->count = signature->param_count;
  s->parameters = ARENA_ARRAY(c->arena, struct foreign_parameter, s->count);
  s->first_slot = *r->slots;
  s->result.type = c->model->types.none;
  if (s->count > FOREIGN_PARAMETERS) {
    check_error(c, signature->params[FOREIGN_PARAMETERS].name.span, "%s has %u parameters, and a call passes %d",
                r->what, s->count, FOREIGN_PARAMETERS);
    s->count = FOREIGN_PARAMETERS;
  }
  for (uint32_t i = 0; i < s->count; i++) { /* slots first: a callback's follow all of its function's */
    struct context x = {.slots = r->slots};
    scope_local(c, &x, &r->scope, signature->params[i].name, c->model->types.error);
  }
  r->scope.outer = r->outer ? &r->outer->scope : NULL;
  for (int callbacks = 0; callbacks < 2; callbacks++) /* last: their lengths may use the other parameters */
    for (uint32_t i = 0; i < s->count; i++) {
      if (is_function(&signature->params[i]) != callbacks) continue;
      read_parameter(r, &signature->params[i], &s->parameters[i]);
      r->scope.items[i]->type = s->parameters[i].type;
    }
  if (signature->result) {
    s->result.span = signature->result->span;
    read_type(r, signature->result, &s->result);
    s->result.passing = s->result.length ? PASS_IN : PASS_VALUE;
    if (s->result.c == C_FUNCTION) check_error(c, s->result.span, "PSL takes no function from C");
    if (r->outer && (s->result.c == C_STRING || s->result.length))
      check_error(c, s->result.span, "a function that C calls gives numbers and bool");
  }
  for (uint32_t i = 0; i < s->count; i++)
    check_length(r, &s->parameters[i], false);
  check_length(r, &s->result, true);
  result_type(r, signature);
  s->slot_count = *r->slots;
}

static bool is_entry(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  while (isalnum((unsigned char)*name) || *name == '_')
    name++;
  return !*name;
}

static void check_entry(struct checker *c, const struct signature *signature, const char *entry) {
  if (is_entry(entry)) return;
  check_error(c, signature->entry ? signature->entry_span : signature->name.span, "'%s' is no name of C", entry);
  if (!signature->entry)
    check_help(c, (struct span){0, 0}, "say what the library calls it: function %s(...) -> real = \"name\";", entry);
}

/* The parameters that a call gives, as calls of all functions have them. */
static struct model_signature *call_side(struct checker *c, struct foreign_function *function,
                                         const struct signature *signature) {
  struct foreign_signature *s = &function->signature;
  struct model_signature *out = ARENA_NEW(c->arena, struct model_signature);
  uint32_t slots = 0;
  struct context x = {.slots = &slots, .draws = "a default"};
  out->names = ARENA_ARRAY(c->arena, const struct name *, s->count);
  out->types = ARENA_ARRAY(c->arena, const struct type *, s->count);
  out->defaults = ARENA_ARRAY(c->arena, struct expr *, s->count);
  out->result = s->type;
  function->arguments = ARENA_ARRAY(c->arena, const struct foreign_parameter *, s->count);
  for (uint32_t i = 0; i < s->count; i++) {
    struct foreign_parameter *p = &s->parameters[i];
    struct expr *value = signature->params[i].value;
    if (p->passing == PASS_OUT) continue;
    if (value && p->c != C_FUNCTION) expr_check_as(c, &x, value, p->type, "this default");
    if (value) p->sized = false;
    p->argument = out->count;
    function->arguments[out->count] = p;
    out->names[out->count] = p->name;
    out->types[out->count] = p->type;
    out->defaults[out->count++] = p->c == C_FUNCTION ? NULL : value;
  }
  return out;
}

void foreign_check(struct checker *c, const struct signature *signature, struct symbol *symbol) {
  struct foreign_function *function = ARENA_NEW(c->arena, struct foreign_function);
  struct model_signature *out;
  uint32_t slots = 0;
  struct reading r = {
      .c = c, .what = arena_printf(c->arena, "'%s'", symbol->name->text), .out = &function->signature, .slots = &slots};
  function->decl = symbol->decl;
  function->span = symbol->span;
  function->entry = signature->entry ? signature->entry : symbol->name->text;
  check_entry(c, signature, function->entry);
  read_signature(&r, signature);
  out = call_side(c, function, signature);
  out->symbol = symbol;
  symbol->foreign = function;
  symbol->signature = out;
  symbol->type = out->result;
  ARENA_PUSH(c->arena, c->model->foreign, c->model->foreign_count, c->foreign_capacity, function);
}

/* ---- functions that C calls ---- */

static void callback_mismatch(struct checker *c, const struct symbol *symbol,
                              const struct foreign_parameter *parameter) {
  check_note(c, symbol->span, "'%s' is declared here", symbol->name->text);
  check_note(c, parameter->span, "'%s' is declared here", parameter->name->text);
}

/* What C gives, in order; the rest of the function's parameters have defaults. */
static bool callback_parameters(struct checker *c, const struct expr *expr, const struct symbol *symbol,
                                const struct foreign_parameter *parameter) {
  const struct foreign_signature *s = parameter->callback;
  const struct model_function *function = symbol->function;
  uint32_t given = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const struct foreign_parameter *p = &s->parameters[i];
    if (p->passing == PASS_OUT) continue;
    const struct symbol *wanted = given < function->param_count ? function->params[given] : NULL;
    given++;
    if (!wanted || type_conforms(p->type, wanted->type)) continue;
    check_error(c, expr->span, "parameter '%s' of '%s' wants %s, and C gives %s", wanted->name->text,
                symbol->name->text, type_text(c, wanted->type), type_text(c, p->type));
    return false;
  }
  uint32_t least = function->param_count;
  while (least > given && function->defaults[least - 1])
    least--;
  if (given == least) return true;
  check_error(c, expr->span, "'%s' takes %u argument%s, and C gives %u", symbol->name->text, least,
              least == 1 ? "" : "s", given);
  return false;
}

void foreign_callback_check(struct checker *c, struct context *x, struct expr *expr,
                            const struct foreign_parameter *parameter) {
  struct symbol *symbol = NULL;
  bool record;
  if (expr->kind == EXPR_NAME)
    symbol = expr->name.symbol = function_named(c, x, expr->name.name, expr->span);
  else if (expr->kind == EXPR_MEMBER)
    symbol = expr->member.symbol = member_lookup(c, x, expr, &record);
  expr->type = c->model->types.none;
  if (!symbol || symbol->kind != SYMBOL_FUNCTION) {
    bool builtin = expr->kind == EXPR_NAME && builtin_find(expr->name.name->text);
    if (expr->kind == EXPR_NAME && !symbol && !builtin) {
      function_unknown(c, x, expr);
      return;
    }
    check_error(c, expr->span, "'%s' wants a function of PSL that C can call, by its name", parameter->name->text);
    check_note(c, parameter->span, "declared here");
    if (builtin || (symbol && symbol->kind == SYMBOL_FOREIGN))
      check_help(c, (struct span){0, 0}, "write one that calls it: function g(x : real) -> real = %s(x);",
                 expr_text(c, expr));
    return;
  }
  function_called(c, x->function, symbol->function);
  const struct type *result = symbol_type(c, symbol, expr->span), *wanted = parameter->callback->type;
  bool fine = callback_parameters(c, expr, symbol, parameter);
  if (fine && (!type_conforms(result, wanted) ||
               (result->kind != wanted->kind && type_plain(&c->model->types, result) != result))) {
    check_error(c, expr->span, "'%s' gives %s, and C wants %s", symbol->name->text, type_text(c, result),
                type_text(c, wanted));
    fine = false;
  }
  if (!fine) callback_mismatch(c, symbol, parameter);
}
