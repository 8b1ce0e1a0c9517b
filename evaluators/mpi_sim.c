/* MPI-Sim: which message goes to which receive, and who waits for whom.
 *
 * It owns the envelopes of messages in flight and the receives that wait. What a step costs is not
 * known here: stdlib/mpi.psl holds the overheads, asks the hardware domain for each transfer, and
 * calls these functions at the clocks that come of it. All functions are O(1) but for wildcards.
 *
 * A rank is one process at a time, with its helpers (acts): two programs that use the same ranks at one time would get
 * each other's messages.
 *
 * Matching. Messages and receives meet as MPI has it: a message goes to the first posted receive that would have it,
 * a receive takes the first message that it would have, and messages of one source do not overtake each other.
 * Messages of collective operations have a context of their own.
 *
 * A receive of a given source and tag takes that channel's messages in the order in which they were
 * posted: both orders are program orders, so the host may call in any order. A receive from any source
 * takes the message that arrived first in virtual time, ties to the lowest rank; it is decided at that time, when all
 * arrivals up to it are known (host->retry), by who waits in it: its caller, or for one that is posted an agent beside
 * the program. While one is undecided, what it would have is kept from the receives behind it.
 *
 * Invariants: a channel holds messages or receives, never both; no receive in the rank's queue before one in a channel
 * would have a message of that; the heap of a rank holds every message that has arrived and is the
 * first of its channel (and entries that are no longer true, which are dropped when met).
 *
 * Waits are divided (host->waited). A message knows when its sender came to it, and a handshake when the receive was
 * posted. In collective operations either is the time at which the last of those ranks came to the operation on which
 * the message, or the receive, depends: a rank hands on what it knows of that with each message. What a message has
 * queued is what its stages were later for it; a request that has queued, but waits for its receiver all the same, has
 * cost nobody that.
 *
 * Handles are an index, a generation and a few bits, so that a stale or invented one is an error. */
#include "evaluators/mpi_pool.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANY (-1)
#define RANK_LIMIT (1 << 28)
#define COLLECTIVE (1u << 31) /* of an origin: what collective operations are made of, not the program's own */
#define NO_RANK "there is no rank %" PRId64 "; the program has ranks 0 to %" PRId64
#define LINEAR 4 /* channels of a rank that are searched one by one; more are hashed */

/* The stages of a message that somebody may wait for. */
enum stage { STAGE_MESSAGE, STAGE_ACKNOWLEDGEMENT, STAGE_DATA, STAGE_SENT };

struct envelope {
  struct item item;
  uint32_t source, destination;
  int32_t tag;
  uint32_t receive;   /* the receive that it was matched with, while that lives */
  uint32_t handshake; /* index of its handshake; NONE: sent at once */
  uint8_t references; /* until this many have finished with it */
  bool matched, answered, collective;
  bool beside;       /* with a handshake: its sender goes on meanwhile */
  double size;       /* bytes */
  double partner;    /* s: when its sender came to it; a collective's: the last rank of those that it depends on */
  double queued;     /* s: until it has come psl_call.queued of when it was sent, then what it has queued */
  double arrival;    /* s; negative: not yet. With the handshake: of the request */
  uint64_t sequence; /* number among all messages of the run: orders those of one source */
};

struct handshake { /* what messages sent with one have beyond the envelope; by stage - 1 */
  struct item item;
  uint32_t waiter[3];
  uint32_t envelope;
  double reached[3], waiting_since[3];
  double queued[3]; /* by how much what has queued was late for the stage, s */
  double posted;    /* when the receive was */
  double partner;   /* the same; a collective's: the last rank of those that it depends on */
  double answering; /* psl_call.queued when the acknowledgement was sent, */
  double sending;   /* and the data */
  double waited;    /* what of its queueing its receiver has waited for with the request, s */
};

enum receive_kind { RECEIVE_BLOCKING, RECEIVE_POSTED, RECEIVE_PROBE };
struct receive {
  struct item item;
  uint32_t rank;
  int32_t source, tag; /* or ANY */
  uint32_t process;    /* waits in it; NONE: nobody */
  uint32_t agent;      /* waits beside the program for it to be matched; NONE: nobody */
  bool agent_due;      /* one will ask for it: it may be matched, and waited for, before the host comes to that */
  bool over;           /* nobody but that agent asks for it any more */
  int64_t claim;       /* the request that the agent then acknowledges, from `matched` on; 0: none */
  double matched;
  uint32_t envelope; /* matched with; NONE: none yet */
  enum receive_kind kind;
  bool collective;
  bool queued;         /* stands in its rank's queue */
  double posted;       /* clock at which it was made */
  double partner;      /* the same; a collective's: the last rank of those that it depends on */
  double clock;        /* of the process that waits, when it began to */
  double due;          /* retry asked for; negative: none */
  double queued_agent; /* psl_call.queued of its agent */
};

struct channel {
  uint32_t origin; /* source and context; NONE: an empty place */
  int32_t tag;
  uint32_t tail; /* of a circular list: the last; NONE: empty */
  bool receives; /* the list holds receives, else envelopes */
};

struct arrival {
  double time;
  uint32_t source, envelope;
  uint64_t sequence;
};
struct arrivals { /* heap by (time, source, sequence) */
  uint32_t count, capacity;
  struct arrival *heap;
};

struct rank {
  struct channel *channels;  /* up to LINEAR one after another, more as a hash table with open addressing */
  struct arrivals *arrivals; /* NULL until a receive from any source */
  uint32_t channel_count, channel_capacity;
  uint32_t queue, queue_last; /* receives in order; NONE: none */
  uint32_t collectives;       /* so many operations has it called */
  double posted;              /* clock of its last message with a gap */
  double came;                /* the last rank's coming to the collective operation that it is in, as far as it knows */
  struct psl_stay stay;       /* of who acts as this rank */
};

struct collective { /* the n-th collective operation, as the first rank that came to it called it */
  uint32_t operation, rank;
  int32_t root; /* -1: it has none */
  int64_t size; /* ranks of the program, as the rank has it */
};

struct posted {
  double clock;
  uint32_t owner;
};

struct state {
  struct psl_host *host;
  struct memory memory;
  struct pool envelopes, handshakes, receives;
  struct rank **pages;
  uint32_t page_count;
  struct channel *spare[32]; /* outgrown tables by the logarithm of their capacity, linked through their first bytes */
  uint64_t messages, matched;
  double bytes;
  uint32_t *waits_in; /* by process; made by waiters_find */
  uint32_t waiter_count;
  const char **operations; /* names of collective operations */
  struct collective *collectives;
  uint32_t operation_count, collective_count, collective_capacity;
  struct posted *posted; /* by envelope; where the host wants to know of messages */
  uint32_t posted_capacity;
};

/* ---- messages and receives ---- */

static inline struct envelope *envelope_at(const struct state *s, uint32_t index) {
  return pool_at(&s->envelopes, index, sizeof(struct envelope));
}
static inline struct handshake *handshake_at(const struct state *s, uint32_t index) {
  return pool_at(&s->handshakes, index, sizeof(struct handshake));
}
static inline struct receive *receive_at(const struct state *s, uint32_t index) {
  return pool_at(&s->receives, index, sizeof(struct receive));
}

static inline int64_t envelope_handle(const struct envelope *e, uint32_t index) {
  return handle_make(index, e->item.generation, e->handshake == NONE ? 0 : HANDLE_HANDSHAKE);
}

static enum psl_status failed_handle(struct psl_call *call, const char *what, int64_t handle) {
  snprintf(call->error, sizeof call->error, "%" PRId64 " is no handle of %s", handle, what);
  return PSL_FAILED;
}

