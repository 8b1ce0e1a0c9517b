/* The report of a run as JSON: all digits, base units, the same bytes each time. */
#include "interp/report/report.h"

#include <math.h>

static void put_key(struct text *out, const char *key) {
  text_json(out, key);
  text_put(out, ": ");
}

static void put_string(struct text *out, const char *key, const char *value) {
  put_key(out, key);
  if (value)
    text_json(out, value);
  else
    text_put(out, "null");
}

/* JSON has no infinity. */
static void put_number(struct text *out, double value) {
  if (isfinite(value))
    text_number(out, value);
  else
    text_put(out, "null");
}

static void put_quantity(struct text *out, const char *key, double value, const char *unit) {
  put_key(out, key);
  text_put(out, "{\"value\": ");
  put_number(out, value);
  text_put(out, ", ");
  put_string(out, "unit", unit);
  text_char(out, '}');
}

static void put_count(struct text *out, const char *key, uint64_t count) {
  put_key(out, key);
  text_printf(out, "%llu", (unsigned long long)count);
}

static void put_share(struct text *out, const struct psl_share *share) {
  put_quantity(out, "compute", share->compute, "s");
  text_put(out, ", ");
  put_quantity(out, "communicate", share->communicate, "s");
  text_put(out, ", ");
  put_quantity(out, "wait", share->wait, "s");
}

/* ,\n  "key": [ ... rows, each begun by next_row ... ] */
static void open_table(struct text *out, const char *key) {
  text_put(out, ",\n  ");
  put_key(out, key);
  text_char(out, '[');
}

static void next_row(struct output *out, size_t row) {
  output_pass(out);
  text_put(&out->text, row ? ",\n    {" : "\n    {");
}

static void close_table(struct text *out, size_t rows) { text_put(out, rows ? "\n  ]" : "]"); }

static void put_processes(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  open_table(text, "processes");
  for (size_t p = 0; p < run->process_count; p++) {
    next_row(out, p);
    put_string(text, "name", run->processes[p].name);
    text_put(text, ", ");
    put_share(text, &run->processes[p].share);
    text_put(text, ", ");
    put_quantity(text, "end", run->processes[p].end, "s");
    text_char(text, '}');
  }
  close_table(text, run->process_count);
}

static void put_components(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  open_table(text, "components");
  for (size_t c = 0; c < run->component_count; c++) {
    next_row(out, c);
    put_string(text, "name", run->components[c].name);
    text_put(text, ", ");
    put_count(text, "firings", run->components[c].firings);
    text_put(text, ", ");
    put_share(text, &run->components[c].share);
    text_char(text, '}');
  }
  close_table(text, run->component_count);
}

static void put_elements(struct output *out, const struct psl_results *run, bool by_process) {
  const struct psl_element *elements = by_process ? run->process_elements : run->elements;
  size_t count = by_process ? run->process_element_count : run->element_count;
  struct text *text = &out->text;
  if (!count) return;
  open_table(text, by_process ? "process_elements" : "elements");
  for (size_t e = 0; e < count; e++) {
    const struct psl_element *element = &elements[e];
    const struct {
      const char *key;
      double value;
    } figures[] = {
        {"time", element->time}, {"own", element->own}, {"minimum", element->minimum}, {"maximum", element->maximum}};
    next_row(out, e);
    put_string(text, "name", element->name);
    text_put(text, ", ");
    put_string(text, "kind", element->kind);
    if (by_process) text_put(text, ", "), put_string(text, "process", run->processes[element->process].name);
    text_put(text, ", ");
    put_count(text, "count", element->count);
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
      text_put(text, ", ");
      put_quantity(text, figures[f].key, figures[f].value, "s");
    }
    text_char(text, '}');
  }
  close_table(text, count);
}

/* What a record keeps besides its table. */
static void put_kept(struct text *text, const struct psl_record *record) {
  if (record->level) text_put(text, ", \"level\": true");
  for (size_t q = 0; q < record->quantile_count; q++) {
    text_put(text, q ? ", {" : ", \"quantiles\": [{");
    put_string(text, "name", record->quantiles[q].name);
    text_printf(text, ", \"part\": %.17g, ", record->quantiles[q].part);
    put_quantity(text, "value", record->quantiles[q].value, record->unit);
    text_put(text, q + 1 < record->quantile_count ? "}" : "}]");
  }
  for (size_t k = 0; k < record->class_count; k++) {
    text_put(text, k ? ", {" : ", \"histogram\": [{");
    put_quantity(text, "low", record->classes[k].low, record->unit);
    text_put(text, ", ");
    put_quantity(text, "high", record->classes[k].high, record->unit);
    text_put(text, ", ");
    put_count(text, "count", record->classes[k].count);
    text_put(text, k + 1 < record->class_count ? "}" : "}]");
  }
}

