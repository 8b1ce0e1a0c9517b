/* The report of a run as CSV (RFC 4180): one tidy table, a figure a line, all digits, base units. */
#include "interp/report/report.h"

#include <string.h>

void csv_field(struct text *out, const char *field) {
  if (!strpbrk(field, ",\"\r\n")) {
    text_put(out, field);
    return;
  }
  text_char(out, '"');
  for (; *field; field++) {
    if (*field == '"') text_char(out, '"');
    text_char(out, *field);
  }
  text_char(out, '"');
}

static void put_head(struct text *out, const char *table, const char *name, const char *quantity) {
  csv_field(out, table);
  text_char(out, ',');
  csv_field(out, name);
  text_char(out, ',');
  csv_field(out, quantity);
  text_char(out, ',');
}

static void put_figure(struct output *out, const char *table, const char *name, const char *quantity, double value,
                       const char *unit) {
  put_head(&out->text, table, name, quantity);
  text_number(&out->text, value);
  text_char(&out->text, ',');
  csv_field(&out->text, unit);
  text_char(&out->text, '\n');
  output_pass(out);
}

static void put_count(struct output *out, const char *table, const char *name, const char *quantity, uint64_t count,
                      const char *unit) {
  put_head(&out->text, table, name, quantity);
  text_printf(&out->text, "%llu,%s\n", (unsigned long long)count, unit);
}

static void put_string(struct output *out, const char *table, const char *name, const char *quantity,
                       const char *value) {
  put_head(&out->text, table, name, quantity);
  csv_field(&out->text, value);
  text_put(&out->text, ",\n");
}

static void put_share(struct output *out, const char *table, const char *name, const struct psl_share *share) {
  put_figure(out, table, name, "compute", share->compute, "s");
  put_figure(out, table, name, "communicate", share->communicate, "s");
  put_figure(out, table, name, "wait", share->wait, "s");
}

static void put_record(struct output *out, const struct psl_record *record) {
  const char *name =
      *record->component ? arena_printf(out->text.arena, "%s.%s", record->component, record->name) : record->name;
  put_count(out, "record", name, "count", record->count, "");
  put_figure(out, "record", name, "sum", record->sum, record->unit);
  put_figure(out, "record", name, "mean", record->mean, record->unit);
  put_figure(out, "record", name, "deviation", record->deviation, record->unit);
  put_figure(out, "record", name, "minimum", record->minimum, record->unit);
  put_figure(out, "record", name, "maximum", record->maximum, record->unit);
  put_figure(out, "record", name, "last", record->last, record->unit);
  for (size_t q = 0; q < record->quantile_count; q++)
    put_figure(out, "record", name, record->quantiles[q].name, record->quantiles[q].value, record->unit);
  for (size_t k = 0; k < record->class_count; k++) {
    put_figure(out, "record", name, arena_printf(out->text.arena, "class_%zu_low", k), record->classes[k].low,
               record->unit);
    put_figure(out, "record", name, arena_printf(out->text.arena, "class_%zu_high", k), record->classes[k].high,
               record->unit);
    put_count(out, "record", name, arena_printf(out->text.arena, "class_%zu_count", k), record->classes[k].count, "");
  }
}

static void put_element(struct output *out, const struct psl_results *run, const struct psl_element *element) {
  const char *name = element->name;
  const char *table = element->process == PSL_ALL_PROCESSES ? "element" : "process element";
  if (element->process != PSL_ALL_PROCESSES)
    name = arena_printf(out->text.arena, "%s.%s", run->processes[element->process].name, name);
  put_string(out, table, name, "kind", element->kind);
  put_count(out, table, name, "count", element->count, "");
  put_figure(out, table, name, "time", element->time, "s");
  put_figure(out, table, name, "own", element->own, "s");
  put_figure(out, table, name, "minimum", element->minimum, "s");
  put_figure(out, table, name, "maximum", element->maximum, "s");
}

static void put_estimate(struct output *out, const struct psl_queueing *network, const char *table, const char *name,
                         const char *quantity, const struct psl_estimate *estimate, const char *unit) {
  put_figure(out, table, name, quantity, estimate->value, unit);
  if (!network->bounds && !network->intervals) return;
  put_figure(out, table, name, arena_printf(out->text.arena, "%s_low", quantity), estimate->low, unit);
  put_figure(out, table, name, arena_printf(out->text.arena, "%s_high", quantity), estimate->high, unit);
}

