/* The report of fits: each as a formula with its quality, its terms and its points, and as a function of PSL.  Called
 * by psl_fit, psl_check and psl_explain. */
#include "interp/library/fit_report.h"
#include "interp/check/load.h"

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
  if (fit->steps) {
    text_put(out, "each measurement holds until the next one");
    return;
  }
  put_r2(out, "adjusted R²", fit->regression.adjusted);
  put_part(out, ", SMAPE", fit->smape);
  put_part(out, ", cross-validated", fit->validated);
}

void fitted_scatter(struct text *out, const struct model_fit *fit) {
  if (!isnan(fit->scatter)) put_part(out, "measurements of one point are off their mean by", fit->scatter);
}

void fitted_lack(struct text *out, const struct model_fit *fit) {
  text_printf(out, "lack of fit: means are off with %.3g times the variance of measurements of one point",
              fit->regression.lack);
  text_put(out, " (F test: p < 0.001)");
}

void fitted_growth(struct text *out, const struct fitted *f, const char *option) {
  double rho = fit_grows(out->arena, f->fit);
  if (isnan(rho) || f->fit->searched) return; /* a search takes what is more likely itself */
  text_printf(out, "errors grow with what is fitted (rank correlation %.2f: p < 0.001): ", rho);
  text_printf(out, "%s counts them as parts of it", option);
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

static struct report_cell value_cell(struct report *report, const struct model *m, const struct type *type,
                                     double value, int digits) {
  struct text text = {.arena = report->arena};
  if (isnan(value)) return cell_none();
  put_value(&text, m, type, value, digits);
  return cell_shown(cell_real(value), text.data);
}

static const char *unit_text(struct report *report, const struct model *m, struct dimension dimension) {
  struct text unit = {.arena = report->arena};
  unit_print(&unit, &m->types, dimension);
  return unit.data ? unit.data : "";
}

static struct dimension dimension_of(const struct type *type) {
  return type->kind == TYPE_REAL ? type->dimension : (struct dimension){{0}};
}

/* ---- the fit ---- */

static void put_quality(struct report *report, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  const struct regression *r = &fit->regression;
  struct text quality = {.arena = report->arena}, errors = {.arena = report->arena}, lack = {.arena = report->arena},
              scatter = {.arena = report->arena}, growth = {.arena = report->arena};
  struct dimension square = {{0}};
  if (!fit->log && !r->relative) dimension_power(fit->result->dimension, 2, 1, &square);
  fitted_quality(&quality, fit);
  if (fit->steps) {
    report_line(report, "%s", quality.data);
    return;
  }
  text_put(&quality,
           fit->folds ? arena_printf(report->arena, " in %u folds", fit->folds) : " by leaving out a point at a time");
  fitted_scatter(&scatter, fit);
  put_r2(&errors, "R²", r->r2);
  text_put(&errors, ", RSS ");
  quantity_print(&errors, &f->model->types, r->rss, square, 6);
  report_line(report, "%s", quality.data);
  if (scatter.size) report_line(report, "%s", scatter.data);
  report_line(report, "%s, %llu degree%s of freedom%s", errors.data, (unsigned long long)r->freedom, plural(r->freedom),
              fit->log      ? " (of the logarithm)"
              : r->relative ? " (of relative errors)"
                            : "");
  if (fit_lacks(fit)) fitted_lack(&lack, fit);
  if (lack.size) report_line(report, "%s", lack.data);
  fitted_growth(&growth, f, f->model->loading->options.measured ? "--relative" : "'relative = true;'");
  if (growth.size) report_line(report, "%s", growth.data);
  if (fit->searched)
    report_line(report, "the best of %llu sums of n^a log2(n)^b that were tried", (unsigned long long)fit->tried);
  if (fit->falls)
    report_line(report, "what was measured falls in part, which takes negative powers: %s were searched",
                fit->negative ? "these" : "none");
}

static void put_formula(struct report *report, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  struct text counted = {.arena = report->arena};
  put_counts(&counted, fit);
  text_put(&counted, ", ");
  put_ranges(&counted, f->model, fit);
  report_line(report, "%s, fitted to %s", fit->name, shown_line(report->arena, fit->origin));
  report_line(report, "%s\n\n  %s = %s\n", counted.data, fit->name, fit->shown);
}

static void put_fit(struct report *report, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  const struct regression *r = &fit->regression;
  report_row(report, (struct report_cell[]){
                         cell_word(fit->name),
                         cell_word(fit->origin),
                         cell_word(fit->set ? fit->set->region : NULL),
                         cell_word(fit->set ? fit->set->metric : NULL),
                         cell_word(fit->formula),
                         cell_word(unit_text(report, f->model, dimension_of(fit->result))),
                         cell_count(fit->points.rows),
                         cell_count(fit->points.count),
                         cell_flag(fit->log),
                         cell_flag(r->relative),
                         cell_flag(fit->searched),
                         cell_flag(fit->falls),
                         cell_count(fit->tried),
                         cell_count(r->freedom),
                         cell_count(fit->folds),
                         cell_real(r->r2),
                         cell_real(r->adjusted),
                         cell_real(r->rss),
                         cell_real(r->sigma),
                         cell_real(fit->smape),
                         cell_real(fit->validated),
                         cell_real(fit->scatter),
                         cell_real(r->lack),
                         cell_real(isnan(r->lack) ? (double)NAN : r->lack_chance),
                         cell_real(fit->searched ? (double)NAN : fit_grows(report->arena, fit)),
                         cell_real(f->level),
                     });
}

static void put_fits(struct report *report, const struct fitted *fits, size_t count) {
  static const struct report_column columns[] = {
      {"name", NULL, .names = true},
      {"origin"},
      {"region"},
      {"metric"},
      {"formula"},
      {"unit"},
      {"measurements", NULL, FIGURE_COUNT},
      {"distinct_points", NULL, FIGURE_COUNT},
      {"log"},
      {"relative"},
      {"searched"},
      {"falls"},
      {"hypotheses", NULL, FIGURE_COUNT},
      {"degrees_of_freedom", NULL, FIGURE_COUNT},
      {"folds", NULL, FIGURE_COUNT},
      {"r2", NULL, FIGURE_NUMBER},
      {"adjusted_r2", NULL, FIGURE_NUMBER},
      {"rss", NULL, FIGURE_NUMBER},
      {"sigma", NULL, FIGURE_NUMBER},
      {"smape", NULL, FIGURE_NUMBER},
      {"validated_smape", NULL, FIGURE_NUMBER},
      {"scatter", NULL, FIGURE_NUMBER},
      {"lack_of_fit", NULL, FIGURE_NUMBER},
      {"lack_of_fit_p", NULL, FIGURE_NUMBER},
      {"error_growth", NULL, FIGURE_NUMBER},
      {"level", NULL, FIGURE_NUMBER},
  };
  static const struct report_section section = {.key = "fits", REPORT_COLUMNS(columns), .audience = FOR_PROGRAMS};
  report_section(report, &section);
  for (size_t i = 0; i < count; i++)
    put_fit(report, &fits[i]);
  report_end(report);
}

static void put_parameters(struct report *report, const struct fitted *fits, size_t count) {
  static const struct report_column columns[] = {{"fit", NULL, .names = true},
                                                 {"name", NULL, .names = true},
                                                 {"low", NULL, FIGURE_NUMBER},
                                                 {"high", NULL, FIGURE_NUMBER}};
  static const struct report_section section = {.key = "parameters", REPORT_COLUMNS(columns), .audience = FOR_PROGRAMS};
  report_section(report, &section);
  for (size_t i = 0; i < count; i++)
    for (uint32_t p = 0; p < fits[i].fit->points.parameters; p++) {
      const struct model_fit *fit = fits[i].fit;
      const char *unit = unit_text(report, fits[i].model, dimension_of(fit->types[p]));
      report_row(report, (struct report_cell[]){cell_word(fit->name), cell_word(fit->parameters[p]),
                                                cell_in(cell_real(fit->ranges[p].low), unit),
                                                cell_in(cell_real(fit->ranges[p].high), unit)});
    }
  report_end(report);
}

/* ---- terms ---- */

static void put_term(struct report *report, const struct fitted *f, uint32_t k) {
  const struct model_fit *fit = f->fit;
  const double value = fit->regression.coefficients[k];
  const struct coefficient test = regression_coefficient(&fit->regression, k, f->level);
  struct type type = {.kind = TYPE_REAL, .dimension = fit->terms[k].dimension};
  const char *term = fit->terms[k].text ? fit->terms[k].text : "1";
  const char *named = fit->terms[k].name ? arena_printf(report->arena, "%s = %s", fit->terms[k].name, term) : NULL;
  const char *unit = unit_text(report, f->model, fit->terms[k].dimension);
  report_row(report, (struct report_cell[]){
                         cell_word(fit->name),
                         cell_shown(cell_word(term), named),
                         cell_word(fit->terms[k].name),
                         value_cell(report, f->model, &type, value, 6),
                         value_cell(report, f->model, &type, fit->regression.errors[k], 3),
                         value_cell(report, f->model, &type, value - test.half, 4),
                         value_cell(report, f->model, &type, value + test.half, 4),
                         cell_word(unit),
                         cell_real(test.t),
                         cell_real(test.chance),
                     });
}

static void put_terms(struct report *report, const struct fitted *fits, size_t count, enum audience audience) {
  const char *interval = arena_printf(report->arena, "%g %%", 100 * fits[0].level);
  const struct report_column columns[] = {
      {"fit", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"term", "term", .names = true},
      {"name", NULL, .audience = FOR_PROGRAMS},
      {"coefficient", "coefficient", FIGURE_NUMBER},
      {"standard_error", "standard error", FIGURE_NUMBER},
      {"coefficient_low", interval, FIGURE_NUMBER},
      {"coefficient_high", "", FIGURE_NUMBER},
      {"unit", NULL, .audience = FOR_PROGRAMS},
      {"t", NULL, FIGURE_NUMBER, .audience = FOR_PROGRAMS},
      {"p", NULL, FIGURE_NUMBER, .audience = FOR_PROGRAMS},
  };
  struct report_section section = {.key = "terms", REPORT_COLUMNS(columns), .audience = audience};
  report_section(report, &section);
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < fits[i].fit->term_count; k++)
      put_term(report, &fits[i], k);
  report_end(report);
}