static void put_records(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  open_table(text, "records");
  for (size_t r = 0; r < run->record_count; r++) {
    const struct psl_record *record = &run->records[r];
    const struct {
      const char *key;
      double value;
    } figures[] = {{"sum", record->sum},         {"mean", record->mean},       {"deviation", record->deviation},
                   {"minimum", record->minimum}, {"maximum", record->maximum}, {"last", record->last}};
    next_row(out, r);
    put_string(text, "name", record->name);
    text_put(text, ", ");
    put_string(text, "component", record->component);
    text_put(text, ", ");
    put_count(text, "count", record->count);
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
      text_put(text, ", ");
      put_quantity(text, figures[f].key, figures[f].value, record->unit);
    }
    put_kept(text, record);
    text_char(text, '}');
  }
  close_table(text, run->record_count);
}

static void put_figures(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  open_table(text, "figures");
  for (size_t f = 0; f < run->figure_count; f++) {
    next_row(out, f);
    put_string(text, "name", run->figures[f].name);
    text_put(text, ", \"value\": ");
    put_number(text, run->figures[f].quantity.value);
    text_put(text, ", ");
    put_string(text, "unit", run->figures[f].quantity.unit);
    text_char(text, '}');
  }
  close_table(text, run->figure_count);
}

static void put_estimate(struct text *out, const struct psl_queueing *network, const char *key,
                         const struct psl_estimate *estimate, const char *unit) {
  text_put(out, ", ");
  put_key(out, key);
  text_put(out, "{\"value\": ");
  put_number(out, estimate->value);
  if (network->bounds || network->intervals) {
    text_put(out, ", \"low\": ");
    put_number(out, estimate->low);
    text_put(out, ", \"high\": ");
    put_number(out, estimate->high);
  }
  text_put(out, ", ");
  put_string(out, "unit", unit);
  text_char(out, '}');
}

static void put_classes(struct output *out, const struct psl_queueing *network) {
  struct text *text = &out->text;
  open_table(text, "classes");
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_class *class = &network->classes[c];
    next_row(out, c);
    put_string(text, "name", class->name);
    text_put(text, ", ");
    if (class->open)
      put_quantity(text, "arrivals", class->rate, "1/s");
    else
      put_count(text, "population", class->population);
    text_put(text, ", ");
    put_quantity(text, "think", class->think, "s");
    put_estimate(text, network, "throughput", &class->throughput, "1/s");
    put_estimate(text, network, "response", &class->response, "s");
    text_char(text, '}');
  }
  close_table(text, network->class_count);
}

static void put_stations(struct output *out, const struct psl_queueing *network) {
  struct text *text = &out->text;
  size_t stations = network->bounds ? 0 : network->station_count;
  open_table(text, "stations");
  for (size_t k = 0; k < stations; k++) {
    const struct psl_queueing_station *station = &network->stations[k];
    next_row(out, k);
    put_string(text, "name", station->name);
    text_put(text, ", ");
    put_string(text, "discipline", station->discipline);
    text_put(text, ", \"servers\": ");
    put_number(text, station->servers);
    put_estimate(text, network, "throughput", &station->throughput, "1/s");
    put_estimate(text, network, "queue", &station->queue, "");
    put_estimate(text, network, "utilisation", &station->utilisation, "");
    text_char(text, '}');
  }
  close_table(text, stations);
}

static void put_cells(struct output *out, const struct psl_queueing *network) {
  struct text *text = &out->text;
  size_t rows = 0, cells = network->bounds ? 0 : network->station_count * network->class_count;
  open_table(text, "classes_at_stations");
  for (size_t i = 0; i < cells; i++) {
    const struct psl_queueing_cell *cell = &network->cells[i];
    if (cell->visits <= 0) continue;
    next_row(out, rows++);
    put_string(text, "station", network->stations[i / network->class_count].name);
    text_put(text, ", ");
    put_string(text, "class", network->classes[i % network->class_count].name);
    text_put(text, ", \"visits\": ");
    put_number(text, cell->visits);
    put_estimate(text, network, "throughput", &cell->throughput, "1/s");
    put_estimate(text, network, "response", &cell->response, "s");
    put_estimate(text, network, "queue", &cell->queue, "");
    put_estimate(text, network, "utilisation", &cell->utilisation, "");
    text_char(text, '}');
  }
  close_table(text, rows);
}

static void put_queueing(struct output *out, const struct psl_queueing *network) {
  struct text *text = &out->text;
  text_put(text, ",\n  ");
  put_string(text, "solver", network->solver);
  text_put(text, ",\n  ");
  put_string(text, "approximation", network->approximation);
  text_put(text, ",\n  ");
  put_count(text, "iterations", network->iterations);
  text_put(text, ",\n  \"residual\": ");
  put_number(text, network->residual);
  if (network->intervals) {
    text_put(text, ",\n  \"confidence\": ");
    put_number(text, network->confidence);
    text_put(text, ",\n  ");
    put_count(text, "replications", network->replications);
    text_put(text, ",\n  ");
    put_quantity(text, "warm_up", network->begin, "s");
    text_put(text, ",\n  ");
    put_quantity(text, "simulated", network->end, "s");
  }
  put_classes(out, network);
  put_stations(out, network);
  put_cells(out, network);
}