static inline struct envelope *envelope_of(struct state *s, int64_t handle) {
  return !(handle & HANDLE_RECEIVE) && handle_valid(&s->envelopes, handle, sizeof(struct envelope))
             ? envelope_at(s, handle_index(handle))
             : NULL;
}

/* ---- ranks and channels ---- */

static struct rank *page_open(struct state *s, uint32_t number) {
  uint32_t page = number >> CHUNK_BITS;
  if (page >= s->page_count) {
    uint32_t count = s->page_count ? s->page_count : 16;
    while (count <= page)
      count *= 2;
    struct rank **pages = s->host->allocate(s->host, count * sizeof *pages);
    if (s->page_count) memcpy(pages, s->pages, s->page_count * sizeof *pages);
    s->pages = pages;
    s->page_count = count;
  }
  struct rank *ranks = s->pages[page] = s->host->allocate(s->host, CHUNK * sizeof *ranks);
  for (uint32_t k = 0; k < CHUNK; k++)
    ranks[k].queue = ranks[k].queue_last = NONE;
  return &ranks[number & (CHUNK - 1)];
}

static inline struct rank *rank_at(struct state *s, uint32_t number) {
  uint32_t page = number >> CHUNK_BITS;
  return page < s->page_count && s->pages[page] ? &s->pages[page][number & (CHUNK - 1)] : page_open(s, number);
}

static inline uint32_t channel_hash(uint32_t origin, int32_t tag) {
  uint32_t h = origin * 0x9e3779b1u + (uint32_t)tag * 0x85ebca77u;
  return h ^ h >> 15;
}

static struct channel *channel_table(struct state *s, uint32_t capacity) {
  uint32_t size = log2_of(capacity);
  struct channel *table = s->spare[size];
  if (table)
    memcpy(&s->spare[size], table, sizeof(void *));
  else
    table = cut(&s->memory, capacity * sizeof *table);
  for (uint32_t k = 0; k < capacity; k++)
    table[k] = (struct channel){NONE, 0, NONE, false};
  return table;
}

static struct channel *channel_place(struct rank *rank, uint32_t origin, int32_t tag) {
  uint32_t mask = rank->channel_capacity - 1, k = channel_hash(origin, tag) & mask;
  while (rank->channels[k].origin != NONE && (rank->channels[k].origin != origin || rank->channels[k].tag != tag))
    k = (k + 1) & mask;
  return &rank->channels[k];
}

static void channel_grow(struct state *s, struct rank *rank) {
  struct channel *old = rank->channels;
  uint32_t capacity = rank->channel_capacity;
  rank->channel_capacity = capacity == 0 ? LINEAR : capacity == LINEAR ? 4 * LINEAR : 2 * capacity;
  rank->channels = channel_table(s, rank->channel_capacity);
  for (uint32_t k = 0; k < capacity; k++)
    if (old[k].origin != NONE) *channel_place(rank, old[k].origin, old[k].tag) = old[k];
  if (old) {
    uint32_t size = log2_of(capacity);
    memcpy(old, &s->spare[size], sizeof(void *));
    s->spare[size] = old;
  }
}

/* Messages of collective operations are apart from all others, as in a communicator of their own. */
static inline uint32_t origin_of(uint32_t source, bool collective) { return collective ? source | COLLECTIVE : source; }

/* The channel of these messages, made where it is new. */
static inline struct channel *channel_at(struct state *s, struct rank *rank, uint32_t origin, int32_t tag) {
  if (rank->channel_capacity <= LINEAR) {
    for (uint32_t k = 0; k < rank->channel_count; k++)
      if (rank->channels[k].origin == origin && rank->channels[k].tag == tag) return &rank->channels[k];
    if (rank->channel_count == rank->channel_capacity) channel_grow(s, rank);
    if (rank->channel_capacity <= LINEAR) {
      struct channel *c = &rank->channels[rank->channel_count++];
      *c = (struct channel){origin, tag, NONE, false};
      return c;
    }
  }
  struct channel *c = channel_place(rank, origin, tag);
  if (c->origin != NONE) return c;
  if (4 * (rank->channel_count + 1) > 3 * rank->channel_capacity) {
    channel_grow(s, rank);
    c = channel_place(rank, origin, tag);
  }
  rank->channel_count++;
  *c = (struct channel){origin, tag, NONE, false};
  return c;
}

static inline void list_append(uint32_t *tail, struct item *last, struct item *item, uint32_t index) {
  if (*tail == NONE) {
    item->next = index;
  } else {
    item->next = last->next;
    last->next = index;
  }
  *tail = index;
}

/* ---- messages that have arrived, for receives from any source ---- */

static bool arrival_before(const struct arrival *a, const struct arrival *b) {
  if (a->time != b->time) return a->time < b->time;
  return a->source != b->source ? a->source < b->source : a->sequence < b->sequence;
}

static bool arrival_true(const struct state *s, const struct arrival *a) {
  const struct envelope *e = envelope_at(s, a->envelope);
  return e->sequence == a->sequence && (e->item.generation & 1) && !e->matched;
}

static void arrival_sink(struct arrivals *heap, uint32_t k) {
  struct arrival moved = heap->heap[k];
  for (uint32_t child; (child = 2 * k + 1) < heap->count; k = child) {
    if (child + 1 < heap->count && arrival_before(&heap->heap[child + 1], &heap->heap[child])) child++;
    if (!arrival_before(&heap->heap[child], &moved)) break;
    heap->heap[k] = heap->heap[child];
  }
  heap->heap[k] = moved;
}

/* Drops what is no longer true; at most one true entry a channel is left. */
static void arrivals_clean(const struct state *s, struct arrivals *heap) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < heap->count; k++)
    if (arrival_true(s, &heap->heap[k])) heap->heap[kept++] = heap->heap[k];
  heap->count = kept;
  for (uint32_t k = kept / 2; k-- > 0;)
    arrival_sink(heap, k);
}

static void arrivals_push(struct state *s, struct arrivals *heap, uint32_t index) {
  const struct envelope *e = envelope_at(s, index);
  if (heap->count == heap->capacity) arrivals_clean(s, heap);
  if (2 * heap->count >= heap->capacity) {
    uint32_t capacity = heap->capacity ? 2 * heap->capacity : 16;
    struct arrival *grown = cut(&s->memory, capacity * sizeof *grown);
    if (heap->count) memcpy(grown, heap->heap, heap->count * sizeof *grown);
    heap->heap = grown;
    heap->capacity = capacity;
  }
  struct arrival entry = {e->arrival, e->source, index, e->sequence};
  uint32_t k = heap->count++;
  for (; k > 0 && arrival_before(&entry, &heap->heap[(k - 1) / 2]); k = (k - 1) / 2)
    heap->heap[k] = heap->heap[(k - 1) / 2];
  heap->heap[k] = entry;
}

/* First message of a channel, or NONE. */
static inline uint32_t channel_head(const struct state *s, const struct channel *c) {
  return c->origin == NONE || c->tail == NONE || c->receives ? NONE : envelope_at(s, c->tail)->item.next;
}

static void arrivals_open(struct state *s, struct rank *rank) {
  if (rank->arrivals) return;
  rank->arrivals = cut(&s->memory, sizeof *rank->arrivals);
  for (uint32_t k = 0; k < rank->channel_capacity; k++) {
    uint32_t head = channel_head(s, &rank->channels[k]);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) arrivals_push(s, rank->arrivals, head);
  }
}

/* The channel that a message stands in. */
static struct channel *envelope_channel(struct state *s, struct rank *rank, const struct envelope *e) {
  return channel_at(s, rank, origin_of(e->source, e->collective), e->tag);
}

