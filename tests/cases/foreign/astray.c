/* An evaluator that goes wrong: its answers come too early, too late or never, and are no numbers. */
#include "interp/include/evaluator.h"
#include <math.h>

enum wrong { BACK, FAR, NEVER, AGAIN, NUMBER, RESUME, ELEMENT };

static enum psl_status answer(void *state, struct psl_call *call) {
  (void)state;
  switch ((enum wrong)call->arguments[0].integer) {
  case BACK: call->clock -= 1; return PSL_DONE;
  case FAR: call->clock = INFINITY; return PSL_DONE;
  case NEVER: call->clock = NAN; return PSL_DONE;
  case AGAIN: return PSL_LATER;
  case NUMBER: call->result.real = NAN; return PSL_DONE;
  case RESUME: call->host->retry(call->host, call->process, call->clock - 1); return PSL_BLOCKED;
  case ELEMENT: call->host->element(call->host, call->process, "loop", "all", 0, INFINITY, NAN); return PSL_DONE;
  }
  return PSL_DONE;
}

static bool reciprocal(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->real = 1 / arguments[0].real;
  return true;
}

static size_t statistics(void *state, struct psl_statistic *statistics, size_t most) {
  (void)state;
  (void)most;
  statistics[0] = (struct psl_statistic){"part", "", NAN, false};
  return 1;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "answer", .signature = "(what : int) -> real", .kind = PSL_CALL, .call = answer, .doc = "Goes wrong."},
    {.name = "reciprocal", .signature = "(x : real) -> real", .kind = PSL_PURE, .pure = reciprocal, .doc = "1 / x."},
    {.name = NULL},
};

const struct psl_evaluator psl_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "astray",
    .revision = "1",
    .doc = "Answers that are none.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .statistics = statistics,
};
