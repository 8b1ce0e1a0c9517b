/* psl_fit: measurements in a file to fitted functions.  It writes the `fit` declarations that the file and
 * the options stand for, loads them as a model of their own, and reports what came of them. */
#include "grammar/words.h"
#include "interp/library/handle.h"
#include "interp/check/load.h"
#include "interp/library/fit_report.h"
#include "interp/evaluate/evaluate.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL 0.95 /* of intervals, where none is asked for */

struct fit_given {
  const char *path;
  const struct psl_fit_options *options;
  psl_write *write;
  void *user;
};
struct fits {
  struct psl *psl;
  const struct fit_given *given;
  const struct psl_fit_options *options;
  struct load_text file; /* the measurements */
  const struct source *source;
  struct measurements data;
  bool *parameter; /* by column */
  uint32_t value;  /* the column that is fitted */
  const struct measurement_set **sets;
  const char **names; /* by set: of the function */
  uint32_t set_count;
  struct text declarations;
};

static const struct span nowhere = {0, 0};

static bool refuse(struct fits *f, struct span span, const char *text) {
  diagnostic_add(&f->psl->diagnostics, SEVERITY_ERROR, span, "%s", text);
  return false;
}

static bool refuse_options(struct fits *f, const char *text) {
  diagnostic_misuse(&f->psl->diagnostics, "%s", text);
  return false;
}

/* ---- the file ---- */

/* It outlives the models. */
static bool read_file(struct fits *f) {
  f->file.name = handle_text_name(f->given->path);
  f->file.text = handle_read(f->psl, &f->psl->lasting, f->given->path, &f->file.size);
  return f->file.text != NULL;
}

/* `time (ms)` is all name: who writes so means a unit. */
static void warn_parentheses(struct fits *f) {
  for (uint32_t i = 0; i < f->data.column_count; i++) {
    const struct measurement_column *column = &f->data.columns[i];
    const char *open = strrchr(column->name, '('), *close = open ? strchr(open, ')') : NULL;
    if (column->unit || !open || open == column->name || !close || close[1]) continue;
    const char *unit = arena_copy(&f->psl->work, open + 1, (size_t)(close - open) - 1);
    int length = (int)(open - column->name);
    while (length && column->name[length - 1] == ' ')
      length--;
    if (!model_knows_unit(&f->psl->model, unit)) continue;
    diagnostic_add(&f->psl->diagnostics, SEVERITY_WARNING, column->span, "column '%s' has no unit", column->name);
    diagnostic_help(&f->psl->diagnostics, nowhere, "a unit stands in brackets: %.*s [%s]", length, column->name, unit);
  }
  diagnostic_flush(&f->psl->diagnostics); /* while the file's text is there */
}

/* A model of the library alone, for its units. */
static bool load_units(struct fits *f) {
  struct psl *psl = f->psl;
  handle_prepare(psl);
  struct load_options options = handle_load_options(psl);
  if (!model_load_text(&psl->model, "units", "", 0, &options)) return false;
  f->source = source_add(&psl->sources, f->file.name, f->file.text, f->file.size);
  if (!f->source) return refuse(f, nowhere, "the file of measurements is too large");
  if (!measurements_read(&psl->loaded, &psl->diagnostics, f->source, &f->data)) return false;
  warn_parentheses(f);
  return true;
}

/* ---- columns ---- */

static bool is_name(const char *text) {
  size_t length = strlen(text);
  if (!isalpha((unsigned char)*text)) return false;
  for (size_t i = 1; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_' &&
        (text[i] != '-' || !(isalpha((unsigned char)text[i + 1]) || text[i + 1] == '-')))
      return false;
  return !word_is_reserved(text, length);
}

static bool is_called(const char *own, const char *name, size_t length) {
  return strlen(own) == length && !memcmp(own, name, length);
}

/* `time`, or as the file's first line has it, `time [s]`. */
static uint32_t find_column(const struct fits *f, const char *name, size_t length) {
  uint32_t i = 0;
  for (; i < f->data.column_count; i++) {
    const struct measurement_column *column = &f->data.columns[i];
    const char *whole =
        column->unit ? arena_printf(&f->psl->work, "%s [%s]", column->name, column->unit) : column->name;
    if (is_called(column->name, name, length) || is_called(whole, name, length)) return i;
  }
  return i;
}

static bool no_column(struct fits *f, const char *option, const char *name, size_t length) {
  struct diagnostics *d = &f->psl->diagnostics;
  const char **words = ARENA_ARRAY(&f->psl->work, const char *, f->data.column_count);
  for (uint32_t i = 0; i < f->data.column_count; i++)
    words[i] = f->data.columns[i].name;
  diagnostic_misuse(d, "%s: the file has no column '%.*s'", option, (int)length, name);
  diagnostic_note(d, f->data.columns[0].span, "it has these");
  const char *near = nearest_name(arena_copy(&f->psl->work, name, length), words, f->data.column_count);
  if (near)
    diagnostic_help(d, nowhere, "did you mean '%s'?", near);
  else if (!strcmp(option, "--terms"))
    diagnostic_help(d, nowhere, "terms are of columns, and get their coefficients: '1, n' is a line");
  return false;
}