/* The first posted of the waiting messages of an origin with this tag (or any), arrived or not. */
static uint32_t oldest_from(struct state *s, struct rank *rank, uint32_t origin, int32_t tag) {
  if (tag != ANY) return channel_head(s, channel_at(s, rank, origin, tag));
  uint32_t oldest = NONE;
  for (uint32_t k = 0; k < rank->channel_capacity; k++) {
    uint32_t head = rank->channels[k].origin == origin ? channel_head(s, &rank->channels[k]) : NONE;
    if (head != NONE && (oldest == NONE || envelope_at(s, head)->sequence < envelope_at(s, oldest)->sequence))
      oldest = head;
  }
  return oldest;
}

/* ---- matching ---- */

/* Takes the first message, `index`, out of its channel. */
static void channel_pop(struct state *s, struct rank *rank, struct channel *c, uint32_t index) {
  struct envelope *tail = envelope_at(s, c->tail);
  if (c->tail == index) {
    c->tail = NONE;
    return;
  }
  uint32_t next = tail->item.next = envelope_at(s, index)->item.next;
  if (rank->arrivals && envelope_at(s, next)->arrival >= 0) arrivals_push(s, rank->arrivals, next);
}

static void take(struct state *s, struct rank *rank, struct channel *c, uint32_t index) {
  struct envelope *e = envelope_at(s, index);
  channel_pop(s, rank, c, index);
  e->matched = true;
  s->matched++;
}

/* A message has its receive, which was posted then. */
static inline void meet(const struct state *s, const struct envelope *e, double posted, double partner) {
  if (e->handshake == NONE) return;
  struct handshake *h = handshake_at(s, e->handshake);
  h->posted = posted;
  h->partner = partner;
}

static void take_for(struct state *s, struct rank *rank, struct channel *c, uint32_t head, struct receive *r,
                     uint32_t index) {
  struct envelope *e = envelope_at(s, head);
  take(s, rank, c, head);
  meet(s, e, r->posted, r->partner);
  e->receive = index;
  r->envelope = head;
}

/* ---- for what processes wait ---- */

static inline void waited(struct state *s, uint32_t process, const struct envelope *e, enum psl_partner partner,
                          double came, double queued) {
  s->host->waited(s->host, process, e->collective ? PSL_COLLECTIVE : partner, came, queued);
}

/* A rank's own process has waited for its message from `begin` on, and knows what the message does. */
static __attribute__((noinline)) void note_message(struct state *s, uint32_t process, uint32_t number,
                                                   const struct envelope *e, double begin, double end) {
  if (e->collective) {
    struct rank *rank = rank_at(s, number);
    rank->came = later_of(rank->came, e->partner);
  }
  if (!(end > begin)) return;
  waited(s, process, e, PSL_LATE_SENDER, e->partner, e->queued);
  if (e->handshake != NONE && e->matched && e->queued > 0) /* not in a probe, which the receive comes after */
    handshake_at(s, e->handshake)->waited = fmin(e->queued, end - fmin(later_of(e->partner, begin), end));
}

static inline void waited_message(struct state *s, uint32_t process, uint32_t number, const struct envelope *e,
                                  double begin, double end) {
  if (e->collective || end > begin) note_message(s, process, number, e, begin, end);
}

/* The same for a stage of the handshake; where it is the sender's own process, and not what works beside it, that knows
 * what the receiver does. */
static void waited_stage(struct state *s, uint32_t process, const struct envelope *e, enum stage stage, double begin,
                         double end) {
  const struct handshake *h = handshake_at(s, e->handshake);
  bool data = stage == STAGE_DATA;
  if (e->collective && !data && (stage == STAGE_SENT || !e->beside)) {
    struct rank *rank = rank_at(s, e->source);
    rank->came = later_of(rank->came, h->partner);
  }
  if (!(end > begin)) return;
  waited(s, process, e, data ? PSL_LATE_SENDER : PSL_LATE_RECEIVER, data ? e->partner : h->partner,
         h->queued[stage - 1] - (data ? h->waited : 0));
}

/* A stage is reached: what it is late for what has queued. */
static void stage_queued(const struct envelope *e, struct handshake *h, enum stage stage, double queued) {
  double before = stage == STAGE_ACKNOWLEDGEMENT ? fmin(e->queued, later_of(e->arrival - h->posted, 0)) : h->queued[0];
  double since = stage == STAGE_ACKNOWLEDGEMENT ? h->answering : stage == STAGE_DATA ? h->sending : queued;
  h->queued[stage - 1] = before + later_of(queued - since, 0);
}

static void receive_free(struct state *s, struct receive *r, uint32_t index) {
  if (r->envelope != NONE && r->kind != RECEIVE_PROBE) envelope_at(s, r->envelope)->receive = NONE;
  r->process = r->envelope = NONE;
  r->over = true;
  if (r->agent_due) return;
  pool_give(&s->receives, index, sizeof *r);
}

/* Until when all arrivals are known. */
static inline double known_to(const struct psl_call *call) { return call && call->ordered ? call->clock : -1; }

static bool receive_ready(const struct state *s, const struct receive *r) {
  return r->envelope != NONE && envelope_at(s, r->envelope)->arrival >= 0;
}

/* Wakes the process that waits in a receive whose message has come, if one does. `call` is the one in hand,
 * whose process sees for itself whether it is ready; when it is ordered, what it decides is decided at its clock. */
static void receive_wake(struct state *s, struct receive *r, uint32_t index, const struct psl_call *call) {
  if (r->process == NONE || (call && r->process == call->process)) return;
  const struct envelope *e = envelope_at(s, r->envelope);
  union psl_argument result = {.integer = envelope_handle(e, r->envelope)};
  double clock = later_of(later_of(e->arrival, r->clock), known_to(call));
  uint32_t process = r->process;
  waited_message(s, process, r->rank, e, r->clock, clock);
  receive_free(s, r, index);
  s->host->resume(s->host, process, clock, result);
}

/* The message of a posted receive, if it is a request that has come and that nobody has acknowledged; 0: it is not. */
static int64_t request_claim(const struct state *s, const struct receive *r) {
  struct envelope *e = envelope_at(s, r->envelope);
  if (e->handshake == NONE || e->arrival < 0 || e->answered) return 0;
  e->answered = true;
  return envelope_handle(e, r->envelope);
}

/* The agent of a receive goes on when that has its message, at `since` at the earliest: with the request that it has to
 * acknowledge, or 0. One that is still to ask will be told so then. */
static void agent_wake(struct state *s, struct receive *r, struct psl_call *call, double since) {
  if (r->agent == NONE && !r->agent_due) return;
  const struct envelope *e = envelope_at(s, r->envelope);
  union psl_argument result = {.integer = request_claim(s, r)};
  double clock = later_of(later_of(e->arrival, r->posted), since);
  if (r->agent_due) {
    r->claim = result.integer;
    r->matched = clock;
    return;
  }
  uint32_t agent = r->agent;
  r->agent = NONE;
  if (e->handshake != NONE) handshake_at(s, e->handshake)->answering = r->queued_agent;
  waited(s, agent, e, PSL_LATE_SENDER, e->partner, e->queued);
  if (call && agent == call->process) {
    call->result = result;
    call->clock = clock;
    call->memory = NULL;
  } else {
    s->host->resume(s->host, agent, clock, result);
  }
}

/* Would this receive have the message, if it came to it? */
static bool accepts(const struct receive *r, const struct envelope *e) {
  return r->collective == e->collective && (r->source == ANY || (uint32_t)r->source == e->source) &&
         (r->tag == ANY || r->tag == e->tag);
}

