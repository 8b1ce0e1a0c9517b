/* Partitions of a run tell each other: all that is sent comes, in the order in which one has sent it, also where more
 * is sent than a ring holds; and the end is when nobody has anything to do. In windows of time nothing comes before
 * what has happened. Threads stand for the processes of the system, so that tests/checks/races.t can look for races. */
#include "tests/unit/unit.h"

#include "interp/execute/exchange.h"
#include "interp/model/run.h"
#include <pthread.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { HOPS = 1200, RANK_HOPS = 30, LARGEST = 200 };

struct item { /* goes on so often, from partition to partition */
  uint32_t from, hops;
  uint64_t number; /* of those that this one has sent to that one */
  char rest[LARGEST];
};

struct partition {
  struct exchange *exchange;
  struct mail *mail; /* of its ranks; NULL: the exchange has it */
  struct port *port;
  uint32_t own, count;
  uint32_t random;
  uint64_t sent[PARTITIONS], received[PARTITIONS];
  uint64_t came, wrong;
  bool gives_up;
  enum port_wait end;
  uint64_t agreed;
};

static uint32_t random_of(struct partition *p) {
  p->random = p->random * 1664525u + 1013904223u;
  return p->random >> 8;
}

static void item_send(struct partition *p, uint32_t hops) {
  uint32_t to = (p->own + 1 + random_of(p) % (p->count - 1)) % p->count;
  struct item item = {p->own, hops, p->sent[to]++, {0}};
  memset(item.rest, (int)(item.number & 0x7f), sizeof item.rest);
  port_send(p->port, to, &item, sizeof item - random_of(p) % LARGEST);
}

static void item_take(void *user, const void *bytes, size_t size) {
  struct partition *p = user;
  struct item item = {0};
  memcpy(&item, bytes, size);
  p->came++;
  p->wrong += item.number != p->received[item.from]++;
  for (size_t k = offsetof(struct item, rest); k < size; k++)
    p->wrong += ((const char *)bytes)[k] != (char)(item.number & 0x7f);
  if (item.hops == 0) return;
  uint32_t other = p->mail ? (item.hops - 1) / 2 : 0;
  item_send(p, item.hops - 1 - other);
  if (p->mail) item_send(p, other);
}

static void *partition_run(void *user) {
  struct partition *p = user;
  p->port = port_open(p->exchange, p->own);
  for (uint32_t k = 0; k < 40; k++) /* at once: more than a ring holds */
    for (uint32_t j = 0; j < 40; j++)
      item_send(p, j == 0 ? HOPS : 0);
  for (;;) {
    port_publish(p->port);
    if (port_receive(p->port, item_take, p)) continue;
    if (p->gives_up && p->came > 1000) exchange_give_up(p->exchange, "enough", 3, 4);
    if ((p->end = port_wait(p->port)) != PORT_CAME) break;
  }
  if (p->end == PORT_OVER && port_agree(p->port, &p->came, sizeof p->came, 1))
    for (uint32_t k = 0; k < p->count; k++) {
      uint64_t theirs;
      memcpy(&theirs, port_offered(p->port, k, 1), sizeof theirs);
      p->agreed += theirs;
    }
  port_close(p->port);
  return NULL;
}

/* ---- ranks of an MPI job ---- */

/* What is posted stands in a list from each to each. Whoever looks takes the first of one of them, whichever, and sees
 * a message only after some looks. */
struct posted {
  struct posted *next;
  uint32_t looks; /* so many see nothing of it yet */
  size_t size;
  char bytes[];
};
struct mail {
  pthread_mutex_t lock;
  struct posted *first[PARTITIONS][PARTITIONS], **last[PARTITIONS][PARTITIONS]; /* by receiver, sender */
};
struct rank {
  struct psl_peers peers;
  struct partition *partition;
  struct posted *got;
};

static void mail_send(struct psl_peers *peers, uint32_t to, const void *data, size_t size) {
  struct mail *mail = ((struct rank *)peers)->partition->mail;
  struct posted *posted = malloc(sizeof *posted + size), ***last = &mail->last[to][peers->rank];
  posted->next = NULL;
  posted->looks = random_of(((struct rank *)peers)->partition) % 20;
  posted->size = size;
  memcpy(posted->bytes, data, size);
  pthread_mutex_lock(&mail->lock);
  **last = posted;
  *last = &posted->next;
  pthread_mutex_unlock(&mail->lock);
}

