/* A static task graph in Graphviz' DOT: a cluster for each graph, in it control flow from node to node; messages and
 * starts across.  Called by psl graph --static. */
#include "interp/taskgraph/taskgraph.h"

#include <string.h>

enum { WIDE = 46 };

struct drawing {
  struct output *out;
  const struct static_graph *graph;
};

struct ends { /* of a part that is drawn: node ids, 0: none */
  uint32_t first, *last, count, capacity;
};

static void put_label(struct text *out, const char *text) {
  size_t length = strlen(text);
  while (length > WIDE) {
    size_t at = WIDE;
    while (at > WIDE / 2 && text[at] != ' ')
      at--;
    if (text[at] != ' ') at = WIDE;
    text_markup(out, arena_copy(out->arena, text, at));
    text_put(out, "<br/>");
    text += at + (text[at] == ' ');
    length = strlen(text);
  }
  text_markup(out, text);
}

static void put_node(struct drawing *w, const struct task_node *node) {
  static const char *const shapes[TASK_KINDS] = {
      [TASK_COMPUTE] = "shape=box, style=filled, fillcolor=\"#ddeedd\"",
      [TASK_COMMUNICATE] = "shape=ellipse, style=filled, fillcolor=\"#dbe8f4\"",
      [TASK_GRAPH] = "shape=box, peripheries=2, style=filled, fillcolor=\"#ffffff\"",
      [TASK_LOOP] = "shape=hexagon, style=filled, fillcolor=\"#fde6d3\"",
      [TASK_BRANCH] = "shape=diamond, style=filled, fillcolor=\"#f3dede\"",
      [TASK_STATEMENT] = "shape=plain"};
  struct text *out = &w->out->text, head = {.arena = out->arena};
  task_node_head(&head, node);
  if (node->kind == TASK_BRANCH && node->arms[0].condition && node->statement == STMT_IF) {
    head.size = 0;
    expr_format(&head, node->arms[0].condition);
  }
  text_printf(out, "    n%u [label=<", node->id);
  put_label(out, head.data ? head.data : "");
  text_printf(out, ">, %s];\n", shapes[node->kind]);
}

static void put_flow(struct drawing *w, uint32_t from, uint32_t to, const char *label, const char *style) {
  struct text *out = &w->out->text;
  text_printf(out, "    n%u -> n%u [%s", from, to, style);
  if (label) {
    text_put(out, ", label=<");
    put_label(out, label);
    text_char(out, '>');
  }
  text_put(out, "];\n");
}

static void add_last(struct drawing *w, struct ends *ends, uint32_t id) {
  ARENA_PUSH(w->out->text.arena, ends->last, ends->count, ends->capacity, id);
}

static struct ends draw_nodes(struct drawing *w, const struct task_node *first);

static const char *arm_label(struct drawing *w, const struct task_node *node, uint32_t k) {
  struct text text = {.arena = w->out->text.arena};
  if (node->kind == TASK_LOOP) return "each";
  if (node->statement == STMT_IF) return k ? "no" : "yes";
  if (!node->arms[k].condition) return NULL;
  expr_format(&text, node->arms[k].condition);
  return text.data;
}

static struct ends draw_node(struct drawing *w, const struct task_node *node) {
  struct ends ends = {.first = node->id};
  bool passes = node->kind != TASK_BRANCH || (node->arm_count == 1 && node->statement == STMT_IF);
  put_node(w, node);
  for (uint32_t k = 0; k < node->arm_count; k++) {
    struct ends inner = draw_nodes(w, node->arms[k].first);
    if (!inner.first) {
      passes = true;
      continue;
    }
    put_flow(w, node->id, inner.first, arm_label(w, node, k), "color=\"#444444\"");
    for (uint32_t i = 0; i < inner.count; i++)
      if (node->kind == TASK_LOOP)
        put_flow(w, inner.last[i], node->id, NULL, "color=\"#444444\", style=dotted, constraint=false");
      else
        add_last(w, &ends, inner.last[i]);
  }
  if (passes) add_last(w, &ends, node->id);
  output_pass(w->out);
  return ends;
}

