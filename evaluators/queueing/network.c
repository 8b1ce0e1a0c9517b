/* Queueing networks: what all methods of solution share. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SERVERS = 10000000 };
static const double LOAD_ROUNDING =
    1e-12; /* a station is saturated where its load is all that it does but for this part */

bool queueing_interrupted(struct psl_host *host) { return host->interrupted && host->interrupted(host); }

double queueing_demand(const struct psl_network *net, uint32_t station, uint32_t class) {
  return net->demand[(size_t)station * net->class_count + class];
}

bool queueing_is_delay(const struct psl_station *station) { return isinf(station->servers); }

double queueing_last_rate(const struct psl_station *station) {
  return station->rates ? station->rates[station->rate_count - 1] : station->servers;
}

double queueing_open_load(const struct psl_network *net, uint32_t station) {
  double load = 0;
  for (uint32_t c = 0; c < net->class_count; c++)
    if (net->classes[c].open) load += net->classes[c].rate * queueing_demand(net, station, c);
  return load;
}

static bool takes_time(const struct psl_network *net, uint32_t class) {
  if (net->classes[class].open || !net->classes[class].population || net->classes[class].think > 0) return true;
  for (uint32_t k = 0; k < net->station_count; k++)
    if (queueing_demand(net, k, class) > 0) return true;
  return false;
}

/* Who is interrupted begins anew there, and classes do interrupt each other: then more is done than is demanded. */
static bool begins_anew(const struct psl_network *net, uint32_t k) {
  const struct psl_service *service = &net->service[(size_t)k * net->class_count];
  const double *visits = &net->visits[(size_t)k * net->class_count];
  const struct psl_service *first = NULL;
  if (net->stations[k].discipline != PSL_PRIORITY_PREEMPTIVE_RESTART) return false;
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (!(visits[c] > 0)) continue;
    if (first && service[c].priority != first->priority) return true;
    first = &service[c];
  }
  return false;
}

bool queueing_sound(const struct psl_network *net, char *error, size_t error_size) {
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (takes_time(net, c)) continue;
    snprintf(error, error_size, "a cycle of class %s takes no time: it has neither demand nor think time",
             net->classes[c].name);
    return false;
  }
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (net->stations[k].servers > MOST_SERVERS && !queueing_is_delay(&net->stations[k])) {
      snprintf(error, error_size, "station %s has %.6g servers, and %d are the most; or let them be unlimited",
               net->stations[k].name, net->stations[k].servers, MOST_SERVERS);
      return false;
    }
    if (begins_anew(net, k)) {
      snprintf(error, error_size, "station %s begins anew what is interrupted: simulation[queueing] executes it",
               net->stations[k].name);
      return false;
    }
    double load = queueing_open_load(net, k), most = queueing_last_rate(&net->stations[k]);
    if (load < most * (1 - LOAD_ROUNDING) || queueing_is_delay(&net->stations[k])) continue;
    snprintf(error, error_size,
             "station %s is saturated: each second brings %.4g s of work, and it does %.4g s; "
             "fewer arrivals, faster or more servers would do",
             net->stations[k].name, load, most);
    return false;
  }
  return true;
}

void queueing_clear(const struct psl_network *net, struct psl_network_result *out) {
  size_t cells = (size_t)net->station_count * net->class_count;
  memset(out->response, 0, cells * sizeof *out->response);
  memset(out->queue, 0, cells * sizeof *out->queue);
  memset(out->utilisation, 0, cells * sizeof *out->utilisation);
  for (uint32_t c = 0; c < net->class_count; c++)
    out->throughput[c] = net->classes[c].open ? net->classes[c].rate : 0;
  out->iterations = 0;
  out->residual = 0;
}

void queueing_utilisations(const struct psl_network *net, struct psl_network_result *out) {
  for (uint32_t k = 0; k < net->station_count; k++) {
    double most = net->stations[k].servers;
    if (net->stations[k].rates) most = 0;
    for (uint32_t i = 0; i < net->stations[k].rate_count; i++)
      most = fmax(most, net->stations[k].rates[i]);
    for (uint32_t c = 0; c < net->class_count; c++) {
      double work = out->throughput[c] * queueing_demand(net, k, c);
      out->utilisation[(size_t)k * net->class_count + c] = isinf(most) ? work : work / most;
    }
  }
}
