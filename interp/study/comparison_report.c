/* The report of a comparison: the runs side by side, then what networks of queues and components show of the
 * differences.  Called by psl_compare. */
#include "interp/study/comparison_report.h"
#include "interp/report/json_read.h"
#include "interp/study/study.h"

#include <math.h>
#include <string.h>

double comparison_spread(const struct results *const *rows, size_t count) {
  double smallest = INFINITY, largest = 0;
  size_t known = 0;
  for (size_t r = 0; r < count; r++) {
    if (!rows[r] || !rows[r]->public.complete || isnan(rows[r]->public.makespan.value)) continue;
    smallest = fmin(smallest, rows[r]->public.makespan.value);
    largest = fmax(largest, rows[r]->public.makespan.value);
    known++;
  }
  if (known < 2) return -1;
  return largest == smallest ? 0 : largest / smallest - 1;
}

static const struct psl_results *run_of(const struct comparison *comparison, size_t r) {
  return comparison->rows[r] ? &comparison->rows[r]->public : NULL;
}

/* The first that reached its end, what the others are compared with; else the first; NULL: none. */
static const struct psl_results *first_run(const struct comparison *comparison) {
  const struct psl_results *any = NULL;
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = run_of(comparison, r);
    if (run && run->complete) return run;
    if (!any) any = run;
  }
  return any;
}

/* Of nothing there are no parts. Sums of the same times in another order differ by their last digits. */
static struct report_cell difference(double value, double base) {
  enum { DIGITS = 12 };
  bool same = fabs(value - base) <= base * pow(10, -DIGITS);
  if (base > 0) return same ? cell_shown(cell_real(0), "same") : cell_real(value / base - 1);
  return cell_shown(cell_none(), same ? "same" : base == 0 ? "from 0" : "");
}

static struct report_cell if_known(bool known, struct report_cell cell) { return known ? cell : cell_none(); }

/* A string is for programs as it is. */
static struct report_cell value_cell(const struct report *report, const struct comparison *comparison, size_t r) {
  const char *text = comparison->values[r];
  const char *bare = report->renderer->people ? NULL : json_read_string(report->arena, text);
  return cell_word(bare ? bare : text);
}

/* ---- the runs ---- */

static const char *note_of(struct arena *arena, const struct psl_results *run) {
  const char *unsound = ((const struct results *)run)->unsound, *cut = study_cut_text(run->stop);
  return unsound && cut ? arena_printf(arena, "%s; %s", cut, unsound) : cut ? cut : unsound;
}

/* With half its interval for people, as the figure has it without a sign. */
static struct report_cell mean_cell(struct report *report, struct study_mean mean, enum figure figure) {
  struct report_cell cell = cell_estimate(mean.value, mean.value - mean.half, mean.value + mean.half);
  struct text half = {.arena = report->arena};
  if (!cell.interval) return cell;
  figure_put(&half, figure, mean.half);
  cell.half = half.data;
  return cell;
}

static const double *times_of(const struct comparison *comparison, size_t r) {
  return repeated_times(comparison->repeated[r]);
}

static struct report_cell time_cell(struct report *report, const struct comparison *comparison, size_t r) {
  const struct psl_results *run = run_of(comparison, r);
  if (comparison->repetitions < 2 || isnan(run->makespan.value)) return cell_real(run->makespan.value);
  return mean_cell(report, study_mean_of(times_of(comparison, r), comparison->repetitions), FIGURE_TIME);
}

/* What a mean differs from another one by, as a part of that: repetitions with one seed are pairs. */
static struct study_mean change_of(struct report *report, const double *figures, const double *from, uint64_t count) {
  double *change = ARENA_ARRAY(report->arena, double, count);
  for (uint64_t k = 0; k < count; k++)
    change[k] = figures[k] - from[k];
  return study_ratio(change, from, count);
}

static struct study_mean time_change(struct report *report, const struct comparison *comparison, size_t r) {
  size_t first = 0;
  while (run_of(comparison, first) != first_run(comparison))
    first++;
  return change_of(report, times_of(comparison, r), times_of(comparison, first), comparison->repetitions);
}

