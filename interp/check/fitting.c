/* `fit`: a function whose value is a formula fitted to measurements.  What the declaration says is checked,
 * its columns and rows are read, the terms computed at each point, the coefficients found, and the formula is
 * then parsed like any other: nothing behind the check knows that it was fitted, but for the range it holds
 * in. */
#include "interp/check/fitting.h"
#include "interp/check/load.h"
#include "interp/fit/significance.h"

#include <math.h>
#include <string.h>

enum {
  SEARCH_POINTS = 5, /* fewer tell no growth from another */
  TERMS_MOST = 100,
  FOLDS_MOST = 100
};

static const struct span nowhere = {0, 0};

bool fitting_refuse(struct fitting *f, struct span span, const char *text) {
  check_error(f->c, span, "%s", text);
  return false;
}

/* ---- the declaration ---- */

static bool check_signature(struct fitting *f) {
  const struct model_function *function = f->function;
  const struct type *result = function->symbol->type;
  if (!function->param_count) return fitting_refuse(f, f->name, "a fit has a parameter at least");
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
  check_error(f->c, f->name, "a fit gives a real number, and '%s' is declared to give %s", function->symbol->name->text,
              type_text(f->c, result));
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
  return value->kind == EXPR_STRING || fitting_refuse(f, value->span, "a name in quotes is wanted here");
}

static bool bool_setting(struct fitting *f, const struct expr *value, bool *out) {
  *out = value->kind == EXPR_BOOLEAN && value->boolean;
  return value->kind == EXPR_BOOLEAN || fitting_refuse(f, value->span, "true or false is wanted here");
}

/* `1 ms`, or `1 ms*kB`, which is read as a product. */
static bool unit_setting(struct fitting *f, const struct expr *value) {
  const struct expr *first = value;
  while (first->kind == EXPR_BINARY && first->binary.op != OP_ADD && first->binary.op != OP_SUB)
    first = first->binary.left;
  f->unit = value;
  return first->kind == EXPR_QUANTITY || fitting_refuse(f, value->span, "a quantity is wanted here, as in 1 ms");
}

static bool check_setting(struct fitting *f, const struct field *setting) {
  static const char *const names[] = {"column",   "region", "metric",    "scale",    "log",
                                      "negative", "folds",  "max-terms", "relative", "steps"};
  struct words_list list = {0};
  size_t which = 0, count = sizeof names / sizeof *names;
  const char *name = setting->name.name->text;
  const struct expr *value = setting->value;
  while (which < count && strcmp(names[which], name))
    words_add(f->c, &list, names[which++]);
  switch (which) {
  case 0: return string_setting(f, value, &f->column);
  case 1: return string_setting(f, value, &f->region);
  case 2: return string_setting(f, value, &f->metric);
  case 3: return unit_setting(f, value);
  case 4: return bool_setting(f, value, &f->out->log);
  case 5: f->negative_given = true; return bool_setting(f, value, &f->out->negative);
  case 6: return whole_setting(f, value, 2, FOLDS_MOST, &f->out->folds);
  case 7: return whole_setting(f, value, 1, NORMAL_TERMS, &f->term_limit);
  case 8: f->out->relative_given = true; return bool_setting(f, value, &f->out->relative);
  case 9: return bool_setting(f, value, &f->out->steps);
  default: break;
  }
  check_error(f->c, setting->name.span, "a fit has no setting '%s'", name);
  struct text words = {.arena = f->c->arena};
  expr_format(&words, value);
  bool bracketed = value->kind == EXPR_LIST && words.size > 2;
  if (name_is(setting->name.name, KNOWN_TERMS))
    check_help(f->c, nowhere, "they have no '=' and no brackets: terms %.*s;", (int)words.size - (bracketed ? 2 : 0),
               words.data + bracketed);
  else if (!check_meant(f->c, name, &list))
    check_help(f->c, nowhere, "it has terms, where, at, and %s", words_text(f->c, &list));
  return false;
}

static bool check_settings(struct fitting *f) {
  const struct fit *fit = f->fit;
  bool fine = true;
  f->term_limit = 2;
  for (uint32_t i = 0; i < fit->setting_count; i++)
    fine &= check_setting(f, &fit->settings[i]);
  if (f->out->steps) return fine && fitting_check_steps(f);
  for (uint32_t i = 0; i < fit->setting_count && fit->term_count; i++) {
    const struct ident *name = &fit->settings[i].name;
    if (!name_is(name->name, KNOWN_NEGATIVE) && !name_is(name->name, KNOWN_MAX_TERMS)) continue;
    check_error(f->c, name->span, "'%s' is for a search, and the terms are given", name->name->text);
    fine = false;
  }
  if (f->out->log && f->out->relative)
    fine = fitting_refuse(f, f->name, "errors of a logarithm are parts already: 'relative' says nothing more");
  return fine;
}

/* ---- terms ---- */

