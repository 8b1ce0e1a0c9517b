/* Where messages stand: the ranks, a channel for all messages of one source, communicator and tag to a rank, and for
 * receives from any source a heap of what has arrived at a rank. */
#include "evaluators/mpi_sim/state.h"

static struct rank *ranks_room(struct state *s, uint32_t count) {
  return line_begin(s->host->allocate(s->host, count * sizeof(struct rank) + CACHE_LINE));
}

/* Room for as many as there may be near ones; what is not used of it is no memory yet. */
static void near_open(struct state *s) {
  uint32_t most = s->host->instances < NEAR_RANKS ? s->host->instances : NEAR_RANKS;
  s->near_capacity = (most / CHUNK + 1) * CHUNK;
  s->near_ranks = ranks_room(s, s->near_capacity);
}

/* They are made together with those near them. */
static struct rank *ranks_open(struct state *s, uint32_t chunk) {
  if (chunk >= s->rank_chunks) {
    uint32_t count = s->rank_chunks ? s->rank_chunks : 1;
    while (count <= chunk)
      count *= 2;
    struct rank **ranks = s->host->allocate(s->host, count * sizeof *ranks);
    struct status **statuses = s->host->allocate(s->host, count * sizeof *statuses);
    if (s->rank_chunks) memcpy(ranks, s->ranks, s->rank_chunks * sizeof *ranks);
    s->ranks = ranks;
    if (s->rank_chunks) memcpy(statuses, s->statuses, s->rank_chunks * sizeof *statuses);
    s->statuses = statuses;
    s->rank_chunks = count;
  }
  if (!s->near_ranks) near_open(s);
  bool near = chunk < s->near_capacity / CHUNK;
  struct rank *ranks = near ? &s->near_ranks[chunk * CHUNK] : ranks_room(s, CHUNK);
  for (uint32_t k = 0; k < CHUNK; k++)
    for (uint32_t i = 0; i < OWN; i++)
      ranks[k].own[i].source = NOWHERE;
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

struct rare *rare_make(struct state *s, struct rank *rank) {
  struct rare *rare = cut(&s->memory, sizeof *rare);
  if ((uintptr_t)rare >> RARE_BITS) s->host->allocate(s->host, SIZE_MAX); /* there is no such memory */
  *rare = (struct rare){NULL};
  rank->rare = (uintptr_t)rare & ((UINT64_C(1) << RARE_BITS) - 1);
  return rare;
}

struct status *status_at(struct state *s, uint32_t number) {
  rank_at(s, number);
  struct status **statuses = &s->statuses[number / CHUNK];
  if (!*statuses) {
    *statuses = s->host->allocate(s->host, CHUNK * sizeof **statuses);
    for (uint32_t k = 0; k < CHUNK; k++)
      (*statuses)[k].source = (*statuses)[k].tag = ANY;
  }
  return &(*statuses)[number % CHUNK];
}

static struct place *channel_table(struct state *s, uint32_t doublings) {
  uint32_t room = 1u << doublings;
  struct place *table = s->spare[doublings];
  if (table)
    memcpy(&s->spare[doublings], table, sizeof(void *));
  else
    table = cut(&s->memory, room * sizeof *table);
  for (uint32_t k = 0; k < room; k++)
    table[k] = (struct place){.channel.source = NOWHERE};
  return table;
}

static bool is_empty(const struct place *place) { return place->channel.source == NOWHERE; }
static uint64_t place_origin(const struct place *place) { return origin_of(place->channel.source, place->context); }

static struct place *channel_place(struct rank *rank, uint64_t origin, int32_t tag) {
  uint32_t mask = channel_room(rank) - 1;
  uint32_t k = channel_first(channel_hash(origin, tag), mask + 1);
  while (!is_empty(&rank->places[k]) && !place_is(&rank->places[k], origin, tag))
    k = (k + 1) & mask;
  return &rank->places[k];
}

static void channel_grow(struct state *s, struct rank *rank) {
  struct place *old = rank->places;
  uint32_t room = channel_room(rank);
  uint32_t doublings = rank->channel_doublings++;
  rank->places = channel_table(s, rank->channel_doublings);
  for (uint32_t k = 0; k < room; k++) {
    if (is_empty(&old[k])) continue;
    bool marked = rank->channel_doublings <= MARKED_DOUBLINGS;
    *(marked ? &rank->places[k] : channel_place(rank, place_origin(&old[k]), old[k].channel.tag)) = old[k];
  }
  if (rank->channel_doublings == MARKED_DOUBLINGS + 1) rank->hashed = rank->channel_count;
  memcpy(old, &s->spare[doublings], sizeof(void *));
  s->spare[doublings] = old;
}

/* The next, with its mark. */
static struct channel *channel_append(struct rank *rank, struct place place) {
  uint32_t k = rank->channel_count++;
  rank->marks[k] = channel_mark(place_origin(&place), place.channel.tag);
  rank->places[k] = place;
  return &rank->places[k].channel;
}

/* More than its own hold something, or others: from now on they stand in a table. */
static void channels_move(struct state *s, struct rank *rank) {
  struct channel own[OWN];
  memcpy(own, rank->own, sizeof own);
  rank->channel_count = 0;
  rank->channel_doublings = FIRST_DOUBLINGS;
  rank->places = channel_table(s, FIRST_DOUBLINGS);
  for (uint32_t k = 0; k < OWN; k++)
    if (own[k].source != NOWHERE) channel_append(rank, (struct place){own[k], 0});
}

/* One of the rank's own that holds nothing; NULL: there is none. */
static struct channel *own_empty(struct rank *rank) {
  for (uint32_t k = 0; k < OWN; k++)
    if (!rank->own[k].holds) return &rank->own[k];
  return NULL;
}

struct channel *channel_seek(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  struct place new = {{.source = (uint32_t)origin, .tag = tag}, (uint32_t)(origin >> 32)};
  struct channel *own = rank->channel_doublings || new.context ? NULL : own_empty(rank);
  if (own) {
    *own = new.channel;
    return own;
  }
  if (!rank->channel_doublings) channels_move(s, rank);
  if (channel_room(rank) <= MARKED && rank->channel_count == channel_room(rank)) channel_grow(s, rank);
  if (channel_room(rank) <= MARKED) return channel_append(rank, new);
  struct place *place = channel_place(rank, origin, tag);
  if (!is_empty(place)) return &place->channel;
  if (4 * (rank->hashed + 1) > 3 * channel_room(rank)) {
    channel_grow(s, rank);
    place = channel_place(rank, origin, tag);
  }
  rank->hashed++;
  *place = new;
  return &place->channel;
}

struct channel *channel_hashed(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  uint32_t k = channel_first(channel_hash(origin, tag), channel_room(rank));
  do {
    if (place_is(&rank->places[k], origin, tag)) return &rank->places[k].channel;
    k = (k + 1) & (channel_room(rank) - 1);
  } while (!is_empty(&rank->places[k]));
  return channel_seek(s, rank, origin, tag);
}

/* ---- messages that have arrived, for receives from any source ---- */

enum { BELOW = 4 };

/* No arrival's time, and no sibling's: so stands behind the last ones, and there always are four. */
static inline uint64_t time_none(size_t k) { return UINT64_MAX - k % BELOW; }

static inline uint64_t time_bits(double time) {
  uint64_t bits;
  time += 0.0; /* no -0 */
  memcpy(&bits, &time, sizeof bits);
  return bits;
}

static bool before_equal(const struct arrival *a, const struct arrival *b) {
  return a->source != b->source ? a->source < b->source : a->sequence < b->sequence;
}

bool arrival_before(const struct arrival *a, const struct arrival *b) {
  return a->time != b->time ? a->time < b->time : before_equal(a, b);
}

static bool at_before(const struct arrivals *heap, size_t i, size_t k) {
  if (heap->times[i] != heap->times[k]) return heap->times[i] < heap->times[k];
  return before_equal(arrival_at(heap, (uint32_t)i), arrival_at(heap, (uint32_t)k));
}

/* Which of four siblings comes first, where some come at one time. */
static __attribute__((noinline)) size_t least_equal(const struct arrivals *heap, size_t first) {
  size_t left = first + at_before(heap, first + 1, first), right = first + 2 + at_before(heap, first + 3, first + 2);
  return at_before(heap, right, left) ? right : left;
}

/* Which one nobody can foresee, but that they mostly do not come at one time. */
static inline size_t least_of(const struct arrivals *heap, size_t first) {
  const uint64_t *t = &heap->times[first];
  uint64_t a = t[0], b = t[1], c = t[2], d = t[3], x = b < a ? b : a, y = d < c ? d : c;
  size_t left = first + (b < a), right = first + 2 + (d < c);
  if (__builtin_expect(a == b, 0) || __builtin_expect(c == d, 0) || __builtin_expect(x == y, 0))
    return least_equal(heap, first);
  return left ^ ((left ^ right) & -(size_t)(y < x)); /* without a branch */
}

/* Puts the arrival of that place into the hole, or above it, but not above `top`. */
static inline void arrival_rise(struct arrivals *heap, size_t hole, size_t top, uint64_t time, uint32_t place) {
  while (hole > top) {
    size_t up = (hole - 1) / BELOW;
    if (heap->times[up] < time) break;
    if (heap->times[up] == time && !before_equal(&heap->items[place], arrival_at(heap, (uint32_t)up))) break;
    heap->times[hole] = heap->times[up];
    heap->places[hole] = heap->places[up];
    hole = up;
  }
  heap->times[hole] = time;
  heap->places[hole] = place;
}

/* What goes in from the top mostly comes from the bottom: a way down there is cleared for it first. */
static void arrival_sink(struct arrivals *heap, size_t top, uint64_t time, uint32_t place) {
  size_t hole = top;
  for (size_t first; (first = BELOW * hole + 1) < heap->count;) {
    size_t least = least_of(heap, first);
    heap->times[hole] = heap->times[least];
    heap->places[hole] = heap->places[least];
    hole = least;
  }
  arrival_rise(heap, hole, top, time, place);
}

/* The place of the last one is free. */
static inline void last_drop(struct arrivals *heap, uint32_t place) {
  heap->times[heap->count] = time_none(heap->count);
  heap->places[heap->count] = place;
}

void arrivals_pop(struct arrivals *heap) {
  uint32_t last = --heap->count, place = heap->places[last], free = heap->places[0];
  uint64_t time = heap->times[last];
  last_drop(heap, free);
  if (last) arrival_sink(heap, 0, time, place);
}

/* Drops what is no longer true; at most one true entry a channel is left. */
static void arrivals_clean(struct arrivals *heap) {
  uint32_t count = heap->count, kept = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t place = heap->places[k];
    if (!arrival_true(&heap->items[place])) continue;
    heap->places[k] = heap->places[kept];
    heap->places[kept] = place;
    heap->times[kept++] = time_bits(heap->items[place].time);
  }
  heap->count = kept;
  for (uint32_t k = kept; k < count; k++)
    heap->times[k] = time_none(k);
  for (uint32_t k = (kept + BELOW - 2) / BELOW; k-- > 0;)
    arrival_sink(heap, k, heap->times[k], heap->places[k]);
}

