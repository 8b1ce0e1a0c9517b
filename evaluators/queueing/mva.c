/* Evaluators of queueing networks: analysis[MVA], [Bard], [Schweitzer], [Linearizer], [open], [bounds] and the two
 * that it is made of. Each tests that the network is one that it can take, calls its method, and says what it has
 * approximated. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct queueing_options options_of(const struct psl_call *call) {
  return (struct queueing_options){.host = call->host, .tolerance = 1e-10, .iterations = 1000000};
}

static const char *const approximations_take =
    "analysis[Bard], analysis[Schweitzer] and analysis[Linearizer] approximate it, simulation[queueing] executes it";

static const char *const open_takes =
    "analysis[open] has formulas for open networks without product form, simulation[queueing] executes them";

static bool all_open(const struct psl_network *net) {
  for (uint32_t c = 0; c < net->class_count; c++)
    if (!net->classes[c].open) return false;
  return true;
}

static void note_round_robin(const struct psl_network *net, struct psl_network_result *result) {
  for (uint32_t k = 0; k < net->station_count; k++)
    if (net->stations[k].discipline == PSL_ROUND_ROBIN && !queueing_is_delay(&net->stations[k])) {
      size_t used = strlen(result->approximation);
      snprintf(result->approximation + used, sizeof result->approximation - used,
               "%sround robin is taken for processor sharing", used ? "; " : "");
      return;
    }
}

static enum psl_status mva(void *state, struct psl_call *call, const struct psl_network *net,
                           struct psl_network_result *result) {
  struct queueing_options options = options_of(call);
  char why[160];
  uint32_t station;
  (void)state;
  if (queueing_misfit(net, why, sizeof why, &station))
    return queueing_refuse(call, result, station, all_open(net) ? open_takes : approximations_take,
                           "%s: no product form", why);
  if (!queueing_exact(net, &options, result, call->error, sizeof call->error)) return PSL_FAILED;
  if (all_open(net)) queueing_percentiles(net, &options, result);
  note_round_robin(net, result);
  return PSL_DONE;
}

/* Where customers wait. */
static bool has_several_servers(const struct psl_network *net) {
  for (uint32_t k = 0; k < net->station_count; k++)
    if (isfinite(net->stations[k].servers) && net->stations[k].servers > 1) return true;
  return false;
}

static enum psl_status approximate(struct psl_call *call, const struct psl_network *net,
                                   struct psl_network_result *result, enum queueing_approximation method,
                                   const char *name) {
  struct queueing_options options = options_of(call);
  char why[160];
  uint32_t station;
  if (queueing_arrival_misfit(net, why, sizeof why))
    return queueing_refuse(call, result, UINT32_MAX, "simulation[queueing] executes it", "%s", why);
  if (!queueing_approximate(net, method, &options, result, call->error, sizeof call->error)) return PSL_FAILED;
  bool misfit = queueing_misfit(net, why, sizeof why, &station);
  snprintf(result->approximation, sizeof result->approximation, "%s%s%s%s", name,
           has_several_servers(net) ? ", and what several servers do (Seidmann, 1987)" : "", misfit ? "; " : "",
           misfit ? why : "");
  if (misfit) {
    bool priority = net->stations[station].discipline == PSL_PRIORITY ||
                    net->stations[station].discipline == PSL_PRIORITY_PREEMPTIVE;
    size_t used = strlen(result->approximation);
    snprintf(result->approximation + used, sizeof result->approximation - used, ": waits by %s",
             priority ? "psl-queueing(7), after Bryant et al. (1984)" : "Reiser (1979)");
  }
  note_round_robin(net, result);
  return PSL_DONE;
}

static enum psl_status bard(void *state, struct psl_call *call, const struct psl_network *net,
                            struct psl_network_result *result) {
  (void)state;
  return approximate(call, net, result, QUEUEING_BARD, "what an arrival finds is estimated (Bard, 1979)");
}

static enum psl_status schweitzer(void *state, struct psl_call *call, const struct psl_network *net,
                                  struct psl_network_result *result) {
  (void)state;
  return approximate(call, net, result, QUEUEING_SCHWEITZER, "what an arrival finds is estimated (Schweitzer, 1979)");
}

static enum psl_status linearizer(void *state, struct psl_call *call, const struct psl_network *net,
                                  struct psl_network_result *result) {
  (void)state;
  return approximate(call, net, result, QUEUEING_LINEARIZER,
                     "what an arrival finds is estimated (Linearizer; Chandy and Neuse, 1982)");
}

static enum psl_status open_network(void *state, struct psl_call *call, const struct psl_network *net,
                                    struct psl_network_result *result) {
  char why[160];
  (void)state;
  for (uint32_t c = 0; c < net->class_count; c++)
    if (!net->classes[c].open)
      return queueing_refuse(call, result, UINT32_MAX,
                             "analysis[MVA] takes closed and mixed networks, exactly where they have product form",
                             "the class %s is closed, and the network is to be open", net->classes[c].name);
  if (queueing_arrival_misfit(net, why, sizeof why))
    return queueing_refuse(call, result, UINT32_MAX, "simulation[queueing] executes it", "%s", why);
  struct queueing_options options = options_of(call);
  uint32_t station;
  if (!queueing_open(net, result, call->error, sizeof call->error)) return PSL_FAILED;
  if (!queueing_misfit(net, why, sizeof why, &station)) queueing_percentiles(net, &options, result);
  note_round_robin(net, result);
  return PSL_DONE;
}

