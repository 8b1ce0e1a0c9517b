/* The report of a run: the predicted time first, then where it goes, then what it rests on.  Called by psl_report and
 * by the page of a study, which takes some of its sections. */
#include "interp/report/report.h"

#include <math.h>
#include <string.h>

enum { LISTED = 10 }; /* lines of a list that may be long */

/* ---- what came out ---- */

/* How far a run has come that could have gone on predicts nothing. */
static void put_simulated(struct report *report, const struct psl_results *run) {
  report_fact(report, &(struct report_fact){"makespan", NULL, NULL, FIGURE_TIME, run->makespan.unit}, cell_none());
  report_fact(report, &(struct report_fact){"simulated_time", "simulated time", NULL, FIGURE_TIME, run->simulated.unit},
              cell_real(run->simulated.value));
}

static void put_makespan(struct report *report, const struct psl_results *run) {
  const char *head = run->complete ? "predicted time" : run->queueing ? "so far" : "time so far";
  if (results_cut(run)) {
    put_simulated(report, run);
    return;
  }
  bool known = !isnan(run->makespan.value);
  struct report_cell makespan = known ? cell_real(run->makespan.value) : cell_shown(cell_none(), "-");
  report_fact(report, &(struct report_fact){"makespan", head, NULL, FIGURE_TIME, run->makespan.unit}, makespan);
  if (!known) {
    const char *why = arena_printf(report->arena, ": %s", results_untimed(run->stop));
    report_fact(report, &(struct report_fact){.before = why}, cell_none());
    return;
  }
  if (run->unbounded) {
    const char *why = arena_printf(report->arena, ", without bounds: %s", run->unbounded);
    report_fact(report, &(struct report_fact){.before = why}, cell_none());
    report_fact(report, &(struct report_fact){.key = "makespan_low", .unit = run->makespan_low.unit}, cell_none());
    report_fact(report, &(struct report_fact){.key = "makespan_high", .unit = run->makespan_high.unit}, cell_none());
  } else if (run->uncertain) {
    report_fact(report, &(struct report_fact){"makespan_low", NULL, ", from ", FIGURE_TIME, run->makespan_low.unit},
                cell_real(run->makespan_low.value));
    report_fact(report, &(struct report_fact){"makespan_high", NULL, " to ", FIGURE_TIME, run->makespan_high.unit},
                cell_real(run->makespan_high.value));
  }
  if (run->queueing)
    report_fact(report, &(struct report_fact){.before = ", the mean response of a cycle"}, cell_none());
}

/* A figure of evaluators, s; NaN: the run has none, or has not ended. */
static double time_counted(const struct psl_results *run, const char *name) {
  for (size_t f = 0; f < run->figure_count && run->complete; f++)
    if (!strcmp(run->figures[f].name, name)) return run->figures[f].quantity.value;
  return (double)NAN;
}

const char *report_left_out(struct arena *arena, const struct psl_results *run) {
  double late = time_counted(run, PSL_WAITS_LEFT_OUT);
  struct text wait = {.arena = arena}, all = {.arena = arena};
  if (isnan(late)) return NULL;
  report_time(&wait, late);
  report_time(&all, run->makespan.value);
  return arena_printf(arena, PSL_LEFT_OUT_WARNING, wait.data, all.data);
}

const char *report_too_short(struct arena *arena, const struct psl_results *run) {
  struct text text = {.arena = arena};
  double busy = time_counted(run, PSL_INTERFACE);
  if (isnan(busy)) return NULL;
  text_put(&text, "a network interface is busy for ");
  report_time(&text, busy);
  text_put(&text, ", which this network leaves out; --set 'network=simulation[NIC]' has it");
  return text.data;
}

/* What is known not to hold stands beside the time. */
static void put_too_short(struct report *report, const struct psl_results *run) {
  const char *why = report_too_short(report->arena, run);
  if (why) report_fact(report, &(struct report_fact){.head = "too short"}, cell_word(why));
}

static void put_origin(struct report *report, const struct psl_results *run) {
  report_fact(report, &(struct report_fact){"evidence", "evidence", NULL, FIGURE_WORD, NULL}, cell_word(run->evidence));
  report_fact(report, &(struct report_fact){"model", "model", NULL, FIGURE_WORD, NULL}, cell_word(run->model));
  report_fact(report, &(struct report_fact){"system", NULL, ", system ", FIGURE_WORD, NULL}, cell_word(run->system));
}

static void put_intervals(struct report *report, const struct psl_queueing *network) {
  static const struct report_fact confidence = {"confidence", "intervals", "of ", FIGURE_SHARE, NULL};
  static const struct report_fact replications = {"replications", NULL, " confidence, over ", FIGURE_COUNT, NULL};
  static const struct report_fact one = {"replications", NULL, NULL, FIGURE_COUNT, NULL};
  static const struct report_fact begin = {"warm_up", NULL, "", FIGURE_TIME, "s"};
  static const struct report_fact end = {"simulated", NULL, " to ", FIGURE_TIME, "s"};
  struct report_fact from = begin;
  bool several = network->replications > 1;
  from.before = several ? " replications, the first from " : " confidence, from ";
  report_fact(
      report, &confidence,
      cell_shown(cell_real(network->confidence), arena_printf(report->arena, "%g %%", 100 * network->confidence)));
  report_fact(report, several ? &replications : &one, cell_count(network->replications));
  report_fact(report, &from, cell_real(network->begin));
  report_fact(report, &end, cell_real(network->end));
}

static void put_solver(struct report *report, const struct psl_queueing *network) {
  static const struct report_fact solver = {"solver", "solved by", NULL, FIGURE_WORD, NULL};
  static const struct report_fact approximation = {"approximation", NULL, ", approximately: ", FIGURE_WORD, NULL};
  static const struct report_fact exact = {"approximation", NULL, NULL, FIGURE_WORD, NULL};
  static const struct report_fact iterations = {"iterations", "iterations", NULL, FIGURE_COUNT, NULL};
  static const struct report_fact residual = {"residual", NULL, ", residual ", FIGURE_NUMBER, NULL};
  report_fact(report, &solver, cell_word(network->solver));
  report_fact(report, network->approximation ? &approximation : &exact, cell_word(network->approximation));
  if (network->bounds) report_fact(report, &(struct report_fact){.before = ", bounds"}, cell_none());
  if (network->intervals) put_intervals(report, network);
  if (!network->iterations) return;
  report_fact(report, &iterations, cell_count(network->iterations));
  report_fact(
      report, &residual,
      cell_shown(cell_real(network->residual), arena_printf(report->arena, "%.1e customers", network->residual)));
}

