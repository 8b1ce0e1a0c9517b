/* Cases of files: tables of CSV, and JSON, a list of objects, an object that has one as `cases` or `points`, or a
 * line an object. Columns are found by the names of params and of the study's columns; each case is a point of the
 * study. */
#include "interp/fit/measurements.h"
#include "interp/recommend/recommend.h"
#include "interp/report/json_read.h"

#include <string.h>

struct cell {
  const char *text; /* NULL: there is none */
  double number;    /* in base units; NaN: it is none */
  struct span span;
};
struct table;
typedef bool find_cell(struct table *table, const char *name, struct cell *cell); /* false: no such column */

struct table {
  struct recommender *r;
  const char *path;
  find_cell *find;
  struct measurements data; /* CSV: */
  double *factors;          /* by column */
  uint32_t row;             /* of this row, from 0 */
  const char *object;       /* JSON: of this one */
  struct axis_values {      /* by axis: of a list */
    double *numbers;
    const char **words;
  } * values;
};

static const struct span nowhere = {0, 0};

/* ---- cells ---- */

static bool csv_cell(struct table *table, const char *name, struct cell *cell) {
  const struct measurements *data = &table->data;
  for (uint32_t c = 0; c < data->column_count; c++) {
    if (strcmp(data->columns[c].name, name) != 0) continue;
    size_t at = (size_t)table->row * data->column_count + c;
    *cell = (struct cell){measurement_text(&table->r->psl->work, data, data->places[at]),
                          data->values[at] * table->factors[c], data->places[at]};
    if (!*cell->text) cell->text = NULL;
    return true;
  }
  return false;
}

static bool json_cell(struct table *table, const char *name, struct cell *cell) {
  const char *value = json_read_member(table->object, name), *inner = json_read_member(value, "value");
  if (!value) return false;
  if (inner) value = inner; /* of a quantity with its unit */
  *cell = (struct cell){json_read_string(&table->r->psl->work, value), json_read_number(value), nowhere};
  if (!cell->text && isnan(cell->number))
    cell->text = !strncmp(value, "true", 4) ? "true" : !strncmp(value, "false", 5) ? "false" : NULL;
  return true;
}

/* ---- places on axes ---- */

static bool refuse(struct table *table, struct span span, const char *message, const char *name) {
  struct diagnostics *d = &table->r->psl->diagnostics;
  diagnostic_add(d, SEVERITY_ERROR, span, "%s%s '%s'",
                 span.end ? "" : arena_printf(&table->r->psl->work, "%s, case %u: ", table->path, table->row + 1),
                 message, name);
  return false;
}

static void make_values(struct table *table, uint32_t a) {
  struct recommender *r = table->r;
  const struct study_axis *axis = &r->plan->axes[a];
  struct arena *arena = &r->psl->handed;
  double *at = ARENA_ARRAY(arena, double, r->plan->free_count + 1);
  struct study_point point = {.at = at};
  table->values[a].numbers = ARENA_ARRAY(arena, double, axis->count);
  table->values[a].words = ARENA_ARRAY(arena, const char *, axis->count);
  study_point_at(r->plan, 0, &point);
  for (uint64_t k = 0; k < axis->count; k++) {
    struct value value;
    struct handle_catch caught;
    struct text word = {.arena = arena};
    at[axis->place] = (double)k;
    handle_catch(&caught, r->psl);
    study_set(r->plan, &point);
    study_setting(r->plan, axis->param, axis->type, &value);
    handle_release(&caught);
    study_put_bare(&word, r->plan, axis->type, value);
    table->values[a].numbers[k] = study_number(&value);
    table->values[a].words[k] = word.data ? word.data : "";
    arena_reset(&r->psl->work);
  }
}

