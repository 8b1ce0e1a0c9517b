/* Work in parts that are done at the same time: how long the slowest of them takes. */
#include "interp/include/evaluator.h"
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PARTS_MOST = 1000000, PANELS = 4000 };

/* The integral of 1 - F(x)^n, by Simpson's rule. */
static double mean_of_greatest(double parts, double mean, double deviation) {
  double scale = deviation * deviation / mean, shape = mean / scale;
  double end = mean + 40 * fmax(deviation, scale), step = end / PANELS, sum = 0;
  for (int i = 0; i <= PANELS; i++) {
    double weight = i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2;
    sum += weight * (1 - pow(gsl_cdf_gamma_P(i * step, shape, scale), parts));
  }
  return sum * step / 3;
}

static bool slowest(const union psl_argument *given, union psl_argument *result, char error[200]) {
  int64_t parts = given[0].integer;
  double mean = given[1].real, deviation = given[2].real;
  if (parts < 1 || parts > PARTS_MOST)
    return snprintf(error, 200, "the slowest of %" PRId64 " parts: 1 to %d can be", parts, PARTS_MOST), false;
  if (!(mean >= 0) || !(deviation >= 0) || !isfinite(mean) || !isfinite(deviation))
    return snprintf(error, 200, "parts that take %g s with a deviation of %g s: neither can be negative", mean,
                    deviation),
           false;
  bool same = parts == 1 || deviation <= 1e-6 * mean;
  result->real = same ? mean : mean_of_greatest((double)parts, mean, deviation);
  return true;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "slowest",
     .signature = "(parts : int, mean : time, deviation : time) -> time",
     .kind = PSL_PURE,
     .pure = slowest,
     .doc = "The mean time of the slowest of so many parts, each of which takes a time of that mean and deviation, "
            "independent and of a gamma distribution: the integral of 1 - F(x)^n. Errors: no parts, negative times."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"each of several parts takes a time of a gamma distribution, whatever the others take"}, {NULL}};

const struct psl_evaluator fork_join_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Fork-Join",
    .revision = "1",
    .doc = "Work in parts that are done at the same time.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
    .assumptions = assumptions,
};
