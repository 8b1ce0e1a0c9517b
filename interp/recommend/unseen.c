/* How good recommendations are: of problems that nothing was learnt from all candidates are run, and what would have
 * been recommended stands beside the best. */
#include "interp/recommend/recommend.h"

#include <string.h>

struct judged {
  double best, first,
      verified; /* costs: of all, of the choice ranked first, of the best of those that are recommended */
};

static double off(double cost, double best) {
  if (!isfinite(cost)) return INFINITY;
  return best == 0 ? cost > 0 : (cost - best) / fabs(best);
}

/* Costs of a problem's candidates, in their order. */
static enum psl_code run_all(struct recommender *r, const struct recommend_candidates *problem, double *costs) {
  uint32_t begin = r->cases.count, at = begin;
  enum psl_code code = cases_run(r, problem->points, problem->count);
  for (uint32_t c = 0; c < problem->count; c++) { /* what has failed is no case */
    bool ran = at < r->cases.count &&
               !memcmp(r->cases.items[at].at, problem->points[c].at, r->plan->free_count * sizeof(double));
    costs[c] = ran ? cases_cost(r, &r->cases.items[at++]) : INFINITY;
  }
  r->cases.count = begin; /* they are to be unseen */
  return code;
}

static struct judged judge(struct recommender *r, const struct recommend_candidates *problem, const double *costs) {
  struct recommend_choice *ranked = choose_rank(r, problem);
  struct judged judged = {INFINITY, costs[ranked->candidate], INFINITY};
  for (uint32_t c = 0; c < problem->count; c++) {
    judged.best = fmin(judged.best, costs[c]);
    if (c < r->options->choices) judged.verified = fmin(judged.verified, costs[ranked[c].candidate]);
  }
  return judged;
}

static void put_share(struct recommender *r, struct report *report, const char *key, const char *head,
                      const double *offs, uint32_t count) {
  static const double limits[] = {0, 0.05, 0.15, 0.2};
  struct text text = {.arena = report->arena};
  double worst = 0;
  for (uint32_t i = 0; i < count; i++)
    worst = fmax(worst, offs[i]);
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
    uint32_t within = 0;
    for (uint32_t i = 0; i < count; i++)
      within += offs[i] <= limits[k];
    double share = (double)within / count;
    const char *what = k ? arena_printf(report->arena, "within %g %%", 100 * limits[k]) : "the best";
    text_printf(&text, "%s%s in %.1f %%", k ? ", " : "", what, 100 * share);
    report_fact(report, &(struct report_fact){.key = arena_printf(report->arena, "%s_%g", key, 100 * limits[k])},
                cell_real(share));
  }
  report_line(report, "%-13s%s, at worst %s", head, text.data,
              isfinite(worst) ? arena_printf(report->arena, "%.1f %% off", 100 * worst) : "it does not fit");
  report_fact(report, &(struct report_fact){.key = arena_printf(report->arena, "%s_worst", key)}, cell_real(worst));
  (void)r;
}

static void put_problems(struct recommender *r, struct report *report, const struct recommend_candidates *problems,
                         const double *first, const double *verified, uint32_t count) {
  struct report_column *columns = ARENA_ARRAY(&r->psl->handed, struct report_column, r->feature_count + 3);
  struct report_cell *cells = ARENA_ARRAY(&r->psl->handed, struct report_cell, r->feature_count + 3);
  size_t wide = 0;
  for (uint32_t f = 0; f < r->feature_count; f++)
    if (r->features[f].axis != (uint32_t)STUDY_NONE && r->features[f].role != ROLE_CHOICE)
      columns[wide++] = (struct report_column){.key = r->features[f].name, .head = r->features[f].name, .names = true};
  columns[wide] = (struct report_column){"candidates", "candidates", FIGURE_COUNT};
  columns[wide + 1] = (struct report_column){"off", "off", FIGURE_DIFFERENCE};
  columns[wide + 2] = (struct report_column){"verified_off", "verified", FIGURE_DIFFERENCE};
  const struct report_section section = {
      .key = "problems", .columns = columns, .column_count = wide + 3, .main = true, .kept = true};
  report_section(report, &section);
  for (uint32_t p = 0; p < count; p++) {
    size_t at = 0;
    for (uint32_t f = 0; f < r->feature_count; f++)
      if (r->features[f].axis != (uint32_t)STUDY_NONE && r->features[f].role != ROLE_CHOICE)
        cells[at++] = cell_word(recommend_value(r, &r->features[f], problems[p].x[f]));
    cells[at++] = cell_count(problems[p].count);
    cells[at++] = cell_real(first[p]);
    cells[at] = cell_real(verified[p]);
    report_row(report, cells);
  }
  report_end(report);
}

