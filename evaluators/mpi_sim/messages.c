/* Messages are sent, and come. */
#include "evaluators/mpi_sim/state.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

/* Who sent the message and when, until it is received. */
static void posted_note(struct state *s, const struct psl_call *call, uint32_t index) {
  if (index >= s->posted_capacity) {
    uint32_t capacity = s->posted_capacity ? s->posted_capacity : CHUNK;
    while (capacity <= index)
      capacity *= 2;
    struct posted *grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (s->posted_capacity) memcpy(grown, s->posted, s->posted_capacity * sizeof *grown);
    s->posted = grown;
    s->posted_capacity = capacity;
  }
  s->posted[index] = (struct posted){.sent = call->clock, .owner = s->host->owner(s->host, call->process)};
}

/* A network without a gap is right only for messages that follow each other slowly enough. */
static __attribute__((noinline)) void gap_warn(struct state *s, double gap) {
  char text[160];
  snprintf(text, sizeof text,
           "messages of one process follow each other by less than the gap g (%g us), which this network "
           "leaves out",
           gap * 1e6);
  s->host->warn(s->host, text);
}

static inline void gap_check(struct state *s, double clock, const struct rank *rank, double gap) {
  double since = clock - rank->posted;
  if (since >= gap) return;
  /* helpers post in any order; sums of times are rounded */
  if (rank->posted > 0 && fabs(since) < gap * (1 - 1e-9) - 4 * DBL_EPSILON * clock) gap_warn(s, gap);
}

/* By how much a rank's messages would go later one after another, at least: what helpers send is left out where the
 * call comes behind one of a later clock. */
static inline void sender_take(const struct state *s, struct rank *rank, double clock, double taken) {
  if (clock < rank->interface_asked) return; /* helpers send in any order */
  double late = rank->interface_asked + rank->interface_taken - clock;
  if (late > 0 && clock >= s->host->begin) rank->left_out += late;
  rank->interface_asked = clock;
  rank->interface_taken = taken;
}

/* Half an interface has another message. They come in any order, on which what is found out of them does not depend. */
static inline void half_take(struct half *half, double clock, double taken, double after) {
  half->first = clock < half->first ? clock : half->first;
  half->last = later_of(half->last, clock + taken);
  half->busy += taken;
  half->after = later_of(half->after, after);
}

static inline __attribute__((always_inline)) void interface_busy(struct state *s, struct rank *sender,
                                                                 struct half *sends, struct half *receives,
                                                                 double clock, double taken, double after) {
  sender_take(s, sender, clock, taken);
  if (clock < s->host->begin) return;
  half_take(sends, clock, taken, after);
  half_take(receives, clock, taken, after);
}

/* Its request has gone before it, after which they are busy for as long as after any. */
void left_out_take(struct state *s, const struct envelope *e, uint32_t from, uint32_t to, double clock, double taken) {
  interface_busy(s, rank_at(s, e->source), &rank_at(s, from)->sends, &rank_at(s, to)->receives, clock, taken, 0);
}

/* A send in ready mode is an error where no receive has been posted that would have it. */
static enum psl_status not_ready(struct state *s, struct psl_call *call, const struct envelope *e, uint32_t index) {
  snprintf(call->error, sizeof call->error,
           "rank %u sends to rank %u in ready mode, tag %d, before a receive is posted for it", e->source,
           e->destination, e->tag);
  pool_give(&s->envelopes, index, sizeof *e);
  return PSL_FAILED;
}

/* A message that the caller sends, without a handshake. */
static inline __attribute__((always_inline)) struct envelope *envelope_new(struct state *s, const struct psl_call *call,
                                                                           struct rank *sender, uint32_t *index) {
  const union psl_argument *a = call->arguments;
  *index = pool_take(&s->memory, &s->envelopes, sizeof(struct envelope));
  struct envelope *e = envelope_at(s, *index);
  e->source = (uint32_t)a[0].integer;
  e->destination = (uint32_t)a[1].integer;
  e->tag = (int32_t)a[2].integer;
  e->size = a[3].real;
  e->receive = e->handshake = NONE;
  e->references = 1;
  e->beside = e->buffered = e->matched = e->answered = false;
  e->context = context_of(a[7].integer);
  e->arrival = -1;
  e->on = depends_now(s, sender, e->context, call->clock);
  e->queued = call->queued;
  bool counts = PSL_COUNTS(s->host, call->clock);
  e->sequence = s->messages++;
  e->number = is_collective(e->context) ? 0 : ++sender->sent;
  s->counted += counts;
  s->bytes += counts ? e->size : 0;
  return e;
}