/* Are there messages that both receives would have? */
static bool overlaps(const struct receive *a, const struct receive *b) {
  return a->kind != RECEIVE_PROBE && a->collective == b->collective &&
         (a->source == ANY || b->source == ANY || a->source == b->source) &&
         (a->tag == ANY || b->tag == ANY || a->tag == b->tag);
}

/* Would the first receive have whatever the second would? */
static bool covers(const struct receive *a, const struct receive *b) {
  return a->kind != RECEIVE_PROBE && a->collective == b->collective && (a->source == ANY || a->source == b->source) &&
         (a->tag == ANY || a->tag == b->tag);
}

/* Is the message for one of the receives that stand before `index` in the queue and have none yet? */
static bool claimed(const struct state *s, const struct rank *rank, uint32_t index, const struct envelope *e) {
  for (uint32_t k = rank->queue; k != index && k != NONE; k = receive_at(s, k)->item.next) {
    const struct receive *before = receive_at(s, k);
    if (before->kind != RECEIVE_PROBE && accepts(before, e)) return true;
  }
  return false;
}

/* The message that a receive from any source, `index` in the queue, would take, as far as arrivals are known.
 * Messages of one source do not overtake each other. */
static uint32_t earliest(struct state *s, struct rank *rank, const struct receive *r, uint32_t index) {
  struct arrivals *heap = rank->arrivals;
  while (heap->count > 0 && !arrival_true(s, &heap->heap[0])) {
    heap->heap[0] = heap->heap[--heap->count];
    if (heap->count) arrival_sink(heap, 0);
  }
  const struct arrival *best = NULL;
  for (uint32_t k = 0; k < heap->count; k++) {
    const struct arrival *a = &heap->heap[k];
    if ((best && !arrival_before(a, best)) || !arrival_true(s, a)) continue;
    const struct envelope *e = envelope_at(s, a->envelope);
    if (!accepts(r, e) || claimed(s, rank, index, e)) continue;
    if (r->tag == ANY && oldest_from(s, rank, origin_of(e->source, e->collective), ANY) != a->envelope) continue;
    best = a;
    if (k == 0) break;
  }
  return best ? best->envelope : NONE;
}

/* The message that a receive, `index` in the queue, would take; NONE: there is none yet. */
static uint32_t candidate(struct state *s, struct rank *rank, const struct receive *r, uint32_t index) {
  for (uint32_t k = rank->queue; k != index && k != NONE; k = receive_at(s, k)->item.next)
    if (covers(receive_at(s, k), r)) return NONE;
  if (r->source == ANY) return earliest(s, rank, r, index);
  uint32_t oldest = oldest_from(s, rank, origin_of((uint32_t)r->source, r->collective), r->tag);
  return oldest == NONE || claimed(s, rank, index, envelope_at(s, oldest)) ? NONE : oldest;
}

/* Asks for an ordered call by somebody who waits in the receive, when its candidate has arrived and nothing can
 * come before that any more: a retry comes behind all else of its time. */
static void ask_retry(struct state *s, struct receive *r, double arrival) {
  uint32_t who = r->agent != NONE ? r->agent : r->process;
  double at = later_of(arrival, r->agent != NONE ? r->posted : r->clock);
  if (who == NONE || r->due == at) return;
  r->due = at;
  s->host->retry(s->host, who, at);
}

static void queue_remove(struct state *s, struct rank *rank, uint32_t previous, uint32_t index) {
  struct receive *r = receive_at(s, index);
  if (previous == NONE)
    rank->queue = r->item.next;
  else
    receive_at(s, previous)->item.next = r->item.next;
  if (rank->queue_last == index) rank->queue_last = previous;
  r->queued = false;
}

/* Serves the rank's queue at the clock `since` of the call in hand, which is `call` where its process may be served. */
static void settle(struct state *s, struct rank *rank, struct psl_call *call, double since) {
  uint32_t last = NONE;
  for (uint32_t k = rank->queue, next; k != NONE; k = next) {
    struct receive *r = receive_at(s, k);
    next = r->item.next;
    uint32_t index = candidate(s, rank, r, k);
    struct envelope *e = index == NONE ? NULL : envelope_at(s, index);
    bool later = e && r->source == ANY && e->arrival > known_to(call);
    if (later) ask_retry(s, r, e->arrival);
    if (!e || later || (r->kind == RECEIVE_PROBE && e->arrival < 0)) {
      last = k;
      continue;
    }
    queue_remove(s, rank, last, k);
    if (r->kind == RECEIVE_PROBE) {
      r->envelope = index;
    } else {
      take_for(s, rank, envelope_channel(s, rank, e), index, r, k);
      agent_wake(s, r, call, since);
    }
    if (e->arrival >= 0) receive_wake(s, r, k, call);
  }
}

/* Has a receive before it in the rank's queue a claim to messages of this one? */
static bool contended(const struct state *s, const struct rank *rank, const struct receive *r) {
  for (uint32_t k = rank->queue; k != NONE; k = receive_at(s, k)->item.next)
    if (overlaps(receive_at(s, k), r)) return true;
  return false;
}

static void queue_append(struct state *s, struct rank *rank, struct receive *r, uint32_t index) {
  r->queued = true;
  r->item.next = NONE;
  if (rank->queue == NONE)
    rank->queue = index;
  else
    receive_at(s, rank->queue_last)->item.next = index;
  rank->queue_last = index;
}

/* Finds a receive of one source its message, or a place in the channel. False: it has to stand in the queue, which
 * one that is for any tag does while there is no message. */
static bool seek_channel(struct state *s, struct rank *rank, struct receive *r, uint32_t index) {
  uint32_t origin = origin_of((uint32_t)r->source, r->collective);
  struct channel *c = r->tag == ANY ? NULL : channel_at(s, rank, origin, r->tag);
  uint32_t head = c ? channel_head(s, c) : oldest_from(s, rank, origin, ANY);
  if (head != NONE) {
    take_for(s, rank, c ? c : envelope_channel(s, rank, envelope_at(s, head)), head, r, index);
  } else if (c) {
    c->receives = true;
    list_append(&c->tail, c->tail == NONE ? NULL : &receive_at(s, c->tail)->item, &r->item, index);
  }
  return head != NONE || c;
}

/* Finds the new receive a message, or a place to wait for one. */
static void seek(struct state *s, struct rank *rank, struct receive *r, uint32_t index, struct psl_call *call) {
  bool one = r->source != ANY && r->kind != RECEIVE_PROBE && !contended(s, rank, r);
  if (one && seek_channel(s, rank, r, index)) return;
  if (r->source == ANY) arrivals_open(s, rank);
  queue_append(s, rank, r, index);
  settle(s, rank, call, call->clock);
}

/* ---- arguments ---- */

static inline bool rank_check(struct psl_call *call, const char *what, int64_t rank, bool any) {
  if ((rank >= 0 && rank < RANK_LIMIT) || (any && rank == ANY)) return true;
  snprintf(call->error, sizeof call->error, "the %s is rank %" PRId64 "; ranks are 0 to %d", what, rank,
           RANK_LIMIT - 1);
  return false;
}

static inline bool tag_check(struct psl_call *call, int64_t tag, bool any) {
  if ((tag >= 0 && tag <= INT32_MAX) || (any && tag == ANY)) return true;
  snprintf(call->error, sizeof call->error, "the tag is %" PRId64 "; tags are 0 to %d", tag, INT32_MAX);
  return false;
}

static inline bool receive_check(struct psl_call *call) {
  return rank_check(call, "receiver", call->arguments[0].integer, false) &&
         rank_check(call, "source", call->arguments[1].integer, true) &&
         tag_check(call, call->arguments[2].integer, true);
}