/* Statements that take no time are left out. */
static struct ends draw_nodes(struct drawing *w, const struct task_node *first) {
  struct ends all = {.first = 0};
  for (const struct task_node *node = first; node; node = node->next) {
    if (node->kind == TASK_STATEMENT) continue;
    struct ends next = draw_node(w, node);
    if (!all.first) all.first = next.first;
    for (uint32_t k = 0; k < all.count; k++)
      put_flow(w, all.last[k], next.first, NULL, "color=\"#444444\"");
    all.last = next.last;
    all.count = next.count;
    all.capacity = next.capacity;
  }
  return all;
}

static const struct task_node *node_for(const struct task_node *first, const char *graph) {
  for (const struct task_node *node = first; node; node = node->next) {
    for (uint32_t k = 0; k < node->graph_count; k++)
      if (!strcmp(node->graphs[k], graph)) return node;
    for (uint32_t k = 0; k < node->arm_count; k++) {
      const struct task_node *found = node_for(node->arms[k].first, graph);
      if (found) return found;
    }
  }
  return NULL;
}

static const struct task_graph *graph_named(const struct static_graph *graph, const char *component) {
  for (uint32_t k = 0; k < graph->graph_count; k++)
    if (!strcmp(graph->graphs[k].component, component)) return &graph->graphs[k];
  return NULL;
}

static void draw_edge(struct drawing *w, const struct task_edge *edge) {
  struct text *out = &w->out->text;
  const struct task_graph *from = graph_named(w->graph, edge->of_from), *to = graph_named(w->graph, edge->of_to);
  if (!from || !to) return;
  const struct task_node *starts = edge->from ? NULL : node_for(from->first, edge->of_to);
  if (edge->from)
    text_printf(out, "  n%u -> n%u [color=\"#2a6fb0\", constraint=false", edge->from, edge->to);
  else if (starts)
    text_printf(out, "  n%u -> g%u [color=\"#888888\"", starts->id, (unsigned)(to - w->graph->graphs));
  else
    text_printf(out, "  g%u -> g%u [color=\"#888888\"", (unsigned)(from - w->graph->graphs),
                (unsigned)(to - w->graph->graphs));
  text_printf(out, ", style=%s, label=<", edge->kind == EDGE_CALL ? "dotted" : "dashed");
  put_label(out, edge->mapping ? edge->mapping : arena_printf(out->arena, "unknown: %s", edge->unknown));
  text_put(out, ">];\n");
  output_pass(w->out);
}

static void draw_graph(struct drawing *w, const struct task_graph *graph, uint32_t number) {
  struct text *out = &w->out->text;
  text_printf(out, "  subgraph cluster_%u {\n    label=<<b>", number);
  text_markup(out, graph->component);
  text_put(out, "</b>");
  if (graph->index_count && graph->instances) {
    text_put(out, "<br/>");
    put_label(out, graph->instances);
  }
  text_printf(out,
              ">; color=\"#999999\";\n    g%u [label=\"\", shape=circle, width=0.15, style=filled, "
              "fillcolor=\"#444444\"];\n",
              number);
  struct ends ends = draw_nodes(w, graph->first);
  if (ends.first) text_printf(out, "    g%u -> n%u [color=\"#444444\"];\n", number, ends.first);
  text_put(out, "  }\n");
}

void task_graph_picture(struct output *out, const struct static_graph *graph) {
  struct drawing w = {.out = out, .graph = graph};
  text_put(&out->text, "digraph ");
  text_json(&out->text, graph->system);
  text_put(&out->text, " {\n  graph [fontname=\"Helvetica\", fontsize=12];\n"
                       "  node [fontname=\"Helvetica\", fontsize=11];\n"
                       "  edge [fontname=\"Helvetica\", fontsize=9, fontcolor=\"#444444\"];\n");
  for (uint32_t k = 0; k < graph->graph_count; k++)
    draw_graph(&w, &graph->graphs[k], k);
  for (uint32_t k = 0; k < graph->edge_count; k++)
    draw_edge(&w, &graph->edges[k]);
  text_put(&out->text, "}\n");
}