static bool is_same(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

static bool place_on_list(struct table *table, uint32_t a, const struct cell *cell, double *at) {
  const struct study_axis *axis = &table->r->plan->axes[a];
  for (uint64_t k = 0; k < axis->count; k++) {
    double number = table->values[a].numbers[k];
    bool same = isnan(number) ? cell->text && !strcmp(cell->text, table->values[a].words[k])
                              : !isnan(cell->number) && is_same(cell->number, number);
    if (!same) continue;
    *at = (double)k;
    return true;
  }
  return refuse(table, cell->span, "this is none of the values that the study has for", axis->name);
}

static bool place_on_range(struct table *table, const struct study_axis *axis, const struct cell *cell, double *at) {
  *at = cell->number;
  if (!isfinite(cell->number) || (axis->type->kind == TYPE_INT && cell->number != floor(cell->number)))
    return refuse(table, cell->span, axis->type->kind == TYPE_INT ? "no whole number for" : "no number for",
                  axis->name);
  return true;
}

/* ---- rows ---- */

static bool take_params(struct table *table, double *at) {
  const struct study_plan *plan = table->r->plan;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    struct cell cell;
    if (axis->tied) continue;
    at[axis->place] = study_axis_at(axis, 0);
    if (axis->count == 1 && !axis->set) continue;
    if (axis->set) continue; /* the user says what it is */
    if (!table->find(table, axis->name, &cell)) {
      diagnostic_add(&table->r->psl->diagnostics, SEVERITY_ERROR, nowhere,
                     "%s has no column '%s', a param of the study", table->path, axis->name);
      return false;
    }
    bool fine = axis->items ? place_on_list(table, a, &cell, &at[axis->place])
                            : place_on_range(table, axis, &cell, &at[axis->place]);
    if (!fine) return false;
  }
  return true;
}

/* Is the column the time that runs take, and no more? What is recorded or computed may be below 0. */
static bool is_time(const struct study_plan *plan, const struct study_column *column) {
  const struct expr *value = column->value;
  const struct symbol *symbol = value->kind == EXPR_NAME     ? value->name.symbol
                                : value->kind == EXPR_MEMBER ? value->member.symbol
                                                             : NULL;
  for (uint32_t u = 0; symbol && u < plan->study->use_count; u++) {
    const struct study_use *use = &plan->study->uses[u];
    const struct model_result *result = study_result(plan, use->result);
    if (use->symbol != symbol) continue;
    return !use->end && !result->end && (result->kind == RESULT_MAKESPAN || result->kind == RESULT_SIMULATED);
  }
  return false;
}

/* A cell of figures is a number, or nothing. */
static bool is_figure(struct table *table, const struct study_column *column, const struct cell *cell) {
  if (isinf(cell->number) || (cell->text && isnan(cell->number)))
    return refuse(table, cell->span, "no number for", column->name);
  if (cell->number < 0 && is_time(table->r->plan, column))
    return refuse(table, cell->span, "a time below 0 for", column->name);
  return true;
}

static bool take_figures(struct table *table, struct recommend_case *item) {
  struct recommender *r = table->r;
  struct cell cell;
  for (uint32_t f = 0; f < r->figure_count; f++) {
    const struct study_column *column = &r->plan->columns[r->figures[f].column];
    const char *name = column->name;
    bool found = table->find(table, name, &cell);
    if (!found && f == r->goal) {
      diagnostic_add(&r->psl->diagnostics, SEVERITY_ERROR, nowhere, "%s has no column '%s', which the study %s",
                     table->path, name, r->maximize ? "maximizes" : "minimizes");
      return false;
    }
    if (found && !is_figure(table, column, &cell)) return false;
    item->y[f] = found ? cell.number : (double)NAN;
  }
  bool told = table->find(table, "fits", &cell) && cell.text;
  item->fits = told ? !strcmp(cell.text, "true") : !isnan(item->y[r->goal]);
  return true;
}

static bool take_row(struct table *table) {
  struct recommender *r = table->r;
  struct arena *arena = &r->psl->handed;
  struct recommend_case item = {.x = ARENA_ARRAY(arena, double, r->feature_count + 1),
                                .y = ARENA_ARRAY(arena, double, r->figure_count),
                                .at = ARENA_ARRAY(arena, double, r->plan->free_count + 1)};
  struct study_point point = {.at = item.at, .number = STUDY_NO_NUMBER};
  struct handle_catch caught;
  bool undecided;
  if (!take_params(table, item.at) || !take_figures(table, &item)) return false;
  handle_catch(&caught, r->psl);
  study_set(r->plan, &point);
  bool wanted = study_wanted(r->plan, &undecided) && !undecided;
  handle_release(&caught);
  cases_features(r, item.x);
  for (uint32_t f = 0; f < r->feature_count; f++)
    if (isnan(item.x[f])) wanted = false;
  if (wanted && isnan(item.y[r->goal]))
    cases_leave(r, "no value of what is optimised");
  else if (wanted)
    cases_add(r, &item);
  arena_reset(&r->psl->work);
  return true;
}