/* ---- who a rank is ---- */

/* A rank is the work of one process at a time, with those that it starts to work for it. False: not now, or never. */
static bool acts_as(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status) {
  int64_t number = call->arguments[0].integer;
  switch (s->host->stay(s->host, number, &rank->stay)) {
  case PSL_STAY_BEGUN:
  case PSL_STAY_HELPER: return true;
  case PSL_STAY_EARLY: *status = PSL_LATER; return false;
  case PSL_STAY_TAKEN: break;
  }
  snprintf(call->error, sizeof call->error,
           "rank %" PRId64 " is another process at this time, %.80s; programs that run beside each other need ranks of "
           "their own",
           number, s->host->name(s->host, rank->stay.instance));
  *status = PSL_FAILED;
  return false;
}

static inline bool acts(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status) {
  return (rank->stay.process == call->process && rank->stay.end == INFINITY) || acts_as(s, call, rank, status);
}

/* ---- the functions of the evaluator ---- */

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
  s->posted[index] = (struct posted){call->clock, s->host->owner(s->host, call->process)};
}

/* A network without a gap is right only for messages that follow each other slowly enough. */
static void gap_check(struct state *s, const struct psl_call *call, double gap) {
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  /* helpers post in any order; sums of times are rounded */
  if (rank->posted > 0 && fabs(call->clock - rank->posted) < gap * (1 - 1e-9)) {
    char text[160];
    snprintf(text, sizeof text,
             "messages of one process follow each other by less than the gap g (%g us), which this network "
             "leaves out",
             gap * 1e6);
    s->host->warn(s->host, text);
  }
  rank->posted = call->clock;
}

/* What a program's call names is no rank of it: stdlib/mpi.psl, which knows the program's size, has found out.
 */
static enum psl_status mpi_no_rank(void *state, struct psl_call *call) {
  (void)state;
  snprintf(call->error, sizeof call->error, NO_RANK, call->arguments[0].integer, call->arguments[1].integer - 1);
  return PSL_FAILED;
}

static uint32_t operation_intern(struct state *s, const char *name) {
  uint32_t k = 0;
  while (k < s->operation_count && strcmp(s->operations[k], name) != 0)
    k++;
  if (k < s->operation_count) return k;
  if (k % 16 == 0) {
    const char **grown = s->host->allocate(s->host, (k + 16) * sizeof *grown);
    if (k) memcpy(grown, s->operations, k * sizeof *grown);
    s->operations = grown;
  }
  char *copy = s->host->allocate(s->host, strlen(name) + 1);
  s->operations[s->operation_count++] = strcpy(copy, name);
  return k;
}

static struct collective *collective_new(struct state *s) {
  if (s->collective_count == s->collective_capacity) {
    uint32_t capacity = s->collective_capacity ? 2 * s->collective_capacity : CHUNK;
    struct collective *grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (s->collective_count) memcpy(grown, s->collectives, s->collective_count * sizeof *grown);
    s->collectives = grown;
    s->collective_capacity = capacity;
  }
  return &s->collectives[s->collective_count++];
}

static void collective_print(const struct state *s, const struct collective *c, char out[80]) {
  int length = snprintf(out, 80, "%.40s", s->operations[c->operation]);
  if (c->root >= 0) length += snprintf(out + length, 80 - (size_t)length, " with root %d", c->root);
  snprintf(out + length, 80 - (size_t)length, " in rank %u of %" PRId64, c->rank, c->size);
}

static enum psl_status mpi_collective(void *state, struct psl_call *call) {
  struct state *s = state;
  bool rooted = call->arguments[3].integer;
  int64_t size = call->arguments[1].integer, root = rooted ? call->arguments[4].integer : -1;
  if (!rank_check(call, "caller", call->arguments[0].integer, false)) return PSL_FAILED;
  if (rooted && (root < 0 || root >= size)) {
    snprintf(call->error, sizeof call->error, NO_RANK, root, size - 1);
    return PSL_FAILED;
  }
  if (call->arguments[0].integer >= size) {
    snprintf(call->error, sizeof call->error, "the caller is rank %" PRId64 " of a program whose size is %" PRId64,
             call->arguments[0].integer, size);
    return PSL_FAILED;
  }
  const char *name = call->arguments[2].string;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  uint32_t number = rank->collectives++;
  rank->came = call->clock;
  const struct collective *first = number < s->collective_count ? &s->collectives[number] : NULL;
  if (first && first->root == root && first->size == size && strcmp(s->operations[first->operation], name) == 0)
    return PSL_DONE;
  struct collective here = {operation_intern(s, name), (uint32_t)call->arguments[0].integer, (int32_t)root, size};
  if (!first) {
    *collective_new(s) = here;
    return PSL_DONE;
  }
  char mine[80], other[80];
  collective_print(s, &here, mine);
  collective_print(s, first, other);
  snprintf(call->error, sizeof call->error, "collective operation %u is %s, %s", number + 1, mine, other);
  return PSL_FAILED;
}

static enum psl_status mpi_post(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_check(call, "source", a[0].integer, false) || !rank_check(call, "destination", a[1].integer, false) ||
      !tag_check(call, a[2].integer, false))
    return PSL_FAILED;
  if (!(a[3].real >= 0 && a[3].real < INFINITY)) {
    snprintf(call->error, sizeof call->error, "a message of %g bytes", a[3].real);
    return PSL_FAILED;
  }
  enum psl_status status;
  struct rank *sender = rank_at(s, (uint32_t)a[0].integer);
  if (!acts(s, call, sender, &status)) return status;
  uint32_t index = pool_take(&s->memory, &s->envelopes, sizeof(struct envelope));
  struct envelope *e = envelope_at(s, index);
  e->source = (uint32_t)a[0].integer;
  e->destination = (uint32_t)a[1].integer;
  e->tag = (int32_t)a[2].integer;
  e->size = a[3].real;
  e->receive = e->handshake = NONE;
  e->references = a[5].integer ? 2 : 1;
  e->beside = a[5].integer;
  e->collective = a[7].integer;
  e->matched = e->answered = false;
  e->arrival = -1;
  e->partner = e->collective ? sender->came : call->clock;
  e->queued = call->queued;
  e->sequence = s->messages++;
  s->bytes += e->size;
  if (s->host->message) posted_note(s, call, index);
  if (a[4].integer) {
    e->handshake = pool_take(&s->memory, &s->handshakes, sizeof(struct handshake));
    struct handshake *h = handshake_at(s, e->handshake);
    h->envelope = index;
    h->waited = 0;
    for (int k = 0; k < 3; k++) {
      h->waiter[k] = NONE;
      h->reached[k] = -1;
    }
  }

  if (a[6].real > 0) gap_check(s, call, a[6].real);

  struct rank *rank = rank_at(s, e->destination);
  struct channel *c = envelope_channel(s, rank, e);
  if (c->tail != NONE && c->receives) { /* somebody waits for just this */
    struct receive *tail = receive_at(s, c->tail);
    uint32_t first = tail->item.next;
    struct receive *r = receive_at(s, first);
    if (first == c->tail)
      c->tail = NONE;
    else
      tail->item.next = r->item.next;
    e->matched = true;
    s->matched++;
    e->receive = first;
    r->envelope = index;
    meet(s, e, r->posted, r->partner);
  } else {
    c->receives = false;
    list_append(&c->tail, c->tail == NONE ? NULL : &envelope_at(s, c->tail)->item, &e->item, index);
    if (rank->queue != NONE) settle(s, rank, NULL, call->clock);
  }
  call->result.integer = envelope_handle(e, index);
  return PSL_DONE;
}

