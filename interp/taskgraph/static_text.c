/* A static task graph as text: each graph with its nodes, indented by what they stand in, then the edges.  Called by
 * psl graph --static. */
#include "interp/taskgraph/taskgraph.h"

#include <string.h>

static void put_expr(struct text *out, const char *before, const struct expr *expr) {
  if (!expr) return;
  text_put(out, before);
  expr_format(out, expr);
}

static void count_nodes(struct task_counts *counts, const struct task_node *first) {
  for (const struct task_node *node = first; node; node = node->next) {
    counts->of[node->kind]++;
    for (uint32_t k = 0; k < node->arm_count; k++)
      count_nodes(counts, node->arms[k].first);
  }
}

struct task_counts task_graph_counts(const struct static_graph *graph) {
  struct task_counts counts = {{0}};
  for (uint32_t k = 0; k < graph->graph_count; k++)
    count_nodes(&counts, graph->graphs[k].first);
  return counts;
}

static void put_message(struct text *out, const struct task_node *node) {
  put_expr(out, node->sends ? " to " : " from ", node->peer);
  put_expr(out, ", tag ", node->tag);
  put_expr(out, ", ", node->size);
}

void task_node_head(struct text *out, const struct task_node *node) {
  const char *name = node->name ? node->name : node->operation;
  switch (node->kind) {
  case TASK_COMPUTE:
    text_printf(out, "task %s: %s(", name, node->operation);
    put_expr(out, "", node->value);
    text_put(out, node->summed ? "), a sum" : ")");
    return;
  case TASK_COMMUNICATE:
    text_printf(out, "%s %s: %s",
                node->collective ? "collective"
                : node->sends    ? "send"
                : node->receives ? "receive"
                                 : "communication",
                name, node->operation);
    put_message(out, node);
    return;
  case TASK_GRAPH:
    text_printf(out, "graph %s: %s of", name, node->operation);
    for (uint32_t k = 0; k < node->graph_count; k++)
      text_printf(out, "%s %s", k ? "," : "", node->graphs[k]);
    return;
  case TASK_LOOP:
    if (!node->range) {
      put_expr(out, "loop while ", node->arms[0].condition);
      return;
    }
    text_printf(out, "loop %s", node->name);
    put_expr(out, " in ", node->range);
    put_expr(out, node->geometric ? " by * " : " by ", node->step);
    put_expr(out, ", times ", node->trips);
    return;
  case TASK_BRANCH:
    text_printf(out, "branch %s", node->operation);
    if (node->collapse) text_put(out, ", collapses");
    put_expr(out, " by ", node->chance);
    return;
  case TASK_STATEMENT: text_put(out, node->text ? node->text : node->operation); return;
  case TASK_KINDS: return;
  }
}

static void indent(struct text *out, unsigned depth) {
  for (unsigned k = 0; k < depth; k++)
    text_put(out, "  ");
}

static void put_nodes(struct output *out, const struct task_node *first, unsigned depth, const char *around);

static void put_arms(struct output *out, const struct task_node *node, unsigned depth) {
  for (uint32_t k = 0; k < node->arm_count; k++) {
    const struct task_arm *arm = &node->arms[k];
    if (node->kind == TASK_BRANCH) {
      text_put(&out->text, "      ");
      indent(&out->text, depth);
      if (arm->condition)
        put_expr(&out->text, node->statement == STMT_IF ? "where " : "by ", arm->condition);
      else
        text_put(&out->text, node->statement == STMT_IF ? "otherwise" : "where it comes first");
      text_char(&out->text, '\n');
    }
    put_nodes(out, arm->first, depth + (node->kind == TASK_BRANCH ? 2 : 1), node->instances);
  }
}

/* The set of a node is said where it is another one than that of what it stands in. */
static void put_nodes(struct output *out, const struct task_node *first, unsigned depth, const char *around) {
  for (const struct task_node *node = first; node; node = node->next) {
    text_printf(&out->text, "%4u  ", node->id);
    indent(&out->text, depth);
    task_node_head(&out->text, node);
    text_char(&out->text, '\n');
    bool same = !node->instances || (around && !strcmp(around, node->instances));
    if (!same || node->unknown) {
      text_put(&out->text, "      ");
      indent(&out->text, depth + 1);
      if (!same) text_printf(&out->text, "%s", node->instances);
      if (node->unknown) text_printf(&out->text, "%sat most: %s", same ? "" : ", ", node->unknown);
      text_char(&out->text, '\n');
    }
    put_arms(out, node, depth + 1);
    if (node->instances) around = node->instances;
    output_pass(out);
  }
}

static void put_graph(struct output *out, const struct task_graph *graph) {
  struct text *text = &out->text;
  text_printf(text, "\ngraph %s", graph->component);
  for (uint32_t k = 0; k < graph->index_count; k++)
    text_printf(text, "%s%s", k ? ", " : "[", graph->indices[k]);
  if (graph->index_count) text_char(text, ']');
  if (graph->transaction) text_printf(text, ", %s", graph->transaction);
  if (graph->processor) text_printf(text, ", on processor %s", graph->processor);
  if (graph->index_count && graph->instances) text_printf(text, "\n      %s", graph->instances);
  if (graph->unknown) text_printf(text, "\n      at most: %s", graph->unknown);
  text_char(text, '\n');
  put_nodes(out, graph->first, 0, graph->instances);
}

static void put_edge(struct output *out, const struct task_edge *edge) {
  struct text *text = &out->text;
  if (edge->from)
    text_printf(text, "%4u -> %u  %s", edge->from, edge->to, task_edge_names[edge->kind]);
  else
    text_printf(text, "      %s -> %s  %s", edge->of_from, edge->of_to, task_edge_names[edge->kind]);
  if (edge->mapping) text_printf(text, "\n        %s", edge->mapping);
  if (edge->unknown) text_printf(text, "\n        %s: %s", edge->mapping ? "at most" : "unknown", edge->unknown);
  text_char(text, '\n');
  output_pass(out);
}

void task_graph_text(struct output *out, const struct static_graph *graph) {
  struct text *text = &out->text;
  struct task_counts counts = task_graph_counts(graph);
  static const char *const words[] = {"task", "communication", "graph", "loop", "branch"};
  text_printf(text, "static task graph of %s: ", graph->system);
  for (uint32_t k = 0; k < TASK_STATEMENT; k++)
    text_printf(text, "%s%u %s%s", k ? ", " : "", counts.of[k], words[k],
                counts.of[k] == 1  ? ""
                : k == TASK_BRANCH ? "es"
                                   : "s");
  if (graph->condensed_from)
    text_printf(text, "\ncondensed from %u node%s", graph->condensed_from, graph->condensed_from == 1 ? "" : "s");
  text_char(text, '\n');
  for (uint32_t k = 0; k < graph->param_count; k++)
    text_printf(text, "%s%s = %s", k ? ", " : "params ", graph->params[k].name, graph->params[k].value);
  if (graph->param_count) text_char(text, '\n');
  for (uint32_t k = 0; k < graph->graph_count; k++)
    put_graph(out, &graph->graphs[k]);
  if (graph->edge_count) text_put(text, "\nedges\n");
  for (uint32_t k = 0; k < graph->edge_count; k++)
    put_edge(out, &graph->edges[k]);
}
