/* Whole numbers in which params multiply indices, as the rank i * m + j does: sums of products of params, each with a
 * factor that is affine, and when two of these are equal.  Called by static_graph.c and task_graph_edges.c.
 *
 * That i * m + j == k * m + l is no affine set, but where |j - l| < m it is i == k and j == l: quotients and rests of a
 * division by m. So equality is found from the factor without a param up: it is t of the next param, for some small t
 * that goes over to the next factor. */
#include "interp/resolve/resolve.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

enum { TERMS = 16, DEGREE = 4, CARRIES = 4 };

struct product { /* of params, by their places, rising */
  uint32_t params[DEGREE], degree;
};
struct polynomial {
  struct term_of {
    struct product of;
    isl_pw_aff *factor;
  } terms[TERMS];
  uint32_t count;
  bool fine; /* else it is of another kind, and has no terms */
};

static struct polynomial nothing(void) { return (struct polynomial){.fine = false}; }

static void drop(struct polynomial *p) {
  for (uint32_t k = 0; k < p->count; k++)
    isl_pw_aff_free(p->terms[k].factor);
  *p = nothing();
}

static bool same_product(const struct product *a, const struct product *b) {
  return a->degree == b->degree && !memcmp(a->params, b->params, a->degree * sizeof *a->params);
}

/* Gives the factor away. */
static void add_term(struct polynomial *p, const struct product *of, isl_pw_aff *factor) {
  for (uint32_t k = 0; k < p->count; k++)
    if (same_product(&p->terms[k].of, of)) {
      p->terms[k].factor = isl_pw_aff_add(p->terms[k].factor, factor);
      return;
    }
  if (p->count < TERMS) {
    p->terms[p->count++] = (struct term_of){*of, factor};
    return;
  }
  isl_pw_aff_free(factor);
  drop(p);
}

static struct polynomial affine(isl_pw_aff *value) {
  struct polynomial p = {.fine = true};
  add_term(&p, &(struct product){.degree = 0}, value);
  return p;
}

static struct polynomial sum(struct polynomial a, struct polynomial b, bool minus) {
  struct polynomial result = {.fine = a.fine && b.fine};
  for (uint32_t k = 0; k < a.count && result.fine; k++)
    add_term(&result, &a.terms[k].of, isl_pw_aff_copy(a.terms[k].factor));
  for (uint32_t k = 0; k < b.count && result.fine; k++) {
    isl_pw_aff *factor = isl_pw_aff_copy(b.terms[k].factor);
    add_term(&result, &b.terms[k].of, minus ? isl_pw_aff_neg(factor) : factor);
  }
  drop(&a);
  drop(&b);
  return result;
}

/* ---- products ---- */

/* A factor that depends on params alone, and the same way everywhere, as terms with numbers for factors. */
static bool spread(const struct term_of *term, struct polynomial *out) {
  isl_pw_aff *value = term->factor;
  uint32_t dims = (uint32_t)isl_pw_aff_dim(value, isl_dim_in), params = (uint32_t)isl_pw_aff_dim(value, isl_dim_param);
  if (isl_pw_aff_n_piece(value) != 1 || isl_pw_aff_involves_dims(value, isl_dim_in, 0, dims) != isl_bool_false)
    return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(value));
  isl_local_space *space = isl_aff_get_domain_local_space(aff);
  bool fine = isl_aff_dim(aff, isl_dim_div) == 0 && term->of.degree < DEGREE;
  isl_val *number = isl_aff_get_constant_val(aff);
  if (fine && isl_val_is_zero(number) == isl_bool_false)
    add_term(out, &term->of, isl_pw_aff_from_aff(isl_aff_val_on_domain(isl_local_space_copy(space), number)));
  else
    isl_val_free(number);
  for (uint32_t k = 0; fine && k < params; k++) {
    isl_val *times = isl_aff_get_coefficient_val(aff, isl_dim_param, (int)k);
    if (isl_val_is_zero(times) == isl_bool_true) {
      isl_val_free(times);
      continue;
    }
    struct product of = term->of;
    uint32_t at = of.degree++;
    for (; at && of.params[at - 1] > k; at--)
      of.params[at] = of.params[at - 1];
    of.params[at] = k;
    add_term(out, &of, isl_pw_aff_from_aff(isl_aff_val_on_domain(isl_local_space_copy(space), times)));
  }
  isl_local_space_free(space);
  isl_aff_free(aff);
  return fine && out->fine;
}

static bool spread_all(const struct polynomial *p, struct polynomial *out) {
  *out = (struct polynomial){.fine = true};
  for (uint32_t k = 0; k < p->count; k++)
    if (!spread(&p->terms[k], out)) {
      drop(out);
      return false;
    }
  return p->fine;
}

