/* Distributions: made, drawn with GSL's variates, known by their moments, printed.  Built-in functions make
 * them; holds, `draw` and analyses use them. */
#include "interp/values/distribution.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A stream as GSL's generator: its state is the stream itself. */

static void rng_set(void *state, unsigned long seed) {
  *(struct random_stream *)state = random_open(seed, "", 0);
}
static unsigned long rng_get(void *state) {
  return (unsigned long)(random_next(state) >> 32);
}
static double rng_get_double(void *state) {
  return random_uniform(state);
}
static const gsl_rng_type rng_type = {
    .name = "psl",
    .max = 0xffffffffu,
    .min = 0,
    .size = sizeof(struct random_stream),
    .set = rng_set,
    .get = rng_get,
    .get_double = rng_get_double,
};

/* What each constructor is called and what it wants of its arguments. */

enum wish { ANY_NUMBER, POSITIVE, NOT_NEGATIVE, CHANCE, SUCCESS, COUNT, RATE, SHAPE };

static const struct {
  const char *name;
  uint32_t count;
  struct {
    const char *name;
    enum wish wish;
  } arguments[3];
} families[] = {
    [DISTRIBUTION_CONSTANT] = {"constant", 1, {{"value", ANY_NUMBER}}},
    [DISTRIBUTION_UNIFORM] = {"uniform", 2, {{"low", ANY_NUMBER}, {"high", ANY_NUMBER}}},
    [DISTRIBUTION_EXPONENTIAL] = {"exponential", 1, {{"mean", NOT_NEGATIVE}}},
    [DISTRIBUTION_NORMAL] = {"normal", 2, {{"mean", ANY_NUMBER}, {"standard deviation", NOT_NEGATIVE}}},
    [DISTRIBUTION_LOGNORMAL] = {"lognormal", 2, {{"mean", POSITIVE}, {"standard deviation", NOT_NEGATIVE}}},
    [DISTRIBUTION_GAMMA] = {"gamma", 2, {{"shape", SHAPE}, {"scale", NOT_NEGATIVE}}},
    [DISTRIBUTION_ERLANG] = {"erlang", 2, {{"number of phases", COUNT}, {"mean", NOT_NEGATIVE}}},
    [DISTRIBUTION_HYPEREXPONENTIAL] = {"hyperexponential",
                                       3,
                                       {{"chance", CHANCE},
                                        {"first mean", NOT_NEGATIVE},
                                        {"second mean", NOT_NEGATIVE}}},
    [DISTRIBUTION_WEIBULL] = {"weibull", 2, {{"shape", SHAPE}, {"scale", NOT_NEGATIVE}}},
    [DISTRIBUTION_PARETO] = {"pareto", 2, {{"shape", SHAPE}, {"minimum", NOT_NEGATIVE}}},
    [DISTRIBUTION_TRIANGULAR] = {"triangular",
                                 3,
                                 {{"low", ANY_NUMBER}, {"mode", ANY_NUMBER}, {"high", ANY_NUMBER}}},
    [DISTRIBUTION_BERNOULLI] = {"bernoulli", 1, {{"chance", CHANCE}}},
    [DISTRIBUTION_GEOMETRIC] = {"geometric", 1, {{"chance", SUCCESS}}},
    [DISTRIBUTION_POISSON] = {"poisson", 1, {{"mean", RATE}}},
    [DISTRIBUTION_EMPIRICAL] = {"empirical", 0, {{0}}},
};

const char *distribution_name(enum distribution_kind kind) {
  return families[kind].name;
}

/* What is wrong with the argument, or NULL. The bounds keep GSL's integer variates within 32 bits, and shapes
 * to where doubles can follow. */