/* A message arrives: true where a posted receive waits for this request, which the caller has to answer. */
static bool message_arrives(struct state *s, struct psl_call *call, struct envelope *e, uint32_t index) {
  e->arrival = call->clock;
  e->queued = later_of(call->queued - e->queued, 0);
  if (!e->matched) {
    struct rank *rank = rank_at(s, e->destination);
    if (rank->arrivals && channel_head(s, envelope_channel(s, rank, e)) == index)
      arrivals_push(s, rank->arrivals, index);
    if (rank->queue != NONE) settle(s, rank, NULL, call->clock);
    if (!e->matched) return false;
  }
  if (e->receive == NONE) return false;
  struct receive *r = receive_at(s, e->receive);
  bool answer = e->handshake != NONE && r->kind == RECEIVE_POSTED && !e->answered;
  if (answer) {
    e->answered = true;
    call->clock = r->posted > call->clock ? r->posted : call->clock;
  }
  receive_wake(s, r, e->receive, NULL);
  return answer;
}

static enum psl_status mpi_deliver(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
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
  stage_queued(e, h, stage, call->queued);
  uint32_t waiter = h->waiter[stage - 1];
  if (waiter != NONE) {
    double since = h->waiting_since[stage - 1];
    union psl_argument nothing = {.integer = 0};
    h->waiter[stage - 1] = NONE;
    waited_stage(s, waiter, e, stage, since, call->clock);
    s->host->resume(s->host, waiter, since > call->clock ? since : call->clock, nothing);
  }
  return PSL_DONE;
}

static struct receive *receive_new(struct state *s, struct psl_call *call, enum receive_kind kind, uint32_t *index) {
  *index = pool_take(&s->memory, &s->receives, sizeof(struct receive));
  struct receive *r = receive_at(s, *index);
  r->rank = (uint32_t)call->arguments[0].integer;
  r->source = (int32_t)call->arguments[1].integer;
  r->tag = (int32_t)call->arguments[2].integer;
  r->collective = call->arguments[3].integer;
  r->process = kind == RECEIVE_POSTED ? NONE : call->process;
  r->agent = NONE;
  r->agent_due = r->over = false;
  r->claim = 0;
  r->envelope = NONE;
  r->kind = kind;
  r->queued = false;
  r->posted = r->clock = call->clock;
  r->partner = r->collective ? rank_at(s, r->rank)->came : call->clock;
  r->due = -1;
  return r;
}

static uint32_t receive_index(const struct state *s, const struct receive *r) {
  for (uint32_t chunk = 0; chunk < s->receives.chunk_count; chunk++) {
    const struct receive *first = (const struct receive *)(const void *)s->receives.chunks[chunk];
    if (r >= first && r < first + CHUNK) return (chunk << CHUNK_BITS) + (uint32_t)(r - first);
  }
  return NONE;
}

/* Answers the caller out of its receive, which is done with if its message has come. */
static enum psl_status receive_answer(struct state *s, struct psl_call *call, struct receive *r, uint32_t index) {
  if (!receive_ready(s, r)) {
    call->memory = r;
    return PSL_BLOCKED;
  }
  const struct envelope *e = envelope_at(s, r->envelope);
  double end = later_of(e->arrival, call->clock);
  waited_message(s, call->process, r->rank, e, call->clock, end);
  call->clock = end;
  call->result.integer = envelope_handle(e, r->envelope);
  receive_free(s, r, index);
  return PSL_DONE;
}

/* A call that is made again because a receive from any source can be decided. */
static enum psl_status receive_again(struct state *s, struct psl_call *call) {
  struct receive *r = call->memory;
  if (r->queued && !call->ordered) return PSL_LATER;
  r->due = -1;
  if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
  return receive_answer(s, call, r, receive_index(s, r));
}

static enum psl_status mpi_receive(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  int64_t source = call->arguments[1].integer, tag = call->arguments[2].integer;
  if (rank->queue == NONE && source != ANY && tag != ANY) { /* the common case: it has come already */
    struct channel *c = channel_at(s, rank, origin_of((uint32_t)source, call->arguments[3].integer), (int32_t)tag);
    uint32_t head = channel_head(s, c);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) {
      struct envelope *e = envelope_at(s, head);
      double begin = call->clock;
      take(s, rank, c, head);
      meet(s, e, begin, e->collective ? rank->came : begin);
      call->clock = later_of(e->arrival, begin);
      waited_message(s, call->process, (uint32_t)call->arguments[0].integer, e, begin, call->clock);
      call->result.integer = envelope_handle(e, head);
      return PSL_DONE;
    }
  }
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_BLOCKING, &index);
  seek(s, rank, r, index, call);
  return receive_answer(s, call, r, index);
}

static enum psl_status mpi_probe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_PROBE, &index);
  seek(s, rank, r, index, call);
  return receive_answer(s, call, r, index);
}

static enum psl_status mpi_iprobe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(call)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  struct receive probe = {.kind = RECEIVE_PROBE,
                          .source = (int32_t)call->arguments[1].integer,
                          .tag = (int32_t)call->arguments[2].integer,
                          .collective = call->arguments[3].integer};
  if (probe.source == ANY) arrivals_open(s, rank);
  settle(s, rank, call, call->clock);
  uint32_t index = candidate(s, rank, &probe, NONE);
  double arrival = index == NONE ? -1 : envelope_at(s, index)->arrival;
  call->result.integer = arrival >= 0 && arrival <= call->clock;
  return PSL_DONE;
}

static enum psl_status mpi_irecv(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_POSTED, &index);
  seek(s, rank, r, index, call);
  call->result.integer = handle_make(index, r->item.generation, HANDLE_RECEIVE);
  return PSL_DONE;
}

/* The receive of a handle, or NULL. */
static struct receive *receive_of(struct state *s, int64_t handle) {
  bool valid = (handle & HANDLE_RECEIVE) && handle_valid(&s->receives, handle, sizeof(struct receive));
  struct receive *r = valid ? receive_at(s, handle_index(handle)) : NULL;
  return r && (!r->over || r->agent_due) ? r : NULL;
}

static void envelope_release(struct state *s, struct envelope *e, uint32_t index) {
  if (--e->references > 0) return;
  if (e->handshake != NONE) pool_give(&s->handshakes, e->handshake, sizeof(struct handshake));
  pool_give(&s->envelopes, index, sizeof *e);
}

static enum psl_status mpi_await(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  struct envelope *e = envelope_of(s, handle);
  enum stage stage = handle & 3;
  call->result.integer = 0;
  if (!e || (stage != STAGE_MESSAGE && e->handshake == NONE) || (stage == STAGE_MESSAGE && e->arrival < 0))
    return failed_handle(call, "a stage of a message that can be awaited", handle);
  struct handshake *h = stage == STAGE_MESSAGE ? NULL : handshake_at(s, e->handshake);
  double reached = h ? h->reached[stage - 1] : e->arrival;
  if (stage == STAGE_ACKNOWLEDGEMENT) h->sending = call->queued; /* the caller sends the data then */
  if (reached < 0) {
    h->waiter[stage - 1] = call->process;
    h->waiting_since[stage - 1] = call->clock;
    return PSL_BLOCKED;
  }
  double end = later_of(reached, call->clock);
  if (h) waited_stage(s, call->process, e, stage, call->clock, end);
  call->clock = end;
  return PSL_DONE;
}