/* Whose interfaces a message takes: those of its ranks where no others are named. */
static inline uint32_t interface_from(const union psl_argument *a) {
  return (uint32_t)a[a[11].integer < 0 ? 0 : 11].integer;
}
static inline uint32_t interface_to(const union psl_argument *a) {
  return (uint32_t)a[a[12].integer < 0 ? 1 : 12].integer;
}

/* It goes out: its bytes pass its interfaces in so long. */
static inline __attribute__((always_inline)) void envelope_send(struct state *s, const struct psl_call *call,
                                                                struct rank *sender, struct rank *rank, double bytes) {
  const union psl_argument *a = call->arguments;
  double gap = a[6].real, taken = later_of(gap, bytes);
  if (gap > 0) gap_check(s, call->clock, sender, gap);
  if (taken > 0) {
    struct rank *from = a[11].integer < 0 ? sender : rank_at(s, (uint32_t)a[11].integer);
    struct rank *to = a[12].integer < 0 ? rank : rank_at(s, (uint32_t)a[12].integer);
    interface_busy(s, sender, &from->sends, &to->receives, call->clock, taken, taken - bytes);
  }
  sender->posted = call->clock;
}

/* It goes to the receive that waits for just this, or has a place in its channel. */
static inline void envelope_place(struct state *s, struct rank *rank, struct channel *c, struct envelope *e,
                                  uint32_t index, double clock) {
  if (c->tail == EMPTY || !c->receives) {
    c->receives = false;
    list_append(c, c->tail == EMPTY ? NULL : &envelope_at(s, c->tail)->item, &e->item, index);
    if (rank->queue != NONE) settle(s, rank, NULL, clock);
    return;
  }
  struct receive *tail = receive_at(s, c->tail);
  uint32_t first = tail->item.next;
  struct receive *r = receive_at(s, first);
  if (first == c->tail)
    c->tail = EMPTY;
  else
    tail->item.next = r->item.next;
  e->matched = true;
  s->matched++;
  e->receive = first;
  r->envelope = index;
  meet(s, e, index, r->posted, r->on);
}

enum psl_status mpi_post(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_check(call, "source", a[0].integer, false) || !rank_check(call, "destination", a[1].integer, false) ||
      !tag_check(call, a[2].integer, false) || !context_check(s, call, a[7].integer, a[0].integer, a[1].integer) ||
      !rank_check(call, "sending interface", a[11].integer, true) ||
      !rank_check(call, "receiving interface", a[12].integer, true))
    return PSL_FAILED;
  if (!(a[3].real >= 0 && a[3].real < INFINITY)) {
    snprintf(call->error, sizeof call->error, "a message of %g bytes", a[3].real);
    return PSL_FAILED;
  }
  enum psl_status status;
  struct rank *sender = rank_at(s, (uint32_t)a[0].integer);
  if (!acts_in(s, call, sender, a[7].integer, &status)) return status;
  bool handshake = a[4].integer, bounded = !handshake && a[9].real >= 0;
  if ((bounded || a[8].integer) && !call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)a[1].integer);
  s->bounded |= bounded;
  if (bounded) handshake = !buffers_fit(s, rank, a[9].real, a[3].real, call->clock);
  uint32_t index;
  struct envelope *e = envelope_new(s, call, sender, &index);
  e->beside = handshake && a[5].integer;
  e->references = e->beside ? 2 : 1;
  if (s->host->message) posted_note(s, call, index);
  if (a[8].integer && !receive_posted(s, rank, e, call->clock)) return not_ready(s, call, e, index);
  if (handshake) {
    e->handshake = pool_take(&s->memory, &s->handshakes, sizeof(struct handshake));
    struct handshake *h = handshake_at(s, e->handshake);
    h->envelope = index;
    h->taken = later_of(a[6].real, e->size * a[10].real);
    h->from = interface_from(a);
    h->to = interface_to(a);
    for (int k = 0; k < 3; k++) {
      h->waiter[k] = NONE;
      h->reached[k] = -1;
    }
  }
  envelope_send(s, call, sender, rank, handshake ? 0 : e->size * a[10].real);
  if (bounded && !handshake) buffers_take(rank, e);
  envelope_place(s, rank, envelope_channel(s, rank, e), e, index, call->clock);
  call->result.integer = envelope_handle(e, index);
  return PSL_DONE;
}

