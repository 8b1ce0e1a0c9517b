/* MPI-Sim: which message goes to which receive, and who waits for whom.
 *
 * It owns the envelopes of messages in flight and the receives that wait. What a step costs is not
 * known here: stdlib/mpi.psl holds the overheads, asks the hardware domain for each transfer, and
 * calls these functions at the clocks that come of it. All functions are O(1) but for wildcards.
 *
 * Matching. A receive of a given source and tag takes that channel's messages in the order in which they were
 * posted: both orders are program orders, so the host may call in any order. A receive from any source
 * takes the message that arrived first in virtual time, ties to the lowest rank; it is decided only when
 * all arrivals before it are known (host->retry). While one is undecided, later receives of its rank stand
 * behind it in the rank's queue wherever it could take a message of theirs.
 *
 * Invariants: a channel holds messages or receives, never both; receives in channels are older than
 * those in the rank's queue; the heap of a rank holds every message that has arrived and is the
 * first of its channel (and entries that are no longer true, which are dropped when met).
 *
 * Handles are an index, a generation and a few bits, so that a stale or invented one is an error. */
#include "interp/include/evaluator.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NONE UINT32_MAX
#define ANY (-1)
#define RANK_LIMIT (1 << 28)
#define CHUNK_BITS 10 /* items of a pool's chunk, and ranks of a page: 2^10 */
#define CHUNK (1u << CHUNK_BITS)
#define LINEAR 4 /* channels of a rank that are searched one by one; more are hashed */

/* The stages of a message that somebody may wait for. */
enum stage { STAGE_MESSAGE, STAGE_ACKNOWLEDGEMENT, STAGE_DATA, STAGE_SENT };

struct item {          /* how everything in a pool begins */
  uint32_t next;       /* in whatever list it stands; free list */
  uint32_t generation; /* odd while in use */
};

struct envelope {
  struct item item;
  uint32_t source, destination;
  int32_t tag;
  uint32_t receive;   /* the receive that it was matched with, while that lives */
  uint32_t handshake; /* index of its handshake; NONE: sent at once */
  uint8_t references; /* until this many have finished with it */
  bool matched, answered;
  double size;       /* bytes */
  double arrival;    /* s; negative: not yet. With the handshake: of the request */
  uint64_t sequence; /* number among all messages of the run: orders those of one source */
};

struct handshake { /* what messages sent with one have beyond the envelope; by stage - 1 */
  struct item item;
  uint32_t waiter[3];
  uint32_t envelope;
  double reached[3], waiting_since[3];
};

enum receive_kind { RECEIVE_BLOCKING, RECEIVE_POSTED, RECEIVE_PROBE };
struct receive {
  struct item item;
  uint32_t rank;
  int32_t source, tag; /* or ANY */
  uint32_t process;    /* waits in it; NONE: nobody */
  uint32_t envelope;   /* matched with; NONE: none yet */
  enum receive_kind kind;
  bool queued;   /* stands in its rank's queue */
  double posted; /* clock at which it was made */
  double clock;  /* of the process that waits, when it began to */
  double due;    /* retry asked for; 0: none */
};

struct channel {
  uint32_t source; /* NONE: an empty place */
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
  uint32_t process;           /* that waited as this rank; NONE: none has */
  double posted;              /* clock of its last message with a gap */
};

struct posted {
  double clock;
  uint32_t process;
};

struct pool {
  char **chunks;
  uint32_t chunk_count, chunk_capacity, count, free;
};

struct state {
  struct psl_host *host;
  struct pool envelopes, handshakes, receives;
  struct rank **pages;
  uint32_t page_count;
  struct channel *spare[32]; /* outgrown tables by the logarithm of their capacity, linked through their first bytes */
  char *bump;                /* small tables are cut from here */
  size_t bump_left;
  uint64_t messages, matched;
  double bytes;
  uint32_t *waits_in; /* by process; made by waiters_find */
  uint32_t waiter_count;
  struct posted *posted; /* by envelope; where the host wants to know of messages */
  uint32_t posted_capacity;
};

/* ---- memory ---- */

static void *cut(struct state *s, size_t size) {
  if (size > 1 << 14) return s->host->allocate(s->host, size);
  if (size > s->bump_left) {
    s->bump_left = 1 << 16;
    s->bump = s->host->allocate(s->host, s->bump_left);
  }
  void *piece = s->bump;
  s->bump += size;
  s->bump_left -= size;
  return piece;
}

