/* Dimemas' model of machines, as its simulator has it (version 5.5, BSC): nodes with processors, and messages that wait
 * for a free output link of the sender's node, an input link of the receiver's and one of a number of buses, then take
 * size / bandwidth. Tasks of one node have links and buses of their own among them. What a call takes is latency, on
 * the task's processor, before it does anything. A message that is to be met is sent when its receiver is there.
 * Collective operations wait for all members, then for all buses, and take a time by formula.
 *
 * All tasks wait here, each with the operation that it has asked for; when all have asked, events are handled in their
 * order until one or several go on. Times are ns, as there, so that what is rounded is so alike. */
#include "evaluators/dimemas_machine.h"
#include "interp/include/evaluator.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, CHUNK = 1 << 10, ANY = -1 };

enum operation_kind {
  OPERATION_NONE,
  OPERATION_COMPUTE,
  OPERATION_SEND,
  OPERATION_RECEIVE,
  OPERATION_START_RECEIVE,
  OPERATION_WAIT,
  OPERATION_COLLECTIVE,
  OPERATION_WAIT_COLLECTIVE,
};
enum collective_mode { COLLECTIVE_STARTED, COLLECTIVE_BLOCKING, COLLECTIVE_ROOT };

struct operation {
  enum operation_kind kind;
  int32_t partner, tag;
  uint32_t communicator; /* its place among them */
  double size;           /* bytes; of a computation: ns */
  bool rendezvous, immediate;
  int32_t number; /* of a collective operation: which, */
  enum collective_mode mode;
  bool leads; /* the task is its root, */
  double received;
};

struct queue { /* of items, or of tasks */
  uint32_t first, last;
};

struct item {                 /* a message, or a note that a send or a receive was reached */
  uint32_t next, previous;    /* in the queue that it stands in */
  uint32_t after, before;     /* among messages that hold an output link of their node */
  struct operation operation; /* the send, or the receive */
  uint32_t from, to;
  bool has_out, has_in; /* links */
  bool waits_in;        /* in the line for an input link */
  bool blocks;          /* its sender waits until it is on its way */
  uint32_t collective;  /* it is a part of a reduction, for which its sender waits; NONE */
  double sent;          /* ns */
};

struct collective {
  uint32_t next, previous; /* among those of the communicator that are not over; in the line for buses */
  uint32_t communicator, place;
  uint32_t arrived, root; /* root NONE: nobody has said that it is one */
  bool root_waits;
  enum collective_mode mode;
  int32_t number;
  double sent, received; /* by the root */
  uint32_t buses;        /* that are reserved */
  uint32_t *tasks;       /* in the order of coming */
  bool used;
};

struct node {
  double figures[NODE_FIGURES];   /* latencies in ns */
  uint32_t idle;                  /* processors */
  bool half_duplex, unlimited;    /* links to other nodes; half: each is for one of both directions */
  bool inside_half, inside_free;  /* those of its tasks among them */
  uint32_t free_in, free_out;     /* half: free_in has both */
  struct queue wait_in, wait_out; /* messages */
  struct queue holding;           /* messages that go out, and have a link */
  uint32_t inside_used;           /* buses */
  struct queue inside_wait;
  struct queue ready; /* tasks */
  bool touched;       /* by the event in hand: a task may start */
};

enum stage { STAGE_BEGIN, STAGE_STARTUP, STAGE_STARTED };

struct task {
  uint32_t node;
  struct operation asked, now; /* what it has asked for, and what is under way */
  enum stage stage;
  bool passed_event; /* since its last operation: the next one begins in an event of its own */
  bool called, ended;
  bool waits;              /* for a message */
  uint32_t process, owner; /* the instance */
  double clock;            /* s, of its call */
  double burst;            /* ns: for how long it takes the processor next */
  double busy_first;       /* ns: so long it was on the processor at the beginning of the call, */
  double busy_since;       /* and from then on */
  uint32_t next, previous; /* among those that are ready */
  uint32_t free_in, free_out;
  struct queue wait_in, wait_out;
  struct queue arrived, sending;            /* messages; sending: whose receivers are not there */
  struct queue sends_alone, receives_alone; /* notes */
  uint32_t done, waiting;                   /* collective operations that were started: over; that it waits for */
  struct operation *started; /* by the number of a request, less one; what was waited for is of no kind */
  uint32_t started_count, started_capacity;
  int64_t result; /* of the call in hand */
  const struct dimemas_module **modules;
  uint32_t module_count, module_capacity;
};

struct used_node {
  uint32_t node;
  uint32_t present; /* tasks that have come to an operation since the last one was over: as there, those that have come
                     * to a reduction at its root count for the operation behind it, too */
};

struct communicator {
  int64_t name;
  uint32_t size;
  struct used_node *nodes; /* by number */
  uint32_t node_count;
  struct queue pending; /* operations */
  uint32_t root;        /* the last one that has come as such since an operation was over; NONE */
  uint32_t *places;     /* by task: how many it has come to; NULL: none */
};

enum event_kind { EVENT_TASK, EVENT_RESOURCES, EVENT_ARRIVAL, EVENT_COLLECTIVE_RESOURCES, EVENT_COLLECTIVE };

struct event {
  double time;
  uint64_t order;
  enum event_kind kind;
  uint32_t object; /* a task, a message, a collective operation */
};

struct waiting { /* for buses */
  bool collective;
  uint32_t object;
};

struct state {
  struct psl_host *host;
  struct dimemas_machine *machine;
  struct node *nodes;
  uint32_t node_count;
  double bandwidth; /* MiB/s */
  uint32_t buses, used_buses;
  struct waiting *line; /* for buses: a ring */
  uint32_t line_first, line_count, line_capacity;
  struct task *tasks;
  uint32_t task_count, awaited; /* awaited: tasks that have not asked for their next operation */
  double eager;                 /* bytes; negative: as the trace says */
  struct communicator *communicators;
  uint32_t communicator_count, communicator_capacity;
  struct item **items;
  uint32_t item_count, item_chunks, free_item;
  struct collective *collectives;
  uint32_t collective_count, collective_capacity;
  struct event *events; /* a heap */
  uint32_t event_count, event_capacity;
  uint64_t orders;
  double now; /* ns */
  bool begun;
  bool handled;        /* an event was: tasks that are ready are to be started */
  uint32_t in_turn;    /* the task whose next operation belongs to the event in hand; NONE */
  uint32_t first_node; /* where one is started before the others; NONE */
  uint32_t *touched, touched_count;
  uint32_t caller; /* the task whose call is in hand; NONE */
  bool caller_goes_on;
  uint64_t messages;
  double bytes;
};

static inline struct item *item_at(const struct state *s, uint32_t i) { return &s->items[i / CHUNK][i % CHUNK]; }
static inline struct node *node_of(const struct state *s, uint32_t task) { return &s->nodes[s->tasks[task].node]; }
static inline double seconds(double time) { return time * 1e-9; }

/* Room for one more; what is there stays. */
static void *grown(struct state *s, const void *old, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity) return (void *)old;
  uint32_t larger = *capacity ? 2 * *capacity : 16;
  void *room = s->host->allocate(s->host, larger * size);
  if (count) memcpy(room, old, count * size);
  *capacity = larger;
  return room;
}

static uint32_t item_new(struct state *s, struct item value) {
  uint32_t i = s->free_item;
  if (i != NONE) {
    s->free_item = item_at(s, i)->next;
  } else {
    i = s->item_count++;
    s->items = grown(s, s->items, i / CHUNK, &s->item_chunks, sizeof *s->items);
    if (i % CHUNK == 0) s->items[i / CHUNK] = s->host->allocate(s->host, CHUNK * sizeof(struct item));
  }
  *item_at(s, i) = value;
  return i;
}

