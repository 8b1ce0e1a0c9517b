/* The report of a sensitivity analysis: the params that move the predicted time, or another figure, the greatest
 * elasticity first, then those that do not, and why.  Called by psl_sensitivity. */
#include "interp/study/sensitivity_report.h"

#include <math.h>
#include <string.h>

static const char *const statuses[] = {"moves", "stays",     "failed",  "not run", "fixed",
                                       "zero",  "no number", "control", "checked", "unread"};

/* ---- the params ---- */

/* A value of the param: whole numbers as such, for people with its unit. */
static struct report_cell at(struct report *report, const struct sensitivity *s, const struct sensitivity_param *param,
                             double value) {
  bool whole = param->type->kind == TYPE_INT;
  struct text text = {.arena = report->arena};
  if (isnan(value)) return cell_none();
  const struct model *model = &s->plan->psl->model;
  value_print(&text, &model->types, model->names, param->type,
              whole ? value_integer((int64_t)value) : value_real(value), 4);
  struct report_cell cell =
      whole ? (struct report_cell){.kind = CELL_COUNT, .count = (int64_t)value} : cell_real(value);
  return cell_shown(cell, text.data);
}

/* A figure with its unit, as people read it. */
static const char *figure_text(const struct sensitivity *s, double figure) {
  return study_value_text(s->plan, s->type, value_real(figure));
}

/* Where a side led to; people read it as a part of the figure at rest. */
static struct report_cell moved(struct report *report, const struct sensitivity *s,
                                const struct sensitivity_param *param, int side) {
  struct report_cell cell = cell_real(param->figure[side]);
  struct text text = {.arena = report->arena};
  if (isnan(param->at[side]))
    text_put(&text, "");
  else if (isnan(param->figure[side]))
    text_put(&text, "failed");
  else if (s->figure == 0)
    text_put(&text, figure_text(s, param->figure[side]));
  else
    figure_put(&text, FIGURE_DIFFERENCE, param->figure[side] / s->figure - 1);
  return cell_shown(cell, text.data);
}

static void put_param(struct report *report, const struct sensitivity *s, const struct sensitivity_param *param) {
  double low = param->elasticity - param->half, high = param->elasticity + param->half;
  struct report_cell elasticity = cell_estimate(param->elasticity, low, high);
  if (!isnan(param->elasticity)) elasticity.shown = arena_printf(report->arena, "%+.4f", param->elasticity);
  report_row(report, (struct report_cell[]){
                         cell_word(param->name),
                         cell_word(param->type_name),
                         cell_word(param->unit),
                         cell_word(statuses[param->status]),
                         at(report, s, param, param->value),
                         elasticity,
                         isnan(param->half) ? cell_none() : cell_word(arena_printf(report->arena, "%.4f", param->half)),
                         at(report, s, param, param->at[0]),
                         moved(report, s, param, 0),
                         at(report, s, param, param->at[1]),
                         moved(report, s, param, 1),
                         cell_real(s->figure),
                         cell_word(param->error),
                     });
}

static bool is_ranked(const struct sensitivity_param *param) {
  return param->status == SENSITIVITY_MOVES || param->status == SENSITIVITY_FAILED;
}

/* People see those that it found something of; what is of the others stands in lines below. */
static size_t put_params(struct report *report, const struct sensitivity *s, enum audience audience) {
  bool people = audience == FOR_PEOPLE;
  const char *name = s->of ? s->of : "time", *unit = study_unit(s->plan, s->type);
  const char *below = arena_printf(report->arena, s->of ? "%s.below" : "%s_below", name);
  const char *above = arena_printf(report->arena, s->of ? "%s.above" : "%s_above", name);
  const struct report_column columns[] = {
      {"param", "param", .names = true},
      {"type", NULL, .audience = FOR_PROGRAMS},
      {"unit", NULL, .audience = FOR_PROGRAMS},
      {"status", NULL, .audience = FOR_PROGRAMS},
      {"value", "value", FIGURE_NUMBER},
      {"elasticity", "elasticity", FIGURE_NUMBER, NULL, .estimate = !people},
      {"", "+-", .audience = FOR_PEOPLE, .optional = true},
      {"below", "below", FIGURE_NUMBER},
      {below, name, FIGURE_NUMBER, unit},
      {"above", "above", FIGURE_NUMBER},
      {above, name, FIGURE_NUMBER, unit},
      {name, NULL, FIGURE_NUMBER, unit, FOR_PROGRAMS},
      {"error", NULL, .audience = FOR_PROGRAMS},
  };
  const struct report_section section = {.key = "params",
                                         REPORT_COLUMNS(columns),
                                         .audience = audience,
                                         .main = true,
                                         .kept = true,
                                         .intervals = s->repetitions > 1};
  size_t shown = 0;
  report_section(report, &section);
  for (size_t p = 0; p < s->count; p++) {
    if (people && !is_ranked(&s->params[p])) continue;
    put_param(report, s, &s->params[p]);
    shown++;
  }
  report_end(report);
  return shown;
}

/* ---- for people: those that nothing is found of ---- */

enum { LINE_AT_MOST = 100 }; /* columns of a line of names where there is no terminal */

static bool has_status(const struct sensitivity_param *param, enum sensitivity_status status) {
  return param->status == status;
}

/* Is it no more than chance that the figure moves, as far as the runs tell? */
static bool may_be_chance(const struct sensitivity_param *param, enum sensitivity_status status) {
  return param->status == status && param->half > 0 && fabs(param->elasticity) <= param->half;
}

