/* `fit`: a function whose value is a formula fitted to measurements.  What the declaration says is checked, its
 * columns and rows are read, the terms computed at each point, the coefficients found, and the formula is then parsed
 * like any other: nothing behind the check knows that it was fitted, but for the range it holds in. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "interp/fit/fit.h"
#include "interp/values/evaluate.h"

#include <math.h>
#include <string.h>

enum {
  SEARCH_POINTS = 5, /* fewer tell no growth from another */
  TERMS_MOST = 100,
  FOLDS_MOST = 100
};

struct fitting {
  struct checker *c;
  struct context *x;
  struct model_function *function;
  struct fit *fit;
  struct model_fit *out;
  struct dimension result; /* of what is measured */
  struct span name;
  /* settings */
  const struct expr *column, *region, *metric, *unit, *folds, *most_terms;
  uint32_t term_limit;
  /* rows */
  double *rows, *measured; /* by row and parameter; by row */
  struct span *spans, *cells; /* by row; by row and parameter */
  uint32_t row_count, row_capacity, cell_count, cell_capacity, measured_count, measured_capacity, span_capacity,
      span_count;
  struct measurements *data; /* NULL: none */
  struct value *locals;
  uint32_t local_count;
  const char **units; /* by parameter: of its column, as written; NULL: base units */
  double *factors;    /* of those */
};

static const struct span nowhere = {0, 0};

static bool refuse(struct fitting *f, struct span span, const char *text) {
  check_error(f->c, span, "%s", text);
  return false;
}

/* ---- the declaration ---- */

static bool check_signature(struct fitting *f) {
  const struct model_function *function = f->function;
  const struct type *result = function->symbol->type;
  if (!function->param_count) return refuse(f, f->name, "a fit has a parameter at least");
  for (uint32_t i = 0; i < function->param_count; i++) {
    const struct symbol *param = function->params[i];
    if (param->type->kind == TYPE_ERROR) return false;
    if (param->type->kind == TYPE_INT || param->type->kind == TYPE_REAL) continue;
    check_error(f->c, param->span, "a parameter of a fit is a number, and '%s' is %s", param->name->text,
                type_text(f->c, param->type));
    return false;
  }
  if (result->kind == TYPE_ERROR) return false;
  if (result->kind == TYPE_REAL) {
    f->result = result->dimension;
    return true;
  }
  check_error(f->c, f->name, "a fit gives a real number, and '%s' is declared to give %s",
              function->symbol->name->text, type_text(f->c, result));
  return false;
}

static bool whole_setting(struct fitting *f, const struct expr *value, int64_t least, int64_t most, uint32_t *out) {
  if (value->kind == EXPR_INTEGER && value->integer >= least && value->integer <= most) {
    *out = (uint32_t)value->integer;
    return true;
  }
  check_error(f->c, value->span, "a whole number from %lld to %lld is wanted here", (long long)least, (long long)most);
  return false;
}

static bool string_setting(struct fitting *f, const struct expr *value, const struct expr **out) {
  *out = value;
  return value->kind == EXPR_STRING || refuse(f, value->span, "a name in quotes is wanted here");
}

static bool bool_setting(struct fitting *f, const struct expr *value, bool *out) {
  *out = value->kind == EXPR_BOOLEAN && value->boolean;
  return value->kind == EXPR_BOOLEAN || refuse(f, value->span, "true or false is wanted here");
}

static bool unit_setting(struct fitting *f, const struct expr *value) {
  f->unit = value;
  return value->kind == EXPR_QUANTITY || refuse(f, value->span, "a quantity is wanted here, as in 1 ms");
}

static bool check_setting(struct fitting *f, const struct field *setting) {
  static const char *const names[] = {"column", "region", "metric", "scale", "log", "negative", "folds", "max-terms"};
  struct words_list list = {0};
  size_t which = 0, count = sizeof names / sizeof *names;
  const char *name = setting->name.name->text;
  const struct expr *value = setting->value;
  while (which < count && strcmp(names[which], name)) words_add(f->c, &list, names[which++]);
  switch (which) {
  case 0: return string_setting(f, value, &f->column);
  case 1: return string_setting(f, value, &f->region);
  case 2: return string_setting(f, value, &f->metric);
  case 3: return unit_setting(f, value);
  case 4: return bool_setting(f, value, &f->out->log);
  case 5: return bool_setting(f, value, &f->out->negative);
  case 6: return whole_setting(f, value, 2, FOLDS_MOST, &f->out->folds);
  case 7: return whole_setting(f, value, 1, NORMAL_TERMS, &f->term_limit);
  default: break;
  }
  check_error(f->c, setting->name.span, "a fit has no setting '%s'", name);
  check_meant(f->c, name, &list);
  return false;
}