static inline void *pool_at(const struct pool *pool, uint32_t index, size_t size) {
  return pool->chunks[index >> CHUNK_BITS] + (index & (CHUNK - 1)) * size;
}

static void pool_grow(struct state *s, struct pool *pool, size_t size) {
  if (pool->chunk_count == pool->chunk_capacity) {
    uint32_t capacity = pool->chunk_capacity ? 2 * pool->chunk_capacity : 16;
    char **chunks = s->host->allocate(s->host, capacity * sizeof *chunks);
    if (pool->chunk_count) memcpy(chunks, pool->chunks, pool->chunk_count * sizeof *chunks);
    pool->chunks = chunks;
    pool->chunk_capacity = capacity;
  }
  pool->chunks[pool->chunk_count++] = s->host->allocate(s->host, CHUNK * size);
}

static inline uint32_t pool_take(struct state *s, struct pool *pool, size_t size) {
  uint32_t index = pool->free;
  if (index != NONE) {
    struct item *item = pool_at(pool, index, size);
    pool->free = item->next;
    item->generation++;
    return index;
  }
  if (pool->count == pool->chunk_count << CHUNK_BITS) pool_grow(s, pool, size);
  index = pool->count++;
  ((struct item *)pool_at(pool, index, size))->generation = 1;
  return index;
}

static inline void pool_give(struct pool *pool, uint32_t index, size_t size) {
  struct item *item = pool_at(pool, index, size);
  item->generation++;
  item->next = pool->free;
  pool->free = index;
}

static inline struct envelope *envelope_at(const struct state *s, uint32_t index) {
  return pool_at(&s->envelopes, index, sizeof(struct envelope));
}
static inline struct handshake *handshake_at(const struct state *s, uint32_t index) {
  return pool_at(&s->handshakes, index, sizeof(struct handshake));
}
static inline struct receive *receive_at(const struct state *s, uint32_t index) {
  return pool_at(&s->receives, index, sizeof(struct receive));
}

/* ---- handles: generation (27 bits), index (32), receive?, handshake?, stage (2) ---- */

#define HANDLE_HANDSHAKE 4
#define HANDLE_RECEIVE 8

static inline int64_t handle_make(uint32_t index, uint32_t generation, int bits) {
  return (int64_t)(generation & 0x7ffffff) << 36 | (int64_t)index << 4 | bits;
}

static inline uint32_t handle_index(int64_t handle) { return (uint32_t)(handle >> 4); }

static inline bool handle_valid(const struct pool *pool, int64_t handle, size_t size) {
  uint32_t index = handle_index(handle);
  if (handle <= 0 || index >= pool->count) return false;
  uint32_t generation = ((struct item *)pool_at(pool, index, size))->generation;
  return (generation & 1) && (int64_t)(generation & 0x7ffffff) == handle >> 36;
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
    ranks[k].queue = ranks[k].queue_last = ranks[k].process = NONE;
  return &ranks[number & (CHUNK - 1)];
}

static inline struct rank *rank_at(struct state *s, uint32_t number) {
  uint32_t page = number >> CHUNK_BITS;
  return page < s->page_count && s->pages[page] ? &s->pages[page][number & (CHUNK - 1)] : page_open(s, number);
}

static inline uint32_t channel_hash(uint32_t source, int32_t tag) {
  uint32_t h = source * 0x9e3779b1u + (uint32_t)tag * 0x85ebca77u;
  return h ^ h >> 15;
}

static uint32_t log2_of(uint32_t power) {
  uint32_t n = 0;
  while (power >>= 1)
    n++;
  return n;
}

static struct channel *channel_table(struct state *s, uint32_t capacity) {
  uint32_t size = log2_of(capacity);
  struct channel *table = s->spare[size];
  if (table)
    memcpy(&s->spare[size], table, sizeof(void *));
  else
    table = cut(s, capacity * sizeof *table);
  for (uint32_t k = 0; k < capacity; k++)
    table[k] = (struct channel){NONE, 0, NONE, false};
  return table;
}

static struct channel *channel_place(struct rank *rank, uint32_t source, int32_t tag) {
  uint32_t mask = rank->channel_capacity - 1, k = channel_hash(source, tag) & mask;
  while (rank->channels[k].source != NONE && (rank->channels[k].source != source || rank->channels[k].tag != tag))
    k = (k + 1) & mask;
  return &rank->channels[k];
}

