/* An evaluator of a user: counts, and doubles. */
#include "interp/include/evaluator.h"
#include <stdio.h>

struct state {
  int64_t count;
};

static void *counter_open(struct psl_host *host) { return host->allocate(host, sizeof(struct state)); }

static enum psl_status counter_next(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->arguments[0].integer < 0) return psl_failed(call, "a step of %lld", (long long)call->arguments[0].integer);
  call->result.integer = s->count += call->arguments[0].integer;
  return PSL_DONE;
}

static bool counter_twice(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->real = 2 * arguments[0].real;
  return true;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "next",
     .signature = "(step : int = 1) -> int",
     .kind = PSL_EVENT,
     .call = counter_next,
     .doc = "Adds and gives the sum. Error: a negative step."},
    {.name = "twice",
     .signature = "(x : time) -> time",
     .kind = PSL_PURE,
     .pure = counter_twice,
     .doc = "Twice as long."},
    {.name = NULL},
};

const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .name = "counter",
                                            .revision = "1",
                                            .doc = "Counts.",
                                            .evidence = PSL_SIMULATED,
                                            .functions = functions,
                                            .open = counter_open};
