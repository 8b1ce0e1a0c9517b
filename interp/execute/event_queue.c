/* The event queue's heap where events come into it, more room, and siblings at one time. See event_queue.h. */
#include "interp/execute/event_queue.h"
#include "grammar/arena.h"

enum { LINE = 64, FIRST = 16, SPARE = 4 }; /* bytes of a line of the cache; events at first; times behind the last */

static size_t times_size(uint32_t capacity) { return ((size_t)capacity + SPARE) * sizeof(uint64_t) + LINE; }

/* The times of siblings, from the second time on, begin at a line or at the middle of one. */
static uint64_t *times_in(char *memory) {
  uintptr_t line = ((uintptr_t)memory + sizeof(uint64_t) + LINE - 1) / LINE * LINE;
  return (uint64_t *)(line - sizeof(uint64_t));
}

void event_queue_grow(struct event_queue *queue, struct arena *arena) {
  uint32_t before = queue->capacity, capacity = before ? 2 * before : FIRST, spare = before ? SPARE : 0;
  size_t from = queue->memory ? (size_t)((char *)queue->times - queue->memory) : 0;
  queue->memory = arena_grow(arena, queue->memory, before ? times_size(before) : 0, times_size(capacity));
  queue->times = times_in(queue->memory);
  memmove(queue->times, queue->memory + from, before * sizeof *queue->times);
  queue->places = arena_grow(arena, queue->places, (before + spare) * sizeof *queue->places,
                             (capacity + SPARE) * sizeof *queue->places);
  queue->items = arena_grow(arena, queue->items, (before + spare) * sizeof *queue->items,
                            (capacity + SPARE) * sizeof *queue->items);
  for (uint32_t at = before; at < capacity + SPARE; at++) {
    queue->times[at] = event_none(at);
    queue->places[at] = at;
  }
  queue->capacity = capacity;
}

void event_queue_trim(struct event_queue *queue, struct arena *arena) {
  enum { TRIMMED = 16 * 1024, TRIMS = 4 }; /* events: each part of it is large, and stands alone */
  if (queue->capacity < TRIMMED || queue->count > queue->capacity / 8 || queue->trims == TRIMS) return;
  struct event_queue old = *queue;
  queue->memory = NULL;
  queue->times = NULL;
  queue->places = NULL;
  queue->items = NULL;
  queue->capacity = 0;
  while (queue->capacity < old.count || !queue->capacity)
    event_queue_grow(queue, arena);
  memcpy(queue->times, old.times, old.count * sizeof *old.times);
  for (uint32_t at = 0; at < old.count; at++)
    queue->items[at] = old.items[old.places[at]];
  queue->trims++;
  arena_release(arena, old.memory);
  arena_release(arena, old.places);
  arena_release(arena, old.items);
}

static bool at_before(const struct event_queue *queue, size_t i, size_t k) {
  if (queue->times[i] != queue->times[k]) return queue->times[i] < queue->times[k];
  return event_order_before(&queue->items[queue->places[i]], &queue->items[queue->places[k]]);
}

size_t event_least_of(const struct event_queue *queue, size_t below) {
  size_t left = below + at_before(queue, below + 1, below), right = below + 2 + at_before(queue, below + 3, below + 2);
  return at_before(queue, right, left) ? right : left;
}

void event_add_to_heap(struct event_queue *queue, struct arena *arena, double time, uint64_t order, uint64_t step,
                       void *subject, uint32_t generation, uint32_t instance) {
  if (queue->count == queue->capacity) event_queue_grow(queue, arena);
  uint32_t hole = queue->count++, place = queue->places[hole];
  queue->items[place] = (struct event){time, order, step, subject, generation, instance};
  event_rise(queue, hole, event_time_bits(time), place);
}
