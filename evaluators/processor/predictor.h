/* Where a branch goes, as it is predicted when it is fetched: direction by counters, target by a buffer of targets, and
 * of returns by a stack. */
#ifndef PSL_PROCESSOR_PREDICTOR_H
#define PSL_PROCESSOR_PREDICTOR_H
#include "evaluators/processor/instruction.h"
#include "evaluators/processor/parameters.h"

enum { TARGET_UNKNOWN = 1 }; /* taken, but nobody knows where to: no code stands there */

struct prediction {                  /* what is kept of one until its branch is committed */
  uint8_t *chosen, *other, *chooser; /* counters; NULL: it has none */
  bool by_stack, bimodal, two_level; /* which directions these two predicted */
  bool chose_two_level;
  uint32_t top; /* of the stack, before the branch */
};

struct branch_target {
  uint64_t from, to;
  bool valid;
};

struct predictor {
  enum predictor_kind kind;
  uint8_t *bimodal, *two_level, *chooser; /* counters from 0 to 3: taken from 2 on */
  uint32_t *histories;
  uint32_t bimodal_size, history_count, two_level_size, history_bits, chooser_size;
  bool with_address;
  struct branch_target *targets; /* by set, from the one that was used last to that which goes first */
  uint32_t target_sets, target_ways;
  uint64_t *stack;
  uint32_t stack_size, top;
  unsigned shift; /* of addresses, to the number of an instruction */
  uint64_t lookups, updates, address_hits, direction_hits, misses, jump_hits, jumps, jump_hits_without, jumps_without;
  uint64_t pushes, pops, used_stack, stack_hits, used_bimodal, used_two_level;
};

bool predictor_open(struct predictor *, const struct parameters *, unsigned granule);
void predictor_close(struct predictor *);
/* The address of what is fetched behind a branch; 0: what stands behind it. */
uint64_t predictor_look(struct predictor *, uint64_t pc, const struct instruction *, struct prediction *out);
/* The branch has come to its end: it goes to `next`, where `predicted` was said. */
void predictor_learn(struct predictor *, uint64_t pc, const struct instruction *, uint64_t next, uint64_t predicted,
                     const struct prediction *);
/* What was fetched behind a branch was wrong. */
static inline void predictor_recover(struct predictor *p, const struct prediction *prediction) {
  p->top = prediction->top;
}
#endif
