/* Receives and probes: those that wait for their message, and those that are posted. */
#include "evaluators/mpi_sim/state.h"

static inline bool receive_check(struct state *s, struct psl_call *call) {
  const union psl_argument *a = call->arguments;
  return rank_check(call, "receiver", a[0].integer, false) && rank_check(call, "source", a[1].integer, true) &&
         tag_check(call, a[2].integer, true) && context_check(s, call, a[3].integer, a[0].integer, a[1].integer);
}

/* What a call receives, or looks for. */
struct matched {
  uint32_t rank;
  int32_t source, tag; /* or ANY */
  uint32_t context;
  double room; /* for it, byte; 0: enough */
};

static inline struct matched matched_of(const union psl_argument *a) {
  return (struct matched){(uint32_t)a[0].integer, (int32_t)a[1].integer, (int32_t)a[2].integer,
                          context_of(a[3].integer), 0};
}

static inline __attribute__((always_inline)) struct receive *receive_new(struct state *s, const struct psl_call *call,
                                                                         const struct matched *what, struct rank *rank,
                                                                         enum receive_kind kind) {
  struct receive *r = pool_take(&s->memory, &s->receives, sizeof *r);
  r->rank = what->rank;
  r->source = what->source;
  r->tag = what->tag;
  r->context = what->context;
  r->process = kind == RECEIVE_POSTED ? NONE : call->process;
  r->agent = NONE;
  r->agent_due = r->over = r->asked = false;
  r->claim = 0;
  r->envelope = NULL;
  r->kind = (uint8_t)kind;
  r->queued = r->paired = false;
  r->posted = r->clock = call->clock;
  r->room = kind == RECEIVE_PROBE ? 0 : what->room;
  r->on = depends_now(s, rank, r->context, call->clock);
  r->due = -1;
  r->moment = moment_now(s);
  return r;
}

/* Answers the caller out of its receive, which is done with if its message has come. */
enum psl_status receive_answer(struct state *s, struct psl_call *call, struct receive *r) {
  if (!receive_ready(r)) {
    call->memory = r;
    return PSL_BLOCKED;
  }
  const struct envelope *e = r->envelope;
  double end = later_of(e->arrival, call->clock);
  waited_message(s, call->process, e, r->clock, end); /* the call may have been made again since */
  call->clock = end;
  call->result.integer = envelope_handle(e);
  if (r->kind == RECEIVE_PROBE) status_note(s, e);
  room_check(s, e, r->posted, r->room);
  receive_free(s, r);
  return PSL_DONE;
}

/* A call that is made again because a receive from any source can be decided. */
enum psl_status receive_again(struct state *s, struct psl_call *call) {
  struct receive *r = call->memory;
  if (r->queued && !call->ordered) return PSL_LATER;
  r->due = -1;
  struct rank *rank = rank_at(s, r->rank);
  if (is_alone(rank, r))
    seek_any(s, rank, r, call);
  else if (r->queued)
    settle(s, rank, call, call->clock);
  return receive_answer(s, call, r);
}

/* Has the caller nothing to wait with but its clock? It is the rank's own process, which nobody helps, there is neither
 * a message nor a receive in the channel, and it has room for each. */
static inline bool waits_alone(const struct psl_call *call, const struct matched *what, const struct rank *rank,
                               const struct channel *c) {
  return !slot_in(what->context) && !(what->room > 0) && !rank->helped && !c->holds && acts_itself(call, rank);
}

static inline enum psl_status wait_alone(struct psl_call *call, struct rank *rank, struct channel *c, bool paired) {
  rank->awaits = true;
  c->holds = paired ? HOLDS_PAIRED : HOLDS_WAITING;
  call->memory = NULL;
  return PSL_BLOCKED;
}

/* The caller waits for the next message of a channel, which has not come. */
static __attribute__((noinline)) enum psl_status receive_wait(struct state *s, struct psl_call *call,
                                                              const struct matched *what, struct rank *rank,
                                                              struct channel *c, bool paired) {
  if (!s->host->moment && waits_alone(call, what, rank, c)) return wait_alone(call, rank, c, paired);
  struct receive *r = receive_new(s, call, what, rank, RECEIVE_BLOCKING);
  r->paired = paired;
  seek_in(s, rank, c, r);
  call->memory = r;
  return PSL_BLOCKED;
}

static inline struct channel *matched_channel(struct state *s, struct rank *rank, const struct matched *what) {
  return channel_at(s, rank, origin_of((uint32_t)what->source, what->context), what->tag);
}

