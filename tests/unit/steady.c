/* Queueing networks run to a steady state, against closed forms and exact mean value analysis. */
#include "tests/unit/unit.h"

#include "interp/include/psl.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  if (diagnostic->severity == PSL_ERROR) print_error("%s", diagnostic->text);
}

static struct psl *load(const char *text) {
  static const char *const folders[] = {"stdlib", "."};
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = say, .folders = folders, .folder_count = 2});
  assert_int_equal(psl_load_text(psl, "model", text, strlen(text)), PSL_OK);
  return psl;
}

static const struct psl_results *run(struct psl *psl, const char *solver, uint64_t seed) {
  const struct psl_results *results = NULL;
  assert_int_equal(psl_set(psl, "solver", solver), PSL_OK);
  assert_int_equal(psl_run(psl, NULL, &(struct psl_run_options){.seed = seed}, &results), PSL_OK);
  assert_non_null(results->queueing);
  return results;
}

static bool holds(struct psl_estimate estimate, double value) {
  return estimate.low <= value && value <= estimate.high;
}

static void within(const char *what, struct psl_estimate estimate, double value) {
  if (!holds(estimate, value)) fail_msg("%s: %g, not from %g to %g", what, value, estimate.low, estimate.high);
}

/* ---- product form ---- */

static const char network[] =
    "param solver : term = analysis[MVA];\n"
    "transaction work();\n"
    "transaction cycle();\n"
    "component cpu {\n"
    "  accepts: profile = { domain = hardware[cpu], evaluation mode = solver }; transaction = work();\n"
    "           protocol = call-return; servers = 1;\n"
    "  body: hold exponential(100 ms);\n"
    "}\n"
    "component disks {\n"
    "  accepts: profile = { domain = hardware[disk], evaluation mode = solver }; transaction = work();\n"
    "           protocol = call-return; servers = 2;\n"
    "  body: hold exponential(200 ms);\n"
    "}\n"
    "component shared {\n"
    "  accepts: profile = { domain = hardware[shared], evaluation mode = solver }; transaction = work();\n"
    "           protocol = call-return; servers = 1; discipline = processor-sharing;\n"
    "  body: hold hyperexponential(0.5, 100 ms, 700 ms);\n"
    "}\n"
    "component users [n] : 0 <= n < 3 {\n"
    "  accepts: profile = { domain = application[net], evaluation mode = solver }; transaction = cycle();\n"
    "           protocol = dataflow;\n"
    "  body: hold uniform(0 s, 2 s);\n"
    "  requests:\n"
    "    selector = { domain = hardware[cpu] }; transaction = work(); visits = 3; protocol = call-return;\n"
    "    selector = { domain = hardware[disk] }; transaction = work(); visits = 1.5; protocol = call-return;\n"
    "    selector = { domain = hardware[shared] }; transaction = work(); visits = 0.5; protocol = call-return;\n"
    "    selector = { domain = application[net], n = n }; transaction = cycle(); protocol = dataflow;\n"
    "}\n"
    "component jobs [j] : 0 <= j < 2 {\n"
    "  accepts: profile = { domain = application[net], evaluation mode = solver }; transaction = cycle();\n"
    "           protocol = dataflow;\n"
    "  requests:\n"
    "    selector = { domain = hardware[cpu] }; transaction = work(); visits = 2; protocol = call-return;\n"
    "    selector = { domain = hardware[shared] }; transaction = work(); visits = 0.25; protocol = call-return;\n"
    "    selector = { domain = application[net], j = j }; transaction = cycle(); protocol = dataflow;\n"
    "}\n"
    "system closed {\n"
    "  requests: every selector = { domain = application[net] }; transaction = cycle(); protocol = dataflow;\n"
    "}\n";

/* A sanitizer looks for other faults, and takes its time: one seed does. Else there are enough to count what holds;
 * `make coverage` takes more. */
#ifdef __SANITIZE_ADDRESS__
enum { COUNTS = false, SEEDS = 1 };
#else
enum { COUNTS = true, SEEDS = 30 };
#endif

static uint64_t seeds_taken(void) {
  const char *wanted = getenv("PSL_SEEDS");
  return wanted ? strtoull(wanted, NULL, 10) : SEEDS;
}

