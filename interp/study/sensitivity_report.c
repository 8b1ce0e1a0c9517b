/* The report of a sensitivity analysis, as text, CSV and JSON.  Called by psl_sensitivity. */
#include "interp/study/sensitivity_report.h"
#include "interp/report/table.h"

#include <math.h>
#include <string.h>

/* ---- text ---- */

static void put_at(struct text *out, const struct sensitivity *s, const struct sensitivity_param *param, double value) {
  bool whole = param->type->kind == TYPE_INT;
  value_print(out, &s->model->types, s->model->names, param->type,
              whole ? value_integer((int64_t)value) : value_real(value), 4);
}

/* Where a side led to, as a part of the time at rest. */
static void put_side(struct table *table, const struct sensitivity *s, const struct sensitivity_param *param,
                     int side) {
  struct text at = {.arena = table->arena};
  if (isnan(param->at[side])) {
    table_cell(table, "-");
    table_cell(table, "");
    return;
  }
  put_at(&at, s, param, param->at[side]);
  table_cell(table, at.data);
  struct text time = {.arena = table->arena};
  if (isnan(param->time[side]))
    text_put(&time, "failed");
  else if (s->time == 0)
    report_time(&time, param->time[side]);
  else
    text_printf(&time, "%+.2f %%", 100 * (param->time[side] / s->time - 1));
  table_cell(table, time.data);
}

enum { INTERVAL = 3 }; /* the column that repetitions have */

static void put_ranked(struct text *out, struct arena *scratch, const struct sensitivity *s) {
  struct table table;
  static const char *const heads[] = {"param", "value", "elasticity", "+-", "below", "time", "above", "time"};
  bool repeated = s->repetitions > 1;
  table_open(&table, scratch, repeated ? "lrrrrrrr" : "lrrrrrr");
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
    if (repeated || h != INTERVAL) table_cell(&table, heads[h]);
  for (size_t p = 0; p < s->count; p++) {
    const struct sensitivity_param *param = &s->params[p];
    struct text value = {.arena = scratch};
    if (param->status != SENSITIVITY_MOVES && param->status != SENSITIVITY_FAILED) continue;
    put_at(&value, s, param, param->value);
    table_cell(&table, param->name);
    table_cell(&table, value.data);
    if (isnan(param->elasticity))
      table_cell(&table, "-");
    else
      table_cellf(&table, "%+.4f", param->elasticity);
    if (repeated && isnan(param->half))
      table_cell(&table, "-");
    else if (repeated)
      table_cellf(&table, "%.4f", param->half);
    put_side(&table, s, param, 0);
    put_side(&table, s, param, 1);
  }
  if (table.count > table.columns)
    table_print(&table, out, "  ");
  else
    text_put(out, "  no param changes the predicted time\n");
}

static void put_names(struct text *out, const struct sensitivity *s, enum sensitivity_status status, const char *head) {
  size_t column = 0;
  for (size_t p = 0; p < s->count; p++) {
    const char *name = s->params[p].name;
    if (s->params[p].status != status) continue;
    size_t wide = 2 + strlen(name);
    if (!column)
      text_printf(out, "\n%s\n  %s", head, name);
    else if (column + wide > 100)
      text_printf(out, ",\n  %s", name);
    else
      text_printf(out, ", %s", name);
    column = !column || column + wide > 100 ? wide : column + wide;
  }
  if (column) text_char(out, '\n');
}

void sensitivity_text(struct output *out, struct arena *scratch, const struct sensitivity *s) {
  struct text *text = &out->text;
  text_printf(text, "sensitivity of %s, %s\n", s->system, s->model->files[0]->source->path);
  text_put(text, "predicted time  ");
  report_time(text, s->time);
  if (s->repetitions > 1) text_printf(text, ", mean of %llu runs", (unsigned long long)s->repetitions);
  text_printf(text, "; each param is moved %g %% down and up, an int by 1 at least\n\n", 100 * s->step);
  put_ranked(text, scratch, s);
  for (size_t p = 0; p < s->count; p++)
    if (s->params[p].status == SENSITIVITY_FAILED)
      text_printf(text, "  %s: %s\n", s->params[p].name, s->params[p].error);
  put_names(text, s, SENSITIVITY_STAYS, "moved, and the predicted time stays as it is");
  put_names(text, s, SENSITIVITY_BEGUN, "not moved, for the analysis was interrupted");
  put_names(text, s, SENSITIVITY_FIXED, "not moved, no value a step away is allowed");
  put_names(text, s, SENSITIVITY_ZERO, "not moved, they are 0 and have no range to take a step from");
  put_names(text, s, SENSITIVITY_NO_NUMBER, "not moved, they are no single numbers");
  put_names(text, s, SENSITIVITY_CHECKED, "no effect on the result, only assertions and ranges read them");
  put_names(text, s, SENSITIVITY_UNREAD, "no effect, nothing that the system runs reads them");
}

