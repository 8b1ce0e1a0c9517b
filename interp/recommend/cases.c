/* The table of cases: what its columns are, and rows of runs that are made here or that the database has. */
#include "interp/recommend/recommend.h"
#include "interp/resolve/effects.h"
#include "interp/study/store.h"

#include <stdlib.h>
#include <string.h>

/* ---- features ---- */

static bool is_named(const struct type *type) { return type->kind != TYPE_INT && type->kind != TYPE_REAL; }

static const char *bare(const struct recommender *r, struct arena *arena, const struct type *type, struct value value) {
  struct text text = {.arena = arena};
  study_put_bare(&text, r->plan, type, value);
  return text.data ? text.data : "";
}

/* The number of a word, which is new if there is room for it. */
static double word_of(const struct recommender *r, struct recommend_feature *feature, struct value value) {
  const char *word = bare(r, &r->psl->work, feature->type, value);
  for (uint32_t w = 0; w < feature->word_count; w++)
    if (!strcmp(feature->words[w], word)) return w;
  if (feature->word_count == TREE_WORDS) return NAN;
  feature->words[feature->word_count] = arena_copy(&r->psl->handed, word, strlen(word));
  return feature->word_count++;
}

static double number_of(const struct recommender *r, struct recommend_feature *feature, struct value value) {
  if (value.kind == VALUE_NONE) return NAN;
  return feature->named ? word_of(r, feature, value) : study_number(&value);
}

static bool too_many_words(struct recommender *r, const struct study_axis *axis) {
  if (!is_named(axis->type) || axis->count <= TREE_WORDS) return false;
  diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, axis->span,
                 "'%s' has %llu values that are no numbers, and at most %d can be told apart", axis->name,
                 (unsigned long long)axis->count, TREE_WORDS);
  return true;
}

static void add_feature(struct recommender *r, struct recommend_feature feature) {
  feature.named = is_named(feature.type);
  if (feature.named) feature.words = ARENA_ARRAY(&r->psl->handed, const char *, TREE_WORDS);
  r->named[r->feature_count] = feature.named;
  r->features[r->feature_count++] = feature;
}

/* Does a column name a result, or another that does? */
static bool names_result(struct recommender *r, uint32_t column) {
  const struct study_plan *plan = r->plan;
  const struct model_study *study = plan->study;
  struct symbol **results =
      ARENA_ARRAY(&r->psl->work, struct symbol *, study->use_count + study->end_count + r->figure_count + 1);
  uint32_t count = 0;
  for (uint32_t u = 0; u < study->use_count; u++)
    results[count++] = study->uses[u].symbol;
  for (uint32_t e = 0; e < study->end_count; e++)
    results[count++] = study->ends[e].symbol;
  for (uint32_t f = 0; f < r->figure_count; f++)
    results[count++] = study->columns[r->figures[f].column].symbol;
  return count && effects_reads(&r->psl->work, plan->columns[column].value, results, count);
}

bool cases_open(struct recommender *r) {
  struct study_plan *plan = r->plan;
  struct arena *arena = &r->psl->handed;
  uint32_t most = plan->axis_count + plan->column_count;
  r->features = ARENA_ARRAY(arena, struct recommend_feature, most);
  r->named = ARENA_ARRAY(arena, bool, most);
  r->figures = ARENA_ARRAY(arena, struct recommend_figure, plan->column_count);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    if (too_many_words(r, axis)) return false;
    if (!axis->fixed && (axis->tied || axis->count > 1))
      add_feature(r, (struct recommend_feature){axis->name, axis->role, a, (uint32_t)STUDY_NONE, axis->type});
  }
  for (uint32_t c = 0; c < plan->study->column_count; c++) {
    const struct study_column *column = &plan->columns[c];
    if (!type_is_number(column->type)) continue;
    if (names_result(r, c) || c == plan->objectives->column)
      r->figures[r->figure_count++].column = c;
    else
      add_feature(r, (struct recommend_feature){column->name, ROLE_VARIED, (uint32_t)STUDY_NONE, c, column->type});
  }
  for (uint32_t f = 0; f < r->figure_count; f++)
    if (r->figures[f].column == plan->objectives->column) r->goal = f;
  r->maximize = plan->objectives->maximize;
  r->conditional = plan->columns[plan->objectives->column].condition != NULL;
  r->problems.arena = r->met.arena = r->tried.arena = arena;
  return true;
}

