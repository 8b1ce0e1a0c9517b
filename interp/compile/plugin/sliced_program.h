/* The sliced program: what the files of the plugin share that make it. */
#ifndef PSL_COMPILE_PLUGIN_SLICED_PROGRAM_H
#define PSL_COMPILE_PLUGIN_SLICED_PROGRAM_H
#include "interp/compile/plugin/facts.h"

enum { OPERATION_KINDS = 4 }; /* on integers, on floating-point numbers, loads, stores */

/* The functions of the runtime that a sliced program calls; interp/compile/sliced_runtime.c has them. */
struct runtime {
  tree begin, count, end, data;
  runtime();
  bool calls(gimple *statement) const; /* one of a nest? */
};

/* ---- facts.cc ---- */
const char *source_function(gimple *statement); /* of the program that the statement comes from */
location_t loop_place(class loop *loop);        /* where it is tested, or else where something stands in it */

/* ---- nest_counts.cc ---- */
std::string nest_name(class loop *loop);
/* Puts the calls there: before each nest, and into those whose passes are not known. `talking`: loops that call MPI.
 * The names of all nests go to `met`, the loops of those that are `kept` to `kept_loops`. */
void count_nests(const runtime &names, const hash_set<class loop *> &talking, const std::set<std::string> &kept,
                 std::set<std::string> &met, hash_set<class loop *> &kept_loops);

/* ---- sliced_program.cc ---- */
/* Makes main the sliced program, as the plan says: psl compile writes it. False, after an error of GCC's. */
bool slice_program(function *fun, const char *plan);

#endif
