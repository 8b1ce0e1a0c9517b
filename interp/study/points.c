/* Points: their enumeration, and the params' values there.  The values are given to the model as settings
 * that are trees already, so that nothing is parsed or checked a point. */
#include "interp/study/study.h"
#include "interp/check/load.h"
#include "interp/evaluate/reached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits behind the point of a number as people write it; -1: it has more than 15 digits, or is very small. */
static int decimals_of(double number) {
  char text[32];
  snprintf(text, sizeof text, "%.14e", number);
  if (strtod(text, NULL) != number) return -1;
  char *end = strchr(text, 'e');
  int decimals = 14 - atoi(end + 1);
  for (const char *digit = end - 1; *digit == '0'; digit--)
    decimals--;
  return decimals < 0 ? 0 : decimals > 30 ? -1 : decimals;
}

/* The number with so many digits behind the point, as it would be written; -1: as it is. */
static double with_decimals(double number, int decimals) {
  char text[64];
  if (decimals < 0 || decimals > 30 || fabs(number) >= 1e15) return number;
  snprintf(text, sizeof text, "%.*f", decimals, number);
  return strtod(text, NULL);
}

/* 0.3, which 0 + 3 x 0.1 misses: sums and products of decimal numbers are decimal. */
static double decimal_near(const struct study_axis *axis, uint64_t k, double number) {
  int of_low = decimals_of(axis->low), of_step = decimals_of(axis->step);
  if (of_low < 0 || of_step < 0 || (axis->geometric && of_step && k > 30)) return number;
  int decimals = axis->geometric ? of_low + (of_step ? of_step * (int)k : 0) : of_low > of_step ? of_low : of_step;
  return with_decimals(number, decimals);
}

double study_axis_at(const struct study_axis *axis, uint64_t k) {
  if (axis->items) return (double)k;
  double at = axis->geometric ? axis->low * pow(axis->step, (double)k) : axis->low + (double)k * axis->step;
  if (axis->type->kind != TYPE_INT) return decimal_near(axis, k, at);
  return axis->geometric ? nearbyint(at) : at;
}

void study_point_at(const struct study_plan *plan, uint64_t number, struct study_point *point) {
  point->number = (int64_t)number;
  point->repetition = 0;
  for (uint32_t a = plan->axis_count; a-- > 0;) {
    const struct study_axis *axis = &plan->axes[a];
    if (axis->tied) continue;
    point->at[axis->place] = study_axis_at(axis, number % axis->count);
    number /= axis->count;
  }
}

static struct expr *setting_of(const struct study_axis *axis, const struct study_point *point) {
  if (axis->tied) return axis->tied;
  double at = point->at[axis->place];
  if (axis->items) return axis->items[(size_t)at];
  switch (axis->literal->kind) {
  case EXPR_INTEGER: axis->literal->integer = (int64_t)at; break;
  case EXPR_QUANTITY: axis->literal->quantity.value = at; break;
  default: axis->literal->real = at; break;
  }
  return axis->literal;
}

/* A setting that is a range where the model was checked for a number, or back, makes it to be checked again.
 */
static void set_param(struct model *model, struct study_axis *axis, struct expr *setting) {
  enum type_kind kind = setting->type->kind;
  const struct type *type = kind == TYPE_RANGE || kind == TYPE_DISTRIBUTION ? setting->type : axis->type;
  if (type != axis->param->type) model->loading->stale = true;
  axis->param->setting = setting;
}

/* What is the same as at the point that was set before keeps its value; the reference computes all anew, and so do
 * those who have set params themselves, without axes. */
void study_set(struct study_plan *plan, const struct study_point *point) {
  struct model *model = &plan->psl->model;
  struct symbol *changed[plan->axis_count + 1];
  uint32_t count = 0;
  bool anew = plan->set_when != model->checked + 1 || plan->run.reference || !plan->axis_count;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct study_axis *axis = &plan->axes[a];
    double at = axis->tied ? 0 : point->at[axis->place];
    if (!axis->settled || at != axis->at) changed[count++] = axis->param;
    axis->at = at;
    set_param(model, axis, setting_of(axis, point));
  }
  if (anew)
    model_forget(model);
  else if (count)
    model_forget_reached(model, changed, count);
  plan->set_when = model->checked + 1;
}

void study_restore(struct study_plan *plan) {
  struct model *model = &plan->psl->model;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct symbol *param = plan->axes[a].param;
    if (param->type != plan->axes[a].bound) model->loading->stale = true;
    param->setting = plan->axes[a].set;
  }
  plan->set_when = 0;
  model_forget(model);
}

