/* psl_study: the points of a plan in order, their rows gathered into lines, the lines into a report. */
#include "interp/study/study_report.h"
#include "interp/resolve/effects.h"
#include "interp/study/plot_series.h"
#include "interp/study/ranks.h"
#include "interp/study/optimize.h"
#include "interp/study/store.h"

#include <string.h>

struct reason {      /* of points that failed, alike but for figures */
  const char *error; /* of the first */
  bool varies;       /* others have other figures */
  uint64_t points;
};

struct studying {
  struct study_plan *plan;
  const struct psl_study_options *options;
  struct study_report report;
  struct study_lines *lines;
  struct study_summary *summary;
  struct study_pictures *pictures; /* NULL: none are wanted */
  struct psl_progress progress;
  uint64_t points, failed; /* points */
  uint64_t drawn;          /* rows of which each has drawn random numbers, and has no intervals */
  struct study_said said;
  struct reason reasons[STUDY_SAID_MOST];
};

/* ---- points ---- */

static bool enumerate(void *user, uint64_t index, struct study_point *point) {
  struct studying *s = user;
  struct study_plan *plan = s->plan;
  struct handle_catch caught;
  study_point_at(plan, index / plan->repetitions, point);
  point->repetition = index % plan->repetitions;
  if (!plan->where_count) return true;
  study_set(plan, point);
  handle_catch(&caught, plan->psl); /* what is wrong is said where the point is run */
  bool wanted = study_wanted(plan, &point->undecided);
  handle_release(&caught);
  if (!wanted && !plan->counted) s->progress.known++, s->progress.done++;
  return wanted;
}

/* ---- rows ---- */

/* The first few are told apart. */
static void count_reason(struct studying *s, const char *error) {
  struct arena *arena = &s->plan->psl->handed;
  for (size_t i = 0; i < STUDY_SAID_MOST; i++) {
    struct reason *reason = &s->reasons[i];
    if (!reason->error) reason->error = arena_copy(arena, error, strlen(error));
    if (!text_alike(reason->error, error)) continue;
    reason->varies |= strcmp(reason->error, error) != 0;
    reason->points++;
    return;
  }
}

static void take_line(struct studying *s, const struct study_point *point) {
  const struct study_line *line = &s->lines->line;
  s->points++;
  s->failed += line->failures > 0;
  if (line->failures) count_reason(s, s->lines->error);
  study_said_line(&s->said, s->plan, point, line);
  if (s->plan->store && s->plan->repetitions > 1) store_means(s->plan, line);
  study_report_line(&s->report, line);
  study_summary_add(s->summary, point, line);
}

static bool take(void *user, const struct study_point *point, const struct study_row *row) {
  struct studying *s = user;
  study_said_row(&s->said, s->plan->psl, row);
  bool whole = study_lines_add(s->lines, point, row);
  if (s->lines->said) study_said_error(&s->said, s->plan->psl, s->lines->said, s->lines->error);
  if (s->pictures) study_pictures_row(s->pictures, point, row, s->lines);
  study_absent_row(s->plan, row);
  s->drawn += study_notes_drawn(s->plan, row);
  if (s->plan->store) study_lines_keep(s->lines, point, row);
  if (whole) take_line(s, point);
  s->progress.done++;
  s->progress.known += row->known;
  s->progress.failed += row->status != STUDY_DONE;
  if (s->options->progress) s->options->progress(s->options->progress_user, &s->progress);
  return !s->report.report.out->stopped;
}

/* ---- the entry ---- */

enum { TABLE_AT_MOST = 10000000 }; /* lines: a table is kept till its end, for the widths of its columns */

static bool too_large(struct study_plan *plan, enum psl_format format) {
  struct diagnostics *d = &plan->psl->diagnostics;
  struct span nowhere = {0};
  if (plan->size > (uint64_t)INT64_MAX / plan->repetitions) {
    diagnostic_add(d, SEVERITY_ERROR, nowhere, "this study has more points than can be counted");
    return true;
  }
  if (plan->size <= TABLE_AT_MOST || !psl_format_is_text(format)) return false;
  diagnostic_add(d, SEVERITY_ERROR, nowhere, "this study has %llu points, too many for a table",
                 (unsigned long long)plan->size);
  diagnostic_help(d, nowhere, "as CSV or JSON lines they are written as they come: --format csv");
  return true;
}

/* Repetitions of what draws nothing are a waste. */
static void note_same(const struct studying *s) {
  const struct study_plan *plan = s->plan;
  if (plan->repetitions < 2 || s->lines->varied || !s->points || s->failed) return;
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_NOTE, (struct span){0},
                 "all %llu repetitions of each point gave the same: no seed matters here",
                 (unsigned long long)plan->repetitions);
}

