/* What the plugin of QEMU's finds out about memory, as the file has it that signature.c reads: lines of
 *
 *   file BEGIN-END ... PATH           as /proc/self/maps has it
 *   lines N                           that were used, of those whose distances are counted
 *   spread N                          if not all are: by how much misses are wrong, squared, in the mean, at most
 *   burst KEY TIMES                   of a rank of MPI: the blocks that stand behind it are the burst's
 *   block EXECUTIONS                  with, for each of its instructions,
 *   instruction ADDRESS SIZE FLOATING OPERATIONS BRANCH VECTOR
 *   chain N... EXECUTED WRONG BIN:N...   what it adds to the longest chain, by kind of step; conditional branches, and
 *                                     those of them that were mispredicted; the chain's other loads by distance
 *   far N... 0 0 BIN:N...             the same of the chain that is the longest where far loads take long
 *   loads N STEP... SERVED... BIN:N...   and stores; SERVED by machine: misses of the TLB, and by level from the
 *                                     second one to memory in each manner; BIN: the manner times BINS, and the bin
 *   exec                              the process is to be another program's, and writes no more if it becomes that
 *   end                               or memory: that did not suffice */
#ifndef PSL_SIGNATURE_FORMAT_H
#define PSL_SIGNATURE_FORMAT_H
#include <stdint.h>

enum { MACHINES_MOST = 16 };

/* How far an access is from the one before by the same instruction: not at all, up to so many bytes, farther and as
 * far as that one was, a page or more and as far, or otherwise. */
enum step { STEP_0, STEP_8, STEP_16, STEP_32, STEP_64, STEP_FAR, STEP_PAGE, STEP_RANDOM, STEPS };
enum manner { MANNER_SEQUENTIAL, MANNER_STRIDED, MANNER_PAGED, MANNER_RANDOM, MANNERS }; /* steps up to 64 bytes, ... */
enum { FAR_PAGE = 4096 };

/* What a chain of instructions that wait for each other is made of: a sum of integers and what takes as long,
 * operations of floating point, a load of what was just stored, another load. */
enum chain_step {
  CHAIN_INTEGER,
  CHAIN_ADD,
  CHAIN_MULTIPLY,
  CHAIN_FUSED,
  CHAIN_DIVIDE,
  CHAIN_ROOT,
  CHAIN_FORWARD,
  CHAIN_LOAD,
  CHAIN_STEPS
};

/* Stack distances by bins: one for each distance up to 15, then 8 for each doubling; the last is for a line that was
 * not used before. */
enum { BINS_EXACT = 16, BINS_OCTAVE = 8, BINS = BINS_EXACT + 36 * BINS_OCTAVE + 1, BIN_NEVER = BINS - 1 };

static inline unsigned bin_of(uint64_t distance) {
  if (distance < BINS_EXACT) return (unsigned)distance;
  if (distance >> 40) return BIN_NEVER;
  unsigned octave = 63 - (unsigned)__builtin_clzll(distance);
  return BINS_EXACT + (octave - 4) * BINS_OCTAVE + (unsigned)(distance >> (octave - 3) & 7);
}

/* The least distance that is beyond the bin. */
static inline uint64_t bin_end(unsigned bin) {
  if (bin < BINS_EXACT) return bin + 1;
  unsigned octave = 4 + (bin - BINS_EXACT) / BINS_OCTAVE, part = (bin - BINS_EXACT) % BINS_OCTAVE;
  return (UINT64_C(9) + part) << (octave - 3);
}

/* Distances of the loads of a chain, with fewer bins: one up to 128 lines, then two for each doubling. The last one is
 * for a line that was not used before. */
enum { CHAIN_BIN_OCTAVE = 7, CHAIN_BINS = 1 + 2 * 20 + 1, CHAIN_BIN_NEVER = CHAIN_BINS - 1 };
/* What is found of an instruction with chains. */
enum chain { CHAIN_PLAIN, CHAIN_FAR, CHAINS }; /* the longest one if loads take alike, and if far ones take long */
enum { CHAIN_BRANCHES = CHAIN_STEPS, CHAIN_MISPREDICTED, CHAIN_LOADS, CHAIN_COUNTS = CHAIN_LOADS + CHAIN_BINS };

static inline unsigned chain_bin_of(uint64_t distance) {
  if (distance < UINT64_C(1) << CHAIN_BIN_OCTAVE) return 0;
  unsigned octave = 63 - (unsigned)__builtin_clzll(distance);
  unsigned bin = 1 + 2 * (octave - CHAIN_BIN_OCTAVE) + (unsigned)(distance >> (octave - 1) & 1);
  return bin < CHAIN_BIN_NEVER ? bin : CHAIN_BIN_NEVER;
}

static inline uint64_t chain_bin_end(unsigned bin) {
  if (!bin) return UINT64_C(1) << CHAIN_BIN_OCTAVE;
  return (UINT64_C(3) + (bin - 1) % 2) << (CHAIN_BIN_OCTAVE + (bin - 1) / 2 - 1);
}
#endif
