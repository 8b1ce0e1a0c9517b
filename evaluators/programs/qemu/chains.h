/* Chains of instructions each of which waits for the one before: how long a program takes on a processor that has all
 * units as often as it wants, and an instruction of a window once its operands are there. */
#ifndef PSL_CHAINS_H
#define PSL_CHAINS_H
#include "evaluators/programs/qemu/dependences.h"

struct chains;

struct chains *chains_open(uint64_t window); /* instructions; NULL: memory does not suffice */
/* What one execution adds to the longest chain, by kind of step, is added to `counts`; from CHAIN_LOADS on stand the
 * chain's loads from memory by the bin of their distance, which is CHAIN_BINS if it is not known. An address is 0 where
 * nothing is loaded or stored. */
void chains_execute(struct chains *chains, const struct dependences *instruction, uint64_t load, unsigned bin,
                    uint64_t store, int64_t counts[CHAIN_COUNTS]);
#endif
