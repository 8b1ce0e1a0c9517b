/* Exact solution of closed and mixed product-form networks.
 *
 * Networks of single-server and delay stations: mean value analysis (Reiser and Lavenberg, 1980),
 *     R_kc(n) = D_kc (1 + Q_k(n - e_c)),  X_c(n) = n_c / (Z_c + sum_k R_kc(n)),  Q_k(n) = sum_c X_c R_kc(n).
 * With several servers or load-dependent rates mean value analysis needs marginal probabilities, whose
 * recursion subtracts nearly equal numbers; so these networks are solved by convolution (Buzen, 1973; Reiser
 * and Kobayashi, 1975), every term of which is positive. Open classes are taken out first: they slow a
 * station down for the closed ones (Bruell, Balbo and Afshari, 1984). */
#include "evaluators/queueing/network.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOK = 4096 }; /* populations between looks at the user's wish to end */

struct lattice { /* populations from none to all of each class, the last class fastest */
  const struct psl_network *net;
  const uint32_t *classes; /* the closed ones */
  uint32_t class_count;
  size_t *stride, count; /* stride by closed class */
  uint32_t *at;          /* the population in hand */
  uint32_t total;        /* of all closed customers */
};

static bool is_single(const struct psl_station *station) { return !station->rates && station->servers == 1; }

/* Several servers, or rates: it takes convolution. */
static bool is_weighted(const struct psl_station *station) {
  return !queueing_is_delay(station) && !is_single(station);
}

static double rate_at(const struct psl_station *station, uint32_t customers) {
  if (!station->rates) return fmin(customers, station->servers);
  return station->rates[(customers < station->rate_count ? customers : station->rate_count) - 1];
}

static bool lattice_next(struct lattice *lattice) {
  for (uint32_t c = lattice->class_count; c-- > 0;) {
    if (lattice->at[c] < lattice->net->classes[lattice->classes[c]].population) {
      lattice->at[c]++;
      return true;
    }
    lattice->at[c] = 0;
  }
  return false;
}

/* ---- mean value analysis ---- */

/* closed demands by station and closed class, slowed by the open ones */
static bool mean_values(struct lattice *lattice, struct psl_host *host, const double *slowed, const bool *delay,
                        double *queues, double *throughput, double *response) {
  uint32_t stations = lattice->net->station_count, classes = lattice->class_count;
  size_t place = 0;
  memset(lattice->at, 0, classes * sizeof *lattice->at);
  while (lattice_next(lattice)) {
    double *here = queues + ++place * stations;
    if (place % LOOK == 0 && queueing_interrupted(host)) return false;
    for (uint32_t c = 0; c < classes; c++) {
      if (!lattice->at[c]) continue;
      const double *before = queues + (place - lattice->stride[c]) * stations, *d = slowed + (size_t)c * stations;
      double *r = response + (size_t)c * stations, cycle = lattice->net->classes[lattice->classes[c]].think;
      for (uint32_t k = 0; k < stations; k++)
        cycle += r[k] = delay[k] ? d[k] : d[k] * (1 + before[k]);
      double x = throughput[c] = lattice->at[c] / cycle;
      for (uint32_t k = 0; k < stations; k++)
        here[k] += x * r[k];
    }
  }
  return true;
}