/* The product with another, whose factors are numbers. */
static struct polynomial times_numbers(const struct polynomial *a, const struct polynomial *numbers) {
  struct polynomial result = {.fine = true};
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < numbers->count && result.fine; j++) {
      const struct product *x = &a->terms[i].of, *y = &numbers->terms[j].of;
      struct product of = {.degree = 0};
      if (x->degree + y->degree > DEGREE) {
        drop(&result);
        break;
      }
      for (uint32_t p = 0, q = 0; p < x->degree || q < y->degree;)
        of.params[of.degree++] =
            q == y->degree || (p < x->degree && x->params[p] <= y->params[q]) ? x->params[p++] : y->params[q++];
      add_term(&result, &of,
               isl_pw_aff_mul(isl_pw_aff_copy(a->terms[i].factor), isl_pw_aff_copy(numbers->terms[j].factor)));
    }
  return result;
}

static struct polynomial product(struct polynomial a, struct polynomial b) {
  struct polynomial numbers, result = nothing();
  if (a.fine && b.fine && spread_all(&b, &numbers)) {
    result = times_numbers(&a, &numbers);
    drop(&numbers);
  } else if (a.fine && b.fine && spread_all(&a, &numbers)) {
    result = times_numbers(&b, &numbers);
    drop(&numbers);
  }
  drop(&a);
  drop(&b);
  return result;
}

/* ---- expressions ---- */

static struct polynomial value_of(struct symbolic *s, const struct expr *expr);

static isl_pw_aff *zero(const struct symbolic *s) {
  return isl_pw_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(s->space)));
}

static struct polynomial chosen(struct symbolic *s, const struct expr *expr) {
  bool exact = true;
  isl_set *holds = symbolic_set(s, expr->branch.condition, true, &exact);
  struct polynomial a = exact ? value_of(s, expr->branch.then) : nothing();
  struct polynomial b = a.fine ? value_of(s, expr->branch.otherwise) : nothing(), result = {.fine = a.fine && b.fine};
  for (int side = 0; side < 2 && result.fine; side++) {
    const struct polynomial *of = side ? &b : &a;
    isl_set *there = side ? isl_set_complement(isl_set_copy(holds)) : isl_set_copy(holds);
    for (uint32_t k = 0; k < of->count && result.fine; k++)
      add_term(&result, &of->terms[k].of,
               isl_pw_aff_cond(isl_set_indicator_function(isl_set_copy(there)), isl_pw_aff_copy(of->terms[k].factor),
                               zero(s)));
    isl_set_free(there);
  }
  isl_set_free(holds);
  drop(&a);
  drop(&b);
  return result;
}

static struct polynomial of_symbol(struct symbolic *s, const struct symbol *symbol) {
  struct symbolic_frame *frame = s->frame;
  if (!symbol) return nothing();
  if (symbol->kind == SYMBOL_INSTANCE && symbol->instance.value) return value_of(s, symbol->instance.value);
  if (symbol->kind == SYMBOL_LET && symbol->decl && symbol->decl->value.value)
    return value_of(s, symbol->decl->value.value);
  if (symbol->kind != SYMBOL_LOCAL) return nothing();
  if (!frame) return s->body && symbol->made && !symbol->assignable ? value_of(s, symbol->made) : nothing();
  if (symbol->slot >= frame->count || !frame->given[symbol->slot]) return nothing();
  s->frame = frame->caller;
  struct polynomial result = value_of(s, frame->given[symbol->slot]);
  s->frame = frame;
  return result;
}

static struct polynomial called(struct symbolic *s, const struct expr *expr) {
  const struct symbol *symbol = expr->call->symbol;
  if (!symbol || symbol->kind != SYMBOL_FUNCTION || expr->call->binder_count) return nothing();
  const struct model_function *function = symbol->function;
  if (function->recursive || function->fit || !function->value || expr->call->bound_count < function->param_count)
    return nothing();
  struct symbolic_frame frame = {expr->call->bound, function->param_count, s->frame};
  s->frame = &frame;
  struct polynomial result = value_of(s, function->value);
  s->frame = frame.caller;
  return result;
}

