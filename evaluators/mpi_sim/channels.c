/* Where messages stand: the ranks, a channel for all messages of one source, communicator and tag to a rank, and for
 * receives from any source a heap of what has arrived at a rank. */
#include "evaluators/mpi_sim/state.h"

/* Room for as many as there may be near ones; what is not used of it is no memory yet. */
static void near_open(struct state *s) {
  uint32_t most = s->host->instances < NEAR_RANKS ? s->host->instances : NEAR_RANKS;
  s->near_capacity = (most / CHUNK + 1) * CHUNK;
  s->near_ranks = line_begin(s->host->allocate(s->host, s->near_capacity * sizeof(struct rank) + CACHE_LINE));
}

/* They are made together with those near them. */
static struct rank *ranks_open(struct state *s, uint32_t chunk) {
  if (chunk >= s->rank_chunks) {
    uint32_t count = s->rank_chunks ? s->rank_chunks : 1;
    while (count <= chunk)
      count *= 2;
    struct rank **grown = s->host->allocate(s->host, count * sizeof *grown);
    if (s->rank_chunks) memcpy(grown, s->ranks, s->rank_chunks * sizeof *grown);
    s->ranks = grown;
    s->rank_chunks = count;
  }
  if (!s->near_ranks) near_open(s);
  bool near = chunk < s->near_capacity / CHUNK;
  struct rank *ranks =
      near ? &s->near_ranks[chunk * CHUNK] : line_begin(s->host->allocate(s->host, CHUNK * sizeof *ranks + CACHE_LINE));
  for (uint32_t k = 0; k < CHUNK; k++)
    ranks[k].status_source = ranks[k].status_tag = ANY;
  s->ranks[chunk] = ranks;
  while (s->near_count < s->near_capacity && s->near_count / CHUNK < s->rank_chunks && s->ranks[s->near_count / CHUNK])
    s->near_count += CHUNK;
  return ranks;
}

struct rank *rank_seek(struct state *s, uint32_t number) {
  uint32_t chunk = number / CHUNK;
  struct rank *ranks = chunk < s->rank_chunks && s->ranks[chunk] ? s->ranks[chunk] : ranks_open(s, chunk);
  return &ranks[number % CHUNK];
}

static struct channel *channel_table(struct state *s, uint8_t doublings) {
  uint32_t room = 1u << doublings;
  struct channel *table = s->spare[doublings];
  if (table)
    memcpy(&s->spare[doublings], table, sizeof(void *));
  else
    table = cut(&s->memory, room * sizeof *table);
  for (uint32_t k = 0; k < room; k++)
    table[k] = (struct channel){.origin = NOWHERE};
  return table;
}

static struct channel *channel_place(struct rank *rank, uint64_t origin, int32_t tag) {
  uint32_t mask = channel_room(rank) - 1;
  uint32_t k = channel_first(channel_hash(origin, tag), mask + 1);
  while (rank->channels[k].origin != NOWHERE && !channel_is(&rank->channels[k], origin, tag))
    k = (k + 1) & mask;
  return &rank->channels[k];
}

static void channel_grow(struct state *s, struct rank *rank) {
  struct channel *old = rank->channels;
  uint32_t room = channel_room(rank);
  uint8_t doublings = rank->channel_doublings;
  rank->channel_doublings = (uint8_t)(old ? doublings + 1 : FIRST_DOUBLINGS);
  rank->channels = channel_table(s, rank->channel_doublings);
  for (uint32_t k = 0; k < room; k++) {
    if (old[k].origin == NOWHERE) continue;
    bool marked = rank->channel_doublings <= MARKED_DOUBLINGS;
    *(marked ? &rank->channels[k] : channel_place(rank, old[k].origin, old[k].tag)) = old[k];
  }
  if (rank->channel_doublings == MARKED_DOUBLINGS + 1) rank->hashed = rank->channel_count;
  if (old) {
    memcpy(old, &s->spare[doublings], sizeof(void *));
    s->spare[doublings] = old;
  }
}

/* The next, with its mark. */
static struct channel *channel_append(struct rank *rank, uint64_t origin, int32_t tag) {
  uint32_t k = rank->channel_count++;
  rank->marks[k] = channel_mark(origin, tag);
  rank->channels[k] = (struct channel){.origin = origin, .tag = tag};
  return &rank->channels[k];
}