static bool find_value(struct fits *f) {
  const char *column = f->options->column;
  f->value = f->data.column_count - 1;
  if (!column) return true;
  if (f->data.extrap) return refuse_options(f, "--column: Extra-P's files have metrics: --metric");
  f->value = find_column(f, column, strlen(column));
  return f->value < f->data.column_count || no_column(f, "--column", column, strlen(column));
}

static bool given_parameters(struct fits *f, const char *list) {
  while (*list) {
    list += strspn(list, " ,");
    size_t length = strcspn(list, " ,");
    uint32_t i = find_column(f, list, length);
    if (!length) break;
    if (i >= f->data.column_count) return no_column(f, "--params", list, length);
    if (i == f->value) return refuse(f, f->data.columns[i].span, "this column is fitted, and is no parameter");
    f->parameter[i] = true;
    list += length;
  }
  return true;
}

/* Does the text hold the name as a word? */
static bool holds_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += length) {
    char before = at > text ? at[-1] : ' ', after = at[length];
    bool begins = !isalnum((unsigned char)before) && before != '_' && before != '.';
    bool ends =
        !isalnum((unsigned char)after) && after != '_' && !(after == '-' && isalpha((unsigned char)at[length + 1]));
    if (begins && ends) return true;
  }
  return false;
}

static bool is_named(const struct fits *f, const char *name) {
  bool named = false;
  for (size_t i = 0; i < f->options->terms_count; i++)
    named |= holds_word(f->options->terms[i], name);
  return named;
}

static bool all_numbers(const struct fits *f, uint32_t column) {
  for (uint32_t row = 0; row < f->data.row_count; row++)
    if (isnan(f->data.values[(size_t)row * f->data.column_count + column])) return false;
  return true;
}

/* Is the word of the terms, behind `before`, something else than a column: a function, a part's name, a unit? */
static bool is_other_word(const struct fits *f, char before, const char *at, size_t length) {
  const char *behind = at + length + strspn(at + length, " ");
  bool part = *behind == '=' && behind[1] != '=';
  return *behind == '(' || part || isdigit((unsigned char)before) || memchr(at, '-', length) ||
         word_is_reserved(at, length) || model_knows_unit(&f->psl->model, arena_copy(&f->psl->work, at, length));
}

/* Each word of the terms is a column, or known otherwise. */
static bool terms_known(struct fits *f) {
  for (size_t i = 0; i < f->options->terms_count; i++) {
    const char *terms = f->options->terms[i];
    char before = 0; /* the last character that is no blank */
    for (const char *at = terms; *at;) {
      size_t length = 0;
      while (isalnum((unsigned char)at[length]) || at[length] == '_' ||
             (length && at[length] == '-' && isalpha((unsigned char)at[length + 1])))
        length++;
      bool word = length && isalpha((unsigned char)*at) && !is_other_word(f, before, at, length);
      if (word && find_column(f, at, length) == f->data.column_count) return no_column(f, "--terms", at, length);
      if (*at != ' ') before = length ? at[length - 1] : *at;
      at += length ? length : 1;
    }
  }
  return true;
}

/* `n p time`: who writes so has columns between blanks. */
static void help_blanks(struct fits *f) {
  const char *name = f->data.columns[f->value].name;
  struct text heads = {.arena = &f->psl->work};
  if (f->data.column_count > 1 || !strpbrk(name, " \t")) return;
  for (const char *at = name; *at; at += strspn(at, " \t")) {
    size_t length = strcspn(at, " \t");
    text_printf(&heads, "%s%.*s", heads.size && *at != '[' ? "," : heads.size ? " " : "", (int)length, at);
    at += length;
  }
  diagnostic_help(&f->psl->diagnostics, nowhere, "columns are parted by commas, semicolons or tabs, in each line: %s",
                  heads.data);
}

static bool find_parameters(struct fits *f) {
  const struct measurements *data = &f->data;
  bool terms = f->options->terms_count > 0;
  uint32_t count = 0;
  f->parameter = ARENA_ARRAY(&f->psl->work, bool, data->column_count);
  if (data->column_count > 1 && !terms_known(f)) return false;
  if (f->options->parameters && !given_parameters(f, f->options->parameters)) return false;
  for (uint32_t i = 0; i < data->column_count && !f->options->parameters; i++)
    f->parameter[i] = i != f->value && (data->extrap ? true
                                        : terms      ? is_named(f, data->columns[i].name)
                                                     : all_numbers(f, i));
  for (uint32_t i = 0; i < data->column_count; i++) {
    if (!f->parameter[i]) continue;
    count++;
    if (is_name(data->columns[i].name)) continue;
    diagnostic_add(&f->psl->diagnostics, SEVERITY_ERROR, data->columns[i].span,
                   "'%s' cannot be a parameter: it is no name of PSL", data->columns[i].name);
    if (!f->options->parameters)
      diagnostic_help(&f->psl->diagnostics, nowhere, "--params NAME,... says which columns are parameters");
    return false;
  }
  if (count) return true;
  if (terms && data->column_count > 1) {
    refuse_options(f, "--terms: they name no column of the file");
    diagnostic_help(&f->psl->diagnostics, nowhere, "a constant alone is the mean; with a column it is '1, %s'",
                    data->columns[f->value ? 0 : 1].name);
    return false;
  }
  diagnostic_add(&f->psl->diagnostics, SEVERITY_ERROR, data->columns[f->value].span, "'%s' has nothing to depend on",
                 data->columns[f->value].name);
  help_blanks(f);
  return false;
}

