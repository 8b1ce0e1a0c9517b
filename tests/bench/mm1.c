/* The M/M/1 of mm1.psl as one would write it by hand: an event loop over a binary heap, the same variates of
 * GSL on the same streams, the same statistics (count, mean, deviation, least and greatest of the response
 * times, time served and waited). So its results must be those of the model.
 *
 *   mm1 CUSTOMERS   prints the customers, seconds of processor time, mean response and its deviation */
#include "interp/model/random.h"
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double between = 1.25, service = 1;

static void rng_set(void *state, unsigned long seed) { *(struct random_stream *)state = random_open(seed, "", 0); }
static unsigned long rng_get(void *state) { return (unsigned long)(random_next(state) >> 32); }
static double rng_get_double(void *state) { return random_uniform(state); }
static const gsl_rng_type rng_type = {.name = "SplitMix64",
                                      .max = 0xffffffffu,
                                      .size = sizeof(struct random_stream),
                                      .set = rng_set,
                                      .get = rng_get,
                                      .get_double = rng_get_double};

enum kind { ARRIVAL, DEPARTURE };
struct event {
  double time;
  uint64_t sequence;
  enum kind kind;
};
static struct {
  struct event *events;
  uint32_t count, capacity;
  uint64_t sequence;
} heap;

static bool before(const struct event *a, const struct event *b) {
  return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static void push(double time, enum kind kind) {
  if (heap.count == heap.capacity) {
    heap.capacity = heap.capacity ? 2 * heap.capacity : 64;
    heap.events = realloc(heap.events, heap.capacity * sizeof *heap.events);
    if (!heap.events) abort();
  }
  struct event event = {time, heap.sequence++, kind};
  uint32_t at = heap.count++;
  for (; at > 0 && before(&event, &heap.events[(at - 1) / 2]); at = (at - 1) / 2)
    heap.events[at] = heap.events[(at - 1) / 2];
  heap.events[at] = event;
}

static struct event pop(void) {
  struct event top = heap.events[0], last = heap.events[--heap.count];
  uint32_t at = 0, child;
  while ((child = 2 * at + 1) < heap.count) {
    if (child + 1 < heap.count && before(&heap.events[child + 1], &heap.events[child])) child++;
    if (!before(&heap.events[child], &last)) break;
    heap.events[at] = heap.events[child];
    at = child;
  }
  heap.events[at] = last;
  return top;
}

struct customer {
  struct customer *next;
  double arrived;
};
static struct { struct customer *first, *last, *spare; } line;

static void enter(double time) {
  struct customer *customer = line.spare;
  if (customer)
    line.spare = customer->next;
  else if (!(customer = malloc(sizeof *customer)))
    abort();
  *customer = (struct customer){NULL, time};
  *(line.first ? &line.last->next : &line.first) = customer;
  line.last = customer;
}

static double leave(void) {
  struct customer *customer = line.first;
  line.first = customer->next;
  customer->next = line.spare;
  line.spare = customer;
  return customer->arrived;
}

struct statistics {
  uint64_t count;
  double sum, square, least, most, served, waited;
};

static void observe(struct statistics *s, double x) {
  double mean = s->count ? s->sum / (double)s->count : 0;
  if (!s->count++) s->least = s->most = x;
  s->sum += x;
  s->square += (x - mean) * (x - s->sum / (double)s->count);
  s->least = fmin(s->least, x);
  s->most = fmax(s->most, x);
}

static void serve(struct statistics *s, const gsl_rng *rng, double time) {
  double demand = gsl_ran_exponential(rng, service);
  s->waited += time - line.first->arrived;
  s->served += demand;
  push(time + demand, DEPARTURE);
}

int main(int argc, char **argv) {
  int64_t customers = argc > 1 ? atoll(argv[1]) : 10000000, come = 0;
  struct random_stream source = random_open_words(0, random_hash("source", 6), NULL, 0);
  struct random_stream server = random_open_words(0, random_hash("server", 6), NULL, 0);
  gsl_rng arrivals = {&rng_type, &source}, services = {&rng_type, &server};
  struct statistics s = {0};
  clock_t start = clock();
  push(gsl_ran_exponential(&arrivals, between), ARRIVAL);
  while (heap.count > 0) {
    struct event event = pop();
    if (event.kind == ARRIVAL) {
      bool idle = !line.first;
      enter(event.time);
      if (++come < customers) push(event.time + gsl_ran_exponential(&arrivals, between), ARRIVAL);
      if (idle) serve(&s, &services, event.time);
    } else {
      observe(&s, event.time - leave());
      if (line.first) serve(&s, &services, event.time);
    }
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("%" PRIu64 " %.6f %.15g %.15g %.15g %.15g %.15g %.15g\n", s.count, seconds, s.sum / (double)s.count,
         sqrt(s.square / (double)(s.count - 1)), s.least, s.most, s.served, s.waited);
  return 0;
}