static void channel_grow(struct state *s, struct rank *rank) {
  struct channel *old = rank->channels;
  uint32_t capacity = rank->channel_capacity;
  rank->channel_capacity = capacity == 0 ? LINEAR : capacity == LINEAR ? 4 * LINEAR : 2 * capacity;
  rank->channels = channel_table(s, rank->channel_capacity);
  for (uint32_t k = 0; k < capacity; k++)
    if (old[k].source != NONE) *channel_place(rank, old[k].source, old[k].tag) = old[k];
  if (old) {
    uint32_t size = log2_of(capacity);
    memcpy(old, &s->spare[size], sizeof(void *));
    s->spare[size] = old;
  }
}

/* The channel of these messages, made where it is new. */
static inline struct channel *channel_at(struct state *s, struct rank *rank, uint32_t source, int32_t tag) {
  if (rank->channel_capacity <= LINEAR) {
    for (uint32_t k = 0; k < rank->channel_count; k++)
      if (rank->channels[k].source == source && rank->channels[k].tag == tag) return &rank->channels[k];
    if (rank->channel_count == rank->channel_capacity) channel_grow(s, rank);
    if (rank->channel_capacity <= LINEAR) {
      struct channel *c = &rank->channels[rank->channel_count++];
      *c = (struct channel){source, tag, NONE, false};
      return c;
    }
  }
  struct channel *c = channel_place(rank, source, tag);
  if (c->source != NONE) return c;
  if (4 * (rank->channel_count + 1) > 3 * rank->channel_capacity) {
    channel_grow(s, rank);
    c = channel_place(rank, source, tag);
  }
  rank->channel_count++;
  *c = (struct channel){source, tag, NONE, false};
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
    struct arrival *grown = cut(s, capacity * sizeof *grown);
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
  return c->source == NONE || c->tail == NONE || c->receives ? NONE : envelope_at(s, c->tail)->item.next;
}

static void arrivals_open(struct state *s, struct rank *rank) {
  if (rank->arrivals) return;
  rank->arrivals = cut(s, sizeof *rank->arrivals);
  for (uint32_t k = 0; k < rank->channel_capacity; k++) {
    uint32_t head = channel_head(s, &rank->channels[k]);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) arrivals_push(s, rank->arrivals, head);
  }
}

/* The first posted of the waiting messages of a source with this tag (or any), arrived or not. */
static uint32_t oldest_from(struct state *s, struct rank *rank, uint32_t source, int32_t tag) {
  if (tag != ANY) return channel_head(s, channel_at(s, rank, source, tag));
  uint32_t oldest = NONE;
  for (uint32_t k = 0; k < rank->channel_capacity; k++) {
    uint32_t head = rank->channels[k].source == source ? channel_head(s, &rank->channels[k]) : NONE;
    if (head != NONE && (oldest == NONE || envelope_at(s, head)->sequence < envelope_at(s, oldest)->sequence))
      oldest = head;
  }
  return oldest;
}

/* May a receive with this tag take it? Messages of one source do not overtake each other. */
static bool arrival_eligible(struct state *s, struct rank *rank, const struct arrival *a, int32_t tag) {
  if (tag != ANY) return envelope_at(s, a->envelope)->tag == tag;
  return oldest_from(s, rank, a->source, ANY) == a->envelope;
}

