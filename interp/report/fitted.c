/* The report of a fit, as text, CSV, JSON and PSL.  Called by psl_fit, psl_check and psl_explain. */
#include "interp/report/fitted.h"
#include "interp/report/table.h"

#include <math.h>
#include <string.h>

/* ---- figures ---- */

static void put_value(struct text *out, const struct model *m, const struct type *type, double value, int digits) {
  if (isnan(value))
    text_put(out, "-");
  else if (type->kind == TYPE_INT)
    text_printf(out, "%.0f", value);
  else
    quantity_print(out, &m->types, value, type->dimension, digits);
}

static void value_cell(struct table *table, const struct model *m, const struct type *type, double value, int digits) {
  struct text text = {.arena = table->arena};
  put_value(&text, m, type, value, digits);
  table_cell(table, text.data);
}

static void put_part(struct text *out, const char *name, double part) {
  if (isnan(part))
    text_printf(out, "%s not defined", name);
  else
    text_printf(out, "%s %.*f %%", name, part < 0.001 ? 4 : 2, 100 * part);
}

static void put_r2(struct text *out, const char *name, double r2) {
  if (isnan(r2))
    text_printf(out, "%s not defined", name);
  else
    text_printf(out, "%s %.6f", name, r2);
}

void fitted_quality(struct text *out, const struct model_fit *fit) {
  put_r2(out, "adjusted R²", fit->regression.adjusted);
  put_part(out, ", SMAPE", fit->smape);
  put_part(out, ", cross-validated", fit->validated);
}

/* `n from 1 to 32, m from 1 MB to 9 MB` */
static void put_ranges(struct text *out, const struct model *m, const struct model_fit *fit) {
  for (uint32_t i = 0; i < fit->points.parameters; i++) {
    text_printf(out, "%s%s from ", i ? ", " : "", fit->parameters[i]);
    put_value(out, m, fit->types[i], fit->ranges[i].low, 6);
    text_put(out, " to ");
    put_value(out, m, fit->types[i], fit->ranges[i].high, 6);
  }
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void put_counts(struct text *out, const struct model_fit *fit) {
  text_printf(out, "%u measurement%s at %u point%s", fit->points.rows, plural(fit->points.rows), fit->points.count,
              plural(fit->points.count));
}

/* ---- text ---- */

static void put_terms(struct text *out, struct arena *scratch, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  struct table table;
  table_open(&table, scratch, "lrr");
  table_cell(&table, "term");
  table_cell(&table, "coefficient");
  table_cell(&table, "standard error");
  for (uint32_t k = 0; k < fit->term_count; k++) {
    struct type type = {.kind = TYPE_REAL, .dimension = fit->terms[k].dimension};
    const char *term = fit->terms[k].text ? fit->terms[k].text : "1";
    if (fit->terms[k].name)
      table_cellf(&table, "%s = %s", fit->terms[k].name, term);
    else
      table_cell(&table, term);
    value_cell(&table, f->model, &type, fit->regression.coefficients[k], 6);
    value_cell(&table, f->model, &type, fit->regression.errors[k], 3);
  }
  table_print(&table, out, "  ");
}

static void put_fitted_points(struct text *out, struct arena *scratch, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  uint32_t count = fit->points.parameters;
  char *align = arena_alloc(scratch, count + 9);
  struct table table;
  memset(align, 'r', count + 8);
  table_open(&table, scratch, align);
  for (uint32_t i = 0; i < count; i++)
    table_cell(&table, fit->parameters[i]);
  static const char *const heads[] = {"measured", "times", "fitted", "residual"};
  for (size_t h = 0; h < 4; h++)
    table_cell(&table, heads[h]);
  table_cellf(&table, "mean, %g %%", 100 * f->level);
  table_cell(&table, "");
  table_cellf(&table, "next one, %g %%", 100 * f->level);
  table_cell(&table, "");
  for (size_t p = 0; p < f->count; p++) {
    const struct fitted_point *point = &f->points[p];
    for (uint32_t i = 0; i < count; i++)
      value_cell(&table, f->model, fit->types[i], point->arguments[i], 6);
    value_cell(&table, f->model, fit->result, point->measured, 4);
    if (point->count)
      table_cellf(&table, "%llu", (unsigned long long)point->count);
    else
      table_cell(&table, "-");
    value_cell(&table, f->model, fit->result, point->fitted, 4);
    value_cell(&table, f->model, fit->result, point->measured - point->fitted, 3);
    for (int k = 0; k < 2; k++)
      value_cell(&table, f->model, fit->result, point->mean[k], 4);
    for (int k = 0; k < 2; k++)
      value_cell(&table, f->model, fit->result, point->prediction[k], 4);
  }
  table_print(&table, out, "  ");
}

static void put_quality(struct text *out, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  const struct regression *r = &fit->regression;
  struct dimension square = {{0}};
  if (!fit->log) dimension_power(fit->result->dimension, 2, 1, &square);
  fitted_quality(out, fit);
  if (fit->folds)
    text_printf(out, " in %u folds", fit->folds);
  else
    text_put(out, " by leaving out a point at a time");
  text_put(out, "\n");
  put_r2(out, "R²", r->r2);
  text_put(out, ", RSS ");
  quantity_print(out, &f->model->types, r->rss, square, 6);
  text_printf(out, ", %llu degree%s of freedom%s\n", (unsigned long long)r->freedom, plural(r->freedom),
              fit->log ? " (of the logarithm)" : "");
  if (fit->searched) text_printf(out, "the best of %llu sums of n^a log2(n)^b\n", (unsigned long long)fit->tried);
}

void fitted_text(struct output *out, struct arena *scratch, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  struct text *text = &out->text;
  text_printf(text, "%s, fitted to %s\n", fit->name, fit->origin);
  put_counts(text, fit);
  text_put(text, ", ");
  put_ranges(text, f->model, fit);
  text_printf(text, "\n\n  %s = %s\n\n", fit->name, fit->shown);
  put_quality(text, f);
  text_char(text, '\n');
  put_terms(text, scratch, f);
  text_char(text, '\n');
  put_fitted_points(text, scratch, f);
  output_pass(out);
}

/* ---- CSV ---- */

static void put_unit(struct text *out, const struct model *m, const struct type *type) {
  if (type->kind != TYPE_REAL || dimension_none(type->dimension)) return;
  text_put(out, " [");
  unit_print(out, &m->types, type->dimension);
  text_char(out, ']');
}

static void number_field(struct text *out, double value) {
  text_char(out, ',');
  if (!isnan(value)) text_number(out, value);
}

void fitted_csv_head(struct output *out, const struct fitted *f) {
  static const char *const heads[] = {"measured",  "fitted",         "residual",       "mean low",
                                      "mean high", "prediction low", "prediction high"};
  struct text *text = &out->text;
  const struct model_fit *fit = f->fit;
  text_put(text, "fit");
  for (uint32_t i = 0; i < fit->points.parameters; i++) {
    text_printf(text, ",%s", fit->parameters[i]);
    put_unit(text, f->model, fit->types[i]);
  }
  text_put(text, ",count");
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
    text_printf(text, ",%s", heads[h]);
    put_unit(text, f->model, fit->result);
  }
  text_char(text, '\n');
}

