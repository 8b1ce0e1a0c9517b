/* Of Dimemas' model: what no program of MPI leaves (evaluators/leftovers/), found when the run has ended. Sends and
 * receives that have not met stand as notes at the receiver, whenever the message itself comes. What belongs to a task
 * that has not ended, in a deadlock, is told there. */
#include "evaluators/dimemas/state.h"

static bool lasts(const struct state *s, uint32_t number) { return !s->tasks[number].ended; }

static struct left left_of(const struct state *s, const struct operation *message, uint32_t from, uint32_t to) {
  return (struct left){.time = message->begun,
                       .size = message->size,
                       .rank = to,
                       .source = (int32_t)from,
                       .number = message->serial,
                       .communicator = s->communicators[message->communicator].name,
                       .tag = message->tag};
}

void dimemas_room_check(struct state *s, uint32_t from, uint32_t to, const struct operation *message,
                        const struct operation *receive) {
  if (!(receive->room > 0 && message->size > receive->room)) return;
  struct left left = left_of(s, message, from, to);
  left.time = receive->begun;
  left.room = receive->room;
  left.number = 0;
  leftovers_note(&s->left, LEFT_TRUNCATED, &left);
}

/* Does its sender wait for the receive? */
static bool is_awaited(const struct state *s, const struct item *note) {
  const struct task *from = &s->tasks[note->from];
  return !from->ended && from->now.kind == OPERATION_SEND && from->now.serial == note->operation.serial;
}

static void messages_note(const struct state *s, uint32_t number, struct leftovers *all) {
  for (uint32_t i = s->tasks[number].sends_alone.first; i != NONE; i = item_at(s, i)->next) {
    const struct item *note = item_at(s, i);
    if (is_awaited(s, note)) continue;
    struct left left = left_of(s, &note->operation, note->from, number);
    leftovers_note(all, LEFT_MESSAGE, &left);
  }
}

static void receives_note(const struct state *s, uint32_t number, struct leftovers *all) {
  const struct task *task = &s->tasks[number];
  for (uint32_t k = 0; k < task->started_count; k++) {
    const struct operation *receive = &task->started[k];
    if (receive->kind != OPERATION_START_RECEIVE || receive->given_up) continue;
    struct left left = {.time = receive->begun,
                        .rank = number,
                        .source = receive->partner,
                        .communicator = s->communicators[receive->communicator].name,
                        .tag = receive->tag};
    leftovers_note(all, LEFT_RECEIVE, &left);
  }
}

/* ---- collective operations ---- */

/* By their numbers in traces; those that are only started come behind them. */
static const char *const names[DIMEMAS_OPERATIONS] = {"MPI-barrier",
                                                      "MPI-bcast",
                                                      "MPI-gather",
                                                      "MPI-gatherv",
                                                      "MPI-scatter",
                                                      "MPI-scatterv",
                                                      "MPI-allgather",
                                                      "MPI-allgatherv",
                                                      "MPI-alltoall",
                                                      "MPI-alltoallv",
                                                      "MPI-reduce",
                                                      "MPI-allreduce",
                                                      "MPI-reduce-scatter",
                                                      "MPI-reduce-scatter-block",
                                                      "MPI-scan",
                                                      "MPI-alltoallw",
                                                      "MPI-ibarrier",
                                                      "MPI-ibcast",
                                                      "MPI-igather",
                                                      "MPI-igatherv",
                                                      "MPI-iscatter",
                                                      "MPI-iscatterv",
                                                      "MPI-iallgather",
                                                      "MPI-iallgatherv",
                                                      "MPI-ialltoall",
                                                      "MPI-ialltoallv",
                                                      "MPI-ireduce",
                                                      "MPI-iallreduce",
                                                      "MPI-ireduce-scatter",
                                                      "MPI-ireduce-scatter-block",
                                                      "MPI-iscan",
                                                      "MPI-ialltoallw"};

struct left_out {
  const struct communicator *communicator;
  const struct collective *collective;
  uint32_t lacks, has; /* the lowest rank that has not come, and the lowest that has */
};

/* The oldest operation of the communicator that is not complete, left out by a task that has ended. */
static bool left_out_find(const struct state *s, const struct communicator *c, struct left_out *out) {
  if (c->pending.first == NONE) return false;
  *out = (struct left_out){c, &s->collectives[c->pending.first], NONE, NONE};
  for (uint32_t k = 0; k < c->size; k++) {
    uint32_t rank = c->members ? c->members[k] : k;
    bool came = c->places[rank] > out->collective->place;
    if (came && rank < out->has) out->has = rank;
    if (!came && !lasts(s, rank) && rank < out->lacks) out->lacks = rank;
  }
  return out->lacks != NONE && out->has != NONE;
}

static void collectives_warn(const struct state *s) {
  struct left_out first = {.communicator = NULL}, other;
  for (uint32_t k = 0; k < s->communicator_count; k++) {
    if (!left_out_find(s, &s->communicators[k], &other)) continue;
    if (!first.communicator || other.communicator->name < first.communicator->name) first = other;
  }
  if (!first.communicator) return;
  leftovers_tell_left_out(s->host, first.collective->place + 1, first.communicator->name,
                          names[first.collective->number], first.lacks, first.has);
}

void dimemas_leftovers_warn(struct state *s) {
  if (!s->host->complete(s->host)) return;
  struct leftovers all = s->left;
  for (uint32_t number = 0; number < s->task_count; number++) {
    if (lasts(s, number)) continue;
    messages_note(s, number, &all);
    receives_note(s, number, &all);
  }
  leftovers_tell(s->host, &all);
  collectives_warn(s);
}
