/* A `fit` by steps: the function goes through what was measured, and holds each measurement until the next one. It is
 * parsed from the conditions that find the measurement, by halves. */
#include "interp/check/fitting.h"

#include <string.h>

enum { STEPS_MOST = 10000 };

bool fitting_check_steps(struct fitting *f) {
  static const char *const formulas[] = {"log", "negative", "folds", "max-terms", "relative"};
  const struct fit *fit = f->fit;
  if (f->function->param_count != 1) return fitting_refuse(f, f->name, "steps are by one parameter");
  if (fit->term_count) return fitting_refuse(f, fit->terms[0].value->span, "steps have no terms");
  for (uint32_t i = 0; i < fit->setting_count; i++)
    for (uint32_t k = 0; k < sizeof formulas / sizeof *formulas; k++) {
      const struct ident *name = &fit->settings[i].name;
      if (strcmp(name->name->text, formulas[k]) != 0) continue;
      check_error(f->c, name->span, "'%s' is for a formula, and steps have none", name->name->text);
      return false;
    }
  return true;
}

/* What holds from the measurement `first` to that before `end`. */
static void put_steps(struct fitting *f, struct text *out, uint32_t first, uint32_t end) {
  const struct fit_points *points = &f->out->points;
  if (end - first == 1) {
    fitting_put_quantity(f, out, points->observations.y[first], f->result);
    return;
  }
  uint32_t middle = first + (end - first) / 2;
  text_printf(out, "if %s < ", f->out->parameters[0]);
  fitting_put_quantity(f, out, points->arguments[middle], type_dimension(f->function->params[0]->type));
  text_put(out, " then ");
  put_steps(f, out, first, middle);
  text_put(out, " else ");
  put_steps(f, out, middle, end);
}

/* Reports have the function as a term, whose coefficient is 1; where all measurements are 0, the constant times 0. */
static bool make_term(struct fitting *f, struct expr *steps) {
  struct model_fit *out = f->out;
  const struct observations *o = &out->points.observations;
  double *design = ARENA_ARRAY(f->c->arena, double, o->points);
  uint32_t term = 0;
  bool none = true;
  for (uint32_t i = 0; i < o->points; i++)
    none &= o->y[i] == 0;
  for (uint32_t i = 0; i < o->points; i++)
    design[i] = none ? 1 : o->y[i];
  out->term_count = 1;
  out->terms = ARENA_NEW(f->c->arena, struct fit_term);
  *out->terms = (struct fit_term){.text = "steps", .expr = steps};
  if (regression_fit(f->c->arena, design, 1, o, &out->regression, &term) != REGRESSION_FINE)
    return fitting_refuse(f, f->name, "the numbers are too large to fit");
  fit_score(f->c->arena, out, design);
  return true;
}

bool fitting_make_steps(struct fitting *f) {
  struct text formula = {.arena = f->c->arena};
  const uint32_t count = f->out->points.count;
  if (count > STEPS_MOST) {
    check_error(f->c, f->name, "steps are of at most %d measurements, and there are %u", STEPS_MOST, count);
    return false;
  }
  put_steps(f, &formula, 0, count);
  f->out->formula = formula.data;
  f->out->shown = arena_printf(f->c->arena, "%u step%s", count, count == 1 ? "" : "s");
  f->function->value = fitting_parse(f, formula.data);
  if (!f->function->value) return false;
  struct expr *term = fitting_parse(f, formula.data);
  return term && expr_check(f->c, f->x, term, NULL)->kind != TYPE_ERROR && make_term(f, term);
}
