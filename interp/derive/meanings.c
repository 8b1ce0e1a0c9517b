/* Expressions of PSL as symbolic ones: params and indices stay names, lets and functions are put in their place, and
 * what is no number has the value that the params give it.  Called by bodies.c and derive.c. */
#include "interp/derive/derive.h"
#include "interp/check/check.h"
#include "interp/evaluate/builtin.h"
#include "grammar/children.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { UNROLLED_MOST = 4096 };

bool derive_fail(struct derive *d, struct span span, const char *format, ...) {
  struct text text = {.arena = d->arena};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  d->why = text.data;
  d->why_at = span;
  return false;
}

static struct meaning number(const struct poly *poly, bool whole) {
  return (struct meaning){.kind = MEANING_NUMBER, .poly = poly, .whole = whole};
}
static struct meaning truth(const struct poly *poly) { return (struct meaning){.kind = MEANING_TRUTH, .poly = poly}; }

/* ---- what is memory ---- */

/* What processors' times read of memory, by its usual names: those of psl compile, and ratios of misses. */
static const char *const usual_memory[] = {"load-time", "store-time", "miss-ratio", "miss-penalty", "memory-time"};

static bool is_of_memory(const struct derive *d, const struct atom *atom) {
  for (size_t k = 0; k < sizeof usual_memory / sizeof *usual_memory; k++)
    if (!strcmp(atom->name, usual_memory[k])) return true;
  for (size_t k = 0; k < d->options->memory_count; k++)
    if (!strcmp(atom->name, d->options->memory[k])) return true;
  return false;
}

bool derive_all_memory(const struct meaning *number) { return number->memory && number->memory == number->poly; }

static const struct poly *memory_of(const struct derive *d, struct meaning a) {
  return a.memory ? a.memory : d->al->zero;
}

static bool is_mixed(struct meaning a) { return a.memory && a.memory->count && a.memory != a.poly; }

static struct meaning with_memory(struct meaning a, const struct poly *memory) {
  a.memory = memory->count ? memory : NULL;
  return a;
}

/* Of what is no sum: computing is what it would be if memory took no time; memory is what it is more. */
static struct meaning memory_beyond(const struct derive *d, struct meaning result, const struct poly *without) {
  return with_memory(result, poly_minus(d->al, result.poly, without));
}

static const struct poly *without_memory(const struct derive *d, struct meaning a) {
  return a.memory ? poly_minus(d->al, a.poly, a.memory) : a.poly;
}

/* What cannot be told apart is memory's as soon as some of it is. */
static struct meaning memory_of_any(const struct derive *d, struct meaning result, struct meaning a, struct meaning b) {
  bool any = memory_of(d, a)->count || memory_of(d, b)->count;
  return with_memory(result, any ? result.poly : d->al->zero);
}

static struct meaning added(struct derive *d, struct meaning a, struct meaning b, bool minus) {
  struct algebra *al = d->al;
  const struct poly *memory = memory_of(d, a), *more = memory_of(d, b);
  return with_memory(number(minus ? poly_minus(al, a.poly, b.poly) : poly_plus(al, a.poly, b.poly), a.whole && b.whole),
                     minus ? poly_minus(al, memory, more) : poly_plus(al, memory, more));
}

/* A plain number that is partly memory's, as a time by another, scales both shares of a time alike. */
static struct meaning multiplied(struct derive *d, struct meaning a, struct meaning b) {
  struct algebra *al = d->al;
  struct meaning result = number(poly_times(al, a.poly, b.poly), a.whole && b.whole);
  if (is_mixed(a) && is_mixed(b)) {
    bool plain_a = dimension_none(poly_dimension(a.poly)), plain_b = dimension_none(poly_dimension(b.poly));
    if (plain_a && !plain_b) a.memory = NULL;
    if (plain_b && !plain_a) b.memory = NULL;
  }
  const struct poly *rest =
      poly_times(al, poly_minus(al, a.poly, memory_of(d, a)), poly_minus(al, b.poly, memory_of(d, b)));
  return with_memory(result, poly_minus(al, result.poly, rest));
}

static struct meaning divided(struct derive *d, struct meaning a, struct meaning b) {
  struct meaning result = number(poly_over(d->al, a.poly, b.poly), false);
  if (derive_all_memory(&b) || derive_all_memory(&a)) return with_memory(result, result.poly);
  const struct poly *memory = memory_of(d, a);
  return with_memory(result, memory->count ? poly_over(d->al, memory, b.poly) : memory);
}

static struct meaning raised(struct derive *d, struct meaning a, struct meaning b, bool whole) {
  struct meaning result = number(poly_power(d->al, a.poly, b.poly), whole);
  if (derive_all_memory(&a) || memory_of(d, b)->count) return memory_of_any(d, result, a, b);
  if (!a.memory) return result;
  const struct poly *rest = poly_power(d->al, poly_minus(d->al, a.poly, a.memory), b.poly);
  return with_memory(result, poly_minus(d->al, result.poly, rest));
}

void derive_bind(struct derive *d, struct scope *scope, const struct symbol *symbol, struct meaning known) {
  struct local *local = ARENA_NEW(d->arena, struct local);
  *local = (struct local){.next = scope->locals, .symbol = symbol, .known = known};
  scope->locals = local;
}

/* ---- values that are there ---- */

static struct meaning of_value(struct derive *d, struct value value, const struct type *type) {
  struct algebra *al = d->al;
  switch (value.kind) {
  case VALUE_INT: return number(poly_whole(al, value.integer), true);
  case VALUE_REAL:
    return number(poly_times(al, poly_number(al, number_of_double(value.real)), poly_unit(al, type_dimension(type))),
                  false);
  case VALUE_BOOL: return truth(value.boolean ? al->one : al->zero);
  case VALUE_LIST: {
    struct meaning *items = ARENA_ARRAY(d->arena, struct meaning, value.object->count + 1);
    for (uint32_t k = 0; k < value.object->count; k++)
      items[k] = of_value(d, value.object->items[k], type->kind == TYPE_LIST ? type->element : type);
    return (struct meaning){.kind = MEANING_LIST, .items = items, .count = value.object->count};
  }
  default: return (struct meaning){.kind = MEANING_VALUE, .value = value};
  }
}

