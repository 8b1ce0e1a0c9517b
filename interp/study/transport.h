/* Between a pool and its workers: how batches get there and answers back. Two transports: forked processes
 * (processes.c), the ranks of an MPI job (ranks.c); the loop of a worker is the same for both (worker.c).
 *
 * A batch is tasks one after another; an answer is a header, then replies in the order of the batch.
 * Each piece is its size (32 bits) and its bytes. */
#ifndef PSL_TRANSPORT_H
#define PSL_TRANSPORT_H
#include "interp/study/pool.h"

struct answer_header {
  uint32_t count; /* of replies in this answer */
  uint32_t ended; /* the worker waits for a batch; what it has not answered of this one it gives back */
  double seconds; /* that these replies took */
};
void piece_put(struct text *message, const char *data, size_t size);
/* The piece at *at of the message's `size` bytes; *at moves behind it. false: there is none. */
bool piece_take(const char *message, size_t size, size_t *at, const char **data, size_t *length);

enum transport_kind { TRANSPORT_NOTHING, TRANSPORT_ANSWER, TRANSPORT_DEATH };
struct transport_event { /* its texts live until the next call of the transport */
  enum transport_kind kind;
  size_t worker;
  const char *data; /* ANSWER */
  size_t size;
  uint32_t begun;    /* DEATH: the task of its batch that it had begun */
  const char *death; /* DEATH: "signal 9 (Killed)" */
};

struct transport {
  size_t workers; /* 0 .. workers - 1; none runs yet */
  /* A new worker in the place of one that has died or was never started. */
  bool (*start)(struct transport *transport, size_t worker);
  /* A batch for a worker that waits. Where it has died, `receive` says so. */
  void (*send)(struct transport *transport, size_t worker, const struct text *batch);
  /* Waits at most so long for something from any worker. */
  struct transport_event (*receive)(struct transport *transport, int milliseconds);
  /* What this worker does is of no use any more. true: it is dead now; false: it will still answer. */
  bool (*stop)(struct transport *transport, size_t worker);
  void (*close)(struct transport *transport);
};

/* NULL where there are no such workers: then the pool's own process does the tasks. A worker ends where
 * `memory` runs out, which is what the work uses. */
struct transport *processes_open(struct arena *arena, struct memory *memory, const struct pool_options *options);

/* The worker's end. */
struct channel {
  bool (*receive)(struct channel *channel, struct text *batch); /* false: no more will come */
  bool (*send)(struct channel *channel, const struct text *answer);
  volatile uint32_t *begun;
};
/* Serves until the channel ends. */
void worker_serve(struct channel *channel, struct arena *arena, pool_work *work, void *user);

double transport_clock(void); /* s */
#endif
