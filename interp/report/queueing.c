/* A queueing network in the report for people: by whom it was solved, then a table a kind of row: classes,
 * stations, classes at stations. Called by report.c. */
#include "interp/report/report.h"
#include "interp/report/table.h"

#include <math.h>
#include <string.h>

static void put_rate(struct text *out, double rate) {
  number_print(out, rate, 4);
  text_put(out, " /s");
}

static void put_plain(struct text *out, double number) { number_print(out, number, 4); }

static void put_part(struct text *out, double part) { text_printf(out, "%.2f %%", 100 * part); }

typedef void put_figure(struct text *out, double value);

static void cell(struct table *table, put_figure *put, double value) {
  struct text text = {.arena = table->arena};
  put(&text, value);
  table_cell(table, text.data);
}

/* A figure, and behind it half of its confidence interval where it has one. */
static void cell_estimate(struct table *table, const struct psl_queueing *network, put_figure *put,
                          const struct psl_estimate *estimate) {
  if (isfinite(estimate->value))
    cell(table, put, estimate->value);
  else
    table_cell(table, "-");
  if (!network->intervals) return;
  struct text text = {.arena = table->arena};
  double half = (estimate->high - estimate->low) / 2;
  if (isfinite(half)) text_put(&text, "+-"), put(&text, half);
  table_cell(table, isfinite(half) ? text.data : "");
}

/* "lr" and so on; each `e` is an estimate: a column, or two where there are intervals. */
static void open(struct table *table, struct output *out, const struct psl_queueing *network, const char *title,
                 const char *columns, const char *const *heads) {
  struct text align = {.arena = out->text.arena};
  text_printf(&out->text, "\n%s\n", title);
  for (const char *c = columns; *c; c++)
    text_put(&align, *c != 'e' ? *c == 'l' ? "l" : "r" : network->intervals ? "rl" : "r");
  table_open(table, out->text.arena, align.data);
  for (size_t i = 0; columns[i]; i++) {
    table_cell(table, heads[i]);
    if (columns[i] == 'e' && network->intervals) table_cell(table, "");
  }
}

static void put_class(struct table *table, const struct psl_queueing *network, const struct psl_queueing_class *class) {
  struct text customers = {.arena = table->arena};
  table_cell(table, class->name);
  if (class->open)
    text_put(&customers, "open");
  else
    report_count(&customers, class->population);
  table_cell(table, customers.data);
  cell(table, report_time, class->think);
  if (network->bounds) {
    cell(table, put_rate, class->throughput.low);
    cell(table, put_rate, class->throughput.high);
    cell(table, report_time, class->response.low);
    cell(table, report_time, class->response.high);
  } else {
    cell_estimate(table, network, put_rate, &class->throughput);
    cell_estimate(table, network, report_time, &class->response);
  }
}

static void put_classes(struct output *out, const struct psl_queueing *network) {
  static const char *const heads[] = {"", "customers", "think", "throughput", "response"};
  static const char *const bounds[] = {"", "customers", "think", "throughput >=", "<=", "response >=", "<="};
  struct table table;
  open(&table, out, network, "by class", network->bounds ? "lrrrrrr" : "lrree", network->bounds ? bounds : heads);
  for (size_t c = 0; c < network->class_count; c++)
    put_class(&table, network, &network->classes[c]);
  table_print(&table, &out->text, "  ");
}

static void cell_busy(struct table *table, const struct psl_queueing *network, double servers,
                      const struct psl_estimate *utilisation) {
  if (isfinite(servers)) {
    cell_estimate(table, network, put_part, utilisation);
    return;
  }
  table_cell(table, "");
  if (network->intervals) table_cell(table, "");
}

static void put_stations(struct output *out, const struct psl_queueing *network) {
  static const char *const heads[] = {"", "discipline", "servers", "throughput", "queue", "utilisation"};
  struct table table;
  open(&table, out, network, "by station, all classes together", "llreee", heads);
  for (size_t k = 0; k < network->station_count; k++) {
    const struct psl_queueing_station *station = &network->stations[k];
    output_pass(out);
    table_cell(&table, station->name);
    table_cell(&table, station->discipline);
    if (isfinite(station->servers))
      cell(&table, put_plain, station->servers);
    else
      table_cell(&table, "");
    cell_estimate(&table, network, put_rate, &station->throughput);
    cell_estimate(&table, network, put_plain, &station->queue);
    cell_busy(&table, network, station->servers, &station->utilisation);
  }
  table_print(&table, &out->text, "  ");
}

static void put_cells(struct output *out, const struct psl_queueing *network) {
  static const char *const heads[] = {"", "", "visits", "throughput", "response", "queue", "utilisation"};
  struct table table;
  open(&table, out, network, "by station and class, a cycle", "llreeee", heads);
  for (size_t k = 0; k < network->station_count; k++) {
    const char *name = network->stations[k].name;
    for (size_t c = 0; c < network->class_count; c++) {
      const struct psl_queueing_cell *row = &network->cells[k * network->class_count + c];
      if (row->visits <= 0) continue;
      table_cell(&table, name);
      table_cell(&table, network->classes[c].name);
      cell(&table, put_plain, row->visits);
      cell_estimate(&table, network, put_rate, &row->throughput);
      cell_estimate(&table, network, report_time, &row->response);
      cell_estimate(&table, network, put_plain, &row->queue);
      cell_busy(&table, network, network->stations[k].servers, &row->utilisation);
      name = "";
    }
  }
  table_print(&table, &out->text, "  ");
}

