/* What the files of the plugin share: GCC's headers, in the order that they need, and what calls.cc knows. */
#ifndef PSL_COMPILE_PLUGIN_FACTS_H
#define PSL_COMPILE_PLUGIN_FACTS_H
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
/* GCC's own come behind those of C++. */
#include <gcc-plugin.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <ssa.h>
#include <cgraph.h>
#include <gimple-iterator.h>
#include <gimple-pretty-print.h>
#include <cfgloop.h>
#include <cfganal.h>
#include <tree-cfg.h>
#include <tree-eh.h>
#include <except.h>
#include <tree-ssa-loop-ivopts.h>
#include <tree-ssa-loop-manip.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-alias.h>
#include <tree-ssa-loop.h>
#include <tree-scalar-evolution.h>
#include <tree-into-ssa.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <tree-cfgcleanup.h>
#include <tree-phinodes.h>
#include <tree-ssanames.h>
#include <tree-dfa.h>
#include <gimple-fold.h>
#include <cfghooks.h>
#include <fold-const.h>
#include <internal-fn.h>
#include <langhooks.h>
#include <context.h>
#include <attribs.h>
#include <stringpool.h>
#include <diagnostic-core.h>
#include <diagnostic.h>
#include <plugin-version.h>

/* ---- calls.cc ---- */
/* What a function of MPI, or of a library, does to memory, in GCC's words ("fn spec"); empty: nothing is known. */
std::string call_spec(gcall *call);
/* What it does to the memory that an argument points to: v nothing, it is a value, r it reads, w it writes, o likewise,
 * and no more than what is named, b both; 0: that is not known of the function. */
int argument_kind(gcall *call, unsigned place);
/* Makes a number that Fortran writes, by its address, a copy of it, so that a variable that counts is known to. Before
 * there are names of values. */
void give_copies(gimple_stmt_iterator *at, gcall *call);
/* Makes the address of a variable with parts, given for one handle or number (as an array by its bare name), that of
 * the part that is meant. */
void point_to_elements(gcall *call);
/* Is it the address of an element, which the call uses those behind of as well? */
bool begins_list(gcall *call, unsigned place);
bool is_known(gcall *call); /* is it one of those? */
/* Is it a function of the program's that no file defines, and none of MPI, the compiler or its libraries? */
bool is_foreign(tree decl);
/* May the call change what is there? */
bool is_written(gcall *call, ao_ref *reference);
/* What a call that receives or reads sets by its argument at that place, and whether it sets all of that; false: it
 * sets nothing by it, or how much is not known. */
bool given_range(gcall *call, unsigned place, ao_ref *range, bool *all);
/* Is it all changed by the statement, as far as it is known here? */
bool kills(gimple *statement, ao_ref *reference);
/* What the statement costs: int, float, load, store, or nothing. */
const char *operation_of(gimple *statement);
void write_text(FILE *file, const char *text); /* as a string of JSON */

/* ---- facts.cc ---- */
const char *function_of(gimple *statement); /* of the source, that the statement comes from */
/* Where the loop is tested, or else where something stands in it. */
location_t place_of(class loop *loop);

/* ---- instrument.cc ---- */
/* Timers round nests in all functions; `math`: of optimizations of arithmetic, those alone are made behind that which
 * GCC makes unasked. */
void add_timers(const char *path, bool math);
void add_counters(function *fun, const char *path); /* in a main that is as the facts are, and whose loops are known */

#endif
