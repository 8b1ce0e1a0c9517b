/* Approximate mean value analysis of closed and mixed networks: fixed points in place of a recursion over all
 * populations. What a customer of class c finds at station k on its arrival is estimated from the queues
 * Q_kj(N) themselves:
 *   Bard (1979)            sum over j of Q_kj
 *   Schweitzer (1979)      that less Q_kc / N_c
 *   Linearizer             Schweitzer's, corrected by how the shares Q_kj / N_j change when a customer of any class
 *                          is taken away, which is estimated by solving those networks as well (Chandy and Neuse,
 *                          1982)
 * A station with m servers is taken as one of demand D / m, and a delay of D (m - 1) / m (Seidmann, Schweitzer and
 * Shalev-Oren, 1987). Open classes take their load off the stations of product form.
 *
 * At an fcfs or priority station outside of product form a visit of class c waits for
 *     W_c = [sum over j not behind c of S_j (Q_j - U_j) + sum over j of U_j S_j (1 + scv_j) / 2]
 *           / (1 - sum over j before c of U_j)
 * those found in line, and what is left of the one in service: Reiser (1979) for fcfs, where nobody is before another;
 * Bryant, Krzesinski, Lakshmi and Chandy (1984) for priorities that do not interrupt. Where they do, what is in
 * service of those behind does not count, and a service takes S_c / (1 - sum over j before c of U_j). There open
 * classes are iterated with the rest. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct core { /* arrays by station and class, or by class; places as in the network */
  const struct psl_network *net;
  double *demand; /* s, of the queueing part */
  double *time;   /* s, of one visit to that part */
  double *aside;  /* by class: s of a cycle that is no queueing */
  bool *queues;   /* by station: does anybody wait there */
  bool *general;  /* by station: it is outside of product form */
  double *number; /* customers by class: N, or N with one taken away; 0 of an open one */
  double *own;    /* by class: the part of its queue that is an arrival's own */
  double *queue, *response, *throughput, *cycle;
  double *change;     /* Linearizer: of the share Q_kj / N_j by taking one of class c away: (k, j, c); NULL: none */
  double *correction; /* by it: customers more that an arrival finds; at general stations s of work */
  double tolerance;
  uint32_t most, iterations;
  struct psl_host *host;
};

static double *array(const struct core *core, size_t count) {
  return core->host->allocate(core->host, (count + 1) * sizeof(double));
}

static void core_station(struct core *core, uint32_t k) {
  const struct psl_network *net = core->net;
  bool delay = queueing_is_delay(&net->stations[k]), general = core->general[k];
  double most = delay ? 1 : queueing_last_rate(&net->stations[k]);
  double free = delay || general ? 1 : 1 - queueing_open_load(net, k) / most;
  core->queues[k] = !delay;
  for (uint32_t c = 0; c < net->class_count; c++) {
    size_t cell = (size_t)k * net->class_count + c;
    double d = net->demand[cell];
    if (net->visits[cell] > 0) core->time[cell] = d / net->visits[cell] / most;
    if (net->classes[c].open && !general) continue;
    core->demand[cell] = delay ? 0 : d / most / free;
    core->aside[c] += delay ? d : d * (most - 1) / most;
  }
}

static void core_open(struct core *core, const struct psl_network *net, const struct queueing_options *options) {
  size_t cells = (size_t)net->station_count * net->class_count;
  *core =
      (struct core){.net = net, .host = options->host, .tolerance = options->tolerance, .most = options->iterations};
  double **by_cell[] = {&core->demand, &core->time, &core->queue, &core->response, &core->correction};
  double **by_class[] = {&core->aside, &core->number, &core->own, &core->throughput, &core->cycle};
  for (size_t i = 0; i < 5; i++) {
    *by_cell[i] = array(core, cells);
    *by_class[i] = array(core, net->class_count);
  }
  core->queues = options->host->allocate(options->host, net->station_count + 1);
  core->general = options->host->allocate(options->host, net->station_count + 1);
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (net->classes[c].open) continue;
    core->number[c] = (double)net->classes[c].population;
    core->aside[c] = net->classes[c].think;
  }
  for (uint32_t k = 0; k < net->station_count; k++) {
    char why[200];
    core->general[k] = queueing_station_misfit(net, k, why, sizeof why);
    core_station(core, k);
  }
}

/* ---- one pass ---- */

