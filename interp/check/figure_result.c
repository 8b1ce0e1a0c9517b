/* Figures of evaluators as results of a study: mean-level-of-buffer_0, named as the session's `last` names them.  An
 * evaluator says which kinds there are; of which instance a figure is its name tells.  Called by result.c. */
#include "interp/check/checker.h"
#include "grammar/children.h"

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

/* "mean level of" is mean-level-of in names; NULL: the name begins with something else. */
static const char *behind_words(const char *name, const char *words) {
  for (; *words; words++, name++)
    if (*name != (*words == ' ' ? '-' : *words)) return NULL;
  return name;
}

/* Is the function one of those, with blanks between them? */
static bool is_among(const char *functions, const char *function) {
  size_t length = strlen(function);
  for (const char *at = functions; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && !strncmp(at, function, length)) return true;
  return false;
}

static bool block_counts(const struct block *block, const struct psl_evaluator *evaluator, const char *functions) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    const struct symbol *callee = stmt_callee(stmt);
    if (callee && callee->evaluator_of == evaluator && is_among(functions, callee->name->text)) return true;
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && block_counts(c.block, evaluator, functions)) return true;
  }
  return false;
}

/* Do its instances have the figure? Of a figure of the whole run no component does. */
static bool counts(const struct model_component *component, const struct psl_evaluator *evaluator,
                   const struct psl_evaluator_figure *figure) {
  for (uint32_t a = 0; figure->functions && a < component->accept_count; a++)
    if (component->accepts[a]->body && block_counts(component->accepts[a]->body, evaluator, figure->functions))
      return true;
  return false;
}

static bool is_figure(const struct checker *c, const struct psl_evaluator *evaluator,
                      const struct psl_evaluator_figure *figure, const char *name) {
  const char *rest = behind_words(name, figure->name);
  uint32_t indices;
  if (!rest || !figure->functions) return rest && !*rest;
  const struct model_component *component = *rest == '-' ? component_of(c, rest + 1, &indices) : NULL;
  return component && component->index_count == indices && counts(component, evaluator, figure);
}

static const struct psl_evaluator_figure *figure_called(const struct checker *c, const char *name) {
  for (uint32_t e = 0; e < c->model->evaluator_count; e++) {
    const struct psl_evaluator *evaluator = c->model->evaluators[e]->evaluator;
    for (const struct psl_evaluator_figure *f = evaluator->figures; f && f->name; f++)
      if (is_figure(c, evaluator, f, name)) return f;
  }
  return NULL;
}

/* The COMPONENT_1_0 of the figure's name as runs call it: component[1, 0]. */
static const char *instance_text(struct checker *c, const struct psl_evaluator_figure *figure, const char *name,
                                 const struct model_component **component) {
  const char *of = figure->functions ? behind_words(name, figure->name) + 1 : NULL;
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

/* The names of the figures that an instance has whose name there ends so, "_1". */
static const char *figures_of(struct checker *c, const struct model_component *component, const char *indices) {
  struct text text = {.arena = c->arena};
  for (uint32_t e = 0; e < c->model->evaluator_count; e++) {
    const struct psl_evaluator *evaluator = c->model->evaluators[e]->evaluator;
    for (const struct psl_evaluator_figure *f = evaluator->figures; f && f->name; f++) {
      if (!counts(component, evaluator, f)) continue;
      if (text.size) text_put(&text, ", ");
      for (const char *at = f->name; *at; at++)
        text_char(&text, *at == ' ' ? '-' : *at);
      text_printf(&text, "-%s%s", component->symbol->name->text, indices);
    }
  }
  return text.data;
}

static const char *first_indices(struct checker *c, const struct model_component *component) {
  struct text text = {.arena = c->arena};
  for (uint32_t i = 0; i < component->index_count; i++)
    text_put(&text, "_0");
  return text.size ? text.data : "";
}

/* [1, 0] as _1_0 */
static const char *indices_written(struct checker *c, const char *indices) {
  struct text text = {.arena = c->arena};
  for (const char *at = indices; *at; at++)
    if (*at == '[' || *at == ',')
      text_char(&text, '_');
    else if (*at != ' ' && *at != ']')
      text_char(&text, *at);
  return text.size ? text.data : "";
}

const char *figures_told(struct checker *c, const struct model_component *component, const char *instance) {
  const char *indices =
      instance ? indices_written(c, instance + component->symbol->name->length) : first_indices(c, component);
  const char *figures = figures_of(c, component, indices);
  return figures ? arena_printf(c->arena, "; and %s", figures) : "";
}

/* The figure of that name, whose words are so long, is none of the component, or lacks an index. */
static void say_near(struct checker *c, const char *name, size_t words, const struct psl_evaluator *evaluator,
                     const struct psl_evaluator_figure *figure) {
  uint32_t indices;
  const struct model_component *component = component_of(c, name + words + 1, &indices);
  if (!component) {
    check_help(c, (struct span){0, 0}, "behind '%.*s' stands the name of a component, and '%s' is none", (int)words,
               name, name + words + 1);
  } else if (counts(component, evaluator, figure)) {
    check_help(c, (struct span){0, 0}, "of an instance it is written %.*s-%s%s", (int)words, name,
               component->symbol->name->text, component->index_count ? "_0" : "");
  } else {
    const char *behind = name + words + 1 + component->symbol->name->length;
    bool one = indices == component->index_count && !strchr(behind, '-');
    const char *figures = figures_of(c, component, one ? behind : first_indices(c, component));
    check_help(c, (struct span){0, 0}, "'%s' has no such figure%s%s", component->symbol->name->text,
               figures ? ": it has " : "", figures ? figures : "");
  }
}

/* mean-level-of-tank, where that has an index, or counts something else, or there is no tank. */
bool figure_near(struct checker *c, const char *name) {
  for (uint32_t e = 0; e < c->model->evaluator_count; e++) {
    const struct psl_evaluator *evaluator = c->model->evaluators[e]->evaluator;
    for (const struct psl_evaluator_figure *f = evaluator->figures; f && f->name; f++) {
      const char *rest = f->functions ? behind_words(name, f->name) : NULL;
      if (!rest || *rest != '-') continue;
      say_near(c, name, (size_t)(rest - name), evaluator, f);
      return true;
    }
  }
  return false;
}