static size_t figures(const struct psl_queueing *q, struct psl_estimate *out) {
  size_t count = 0;
  for (size_t c = 0; c < q->class_count; c++) {
    out[count++] = q->classes[c].throughput;
    out[count++] = q->classes[c].response;
  }
  for (size_t s = 0; s < q->station_count; s++) {
    out[count++] = q->stations[s].queue;
    out[count++] = q->stations[s].utilisation;
  }
  for (size_t i = 0; i < q->station_count * q->class_count; i++) {
    if (q->cells[i].visits <= 0) continue;
    out[count++] = q->cells[i].throughput;
    out[count++] = q->cells[i].response;
    out[count++] = q->cells[i].queue;
    out[count++] = q->cells[i].utilisation;
  }
  return count;
}

/* How many of the intervals of seeds 1 to `seeds` hold what the solver says, by figure; how many figures there are. */
static size_t count_held(struct psl *psl, const char *solver, uint64_t seeds, int *held) {
  struct psl_estimate exact[40], found[40];
  size_t count = figures(run(psl, solver, 0)->queueing, exact);
  memset(held, 0, count * sizeof *held);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const struct psl_results *results = run(psl, "simulation[queueing]", seed);
    assert_string_equal(results->stop, "steady state");
    assert_int_equal(figures(results->queueing, found), count);
    for (size_t i = 0; i < count; i++)
      held[i] += holds(found[i], exact[i].value);
    psl_drop(psl, results);
  }
  return count;
}

/* Of 100 seeds' 95 % intervals of each figure 90 to 99 hold the exact one; of 30 at least 24, and 9 of 10 of all. */
static void intervals_hold_exact_figures(void **state) {
  (void)state;
  int held[40], all = 0;
  struct psl *psl = load(network);
  uint64_t seeds = seeds_taken();
  double least = seeds < 100 ? 0.8 : 0.9, most = seeds < 100 ? 1 : 0.99;
  size_t count = count_held(psl, "analysis[MVA]", seeds, held);
  for (size_t i = 0; COUNTS && i < count; i++) {
    all += held[i];
    if (held[i] < least * (double)seeds || held[i] > most * (double)seeds)
      fail_msg("figure %zu: %d of %d", i, held[i], (int)seeds);
  }
  if (COUNTS && all < 0.9 * (double)(count * seeds)) fail_msg("%d of %d", all, (int)(count * seeds));
  psl_close(psl);
}

/* ---- closed forms ---- */

static const char open_model[] =
    "use queueing;\n"
    "component station like %s {\n"
    "  param service = %s; param servers = %d; profile number = 0;\n"
    "}\n"
    "component source like arrivals { param class = all; param between = exponential(1.25 s); }\n"
    "component customer like visitors { param class = all; param visits = [1]; }\n"
    "system open {\n"
    "  requests:\n"
    "    selector = { domain = application[queueing], node type = arrivals, class = all };\n"
    "    transaction = arrive(); protocol = dataflow;\n"
    "}\n";

/* Customers come 0.8 times a second. */
static void open_station(const char *station, const char *service, int servers, double response, double utilisation) {
  char text[2000], what[200];
  snprintf(text, sizeof text, open_model, station, service, servers);
  snprintf(what, sizeof what, "%s, %s, %d", station, service, servers);
  struct psl *psl = load(text);
  assert_int_equal(psl_set(psl, "queueing.confidence", "99.9 %"), PSL_OK);
  assert_int_equal(psl_set(psl, "queueing.half-width", "10 %"), PSL_OK);
  const struct psl_queueing *q = run(psl, "simulation[queueing]", 1)->queueing;
  within(what, q->classes[0].throughput, 0.8);
  within(what, q->classes[0].response, response);
  within(what, q->stations[0].queue, 0.8 * response);
  within(what, q->stations[0].utilisation, utilisation);
  psl_close(psl);
}

/* Two stations that are nearly alike: 30 customers wander between them for long, though as many as ever come and go. */
static const char wandering[] =
    "use queueing;\n"
    "component first  like fcfs-station { param service = exponential(1 s); profile number = 0; }\n"
    "component second like fcfs-station { param service = exponential(0.95 s); profile number = 1; }\n"
    "component customer like closed-customers {\n"
    "  param class = all; param think = exponential(2 s); param visits = [1, 1];\n"
    "}\n"
    "system closed {\n"
    "  requests:\n"
    "    selector = { domain = application[queueing], node type = customer, class = all };\n"
    "    transaction = cycle(); visits = 30; protocol = dataflow;\n"
    "}\n";

