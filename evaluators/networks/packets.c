/* The events of a network of packets.
 *
 * A packet waits for the next link of its way in the line of its virtual channel; a free link takes, of the first ones
 * of its channels that have a buffer at its other end, who came first. The buffer is taken when the packet sets out and
 * given back when its end has left the switch; nodes take all that comes. A message hands its next packet to its first
 * link when that has begun with the last one, so that messages of one node take turns.
 *
 * Channels rise along a way whenever it leaves the order of its topology's links (topology.h): then what waits for what
 * goes up in channels, and in a channel up in that order, and there is no circle. */
#include "evaluators/networks/packets.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct step { /* of a way */
  uint32_t link, channel;
  uint32_t wire; /* whose capacity it takes: its own, or that of both directions */
};
struct packet {
  uint32_t message, next;  /* next: in its line; free */
  uint64_t number;         /* in its message */
  uint64_t came;           /* orders those that wait for a link */
  struct step *way;        /* NULL: free */
  uint32_t events;         /* of links that it leaves and of its arrival, which rounding may set in any order */
  uint32_t step_count, at; /* at: the link that it waits for next, or step_count */
  double bytes, tail;      /* tail: s, its end is at the link that it waits for */
};
struct channel {        /* of a link */
  uint32_t first, last; /* packets that wait */
  uint64_t used;        /* buffers at its other end */
};
struct line { /* a wire */
  bool busy;
  uint32_t waiting;
  struct channel *channels; /* of its two directions in turn */
  uint32_t channel_count, channel_room;
};
struct trip { /* of a message */
  double gap;
  uint64_t packets, sent, arrived;
};

enum event_kind { LINK_DONE, PACKET_THERE, PACKET_READY, MESSAGE_BEGINS };
struct packet_event {
  double time;
  enum event_kind kind;
  uint32_t subject; /* a packet, or a message */
  uint32_t step;
};

struct packets {
  struct messages messages;
  struct packet_rules rules;
  struct trip *trips; /* by message */
  uint32_t trip_room;
  struct packet *items;
  uint32_t count, room, free;
  struct line *lines;
  uint32_t line_count, line_room;
  struct packet_event *events; /* heap */
  uint32_t event_count, event_room;
  uint32_t *other_route;
  uint64_t came;
};

struct packets *packets_open(struct psl_host *host, const struct topology *topology, const struct packet_rules *rules) {
  struct packets *s = host->allocate(host, sizeof *s);
  messages_open(&s->messages, host, topology);
  s->rules = *rules;
  s->free = NOWHERE;
  s->other_route = host->allocate(host, (2 * topology->longest + 1) * sizeof *s->other_route);
  return s;
}

/* ---- the heap of events ---- */

static const struct message *message_of(const struct packets *s, const struct packet_event *e) {
  return &s->messages.items[e->kind == MESSAGE_BEGINS ? e->subject : s->items[e->subject].message];
}

static bool event_before(const struct packets *s, const struct packet_event *a, const struct packet_event *b) {
  if (a->time != b->time) return a->time < b->time;
  if (a->kind != b->kind) return a->kind < b->kind;
  const struct message *m = message_of(s, a), *n = message_of(s, b);
  if (message_before(m, n) || message_before(n, m)) return message_before(m, n);
  if (a->kind == MESSAGE_BEGINS) return false;
  uint64_t i = s->items[a->subject].number, k = s->items[b->subject].number;
  return i != k ? i < k : a->step < b->step;
}

static void event_push(struct packets *s, double time, enum event_kind kind, uint32_t subject, uint32_t step) {
  PIECE_GROW(&s->messages.pieces, s->events, s->event_count, s->event_room);
  struct packet_event event = {time, kind, subject, step};
  uint32_t at = s->event_count++;
  for (; at > 0 && event_before(s, &event, &s->events[(at - 1) / 4]); at = (at - 1) / 4)
    s->events[at] = s->events[(at - 1) / 4];
  s->events[at] = event;
}

