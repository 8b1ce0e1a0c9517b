/* What a study comes to over all its points: the best of each objective, and whether its assertions hold.  An
 * assertion is of each point, or, where it names spread(x), min(x), max(x) or mean(x), of all of them. */
#include "interp/study/study.h"
#include "interp/evaluate/evaluate.h"
#include "interp/model/random.h"
#include "interp/report/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct study_aggregation {
  const struct study_aggregate *aggregate;
  uint64_t count;
  double low, high, mean;
  const struct study_axis *over; /* spread(x, p): the axis of p; NULL: none */
  uint64_t stride;               /* of that axis in the numbers of points */
  struct extent {
    uint64_t group; /* the number of the point, that axis left out, plus 1; 0: free */
    double low, high;
  } * groups; /* open addressing: most points of a large space are never run */
  uint64_t group_count, group_capacity;
  double spread; /* of the groups, the greatest */
};

static struct study_point copy_point(struct study_plan *plan, const struct study_point *point, double *at) {
  memcpy(at, point->at, sizeof *at * plan->free_count);
  return (struct study_point){
      .number = point->number, .repetition = point->repetition, .undecided = point->undecided, .at = at};
}

/* ---- spread(x, p) ---- */

/* Where p is no axis of this run, for it was set, there is one point a group. */
static void find_axis(const struct study_plan *plan, struct study_aggregation *total) {
  uint64_t stride = 1;
  for (uint32_t a = plan->axis_count; a-- > 0;) {
    const struct study_axis *axis = &plan->axes[a];
    if (axis->param == total->aggregate->over && !axis->tied) {
      total->over = axis;
      total->stride = stride;
      return;
    }
    stride *= axis->count;
  }
}

/* The place of a group, or a free one for it. Groups are numbered through: so those that follow each other stand side
 * by side. */
static struct extent *group_at(struct extent *groups, uint64_t capacity, uint64_t group) {
  uint64_t at = group & (capacity - 1);
  while (groups[at].group && groups[at].group != group)
    at = (at + 1) & (capacity - 1);
  return &groups[at];
}

static struct extent *group_of(struct arena *arena, struct study_aggregation *total, uint64_t group) {
  if (2 * total->group_count >= total->group_capacity) {
    uint64_t capacity = total->group_capacity ? 2 * total->group_capacity : 64;
    struct extent *groups = ARENA_ARRAY(arena, struct extent, capacity);
    for (uint64_t i = 0; i < total->group_capacity; i++)
      if (total->groups[i].group) *group_at(groups, capacity, total->groups[i].group) = total->groups[i];
    total->groups = groups;
    total->group_capacity = capacity;
  }
  return group_at(total->groups, total->group_capacity, group);
}

/* Of numbers below 0 by their sizes. Those on both sides of 0 lie wider apart than any bound. */
static double spread_of(double low, double high) {
  if (low == high) return 0;
  return low > 0 ? high / low - 1 : high < 0 ? low / high - 1 : INFINITY;
}

static void add_to_group(struct arena *arena, struct study_aggregation *total, uint64_t number, double figure) {
  uint64_t outer = number / total->stride / total->over->count, inner = number % total->stride;
  uint64_t name = outer * total->stride + inner + 1;
  struct extent *group = group_of(arena, total, name);
  if (!group->group) {
    *group = (struct extent){name, figure, figure};
    total->group_count++;
  }
  group->low = fmin(group->low, figure);
  group->high = fmax(group->high, figure);
  total->spread = fmax(total->spread, spread_of(group->low, group->high));
}

/* ---- aggregates ---- */

static void add_figure(struct arena *arena, struct study_aggregation *total, const struct study_point *point,
                       double figure) {
  if (isnan(figure)) return;
  total->count++;
  total->low = total->count > 1 ? fmin(total->low, figure) : figure;
  total->high = total->count > 1 ? fmax(total->high, figure) : figure;
  total->mean += (figure - total->mean) / (double)total->count;
  if (total->over) add_to_group(arena, total, (uint64_t)point->number, figure);
}

static double aggregate_value(const struct study_aggregation *total) {
  if (!total->count) return NAN;
  switch (total->aggregate->kind) {
  case AGGREGATE_SPREAD: return total->aggregate->over ? total->spread : spread_of(total->low, total->high);
  case AGGREGATE_MIN: return total->low;
  case AGGREGATE_MAX: return total->high;
  case AGGREGATE_MEAN: return total->mean;
  case AGGREGATES: break;
  }
  return NAN;
}