static void settle(struct derive *d, const struct symbol *param) {
  struct derivation *out = d->out;
  for (uint32_t k = 0; k < out->settled_count; k++)
    if (out->settled[k] == param) return;
  ARENA_PUSH(d->arena, out->settled, out->settled_count, out->settled_capacity, param);
}

/* Params that the expression reads, through lets. */
static bool settle_expr(const struct expr *expr, void *user) {
  struct derive *d = user;
  const struct symbol *symbol = expr_symbol(expr);
  bool number = symbol && symbol->type && (symbol->type->kind == TYPE_INT || symbol->type->kind == TYPE_REAL);
  if (symbol && symbol->kind == SYMBOL_PARAM && (!number || d->settles_numbers)) settle(d, symbol);
  if (symbol && symbol->kind == SYMBOL_LET && symbol->decl && symbol->decl->value.value)
    settle_expr(symbol->decl->value.value, d);
  expr_any_child(expr, settle_expr, d);
  return false;
}

void derive_settle(struct derive *d, const struct expr *expr) { settle_expr(expr, d); }

/* The value that it has now, whatever it is, if nothing of a run is in it. */
static bool settled_value(struct derive *d, const struct expr *expr, struct meaning *out) {
  struct value value;
  if (expr_uses(d->r, expr)) return derive_fail(d, expr->span, "it is known in a run alone");
  if (!resolver_quietly(d->r, expr, NULL, &value)) return derive_fail(d, expr->span, "it has no value");
  value = value_copy(d->arena, value, HOLDS_CODE);
  if (value.kind == VALUE_RANGE || value.kind == VALUE_DISTRIBUTION)
    return derive_fail(d, expr->span, "it is no number but a %s", value.kind == VALUE_RANGE ? "range" : "distribution");
  *out = of_value(d, value, expr->type);
  d->settles_numbers = true; /* their values are in it */
  settle_expr(expr, d);
  d->settles_numbers = false;
  return true;
}

/* ---- names ---- */

static void bounds_of(const struct symbol *param, double *low, double *high) {
  *low = -INFINITY;
  *high = INFINITY;
  struct value range = param->range;
  if (range.kind == VALUE_RANGE) {
    *low = range.object->range.low;
    *high = range.object->range.high;
  } else if (range.kind == VALUE_LIST && range.object->count) {
    double least = INFINITY, most = -INFINITY;
    for (uint32_t k = 0; k < range.object->count; k++) {
      struct value item = range.object->items[k];
      if (item.kind != VALUE_INT && item.kind != VALUE_REAL) return;
      double x = item.kind == VALUE_INT ? (double)item.integer : item.real;
      least = fmin(least, x);
      most = fmax(most, x);
    }
    *low = least;
    *high = most;
  }
}

const struct atom *derive_param(struct derive *d, const struct symbol *param) {
  double low, high;
  bool whole = param->type && param->type->kind == TYPE_INT;
  if (!whole && !(param->type && (param->type->kind == TYPE_REAL || param->type->kind == TYPE_RANGE))) return NULL;
  bounds_of(param, &low, &high);
  return atom_name(d->al, param->name->text, param, whole, type_dimension(param->type), low, high);
}

static const struct local *local_of(const struct local *list, const struct symbol *symbol, const char *name) {
  for (const struct local *local = list; local; local = local->next)
    if (symbol ? local->symbol == symbol : name && local->name && !strcmp(local->name, name)) return local;
  return NULL;
}

static bool of_local(struct derive *d, const struct local *list, const struct expr *expr, const struct symbol *symbol,
                     const char *name, struct meaning *out) {
  const struct local *local = local_of(list, symbol, name);
  if (!local || local->known.kind == MEANING_NOTHING)
    return derive_fail(d, expr->span, "'%s' is known in a run alone", name);
  *out = local->known;
  return true;
}

static bool of_let(struct derive *d, const struct expr *expr, const struct symbol *symbol, struct meaning *out) {
  const struct local *made = local_of(d->lets, symbol, NULL);
  struct scope scope = {0};
  if (made) {
    *out = made->known;
    return true;
  }
  if (!symbol->decl || !symbol->decl->value.value || !derive_value(d, &scope, symbol->decl->value.value, out))
    if (!settled_value(d, expr, out)) return false;
  struct local *local = ARENA_NEW(d->arena, struct local);
  *local = (struct local){.next = d->lets, .symbol = symbol, .known = *out};
  d->lets = local;
  return true;
}

static bool attribute_of(struct derive *d, struct scope *scope, const struct model_accept *accept,
                         const struct expr *expr, const struct symbol *symbol, struct meaning *out) {
  if (!accept) return derive_fail(d, expr->span, "who is asked for '%s' is known in a run alone", symbol->name->text);
  struct attribute_ref ref = profile_find(d->r, accept, symbol->name->folded);
  if (ref.kind == ATTRIBUTE_INDEX && ref.slot < scope->index_count) {
    *out = scope->indices[ref.slot];
    return true;
  }
  if (ref.kind == ATTRIBUTE_EXPR && ref.value) return derive_value(d, scope, ref.value, out);
  return derive_fail(d, expr->span, "the attribute '%s' is known in a run alone", symbol->name->text);
}

/* Which algorithms a collective operation takes is settled by the library's table, so that one of them is derived. */
static bool is_of_table(const struct derive *d, const struct symbol *param) {
  return param->file && !strcmp(param->file->name, "collectives") && model_in_library(d->r->model, param->file);
}