/* Is |value| < times * param all over the domain? */
static bool lies_within(isl_set *domain, isl_pw_aff *value, isl_pw_aff *param, int times) {
  isl_val *number = isl_val_int_from_si(isl_set_get_ctx(domain), times);
  isl_pw_aff *bound = isl_pw_aff_scale_val(isl_pw_aff_copy(param), number);
  isl_set *over = isl_pw_aff_ge_set(isl_pw_aff_copy(value), isl_pw_aff_copy(bound));
  isl_set *under = isl_pw_aff_le_set(isl_pw_aff_copy(value), isl_pw_aff_neg(bound));
  isl_set *beyond = isl_set_intersect(isl_set_union(over, under), isl_set_copy(domain));
  bool within = isl_set_is_empty(beyond) == isl_bool_true;
  isl_set_free(beyond);
  return within;
}

static bool meets(isl_set *domain, isl_set *set) { return isl_set_is_disjoint(domain, set) != isl_bool_true; }

/* The parts of the domain where the one lies in t times the other and the next such, joined for all t: there the rest
 * of the division is the one less t times the other, which is affine. Gives both away. */
static struct polynomial divided(const struct symbolic *s, isl_pw_aff *a, isl_pw_aff *b, bool rest) {
  isl_set *odd = isl_set_intersect(isl_pw_aff_le_set(isl_pw_aff_copy(b), zero(s)), isl_set_copy(s->domain));
  int most = isl_set_is_empty(odd) == isl_bool_true ? 1 : CARRIES + 1;
  isl_pw_aff *result = zero(s);
  isl_set_free(odd);
  while (most <= CARRIES && !lies_within(s->domain, a, b, most))
    most++;
  for (int t = -most; t < most && most <= CARRIES; t++) {
    isl_val *number = isl_val_int_from_si(isl_set_get_ctx(s->domain), t);
    isl_pw_aff *from = isl_pw_aff_scale_val(isl_pw_aff_copy(b), isl_val_copy(number));
    isl_pw_aff *to = isl_pw_aff_add(isl_pw_aff_copy(from), isl_pw_aff_copy(b));
    isl_pw_aff *value = rest ? isl_pw_aff_sub(isl_pw_aff_copy(a), isl_pw_aff_copy(from))
                             : isl_pw_aff_from_aff(isl_aff_val_on_domain(
                                   isl_local_space_from_space(isl_space_copy(s->space)), isl_val_copy(number)));
    isl_set *here =
        isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(a), from), isl_pw_aff_lt_set(isl_pw_aff_copy(a), to));
    if (meets(s->domain, here)) {
      result = isl_pw_aff_cond(isl_set_indicator_function(here), value, result);
    } else {
      isl_set_free(here);
      isl_pw_aff_free(value);
    }
    isl_val_free(number);
  }
  isl_pw_aff_free(a);
  isl_pw_aff_free(b);
  if (most <= CARRIES) return affine(result);
  isl_pw_aff_free(result);
  return nothing();
}

static bool is_affine(const struct polynomial *p) {
  return p->fine && (!p->count || (p->count == 1 && !p->terms[0].of.degree));
}

static isl_pw_aff *affine_part(const struct symbolic *s, const struct polynomial *p) {
  return p->count ? isl_pw_aff_copy(p->terms[0].factor) : zero(s);
}

static struct polynomial quotient(struct symbolic *s, const struct expr *expr) {
  struct polynomial a = value_of(s, expr->binary.left), b = a.fine ? value_of(s, expr->binary.right) : nothing();
  struct polynomial result = nothing();
  if (s->domain && is_affine(&a) && is_affine(&b))
    result = divided(s, affine_part(s, &a), affine_part(s, &b), expr->binary.op == OP_MOD);
  drop(&a);
  drop(&b);
  return result;
}

static struct polynomial structural(struct symbolic *s, const struct expr *expr) {
  if (expr->kind == EXPR_NAME || expr->kind == EXPR_MEMBER) return of_symbol(s, expr_symbol(expr));
  if (expr->kind == EXPR_CALL) return called(s, expr);
  if (expr->kind == EXPR_IF) return chosen(s, expr);
  if (expr->kind == EXPR_UNARY && expr->unary.op == OP_NEG)
    return sum(affine(zero(s)), value_of(s, expr->unary.operand), true);
  if (expr->kind != EXPR_BINARY) return nothing();
  enum operator op = expr->binary.op;
  if (op == OP_WHOLE || op == OP_MOD) return quotient(s, expr);
  if (op != OP_ADD && op != OP_SUB && op != OP_MUL) return nothing();
  struct polynomial a = value_of(s, expr->binary.left);
  struct polynomial b = a.fine ? value_of(s, expr->binary.right) : nothing();
  return op == OP_MUL ? product(a, b) : sum(a, b, op == OP_SUB);
}

