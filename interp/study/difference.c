/* psl_diff: two sides are loaded and run, the changes between them found, and the models in between run; a
 * change's share is its Shapley value, the mean of what it does over all orders in which the changes can be
 * made.
 *
 * A model in between that does not check, or whose run does not reach its end, says nothing: then the
 * changes that it lacks most nearly are made one with those that it has, till all that is left can be run. Sides
 * without a predicted time have their other figures compared, and no shares. */
#include "interp/study/difference.h"
#include "interp/check/load.h"
#include "interp/report/report.h"
#include "interp/study/pool.h"
#include "interp/study/repeated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct known_time { /* what a set of changes comes to */
  uint64_t mask;
  double time;   /* s, over repetitions the mean; NaN: it cannot be run */
  double *times; /* by repetition */
};

struct differing {
  struct psl *psl;
  const struct psl_diff_options *options;
  struct psl *between; /* loads and runs what is in between */
  struct changes changes;
  struct difference out;
  struct known_time *known;
  uint32_t known_count, known_capacity;
  struct pool *pool;
  struct psl_progress progress;
  const uint64_t *wanted; /* of the run of the pool in hand */
  double *between_times;  /* by repetition, of the run in hand */
  int side;               /* that is being run */
  struct figures_met met;
  struct arena texts; /* of one in between, and of a run's report */
  struct arena_deferred deferred;
};

struct diff_given {
  const struct psl_diff_options *options;
  psl_write *write;
  void *user;
};

/* ---- a side ---- */

static enum psl_code set_all(struct psl *side, const struct psl_pair *pairs, size_t count) {
  enum psl_code code = PSL_OK;
  for (size_t i = 0; i < count && code == PSL_OK; i++)
    code = psl_set(side, pairs[i].param, pairs[i].value);
  return code;
}

static void take_figures(void *user, uint64_t repetition, const struct results *run) {
  struct differing *d = user;
  figures_take(&d->met, d->side, repetition, run, &d->texts);
}

static enum psl_code open_side(struct differing *d, int side) {
  const struct psl_diff_options *options = d->options;
  struct psl *psl = psl_open(&d->psl->options);
  const struct psl_results *results;
  if (!psl) return PSL_MEMORY;
  d->changes.sides[side] = psl;
  const char *path = side && options->second ? options->second : options->first;
  enum psl_code code = psl_load_file(psl, path);
  if (code != PSL_OK) return code;
  code = set_all(psl, options->set, options->set_count);
  if (code != PSL_OK) return code;
  psl->model.loading->options.setting_name = "--against"; /* as errors in the texts of those have it */
  if (side) code = set_all(psl, options->against, options->against_count);
  if (code != PSL_OK) return code;
  d->out.times[side] = ARENA_ARRAY(&d->psl->work, double, d->out.repetitions);
  d->side = side;
  code = repeated_run(psl, options->system, &options->run, d->out.repetitions, d->out.times[side], take_figures, d,
                      &results);
  if (code != PSL_OK) return code;
  if (isnan(results->makespan.value)) d->out.untimed[side] = results_untimed(results->stop);
  d->out.models[side] = arena_copy(&d->psl->work, results->model, strlen(results->model));
  d->out.systems[side] = arena_copy(&d->psl->work, results->system, strlen(results->system));
  d->out.time[side] = results->makespan.value;
  d->out.uncertain[side] = results->uncertain;
  d->out.low[side] = results->makespan_low.value;
  d->out.high[side] = results->makespan_high.value;
  d->out.too_short[side] = report_too_short(&d->psl->work, results);
  d->out.mean[side] = results->mean;
  d->out.drawn[side] = ((const struct results *)results)->drawn;
  psl_drop(psl, results);
  return PSL_OK;
}

/* ---- in between ---- */

/* The settings that both sides have, and those of the sides that the changes of the mask choose. */
static bool set_between(const struct differing *d, uint64_t mask) {
  const struct changes *c = &d->changes;
  for (uint32_t i = 0; i < c->count; i++) {
    const char *value = c->items[i].text[mask >> i & 1];
    if (c->items[i].setting && value && psl_set(d->between, c->items[i].name, value) != PSL_OK) return false;
  }
  for (size_t s = 0; s < d->options->set_count; s++) {
    bool differs = false;
    for (uint32_t i = 0; i < c->count; i++)
      differs |= c->items[i].setting && !strcmp(c->items[i].name, d->options->set[s].param);
    differs |= c->choice.param && !strcmp(c->choice.param, d->options->set[s].param);
    if (!differs && psl_set(d->between, d->options->set[s].param, d->options->set[s].value) != PSL_OK) return false;
  }
  return true;
}

