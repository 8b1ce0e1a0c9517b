/* Numbers of traces of Paraver, as Extrae writes them (its manual, and src/merger/paraver of version 4): the types of
 * events, and the values of MPI's calls. */
#ifndef PSL_PARAVER_H
#define PSL_PARAVER_H
#include "evaluators/programs/operations.h"

enum paraver_type {
  PARAVER_POINT_TO_POINT = 50000001, /* the value is a call, 0 its end; so for the next ones */
  PARAVER_COLLECTIVE,
  PARAVER_OTHER,
  PARAVER_LAST_CALL = 50000009, /* one-sided communication, files, and more */
  PARAVER_SENT = 50100001,      /* bytes of a collective operation */
  PARAVER_RECEIVED,
  PARAVER_ROOT, /* 1: this one is */
  PARAVER_COMMUNICATOR,
  PARAVER_COUNTER = 42000000, /* of the processor: what it has counted since it was read last */
  PARAVER_OWN_COUNTER = 42001000,
  PARAVER_LAST_COUNTER = 42999999,
  PARAVER_FUNCTION = 60000019, /* regions; 0: left */
  PARAVER_CALL,
  PARAVER_BLOCK,
  PARAVER_RUNTIME = 60000100, /* of a run of a model: calls that MPI does not have, numbered by their names */
};

enum paraver_state {
  PARAVER_RUNNING = 1,
  PARAVER_LATE_SENDER = 3, /* Waiting a message */
  PARAVER_LATE_RECEIVER = 4,
  PARAVER_SYNCHRONIZATION = 5,
  PARAVER_LOST = 7, /* Scheduling and Fork/Join */
  PARAVER_TRANSFER = 8,
  PARAVER_BLOCKED = 9, /* it is not said for what */
  PARAVER_GROUP = 13,
  PARAVER_OTHERS = 15,
};

struct paraver_call {
  int64_t value;
  enum program_kind kind;
  const char *name;
};
extern const struct paraver_call paraver_calls[];                   /* ended by a value of 0 */
enum paraver_type paraver_type_of(const struct paraver_call *call); /* point to point, collective, other */

/* ---- for who writes traces ---- */

typedef void paraver_put(void *user, const char *text);
/* The first line; each row is a task on a node of its own. The date is that of no run: the same run writes the same
 * bytes. */
void paraver_head(paraver_put *put, void *user, int64_t end, uint32_t rows, uint32_t communicators);
/* The second line of a trace of a run of a model, which shows what processes did: its states say for what they have
 * waited. It has not all that a program did: not the sizes of collective operations, nor which requests are waited for.
 * So no program is run again from it. */
#define PARAVER_OF_RUN "# of a run of psl\n"
#define PARAVER_NOT_AGAIN \
  "this trace shows a run, and has not all that its program did: one that runs again is written by --record"
/* A line of a trace that is converted from one that says when others had the processor: its states of PARAVER_LOST are
 * no computing. In those of Extrae this state is that of OpenMP's own work. */
#define PARAVER_LOSES "# of a run that lost the processor to others\n"
bool paraver_is_of_run(const char *path);
/* How names (.pcf) begin, to their states, and those of the calls of a type that are used, by place in the table. */
#define PARAVER_NAMES_HEAD                                                                     \
  "DEFAULT_OPTIONS\n\nLEVEL TASK\nUNITS NANOSEC\nLOOK_BACK 100\nSPEED 1\nFLAG_ICONS ENABLED\n" \
  "NUM_OF_STATE_COLORS 16\nYMAX_SCALE 37\n\nDEFAULT_SEMANTIC\n\nTHREAD_FUNC State As Is\n\nSTATES\n0 Idle\n"
void paraver_put_calls(paraver_put *put, void *user, enum paraver_type type, const bool *used);
#endif
