/* psl derive: what processes spend their own time for, as expressions in the params, written in a format, beside a run
 * if there is one. */
#include "interp/check/check.h"
#include "interp/derive/derive.h"
#include "interp/library/handle.h"

#include <math.h>
#include <string.h>

struct derive_given {
  const char *system;
  const struct psl_derive_options *options;
  psl_write *write;
  void *user;
};

/* ---- ranges ---- */

struct range_given {
  const char *name;
  double low, high;
};

static struct symbol *param_called(struct psl *psl, const char *name) {
  for (uint32_t k = 0; k < psl->model.param_count; k++)
    if (!strcmp(psl->model.params[k]->name->text, name)) return psl->model.params[k];
  return NULL;
}

/* Gives the param a value for a moment, as --set does, so that its range and its dimension count. */
static enum psl_code value_at(struct psl *psl, const char *name, const char *text, double *out) {
  if (!model_set(&psl->model, name, text)) return PSL_MISUSE;
  if (!model_bind(&psl->model)) return PSL_WRONG;
  const struct symbol *param = param_called(psl, name);
  if (!param || (param->value.kind != VALUE_INT && param->value.kind != VALUE_REAL)) {
    diagnostic_misuse(&psl->diagnostics, "a range of '%s' goes from a number to a number", name);
    return PSL_MISUSE;
  }
  *out = param->value.kind == VALUE_INT ? (double)param->value.integer : param->value.real;
  return PSL_OK;
}

static enum psl_code take_range(struct psl *psl, const char *text, struct range_given *out) {
  const char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL;
  if (!equals || !dots || equals == text) {
    diagnostic_misuse(&psl->diagnostics, "a range is written NAME=LOW..HIGH, not '%s'", text);
    return PSL_MISUSE;
  }
  out->name = arena_copy(&psl->work, text, (size_t)(equals - text));
  const char *low = arena_copy(&psl->work, equals + 1, (size_t)(dots - equals - 1));
  const struct symbol *param = param_called(psl, out->name);
  struct text before = {.arena = &psl->work};
  if (param && param->setting) expr_format(&before, param->setting);
  enum psl_code code = value_at(psl, out->name, low, &out->low);
  if (code == PSL_OK) code = value_at(psl, out->name, dots + 2, &out->high);
  if (before.data)
    model_set(&psl->model, out->name, before.data);
  else if (param)
    model_unset(&psl->model, out->name);
  if (code != PSL_OK) return code;
  if (out->low <= out->high) return PSL_OK;
  diagnostic_misuse(&psl->diagnostics, "the range of '%s' ends below its beginning", out->name);
  return PSL_MISUSE;
}

/* A param that nothing derived has in it has no bounds to tell. */
static enum psl_code ranges_met(struct psl *psl, const struct derivation *derivation,
                                const struct derived_range *ranges, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    bool there = false;
    for (uint32_t p = 0; p < derivation->param_count; p++)
      there |= derivation->params[p] == ranges[k].param;
    if (there) continue;
    diagnostic_misuse(&psl->diagnostics, "what is derived does not depend on '%s'", ranges[k].param->name->text);
    return PSL_MISUSE;
  }
  return PSL_OK;
}

static const struct derived_range *ranges_of(struct psl *psl, const struct range_given *given, size_t count) {
  struct derived_range *ranges = ARENA_ARRAY(&psl->work, struct derived_range, count + 1);
  for (size_t k = 0; k < count; k++)
    ranges[k] = (struct derived_range){param_called(psl, given[k].name), given[k].low, given[k].high};
  return ranges;
}

/* ---- beside a run ---- */

static const struct psl_process *process_called(const struct psl_results *run, const char *name) {
  for (size_t k = 0; k < run->process_count; k++)
    if (!strcmp(run->processes[k].name, name)) return &run->processes[k];
  return NULL;
}

static bool add_compared(struct psl *psl, struct derivation *d, const struct derived *item, uint32_t instance,
                         const struct psl_results *run, struct derived_compared *out) {
  int64_t *indices = ARENA_ARRAY(&psl->work, int64_t, item->index_count + 1);
  struct text name = {.arena = &psl->work};
  graph_instance_print(&name, d->graph, instance);
  const struct psl_process *process = process_called(run, name.data);
  if (!process) return false;
  graph_indices(d->graph, instance, indices);
  *out = (struct derived_compared){
      .process = name.data, .compute = process->share.compute, .communicate = process->share.communicate};
  for (int part = 0; part < COST_PARTS; part++)
    if (!derived_at(d, item, indices, item->costs.part[part], &out->derived[part])) out->derived[part] = NAN;
  return true;
}