static bool has_change(const struct comparison *comparison, size_t r) {
  const struct psl_results *run = run_of(comparison, r), *first = first_run(comparison);
  return comparison->repetitions > 1 && run && run != first && run->complete && first->makespan.value > 0 &&
         !isnan(run->makespan.value);
}

static struct report_cell change_cell(struct report *report, const struct comparison *comparison, size_t r) {
  const struct psl_results *run = run_of(comparison, r), *first = first_run(comparison);
  if (run == first) return cell_shown(cell_none(), "");
  if (has_change(comparison, r)) return mean_cell(report, time_change(report, comparison, r), FIGURE_PART);
  return difference(run->makespan.value, first->makespan.value);
}

static void put_run(struct report *report, const struct comparison *comparison, size_t r) {
  const struct psl_results *run = run_of(comparison, r);
  bool counted = run->messages_counted, pair = has_change(comparison, r);
  report_row(report, (struct report_cell[]){
                         value_cell(report, comparison, r),
                         time_cell(report, comparison, r),
                         if_known(run->uncertain, cell_real(run->makespan_low.value)),
                         if_known(run->uncertain, cell_real(run->makespan_high.value)),
                         change_cell(report, comparison, r),
                         cell_real(run->mean.compute),
                         cell_real(run->mean.communicate),
                         cell_real(run->mean.wait),
                         if_known(counted, cell_count(run->messages)),
                         cell_word(run->evidence),
                         if_known(counted, cell_count(run->bytes)),
                         cell_flag(run->complete),
                         cell_word(run->stop),
                         cell_word(report_too_short(report->arena, run)),
                         if_known(*comparison->warnings[r], cell_list(comparison->warnings[r])),
                         cell_word(note_of(report->arena, run)),
                         if_known(pair, cell_flag(pair && study_is_significant(time_change(report, comparison, r)))),
                     });
}

/* A run that is not whole has no figures to compare. */
static void put_missing(struct report *report, struct report_cell value, const char *why) {
  struct report_cell empty = cell_shown(cell_none(), ""), none = cell_shown(cell_none(), "none");
  report_row(report, (struct report_cell[]){value, none, cell_none(), cell_none(), empty, empty, empty, empty, empty,
                                            cell_shown(cell_none(), why), cell_none(), cell_flag(false), cell_word(why),
                                            cell_none(), cell_none(), cell_none(), cell_none()});
}

static void put_runs(struct report *report, const struct comparison *comparison, const struct psl_results *first) {
  bool repeated =
      comparison->repetitions > 1; /* then the ends of an interval are called as bounds by ranges are else */
  const struct report_column columns[] = {
      {"value", comparison->param, .names = true},
      {"makespan", "predicted", FIGURE_TIME, "s", .estimate = true},
      {repeated ? "bound_low" : "makespan_low", "from", FIGURE_TIME, "s", .optional = true},
      {repeated ? "bound_high" : "makespan_high", "to", FIGURE_TIME, "s", .optional = true},
      {"difference", "difference", FIGURE_DIFFERENCE, .estimate = true},
      {"compute", "compute", FIGURE_TIME, "s", .optional = true},
      {"communicate", "communicate", FIGURE_TIME, "s", .optional = true},
      {"wait", "wait", FIGURE_TIME, "s", .optional = true},
      {"messages", "messages", FIGURE_COUNT, .optional = true},
      {"evidence", "evidence", .common = first && first->complete},
      {"bytes", NULL, FIGURE_DATA, "byte", FOR_PROGRAMS},
      {"complete", NULL, .audience = FOR_PROGRAMS},
      {"stop", NULL, .audience = FOR_PROGRAMS},
      {"too_short", NULL, .audience = FOR_PROGRAMS},
      {"warnings", NULL, .audience = FOR_PROGRAMS},
      {"note", "note", .optional = true, .note = true},
      {"significant", NULL, .audience = FOR_PROGRAMS}, /* of repetitions */
  };
  const struct report_section section = {.key = "runs",
                                         .columns = columns,
                                         .column_count = sizeof columns / sizeof *columns - !repeated,
                                         .kept = true,
                                         .intervals = repeated};
  report_section(report, &section);
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = run_of(comparison, r);
    if (run && run->complete)
      put_run(report, comparison, r);
    else
      put_missing(report, value_cell(report, comparison, r),
                  r >= comparison->begun ? "not run"
                  : run                  ? run->stop
                                         : "error");
  }
  report_end(report);
}