/* ---- sets and names ---- */

static bool is_meant(const char *wanted, const char *name) { return !wanted || (name && !strcmp(wanted, name)); }

enum { SETS_NAMED = 5 }; /* where none is meant */

static bool find_sets(struct fits *f) {
  const struct psl_fit_options *o = f->options;
  f->sets = ARENA_ARRAY(&f->psl->work, const struct measurement_set *, f->data.set_count);
  f->names = ARENA_ARRAY(&f->psl->work, const char *, f->data.set_count);
  if (!f->data.extrap && (o->region || o->metric))
    return refuse_options(f, "--region and --metric are for Extra-P's files");
  for (uint32_t i = 0; i < f->data.set_count; i++)
    if (is_meant(o->region, f->data.sets[i].region) && is_meant(o->metric, f->data.sets[i].metric))
      f->sets[f->set_count++] = &f->data.sets[i];
  if (f->set_count) return true;
  refuse_options(f, "the file has no such region and metric");
  for (uint32_t i = 0; i < f->data.set_count && i < SETS_NAMED; i++)
    diagnostic_note(&f->psl->diagnostics, f->data.sets[i].span, "it has region %s, metric %s",
                    f->data.sets[i].region ? f->data.sets[i].region : "-",
                    f->data.sets[i].metric ? f->data.sets[i].metric : "-");
  return false;
}

/* A name of PSL made of a text: letters and digits stay, what is between them becomes `_`. */
static const char *name_of_text(struct arena *arena, const char *text) {
  struct text name = {.arena = arena};
  for (; *text; text++) {
    bool fits = isalnum((unsigned char)*text) && (name.size || isalpha((unsigned char)*text));
    if (fits)
      text_char(&name, *text);
    else if (name.size && name.data[name.size - 1] != '_')
      text_char(&name, '_');
  }
  while (name.size && name.data[name.size - 1] == '_')
    name.data[--name.size] = 0;
  if (!name.size || !is_name(name.data)) return "fitted";
  return name.data;
}

static bool is_taken(const struct fits *f, const char *name, uint32_t before) {
  for (uint32_t i = 0; i < f->data.column_count; i++)
    if (f->parameter[i] && !strcmp(f->data.columns[i].name, name)) return true;
  for (uint32_t i = 0; i < before; i++)
    if (!strcmp(f->names[i], name)) return true;
  return false;
}

static bool name_sets(struct fits *f) {
  struct arena *arena = &f->psl->work;
  if (f->options->name && !is_name(f->options->name)) {
    diagnostic_misuse(&f->psl->diagnostics, "--name: '%s' is no name of PSL", f->options->name);
    return false;
  }
  for (uint32_t i = 0; i < f->set_count; i++) {
    const struct measurement_set *set = f->sets[i];
    const char *text = f->data.columns[f->value].name;
    if (f->data.extrap)
      text = set->region && set->metric ? arena_printf(arena, "%s_%s", set->region, set->metric)
             : set->region              ? set->region
             : set->metric              ? set->metric
                                        : text;
    const char *base = f->options->name ? f->options->name : name_of_text(arena, text), *name = base;
    for (uint32_t k = 2; is_taken(f, name, i); k++)
      name = arena_printf(arena, "%s_%u", base, k);
    f->names[i] = name;
  }
  return true;
}

/* ---- declarations ---- */

static void put_string_setting(struct text *out, const char *name, const char *value) {
  if (!value) return;
  text_printf(out, " %s = ", name);
  text_string(out, value);
  text_char(out, ';');
}

static bool put_column_type(struct fits *f, uint32_t column, const char *unit) {
  const struct model *model = &f->psl->model;
  struct type type = {.kind = column != f->value && column_is_whole(&f->data, column) ? TYPE_INT : TYPE_REAL};
  double factor = 1;
  struct span span = f->data.columns[column].unit_span;
  if (unit && !model_unit(&f->psl->model, unit, span, &factor, &type.dimension)) return false;
  if (!dimension_none(type.dimension) || factor != 1) type.kind = TYPE_REAL; /* 150 % is no whole number */
  fitted_type(&f->declarations, &model->types, &type);
  return true;
}