static bool is_total(const struct study_plan *plan, const struct study_item *assertion) {
  for (uint32_t i = 0; i < plan->study->aggregate_count; i++)
    if (plan->study->aggregates[i].item == assertion) return true;
  return false;
}

/* ---- a study ---- */

struct study_summary *study_summary_open(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  const struct model_study *study = plan->study;
  struct study_summary *summary = ARENA_NEW(arena, struct study_summary);
  *summary = (struct study_summary){
      .plan = plan,
      .bests = ARENA_ARRAY(arena, struct study_bests, plan->objective_count),
      .verdicts = ARENA_ARRAY(arena, struct study_verdict, plan->assert_count),
      .totals = ARENA_ARRAY(arena, struct study_aggregation, study->aggregate_count),
  };
  for (uint32_t o = 0; o < plan->objective_count; o++)
    summary->bests[o].groups.arena = arena;
  for (uint32_t i = 0; i < plan->assert_count; i++)
    summary->verdicts[i].first.at = ARENA_ARRAY(arena, double, plan->free_count);
  for (uint32_t i = 0; i < study->aggregate_count; i++) {
    summary->totals[i].aggregate = &study->aggregates[i];
    if (study->aggregates[i].over) find_axis(plan, &summary->totals[i]);
  }
  return summary;
}

/* The best point so far among those with the same values of the objective's `by`. */
static struct study_best *best_of(struct study_plan *plan, const struct study_objective *objective,
                                  struct study_bests *bests, const struct study_point *point) {
  double *key = ARENA_ARRAY(&plan->psl->work, double, objective->by_count);
  for (uint32_t k = 0; k < objective->by_count; k++)
    key[k] = point->at[plan->axes[objective->by[k]].place];
  uint32_t group = groups_find(&bests->groups, key, objective->by_count * sizeof *key);
  if (group == bests->count) {
    struct study_best best = {.value = NAN,
                              .half = NAN,
                              .warnings = "",
                              .point.at = ARENA_ARRAY(&plan->psl->handed, double, plan->free_count)};
    ARENA_PUSH(&plan->psl->handed, bests->items, bests->count, bests->capacity, best);
    memcpy(bests->items[group].point.at, point->at, sizeof *point->at * plan->free_count);
  }
  return &bests->items[group];
}

/* Of a point without a value: is that because the condition does not hold there? */
static bool is_unfit(struct study_plan *plan, const struct study_objective *objective) {
  struct value value;
  study_column_open(plan, &plan->columns[objective->column], &value);
  return !study_column_close(plan, &plan->columns[objective->column], &value);
}

static struct study_valued valued(struct study_plan *plan, const struct study_point *point, double value, double half) {
  double *at = ARENA_ARRAY(&plan->psl->handed, double, plan->free_count);
  return (struct study_valued){value, half, copy_point(plan, point, at)};
}

/* A point with an interval may be as good as the best one. */
static void add_near(struct study_plan *plan, struct study_best *best, const struct study_point *point, double value,
                     double half) {
  struct study_valued near = valued(plan, point, value, half);
  ARENA_PUSH(&plan->psl->handed, best->near, best->near_count, best->near_capacity, near);
}

/* One at which the condition does not hold, by less than the interval of what it compares, may be a better one. */
static void add_barred(struct study_plan *plan, struct study_best *best, const struct study_point *point,
                       const struct study_cell *cell) {
  if (!cell->close || isnan(cell->without)) return;
  struct study_valued barred = valued(plan, point, cell->without, cell->half_without);
  ARENA_PUSH(&plan->psl->handed, best->barred, best->barred_count, best->barred_capacity, barred);
}