static void put_end(struct report *report, const struct psl_results *run) {
  const char *detail = run->stop_detail;
  bool said = detail && strncmp(detail, run->stop, strlen(run->stop)) == 0;
  const char *words = said ? detail : detail ? arena_printf(report->arena, "%s: %s", run->stop, detail) : run->stop;
  report_fact(report, &(struct report_fact){.head = "ended by"}, cell_word(words));
  report_fact(report, &(struct report_fact){.key = "stop"}, cell_word(run->stop));
  report_fact(report, &(struct report_fact){.key = "stop_detail"}, cell_word(detail));
  report_fact(report, &(struct report_fact){.key = "complete"}, cell_flag(run->complete));
  if (!(run->warm_up > 0) || run->queueing) return;
  report_fact(report, &(struct report_fact){"warm_up", "warm-up", NULL, FIGURE_TIME, "s"}, cell_real(run->warm_up));
  const char *parts = arena_printf(report->arena, ", part of the %s time and the firings, but of no other figure",
                                   results_cut(run) ? "simulated" : "predicted");
  report_fact(report, &(struct report_fact){.before = parts}, cell_none());
}

static void put_counts(struct report *report, const struct psl_results *run) {
  bool counted = run->messages_counted, fired = !run->queueing || run->firings;
  report_fact(report, &(struct report_fact){"messages", counted ? "messages" : NULL, NULL, FIGURE_COUNT, NULL},
              counted ? cell_count(run->messages) : cell_none());
  report_fact(report, &(struct report_fact){"bytes", NULL, counted && run->messages ? ", " : NULL, FIGURE_DATA, NULL},
              counted ? cell_count(run->bytes) : cell_none());
  if (counted && run->messages && ((const struct results *)run)->uncontended)
    report_fact(report, &(struct report_fact){.before = ", without contention"}, cell_none());
  report_fact(report, &(struct report_fact){"firings", fired ? "firings" : NULL, NULL, FIGURE_COUNT, NULL},
              cell_count(run->firings));
  report_fact(report, &(struct report_fact){.key = "events"}, cell_count(run->events));
  report_fact(report, &(struct report_fact){.key = "process_count"}, cell_count(run->process_count));
}

static void put_assertions(struct report *report, const struct psl_results *run) {
  const char *head = run->assertions ? "assertions" : NULL;
  const char *words = arena_printf(report->arena, "%zu held", run->assertions);
  report_fact(report, &(struct report_fact){"assertions", head, NULL, FIGURE_COUNT, NULL},
              cell_shown(cell_count(run->assertions), words));
}

static void put_waiting(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {
      {.key = "name", .names = true},
      {.key = "waits", .before = " waits "},
      {.key = "place", .before = " (", .after = ")", .audience = FOR_PEOPLE},
      {.key = "file", .audience = FOR_PROGRAMS},
      {.key = "line", .figure = FIGURE_COUNT, .audience = FOR_PROGRAMS},
      {.key = "column", .figure = FIGURE_COUNT, .audience = FOR_PROGRAMS},
  };
  static const struct report_section section = {.key = "waiting",
                                                .title = "waiting",
                                                REPORT_COLUMNS(columns),
                                                .layout = LAYOUT_LINES,
                                                .kept = true,
                                                .limit = LISTED};
  report_section(report, &section);
  for (size_t w = 0; w < run->waiting_count; w++) {
    const struct psl_waiting *waiting = &run->waiting[w];
    const struct psl_place *place = &waiting->place;
    const char *where =
        place->file ? arena_printf(report->arena, "%s:%u:%u", place->file, place->line, place->column) : NULL;
    report_row(report,
               (struct report_cell[]){cell_word(waiting->name), cell_word(waiting->text), cell_word(where),
                                      cell_word(place->file), cell_count(place->line), cell_count(place->column)});
  }
  report_end(report);
}

/* ---- queueing networks ---- */

#define ESTIMATE(key, head, figure, unit) \
  { key, head, figure, unit, .estimate = true }

static struct report_cell estimate(const struct psl_queueing *network, const struct psl_estimate *figure) {
  if (network->bounds) return cell_estimate(NAN, figure->low, figure->high);
  return network->intervals ? cell_estimate(figure->value, figure->low, figure->high) : cell_real(figure->value);
}

static void put_classes(struct report *report, const struct psl_queueing *network) {
  static const struct report_column estimates[] = {
      {"name", "", .names = true},
      {"population", "customers", FIGURE_COUNT},
      {"arrivals", NULL, FIGURE_RATE, "s^-1", FOR_PROGRAMS},
      {"think", "think", FIGURE_TIME, "s", .optional = true},
      ESTIMATE("throughput", "throughput", FIGURE_RATE, "s^-1"),
      ESTIMATE("response", "response", FIGURE_TIME, "s"),
  };
  static const struct report_column bounds[] = {
      {"name", "", .names = true},
      {"population", "customers", FIGURE_COUNT},
      {"arrivals", NULL, FIGURE_RATE, "s^-1", FOR_PROGRAMS},
      {"think", "think", FIGURE_TIME, "s", .optional = true},
      {"throughput", NULL, FIGURE_RATE, "s^-1", FOR_PROGRAMS},
      {"response", NULL, FIGURE_TIME, "s", FOR_PROGRAMS},
      {"", "throughput >=", FIGURE_RATE, NULL, FOR_PEOPLE},
      {"", "<=", FIGURE_RATE, NULL, FOR_PEOPLE},
      {"", "response >=", FIGURE_TIME, NULL, FOR_PEOPLE},
      {"", "<=", FIGURE_TIME, NULL, FOR_PEOPLE},
  };
  struct report_section section = {.key = "classes", .title = "by class", REPORT_COLUMNS(estimates)};
  section.intervals = network->intervals;
  if (network->bounds) {
    section.columns = bounds;
    section.column_count = sizeof bounds / sizeof *bounds;
  }
  bool people = report->renderer->people;
  report_section(report, &section);
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    const struct psl_estimate *throughput = &class->throughput, *response = &class->response;
    report_row(report, (struct report_cell[]){
                           cell_word(class->name),
                           class->open ? cell_shown(cell_none(), "open") : cell_count(class->population),
                           class->open ? cell_real(class->rate) : cell_none(),
                           people && class->open && class->think == 0 ? cell_none() : cell_real(class->think),
                           estimate(network, throughput),
                           estimate(network, response),
                           cell_real(throughput->low),
                           cell_real(throughput->high),
                           cell_real(response->low),
                           cell_real(response->high),
                       });
  }
  report_end(report);
}