/* ---- points ---- */

/* The columns are those of all fits of a report, which have their parameters and their unit in common. */
static struct report_section points_section(struct report *report, const struct fitted *f, enum audience audience) {
  const struct model_fit *fit = f->fit;
  const char *unit = unit_text(report, f->model, dimension_of(fit->result));
  const char *mean = arena_printf(report->arena, "mean, %g %%", 100 * f->level);
  const char *next = arena_printf(report->arena, "next one, %g %%", 100 * f->level);
  const struct report_column after[] = {
      {"measured", "measured", FIGURE_NUMBER, unit}, {"count", "times", FIGURE_COUNT},
      {"fitted", "fitted", FIGURE_NUMBER, unit},     {"residual", "residual", FIGURE_NUMBER, unit},
      {"mean_low", mean, FIGURE_NUMBER, unit},       {"mean_high", "", FIGURE_NUMBER, unit},
      {"prediction_low", next, FIGURE_NUMBER, unit}, {"prediction_high", "", FIGURE_NUMBER, unit},
  };
  uint32_t parameters = fit->points.parameters;
  size_t count = 1 + parameters + sizeof after / sizeof *after;
  struct report_column *columns = ARENA_ARRAY(report->arena, struct report_column, count);
  columns[0] = (struct report_column){"fit", NULL, .names = true, .audience = FOR_PROGRAMS};
  for (uint32_t p = 0; p < parameters; p++)
    columns[1 + p] = (struct report_column){fit->parameters[p], fit->parameters[p], FIGURE_NUMBER,
                                            unit_text(report, f->model, dimension_of(fit->types[p])), .names = true};
  memcpy(&columns[1 + parameters], after, sizeof after);
  return (struct report_section){
      .key = "points", .columns = columns, .column_count = count, .audience = audience, .main = true};
}

