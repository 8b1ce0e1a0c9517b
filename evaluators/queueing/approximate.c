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
 * At an fcfs station outside of product form a visit waits for those found in line, and for what is left of the one in
 * service (Reiser, 1979); open classes are iterated with the rest:
 *     W_c = sum over j of [S_j (q_j - u_j) + u_j S_j (1 + scv_j) / 2]
 * q and u as an arrival of class c finds them. Priorities: see wait_priority and found_before. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Those before a class who keep a station busy for so great a part of the time leave too little to be estimated. */
static const double coarse_load = 0.8, greatest_load = 0.95;
static const double least_rest = 0.02; /* of a station's time, beside those before: where it holds, none is estimated */
/* Of a station's time: what rounding is, and what is so much beyond the whole that nothing can be believed. */
static const double whole_load = 1 + 1e-6, impossible_load = 1.1;
/* Rounds after which the residual is looked at, how far it falls in them at least, and else the least step. */
enum { ROUNDS = 1000 };
static const double falls = 0.99, least_step = 1.0 / 64;

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
  double *total;      /* by station: the sum of its queues */
  double *change;     /* Linearizer: of the share Q_kj / N_j by taking one of class c away: (k, j, c); NULL: none */
  double *quicker;    /* … and of X_j / N_j: (j, c) */
  double *correction; /* by these: customers more that an arrival finds; at general fcfs stations s of work */
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
  core->total = array(core, net->station_count);
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
  double *response = core->response + row, all = core->total[k];
  for (uint32_t c = 0; c < classes; c++) {
    double found = all - queue[c] * core->own[c] + correction[c];
    core->cycle[c] += response[c] = demand[c] * (1 + (found > 0 ? found : 0));
  }
}

/* The work, s, of so many customers at a general station, of whom so many are in service. */
static double work_of(const struct core *core, size_t cell, double queue, double busy) {
  double left = (1 + core->net->service[cell].scv) / 2; /* of a service in progress */
  return core->time[cell] * (queue - busy + busy * left);
}

/* Those of class j whom an arrival of class c finds at station k, and those of them whose service has begun: where they
 * are interrupted it lasts longer by what those before them take. */
struct found {
  double queue, busy;
};

/* The part of the station's time that those take who go before the class. */
static double load_before(const struct core *core, uint32_t k, uint32_t c) {
  const struct psl_network *net = core->net;
  size_t row = (size_t)k * net->class_count;
  double load = 0;
  for (uint32_t j = 0; j < net->class_count; j++)
    if (net->service[row + j].priority > net->service[row + c].priority)
      load += core->throughput[j] * core->demand[row + j];
  return load;
}

/* What is left of it. */
static double rest_for(const struct core *core, uint32_t k, uint32_t c) {
  return fmax(1 - load_before(core, k, c), least_rest);
}

static struct found found_of(const struct core *core, uint32_t k, uint32_t j, uint32_t c) {
  uint32_t classes = core->net->class_count;
  size_t cell = (size_t)k * classes + j;
  double part = j == c ? 1 - core->own[c] : 1, left = core->number[j] * part;
  struct found found = {core->queue[cell] * part, core->throughput[j] * core->demand[cell] * part};
  if (core->change && core->number[j] > 0 && core->number[c] > 0) {
    found.queue += left * core->change[cell * classes + c];
    found.busy += left * core->quicker[(size_t)j * classes + c] * core->demand[cell];
  }
  if (core->net->stations[k].discipline == PSL_PRIORITY_PREEMPTIVE) found.busy /= rest_for(core, k, j);
  found.queue = fmax(found.queue, 0);
  found.busy = fmin(fmax(found.busy, 0), found.queue);
  return found;
}

/* Time of a customer of the class from one visit to station k to the next. */
static double time_away(const struct core *core, uint32_t k, uint32_t class) {
  size_t cell = (size_t)k * core->net->class_count + class;
  if (core->net->classes[class].open || core->throughput[class] == 0) return INFINITY;
  double cycle = core->number[class] / core->throughput[class];
  return fmax(cycle - core->response[cell], 0) / core->net->visits[cell];
}