static void item_free(struct state *s, uint32_t i) {
  item_at(s, i)->next = s->free_item;
  s->free_item = i;
}

/* ---- queues of items ---- */

static void put_last(struct state *s, struct queue *queue, uint32_t i) {
  struct item *item = item_at(s, i);
  item->next = NONE;
  item->previous = queue->last;
  *(queue->last == NONE ? &queue->first : &item_at(s, queue->last)->next) = i;
  queue->last = i;
}

static void put_first(struct state *s, struct queue *queue, uint32_t i) {
  struct item *item = item_at(s, i);
  item->previous = NONE;
  item->next = queue->first;
  *(queue->first == NONE ? &queue->last : &item_at(s, queue->first)->previous) = i;
  queue->first = i;
}

static void take_out(struct state *s, struct queue *queue, uint32_t i) {
  const struct item *item = item_at(s, i);
  *(item->previous == NONE ? &queue->first : &item_at(s, item->previous)->next) = item->next;
  *(item->next == NONE ? &queue->last : &item_at(s, item->next)->previous) = item->previous;
}

static uint32_t take_first(struct state *s, struct queue *queue) {
  uint32_t i = queue->first;
  if (i != NONE) take_out(s, queue, i);
  return i;
}

static bool is_pair(const struct operation *send, uint32_t from, const struct operation *receive) {
  return (receive->partner == ANY || receive->partner == (int32_t)from) &&
         (receive->tag == ANY || receive->tag == send->tag) && receive->communicator == send->communicator;
}

/* The oldest message or note of a send of the queue, to the task, that the receive is for; NONE. */
static uint32_t find_send(const struct state *s, const struct queue *queue, uint32_t to,
                          const struct operation *receive) {
  uint32_t i = queue->first;
  while (i != NONE && !(item_at(s, i)->to == to && is_pair(&item_at(s, i)->operation, item_at(s, i)->from, receive)))
    i = item_at(s, i)->next;
  return i;
}

static uint32_t find_receive(const struct state *s, const struct queue *queue, uint32_t from,
                             const struct operation *send) {
  uint32_t i = queue->first;
  while (i != NONE && !is_pair(send, from, &item_at(s, i)->operation))
    i = item_at(s, i)->next;
  return i;
}

/* ---- events ---- */

