/* The Pareto front of a study's objectives: points that no other one dominates, which is as good by each objective and
 * better by one.  Values are those of the table: of simulations and repetitions the means, whatever their intervals. */
#include "interp/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below 0: a is better by the objective; above: b is. */
static int compare_by(const struct study_objective *objective, double a, double b) {
  return a == b ? 0 : (a < b) == objective->maximize ? 1 : -1;
}

static bool dominates(const struct study_plan *plan, const struct study_valued *a, const struct study_valued *b) {
  bool better = false;
  for (uint32_t o = 0; o < plan->objective_count; o++) {
    int order = compare_by(&plan->objectives[o], a[o].value, b[o].value);
    if (order > 0) return false;
    better |= order < 0;
  }
  return better;
}

/* The point's values by objective; false: one is not known, or its condition does not hold. */
static bool read_values(const struct study_plan *plan, const struct study_line *line, struct study_valued *values) {
  for (uint32_t o = 0; o < plan->objective_count; o++) {
    const struct study_cell *cell = &line->cells[plan->objectives[o].column];
    values[o] = (struct study_valued){.value = study_number(&cell->value), .half = cell->half};
    if (isnan(values[o].value)) return false;
  }
  return true;
}

void study_front_add(struct study_front *front, struct study_plan *plan, const struct study_point *point,
                     const struct study_line *line, uint64_t row) {
  uint32_t objectives = plan->objective_count, kept = 0;
  struct arena *arena = &plan->psl->handed;
  struct study_valued *values = ARENA_ARRAY(&plan->psl->work, struct study_valued, objectives);
  if (line->failures || !read_values(plan, line, values)) return;
  front->known++;
  for (uint32_t k = 0; k < front->count; k++)
    if (dominates(plan, front->items[k].values, values)) return;
  for (uint32_t k = 0; k < front->count; k++)
    if (!dominates(plan, values, front->items[k].values)) front->items[kept++] = front->items[k];
  front->count = kept;
  struct study_efficient item = {.row = row,
                                 .point = {.number = point->number,
                                           .repetition = point->repetition,
                                           .undecided = point->undecided,
                                           .at = ARENA_ARRAY(arena, double, plan->free_count)},
                                 .values = ARENA_ARRAY(arena, struct study_valued, objectives),
                                 .warnings = arena_copy(arena, line->warnings, strlen(line->warnings))};
  memcpy(item.point.at, point->at, sizeof *point->at * plan->free_count);
  memcpy(item.values, values, sizeof *values * objectives);
  ARENA_PUSH(arena, front->items, front->count, front->capacity, item);
}

/* Along the first objective, the best by it first; what is alike in the order of points. */
static int by_objectives(const void *left, const void *right, void *user) {
  const struct study_efficient *a = left, *b = right;
  const struct study_plan *plan = user;
  for (uint32_t o = 0; o < plan->objective_count; o++) {
    int order = compare_by(&plan->objectives[o], a->values[o].value, b->values[o].value);
    if (order) return order;
  }
  return (a->row > b->row) - (a->row < b->row);
}

void study_front_sort(struct study_front *front, struct study_plan *plan) {
  if (front->count) qsort_r(front->items, front->count, sizeof *front->items, by_objectives, plan);
}