/* The common case: nothing but a message of its channel can be for it, and what has come is had without a receive. */
static enum psl_status receive_from(struct state *s, struct psl_call *call, const struct matched *what,
                                    struct rank *rank) {
  struct channel *c = matched_channel(s, rank, what);
  struct envelope *e = channel_head(s, c);
  if (!e || e->arrival < 0) return receive_wait(s, call, what, rank, c, false);
  double begin = call->clock;
  take(s, rank, c, e);
  meet(s, e, begin, depends_now(s, rank, what->context, begin));
  receive_caused(s, e, moment_now(s));
  room_check(s, e, begin, what->room);
  call->clock = later_of(e->arrival, begin);
  waited_message(s, call->process, e, begin, call->clock);
  call->result.integer = envelope_handle(e);
  return PSL_DONE;
}

enum psl_status mpi_receive(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(s, call)) return PSL_FAILED;
  struct matched what = matched_of(call->arguments);
  what.room = call->arguments[4].real;
  struct rank *rank = rank_at(s, what.rank);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  if (call->arguments[3].integer >= 0) waits_begin(rank);
  if (!queue_of(rank) && what.source != ANY && what.tag != ANY) return receive_from(s, call, &what, rank);
  struct receive *r = receive_new(s, call, &what, rank, RECEIVE_BLOCKING);
  seek(s, rank, r, call);
  return receive_answer(s, call, r);
}

/* What the arguments of `receive` behind the ranks say. */
struct receiving {
  int32_t tag;
  uint32_t context;
  bool world, collective; /* in which all ranks are; the receive is one of a collective operation */
  bool plain;             /* it is of the program itself, in the world, and has room for each message, */
  bool inside;            /* or one of a collective operation there */
  int64_t communicator;
  double room;
};

/* Of one tag, and nothing that the host looks at. */
static bool receiving_prepare(void *state, const union psl_argument *a, void *prepared) {
  const struct state *s = state;
  *(struct receiving *)prepared = (struct receiving){(int32_t)a[2].integer,
                                                     context_of(a[3].integer),
                                                     is_of_world(a[3].integer),
                                                     a[3].integer < 0,
                                                     a[3].integer == 0 && !(a[4].real > 0),
                                                     a[3].integer == INSIDE_WORLD && !(a[4].real > 0),
                                                     a[3].integer,
                                                     a[4].real};
  return a[2].integer >= 0 && a[2].integer <= INT32_MAX && !s->host->message;
}

/* A blocking receive of a message that has come already, without a handshake, or that it waits for. */
static __attribute__((noinline)) enum psl_status receive_whole(void *state, const void *prepared, struct psl_call *call,
                                                               union psl_number first, union psl_number second,
                                                               double later) {
  struct state *s = state;
  const struct receiving *receiving = prepared;
  uint32_t context = receiving->context;
  if (((uint64_t)first.integer | (uint64_t)second.integer) >= RANK_LIMIT || later != call->clock ||
      !(receiving->world || members_check(s, call, receiving->communicator, first.integer, second.integer)))
    return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)first.integer);
  if (queue_of(rank) || !acts_already(call, rank, context)) return PSL_LATER;
  struct channel *c = channel_at(s, rank, origin_of((uint32_t)second.integer, context), receiving->tag);
  struct envelope *e = channel_head(s, c);
  double arrival = e ? e->arrival : -1;
  if (arrival >= 0 && e->handshake) return PSL_LATER;
  if (!receiving->collective) waits_begin(rank);
  if (arrival < 0) {
    struct matched what = {(uint32_t)first.integer, (int32_t)second.integer, receiving->tag, context, receiving->room};
    return receive_wait(s, call, &what, rank, c, call->paired);
  }
  take(s, rank, c, e);
  if (e->buffered) buffers_release(s, e, later_of(later, arrival));
  room_check(s, e, later, receiving->room);
  if (arrival > later) call->clock = arrival;
  if (is_collective(context) || arrival > later) note_message(s, call->process, e, later, call->clock);
  if (!is_collective(context)) status_set(s, e->destination, e->size, e->number, e->source, e->tag);
  call->result.real = e->size;
  pool_give(&s->envelopes, &e->item);
  return PSL_DONE;
}

/* It has come later than it is asked for. */
static __attribute__((noinline)) enum psl_status came_late(struct state *s, struct psl_call *call,
                                                           const struct envelope *e) {
  double begin = call->clock;
  call->clock = e->arrival;
  note_message(s, call->process, e, begin, e->arrival);
  return PSL_DONE;
}

/* What is mostly so in a collective operation: nothing else can be for the receive, whose message has come, or is the
 * next one of its channel. */