static bool check_settings(struct fitting *f) {
  const struct fit *fit = f->fit;
  bool fine = true;
  f->term_limit = 2;
  for (uint32_t i = 0; i < fit->setting_count; i++) fine &= check_setting(f, &fit->settings[i]);
  for (uint32_t i = 0; i < fit->setting_count && fit->term_count; i++) {
    const struct ident *name = &fit->settings[i].name;
    if (strcmp(name->name->text, "negative") && strcmp(name->name->text, "max-terms")) continue;
    check_error(f->c, name->span, "'%s' is for a search, and the terms are given", name->name->text);
    fine = false;
  }
  return fine;
}

/* ---- rows ---- */

/* Room for what the expressions checked so far name. */
static struct value *locals(struct fitting *f) {
  uint32_t wanted = f->c->model->slot_max + 1;
  if (wanted > f->local_count) f->locals = ARENA_ARRAY(f->c->arena, struct value, wanted);
  if (wanted > f->local_count) f->local_count = wanted;
  return f->locals;
}

static bool term_value(struct fitting *f, struct expr *term, const double *arguments, double *out);

/* Does the measurement count? false after a diagnostic. */
static bool is_wanted(struct fitting *f, const double *at, struct span span, bool *wanted) {
  double truth = 1;
  bool fine = !f->fit->where || term_value(f, f->fit->where, at, &truth);
  if (!fine) check_note(f->c, span, "at this measurement");
  *wanted = truth != 0;
  return fine;
}

/* Adds a measurement at the arguments that stand in `locals`-order in `at`. */
static bool add_row(struct fitting *f, const double *at, const struct span *cells, double y, struct span span) {
  struct arena *arena = f->c->arena;
  uint32_t cell = f->cell_count;
  bool wanted;
  if (!is_wanted(f, at, span, &wanted)) return false;
  if (!wanted) return true;
  for (uint32_t i = 0; i < f->function->param_count; i++) {
    ARENA_PUSH(arena, f->rows, f->cell_count, f->cell_capacity, at[i]);
    if (f->cell_capacity > f->row_capacity) {
      f->cells = arena_grow(arena, f->cells, f->row_capacity * sizeof *f->cells, f->cell_capacity * sizeof *f->cells);
      f->row_capacity = f->cell_capacity;
    }
  }
  memcpy(f->cells + cell, cells, f->function->param_count * sizeof *cells);
  ARENA_PUSH(arena, f->measured, f->measured_count, f->measured_capacity, y);
  ARENA_PUSH(arena, f->spans, f->span_count, f->span_capacity, span);
  f->row_count++;
  return true;
}

static void visit_other(void *user, struct symbol *symbol) {
  bool *other = user;
  *other |= symbol && symbol->kind != SYMBOL_BUILTIN;
}

static bool measurement(struct fitting *f, struct expr *expr, const struct type *type, const char *what, double *out) {
  struct checker *c = f->c;
  uint32_t slots = 0;
  struct context x = {.slots = &slots, .draws = "a measurement"};
  bool other = false;
  struct value value;
  const struct type *found = expr_check_as(c, &x, expr, type, what);
  if (found->kind == TYPE_ERROR) return false;
  expr_symbols(expr, visit_other, &other);
  if (other) return refuse(f, expr->span, "a measurement is a number written out");
  if (found->kind != TYPE_INT && found->kind != TYPE_REAL) return refuse(f, expr->span, "a measurement is one number");
  struct environment e = {.model = c->model, .scratch = c->arena, .locals = locals(f),
                          .stack_limit = c->model->stack_limit};
  if (!evaluate_as(&e, expr, type, &value)) return false;
  *out = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return true;
}

static bool read_own_row(struct fitting *f, const struct fit_row *row) {
  const struct model_function *function = f->function;
  double at[function->param_count];
  struct span cells[function->param_count];
  if (row->at_count != function->param_count) {
    check_error(f->c, row->span, "'%s' has %u parameter%s, and this point gives %u", function->symbol->name->text,
                function->param_count, function->param_count == 1 ? "" : "s", row->at_count);
    return false;
  }
  for (uint32_t i = 0; i < row->at_count; i++) {
    const char *what = arena_printf(f->c->arena, "parameter '%s'", function->params[i]->name->text);
    cells[i] = row->at[i]->span;
    if (!measurement(f, row->at[i], function->params[i]->type, what, &at[i])) return false;
  }
  for (uint32_t i = 0; i < row->value_count; i++) {
    double y;
    if (!measurement(f, row->values[i], function->symbol->type, "a measurement", &y)) return false;
    if (!add_row(f, at, cells, y, row->values[i]->span)) return false;
  }
  return true;
}

/* ---- columns of a file ---- */

