/* Values of params and columns as text: for tables, CSV, JSON and the database. */
#include "grammar/digits.h"
#include "interp/study/study.h"

#define WHOLE_SHOWN INT64_C(1000000000000000) /* below it digits_put has all digits of a whole number */

double study_number(const struct value *value) {
  return value->kind == VALUE_INT ? (double)value->integer : value->kind == VALUE_REAL ? value->real : (double)NAN;
}

static void put_whole(struct text *out, int64_t whole) {
  char digits[DIGITS_ROOM];
  if (whole > -WHOLE_SHOWN && whole < WHOLE_SHOWN)
    text_put_n(out, digits, (size_t)digits_put(digits, (double)whole, 1));
  else
    text_printf(out, "%lld", (long long)whole);
}

bool study_put_number(struct text *out, struct value value) {
  if (value.kind == VALUE_INT)
    put_whole(out, value.integer);
  else if (value.kind == VALUE_REAL)
    text_number(out, value.real);
  else
    return false;
  return true;
}

void study_put_bare(struct text *out, const struct study_plan *plan, const struct type *type, struct value value) {
  if (value.kind == VALUE_STRING)
    text_put_n(out, value.object->text, value.object->count);
  else
    value_print(out, &plan->psl->model.types, plan->psl->model.names, type, value, 0);
}

static void put_param(struct text *out, const struct study_plan *plan, const struct type *type, struct value value,
                      int digits) {
  const struct model *model = &plan->psl->model;
  if (value.kind != VALUE_NONE) value_print(out, &model->types, model->names, type, value, digits);
}

void study_put_param(struct text *out, const struct study_plan *plan, uint32_t axis, struct value value, int digits) {
  put_param(out, plan, plan->axes[axis].type, value, digits);
}

void study_put_json(struct text *out, const struct study_plan *plan, const struct type *type, struct value value) {
  struct text text = {.arena = &plan->psl->work};
  if (study_put_number(out, value)) return;
  if (value.kind == VALUE_NONE) {
    text_put(out, "null");
  } else if (value.kind == VALUE_BOOL) {
    text_put(out, value.boolean ? "true" : "false");
  } else {
    study_put_bare(&text, plan, type, value);
    text_json(out, text.data ? text.data : "");
  }
}

static void put_param_json(struct text *out, const struct study_plan *plan, const struct type *type,
                           struct value value) {
  struct text text = {.arena = &plan->psl->work};
  if (value.kind != VALUE_TERM) {
    study_put_json(out, plan, type, value);
    return;
  }
  put_param(&text, plan, type, value, 0);
  text_json(out, text.data ? text.data : "");
}

void study_put_param_json(struct text *out, const struct study_plan *plan, uint32_t axis, struct value value) {
  put_param_json(out, plan, plan->axes[axis].type, value);
}

void study_put_settings_json(struct text *out, struct study_plan *plan) {
  const struct model *model = &plan->psl->model;
  for (uint32_t i = 0; i < model->param_count; i++) {
    const struct symbol *param = model->params[i];
    bool varied = false;
    struct value value;
    if (!param->was_set || !param->setting) continue;
    for (uint32_t a = 0; a < plan->axis_count; a++)
      varied |= plan->axes[a].param == param;
    if (varied) continue;
    study_setting(plan, param, param->type, &value);
    text_put(out, out->size ? ", " : "");
    text_json(out, study_param_name(plan, param));
    text_put(out, ": ");
    put_param_json(out, plan, param->type, value);
  }
}
