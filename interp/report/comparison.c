/* Several runs of one system side by side, as text, JSON and CSV.  Called by psl_compare. */
#include "interp/report/report.h"
#include "interp/report/table.h"

#include <math.h>
#include <string.h>

double comparison_spread(const struct results *const *rows, size_t count) {
  double smallest = INFINITY, largest = 0;
  size_t known = 0;
  for (size_t r = 0; r < count; r++) {
    if (!rows[r] || !rows[r]->public.complete) continue;
    smallest = fmin(smallest, rows[r]->public.makespan.value);
    largest = fmax(largest, rows[r]->public.makespan.value);
    known++;
  }
  if (known < 2) return -1;
  return largest == smallest ? 0 : largest / smallest - 1;
}

/* The first that reached its end, what the others are compared with; else the first; NULL: none. */
static const struct psl_results *first_run(const struct comparison *comparison) {
  const struct psl_results *any = NULL;
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = comparison->rows[r] ? &comparison->rows[r]->public : NULL;
    if (run && run->complete) return run;
    if (!any) any = run;
  }
  return any;
}

/* Names of components over all runs, in the order of their first appearance. */
static const char **component_names(const struct comparison *comparison, struct arena *arena, size_t *count) {
  const char **names = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t r = 0; r < comparison->count; r++) {
    for (size_t c = 0; comparison->rows[r] && c < comparison->rows[r]->public.component_count; c++) {
      const char *name = comparison->rows[r]->public.components[c].name;
      size_t n = 0;
      while (n < *count && strcmp(names[n], name) != 0)
        n++;
      if (n == *count) ARENA_PUSH(arena, names, *count, capacity, name);
    }
  }
  return names;
}

static const struct psl_component *component_named(const struct results *row, const char *name) {
  for (size_t c = 0; row && c < row->public.component_count; c++)
    if (strcmp(row->public.components[c].name, name) == 0) return &row->public.components[c];
  return NULL;
}

/* Without processes, and where the model records no split either, there is none to show. */
static bool has_shares(const struct psl_results *run) {
  return run->process_count || run->mean.compute + run->mean.communicate + run->mean.wait > 0;
}

/* ---- text ---- */

static void cell_time(struct table *table, double seconds) {
  struct text text = {.arena = table->arena};
  report_time(&text, seconds);
  table_cell(table, text.data);
}

static void cell_count(struct table *table, uint64_t count) {
  struct text text = {.arena = table->arena};
  report_count(&text, count);
  table_cell(table, text.data);
}

static void cells(struct table *table, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    table_cell(table, texts[i]);
}

static void cell_difference(struct table *table, double value, double base) {
  if (base > 0)
    table_cellf(table, "%+.2f %%", 100 * (value / base - 1));
  else
    table_cell(table, "");
}

static void put_totals(struct output *out, const struct comparison *comparison, const struct psl_results *first) {
  struct table table;
  table_open(&table, out->text.arena, "lrrlrrrr");
  const char *heads[] = {comparison->param, "predicted",   "difference", "evidence",
                         "compute",         "communicate", "wait",       "messages"};
  cells(&table, heads, sizeof heads / sizeof *heads);
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = comparison->rows[r] ? &comparison->rows[r]->public : NULL;
    table_cell(&table, comparison->values[r]);
    if (!run || !run->complete) {
      const char *empty[] = {"none", "", r >= comparison->begun ? "not run" : run ? run->stop : "error", "", "",
                             "",     ""};
      cells(&table, empty, sizeof empty / sizeof *empty);
      continue;
    }
    cell_time(&table, run->makespan.value);
    if (run == first)
      table_cell(&table, "");
    else
      cell_difference(&table, run->makespan.value, first->makespan.value);
    table_cell(&table, run->evidence);
    const double means[] = {run->mean.compute, run->mean.communicate, run->mean.wait};
    for (size_t m = 0; m < sizeof means / sizeof *means; m++)
      if (has_shares(run))
        cell_time(&table, means[m]);
      else
        table_cell(&table, "-");
    if (run->messages_counted)
      cell_count(&table, run->messages);
    else
      table_cell(&table, "-");
  }
  table_print(&table, &out->text, "  ");
}

static double total_of(const struct psl_component *component) {
  return component ? component->share.compute + component->share.communicate + component->share.wait : 0;
}