/* A message arrives: true where a posted receive waits for this request, which the caller has to answer. */
static bool message_arrives(struct state *s, struct psl_call *call, struct envelope *e, uint32_t index) {
  e->arrival = call->clock;
  some_look(s, e->destination, call->clock);
  e->queued = later_of(call->queued - e->queued, 0);
  if (!e->matched) {
    struct rank *rank = rank_at(s, e->destination);
    if (rank->arrivals && channel_head(s, envelope_channel(s, rank, e)) == index)
      arrivals_push(s, rank->arrivals, index);
    if (rank->queue != NONE) settle(s, rank, NULL, call->clock);
    if (!e->matched) return false;
  }
  struct receive *r = e->receive == NONE ? NULL : receive_at(s, e->receive);
  if (e->buffered) buffers_release(s, e, later_of(call->clock, r ? r->posted : 0));
  if (!r) return false;
  bool answer = due_take(s, envelope_handle(e, index)) ||
                (e->handshake != NONE && r->kind == RECEIVE_POSTED && r->source != ANY && !e->answered);
  double posted = r->posted;
  if (answer) e->answered = true;
  receive_wake(s, r, e->receive, NULL);
  if (answer) there_from(s, call, posted); /* the last word: who has waited goes on, too */
  return answer;
}

enum psl_status mpi_deliver(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if ((handle & 15) == HANDLE_BESIDE && handle > 0) return beside_deliver(s, call);
  struct envelope *e = envelope_of(s, handle);
  enum stage stage = handle & 3;
  if (!e || (stage != STAGE_MESSAGE && e->handshake == NONE)) return failed_handle(call, "a message in flight", handle);
  struct handshake *h = stage == STAGE_MESSAGE ? NULL : handshake_at(s, e->handshake);
  if ((h ? h->reached[stage - 1] : e->arrival) >= 0) {
    snprintf(call->error, sizeof call->error, "a message from rank %u to rank %u, tag %d, was delivered twice",
             e->source, e->destination, e->tag);
    return PSL_FAILED;
  }
  call->result.integer = 0;
  if (!h) {
    call->result.integer = message_arrives(s, call, e, handle_index(handle));
    return PSL_DONE;
  }
  h->reached[stage - 1] = call->clock;
  some_look(s, stage == STAGE_DATA ? e->destination : e->source, call->clock);
  stage_queued(e, h, stage, call->queued);
  uint32_t waiter = h->waiter[stage - 1];
  if (waiter != NONE) {
    double since = h->waiting_since[stage - 1];
    union psl_argument nothing = {.integer = 0};
    h->waiter[stage - 1] = NONE;
    waited_stage(s, waiter, e, stage, since, call->clock);
    if (stage == STAGE_ACKNOWLEDGEMENT) data_sent(s, e, later_of(since, call->clock));
    s->host->resume(s->host, waiter, since > call->clock ? since : call->clock, nothing);
  }
  return PSL_DONE;
}

/* Somebody waits for the message, or may do. */
static __attribute__((noinline)) void message_comes(struct state *s, struct psl_call *call, struct rank *rank,
                                                    struct channel *c, struct envelope *e, uint32_t index,
                                                    double later) {
  double clock = call->clock;
  e->arrival = -1;
  e->queued = call->queued;
  envelope_place(s, rank, c, e, index, clock);
  call->clock = later;
  message_arrives(s, call, e, index);
  call->clock = clock;
}

/* A message that is sent without a handshake, and arrives at the clock `later`. */
static bool post_and_deliver(void *state, struct psl_call *call, double later) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  uint64_t source = (uint64_t)a[0].integer, destination = (uint64_t)a[1].integer, tag = (uint64_t)a[2].integer;
  uint64_t odd = (uint64_t)(a[4].integer | a[8].integer); /* a handshake, the ready mode */
  double size = a[3].real;
  if ((source | destination) >= RANK_LIMIT || a[11].integer >= RANK_LIMIT || a[12].integer >= RANK_LIMIT ||
      tag > INT32_MAX || odd || !(size >= 0 && size < INFINITY) || a[9].real >= 0 || s->host->message ||
      !context_check(s, call, a[7].integer, a[0].integer, a[1].integer))
    return false;
  struct rank *sender = rank_at(s, (uint32_t)source), *rank = rank_at(s, (uint32_t)destination);
  uint32_t context = context_of(a[7].integer);
  if (!acts_already(call, sender, context)) return false;
  struct channel *c = channel_at(s, rank, origin_of((uint32_t)source, context), (int32_t)tag);
  uint32_t index;
  struct envelope *e = envelope_new(s, call, sender, &index);
  envelope_send(s, call, sender, rank, later_of(a[6].real, size * a[10].real));
  call->result.integer = false;
  bool first = c->tail == EMPTY;
  if (rank->queue != NONE || (first ? rank->arrivals != NULL : c->receives) || s->some_count > 0) {
    message_comes(s, call, rank, c, e, index, later);
    return true;
  }
  if (first) c->receives = false;
  list_append(c, first ? NULL : &envelope_at(s, c->tail)->item, &e->item, index);
  e->arrival = later;
  e->queued = 0;
  return true;
}

const struct psl_call_pair mpi_post_pair = {.second = "deliver", .unless = "handshake", .call = post_and_deliver};