void cases_features(struct recommender *r, double *x) {
  struct study_plan *plan = r->plan;
  struct study_row none = {.status = STUDY_WRONG};
  struct handle_catch caught;
  handle_catch(&caught, r->psl);
  study_open_row(plan, &none);
  for (uint32_t f = 0; f < r->feature_count; f++) {
    struct recommend_feature *feature = &r->features[f];
    const struct study_axis *axis = feature->axis == (uint32_t)STUDY_NONE ? NULL : &plan->axes[feature->axis];
    struct value value = {.kind = VALUE_NONE};
    if (axis)
      study_setting(plan, axis->param, axis->type, &value);
    else
      study_column_open(plan, &plan->columns[feature->column], &value);
    x[f] = number_of(r, feature, value);
  }
  handle_release(&caught);
}

/* ---- rows ---- */

/* All that stands still while a choice is made. */
static uint32_t problem_of(struct recommender *r, const double *x) {
  double *key = ARENA_ARRAY(&r->psl->work, double, r->feature_count + 1);
  size_t count = 0;
  for (uint32_t f = 0; f < r->feature_count; f++)
    if (r->features[f].axis != (uint32_t)STUDY_NONE && r->features[f].role != ROLE_CHOICE) key[count++] = x[f];
  return groups_find(&r->problems, key, count * sizeof *key);
}

void cases_add(struct recommender *r, struct recommend_case *item) {
  uint32_t before = r->met.count;
  item->problem = problem_of(r, item->x);
  bool met = groups_find(&r->met, item->x, r->feature_count * sizeof *item->x) < before;
  if (met && item->ran && !r->queried) return;
  ARENA_PUSH(&r->psl->handed, r->cases.items, r->cases.count, r->cases.capacity, *item);
}

void cases_leave(struct recommender *r, const char *error) {
  r->cases.failed++;
  if (!r->first_error) r->first_error = arena_copy(&r->psl->handed, error, strlen(error));
}

/* Of the line that has just become whole. */
static void add_case(struct recommender *r, const struct study_point *point) {
  struct arena *arena = &r->psl->handed;
  const struct study_line *line = &r->lines->line;
  struct recommend_case item = {.x = ARENA_ARRAY(arena, double, r->feature_count + 1),
                                .y = ARENA_ARRAY(arena, double, r->figure_count),
                                .at = ARENA_ARRAY(arena, double, r->plan->free_count + 1),
                                .ran = true,
                                .fits = true};
  groups_find(&r->tried, point->at, r->plan->free_count * sizeof *point->at);
  if (line->failures) {
    cases_leave(r, line->error);
    return;
  }
  for (uint32_t f = 0; f < r->figure_count; f++) {
    uint32_t column = r->figures[f].column;
    const struct study_cell *cell = &line->cells[column];
    bool without = r->plan->columns[column].condition != NULL;
    item.y[f] = without ? cell->without : study_number(&cell->value);
    if (f == r->goal) item.fits = cell->value.kind != VALUE_NONE;
  }
  if (isnan(item.y[r->goal])) {
    cases_leave(r, arena_printf(&r->psl->work, "no value of %s", r->plan->columns[r->figures[r->goal].column].name));
    return;
  }
  memcpy(item.at, point->at, r->plan->free_count * sizeof *item.at);
  cases_features(r, item.x);
  for (uint32_t f = 0; f < r->feature_count; f++)
    if (isnan(item.x[f])) {
      cases_leave(r, arena_printf(&r->psl->work, "no value of %s", r->features[f].name));
      return;
    }
  cases_add(r, &item);
}

