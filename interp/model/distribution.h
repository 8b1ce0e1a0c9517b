/* Distributions as values: made by the built-in functions, drawn, and known by their moments.
 *
 * A distribution is shift + scale * X, X being of a standard family with shape parameters a .. c:
 *   constant          X = 1
 *   uniform           X in [0, 1)
 *   exponential       mean 1
 *   normal            mean 0, standard deviation 1
 *   lognormal         exp(a + b Z), Z standard normal
 *   gamma             shape a, mean a
 *   erlang            shape a (whole), mean a
 *   hyperexponential  with chance a exponential of mean b, else of mean c
 *   weibull           shape a
 *   pareto            shape a, from 1 up
 *   triangular        on [0, 1] with mode a
 *   bernoulli         1 with chance a, else 0
 *   geometric         trials till the first success of chance a: 1, 2, …
 *   poisson           mean a
 *   empirical         one of the `count` items of `sample`, all alike
 *   weighted          empirical with weights: item i of count / 2, `sample` going on with the sums of the
 *                     weights up to each
 *   hypoexponential   the sum of exponentials, whose means are the `count` items of `sample`
 *   beta              on [0, 1] with shapes a and b
 *   uniform-int       a whole number from a to b
 *   binomial          successes in a trials of chance b
 *   negative-binomial failures before the success number a, of chance b
 *   zipf              k from 1 to a with a chance that goes as 1 / k^b
 * What has a dimension is scale and shift (and b and c of the hyperexponential, whose scale is 1). */
#ifndef PSL_DISTRIBUTION_H
#define PSL_DISTRIBUTION_H
#include "grammar/ast.h"
#include "interp/model/random.h"
#include "interp/model/value.h"

/* Makes one of `kind` from the arguments that its built-in function takes, in SI base units:
 *   constant(x) uniform(low, high) exponential(mean) normal(mean, sd) lognormal(mean, sd: of the value
 * itself) gamma(shape, scale) erlang(k, mean) hyperexponential(p, mean, mean) weibull(shape, scale)
 *   pareto(shape, minimum) triangular(low, mode, high) bernoulli(p) geometric(p) poisson(mean)
 *   empirical(items …) weighted(items …, weights …) hypoexponential(means …)
 *   beta(shape, shape, low = 0, high = 1) uniform-int(low, high) binomial(n, p) negative-binomial(n, p)
 *   zipf(n, exponent)
 * false and a text in `error` where an argument is out of its range. */
bool distribution_make(struct arena *arena, enum distribution_kind kind, const double *arguments, uint32_t count,
                       struct value *out, char *error, size_t error_size);
/* The next draw from the stream. */
double distribution_draw(const struct object *distribution, struct random_stream *stream);
/* Made of numbers, not of lists? */
bool distribution_of_numbers(enum distribution_kind kind);
/* Makes one of numbers and draws from it at once; false, and nothing drawn: an argument is out of its range. */
bool distribution_draw_of(enum distribution_kind kind, const double *arguments, uint32_t count,
                          struct random_stream *stream, double *out);
/* How many values a draw may give, each with a chance of its own; 0: any of a continuum, or of too many. */
uint32_t distribution_item_count(const struct object *distribution);
void distribution_items(const struct object *distribution, double *items, double *chances);
/* Any of a continuum, so that two draws are never the same. */
bool distribution_is_continuous(const struct object *distribution);
/* What an analysis makes of the one draw of an expression: its values one after another. */
struct drawn {
  const struct object *distribution; /* NULL: nothing was drawn yet */
  uint32_t draws;
  double number; /* what a draw gives; the first one gives the first item */
};
double drawn_take(struct drawn *drawn, const struct object *distribution);
double distribution_mean(const struct object *distribution);     /* infinite where there is none (pareto, shape <= 1) */
double distribution_variance(const struct object *distribution); /* infinite where there is none */
/* The chance that `factor` times what it gives is below `than`. */
double distribution_below(const struct object *distribution, double factor, double than);
/* As PSL would write the call that makes it; type gives the dimension, NULL: base values. */
void distribution_print(struct text *out, const struct types *types, const struct type *type,
                        const struct object *distribution, int digits);
const char *distribution_name(enum distribution_kind kind);
/* Has a checked expression a distribution for its value, or in it? Where a number is wanted it then is drawn. */
bool expr_is_random(const struct expr *expr);
#endif
