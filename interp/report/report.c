/* The report of a run for people: the predicted time first, then where it goes, then what it rests on. */
#include "interp/report/report.h"
#include "interp/report/table.h"

#include <math.h>
#include <string.h>

enum { BAR = 30, LISTED = 10 }; /* characters of a whole bar; lines of a list that may be long */

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

static void cell_percent(struct table *table, double part, double whole) {
  table_cellf(table, "%.1f %%", whole > 0 ? 100 * part / whole : 0);
}

static void heading(struct output *out, const char *title) { text_printf(&out->text, "\n%s\n", title); }

/* "1 task", "4 tasks", "4 processes" */
static void put_count(struct text *out, uint64_t count, const char *noun) {
  size_t length = strlen(noun);
  report_count(out, count);
  text_printf(out, " %s%s", noun, count == 1 ? "" : noun[length - 1] == 's' ? "es" : "s");
}

/* ---- what came out ---- */

static void put_outcome(struct output *out, const struct psl_results *run) {
  struct text *text = &out->text;
  text_put(text, run->complete ? "predicted time  " : "time so far     ");
  report_time(text, run->makespan.value);
  if (run->uncertain) {
    text_put(text, ", from ");
    report_time(text, run->makespan_low.value);
    text_put(text, " to ");
    report_time(text, run->makespan_high.value);
  }
  if (run->queueing) text_put(text, ", the mean response of a cycle");
  text_printf(text, "\nevidence        %s\n", run->evidence);
  text_printf(text, "model           %s, system %s\n", run->model, run->system);
  if (run->queueing) report_queueing_head(out, run->queueing);
  bool said = run->stop_detail && strncmp(run->stop_detail, run->stop, strlen(run->stop)) == 0;
  text_printf(text, "ended by        %s", said ? run->stop_detail : run->stop);
  if (run->stop_detail && !said) text_printf(text, ": %s", run->stop_detail);
  if (run->messages_counted) {
    text_put(text, "\nmessages        ");
    report_count(text, run->messages);
    if (run->messages) {
      text_put(text, ", ");
      report_data(text, (double)run->bytes);
    }
  }
  if (!run->queueing || run->firings) {
    text_put(text, "\nfirings         ");
    report_count(text, run->firings);
  }
  text_char(text, '\n');
}

/* ---- where it goes ---- */

static void put_share(struct table *table, const struct psl_results *run, const char *name, double mean, double maximum,
                      uint32_t slowest) {
  char bar[BAR + 1] = "";
  double part = run->makespan.value > 0 ? mean / run->makespan.value : 0;
  int length = (int)lround(BAR * fmin(fmax(part, 0), 1));
  if (mean > 0 && !length) length = 1;
  memset(bar, '#', (size_t)length);
  table_cell(table, name);
  cell_time(table, mean);
  cell_percent(table, mean, run->makespan.value);
  table_cell(table, bar);
  if (!run->process_count) return; /* nothing to take a maximum over */
  cell_time(table, maximum);
  table_cell(table, maximum > 0 && slowest < run->process_count ? run->processes[slowest].name : "");
}

struct rest { /* a part of the time of processes that is no share of theirs */
  double mean, most;
  uint32_t process; /* that has the most */
};

static void rest_add(struct rest *rest, const struct psl_results *run, uint32_t p, double time) {
  rest->mean += time / (double)run->process_count;
  if (!(time > rest->most)) return;
  rest->most = time;
  rest->process = p;
}

static void put_rest(struct table *table, const struct psl_results *run, const char *name, const struct rest *rest) {
  if (rest->mean > 5e-4 * run->makespan.value) put_share(table, run, name, rest->mean, rest->most, rest->process);
}

