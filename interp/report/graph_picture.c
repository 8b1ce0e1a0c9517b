/* The dependence graph in Graphviz' DOT: of components, and of instances.  Called by psl_graph. */
#include "evaluators/sequence.h"
#include "interp/report/graph_parts.h"

#include <string.h>

/* Keeps the label of an edge off the edge: Graphviz strips blanks. */
#define PADDED "<table border=\"0\" cellspacing=\"0\" cellpadding=\"4\"><tr><td balign=\"left\" align=\"left\">"
#define PADDED_END "</td></tr></table>"

enum { LINE = 44 }; /* characters after which a label is broken */

/* Broken at blanks into lines of about LINE characters, each ended to the left. */
static void put_lines(struct text *out, const char *s) {
  while (strlen(s) > LINE) {
    size_t at = LINE;
    while (at > LINE / 2 && s[at] != ' ')
      at--;
    if (s[at] != ' ') at += strcspn(s + at, " ");
    if (!s[at]) break;
    char *line = arena_copy(out->arena, s, at);
    text_markup(out, line);
    text_put(out, "<br align=\"left\"/>&#160;&#160;");
    s += at + 1;
  }
  text_markup(out, s);
  text_put(out, "<br align=\"left\"/>");
}

static void put_expr_line(struct text *out, const char *before, const struct expr *expr) {
  struct text line = {.arena = out->arena};
  text_put(&line, before);
  expr_format(&line, expr);
  put_lines(out, line.data);
}

static const char *fill_of(uint32_t number) {
  static const char *const fills[] = {"#dbe8f4", "#fde6d3", "#ddeedd", "#f3dede",
                                      "#e8e0f0", "#ece6dc", "#f8e3ef", "#e6e6e6"};
  return fills[number % (sizeof fills / sizeof *fills)];
}

static void put_preamble(struct text *out, const struct graph *graph) {
  text_put(out, "digraph ");
  text_json(out, graph->system->symbol->name->text);
  text_put(out, " {\n  graph [fontname=\"Helvetica\", fontsize=12, labeljust=l];\n"
                "  node [shape=box, style=\"rounded,filled\", fillcolor=\"white\", fontname=\"Helvetica\", "
                "fontsize=11];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#444444\", fontcolor=\"#444444\"];\n");
}

/* ---- of components ---- */

static void put_profile(struct text *out, const struct model_component *component) {
  const struct model_accept *last = NULL;
  for (uint32_t a = 0; a < component->accept_count; a++) {
    const struct model_accept *accept = component->accepts[a];
    if (last && accept->profile == last->profile) continue;
    for (uint32_t p = 0; p < accept->profile_count; p++) {
      const struct model_profile *attribute = &accept->profile[p];
      if (name_is(attribute->attribute, KNOWN_DOMAIN)) continue; /* the cluster says it */
      char *name = arena_printf(out->arena, "%s = ", attribute->attribute->text);
      for (char *c = name; *c; c++)
        if (*c == '-') *c = ' ';
      if (attribute->value)
        put_expr_line(out, name, attribute->value);
      else
        put_lines(out, arena_printf(out->arena, "%sN/A", name));
    }
    last = accept;
  }
}

static void put_component(struct output *out, const struct graph *graph, const struct model_component *component) {
  struct text *text = &out->text;
  const struct instances *instances = &graph->instances[component->id];
  text_printf(text, "    c%u [label=<<b>", component->id);
  text_markup(text, component->symbol->name->text);
  for (uint32_t i = 0; i < component->index_count; i++)
    text_printf(text, "%s%s", i ? ", " : " [", component->indices[i]->name->text);
  text_put(text, component->index_count ? "]</b><br align=\"left\"/>" : "</b><br align=\"left\"/>");
  if (component->set) put_expr_line(text, "", component->set);
  put_profile(text, component);
  if (component->index_count) {
    text_put(text, "<i>");
    report_count(text, instances->count);
    text_put(text, instances->count == 1 ? " instance" : " instances");
    text_put(text, "</i><br align=\"left\"/>");
  }
  text_printf(text, ">%s];\n", component->system ? ", shape=oval, style=filled, fillcolor=\"#ffffff\"" : "");
  output_pass(out);
}