static bool of_name(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  const struct symbol *symbol = expr_symbol(expr);
  const struct atom *atom;
  if (!symbol && expr->kind == EXPR_NAME && local_of(scope->locals, NULL, expr->name.name->text))
    return of_local(d, scope->locals, expr, NULL, expr->name.name->text, out);
  if (!symbol) return settled_value(d, expr, out);
  switch (symbol->kind) {
  case SYMBOL_PARAM:
    atom = is_of_table(d, symbol) ? NULL : derive_param(d, symbol);
    if (!atom) return settled_value(d, expr, out);
    *out = number(poly_atom(d->al, atom), atom->whole);
    if (is_of_memory(d, atom)) *out = with_memory(*out, out->poly);
    return true;
  case SYMBOL_LET: return of_let(d, expr, symbol, out);
  case SYMBOL_INDEX:
    if (symbol->slot >= scope->index_count)
      return derive_fail(d, expr->span, "the index '%s' is known in a run alone", symbol->name->text);
    *out = scope->indices[symbol->slot];
    return true;
  case SYMBOL_INSTANCE:
    if (symbol->instance.value && derive_value(d, scope, symbol->instance.value, out)) return true;
    return settled_value(d, expr, out);
  case SYMBOL_VAR: return of_local(d, scope->vars, expr, symbol, symbol->name->text, out);
  case SYMBOL_LOCAL: return of_local(d, scope->locals, expr, symbol, symbol->name->text, out);
  case SYMBOL_VALUE:
    if (!scope->value) return derive_fail(d, expr->span, "'value' is known in a run alone");
    *out = *scope->value;
    return true;
  case SYMBOL_ATTRIBUTE:
    if (symbol->side == OF_TARGET) return attribute_of(d, &(struct scope){0}, scope->target, expr, symbol, out);
    if (!scope->caller) return derive_fail(d, expr->span, "who calls is known in a run alone");
    return attribute_of(d, scope->caller, scope->caller->accept, expr, symbol, out);
  case SYMBOL_CLOCK: return derive_fail(d, expr->span, "the clock is known in a run alone");
  default: return settled_value(d, expr, out);
  }
}

/* ---- operators ---- */

static bool numbers(struct derive *d, struct scope *scope, const struct expr *left, const struct expr *right,
                    struct meaning *a, struct meaning *b) {
  if (!derive_value(d, scope, left, a) || !derive_value(d, scope, right, b)) return false;
  if (a->kind != MEANING_NUMBER) return derive_fail(d, left->span, "it is no number");
  return b->kind == MEANING_NUMBER || derive_fail(d, right->span, "it is no number");
}

static bool of_binary(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  struct algebra *al = d->al;
  struct meaning a, b;
  const struct expr *left = expr->binary.left, *right = expr->binary.right;
  enum operator op = expr->binary.op;
  if (op == OP_AND || op == OP_OR) {
    const struct poly *x, *y;
    if (!derive_truth(d, scope, left, &x)) return false;
    if (x == (op == OP_AND ? al->zero : al->one)) { /* the other one is not asked for */
      *out = truth(x);
      return true;
    }
    if (!derive_truth(d, scope, right, &y)) return false;
    const struct poly *both = poly_times(al, x, y);
    *out = truth(op == OP_AND ? both : poly_minus(al, poly_plus(al, x, y), both));
    return true;
  }
  if (!numbers(d, scope, left, right, &a, &b)) return false;
  bool whole = a.whole && b.whole;
  bool divides = op == OP_DIV || op == OP_WHOLE || op == OP_MOD;
  if (divides && !b.poly->count) return derive_fail(d, right->span, "it is 0, by which nothing is divided");
  switch (op) {
  case OP_ADD: *out = added(d, a, b, false); return true;
  case OP_SUB: *out = added(d, a, b, true); return true;
  case OP_MUL: *out = multiplied(d, a, b); return true;
  case OP_DIV: *out = divided(d, a, b); return true;
  case OP_WHOLE: *out = memory_of_any(d, number(poly_div(al, a.poly, b.poly), true), a, b); return true;
  case OP_MOD: *out = memory_of_any(d, number(poly_mod(al, a.poly, b.poly), true), a, b); return true;
  case OP_POW: *out = raised(d, a, b, whole); return true;
  default: return derive_fail(d, expr->span, "'%s' has no symbolic form", operator_text(op));
  }
}

static const struct poly * not(struct algebra * al, const struct poly *a) { return poly_minus(al, al->one, a); }

static const struct poly *not_less(struct algebra *al, struct meaning a, struct meaning b) {
  return poly_not_less(al, poly_minus(al, a.poly, b.poly), a.whole && b.whole);
}

static bool compared(struct derive *d, struct meaning a, enum operator op, struct meaning b, struct span span,
                     const struct poly **out) {
  struct algebra *al = d->al;
  if (a.kind == MEANING_TRUTH && b.kind == MEANING_TRUTH) {
    const struct poly *both = poly_times(al, a.poly, b.poly);
    const struct poly *same = poly_plus(al, both, poly_times(al, not(al, a.poly), not(al, b.poly)));
    *out = op == OP_EQ ? same : not(al, same);
    return op == OP_EQ || op == OP_NE || derive_fail(d, span, "a comparison of what is no number");
  }
  if (a.kind == MEANING_VALUE && b.kind == MEANING_VALUE && (op == OP_EQ || op == OP_NE)) {
    *out = value_equal(a.value, b.value) == (op == OP_EQ) ? al->one : al->zero;
    return true;
  }
  if (a.kind != MEANING_NUMBER || b.kind != MEANING_NUMBER)
    return derive_fail(d, span, "a comparison of what is no number");
  switch (op) {
  case OP_EQ: *out = poly_is_zero(al, poly_minus(al, a.poly, b.poly)); return true;
  case OP_NE: *out = not(al, poly_is_zero(al, poly_minus(al, a.poly, b.poly))); return true;
  case OP_GE: *out = not_less(al, a, b); return true;
  case OP_LE: *out = not_less(al, b, a); return true;
  case OP_LT: *out = not(al, not_less(al, a, b)); return true;
  default: *out = not(al, not_less(al, b, a)); return true;
  }
}

