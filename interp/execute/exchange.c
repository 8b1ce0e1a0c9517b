/* Rings in shared memory between the processes that simulate the partitions of a run.
 *
 * `pending` counts the partitions that do something and the bytes that have been published and not taken: it is 0 only
 * when nothing can happen any more. A ring has one writer and one reader, and its two places only grow. */
#include "interp/execute/exchange.h"
#include "interp/execute/outgoing.h"
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
  RING = 1 << 18, /* bytes, a power of two */
  LINE = 64,      /* of the processor's cache */
  SPIN = 4000,    /* looks before a partition sleeps */
};

struct ring {
  _Alignas(LINE) _Atomic uint64_t written;
  _Alignas(LINE) _Atomic uint64_t read;
  _Alignas(LINE) char bytes[RING];
};

struct seat { /* of a partition */
  _Alignas(LINE) _Atomic bool asleep;
  sem_t wake;
  char offers[EXCHANGE_ROUNDS][EXCHANGE_OFFER];
  _Alignas(LINE) _Atomic uint64_t windows; /* so many times has it come to meet the others, */
  double next[2];                          /* and said this, the last time and the one before */
};

enum state { RUNS, OVER, GIVEN_UP };

struct exchange {
  uint32_t count;
  size_t size;  /* of all this, bytes */
  bool crowded; /* more partitions than processors: nobody waits by looking again and again */
  _Alignas(LINE) _Atomic int64_t pending;
  _Alignas(LINE) _Atomic int state;
  _Atomic bool reasoned;
  _Atomic uint32_t offered[EXCHANGE_ROUNDS];
  size_t begin, end;
  char reason[EXCHANGE_REASON];
  struct seat seats[PARTITIONS];
  struct ring rings[]; /* from * count + to */
};

struct exchange *exchange_open(uint32_t count) {
  size_t size = sizeof(struct exchange) + (size_t)count * count * sizeof(struct ring);
  struct exchange *exchange = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (exchange == MAP_FAILED) return NULL;
  exchange->count = count;
  exchange->size = size;
  exchange->crowded = sysconf(_SC_NPROCESSORS_ONLN) < (long)count;
  exchange->pending = count;
  for (uint32_t k = 0; k < count; k++)
    sem_init(&exchange->seats[k].wake, 1, 0);
  return exchange;
}

void exchange_close(struct exchange *exchange) {
  for (uint32_t k = 0; k < exchange->count; k++)
    sem_destroy(&exchange->seats[k].wake);
  munmap(exchange, exchange->size);
}

static void wake(struct exchange *exchange, uint32_t who) {
  struct seat *seat = &exchange->seats[who];
  if (atomic_load(&seat->asleep) && atomic_exchange(&seat->asleep, false)) sem_post(&seat->wake);
}

static void state_set(struct exchange *exchange, enum state state) {
  atomic_store(&exchange->state, state);
  for (uint32_t k = 0; k < exchange->count; k++)
    wake(exchange, k);
}

void exchange_give_up(struct exchange *exchange, const char *why, size_t begin, size_t end) {
  if (!atomic_exchange(&exchange->reasoned, true)) {
    snprintf(exchange->reason, sizeof exchange->reason, "%s", why);
    exchange->begin = begin;
    exchange->end = end;
  }
  state_set(exchange, GIVEN_UP);
}

bool exchange_given_up(const struct exchange *exchange) {
  return atomic_load_explicit(&exchange->state, memory_order_relaxed) == GIVEN_UP;
}

const char *exchange_reason(const struct exchange *exchange, size_t *begin, size_t *end) {
  *begin = exchange->begin;
  *end = exchange->end;
  return exchange->reason;
}

/* ---- the side of a partition ---- */

struct ring_port {
  struct port port;
  struct exchange *exchange;
  bool unpublished;
  uint64_t windows; /* as in its seat */
  struct outgoing out[PARTITIONS];
};

static struct ring_port *of(struct port *port) { return (struct ring_port *)port; }
static const struct ring_port *seen(const struct port *port) { return (const struct ring_port *)port; }

static void ring_close(struct port *port) {
  for (uint32_t k = 0; k < PARTITIONS; k++)
    free(of(port)->out[k].bytes);
  free(port);
}

