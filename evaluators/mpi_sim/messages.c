/* Messages are sent, and come. */
#include "evaluators/mpi_sim/state.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

/* Who sent the message and when, until it is received. */
static void posted_note(struct state *s, const struct psl_call *call, const struct envelope *e) {
  uint32_t index = e->item.number;
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

/* A message of a rank's own process waits for those before it. */
static inline __attribute__((always_inline)) void sender_take(struct sender *sender, double clock, double left,
                                                              double taken) {
  double free = sender->free;
  if (clock >= free) {
    sender->free = left;
    sender->wait = 0;
    return;
  }
  double more = free - clock - sender->wait;
  if (more > 0) {
    sender->late += more;
    sender->wait += more;
  }
  sender->free = free + taken;
}

/* What is sent takes its sender's interface for so long. `own`: what its rank has sent before is known in order. */
static inline __attribute__((always_inline)) void sender_half_take(struct state *s, bool own, struct rank *from,
                                                                   double clock, double taken) {
  if (own) {
    sender_add(s, from, sender_length(s, taken), taken);
    sender_take(&from->sender, clock, clock + taken, taken);
    return;
  }
  half_take(s, &rank_rare(s, from)->sends, clock, clock + taken, taken);
}

void receiver_take(struct state *s, struct rank *to, double clock, double taken) {
  half_take(s, &to->receives, clock, clock + taken, taken);
}

/* The same of a message to another partition, where its receiver's is taken. */
static void sender_alone(struct state *s, bool own, struct rank *from, double clock, double taken) {
  if (clock >= s->host->begin) sender_half_take(s, own, from, clock, taken);
}

/* A message goes from interface to interface, which it takes for so long and for which it does not wait, since the
 * network leaves them out. */
static inline __attribute__((always_inline)) void interfaces_take(struct state *s, bool own, struct rank *from,
                                                                  struct rank *to, double clock, double taken) {
  if (half_take(s, &to->receives, clock, clock + taken, taken)) sender_half_take(s, own, from, clock, taken);
}

/* The data of a message with a handshake go out. */
void data_sent(struct state *s, const struct envelope *e, double clock) {
  const struct handshake *h = e->handshake;
  if (h->taken <= 0) return;
  if (e->away) {
    sender_alone(s, h->own, rank_at(s, h->from), clock, h->taken);
    away_burden(s, e, clock, h->taken);
    return;
  }
  interfaces_take(s, h->own, rank_at(s, h->from), rank_at(s, h->to), clock, h->taken);
}

/* A send in ready mode is an error where no receive has been posted that would have it. */
static enum psl_status not_ready(struct state *s, struct psl_call *call, struct envelope *e) {
  snprintf(call->error, sizeof call->error,
           "rank %u sends to rank %u in ready mode, tag %d, before a receive is posted for it", e->source,
           e->destination, e->tag);
  pool_give(&s->envelopes, &e->item);
  return PSL_FAILED;
}

/* What the arguments of `post` behind the ranks say of a message. */
struct sending {
  int32_t tag;
  uint32_t context;
  int64_t communicator;
  double size;  /* byte */
  double gap;   /* s */
  double bytes; /* s: for so long its bytes pass its interfaces */
  bool world;   /* in which all ranks are */
  int64_t from; /* whose those are; negative: of its own source, */
  int64_t to;   /* and of its destination */
  bool own;     /* its rank's own process sends it by its own interface, if it acts as the rank */
  /* Prepared once for many of a pair: */
  bool plain;  /* it is of the program itself, in the world, counts, and goes by interfaces that no other ranks have, */
  bool inside; /* or the same of a collective operation there */
  double taken;    /* for so long it takes these, s, which is more than 0, */
  double after;    /* of that so long behind its last byte, */
  double busy;     /* and as a summand, */
  uint8_t unit;    /* of that number; */
  uint32_t length; /* sender_length of it as it is */
};

static inline struct sending sending_of(const union psl_argument *a) {
  return (struct sending){.tag = (int32_t)a[2].integer,
                          .context = context_of(a[7].integer),
                          .communicator = a[7].integer,
                          .world = is_of_world(a[7].integer),
                          .size = a[3].real,
                          .gap = a[6].real,
                          .bytes = a[3].real * a[10].real,
                          .from = a[11].integer,
                          .to = a[12].integer,
                          .own = a[11].integer < 0 && !slot_in(context_of(a[7].integer))};
}

/* The rank sends one more: its number there. */
static inline uint32_t message_count(struct state *s, const struct psl_call *call, const struct sending *sending,
                                     struct rank *sender) {
  s->messages++;
  if (s->all_counts || PSL_COUNTS(s->host, call->clock)) {
    s->counted++;
    s->bytes += sending->size;
  }
  return is_collective(sending->context) ? 0 : ++sender->sent;
}

/* A message that the caller sends, without a handshake. */
static inline __attribute__((always_inline)) struct envelope *envelope_new(struct state *s, const struct psl_call *call,
                                                                           const struct sending *sending,
                                                                           struct rank *sender, uint32_t source,
                                                                           uint32_t destination) {
  struct envelope *e = pool_take(&s->memory, &s->envelopes, sizeof *e);
  e->source = source;
  e->destination = destination;
  e->tag = sending->tag;
  e->size = sending->size;
  e->receive = NULL;
  e->handshake = NULL;
  e->references = 1;
  e->beside = e->buffered = e->matched = e->answered = e->away = e->mirrors = false;
  e->context = sending->context;
  e->arrival = -1;
  e->on = depends_now(s, sender, sending->context, call->clock);
  e->queued = call->queued;
  e->sequence = s->messages;
  e->number = message_count(s, call, sending, sender);
  return e;
}

/* It goes out: its bytes pass its interfaces in so long. */
static inline __attribute__((always_inline)) void envelope_send(struct state *s, double clock,
                                                                const struct sending *sending, struct rank *sender,
                                                                struct rank *rank, bool own, double bytes) {
  double gap = sending->gap, taken = later_of(gap, bytes);
  if (gap > 0) gap_check(s, clock, sender, gap);
  if (taken > 0) {
    struct rank *from = own || sending->from < 0 ? sender : rank_at(s, (uint32_t)sending->from);
    struct rank *to = sending->to < 0 ? rank : rank_at(s, (uint32_t)sending->to);
    interfaces_take(s, own, from, to, clock, taken);
    if (taken - bytes > s->after) s->after = taken - bytes;
  }
  sender->posted = clock;
}

/* The same to another partition; gives for how long it takes its interfaces. */
static double envelope_leave(struct state *s, double clock, const struct sending *sending, struct rank *sender,
                             bool own, double bytes) {
  double taken = later_of(sending->gap, bytes);
  if (taken > 0 && (sending->from >= 0 || sending->to >= 0))
    s->host->give_up(s->host, "ranks share the interfaces of nodes");
  if (sending->gap > 0) gap_check(s, clock, sender, sending->gap);
  if (taken > 0) {
    sender_alone(s, own, sender, clock, taken);
    if (taken - bytes > s->after) s->after = taken - bytes;
  }
  sender->posted = clock;
  return taken;
}

/* Is there a receive that may have the message before it has come? Those from any source do not. */
static bool wanted_ahead(const struct rank *rank, const struct envelope *e) {
  for (const struct receive *r = queue_of(rank); r; r = queue_next(r))
    if ((uint32_t)r->source == e->source) return true;
  return false;
}

/* It goes to the receive that waits for just this, or has a place in its channel. */
void envelope_place(struct state *s, struct rank *rank, struct channel *c, struct envelope *e, double clock) {
  channel_stand(s, e->destination, rank, c);
  if (!has_receives(c)) {
    message_append(s, c, e);
    if (wanted_ahead(rank, e)) settle(s, rank, NULL, clock);
    return;
  }
  struct receive *r = channel_receive(s, c);
  channel_behead(s, c);
  e->matched = true;
  s->matched++;
  e->receive = r;
  r->envelope = e;
  meet(s, e, r->posted, r->on);
  receive_caused(s, e, r->moment);
}

void handshake_open(struct state *s, struct envelope *e) {
  struct handshake *h = e->handshake = pool_take(&s->memory, &s->handshakes, sizeof *h);
  h->envelope = e;
  h->taken = 0;
  h->reply = REPLY_UNKNOWN;
  h->helper = NONE;
  for (int k = 0; k < 3; k++) {
    h->waiter[k] = NONE;
    h->reached[k] = -1;
  }
}

/* Its sender and its receiver know of each other before its data go. */
static void handshake_new(struct state *s, const struct sending *sending, struct envelope *e, bool own) {
  handshake_open(s, e);
  struct handshake *h = e->handshake;
  h->taken = later_of(sending->gap, sending->bytes);
  h->own = own && !e->beside;
  h->from = sending->from < 0 ? e->source : (uint32_t)sending->from;
  h->to = sending->to < 0 ? e->destination : (uint32_t)sending->to;
}

enum psl_status mpi_post(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_check(call, "source", a[0].integer, false) || !rank_check(call, "destination", a[1].integer, false) ||
      !tag_check(call, a[2].integer, false) || !context_check(s, call, a[7].integer, a[0].integer, a[1].integer) ||
      !rank_check(call, "sending interface", a[11].integer, true) ||
      !rank_check(call, "receiving interface", a[12].integer, true))
    return PSL_FAILED;
  if (!(a[3].real >= 0 && a[3].real < INFINITY)) return psl_failed(call, "a message of %g bytes", a[3].real);
  enum psl_status status;
  struct sending sending = sending_of(a);
  struct rank *sender = rank_at(s, (uint32_t)a[0].integer);
  if (!acts_in(s, call, sender, a[7].integer, &status)) return status;
  bool handshake = a[4].integer, bounded = !handshake && a[9].real >= 0;
  if ((bounded || a[8].integer) && !call->ordered) return PSL_LATER;
  bool away = s->partition && goes_away(s, (uint32_t)a[1].integer);
  struct rank *rank = rank_at(s, (uint32_t)a[1].integer);
  s->bounded |= bounded;
  if (bounded) handshake = !buffers_fit(s, rank, a[9].real, a[3].real, call->clock);
  bool own = sending.own && acts_itself(call, sender);
  struct envelope *e = envelope_new(s, call, &sending, sender, (uint32_t)a[0].integer, (uint32_t)a[1].integer);
  e->beside = handshake && a[5].integer;
  e->references = e->beside ? 2 : 1;
  if (s->host->message) posted_note(s, call, e);
  if (a[8].integer && !receive_posted(s, rank, e, call->clock)) return not_ready(s, call, e);
  if (handshake) handshake_new(s, &sending, e, own);
  if (away) {
    double bytes = handshake ? 0 : sending.bytes;
    away_posted(s, e, call->clock, envelope_leave(s, call->clock, &sending, sender, own, bytes));
    call->result.integer = envelope_handle(e);
    return PSL_DONE;
  }
  envelope_send(s, call->clock, &sending, sender, rank, own, handshake ? 0 : sending.bytes);
  if (bounded && !handshake) buffers_take(rank, e);
  envelope_place(s, rank, envelope_channel(s, rank, e), e, call->clock);
  call->result.integer = envelope_handle(e);
  return PSL_DONE;
}

