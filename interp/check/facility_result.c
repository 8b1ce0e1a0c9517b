/* Results of servers: desk.response, and by class of who calls desk.gold.response.  Classes that the model writes out
 * are listed; others, which the run decides, are made when a study names one.  Called by result.c. */
#include "interp/check/checker.h"

#include <string.h>

static bool is_facility(const struct model_component *component) {
  for (uint32_t i = 0; i < component->accept_count; i++)
    if (component->accepts[i]->servers && !component->accepts[i]->unlimited) return true;
  return false;
}

/* The term or text that the attribute is for all instances; NULL: it is something else. */
static const char *class_written(const struct expr *value) {
  enum { DEEP = 16 }; /* params that are other params */
  for (int i = 0; i < DEEP && value && value->kind == EXPR_NAME && value->name.symbol; i++)
    value = value_expr(value->name.symbol);
  if (!value) return NULL;
  if (value->kind == EXPR_NAME && value->name.symbol) return NULL;
  return value->kind == EXPR_NAME ? value->name.name->text : value->kind == EXPR_STRING ? value->string : NULL;
}

/* Of the model's own components. */
static void classes_list(struct checker *c, struct words_list *list) {
  const struct name *class = name_known(c->model->names, KNOWN_CLASS);
  for (uint32_t i = 0; i < c->model->accept_count; i++) {
    const struct model_accept *accept = c->model->accepts[i];
    if (!model_owns(c->model, accept->component->symbol->file)) continue;
    for (uint32_t p = 0; p < accept->profile_count; p++) {
      const char *text = accept->profile[p].attribute->folded == class ? class_written(accept->profile[p].value) : NULL;
      uint32_t k = 0;
      while (text && k < list->count && strcmp(list->items[k], text))
        k++;
      if (text && k == list->count) words_add(c, list, text);
    }
  }
}

static struct model_result facility_result(struct checker *c, const struct model_component *component,
                                           const char *class, enum queueing_figure figure) {
  const char *name = component->symbol->name->text;
  if (class) name = arena_printf(c->arena, "%s.%s", name, class);
  return (struct model_result){.name = arena_printf(c->arena, "%s.%s", name, queueing_words[figure]),
                               .kind = RESULT_FACILITY,
                               .part = figure,
                               .component = component,
                               .class = class,
                               .type = queueing_type(c, figure)};
}

static bool has_half(struct checker *c, const struct model_component *component, enum queueing_figure figure) {
  return figure < QUEUEING_WAITING && is_queueing(c, component);
}

static void class_result_add(struct checker *c, const struct model_component *component, const char *class,
                             enum queueing_figure figure) {
  struct model_result result = facility_result(c, component, class, figure);
  result_add(c, result);
  if (has_half(c, component, figure)) result_add(c, result_half(c, result));
}

void facility_results_add(struct checker *c) {
  struct words_list classes = {0};
  classes_list(c, &classes);
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    for (uint32_t f = 0; is_facility(component) && f < QUEUEING_FIGURES; f++) {
      struct model_result all = facility_result(c, component, NULL, f);
      if (!result_listed(c, all.name)) result_add(c, all); /* as that of a queueing network */
      for (uint32_t k = 0; k < classes.count; k++)
        class_result_add(c, component, classes.items[k], f);
    }
  }
}

bool facility_class_result(struct checker *c, const struct model_component *component, const struct expr *expr,
                           struct model_result *out) {
  const struct expr *class = expr->member.base;
  if (class->kind != EXPR_MEMBER || !is_facility(component)) return false;
  for (uint32_t f = 0; f < QUEUEING_FIGURES; f++) {
    if (strcmp(queueing_words[f], expr->member.member.name->text)) continue;
    *out = facility_result(c, component, class->member.member.name->text, f);
    return true;
  }
  return false;
}

const struct model_result *facility_result_made(struct checker *c, struct model_study *study, const struct expr *expr) {
  const struct expr *class = expr->member.base;
  struct model_result result;
  if (class->kind != EXPR_MEMBER || class->member.base->kind != EXPR_NAME) return NULL;
  const struct symbol *symbol = table_first(c, SPACE_COMPONENT, class->member.base->name.name);
  if (!symbol || !facility_class_result(c, symbol->component, expr, &result)) return NULL;
  for (uint32_t i = 0; i < study->own_count; i++)
    if (!strcmp(study->own[i].name, result.name)) return &study->own[i];
  uint32_t place = study->own_count;
  ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, result);
  if (has_half(c, symbol->component, (enum queueing_figure)result.part))
    ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, result_half(c, result));
  return &study->own[place];
}

/* ---- what is kept of calls ---- */

/* The component that has servers and is no station of a network whose result the text names: desk.gold.response;
 * NULL: it is something else. */
static const struct model_component *facility_named(struct checker *c, const char *dotted) {
  size_t length = strcspn(dotted, ".[");
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    const struct name *name = component->symbol->name;
    if (name->length == length && !strncmp(name->text, dotted, length))
      return is_facility(component) && !is_queueing(c, component) ? component : NULL;
  }
  return NULL;
}

bool is_facility_class(struct checker *c, const char *dotted) {
  return facility_named(c, dotted) && !result_listed(c, dotted);
}

bool facility_keeps_help(struct checker *c, const char *dotted, const char *wanted) {
  bool percentile = is_percentile(wanted);
  bool width = name_is(name_of(c->model->names, wanted), KNOWN_HALF_WIDTH);
  if (!facility_named(c, dotted) || !(percentile || width)) return false;
  const char *option =
      percentile ? arena_printf(c->arena, "quantiles [%s %%]", percentile_text(c, wanted + 1)) : "half-width 5 %";
  check_help(c, (struct span){0, 0},
             "servers keep %s of their calls; a caller can record what its call takes: let begin = clock; call "
             "LABEL(...); record stay = clock - begin, %s; then stay.%s is one",
             percentile ? "no percentiles" : "no intervals", option, wanted);
  return true;
}
