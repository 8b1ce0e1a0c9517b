/* Where messages stand: the ranks, a channel for all messages of one source, communicator and tag to a rank, and for
 * receives from any source a heap of what has arrived at a rank. */
#include "evaluators/mpi_sim/state.h"

struct rank *rank_page_open(struct state *s, uint32_t number) {
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
  for (uint32_t k = 0; k < CHUNK; k++) {
    ranks[k].queue = ranks[k].queue_last = ranks[k].beside = NONE;
    ranks[k].status_source = ranks[k].status_tag = ANY;
    ranks[k].sends.first = ranks[k].receives.first = INFINITY;
  }
  return &ranks[number & (CHUNK - 1)];
}

static struct channel *channel_table(struct state *s, uint32_t capacity) {
  uint32_t size = log2_of(capacity);
  struct channel *table = s->spare[size];
  if (table)
    memcpy(&s->spare[size], table, sizeof(void *));
  else
    table = cut(&s->memory, capacity * sizeof *table);
  for (uint32_t k = 0; k < capacity; k++)
    table[k] = (struct channel){NOWHERE, 0, EMPTY, false};
  return table;
}

static struct channel *channel_place(struct rank *rank, uint64_t origin, int32_t tag) {
  uint32_t mask = rank->channel_capacity - 1, k = channel_hash(origin, tag) & mask;
  while (rank->channels[k].origin != NOWHERE && (rank->channels[k].origin != origin || rank->channels[k].tag != tag))
    k = (k + 1) & mask;
  return &rank->channels[k];
}

static void channel_grow(struct state *s, struct rank *rank) {
  struct channel *old = rank->channels;
  uint32_t capacity = rank->channel_capacity;
  rank->channel_capacity = capacity == 0 ? LINEAR : capacity == LINEAR ? 4 * LINEAR : 2 * capacity;
  rank->channels = channel_table(s, rank->channel_capacity);
  for (uint32_t k = 0; k < capacity; k++)
    if (old[k].origin != NOWHERE) *channel_place(rank, old[k].origin, old[k].tag) = old[k];
  if (old) {
    uint32_t size = log2_of(capacity);
    memcpy(old, &s->spare[size], sizeof(void *));
    s->spare[size] = old;
  }
}

struct channel *channel_seek(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  if (rank->channel_capacity <= LINEAR) {
    if (rank->channel_count == rank->channel_capacity) channel_grow(s, rank);
    if (rank->channel_capacity <= LINEAR) {
      struct channel *c = &rank->channels[rank->channel_count++];
      *c = (struct channel){origin, tag, EMPTY, false};
      return c;
    }
  }
  struct channel *c = channel_place(rank, origin, tag);
  if (c->origin != NOWHERE) return c;
  if (4 * (rank->channel_count + 1) > 3 * rank->channel_capacity) {
    channel_grow(s, rank);
    c = channel_place(rank, origin, tag);
  }
  rank->channel_count++;
  *c = (struct channel){origin, tag, EMPTY, false};
  return c;
}

/* ---- messages that have arrived, for receives from any source ---- */

bool arrival_before(const struct arrival *a, const struct arrival *b) {
  if (a->time != b->time) return a->time < b->time;
  return a->source != b->source ? a->source < b->source : a->sequence < b->sequence;
}

bool arrival_true(const struct state *s, const struct arrival *a) {
  const struct envelope *e = envelope_at(s, a->envelope);
  return e->sequence == a->sequence && (e->item.generation & 1) && !e->matched;
}

void arrival_sink(struct arrivals *heap, uint32_t k) {
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

void arrivals_push(struct state *s, struct arrivals *heap, uint32_t index) {
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

void arrivals_open(struct state *s, struct rank *rank) {
  if (rank->arrivals) return;
  rank->arrivals = cut(&s->memory, sizeof *rank->arrivals);
  for (uint32_t k = 0; k < rank->channel_capacity; k++) {
    uint32_t head = channel_head(s, &rank->channels[k]);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) arrivals_push(s, rank->arrivals, head);
  }
}

uint32_t oldest_from(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  if (tag != ANY) return channel_head(s, channel_at(s, rank, origin, tag));
  uint32_t oldest = NONE;
  for (uint32_t k = 0; k < rank->channel_capacity; k++) {
    uint32_t head = rank->channels[k].origin == origin ? channel_head(s, &rank->channels[k]) : NONE;
    if (head != NONE && (oldest == NONE || envelope_at(s, head)->sequence < envelope_at(s, oldest)->sequence))
      oldest = head;
  }
  return oldest;
}