/* The predicted times of all repetitions; false: one has none. */
static bool run_all(struct differing *d, double *times) {
  struct psl_run_options run = d->options->run;
  for (uint64_t r = 0; r < d->out.repetitions; r++, run.seed++) {
    const struct psl_results *results = NULL;
    enum psl_code code = psl_run(d->between, d->options->system, &run, &results);
    times[r] = code == PSL_OK ? results->makespan.value : (double)NAN;
    if (results) psl_drop(d->between, results);
    if (isnan(times[r])) return false;
  }
  return true;
}

/* false: it cannot be run. */
static bool run_between(struct differing *d, uint64_t mask, double *times) {
  struct psl *psl = d->between;
  struct text_cache texts = {.arena = &d->texts};
  arena_close(&d->texts);
  changes_texts(&d->changes, mask, &texts);
  const struct choice *choice = &d->changes.choice;
  const char *chosen = choice->param ? alternatives_text(&d->changes, mask, &texts) : NULL;
  texts.arena = &psl->loaded; /* the other files are read under that handle's guard */
  psl->texts = &texts;
  bool done = psl_load_file(psl, d->options->first) == PSL_OK && set_between(d, mask) &&
              (!chosen || psl_set(psl, choice->param, chosen) == PSL_OK) && run_all(d, times);
  psl->texts = NULL;
  return done;
}

static const struct known_time *find_known(const struct differing *d, uint64_t mask) {
  for (uint32_t i = 0; i < d->known_count; i++)
    if (d->known[i].mask == mask) return &d->known[i];
  return NULL;
}

/* `times` NULL: it cannot be run. */
static void learn(struct differing *d, uint64_t mask, double *times) {
  double time = times ? study_mean_of(times, d->out.repetitions).value : (double)NAN;
  ARENA_PUSH(&d->psl->work, d->known, d->known_count, d->known_capacity, ((struct known_time){mask, time, times}));
}

static void do_run(void *user, const char *task, size_t size, struct text *reply) {
  struct differing *d = user;
  uint64_t mask;
  (void)size;
  memcpy(&mask, task, sizeof mask);
  if (run_between(d, mask, d->between_times))
    text_put_n(reply, (const char *)d->between_times, sizeof *d->between_times * d->out.repetitions);
}

static bool give(void *user, uint64_t index, struct text *bytes) {
  const struct differing *d = user;
  text_put_n(bytes, (const char *)&d->wanted[index], sizeof *d->wanted);
  return true;
}

static bool take(void *user, uint64_t index, const struct pool_reply *reply) {
  struct differing *d = user;
  size_t size = sizeof(double) * d->out.repetitions;
  double *times = reply->data && reply->size == size ? arena_alloc(&d->psl->work, size) : NULL;
  if (times) memcpy(times, reply->data, size);
  learn(d, d->wanted[index], times);
  d->out.runs++;
  d->progress.done++;
  if (d->options->progress) d->options->progress(d->options->progress_user, &d->progress);
  return true;
}

/* Runs those that are not known. false: it was interrupted. */
static bool run_masks(struct differing *d, const uint64_t *masks, uint32_t count) {
  uint64_t *wanted = ARENA_ARRAY(&d->psl->work, uint64_t, count);
  uint32_t fresh = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!find_known(d, masks[i])) wanted[fresh++] = masks[i];
  d->wanted = wanted;
  if (d->progress.count < d->progress.done + fresh) d->progress.count = d->progress.done + fresh;
  struct pool_run run = {.count = fresh, .give = give, .deliver = take, .user = d};
  return !fresh || pool_run(d->pool, &run) == POOL_DONE;
}

/* ---- groups ---- */

static uint64_t mask_of(const struct differing *d, uint32_t subset) {
  uint64_t mask = 0;
  for (uint32_t g = 0; g < d->out.group_count; g++)
    if (subset >> g & 1) mask |= d->out.groups[g].mask;
  return mask;
}