/* Is it known what the rank's only receive that waits gets? It is what comes at the time for which that has asked. */
static inline bool comes_behind(const struct rank *rank, double arrival) {
  const struct receive *r = queue_of(rank);
  return !queue_next(r) && r->source == ANY && r->due >= 0 && arrival > r->due;
}

/* A message arrives: true where a posted receive waits for this request, which the caller has to answer. */
bool message_arrives(struct state *s, struct psl_call *call, struct rank *rank, const struct channel *c,
                     struct envelope *e) {
  e->arrival = call->clock;
  stage_caused(s, e, STAGE_MESSAGE);
  some_look(s, e->destination, call->clock);
  e->queued = later_of(call->queued - e->queued, 0);
  if (!e->matched) {
    if (arrivals_of(rank) && channel_head(s, c) == e) arrivals_push(s, arrivals_of(rank), e);
    if (queue_of(rank) && !comes_behind(rank, e->arrival)) settle(s, rank, NULL, call->clock);
    if (!e->matched) return false;
  }
  struct receive *r = e->receive;
  if (e->buffered) buffers_release(s, e, later_of(call->clock, r ? r->posted : 0));
  if (!r) return false;
  bool answer = due_take(s, envelope_handle(e)) ||
                (e->handshake && r->kind == RECEIVE_POSTED && r->source != ANY && !e->answered);
  double posted = r->posted;
  if (answer) e->answered = true;
  receive_wake(s, r, NULL);
  if (answer) there_because(s, call->process, e, posted);
  if (answer) there_from(s, call, posted); /* the last word: who has waited goes on, too */
  return answer;
}