/* Runs end neither where intervals happen to be narrow nor before batches are long: of all figures' intervals 9 of 10
 * hold the exact one; of a single figure's a few less do. */
static void intervals_are_wide_enough(void **state) {
  (void)state;
  char text[2000];
  int held[40], all = 0;
  uint64_t seeds = seeds_taken(), few = (seeds + 4) / 5; /* they are long */
  struct psl *psl = load(wandering);
  size_t count = count_held(psl, "analysis[MVA]", few, held);
  for (size_t i = 0; i < count; i++)
    all += held[i];
  if (COUNTS && all < 0.9 * (double)(count * few)) fail_msg("closed: %d of %zu", all, count * few);
  psl_close(psl);
  snprintf(text, sizeof text, open_model, "fcfs-station", "exponential(3.5 s)", 4);
  psl = load(text);
  assert_int_equal(psl_set(psl, "queueing.half-width", "10 %"), PSL_OK);
  count = count_held(psl, "analysis[open]", seeds, held);
  for (size_t i = 0; COUNTS && i < count; i++)
    if (held[i] < 0.84 * (double)seeds) fail_msg("open: figure %zu: %d of %d", i, held[i], (int)seeds);
  psl_close(psl);
}

/* Runs that end at a half-width are no lower than chance has it: of 200 runs of M/M/1 at 50 % the mean response, 1.25
 * s, is known to some 0.2 %, and the 99 % percentile, 1.25 s * ln 100, to some 0.4 %; of fewer by the root of their
 * part less. */
static void runs_that_end_are_not_low(void **state) {
  (void)state;
  enum { PERCENTILE = 3 /* of 50, 90, 95 and 99 % */ };
  char text[2000];
  uint64_t seeds = 2 * seeds_taken();
  double mean = 0, late = 0, less = sqrt(200 / (double)seeds);
  int held = 0;
  snprintf(text, sizeof text, open_model, "fcfs-station", "exponential(0.625 s)", 1);
  struct psl *psl = load(text);
  assert_int_equal(psl_set(psl, "queueing.half-width", "10 %"), PSL_OK);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const struct psl_results *results = run(psl, "simulation[queueing]", seed);
    struct psl_estimate response = results->queueing->classes[0].response;
    assert_true(response.high - response.value <= 0.1 * response.value);
    mean += response.value / (double)seeds;
    late += results->queueing->responses[0].percentiles[PERCENTILE].value / (double)seeds;
    held += holds(response, 1.25);
    psl_drop(psl, results);
  }
  psl_close(psl);
  if (!COUNTS) return;
  if (mean < 1.25 * (1 - 0.004 * less) || late < 1.25 * log(100) * (1 - 0.01 * less) || held < 0.9 * (double)seeds)
    fail_msg("mean %g, 99 %% percentile %g, %d of %d held", mean, late, held, (int)seeds);
}

static double factorial(int n) { return n > 1 ? n * factorial(n - 1) : 1; }

/* M/M/c by Erlang's C. */
static double erlang_response(double rate, double service, int servers) {
  double load = rate * service, sum = 0;
  for (int k = 0; k < servers; k++)
    sum += pow(load, k) / factorial(k);
  double last = pow(load, servers) / factorial(servers) / (1 - load / servers);
  return service + last / (sum + last) * service / (servers - load);
}