static bool is_in(struct derive *d, struct scope *scope, struct meaning a, const struct expr *range,
                  const struct poly **out) {
  struct meaning low, high, list;
  const struct poly *from, *to;
  if (range->kind == EXPR_RANGE) {
    if (!derive_value(d, scope, range->range.low, &low) || !derive_value(d, scope, range->range.high, &high) ||
        !compared(d, a, OP_GE, low, range->span, &from) || !compared(d, a, OP_LE, high, range->span, &to))
      return false;
    *out = poly_times(d->al, from, to);
    return true;
  }
  if (!derive_value(d, scope, range, &list)) return false;
  if (list.kind != MEANING_LIST) return derive_fail(d, range->span, "it is no list");
  *out = d->al->zero;
  for (uint32_t k = 0; k < list.count; k++) {
    if (!compared(d, a, OP_EQ, list.items[k], range->span, &from)) return false;
    *out = poly_minus(d->al, poly_plus(d->al, *out, from), poly_times(d->al, *out, from));
  }
  return true;
}

static bool of_compare(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  const struct poly *all = d->al->one, *link;
  struct meaning before, next = {0};
  if (!derive_value(d, scope, expr->compare.operands[0], &before)) return false;
  for (uint32_t k = 0; k + 1 < expr->compare.count; k++) {
    const struct expr *operand = expr->compare.operands[k + 1];
    if (expr->compare.ops[k] == OP_IN) {
      if (!is_in(d, scope, before, operand, &link)) return false;
    } else if (!derive_value(d, scope, operand, &next) ||
               !compared(d, before, expr->compare.ops[k], next, expr->span, &link)) {
      return false;
    }
    all = poly_times(d->al, all, link);
    before = next;
  }
  *out = truth(all);
  return true;
}

/* One of two by a truth; false: they are of two kinds. */
static bool chosen(struct derive *d, const struct poly *by, struct meaning then, struct meaning otherwise,
                   struct meaning *out) {
  if (then.kind == otherwise.kind && (then.kind == MEANING_NUMBER || then.kind == MEANING_TRUTH)) {
    *out = then;
    out->whole = then.whole && otherwise.whole;
    out->poly = poly_if(d->al, by, then.poly, otherwise.poly);
    *out = with_memory(*out, poly_if(d->al, by, memory_of(d, then), memory_of(d, otherwise)));
    return true;
  }
  if (then.kind == MEANING_VALUE && otherwise.kind == MEANING_VALUE && value_equal(then.value, otherwise.value)) {
    *out = then;
    return true;
  }
  return false;
}

static bool of_if(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  const struct poly *by;
  struct meaning then, otherwise;
  if (!derive_truth(d, scope, expr->branch.condition, &by)) return false;
  if (by == d->al->one) return derive_value(d, scope, expr->branch.then, out);
  if (!by->count) return derive_value(d, scope, expr->branch.otherwise, out);
  if (!derive_value(d, scope, expr->branch.then, &then) || !derive_value(d, scope, expr->branch.otherwise, &otherwise))
    return false;
  return chosen(d, by, then, otherwise, out) ||
         derive_fail(d, expr->span, "what it is depends on a condition that the params' values decide");
}

/* ---- calls ---- */

static bool call_function(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  const struct model_function *function = expr->call->symbol->function;
  struct scope inner = {0};
  if (!function->value || function->fit || expr->call->bound_count < function->param_count)
    return settled_value(d, expr, out);
  if (function->component) inner.indices = scope->indices, inner.index_count = scope->index_count;
  for (uint32_t k = 0; k < function->param_count; k++) {
    struct meaning known;
    const struct expr *given = expr->call->bound[k];
    bool own = !given;
    if (own && function->defaults) given = function->defaults[k];
    if (!given) return derive_fail(d, expr->span, "it is called without '%s'", function->params[k]->name->text);
    if (!derive_value(d, own ? &inner : scope, given, &known)) known = (struct meaning){.kind = MEANING_NOTHING};
    derive_bind(d, &inner, function->params[k], known);
  }
  return derive_value(d, &inner, function->value, out);
}

/* A function of an evaluator that is a formula of its arguments. */
static bool call_formula(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  const struct symbol *symbol = expr->call->symbol;
  const struct psl_evaluator_function *function = symbol->evaluator_function;
  const struct model_signature *signature = symbol->signature;
  struct model *model = d->r->model;
  if (function->kind != PSL_PURE || !function->formula) {
    if (function->kind == PSL_PURE && !expr_uses(d->r, expr)) return settled_value(d, expr, out);
    return derive_fail(d, expr->span, "%s.%s is no formula", symbol->evaluator_of->name, function->name);
  }
  struct scope inner = {0};
  for (uint32_t k = 0; k < signature->count; k++) {
    struct local *local = ARENA_NEW(d->arena, struct local);
    *local = (struct local){.next = inner.locals, .name = signature->names[k]->text};
    const struct expr *given = k < expr->call->bound_count ? expr->call->bound[k] : NULL;
    if (!given) given = signature->defaults ? signature->defaults[k] : NULL;
    if (!given || !derive_value(d, scope, given, &local->known)) return false;
    inner.locals = local;
  }
  const struct source *source =
      source_add((struct sources *)model->sources, function->name, function->formula, strlen(function->formula));
  const struct expr *formula = source ? parse_expression(d->arena, model->names, model->diagnostics, source) : NULL;
  return formula ? derive_value(d, &inner, formula, out) : derive_fail(d, expr->span, "its formula is too large");
}

struct folding {
  enum builtin_fold fold;
  struct meaning *result; /* kind NOTHING: of none yet */
};

static bool folded(struct derive *d, const struct folding *f, struct meaning item, struct span span) {
  struct algebra *al = d->al;
  struct meaning *r = f->result;
  bool counts = f->fold == FOLD_COUNT || f->fold == FOLD_ALL || f->fold == FOLD_ANY;
  if (counts ? item.kind != MEANING_TRUTH : item.kind != MEANING_NUMBER) return derive_fail(d, span, "it is no number");
  if (r->kind == MEANING_NOTHING) {
    *r = f->fold == FOLD_COUNT ? number(item.poly, true) : item;
    return true;
  }
  switch (f->fold) {
  case FOLD_SUM: *r = added(d, *r, item, false); break;
  case FOLD_COUNT: r->poly = poly_plus(al, r->poly, item.poly); break;
  case FOLD_PRODUCT: *r = multiplied(d, *r, item); break;
  case FOLD_ALL: r->poly = poly_times(al, r->poly, item.poly); break;
  case FOLD_ANY: r->poly = poly_minus(al, poly_plus(al, r->poly, item.poly), poly_times(al, r->poly, item.poly)); break;
  case FOLD_MIN:
  case FOLD_MAX: {
    bool greatest = f->fold == FOLD_MAX;
    const struct poly *without = poly_extreme(al, without_memory(d, *r), without_memory(d, item), greatest);
    *r = memory_beyond(d, number(poly_extreme(al, r->poly, item.poly, greatest), r->whole), without);
    break;
  }
  case FOLD_NONE: return false;
  }
  r->whole = r->whole && item.whole;
  return true;
}

