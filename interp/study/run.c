/* Running points: a source of points, a run of each, its row.  What a run says is caught and goes with its
 * row, so that a point that fails is one row among others and a study of a million points does not say a
 * million times the same. */
#include "interp/study/study.h"

#include <stdio.h>
#include <string.h>

struct runner {
  struct study_plan *plan;
  struct study_row row;
  struct study_catch caught;
};

/* ---- what a run says ---- */

static void take(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  static const enum diagnostic_format formats[] = {DIAGNOSTIC_FULL, DIAGNOSTIC_SHORT, DIAGNOSTIC_JSON};
  struct study_catch *caught = user;
  const struct psl_options *options = &caught->psl->options;
  text_put(&caught->said, diagnostic_render(caught->said.arena, sources, diagnostic,
                                            formats[options->diagnostic_format], options->diagnostic_color));
  if (diagnostic->severity == SEVERITY_ERROR && !*caught->error)
    snprintf(caught->error, sizeof caught->error, "%s", diagnostic->text);
}

void study_catch(struct study_catch *caught, struct psl *psl) {
  struct diagnostics *d = &psl->diagnostics;
  diagnostic_flush(d);
  arena_close(&psl->said);
  caught->psl = psl;
  caught->kept = *d;
  caught->said = (struct text){.arena = &psl->said};
  *caught->error = 0;
  text_put(&caught->said, "");
  d->sink = take;
  d->user = caught;
  d->errors = d->warnings = 0;
}

void study_release(struct study_catch *caught) {
  struct diagnostics *d = &caught->psl->diagnostics;
  diagnostic_flush(d);
  d->sink = caught->kept.sink;
  d->user = caught->kept.user;
  d->errors = caught->kept.errors;
  d->warnings = caught->kept.warnings;
}

/* ---- results ---- */

static double share_part(const struct psl_share *share, uint32_t part) {
  return part == 0 ? share->compute : part == 1 ? share->communicate : share->wait;
}

static const struct psl_component *component_of(const struct psl_results *results,
                                                const struct model_component *component) {
  for (size_t c = 0; c < results->component_count; c++)
    if (!strcmp(results->components[c].name, component->symbol->name->text)) return &results->components[c];
  return NULL;
}

static double statistic(const struct psl_record *record, uint32_t part) {
  switch ((enum result_statistic)part) {
  case STATISTIC_MEAN: return record->mean;
  case STATISTIC_SUM: return record->sum;
  case STATISTIC_MINIMUM: return record->minimum;
  case STATISTIC_MAXIMUM: return record->maximum;
  case STATISTIC_DEVIATION: return record->deviation;
  case STATISTIC_COUNT: return (double)record->count;
  case STATISTIC_LAST: return record->last;
  case STATISTICS: break;
  }
  return NAN;
}

/* Of all components together that have recorded the name. */
static struct psl_record joined(const struct psl_record *a, const struct psl_record *b) {
  double n = (double)a->count, m = (double)b->count, all = n + m, far = b->mean - a->mean;
  double square = a->deviation * a->deviation * (n > 1 ? n - 1 : 0) +
                  b->deviation * b->deviation * (m > 1 ? m - 1 : 0) + far * far * n * m / all;
  return (struct psl_record){
      .count = a->count + b->count,
      .sum = a->sum + b->sum,
      .mean = (a->sum + b->sum) / all,
      .minimum = fmin(a->minimum, b->minimum),
      .maximum = fmax(a->maximum, b->maximum),
      .deviation = all > 1 ? sqrt(square / (all - 1)) : 0,
      .last = b->last,
  };
}

static double record_figure(const struct psl_results *results, const struct model_result *result) {
  struct psl_record found = {0};
  for (size_t r = 0; r < results->record_count; r++) {
    const struct psl_record *record = &results->records[r];
    if (!record->count || strcmp(record->name, result->record->text)) continue;
    if (result->component && strcmp(record->component, result->component->symbol->name->text)) continue;
    found = found.count ? joined(&found, record) : *record;
  }
  return found.count ? statistic(&found, result->part) : NAN;
}