static void stations_are_as_in_theory(void **state) {
  (void)state;
  open_station("fcfs-station", "exponential(1 s)", 1, 1 / (1 - 0.8), 0.8);
  open_station("fcfs-station", "exponential(3 s)", 3, erlang_response(0.8, 3, 3), 0.8);
  open_station("fcfs-station", "exponential(6 s)", 8, erlang_response(0.8, 6, 8), 0.6);
  /* Pollaczek and Khinchine: wait = rate * E[S^2] / 2 / (1 - load) */
  open_station("fcfs-station", "constant(1 s)", 1, 1 + 0.8 * 1 / 2 / 0.2, 0.8);
  open_station("fcfs-station", "uniform(0 s, 1.5 s)", 1, 0.75 + 0.8 * 0.75 / 2 / 0.4, 0.6);
  open_station("fcfs-station", "hyperexponential(0.25, 2 s, 1/3 * 1 s)", 1,
               0.75 + 0.8 * (0.25 * 8 + 0.75 * 2 / 9) / 2 / 0.4, 0.6);
  /* whose mean response does not depend on the kind of service */
  open_station("shared-station", "hyperexponential(0.25, 2 s, 1/3 * 1 s)", 1, 0.75 / (1 - 0.6), 0.6);
  open_station("shared-station", "constant(0.75 s)", 1, 0.75 / (1 - 0.6), 0.6);
  open_station("stack-station", "hyperexponential(0.25, 2 s, 1/3 * 1 s)", 1, 0.75 / (1 - 0.6), 0.6);
  open_station("stack-station", "constant(0.75 s)", 1, 0.75 / (1 - 0.6), 0.6);
}

/* Machine repair: N machines that run for 10 s and are mended for 2 s by one of R repairers. */
static void machines_are_repaired(void **state) {
  (void)state;
  enum { MACHINES = 6 };
  for (int repairers = 1; repairers <= 3; repairers++) {
    char text[2000];
    snprintf(text, sizeof text,
             "use queueing;\n"
             "component shop like fcfs-station {\n"
             "  param service = exponential(2 s); param servers = %d; profile number = 0;\n"
             "}\n"
             "component machine like closed-customers {\n"
             "  param class = machine; param think = exponential(10 s); param visits = [1];\n"
             "}\n"
             "system repair {\n"
             "  requests:\n"
             "    selector = { domain = application[queueing], node type = customer, class = machine };\n"
             "    transaction = cycle(); visits = %d; protocol = dataflow;\n"
             "}\n",
             repairers, MACHINES);
    double p = 1, sum = 1, down = 0, busy = 0; /* p: of k that are down, by that of none */
    for (int k = 1; k <= MACHINES; k++) {
      p *= (MACHINES - k + 1) / 10.0 * 2 / (k < repairers ? k : repairers);
      sum += p;
      down += k * p;
      busy += (k < repairers ? k : repairers) * p;
    }
    struct psl *psl = load(text);
    assert_int_equal(psl_set(psl, "queueing.confidence", "99.9 %"), PSL_OK);
    assert_int_equal(psl_set(psl, "queueing.half-width", "10 %"), PSL_OK);
    const struct psl_queueing *q = run(psl, "simulation[queueing]", 1)->queueing;
    within("down", q->stations[0].queue, down / sum);
    within("busy", q->stations[0].utilisation, busy / sum / repairers);
    within("repairs", q->classes[0].throughput, busy / sum / 2);
    within("mending", q->classes[0].response, down / busy * 2);
    psl_close(psl);
  }
}

/* The response of M/M/1 is exponential, of mean S / (1 - load) = 2 s. */
static void responses_are_exponential(void **state) {
  (void)state;
  static const char model[] =
      "use queueing;\n"
      "component server like fcfs-station { param service = exponential(1 s); profile number = 0; }\n"
      "component source like arrivals { param class = all; param between = exponential(2 s); }\n"
      "component customer {\n"
      "  accepts: profile = { domain = application[queueing], node type = visitor, evaluation mode = solver,\n"
      "                       class = all };\n"
      "           transaction = cycle(); protocol = dataflow; servers = unlimited;\n"
      "  body:\n"
      "    let came = clock;\n"
      "    call serve();\n"
      "    record response = clock - came, quantiles [25 %, 50 %, 95 %, 99 %];\n"
      "  requests:\n"
      "    serve(): selector = { domain = hardware[server], node type = station, number = 0 };\n"
      "             transaction = visit(); protocol = call-return;\n"
      "}\n"
      "system open {\n"
      "  requests: selector = { domain = application[queueing], node type = arrivals, class = all };\n"
      "            transaction = arrive(); protocol = dataflow;\n"
      "}\n";
  struct psl *psl = load(model);
  assert_int_equal(psl_set(psl, "queueing.half-width", "2 %"), PSL_OK);
  const struct psl_results *results = run(psl, "simulation[queueing]", 1);
  assert_int_equal(results->record_count, 1);
  assert_int_equal(results->records[0].quantile_count, 4);
  for (size_t q = 0; q < 4; q++) {
    const struct psl_quantile *quantile = &results->records[0].quantiles[q];
    double wanted = -2 * log(1 - quantile->part);
    if (!(fabs(quantile->value / wanted - 1) < 0.06))
      fail_msg("%s: %g, not %g", quantile->name, quantile->value, wanted);
  }
  psl_close(psl);
}