void stage_reached(struct state *s, struct envelope *e, enum stage stage, double clock) {
  struct handshake *h = e->handshake;
  h->reached[stage - 1] = clock;
  stage_caused(s, e, stage);
  some_look(s, stage == STAGE_DATA ? e->destination : e->source, clock);
  uint32_t waiter = h->waiter[stage - 1];
  if (waiter == NONE) return;
  double since = h->waiting_since[stage - 1];
  union psl_argument nothing = {.integer = 0};
  h->waiter[stage - 1] = NONE;
  waited_stage(s, waiter, e, stage, since, clock);
  if (stage == STAGE_ACKNOWLEDGEMENT) data_sent(s, e, later_of(since, clock));
  if (stage == STAGE_ACKNOWLEDGEMENT) away_sending(s, e);
  s->host->resume(s->host, waiter, since > clock ? since : clock, nothing);
}

enum psl_status mpi_deliver(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if ((handle & 15) == HANDLE_BESIDE && handle > 0) {
    if (messages_go(s)) s->host->give_up(s->host, "parts of what goes on beside the program cross the network");
    return beside_deliver(s, call);
  }
  struct envelope *e = envelope_of(s, handle);
  enum stage stage = handle & 3;
  if (!e || (stage != STAGE_MESSAGE && !e->handshake)) return failed_handle(call, "a message in flight", handle);
  struct handshake *h = stage == STAGE_MESSAGE ? NULL : e->handshake;
  if ((h ? h->reached[stage - 1] : e->arrival) >= 0)
    return psl_failed(call, "a message from rank %u to rank %u, tag %d, was delivered twice", e->source, e->destination,
                      e->tag);
  call->result.integer = 0;
  bool asks;
  if (s->partition && away_reached(s, e, stage, call->clock, call->queued, &asks)) {
    call->result.integer = asks;
    return PSL_DONE;
  }
  if (!h) {
    struct rank *rank = rank_at(s, e->destination);
    if (e->mirrors && !e->handshake) mirror_over(s, e, handle);
    call->result.integer = message_arrives(s, call, rank, envelope_channel(s, rank, e), e);
    return PSL_DONE;
  }
  stage_queued(e, h, stage, call->queued);
  stage_reached(s, e, stage, call->clock);
  return PSL_DONE;
}