/* The message that a receive from any source would take, as far as arrivals are known. */
static uint32_t earliest(struct state *s, struct rank *rank, int32_t tag) {
  struct arrivals *heap = rank->arrivals;
  while (heap->count > 0 && !arrival_true(s, &heap->heap[0])) {
    heap->heap[0] = heap->heap[--heap->count];
    if (heap->count) arrival_sink(heap, 0);
  }
  const struct arrival *best = NULL;
  for (uint32_t k = 0; k < heap->count; k++) {
    const struct arrival *a = &heap->heap[k];
    if ((!best || arrival_before(a, best)) && arrival_true(s, a) && arrival_eligible(s, rank, a, tag)) best = a;
    if (k == 0 && best) break;
  }
  return best ? best->envelope : NONE;
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

static void match(struct envelope *e, uint32_t index, struct receive *r, uint32_t receive) {
  e->receive = receive;
  r->envelope = index;
}

static void receive_free(struct state *s, struct receive *r, uint32_t index) {
  if (r->envelope != NONE && r->kind != RECEIVE_PROBE) envelope_at(s, r->envelope)->receive = NONE;
  pool_give(&s->receives, index, sizeof *r);
}

static bool receive_ready(const struct state *s, const struct receive *r) {
  return r->envelope != NONE && envelope_at(s, r->envelope)->arrival >= 0;
}

/* Wakes the process that waits in a receive whose message has come, if one does. */
static void receive_wake(struct state *s, struct receive *r, uint32_t index) {
  if (r->process == NONE) return;
  const struct envelope *e = envelope_at(s, r->envelope);
  union psl_argument result = {.integer = envelope_handle(e, r->envelope)};
  double clock = e->arrival > r->clock ? e->arrival : r->clock;
  uint32_t process = r->process;
  receive_free(s, r, index);
  s->host->resume(s->host, process, clock, result);
}

/* Does a receive from any source that stands before r, undecided, compete for r's messages? */
static bool stands_behind(const struct state *s, const struct rank *rank, uint32_t index) {
  const struct receive *r = receive_at(s, index);
  for (uint32_t k = rank->queue; k != index; k = receive_at(s, k)->item.next) {
    const struct receive *before = receive_at(s, k);
    if (before->source == ANY && before->kind != RECEIVE_PROBE &&
        (before->tag == r->tag || before->tag == ANY || r->tag == ANY))
      return true;
  }
  return false;
}

/* Asks to be called again, for everybody who waits in the queue, when the arrival at `due` is the first for
 * certain. */
static void ask_retry(struct state *s, struct rank *rank, double due) {
  for (uint32_t k = rank->queue; k != NONE; k = receive_at(s, k)->item.next) {
    struct receive *r = receive_at(s, k);
    double at =
        r->clock > due ? r->clock : due; /* a retry comes behind all else of its time: arrivals at `due` are known */
    if (r->process != NONE && r->due != at) {
      r->due = at;
      s->host->retry(s->host, r->process, at);
    }
  }
}

/* Arrivals before it are known: when the call is ordered, those at its own clock, too. */
static double horizon_of(const struct psl_call *call) { return call->ordered ? nextafter(call->clock, INFINITY) : -1; }

/* Serves the rank's queue: all arrivals before `horizon` are known. `self` is the receive of the
 * caller, which sees for itself whether it is ready; all others are woken. */
static void settle(struct state *s, struct rank *rank, double horizon, const struct receive *self) {
  double due = INFINITY;
  uint32_t last = NONE;
  for (uint32_t k = rank->queue, next; k != NONE; k = next) {
    struct receive *r = receive_at(s, k);
    next = r->item.next;
    uint32_t index = NONE;
    if (!stands_behind(s, rank, k))
      index = r->source == ANY ? earliest(s, rank, r->tag) : oldest_from(s, rank, (uint32_t)r->source, r->tag);
    struct envelope *e = index == NONE ? NULL : envelope_at(s, index);
    if (e && r->source == ANY && e->arrival >= horizon) {
      due = e->arrival < due ? e->arrival : due;
      e = NULL;
    }
    if (!e || (r->kind == RECEIVE_PROBE && e->arrival < 0)) {
      last = k;
      continue;
    }
    if (last == NONE)
      rank->queue = next;
    else
      receive_at(s, last)->item.next = next;
    if (rank->queue_last == k) rank->queue_last = last;
    r->queued = false;
    r->envelope = index;
    if (r->kind != RECEIVE_PROBE) {
      take(s, rank, channel_at(s, rank, e->source, e->tag), index);
      match(e, index, r, k);
    }
    if (r != self && e->arrival >= 0) receive_wake(s, r, k);
  }
  if (due < INFINITY) ask_retry(s, rank, due);
}

/* Finds the new receive a message, or a place to wait for one. */
static void seek(struct state *s, struct rank *rank, struct receive *r, uint32_t index, const struct psl_call *call) {
  if (rank->queue == NONE && r->source != ANY && r->kind != RECEIVE_PROBE) {
    if (r->tag != ANY) {
      struct channel *c = channel_at(s, rank, (uint32_t)r->source, r->tag);
      uint32_t head = channel_head(s, c);
      if (head != NONE) {
        take(s, rank, c, head);
        match(envelope_at(s, head), head, r, index);
        return;
      }
      c->receives = true;
      list_append(&c->tail, c->tail == NONE ? NULL : &receive_at(s, c->tail)->item, &r->item, index);
      return;
    }
    uint32_t head = oldest_from(s, rank, (uint32_t)r->source, ANY);
    if (head != NONE) {
      struct envelope *e = envelope_at(s, head);
      take(s, rank, channel_at(s, rank, e->source, e->tag), head);
      match(e, head, r, index);
      return;
    }
  }
  if (r->source == ANY) arrivals_open(s, rank);
  r->queued = true;
  r->item.next = NONE;
  if (rank->queue == NONE)
    rank->queue = index;
  else
    receive_at(s, rank->queue_last)->item.next = index;
  rank->queue_last = index;
  settle(s, rank, horizon_of(call), r);
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
  s->posted[index] = (struct posted){call->clock, call->process};
}

/* A network without a gap is right only for messages that follow each other slowly enough. */
static void gap_check(struct state *s, const struct psl_call *call, double gap) {
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  if (rank->posted > 0 && call->clock - rank->posted < gap * (1 - 1e-9)) { /* sums of times are rounded */
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
  snprintf(call->error, sizeof call->error, "there is no rank %" PRId64 "; the program has ranks 0 to %" PRId64,
           call->arguments[0].integer, call->arguments[1].integer - 1);
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
  uint32_t index = pool_take(s, &s->envelopes, sizeof(struct envelope));
  struct envelope *e = envelope_at(s, index);
  e->source = (uint32_t)a[0].integer;
  e->destination = (uint32_t)a[1].integer;
  e->tag = (int32_t)a[2].integer;
  e->size = a[3].real;
  e->receive = e->handshake = NONE;
  e->references = a[5].integer ? 2 : 1;
  e->matched = e->answered = false;
  e->arrival = -1;
  e->sequence = s->messages++;
  s->bytes += e->size;
  if (s->host->message) posted_note(s, call, index);
  if (a[4].integer) {
    e->handshake = pool_take(s, &s->handshakes, sizeof(struct handshake));
    struct handshake *h = handshake_at(s, e->handshake);
    h->envelope = index;
    for (int k = 0; k < 3; k++) {
      h->waiter[k] = NONE;
      h->reached[k] = -1;
    }
  }

  if (a[6].real > 0) gap_check(s, call, a[6].real);

  struct rank *rank = rank_at(s, e->destination);
  struct channel *c = channel_at(s, rank, e->source, e->tag);
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
    match(e, index, r, first);
  } else {
    c->receives = false;
    list_append(&c->tail, c->tail == NONE ? NULL : &envelope_at(s, c->tail)->item, &e->item, index);
    if (rank->queue != NONE) settle(s, rank, -1, NULL);
  }
  call->result.integer = envelope_handle(e, index);
  return PSL_DONE;
}

/* A message arrives: true where a posted receive waits for this request, which the caller has to answer. */
static bool message_arrives(struct state *s, struct psl_call *call, struct envelope *e, uint32_t index) {
  e->arrival = call->clock;
  if (!e->matched) {
    struct rank *rank = rank_at(s, e->destination);
    if (rank->arrivals && channel_head(s, channel_at(s, rank, e->source, e->tag)) == index)
      arrivals_push(s, rank->arrivals, index);
    if (rank->queue != NONE) settle(s, rank, -1, NULL);
    if (!e->matched) return false;
  }
  if (e->receive == NONE) return false;
  struct receive *r = receive_at(s, e->receive);
  bool answer = e->handshake != NONE && r->kind == RECEIVE_POSTED && !e->answered;
  if (answer) {
    e->answered = true;
    call->clock = r->posted > call->clock ? r->posted : call->clock;
  }
  receive_wake(s, r, e->receive);
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
  uint32_t waiter = h->waiter[stage - 1];
  if (waiter != NONE) {
    double since = h->waiting_since[stage - 1];
    union psl_argument nothing = {.integer = 0};
    h->waiter[stage - 1] = NONE;
    s->host->resume(s->host, waiter, since > call->clock ? since : call->clock, nothing);
  }
  return PSL_DONE;
}

static struct receive *receive_new(struct state *s, struct psl_call *call, enum receive_kind kind, uint32_t *index) {
  *index = pool_take(s, &s->receives, sizeof(struct receive));
  struct receive *r = receive_at(s, *index);
  r->rank = (uint32_t)call->arguments[0].integer;
  r->source = (int32_t)call->arguments[1].integer;
  r->tag = (int32_t)call->arguments[2].integer;
  r->process = kind == RECEIVE_POSTED ? NONE : call->process;
  r->envelope = NONE;
  r->kind = kind;
  r->queued = false;
  r->posted = r->clock = call->clock;
  r->due = 0;
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
    rank_at(s, r->rank)->process = call->process;
    call->memory = r;
    return PSL_BLOCKED;
  }
  const struct envelope *e = envelope_at(s, r->envelope);
  call->clock = e->arrival > r->clock ? e->arrival : r->clock;
  call->result.integer = envelope_handle(e, r->envelope);
  receive_free(s, r, index);
  return PSL_DONE;
}

