/* What the files of this library share: it stands before an MPI in a process that is one rank of a real run, hands each
 * call on to that, and writes what it was into the rank's trace. It is compiled for each MPI that is there.
 *
 * A call begins by call_begin and ends by call_end; what the process does between two calls is a burst of computing. An
 * operation is put when MPI has done it, so that what depends on time is known: who a message was from, what was waited
 * for. Calls of MPI by itself, of other threads than the one of MPI_Init, and before and after MPI's time are not
 * recorded. */
#ifndef PSL_RECORDER_H
#define PSL_RECORDER_H
#include "evaluators/programs/operations.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions that stand before MPI's ---- */

#define PUBLIC __attribute__((visibility("default")))
/* Wrappers for Fortran call the other names: Open MPI's all, of MPICH's those of mpi_f08 that have no buffer. */
#define BOTH_NAMES(name) __asm__(".globl PMPI_" #name "\n.set PMPI_" #name ", MPI_" #name);
/* `before` and `after` are statements; `after` follows a call that was successful. */
#define STANDS_BEFORE(name, PARAMETERS, ARGUMENTS, before, after)        \
  BOTH_NAMES(name)                                                       \
  PUBLIC int MPI_##name PARAMETERS {                                     \
    static __typeof__(&MPI_##name) real;                                 \
    bool recorded = call_begin(__builtin_return_address(0));             \
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "PMPI_" #name); \
    if (!recorded) return real ARGUMENTS;                                \
    before;                                                              \
    int code = real ARGUMENTS;                                           \
    if (took_place(code)) {                                              \
      after;                                                             \
    }                                                                    \
    call_end();                                                          \
    return code;                                                         \
  }

/* ---- calls: recorder.c ---- */

bool call_begin(const void *site); /* false: it is not recorded */
/* A call that returns an error has done nothing that a trace has, but where a message was longer than its receive: that
 * is over, too, and a replay is to say so. */
bool took_place(int code);
void call_end(void);
struct program_operation operation_of(enum program_kind kind); /* the call in hand, that has taken till now */
void operation_put(const struct program_operation *operation);
void call_put(void); /* of which there is no operation */
void received_put(int64_t request, const MPI_Status *status, const struct program_operation *operation);
void cancelled_put(int64_t request);
extern uint32_t self, ranks; /* in MPI_COMM_WORLD */
void *scratch(size_t size);  /* till the next call of it */
const struct program_site *site_of(const void *address);
double recorder_open(void); /* how long after the first rank this one begins, s */
void recorder_close(void);

/* ---- datatypes ---- */

static inline double bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  if (count > 0) PMPI_Type_size(type, &size);
  return (double)count * size;
}

/* ---- communicators: communicators.c ---- */

struct communicator {
  MPI_Comm handle;
  uint32_t beside; /* the number of another one of the same ranks, for messages of MPI's own */
  bool beside_announced;
  uint32_t number, size;      /* as traces know it; how many ranks it has, of an intercommunicator both sides */
  uint32_t peers;             /* those that it sends to */
  int32_t *members, *peer_of; /* world ranks */
  int rank;                   /* of this one on its side */
  bool inter, announced;
};
struct communicator *communicator_of(MPI_Comm handle);
uint32_t communicator_number(MPI_Comm handle); /* which is told before it is used for the first time */
uint32_t communicator_beside(MPI_Comm handle); /* likewise */
/* Another one of the same ranks that MPI makes for itself. */
struct communicator *communicator_made(MPI_Comm handle);
void communicator_forget(struct communicator *c);             /* that */
void meeting_put(const struct communicator *c, double bytes); /* all its ranks have told each other something */
static inline int32_t world_rank(const struct communicator *c, int peer) {
  return peer == MPI_PROC_NULL                    ? PROGRAM_NOBODY
         : peer < 0 || (uint32_t)peer >= c->peers ? PROGRAM_ANY
                                                  : c->peer_of[peer];
}

/* ---- requests: requests.c ---- */

struct started {
  int64_t number;
  enum program_kind kind; /* of the operation that has started it; of a persistent one, that each start is */
  bool persistent, active, wildcard, cancelled;
  struct program_operation operation; /* of a persistent one */
  struct communicator *communicator;
  int64_t *parts; /* of a group of requests that ends at once, their numbers; NULL: it is one */
  uint32_t part_count;
};
int64_t request_number(void); /* one that is free */
void numbers_give(int64_t *numbers,
                  uint32_t count); /* of a group that has ended: they are free, and the list as well */
int64_t request_add(MPI_Request handle, struct started started); /* its number */
#endif
