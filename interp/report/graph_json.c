/* The dependence graph for programs: components with what they accept and request, and which request goes where.
 * Called by psl_graph_json. */
#include "interp/check/check.h"
#include "interp/report/graph_parts.h"

#include <string.h>

struct writer {
  struct output *out;
  const struct graph *graph;
  struct graph_depths depths;
  uint32_t *place;         /* by component: its number in the list */
  uint32_t *request_place; /* by request: its number among those of its component */
};

static void put_member(struct text *out, const char *name, const char *value) {
  text_printf(out, ", \"%s\": ", name);
  if (value)
    text_json(out, value);
  else
    text_put(out, "null");
}

static const char *written(struct arena *arena, const struct expr *expr) {
  struct text text = {.arena = arena};
  if (!expr) return NULL;
  expr_format(&text, expr);
  return text.data;
}

static const char *protocol_name(const struct model_protocol *protocol) {
  return protocol->symbol->decl->name.name->text;
}

/* Those of the library, and those that others are like, are there for requests that may go to them. */
static bool is_listed(const struct writer *w, const struct model_component *component) {
  return w->depths.drawn[component->id] || model_owns(w->graph->model, component->symbol->file);
}

/* ---- components ---- */

static void put_accept(struct writer *w, const struct model_accept *accept) {
  struct text *out = &w->out->text;
  text_put(out, accept->place ? ",\n        " : "\n        ");
  text_put(out, "{\"transaction\": ");
  text_json(out, accept->transaction->symbol->name->text);
  put_member(out, "protocol", protocol_name(accept->declared));
  put_member(out, "servers", written(out->arena, accept->servers));
  text_put(out, ", \"profile\": {");
  for (uint32_t p = 0; p < accept->profile_count; p++) {
    const char *value = written(out->arena, accept->profile[p].value);
    text_put(out, p ? ", " : "");
    text_json(out, accept->profile[p].attribute->text);
    text_put(out, ": ");
    text_json(out, value ? value : "N/A");
  }
  text_put(out, "}}");
}

static void put_request(struct writer *w, const struct model_request *request, uint32_t place) {
  struct text *out = &w->out->text;
  const char *transaction = request->transaction->symbol->name->text;
  w->request_place[request->id] = place;
  text_put(out, place ? ",\n        " : "\n        ");
  text_put(out, "{\"name\": ");
  text_json(out, request->label ? request->label->name->text : transaction);
  text_printf(out, ", \"labelled\": %s", request->label ? "true" : "false");
  put_member(out, "transaction", transaction);
  put_member(out, "protocol", protocol_name(request->declared));
  char *quantifier = arena_printf(out->arena, "%s", quantifier_text(request->quantifier));
  size_t length = strlen(quantifier);
  if (length) quantifier[length - 1] = 0;
  put_member(out, "quantifier", length ? quantifier : "one");
  put_member(out, "selector", written(out->arena, request->selector));
  text_put(out, "}");
}

static void put_component(struct writer *w, const struct model_component *component, uint32_t place) {
  struct text *out = &w->out->text;
  w->place[component->id] = place;
  text_put(out, place ? ",\n    {\"name\": " : "\n    {\"name\": ");
  text_json(out, component->symbol->name->text);
  text_printf(out, ", \"system\": %s, \"reached\": %s", component->system ? "true" : "false",
              w->depths.depth[component->id] == GRAPH_UNREACHED ? "false" : "true");
  put_member(out, "domain", graph_domain(out->arena, component));
  put_member(out, "file", component->symbol->file->path);
  put_member(out, "like", component->like ? component->like->symbol->name->text : NULL);
  if (component->outer && is_listed(w, component->outer))
    text_printf(out, ", \"outer\": %u", w->place[component->outer->id]);
  else
    text_put(out, ", \"outer\": null");
  text_put(out, ",\n      \"indices\": [");
  for (uint32_t i = 0; i < component->index_count; i++) {
    text_put(out, i ? ", " : "");
    text_json(out, component->indices[i]->name->text);
  }
  text_put(out, "]");
  put_member(out, "set", written(out->arena, component->set));
  text_printf(out, ", \"instances\": %u,\n      \"accepts\": [", w->graph->instances[component->id].count);
  for (uint32_t a = 0; a < component->accept_count; a++)
    put_accept(w, component->accepts[a]);
  text_put(out, "],\n      \"requests\": [");
  for (uint32_t r = 0; r < component->request_count; r++)
    put_request(w, component->requests[r], r);
  text_put(out, "]}");
  output_pass(w->out);
}

