/* The report of a study for people: one table, figures with units to 4 digits. */
#include "interp/study/study_report.h"

#include <string.h>

static char alignment(const struct type *type) { return type_is_number(type) ? 'r' : 'l'; }

/* An objective is a column only of a table that had none. */
static bool is_shown(const struct study_plan *plan, uint32_t column) {
  if (plan->columns[column].kind != COLUMN_OBJECTIVE) return plan->columns[column].kind == COLUMN_REPORT;
  for (uint32_t c = 0; c < plan->column_count; c++)
    if (plan->columns[c].kind == COLUMN_REPORT) return false;
  return true;
}

void study_text_head(struct study_report *report) {
  const struct study_plan *plan = report->plan;
  struct text align = {.arena = report->arena};
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (!plan->axes[a].fixed) text_char(&align, alignment(plan->axes[a].type));
  for (uint32_t c = 0; c < plan->column_count; c++) {
    if (!is_shown(plan, c)) continue;
    text_char(&align, alignment(plan->columns[c].type));
    if (study_has_interval(plan, &plan->columns[c])) text_char(&align, 'r');
  }
  text_put(&align, "ll");
  table_open(&report->table, report->arena, align.data);
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (!plan->axes[a].fixed) table_cell(&report->table, plan->axes[a].name);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    if (!is_shown(plan, c)) continue;
    table_cell(&report->table, plan->columns[c].name);
    if (study_has_interval(plan, &plan->columns[c])) table_cell(&report->table, "+-");
  }
  table_cell(&report->table, ""); /* evidence and error: named at the end, where there are any */
  table_cell(&report->table, "");
}

static bool is_dimension(const struct type *type, enum type_kind kind, const struct type *other) {
  return type->kind == kind && dimension_equal(type->dimension, other->dimension);
}

static const char *value_text(struct study_report *report, const struct type *type, struct value value) {
  const struct model *model = &report->plan->psl->model;
  struct text text = {.arena = report->scratch};
  if (value.kind == VALUE_NONE)
    text_char(&text, '-');
  else if (value.kind == VALUE_REAL && is_dimension(type, TYPE_REAL, model->types.time))
    report_time(&text, value.real);
  else if (value.kind == VALUE_REAL && is_dimension(type, TYPE_REAL, model->types.data))
    report_data(&text, value.real);
  else if (value.kind == VALUE_INT && value.integer >= 0)
    report_count(&text, (uint64_t)value.integer);
  else
    value_print(&text, &model->types, model->names, type, value, 4);
  return text.data ? text.data : "";
}

static void put_value(struct study_report *report, const struct type *type, struct value value) {
  table_cell(&report->table, value_text(report, type, value));
}

static void put_param(struct study_report *report, uint32_t axis, struct value value) {
  struct text text = {.arena = report->scratch};
  study_put_param(&text, report->plan, axis, value, 6);
  table_cell(&report->table, text.size ? text.data : "-");
}

static void note_fixed(struct study_report *report, const struct study_line *line) {
  const struct study_plan *plan = report->plan;
  report->fixed.arena = report->arena;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    if (!plan->axes[a].fixed) continue;
    text_printf(&report->fixed, "%s%s = ", report->fixed.size ? ", " : "with ", plan->axes[a].name);
    study_put_param(&report->fixed, plan, a, line->params[a], 6);
  }
}

void study_text_line(struct study_report *report, const struct study_line *line) {
  const struct study_plan *plan = report->plan;
  if (!report->lines++) note_fixed(report, line);
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (!plan->axes[a].fixed) put_param(report, a, line->params[a]);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    if (!is_shown(plan, c)) continue;
    const struct study_cell *cell = &line->cells[c];
    put_value(report, plan->columns[c].type, cell->value);
    if (!study_has_interval(plan, &plan->columns[c])) continue;
    bool none = isnan(cell->half);
    put_value(report, plan->columns[c].type,
              (struct value){.kind = none ? VALUE_NONE : VALUE_REAL, .real = none ? 0 : cell->half});
  }
  if (line->evidence && report->evidence && strcmp(line->evidence, report->evidence)) report->mixed = true;
  if (line->evidence && !report->evidence)
    report->evidence = arena_copy(report->arena, line->evidence, strlen(line->evidence));
  table_cell(&report->table, line->evidence ? line->evidence : "");
  table_cell(&report->table, line->error ? line->error : "");
  report->failed |= line->error != NULL;
}

static void put_best(struct study_report *report, const struct study_objective *objective,
                     const struct study_best *best) {
  struct study_plan *plan = report->plan;
  const struct study_column *column = &plan->columns[objective->column];
  struct text *out = &report->out.text;
  text_printf(out, "%s %s: ", objective->maximize ? "greatest" : "least", column->name);
  if (isnan(best->value)) {
    text_put(out, "no point is fit\n");
    return;
  }
  struct value value = column->type->kind == TYPE_INT && best->value == floor(best->value)
                           ? value_integer((int64_t)best->value)
                           : value_real(best->value);
  text_printf(out, "%s at %s\n", value_text(report, column->type, value), study_place(plan, &best->point));
}

void study_text_tail(struct study_report *report, const struct study_summary *summary) {
  const struct study_plan *plan = report->plan;
  struct table *table = &report->table;
  struct text *out = &report->out.text;
  if (plan->name)
    text_printf(out, "study %s of %s", plan->name, plan->system);
  else
    text_printf(out, "study of %s", plan->system);
  text_printf(out, ", %s\n", plan->psl->model.files[0]->source->path);
  if (report->fixed.size) text_printf(out, "%s\n", report->fixed.data);
  text_char(out, '\n');
  if (report->mixed)
    table->cells[table->columns - 2] = "evidence";
  else
    for (size_t i = table->columns - 2; i < table->count; i += table->columns)
      table->cells[i] = "";
  if (report->failed) table->cells[table->columns - 1] = "error";
  table_print(table, out, "  ");
  if (report->evidence && !report->mixed) text_printf(out, "\nevidence: %s\n", report->evidence);
  if (plan->objective_count) text_char(out, '\n');
  for (uint32_t o = 0; o < plan->objective_count; o++)
    put_best(report, &plan->objectives[o], &summary->bests[o]);
}
