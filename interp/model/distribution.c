/* Distributions: made, drawn with GSL's variates, known by their moments, printed.  Built-in functions make
 * them; holds, `draw` and analyses use them. */
#include "interp/model/distribution.h"
#include "grammar/children.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A stream as GSL's generator: its state is the stream itself. */

static void rng_set(void *state, unsigned long seed) { *(struct random_stream *)state = random_open(seed, "", 0); }
static unsigned long rng_get(void *state) { return (unsigned long)(random_next(state) >> 32); }
static double rng_get_double(void *state) { return random_uniform(state); }
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

enum wish { ANY_NUMBER, POSITIVE, NOT_NEGATIVE, CHANCE, SUCCESS, COUNT, TRIALS, ITEMS, WHOLE, RATE, SHAPE };

static const struct {
  const char *name;
  uint32_t count;
  struct {
    const char *name;
    enum wish wish;
  } arguments[4];
} families[] = {
    [DISTRIBUTION_CONSTANT] = {"constant", 1, {{"value", ANY_NUMBER}}},
    [DISTRIBUTION_UNIFORM] = {"uniform", 2, {{"low", ANY_NUMBER}, {"high", ANY_NUMBER}}},
    [DISTRIBUTION_EXPONENTIAL] = {"exponential", 1, {{"mean", NOT_NEGATIVE}}},
    [DISTRIBUTION_NORMAL] = {"normal", 2, {{"mean", ANY_NUMBER}, {"standard deviation", NOT_NEGATIVE}}},
    [DISTRIBUTION_LOGNORMAL] = {"lognormal", 2, {{"mean", POSITIVE}, {"standard deviation", NOT_NEGATIVE}}},
    [DISTRIBUTION_GAMMA] = {"gamma", 2, {{"shape", SHAPE}, {"scale", NOT_NEGATIVE}}},
    [DISTRIBUTION_ERLANG] = {"erlang", 2, {{"number of phases", COUNT}, {"mean", NOT_NEGATIVE}}},
    [DISTRIBUTION_HYPEREXPONENTIAL] =
        {"hyperexponential", 3, {{"chance", CHANCE}, {"first mean", NOT_NEGATIVE}, {"second mean", NOT_NEGATIVE}}},
    [DISTRIBUTION_WEIBULL] = {"weibull", 2, {{"shape", SHAPE}, {"scale", NOT_NEGATIVE}}},
    [DISTRIBUTION_PARETO] = {"pareto", 2, {{"shape", SHAPE}, {"minimum", NOT_NEGATIVE}}},
    [DISTRIBUTION_TRIANGULAR] = {"triangular", 3, {{"low", ANY_NUMBER}, {"mode", ANY_NUMBER}, {"high", ANY_NUMBER}}},
    [DISTRIBUTION_BERNOULLI] = {"bernoulli", 1, {{"chance", CHANCE}}},
    [DISTRIBUTION_GEOMETRIC] = {"geometric", 1, {{"chance", SUCCESS}}},
    [DISTRIBUTION_POISSON] = {"poisson", 1, {{"mean", RATE}}},
    [DISTRIBUTION_EMPIRICAL] = {"empirical", 0, {{0}}},
    [DISTRIBUTION_WEIGHTED] = {"empirical", 0, {{0}}},
    [DISTRIBUTION_HYPOEXPONENTIAL] = {"hypoexponential", 0, {{0}}},
    [DISTRIBUTION_BETA] =
        {"beta",
         4,
         {{"first shape", SHAPE}, {"second shape", SHAPE}, {"low end", ANY_NUMBER}, {"high end", ANY_NUMBER}}},
    [DISTRIBUTION_UNIFORM_INT] = {"uniform-int", 2, {{"low end", WHOLE}, {"high end", WHOLE}}},
    [DISTRIBUTION_BINOMIAL] = {"binomial", 2, {{"number of trials", TRIALS}, {"chance", CHANCE}}},
    [DISTRIBUTION_NEGATIVE_BINOMIAL] = {"negative-binomial", 2, {{"number of successes", COUNT}, {"chance", SUCCESS}}},
    [DISTRIBUTION_ZIPF] = {"zipf", 2, {{"number of items", ITEMS}, {"exponent", NOT_NEGATIVE}}},
};

const char *distribution_name(enum distribution_kind kind) { return families[kind].name; }

