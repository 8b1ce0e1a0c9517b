/* The report of a study: a row a point, which programs get as it comes; then the best points.  Called by psl_study. */
#include "interp/study/study_report.h"

#include <string.h>
#include <time.h>

/* ---- columns ---- */

const char *study_unit(const struct study_plan *plan, const struct type *type) {
  struct text unit = {.arena = &plan->psl->handed};
  if (type_is_number(type) && type->kind != TYPE_INT) unit_print(&unit, &plan->psl->model.types, type->dimension);
  return unit.data;
}

static struct report_column column_of(const struct study_plan *plan, const char *name, const struct type *type) {
  return (struct report_column){.key = name,
                                .head = name,
                                .figure = type_is_number(type) ? FIGURE_NUMBER : FIGURE_WORD,
                                .unit = study_unit(plan, type)};
}

/* Best points alone have no more than their params and the objective. */
static bool is_written(const struct study_report *report, const struct study_column *column) {
  return report->best ? study_is_optimised(report->plan, column) : column->kind != COLUMN_PLOT;
}

/* The first columns are those of the axes. */
static void make_axes(const struct study_plan *plan, struct report_column *columns) {
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    columns[a] = column_of(plan, plan->axes[a].name, plan->axes[a].type);
    columns[a].names = true;
    columns[a].audience = plan->axes[a].fixed ? FOR_PROGRAMS : FOR_ALL;
  }
}

static void make_columns(struct study_report *report) {
  const struct study_plan *plan = report->plan;
  struct arena *arena = &plan->psl->handed;
  size_t most = plan->axis_count + plan->column_count + 5, count = plan->axis_count;
  struct report_column *columns = ARENA_ARRAY(arena, struct report_column, most);
  make_axes(plan, columns);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_column *column = &plan->columns[c];
    if (!is_written(report, column)) continue;
    columns[count] = column_of(plan, column->name, column->type);
    columns[count].estimate = study_has_interval(plan, column);
    columns[count].compared = true;
    columns[count].optional = plan->usual; /* nobody has asked for it */
    columns[count++].audience = study_is_shown(column) ? FOR_ALL : FOR_PROGRAMS;
  }
  if (report->best) {
    columns[count++] = (struct report_column){.key = "best_of"};
    columns[count++] = (struct report_column){.key = "not_told_apart"};
    columns[count++] = (struct report_column){.key = "condition_not_certain"};
    columns[count++] = (struct report_column){.key = "warnings"};
  } else {
    columns[count++] = (struct report_column){.key = "evidence", .head = "evidence", .common = true};
    columns[count++] = (struct report_column){.key = "stop", .audience = FOR_PROGRAMS};
    columns[count++] = (struct report_column){.key = "warnings", .audience = FOR_PROGRAMS};
  }
  report->notes = !report->best && (queueing_param(&plan->psl->model, "limit") || plan->run.max_time > 0);
  if (report->notes)
    columns[count++] =
        (struct report_column){.key = "note", .head = "note", .optional = true, .note = true, .audience = FOR_PEOPLE};
  columns[count++] = (struct report_column){.key = "error", .head = "error", .optional = true, .note = true};
  report->cells = ARENA_ARRAY(arena, struct report_cell, most);
  report->section = (struct report_section){
      .key = "points", .columns = columns, .column_count = count, .main = true, .kept = true, .intervals = true};
}

/* ---- cells ---- */

static bool is_dimension(const struct type *type, enum type_kind kind, const struct type *other) {
  return type->kind == kind && dimension_equal(type->dimension, other->dimension);
}

