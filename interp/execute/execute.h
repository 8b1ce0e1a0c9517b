/* Running a resolved graph: firings under Lamport clocks. */
#ifndef PSL_EXECUTE_H
#define PSL_EXECUTE_H
#include "interp/model/run.h"
#include "interp/resolve/graph.h"

/* Runs the graph. The result lives in `arena`. A stop that is no end has been reported as a diagnostic, and
 * the result is what there is so far. */
struct run_result *run_graph(struct graph *graph, struct arena *arena, const struct run_options *options);
#endif