/* Where nobody waits there are no servers to be busy. */
static struct report_cell busy(const struct psl_queueing *network, const struct psl_queueing_station *station,
                               const struct psl_estimate *utilisation) {
  return isfinite(station->servers) ? estimate(network, utilisation) : cell_shown(cell_none(), "");
}

static void put_stations(struct report *report, const struct psl_queueing *network) {
  static const struct report_column columns[] = {
      {"name", "", .names = true},
      {"discipline", "discipline"},
      {"servers", "servers", FIGURE_NUMBER},
      ESTIMATE("throughput", "throughput", FIGURE_RATE, "s^-1"),
      ESTIMATE("queue", "queue", FIGURE_NUMBER, NULL),
      ESTIMATE("utilisation", "utilisation", FIGURE_PART, NULL),
  };
  struct report_section section = {
      .key = "stations", .title = "by station, all classes together", REPORT_COLUMNS(columns)};
  section.intervals = network->intervals;
  report_section(report, &section);
  for (size_t k = 0; k < network->station_count; k++) {
    const struct psl_queueing_station *station = &network->stations[k];
    struct report_cell servers = cell_real(station->servers);
    report_row(report,
               (struct report_cell[]){cell_word(station->name), cell_word(station->discipline),
                                      isfinite(station->servers) ? servers : cell_shown(servers, ""),
                                      estimate(network, &station->throughput), estimate(network, &station->queue),
                                      busy(network, station, &station->utilisation)});
  }
  report_end(report);
}

static void put_classes_at_stations(struct report *report, const struct psl_queueing *network) {
  static const struct report_column columns[] = {
      {"station", "", .names = true, .once = true},
      {"class", "", .names = true},
      {"visits", "visits", FIGURE_NUMBER},
      ESTIMATE("throughput", "throughput", FIGURE_RATE, "s^-1"),
      ESTIMATE("response", "response", FIGURE_TIME, "s"),
      ESTIMATE("queue", "queue", FIGURE_NUMBER, NULL),
      ESTIMATE("utilisation", "utilisation", FIGURE_PART, NULL),
  };
  struct report_section section = {
      .key = "classes_at_stations", .title = "by station and class, a cycle", REPORT_COLUMNS(columns)};
  section.intervals = network->intervals;
  report_section(report, &section);
  for (size_t i = 0; i < network->station_count * network->class_count; i++) {
    const struct psl_queueing_station *station = &network->stations[i / network->class_count];
    const struct psl_queueing_cell *at = &network->cells[i];
    if (at->visits <= 0) continue;
    report_row(report, (struct report_cell[]){
                           cell_word(station->name), cell_word(network->classes[i % network->class_count].name),
                           cell_real(at->visits), estimate(network, &at->throughput), estimate(network, &at->response),
                           estimate(network, &at->queue), busy(network, station, &at->utilisation)});
  }
  report_end(report);
}

static void put_responses(struct report *report, const struct psl_queueing *network) {
  enum { NAMES = 2 };
  size_t count = NAMES + network->part_count;
  struct report_column *columns = ARENA_ARRAY(report->arena, struct report_column, count);
  struct report_cell *cells = ARENA_ARRAY(report->arena, struct report_cell, count);
  struct report_section section = {.key = "responses",
                                   .title = "percentiles of the response",
                                   .columns = columns,
                                   .column_count = count,
                                   .intervals = network->intervals};
  bool without = false, any = false;
  columns[0] = (struct report_column){"name", "", .names = true};
  columns[1] = (struct report_column){"of", "of", .names = true};
  for (size_t p = 0; p < network->part_count; p++) {
    const char *name = quantile_name(report->arena, network->parts[p]);
    columns[NAMES + p] = (struct report_column){name, name, FIGURE_TIME, "s", .estimate = true};
  }
  report_section(report, &section);
  for (size_t r = 0; r < network->response_count; r++) {
    const struct psl_queueing_response *row = &network->responses[r];
    if (!response_known(network, row)) continue;
    any = true;
    cells[0] = cell_word(row->name);
    cells[1] = cell_word(response_kind(row));
    for (size_t p = 0; p < network->part_count; p++) {
      const struct psl_estimate *figure = &row->percentiles[p];
      cells[NAMES + p] = estimate(network, figure);
      without |= network->intervals && isfinite(figure->value) && !(isfinite(figure->low) && isfinite(figure->high));
    }
    report_row(report, cells);
  }
  report_end(report);
  if (network->unknown) report_line(report, any ? "%s" : "\n%s", network->unknown);
  for (size_t r = 0; r < network->response_count; r++)
    if (network->responses[r].fractional && !network->responses[r].any)
      report_line(report, CYCLES_FRACTIONAL, network->responses[r].name);
  if (without)
    report_line(report,
                "where no interval stands, too few responses are longer; a smaller 'half-width' makes the run longer");
}

static void put_network(struct report *report, const struct psl_queueing *network) {
  put_classes(report, network);
  if (network->bounds) return;
  put_stations(report, network);
  put_classes_at_stations(report, network);
  put_responses(report, network);
}

/* ---- where it goes ---- */

/* What shares are of: in a network of queues the predicted time is that of a cycle, and the run goes on far beyond. */
static double whole_time(const struct psl_results *run) { return ((const struct results *)run)->end - run->warm_up; }

struct share { /* of the time of processes */
  const char *name;
  double mean, most;
  uint32_t process; /* that has the most */
};

static void share_add(struct share *share, const struct psl_results *run, uint32_t p, double time) {
  share->mean += time / (double)run->process_count;
  if (!(time > share->most)) return;
  share->most = time;
  share->process = p;
}

