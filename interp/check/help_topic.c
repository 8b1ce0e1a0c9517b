/* What :help is asked for by names that are no words of the language: terms of performance analysis, and where PSL has
 * them. */
#include "interp/check/checker.h"

#include <string.h>

enum { NAMES = 5 }; /* of one topic, at most */

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
  };
  for (size_t t = 0; t < sizeof topics / sizeof *topics; t++)
    for (size_t k = 0; k < NAMES && topics[t].names[k]; k++)
      if (!strcmp(name, topics[t].names[k])) return topics[t].text;
  return NULL;
}
