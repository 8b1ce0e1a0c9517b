/* Bursts are measured by the processor's time stamp, which is quick but counts the time of others too. The kernel says
 * that it has interrupted a burst by clearing the process's restartable sequence; the thread's clock of processor time,
 * read anew after each, then says what the burst has taken. What is left over of an interruption is cold caches:
 * such a burst that takes much longer than any that was not interrupted between its two calls lately, and by no more
 * than caches can cost, counts as a usual one. */
#include "evaluators/programs/mpi/burst.h"
#include "evaluators/programs/mpi/clock.h"
#include "evaluators/programs/mpi/rank.h"
#include <dlfcn.h>
#include <stdlib.h>

#define KEYS 1024   /* of bursts at most; further ones are taken as they are */
#define LATELY 15   /* bursts of a key, not interrupted, that others are compared to */
#define OUTLIER 8.0 /* times the longest of them */
#define COLD 1e-3   /* s, the most that is taken for cold caches */

struct lately {
  const void *before, *after;
  uint64_t name; /* of the burst; 0: not made yet */
  float seconds[LATELY];
  uint32_t count;
};

static double tick; /* s of the time stamp */
/* The thread's clock, at that stamp; only the burst in hand may have been interrupted since. */
static double synchronised_cpu;
static uint64_t synchronised_stamp;

/* ---- bursts ---- */

static void synchronise(void) {
  burst_watch();
  synchronised_cpu = burst_cpu();
  synchronised_stamp = burst_stamp();
}

void clock_open(void) {
  burst_open();
  if (area->costs == COSTS_MEASURED) {
    if (area->tick == 0) {
      area->tick = burst_tick();
      area->asking = area->tick * burst_asking();
    }
    tick = area->tick;
    synchronise();
  }
}

/* A few are the library's own, at either end of a burst. */
static uint64_t instructions(void) {
  const volatile uint64_t *count = &area->seats[self->number].instructions;
  return *count;
}

void clock_burst_begin(void) {
  if (area->costs == COSTS_INSTRUCTIONS) self->clock.begun = instructions();
  if (area->costs != COSTS_MEASURED) return;
  if (burst_interrupted()) synchronise(); /* within the call, by others' turns, or where nobody says */
  self->clock.begun = burst_stamp();
}

static int by_size(const void *a, const void *b) {
  return *(const float *)a < *(const float *)b ? -1 : *(const float *)a > *(const float *)b;
}

/* The median of its bursts, and the longest of them. */
static double usual(const struct lately *key, double *longest) {
  float sorted[LATELY];
  uint32_t count = key->count < LATELY ? key->count : LATELY;
  memcpy(sorted, key->seconds, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_size);
  *longest = sorted[count - 1];
  return sorted[count / 2];
}

/* Its place in the table, or the free one that it gets. */
static struct lately *key_find(const struct clock *clock, const void *before, const void *after) {
  uintptr_t hash = ((uintptr_t)before * 31 + (uintptr_t)after) * 0x9e3779b97f4a7c15u >> 32;
  struct lately *key;
  do
    key = &clock->keys[hash++ % clock->key_capacity];
  while (key->after && (key->before != before || key->after != after));
  return key;
}

/* Half of the table is free. */
static bool keys_grow(struct clock *clock) {
  struct clock larger = {.key_capacity = clock->key_capacity ? 2 * clock->key_capacity : 16};
  larger.keys = calloc(larger.key_capacity, sizeof *larger.keys);
  for (uint32_t k = 0; larger.keys && k < clock->key_capacity; k++)
    if (clock->keys[k].after) *key_find(&larger, clock->keys[k].before, clock->keys[k].after) = clock->keys[k];
  if (!larger.keys) return false;
  free(clock->keys);
  clock->keys = larger.keys;
  clock->key_capacity = larger.key_capacity;
  return true;
}

static struct lately *key_of(const void *before, const void *after) {
  struct clock *clock = &self->clock;
  if (2 * clock->key_count >= clock->key_capacity && clock->key_count < KEYS && !keys_grow(clock)) return NULL;
  struct lately *key = key_find(clock, before, after);
  if (key->after) return key;
  if (clock->key_count >= KEYS) return NULL;
  clock->key_count++;
  key->before = before;
  key->after = after;
  return key;
}

static double burst_end(const void *before, const void *after) {
  if (area->costs == COSTS_INSTRUCTIONS) return (double)(instructions() - self->clock.begun);
  if (area->costs != COSTS_MEASURED) return 0;
  uint64_t now = burst_stamp();
  double seconds = (double)(now - self->clock.begun) * tick;
  bool cut = burst_interrupted();
  struct seat *seat = &area->seats[self->number];
  seat->bursts.all++;
  seat->bursts.interrupted += cut;
  if (cut) {
    double before_it = (double)(self->clock.begun - synchronised_stamp) * tick;
    double taken = burst_cpu() - synchronised_cpu - before_it;
    seconds = taken < tick ? tick : taken < seconds ? taken : seconds;
  }
  struct lately *key = key_of(before, after);
  if (!key) return seconds;
  if (!cut) {
    key->seconds[key->count++ % LATELY] = (float)seconds;
    return seconds;
  }
  double longest, median = key->count >= 5 ? usual(key, &longest) : 0;
  if (median <= 0 || seconds <= OUTLIER * longest || seconds > longest + COLD) return seconds;
  seat->bursts.replaced++;
  return median;
}

double clock_work_end(const void *before, const void *after) {
  double work = burst_end(before, after) + self->clock.held;
  self->clock.held = 0;
  return work;
}

void clock_work_hold(const void *from) {
  self->clock.held += burst_end(self->site, from) + area->asking;
  self->site = from;
  clock_burst_begin();
}

uint64_t clock_part_begin(void) {
  if (area->costs == COSTS_INSTRUCTIONS) return instructions();
  if (area->costs == COSTS_MEASURED && burst_interrupted()) synchronise();
  return burst_stamp();
}

void clock_part_end(uint64_t begun) {
  struct clock *clock = &self->clock;
  if (area->costs == COSTS_INSTRUCTIONS) clock->held += (double)(instructions() - begun);
  if (area->costs == COSTS_MEASURED && !burst_interrupted()) clock->held += (double)(burst_stamp() - begun) * tick;
}

/* A place in a file that is loaded, so that it is the same in each run, and in traces of real ones: what stands before
 * a return address is the call. */
static uint64_t place_of(const void *site) {
  Dl_info info;
  size_t place = (size_t)((const char *)site - self->seat->base);
  if (place < area->program_size) return place - 1;
  return site && dladdr(site, &info) ? (uint64_t)((const char *)site - (const char *)info.dli_fbase) - 1 : 0;
}

uint64_t clock_burst_key(const void *before, const void *after) {
  struct lately *key = area->costs == COSTS_MEASURED ? key_of(before, after) : NULL;
  uint64_t name = key ? key->name : 0;
  if (!name) name = place_of(before) << 32 ^ place_of(after);
  if (key) key->name = name;
  return name;
}
