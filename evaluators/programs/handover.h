/* The memory that psl shares with the ranks of a program that it runs, and how they take turns. A rank is a process, or
 * a strand of psl's own.
 *
 * A rank runs from one of its calls to the next that needs an answer; what it does meanwhile stands as operations in
 * its seat, which psl takes one by one. When it has taken all, psl hands the turn to the rank, with the answer of its
 * last operation. So only one of all these runs at a time, as long as the ranks are inside of MPI. All have the area at
 * one address: pointers into it hold everywhere. */
#ifndef PSL_HANDOVER_H
#define PSL_HANDOVER_H
#include "evaluators/programs/operations.h"
#include "evaluators/programs/strand.h"
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define AREA_ADDRESS ((void *)0x400000000000)
#define AREA_SIZE ((size_t)1 << 40)         /* of addresses; memory is taken as it is used */
#define AREA_SIZE_COUNTED ((size_t)1 << 32) /* under QEMU, which keeps a table of pages */
#define AREA_VARIABLE \
  "PSL_RANK" /* of the environment of a rank: its number, the file of the area, its size, psl's process */
#define SLOTS 64
#define FORKING 999999 /* in the place of a rank's number: a process that the ranks are forked from */

enum seat_state {
  SEAT_EMPTY,   /* not started yet */
  SEAT_STARTED, /* before MPI_Init */
  SEAT_INSIDE,
  SEAT_FINALIZED, /* after MPI_Finalize: it runs beside the others and has no more operations */
  SEAT_FAILED,    /* `error` says why */
  SEAT_ABORTED,   /* by MPI_Abort, `code` */
};

struct slot {
  const void *site; /* where the program calls */
  void *lists;      /* what the operation points to */
  struct program_operation operation;
} __attribute__((aligned(64)));

/* Operations of most kinds have but what stands before `waited`: nothing else of them is set here, or moved. */
enum { OPERATION_HEAD = offsetof(struct program_operation, waited) };
static inline bool operation_is_brief(enum program_kind kind) {
  const unsigned others = FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS | FIELD_MEMBERS | FIELD_PLACE | FIELD_FILE |
                          FIELD_WINDOW | FIELD_DURATION;
  return !(program_kinds[kind].fields & others);
}
static inline void operation_copy(struct program_operation *to, const struct program_operation *from) {
  if (operation_is_brief(from->kind) && operation_is_brief(to->kind))
    memcpy(to, from, OPERATION_HEAD);
  else
    *to = *from;
}

/* Whose turn it is, of two processes: an enum turn, which is a futex. */
struct turns {
  _Atomic uint32_t turn;
  _Atomic uint32_t asleep; /* so many wait in the system, and are to be woken */
  bool apart;              /* both have a processor of their own */
};

struct seat { /* of a rank */
  struct turns turns;
  void *strand; /* of a rank in psl's process, while it does not run */
  bool exited;  /* such a rank has ended, by exit with `code` */
  enum seat_state state;
  uint32_t added, taken; /* so many operations stand in `slots`, and of these psl has taken so many */
  int code;
  const void *site;       /* where it has ended */
  const char *base;       /* where the program is loaded: places in it less this are those in its file; */
  const char *end;        /* where it ends there */
  const void *crashed_at; /* the place of a signal that ends it; NULL: not known */
  struct program_answer answer;
  double reached, computed; /* s of virtual time: when the last operation was done, and what of that was computed */
  char error[160];
  const void *left_site; /* requests that are never completed: the first one, */
  char left_by[32];      /* by which function, */
  uint32_t left;         /* and how many */
  struct program_bursts bursts;
  uint64_t instructions;    /* executed so far, where they are counted: by the plugin of QEMU's */
  struct slot slots[SLOTS]; /* filled from the first one each time that psl has taken all: mostly few are touched */
} __attribute__((aligned(4096)));
enum turn { TURN_OF_PSL, TURN_OF_RANK };

enum costs { COSTS_MEASURED, COSTS_NONE, COSTS_INSTRUCTIONS };

