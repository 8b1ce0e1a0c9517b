/* Expressions of PSL in C++: what hangs on a param of the user's own, or on a process, is written out, with the params,
 * lets and functions that it needs; what is settled when the program is written is a number. */
#include "grammar/children.h"
#include "interp/evaluate/builtin.h"
#include "interp/evaluate/evaluate.h"
#include "interp/uml/cpp.h"

#include <ctype.h>
#include <string.h>

enum { MOST_TEXT = 4 << 20, MOST_DEPTH = 100 };

void program_refuse(struct program *p, struct span span, const char *what) {
  if (!p->wrong) diagnostic_add(p->model->diagnostics, SEVERITY_ERROR, span, "a program in C++ has no %s", what);
  p->wrong = true;
}

/* ---- names and types ---- */

static bool is_reserved(const char *name) {
  static const char *const words =
      "  alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept"
      " const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default"
      " delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline"
      " int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected"
      " public register reinterpret_cast requires return short signed sizeof static static_assert"
      " static_cast struct switch template this thread_local throw true try typedef typeid typename union"
      " unsigned using virtual void volatile wchar_t while xor xor_eq main std prophet model settings pid"
      " tid nid size now iteration program execute any_source setting whole modulo power each fold at item"
      " list text least greatest total product_of length first last count_of all_of any_of ceiling floored"
      " rounded choose check sorted reversed contains name process row elements waits coroutine threads"
      " locks held arrived barrier messages machine"
      " Unit Process Thread Gate Node Machine System ModelElement Messages ActionPlus Critical TeamBarrier ParallelDo"
      " ParallelRegion Send NBSend BRecv Wait Broadcast Reduce Barrier ";
  const char *at = words;
  size_t length = strlen(name);
  while ((at = strstr(at, name))) {
    if (at[-1] == ' ' && at[length] == ' ') return true;
    at += length;
  }
  return false;
}

/* May it be a macro of what psl-prophet.hpp includes? These have no small letters, and begin by E as errors do, or have
 * parts, or are one of a few. */
