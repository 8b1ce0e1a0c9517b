/* Messages between ranks that are simulated in different partitions of a run (psl run --threads).
 *
 * A message whose receiver is elsewhere has an envelope at its sender, which is away, and one there, which mirrors it:
 * by the number of the first. It is told of each stage that the other side reaches. What a send takes of its own
 * interface is counted where it is sent, what it takes of its receiver's where that is. Who brings a request is at the
 * sender, and cannot know whether it has to be answered for a receive that has been posted: there a helper begins that
 * asks, waits to be told, and counts for nothing where it is not.
 *
 * So it is where a message is simulated where it is sent. In a network with a lookahead it goes itself to the partition
 * of its receiver, and so does each of its stages, by the handle of the envelope where the message is sent: what the
 * other side has to know of them comes before. The number of that envelope is given again when the message is over.
 * What has come to a rank is known in order there, and so is what receives from any source get. */
#include "evaluators/mpi_sim/state.h"
#include <string.h>

enum crossing_kind {
  MESSAGE,
  POSTED,
  REQUESTED,
  ANSWERED,
  UNANSWERED,
  ACKNOWLEDGED,
  SENT,
  BURDEN,
  OVER,    /* the message has been received that has a handshake, or has gone itself */
  MATCHED, /* of those that go: the request is answered, */
  SENDING  /* the data are sent */
};

struct crossing { /* from one partition to another */
  enum crossing_kind kind;
  int64_t handle; /* of the envelope at the sender of the message */
  uint32_t source, destination, context, message;
  int32_t tag;
  bool handshake, beside;
  double size, clock, arrival, queued, taken;
  struct depends on;
  double posted; /* ANSWERED, ACKNOWLEDGED: of the receive; `on` is its, too */
  uint64_t sequence;
};
_Static_assert(sizeof(struct crossing) <= PSL_PARTITION_ITEM, "an item of a partition");

static void pass(struct state *s, uint32_t rank, const struct crossing *crossing) {
  if (s->partition->of_rank[rank] == PSL_NO_PARTITION) return; /* the run is made anew */
  s->host->send(s->host, &mpi_sim_evaluator, s->partition->of_rank[rank], crossing, sizeof *crossing);
}

bool goes_nowhere(struct state *s) {
  s->host->give_up(s->host, "a rank is no instance that the system begins with");
  return true;
}

static struct crossing crossing_of(const struct envelope *e, enum crossing_kind kind, double clock) {
  return (struct crossing){.kind = kind,
                           .handle = envelope_handle(e),
                           .source = e->source,
                           .destination = e->destination,
                           .context = e->context,
                           .message = e->number,
                           .tag = e->tag,
                           .handshake = e->handshake,
                           .beside = e->beside,
                           .size = e->size,
                           .clock = clock,
                           .queued = e->queued,
                           .on = e->on,
                           .sequence = e->sequence};
}

/* ---- what is sent ---- */

void away_sent(struct state *s, const struct envelope *e, double clock, double arrival, double taken) {
  struct crossing crossing = crossing_of(e, MESSAGE, clock);
  crossing.arrival = arrival;
  crossing.taken = taken;
  pass(s, e->destination, &crossing);
}

void away_posted(struct state *s, struct envelope *e, double clock, double taken) {
  if (s->envelopes.count >> AWAY_BITS) s->host->give_up(s->host, "there are too many messages at one time");
  struct crossing crossing = crossing_of(e, POSTED, clock);
  crossing.taken = taken;
  e->away = true;
  pass(s, e->destination, &crossing);
}

void away_burden(struct state *s, const struct envelope *e, double clock, double taken) {
  struct crossing crossing = crossing_of(e, BURDEN, clock);
  crossing.taken = taken;
  pass(s, e->destination, &crossing);
}

