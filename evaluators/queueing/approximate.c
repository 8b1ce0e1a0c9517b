/* Approximate mean value analysis of closed and mixed networks: fixed points in place of a recursion over all
 * populations. What a customer of class c finds at station k on its arrival is estimated from the queues
 * Q_kj(N) themselves: Bard (1979)        sum_j Q_kj Schweitzer (1979)  sum_j Q_kj - Q_kc / N_c Linearizer
 * (Chandy and Neuse, 1982)  Schweitzer's, corrected by how the shares Q_kj / N_j change when a customer of
 *                        any class is taken away, which is estimated by solving those networks as well.
 * A station with m servers is taken as one of demand D / m, and a delay of D (m - 1) / m (Seidmann,
 * Schweitzer and Shalev-Oren, 1987). Open classes take their load off the stations. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct core { /* arrays by station and class, of the closed classes alone; places as in the network */
  const struct psl_network *net;
  double *demand; /* s, of the queueing part */
  double *aside;  /* by class: s of a cycle that is no queueing */
  bool *queues;   /* by station: does anybody wait there */
  double *number; /* customers by class: N, or N with one taken away */
  double *queue, *response, *throughput;
  double
      *change; /* Linearizer: of the share Q_kj / N_j by taking one of class c away: (k, j, c); NULL: none */
  double tolerance;
  uint32_t most, iterations;
};

static void core_open(struct core *core, const struct psl_network *net,
                      const struct queueing_options *options) {
  size_t cells = (size_t)net->station_count * net->class_count;
  *core = (struct core){.net = net};
  double **by_cell[] = {&core->demand, &core->queue, &core->response};
  double **by_class[] = {&core->aside, &core->number, &core->throughput};
  for (size_t i = 0; i < 3; i++) {
    *by_cell[i] = options->host->allocate(options->host, cells * sizeof(double));
    *by_class[i] = options->host->allocate(options->host, net->class_count * sizeof(double));
  }
  core->queues = options->host->allocate(options->host, net->station_count * sizeof *core->queues);
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (net->classes[c].open) continue;
    core->number[c] = (double)net->classes[c].population;
    core->aside[c] = net->classes[c].think;
  }
  for (uint32_t k = 0; k < net->station_count; k++) {
    bool delay = queueing_is_delay(&net->stations[k]);
    double most = delay ? 1 : queueing_greatest_rate(&net->stations[k]);
    double free = delay ? 1 : 1 - queueing_open_load(net, k) / most;
    core->queues[k] = !delay;
    for (uint32_t c = 0; c < net->class_count; c++) {
      double d = queueing_demand(net, k, c);
      if (net->classes[c].open) continue;
      core->demand[(size_t)k * net->class_count + c] = delay ? 0 : d / most / free;
      core->aside[c] += delay ? d : d * (most - 1) / most;
    }
  }
}

/* One pass: what arrivals find, cycle times, throughputs, queues. The greatest change of a queue. */
static double core_pass(struct core *core, bool itself) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  double greatest = 0;
  for (uint32_t c = 0; c < classes; c++) {
    double cycle = core->aside[c];
    core->throughput[c] = 0;
    if (core->number[c] <= 0) continue;
    for (uint32_t k = 0; k < net->station_count; k++) {
      size_t row = (size_t)k * classes;
      double found = 0;
      if (!core->queues[k]) continue;
      for (uint32_t j = 0; j < classes; j++) {
        if (core->number[j] <= 0) continue;
        double share = core->queue[row + j] / core->number[j];
        if (core->change) share += core->change[(row + j) * classes + c];
        found += share * (core->number[j] - (j == c && !itself));
      }
      cycle += core->response[row + c] = core->demand[row + c] * (1 + fmax(found, 0));
    }
    core->throughput[c] = core->number[c] / cycle;
  }
  for (uint32_t k = 0; k < net->station_count; k++)
    for (uint32_t c = 0; c < classes; c++) {
      size_t cell = (size_t)k * classes + c;
      double queue = core->throughput[c] * core->response[cell];
      greatest = fmax(greatest, fabs(queue - core->queue[cell]));
      core->queue[cell] = queue;
    }
  return greatest;
}

