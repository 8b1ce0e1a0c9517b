/* Running points: a source of points, a run of each, by the pool's workers or here, its row.  What a run says
 * is caught and goes with its row, so that a point that fails is one row among others and a study of a
 * million points does not say a million times the same.
 *
 * A task is a point, a reply a row, both as bytes. What the database knows already is a reply that needs no
 * worker. */
#include "interp/study/pool.h"
#include "interp/study/store.h"
#include "interp/evaluate/evaluate.h"
#include "interp/queueing/queueing.h"

#include <stdio.h>
#include <string.h>

enum { NOT_SET = -1 };
#define NOWHERE UINT32_MAX

struct study_runner {
  struct study_plan *plan;
  struct pool *pool;
  bool fits;                /* some function of the model is fitted to measurements */
  struct study_point point; /* with room */
  struct study_row row;
  double *results;
  const struct model_study *wanted_of; /* the study whose results, so many, these are: */
  uint32_t result_count, *wanted, wanted_count;
  double *unknown;           /* a row that has none */
  struct text seen, learned; /* which components and records a run has; those of which the places are known: */
  struct found {
    uint32_t result;    /* of the study's; the others that are wanted there is nothing of */
    uint32_t component; /* of the run's; NOWHERE */
    uint32_t record;    /* the only one that the figure is of; NOWHERE: it is found otherwise */
  } * found;
  uint32_t found_count;
  int64_t sourced; /* the index of `point` */
  int64_t set;     /* the same, where the params have its values; NOT_SET: others */
  /* of the run in hand: */
  study_source *source;
  study_deliver *deliver;
  void *user;
};

/* ---- results ---- */

/* They stand in the order of the model's components, without those that were not asked. */
static const struct psl_component *component_of(const struct psl_results *results,
                                                const struct model_component *component) {
  size_t c = component->id < results->component_count ? component->id + 1 : results->component_count;
  while (c-- > 0)
    if (!strcmp(results->components[c].name, component->symbol->name->text)) return &results->components[c];
  return NULL;
}

/* Of which the figure is; NULL: of all instances together, which the only one is. */
static const char *instance_of(const struct psl_results *results, const struct model_result *result) {
  if (!result->instance || !result->component) return result->instance;
  const struct psl_component *component = component_of(results, result->component);
  return component && component->only && !strcmp(component->only, result->instance) ? NULL : result->instance;
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
  case STATISTIC_HALF_WIDTH: return record->half_width;
  case STATISTICS: break;
  }
  return NAN;
}