static void put_point(struct report *report, const struct fitted *f, const struct fitted_point *point,
                      struct report_cell *cell) {
  const struct model_fit *fit = f->fit;
  struct report_cell *cells = cell;
  *cell++ = cell_word(fit->name);
  for (uint32_t i = 0; i < fit->points.parameters; i++)
    *cell++ = value_cell(report, f->model, fit->types[i], point->arguments[i], 6);
  *cell++ = value_cell(report, f->model, fit->result, point->measured, 4);
  *cell++ = point->count ? cell_shown(cell_count(point->count),
                                      arena_printf(report->arena, "%llu", (unsigned long long)point->count))
                         : cell_shown(cell_count(0), "-");
  *cell++ = value_cell(report, f->model, fit->result, point->fitted, 4);
  *cell++ = value_cell(report, f->model, fit->result, point->measured - point->fitted, 3);
  for (int k = 0; k < 2; k++)
    *cell++ = value_cell(report, f->model, fit->result, point->mean[k], 4);
  for (int k = 0; k < 2; k++)
    *cell++ = value_cell(report, f->model, fit->result, point->prediction[k], 4);
  report_row(report, cells);
}

static void put_points(struct report *report, const struct fitted *fits, size_t count, enum audience audience) {
  struct report_section section = points_section(report, &fits[0], audience);
  struct report_cell *cells = ARENA_ARRAY(report->arena, struct report_cell, section.column_count);
  report_section(report, &section);
  for (size_t i = 0; i < count; i++)
    for (size_t p = 0; p < fits[i].count; p++)
      put_point(report, &fits[i], &fits[i].points[p], cells);
  report_end(report);
}