static enum psl_status mpi_wait(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  if (call->memory) return receive_again(s, call);
  if (request == 0) {
    call->result.integer = 0;
    return PSL_DONE;
  }
  if (!(request & HANDLE_RECEIVE)) return mpi_await(state, call);
  struct receive *r = receive_of(s, request);
  if (!r || r->over) return failed_handle(call, "a request that is still to be waited for", request);
  if (r->process != NONE) {
    snprintf(call->error, sizeof call->error, "two processes wait for one request, a receive of rank %u", r->rank);
    return PSL_FAILED;
  }
  r->process = call->process;
  r->clock = call->clock;
  if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
  return receive_answer(s, call, r, handle_index(request));
}

static enum psl_status mpi_test(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  call->result.integer = 1;
  if (request == 0) return PSL_DONE;
  if (!call->ordered) return PSL_LATER;
  double reached;
  if (request & HANDLE_RECEIVE) {
    struct receive *r = receive_of(s, request);
    if (!r || r->over) return failed_handle(call, "a request that is still to be waited for", request);
    if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
    const struct envelope *e = r->envelope == NONE ? NULL : envelope_at(s, r->envelope);
    reached = !e ? -1 : e->handshake == NONE ? e->arrival : handshake_at(s, e->handshake)->reached[STAGE_DATA - 1];
  } else {
    struct envelope *e = envelope_of(s, request);
    if (!e || e->handshake == NONE || (request & 3) == STAGE_MESSAGE)
      return failed_handle(call, "a request that is still to be waited for", request);
    reached = handshake_at(s, e->handshake)->reached[(request & 3) - 1];
  }
  call->result.integer = reached >= 0 && reached <= call->clock;
  return PSL_DONE;
}

static enum psl_status mpi_unanswered(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  struct receive *r = receive_of(s, handle);
  struct envelope *e = r ? NULL : envelope_of(s, handle);
  if ((!r || r->over) && !e) return failed_handle(call, "a receive or a message", handle);
  call->result.integer = 0;
  if (r) {
    r->agent_due = r->queued;
    call->result.integer = r->queued ? handle : r->envelope == NONE ? 0 : request_claim(s, r);
  } else if (e->handshake != NONE && e->matched && e->arrival >= 0 && !e->answered) {
    e->answered = true;
    handshake_at(s, e->handshake)->answering = call->queued;
    call->result.integer = handle;
  }
  return PSL_DONE;
}

static enum psl_status mpi_claim(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if (!(handle & HANDLE_RECEIVE)) {
    struct envelope *e = envelope_of(s, handle);
    if (!e || e->arrival < 0) return failed_handle(call, "a message that has come", handle);
    if (e->handshake != NONE) handshake_at(s, e->handshake)->answering = call->queued;
    if (e->arrival > call->clock) waited(s, call->process, e, PSL_LATE_SENDER, e->partner, e->queued);
    call->clock = later_of(e->arrival, call->clock);
    call->result.integer = handle;
    return PSL_DONE;
  }
  struct receive *r = call->memory ? call->memory : receive_of(s, handle);
  call->result.integer = 0;
  if (!r || (!r->queued && !r->agent_due)) return PSL_DONE;
  r->agent_due = false;
  r->queued_agent = call->queued;
  if (!r->queued) { /* it was matched meanwhile */
    struct envelope *e = envelope_of(s, r->claim);
    if (e) {
      handshake_at(s, e->handshake)->answering = call->queued;
      if (r->matched > call->clock) waited(s, call->process, e, PSL_LATE_SENDER, e->partner, e->queued);
    }
    call->result.integer = r->claim;
    call->clock = later_of(r->matched, call->clock);
    if (r->over) receive_free(s, r, handle_index(handle));
    return PSL_DONE;
  }
  call->memory = r;
  r->agent = call->process;
  r->due = -1;
  settle(s, rank_at(s, r->rank), call, call->clock);
  return call->memory ? PSL_BLOCKED : PSL_DONE;
}

static enum psl_status mpi_finish(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  struct envelope *e = envelope_of(s, handle);
  if (!e || ((handle & 3) == STAGE_MESSAGE && (!e->matched || e->arrival < 0)))
    return failed_handle(call, "a message that has been received", handle);
  call->result.real = e->size;
  if (s->host->message && (handle & 3) == STAGE_MESSAGE) {
    const struct posted *posted = &s->posted[handle_index(handle)];
    s->host->message(s->host, posted->owner, s->host->owner(s->host, call->process), posted->clock, call->clock,
                     e->size);
  }
  envelope_release(s, e, handle_index(handle));
  return PSL_DONE;
}

static enum psl_status mpi_source(void *state, struct psl_call *call) {
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.integer = e->source;
  return PSL_DONE;
}

static enum psl_status mpi_destination(void *state, struct psl_call *call) {
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.integer = e->destination;
  return PSL_DONE;
}

static enum psl_status mpi_tag(void *state, struct psl_call *call) {
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.integer = e->tag;
  return PSL_DONE;
}

static enum psl_status mpi_size(void *state, struct psl_call *call) {
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.real = e->size;
  return PSL_DONE;
}

static bool stage_of(const union psl_argument *arguments, union psl_argument *result, enum stage stage) {
  result->integer = (arguments[0].integer & ~(int64_t)3) | (int64_t)stage;
  return true;
}

static bool mpi_acknowledgement(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_ACKNOWLEDGEMENT);
}

static bool mpi_data(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_DATA);
}

static bool mpi_sent(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_SENT);
}

static bool mpi_handshake(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = (arguments[0].integer & HANDLE_HANDSHAKE) != 0 && (arguments[0].integer & 3) == STAGE_MESSAGE;
  return true;
}

/* ---- the run ---- */

static void *mpi_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = s->memory.host = host;
  s->envelopes.free = s->handshakes.free = s->receives.free = NONE;
  return s;
}

static size_t mpi_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  struct psl_statistic all[] = {
      {.name = PSL_MESSAGES, .unit = "", .value = (double)s->messages, .whole = true},
      {.name = PSL_BYTES, .unit = "byte", .value = s->bytes, .whole = false},
      {.name = "messages not received", .unit = "", .value = (double)(s->messages - s->matched), .whole = true},
  };
  size_t count = s->messages > s->matched ? 3 : 2;
  for (size_t k = 0; k < count && k < capacity; k++)
    out[k] = all[k];
  return count < capacity ? count : capacity;
}

static void explain_receive(const struct state *s, const struct receive *r, char *out, size_t size, int *rank) {
  char source[24] = "any rank", tag[40] = ", any tag";
  const struct envelope *e = r->envelope == NONE ? NULL : envelope_at(s, r->envelope);
  int from = e ? (int)e->source : r->source;
  if (from != ANY) snprintf(source, sizeof source, "rank %d", from);
  *rank = from;
  if (r->tag != ANY) snprintf(tag, sizeof tag, ", tag %d", r->tag);
  snprintf(out, size, "for a message from %s%s", source, r->collective ? " of a collective operation" : tag);
}

static void explain_handshake(const struct state *s, const struct handshake *h, uint32_t process, char *out,
                              size_t size, int *rank) {
  const struct envelope *e = envelope_at(s, h->envelope);
  bool data = h->waiter[STAGE_DATA - 1] == process;
  *rank = (int)(data ? e->source : e->destination);
  char tag[40];
  snprintf(tag, sizeof tag, ", tag %d", e->tag);
  const char *which = e->collective ? " of a collective operation" : tag;
  if (data)
    snprintf(out, size, "for the data of a message from rank %u%s", e->source, which);
  else
    snprintf(out, size, "for rank %u to receive a message of %.0f bytes%s", e->destination, e->size, which);
}