static void compare_with(struct psl *psl, struct derivation *d, const struct psl_results *run,
                         struct derived_report *report) {
  struct derived_compared *rows = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t k = 0; k < d->count; k++) {
    const struct derived *item = d->items[k];
    const struct instances *set = &d->graph->instances[item->accept->component->id];
    for (uint32_t i = 0; i < set->count; i++) {
      struct derived_compared row;
      int64_t *indices = ARENA_ARRAY(&psl->work, int64_t, item->index_count + 1);
      graph_indices(d->graph, set->first + i, indices);
      if (item->values && memcmp(indices, item->values, item->index_count * sizeof *indices)) continue;
      if (add_compared(psl, d, item, set->first + i, run, &row)) ARENA_PUSH(&psl->work, rows, count, capacity, row);
    }
  }
  report->compared = rows ? rows : ARENA_NEW(&psl->work, struct derived_compared);
  report->compared_count = count;
}

/* ---- writing ---- */

static void write_functions(struct psl *psl, struct output *out, const struct derived_report *report) {
  struct output raw = {.text.arena = &psl->work, .source = true};
  struct text laid = {.arena = &psl->work};
  derived_psl(&raw, report);
  const struct source *source = source_add(&psl->sources, "derived", raw.text.data, raw.text.size);
  const struct file *file = source ? parse_file(&psl->work, &psl->names, &psl->diagnostics, source) : NULL;
  if (!file || file->broken) return;
  ast_format(&laid, file);
  out->source = true;
  text_put_n(&out->text, laid.data, laid.size);
}

static enum psl_code work_derive(struct psl *psl, void *arguments) {
  const struct derive_given *given = arguments;
  const struct psl_derive_options *options = given->options;
  struct range_given *ranges = ARENA_ARRAY(&psl->work, struct range_given, options->range_count + 1);
  if (!handle_model(psl)) return PSL_MISUSE;
  if (options->range_count > RANGES_MOST) {
    diagnostic_misuse(&psl->diagnostics, "bounds are of a box of at most %d ranges", RANGES_MOST);
    return PSL_MISUSE;
  }
  for (size_t k = 0; k < options->range_count; k++) {
    enum psl_code code = take_range(psl, options->ranges[k], &ranges[k]);
    if (code != PSL_OK) return code;
  }
  struct graph *graph = handle_resolve(psl, given->system, &(struct resolve_options){0});
  if (!graph) return PSL_WRONG;
  struct derive_options how = {.section = options->section,
                               .process = options->process,
                               .memory = options->memory,
                               .memory_count = options->memory_count,
                               .decide = options->decide,
                               .ranges = ranges_of(psl, ranges, options->range_count),
                               .range_count = (uint32_t)options->range_count};
  struct derivation *derivation = derive(graph, &psl->work, &how);
  if (!derivation) return psl->diagnostics.misuse ? PSL_MISUSE : PSL_WRONG;
  const char *path = psl->model.files[0]->source->path, *slash = strrchr(path, '/');
  struct derived_report report = {.derivation = derivation, .arena = &psl->work, .model = slash ? slash + 1 : path};
  enum psl_code code = ranges_met(psl, derivation, how.ranges, how.range_count);
  if (code != PSL_OK) return code;
  report.ranges = how.ranges;
  report.range_count = how.range_count;
  if (options->run) compare_with(psl, derivation, options->run, &report);
  struct output out;
  output_open(&out, &psl->work, given->write, given->user);
  switch (options->format) {
  case PSL_DERIVE_TEXT: derived_text(&out, &report); break;
  case PSL_DERIVE_LATEX: derived_latex(&out, &report); break;
  case PSL_DERIVE_PSL: write_functions(psl, &out, &report); break;
  case PSL_DERIVE_JSON: derived_json(&out, &report); break;
  }
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_derive(struct psl *psl, const char *system, const struct psl_derive_options *options,
                         psl_write *write, void *user) {
  struct derive_given given = {.system = system, .options = options, .write = write, .user = user};
  return handle_enter(psl, work_derive, &given);
}