/* ---- sums that fit as well ---- */

static void put_place(struct text *out, const struct fitted *f, const double *arguments) {
  for (uint32_t p = 0; p < f->fit->points.parameters; p++) {
    text_printf(out, "%s%s = ", p ? ", " : "", f->fit->parameters[p]);
    put_value(out, f->model, f->fit->types[p], arguments[p], 6);
  }
}

/* A point that was asked for, where a parameter is less or more than in all measurements. */
static void put_beyond(struct report *report, const struct fitted *f) {
  const struct model_fit *fit = f->fit;
  for (size_t i = 0; i < f->count; i++) {
    const double *arguments = f->points[i].arguments;
    struct text text = {.arena = report->arena};
    for (uint32_t p = 0; p < fit->points.parameters && !f->points[i].count; p++) {
      if (arguments[p] >= fit->ranges[p].low && arguments[p] <= fit->ranges[p].high) continue;
      text_printf(&text, "%s%s = ", text.size ? ", " : "", fit->parameters[p]);
      put_value(&text, f->model, fit->types[p], arguments[p], 6);
    }
    if (text.size) report_line(report, "beyond what was measured: %s", text.data);
  }
}

/* Where nothing that was measured is below 0, a value that is cannot be meant. */
static void put_below(struct report *report, const struct fitted *f) {
  struct text text = {.arena = report->arena};
  const struct fitted_point *below = NULL;
  for (size_t i = 0; i < f->count; i++) {
    if (f->points[i].count && f->points[i].measured < 0) return;
    if (!below && f->points[i].fitted < 0) below = &f->points[i];
  }
  if (!below) return;
  put_place(&text, f, below->arguments);
  report_line(report, "below 0 for %s, and nothing that was measured is", text.data);
}

/* By sum and place: for programs. */
static void put_sums(struct report *report, const struct fitted *fits, size_t count) {
  const struct model_fit *first = fits[0].fit;
  uint32_t parameters = first->points.parameters;
  struct report_column *columns = ARENA_ARRAY(report->arena, struct report_column, parameters + 4);
  struct report_cell *cells = ARENA_ARRAY(report->arena, struct report_cell, parameters + 4);
  columns[0] = (struct report_column){"fit", NULL, .names = true};
  columns[1] = (struct report_column){"formula", NULL, .names = true};
  columns[2] = (struct report_column){"validated_smape", NULL, FIGURE_NUMBER};
  for (uint32_t p = 0; p < parameters; p++)
    columns[3 + p] =
        (struct report_column){first->parameters[p], NULL, FIGURE_NUMBER,
                               unit_text(report, fits[0].model, dimension_of(first->types[p])), .names = true};
  columns[3 + parameters] = (struct report_column){"predicted", NULL, FIGURE_NUMBER,
                                                   unit_text(report, fits[0].model, dimension_of(first->result))};
  struct report_section section = {
      .key = "as_well", .columns = columns, .column_count = parameters + 4, .audience = FOR_PROGRAMS};
  report_section(report, &section);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < fits[i].sum_count; k++)
      for (size_t place = 0; place < fits[i].place_count; place++) {
        const struct fitted_sum *sum = &fits[i].sums[k];
        cells[0] = cell_word(fits[i].fit->name);
        cells[1] = cell_word(sum->fit->shown);
        cells[2] = cell_real(sum->fit->validated);
        for (uint32_t p = 0; p < parameters; p++)
          cells[3 + p] = value_cell(report, fits[i].model, first->types[p], fits[i].places[place][p], 6);
        cells[3 + parameters] = value_cell(report, fits[i].model, first->result, sum->predicted[place], 4);
        report_row(report, cells);
      }
  report_end(report);
}