static void put_shares(struct output *out, const struct psl_results *run) {
  struct table table;
  struct rest idle = {0}, behind = {0};
  if (run->queueing || run->mean.compute + run->mean.communicate + run->mean.wait == 0) return;
  for (uint32_t p = 0; p < run->process_count; p++) {
    const struct psl_process *process = &run->processes[p];
    rest_add(&behind, run, p, run->makespan.value - process->end);
    rest_add(&idle, run, p, process->end - process->share.compute - process->share.communicate - process->share.wait);
  }
  text_put(&out->text, "\nwhere it goes, ");
  if (run->process_count) {
    text_put(&out->text, "over ");
    put_count(&out->text, run->process_count, "process");
  } else {
    text_put(&out->text, "as the model records it");
  }
  text_char(&out->text, '\n');
  table_open(&table, out->text.arena, run->process_count ? "lrrlrl" : "lrrl");
  const char *heads[] = {"", "mean", "", "", "maximum", "in"};
  for (size_t i = 0; run->process_count && i < table.columns; i++)
    table_cell(&table, heads[i]);
  put_share(&table, run, "compute", run->mean.compute, run->maximum.compute, run->slowest_compute);
  put_share(&table, run, "communicate", run->mean.communicate, run->maximum.communicate, run->slowest_communicate);
  put_share(&table, run, "wait", run->mean.wait, run->maximum.wait, run->slowest_wait);
  put_rest(&table, run, "idle", &idle); /* before it began, and between firings */
  put_rest(&table, run, run->complete ? "ended early" : "behind", &behind);
  table_print(&table, &out->text, "  ");
}

