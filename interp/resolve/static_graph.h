/* Proofs about the static task graph, for all values of the params. */
#ifndef PSL_STATIC_GRAPH_H
#define PSL_STATIC_GRAPH_H
#include "interp/resolve/graph.h"

/* For every dataflow accept of what the system reaches that is fed by requests which give some of its parameters
 * each: is every instance, for all values of the int params in their ranges, given each parameter that has no
 * default, and none twice (but `every` ones)? A counterexample is reported: what is missing as an error, what arrives
 * twice as a warning. An accept whose index set, `where` or selectors are not affine is left to static_graph_test;
 * `verbose`: a note says of each accept whether it was proved. The model is bound. False after an error. */
bool static_graph_check(struct model *model, struct arena *arena, struct model_component *system, bool verbose);
/* The same for the params as they are, in a resolved graph; resolve() itself has tested that instances which
 * something reaches get all that has no default. */
bool static_graph_test(const struct graph *graph);
#endif