/* ---- formulas as R and Python have them ---- */

/* A term of one: I(n^2) is n^2, n:p a product. */
static void put_term(struct text *out, const char *begin, const char *end) {
  while (begin < end && *begin == ' ')
    begin++;
  while (end > begin && end[-1] == ' ')
    end--;
  if (end - begin > 3 && !strncmp(begin, "I(", 2) && end[-1] == ')') begin += 2, end--;
  for (; begin < end; begin++)
    if (*begin == ':')
      text_put(out, " * ");
    else
      text_char(out, *begin);
}

/* The terms that a formula stands for: a constant comes along with `~`. */
static const char *formula_terms(struct fits *f, const char *formula) {
  const char *tilde = strchr(formula, '~'), *begin = tilde ? tilde + 1 : formula;
  struct text terms = {.arena = &f->psl->work};
  if (tilde) text_put(&terms, "1");
  int depth = 0;
  for (const char *at = begin;; at++) {
    depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    if (*at && (depth > 0 || !(*at == ',' || (tilde && *at == '+')))) continue;
    const char *word = begin + strspn(begin, " ");
    bool constant = tilde && *word == '1' && word + 1 + strspn(word + 1, " ") == at;
    if (!constant && terms.size) text_put(&terms, ", ");
    if (!constant) put_term(&terms, begin, at);
    if (!*at) return terms.data;
    begin = at + 1;
  }
}

static bool are_formulas(struct fits *f) {
  for (size_t i = 0; i < f->options->terms_count; i++) {
    const char *terms = f->options->terms[i], *squared = strstr(terms, "I(");
    bool quoted = squared && (squared == terms || !isalnum((unsigned char)squared[-1]));
    if (!strpbrk(terms, "~:") && !quoted) continue;
    diagnostic_misuse(&f->psl->diagnostics, "--terms: '%s' is a formula of another language", terms);
    diagnostic_help(&f->psl->diagnostics, nowhere,
                    "terms are parted by commas, and each has a coefficient: --terms '%s'", formula_terms(f, terms));
    return true;
  }
  return false;
}

/* `1; n` */
static bool are_parted(struct fits *f) {
  for (size_t i = 0; i < f->options->terms_count; i++) {
    struct text commas = {.arena = &f->psl->work};
    if (!strchr(f->options->terms[i], ';')) continue;
    for (const char *at = f->options->terms[i]; *at; at++)
      text_char(&commas, *at == ';' ? ',' : *at);
    diagnostic_misuse(&f->psl->diagnostics, "--terms: terms are parted by commas, not by ';'");
    diagnostic_help(&f->psl->diagnostics, nowhere, "write --terms '%s'", commas.data);
    return false;
  }
  return true;
}

static bool declare(struct fits *f, uint32_t which, const char *name) {
  const struct psl_fit_options *o = f->options;
  const struct measurement_set *set = f->sets[which];
  const struct measurement_column *value = &f->data.columns[f->value];
  struct text *out = &f->declarations;
  bool first = true;
  if (o->relative && o->absolute)
    return refuse_options(f, "errors count as parts or as they are: --relative or --absolute");
  if (o->unit && value->unit) return refuse(f, value->unit_span, "--unit: the column has a unit of its own");
  text_printf(out, "fit %s(", name);
  for (uint32_t i = 0; i < f->data.column_count; i++) {
    if (!f->parameter[i]) continue;
    text_printf(out, "%s%s : ", first ? "" : ", ", f->data.columns[i].name);
    if (!put_column_type(f, i, f->data.columns[i].unit)) return false;
    first = false;
  }
  text_put(out, ") -> ");
  if (!put_column_type(f, f->value, value->unit ? value->unit : o->unit)) return false;
  text_put(out, " from \"measurements\" {");
  if (!f->data.extrap) put_string_setting(out, "column", value->name);
  put_string_setting(out, "region", set->region);
  put_string_setting(out, "metric", set->metric);
  if (o->unit) text_printf(out, " scale = 1 %s;", o->unit);
  if (o->log) text_put(out, " log = true;");
  if (o->relative || o->absolute) text_printf(out, " relative = %s;", o->relative ? "true" : "false");
  if (o->negative) text_put(out, " negative = true;");
  if (o->max_terms) text_printf(out, " max-terms = %u;", o->max_terms);
  if (o->folds) text_printf(out, " folds = %u;", o->folds);
  return true;
}

/* How many fits a set has: one for each list of terms, or that of the search. */
static uint32_t lists_of(const struct fits *f) {
  return f->options->terms_count ? (uint32_t)f->options->terms_count : 1;
}

/* The name of the fit of a further list, which none else has. */
static const char *list_name(const struct fits *f, uint32_t set, uint32_t list) {
  if (!list) return f->names[set];
  const char *name = arena_printf(&f->psl->work, "%s_terms%u", f->names[set], list + 1);
  while (is_taken(f, name, f->set_count))
    name = arena_printf(&f->psl->work, "%s_", name);
  return name;
}

