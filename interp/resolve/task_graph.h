/* The static task graph: what the processes of a system compute and send to each other, before any run and for all
 * values of its params. Each body that the system reaches is a graph of nodes; a node stands for all instances of what
 * it does, an edge for all pairs of instances that it joins.
 *
 * It is made of a model's bodies (task_graph.c), or read from what was stored (interp/taskgraph/static_read.c).
 * Whoever has one needs nothing of the model any more. Sets and mappings are texts in isl's notation,
 * expressions those of PSL. */
#ifndef PSL_TASK_GRAPH_H
#define PSL_TASK_GRAPH_H
#include "grammar/ast.h"

enum task_kind {
  TASK_COMPUTE,     /* sequential work */
  TASK_COMMUNICATE, /* what one end of a message, or a collective operation, does */
  TASK_GRAPH,       /* other graphs, called or started */
  TASK_LOOP,
  TASK_BRANCH,
  TASK_STATEMENT, /* what takes no time: a let, an assignment */
  TASK_KINDS
};
extern const char *const task_kind_names[TASK_KINDS];

struct task_arm {         /* of a branch; a loop has one */
  struct expr *condition; /* or its chance; NULL: else, the body of a loop, or what waits in its first node */
  struct task_node *first;
};

struct task_node {
  enum task_kind kind;
  uint32_t id; /* from 1 on in the whole static graph */
  struct task_node *next;
  const char *place;        /* file:line:column */
  const char *text;         /* a statement as it is written; of loops and branches NULL */
  const char *name;         /* the label that is called, the variable of a loop or of a let; NULL: none */
  const char *operation;    /* a transaction, or the word of the statement, */
  enum stmt_kind statement; /* which this is, where it is none of a request; else STMT_KINDS */
  const char *instances;    /* the set of them; NULL: it is not known, for this reason: */
  const char *unknown;      /* or why it is a larger one; NULL: it is exact */
  struct expr *value;       /* of a let; of a task that computes its scaling function, */
  struct expr *given;       /* and what its label is given for that; NULL: what it takes is `value` itself, a time */
  bool combines;            /* a task: its time is proportional to its scaling function, and it waits for nobody */
  bool state;               /* `value` reads what bodies change */
  bool pure;                /* a let: of what is known of the process before the run */
  bool summed;              /* a task that condensing has made of several */
  struct expr *peer, *tag, *size; /* of a message; NULL: it has none, or is given none */
  bool sends, receives, collective;
  const char **graphs; /* GRAPH: components whose graphs it stands for */
  uint32_t graph_count;
  struct expr *range, *step, *trips; /* a loop's; trips NULL: it is not known how many */
  bool geometric;
  bool collapse;       /* a branch that condensing takes for its mean, */
  struct expr *chance; /* its first arm being taken with this chance; NULL: by its condition */
  struct task_arm *arms;
  uint32_t arm_count;
};

enum task_edge_kind { EDGE_MESSAGE, EDGE_COLLECTIVE, EDGE_DATAFLOW, EDGE_CALL, EDGE_KINDS };
extern const char *const task_edge_names[EDGE_KINDS];

struct task_edge {
  enum task_edge_kind kind;
  uint32_t from, to;           /* nodes; 0: the beginning of the graph `of`, of a dataflow edge its tasks */
  const char *of_from, *of_to; /* graphs */
  const char *mapping;         /* from instances to instances; NULL: not known, for this reason: */
  const char *unknown;         /* or what is not known of it; NULL: it is exact */
};

struct task_graph { /* of one accept */
  const char *component, *transaction;
  const char **indices;
  uint32_t index_count;
  const char *instances, *unknown; /* as those of a node */
  const char *processor;           /* its attribute `processor` or `rank`; NULL: none */
  struct task_node *first;
  const struct model_accept *accept; /* NULL where it was read */
};

struct static_graph {
  const char *system;
  struct task_param { /* what sets, mappings and scaling functions are over */
    const char *name, *value;
  } * params;
  uint32_t param_count;
  struct task_graph *graphs;
  uint32_t graph_count, graph_capacity;
  struct task_edge *edges;
  uint32_t edge_count, edge_capacity;
  uint32_t node_count;     /* the greatest id */
  uint32_t condensed_from; /* so many nodes; 0: it is not condensed */
};

struct graph;
/* Of a resolved system. */
struct static_graph *static_graph_derive(struct graph *graph, struct arena *arena);

/* Where a body's text stands. */
struct span task_graph_span(const struct task_graph *graph);

/* ---- trees of expressions that nobody checks: for scaling functions ---- */
struct expr *task_expr_copy(struct arena *arena, const struct expr *expr);
/* A copy in which each name that is one of these stands for a value. */
struct renaming {
  const struct name *name;
  const struct expr *value;
};
struct expr *task_expr_with(struct arena *arena, const struct expr *expr, const struct renaming *names, uint32_t count);
bool task_expr_reads(const struct expr *expr, const struct name *name);
struct expr *task_expr_integer(struct arena *arena, int64_t value);
struct expr *task_expr_binary(struct arena *arena, enum operator op, struct expr *left, struct expr *right);
bool task_expr_is(const struct expr *expr, int64_t value);
#endif