static struct ring *ring_from(const struct port *port, uint32_t from) {
  return &seen(port)->exchange->rings[from * port->count + port->own];
}
static struct ring *ring_to(const struct port *port, uint32_t to) {
  return &seen(port)->exchange->rings[port->own * port->count + to];
}

static void ring_send(struct port *port, uint32_t to, const void *item, size_t size) {
  if (!outgoing_add(&of(port)->out[to], item, size))
    exchange_give_up(of(port)->exchange, "there is no memory for what is sent", 0, 0);
  of(port)->unpublished = true;
}

static void ring_put(struct ring *ring, uint64_t at, const char *from, size_t size) {
  size_t place = at % RING, first = RING - place < size ? RING - place : size;
  memcpy(ring->bytes + place, from, first);
  memcpy(ring->bytes, from + first, size - first);
}

static void ring_get(const struct ring *ring, uint64_t at, char *to, size_t size) {
  size_t place = at % RING, first = RING - place < size ? RING - place : size;
  memcpy(to, ring->bytes + place, first);
  memcpy(to + first, ring->bytes, size - first);
}

/* As many bytes as there is room for: items may come in pieces. */
static bool publish_to(struct port *port, uint32_t to) {
  struct outgoing *out = &of(port)->out[to];
  struct ring *ring = ring_to(port, to);
  uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  size_t room = RING - (size_t)(written - atomic_load_explicit(&ring->read, memory_order_acquire));
  size_t size = out->end - out->begin < room ? out->end - out->begin : room;
  if (size) {
    ring_put(ring, written, out->bytes + out->begin, size);
    out->begin += size;
    atomic_fetch_add(&of(port)->exchange->pending, (int64_t)size);
    atomic_store(&ring->written, written + size);
    wake(of(port)->exchange, to);
  }
  return out->begin == out->end;
}

static void ring_publish(struct port *port) {
  if (!of(port)->unpublished) return;
  bool all = true;
  for (uint32_t to = 0; to < port->count; to++)
    if (of(port)->out[to].begin < of(port)->out[to].end) all &= publish_to(port, to);
  of(port)->unpublished = !all;
}

static bool something_came(const struct port *port) {
  for (uint32_t from = 0; from < port->count; from++) {
    const struct ring *ring = ring_from(port, from);
    uint64_t there = atomic_load(&ring->written) - atomic_load_explicit(&ring->read, memory_order_relaxed);
    uint16_t head;
    if (there < sizeof head) continue;
    ring_get(ring, ring->read, (char *)&head, sizeof head);
    if (there >= sizeof head + head) return true;
  }
  return false;
}

static bool ring_receive(struct port *port, void (*take)(void *user, const void *item, size_t size), void *user) {
  bool some = false;
  for (uint32_t from = 0; from < port->count; from++) {
    struct ring *ring = ring_from(port, from);
    uint64_t begin = atomic_load_explicit(&ring->read, memory_order_relaxed), read = begin;
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    _Alignas(16) char item[EXCHANGE_ITEM];
    uint16_t head;
    while (written - read >= sizeof head) {
      ring_get(ring, read, (char *)&head, sizeof head);
      if (written - read < sizeof head + head) break;
      ring_get(ring, read + sizeof head, item, head);
      read += sizeof head + head;
      take(user, item, head);
    }
    if (read == begin) continue;
    some = true;
    atomic_store_explicit(&ring->read, read, memory_order_release);
    atomic_fetch_sub(&of(port)->exchange->pending, (int64_t)(read - begin));
  }
  return some;
}

/* For a while, or until that is so or the run is over. */
static void rest(struct port *port, bool (*awaited)(const struct port *port)) {
  struct seat *seat = &of(port)->exchange->seats[port->own];
  struct timespec until;
  atomic_store(&seat->asleep, true);
  if (!awaited(port) && atomic_load(&of(port)->exchange->state) == RUNS) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10 * 1000 * 1000;
    if (until.tv_nsec >= 1000 * 1000 * 1000) {
      until.tv_sec++;
      until.tv_nsec -= 1000 * 1000 * 1000;
    }
    sem_timedwait(&seat->wake, &until);
  }
  atomic_store(&seat->asleep, false);
}

