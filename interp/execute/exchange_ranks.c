/* Partitions that are ranks of an MPI job, perhaps on several computers: what they tell each other are its messages.
 *
 * When all wait and nothing is on its way the first rank finds out (Mattern, Algorithms for Distributed Termination
 * Detection, 1987: the four counters). Who waits tells it how many messages it has sent and got. Where the sums are
 * equal it asks all once more, who answer when they wait: the run is over if as many have been sent then as had been
 * got the time before. */
#include "interp/execute/exchange.h"
#include "interp/execute/outgoing.h"
#include "interp/model/run.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  BATCH = 1 << 13, /* bytes that go at once, though there may be more to come */
  LOOKS = 2000,    /* before a rank sleeps */
  NAP = 50 * 1000, /* ns */
};

enum kind { ITEMS, WAITS, ASKS, ANSWERS, OVER, GIVEN_UP, OFFER, TOLD };
struct header {
  uint32_t kind, number;   /* number: of the round that is asked in, or agreed */
  uint64_t sent, received; /* WAITS, ANSWERS */
  uint64_t begin, end;     /* GIVEN_UP */
};

struct letter { /* that has come too early to be taken */
  struct letter *next;
  size_t size;
  struct header head;
  char bytes[];
};
struct rank_port {
  struct port port;
  struct psl_peers *peers;
  struct outgoing out[PARTITIONS];
  struct letter *letters, **last; /* items, in the order in which they came */
  struct letter *told, **told_last;
  uint64_t sent, received;
  enum { RUNS, ENDED, STOPPED } state;
  uint32_t asked;                    /* the last round that the first rank has asked in, */
  uint32_t answered;                 /* and that this one has answered */
  uint64_t said_sent, said_received; /* the last time that it has waited */
  bool said;
  /* of the first rank: */
  struct {
    bool waits, answered, told;
    uint64_t sent, received;
  } others[PARTITIONS];
  uint64_t got; /* when it has asked */
  bool asking;
  char offers[EXCHANGE_ROUNDS][PARTITIONS][EXCHANGE_OFFER];
  uint32_t offered[EXCHANGE_ROUNDS];
  char reason[EXCHANGE_REASON];
  size_t begin, end;
  bool lost; /* there was no memory for something */
};

static struct rank_port *of(struct port *port) { return (struct rank_port *)port; }
static const struct rank_port *seen(const struct port *port) { return (const struct rank_port *)port; }

static void post(struct rank_port *p, uint32_t to, struct header head, const void *data, size_t size) {
  char small[sizeof head + EXCHANGE_OFFER], *bytes = size <= EXCHANGE_OFFER ? small : malloc(sizeof head + size);
  if (!bytes) {
    p->lost = true;
    return;
  }
  memcpy(bytes, &head, sizeof head);
  if (size) memcpy(bytes + sizeof head, data, size);
  p->peers->send(p->peers, to, bytes, sizeof head + size);
  if (bytes != small) free(bytes);
}

static void post_all(struct rank_port *p, struct header head, const void *data, size_t size) {
  for (uint32_t to = 0; to < p->port.count; to++)
    if (to != p->port.own) post(p, to, head, data, size);
}

static void stop(struct rank_port *p, const char *why, size_t size, size_t begin, size_t end) {
  if (p->state == STOPPED) return;
  p->state = STOPPED;
  snprintf(p->reason, sizeof p->reason, "%.*s", (int)size, why);
  p->begin = begin;
  p->end = end;
}

static void rank_give_up(struct port *port, const char *why, size_t begin, size_t end) {
  if (of(port)->state == STOPPED) return;
  stop(of(port), why, strlen(why), begin, end);
  post_all(of(port), (struct header){.kind = GIVEN_UP, .begin = begin, .end = end}, why, strlen(why));
}

static bool rank_given_up(const struct port *port) { return seen(port)->state == STOPPED; }

const char *port_reason(const struct port *port, size_t *begin, size_t *end) {
  *begin = seen(port)->begin;
  *end = seen(port)->end;
  return seen(port)->reason;
}

/* ---- what comes ---- */