/* How the means and their intervals are to be read, and which differences may be chance. */
static void put_significance(struct report *report, const struct comparison *comparison) {
  struct text values = {.arena = report->arena};
  size_t count = 0;
  if (comparison->repetitions < 2) return;
  report_line(report,
              "\nmeans of %llu runs, with the same seeds under each value; behind +- stands half of a 95 %% confidence "
              "interval",
              (unsigned long long)comparison->repetitions);
  for (size_t r = 0; r < comparison->count; r++)
    if (has_change(comparison, r) && study_is_chance(time_change(report, comparison, r)))
      text_printf(&values, "%s%s", count++ ? ", " : "", comparison->values[r]);
  if (count)
    report_line(report, "not significant at %s = %s: %s", comparison->param, values.data,
                count > 1 ? "the intervals of these differences hold 0" : "the interval of the difference holds 0");
}

/* The warning of that number, over all rows; NULL: there are no more. */
static const char *warning_at(struct arena *arena, const struct comparison *comparison, size_t number, size_t *row) {
  for (*row = 0; *row < comparison->count; ++*row)
    for (const char *at = comparison->warnings[*row], *line; (line = text_next_line(arena, &at));)
      if (!number--) return line;
  return NULL;
}

/* Has the row a warning like it? */
static bool warns_of(struct arena *arena, const struct comparison *comparison, size_t r, const char *warning) {
  for (const char *at = comparison->warnings[r], *line; (line = text_next_line(arena, &at));)
    if (text_alike(line, warning)) return true;
  return false;
}

const char *comparison_warned(struct arena *arena, const struct comparison *comparison, size_t *at) {
  size_t row;
  for (const char *warning; (warning = warning_at(arena, comparison, (*at)++, &row));) {
    struct text values = {.arena = arena};
    size_t count = 0, before = 0, other;
    while (before + 1 < *at && !text_alike(warning_at(arena, comparison, before, &other), warning))
      before++;
    if (before + 1 < *at || study_said_unsound(warning)) continue; /* it has been told, or stands in the rows */
    for (size_t r = row; r < comparison->count; r++)
      if (warns_of(arena, comparison, r, warning))
        text_printf(&values, "%s%s", count++ ? ", " : "", comparison->values[r]);
    if (count == 1) return arena_printf(arena, "warned at %s = %s: %s", comparison->param, values.data, warning);
    return arena_printf(arena, "warned at %zu of %zu values, %s = %s, the first: %s", count, comparison->count,
                        comparison->param, values.data, warning);
  }
  return NULL;
}

/* Who reads the report has not seen what was said when the values were run. */
static void put_warned(struct report *report, const struct comparison *comparison) {
  size_t at = 0;
  bool begun = false;
  for (const char *text; (text = comparison_warned(report->arena, comparison, &at)); begun = true)
    report_line(report, begun ? "%s" : "\n%s", text);
}

/* For what processes wait, where that is known. */
static void put_waits(struct report *report, const struct comparison *comparison) {
  enum { FIRST = 2 };
  uint32_t told = 0;
  for (size_t r = 0; r < comparison->count; r++)
    if (run_of(comparison, r)) told |= results_told(run_of(comparison, r));
  struct report_column columns[FIRST + WAIT_PARTS] = {{"value", comparison->param, .names = true},
                                                      {"wait", "wait", FIGURE_TIME, "s"}};
  const struct report_section section = {.key = "waits",
                                         .title = "for what they wait",
                                         .columns = columns,
                                         .column_count = report_wait_columns(columns, FIRST, told, FOR_ALL)};
  report_section(report, &section);
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = run_of(comparison, r);
    if (!run || !run->complete || !results_told(run)) continue;
    struct report_cell cells[FIRST + WAIT_PARTS] = {value_cell(report, comparison, r), cell_real(run->mean.wait)};
    report_wait_cells(cells, FIRST, told, &run->mean);
    report_row(report, cells);
  }
  report_end(report);
}

