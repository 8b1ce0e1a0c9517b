/* The loop of a worker: takes a batch, does its tasks, answers. Called in a forked child (processes.c) and in
 * an MPI rank (ranks.c).
 *
 * Answers leave every few milliseconds, so that little is lost with a worker and its caller can keep pace; a
 * batch that takes too long goes back, so that no task waits behind a slow one while other workers are idle. */
#include "interp/study/transport.h"

#include <string.h>
#include <time.h>

#define ANSWER_AFTER 0.005 /* s */
#define BATCH_AT_MOST 0.05 /* s */
enum { ANSWER_SIZE = 64 * 1024 };

double transport_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void piece_put(struct text *message, const char *data, size_t size) {
  uint32_t length = (uint32_t)size;
  text_put_n(message, (const char *)&length, sizeof length);
  text_put_n(message, data, size);
}

bool piece_take(const char *message, size_t size, size_t *at, const char **data, size_t *length) {
  uint32_t wanted;
  if (size - *at < sizeof wanted) return false;
  memcpy(&wanted, message + *at, sizeof wanted);
  if (size - *at - sizeof wanted < wanted) return false;
  *data = message + *at + sizeof wanted;
  *length = wanted;
  *at += sizeof wanted + wanted;
  return true;
}

struct serving {
  struct channel *channel;
  struct text answer;
  struct answer_header header;
  double since; /* the last answer */
};

static void begin_answer(struct serving *serving, double now) {
  serving->since = now;
  serving->header = (struct answer_header){0};
  serving->answer.size = 0;
  text_put_n(&serving->answer, (const char *)&serving->header, sizeof serving->header);
}

static bool send_answer(struct serving *serving, bool ended, double now) {
  serving->header.ended = ended;
  serving->header.seconds = now - serving->since;
  memcpy(serving->answer.data, &serving->header, sizeof serving->header);
  bool sent = serving->channel->send(serving->channel, &serving->answer);
  begin_answer(serving, now);
  return sent;
}

static bool serve_batch(struct serving *serving, const struct text *batch, struct text *reply, pool_work *work,
                        void *user) {
  double begin = transport_clock(), now = begin;
  const char *task;
  size_t at = 0, size;
  begin_answer(serving, now);
  for (uint32_t place = 0; piece_take(batch->data, batch->size, &at, &task, &size); place++) {
    *serving->channel->begun = place;
    reply->size = 0;
    work(user, task, size, reply);
    piece_put(&serving->answer, reply->data, reply->size);
    serving->header.count++;
    now = transport_clock();
    if (now - begin >= BATCH_AT_MOST) break;
    bool due = now - serving->since >= ANSWER_AFTER || serving->answer.size >= ANSWER_SIZE;
    if (due && at < batch->size && !send_answer(serving, false, now)) return false;
  }
  return send_answer(serving, true, now);
}

void worker_serve(struct channel *channel, struct arena *arena, pool_work *work, void *user) {
  struct serving serving = {.channel = channel, .answer = {.arena = arena}};
  struct text batch = {.arena = arena}, reply = {.arena = arena};
  while (channel->receive(channel, &batch))
    if (!serve_batch(&serving, &batch, &reply, work, user)) return;
}
