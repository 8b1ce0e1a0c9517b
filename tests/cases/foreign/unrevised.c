/* An evaluator that is refused: it has no revision. */
#include "interp/include/evaluator.h"

static bool same(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  *result = arguments[0];
  return true;
}
static const struct psl_evaluator_function functions[] = {
    {.name = "same", .signature = "(x : int) -> int", .kind = PSL_PURE, .pure = same, .doc = "The same."},
    {.name = NULL},
};
const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .name = "unrevised",
                                            .doc = "Wrong.",
                                            .functions = functions,
                                            .evidence = PSL_ANALYTIC};