static double time_of(const struct differing *d, uint32_t subset) { return find_known(d, mask_of(d, subset))->time; }

/* Makes one group of those of the subset. */
static void merge(struct differing *d, uint32_t subset) {
  struct difference_group *groups = d->out.groups;
  uint32_t first = (uint32_t)__builtin_ctz(subset), kept = 0;
  groups[first].mask = mask_of(d, subset);
  for (uint32_t g = 0; g < d->out.group_count; g++)
    if (g == first || !(subset >> g & 1)) groups[kept++] = groups[g];
  d->out.group_count = kept;
}

/* The smallest set of groups that cannot be run, made one with the least that it takes to be run. */
static bool merge_failing(struct differing *d) {
  uint32_t all = (UINT32_C(1) << d->out.group_count) - 1, failing = 0, whole = all;
  for (uint32_t subset = 1; subset < all; subset++)
    if (isnan(time_of(d, subset)) && (!failing || __builtin_popcount(subset) < __builtin_popcount(failing)))
      failing = subset;
  if (!failing) return false;
  for (uint32_t subset = 1; subset < all; subset++)
    if ((subset & failing) == failing && !isnan(time_of(d, subset)) &&
        __builtin_popcount(subset) < __builtin_popcount(whole))
      whole = subset;
  merge(d, whole);
  return true;
}

/* All subsets of the groups are run, till each can be. */
static bool settle_groups(struct differing *d) {
  do {
    uint32_t subsets = UINT32_C(1) << d->out.group_count;
    uint64_t *masks = ARENA_ARRAY(&d->psl->work, uint64_t, subsets);
    for (uint32_t subset = 0; subset < subsets; subset++)
      masks[subset] = mask_of(d, subset);
    if (!run_masks(d, masks, subsets)) return false;
  } while (merge_failing(d));
  return true;
}

/* ---- shares ---- */

/* 1 / (n * (n - 1 over k)): the part of all orders in which k given ones of n - 1 come before. */
static double weight(uint32_t n, uint32_t k) {
  double weight = 1.0 / n;
  for (uint32_t i = 1; i <= k; i++)
    weight *= (double)i / (double)(n - i);
  return weight;
}

static double time_at(const struct differing *d, uint32_t subset, uint64_t repetition) {
  return find_known(d, mask_of(d, subset))->times[repetition];
}

/* What a group does in one repetition, over all orders. */
static double share_at(const struct differing *d, uint32_t g, uint64_t r) {
  uint32_t n = d->out.group_count, own = UINT32_C(1) << g;
  double share = 0;
  for (uint32_t subset = 0; subset < UINT32_C(1) << n; subset++)
    if (!(subset & own))
      share += weight(n, (uint32_t)__builtin_popcount(subset)) * (time_at(d, subset | own, r) - time_at(d, subset, r));
  return share;
}

/* What two groups do beyond what each does. */
static double together_at(const struct differing *d, uint32_t a, uint32_t b, uint64_t r) {
  uint32_t n = d->out.group_count, one = UINT32_C(1) << a, other = UINT32_C(1) << b;
  double together = 0;
  for (uint32_t subset = 0; subset < UINT32_C(1) << n; subset++)
    if (!(subset & (one | other)))
      together += weight(n - 1, (uint32_t)__builtin_popcount(subset)) *
                  (time_at(d, subset | one | other, r) - time_at(d, subset | one, r) - time_at(d, subset | other, r) +
                   time_at(d, subset, r));
  return together;
}

/* Means over repetitions, in each of which the shares add up to the whole. */
static void find_shares(struct differing *d, double *figures) {
  struct difference *out = &d->out;
  for (uint32_t g = 0; g < out->group_count; g++) {
    for (uint64_t r = 0; r < out->repetitions; r++)
      figures[r] = time_at(d, UINT32_C(1) << g, r) - out->times[0][r];
    out->groups[g].alone = study_mean_of(figures, out->repetitions);
    for (uint64_t r = 0; r < out->repetitions; r++)
      figures[r] = share_at(d, g, r);
    out->groups[g].share = study_mean_of(figures, out->repetitions);
  }
}