static const void *mail_receive(struct psl_peers *peers, uint32_t *from, size_t *size) {
  struct rank *rank = (struct rank *)peers;
  struct mail *mail = rank->partition->mail;
  uint32_t who = random_of(rank->partition) % peers->size;
  struct posted **first = &mail->first[peers->rank][who];
  free(rank->got);
  rank->got = NULL;
  pthread_mutex_lock(&mail->lock);
  if (*first && (*first)->looks-- == 0) {
    rank->got = *first;
    *first = rank->got->next;
    if (!*first) mail->last[peers->rank][who] = first;
  }
  pthread_mutex_unlock(&mail->lock);
  if (!rank->got) return NULL;
  *from = who;
  *size = rank->got->size;
  return rank->got->bytes;
}

/* Items become two, until nothing is left of them. */
static void *rank_run(void *user) {
  struct partition *p = user;
  struct rank rank = {{p->own, p->count, true, mail_send, mail_receive}, p, NULL};
  p->port = port_of_rank(&rank.peers);
  if (p->own == 0) item_send(p, RANK_HOPS);
  for (;;) {
    port_publish(p->port);
    if (port_receive(p->port, item_take, p)) continue;
    if ((p->end = port_wait(p->port)) != PORT_CAME) break;
  }
  port_close(p->port);
  free(rank.got);
  return NULL;
}

static void ranks_of(uint32_t seed) {
  static struct partition partitions[4];
  static struct mail mail = {.lock = PTHREAD_MUTEX_INITIALIZER};
  uint64_t came = 0;
  for (uint32_t to = 0; to < 4; to++)
    for (uint32_t from = 0; from < 4; from++)
      mail.last[to][from] = &mail.first[to][from];
  pthread_t threads[4];
  for (uint32_t k = 0; k < 4; k++) {
    partitions[k] = (struct partition){.mail = &mail, .own = k, .count = 4, .random = seed + k};
    assert_int_equal(pthread_create(&threads[k], NULL, rank_run, &partitions[k]), 0);
  }
  for (uint32_t k = 0; k < 4; k++)
    pthread_join(threads[k], NULL);
  for (uint32_t k = 0; k < 4; k++) {
    assert_int_equal(partitions[k].end, PORT_OVER);
    assert_int_equal(partitions[k].wrong, 0);
    came += partitions[k].came;
  }
  assert_int_equal(came, 2 * RANK_HOPS + 1);
}

static void ranks(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 200; seed++)
    ranks_of(seed);
}

static void partitions_run(struct partition *partitions, uint32_t count, bool one_gives_up) {
  struct exchange *exchange = exchange_open(count);
  pthread_t threads[PARTITIONS];
  size_t begin, end;
  assert_non_null(exchange);
  for (uint32_t k = 0; k < count; k++) {
    partitions[k] = (struct partition){.exchange = exchange, .own = k, .count = count, .random = k + 1};
    partitions[k].gives_up = one_gives_up && k == 1;
    assert_int_equal(pthread_create(&threads[k], NULL, partition_run, &partitions[k]), 0);
  }
  for (uint32_t k = 0; k < count; k++)
    pthread_join(threads[k], NULL);
  assert_string_equal(exchange_reason(exchange, &begin, &end), one_gives_up ? "enough" : "");
  assert_int_equal(begin, one_gives_up ? 3 : 0);
  exchange_close(exchange);
}

static void all_comes(uint32_t count) {
  static struct partition partitions[PARTITIONS];
  uint64_t came = 0;
  partitions_run(partitions, count, false);
  for (uint32_t k = 0; k < count; k++) {
    assert_int_equal(partitions[k].end, PORT_OVER);
    assert_int_equal(partitions[k].wrong, 0);
    came += partitions[k].came;
  }
  assert_int_equal(came, (uint64_t)count * 40 * (40 + HOPS));
  for (uint32_t k = 0; k < count; k++)
    assert_int_equal(partitions[k].agreed, came);
}

static void two(void **state) {
  (void)state;
  all_comes(2);
}

static void five(void **state) {
  (void)state;
  all_comes(5);
}

static void given_up(void **state) {
  static struct partition partitions[PARTITIONS];
  (void)state;
  partitions_run(partitions, 3, true);
  for (uint32_t k = 0; k < 3; k++)
    assert_int_equal(partitions[k].end, PORT_GIVEN_UP);
}

