/* The events of a fluid network: messages begin to flow and are through, which both may change the rates of others.
 *
 * Time passes here when the host says so. A process sends a message, holds for as long as that takes alone, and then
 * asks for its end, in order: all that has been sent before is known then, and events up to that time are done. Where
 * its message is not through the process waits, and as long as any does one of them has its call made again at the time
 * of the next event (host->retry). So a network in which nobody waits for others costs one ordered call a message.
 *
 * Events of one time come by their messages' source, destination and size: nothing depends on the order of calls. */
#include "evaluators/networks/flows.h"
#include <math.h>
#include <stdio.h>

#define TOGETHER 1e-12 /* relative: ends that rounding alone sets apart */
enum { BUSIEST = 3, NOWHERE = UINT32_MAX };

enum phase { FREE, COMING, FLOWING, ARRIVED };
struct message {
  enum phase phase;
  bool alone; /* it has gone as fast as it can so far */
  bool waits; /* its process does */
  uint32_t process, from, to;
  uint32_t flow;
  uint32_t place;          /* in the heap of events */
  uint32_t next, previous; /* of those whose processes wait; of the free ones */
  double time;             /* s: of its next event, the beginning or the end */
  double bytes, gap, cap;  /* gap: s/byte at its best; cap: byte/s, where that is less than its links have */
  double end;              /* s: where it stays alone */
  double left, rate, since;
};

struct event {
  double time;
  uint32_t message;
};

enum { NONE_SENT, SENT_WITHOUT_FLOW, FIRST_MESSAGE };
struct flows {
  struct psl_host *host;
  const struct topology *topology;
  struct pieces pieces;
  struct sharing sharing;
  struct message *messages;
  uint32_t message_count, message_room, free_message;
  uint32_t *of_process, process_count; /* FIRST_MESSAGE + its message, or what is above */
  uint32_t *message_of, flow_room;     /* by flow */
  struct event *events;                /* heap */
  uint32_t event_count, event_room;
  uint32_t waiting; /* the first message whose process waits */
  uint32_t armed;   /* whose call is made again, at: */
  double armed_at;
  uint32_t *route, *capacities; /* of the message in hand */
  double *carried;              /* by link: bytes */
  uint32_t carried_room;
  uint64_t sent, delayed;
};

struct flows *flows_open(struct psl_host *host, const struct topology *topology) {
  struct flows *s = host->allocate(host, sizeof *s);
  s->host = s->pieces.host = host;
  s->topology = topology;
  sharing_open(&s->sharing, &s->pieces);
  s->free_message = s->waiting = s->armed = NOWHERE;
  s->route = host->allocate(host, (topology->longest + 1) * sizeof *s->route);
  s->capacities = host->allocate(host, (topology->longest + 1) * sizeof *s->capacities);
  return s;
}

/* ---- the heap of events ---- */

static bool message_before(const struct message *a, const struct message *b) {
  if (a->from != b->from) return a->from < b->from;
  if (a->to != b->to) return a->to < b->to;
  return a->bytes < b->bytes;
}

static bool event_before(const struct flows *s, const struct event *a, const struct event *b) {
  if (a->time != b->time) return a->time < b->time;
  return message_before(&s->messages[a->message], &s->messages[b->message]);
}

static void event_put(struct flows *s, uint32_t at, struct event event) {
  s->events[at] = event;
  s->messages[event.message].place = at;
}

static void event_rise(struct flows *s, uint32_t at) {
  struct event moved = s->events[at];
  for (; at > 0 && event_before(s, &moved, &s->events[(at - 1) / 4]); at = (at - 1) / 4)
    event_put(s, at, s->events[(at - 1) / 4]);
  event_put(s, at, moved);
}

static void event_sink(struct flows *s, uint32_t at) {
  struct event moved = s->events[at];
  for (;;) {
    uint32_t first = 4 * at + 1, least = first, end = first + 4 < s->event_count ? first + 4 : s->event_count;
    if (first >= s->event_count) break;
    for (uint32_t i = first + 1; i < end; i++)
      if (event_before(s, &s->events[i], &s->events[least])) least = i;
    if (!event_before(s, &s->events[least], &moved)) break;
    event_put(s, at, s->events[least]);
    at = least;
  }
  event_put(s, at, moved);
}

static void event_push(struct flows *s, uint32_t message) {
  PIECE_GROW(&s->pieces, s->events, s->event_count, s->event_room);
  s->events[s->event_count] = (struct event){s->messages[message].time, message};
  event_rise(s, s->event_count++);
}

static void event_pop(struct flows *s) {
  struct event last = s->events[--s->event_count];
  if (s->event_count == 0) return;
  s->events[0] = last;
  event_sink(s, 0);
}

static void event_move(struct flows *s, uint32_t message) {
  uint32_t at = s->messages[message].place;
  bool sooner = s->messages[message].time < s->events[at].time;
  s->events[at].time = s->messages[message].time;
  if (sooner)
    event_rise(s, at);
  else
    event_sink(s, at);
}

/* ---- messages ---- */