/* M/M/c, first come, first served: who comes waits with Erlang's C, then for an exponential time of the rate theta =
 * c / S - rate, and is then served (Gross, Shortle, Thompson, Harris, Fundamentals of Queueing Theory, 2.4). */
static double erlang_part(double rate, double service, int servers, double time) {
  double mu = 1 / service, theta = servers * mu - rate;
  double waits = (erlang_response(rate, service, servers) - service) * theta;
  double later = (theta * exp(-mu * time) - mu * exp(-theta * time)) / (theta - mu);
  if (servers == 1) return 1 - exp(-theta * time);
  return 1 - (1 - waits) * exp(-mu * time) - waits * later;
}

static double erlang_percentile(double rate, double service, int servers, double part) {
  double low = 0, high = 1e3;
  for (int k = 0; k < 100; k++) {
    double middle = (low + high) / 2;
    *(erlang_part(rate, service, servers, middle) < part ? &low : &high) = middle;
  }
  return low;
}

enum { SEEDS_COUNTED = 20 };

/* Nearly all percentiles have intervals, and of these, of 95 %, 90 % at least hold the exact one, as `make coverage`
 * finds by 100 seeds. Of the few seeds that are taken otherwise one more may miss. Those that a setting asks for are as
 * narrow as is wished. */
static void percentiles_of(double service, int servers, bool asked) {
  uint64_t seeds = seeds_taken();
  char text[2000];
  int held[4] = {0}, known[4] = {0};
  snprintf(text, sizeof text, open_model, "fcfs-station", service < 1 ? "exponential(0.625 s)" : "exponential(2 s)",
           servers);
  struct psl *psl = load(text);
  assert_int_equal(psl_set(psl, "queueing.half-width", "10 %"), PSL_OK);
  if (asked) assert_int_equal(psl_set(psl, "queueing.percentiles", "[50 %, 90 %, 95 %, 99 %]"), PSL_OK);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const struct psl_results *results = run(psl, "simulation[queueing]", seed);
    const struct psl_queueing *q = results->queueing;
    assert_int_equal(q->response_count, 2);
    assert_int_equal(q->part_count, 4);
    for (size_t p = 0; p < 4; p++) {
      const struct psl_estimate *cycle = &q->responses[0].percentiles[p], *visit = &q->responses[1].percentiles[p];
      assert_true(cycle->value == visit->value);
      known[p] += isfinite(cycle->low);
      /* the ends lie in buckets that are as wide as 0.8 % */
      if (asked) assert_true(cycle->high - cycle->low <= (2 * 0.1 + 2.0 / 128) * cycle->value);
      held[p] += holds(*cycle, erlang_percentile(0.8, service, servers, q->parts[p]));
    }
    psl_drop(psl, results);
  }
  for (size_t p = 0; seeds >= SEEDS_COUNTED && p < 4; p++)
    if (known[p] < 0.95 * (double)seeds || held[p] < 0.9 * known[p] - 1)
      fail_msg("%d servers%s, percentile %zu: %d of %d", servers, asked ? ", asked" : "", p, held[p], known[p]);
  psl_close(psl);
}

static void percentiles_hold_exact_figures(void **state) {
  (void)state;
  percentiles_of(0.625, 1, false);
  percentiles_of(2, 2, false);
  percentiles_of(0.625, 1, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_hold_exact_figures), cmocka_unit_test(intervals_are_wide_enough),
      cmocka_unit_test(stations_are_as_in_theory),    cmocka_unit_test(machines_are_repaired),
      cmocka_unit_test(responses_are_exponential),    cmocka_unit_test(percentiles_hold_exact_figures),
      cmocka_unit_test(runs_that_end_are_not_low),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
