/* Affine expressions and sets in isl: index sets with their params bound, and proofs with their params free.
 * Called by instances.c, static_graph.c, channels.c, polynomial.c and task_graph*.c.  isl objects are never live across
 * a call that may allocate in an arena but the small ones made here. */
#include "interp/resolve/resolve.h"
#include "interp/evaluate/builtin.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

static isl_ctx *ctx_of(const struct symbolic *s) { return isl_space_get_ctx(s->space); }
static isl_local_space *local_of(const struct symbolic *s) {
  return isl_local_space_from_space(isl_space_copy(s->space));
}

static isl_pw_aff *constant(const struct symbolic *s, int64_t value) {
  isl_val *val = isl_val_int_from_si(ctx_of(s), value);
  return isl_pw_aff_from_aff(isl_aff_val_on_domain(local_of(s), val));
}

static isl_pw_aff *variable(const struct symbolic *s, enum isl_dim_type type, uint32_t place) {
  return isl_pw_aff_from_aff(isl_aff_var_on_domain(local_of(s), type, place));
}

/* An expression that reads neither indices nor, with free params, these. */
static isl_pw_aff *value_of(struct symbolic *s, const struct expr *expr) {
  struct value value;
  if (!resolver_quietly(s->r, expr, NULL, &value) || value.kind != VALUE_INT) return NULL;
  return constant(s, value.integer);
}

static isl_pw_aff *value_of_symbol(struct symbolic *s, const struct symbol *symbol);

/* What the model says no more of. */
static isl_pw_aff *value_of_param(struct symbolic *s, const struct symbol *symbol) {
  for (uint32_t k = 0; k < s->param_count; k++) {
    if (s->params[k] != symbol) continue;
    s->opaque |= symbol->kind == SYMBOL_LET;
    return variable(s, isl_dim_param, k);
  }
  return NULL;
}

static isl_pw_aff *value_of_local(struct symbolic *s, const struct symbol *symbol) {
  struct symbolic_frame *frame = s->frame;
  for (uint32_t k = 0; k < s->loop_count; k++)
    if (s->loops[k] == symbol) return variable(s, isl_dim_set, s->base + s->loop_places[k]);
  if (!frame && s->body && symbol->made && !symbol->assignable) return symbolic_value(s, symbol->made);
  if (!frame) return s->parametric ? value_of_param(s, symbol) : NULL;
  if (symbol->slot >= frame->count) return NULL;
  const struct expr *given = frame->given[symbol->slot];
  if (!given) return NULL;
  s->frame = frame->caller;
  isl_pw_aff *result = symbolic_value(s, given);
  s->frame = frame;
  return result;
}

static isl_pw_aff *value_of_symbol(struct symbolic *s, const struct symbol *symbol) {
  if (symbol->kind == SYMBOL_INDEX) return variable(s, isl_dim_set, s->base + symbol->slot);
  if (symbol->kind == SYMBOL_LOCAL) return value_of_local(s, symbol);
  if (symbol->kind == SYMBOL_INSTANCE && symbol->instance.value) return symbolic_value(s, symbol->instance.value);
  if (!s->parametric) return NULL;
  if (symbol->kind == SYMBOL_LET && symbol->decl && symbol->decl->value.value) {
    isl_pw_aff *inlined = symbolic_value(s, symbol->decl->value.value);
    if (inlined) return inlined;
  }
  return value_of_param(s, symbol);
}

static isl_pw_aff *pair(struct symbolic *s, const struct expr *left, const struct expr *right,
                        isl_pw_aff *(*combine)(isl_pw_aff *, isl_pw_aff *)) {
  isl_pw_aff *a = symbolic_value(s, left), *b = a ? symbolic_value(s, right) : NULL;
  if (a && b) return combine(a, b);
  isl_pw_aff_free(a);
  return NULL;
}

/* The one number that it is; NULL where it is more than that. */
static isl_val *number_of(isl_pw_aff *aff) {
  if (!aff || isl_pw_aff_n_piece(aff) != 1 || isl_pw_aff_is_cst(aff) != isl_bool_true) return NULL;
  isl_val *value = isl_pw_aff_eval(isl_pw_aff_copy(aff), isl_point_zero(isl_pw_aff_get_domain_space(aff)));
  if (value && isl_val_is_int(value) == isl_bool_true) return value;
  isl_val_free(value);
  return NULL;
}

static isl_pw_aff *product(isl_pw_aff *a, isl_pw_aff *b) {
  isl_val *number = number_of(b);
  if (number) {
    isl_pw_aff_free(b);
    return isl_pw_aff_scale_val(a, number);
  }
  number = number_of(a);
  isl_pw_aff_free(a);
  if (number) return isl_pw_aff_scale_val(b, number);
  isl_pw_aff_free(b);
  return NULL;
}

