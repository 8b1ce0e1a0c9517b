/* Rows into lines: the columns of each run, their means over the repetitions of a point.  Called by
 * psl_study. */
#include "interp/study/study.h"

#include <stdio.h>
#include <string.h>

struct study_lines *study_lines_open(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  struct study_lines *lines = ARENA_NEW(arena, struct study_lines);
  *lines = (struct study_lines){
      .plan = plan,
      .uses = ARENA_ARRAY(arena, struct study_sample, plan->study->use_count),
      .columns = ARENA_ARRAY(arena, struct study_sample, plan->column_count),
      .values = ARENA_ARRAY(arena, struct value, plan->column_count),
      .params = ARENA_ARRAY(arena, struct value, plan->axis_count),
      .cells = ARENA_ARRAY(arena, struct study_cell, plan->column_count),
      .warnings = {.arena = arena},
      .stop = {.arena = arena},
  };
  return lines;
}

bool study_has_interval(const struct study_plan *plan, const struct study_column *column) {
  bool one = column->half != (uint32_t)STUDY_NONE; /* a run of a network that is simulated has one */
  return (plan->repetitions > 1 || one) && column->kind == COLUMN_REPORT && type_is_number(column->type);
}

static void open_line(struct study_lines *lines, const struct study_point *point) {
  const struct study_plan *plan = lines->plan;
  lines->line = (struct study_line){.number = point->number, .params = lines->params, .cells = lines->cells};
  lines->warnings.size = lines->stop.size = 0;
  memset(lines->uses, 0, sizeof *lines->uses * plan->study->use_count);
  memset(lines->columns, 0, sizeof *lines->columns * plan->column_count);
}

static void fail(struct study_lines *lines, const char *error) {
  lines->line.error = lines->error;
  if (!lines->line.failures++) snprintf(lines->error, sizeof lines->error, "%s", error);
}

static bool has_line(struct arena *arena, const struct text *text, const char *wanted) {
  const char *at = text->size ? text->data : "", *line;
  while ((line = text_next_line(arena, &at)))
    if (!strcmp(line, wanted)) return true;
  return false;
}

/* Each line that is not there yet. */
static const char *add_lines(struct study_lines *lines, struct text *text, const char *more) {
  struct arena *arena = &lines->plan->psl->work;
  for (const char *line; (line = text_next_line(arena, &more));)
    if (!has_line(arena, text, line)) text_add_line(text, line);
  return text->size ? text->data : "";
}

static void add_figure(struct study_lines *lines, struct study_sample *sample, struct value value) {
  double figure = study_number(&value);
  if (isnan(figure)) return;
  if (sample->count && figure != sample->mean) lines->varied = true;
  study_sample_add(sample, figure);
}

/* NONE where the condition does not hold. */
static void evaluate_column(struct study_plan *plan, const struct study_column *column, struct value *value) {
  struct value holds = value_boolean(true);
  if (column->condition) study_evaluate(plan, column->condition, &holds);
  *value = (struct value){.kind = VALUE_NONE};
  if (holds.kind == VALUE_BOOL && holds.boolean) study_evaluate(plan, column->value, value);
  if (column->slot != (uint32_t)STUDY_NONE) plan->locals[column->slot] = *value;
}

static void add_results(struct study_lines *lines) {
  const struct study_plan *plan = lines->plan;
  for (uint32_t u = 0; u < plan->study->use_count; u++)
    add_figure(lines, &lines->uses[u], plan->locals[plan->study->uses[u].symbol->slot]);
}

static void add_columns(struct study_lines *lines) {
  struct study_plan *plan = lines->plan;
  for (uint32_t c = 0; c < plan->column_count; c++) {
    evaluate_column(plan, &plan->columns[c], &lines->values[c]);
    add_figure(lines, &lines->columns[c], lines->values[c]);
  }
}

static struct value mean_of(const struct study_sample *sample) {
  return sample->count ? value_real(sample->mean) : (struct value){.kind = VALUE_NONE};
}

/* Means in the place of the last repetition's figures; an objective is of the means. */
static void take_means(struct study_lines *lines) {
  struct study_plan *plan = lines->plan;
  for (uint32_t u = 0; u < plan->study->use_count; u++)
    plan->locals[plan->study->uses[u].symbol->slot] = mean_of(&lines->uses[u]);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_column *column = &plan->columns[c];
    struct study_cell *cell = &lines->cells[c];
    if (!type_is_number(column->type)) continue;
    cell->value = mean_of(&lines->columns[c]);
    if (column->kind == COLUMN_OBJECTIVE)
      evaluate_column(plan, column, &cell->value);
    else
      cell->half = study_sample_half(&lines->columns[c]);
    if (column->slot != (uint32_t)STUDY_NONE) plan->locals[column->slot] = cell->value;
  }
}

static void close_line(struct study_lines *lines, const struct study_row *row) {
  const struct study_plan *plan = lines->plan;
  for (uint32_t c = 0; c < plan->column_count; c++)
    lines->cells[c] = (struct study_cell){lines->values[c], study_row_half(&plan->columns[c], row)};
  if (plan->repetitions > 1) take_means(lines);
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
  add_results(lines);
  add_columns(lines);
  if (last) close_line(lines, row);
  handle_release(&caught);
  if (*caught.error && row->status == STUDY_DONE) {
    fail(lines, caught.error);
    lines->said = caught.said.data;
  }
  return last;
}
