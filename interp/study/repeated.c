/* Runs with one seed after another, whose figures come together in the results of the first one. A component may have
 * fired, and a record been made, in some of them alone.  Called by psl_compare and psl_diff. */
#include "interp/study/repeated.h"
#include "interp/execute/steady.h"
#include "interp/resolve/effects.h"
#include "interp/study/study.h"

#include <string.h>

enum { SHARE_PARTS = sizeof(struct psl_share) / sizeof(double) };

struct share_sum {
  struct study_sample parts[SHARE_PARTS];
};
struct component_sum {
  struct psl_component first;
  struct study_sample firings, left, left_wait;
  struct share_sum share;
};
struct record_sum {
  struct psl_record first;
  struct dimension dimension;
  struct study_sample count, sum, mean, deviation, minimum, maximum, last;
  double *means; /* by run that has made it */
};
struct repeated {
  struct psl *psl;
  struct results *first; /* in whose arena all stands */
  uint64_t wanted, runs;
  double *times; /* by run, s */
  struct study_sample makespan, low, high, simulated, messages, bytes, firings, events;
  struct share_sum mean, maximum;
  struct component_sum *components;
  size_t component_count, component_capacity;
  struct record_sum *records;
  size_t record_count, record_capacity;
  struct study_sample *estimates; /* of the network, in its order */
  size_t estimate_count;
};

static const char *copied(struct repeated *all, const char *text) {
  return arena_copy(&all->first->arena, text, strlen(text));
}

/* What one run lacks, no mean has. */
static double mean_of(const struct repeated *all, const struct study_sample *sample) {
  return sample->count == all->runs ? sample->mean : (double)NAN;
}

static uint64_t count_of(const struct study_sample *sample) { return (uint64_t)llround(sample->mean); }

static void add(struct study_sample *sample, double figure) {
  if (!isnan(figure)) study_sample_add(sample, figure);
}

/* ---- shares ---- */

static void add_share(struct share_sum *sum, const struct psl_share *share) {
  double parts[SHARE_PARTS];
  memcpy(parts, share, sizeof parts);
  for (size_t p = 0; p < SHARE_PARTS; p++)
    add(&sum->parts[p], parts[p]);
}

static struct psl_share share_of(const struct repeated *all, const struct share_sum *sum) {
  struct psl_share share;
  double parts[SHARE_PARTS];
  for (size_t p = 0; p < SHARE_PARTS; p++)
    parts[p] = mean_of(all, &sum->parts[p]);
  memcpy(&share, parts, sizeof share);
  return share;
}

/* ---- components ---- */

/* One that has not fired in the runs so far has taken no time in them. */
static struct component_sum *component_sum(struct repeated *all, const struct psl_component *of) {
  for (size_t c = 0; c < all->component_count; c++)
    if (!strcmp(all->components[c].first.name, of->name)) return &all->components[c];
  struct component_sum sum = {.first = *of};
  double none[SHARE_PARTS], parts[SHARE_PARTS];
  memcpy(parts, &of->share, sizeof parts);
  sum.first.name = copied(all, of->name);
  for (size_t p = 0; p < SHARE_PARTS; p++)
    none[p] = isnan(parts[p]) ? (double)NAN : 0;
  for (uint64_t r = 0; r < all->runs; r++) {
    struct psl_share share;
    memcpy(&share, none, sizeof share);
    add_share(&sum.share, &share);
    add(&sum.firings, 0), add(&sum.left, 0), add(&sum.left_wait, 0);
  }
  ARENA_PUSH(&all->first->arena, all->components, all->component_count, all->component_capacity, sum);
  return &all->components[all->component_count - 1];
}

static void add_component(struct repeated *all, const struct psl_component *component) {
  struct component_sum *sum = component_sum(all, component);
  add_share(&sum->share, &component->share);
  add(&sum->firings, (double)component->firings);
  add(&sum->left, (double)component->left);
  add(&sum->left_wait, component->left_wait);
}

/* Those that have not fired in the last run, which is counted already. */
static void add_idle(struct repeated *all) {
  for (size_t c = 0; c < all->component_count; c++) {
    struct component_sum *sum = &all->components[c];
    if (sum->firings.count == all->runs) continue;
    add(&sum->firings, 0), add(&sum->left, 0), add(&sum->left_wait, 0);
    for (size_t p = 0; p < SHARE_PARTS; p++)
      if (sum->share.parts[p].count) add(&sum->share.parts[p], 0);
  }
}

static void take_components(struct repeated *all) {
  struct psl_component *components = ARENA_ARRAY(&all->first->arena, struct psl_component, all->component_count);
  for (size_t c = 0; c < all->component_count; c++) {
    const struct component_sum *sum = &all->components[c];
    components[c] = sum->first;
    components[c].firings = count_of(&sum->firings);
    components[c].left = count_of(&sum->left);
    components[c].left_wait = sum->left_wait.mean;
    components[c].share = share_of(all, &sum->share);
  }
  all->first->public.components = components;
  all->first->public.component_count = all->component_count;
}