static void say_progress(struct recommender *r) {
  struct psl_progress progress = {
      .done = r->runs, .failed = r->cases.failed, .known = r->known, .count = r->asked > r->runs ? r->asked : r->runs};
  if (r->options->progress) r->options->progress(r->options->progress_user, &progress);
}

bool cases_take(void *user, const struct study_point *point, const struct study_row *row) {
  struct recommender *r = user;
  bool whole = study_lines_add(r->lines, point, row);
  study_absent_row(r->plan, row);
  if (r->plan->store && point->number != STUDY_NO_NUMBER) study_lines_keep(r->lines, point, row);
  r->runs++;
  r->known += row->known;
  if (whole) add_case(r, point);
  say_progress(r);
  return true;
}

enum psl_code cases_run(struct recommender *r, const struct study_point *points, size_t count) {
  struct study_plan *plan = r->plan;
  size_t runs = 0;
  struct study_point *all = ARENA_ARRAY(&r->psl->handed, struct study_point, count * plan->repetitions + 1);
  for (size_t p = 0; p < count; p++)
    for (uint64_t n = 0; n < plan->repetitions; n++) {
      all[runs] = points[p];
      all[runs++].repetition = n;
    }
  if (!r->lines || r->lines->plan != plan) r->lines = study_lines_open(plan);
  return runs ? study_run_points(plan, all, runs, cases_take, r) : PSL_OK;
}

/* ---- their order ---- */