/* Those of class j, who go before class c, whom an arrival of class c finds. None of them was there when its customer
 * left after its last visit, but those who came during a service that they could not interrupt. From there their number
 * goes back to its mean as their alternation between this station and elsewhere forgets: at the rate 1 / R + 1 / A of
 * their times here and away, over the time that the customer of class c has been away. */
static struct found found_before(const struct core *core, uint32_t k, uint32_t j, uint32_t c, bool interrupts) {
  size_t row = (size_t)k * core->net->class_count;
  struct found found = found_of(core, k, j, c);
  double away = time_away(core, k, c), others = time_away(core, k, j), came = 0;
  if (isinf(away) || !(found.queue > 0)) return found;
  double here = core->response[row + j] / core->net->visits[row + j];
  double forgets = 1 / (1 / here + 1 / others), past = away > 0 ? away / (away + forgets) : 0;
  if (!interrupts)
    came = core->net->classes[j].open ? core->net->classes[j].rate * core->net->visits[row + j] * core->time[row + c]
                                      : core->number[j] * core->time[row + c] / (core->time[row + c] + others);
  double queue = fmin(came, found.queue) * (1 - past) + found.queue * past;
  return (struct found){queue, found.busy * queue / found.queue};
}

/* The part of station k that class j would keep busy with `number` of its customers: each one less makes its cycles
 * shorter by what is not found of it there. */
static double load_of(const struct core *core, uint32_t k, uint32_t j, double number) {
  size_t cell = (size_t)k * core->net->class_count + j;
  double demand = core->demand[cell], all = core->number[j];
  if (core->net->classes[j].open || core->throughput[j] == 0) return core->throughput[j] * demand;
  if (!(number > 0)) return 0;
  double cycle = all / core->throughput[j] - demand * core->queue[cell] * (all - number) / all;
  return fmin(number * demand / fmax(cycle, demand), 1);
}

/* Time of a visit of class c beyond its own service.
 *     W_c = sum over j before c of w_j / (1 - U') + sum over j like c of w_j / (1 - U)
 * w being work found, and U the part of the station's time that those before c take. While their own work is done only
 * those of them come who are not there: one is in service, and half of the others that were found are gone on the mean,
 * so that U' is the load of so many fewer of them. Where nobody interrupts, what is in service of those behind c counts
 * with those like it; else its own service takes 1 / (1 - U) times as long. With open classes alone this is Cobham's
 * (1954). Bryant, Krzesinski, Lakshmi and Chandy (1984) divide all work by 1 - U', with all that are found away. */
static double wait_priority(const struct core *core, uint32_t k, uint32_t c) {
  const struct psl_network *net = core->net;
  size_t row = (size_t)k * net->class_count;
  bool interrupts = net->stations[k].discipline == PSL_PRIORITY_PREEMPTIVE;
  double before = 0, like = 0, fewer = 0, rest = rest_for(core, k, c);
  for (uint32_t j = 0; j < net->class_count; j++) {
    double ahead = net->service[row + j].priority - net->service[row + c].priority;
    if (core->demand[row + j] <= 0) continue;
    struct found found = ahead > 0 ? found_before(core, k, j, c, interrupts) : found_of(core, k, j, c);
    if (ahead > 0) {
      before += work_of(core, row + j, found.queue, found.busy);
      fewer += load_of(core, k, j, core->number[j] - 1 - found.queue / 2);
    } else if (ahead == 0 || !interrupts) {
      like += work_of(core, row + j, ahead == 0 ? found.queue : found.busy, found.busy);
    }
  }
  return before / fmax(1 - fewer, least_rest) + like / rest + (interrupts ? core->time[row + c] * (1 / rest - 1) : 0);
}

static void pass_general(struct core *core, uint32_t k) {
  const struct psl_network *net = core->net;
  size_t row = (size_t)k * net->class_count;
  bool priority = net->stations[k].discipline != PSL_FCFS;
  double all = 0;
  for (uint32_t j = 0; j < net->class_count && !priority; j++)
    all += work_of(core, row + j, core->queue[row + j], core->throughput[j] * core->demand[row + j]);
  for (uint32_t c = 0; c < net->class_count; c++) {
    double visits = net->visits[row + c], busy = core->throughput[c] * core->demand[row + c];
    if (visits <= 0) continue;
    double own = core->own[c] * work_of(core, row + c, core->queue[row + c], busy);
    double wait = priority ? wait_priority(core, k, c) : fmax(all - own + core->correction[row + c], 0);
    core->cycle[c] += core->response[row + c] = core->demand[row + c] + visits * wait;
  }
}