static void put_edge(struct output *out, const struct model_request *request, const struct model_accept *accept,
                     bool late, bool turns) {
  struct text *text = &out->text, mapping = {.arena = text->arena};
  text_printf(text, "  c%u -> c%u [label=<" PADDED, request->component->id, accept->component->id);
  struct text name = {.arena = text->arena};
  text_put(&name, quantifier_text(request->quantifier));
  const char *transaction = request->transaction->symbol->name->text;
  if (request->label && strcmp(request->label->name->text, transaction) != 0)
    text_printf(&name, "%s: ", request->label->name->text);
  text_put(&name, transaction);
  put_lines(text, name.data);
  graph_mapping(&mapping, request->selector, accept->component);
  if (mapping.size) put_lines(text, mapping.data);
  if (request->by) put_expr_line(text, "by ", request->by);
  if (request->where) put_expr_line(text, "where ", request->where);
  if (request->delay) put_expr_line(text, "delay ", request->delay);
  if (request->patience) put_expr_line(text, "patience ", request->patience);
  if (late) text_put(text, "<i>found while the model runs</i><br align=\"left\"/>");
  if (request->declared->converses) put_lines(text, request->declared->sequence->name);
  text_printf(text, PADDED_END ">, style=%s%s%s];\n", request->protocol == PROTOCOL_DATAFLOW ? "solid" : "dashed",
              request->declared->converses ? ", dir=both" : "", turns ? ", constraint=false" : "");
  output_pass(out);
}

/* A long chain of components stands in columns of so many. */
enum { COLUMN = 30 };

/* Does the edge lead from the foot of a column to the head of the next one? */
static bool turns(const struct graph_depths *layout, uint32_t from, uint32_t to) {
  return layout->deepest >= 2 * COLUMN && layout->depth[from] / COLUMN != layout->depth[to] / COLUMN;
}

/* Each accept that some instance's request is bound to, once. */
static void put_request(struct output *out, const struct graph *graph, const struct graph_depths *layout,
                        const struct model_request *request) {
  const struct model *model = graph->model;
  bool late = graph->bindings[request->id].kind == BINDING_LATE;
  bool *seen = ARENA_ARRAY(out->text.arena, bool, model->accept_count);
  graph_reach(graph, request, seen);
  for (uint32_t a = 0; a < model->accept_count; a++)
    if (seen[a])
      put_edge(out, request, model->accepts[a], late,
               turns(layout, request->component->id, model->accepts[a]->component->id));
}

void picture_static(struct output *out, const struct graph *graph) {
  const struct model *model = graph->model;
  struct text *text = &out->text;
  const char **domains = ARENA_ARRAY(text->arena, const char *, model->component_count);
  bool *drawn = ARENA_ARRAY(text->arena, bool, model->component_count);
  const struct graph_depths layout = graph_depths(graph, text->arena);
  for (uint32_t c = 0; c < model->component_count; c++) {
    domains[c] = graph_domain(text->arena, model->components[c]);
    drawn[c] = !layout.drawn[c];
  }
  put_preamble(text, graph);
  for (uint32_t c = 0, cluster = 0; c < model->component_count; c++) {
    if (drawn[c]) continue;
    if (*domains[c]) {
      text_printf(text,
                  "  subgraph cluster_%u {\n    style=\"rounded,filled\"; color=\"#bbbbbb\"; "
                  "fillcolor=\"%s\"; label=",
                  cluster, fill_of(cluster));
      text_json(text, domains[c]);
      text_put(text, ";\n");
      cluster++;
    }
    for (uint32_t other = c; other < model->component_count; other++) {
      if (drawn[other] || strcmp(domains[c], domains[other]) != 0) continue;
      put_component(out, graph, model->components[other]);
      drawn[other] = true;
    }
    if (*domains[c]) text_put(text, "  }\n");
  }
  for (uint32_t r = 0; r < model->request_count; r++)
    if (layout.drawn[model->requests[r]->component->id]) put_request(out, graph, &layout, model->requests[r]);
  text_put(text, "}\n");
}

/* ---- of instances ---- */

/* A component of several instances is a cluster, in which each is called by its indices alone. Where all of them
 * share a target, or are the targets of one, one edge of the cluster stands for as many. A component of more than
 * `most` is one node with their number, and what it has to do with another node is one edge. */
enum {
  CLUSTER = 4, /* instances from which on that is done */
  MANY = 200   /* nodes from which on Graphviz is to look less long for the best places */
};

struct picture {
  struct output *out;
  const struct graph *graph;
  const struct graph_depths *layout;
  size_t most;
  size_t *edges; /* of one request from one node, by node */
  uint32_t *ends;
  size_t end_count;
};

