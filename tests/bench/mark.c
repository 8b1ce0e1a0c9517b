/* Patterns of messages in a simulator written for them: what the simulation of message passing costs at best where
 * messages are matched and not known beforehand. The patterns and costs are those of the models beside it, so the
 * predicted times must be the same.
 *
 * Each rank is a machine of steps with a clock of its own; it runs until it waits for a message. Messages of a source,
 * destination and tag stand in a channel, found by a hash. Costs are LogGP's, eager: o at either end, L + G x size
 * between. A receive from any source takes what arrives first, once all ranks wait.
 *
 *   mark PATTERN N [ROUNDS]   prints events, seconds of processor time, predicted seconds
 *     wavefront     N x N ranks, 8 sweeps of ROUNDS blocks
 *     halo          N x N ranks on a torus
 *     master        a master and N workers
 *     all-reduce    N ranks, a power of two, recursive doubling */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double L = 23e-6, OS = 23e-6, OL = 47e-6, G = 0.07e-6;
enum kind { END, COMPUTE, SEND, RECEIVE };
enum { ANY = -1, NOBODY = UINT32_MAX };
struct operation {
  enum kind kind;
  int peer;
  double value; /* s, or bytes */
};

struct channel { /* arrivals in a ring, whose size is a power of two */
  uint64_t key;  /* 0: free */
  double *arrivals;
  uint32_t first, count, capacity, waiter;
};
struct rank {
  double clock;
  int phase, round, sweep, least; /* where it stands in its pattern */
  struct operation next;          /* that it waits in */
};
struct arrival { /* at the rank that receives from any source */
  double time;
  int source;
};

static int n, ranks, rounds;
static struct rank *all;
static uint32_t *ready, ready_count, channel_count, table_size;
static struct channel *table;
static struct arrival *heap;
static uint32_t heap_count;
static uint64_t events;

/* ---- channels ---- */

static uint32_t place_of(uint64_t key) {
  uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (table_size - 1);
  while (table[at].key && table[at].key != key)
    at = (at + 1) & (table_size - 1);
  return at;
}

static struct channel *channel_of(int source, int destination, int tag) {
  uint64_t key = (uint64_t)(source + 1) << 40 | (uint64_t)destination << 8 | (uint64_t)tag;
  struct channel *c = &table[place_of(key)];
  if (c->key) return c;
  if (2 * ++channel_count > table_size) {
    struct channel *old = table;
    uint32_t size = table_size;
    table = calloc(table_size = 2 * size, sizeof *table);
    for (uint32_t k = 0; k < size; k++)
      if (old[k].key) table[place_of(old[k].key)] = old[k];
    free(old);
    c = &table[place_of(key)];
  }
  *c = (struct channel){.key = key, .waiter = NOBODY};
  return c;
}

static void put(struct channel *c, double arrival) {
  if (c->count == c->capacity) {
    uint32_t larger = c->capacity ? 2 * c->capacity : 4;
    double *ring = malloc(larger * sizeof *ring);
    for (uint32_t k = 0; k < c->count; k++)
      ring[k] = c->arrivals[(c->first + k) & (c->capacity - 1)];
    free(c->arrivals);
    *c = (struct channel){c->key, ring, 0, c->count, larger, c->waiter};
  }
  c->arrivals[(c->first + c->count++) & (c->capacity - 1)] = arrival;
}

static double take(struct channel *c) {
  double arrival = c->arrivals[c->first];
  c->first = (c->first + 1) & (c->capacity - 1);
  c->count--;
  return arrival;
}

/* ---- what has arrived for any source, the earliest first, then the lowest rank ---- */

static int before(struct arrival a, struct arrival b) {
  return a.time < b.time || (a.time == b.time && a.source < b.source);
}