static inline bool before(const struct event *a, const struct event *b) {
  return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void event_put(struct state *s, double time, enum event_kind kind, uint32_t object) {
  struct event event = {time, s->orders++, kind, object};
  s->events = grown(s, s->events, s->event_count, &s->event_capacity, sizeof event);
  uint32_t at = s->event_count++;
  for (; at && before(&event, &s->events[(at - 1) / 2]); at = (at - 1) / 2)
    s->events[at] = s->events[(at - 1) / 2];
  s->events[at] = event;
}

static struct event event_take(struct state *s) {
  struct event first = s->events[0], last = s->events[--s->event_count];
  uint32_t at = 0;
  for (uint32_t below = 1; below < s->event_count; below = 2 * at + 1) {
    if (below + 1 < s->event_count && before(&s->events[below + 1], &s->events[below])) below++;
    if (!before(&s->events[below], &last)) break;
    s->events[at] = s->events[below];
    at = below;
  }
  s->events[at] = last;
  return first;
}

/* ---- tasks and processors ---- */

static void node_touch(struct state *s, uint32_t node) {
  if (s->nodes[node].touched) return;
  s->nodes[node].touched = true;
  uint32_t at = s->touched_count++;
  for (; at && s->touched[at - 1] > node; at--)
    s->touched[at] = s->touched[at - 1];
  s->touched[at] = node;
}

/* The task is to have a processor of its node, behind the others or before them. */
static void task_ready(struct state *s, uint32_t number, bool behind) {
  struct task *task = &s->tasks[number];
  struct queue *ready = &s->nodes[task->node].ready;
  task->previous = behind ? ready->last : NONE;
  task->next = behind ? NONE : ready->first;
  *(task->previous == NONE ? &ready->first : &s->tasks[task->previous].next) = number;
  *(task->next == NONE ? &ready->last : &s->tasks[task->next].previous) = number;
  node_touch(s, task->node);
}

/* The call of the task is over: it is to say what it does next. */
static void task_answer(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  double clock = fmax(task->clock, seconds(s->now));
  union psl_argument result = {.integer = task->result};
  task->called = false;
  task->now.kind = OPERATION_NONE;
  task->stage = STAGE_BEGIN;
  s->awaited++;
  s->host->waited(s->host, task->process, PSL_BUSY, seconds(task->busy_since), seconds(task->busy_first));
  if (s->caller == number)
    s->caller_goes_on = true;
  else
    s->host->resume(s->host, task->process, clock, result);
  task->clock = clock;
}

/* Its operation is over: it goes on when it has a processor. */
static void task_goes_on(struct state *s, uint32_t number, bool behind) {
  task_ready(s, number, behind);
  task_answer(s, number);
}

static void task_start(struct state *s, uint32_t node_number) {
  struct node *node = &s->nodes[node_number];
  uint32_t number = node->ready.first;
  struct task *task = &s->tasks[number];
  *(task->next == NONE ? &node->ready.last : &s->tasks[task->next].previous) = NONE;
  node->ready.first = task->next;
  if (task->ended) return;
  bool computes = task->stage == STAGE_BEGIN && task->asked.kind == OPERATION_COMPUTE && !task->passed_event;
  if (computes) {
    task->now = task->asked;
    task->burst = task->now.size;
    task->busy_since = s->now;
  } else if (task->stage == STAGE_BEGIN) {
    task->burst = 0;
  }
  node->idle--;
  event_put(s, s->now + task->burst, EVENT_TASK, number);
}

static void tasks_start(struct state *s) {
  uint32_t first = s->first_node;
  if (first != NONE && s->nodes[first].idle && s->nodes[first].ready.first != NONE) task_start(s, first);
  for (uint32_t i = 0; i < s->touched_count; i++) {
    uint32_t node = s->touched[i];
    while (s->nodes[node].idle && s->nodes[node].ready.first != NONE)
      task_start(s, node);
    s->nodes[node].touched = false;
  }
  s->touched_count = 0;
  s->first_node = NONE;
}

/* ---- messages on their way ---- */

static void message_go(struct state *s, uint32_t i);

/* Of both directions there is one number where links are half duplex. */
static uint32_t *links_in(struct node *node) { return &node->free_in; }
static uint32_t *links_out(struct node *node) { return node->half_duplex ? &node->free_in : &node->free_out; }

static void holding_put(struct state *s, struct node *node, uint32_t i) {
  struct item *item = item_at(s, i);
  item->after = NONE;
  item->before = node->holding.last;
  *(node->holding.last == NONE ? &node->holding.first : &item_at(s, node->holding.last)->after) = i;
  node->holding.last = i;
}

static void holding_take(struct state *s, struct node *node, uint32_t i) {
  const struct item *item = item_at(s, i);
  *(item->before == NONE ? &node->holding.first : &item_at(s, item->before)->after) = item->after;
  *(item->after == NONE ? &node->holding.last : &item_at(s, item->after)->before) = item->before;
}

/* In the place of the one that it takes the link from. */
static void holding_replace(struct state *s, struct node *node, uint32_t old, uint32_t i) {
  struct item *item = item_at(s, i);
  item->after = item_at(s, old)->after;
  item->before = item_at(s, old)->before;
  *(item->before == NONE ? &node->holding.first : &item_at(s, item->before)->after) = i;
  *(item->after == NONE ? &node->holding.last : &item_at(s, item->after)->before) = i;
}

/* A message that has an output link of the node and stands in line for an input link elsewhere; NONE. */
static uint32_t link_lent(const struct state *s, const struct node *node, bool in) {
  if (in && !node->half_duplex) return NONE;
  uint32_t i = node->holding.first;
  while (i != NONE && !item_at(s, i)->waits_in)
    i = item_at(s, i)->after;
  return i;
}

/* Takes it from there: that one stands in line for an output link again, before all others. */
static void link_take(struct state *s, struct node *node, uint32_t lent, uint32_t i, bool in) {
  struct item *other = item_at(s, lent), *item = item_at(s, i);
  take_out(s, &node_of(s, other->to)->wait_in, lent);
  other->has_out = other->waits_in = false;
  if (in) {
    holding_take(s, node, lent);
    item->has_in = true;
  } else {
    holding_replace(s, node, lent, i);
    item->has_out = true;
  }
  put_first(s, &node->wait_out, lent);
}

static bool out_taken(struct state *s, struct node *node, uint32_t i) {
  struct item *item = item_at(s, i);
  if (item->has_out) return true;
  if (!*links_out(node)) return false;
  --*links_out(node);
  item->has_out = true;
  holding_put(s, node, i);
  return true;
}

/* Both links of a message between nodes; false: it stands in line for one. */
static bool links_taken(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct node *from = node_of(s, item->from), *to = node_of(s, item->to);
  uint32_t lent = NONE;
  if (!from->unlimited && !out_taken(s, from, i)) {
    lent = link_lent(s, from, false);
    if (lent == NONE) return put_last(s, &from->wait_out, i), false;
  }
  if (to->unlimited) return true;
  bool has = item->has_in, free = !has && *links_in(to);
  uint32_t lent_in = has || free ? NONE : link_lent(s, to, true);
  if (!has && !free && lent_in == NONE) {
    item->waits_in = lent == NONE;
    put_last(s, lent == NONE ? &to->wait_in : &from->wait_out, i);
    return false;
  }
  if (lent != NONE) link_take(s, from, lent, i, false);
  if (free) {
    --*links_in(to);
    item->has_in = true;
  } else if (!has) {
    link_take(s, to, lent_in, i, true);
  }
  return true;
}

static void line_go(struct state *s, struct queue *line) {
  uint32_t first = take_first(s, line);
  if (first == NONE) return;
  item_at(s, first)->waits_in = false;
  message_go(s, first);
}

static void links_free(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct node *from = node_of(s, item->from), *to = node_of(s, item->to);
  if (item->has_out) {
    ++*links_out(from);
    holding_take(s, from, i);
    item->has_out = false;
    if (from->half_duplex) line_go(s, &from->wait_in);
    line_go(s, &from->wait_out);
  }
  if (item->has_in) {
    ++*links_in(to);
    item->has_in = false;
    if (to->half_duplex) line_go(s, &to->wait_out);
    line_go(s, &to->wait_in);
  }
}

/* Those of the two tasks of a message inside of a node, by the order of tasks where one link is for both directions. */
static bool inside_taken(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct task *from = &s->tasks[item->from], *to = &s->tasks[item->to];
  const struct node *node = node_of(s, item->from);
  if (item->from == item->to || node->inside_free) return true;
  bool half = node->inside_half, backwards = half && item->from > item->to;
  for (int k = 0; k < 2; k++) {
    bool out = (k == 0) != backwards;
    bool *has = out ? &item->has_out : &item->has_in;
    struct task *task = out ? from : to;
    uint32_t *free = out && !half ? &task->free_out : &task->free_in;
    if (*has) continue;
    if (!*free) return put_last(s, out ? &task->wait_out : &task->wait_in, i), false;
    --*free;
    *has = true;
  }
  return true;
}

static void inside_free(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  bool half = node_of(s, item->from)->inside_half;
  if (item->has_out) {
    struct task *task = &s->tasks[item->from];
    ++*(half ? &task->free_in : &task->free_out);
    item->has_out = false;
    if (half) line_go(s, &task->wait_in);
    line_go(s, &task->wait_out);
  }
  if (item->has_in) {
    struct task *task = &s->tasks[item->to];
    ++task->free_in;
    item->has_in = false;
    if (half) line_go(s, &task->wait_out);
    line_go(s, &task->wait_in);
  }
}

static double byte_time(double bandwidth) { return bandwidth != 0 ? 1e9 / (1 << 20) / bandwidth : 0; }

static void line_put(struct state *s, bool collective, uint32_t object) {
  if (s->line_count == s->line_capacity) {
    uint32_t capacity = s->line_capacity ? 2 * s->line_capacity : 16;
    struct waiting *line = s->host->allocate(s->host, capacity * sizeof *line);
    for (uint32_t k = 0; k < s->line_count; k++)
      line[k] = s->line[(s->line_first + k) % s->line_capacity];
    s->line = line;
    s->line_first = 0;
    s->line_capacity = capacity;
  }
  s->line[(s->line_first + s->line_count++) % s->line_capacity] = (struct waiting){collective, object};
}

static struct waiting line_take(struct state *s) {
  struct waiting first = s->line[s->line_first];
  s->line_first = (s->line_first + 1) % s->line_capacity;
  s->line_count--;
  return first;
}

/* The message takes what it needs, link by link, or stands in line for it; with all it is on its way. */
static void message_go(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct node *node = node_of(s, item->from);
  bool inside = s->tasks[item->from].node == s->tasks[item->to].node;
  uint32_t buses = inside ? (uint32_t)node->figures[FIGURE_inside_buses] : s->buses;
  uint32_t *used = inside ? &node->inside_used : &s->used_buses;
  if (inside ? !inside_taken(s, i) : !links_taken(s, i)) return;
  if (buses && *used >= buses) {
    if (inside)
      put_last(s, &node->inside_wait, i);
    else
      line_put(s, false, i);
    return;
  }
  if (buses) ++*used;
  double time = byte_time(inside ? node->figures[FIGURE_inside_bandwidth] : s->bandwidth) * item->operation.size;
  event_put(s, s->now + time, EVENT_RESOURCES, i);
  event_put(s, s->now + time, EVENT_ARRIVAL, i);
}

static void collective_buses(struct state *s, uint32_t c);

/* The first in the line has a bus, or one more of all. */
static void line_serve(struct state *s) {
  struct waiting *first = &s->line[s->line_first];
  if (!first->collective) {
    message_go(s, line_take(s).object);
    return;
  }
  struct collective *collective = &s->collectives[first->object];
  collective->buses += s->buses - s->used_buses;
  s->used_buses = s->buses;
  if (collective->buses == s->buses) collective_buses(s, line_take(s).object);
}

static void resources_free(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct node *node = node_of(s, item->from);
  if (node == node_of(s, item->to)) {
    inside_free(s, i);
    if (node->inside_used) node->inside_used--;
    if (node->inside_wait.first != NONE) message_go(s, take_first(s, &node->inside_wait));
    return;
  }
  links_free(s, i);
  if (s->used_buses) s->used_buses--;
  if (s->buses && s->line_count) line_serve(s);
}

/* ---- sends and receives ---- */

static void message_seen(struct state *s, const struct item *item, uint32_t to) {
  if (s->host->message)
    s->host->message(s->host, s->tasks[item->from].owner, s->tasks[to].owner, seconds(item->sent), seconds(s->now),
                     item->operation.size);
}

static void reduction_part(struct state *s, uint32_t i);

static void message_arrive(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  if (item->collective != NONE) {
    reduction_part(s, i);
    return;
  }
  struct task *to = &s->tasks[item->to];
  if (!to->waits || !is_pair(&item->operation, item->from, &to->now)) {
    put_last(s, &to->arrived, i);
    return;
  }
  to->waits = false;
  to->busy_since = s->now;
  message_seen(s, item, item->to);
  s->first_node = to->node;
  task_goes_on(s, item->to, true);
  item_free(s, i);
}

static uint32_t note_new(struct state *s, uint32_t from, uint32_t to, const struct operation *operation) {
  return item_new(s, (struct item){.operation = *operation, .from = from, .to = to, .collective = NONE});
}

/* The task takes the processor for the latency first; true: it has had that. */
static bool started(struct state *s, uint32_t number, double latency) {
  struct task *task = &s->tasks[number];
  if (latency < 1) latency = 0;
  if (task->stage == STAGE_STARTED || latency == 0) {
    task->stage = STAGE_BEGIN;
    return true;
  }
  task->stage = STAGE_STARTUP;
  task->burst = task->busy_first = latency;
  task_ready(s, number, false);
  return false;
}

static double latency_between(const struct state *s, uint32_t from, uint32_t to) {
  const struct node *node = node_of(s, from);
  return node->figures[s->tasks[from].node == s->tasks[to].node ? FIGURE_inside_latency : FIGURE_latency];
}

static void send(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  const struct operation *operation = &task->now;
  uint32_t to = (uint32_t)operation->partner;
  struct task *partner = &s->tasks[to];
  if (!started(s, number, latency_between(s, number, to))) return;
  s->messages++;
  s->bytes += operation->size;
  uint32_t met = find_receive(s, &partner->receives_alone, number, operation);
  bool begun = met != NONE && item_at(s, met)->operation.kind == OPERATION_START_RECEIVE;
  if (met != NONE) {
    take_out(s, &partner->receives_alone, met);
    item_free(s, met);
  } else {
    put_last(s, &partner->sends_alone, note_new(s, number, to, operation));
  }
  bool there = begun || (partner->waits && is_pair(operation, number, &partner->now));
  uint32_t i = note_new(s, number, to, operation);
  item_at(s, i)->sent = s->now;
  if (operation->rendezvous && !there) {
    item_at(s, i)->blocks = !operation->immediate;
    put_last(s, &task->sending, i);
    if (!operation->immediate) return;
  } else {
    message_go(s, i);
  }
  task->busy_since = s->now;
  task_goes_on(s, number, false);
}

/* A message that waits for the receive is sent. */
static void meet(struct state *s, uint32_t number, const struct operation *receive) {
  uint32_t first = receive->partner == ANY ? 0 : (uint32_t)receive->partner;
  uint32_t last = receive->partner == ANY ? s->task_count - 1 : first, i = NONE, from = first;
  for (; from <= last && (i = find_send(s, &s->tasks[from].sending, number, receive)) == NONE; from++)
    ;
  if (i == NONE) return;
  take_out(s, &s->tasks[from].sending, i);
  bool blocks = item_at(s, i)->blocks;
  message_go(s, i);
  if (!blocks) return;
  s->tasks[from].busy_since = s->now;
  task_goes_on(s, from, false);
}

/* The receive was reached: is there a send that waits for it? */
static bool receive_reached(struct state *s, uint32_t number, const struct operation *receive) {
  struct task *task = &s->tasks[number];
  uint32_t met = find_send(s, &task->sends_alone, number, receive);
  if (met == NONE) {
    put_last(s, &task->receives_alone, note_new(s, number, number, receive));
    return false;
  }
  bool rendezvous = item_at(s, met)->operation.rendezvous;
  take_out(s, &task->sends_alone, met);
  item_free(s, met);
  return rendezvous;
}

/* A receive, or the wait for one that was started. */
static void receive(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  const struct operation *operation = &task->now;
  uint32_t from = operation->partner == ANY ? number : (uint32_t)operation->partner;
  if (!started(s, number, latency_between(s, from, number))) return;
  if (operation->kind == OPERATION_RECEIVE) receive_reached(s, number, operation);
  uint32_t i = find_send(s, &task->arrived, number, operation);
  if (i == NONE) {
    task->waits = true;
    meet(s, number, operation);
    return;
  }
  take_out(s, &task->arrived, i);
  message_seen(s, item_at(s, i), number);
  item_free(s, i);
  task->busy_since = s->now;
  task_goes_on(s, number, false);
}

/* A number for what the task has started, free ones again. */
static int64_t request_new(struct state *s, struct task *task, const struct operation *operation) {
  uint32_t at = 0;
  while (at < task->started_count && task->started[at].kind != OPERATION_NONE)
    at++;
  if (at == task->started_count) {
    task->started = grown(s, task->started, at, &task->started_capacity, sizeof *task->started);
    task->started_count++;
  }
  task->started[at] = *operation;
  return (int64_t)at + 1;
}

static void start_receive(struct state *s, uint32_t number) {
  struct operation operation = s->tasks[number].now;
  s->tasks[number].result = request_new(s, &s->tasks[number], &operation);
  if (receive_reached(s, number, &operation)) meet(s, number, &operation);
  s->tasks[number].busy_since = s->now;
  task_goes_on(s, number, false);
}

/* ---- collective operations ---- */

static uint32_t stages_of(uint32_t tasks) {
  uint32_t stages = 0;
  while (((uint64_t)1 << stages) < tasks)
    stages++;
  return stages;
}

/* Rounds of a tree whose messages share the buses. */
static double rounds_of(uint32_t tasks, uint32_t buses) {
  uint64_t stages = stages_of(tasks), rounds = 0;
  if (buses == 0) return (double)stages;
  for (uint64_t stage = 0; stage < stages; stage++) {
    uint64_t begin = ((uint64_t)1 << stage) - 1, step = (uint64_t)1 << (stage + 1);
    uint64_t messages = begin < tasks - 1 ? (tasks - 2 - begin) / step + 1 : 0;
    rounds += (messages + buses - 1) / buses;
  }
  return (double)rounds;
}

static double size_of(enum dimemas_size size, bool in, int64_t sent, int64_t received) {
  int64_t least = sent < received ? sent : received, greatest = sent < received ? received : sent;
  switch (size) {
  case SIZE_LEAST: return (double)least;
  case SIZE_GREATEST: return (double)greatest;
  case SIZE_MEAN: return (double)((sent + received) / 2);
  case SIZE_TWICE_MAX: return (double)(2 * greatest);
  case SIZE_SUM: return (double)(sent + received);
  case SIZE_CURRENT: break;
  }
  return (double)(in ? sent : received);
}

struct phase_time {
  double whole, latency; /* latency: a part of it */
};

static struct phase_time phase_time(struct dimemas_phase phase, double bandwidth, double latency, uint32_t partners,
                                    uint32_t buses, double size) {
  double once = latency + size * byte_time(bandwidth), times = 1;
  if (phase.model == MODEL_NONE) return (struct phase_time){0, 0};
  if (phase.model == MODEL_LINEAR) times = partners - 1;
  if (phase.model == MODEL_LOGARITHMIC) times = rounds_of(partners, buses);
  return (struct phase_time){once * times, latency * times};
}

/* In and out, between nodes and in one of them: that for which time and latency together are most. */
static double collective_time(const struct state *s, const struct collective *collective) {
  const struct communicator *communicator = &s->communicators[collective->communicator];
  const struct node *root = node_of(s, collective->root);
  double between[2] = {0, 0}, inside[2] = {0, 0}, most = 0;
  uint32_t nodes = 0;
  for (uint32_t n = 0; n < communicator->node_count; n++)
    nodes += communicator->nodes[n].present > 0;
  for (uint32_t n = 0; n < communicator->node_count; n++) {
    const struct node *node = &s->nodes[communicator->nodes[n].node];
    struct phase_time times[2];
    for (int k = 0; k < 2; k++) {
      struct dimemas_phase phase = s->machine->phases[collective->number][k];
      double size = size_of(phase.size, k == 0, (int64_t)collective->sent, (int64_t)collective->received);
      times[k] = phase_time(phase, node->figures[FIGURE_inside_bandwidth], node->figures[FIGURE_inside_latency],
                            communicator->nodes[n].present, 0, size);
      if (s->node_count > 1)
        between[k] = phase_time(phase, s->bandwidth, root->figures[FIGURE_latency], nodes, s->buses, size).whole;
    }
    double all = times[0].whole + times[0].latency + times[1].whole + times[1].latency;
    if (!communicator->nodes[n].present || all <= most) continue;
    most = all;
    inside[0] = times[0].whole;
    inside[1] = times[1].whole;
  }
  return inside[0] + inside[1] + between[0] + between[1];
}

/* All members are there: it reserves all buses, then it takes its time. */
static void collective_buses(struct state *s, uint32_t c) {
  struct collective *collective = &s->collectives[c];
  if (s->buses && collective->buses == 0 && s->used_buses != 0) {
    collective->buses = s->buses - s->used_buses;
    s->used_buses = s->buses;
    line_put(s, true, c);
    return;
  }
  s->used_buses = s->buses;
  double time = collective_time(s, collective);
  event_put(s, s->now + time, EVENT_COLLECTIVE_RESOURCES, c);
  event_put(s, s->now + time, EVENT_COLLECTIVE, c);
}

static void collective_resources(struct state *s, uint32_t c) {
  s->collectives[c].buses = 0;
  s->used_buses = 0;
  uint32_t count = s->line_count;
  for (uint32_t k = 0; k < count && s->used_buses < s->buses && s->line_count; k++)
    line_serve(s);
}

static void collective_end(struct state *s, uint32_t c) {
  struct communicator *communicator = &s->communicators[s->collectives[c].communicator];
  uint32_t previous = s->collectives[c].previous, next = s->collectives[c].next;
  *(previous == NONE ? &communicator->pending.first : &s->collectives[previous].next) = next;
  *(next == NONE ? &communicator->pending.last : &s->collectives[next].previous) = previous;
  s->collectives[c].used = false;
}

static void collective_over(struct state *s, uint32_t c) {
  struct collective collective = s->collectives[c];
  struct communicator *communicator = &s->communicators[collective.communicator];
  for (uint32_t n = 0; n < communicator->node_count; n++)
    communicator->nodes[n].present = 0;
  if (collective.mode == COLLECTIVE_BLOCKING) communicator->root = NONE;
  collective_end(s, c);
  for (uint32_t k = 0; k < collective.arrived; k++) { /* the root last */
    uint32_t number = collective.tasks[k];
    struct task *task = &s->tasks[number];
    task->busy_since = s->now;
    if (collective.mode == COLLECTIVE_BLOCKING) {
      task_goes_on(s, number, true);
    } else if (task->waiting) {
      task->waiting--;
      task_goes_on(s, number, true);
    } else {
      task->done++;
    }
  }
}

static int by_node(const void *a, const void *b) {
  const struct used_node *x = a, *y = b;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* The operation of the communicator that is the task's next one. */
static uint32_t collective_of(struct state *s, uint32_t number, const struct operation *operation) {
  struct communicator *communicator = &s->communicators[operation->communicator];
  if (!communicator->places)
    communicator->places = s->host->allocate(s->host, s->task_count * sizeof *communicator->places);
  struct used_node own = {.node = s->tasks[number].node},
                   *node = bsearch(&own, communicator->nodes, communicator->node_count, sizeof own, by_node);
  if (node) node->present++;
  uint32_t place = communicator->places[number]++, c = communicator->pending.first;
  while (c != NONE && s->collectives[c].place != place)
    c = s->collectives[c].next;
  if (c != NONE) return c;
  for (c = 0; c < s->collective_count && s->collectives[c].used; c++)
    ;
  if (c == s->collective_count) {
    s->collectives = grown(s, s->collectives, c, &s->collective_capacity, sizeof *s->collectives);
    s->collective_count++;
  }
  s->collectives[c] = (struct collective){.communicator = operation->communicator,
                                          .place = place,
                                          .root = NONE,
                                          .mode = operation->mode,
                                          .number = operation->number,
                                          .used = true,
                                          .next = NONE,
                                          .previous = communicator->pending.last};
  s->collectives[c].tasks = s->host->allocate(s->host, communicator->size * sizeof(uint32_t));
  *(communicator->pending.last == NONE ? &communicator->pending.first
                                       : &s->collectives[communicator->pending.last].next) = c;
  communicator->pending.last = c;
  return c;
}

/* The task has come; when all have, the operation begins. Its root, whose sizes it has, is the last that said so: for
 * one that blocks the root of a reduction before it will do. */
static void collective_join(struct state *s, uint32_t c, uint32_t number, const struct operation *operation) {
  struct collective *collective = &s->collectives[c];
  struct communicator *communicator = &s->communicators[collective->communicator];
  uint32_t *root = collective->mode == COLLECTIVE_BLOCKING ? &communicator->root : &collective->root;
  collective->tasks[collective->arrived++] = number;
  if (operation->leads || (*root == NONE && collective->arrived == communicator->size)) *root = number;
  if (*root == number) {
    collective->sent = operation->size;
    collective->received = operation->received;
  }
  if (collective->arrived < communicator->size) return;
  collective->root = *root;
  uint32_t at = 0;
  while (collective->tasks[at] != collective->root)
    at++;
  memmove(&collective->tasks[at], &collective->tasks[at + 1],
          (communicator->size - 1 - at) * sizeof *collective->tasks);
  collective->tasks[communicator->size - 1] = collective->root;
  collective_buses(s, c);
}

/* What the task's own node has it take to begin one that does not block it as a whole. */
static double collective_latency(const struct state *s, uint32_t number, uint32_t communicator) {
  const struct communicator *all = &s->communicators[communicator];
  const struct node *node = node_of(s, number);
  double between = all->node_count > 1 ? node->figures[FIGURE_latency] : 0;
  double inside = all->node_count < all->size ? node->figures[FIGURE_inside_latency] : 0;
  return floor(fmax(between, inside));
}

/* A reduction whose members send to the root: it goes on when all have come there, they when theirs has. */
static void reduction_join(struct state *s, uint32_t number, const struct operation *operation) {
  uint32_t c = collective_of(s, number, operation);
  struct collective *collective = &s->collectives[c];
  if (operation->leads) s->communicators[collective->communicator].root = number;
  if (!operation->leads) {
    uint32_t i = note_new(s, number, (uint32_t)operation->partner, operation);
    item_at(s, i)->collective = c;
    message_go(s, i);
    return;
  }
  if (++collective->arrived < s->communicators[collective->communicator].size) {
    collective->root = number;
    collective->root_waits = true;
    return;
  }
  collective_end(s, c);
  s->in_turn = number;
  task_answer(s, number);
}

static void reduction_part(struct state *s, uint32_t i) {
  uint32_t c = item_at(s, i)->collective, from = item_at(s, i)->from;
  struct collective *collective = &s->collectives[c];
  bool all = ++collective->arrived == s->communicators[collective->communicator].size;
  uint32_t root = collective->root;
  item_free(s, i);
  if (all) collective_end(s, c);
  if (all && root != NONE) {
    s->tasks[root].busy_since = s->now;
    task_goes_on(s, root, true);
  }
  s->tasks[from].busy_since = s->now;
  task_goes_on(s, from, true);
}

static void collective_begin(struct state *s, uint32_t number) {
  struct operation operation = s->tasks[number].now;
  if (operation.mode == COLLECTIVE_BLOCKING) {
    collective_join(s, collective_of(s, number, &operation), number, &operation);
    return;
  }
  if (!started(s, number, collective_latency(s, number, operation.communicator))) return;
  if (operation.mode == COLLECTIVE_ROOT) {
    reduction_join(s, number, &operation);
    return;
  }
  collective_join(s, collective_of(s, number, &operation), number, &operation);
  s->tasks[number].result = request_new(s, &s->tasks[number], &operation);
  s->tasks[number].busy_since = s->now;
  s->in_turn = number;
  task_answer(s, number);
}

static void collective_wait(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  if (!started(s, number, collective_latency(s, number, task->now.communicator))) return;
  if (!task->done) {
    task->waiting++;
    return;
  }
  task->done--;
  task->busy_since = s->now;
  task_goes_on(s, number, false);
}

/* ---- the run ---- */

/* The operation under way begins, or goes on behind its latency. */
static void perform(struct state *s, uint32_t number) {
  switch (s->tasks[number].now.kind) {
  case OPERATION_SEND: send(s, number); break;
  case OPERATION_RECEIVE:
  case OPERATION_WAIT: receive(s, number); break;
  case OPERATION_START_RECEIVE: start_receive(s, number); break;
  case OPERATION_COLLECTIVE: collective_begin(s, number); break;
  case OPERATION_WAIT_COLLECTIVE: collective_wait(s, number); break;
  case OPERATION_COMPUTE:
  case OPERATION_NONE: break;
  }
}

/* What the task has asked for is begun in the event in hand. */
static void task_begin(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  task->passed_event = false;
  if (task->ended) return;
  if (task->asked.kind == OPERATION_COMPUTE) {
    task_ready(s, number, true);
    return;
  }
  task->now = task->asked;
  perform(s, number);
}

/* The task's time on the processor is over. */
static void task_event(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  s->nodes[task->node].idle++;
  s->first_node = task->node;
  node_touch(s, task->node);
  if (task->stage == STAGE_STARTUP) {
    task->stage = STAGE_STARTED;
    perform(s, number);
  } else if (task->now.kind == OPERATION_COMPUTE) {
    s->in_turn = number;
    task_answer(s, number);
  } else {
    task_begin(s, number);
  }
}

static void event_handle(struct state *s, struct event event) {
  s->now = event.time;
  switch (event.kind) {
  case EVENT_TASK: task_event(s, event.object); break;
  case EVENT_RESOURCES: resources_free(s, event.object); break;
  case EVENT_ARRIVAL: message_arrive(s, event.object); break;
  case EVENT_COLLECTIVE_RESOURCES: collective_resources(s, event.object); break;
  case EVENT_COLLECTIVE: collective_over(s, event.object); break;
  }
}

/* Until a task is to say what it does next, or there is nothing more to come. */
static void run(struct state *s) {
  while (s->awaited == 0) {
    if (!s->begun) {
      s->begun = s->handled = true;
      for (uint32_t i = 0; i < s->task_count; i++)
        task_ready(s, i, true);
    } else if (s->in_turn != NONE) {
      uint32_t number = s->in_turn;
      s->in_turn = NONE;
      task_begin(s, number);
    } else if (s->handled) {
      s->handled = false;
      tasks_start(s);
    } else if (s->event_count) {
      event_handle(s, event_take(s));
      s->handled = true;
    } else {
      return;
    }
  }
}

/* ---- calls ---- */

static struct task *task_of(struct state *s, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer;
  if (rank >= 0 && rank < s->task_count) return &s->tasks[rank];
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " of %u ranks", rank, s->task_count);
  return NULL;
}

static uint32_t communicator_of(struct state *s, struct psl_call *call, int64_t name) {
  uint32_t at = 0;
  while (at < s->communicator_count && s->communicators[at].name != name)
    at++;
  if (at < s->communicator_count) return at;
  snprintf(call->error, sizeof call->error, "there is no communicator %" PRId64, name);
  return NONE;
}

static enum psl_status operate(struct state *s, struct psl_call *call, struct operation operation) {
  uint32_t number = (uint32_t)call->arguments[0].integer;
  struct task *task = &s->tasks[number];
  task->asked = operation;
  task->process = call->process;
  task->owner = s->host->owner(s->host, call->process);
  task->clock = call->clock;
  task->busy_first = 0;
  task->busy_since = HUGE_VAL;
  task->result = 0;
  task->called = true;
  s->awaited--;
  s->caller = number;
  s->caller_goes_on = false;
  run(s);
  s->caller = NONE;
  if (!s->caller_goes_on) return PSL_BLOCKED;
  call->clock = task->clock;
  call->result.integer = task->result;
  return PSL_DONE;
}

static bool rank_is(const struct state *s, struct psl_call *call, int64_t rank, int64_t least, int32_t *out) {
  *out = (int32_t)rank;
  if (rank >= least && rank < s->task_count) return true;
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " of %u ranks", rank, s->task_count);
  return false;
}

