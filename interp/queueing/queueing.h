/* Queueing networks: how one stands in a resolved graph, and its solution by an evaluator.
 *
 * A network is a system whose requests start customers: dataflow accepts whose way, token after token, leads back
 * to where it began (closed), or that such a loop starts from outside (open). On its way a customer holds (think
 * time) and calls. An accept with servers is a station, an instance of it each; one without is a delay, where calls
 * may go on to others. Bodies are walked with all values known, so what is left of them is numbers: visits, and
 * moments of times. */
#ifndef PSL_QUEUEING_H
#define PSL_QUEUEING_H
#include "interp/include/evaluator.h"
#include "interp/include/psl.h"
#include "interp/model/run.h"
#include "interp/resolve/graph.h"
#include "interp/evaluate/evaluate.h"

/* How the customers that the system starts are evaluated, by their evaluation mode. */
enum queueing_mode {
  QUEUEING_NONE,     /* they are no customers of a network: the model is executed */
  QUEUEING_ANALYSIS, /* analysis[NAME], and the evaluator NAME solves networks: *evaluator */
  QUEUEING_SIMULATED /* simulation[queueing] */
};
/* False after a diagnostic: some are evaluated so and some otherwise. */
bool queueing_mode(struct graph *graph, enum queueing_mode *mode, const struct psl_evaluator **evaluator);
/* False after a diagnostic: the param is the evaluation mode of customers, and what it is set to solves no network. */
bool queueing_solver_holds(struct environment *environment, struct symbol *param);

struct network_station {
  const struct model_accept *accept;
  uint32_t instance;
};
struct network_class {
  const struct model_accept *accept; /* where its customers start: of open ones, behind the source */
  uint32_t first, instances;         /* the first instance of that, and how many there are */
  bool started;                      /* by customers of other classes, too, who go their own way */
};
struct network {
  struct psl_network net;
  const struct network_station *stations; /* as in net; in the order of declaration and instances */
  const struct network_class *classes;    /* as in net */
  /* By accept, by place of the instance: the class of the customers that start there, UINT32_MAX: none do; NULL: none
   * do at the accept. */
  uint32_t *const *class_of;
  bool outline; /* no numbers tell it: populations, thinks, visits, demands and servers are to be observed */
};

struct network_options {
  const char *by;           /* for diagnostics: "analysis[MVA]"; NULL: what is not taken is not said */
  enum range_end range_end; /* at which end ranges are taken; *ranges: those there are */
  struct range_groups *ranges;
};
/* The network of the system; NULL where it is none that numbers can tell, after a diagnostic that says where
 * and why (none where options->by is NULL). All in `arena`. */
struct network *network_extract(struct graph *graph, struct arena *arena, const struct network_options *options);
/* The outline of the system's network, where network_extract finds none: it can be simulated all the same. */
struct network *network_outline(struct graph *graph, struct arena *arena);

/* cpu[1]; with the transaction behind it where the instance is a station by another accept, too. */
const char *network_station_name(const struct graph *graph, struct arena *arena, const struct network_station *stations,
                                 uint32_t count, uint32_t station);

/* Solves the system's network by the evaluator. The result is in `arena`; a stop that is no end has been
 * reported. */
struct run_result *network_solve(struct graph *graph, struct arena *arena, const struct psl_evaluator *evaluator);

/* The mean response of a cycle, of all classes: the predicted time; NaN of no cycles. */
struct psl_estimate network_response(const struct psl_queueing *report);

/* Says which classes come to no station, where such a customer has cycles: their response is 0 s. */
void network_warn_unserved(const struct graph *graph, const struct network *network, const struct psl_queueing *report);

/* Takes out the stations of an outline that nobody has come to. */
void network_drop_unvisited(struct psl_queueing *report);

/* The rows of responses for these parts, all NaN; the stations and classes are there. */
void network_responses(struct psl_queueing *report, struct arena *arena, const double *parts, size_t part_count);
/* What is said where percentiles are asked for that an analysis does not know: by whom, of what, simulated_by. */
#define NETWORK_NO_PERCENTILES                                                                                  \
  "%s has no percentiles of the response of %s: in closed form they are known of visits to fcfs stations with " \
  "exponential services, in an open network of product form, and of cycles over such stations in a row; "       \
  "simulation gives the others, by %s"
/* The parts whose percentiles are wanted, ascending: those of stdlib/queueing's param where the model uses it. */
struct network_parts {
  double *items;
  uint32_t count;
  bool asked; /* by the model or a setting, and not those that the library has */
};
struct network_parts network_parts(struct environment *environment, struct arena *arena);
/* Does the row stand for station, or class, k? */
bool network_response_has(const struct psl_queueing *report, const struct psl_queueing_response *row, size_t k);

/* A copy of the network's stations, classes and cells for the report, all figures 0. */
struct psl_queueing *network_report(struct graph *graph, const struct network *network, struct arena *arena);
#endif
