/* The events of a fluid network: messages begin to flow and are through, which both may change the rates of others.
 * Events of one time come by their messages' source, destination and size: nothing depends on the order of calls. */
#include "evaluators/networks/flows.h"
#include "evaluators/networks/max_min.h"
#include <math.h>

enum phase { COMING, FLOWING };
struct course { /* of a message */
  enum phase phase;
  bool alone; /* it has gone as fast as it can so far */
  uint32_t flow;
  uint32_t place;  /* in the heap of events */
  double time;     /* s: of its next event, the beginning or the end */
  double gap, cap; /* gap: s/byte at its best; cap: byte/s, where that is less than its links have */
  double left, rate, since;
};

struct event {
  double time;
  uint32_t message;
};

struct flows {
  struct messages messages;
  struct sharing sharing;
  struct course *courses; /* by message */
  uint32_t course_room;
  uint32_t *message_of, flow_room; /* by flow */
  struct event *events;            /* heap */
  uint32_t event_count, event_room;
  uint32_t *capacities; /* of the message in hand */
};

struct flows *flows_open(struct psl_host *host, const struct topology *topology) {
  struct flows *s = host->allocate(host, sizeof *s);
  messages_open(&s->messages, host, topology);
  sharing_open(&s->sharing, &s->messages.pieces);
  s->capacities = host->allocate(host, (2 * topology->longest + 1) * sizeof *s->capacities);
  return s;
}

/* ---- the heap of events ---- */

static bool event_before(const struct flows *s, const struct event *a, const struct event *b) {
  if (a->time != b->time) return a->time < b->time;
  return message_before(&s->messages.items[a->message], &s->messages.items[b->message]);
}

static void event_put(struct flows *s, uint32_t at, struct event event) {
  s->events[at] = event;
  s->courses[event.message].place = at;
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
  PIECE_GROW(&s->messages.pieces, s->events, s->event_count, s->event_room);
  s->events[s->event_count] = (struct event){s->courses[message].time, message};
  event_rise(s, s->event_count++);
}

static void event_pop(struct flows *s) {
  struct event last = s->events[--s->event_count];
  if (s->event_count == 0) return;
  s->events[0] = last;
  event_sink(s, 0);
}

static void event_move(struct flows *s, uint32_t message) {
  uint32_t at = s->courses[message].place;
  bool sooner = s->courses[message].time < s->events[at].time;
  s->events[at].time = s->courses[message].time;
  if (sooner)
    event_rise(s, at);
  else
    event_sink(s, at);
}

static double next_event(const struct flows *s) { return s->event_count ? s->events[0].time : INFINITY; }

/* ---- events ---- */

/* The links of the message, always the same ones. */
static uint32_t route_of(struct flows *s, const struct message *m) {
  const struct topology *t = s->messages.topology;
  return topology_route(t, m->from, m->to, m->bytes, m->start, s->messages.route);
}

/* The capacities on the way of the message, each once; its bytes are counted for each link. */
static uint32_t capacities_of(struct flows *s, const struct message *m) {
  const struct topology *t = s->messages.topology;
  uint32_t count = route_of(s, m), own = 0;
  bool twice = t->shared || t->platform || t->routing != ROUTE_MINIMAL; /* perhaps */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = s->messages.route[i], capacity = topology_capacity(t, link), k = 0;
    messages_carry(&s->messages, m, link, m->bytes);
    sharing_link(&s->sharing, capacity, topology_bandwidth(t, capacity));
    while (twice && k < own && s->capacities[k] != capacity)
      k++;
    if (k == own || !twice) s->capacities[own++] = capacity;
  }
  return own;
}

static void flow_begin(struct flows *s, uint32_t number, double now) {
  struct course *c = &s->courses[number];
  const struct message *m = &s->messages.items[number];
  uint32_t count = capacities_of(s, m);
  c->flow = sharing_add(&s->sharing, s->capacities, count, c->cap);
  PIECE_GROW(&s->messages.pieces, s->message_of, c->flow, s->flow_room);
  s->message_of[c->flow] = number;
  c->phase = FLOWING;
  c->left = m->bytes;
  c->rate = 0;
  c->since = now;
  c->time = INFINITY;
  event_move(s, number);
}

static void flow_end(struct flows *s, uint32_t number, double now, const struct psl_call *call) {
  const struct course *c = &s->courses[number];
  event_pop(s);
  sharing_remove(&s->sharing, c->flow);
  messages_end(&s->messages, number, c->alone ? s->messages.items[number].end : now, call);
}

static void rate_change(struct flows *s, uint32_t flow, double now) {
  struct course *c = &s->courses[s->message_of[flow]];
  double rate = s->sharing.flows[flow].rate;
  c->left -= c->rate * (now - c->since);
  if (c->left < 0) c->left = 0;
  c->since = now;
  c->rate = rate;
  c->alone = c->alone && rate * c->gap > 1 - TOGETHER;
  c->time = c->alone ? s->messages.items[s->message_of[flow]].end : now + c->left / rate;
  if (c->time < now) c->time = now;
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
  while (next_event(s) <= call->clock) {
    double now = s->events[0].time;
    while (s->event_count) {
      const struct event *event = &s->events[0];
      bool begins = s->courses[event->message].phase == COMING;
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
  const struct topology *t = s->messages.topology;
  struct message message = {.from = from, .to = to, .bytes = bytes, .start = call->clock + latency};
  uint32_t count = from == to ? 0 : route_of(s, &message);
  double cap = gap > 0 ? 1 / gap : INFINITY, slowest = 0;
  for (uint32_t i = 0; i < count; i++) {
    double least = 1 / topology_bandwidth(t, topology_capacity(t, s->messages.route[i]));
    latency += topology_latency(t, s->messages.route[i]);
    if (least > slowest) slowest = least;
  }
  if (slowest > gap * (1 + TOGETHER)) gap = slowest;
  if (slowest * (1 + TOGETHER) > gap) cap = INFINITY; /* its links keep it there */
  *alone = latency + bytes * gap;
  message.end = call->clock + *alone;
  if (count == 0 || bytes == 0) return messages_pass(&s->messages, call);
  uint32_t number = messages_send(&s->messages, call, &message);
  if (number == NOWHERE) return false;
  PIECE_GROW(&s->messages.pieces, s->courses, number, s->course_room);
  s->courses[number] =
      (struct course){.phase = COMING, .alone = true, .time = call->clock + latency, .gap = gap, .cap = cap};
  event_push(s, number);
  messages_arm(&s->messages, next_event(s));
  return true;
}

enum psl_status flows_arrive(struct flows *s, struct psl_call *call) {
  enum psl_status status = messages_arrive(&s->messages, call);
  if (status != PSL_BLOCKED) return status;
  flows_until(s, call);
  return messages_see(&s->messages, call, next_event(s));
}

size_t flows_statistics(const struct flows *s, struct psl_statistic *out, size_t capacity) {
  return messages_statistics(&s->messages, out, capacity);
}