/* The throughputs that the cycles make. The greatest change, in customers. */
static double pass_throughput(struct core *core, double step) {
  const struct psl_network *net = core->net;
  double greatest = 0;
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (net->classes[c].open || !(core->number[c] > 0)) {
      core->throughput[c] = net->classes[c].open ? net->classes[c].rate : 0;
      continue;
    }
    double change = core->number[c] / core->cycle[c] - core->throughput[c];
    if (!(fabs(change) * core->cycle[c] <= greatest)) greatest = fabs(change) * core->cycle[c];
    core->throughput[c] += step * change;
  }
  return greatest;
}

/* What arrivals find, cycle times, throughputs, queues, which go the part `step` of the way to what comes out. The
 * greatest change of a queue, or of a throughput over a cycle. */
static double core_pass(struct core *core, double step) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  memcpy(core->cycle, core->aside, classes * sizeof *core->cycle);
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (!core->queues[k]) continue;
    if (core->general[k])
      pass_general(core, k);
    else
      pass_product_form(core, k);
  }
  double greatest = pass_throughput(core, step);
  for (uint32_t k = 0; k < net->station_count; k++) {
    double *queue = core->queue + (size_t)k * classes, *response = core->response + (size_t)k * classes, all = 0;
    for (uint32_t c = 0; c < classes; c++) {
      double change = core->throughput[c] * response[c] - queue[c];
      if (!(fabs(change) <= greatest)) greatest = fabs(change);
      all += queue[c] += step * change;
    }
    core->total[k] = all;
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
    for (uint32_t j = 0; j < classes; j++) {
      double left = core->number[j] - (j == c), queue = left * core->change[(row + j) * classes + c];
      double busy = left * core->quicker[j * classes + c] * core->demand[row + j];
      if (core->number[j] > 0) core->correction[cell] += general ? work_of(core, row + j, queue, busy) : queue;
    }
  }
}

static void core_spread(struct core *core, bool itself) {
  const struct psl_network *net = core->net;
  uint32_t queues = 0;
  for (uint32_t k = 0; k < net->station_count; k++)
    queues += core->queues[k];
  for (uint32_t c = 0; c < net->class_count; c++) {
    core->own[c] = itself || core->number[c] <= 0 ? 0 : 1 / core->number[c];
    core->throughput[c] = 0;
    for (uint32_t k = 0; k < net->station_count; k++)
      core->queue[(size_t)k * net->class_count + c] = core->queues[k] ? core->number[c] / queues : 0;
  }
  for (uint32_t k = 0; k < net->station_count; k++) {
    core->total[k] = 0;
    for (uint32_t c = 0; c < net->class_count; c++)
      core->total[k] += core->queue[(size_t)k * net->class_count + c];
  }
}

static bool is_general(const struct core *core) {
  for (uint32_t k = 0; k < core->net->station_count; k++)
    if (core->general[k]) return true;
  return false;
}

/* From customers spread evenly to the fixed point; the residual. What swings, as general stations may, is calmed by
 * smaller steps. */
static double core_solve(struct core *core, bool itself) {
  double residual = INFINITY, least = INFINITY, before = INFINITY, step = 1;
  core_spread(core, itself);
  if (core->change) core_correct(core);
  for (uint32_t i = 1; i <= core->most && !(residual <= core->tolerance); i++) {
    residual = core_pass(core, step);
    core->iterations++;
    least = fmin(least, residual);
    if (i == 100 && is_general(core)) step = 0.5;
    if (!isfinite(residual)) break;
    if (i % ROUNDS) continue;
    if (!(least < falls * before)) step /= 2;
    before = least;
    if (step < least_step || queueing_interrupted(core->host)) break;
  }
  return residual;
}

static double share(double of, double customers) { return customers > 0 ? of / customers : 0; }