/* Does the receive that waits in the channel end with the message, for which it has room? */
static inline bool is_handed(const struct state *s, const struct rank *rank, const struct channel *c, double size) {
  if (s->some_count > 0) return false;
  const struct receive *r = channel_receive(s, c);
  return ends_paired(rank, r) && !(r->room > 0 && size > r->room);
}

/* The message goes to a process that has waited for just this since `begin`, and needs no envelope. */
static inline __attribute__((always_inline)) void message_give(struct state *s, const struct psl_call *call,
                                                               const struct sending *sending, struct rank *sender,
                                                               uint32_t source, uint32_t receiver, struct rank *rank,
                                                               uint32_t process, double begin, double later) {
  bool collective = is_collective(sending->context);
  struct depends on = depends_now(s, sender, sending->context, call->clock);
  uint32_t number = message_count(s, call, sending, sender);
  double clock = later_of(later, begin);
  envelope_send(s, call->clock, sending, sender, rank, sending->own, sending->bytes);
  s->matched++;
  if (collective || clock > begin || late_of(rank) > 0)
    note_wait(s, process, receiver, sending->context, on, 0, later, begin, clock);
  if (!collective) status_set(s, receiver, sending->size, number, source, sending->tag);
  s->host->resume_pair(s->host, process, clock, (union psl_argument){.real = sending->size});
}

/* The same where it waits in a receive. */
static void message_hand(struct state *s, const struct psl_call *call, const struct sending *sending,
                         struct rank *sender, uint32_t source, uint32_t receiver, struct rank *rank, struct channel *c,
                         double later) {
  struct receive *r = channel_receive(s, c);
  uint32_t process = r->process;
  double begin = r->clock;
  channel_behead(s, c);
  pool_give(&s->receives, &r->item);
  message_give(s, call, sending, sender, source, receiver, rank, process, begin, later);
}

/* May somebody wait for a message in whose channel no receive does? */
static inline bool looks(const struct state *s, const struct rank *rank, const struct channel *c) {
  const struct rare *rare = rare_of(rank);
  return s->some_count > 0 || (rare && (rare->queue || (!c->holds && rare->arrivals)));
}

/* Does it only stand in its channel, which is empty, and among what has arrived? Who waits, if somebody does, gets what
 * comes before it. */
