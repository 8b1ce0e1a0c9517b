/* The queue of a pool: hands out tasks in batches, takes replies as they come, delivers them in the order of
 * tasks, and has done again what a dead worker left. Called by whoever runs studies.
 *
 * Tasks that were given and not yet delivered stand in a window, a ring of slots. A slot holds the task's bytes
 * until its reply has come, for a worker may die, then the reply's until its turn. */
#include "interp/study/ranks.h"

#include <string.h>

#define BATCH_SECONDS 0.02
enum {
  WINDOW = 16384,
  HELD_AT_MOST = 64 << 20, /* bytes of tasks and replies in the window */
  BATCH_AT_MOST = 4096,    /* tasks */
  BATCH_SIZE = 64 * 1024,  /* bytes: what a socket takes without waiting */
  DEATHS_AT_MOST = 3,
  TICK = 50 /* ms */
};

struct buffer {
  struct text text;
  struct buffer *next; /* of those that are free */
};

struct slot {
  struct buffer *bytes; /* of the task, then of the reply */
  const char *failure;
  bool done;
  uint8_t deaths;
};

struct worker {
  enum { ABSENT, IDLE, BUSY, STALE } state; /* STALE: busy with what nobody wants any more */
  uint64_t *batch, *last;                   /* tasks by place; `last` is the batch whose answer is being read */
  uint32_t count, answered;                 /* of `batch` */
};

struct pool {
  struct memory memory, *outer; /* its own: what waits here is no matter of the caller's limit */
  struct arena arena;           /* all but this struct */
  struct arena_deferred deferred;
  struct pool_options options;
  struct transport *transport; /* NULL: tasks are done here */
  struct worker *workers;
  size_t worker_count;
  double mean; /* s a task; 0: not known yet */
  struct buffer *free;
  struct text batch;
  /* of the run in hand: */
  const struct pool_run *run;
  struct slot *window;
  uint64_t given, delivered; /* tasks so far */
  uint64_t *again;           /* tasks to be handed out again */
  uint32_t again_count, again_capacity;
  size_t held;
  size_t busy; /* workers that are, stale ones too */
  double ticked;
};

/* ---- the window ---- */

static struct slot *slot_of(struct pool *pool, uint64_t task) { return &pool->window[task % WINDOW]; }

static struct buffer *take_buffer(struct pool *pool) {
  struct buffer *buffer = pool->free;
  if (buffer)
    pool->free = buffer->next;
  else
    buffer = ARENA_NEW(&pool->arena, struct buffer);
  buffer->text.arena = &pool->arena;
  buffer->text.size = 0;
  return buffer;
}

static void free_buffer(struct pool *pool, struct buffer **buffer) {
  if (!*buffer) return;
  (*buffer)->next = pool->free;
  pool->free = *buffer;
  *buffer = NULL;
}

static void release(struct pool *pool, struct slot *slot) {
  if (slot->bytes) pool->held -= slot->bytes->text.size;
  free_buffer(pool, &slot->bytes);
}

static void put_again(struct pool *pool, uint64_t task) {
  ARENA_PUSH(&pool->arena, pool->again, pool->again_count, pool->again_capacity, task);
}

static void arrive(struct pool *pool, uint64_t task, const struct pool_reply *reply) {
  if (pool->run->arrive) pool->run->arrive(pool->run->user, task, reply);
}

/* Puts the next tasks that are not known yet into the window. false: there is none now. */
static bool give_next(struct pool *pool) {
  while (pool->given < pool->run->count && pool->given - pool->delivered < WINDOW && pool->held < HELD_AT_MOST) {
    struct slot *slot = slot_of(pool, pool->given);
    *slot = (struct slot){.bytes = take_buffer(pool)};
    slot->done = !pool->run->give(pool->run->user, pool->given++, &slot->bytes->text);
    pool->held += slot->bytes->text.size;
    if (!slot->done) return true;
  }
  return false;
}

/* The task's bytes give way to its reply's. */
static void settle(struct pool *pool, uint64_t task, const struct pool_reply *reply) {
  struct slot *slot = slot_of(pool, task);
  release(pool, slot);
  slot->done = true;
  slot->failure = reply->failure;
  if (!reply->failure) {
    slot->bytes = take_buffer(pool);
    text_put_n(&slot->bytes->text, reply->data, reply->size);
    pool->held += reply->size;
  }
  arrive(pool, task, reply);
}

/* Hands over all replies whose turn has come. */
static bool deliver_ready(struct pool *pool) {
  while (pool->delivered < pool->given && slot_of(pool, pool->delivered)->done) {
    struct slot *slot = slot_of(pool, pool->delivered);
    struct pool_reply reply = {.failure = slot->failure};
    if (slot->bytes) {
      reply.data = slot->bytes->text.data ? slot->bytes->text.data : "";
      reply.size = slot->bytes->text.size;
    }
    bool more = pool->run->deliver(pool->run->user, pool->delivered++, &reply);
    release(pool, slot);
    if (!more) return false;
  }
  return true;
}

