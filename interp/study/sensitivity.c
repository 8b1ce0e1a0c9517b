/* Sensitivity: each param is moved a step down and a step up while the others stay as they are. The
 * elasticity of the predicted time, or of another figure, is what that changes by, each in parts of itself:
 * +1 where it grows in proportion, -1 where it falls so, 0 where it does not follow. Called through
 * psl_sensitivity.
 *
 * The points go through the study core, and each moves one param. The axes are the params, the first item of
 * each its setting or default as it stands, so that a param whose default is made of another follows that
 * one. */
#include "interp/study/sensitivity_report.h"
#include "interp/check/check.h"
#include "interp/resolve/effects.h"
#include "interp/study/study.h"
#include "interp/evaluate/evaluate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SIDES = 3 }; /* items of an axis: as it is, below, above */

struct sensing {
  struct study_said said;
  struct psl *psl;
  const struct psl_sensitivity_options *options;
  struct study_plan *plan;
  struct sensitivity out;
  uint32_t makespan; /* of a row's results */
  double *figures;   /* by run, then by repetition; NaN: failed */
  struct study_sample sample;
  const char *error;
  bool drawn;                /* a run has drawn random numbers, and has no intervals */
  bool untimed;              /* a run that went well has no predicted time */
  bool steady;               /* a run has ended when its means were known as well as wished */
  uint64_t count, delivered; /* of runs, with repetitions */
  uint64_t failed;
};

struct sensitivity_given {
  const char *system;
  const struct psl_sensitivity_options *options;
  psl_write *write;
  void *user;
};

/* ---- axes ---- */

static struct expr *literal(struct psl *psl, const struct sensitivity_param *row, double value) {
  struct expr *expr = ARENA_NEW(&psl->loaded, struct expr);
  *expr = (struct expr){.kind = EXPR_REAL, .type = row->type, .real = value};
  if (row->type->kind == TYPE_INT) {
    expr->kind = EXPR_INTEGER;
    expr->integer = (int64_t)value;
  } else if (!dimension_none(row->type->dimension)) {
    expr->kind = EXPR_QUANTITY;
    expr->quantity.value = value;
    expr->quantity.unit = row->unit;
    expr->quantity.factor = 1;
  }
  return expr;
}

static bool in_range(const struct symbol *param, double value) {
  struct value at = param->type->kind == TYPE_INT ? value_integer((int64_t)value) : value_real(value);
  return param->range.kind == VALUE_NONE || value_in(at, param->range);
}

/* The part of the value that was asked for, of an int a whole number and 1 at least; of 0 that part of the
 * param's range. 0: there is no step. */
static double step_of(const struct sensing *s, const struct symbol *param, double value) {
  double step = fabs(value) * s->out.step;
  if (value == 0 && param->range.kind == VALUE_RANGE) {
    const struct object *range = param->range.object;
    step = (range->range.high - range->range.low) * s->out.step;
  }
  if (!isfinite(step)) return 0;
  return param->type->kind != TYPE_INT ? step : step < 1 ? 1 : nearbyint(step);
}

static void add_side(struct sensing *s, struct sensitivity_param *row, struct study_axis *axis, int side,
                     double value) {
  bool whole = row->type->kind == TYPE_INT;
  if (value == row->value || !isfinite(value) || (whole && fabs(value) > 0x1p53) || !in_range(axis->param, value))
    return;
  row->at[side] = value;
  row->item[side] = (uint32_t)axis->count;
  axis->items[axis->count++] = literal(s->psl, row, value);
}

/* A step down and a step up; a range goes to its ends. */
static void add_sides(struct sensing *s, struct sensitivity_param *row, struct study_axis *axis) {
  const struct symbol *param = axis->param;
  bool range = param->value.kind == VALUE_RANGE && param->value.object->range.low < param->value.object->range.high;
  double step = range ? NAN : step_of(s, param, row->value);
  add_side(s, row, axis, 0, range ? param->value.object->range.low : row->value - step);
  add_side(s, row, axis, 1, range ? param->value.object->range.high : row->value + step);
  s->out.ranges |= range;
  row->status = axis->count > 1 ? SENSITIVITY_STAYS : step == 0 ? SENSITIVITY_ZERO : SENSITIVITY_FIXED;
}