const char *study_value_text(const struct study_plan *plan, const struct type *type, struct value value) {
  const struct model *model = &plan->psl->model;
  struct text text = {.arena = &plan->psl->work};
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

/* A value without its text for people; VALUE_NONE where it could not be computed. */
static struct report_cell bare_cell(const struct study_plan *plan, const struct type *type, struct value value) {
  struct text text = {.arena = &plan->psl->work};
  switch (value.kind) {
  case VALUE_NONE: return cell_none();
  case VALUE_INT: return (struct report_cell){.kind = CELL_COUNT, .count = value.integer};
  case VALUE_REAL: return cell_real(value.real);
  case VALUE_BOOL: return cell_flag(value.boolean);
  default: study_put_bare(&text, plan, type, value);
  }
  return cell_word(text.data ? text.data : "");
}

struct report_cell study_param_cell(const struct study_report *report, uint32_t axis, struct value value) {
  const struct study_plan *plan = report->plan;
  struct text text = {.arena = &plan->psl->work};
  if (value.kind == VALUE_NONE) return cell_none();
  if (report->report.renderer->people || value.kind == VALUE_TERM)
    study_put_param(&text, plan, axis, value, report->report.renderer->people ? 6 : 0);
  if (value.kind == VALUE_TERM) return cell_word(text.data);
  return cell_shown(bare_cell(plan, plan->axes[axis].type, value), text.data);
}

static struct report_cell column_cell(const struct study_report *report, const struct study_column *column,
                                      const struct study_cell *from) {
  const struct study_plan *plan = report->plan;
  struct report_cell cell = bare_cell(plan, column->type, from->value);
  bool people = report->report.renderer->people && cell.kind != CELL_NONE;
  if (people) cell.shown = study_value_text(plan, column->type, from->value);
  if (!study_has_interval(plan, column) || isnan(from->half)) return cell;
  cell.interval = true;
  cell.low = study_number(&from->value) - from->half;
  cell.high = study_number(&from->value) + from->half;
  if (people) cell.half = study_value_text(plan, column->type, value_real(from->half));
  return cell;
}

/* ---- the report ---- */

/* Lines are handed on at least so often, s: who reads them sees them come, and an accident loses few. */
#define HANDED_EVERY 0.1

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void hand_on(struct study_report *report) {
  double now = clock_now();
  if (now - report->handed < HANDED_EVERY) return;
  report->handed = now;
  output_flush(report->report.out);
}

static void begin_report(struct study_report *report, const struct psl_study_options *options, psl_write *write,
                         void *user) {
  const struct study_plan *plan = report->plan;
  report_open(&report->report, options->format, plan->psl->columns, &plan->psl->handed, write, user);
  report->report.single = format_is_lines(options->format);
  const char *of = plan->name ? arena_printf(&plan->psl->handed, "%s of ", plan->name) : "";
  report->report.title = arena_printf(&plan->psl->handed, "study %s%s%s, %s", plan->name ? "" : "of ", of, plan->system,
                                      shown_line(&plan->psl->handed, plan->psl->model.files[0]->source->path));
  report_line(&report->report, "%s", report->report.title);
  report_fact(&report->report, &(struct report_fact){.key = "study"}, cell_word(plan->name));
  report_fact(&report->report, &(struct report_fact){.key = "model"},
              cell_word(plan->psl->model.files[0]->source->path));
  report_fact(&report->report, &(struct report_fact){.key = "system"}, cell_word(plan->system));
}

void study_report_open(struct study_report *report, struct study_plan *plan, const struct psl_study_options *options,
                       psl_write *write, void *user) {
  *report = (struct study_report){.plan = plan, .best = options->best, .pareto = options->pareto};
  make_columns(report);
  begin_report(report, options, write, user);
}

void study_report_dry(struct study_report *report, struct study_plan *plan, const struct psl_study_options *options,
                      psl_write *write, void *user) {
  struct arena *arena = &plan->psl->handed;
  size_t count = plan->axis_count;
  struct report_column *columns = ARENA_ARRAY(arena, struct report_column, count + 2);
  *report = (struct study_report){.plan = plan};
  make_axes(plan, columns);
  columns[count++] = (struct report_column){"runs", "runs", FIGURE_COUNT};
  columns[count++] = (struct report_column){"kept", "kept", FIGURE_COUNT, .optional = true};
  report->cells = ARENA_ARRAY(arena, struct report_cell, count);
  report->section = (struct report_section){
      .key = "points", .title = "points", .columns = columns, .column_count = count, .main = true, .kept = true};
  begin_report(report, options, write, user);
}

/* The params that are the same at all points stand above the table. */
static void put_fixed(struct study_report *report, const struct study_line *line) {
  const struct study_plan *plan = report->plan;
  struct text fixed = {.arena = &plan->psl->handed};
  for (uint32_t a = 0; line && a < plan->axis_count; a++) {
    if (!plan->axes[a].fixed) continue;
    text_printf(&fixed, "%s%s = ", fixed.size ? ", " : "with ", plan->axes[a].name);
    study_put_param(&fixed, plan, a, line->params[a], 6);
  }
  if (fixed.size) report_line(&report->report, "%s", fixed.data);
}

/* Where the best points are wanted alone, lines have a table of these; and of a Pareto front one of their own. */
static bool has_table(const struct study_report *report) {
  return report->report.single ? !report->pareto : !report->best;
}

/* With the first line, or without one. */
static void begin_points(struct study_report *report, const struct study_line *line) {
  if (report->lines++) return;
  if (report->report.renderer->people) put_fixed(report, line);
  if (has_table(report)) report_section(&report->report, &report->section);
}

/* NULL: nothing. */
static const char *one_line(const struct study_report *report, const char *lines) {
  struct text out = {.arena = &report->plan->psl->work};
  text_put_lines(&out, lines, "; ");
  return out.data;
}

/* Of a point's warnings those that its figures are no more than what was seen; NULL: there is none. */
static const char *unsound(const struct study_report *report, const char *warnings) {
  struct text out = {.arena = &report->plan->psl->work};
  for (const char *line; (line = text_next_line(out.arena, &warnings));)
    if (study_said_unsound(line)) text_printf(&out, "%s%s", out.size ? "; " : "", line);
  return out.data;
}

/* What a reader of the figures must know of how they came to be; NULL: nothing. */
static const char *note_of(const struct study_report *report, const struct study_line *line) {
  const char *wide = unsound(report, line->warnings), *cut = study_cut_text(line->stop);
  if (!wide || !cut) return wide ? wide : cut;
  return arena_printf(&report->plan->psl->work, "%s; %s", cut, wide);
}

void study_report_line(struct study_report *report, const struct study_line *line) {
  const struct study_plan *plan = report->plan;
  struct report_cell *cell = report->cells;
  begin_points(report, line);
  if (report->best || !has_table(report)) return;
  for (uint32_t a = 0; a < plan->axis_count; a++)
    *cell++ = study_param_cell(report, a, line->params[a]);
  for (uint32_t c = 0; c < plan->column_count; c++)
    if (plan->columns[c].kind != COLUMN_PLOT) *cell++ = column_cell(report, &plan->columns[c], &line->cells[c]);
  *cell++ = cell_word(line->evidence);
  *cell++ = cell_word(one_line(report, line->stop));
  *cell++ = cell_list(line->warnings);
  if (report->notes) *cell++ = cell_word(note_of(report, line));
  *cell++ = cell_word(line->error);
  report_row(&report->report, report->cells);
  if (!report->report.renderer->people) hand_on(report);
}

/* For programs. */
static const char *which_best(const struct study_objective *objective) {
  return objective->maximize ? "greatest" : "least";
}

/* For people. */
static const char *extreme_of(const struct study_objective *objective) {
  return objective->maximize ? "maximum of" : "minimum of";
}

static struct value value_of(const struct study_column *column, double value) {
  if (isnan(value)) return (struct value){.kind = VALUE_NONE};
  bool whole = column->type->kind == TYPE_INT && value == floor(value);
  return whole ? value_integer((int64_t)value) : value_real(value);
}

/* With its interval where there is one. */
static struct report_cell estimate_cell(const struct study_report *report, const struct study_column *column,
                                        double value, double half) {
  struct report_cell cell = bare_cell(report->plan, column->type, value_of(column, value));
  cell.interval = !isnan(half);
  cell.low = value - half;
  cell.high = value + half;
  return cell;
}

/* The same for programs, with its unit. */
static struct report_cell valued_cell(const struct study_report *report, const struct study_column *column,
                                      double value, double half) {
  return cell_in(estimate_cell(report, column, value, half), study_unit(report->plan, column->type));
}

/* A best point of some says of how many; "": of all. */
static const char *among(struct study_report *report, const struct study_summary *summary,
                         const struct study_bests *bests) {
  struct text text = {.arena = &report->plan->psl->handed};
  if (!summary->failed && !bests->unknown) return "";
  text_put(&text, ", among the ");
  report_counted(&text, bests->unknown ? bests->known : summary->points - summary->failed, "point");
  text_put(&text, bests->unknown ? " where it is known" : " that succeeded");
  return text.data;
}

/* Where what an objective is of is not known no point can be told to be unfit. */
static const char *without_best(struct study_report *report, const struct study_bests *bests) {
  struct text text = {.arena = &report->plan->psl->handed};
  if (!bests->unknown) return "no point is fit";
  text_put(&text, "not known at ");
  report_counted(&text, bests->unknown, "point");
  return text.data;
}

static bool groups_by(const struct study_objective *objective, uint32_t axis) {
  for (uint32_t k = 0; k < objective->by_count; k++)
    if (objective->by[k] == axis) return true;
  return false;
}

/* The same for people, who read "-" where there is no value. */
static struct report_cell shown_cell(const struct study_report *report, const struct study_column *column, double value,
                                     double half) {
  struct report_cell cell = valued_cell(report, column, value, half);
  if (cell.interval) cell.half = study_value_text(report->plan, column->type, value_real(half));
  return cell_shown(cell, study_value_text(report->plan, column->type, value_of(column, value)));
}

enum { NEAR_SHOWN = 3 };

/* `n = 3, m = 5; n = 4, m = 5 and 2 more`: points by the params that are not those of their group; NULL: there are
 * none. */
static const char *places_text(struct study_report *report, const struct study_objective *objective,
                               const struct study_valued *points, uint32_t count) {
  struct study_plan *plan = report->plan;
  struct value *values = ARENA_ARRAY(&plan->psl->work, struct value, plan->axis_count);
  struct text text = {.arena = &plan->psl->handed};
  for (uint32_t k = 0; k < count && k < NEAR_SHOWN; k++) {
    const char *separator = k ? "; " : "";
    study_set(plan, &points[k].point);
    study_values(plan, values);
    for (uint32_t a = 0; a < plan->axis_count; a++) {
      if (plan->axes[a].fixed || groups_by(objective, a)) continue;
      text_printf(&text, "%s%s = ", separator, plan->axes[a].name);
      study_put_param(&text, plan, a, values[a], 6);
      separator = ", ";
    }
  }
  if (count > NEAR_SHOWN) text_printf(&text, " and %u more", count - NEAR_SHOWN);
  return text.data;
}

/* Those that cannot be told apart from the best one. */
static const char *near_text(struct study_report *report, const struct study_objective *objective,
                             const struct study_best *best) {
  return places_text(report, objective, best->near, best->near_count);
}

/* Those at which it is not certain whether the condition holds, the best one before others that might be. */
static const struct study_valued *close_points(struct arena *arena, const struct study_best *best, uint32_t *count) {
  struct study_valued *points = ARENA_ARRAY(arena, struct study_valued, best->barred_count + 1);
  *count = 0;
  if (best->close) points[(*count)++] = (struct study_valued){best->value, best->half, best->point};
  for (uint32_t k = 0; k < best->barred_count; k++)
    points[(*count)++] = best->barred[k];
  return points;
}

static const char *close_text(struct study_report *report, const struct study_objective *objective,
                              const struct study_best *best) {
  uint32_t count;
  const struct study_valued *points = close_points(&report->plan->psl->work, best, &count);
  return places_text(report, objective, points, count);
}

/* With half of its interval, where there is one. */
static const char *estimate_text(const struct study_plan *plan, const struct study_column *column, double value,
                                 double half) {
  const char *text = study_value_text(plan, column->type, value_of(column, value));
  if (!(half > 0)) return text;
  return arena_printf(&plan->psl->work, "%s +-%s", text, study_value_text(plan, column->type, value_real(half)));
}

static void put_best(struct study_report *report, const struct study_objective *objective,
                     const struct study_bests *bests, const char *of_those) {
  struct study_plan *plan = report->plan;
  const struct study_column *column = &plan->columns[objective->column];
  const struct study_best *best = bests->items;
  if (!bests->count || isnan(best->value))
    report_line(&report->report, "%s %s: %s", extreme_of(objective), objective->name, without_best(report, bests));
  else
    report_line(&report->report, "%s %s: %s at %s%s", extreme_of(objective), objective->name,
                estimate_text(plan, column, best->value, best->half), study_place(plan, &best->point), of_those);
  const char *near = bests->count ? near_text(report, objective, best) : NULL;
  if (near) report_line(&report->report, "  not told apart from it, since intervals overlap: %s", near);
  const char *close = bests->count ? close_text(report, objective, best) : NULL;
  if (close)
    report_line(&report->report, "  its condition may hold or not, since an interval has the limit in it: %s", close);
  const char *warnings = bests->count ? best->warnings : "";
  for (const char *line; (line = text_next_line(&plan->psl->work, &warnings));)
    report_line(&report->report, "  it has warned: %s", line);
}

static const char *groups_title(struct study_report *report, const struct study_objective *objective,
                                const char *of_those) {
  const struct study_plan *plan = report->plan;
  struct text title = {.arena = &plan->psl->handed};
  text_printf(&title, "%s %s for each ", extreme_of(objective), objective->name);
  for (uint32_t k = 0; k < objective->by_count; k++)
    text_printf(&title, "%s%s", k ? ", " : "", plan->axes[objective->by[k]].name);
  text_put(&title, of_those);
  return title.data;
}

/* A table of an objective: what its points are told apart by, the best value, and where it is. */
static void put_groups(struct study_report *report, const struct study_objective *objective,
                       const struct study_bests *bests, const char *of_those) {
  struct study_plan *plan = report->plan;
  struct arena *arena = &plan->psl->handed;
  const struct study_column *column = &plan->columns[objective->column];
  uint32_t *axes = ARENA_ARRAY(arena, uint32_t, plan->axis_count), count = 0;
  struct report_column *columns = ARENA_ARRAY(arena, struct report_column, plan->axis_count + 4);
  struct report_cell *cells = ARENA_ARRAY(arena, struct report_cell, plan->axis_count + 4);
  struct value *values = ARENA_ARRAY(arena, struct value, plan->axis_count);
  for (uint32_t k = 0; k < objective->by_count; k++)
    axes[count++] = objective->by[k];
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (!plan->axes[a].fixed && !groups_by(objective, a)) axes[count++] = a;
  for (uint32_t k = 0; k < count; k++)
    columns[k + (k >= objective->by_count)] = column_of(plan, plan->axes[axes[k]].name, plan->axes[axes[k]].type);
  columns[objective->by_count] = column_of(plan, column->name, column->type);
  columns[objective->by_count].estimate = true;
  columns[count + 1] = (struct report_column){.head = "not told apart from", .optional = true};
  columns[count + 2] = (struct report_column){.head = "condition not certain at", .optional = true};
  columns[count + 3] = (struct report_column){.head = "has warned", .optional = true, .note = true};
  struct report_section section = {.key = "best",
                                   .title = groups_title(report, objective, of_those),
                                   .columns = columns,
                                   .column_count = count + 4,
                                   .intervals = true,
                                   .audience = FOR_PEOPLE};
  report_section(&report->report, &section);
  for (uint32_t g = 0; g < bests->count; g++) {
    const struct study_best *best = &bests->items[g];
    bool fit = !isnan(best->value);
    arena_reset(&plan->psl->work);
    cells[count + 1] = cell_word(near_text(report, objective, best));
    cells[count + 2] = cell_word(close_text(report, objective, best));
    cells[count + 3] = cell_word(one_line(report, best->warnings));
    study_set(plan, &best->point);
    study_values(plan, values);
    for (uint32_t k = 0; k < count; k++)
      cells[k + (k >= objective->by_count)] =
          fit || k < objective->by_count ? study_param_cell(report, axes[k], values[axes[k]]) : cell_none();
    cells[objective->by_count] = shown_cell(report, column, best->value, best->half);
    report_row(&report->report, cells);
  }
  report_end(&report->report);
}

/* For programs: why a group has no best point. */
static const char *why_none(struct study_report *report, const struct study_best *best) {
  struct text text = {.arena = &report->plan->psl->handed};
  if (best->failed == best->points) return "all its points failed";
  if (!best->unknown) return "no point is fit";
  text_put(&text, "not known at ");
  report_counted(&text, best->unknown, "point");
  return text.data;
}

/* The params of a best point; where there is none those alone that its group has in common. */
static struct report_cell *put_best_params(struct study_report *report, const struct study_objective *objective,
                                           const struct study_best *best, struct report_cell *cell) {
  struct study_plan *plan = report->plan;
  struct value *values = ARENA_ARRAY(&plan->psl->work, struct value, plan->axis_count);
  study_set(plan, &best->point);
  study_values(plan, values);
  for (uint32_t a = 0; a < plan->axis_count; a++)
    *cell++ = isnan(best->value) && !plan->axes[a].fixed && !groups_by(objective, a)
                  ? cell_none()
                  : study_param_cell(report, a, values[a]);
  return cell;
}

/* For programs: a row a best point, with all params, or a group that has none. */
static void put_bests(struct study_report *report, const struct study_summary *summary) {
  struct study_plan *plan = report->plan;
  struct arena *arena = &plan->psl->handed;
  enum { OWN = 5 };
  uint32_t count = OWN + plan->axis_count + 2;
  struct report_column *columns = ARENA_ARRAY(arena, struct report_column, count);
  struct report_cell *cells = ARENA_ARRAY(arena, struct report_cell, count);
  columns[0] = (struct report_column){.key = "of_column", .names = true};
  columns[1] = (struct report_column){.key = "which_best"};
  columns[2] = (struct report_column){.key = "for_each"};
  columns[3] = (struct report_column){.key = "best_value", .figure = FIGURE_NUMBER};
  columns[4] = (struct report_column){.key = "row", .figure = FIGURE_COUNT};
  for (uint32_t a = 0; a < plan->axis_count; a++)
    columns[OWN + a] = column_of(plan, plan->axes[a].name, plan->axes[a].type);
  columns[count - 2] = (struct report_column){.key = "warnings"};
  columns[count - 1] = (struct report_column){.key = "error"};
  struct report_section section = {.key = "best", .columns = columns, .column_count = count, .audience = FOR_PROGRAMS};
  report_section(&report->report, &section);
  for (uint32_t o = 0; o < plan->objective_count; o++) {
    const struct study_objective *objective = &plan->objectives[o];
    const struct study_column *column = &plan->columns[objective->column];
    struct text by = {.arena = arena};
    for (uint32_t k = 0; k < objective->by_count; k++)
      text_printf(&by, "%s%s", k ? ", " : "", plan->axes[objective->by[k]].name);
    for (uint32_t g = 0; g < summary->bests[o].count; g++) {
      const struct study_best *best = &summary->bests[o].items[g];
      bool none = isnan(best->value);
      arena_reset(&plan->psl->work);
      cells[0] = cell_word(column->name);
      cells[1] = cell_word(which_best(objective));
      cells[2] = cell_word(by.data);
      cells[3] = none ? cell_none() : valued_cell(report, column, best->value, best->half);
      cells[4] = has_table(report) && !none ? cell_count(best->row) : cell_none();
      struct report_cell *behind = put_best_params(report, objective, best, cells + OWN);
      behind[0] = cell_list(best->warnings);
      behind[1] = cell_word(none ? why_none(report, best) : NULL);
      report_row(&report->report, cells);
    }
  }
  report_end(&report->report);
}

/* For programs: a row a point that cannot be told apart from a best one, or of which it is not certain whether the
 * condition holds. */
static void put_points(struct study_report *report, const struct study_summary *summary, bool close) {
  struct study_plan *plan = report->plan;
  struct arena *arena = &plan->psl->handed;
  enum { OWN = 2 };
  struct report_column *columns = ARENA_ARRAY(arena, struct report_column, OWN + plan->axis_count);
  struct report_cell *cells = ARENA_ARRAY(arena, struct report_cell, OWN + plan->axis_count);
  struct value *values = ARENA_ARRAY(arena, struct value, plan->axis_count);
  columns[0] = (struct report_column){.key = "of_column", .names = true};
  columns[1] = (struct report_column){.key = "value", .figure = FIGURE_NUMBER};
  for (uint32_t a = 0; a < plan->axis_count; a++)
    columns[OWN + a] = column_of(plan, plan->axes[a].name, plan->axes[a].type);
  struct report_section section = {.key = close ? "condition_not_certain" : "not_told_apart",
                                   .columns = columns,
                                   .column_count = OWN + plan->axis_count,
                                   .audience = FOR_PROGRAMS};
  report_section(&report->report, &section);
  for (uint32_t o = 0; o < plan->objective_count; o++) {
    const struct study_column *column = &plan->columns[plan->objectives[o].column];
    for (uint32_t g = 0; g < summary->bests[o].count; g++) {
      const struct study_best *best = &summary->bests[o].items[g];
      uint32_t count = best->near_count;
      const struct study_valued *points = close ? close_points(arena, best, &count) : best->near;
      for (uint32_t k = 0; k < count; k++) {
        arena_reset(&plan->psl->work);
        study_set(plan, &points[k].point);
        study_values(plan, values);
        cells[0] = cell_word(column->name);
        cells[1] = valued_cell(report, column, points[k].value, points[k].half);
        for (uint32_t a = 0; a < plan->axis_count; a++)
          cells[OWN + a] = study_param_cell(report, a, values[a]);
        report_row(&report->report, cells);
      }
    }
  }
  report_end(&report->report);
}

/* `Pareto front of makespan, cost: 3 of 9 points` */
static const char *front_title(struct study_report *report, const struct study_summary *summary) {
  const struct study_plan *plan = report->plan;
  struct text title = {.arena = &plan->psl->handed};
  text_put(&title, "Pareto front of ");
  for (uint32_t o = 0; o < plan->objective_count; o++)
    text_printf(&title, "%s%s %s", o ? ", " : "", plan->objectives[o].maximize ? "maximal" : "minimal",
                plan->objectives[o].name);
  text_printf(&title, ": %u of ", summary->front.count);
  report_counted(&title, summary->front.known, "point");
  if (summary->front.known < summary->points) text_put(&title, " that have them");
  return title.data;
}

/* A row a point that no other one dominates: its params, objectives and warnings. Lines have this table alone. */
static void put_front(struct study_report *report, const struct study_summary *summary, const char *broken_off) {
  struct study_plan *plan = report->plan;
  struct arena *arena = &plan->psl->handed;
  uint32_t axes = plan->axis_count, objectives = plan->objective_count, count = 1 + axes + objectives + 2;
  struct report_column *columns = ARENA_ARRAY(arena, struct report_column, count);
  struct report_cell *cells = ARENA_ARRAY(arena, struct report_cell, count);
  struct value *values = ARENA_ARRAY(arena, struct value, axes);
  columns[0] = (struct report_column){
      .key = "row", .figure = FIGURE_COUNT, .audience = report->report.single ? FOR_PEOPLE : FOR_PROGRAMS};
  for (uint32_t a = 0; a < axes; a++) {
    columns[1 + a] = column_of(plan, plan->axes[a].name, plan->axes[a].type);
    columns[1 + a].names = true;
    columns[1 + a].audience = plan->axes[a].fixed ? FOR_PROGRAMS : FOR_ALL;
  }
  for (uint32_t o = 0; o < objectives; o++) {
    const struct study_column *column = &plan->columns[plan->objectives[o].column];
    columns[1 + axes + o] = column_of(plan, column->name, column->type);
    columns[1 + axes + o].estimate = study_has_interval(plan, column);
    columns[1 + axes + o].compared = true;
  }
  columns[count - 2] = (struct report_column){.key = "warnings", .head = "has warned", .optional = true, .note = true};
  columns[count - 1] = (struct report_column){
      .key = "error", .audience = report->report.single ? FOR_ALL : FOR_PEOPLE, .optional = true};
  struct report_section section = {.key = "pareto",
                                   .title = front_title(report, summary),
                                   .columns = columns,
                                   .column_count = count,
                                   .intervals = true,
                                   .kept = true,
                                   .main = true};
  report_section(&report->report, &section);
  for (uint32_t k = 0; k < summary->front.count; k++) {
    const struct study_efficient *item = &summary->front.items[k];
    arena_reset(&plan->psl->work);
    study_set(plan, &item->point);
    study_values(plan, values);
    cells[0] = has_table(report) ? cell_count(item->row) : cell_none();
    for (uint32_t a = 0; a < axes; a++)
      cells[1 + a] = study_param_cell(report, a, values[a]);
    for (uint32_t o = 0; o < objectives; o++)
      cells[1 + axes + o] =
          shown_cell(report, &plan->columns[plan->objectives[o].column], item->values[o].value, item->values[o].half);
    cells[count - 2] = cell_list(item->warnings);
    if (report->report.renderer->people) cells[count - 2] = cell_word(one_line(report, item->warnings));
    cells[count - 1] = cell_none();
    report_row(&report->report, cells);
  }
  for (uint32_t c = 0; c + 1 < count; c++)
    cells[c] = cell_none();
  cells[count - 1] = cell_word(broken_off);
  if (broken_off && report->report.single) report_row(&report->report, cells);
  report_end(&report->report);
}

static bool has_conditions(const struct study_plan *plan) {
  bool any = false;
  for (uint32_t c = 0; c < plan->column_count; c++)
    any |= plan->columns[c].condition != NULL;
  return any;
}

/* In lines: each best point, its params and what it is best of, or a group that has none. */
static void put_best_lines(struct study_report *report, const struct study_summary *summary) {
  struct study_plan *plan = report->plan;
  for (uint32_t o = 0; o < plan->objective_count; o++)
    for (uint32_t g = 0; g < summary->bests[o].count; g++) {
      const struct study_best *best = &summary->bests[o].items[g];
      arena_reset(&plan->psl->work);
      struct report_cell *cell = put_best_params(report, &plan->objectives[o], best, report->cells);
      for (uint32_t c = 0; c < plan->column_count; c++) {
        const struct study_column *column = &plan->columns[c];
        bool own = c == plan->objectives[o].column;
        if (is_written(report, column))
          *cell++ = own ? estimate_cell(report, column, best->value, best->half) : cell_none();
      }
      *cell++ = cell_word(plan->columns[plan->objectives[o].column].name);
      *cell++ = cell_word(near_text(report, &plan->objectives[o], best));
      *cell++ = cell_word(close_text(report, &plan->objectives[o], best));
      *cell++ = cell_list(best->warnings);
      *cell++ = cell_word(isnan(best->value) ? why_none(report, best) : NULL);
      report_row(&report->report, report->cells);
    }
}

/* For programs: whether each assertion holds, null where that is not known, and at how many points it was tried. */
static void put_assertions(struct study_report *report, const struct study_summary *summary) {
  static const struct report_column columns[] = {
      {"assertion", NULL, .names = true}, {"holds", NULL}, {"points", NULL, .figure = FIGURE_COUNT}};
  static const struct report_section section = {.key = "assertions", REPORT_COLUMNS(columns), .audience = FOR_PROGRAMS};
  const struct study_plan *plan = report->plan;
  report_section(&report->report, &section);
  for (uint32_t i = 0; i < plan->assert_count; i++) {
    struct text text = {.arena = &plan->psl->handed};
    expr_format(&text, plan->asserts[i]->condition);
    enum study_holds holds = study_summary_holds(summary, i);
    report_row(&report->report,
               (struct report_cell[]){cell_word(text.data),
                                      holds == STUDY_NOT_KNOWN ? cell_none() : cell_flag(holds == STUDY_HOLDS),
                                      cell_count(summary->verdicts[i].points)});
  }
  report_end(&report->report);
}

/* Lines say so in the place of an error, behind all others. */
static void put_broken_off(struct study_report *report, const char *broken_off) {
  size_t last = report->section.column_count - 1;
  for (size_t c = 0; c <= last; c++)
    report->cells[c] = cell_none();
  report->cells[last] = cell_word(broken_off);
  report_row(&report->report, report->cells);
}

/* Below the table: who reads the report has not seen what was said when the points were run. */
static void put_warnings(struct study_report *report, const struct study_said *said, uint64_t points) {
  bool begun = false;
  for (size_t i = 0; i < said->count; i++) {
    const char *text = study_said_text(&report->plan->psl->handed, &said->items[i], points);
    if (report->notes && study_said_unsound(said->items[i].what)) continue; /* the rows say so */
    if (text && !begun) report_line(&report->report, "%s", "");
    if (text) report_line(&report->report, "warned%s", text);
    begun |= text != NULL;
  }
  if (said->more) report_line(&report->report, "%s", STUDY_SAID_MORE);
}

void study_report_close(struct study_report *report, const struct study_summary *summary, const struct study_said *said,
                        const char *broken_off) {
  const struct study_plan *plan = report->plan;
  begin_points(report, NULL);
  if (report->best && report->report.single) put_best_lines(report, summary);
  if (report->report.single && broken_off && has_table(report)) put_broken_off(report, broken_off);
  if (has_table(report)) report_end(&report->report);
  if (report->pareto && report->report.single) put_front(report, summary, broken_off);
  if (!report->report.single)
    report_fact(&report->report, &(struct report_fact){.key = "complete"}, cell_flag(!broken_off));
  if (broken_off) report_line(&report->report, "%s", "");
  if (broken_off) report_line(&report->report, "%s", broken_off);
  put_warnings(report, said, summary->points);
  bool people = report->report.renderer->people, alone = false;
  for (uint32_t o = 0; o < plan->objective_count; o++)
    alone |= !plan->objectives[o].by_count;
  if (alone) report_line(&report->report, "%s", "");
  for (uint32_t o = 0; people && o < plan->objective_count; o++)
    if (!plan->objectives[o].by_count)
      put_best(report, &plan->objectives[o], &summary->bests[o], among(report, summary, &summary->bests[o]));
  for (uint32_t o = 0; people && o < plan->objective_count; o++)
    if (plan->objectives[o].by_count)
      put_groups(report, &plan->objectives[o], &summary->bests[o], among(report, summary, &summary->bests[o]));
  if (report->pareto && !report->report.single) put_front(report, summary, broken_off);
  if (!people && plan->objective_count && !report->report.single) put_bests(report, summary);
  if (!people && plan->objective_count && !report->report.single) put_points(report, summary, false);
  if (!people && has_conditions(plan) && !report->report.single) put_points(report, summary, true);
  if (!people && plan->assert_count && !report->report.single) put_assertions(report, summary);
  report_close(&report->report);
}