bool away_reached(struct state *s, struct envelope *e, enum stage stage, double clock, double queued, bool *asks) {
  struct handshake *h = e->handshake;
  *asks = false;
  if (messages_go(s)) {
    if (e->away && (stage == STAGE_MESSAGE || stage == STAGE_DATA))
      s->host->give_up(s->host, "ranks of one node are in different partitions, or messages are in several networks");
    return false;
  }
  if (e->mirrors) { /* its sender is elsewhere, and awaits the acknowledgement */
    if (stage != STAGE_ACKNOWLEDGEMENT) return false;
    stage_queued(e, h, stage, queued);
    struct crossing crossing = crossing_of(e, ACKNOWLEDGED, clock);
    crossing.queued = h->queued[stage - 1];
    crossing.posted = h->posted;
    crossing.on = h->on;
    h->reached[stage - 1] = clock;
    pass(s, e->source, &crossing);
    return true;
  }
  if (!e->away || (stage != STAGE_MESSAGE && stage != STAGE_DATA)) return false;
  struct crossing crossing;
  if (stage == STAGE_MESSAGE) {
    e->arrival = clock;
    e->queued = later_of(queued - e->queued, 0);
    crossing = crossing_of(e, REQUESTED, clock);
    *asks = h;
    e->references += *asks; /* of the helper */
  } else {
    h->reached[stage - 1] = clock;
    stage_queued(e, h, stage, queued);
    crossing = crossing_of(e, SENT, clock);
    crossing.queued = h->queued[stage - 1];
  }
  pass(s, e->destination, &crossing);
  if (!h) envelope_release(s, e);
  return true;
}

/* ---- what goes, and so does what is to be known of it ---- */

void away_answered(struct state *s, const struct envelope *e, double queued) {
  if (!e->mirrors || !messages_go(s)) return;
  struct crossing crossing = crossing_of(e, MATCHED, queued);
  crossing.arrival = e->arrival;
  crossing.posted = e->handshake->posted;
  crossing.on = e->handshake->on;
  pass(s, e->source, &crossing);
}

static void message_matched(struct envelope *e, const struct crossing *c) {
  struct handshake *h = e->handshake;
  e->arrival = c->arrival;
  e->queued = c->queued;
  h->answering = c->clock;
  h->posted = c->posted;
  h->on = c->on;
}

void away_sending(struct state *s, const struct envelope *e) {
  if (!e->away || !messages_go(s)) return;
  struct crossing crossing = crossing_of(e, SENDING, e->handshake->sending);
  crossing.queued = e->handshake->queued[STAGE_ACKNOWLEDGEMENT - 1];
  pass(s, e->destination, &crossing);
}

void mirror_over(struct state *s, const struct envelope *e, int64_t handle) {
  struct crossing crossing = crossing_of(e, OVER, 0);
  crossing.handle = handle;
  pass(s, e->source, &crossing);
}

/* ---- what comes ---- */

static uint32_t place_in(int64_t handle) { return handle_number(handle) & ((1u << AWAY_BITS) - 1); }

static struct mirror *mirror_at(struct state *s, const struct crossing *c) {
  struct mirrors *mirrors = &s->mirrors[s->partition->of_rank[c->source]];
  uint32_t place = place_in(c->handle);
  if (place >= mirrors->count) {
    uint32_t count = mirrors->count ? mirrors->count : CHUNK;
    while (count <= place)
      count *= 2;
    struct mirror *grown = s->host->allocate(s->host, count * sizeof *grown);
    if (mirrors->count) memcpy(grown, mirrors->items, mirrors->count * sizeof *grown);
    *mirrors = (struct mirrors){grown, count};
  }
  return &mirrors->items[place];
}

struct envelope *mirror_of(const struct state *s, int64_t handle) {
  uint32_t from = handle_number(handle) >> AWAY_BITS, place = place_in(handle);
  if (handle <= 0 || from >= s->partition->count || place >= s->mirrors[from].count) return NULL;
  const struct mirror *mirror = &s->mirrors[from].items[place];
  return mirror->handle >> 4 == handle >> 4 ? mirror->envelope : NULL;
}

static struct envelope *own_of(struct state *s, const struct crossing *c) {
  return pool_at(&s->envelopes, handle_number(c->handle), sizeof(struct envelope));
}