static void add_axis(struct sensing *s, struct sensitivity_param *row, struct symbol *param) {
  struct study_plan *plan = s->plan;
  struct study_axis axis = {
      .name = row->name,
      .param = param,
      .type = row->type,
      .bound = param->type,
      .span = param->span,
      .items = ARENA_ARRAY(&s->psl->handed, struct expr *, SIDES),
      .count = 1,
  };
  axis.items[0] = value_expr(param);
  add_sides(s, row, &axis);
  if (axis.count == 1) return;
  row->axis = axis.place = plan->free_count++;
  ARENA_PUSH(&s->psl->handed, plan->axes, plan->axis_count, plan->axis_capacity, axis);
}

static const char *param_name(const struct psl *psl, const struct symbol *param, struct arena *arena) {
  for (uint32_t i = 0; i < psl->model.param_count; i++)
    if (psl->model.params[i] != param && psl->model.params[i]->name == param->name)
      return arena_printf(arena, "%s.%s", param->file->name, param->name->text);
  return arena_copy(arena, param->name->text, param->name->length);
}

static void add_param(struct sensing *s, struct symbol *param, enum effect effect) {
  struct psl *psl = s->psl;
  struct arena *arena = &psl->loaded; /* a literal keeps the unit */
  struct text type = {.arena = arena}, unit = {.arena = arena};
  struct sensitivity_param *row = &s->out.params[s->out.count++];
  bool control = queueing_controls(&psl->model, param);
  bool range = param->type->kind == TYPE_RANGE && param->value.kind == VALUE_RANGE;
  bool real = param->type->kind == TYPE_REAL || range, whole = param->type->kind == TYPE_INT;
  type_print(&type, &psl->model.types, param->type);
  if (real) unit_print(&unit, &psl->model.types, param->type->dimension);
  *row = (struct sensitivity_param){
      .name = param_name(psl, param, arena),
      .type_name = type.data,
      .unit = unit.data ? unit.data : "",
      .type = range ? type_real(&psl->model.types, param->type->dimension) : param->type,
      .status = effect == EFFECT_NONE    ? SENSITIVITY_UNREAD
                : effect == EFFECT_CHECK ? SENSITIVITY_CHECKED
                : control                ? SENSITIVITY_CONTROL
                                         : SENSITIVITY_NO_NUMBER,
      .value = whole   ? (double)param->value.integer
               : range ? param->value.object->range.middle
               : real  ? param->value.real
                       : (double)NAN,
      .at = {NAN, NAN},
      .figure = {NAN, NAN},
      .elasticity = NAN,
      .half = NAN,
  };
  if (effect == EFFECT_RESULT && !control && (whole || real)) add_axis(s, row, param);
}

/* What a value is of those that count: ranges first, for these make a prediction uncertain, then numbers and lists of
 * them, else NO_FIGURE. */
enum figure_kind { FIGURE_RANGE, FIGURE_ONE, FIGURE_LIST, NO_FIGURE };

static enum figure_kind figure_kind(const struct type *type) {
  bool list = type && type->kind == TYPE_LIST;
  while (type && type->kind == TYPE_LIST)
    type = type->element;
  if (!type || !type_is_number(type)) return NO_FIGURE;
  return type->kind == TYPE_RANGE ? FIGURE_RANGE : list ? FIGURE_LIST : FIGURE_ONE;
}

/* Params of components, which nothing moves, where the user's text has their values. */
static void add_fixed(struct sensing *s, const struct effects_fixed *fixed) {
  const struct model *model = &s->psl->model;
  struct sensitivity *out = &s->out;
  out->fixed = ARENA_ARRAY(&s->psl->handed, const char *, fixed->count);
  for (enum figure_kind kind = FIGURE_RANGE; kind < NO_FIGURE; kind++) {
    for (uint32_t i = 0; i < fixed->count; i++) {
      const struct symbol *param = fixed->items[i];
      const struct source *source = source_of(model->sources, param->instance.value->span.begin);
      if (figure_kind(param->type) != kind || !source || model_in_library(model, source)) continue;
      const char *component = param->instance.component->symbol->name->text;
      out->fixed[out->fixed_count++] = arena_printf(&s->psl->handed, "%s.%s", component, param->name->text);
    }
    if (kind == FIGURE_RANGE) out->fixed_ranges = out->fixed_count;
  }
}

