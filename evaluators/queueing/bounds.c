/* Bounds on a network with one closed class and stations of one server: asymptotic (Denning and Buzen, 1978)
 * and balanced-job (Zahorjan, Sevcik, Eager and Galler, 1982), with think time as Lazowska et al. (1984),
 * table 5.2, state them. D is the whole demand, D_max the greatest, D_avg the mean over stations, Z the think
 * time. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <stdio.h>

bool queueing_bound(const struct psl_network *net, struct queueing_bounds *out, char *error, size_t error_size) {
  double whole = 0, most = 0, z = net->class_count ? net->classes[0].think : 0;
  uint32_t stations = 0;
  if (net->class_count != 1 || net->classes[0].open) {
    if (net->class_count == 1)
      snprintf(error, error_size,
               "bounds are of networks with one class, which is closed; the class of this one is open");
    else
      snprintf(error, error_size, "bounds are of networks with one class, which is closed; this one has %u classes",
               net->class_count);
    return false;
  }
  if (!queueing_sound(net, error, error_size)) return false;
  for (uint32_t k = 0; k < net->station_count; k++) {
    double d = queueing_demand(net, k, 0);
    if (queueing_is_delay(&net->stations[k])) {
      z += d;
      continue;
    }
    if (net->stations[k].rates || net->stations[k].servers != 1) {
      snprintf(error, error_size, "bounds are of stations of one server; station %s has more", net->stations[k].name);
      return false;
    }
    whole += d;
    most = fmax(most, d);
    stations++;
  }
  double n = (double)net->classes[0].population, mean = stations ? whole / stations : 0;
  *out = (struct queueing_bounds){0};
  if (n == 0) return true;
  out->asymptotic_throughput_low = n / (n * whole + z);
  out->asymptotic_throughput_high = fmin(most > 0 ? 1 / most : INFINITY, n / (whole + z));
  out->asymptotic_response_low = fmax(whole, n * most - z);
  out->asymptotic_response_high = n * whole;
  double few = whole > 0 ? (n - 1) * mean / (1 + z / whole) : 0;
  double many = whole > 0 ? (n - 1) * most / (1 + z / (n * whole)) : 0;
  out->balanced_throughput_low = n / (whole + z + many);
  out->balanced_throughput_high = fmin(most > 0 ? 1 / most : INFINITY, n / (whole + z + few));
  out->balanced_response_low = fmax(n * most - z, whole + few);
  out->balanced_response_high = whole + many;
  return true;
}