static bool is_folded(const struct picture *p, const struct model_component *component) {
  return p->graph->instances[component->id].count > p->most;
}

static bool is_cluster(const struct picture *p, const struct model_component *component) {
  return p->graph->instances[component->id].count >= CLUSTER && !is_folded(p, component);
}

/* Instances, and behind them components that are one node. */
static uint32_t node_of(const struct picture *p, uint32_t instance) {
  const struct model_component *component = graph_component(p->graph, instance);
  return is_folded(p, component) ? p->graph->instance_count + component->id : instance;
}

static void put_instance(struct picture *p, const struct model_component *component, uint32_t instance, bool alone) {
  struct text *out = &p->out->text, name = {.arena = out->arena};
  graph_instance_print(&name, p->graph, instance);
  const char *shown = alone ? name.data : name.data + component->symbol->name->length + 1;
  size_t size = strlen(shown);
  text_printf(out, "  i%u [label=", instance);
  text_json(out, alone ? shown : arena_copy(out->arena, shown, size ? size - 1 : 0));
  text_put(out, "];\n");
  output_pass(p->out);
}

static void put_folded(struct picture *p, const struct model_component *component) {
  const struct instances *set = &p->graph->instances[component->id];
  struct text label = {.arena = p->out->text.arena};
  text_printf(&label, "%s\n", component->symbol->name->text);
  report_count(&label, set->count);
  text_put(&label, set->count == 1 ? " instance" : " instances");
  text_printf(&p->out->text, "  i%u [penwidth=2, label=", p->graph->instance_count + component->id);
  text_json(&p->out->text, label.data);
  text_put(&p->out->text, "];\n");
}

/* Do edges between the instances say where they stand? */
static bool has_own_edges(const struct graph *graph, const struct model_component *component) {
  for (uint32_t r = 0; r < component->request_count; r++) {
    const struct binding *binding = &graph->bindings[component->requests[r]->id];
    if (binding->kind == BINDING_ABSENT || binding->kind == BINDING_LATE) continue;
    for (uint32_t c = 0; c < binding->candidate_count; c++)
      if (binding->candidates[c]->component == component) return true;
  }
  return false;
}

/* Instances without edges among themselves stand in rows: by the last of their indices, or about a square. */
static void put_rows(struct output *out, const struct instances *set, const struct model_component *component) {
  uint32_t rows = 1, last = component->index_count - 1;
  while (rows * rows < set->count)
    rows++;
  if (component->index_count > 1 && set->box) rows = (uint32_t)(set->high[last] - set->low[last] + 1);
  for (uint32_t k = 0; k + rows < set->count; k++)
    text_printf(&out->text, "  i%u -> i%u [style=invis];\n", set->first + k, set->first + k + rows);
}

static void put_cluster(struct picture *p, uint32_t c) {
  const struct instances *instances = &p->graph->instances[c];
  const struct model_component *component = p->graph->model->components[c];
  struct text *out = &p->out->text;
  bool cluster = is_cluster(p, component);
  if (cluster) {
    text_printf(out, "  subgraph cluster_%u {\n  style=\"rounded\"; color=\"#bbbbbb\"; label=", c);
    text_json(out, component->symbol->name->text);
    text_put(out, ";\n");
  }
  for (uint32_t k = 0; k < instances->count; k++)
    put_instance(p, component, instances->first + k, !cluster || !component->index_count);
  if (cluster && component->index_count && !has_own_edges(p->graph, component)) put_rows(p->out, instances, component);
  if (cluster) text_put(out, "  }\n");
}

static void put_instances(struct picture *p) {
  const struct model *model = p->graph->model;
  for (uint32_t c = 0, used = 0; c < model->component_count; c++) {
    if (!p->layout->drawn[c]) continue;
    text_printf(&p->out->text, "  node [fillcolor=\"%s\"];\n", fill_of(used++));
    if (is_folded(p, model->components[c]))
      put_folded(p, model->components[c]);
    else
      put_cluster(p, c);
  }
}

static const char *style_of(const struct model_request *request) {
  return request->protocol == PROTOCOL_CALL_RETURN ? "dashed" : "solid";
}