static void put_cell(struct output *out, const struct psl_queueing *network, size_t i) {
  const struct psl_queueing_cell *cell = &network->cells[i];
  if (cell->visits <= 0) return;
  const char *name = arena_printf(out->text.arena, "%s, %s", network->stations[i / network->class_count].name,
                                  network->classes[i % network->class_count].name);
  put_figure(out, "class at station", name, "visits", cell->visits, "");
  put_estimate(out, network, "class at station", name, "throughput", &cell->throughput, "1/s");
  put_estimate(out, network, "class at station", name, "response", &cell->response, "s");
  put_estimate(out, network, "class at station", name, "queue", &cell->queue, "");
  put_estimate(out, network, "class at station", name, "utilisation", &cell->utilisation, "");
}

static void put_queueing(struct output *out, const struct psl_results *run, const struct psl_queueing *network) {
  put_string(out, "result", run->system, "solver", network->solver);
  put_string(out, "result", run->system, "approximation", network->approximation ? network->approximation : "");
  put_count(out, "result", run->system, "iterations", network->iterations, "");
  put_figure(out, "result", run->system, "residual", network->residual, "");
  if (network->intervals) {
    put_figure(out, "result", run->system, "confidence", network->confidence, "");
    put_count(out, "result", run->system, "replications", network->replications, "");
    put_figure(out, "result", run->system, "warm_up", network->begin, "s");
    put_figure(out, "result", run->system, "simulated", network->end, "s");
  }
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    if (class->open)
      put_figure(out, "class", class->name, "arrivals", class->rate, "1/s");
    else
      put_count(out, "class", class->name, "population", class->population, "");
    put_figure(out, "class", class->name, "think", class->think, "s");
    put_estimate(out, network, "class", class->name, "throughput", &class->throughput, "1/s");
    put_estimate(out, network, "class", class->name, "response", &class->response, "s");
  }
  if (network->bounds) return;
  for (size_t k = 0; k < network->station_count; k++) {
    const struct psl_queueing_station *station = &network->stations[k];
    put_estimate(out, network, "station", station->name, "throughput", &station->throughput, "1/s");
    put_estimate(out, network, "station", station->name, "queue", &station->queue, "");
    put_estimate(out, network, "station", station->name, "utilisation", &station->utilisation, "");
  }
  for (size_t i = 0; i < network->station_count * network->class_count; i++)
    put_cell(out, network, i);
}

void report_csv(struct output *out, const struct results *results, const struct psl_report_options *options) {
  const struct psl_results *run = &results->public;
  text_put(&out->text, "table,name,quantity,value,unit\n");
  put_figure(out, "result", run->system, "makespan", run->makespan.value, run->makespan.unit);
  if (run->uncertain) {
    put_figure(out, "result", run->system, "makespan_low", run->makespan_low.value, run->makespan_low.unit);
    put_figure(out, "result", run->system, "makespan_high", run->makespan_high.value, run->makespan_high.unit);
  }
  if (run->messages_counted) {
    put_count(out, "result", run->system, "messages", run->messages, "");
    put_count(out, "result", run->system, "bytes", run->bytes, "byte");
  }
  put_string(out, "result", run->system, "stop", run->stop);
  put_string(out, "result", run->system, "evidence", run->evidence);
  put_string(out, "result", run->system, "model", run->model);
  put_count(out, "result", run->system, "firings", run->firings, "");
  put_count(out, "result", run->system, "processes", run->process_count, "");
  put_share(out, "share", "mean", &run->mean);
  put_share(out, "share", "maximum", &run->maximum);
  for (size_t c = 0; c < run->component_count; c++) {
    put_count(out, "component", run->components[c].name, "firings", run->components[c].firings, "");
    put_share(out, "component", run->components[c].name, &run->components[c].share);
  }
  for (size_t e = 0; e < run->element_count; e++)
    put_element(out, run, &run->elements[e]);
  for (size_t e = 0; options->by_rank && e < run->process_element_count; e++)
    put_element(out, run, &run->process_elements[e]);
  for (size_t r = 0; r < run->record_count; r++)
    put_record(out, &run->records[r]);
  for (size_t f = 0; f < run->figure_count; f++)
    put_figure(out, "evaluator", run->figures[f].name, "value", run->figures[f].quantity.value,
               run->figures[f].quantity.unit);
  if (run->queueing) put_queueing(out, run, run->queueing);
  for (size_t p = 0; p < run->set_count; p++)
    put_string(out, "param", run->set[p].name, "value", run->set[p].value);
  if (options->by_rank) {
    for (size_t p = 0; p < run->process_count; p++) {
      put_share(out, "process", run->processes[p].name, &run->processes[p].share);
      put_figure(out, "process", run->processes[p].name, "end", run->processes[p].end, "s");
    }
  }
  if (options->timing) {
    put_figure(out, "timing", "", "resolve", run->timing.resolve, "s");
    put_figure(out, "timing", "", "run", run->timing.run, "s");
    put_count(out, "timing", "", "peak_memory", run->timing.peak_memory, "byte");
    put_count(out, "timing", "", "frame_memory", run->timing.frame_memory, "byte");
  }
}