/* ---- files ---- */

/* Of the param or figure that a column is found for; NULL: it is left. */
static const struct type *wanted_type(const struct recommender *r, const char *name) {
  for (uint32_t a = 0; a < r->plan->axis_count; a++)
    if (!strcmp(r->plan->axes[a].name, name)) return r->plan->axes[a].type;
  for (uint32_t f = 0; f < r->figure_count; f++)
    if (!strcmp(r->plan->columns[r->figures[f].column].name, name)) return r->plan->columns[r->figures[f].column].type;
  return NULL;
}

/* From the unit behind a column's name to base units. */
static bool column_factor(struct table *table, const struct measurement_column *column, double *factor) {
  struct psl *psl = table->r->psl;
  const struct type *type = wanted_type(table->r, column->name);
  struct dimension dimension;
  struct text text = {.arena = &psl->work};
  *factor = 1;
  if (!column->unit) return true;
  if (!model_unit(&psl->model, column->unit, column->unit_span, factor, &dimension)) return false;
  if (!type || dimension_equal(dimension, type_dimension(type))) return true;
  type_print(&text, &psl->model.types, type);
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, column->unit_span, "the column is in %s, and '%s' is %s",
                 column->unit, column->name, text.data);
  return false;
}

static bool read_csv(struct table *table, const char *text, size_t size) {
  struct psl *psl = table->r->psl;
  struct source *source = source_add(&psl->sources, table->path, text, size);
  if (!source || !measurements_read(&psl->handed, &psl->diagnostics, source, &table->data)) return false;
  table->find = csv_cell;
  table->factors = ARENA_ARRAY(&psl->handed, double, table->data.column_count + 1);
  for (uint32_t c = 0; c < table->data.column_count; c++)
    if (!column_factor(table, &table->data.columns[c], &table->factors[c])) return false;
  for (table->row = 0; table->row < table->data.row_count; table->row++)
    if (!take_row(table)) return false;
  return true;
}

/* The first object, and those behind it: of a list, or on lines. */
static const char *first_object(const char *text, bool *lines) {
  const char *begin = text + strspn(text, " \t\r\n");
  const char *list = json_read_member(begin, "cases");
  if (!list) list = json_read_member(begin, "points");
  *lines = *begin == '{' && !list;
  return *lines ? begin : json_read_first(list ? list : begin);
}

static bool read_json(struct table *table, const char *text) {
  bool lines;
  table->find = json_cell;
  for (table->object = first_object(text, &lines); table->object && *table->object; table->row++) {
    if (!take_row(table)) return false;
    if (!lines) {
      table->object = json_read_next(table->object);
      continue;
    }
    table->object += strcspn(table->object, "\n");
    table->object += strspn(table->object, " \t\r\n");
  }
  if (table->row) return true;
  diagnostic_add(&table->r->psl->diagnostics, SEVERITY_ERROR, nowhere, "%s has no cases: a list of objects of JSON",
                 table->path);
  return false;
}

bool cases_of_file(struct recommender *r, const char *path) {
  size_t size;
  struct table table = {.r = r, .path = path};
  const char *text = handle_read(r->psl, &r->psl->handed, path, &size);
  if (!text) return false;
  table.values = ARENA_ARRAY(&r->psl->handed, struct axis_values, r->plan->axis_count + 1);
  text = arena_copy(&r->psl->handed, text, size);
  for (uint32_t a = 0; a < r->plan->axis_count; a++)
    if (r->plan->axes[a].items && !r->plan->axes[a].tied) make_values(&table, a);
  char first = text[strspn(text, " \t\r\n")];
  bool fine = first == '{' || first == '[' ? read_json(&table, text) : read_csv(&table, text, size);
  diagnostic_flush(&r->psl->diagnostics);
  return fine;
}