enum family { ASYMPTOTIC = 1, BALANCED = 2 };

static enum psl_status bound(struct psl_call *call, const struct psl_network *net, struct psl_network_result *result,
                             int families) {
  struct queueing_bounds b;
  char why[160];
  uint32_t station;
  if (queueing_misfit(net, why, sizeof why, &station))
    return queueing_refuse(call, result, station, approximations_take, "%s: no product form", why);
  if (!queueing_bound(net, &b, call->error, sizeof call->error)) {
    bool one = net->class_count == 1 && net->classes[0].open;
    snprintf(result->advice, sizeof result->advice, "%s",
             one ? "analysis[open] and analysis[MVA] take open classes, simulation[queueing] any"
                 : "analysis[MVA] and analysis[Linearizer] take several classes and servers, simulation[queueing] any");
    return PSL_FAILED;
  }
  struct psl_interval throughput = {0, INFINITY}, response = {0, INFINITY};
  if (families & ASYMPTOTIC) {
    throughput = (struct psl_interval){b.asymptotic_throughput_low, b.asymptotic_throughput_high};
    response = (struct psl_interval){b.asymptotic_response_low, b.asymptotic_response_high};
  }
  if (families & BALANCED) {
    throughput.low = fmax(throughput.low, b.balanced_throughput_low);
    throughput.high = fmin(throughput.high, b.balanced_throughput_high);
    response.low = fmax(response.low, b.balanced_response_low);
    response.high = fmin(response.high, b.balanced_response_high);
  }
  result->bounded = true;
  result->throughput_bounds[0] = throughput;
  result->response_bounds[0] = response;
  return PSL_DONE;
}

static enum psl_status asymptotic(void *state, struct psl_call *call, const struct psl_network *net,
                                  struct psl_network_result *result) {
  (void)state;
  return bound(call, net, result, ASYMPTOTIC);
}

static enum psl_status balanced(void *state, struct psl_call *call, const struct psl_network *net,
                                struct psl_network_result *result) {
  (void)state;
  return bound(call, net, result, BALANCED);
}

static enum psl_status bounds(void *state, struct psl_call *call, const struct psl_network *net,
                              struct psl_network_result *result) {
  (void)state;
  return bound(call, net, result, ASYMPTOTIC | BALANCED);
}

static const struct psl_assumption product_form[] = {
    {"the network has product form (Baskett, Chandy, Muntz and Palacios, 1975): of services the means count"},
    {NULL},
};
static const struct psl_assumption estimated[] = {
    {"what a customer finds on its arrival is estimated from mean queues"},
    {NULL},
};
static const struct psl_assumption separate[] = {
    {"arrivals at each station are Poisson's, and stations do not depend on each other"},
    {NULL},
};

#define EVALUATOR(variable, title, solver, assumed, text, note)                                  \
  static const struct psl_evaluator_function variable##_functions[] = {                          \
      {.name = "solve", .signature = "()", .kind = PSL_NETWORK, .network = solver, .doc = note}, \
      {.name = NULL},                                                                            \
  };                                                                                             \
  const struct psl_evaluator variable##_evaluator = {                                            \
      .version = PSL_EVALUATOR_VERSION,                                                          \
      .name = title,                                                                             \
      .revision = "1",                                                                           \
      .doc = text,                                                                               \
      .evidence = PSL_ANALYTIC,                                                                  \
      .functions = variable##_functions,                                                         \
      .assumptions = assumed,                                                                    \
  }

EVALUATOR(mva, "MVA", mva, product_form, "Exact mean value analysis of closed and mixed queueing networks.",
          "Reiser and Lavenberg (1980); with several servers or load-dependent rates by convolution (Buzen, 1973).");
EVALUATOR(bard, "Bard", bard, estimated, "Approximate mean value analysis by Bard's estimate, for large populations.",
          "An arrival finds the mean queue: Bard (1979).");
EVALUATOR(schweitzer, "Schweitzer", schweitzer, estimated, "Approximate mean value analysis by Schweitzer's estimate.",
          "An arrival finds the mean queue less its own share: Schweitzer (1979).");
EVALUATOR(linearizer, "Linearizer", linearizer, estimated, "Approximate mean value analysis by Linearizer.",
          "Schweitzer's estimate, corrected by networks with one customer less: Chandy and Neuse (1982).");
EVALUATOR(open_network, "open", open_network, separate, "Open queueing networks, by formulas.",
          "Each station is solved alone: Jackson (1957).");
EVALUATOR(bounds, "bounds", bounds, product_form, "The tighter of asymptotic and balanced-job bounds.",
          "Of networks with one closed class and stations of one server.");
EVALUATOR(asymptotic, "asymptotic-bounds", asymptotic, product_form, "Asymptotic bounds.", "Denning and Buzen (1978).");
EVALUATOR(balanced, "balanced-job-bounds", balanced, product_form, "Balanced-job bounds.",
          "Zahorjan, Sevcik, Eager and Galler (1982).");