/* Edges with a folded component are gathered, all others are written. */
static void add_edge(struct picture *p, const struct model_request *request, uint32_t from, uint32_t to) {
  uint32_t source = node_of(p, from), target = node_of(p, to);
  if (source != from || target != to) {
    if (!p->edges[target]++) p->ends[p->end_count++] = target;
    return;
  }
  text_printf(&p->out->text, "  i%u -> i%u%s;\n", from, to,
              request->protocol == PROTOCOL_CALL_RETURN ? " [style=dashed]" : "");
  output_pass(p->out);
}

/* "1,520 x execute" */
static void put_gathered(struct picture *p, const struct model_request *request, uint32_t from) {
  for (size_t e = 0; e < p->end_count; e++) {
    uint32_t to = p->ends[e];
    struct text label = {.arena = p->out->text.arena};
    if (p->edges[to] > 1) {
      report_count(&label, p->edges[to]);
      text_put(&label, " x ");
    }
    text_put(&label, request->transaction->symbol->name->text);
    text_printf(&p->out->text, "  i%u -> i%u [label=\"%s\", style=%s];\n", node_of(p, from), to, label.data,
                style_of(request));
    output_pass(p->out);
    p->edges[to] = 0;
  }
  p->end_count = 0;
}

/* One edge for all instances of a component, at its first or from its last; `tail`: they are where it begins. */
static void put_cluster_edge(struct picture *p, const struct model_request *request,
                             const struct model_component *component, uint32_t other, bool tail) {
  const struct instances *set = &p->graph->instances[component->id];
  uint32_t own = tail ? set->first + set->count - 1 : set->first;
  text_printf(&p->out->text, "  i%u -> i%u [%s=cluster_%u, label=\"%s%s\", style=%s, penwidth=2];\n",
              tail ? own : other, tail ? other : own, tail ? "ltail" : "lhead", component->id,
              tail ? "all: " : "every: ", request->transaction->symbol->name->text, style_of(request));
  output_pass(p->out);
}

/* The cluster whose instances are all the targets from `begin` to `end`, and no others; NULL: none. */
static const struct model_component *all_of_component(const struct picture *p, const struct binding *binding,
                                                      uint32_t begin, uint32_t end) {
  if (end - begin < CLUSTER) return NULL;
  const struct model_component *component = graph_component(p->graph, binding_target(binding, begin));
  const struct instances *set = &p->graph->instances[component->id];
  if (set->count != end - begin || is_folded(p, component)) return NULL;
  for (uint32_t t = begin; t < end; t++)
    if (binding_target(binding, t) != set->first + (t - begin)) return NULL;
  return component;
}

/* Do all instances of a cluster share the target, which is a node and not one of them? */
static bool all_share(const struct picture *p, const struct model_request *request) {
  const struct graph *graph = p->graph;
  const struct binding *binding = &graph->bindings[request->id];
  return binding->kind == BINDING_SAME && !binding->present && is_cluster(p, request->component) &&
         binding->target.instance < graph->instance_count &&
         graph_component(graph, binding->target.instance) != request->component;
}

/* The edges of instance k, which may be gathered. */
static void add_edges(struct picture *p, const struct model_request *request, uint32_t k) {
  const struct graph *graph = p->graph;
  const struct binding *binding = &graph->bindings[request->id];
  bool present = !binding->present || (binding->present[k / 8] >> k % 8 & 1);
  uint32_t from = graph->instances[request->component->id].first + k, begin = k, end = k + 1;
  const struct model_component *all = NULL;
  switch (binding->kind) {
  case BINDING_ABSENT:
  case BINDING_LATE: return;
  case BINDING_SAME:
    if (present && binding->target.instance < graph->instance_count)
      add_edge(p, request, from, binding->target.instance);
    return;
  case BINDING_TABLE: break;
  case BINDING_EVERY:
    begin = binding->starts[k];
    end = binding->starts[k + 1];
    all = is_folded(p, request->component) ? NULL : all_of_component(p, binding, begin, end);
    break;
  }
  if (all && all != request->component) {
    put_cluster_edge(p, request, all, from, false);
    return;
  }
  for (uint32_t t = begin; t < end; t++)
    if (binding_target(binding, t) < graph->instance_count) add_edge(p, request, from, binding_target(binding, t));
}

static void put_instance_edges(struct picture *p, const struct model_request *request) {
  const struct instances *instances = &p->graph->instances[request->component->id];
  bool folded = is_folded(p, request->component);
  uint32_t target = p->graph->bindings[request->id].target.instance;
  if (all_share(p, request)) {
    put_cluster_edge(p, request, request->component, node_of(p, target), true);
    return;
  }
  for (uint32_t k = 0; k < instances->count; k++) {
    add_edges(p, request, k);
    if (!folded || k + 1 == instances->count) put_gathered(p, request, instances->first + k);
  }
}

