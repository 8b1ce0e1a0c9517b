/* psl_study: the points of a plan in order, their rows gathered into lines, the lines into a report. */
#include "interp/report/study.h"
#include "interp/study/picture.h"
#include "interp/study/store.h"

#include <stdio.h>
#include <string.h>

enum { SAID_MOST = 3 }; /* so many different diagnostics of points are shown */

struct studying {
  struct study_plan *plan;
  const struct psl_study_options *options;
  struct study_report report;
  struct study_line line;    /* of the point in hand, over its repetitions so far */
  struct study_sample *uses; /* by result that the study's expressions name */
  struct study_sample *columns;
  struct value *values; /* of the columns; objects live till the next run */
  struct study_cell *cells;
  struct value *params;
  struct study_pictures *pictures; /* NULL: none are wanted */
  struct psl_progress progress;
  uint64_t points, failed; /* points */
  char error[400], evidence[100]; /* of the line */
  const char *said[SAID_MOST];
  size_t said_count, unsaid;
};

/* ---- points ---- */

static bool enumerate(void *user, uint64_t index, struct study_point *point) {
  struct studying *s = user;
  struct study_plan *plan = s->plan;
  bool failed = false;
  study_point_at(plan, index / plan->repetitions, point);
  point->repetition = index % plan->repetitions;
  if (!plan->where_count) return true;
  study_set(plan, point);
  bool wanted = study_wanted(plan, &failed);
  if (!wanted) s->progress.done++;
  return wanted;
}

/* ---- rows into lines ---- */

/* What a point said is shown once, and only so much of it. */
static void show(struct studying *s, const char *said) {
  struct psl *psl = s->plan->psl;
  if (!*said) return;
  for (size_t i = 0; i < s->said_count; i++)
    if (!strcmp(s->said[i], said)) return;
  if (s->said_count == SAID_MOST) {
    s->unsaid++;
    return;
  }
  s->said[s->said_count++] = arena_copy(&psl->handed, said, strlen(said));
  if (psl->options.diagnostic)
    psl->options.diagnostic(psl->options.user, &(struct psl_diagnostic){.text = said, .message = said});
}

static void open_line(struct studying *s, const struct study_point *point) {
  const struct study_plan *plan = s->plan;
  s->line = (struct study_line){.number = point->number, .params = s->params, .cells = s->cells};
  memset(s->uses, 0, sizeof *s->uses * plan->study->use_count);
  memset(s->columns, 0, sizeof *s->columns * plan->column_count);
}

static void fail_line(struct studying *s, const char *error) {
  s->line.error = s->error;
  if (!s->line.failures++) snprintf(s->error, sizeof s->error, "%s", error);
}

/* The columns of one run; its results and columns enter the means. */
static void add_row(struct studying *s, const struct study_row *row) {
  struct study_plan *plan = s->plan;
  struct study_catch caught;
  study_open_row(plan, row);
  study_catch(&caught, plan->psl);
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    double figure = study_number(&plan->locals[plan->study->uses[u].symbol->slot]);
    if (!isnan(figure)) study_sample_add(&s->uses[u], figure);
  }
  for (uint32_t c = 0; c < plan->column_count; c++) {
    study_evaluate(plan, plan->columns[c].value, &s->values[c]);
    if (plan->columns[c].slot != (uint32_t)STUDY_NONE) plan->locals[plan->columns[c].slot] = s->values[c];
    double figure = study_number(&s->values[c]);
    if (!isnan(figure)) study_sample_add(&s->columns[c], figure);
  }
  study_release(&caught);
  if (row->status == STUDY_DONE && *caught.error) {
    fail_line(s, caught.error);
    show(s, caught.said.data);
  }
}

/* What is wrong with a param its run has said. */
static void read_params(struct studying *s) {
  struct study_catch caught;
  study_catch(&caught, s->plan->psl);
  study_values(s->plan, s->params);
  study_release(&caught);
}

static void close_line(struct studying *s) {
  const struct study_plan *plan = s->plan;
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_sample *sample = &s->columns[c];
    s->cells[c] = (struct study_cell){s->values[c], NAN};
    if (plan->repetitions < 2 || !type_is_number(plan->columns[c].type)) continue;
    s->cells[c].value = sample->count ? (struct value){.kind = VALUE_REAL, .real = sample->mean}
                                      : (struct value){.kind = VALUE_NONE};
    s->cells[c].half = study_sample_half(sample);
  }
  s->points++;
  s->failed += s->line.failures > 0;
  study_report_line(&s->report, &s->line);
}

