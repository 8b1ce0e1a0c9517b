/* The closed network of network.psl as one would write it by hand: an event loop over a binary heap, a line of
 * customers at each station, the same variates on the same streams, the same statistics (count, mean, deviation, least
 * and greatest of the response times, time served and waited). So its results must be those of the model.
 *
 *   network STATIONS CUSTOMERS CYCLES   prints the visits, seconds of processor time, mean response, its deviation */
#include "interp/model/random.h"
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double think = 10, service = 0.9;

static void rng_set(void *state, unsigned long seed) { *(struct random_stream *)state = random_open(seed, "", 0); }
static unsigned long rng_get(void *state) { return (unsigned long)(random_next(state) >> 32); }
static double rng_get_double(void *state) { return random_uniform(state); }
static const gsl_rng_type rng_type = {.name = "SplitMix64",
                                      .max = 0xffffffffu,
                                      .size = sizeof(struct random_stream),
                                      .set = rng_set,
                                      .get = rng_get,
                                      .get_double = rng_get_double};

static double exponential(struct random_stream *stream, double mean) {
  gsl_rng rng = {&rng_type, stream};
  return gsl_ran_exponential(&rng, mean);
}

struct event {
  double time;
  uint64_t sequence;
  int32_t customer; /* who has thought; or below 0: -1 - the station that has served */
};
static struct {
  struct event *events;
  uint32_t count;
  uint64_t sequence;
} heap;

static bool before(const struct event *a, const struct event *b) {
  return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static void push(double time, int32_t customer) {
  struct event event = {time, heap.sequence++, customer};
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
  struct random_stream stream;
  double came;
  int32_t next; /* behind it in line; -1: nobody */
  int32_t left; /* cycles */
};
struct station {
  struct random_stream stream;
  int32_t first, last; /* in line, the first one is served; -1: nobody */
};

static struct statistics {
  uint64_t count;
  double sum, square, least, most, served, waited;
} s;

static void observe(double x) {
  double mean = s.count ? s.sum / (double)s.count : 0;
  if (!s.count++) s.least = s.most = x;
  s.sum += x;
  s.square += (x - mean) * (x - s.sum / (double)s.count);
  s.least = fmin(s.least, x);
  s.most = fmax(s.most, x);
}

static struct customer *customers;
static struct station *stations;

static void serve(int32_t at, double time) {
  struct station *station = &stations[at];
  double demand = exponential(&station->stream, service);
  s.waited += time - customers[station->first].came;
  s.served += demand;
  push(time + demand, -1 - at);
}

static void arrive(int32_t who, uint32_t station_count, double time) {
  struct customer *customer = &customers[who];
  int32_t at = (int32_t)random_below(&customer->stream, station_count);
  struct station *station = &stations[at];
  customer->came = time;
  customer->next = -1;
  bool idle = station->first < 0;
  *(idle ? &station->first : &customers[station->last].next) = who;
  station->last = who;
  if (idle) serve(at, time);
}

static void depart(int32_t at, double time) {
  struct station *station = &stations[at];
  int32_t who = station->first;
  struct customer *customer = &customers[who];
  observe(time - customer->came);
  station->first = customer->next;
  if (--customer->left) push(time + exponential(&customer->stream, think), who);
  if (station->first >= 0) serve(at, time);
}

int main(int argc, char **argv) {
  uint32_t station_count = argc > 1 ? (uint32_t)atol(argv[1]) : 1000;
  int32_t customer_count = argc > 2 ? atoi(argv[2]) : 10000, cycles = argc > 3 ? atoi(argv[3]) : 100;
  stations = calloc(station_count, sizeof *stations);
  customers = calloc((size_t)customer_count, sizeof *customers);
  heap.events = calloc((size_t)customer_count + 1, sizeof *heap.events);
  if (!stations || !customers || !heap.events) abort();
  clock_t start = clock();
  for (uint32_t i = 0; i < station_count; i++)
    stations[i] = (struct station){random_open_words(0, random_hash("station", 7), (int64_t[]){i}, 1), -1, -1};
  for (int32_t c = 0; c < customer_count; c++) {
    customers[c] =
        (struct customer){random_open_words(0, random_hash("customer", 8), (int64_t[]){c}, 1), 0, -1, cycles};
    push(exponential(&customers[c].stream, think), c);
  }
  while (heap.count > 0) {
    struct event event = pop();
    if (event.customer >= 0)
      arrive(event.customer, station_count, event.time);
    else
      depart(-1 - event.customer, event.time);
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("%" PRIu64 " %.6f %.15g %.15g %.15g %.15g %.15g %.15g\n", s.count, seconds, s.sum / (double)s.count,
         sqrt(s.square / (double)(s.count - 1)), s.least, s.most, s.served, s.waited);
  return 0;
}
