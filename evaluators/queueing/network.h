/* Queueing networks: what is solved, and by which methods.
 *
 * Shapes: an array "by station and class" has station * classes + class. Units: seconds, customers a second.
 * A network is closed in a class with a population, open in one with an arrival rate; a network may have
 * both. All methods but the bounds take a network in the form of Baskett, Chandy, Muntz and Palacios (1975);
 * who calls them has tested that, or marks the result as an approximation. */
#ifndef PSL_QUEUEING_NETWORK_H
#define PSL_QUEUEING_NETWORK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queueing_station {
  const char *name;    /* for errors */
  double servers;      /* infinity: a delay station, nobody waits */
  const double *rates; /* load-dependent: how many times as fast with 1, 2, … customers; NULL: by `servers` */
  uint32_t rate_count; /* with more customers the last one holds */
};

struct queueing_class {
  const char *name;
  bool open;
  uint32_t population; /* closed */
  double think;        /* closed: s away from the stations, a cycle */
  double rate;         /* open: arrivals a second */
};

struct queueing_network {
  uint32_t station_count, class_count;
  const struct queueing_station *stations;
  const struct queueing_class *classes;
  const double *demand; /* by station and class: s of one server, a cycle or visit from outside */
};

struct queueing_solution { /* arrays are the caller's, of the network's size */
  double *throughput;      /* by class, 1/s */
  double *response;        /* by station and class: s a cycle at the station, waiting and served */
  double *queue;           /* by station and class: mean number there, waiting and served */
  double *utilisation;     /* by station and class: part of the station's servers that is busy; a delay
                            * station: mean number of busy servers */
  uint32_t iterations;     /* of an iterative method, else 0 */
  double residual;         /* of the last iteration: greatest change of a queue length, customers */
};

/* Memory for a solver: zeroed, freed by who gives it; never NULL. */
typedef void *queueing_allocate(void *user, size_t size);

struct queueing_options {
  queueing_allocate *allocate;
  void *user;
  size_t memory_limit; /* bytes that an exact solution may take */
  double tolerance;    /* iterative methods stop at this residual, customers */
  uint32_t iterations; /* … or after so many */
};

/* Each is false with a text in `error` where there is no solution: a saturated station, too much memory (said
 * before any is taken), no convergence. */
bool queueing_exact(const struct queueing_network *, const struct queueing_options *,
                    struct queueing_solution *, char *error, size_t error_size);

enum queueing_approximation { QUEUEING_BARD, QUEUEING_SCHWEITZER, QUEUEING_LINEARIZER };
bool queueing_approximate(const struct queueing_network *, enum queueing_approximation,
                          const struct queueing_options *, struct queueing_solution *, char *error,
                          size_t error_size);

/* Of a network of open classes alone. */
bool queueing_open(const struct queueing_network *, struct queueing_solution *, char *error,
                   size_t error_size);

/* What all methods share. Sound: no class cycles in no time, no station is saturated by open classes. */
bool queueing_sound(const struct queueing_network *, char *error, size_t error_size);
void queueing_clear(const struct queueing_network *, struct queueing_solution *); /* and open throughputs */
void queueing_utilisations(const struct queueing_network *,
                           struct queueing_solution *); /* from throughputs */
double queueing_demand(const struct queueing_network *, uint32_t station, uint32_t class);
/* Servers' work that the open classes bring in a second. */
double queueing_open_load(const struct queueing_network *, uint32_t station);
double queueing_greatest_rate(const struct queueing_station *); /* infinity of a delay station */
bool queueing_is_delay(const struct queueing_station *);

struct queueing_bounds { /* of a network with one closed class; throughput in 1/s, response in s */
  double asymptotic_throughput_low, asymptotic_throughput_high;
  double asymptotic_response_low, asymptotic_response_high;
  double balanced_throughput_low, balanced_throughput_high;
  double balanced_response_low, balanced_response_high;
};
bool queueing_bound(const struct queueing_network *, struct queueing_bounds *, char *error,
                    size_t error_size);
#endif
