/* What no program of MPI leaves, or does, as a simulation of its messages says it when the run has ended: messages that
 * nobody has received, receives that nobody has waited for, messages that are longer than their receives, and
 * collective operations that not all ranks have come to, or to which they give different sizes. Each evaluator of
 * messages finds these in its own state; here is which of them is named, and in which words. */
#ifndef PSL_LEFTOVERS_H
#define PSL_LEFTOVERS_H
#include "interp/include/evaluator.h"

enum left_kind { LEFT_MESSAGE, LEFT_RECEIVE, LEFT_TRUNCATED, LEFT_KINDS };

struct left {           /* a message, or a receive, or a message and its receive */
  double time;          /* s: when the message came, or the receive was posted */
  double size, room;    /* bytes: of the message, of the receive */
  uint32_t rank;        /* whose receive it is, or to whom the message goes */
  int32_t source;       /* -1: any, of a receive */
  uint32_t number;      /* of a message: among those of its sender */
  int64_t communicator; /* 0: that of all ranks */
  int32_t tag;          /* -1: any, of a receive */
  bool collective;      /* a part of a collective operation */
};

struct leftovers { /* of each kind */
  struct left first[LEFT_KINDS];
  uint64_t count[LEFT_KINDS];
};

/* One more: which of them is told does not depend on the order of calls. */
void leftovers_note(struct leftovers *all, enum left_kind kind, const struct left *new);

/* A warning for each kind of which there is one. */
void leftovers_tell(struct psl_host *host, const struct leftovers *all);

struct giver { /* of a size to a collective operation */
  double bytes;
  uint32_t rank;
};

/* The collective operation of the communicator, from 1 on, has different sizes in two ranks, or is left out by one. */
void leftovers_tell_sizes(struct psl_host *host, uint64_t number, int64_t communicator, const char *name,
                          struct giver one, struct giver other);
void leftovers_tell_left_out(struct psl_host *host, uint64_t number, int64_t communicator, const char *name,
                             uint32_t lacks, uint32_t has);

/* ", tag 3", and what else tells messages apart. */
void left_explain_channel(bool collective, int64_t communicator, int32_t tag, char out[80]);
#endif