/* ---- edges ---- */

/* "data -> work" of a parameter or of the result; of what is taken by its mean there are no types to name. */
static void put_conversion(struct writer *w, const char *of, const struct conversion *conversion, bool *any) {
  struct text *out = &w->out->text, types = {.arena = out->arena};
  if (!conversion->count && !conversion->lossy) return;
  if (!conversion->count) text_put(&types, "the mean of a distribution");
  for (uint32_t k = 0; k < conversion->count; k++) {
    if (!k) type_print(&types, &w->graph->model->types, conversion->steps[0]->from);
    text_put(&types, " -> ");
    type_print(&types, &w->graph->model->types, conversion->steps[k]->to);
  }
  text_put(out, *any ? ", {\"of\": " : "{\"of\": ");
  text_json(out, of);
  put_member(out, "text", types.data);
  text_printf(out, ", \"cost\": %g, \"lossy\": %s}", conversion->cost, conversion->lossy ? "true" : "false");
  *any = true;
}

static void put_coercions(struct writer *w, const struct adapter *adapter) {
  struct text *out = &w->out->text;
  const struct model_coercion *rule = adapter->transaction;
  const struct model_transaction *transaction = rule ? rule->from_transaction : adapter->accept->transaction;
  bool any = rule;
  if (rule) {
    text_put(out, "{\"of\": \"transaction\"");
    put_member(out, "text",
               arena_printf(out->arena, "%s -> %s", rule->from_transaction->symbol->name->text,
                            rule->to_transaction->symbol->name->text));
    text_printf(out, ", \"cost\": %g, \"lossy\": %s}", rule->cost, rule->lossy ? "true" : "false");
  }
  for (uint32_t k = 0; adapter->params && k < transaction->param_count; k++)
    put_conversion(w, transaction->params[k].name->text, &adapter->params[k], &any);
  put_conversion(w, "result", &adapter->result, &any);
}

static void put_edge(struct writer *w, const struct model_request *request, const struct model_accept *accept,
                     bool first) {
  struct text *out = &w->out->text, mapping = {.arena = out->arena};
  const struct binding *binding = &w->graph->bindings[request->id];
  const struct adapter *adapter = adapter_of(binding, accept);
  text_printf(out, "%s\n    {\"from\": %u, \"request\": %u, \"to\": %u, \"accept\": %u", first ? "" : ",",
              w->place[request->component->id], w->request_place[request->id], w->place[accept->component->id],
              accept->place);
  graph_mapping(&mapping, request->selector, accept->component);
  put_member(out, "mapping", mapping.data ? mapping.data : "");
  text_printf(out, ", \"late\": %s, \"coercions\": [", binding->kind == BINDING_LATE ? "true" : "false");
  if (adapter) put_coercions(w, adapter);
  text_put(out, "]}");
  output_pass(w->out);
}

static void put_edges(struct writer *w) {
  const struct model *model = w->graph->model;
  bool first = true;
  for (uint32_t r = 0; r < model->request_count; r++) {
    const struct model_request *request = model->requests[r];
    if (!w->depths.drawn[request->component->id]) continue;
    bool *seen = ARENA_ARRAY(w->out->text.arena, bool, model->accept_count);
    graph_reach(w->graph, request, seen);
    for (uint32_t a = 0; a < model->accept_count; a++) {
      if (!seen[a] || !is_listed(w, model->accepts[a]->component)) continue;
      put_edge(w, request, model->accepts[a], first);
      first = false;
    }
  }
}

void graph_json(struct output *out, const struct graph *graph) {
  const struct model *model = graph->model;
  struct writer w = {.out = out, .graph = graph, .depths = graph_depths(graph, out->text.arena)};
  w.place = ARENA_ARRAY(out->text.arena, uint32_t, model->component_count);
  w.request_place = ARENA_ARRAY(out->text.arena, uint32_t, model->request_count);
  text_put(&out->text, "{\"system\": ");
  text_json(&out->text, graph->system->symbol->name->text);
  text_put(&out->text, ",\n  \"components\": [");
  for (uint32_t c = 0, place = 0; c < model->component_count; c++)
    if (is_listed(&w, model->components[c])) put_component(&w, model->components[c], place++);
  text_put(&out->text, "],\n  \"edges\": [");
  put_edges(&w);
  text_put(&out->text, "]}\n");
}