static bool solve_by_mean_values(struct lattice *lattice, const struct queueing_options *options,
                                 struct psl_network_result *out) {
  const struct psl_network *net = lattice->net;
  uint32_t stations = net->station_count, classes = lattice->class_count;
  double *slowed = options->host->allocate(options->host, (size_t)stations * classes * sizeof *slowed);
  double *response = options->host->allocate(options->host, (size_t)stations * classes * sizeof *response);
  double *throughput = options->host->allocate(options->host, classes * sizeof *throughput);
  double *queues = options->host->allocate(options->host, lattice->count * stations * sizeof *queues);
  bool *delay = options->host->allocate(options->host, stations * sizeof *delay);
  for (uint32_t k = 0; k < stations; k++) {
    delay[k] = queueing_is_delay(&net->stations[k]);
    double free = delay[k] ? 1 : 1 - queueing_open_load(net, k);
    for (uint32_t c = 0; c < classes; c++)
      slowed[(size_t)c * stations + k] = queueing_demand(net, k, lattice->classes[c]) / free;
  }
  if (!mean_values(lattice, options->host, slowed, delay, queues, throughput, response)) return false;
  for (uint32_t c = 0; c < classes; c++) {
    uint32_t class = lattice->classes[c];
    out->throughput[class] = throughput[c];
    for (uint32_t k = 0; k < stations; k++) {
      size_t cell = (size_t)k * net->class_count + class;
      out->response[cell] = response[(size_t)c * stations + k];
      out->queue[cell] = throughput[c] * out->response[cell];
    }
  }
  for (uint32_t k = 0; k < stations; k++) {
    double closed = queues[(lattice->count - 1) * stations + k], load = queueing_open_load(net, k);
    for (uint32_t c = 0; c < net->class_count; c++) {
      double d = queueing_demand(net, k, c);
      size_t cell = (size_t)k * net->class_count + c;
      if (!net->classes[c].open) continue;
      out->response[cell] = delay[k] ? d : d * (1 + closed) / (1 - load);
      out->queue[cell] = net->classes[c].rate * out->response[cell];
    }
  }
  return true;
}

/* ---- convolution ---- */

/* Weights of a station that is not a delay: F(j) = |j|! / prod j_c! * prod d_c^j_c * beta(|j|). */
struct station_weights {
  long double *beta;   /* by number of closed customers, 0 .. total */
  long double *others; /* mean number of open customers beside so many closed ones */
  uint32_t settled;    /* from here on beta falls by the same factor … */
  long double factor;  /* … this one */
};

/* beta(n) = sum over l of (n+l choose l) load^l / (rate(1) … rate(n+l)); relative to that the mean of l. */
static struct station_weights station_weights(const struct lattice *lattice, uint32_t k,
                                              const struct queueing_options *options) {
  const struct psl_station *station = &lattice->net->stations[k];
  long double load = queueing_open_load(lattice->net, k), passed = 1;
  struct station_weights w = {
      .beta = options->host->allocate(options->host, (lattice->total + 1) * sizeof *w.beta),
      .others = options->host->allocate(options->host, (lattice->total + 1) * sizeof *w.others),
      .settled = station->rates ? station->rate_count : (uint32_t)station->servers,
      .factor = 1 / (queueing_last_rate(station) - load),
  };
  for (uint32_t n = 0; n <= lattice->total; n++) {
    if (n) passed /= rate_at(station, n);
    long double term = passed, sum = term, mean = 0;
    for (uint32_t l = 1; load > 0 && (term > LDBL_EPSILON * sum || (station->rates && n + l <= w.settled)); l++) {
      term *= load * (n + l) / l / rate_at(station, n + l);
      sum += term;
      mean += l * term;
    }
    w.beta[n] = sum;
    w.others[n] = mean / sum;
  }
  return w;
}

/* The demands of a station in each closed class, each class in units of its own. */
static void scaled_demands(const struct lattice *lattice, uint32_t k, const double *scale, long double *d) {
  for (uint32_t c = 0; c < lattice->class_count; c++)
    d[c] = (long double)queueing_demand(lattice->net, k, lattice->classes[c]) / scale[c];
}

/* sum over c of d_c f(n - e_c), at the place of n */
static long double step(const struct lattice *lattice, const long double *d, const long double *f, size_t place) {
  long double sum = 0;
  for (uint32_t c = 0; c < lattice->class_count; c++)
    if (lattice->at[c]) sum += d[c] * f[place - lattice->stride[c]];
  return sum;
}

static void lattice_begin(struct lattice *lattice) {
  memset(lattice->at, 0, lattice->class_count * sizeof *lattice->at);
}

/* g becomes the constants with one more single-server station: g(n) += sum of d_c g(n - e_c), in place. */
static void add_single(struct lattice *lattice, const long double *d, long double *g) {
  size_t place = 0;
  lattice_begin(lattice);
  while (lattice_next(lattice)) {
    place++;
    g[place] += step(lattice, d, g, place);
  }
}

