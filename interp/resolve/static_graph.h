/* Proofs about the static task graph, for all values of the params. */
#ifndef PSL_STATIC_GRAPH_H
#define PSL_STATIC_GRAPH_H
#include "interp/model.h"

/* For every dataflow accept of what the system reaches that is fed by requests which give some of its
 * parameters each: is every instance, for all values of the int params in their ranges, given each parameter
 * that has no default, and none twice (but `every` ones)? A counterexample is reported: what is missing as an
 * error, what arrives twice as a warning. An accept whose index set, `where` or selectors are not affine is
 * left out; `verbose`: with a note that says why. The model is bound. False after an error. */
bool static_graph_check(struct model *model, struct arena *arena, struct model_component *system,
                        bool verbose);
#endif