static inline bool stands_behind(const struct state *s, const struct rank *rank, const struct channel *c,
                                 double arrival) {
  const struct rare *rare = rare_of(rank);
  return s->some_count == 0 && !c->holds && rare->arrivals && (!rare->queue || comes_behind(rank, arrival));
}

/* Somebody waits for the message, or may do. */
static __attribute__((noinline)) void message_comes(struct state *s, struct psl_call *call, struct rank *rank,
                                                    struct channel *c, struct envelope *e, double later) {
  double clock = call->clock;
  e->arrival = -1;
  e->queued = call->queued;
  envelope_place(s, rank, c, e, clock);
  call->clock = later;
  message_arrives(s, call, rank, c, e);
  call->clock = clock;
}

void message_lands(struct state *s, struct psl_call *call, struct rank *rank, struct envelope *e, double later) {
  struct channel *c = envelope_channel(s, rank, e);
  channel_stand(s, e->destination, rank, c);
  if (has_receives(c) || looks(s, rank, c)) {
    message_comes(s, call, rank, c, e, later);
    return;
  }
  message_append(s, c, e);
  e->arrival = later;
  e->queued = 0;
}

/* A message without a handshake, not in ready mode, of whose buffers there are enough, and that the host does not look
 * at. */
static bool sending_prepare(void *state, const union psl_argument *a, void *prepared) {
  struct state *s = state;
  struct sending *sending = prepared;
  *sending = sending_of(a);
  sending->taken = later_of(sending->gap, sending->bytes);
  sending->after = sending->taken - sending->bytes;
  sending->busy = summand_of(sending->taken);
  sending->unit = left_out_unit(s, sending->busy);
  sending->length = sender_length(s, sending->taken);
  bool alone = s->all_counts && sending->from < 0 && sending->to < 0 && sending->taken > 0;
  sending->plain = alone && sending->communicator == 0;
  sending->inside = alone && sending->communicator == INSIDE_WORLD;
  return a[2].integer >= 0 && a[2].integer <= INT32_MAX && sending->size >= 0 && sending->size < INFINITY &&
         !a[4].integer && !a[8].integer && !(a[9].real >= 0) && a[11].integer < RANK_LIMIT &&
         a[12].integer < RANK_LIMIT && !s->host->message;
}

/* It is sent, and arrives at the clock `later`. */
static __attribute__((noinline)) enum psl_status post_rest(void *state, const void *prepared, struct psl_call *call,
                                                           union psl_number first, union psl_number second,
                                                           double later) {
  struct state *s = state;
  const struct sending *sending = prepared;
  uint32_t source = (uint32_t)first.integer, destination = (uint32_t)second.integer;
  if (((uint64_t)first.integer | (uint64_t)second.integer) >= RANK_LIMIT ||
      !(sending->world || members_check(s, call, sending->communicator, source, destination)))
    return PSL_LATER;
  struct rank *sender = rank_at(s, source), *rank = rank_at(s, destination);
  __builtin_prefetch(rank);
  if (!acts_already(call, sender, sending->context)) return PSL_LATER;
  if (s->partition && goes_away(s, destination)) {
    struct envelope *e = envelope_new(s, call, sending, sender, source, destination);
    away_sent(s, e, call->clock, later, envelope_leave(s, call->clock, sending, sender, sending->own, sending->bytes));
    pool_give(&s->envelopes, &e->item);
    call->result.integer = false;
    return PSL_DONE;
  }
  struct channel *c = channel_at(s, rank, origin_of(source, sending->context), sending->tag);
  call->result.integer = false;
  if (c->holds == HOLDS_PAIRED && s->some_count == 0) {
    rank->awaits = false;
    c->holds = 0;
    message_give(s, call, sending, sender, source, destination, rank, rank->stay.process, waits_since(s, rank), later);
    return PSL_DONE;
  }
  channel_stand(s, destination, rank, c);
  bool waits = has_receives(c);
  if (waits && is_handed(s, rank, c, sending->size)) {
    message_hand(s, call, sending, sender, source, destination, rank, c, later);
    return PSL_DONE;
  }
  struct envelope *e = envelope_new(s, call, sending, sender, source, destination);
  envelope_send(s, call->clock, sending, sender, rank, sending->own, sending->bytes);
  bool looked = waits || looks(s, rank, c);
  if (looked && (waits || !stands_behind(s, rank, c, later))) {
    message_comes(s, call, rank, c, e, later);
    return PSL_DONE;
  }
  message_append(s, c, e);
  e->arrival = later;
  e->queued = 0;
  if (looked) arrivals_push(s, rare_of(rank)->arrivals, e);
  return PSL_DONE;
}