static void pause_for(const struct port *port, uint32_t *looks) {
  if (seen(port)->exchange->crowded || ++*looks % 64 == 0) sched_yield();
}

static enum port_wait ring_wait(struct port *port) {
  struct exchange *exchange = of(port)->exchange;
  uint32_t looks = 0;
  for (ring_publish(port); of(port)->unpublished; ring_publish(port)) { /* some ring is full */
    if (something_came(port)) return PORT_CAME;
    if (exchange_given_up(exchange)) return PORT_GIVEN_UP;
    pause_for(port, &looks);
  }
  if (something_came(port)) return PORT_CAME;
  if (atomic_fetch_sub(&exchange->pending, 1) == 1) state_set(exchange, OVER);
  for (looks = 0;;) {
    int state = atomic_load(&exchange->state);
    if (state != RUNS) return state == OVER ? PORT_OVER : PORT_GIVEN_UP;
    if (something_came(port)) {
      atomic_fetch_add(&exchange->pending, 1);
      return PORT_CAME;
    }
    if (exchange->crowded || looks > SPIN)
      rest(port, something_came);
    else
      pause_for(port, &looks);
  }
}

static bool all_have_met(const struct port *port) {
  const struct exchange *exchange = seen(port)->exchange;
  for (uint32_t k = 0; k < port->count; k++)
    if (atomic_load(&exchange->seats[k].windows) < seen(port)->windows) return false;
  return true;
}

/* Who is first may be one window ahead of the others, and no more: two places are enough for what they say. */
static enum port_wait ring_meet(struct port *port, double next, double *least,
                                void (*take)(void *user, const void *item, size_t size), void *user) {
  struct exchange *exchange = of(port)->exchange;
  uint32_t looks = 0;
  for (ring_publish(port); of(port)->unpublished; ring_publish(port)) { /* some ring is full */
    if (exchange_given_up(exchange)) return PORT_GIVEN_UP;
    if (!ring_receive(port, take, user)) pause_for(port, &looks);
  }
  uint64_t window = ++of(port)->windows;
  exchange->seats[port->own].next[window % 2] = next;
  atomic_store(&exchange->seats[port->own].windows, window);
  for (uint32_t k = 0; k < port->count; k++)
    if (k != port->own) wake(exchange, k);
  for (looks = 0; !all_have_met(port);) {
    if (exchange_given_up(exchange)) return PORT_GIVEN_UP;
    if (ring_receive(port, take, user)) continue;
    if (looks > SPIN)
      rest(port, all_have_met);
    else
      pause_for(port, &looks);
  }
  ring_receive(port, take, user);
  *least = next;
  for (uint32_t k = 0; k < port->count; k++)
    if (exchange->seats[k].next[window % 2] < *least) *least = exchange->seats[k].next[window % 2];
  return PORT_CAME;
}

static bool ring_agree(struct port *port, const void *offer, size_t size, uint32_t round) {
  struct exchange *exchange = of(port)->exchange;
  memcpy(exchange->seats[port->own].offers[round], offer, size);
  atomic_fetch_add(&exchange->offered[round], 1);
  while (atomic_load(&exchange->offered[round]) < exchange->count) {
    if (exchange_given_up(exchange)) return false;
    sched_yield();
  }
  return true;
}

static const void *ring_offered(const struct port *port, uint32_t by, uint32_t round) {
  return seen(port)->exchange->seats[by].offers[round];
}

static void ring_give_up(struct port *port, const char *why, size_t begin, size_t end) {
  exchange_give_up(of(port)->exchange, why, begin, end);
}

static bool ring_given_up(const struct port *port) { return exchange_given_up(seen(port)->exchange); }

static const struct port_ways ways = {ring_close, ring_send,  ring_publish, ring_receive, ring_wait,
                                      ring_meet,  ring_agree, ring_offered, ring_give_up, ring_given_up};

struct port *port_open(struct exchange *exchange, uint32_t own) {
  struct ring_port *port = calloc(1, sizeof *port);
  if (!port) return NULL;
  port->port = (struct port){&ways, own, exchange->count};
  port->exchange = exchange;
  return &port->port;
}
