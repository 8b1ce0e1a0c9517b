/* What all pictures of a graph are made of: where its requests lead, and which components are drawn.  Called by
 * graph_picture.c and graph_json.c. */
#include "interp/report/graph_parts.h"
#include "interp/check/check.h"

#include <string.h>

static const struct model_profile *find_attribute(const struct model_accept *accept, const char *attribute) {
  for (uint32_t p = 0; p < accept->profile_count; p++)
    if (strcmp(accept->profile[p].attribute->text, attribute) == 0) return &accept->profile[p];
  return NULL;
}

const char *graph_domain(struct arena *arena, const struct model_component *component) {
  const struct model_profile *domain = component->accept_count ? find_attribute(component->accepts[0], "domain") : NULL;
  if (!domain || !domain->value) return "";
  struct text text = {.arena = arena};
  expr_format(&text, domain->value);
  return text.data;
}

static bool is_index(const struct model_component *component, const struct name *attribute) {
  for (uint32_t i = 0; i < component->index_count; i++)
    if (component->indices[i]->name == attribute || component->indices[i]->name->folded == attribute) return true;
  return false;
}

void graph_mapping(struct text *line, const struct expr *selector, const struct model_component *target) {
  if (!selector) return;
  if (selector->kind == EXPR_BINARY && selector->binary.op == OP_AND) {
    graph_mapping(line, selector->binary.left, target);
    graph_mapping(line, selector->binary.right, target);
  } else if (selector->kind == EXPR_CLAUSE && is_index(target, selector->clause.attribute)) {
    if (line->size) text_put(line, ", ");
    expr_format(line, selector);
  }
}

bool graph_may_be(const struct model *model, const struct binding *binding, uint32_t candidate) {
  bool own = false;
  for (uint32_t c = 0; c < binding->candidate_count; c++)
    own |= model_owns(model, binding->candidates[c]->component->symbol->file);
  return !own || model_owns(model, binding->candidates[candidate]->component->symbol->file);
}

void graph_reach(const struct graph *graph, const struct model_request *request, bool *seen) {
  const struct binding *binding = &graph->bindings[request->id];
  uint32_t count = graph->instances[request->component->id].count;
  if (!count) return;
  switch (binding->kind) {
  case BINDING_ABSENT: return;
  case BINDING_SAME:
    if (binding->target.instance < graph->instance_count) seen[binding->target.accept] = true;
    return;
  case BINDING_TABLE:
  case BINDING_EVERY: {
    uint32_t targets = binding->kind == BINDING_EVERY ? binding->starts[count] : count;
    for (uint32_t t = 0; t < targets; t++)
      if (binding_target(binding, t) < graph->instance_count)
        seen[binding->accept ? binding->accept->id : binding->accepts[t]] = true;
    return;
  }
  case BINDING_LATE:
    for (uint32_t c = 0; c < binding->candidate_count; c++)
      if (graph_may_be(graph->model, binding, c)) seen[binding->candidates[c]->id] = true;
    return;
  }
}

/* Is it there for others to be made like it, or one of the library's? No request need ever go to such a one. */
static bool is_pattern(const struct model *model, uint32_t component) {
  if (!model_owns(model, model->components[component]->symbol->file)) return true;
  for (uint32_t c = 0; c < model->component_count; c++)
    if (model->components[c]->like == model->components[component]) return true;
  return false;
}

struct graph_depths graph_depths(const struct graph *graph, struct arena *arena) {
  const struct model *model = graph->model;
  struct graph_depths layout = {ARENA_ARRAY(arena, bool, model->component_count),
                                ARENA_ARRAY(arena, int, model->component_count), 0};
  uint32_t *queue = ARENA_ARRAY(arena, uint32_t, model->component_count), begin = 0, end = 0;
  for (uint32_t c = 0; c < model->component_count; c++)
    layout.depth[c] = GRAPH_UNREACHED;
  layout.depth[graph->system->id] = 0;
  for (queue[end++] = graph->system->id; begin < end; begin++) {
    const struct model_component *from = model->components[queue[begin]];
    bool *seen = ARENA_ARRAY(arena, bool, model->accept_count);
    for (uint32_t r = 0; r < from->request_count; r++)
      graph_reach(graph, from->requests[r], seen);
    for (uint32_t a = 0; a < model->accept_count; a++) {
      uint32_t to = model->accepts[a]->component->id;
      if (!seen[a] || layout.depth[to] != GRAPH_UNREACHED) continue;
      layout.depth[to] = layout.depth[queue[begin]] + 1;
      queue[end++] = to;
    }
    layout.deepest = layout.depth[queue[begin]];
  }
  for (uint32_t c = 0; c < model->component_count; c++)
    layout.drawn[c] = graph->instances[c].count && (layout.depth[c] != GRAPH_UNREACHED || !is_pattern(model, c));
  return layout;
}