/* ---- networks ---- */

static const struct psl_queueing *network_of(const struct comparison *comparison, size_t r) {
  return comparison->rows[r] ? comparison->rows[r]->public.queueing : NULL;
}

/* A figure, and what is known of its error: half of its interval, or what it is at most. */
static struct report_cell *put_estimate(struct report *report, struct report_cell *cells,
                                        const struct psl_queueing *network, enum figure figure,
                                        const struct psl_estimate *estimate) {
  struct text value = {.arena = report->arena}, error = {.arena = report->arena};
  double half = (estimate->high - estimate->low) / 2;
  bool interval = network->intervals && isfinite(half);
  if (network->bounds || isfinite(estimate->value))
    figure_put(&value, figure, network->bounds ? estimate->low : estimate->value);
  if (network->bounds || interval) {
    text_put(&error, network->bounds ? "to " : "+-");
    figure_put(&error, figure, network->bounds ? estimate->high : half);
  }
  *cells++ = network->bounds || interval
                 ? cell_shown(cell_estimate(network->bounds ? NAN : estimate->value, estimate->low, estimate->high),
                              value.data)
                 : cell_real(estimate->value);
  *cells++ = cell_word(error.data);
  return cells;
}

#define ESTIMATE_COLUMN(key, figure, unit) \
  { key, key, figure, unit, .estimate = true }
#define ESTIMATE(key, figure, unit) \
  ESTIMATE_COLUMN(key, figure, unit), { "", "", .audience = FOR_PEOPLE, .half = true }

static void put_class(struct report *report, const struct comparison *comparison, size_t r, const char *name) {
  const struct psl_queueing *network = network_of(comparison, r);
  for (size_t c = 0; network && c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    struct report_cell cells[6] = {cell_word(name), value_cell(report, comparison, r)}, *next = cells + 2;
    if (strcmp(class->name, name)) continue;
    next = put_estimate(report, next, network, FIGURE_RATE, &class->throughput);
    put_estimate(report, next, network, FIGURE_TIME, &class->response);
    report_row(report, cells);
  }
}

/* Has a run before this one a class of that name? */
static bool class_seen(const struct comparison *comparison, size_t before, const char *name) {
  for (size_t r = 0; r < before; r++) {
    const struct psl_queueing *network = network_of(comparison, r);
    for (size_t c = 0; network && c < network->class_count; c++)
      if (!strcmp(network->classes[c].name, name)) return true;
  }
  return false;
}