/* May it be that a message to this rank crosses to another partition? */
static inline bool may_cross(const struct psl_partition *own, uint64_t rank) {
  return own && (rank >= own->rank_count || own->of_rank[rank] != own->number);
}

/* It passes its interfaces, its receiver's at the time of that bucket, which counts or not. */
static inline __attribute__((always_inline)) void message_out(struct state *s, const struct sending *sending,
                                                              struct rank *sender, bool counts, struct times *times,
                                                              float at, double clock) {
  double taken = sending->taken;
  times_add(times, at, left_out_time(s, clock + taken));
  if (counts)
    counted_add((struct counted *)(void *)times, 1);
  else
    ((struct bucket *)(void *)times)->busy += sending->busy;
  sender_add(s, sender, sending->length, taken);
  sender_take(&sender->sender, clock, clock + taken, taken);
  if (sending->after > s->after) s->after = sending->after;
  s->messages++;
  s->counted++;
  s->bytes += sending->size;
  sender->posted = clock;
}

/* The first free envelope, for the message that went out last and nobody waits for. */
static inline __attribute__((always_inline)) void envelope_fill(struct state *s, struct envelope *e,
                                                                const struct sending *sending, uint32_t source,
                                                                uint32_t destination, double arrival) {
  s->envelopes.free = e->item.next;
  e->item.generation++;
  e->size = sending->size;
  e->arrival = arrival;
  e->handshake = NULL;
  e->source = source;
  e->references = 1;
  e->beside = e->buffered = e->matched = e->answered = e->away = e->mirrors = false;
  e->tag = sending->tag;
  e->destination = destination;
  e->context = sending->context;
  e->receive = NULL;
  e->queued = 0;
  e->sequence = s->messages - 1;
}

typedef enum psl_status poster(void *, const void *, struct psl_call *, union psl_number, union psl_number, double);

static inline __attribute__((always_inline)) struct times *left_out_bucket(const struct state *s, bool counts,
                                                                           const struct half *half, float at,
                                                                           const struct sending *sending) {
  if (!counts) return half->used.unit ? NULL : left_out_near(s, half, at, sending->busy);
  struct counted *counted = left_out_counted(s, half, at, sending->unit);
  return counted ? &counted->times : NULL;
}

/* Where not only messages that take as long as this one come to its node. */
static poster post_wide, post_in_wide;

/* All that is not as it mostly is. */
static __attribute__((noinline)) enum psl_status post_whole(void *state, const void *prepared, struct psl_call *call,
                                                            union psl_number first, union psl_number second,
                                                            double later) {
  const struct state *s = state;
  const struct sending *sending = prepared;
  uint64_t destination = (uint64_t)second.integer;
  const struct rank *rank = destination < s->near_count ? &s->near_ranks[destination] : NULL;
  bool wide = rank && rank->receives.used.unit != sending->unit && !is_odd(rank);
  if (wide && sending->plain) return post_wide(state, prepared, call, first, second, later);
  if (wide && sending->inside) return post_in_wide(state, prepared, call, first, second, later);
  return post_rest(state, prepared, call, first, second, later);
}

/* What is mostly so in a collective operation: the receiver waits for just this message, or nobody does. `counts`:
 * where only messages that take as long come to its node, else all else. */