static bool is_macro(const char *name) {
  static const char *const words[] = {"errno",    "stdin",   "stdout",    "stderr",  "sched_priority",
                                      "NULL",     "EOF",     "WEOF",      "NAN",     "INFINITY",
                                      "BUFSIZ",   "NFDBITS", "MAXFLOAT",  "CSIGNAL", "WNOHANG",
                                      "WSTOPPED", "WEXITED", "WUNTRACED", "WNOWAIT", "WCONTINUED"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (!strcmp(name, words[k])) return true;
  for (const char *s = name; *s; s++)
    if (islower((unsigned char)*s)) return false;
  return (name[0] == 'E' && name[1]) || !strncmp(name, "SNAN", 4) || strchr(name + 1, '_');
}

static const char *spelt(struct program *p, const char *name) {
  struct text text = {.arena = p->arena};
  for (const char *s = name; *s; s++)
    text_char(&text, isalnum((unsigned char)*s) && (unsigned char)*s < 127 ? *s : '_');
  if (!text.size || isdigit((unsigned char)*name)) return arena_printf(p->arena, "_%s", text.size ? text.data : "");
  return text.data;
}

const char *program_local(struct program *p, const struct name *name) {
  return arena_printf(p->arena, "%s_", spelt(p, name->text));
}

const char *program_name(struct program *p, const char *name) {
  const char *base = spelt(p, name), *made = base;
  bool reserved = is_reserved(base) || is_macro(base) || base[strlen(base) - 1] == '_';
  for (unsigned n = reserved ? 1 : 0;; n++) {
    made = n ? arena_printf(p->arena, "%s%u", base, n) : base;
    bool taken = false;
    for (uint32_t i = 0; i < p->written_count; i++)
      taken |= p->written[i].name && !strcmp(p->written[i].name, made);
    if (!taken) return made;
  }
}

const char *program_type(struct program *p, const struct type *type, struct span span) {
  switch (type->kind) {
  case TYPE_INT: return "long";
  case TYPE_REAL: return "double";
  case TYPE_BOOL: return "bool";
  case TYPE_STRING:
  case TYPE_TERM: return "text";
  case TYPE_LIST: {
    const char *element = program_type(p, type->element, span);
    return element ? arena_printf(p->arena, "list<%s>", element) : NULL;
  }
  case TYPE_ERROR:
  case TYPE_ANY:
  case TYPE_VOID:
  case TYPE_SIGNAL:
  case TYPE_RECORD:
  case TYPE_RANGE:
  case TYPE_DISTRIBUTION: break;
  }
  struct text text = {.arena = p->arena};
  type_print(&text, &p->model->types, type);
  program_refuse(p, span, arena_printf(p->arena, "values of type %s", text.data));
  return NULL;
}

void program_string(struct text *out, const char *s) {
  text_char(out, '"');
  for (; *s; s++) {
    if (strchr("\"\\", *s))
      text_printf(out, "\\%c", *s);
    else if ((unsigned char)*s < ' ' || *s == 127)
      text_printf(out, "\\%03o", (unsigned char)*s);
    else
      text_char(out, *s);
  }
  text_char(out, '"');
}

static void put_text(struct text *out, const char *s) {
  text_put(out, "text(");
  program_string(out, s);
  text_char(out, ')');
}

/* ---- what changes ---- */

static struct written *written_of(struct program *p, const struct symbol *symbol) {
  for (uint32_t i = 0; i < p->written_count; i++)
    if (p->written[i].symbol == symbol) return &p->written[i];
  struct written new = {.symbol = symbol};
  ARENA_PUSH(p->arena, p->written, p->written_count, p->written_capacity, new);
  return &p->written[p->written_count - 1];
}

struct search { /* through an expression */
  struct program *p;
  bool locals; /* do they count? In the body of a function they are what it is given */
};
static bool changes(const struct expr *expr, void *user);

static bool symbol_changes(const struct search *search, const struct symbol *symbol) {
  struct program *p = search->p;
  switch (symbol->kind) {
  case SYMBOL_LOCAL: return search->locals;
  case SYMBOL_INDEX:
  case SYMBOL_VAR:
  case SYMBOL_CLOCK: return true;
  case SYMBOL_INSTANCE:
  case SYMBOL_PARAM:
  case SYMBOL_LET:
  case SYMBOL_FUNCTION: break;
  default: return false;
  }
  uint32_t place = (uint32_t)(written_of(p, symbol) - p->written);
  if (p->written[place].known) return p->written[place].changes;
  if (p->written[place].open) return false; /* it calls itself */
  p->written[place].open = true;
  const struct expr *value = symbol->kind == SYMBOL_FUNCTION   ? symbol->function->value
                             : symbol->kind == SYMBOL_INSTANCE ? symbol->instance.value
                                                               : value_expr(symbol);
  bool found = symbol->kind == SYMBOL_PARAM ? !p->is_library(p->user, symbol->file)
                                            : value && changes(value, &(struct search){p, false});
  p->written[place].open = false;
  p->written[place].known = true;
  return p->written[place].changes = found;
}

static bool changes(const struct expr *expr, void *user) {
  const struct symbol *symbol = expr_symbol(expr);
  return (symbol && symbol_changes(user, symbol)) || expr_any_child(expr, changes, user);
}

/* ---- what is settled ---- */

static void put_real(struct text *out, double value) {
  struct text text = {.arena = out->arena};
  text_number(&text, value);
  text_put(out, text.data);
  if (!strpbrk(text.data, ".e")) text_put(out, ".0");
}

static void put_settled(struct program *p, struct text *out, const struct expr *expr, const struct type *type,
                        struct value value) {
  const char *name;
  switch (value.kind) {
  case VALUE_INT:
    if (type->kind == TYPE_REAL)
      put_real(out, (double)value.integer);
    else
      text_printf(out, value.integer < 0 ? "(%ldL)" : "%ldL", (long)value.integer);
    return;
  case VALUE_REAL:
    if (value.real < 0) text_char(out, '(');
    put_real(out, value.real);
    if (value.real < 0) text_char(out, ')');
    return;
  case VALUE_BOOL: text_put(out, value.boolean ? "true" : "false"); return;
  case VALUE_STRING: put_text(out, value.object->text); return;
  case VALUE_TERM:
    name = p->model->names->by_id[value.term.head]->text;
    if (value.term.qualifier)
      name = arena_printf(p->arena, "%s[%s]", name, p->model->names->by_id[value.term.qualifier]->text);
    put_text(out, name);
    return;
  case VALUE_LIST:
    if (!(name = program_type(p, type, expr->span))) return;
    text_printf(out, "%s{", name);
    for (uint32_t i = 0; i < value.object->count && out->size < MOST_TEXT; i++) {
      if (i) text_put(out, ", ");
      put_settled(p, out, expr, type->element, value.object->items[i]);
    }
    text_char(out, '}');
    return;
  case VALUE_NONE:
  case VALUE_SIGNAL:
  case VALUE_RECORD:
  case VALUE_RANGE:
  case VALUE_DISTRIBUTION: break;
  }
  program_type(p, type, expr->span); /* says why */
}

static void settle(struct program *p, struct text *out, const struct expr *expr) {
  struct value value;
  struct environment e = {
      .model = p->model,
      .scratch = p->arena,
      .locals = ARENA_ARRAY(p->arena, struct value, evaluate_slots(expr) + 1),
  };
  if (evaluate(&e, expr, &value))
    put_settled(p, out, expr, expr->type, value);
  else
    p->wrong = true;
}

/* ---- params, lets, functions ---- */

static void write_function(struct program *p, const struct model_function *function, const char *name) {
  struct text head = {.arena = p->arena}, body = {.arena = p->arena};
  const char *type = program_type(p, function->symbol->type, function->symbol->span);
  text_printf(&head, "%s %s(", type ? type : "", name);
  for (uint32_t i = 0; i < function->param_count; i++) {
    const struct symbol *param = function->params[i];
    if (!(type = program_type(p, param->type, param->span))) return;
    text_printf(&head, "%s[[maybe_unused]] %s %s", i ? ", " : "", type, program_local(p, param->name));
  }
  text_char(&head, ')');
  if (!function->value) {
    program_refuse(p, function->symbol->span, "function of that name");
    return;
  }
  program_expression(p, &body, function->value);
  text_printf(&p->prototypes, "%s;\n", head.data);
  text_printf(&p->functions, "%s {\n  return %s;\n}\n\n", head.data, body.data ? body.data : "");
}

static void write_value(struct program *p, const struct symbol *symbol, const char *name) {
  const char *type = program_type(p, symbol->type, symbol->span);
  struct text value = {.arena = p->arena};
  if (!type) return;
  program_expression(p, &value, value_expr(symbol));
  text_printf(&p->variables, "%s %s;\n", type, name);
  if (symbol->kind == SYMBOL_PARAM)
    text_printf(&p->values, "  %s = setting<%s>(\"%s\", %s);\n", name, type, symbol->name->text, value.data);
  else
    text_printf(&p->values, "  %s = %s;\n", name, value.data);
}

/* Its name; it is written at its first use, behind all that it needs. */
static const char *use(struct program *p, const struct symbol *symbol, struct span span) {
  uint32_t place = (uint32_t)(written_of(p, symbol) - p->written);
  if (p->written[place].name) return p->written[place].name;
  const char *name = program_name(p, symbol->name->text);
  p->written[place].name = name;
  if (++p->depth > MOST_DEPTH)
    program_refuse(p, span, "names that hang on so many others");
  else if (symbol->kind == SYMBOL_FUNCTION)
    write_function(p, symbol->function, name);
  else
    write_value(p, symbol, name);
  p->depth--;
  return name;
}

/* ---- expressions ---- */

static void put(struct program *p, struct text *out, const struct expr *expr) { program_expression(p, out, expr); }

static void put_pair(struct program *p, struct text *out, const char *before, const struct expr *a, const char *between,
                     const struct expr *b) {
  text_put(out, before);
  put(p, out, a);
  text_put(out, between);
  put(p, out, b);
  text_char(out, ')');
}

static void put_binary(struct program *p, struct text *out, const struct expr *expr) {
  const struct expr *left = expr->binary.left, *right = expr->binary.right;
  bool whole = expr->type->kind == TYPE_INT;
  switch (expr->binary.op) {
  case OP_ADD: put_pair(p, out, "(", left, " + ", right); return;
  case OP_SUB: put_pair(p, out, "(", left, " - ", right); return;
  case OP_MUL: put_pair(p, out, "(", left, " * ", right); return;
  case OP_DIV: put_pair(p, out, "(double(", left, ") / ", right); return;
  case OP_WHOLE: put_pair(p, out, "whole(", left, ", ", right); return;
  case OP_MOD: put_pair(p, out, "modulo(", left, ", ", right); return;
  case OP_POW: put_pair(p, out, whole ? "power(" : "std::pow(double(", left, whole ? ", " : "), ", right); return;
  case OP_AND: put_pair(p, out, "(", left, " && ", right); return;
  case OP_OR: put_pair(p, out, "(", left, " || ", right); return;
  default: program_refuse(p, expr->span, "operation of that kind");
  }
}

static void put_in(struct program *p, struct text *out, const struct expr *item, const struct expr *set) {
  if (set->kind != EXPR_RANGE) {
    put_pair(p, out, "contains(", set, ", ", item);
    return;
  }
  put_pair(p, out, "(", set->range.low, " <= ", item);
  put_pair(p, out, " && (", item, " <= ", set->range.high);
}

static void put_compare(struct program *p, struct text *out, const struct expr *expr) {
  static const char *const words[] = {
      [OP_EQ] = " == ", [OP_NE] = " != ", [OP_LT] = " < ", [OP_LE] = " <= ", [OP_GT] = " > ", [OP_GE] = " >= "};
  text_char(out, '(');
  for (uint32_t i = 0; i + 1 < expr->compare.count; i++) {
    const struct expr *left = expr->compare.operands[i], *right = expr->compare.operands[i + 1];
    enum operator op = expr->compare.ops[i];
    if (i) text_put(out, " && ");
    if (op == OP_IN)
      put_in(p, out, left, right);
    else
      put_pair(p, out, "(", left, words[op], right);
  }
  text_char(out, ')');
}

static void put_items(struct program *p, struct text *out, struct expr *const *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(out, ", ");
    if (items[i])
      put(p, out, items[i]);
    else
      p->wrong = true;
  }
}