static void put_classes(struct report *report, const struct comparison *comparison) {
  const struct report_column columns[] = {
      {"name", "", .names = true, .once = true},
      {"value", comparison->param, .names = true},
      ESTIMATE("throughput", FIGURE_RATE, "s^-1"),
      ESTIMATE("response", FIGURE_TIME, "s"),
  };
  const struct report_section section = {.key = "classes", .title = "by class", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (size_t begin = 0; begin < comparison->count; begin++) {
    const struct psl_queueing *network = network_of(comparison, begin);
    for (size_t c = 0; network && c < network->class_count; c++)
      for (size_t r = begin; r < comparison->count && !class_seen(comparison, begin, network->classes[c].name); r++)
        put_class(report, comparison, r, network->classes[c].name);
  }
  report_end(report);
}

static void put_station(struct report *report, const struct comparison *comparison, size_t r, const char *name) {
  const struct psl_queueing *network = network_of(comparison, r);
  for (size_t s = 0; network && !network->bounds && s < network->station_count; s++) {
    const struct psl_queueing_station *station = &network->stations[s];
    struct report_cell cells[8] = {cell_word(name), value_cell(report, comparison, r)}, *next = cells + 2;
    if (strcmp(station->name, name)) continue;
    next = put_estimate(report, next, network, FIGURE_RATE, &station->throughput);
    next = put_estimate(report, next, network, FIGURE_NUMBER, &station->queue);
    put_estimate(report, next, network, FIGURE_PART, &station->utilisation);
    if (!isfinite(station->servers)) next[0].shown = "", next[1] = cell_none(); /* nobody waits there */
    report_row(report, cells);
  }
}

static bool station_seen(const struct comparison *comparison, size_t before, const char *name) {
  for (size_t r = 0; r < before; r++) {
    const struct psl_queueing *network = network_of(comparison, r);
    for (size_t s = 0; network && s < network->station_count; s++)
      if (!strcmp(network->stations[s].name, name)) return true;
  }
  return false;
}

static void put_stations(struct report *report, const struct comparison *comparison) {
  const struct report_column columns[] = {
      {"name", "", .names = true, .once = true},   {"value", comparison->param, .names = true},
      ESTIMATE("throughput", FIGURE_RATE, "s^-1"), ESTIMATE("queue", FIGURE_NUMBER, NULL),
      ESTIMATE("utilisation", FIGURE_PART, NULL),
  };
  const struct report_section section = {
      .key = "stations", .title = "by station, all classes together", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (size_t begin = 0; begin < comparison->count; begin++) {
    const struct psl_queueing *network = network_of(comparison, begin);
    for (size_t s = 0; network && s < network->station_count; s++)
      for (size_t r = begin; r < comparison->count && !station_seen(comparison, begin, network->stations[s].name); r++)
        put_station(report, comparison, r, network->stations[s].name);
  }
  report_end(report);
}

/* ---- percentiles of responses ---- */

struct response { /* of a run */
  const struct psl_queueing *network;
  const struct psl_queueing_response *row;
};

static struct response response_of(const struct comparison *comparison, size_t r,
                                   const struct psl_queueing_response *like) {
  const struct psl_queueing *network = network_of(comparison, r);
  for (size_t k = 0; network && k < network->response_count; k++) {
    const struct psl_queueing_response *row = &network->responses[k];
    if (!strcmp(row->name, like->name) && row->visit == like->visit && row->any == like->any)
      return (struct response){network, row};
  }
  return (struct response){network, NULL};
}

static struct psl_estimate percentile_of(struct response response, double part) {
  for (size_t p = 0; response.row && p < response.network->part_count; p++)
    if (response.network->parts[p] == part) return response.row->percentiles[p];
  return (struct psl_estimate){NAN, NAN, NAN};
}

/* The first run that knows any; its percentiles are the columns. */
static const struct psl_queueing *first_with_responses(const struct comparison *comparison) {
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_queueing *network = network_of(comparison, r);
    if (network && network->response_count) return network;
  }
  return NULL;
}

static void put_response(struct report *report, const struct comparison *comparison, size_t r,
                         const struct psl_queueing *first, const struct psl_queueing_response *like) {
  struct report_cell *cells = ARENA_ARRAY(report->arena, struct report_cell, 3 + 2 * first->part_count),
                     *next = cells + 3;
  struct response response = response_of(comparison, r, like);
  if (!response.row) return;
  cells[0] = cell_word(like->name);
  cells[1] = cell_word(response_kind(like));
  cells[2] = value_cell(report, comparison, r);
  for (size_t p = 0; p < first->part_count; p++) {
    struct psl_estimate percentile = percentile_of(response, first->parts[p]);
    next = put_estimate(report, next, response.network, FIGURE_TIME, &percentile);
  }
  report_row(report, cells);
}

static bool some_fractional(const struct comparison *comparison, const struct psl_queueing_response *like) {
  bool some = false;
  for (size_t r = 0; r < comparison->count && !like->any; r++) {
    const struct psl_queueing_response *row = response_of(comparison, r, like).row;
    some |= row && row->fractional;
  }
  return some;
}

static void put_responses(struct report *report, const struct comparison *comparison) {
  const struct psl_queueing *first = first_with_responses(comparison);
  if (!first) return;
  size_t count = 3 + 2 * first->part_count;
  struct report_column *columns = ARENA_ARRAY(report->arena, struct report_column, count);
  columns[0] = (struct report_column){"name", "", .names = true, .once = true};
  columns[1] = (struct report_column){"of", "of", .names = true, .once = true};
  columns[2] = (struct report_column){"value", comparison->param, .names = true};
  for (size_t p = 0; p < first->part_count; p++) {
    const char *name = quantile_name(report->arena, first->parts[p]);
    columns[3 + 2 * p] = (struct report_column)ESTIMATE_COLUMN(name, FIGURE_TIME, "s");
    columns[4 + 2 * p] = (struct report_column){"", "", .audience = FOR_PEOPLE, .half = true};
  }
  const struct report_section section = {
      .key = "responses", .title = "percentiles of the response", .columns = columns, .column_count = count};
  report_section(report, &section);
  for (size_t k = 0; k < first->response_count; k++)
    for (size_t r = 0; r < comparison->count; r++)
      if (response_known(first, &first->responses[k])) put_response(report, comparison, r, first, &first->responses[k]);
  report_end(report);
  for (size_t k = 0; k < first->response_count; k++)
    if (some_fractional(comparison, &first->responses[k]))
      report_line(report, CYCLES_FRACTIONAL, first->responses[k].name);
}

static void put_networks(struct report *report, const struct comparison *comparison) {
  put_classes(report, comparison);
  put_stations(report, comparison);
  put_responses(report, comparison);
}

/* ---- components ---- */

/* Names of components over all runs, in the order of their first appearance. */
static const char **component_names(const struct comparison *comparison, struct arena *arena, size_t *count) {
  const char **names = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = run_of(comparison, r);
    for (size_t c = 0; run && c < run->component_count; c++) {
      const char *name = run->components[c].name;
      size_t n = 0;
      while (n < *count && strcmp(names[n], name) != 0)
        n++;
      if (n == *count) ARENA_PUSH(arena, names, *count, capacity, name);
    }
  }
  return names;
}

