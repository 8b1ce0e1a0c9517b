/* What evaluators have answered that takes long and depends on nothing but its key: a block that was simulated, or
 * measured on this computer. A handle keeps it from run to run, and shares it with the processes that it forks; a study
 * keeps it in its database. Where two are asked the same at once, the first answer stands for both. */
#ifndef PSL_ANSWERS_H
#define PSL_ANSWERS_H
#include "grammar/arena.h"
#include "interp/include/evaluator.h"

struct answers;
/* None yet; they live as long as the arena. */
struct answers *answers_open(struct arena *arena);
/* The key of a text and of what stands in a file (NULL: none); false: that cannot be read. */
bool answers_key(const char *text, const char *file, struct psl_key *key);
bool answers_find(struct answers *answers, struct psl_key key, double *answer);
/* Gives what stands under that key now. */
double answers_keep(struct answers *answers, struct psl_key key, double answer);
/* Hands out those that were kept and not handed out before; `known`: nobody wants to have this one. */
void answers_new(struct answers *answers, void (*take)(void *user, struct psl_key key, double answer), void *user);
void answers_known(struct answers *answers, struct psl_key key, double answer);
#endif