/* ---- records ---- */

static struct record_sum *record_sum(struct repeated *all, const struct results *run, size_t r) {
  const struct psl_record *of = &run->public.records[r];
  for (size_t k = 0; k < all->record_count; k++)
    if (!strcmp(all->records[k].first.name, of->name) && !strcmp(all->records[k].first.component, of->component))
      return &all->records[k];
  struct record_sum sum = {.first = *of, .dimension = run->record_dimensions[r]};
  sum.means = ARENA_ARRAY(&all->first->arena, double, all->wanted);
  sum.first.name = copied(all, of->name);
  sum.first.component = copied(all, of->component);
  sum.first.unit = copied(all, of->unit);
  sum.first.quantile_count = sum.first.class_count = sum.first.own_count = 0; /* of single runs */
  ARENA_PUSH(&all->first->arena, all->records, all->record_count, all->record_capacity, sum);
  return &all->records[all->record_count - 1];
}

static void add_record(struct repeated *all, const struct results *run, size_t r) {
  const struct psl_record *record = &run->public.records[r];
  struct record_sum *sum = record_sum(all, run, r);
  add(&sum->count, (double)record->count);
  add(&sum->sum, record->sum);
  if (!isnan(record->mean)) sum->means[sum->mean.count] = record->mean;
  add(&sum->mean, record->mean);
  add(&sum->deviation, record->deviation);
  add(&sum->minimum, record->minimum);
  add(&sum->maximum, record->maximum);
  add(&sum->last, record->last);
}

/* Of the runs that have made it. */
static void take_records(struct repeated *all) {
  struct psl_record *records = ARENA_ARRAY(&all->first->arena, struct psl_record, all->record_count);
  struct dimension *dimensions = ARENA_ARRAY(&all->first->arena, struct dimension, all->record_count);
  for (size_t r = 0; r < all->record_count; r++) {
    const struct record_sum *sum = &all->records[r];
    records[r] = sum->first;
    records[r].count = count_of(&sum->count);
    records[r].sum = sum->sum.mean;
    records[r].mean = sum->mean.mean;
    records[r].deviation = sum->deviation.mean;
    records[r].minimum = sum->minimum.mean;
    records[r].maximum = sum->maximum.mean;
    records[r].last = sum->last.mean;
    records[r].half_width = study_sample_half(&sum->mean);
    dimensions[r] = sum->dimension;
  }
  all->first->public.records = records;
  all->first->public.record_count = all->record_count;
  all->first->record_dimensions = dimensions;
}

/* ---- networks of queues ---- */

/* Its figures; NULL: there are none, or bounds, of which there is no chance. */
static struct psl_queueing *network_of(const struct psl_results *run) {
  return run->queueing && !run->queueing->bounds ? (struct psl_queueing *)run->queueing : NULL;
}

static void add_network(struct repeated *all, const struct psl_results *run) {
  struct psl_queueing *network = network_of(run);
  size_t count = network ? network_estimate_count(network) : 0;
  if (!all->runs) all->estimates = ARENA_ARRAY(&all->first->arena, struct study_sample, count);
  if (!all->runs) all->estimate_count = count;
  for (size_t k = 0; k < count && k < all->estimate_count; k++)
    add(&all->estimates[k], network_estimate(network, k)->value);
}

static void take_network(struct repeated *all) {
  struct psl_queueing *network = network_of(&all->first->public);
  for (size_t k = 0; network && k < all->estimate_count; k++) {
    double mean = mean_of(all, &all->estimates[k]), half = study_sample_half(&all->estimates[k]);
    *network_estimate(network, k) = (struct psl_estimate){mean, mean - half, mean + half};
  }
  if (network) network->intervals = true;
}

/* ---- a run ---- */

/* Each way in which some have ended. */
static void add_stop(struct repeated *all, const struct psl_results *run) {
  struct psl_results *first = &all->first->public;
  if (!strstr(first->stop, run->stop)) first->stop = arena_printf(&all->first->arena, "%s; %s", first->stop, run->stop);
}

static void add_run(struct repeated *all, const struct results *run) {
  const struct psl_results *public = &run->public;
  all->times[all->runs] = public->makespan.value;
  add(&all->makespan, public->makespan.value);
  add(&all->low, public->makespan_low.value);
  add(&all->high, public->makespan_high.value);
  add(&all->simulated, public->simulated.value);
  add(&all->messages, (double)public->messages);
  add(&all->bytes, (double)public->bytes);
  add(&all->firings, (double)public->firings);
  add(&all->events, (double)public->events);
  add_share(&all->mean, &public->mean);
  add_share(&all->maximum, &public->maximum);
  for (size_t c = 0; c < public->component_count; c++)
    add_component(all, &public->components[c]);
  for (size_t r = 0; r < public->record_count; r++)
    add_record(all, run, r);
  add_network(all, public);
  add_stop(all, public);
  all->first->drawn |= run->drawn;
  if (run->unsound && !all->first->unsound) all->first->unsound = copied(all, run->unsound);
  all->runs++;
  add_idle(all);
}

