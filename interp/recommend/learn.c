/* Forecasters of all figures, and the rules, from the cases that there are. */
#include "interp/recommend/recommend.h"

#include <string.h>

enum {
  LEARNT = 10000, /* cases that forecasters are made of; of n times as many, one in n */
  ASSOCIATIONS = 20,
  TELLING = 3 /* cases of a problem that say which of them is good */
};

/* ---- forecasters ---- */

/* taken: gets the case of each row. */
static struct forecaster_cases table_of(struct recommender *r, const struct recommend_case **taken) {
  struct arena *arena = &r->psl->handed;
  uint32_t part = (r->cases.count + LEARNT - 1) / LEARNT, *place = tree_shuffled(arena, r->cases.count);
  struct forecaster_cases table = {.features = r->feature_count, .named = r->named};
  double *x = ARENA_ARRAY(arena, double, (size_t)LEARNT *table.features + 1);
  uint32_t *problem = ARENA_ARRAY(arena, uint32_t, LEARNT + 1);
  for (uint32_t c = 0; c < r->cases.count; c++) {
    if (place[c] % part != 0) continue;
    memcpy(x + (size_t)table.rows * table.features, r->cases.items[c].x, table.features * sizeof *x);
    problem[table.rows] = r->cases.items[c].problem;
    taken[table.rows++] = &r->cases.items[c];
  }
  table.x = x;
  table.problem = problem;
  return table;
}

void learn_forecasters(struct recommender *r) {
  const struct recommend_case **taken = ARENA_ARRAY(&r->psl->handed, const struct recommend_case *, LEARNT + 1);
  struct forecaster_cases table = table_of(r, taken);
  bool all = true;
  for (uint32_t f = 0; f <= r->figure_count; f++) { /* the last: whether the condition holds */
    double *y = ARENA_ARRAY(&r->psl->handed, double, table.rows + 1);
    for (uint32_t c = 0; c < table.rows; c++) {
      y[c] = f < r->figure_count ? taken[c]->y[f] : taken[c]->fits;
      all &= taken[c]->fits;
    }
    table.y = y;
    if (f < r->figure_count)
      r->figures[f].forecaster = forecaster_learn(&r->psl->handed, &table);
    else
      r->fits = r->conditional && !all ? forecaster_learn(&r->psl->handed, &table) : NULL;
  }
}

/* ---- rules ---- */

/* Features by which problems are told apart, and those that are chosen. */
static bool is_of_problem(const struct recommend_feature *feature) {
  return feature->axis != (uint32_t)STUDY_NONE && feature->role != ROLE_CHOICE;
}

/* By problem the best case; NULL: none fits. */
static const struct recommend_case **best_cases(const struct recommender *r) {
  const struct recommend_case **best =
      ARENA_ARRAY(&r->psl->handed, const struct recommend_case *, r->problems.count + 1);
  for (uint32_t c = 0; c < r->cases.count; c++) {
    const struct recommend_case *item = &r->cases.items[c], **known = &best[item->problem];
    if (isfinite(cases_cost(r, item)) && (!*known || cases_cost(r, item) < cases_cost(r, *known))) *known = item;
  }
  return best;
}

/* A tree for each choice that is free, over the problems. */
static void classify(struct recommender *r) {
  struct arena *arena = &r->psl->handed;
  const struct recommend_case **best = best_cases(r);
  struct rule_table table = {.features = r->feature_count, .named = r->named};
  double *x = ARENA_ARRAY(arena, double, (size_t)r->problems.count * r->feature_count + 1);
  for (uint32_t p = 0; p < r->problems.count; p++) {
    double *row = x + (size_t)table.rows * r->feature_count;
    if (!best[p]) continue;
    for (uint32_t f = 0; f < r->feature_count; f++)
      row[f] = is_of_problem(&r->features[f]) ? best[p]->x[f] : 0;
    table.rows++;
  }
  table.x = x;
  for (uint32_t f = 0; f < r->feature_count; f++) {
    const struct recommend_feature *feature = &r->features[f];
    double *value = ARENA_ARRAY(arena, double, table.rows + 1);
    uint32_t row = 0;
    if (feature->role != ROLE_CHOICE || r->plan->axes[feature->axis].tied) continue;
    for (uint32_t p = 0; p < r->problems.count; p++)
      if (best[p]) value[row++] = best[p]->x[f];
    rules_classify(arena, &table, value, f, &r->rules);
  }
}

/* Cases of problems of which several are known. */
static void associate(struct recommender *r) {
  struct arena *arena = &r->psl->handed;
  struct rule_table table = {.features = r->feature_count, .named = r->named};
  uint32_t *cases = ARENA_ARRAY(arena, uint32_t, r->problems.count + 1);
  bool *all = cases_good(r), *good = ARENA_ARRAY(arena, bool, r->cases.count + 1);
  bool *chosen = ARENA_ARRAY(arena, bool, r->feature_count + 1);
  double *x = ARENA_ARRAY(arena, double, (size_t)r->cases.count * r->feature_count + 1);
  for (uint32_t c = 0; c < r->cases.count; c++)
    cases[r->cases.items[c].problem]++;
  for (uint32_t c = 0; c < r->cases.count; c++) {
    if (cases[r->cases.items[c].problem] < TELLING) continue;
    memcpy(x + (size_t)table.rows * r->feature_count, r->cases.items[c].x, r->feature_count * sizeof *x);
    good[table.rows++] = all[c];
  }
  for (uint32_t f = 0; f < r->feature_count; f++)
    chosen[f] = !is_of_problem(&r->features[f]);
  table.x = x;
  table.good = good;
  table.chosen = chosen;
  rules_associate(arena, &table, ASSOCIATIONS, &r->rules);
}

void learn_rules(struct recommender *r) {
  r->rules = (struct recommend_rules){0};
  classify(r);
  associate(r);
}
