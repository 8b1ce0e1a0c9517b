/* How levels go over the time of a run: called where they change. */
#include "interp/execute/levels.h"
#include "interp/execute/executor.h"
#include "interp/resolve/resolve.h"
#include "grammar/children.h"

#include <string.h>

static const char *instance_text(const struct graph *graph, uint32_t instance, struct arena *arena) {
  struct text text = {.arena = arena};
  graph_instance_print(&text, graph, instance);
  return text.data;
}

static const struct model_component *component_named(const struct model *m, const char *name, size_t length) {
  for (uint32_t i = 0; i < m->component_count; i++) {
    const char *each = m->components[i]->symbol->name->text;
    if (!m->components[i]->system && strlen(each) == length && !memcmp(each, name, length)) return m->components[i];
  }
  return NULL;
}

/* Evaluators open levels for who calls them. */
static bool calls_evaluator(const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    const struct symbol *callee = stmt_callee(stmt);
    if (callee && callee->evaluator_of) return true;
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && calls_evaluator(c.block)) return true;
  }
  return false;
}

/* Can a run have a level of its instances? */
static bool has_levels(const struct model_component *component) {
  for (const struct model_keeping *keeping = component->keepings; keeping; keeping = keeping->next)
    if (keeping->level) return true;
  for (uint32_t a = 0; a < component->accept_count; a++) {
    const struct model_accept *accept = component->accepts[a];
    if (accept->servers && !accept_shares(accept) && !accept->unlimited) return true;
    if (accept->body && calls_evaluator(accept->body)) return true;
  }
  return false;
}

static bool refuse_levels(struct levels *levels, const struct graph *graph, const char *name) {
  const struct model *m = graph->resolver->model;
  struct text others = {.arena = levels->arena};
  for (uint32_t i = 0; i < m->component_count; i++)
    if (graph->instances[i].count && has_levels(m->components[i]))
      text_printf(&others, "%s%s", others.size ? ", " : "", m->components[i]->symbol->name->text);
  diagnostic_misuse(m->diagnostics, "'%s' has no level to draw", name);
  if (others.size)
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "these have: %s", others.data);
  else
    diagnostic_help(m->diagnostics, (struct span){0, 0}, "%s", LEVELS_ARE);
  return false;
}

static bool refuse_component(struct levels *levels, const struct graph *graph, const char *name, size_t length) {
  const struct model *m = graph->resolver->model;
  const char **words = ARENA_ARRAY(levels->arena, const char *, m->component_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->component_count; i++)
    if (graph->instances[i].count && !m->components[i]->system) words[count++] = m->components[i]->symbol->name->text;
  diagnostic_misuse(m->diagnostics, "there is no component '%.*s' whose levels could be drawn", (int)length, name);
  const char *near = nearest_name(arena_copy(levels->arena, name, length), words, count);
  if (near) diagnostic_help(m->diagnostics, (struct span){0, 0}, "did you mean '%s'?", near);
  struct text all = {.arena = levels->arena};
  for (uint32_t i = 0; i < count && i < 20; i++)
    text_printf(&all, "%s%s", i ? ", " : "", words[i]);
  if (!near && count) diagnostic_help(m->diagnostics, (struct span){0, 0}, "the system has %s", all.data);
  return false;
}

bool levels_choose(struct levels *levels, const struct graph *graph, const char *name) {
  struct diagnostics *d = graph->resolver->model->diagnostics;
  levels->last = UINT32_MAX;
  if (!name) return true;
  size_t length = strcspn(name, "[");
  const struct model_component *component = component_named(graph->resolver->model, name, length);
  const struct instances *set = component ? &graph->instances[component->id] : NULL;
  if (!set || (!set->count && !name[length])) return refuse_component(levels, graph, name, length);
  if (!has_levels(component)) return refuse_levels(levels, graph, name);
  levels->first = set->first;
  levels->last = set->first + set->count - 1;
  if (!name[length]) return true;
  for (uint32_t i = 0; i < set->count; i++) {
    if (strcmp(instance_text(graph, set->first + i, levels->arena), name)) continue;
    levels->first = levels->last = set->first + i;
    return true;
  }
  const char *there = set->count ? instance_text(graph, levels->first, levels->arena) : "";
  if (set->count > 1)
    there = arena_printf(levels->arena, "%s to %s", there, instance_text(graph, levels->last, levels->arena));
  diagnostic_misuse(d, "there is no '%s': of '%.*s' the model has %u%s%s", name, (int)length, name, set->count,
                    set->count ? ", " : "", there);
  return false;
}

struct psl_level *level_open(struct levels *levels, uint32_t instance, const char *name, const struct type *type) {
  if (instance < levels->first || instance > levels->last) return NULL;
  if (levels->count == LEVELS) {
    levels->full = true;
    return NULL;
  }
  struct psl_level *level = ARENA_NEW(levels->arena, struct psl_level);
  *level = (struct psl_level){.levels = levels, .instance = instance, .name = name, .type = type};
  ARENA_PUSH(levels->arena, levels->items, levels->count, levels->capacity, level);
  return level;
}

void levels_sort(struct levels *levels) {
  for (uint32_t i = 1; i < levels->count; i++) { /* few, and mostly in order */
    struct psl_level *level = levels->items[i];
    uint32_t place = i;
    for (; place && levels->items[place - 1]->instance > level->instance; place--)
      levels->items[place] = levels->items[place - 1];
    levels->items[place] = level;
  }
}