static const char *refusal(enum wish wish, double x) {
  if (!isfinite(x))
    return "must be finite";
  switch (wish) {
    case ANY_NUMBER: return NULL;
    case POSITIVE: return x > 0 ? NULL : "must be above 0";
    case NOT_NEGATIVE: return x >= 0 ? NULL : "must not be negative";
    case CHANCE: return x >= 0 && x <= 1 ? NULL : "must be from 0 to 1";
    case SUCCESS: return x >= 1e-8 && x <= 1 ? NULL : "must be from 1e-8 to 1";
    case COUNT: return x >= 1 && x <= 1e9 && x == floor(x) ? NULL : "must be a whole number from 1 to 1e9";
    case RATE: return x >= 0 && x <= 1e9 ? NULL : "must be from 0 to 1e9";
    case SHAPE: return x >= 1e-3 && x <= 1e9 ? NULL : "must be from 0.001 to 1e9";
  }
  return NULL;
}

static bool arguments_fit(enum distribution_kind kind, const double *x, uint32_t count, char *error,
                          size_t size) {
  const char *name = families[kind].name, *why;
  if (kind == DISTRIBUTION_EMPIRICAL) {
    if (!count)
      return snprintf(error, size, "%s of no items", name), false;
    for (uint32_t i = 0; i < count; i++)
      if ((why = refusal(ANY_NUMBER, x[i])))
        return snprintf(error, size, "an item of %s %s", name, why), false;
    return true;
  }
  for (uint32_t i = 0; i < families[kind].count; i++)
    if ((why = refusal(families[kind].arguments[i].wish, x[i])))
      return snprintf(error, size, "the %s of %s %s", families[kind].arguments[i].name, name, why), false;
  if (kind == DISTRIBUTION_UNIFORM && x[0] > x[1])
    return snprintf(error, size, "the low end of uniform is above its high end"), false;
  if (kind == DISTRIBUTION_TRIANGULAR && !(x[0] <= x[1] && x[1] <= x[2]))
    return snprintf(error, size, "triangular wants low <= mode <= high"), false;
  return true;
}

bool distribution_make(struct arena *arena, enum distribution_kind kind, const double *arguments,
                       uint32_t count, struct value *out, char *error, size_t error_size) {
  if (!arguments_fit(kind, arguments, count, error, error_size))
    return false;
  double x = count > 0 ? arguments[0] : 0, y = count > 1 ? arguments[1] : 0, z = count > 2 ? arguments[2] : 0;
  bool empirical = kind == DISTRIBUTION_EMPIRICAL;
  *out = value_object(arena, VALUE_DISTRIBUTION, empirical ? count : 0);
  struct object *made = out->object;
  made->distribution.kind = kind;
  double a = 0, b = 0, c = 0, scale = 1, shift = 0;
  switch (kind) {
    case DISTRIBUTION_CONSTANT:
    case DISTRIBUTION_EXPONENTIAL: scale = x; break;
    case DISTRIBUTION_UNIFORM: shift = x, scale = y - x; break;
    case DISTRIBUTION_NORMAL: shift = x, scale = y; break;
    case DISTRIBUTION_LOGNORMAL:
      scale = x;
      b = sqrt(log1p(y / x * (y / x)));
      a = -b * b / 2;
      break;
    case DISTRIBUTION_GAMMA:
    case DISTRIBUTION_WEIBULL:
    case DISTRIBUTION_PARETO: a = x, scale = y; break;
    case DISTRIBUTION_ERLANG: a = x, scale = y / x; break;
    case DISTRIBUTION_HYPEREXPONENTIAL: a = x, b = y, c = z; break;
    case DISTRIBUTION_TRIANGULAR: shift = x, scale = z - x, a = z > x ? (y - x) / (z - x) : 0; break;
    case DISTRIBUTION_BERNOULLI:
    case DISTRIBUTION_GEOMETRIC:
    case DISTRIBUTION_POISSON: a = x; break;
    case DISTRIBUTION_EMPIRICAL:
      memcpy(made->distribution.sample, arguments, sizeof *arguments * count);
      break;
  }
  made->distribution.a = a;
  made->distribution.b = b;
  made->distribution.c = c;
  made->distribution.scale = scale;
  made->distribution.shift = shift;
  return true;
}