static enum psl_status dimemas_compute(void *state, struct psl_call *call) {
  struct state *s = state;
  const struct task *task = task_of(s, call);
  if (!task) return PSL_FAILED;
  double time = call->arguments[1].real * 1e9, ratio = s->nodes[task->node].figures[FIGURE_ratio];
  const struct dimemas_module *module = task->module_count ? task->modules[task->module_count - 1] : NULL;
  if (!(time >= 0 && time < 1e18)) {
    snprintf(call->error, sizeof call->error, "a computation of %g s", call->arguments[1].real);
    return PSL_FAILED;
  }
  if (module) time = module->ratio < 0 ? -module->ratio * 1e9 : module->ratio > 0 ? time / module->ratio : 0;
  time = ratio <= 0 ? 0 : time / ratio;
  return operate(s, call, (struct operation){.kind = OPERATION_COMPUTE, .size = time});
}

static enum psl_status dimemas_send(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  struct operation operation = {.kind = OPERATION_SEND,
                                .tag = (int32_t)a[2].integer,
                                .size = a[4].real,
                                .rendezvous = s->eager < 0 ? a[5].integer : a[4].real >= s->eager,
                                .immediate = a[6].integer};
  if (!task_of(s, call) || !rank_is(s, call, a[1].integer, 0, &operation.partner)) return PSL_FAILED;
  operation.communicator = communicator_of(s, call, a[3].integer);
  return operation.communicator == NONE ? PSL_FAILED : operate(s, call, operation);
}

