/* The sliced program: what the files of the plugin share that make it. */
#ifndef PSL_COMPILE_PLUGIN_SLICED_PROGRAM_H
#define PSL_COMPILE_PLUGIN_SLICED_PROGRAM_H
#include "interp/compile/plugin/facts.h"

enum { OPERATION_KINDS = 4 }; /* on integers, on floating-point numbers, loads, stores */

/* The functions of the runtime that a sliced program calls; evaluators/programs/sliced/runtime.c has them. */
struct runtime {
  tree begin, count, end, data, passes;
  runtime();
  bool calls(gimple *statement) const; /* one of a nest? */
};

struct operations {
  long counts[OPERATION_KINDS] = {};
};
typedef std::vector<std::string> chances; /* of branches, one in another */

/* What psl compile says of the program, by facts.cc's numbers of its blocks (slice_plan.c). */
struct plan {
  std::vector<std::pair<int, int>> pruned;         /* ways that are never taken: from and to */
  std::vector<std::pair<int, std::string>> passes; /* of a loop, by its header, as the runtime computes them */
  std::map<int, std::string> nests;                /* by their headers: the names */
  std::vector<std::string> names;                  /* the same, each once: the numbers that the program tells */
  std::map<int, std::string> branches;             /* that loops in nests stand in, by their headers */
  /* Of a loop in a nest, by its header: operations, by the branch of the loop that they stand in, or "-". */
  std::map<int, std::vector<std::pair<std::string, operations>>> own;
  std::set<std::string> kept; /* nests that are done, and timed */
  std::string report;         /* the file for the parts of the nests */
};

/* By the nests' names: the chances that operations are counted by. */
typedef std::map<std::string, std::vector<chances>> nest_parts;

/* A nest that ends for the runtime before it is come to, since all its passes are known there. */
struct known_nest {
  class loop *loop;
  gcall *begin, *end;
};

/* ---- nest_counts.cc ---- */
/* Puts the calls there: before each nest, and into those whose passes are not known. The loops of those that are kept
 * go to `kept`, those that are not, and whose passes are known, to `known`. */
void count_nests(const runtime &names, const plan &plan, nest_parts &parts, hash_set<class loop *> &kept,
                 std::vector<known_nest> &known);
/* What decides is in that nest: for the runtime it ends where it is left; until then all time is the nest's. Returns
 * the calls. */
std::vector<gcall *> end_behind(const runtime &names, const known_nest &nest);

/* ---- sliced_program.cc ---- */
/* Makes main the sliced program, as the plan in the file says. */
void slice_program(function *fun, const char *plan);

#endif
