/* Is a network of the form of Baskett, Chandy, Muntz and Palacios (1975)? Then its exact solution depends on
 * demands alone. Stations with processor sharing, lcfs with preemption, or a server for everybody may serve each
 * class by a distribution of its own; fcfs stations serve all classes by the same exponential distribution.
 * Arrivals from outside are Poisson's. Round robin is taken for its limit, processor sharing, and the result says
 * so. Called by the evaluators. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static bool visits(const struct psl_network *net, uint32_t k, uint32_t c) {
  return net->visits[(size_t)k * net->class_count + c] > 0;
}

double queueing_service(const struct psl_network *net, uint32_t k, uint32_t c) {
  size_t cell = (size_t)k * net->class_count + c;
  return net->visits[cell] > 0 ? net->demand[cell] / net->visits[cell] : 0;
}

static bool alike(double a, double b) { return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)); }

/* By its squared coefficient of variation: how a distribution differs from the exponential one of its mean. */
static void spread_text(double scv, char *text, size_t size) {
  if (scv == 0)
    snprintf(text, size, "always the same");
  else if (alike(scv, 1))
    snprintf(text, size, "another shape of the same variance");
  else
    snprintf(text, size, "%.4g times as great a variance", scv);
}

static bool fcfs_misfit(const struct psl_network *net, uint32_t k, char *text, size_t size) {
  const char *name = net->stations[k].name;
  uint32_t first = UINT32_MAX;
  char spread[80];
  for (uint32_t c = 0; c < net->class_count; c++) {
    const struct psl_service *service = &net->service[(size_t)k * net->class_count + c];
    if (!visits(net, k, c)) continue;
    if (!service->exponential && queueing_service(net, k, c) > 0) {
      spread_text(service->scv, spread, sizeof spread);
      snprintf(text, size, "station %s is fcfs, and its service is not exponential (%s)", name, spread);
      return true;
    }
    if (first == UINT32_MAX) first = c;
    if (alike(queueing_service(net, k, first), queueing_service(net, k, c))) continue;
    snprintf(text, size, "station %s is fcfs, and serves %s in %.4g s and %s in %.4g s", name, net->classes[first].name,
             queueing_service(net, k, first), net->classes[c].name, queueing_service(net, k, c));
    return true;
  }
  return false;
}

/* Priorities that are all the same are none. */
static bool priority_misfit(const struct psl_network *net, uint32_t k, char *text, size_t size) {
  uint32_t first = UINT32_MAX;
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (!visits(net, k, c)) continue;
    if (first == UINT32_MAX) first = c;
    double a = net->service[(size_t)k * net->class_count + first].priority;
    double b = net->service[(size_t)k * net->class_count + c].priority;
    if (a == b) continue;
    snprintf(text, size, "station %s serves %s before %s by priority", net->stations[k].name,
             net->classes[a > b ? first : c].name, net->classes[a > b ? c : first].name);
    return true;
  }
  return fcfs_misfit(net, k, text, size);
}

bool queueing_station_misfit(const struct psl_network *net, uint32_t k, char *text, size_t size) {
  if (queueing_is_delay(&net->stations[k])) return false;
  switch (net->stations[k].discipline) {
  case PSL_FCFS: return fcfs_misfit(net, k, text, size);
  case PSL_PRIORITY:
  case PSL_PRIORITY_PREEMPTIVE:
  case PSL_PRIORITY_PREEMPTIVE_RESTART: return priority_misfit(net, k, text, size);
  case PSL_ROUND_ROBIN:
  case PSL_PROCESSOR_SHARING:
  case PSL_LCFS_PREEMPTIVE: return false;
  }
  return false;
}

bool queueing_arrival_misfit(const struct psl_network *net, char *text, size_t size) {
  char spread[80];
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (!net->classes[c].open || net->classes[c].poisson) continue;
    spread_text(net->classes[c].arrival_scv, spread, sizeof spread);
    snprintf(text, size, "the times between arrivals of %s are not exponential (%s)", net->classes[c].name, spread);
    return true;
  }
  return false;
}

bool queueing_misfit(const struct psl_network *net, char *text, size_t size, uint32_t *station) {
  *station = UINT32_MAX;
  if (queueing_arrival_misfit(net, text, size)) return true;
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (!queueing_station_misfit(net, k, text, size)) continue;
    *station = k;
    return true;
  }
  return false;
}

enum psl_status queueing_refuse(struct psl_call *call, struct psl_network_result *result, uint32_t station,
                                const char *advice, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  snprintf(result->advice, sizeof result->advice, "%s", advice);
  result->station = station;
  return PSL_FAILED;
}