static bool is_interrupted(const struct pool *pool) { return interrupted(pool->outer); }

static void tick(struct pool *pool) {
  double now = transport_clock();
  if (now - pool->ticked < TICK * 1e-3) return;
  pool->ticked = now;
  if (pool->run->tick) pool->run->tick(pool->run->user);
}

/* ---- batches ---- */

/* As many tasks as take some 20 ms, and at the end no more than leave the other workers something to do. */
static uint64_t batch_length(const struct pool *pool) {
  if (pool->mean == 0) return 1;
  double by_time = BATCH_SECONDS / pool->mean;
  uint64_t left = pool->run->count - pool->given + pool->again_count, share = 2 * pool->worker_count;
  uint64_t length = by_time < BATCH_AT_MOST ? (uint64_t)by_time : BATCH_AT_MOST;
  if (length > (left + share - 1) / share) length = (left + share - 1) / share;
  return length ? length : 1;
}

static bool next_task(struct pool *pool, uint64_t *task) {
  if (pool->again_count) {
    *task = pool->again[--pool->again_count];
    return true;
  }
  if (!give_next(pool)) return false;
  *task = pool->given - 1;
  return true;
}

/* A batch for a worker that waits; one that is not there is started. A task that a worker has died of goes
 * alone. */
static void feed(struct pool *pool, size_t w) {
  struct worker *worker = &pool->workers[w];
  uint64_t length = batch_length(pool), task;
  worker->count = worker->answered = 0;
  pool->batch.size = 0;
  while (worker->count < length && pool->batch.size < BATCH_SIZE && next_task(pool, &task)) {
    struct slot *slot = slot_of(pool, task);
    if (slot->deaths && worker->count) {
      put_again(pool, task);
      break;
    }
    worker->batch[worker->count++] = task;
    piece_put(&pool->batch, slot->bytes->text.data, slot->bytes->text.size);
    if (slot->deaths) break;
  }
  if (!worker->count) return;
  if (worker->state == ABSENT && !pool->transport->start(pool->transport, w)) {
    while (worker->count)
      put_again(pool, worker->batch[--worker->count]);
    return;
  }
  worker->state = BUSY;
  pool->busy++;
  pool->transport->send(pool->transport, w, &pool->batch);
}

static void feed_all(struct pool *pool) {
  for (size_t w = 0; w < pool->worker_count; w++)
    if (pool->workers[w].state == IDLE || pool->workers[w].state == ABSENT) feed(pool, w);
}

/* ---- answers ---- */

static void end_batch(struct pool *pool, struct worker *worker) {
  pool->busy--;
  worker->state = IDLE;
  for (uint32_t i = worker->count; i > worker->answered; i--)
    put_again(pool, worker->batch[i - 1]);
}

static void learn(struct pool *pool, const struct answer_header *header) {
  if (!header->count) return;
  double mean = header->seconds / header->count + 1e-9, weight = header->count < 16 ? 0.2 : 0.5;
  pool->mean = pool->mean > 0 ? pool->mean + weight * (mean - pool->mean) : mean;
}

/* A worker that has ended its batch gets the next one before its replies are looked at. */
static void take_answer(struct pool *pool, const struct transport_event *event) {
  struct worker *worker = &pool->workers[event->worker];
  struct answer_header header;
  memcpy(&header, event->data, sizeof header);
  if (worker->state == STALE) worker->answered = worker->count;
  if (worker->state == STALE && header.ended) end_batch(pool, worker);
  if (worker->state != BUSY) return;
  const uint64_t *tasks = worker->batch + worker->answered;
  worker->answered += header.count;
  learn(pool, &header);
  if (header.ended) {
    end_batch(pool, worker);
    uint64_t *batch = worker->batch;
    worker->batch = worker->last;
    worker->last = batch;
    feed(pool, event->worker);
  }
  const char *data;
  size_t at = sizeof header, size;
  for (uint32_t i = 0; i < header.count && piece_take(event->data, event->size, &at, &data, &size); i++)
    settle(pool, tasks[i], &(struct pool_reply){.data = data, .size = size});
}

/* The task in hand is done again, alone, unless it has cost too many workers. */
static void take_death(struct pool *pool, const struct transport_event *event) {
  struct worker *worker = &pool->workers[event->worker];
  bool wanted = worker->state == BUSY;
  if (worker->state == BUSY || worker->state == STALE) pool->busy--;
  worker->state = ABSENT;
  if (!wanted) return;
  uint32_t place = event->begun > worker->answered ? event->begun : worker->answered;
  for (uint32_t i = worker->count; i > worker->answered; i--) {
    uint64_t task = worker->batch[i - 1];
    if (i - 1 == place && ++slot_of(pool, task)->deaths == DEATHS_AT_MOST) {
      const char *failure =
          arena_printf(&pool->arena, "its worker died %d times, at last by %s", DEATHS_AT_MOST, event->death);
      settle(pool, task, &(struct pool_reply){.failure = failure});
    } else {
      put_again(pool, task);
    }
  }
}