static struct environment globals(struct study_plan *plan) {
  struct psl *psl = plan->psl;
  return (struct environment){
      .model = &psl->model,
      .scratch = &psl->work,
      .locals = plan->locals,
  };
}

bool study_setting(struct study_plan *plan, const struct symbol *param, const struct type *type, struct value *out) {
  struct environment environment = globals(plan);
  bool uncertain = param->setting->type->kind == TYPE_RANGE || param->setting->type->kind == TYPE_DISTRIBUTION;
  struct value value;
  *out = (struct value){.kind = VALUE_NONE};
  bool has = evaluate_as(&environment, param->setting, uncertain ? param->setting->type : type, &value);
  if (has) *out = value;
  return has;
}

bool study_values(struct study_plan *plan, struct value *values) {
  for (uint32_t a = 0; a < plan->axis_count; a++)
    values[a] = (struct value){.kind = VALUE_NONE};
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (!study_setting(plan, plan->axes[a].param, plan->axes[a].type, &values[a])) return false;
  return true;
}

bool study_allowed(struct study_plan *plan) {
  struct environment environment = globals(plan);
  struct value value;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct symbol *param = plan->axes[a].param;
    if (!evaluate_symbol(&environment, param, param->setting->span, &value)) return false;
  }
  return true;
}

bool study_conditions_hold(struct study_plan *plan, bool *undecided) {
  struct environment environment = globals(plan);
  *undecided = false;
  for (uint32_t w = 0; w < plan->where_count && !*undecided; w++) {
    struct value value;
    *undecided = !evaluate(&environment, plan->wheres[w]->condition, &value);
    if (!*undecided && !value.boolean) return false;
  }
  return true;
}

/* A condition may well leave out the points whose params are outside of their ranges. */
bool study_wanted(struct study_plan *plan, bool *undecided) {
  struct model *model = &plan->psl->model;
  bool still, wanted = study_conditions_hold(plan, undecided);
  if (!*undecided) return wanted;
  model_forget(model);
  model->unbounded = true;
  wanted = study_conditions_hold(plan, &still);
  model_forget(model);
  return wanted;
}

enum { COUNTED_AT_MOST = 1 << 18 };

void study_count(struct study_plan *plan) {
  struct psl *psl = plan->psl;
  struct study_point point = {.at = ARENA_ARRAY(&psl->handed, double, plan->free_count)};
  struct handle_catch caught;
  plan->wanted = plan->size;
  plan->counted = !plan->where_count || plan->size <= COUNTED_AT_MOST;
  if (!plan->where_count || !plan->counted) return;
  handle_catch(&caught, psl); /* what is wrong is said where the points are run */
  for (uint64_t number = 0; number < plan->size; number++) {
    study_point_at(plan, number, &point);
    study_set(plan, &point);
    plan->wanted -= !study_wanted(plan, &point.undecided);
    arena_reset(&psl->work);
  }
  study_restore(plan);
  handle_release(&caught);
}

/* ---- expressions over a row ---- */

static struct value value_of(const struct type *type, double figure) {
  if (isnan(figure)) return (struct value){.kind = VALUE_NONE};
  return type->kind == TYPE_INT ? value_integer((int64_t)figure) : value_real(figure);
}

void study_open_row(struct study_plan *plan, const struct study_row *row) {
  const struct model_study *study = plan->study;
  for (uint32_t u = 0; u < study->use_count; u++) {
    const struct study_use *use = &study->uses[u];
    double figure = row->status == STUDY_DONE ? row->results[use->result] : (double)NAN;
    plan->locals[use->symbol->slot] = value_of(use->symbol->type, figure);
  }
}

bool study_evaluate(struct study_plan *plan, const struct expr *expr, struct value *out) {
  struct environment environment = globals(plan);
  environment.lack_allowed = true;
  if (evaluate(&environment, expr, out)) return true;
  *out = (struct value){.kind = VALUE_NONE};
  return environment.lacked;
}

static void take_value(struct study_plan *plan, const struct study_column *column, struct value value) {
  if (column->slot != (uint32_t)STUDY_NONE) plan->locals[column->slot] = value;
}

void study_column_open(struct study_plan *plan, const struct study_column *column, struct value *out) {
  study_evaluate(plan, column->value, out);
  take_value(plan, column, *out);
}

bool study_column_close(struct study_plan *plan, const struct study_column *column, struct value *value) {
  struct value holds = value_boolean(true);
  if (column->condition) study_evaluate(plan, column->condition, &holds);
  if (holds.kind != VALUE_BOOL || !holds.boolean) *value = (struct value){.kind = VALUE_NONE};
  take_value(plan, column, *value);
  return holds.kind != VALUE_BOOL || holds.boolean;
}