/* ---- for programs: base units, all digits ---- */

static const char *const statuses[] = {"moves", "stays",     "failed",  "not run", "fixed",
                                       "zero",  "no number", "checked", "unread"};

static void put_number(struct text *out, double value, const char *none) {
  if (isnan(value))
    text_put(out, none);
  else
    text_number(out, value);
}

struct figure {
  const char *member; /* of JSON; NULL: it stands elsewhere there */
  double number;
  bool whole; /* all digits */
};
enum { FIGURES = 8 };

/* In the order of the columns; without repetitions there is no interval. */
static size_t figures_of(const struct sensitivity *s, const struct sensitivity_param *param,
                         struct figure figures[FIGURES]) {
  bool whole = param->type->kind == TYPE_INT;
  const struct figure all[FIGURES] = {
      {"value", param->value, whole},
      {"elasticity", param->elasticity, false},
      {"elasticity_interval", param->half, false},
      {"below", param->at[0], whole},
      {"time_below", param->time[0], false},
      {NULL, s->time, false},
      {"above", param->at[1], whole},
      {"time_above", param->time[1], false},
  };
  size_t count = 0;
  for (size_t f = 0; f < FIGURES; f++)
    if (f != 2 || s->repetitions > 1) figures[count++] = all[f];
  return count;
}

static void put_figure(struct text *out, const struct figure *figure, const char *none) {
  if (figure->whole && !isnan(figure->number))
    text_printf(out, "%lld", (long long)figure->number);
  else
    put_number(out, figure->number, none);
}

void sensitivity_csv(struct output *out, const struct sensitivity *s) {
  struct text *text = &out->text;
  text_printf(text,
              "param,type,unit,status,value,elasticity,%sbelow,time below [s],time [s],above,time above [s],error\n",
              s->repetitions > 1 ? "elasticity.interval," : "");
  for (size_t p = 0; p < s->count; p++) {
    const struct sensitivity_param *param = &s->params[p];
    struct figure figures[FIGURES];
    size_t count = figures_of(s, param, figures);
    const char *words[] = {param->name, param->type_name, param->unit, statuses[param->status]};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
      csv_field(text, words[w]);
      text_char(text, ',');
    }
    for (size_t f = 0; f < count; f++) {
      put_figure(text, &figures[f], "");
      text_char(text, ',');
    }
    csv_field(text, param->error ? param->error : "");
    text_char(text, '\n');
  }
}

static void put_member(struct text *out, const char *name, const char *value) {
  text_printf(out, "\"%s\": ", name);
  if (value)
    text_json(out, value);
  else
    text_put(out, "null");
  text_put(out, ", ");
}

void sensitivity_json(struct output *out, const struct sensitivity *s) {
  struct text *text = &out->text;
  text_put(text, "{\n  ");
  put_member(text, "model", s->model->files[0]->source->path);
  put_member(text, "system", s->system);
  text_put(text, "\"makespan\": {\"value\": ");
  put_number(text, s->time, "null");
  text_put(text, ", \"unit\": \"s\"}, \"step\": ");
  put_number(text, s->step, "null");
  text_put(text, ",\n  \"params\": [");
  for (size_t p = 0; p < s->count; p++) {
    const struct sensitivity_param *param = &s->params[p];
    text_put(text, p ? ",\n    {" : "\n    {");
    put_member(text, "name", param->name);
    put_member(text, "type", param->type_name);
    put_member(text, "unit", param->unit);
    put_member(text, "status", statuses[param->status]);
    put_member(text, "error", param->error);
    struct figure figures[FIGURES];
    size_t count = figures_of(s, param, figures);
    for (size_t f = 0; f < count; f++) {
      if (!figures[f].member) continue;
      text_printf(text, "%s\"%s\": ", f ? ", " : "", figures[f].member);
      put_figure(text, &figures[f], "null");
    }
    text_char(text, '}');
  }
  text_put(text, "\n  ]\n}\n");
}
