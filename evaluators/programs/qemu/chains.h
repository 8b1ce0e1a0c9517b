/* Chains of instructions each of which waits for the one before: how long a program takes on a processor that has all
 * units as often as it wants, and an instruction of a window once its operands are there. */
#ifndef PSL_CHAINS_H
#define PSL_CHAINS_H
#include "evaluators/programs/qemu/dependences.h"

struct chains;

/* Where a load has its line from. */
struct chain_load {
  unsigned bin; /* of its distance; CHAIN_BINS: not known */
  bool far;     /* from beyond the second level */
};

/* A window of so many instructions, in which a far load takes so many cycles longer than others; NULL: memory does not
 * suffice. */
struct chains *chains_open(uint64_t window, int64_t farther);
/* What one execution adds to the longest chain, by kind of step, is added to `counts`; from CHAIN_LOADS on stand the
 * chain's loads from memory by the bin of their distance, if it is known. An address is 0 where nothing is loaded or
 * stored. */
void chains_execute(struct chains *chains, const struct dependences *instruction, uint64_t load, struct chain_load from,
                    uint64_t store, int64_t counts[CHAIN_COUNTS]);
#endif
