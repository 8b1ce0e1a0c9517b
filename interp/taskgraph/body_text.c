/* The graph of a body as PSL again, after condensing: what stands in the body's place in a condensed model.  Called for
 * psl run --condense. */
#include "interp/taskgraph/taskgraph.h"

#include <string.h>

static void new_line(struct text *out, unsigned indent) {
  text_char(out, '\n');
  for (unsigned k = 0; k < indent; k++)
    text_char(out, ' ');
}

static void put_nodes(struct text *out, const struct task_node *first, unsigned indent);

static void put_block(struct text *out, const struct task_node *first, unsigned indent) {
  text_put(out, " {");
  put_nodes(out, first, indent + 2);
  new_line(out, indent);
  text_char(out, '}');
}

static void put_task(struct text *out, const struct task_node *node) {
  bool holds = !node->given;
  text_put(out, holds ? "hold " : "call ");
  if (!holds) text_printf(out, "%s(", node->name);
  expr_format(out, holds ? node->value : node->given);
  text_put(out, holds ? ";" : ");");
}

static void put_loop(struct text *out, const struct task_node *node, unsigned indent) {
  if (node->range) {
    text_printf(out, "for %s in ", node->name);
    expr_format(out, node->range);
    if (node->step) {
      text_put(out, node->geometric ? " by * " : " by ");
      expr_format(out, node->step);
    }
  } else {
    text_put(out, "while ");
    expr_format(out, node->arms[0].condition);
  }
  put_block(out, node->arms[0].first, indent);
}

static void put_if(struct text *out, const struct task_node *node, unsigned indent) {
  if (node->collapse) text_put(out, "collapse ");
  if (node->chance) {
    text_put(out, "by ");
    expr_format(out, node->chance);
    text_char(out, ' ');
  }
  text_put(out, "if ");
  expr_format(out, node->arms[0].condition);
  put_block(out, node->arms[0].first, indent);
  if (node->arm_count < 2) return;
  text_put(out, " else");
  put_block(out, node->arms[1].first, indent);
}

/* What is waited for stands before its block, without the semicolon. */
static void put_heads(struct text *out, const struct task_node *node, unsigned indent) {
  text_put(out, "first of {");
  for (uint32_t k = 0; k < node->arm_count; k++) {
    const struct task_node *head = node->arms[k].first;
    size_t length = strlen(head->text);
    new_line(out, indent + 2);
    text_put_n(out, head->text, length && head->text[length - 1] == ';' ? length - 1 : length);
    put_block(out, head->next, indent + 2);
  }
  new_line(out, indent);
  text_char(out, '}');
}

static void put_branch(struct text *out, const struct task_node *node, unsigned indent) {
  if (node->statement == STMT_IF) {
    put_if(out, node, indent);
    return;
  }
  if (node->statement == STMT_FIRST_OF) {
    put_heads(out, node, indent);
    return;
  }
  text_put(out, node->collapse ? "collapse one of {" : "one of {");
  for (uint32_t k = 0; k < node->arm_count; k++) {
    new_line(out, indent + 2);
    expr_format(out, node->arms[k].condition);
    put_block(out, node->arms[k].first, indent + 2);
  }
  new_line(out, indent);
  text_char(out, '}');
}

static void put_nodes(struct text *out, const struct task_node *first, unsigned indent) {
  for (const struct task_node *node = first; node; node = node->next) {
    if (node->text && !*node->text) continue; /* a request without a label: it is none of the body */
    new_line(out, indent);
    if (node->kind == TASK_COMPUTE && node->combines)
      put_task(out, node);
    else if (node->kind == TASK_LOOP)
      put_loop(out, node, indent);
    else if (node->kind == TASK_BRANCH)
      put_branch(out, node, indent);
    else
      text_put(out, node->text);
  }
}

void task_graph_body(struct text *out, const struct task_graph *graph, unsigned indent) {
  put_nodes(out, graph->first, indent);
}
