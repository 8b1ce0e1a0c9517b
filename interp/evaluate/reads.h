/* Which params and lets something was made from, so that it need not be made again while they are what they
 * were: code of functions and bodies, the resolved graph.
 *
 * While model->reads is set every param and let that is asked for is noted there with its value; what a
 * function reads is noted as the params that it can reach. Code may also be made for any value that a symbol
 * may have
 * (`varies`): it then loads the value when it runs, and only what it took for granted of it is noted. */
#ifndef PSL_READS_H
#define PSL_READS_H
#include "interp/evaluate/evaluate.h"

struct read {
  struct symbol *symbol;
  bool varies;        /* any value of the kind within the bounds will do; else it must be this one */
  bool nonzero;       /* varies: real and not 0 */
  int64_t low, high;  /* varies: of a whole number */
  struct value value; /* what it was last */
};

struct reads {
  struct arena *arena;
  struct read *items;
  uint32_t count, capacity;
  const struct symbol **reached; /* what the functions that were called can reach; they are gone through once */
  uint32_t reached_count, reached_capacity;
  bool lost;  /* something was read that cannot be noted */
  bool exact; /* all is taken by its value */
};

enum reads_state {
  READS_SAME,
  READS_VARIED, /* what varies has other values, and they will do */
  READS_BROKEN, /* to be made again; scalars that differ are marked: symbol->varies */
};

void reads_open(struct reads *reads, struct arena *arena);
/* The value as the copy that is noted: it lives as long as what is made of it. */
struct value reads_note(struct reads *reads, struct symbol *symbol, struct value value);
/* One that varies, loaded when the code runs; NULL: it does not, and has to be taken by its value. The bounds
 * of whole numbers and whether a real is 0 may be taken for granted. */
const struct read *reads_varying(struct reads *reads, struct environment *environment, struct symbol *symbol);
/* The params that a function can reach. */
void reads_function(struct reads *reads, const struct model_function *function);
/* Compares with what is so now; lets are computed for it (the environment's diagnostics should be quiet). */
enum reads_state reads_check(struct reads *reads, struct environment *environment);
/* All at hand, so that reads_check computes nothing. */
bool reads_known(const struct reads *reads);
#endif
