/* A record of what each process did when, kept while a model runs; written as Chrome's trace format
 * and drawn as a timeline. */
#ifndef PSL_TRACE_H
#define PSL_TRACE_H
#include "interp/model/run.h"

struct trace_event {
  uint32_t process;   /* instance */
  uint16_t activity;  /* enum activity */
  uint32_t component; /* in whose body: component id */
  uint32_t call;      /* 1 + the number of the call in which it is; 0: none */
  double begin, end;  /* s */
};
struct trace_message {
  uint32_t source, destination;  /* instances of the processes, or ranks where those are not known */
  double sent, posted, received; /* s: its send began, its receive did, and that has it */
  double bytes;
  int32_t tag;
  bool inside; /* of a collective operation */
};
struct trace_named { /* a named element of a program */
  uint32_t process;  /* instance */
  const char *kind, *name;
  double begin, end; /* s */
  size_t order;      /* in which they were noted: of those of one process, that of their ends */
};
struct trace_call {         /* of a runtime, by a component that stands on it */
  uint32_t process;         /* instance */
  uint32_t outer;           /* the call in which it was made: 1 + its number; 0: none */
  const char *name, *given; /* the transaction, and its arguments as members of a JSON object */
  double bytes;             /* that it gave, or that were given to it; NAN: none */
  double begin, end;        /* s; end NAN: the run ended in it */
  size_t order;             /* in which they began: of those of one process, that of time */
};
struct trace {
  struct arena *arena;
  struct causes *causes; /* are kept, and nothing else; NULL: none are */
  uint32_t every;        /* instances whose number this divides are traced; 0, 1: all */
  bool full;             /* TRACE_LIMIT was reached: what came after is not there */
  struct trace_event *events;
  size_t count, capacity;
  struct trace_message *messages;
  size_t message_count, message_capacity;
  struct trace_named *elements;
  size_t element_count, element_capacity;
  struct trace_call *calls;
  size_t call_count, call_capacity;
  uint32_t *open; /* by process's id: 1 + the number of the call that it is in; 0: none */
  size_t open_size;
};
enum { TRACE_LIMIT = 20000000 }; /* events, messages, elements, calls */

/* Adds a stretch of time of the process with that id, of the instance; one of no length is dropped, one that goes on
 * where the last one ended, in the same call, lengthens it. */
void trace_event(struct trace *trace, uint32_t id, uint32_t process, enum activity activity, uint32_t component,
                 double begin, double end);
void trace_message(struct trace *trace, const struct trace_message *message);
void trace_element(struct trace *trace, uint32_t process, const char *kind, const char *name, double begin, double end);
/* The process with that id, of the instance, makes a call; false: it is not kept, and has no end. */
bool trace_call_begin(struct trace *trace, uint32_t id, struct trace_call call);
/* The call that the process is in has ended; bytes: NAN, or what it gave. */
void trace_call_end(struct trace *trace, uint32_t id, double end, double bytes);
/* When the run has ended: all by process, then as its time went on, whoever was let run ahead of whom. Messages stand
 * with who received them. */
void trace_sort(struct trace *trace);
#endif