static enum psl_status receive_call(struct state *s, struct psl_call *call, enum operation_kind kind) {
  const union psl_argument *a = call->arguments;
  struct operation operation = {.kind = kind, .tag = (int32_t)a[2].integer};
  if (!task_of(s, call) || !rank_is(s, call, a[1].integer, ANY, &operation.partner)) return PSL_FAILED;
  operation.communicator = communicator_of(s, call, a[3].integer);
  return operation.communicator == NONE ? PSL_FAILED : operate(s, call, operation);
}

static enum psl_status dimemas_receive(void *state, struct psl_call *call) {
  return receive_call(state, call, OPERATION_RECEIVE);
}
static enum psl_status dimemas_start_receive(void *state, struct psl_call *call) {
  return receive_call(state, call, OPERATION_START_RECEIVE);
}
static enum psl_status dimemas_wait(void *state, struct psl_call *call) {
  struct state *s = state;
  struct task *task = task_of(s, call);
  int64_t request = call->arguments[1].integer;
  if (!task) return PSL_FAILED;
  if (request == 0) return PSL_DONE; /* of a send */
  struct operation *started = request > 0 && request <= task->started_count ? &task->started[request - 1] : NULL;
  if (!started || started->kind == OPERATION_NONE) {
    snprintf(call->error, sizeof call->error, "%" PRId64 " is no request that is to be waited for", request);
    return PSL_FAILED;
  }
  struct operation operation = *started;
  operation.kind = started->kind == OPERATION_COLLECTIVE ? OPERATION_WAIT_COLLECTIVE : OPERATION_WAIT;
  started->kind = OPERATION_NONE;
  return operate(s, call, operation);
}