static struct meaning of_none(struct derive *d, enum builtin_fold fold) {
  bool one = fold == FOLD_PRODUCT || fold == FOLD_ALL;
  if (fold == FOLD_ALL || fold == FOLD_ANY) return truth(one ? d->al->one : d->al->zero);
  return number(one ? d->al->one : d->al->zero, true);
}

static bool small_whole(const struct poly *a, int64_t *out) {
  struct number number;
  if (!poly_constant(a, &number) || !number.exact || number.below != 1) return false;
  *out = number.above;
  return true;
}

/* sum(k in a .. b : e) and the like; lists and ranges between numbers are gone through. */
static bool fold_binders(struct derive *d, struct scope *scope, const struct binder *binders, uint32_t count,
                         const struct expr *body, const struct folding *f) {
  struct meaning low, high, list, item;
  int64_t first, last;
  if (!count) return derive_value(d, scope, body, &item) && folded(d, f, item, body->span);
  const struct expr *range = binders[0].range;
  struct local *before = scope->locals;
  if (range->kind != EXPR_RANGE) {
    if (!derive_value(d, scope, range, &list)) return false;
    if (list.kind != MEANING_LIST) return derive_fail(d, range->span, "it is no list");
    for (uint32_t k = 0; k < list.count; k++) {
      derive_bind(d, scope, binders[0].symbol, list.items[k]);
      if (!fold_binders(d, scope, binders + 1, count - 1, body, f)) return false;
      scope->locals = before;
    }
    return true;
  }
  if (!numbers(d, scope, range->range.low, range->range.high, &low, &high)) return false;
  if (small_whole(low.poly, &first) && small_whole(high.poly, &last) && last - first < UNROLLED_MOST) {
    for (int64_t k = first; k <= last; k++) {
      derive_bind(d, scope, binders[0].symbol, number(poly_whole(d->al, k), true));
      if (!fold_binders(d, scope, binders + 1, count - 1, body, f)) return false;
      scope->locals = before;
    }
    return true;
  }
  if (f->fold != FOLD_SUM && f->fold != FOLD_COUNT)
    return derive_fail(d, range->span, "how far it goes depends on params, and it is no sum");
  struct settings any = {0};
  const struct atom *variable =
      atom_name(d->al, d->item ? derive_free_name(d, binders[0].name.name->text) : binders[0].name.name->text, NULL,
                true, (struct dimension){{0}}, poly_interval(&any, low.poly).low, poly_interval(&any, high.poly).high);
  struct meaning inner = {.kind = MEANING_NOTHING};
  struct folding within = {f->fold, &inner};
  derive_bind(d, scope, binders[0].symbol, number(poly_atom(d->al, variable), true));
  if (d->loop_count < sizeof d->loops / sizeof *d->loops) d->loops[d->loop_count] = variable;
  d->loop_count++;
  bool fine = fold_binders(d, scope, binders + 1, count - 1, body, &within);
  d->loop_count--;
  scope->locals = before;
  if (!fine) return false;
  if (inner.kind == MEANING_NOTHING) return true;
  inner.poly = poly_sum(d->al, variable, low.poly, high.poly, inner.poly);
  inner.memory = inner.memory ? poly_sum(d->al, variable, low.poly, high.poly, inner.memory) : NULL;
  struct folding sums = {FOLD_SUM, f->result};
  return folded(d, &sums, inner, body->span);
}

/* Between the points of a table, held at the ends; of the values, or of their shares that are memory's. */
static const struct poly *between_points(struct derive *d, struct meaning table, const struct poly *at, bool memory) {
  struct algebra *al = d->al;
  const struct poly *result = NULL, *x0 = NULL, *y0 = NULL;
  for (uint32_t k = 0; k < table.count; k++) {
    struct meaning value = table.items[k].items[1];
    const struct poly *x = table.items[k].items[0].poly, *y = memory ? memory_of(d, value) : value.poly;
    if (!result) {
      result = y;
    } else { /* from x0 on the slope is another one */
      const struct poly *line = poly_plus(
          al, y0, poly_times(al, poly_minus(al, at, x0), poly_over(al, poly_minus(al, y, y0), poly_minus(al, x, x0))));
      result = poly_if(al, poly_not_less(al, poly_minus(al, at, x0), false), line, result);
    }
    x0 = x;
    y0 = y;
  }
  return poly_if(al, poly_not_less(al, poly_minus(al, at, x0), false), y0, result);
}

/* What it is interpolated at gives its value a share if all of it is memory's: a factor that depends on work, which is
 * partly so, scales both shares of that work alike. */
static bool interpolated(struct derive *d, struct meaning table, struct meaning at, struct span span,
                         struct meaning *out) {
  bool memory = false;
  if (table.kind != MEANING_LIST || !table.count || at.kind != MEANING_NUMBER)
    return derive_fail(d, span, "it is no table");
  for (uint32_t k = 0; k < table.count; k++) {
    struct meaning row = table.items[k];
    if (row.kind != MEANING_LIST || row.count != 2 || row.items[0].kind != MEANING_NUMBER ||
        row.items[1].kind != MEANING_NUMBER)
      return derive_fail(d, span, "it is no table");
    memory |= memory_of(d, row.items[1])->count > 0;
  }
  *out = number(between_points(d, table, at.poly, false), false);
  if (derive_all_memory(&at))
    out->memory = out->poly;
  else if (memory)
    *out = with_memory(*out, between_points(d, table, at.poly, true));
  return true;
}