/* From customers spread evenly to the fixed point; the residual. */
static double core_solve(struct core *core, bool itself) {
  const struct psl_network *net = core->net;
  double residual = INFINITY;
  uint32_t queues = 0;
  for (uint32_t k = 0; k < net->station_count; k++)
    queues += core->queues[k];
  for (uint32_t k = 0; k < net->station_count; k++)
    for (uint32_t c = 0; c < net->class_count; c++)
      core->queue[(size_t)k * net->class_count + c] = core->queues[k] ? core->number[c] / queues : 0;
  for (uint32_t i = 0; i < core->most && residual > core->tolerance; i++) {
    residual = core_pass(core, itself);
    core->iterations++;
  }
  return residual;
}

/* Linearizer: N and all N - e_j by the shares' changes, the changes by those; three times, as published. */
static double linearize(struct core *core, const struct queueing_options *options) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  size_t cells = (size_t)net->station_count * classes;
  double *full = options->host->allocate(options->host, cells * sizeof *full), residual = 0;
  core->change = options->host->allocate(options->host, cells * classes * sizeof *core->change);
  for (int round = 0; round < 3; round++) {
    residual = core_solve(core, false);
    if (round == 2) break;
    memcpy(full, core->queue, cells * sizeof *full);
    double *next = options->host->allocate(options->host, cells * classes * sizeof *next);
    for (uint32_t gone = 0; gone < classes; gone++) {
      if (core->number[gone] < 1) continue;
      core->number[gone]--;
      residual = fmax(residual, core_solve(core, false));
      for (size_t cell = 0; cell < cells; cell++) {
        double left = core->number[cell % classes], all = left + (cell % classes == gone);
        next[cell * classes + gone] =
            (left > 0 ? core->queue[cell] / left : 0) - (all > 0 ? full[cell] / all : 0);
      }
      core->number[gone]++;
    }
    core->change = next;
  }
  return residual;
}

static void core_results(const struct core *core, struct psl_network_result *out) {
  const struct psl_network *net = core->net;
  for (uint32_t k = 0; k < net->station_count; k++) {
    const struct psl_station *station = &net->stations[k];
    bool delay = queueing_is_delay(station);
    double most = delay ? 1 : queueing_greatest_rate(station), closed = 0;
    for (uint32_t c = 0; c < net->class_count; c++) {
      size_t cell = (size_t)k * net->class_count + c;
      double d = queueing_demand(net, k, c);
      if (net->classes[c].open) continue;
      out->throughput[c] = core->throughput[c];
      out->response[cell] = core->response[cell] + (delay ? d : d * (most - 1) / most);
      out->queue[cell] = core->throughput[c] * out->response[cell];
      closed += core->queue[cell];
    }
    for (uint32_t c = 0; c < net->class_count; c++) {
      size_t cell = (size_t)k * net->class_count + c;
      double d = queueing_demand(net, k, c), free = 1 - queueing_open_load(net, k) / most;
      if (!net->classes[c].open) continue;
      out->response[cell] = delay ? d : d / most * (1 + closed) / free + d * (most - 1) / most;
      out->queue[cell] = net->classes[c].rate * out->response[cell];
    }
  }
}

bool queueing_approximate(const struct psl_network *net, enum queueing_approximation method,
                          const struct queueing_options *options, struct psl_network_result *out, char *error,
                          size_t error_size) {
  struct core core;
  if (!queueing_sound(net, error, error_size)) return false;
  for (uint32_t k = 0; k < net->station_count; k++)
    if (net->stations[k].rates) {
      snprintf(error, error_size,
               "station %s has rates that depend on its load, which exact solutions take alone",
               net->stations[k].name);
      return false;
    }
  core_open(&core, net, options);
  core.tolerance = options->tolerance;
  core.most = options->iterations;
  queueing_clear(net, out);
  out->residual =
      method == QUEUEING_LINEARIZER ? linearize(&core, options) : core_solve(&core, method == QUEUEING_BARD);
  out->iterations = core.iterations;
  if (!(out->residual <= options->tolerance)) {
    snprintf(error, error_size, "no convergence: after %u iterations a queue still changes by %.3g customers",
             core.iterations, out->residual);
    return false;
  }
  core_results(&core, out);
  queueing_utilisations(net, out);
  return true;
}
