/* An evaluator that is refused: signatures that cannot be. */
#include "interp/include/evaluator.h"

static bool same(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  *result = arguments[0];
  return true;
}
static const struct psl_evaluator_function functions[] = {
    {.name = "array", .signature = "(x : [real, 3]) -> real", .kind = PSL_PURE, .pure = same, .doc = ""},
    {.name = "list", .signature = "(x : [term]) -> real", .kind = PSL_PURE, .pure = same, .doc = ""},
    {.name = "out", .signature = "(out x : real)", .kind = PSL_PURE, .pure = same, .doc = ""},
    {.name = "text", .signature = "(x : real) -> string", .kind = PSL_PURE, .pure = same, .doc = ""},
    {.name = "called",
     .signature = "(f : function(x : real) -> real) -> real",
     .kind = PSL_PURE,
     .pure = same,
     .doc = ""},
    {.name = "many",
     .signature = "(a : int, b : int, c : int, d : int, e : int, f : int, g : int, h : int, i : int, j : int, "
                  "k : int, l : int, m : int, n : int, o : int, p : int, q : int) -> int",
     .kind = PSL_PURE,
     .pure = same,
     .doc = ""},
    {.name = NULL},
};
const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .revision = "1",
                                            .doc = "Wrong.",
                                            .functions = functions,
                                            .name = "signatures",
                                            .evidence = PSL_ANALYTIC};