/* Two lists as one of pairs; of other things nothing. */
static struct meaning paired(struct derive *d, struct meaning xs, struct meaning ys) {
  struct meaning none = {.kind = MEANING_NOTHING};
  if (xs.kind != MEANING_LIST || ys.kind != MEANING_LIST || xs.count != ys.count) return none;
  struct meaning *rows = ARENA_ARRAY(d->arena, struct meaning, xs.count + 1);
  for (uint32_t k = 0; k < xs.count; k++) {
    struct meaning *row = ARENA_ARRAY(d->arena, struct meaning, 2);
    row[0] = xs.items[k];
    row[1] = ys.items[k];
    rows[k] = (struct meaning){.kind = MEANING_LIST, .items = row, .count = 2};
  }
  return (struct meaning){.kind = MEANING_LIST, .items = rows, .count = xs.count};
}

static const struct rounding {
  const char *name;
  enum atom_kind kind;
} roundings[] = {{"floor", ATOM_FLOOR}, {"ceil", ATOM_CEIL}, {"round", ATOM_ROUND}};
static const struct special {
  const char *name;
  enum { SPECIAL_NONE, SPECIAL_ABS, SPECIAL_LENGTH, SPECIAL_INTERPOLATE } form;
} specials[] = {{"abs", SPECIAL_ABS}, {"length", SPECIAL_LENGTH}, {"interpolate", SPECIAL_INTERPOLATE}};

static struct meaning sum_of_each(const struct derive *d, struct meaning list) {
  struct meaning item = list.items[0];
  item.poly = poly_sum(d->al, list.variable, list.low, list.high, item.poly);
  item.memory = item.memory ? poly_sum(d->al, list.variable, list.low, list.high, item.memory) : NULL;
  return item;
}

static int special_form(const char *name) {
  for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
    if (!strcmp(name, specials[k].name)) return (int)specials[k].form;
  return SPECIAL_NONE;
}

static const char *const rising[] = {"sqrt", "exp", "log", "log2", "log10"};

static bool of_number(struct derive *d, const char *name, struct meaning a, struct span span, struct meaning *out) {
  for (size_t k = 0; k < sizeof roundings / sizeof *roundings; k++)
    if (!strcmp(name, roundings[k].name)) {
      *out = memory_of_any(d, number(poly_rounded(d->al, roundings[k].kind, a.poly, a.whole), true), a, a);
      return true;
    }
  for (size_t k = 0; k < sizeof rising / sizeof *rising; k++)
    if (!strcmp(name, rising[k])) {
      *out = memory_of_any(d, number(poly_function(d->al, rising[k], a.poly), false), a, a);
      return true;
    }
  if (special_form(name) == SPECIAL_ABS) {
    const struct poly *opposite = poly_minus(d->al, d->al->zero, a.poly), *rest = without_memory(d, a);
    const struct poly *without = poly_extreme(d->al, rest, poly_minus(d->al, d->al->zero, rest), true);
    *out = memory_beyond(d, number(poly_extreme(d->al, a.poly, opposite, true), a.whole), without);
    return true;
  }
  return derive_fail(d, span, "'%s' has no symbolic form", name);
}

static bool call_builtin(struct derive *d, struct scope *scope, const struct expr *expr, const struct builtin *builtin,
                         struct meaning *out) {
  struct meaning args[64];
  uint32_t count = expr->call->args.value_count;
  struct folding f = {builtin->fold, out};
  if (builtin->draws) return derive_fail(d, expr->span, "it is drawn");
  *out = (struct meaning){.kind = MEANING_NOTHING};
  if (expr->call->binder_count) {
    bool fine = builtin->fold != FOLD_NONE && count == 1 &&
                fold_binders(d, scope, expr->call->binders, expr->call->binder_count, expr->call->args.values[0], &f);
    if (!fine) return builtin->fold != FOLD_NONE && count == 1 ? false : settled_value(d, expr, out);
    if (out->kind == MEANING_NOTHING) *out = of_none(d, builtin->fold);
    return true;
  }
  if (!count || count > 64 || expr->call->args.field_count) return settled_value(d, expr, out);
  for (uint32_t k = 0; k < count; k++)
    if (!derive_value(d, scope, expr->call->args.values[k], &args[k])) return false;
  if (builtin->fold != FOLD_NONE) {
    bool list = count == 1 && args[0].kind == MEANING_LIST;
    const struct meaning *items = list ? args[0].items : args;
    uint32_t item_count = list ? args[0].count : count;
    if (count == 1 && args[0].kind == MEANING_EACH && builtin->fold == FOLD_SUM) {
      *out = sum_of_each(d, args[0]);
      return true;
    }
    for (uint32_t k = 0; k < item_count; k++)
      if (!folded(d, &f, items[k], expr->span)) return false;
    if (out->kind == MEANING_NOTHING) *out = of_none(d, builtin->fold);
    return true;
  }
  if (special_form(builtin->name) == SPECIAL_LENGTH && args[0].kind == MEANING_LIST) {
    *out = number(poly_whole(d->al, args[0].count), true);
    return true;
  }
  if (special_form(builtin->name) == SPECIAL_LENGTH && args[0].kind == MEANING_EACH) {
    const struct poly *items = poly_plus(d->al, poly_minus(d->al, args[0].high, args[0].low), d->al->one);
    *out = number(poly_extreme(d->al, items, d->al->zero, true), true);
    return true;
  }
  if (special_form(builtin->name) == SPECIAL_INTERPOLATE && count >= 2) {
    struct meaning table = count == 2 ? args[0] : paired(d, args[0], args[1]);
    return interpolated(d, table, args[count - 1], expr->span, out);
  }
  if (count == 1 && args[0].kind == MEANING_NUMBER) return of_number(d, builtin->name, args[0], expr->span, out);
  return settled_value(d, expr, out);
}