static enum psl_status dimemas_collective(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  struct operation operation = {.kind = OPERATION_COLLECTIVE,
                                .number = (int32_t)a[2].integer,
                                .mode = (enum collective_mode)a[3].integer,
                                .size = a[6].real,
                                .received = a[7].real};
  if (!task_of(s, call) || !rank_is(s, call, a[4].integer, 0, &operation.partner)) return PSL_FAILED;
  if (a[2].integer < 0 || a[2].integer >= DIMEMAS_OPERATIONS || a[3].integer < 0 || a[3].integer > COLLECTIVE_ROOT) {
    snprintf(call->error, sizeof call->error, "there is no collective operation %" PRId64 " of mode %" PRId64,
             a[2].integer, a[3].integer);
    return PSL_FAILED;
  }
  operation.leads = a[5].integer;
  operation.communicator = communicator_of(s, call, a[1].integer);
  if (operation.communicator == NONE) return PSL_FAILED;
  return operate(s, call, operation);
}

/* Those of the members, or of all tasks where there is no list. */
static void communicator_add(struct state *s, int64_t name, const double *members, uint32_t count) {
  s->communicators =
      grown(s, s->communicators, s->communicator_count, &s->communicator_capacity, sizeof *s->communicators);
  struct communicator *communicator = &s->communicators[s->communicator_count++];
  *communicator = (struct communicator){.name = name, .size = count, .pending = {NONE, NONE}, .root = NONE};
  struct used_node *nodes = communicator->nodes = s->host->allocate(s->host, count * sizeof *nodes);
  for (uint32_t k = 0; k < count; k++)
    nodes[k].node = s->tasks[members ? (uint32_t)members[k] : k].node;
  qsort(nodes, count, sizeof *nodes, by_node);
  uint32_t used = 0;
  for (uint32_t k = 0; k < count; k++)
    if (!used || nodes[used - 1].node != nodes[k].node) nodes[used++] = nodes[k];
  communicator->node_count = used;
}