/* A call that is made again because a receive from any source can be decided. */
static enum psl_status receive_again(struct state *s, struct psl_call *call) {
  struct receive *r = call->memory;
  if (r->queued && !call->ordered) return PSL_LATER;
  r->due = 0;
  if (r->queued) settle(s, rank_at(s, r->rank), horizon_of(call), r);
  return receive_answer(s, call, r, receive_index(s, r));
}

static enum psl_status mpi_receive(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  int64_t source = call->arguments[1].integer, tag = call->arguments[2].integer;
  if (rank->queue == NONE && source != ANY && tag != ANY) { /* the common case: it has come already */
    struct channel *c = channel_at(s, rank, (uint32_t)source, (int32_t)tag);
    uint32_t head = channel_head(s, c);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) {
      struct envelope *e = envelope_at(s, head);
      take(s, rank, c, head);
      call->clock = e->arrival > call->clock ? e->arrival : call->clock;
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
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_PROBE, &index);
  seek(s, rank_at(s, r->rank), r, index, call);
  return receive_answer(s, call, r, index);
}

static enum psl_status mpi_iprobe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(call)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  int64_t source = call->arguments[1].integer, tag = call->arguments[2].integer;
  call->result.integer = 0;
  for (uint32_t k = 0; k < rank->channel_capacity && !call->result.integer; k++) {
    const struct channel *c = &rank->channels[k];
    uint32_t head = channel_head(s, c);
    if (head != NONE && (source == ANY || c->source == source) && (tag == ANY || c->tag == tag)) {
      double arrival = envelope_at(s, head)->arrival;
      call->result.integer = arrival >= 0 && arrival <= call->clock;
    }
  }
  return PSL_DONE;
}