/* The best of single draws. */
static void note_drawn(const struct studying *s) {
  const struct study_plan *plan = s->plan;
  if (!plan->objective_count || plan->repetitions > 1 || !s->drawn || s->points < 2) return;
  const char *where = arena_printf(&plan->psl->work, " at %llu of %llu points", (unsigned long long)s->drawn,
                                   (unsigned long long)s->points);
  study_notes_one_draw(plan->psl, where, "best");
}

static void say_failed(const struct studying *s) {
  struct diagnostics *d = &s->plan->psl->diagnostics;
  diagnostic_add(d, SEVERITY_ERROR, (struct span){0}, "%llu of %llu point%s failed", (unsigned long long)s->failed,
                 (unsigned long long)s->points, s->points == 1 ? "" : "s");
  for (size_t i = 0; i < STUDY_SAID_MOST && s->reasons[1].error; i++) /* one reason has been said above */
    if (s->reasons[i].points > 1)
      diagnostic_note(d, (struct span){0}, "%llu of them%s: %s", (unsigned long long)s->reasons[i].points,
                      s->reasons[i].varies ? ", the first" : "", s->reasons[i].error);
}

static const char *broken_off(const struct studying *s) {
  const char *why = s->report.report.out->stopped ? "the output is not taken" : "interrupted";
  return arena_printf(&s->plan->psl->handed, "%s: %llu point%s there of %s%llu", why, (unsigned long long)s->points,
                      s->points == 1 ? " is" : "s are", s->plan->counted ? "" : "at most ",
                      (unsigned long long)s->plan->wanted);
}

static enum psl_code end_of(struct studying *s, enum psl_code code) {
  struct diagnostics *d = &s->plan->psl->diagnostics;
  struct span nowhere = {0};
  bool holds = code != PSL_OK || study_summary_close(s->summary);
  if (code != PSL_OK)
    diagnostic_add(d, SEVERITY_ERROR, nowhere, "%s", broken_off(s));
  else if (!s->points && s->plan->where_count)
    diagnostic_add(d, SEVERITY_WARNING, s->plan->wheres[0]->condition->span, STUDY_NO_POINT);
  if (s->failed) say_failed(s);
  if (code == PSL_OK) note_same(s);
  if (code == PSL_OK) note_drawn(s);
  if (code == PSL_OK) study_lacking_note(s->summary);
  if (code == PSL_OK) study_lines_note_ends(s->lines);
  if (!psl_format_is_text(s->options->format)) study_said_close(&s->said, s->plan->psl, s->points);
  bool named = code != PSL_OK || study_absent_refuse(s->plan);
  holds &= code != PSL_OK || !named || study_summary_known(s->summary);
  diagnostic_flush(d);
  if (!named) return PSL_WRONG;
  return code == PSL_OK && (s->failed || !holds) ? PSL_STOPPED : code;
}

/* ---- settings without effect ---- */

/* What holds for all points: the axes may have any values, and what the study's expressions read is of use.
 */
static void note_settings(struct study_plan *plan, const char *system) {
  struct arena *arena = &plan->psl->work;
  uint32_t count = 0, open = 0;
  const struct expr **read = ARENA_ARRAY(
      arena, const struct expr *, 2 * plan->column_count + plan->axis_count + plan->where_count + plan->assert_count);
  struct symbol **axes = ARENA_ARRAY(arena, struct symbol *, plan->axis_count);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    if (!plan->axes[a].set) axes[open++] = plan->axes[a].param;
    if (plan->axes[a].tied) read[count++] = plan->axes[a].tied;
  }
  for (uint32_t c = 0; c < plan->column_count; c++) {
    read[count++] = plan->columns[c].value;
    if (plan->columns[c].condition) read[count++] = plan->columns[c].condition;
  }
  for (uint32_t w = 0; w < plan->where_count; w++)
    read[count++] = plan->wheres[w]->condition;
  for (uint32_t w = 0; w < plan->assert_count; w++)
    read[count++] = plan->asserts[w]->condition;
  struct effects_options options = {plan->run.deny_lossy, axes, open, read, count};
  handle_note_settings(plan->psl, handle_system(plan->psl, system), &options);
}

/* ---- by search ---- */

enum { RUN_AT_MOST = 100000000 }; /* points that anybody would want to wait for */