static inline __attribute__((always_inline)) enum psl_status post_in(bool counts, void *state, const void *prepared,
                                                                     struct psl_call *call, union psl_number first,
                                                                     union psl_number second, double later) {
  struct state *s = state;
  const struct sending *sending = prepared;
  poster *const otherwise = counts ? post_whole : post_rest;
  uint64_t source = (uint64_t)first.integer, destination = (uint64_t)second.integer;
  if (source >= s->near_count || destination >= s->near_count || s->some_count > 0 ||
      may_cross(s->partition, destination))
    return otherwise(state, prepared, call, first, second, later);
  struct rank *sender = &s->near_ranks[source], *rank = &s->near_ranks[destination];
  double clock = call->clock;
  struct rare *own = rare_of(sender), *rare = rare_of(rank);
  if (!own || !rare || is_odd(rank) || !acts_itself(call, sender) ||
      (sending->gap > 0 && clock - sender->posted < sending->gap))
    return otherwise(state, prepared, call, first, second, later);
  struct channel *c = channel_there(rank, origin_of((uint32_t)source, sending->context), sending->tag);
  struct envelope *e = (struct envelope *)s->envelopes.free;
  bool waits = c && c->holds == HOLDS_PAIRED;
  if (!c || (c->holds >= HOLDS_RECEIVES && !waits) || !e) return otherwise(state, prepared, call, first, second, later);
  float at = left_out_time(s, clock);
  struct times *times = left_out_bucket(s, counts, &rank->receives, at, sending);
  if (!times) return otherwise(state, prepared, call, first, second, later);
  message_out(s, sending, sender, counts, times, at, clock);
  call->result.integer = false;
  if (!waits) {
    envelope_fill(s, e, sending, (uint32_t)source, (uint32_t)destination, later);
    e->number = 0;
    e->on = own->on;
    message_append(s, c, e);
    return PSL_DONE;
  }
  uint32_t process = rank->stay.process;
  double since = waits_since(s, rank);
  rank->awaits = false;
  c->holds = 0;
  s->matched++;
  note_inside(s, process, &rare->on, &own->on, 0, later, since);
  s->host->resume_pair(s->host, process, later_of(later, since), (union psl_argument){.real = sending->size});
  return PSL_DONE;
}

static __attribute__((noinline)) enum psl_status post_in_wide(void *state, const void *prepared, struct psl_call *call,
                                                              union psl_number first, union psl_number second,
                                                              double later) {
  return post_in(false, state, prepared, call, first, second, later);
}

static __attribute__((noinline)) enum psl_status post_inside(void *state, const void *prepared, struct psl_call *call,
                                                             union psl_number first, union psl_number second,
                                                             double later) {
  return post_in(true, state, prepared, call, first, second, later);
}

/* What is mostly so: nobody waits for the message, which only takes its place in its channel. There is no call in it,
 * so that it needs no registers of its caller. */
static inline __attribute__((always_inline)) enum psl_status post_plain(bool counts, void *state, const void *prepared,
                                                                        struct psl_call *call, union psl_number first,
                                                                        union psl_number second, double later) {
  struct state *s = state;
  const struct sending *sending = prepared;
  poster *const otherwise = counts ? post_whole : post_rest;
  if (sending->inside) return post_inside(state, prepared, call, first, second, later);
  uint64_t source = (uint64_t)first.integer, destination = (uint64_t)second.integer;
  if (!sending->plain || source >= s->near_count || destination >= s->near_count || s->some_count > 0 ||
      may_cross(s->partition, destination))
    return otherwise(state, prepared, call, first, second, later);
  struct rank *sender = &s->near_ranks[source], *rank = &s->near_ranks[destination];
  double clock = call->clock;
  if (is_odd(rank) || !acts_already(call, sender, 0) || (sending->gap > 0 && clock - sender->posted < sending->gap))
    return otherwise(state, prepared, call, first, second, later);
  struct channel *c = channel_there(rank, origin_of((uint32_t)source, 0), sending->tag);
  struct envelope *e = (struct envelope *)s->envelopes.free;
  if (!c || c->holds >= HOLDS_RECEIVES || !e) return otherwise(state, prepared, call, first, second, later);
  float at = left_out_time(s, clock);
  struct times *times = left_out_bucket(s, counts, &rank->receives, at, sending);
  if (!times) return otherwise(state, prepared, call, first, second, later);
  message_out(s, sending, sender, counts, times, at, clock);
  envelope_fill(s, e, sending, (uint32_t)source, (uint32_t)destination, later);
  e->number = ++sender->sent;
  e->on = (struct depends){clock, 0};
  message_append(s, c, e);
  call->result.integer = false;
  return PSL_DONE;
}

static __attribute__((noinline)) enum psl_status post_wide(void *state, const void *prepared, struct psl_call *call,
                                                           union psl_number first, union psl_number second,
                                                           double later) {
  return post_plain(false, state, prepared, call, first, second, later);
}

static enum psl_status post_and_deliver(void *state, const void *prepared, struct psl_call *call,
                                        union psl_number first, union psl_number second, double later) {
  return post_plain(true, state, prepared, call, first, second, later);
}

const struct psl_call_pair mpi_post_pair = {.second = "deliver",
                                            .unless = "handshake",
                                            .prepare = sending_prepare,
                                            .size = sizeof(struct sending),
                                            .call = post_and_deliver};