/* A text for each declaration, in which what was given stands on lines of its own, the first of which is line 1. */
static bool load_declarations(struct fits *f) {
  struct psl *psl = f->psl;
  uint32_t lists = lists_of(f), count = f->set_count * lists;
  const char *name = !f->options->where ? "--terms" : f->options->terms_count ? "--terms, --where" : "--where";
  struct load_text *texts = ARENA_ARRAY(&psl->lasting, struct load_text, count);
  for (uint32_t i = 0; i < count; i++) {
    f->declarations = (struct text){.arena = &psl->lasting};
    if (!declare(f, i / lists, list_name(f, i / lists, i % lists))) return false;
    if (f->options->terms_count) text_printf(&f->declarations, " terms\n%s;\n", f->options->terms[i % lists]);
    if (f->options->where) text_printf(&f->declarations, " where\n%s;\n", f->options->where);
    text_put(&f->declarations, " }\n");
    texts[i] = (struct load_text){
        .name = name, .text = f->declarations.data, .size = f->declarations.size, .lines_before = UINT32_MAX};
  }
  handle_drop_model(psl);
  handle_prepare(psl);
  struct load_options options = handle_load_options(psl);
  options.measured = &f->file;
  return model_load_session(&psl->model, texts, count, &options);
}

/* ---- points ---- */

static bool term_values(struct fits *f, const struct model_fit *fit, const double *arguments, double *row) {
  struct model *m = &f->psl->model;
  struct environment e = {
      .model = m, .scratch = &f->psl->work, .locals = ARENA_ARRAY(&f->psl->work, struct value, m->slot_max + 1)};
  for (uint32_t i = 0; i < fit->points.parameters; i++)
    e.locals[i] = fit->types[i]->kind == TYPE_INT ? value_integer((int64_t)arguments[i]) : value_real(arguments[i]);
  for (uint32_t k = 0; k < fit->term_count; k++) {
    struct value value;
    if (!evaluate(&e, fit->terms[k].expr, &value)) return false;
    row[k] = value.kind == VALUE_INT ? (double)value.integer : value.real;
  }
  return true;
}

static bool add_point(struct fits *f, struct fitted *fitted, struct fitted_point *point) {
  const struct model_fit *fit = fitted->fit;
  double row[fit->term_count];
  if (!term_values(f, fit, point->arguments, row)) return false;
  struct band band = regression_band(&fit->regression, row, fitted->level);
  point->fitted = fit_value(fit, band.value);
  for (int k = 0; k < 2; k++) {
    double sign = k ? 1 : -1;
    point->mean[k] = fit_value(fit, band.value + sign * band.mean);
    point->prediction[k] = fit_value(fit, band.value + sign * band.prediction);
  }
  fitted->points[fitted->count++] = *point;
  return true;
}

static bool wanted_value(struct fits *f, const struct source *source, const struct type *type, double *out) {
  struct model *m = &f->psl->model;
  struct question question;
  struct value value;
  if (!model_question(m, source, &question)) return false;
  struct environment e = {.model = m,
                          .scratch = &f->psl->work,
                          .locals = ARENA_ARRAY(&f->psl->work, struct value, evaluate_slots(question.expr) + 1)};
  const struct type *got = question.type;
  bool whole = type->kind == TYPE_INT && got->kind == TYPE_REAL && dimension_none(got->dimension); /* 1e9 */
  if (whole) {
    if (!evaluate_as(&e, question.expr, f->psl->model.types.real, &value)) return false;
    *out = value.real;
    if (value.real == nearbyint(value.real)) return true;
    diagnostic_add(&f->psl->diagnostics, SEVERITY_ERROR, question.expr->span,
                   "the parameter is a whole number, as it was measured");
    return false;
  }
  bool fits = got->kind == TYPE_INT ? dimension_none(type->dimension)
                                    : got->kind == TYPE_REAL && type->kind == TYPE_REAL &&
                                          dimension_equal(got->dimension, type->dimension);
  if (!fits) {
    struct text text = {.arena = &f->psl->work};
    type_print(&text, &m->types, type);
    diagnostic_add(&f->psl->diagnostics, SEVERITY_ERROR, question.expr->span, "the parameter is %s", text.data);
    return false;
  }
  if (!evaluate_as(&e, question.expr, type, &value)) return false;
  *out = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return true;
}