/* Takes what has come, from each worker some; waits for something if nothing has. */
static void receive_some(struct pool *pool) {
  for (size_t i = 0; i < 2 * pool->worker_count; i++) {
    struct transport_event event = pool->transport->receive(pool->transport, i ? 0 : TICK);
    switch (event.kind) {
    case TRANSPORT_NOTHING: return;
    case TRANSPORT_ANSWER: take_answer(pool, &event); break;
    case TRANSPORT_DEATH: take_death(pool, &event); break;
    }
  }
}

/* ---- runs ---- */

/* One task in this process. false: interrupted. */
static bool do_task_here(struct pool *pool, uint64_t task) {
  struct slot *slot = slot_of(pool, task);
  struct buffer *reply = take_buffer(pool);
  pool->options.work(pool->options.user, slot->bytes->text.data, slot->bytes->text.size, &reply->text);
  bool done = !is_interrupted(pool);
  if (done) settle(pool, task, &(struct pool_reply){.data = reply->text.data, .size = reply->text.size});
  free_buffer(pool, &reply);
  return done;
}

/* The next task, if there is one: whatever is known before it is delivered before it is done, which may take long. */
static enum pool_end do_here(struct pool *pool) {
  uint64_t task;
  bool any = next_task(pool, &task);
  if (!deliver_ready(pool)) return POOL_ENOUGH;
  return !any || do_task_here(pool, task) ? POOL_DONE : POOL_INTERRUPTED;
}

static enum pool_end run_tasks(struct pool *pool) {
  for (;;) {
    if (is_interrupted(pool)) return POOL_INTERRUPTED;
    if (pool->transport) feed_all(pool);
    enum pool_end end = pool->busy ? POOL_DONE : do_here(pool); /* no worker there, or none to be had */
    if (end != POOL_DONE) return end;
    if (!deliver_ready(pool)) return POOL_ENOUGH;
    if (pool->delivered == pool->run->count) return POOL_DONE;
    if (pool->busy) receive_some(pool);
    tick(pool);
  }
}

static void begin_run(struct pool *pool, const struct pool_run *run) {
  pool->run = run;
  pool->memory.guard = pool->outer->guard;
  pool->given = pool->delivered = 0;
  pool->again_count = 0;
  if (!pool->window) pool->window = ARENA_ARRAY(&pool->arena, struct slot, WINDOW);
}

/* Whatever is still under way is of no use. */
static void end_run(struct pool *pool) {
  for (size_t w = 0; w < pool->worker_count; w++) {
    struct worker *worker = &pool->workers[w];
    if (worker->state != BUSY) continue;
    worker->state = pool->transport->stop(pool->transport, w) ? ABSENT : STALE;
    if (worker->state == ABSENT) pool->busy--;
  }
  for (uint64_t task = pool->delivered; task < pool->given; task++)
    release(pool, slot_of(pool, task));
  pool->run = NULL;
}

enum pool_end pool_run(struct pool *pool, const struct pool_run *run) {
  begin_run(pool, run);
  enum pool_end end = run_tasks(pool);
  end_run(pool);
  return end;
}

/* ---- opening and closing ---- */

static void make_workers(struct pool *pool) {
  pool->worker_count = pool->transport->workers;
  pool->workers = ARENA_ARRAY(&pool->arena, struct worker, pool->worker_count);
  for (size_t w = 0; w < pool->worker_count; w++) {
    pool->workers[w].batch = ARENA_ARRAY(&pool->arena, uint64_t, BATCH_AT_MOST);
    pool->workers[w].last = ARENA_ARRAY(&pool->arena, uint64_t, BATCH_AT_MOST);
  }
}

static void close_deferred(void *user) { pool_close(user); }

struct pool *pool_open(struct arena *arena, const struct pool_options *options) {
  struct pool *pool = ARENA_NEW(arena, struct pool);
  pool->outer = arena->memory;
  pool->memory.guard = pool->outer->guard;
  arena_open(&pool->arena, &pool->memory);
  pool->options = *options;
  pool->batch.arena = &pool->arena;
  pool->deferred = (struct arena_deferred){.run = close_deferred, .user = pool};
  arena_defer(arena, &pool->deferred);
  if (ranks_serving(options->ranks)) {
    ranks_serve(&pool->arena, &pool->options);
    pool_close(pool);
    return NULL;
  }
  if (options->ranks)
    pool->transport = ranks_open(&pool->arena, &pool->options);
  else
    pool->transport = processes_open(&pool->arena, pool->outer, &pool->options);
  if (pool->transport) make_workers(pool);
  return pool;
}

void pool_close(struct pool *pool) {
  if (!pool) return;
  if (pool->transport) pool->transport->close(pool->transport);
  pool->transport = NULL;
  arena_close(&pool->arena);
}