static const struct psl_component *component_named(const struct psl_results *run, const char *name) {
  for (size_t c = 0; run && c < run->component_count; c++)
    if (strcmp(run->components[c].name, name) == 0) return &run->components[c];
  return NULL;
}

static double total_of(const struct psl_component *component) {
  return component->share.compute + component->share.communicate + component->share.wait;
}

static void put_component(struct report *report, const struct comparison *comparison, const char *name) {
  double base = -1; /* of the first that reached its end; negative: none yet */
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = run_of(comparison, r);
    const struct psl_component *component = component_named(run, name);
    if (!component) continue;
    report_row(report,
               (struct report_cell[]){
                   cell_word(name),
                   value_cell(report, comparison, r),
                   cell_count(component->firings),
                   cell_real(component->share.compute),
                   cell_real(component->share.communicate),
                   cell_real(component->share.wait),
                   run->complete && base >= 0 ? difference(total_of(component), base) : cell_shown(cell_none(), ""),
               });
    if (run->complete && base < 0) base = total_of(component);
  }
}

static void put_components(struct report *report, const struct comparison *comparison) {
  const struct report_column columns[] = {
      {"name", "", .names = true, .once = true},
      {"value", comparison->param, .names = true},
      {"firings", "firings", FIGURE_COUNT},
      {"compute", "compute", FIGURE_TIME, "s"},
      {"communicate", "communicate", FIGURE_TIME, "s"},
      {"wait", "wait", FIGURE_TIME, "s"},
      {"difference", "difference", FIGURE_DIFFERENCE},
  };
  const struct report_section section = {
      .key = "components", .title = "by component, all instances together", REPORT_COLUMNS(columns), .kept = true};
  size_t count;
  const char **names = component_names(comparison, report->arena, &count);
  report_section(report, &section);
  for (size_t n = 0; n < count; n++)
    put_component(report, comparison, names[n]);
  report_end(report);
}

