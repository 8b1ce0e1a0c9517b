/* What a program does with memory, basic block by basic block: what the plugin of QEMU's has found, read and put
 * together. */
#ifndef PSL_SIGNATURE_H
#define PSL_SIGNATURE_H
#include "evaluators/programs/signature_format.h"
#include <stdbool.h>
#include <stddef.h>

/* Accesses by kind: loads in each manner, then stores. */
enum { KIND_STORES = MANNERS, KINDS = 2 * MANNERS };

/* The numbers of a block: loads, stores, and both by steps. Behind these stand, for each machine, misses of the TLB and
 * what each level beyond the first has served of each kind, and then the bins of distances of each kind. */
enum signature_count { COUNT_LOADS, COUNT_STORES, COUNT_STEPS, COUNTS = COUNT_STEPS + 2 * STEPS };

struct signature_block {
  uint64_t address, executions, instructions, floating, operations;
  uint64_t *counts;
  const char *function, *file; /* once it is located, as debugging information has it; NULL: it does not */
  uint32_t line;               /* 0: unknown */
};

struct memory_signature {
  struct signature_block *blocks; /* those with most accesses first */
  size_t count;
  unsigned machines, levels[MACHINES_MOST];
  size_t width;    /* of counts */
  uint64_t one_of; /* lines whose distances are counted; 0, 1: of all */
  uint64_t lines;  /* of those */
  void *private;   /* texts, blocks */
};

/* `machines`, `levels` and `one_of` say what was wanted. Distances of one line in so many become those of all.
 * False with what is wrong with the file in *why. */
bool signature_read(const char *path, struct memory_signature *signature, const char **why);
void signature_locate(const struct memory_signature *signature, struct signature_block *block);
void signature_close(struct memory_signature *signature);

/* Where the counts of a machine begin, and those of distances. */
size_t signature_machine(const struct memory_signature *signature, unsigned machine);
size_t signature_distances(const struct memory_signature *signature);
/* How many accesses of that kind a block has. */
uint64_t signature_accesses(const struct signature_block *block, unsigned kind);
#endif