void report_queueing_head(struct output *out, const struct psl_queueing *network) {
  struct text *text = &out->text;
  text_printf(text, "solved by       %s%s%s\n", network->solver,
              network->approximation ? ", approximately: "
              : network->bounds      ? ", bounds"
                                     : "",
              network->approximation ? network->approximation : "");
  if (network->intervals) {
    text_printf(text, "intervals       of %g %% confidence, ", 100 * network->confidence);
    if (network->replications > 1) {
      text_put(text, "over ");
      report_count(text, network->replications);
      text_put(text, " replications, the first ");
    }
    text_put(text, "from ");
    report_time(text, network->begin);
    text_put(text, " to ");
    report_time(text, network->end);
    text_char(text, '\n');
  }
  if (!network->iterations) return;
  text_put(text, "iterations      ");
  report_count(text, network->iterations);
  text_put(text, ", residual ");
  text_printf(text, "%.1e customers\n", network->residual);
}

void report_queueing(struct output *out, const struct psl_queueing *network) {
  put_classes(out, network);
  if (network->bounds) return;
  put_stations(out, network);
  put_cells(out, network);
}

/* ---- several runs side by side ---- */

/* A figure and what is known of its error: half of its interval, or what it is at most. */
static void cells_compared(struct table *table, const struct psl_queueing *network, put_figure *put,
                           const struct psl_estimate *estimate) {
  struct text second = {.arena = table->arena};
  double half = (estimate->high - estimate->low) / 2;
  if (!isfinite(estimate->value))
    table_cell(table, "-");
  else
    cell(table, put, network->bounds ? estimate->low : estimate->value);
  if (network->bounds)
    text_put(&second, "to "), put(&second, estimate->high);
  else if (network->intervals && isfinite(half))
    text_put(&second, "+-"), put(&second, half);
  table_cell(table, second.data ? second.data : "");
}

static const struct psl_queueing_class *class_named(const struct psl_queueing *network, const char *name) {
  for (size_t c = 0; c < network->class_count; c++)
    if (!strcmp(network->classes[c].name, name)) return &network->classes[c];
  return NULL;
}

static const struct psl_queueing_station *station_named(const struct psl_queueing *network, const char *name) {
  for (size_t s = 0; s < network->station_count && !network->bounds; s++)
    if (!strcmp(network->stations[s].name, name)) return &network->stations[s];
  return NULL;
}

static const struct psl_queueing *network_of(const struct comparison *comparison, size_t r) {
  return comparison->rows[r] ? comparison->rows[r]->public.queueing : NULL;
}

static void compare_classes(struct output *out, const struct comparison *comparison, const struct psl_queueing *first) {
  struct table table;
  text_put(&out->text, "\nby class\n");
  table_open(&table, out->text.arena, "llrlrl");
  const char *heads[] = {"", comparison->param, "throughput", "", "response", ""};
  for (size_t i = 0; i < table.columns; i++)
    table_cell(&table, heads[i]);
  for (size_t c = 0; c < first->class_count; c++)
    for (size_t r = 0, shown = 0; r < comparison->count; r++) {
      const struct psl_queueing *network = network_of(comparison, r);
      const struct psl_queueing_class *class = network ? class_named(network, first->classes[c].name) : NULL;
      if (!class) continue;
      table_cell(&table, shown++ ? "" : class->name);
      table_cell(&table, comparison->values[r]);
      cells_compared(&table, network, put_rate, &class->throughput);
      cells_compared(&table, network, report_time, &class->response);
    }
  table_print(&table, &out->text, "  ");
}

static void compare_stations(struct output *out, const struct comparison *comparison,
                             const struct psl_queueing *first) {
  struct table table;
  text_put(&out->text, "\nby station, all classes together\n");
  table_open(&table, out->text.arena, "llrlrlrl");
  const char *heads[] = {"", comparison->param, "throughput", "", "queue", "", "utilisation", ""};
  for (size_t i = 0; i < table.columns; i++)
    table_cell(&table, heads[i]);
  for (size_t s = 0; s < first->station_count; s++)
    for (size_t r = 0, shown = 0; r < comparison->count; r++) {
      const struct psl_queueing *network = network_of(comparison, r);
      const struct psl_queueing_station *station = network ? station_named(network, first->stations[s].name) : NULL;
      if (!station) continue;
      table_cell(&table, shown++ ? "" : station->name);
      table_cell(&table, comparison->values[r]);
      cells_compared(&table, network, put_rate, &station->throughput);
      cells_compared(&table, network, put_plain, &station->queue);
      if (isfinite(station->servers)) {
        cells_compared(&table, network, put_part, &station->utilisation);
      } else {
        table_cell(&table, "");
        table_cell(&table, "");
      }
      output_pass(out);
    }
  table_print(&table, &out->text, "  ");
}

void compare_queueing(struct output *out, const struct comparison *comparison) {
  const struct psl_queueing *first = NULL;
  bool stations = false;
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_queueing *network = network_of(comparison, r);
    if (!first) first = network;
    stations |= network && !network->bounds;
  }
  if (!first) return;
  compare_classes(out, comparison, first);
  if (stations) compare_stations(out, comparison, first);
}