static uint32_t message_new(struct flows *s) {
  uint32_t number = s->free_message;
  if (number != NOWHERE) {
    s->free_message = s->messages[number].next;
    return number;
  }
  PIECE_GROW(&s->pieces, s->messages, s->message_count, s->message_room);
  return s->message_count++;
}

static void message_free(struct flows *s, uint32_t number) {
  s->messages[number].phase = FREE;
  s->messages[number].next = s->free_message;
  s->free_message = number;
}

static uint32_t *sent_by(struct flows *s, uint32_t process) {
  if (process >= s->process_count) {
    uint32_t count = s->process_count ? 2 * s->process_count : 64;
    while (count <= process)
      count *= 2;
    uint32_t *grown = piece_take(&s->pieces, count * sizeof *grown);
    memset(grown, 0, count * sizeof *grown);
    if (s->process_count) {
      memcpy(grown, s->of_process, s->process_count * sizeof *grown);
      piece_give(&s->pieces, s->of_process, s->process_count * sizeof *grown);
    }
    s->of_process = grown;
    s->process_count = count;
  }
  return &s->of_process[process];
}

static void wait_begin(struct flows *s, uint32_t number) {
  struct message *m = &s->messages[number];
  m->waits = true;
  m->previous = NOWHERE;
  m->next = s->waiting;
  if (s->waiting != NOWHERE) s->messages[s->waiting].previous = number;
  s->waiting = number;
  s->delayed++;
}

static void wait_end(struct flows *s, uint32_t number) {
  struct message *m = &s->messages[number];
  if (m->previous != NOWHERE)
    s->messages[m->previous].next = m->next;
  else
    s->waiting = m->next;
  if (m->next != NOWHERE) s->messages[m->next].previous = m->previous;
  m->waits = false;
  if (s->armed == number) s->armed = NOWHERE;
}

/* As long as a process waits, one has its call made again at the next event. */
static void arm(struct flows *s) {
  if (s->waiting == NOWHERE) return;
  double next = s->events[0].time;
  if (s->armed != NOWHERE && s->armed_at == next) return;
  s->armed = s->waiting;
  s->armed_at = next;
  s->host->retry(s->host, s->messages[s->armed].process, next);
}

/* ---- events ---- */

static void carry(struct flows *s, uint32_t link, double bytes) {
  if (link >= s->carried_room) {
    uint32_t room = s->carried_room ? 2 * s->carried_room : 64;
    while (room <= link)
      room *= 2;
    double *grown = piece_take(&s->pieces, room * sizeof *grown);
    memset(grown, 0, room * sizeof *grown);
    if (s->carried_room) {
      memcpy(grown, s->carried, s->carried_room * sizeof *grown);
      piece_give(&s->pieces, s->carried, s->carried_room * sizeof *grown);
    }
    s->carried = grown;
    s->carried_room = room;
  }
  s->carried[link] += bytes;
}

/* The capacities on the way of the message, each once; its bytes are counted for each link. */
static uint32_t message_capacities(struct flows *s, const struct message *m) {
  const struct topology *t = s->topology;
  uint32_t count = t->kind->route(t, m->from, m->to, s->route), own = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t capacity = topology_capacity(t, s->route[i]), k = 0;
    carry(s, s->route[i], m->bytes);
    sharing_link(&s->sharing, capacity, 0);
    s->sharing.links[capacity].capacity = topology_bandwidth(t, capacity);
    while (t->shared && k < own && s->capacities[k] != capacity)
      k++;
    if (k == own || !t->shared) s->capacities[own++] = capacity;
  }
  return own;
}

static void flow_begin(struct flows *s, uint32_t number, double now) {
  struct message *m = &s->messages[number];
  uint32_t count = message_capacities(s, m);
  m->flow = sharing_add(&s->sharing, s->capacities, count, m->cap);
  PIECE_GROW(&s->pieces, s->message_of, m->flow, s->flow_room);
  s->message_of[m->flow] = number;
  m->phase = FLOWING;
  m->left = m->bytes;
  m->rate = 0;
  m->since = now;
  m->time = INFINITY;
  event_move(s, number);
}

static void flow_end(struct flows *s, uint32_t number, double now, const struct psl_call *call) {
  struct message *m = &s->messages[number];
  event_pop(s);
  sharing_remove(&s->sharing, m->flow);
  m->phase = ARRIVED;
  if (!m->waits) return;
  wait_end(s, number);
  if (m->process == call->process) return;
  uint32_t process = m->process;
  double clock = m->alone ? m->end : now;
  *sent_by(s, process) = NONE_SENT;
  message_free(s, number);
  s->host->resume(s->host, process, clock > call->clock ? clock : call->clock, (union psl_argument){.integer = 0});
}

static void rate_change(struct flows *s, uint32_t flow, double now) {
  struct message *m = &s->messages[s->message_of[flow]];
  double rate = s->sharing.flows[flow].rate;
  m->left -= m->rate * (now - m->since);
  if (m->left < 0) m->left = 0;
  m->since = now;
  m->rate = rate;
  m->alone = m->alone && rate * m->gap > 1 - TOGETHER;
  m->time = m->alone ? m->end : now + m->left / rate;
  if (m->time < now) m->time = now;
}