/* What --at lacks: a name that the fit has, or one that it depends on, too. */
static bool refuse_at(struct fits *f, const struct model_fit *fit, const char *text) {
  struct diagnostics *d = &f->psl->diagnostics;
  uint32_t count = fit->points.parameters;
  struct text wanted = {.arena = &f->psl->work};
  for (uint32_t i = 0; i < count; i++) {
    bool whole = fit->types[i]->kind == TYPE_INT;
    text_printf(&wanted, "%s%s=", i ? "," : "", fit->parameters[i]);
    quantity_print(&wanted, &f->psl->model.types, fit->ranges[i].high,
                   whole ? (struct dimension){{0}} : fit->types[i]->dimension, 6);
  }
  size_t name = strcspn(text, "=,");
  const char *given = arena_copy(&f->psl->work, text, name), *near = NULL;
  bool known = false;
  for (uint32_t i = 0; i < count; i++)
    known |= strcmp(fit->parameters[i], given) == 0;
  if (text[name] == '=' && !known) near = nearest_name(given, fit->parameters, count);
  if (text[name] == '=' && !known)
    diagnostic_misuse(d, "--at: the fit does not depend on '%s'", given);
  else
    diagnostic_misuse(d, "--at: '%s' does not give each param one value", text);
  if (near)
    diagnostic_help(d, nowhere, "did you mean '%s'? It is written: --at '%s'", near, wanted.data);
  else
    diagnostic_help(d, nowhere, "it is written: --at '%s'", wanted.data);
  return false;
}

/* `n=100,m=4 MB` */
static bool read_at(struct fits *f, const struct model_fit *fit, const char *text, double *out) {
  struct psl *psl = f->psl;
  uint32_t count = fit->points.parameters, given = 0;
  bool seen[count];
  memset(seen, 0, sizeof seen);
  for (const char *at = text; *at;) {
    size_t name = strcspn(at, "=,"), length = at[name] == '=' ? strcspn(at + name + 1, ",") : 0;
    uint32_t i = 0;
    while (i < count && (strlen(fit->parameters[i]) != name || memcmp(fit->parameters[i], at, name)))
      i++;
    bool joined = length && memchr(at + name + 1, '=', length); /* n=4 m=2 */
    if (at[name] != '=' || i == count || seen[i] || joined) break;
    const struct source *source = source_add(&psl->sources, "--at", at + name + 1, length);
    if (!source || !wanted_value(f, source, fit->types[i], &out[i])) return false;
    seen[i] = true;
    given++;
    at += name + 1 + length;
    at += *at == ',';
    if (!*at && given == count) return true;
  }
  return refuse_at(f, fit, text);
}

static bool make_points(struct fits *f, struct fitted *fitted) {
  const struct fit_points *p = &fitted->fit->points;
  struct arena *arena = &f->psl->work;
  size_t extra = f->options->at_count;
  fitted->points = ARENA_ARRAY(arena, struct fitted_point, p->count + extra);
  for (uint32_t i = 0; i < p->count; i++) {
    struct fitted_point point = {.arguments = p->arguments + (size_t)i * p->parameters,
                                 .count = (uint64_t)p->observations.times[i],
                                 .measured = fit_value(fitted->fit, p->observations.y[i])};
    if (!add_point(f, fitted, &point)) return false;
  }
  for (size_t i = 0; i < extra; i++) {
    double *arguments = ARENA_ARRAY(arena, double, p->parameters);
    struct fitted_point point = {.arguments = arguments, .measured = NAN};
    if (!read_at(f, fitted->fit, f->options->at[i], arguments) || !add_point(f, fitted, &point)) return false;
  }
  return true;
}

/* ---- sums that fit as well ---- */

/* Where they are compared: at the points that were asked for, or beyond what was measured. */
static void make_places(struct fits *f, struct fitted *fitted) {
  enum { BEYOND = 4 }; /* times the greatest value of each parameter */
  const struct fit_points *p = &fitted->fit->points;
  size_t asked = fitted->count - p->count;
  fitted->place_count = asked ? asked : 1;
  fitted->places = ARENA_ARRAY(&f->psl->work, const double *, fitted->place_count);
  for (size_t i = 0; i < asked; i++)
    fitted->places[i] = fitted->points[p->count + i].arguments;
  if (asked) return;
  double *beyond = ARENA_ARRAY(&f->psl->work, double, p->parameters);
  for (uint32_t i = 0; i < p->parameters; i++)
    beyond[i] = BEYOND * fitted->fit->ranges[i].high;
  fitted->places[0] = beyond;
}

static bool add_sum(struct fits *f, struct fitted *fitted, const struct model_fit *fit) {
  struct fitted_sum *sum = &fitted->sums[fitted->sum_count++];
  double row[fit->term_count];
  sum->fit = fit;
  sum->predicted = ARENA_ARRAY(&f->psl->work, double, fitted->place_count);
  for (size_t place = 0; place < fitted->place_count; place++) {
    if (!term_values(f, fit, fitted->places[place], row)) return false;
    sum->predicted[place] = fit_value(fit, regression_band(&fit->regression, row, fitted->level).value);
  }
  return true;
}