static void add_objective(struct study_summary *summary, uint32_t o, const struct study_point *point,
                          const struct study_line *line) {
  struct study_plan *plan = summary->plan;
  const struct study_objective *objective = &plan->objectives[o];
  struct study_best *best = best_of(plan, objective, &summary->bests[o], point);
  const struct study_cell *cell = &line->cells[objective->column];
  double value = study_number(&cell->value);
  best->points++;
  best->failed += line->failures > 0;
  if (line->failures) return; /* what no run is needed for, or what other repetitions have, makes it no best one */
  if (isnan(value)) {
    bool unknown = !is_unfit(plan, objective);
    best->unknown += unknown;
    summary->bests[o].unknown += unknown;
    add_barred(plan, best, point, cell);
    return;
  }
  summary->bests[o].known++;
  if (!isnan(cell->half)) add_near(plan, best, point, value, cell->half);
  if (!isnan(best->value) && (objective->maximize ? value < best->value : value > best->value)) return;
  if (value == best->value && point->number >= best->point.number) return; /* of equal ones the first */
  best->value = value;
  best->half = cell->half;
  best->close = cell->close;
  best->warnings = *line->warnings ? arena_copy(&plan->psl->handed, line->warnings, strlen(line->warnings)) : "";
  best->row = summary->points - 1;
  best->point = copy_point(plan, point, best->point.at);
}

/* Of a comparison that does not hold at the point: what it compares, unless that is one of the point's values. */
static const char *compared_text(struct study_plan *plan, const struct expr *condition) {
  struct text text = {.arena = &plan->psl->handed};
  struct value value;
  if (condition->kind != EXPR_COMPARE) return NULL;
  const struct expr *first = condition->compare.operands[0];
  const struct expr *figure = expr_is_literal(first) ? condition->compare.operands[1] : first;
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (figure->kind == EXPR_NAME && figure->name.symbol == plan->axes[a].param) return NULL;
  if (expr_is_literal(figure) || !study_evaluate(plan, figure, &value) || value.kind == VALUE_NONE) return NULL;
  expr_format(&text, figure);
  text_put(&text, " is ");
  value_print(&text, &plan->psl->model.types, plan->psl->model.names, figure->type, value, 6);
  return text.data;
}

static void add_assertion(struct study_summary *summary, uint32_t i, const struct study_point *point) {
  struct study_plan *plan = summary->plan;
  struct study_verdict *verdict = &summary->verdicts[i];
  struct value value;
  if (is_total(plan, plan->asserts[i])) return;
  bool fine = study_evaluate(plan, plan->asserts[i]->condition, &value);
  if (fine && value.kind == VALUE_NONE) return; /* of a point that failed it says nothing */
  verdict->points++;
  if (fine && value.boolean) return;
  if (verdict->failures++) return;
  verdict->first = copy_point(plan, point, verdict->first.at);
  verdict->compared = compared_text(plan, plan->asserts[i]->condition);
}

void study_summary_add(struct study_summary *summary, const struct study_point *point, const struct study_line *line) {
  struct study_plan *plan = summary->plan;
  summary->points++;
  summary->failed += line->failures > 0;
  for (uint32_t o = 0; o < plan->objective_count; o++)
    add_objective(summary, o, point, line);
  if (summary->front.wanted) study_front_add(&summary->front, plan, point, line, summary->points - 1);
  study_lacking_add(summary, line);
  for (uint32_t i = 0; i < plan->assert_count && !line->failures; i++)
    add_assertion(summary, i, point);
  for (uint32_t i = 0; i < plan->study->aggregate_count; i++) {
    struct value value;
    if (line->failures) continue; /* what other repetitions have makes it no point that succeeded */
    study_evaluate(plan, plan->study->aggregates[i].value, &value);
    add_figure(&summary->plan->psl->handed, &summary->totals[i], point, study_number(&value));
  }
}

const char *study_place(struct study_plan *plan, const struct study_point *point) {
  struct value *values = ARENA_ARRAY(&plan->psl->work, struct value, plan->axis_count);
  struct text text = {.arena = &plan->psl->work};
  study_set(plan, point);
  study_values(plan, values);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    if (plan->axes[a].fixed) continue;
    text_printf(&text, "%s%s = ", text.size ? ", " : "", plan->axes[a].name);
    study_put_param(&text, plan, a, values[a], 6);
  }
  return text.data ? text.data : "its only point";
}

/* ---- the end ---- */

static const char *points_text(struct study_plan *plan, const struct study_verdict *verdict) {
  return arena_printf(&plan->psl->work, "at %llu point%s, first at %s", (unsigned long long)verdict->failures,
                      verdict->failures == 1 ? "" : "s", study_place(plan, &verdict->first));
}

