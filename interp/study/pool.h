/* A pool of workers that do tasks: forked processes of this computer, or the ranks of an MPI job.
 *
 * Tasks and replies are bytes; what they mean is the caller's. A queue, not a split: a worker gets a batch of
 * tasks that it can do in some 20 ms by what tasks took so far, the batches shrink to one task at the end,
 * and what a worker has begun too slowly it gives back. Replies are delivered in the order of the tasks, so
 * that the caller sees the same whatever the number of workers.
 *
 * A worker that dies (a signal, no memory) costs the task that it had in hand, which a new worker does
 * again; a task whose worker has died three times gets a reply that says by what. Workers end with the process
 * that has the pool, however that ends.
 *
 * A worker is a copy of the process as it is when pool_run first needs that worker: everything that tasks have in
 * common (the model, the plan) is made before, and need not be sent. What the work changes in memory stays
 * in its worker.
 *
 * Memory: replies that came before their turn wait, up to 64 MiB of them or 16,384; then workers wait. */
#ifndef PSL_POOL_H
#define PSL_POOL_H
#include "grammar/text.h"

struct pool;
struct psl_ranks; /* psl.h */

/* Does one task: adds the reply's bytes to `reply`, which is empty. Runs in the worker, where it must not
 * write to standard output or to a database. Lack of memory is the work's to catch (it sets its own
 * memory.guard round a task); where it does not, that ends the worker like a signal does. */
typedef void pool_work(void *user, const char *task, size_t size, struct text *reply);

struct pool_options {
  size_t jobs;             /* worker processes; 0, 1: none, pool_run does the tasks itself, one after another */
  bool apart;              /* not even then: a task may crash its process, so there is a worker at least */
  struct psl_ranks *ranks; /* the work goes to the other ranks; NULL: there are none */
  pool_work *work;
  void *user;
};

/* Opens a pool in `arena`, which may be long-lived: what the pool holds there is bounded. It is closed by
 * pool_close, or when the arena is (so that no worker is left where memory runs out). Workers end with the
 * thread that runs the pool, too.
 *
 * Of an MPI job rank 0 alone gets a pool. Another rank serves that pool inside this call and gets NULL when
 * rank 0 has closed it: every rank opens the same pools in the same order, and leaves alone what is
 * done with the replies. */
struct pool *pool_open(struct arena *arena, const struct pool_options *options);
void pool_close(struct pool *pool); /* NULL is fine */

struct pool_reply {
  const char *data; /* NULL where it failed */
  size_t size;
  const char *failure; /* "its worker was ended by signal 9 (Killed), 3 times"; NULL: none */
};

struct pool_run {
  uint64_t count; /* of tasks: 0 .. count - 1 */
  /* Adds task `index` to `bytes`, which is empty. Called once for each, in order, some way ahead of
   * `deliver`. false: the bytes are no task but its reply, which is known already; no worker sees it. */
  bool (*give)(void *user, uint64_t index, struct text *bytes);
  /* Takes each reply that workers made as soon as it comes, in any order; may be NULL. */
  void (*arrive)(void *user, uint64_t index, const struct pool_reply *reply);
  /* Takes all replies, known ones too, in the order of tasks. false: enough, pool_run returns. */
  bool (*deliver)(void *user, uint64_t index, const struct pool_reply *reply);
  /* Called every 50 ms or so while nothing comes, too: for progress and for what is to be written by then;
   * with one job after each task. May be NULL. */
  void (*tick)(void *user);
  void *user;
};

enum pool_end {
  POOL_DONE,        /* all was delivered */
  POOL_ENOUGH,      /* `deliver` wanted no more */
  POOL_INTERRUPTED, /* what was delivered is complete up to some task */
};
/* May be called again and again; the workers stay. */
enum pool_end pool_run(struct pool *pool, const struct pool_run *run);
#endif