static void add_params(struct sensing *s, struct model_component *system) {
  struct model *model = &s->psl->model;
  const struct expr *figure = s->out.of ? s->plan->columns[0].value : NULL;
  struct effects_fixed fixed = {0};
  const struct effects_options options = {
      .deny_lossy = s->options->run.deny_lossy, .read = &figure, .read_count = figure != NULL, .fixed = &fixed};
  const enum effect *effects = effects_of(model, &s->psl->handed, system, &options);
  add_fixed(s, &fixed);
  handle_note_settings(s->psl, system, &options);
  s->out.params = ARENA_ARRAY(&s->psl->handed, struct sensitivity_param, model->param_count);
  for (uint32_t i = 0; i < model->param_count; i++)
    add_param(s, model->params[i], effects[i]);
}

/* ---- runs ---- */

/* Who has moved nothing himself is told what was when a run warned. */
static void note_moved(struct sensing *s, const struct study_point *point) {
  struct arena *arena = &s->psl->work;
  struct value *values = ARENA_ARRAY(arena, struct value, s->plan->axis_count);
  study_values(s->plan, values);
  for (uint32_t a = 0; a < s->plan->axis_count; a++) {
    struct text text = {.arena = arena};
    if (!(point->at[s->plan->axes[a].place] > 0)) continue;
    study_put_param(&text, s->plan, a, values[a], 6);
    diagnostic_add(&s->psl->diagnostics, SEVERITY_NOTE, (struct span){0, 0}, "at %s = %s", s->plan->axes[a].name,
                   text.data);
  }
  diagnostic_flush(&s->psl->diagnostics);
}

/* Errors are in the report, and so is what the run with the params as they are warns of. */
static void say(struct sensing *s, uint64_t run, const struct study_point *point, const struct study_row *row) {
  if (row->error) return;
  if (study_said_row(&s->said, s->psl, row) && run) note_moved(s, point);
  if (!run && !*s->out.warnings) s->out.warnings = arena_copy(&s->psl->handed, row->warnings, strlen(row->warnings));
}

/* The value of the column that was asked for, at the point that is set; *error: why there is none. */
static double column_of(struct sensing *s, const struct study_row *row, const char **error) {
  const struct study_column *column = &s->plan->columns[0];
  struct handle_catch caught;
  struct value value;
  study_absent_row(s->plan, row);
  handle_catch(&caught, s->psl);
  study_open_row(s->plan, row);
  study_column_open(s->plan, column, &value);
  handle_release(&caught);
  bool range = value.kind == VALUE_RANGE; /* as of the time, its middle counts */
  s->out.middle |= range;
  double figure = range ? value.object->range.middle : study_number(&value);
  if (isnan(figure))
    *error = *caught.error ? caught.error : arena_printf(&s->psl->work, "no value of %s", column->name);
  return figure;
}

/* A figure of one of the model's own components, best what it records; NULL: there is none. */
static const char *other_figure(const struct model *model) {
  const char *found = NULL;
  for (uint32_t r = 0; r < model->result_count; r++) {
    const struct model_result *result = &model->results[r];
    if (!result->component || result->half || !model_owns(model, result->component->symbol->file)) continue;
    if (result->kind == RESULT_RECORD) return result->name;
    if (!found) found = result->name;
  }
  return found;
}

/* Of a run the figure that is analysed; what has none has none that could move. */
static double figure_of(struct sensing *s, const struct study_row *row, const char **error) {
  *error = row->status == STUDY_DONE ? NULL : row->error;
  if (*error) return NAN;
  if (s->out.of) return column_of(s, row, error);
  double time = row->results[s->makespan];
  if (!isnan(time)) return time;
  s->steady |= !strcmp(row->stop, stop_text(STOP_NARROW));
  s->untimed = true;
  *error = arena_printf(&s->psl->work, "no predicted time: %s", results_untimed(row->stop));
  return NAN;
}

/* How far it has come; `ended`: with all. */
static void say_progress(const struct sensing *s, bool ended) {
  struct psl_progress progress = {.done = s->delivered, .failed = s->failed, .count = s->count, .ended = ended};
  if (s->options->progress) s->options->progress(s->options->progress_user, &progress);
}