static void put_names_of(struct report *report, const struct sensitivity *s, enum sensitivity_status status,
                         bool (*is_meant)(const struct sensitivity_param *, enum sensitivity_status),
                         const char *head) {
  struct text names = {.arena = report->arena};
  size_t column = 0, most = report->room ? report->room : LINE_AT_MOST;
  for (size_t p = 0; p < s->count; p++) {
    const char *name = s->params[p].name;
    if (!is_meant(&s->params[p], status)) continue;
    size_t wide = 2 + strlen(name);
    bool full = column && column + wide > most;
    text_printf(&names, "%s%s", !column ? "  " : full ? ",\n  " : ", ", name);
    column = !column || full ? wide : column + wide;
  }
  if (names.size) report_line(report, "\n%s\n%s", head, names.data);
}

static void put_names(struct report *report, const struct sensitivity *s, enum sensitivity_status status,
                      const char *head) {
  put_names_of(report, s, status, has_status, head);
}

/* A line of facts for people. */
static void put_line(struct report *report, const struct sensitivity *s, const char *head, const char *text) {
  static const char usual[] = "predicted time";
  size_t wide = s->of && strlen(s->of) > strlen(usual) ? strlen(s->of) : strlen(usual);
  report_line(report, "%-*s  %s", (int)wide, head ? head : usual, text);
}

/* `2.000 s +-0.1 s, mean of 10 runs`: of the params as they are. */
static void put_figure(struct report *report, const struct sensitivity *s) {
  struct text line = {.arena = report->arena};
  text_put(&line, figure_text(s, s->figure));
  if (!isnan(s->half)) text_printf(&line, " +-%s", figure_text(s, s->half));
  if (s->repetitions > 1) text_printf(&line, ", mean of %llu runs", (unsigned long long)s->repetitions);
  if (s->middle) text_put(&line, ", the middle of its range");
  put_line(report, s, s->of, line.data);
}

enum { FIXED_NAMED = 6 };

/* Params of components are not moved; what to write to have one moved. */
static void put_fixed(struct report *report, const struct sensitivity *s) {
  struct text names = {.arena = report->arena};
  if (!s->fixed_count) return;
  size_t named = s->fixed_count < FIXED_NAMED ? s->fixed_count : FIXED_NAMED;
  for (size_t i = 0; i < named; i++)
    text_printf(&names, "%s%s", i ? ", " : "  ", s->fixed[i]);
  if (named < s->fixed_count) text_printf(&names, ", and %zu more", s->fixed_count - named);
  const char *ranges = !s->fixed_ranges       ? ""
                       : s->fixed_count == 1  ? ", a range"
                       : s->fixed_ranges == 1 ? ", the first of them a range"
                       : s->fixed_ranges == s->fixed_count
                           ? ", all of them ranges"
                           : arena_printf(report->arena, ", the first %zu of them ranges", s->fixed_ranges);
  const char *name = strchr(s->fixed[0], '.') + 1;
  const char *head = s->fixed_count == 1
                         ? "it is a param of a component"
                         : arena_printf(report->arena, "they are %zu params of components", s->fixed_count);
  report_line(report, "\nnot moved, %s%s", head, ranges);
  report_line(report, "%s", names.data);
  report_line(report, "  to move one: param %s = moved; where moved is a param of the model", name);
}

void report_sensitivity(struct report *report, const struct sensitivity *s) {
  const char *model = s->plan->psl->model.files[0]->source->path;
  const char *of = s->of ? s->of : "the predicted time";
  report->title = arena_printf(report->arena, "sensitivity of %s, %s", s->system, shown_line(report->arena, model));
  report_line(report, "%s", report->title);
  put_figure(report, s);
  for (const char *at = s->warnings, *line; (line = text_next_line(report->arena, &at));)
    put_line(report, s, "warned", line);
  put_line(report, s, "moved",
           arena_printf(report->arena, "each param by %g %% down and up, an int by 1 at least%s", 100 * s->step,
                        s->ranges ? ", a range to its ends" : ""));
  report_fact(report, &(struct report_fact){.key = "model"}, cell_word(model));
  report_fact(report, &(struct report_fact){.key = "system"}, cell_word(s->system));
  report_fact(report, &(struct report_fact){.key = s->of ? s->of : "makespan", .unit = study_unit(s->plan, s->type)},
              cell_real(s->figure));
  report_fact(report, &(struct report_fact){.key = "step"}, cell_real(s->step));
  put_params(report, s, FOR_PROGRAMS);
  if (!put_params(report, s, FOR_PEOPLE)) report_line(report, "\n  no param changes %s", of);
  for (size_t p = 0; p < s->count; p++)
    if (s->params[p].status == SENSITIVITY_FAILED)
      report_line(report, "  %s: %s", s->params[p].name, s->params[p].error);
  put_names_of(report, s, SENSITIVITY_MOVES, may_be_chance, "not significant, the interval of the elasticity holds 0");
  put_names(report, s, SENSITIVITY_STAYS, arena_printf(report->arena, "moved, and %s stays as it is", of));
  put_names(report, s, SENSITIVITY_BEGUN, "not moved, for the analysis was interrupted");
  put_names(report, s, SENSITIVITY_FIXED, "not moved, no value a step away is allowed");
  put_names(report, s, SENSITIVITY_ZERO, "not moved, they are 0 and have no range to take a step from");
  put_names(report, s, SENSITIVITY_NO_NUMBER, "not moved, they are no single numbers");
  put_fixed(report, s);
  put_names(report, s, SENSITIVITY_CONTROL, "not moved, they say how long a network is simulated");
  put_names(report, s, SENSITIVITY_CHECKED, "no effect on the result, only assertions and ranges read them");
  put_names(report, s, SENSITIVITY_UNREAD, "no effect, nothing that the system runs reads them");
}
