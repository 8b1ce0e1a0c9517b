/* `psl study --dry-run`: the points that a study has, and which of their runs a database keeps already. Nothing is run,
 * and nothing is written. Called by psl_study. */
#include "interp/study/store.h"
#include "interp/study/study_report.h"

#include <unistd.h>

struct dry_run {
  struct study_report report;
  struct study_plan *plan;
  const struct psl_study_options *options;
  bool looks; /* there is a database to look into */
};
struct dry_count {
  uint64_t points, kept, refused; /* kept: runs */
};

/* A point that `where` cannot be computed at is one of the study, whose run says why. */
static bool take_point(struct dry_run *d, uint64_t number, struct study_point *point) {
  struct handle_catch caught;
  study_point_at(d->plan, number, point);
  handle_catch(&caught, d->plan->psl);
  study_set(d->plan, point);
  bool wanted = study_wanted(d->plan, &point->undecided);
  handle_release(&caught);
  return wanted;
}

static uint64_t runs_kept(struct dry_run *d, struct study_point *point) {
  uint64_t kept = 0;
  for (point->repetition = 0; d->looks && point->repetition < d->plan->repetitions; point->repetition++)
    kept += store_has(d->plan, point);
  point->repetition = 0;
  return kept;
}

static void put_point(struct dry_run *d, const struct study_point *point, uint64_t kept) {
  struct study_plan *plan = d->plan;
  struct handle_catch caught;
  struct value *values = ARENA_ARRAY(&plan->psl->work, struct value, plan->axis_count + 1);
  struct report_cell *cell = d->report.cells;
  handle_catch(&caught, plan->psl);
  study_set(plan, point);
  study_values(plan, values);
  handle_release(&caught);
  for (uint32_t a = 0; a < plan->axis_count; a++)
    *cell++ = study_param_cell(&d->report, a, values[a]);
  *cell++ = cell_count(plan->repetitions);
  *cell++ = d->looks ? cell_count(kept) : cell_none();
  report_row(&d->report.report, d->report.cells);
}

/* Is a value of the point outside of its param's range? The first such point says so. */
static bool is_refused(struct dry_run *d, const struct study_point *point, bool first) {
  struct handle_catch caught;
  study_set(d->plan, point);
  if (!first) handle_catch(&caught, d->plan->psl);
  bool refused = !study_allowed(d->plan);
  if (first)
    diagnostic_flush(&d->plan->psl->diagnostics);
  else
    handle_release(&caught);
  return refused;
}

/* Counts the points; with `put` each becomes a row. */
static bool each_point(struct dry_run *d, bool put, struct dry_count *count) {
  struct study_plan *plan = d->plan;
  struct arena *arena = &plan->psl->handed;
  struct study_point point = {.at = ARENA_ARRAY(arena, double, plan->free_count + 1)};
  *count = (struct dry_count){0};
  for (uint64_t number = 0; number < plan->size; number++) {
    if (interrupted(&plan->psl->memory)) return false;
    if (!take_point(d, number, &point)) continue;
    uint64_t kept = runs_kept(d, &point);
    if (put)
      put_point(d, &point, kept);
    else
      count->refused += is_refused(d, &point, !count->refused);
    count->points++;
    count->kept += kept;
    arena_close(&plan->psl->work);
  }
  return true;
}

static void put_axes(struct dry_run *d) {
  static const struct report_column columns[] = {{"param", "", .names = true},
                                                 {"values", "", FIGURE_COUNT, .after = " values"},
                                                 {"follows", "", .optional = true}};
  static const struct report_section section = {
      .key = "axes", .title = "varied", REPORT_COLUMNS(columns), .headless = true, .kept = true};
  const struct study_plan *plan = d->plan;
  report_section(&d->report.report, &section);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    struct text tied = {.arena = &plan->psl->handed};
    if (axis->tied) expr_format(&tied, axis->tied);
    report_row(&d->report.report,
               (struct report_cell[]){cell_word(axis->name), axis->tied ? cell_none() : cell_count(axis->count),
                                      cell_word(tied.data)});
  }
  report_end(&d->report.report);
}

static void put_counts(struct dry_run *d, const struct dry_count *count) {
  static const struct report_fact points = {"point_count", "points", NULL, FIGURE_COUNT, NULL},
                                  repetitions = {"repetitions", "repetitions", NULL, FIGURE_COUNT, NULL},
                                  runs = {"run_count", "runs", NULL, FIGURE_COUNT, NULL},
                                  kept = {"kept_count", NULL, ", of which the database has ", FIGURE_COUNT, NULL};
  struct report *report = &d->report.report;
  report_fact(report, &points, cell_count(count->points));
  report_fact(report, &repetitions, cell_count(d->plan->repetitions));
  report_fact(report, &runs, cell_count(count->points * d->plan->repetitions));
  if (d->looks) report_fact(report, &kept, cell_count(count->kept));
}

static bool refuse_search(const struct study_plan *plan) {
  if (!plan->searched) return false;
  diagnostic_misuse(&plan->psl->diagnostics, "a search has no points before it runs: each depends on those before it");
  diagnostic_help(&plan->psl->diagnostics, (struct span){0}, "--search never runs all, which --dry-run lists");
  return true;
}

enum psl_code study_dry_run(struct study_plan *plan, const struct psl_study_options *options, psl_write *write,
                            void *user) {
  struct dry_run d = {.plan = plan, .options = options};
  struct dry_count count;
  if (refuse_search(plan)) return PSL_MISUSE;
  d.looks = options->database && access(options->database, F_OK) == 0;
  if (d.looks && !store_look(plan, options->database)) return PSL_WRONG;
  study_report_dry(&d.report, plan, options, write, user);
  bool whole = each_point(&d, false, &count);
  uint64_t refused = count.refused;
  if (whole) {
    put_counts(&d, &count);
    put_axes(&d);
    report_section(&d.report.report, &d.report.section);
    whole = each_point(&d, true, &count);
    report_end(&d.report.report);
    report_close(&d.report.report);
  }
  if (d.looks) store_look_away(plan);
  study_restore(plan);
  if (refused)
    diagnostic_misuse(&plan->psl->diagnostics, "%llu of %llu point%s would fail", (unsigned long long)refused,
                      (unsigned long long)count.points, count.points == 1 ? "" : "s");
  return whole && !refused ? PSL_OK : PSL_STOPPED;
}
