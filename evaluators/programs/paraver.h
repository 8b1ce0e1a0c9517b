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
  PARAVER_FUNCTION = 60000019, /* regions; 0: left */
  PARAVER_CALL,
  PARAVER_BLOCK,
};

struct paraver_call {
  int64_t value;
  enum program_kind kind;
  const char *name;
};
extern const struct paraver_call paraver_calls[]; /* ended by a value of 0 */
#endif
