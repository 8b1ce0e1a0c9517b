/* The evaluator that conversations are made by; models do not name it. */
#ifndef PSL_CONVERSATION_H
#define PSL_CONVERSATION_H
#include "interp/include/evaluator.h"

extern const struct psl_evaluator conversation_evaluator;

/* A process is cancelled at `clock`, in the middle of all bodies that it is in: conversations that these have begun go
 * on without them. */
void conversations_break_off(void *state, uint32_t process, double clock);
#endif
