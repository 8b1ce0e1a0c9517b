/* An evaluator of one's own: the roofline, the time of a kernel that either computes or moves data.
 *
 *   cc -shared -fPIC -o roofline.so roofline.c
 *
 * psl-evaluator.h is installed with PSL; see psl-evaluator(3). */
#include <psl-evaluator.h>
#include <stdio.h>

/* flops, bytes, and what the machine does of each a second; all in base units. */
static bool roofline_time(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  double flops = arguments[0].real, bytes = arguments[1].real;
  double peak = arguments[2].real, bandwidth = arguments[3].real;
  if (!(peak > 0) || !(bandwidth > 0)) {
    snprintf(error, 200, "a peak of %g flop/s and a bandwidth of %g byte/s", peak, bandwidth);
    return false;
  }
  double compute = flops / peak, move = bytes / bandwidth;
  result->real = compute > move ? compute : move;
  return true;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "kernel",
     .signature = "(work : flop, traffic : data, peak : flop/time, bandwidth : data/time) -> time",
     .kind = PSL_PURE,
     .pure = roofline_time,
     .doc = "The longer of computing and moving. Error: a machine that does nothing."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"a kernel moves data while it computes"},
    {NULL},
};

const struct psl_evaluator psl_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "roofline",
    .revision = "1",
    .doc = "The roofline model.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
    .assumptions = assumptions,
};