/* ---- windows of time ---- */

enum { PENDING = 1 << 16, AT_ONCE = 8000, GENERATIONS = 30 };
static const double lookahead = 1;

struct event {
  double time;
  uint32_t left; /* so many follow from it, one after another */
  char rest[60];
};
struct timed {
  struct partition *partition;
  struct event pending[PENDING];
  uint32_t count;
  double horizon, least; /* least: that has been sent in this window */
  uint64_t happened, windows;
  bool late; /* something has come before the horizon */
  bool gives_up;
  enum port_wait end;
};

static void event_take(void *user, const void *bytes, size_t size) {
  struct timed *t = user;
  struct event *event = &t->pending[t->count++];
  memcpy(event, bytes, size);
  t->late |= event->time < t->horizon;
}

/* It has another one follow, here or elsewhere, at least the lookahead later. */
static void event_happens(struct timed *t, struct event event) {
  struct partition *p = t->partition;
  t->happened++;
  if (event.left-- == 0) return;
  event.time += lookahead + random_of(p) % 1000 / 500.0;
  uint32_t to = random_of(p) % p->count;
  if (to == p->own) {
    t->pending[t->count++] = event;
    return;
  }
  port_send(p->port, to, &event, sizeof event);
  t->least = event.time < t->least ? event.time : t->least;
}

static void *windows_run(void *user) {
  struct timed *t = user;
  struct partition *p = t->partition;
  p->port = port_open(p->exchange, p->own);
  for (uint32_t k = 0; k < AT_ONCE; k++)
    t->pending[t->count++] = (struct event){.time = p->own * 1e6 + random_of(p) % 100 / 100.0, .left = GENERATIONS};
  for (double least = 0; least < INFINITY; t->horizon = least + lookahead) {
    t->least = INFINITY;
    for (uint32_t k = 0; k < t->count;) {
      struct event event = t->pending[k];
      if (event.time >= t->horizon) {
        k++;
        continue;
      }
      t->pending[k] = t->pending[--t->count];
      event_happens(t, event);
    }
    for (uint32_t k = 0; k < t->count; k++)
      t->least = t->pending[k].time < t->least ? t->pending[k].time : t->least;
    if (t->gives_up && t->windows > 5) exchange_give_up(p->exchange, "enough", 0, 0);
    t->windows++;
    if ((t->end = port_meet(p->port, t->least, &least, event_take, t)) == PORT_GIVEN_UP) break;
  }
  port_close(p->port);
  return NULL;
}

static void windows_of(uint32_t count, bool one_gives_up) {
  static struct timed timed[5];
  static struct partition partitions[5];
  struct exchange *exchange = exchange_open(count);
  pthread_t threads[5];
  uint64_t happened = 0;
  for (uint32_t k = 0; k < count; k++) {
    partitions[k] = (struct partition){.exchange = exchange, .own = k, .count = count, .random = k + 1};
    memset(&timed[k], 0, sizeof timed[k]);
    timed[k].partition = &partitions[k];
    timed[k].gives_up = one_gives_up && k == 1;
    assert_int_equal(pthread_create(&threads[k], NULL, windows_run, &timed[k]), 0);
  }
  for (uint32_t k = 0; k < count; k++)
    pthread_join(threads[k], NULL);
  for (uint32_t k = 0; k < count; k++) {
    assert_false(timed[k].late);
    assert_int_equal(timed[k].end, one_gives_up ? PORT_GIVEN_UP : PORT_CAME);
    if (!one_gives_up) assert_int_equal(timed[k].windows, timed[0].windows);
    happened += timed[k].happened;
  }
  if (!one_gives_up) assert_int_equal(happened, (uint64_t)count * AT_ONCE * (GENERATIONS + 1));
  assert_true(timed[0].windows < count * 4u * GENERATIONS); /* stretches in which nothing happens are one step */
  exchange_close(exchange);
}

static void windows(void **state) {
  (void)state;
  windows_of(2, false);
  windows_of(5, false);
}

static void windows_given_up(void **state) {
  (void)state;
  windows_of(3, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two),      cmocka_unit_test(five),
                                     cmocka_unit_test(given_up), cmocka_unit_test(ranks),
                                     cmocka_unit_test(windows),  cmocka_unit_test(windows_given_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