static void visit_foreign(void *user, struct symbol *symbol) {
  struct symbol **other = user;
  if (symbol && symbol->kind != SYMBOL_BUILTIN && symbol->kind != SYMBOL_LOCAL && !*other) *other = symbol;
}

const struct symbol *fitting_foreign(const struct expr *expr) {
  struct symbol *other = NULL;
  expr_symbols(expr, visit_foreign, &other);
  return other;
}

static bool check_term(struct fitting *f, struct expr *term, struct dimension *dimension) {
  unsigned errors = f->c->d->errors;
  const struct type *type = expr_check(f->c, f->x, term, NULL);
  if (type->kind == TYPE_ERROR || f->c->d->errors != errors) return false;
  const struct symbol *other = fitting_foreign(term);
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
         fitting_refuse(f, term->span, "the dimension of this term's coefficient is out of range");
}

static uint32_t row_of_point(const struct fit_points *points, uint32_t point) {
  uint32_t row = 0;
  while (points->point[row] != point)
    row++;
  return row;
}

/* The design: points x terms. */
static bool compute_design(struct fitting *f, struct expr *const *terms, uint32_t count, double *design) {
  const struct fit_points *points = &f->out->points;
  for (uint32_t i = 0; i < points->count; i++)
    for (uint32_t k = 0; k < count; k++) {
      const double *arguments = points->arguments + (size_t)i * points->parameters;
      if (fitting_value(f, terms[k], arguments, &design[(size_t)i * count + k])) continue;
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
    fitting_note_alike(f);
    return false;
  case REGRESSION_RANGE: break;
  }
  return fitting_refuse(f, terms_span(f), "the numbers are too large to fit");
}

static bool solve(struct fitting *f, struct expr *const *terms, uint32_t count) {
  struct arena *arena = f->c->arena;
  struct model_fit *out = f->out;
  double *design = ARENA_ARRAY(arena, double, (size_t)out->points.count *count);
  uint32_t term = 0;
  if (!compute_design(f, terms, count, design)) return false;
  for (uint32_t k = 0; k < count; k++)
    out->terms[k].expr = terms[k];
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
  return fitting_refuse(f, term->name.span, "a term of a logarithm is no part of the fit, and has no name");
}