/* ---- what is recorded ---- */

static const struct results *results_of(const struct comparison *comparison, size_t r) {
  const struct results *row = comparison->rows[r];
  return row && row->public.complete ? row : NULL;
}

/* SIZE_MAX: it has made none. */
static size_t record_in(const struct results *row, const struct psl_record *like) {
  for (size_t k = 0; row && k < row->public.record_count; k++)
    if (!strcmp(row->public.records[k].name, like->name) && !strcmp(row->public.records[k].component, like->component))
      return k;
  return SIZE_MAX;
}

static bool record_seen(const struct comparison *comparison, size_t before, const struct psl_record *record) {
  for (size_t r = 0; r < before; r++)
    if (record_in(results_of(comparison, r), record) != SIZE_MAX) return true;
  return false;
}

static bool record_has(const struct comparison *comparison, bool *several) {
  bool half = false;
  for (size_t r = 0; r < comparison->count; r++)
    for (size_t k = 0; results_of(comparison, r) && k < comparison->rows[r]->public.record_count; k++) {
      const struct psl_record *record = &comparison->rows[r]->public.records[k];
      if (record->states_time) continue;
      half |= !isnan(record->half_width);
      *several |= record->count != 1;
    }
  return half;
}

static struct report_cell mean_record(struct report *report, const struct results *row, size_t k) {
  const struct psl_record *record = &row->public.records[k];
  double mean = record->mean, half = record->half_width;
  struct report_cell cell = results_quantity(report, row, k, mean);
  if (isnan(half) || cell.kind == CELL_NONE) return cell;
  cell.interval = true;
  cell.low = mean - half;
  cell.high = mean + half;
  cell.half = results_quantity(report, row, k, half).shown;
  return cell;
}

struct record_row { /* a record under a value */
  const struct results *row;
  size_t k;            /* its place there */
  const double *means; /* over repetitions; NULL: some have not made it */
};

static struct record_row record_row(const struct comparison *comparison, size_t r, const struct psl_record *like) {
  const struct results *row = results_of(comparison, r);
  size_t k = record_in(row, like);
  bool repeated = k != SIZE_MAX && comparison->repetitions > 1;
  return (struct record_row){row, k, repeated ? repeated_means(comparison->repeated[r], k) : NULL};
}

static double mean_of(struct record_row at) { return at.row->public.records[at.k].mean; }

/* Of repetitions, from a first mean above 0. */
static bool has_record_change(struct record_row at, struct record_row first) {
  return at.means && first.means && at.row != first.row && mean_of(first) > 0;
}

static struct report_cell record_change(struct report *report, const struct comparison *comparison,
                                        struct record_row at, struct record_row first) {
  if (at.row == first.row) return cell_shown(cell_none(), "");
  if (!has_record_change(at, first)) return difference(mean_of(at), mean_of(first));
  return mean_cell(report, change_of(report, at.means, first.means, comparison->repetitions), FIGURE_PART);
}

/* One record under each value that has it, and in `chance` whose difference from the first may be chance. */
static void put_record(struct report *report, const struct comparison *comparison, size_t begin,
                       const struct psl_record *like, struct text *chance) {
  struct record_row first = record_row(comparison, begin, like);
  for (size_t r = begin; r < comparison->count; r++) {
    struct record_row at = record_row(comparison, r, like);
    struct study_mean change = {NAN, NAN};
    if (at.k == SIZE_MAX) continue;
    bool pair = has_record_change(at, first);
    if (pair) change = change_of(report, at.means, first.means, comparison->repetitions);
    if (pair && study_is_chance(change))
      text_printf(chance, "%s%s of %s at %s", chance->size ? ", " : "", like->name, like->component,
                  comparison->values[r]);
    const struct psl_record *record = &at.row->public.records[at.k];
    struct report_cell name = cell_word(record->name);
    if (record->level) name.shown = arena_printf(report->arena, "%s, by time", record->name);
    report_row(report, (struct report_cell[]){
                           cell_word(record->component),
                           name,
                           cell_word(record->component),
                           value_cell(report, comparison, r),
                           cell_count(record->count),
                           mean_record(report, at.row, at.k),
                           record_change(report, comparison, at, first),
                           if_known(pair, cell_flag(study_is_significant(change))),
                       });
  }
}

