/* The ranks of a program as strands of psl's process. */
#ifndef PSL_INSIDE_H
#define PSL_INSIDE_H
#include "evaluators/programs/handover.h"

struct inside;
/* NULL: error says why. The words are the program and its arguments; they last longer. */
struct inside *inside_open(struct area *area, const char *library, char **words, struct program_error *error);
/* To its first turn of psl's; false: error says why. */
bool inside_start(struct inside *inside, uint32_t rank, struct program_error *error);
void inside_resume(struct inside *inside, uint32_t rank);
bool inside_lives(const struct inside *inside, uint32_t rank); /* it is started, and has not ended */
/* The rank has ended, with a status as waitpid has it. */
bool inside_ended(const struct inside *inside, uint32_t rank, int *status);
void inside_close(struct inside *inside); /* NULL is fine */
#endif
