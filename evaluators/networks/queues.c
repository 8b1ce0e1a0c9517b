/* Contention by formula: a message waits at each link of its way for a mean time that follows from what has crossed the
 * link before: l messages a second that keep it busy for S each, u = l E[S]. What random ones find there is, by
 * Pollaczek and Khinchin, the work l E[S^2] / (2 (1 - u)). How a message waits for that depends on how it comes.
 *
 * Nodes offer their first link a packet of each of their messages in turn: as by processor sharing (Kleinrock), T
 * takes T / (1 - u), less what the conservation of work takes off for turns as long as a packet.
 *
 * Behind a link come trains, whose packets stand apart already by what that link took: that is no wait. All that has
 * set out is W = V + R, the queue and what is still to come of the trains under way. Where these come no slower than
 * the link sends it is busy as long as W > 0, so W is that of M/G/1 and E[R] = l E[S^2] s / 2, where trains come in
 * s of the time that the link takes for them (Rubinovitch, Cohen): so E[V] = l E[S^2] / 2 (1/(1 - u) - s). While a
 * train comes V grows by the others that come, u of the time. That is what its last packet waits. A train that the
 * links before have mixed with others, u of the time, comes at half the speed meanwhile, and loses half of that: the
 * factor 1 - u/2. A packet counts whole: of packets alone, E[S^2] is theirs, and all is as at M/G/1.
 *
 * Those that came over the same link as this one are in its way only as far as this one takes longer: for packets of
 * one size in a row of links all waits are together that of the slowest one (Avi-Itzhak), so that here only what is
 * behind that link's own wait is left. With links that are alike nothing is left, and it waits for the others alone
 * (as Kruskal and Snir have it for stages of switches: 1 - 1/k of that, with k inputs).
 *
 * What waits is in buffers. Of a wait w, taken as exponential, w exp(-b/w) is beyond a room b: for so long the
 * messages take turns after all, and the links before are held, which is lost to those that go another way: so a
 * blocked input of a switch is counted by Karol, Hluchyj and Morgan. Where a link is held for h of the time that it
 * sends, while it is not saturated anyway, S is longer by (1 + h) / (1 + u h).
 *
 * The factor 1 - u/2, the exponential w, the buffers that others have (hold_before) and what two links in turn take off
 * (wait_for_trains) are approximations that hold by comparison with packets, which psl-networks(7) gives.
 *
 * That is what messages find at random times. Each link keeps what those before have found there indeed, the work
 * that was left of others, and where that is less than a quarter it stands in the place of what random ones would
 * find: the steps of an all-to-all are not in each other's way. Before that can be told, and with u >= 1, where
 * there is no mean, a message waits for what is left there of others when it comes. Nobody waits for more than all
 * that has come.
 *
 * A free link takes a packet with its head and is busy until its end has come, over links that may be slower; where
 * packets are stored and forwarded, for its own time.
 *
 * Messages of one time do not see each other, and so depend on no order. */
#include "evaluators/networks/queues.h"
#include <math.h>
#include <stdio.h>