/* What says where the time goes stands among the shares. */
static void put_records(struct report *report, const struct comparison *comparison) {
  bool several = false, half = record_has(comparison, &several);
  struct text chance = {.arena = report->arena};
  const struct report_column columns[] = {
      {"component", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"name", "", .names = true, .once = true},
      {"", "of", .audience = FOR_PEOPLE, .once = true},
      {"value", comparison->param, .names = true},
      {"count", "count", FIGURE_COUNT, .audience = several ? FOR_ALL : FOR_PROGRAMS},
      {"mean", several ? "mean" : "value", FIGURE_NUMBER, .estimate = true},
      {"difference", "difference", FIGURE_DIFFERENCE, .estimate = true},
      {"significant", NULL, .audience = FOR_PROGRAMS}, /* of repetitions */
  };
  const struct report_section section = {.key = "records",
                                         .title = "records",
                                         .columns = columns,
                                         .column_count =
                                             sizeof columns / sizeof *columns - (comparison->repetitions < 2),
                                         .intervals = half};
  report_section(report, &section);
  for (size_t r = 0; r < comparison->count; r++)
    for (size_t k = 0; results_of(comparison, r) && k < comparison->rows[r]->public.record_count; k++) {
      const struct psl_record *record = &comparison->rows[r]->public.records[k];
      if (!record->states_time && !record_seen(comparison, r, record))
        put_record(report, comparison, r, record, &chance);
    }
  report_end(report);
  if (chance.size) report_line(report, "not significant, their intervals hold 0: %s", chance.data);
}

/* ---- all ---- */

static void put_spread(struct report *report, const struct comparison *comparison) {
  bool known = comparison->spread >= 0, wanted = comparison->tolerance >= 0;
  struct text text = {.arena = report->arena};
  if (!known) return;
  text_printf(&text, "spread %.3g %%: the largest %s over the smallest, minus 1", 100 * comparison->spread,
              comparison->repetitions > 1 ? "mean" : "prediction");
  if (wanted) text_printf(&text, "; %.3g %% allowed", 100 * comparison->tolerance);
  report_line(report, "\n%s", text.data);
}

void report_comparison(struct report *report, const struct comparison *comparison) {
  const struct psl_results *first = first_run(comparison);
  bool known = comparison->spread >= 0, wanted = comparison->tolerance >= 0;
  const char *model = first ? shown_line(report->arena, first->model) : NULL;
  const char *of = first ? arena_printf(report->arena, ", system %s of %s", first->system, model) : "";
  report_line(report, "%s over %zu value%s%s", comparison->param, comparison->count, comparison->count == 1 ? "" : "s",
              of);
  report_fact(report, &(struct report_fact){.key = "param"}, cell_word(comparison->param));
  report_fact(report, &(struct report_fact){.key = "model"}, cell_word(first ? first->model : NULL));
  report_fact(report, &(struct report_fact){.key = "system"}, cell_word(first ? first->system : NULL));
  report_fact(report, &(struct report_fact){.key = "spread"}, if_known(known, cell_real(comparison->spread)));
  report_fact(report, &(struct report_fact){.key = "tolerance"}, if_known(wanted, cell_real(comparison->tolerance)));
  if (!first) return;
  put_runs(report, comparison, first);
  put_significance(report, comparison);
  put_warned(report, comparison);
  put_waits(report, comparison);
  put_networks(report, comparison);
  put_components(report, comparison);
  put_records(report, comparison);
  put_spread(report, comparison);
}