static enum psl_status mpi_irecv(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(call)) return PSL_FAILED;
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_POSTED, &index);
  seek(s, rank_at(s, r->rank), r, index, call);
  call->result.integer = handle_make(index, r->item.generation, HANDLE_RECEIVE);
  return PSL_DONE;
}

/* The receive of a handle, or NULL. */
static struct receive *receive_of(struct state *s, int64_t handle) {
  return (handle & HANDLE_RECEIVE) && handle_valid(&s->receives, handle, sizeof(struct receive))
             ? receive_at(s, handle_index(handle))
             : NULL;
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
  if (reached < 0) {
    uint32_t *process = &rank_at(s, stage == STAGE_DATA ? e->destination : e->source)->process;
    if (*process == NONE) *process = call->process;
    h->waiter[stage - 1] = call->process;
    h->waiting_since[stage - 1] = call->clock;
    return PSL_BLOCKED;
  }
  call->clock = reached > call->clock ? reached : call->clock;
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
  if (!r) return failed_handle(call, "a request that is still to be waited for", request);
  if (r->process != NONE) {
    snprintf(call->error, sizeof call->error, "two processes wait for one request, a receive of rank %u", r->rank);
    return PSL_FAILED;
  }
  r->process = call->process;
  r->clock = call->clock;
  if (r->queued) settle(s, rank_at(s, r->rank), horizon_of(call), r);
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
    if (!r) return failed_handle(call, "a request that is still to be waited for", request);
    if (r->queued) settle(s, rank_at(s, r->rank), horizon_of(call), r);
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
  struct envelope *e = r && r->envelope != NONE ? envelope_at(s, r->envelope) : envelope_of(s, handle);
  if (!r && !e) return failed_handle(call, "a receive or a message", handle);
  call->result.integer = 0;
  if (e && e->handshake != NONE && e->matched && e->arrival >= 0 && !e->answered) {
    e->answered = true;
    call->result.integer = envelope_handle(e, r ? r->envelope : handle_index(handle));
  }
  return PSL_DONE;
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
    s->host->message(s->host, posted->process, call->process, posted->clock, call->clock, e->size);
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
  s->host = host;
  s->envelopes.free = s->handshakes.free = s->receives.free = NONE;
  return s;
}