/* `inside`: it is a part of the one above. */
static void put_share(struct report *report, const struct psl_results *run, const struct share *share, bool inside) {
  double whole = whole_time(run), part = whole > 0 ? share->mean / whole : 0;
  bool some = share->most > 0 && share->process < run->process_count;
  struct report_cell name = cell_word(share->name);
  if (inside) name = cell_shown(name, arena_printf(report->arena, "  %s", share->name));
  report_row(report, (struct report_cell[]){name, cell_real(share->mean), cell_real(part), cell_real(part),
                                            run->process_count ? cell_real(share->most) : cell_none(),
                                            cell_word(some ? run->processes[share->process].name : NULL)});
}

/* Rows of the table, by activity; waits that nobody has divided, and those for no message. */
enum { UNDIVIDED = SHARES, OTHER_WAIT, IDLE, BEHIND, ROWS };

static void gather_shares(const struct psl_results *run, struct share rows[ROWS]) {
  const uint32_t slowest[ACTIVITIES] = {run->slowest_compute, run->slowest_communicate, run->slowest_wait};
  uint32_t told = results_told(run);
  for (int a = 0; a < STRETCHES; a++)
    rows[a].name = activity_names[a];
  for (int a = 0; a < ACTIVITIES; a++)
    rows[a] = (struct share){rows[a].name, share_part(&run->mean, a), share_part(&run->maximum, a), slowest[a]};
  rows[COMMUNICATION].name = "communication";
  rows[UNDIVIDED].name = "other";
  rows[OTHER_WAIT].name = "other wait";
  rows[IDLE].name = "idle"; /* before it began, and between firings */
  rows[BEHIND].name = run->complete && !results_cut(run) ? "ended early" : "behind";
  for (uint32_t p = 0; p < run->process_count; p++) {
    const struct psl_process *process = &run->processes[p];
    const struct psl_share *share = &process->share;
    double undivided = share->wait, tiny = 1e-12 * share->wait;
    for (int a = ACTIVITIES; a < STRETCHES; a++) {
      if (!(told >> a & 1)) continue;
      share_add(&rows[a], run, p, share_part(share, a));
      undivided -= share_part(share, a);
    }
    share_add(&rows[COMMUNICATION], run, p, share->communication);
    share_add(&rows[UNDIVIDED], run, p, undivided > tiny ? undivided : 0);
    share_add(&rows[OTHER_WAIT], run, p, results_rest(run, process, REST_OTHER_WAIT));
    share_add(&rows[IDLE], run, p, results_rest(run, process, REST_IDLE));
    share_add(&rows[BEHIND], run, p, results_rest(run, process, REST_ENDED_EARLY));
  }
}

/* Those of these activities that have taken time, as parts of the row above; is there one? */
static bool put_parts(struct report *report, const struct psl_results *run, const struct share rows[ROWS],
                      uint32_t activities) {
  bool some = false;
  for (int a = 0; a < STRETCHES; a++) {
    if (!(activities >> a & 1) || !(rows[a].most > 0)) continue;
    put_share(report, run, &rows[a], true);
    some = true;
  }
  return some;
}

/* As processes spend it, activity by activity: for programs, and where nobody has waited for a message. */
static void put_activities(struct report *report, const struct psl_results *run, const struct share rows[ROWS]) {
  for (int a = 0; a < ACTIVITIES; a++)
    put_share(report, run, &rows[a], false);
  if (!results_told(run)) return;
  put_parts(report, run, rows, WAITS_OF_MESSAGES | WAITS_OF_ITEMS);
  if (rows[UNDIVIDED].most > 0) put_share(report, run, &rows[UNDIVIDED], true);
}

/* All that communication takes in one row, so that nobody takes its busy part for it. */
static void put_communication(struct report *report, const struct psl_results *run, const struct share rows[ROWS]) {
  put_share(report, run, &rows[ACTIVITY_COMPUTE], false);
  put_share(report, run, &rows[COMMUNICATION], false);
  put_parts(report, run, rows, 1u << ACTIVITY_COMMUNICATE | WAITS_OF_MESSAGES);
  if (!(rows[OTHER_WAIT].most > 0)) return;
  put_share(report, run, &rows[OTHER_WAIT], false);
  if (put_parts(report, run, rows, WAITS_OF_ITEMS) && rows[UNDIVIDED].most > 0)
    put_share(report, run, &rows[UNDIVIDED], true);
}

static const char *shares_title(struct report *report, const struct psl_results *run) {
  struct text title = {.arena = report->arena};
  if (!run->process_count) return "where it goes, as the model records it";
  text_put(&title, "where it goes, over ");
  report_count(&title, run->process_count);
  text_put(&title, run->process_count == 1 ? " process" : " processes");
  return title.data;
}

static void put_shares(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {
      {"activity", "", .names = true},
      {"mean", "mean", FIGURE_TIME, "s"},
      {"", "", FIGURE_SHARE, NULL, FOR_PEOPLE},
      {"", "", FIGURE_BAR, NULL, FOR_PEOPLE},
      {"maximum", "maximum", FIGURE_TIME, "s", .optional = true},
      {"in", "in", .optional = true},
  };
  struct report_section section = {.key = "shares", .title = shares_title(report, run), REPORT_COLUMNS(columns)};
  struct share rows[ROWS] = {0};
  if (run->queueing || !results_split(run)) return;
  gather_shares(run, rows);
  section.headless = !run->process_count;
  for (int people = 0; people < 2; people++) {
    section.audience = people ? FOR_PEOPLE : FOR_PROGRAMS;
    report_section(report, &section);
    if (people && rows[COMMUNICATION].mean > rows[ACTIVITY_COMMUNICATE].mean)
      put_communication(report, run, rows);
    else
      put_activities(report, run, rows);
    if (!people && rows[COMMUNICATION].most > 0) put_share(report, run, &rows[COMMUNICATION], false);
    for (int r = IDLE; r < ROWS; r++)
      if (rows[r].mean > 5e-4 * whole_time(run)) put_share(report, run, &rows[r], false);
    report_end(report);
  }
}

static const char *const part_keys[STRETCHES] = {
    [WAIT_LATE_SENDER] = "late_sender", [WAIT_LATE_RECEIVER] = "late_receiver", [WAIT_COLLECTIVE] = "collective",
    [WAIT_TRANSFER] = "transfer",       [WAIT_CONTENTION] = "contention",       [WAIT_STARVED] = "starved",
    [WAIT_BLOCKED] = "blocked",
};

