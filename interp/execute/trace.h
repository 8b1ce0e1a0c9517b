/* A record of what each process did when, kept while a model runs; written as Chrome's trace format
 * and drawn as a timeline. */
#ifndef PSL_TRACE_H
#define PSL_TRACE_H
#include "interp/model/run.h"

struct trace_event {
  uint32_t process;   /* instance */
  uint16_t activity;  /* enum activity */
  uint32_t component; /* in whose body: component id */
  double begin, end;  /* s */
};
struct trace_message {
  uint32_t source, destination; /* instances of the processes, or ranks where those are not known */
  double sent, received;        /* s */
  double bytes;
};
struct trace_named { /* a named element of a program */
  uint32_t process;  /* instance */
  const char *kind, *name;
  double begin, end; /* s */
  size_t order;      /* in which they were noted: of those of one process, that of their ends */
};
struct trace {
  struct arena *arena;
  uint32_t every; /* instances whose number this divides are traced; 0, 1: all */
  bool full;      /* TRACE_LIMIT was reached: what came after is not there */
  struct trace_event *events;
  size_t count, capacity;
  struct trace_message *messages;
  size_t message_count, message_capacity;
  struct trace_named *elements;
  size_t element_count, element_capacity;
};
enum { TRACE_LIMIT = 20000000 }; /* events, messages, elements */

/* Adds a stretch of time; one of no length is dropped, one that goes on where the last one ended lengthens
 * it. */
void trace_event(struct trace *trace, uint32_t process, enum activity activity, uint32_t component, double begin,
                 double end);
void trace_message(struct trace *trace, uint32_t source, uint32_t destination, double sent, double received,
                   double bytes);
void trace_element(struct trace *trace, uint32_t process, const char *kind, const char *name, double begin, double end);
/* When the run has ended: all by process, then as its time went on, whoever was let run ahead of whom. Messages stand
 * with who received them. */
void trace_sort(struct trace *trace);
#endif
