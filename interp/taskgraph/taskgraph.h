/* What is done with static task graphs: written, read, drawn. */
#ifndef PSL_TASKGRAPH_H
#define PSL_TASKGRAPH_H
#include "interp/report/output.h"
#include "interp/resolve/task_graph.h"

void task_graph_text(struct output *out, const struct static_graph *graph);
void task_graph_json(struct output *out, const struct static_graph *graph);
void task_graph_picture(struct output *out, const struct static_graph *graph); /* in Graphviz' DOT */

struct diagnostics;
struct sources;
/* What task_graph_json has written; `name` stands for it in diagnostics. NULL after one. */
struct static_graph *task_graph_read(struct arena *arena, struct names *names, struct diagnostics *d,
                                     struct sources *sources, const char *name, const char *text);

/* All that a process computes between two communications becomes one task. */
void task_graph_condense(struct arena *arena, struct names *names, struct static_graph *graph);
/* The body of a graph as PSL, behind so many blanks. */
void task_graph_body(struct text *out, const struct task_graph *graph, unsigned indent);

/* How many nodes there are of each kind, statements left out. */
struct task_counts {
  uint32_t of[TASK_KINDS];
};
struct task_counts task_graph_counts(const struct static_graph *graph);
/* The first line of a node, "loop k in 1 .. n, n times". */
void task_node_head(struct text *out, const struct task_node *node);
#endif