static struct study_mean find_together(const struct differing *d, uint32_t a, uint32_t b, double *figures) {
  for (uint64_t r = 0; r < d->out.repetitions; r++)
    figures[r] = together_at(d, a, b, r);
  struct study_mean mean = study_mean_of(figures, d->out.repetitions);
  double rounding = 1e-12 * (d->out.time[0] + d->out.time[1]);
  return fabs(mean.value) <= rounding && !(mean.half > rounding) ? (struct study_mean){0, mean.half} : mean;
}

static void shapley(struct differing *d) {
  struct difference *out = &d->out;
  uint32_t n = out->group_count;
  double *figures = ARENA_ARRAY(&d->psl->work, double, out->repetitions);
  find_shares(d, figures);
  out->pairs = ARENA_ARRAY(&d->psl->work, struct difference_pair, n * n);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++)
      out->pairs[out->pair_count++] = (struct difference_pair){a, b, find_together(d, a, b, figures)};
}

/* One after another; what cannot be run waits for the next. */
static bool in_order(struct differing *d) {
  struct difference *out = &d->out;
  uint64_t mask = 0, group = 0;
  const double *before = out->times[0];
  double *figures = ARENA_ARRAY(&d->psl->work, double, out->repetitions);
  out->ordered = true;
  out->group_count = 0;
  for (uint32_t i = 0; i < d->changes.count; i++) {
    mask |= UINT64_C(1) << i;
    group |= UINT64_C(1) << i;
    if (!run_masks(d, &mask, 1)) return false;
    const double *times = find_known(d, mask)->times;
    if (!times) continue;
    for (uint64_t r = 0; r < out->repetitions; r++)
      figures[r] = times[r] - before[r];
    out->groups[out->group_count++] =
        (struct difference_group){group, study_mean_of(figures, out->repetitions), {NAN, NAN}};
    group = 0;
    before = times;
  }
  return true;
}

static int by_share(const void *left, const void *right) {
  const struct difference_group *a = left, *b = right;
  double x = fabs(a->share.value), y = fabs(b->share.value);
  return x != y ? (x > y ? -1 : 1) : a->mask < b->mask ? -1 : a->mask > b->mask;
}

/* ---- the entry ---- */

static bool comes_to(struct differing *d, uint64_t mask, double wanted) {
  if (!run_between(d, mask, d->between_times)) return false;
  double time = study_mean_of(d->between_times, d->out.repetitions).value;
  return fabs(time - wanted) <= 1e-9 * fabs(wanted);
}

/* A component that has all that the second side's is said to have must come to the second side's time, and one with
 * nothing of it to the first side's: else they differ in more than that. */
static void take_apart(struct differing *d) {
  uint64_t all = 0;
  if (d->options->second || !alternatives_find(&d->changes)) return;
  bool few = d->changes.count <= DIFFERENCE_MOST;
  for (uint32_t i = 0; few && i < d->changes.count; i++)
    all |= UINT64_C(1) << i;
  d->changes.choice.forced = true;
  bool same = few && comes_to(d, 0, d->out.time[0]) && comes_to(d, all, d->out.time[1]);
  d->changes.choice.forced = false;
  if (!same) alternatives_drop(&d->changes);
}

static enum psl_code attribute(struct differing *d) {
  struct difference *out = &d->out;
  struct psl_options quiet = d->psl->options;
  quiet.diagnostic = NULL;
  changes_find(&d->changes);
  if (!(d->between = psl_open(&quiet))) return PSL_MEMORY;
  take_apart(d);
  if (d->changes.count > DIFFERENCE_MOST) return PSL_OK; /* the figures are compared all the same */
  d->pool = pool_open(&d->psl->work, &(struct pool_options){
                                         .jobs = d->options->jobs,
                                         .work = do_run,
                                         .user = d,
                                     });
  out->groups = ARENA_ARRAY(&d->psl->work, struct difference_group, d->changes.count);
  out->group_count = d->changes.count;
  learn(d, 0, out->times[0]);
  if (d->changes.count) learn(d, (UINT64_C(1) << d->changes.count) - 1, out->times[1]);
  for (uint32_t i = 0; i < d->changes.count; i++)
    out->groups[i].mask = UINT64_C(1) << i;
  bool few = d->changes.count <= DIFFERENCE_SHAPLEY;
  if (!few) d->progress.count = d->changes.count - 1; /* the whole is known */
  bool done = few ? settle_groups(d) : in_order(d);
  pool_close(d->pool);
  d->progress.ended = true;
  if (d->options->progress) d->options->progress(d->options->progress_user, &d->progress);
  if (!done) {
    diagnostic_add(&d->psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "interrupted");
    return PSL_STOPPED;
  }
  if (few) shapley(d);
  return PSL_OK;
}