static void letter_keep(struct rank_port *p, struct letter ***last, const struct header *head, const char *bytes,
                        size_t size) {
  struct letter *letter = malloc(sizeof *letter + size);
  if (!letter) {
    p->lost = true;
    return;
  }
  *letter = (struct letter){.size = size, .head = *head};
  if (size) memcpy(letter->bytes, bytes, size);
  **last = letter;
  *last = &letter->next;
}

static void offer_take(struct rank_port *p, uint32_t round, uint32_t from, const char *bytes, size_t size) {
  if (round >= EXCHANGE_ROUNDS || size > EXCHANGE_OFFER) return;
  memcpy(p->offers[round][from], bytes, size);
  p->offered[round]++;
}

/* Takes the next message; false: there is none. */
static bool message_take(struct rank_port *p) {
  uint32_t from;
  size_t size;
  struct header head;
  const char *bytes = p->peers->receive(p->peers, &from, &size);
  if (!bytes) return false;
  if (size < sizeof head) { /* it has left: mostly since it has told all */
    static const char left[] = "a rank of the job has left";
    if (!p->others[from].told) stop(p, left, strlen(left), 0, 0);
    return true;
  }
  memcpy(&head, bytes, sizeof head);
  bytes += sizeof head;
  size -= sizeof head;
  switch ((enum kind)head.kind) {
  case ITEMS: letter_keep(p, &p->last, &head, bytes, size); break;
  case WAITS:
  case ANSWERS:
    p->others[from].waits = true;
    p->others[from].answered |= head.kind == ANSWERS && head.number == p->asked;
    p->others[from].sent = head.sent;
    p->others[from].received = head.received;
    break;
  case ASKS: p->asked = head.number; break;
  case OVER: p->state = ENDED; break;
  case GIVEN_UP: stop(p, bytes, size, head.begin, head.end); break;
  case OFFER: offer_take(p, head.number, from, bytes, size); break;
  case TOLD:
    p->others[from].told = true;
    letter_keep(p, &p->told_last, &head, bytes, size);
    break;
  }
  return true;
}

static void messages_take(struct rank_port *p) {
  bool more = true;
  while (more)
    more = message_take(p);
}

static bool rank_receive(struct port *port, void (*take)(void *user, const void *item, size_t size), void *user) {
  struct rank_port *p = of(port);
  bool some = false;
  messages_take(p);
  while (p->letters) {
    struct letter *letter = p->letters;
    const char *at = letter->bytes, *end = at + letter->size;
    p->letters = letter->next;
    if (!p->letters) p->last = &p->letters;
    for (uint16_t size; at + sizeof size < end; at += size) {
      _Alignas(16) char item[EXCHANGE_ITEM];
      memcpy(&size, at, sizeof size);
      at += sizeof size;
      memcpy(item, at, size);
      take(user, item, size);
    }
    p->received++;
    some = true;
    free(letter);
  }
  return some;
}

/* Takes what has come, while one waits; true: somebody has given up, or this one does now, for want of memory. */
static bool is_stopped(struct rank_port *p) {
  messages_take(p);
  if (p->lost) rank_give_up(&p->port, "there is no memory for what is sent", 0, 0);
  return p->state == STOPPED;
}

/* ---- what goes ---- */

static void rank_send(struct port *port, uint32_t to, const void *item, size_t size) {
  if (!outgoing_add(&of(port)->out[to], item, size)) rank_give_up(port, "there is no memory for what is sent", 0, 0);
}

static void publish(struct rank_port *p, size_t least) {
  for (uint32_t to = 0; to < p->port.count; to++) {
    struct outgoing *out = &p->out[to];
    if (!out->end || out->end < least) continue;
    post(p, to, (struct header){.kind = ITEMS}, out->bytes, out->end);
    out->end = 0;
    p->sent++;
  }
}

static void rank_publish(struct port *port) { publish(of(port), BATCH); }

/* ---- the end ---- */