static enum psl_status dimemas_communicator(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!task_of(s, call)) return PSL_FAILED;
  for (uint32_t at = 0; at < s->communicator_count; at++)
    if (s->communicators[at].name == a[1].integer) return PSL_DONE; /* another member was here before */
  for (uint32_t k = 0; k < a[2].list.count; k++) {
    int32_t rank;
    if (!rank_is(s, call, (int64_t)a[2].list.items[k], 0, &rank)) return PSL_FAILED;
  }
  if (a[2].list.count) communicator_add(s, a[1].integer, a[2].list.items, a[2].list.count);
  return PSL_DONE;
}

static enum psl_status dimemas_region(void *state, struct psl_call *call) {
  struct state *s = state;
  struct task *task = task_of(s, call);
  int64_t type = call->arguments[1].integer, value = call->arguments[2].integer;
  if (!task) return PSL_FAILED;
  task->passed_event = true;
  if (value == 0) {
    if (task->module_count && task->modules[task->module_count - 1]->type == type) task->module_count--;
    return PSL_DONE;
  }
  for (uint32_t k = s->machine->module_count; k--;) { /* of those that are alike the last one holds */
    const struct dimemas_module *module = &s->machine->modules[k];
    if (module->type != type || module->value != value) continue;
    task->modules = grown(s, task->modules, task->module_count, &task->module_capacity, sizeof *task->modules);
    task->modules[task->module_count++] = module;
    break;
  }
  return PSL_DONE;
}

static enum psl_status dimemas_end(void *state, struct psl_call *call) {
  struct state *s = state;
  struct task *task = task_of(s, call);
  if (!task) return PSL_FAILED;
  task->ended = true;
  s->awaited--;
  run(s);
  return PSL_DONE;
}

/* ---- the machine ---- */

/* What a machine is like that nothing says: a node a task, and communication that takes no time. */
static struct dimemas_machine *machine_of(const char *path, uint32_t nodes, char *error, size_t size) {
  if (*path) return dimemas_machine_read(path, error, size);
  struct dimemas_machine *machine = calloc(1, sizeof *machine);
  if (machine) machine->nodes = calloc(nodes ? nodes : 1, sizeof *machine->nodes);
  if (!machine || !machine->nodes) {
    snprintf(error, size, "there is no memory for %u nodes", nodes);
    dimemas_machine_close(machine);
    return NULL;
  }
  machine->node_count = nodes ? nodes : 1;
  machine->mapping = MAP_FILL;
  for (uint32_t i = 0; i < machine->node_count; i++)
    machine->nodes[i][FIGURE_processors] = machine->nodes[i][FIGURE_ratio] = 1;
  for (uint32_t i = 0; i < DIMEMAS_OPERATIONS; i++)
    machine->phases[i][0].model = machine->phases[i][1].model = MODEL_LOGARITHMIC;
  return machine;
}

static bool dimemas_figure_of(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  int figure = dimemas_figure_named(arguments[1].string);
  if (figure < 0) {
    snprintf(error, 200, "no figure of a machine is called '%.60s'", arguments[1].string);
    return false;
  }
  struct dimemas_machine *machine = machine_of(arguments[0].string, 1, error, 200);
  if (!machine) return false;
  result->real = dimemas_figure(machine, (enum dimemas_figure)figure);
  dimemas_machine_close(machine);
  return true;
}

static void node_open(struct node *node) {
  const double *figures = node->figures;
  uint32_t in = (uint32_t)figures[FIGURE_inputs], out = (uint32_t)figures[FIGURE_outputs];
  struct queue none = {NONE, NONE};
  node->idle = (uint32_t)figures[FIGURE_processors];
  node->unlimited = in == 0 && out == 0;
  node->half_duplex = in == 0 || out == 0;
  node->free_in = node->half_duplex && out > in ? out : in;
  node->free_out = out;
  node->inside_free = figures[FIGURE_inside_inputs] == 0 && figures[FIGURE_inside_outputs] == 0;
  node->inside_half = figures[FIGURE_inside_inputs] == 0 || figures[FIGURE_inside_outputs] == 0;
  node->wait_in = node->wait_out = node->holding = node->inside_wait = node->ready = none;
  node->figures[FIGURE_latency] *= 1e9;
  node->figures[FIGURE_inside_latency] *= 1e9;
}

static void task_open(struct task *task, const struct node *node) {
  uint32_t in = (uint32_t)node->figures[FIGURE_inside_inputs], out = (uint32_t)node->figures[FIGURE_inside_outputs];
  struct queue none = {NONE, NONE};
  task->free_in = node->inside_half && out > in ? out : in;
  task->free_out = out;
  task->wait_in = task->wait_out = task->arrived = task->sending = task->sends_alone = task->receives_alone = none;
}

