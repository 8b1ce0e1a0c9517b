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

/* What it costs where one that does not fit is paid for in vain. */
static double cost_of(const struct recommender *r, const struct recommend_choice *choice) {
  double cost = r->maximize ? -choice->goal.value : choice->goal.value;
  if (choice->chance < 0.5) return INFINITY;
  return cost > 0 ? cost / choice->chance : cost * choice->chance;
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

/* ---- ranks ---- */

struct recommend_choice *choose_rank(struct recommender *r, const struct recommend_candidates *candidates) {
  struct arena *arena = &r->psl->handed;
  struct recommend_choice *choices = ARENA_ARRAY(arena, struct recommend_choice, candidates->count + 1);
  struct prediction *figures = ARENA_ARRAY(arena, struct prediction, r->figure_count);
  bool wanted = r->plan->assert_count > 0;
  for (uint32_t f = 0; f < r->figure_count; f++)
    figures[f] = (struct prediction){NAN, NAN, NAN, NAN};
  for (uint32_t c = 0; c < candidates->count; c++) {
    struct recommend_choice *choice = &choices[c];
    const double *x = candidates->x + (size_t)c * r->feature_count;
    for (uint32_t f = 0; f < r->figure_count; f++)
      if (r->figures[f].forecaster && (wanted || f == r->goal)) figures[f] = forecaster_at(r->figures[f].forecaster, x);
    *choice = (struct recommend_choice){.candidate = c, .goal = figures[r->goal], .chance = 1, .found = NAN};
    if (r->fits) choice->chance = fmin(1, fmax(0, forecaster_at(r->fits, x).value));
    choice->cost = cost_of(r, choice);
    if (wanted) {
      study_set(r->plan, &candidates->points[c]);
      choice->holds = goal_of(r, figures);
    }
    arena_reset(&r->psl->work);
  }
  qsort(choices, candidates->count, sizeof *choices, by_rank);
  return choices;
}
