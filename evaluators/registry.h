/* The evaluators that are built in. */
#ifndef PSL_EVALUATORS_H
#define PSL_EVALUATORS_H
#include "interp/include/evaluator.h"

extern const struct psl_evaluator *const psl_evaluators[]; /* ended by NULL */
#endif