static uint32_t customers(const struct lattice *lattice) {
  uint32_t sum = 0;
  for (uint32_t c = 0; c < lattice->class_count; c++)
    sum += lattice->at[c];
  return sum;
}

/* F of a station at all populations. */
static void all_weights(struct lattice *lattice, const struct station_weights *w, const long double *d,
                        long double *f) {
  size_t place = 0;
  lattice_begin(lattice);
  f[0] = w->beta[0];
  while (lattice_next(lattice)) {
    uint32_t n = customers(lattice);
    place++;
    f[place] = step(lattice, d, f, place) * (w->beta[n] / w->beta[n - 1]);
  }
}

/* What is left of F when the part that falls by one factor is taken off: P(j) = F(j) - factor sum d_c F(j -
 * e_c), nothing from `settled` customers on.  Its terms are positive where no rate is greater than the last;
 * where one is, false: F itself is to be convolved. */
static bool short_weights(struct lattice *lattice, const struct station_weights *w, const long double *f,
                          long double *p) {
  size_t place = 0;
  lattice_begin(lattice);
  p[0] = f[0];
  while (lattice_next(lattice)) {
    uint32_t n = customers(lattice);
    place++;
    p[place] = n < w->settled ? f[place] * (1 - w->factor * w->beta[n - 1] / w->beta[n]) : 0;
    if (p[place] < 0) return false;
  }
  return true;
}

/* to(n) += sum over j <= n of p(j) from(n - j), of a row of populations: those that differ in their last class alone */
static bool convolve_row(struct psl_host *host, size_t row, const long double *p, const long double *from,
                         long double *to) {
  size_t several = row, steps = 0; /* p is 0 from here on */
  while (several && p[several - 1] == 0)
    several--;
  for (size_t n = 0; n < row; n++) {
    long double sum = to[n];
    for (size_t j = 0; j <= n && j < several; j++)
      sum += p[j] * from[n - j];
    to[n] = sum;
    steps += several;
    if (steps > LOOK * LOOK) {
      if (queueing_interrupted(host)) return false;
      steps = 0;
    }
  }
  return true;
}

/* to(n) = sum over j <= n of p(j) from(n - j) */
static bool convolve(struct lattice *lattice, struct psl_host *host, const long double *p, const long double *from,
                     long double *to, uint32_t *j) {
  if (!lattice->class_count) {
    *to = *p * *from;
    return true;
  }
  struct lattice rows = *lattice, inner = *lattice;
  size_t row = (size_t)lattice->net->classes[lattice->classes[--rows.class_count]].population + 1, at = 0;
  memset(to, 0, lattice->count * sizeof *to);
  inner.class_count = rows.class_count;
  inner.at = j;
  lattice_begin(&inner);
  do {
    size_t place = 0;
    if (queueing_interrupted(host)) return false;
    lattice_begin(&rows);
    do {
      bool fits = true;
      for (uint32_t c = 0; c < rows.class_count; c++)
        fits &= rows.at[c] >= j[c];
      if (fits && !convolve_row(host, row, p + at, from + place - at, to + place)) return false;
      place += row;
    } while (lattice_next(&rows));
    at += row;
  } while (lattice_next(&inner));
  return true;
}

struct convolution {
  struct lattice *lattice;
  const struct queueing_options *options;
  double *scale;      /* by closed class: s */
  long double *d;     /* demands of the station in hand */
  long double *f, *p; /* its weights */
  long double *g, *spare;
  uint32_t *j;
  struct station_weights *weights; /* by station; of those that need some */
};

