/* The event queue where events come into it, more room, and siblings at one time. See event_queue.h. */
#include "interp/execute/event_queue.h"
#include "grammar/arena.h"

enum { LINE = 64, FIRST = 16, SPARE = 4 }; /* bytes of a line of the cache; events at first; times behind the last */

static size_t times_size(uint32_t capacity) { return ((size_t)capacity + SPARE) * sizeof(uint64_t) + LINE; }

/* The times of siblings, from the second time on, begin at a line or at the middle of one. */
static uint64_t *times_in(char *memory) {
  uintptr_t line = ((uintptr_t)memory + sizeof(uint64_t) + LINE - 1) / LINE * LINE;
  return (uint64_t *)(line - sizeof(uint64_t));
}

/* More room than there is. */
static void queue_widen(struct event_queue *queue, struct arena *arena, uint32_t capacity) {
  uint32_t before = queue->capacity, spare = before ? SPARE : 0;
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

void event_queue_grow(struct event_queue *queue, struct arena *arena) {
  queue_widen(queue, arena, queue->capacity ? 2 * queue->capacity : FIRST);
}

void event_queue_trim(struct event_queue *queue, struct arena *arena) {
  enum { TRIMMED = 16 * 1024, TRIMS = 4 }; /* events: each part of it is large, and stands alone */
  if (queue->capacity < TRIMMED || queue->count > queue->capacity / 8 || queue->trims == TRIMS) return;
  struct event_queue old = *queue;
  uint32_t capacity = FIRST;
  queue->memory = NULL;
  queue->times = NULL;
  queue->places = NULL;
  queue->items = NULL;
  queue->capacity = 0;
  while (capacity < old.count)
    capacity *= 2;
  queue_widen(queue, arena, capacity); /* at once: the memory of each step up to there would be lost */
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

static __attribute__((noinline)) struct event *place_in_heap(struct event_queue *queue, struct arena *arena,
                                                             double time, uint64_t order, uint64_t step) {
  if (queue->count == queue->capacity) event_queue_grow(queue, arena);
  uint32_t hole = queue->count++, place = queue->places[hole];
  struct event *event = &queue->items[place];
  event->time = time;
  event->order = order;
  event->step = step;
  event_rise(queue, hole, event_time_bits(time), place);
  return event;
}

static inline bool comes_before(const struct event *event, double time, uint64_t order, uint64_t step) {
  if (event->time < time) return true;
  if (event->time > time) return false;
  return event->order != order ? event->order < order : event->step < step;
}

struct event *event_place(struct event_queue *queue, struct arena *arena, double time, uint64_t order, uint64_t step) {
  uint32_t begin = queue->lane_begin, end = queue->lane_end;
  struct event *event;
  if (begin == end || comes_before(&queue->lane[(end - 1) % EVENT_LANE], time, order, step)) {
    if (end - begin == EVENT_LANE) return place_in_heap(queue, arena, time, order, step);
    event = &queue->lane[queue->lane_end++ % EVENT_LANE];
  } else { /* it comes before the last one there: so the search ends */
    uint32_t at = begin;
    while (comes_before(&queue->lane[at % EVENT_LANE], time, order, step))
      if (++at == begin + EVENT_SOON) return place_in_heap(queue, arena, time, order, step);
    if (end - begin == EVENT_LANE) return place_in_heap(queue, arena, time, order, step);
    queue->lane_begin = begin - 1;
    for (; begin != at; begin++)
      queue->lane[(begin - 1) % EVENT_LANE] = queue->lane[begin % EVENT_LANE];
    event = &queue->lane[(at - 1) % EVENT_LANE];
  }
  event->time = time;
  event->order = order;
  event->step = step;
  return event;
}
