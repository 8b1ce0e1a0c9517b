/* An evaluator that is refused: a signature that is no text of PSL. */
#include "interp/include/evaluator.h"

static bool same(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  *result = arguments[0];
  return true;
}
static const struct psl_evaluator_function functions[] = {
    {.name = "same", .signature = "(x int) -> int", .kind = PSL_PURE, .pure = same, .doc = ""},
    {.name = "more",
     .signature = "(x : int) -> int; function less(x : int) -> int",
     .kind = PSL_PURE,
     .pure = same,
     .doc = ""},
    {.name = "last", .signature = "(x : int) -> int", .kind = PSL_PURE, .pure = same, .doc = ""},
    {.name = NULL},
};
const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .revision = "1",
                                            .doc = "Wrong.",
                                            .functions = functions,
                                            .name = "unreadable",
                                            .evidence = PSL_ANALYTIC};