/* a div b and a mod b, where b is a positive number. */
static isl_pw_aff *divided(isl_pw_aff *a, isl_pw_aff *b, bool rest) {
  isl_val *number = number_of(b);
  isl_pw_aff_free(b);
  if (number && isl_val_is_pos(number) == isl_bool_true)
    return rest ? isl_pw_aff_mod_val(a, number) : isl_pw_aff_floor(isl_pw_aff_scale_down_val(a, number));
  isl_val_free(number);
  isl_pw_aff_free(a);
  return NULL;
}
static isl_pw_aff *whole(isl_pw_aff *a, isl_pw_aff *b) { return divided(a, b, false); }
static isl_pw_aff *modulo(isl_pw_aff *a, isl_pw_aff *b) { return divided(a, b, true); }

static isl_pw_aff *symbolic_call(struct symbolic *s, const struct expr *expr) {
  const struct symbol *symbol = expr->call->symbol;
  if (!symbol || expr->call->binder_count) return NULL;
  if (symbol->kind == SYMBOL_FUNCTION) {
    const struct model_function *function = symbol->function;
    if (function->recursive || function->fit || !function->value || expr->call->bound_count < function->param_count)
      return NULL;
    struct symbolic_frame frame = {expr->call->bound, function->param_count, s->frame};
    s->frame = &frame;
    isl_pw_aff *result = symbolic_value(s, function->value);
    s->frame = frame.caller;
    return result;
  }
  const struct args *args = &expr->call->args;
  if (symbol->kind != SYMBOL_BUILTIN || args->value_count < 2) return NULL;
  bool least = symbol->builtin->fold == FOLD_MIN;
  if (!least && symbol->builtin->fold != FOLD_MAX) return NULL;
  isl_pw_aff *best = symbolic_value(s, args->values[0]);
  for (uint32_t k = 1; k < args->value_count && best; k++) {
    isl_pw_aff *other = symbolic_value(s, args->values[k]);
    if (!other) {
      isl_pw_aff_free(best);
      return NULL;
    }
    best = least ? isl_pw_aff_min(best, other) : isl_pw_aff_max(best, other);
  }
  return best;
}

static isl_pw_aff *symbolic_if(struct symbolic *s, const struct expr *expr) {
  bool exact = true;
  isl_set *holds = symbolic_set(s, expr->branch.condition, true, &exact);
  isl_pw_aff *then = exact ? symbolic_value(s, expr->branch.then) : NULL;
  isl_pw_aff *otherwise = then ? symbolic_value(s, expr->branch.otherwise) : NULL;
  if (otherwise) return isl_pw_aff_cond(isl_set_indicator_function(holds), then, otherwise);
  isl_set_free(holds);
  isl_pw_aff_free(then);
  return NULL;
}

static isl_pw_aff *symbolic_binary(struct symbolic *s, const struct expr *expr) {
  const struct expr *left = expr->binary.left, *right = expr->binary.right;
  if (expr->binary.op == OP_ADD) return pair(s, left, right, isl_pw_aff_add);
  if (expr->binary.op == OP_SUB) return pair(s, left, right, isl_pw_aff_sub);
  if (expr->binary.op == OP_MUL) return pair(s, left, right, product);
  if (expr->binary.op == OP_WHOLE) return pair(s, left, right, whole);
  if (expr->binary.op == OP_MOD) return pair(s, left, right, modulo);
  return NULL;
}

isl_pw_aff *symbolic_value(struct symbolic *s, const struct expr *expr) {
  isl_pw_aff *result = NULL;
  if (!expr || s->depth >= INLINE_DEPTH || !expr->type || expr->type->kind != TYPE_INT) return NULL;
  if (!s->parametric && !expr_uses(s->r, expr)) return value_of(s, expr);
  s->depth++;
  if (expr->kind == EXPR_INTEGER)
    result = constant(s, expr->integer);
  else if (expr->kind == EXPR_NAME && expr->name.symbol)
    result = value_of_symbol(s, expr->name.symbol);
  else if (expr->kind == EXPR_MEMBER && expr->member.symbol)
    result = value_of_symbol(s, expr->member.symbol);
  else if (expr->kind == EXPR_UNARY && expr->unary.op == OP_NEG) {
    result = symbolic_value(s, expr->unary.operand);
    if (result) result = isl_pw_aff_neg(result);
  } else if (expr->kind == EXPR_BINARY)
    result = symbolic_binary(s, expr);
  else if (expr->kind == EXPR_IF)
    result = symbolic_if(s, expr);
  else if (expr->kind == EXPR_CALL)
    result = symbolic_call(s, expr);
  s->depth--;
  return result;
}

static isl_set *all(const struct symbolic *s, bool *exact) {
  *exact = false;
  return isl_set_universe(isl_space_copy(s->space));
}

isl_set *symbolic_relation(enum operator op, isl_pw_aff *a, isl_pw_aff *b) {
  if (op == OP_EQ) return isl_pw_aff_eq_set(a, b);
  if (op == OP_NE) return isl_pw_aff_ne_set(a, b);
  if (op == OP_LT) return isl_pw_aff_lt_set(a, b);
  if (op == OP_LE) return isl_pw_aff_le_set(a, b);
  if (op == OP_GT) return isl_pw_aff_gt_set(a, b);
  return isl_pw_aff_ge_set(a, b);
}