static const char *total_text(struct study_plan *plan, const struct study_aggregation *total) {
  const struct type *type = total->aggregate->symbol->type;
  struct text text = {.arena = &plan->psl->work};
  double figure = aggregate_value(total);
  expr_format(&text, total->aggregate->call);
  text_put(&text, " is ");
  if (isnan(figure))
    text_put(&text, "not known: no point has a figure");
  else if (total->aggregate->kind == AGGREGATE_SPREAD)
    text_printf(&text, "%.3g %%", 100 * figure);
  else
    report_quantity(&text, &plan->psl->model.types, figure, type->dimension);
  return text.data;
}

static void say_total(struct study_summary *summary, const struct study_item *item) {
  struct study_plan *plan = summary->plan;
  struct diagnostics *d = &plan->psl->diagnostics;
  diagnostic_add(d, SEVERITY_ERROR, item->condition->span, "the assertion does not hold");
  for (uint32_t i = 0; i < plan->study->aggregate_count; i++) {
    const struct study_aggregation *total = &summary->totals[i];
    if (total->aggregate->item == item) diagnostic_note(d, total->aggregate->call->span, "%s", total_text(plan, total));
  }
}

static int by_value(const void *left, const void *right) {
  const struct study_valued *a = left, *b = right;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->point.number < b->point.number ? -1 : a->point.number > b->point.number;
}
static int by_greatest(const void *left, const void *right) {
  const struct study_valued *a = left, *b = right;
  return a->value == b->value ? by_value(a, b) : by_value(b, a);
}

/* Leaves of the points those whose intervals overlap with that of the best. */
static void find_near(const struct study_objective *objective, struct study_best *best) {
  double reach = isnan(best->half) ? 0 : best->half;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < best->near_count; k++) {
    const struct study_valued *near = &best->near[k];
    bool itself = near->point.number == best->point.number;
    if (!itself && fabs(near->value - best->value) <= reach + near->half) best->near[kept++] = *near;
  }
  best->near_count = kept;
  if (kept) qsort(best->near, kept, sizeof *best->near, objective->maximize ? by_greatest : by_value);
}

/* Leaves of the points at which the condition may hold, or not, those that would be better than the best or overlap. */
static void find_barred(const struct study_objective *objective, struct study_best *best) {
  double reach = isnan(best->half) ? 0 : best->half;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < best->barred_count; k++) {
    const struct study_valued *barred = &best->barred[k];
    double by = objective->maximize ? best->value - barred->value : barred->value - best->value;
    if (isnan(best->value) || by <= reach + (isnan(barred->half) ? 0 : barred->half)) best->barred[kept++] = *barred;
  }
  best->barred_count = kept;
  if (kept) qsort(best->barred, kept, sizeof *best->barred, objective->maximize ? by_greatest : by_value);
}

void study_summary_find_near(struct study_summary *summary) {
  study_front_sort(&summary->front, summary->plan);
  for (uint32_t o = 0; o < summary->plan->objective_count; o++)
    for (uint32_t g = 0; g < summary->bests[o].count; g++) {
      find_near(&summary->plan->objectives[o], &summary->bests[o].items[g]);
      find_barred(&summary->plan->objectives[o], &summary->bests[o].items[g]);
    }
}

void study_summary_judge(struct study_summary *summary) {
  struct study_plan *plan = summary->plan;
  for (uint32_t i = 0; i < plan->study->aggregate_count; i++) {
    double figure = aggregate_value(&summary->totals[i]);
    const struct symbol *symbol = plan->study->aggregates[i].symbol;
    bool whole = symbol->type->kind == TYPE_INT;
    plan->locals[symbol->slot] = isnan(figure) ? (struct value){.kind = VALUE_NONE}
                                 : whole       ? value_integer((int64_t)figure)
                                               : value_real(figure);
  }
  for (uint32_t i = 0; i < plan->assert_count; i++) {
    struct value value;
    if (!is_total(plan, plan->asserts[i])) continue;
    bool fine = study_evaluate(plan, plan->asserts[i]->condition, &value);
    summary->verdicts[i].failures = !(fine && value.kind == VALUE_BOOL && value.boolean);
    summary->verdicts[i].points = summary->points - summary->failed;
  }
}

