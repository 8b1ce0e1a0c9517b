/* A static task graph as JSON, which static_read.c reads back: what is stored of it.  Called by psl graph --static.
 *
 * An object's members are written where they say something: a text that is there, a flag that is true. */
#include "interp/taskgraph/taskgraph.h"

#include <string.h>

struct writer {
  struct output *out;
  bool first; /* of the object in hand */
};

static void put_key(struct writer *w, const char *name) {
  text_printf(&w->out->text, "%s\"%s\": ", w->first ? "" : ", ", name);
  w->first = false;
}

static void put_string(struct writer *w, const char *name, const char *value) {
  if (!value) return;
  put_key(w, name);
  text_json(&w->out->text, value);
}

static void put_expr(struct writer *w, const char *name, const struct expr *expr) {
  struct text text = {.arena = w->out->text.arena};
  if (!expr) return;
  expr_format(&text, expr);
  put_string(w, name, text.data);
}

static void put_flag(struct writer *w, const char *name, bool value) {
  if (!value) return;
  put_key(w, name);
  text_put(&w->out->text, "true");
}

static void put_strings(struct writer *w, const char *name, const char *const *items, uint32_t count) {
  put_key(w, name);
  for (uint32_t k = 0; k < count; k++) {
    text_put(&w->out->text, k ? ", " : "[");
    text_json(&w->out->text, items[k]);
  }
  text_put(&w->out->text, count ? "]" : "[]");
}

static void new_line(struct writer *w, unsigned depth) {
  text_char(&w->out->text, '\n');
  for (unsigned k = 0; k < depth; k++)
    text_put(&w->out->text, "  ");
}

static void put_nodes(struct writer *w, const struct task_node *first, unsigned depth);

static void put_arms(struct writer *w, const struct task_node *node, unsigned depth) {
  if (!node->arm_count) return;
  put_key(w, "arms");
  text_char(&w->out->text, '[');
  for (uint32_t k = 0; k < node->arm_count; k++) {
    text_put(&w->out->text, k ? ", {" : "{");
    w->first = true;
    put_expr(w, "condition", node->arms[k].condition);
    put_nodes(w, node->arms[k].first, depth + 1);
    text_char(&w->out->text, '}');
  }
  text_char(&w->out->text, ']');
}

static void put_node(struct writer *w, const struct task_node *node, unsigned depth) {
  w->first = true;
  text_char(&w->out->text, '{');
  put_key(w, "id");
  text_printf(&w->out->text, "%u", node->id);
  put_string(w, "kind", task_kind_names[node->kind]);
  put_string(w, "name", node->name);
  put_string(w, "operation", node->operation);
  put_string(w, "place", node->place);
  put_string(w, "text", node->text);
  put_string(w, "instances", node->instances);
  put_string(w, "unknown", node->unknown);
  put_expr(w, node->kind == TASK_COMPUTE ? "scaling" : "value", node->value);
  put_expr(w, "given", node->given);
  put_flag(w, "combines", node->combines);
  put_flag(w, "state", node->state);
  put_flag(w, "pure", node->pure);
  put_flag(w, "summed", node->summed);
  put_flag(w, "sends", node->sends);
  put_flag(w, "receives", node->receives);
  put_flag(w, "collective", node->collective);
  put_expr(w, "peer", node->peer);
  put_expr(w, "tag", node->tag);
  put_expr(w, "size", node->size);
  if (node->graph_count) put_strings(w, "graphs", node->graphs, node->graph_count);
  put_expr(w, "range", node->range);
  put_expr(w, "step", node->step);
  put_flag(w, "geometric", node->geometric);
  put_expr(w, "iterations", node->trips);
  put_flag(w, "collapse", node->collapse);
  put_expr(w, "chance", node->chance);
  put_arms(w, node, depth);
  text_char(&w->out->text, '}');
  output_pass(w->out);
}

static void put_nodes(struct writer *w, const struct task_node *first, unsigned depth) {
  put_key(w, "nodes");
  text_char(&w->out->text, '[');
  for (const struct task_node *node = first; node; node = node->next) {
    if (node != first) text_char(&w->out->text, ',');
    new_line(w, depth);
    put_node(w, node, depth);
  }
  text_char(&w->out->text, ']');
  w->first = false;
}

static void put_graph(struct writer *w, const struct task_graph *graph) {
  new_line(w, 2);
  text_char(&w->out->text, '{');
  w->first = true;
  put_string(w, "component", graph->component);
  put_string(w, "transaction", graph->transaction);
  put_strings(w, "indices", graph->indices, graph->index_count);
  put_string(w, "instances", graph->instances);
  put_string(w, "unknown", graph->unknown);
  put_string(w, "processor", graph->processor);
  put_nodes(w, graph->first, 3);
  text_char(&w->out->text, '}');
}

static void put_edge(struct writer *w, const struct task_edge *edge) {
  new_line(w, 2);
  text_char(&w->out->text, '{');
  w->first = true;
  put_string(w, "kind", task_edge_names[edge->kind]);
  if (edge->from) {
    put_key(w, "from");
    text_printf(&w->out->text, "%u, \"to\": %u", edge->from, edge->to);
  }
  put_string(w, "of_from", edge->of_from);
  put_string(w, "of_to", edge->of_to);
  put_string(w, "mapping", edge->mapping);
  put_string(w, "unknown", edge->unknown);
  text_char(&w->out->text, '}');
  output_pass(w->out);
}

void task_graph_json(struct output *out, const struct static_graph *graph) {
  struct writer w = {.out = out, .first = true};
  struct text *text = &out->text;
  text_put(text, "{\"format\": \"static task graph 1\", \"system\": ");
  text_json(text, graph->system);
  text_printf(text, ", \"condensed_from\": %u,\n  \"params\": [", graph->condensed_from);
  for (uint32_t k = 0; k < graph->param_count; k++) {
    text_put(text, k ? ", {" : "{");
    w.first = true;
    put_string(&w, "name", graph->params[k].name);
    put_string(&w, "value", graph->params[k].value);
    text_char(text, '}');
  }
  text_put(text, "],\n  \"graphs\": [");
  for (uint32_t k = 0; k < graph->graph_count; k++) {
    if (k) text_char(text, ',');
    put_graph(&w, &graph->graphs[k]);
  }
  text_put(text, "],\n  \"edges\": [");
  for (uint32_t k = 0; k < graph->edge_count; k++) {
    if (k) text_char(text, ',');
    put_edge(&w, &graph->edges[k]);
  }
  text_put(text, "]}\n");
}
