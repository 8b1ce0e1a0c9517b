/* Calls of fitted functions outside of the range of their measurements: a warning at the call, once a run. While
 * nobody hears (code is made) such a call has no value, so that it is there to be made when somebody does. */
#include "interp/fit/fit.h"
#include "interp/evaluate/walk.h"
#include <string.h>

static bool was_said(const struct model_fit *fit, struct span span) {
  for (uint32_t i = 0; i < fit->warned_count; i++)
    if (fit->warned[i].begin == span.begin && fit->warned[i].end == span.end) return true;
  return false;
}

static void ends_of(struct value value, double *low, double *high) {
  *low = *high = value.kind == VALUE_INT ? (double)value.integer : value.real;
  if (value.kind == VALUE_RANGE) {
    *low = value.object->range.low;
    *high = value.object->range.high;
  }
}

static const char *number_text(struct environment *e, const struct type *type, double value) {
  return walk_text(e, type, type->kind == TYPE_INT ? value_integer((int64_t)value) : value_real(value));
}

static void say(struct environment *e, struct model_fit *fit, uint32_t param, struct value value, struct span span) {
  const struct fit_range *range = &fit->ranges[param];
  const struct type *type = fit->types[param];
  diagnostic_add(e->model->diagnostics, SEVERITY_WARNING, span, "'%s' is used outside of the range it was fitted in",
                 fit->name);
  diagnostic_note(e->model->diagnostics, (struct span){0, 0}, "%s = %s, measured from %s to %s (%s)",
                  fit->parameters[param], walk_text(e, type, value), number_text(e, type, range->low),
                  number_text(e, type, range->high), fit->origin);
}

bool walk_fitted(struct environment *e, const struct model_function *function, const struct value *arguments,
                 struct span span) {
  struct model_fit *fit = function->fit->fitted;
  for (uint32_t i = 0; fit && i < function->param_count; i++) {
    double low, high, room = 1e-9 * (fit->ranges[i].high - fit->ranges[i].low);
    enum value_kind kind = arguments[i].kind;
    if (kind != VALUE_INT && kind != VALUE_REAL && kind != VALUE_RANGE) continue;
    ends_of(arguments[i], &low, &high);
    if (low >= fit->ranges[i].low - room && high <= fit->ranges[i].high + room) continue;
    if (e->model->diagnostics->unheard) return false;
    if (was_said(fit, span)) return true;
    ARENA_PUSH(e->model->arena, fit->warned, fit->warned_count, fit->warned_capacity, span);
    say(e, fit, i, arguments[i], span);
    return true;
  }
  return true;
}

bool model_forget_warned(struct model *model) {
  bool any = false;
  for (uint32_t f = 0; f < model->function_count; f++) {
    struct model_fit *fit = model->functions[f]->fit ? model->functions[f]->fit->fitted : NULL;
    if (!fit) continue;
    any |= fit->warned_count > 0;
    fit->warned_count = 0;
  }
  return any;
}
