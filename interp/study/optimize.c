/* `minimize` and `maximize` of a study whose space is too large to look at all of it: the search of search.c
 * over the plan's axes. Called by psl_study; what it runs is delivered as the points of an enumeration
 * are. */
#include "interp/study/optimize.h"

#include <string.h>

struct tried { /* a point, with the value of each objective; NaN: it is not fit, or has failed */
  uint64_t *places;
  double *values;
};

struct optimizing {
  struct study_plan *plan;
  const struct study_optimize_options *options;
  uint32_t objective; /* that is searched for */
  struct tried *tried;
  uint32_t tried_count, tried_capacity;
  struct study_point point; /* for `where` */
  /* of the run in hand: */
  const uint64_t *const *points;
  uint64_t delivered;
};

/* ---- axes and points ---- */

static struct search_axis axis_of(const struct study_axis *axis) {
  struct search_axis out = {axis->count, SEARCH_PLACES, 0};
  double ratio = axis->low > 0 ? axis->high / axis->low : 0;
  if (axis->items)
    out.scale = type_is_number(axis->type) ? SEARCH_PLACES : SEARCH_NAMES;
  else if (!axis->geometric && axis->step > 0 && ratio >= 16) {
    out.scale = SEARCH_RATIO;
    out.ratio = study_axis_at(axis, axis->count - 1) / axis->low;
  }
  return out;
}

/* The number in the enumeration, where that can be counted. Else points are numbered as they are tried. */
static void point_of(const struct study_plan *plan, const uint64_t *places, struct study_point *point) {
  uint64_t number = 0;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    if (axis->tied) continue;
    point->at[axis->place] = study_axis_at(axis, places[axis->place]);
    number = number * axis->count + places[axis->place];
  }
  point->number = plan->size <= INT64_MAX ? (int64_t)number : STUDY_NO_NUMBER;
}

static bool allowed(void *user, const uint64_t *places) {
  struct optimizing *o = user;
  struct handle_catch caught;
  point_of(o->plan, places, &o->point);
  handle_catch(&caught, o->plan->psl);
  study_set(o->plan, &o->point);
  bool wanted = study_wanted(o->plan, &o->point.undecided);
  handle_release(&caught);
  return wanted;
}

/* ---- rows ---- */

static void close_point(struct optimizing *o, uint64_t place) {
  const struct study_plan *plan = o->plan;
  struct arena *arena = &plan->psl->handed;
  struct tried tried = {ARENA_ARRAY(arena, uint64_t, plan->free_count),
                        ARENA_ARRAY(arena, double, plan->objective_count)};
  memcpy(tried.places, o->points[place], plan->free_count * sizeof *tried.places);
  const struct study_line *line = &o->options->lines->line;
  for (uint32_t k = 0; k < plan->objective_count; k++)
    tried.values[k] = line->failures ? (double)NAN : study_number(&line->cells[plan->objectives[k].column].value);
  ARENA_PUSH(arena, o->tried, o->tried_count, o->tried_capacity, tried);
}

static bool deliver(void *user, const struct study_point *point, const struct study_row *row) {
  struct optimizing *o = user;
  bool more = o->options->deliver(o->options->user, point, row);
  uint64_t place = o->delivered++ / o->plan->repetitions;
  if (o->delivered % o->plan->repetitions == 0) close_point(o, place);
  return more;
}

static const struct tried *find_tried(const struct optimizing *o, const uint64_t *places) {
  for (uint32_t i = 0; i < o->tried_count; i++)
    if (!memcmp(o->tried[i].places, places, o->plan->free_count * sizeof *places)) return &o->tried[i];
  return NULL;
}

/* Those that another objective's search has not come to already, with all their repetitions. */
static bool run_points(struct optimizing *o, const uint64_t *const *points, size_t count) {
  struct study_plan *plan = o->plan;
  struct arena *arena = &plan->psl->handed;
  const uint64_t **fresh = ARENA_ARRAY(arena, const uint64_t *, count);
  size_t fresh_count = 0, runs = 0;
  for (size_t i = 0; i < count; i++)
    if (!find_tried(o, points[i])) fresh[fresh_count++] = points[i];
  struct study_point *all = ARENA_ARRAY(arena, struct study_point, fresh_count * plan->repetitions);
  for (size_t i = 0; i < fresh_count; i++)
    for (uint64_t r = 0; r < plan->repetitions; r++, runs++) {
      all[runs] = (struct study_point){.at = ARENA_ARRAY(arena, double, plan->free_count), .repetition = r};
      point_of(plan, fresh[i], &all[runs]);
      if (all[runs].number == STUDY_NO_NUMBER) all[runs].number = (int64_t)(o->tried_count + i);
    }
  o->points = fresh;
  o->delivered = 0;
  return !runs || study_run_points(plan, all, runs, deliver, o) == PSL_OK;
}

static bool evaluate(void *user, const uint64_t *const *points, size_t count, double *values) {
  struct optimizing *o = user;
  if (!run_points(o, points, count)) return false;
  for (size_t i = 0; i < count; i++) {
    double value = find_tried(o, points[i])->values[o->objective];
    values[i] = o->plan->objectives[o->objective].maximize ? -value : value;
  }
  return true;
}

enum psl_code study_optimize(struct study_plan *plan, const struct study_optimize_options *options,
                             struct search_result *results) {
  struct arena *arena = &plan->psl->handed;
  struct search_axis *axes = ARENA_ARRAY(arena, struct search_axis, plan->free_count);
  struct optimizing o = {
      .plan = plan,
      .options = options,
      .point.at = ARENA_ARRAY(arena, double, plan->free_count),
  };
  struct search_problem problem = {
      .axes = axes,
      .axis_count = plan->free_count,
      .evaluations = options->evaluations,
      .seed = plan->seed,
      .allowed = plan->where_count ? allowed : NULL,
      .evaluate = evaluate,
      .user = &o,
  };
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (!plan->axes[a].tied) axes[plan->axes[a].place] = axis_of(&plan->axes[a]);
  for (; o.objective < plan->objective_count; o.objective++) {
    results[o.objective] = search_minimize(arena, &problem);
    if (plan->objectives[o.objective].maximize) results[o.objective].value *= -1;
    if (results[o.objective].interrupted) return PSL_STOPPED;
  }
  return PSL_OK;
}

/* ---- what was done ---- */

void study_optimum_say(const struct study_plan *plan, const struct study_item *item, const char *name,
                       const struct search_result *result) {
  struct diagnostics *d = &plan->psl->diagnostics;
  unsigned long long count = result->evaluations, size = plan->size;
  if (result->all) {
    diagnostic_add(d, SEVERITY_NOTE, item->span, "%s: all %llu points that it may be were run", name, count);
    return;
  }
  const char *of = plan->size == UINT64_MAX ? "very many" : arena_printf(&plan->psl->work, "%llu", size);
  diagnostic_add(d, SEVERITY_NOTE, item->span, "%s: a search (%s) ran %llu of %s points", name, result->method, count,
                 of);
  if (result->places)
    diagnostic_note(d, (struct span){0}, "%s; that is no proof that no point is better",
                    result->neighbours ? "none of the best one's neighbours is better"
                                       : "not all neighbours of the best one were run");
}
