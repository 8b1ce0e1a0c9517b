/* Moments of the times that bodies hold: sums and multiples of distributions keep them; what makes anything
 * else of a distribution is refused, since a mean in its place would be another model. Called by way.c. */
#include "interp/queueing/way.h"
#include "grammar/children.h"
#include "interp/evaluate/builtin.h"
#include "interp/model/distribution.h"
#include <gsl/gsl_cdf.h>
#include <math.h>

struct times times_add(struct times a, struct times b) {
  return (struct times){.mean = a.mean + b.mean,
                        .variance = a.variance + b.variance,
                        .count = a.count + b.count,
                        .exponential = b.count ? b.exponential : a.exponential};
}

void mixture_add(struct mixture *mixture, double chance, struct times one) {
  if (!mixture->count++) {
    mixture->one = one;
    mixture->alike = true;
  }
  mixture->alike = mixture->alike && one.exponential && one.count == 1 && one.mean == mixture->one.mean;
  mixture->mean += chance * one.mean;
  mixture->square += chance * (one.variance + one.mean * one.mean);
}

struct times mixture_times(const struct mixture *mixture) {
  if (mixture->count == 1) return mixture->one;
  double variance = fmax(mixture->square - mixture->mean * mixture->mean, 0);
  return (struct times){
      .mean = mixture->mean, .variance = variance, .count = mixture->square > 0, .exponential = mixture->alike};
}

static bool names_state(const struct expr *expr, void *user) {
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  if (symbol && (symbol->kind == SYMBOL_CLOCK || symbol->kind == SYMBOL_VAR)) return true;
  return expr_any_child(expr, names_state, user);
}

bool expr_is_stateful(const struct expr *expr) { return names_state(expr, NULL); }

bool expr_is_drawn(const struct expr *expr, const struct type *type) {
  return type->kind != TYPE_DISTRIBUTION && type->kind != TYPE_ANY && expr_is_random(expr);
}

static struct times scaled(struct times a, double factor) {
  a.mean *= factor;
  a.variance *= factor * factor;
  a.factor *= factor;
  return a;
}

/* Of several what their sum gives is taken for normal, where one of them may be below 0 s. */
double times_below(const struct times *times) {
  const struct object *drawn = times->drawn;
  if (!drawn || times->variance == 0) return times->mean < 0;
  if (times->several) return times->low ? gsl_cdf_ugaussian_P(-times->mean / sqrt(times->variance)) : 0;
  double rest = times->mean - times->factor * distribution_mean(drawn);
  return distribution_below(drawn, times->factor, -rest);
}

/* What the sum of two is drawn from. */
static void drawn_join(const struct times *a, const struct times *b, struct times *out) {
  bool low = times_below(a) > 0 && a->drawn;
  const struct times *named = low || !b->drawn ? a : b;
  out->several = a->several || b->several || (a->drawn && b->drawn);
  out->low = low || (times_below(b) > 0 && b->drawn);
  out->drawn = named->drawn;
  out->factor = named->factor;
}

/* What a value is: a distribution by its moments, a number by itself. */
static bool value_times(struct extractor *x, const struct expr *expr, struct value value, struct times *out) {
  *out = (struct times){0};
  if (value.kind == VALUE_DISTRIBUTION) {
    const struct object *d = value.object;
    enum distribution_kind kind = d->distribution.kind;
    out->mean = distribution_mean(d);
    out->variance = distribution_variance(d);
    out->drawn = out->variance > 0 ? d : NULL;
    out->factor = 1;
    out->exponential = d->distribution.shift == 0 &&
                       (kind == DISTRIBUTION_EXPONENTIAL ||
                        ((kind == DISTRIBUTION_GAMMA || kind == DISTRIBUTION_ERLANG || kind == DISTRIBUTION_WEIBULL) &&
                         d->distribution.a == 1));
    if (!isfinite(out->mean) || !isfinite(out->variance))
      return way_refuse(x, expr->span, "this distribution has no finite %s", isfinite(out->mean) ? "variance" : "mean");
  } else {
    out->mean = value.kind == VALUE_INT ? (double)value.integer : value.real;
  }
  out->count = out->mean != 0 || out->variance != 0;
  return true;
}

/* A number in it, without anything random. */
static bool factor_of(struct environment *environment, const struct expr *expr, double *out) {
  struct value value;
  if (!evaluate_as(environment, expr, type_real(&environment->model->types, expr->type->dimension), &value))
    return false;
  *out = value.real;
  return true;
}

static bool times_binary(struct extractor *x, struct environment *environment, const struct expr *expr,
                         struct times *out) {
  const struct expr *left = expr->binary.left, *right = expr->binary.right;
  enum operator op = expr->binary.op;
  struct times a, b;
  double factor;
  if (op == OP_ADD || op == OP_SUB) {
    if (!times_of(x, environment, left, &a) || !times_of(x, environment, right, &b)) return false;
    b = scaled(b, op == OP_SUB ? -1 : 1);
    bool exponential = (a.exponential && b.mean == 0 && b.variance == 0) ||
                       (b.exponential && op == OP_ADD && a.mean == 0 && a.variance == 0);
    *out = times_add(a, b);
    out->exponential = exponential;
    drawn_join(&a, &b, out);
    return true;
  }
  if (op == OP_MUL && expr_is_random(left) && expr_is_random(right)) return false;
  if (op == OP_MUL && expr_is_random(right)) {
    const struct expr *swap = left;
    left = right;
    right = swap;
  } else if ((op != OP_MUL && op != OP_DIV) || expr_is_random(right)) {
    return false;
  }
  if (!times_of(x, environment, left, &a) || !factor_of(environment, right, &factor)) return false;
  *out = scaled(a, op == OP_MUL ? factor : 1 / factor);
  return true;
}

/* False without a word where it is not a sum or multiple. */
static bool times_combine(struct extractor *x, struct environment *environment, const struct expr *expr,
                          struct times *out) {
  struct value value;
  const struct expr *drawn = builtin_drawn(expr);
  if (drawn) return evaluate(environment, drawn, &value) && value_times(x, expr, value, out);
  if (!expr_is_random(expr)) {
    const struct type *type = type_real(&x->model->types, expr->type->dimension);
    return evaluate_as(environment, expr, expr->type->kind == TYPE_ANY ? x->model->types.time : type, &value) &&
           value_times(x, expr, value, out);
  }
  if (expr->kind == EXPR_IF) {
    if (expr_is_random(expr->branch.condition)) return false;
    if (!evaluate_as(environment, expr->branch.condition, x->model->types.boolean, &value)) return false;
    return times_of(x, environment, value.boolean ? expr->branch.then : expr->branch.otherwise, out);
  }
  return expr->kind == EXPR_BINARY && times_binary(x, environment, expr, out);
}

bool times_of(struct extractor *x, struct environment *environment, const struct expr *expr, struct times *out) {
  unsigned errors = x->model->diagnostics->errors;
  if (!times_combine(x, environment, expr, out)) {
    if (x->model->diagnostics->errors != errors || environment->lacked) return false;
    return way_refuse(x, expr->span, "it takes the moments of distributions, of their sums and multiples, not of this");
  }
  return true;
}
