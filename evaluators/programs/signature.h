/* What a program does with memory, basic block by basic block: what the plugin of QEMU's has found, read and put
 * together. */
#ifndef PSL_SIGNATURE_H
#define PSL_SIGNATURE_H
#include "evaluators/programs/signature_format.h"
#include <stdbool.h>
#include <stddef.h>

/* Accesses by kind: loads in each manner, then stores. */
enum { KIND_STORES = MANNERS, KINDS = 2 * MANNERS };

/* The numbers of a block: loads, those of them to registers of floating point, stores, loads and stores by steps, and
 * what it adds to the longest chain and its loads by distance, which may be negative: by two's complement; between
 * these conditional branches, and mispredicted ones. Behind these stand, for each machine, misses of the TLB and what
 * each level beyond the first has served of each kind, and then the bins of distances of each kind. */
enum signature_count {
  COUNT_LOADS,
  COUNT_FLOAT_LOADS,
  COUNT_STORES,
  COUNT_STEPS,
  COUNT_CHAINS = COUNT_STEPS + 2 * STEPS, /* by chain */
  COUNTS = COUNT_CHAINS + CHAINS * CHAIN_COUNTS
};

struct program_site;
struct signature_image;
struct source_lines;

struct signature_block {
  uint64_t address, executions, instructions, floating, operations;
  uint64_t *counts;
  const char *function, *file; /* once it is located, as debugging information has it; NULL: it does not */
  uint32_t line;               /* 0: unknown */
};

/* What a rank does between two calls of MPI; or all that a program does. */
struct signature_burst {
  uint32_t rank;
  uint64_t key, times;            /* as operations.h has its key; how often it was executed */
  struct signature_block *blocks; /* those with most accesses first; behind them one without an address, which is the */
  size_t count;                   /* sum of all that hardly do anything */
  uint64_t *counts;
  const struct signature_image *image;
};

struct memory_signature {
  struct signature_burst *bursts; /* by rank and key */
  size_t count;
  unsigned machines, levels[MACHINES_MOST];
  size_t width;    /* of counts */
  uint64_t one_of; /* lines whose distances are counted; 0, 1: of all */
  uint64_t lines;  /* of those */
  double spread;   /* of what is said to miss in a cache of some size, squared */
  struct signature_image *images;
  struct source_lines *sources;
};

/* `machines`, `levels` and `one_of` say what was wanted. Distances of one line in so many become those of all.
 * Adds what the file of a rank, or of a program, says. False with what is wrong with the file in *why. */
bool signature_read(const char *path, uint32_t rank, struct memory_signature *signature, const char **why);
void signature_locate(const struct memory_signature *signature, const struct signature_burst *burst,
                      struct signature_block *block);
const char *signature_program(const struct signature_burst *burst); /* its file; NULL: not known */
/* The places of the calls before and behind it; NULL: not known. Each lives until the next one is asked for. */
const struct program_site *signature_call(const struct memory_signature *signature, const struct signature_burst *burst,
                                          bool behind);
void signature_close(struct memory_signature *signature);
void signature_add(struct signature_block *sum, const struct signature_block *block, size_t width);
/* Does it hardly do anything of all that a program does? */
bool signature_little(const struct signature_block *block, const struct signature_block *all);

/* Where the counts of a machine begin, and those of distances. */
size_t signature_machine(const struct memory_signature *signature, unsigned machine);
size_t signature_distances(const struct memory_signature *signature);
/* How many accesses of that kind a block has. */
uint64_t signature_accesses(const struct signature_block *block, unsigned kind);
#endif