static void pass_product_form(struct core *core, uint32_t k) {
  uint32_t classes = core->net->class_count;
  size_t row = (size_t)k * classes;
  const double *queue = core->queue + row, *demand = core->demand + row, *correction = core->correction + row;
  double *response = core->response + row, all = 0;
  for (uint32_t c = 0; c < classes; c++)
    all += queue[c];
  for (uint32_t c = 0; c < classes; c++) {
    double found = all - queue[c] * core->own[c] + correction[c];
    core->cycle[c] += response[c] = demand[c] * (1 + (found > 0 ? found : 0));
  }
}

/* Work that an arrival of class c finds of class j at a general station, in line and in service. */
static void work_found(const struct core *core, size_t cell, double part, double *line, double *service) {
  double busy = core->throughput[cell % core->net->class_count] * core->demand[cell];
  *line = core->time[cell] * (core->queue[cell] - busy) * part;
  *service = busy * core->time[cell] * (1 + core->net->service[cell].scv) / 2 * part;
}

/* Time beyond its own service. */
static double wait_priority(const struct core *core, uint32_t k, uint32_t c) {
  const struct psl_network *net = core->net;
  size_t row = (size_t)k * net->class_count;
  double wait = core->correction[row + c], before = 0, line, service;
  bool interrupts = net->stations[k].discipline == PSL_PRIORITY_PREEMPTIVE;
  for (uint32_t j = 0; j < net->class_count; j++) {
    double ahead = net->service[row + j].priority - net->service[row + c].priority;
    work_found(core, row + j, j == c ? 1 - core->own[c] : 1, &line, &service);
    wait += (ahead >= 0 ? line : 0) + (ahead >= 0 || !interrupts ? service : 0);
    if (ahead > 0) before += core->throughput[j] * core->demand[row + j];
  }
  double rest = fmax(1 - before, 1e-6);
  return fmax(wait, 0) / rest + (interrupts ? core->time[row + c] * (1 / rest - 1) : 0);
}

static void pass_general(struct core *core, uint32_t k) {
  const struct psl_network *net = core->net;
  size_t row = (size_t)k * net->class_count;
  bool priority = net->stations[k].discipline != PSL_FCFS;
  double all = 0, line, service;
  for (uint32_t j = 0; j < net->class_count && !priority; j++) {
    work_found(core, row + j, 1, &line, &service);
    all += line + service;
  }
  for (uint32_t c = 0; c < net->class_count; c++) {
    double visits = net->visits[row + c], wait;
    if (visits <= 0) continue;
    work_found(core, row + c, core->own[c], &line, &service);
    wait = priority ? wait_priority(core, k, c) : fmax(all - line - service + core->correction[row + c], 0);
    core->cycle[c] += core->response[row + c] = core->demand[row + c] + visits * wait;
  }
}

/* What arrivals find, cycle times, throughputs, queues. The greatest change of a queue. */
static double core_pass(struct core *core) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  double greatest = 0;
  memcpy(core->cycle, core->aside, classes * sizeof *core->cycle);
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (!core->queues[k]) continue;
    if (core->general[k])
      pass_general(core, k);
    else
      pass_product_form(core, k);
  }
  for (uint32_t c = 0; c < classes; c++)
    core->throughput[c] = net->classes[c].open  ? net->classes[c].rate
                          : core->number[c] > 0 ? core->number[c] / core->cycle[c]
                                                : 0;
  for (uint32_t k = 0; k < net->station_count; k++) {
    double *queue = core->queue + (size_t)k * classes, *response = core->response + (size_t)k * classes;
    for (uint32_t c = 0; c < classes; c++) {
      double next = core->throughput[c] * response[c], change = fabs(next - queue[c]);
      if (!(change <= greatest)) greatest = change;
      queue[c] = next;
    }
  }
  return greatest;
}

/* ---- the fixed point ---- */

static void core_correct(struct core *core) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  for (size_t cell = 0; cell < (size_t)net->station_count * classes; cell++) {
    size_t row = cell - cell % classes, c = cell % classes;
    bool general = core->general[cell / classes];
    core->correction[cell] = 0;
    if (core->number[c] <= 0) continue;
    for (uint32_t j = 0; j < classes; j++)
      if (core->number[j] > 0)
        core->correction[cell] +=
            core->change[(row + j) * classes + c] * (core->number[j] - (j == c)) * (general ? core->time[row + j] : 1);
  }
}

