/* What a value is made of, behind the names that it has: for help at the place where it is to be changed. */
#include "interp/check/checker.h"

static const struct expr *named_value(const struct symbol *symbol) {
  const struct expr *value = NULL;
  if (symbol->kind == SYMBOL_LOCAL) return symbol->made;
  if (symbol->kind == SYMBOL_INSTANCE) value = symbol->instance.value;
  if (!symbol->decl) return value;
  bool declared = symbol->decl->kind == DECL_LET || symbol->decl->kind == DECL_PARAM;
  if (symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_PARAM) value = symbol->decl->value.value;
  return declared && !symbol->decl->value.type ? value : NULL;
}

const struct expr *expr_behind(const struct expr *expr) {
  enum { NAMES_MOST = 16 }; /* of lets that are each other */
  for (int i = 0; i < NAMES_MOST && expr->kind == EXPR_NAME && expr->name.symbol; i++) {
    const struct expr *value = named_value(expr->name.symbol);
    if (!value || !value->type) break;
    expr = value;
  }
  return expr;
}

/* ---- distributions ---- */

/* Of `kind`, what its parameters from some on are, which a rate is the inverse of; NULL: it is not known by such. */
static const char *made_by(int kind, uint32_t *from) {
  *from = kind != DISTRIBUTION_EXPONENTIAL && kind != DISTRIBUTION_CONSTANT;
  switch (kind) {
  case DISTRIBUTION_CONSTANT: return "the value";
  case DISTRIBUTION_EXPONENTIAL:
  case DISTRIBUTION_ERLANG: return "the mean";
  case DISTRIBUTION_HYPEREXPONENTIAL: return "the means";
  case DISTRIBUTION_GAMMA:
  case DISTRIBUTION_WEIBULL: return "the scale";
  default: return NULL;
  }
}

static bool is_plain(const struct expr *expr) { return expr->kind == EXPR_INTEGER || expr->kind == EXPR_REAL; }

static bool is_inverse(const struct expr *expr) {
  return expr->kind == EXPR_BINARY && expr->binary.op == OP_DIV && expr->binary.left->kind == EXPR_INTEGER &&
         expr->binary.left->integer == 1;
}

/* One over it, in the unit where there is one. */
static const char *inverted(struct checker *c, const struct expr *given, const char *unit) {
  if (is_inverse(given) && !unit) return expr_text(c, given->binary.right);
  return arena_printf(c->arena, "1%s%s / %s", unit ? " " : "", unit ? unit : "", operand_text(c, given));
}

static const char *scaled(struct checker *c, const struct expr *given, const char *unit) {
  if (is_inverse(given)) return inverted(c, given->binary.right, unit);
  return arena_printf(c->arena, is_plain(given) ? "%s %s" : "%s * 1 %s", operand_text(c, given), unit);
}

/* The call with its parameters from some on turned into others, in the unit. */
static const char *call_text(struct checker *c, const struct expr *call, uint32_t from,
                             const char *(*turned)(struct checker *, const struct expr *, const char *),
                             const char *unit) {
  struct text text = {.arena = c->arena};
  text_printf(&text, "%s(", expr_text(c, call->call->callee));
  for (uint32_t i = 0; i < call->call->args.value_count; i++) {
    const struct expr *given = call->call->args.values[i];
    text_printf(&text, "%s%s", i ? ", " : "", i < from ? expr_text(c, given) : turned(c, given, unit));
  }
  text_put(&text, ")");
  return text.data;
}

/* `exponential(load)` where times are wanted: of a rate it is another one than of a time. */
static void bare_help(struct checker *c, const struct expr *call, struct span place, const struct type *wanted) {
  struct dimension time = {{0}};
  time.power[DIMENSION_TIME] = 1;
  uint32_t from;
  const char *what = made_by(call->call->symbol->builtin->kind, &from);
  const char *unit = unit_example(c, wanted->dimension);
  if (!what) {
    check_help(c, place, "what it is given has a unit, such as 5 %s; a number becomes such a value by '* 1 %s'", unit,
               unit);
    return;
  }
  const char *name = expr_text(c, call->call->callee), *with_unit = call_text(c, call, from, scaled, unit);
  bool inverse = is_inverse(call->call->args.values[call->call->args.value_count - 1]);
  if (inverse || !dimension_equal(type_dimension(wanted), time))
    check_help(c, place, "%s takes %s, which has a unit: %s", name, what, with_unit);
  else
    check_help(c, place, "%s takes %s: of a rate %s, of a time %s", name, what,
               call_text(c, call, from, inverted, unit), with_unit);
}

bool distribution_help(struct checker *c, const struct expr *expr, const struct type *wanted) {
  const struct expr *call = expr_behind(expr);
  struct dimension inverse, has = type_dimension(expr->type);
  bool rate = dimension_power(has, -1, 1, &inverse) && dimension_equal(inverse, type_dimension(wanted));
  bool built = call->kind == EXPR_CALL && call->type && call->type->kind == TYPE_DISTRIBUTION && call->call->symbol &&
               call->call->symbol->kind == SYMBOL_BUILTIN && !call->call->binder_count;
  struct span place = call == expr ? (struct span){0, 0} : call->span;
  uint32_t from;
  if (!rate && !(dimension_none(has) && built)) return false;
  if (!rate) {
    bare_help(c, call, place, wanted);
    return true;
  }
  const char *what = built ? made_by(call->call->symbol->builtin->kind, &from) : NULL;
  if (what)
    check_help(c, place, "%s takes %s, not the rate: %s", expr_text(c, call->call->callee), what,
               call_text(c, call, from, inverted, NULL));
  else
    check_help(c, place, "it is to be made of %s in place of %s", type_text(c, wanted),
               type_text(c, type_real(&c->model->types, has)));
  return true;
}