static void heap_put(struct arrival a) {
  uint32_t at = heap_count++;
  for (; at && before(a, heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = a;
}

static struct arrival heap_take(void) {
  struct arrival top = heap[0], last = heap[--heap_count];
  uint32_t at = 0, down;
  for (; (down = 2 * at + 1) < heap_count; at = down) {
    if (down + 1 < heap_count && before(heap[down + 1], heap[down])) down++;
    if (!before(heap[down], last)) break;
    heap[at] = heap[down];
  }
  heap[at] = last;
  return top;
}

/* ---- patterns: the next operation of a rank ---- */

static struct operation op(enum kind kind, int peer, double value) { return (struct operation){kind, peer, value}; }

static struct operation wavefront(int r, struct rank *s) {
  for (;;) {
    if (s->phase == 5) s->phase = 0, s->round++;
    if (s->round == rounds) s->round = 0, s->sweep++;
    if (s->sweep == 8) return op(END, 0, 0);
    int i = r / n, j = r % n, di = s->sweep < 4 ? -1 : 1, dj = s->sweep % 4 < 2 ? -1 : 1;
    switch (s->phase++) {
    case 0:
      if (i - di >= 0 && i - di < n) return op(RECEIVE, r - di * n, 0);
      break;
    case 1:
      if (j - dj >= 0 && j - dj < n) return op(RECEIVE, r - dj, 0);
      break;
    case 2: return op(COMPUTE, 0, 1.05e-6 * 30 * 144);
    case 3:
      if (i + di >= 0 && i + di < n) return op(SEND, r + di * n, 2880);
      break;
    case 4:
      if (j + dj >= 0 && j + dj < n) return op(SEND, r + dj, 2880);
      break;
    }
  }
}

static struct operation halo(int r, struct rank *s) {
  if (s->phase == 9) s->phase = 0, s->round++;
  if (s->round == rounds) return op(END, 0, 0);
  int i = r / n, j = r % n, k = s->phase++;
  if (k == 0) return op(COMPUTE, 0, 1e-3);
  int side = (k - 1) % 4,
      to = side < 2 ? (i + (side ? 1 : n - 1)) % n * n + j : i * n + (j + (side == 3 ? 1 : n - 1)) % n;
  return k < 5 ? op(SEND, to, 2048) : op(RECEIVE, to, 0);
}

static struct operation master(int r, struct rank *s) {
  if (r == 0 && s->round == n * rounds) return op(END, 0, 0);
  if (r == 0 && s->phase++ == 0) return op(RECEIVE, ANY, 0);
  if (r == 0) return s->phase = 0, s->round++, op(SEND, s->least, 1000);
  if (s->phase == 3) s->phase = 0, s->round++;
  if (s->round == rounds) return op(END, 0, 0);
  switch (s->phase++) {
  case 0: return op(SEND, 0, 8);
  case 1: return op(RECEIVE, 0, 0);
  default: return op(COMPUTE, 0, 1e-3 * (1 + (r * 7 + (s->round + 1) * 13) % 100));
  }
}

static struct operation all_reduce(int r, struct rank *s) {
  if (s->round == rounds) return op(END, 0, 0);
  if (s->sweep == 0) return s->sweep = 1, op(COMPUTE, 0, 1e-3);
  int other = r ^ s->sweep;
  if (s->phase++ == 0) return op(SEND, other, 8);
  s->phase = 0;
  if ((s->sweep *= 2) == n) s->sweep = 0, s->round++;
  return op(RECEIVE, other, 0);
}

static const struct pattern {
  const char *name;
  struct operation (*next)(int rank, struct rank *);
} patterns[] = {{"wavefront", wavefront}, {"halo", halo}, {"master", master}, {"all-reduce", all_reduce}};

/* ---- the simulation ---- */

static double overhead(double bytes) { return bytes < 1024 ? OS : OL; }

/* Those that are received from one source are all of so many bytes. */
static void simulate(const struct pattern *pattern, double bytes) {
  int any_waits = 0;
  while (ready_count || (any_waits && heap_count)) {
    int r = ready_count ? (int)ready[--ready_count] : 0;
    struct rank *s = &all[r];
    if (any_waits && r == 0) {
      struct arrival a = heap_take();
      s->clock = (a.time > s->clock ? a.time : s->clock) + OS;
      s->least = a.source;
      any_waits = 0;
      events++;
    }
    struct operation o = s->next.kind ? s->next : pattern->next(r, s);
    for (s->next.kind = END; o.kind != END; o = pattern->next(r, s), events++) {
      if (o.kind == COMPUTE) {
        s->clock += o.value;
      } else if (o.kind == SEND) {
        s->clock += overhead(o.value);
        double arrival = s->clock + (L + o.value * G);
        if (pattern->next == master && o.peer == 0) {
          heap_put((struct arrival){arrival, r});
          continue;
        }
        struct channel *c = channel_of(r, o.peer, 0);
        put(c, arrival);
        if (c->waiter != NOBODY) {
          ready[ready_count++] = c->waiter;
          c->waiter = NOBODY;
        }
      } else if (o.peer == ANY) {
        any_waits = 1;
        break;
      } else {
        struct channel *c = channel_of(o.peer, r, 0);
        if (!c->count) {
          c->waiter = (uint32_t)r;
          s->next = o;
          break;
        }
        double arrival = take(c);
        s->clock = (arrival > s->clock ? arrival : s->clock) + overhead(bytes);
      }
    }
  }
}

int main(int argc, char **argv) {
  const struct pattern *pattern = patterns;
  size_t count = sizeof patterns / sizeof *patterns, k = 0;
  while (k < count && argc > 2 && strcmp(argv[1], patterns[k].name) != 0)
    k++;
  if (argc < 3 || k == count || (n = atoi(argv[2])) < 2) return 2;
  pattern += k;
  rounds = argc > 3 ? atoi(argv[3]) : 100;
  ranks = k < 2 ? n * n : pattern->next == master ? n + 1 : n;
  all = calloc((size_t)ranks, sizeof *all);
  ready = malloc((size_t)ranks * sizeof *ready);
  heap = malloc((size_t)ranks * sizeof *heap);
  table = calloc(table_size = 1024, sizeof *table);
  if (!all || !ready || !heap || !table) return 1;
  for (int r = ranks; r-- > 0;)
    ready[ready_count++] = (uint32_t)r;
  clock_t begin = clock();
  simulate(pattern, k == 0 ? 2880 : k == 1 ? 2048 : k == 2 ? 1000 : 8);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC, latest = 0;
  for (int r = 0; r < ranks; r++)
    latest = all[r].clock > latest ? all[r].clock : latest;
  printf("%llu %.6f %.12g\n", (unsigned long long)events, seconds, latest);
  for (uint32_t c = 0; c < table_size; c++)
    free(table[c].arrivals);
  free(table);
  free(heap);
  free(ready);
  free(all);
  return 0;
}