static void put_components(struct output *out, const struct comparison *comparison) {
  struct table table;
  size_t count;
  const char **names = component_names(comparison, out->text.arena, &count);
  if (!count) return;
  text_put(&out->text, "\nby component, all instances together\n");
  table_open(&table, out->text.arena, "llrrrrr");
  const char *heads[] = {"", comparison->param, "firings", "compute", "communicate", "wait", "difference"};
  cells(&table, heads, sizeof heads / sizeof *heads);
  for (size_t n = 0; n < count; n++) {
    double base = -1; /* of the first that reached its end; negative: none yet */
    for (size_t r = 0, shown = 0; r < comparison->count; r++) {
      const struct psl_component *component = component_named(comparison->rows[r], names[n]);
      if (!component) continue;
      table_cell(&table, shown ? "" : names[n]);
      table_cell(&table, comparison->values[r]);
      cell_count(&table, component->firings);
      cell_time(&table, component->share.compute);
      cell_time(&table, component->share.communicate);
      cell_time(&table, component->share.wait);
      bool ended = comparison->rows[r]->public.complete;
      if (ended && base >= 0)
        cell_difference(&table, total_of(component), base);
      else
        table_cell(&table, "");
      if (ended && base < 0) base = total_of(component);
      shown++;
    }
  }
  table_print(&table, &out->text, "  ");
}

void compare_text(struct output *out, const struct comparison *comparison) {
  const struct psl_results *first = first_run(comparison);
  struct text *text = &out->text;
  text_printf(text, "%s over %zu value%s", comparison->param, comparison->count, comparison->count == 1 ? "" : "s");
  if (first) text_printf(text, ", system %s of %s", first->system, first->model);
  text_put(text, "\n\n");
  if (first) put_totals(out, comparison, first);
  if (first) compare_queueing(out, comparison);
  if (first) put_components(out, comparison);
  if (comparison->spread >= 0) {
    text_printf(text, "\nspread %.3g %%: the largest prediction over the smallest, minus 1", 100 * comparison->spread);
    if (comparison->tolerance >= 0) text_printf(text, "; %.3g %% allowed", 100 * comparison->tolerance);
    text_char(text, '\n');
  }
}

/* ---- JSON ---- */

static void put_time(struct text *out, const char *key, double seconds) {
  text_printf(out, ", \"%s\": {\"value\": ", key);
  text_number(out, seconds);
  text_put(out, ", \"unit\": \"s\"}");
}

static void put_share(struct text *out, const struct psl_share *share) {
  put_time(out, "compute", share->compute);
  put_time(out, "communicate", share->communicate);
  put_time(out, "wait", share->wait);
}

static void put_estimate(struct text *out, const char *key, const struct psl_estimate *estimate, const char *unit) {
  const struct {
    const char *key;
    double value;
  } numbers[] = {{"value", estimate->value}, {"low", estimate->low}, {"high", estimate->high}};
  text_printf(out, ", \"%s\": {", key);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    text_printf(out, "\"%s\": ", numbers[i].key);
    if (isfinite(numbers[i].value))
      text_number(out, numbers[i].value);
    else
      text_put(out, "null");
    text_put(out, ", ");
  }
  text_printf(out, "\"unit\": \"%s\"}", unit);
}

static void put_network(struct text *out, const struct psl_queueing *network) {
  text_put(out, ", \"classes\": [");
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    text_put(out, c ? ",\n      {\"name\": " : "\n      {\"name\": ");
    text_json(out, class->name);
    put_estimate(out, "throughput", &class->throughput, "1/s");
    put_estimate(out, "response", &class->response, "s");
    text_char(out, '}');
  }
  text_put(out, "], \"stations\": [");
  for (size_t s = 0; s < network->station_count && !network->bounds; s++) {
    const struct psl_queueing_station *station = &network->stations[s];
    text_put(out, s ? ",\n      {\"name\": " : "\n      {\"name\": ");
    text_json(out, station->name);
    put_estimate(out, "throughput", &station->throughput, "1/s");
    put_estimate(out, "queue", &station->queue, "");
    put_estimate(out, "utilisation", &station->utilisation, "");
    text_char(out, '}');
  }
  text_char(out, ']');
}

static void put_run(struct output *out, const char *value, bool begun, const struct psl_results *run) {
  struct text *text = &out->text;
  text_put(text, "\n    {\"value\": ");
  text_json(text, value);
  if (!run) {
    text_printf(text, ", \"complete\": false, \"stop\": \"%s\"}", begun ? "error" : "not run");
    return;
  }
  put_time(text, "makespan", run->makespan.value);
  if (run->messages_counted)
    text_printf(text, ", \"messages\": %llu, \"bytes\": %llu", (unsigned long long)run->messages,
                (unsigned long long)run->bytes);
  else
    text_put(text, ", \"messages\": null, \"bytes\": null");
  text_printf(text, ", \"complete\": %s", run->complete ? "true" : "false");
  text_printf(text, ", \"evidence\": \"%s\", \"stop\": \"%s\"", run->evidence, run->stop);
  if (has_shares(run)) put_share(text, &run->mean);
  if (run->queueing) put_network(text, run->queueing);
  text_put(text, ", \"components\": [");
  for (size_t c = 0; c < run->component_count; c++) {
    text_put(text, c ? ",\n      {\"name\": " : "\n      {\"name\": ");
    text_json(text, run->components[c].name);
    text_printf(text, ", \"firings\": %llu", (unsigned long long)run->components[c].firings);
    put_share(text, &run->components[c].share);
    text_char(text, '}');
  }
  text_put(text, "]}");
  output_pass(out);
}