static enum operator opposite(enum operator op) {
  if (op == OP_EQ) return OP_NE;
  if (op == OP_NE) return OP_EQ;
  if (op == OP_LT) return OP_GE;
  if (op == OP_LE) return OP_GT;
  if (op == OP_GT) return OP_LE;
  return OP_LT;
}

static isl_set *relation(struct symbolic *s, const struct expr *left, enum operator op, const struct expr *right,
                         bool *exact) {
  isl_pw_aff *a = symbolic_value(s, left), *b = a ? symbolic_value(s, right) : NULL;
  if (a && b) return symbolic_relation(op, a, b);
  isl_pw_aff_free(a);
  return all(s, exact);
}

/* One link of a chain of comparisons. */
static isl_set *link_set(struct symbolic *s, const struct expr *left, enum operator op, const struct expr *right,
                         bool wanted, bool *exact) {
  if (op != OP_IN) return relation(s, left, wanted ? op : opposite(op), right, exact);
  if (right->kind != EXPR_RANGE) return all(s, exact);
  isl_set *low = relation(s, left, wanted ? OP_GE : OP_LT, right->range.low, exact);
  isl_set *high = relation(s, left, wanted ? OP_LE : OP_GT, right->range.high, exact);
  return wanted ? isl_set_intersect(low, high) : isl_set_union(low, high);
}

static isl_set *chain_set(struct symbolic *s, const struct expr *expr, bool wanted, bool *exact) {
  isl_set *result = NULL;
  for (uint32_t k = 0; k + 1 < expr->compare.count; k++) {
    isl_set *one =
        link_set(s, expr->compare.operands[k], expr->compare.ops[k], expr->compare.operands[k + 1], wanted, exact);
    result = !result ? one : wanted ? isl_set_intersect(result, one) : isl_set_union(result, one);
  }
  return result ? result : all(s, exact);
}

/* A set of many pieces would become one of as many times as many: what holds them all is taken in its place. */
static isl_set *of_few_pieces(isl_set *set, bool *exact) {
  enum { PIECES = 64 };
  if (isl_set_n_basic_set(set) <= PIECES) return set;
  *exact = false;
  return isl_set_from_basic_set(isl_set_simple_hull(set));
}

/* Of a function that says yes or no. */
static isl_set *called_set(struct symbolic *s, const struct expr *expr, bool wanted, bool *exact) {
  const struct symbol *symbol = expr->call->symbol;
  const struct model_function *function = symbol && symbol->kind == SYMBOL_FUNCTION ? symbol->function : NULL;
  if (!function || function->recursive || function->fit || !function->value || s->depth >= INLINE_DEPTH ||
      expr->call->binder_count || expr->call->bound_count < function->param_count)
    return all(s, exact);
  struct symbolic_frame frame = {expr->call->bound, function->param_count, s->frame};
  s->frame = &frame;
  s->depth++;
  isl_set *result = symbolic_set(s, function->value, wanted, exact);
  s->depth--;
  s->frame = frame.caller;
  return result;
}

isl_set *symbolic_set(struct symbolic *s, const struct expr *expr, bool wanted, bool *exact) {
  if (!s->parametric && !expr_uses(s->r, expr)) {
    struct value value;
    if (!resolver_quietly(s->r, expr, NULL, &value) || value.kind != VALUE_BOOL) return all(s, exact);
    return value.boolean == wanted ? isl_set_universe(isl_space_copy(s->space))
                                   : isl_set_empty(isl_space_copy(s->space));
  }
  if (expr->kind == EXPR_BOOLEAN)
    return expr->boolean == wanted ? isl_set_universe(isl_space_copy(s->space))
                                   : isl_set_empty(isl_space_copy(s->space));
  if (expr->kind == EXPR_COMPARE) return chain_set(s, expr, wanted, exact);
  if (expr->kind == EXPR_UNARY && expr->unary.op == OP_NOT) return symbolic_set(s, expr->unary.operand, !wanted, exact);
  if (expr->kind == EXPR_BINARY && (expr->binary.op == OP_AND || expr->binary.op == OP_OR)) {
    isl_set *a = symbolic_set(s, expr->binary.left, wanted, exact);
    isl_set *b = symbolic_set(s, expr->binary.right, wanted, exact);
    return of_few_pieces((expr->binary.op == OP_AND) == wanted ? isl_set_intersect(a, b) : isl_set_union(a, b), exact);
  }
  if (expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_INSTANCE &&
      expr->name.symbol->instance.value)
    return symbolic_set(s, expr->name.symbol->instance.value, wanted, exact);
  const struct symbol *local = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  if (local && local->kind == SYMBOL_LOCAL && !s->frame && s->body && local->made && !local->assignable)
    return symbolic_set(s, local->made, wanted, exact);
  if (expr->kind == EXPR_CALL) return called_set(s, expr, wanted, exact);
  return all(s, exact);
}