struct channel *channel_seek(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  if (channel_room(rank) <= MARKED && rank->channel_count == channel_room(rank)) channel_grow(s, rank);
  if (channel_room(rank) <= MARKED) return channel_append(rank, origin, tag);
  struct channel *c = channel_place(rank, origin, tag);
  if (c->origin != NOWHERE) return c;
  if (4 * (rank->hashed + 1) > 3 * channel_room(rank)) {
    channel_grow(s, rank);
    c = channel_place(rank, origin, tag);
  }
  rank->hashed++;
  *c = (struct channel){.origin = origin, .tag = tag};
  return c;
}

struct channel *channel_hashed(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  uint32_t k = channel_first(channel_hash(origin, tag), channel_room(rank));
  do {
    if (channel_is(&rank->channels[k], origin, tag)) return &rank->channels[k];
    k = (k + 1) & (channel_room(rank) - 1);
  } while (rank->channels[k].origin != NOWHERE);
  return channel_seek(s, rank, origin, tag);
}

/* ---- messages that have arrived, for receives from any source ---- */

bool arrival_before_equal(const struct arrival *a, const struct arrival *b) {
  return a->source != b->source ? a->source < b->source : a->sequence < b->sequence;
}

/* What sinks mostly comes from the bottom: a way down there is cleared for it first. */
void arrival_sink(struct arrivals *arrivals, uint32_t k) {
  struct arrival *heap = arrivals->heap, moved = heap[k];
  uint32_t top = k, count = arrivals->count, child;
  for (struct arrival *hole = &heap[k]; (child = 2 * k + 2) < count; k = child) {
    struct arrival *first = &heap[child];
    uint32_t left = arrival_before(first - 1, first);
    child -= left;
    first -= left;
    *hole = *first;
    hole = first;
  }
  if (child == count) { /* one alone */
    heap[k] = heap[child - 1];
    k = child - 1;
  }
  for (uint32_t up; k > top && arrival_before(&moved, &heap[up = (k - 1) / 2]); k = up)
    heap[k] = heap[up];
  heap[k] = moved;
}

/* Drops what is no longer true; at most one true entry a channel is left. */
static void arrivals_clean(struct arrivals *heap) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < heap->count; k++)
    if (arrival_true(&heap->heap[k])) heap->heap[kept++] = heap->heap[k];
  heap->count = kept;
  for (uint32_t k = kept / 2; k-- > 0;)
    arrival_sink(heap, k);
}

void arrivals_push(struct state *s, struct arrivals *heap, struct envelope *e) {
  if (heap->count == heap->capacity) arrivals_clean(heap);
  if (2 * heap->count >= heap->capacity) {
    uint32_t capacity = heap->capacity ? 2 * heap->capacity : 16;
    struct arrival *grown = cut(&s->memory, capacity * sizeof *grown);
    if (heap->count) memcpy(grown, heap->heap, heap->count * sizeof *grown);
    heap->heap = grown;
    heap->capacity = capacity;
  }
  struct arrival entry = {e->arrival, e, e->sequence, e->source};
  uint32_t k = heap->count++;
  for (; k > 0 && arrival_before(&entry, &heap->heap[(k - 1) / 2]); k = (k - 1) / 2)
    heap->heap[k] = heap->heap[(k - 1) / 2];
  heap->heap[k] = entry;
}

void arrivals_open(struct state *s, struct rank *rank) {
  struct rare *rare = rank_rare(s, rank);
  if (rare->arrivals) return;
  rare->arrivals = cut(&s->memory, sizeof *rare->arrivals);
  for (uint32_t k = 0; k < channel_room(rank); k++) {
    struct envelope *head = channel_head(&rank->channels[k]);
    if (head && head->arrival >= 0) arrivals_push(s, rare->arrivals, head);
  }
}

struct envelope *oldest_from(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  if (tag != ANY) return channel_head(channel_at(s, rank, origin, tag));
  struct envelope *oldest = NULL;
  for (uint32_t k = 0; k < channel_room(rank); k++) {
    struct envelope *head = rank->channels[k].origin == origin ? channel_head(&rank->channels[k]) : NULL;
    if (head && (!oldest || head->sequence < oldest->sequence)) oldest = head;
  }
  return oldest;
}