/* What is wrong with the argument, or NULL. The bounds keep GSL's integer variates within 32 bits, and shapes
 * to where doubles can follow. */
static const char *refusal(enum wish wish, double x) {
  if (!isfinite(x)) return "must be finite";
  switch (wish) {
  case ANY_NUMBER: return NULL;
  case POSITIVE: return x > 0 ? NULL : "must be above 0";
  case NOT_NEGATIVE: return x >= 0 ? NULL : "must not be negative";
  case CHANCE: return x >= 0 && x <= 1 ? NULL : "must be from 0 to 1";
  case SUCCESS: return x >= 1e-8 && x <= 1 ? NULL : "must be from 1e-8 to 1";
  case COUNT: return x >= 1 && x <= 1e9 && x == floor(x) ? NULL : "must be a whole number from 1 to 1e9";
  case TRIALS: return x >= 0 && x <= 1e9 && x == floor(x) ? NULL : "must be a whole number from 0 to 1e9";
  case ITEMS: return x >= 1 && x <= 1e6 && x == floor(x) ? NULL : "must be a whole number from 1 to 1e6";
  case WHOLE: return fabs(x) <= 0x1p53 && x == floor(x) ? NULL : "must be a whole number of at most 2^53";
  case RATE: return x >= 0 && x <= 1e9 ? NULL : "must be from 0 to 1e9";
  case SHAPE: return x >= 1e-3 && x <= 1e9 ? NULL : "must be from 0.001 to 1e9";
  }
  return NULL;
}

static bool is_sample(enum distribution_kind kind) {
  return kind == DISTRIBUTION_EMPIRICAL || kind == DISTRIBUTION_WEIGHTED || kind == DISTRIBUTION_HYPOEXPONENTIAL;
}

static bool sample_fits(enum distribution_kind kind, const double *x, uint32_t count, char *error, size_t size) {
  const char *name = families[kind].name, *why;
  bool phases = kind == DISTRIBUTION_HYPOEXPONENTIAL;
  uint32_t items = kind == DISTRIBUTION_WEIGHTED ? count / 2 : count;
  double sum = 0;
  if (!count) return snprintf(error, size, "%s of no %s", name, phases ? "means" : "items"), false;
  for (uint32_t i = 0; i < items; i++)
    if ((why = refusal(phases ? NOT_NEGATIVE : ANY_NUMBER, x[i])))
      return snprintf(error, size, "%s of %s %s", phases ? "a mean" : "an item", name, why), false;
  for (uint32_t i = items; i < count; i++) {
    if ((why = refusal(NOT_NEGATIVE, x[i]))) return snprintf(error, size, "a weight of %s %s", name, why), false;
    sum += x[i];
  }
  if (items < count && !(sum > 0 && isfinite(sum)))
    return snprintf(error, size, "the weights of %s must have a sum above 0", name), false;
  return true;
}

static bool arguments_fit(enum distribution_kind kind, const double *x, uint32_t count, char *error, size_t size) {
  const char *name = families[kind].name, *why;
  if (is_sample(kind)) return sample_fits(kind, x, count, error, size);
  for (uint32_t i = 0; i < families[kind].count; i++)
    if ((why = refusal(families[kind].arguments[i].wish, x[i])))
      return snprintf(error, size, "the %s of %s %s", families[kind].arguments[i].name, name, why), false;
  bool ends = kind == DISTRIBUTION_UNIFORM || kind == DISTRIBUTION_UNIFORM_INT;
  if ((ends && x[0] > x[1]) || (kind == DISTRIBUTION_BETA && x[2] > x[3]))
    return snprintf(error, size, "the low end of %s is above its high end", name), false;
  if (kind == DISTRIBUTION_NEGATIVE_BINOMIAL && x[0] / x[1] > 1e9)
    return snprintf(error, size, "negative-binomial of more than 1e9 trials on average"), false;
  if (kind == DISTRIBUTION_TRIANGULAR && !(x[0] <= x[1] && x[1] <= x[2]))
    return snprintf(error, size, "triangular wants low <= mode <= high"), false;
  return true;
}