static void put_runs(struct recommender *r, struct report *report, uint64_t learnt, uint64_t exhaustive,
                     uint32_t count) {
  uint64_t verified = learnt + (uint64_t)r->options->choices * count * r->plan->repetitions;
  report_line(
      report, "%-13s%llu to learn, %.2f %% of the %llu that all candidates took; %llu with those verified, %.2f %%",
      "runs", (unsigned long long)learnt, 100 * (double)learnt / (double)exhaustive, (unsigned long long)exhaustive,
      (unsigned long long)verified, 100 * (double)verified / (double)exhaustive);
  report_fact(report, &(struct report_fact){.key = "learnt_runs"}, cell_count(learnt));
  report_fact(report, &(struct report_fact){.key = "exhaustive_runs"}, cell_count(exhaustive));
  report_fact(report, &(struct report_fact){.key = "verified_runs"}, cell_count(verified));
}

enum psl_code unseen_report(struct recommender *r, struct report *report) {
  struct arena *arena = &r->psl->handed;
  uint32_t count = 0, wanted = (uint32_t)r->options->unseen;
  uint64_t learnt = r->runs, exhaustive = 0;
  struct recommend_candidates *problems = ARENA_ARRAY(arena, struct recommend_candidates, wanted);
  double *first = ARENA_ARRAY(arena, double, wanted), *verified = ARENA_ARRAY(arena, double, wanted);
  enum psl_code code = PSL_OK;
  if (!r->figures[r->goal].forecaster) {
    diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "too few cases are known to recommend by");
    return PSL_WRONG;
  }
  uint32_t found = design_unseen(r, wanted, problems);
  for (uint32_t p = 0; p < found; p++) {
    if (!problems[p].sampled) continue;
    diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                   "there are too many choices for a problem to run them all");
    diagnostic_help(&r->psl->diagnostics, (struct span){0}, "--where leaves out some");
    return PSL_WRONG;
  }
  for (uint32_t p = 0; p < found; p++)
    r->asked += problems[p].count * r->plan->repetitions;
  r->queried = true;
  for (uint32_t p = 0; p < found && code == PSL_OK; p++) {
    double *costs = ARENA_ARRAY(arena, double, problems[p].count);
    code = run_all(r, &problems[p], costs);
    struct judged judged = judge(r, &problems[p], costs);
    if (code != PSL_OK || !isfinite(judged.best)) continue; /* nothing is right for it */
    exhaustive += problems[p].count * r->plan->repetitions;
    problems[count] = problems[p];
    first[count] = off(judged.first, judged.best);
    verified[count++] = off(judged.verified, judged.best);
  }
  if (code != PSL_OK) return code;
  if (!count) {
    diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                   "no problem is left that nothing was learnt from");
    return PSL_WRONG;
  }
  report->title = arena_printf(report->arena, "unseen problems, study %s of %s", r->plan->name, r->plan->system);
  report_line(report, "%s", report->title);
  report_line(report, "%-13s%u, that nothing was learnt from", "problems", count);
  report_fact(report, &(struct report_fact){.key = "problem_count"}, cell_count(count));
  put_share(r, report, "first", "first choice", first, count);
  put_share(r, report, "verified", arena_printf(report->arena, "best of %zu", r->options->choices), verified, count);
  put_runs(r, report, learnt, exhaustive, count);
  put_problems(r, report, problems, first, verified, count);
  return PSL_OK;
}