static void put_waiting(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  open_table(text, "waiting");
  for (size_t w = 0; w < run->waiting_count; w++) {
    const struct psl_waiting *waiting = &run->waiting[w];
    next_row(out, w);
    put_string(text, "name", waiting->name);
    text_put(text, ", ");
    put_string(text, "waits", waiting->text);
    text_put(text, ", ");
    put_string(text, "file", waiting->place.file);
    text_printf(text, ", \"line\": %u, \"column\": %u}", waiting->place.line, waiting->place.column);
  }
  close_table(text, run->waiting_count);
}

static void put_grounds(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  open_table(text, "params_set");
  for (size_t p = 0; p < run->set_count; p++) {
    next_row(out, p);
    put_string(text, "name", run->set[p].name);
    text_put(text, ", ");
    put_string(text, "value", run->set[p].value);
    text_char(text, '}');
  }
  close_table(text, run->set_count);
  open_table(text, "assumptions");
  for (size_t a = 0; a < run->assumption_count; a++) {
    next_row(out, a);
    put_string(text, "evaluator", run->assumptions[a].evaluator);
    text_put(text, ", ");
    put_string(text, "text", run->assumptions[a].text);
    text_char(text, '}');
  }
  close_table(text, run->assumption_count);
}

static void put_critical(struct output *out, const struct psl_results *run) {
  open_table(&out->text, "critical_path");
  for (size_t c = 0; c < run->critical_count; c++) {
    output_pass(out);
    text_put(&out->text, c ? ",\n    " : "\n    ");
    text_json(&out->text, run->critical[c]);
  }
  close_table(&out->text, run->critical_count);
}

static void put_timing(struct text *out, const struct psl_results *run) {
  text_put(out, ",\n  \"timing\": {");
  put_quantity(out, "resolve", run->timing.resolve, "s");
  text_put(out, ", ");
  put_quantity(out, "run", run->timing.run, "s");
  text_put(out, ", ");
  put_quantity(out, "peak_memory", (double)run->timing.peak_memory, "byte");
  text_put(out, ", ");
  put_quantity(out, "frame_memory", (double)run->timing.frame_memory, "byte");
  text_put(out, ", ");
  put_count(out, "instances", run->timing.instances);
  text_put(out, ", ");
  put_count(out, "requests", run->timing.requests);
  text_char(out, '}');
}

void report_json(struct output *out, const struct results *results, const struct psl_report_options *options) {
  const struct psl_results *run = &results->public;
  struct text *text = &out->text;
  text_put(text, "{\n  ");
  put_quantity(text, "makespan", run->makespan.value, run->makespan.unit);
  if (run->uncertain) {
    text_put(text, ",\n  ");
    put_quantity(text, "makespan_low", run->makespan_low.value, run->makespan_low.unit);
    text_put(text, ",\n  ");
    put_quantity(text, "makespan_high", run->makespan_high.value, run->makespan_high.unit);
  }
  text_put(text, ",\n  ");
  if (run->messages_counted) {
    put_count(text, "messages", run->messages);
    text_put(text, ",\n  ");
    put_count(text, "bytes", run->bytes);
  } else {
    text_put(text, "\"messages\": null,\n  \"bytes\": null");
  }
  text_put(text, ",\n  ");
  put_string(text, "stop", run->stop);
  text_put(text, ",\n  ");
  put_string(text, "stop_detail", run->stop_detail);
  text_printf(text, ",\n  \"complete\": %s,\n  ", run->complete ? "true" : "false");
  put_string(text, "evidence", run->evidence);
  text_put(text, ",\n  ");
  put_string(text, "model", run->model);
  text_put(text, ",\n  ");
  put_string(text, "system", run->system);
  text_put(text, ",\n  ");
  put_count(text, "firings", run->firings);
  text_put(text, ",\n  ");
  put_count(text, "events", run->events);
  text_put(text, ",\n  ");
  put_count(text, "process_count", run->process_count);
  text_put(text, ",\n  \"mean\": {");
  put_share(text, &run->mean);
  text_put(text, "},\n  \"maximum\": {");
  put_share(text, &run->maximum);
  text_char(text, '}');
  put_components(out, run);
  put_elements(out, run, false);
  put_records(out, run);
  put_figures(out, run);
  if (run->queueing) put_queueing(out, run->queueing);
  put_waiting(out, run);
  put_critical(out, run);
  put_grounds(out, run);
  if (options->by_rank) put_processes(out, run);
  if (options->by_rank) put_elements(out, run, true);
  if (options->timing) put_timing(text, run);
  text_put(text, "\n}\n");
}