static __attribute__((noinline)) enum psl_status receive_inside(void *state, const void *prepared,
                                                                struct psl_call *call, union psl_number first,
                                                                union psl_number second, double later) {
  struct state *s = state;
  const struct receiving *receiving = prepared;
  if (!call->paired || (uint64_t)first.integer >= s->near_count || (uint64_t)second.integer >= RANK_LIMIT)
    return receive_whole(state, prepared, call, first, second, later);
  struct rank *rank = &s->near_ranks[first.integer];
  struct rare *rare = rare_of(rank);
  if (!rare || is_odd(rank) || !acts_itself(call, rank))
    return receive_whole(state, prepared, call, first, second, later);
  struct channel *c = channel_there(rank, origin_of((uint32_t)second.integer, receiving->context), receiving->tag);
  if (c && !c->holds && !rank->helped && !s->host->moment) return wait_alone(call, rank, c, true);
  if (!c || !has_messages(c)) return receive_whole(state, prepared, call, first, second, later);
  struct envelope *last = last_message(s, c), *e = (struct envelope *)last->item.next;
  double arrival = e->arrival;
  if (arrival < 0 || e->handshake || e->buffered) return receive_whole(state, prepared, call, first, second, later);
  take_plain(s, c, last, e);
  if (arrival > later) call->clock = arrival;
  note_inside(s, call->process, &rare->on, &e->on, e->queued, arrival, later);
  call->result.real = e->size;
  pool_give(&s->envelopes, &e->item);
  return PSL_DONE;
}

/* What is mostly so: the first message of its channel has come, and nothing else can be for the receive. There is no
 * call in it, so that it needs no registers of its caller. */
static enum psl_status receive_and_finish(void *state, const void *prepared, struct psl_call *call,
                                          union psl_number first, union psl_number second, double later) {
  struct state *s = state;
  const struct receiving *receiving = prepared;
  if (receiving->inside) return receive_inside(state, prepared, call, first, second, later);
  if (!receiving->plain || !call->paired || (uint64_t)first.integer >= s->near_count ||
      (uint64_t)second.integer >= RANK_LIMIT)
    return receive_whole(state, prepared, call, first, second, later);
  struct rank *rank = &s->near_ranks[first.integer];
  if (is_odd(rank) || !acts_already(call, rank, 0)) return receive_whole(state, prepared, call, first, second, later);
  struct channel *c = channel_there(rank, origin_of((uint32_t)second.integer, 0), receiving->tag);
  if (!c || !has_messages(c)) return receive_whole(state, prepared, call, first, second, later);
  struct envelope *last = last_message(s, c), *e = (struct envelope *)last->item.next;
  if (e->arrival < 0 || e->handshake || e->buffered) return receive_whole(state, prepared, call, first, second, later);
  take_plain(s, c, last, e);
  waits_begin(rank);
  status_note(s, e);
  call->result.real = e->size;
  pool_give(&s->envelopes, &e->item); /* nobody takes it meanwhile */
  return e->arrival > later ? came_late(s, call, e) : PSL_DONE;
}

const struct psl_call_pair mpi_receive_pair = {.second = "finish",
                                               .unless = "handshake",
                                               .prepare = receiving_prepare,
                                               .size = sizeof(struct receiving),
                                               .call = receive_and_finish};

enum psl_status mpi_probe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  if (call->arguments[3].integer >= 0) waits_begin(rank);
  struct matched what = matched_of(call->arguments);
  struct receive *r = receive_new(s, call, &what, rank, RECEIVE_PROBE);
  seek(s, rank, r, call);
  return receive_answer(s, call, r);
}

enum psl_status mpi_iprobe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(s, call)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  struct receive probe = {.kind = RECEIVE_PROBE,
                          .source = (int32_t)call->arguments[1].integer,
                          .tag = (int32_t)call->arguments[2].integer,
                          .context = context_of(call->arguments[3].integer)};
  if (probe.source == ANY) arrivals_open(s, rank);
  settle(s, rank, call, call->clock);
  const struct envelope *e = candidate(s, rank, &probe);
  call->result.integer = e && e->arrival >= 0 && e->arrival <= call->clock;
  if (call->result.integer) status_note(s, e);
  return PSL_DONE;
}

enum psl_status mpi_irecv(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  struct matched what = matched_of(call->arguments);
  what.room = call->arguments[4].real;
  struct receive *r = receive_new(s, call, &what, rank, RECEIVE_POSTED);
  seek(s, rank, r, call);
  call->result.integer = handle_make(&r->item, HANDLE_RECEIVE);
  return PSL_DONE;
}

/* The receive of a handle, or NULL. */
struct receive *receive_of(struct state *s, int64_t handle) {
  struct receive *r =
      (handle & 15) == HANDLE_RECEIVE ? handle_item(&s->receives, handle, sizeof(struct receive)) : NULL;
  return r && (!r->over || r->agent_due) ? r : NULL;
}