/* A list of what a body is for each value of its names; the innermost one is of the last. */
static void put_each(struct program *p, struct text *out, const struct binder *binders, uint32_t count,
                     const struct expr *body) {
  const struct binder *binder = &binders[0];
  const char *type = binder->symbol ? program_type(p, binder->symbol->type, binder->name.span) : NULL;
  if (!type || count > 1) {
    program_refuse(p, body->span, "lists over several names");
    return;
  }
  if (binder->range->kind == EXPR_RANGE)
    put_pair(p, out, "each(range(", binder->range->range.low, ", ", binder->range->range.high);
  else {
    text_put(out, "each(");
    put(p, out, binder->range);
  }
  text_printf(out, ", [=]([[maybe_unused]] %s %s) { return ", type, program_local(p, binder->name.name));
  put(p, out, body);
  text_put(out, "; })");
}

static const char *builtin_name(const char *name) {
  static const char *const names[][2] = {
      {"abs", "std::abs"},       {"min", "least"},      {"max", "greatest"},   {"sum", "total"},
      {"product", "product_of"}, {"count", "count_of"}, {"all", "all_of"},     {"any", "any_of"},
      {"ceil", "ceiling"},       {"floor", "floored"},  {"round", "rounded"},  {"sqrt", "std::sqrt"},
      {"exp", "std::exp"},       {"log", "std::log"},   {"log2", "std::log2"}, {"log10", "std::log10"},
      {"sin", "std::sin"},       {"cos", "std::cos"},   {"tan", "std::tan"},   {"length", "length"},
      {"first", "first"},        {"last", "last"},      {"sort", "sorted"},    {"reverse", "reversed"},
      {"contains", "contains"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i][0], name)) return names[i][1];
  return NULL;
}