/* The times of siblings begin at a line of the cache, or at its middle. */
static void arrivals_grow(struct state *s, struct arrivals *heap) {
  uint32_t count = heap->count, capacity = heap->capacity ? 2 * heap->capacity : 16;
  char *room = cut(&s->memory, (capacity + 2 * BELOW) * sizeof *heap->times + CACHE_LINE);
  uint64_t *times = (uint64_t *)(void *)line_begin(room) + BELOW - 1;
  uint32_t *places = cut(&s->memory, (capacity + BELOW) * sizeof *places);
  struct arrival *items = cut(&s->memory, capacity * sizeof *items);
  if (heap->capacity) {
    memcpy(times, heap->times, count * sizeof *times);
    memcpy(places, heap->places, heap->capacity * sizeof *places);
    memcpy(items, heap->items, heap->capacity * sizeof *items);
  }
  for (uint32_t k = count; k < capacity + BELOW; k++)
    times[k] = time_none(k);
  for (uint32_t k = heap->capacity; k < capacity + BELOW; k++)
    places[k] = k;
  *heap = (struct arrivals){count, capacity, times, places, items};
}

void arrivals_push(struct state *s, struct arrivals *heap, struct envelope *e) {
  if (heap->count == heap->capacity) arrivals_clean(heap);
  if (2 * heap->count >= heap->capacity) arrivals_grow(s, heap);
  uint32_t hole = heap->count++, place = heap->places[hole];
  heap->items[place] = (struct arrival){e->arrival, e, e->sequence, e->source};
  arrival_rise(heap, hole, 0, time_bits(e->arrival), place);
}

void arrivals_open(struct state *s, struct rank *rank) {
  struct rare *rare = rank_rare(s, rank);
  if (rare->arrivals) return;
  rare->arrivals = cut(&s->memory, sizeof *rare->arrivals);
  for (uint32_t k = 0; k < channel_room(rank); k++) {
    struct envelope *head = channel_head(s, channel_number(rank, k));
    if (head && head->arrival >= 0) arrivals_push(s, rare->arrivals, head);
  }
}

struct envelope *oldest_from(struct state *s, struct rank *rank, uint64_t origin, int32_t tag) {
  if (tag != ANY) return channel_head(s, channel_at(s, rank, origin, tag));
  struct envelope *oldest = NULL;
  for (uint32_t k = 0; k < channel_room(rank); k++) {
    const struct channel *c = channel_number(rank, k);
    bool is = c->source == (uint32_t)origin && channel_context(rank, c) == origin >> 32;
    struct envelope *head = is ? channel_head(s, c) : NULL;
    if (head && (!oldest || head->sequence < oldest->sequence)) oldest = head;
  }
  return oldest;
}
