/* Rows into lines: the columns of each run, their means over the repetitions of a point.  Called by
 * psl_study. */
#include "interp/study/store.h"

#include <stdio.h>
#include <string.h>

struct study_lines *study_lines_open(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  struct study_lines *lines = ARENA_NEW(arena, struct study_lines);
  *lines = (struct study_lines){
      .plan = plan,
      .uses = ARENA_ARRAY(arena, struct study_sample, plan->study->use_count),
      .bounded = ARENA_ARRAY(arena, bool, plan->study->use_count),
      .apart = ARENA_ARRAY(arena, bool, plan->study->use_count),
      .ends = ARENA_ARRAY(arena, struct study_sample, plan->study->end_count),
      .columns = ARENA_ARRAY(arena, struct study_sample, plan->column_count),
      .values = ARENA_ARRAY(arena, struct value, plan->column_count),
      .params = ARENA_ARRAY(arena, struct value, plan->axis_count),
      .cells = ARENA_ARRAY(arena, struct study_cell, plan->column_count),
      .warnings = {.arena = arena},
      .stop = {.arena = arena},
  };
  return lines;
}

bool study_is_shown(const struct study_column *column) { return column->kind != COLUMN_PLOT && !column->repeats; }

/* Beside reports the interval of an objective stands with its best points. */
static bool stands_alone(const struct study_plan *plan, const struct study_column *column) {
  bool alone = column->kind != COLUMN_PLOT;
  for (uint32_t c = 0; c < plan->column_count && column->kind == COLUMN_OBJECTIVE; c++)
    alone &= plan->columns[c].kind != COLUMN_REPORT;
  return alone;
}

bool study_has_interval(const struct study_plan *plan, const struct study_column *column) {
  bool one = column->half != (uint32_t)STUDY_NONE; /* one run has one */
  if (plan->repetitions > 1 && column->of_ends) return false;
  return (plan->repetitions > 1 || one) && stands_alone(plan, column) && type_is_number(column->type);
}

static void open_line(struct study_lines *lines, const struct study_point *point) {
  const struct study_plan *plan = lines->plan;
  lines->line = (struct study_line){.number = point->number, .params = lines->params, .cells = lines->cells};
  lines->warnings.size = lines->stop.size = 0;
  memset(lines->uses, 0, sizeof *lines->uses * plan->study->use_count);
  memset(lines->bounded, 0, sizeof *lines->bounded * plan->study->use_count);
  memset(lines->ends, 0, sizeof *lines->ends * plan->study->end_count);
  memset(lines->columns, 0, sizeof *lines->columns * plan->column_count);
}

static void fail(struct study_lines *lines, const char *error) {
  lines->line.error = lines->error;
  if (!lines->line.failures++) snprintf(lines->error, sizeof lines->error, "%s", error);
}

/* Each line that is not there yet. */
static const char *add_lines(struct study_lines *lines, struct text *text, const char *more) {
  study_said_add_lines(&lines->plan->psl->work, text, more);
  return text->size ? text->data : "";
}

static void add_figure(struct study_lines *lines, struct study_sample *sample, struct value value) {
  double figure = study_number(&value);
  if (isnan(figure)) return;
  if (sample->count && figure != sample->mean) lines->varied = true;
  study_sample_add(sample, figure);
}

/* A low or high end that is another number than its figure, which has no interval in the run: a bound by ranges. */
static bool is_bound(const struct study_plan *plan, const struct study_use *use, const struct study_row *row) {
  const struct study_use *of = &plan->study->uses[use->of];
  enum result_kind kind = study_result(plan, use->result)->kind;
  if ((kind != RESULT_LOW && kind != RESULT_HIGH) || row->status != STUDY_DONE) return false;
  uint32_t behind = of->result + 1;
  bool half = behind < study_result_count(plan) && study_result(plan, behind)->half;
  return (!half || isnan(row->results[behind])) && row->results[use->result] != row->results[of->result];
}

static void add_results(struct study_lines *lines, const struct study_row *row) {
  const struct study_plan *plan = lines->plan;
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct study_use *use = &plan->study->uses[u];
    add_figure(lines, &lines->uses[u], plan->locals[use->symbol->slot]);
    if (!use->end) continue;
    lines->bounded[u] |= is_bound(plan, use, row);
    lines->apart[u] |=
        row->status == STUDY_DONE && row->results[use->result] != row->results[plan->study->uses[use->of].result];
  }
}

/* The ends of intervals that column c names, or its condition: of one run they are the number itself. */
static void add_ends(struct study_lines *lines, uint32_t column, bool condition, uint32_t *next) {
  struct study_plan *plan = lines->plan;
  for (; *next < plan->study->end_count; ++*next) {
    const struct study_end *end = &plan->study->ends[*next];
    if (end->column > column || (end->column == column && end->limits && !condition)) return;
    struct value *value = &plan->locals[end->symbol->slot];
    study_evaluate(plan, end->value, value);
    add_figure(lines, &lines->ends[*next], *value);
    if (value->kind == VALUE_INT) *value = value_real((double)value->integer);
  }
}