static struct envelope *envelope_mirror(struct state *s, const struct crossing *c) {
  struct envelope *e = pool_take(&s->memory, &s->envelopes, sizeof *e);
  *e = (struct envelope){.item = e->item,
                         .size = c->size,
                         .arrival = -1,
                         .source = c->source,
                         .number = c->message,
                         .references = 1,
                         .beside = c->beside,
                         .tag = c->tag,
                         .destination = c->destination,
                         .context = c->context,
                         .on = c->on,
                         .queued = c->queued,
                         .sequence = c->sequence};
  return e;
}

static void message_posted(struct state *s, const struct crossing *c) {
  struct envelope *e = envelope_mirror(s, c);
  struct rank *rank = rank_at(s, c->destination);
  e->mirrors = true;
  if (!messages_go(s)) e->queued = 0;
  *mirror_at(s, c) = (struct mirror){e, c->handle};
  if (c->handshake) {
    handshake_open(s, e);
    e->handshake->peer = c->handle;
  }
  if (c->taken > 0) receiver_take(s, rank, c->clock, c->taken);
  envelope_place(s, rank, envelope_channel(s, rank, e), e, c->clock);
}

/* By a call that the sender's process has made. */
static struct psl_call call_of(struct state *s, const struct crossing *c) {
  return (struct psl_call){.host = s->host, .process = NONE, .clock = c->clock, .queued = c->queued};
}

static void message_reached(struct state *s, const struct crossing *c) {
  struct envelope *e = mirror_at(s, c)->envelope;
  struct rank *rank = rank_at(s, c->destination);
  struct psl_call call = call_of(s, c);
  bool answer = message_arrives(s, &call, rank, envelope_channel(s, rank, e), e);
  if (!c->handshake) return;
  struct crossing back = crossing_of(e, answer ? ANSWERED : UNANSWERED, c->clock);
  back.posted = e->handshake->posted;
  back.on = e->handshake->on;
  pass(s, e->source, &back);
}

void answer_begins(struct state *s) {
  if (s->partition && s->host->begin > 0)
    s->host->give_up(s->host, "what answers non-blocking receives begins before or behind the warm-up");
}

/* Whether its request is to be answered is known at the sender, where a helper may wait for that. */
static void answer_comes(struct state *s, struct envelope *e, const struct crossing *c) {
  struct handshake *h = e->handshake;
  h->reply = c->kind == ANSWERED ? REPLY_ANSWER : REPLY_NONE;
  if (c->kind == ANSWERED) {
    answer_begins(s);
    h->posted = c->posted;
    h->on = c->on;
  }
  if (h->helper == NONE) return;
  uint32_t helper = h->helper;
  union psl_argument result = {.integer = e->source};
  double clock = later_of(e->arrival, c->posted);
  if (h->reply == REPLY_NONE) {
    s->host->undo(s->host, helper);
    result.integer = NOBODY;
    clock = e->arrival;
  }
  h->helper = NONE;
  s->host->waited(s->host, helper, PSL_NOT_THERE, clock, 0);
  s->host->resume(s->host, helper, clock, result);
  envelope_release(s, e);
}

enum psl_status away_answer(struct state *s, struct psl_call *call, struct envelope *e) {
  struct handshake *h = e->handshake;
  h->answering = call->queued;
  call->result.integer = e->source;
  if (h->reply == REPLY_UNKNOWN) {
    h->helper = call->process;
    return PSL_BLOCKED;
  }
  if (h->reply == REPLY_ANSWER) {
    there_from(s, call, later_of(e->arrival, h->posted));
  } else {
    s->host->undo(s->host, call->process);
    call->result.integer = NOBODY;
  }
  envelope_release(s, e);
  return PSL_DONE;
}

