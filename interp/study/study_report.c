/* The report of a study, by format, and as CSV (RFC 4180) and JSON lines: all digits, base units. The text is
 * in study_text.c.  Called by psl_study. */
#include "interp/study/study_report.h"

#include <string.h>
#include <time.h>

/* Lines are handed on at least so often, s: who reads them sees them come, and an accident loses few. */
#define HANDED_EVERY 0.1

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void study_report_open(struct study_report *report, struct study_plan *plan, enum psl_format format, psl_write *write,
                       void *user) {
  struct psl *psl = plan->psl;
  *report = (struct study_report){.plan = plan, .format = format, .arena = &psl->handed, .scratch = &psl->work};
  output_open(&report->out, &psl->handed, write, user);
  switch (format) {
  case PSL_TEXT: study_text_head(report); break;
  case PSL_CSV: study_csv_head(report); break;
  case PSL_JSON: break;
  }
}

void study_report_line(struct study_report *report, const struct study_line *line) {
  switch (report->format) {
  case PSL_TEXT: study_text_line(report, line); break;
  case PSL_CSV: study_csv_line(report, line); break;
  case PSL_JSON: study_json_line(report, line); break;
  }
  if (report->format == PSL_TEXT) return;
  double now = clock_now();
  if (now - report->handed < HANDED_EVERY) return output_pass(&report->out);
  report->handed = now;
  output_flush(&report->out);
}

void study_report_close(struct study_report *report, const struct study_summary *summary) {
  if (report->format == PSL_TEXT) study_text_tail(report, summary);
  output_close(&report->out);
}

/* ---- values ---- */

bool study_has_interval(const struct study_plan *plan, const struct study_column *column) {
  return plan->repetitions > 1 && column->kind == COLUMN_REPORT && type_is_number(column->type);
}

const char *study_unit(struct study_report *report, const struct type *type) {
  struct text unit = {.arena = report->scratch};
  if (type_is_number(type) && type->kind != TYPE_INT)
    unit_print(&unit, &report->plan->psl->model.types, type->dimension);
  return unit.data ? unit.data : "";
}

/* ---- CSV ---- */

static void put_head(struct study_report *report, const char *name, const char *more, const struct type *type) {
  struct text *out = &report->out.text;
  const char *unit = study_unit(report, type);
  if (out->size && out->data[out->size - 1] != '\n') text_char(out, ',');
  csv_field(out, arena_printf(report->scratch, *unit ? "%s%s [%s]" : "%s%s", name, more, unit));
}

void study_csv_head(struct study_report *report) {
  const struct study_plan *plan = report->plan;
  for (uint32_t a = 0; a < plan->axis_count; a++)
    put_head(report, plan->axes[a].name, "", plan->axes[a].type);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_column *column = &plan->columns[c];
    if (column->kind == COLUMN_PLOT) continue;
    put_head(report, column->name, "", column->type);
    if (study_has_interval(plan, column)) put_head(report, column->name, ".interval", column->type);
  }
  put_head(report, "evidence", "", plan->psl->model.types.string);
  put_head(report, "error", "", plan->psl->model.types.string);
  text_char(&report->out.text, '\n');
}

static void put_field(struct study_report *report, const struct type *type, struct value value) {
  const struct model *model = &report->plan->psl->model;
  struct text *out = &report->out.text;
  if (study_put_number(out, value)) return;
  struct text text = {.arena = report->scratch};
  if (value.kind != VALUE_NONE) value_print(&text, &model->types, model->names, type, value, 0);
  if (text.size) csv_field(out, text.data);
}

static void put_param(struct study_report *report, uint32_t axis, struct value value) {
  struct text text = {.arena = report->scratch};
  if (study_put_number(&report->out.text, value)) return;
  study_put_param(&text, report->plan, axis, value, 0);
  if (text.size) csv_field(&report->out.text, text.data);
}

void study_csv_line(struct study_report *report, const struct study_line *line) {
  const struct study_plan *plan = report->plan;
  struct text *out = &report->out.text;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    put_param(report, a, line->params[a]);
    text_char(out, ',');
  }
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_cell *cell = &line->cells[c];
    if (plan->columns[c].kind == COLUMN_PLOT) continue;
    put_field(report, plan->columns[c].type, cell->value);
    text_char(out, ',');
    if (!study_has_interval(plan, &plan->columns[c])) continue;
    if (!isnan(cell->half)) text_number(out, cell->half);
    text_char(out, ',');
  }
  text_put(out, line->evidence ? line->evidence : "");
  text_char(out, ',');
  if (line->error) csv_field(out, line->error);
  text_char(out, '\n');
}

/* ---- JSON ---- */

static void put_name(struct text *out, const char *name) {
  text_put(out, ", ");
  text_json(out, name);
  text_put(out, ": ");
}

/* What is a figure with a unit or an interval is an object, whether there is a value or not. */
static void put_figure(struct study_report *report, const struct type *type, const char *json, double half) {
  struct text *out = &report->out.text;
  const char *unit = study_unit(report, type);
  if (!*unit && isnan(half)) {
    text_put(out, json);
    return;
  }
  text_printf(out, "{\"value\": %s", json);
  if (!isnan(half)) {
    text_put(out, ", \"interval\": ");
    text_number(out, half);
  }
  text_put(out, ", \"unit\": ");
  text_json(out, unit);
  text_char(out, '}');
}

static void put_param_member(struct study_report *report, uint32_t axis, struct value value) {
  const struct study_plan *plan = report->plan;
  struct text json = {.arena = report->scratch};
  put_name(&report->out.text, plan->axes[axis].name);
  study_put_param_json(&json, plan, axis, value);
  put_figure(report, plan->axes[axis].type, json.data, NAN);
}

static void put_column_member(struct study_report *report, uint32_t column, const struct study_cell *cell) {
  const struct study_plan *plan = report->plan;
  struct text json = {.arena = report->scratch};
  put_name(&report->out.text, plan->columns[column].name);
  study_put_json(&json, plan, plan->columns[column].type, cell->value);
  put_figure(report, plan->columns[column].type, json.data, cell->half);
}

void study_json_line(struct study_report *report, const struct study_line *line) {
  const struct study_plan *plan = report->plan;
  struct text *out = &report->out.text;
  text_printf(out, "{\"point\": %lld", (long long)line->number);
  for (uint32_t a = 0; a < plan->axis_count; a++)
    put_param_member(report, a, line->params[a]);
  for (uint32_t c = 0; c < plan->column_count; c++)
    if (plan->columns[c].kind != COLUMN_PLOT) put_column_member(report, c, &line->cells[c]);
  text_put(out, ", \"evidence\": ");
  if (line->evidence)
    text_json(out, line->evidence);
  else
    text_put(out, "null");
  text_put(out, ", \"error\": ");
  if (line->error)
    text_json(out, line->error);
  else
    text_put(out, "null");
  text_put(out, "}\n");
}