/* Of those that wait, as they have said last, and of the first rank itself; false: not all do. */
static bool sums(const struct rank_port *p, bool answered, uint64_t *sent, uint64_t *received) {
  *sent = p->sent;
  *received = p->received;
  for (uint32_t k = 1; k < p->port.count; k++) {
    if (!p->others[k].waits || (answered && !p->others[k].answered)) return false;
    *sent += p->others[k].sent;
    *received += p->others[k].received;
  }
  return true;
}

/* The first rank waits: are all at their end? */
static void end_look(struct rank_port *p) {
  uint64_t sent, received;
  if (!p->asking && sums(p, false, &sent, &received) && sent == received) {
    p->asking = true;
    p->got = received;
    p->asked++;
    for (uint32_t k = 1; k < p->port.count; k++)
      p->others[k].answered = false;
    post_all(p, (struct header){.kind = ASKS, .number = p->asked}, NULL, 0);
  } else if (p->asking && sums(p, true, &sent, &received)) {
    p->asking = false;
    if (sent != p->got) return;
    p->state = ENDED;
    post_all(p, (struct header){.kind = OVER}, NULL, 0);
  }
}

/* Another one does. */
static void waiting_say(struct rank_port *p) {
  struct header head = {.kind = WAITS, .sent = p->sent, .received = p->received};
  if (p->asked != p->answered) {
    head.kind = ANSWERS;
    head.number = p->answered = p->asked;
  } else if (p->said && p->said_sent == p->sent && p->said_received == p->received) {
    return;
  }
  p->said = true;
  p->said_sent = p->sent;
  p->said_received = p->received;
  post(p, 0, head, NULL, 0);
}

static void look_again(uint32_t *looks) {
  if (++*looks > LOOKS)
    nanosleep(&(struct timespec){0, NAP}, NULL);
  else
    sched_yield();
}

static enum port_wait rank_wait(struct port *port) {
  struct rank_port *p = of(port);
  publish(p, 0);
  for (uint32_t looks = 0;; look_again(&looks)) {
    if (is_stopped(p)) return PORT_GIVEN_UP;
    if (p->state == ENDED) return PORT_OVER;
    if (p->letters) {
      p->asking = false;
      return PORT_CAME;
    }
    if (port->own == 0)
      end_look(p);
    else
      waiting_say(p);
  }
}

static bool rank_agree(struct port *port, const void *offer, size_t size, uint32_t round) {
  struct rank_port *p = of(port);
  offer_take(p, round, port->own, offer, size);
  post_all(p, (struct header){.kind = OFFER, .number = round}, offer, size);
  for (uint32_t looks = 0; p->offered[round] < port->count; look_again(&looks))
    if (is_stopped(p)) return false;
  return true;
}

static const void *rank_offered(const struct port *port, uint32_t by, uint32_t round) {
  return seen(port)->offers[round][by];
}

void port_tell(struct port *port, const void *data, size_t size) {
  post(of(port), 0, (struct header){.kind = TOLD}, data, size);
}

const void *port_told(struct port *port, size_t *size) {
  struct rank_port *p = of(port);
  for (uint32_t looks = 0; !p->told; look_again(&looks))
    if (is_stopped(p)) return NULL;
  struct letter *letter = p->told;
  p->told = letter->next;
  if (!p->told) p->told_last = &p->told;
  letter->next = p->letters; /* freed with the port */
  p->letters = letter;
  *size = letter->size;
  return letter->bytes;
}

static void rank_close(struct port *port) {
  struct rank_port *p = of(port);
  for (uint32_t k = 0; k < PARTITIONS; k++)
    free(p->out[k].bytes);
  *p->told_last = p->letters;
  for (struct letter *letter = p->told, *next; letter; letter = next) {
    next = letter->next;
    free(letter);
  }
  free(p);
}

static const struct port_ways ways = {rank_close, rank_send,  rank_publish, rank_receive, rank_wait,
                                      NULL,       rank_agree, rank_offered, rank_give_up, rank_given_up};

struct port *port_of_rank(struct psl_peers *peers) {
  struct rank_port *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->port = (struct port){&ways, peers->rank, peers->size};
  p->peers = peers;
  p->last = &p->letters;
  p->told_last = &p->told;
  return &p->port;
}