/* The greatest first, but in order; pairs keep to their groups. */
static void sort_groups(struct difference *out, struct arena *arena) {
  uint64_t *masks = ARENA_ARRAY(arena, uint64_t, out->group_count);
  if (out->ordered || !out->group_count) return;
  for (uint32_t g = 0; g < out->group_count; g++)
    masks[g] = out->groups[g].mask;
  qsort(out->groups, out->group_count, sizeof *out->groups, by_share);
  for (uint32_t p = 0; p < out->pair_count; p++) {
    uint64_t a = masks[out->pairs[p].a], b = masks[out->pairs[p].b];
    for (uint32_t g = 0; g < out->group_count; g++) {
      if (out->groups[g].mask == a) out->pairs[p].a = g;
      if (out->groups[g].mask == b) out->pairs[p].b = g;
    }
  }
}

static struct study_mean find_whole(const struct differing *d) {
  double *figures = ARENA_ARRAY(&d->psl->work, double, d->out.repetitions);
  for (uint64_t r = 0; r < d->out.repetitions; r++)
    figures[r] = d->out.times[1][r] - d->out.times[0][r];
  return study_mean_of(figures, d->out.repetitions);
}

/* Of one draw nothing says how much of the difference is chance. */
static void note_drawn(const struct differing *d) {
  const bool *drawn = d->out.drawn;
  if (d->out.repetitions > 1 || (!drawn[0] && !drawn[1])) return;
  diagnostic_add(&d->psl->diagnostics, SEVERITY_NOTE, (struct span){0},
                 "random numbers are drawn by %s, by one seed each: the difference may be chance",
                 drawn[0] && drawn[1] ? "both"
                 : drawn[0]           ? "A"
                                      : "B");
  diagnostic_help(&d->psl->diagnostics, (struct span){0},
                  "--repetitions 10 has means of ten seeds, with intervals of the difference and of each share");
}

static bool timed(const struct differing *d) { return !d->out.untimed[0] && !d->out.untimed[1]; }

static void write_report(struct differing *d, const struct diff_given *given) {
  struct report report;
  sort_groups(&d->out, &d->psl->work);
  report_open(&report, d->options->format, d->psl->columns, &d->psl->work, given->write, given->user);
  report_difference(&report, &d->out);
  report_close(&report);
}

/* However it ends. */
static void close_all(void *user) {
  struct differing *d = user;
  psl_close(d->between);
  arena_close(&d->texts);
  for (int side = 0; side < 2; side++)
    psl_close(d->changes.sides[side]);
}

static enum psl_code work_diff(struct psl *psl, void *arguments) {
  const struct diff_given *given = arguments;
  struct differing *d = ARENA_NEW(&psl->work, struct differing);
  *d = (struct differing){.psl = psl, .options = given->options, .changes.arena = &psl->work};
  d->out.changes = &d->changes;
  d->out.repetitions = given->options->repetitions ? given->options->repetitions : 1;
  d->met.arena = &psl->work;
  d->between_times = ARENA_ARRAY(&psl->work, double, d->out.repetitions);
  arena_open(&d->texts, &psl->memory);
  d->deferred = (struct arena_deferred){.run = close_all, .user = d};
  arena_defer(&psl->work, &d->deferred);
  enum psl_code code = PSL_OK;
  for (int side = 0; side < 2 && code == PSL_OK; side++)
    code = open_side(d, side);
  if (code == PSL_OK) d->out.whole = find_whole(d);
  if (code == PSL_OK) figures_compare(&d->met, &d->out);
  if (code == PSL_OK && timed(d)) code = attribute(d);
  if (code == PSL_OK) write_report(d, given);
  if (code == PSL_OK) note_drawn(d);
  return code;
}

enum psl_code psl_diff(struct psl *psl, const struct psl_diff_options *options, psl_write *write, void *user) {
  return handle_enter(psl, work_diff, &(struct diff_given){options, write, user});
}