static bool declared_terms(struct fitting *f) {
  const struct fit *fit = f->fit;
  struct arena *arena = f->c->arena;
  bool fine = true;
  struct expr **terms = ARENA_ARRAY(arena, struct expr *, fit->term_count);
  if (fit->term_count > TERMS_MOST) return fitting_refuse(f, terms_span(f), "a fit has 100 terms at most");
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

/* Would the squares of what was measured, and of errors that are a small part of it, be 0? */
static bool vanishes(const struct fit_points *points) {
  double greatest = 0;
  for (uint32_t i = 0; i < points->rows; i++)
    greatest = fmax(greatest, fabs(points->y[i]));
  return greatest > 0 && greatest < 1e-140;
}

static bool none_negative(const struct fit_points *points) {
  for (uint32_t i = 0; i < points->rows; i++)
    if (points->y[i] < 0) return false;
  return true;
}

/* Measurements of one point tell the noise; without them the sum does that is found with negative powers. */
static struct normal_form search(struct fitting *f, const double *x, const struct normal_options *options) {
  const struct observations *o = &f->out->points.observations;
  struct normal_options wider = *options;
  uint32_t parameters = options->parameters;
  uint64_t again = o->count - o->points;
  struct normal_form form = normal_form_search(f->c->arena, x, o, options);
  f->out->points.observations.relative = form.relative;
  double pure = again ? observations_within(o) / (double)again : 0;
  wider.negative = true;
  if (!options->positive || options->negative || !observations_fall(o, parameters, x, pure, again)) return form;
  f->out->falls = true;
  if (f->negative_given || o->points > normal_form_points(&wider)) return form;
  struct normal_form falling = normal_form_search(f->c->arena, x, o, &wider);
  f->out->falls = again || observations_fall(o, parameters, x, falling.noise, falling.freedom);
  f->out->negative = f->out->falls;
  return f->out->falls ? falling : form;
}

/* A sum that was found, as terms of PSL. */
static bool solve_sum(struct fitting *f, const struct normal_sum *sum) {
  struct model_fit *out = f->out;
  uint32_t first = sum->constant, count = sum->count + first;
  struct expr **terms = ARENA_ARRAY(f->c->arena, struct expr *, count);
  out->term_count = count;
  out->terms = ARENA_ARRAY(f->c->arena, struct fit_term, count);
  for (uint32_t k = 0; k < count; k++) {
    out->terms[k].text = k < first ? NULL : fitting_normal_text(f, &sum->terms[k - first]);
    terms[k] = fitting_parse(f, k < first ? "1" : out->terms[k].text);
    if (!terms[k] || !check_term(f, terms[k], &out->terms[k].dimension)) return false;
  }
  return solve(f, terms, count);
}

/* Those that fit as well are fits of their own. */
static bool solve_others(struct fitting *f, const struct normal_form *form) {
  struct model_fit *others = ARENA_ARRAY(f->c->arena, struct model_fit, form->other_count);
  for (uint32_t i = 0; i < form->other_count; i++) {
    struct text shown = {.arena = f->c->arena};
    struct fitting other = *f;
    others[i] = *f->out;
    other.out = &others[i];
    if (!solve_sum(&other, &form->others[i])) return false;
    fitting_put_formula(&other, &shown, 5);
    others[i].shown = shown.data;
  }
  f->out->others = others;
  f->out->other_count = form->other_count;
  return true;
}

/* Beyond these no square of the cube, the highest power that is searched, is a number. */
static const double search_least = 1e-51, search_most = 1e51;

static bool check_powers(struct fitting *f, const double *x) {
  const struct fit_points *points = &f->out->points;
  for (uint32_t i = 0; i < points->count * points->parameters; i++) {
    bool small = x[i] != 0 && fabs(x[i]) < search_least;
    if (!small && fabs(x[i]) <= search_most) continue;
    check_error(f->c, f->name, "no terms can be searched for: the values of '%s' are too %s for powers of it",
                f->out->parameters[i % points->parameters], small ? "small" : "large");
    fitting_ask_terms(f);
    return false;
  }
  return true;
}

static bool searched_terms(struct fitting *f) {
  struct model_fit *out = f->out;
  struct arena *arena = f->c->arena;
  const struct fit_points *points = &out->points;
  uint32_t count = f->function->param_count;
  if (points->count >= SEARCH_POINTS && !fitting_check_searched(f)) return false;
  if (count > NORMAL_PARAMETERS) {
    check_error(f->c, f->name, "terms of more than %d parameters are not searched for", NORMAL_PARAMETERS);
    fitting_ask_terms(f);
    return false;
  }
  if (points->count < SEARCH_POINTS) {
    check_error(f->c, f->name, "a search wants %d different points at least, and there %s %u", SEARCH_POINTS,
                points->count == 1 ? "is" : "are", points->count);
    fitting_ask_terms(f);
    return false;
  }
  struct normal_options options = {
      .parameters = count,
      .most_terms = f->term_limit,
      .negative = out->negative,
      .positive = !out->log && none_negative(points),
      .errors = out->log               ? NORMAL_ABSOLUTE
                : !out->relative_given ? NORMAL_CHOOSE
                : out->relative        ? NORMAL_RELATIVE
                                       : NORMAL_ABSOLUTE,
  };
  if (points->count > normal_form_points(&options)) {
    check_error(f->c, f->name, "a search over %u parameters takes %u different points at most, and there are %u", count,
                normal_form_points(&options), points->count);
    fitting_ask_terms(f);
    return false;
  }
  double *x = ARENA_ARRAY(arena, double, (size_t)points->count *count);
  for (uint32_t i = 0; i < points->count * count; i++)
    x[i] = points->arguments[i] / f->factors[i % count];
  if (!check_powers(f, x)) return false;
  struct normal_form form = search(f, x, &options);
  out->tried = form.tried;
  return solve_sum(f, &form.chosen) && solve_others(f, &form);
}

/* ---- all of it ---- */

/* `psl fit` says it in its report. */
static void warn_of_lack(const struct fitting *f) {
  const struct model_fit *out = f->out;
  if (!fit_lacks(out) || f->c->model->loading->options.measured) return;
  check_warning(f->c, f->name, "'%s' does not fit its measurements: it is off by %.3g %% in the mean", out->name,
                100 * out->smape);
  check_note(f->c, nowhere,
             "that is %.3g times the variance of measurements of one point, which noise makes in fewer than 1 of 1000 "
             "cases (F test)",
             out->regression.lack);
  if (!out->searched)
    check_help(f->c, nowhere, "give other terms, or none: then they are searched for");
  else if (out->falls && !out->negative && f->negative_given)
    check_help(f->c, nowhere, "what was measured falls in part: negative = true; has negative powers searched");
  else if (f->term_limit < NORMAL_TERMS)
    check_help(f->c, nowhere, "max-terms = %u; has sums of more terms searched", f->term_limit + 1);
  else
    fitting_ask_terms(f);
}

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
  f->out->searched = !f->fit->term_count && !f->out->steps;
  if (!fitting_read(f) || !fitting_check_positive(f)) return false;
  fitting_note_points(f);
  fitting_warn_of_columns(f);
  f->out->points.observations.relative = f->out->relative;
  if (!f->out->log && vanishes(&f->out->points)) return fitting_refuse(f, f->name, "the numbers are too small to fit");
  if (f->out->steps) return fitting_make_steps(f);
  if (f->out->searched ? !searched_terms(f) : !declared_terms(f)) return false;
  fitting_put_formula(f, &formula, 0);
  fitting_put_formula(f, &shown, 5);
  f->out->formula = formula.data;
  f->out->shown = shown.data;
  warn_of_lack(f);
  f->function->value = fitting_parse(f, formula.data);
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
  for (uint32_t i = 0; i < count; i++)
    f->factors[i] = 1;
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