/* `made` has room for the arguments where they are a sample. */
static void fill(struct object *made, enum distribution_kind kind, const double *arguments, uint32_t count) {
  double x = count > 0 ? arguments[0] : 0, y = count > 1 ? arguments[1] : 0, z = count > 2 ? arguments[2] : 0;
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
  case DISTRIBUTION_UNIFORM_INT:
  case DISTRIBUTION_BINOMIAL:
  case DISTRIBUTION_NEGATIVE_BINOMIAL:
  case DISTRIBUTION_ZIPF: a = x, b = y; break;
  case DISTRIBUTION_BETA: a = x, b = y, shift = z, scale = arguments[3] - z; break;
  case DISTRIBUTION_EMPIRICAL:
  case DISTRIBUTION_HYPOEXPONENTIAL:
  case DISTRIBUTION_WEIGHTED:
    memcpy(made->distribution.sample, arguments, sizeof *arguments * count);
    for (uint32_t i = count / 2 + 1; kind == DISTRIBUTION_WEIGHTED && i < count; i++)
      made->distribution.sample[i] += made->distribution.sample[i - 1];
    break;
  }
  made->distribution.a = a;
  made->distribution.b = b;
  made->distribution.c = c;
  made->distribution.scale = scale;
  made->distribution.shift = shift;
}

bool distribution_make(struct arena *arena, enum distribution_kind kind, const double *arguments, uint32_t count,
                       struct value *out, char *error, size_t error_size) {
  if (!arguments_fit(kind, arguments, count, error, error_size)) return false;
  *out = value_object(arena, VALUE_DISTRIBUTION, is_sample(kind) ? count : 0);
  fill(out->object, kind, arguments, count);
  return true;
}