/* Half the interval of the mean over repetitions, or that which one run has of the column. */
static double half_of(const struct sensing *s, const struct study_row *row) {
  bool one = s->out.of && s->out.repetitions == 1;
  return one ? study_row_half(&s->plan->columns[0], row) : study_sample_half(&s->sample);
}

static bool take(void *user, const struct study_point *point, const struct study_row *row) {
  struct sensing *s = user;
  uint64_t run = s->delivered++ / s->plan->repetitions;
  const char *error;
  double figure = figure_of(s, row, &error);
  say(s, run, point, row);
  s->drawn |= study_notes_drawn(s->plan, row);
  s->figures[s->delivered - 1] = figure;
  if (!error)
    study_sample_add(&s->sample, figure);
  else if (!s->error)
    s->error = arena_copy(&s->psl->handed, error, strlen(error));
  s->failed += error != NULL;
  say_progress(s, false);
  if (s->delivered % s->plan->repetitions) return true;
  figure = s->error ? (double)NAN : s->sample.mean;
  for (size_t p = 0, at = 1; p < s->out.count && run; p++) /* the first run moves nothing */
    for (int side = 0; side < 2; side++) {
      struct sensitivity_param *row_of = &s->out.params[p];
      if (isnan(row_of->at[side]) || at++ != run) continue;
      row_of->figure[side] = figure;
      row_of->ran[side] = true;
      row_of->run[side] = run;
      if (s->error && !row_of->error) row_of->error = s->error;
    }
  if (!run) s->out.figure = figure;
  if (!run) s->out.half = s->error ? (double)NAN : half_of(s, row);
  bool more = run || !s->error;
  if (more) s->error = NULL;
  s->sample = (struct study_sample){0};
  return more;
}

static enum psl_code run_all(struct sensing *s) {
  struct study_plan *plan = s->plan;
  struct arena *arena = &s->psl->handed;
  size_t count = 0, most = (2 * s->out.count + 1) * plan->repetitions;
  struct study_point *points = ARENA_ARRAY(arena, struct study_point, most);
  double *rest = ARENA_ARRAY(arena, double, plan->free_count);
  s->figures = ARENA_ARRAY(arena, double, most);
  for (uint64_t r = 0; r < plan->repetitions; r++)
    points[count++] = (struct study_point){.number = STUDY_NO_NUMBER, .repetition = r, .at = rest};
  for (size_t p = 0; p < s->out.count; p++)
    for (int side = 0; side < 2; side++) {
      const struct sensitivity_param *row = &s->out.params[p];
      if (isnan(row->at[side])) continue;
      double *at = ARENA_ARRAY(arena, double, plan->free_count);
      at[row->axis] = row->item[side];
      for (uint64_t r = 0; r < plan->repetitions; r++)
        points[count++] = (struct study_point){.number = STUDY_NO_NUMBER, .repetition = r, .at = at};
    }
  s->count = count;
  enum psl_code code = study_run_points(plan, points, count, take, s);
  say_progress(s, true);
  return code;
}

/* ---- figures ---- */

/* Both sides where they have a figure, else the value as it is. It is a ratio of means over repetitions, which
 * have the same seeds everywhere; its interval is that of the mean of what each repetition adds to it. */
static void find_elasticity(const struct sensing *s, struct sensitivity_param *row) {
  const bool below = !isnan(row->figure[0]), above = !isnan(row->figure[1]);
  double low = below ? row->at[0] : row->value, high = above ? row->at[1] : row->value;
  double before = below ? row->figure[0] : s->out.figure, after = above ? row->figure[1] : s->out.figure;
  if (row->value == 0 || s->out.figure == 0 || low == high) return;
  double moved = (high - low) / row->value;
  row->elasticity = (after - before) / s->out.figure / moved + 0.0; /* no -0 */
  const double *from = &s->figures[(below ? row->run[0] : 0) * s->out.repetitions];
  const double *to = &s->figures[(above ? row->run[1] : 0) * s->out.repetitions];
  struct study_sample sample = {0};
  for (uint64_t r = 0; r < s->out.repetitions; r++)
    study_sample_add(&sample,
                     row->elasticity + ((to[r] - from[r]) / moved - row->elasticity * s->figures[r]) / s->out.figure);
  row->half = study_sample_half(&sample);
}