static struct packet_event event_pop(struct packets *s) {
  struct packet_event top = s->events[0], last = s->events[--s->event_count];
  for (uint32_t at = 0;;) {
    uint32_t first = 4 * at + 1, least = first, end = first + 4 < s->event_count ? first + 4 : s->event_count;
    for (uint32_t i = first + 1; i < end; i++)
      if (event_before(s, &s->events[i], &s->events[least])) least = i;
    if (first >= s->event_count || !event_before(s, &s->events[least], &last)) {
      s->events[at] = last;
      return top;
    }
    s->events[at] = s->events[least];
    at = least;
  }
}

static double next_event(const struct packets *s) { return s->event_count ? s->events[0].time : INFINITY; }

/* ---- ways ---- */

static struct line *line_at(struct packets *s, uint32_t wire) {
  while (s->line_count <= wire) {
    PIECE_GROW(&s->messages.pieces, s->lines, s->line_count, s->line_room);
    s->lines[s->line_count++] = (struct line){.busy = false};
  }
  return &s->lines[wire];
}

static struct channel *channel_at(struct packets *s, const struct step *step) {
  struct line *line = line_at(s, step->wire);
  uint32_t place = 2 * step->channel + (step->link != step->wire);
  while (line->channel_count <= place) {
    PIECE_GROW(&s->messages.pieces, line->channels, line->channel_count, line->channel_room);
    line->channels[line->channel_count++] = (struct channel){NOWHERE, NOWHERE, 0};
  }
  return &line->channels[place];
}

/* Packets that stand before one that goes this way, and its own links. */
static uint64_t cost_of(struct packets *s, const uint32_t *route, uint32_t count) {
  uint64_t cost = count;
  for (uint32_t i = 0; i < count; i++) {
    const struct line *line = line_at(s, topology_capacity(s->messages.topology, route[i]));
    cost += line->waiting + line->busy;
  }
  return cost;
}

/* The links of the packet; adaptive: of the two ways that which costs less. */
static const uint32_t *route_of(struct packets *s, const struct packet *packet, uint32_t *count) {
  const struct topology *t = s->messages.topology;
  const struct message *m = &s->messages.items[packet->message];
  *count = t->kind->route(t, m->from, m->to, s->messages.route);
  if (t->routing == ROUTE_MINIMAL || !t->kind->detour) return s->messages.route;
  uint64_t start, size;
  memcpy(&start, &m->start, sizeof start);
  memcpy(&size, &m->bytes, sizeof size);
  uint64_t number = topology_number(topology_number(m->from, m->to, size, start), packet->number, 0, 0);
  uint32_t other = t->kind->detour(t, m->from, m->to, number, s->other_route);
  if (t->routing == ROUTE_ADAPTIVE && cost_of(s, s->messages.route, *count) <= cost_of(s, s->other_route, other))
    return s->messages.route;
  *count = other;
  return s->other_route;
}

/* Which channel and wire a way takes on each of its links. */
static void steps_choose(const struct packets *s, struct step *way, uint32_t count) {
  const struct topology *t = s->messages.topology;
  uint64_t most = s->rules.channels ? s->rules.channels : CHANNELS_MOST;
  uint32_t phase = 0, round = 0, section = 0, position = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t next_section, next_position;
    t->kind->order(t, way[i].link, &next_section, &next_position);
    bool same = i > 0 && next_section == section, back = same && next_position <= position;
    if ((i > 0 && next_section < section) || (back && round)) phase++;
    round = back && !round ? 1 : same && !back ? round : 0;
    uint64_t channel = 2 * phase + round;
    way[i].channel = (uint32_t)(channel < most ? channel : most - 1);
    way[i].wire = topology_capacity(t, way[i].link);
    section = next_section;
    position = next_position;
  }
}

static void way_take(struct packets *s, struct packet *packet) {
  uint32_t count;
  const uint32_t *route = route_of(s, packet, &count);
  packet->way = piece_take(&s->messages.pieces, count * sizeof *packet->way);
  packet->step_count = count;
  for (uint32_t i = 0; i < count; i++) {
    packet->way[i].link = route[i];
    messages_carry(&s->messages, &s->messages.items[packet->message], route[i], packet->bytes);
  }
  steps_choose(s, packet->way, count);
}

/* ---- packets ---- */