/* `lists`: fits of other lists of terms; those of a search are its fit's. */
static bool make_sums(struct fits *f, struct fitted *fitted, struct model_fit *const *lists, uint32_t count) {
  const struct model_fit *fit = fitted->fit;
  make_places(f, fitted);
  fitted->sums = ARENA_ARRAY(&f->psl->work, struct fitted_sum, 1 + fit->other_count + count);
  if (!add_sum(f, fitted, fit)) return false;
  for (uint32_t i = 0; i < fit->other_count; i++)
    if (!add_sum(f, fitted, &fit->others[i])) return false;
  for (uint32_t i = 0; i < count; i++)
    if (lists[i] != fit && lists[i]->validated <= fit->validated + fit->validated_error &&
        !add_sum(f, fitted, lists[i]))
      return false;
  return true;
}

/* Of several lists of terms the one that predicts best what is left out. */
static struct model_fit *best_list(struct model_fit *const *lists, uint32_t count) {
  struct model_fit *best = lists[0];
  for (uint32_t i = 1; i < count; i++)
    if (lists[i]->validated < best->validated || isnan(best->validated)) best = lists[i];
  return best;
}

/* ---- terms ---- */

/* The parts of a sum, parted by commas; what is no sum as it is. */
static void put_parts(struct text *list, const struct expr *sum) {
  if (sum->kind == EXPR_BINARY && sum->binary.op == OP_ADD) {
    put_parts(list, sum->binary.left);
    text_put(list, ", ");
    sum = sum->binary.right;
  }
  expr_format(list, sum);
}

/* All terms as a list: `sums` parted, and behind a constant where one is added. */
static const char *terms_text(struct fits *f, const struct model_fit *fit, bool constant, bool parted) {
  struct text list = {.arena = &f->psl->work};
  if (constant) text_put(&list, "1");
  for (uint32_t k = 0; k < fit->term_count; k++) {
    if (list.size) text_put(&list, ", ");
    if (parted)
      put_parts(&list, fit->terms[k].expr);
    else
      expr_format(&list, fit->terms[k].expr);
  }
  return list.data;
}

/* `1 + n`, which has one coefficient as a whole, where a list of terms may be meant. */
static bool note_sum(struct fits *f, const struct model_fit *fit) {
  if (f->options->terms_count != 1) return false;
  for (uint32_t k = 0; k < fit->term_count; k++) {
    const struct expr *sum = fit->terms[k].expr;
    if (!sum || sum->kind != EXPR_BINARY || sum->binary.op != OP_ADD) continue;
    diagnostic_add(&f->psl->diagnostics, SEVERITY_NOTE, sum->span, "this sum is one term, with one coefficient");
    diagnostic_help(&f->psl->diagnostics, nowhere, "terms of which each has one are parted by commas: --terms '%s'",
                    terms_text(f, fit, false, true));
    return true;
  }
  return false;
}

/* Is what is left more than rounding of what was measured? */
static bool leaves_much(const struct model_fit *fit) {
  double most = 0;
  for (uint32_t i = 0; i < fit->points.count; i++)
    most = fmax(most, fit->regression.relative ? 1 : fabs(fit->points.observations.y[i]));
  return fit->regression.sigma > 1e-9 * most;
}

/* Terms that make no constant, where one more that is one would leave much less. */
static bool note_constant(struct fits *f, const struct fitted *fitted) {
  const struct model_fit *fit = fitted->fit;
  const struct fit_points *p = &fit->points;
  uint32_t terms = fit->term_count + 1, wrong;
  struct regression with;
  if (f->options->terms_count > 1 || fit->searched || fit->regression.constant || !leaves_much(fit)) return true;
  double *design = ARENA_ARRAY(&f->psl->work, double, (size_t)p->count *terms);
  for (uint32_t i = 0; i < p->count; i++) {
    double *row = design + (size_t)i * terms;
    if (!term_values(f, fit, p->arguments + (size_t)i * p->parameters, row)) return false;
    row[terms - 1] = 1;
  }
  if (regression_fit(&f->psl->work, design, terms, &p->observations, &with, &wrong) != REGRESSION_FINE) return true;
  double less = 1 - with.sigma / fit->regression.sigma;
  if (!(less > 1.0 / 3)) return true;
  diagnostic_add(&f->psl->diagnostics, SEVERITY_NOTE, fit->terms[0].expr->span,
                 "no term is a constant: with one the standard deviation of residuals is %.0f %% less", 100 * less);
  diagnostic_help(&f->psl->diagnostics, nowhere, "add the term 1: --terms '%s'", terms_text(f, fit, true, false));
  return true;
}

/* ---- the report ---- */

static void put_psl(struct fits *f, struct output *out, const struct fitted *fitted, uint32_t count) {
  struct text text = {.arena = &f->psl->work};
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_char(&text, '\n');
    fitted_psl(&text, &fitted[i]);
  }
  const struct source *source = source_add(&f->psl->sources, "fitted", text.data, text.size);
  struct file *file = parse_file(&f->psl->work, &f->psl->names, &f->psl->diagnostics, source);
  if (file->broken)
    text_put_n(&out->text, text.data, text.size);
  else
    ast_format(&out->text, file);
}