void fitted_csv(struct output *out, const struct fitted *f) {
  struct text *text = &out->text;
  for (size_t p = 0; p < f->count; p++) {
    const struct fitted_point *point = &f->points[p];
    text_put(text, f->fit->name);
    for (uint32_t i = 0; i < f->fit->points.parameters; i++)
      number_field(text, point->arguments[i]);
    text_printf(text, ",%llu", (unsigned long long)point->count);
    number_field(text, point->measured);
    number_field(text, point->fitted);
    number_field(text, point->measured - point->fitted);
    for (int k = 0; k < 2; k++)
      number_field(text, point->mean[k]);
    for (int k = 0; k < 2; k++)
      number_field(text, point->prediction[k]);
    text_char(text, '\n');
    output_pass(out);
  }
}

/* ---- JSON ---- */

static void json_number_member(struct text *out, const char *name, double value) {
  text_printf(out, ", \"%s\": ", name);
  if (isfinite(value))
    text_number(out, value);
  else
    text_put(out, "null");
}

static void json_string_member(struct text *out, const char *before, const char *name, const char *value) {
  text_printf(out, "%s\"%s\": ", before, name);
  if (value)
    text_json(out, value);
  else
    text_put(out, "null");
}

static void json_unit(struct text *out, const struct model *m, struct dimension dimension) {
  struct text unit = {.arena = out->arena};
  unit_print(&unit, &m->types, dimension);
  json_string_member(out, ", ", "unit", unit.data ? unit.data : "");
}

static struct dimension dimension_of(const struct type *type) {
  return type->kind == TYPE_REAL ? type->dimension : (struct dimension){{0}};
}