/* The next packet of a message stands before its first link at that time. */
static void packet_next(struct packets *s, uint32_t message, double time) {
  struct trip *trip = &s->trips[message];
  if (trip->sent == trip->packets) return;
  uint32_t number = s->free;
  if (number != NOWHERE) {
    s->free = s->items[number].next;
  } else {
    PIECE_GROW(&s->messages.pieces, s->items, s->count, s->room);
    number = s->count++;
  }
  double left = s->messages.items[message].bytes - (double)trip->sent * s->rules.size;
  s->items[number] = (struct packet){
      .message = message, .number = trip->sent++, .tail = time, .bytes = left < s->rules.size ? left : s->rules.size};
  way_take(s, &s->items[number]);
  event_push(s, time, PACKET_READY, number, 0);
}

/* One of its events has happened; after the last one it is no more. */
static void packet_event_done(struct packets *s, uint32_t number) {
  struct packet *packet = &s->items[number];
  if (--packet->events > 0 || packet->at < packet->step_count) return;
  piece_give(&s->messages.pieces, packet->way, packet->step_count * sizeof *packet->way);
  packet->way = NULL;
  packet->next = s->free;
  s->free = number;
}

static void packet_wait(struct packets *s, uint32_t number) {
  struct packet *packet = &s->items[number];
  struct channel *channel = channel_at(s, &packet->way[packet->at]);
  s->lines[packet->way[packet->at].wire].waiting++;
  packet->came = s->came++;
  packet->next = NOWHERE;
  if (channel->first == NOWHERE)
    channel->first = number;
  else
    s->items[channel->last].next = number;
  channel->last = number;
}

/* The channel whose first packet the link takes next; NULL: there is none that can go. */
static struct channel *channel_next(struct packets *s, const struct line *line) {
  struct channel *next = NULL;
  for (uint32_t i = 0; i < line->channel_count; i++) {
    struct channel *channel = &line->channels[i];
    if (channel->first == NOWHERE) continue;
    const struct packet *packet = &s->items[channel->first];
    if (packet->at + 1 < packet->step_count && channel->used >= s->rules.buffers) continue;
    if (!next || packet->came < s->items[next->first].came) next = channel;
  }
  return next;
}

static double arrival_of(const struct packets *s, uint32_t message, double time) {
  double end = s->messages.items[message].end;
  return fabs(time - end) <= TOGETHER * end ? end : time;
}

/* The packet sets out on its next link now. */
static void packet_start(struct packets *s, struct line *line, struct channel *channel, double now) {
  const struct topology *t = s->messages.topology;
  uint32_t number = channel->first, step = s->items[number].at, message = s->items[number].message;
  struct packet *packet = &s->items[number];
  channel->first = packet->next;
  line->waiting--;
  line->busy = true;
  double done = now + packet->bytes / topology_bandwidth(t, packet->way[step].link);
  if (done < packet->tail) done = packet->tail;
  double latency = topology_latency(t, packet->way[step].link), bytes = packet->bytes;
  packet->tail = done + latency;
  packet->at++;
  bool last = packet->at == packet->step_count;
  if (!last) channel->used++;
  double there = arrival_of(s, message, done + latency);
  event_push(s, done, LINK_DONE, number, step);
  packet->events++;
  if (last) {
    event_push(s, there, PACKET_THERE, number, step);
    packet->events++;
  } else {
    event_push(s, s->rules.store_and_forward ? done + latency : now + latency, PACKET_READY, number, step + 1);
  }
  if (step == 0) packet_next(s, message, now + bytes * s->trips[message].gap);
}

static void line_serve(struct packets *s, uint32_t wire, double now) {
  struct line *line = &s->lines[wire];
  struct channel *channel = line->busy ? NULL : channel_next(s, line);
  if (channel) packet_start(s, line, channel, now);
}

/* The end of the packet has left for its next switch: link and buffer are free. */
static void link_done(struct packets *s, const struct packet_event *event) {
  const struct packet *packet = &s->items[event->subject];
  uint32_t wire = packet->way[event->step].wire;
  s->lines[wire].busy = false;
  if (event->step > 0) {
    const struct step *before = &packet->way[event->step - 1];
    channel_at(s, before)->used--;
    line_serve(s, before->wire, event->time);
  }
  line_serve(s, wire, event->time);
  packet_event_done(s, event->subject);
}