/* Linearizer: N and all N - e_j by the shares' changes, the changes by those; three times, as published. */
static double linearize(struct core *core) {
  const struct psl_network *net = core->net;
  uint32_t classes = net->class_count;
  size_t cells = (size_t)net->station_count * classes;
  double *full = array(core, cells), *change = array(core, cells * classes), residual = 0;
  double *rates = array(core, classes), *quicker = array(core, (size_t)classes * classes);
  for (int round = 0; round < 3; round++) {
    residual = core_solve(core, false);
    if (round == 2) break;
    memcpy(full, core->queue, cells * sizeof *full);
    memcpy(rates, core->throughput, classes * sizeof *rates);
    memset(change, 0, cells * classes * sizeof *change);
    for (uint32_t gone = 0; gone < classes; gone++) {
      if (core->number[gone] < 1) continue;
      core->number[gone]--;
      residual = fmax(residual, core_solve(core, false));
      for (size_t cell = 0; cell < cells; cell++) {
        double left = core->number[cell % classes], all = left + (cell % classes == gone);
        change[cell * classes + gone] = share(core->queue[cell], left) - share(full[cell], all);
      }
      for (uint32_t j = 0; j < classes; j++)
        quicker[j * classes + gone] =
            share(core->throughput[j], core->number[j]) - share(rates[j], core->number[j] + (j == gone));
      core->number[gone]++;
    }
    if (!core->change) {
      core->change = array(core, cells * classes);
      core->quicker = array(core, (size_t)classes * classes);
    }
    memcpy(core->change, change, cells * classes * sizeof *change);
    memcpy(core->quicker, quicker, (size_t)classes * classes * sizeof *quicker);
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

/* What makes a solution doubtful: a warning, or the reason why there is none, which is so at a station. */
static bool is_refused(const struct core *core, uint32_t k, const char *doubt, bool refused,
                       struct psl_network_result *out, char *error, size_t error_size) {
  if (!refused) {
    core->host->warn(core->host, doubt);
    return false;
  }
  snprintf(error, error_size, "%s", doubt);
  snprintf(out->advice, sizeof out->advice, "simulation[queueing] executes it");
  out->station = k;
  return true;
}

/* What is left for those behind is a small difference where those before them take nearly all. */
static bool is_coarse(const struct core *core, struct psl_network_result *out, char *error, size_t error_size) {
  const struct psl_network *net = core->net;
  char text[200];
  for (uint32_t k = 0; k < net->station_count; k++)
    for (uint32_t c = 0; c < net->class_count; c++) {
      bool priority = core->general[k] && net->stations[k].discipline != PSL_FCFS;
      double load = priority && net->visits[(size_t)k * net->class_count + c] > 0 ? load_before(core, k, c) : 0;
      if (!(load > coarse_load)) continue;
      snprintf(text, sizeof text, "those before %s keep %s busy for %.1f %% of the time: what is left for it is %s",
               net->classes[c].name, net->stations[k].name, 100 * load,
               load > greatest_load ? "too little to be estimated" : "coarsely estimated");
      if (is_refused(core, k, text, load > greatest_load, out, error, error_size)) return true;
    }
  return false;
}

/* The part of a station's time that all classes take. */
static double whole_of(const struct core *core, uint32_t k) {
  const struct psl_network *net = core->net;
  double load = 0;
  for (uint32_t c = 0; c < net->class_count; c++)
    load += core->throughput[c] * queueing_demand(net, k, c);
  return load / queueing_last_rate(&net->stations[k]);
}

/* Estimates of what an arrival finds know nothing of how much a station can do. */
static bool is_impossible(const struct core *core, struct psl_network_result *out, char *error, size_t error_size) {
  char text[200];
  for (uint32_t k = 0; k < core->net->station_count; k++) {
    double load = core->queues[k] ? whole_of(core, k) : 0;
    if (!(load > whole_load)) continue;
    snprintf(text, sizeof text, "by this estimate %s is busy for %.4f %% of the time, which cannot be: %s",
             core->net->stations[k].name, 100 * load,
             load > impossible_load ? "it is of no use here" : "throughputs are too great, responses too small");
    if (is_refused(core, k, text, load > impossible_load, out, error, error_size)) return true;
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
  if (is_coarse(&core, out, error, error_size) || is_impossible(&core, out, error, error_size)) return false;
  core_results(&core, out);
  queueing_utilisations(net, out);
  return true;
}