static void rates_change(struct flows *s, double now) {
  sharing_solve(&s->sharing);
  const struct sharing *sharing = &s->sharing;
  for (uint32_t i = 0; i < sharing->changed_count; i++) {
    rate_change(s, sharing->changed[i], now);
    event_move(s, s->message_of[sharing->changed[i]]);
  }
}

/* Does what happens up to the time of the call, which is in order. */
static void flows_until(struct flows *s, const struct psl_call *call) {
  while (s->event_count && s->events[0].time <= call->clock) {
    double now = s->events[0].time;
    while (s->event_count) {
      const struct event *event = &s->events[0];
      bool begins = s->messages[event->message].phase == COMING;
      if (event->time > (begins ? now : now * (1 + TOGETHER))) break;
      if (begins)
        flow_begin(s, event->message, now);
      else
        flow_end(s, event->message, now, call);
    }
    rates_change(s, now);
  }
}

/* ---- what models call ---- */

bool flows_send(struct flows *s, struct psl_call *call, uint32_t from, uint32_t to, double bytes, double latency,
                double gap, double *alone) {
  const struct topology *t = s->topology;
  uint32_t *sent = sent_by(s, call->process);
  if (*sent != NONE_SENT) {
    snprintf(call->error, sizeof call->error, "the process has sent a message and not called 'arrive' for it");
    return false;
  }
  uint32_t count = from == to ? 0 : t->kind->route(t, from, to, s->route);
  double cap = gap > 0 ? 1 / gap : INFINITY, slowest = 0;
  for (uint32_t i = 0; i < count; i++) {
    double least = 1 / topology_bandwidth(t, topology_capacity(t, s->route[i]));
    latency += topology_latency(t, s->route[i]);
    if (least > slowest) slowest = least;
  }
  if (slowest > gap * (1 + TOGETHER)) gap = slowest;
  if (slowest * (1 + TOGETHER) > gap) cap = INFINITY; /* its links keep it there */
  *alone = latency + bytes * gap;
  s->sent++;
  *sent = SENT_WITHOUT_FLOW;
  if (count == 0 || bytes == 0) return true;
  uint32_t number = message_new(s);
  *sent_by(s, call->process) = FIRST_MESSAGE + number;
  s->messages[number] = (struct message){.phase = COMING,
                                         .alone = true,
                                         .process = call->process,
                                         .from = from,
                                         .to = to,
                                         .time = call->clock + latency,
                                         .bytes = bytes,
                                         .gap = gap,
                                         .cap = cap,
                                         .end = call->clock + *alone};
  event_push(s, number);
  arm(s);
  return true;
}

enum psl_status flows_arrive(struct flows *s, struct psl_call *call) {
  uint32_t sent = *sent_by(s, call->process), number = sent - FIRST_MESSAGE;
  if (sent == NONE_SENT) {
    snprintf(call->error, sizeof call->error, "the process has sent no message");
    return PSL_FAILED;
  }
  if (sent == SENT_WITHOUT_FLOW) {
    *sent_by(s, call->process) = NONE_SENT;
    return PSL_DONE;
  }
  if (!call->ordered) return PSL_LATER;
  flows_until(s, call);
  enum phase phase = s->messages[number].phase;
  if (phase == ARRIVED) {
    *sent_by(s, call->process) = NONE_SENT;
    message_free(s, number);
  } else {
    if (!s->messages[number].waits) wait_begin(s, number);
    if (s->armed == number) s->armed = NOWHERE;
  }
  arm(s);
  return phase == ARRIVED ? PSL_DONE : PSL_BLOCKED;
}

/* ---- the report ---- */

static double utilisation(const struct flows *s, uint32_t link, double end) {
  return end > 0 ? s->carried[link] / topology_bandwidth(s->topology, link) / end : 0;
}

size_t flows_statistics(const struct flows *s, struct psl_statistic *out, size_t capacity) {
  uint32_t busiest[BUSIEST], count = 0;
  double end = s->host->end(s->host);
  for (uint32_t link = 0; link < s->carried_room; link++) {
    if (s->carried[link] == 0) continue;
    uint32_t at = count < BUSIEST ? count++ : BUSIEST;
    while (at > 0 && s->carried[link] > 0 && utilisation(s, link, end) > utilisation(s, busiest[at - 1], end)) {
      if (at < BUSIEST) busiest[at] = busiest[at - 1];
      at--;
    }
    if (at < BUSIEST) busiest[at] = link;
  }
  size_t used = 0;
  if (used < capacity)
    out[used++] = (struct psl_statistic){.name = "transfers", .unit = "", .value = (double)s->sent, .whole = true};
  if (used < capacity) out[used++] = (struct psl_statistic){"transfers that met others", "", (double)s->delayed, true};
  for (uint32_t i = 0; i < count && used < capacity; i++) {
    char *name = s->host->allocate(s->host, 96);
    int begin = snprintf(name, 96, "utilisation of link ");
    s->topology->kind->print(s->topology, busiest[i], name + begin, 96 - (size_t)begin);
    out[used++] = (struct psl_statistic){name, "", utilisation(s, busiest[i], end), false};
  }
  return used;
}