static void come(void *state, const void *item, size_t size) {
  struct state *s = state;
  struct crossing c;
  memcpy(&c, item, size);
  struct envelope *e;
  struct psl_call call;
  switch (c.kind) {
  case MESSAGE:
    e = envelope_mirror(s, &c);
    call = call_of(s, &c);
    if (c.taken > 0) receiver_take(s, rank_at(s, c.destination), c.clock, c.taken);
    message_lands(s, &call, rank_at(s, c.destination), e, c.arrival);
    break;
  case POSTED: message_posted(s, &c); break;
  case REQUESTED: message_reached(s, &c); break;
  case ANSWERED:
  case UNANSWERED: answer_comes(s, own_of(s, &c), &c); break;
  case ACKNOWLEDGED:
    e = own_of(s, &c);
    e->handshake->posted = c.posted;
    e->handshake->on = c.on;
    e->handshake->queued[STAGE_ACKNOWLEDGEMENT - 1] = c.queued;
    stage_reached(s, e, STAGE_ACKNOWLEDGEMENT, c.clock);
    break;
  case SENT:
    e = mirror_at(s, &c)->envelope;
    e->handshake->queued[STAGE_DATA - 1] = c.queued;
    stage_reached(s, e, STAGE_DATA, c.clock);
    break;
  case BURDEN: receiver_take(s, rank_at(s, c.destination), c.clock, c.taken); break;
  case MATCHED: message_matched(own_of(s, &c), &c); break;
  case SENDING:
    e = mirror_at(s, &c)->envelope;
    e->handshake->sending = c.clock;
    e->handshake->queued[STAGE_ACKNOWLEDGEMENT - 1] = c.queued;
    break;
  case OVER: envelope_release(s, own_of(s, &c)); break;
  }
}

/* ---- when all has ended ---- */

struct offered {
  struct span span;
  double after;
  struct called world; /* its collective operations */
};

/* Have all ranks that are simulated here come to so many collective operations? */
static bool all_came(struct state *s, uint64_t count) {
  for (uint32_t rank = 0; count > 0 && rank < s->partition->rank_count; rank++)
    if (s->partition->of_rank[rank] == s->partition->number && collectives_of(rank_at(s, rank)) != count) return false;
  return true;
}

static size_t offer(void *state, void *out) {
  struct state *s = state;
  struct offered offered = {s->span, s->after, operations_called(&s->communicators)};
  struct leftovers left = s->left;
  leftovers_find(s, &left);
  for (int k = 0; k < LEFT_KINDS; k++)
    if (left.count[k]) s->host->give_up(s->host, "there are messages that nobody receives");
  if (s->communicators.differing.number) s->host->give_up(s->host, "ranks give different sizes");
  if (!all_came(s, offered.world.count))
    s->host->give_up(s->host, "a rank does not call a collective operation that others call");
  memcpy(out, &offered, sizeof offered);
  return sizeof offered;
}

static void agree(void *state, const void *item, size_t size) {
  struct state *s = state;
  struct offered theirs;
  memcpy(&theirs, item, size);
  struct called own = operations_called(&s->communicators);
  span_include(&s->span, &theirs.span);
  s->after = later_of(s->after, theirs.after);
  if (own.count != theirs.world.count || own.digest != theirs.world.digest)
    s->host->give_up(s->host, "ranks call different collective operations");
}

struct told {
  uint64_t messages, matched, counted;
  double bytes;
  bool bounded;
  struct interfaces interfaces;
};

static size_t tell(void *state, void *out) {
  struct state *s = state;
  struct told told;
  memset(&told, 0, sizeof told); /* with what lies between its members */
  told = (struct told){s->messages, s->matched, s->counted, s->bytes, s->bounded, interfaces_find(s)};
  memcpy(out, &told, sizeof told);
  return sizeof told;
}

static void join(void *state, const void *item, size_t size) {
  struct state *s = state;
  struct told told;
  memcpy(&told, item, size);
  s->messages += told.messages;
  s->matched += told.matched;
  s->counted += told.counted;
  s->bytes += told.bytes;
  s->bounded |= told.bounded;
  interfaces_join(&s->elsewhere, &told.interfaces);
}

/* Receives and probes from any source, and what may find something or not. */
static bool ordered(const struct psl_evaluator_function *function, const bool *known, const int64_t *arguments) {
  bool receives = function->call == mpi_receive || function->call == mpi_irecv || function->call == mpi_probe;
  return function->call == mpi_iprobe || (receives && known[1] && arguments[1] == ANY);
}

const struct psl_partitioned mpi_partitioned = {
    .ordered = ordered, .come = come, .offer = offer, .agree = agree, .tell = tell, .join = join};