/* From customers spread evenly to the fixed point; the residual. */
static double core_solve(struct core *core, bool itself) {
  const struct psl_network *net = core->net;
  double residual = INFINITY;
  uint32_t queues = 0;
  for (uint32_t k = 0; k < net->station_count; k++)
    queues += core->queues[k];
  for (uint32_t c = 0; c < net->class_count; c++) {
    core->own[c] = itself || core->number[c] <= 0 ? 0 : 1 / core->number[c];
    core->throughput[c] = 0;
    for (uint32_t k = 0; k < net->station_count; k++)
      core->queue[(size_t)k * net->class_count + c] = core->queues[k] ? core->number[c] / queues : 0;
  }
  if (core->change) core_correct(core);
  for (uint32_t i = 0; i < core->most && !(residual <= core->tolerance); i++) {
    residual = core_pass(core);
    core->iterations++;
    if (i % 1024 == 1023 && queueing_interrupted(core->host)) break;
  }
  return residual;
}

/* Linearizer: N and all N - e_j by the shares' changes, the changes by those; three times, as published. */
static double linearize(struct core *core) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  size_t cells = (size_t)net->station_count * classes;
  double *full = array(core, cells), *next = array(core, cells * classes), residual = 0;
  for (int round = 0; round < 3; round++) {
    residual = core_solve(core, false);
    if (round == 2) break;
    memcpy(full, core->queue, cells * sizeof *full);
    memset(next, 0, cells * classes * sizeof *next);
    for (uint32_t gone = 0; gone < classes; gone++) {
      if (core->number[gone] < 1) continue;
      core->number[gone]--;
      residual = fmax(residual, core_solve(core, false));
      for (size_t cell = 0; cell < cells; cell++) {
        double left = core->number[cell % classes], all = left + (cell % classes == gone);
        next[cell * classes + gone] = (left > 0 ? core->queue[cell] / left : 0) - (all > 0 ? full[cell] / all : 0);
      }
      core->number[gone]++;
    }
    if (!core->change) core->change = array(core, cells * classes);
    memcpy(core->change, next, cells * classes * sizeof *next);
  }
  return residual;
}

/* ---- the result ---- */

static void core_results(const struct core *core, struct psl_network_result *out) {
  const struct psl_network *net = core->net;
  for (uint32_t c = 0; c < net->class_count; c++)
    if (!net->classes[c].open) out->throughput[c] = core->throughput[c];
  for (uint32_t k = 0; k < net->station_count; k++) {
    bool delay = queueing_is_delay(&net->stations[k]);
    double most = delay ? 1 : queueing_last_rate(&net->stations[k]), closed = 0;
    double free = 1 - queueing_open_load(net, k) / most;
    size_t row = (size_t)k * net->class_count;
    for (uint32_t c = 0; c < net->class_count; c++)
      if (!net->classes[c].open) closed += core->queue[row + c];
    for (uint32_t c = 0; c < net->class_count; c++) {
      double d = net->demand[row + c], queueing = core->response[row + c];
      if (net->classes[c].open && !core->general[k]) queueing = d / most * (1 + closed) / free;
      out->response[row + c] = delay ? d : queueing + d * (most - 1) / most;
      out->queue[row + c] = out->throughput[c] * out->response[row + c];
    }
  }
}

static bool has_rates(const struct psl_network *net, char *error, size_t error_size) {
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (!net->stations[k].rates) continue;
    snprintf(error, error_size, "station %s has rates that depend on its load, which exact solutions take alone",
             net->stations[k].name);
    return true;
  }
  return false;
}

bool queueing_approximate(const struct psl_network *net, enum queueing_approximation method,
                          const struct queueing_options *options, struct psl_network_result *out, char *error,
                          size_t error_size) {
  struct core core;
  if (!queueing_sound(net, error, error_size) || has_rates(net, error, error_size)) return false;
  double shares = (double)net->station_count * net->class_count * net->class_count * 2 * sizeof(double);
  if (method == QUEUEING_LINEARIZER && shares > (double)options->host->room) {
    snprintf(error, error_size, "Linearizer takes %.4g MB here, more than the %.4g MB allowed", shares * 1e-6,
             (double)options->host->room * 1e-6);
    snprintf(out->advice, sizeof out->advice, "analysis[Schweitzer] takes next to none");
    return false;
  }
  core_open(&core, net, options);
  queueing_clear(net, out);
  out->residual = method == QUEUEING_LINEARIZER ? linearize(&core) : core_solve(&core, method == QUEUEING_BARD);
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