enum study_holds study_summary_holds(const struct study_summary *summary, uint32_t assertion) {
  const struct study_verdict *verdict = &summary->verdicts[assertion];
  if (verdict->failures) return STUDY_FAILS;
  return verdict->points && verdict->points == summary->points ? STUDY_HOLDS : STUDY_NOT_KNOWN;
}

static const char *tried_text(const struct study_summary *summary, const struct study_verdict *verdict) {
  return arena_printf(&summary->plan->psl->work, "tried at %llu of %llu points", (unsigned long long)verdict->points,
                      (unsigned long long)summary->points);
}

const char *study_summary_json(struct study_summary *summary) {
  static const char *const holds[] = {[STUDY_HOLDS] = "true", [STUDY_FAILS] = "false", [STUDY_NOT_KNOWN] = "null"};
  struct study_plan *plan = summary->plan;
  struct text out = {.arena = &plan->psl->work};
  text_char(&out, '[');
  for (uint32_t i = 0; i < plan->assert_count; i++) {
    const struct study_verdict *verdict = &summary->verdicts[i];
    struct text assertion = {.arena = &plan->psl->work}, text = {.arena = &plan->psl->work};
    expr_format(&assertion, plan->asserts[i]->condition);
    text_put(&text, "");
    if (study_summary_holds(summary, i) == STUDY_NOT_KNOWN) text_put(&text, tried_text(summary, verdict));
    if (!is_total(plan, plan->asserts[i])) text_put(&text, verdict->failures ? points_text(plan, verdict) : "");
    for (uint32_t k = 0; k < plan->study->aggregate_count; k++)
      if (summary->totals[k].aggregate->item == plan->asserts[i])
        text_printf(&text, "%s%s", text.size ? ", " : "", total_text(plan, &summary->totals[k]));
    text_put(&out, i ? ", {\"assertion\": " : "{\"assertion\": ");
    text_json(&out, assertion.data);
    text_printf(&out, ", \"holds\": %s, \"text\": ", holds[study_summary_holds(summary, i)]);
    text_json(&out, text.data);
    text_char(&out, '}');
  }
  text_char(&out, ']');
  return out.data;
}

const char *study_summary_uncertain(struct study_summary *summary) {
  struct text out = {.arena = &summary->plan->psl->work};
  text_char(&out, '[');
  for (uint32_t o = 0; o < summary->plan->objective_count; o++) {
    const char *between = "";
    text_put(&out, o ? ", [" : "[");
    for (uint32_t g = 0; g < summary->bests[o].count; g++) {
      const struct study_best *best = &summary->bests[o].items[g];
      for (uint32_t k = 0; k < best->barred_count + best->close; k++, between = ", ") {
        const struct study_point *point = k < best->close ? &best->point : &best->barred[k - best->close].point;
        text_printf(&out, "%s%lld", between, (long long)point->number);
      }
    }
    text_char(&out, ']');
  }
  text_char(&out, ']');
  return out.data;
}

static bool is_fit(const struct study_bests *bests) {
  for (uint32_t g = 0; g < bests->count; g++)
    if (!isnan(bests->items[g].value)) return true;
  return false;
}

/* Is there no best point: is at no point known what is best, or whether the point is fit, or is none fit? */
static bool refuse_objective(struct study_summary *summary, uint32_t o) {
  struct study_plan *plan = summary->plan;
  const struct study_objective *objective = &plan->objectives[o];
  const struct study_column *column = &plan->columns[objective->column];
  const struct study_bests *bests = &summary->bests[o];
  if (is_fit(bests) || (summary->points && summary->failed == summary->points)) return false;
  struct text why = {.arena = &plan->psl->work};
  if (!summary->points)
    text_put(&why, "there is no point");
  else if (!column->condition || bests->unknown + summary->failed == summary->points)
    text_put(&why, "what it is of is not known at any point");
  else
    text_printf(&why, "its condition holds at none of the %llu points",
                (unsigned long long)(summary->points - summary->failed - bests->unknown));
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_ERROR,
                 column->condition ? column->condition->span : column->value->span, "there is no %s of '%s': %s",
                 objective->maximize ? "maximum" : "minimum", objective->name, why.data);
  return true;
}

bool study_summary_known(struct study_summary *summary) {
  bool known = true;
  for (uint32_t o = 0; o < summary->plan->objective_count; o++)
    known &= !refuse_objective(summary, o);
  return known;
}

