/* Percentiles of responses in open networks of product form.
 *
 * A visit to an fcfs station with m servers, each of rate u, and arrivals of rate l: an arrival finds the station as it
 * is at any time, however the network goes on behind it (Sevcik and Mitrani, J. ACM 28, 1981), so it waits with
 * Erlang's chance C, for an exponential time of rate m u - l, and is then served for one of rate u.  With one server
 * the two are an exponential time of rate u - l.  Nobody waits at a delay.
 *
 * A cycle of customers who all go through the same stations one after another: the visits are independent of each other
 * where nobody can be overtaken on the way, by servers beside each other or by a way round (Reich, 1963; Burke, 1968;
 * Walrand and Varaiya, 1980): the stations between the first and the last have one server, and no class leads from one
 * of the stations to another but by those between them.
 *
 * Both are times of a customer that goes through exponential phases, of which some are left out by chance. */
#include "evaluators/queueing/network.h"
#include <math.h>
#include <string.h>

enum {
  PHASES_MOST = 64,
  TERMS_MOST = 60, /* of a series for a time so short that it needs no more */
};

struct phases { /* one after another */
  uint32_t count;
  double rate[PHASES_MOST];
  double enter[PHASES_MOST]; /* the chance that it is entered behind those before, not the next one; of the last 1 */
};

static bool add_phase(struct phases *phases, double rate, double enter) {
  if (phases->count == PHASES_MOST) return false;
  phases->rate[phases->count] = rate;
  phases->enter[phases->count++] = enter;
  return true;
}

/* Erlang's C: the chance that all servers are busy. From Erlang's B by its recursion, which loses no digits. */
static double chance_to_wait(double servers, double load) {
  double lost = 1;
  for (double n = 1; n <= servers; n++)
    lost = load * lost / (n + load * lost);
  return servers * lost / (servers - load * (1 - lost));
}

double queueing_common_service(const struct psl_network *net, uint32_t k) {
  double mean = 0;
  for (uint32_t c = 0; c < net->class_count; c++) {
    size_t cell = (size_t)k * net->class_count + c;
    if (!(net->visits[cell] > 0)) continue;
    double own = queueing_service(net, k, c);
    if (!net->service[cell].exponential || (mean > 0 && fabs(own - mean) > 1e-12 * mean)) return 0;
    mean = own;
  }
  return mean;
}

static bool is_fcfs(const struct psl_station *station) {
  switch (station->discipline) {
  case PSL_FCFS:
  case PSL_PRIORITY: /* in product form all have the same */
  case PSL_PRIORITY_PREEMPTIVE:
  case PSL_PRIORITY_PREEMPTIVE_RESTART: return !station->rates;
  case PSL_ROUND_ROBIN:
  case PSL_PROCESSOR_SHARING:
  case PSL_LCFS_PREEMPTIVE: break;
  }
  return false;
}

/* Adds the phases of a visit; false: they are not known. */
static bool add_visit(const struct psl_network *net, uint32_t k, struct phases *phases) {
  const struct psl_station *station = &net->stations[k];
  double service = queueing_common_service(net, k), load = queueing_open_load(net, k), servers = station->servers;
  if (!(service > 0)) return false;
  if (queueing_is_delay(station)) return add_phase(phases, 1 / service, 1);
  if (!is_fcfs(station) || !(load < servers)) return false;
  if (servers == 1) return add_phase(phases, (1 - load) / service, 1);
  return add_phase(phases, (servers - load) / service, chance_to_wait(servers, load)) &&
         add_phase(phases, 1 / service, 1);
}

/* ---- the distribution ---- */

/* An upper triangular matrix of chances to be in phase j after some time, having been in phase i. All numbers are added
 * up of what is not negative, so that small ones keep their digits. */
struct moves {
  double at[PHASES_MOST][PHASES_MOST];
};

static void copy(uint32_t count, const struct moves *from, struct moves *to) {
  for (uint32_t i = 0; i < count; i++)
    memcpy(to->at[i], from->at[i], count * sizeof *to->at[i]);
}

static void clear(uint32_t count, struct moves *moves) {
  for (uint32_t i = 0; i < count; i++)
    memset(moves->at[i], 0, count * sizeof *moves->at[i]);
}

static void multiply(uint32_t count, const struct moves *a, const struct moves *b, struct moves *out) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = i; j < count; j++) {
      double sum = 0;
      for (uint32_t k = i; k <= j; k++)
        sum += a->at[i][k] * b->at[k][j];
      out->at[i][j] = sum;
    }
}

/* Where phase i leads to when it has ended, times `factor`. */
static void add_next(const struct phases *phases, uint32_t i, double factor, double *row) {
  double left = factor;
  for (uint32_t j = i; j < phases->count && left > 0; j++) {
    row[j] += left * phases->enter[j];
    left *= 1 - phases->enter[j];
  }
}

