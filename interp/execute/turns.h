/* Turns of a loop that are like the one before, made at once: TURNS, which repeat.c puts before them.
 *
 * In such a turn the clock is held for as long as in the last one, and the same is added to vars. All sums are the
 * same bits as if they were made of their parts in their order; what is only counted is counted by a product. */
#ifndef PSL_TURNS_H
#define PSL_TURNS_H
#include "interp/execute/executor.h"

struct turns_site;

/* As many turns as can be, but never the last of the loop: the variable is that of the one to go on with, and the time
 * is returned. Where one of them would fail, code is left to come to it. */
double turns_make(struct executor *executor, struct process *process, const struct turns_site *site,
                  union slot *registers, double clock);
#endif
