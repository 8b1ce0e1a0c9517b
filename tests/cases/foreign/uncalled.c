/* An evaluator that is refused: a function of it has none. */
#include "interp/include/evaluator.h"

static bool same(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  *result = arguments[0];
  return true;
}
static const struct psl_evaluator_function functions[] = {
    {.name = "same", .signature = "(x : int) -> int", .kind = PSL_CALL, .pure = same, .doc = "The same."},
    {.name = NULL},
};
const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .revision = "1",
                                            .doc = "Wrong.",
                                            .functions = functions,
                                            .name = "uncalled",
                                            .evidence = PSL_ANALYTIC};