static size_t mpi_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  struct psl_statistic all[] = {
      {.name = "messages", .unit = "", .value = (double)s->messages, .whole = true},
      {.name = "bytes", .unit = "byte", .value = s->bytes, .whole = false},
      {.name = "messages not received", .unit = "", .value = (double)(s->messages - s->matched), .whole = true},
  };
  size_t count = s->messages > s->matched ? 3 : 2;
  for (size_t k = 0; k < count && k < capacity; k++)
    out[k] = all[k];
  return count < capacity ? count : capacity;
}

static void explain_receive(const struct state *s, const struct receive *r, char *out, size_t size, int *rank) {
  char source[24] = "any rank", tag[24] = "any tag";
  const struct envelope *e = r->envelope == NONE ? NULL : envelope_at(s, r->envelope);
  int from = e ? (int)e->source : r->source;
  if (from != ANY) snprintf(source, sizeof source, "rank %d", from);
  *rank = from;
  if (r->tag != ANY) snprintf(tag, sizeof tag, "tag %d", r->tag);
  snprintf(out, size, "for a message from %s, %s", source, tag);
}

static void explain_handshake(const struct state *s, const struct handshake *h, uint32_t process, char *out,
                              size_t size, int *rank) {
  const struct envelope *e = envelope_at(s, h->envelope);
  bool data = h->waiter[STAGE_DATA - 1] == process;
  *rank = (int)(data ? e->source : e->destination);
  if (data)
    snprintf(out, size, "for the data of a message from rank %u, tag %d", e->source, e->tag);
  else
    snprintf(out, size, "for rank %u to receive a message of %.0f bytes, tag %d", e->destination, e->size, e->tag);
}

/* Reports ask for one process after another, so each search goes on where the last one ended. */
/* Who waits in which receive (below receives.count) or handshake (from there on): looked through once, when
 * the run is over. */
static void waiters_find(struct state *s) {
  uint32_t receives = s->receives.count, most = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t k = 0; k < receives + s->handshakes.count; k++) {
      const struct receive *r = k < receives ? receive_at(s, k) : NULL;
      const struct handshake *h = r ? NULL : handshake_at(s, k - receives);
      const uint32_t *who = r ? &r->process : h->waiter;
      if (!((r ? r->item.generation : h->item.generation) & 1)) continue;
      for (int i = 0; i < (r ? 1 : 3); i++) {
        if (who[i] == NONE) continue;
        if (pass == 0)
          most = who[i] > most ? who[i] : most;
        else
          s->waits_in[who[i]] = k + 1;
      }
    }
    if (pass == 0) s->waits_in = s->host->allocate(s->host, (most + 1) * sizeof *s->waits_in);
  }
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
  if (place - 1 < s->receives.count)
    explain_receive(s, receive_at(s, place - 1), out, size, &rank);
  else
    explain_handshake(s, handshake_at(s, place - 1 - s->receives.count), process, out, size, &rank);
  if (rank != ANY && rank_at(s, (uint32_t)rank)->process != NONE) *other = rank_at(s, (uint32_t)rank)->process;
}

#define MATCH "(rank : int, source : int = -1, tag : int = -1) -> "

static const struct psl_evaluator_function functions[] = {
    {.name = "post",
     .signature = "(source : int, destination : int, tag : int, size : data, handshake : bool = false,"
                  " waited : bool = false, gap : time = 0 s) -> int",
     .kind = PSL_EVENT,
     .call = mpi_post,
     .doc = "A message enters the order of its source, destination and tag. With a handshake it stands for "
            "the request, "
            "whose acknowledgement, data and end are stages of their own; `waited`: its sender will wait for "
            "`sent`, too. "
            "The handle of the message. Error: a rank or tag out of range."},
    {.name = "no-rank",
     .signature = "(rank : int, size : int)",
     .kind = PSL_EVENT,
     .call = mpi_no_rank,
     .doc = "Fails: a program of `size` ranks has no such rank."},
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
            "acknowledged: the "
            "caller then has to. Else 0."},
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
    .revision = "1",
    .doc = "Simulation of MPI's point-to-point messages: envelopes, matching, handshakes, requests.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = mpi_open,
    .statistics = mpi_statistics,
    .explain_wait = mpi_explain_wait,
};