/* The best point for each value of a param is one of all points. */
static bool refuse_groups(const struct study_plan *plan) {
  struct diagnostics *d = &plan->psl->diagnostics;
  for (const struct study_item *item = plan->study->decl->study.items; item; item = item->next) {
    if (!item->group_count) continue;
    diagnostic_add(d, SEVERITY_ERROR, item->groups[0]->span,
                   "a search finds one best point, and here one is wanted for each value of a param");
    if (plan->size > RUN_AT_MOST)
      diagnostic_help(d, (struct span){0}, "vary fewer params, or over fewer values, so that all points can be run");
    else
      diagnostic_help(d, (struct span){0}, "--search never runs all %llu points", (unsigned long long)plan->size);
    return true;
  }
  return false;
}

/* *fine false after a diagnostic. */
static bool is_searched(const struct study_plan *plan, const struct psl_study_options *options, bool *fine) {
  bool varied = false;
  for (uint32_t a = 0; a < plan->axis_count; a++)
    varied |= !plan->axes[a].tied && !plan->axes[a].set;
  bool can = plan->objective_count && varied;
  bool large = plan->size > STUDY_ENUMERATED;
  bool wanted = options->search == PSL_SEARCH_ALWAYS || (options->search == PSL_SEARCH_LARGE && large);
  if (can && wanted && !(*fine = !refuse_groups(plan))) return false;
  *fine = can || options->search != PSL_SEARCH_ALWAYS;
  if (!*fine)
    diagnostic_add(&plan->psl->diagnostics, SEVERITY_ERROR, plan->study->decl->name.span,
                   plan->objective_count ? "nothing is varied: there is nothing to search"
                                         : "nothing is minimized or maximized: there is nothing to search for");
  switch (options->search) {
  case PSL_SEARCH_LARGE: return can && large;
  case PSL_SEARCH_ALWAYS: return can;
  case PSL_SEARCH_NEVER: return false;
  }
  return false;
}

/* Lines are those of the points that the search runs. */
static enum psl_code search_study(struct studying *s) {
  struct study_plan *plan = s->plan;
  struct search_result *results = ARENA_ARRAY(&plan->psl->handed, struct search_result, plan->objective_count);
  s->progress.count = plan->repetitions * plan->objective_count *
                      (s->options->evaluations ? s->options->evaluations : SEARCH_EVALUATIONS);
  struct study_optimize_options options = {s->options->evaluations, take, s, s->lines};
  enum psl_code code = study_optimize(plan, &options, results);
  for (uint32_t k = 0; k < plan->objective_count && code == PSL_OK; k++)
    study_optimum_say(plan, plan->study->goals[k].item, plan->objectives[k].name, &results[k]);
  return code;
}

static bool refuse_best(const struct study_plan *plan, const struct psl_study_options *options) {
  if (!options->best || plan->objective_count) return false;
  diagnostic_misuse(&plan->psl->diagnostics, "nothing is minimized or maximized: there is no best point");
  diagnostic_help(&plan->psl->diagnostics, (struct span){0},
                  "--minimize 'cost = EXPRESSION' or a study's own says what is best");
  return true;
}

/* A front is of all points, by several objectives. */
static bool refuse_front(const struct study_plan *plan, const struct psl_study_options *options, bool searched) {
  struct diagnostics *d = &plan->psl->diagnostics;
  bool grouped = false;
  if (!options->pareto) return false;
  for (uint32_t o = 0; o < plan->objective_count; o++)
    grouped |= plan->objectives[o].by_count > 0;
  if (plan->objective_count < 2) {
    diagnostic_misuse(d, "a Pareto front is of two objectives or more, and here %s",
                      plan->objective_count ? "is one" : "is none");
    diagnostic_help(d, (struct span){0}, "each is named: --minimize makespan --maximize 'NAME = EXPRESSION'");
  } else if (grouped) {
    diagnostic_misuse(d, "a Pareto front has points of all values: its objectives have no 'by'");
    diagnostic_help(d, (struct span){0}, "--set or --where keeps a param to one value");
  } else if (searched) {
    diagnostic_misuse(d, "a Pareto front is of all points, and a search runs some");
    diagnostic_help(d, (struct span){0}, "--search never runs all; fewer values or --where make them fewer");
  } else if (options->best && format_is_lines(options->format)) {
    diagnostic_misuse(d, "CSV and JSON lines have one table: that of --best or that of --pareto");
  } else {
    return false;
  }
  return true;
}

struct study_given {
  const char *name;
  const struct psl_study_options *options;
  psl_write *write;
  void *user;
};

/* Without a study of the model's and without an axis there is one point. */
static void note_nothing_varied(const struct study_plan *plan, const struct study_given *given) {
  bool fine;
  struct diagnostics *d = &plan->psl->diagnostics;
  if (plan->axis_count || given->options->repetitions > 1 || study_declared(plan->psl, given->name, &fine)) return;
  diagnostic_add(d, SEVERITY_NOTE, (struct span){0, 0}, "nothing is varied: there is one point");
  diagnostic_help(d, (struct span){0, 0}, "--vary PARAM=A,B,... or --vary PARAM=LOW..HIGH varies a param");
}