size_t report_wait_columns(struct report_column *columns, size_t count, uint32_t told, enum audience messages) {
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (told >> a & 1)
      columns[count++] = (struct report_column){part_keys[a], activity_names[a], FIGURE_TIME, "s",
                                                .audience = a < WAIT_STARVED ? messages : FOR_ALL};
  return count;
}

void report_wait_cells(struct report_cell *cells, size_t count, uint32_t told, const struct psl_share *share) {
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (told >> a & 1) cells[count++] = cell_real(share_part(share, a));
}

void report_processes(struct report *report, const struct psl_results *run, size_t every) {
  uint32_t told = results_told(run);
  struct report_column columns[5 + WAIT_PARTS] = {
      {"name", "", .names = true},
      {"compute", "compute", FIGURE_TIME, "s"},
      {"communicate", "communicate", FIGURE_TIME, "s"},
      {"wait", "wait", FIGURE_TIME, "s"},
      {"end", "end", FIGURE_TIME, "s"},
  };
  const struct report_section section = {.key = "processes",
                                         .title = "by process",
                                         .columns = columns,
                                         .column_count = report_wait_columns(columns, 5, told, FOR_PROGRAMS)};
  report_section(report, &section);
  for (size_t p = 0; p < run->process_count; p += every) {
    const struct psl_process *process = &run->processes[p];
    const struct psl_share *share = &process->share;
    struct report_cell cells[5 + WAIT_PARTS] = {cell_word(process->name), cell_real(share->compute),
                                                cell_real(share->communicate), cell_real(share->wait),
                                                cell_real(process->end)};
    report_wait_cells(cells, 5, told, share);
    report_row(report, cells);
  }
  report_end(report);
}

/* Has a call gone from the line before it was served? */
static bool some_left(const struct psl_results *run) {
  for (size_t f = 0; f < run->facility_count; f++)
    if (run->facilities[f].left) return true;
  return false;
}

/* Does the component do nothing but serve, one after another? */
static bool is_resource(const struct psl_results *run, const char *component) {
  for (size_t c = 0; c < run->component_count; c++)
    if (!strcmp(run->components[c].name, component)) return run->components[c].servers > 0;
  return false;
}

static size_t instances_of(const struct psl_results *run, const char *component) {
  size_t count = 0;
  for (size_t f = 0; f < run->facility_count; f++)
    count +=
        run->facilities[f].instance && !run->facilities[f].class && !strcmp(run->facilities[f].component, component);
  return count;
}

/* Where processes come and go, what they have waited for. */
static void put_resources(struct report *report, const struct psl_results *run, enum audience audience,
                          bool by_instance) {
  bool people = audience == FOR_PEOPLE; /* what they see has whole servers */
  const struct report_column columns[] = {
      {"name", "", .names = true},
      {"servers", "servers", people ? FIGURE_COUNT : FIGURE_NUMBER},
      {"utilisation", "busy", FIGURE_SHARE},
      {"served", "served", FIGURE_COUNT},
      {"throughput", "throughput", FIGURE_RATE, "s^-1", .audience = FOR_PROGRAMS},
      {"waiting", "mean wait", FIGURE_TIME, "s"},
      {"service", "mean service", FIGURE_TIME, "s"},
      {"response", "mean response", FIGURE_TIME, "s", .audience = FOR_PROGRAMS},
      {"queue", "mean number", FIGURE_NUMBER, .audience = FOR_PROGRAMS},
      {"left", "left", FIGURE_COUNT, .audience = some_left(run) ? FOR_ALL : FOR_PROGRAMS},
      {"left_after", "left after", FIGURE_TIME, "s", .audience = some_left(run) ? FOR_ALL : FOR_PROGRAMS},
  };
  struct report_section section = {
      .key = "resources", .title = "resources", REPORT_COLUMNS(columns), .audience = audience};
  if (by_instance) {
    section.key = "resources_by_instance";
    section.title = "resources, by instance";
  }
  report_section(report, &section);
  for (size_t f = 0; f < run->facility_count; f++) {
    const struct psl_facility *row = &run->facilities[f];
    bool wanted = !people || (run->passing && is_resource(run, row->component));
    if (people && by_instance) wanted = wanted && instances_of(run, row->component) <= LISTED;
    struct report_cell servers = people ? cell_count((uint64_t)row->servers) : cell_real(row->servers);
    if (by_instance != (row->instance != NULL) || row->class || !wanted) continue;
    report_row(report,
               (struct report_cell[]){cell_word(by_instance ? row->instance : row->component), servers,
                                      cell_real(row->utilisation), cell_count(row->served), cell_real(row->throughput),
                                      cell_real(row->waiting), cell_real(row->service), cell_real(row->response),
                                      cell_real(row->queue), cell_count(row->left), cell_real(row->left_after)});
  }
  report_end(report);
}

