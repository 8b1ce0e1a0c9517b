/* Open networks: each station is solved alone.
 *
 * In product form that is exact (Jackson, 1957; Baskett, Chandy, Muntz and Palacios, 1975): a station with rates by
 * the number there, or with m servers, is a birth and death process. Outside of it, with E[S] and E[S^2] of the
 * services that come to the station, in the order of arrival
 *     W = W(M/M/m) (1 + scv) / 2
 * which for one server is Pollaczek's and Khinchine's formula, exact for Poisson arrivals, and for several Lee's and
 * Longton's (1959); and with priorities that do not interrupt, rho being the load of a server,
 *     W_c = W (1 - rho) / ((1 - rho of those before c) (1 - rho of those not behind c))
 * (Cobham, 1954: exact for one server, or for one exponential service); priorities that interrupt do not notice those
 * behind, and stretch a service by 1 / (1 - rho of those before c). What leaves such a station is no Poisson
 * stream, so that behind it the formulas approximate. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>

/* Mean number at a station with Poisson arrivals of `load` and rates by the number there:
 * p(n) ~ load^n / (rate(1) … rate(n)); from the last rate on the terms are a geometric series. */
static double birth_and_death(const struct psl_station *station, double load) {
  double term = 1, sum = 1, mean = 0;
  double last = station->rates ? station->rate_count : station->servers;
  for (double n = 1; n < last && term > 0; n++) {
    term *= load / (station->rates ? station->rates[(uint32_t)n - 1] : n);
    sum += term;
    mean += n * term;
    if (sum > 1e200) {
      term /= sum;
      mean /= sum;
      sum = 1;
    }
  }
  double factor = load / queueing_last_rate(station), rest = term * factor / (1 - factor);
  mean += rest * (last + factor / (1 - factor));
  return mean / (sum + rest);
}

static void solve_product_form(const struct psl_network *net, uint32_t k, struct psl_network_result *out) {
  const struct psl_station *station = &net->stations[k];
  double load = queueing_open_load(net, k), stretch = 1;
  if (!queueing_is_delay(station) && load > 0) stretch = birth_and_death(station, load) / load;
  for (uint32_t c = 0; c < net->class_count; c++) {
    size_t cell = (size_t)k * net->class_count + c;
    out->response[cell] = net->demand[cell] * stretch;
    out->queue[cell] = out->throughput[c] * out->response[cell];
  }
}

/* Mean wait, in order of arrival, of the classes with at least that priority if nobody else came; times the idle part
 * of the servers. */
static double wait_and_idle(const struct psl_network *net, uint32_t k, double least) {
  const struct psl_station *station = &net->stations[k];
  double arrivals = 0, load = 0, square = 0;
  size_t row = (size_t)k * net->class_count;
  for (uint32_t c = 0; c < net->class_count; c++) {
    double visits = net->visits[row + c], rate = net->classes[c].rate * visits;
    double time = queueing_service(net, k, c);
    if (net->service[row + c].priority < least) continue;
    arrivals += rate;
    load += rate * time;
    square += rate * time * time * (1 + net->service[row + c].scv);
  }
  if (!(load > 0)) return 0;
  double mean = load / arrivals, wait = (birth_and_death(station, load) - load) / arrivals;
  return wait * square / arrivals / (mean * mean) / 2 * (1 - load / station->servers);
}

static void solve_general(const struct psl_network *net, uint32_t k, struct psl_network_result *out) {
  const struct psl_station *station = &net->stations[k];
  bool interrupts = station->discipline == PSL_PRIORITY_PREEMPTIVE;
  size_t row = (size_t)k * net->class_count;
  for (uint32_t c = 0; c < net->class_count; c++) {
    double before = 0, not_behind = 0, own = net->service[row + c].priority;
    for (uint32_t j = 0; j < net->class_count; j++) {
      double part = net->classes[j].rate * net->demand[row + j] / station->servers;
      double ahead = station->discipline == PSL_FCFS ? 0 : net->service[row + j].priority - own;
      before += ahead > 0 ? part : 0;
      not_behind += ahead >= 0 ? part : 0;
    }
    double wait = wait_and_idle(net, k, interrupts ? own : -INFINITY) / ((1 - before) * (1 - not_behind));
    out->response[row + c] = net->demand[row + c] / (interrupts ? 1 - before : 1) + net->visits[row + c] * wait;
    out->queue[row + c] = out->throughput[c] * out->response[row + c];
  }
}

/* Is the formula exact: one server, and all come straight from outside, once, and go? */
static bool is_alone(const struct psl_network *net, uint32_t station) {
  if (net->stations[station].servers != 1) return false;
  for (uint32_t k = 0; k < net->station_count; k++)
    for (uint32_t c = 0; c < net->class_count; c++)
      if (net->visits[(size_t)k * net->class_count + c] != (k == station)) return false;
  return true;
}

bool queueing_open(const struct psl_network *net, struct psl_network_result *out, char *error, size_t error_size) {
  char why[160];
  if (!queueing_sound(net, error, error_size)) return false;
  queueing_clear(net, out);
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (!queueing_station_misfit(net, k, why, sizeof why)) {
      solve_product_form(net, k, out);
      continue;
    }
    solve_general(net, k, out);
    if (!*out->approximation && !is_alone(net, k))
      snprintf(out->approximation, sizeof out->approximation, "%s: waits there are those of Poisson arrivals%s", why,
               net->stations[k].servers > 1 ? ", by Lee and Longton (1959)" : "");
  }
  queueing_utilisations(net, out);
  return true;
}