static void put_processes(struct output *out, const struct psl_results *run) {
  struct table table;
  heading(out, "by process");
  table_open(&table, out->text.arena, "lrrrr");
  const char *heads[] = {"", "compute", "communicate", "wait", "end"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    table_cell(&table, heads[i]);
  for (size_t p = 0; p < run->process_count; p++) {
    const struct psl_process *process = &run->processes[p];
    table_cell(&table, process->name);
    cell_time(&table, process->share.compute);
    cell_time(&table, process->share.communicate);
    cell_time(&table, process->share.wait);
    cell_time(&table, process->end);
  }
  table_print(&table, &out->text, "  ");
}

static void put_components(struct output *out, const struct psl_results *run) {
  struct table table;
  if (!run->component_count) return;
  heading(out, "by component, all instances together");
  table_open(&table, out->text.arena, "lrrrr");
  const char *heads[] = {"", "firings", "compute", "communicate", "wait"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    table_cell(&table, heads[i]);
  for (size_t c = 0; c < run->component_count; c++) {
    const struct psl_component *component = &run->components[c];
    table_cell(&table, component->name);
    cell_count(&table, component->firings);
    cell_time(&table, component->share.compute);
    cell_time(&table, component->share.communicate);
    cell_time(&table, component->share.wait);
  }
  table_print(&table, &out->text, "  ");
}

/* ---- elements ---- */

/* Time of an element inside another counts for that one; the share is of the time of all processes. */
static void put_elements(struct output *out, const struct psl_results *run, bool by_process) {
  const struct psl_element *elements = by_process ? run->process_elements : run->elements;
  size_t count = by_process ? run->process_element_count : run->element_count;
  double whole = run->makespan.value * (by_process ? 1 : (double)run->process_count);
  struct table table;
  if (!count) return;
  heading(out, by_process ? "by process and element" : "by element, all processes together");
  table_open(&table, out->text.arena, by_process ? "lllrrrrrr" : "llrrrrrr");
  const char *heads[] = {"", "kind", "executions", "time", "own time", "share", "least", "greatest"};
  if (by_process) table_cell(&table, "");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    table_cell(&table, heads[i]);
  for (size_t e = 0; e < count; e++) {
    const struct psl_element *element = &elements[e];
    if (by_process) table_cell(&table, run->processes[element->process].name);
    table_cell(&table, element->name);
    table_cell(&table, element->kind);
    cell_count(&table, element->count);
    cell_time(&table, element->time);
    cell_time(&table, element->own);
    cell_percent(&table, element->own, whole);
    cell_time(&table, element->minimum);
    cell_time(&table, element->maximum);
  }
  table_print(&table, &out->text, "  ");
}

/* ---- records and figures ---- */

static void cell_quantity(struct table *table, const struct results *results, size_t record, double value) {
  struct text text = {.arena = table->arena};
  quantity_print(&text, results->types, value, results->record_dimensions[record], 4);
  table_cell(table, text.data);
}

static bool recorded_once(const struct psl_results *run) {
  for (size_t r = 0; r < run->record_count; r++)
    if (run->records[r].count != 1) return false;
  return true;
}

static void put_records(struct output *out, const struct results *results) {
  const struct psl_results *run = &results->public;
  struct table table;
  if (!run->record_count) return;
  bool once = recorded_once(run);
  heading(out, "records");
  table_open(&table, out->text.arena, once ? "llr" : "llrrrrr");
  const char *heads[] = {"", "of", once ? "value" : "count", "mean", "deviation", "minimum", "maximum"};
  for (size_t i = 0; i < table.columns; i++)
    table_cell(&table, heads[i]);
  for (size_t r = 0; r < run->record_count; r++) {
    const struct psl_record *record = &run->records[r];
    if (record->level)
      table_cellf(&table, "%s, by time", record->name);
    else
      table_cell(&table, record->name);
    table_cell(&table, record->component);
    if (!once) cell_count(&table, record->count);
    cell_quantity(&table, results, r, record->mean);
    if (once) continue;
    cell_quantity(&table, results, r, record->deviation);
    cell_quantity(&table, results, r, record->minimum);
    cell_quantity(&table, results, r, record->maximum);
  }
  table_print(&table, &out->text, "  ");
}

static void put_quantiles(struct output *out, const struct results *results) {
  const struct psl_results *run = &results->public;
  struct table table;
  table_open(&table, out->text.arena, "llrr");
  for (size_t r = 0; r < run->record_count; r++)
    for (size_t q = 0; q < run->records[r].quantile_count; q++) {
      const struct psl_record *record = &run->records[r];
      table_cell(&table, q ? "" : record->name);
      table_cell(&table, q ? "" : record->component);
      table_cellf(&table, "%.6g %%", 100 * record->quantiles[q].part);
      cell_quantity(&table, results, r, record->quantiles[q].value);
    }
  if (!table.count) return;
  heading(out, "quantiles");
  table_print(&table, &out->text, "  ");
}

static void put_histogram(struct output *out, const struct results *results, size_t r) {
  const struct psl_record *record = &results->public.records[r];
  struct table table;
  uint64_t most = 1;
  text_printf(&out->text, "\n%s of %s\n", record->name, record->component);
  table_open(&table, out->text.arena, "rrrrl");
  const char *heads[] = {"from", "to", "count", "", ""};
  for (size_t i = 0; i < table.columns; i++)
    table_cell(&table, heads[i]);
  for (size_t k = 0; k < record->class_count; k++)
    if (record->classes[k].count > most) most = record->classes[k].count;
  for (size_t k = 0; k < record->class_count; k++) {
    const struct psl_histogram_class *class = &record->classes[k];
    char bar[BAR + 1] = "";
    memset(bar, '#', (size_t)llround((double)class->count / (double)most * BAR));
    cell_quantity(&table, results, r, class->low);
    cell_quantity(&table, results, r, class->high);
    cell_count(&table, class->count);
    cell_percent(&table, (double)class->count, (double)record->count);
    table_cell(&table, bar);
  }
  table_print(&table, &out->text, "  ");
}

static void put_figures(struct output *out, const struct psl_results *run) {
  struct table table;
  table_open(&table, out->text.arena, "lr");
  for (size_t f = 0; f < run->figure_count; f++) {
    const struct psl_figure *figure = &run->figures[f];
    struct text text = {.arena = out->text.arena};
    if (strcmp(figure->name, "messages") == 0 || strcmp(figure->name, "bytes") == 0) continue; /* stand above */
    if (strcmp(figure->quantity.unit, "s") == 0)
      report_time(&text, figure->quantity.value);
    else if (strcmp(figure->quantity.unit, "byte") == 0)
      report_data(&text, figure->quantity.value);
    else if (figure->whole)
      report_count(&text, (uint64_t)figure->quantity.value);
    else
      text_printf(&text, "%.4g %s", figure->quantity.value, figure->quantity.unit);
    table_cell(&table, figure->name);
    table_cell(&table, text.data);
  }
  if (!table.count) return;
  heading(out, "counted by evaluators");
  table_print(&table, &out->text, "  ");
}

/* ---- what it rests on ---- */

static void put_assumptions(struct output *out, const struct psl_results *run) {
  if (!run->assumption_count) return;
  heading(out, "assumed");
  for (size_t a = 0; a < run->assumption_count; a++)
    text_printf(&out->text, "  %s: %s\n", run->assumptions[a].evaluator, run->assumptions[a].text);
}

static void put_settings(struct output *out, const struct psl_results *run) {
  struct table table;
  if (!run->set_count) return;
  heading(out, "params set");
  table_open(&table, out->text.arena, "ll");
  for (size_t p = 0; p < run->set_count; p++) {
    table_cell(&table, run->set[p].name);
    const char *expression = run->set[p].expression;
    table_cellf(&table, expression ? "= %s (%s)" : "= %s", run->set[p].value, expression);
  }
  table_print(&table, &out->text, "  ");
}

static void put_more(struct output *out, size_t count, size_t shown) {
  if (count <= shown) return;
  text_put(&out->text, "  and ");
  report_count(&out->text, count - shown);
  text_put(&out->text, " more\n");
}

static void put_waiting(struct output *out, const struct psl_results *run) {
  if (!run->waiting_count) return;
  heading(out, "waiting");
  for (size_t w = 0; w < run->waiting_count && w < LISTED; w++) {
    const struct psl_waiting *waiting = &run->waiting[w];
    text_printf(&out->text, "  %s waits %s", waiting->name, waiting->text);
    if (waiting->place.file)
      text_printf(&out->text, " (%s:%u:%u)", waiting->place.file, waiting->place.line, waiting->place.column);
    text_char(&out->text, '\n');
  }
  put_more(out, run->waiting_count, LISTED);
}

static void put_critical(struct output *out, const struct psl_results *run) {
  if (!run->critical_count) return;
  text_put(&out->text, "\ncritical path: ");
  put_count(&out->text, run->critical_count, "task");
  text_char(&out->text, '\n');
  for (size_t c = 0; c < run->critical_count && c < LISTED; c++)
    text_printf(&out->text, "  %s\n", run->critical[c]);
  put_more(out, run->critical_count, LISTED);
}

static void put_timing(struct output *out, const struct psl_results *run) {
  struct table table;
  heading(out, "on this computer");
  table_open(&table, out->text.arena, "lr");
  const struct {
    const char *name;
    double rate;
  } rates[] = {{"firings", (double)run->firings / run->timing.run}, {"events", (double)run->events / run->timing.run}};
  table_cell(&table, "resolving");
  cell_time(&table, run->timing.resolve);
  table_cell(&table, "running");
  cell_time(&table, run->timing.run);
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    table_cell(&table, rates[i].name);
    struct text rate = {.arena = out->text.arena};
    report_count(&rate, isfinite(rates[i].rate) ? (uint64_t)rates[i].rate : 0);
    text_put(&rate, " /s");
    table_cell(&table, rate.data);
  }
  table_cell(&table, "instances");
  cell_count(&table, run->timing.instances);
  table_cell(&table, "requests resolved");
  cell_count(&table, run->timing.requests);
  table_cell(&table, "memory at the peak");
  struct text memory = {.arena = out->text.arena};
  report_data(&memory, (double)run->timing.peak_memory);
  table_cell(&table, memory.data);
  if (run->process_count) {
    struct text frames = {.arena = out->text.arena};
    report_data(&frames, round((double)run->timing.frame_memory / (double)run->process_count));
    table_cell(&table, "frames, tokens, queues: of a process");
    table_cell(&table, frames.data);
  }
  table_print(&table, &out->text, "  ");
}

void report_text(struct output *out, const struct results *results, const struct psl_report_options *options) {
  const struct psl_results *run = &results->public;
  put_outcome(out, run);
  put_waiting(out, run);
  if (run->queueing) report_queueing(out, run->queueing);
  put_shares(out, run);
  if (options->by_rank) put_processes(out, run);
  output_pass(out);
  put_components(out, run);
  put_elements(out, run, false);
  if (options->by_rank) put_elements(out, run, true);
  put_records(out, results);
  put_quantiles(out, results);
  for (size_t r = 0; r < run->record_count; r++)
    if (run->records[r].class_count) put_histogram(out, results, r);
  put_figures(out, run);
  put_critical(out, run);
  put_settings(out, run);
  put_assumptions(out, run);
  if (options->timing) put_timing(out, run);
}