/* The constants of all delays, think times among them: prod z_c^n_c / n_c!. */
static void begin_with_delays(struct convolution *v, uint32_t without) {
  struct lattice *lattice = v->lattice;
  const struct psl_network *net = lattice->net;
  for (uint32_t c = 0; c < lattice->class_count; c++) {
    double z = net->classes[lattice->classes[c]].think;
    for (uint32_t k = 0; k < net->station_count; k++)
      if (queueing_is_delay(&net->stations[k]) && k != without) z += queueing_demand(net, k, lattice->classes[c]);
    v->d[c] = z / v->scale[c];
  }
  size_t place = 0;
  lattice_begin(lattice);
  v->g[0] = 1;
  while (lattice_next(lattice)) {
    uint32_t c = lattice->class_count - 1; /* the last class with a customer */
    while (!lattice->at[c])
      c--;
    place++;
    v->g[place] = v->g[place - lattice->stride[c]] * v->d[c] / lattice->at[c];
  }
}

static bool add_station(struct convolution *v, uint32_t k) {
  struct lattice *lattice = v->lattice;
  const struct psl_station *station = &lattice->net->stations[k];
  if (queueing_interrupted(v->options->host)) return false;
  scaled_demands(lattice, k, v->scale, v->d);
  if (is_single(station)) {
    for (uint32_t c = 0; c < lattice->class_count; c++)
      v->d[c] /= 1 - queueing_open_load(lattice->net, k);
    add_single(lattice, v->d, v->g);
    return true;
  }
  const struct station_weights *w = &v->weights[k];
  all_weights(lattice, w, v->d, v->f);
  if (queueing_interrupted(v->options->host)) return false;
  bool is_short = short_weights(lattice, w, v->f, v->p);
  if (!convolve(lattice, v->options->host, is_short ? v->p : v->f, v->g, v->spare, v->j)) return false;
  if (is_short) {
    for (uint32_t c = 0; c < lattice->class_count; c++)
      v->d[c] *= w->factor;
    add_single(lattice, v->d, v->spare);
  }
  long double *g = v->g;
  v->g = v->spare;
  v->spare = g;
  return true;
}

static bool constants(struct convolution *v, uint32_t without) {
  const struct psl_network *net = v->lattice->net;
  begin_with_delays(v, without);
  for (uint32_t k = 0; k < net->station_count; k++)
    if (k != without && !queueing_is_delay(&net->stations[k]) && !add_station(v, k)) return false;
  return true;
}

/* A single-server station: Q_kc = d_kc G+(N - e_c) / G(N), G+ with the station there twice. */
static void single_queues(struct convolution *v, uint32_t k, const long double *g, struct psl_network_result *out) {
  struct lattice *lattice = v->lattice;
  const struct psl_network *net = lattice->net;
  size_t last = lattice->count - 1;
  double load = queueing_open_load(net, k), closed = 0;
  memcpy(v->f, g, lattice->count * sizeof *g);
  scaled_demands(lattice, k, v->scale, v->d);
  for (uint32_t c = 0; c < lattice->class_count; c++)
    v->d[c] /= 1 - load;
  add_single(lattice, v->d, v->f);
  for (uint32_t c = 0; c < lattice->class_count; c++) {
    uint32_t class = lattice->classes[c];
    if (!net->classes[class].population) continue;
    double q = (double)(v->d[c] * v->f[last - lattice->stride[c]] / g[last]);
    out->queue[(size_t)k * net->class_count + class] = q;
    closed += q;
  }
  for (uint32_t c = 0; c < net->class_count; c++)
    if (net->classes[c].open)
      out->queue[(size_t)k * net->class_count + c] =
          net->classes[c].rate * queueing_demand(net, k, c) * (1 + closed) / (1 - load);
}

/* Any other station: Q_kc = sum over j of j_c F(j) G-(N - j) / G(N), G- without the station. */
static bool weighted_queues(struct convolution *v, uint32_t k, long double all, struct psl_network_result *out) {
  struct lattice *lattice = v->lattice;
  const struct psl_network *net = lattice->net;
  size_t last = lattice->count - 1, place = 0;
  double load = queueing_open_load(net, k), others = 0;
  if (!constants(v, k)) return false;
  const struct station_weights *w = &v->weights[k];
  scaled_demands(lattice, k, v->scale, v->d);
  all_weights(lattice, w, v->d, v->f);
  lattice_begin(lattice);
  do {
    double part = (double)(v->f[place] * v->g[last - place] / all);
    others += part * (double)w->others[customers(lattice)];
    for (uint32_t c = 0; c < lattice->class_count; c++)
      out->queue[(size_t)k * net->class_count + lattice->classes[c]] += lattice->at[c] * part;
    place++;
  } while (lattice_next(lattice));
  for (uint32_t c = 0; c < net->class_count; c++)
    if (net->classes[c].open && load > 0)
      out->queue[(size_t)k * net->class_count + c] = net->classes[c].rate * queueing_demand(net, k, c) / load * others;
  return true;
}

