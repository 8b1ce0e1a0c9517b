/* Contention by formula: the first packet of a message waits at each link of its way for the mean time that Pollaczek
 * and Khinchin have for M/G/1, l E[S^2] / (2 (1 - u)), of the packets that have crossed the link before: l a second,
 * for S each, u = l E[S]. Those that came over the same link before this one stand apart already by what that link
 * took, and are in its way only as far as this one takes longer: for packets of one size in a row of links all waits
 * are together that of the slowest one (Avi-Itzhak), so that here only what is behind that link's own wait is left.
 * With links that are alike nothing is left, and it waits for the others alone (as Kruskal and Snir have it for stages
 * of switches: 1 - 1/k of that, with k inputs). The other packets take turns with those of others, as by processor
 * sharing: T / (1 - u) where they alone take T, which is later by what it is more than the slowest link of the way lets
 * them have. Nobody waits for more than all that has come.
 *
 * A free link takes a packet with its head and is busy until its end has come, over links that may be slower.
 *
 * Messages of one time do not see each other, and so depend on no order. */
#include "evaluators/networks/queues.h"
#include <math.h>
#include <stdio.h>

struct traffic {               /* of a link, or of those that come to it over one link */
  double count, work, squares; /* messages; s that they keep it busy, s^2 that each packet does */
};
struct input {
  uint32_t link; /* where they come from; NOWHERE: a node */
  double count, fresh;
};
struct queue {
  struct traffic past, fresh; /* before `time`, and at it */
  double time;
  struct input *inputs;
  uint32_t input_count, input_room;
};

struct queues {
  struct messages messages;
  double packet; /* byte */
  struct queue *links;
  uint32_t link_count, link_room;
  double last;  /* when the last message has come */
  bool several; /* one of several packets has */
};

/* Up to so busy the means are known to be near those of packets: psl-networks(7) has the figures. */
static const double near_one_packet = 0.6, near_several = 0.4;

struct queues *queues_open(struct psl_host *host, const struct topology *topology, double packet) {
  struct queues *s = host->allocate(host, sizeof *s);
  s->packet = packet;
  messages_open(&s->messages, host, topology);
  return s;
}

/* A link, of which what came before `time` is past. */
static struct queue *queue_at(struct queues *s, uint32_t link, double time) {
  while (s->link_count <= link) {
    PIECE_GROW(&s->messages.pieces, s->links, s->link_count, s->link_room);
    s->links[s->link_count++] = (struct queue){.time = 0};
  }
  struct queue *q = &s->links[link];
  if (time <= q->time) return q;
  q->time = time;
  q->past.count += q->fresh.count;
  q->past.work += q->fresh.work;
  q->past.squares += q->fresh.squares;
  q->fresh = (struct traffic){0, 0, 0};
  for (uint32_t i = 0; i < q->input_count; i++) {
    q->inputs[i].count += q->inputs[i].fresh;
    q->inputs[i].fresh = 0;
  }
  return q;
}

static struct input *input_of(struct queues *s, struct queue *q, uint32_t from) {
  for (uint32_t i = 0; i < q->input_count; i++)
    if (q->inputs[i].link == from) return &q->inputs[i];
  PIECE_GROW(&s->messages.pieces, q->inputs, q->input_count, q->input_room);
  q->inputs[q->input_count] = (struct input){from, 0, 0};
  return &q->inputs[q->input_count++];
}

static double busy_part(const struct queue *q) { return q->past.count > 0 ? q->past.work / q->time : 0; }

/* What packets that came over one link have waited there, as a part of what they would wait here alone: the waits of an
 * M/D/1 by one another. `faster`: how long that link takes for a packet, as a part of what this one takes. */
static double waited_before(double faster, double busy) {
  return faster >= 1 ? 1 : faster * faster * (1 - busy) / (1 - faster * busy);
}

/* Of the first packet of a message, and by how much the others are later, which go no faster than `pace` and alone take
 * the link for `rest`. */
