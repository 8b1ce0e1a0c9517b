/* The communicators of MPI-Sim: who their members are, and whether these call the same collective operations. */
#ifndef PSL_MPI_COMMUNICATORS_H
#define PSL_MPI_COMMUNICATORS_H
#include "evaluators/leftovers/leftovers.h"
#include "evaluators/mpi_sim/pool.h"

#define COMMUNICATOR_LIMIT (1 << 20)
#define RANK_LIMIT (1 << 28)
#define NO_RANK "there is no rank %" PRId64 "; the program has ranks 0 to %" PRId64

struct operation { /* a collective operation, as the first rank that came to it called it */
  uint32_t name, rank;
  int32_t root;  /* -1: it has none */
  uint32_t came; /* so many ranks have come to it */
  int64_t size;  /* of the communicator, as the rank has it */
  /* The lowest rank that gives any, and the lowest that gives another number of them; of 0 bytes: there is none. */
  struct giver lowest, other;
};

struct differing { /* an operation to which ranks give different sizes: the first, by its number */
  uint64_t number; /* from 1 on; 0: there is none */
  int64_t communicator;
  uint32_t name;
  struct giver lowest, other;
};

struct communicator {
  uint32_t size;      /* as it was made; 0: it is not. The world has the size that each operation says */
  uint32_t count;     /* members that have been named */
  uint32_t left;      /* members that have left it */
  bool split;         /* made of another one, and not by its number */
  uint32_t capacity;  /* of `members` and `called`; `places` has twice as much */
  uint32_t *members;  /* ranks of the world, by place; NULL: the world */
  uint32_t *called;   /* by place: so many operations has it come to */
  uint32_t *places;   /* hash table of places by rank; NONE: empty */
  uint64_t first;     /* number of the first operation that not all members have come to */
  uint32_t due_count; /* operations from that on, in a ring */
  uint32_t due_begin, due_capacity;
  struct operation *due;
};

struct offer { /* of a rank that makes a communicator with others */
  int64_t color, key;
  uint32_t rank, place;
};
struct split { /* ranks of a communicator make new ones of it */
  struct split *next;
  int64_t communicator;
  uint32_t operation, size, came, told;
  uint32_t capacity;    /* of these: */
  struct offer *offers; /* as they come; when all have, by color, key and place */
  int64_t *numbers;     /* by place: the new communicator, -1: none */
};

struct communicators {
  struct memory *memory;
  struct communicator world, **others; /* by number */
  uint32_t other_count;
  struct split *splits, *free_splits;
  void *spare[32];    /* tables of communicators that are no more, by the logarithm of their capacity */
  const char **names; /* of operations */
  uint32_t name_count;
  struct differing differing;
};

/* All write call->error and give false, or NULL, where something is wrong. */

/* A rank makes or joins it; *fresh: the members are still to be named. */
bool communicator_join(struct communicators *cs, struct psl_call *call, int64_t number, int64_t rank, int64_t size,
                       bool *fresh);
bool communicator_enrol(struct communicators *cs, struct psl_call *call, int64_t number, int64_t rank);
bool communicator_leave(struct communicators *cs, struct psl_call *call, int64_t number, int64_t rank);

/* One that is not the world. */
struct communicator *communicator_of(struct communicators *cs, struct psl_call *call, int64_t number);
bool communicator_place(const struct communicator *c, struct psl_call *call, int64_t number, int64_t rank,
                        uint32_t *place);

/* ---- splits.c ---- */

struct maker { /* a rank in an operation that makes communicators; how many ranks are in that */
  int64_t communicator;
  uint32_t operation, rank, place, size;
};
bool split_offer(struct communicators *cs, struct psl_call *call, const struct maker *maker, int64_t color,
                 int64_t key);
bool split_part(struct communicators *cs, struct psl_call *call, const struct maker *maker, int64_t *number);

/* ---- collective operations ---- */

struct entry { /* a rank comes to an operation */
  int64_t communicator, root;
  const char *name;
  uint32_t rank, place;
  int64_t size;
  double bytes; /* that have to be the same in all ranks; 0: not known */
};
/* Which ones of the world are still to be ended by others: all that a partition has come to. */
struct called {
  uint64_t count, digest;
};
struct called operations_called(const struct communicators *cs);
bool operation_enter(struct communicators *cs, struct psl_call *call, struct communicator *c, uint32_t *called,
                     const struct entry *entry);
#endif