static bool of_call(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  const struct symbol *symbol = expr->call->symbol;
  if (!symbol) { /* in a formula */
    const struct expr *callee = expr->call->callee;
    const struct builtin *builtin = callee->kind == EXPR_NAME ? builtin_find(callee->name.name->text) : NULL;
    return builtin ? call_builtin(d, scope, expr, builtin, out) : derive_fail(d, expr->span, "it is no function");
  }
  if (symbol->kind == SYMBOL_FUNCTION) return call_function(d, scope, expr, out);
  if (symbol->kind == SYMBOL_EVALUATOR_FUNCTION) return call_formula(d, scope, expr, out);
  if (symbol->kind == SYMBOL_BUILTIN) return call_builtin(d, scope, expr, symbol->builtin, out);
  return settled_value(d, expr, out);
}

/* ---- lists ---- */

static bool of_list(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  struct meaning *items = ARENA_ARRAY(d->arena, struct meaning, expr->list.count + 1);
  for (uint32_t k = 0; k < expr->list.count; k++)
    if (!derive_value(d, scope, expr->list.items[k], &items[k])) return false;
  *out = (struct meaning){.kind = MEANING_LIST, .items = items, .count = expr->list.count};
  return true;
}

/* [k in a .. b : e] between bounds that params decide: of any k. */
static bool of_any(struct derive *d, struct scope *scope, const struct expr *expr, const struct meaning *low,
                   const struct meaning *high, struct meaning *out) {
  const struct binder *binder = &expr->each.binders[0];
  struct settings any = {0};
  struct meaning *item = ARENA_ARRAY(d->arena, struct meaning, 1);
  struct local *before = scope->locals;
  const struct atom *variable =
      atom_name(d->al, d->item ? derive_free_name(d, binder->name.name->text) : binder->name.name->text, NULL, true,
                (struct dimension){{0}}, poly_interval(&any, low->poly).low, poly_interval(&any, high->poly).high);
  derive_bind(d, scope, binder->symbol, number(poly_atom(d->al, variable), true));
  if (d->loop_count < sizeof d->loops / sizeof *d->loops) d->loops[d->loop_count] = variable;
  d->loop_count++;
  bool fine = derive_value(d, scope, expr->each.body, item);
  d->loop_count--;
  scope->locals = before;
  if (!fine) return false;
  if (item->kind != MEANING_NUMBER) return settled_value(d, expr, out);
  *out = (struct meaning){
      .kind = MEANING_EACH, .items = item, .count = 1, .variable = variable, .low = low->poly, .high = high->poly};
  return true;
}

/* Its item at that place, from 0. */
static struct meaning item_of_any(const struct derive *d, struct meaning list, const struct poly *at) {
  struct meaning item = list.items[0];
  const struct poly *of = poly_plus(d->al, list.low, at);
  item.poly = poly_with(d->al, item.poly, list.variable, of);
  item.memory = item.memory ? poly_with(d->al, item.memory, list.variable, of) : NULL;
  return item;
}

/* [k in a .. b : e], between numbers. */
static bool of_each(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  struct meaning low, high;
  int64_t first, last;
  const struct binder *binder = &expr->each.binders[0];
  if (expr->each.binder_count != 1 || binder->range->kind != EXPR_RANGE) return settled_value(d, expr, out);
  if (!numbers(d, scope, binder->range->range.low, binder->range->range.high, &low, &high)) return false;
  if (!small_whole(low.poly, &first) || !small_whole(high.poly, &last) || last - first >= UNROLLED_MOST)
    return of_any(d, scope, expr, &low, &high, out);
  uint32_t count = last < first ? 0 : (uint32_t)(last - first + 1);
  struct meaning *items = ARENA_ARRAY(d->arena, struct meaning, count + 1);
  struct local *before = scope->locals;
  for (uint32_t k = 0; k < count; k++) {
    derive_bind(d, scope, binder->symbol, number(poly_whole(d->al, first + k), true));
    bool fine = derive_value(d, scope, expr->each.body, &items[k]);
    scope->locals = before;
    if (!fine) return false;
  }
  *out = (struct meaning){.kind = MEANING_LIST, .items = items, .count = count};
  return true;
}

static bool of_index(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  struct meaning base, at;
  int64_t place;
  if (expr->index.term) return settled_value(d, expr, out);
  if (!derive_value(d, scope, expr->index.base, &base)) return false;
  for (uint32_t k = 0; k < expr->index.count; k++) {
    if (!derive_value(d, scope, expr->index.subscripts[k], &at)) return false;
    if (base.kind == MEANING_EACH && at.kind == MEANING_NUMBER) {
      base = item_of_any(d, base, at.poly);
      continue;
    }
    if (base.kind != MEANING_LIST || at.kind != MEANING_NUMBER) return settled_value(d, expr, out);
    if (small_whole(at.poly, &place)) {
      if (place < 0 || place >= base.count) return derive_fail(d, expr->span, "the list has no such item");
      base = base.items[place];
      if (base.kind == MEANING_NOTHING) return derive_fail(d, expr->span, "the item is known in a run alone");
      continue;
    }
    if (!base.count) return derive_fail(d, expr->span, "the list has no such item");
    struct meaning result = base.items[base.count - 1];
    for (uint32_t i = base.count - 1; i-- > 0;) { /* a choice among all */
      const struct poly *here = poly_is_zero(d->al, poly_minus(d->al, at.poly, poly_whole(d->al, i)));
      if (!chosen(d, here, base.items[i], result, &result))
        return derive_fail(d, expr->span, "which item it is depends on what the params' values decide");
    }
    base = result;
  }
  *out = base;
  return true;
}

/* ---- all ---- */

static bool of_quantity(struct derive *d, const struct expr *expr, struct meaning *out) {
  struct number value = number_times(number_of_double(expr->quantity.value), number_of_double(expr->quantity.factor));
  struct dimension dimension = expr->type ? type_dimension(expr->type) : (struct dimension){{0}};
  *out = number(poly_times(d->al, poly_number(d->al, value), poly_unit(d->al, dimension)), false);
  return true;
}