static int by_numbers(const double *a, const double *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (isnan(a[i]) != isnan(b[i])) return isnan(a[i]) ? 1 : -1;
    if (a[i] < b[i] || a[i] > b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

static int by_params(const void *left, const void *right, void *user) {
  const struct recommend_case *a = left, *b = right;
  const struct recommender *r = user;
  int order = by_numbers(a->at, b->at, r->plan->free_count);
  if (!order) order = by_numbers(&a->y[r->goal], &b->y[r->goal], 1);
  if (!order) order = by_numbers(a->y, b->y, r->figure_count);
  return order ? order : b->fits - a->fits;
}

/* Words have the numbers in which they come; those that no case has are forgotten. */
static void number_words(struct recommender *r, uint32_t f) {
  struct recommend_feature *feature = &r->features[f];
  const char **words = ARENA_ARRAY(&r->psl->handed, const char *, TREE_WORDS);
  uint32_t number[TREE_WORDS] = {0}, count = 0; /* plus 1 */
  for (uint32_t c = 0; c < r->cases.count; c++) {
    double *x = &r->cases.items[c].x[f];
    uint32_t word = (uint32_t)*x;
    if (!number[word]) {
      words[count] = feature->words[word];
      number[word] = ++count;
    }
    *x = number[word] - 1;
  }
  feature->words = words;
  feature->word_count = count;
}

/* Of those that have the same features one stays. */
static void leave_same(struct recommender *r) {
  struct arena *arena = &r->psl->handed;
  struct same {
    uint32_t count, seen;
    bool ran, kept;
  } *same = ARENA_ARRAY(arena, struct same, r->cases.count + 1);
  uint32_t *group = ARENA_ARRAY(arena, uint32_t, r->cases.count + 1), kept = 0;
  r->met = (struct groups){.arena = arena};
  for (uint32_t c = 0; c < r->cases.count; c++) {
    const struct recommend_case *item = &r->cases.items[c];
    group[c] = groups_find(&r->met, item->x, r->feature_count * sizeof *item->x);
    same[group[c]].count++;
    same[group[c]].ran |= item->ran;
  }
  for (uint32_t c = 0; c < r->cases.count; c++) {
    struct same *s = &same[group[c]];
    bool middle = s->seen++ == (s->count - 1) / 2;
    if (s->kept || !(s->ran ? r->cases.items[c].ran : middle)) continue;
    s->kept = true;
    r->cases.items[kept++] = r->cases.items[c];
  }
  r->cases.count = kept;
}

void cases_settle(struct recommender *r) {
  if (!r->cases.count) return;
  qsort_r(r->cases.items, r->cases.count, sizeof *r->cases.items, by_params, r);
  for (uint32_t f = 0; f < r->feature_count; f++)
    if (r->features[f].named) number_words(r, f);
  leave_same(r);
  r->problems = (struct groups){.arena = &r->psl->handed};
  for (uint32_t c = 0; c < r->cases.count; c++)
    r->cases.items[c].problem = problem_of(r, r->cases.items[c].x);
}

/* ---- of the database ---- */

struct numbers {
  struct arena *arena;
  uint64_t *items, most;
  uint32_t count, capacity;
};

static bool take_number(void *user, uint64_t number) {
  struct numbers *numbers = user;
  ARENA_PUSH(numbers->arena, numbers->items, numbers->count, numbers->capacity, number);
  return true;
}

/* Of more than are wanted each n-th. */
enum psl_code cases_of_database(struct recommender *r, uint64_t most) {
  struct study_plan *plan = r->plan;
  struct arena *arena = &r->psl->handed;
  struct numbers numbers = {.arena = arena};
  uint32_t count = 0;
  if (!store_points(plan, take_number, &numbers)) return PSL_WRONG;
  uint64_t step = numbers.count / (most ? most : 1) + 1;
  struct study_point *points = ARENA_ARRAY(arena, struct study_point, numbers.count + 1);
  for (uint64_t n = 0; n < numbers.count; n += step) {
    struct study_point point = {.at = ARENA_ARRAY(arena, double, plan->free_count + 1)};
    struct handle_catch caught;
    bool undecided;
    if (numbers.items[n] >= plan->size) continue;
    study_point_at(plan, numbers.items[n], &point);
    handle_catch(&caught, r->psl);
    study_set(plan, &point);
    bool wanted = study_wanted(plan, &undecided) && !undecided && store_has(plan, &point);
    handle_release(&caught);
    if (wanted) points[count++] = point;
    arena_reset(&r->psl->work);
  }
  return cases_run(r, points, count);
}

/* ---- what is good ---- */

double cases_cost(const struct recommender *r, const struct recommend_case *item) {
  if (!item->fits) return INFINITY;
  return r->maximize ? -item->y[r->goal] : item->y[r->goal];
}

bool *cases_good(const struct recommender *r) {
  struct arena *arena = &r->psl->handed;
  double *best = ARENA_ARRAY(arena, double, r->problems.count + 1);
  bool *good = ARENA_ARRAY(arena, bool, r->cases.count + 1);
  double tolerance = r->options->tolerance;
  for (uint32_t p = 0; p < r->problems.count; p++)
    best[p] = INFINITY;
  for (uint32_t c = 0; c < r->cases.count; c++) {
    const struct recommend_case *item = &r->cases.items[c];
    best[item->problem] = fmin(best[item->problem], cases_cost(r, item));
  }
  for (uint32_t c = 0; c < r->cases.count; c++) {
    const struct recommend_case *item = &r->cases.items[c];
    double least = best[item->problem];
    good[c] = isfinite(least) && cases_cost(r, item) <= least + fabs(least) * tolerance;
  }
  return good;
}

const char *recommend_value(const struct recommender *r, const struct recommend_feature *feature, double x) {
  struct text text = {.arena = &r->psl->handed};
  const struct model *model = &r->psl->model;
  if (isnan(x)) return "-";
  if (feature->named) return x < feature->word_count ? feature->words[(size_t)x] : "-";
  bool whole = feature->type->kind == TYPE_INT && x == floor(x);
  const struct type *type = whole || feature->type->kind == TYPE_REAL ? feature->type : model->types.real;
  value_print(&text, &model->types, model->names, type, whole ? value_integer((int64_t)x) : value_real(x), 4);
  return text.data;
}
