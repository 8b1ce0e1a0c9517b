/* The evaluator that conversations are made by; models do not name it. */
#ifndef PSL_CONVERSATION_H
#define PSL_CONVERSATION_H
#include "interp/include/evaluator.h"

extern const struct psl_evaluator conversation_evaluator;
#endif