void compare_json(struct output *out, const struct comparison *comparison) {
  const struct psl_results *first = first_run(comparison);
  struct text *text = &out->text;
  text_put(text, "{\n  \"param\": ");
  text_json(text, comparison->param);
  text_put(text, ",\n  \"model\": ");
  text_json(text, first ? first->model : "");
  text_put(text, ",\n  \"system\": ");
  text_json(text, first ? first->system : "");
  text_put(text, ",\n  \"spread\": ");
  if (comparison->spread >= 0)
    text_number(text, comparison->spread);
  else
    text_put(text, "null");
  text_put(text, ",\n  \"tolerance\": ");
  if (comparison->tolerance >= 0)
    text_number(text, comparison->tolerance);
  else
    text_put(text, "null");
  text_put(text, ",\n  \"runs\": [");
  for (size_t r = 0; r < comparison->count; r++) {
    if (r) text_char(text, ',');
    put_run(out, comparison->values[r], r < comparison->begun,
            comparison->rows[r] ? &comparison->rows[r]->public : NULL);
  }
  text_put(text, "\n  ]\n}\n");
}

/* ---- CSV ---- */

static void put_line(struct output *out, const char *value, const char *table, const char *name, const char *quantity,
                     double figure, const char *unit) {
  struct text *text = &out->text;
  const char *fields[] = {value, table, name, quantity};
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
    csv_field(text, fields[f]);
    text_char(text, ',');
  }
  text_number(text, figure);
  text_printf(text, ",%s\n", unit);
  output_pass(out);
}

static void put_share_lines(struct output *out, const char *value, const char *table, const char *name,
                            const struct psl_share *share) {
  put_line(out, value, table, name, "compute", share->compute, "s");
  put_line(out, value, table, name, "communicate", share->communicate, "s");
  put_line(out, value, table, name, "wait", share->wait, "s");
}

static void put_estimate_lines(struct output *out, const char *value, const char *table, const char *name,
                               const char *quantity, const struct psl_estimate *estimate, const char *unit) {
  put_line(out, value, table, name, quantity, estimate->value, unit);
  if (estimate->low == estimate->high) return;
  put_line(out, value, table, name, arena_printf(out->text.arena, "%s_low", quantity), estimate->low, unit);
  put_line(out, value, table, name, arena_printf(out->text.arena, "%s_high", quantity), estimate->high, unit);
}

static void put_network_lines(struct output *out, const char *value, const struct psl_queueing *network) {
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    put_estimate_lines(out, value, "class", class->name, "throughput", &class->throughput, "1/s");
    put_estimate_lines(out, value, "class", class->name, "response", &class->response, "s");
  }
  for (size_t s = 0; s < network->station_count && !network->bounds; s++) {
    const struct psl_queueing_station *station = &network->stations[s];
    put_estimate_lines(out, value, "station", station->name, "throughput", &station->throughput, "1/s");
    put_estimate_lines(out, value, "station", station->name, "queue", &station->queue, "");
    put_estimate_lines(out, value, "station", station->name, "utilisation", &station->utilisation, "");
  }
}

void compare_csv(struct output *out, const struct comparison *comparison) {
  csv_field(&out->text, comparison->param);
  text_put(&out->text, ",table,name,quantity,value,unit\n");
  for (size_t r = 0; r < comparison->count; r++) {
    const struct psl_results *run = comparison->rows[r] ? &comparison->rows[r]->public : NULL;
    const char *value = comparison->values[r];
    if (!run) continue;
    put_line(out, value, "result", run->system, "makespan", run->makespan.value, "s");
    if (run->messages_counted) put_line(out, value, "result", run->system, "messages", (double)run->messages, "");
    put_line(out, value, "result", run->system, "bytes", (double)run->bytes, "byte");
    if (has_shares(run)) put_share_lines(out, value, "share", "mean", &run->mean);
    if (run->queueing) put_network_lines(out, value, run->queueing);
    for (size_t c = 0; c < run->component_count; c++) {
      put_line(out, value, "component", run->components[c].name, "firings", (double)run->components[c].firings, "");
      put_share_lines(out, value, "component", run->components[c].name, &run->components[c].share);
    }
  }
}
