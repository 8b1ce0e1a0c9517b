/* An evaluator of networks that is a user's own: it knows asymptotic bounds of one class, and nothing else. */
#include "interp/include/evaluator.h"
#include <stdio.h>

static enum psl_status solve(void *state, struct psl_call *call, const struct psl_network *net,
                             struct psl_network_result *result) {
  (void)state;
  if (net->class_count != 1) {
    snprintf(call->error, sizeof call->error, "one class is wanted, and here are %u", net->class_count);
    snprintf(result->advice, sizeof result->advice, "analysis[MVA] takes several");
    return PSL_FAILED;
  }
  double all = net->classes[0].think, most = 0, customers = (double)net->classes[0].population;
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (net->stations[k].discipline == PSL_PRIORITY) {
      snprintf(call->error, sizeof call->error, "no priorities, please");
      result->station = k;
      return PSL_FAILED;
    }
    all += net->demand[k];
    most = net->demand[k] > most ? net->demand[k] : most;
  }
  double rate = customers / all < 1 / most ? customers / all : 1 / most;
  result->throughput[0] = rate;
  for (uint32_t k = 0; k < net->station_count; k++) {
    result->response[k] = net->demand[k];
    result->queue[k] = rate * net->demand[k];
    result->utilisation[k] = rate * net->demand[k] / net->stations[k].servers;
  }
  snprintf(result->approximation, sizeof result->approximation, "nobody waits");
  return PSL_DONE;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "solve", .signature = "()", .kind = PSL_NETWORK, .network = solve, .doc = "Bounds."},
    {.name = NULL},
};

const struct psl_evaluator psl_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "optimist",
    .revision = "1",
    .doc = "Networks where nobody waits.",
    .evidence = PSL_ANALYTIC,
    .functions = functions,
};