static void put_call(struct program *p, struct text *out, const struct expr *expr) {
  const struct call *call = expr->call;
  const struct symbol *symbol = call->symbol;
  const char *name = symbol && symbol->kind == SYMBOL_BUILTIN    ? builtin_name(symbol->builtin->name)
                     : symbol && symbol->kind == SYMBOL_FUNCTION ? use(p, symbol, expr->span)
                                                                 : NULL;
  if (!name) {
    program_refuse(p, expr->span, arena_printf(p->arena, "function '%s'", symbol ? symbol->name->text : "?"));
    return;
  }
  text_printf(out, "%s(", name);
  if (call->binder_count) {
    put_each(p, out, call->binders, call->binder_count, call->args.values[0]);
  } else if (symbol->kind == SYMBOL_BUILTIN) {
    put_items(p, out, call->args.values, call->args.value_count);
  } else {
    for (uint32_t i = 0; i < call->bound_count; i++) {
      const struct expr *given = call->bound[i] ? call->bound[i] : symbol->function->defaults[i];
      if (i) text_put(out, ", ");
      put(p, out, given);
    }
  }
  text_char(out, ')');
}

/* What a process knows of itself is a member of its class; a let or param of its component stands as what it is. */
static void put_name(struct program *p, struct text *out, const struct expr *expr, const struct symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_LOCAL: text_put(out, program_local(p, symbol->name)); return;
  case SYMBOL_INDEX: text_put(out, spelt(p, symbol->name->text)); return;
  case SYMBOL_CLOCK: text_put(out, "now()"); return;
  case SYMBOL_PARAM:
  case SYMBOL_LET: text_put(out, use(p, symbol, expr->span)); return;
  case SYMBOL_INSTANCE:
    if (++p->depth > MOST_DEPTH)
      program_refuse(p, expr->span, "names that hang on so many others");
    else
      put(p, out, symbol->instance.value);
    p->depth--;
    return;
  default: program_refuse(p, expr->span, arena_printf(p->arena, "'%s'", symbol->name->text));
  }
}

