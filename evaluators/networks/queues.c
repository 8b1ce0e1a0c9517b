/* Contention by formula: the first packet of a message waits at each link of its way for the mean time that Pollaczek
 * and Khinchin have for M/G/1, l E[S^2] / (2 (1 - u)), of the packets that have crossed the link before: l a second,
 * for S each, u = l E[S]. That is what messages find at random times. Each link keeps what those before have found
 * there indeed, the work that was left of others, and where that is less than a quarter it stands in the place of what
 * random ones would find: the steps of an all-to-all are not in each other's way. Before that can be told, and with
 * u >= 1, where there is no mean, it waits for what is left there of others when it comes. Those that came over the
 * same link before this one stand apart already by what that link
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
  double whole, found;         /* s^2 that each message does; s of others' work that they have found there */
};
struct input {
  uint32_t link; /* where they come from; NOWHERE: a node */
  double count, fresh;
};
struct queue {
  struct traffic past, fresh; /* before `time`, and at it */
  double time, left;          /* s of work that has come before `time` and is not done by then */
  double together, unseen;    /* messages that came at one time with others; s that they would wait for these */
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
/* Of what random messages find: below it they are not random. */
static const double few_found = 0.25;
/* So many random messages would have found the link busy: from then on it can be told. */
static const double enough_random = 4;
/* So much of the time that messages keep a link busy may be waited for what comes with them, unseen. */
static const double unseen_most = 0.1;

struct queues *queues_open(struct psl_host *host, const struct topology *topology, double packet) {
  struct queues *s = host->allocate(host, sizeof *s);
  s->packet = packet;
  messages_open(&s->messages, host, topology);
  return s;
}

/* What came at the link's time is past. */
static void queue_pass(struct queue *q, double time) {
  const struct traffic *fresh = &q->fresh;
  q->left = fmax(0, q->left + fresh->work - (time - q->time));
  q->time = time;
  if (fresh->count > 1) {
    q->together += fresh->count;
    q->unseen += fresh->work * (fresh->count - 1) / 2;
  }
  q->past.count += fresh->count;
  q->past.work += fresh->work;
  q->past.squares += fresh->squares;
  q->past.whole += fresh->whole;
  q->past.found += fresh->found;
  q->fresh = (struct traffic){.count = 0};
  for (uint32_t i = 0; i < q->input_count; i++) {
    q->inputs[i].count += q->inputs[i].fresh;
    q->inputs[i].fresh = 0;
  }
}

/* A link, of which what came before `time` is past. */
static struct queue *queue_at(struct queues *s, uint32_t link, double time) {
  while (s->link_count <= link) {
    PIECE_GROW(&s->messages.pieces, s->links, s->link_count, s->link_room);
    s->links[s->link_count++] = (struct queue){.time = 0};
  }
  struct queue *q = &s->links[link];
  if (time > q->time) queue_pass(q, time);
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

/* Is there a mean, and have enough come to tell whether they come at random times? */
static bool is_settled(const struct queue *q) {
  double busy = busy_part(q);
  return busy < 1 && q->past.count * busy >= enough_random;
}

/* Messages that one has found there, in the mean: their work, in parts of what is left of a message. */
static double others_found(const struct queue *q) {
  return q->past.whole > 0 ? 2 * q->past.found / q->past.count * q->past.work / q->past.whole : 0;
}

/* Messages that are there when another comes. */
static double others_there(const struct queue *q) {
  double random = busy_part(q) / (1 - busy_part(q)), found = others_found(q);
  return found < few_found * random ? found : random;
}

/* What packets that came over one link have waited there, as a part of what they would wait here alone: the waits of an
 * M/D/1 by one another. `faster`: how long that link takes for a packet, as a part of what this one takes. */
static double waited_before(double faster, double busy) {
  return faster >= 1 ? 1 : faster * faster * (1 - busy) / (1 - faster * busy);
}

/* Of the first packet of a message, and by how much the others are later, which go no faster than `pace` and alone take
 * the link for `rest`. */
static double mean_wait(const struct queue *q, const struct input *input, double rest, double pace, double faster) {
  double alike = input->link == NOWHERE ? 0 : input->count / q->past.count;
  double others = 1 - alike * waited_before(faster, busy_part(q));
  double there = others_there(q), first = there * q->past.squares / (2 * q->past.work);
  double later = rest == 0 ? 0 : fmax(0, rest * (1 + there) - pace);
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
    wait += is_settled(q) ? mean_wait(q, input, behind_first * own, pace, before_gap / own) : fmax(0, q->left - wait);
    q->fresh.count++;
    q->fresh.work += m->bytes * gap;
    q->fresh.squares += squares_of(s, m->bytes, gap);
    q->fresh.whole += m->bytes * gap * m->bytes * gap;
    q->fresh.found += q->left;
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

/* ---- warnings ---- */

/* How far the link is beyond what is known to be near; above 0: it is. */
typedef double queue_excess(const struct queues *s, const struct queue *q);

static double limit_of(const struct queues *s) { return s->several ? near_several : near_one_packet; }

static double asked_for(const struct queues *s, const struct queue *q) {
  return s->last > 0 ? q->past.work / s->last : 0;
}

/* As busy as a link is where random messages find as much. */
static double found_busy(const struct queue *q) { return others_found(q) / (1 + others_found(q)); }

static double excess_asked(const struct queues *s, const struct queue *q) {
  bool apart = others_found(q) < few_found * limit_of(s) / (1 - limit_of(s)); /* of what is found at the limit */
  return apart ? 0 : asked_for(s, q) - limit_of(s);
}

static double excess_found(const struct queues *s, const struct queue *q) { return found_busy(q) - limit_of(s); }

static double excess_unseen(const struct queues *s, const struct queue *q) {
  (void)s;
  return q->past.work > 0 ? q->unseen / q->past.work - unseen_most : 0;
}

/* The link that exceeds it most, and its name; NULL: none does. */
static const struct queue *queue_beyond(const struct queues *s, queue_excess *excess, char *name, size_t size) {
  const struct queue *worst = NULL;
  double most = 0;
  for (uint32_t link = 0; link < s->link_count; link++) {
    double by = excess(s, &s->links[link]);
    if (by <= most) continue;
    most = by;
    worst = &s->links[link];
    s->messages.topology->kind->print(s->messages.topology, link, name, size);
  }
  return worst;
}

static void warn_busy(const struct queues *s) {
  char name[72], text[300];
  const char *of = s->several ? " with messages of several packets" : "";
  const struct queue *q = queue_beyond(s, excess_asked, name, sizeof name);
  if (q) {
    snprintf(
        text, sizeof text,
        "link %s is asked for %.0f %% of the time: above %.0f %%%s, means by link queues may be off by more than 10 %%",
        name, 100 * asked_for(s, q), 100 * limit_of(s), of);
  } else if ((q = queue_beyond(s, excess_found, name, sizeof name))) {
    snprintf(
        text, sizeof text,
        "messages come to link %s in bursts: they find as much there as on one that is asked for %.0f %% of the time; "
        "above %.0f %%%s, means by link queues may be off by more than 10 %%",
        name, 100 * found_busy(q), 100 * limit_of(s), of);
  }
  if (q) s->messages.host->warn(s->messages.host, text);
}

/* What waits only for messages of its own time does not wait here. */
static void warn_unseen(const struct queues *s) {
  char name[72], text[300];
  const struct queue *q = queue_beyond(s, excess_unseen, name, sizeof name);
  if (!q) return;
  snprintf(
      text, sizeof text,
      "%.0f messages come to link %s at the same time as others, and link queues do not have them wait for these, "
      "%.0f %% of the time that it is busy: times are too short; simulation[flows] and simulation[packets] have it",
      q->together, name, 100 * q->unseen / q->past.work);
  s->messages.host->warn(s->messages.host, text);
}

size_t queues_statistics(struct queues *s, struct psl_statistic *out, size_t capacity) {
  for (uint32_t link = 0; link < s->link_count; link++)
    queue_pass(&s->links[link], s->links[link].time);
  warn_busy(s);
  warn_unseen(s);
  return messages_statistics(&s->messages, out, capacity);
}
