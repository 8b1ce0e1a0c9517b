/* What :help is asked for by names that are no words of the language: terms of performance analysis, and where PSL has
 * them. */
#include "interp/check/checker.h"

#include <string.h>

enum { NAMES = 6 }; /* of one topic, at most */

const char *topic_named(const char *name) {
  static const struct {
    const char *names[NAMES], *text;
  } topics[] = {
      {{"percentile", "percentiles", "quantile", "quantiles", "p95"},
       "percentiles, quantiles\n"
       "  of responses in a network of queues: simulation[queueing] reports them, use queueing has the\n"
       "  param percentiles, and studies and last have COMPONENT.p95: psl-queueing(7)\n"
       "  of what bodies record: record NAME = NUMBER, quantiles [50 %, 95 %], and then COMPONENT.NAME.p95\n"},
      {{"analysis", "simulation", "measurement", "paradigm", "evaluation-mode"},
       "analysis[METHOD], simulation[METHOD], measurement[METHOD]\n"
       "  how a part of a model is evaluated: by formulas, by a simulator, by measuring.\n"
       "  Of a component the attribute 'evaluation mode' of its profile; of a network of queues the param solver\n"
       "  of use queueing, as in --set 'solver=simulation[queueing]': psl-queueing(7); of what messages take\n"
       "  the param network of use networks: psl-networks(7)\n"},
      {{"confidence", "interval", "intervals", "confidence-interval"},
       "confidence intervals\n"
       "  of a simulated network of queues: use queueing has the params confidence, half-width, replications\n"
       "  of what bodies record: record NAME = NUMBER, half-width 5 %;\n"
       "  of the columns of a study: --repetitions N, of runs with a seed each\n"
       "  in a study low(FIGURE) and high(FIGURE) are the ends, FIGURE.half-width half the width\n"},
      {{"utilisation", "utilization", "response", "throughput", "queue-length"},
       "COMPONENT.utilisation, .response, .waiting, .throughput, .queue\n"
       "  of stations and customers of a network of queues, and of accepts with servers: in reports, in studies\n"
       "  'report desk.utilisation', in a session last.desk.utilisation; of one instance desk[0].utilisation\n"},
      {{"class", "classes"},
       "classes\n"
       "  of customers in a network of queues: the param class of closed-customers and the like: psl-queueing(7)\n"
       "  of calls of an accept with servers: what the request gives the parameter 'class' of the transaction,\n"
       "  else the caller's attribute 'class'; figures by class are COMPONENT.CLASS.response and so on\n"},
      {{"queue", "queues", "station", "stations", "line", "waiting-line"},
       "queues\n"
       "  of a network: use queueing has stations to be made others of, component desk like fcfs-station { ... },\n"
       "  and customers; analysis or simulation solve it: psl-queueing(7)\n"
       "  anywhere: an accept with servers = N; lets the others wait, by its discipline: psl(5)\n"},
      {{"random", "randomness", "chance", "probability", "stochastic", "distributions"},
       "random numbers\n"
       "  a time: hold exponential(5 ms); and uniform, normal, lognormal, gamma, erlang, weibull, pareto and others\n"
       "  one of n: draw(uniform-int(0, n - 1)); of a list: draw(empirical([1, 2, 5]))\n"
       "  branches: one of { 30 % { ... } 70 % { ... } }\n"
       "  one of several targets: any by uniform(0, 1) selector = {...}\n"
       "  the same again with the same --seed N\n"},
      {{"gpu", "accelerator", "device", "devices", "cpu", "coprocessor"},
       "devices\n"
       "  each is a component that accepts what is computed there, and a selector finds it by its node type;\n"
       "  a coercion block makes a request of one kind that of another: coercion work -> kernel { call kernel(...); }\n"
       "  'psl compare FILE --vary device' compares them: psl(5), Coercions; examples/farm/devices.psl\n"},
      {{"mpi", "alltoall", "all-to-all", "collective", "collectives", "message-passing"},
       "message passing\n"
       "  use mpi; has the transactions MPI-send, MPI-recv, MPI-barrier, MPI-bcast, MPI-allreduce, MPI-alltoall and\n"
       "  others; what messages take say use networks and use message-cost: psl-stdlib(7), psl-networks(7)\n"},
      {{"tutorial", "language", "examples", "manual", "manuals", "docs"},
       "manuals\n"
       "  psl-tutorial(7) goes from a first model to studies, psl(5) is the language, psl(1) names all others;\n"
       "  'man psl-tutorial' shows one; models to learn from stand in the folder examples of PSL\n"},
  };
  for (size_t t = 0; t < sizeof topics / sizeof *topics; t++)
    for (size_t k = 0; k < NAMES && topics[t].names[k]; k++)
      if (!strcmp(name, topics[t].names[k])) return topics[t].text;
  return NULL;
}
