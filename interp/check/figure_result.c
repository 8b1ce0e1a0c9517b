/* Figures of evaluators as results of a study: mean-level-of-buffer_0, named as the session's `last` names them.  An
 * evaluator says which kinds there are; of which instance a figure is its name tells.  Called by result.c. */
#include "interp/check/checker.h"

#include <ctype.h>
#include <string.h>

/* The component that a text COMPONENT_1_0, perhaps with -by-CLASS behind it, names; *indices: how many there are. */
static const struct model_component *component_of(const struct checker *c, const char *text, uint32_t *indices) {
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    size_t length = component->symbol->name->length;
    if (strncmp(text, component->symbol->name->text, length)) continue;
    const char *at = text + length;
    for (*indices = 0; *at == '_' && isdigit((unsigned char)at[1]); ++*indices)
      at += 1 + strspn(at + 1, "0123456789");
    if (!*at || !strncmp(at, "-by-", 4)) return component;
  }
  return NULL;
}

static bool is_instance(const struct checker *c, const char *text) {
  uint32_t indices;
  const struct model_component *component = component_of(c, text, &indices);
  return component && component->index_count == indices;
}

/* "mean level of" is mean-level-of in names; NULL: the name begins with something else. */
static const char *behind_words(const char *name, const char *words) {
  for (; *words; words++, name++)
    if (*name != (*words == ' ' ? '-' : *words)) return NULL;
  return name;
}

static bool is_figure(const struct checker *c, const struct psl_evaluator_figure *figure, const char *name) {
  const char *rest = behind_words(name, figure->name);
  if (!rest) return false;
  return figure->of_instances ? *rest == '-' && is_instance(c, rest + 1) : !*rest;
}

static const struct psl_evaluator_figure *figure_called(const struct checker *c, const char *name) {
  for (uint32_t e = 0; e < c->model->evaluator_count; e++)
    for (const struct psl_evaluator_figure *f = c->model->evaluators[e]->evaluator->figures; f && f->name; f++)
      if (is_figure(c, f, name)) return f;
  return NULL;
}

/* The COMPONENT_1_0 of the figure's name as runs call it: component[1, 0]. */
static const char *instance_text(struct checker *c, const struct psl_evaluator_figure *figure, const char *name,
                                 const struct model_component **component) {
  const char *of = figure->of_instances ? behind_words(name, figure->name) + 1 : NULL;
  struct text text = {.arena = c->arena};
  uint32_t indices = 0;
  *component = of ? component_of(c, of, &indices) : NULL;
  if (!indices) return NULL;
  text_put(&text, (*component)->symbol->name->text);
  const char *at = of + text.size;
  for (uint32_t i = 0; i < indices; i++) {
    size_t digits = strspn(at + 1, "0123456789");
    text_printf(&text, "%s%.*s", i ? ", " : "[", (int)digits, at + 1);
    at += 1 + digits;
  }
  text_char(&text, ']');
  return text.data;
}

/* What the model declares by the name is meant before it. */
const struct model_result *figure_result(struct checker *c, struct model_study *study, const struct name *name) {
  const struct psl_evaluator_figure *figure = figure_called(c, name->text);
  struct dimension dimension;
  if (!figure || table_first(c, SPACE_VALUE, name) || !base_unit(&c->model->types, figure->unit, &dimension))
    return NULL;
  for (uint32_t i = 0; i < study->own_count; i++)
    if (!strcmp(study->own[i].name, name->text)) return &study->own[i];
  struct model_result result = {.name = name->text,
                                .kind = RESULT_FIGURE,
                                .type =
                                    figure->whole ? c->model->types.integer : type_real(&c->model->types, dimension)};
  result.instance = instance_text(c, figure, name->text, &result.component);
  ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, result);
  return &study->own[study->own_count - 1];
}

/* mean-level-of-buffer[1, 0], as reports have it. */
bool figure_meant(struct checker *c, const struct expr *expr) {
  struct text text = {.arena = c->arena};
  text_put(&text, expr->index.base->name.name->text);
  for (const char *at = expr->index.qualifier; *at; at++)
    if (at == expr->index.qualifier || *at == ' ')
      text_printf(&text, "_%s", *at == ' ' ? "" : arena_copy(c->arena, at, 1));
    else if (*at != ',')
      text_char(&text, *at);
  if (!figure_called(c, text.data)) return false;
  check_help(c, (struct span){0, 0}, "this figure is written %s", text.data);
  return true;
}

/* mean-level-of-tank, where that has an index, or there is no tank. */
bool figure_near(struct checker *c, const char *name) {
  for (uint32_t e = 0; e < c->model->evaluator_count; e++)
    for (const struct psl_evaluator_figure *f = c->model->evaluators[e]->evaluator->figures; f && f->name; f++) {
      const char *rest = f->of_instances ? behind_words(name, f->name) : NULL;
      uint32_t indices;
      if (!rest || *rest != '-') continue;
      const struct model_component *component = component_of(c, rest + 1, &indices);
      if (component)
        check_help(c, (struct span){0, 0}, "of an instance it is written %.*s-%s%s", (int)(rest - name), name,
                   component->symbol->name->text, component->index_count ? "_0" : "");
      else
        check_help(c, (struct span){0, 0}, "behind '%.*s' stands the name of a component, and '%s' is none",
                   (int)(rest - name), name, rest + 1);
      return true;
    }
  return false;
}
