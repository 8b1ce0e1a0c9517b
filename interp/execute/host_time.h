/* Where this computer's time goes in a run, for `psl run --profile`: bodies, below them the requests and calls that are
 * part of their code, and how each is executed.
 *
 * Compiled code says by MARK where it is, in such runs alone (assemble.c); a thread looks there every now and then and
 * adds the processor time that the run has spent since it has looked last. */
#ifndef PSL_HOST_TIME_H
#define PSL_HOST_TIME_H
#include "interp/execute/executor.h"
#include <pthread.h>
#include <stdatomic.h>

struct host_place {
  struct host_place *parent, *first, *last, *next; /* those below it, in the order in which they were met */
  const void *subject;                             /* an accept, coercion, request or function of an evaluator */
  struct span span;
  const char *name, *how; /* how: NULL: it is in no code */
  const char *why;        /* it is not faster; NULL: nothing is known */
  struct span why_at;
  const char *second;     /* the call that is made together with this one; NULL: none */
  uint64_t paired, apart; /* so often has it been, and has it not */
  bool used;              /* code has come of it */
  double seconds;         /* itself */
};

struct host_time {
  struct arena *arena;
  struct host_place run; /* what is in no body; its children are bodies */
  _Atomic(struct host_place *) here;
  pthread_t looker;
  clockid_t clock; /* of the thread that runs */
  atomic_bool ended;
  bool looked_at;
};

/* The place of a subject below another one, made when first met. */
struct host_place *host_place(struct host_time *host, struct host_place *parent, const void *subject,
                              const struct name *name, struct span span);
/* That of a body as a frame has it: compiled, or walked for a reason. */
struct host_place *host_body(struct host_time *host, const struct body *body);
void host_time_open(struct host_time *host, struct arena *arena);
/* Between these the calling thread runs. */
void host_time_begin(struct host_time *host);
void host_time_end(struct host_time *host);

/* A frame goes on: what was executed before that. */
struct host_place *host_enter(struct host_time *host, const struct frame *frame);
static inline void host_mark(struct host_time *host, struct host_place *place) {
  atomic_store_explicit(&host->here, place, memory_order_release);
}
#endif