/* A figure that is not that of the first node is meant for all. */
static void machine_open(struct state *s, const union psl_argument *figures) {
  struct dimemas_machine *machine = s->machine;
  double given[FIGURES];
  for (int k = 0; k < FIGURES; k++) {
    bool whole = k != FIGURE_ratio && k != FIGURE_latency && k != FIGURE_inside_latency && k != FIGURE_bandwidth &&
                 k != FIGURE_inside_bandwidth;
    given[k] = whole ? (double)figures[k].integer : figures[k].real;
  }
  given[FIGURE_bandwidth] /= 1 << 20;
  given[FIGURE_inside_bandwidth] /= 1 << 20;
  s->bandwidth = given[FIGURE_bandwidth];
  s->buses = (uint32_t)given[FIGURE_buses];
  s->node_count = machine->node_count;
  s->nodes = s->host->allocate(s->host, s->node_count * sizeof *s->nodes);
  s->touched = s->host->allocate(s->host, s->node_count * sizeof *s->touched);
  for (int k = 0; k < NODE_FIGURES; k++) {
    bool other = given[k] != machine->nodes[0][k];
    for (uint32_t i = 0; i < s->node_count; i++)
      if (other) machine->nodes[i][k] = given[k];
  }
  for (uint32_t i = 0; i < s->node_count; i++) {
    memcpy(s->nodes[i].figures, machine->nodes[i], sizeof s->nodes[i].figures);
    node_open(&s->nodes[i]);
  }
}

static enum psl_status tasks_open(struct state *s, struct psl_call *call, uint32_t count) {
  uint32_t *nodes = s->host->allocate(s->host, count * sizeof *nodes);
  if (!dimemas_map(s->machine, count, nodes, call->error, sizeof call->error)) return PSL_FAILED;
  s->tasks = s->host->allocate(s->host, count * sizeof *s->tasks);
  s->task_count = s->awaited = count;
  for (uint32_t i = 0; i < count; i++) {
    s->tasks[i].node = nodes[i];
    task_open(&s->tasks[i], &s->nodes[nodes[i]]);
  }
  communicator_add(s, 0, NULL, count);
  return PSL_DONE;
}

static enum psl_status dimemas_begin(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (s->machine) return task_of(s, call) ? PSL_DONE : PSL_FAILED;
  if (a[1].integer < 1 || a[1].integer > DIMEMAS_NODES_MOST) {
    snprintf(call->error, sizeof call->error, "%" PRId64 " ranks", a[1].integer);
    return PSL_FAILED;
  }
  s->machine = machine_of(a[2].string, (uint32_t)a[1].integer, call->error, sizeof call->error);
  if (!s->machine) return PSL_FAILED;
  machine_open(s, a + 3);
  s->eager = a[3 + FIGURES].real;
  return tasks_open(s, call, (uint32_t)a[1].integer);
}

static void *dimemas_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->free_item = s->caller = s->in_turn = s->first_node = NONE;
  return s;
}

static void dimemas_close(void *state) { dimemas_machine_close(((struct state *)state)->machine); }

static size_t dimemas_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  struct psl_statistic all[] = {{PSL_MESSAGES, "", (double)s->messages, true}, {PSL_BYTES, "byte", s->bytes, false}};
  for (size_t k = 0; k < 2 && k < capacity; k++)
    out[k] = all[k];
  return capacity < 2 ? capacity : 2;
}

static void dimemas_explain(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  const struct state *s = state;
  uint32_t number = 0;
  while (number < s->task_count && (!s->tasks[number].called || s->tasks[number].process != process))
    number++;
  const struct operation *now = number < s->task_count ? &s->tasks[number].now : NULL;
  uint32_t partner = NONE;
  if (now && now->kind == OPERATION_SEND) {
    partner = (uint32_t)now->partner;
    snprintf(out, size, "for rank %u to receive a message of %.0f bytes, tag %d", partner, now->size, now->tag);
  } else if (now && s->tasks[number].waits && now->partner != ANY) {
    partner = (uint32_t)now->partner;
    snprintf(out, size, "for a message from rank %u, tag %d", partner, now->tag);
  } else if (now && s->tasks[number].waits) {
    snprintf(out, size, "for a message from any rank, tag %d", now->tag);
  } else {
    snprintf(out, size,
             now && now->kind == OPERATION_COLLECTIVE ? "for the others of a collective operation"
                                                      : "for an operation");
  }
  if (partner != NONE && s->tasks[partner].called) *other = s->tasks[partner].process;
}

#define RANK "(rank : int, "
#define MESSAGE "tag : int, communicator : int"

static const struct psl_evaluator_function functions[] = {
    {.name = "figure",
     .signature = "(configuration : string, name : string) -> real",
     .kind = PSL_PURE,
     .pure = dimemas_figure_of,
     .reads = 1,
     .doc =
         "What a configuration file of Dimemas says of the first node, or of all: 'latency', 'bandwidth', … in s and "
         "MiB/s. Error: the file is wrong, with the line."},
    {.name = "begin",
     .signature = RANK "size : int, configuration : string, processors : int, ratio : real, inside-latency : time,"
                       " inside-bandwidth : data/time, inside-buses : int, inside-inputs : int, inside-outputs : int,"
                       " latency : time, inputs : int, outputs : int, bandwidth : data/time, buses : int,"
                       " eager-limit : data)",
     .kind = PSL_EVENT,
     .call = dimemas_begin,
     .reads = 4,
     .doc = "The first call of each rank: what the machine is like. A figure that is not the first node's holds for "
            "all. Error: the file is wrong, or maps fewer tasks."},
    {.name = "communicator",
     .signature = RANK "communicator : int, members : [int])",
     .kind = PSL_EVENT,
     .call = dimemas_communicator,
     .doc = "The rank belongs to a communicator, with these."},
    {.name = "region",
     .signature = RANK "type : int, value : int)",
     .kind = PSL_EVENT,
     .call = dimemas_region,
     .doc = "It enters the region of this type and value; 0: it leaves the last one of the type."},
    {.name = "compute",
     .signature = RANK "work : time)",
     .kind = PSL_CALL,
     .call = dimemas_compute,
     .doc = "It computes, when a processor of its node is free, for this time by the ratios of its region and node."},
    {.name = "send",
     .signature = RANK "destination : int, " MESSAGE ", size : data, rendezvous : bool, immediate : bool)",
     .kind = PSL_CALL,
     .call = dimemas_send,
     .doc = "It sends. `rendezvous`: the message goes when its receiver is there, for whom the rank waits unless "
            "`immediate`."},
    {.name = "receive",
     .signature = RANK "source : int, " MESSAGE ")",
     .kind = PSL_CALL,
     .call = dimemas_receive,
     .doc = "It receives, from -1: any rank."},
    {.name = "start-receive",
     .signature = RANK "source : int, " MESSAGE ") -> int",
     .kind = PSL_CALL,
     .call = dimemas_start_receive,
     .doc = "It starts a receive: a request."},
    {.name = "wait",
     .signature = RANK "request : int)",
     .kind = PSL_CALL,
     .call = dimemas_wait,
     .doc = "It waits for what it has started; 0: for nothing. Error: it has started no such thing."},
    {.name = "collective",
     .signature = RANK "communicator : int, operation : int, mode : int, root : int, leads : bool, sent : data,"
                       " received : data) -> int",
     .kind = PSL_CALL,
     .call = dimemas_collective,
     .doc = "A collective operation, by its number in traces of Dimemas. Mode 0 starts it, a request, 1 does it, 2 has "
            "all send to the root. The sizes are those of the one that leads."},
    {.name = "end",
     .signature = "(rank : int)",
     .kind = PSL_EVENT,
     .call = dimemas_end,
     .doc = "The rank has no more to do."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"a message holds its links and its bus for size / bandwidth, whatever else is on the network"},
    {"collective operations take all buses, and a time by formula"},
    {NULL},
};

const struct psl_evaluator dimemas_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Dimemas",
    .revision = "1",
    .doc = "Dimemas' model: nodes, latencies, links, buses, collective operations by formula.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = dimemas_open,
    .close = dimemas_close,
    .statistics = dimemas_statistics,
    .explain_wait = dimemas_explain,
};
