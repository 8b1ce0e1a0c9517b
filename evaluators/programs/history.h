/* What the ranks of a program did when: the operations of a source at the times that they took in the run that was
 * traced, or predicted. Messages and collective operations are matched, so that of each call it is known how long it
 * waited, and for whom, and how long what it waited for was under way.
 *
 * Ranks are read in the order of their clocks, which begin together: what is kept is what is still under way. */
#ifndef PSL_HISTORY_H
#define PSL_HISTORY_H
#include "evaluators/programs/operations.h"
#include "evaluators/programs/path.h"

/* What time was spent for. */
enum spent {
  SPENT_COMPUTE,
  SPENT_LOST, /* in a burst of computing: the processor was with others */
  SPENT_TRANSFER,
  SPENT_WAIT,       /* for another rank to come to a message, or to a collective operation */
  SPENT_COLLECTIVE, /* when all were there */
  SPENT_OTHER,      /* files, sleep, the beginning and the end of MPI, what is looked for and not there */
  SPENT_KINDS
};
extern const char *const spent_names[SPENT_KINDS];

struct history_span {
  uint32_t rank;
  enum spent spent;
  enum program_kind kind; /* of the operation */
  double begin, end;      /* s */
  uint32_t region;        /* the innermost, from 1; 0: none */
  uint32_t communicator;
  uint64_t place; /* the burst, or the call's place in the program; 0: not known */
  int32_t peer;   /* of whom the message was, or whom it waited for; negative: of nobody */
  double bytes;   /* of the call */
};
struct history_message {
  uint32_t from, to, communicator;
  int32_t tag;
  double bytes;
  double sent;             /* s: when its send began */
  double posted, received; /* when its receive began, and when it was known to be there */
  double awaited;          /* from when on the receiver did nothing but wait for that */
  double burst;            /* s: how long the sender computed at last before it sent; 0: it had not yet */
};

struct history_region {
  const char *name, *file; /* NULL: not known */
  uint32_t line;
  uint64_t times; /* that ranks have entered it */
  double seconds; /* inside, with the regions inside of it, over all ranks */
};

struct history; /* names, for takers */

/* Who wants to know. Each may be NULL. Spans of a call come when all that it waited for is known: how long it waited,
 * and the rest, each of which may be no time; those of a burst likewise, with what was lost. */
struct history_takers {
  void *user;
  void (*span)(void *user, const struct history_span *span);
  void (*message)(void *user, const struct history_message *message);
  /* Each operation as it comes; its region is that in which it begins, or that it enters. Of a collective one
   * member_count is that of its communicator. */
  void (*operation)(void *user, uint32_t rank, double begin, double end, uint32_t region,
                    const struct program_operation *operation);
  void (*cut)(void *user, uint32_t rank, const char *why); /* the rank's operations end too soon; NULL: error */
  bool paths;                                              /* critical paths are wanted */
};

/* NULL with the error: there is no memory, or where `cut` is NULL a rank is cut off. */
struct history *history_read(struct program_source *source, const struct history_takers *takers,
                             struct program_error *error);
uint32_t history_regions(const struct history *history);
const struct history_region *history_region(const struct history *history, uint32_t number); /* from 1 */
double history_end(const struct history *history, uint32_t rank);                            /* s: its clock at last */
const struct path *history_path(const struct history *history, uint32_t rank);               /* critical, to its end */
/* Does the source say how long operations took? Else time is that of computations. */
bool history_timed(const struct history *history);
void history_free(struct history *history); /* NULL is fine */
#endif