/* The first item whose weight and those before it pass a part of the whole, which is never reached. */
static double draw_weighted(const struct object *object, struct random_stream *stream) {
  uint32_t items = object->count / 2, low = 0, high = items - 1;
  const double *sums = object->distribution.sample + items;
  double wanted = random_uniform(stream) * sums[items - 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (wanted < sums[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return object->distribution.sample[low];
}

static double draw_phases(const struct object *object, struct random_stream *stream) {
  double sum = 0;
  for (uint32_t i = 0; i < object->count; i++)
    sum += object->distribution.sample[i] * random_exponential(stream);
  return sum;
}

/* (e^x - 1) / x and log(1 + x) / x, whole at 0. */
static double expm1_part(double x) { return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2; }
static double log1p_part(double x) { return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2; }

/* Rejection from the integral H of h(x) = x^-s, by its inverse (Hormann and Derflinger: Rejection-inversion to
 * generate variates from monotone discrete distributions, 1996). Takes two numbers a draw or so, whatever n. */
static double draw_zipf(double n, double s, struct random_stream *stream) {
#define H(x) (log(x) * expm1_part((1 - s) * log(x)))
  double first = H(1.5) - 1, all = H(n + 0.5);
  for (;;) {
    double u = all + random_uniform(stream) * (first - all);
    double t = u * (1 - s) < -1 ? -1 : u * (1 - s);
    double x = exp(log1p_part(t) * u), k = floor(x + 0.5);
    k = k < 1 ? 1 : k > n ? n : k;
    if (u >= H(k + 0.5) - exp(-s * log(k))) return k;
  }
#undef H
}

/* A draw of X, the standard one of the family. */
static double draw_standard(const struct object *object, struct random_stream *stream) {
  gsl_rng rng = {&rng_type, stream};
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  switch (object->distribution.kind) {
  case DISTRIBUTION_CONSTANT: return 1;
  case DISTRIBUTION_UNIFORM: return random_uniform(stream);
  case DISTRIBUTION_EXPONENTIAL: return random_exponential(stream);
  case DISTRIBUTION_NORMAL: return gsl_ran_gaussian_ziggurat(&rng, 1);
  case DISTRIBUTION_LOGNORMAL: return exp(a + b * gsl_ran_gaussian_ziggurat(&rng, 1));
  case DISTRIBUTION_GAMMA:
  case DISTRIBUTION_ERLANG: return gsl_ran_gamma(&rng, a, 1);
  case DISTRIBUTION_HYPEREXPONENTIAL: {
    bool first = random_uniform(stream) < a;
    return (first ? b : c) * random_exponential(stream);
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
  case DISTRIBUTION_WEIGHTED: return draw_weighted(object, stream);
  case DISTRIBUTION_HYPOEXPONENTIAL: return draw_phases(object, stream);
  case DISTRIBUTION_BETA: return gsl_ran_beta(&rng, a, b);
  case DISTRIBUTION_UNIFORM_INT: return a + (double)random_below(stream, (uint64_t)(b - a) + 1);
  case DISTRIBUTION_BINOMIAL: return gsl_ran_binomial(&rng, b, (unsigned)a);
  case DISTRIBUTION_NEGATIVE_BINOMIAL: return b == 1 ? 0 : gsl_ran_negative_binomial(&rng, b, a);
  case DISTRIBUTION_ZIPF: return draw_zipf(a, b, stream);
  }
  return 0;
}

/* Of all families this one alone may have moments that are not finite. */
static void note_tail(const struct object *distribution, struct random_stream *stream) {
  double shape = distribution->distribution.a;
  if (distribution->distribution.scale == 0 || shape > 2) return;
  if (stream->tail == 0 || shape < stream->tail) stream->tail = shape;
}

double distribution_draw(const struct object *distribution, struct random_stream *stream) {
  if (distribution->distribution.kind == DISTRIBUTION_PARETO) note_tail(distribution, stream);
  double number =
      distribution->distribution.shift + distribution->distribution.scale * draw_standard(distribution, stream);
  if (number < 0) stream->below = 1 + (int)distribution->distribution.kind;
  return number;
}

bool distribution_of_numbers(enum distribution_kind kind) { return !is_sample(kind); }

bool distribution_draw_of(enum distribution_kind kind, const double *arguments, uint32_t count,
                          struct random_stream *stream, double *out) {
  char error[200];
  struct object made;
  if (!arguments_fit(kind, arguments, count, error, sizeof error)) return false;
  made.count = 0;
  fill(&made, kind, arguments, count);
  *out = distribution_draw(&made, stream);
  return true;
}

/* The sum of (item - from)^power, each by its chance; of phases, by 1. */
static double sample_moment(const struct object *object, double from, int power) {
  bool weighted = object->distribution.kind == DISTRIBUTION_WEIGHTED;
  uint32_t items = weighted ? object->count / 2 : object->count;
  const double *sample = object->distribution.sample, *sums = sample + items;
  double sum = 0;
  for (uint32_t i = 0; i < items; i++) {
    double weight = weighted ? (sums[i] - (i ? sums[i - 1] : 0)) / sums[items - 1] : 1;
    sum += weight * (power == 2 ? (sample[i] - from) * (sample[i] - from) : sample[i] - from);
  }
  return object->distribution.kind == DISTRIBUTION_EMPIRICAL ? sum / items : sum;
}

static double zipf_moment(double n, double s, int power) {
  double sum = 0, chances = 0;
  for (double k = n; k >= 1; k--) { /* the small ones first */
    double chance = pow(k, -s);
    chances += chance;
    sum += chance * (power == 2 ? k * k : k);
  }
  return sum / chances;
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
  case DISTRIBUTION_EMPIRICAL:
  case DISTRIBUTION_WEIGHTED:
  case DISTRIBUTION_HYPOEXPONENTIAL: return sample_moment(object, 0, 1);
  case DISTRIBUTION_BETA: return a / (a + b);
  case DISTRIBUTION_UNIFORM_INT: return (a + b) / 2;
  case DISTRIBUTION_BINOMIAL: return a * b;
  case DISTRIBUTION_NEGATIVE_BINOMIAL: return a * (1 - b) / b;
  case DISTRIBUTION_ZIPF: return zipf_moment(a, b, 1);
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
  case DISTRIBUTION_EMPIRICAL:
  case DISTRIBUTION_WEIGHTED: return sample_moment(object, mean, 2);
  case DISTRIBUTION_HYPOEXPONENTIAL: return sample_moment(object, 0, 2);
  case DISTRIBUTION_BETA: return a * b / ((a + b) * (a + b) * (a + b + 1));
  case DISTRIBUTION_UNIFORM_INT: return ((b - a + 1) * (b - a + 1) - 1) / 12;
  case DISTRIBUTION_BINOMIAL: return a * b * (1 - b);
  case DISTRIBUTION_NEGATIVE_BINOMIAL: return a * (1 - b) / (b * b);
  case DISTRIBUTION_ZIPF: return zipf_moment(a, b, 2) - mean * mean;
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

uint32_t distribution_item_count(const struct object *distribution) {
  enum { MOST = 10000 };
  double a = distribution->distribution.a, b = distribution->distribution.b, count = 0;
  switch (distribution->distribution.kind) {
  case DISTRIBUTION_CONSTANT: count = 1; break;
  case DISTRIBUTION_BERNOULLI: count = 2; break;
  case DISTRIBUTION_UNIFORM_INT: count = b - a + 1; break;
  case DISTRIBUTION_BINOMIAL: count = a + 1; break;
  case DISTRIBUTION_ZIPF: count = a; break;
  case DISTRIBUTION_EMPIRICAL: count = distribution->count; break;
  case DISTRIBUTION_WEIGHTED: count = distribution->count / 2; break;
  default: break;
  }
  return count <= MOST ? (uint32_t)count : 0;
}

static double item_weight(const struct object *object, uint32_t i) {
  const double *sums = object->distribution.sample + object->count / 2;
  double a = object->distribution.a, b = object->distribution.b;
  switch (object->distribution.kind) {
  case DISTRIBUTION_BERNOULLI: return i ? a : 1 - a;
  case DISTRIBUTION_BINOMIAL: return gsl_ran_binomial_pdf(i, b, (unsigned)a);
  case DISTRIBUTION_ZIPF: return pow(i + 1.0, -b);
  case DISTRIBUTION_WEIGHTED: return sums[i] - (i ? sums[i - 1] : 0);
  default: return 1;
  }
}

static double item_standard(const struct object *object, uint32_t i) {
  switch (object->distribution.kind) {
  case DISTRIBUTION_CONSTANT: return 1;
  case DISTRIBUTION_UNIFORM_INT: return object->distribution.a + i;
  case DISTRIBUTION_ZIPF: return i + 1.0;
  case DISTRIBUTION_EMPIRICAL:
  case DISTRIBUTION_WEIGHTED: return object->distribution.sample[i];
  default: return i;
  }
}

void distribution_items(const struct object *distribution, double *items, double *chances) {
  double all = 0;
  uint32_t count = distribution_item_count(distribution);
  for (uint32_t i = 0; i < count; i++) {
    items[i] = distribution->distribution.shift + distribution->distribution.scale * item_standard(distribution, i);
    chances[i] = item_weight(distribution, i);
    all += chances[i];
  }
  for (uint32_t i = 0; i < count; i++)
    chances[i] /= all;
}

bool distribution_is_continuous(const struct object *distribution) {
  switch (distribution->distribution.kind) {
  case DISTRIBUTION_GEOMETRIC:
  case DISTRIBUTION_POISSON:
  case DISTRIBUTION_NEGATIVE_BINOMIAL: return false;
  case DISTRIBUTION_HYPEREXPONENTIAL: return distribution->distribution.b > 0 && distribution->distribution.c > 0;
  default: return !distribution_item_count(distribution) && distribution_variance(distribution) > 0;
  }
}

/* Of the standard one of a continuum, or of too many items. That of a sum of exponentials is that of the gamma
 * distribution of its mean and variance. */
static double chance_below(const struct object *object, double x) {
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  double mean = mean_standard(object);
  switch (object->distribution.kind) {
  case DISTRIBUTION_NORMAL: return gsl_cdf_ugaussian_P(x);
  case DISTRIBUTION_UNIFORM: return fmin(fmax(x, 0), 1);
  case DISTRIBUTION_TRIANGULAR:
    x = fmin(fmax(x, 0), 1);
    return x < a ? x * x / a : a < 1 ? 1 - (1 - x) * (1 - x) / (1 - a) : 1;
  case DISTRIBUTION_BETA: return gsl_cdf_beta_P(fmin(fmax(x, 0), 1), a, b);
  default: break;
  }
  if (x <= 0) return 0; /* of all others nothing is below 0 */
  switch (object->distribution.kind) {
  case DISTRIBUTION_EXPONENTIAL: return gsl_cdf_exponential_P(x, 1);
  case DISTRIBUTION_LOGNORMAL: return gsl_cdf_lognormal_P(x, a, b);
  case DISTRIBUTION_GAMMA:
  case DISTRIBUTION_ERLANG: return gsl_cdf_gamma_P(x, a, 1);
  case DISTRIBUTION_HYPEREXPONENTIAL: return -a * expm1(-x / b) - (1 - a) * expm1(-x / c);
  case DISTRIBUTION_HYPOEXPONENTIAL:
    return gsl_cdf_gamma_P(x, mean * mean / variance_standard(object), variance_standard(object) / mean);
  case DISTRIBUTION_WEIBULL: return gsl_cdf_weibull_P(x, 1, a);
  case DISTRIBUTION_PARETO: return gsl_cdf_pareto_P(x, a, 1);
  case DISTRIBUTION_GEOMETRIC: return gsl_cdf_geometric_P((unsigned)fmin(ceil(x) - 1, 1e9), a);
  case DISTRIBUTION_POISSON: return gsl_cdf_poisson_P((unsigned)fmin(ceil(x) - 1, 1e9), a);
  case DISTRIBUTION_NEGATIVE_BINOMIAL: return gsl_cdf_negative_binomial_P((unsigned)fmin(ceil(x) - 1, 1e9), b, a);
  case DISTRIBUTION_BINOMIAL: return gsl_cdf_binomial_P((unsigned)fmin(ceil(x) - 1, 1e9), b, (unsigned)a);
  default: return x > mean; /* one value */
  }
}

double distribution_below(const struct object *distribution, double factor, double than) {
  double scale = factor * distribution->distribution.scale, shift = factor * distribution->distribution.shift - than;
  uint32_t count = distribution_item_count(distribution);
  double sum = 0, all = 0;
  for (uint32_t i = 0; i < count; i++) {
    double weight = item_weight(distribution, i);
    all += weight;
    if (shift + scale * item_standard(distribution, i) < 0) sum += weight;
  }
  if (count) return sum / all;
  if (scale == 0) return shift < 0;
  double below = chance_below(distribution, -shift / scale);
  return scale > 0 ? below : 1 - below;
}

double drawn_take(struct drawn *drawn, const struct object *distribution) {
  if (drawn->draws++ || drawn->distribution) return drawn->number;
  drawn->distribution = distribution;
  uint32_t count = distribution_item_count(distribution);
  drawn->number =
      count ? distribution->distribution.shift + distribution->distribution.scale * item_standard(distribution, 0)
            : distribution_mean(distribution);
  return drawn->number;
}

/* The arguments that make it, and in *plain a bit for each that has no dimension. */
static uint32_t arguments_of(const struct object *object, double arguments[4], unsigned *plain) {
  double a = object->distribution.a, b = object->distribution.b, c = object->distribution.c;
  double scale = object->distribution.scale, shift = object->distribution.shift;
  double x = scale, y = scale, z = 0;
  *plain = 0;
  switch (object->distribution.kind) {
  case DISTRIBUTION_CONSTANT:
  case DISTRIBUTION_EXPONENTIAL:
  case DISTRIBUTION_EMPIRICAL:
  case DISTRIBUTION_WEIGHTED:
  case DISTRIBUTION_HYPOEXPONENTIAL: break;
  case DISTRIBUTION_BETA: x = a, y = b, z = shift, arguments[3] = shift + scale, *plain = 3; break;
  case DISTRIBUTION_UNIFORM_INT:
  case DISTRIBUTION_BINOMIAL:
  case DISTRIBUTION_NEGATIVE_BINOMIAL:
  case DISTRIBUTION_ZIPF: x = a, y = b, *plain = 3; break;
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
  double arguments[4];
  unsigned plain;
  uint32_t count = arguments_of(distribution, arguments, &plain), weights = 0;
  const double *items = arguments;
  bool sample = is_sample(distribution->distribution.kind);
  if (sample) {
    weights = distribution->distribution.kind == DISTRIBUTION_WEIGHTED ? distribution->count / 2 : 0;
    count = distribution->count - weights;
    items = distribution->distribution.sample;
    plain = 0;
  }
  text_printf(out, "%s(%s", distribution_name(distribution->distribution.kind), sample ? "[" : "");
  for (uint32_t i = 0; i < count; i++) {
    text_put(out, i ? ", " : "");
    quantity_print(out, types, items[i], plain >> (i & 3) & 1 ? none : dimension, digits);
  }
  for (uint32_t i = 0; i < weights; i++) {
    text_put(out, i ? ", " : "], [");
    quantity_print(out, types, items[weights + i] - (i ? items[weights + i - 1] : 0), none, digits);
  }
  text_put(out, sample ? "])" : ")");
}

static bool is_random(const struct expr *expr, void *user) {
  if (expr->type && expr->type->kind == TYPE_DISTRIBUTION) return true;
  return expr_any_child(expr, is_random, user);
}

bool expr_is_random(const struct expr *expr) { return is_random(expr, NULL); }
