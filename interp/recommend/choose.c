/* Candidates ranked by what is predicted of them. */
#include "interp/recommend/recommend.h"

#include <stdlib.h>

static int by_rank(const void *left, const void *right) {
  const struct recommend_choice *a = left, *b = right;
  if ((a->holds == GOAL_NOT) != (b->holds == GOAL_NOT)) return a->holds == GOAL_NOT ? 1 : -1;
  if ((a->holds >= GOAL_UNLIKELY) != (b->holds >= GOAL_UNLIKELY)) return a->holds >= GOAL_UNLIKELY ? 1 : -1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return a->candidate < b->candidate ? -1 : a->candidate > b->candidate;
}

/* What it costs where one that does not fit is paid for in vain, and so is the search for another. */
static double cost_of(const struct recommender *r, const struct recommend_choice *choice) {
  double cost = r->maximize ? -choice->goal.value : choice->goal.value;
  if (choice->chance < 0.5) return INFINITY;
  double certain = choice->chance * choice->chance;
  return cost > 0 ? cost / certain : cost * certain;
}

/* ---- goals ---- */

enum end { END_LOW, END_VALUE, END_HIGH, ENDS };

static double end_of(const struct prediction *prediction, enum end end) {
  return end == END_LOW ? prediction->low : end == END_HIGH ? prediction->high : prediction->value;
}

/* Gives a column, and the result that it is of, a number that conditions see. */
static void give(struct study_plan *plan, uint32_t column, double number) {
  const struct expr *value = plan->columns[column].value;
  const struct symbol *symbol = value->kind == EXPR_NAME     ? value->name.symbol
                                : value->kind == EXPR_MEMBER ? value->member.symbol
                                                             : NULL;
  if (plan->columns[column].slot != (uint32_t)STUDY_NONE) plan->locals[plan->columns[column].slot] = value_real(number);
  for (uint32_t u = 0; symbol && u < plan->study->use_count; u++)
    if (plan->study->uses[u].symbol == symbol) plan->locals[symbol->slot] = value_real(number);
}

/* Do all goals hold with figures at one end of their intervals? None that is known: no. */
static bool goals_hold(struct recommender *r, const struct prediction *figures, enum end end) {
  struct study_plan *plan = r->plan;
  struct study_row none = {.status = STUDY_WRONG};
  bool hold = true;
  struct handle_catch caught;
  handle_catch(&caught, r->psl);
  study_open_row(plan, &none);
  for (uint32_t f = 0; f < r->figure_count; f++)
    if (!isnan(end_of(&figures[f], end))) give(plan, r->figures[f].column, end_of(&figures[f], end));
  for (uint32_t w = 0; w < plan->assert_count && hold; w++) {
    struct value value;
    study_evaluate(plan, plan->asserts[w]->condition, &value);
    hold = value.kind == VALUE_BOOL && value.boolean;
  }
  handle_release(&caught);
  return hold;
}

bool choose_holds(struct recommender *r, const double *figures) {
  struct prediction *exact = ARENA_ARRAY(&r->psl->work, struct prediction, r->figure_count);
  for (uint32_t f = 0; f < r->figure_count; f++)
    exact[f].value = figures[f];
  return goals_hold(r, exact, END_VALUE);
}

static enum goal_holds goal_of(struct recommender *r, const struct prediction *figures) {
  bool hold[ENDS];
  for (enum end end = END_LOW; end < ENDS; end++)
    hold[end] = goals_hold(r, figures, end);
  if (hold[END_VALUE]) return hold[END_LOW] && hold[END_HIGH] ? GOAL_SURE : GOAL_LIKELY;
  return hold[END_LOW] || hold[END_HIGH] ? GOAL_UNLIKELY : GOAL_NOT;
}

/* ---- the condition of what is optimised ---- */

/* A figure that so many standard deviations are added to; its interval is that of nine in ten. */
static double moved(const struct prediction *prediction, double deviations) {
  static const double nine_in_ten = 1.645;
  double part = deviations / nine_in_ten, value = prediction->value;
  if (prediction->low > 0) return value * pow(prediction->high / value, part);
  return value + part * (prediction->high - value);
}

/* How likely it holds, by what is predicted of the figures that it names; NaN: they are not known. The point is set. */
static double chance_by_figures(struct recommender *r, const struct prediction *figures) {
  enum { STEPS = 5 };
  struct study_plan *plan = r->plan;
  const struct expr *condition = plan->columns[r->figures[r->goal].column].condition;
  struct study_row none = {.status = STUDY_WRONG};
  double holds = 0, all = 0;
  struct handle_catch caught;
  handle_catch(&caught, r->psl);
  study_open_row(plan, &none);
  for (int step = -STEPS; step <= STEPS; step++) {
    double deviations = 2.0 * step / STEPS, weight = exp(-deviations * deviations / 2);
    struct value value;
    for (uint32_t f = 0; f < r->figure_count; f++)
      if (!isnan(figures[f].value)) give(plan, r->figures[f].column, moved(&figures[f], deviations));
    study_evaluate(plan, condition, &value);
    if (value.kind != VALUE_BOOL) all = NAN;
    if (value.kind == VALUE_BOOL && value.boolean) holds += weight;
    all += weight;
  }
  handle_release(&caught);
  return holds / all;
}

/* By cases like it, and by the figures that the condition names. */
static double chance_of(struct recommender *r, const struct prediction *figures, const double *x) {
  double by_cases = fmin(1, fmax(0, forecaster_at(r->fits, x).value)), by_figures = chance_by_figures(r, figures);
  return isnan(by_figures) ? by_cases : (by_cases + by_figures) / 2;
}

/* ---- ranks ---- */

struct recommend_choice *choose_rank(struct recommender *r, const struct recommend_candidates *candidates) {
  struct arena *arena = &r->psl->handed;
  struct recommend_choice *choices = ARENA_ARRAY(arena, struct recommend_choice, candidates->count + 1);
  struct prediction *figures = ARENA_ARRAY(arena, struct prediction, r->figure_count);
  bool wanted = r->plan->assert_count > 0, all = wanted || r->fits;
  for (uint32_t f = 0; f < r->figure_count; f++)
    figures[f] = (struct prediction){NAN, NAN, NAN, NAN};
  for (uint32_t c = 0; c < candidates->count; c++) {
    struct recommend_choice *choice = &choices[c];
    const double *x = candidates->x + (size_t)c * r->feature_count;
    for (uint32_t f = 0; f < r->figure_count; f++)
      if (r->figures[f].forecaster && (all || f == r->goal)) figures[f] = forecaster_at(r->figures[f].forecaster, x);
    *choice = (struct recommend_choice){.candidate = c, .goal = figures[r->goal], .chance = 1, .found = NAN};
    if (all) study_set(r->plan, &candidates->points[c]);
    if (r->fits) choice->chance = chance_of(r, figures, x);
    choice->cost = cost_of(r, choice);
    if (wanted) choice->holds = goal_of(r, figures);
    arena_reset(&r->psl->work);
  }
  qsort(choices, candidates->count, sizeof *choices, by_rank);
  return choices;
}