struct traffic {               /* of a link, or of those that come to it over one link */
  double count, work, squares; /* messages; s that they keep it busy, s^2 that each packet does */
  double whole, found;         /* s^2 that each message does; s of others' work that they have found there */
  double bytes, held;          /* held: s that it cannot send since buffers behind it are full */
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

struct stay {
  double wait, room; /* s; s of work that has room in the buffers before the link */
};

struct queues {
  struct messages messages;
  struct packet_rules rules;
  struct stay *stays; /* of a message, by the links of its way */
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

struct queues *queues_open(struct psl_host *host, const struct topology *topology, const struct packet_rules *rules) {
  struct queues *s = host->allocate(host, sizeof *s);
  s->rules = *rules;
  s->stays = host->allocate(host, (2 * topology->longest + 1) * sizeof *s->stays);
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
  q->past.bytes += fresh->bytes;
  q->past.held += fresh->held;
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

/* A message before one of its links. All but its first packet are the rest, which alone takes `pace` behind it. */
struct crossing {
  const struct input *input;
  double packets, pace;
  double rest, spread;     /* s that the rest keeps the link busy; in which it comes from the links before, alone */
  double room;             /* s of work for which there are buffers before it */
  double own;              /* s/byte of the link */
  double apart;            /* s/byte by which those before have set apart what comes over the same one */
  double slowest, busiest; /* of the links before: s/byte; part of the time */
};

/* Where nodes send: the packets of their messages take turns. */
static double wait_in_turns(const struct queue *q, const struct crossing *c, double there, double stretched) {
  double first = there * q->past.squares / (2 * q->past.work);
  double turns = there * (1 - 1 / (2 * c->packets)), later = c->rest * (1 + turns) - c->pace;
  return stretched * (first + fmax(0, later));
}

/* Behind other links: trains come, each as fast as they let it. */
static double wait_for_trains(const struct queue *q, const struct crossing *c, double there, double stretched) {
  double alike = c->input->count / q->past.count;
  double others = 1 - alike * waited_before(c->apart / c->own, busy_part(q));
  double busy = there / (1 + there), faster = fmin(1, c->slowest / c->own);
  double coming = c->slowest * q->past.bytes / q->past.work; /* as a part of what they keep the link busy */
  double whole = q->past.whole * stretched * fmax(0, there + 1 - coming);
  double first = fmax(there * q->past.squares, busy * (whole + q->past.squares * faster)) / (2 * q->past.work);
  double grown = busy * (1 - busy / 2) * fmin(c->rest, c->spread) - (1 - busy) * (c->pace - c->rest);
  double trains = first + fmax(0, grown);
  if (trains <= 0) return 0;
  /* In turns it goes as fast as the slowest of its links lets it: what two of them take off counts once. */
  double both = busy * c->busiest, turns = c->rest * (1 + there - faster * both / (1 - both)) - c->pace;
  return others * (trains + fmax(0, turns - trains) * exp(-c->room / trains));
}

/* Of a message's last packet. */
static double mean_wait(const struct queue *q, const struct crossing *c) {
  double there = others_there(q), busy = there / (1 + there), held = q->past.held / q->past.work;
  double stretched = (1 + held) / (1 + busy * held);
  there *= 1 + held;
  double wait =
      c->input->link == NOWHERE ? wait_in_turns(q, c, there, stretched) : wait_for_trains(q, c, there, stretched);
  return fmin(wait, q->past.work);
}

/* Of all packets of so many bytes, on a link that takes so long for a byte. */
static double squares_of(const struct queues *s, double bytes, double gap) {
  double size = s->rules.size, whole = floor(bytes / size), rest = bytes - whole * size;
  return (whole * size * size + rest * rest) * gap * gap;
}

/* The part of what has crossed one link that goes on to the other. */
static double going_on(const struct queue *from, const struct input *to) {
  return from->past.count > 0 ? fmin(1, to->count / from->past.count) : 0;
}

/* How long the links before are held by a message that waits so long behind them, for those that do not go there.
 * Others take buffers as well, as far as the link is busy. */
static void hold_before(struct queues *s, uint32_t count) {
  double held = 0, same = 1; /* part of those before that go where it is held */
  for (uint32_t i = count; i-- > 1;) {
    uint32_t link = topology_capacity(s->messages.topology, s->messages.route[i]);
    uint32_t before = topology_capacity(s->messages.topology, s->messages.route[i - 1]);
    struct queue *q = &s->links[before];
    double wait = s->stays[i].wait + held;
    if (wait <= 0) continue;
    same = (s->stays[i].wait + same * held) / wait * going_on(q, input_of(s, &s->links[link], before));
    held = wait * exp(-s->stays[i].room / (wait * (1 + fmin(1, busy_part(q)))));
    q->fresh.held += held * (1 - same);
  }
}

static void queue_take(const struct queues *s, struct queue *q, double bytes, double gap) {
  q->fresh.count++;
  q->fresh.bytes += bytes;
  q->fresh.work += bytes * gap;
  q->fresh.squares += squares_of(s, bytes, gap);
  q->fresh.whole += bytes * gap * bytes * gap;
  q->fresh.found += q->left;
}

/* The message crosses its links at that time: what it waits, s. */
static double cross(struct queues *s, const struct message *m, double time) {
  const struct topology *t = s->messages.topology;
  const uint32_t *route = s->messages.route;
  uint32_t count = topology_route(t, m->from, m->to, m->bytes, m->start, s->messages.route), before = NOWHERE;
  double wait = 0, rest = m->bytes - fmin(m->bytes, s->rules.size);
  struct crossing c = {.packets = ceil(m->bytes / s->rules.size)};
  for (uint32_t i = 0; i < count; i++)
    c.pace = fmax(c.pace, rest / topology_bandwidth(t, topology_capacity(t, route[i])));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = topology_capacity(t, route[i]);
    struct queue *q = queue_at(s, link, time);
    struct input *input = input_of(s, q, before);
    c.input = input;
    c.own = 1 / topology_bandwidth(t, link);
    c.rest = rest * c.own;
    c.spread = rest * c.slowest;
    c.room = q->past.work > 0 ? (double)s->rules.buffers * q->past.squares / q->past.work : 0;
    s->stays[i] = (struct stay){is_settled(q) ? mean_wait(q, &c) : fmax(0, q->left - wait), c.room};
    wait += s->stays[i].wait;
    c.slowest = fmax(c.slowest, c.own);
    double late = s->rules.store_and_forward ? 0 : fmax(0, 1 - busy_part(q)), gap = c.own + (c.slowest - c.own) * late;
    double alike = before != NOWHERE && q->past.count > 0 ? input->count / q->past.count : 0;
    c.apart = gap + alike * fmax(0, c.apart - gap);
    if (is_settled(q)) c.busiest = fmax(c.busiest, 1 - 1 / (1 + others_there(q)));
    queue_take(s, q, m->bytes, gap);
    input->fresh++;
    messages_carry(&s->messages, m, route[i], m->bytes);
    before = link;
  }
  hold_before(s, count);
  return wait;
}

bool queues_send(struct queues *s, struct psl_call *call, uint32_t from, uint32_t to, double bytes, double latency,
                 double gap, double *alone) {
  struct message message = {.from = from, .to = to, .bytes = bytes, .start = call->clock + latency};
  *alone = messages_alone(&s->messages, &message, latency, gap, s->rules.store_and_forward ? s->rules.size : 0);
  if (from == to || bytes == 0) return messages_pass(&s->messages, call);
  return messages_send(&s->messages, call, &message) != NOWHERE;
}

enum psl_status queues_arrive(struct queues *s, struct psl_call *call) {
  enum psl_status status = messages_arrive(&s->messages, call);
  if (status != PSL_BLOCKED) return status;
  uint32_t number = messages_of(&s->messages, call->process);
  s->last = fmax(s->last, call->clock);
  s->several = s->several || s->messages.items[number].bytes > s->rules.size;
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