static double figure(const struct psl_results *results, const struct model_result *result) {
  const struct psl_component *component = result->component ? component_of(results, result->component) : NULL;
  switch (result->kind) {
  case RESULT_MAKESPAN: return results->makespan.value;
  case RESULT_LOW: return results->uncertain ? results->makespan_low.value : results->makespan.value;
  case RESULT_HIGH: return results->uncertain ? results->makespan_high.value : results->makespan.value;
  case RESULT_MESSAGES: return results->messages_counted ? (double)results->messages : NAN;
  case RESULT_BYTES: return results->messages_counted ? (double)results->bytes : NAN;
  case RESULT_FIRINGS:
    if (!result->component) return (double)results->firings;
    return component && component->firings ? (double)component->firings : NAN;
  case RESULT_SHARE:
    if (!result->component) return share_part(&results->mean, result->part);
    return component && component->firings ? share_part(&component->share, result->part) : NAN;
  case RESULT_GREATEST: return share_part(&results->maximum, result->part);
  case RESULT_RECORD: return record_figure(results, result);
  }
  return NAN;
}

/* ---- a point ---- */

static void run_point(struct runner *runner, const struct study_point *point) {
  struct study_plan *plan = runner->plan;
  struct psl *psl = plan->psl;
  struct study_row *row = &runner->row;
  const struct psl_results *results = NULL;
  struct psl_run_options options = plan->run;
  options.trace = false;
  options.seed = plan->seed + point->repetition;
  arena_reset(&psl->work);
  study_catch(&runner->caught, psl);
  study_set(plan, point);
  enum psl_code code = study_bind(plan) ? handle_run(psl, plan->system, &options, &results) : PSL_WRONG;
  study_release(&runner->caught);
  bool done = code == PSL_OK;
  row->status = done ? STUDY_DONE : results ? STUDY_STOPPED : STUDY_WRONG;
  row->error = done ? NULL : *runner->caught.error ? runner->caught.error : results ? results->stop : "error";
  row->said = runner->caught.said.data;
  row->evidence = done ? results->evidence : NULL;
  row->seconds = results ? results->timing.resolve + results->timing.run : 0;
  for (uint32_t r = 0; r < psl->model.result_count; r++)
    row->results[r] = done ? figure(results, &psl->model.results[r]) : (double)NAN;
}

static void drop_results(struct psl *psl, const struct results *before) {
  while (psl->results && psl->results != before)
    psl_drop(psl, &psl->results->public);
}

static bool interrupted(const struct study_plan *plan) {
  return plan->run.interrupted && *plan->run.interrupted;
}

enum psl_code study_run(struct study_plan *plan, uint64_t count, study_source *source, study_deliver *deliver,
                        void *user) {
  struct psl *psl = plan->psl;
  const struct results *held = psl->results;
  struct runner runner = {.plan = plan};
  struct study_point point = {.at = ARENA_ARRAY(&psl->handed, double, plan->free_count)};
  runner.row.results = ARENA_ARRAY(&psl->handed, double, psl->model.result_count);
  bool more = true;
  for (uint64_t i = 0; more && i < count; i++) {
    if (interrupted(plan)) return PSL_STOPPED;
    if (!source(user, i, &point)) continue;
    run_point(&runner, &point);
    if (interrupted(plan) && runner.row.status == STUDY_STOPPED) return PSL_STOPPED;
    more = deliver(user, &point, &runner.row);
    drop_results(psl, held); /* after: the evidence's text is the results' */
  }
  return more ? PSL_OK : PSL_STOPPED;
}

struct array {
  const struct study_point *points;
  study_deliver *deliver;
  void *user;
};

static bool array_at(void *user, uint64_t index, struct study_point *point) {
  const struct array *array = user;
  *point = array->points[index];
  return true;
}

static bool array_deliver(void *user, const struct study_point *point, const struct study_row *row) {
  const struct array *array = user;
  return array->deliver(array->user, point, row);
}

enum psl_code study_run_points(struct study_plan *plan, const struct study_point *points, size_t count,
                               study_deliver *deliver, void *user) {
  return study_run(plan, count, array_at, array_deliver, &(struct array){points, deliver, user});
}