/* A draw of X, the standard one of the family. */
static double draw_standard(const struct object *object, struct random_stream *stream) {
  gsl_rng rng = {&rng_type, stream};
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  switch (object->distribution.kind) {
    case DISTRIBUTION_CONSTANT: return 1;
    case DISTRIBUTION_UNIFORM: return random_uniform(stream);
    case DISTRIBUTION_EXPONENTIAL: return gsl_ran_exponential(&rng, 1);
    case DISTRIBUTION_NORMAL: return gsl_ran_gaussian_ziggurat(&rng, 1);
    case DISTRIBUTION_LOGNORMAL: return exp(a + b * gsl_ran_gaussian_ziggurat(&rng, 1));
    case DISTRIBUTION_GAMMA:
    case DISTRIBUTION_ERLANG: return gsl_ran_gamma(&rng, a, 1);
    case DISTRIBUTION_HYPEREXPONENTIAL: {
      bool first = random_uniform(stream) < a;
      return gsl_ran_exponential(&rng, first ? b : c);
    }
    case DISTRIBUTION_WEIBULL: return gsl_ran_weibull(&rng, 1, a);
    case DISTRIBUTION_PARETO: return gsl_ran_pareto(&rng, a, 1);
    case DISTRIBUTION_TRIANGULAR: {
      double u = random_uniform(stream);
      return u < a ? sqrt(u * a) : 1 - sqrt((1 - u) * (1 - a));
    }
    case DISTRIBUTION_BERNOULLI: return random_uniform(stream) < a;
    case DISTRIBUTION_GEOMETRIC: return gsl_ran_geometric(&rng, a);
    case DISTRIBUTION_POISSON: return gsl_ran_poisson(&rng, a);
    case DISTRIBUTION_EMPIRICAL: return object->distribution.sample[random_below(stream, object->count)];
  }
  return 0;
}

double distribution_draw(const struct object *distribution, struct random_stream *stream) {
  return distribution->distribution.shift +
         distribution->distribution.scale * draw_standard(distribution, stream);
}

static double sample_mean(const struct object *object) {
  double sum = 0;
  for (uint32_t i = 0; i < object->count; i++)
    sum += object->distribution.sample[i];
  return sum / object->count;
}

static double sample_variance(const struct object *object) {
  double mean = sample_mean(object), sum = 0;
  for (uint32_t i = 0; i < object->count; i++)
    sum += (object->distribution.sample[i] - mean) * (object->distribution.sample[i] - mean);
  return sum / object->count;
}

static double mean_standard(const struct object *object) {
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  switch (object->distribution.kind) {
    case DISTRIBUTION_CONSTANT:
    case DISTRIBUTION_EXPONENTIAL:
    case DISTRIBUTION_LOGNORMAL: return 1;
    case DISTRIBUTION_UNIFORM: return 0.5;
    case DISTRIBUTION_NORMAL: return 0;
    case DISTRIBUTION_GAMMA:
    case DISTRIBUTION_ERLANG:
    case DISTRIBUTION_BERNOULLI:
    case DISTRIBUTION_POISSON: return a;
    case DISTRIBUTION_HYPEREXPONENTIAL: return a * b + (1 - a) * c;
    case DISTRIBUTION_WEIBULL: return tgamma(1 + 1 / a);
    case DISTRIBUTION_PARETO: return a > 1 ? a / (a - 1) : INFINITY;
    case DISTRIBUTION_TRIANGULAR: return (1 + a) / 3;
    case DISTRIBUTION_GEOMETRIC: return 1 / a;
    case DISTRIBUTION_EMPIRICAL: return sample_mean(object);
  }
  return 0;
}