static void take_means(struct repeated *all) {
  struct psl_results *public = &all->first->public;
  public->makespan.value = mean_of(all, &all->makespan);
  public->makespan_low.value = mean_of(all, &all->low);
  public->makespan_high.value = mean_of(all, &all->high);
  public->simulated.value = mean_of(all, &all->simulated);
  public->messages = count_of(&all->messages);
  public->bytes = count_of(&all->bytes);
  public->firings = count_of(&all->firings);
  public->events = count_of(&all->events);
  public->mean = share_of(all, &all->mean);
  public->maximum = share_of(all, &all->maximum);
  take_components(all);
  take_records(all);
  take_network(all);
}

struct repeated *repeated_open(struct psl *psl, uint64_t count) {
  struct repeated *all = ARENA_NEW(&psl->handed, struct repeated);
  all->psl = psl;
  all->wanted = count;
  all->times = ARENA_ARRAY(&psl->handed, double, count);
  return all;
}

void repeated_add(struct repeated *all, const struct psl_results *results) {
  const struct results *run = (const struct results *)results;
  if (!all->first) all->first = (struct results *)run;
  add_run(all, run);
  if (run != all->first) psl_drop(all->psl, results);
}

const struct psl_results *repeated_close(struct repeated *all) {
  if (all->runs > 1) take_means(all);
  return &all->first->public;
}

const double *repeated_times(const struct repeated *all) { return all->times; }

const double *repeated_means(const struct repeated *all, size_t record) {
  const struct record_sum *sum = record < all->record_count ? &all->records[record] : NULL;
  return sum && sum->mean.count == all->runs ? sum->means : NULL;
}

void repeated_drop(struct repeated *all) {
  if (all->first) psl_drop(all->psl, &all->first->public);
  all->first = NULL;
}

/* ---- what runs say ---- */

void note_seed(struct psl *psl, enum psl_code code, uint64_t count, uint64_t seed) {
  if (code != PSL_OK && count > 1)
    diagnostic_note(&psl->diagnostics, (struct span){0}, "with seed %llu", (unsigned long long)seed);
}

void hear(struct psl *psl, struct heard *heard, const struct handle_catch *caught) {
  const char *text = caught->said.data;
  if (!*text) return;
  for (uint32_t i = 0; i < heard->count; i++)
    if (*caught->error ? !strcmp(heard->texts[i], text) : text_alike(heard->texts[i], text)) return;
  text = arena_copy(&psl->handed, text, strlen(text));
  ARENA_PUSH(&psl->handed, heard->texts, heard->count, heard->capacity, text);
  handle_say_again(psl, *caught->error ? PSL_ERROR : caught->warnings.size ? PSL_WARNING : PSL_NOTE, text);
}

/* ---- a handle's runs ---- */

struct runs_given {
  const char *system;
  const struct psl_run_options *options;
  uint64_t count;
  double *times;
  repeated_each *each;
  void *user;
  const struct psl_results **results;
};

static enum psl_code run_caught(struct psl *psl, const struct runs_given *given, const struct psl_run_options *options,
                                struct heard *heard) {
  struct handle_catch caught;
  handle_catch(&caught, psl);
  enum psl_code code = handle_run(psl, given->system, options, given->results);
  note_seed(psl, code, given->count, options->seed);
  handle_release(&caught);
  hear(psl, heard, &caught);
  return code;
}

static enum psl_code work_runs(struct psl *psl, void *arguments) {
  const struct runs_given *given = arguments;
  struct psl_run_options options = *given->options;
  struct heard heard = {.count = 0};
  psl->memory.breakable = true;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed);
  if (!model_bind(&psl->model)) return PSL_WRONG;
  struct model_component *system = handle_system(psl, given->system);
  if (!system) return PSL_WRONG;
  handle_note_settings(psl, system, &(struct effects_options){.deny_lossy = options.deny_lossy});
  struct repeated *repeated = repeated_open(psl, given->count);
  for (uint64_t r = 0; r < given->count; r++, options.seed++) {
    enum psl_code code = run_caught(psl, given, &options, &heard);
    if (code != PSL_OK) {
      repeated_drop(repeated);
      return code;
    }
    given->each(given->user, r, (const struct results *)*given->results);
    repeated_add(repeated, *given->results);
  }
  memcpy(given->times, repeated_times(repeated), given->count * sizeof *given->times);
  *given->results = repeated_close(repeated);
  return PSL_OK;
}

enum psl_code repeated_run(struct psl *psl, const char *system, const struct psl_run_options *options, uint64_t count,
                           double *times, repeated_each *each, void *user, const struct psl_results **results) {
  *results = NULL;
  return handle_enter(psl, work_runs, &(struct runs_given){system, options, count, times, each, user, results});
}
