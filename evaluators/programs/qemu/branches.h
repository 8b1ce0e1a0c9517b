/* Which conditional branches a processor would predict wrongly. */
#ifndef PSL_BRANCHES_H
#define PSL_BRANCHES_H
#include <stdbool.h>
#include <stdint.h>

struct branches;

struct branches *branches_open(void); /* NULL: memory does not suffice */
/* The branch at that address was taken, or not: is it another way than was predicted? */
bool branches_mispredicted(struct branches *branches, uint64_t address, bool taken);
#endif