static void add_columns(struct study_lines *lines) {
  struct study_plan *plan = lines->plan;
  uint32_t end = 0;
  for (uint32_t c = 0; c < plan->column_count; c++) {
    bool all = c >= plan->study->column_count;
    add_ends(lines, all ? UINT32_MAX : c, all, &end);
    study_column_open(plan, &plan->columns[c], &lines->values[c]);
    add_figure(lines, &lines->columns[c], lines->values[c]); /* whether the condition holds the means say */
    if (plan->columns[c].condition) add_ends(lines, c, true, &end);
    study_column_close(plan, &plan->columns[c], &lines->values[c]);
  }
  add_ends(lines, UINT32_MAX, true, &end);
}

/* Where a run that was cut short lacks a figure, the mean of the others is another one's: of those that were short. */
static struct value mean_of(const struct study_lines *lines, const struct study_sample *sample) {
  bool known = sample->count && (sample->count == lines->line.runs || !study_cut_text(lines->line.stop));
  return known ? value_real(sample->mean) : (struct value){.kind = VALUE_NONE};
}

static struct value end_of(const struct study_sample *sample, int end) {
  double half = study_sample_half(sample);
  return isnan(half) ? (struct value){.kind = VALUE_NONE} : value_real(sample->mean + end * half);
}

static void take_use(struct study_lines *lines, uint32_t u) {
  const struct study_use *use = &lines->plan->study->uses[u];
  bool end = use->end && !lines->bounded[u];
  lines->plan->locals[use->symbol->slot] =
      end ? end_of(&lines->uses[use->of], use->end) : mean_of(lines, &lines->uses[u]);
}

/* Means in the place of the last repetition's figures; an objective is of the means, and so is what names an end of
 * their interval. */
static void take_means(struct study_lines *lines) {
  struct study_plan *plan = lines->plan;
  for (uint32_t u = 0; u < plan->study->use_count; u++)
    take_use(lines, u);
  for (uint32_t e = 0; e < plan->study->end_count; e++)
    plan->locals[plan->study->ends[e].symbol->slot] = end_of(&lines->ends[e], plan->study->ends[e].end);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_column *column = &plan->columns[c];
    struct study_cell *cell = &lines->cells[c];
    bool of_means = column->kind == COLUMN_OBJECTIVE || column->of_ends;
    if (!of_means && !type_is_number(column->type)) continue;
    if (of_means)
      study_column_open(plan, column, &cell->value);
    else
      cell->value = mean_of(lines, &lines->columns[c]);
    study_column_close(plan, column, &cell->value);
    bool known = cell->value.kind != VALUE_NONE && !column->of_ends;
    cell->half = known ? study_sample_half(&lines->columns[c]) : (double)NAN;
  }
}

/* ---- conditions that the means of figures decide ---- */

/* Does the condition of an objective turn with what a slot has, where that is at an end of its interval? */
static bool turns(struct study_plan *plan, const struct study_column *objective, uint32_t slot, double half,
                  bool holds) {
  struct value *figure = &plan->locals[slot], mean = *figure, own, other;
  bool turned = false;
  if (!(half > 0) || mean.kind == VALUE_NONE) return false;
  for (int end = -1; end <= 1 && !turned; end += 2) {
    *figure = value_real(study_number(&mean) + end * half);
    study_column_open(plan, objective, &own);
    turned = study_evaluate(plan, objective->condition, &other) && other.kind == VALUE_BOOL && other.boolean != holds;
  }
  *figure = mean;
  return turned;
}

static double half_of_use(const struct study_lines *lines, const struct study_row *row, uint32_t u) {
  const struct study_plan *plan = lines->plan;
  uint32_t half = study_half_of_result(plan, plan->study->uses[u].result);
  if (plan->study->uses[u].end) return NAN;
  if (plan->repetitions > 1) return study_sample_half(&lines->uses[u]);
  return half == (uint32_t)STUDY_NONE || row->status != STUDY_DONE ? (double)NAN : row->results[half];
}

/* Would the condition of an objective hold, or not, with a figure at an end of its interval? */
static void find_close(struct study_lines *lines, const struct study_row *row, uint32_t column) {
  struct study_plan *plan = lines->plan;
  const struct study_column *objective = &plan->columns[column];
  struct study_cell *cell = &lines->cells[column];
  struct value value, holds;
  study_column_open(plan, objective, &value);
  cell->without = study_number(&value);
  cell->half_without = plan->repetitions == 1 ? cell->half
                       : objective->of_ends   ? (double)NAN
                                              : study_sample_half(&lines->columns[column]);
  bool known = study_evaluate(plan, objective->condition, &holds) && holds.kind == VALUE_BOOL;
  for (uint32_t u = 0; known && u < plan->study->use_count; u++)
    cell->close |= turns(plan, objective, plan->study->uses[u].symbol->slot, half_of_use(lines, row, u), holds.boolean);
  for (uint32_t c = 0; known && c < column; c++)
    cell->close |= turns(plan, objective, plan->columns[c].slot, lines->cells[c].half, holds.boolean);
  study_column_close(plan, objective, &value);
}