/* The record itself, or that of one of its instances; NULL: it has recorded nothing. */
static const struct psl_record *record_of(const struct psl_record *record, const char *instance) {
  for (size_t i = 0; instance && i < record->own_count; i++)
    if (!strcmp(record->own[i].instance, instance)) return &record->own[i];
  return instance || !record->count ? NULL : record;
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

static bool is_record(const struct psl_record *record, const struct model_result *result) {
  return !strcmp(record->name, result->record->text) &&
         (!result->component || !strcmp(record->component, result->component->symbol->name->text));
}

static double record_figure(const struct psl_results *results, const struct model_result *result) {
  const char *instance = instance_of(results, result);
  struct psl_record found = {0};
  for (size_t r = 0; r < results->record_count; r++) {
    const struct psl_record *record = &results->records[r];
    if (!is_record(record, result)) continue;
    record = record_of(record, instance);
    if (record) found = found.count ? joined(&found, record) : *record;
  }
  return found.count ? statistic(&found, result->part) : NAN;
}

static double quantile_figure(const struct psl_results *results, const struct model_result *result) {
  const char *instance = instance_of(results, result);
  for (size_t r = 0; r < results->record_count; r++) {
    const struct psl_record *record = &results->records[r];
    if (strcmp(record->name, result->record->text) || strcmp(record->component, result->component->symbol->name->text))
      continue;
    record = record_of(record, instance);
    for (size_t q = 0; record && q < record->quantile_count; q++)
      if (record->quantiles[q].part == result->quantile) return record->quantiles[q].value;
  }
  return NAN;
}

/* What one process has spent; NaN where the instance is none. */
static double process_figure(const struct psl_results *results, const struct model_result *result) {
  for (size_t p = 0; p < results->process_count; p++)
    if (!strcmp(results->processes[p].name, result->instance))
      return share_part(&results->processes[p].share, result->part);
  return NAN;
}

/* What else there is of its time: of one, of that which has most of it, or on the mean. */
static double rest_figure(const struct psl_results *results, const struct model_result *result) {
  double sum = 0, most = 0;
  for (size_t p = 0; p < results->process_count; p++) {
    double rest = results_rest(results, &results->processes[p], (enum result_rest)result->part);
    if (result->instance && !strcmp(results->processes[p].name, result->instance)) return rest;
    sum += rest / (double)results->process_count;
    most = fmax(most, rest);
  }
  if (result->instance || !results->process_count) return NAN;
  return result->kind == RESULT_GREATEST_REST ? most : sum;
}

static double network_figure(const struct psl_queueing *network, const struct model_result *result) {
  const char *component = result->component->symbol->name->text;
  if (result->kind == RESULT_PERCENTILE) {
    const struct psl_estimate *found = results_percentile(network, component, result->instance, result->quantile);
    return !found ? NAN : result->half ? results_half(network, found) : found->value;
  }
  enum queueing_figure part = (enum queueing_figure)result->part;
  return result->half ? results_queueing_half(network, component, result->instance, part)
                      : results_queueing(network, component, result->instance, part);
}

static bool is_same(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* What a network knows of a class at a station, where one class and one station are meant. */
static double network_class_figure(struct arena *scratch, const struct psl_queueing *network,
                                   const struct model_result *result) {
  const struct psl_queueing_cell *found = NULL;
  for (size_t i = 0; i < network->station_count * network->class_count; i++) {
    const struct psl_queueing_station *station = &network->stations[i / network->class_count];
    const struct psl_queueing_class *class = &network->classes[i % network->class_count];
    bool here = result->instance ? !strcmp(station->name, result->instance)
                                 : !strcmp(station->component, result->component->symbol->name->text);
    if (!here || !(network->cells[i].visits > 0)) continue;
    if (!class->class || strcmp(results_class(scratch, class->class), result->class)) continue;
    if (found) return NAN;
    found = &network->cells[i];
  }
  if (!found || network->bounds) return NAN;
  struct psl_estimate figure = results_cell(found, (enum queueing_figure)result->part);
  return result->half ? results_half(network, &figure) : figure.value;
}

/* Of a queueing network what is estimated is known instead. */
static double facility_figure(struct arena *scratch, const struct psl_results *results,
                              const struct model_result *result) {
  bool estimated = results->queueing && result->part < QUEUEING_WAITING;
  if (estimated && result->class) return network_class_figure(scratch, results->queueing, result);
  if (result->half) return NAN;
  const char *instance = instance_of(results, result);
  for (size_t f = 0; f < results->facility_count && !estimated; f++) {
    const struct psl_facility *facility = &results->facilities[f];
    if (strcmp(facility->component, result->component->symbol->name->text) || !is_same(facility->instance, instance))
      continue;
    if (is_same(facility->class ? results_class(scratch, facility->class) : NULL, result->class))
      return results_facility(facility, (enum queueing_figure)result->part);
  }
  return NAN;
}

static double evaluator_figure(struct arena *scratch, const struct psl_results *results,
                               const struct model_result *result) {
  for (size_t f = 0; f < results->figure_count; f++)
    if (!strcmp(results_field(scratch, results->figures[f].name), result->name))
      return results->figures[f].quantity.value;
  return NAN;
}

static double figure(struct arena *scratch, const struct psl_results *results, const struct model_result *result,
                     const struct psl_component *component);

/* Where a run has intervals and none of this figure it is not known. */
static double end_figure(struct arena *scratch, const struct psl_results *results, const struct model_result *result,
                         const struct psl_component *component) {
  struct model_result estimate = *result, half = *result;
  estimate.end = half.end = 0;
  half.half = result->kind != RESULT_RECORD;
  if (!half.half) half.part = STATISTIC_HALF_WIDTH;
  double width = figure(scratch, results, &half, component), value = figure(scratch, results, &estimate, component);
  bool intervals = result->kind == RESULT_RECORD || (results->queueing && results->queueing->intervals);
  return isnan(width) && !intervals ? value : value + result->end * width;
}

static double makespan_end(struct arena *scratch, const struct psl_results *results, int end) {
  const struct model_result makespan = {.kind = RESULT_MAKESPAN, .end = end};
  if (results->uncertain) return (end < 0 ? results->makespan_low : results->makespan_high).value;
  return end_figure(scratch, results, &makespan, NULL);
}

/* component: what is known of the one that it is of; NULL: it was not asked. */
static double figure(struct arena *scratch, const struct psl_results *results, const struct model_result *result,
                     const struct psl_component *component) {
  if (result->end) return end_figure(scratch, results, result, component);
  switch (result->kind) {
  case RESULT_MAKESPAN:
    if (!result->half) return results->makespan.value;
    return results->queueing ? results_queueing_half(results->queueing, NULL, NULL, QUEUEING_RESPONSE) : NAN;
  case RESULT_LOW: return makespan_end(scratch, results, -1);
  case RESULT_HIGH: return makespan_end(scratch, results, 1);
  case RESULT_SIMULATED: return results->simulated.value;
  case RESULT_MESSAGES: return results->messages_counted ? (double)results->messages : NAN;
  case RESULT_BYTES: return results->messages_counted ? (double)results->bytes : NAN;
  case RESULT_FIRINGS:
    if (!result->component) return (double)results->firings;
    return component ? (double)component->firings : NAN;
  case RESULT_SHARE:
    if (result->instance) return process_figure(results, result);
    if (!result->component) return share_part(&results->mean, result->part);
    return component ? share_part(&component->share, result->part) : NAN;
  case RESULT_GREATEST: return share_part(&results->maximum, result->part);
  case RESULT_RECORD: return record_figure(results, result);
  case RESULT_QUANTILE: return quantile_figure(results, result);
  case RESULT_QUEUEING:
  case RESULT_PERCENTILE:
    if (results->queueing) return network_figure(results->queueing, result);
    return result->half || result->kind == RESULT_PERCENTILE ? NAN : facility_figure(scratch, results, result);
  case RESULT_FACILITY: return facility_figure(scratch, results, result);
  case RESULT_FIGURE: return evaluator_figure(scratch, results, result);
  case RESULT_REST:
  case RESULT_GREATEST_REST: return rest_figure(results, result);
  case RESULT_EVENTS: return (double)results->events;
  }
  return NAN;
}

/* ---- a point ---- */

/* Of one result that the study names. */
static void take_figure(struct study_plan *plan, const struct psl_results *results, struct study_row *row,
                        uint32_t place) {
  const struct model_result *result = study_result(plan, place);
  const struct psl_component *known = result->component ? component_of(results, result->component) : NULL;
  row->results[place] = figure(&plan->psl->work, results, result, known);
}

/* Is there none where its component is not known, or nothing of its kind? */
static bool is_of_known(const struct psl_results *results, const struct model_result *result) {
  if (result->end) return false;
  switch (result->kind) {
  case RESULT_FIRINGS: return true;
  case RESULT_SHARE: return !result->instance;
  case RESULT_RECORD:
  case RESULT_QUANTILE: return !results->record_count;
  case RESULT_QUEUEING:
  case RESULT_PERCENTILE:
  case RESULT_FACILITY: return !results->queueing && !results->facility_count;
  default: return false;
  }
}

/* Those that a row has: all where a database is to know the run for other studies, else what is quickly found. */
static void find_wanted(struct study_plan *plan, struct study_runner *runner) {
  uint32_t count = study_result_count(plan);
  runner->wanted = ARENA_ARRAY(&plan->psl->handed, uint32_t, count);
  runner->unknown = ARENA_ARRAY(&plan->psl->handed, double, count);
  runner->wanted_count = 0;
  for (uint32_t r = 0; r < count; r++) {
    bool quick = !study_result(plan, r)->component || r >= plan->psl->model.result_count;
    if (quick || plan->keeps) runner->wanted[runner->wanted_count++] = r;
    runner->unknown[r] = (double)NAN;
  }
  runner->found = ARENA_ARRAY(&plan->psl->handed, struct found, count);
  runner->seen = runner->learned = (struct text){.arena = &plan->psl->handed};
  runner->wanted_of = plan->study;
  runner->result_count = count;
}

static void put_name(struct text *out, const char *name) { text_put_n(out, name, strlen(name) + 1); }

/* All that says where figures stand in what a run has left. */
static void put_places(struct text *out, const struct psl_results *results) {
  size_t counts[] = {results->component_count, results->record_count, results->queueing || results->facility_count};
  text_put_n(out, (const char *)counts, sizeof counts);
  for (size_t c = 0; c < results->component_count; c++)
    put_name(out, results->components[c].name);
  for (size_t r = 0; r < results->record_count; r++) {
    put_name(out, results->records[r].component);
    put_name(out, results->records[r].name);
  }
}

/* The only record that a figure is of; NOWHERE: there is none, there are several, or the figure is made of more. */
static uint32_t only_record(const struct psl_results *results, const struct model_result *result) {
  uint32_t only = NOWHERE;
  if (result->kind != RESULT_RECORD || result->end || result->instance) return NOWHERE;
  for (size_t r = 0; r < results->record_count; r++) {
    if (!is_record(&results->records[r], result)) continue;
    if (only != NOWHERE) return NOWHERE;
    only = (uint32_t)r;
  }
  return only;
}

static void find_places(struct study_plan *plan, const struct psl_results *results) {
  struct study_runner *runner = plan->runner;
  const struct model_component *asked = NULL; /* figures of one component stand together */
  const struct psl_component *known = NULL;
  struct text before = runner->learned;
  runner->learned = runner->seen;
  runner->seen = before;
  runner->found_count = 0;
  for (uint32_t w = 0; w < runner->wanted_count; w++) {
    const struct model_result *result = study_result(plan, runner->wanted[w]);
    if (result->component && result->component != asked) {
      asked = result->component;
      known = component_of(results, asked);
    }
    if (result->component && !known && is_of_known(results, result)) continue;
    bool of_known = result->component && known;
    runner->found[runner->found_count++] = (struct found){
        runner->wanted[w], of_known ? (uint32_t)(known - results->components) : NOWHERE, only_record(results, result)};
  }
}

/* What the study names, with the intervals of columns, and what is quickly found; all where a database is to know the
 * run for other studies. One run leaves mostly the same things as another. */
static void take_figures(struct study_plan *plan, const struct psl_results *results, struct study_row *row) {
  struct study_runner *runner = plan->runner;
  struct arena *scratch = &plan->psl->work;
  if (runner->wanted_of != plan->study || runner->result_count != study_result_count(plan)) find_wanted(plan, runner);
  memcpy(row->results, runner->unknown, runner->result_count * sizeof *row->results);
  runner->seen.size = 0;
  put_places(&runner->seen, results);
  if (runner->seen.size != runner->learned.size || memcmp(runner->seen.data, runner->learned.data, runner->seen.size))
    find_places(plan, results);
  for (uint32_t f = 0; f < runner->found_count; f++) {
    const struct found *found = &runner->found[f];
    const struct model_result *result = study_result(plan, found->result);
    const struct psl_component *component = found->component == NOWHERE ? NULL : &results->components[found->component];
    const struct psl_record *record =
        found->record == NOWHERE ? NULL : record_of(&results->records[found->record], NULL);
    row->results[found->result] =
        record ? statistic(record, result->part) : figure(scratch, results, result, component);
  }
  for (uint32_t u = 0; !plan->keeps && u < plan->study->use_count; u++) {
    uint32_t half = study_half_of_result(plan, plan->study->uses[u].result);
    take_figure(plan, results, row, plan->study->uses[u].result);
    if (half != (uint32_t)STUDY_NONE) take_figure(plan, results, row, half);
  }
  for (uint32_t c = 0; !plan->keeps && c < plan->column_count; c++)
    if (plan->columns[c].half != (uint32_t)STUDY_NONE) take_figure(plan, results, row, plan->columns[c].half);
}

static void run_point(struct study_plan *plan, struct handle_catch *caught, const struct study_point *point,
                      struct study_row *row) {
  struct psl *psl = plan->psl;
  const struct psl_results *results = NULL;
  struct psl_run_options options = plan->run;
  options.trace = false;
  options.seed = plan->seed + point->repetition;
  arena_reset(&psl->work);
  if (plan->runner->fits && model_forget_warned(&psl->model))
    plan->set_when = 0; /* what has warned warns of this point, too */
  study_set(plan, point);
  bool undecided, fine = study_conditions_hold(plan, &undecided) && !undecided && study_bind(plan);
  enum psl_code code = fine ? handle_run(psl, plan->system, &options, &results) : PSL_WRONG;
  bool done = code == PSL_OK;
  if (done && results_unsteady(results)) /* whoever reads the warning wants to know where */
    diagnostic_note(&psl->diagnostics, (struct span){0}, "at %s", study_place(plan, point));
  if (done) study_said_left_out(psl, plan->system, results, caught);
  diagnostic_flush(&psl->diagnostics);
  row->status = done ? STUDY_DONE : results ? STUDY_STOPPED : STUDY_WRONG;
  if (results && !strcmp(results->stop, stop_text(STOP_MEMORY))) row->status = STUDY_LOST; /* not the model's limit */
  row->error = done ? NULL : *caught->error ? caught->error : results ? results->stop : "error";
  row->evidence = done ? results->evidence : NULL;
  row->seconds = results ? results->timing.resolve + results->timing.run : 0;
  if (done) take_figures(plan, results, row);
  row->notes = study_notes_of(&psl->work, done ? results : NULL, caught->notes.data);
  row->stop = results ? results->stop : NULL;
  study_notes_say(plan, row);
  row->said = caught->said.data;
  row->warnings = caught->warnings.data;
}

/* What a failed allocation in the middle of a run leaves, or an end that was wanted before it. */
static void lose_row(struct study_plan *plan, struct study_row *row) {
  struct psl *psl = plan->psl;
  psl->memory.limit = psl->options.max_memory;
  psl->diagnostics.current = (struct diagnostic){0};
  psl->diagnostics.open = false;
  arena_close(&psl->diagnostics.arena);
  arena_close(&psl->said);
  arena_close(&psl->work);
  model_forget(&psl->model);
  *row = (struct study_row){.status = STUDY_LOST,
                            .error = psl->memory.broken_off ? "interrupted" : "out of memory",
                            .said = "",
                            .warnings = "",
                            .notes = "",
                            .results = row->results};
}

/* A point that needs more memory than there is, is a row like another. */
static void try_point(struct study_plan *plan, struct handle_catch *caught, const struct study_point *point,
                      struct study_row *row) {
  struct psl *psl = plan->psl;
  jmp_buf guard, *outer = psl->memory.guard;
  handle_catch(caught, psl);
  psl->memory.guard = &guard;
  psl->memory.broken_off = false;
  psl->memory.breakable = true;
  if (setjmp(guard))
    lose_row(plan, row);
  else
    run_point(plan, caught, point, row);
  psl->memory.guard = outer;
  psl->memory.breakable = false;
  handle_release(caught);
}

/* ---- tasks and replies as bytes ---- */

struct task {
  int64_t index, number;
  uint64_t repetition;
  struct database_key key;
  bool keyed; /* there is a key: it has a place in the database, */
  bool known; /* and was there */
  /* double at[free_count]; */
};

struct reply {
  struct task task;
  enum study_status status;
  uint32_t results, evidence, error, said, warnings, notes, stop; /* bytes of each, behind this in this order;
                                                                     results: doubles */
  double seconds;
};

static void put(struct text *out, const void *bytes, size_t size) { text_put_n(out, bytes, size); }

/* With its end; 0: there is none. */
static uint32_t text_size(const char *text) { return text ? (uint32_t)strlen(text) + 1 : 0; }

static void put_row(struct text *out, const struct task *task, const struct study_row *row, uint32_t count) {
  struct reply reply = {
      .task = *task,
      .status = row->status,
      .evidence = text_size(row->evidence),
      .error = text_size(row->error),
      .said = text_size(row->said),
      .warnings = text_size(row->warnings),
      .notes = text_size(row->notes),
      .stop = text_size(row->stop),
      .results = row->status == STUDY_DONE ? count * (uint32_t)sizeof *row->results : 0,
      .seconds = row->seconds,
  };
  put(out, &reply, sizeof reply);
  put(out, row->results, reply.results);
  put(out, row->evidence, reply.evidence);
  put(out, row->error, reply.error);
  put(out, row->said, reply.said);
  put(out, row->warnings, reply.warnings);
  put(out, row->notes, reply.notes);
  put(out, row->stop, reply.stop);
}

/* The text of so many bytes at *at, which moves behind it; NULL: none was put. */
static const char *take_text(const char **at, uint32_t size) {
  const char *text = size ? *at : NULL;
  *at += size;
  return text;
}

/* The row lives as long as the bytes; `results` has room for all. */
static struct task take_row(const struct pool_reply *bytes, struct study_row *row, double *results) {
  struct reply reply;
  const char *at = bytes->data + sizeof reply;
  memcpy(&reply, bytes->data, sizeof reply);
  *row = (struct study_row){.status = reply.status, .seconds = reply.seconds, .results = results};
  if (reply.results) memcpy(results, at, reply.results);
  at += reply.results;
  row->evidence = take_text(&at, reply.evidence);
  row->error = take_text(&at, reply.error);
  row->said = take_text(&at, reply.said);
  row->warnings = take_text(&at, reply.warnings);
  row->notes = take_text(&at, reply.notes);
  row->stop = take_text(&at, reply.stop);
  return reply.task;
}

/* In a worker, or here. */
static void do_task(void *user, const char *bytes, size_t size, struct text *out) {
  struct study_runner *runner = user;
  struct study_plan *plan = runner->plan;
  struct psl *psl = plan->psl;
  const struct results *held = psl->results;
  struct handle_catch caught;
  struct study_row row = {.results = runner->results};
  struct task task;
  memcpy(&task, bytes, sizeof task);
  struct study_point point = {.number = task.number, .repetition = task.repetition, .at = runner->point.at};
  if (size > sizeof task) memcpy(point.at, bytes + sizeof task, size - sizeof task);
  try_point(plan, &caught, &point, &row);
  runner->set = runner->sourced == task.index ? task.index : NOT_SET;
  put_row(out, &task, &row, study_result_count(plan));
  while (psl->results && psl->results != held)
    psl_drop(psl, &psl->results->public);
}

/* ---- the pool's callbacks ---- */

static bool give(void *user, uint64_t index, struct text *bytes) {
  struct study_runner *runner = user;
  struct study_plan *plan = runner->plan;
  struct study_point *point = &runner->point;
  struct task task = {.index = (int64_t)index};
  runner->set = NOT_SET;
  runner->sourced = (int64_t)index;
  if (!runner->source(runner->user, index, point)) return false; /* an empty reply: it is left out */
  task.number = point->number;
  task.repetition = point->repetition;
  if (plan->store) {
    task.keyed = true;
    task.key = store_key(plan, point);
    struct study_row row = {.results = runner->results};
    task.known = store_find(plan, point, &task.key, &row);
    if (task.known) {
      put_row(bytes, &task, &row, study_result_count(plan));
      return false;
    }
  }
  put(bytes, &task, sizeof task);
  put(bytes, point->at, sizeof *point->at * plan->free_count);
  return true;
}

/* Kept as soon as it is there: a study that is killed goes on from there. */
static void arrive(void *user, uint64_t index, const struct pool_reply *reply) {
  struct study_runner *runner = user;
  struct study_row row;
  bool next = runner->set == (int64_t)index; /* to be delivered */
  if (!runner->plan->store || !reply->data) return;
  struct task task = take_row(reply, &row, runner->results);
  if (task.keyed) store_keep(runner->plan, &task.key, runner->plan->seed + task.repetition, &row, next);
}

static bool deliver(void *user, uint64_t index, const struct pool_reply *reply) {
  struct study_runner *runner = user;
  struct study_plan *plan = runner->plan;
  struct study_point *point = &runner->point;
  if (reply->data && !reply->size) return true;
  struct task task = {0};
  struct study_row row = {.status = STUDY_LOST,
                          .error = reply->failure,
                          .said = "",
                          .warnings = "",
                          .notes = "",
                          .results = runner->results};
  if (reply->data) task = take_row(reply, &row, runner->results);
  if (runner->set != (int64_t)index) {
    arena_reset(&plan->psl->work);
    runner->source(runner->user, index, point);
    study_set(plan, point);
    runner->set = runner->sourced = (int64_t)index;
  }
  row.key = task.keyed ? &task.key : NULL;
  row.known = task.known;
  bool more = runner->deliver(runner->user, point, &row);
  if (plan->store) store_let_go(plan);
  return more;
}

static void tick(void *user) {
  struct study_runner *runner = user;
  if (runner->plan->store) store_tick(runner->plan);
}

/* Does a run call code of others, which may crash or end the program? */
static bool runs_native(const struct model *model) {
  bool runs = model->libraries != NULL;
  for (uint32_t e = 0; model->native && e < model->evaluator_count; e++)
    for (const struct psl_evaluator_function *f = model->evaluators[e]->evaluator->functions; f->name; f++)
      runs |= f->runs != 0;
  return runs;
}

static bool has_fits(const struct model *model) {
  bool has = false;
  for (uint32_t f = 0; f < model->function_count; f++)
    has |= model->functions[f]->fit != NULL;
  return has;
}

static struct study_runner *open_runner(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  struct study_runner *runner = ARENA_NEW(arena, struct study_runner);
  runner->plan = plan;
  runner->fits = has_fits(&plan->psl->model);
  runner->point.at = ARENA_ARRAY(arena, double, plan->free_count);
  runner->results = ARENA_ARRAY(arena, double, study_result_count(plan));
  plan->runner = runner; /* before there are workers, who have a copy of all this */
  runner->pool = pool_open(arena, &(struct pool_options){.jobs = plan->jobs,
                                                         .apart = runs_native(&plan->psl->model),
                                                         .ranks = plan->ranks,
                                                         .work = do_task,
                                                         .user = runner});
  return runner;
}

enum psl_code study_run(struct study_plan *plan, uint64_t count, study_source *source, study_deliver *take_row_of,
                        void *user) {
  struct study_runner *runner = plan->runner ? plan->runner : open_runner(plan);
  runner->source = source;
  runner->deliver = take_row_of;
  runner->user = user;
  runner->set = runner->sourced = NOT_SET;
  if (!runner->pool) return PSL_STOPPED; /* a rank that has served */
  enum pool_end end =
      pool_run(runner->pool,
               &(struct pool_run){
                   .count = count, .give = give, .arrive = arrive, .deliver = deliver, .tick = tick, .user = runner});
  return end == POOL_DONE ? PSL_OK : PSL_STOPPED;
}

bool study_close(struct study_plan *plan) {
  if (plan->runner) pool_close(plan->runner->pool);
  plan->runner = NULL;
  return store_close(plan);
}

struct array {
  const struct study_point *points;
  uint32_t places;
  study_deliver *deliver;
  void *user;
};

static bool array_at(void *user, uint64_t index, struct study_point *point) {
  const struct array *array = user;
  const struct study_point *given = &array->points[index];
  point->number = given->number;
  point->repetition = given->repetition;
  memcpy(point->at, given->at, sizeof *given->at * array->places);
  return true;
}

static bool array_deliver(void *user, const struct study_point *point, const struct study_row *row) {
  const struct array *array = user;
  return array->deliver(array->user, point, row);
}

enum psl_code study_run_points(struct study_plan *plan, const struct study_point *points, size_t count,
                               study_deliver *take_row_of, void *user) {
  struct array array = {points, plan->free_count, take_row_of, user};
  return study_run(plan, count, array_at, array_deliver, &array);
}