/* Notes or counts who waits in a receive (below receives.count) or a handshake (from there on). */
static uint32_t waiters_note(const struct state *s, uint32_t place, uint32_t *waits_in) {
  uint32_t who[3] = {NONE, NONE, NONE}, most = 0;
  if (place < s->receives.count) {
    const struct receive *r = receive_at(s, place);
    if (!(r->item.generation & 1)) return 0;
    who[0] = r->process;
    who[1] = r->agent;
  } else {
    const struct handshake *h = handshake_at(s, place - s->receives.count);
    if (!(h->item.generation & 1)) return 0;
    memcpy(who, h->waiter, sizeof who);
  }
  for (int i = 0; i < 3; i++) {
    if (who[i] == NONE) continue;
    most = who[i] > most ? who[i] : most;
    if (waits_in) waits_in[who[i]] = place + 1;
  }
  return most;
}

/* Reports ask for one process after another: who waits where is looked through once, when the run is over. */
static void waiters_find(struct state *s) {
  uint32_t most = 0, places = s->receives.count + s->handshakes.count;
  for (uint32_t k = 0; k < places; k++) {
    uint32_t here = waiters_note(s, k, NULL);
    most = here > most ? here : most;
  }
  s->waits_in = s->host->allocate(s->host, (most + 1) * sizeof *s->waits_in);
  for (uint32_t k = 0; k < places; k++)
    waiters_note(s, k, s->waits_in);
  s->waiter_count = most + 1;
}

static void mpi_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  int rank = ANY;
  if (!s->waits_in) waiters_find(s);
  uint32_t place = process < s->waiter_count ? s->waits_in[process] : 0;
  if (place == 0) {
    snprintf(out, size, "for nothing that MPI-Sim knows");
    return;
  }
  bool receive = place - 1 < s->receives.count;
  if (receive && receive_at(s, place - 1)->agent == process)
    *out = '\0'; /* no program waits in it: it may never be matched */
  else if (receive)
    explain_receive(s, receive_at(s, place - 1), out, size, &rank);
  else
    explain_handshake(s, handshake_at(s, place - 1 - s->receives.count), process, out, size, &rank);
  if (rank == ANY) return;
  const struct psl_stay *stay = &rank_at(s, (uint32_t)rank)->stay;
  if (stay->end == INFINITY) *other = stay->process;
}

#define MATCH "(rank : int, source : int = -1, tag : int = -1, collective : bool = false) -> "

static const struct psl_evaluator_function functions[] = {
    {.name = "post",
     .signature = "(source : int, destination : int, tag : int, size : data, handshake : bool = false,"
                  " waited : bool = false, gap : time = 0 s, collective : bool = false) -> int",
     .kind = PSL_CALL,
     .call = mpi_post,
     .doc = "A message enters the order of its source, destination, tag and context: what is `collective` is matched "
            "apart from the program's own. With a handshake it stands for the request, whose acknowledgement, data "
            "and end are stages of their own; `waited`: its sender will wait for `sent`, too. The handle of the "
            "message. Its sender comes to it at the caller's clock, before its overhead. Error: a rank or tag out of "
            "range."},
    {.name = "no-rank",
     .signature = "(rank : int, size : int)",
     .kind = PSL_EVENT,
     .call = mpi_no_rank,
     .doc = "Fails: a program of `size` ranks has no such rank."},
    {.name = "collective",
     .signature = "(rank : int, size : int, operation : string, rooted : bool = false, root : int = 0)",
     .kind = PSL_CALL,
     .call = mpi_collective,
     .doc =
         "A rank comes to its next collective operation. Error: the root or the caller is no rank of a program of this "
         "size, or another rank's operation of this number is another one, or has another root or size."},
    {.name = "deliver",
     .signature = "(message : int) -> bool",
     .kind = PSL_EVENT,
     .call = mpi_deliver,
     .doc = "This stage of the message is reached at the caller's clock; whoever waits for it goes on. True "
            "where a "
            "non-blocking receive was posted for a request: the caller answers it, at the clock that it gets."},
    {.name = "receive",
     .signature = MATCH "int",
     .kind = PSL_CALL,
     .call = mpi_receive,
     .doc = "Waits for the next message of that source and tag, -1 for any: its handle, at the later of the "
            "call and the "
            "arrival. From any source: the first to arrive, ties to the lowest rank."},
    {.name = "irecv",
     .signature = MATCH "int",
     .kind = PSL_CALL,
     .call = mpi_irecv,
     .doc = "Posts a receive and goes on: a request for `wait`, `test` and `unanswered`."},
    {.name = "probe",
     .signature = MATCH "int",
     .kind = PSL_CALL,
     .call = mpi_probe,
     .doc = "Waits as `receive` does and leaves the message where it is: its handle, for `source`, `tag` and "
            "`size`."},
    {.name = "iprobe",
     .signature = MATCH "bool",
     .kind = PSL_CALL,
     .call = mpi_iprobe,
     .doc = "Has such a message arrived by the caller's clock?"},
    {.name = "wait",
     .signature = "(request : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_wait,
     .doc = "Waits till a request of `irecv` has its message (with a handshake: the request of it), whose "
            "handle it gives; "
            "or for a stage of a message: 0. A request of 0 is done already."},
    {.name = "test",
     .signature = "(request : int) -> bool",
     .kind = PSL_CALL,
     .call = mpi_test,
     .doc = "Is the request done by the caller's clock, so that `wait` would not wait?"},
    {.name = "unanswered",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_unanswered,
     .doc = "The message of this receive (or this message), if it came with a handshake that nobody has "
            "acknowledged: the caller then has to. Of a receive whose message depends on what arrives first: the "
            "request itself, for `claim` beside the program. Else 0."},
    {.name = "claim",
     .signature = "(request : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_claim,
     .doc = "Waits beside the program till a receive has its message, by virtual time, and gives it if the caller has "
            "to acknowledge it, else 0. Of a message: waits for its request."},
    {.name = "await",
     .signature = "(message : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_await,
     .doc = "Waits till this stage of the message is reached."},
    {.name = "finish",
     .signature = "(message : int) -> data",
     .kind = PSL_EVENT,
     .call = mpi_finish,
     .doc = "The message has been received, or its sender has waited for it: its size. The handle is not "
            "valid any more."},
    {.name = "source",
     .signature = "(message : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_source,
     .doc = "The rank that sent the message."},
    {.name = "destination",
     .signature = "(message : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_destination,
     .doc = "The rank that the message goes to."},
    {.name = "tag",
     .signature = "(message : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_tag,
     .doc = "The tag of the message."},
    {.name = "size",
     .signature = "(message : int) -> data",
     .kind = PSL_EVENT,
     .call = mpi_size,
     .doc = "The size of the message."},
    {.name = "handshake",
     .signature = "(message : int) -> bool",
     .kind = PSL_PURE,
     .pure = mpi_handshake,
     .doc = "Was the message announced by a request?"},
    {.name = "acknowledgement",
     .signature = "(message : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_acknowledgement,
     .doc = "The stage at which the sender learns that the receiver is ready."},
    {.name = "data",
     .signature = "(message : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_data,
     .doc = "The stage at which the receiver has the data."},
    {.name = "sent",
     .signature = "(message : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_sent,
     .doc = "The stage at which the sender is done with a non-blocking send."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"buffers for messages below the handshake threshold never run out"},
    {"a receive from any source takes the message that arrived first, of several at once the one of the "
     "lowest rank"},
    {NULL},
};

const struct psl_evaluator mpi_sim_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "MPI-Sim",
    .revision = "2",
    .doc = "Simulation of MPI's point-to-point messages: envelopes, matching, handshakes, requests.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = mpi_open,
    .statistics = mpi_statistics,
    .explain_wait = mpi_explain_wait,
};