const char *study_failed_text(struct arena *arena, uint64_t failures, uint64_t runs, const char *error) {
  if (!failures || runs < 2) return error;
  return arena_printf(arena, "%llu of %llu repetitions failed: %s", (unsigned long long)failures,
                      (unsigned long long)runs, error);
}

const char *study_cut_text(const char *stops) {
  static const struct {
    enum stop stop;
    const char *all, *some;
  } texts[] = {{STOP_MAX_TIME, "ended by --max-time", "some ended by --max-time"},
               {STOP_NARROW, "ended by half-widths", "some ended by half-widths"}};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    const char *cut = stop_text(texts[k].stop);
    if (!strstr(stops, cut)) continue;
    return strlen(stops) > strlen(cut) + (stops[strlen(stops) - 1] == '\n') ? texts[k].some : texts[k].all;
  }
  return NULL;
}

static void close_line(struct study_lines *lines, const struct study_row *row) {
  const struct study_plan *plan = lines->plan;
  for (uint32_t c = 0; c < plan->column_count; c++)
    lines->cells[c] = (struct study_cell){lines->values[c], study_row_half(&plan->columns[c], row)};
  if (plan->repetitions > 1) take_means(lines);
  for (uint32_t c = 0; c < plan->column_count; c++)
    if (plan->columns[c].condition && !lines->line.failures) find_close(lines, row, c);
}

bool study_lines_add(struct study_lines *lines, const struct study_point *point, const struct study_row *row) {
  struct study_plan *plan = lines->plan;
  struct handle_catch caught;
  bool last = point->repetition + 1 == plan->repetitions;
  if (!point->repetition) open_line(lines, point);
  lines->line.runs++;
  lines->said = NULL;
  if (row->status != STUDY_DONE) fail(lines, row->error);
  lines->line.warnings = add_lines(lines, &lines->warnings, row->warnings);
  lines->line.stop = add_lines(lines, &lines->stop, row->stop ? row->stop : "");
  if (row->evidence) {
    snprintf(lines->evidence, sizeof lines->evidence, "%s", row->evidence);
    lines->line.evidence = lines->evidence;
  }
  handle_catch(&caught, plan->psl); /* what is wrong with a param the run has said */
  study_values(plan, lines->params);
  handle_release(&caught);
  handle_catch(&caught, plan->psl);
  study_open_row(plan, row);
  add_results(lines, row);
  add_columns(lines);
  if (last) close_line(lines, row);
  handle_release(&caught);
  if (*caught.error && row->status == STUDY_DONE) {
    fail(lines, caught.error);
    lines->said = caught.said.data;
  }
  struct study_line *line = &lines->line;
  if (last) line->error = study_failed_text(&plan->psl->work, line->failures, line->runs, line->error);
  return last;
}

/* A point of the database has the columns of one run. */
void study_lines_keep(const struct study_lines *lines, const struct study_point *point, const struct study_row *row) {
  struct study_plan *plan = lines->plan;
  struct arena *arena = &plan->psl->work;
  const char **params = ARENA_ARRAY(arena, const char *, plan->axis_count);
  const char **columns = ARENA_ARRAY(arena, const char *, plan->column_count);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct text text = {.arena = arena};
    study_put_param_json(&text, plan, a, lines->params[a]);
    params[a] = text.data;
  }
  for (uint32_t c = 0; c < plan->column_count; c++) {
    struct text text = {.arena = arena};
    study_put_json(&text, plan, plan->columns[c].type, lines->values[c]);
    columns[c] = text.data;
  }
  store_point(plan, point, row, params, columns);
}

/* ---- the end ---- */

static void note_end(const struct study_lines *lines, struct span span, const char *end, const char *of) {
  struct diagnostics *d = &lines->plan->psl->diagnostics;
  diagnostic_add(d, SEVERITY_NOTE, span, "%s is %s itself: one run has no interval of it", end, of);
  diagnostic_help(d, (struct span){0, 0}, "--repetitions N gives the interval over N runs of each point");
}

static const char *expr_shown(const struct study_lines *lines, const struct expr *expr) {
  struct text text = {.arena = &lines->plan->psl->work};
  expr_format(&text, expr);
  return text.data;
}

/* Ends of a network's figures are told from these where it is simulated; formulas know theirs exactly. */
void study_lines_note_ends(const struct study_lines *lines) {
  const struct study_plan *plan = lines->plan;
  const struct model_study *study = plan->study;
  if (plan->repetitions > 1) return;
  for (uint32_t e = 0; e < study->end_count; e++)
    note_end(lines, study->ends[e].call->span, expr_shown(lines, study->ends[e].call),
             expr_shown(lines, study->ends[e].value));
  for (uint32_t u = 0; u < study->use_count; u++) {
    const struct study_use *use = &study->uses[u];
    if (!use->end || lines->apart[u] || queueing_param(&plan->psl->model, "percentiles")) continue;
    enum result_kind kind = study_result(plan, use->result)->kind;
    if (kind == RESULT_LOW || kind == RESULT_HIGH)
      note_end(lines, use->symbol->span, study_result(plan, use->result)->name, "makespan");
  }
}
