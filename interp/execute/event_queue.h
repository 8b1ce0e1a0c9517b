/* The event queue: a heap in which each event has four below it. Its times stand apart from the rest, so that those of
 * four siblings are in one line of the cache and are compared without branches; behind the last one stand times greater
 * than all, so that there always are four. What an event is besides stays in its place while its time moves.
 *
 * Beside it is a lane, a short ring in their order. An event that does not come before the last one there goes behind
 * that, as long as there is room: so events that are set off in their order, as those of a source that runs ahead, cost
 * no more than a comparison. One that comes before all but the first few goes in between: so those that are soon there,
 * as the ends of services that have just begun, mostly do not go through the heap. The first of all is the first of the
 * lane or that of the heap. */
#ifndef PSL_EVENT_QUEUE_H
#define PSL_EVENT_QUEUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

struct event {
  double time;    /* s, not below 0 */
  uint64_t order; /* at one time, */
  uint64_t step;  /* and at one time and order */
  void *subject;
  uint32_t generation, instance;
};

enum { EVENT_LANE = 32, EVENT_SOON = 3 }; /* a power of 2; so many at most move up for one that comes before others */
struct event_queue {                      /* zero is an empty one */
  uint64_t *times;                        /* the bits of these, which are in their order */
  uint32_t *places;                       /* where the event itself is; behind `count` those that are free */
  struct event *items;                    /* by place */
  uint32_t count, capacity;
  uint32_t trims;                /* so often has it given room back */
  char *memory;                  /* of the times */
  uint32_t lane_begin, lane_end; /* so many have left the lane, and come into it, so far: modulo 2^32 */
  struct event lane[EVENT_LANE];
};

void event_queue_grow(struct event_queue *queue, struct arena *arena);
/* Gives room back of which there is much more than is used, as where all began at one time; not where that comes again
 * and again. No event that has been taken is looked at any more. */
void event_queue_trim(struct event_queue *queue, struct arena *arena);
/* Which of the four siblings from that one on comes first, where some are at one time. */
size_t event_least_of(const struct event_queue *queue, size_t below);

/* No event's time, and no sibling's. */
static inline uint64_t event_none(size_t at) { return UINT64_MAX - at % 4; }

static inline uint64_t event_time_bits(double time) {
  uint64_t bits;
  time += 0.0; /* no -0 */
  memcpy(&bits, &time, sizeof bits);
  return bits;
}

/* Two at one time. */
static inline bool event_order_before(const struct event *a, const struct event *b) {
  return a->order != b->order ? a->order < b->order : a->step < b->step;
}

/* Puts the event in that place into the hole, or above it. */
static inline void event_rise(struct event_queue *queue, size_t hole, uint64_t time, uint32_t place) {
  uint64_t *times = queue->times;
  uint32_t *places = queue->places;
  while (hole > 0) {
    size_t up = (hole - 1) / 4;
    if (times[up] < time) break;
    if (times[up] == time && !event_order_before(&queue->items[place], &queue->items[places[up]])) break;
    times[hole] = times[up];
    places[hole] = places[up];
    hole = up;
  }
  times[hole] = time;
  places[hole] = place;
}

static inline uint32_t event_count(const struct event_queue *queue) {
  return queue->count + (queue->lane_end - queue->lane_begin);
}

static inline bool event_before(const struct event *a, const struct event *b) {
  return a->time < b->time || (a->time == b->time && event_order_before(a, b));
}

/* Where an event of that time, order and step, which stand there, is: the rest is the caller's to set. */
struct event *event_place(struct event_queue *queue, struct arena *arena, double time, uint64_t order, uint64_t step);

static inline void event_add(struct event_queue *queue, struct arena *arena, double time, uint64_t order, uint64_t step,
                             void *subject, uint32_t generation, uint32_t instance) {
  struct event *event = event_place(queue, arena, time, order, step);
  event->subject = subject;
  event->generation = generation;
  event->instance = instance;
}

static inline size_t event_least(const struct event_queue *queue, const uint64_t *times, size_t below) {
  uint64_t a = times[below], b = times[below + 1], c = times[below + 2], d = times[below + 3];
  size_t left = below + (b < a), right = below + 2 + (d < c);
  uint64_t x = b < a ? b : a, y = d < c ? d : c;
  if (__builtin_expect(a == b, 0) || __builtin_expect(c == d, 0) || __builtin_expect(x == y, 0))
    return event_least_of(queue, below);
  return left ^ ((left ^ right) & -(size_t)(y < x)); /* without a branch, which nobody could foresee */
}

static inline const struct event *event_of_heap(struct event_queue *queue) {
  uint64_t *times = queue->times;
  uint32_t *places = queue->places, top = places[0];
  size_t count = --queue->count, hole = 0;
  uint64_t time = times[count];
  uint32_t last = places[count];
  times[count] = event_none(count);
  places[count] = top;
  if (count) {
    for (size_t below = 1; below < count; below = 4 * hole + 1) { /* the least one rises, down to the lowest */
      size_t least = event_least(queue, times, below);
      times[hole] = times[least];
      places[hole] = places[least];
      hole = least;
    }
    event_rise(queue, hole, time, last); /* the last one stands in its place, mostly there */
  }
  return &queue->items[top];
}

/* Does the first one stand in the lane? The queue is not empty. */
static inline bool event_in_lane(const struct event_queue *queue) {
  const struct event *first = &queue->lane[queue->lane_begin % EVENT_LANE];
  if (queue->lane_begin == queue->lane_end) return false;
  if (!queue->count) return true;
  uint64_t bits = event_time_bits(first->time);
  if (bits != queue->times[0]) return bits < queue->times[0];
  return event_order_before(first, &queue->items[queue->places[0]]);
}

/* The first one, which stands there until the next is added; the queue is not empty. */
static inline const struct event *event_take(struct event_queue *queue) {
  return event_in_lane(queue) ? &queue->lane[queue->lane_begin++ % EVENT_LANE] : event_of_heap(queue);
}

/* The first one; the queue is not empty. */
static inline const struct event *event_first(const struct event_queue *queue) {
  return event_in_lane(queue) ? &queue->lane[queue->lane_begin % EVENT_LANE] : &queue->items[queue->places[0]];
}

/* Does none come before that? */
static inline bool event_none_before(const struct event_queue *queue, double time, uint64_t order, uint64_t step) {
  struct event event = {.time = time, .order = order, .step = step};
  if (queue->lane_begin != queue->lane_end && event_before(&queue->lane[queue->lane_begin % EVENT_LANE], &event))
    return false;
  if (!queue->count) return true;
  uint64_t bits = event_time_bits(time);
  if (queue->times[0] != bits) return queue->times[0] > bits;
  return !event_order_before(&queue->items[queue->places[0]], &event);
}
#endif