/* A point of the database has the columns of one run. */
static void keep_point(struct studying *s, const struct study_point *point, const struct study_row *row) {
  struct study_plan *plan = s->plan;
  struct arena *arena = &plan->psl->work;
  const char **params = ARENA_ARRAY(arena, const char *, plan->axis_count);
  const char **columns = ARENA_ARRAY(arena, const char *, plan->column_count);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct text text = {.arena = arena};
    study_put_param_json(&text, plan, a, s->params[a]);
    params[a] = text.data;
  }
  for (uint32_t c = 0; c < plan->column_count; c++) {
    struct text text = {.arena = arena};
    study_put_json(&text, plan, plan->columns[c].type, s->values[c]);
    columns[c] = text.data;
  }
  store_point(plan, point, row, params, columns);
}

static bool take(void *user, const struct study_point *point, const struct study_row *row) {
  struct studying *s = user;
  if (!point->repetition) open_line(s, point);
  show(s, row->said);
  s->line.runs++;
  s->progress.done++;
  if (row->status != STUDY_DONE) {
    s->progress.failed++;
    fail_line(s, row->error);
  }
  if (row->evidence) {
    snprintf(s->evidence, sizeof s->evidence, "%s", row->evidence);
    s->line.evidence = s->evidence;
  }
  add_row(s, row);
  read_params(s);
  if (s->pictures) study_pictures_row(s->pictures, point, s->params, s->values);
  if (s->plan->store) keep_point(s, point, row);
  if (point->repetition + 1 == s->plan->repetitions) close_line(s);
  if (s->options->progress) s->options->progress(s->options->progress_user, &s->progress);
  return !s->report.out.stopped;
}

/* ---- the entry ---- */

static bool too_large(struct study_plan *plan) {
  if (plan->size <= (uint64_t)INT64_MAX / plan->repetitions) return false;
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_ERROR, plan->study->decl->name.span,
                 "this study has more points than can be counted");
  return true;
}

static enum psl_code end_of(struct studying *s, enum psl_code code) {
  struct diagnostics *d = &s->plan->psl->diagnostics;
  uint64_t whole = s->plan->size;
  if (code != PSL_OK)
    diagnostic_add(d, SEVERITY_ERROR, (struct span){0}, "interrupted: %llu of %llu points are there",
                   (unsigned long long)s->points, (unsigned long long)whole);
  if (s->failed)
    diagnostic_add(d, SEVERITY_ERROR, (struct span){0}, "%llu of %llu point%s failed",
                   (unsigned long long)s->failed, (unsigned long long)s->points, s->points == 1 ? "" : "s");
  diagnostic_flush(d);
  return code == PSL_OK && s->failed ? PSL_STOPPED : code;
}

struct study_given {
  const char *name;
  const struct psl_study_options *options;
  psl_write *write;
  void *user;
};

static enum psl_code work_study(struct psl *psl, void *arguments) {
  const struct study_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed); /* what must outlive a run stands there */
  struct study_plan *plan = study_plan_make(psl, given->name, given->options);
  if (!plan || too_large(plan) || !study_pictures_possible(psl, &given->options->plot)) return PSL_WRONG;
  struct arena *arena = &psl->handed;
  struct studying s = {
      .plan = plan,
      .options = given->options,
      .uses = ARENA_ARRAY(arena, struct study_sample, plan->study->use_count),
      .columns = ARENA_ARRAY(arena, struct study_sample, plan->column_count),
      .values = ARENA_ARRAY(arena, struct value, plan->column_count),
      .cells = ARENA_ARRAY(arena, struct study_cell, plan->column_count),
      .params = ARENA_ARRAY(arena, struct value, plan->axis_count),
  };
  if (given->options->plot.format != PSL_PLOT_NONE) s.pictures = study_pictures_open(plan);
  s.progress.count = plan->size * plan->repetitions;
  study_report_open(&s.report, plan, given->options->format, given->write, given->user);
  if (given->options->database && !store_open(plan, given->options->database)) return PSL_WRONG;
  enum psl_code code = study_run(plan, s.progress.count, enumerate, take, &s);
  bool kept = study_close(plan);
  study_restore(plan);
  study_report_close(&s.report);
  code = end_of(&s, code);
  if (s.pictures && !study_pictures_draw(s.pictures, &given->options->plot)) code = PSL_STOPPED;
  return kept ? code : PSL_WRONG;
}

enum psl_code psl_study(struct psl *psl, const char *name, const struct psl_study_options *options,
                        psl_write *write, void *user) {
  struct psl_study_options none = {0};
  return handle_enter(psl, work_study, &(struct study_given){name, options ? options : &none, write, user});
}
