/* Open networks: each station is solved alone.
 *
 * In product form that is exact (Jackson, 1957; Baskett, Chandy, Muntz and Palacios, 1975): a station with rates by
 * the number there, or with m servers, is a birth and death process. Outside of it, with E[S] and E[S^2] of the
 * services that come to the station, in the order of arrival
 *     W = W(M/M/m) (1 + scv) / 2
 * which for one server is Pollaczek's and Khinchine's formula, exact for Poisson arrivals, and for several Lee's and
 * Longton's (1959); and with priorities that do not interrupt, rho being the load of a server,
 *     W_c = W (1 - rho) / ((1 - rho of those before c) (1 - rho of those not behind c))
 * (Cobham, 1954: exact for one server, or for one exponential service). Priorities that interrupt do not notice those
 * behind; on one server, where they stretch a service, what a visit takes beside its own service is exactly
 *     D_c = E[S_c] rho_b / (1 - rho_b) + sum of rate E[S^2] / 2 / ((1 - rho_b) (1 - rho of those not behind c))
 * with rho_b = rho of those before c. Of m servers the waits of a class and those before it, all together, are to
 * those in the order of arrival as on one server that is m times as fast (A. B. Bondi, J. P. Buzen, The response times
 * of priority classes under preemptive resume in M/G/m queues, SIGMETRICS 1984), and those of the class what those
 * before it leave of them: exact for one exponential service, where the number there is that of M/M/m whoever is served
 * (Buzen and Bondi, Operations Research 31, 1983). What leaves a station with priorities is no Poisson stream, so that
 * behind it the formulas approximate. */
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

struct stream {                  /* those who come to a station with at least some priority */
  double arrivals, load, square; /* a second; of E[S], of E[S^2] a second */
};

static struct stream stream_of(const struct psl_network *net, uint32_t k, double least) {
  struct stream stream = {0, 0, 0};
  size_t row = (size_t)k * net->class_count;
  for (uint32_t c = 0; c < net->class_count; c++) {
    double rate = net->classes[c].rate * net->visits[row + c], time = queueing_service(net, k, c);
    if (net->service[row + c].priority < least) continue;
    stream.arrivals += rate;
    stream.load += rate * time;
    stream.square += rate * time * time * (1 + net->service[row + c].scv);
  }
  return stream;
}

/* Mean wait of all who come in the order of arrival; times the idle part of the servers. */
static double wait_and_idle(const struct psl_network *net, uint32_t k) {
  const struct psl_station *station = &net->stations[k];
  struct stream all = stream_of(net, k, -INFINITY);
  if (!(all.load > 0)) return 0;
  double mean = all.load / all.arrivals, wait = (birth_and_death(station, all.load) - all.load) / all.arrivals;
  return wait * all.square / all.arrivals / (mean * mean) / 2 * (1 - all.load / station->servers);
}

struct parts { /* of a server's time, that go to those before a class, and to those not behind it */
  double before, not_behind;
};

static struct parts parts_of(const struct psl_network *net, uint32_t k, uint32_t c) {
  const struct psl_station *station = &net->stations[k];
  struct parts parts = {0, 0};
  size_t row = (size_t)k * net->class_count;
  for (uint32_t j = 0; j < net->class_count; j++) {
    double part = net->classes[j].rate * net->demand[row + j] / station->servers;
    double ahead =
        station->discipline == PSL_FCFS ? 0 : net->service[row + j].priority - net->service[row + c].priority;
    parts.before += ahead > 0 ? part : 0;
    parts.not_behind += ahead >= 0 ? part : 0;
  }
  return parts;
}

/* What a visit takes beside its service on one server that is as fast as all, where priorities interrupt. */
static double delay_on_one(const struct psl_network *net, uint32_t k, uint32_t c) {
  double servers = net->stations[k].servers;
  struct parts parts = parts_of(net, k, c);
  struct stream stream = stream_of(net, k, net->service[(size_t)k * net->class_count + c].priority);
  double found = stream.square / (2 * servers * servers) / (1 - parts.not_behind);
  return (queueing_service(net, k, c) / servers * parts.before + found) / (1 - parts.before);
}

/* Such delays of all with at least that priority in a second, on one server; and on as many as there are, which the
 * waits in the order of arrival differ by, of whatever services. */
static void delays_of(const struct psl_network *net, uint32_t k, double least, double *one, double *all) {
  double part = stream_of(net, k, least).load / net->stations[k].servers, load = part * net->stations[k].servers;
  size_t row = (size_t)k * net->class_count;
  *one = *all = 0;
  if (!(part > 0)) return;
  for (uint32_t c = 0; c < net->class_count; c++)
    if (net->service[row + c].priority >= least)
      *one += net->classes[c].rate * net->visits[row + c] * delay_on_one(net, k, c);
  *all = *one * (birth_and_death(&net->stations[k], load) - load) / (part * part / (1 - part));
}

/* The least priority above one; infinity: there is none. */
static double next_priority(const struct psl_network *net, uint32_t k, double priority) {
  double next = INFINITY;
  for (uint32_t c = 0; c < net->class_count; c++) {
    double own = net->service[(size_t)k * net->class_count + c].priority;
    if (own > priority) next = fmin(next, own);
  }
  return next;
}

static double delay_interrupted(const struct psl_network *net, uint32_t k, uint32_t c) {
  double own = net->service[(size_t)k * net->class_count + c].priority, delay = delay_on_one(net, k, c);
  double one, all, one_before, all_before;
  if (net->stations[k].servers == 1 || delay == 0) return delay;
  delays_of(net, k, own, &one, &all);
  delays_of(net, k, next_priority(net, k, own), &one_before, &all_before);
  return delay * (all - all_before) / (one - one_before);
}

static double delay_uninterrupted(const struct psl_network *net, uint32_t k, uint32_t c) {
  struct parts parts = parts_of(net, k, c);
  return wait_and_idle(net, k) / ((1 - parts.before) * (1 - parts.not_behind));
}

static void solve_general(const struct psl_network *net, uint32_t k, struct psl_network_result *out) {
  bool interrupts = net->stations[k].discipline == PSL_PRIORITY_PREEMPTIVE;
  size_t row = (size_t)k * net->class_count;
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (!(net->visits[row + c] > 0)) continue;
    double delay = interrupts ? delay_interrupted(net, k, c) : delay_uninterrupted(net, k, c);
    out->response[row + c] = net->demand[row + c] + net->visits[row + c] * delay;
    out->queue[row + c] = out->throughput[c] * out->response[row + c];
  }
}

/* Is the formula exact: one server or one exponential service, and all come straight from outside, once, and go? */
static bool is_alone(const struct psl_network *net, uint32_t station) {
  if (net->stations[station].servers != 1 && !(queueing_common_service(net, station) > 0)) return false;
  for (uint32_t k = 0; k < net->station_count; k++)
    for (uint32_t c = 0; c < net->class_count; c++)
      if (net->visits[(size_t)k * net->class_count + c] != (k == station)) return false;
  return true;
}

/* By whom the formula of several servers is. */
static const char *several_text(const struct psl_network *net, uint32_t k) {
  if (net->stations[k].servers == 1) return "";
  return net->stations[k].discipline == PSL_PRIORITY_PREEMPTIVE ? ", by Bondi and Buzen (1984)"
                                                                : ", by Lee and Longton (1959)";
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
               several_text(net, k));
  }
  queueing_utilisations(net, out);
  return true;
}