/* The chances after a time: those after a 2^n-th of it, which few jumps of the fastest phase fill, doubled n times. */
static void moves_make(const struct phases *phases, double time, struct moves *out, struct moves *scratch) {
  uint32_t count = phases->count, doublings = 0;
  double fastest = 0;
  for (uint32_t i = 0; i < count; i++)
    fastest = fmax(fastest, phases->rate[i]);
  double mean = fastest * time; /* jumps */
  for (; mean > 1; doublings++)
    mean /= 2;
  struct moves *jump = &scratch[0], *power = &scratch[1], *next = &scratch[2];
  clear(count, jump);
  clear(count, power);
  clear(count, out);
  for (uint32_t i = 0; i < count; i++) {
    jump->at[i][i] = 1 - phases->rate[i] / fastest;
    add_next(phases, i + 1, phases->rate[i] / fastest, jump->at[i]);
    power->at[i][i] = 1;
  }
  double weight = exp(-mean);
  for (uint32_t n = 0; n < TERMS_MOST && weight > 1e-18; weight *= mean / ++n) {
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t j = i; j < count; j++)
        out->at[i][j] += weight * power->at[i][j];
    multiply(count, power, jump, next);
    copy(count, next, power);
  }
  for (; doublings; doublings--) {
    multiply(count, out, out, next);
    copy(count, next, out);
  }
}

/* The chance that it takes longer. */
static double longer(const struct phases *phases, double time, struct moves *scratch) {
  double begin[PHASES_MOST] = {0}, chance = 0;
  moves_make(phases, time, &scratch[0], &scratch[1]);
  add_next(phases, 0, 1, begin);
  for (uint32_t i = 0; i < phases->count; i++)
    for (uint32_t j = i; j < phases->count; j++)
      chance += begin[i] * scratch[0].at[i][j];
  return chance;
}

static double mean_of(const struct phases *phases) {
  double mean = 0;
  for (uint32_t i = 0; i < phases->count; i++)
    mean += phases->enter[i] / phases->rate[i];
  return mean;
}

/* Halved until nothing lies between. */
static double percentile(const struct phases *phases, double part, struct moves *scratch) {
  double low = 0, high = mean_of(phases);
  if (!isfinite(high)) return NAN;
  if (phases->count == 1) return -log1p(-part) * high;
  while (longer(phases, high, scratch) > 1 - part) {
    low = high;
    high *= 2;
    if (!isfinite(high)) return NAN;
  }
  for (int n = 0; n < 200; n++) {
    double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high) || high - low <= 1e-14 * high) break;
    if (longer(phases, middle, scratch) > 1 - part)
      low = middle;
    else
      high = middle;
  }
  return low + (high - low) / 2;
}

/* ---- cycles ---- */

static uint32_t place_on(const struct psl_customers *class, uint32_t station) {
  uint32_t i = 0;
  while (i < class->way_length && class->way[i] != station)
    i++;
  return i;
}

static bool visits_any(const struct psl_network *net, uint32_t c, const struct psl_customers *way) {
  for (uint32_t i = 0; i < way->way_length; i++)
    if (net->visits[(size_t)way->way[i] * net->class_count + c] > 0) return true;
  return false;
}

/* Does the class keep to the way where it is on it: a piece of it, in its order, without a way round? */
static bool keeps_to(const struct psl_network *net, uint32_t c, const struct psl_customers *way) {
  const struct psl_customers *class = &net->classes[c];
  if (!visits_any(net, c, way)) return true;
  if (!class->way || class->think > 0) return false;
  uint32_t before = way->way_length;
  bool left = false;
  for (uint32_t i = 0; i < class->way_length; i++) {
    uint32_t place = place_on(way, class->way[i]);
    if (place == way->way_length) {
      left = left || before < way->way_length;
      continue;
    }
    if (left || (before < way->way_length && place != before + 1)) return false;
    before = place;
  }
  return true;
}

static bool cycle_phases(const struct psl_network *net, uint32_t c, struct phases *phases) {
  const struct psl_customers *class = &net->classes[c];
  phases->count = 0;
  if (!class->way) return false;
  bool several = class->way_length > 1;
  for (uint32_t other = 0; several && other < net->class_count; other++)
    if (!keeps_to(net, other, class)) return false;
  for (uint32_t i = 0; i < class->way_length; i++) {
    bool end = i == 0 || i + 1 == class->way_length;
    if ((!end && net->stations[class->way[i]].servers != 1) || !add_visit(net, class->way[i], phases)) return false;
  }
  return phases->count > 0;
}

void queueing_percentiles(const struct psl_network *net, const struct queueing_options *options,
                          struct psl_network_result *out) {
  struct phases phases;
  if (!net->part_count) return;
  struct moves *scratch = options->host->allocate(options->host, 4 * sizeof *scratch);
  for (uint32_t k = 0; k < net->station_count; k++) {
    phases.count = 0;
    if (queueing_interrupted(options->host)) return;
    if (!add_visit(net, k, &phases)) continue;
    for (uint32_t p = 0; p < net->part_count; p++)
      out->visit_percentiles[(size_t)k * net->part_count + p] = percentile(&phases, net->parts[p], scratch);
  }
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (queueing_interrupted(options->host)) return;
    if (!cycle_phases(net, c, &phases)) continue;
    for (uint32_t p = 0; p < net->part_count; p++)
      out->cycle_percentiles[(size_t)c * net->part_count + p] = percentile(&phases, net->parts[p], scratch);
  }
}