static const char *path_name(const struct fitting *f) {
  const char *path = f->data->source->path, *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void words_add_columns(struct fitting *f, struct words_list *list) {
  for (uint32_t i = 0; i < f->data->column_count; i++) words_add(f->c, list, f->data->columns[i].name);
}

static uint32_t find_column(const struct fitting *f, const char *name) {
  uint32_t i = 0;
  while (i < f->data->column_count && strcmp(f->data->columns[i].name, name)) i++;
  return i;
}

static bool no_column(struct fitting *f, struct span span, const char *name) {
  struct words_list list = {0};
  words_add_columns(f, &list);
  check_error(f->c, span, "%s has no %s '%s'", path_name(f), f->data->extrap ? "parameter" : "column", name);
  check_note(f->c, f->data->columns[0].span, "it has these");
  check_meant(f->c, name, &list);
  return false;
}

static bool is_parameter(const struct fitting *f, const char *name) {
  for (uint32_t i = 0; i < f->function->param_count; i++)
    if (!strcmp(f->function->params[i]->name->text, name)) return true;
  return false;
}

/* The column that is fitted: the one that is said, called as the function is, or the only one left. */
static bool value_column(struct fitting *f, uint32_t *out) {
  const struct measurements *data = f->data;
  struct words_list left = {0};
  if (data->extrap) {
    *out = data->column_count - 1;
    return !f->column || refuse(f, f->column->span, "Extra-P's files have metrics, not columns: metric = \"...\"");
  }
  if (f->column) {
    *out = find_column(f, f->column->string);
    return *out < data->column_count || no_column(f, f->column->span, f->column->string);
  }
  *out = find_column(f, f->function->symbol->name->text);
  if (*out < data->column_count) return true;
  for (uint32_t i = 0; i < data->column_count; i++) {
    if (is_parameter(f, data->columns[i].name)) continue;
    words_add(f->c, &left, data->columns[i].name);
    *out = i;
  }
  if (left.count == 1) return true;
  check_error(f->c, f->fit->path_span,
              left.count ? "%s has several columns that '%s' could be fitted to" : "%s has no column that '%s' could be fitted to",
              path_name(f), f->function->symbol->name->text);
  if (left.count) check_help(f->c, nowhere, "say which: column = \"%s\";", left.items[left.count - 1]);
  return false;
}

static bool set_matches(const struct expr *wanted, const char *name) {
  return !wanted || (name && !strcmp(wanted->string, name));
}

static const char *set_name(struct fitting *f, const struct measurement_set *set) {
  return arena_printf(f->c->arena, "region %s%s%s", set->region ? set->region : "-", set->metric ? ", metric " : "",
                      set->metric ? set->metric : "");
}

static bool find_set(struct fitting *f, const struct measurement_set **out) {
  const struct measurements *data = f->data;
  const struct measurement_set *second = NULL;
  *out = NULL;
  if (!data->extrap && (f->region || f->metric))
    return refuse(f, (f->region ? f->region : f->metric)->span, "only Extra-P's files have regions and metrics");
  for (uint32_t i = 0; i < data->set_count; i++) {
    const struct measurement_set *set = &data->sets[i];
    if (!set_matches(f->region, set->region) || !set_matches(f->metric, set->metric)) continue;
    if (!*out) *out = set;
    else if (!second) second = set;
  }
  struct span span = f->region ? f->region->span : f->metric ? f->metric->span : f->fit->path_span;
  if (*out && !second) return true;
  if (*out) {
    check_error(f->c, span, "several measurements of %s are meant: say region = \"...\" and metric = \"...\"", path_name(f));
    check_note(f->c, (*out)->span, "%s", set_name(f, *out));
    check_note(f->c, second->span, "%s", set_name(f, second));
    return false;
  }
  struct words_list list = {0};
  for (uint32_t i = 0; i < data->set_count; i++) {
    const char *name = f->region ? data->sets[i].region : data->sets[i].metric;
    if (name) words_add(f->c, &list, name);
  }
  check_error(f->c, span, "%s has no measurements of it", path_name(f));
  check_note(f->c, data->sets[0].span, "it has %s", set_name(f, &data->sets[0]));
  check_meant(f->c, f->region ? f->region->string : f->metric->string, &list);
  return false;
}

/* Words with whole exponents, joined by `/`: what the lexer takes behind a number. */
static bool unit_is_sound(const char *unit) {
  static const char digits[] = "0123456789",
                    letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%\xC2\xB5",
                    inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%\xC2\xB5_0123456789";
  for (;; unit++) {
    if (!strspn(unit, letters)) return false;
    unit += strspn(unit, inside);
    if (*unit == '^') {
      unit += 1 + (unit[1] == '-');
      if (!strspn(unit, digits)) return false;
      unit += strspn(unit, digits);
    }
    if (*unit != '/') return !*unit;
  }
}

bool model_unit(struct model *model, const char *unit, struct span span, struct dimension *out) {
  double factor;
  struct checker *c = model->loading->checker;
  if (unit_is_sound(unit)) return unit_parse(c, unit, span, &factor, out);
  check_error(c, span, "a unit is written as in 3 us/byte");
  return false;
}

/* The factor from the column's unit to base units, where its dimension is the one wanted. */
static bool column_unit(struct fitting *f, const struct measurement_column *column, const struct type *type,
                        const char *what, const struct expr *said, double *factor) {
  struct checker *c = f->c;
  struct dimension dimension = {{0}}, wanted = type_dimension(type);
  struct span span = column->unit_span;
  *factor = 1;
  if (said && column->unit) {
    check_error(c, said->span, "the column has a unit of its own");
    check_note(c, span, "here");
    return false;
  }
  if (said) {
    span = said->span;
    if (!unit_parse(c, said->quantity.unit, said->quantity.unit_span, factor, &dimension)) return false;
    *factor *= said->quantity.value;
  } else if (column->unit) {
    if (!unit_is_sound(column->unit)) return refuse(f, span, "a unit is written as in 3 us/byte");
    if (!unit_parse(c, column->unit, span, factor, &dimension)) return false;
  }
  if (dimension_equal(dimension, wanted)) return true;
  const char *example = unit_example(c, wanted);
  if (!column->unit && !said) {
    check_error(c, span, "column '%s' has no unit, and %s is %s", column->name, what, type_text(c, type));
    check_help(c, nowhere, f->data->extrap ? "say what is counted: scale = 1 %s;" : "write it behind the name, as in time [%s]",
               example);
    return false;
  }
  check_error(c, span, "%s is %s, and this is %s", what, type_text(c, type),
              type_text(c, type_real(&c->model->types, dimension)));
  check_note(c, f->name, "declared here");
  return false;
}

static bool cell_number(struct fitting *f, const struct measurement_column *column, double value, struct span span,
                        bool whole) {
  if (isnan(value)) {
    check_error(f->c, span, "column '%s' has no number here", column->name);
    return false;
  }
  if (!whole || (value == nearbyint(value) && fabs(value) < 9e15)) return true;
  check_error(f->c, span, "parameter '%s' is an int, and this is none", column->name);
  return false;
}

static bool read_columns(struct fitting *f, const struct measurement_set *set, const uint32_t *columns,
                         const double *factors) {
  const struct measurements *data = f->data;
  uint32_t count = f->function->param_count;
  double at[count];
  struct span cells[count];
  for (uint32_t row = set->first; row < set->first + set->count; row++) {
    const double *values = data->values + (size_t)row * data->column_count;
    const struct span *places = data->places + (size_t)row * data->column_count;
    for (uint32_t i = 0; i <= count; i++) {
      const struct measurement_column *column = &data->columns[columns[i]];
      bool whole = i < count && f->function->params[i]->type->kind == TYPE_INT;
      if (!cell_number(f, column, values[columns[i]], places[columns[i]], whole)) return false;
      if (i == count) break;
      at[i] = values[columns[i]] * factors[i];
      cells[i] = places[columns[i]];
    }
    if (!add_row(f, at, cells, values[columns[count]] * factors[count], places[columns[count]])) return false;
  }
  return true;
}

static bool read_file(struct fitting *f) {
  struct checker *c = f->c;
  uint32_t count = f->function->param_count, columns[count + 1];
  double factors[count + 1];
  const struct measurement_set *set;
  f->data = ARENA_NEW(c->arena, struct measurements);
  if (!measurements_read(c->arena, c->d, f->fit->data, f->data)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct symbol *param = f->function->params[i];
    columns[i] = find_column(f, param->name->text);
    if (columns[i] >= f->data->column_count - f->data->extrap) return no_column(f, param->span, param->name->text);
    const struct measurement_column *column = &f->data->columns[columns[i]];
    const char *what = arena_printf(c->arena, "parameter '%s'", param->name->text);
    if (!column_unit(f, column, param->type, what, NULL, &factors[i])) return false;
    f->units[i] = column->unit;
    f->factors[i] = factors[i];
  }
  if (!value_column(f, &columns[count]) || !find_set(f, &set)) return false;
  const struct measurement_column *value = &f->data->columns[columns[count]];
  const char *what = arena_printf(c->arena, "'%s'", f->out->name);
  if (!column_unit(f, value, f->function->symbol->type, what, f->unit, &factors[count])) return false;
  f->out->set = set;
  if (c->model->loading->options.measured) f->name = value->span; /* the declaration is none of the user's */
  f->out->origin = f->data->extrap
                       ? arena_printf(c->arena, "%s, %s", path_name(f), set_name(f, set))
                       : arena_printf(c->arena, "%s, column %s%s%s%s", path_name(f), value->name, value->unit ? " [" : "",
                                      value->unit ? value->unit : "", value->unit ? "]" : "");
  return read_columns(f, set, columns, factors);
}

static bool read_rows(struct fitting *f) {
  const struct fit *fit = f->fit;
  f->out->origin = "rows of the model";
  if (fit->data && !read_file(f)) return false;
  if (!fit->data && (f->column || f->region || f->metric || f->unit))
    return refuse(f, (f->column ? f->column : f->region ? f->region : f->metric ? f->metric : f->unit)->span,
                  "this is for a file of measurements, and there is none");
  for (uint32_t i = 0; i < fit->row_count; i++)
    if (!read_own_row(f, &fit->rows[i])) return false;
  if (fit->where) {
    struct text text = {.arena = f->c->arena};
    expr_format(&text, fit->where);
    f->out->origin = arena_printf(f->c->arena, "%s, where %s", f->out->origin, text.data);
  }
  if (f->row_count) return true;
  if (fit->where) return refuse(f, fit->where->span, "no measurement is like this");
  check_error(f->c, f->name, "'%s' has no measurements", f->out->name);
  check_help(f->c, nowhere, "name a file, as in %s(…) -> … from \"data.csv\", or give rows: at 4: 264 s;", f->out->name);
  return false;
}

static bool check_positive(struct fitting *f) {
  for (uint32_t i = 0; i < f->row_count && f->out->log; i++) {
    if (f->measured[i] > 0) continue;
    return refuse(f, f->spans[i], "the logarithm is fitted, and this measurement has none: it is not above 0");
  }
  for (uint32_t i = 0; i < f->cell_count && f->out->searched; i++) {
    if (f->rows[i] > 0) continue;
    check_error(f->c, f->cells[i], "the search takes logarithms of '%s', which has to be above 0",
                f->function->params[i % f->function->param_count]->name->text);
    check_help(f->c, nowhere, "give the terms: terms 1, ...;");
    return false;
  }
  return true;
}

static void note_points(struct fitting *f) {
  struct model_fit *out = f->out;
  uint32_t count = f->function->param_count;
  out->points = (struct fit_points){
      .parameters = count, .rows = f->row_count, .x = f->rows, .y = f->measured, .span = f->spans};
  fit_group(f->c->arena, &out->points, out->log);
  out->ranges = ARENA_ARRAY(f->c->arena, struct fit_range, count);
  for (uint32_t i = 0; i < f->cell_count; i++) {
    struct fit_range *range = &out->ranges[i % count];
    if (i < count) *range = (struct fit_range){f->rows[i], f->rows[i]};
    if (f->rows[i] < range->low) range->low = f->rows[i];
    if (f->rows[i] > range->high) range->high = f->rows[i];
  }
}

/* ---- formulas as text ---- */

/* A number with the base units of a dimension: 3.5e-09 s/byte, 2 / (1 s). */
static void put_quantity(struct fitting *f, struct text *out, double value, struct dimension dimension) {
  const struct types *types = &f->c->model->types;
  bool any = false;
  text_number(out, value);
  for (int sign = 1; sign >= -1; sign -= 2)
    for (uint32_t i = 0; i < types->dimension_count; i++) {
      int power = sign * dimension.power[i];
      if (power <= 0) continue;
      if (sign > 0) text_put(out, any ? " * (1 " : " ");
      else text_put(out, any ? "/" : " / (1 ");
      text_put(out, types->base_units[i]->text);
      if (power > 1) text_printf(out, "^%d", power);
      if (sign > 0 ? any : !any) text_char(out, ')');
      any = true;
    }
}

/* A parameter without a dimension, in the unit of its column: what logarithms and broken powers are of. */
static const char *plain_parameter(struct fitting *f, uint32_t i) {
  const struct symbol *param = f->function->params[i];
  struct dimension dimension = type_dimension(param->type);
  struct text text = {.arena = f->c->arena};
  if (dimension_none(dimension)) return param->name->text;
  text_printf(&text, "(%s / (", param->name->text);
  if (f->units[i]) text_printf(&text, "1 %s", f->units[i]);
  else put_quantity(f, &text, 1, dimension);
  text_put(&text, "))");
  return text.data;
}

static const char *normal_text(struct fitting *f, const struct normal_term *term) {
  struct text text = {.arena = f->c->arena};
  for (uint32_t i = 0; i < f->function->param_count; i++) {
    const char *name = plain_parameter(f, i);
    int halves = term->halves[i];
    if (halves) {
      text_printf(&text, "%s%s", text.size ? " * " : "", name);
      if (halves < 0) text_printf(&text, "^(%s%d.%d)", "-", -halves / 2, halves & 1 ? 5 : 0);
      else if (halves != 2) text_printf(&text, "^%d.%d", halves / 2, halves & 1 ? 5 : 0);
    }
    if (term->logs[i]) text_printf(&text, "%slog2(%s)", text.size ? " * " : "", name);
    if (term->logs[i] > 1) text_printf(&text, "^%d", term->logs[i]);
  }
  return text.data;
}

/* As a factor behind a coefficient. */
static void put_term(struct text *out, const struct expr *term, const char *searched) {
  bool product = !term || (term->kind == EXPR_BINARY && (term->binary.op == OP_MUL || term->binary.op == OP_DIV ||
                                                         term->binary.op == OP_POW));
  bool sum = !product && (term->kind == EXPR_IF || term->kind == EXPR_UNARY || term->kind == EXPR_BINARY);
  if (sum) text_char(out, '(');
  if (term) expr_format(out, term);
  else text_put(out, searched);
  if (sum) text_char(out, ')');
}

/* A coefficient by its term. digits: 0, so that it is read as it is; else so many, for people. */
static void put_product(struct fitting *f, struct text *out, uint32_t k, double coefficient, int digits) {
  const struct fit_term *term = &f->out->terms[k];
  if (digits) quantity_print(out, &f->c->model->types, coefficient, term->dimension, digits);
  else put_quantity(f, out, coefficient, term->dimension);
  if (!term->text) return;
  text_put(out, " * ");
  put_term(out, f->fit->term_count ? f->fit->terms[k].value : NULL, term->text);
}

static void put_formula(struct fitting *f, struct text *out, int digits) {
  const struct model_fit *fit = f->out;
  if (fit->log) text_put(out, "exp(");
  for (uint32_t k = 0; k < fit->term_count; k++) {
    double coefficient = fit->regression.coefficients[k];
    if (k) text_put(out, coefficient < 0 ? " - " : " + ");
    put_product(f, out, k, k ? fabs(coefficient) : coefficient, digits);
  }
  if (!fit->log) return;
  text_char(out, ')');
  if (dimension_none(f->result)) return;
  text_put(out, " * (");
  put_quantity(f, out, 1, f->result);
  text_char(out, ')');
}

static struct expr *parse_formula(struct fitting *f, const char *text) {
  struct checker *c = f->c;
  const struct source *source =
      source_add(c->model->sources, arena_printf(c->arena, "fit of %s", f->out->name), text, strlen(text));
  if (source) return parse_expression(c->arena, c->model->names, c->d, source);
  refuse(f, f->name, "the files of the model are too large");
  return NULL;
}

/* ---- terms ---- */

static void visit_foreign(void *user, struct symbol *symbol) {
  struct symbol **other = user;
  if (symbol && symbol->kind != SYMBOL_BUILTIN && symbol->kind != SYMBOL_LOCAL && !*other) *other = symbol;
}

static bool check_term(struct fitting *f, struct expr *term, struct dimension *dimension) {
  struct symbol *other = NULL;
  unsigned errors = f->c->d->errors;
  const struct type *type = expr_check(f->c, f->x, term, NULL);
  if (type->kind == TYPE_ERROR || f->c->d->errors != errors) return false;
  expr_symbols(term, visit_foreign, &other);
  if (other) {
    check_error(f->c, term->span, "a term of a fit is made of its parameters, numbers and built-in functions alone");
    check_note(f->c, nowhere, "'%s' is none of them", other->name->text);
    return false;
  }
  if (type->kind != TYPE_INT && type->kind != TYPE_REAL) {
    check_error(f->c, term->span, "a term of a fit is a number, and this is %s", type_text(f->c, type));
    return false;
  }
  *dimension = f->out->log ? (struct dimension){{0}} : f->result;
  return dimension_combine(*dimension, type_dimension(type), -1, dimension) ||
         refuse(f, term->span, "the dimension of this term's coefficient is out of range");
}

static bool check_where(struct fitting *f) {
  struct expr *where = f->fit->where;
  struct symbol *other = NULL;
  unsigned errors = f->c->d->errors;
  if (!where) return true;
  const struct type *type = expr_check_as(f->c, f->x, where, f->c->model->types.boolean, "where");
  if (type->kind == TYPE_ERROR || f->c->d->errors != errors) return false;
  expr_symbols(where, visit_foreign, &other);
  if (!other) return true;
  check_error(f->c, where->span, "which measurements count is told by the parameters of the fit alone");
  check_note(f->c, nowhere, "'%s' is none of them", other->name->text);
  return false;
}

static bool term_value(struct fitting *f, struct expr *term, const double *arguments, double *out) {
  struct model *m = f->c->model;
  struct environment e = {.model = m, .scratch = f->c->arena, .locals = locals(f), .stack_limit = m->stack_limit};
  struct value value;
  for (uint32_t i = 0; i < f->function->param_count; i++)
    f->locals[i] = f->function->params[i]->type->kind == TYPE_INT ? value_integer((int64_t)arguments[i])
                                                                  : value_real(arguments[i]);
  if (!evaluate(&e, term, &value)) return false;
  *out = value.kind == VALUE_INT    ? (double)value.integer
         : value.kind == VALUE_BOOL ? (double)value.boolean
                                    : value.real;
  return true;
}

static uint32_t row_of_point(const struct fit_points *points, uint32_t point) {
  uint32_t row = 0;
  while (points->point[row] != point) row++;
  return row;
}

/* The design: points x terms. */
static bool compute_design(struct fitting *f, struct expr *const *terms, uint32_t count, double *design) {
  const struct fit_points *points = &f->out->points;
  for (uint32_t i = 0; i < points->count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const double *arguments = points->arguments + (size_t)i * points->parameters;
      if (term_value(f, terms[k], arguments, &design[(size_t)i * count + k])) continue;
      check_note(f->c, points->span[row_of_point(points, i)], "at this measurement");
      return false;
    }
  return true;
}

static bool is_one(const struct expr *term) {
  return (term->kind == EXPR_INTEGER && term->integer == 1) || (term->kind == EXPR_REAL && term->real == 1);
}

static struct span terms_span(const struct fitting *f) {
  const struct fit *fit = f->fit;
  return f->out->searched ? f->name : span_join(fit->terms[0].value->span, fit->terms[fit->term_count - 1].value->span);
}

static bool refuse_fit(struct fitting *f, enum regression_failure failure, struct expr *const *terms, uint32_t term) {
  struct checker *c = f->c;
  uint32_t points = f->out->points.count;
  switch (failure) {
  case REGRESSION_FINE: return true;
  case REGRESSION_FEW:
    check_error(c, terms_span(f), "%u terms want as many different points, and there %s %u", f->out->term_count,
                points == 1 ? "is" : "are", points);
    return false;
  case REGRESSION_DEPENDENT:
    check_error(c, f->out->searched ? f->name : terms[term]->span,
                "this term cannot be told from the others: at the points measured it is a sum of multiples of them");
    return false;
  case REGRESSION_RANGE: break;
  }
  return refuse(f, terms_span(f), "the numbers are too large to fit");
}

static bool solve(struct fitting *f, struct expr *const *terms, uint32_t count) {
  struct arena *arena = f->c->arena;
  struct model_fit *out = f->out;
  double *design = ARENA_ARRAY(arena, double, (size_t)out->points.count * count);
  uint32_t term = 0;
  if (!compute_design(f, terms, count, design)) return false;
  for (uint32_t k = 0; k < count; k++) out->terms[k].expr = terms[k];
  enum regression_failure failure =
      regression_fit(arena, design, count, &out->points.observations, &out->regression, &term);
  if (failure != REGRESSION_FINE) return refuse_fit(f, failure, terms, term);
  if (!out->regression.freedom) {
    check_warning(f->c, terms_span(f), "as many terms as measurements: the fit goes through all of them");
    check_note(f->c, nowhere, "nothing is left that could tell how good it is");
  }
  fit_score(arena, out, design);
  return true;
}

/* A term of that name is the coefficient by the term: so it is none of a logarithm. */
static bool check_part(struct fitting *f, const struct field *term) {
  if (!term->name.name || !f->out->log) return true;
  return refuse(f, term->name.span, "a term of a logarithm is no part of the fit, and has no name");
}

static bool declared_terms(struct fitting *f) {
  const struct fit *fit = f->fit;
  struct arena *arena = f->c->arena;
  bool fine = true;
  struct expr **terms = ARENA_ARRAY(arena, struct expr *, fit->term_count);
  if (fit->term_count > TERMS_MOST) return refuse(f, terms_span(f), "a fit has 100 terms at most");
  f->out->term_count = fit->term_count;
  f->out->terms = ARENA_ARRAY(arena, struct fit_term, fit->term_count);
  for (uint32_t k = 0; k < fit->term_count; k++) {
    struct fit_term *term = &f->out->terms[k];
    struct text text = {.arena = arena};
    terms[k] = fit->terms[k].value;
    fine &= check_term(f, terms[k], &term->dimension) && check_part(f, &fit->terms[k]);
    expr_format(&text, terms[k]);
    term->text = is_one(terms[k]) ? NULL : text.data;
    term->name = fit->terms[k].name.name ? fit->terms[k].name.name->text : NULL;
  }
  return fine && solve(f, terms, fit->term_count);
}

/* ---- the search ---- */

static bool searched_terms(struct fitting *f) {
  struct model_fit *out = f->out;
  struct arena *arena = f->c->arena;
  const struct fit_points *points = &out->points;
  uint32_t count = f->function->param_count;
  if (count > NORMAL_PARAMETERS) {
    check_error(f->c, f->name, "terms of more than %d parameters are not searched for", NORMAL_PARAMETERS);
    check_help(f->c, nowhere, "give them: terms 1, ...;");
    return false;
  }
  if (points->count < SEARCH_POINTS) {
    check_error(f->c, f->name, "a search wants %d different points at least, and there %s %u", SEARCH_POINTS,
                points->count == 1 ? "is" : "are", points->count);
    check_help(f->c, nowhere, "give the terms: terms 1, ...;");
    return false;
  }
  struct normal_options options = {
      .parameters = count,
      .most_terms = f->term_limit,
      .folds = out->folds < points->count ? out->folds : 0,
      .negative = out->negative,
      .interrupted = f->c->model->interrupted,
  };
  if (points->count > normal_form_points(&options)) {
    check_error(f->c, f->name, "a search over %u parameters takes %u different points at most, and there are %u", count,
                normal_form_points(&options), points->count);
    check_help(f->c, nowhere, "give the terms: terms 1, ...;");
    return false;
  }
  double *x = ARENA_ARRAY(arena, double, (size_t)points->count * count);
  for (uint32_t i = 0; i < points->count * count; i++) x[i] = points->arguments[i] / f->factors[i % count];
  struct normal_form form = normal_form_search(arena, x, &points->observations, &options);
  struct expr **terms = ARENA_ARRAY(arena, struct expr *, form.count + 1);
  out->tried = form.tried;
  out->term_count = form.count + 1;
  out->terms = ARENA_ARRAY(arena, struct fit_term, form.count + 1);
  for (uint32_t k = 0; k <= form.count; k++) {
    out->terms[k].text = k ? normal_text(f, &form.terms[k - 1]) : NULL;
    terms[k] = parse_formula(f, k ? out->terms[k].text : "1");
    if (!terms[k] || !check_term(f, terms[k], &out->terms[k].dimension)) return false;
  }
  return solve(f, terms, form.count + 1);
}

/* ---- all of it ---- */

static void describe(struct fitting *f) {
  const struct model_function *function = f->function;
  const char **names = ARENA_ARRAY(f->c->arena, const char *, function->param_count);
  const struct type **types = ARENA_ARRAY(f->c->arena, const struct type *, function->param_count);
  for (uint32_t i = 0; i < function->param_count; i++) {
    names[i] = function->params[i]->name->text;
    types[i] = function->params[i]->type;
  }
  f->out->parameters = names;
  f->out->types = types;
  f->out->result = function->symbol->type;
}

static bool fit_it(struct fitting *f) {
  struct text formula = {.arena = f->c->arena}, shown = {.arena = f->c->arena};
  if (!check_signature(f) || !check_settings(f)) return false;
  describe(f);
  f->out->searched = !f->fit->term_count;
  if (!check_where(f) || !read_rows(f) || !check_positive(f)) return false;
  note_points(f);
  if (f->out->searched ? !searched_terms(f) : !declared_terms(f)) return false;
  put_formula(f, &formula, 0);
  put_formula(f, &shown, 5);
  f->out->formula = formula.data;
  f->out->shown = shown.data;
  f->function->value = parse_formula(f, formula.data);
  return f->function->value != NULL;
}

void fit_function(struct checker *c, struct context *x, struct model_function *function) {
  struct symbol *symbol = function->symbol;
  struct decl *decl = symbol->decl;
  uint32_t count = function->param_count;
  struct fitting *f = ARENA_NEW(c->arena, struct fitting);
  *f = (struct fitting){.c = c, .x = x, .function = function, .fit = function->fit, .name = symbol->span};
  f->out = ARENA_NEW(c->arena, struct model_fit);
  f->out->name = symbol->name->text;
  f->units = ARENA_ARRAY(c->arena, const char *, count);
  f->factors = ARENA_ARRAY(c->arena, double, count);
  for (uint32_t i = 0; i < count; i++) f->factors[i] = 1;
  if (!decl->function.signature.result) {
    check_error(c, symbol->span, "say what the fit gives, as in fit %s(…) -> time", symbol->name->text);
  } else if (fit_it(f)) {
    decl->function.value = function->value;
    function->fit->fitted = f->out;
    return;
  }
  function->value = ARENA_NEW(c->arena, struct expr);
  function->value->kind = EXPR_REAL;
  function->value->type = c->model->types.error;
}

struct expr *fit_part(struct checker *c, struct model_function *function) {
  struct text text = {.arena = c->arena};
  struct model_fit *fitted = function->fit->fitted;
  struct fitting f = {.c = c, .function = function, .fit = function->fit, .out = fitted, .name = function->symbol->span};
  uint32_t k = function->part - 1;
  struct expr **value = &fitted->terms[k].part;
  if (*value) return *value; /* checked again */
  put_product(&f, &text, k, fitted->regression.coefficients[k], 0);
  *value = parse_formula(&f, text.data);
  if (*value) return *value;
  *value = ARENA_NEW(c->arena, struct expr);
  (*value)->kind = EXPR_REAL;
  return *value;
}