static void write_report(struct fits *f, const struct fitted *fitted, uint32_t count) {
  struct report report;
  if (f->options->functions) {
    output_open(&report.own, &f->psl->work, f->given->write, f->given->user);
    report.own.source = true;
    put_psl(f, &report.own, fitted, count);
    output_close(&report.own);
    return;
  }
  report_open(&report, f->options->format, f->psl->columns, &f->psl->work, f->given->write, f->given->user);
  report.single = format_is_lines(f->options->format);
  report.main = f->options->table == PSL_FIT_TERMS ? "terms" : f->options->table == PSL_FIT_FITS ? "fits" : NULL;
  report_fits(&report, fitted, count);
  report_close(&report);
}

/* ---- fits of models ---- */

void handle_note_fits(struct psl *psl) {
  const struct model *model = &psl->model;
  for (uint32_t i = 0; i < model->function_count; i++) {
    const struct model_function *function = model->functions[i];
    struct text quality = {.arena = &psl->work}, scatter = {.arena = &psl->work}, growth = {.arena = &psl->work};
    if (!function->fit || function->part || !model_owns(model, function->symbol->file)) continue;
    const struct model_fit *fit = function->fit->fitted;
    fitted_quality(&quality, fit);
    fitted_scatter(&scatter, fit);
    fitted_growth(&growth, &(struct fitted){.model = model, .fit = fit}, "'relative = true;'");
    diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, function->symbol->span, "'%s' is fitted to %s", fit->name,
                   fit->origin);
    diagnostic_note(&psl->diagnostics, nowhere, "%s = %s", fit->name, fit->shown);
    diagnostic_note(&psl->diagnostics, nowhere, "%s", quality.data);
    if (scatter.size) diagnostic_note(&psl->diagnostics, nowhere, "%s", scatter.data);
    if (growth.size) diagnostic_note(&psl->diagnostics, nowhere, "%s", growth.data);
  }
}

bool handle_explain_fit(struct psl *psl, const char *name, struct output *out) {
  static const struct psl_fit_options none;
  const struct model *model = &psl->model;
  struct fits f = {.psl = psl, .options = &none};
  for (uint32_t i = 0; i < model->function_count; i++) {
    const struct model_function *function = model->functions[i];
    if (!function->fit || function->part || strcmp(function->symbol->name->text, name)) continue;
    struct fitted fitted = {.model = model, .fit = function->fit->fitted, .level = LEVEL};
    if (!make_points(&f, &fitted) || !make_sums(&f, &fitted, NULL, 0)) return false;
    struct report report;
    report_open(&report, PSL_TEXT, psl->columns, &psl->work, out->write, out->user);
    report_fits(&report, &fitted, 1);
    report_close(&report);
    return true;
  }
  return false;
}

/* ---- psl_fit ---- */

static enum psl_code work_fit(struct psl *psl, void *arguments) {
  const struct fit_given *given = arguments;
  struct fits f = {.psl = psl, .given = given, .options = given->options};
  psl->memory.breakable = true;
  if (!read_file(&f) || !load_units(&f) || are_formulas(&f) || !find_value(&f) || !find_parameters(&f) ||
      !find_sets(&f) || !are_parted(&f) || !name_sets(&f) || !load_declarations(&f))
    return PSL_WRONG;
  struct model *model = &psl->model;
  struct fitted *fitted = ARENA_ARRAY(&psl->work, struct fitted, f.set_count);
  uint32_t lists = lists_of(&f), count = 0;
  struct model_fit **fits = ARENA_ARRAY(&psl->work, struct model_fit *, f.set_count * lists);
  for (uint32_t i = 0; i < model->function_count; i++)
    if (model->functions[i]->fit && !model->functions[i]->part) fits[count++] = model->functions[i]->fit->fitted;
  for (uint32_t i = 0; i < f.set_count; i++) {
    struct model_fit *best = best_list(fits + i * lists, lists);
    best->name = f.names[i];
    bool sum = note_sum(&f, best);
    fitted[i] = (struct fitted){
        .model = model, .fit = best, .level = given->options->level > 0 ? given->options->level : LEVEL};
    if (!sum && !note_constant(&f, &fitted[i])) return PSL_WRONG;
    if (!make_points(&f, &fitted[i]) || !make_sums(&f, &fitted[i], fits + i * lists, lists)) return PSL_WRONG;
  }
  write_report(&f, fitted, f.set_count);
  return psl->diagnostics.errors ? PSL_WRONG : PSL_OK;
}

enum psl_code psl_fit(struct psl *psl, const char *path, const struct psl_fit_options *options, psl_write *write,
                      void *user) {
  static const struct psl_fit_options none;
  struct fit_given given = {path, options ? options : &none, write, user};
  struct psl *own = psl_open(&psl->options); /* the handle's model stays */
  if (!own) return PSL_MEMORY;
  own->columns = psl->columns;
  enum psl_code code = handle_enter(own, work_fit, &given);
  psl->errors += psl_errors(own);
  psl->warnings += psl_warnings(own);
  psl_close(own);
  return code;
}