static bool value_of(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  struct meaning operand;
  switch (expr->kind) {
  case EXPR_INTEGER: *out = number(poly_whole(d->al, expr->integer), true); return true;
  case EXPR_REAL: *out = number(poly_number(d->al, number_of_double(expr->real)), false); return true;
  case EXPR_QUANTITY: return of_quantity(d, expr, out);
  case EXPR_BOOLEAN: *out = truth(expr->boolean ? d->al->one : d->al->zero); return true;
  case EXPR_NAME:
  case EXPR_MEMBER: return of_name(d, scope, expr, out);
  case EXPR_UNARY:
    if (!derive_value(d, scope, expr->unary.operand, &operand)) return false;
    if (expr->unary.op == OP_NOT && operand.kind == MEANING_TRUTH)
      *out = truth(not(d->al, operand.poly));
    else if (expr->unary.op == OP_NEG && operand.kind == MEANING_NUMBER)
      *out = added(d, number(d->al->zero, true), operand, true);
    else
      return derive_fail(d, expr->span, "it is no number");
    return true;
  case EXPR_BINARY: return of_binary(d, scope, expr, out);
  case EXPR_COMPARE: return of_compare(d, scope, expr, out);
  case EXPR_IF: return of_if(d, scope, expr, out);
  case EXPR_CALL: return of_call(d, scope, expr, out);
  case EXPR_LIST: return of_list(d, scope, expr, out);
  case EXPR_EACH: return of_each(d, scope, expr, out);
  case EXPR_INDEX: return of_index(d, scope, expr, out);
  default: return settled_value(d, expr, out);
  }
}

bool derive_value(struct derive *d, struct scope *scope, const struct expr *expr, struct meaning *out) {
  enum { NESTED = 400, STEPS = 1000000 };
  if (d->depth >= NESTED || ++d->steps > STEPS)
    return derive_fail(d, expr->span, "functions call each other without an end that is seen");
  if (d->al->too_large) return derive_fail(d, expr->span, "the expression is too large");
  d->depth++;
  bool fine = value_of(d, scope, expr, out);
  d->depth--;
  return fine;
}

bool derive_number(struct derive *d, struct scope *scope, const struct expr *expr, const struct poly **out) {
  struct meaning known;
  if (!derive_value(d, scope, expr, &known)) return false;
  *out = known.poly;
  return known.kind == MEANING_NUMBER || derive_fail(d, expr->span, "it is no number");
}

bool derive_truth(struct derive *d, struct scope *scope, const struct expr *expr, const struct poly **out) {
  struct meaning known;
  if (!derive_value(d, scope, expr, &known)) return false;
  *out = known.poly;
  return known.kind == MEANING_TRUTH || derive_fail(d, expr->span, "it is no condition");
}

const char *derive_free_name(struct derive *d, const char *name) {
  const struct model *model = d->r->model;
  bool taken = false;
  for (uint32_t k = 0; k < model->param_count; k++)
    taken |= !strcmp(model->params[k]->name->text, name);
  for (uint32_t k = 0; k < d->item->index_count; k++)
    taken |= !strcmp(d->item->accept->component->indices[k]->name->text, name);
  for (uint32_t k = 0; k < d->loop_count && k < sizeof d->loops / sizeof *d->loops; k++)
    taken |= !strcmp(d->loops[k]->name, name);
  return taken ? derive_free_name(d, arena_printf(d->arena, "%s-turn", name)) : name;
}

/* ---- what is known ---- */

static void know(struct derive *d, struct meaning a, struct meaning b, bool strict) { /* a <= b, or a < b */
  struct algebra *al = d->al;
  const struct poly *difference = poly_minus(al, b.poly, a.poly);
  if (strict && a.whole && b.whole) difference = poly_minus(al, difference, al->one);
  const struct poly *rest = difference;
  for (uint32_t k = 0; k < difference->count; k++) { /* a name less a number */
    const struct poly_term *term = &difference->terms[k];
    struct number number;
    if (term->count != 1 || term->factors[0].atom->kind != ATOM_NAME || term->factors[0].power != 1 ||
        !number_is(term->by, 1))
      continue;
    struct atom *atom = (struct atom *)term->factors[0].atom;
    rest = poly_minus(al, poly_atom(al, atom), difference);
    if (poly_constant(rest, &number) && number_double(number) > atom->low) atom->low = number_double(number);
  }
  if (!poly_never_negative(al, difference))
    ARENA_PUSH(d->arena, al->known, al->known_count, al->known_capacity, difference);
}

/* What holds where a truth does, or does not, as far as one comparison after another says it. */
void derive_know(struct derive *d, const struct poly *by, bool holds) {
  struct algebra *al = d->al;
  if (!holds || (by->count == 2 && by != al->one)) { /* 1 - x */
    const struct poly *opposite = poly_minus(al, al->one, by);
    if (by->count == 2 && opposite->count == 1) {
      by = opposite;
      holds = !holds;
    }
  }
  if (by->count != 1 || !number_is(by->terms[0].by, 1) || (!holds && by->terms[0].count != 1)) return;
  for (uint32_t f = 0; f < by->terms[0].count; f++) {
    const struct atom *atom = by->terms[0].factors[f].atom;
    if (atom->kind != ATOM_NOT_LESS) continue;
    const struct poly *fact = atom->args[0];
    if (!holds) fact = poly_minus(al, poly_whole(al, poly_is_whole(fact) ? -1 : 0), fact);
    ARENA_PUSH(d->arena, al->known, al->known_count, al->known_capacity, fact);
  }
}

void derive_assume(struct derive *d, struct scope *scope, const struct expr *condition) {
  struct meaning before, next;
  if (condition->kind == EXPR_BINARY && condition->binary.op == OP_AND) {
    derive_assume(d, scope, condition->binary.left);
    derive_assume(d, scope, condition->binary.right);
  }
  if (condition->kind != EXPR_COMPARE || !derive_value(d, scope, condition->compare.operands[0], &before)) return;
  for (uint32_t k = 0; k + 1 < condition->compare.count; k++) {
    enum operator op = condition->compare.ops[k];
    if (op == OP_IN || !derive_value(d, scope, condition->compare.operands[k + 1], &next) ||
        before.kind != MEANING_NUMBER || next.kind != MEANING_NUMBER)
      return;
    if (op == OP_LE || op == OP_LT || op == OP_EQ) know(d, before, next, op == OP_LT);
    if (op == OP_GE || op == OP_GT || op == OP_EQ) know(d, next, before, op == OP_GT);
    before = next;
  }
}
