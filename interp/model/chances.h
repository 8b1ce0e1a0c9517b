/* Chances of which one is taken: those of `one of`. */
#ifndef PSL_CHANCES_H
#define PSL_CHANCES_H
#include "grammar/arena.h"

/* What is wrong with them, and at which of them (`count`: with all together); NULL: each is from 0 to 1, and they come
 * to 1. */
const char *chances_wrong(struct arena *arena, const double *chances, uint32_t count, uint32_t *at);
/* The one that a number in [0, 1) takes: never one of 0. */
uint32_t chances_take(const double *chances, uint32_t count, double number);
#endif