static bool too_large(struct psl_network_result *out, char *error, size_t error_size) {
  snprintf(error, error_size, "the network is too large for its constants to be represented");
  snprintf(out->advice, sizeof out->advice, "analysis[Schweitzer] and analysis[Linearizer] have no such limit");
  return false;
}

/* A unit of time for the class, in which its constants stay near 1: what the bounds say between two of its cycles. */
static double unit_of(const struct psl_network *net, uint32_t class) {
  double cycle = net->classes[class].think, between = 0;
  for (uint32_t k = 0; k < net->station_count; k++) {
    double demand = queueing_demand(net, k, class);
    cycle += demand;
    if (!queueing_is_delay(&net->stations[k])) between = fmax(between, demand / queueing_last_rate(&net->stations[k]));
  }
  return fmax(between, cycle / fmax((double)net->classes[class].population, 1));
}

static bool solve_by_convolution(struct lattice *lattice, const struct queueing_options *options,
                                 struct psl_network_result *out, char *error, size_t error_size) {
  const struct psl_network *net = lattice->net;
  struct convolution v = {.lattice = lattice, .options = options};
  uint32_t classes = lattice->class_count;
  size_t last = lattice->count - 1;
  long double **arrays[] = {&v.f, &v.p, &v.g, &v.spare};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = options->host->allocate(options->host, lattice->count * sizeof **arrays[i]);
  long double *g = options->host->allocate(options->host, lattice->count * sizeof *g);
  v.scale = options->host->allocate(options->host, classes * sizeof *v.scale);
  v.d = options->host->allocate(options->host, classes * sizeof *v.d);
  v.j = options->host->allocate(options->host, classes * sizeof *v.j);
  for (uint32_t c = 0; c < classes; c++)
    v.scale[c] = unit_of(net, lattice->classes[c]);
  v.weights = options->host->allocate(options->host, net->station_count * sizeof *v.weights);
  for (uint32_t k = 0; k < net->station_count; k++)
    if (is_weighted(&net->stations[k])) v.weights[k] = station_weights(lattice, k, options);
  if (!constants(&v, UINT32_MAX)) return false;
  memcpy(g, v.g, lattice->count * sizeof *g);
  if (!(g[last] >= LDBL_MIN) || isinf(g[last])) return too_large(out, error, error_size);
  for (uint32_t c = 0; c < classes; c++)
    if (net->classes[lattice->classes[c]].population)
      out->throughput[lattice->classes[c]] = (double)(g[last - lattice->stride[c]] / g[last]) / v.scale[c];
  for (uint32_t k = 0; k < net->station_count; k++) {
    if (queueing_is_delay(&net->stations[k]))
      for (uint32_t c = 0; c < net->class_count; c++)
        out->queue[(size_t)k * net->class_count + c] = out->throughput[c] * queueing_demand(net, k, c);
    else if (is_single(&net->stations[k]))
      single_queues(&v, k, g, out);
    else if (!weighted_queues(&v, k, g[last], out))
      return false;
  }
  for (uint32_t k = 0; k < net->station_count; k++)
    for (uint32_t c = 0; c < net->class_count; c++) {
      size_t cell = (size_t)k * net->class_count + c;
      if (!isfinite(out->queue[cell])) return too_large(out, error, error_size);
      out->response[cell] = out->throughput[c] > 0 ? out->queue[cell] / out->throughput[c] : 0;
    }
  return true;
}

/* ---- both ---- */

