/* Methods that solve queueing networks; networks and results are those of interp/include/evaluator.h.
 *
 * The exact solution and the bounds take a network for one of the form of Baskett, Chandy, Muntz and Palacios
 * (1975): they do not look at disciplines, and of services at the mean alone. Who calls them has tested that by
 * queueing_misfit. The others look for themselves. */
#ifndef PSL_QUEUEING_NETWORK_H
#define PSL_QUEUEING_NETWORK_H
#include "interp/include/evaluator.h"

struct queueing_options {
  struct psl_host *host; /* its memory, and whether to go on */
  double tolerance;      /* iterative methods stop at this residual, customers */
  uint32_t iterations;   /* … or after so many */
};

/* Each is false with a text in `error` where there is no solution: a saturated station, too much memory (said
 * before any is taken), no convergence. */
bool queueing_exact(const struct psl_network *, const struct queueing_options *, struct psl_network_result *,
                    char *error, size_t error_size);

enum queueing_approximation { QUEUEING_BARD, QUEUEING_SCHWEITZER, QUEUEING_LINEARIZER };
bool queueing_approximate(const struct psl_network *, enum queueing_approximation, const struct queueing_options *,
                          struct psl_network_result *, char *error, size_t error_size);

/* Of a network of open classes alone, whose arrivals are Poisson's. Says in the result what it approximates. */
bool queueing_open(const struct psl_network *, struct psl_network_result *, char *error, size_t error_size);

/* What takes the network out of product form (product_form.c), into text: a station whose discipline, services or
 * priorities do it, or arrivals. False: nothing does. *station: which, UINT32_MAX: none in particular. */
bool queueing_misfit(const struct psl_network *, char *text, size_t size, uint32_t *station);
bool queueing_station_misfit(const struct psl_network *, uint32_t station, char *text, size_t size);
bool queueing_arrival_misfit(const struct psl_network *, char *text, size_t size);
/* An error of an evaluator that takes product form alone: the misfit, and who takes the network. */
enum psl_status queueing_refuse(struct psl_call *, struct psl_network_result *, uint32_t station, const char *advice,
                                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Of a network of open classes in product form: the percentiles of responses that are known in closed form. */
void queueing_percentiles(const struct psl_network *, const struct queueing_options *, struct psl_network_result *);

bool queueing_interrupted(struct psl_host *); /* does the user want an end? */

/* What all methods share. Sound: no class cycles in no time, no station is saturated by open classes. */
bool queueing_sound(const struct psl_network *, char *error, size_t error_size);
void queueing_clear(const struct psl_network *, struct psl_network_result *);        /* and open throughputs */
void queueing_utilisations(const struct psl_network *, struct psl_network_result *); /* from throughputs */
double queueing_demand(const struct psl_network *, uint32_t station, uint32_t class);
/* The mean of a visit; 0: the class makes none. */
double queueing_service(const struct psl_network *, uint32_t station, uint32_t class);
/* The one mean that services of all classes have there, exponential ones; 0: there is none. */
double queueing_common_service(const struct psl_network *, uint32_t station);
/* Servers' work that the open classes bring in a second. */
double queueing_open_load(const struct psl_network *, uint32_t station);
double queueing_last_rate(const struct psl_station *); /* with many customers; infinity of a delay */
bool queueing_is_delay(const struct psl_station *);

struct queueing_bounds { /* of a network with one closed class; throughput in 1/s, response in s */
  double asymptotic_throughput_low, asymptotic_throughput_high;
  double asymptotic_response_low, asymptotic_response_high;
  double balanced_throughput_low, balanced_throughput_high;
  double balanced_response_low, balanced_response_high;
};
bool queueing_bound(const struct psl_network *, struct queueing_bounds *, char *error, size_t error_size);
#endif