static double variance_standard(const struct object *object) {
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  double mean = mean_standard(object);
  switch (object->distribution.kind) {
    case DISTRIBUTION_CONSTANT: return 0;
    case DISTRIBUTION_EXPONENTIAL:
    case DISTRIBUTION_NORMAL: return 1;
    case DISTRIBUTION_LOGNORMAL: return expm1(b * b);
    case DISTRIBUTION_UNIFORM: return 1.0 / 12;
    case DISTRIBUTION_GAMMA:
    case DISTRIBUTION_ERLANG:
    case DISTRIBUTION_POISSON: return a;
    case DISTRIBUTION_BERNOULLI: return a * (1 - a);
    case DISTRIBUTION_HYPEREXPONENTIAL: return 2 * (a * b * b + (1 - a) * c * c) - mean * mean;
    case DISTRIBUTION_WEIBULL: return tgamma(1 + 2 / a) - mean * mean;
    case DISTRIBUTION_PARETO: return a > 2 ? a / ((a - 1) * (a - 1) * (a - 2)) : INFINITY;
    case DISTRIBUTION_TRIANGULAR: return (1 - a + a * a) / 18;
    case DISTRIBUTION_GEOMETRIC: return (1 - a) / (a * a);
    case DISTRIBUTION_EMPIRICAL: return sample_variance(object);
  }
  return 0;
}

/* Without 0 * infinity: a scale of 0 leaves the shift alone. */
double distribution_mean(const struct object *distribution) {
  double scale = distribution->distribution.scale;
  return distribution->distribution.shift + (scale == 0 ? 0 : scale * mean_standard(distribution));
}

double distribution_variance(const struct object *distribution) {
  double scale = distribution->distribution.scale;
  return scale == 0 ? 0 : scale * scale * variance_standard(distribution);
}

/* The arguments that make it, and in *plain a bit for each that has no dimension. */
static uint32_t arguments_of(const struct object *object, double arguments[3], unsigned *plain) {
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  double scale = object->distribution.scale, shift = object->distribution.shift;
  double x = scale, y = scale, z = 0;
  *plain = 0;
  switch (object->distribution.kind) {
    case DISTRIBUTION_CONSTANT:
    case DISTRIBUTION_EXPONENTIAL:
    case DISTRIBUTION_EMPIRICAL: break;
    case DISTRIBUTION_UNIFORM: x = shift, y = shift + scale; break;
    case DISTRIBUTION_NORMAL: x = shift; break;
    case DISTRIBUTION_LOGNORMAL: y = scale * sqrt(expm1(b * b)); break;
    case DISTRIBUTION_GAMMA:
    case DISTRIBUTION_WEIBULL:
    case DISTRIBUTION_PARETO: x = a, *plain = 1; break;
    case DISTRIBUTION_ERLANG: x = a, y = scale * a, *plain = 1; break;
    case DISTRIBUTION_HYPEREXPONENTIAL: x = a, y = b, z = c, *plain = 1; break;
    case DISTRIBUTION_TRIANGULAR: x = shift, y = shift + scale * a, z = shift + scale; break;
    case DISTRIBUTION_BERNOULLI:
    case DISTRIBUTION_GEOMETRIC:
    case DISTRIBUTION_POISSON: x = a, *plain = 1; break;
  }
  arguments[0] = x, arguments[1] = y, arguments[2] = z;
  return families[object->distribution.kind].count;
}

void distribution_print(struct text *out, const struct types *types, const struct type *type,
                        const struct object *distribution, int digits) {
  struct dimension none = {{0}}, dimension = type ? type->dimension : none;
  double arguments[3];
  unsigned plain;
  uint32_t count = arguments_of(distribution, arguments, &plain);
  bool empirical = distribution->distribution.kind == DISTRIBUTION_EMPIRICAL;
  const double *items = empirical ? distribution->distribution.sample : arguments;
  text_printf(out, "%s(%s", distribution_name(distribution->distribution.kind), empirical ? "[" : "");
  for (uint32_t i = 0; i < (empirical ? distribution->count : count); i++) {
    text_put(out, i ? ", " : "");
    quantity_print(out, types, items[i], !empirical && (plain >> i & 1) ? none : dimension, digits);
  }
  text_put(out, empirical ? "])" : ")");
}