/* What the solution takes, before anything is taken: bytes, and steps of convolutions. */
static bool affordable(const struct lattice *lattice, double count, double total, bool convolved,
                       const struct queueing_options *options, struct psl_network_result *out, char *error,
                       size_t error_size) {
  static const double most_steps = 1e11, most_terms = 1e9;
  const struct psl_network *net = lattice->net;
  double stations = fmax(net->station_count, 1), weighted = 0, steps = 0, terms = 0, room = (double)options->host->room;
  for (uint32_t k = 0; k < net->station_count; k++) {
    double inner = 1, settled = net->stations[k].rates ? net->stations[k].rate_count : net->stations[k].servers;
    if (!is_weighted(&net->stations[k])) continue;
    weighted++;
    double load = queueing_open_load(net, k); /* station_weights sums a series that falls slowly near saturation */
    if (load > 0) terms += (total + 1) * (total + 64) / (1 - load / queueing_last_rate(&net->stations[k]));
    for (uint32_t c = 0; c < net->class_count; c++)
      if (!net->classes[c].open) inner *= fmin((double)net->classes[c].population + 1, settled);
    steps += inner * count;
  }
  double bytes =
      convolved ? (5 * count + 2 * weighted * (total + 1)) * sizeof(long double) : stations * count * sizeof(double);
  snprintf(out->advice, sizeof out->advice,
           "analysis[Schweitzer] and analysis[Linearizer] take next to no time and memory");
  if (bytes > room) {
    snprintf(error, error_size,
             "the exact solution goes through %.6g populations and takes %.4g MB, more than the %.4g MB allowed", count,
             bytes * 1e-6, room * 1e-6);
    return false;
  }
  if (steps * (weighted + 1) > most_steps) {
    snprintf(error, error_size,
             "the exact solution goes through %.6g populations and takes %.4g steps, more than the %.0g allowed", count,
             steps * (weighted + 1), most_steps);
    return false;
  }
  if (!(terms <= most_terms)) {
    snprintf(error, error_size,
             "open classes all but saturate a station: the exact solution sums %.4g terms, more than the %.0g allowed",
             terms, most_terms);
    return false;
  }
  *out->advice = '\0';
  return true;
}

static bool lattice_open(struct lattice *lattice, const struct psl_network *net, const struct queueing_options *options,
                         bool convolved, struct psl_network_result *out, char *error, size_t error_size) {
  uint32_t *closed = options->host->allocate(options->host, net->class_count * sizeof *closed);
  double count = 1, total = 0;
  *lattice = (struct lattice){.net = net, .classes = closed};
  for (uint32_t c = 0; c < net->class_count; c++) {
    if (net->classes[c].open) continue;
    closed[lattice->class_count++] = c;
    total += (double)net->classes[c].population;
    count *= (double)net->classes[c].population + 1;
  }
  if (!affordable(lattice, count, total, convolved, options, out, error, error_size)) return false;
  lattice->total = (uint32_t)total;
  lattice->count = (size_t)count;
  lattice->stride = options->host->allocate(options->host, lattice->class_count * sizeof *lattice->stride);
  lattice->at = options->host->allocate(options->host, lattice->class_count * sizeof *lattice->at);
  size_t stride = 1;
  for (uint32_t c = lattice->class_count; c-- > 0;) {
    lattice->stride[c] = stride;
    stride *= (size_t)net->classes[closed[c]].population + 1;
  }
  return true;
}

bool queueing_exact(const struct psl_network *net, const struct queueing_options *options,
                    struct psl_network_result *out, char *error, size_t error_size) {
  struct lattice lattice;
  bool convolved = false;
  for (uint32_t k = 0; k < net->station_count; k++)
    convolved |= is_weighted(&net->stations[k]);
  if (!queueing_sound(net, error, error_size) ||
      !lattice_open(&lattice, net, options, convolved, out, error, error_size))
    return false;
  queueing_clear(net, out);
  snprintf(error, error_size, "interrupted");
  if (!(convolved ? solve_by_convolution(&lattice, options, out, error, error_size)
                  : solve_by_mean_values(&lattice, options, out)))
    return false;
  queueing_utilisations(net, out);
  return true;
}