static void packet_there(struct packets *s, const struct packet_event *event, const struct psl_call *call) {
  uint32_t message = s->items[event->subject].message;
  struct trip *trip = &s->trips[message];
  packet_event_done(s, event->subject);
  if (++trip->arrived == trip->packets) messages_end(&s->messages, message, event->time, call);
}

static void packets_until(struct packets *s, const struct psl_call *call) {
  while (next_event(s) <= call->clock) {
    struct packet_event event = event_pop(s);
    switch (event.kind) {
    case LINK_DONE: link_done(s, &event); break;
    case PACKET_THERE: packet_there(s, &event, call); break;
    case PACKET_READY:
      packet_wait(s, event.subject);
      line_serve(s, s->items[event.subject].way[event.step].wire, event.time);
      break;
    case MESSAGE_BEGINS: packet_next(s, event.subject, event.time); break;
    }
  }
}

/* ---- what models call ---- */

bool packets_send(struct packets *s, struct psl_call *call, uint32_t from, uint32_t to, double bytes, double latency,
                  double gap, double *alone) {
  const struct topology *t = s->messages.topology;
  uint32_t count = from == to ? 0 : t->kind->route(t, from, to, s->messages.route);
  struct message message = {.from = from, .to = to, .bytes = bytes, .start = call->clock + latency};
  double slowest = 0, crossing = latency;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = topology_capacity(t, s->messages.route[i]);
    crossing += topology_latency(t, link);
    slowest = fmax(slowest, 1 / topology_bandwidth(t, link));
  }
  *alone = crossing + bytes * (slowest > gap * (1 + TOGETHER) ? slowest : gap);
  if (count == 0 || bytes == 0) return messages_pass(&s->messages, call);
  if (bytes / s->rules.size > 1e15) {
    snprintf(call->error, sizeof call->error, "a message of %g byte has too many packets", bytes);
    return false;
  }
  if (s->rules.store_and_forward)
    *alone = fmax(*alone, latency + messages_stored(&s->messages, count, bytes, gap, s->rules.size));
  message.end = call->clock + *alone;
  uint32_t number = messages_send(&s->messages, call, &message);
  if (number == NOWHERE) return false;
  PIECE_GROW(&s->messages.pieces, s->trips, number, s->trip_room);
  s->trips[number] = (struct trip){.gap = gap, .packets = (uint64_t)ceil(bytes / s->rules.size)};
  event_push(s, message.start, MESSAGE_BEGINS, number, 0);
  messages_arm(&s->messages, next_event(s));
  return true;
}

enum psl_status packets_arrive(struct packets *s, struct psl_call *call) {
  enum psl_status status = messages_arrive(&s->messages, call);
  if (status != PSL_BLOCKED) return status;
  packets_until(s, call);
  return messages_see(&s->messages, call, next_event(s));
}

/* ---- reports ---- */

/* A packet that stands in this buffer. */
static const struct packet *buffered(const struct packets *s, const struct step *step) {
  for (uint32_t i = 0; i < s->count; i++) {
    const struct packet *packet = &s->items[i];
    if (!packet->way || packet->at == 0 || packet->at == packet->step_count) continue;
    const struct step *before = &packet->way[packet->at - 1];
    if (before->link == step->link && before->channel == step->channel) return packet;
  }
  return NULL;
}

void packets_explain_wait(const struct packets *s, uint32_t process, char *out, size_t size, uint32_t *other) {
  for (uint32_t i = 0; i < s->count; i++) {
    const struct packet *packet = &s->items[i];
    if (!packet->way || packet->at == packet->step_count) continue;
    const struct message *m = &s->messages.items[packet->message];
    if (m->process != process) continue;
    const struct step *step = &packet->way[packet->at];
    char link[80];
    s->messages.topology->kind->print(s->messages.topology, step->link, link, sizeof link);
    snprintf(out, size,
             "for its message from node %u to node %u, whose packet %" PRIu64
             " waits for a buffer behind link %s, channel %u",
             m->from, m->to, packet->number, link, step->channel);
    const struct packet *holder = buffered(s, step);
    if (holder) *other = s->messages.items[holder->message].process;
    return;
  }
  snprintf(out, size, "for its message to cross the network");
}

size_t packets_statistics(const struct packets *s, struct psl_statistic *out, size_t capacity) {
  return messages_statistics(&s->messages, out, capacity);
}
