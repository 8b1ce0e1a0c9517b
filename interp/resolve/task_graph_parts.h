/* What the files that derive static task graphs share. */
#ifndef PSL_TASK_GRAPH_PARTS_H
#define PSL_TASK_GRAPH_PARTS_H
#include "interp/resolve/resolve.h"
#include "interp/resolve/task_graph.h"

enum { TASK_LOOPS = 16 }; /* whose variables are dimensions */

struct task_end { /* one end of messages, as it stands in a body */
  struct task_node *node;
  uint32_t graph; /* its place in the list */
  const struct model_accept *accept;
  const struct expr *peer, *tag, *communicator; /* as checked, in terms of the label's parameters, */
  struct symbolic_frame frame;                  /* for which these are given */
  bool framed, sends, wild;                     /* wild: from any source */
  struct isl_set *domain;                       /* over indices and TASK_LOOPS variables */
  const char *inexact;                          /* why it is too large; NULL: it is not */
  uint32_t depth;
  struct symbol *loops[TASK_LOOPS];
};

struct deriving {
  struct resolver *r;
  struct arena *arena;
  struct static_graph *out;
  struct isl_ctx *ctx;
  struct symbol **params; /* of all sets, in the order of their space */
  uint32_t param_count, param_capacity;
  struct isl_set *context; /* what is known of them: ranges and assertions; over nothing else */
  struct task_end *ends;
  uint32_t end_count, end_capacity;
};

/* For sets of `dims` dimensions. */
struct symbolic deriving_symbolic(const struct deriving *d, uint32_t dims);
/* The set, known to lie in the context, as text; its dimensions are called `names`. It is given away. */
const char *deriving_set_text(struct deriving *d, struct isl_set *set, const char *tuple, const char *const *names,
                              uint32_t count);
/* Why the expression is not affine. */
const char *deriving_why(struct deriving *d, const struct expr *expr);
/* What the accept's attribute is, over the indices of its component; NULL: it has none. */
const struct expr *deriving_attribute(struct deriving *d, const struct model_accept *accept, enum known attribute);
/* The index set of a component and of those around it, from s->base on. */
struct isl_set *deriving_index_set(struct symbolic *s, const struct model_component *component, const char **inexact);
/* Joins sends and receives, members of collective operations, and requests of dataflow with what accepts them. */
void deriving_edges(struct deriving *d);
#endif