/* Sides that were not run are as if there were none. */
static void forget_rest(struct sensitivity_param *row) {
  for (int side = 0; side < 2; side++)
    if (!row->ran[side]) row->at[side] = NAN;
  if (!row->ran[0] && !row->ran[1]) row->status = SENSITIVITY_BEGUN;
}

static double farthest(double figure, const struct sensitivity_param *row) {
  double below = fabs(row->figure[0] - figure), above = fabs(row->figure[1] - figure);
  return fmax(below, above); /* of which one may be NaN */
}

static void finish_param(struct sensing *s, struct sensitivity_param *row) {
  if (row->status != SENSITIVITY_STAYS) return;
  forget_rest(row);
  if (row->status == SENSITIVITY_BEGUN) return;
  find_elasticity(s, row);
  if (farthest(s->out.figure, row) > 0) row->status = SENSITIVITY_MOVES;
  if (row->error) row->status = SENSITIVITY_FAILED;
}

static int by_rank(const void *left, const void *right) {
  const struct sensitivity_param *a = left, *b = right;
  bool ranked_a = a->status <= SENSITIVITY_FAILED && a->status != SENSITIVITY_STAYS;
  bool ranked_b = b->status <= SENSITIVITY_FAILED && b->status != SENSITIVITY_STAYS;
  double x = isnan(a->elasticity) ? -1 : fabs(a->elasticity), y = isnan(b->elasticity) ? -1 : fabs(b->elasticity);
  if (ranked_a != ranked_b) return ranked_a ? -1 : 1;
  if (!ranked_a && a->status != b->status) return a->status < b->status ? -1 : 1;
  if (ranked_a && x != y) return x > y ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* qsort is not stable: equal ones go by their places, which an array of pointers keeps. */
static int by_rank_of(const void *left, const void *right) {
  return by_rank(*(const struct sensitivity_param *const *)left, *(const struct sensitivity_param *const *)right);
}

static void rank(struct sensing *s) {
  struct sensitivity *out = &s->out;
  struct sensitivity_param **order = ARENA_ARRAY(&s->psl->handed, struct sensitivity_param *, out->count);
  struct sensitivity_param *sorted = ARENA_ARRAY(&s->psl->handed, struct sensitivity_param, out->count);
  for (size_t p = 0; p < out->count; p++)
    order[p] = &out->params[p];
  qsort(order, out->count, sizeof *order, by_rank_of);
  for (size_t p = 0; p < out->count; p++)
    sorted[p] = *order[p];
  out->params = sorted;
}

/* ---- the entry ---- */

/* A plan of the system's runs, without an axis. */
static struct study_plan *make_plan(struct psl *psl, const char *system,
                                    const struct psl_sensitivity_options *options) {
  const struct psl_study_item figure = {PSL_ITEM_FIGURE, options->of};
  struct psl_study_options study = {.items = &figure,
                                    .item_count = options->of != NULL,
                                    .repetitions = options->repetitions ? options->repetitions : 1,
                                    .seeded = true,
                                    .run = options->run,
                                    .jobs = options->jobs};
  struct study_plan *plan = study_plan_make(psl, system, &study);
  if (!plan) return NULL;
  plan->axis_count = plan->axis_capacity = plan->free_count = 0;
  plan->axes = NULL;
  plan->size = 1;
  plan->columnless = !options->of;
  return plan;
}

/* Makes the analysis one of the plan's column; false: it cannot be. */
static bool take_column(struct sensing *s) {
  static const char *const own[] = {"model", "system", "step",       "params", "param", "type",
                                    "unit",  "value",  "elasticity", "below",  "above"};
  const struct study_column *column = &s->plan->columns[0];
  struct text text = {.arena = &s->psl->work};
  s->out.of = column->name;
  s->out.type = column->type;
  for (size_t o = 0; o < sizeof own / sizeof *own; o++) {
    if (strcasecmp(column->name, own[o]) != 0) continue;
    diagnostic_add(&s->psl->diagnostics, SEVERITY_ERROR, column->value->span,
                   "the figure cannot be called '%s': the report has a column or fact of that name", column->name);
    expr_format(&text, column->value);
    diagnostic_help(&s->psl->diagnostics, (struct span){0}, "give it another one: --of 'NAME = %s'", text.data);
    return false;
  }
  if (type_is_number(column->type)) return true;
  type_print(&text, &s->psl->model.types, column->type);
  diagnostic_add(&s->psl->diagnostics, SEVERITY_ERROR, column->value->span,
                 "a sensitivity is of a number, and this is of type %s", text.data);
  return false;
}

static uint32_t makespan_of(const struct model *model) {
  uint32_t r = 0;
  while (model->results[r].kind != RESULT_MAKESPAN)
    r++;
  return r;
}

/* The settings of the user, which the study core takes back. */
static void restore(struct sensing *s, struct expr *const *settings) {
  struct model *model = &s->psl->model;
  study_restore(s->plan);
  for (uint32_t i = 0; i < model->param_count; i++)
    model->params[i]->setting = settings[i];
}

static enum psl_code write_report(struct sensing *s, const struct sensitivity_given *given) {
  struct report report;
  bool failed = false;
  report_open(&report, given->options->format, s->psl->columns, &s->psl->handed, given->write, given->user);
  report.single = format_is_lines(given->options->format);
  report_sensitivity(&report, &s->out);
  report_close(&report);
  for (size_t p = 0; p < s->out.count; p++)
    failed |= s->out.params[p].status == SENSITIVITY_FAILED;
  return failed ? PSL_STOPPED : PSL_OK;
}

static enum psl_code work_sensitivity(struct psl *psl, void *arguments) {
  const struct sensitivity_given *given = arguments;
  const struct psl_sensitivity_options *options = given->options;
  struct sensing s = {
      .psl = psl, .options = options, .out.step = options->step > 0 ? options->step : 0.1, .out.warnings = ""};
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed); /* what must outlive a run stands there */
  if (!model_bind(&psl->model)) return PSL_WRONG;
  struct model_component *system = handle_system(psl, given->system);
  if (!system) return PSL_WRONG;
  s.out.system = system->symbol->name->text;
  if (!(s.plan = make_plan(psl, s.out.system, options)) || !model_bind(&psl->model)) return PSL_WRONG;
  system = handle_system(psl, given->system);
  s.out.plan = s.plan;
  s.out.type = psl->model.types.time;
  if (options->of && !take_column(&s)) return PSL_WRONG;
  s.out.repetitions = s.plan->repetitions;
  s.makespan = makespan_of(&psl->model);
  struct expr **settings = ARENA_ARRAY(&psl->handed, struct expr *, psl->model.param_count);
  for (uint32_t i = 0; i < psl->model.param_count; i++)
    settings[i] = psl->model.params[i]->setting;
  add_params(&s, system);
  enum psl_code code = run_all(&s);
  study_close(s.plan);
  restore(&s, settings);
  if (s.error && s.delivered <= s.out.repetitions) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                   "the run with the params as they are failed: %s", s.error);
    if (s.steady)
      diagnostic_help(
          &psl->diagnostics, (struct span){0},
          "what such a run finds out are the means of what is recorded: --of RECORD.mean is of one of them");
    else if (s.untimed && other_figure(&psl->model))
      diagnostic_help(&psl->diagnostics, (struct span){0}, "--of FIGURE ranks the params by another one: --of %s",
                      other_figure(&psl->model));
    diagnostic_flush(&psl->diagnostics);
    if (s.out.of) study_absent_refuse(s.plan);
    return PSL_STOPPED;
  }
  if (code != PSL_OK)
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "interrupted: %llu of %llu runs are there",
                   (unsigned long long)s.delivered, (unsigned long long)s.count);
  if (code != PSL_OK && s.delivered < s.out.repetitions) return code;
  for (size_t p = 0; p < s.out.count; p++)
    finish_param(&s, &s.out.params[p]);
  rank(&s);
  enum psl_code written = write_report(&s, given);
  if (s.drawn && s.plan->repetitions < 2) study_notes_one_draw(psl, "", "ranked first");
  return code == PSL_OK ? written : code;
}

enum psl_code psl_sensitivity(struct psl *psl, const char *system, const struct psl_sensitivity_options *options,
                              psl_write *write, void *user) {
  struct psl_sensitivity_options none = {0};
  return handle_enter(psl, work_sensitivity,
                      &(struct sensitivity_given){system, options ? options : &none, write, user});
}