static struct polynomial value_of(struct symbolic *s, const struct expr *expr) {
  bool opaque = s->opaque;
  if (!expr || s->depth >= INLINE_DEPTH || !expr->type || expr->type->kind != TYPE_INT) return nothing();
  isl_pw_aff *value = symbolic_value(s, expr);
  if (value && (s->opaque == opaque || (expr->kind != EXPR_NAME && expr->kind != EXPR_MEMBER))) return affine(value);
  /* A let that is no affine one may be a product of params. */
  s->depth++;
  bool worse = s->opaque;
  s->opaque = opaque;
  struct polynomial result = structural(s, expr);
  s->depth--;
  if (!value || result.fine) {
    isl_pw_aff_free(value);
    return result;
  }
  s->opaque = worse;
  return affine(value);
}

/* ---- equality ---- */

static bool divides(const struct product *a, const struct product *b, uint32_t *ratio) {
  uint32_t i = 0;
  *ratio = UINT32_MAX;
  for (uint32_t j = 0; j < b->degree; j++) {
    if (i < a->degree && a->params[i] == b->params[j])
      i++;
    else if (*ratio == UINT32_MAX)
      *ratio = b->params[j];
  }
  return i == a->degree;
}

/* The points where `carry` and the terms from the one of `of` on are 0; NULL: it is not known. Gives the carry away. */
static isl_set *vanishing(const struct symbolic *s, isl_set *domain, const struct polynomial *p, struct product of,
                          isl_pw_aff *carry) {
  const struct product *next = NULL;
  uint32_t ratio = UINT32_MAX, other;
  for (uint32_t k = 0; k < p->count; k++) {
    const struct product *term = &p->terms[k].of;
    if (same_product(term, &of)) carry = isl_pw_aff_add(carry, isl_pw_aff_copy(p->terms[k].factor));
    if (term->degree > of.degree && (!next || term->degree < next->degree)) next = term;
  }
  if (!next) return isl_pw_aff_zero_set(carry);
  bool fine = divides(&of, next, &ratio);
  for (uint32_t k = 0; k < p->count && fine; k++)
    if (p->terms[k].of.degree > of.degree) fine = divides(next, &p->terms[k].of, &other);
  isl_set *result = NULL;
  isl_local_space *space = isl_local_space_from_space(isl_space_copy(s->space));
  isl_pw_aff *param =
      fine ? isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_param, ratio)) : NULL;
  int most = 1;
  while (fine && most <= CARRIES && !lies_within(domain, carry, param, most))
    most++;
  fine = fine && most <= CARRIES;
  if (fine) { /* the next product, with one more param */
    uint32_t at = of.degree++;
    for (; at && of.params[at - 1] > ratio; at--)
      of.params[at] = of.params[at - 1];
    of.params[at] = ratio;
  }
  for (int t = 1 - most; t < most && fine; t++) {
    isl_val *number = isl_val_int_from_si(isl_set_get_ctx(domain), t);
    isl_pw_aff *times = isl_pw_aff_scale_val(isl_pw_aff_copy(param), isl_val_copy(number));
    isl_set *here = isl_pw_aff_eq_set(isl_pw_aff_copy(carry), times);
    if (!meets(domain, here)) {
      isl_set_free(here);
      isl_val_free(number);
      continue;
    }
    isl_pw_aff *over = isl_pw_aff_from_aff(isl_aff_val_on_domain(isl_local_space_copy(space), number));
    isl_set *rest = vanishing(s, domain, p, of, over);
    fine = rest;
    if (rest) here = isl_set_intersect(here, rest);
    result = result ? isl_set_union(result, here) : here;
  }
  isl_local_space_free(space);
  isl_pw_aff_free(param);
  isl_pw_aff_free(carry);
  if (fine) return result ? result : isl_set_empty(isl_space_copy(s->space));
  isl_set_free(result);
  return NULL;
}

static struct polynomial side_value(struct symbolic *s, const struct symbolic_side *side) {
  s->base = side->base;
  s->frame = side->frame;
  s->loops = side->loops;
  s->loop_places = side->loop_places;
  s->loop_count = side->loop_count;
  return value_of(s, side->value);
}

isl_set *symbolic_equal(struct symbolic *s, isl_set *domain, const struct symbolic_side *left,
                        const struct symbolic_side *right) {
  struct symbolic before = *s;
  isl_set *result = NULL;
  s->domain = domain;
  struct polynomial a = side_value(s, left), b = a.fine ? side_value(s, right) : nothing();
  bool opaque = s->opaque;
  *s = before;
  s->opaque = opaque;
  struct polynomial difference = sum(a, b, true);
  if (difference.fine) result = vanishing(s, domain, &difference, (struct product){.degree = 0}, zero(s));
  drop(&difference);
  return result;
}