/* At some points, or at all, what an assertion compares may not be known; those that have failed have said so. Is it
 * at all? Where there is no point, it is a condition that was mistaken. */
static bool refuse_untested(struct study_summary *summary, uint32_t i) {
  struct diagnostics *d = &summary->plan->psl->diagnostics;
  struct span span = summary->plan->asserts[i]->condition->span;
  unsigned long long tested = summary->verdicts[i].points, all = summary->points - summary->failed;
  if (tested && tested == all) return false;
  if (!summary->points)
    diagnostic_add(d, SEVERITY_ERROR, span, "the assertion is not tested: there is no point");
  else if (tested)
    diagnostic_add(d, SEVERITY_NOTE, span,
                   "the assertion is tested at %llu of %llu points: at the others what it compares is not known",
                   tested, all);
  else
    diagnostic_add(d, SEVERITY_ERROR, span, "the assertion is not tested: what it compares is not known at any point");
  return !tested;
}

bool study_summary_close(struct study_summary *summary) {
  struct study_plan *plan = summary->plan;
  bool holds = true;
  for (uint32_t i = 0; i < plan->assert_count; i++) {
    const struct study_item *item = plan->asserts[i];
    holds &= !refuse_untested(summary, i);
    if (!summary->verdicts[i].failures) continue;
    holds = false;
    if (is_total(plan, item))
      say_total(summary, item);
    else
      diagnostic_add(&plan->psl->diagnostics, SEVERITY_ERROR, item->condition->span, "the assertion does not hold %s",
                     points_text(plan, &summary->verdicts[i]));
    if (!is_total(plan, item) && summary->verdicts[i].compared)
      diagnostic_note(&plan->psl->diagnostics, (struct span){0}, "%s there", summary->verdicts[i].compared);
  }
  diagnostic_flush(&plan->psl->diagnostics);
  return holds;
}

/* ---- assertions on a spread that something else has found ---- */

static const struct expr *column_value(const struct model_study *study, const struct symbol *symbol) {
  for (uint32_t k = 0; k < study->column_count; k++)
    if (study->columns[k].symbol == symbol) return study->columns[k].field->value;
  return NULL;
}

/* Is it the makespan, or a column that is? */
static bool is_makespan(const struct model *model, const struct model_study *study, const struct expr *expr) {
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  if (!symbol) return false;
  for (uint32_t u = 0; u < study->use_count; u++)
    if (study->uses[u].symbol == symbol)
      return study->uses[u].result < model->result_count &&
             model->results[study->uses[u].result].kind == RESULT_MAKESPAN;
  const struct expr *value = column_value(study, symbol);
  return value && is_makespan(model, study, value);
}

/* Gives the assertion's aggregates their value; false: it is of something else, too, as spread(x, p) is where
 * another param was varied. */
static bool set_spreads(const struct model *model, const struct model_study *study, const struct study_item *item,
                        const struct symbol *param, struct value *locals, double spread) {
  bool any = false;
  for (uint32_t i = 0; i < study->aggregate_count; i++) {
    const struct study_aggregate *aggregate = &study->aggregates[i];
    if (aggregate->item != item) continue;
    if (aggregate->kind != AGGREGATE_SPREAD || !is_makespan(model, study, aggregate->value)) return false;
    if (aggregate->over && aggregate->over != param) return false;
    locals[aggregate->symbol->slot] = value_real(spread);
    any = true;
  }
  return any;
}

bool study_spread_holds(struct psl *psl, const struct model_study *study, const struct symbol *param, double spread,
                        const char *untested) {
  bool holds = true;
  struct environment environment = {
      .model = &psl->model,
      .scratch = &psl->work,
      .locals = ARENA_ARRAY(&psl->work, struct value, psl->model.slot_max + 1),
  };
  for (const struct study_item *item = study->decl->study.items; item; item = item->next) {
    struct value value;
    if (item->kind != STUDY_ASSERT || !set_spreads(&psl->model, study, item, param, environment.locals, spread))
      continue;
    bool fine = spread >= 0 && evaluate(&environment, item->condition, &value) && value.boolean;
    if (fine && !untested) continue;
    holds = false;
    if (spread < 0 || fine)
      diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, item->span, "the assertion is not tested: %s", untested);
    else
      diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, item->span,
                     "the assertion does not hold: the predictions spread by %.3g %%", 100 * spread);
  }
  return holds;
}