static double wait_at(const struct queue *q, const struct input *input, double rest, double pace, double faster) {
  if (q->past.count == 0) return 0;
  double busy = busy_part(q), alike = input->link == NOWHERE ? 0 : input->count / q->past.count;
  double others = 1 - alike * waited_before(faster, fmin(busy, 1));
  double first = busy < 1 ? q->past.squares / q->time / (2 * (1 - busy)) : INFINITY;
  double later = rest == 0 ? 0 : busy < 1 ? fmax(0, rest / (1 - busy) - pace) : INFINITY;
  return others * (fmin(first, q->past.work) + fmin(later, q->past.work));
}

/* Of all packets of so many bytes, on a link that takes so long for a byte. */
static double squares_of(const struct queues *s, double bytes, double gap) {
  double whole = floor(bytes / s->packet), rest = bytes - whole * s->packet;
  return (whole * s->packet * s->packet + rest * rest) * gap * gap;
}

/* The message crosses its links at that time: what it waits, s. */
static double cross(struct queues *s, const struct message *m, double time) {
  const struct topology *t = s->messages.topology;
  const uint32_t *route = s->messages.route;
  uint32_t count = topology_route(t, m->from, m->to, m->bytes, m->start, s->messages.route), before = NOWHERE;
  double wait = 0, slowest = 0, before_gap = 0, pace = 0, behind_first = m->bytes - fmin(m->bytes, s->packet);
  for (uint32_t i = 0; i < count; i++)
    pace = fmax(pace, behind_first / topology_bandwidth(t, topology_capacity(t, route[i])));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = topology_capacity(t, route[i]);
    double own = 1 / topology_bandwidth(t, link);
    slowest = fmax(slowest, own);
    struct queue *q = queue_at(s, link, time);
    double gap = own + (slowest - own) * fmax(0, 1 - busy_part(q)); /* s/byte that it is busy */
    struct input *input = input_of(s, q, before);
    wait += wait_at(q, input, behind_first * own, pace, before_gap / own);
    q->fresh.count++;
    q->fresh.work += m->bytes * gap;
    q->fresh.squares += squares_of(s, m->bytes, gap);
    input->fresh++;
    messages_carry(&s->messages, m, route[i], m->bytes);
    before = link;
    before_gap = gap;
  }
  return wait;
}

bool queues_send(struct queues *s, struct psl_call *call, uint32_t from, uint32_t to, double bytes, double latency,
                 double gap, double *alone) {
  struct message message = {.from = from, .to = to, .bytes = bytes, .start = call->clock + latency};
  *alone = messages_alone(&s->messages, &message, latency, gap);
  if (from == to || bytes == 0) return messages_pass(&s->messages, call);
  return messages_send(&s->messages, call, &message) != NOWHERE;
}

enum psl_status queues_arrive(struct queues *s, struct psl_call *call) {
  enum psl_status status = messages_arrive(&s->messages, call);
  if (status != PSL_BLOCKED) return status;
  uint32_t number = messages_of(&s->messages, call->process);
  s->last = fmax(s->last, call->clock);
  s->several = s->several || s->messages.items[number].bytes > s->packet;
  double wait = cross(s, &s->messages.items[number], call->clock);
  if (wait > 0) s->messages.delayed += s->messages.items[number].counts;
  messages_end(&s->messages, number, call->clock, call);
  status = messages_see(&s->messages, call, INFINITY);
  call->clock += wait;
  return status;
}

static void warn_busy(const struct queues *s) {
  double most = s->several ? near_several : near_one_packet, busiest = most;
  const struct topology *t = s->messages.topology;
  char name[72] = "", text[220];
  for (uint32_t link = 0; link < s->link_count; link++) {
    double busy = s->last > 0 ? s->links[link].past.work / s->last : 0;
    if (busy <= busiest) continue;
    busiest = busy;
    t->kind->print(t, link, name, sizeof name);
  }
  if (!*name) return;
  snprintf(
      text, sizeof text,
      "link %s is asked for %.0f %% of the time: above %.0f %%%s, means by link queues may be off by more than 10 %%",
      name, 100 * busiest, 100 * most, s->several ? " with messages of several packets" : "");
  s->messages.host->warn(s->messages.host, text);
}

size_t queues_statistics(const struct queues *s, struct psl_statistic *out, size_t capacity) {
  warn_busy(s);
  return messages_statistics(&s->messages, out, capacity);
}