static void json_points(struct text *out, const struct fitted *f) {
  for (size_t p = 0; p < f->count; p++) {
    const struct fitted_point *point = &f->points[p];
    text_put(out, p ? ",\n      {\"at\": [" : "\n      {\"at\": [");
    for (uint32_t i = 0; i < f->fit->points.parameters; i++) {
      text_put(out, i ? ", " : "");
      text_number(out, point->arguments[i]);
    }
    text_printf(out, "], \"count\": %llu", (unsigned long long)point->count);
    json_number_member(out, "measured", point->measured);
    json_number_member(out, "fitted", point->fitted);
    json_number_member(out, "mean_low", point->mean[0]);
    json_number_member(out, "mean_high", point->mean[1]);
    json_number_member(out, "prediction_low", point->prediction[0]);
    json_number_member(out, "prediction_high", point->prediction[1]);
    text_char(out, '}');
  }
}

static void json_terms(struct text *out, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  for (uint32_t k = 0; k < fit->term_count; k++) {
    json_string_member(out, k ? ",\n      {" : "\n      {", "term", fit->terms[k].text ? fit->terms[k].text : "1");
    json_string_member(out, ", ", "name", fit->terms[k].name);
    json_number_member(out, "coefficient", fit->regression.coefficients[k]);
    json_number_member(out, "error", fit->regression.errors[k]);
    json_unit(out, f->model, fit->terms[k].dimension);
    text_char(out, '}');
  }
}

static void json_parameters(struct text *out, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  for (uint32_t i = 0; i < fit->points.parameters; i++) {
    json_string_member(out, i ? ",\n      {" : "\n      {", "name", fit->parameters[i]);
    json_unit(out, f->model, dimension_of(fit->types[i]));
    json_number_member(out, "low", fit->ranges[i].low);
    json_number_member(out, "high", fit->ranges[i].high);
    text_char(out, '}');
  }
}

void fitted_json(struct output *out, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  const struct regression *r = &fit->regression;
  struct text *text = &out->text;
  json_string_member(text, "  {", "name", fit->name);
  json_string_member(text, ", ", "origin", fit->origin);
  json_string_member(text, ",\n    ", "region", fit->set ? fit->set->region : NULL);
  json_string_member(text, ", ", "metric", fit->set ? fit->set->metric : NULL);
  json_string_member(text, ",\n    ", "formula", fit->formula);
  json_unit(text, f->model, dimension_of(fit->result));
  text_printf(text,
              ",\n    \"measurements\": %u, \"distinct_points\": %u, \"log\": %s, \"searched\": %s, "
              "\"hypotheses\": %llu",
              fit->points.rows, fit->points.count, fit->log ? "true" : "false", fit->searched ? "true" : "false",
              (unsigned long long)fit->tried);
  text_printf(text, ",\n    \"degrees_of_freedom\": %llu, \"folds\": %u", (unsigned long long)r->freedom, fit->folds);
  json_number_member(text, "r2", r->r2);
  json_number_member(text, "adjusted_r2", r->adjusted);
  json_number_member(text, "rss", r->rss);
  json_number_member(text, "sigma", r->sigma);
  json_number_member(text, "smape", fit->smape);
  json_number_member(text, "validated_smape", fit->validated);
  json_number_member(text, "level", f->level);
  text_put(text, ",\n    \"parameters\": [");
  json_parameters(text, f);
  text_put(text, "],\n    \"terms\": [");
  json_terms(text, f);
  text_put(text, "],\n    \"points\": [");
  json_points(text, f);
  text_put(text, "]}");
  output_pass(out);
}

/* ---- PSL ---- */

void fitted_type(struct text *out, const struct types *types, const struct type *type) {
  bool any = false;
  if (type->kind == TYPE_INT || dimension_none(type->dimension)) {
    text_put(out, type->kind == TYPE_INT ? "int" : "real");
    return;
  }
  for (int sign = 1; sign >= -1; sign -= 2)
    for (uint32_t i = 0; i < types->dimension_count; i++)
      for (int k = sign * type->dimension.power[i]; k > 0; k--) {
        text_printf(out, "%s%s", any ? (sign > 0 ? "*" : "/") : sign > 0 ? "" : "real/", types->dimensions[i]->text);
        any = true;
      }
}

void fitted_psl(struct text *out, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  text_printf(out, "/// Fitted to %s: ", fit->origin);
  put_counts(out, fit);
  text_put(out, ",\n/// ");
  put_ranges(out, f->model, fit);
  text_put(out, ". It holds there.\n/// ");
  fitted_quality(out, fit);
  text_printf(out, ".\nfunction %s(", fit->name);
  for (uint32_t i = 0; i < fit->points.parameters; i++) {
    text_printf(out, "%s%s : ", i ? ", " : "", fit->parameters[i]);
    fitted_type(out, &f->model->types, fit->types[i]);
  }
  text_put(out, ") -> ");
  fitted_type(out, &f->model->types, fit->result);
  text_printf(out, " = %s;\n", fit->formula);
}