static void put_resources_by_class(struct report *report, const struct psl_results *run) {
  const struct report_column columns[] = {
      {"name", "", .names = true, .once = true},
      {"class", "class", .names = true},
      {"utilisation", "busy", FIGURE_SHARE},
      {"served", "served", FIGURE_COUNT},
      {"throughput", "throughput", FIGURE_RATE, "s^-1"},
      {"waiting", "mean wait", FIGURE_TIME, "s"},
      {"service", "mean service", FIGURE_TIME, "s", .audience = FOR_PROGRAMS},
      {"response", "mean response", FIGURE_TIME, "s"},
      {"queue", "mean number", FIGURE_NUMBER, .audience = FOR_PROGRAMS},
      {"left", "left", FIGURE_COUNT, .audience = some_left(run) ? FOR_ALL : FOR_PROGRAMS},
      {"left_after", "left after", FIGURE_TIME, "s", .audience = some_left(run) ? FOR_ALL : FOR_PROGRAMS},
  };
  const struct report_section section = {
      .key = "resources_by_class", .title = "resources, by class of who calls", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (size_t f = 0; f < run->facility_count; f++) {
    const struct psl_facility *row = &run->facilities[f];
    if (row->instance || !row->class) continue;
    report_row(report,
               (struct report_cell[]){cell_word(row->component), cell_word(row->class), cell_real(row->utilisation),
                                      cell_count(row->served), cell_real(row->throughput), cell_real(row->waiting),
                                      cell_real(row->service), cell_real(row->response), cell_real(row->queue),
                                      cell_count(row->left), cell_real(row->left_after)});
  }
  report_end(report);
}

static void put_components(struct report *report, const struct psl_results *run) {
  uint32_t told = results_told(run);
  struct report_column columns[5 + WAIT_PARTS] = {
      {"name", "", .names = true},
      {"firings", "firings", FIGURE_COUNT},
      {"compute", "compute", FIGURE_TIME, "s"},
      {"communicate", "communicate", FIGURE_TIME, "s"},
      {"wait", "wait", FIGURE_TIME, "s"},
  };
  const struct report_section section = {.key = "components",
                                         .title = "by component, all instances together",
                                         .columns = columns,
                                         .column_count = report_wait_columns(columns, 5, told, FOR_PROGRAMS),
                                         .kept = true};
  report_section(report, &section);
  for (size_t c = 0; c < run->component_count; c++) {
    const struct psl_component *component = &run->components[c];
    const struct psl_share *share = &component->share;
    struct report_cell cells[5 + WAIT_PARTS] = {cell_word(component->name), cell_count(component->firings),
                                                cell_real(share->compute), cell_real(share->communicate),
                                                cell_real(share->wait)};
    report_wait_cells(cells, 5, told, share);
    report_row(report, cells);
  }
  report_end(report);
}

/* Time of an element inside another counts for that one; the share is of the time of all processes. */
static void put_elements(struct report *report, const struct psl_results *run, bool by_process) {
  static const struct report_column columns[] = {
      {"process", "", .names = true},
      {"name", "", .names = true},
      {"kind", "kind"},
      {"executions", "executions", FIGURE_COUNT},
      {"time", "time", FIGURE_TIME, "s"},
      {"own_time", "own time", FIGURE_TIME, "s"},
      {"", "share", FIGURE_SHARE, NULL, FOR_PEOPLE},
      {"least", "least", FIGURE_TIME, "s"},
      {"greatest", "greatest", FIGURE_TIME, "s"},
  };
  const struct psl_element *elements = by_process ? run->process_elements : run->elements;
  size_t count = by_process ? run->process_element_count : run->element_count;
  double whole = whole_time(run) * (by_process ? 1 : (double)run->process_count);
  struct report_section section = {
      .key = "process_elements", .title = "by process and element", REPORT_COLUMNS(columns)};
  size_t skipped = by_process ? 0 : 1;
  if (!by_process) {
    section.key = "elements";
    section.title = "by element, all processes together";
    section.columns++;
    section.column_count--;
  }
  report_section(report, &section);
  for (size_t e = 0; e < count; e++) {
    const struct psl_element *element = &elements[e];
    const struct report_cell cells[] = {
        by_process ? cell_word(run->processes[element->process].name) : cell_none(),
        cell_word(element->name),
        cell_word(element->kind),
        cell_count(element->count),
        cell_real(element->time),
        cell_real(element->own),
        cell_real(whole > 0 ? element->own / whole : 0),
        cell_real(element->minimum),
        cell_real(element->maximum),
    };
    report_row(report, cells + skipped);
  }
  report_end(report);
}

/* ---- records and figures ---- */

struct report_cell results_quantity(struct report *report, const struct results *results, size_t r, double value) {
  struct text text = {.arena = report->arena};
  if (!isfinite(value)) return cell_real(value);
  report_quantity(&text, results->types, value, results->record_dimensions[r]);
  return cell_in(cell_shown(cell_real(value), text.data), results->public.records[r].unit);
}

static bool recorded_once(const struct psl_results *run, bool own) {
  for (size_t r = 0; r < run->record_count; r++) {
    if (!own && run->records[r].count != 1) return false;
    for (size_t i = 0; own && i < run->records[r].own_count; i++)
      if (run->records[r].own[i].count != 1) return false;
  }
  return true;
}

/* `of`: who has recorded it, the component or an instance. */
static void put_record(struct report *report, const struct results *results, size_t r, const struct psl_record *record,
                       const char *of) {
  struct report_cell name = cell_word(record->name);
  if (record->level) name.shown = arena_printf(report->arena, "%s, by time", record->name);
  report_row(report, (struct report_cell[]){
                         cell_word(of),
                         name,
                         cell_word(of),
                         cell_flag(record->level),
                         cell_count(record->count),
                         results_quantity(report, results, r, record->mean),
                         results_quantity(report, results, r, record->deviation),
                         results_quantity(report, results, r, record->minimum),
                         results_quantity(report, results, r, record->maximum),
                         results_quantity(report, results, r, record->sum),
                         results_quantity(report, results, r, record->last),
                     });
}

/* Of components, or a row an instance of those that have several. */
static void put_records(struct report *report, const struct results *results, bool own) {
  static const struct report_column several[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"name", "", .names = true},
      {"", "of", .audience = FOR_PEOPLE},
      {"level", NULL, .audience = FOR_PROGRAMS},
      {"count", "count", FIGURE_COUNT},
      {"mean", "mean", FIGURE_NUMBER},
      {"deviation", "deviation", FIGURE_NUMBER},
      {"minimum", "minimum", FIGURE_NUMBER},
      {"maximum", "maximum", FIGURE_NUMBER},
      {"sum", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
      {"last", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
  };
  static const struct report_column once[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"name", "", .names = true},
      {"", "of", .audience = FOR_PEOPLE},
      {"level", NULL, .audience = FOR_PROGRAMS},
      {"count", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS},
      {"mean", "value", FIGURE_NUMBER},
      {"deviation", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
      {"minimum", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
      {"maximum", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
      {"sum", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
      {"last", NULL, FIGURE_NUMBER, NULL, FOR_PROGRAMS},
  };
  const struct psl_results *run = &results->public;
  struct report_section section = {.key = own ? "instance_records" : "records",
                                   .title = own ? "records by instance" : "records",
                                   REPORT_COLUMNS(several),
                                   .kept = !own};
  if (recorded_once(run, own)) section.columns = once;
  report_section(report, &section);
  for (size_t r = 0; r < run->record_count; r++) {
    const struct psl_record *record = &run->records[r];
    if (!own) put_record(report, results, r, record, record->component);
    for (size_t i = 0; own && i < record->own_count; i++)
      put_record(report, results, r, &record->own[i], record->own[i].instance);
  }
  report_end(report);
}

static void put_answer(struct report *report, const struct results *results, const struct psl_asked *asked) {
  const struct psl_results *run = &results->public;
  size_t r = results_answered(run, asked);
  bool known = r != SIZE_MAX;
  report_row(report, (struct report_cell[]){
                         cell_word(asked->component),
                         cell_word(asked->name),
                         cell_word(asked->component),
                         known ? results_quantity(report, results, r, asked->minimum) : cell_none(),
                         known ? results_quantity(report, results, r, asked->maximum) : cell_none(),
                         cell_word(asked->from),
                         cell_word(asked->evidence),
                     });
}

static void put_asked(struct report *report, const struct results *results) {
  static const struct report_column columns[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"name", "", .names = true},
      {"", "of", .audience = FOR_PEOPLE},
      {"minimum", "least", FIGURE_NUMBER},
      {"maximum", "greatest", FIGURE_NUMBER},
      {"from", "answered by"},
      {"evidence", "evidence"},
  };
  static const struct report_section section = {.key = "asked", .title = "asked for", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (size_t a = 0; a < results->public.asked_count; a++)
    put_answer(report, results, &results->public.asked[a]);
  report_end(report);
}

static void put_half_widths(struct report *report, const struct results *results) {
  static const struct report_column columns[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"name", "", .names = true},
      {"", "of", .audience = FOR_PEOPLE},
      {"mean", "mean", FIGURE_NUMBER},
      {"half_width", "half width", FIGURE_NUMBER},
      {"part", "of the mean", FIGURE_NUMBER},
  };
  static const struct report_section section = {
      .key = "intervals", .title = "95 % confidence intervals of means", REPORT_COLUMNS(columns)};
  const struct psl_results *run = &results->public;
  report_section(report, &section);
  for (size_t r = 0; r < run->record_count; r++) {
    const struct psl_record *record = &run->records[r];
    if (isnan(record->half_width)) continue;
    double part = record->half_width / fabs(record->mean);
    report_row(report,
               (struct report_cell[]){
                   cell_word(record->component),
                   cell_word(record->name),
                   cell_word(record->component),
                   results_quantity(report, results, r, record->mean),
                   results_quantity(report, results, r, record->half_width),
                   isfinite(part) ? cell_shown(cell_real(part), arena_printf(report->arena, "%.3g %%", 100 * part))
                                  : cell_none(),
               });
  }
  report_end(report);
}

static void put_quantiles(struct report *report, const struct results *results) {
  static const struct report_column columns[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"record", "", .names = true, .once = true},
      {"", "", .audience = FOR_PEOPLE, .once = true},
      {"name", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"part", "", FIGURE_NUMBER},
      {"value", "", FIGURE_NUMBER},
  };
  static const struct report_section section = {
      .key = "quantiles", .title = "quantiles", REPORT_COLUMNS(columns), .headless = true};
  const struct psl_results *run = &results->public;
  report_section(report, &section);
  for (size_t r = 0; r < run->record_count; r++)
    for (size_t q = 0; q < run->records[r].quantile_count; q++) {
      const struct psl_record *record = &run->records[r];
      double part = record->quantiles[q].part;
      report_row(report, (struct report_cell[]){
                             cell_word(record->component),
                             cell_word(record->name),
                             cell_word(record->component),
                             cell_word(record->quantiles[q].name),
                             cell_shown(cell_real(part), arena_printf(report->arena, "%.6g %%", 100 * part)),
                             results_quantity(report, results, r, record->quantiles[q].value),
                         });
    }
  report_end(report);
}

static void put_histogram_rows(struct report *report, const struct results *results, size_t r) {
  const struct psl_record *record = &results->public.records[r];
  uint64_t most = 1;
  for (size_t k = 0; k < record->class_count; k++)
    if (record->classes[k].count > most) most = record->classes[k].count;
  for (size_t k = 0; k < record->class_count; k++) {
    const struct psl_histogram_class *class = &record->classes[k];
    report_row(report, (struct report_cell[]){
                           cell_word(record->component),
                           cell_word(record->name),
                           cell_count(k),
                           results_quantity(report, results, r, class->low),
                           results_quantity(report, results, r, class->high),
                           cell_count(class->count),
                           cell_real((double)class->count / (double)record->count),
                           cell_real((double)class->count / (double)most),
                       });
  }
}

/* People read a table a record, programs one of all. */
static void put_histograms(struct report *report, const struct results *results) {
  static const struct report_column columns[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"record", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"class", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS, .names = true},
      {"low", "from", FIGURE_NUMBER},
      {"high", "to", FIGURE_NUMBER},
      {"count", "count", FIGURE_COUNT},
      {"", "", FIGURE_SHARE, NULL, FOR_PEOPLE},
      {"", "", FIGURE_BAR, NULL, FOR_PEOPLE},
  };
  const struct psl_results *run = &results->public;
  struct report_section section = {.key = "histograms", REPORT_COLUMNS(columns), .audience = FOR_PROGRAMS};
  report_section(report, &section);
  for (size_t r = 0; r < run->record_count; r++)
    put_histogram_rows(report, results, r);
  report_end(report);
  section.audience = FOR_PEOPLE;
  for (size_t r = 0; r < run->record_count; r++) {
    section.title = arena_printf(report->arena, "%s of %s", run->records[r].name, run->records[r].component);
    report_section(report, &section);
    put_histogram_rows(report, results, r);
    report_end(report);
  }
}

static bool has_unit(const struct psl_figure *figure, const char *unit) { return !strcmp(figure->quantity.unit, unit); }

static struct report_cell figure_cell(struct report *report, const struct psl_figure *figure) {
  double value = figure->quantity.value;
  struct text text = {.arena = report->arena};
  if (has_unit(figure, "s"))
    report_time(&text, value);
  else if (has_unit(figure, "byte"))
    report_data(&text, value);
  else if (figure->whole)
    report_count(&text, (uint64_t)value);
  else
    text_printf(&text, "%.4g %s", value, figure->quantity.unit);
  return cell_in(cell_shown(cell_real(value), text.data), figure->quantity.unit);
}

static void put_figure_rows(struct report *report, const struct psl_results *run, bool all) {
  for (size_t f = 0; f < run->figure_count; f++) {
    const char *name = run->figures[f].name;
    bool above = !strcmp(name, PSL_MESSAGES) || !strcmp(name, PSL_BYTES) ||
                 !strcmp(name, PSL_INTERFACE); /* people see them with the predicted time */
    if (all || !above)
      report_row(report, (struct report_cell[]){cell_word(name), figure_cell(report, &run->figures[f])});
  }
}

static void put_figures(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {{"name", "", .names = true}, {"value", "", FIGURE_NUMBER}};
  struct report_section section = {
      .key = "figures", .title = "counted by evaluators", REPORT_COLUMNS(columns), .headless = true, .kept = true};
  for (int people = 0; people < 2; people++) {
    section.audience = people ? FOR_PEOPLE : FOR_PROGRAMS;
    report_section(report, &section);
    put_figure_rows(report, run, !people);
    report_end(report);
  }
}

/* ---- what it rests on ---- */

static void put_critical(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {{"task", NULL, .names = true},
                                                 {"place", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS}};
  struct report_section section = {
      .key = "critical_path", REPORT_COLUMNS(columns), .layout = LAYOUT_LINES, .kept = true, .limit = LISTED};
  struct text title = {.arena = report->arena};
  text_put(&title, "critical path: ");
  report_count(&title, run->critical_count);
  text_put(&title, run->critical_count == 1 ? " task" : " tasks");
  section.title = title.data;
  report_section(report, &section);
  for (size_t c = 0; c < run->critical_count; c++)
    report_row(report, (struct report_cell[]){cell_word(run->critical[c]), cell_count(c)});
  report_end(report);
}

static void put_params(struct report *report, const char *key, const char *title, const struct psl_param *params,
                       size_t count) {
  static const struct report_column columns[] = {
      {"name", "", .names = true}, {"value", ""}, {"expression", NULL, .audience = FOR_PROGRAMS}};
  report_section(report, &(struct report_section){
                             .key = key, .title = title, REPORT_COLUMNS(columns), .headless = true, .kept = true});
  for (size_t p = 0; p < count; p++) {
    const struct psl_param *param = &params[p];
    const char *shown =
        arena_printf(report->arena, param->expression ? "= %s (%s)" : "= %s", param->value, param->expression);
    report_row(report, (struct report_cell[]){cell_word(param->name), cell_shown(cell_word(param->value), shown),
                                              cell_word(param->expression)});
  }
  report_end(report);
}

static void put_assumptions(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {{"evaluator", NULL, .names = true}, {"text", NULL, .before = ": "}};
  static const struct report_section section = {
      .key = "assumptions", .title = "assumed", REPORT_COLUMNS(columns), .layout = LAYOUT_LINES, .kept = true};
  report_section(report, &section);
  for (size_t a = 0; a < run->assumption_count; a++)
    report_row(report,
               (struct report_cell[]){cell_word(run->assumptions[a].evaluator), cell_word(run->assumptions[a].text)});
  report_end(report);
}

static void put_timing(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {{"figure", NULL, .names = true, .audience = FOR_PROGRAMS},
                                                 {"", "", .audience = FOR_PEOPLE},
                                                 {"value", "", FIGURE_NUMBER}};
  static const struct report_section section = {
      .key = "timing", .title = "on this computer", REPORT_COLUMNS(columns), .headless = true};
  const struct {
    const char *key, *name;
    enum figure figure;
    double value;
    const char *unit;
  } figures[] = {
      {"resolve", "resolving", FIGURE_TIME, run->timing.resolve, "s"},
      {"run", "running", FIGURE_TIME, run->timing.run, "s"},
      {"firing_rate", "firings", FIGURE_RATE, (double)run->firings / run->timing.run, "s^-1"},
      {"event_rate", "events", FIGURE_RATE, (double)run->events / run->timing.run, "s^-1"},
      {"instances", "instances", FIGURE_COUNT, (double)run->timing.instances, NULL},
      {"requests", "requests resolved", FIGURE_COUNT, (double)run->timing.requests, NULL},
      {"paired_calls", "calls made two at once", FIGURE_COUNT, (double)run->timing.paired_calls, NULL},
      {"partitions", "partitions", FIGURE_COUNT, (double)run->timing.partitions, NULL},
      {"peak_memory", "memory at the peak", FIGURE_DATA, (double)run->timing.peak_memory, "byte"},
      {"frame_memory", "frames, tokens, queues", FIGURE_DATA, (double)run->timing.frame_memory, "byte"},
  };
  report_section(report, &section);
  for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
    struct text text = {.arena = report->arena};
    struct report_cell value = cell_real(figures[f].value);
    figure_put(&text, figures[f].figure, value.kind == CELL_REAL ? value.real : 0);
    report_row(report, (struct report_cell[]){cell_word(figures[f].key), cell_word(figures[f].name),
                                              cell_in(cell_shown(value, text.data), figures[f].unit)});
  }
  report_end(report);
}

static void put_details(struct report *report, const struct results *results, bool by_rank) {
  const struct psl_results *run = &results->public;
  if (run->queueing) put_network(report, run->queueing);
  put_shares(report, run);
  if (by_rank) report_processes(report, run, 1);
  for (int by_instance = 0; by_instance <= 1; by_instance++) {
    put_resources(report, run, FOR_PROGRAMS, by_instance);
    put_resources(report, run, FOR_PEOPLE, by_instance);
  }
  if (!run->queueing) put_resources_by_class(report, run);
  put_components(report, run);
  put_elements(report, run, false);
  if (by_rank) put_elements(report, run, true);
  put_asked(report, results);
  put_records(report, results, false);
  if (by_rank) put_records(report, results, true);
  put_half_widths(report, results);
  put_quantiles(report, results);
  put_histograms(report, results);
  put_figures(report, run);
  put_critical(report, run);
}

void report_details(struct report *report, const struct results *results) {
  put_details(report, results, false);
  put_assumptions(report, &results->public);
}

void report_run(struct report *report, const struct results *results, const struct psl_report_options *options) {
  const struct psl_results *run = &results->public;
  report->title = run->system;
  put_makespan(report, run);
  put_too_short(report, run);
  put_origin(report, run);
  if (run->queueing) put_solver(report, run->queueing);
  put_end(report, run);
  put_assertions(report, run);
  put_counts(report, run);
  put_waiting(report, run);
  put_details(report, results, options->by_rank);
  put_params(report, "params_set", "params set", run->set, run->set_count);
  if (run->unset_count) put_params(report, "params_unset", "by default", run->unset, run->unset_count);
  put_assumptions(report, run);
  if (options->timing) put_timing(report, run);
  if (run->host_time_count) report_host_times(report, run);
}
