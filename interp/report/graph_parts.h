/* What all pictures of a graph are made of. */
#ifndef INTERP_REPORT_GRAPH_PARTS_H
#define INTERP_REPORT_GRAPH_PARTS_H
#include "interp/report/results.h"

enum { GRAPH_UNREACHED = -1 };

/* Which components are drawn, and how many requests away from the system they are. */
struct graph_depths {
  bool *drawn;
  int *depth, deepest;
};

/* The domain of a component as its first profile writes it; "" where it has none. */
const char *graph_domain(struct arena *arena, const struct model_component *component);
/* The clauses on the target's indices among those joined by `and`: the mapping of the edge. */
void graph_mapping(struct text *line, const struct expr *selector, const struct model_component *target);
/* Where the model has targets of its own, the library's are those that they are made like, which none is sent to. */
bool graph_may_be(const struct model *model, const struct binding *binding, uint32_t candidate);
/* Marks the accepts, by their ids, that some instance's request is bound to. */
void graph_reach(const struct graph *graph, const struct model_request *request, bool *seen);
struct graph_depths graph_depths(const struct graph *graph, struct arena *arena);
#endif