/* Variables that getopt and the program tell each other what is what by. */
enum option_variable { OPTION_ARGUMENT, OPTION_PLACE, OPTION_SAYS, OPTION_UNKNOWN, OPTION_VARIABLES };

struct area {
  uint32_t ranks;
  enum costs costs;
  size_t size;
  bool inside;                  /* the ranks are strands of psl's process */
  void *psl;                    /* psl's own, while a rank runs */
  size_t program_size;          /* of addresses, of such a rank */
  size_t endings, ending_count; /* functions that are called at its end: where the program has their list */
  size_t option_variables[OPTION_VARIABLES]; /* where it has them; 0: it has none of its own */
  void *(*exceptions)(void);                 /* C++'s function that says where they are; NULL: the program has none */
  double tick;                               /* s of the processor's time stamp; 0: not known yet */
  double asking;                             /* s that the system's clocks take to answer a program */
  time_t epoch;                              /* s since 1970: virtual time 0 on the program's clocks */
  _Atomic uint32_t contexts;                 /* communicators made so far */
  _Atomic uint32_t files;                    /* opened so far, from 1: 0 stands for those that are not */
  struct named_file *named_files;            /* that ranks have opened by calls of UNIX: the library's */
  uint64_t top;                              /* what is behind it is free */
  void *spare[64 * 4];                       /* free blocks by their size, linked through their first bytes */
  struct mailbox *mailboxes;                 /* by rank: the library's */
  struct context *world;
  struct forking {
    struct turns turns; /* as of a seat: that of a rank is that of the process which forks */
    uint32_t rank;      /* which it is to fork */
    int process;        /* the one that it has: 0: it cannot */
  } forking;
  bool memory_shared; /* there are windows or files: that others have come somewhere says what these have done there */
  struct seat seats[];
};

/* To a rank in psl's process, until it gives it back; and there. */
static inline void turn_inside(struct area *area, struct seat *seat, enum turn turn) {
  if (turn == TURN_OF_RANK)
    strand_switch(&area->psl, seat->strand);
  else
    strand_switch(&seat->strand, area->psl);
}

static inline void turn_pass(struct turns *turns, enum turn turn) {
  atomic_store(&turns->turn, turn);
  if (atomic_load(&turns->asleep)) syscall(SYS_futex, &turns->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}
static inline void turn_give(struct seat *seat, enum turn turn) { turn_pass(&seat->turns, turn); }

/* To wake who sleeps on another processor takes about as long as this many looks: who waits for a turn that comes
 * back sooner, as for the answer of MPI_Test, does not sleep. */
enum { LOOKS = 500 };
static inline bool turn_comes(struct turns *turns, enum turn turn) {
  for (int looks = 0; turns->apart && looks < LOOKS; looks++) {
    if (atomic_load_explicit(&turns->turn, memory_order_acquire) == turn) return true;
    __builtin_ia32_pause();
  }
  return false;
}

/* Waits for the turn. A rank waits until it comes: there are many, and psl ends with its ranks. psl waits at most for a
 * few tenths of a second, since a rank may end: false. */
static inline bool turn_await(struct turns *turns, enum turn turn) {
  const struct timespec most = {0, 100000000}, *until = turn == TURN_OF_PSL ? &most : NULL;
  enum turn other = turn == TURN_OF_PSL ? TURN_OF_RANK : TURN_OF_PSL;
  if (turn_comes(turns, turn)) return true;
  atomic_fetch_add(&turns->asleep, 1);
  for (int waits = 0; atomic_load(&turns->turn) != turn && !(until && waits > 2); waits++)
    syscall(SYS_futex, &turns->turn, FUTEX_WAIT, other, until, NULL, 0);
  atomic_fetch_sub(&turns->asleep, 1);
  return atomic_load(&turns->turn) == turn;
}
static inline bool turn_wait(struct seat *seat, enum turn turn) { return turn_await(&seat->turns, turn); }
#endif
