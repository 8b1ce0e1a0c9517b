/* What is known of params before any run: the ranges that they may lie in and the model's assertions, as a set.
 * Called by static_graph.c and task_graph.c. */
#include "interp/resolve/resolve.h"

#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <math.h>

enum { LISTED_VALUES = 16 };

static isl_set *param_between(isl_set *set, uint32_t k, double low, double high) {
  isl_ctx *ctx = isl_set_get_ctx(set);
  if (low > -1e15) set = isl_set_lower_bound_val(set, isl_dim_param, k, isl_val_int_from_si(ctx, (long)ceil(low)));
  if (high < 1e15) set = isl_set_upper_bound_val(set, isl_dim_param, k, isl_val_int_from_si(ctx, (long)floor(high)));
  return set;
}

static isl_set *param_range(const struct symbol *param, isl_set *set, uint32_t k) {
  struct value range = param->range;
  if (range.kind == VALUE_RANGE) return param_between(set, k, range.object->range.low, range.object->range.high);
  if (range.kind != VALUE_LIST || !range.object->count || range.object->count > LISTED_VALUES) return set;
  isl_set *any = isl_set_empty(isl_set_get_space(set));
  for (uint32_t i = 0; i < range.object->count; i++) {
    int64_t value;
    if (!value_number(range.object->items[i], &value)) continue;
    any = isl_set_union(any, param_between(isl_set_copy(set), k, (double)value, (double)value));
  }
  isl_set_free(set);
  return any;
}

isl_set *symbolic_context(struct symbolic *s) {
  const struct model *model = s->r->model;
  isl_set *context = isl_set_universe(isl_space_copy(s->space));
  for (uint32_t k = 0; k < s->param_count; k++)
    context = param_range(s->params[k], context, k);
  for (uint32_t k = 0; k < model->assert_count; k++) {
    bool exact = true;
    context = isl_set_intersect(context, symbolic_set(s, model->asserts[k]->assertion, true, &exact));
  }
  return context;
}