/* The instances of a component as ends of edges: all of a cluster are one, at its first or last. */
static uint32_t end_count(const struct picture *p, const struct model_component *component) {
  return is_cluster(p, component) || is_folded(p, component) ? 1 : p->graph->instances[component->id].count;
}

/* The targets that a request has by what is known before the run, of which the run takes one: dotted. */
static void put_late_edges(struct picture *p, const struct model_request *request,
                           const struct model_component *target) {
  const struct model_component *from = request->component;
  const struct instances *own = &p->graph->instances[from->id], *others = &p->graph->instances[target->id];
  struct text *text = &p->out->text;
  for (uint32_t k = 0; k < end_count(p, from); k++)
    for (uint32_t t = 0; t < end_count(p, target); t++) {
      text_printf(text, "  i%u -> i%u [",
                  node_of(p, is_cluster(p, from) ? own->first + own->count - 1 : own->first + k),
                  node_of(p, others->first + t));
      if (from != target && is_cluster(p, from)) text_printf(text, "ltail=cluster_%u, ", from->id);
      if (from != target && is_cluster(p, target)) text_printf(text, "lhead=cluster_%u, ", target->id);
      text_printf(text, "label=\"one of: %s\", style=dotted];\n", request->transaction->symbol->name->text);
      output_pass(p->out);
    }
}

/* Requests whose targets only the run knows have an edge to each that may be one; a note says so. */
static void put_late(struct picture *p) {
  const struct graph *graph = p->graph;
  struct text note = {.arena = p->out->text.arena};
  const struct model *model = graph->model;
  for (uint32_t r = 0; r < model->request_count; r++) {
    const struct model_request *request = model->requests[r];
    const struct binding *binding = &graph->bindings[r];
    if (!p->layout->drawn[request->component->id] || binding->kind != BINDING_LATE) continue;
    text_printf(&note, "%s%s: %s", note.size ? "\n" : "dotted, found while the model runs:\n",
                request->component->symbol->name->text,
                request->label ? request->label->name->text : request->transaction->symbol->name->text);
    for (uint32_t c = 0; c < binding->candidate_count; c++) {
      const struct model_component *target = binding->candidates[c]->component;
      bool known = !graph->instances[target->id].count || !graph_may_be(model, binding, c);
      for (uint32_t other = 0; other < c; other++)
        known |= binding->candidates[other]->component == target;
      if (!known) put_late_edges(p, request, target);
    }
  }
  if (!note.size) return;
  text_put(&p->out->text, "  late [shape=note, style=filled, fillcolor=\"#ffffe0\", label=");
  text_json(&p->out->text, note.data);
  text_put(&p->out->text, "];\n");
}

static size_t nodes_of(const struct picture *p) {
  size_t nodes = 0;
  for (uint32_t c = 0; c < p->graph->model->component_count; c++)
    if (p->layout->drawn[c]) nodes += is_folded(p, p->graph->model->components[c]) ? 1 : p->graph->instances[c].count;
  return nodes;
}

void picture_dynamic(struct output *out, const struct graph *graph, size_t most) {
  const struct model *model = graph->model;
  size_t places = (size_t)graph->instance_count + model->component_count;
  const struct graph_depths layout = graph_depths(graph, out->text.arena);
  struct picture p = {.out = out, .graph = graph, .layout = &layout, .most = most};
  p.edges = ARENA_ARRAY(out->text.arena, size_t, places);
  p.ends = ARENA_ARRAY(out->text.arena, uint32_t, places);
  memset(p.edges, 0, places * sizeof *p.edges);
  put_preamble(&out->text, graph);
  text_put(&out->text, "  graph [rankdir=LR, compound=true, nodesep=0.15, ranksep=0.4];\n");
  if (nodes_of(&p) > MANY) text_put(&out->text, "  graph [nslimit=0.5, nslimit1=0.5, mclimit=0.2, splines=line];\n");
  put_instances(&p);
  for (uint32_t r = 0; r < model->request_count; r++)
    if (layout.drawn[model->requests[r]->component->id]) put_instance_edges(&p, model->requests[r]);
  put_late(&p);
  text_put(&out->text, "}\n");
}
