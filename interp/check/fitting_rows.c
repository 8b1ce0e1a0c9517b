/* The measurements of a `fit`: rows of the declaration, and the columns of a file by their names and units.
 */
#include "interp/check/fitting.h"
#include "interp/check/load.h"
#include "interp/evaluate/evaluate.h"

#include <math.h>
#include <string.h>

static const struct span nowhere = {0, 0};

#define UNIT_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/%"

/* ---- rows ---- */

/* Room for what the expressions checked so far name. */
static struct value *locals(struct fitting *f) {
  uint32_t wanted = f->c->model->slot_max + 1;
  if (wanted > f->local_count) f->locals = ARENA_ARRAY(f->c->arena, struct value, wanted);
  if (wanted > f->local_count) f->local_count = wanted;
  return f->locals;
}

bool fitting_value(struct fitting *f, struct expr *term, const double *arguments, double *out) {
  struct model *m = f->c->model;
  struct environment e = {.model = m, .scratch = f->c->arena, .locals = locals(f)};
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

/* Does the measurement count? false after a diagnostic. */
static bool is_wanted(struct fitting *f, const double *at, struct span span, bool *wanted) {
  double truth = 1;
  bool fine = !f->fit->where || fitting_value(f, f->fit->where, at, &truth);
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
  if (other) return fitting_refuse(f, expr->span, "a measurement is a number written out");
  if (found->kind != TYPE_INT && found->kind != TYPE_REAL)
    return fitting_refuse(f, expr->span, "a measurement is one number");
  struct environment e = {.model = c->model, .scratch = c->arena, .locals = locals(f)};
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
  for (uint32_t i = 0; i < f->data->column_count; i++)
    words_add(f->c, list, f->data->columns[i].name);
}

static uint32_t find_column(const struct fitting *f, const char *name) {
  uint32_t i = 0;
  while (i < f->data->column_count && strcmp(f->data->columns[i].name, name))
    i++;
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
    return !f->column ||
           fitting_refuse(f, f->column->span, "Extra-P's files have metrics, not columns: metric = \"...\"");
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
              left.count ? "%s has several columns that '%s' could be fitted to"
                         : "%s has no column that '%s' could be fitted to",
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
    return fitting_refuse(f, (f->region ? f->region : f->metric)->span,
                          "only Extra-P's files have regions and metrics");
  for (uint32_t i = 0; i < data->set_count; i++) {
    const struct measurement_set *set = &data->sets[i];
    if (!set_matches(f->region, set->region) || !set_matches(f->metric, set->metric)) continue;
    if (!*out)
      *out = set;
    else if (!second)
      second = set;
  }
  struct span span = f->region ? f->region->span : f->metric ? f->metric->span : f->fit->path_span;
  if (*out && !second) return true;
  if (*out) {
    check_error(f->c, span, "several measurements of %s are meant: say region = \"...\" and metric = \"...\"",
                path_name(f));
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

/* Words with whole exponents, joined by `*` and `/`; also 1/s. */
static bool unit_is_sound(const char *unit) {
  static const char digits[] = "0123456789",
                    letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%\xC2\xB5",
                    inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%\xC2\xB5_0123456789";
  for (unit += strncmp(unit, "1/", 2) ? 0 : 2;; unit++) {
    if (!strspn(unit, letters)) return false;
    unit += strspn(unit, inside);
    if (*unit == '^') {
      unit += 1 + (unit[1] == '-');
      if (!strspn(unit, digits)) return false;
      unit += strspn(unit, digits);
    }
    if (*unit != '/' && *unit != '*') return !*unit;
  }
}

bool model_unit(struct model *model, const char *unit, struct span span, double *factor, struct dimension *out) {
  struct checker *c = model->loading->checker;
  if (unit_is_sound(unit)) return unit_parse(c, unit, span, factor, out);
  check_error(c, span, "a unit is written as in 3 us/byte");
  return false;
}

bool model_knows_unit(const struct model *model, const char *unit) {
  return is_unit(model->loading->checker, name_of(model->names, unit));
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
    if (!unit_of_expr(c, said, factor, &dimension)) return false;
  } else if (column->unit) {
    if (!unit_is_sound(column->unit)) return fitting_refuse(f, span, "a unit is written as in 3 us/byte");
    if (!unit_parse(c, column->unit, span, factor, &dimension)) return false;
  }
  if (dimension_equal(dimension, wanted)) return true;
  const char *example = unit_example(c, wanted);
  if (!column->unit && !said) {
    check_error(c, span, "column '%s' has no unit, and %s is %s", column->name, what, type_text(c, type));
    check_help(c, nowhere,
               f->data->extrap ? "say what is counted: scale = 1 %s;" : "write it behind the name, as in time [%s]",
               example);
    return false;
  }
  check_error(c, span, "%s is %s, and this is %s", what, type_text(c, type),
              type_text(c, type_real(&c->model->types, dimension)));
  check_note(c, f->name, "declared here");
  return false;
}

const char *fitting_parameter_list(struct fitting *f, const char *without) {
  struct text text = {.arena = f->c->arena};
  text_put(&text, "");
  for (uint32_t i = 0; i < f->function->param_count; i++) {
    const char *name = f->function->params[i]->name->text;
    if (!without || strcmp(name, without) != 0) text_printf(&text, "%s%s", text.size ? "," : "", name);
  }
  return text.data;
}

/* 3.1s: a number and what may be a unit of all the column. */
static bool help_unit(struct fitting *f, const struct measurement_column *column, struct span span) {
  const struct source *source = source_of(f->c->model->sources, span.begin);
  const char *cell = source->text + (span.begin - source->base);
  cell += *cell == '"';
  int length = (int)(span.end - span.begin), digits = (int)strspn(cell, "+-.0123456789");
  int unit = digits + (int)strspn(cell + digits, " "), letters = (int)strspn(cell + unit, UNIT_LETTERS);
  if (!digits || !letters || letters > 8 || unit + letters > length || column->unit) return false;
  bool whole = unit + letters == length || cell[unit + letters] == '"';
  if (whole)
    check_help(f->c, nowhere, "a cell is a number, and the unit of all stands in the first line: %s [%.*s]",
               column->name, letters, cell + unit);
  return whole;
}

/* Of the file of psl fit: which other columns have numbers, or which lines do. */
static void help_number(struct fitting *f, const struct measurement_column *column, struct span span) {
  struct text names = {.arena = f->c->arena};
  uint32_t place = (uint32_t)(column - f->data->columns);
  if (!f->c->model->loading->options.measured || f->data->extrap) return;
  for (uint32_t i = 0; i < f->data->column_count; i++)
    if (!column_is_text(f->data, i) && !column_is_empty(f->data, i))
      text_printf(&names, "%s%s", names.size ? ", " : "", f->data->columns[i].name);
  if (help_unit(f, column, span)) return;
  bool none = column_is_text(f->data, place) || column_is_empty(f->data, place);
  if (none && names.size)
    check_help(f->c, nowhere, "--column NAME says what is fitted, --params NAME,... by what; numbers are in %s",
               names.data);
  else if (!none)
    check_help(f->c, nowhere, "--where CONDITION says which lines count");
}

/* A cell holds a number, and where the parameter is an int that number is whole in base units: 150 % is not. */
static bool cell_number(struct fitting *f, const struct measurement_column *column, double value, double factor,
                        struct span span, bool whole) {
  if (isnan(value)) {
    check_error(f->c, span, "column '%s' has no number here", column->name);
    help_number(f, column, span);
    return false;
  }
  double base = value * factor;
  if (!whole || (base == nearbyint(base) && fabs(base) < 9e15)) return true;
  if (factor == 1)
    check_error(f->c, span, "parameter '%s' is an int, and this is none", column->name);
  else
    check_error(f->c, span, "parameter '%s' is an int, and %g %s is none", column->name, value, column->unit);
  return false;
}

/* ---- the condition ---- */

/* A number of the column's unit, or a text. */
static bool column_type(struct fitting *f, const struct measurement_column *column, struct fitting_column *other,
                        const struct type **type) {
  struct types *types = &f->c->model->types;
  struct dimension dimension = {{0}};
  other->factor = 1;
  *type = column_is_whole(f->data, other->place) ? types->integer : types->real;
  other->text = !f->data->extrap && column_is_text(f->data, other->place);
  if (other->text) *type = types->string;
  if (other->text) return true;
  if (!column->unit) return true;
  if (!unit_is_sound(column->unit)) return fitting_refuse(f, column->unit_span, "a unit is written as in 3 us/byte");
  if (!unit_parse(f->c, column->unit, column->unit_span, &other->factor, &dimension)) return false;
  *type = type_real(types, dimension);
  return true;
}

/* Columns that the condition names, beside those that are parameters, as locals of it. */
static bool add_columns(struct fitting *f, struct context *x) {
  for (uint32_t i = 0; f->data && i < f->data->column_count; i++) {
    const struct measurement_column *column = &f->data->columns[i];
    struct fitting_column other = {.place = i};
    const struct type *type;
    const struct name *name = name_of(f->c->model->names, column->name);
    if (is_parameter(f, column->name) || !expr_mentions(f->fit->where, name)) continue;
    if (!column_type(f, column, &other, &type)) return false;
    struct ident ident = {.name = name, .span = column->span};
    other.symbol = scope_local(f->c, x, x->scope, ident, type);
    ARENA_PUSH(f->c->arena, f->others, f->other_count, f->other_capacity, other);
  }
  return true;
}

/* host == a */
static void help_texts(struct fitting *f) {
  for (uint32_t i = 0; i < f->other_count; i++) {
    const struct fitting_column *other = &f->others[i];
    if (!other->text) continue;
    struct text text = {.arena = f->c->arena};
    text_string(&text, measurement_text(f->c->arena, f->data, f->data->places[other->place]));
    check_help(f->c, nowhere, "column '%s' has texts, which are compared in quotes: %s == %s",
               other->symbol->name->text, other->symbol->name->text, text.data);
    return;
  }
}

/* `time > 0 s` of a column without a unit: its numbers have no dimension. */
static void help_units(struct fitting *f) {
  struct text text = {.arena = f->c->arena};
  for (uint32_t i = 0; i < f->other_count; i++) {
    const struct fitting_column *other = &f->others[i];
    if (!other->text && !f->data->columns[other->place].unit)
      text_printf(&text, "%s'%s'", text.size ? ", " : "", other->symbol->name->text);
  }
  if (text.size)
    check_help(f->c, nowhere, "%s without a unit is compared with numbers; the file's first line gives one: time [s]",
               text.data);
}

static bool check_where(struct fitting *f) {
  struct expr *where = f->fit->where;
  unsigned errors = f->c->d->errors;
  struct context x = *f->x;
  struct scope scope = {.outer = x.scope};
  x.scope = &scope;
  if (!where) return true;
  if (!add_columns(f, &x)) return false;
  const struct type *type = expr_check_as(f->c, &x, where, f->c->model->types.boolean, "where");
  if (type->kind == TYPE_ERROR || f->c->d->errors != errors) {
    help_texts(f);
    help_units(f);
    return false;
  }
  const struct symbol *other = fitting_foreign(where);
  if (other) {
    check_error(f->c, where->span, "which measurements count is told by parameters of the fit and columns of its file");
    check_note(f->c, nowhere, "'%s' is none of them", other->name->text);
    return false;
  }
  if (!f->other_count || !f->fit->row_count) return true;
  check_error(f->c, f->fit->rows[0].span, "a measurement of the model has no column '%s', which the condition names",
              f->others[0].symbol->name->text);
  return false;
}

/* What a row of the file has in the columns of the condition. */
static bool read_others(struct fitting *f, const double *values, const struct span *places) {
  struct value *slots = locals(f);
  for (uint32_t i = 0; i < f->other_count; i++) {
    const struct fitting_column *other = &f->others[i];
    double value = values[other->place];
    const char *text = other->text ? measurement_text(f->c->arena, f->data, places[other->place]) : NULL;
    if (text) slots[other->symbol->slot] = value_string(f->c->arena, text, strlen(text));
    if (text) continue;
    if (!cell_number(f, &f->data->columns[other->place], value, other->factor, places[other->place], false))
      return false;
    slots[other->symbol->slot] =
        other->symbol->type->kind == TYPE_INT ? value_integer((int64_t)value) : value_real(value * other->factor);
  }
  return true;
}

/* ---- the file ---- */

static bool read_columns(struct fitting *f, const struct measurement_set *set, const uint32_t *columns,
                         const double *factors) {
  const struct measurements *data = f->data;
  uint32_t count = f->function->param_count;
  double at[count];
  struct span cells[count];
  for (uint32_t row = set->first; row < set->first + set->count; row++) {
    const double *values = data->values + (size_t)row * data->column_count;
    const struct span *places = data->places + (size_t)row * data->column_count;
    for (uint32_t i = 0; i < count; i++) {
      const struct measurement_column *column = &data->columns[columns[i]];
      bool whole = f->function->params[i]->type->kind == TYPE_INT;
      if (!cell_number(f, column, values[columns[i]], factors[i], places[columns[i]], whole)) return false;
      at[i] = values[columns[i]] * factors[i];
      cells[i] = places[columns[i]];
    }
    uint32_t before = f->row_count;
    double y = values[columns[count]];
    struct span place = places[columns[count]];
    bool wanted;
    if (!read_others(f, values, places) || !is_wanted(f, at, place, &wanted)) return false;
    if (!wanted) continue;
    if (!cell_number(f, &data->columns[columns[count]], y, factors[count], place, false)) return false;
    if (!add_row(f, at, cells, y * factors[count], place)) return false;
    if (f->row_count > before) ARENA_PUSH(f->c->arena, f->lines, f->line_count, f->line_capacity, row);
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
  f->value_column = columns[count];
  const struct measurement_column *value = &f->data->columns[columns[count]];
  const char *what = arena_printf(c->arena, "'%s'", f->out->name);
  if (!column_unit(f, value, f->function->symbol->type, what, f->unit, &factors[count])) return false;
  f->out->set = set;
  if (c->model->loading->options.measured) f->name = value->span; /* the declaration is none of the user's */
  f->out->origin = f->data->extrap
                       ? arena_printf(c->arena, "%s, %s", path_name(f), set_name(f, set))
                       : arena_printf(c->arena, "%s%s, column %s%s%s%s", path_name(f),
                                      f->data->comma ? " (with decimal commas)" : "", value->name,
                                      value->unit ? " [" : "", value->unit ? value->unit : "", value->unit ? "]" : "");
  return check_where(f) && read_columns(f, set, columns, factors);
}

bool fitting_read(struct fitting *f) {
  const struct fit *fit = f->fit;
  f->out->origin = "rows of the model";
  if (fit->data ? !read_file(f) : !check_where(f)) return false;
  if (!fit->data && (f->column || f->region || f->metric || f->unit))
    return fitting_refuse(f,
                          (f->column   ? f->column
                           : f->region ? f->region
                           : f->metric ? f->metric
                                       : f->unit)
                              ->span,
                          "this is for a file of measurements, and there is none");
  for (uint32_t i = 0; i < fit->row_count; i++)
    if (!read_own_row(f, &fit->rows[i])) return false;
  if (fit->where) {
    struct text text = {.arena = f->c->arena};
    expr_format(&text, fit->where);
    f->out->origin = arena_printf(f->c->arena, "%s, where %s", f->out->origin, text.data);
  }
  if (f->row_count) return true;
  if (fit->where) return fitting_refuse(f, fit->where->span, "no measurement is like this");
  check_error(f->c, f->name, "'%s' has no measurements", f->out->name);
  check_help(f->c, nowhere, "name a file, as in %s(…) -> … from \"data.csv\", or give rows: at 4: 264 s;",
             f->out->name);
  return false;
}

void fitting_ask_terms(const struct fitting *f) {
  check_help(f->c, nowhere,
             f->c->model->loading->options.measured ? "give the terms: --terms '1, %s'"
                                                    : "give the terms: terms 1, %s;",
             f->out->parameters[0]);
}

/* A column that is none of the params, as the number of a run, is taken for one by psl fit unless these are said. */
static void help_logarithms(struct fitting *f, const char *name) {
  const char *others = fitting_parameter_list(f, name);
  if (f->c->model->loading->options.measured && *others) check_help(f->c, nowhere, "--params %s leaves it out", others);
  fitting_ask_terms(f);
}

bool fitting_check_positive(struct fitting *f) {
  for (uint32_t i = 0; i < f->row_count && f->out->log; i++) {
    if (f->measured[i] > 0) continue;
    return fitting_refuse(f, f->spans[i], "the logarithm is fitted, and this measurement has none: it is not above 0");
  }
  for (uint32_t i = 0; i < f->row_count && f->out->relative; i++) {
    if (f->measured[i] > 0) continue;
    return fitting_refuse(f, f->spans[i],
                          "errors count as parts of what was measured, and this measurement is not above 0");
  }
  for (uint32_t i = 0; i < f->cell_count && f->out->searched; i++) {
    if (f->rows[i] > 0) continue;
    const char *name = f->function->params[i % f->function->param_count]->name->text;
    check_error(f->c, f->cells[i], "the search takes logarithms of '%s', which has to be above 0", name);
    help_logarithms(f, name);
    return false;
  }
  return true;
}

/* ---- columns left out ---- */

static bool is_left_out(const struct fitting *f, uint32_t column) {
  bool other = false;
  for (uint32_t i = 0; i < f->other_count; i++)
    other |= f->others[i].place == column;
  return !other && column != f->value_column && !is_parameter(f, f->data->columns[column].name);
}

/* `size == 4 MB` */
static const char *put_condition(struct fitting *f, uint32_t column, double value) {
  const struct measurement_column *named = &f->data->columns[column];
  struct text text = {.arena = f->c->arena};
  text_printf(&text, "%s == ", named->name);
  text_number(&text, value);
  if (named->unit) text_printf(&text, " %s", named->unit);
  return text.data;
}

static void warn_of_column(struct fitting *f, uint32_t column, double value) {
  struct checker *c = f->c;
  const struct measurement_column *named = &f->data->columns[column];
  check_warning(c, named->span, "what was measured at one point depends on '%s', which the fit leaves out",
                named->name);
  if (!c->model->loading->options.measured)
    check_help(c, nowhere, "make it a parameter, or keep to one value: where %s;", put_condition(f, column, value));
  else if (f->out->searched)
    check_help(c, nowhere, "--params %s,%s takes it in, --where '%s' keeps to one value",
               fitting_parameter_list(f, NULL), named->name, put_condition(f, column, value));
  else
    check_help(c, nowhere, "terms that name it take it in, --where '%s' keeps to one value",
               put_condition(f, column, value));
}

void fitting_warn_of_columns(struct fitting *f) {
  double *setting = ARENA_ARRAY(f->c->arena, double, f->row_count);
  if (!f->line_count || f->line_count != f->row_count) return; /* some are rows of the model */
  for (uint32_t column = 0; column < f->data->column_count; column++) {
    bool numbers = is_left_out(f, column);
    for (uint32_t row = 0; row < f->row_count && numbers; row++) {
      setting[row] = f->data->values[(size_t)f->lines[row] * f->data->column_count + column];
      numbers = !isnan(setting[row]);
    }
    if (numbers && fit_overlooks(f->c->arena, &f->out->points, setting)) warn_of_column(f, column, setting[0]);
  }
}

void fitting_note_points(struct fitting *f) {
  struct model_fit *out = f->out;
  uint32_t count = f->function->param_count;
  out->points =
      (struct fit_points){.parameters = count, .rows = f->row_count, .x = f->rows, .y = f->measured, .span = f->spans};
  fit_group(f->c->arena, &out->points, out->log);
  out->ranges = ARENA_ARRAY(f->c->arena, struct fit_range, count);
  for (uint32_t i = 0; i < f->cell_count; i++) {
    struct fit_range *range = &out->ranges[i % count];
    if (i < count) *range = (struct fit_range){f->rows[i], f->rows[i]};
    if (f->rows[i] < range->low) range->low = f->rows[i];
    if (f->rows[i] > range->high) range->high = f->rows[i];
  }
}