static enum psl_code work_study(struct psl *psl, void *arguments) {
  const struct study_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed); /* what must outlive a run stands there */
  struct study_plan *plan = study_plan_make(psl, given->name, given->options);
  bool fine = plan != NULL, searched = plan && is_searched(plan, given->options, &fine);
  if (plan && (refuse_best(plan, given->options) || refuse_front(plan, given->options, searched))) return PSL_MISUSE;
  if (!fine || (!searched && too_large(plan, given->options->format)) ||
      !handle_can_draw(plan->psl, &given->options->plot))
    return PSL_WRONG;
  note_nothing_varied(plan, given);
  note_settings(plan, plan->system);
  study_count(plan);
  plan->searched = searched;
  if (given->options->dry_run) return study_dry_run(plan, given->options, given->write, given->user);
  struct studying s = {
      .plan = plan,
      .options = given->options,
      .lines = study_lines_open(plan),
      .summary = study_summary_open(plan),
  };
  s.summary->front.wanted = given->options->pareto;
  if (given->options->plot.format != PSL_PLOT_NONE) s.pictures = study_pictures_open(plan);
  s.progress.count = plan->wanted * plan->repetitions;
  study_report_open(&s.report, plan, given->options, given->write, given->user);
  if (given->options->database && !ranks_serving(plan->ranks) && !store_open(plan, given->options->database))
    return PSL_WRONG;
  bool searches = searched && !ranks_serving(plan->ranks); /* another rank does what the search asks for */
  enum psl_code code =
      searches ? search_study(&s) : study_run(plan, plan->size * plan->repetitions, enumerate, take, &s);
  study_summary_find_near(s.summary);
  if (code == PSL_OK) study_summary_judge(s.summary);
  if (code == PSL_OK && plan->store)
    store_outcome(plan, study_summary_json(s.summary), study_summary_uncertain(s.summary));
  if (code == PSL_OK && plan->store) store_note_lost(plan);
  bool kept = study_close(plan);
  if (given->options->progress) {
    s.progress.ended = true;
    given->options->progress(given->options->progress_user, &s.progress);
  }
  study_report_close(&s.report, s.summary, &s.said, code == PSL_OK ? NULL : broken_off(&s));
  code = end_of(&s, code);
  if (s.pictures && !study_pictures_draw(s.pictures, &given->options->plot)) code = PSL_STOPPED;
  study_restore(plan);
  return kept || code != PSL_OK ? code : PSL_STOPPED; /* what the database lacks stands in the report */
}

enum psl_code psl_study(struct psl *psl, const char *name, const struct psl_study_options *options, psl_write *write,
                        void *user) {
  struct psl_study_options none = {0};
  return handle_enter(psl, work_study, &(struct study_given){name, options ? options : &none, write, user});
}

/* ---- what is varied ---- */

struct varied_given {
  const char *name;
  const char **params;
  size_t *count;
};

static enum psl_code work_varied(struct psl *psl, void *arguments) {
  struct varied_given *given = arguments;
  bool fine;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed);
  if (!model_refresh(&psl->model)) return PSL_WRONG;
  const struct model_study *study = study_declared(psl, given->name, &fine);
  if (!fine) return PSL_WRONG;
  struct study_plan names = {.psl = psl, .shared_params = model_shared_params(&psl->model, &psl->handed)};
  given->params = ARENA_ARRAY(&psl->handed, const char *, study ? study->varied_count : 0);
  for (uint32_t v = 0; study && v < study->varied_count; v++)
    given->params[(*given->count)++] = study_param_name(&names, study->varied[v]);
  return PSL_OK;
}

enum psl_code psl_varied(struct psl *psl, const char *name, const char *const **params, size_t *count) {
  struct varied_given given = {.name = name, .count = count};
  *count = 0;
  enum psl_code code = handle_enter(psl, work_varied, &given);
  *params = given.params;
  return code;
}

struct can_given {
  const char *name;
  bool *can;
};

static enum psl_code work_can_study(struct psl *psl, void *arguments) {
  const struct can_given *given = arguments;
  if (!handle_model(psl)) return PSL_MISUSE;
  *given->can = study_can_be(psl, given->name);
  return PSL_OK;
}

enum psl_code psl_can_study(struct psl *psl, const char *name, bool *can) {
  *can = false;
  return handle_enter(psl, work_can_study, &(struct can_given){name, can});
}