static void put_changing(struct program *p, struct text *out, const struct expr *expr) {
  const char *type;
  switch (expr->kind) {
  case EXPR_NAME:
  case EXPR_MEMBER: {
    const struct symbol *symbol = expr_symbol(expr);
    if (symbol)
      put_name(p, out, expr, symbol);
    else
      program_refuse(p, expr->span, "fields of records");
    return;
  }
  case EXPR_UNARY:
    text_put(out, expr->unary.op == OP_NOT ? "(!" : "(-");
    put(p, out, expr->unary.operand);
    text_char(out, ')');
    return;
  case EXPR_BINARY: put_binary(p, out, expr); return;
  case EXPR_COMPARE: put_compare(p, out, expr); return;
  case EXPR_IF:
    text_char(out, '(');
    put(p, out, expr->branch.condition);
    put_pair(p, out, " ? ", expr->branch.then, " : ", expr->branch.otherwise);
    return;
  case EXPR_INDEX:
    text_put(out, "at(");
    put(p, out, expr->index.base);
    text_put(out, ", ");
    put_items(p, out, expr->index.subscripts, expr->index.count);
    text_char(out, ')');
    return;
  case EXPR_LIST:
    if (!(type = program_type(p, expr->type, expr->span))) return;
    text_printf(out, "%s{", type);
    put_items(p, out, expr->list.items, expr->list.count);
    text_char(out, '}');
    return;
  case EXPR_EACH: put_each(p, out, expr->each.binders, expr->each.binder_count, expr->each.body); return;
  case EXPR_CALL: put_call(p, out, expr); return;
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_QUANTITY:
  case EXPR_STRING:
  case EXPR_BOOLEAN:
  case EXPR_RANGE:
  case EXPR_RECORD:
  case EXPR_CLAUSE:
  case EXPR_NA:
  case EXPR_KINDS: break;
  }
  program_refuse(p, expr->span, arena_printf(p->arena, "expression of the kind '%s'", expr_kind_name(expr->kind)));
}

void program_expression(struct program *p, struct text *out, const struct expr *expr) {
  if (p->wrong) return;
  if (out->size > MOST_TEXT)
    program_refuse(p, expr->span, "expression so large");
  else if (changes(expr, &(struct search){p, true}))
    put_changing(p, out, expr);
  else
    settle(p, out, expr);
}