/* Those that predict least and most at the first place. */
static void find_ends(const struct fitted *f, size_t *least, size_t *most) {
  *least = *most = 0;
  for (size_t k = 1; k < f->sum_count; k++) {
    if (f->sums[k].predicted[0] < f->sums[*least].predicted[0]) *least = k;
    if (f->sums[k].predicted[0] > f->sums[*most].predicted[0]) *most = k;
  }
}

static void put_range(struct report *report, const struct fitted *f, size_t least, size_t most) {
  struct text text = {.arena = report->arena};
  size_t others = f->sum_count - 1;
  text_printf(&text, "%zu other sum%s as well; for ", others, others == 1 ? " fits" : "s fit");
  put_place(&text, f, f->places[0]);
  text_put(&text, " they predict ");
  put_value(&text, f->model, f->fit->result, f->sums[least].predicted[0], 4);
  text_put(&text, " to ");
  put_value(&text, f->model, f->fit->result, f->sums[most].predicted[0], 4);
  report_line(report, "%s", text.data);
}

/* A row a sum, a column a place: for people. Of many the best, and those that predict least and most. */
static void put_compared(struct report *report, const struct fitted *f) {
  enum { ROWS = 6, PLACES = 4 };
  if (f->sum_count < 2) return;
  size_t places = f->place_count < PLACES ? f->place_count : PLACES, least, most;
  struct report_column columns[2 + PLACES] = {{"formula", "fits as well", .names = true},
                                              {"validated_smape", "cross-validated", FIGURE_NUMBER}};
  for (size_t place = 0; place < places; place++) {
    struct text title = {.arena = report->arena};
    put_place(&title, f, f->places[place]);
    columns[2 + place] = (struct report_column){"predicted", title.data, FIGURE_NUMBER};
  }
  find_ends(f, &least, &most);
  put_range(report, f, least, most);
  struct report_section section = {
      .key = "compared", .columns = columns, .column_count = 2 + places, .audience = FOR_PEOPLE};
  report_section(report, &section);
  for (size_t k = 0; k < f->sum_count; k++) {
    struct report_cell cells[2 + PLACES];
    if (k >= ROWS && k != least && k != most) continue;
    const struct model_fit *fit = f->sums[k].fit;
    cells[0] = cell_word(fit->shown);
    cells[1] = cell_shown(cell_real(fit->validated), arena_printf(report->arena, "%.2f %%", 100 * fit->validated));
    for (size_t place = 0; place < places; place++)
      cells[2 + place] = value_cell(report, f->model, f->fit->result, f->sums[k].predicted[place], 4);
    report_row(report, cells);
  }
  report_end(report);
}

/* Programs read a table of all fits a section, people each fit by itself. */
void report_fits(struct report *report, const struct fitted *fits, size_t count) {
  report->title = "fits";
  put_fits(report, fits, count);
  put_parameters(report, fits, count);
  put_terms(report, fits, count, FOR_PROGRAMS);
  put_points(report, fits, count, FOR_PROGRAMS);
  put_sums(report, fits, count);
  for (size_t i = 0; i < count; i++) {
    if (i) report_line(report, "%s", "");
    put_formula(report, &fits[i]);
    put_quality(report, &fits[i]);
    if (!fits[i].fit->steps) put_terms(report, &fits[i], 1, FOR_PEOPLE);
    put_points(report, &fits[i], 1, FOR_PEOPLE);
    put_beyond(report, &fits[i]);
    put_below(report, &fits[i]);
    put_compared(report, &fits[i]);
  }
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
  text_printf(out, "/// Fitted to %s: ", shown_line(out->arena, fit->origin));
  put_counts(out, fit);
  text_put(out, ",\n/// ");
  put_ranges(out, f->model, fit);
  text_put(out, fit_lacks(fit) ? ". It is off there:\n/// " : ". It holds there.\n/// ");
  if (fit_lacks(fit)) fitted_lack(out, fit);
  if (fit_lacks(fit)) text_put(out, ",\n/// ");
  fitted_quality(out, fit);
  if (!isnan(fit->scatter)) text_put(out, ",\n/// ");
  fitted_scatter(out, fit);
  text_printf(out, ".\nfunction %s(", fit->name);
  for (uint32_t i = 0; i < fit->points.parameters; i++) {
    text_printf(out, "%s%s : ", i ? ", " : "", fit->parameters[i]);
    fitted_type(out, &f->model->types, fit->types[i]);
  }
  text_put(out, ") -> ");
  fitted_type(out, &f->model->types, fit->result);
  text_printf(out, " = %s;\n", fit->formula);
}
