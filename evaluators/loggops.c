/* LogGOPS as LogGOPSim simulates it (Hoefler, Schneider and Lumsdaine, 2010): each rank has a processor and, apart from
 * it, a network interface. A message takes the sender's processor o and O a byte, its interface g and G a byte, L on
 * the way, and at the receiver the same of the interface again, and of the processor o and the greater of O and G a
 * byte, whoever waits for it or not. From more than S bytes on a sender goes on when its message is received.
 *
 * Operations and messages stand in one queue by the time at which they are to have their processor and interface; one
 * that finds them busy is put back to when they are free, in its old order among those of that time. What a rank asks
 * for stands there in the order of its turns, in one sends before receives, and these before computations: it has a
 * turn when an event ends its wait, the lower rank of two first, and messages have theirs when they are sent. The event
 * that is next is handled when no rank can ask for anything before it: all wait here, or the host says so. Times are
 * whole picoseconds inside, so that what comes at one time does. */
#include "evaluators/leftovers/leftovers.h"
#include "interp/include/evaluator.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NONE = UINT32_MAX, RANKS_MOST = 1 << 20 };
enum type { TYPE_SEND, TYPE_RECEIVE, TYPE_COMPUTE, TYPE_MESSAGE };

struct item {           /* an operation, or a message */
  int64_t time;         /* ps: its event's, with these: */
  uint64_t turn;        /* of its rank; in it sends are before receives, and these before computations */
  uint32_t asked;       /* before it, in the same turn */
  uint32_t rank;        /* whose processor it takes */
  int32_t partner, tag; /* -1: any, of a receive */
  int32_t communicator;
  uint32_t sender;         /* of a message that its sender waits for: the operation; NONE */
  uint32_t next, previous; /* in the list that it stands in; of those in one of `later` the first alone */
  union {
    double size;  /* bytes; of a receive: as many as it has room for, 0: nobody says */
    int64_t work; /* ps, of a computation */
  };
  uint8_t type;     /* enum type */
  bool done, named; /* named: its number was given, somebody will wait for it, */
  bool tells;       /* and wants to know when it begins, */
  bool given_up;    /* or has said that it will not */
};

struct list {
  uint32_t first, last;
};

enum waits { WAITS_NOT, WAITS_FOR_ITEM, WAITS_FOR_ANY, WAITS_FOR_END };

struct rank {
  int64_t processor, sending, receiving; /* ps: when it, its interface either way, is free */
  struct list receives, messages;        /* that are posted, and that nobody has received */
  struct list finished;                  /* named ones that are done */
  enum waits waits;
  bool woken;    /* its wait is over, and its call does not know yet */
  uint64_t turn; /* what it asks for stands in the queue by this, and by how much it has asked for since */
  uint32_t asked;
  uint32_t item, process;
  bool begun;              /* the item has, and is not done */
  uint32_t next, previous; /* among those that wait */
};

struct event {
  int64_t time;
  uint64_t turn;
  uint32_t asked, item;
};

/* The queue of events, by time, turn and how much was asked before. Those of the time that it has come to stand in a
 * heap, and whatever is earlier; the others in rows without an order, each of those whose time differs from it first in
 * the same digit to the base 16, and has the same one there. When the heap is empty, the first row is dealt out anew,
 * by the least time in it. */
enum { DIGITS = 16, LATER = 16 * DIGITS, WORDS = LATER / 64 };
struct queue {
  struct event *now; /* each before its four below */
  uint32_t count, capacity;
  int64_t time;
  uint64_t lists[WORDS]; /* bit k: row k has one */
  struct later {
    struct event *events;
    uint32_t count, capacity;
    int64_t least; /* time of them */
  } later[LATER];
};

struct state {
  struct psl_host *host;
  struct item *items;
  uint32_t item_count, item_capacity, free;
  struct queue queue;
  uint64_t turns;
  struct rank *ranks;
  uint32_t rank_count, waiting, at_end;
  struct list blocked; /* ranks */
  uint32_t driver;     /* the rank whose call the host makes again at `alarm`; NONE */
  int64_t alarm;
  double given[6]; /* L, o, g, G, O, S as the last send had them */
  int64_t latency, overhead, gap;
  double byte_gap, byte_overhead, rendezvous; /* ps, ps, bytes */
  struct taken {
    double size;
    int64_t sending[2], receiving[2]; /* of the processor, of the interface, ps */
  } taken;                            /* by the last message */
  uint64_t messages;
  double bytes;
  struct leftovers left; /* messages that are longer than their receives */
};

static inline int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* As llround, of what is no more than a number holds. */
static inline int64_t rounded(double value) {
  int64_t whole = (int64_t)value;
  double rest = value - (double)whole;
  return whole + (rest >= 0.5) - (rest <= -0.5);
}

static inline int64_t picoseconds(double seconds) { return rounded(seconds * 1e12); }
static inline double seconds(int64_t time) { return (double)time * 1e-12; }
static inline struct item *item_at(const struct state *s, uint32_t i) { return &s->items[i]; }

static inline uint64_t turn_of(uint64_t turn, enum type type) { return 4 * turn + type; }

static void *grown(struct state *s, const void *old, uint32_t count, uint32_t capacity, size_t size) {
  void *room = s->host->allocate(s->host, capacity * size);
  if (count) memcpy(room, old, count * size);
  return room;
}

/* Where items stand may change. */
static inline uint32_t item_new(struct state *s) {
  uint32_t i = s->free;
  if (i != NONE) {
    s->free = item_at(s, i)->next;
    return i;
  }
  if (s->item_count == s->item_capacity) {
    uint32_t capacity = s->item_capacity ? 2 * s->item_capacity : 1024;
    s->items = grown(s, s->items, s->item_count, capacity, sizeof *s->items);
    s->item_capacity = capacity;
  }
  return s->item_count++;
}

static void item_free(struct state *s, uint32_t i) {
  item_at(s, i)->next = s->free;
  item_at(s, i)->named = false;
  s->free = i;
}

/* ---- lists of items ---- */

static void list_put(struct state *s, struct list *list, uint32_t i) {
  struct item *item = item_at(s, i);
  item->next = NONE;
  item->previous = list->last;
  if (list->last == NONE)
    list->first = i;
  else
    item_at(s, list->last)->next = i;
  list->last = i;
}

static void list_take(struct state *s, struct list *list, uint32_t i) {
  struct item *item = item_at(s, i);
  if (item->previous == NONE)
    list->first = item->next;
  else
    item_at(s, item->previous)->next = item->next;
  if (item->next == NONE)
    list->last = item->previous;
  else
    item_at(s, item->next)->previous = item->previous;
}

/* The oldest of the list that the receive and the message are a pair with; taken out of it; NONE. */
static uint32_t list_match(struct state *s, struct list *list, const struct item *other) {
  for (uint32_t i = list->first; i != NONE; i = item_at(s, i)->next) {
    const struct item *item = item_at(s, i), *receive = item->type == TYPE_RECEIVE ? item : other;
    if (item->communicator != other->communicator) continue;
    if (receive->partner != -1 && item->partner != other->partner) continue;
    if (receive->tag != -1 && item->tag != other->tag) continue;
    list_take(s, list, i);
    return i;
  }
  return NONE;
}

/* ---- events ---- */

static inline bool before(const struct event *a, const struct event *b) {
  if (a->time != b->time) return a->time < b->time;
  return a->turn < b->turn || (a->turn == b->turn && a->asked < b->asked);
}

static void now_put(struct state *s, struct event event) {
  struct queue *queue = &s->queue;
  if (queue->count == queue->capacity) {
    uint32_t capacity = queue->capacity ? 2 * queue->capacity : 1024;
    queue->now = grown(s, queue->now, queue->count, capacity, sizeof *queue->now);
    queue->capacity = capacity;
  }
  uint32_t at = queue->count++; /* mostly there are none or few */
  for (; at && before(&event, &queue->now[(at - 1) / 4]); at = (at - 1) / 4)
    queue->now[at] = queue->now[(at - 1) / 4];
  queue->now[at] = event;
}

/* The last one goes from the top, which is taken, down to where it belongs. */
static void now_drop(struct queue *queue) {
  uint32_t at = 0, count = --queue->count;
  if (!count) return;
  struct event *now = queue->now, event = now[count];
  for (;;) {
    uint32_t below = 4 * at + 1, least = below, end = below + 4 < count ? below + 4 : count;
    if (below >= count) break;
    for (uint32_t k = below + 1; k < end; k++)
      if (before(&now[k], &now[least])) least = k;
    if (!before(&now[least], &event)) break;
    now[at] = now[least];
    at = least;
  }
  now[at] = event;
}

static __attribute__((noinline)) void later_grow(struct state *s, struct later *list) {
  uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
  list->events = grown(s, list->events, list->count, capacity, sizeof *list->events);
  list->capacity = capacity;
}

static inline void queue_put(struct state *s, struct event event) {
  struct queue *queue = &s->queue;
  if (event.time <= queue->time) return now_put(s, event);
  uint32_t digit = (63 - (uint32_t)__builtin_clzll((uint64_t)(event.time ^ queue->time))) / 4;
  uint32_t number = DIGITS * digit + (event.time >> 4 * digit & (DIGITS - 1));
  struct later *list = &queue->later[number];
  if (!list->count || event.time < list->least) list->least = event.time;
  if (list->count == list->capacity) later_grow(s, list);
  list->events[list->count++] = event;
  queue->lists[number / 64] |= (uint64_t)1 << number % 64;
}

static inline void event_put(struct state *s, const struct item *item, uint32_t i) {
  queue_put(s, (struct event){item->time, item->turn, item->asked, i});
}

/* The first row that has one; LATER: none has. */
static inline uint32_t list_first(const struct queue *queue) {
  for (uint32_t k = 0; k < WORDS; k++)
    if (queue->lists[k]) return 64 * k + (uint32_t)__builtin_ctzll(queue->lists[k]);
  return LATER;
}

/* The heap is empty, and a list is not. */
static void deal_out(struct state *s) {
  struct queue *queue = &s->queue;
  uint32_t number = list_first(queue);
  struct later *list = &queue->later[number];
  queue->lists[number / 64] &= ~((uint64_t)1 << number % 64);
  queue->time = list->least;
  uint32_t count = list->count;
  list->count = 0; /* they all go to rows before it */
  for (uint32_t k = 0; k < count; k++)
    queue_put(s, list->events[k]);
}

static inline bool events_none(const struct state *s) { return !s->queue.count && list_first(&s->queue) == LATER; }

/* Of one event at least: the item. */
static uint32_t event_take(struct state *s) {
  if (!s->queue.count) deal_out(s);
  uint32_t i = s->queue.now[0].item;
  now_drop(&s->queue);
  return i;
}

/* When the next event is, of one at least. */
static inline int64_t next_time(const struct state *s) {
  const struct queue *queue = &s->queue;
  return queue->count ? queue->now[0].time : queue->later[list_first(queue)].least;
}

/* ---- ranks that wait ---- */

static void rank_block(struct state *s, uint32_t number, enum waits waits, uint32_t item) {
  struct rank *rank = &s->ranks[number];
  rank->waits = waits;
  rank->item = item;
  rank->woken = rank->begun = false;
  rank->next = NONE;
  rank->previous = s->blocked.last;
  if (s->blocked.last == NONE)
    s->blocked.first = number;
  else
    s->ranks[s->blocked.last].next = number;
  s->blocked.last = number;
  s->waiting++;
}

static void rank_wake(struct state *s, uint32_t number) {
  struct rank *rank = &s->ranks[number];
  if (rank->previous == NONE)
    s->blocked.first = rank->next;
  else
    s->ranks[rank->previous].next = rank->next;
  if (rank->next == NONE)
    s->blocked.last = rank->previous;
  else
    s->ranks[rank->next].previous = rank->previous;
  rank->woken = true;
  rank->waits = WAITS_NOT;
  s->waiting--;
  if (s->driver == number) s->driver = NONE;
}

/* It has begun, and is not done yet; the rank whose wait that ends, NONE. */
static uint32_t item_begun(struct state *s, uint32_t i) {
  const struct item *item = item_at(s, i);
  struct rank *rank = &s->ranks[item->rank];
  if (!item->tells || rank->waits != WAITS_FOR_ANY) return NONE;
  rank->item = i;
  rank->begun = true;
  rank_wake(s, item->rank);
  return item->rank;
}

/* The operation has ended; the rank whose wait that ends, NONE. */
static uint32_t item_done(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct rank *rank = &s->ranks[item->rank];
  uint32_t number = item->rank;
  item->done = true;
  bool awaited = rank->waits == WAITS_FOR_ITEM && rank->item == i;
  if (!awaited && item->named) list_put(s, &rank->finished, i);
  if (!awaited && rank->waits != WAITS_FOR_ANY) return NONE;
  if (rank->waits == WAITS_FOR_ANY) {
    rank->item = i;
    list_take(s, &rank->finished, i);
  }
  item_free(s, i);
  rank_wake(s, number);
  return number;
}

/* ---- what the events are ---- */

struct woken { /* by one event, at most both ends of a message */
  uint32_t ranks[2], count;
};

static void wake(struct woken *woken, uint32_t rank) {
  if (rank != NONE) woken->ranks[woken->count++] = rank;
}

static void room_check(struct state *s, const struct item *message, const struct item *receive) {
  if (!(receive->size > 0 && message->size > receive->size)) return;
  struct left left = {.time = seconds(receive->time),
                      .size = message->size,
                      .room = receive->size,
                      .rank = receive->rank,
                      .source = message->partner,
                      .communicator = message->communicator,
                      .tag = message->tag};
  leftovers_note(&s->left, LEFT_TRUNCATED, &left);
}

/* A message has met its receive: the receiver goes on, and who waits for that in its `send`, not before now. */
static void meet(struct state *s, uint32_t send, uint32_t receive, int64_t now, struct woken *woken) {
  if (send != NONE) {
    struct rank *sender = &s->ranks[item_at(s, send)->rank];
    sender->processor = later(sender->processor, now);
    sender->sending = later(sender->sending, now);
    wake(woken, item_done(s, send));
  }
  wake(woken, item_done(s, receive));
}

/* It finds its processor or interface busy until then. */
static void put_back(struct state *s, struct item *item, uint32_t i, int64_t due) {
  item->time = due;
  event_put(s, item, i);
}

static void message_leaves(struct state *s, uint32_t i, bool announced) {
  uint32_t new = item_new(s);
  const struct item *item = item_at(s, i);
  struct item *message = item_at(s, new);
  *message = (struct item){.type = TYPE_MESSAGE,
                           .time = item->time + s->overhead + s->latency,
                           .turn = turn_of(s->turns++, TYPE_MESSAGE),
                           .rank = (uint32_t)item->partner,
                           .partner = (int32_t)item->rank,
                           .tag = item->tag,
                           .communicator = item->communicator,
                           .size = item->size,
                           .sender = announced ? i : NONE};
  event_put(s, message, new);
  if (!PSL_COUNTS(s->host, seconds(item->time))) return;
  s->messages++;
  s->bytes += item->size;
}

static __attribute__((noinline)) void taken_find(struct state *s, double size) {
  double most = s->byte_overhead > s->byte_gap ? s->byte_overhead : s->byte_gap;
  if (size < 1) most = s->byte_overhead < s->byte_gap ? s->byte_overhead : s->byte_gap;
  int64_t interface = s->gap + rounded((size - 1) * s->byte_gap);
  s->taken = (struct taken){.size = size,
                            .sending = {s->overhead + rounded((size - 1) * s->byte_overhead), interface},
                            .receiving = {s->overhead + rounded((size - 1) * most), interface}};
}

/* What a message of that size takes: mostly as much as the one before it. */
static inline const struct taken *taken_by(struct state *s, double size) {
  if (size != s->taken.size) taken_find(s, size);
  return &s->taken;
}

static void send_event(struct state *s, struct item *item, uint32_t i, struct woken *woken) {
  struct rank *rank = &s->ranks[item->rank];
  int64_t now = item->time, due = later(rank->processor, rank->sending);
  if (due > now) return put_back(s, item, i, due);
  const struct taken *taken = taken_by(s, item->size);
  rank->processor = now + taken->sending[0];
  rank->sending = now + taken->sending[1];
  bool announced = item->size > s->rendezvous;
  message_leaves(s, i, announced);
  wake(woken, announced ? item_begun(s, i) : item_done(s, i));
}

static void receive_event(struct state *s, struct item *item, uint32_t i, struct woken *woken) {
  struct rank *rank = &s->ranks[item->rank];
  wake(woken, item_begun(s, i));
  uint32_t found = list_match(s, &rank->messages, item);
  if (found == NONE) return list_put(s, &rank->receives, i);
  uint32_t sender = item_at(s, found)->sender;
  room_check(s, item_at(s, found), item);
  item_free(s, found);
  meet(s, sender, i, item->time, woken);
}

static void message_event(struct state *s, struct item *message, uint32_t i, struct woken *woken) {
  struct rank *rank = &s->ranks[message->rank];
  int64_t now = message->time, due = later(rank->processor, rank->receiving);
  if (due > now) return put_back(s, message, i, due);
  const struct taken *taken = taken_by(s, message->size);
  rank->processor = now + taken->receiving[0];
  rank->receiving = now + taken->receiving[1];
  uint32_t receive = list_match(s, &rank->receives, message), sender = message->sender;
  if (receive == NONE) return list_put(s, &rank->messages, i);
  room_check(s, message, item_at(s, receive));
  item_free(s, i);
  meet(s, sender, receive, now, woken);
}

static void compute_event(struct state *s, struct item *item, uint32_t i, struct woken *woken) {
  struct rank *rank = &s->ranks[item->rank];
  if (rank->processor > item->time) return put_back(s, item, i, rank->processor);
  rank->processor = item->time + item->work;
  wake(woken, item_done(s, i));
}

/* Handles the next event; when it is put back, it is none yet. Its time. */
static int64_t event_handle(struct state *s, struct woken *woken) {
  static void (*const handlers[])(struct state *, struct item *, uint32_t,
                                  struct woken *) = {send_event, receive_event, compute_event, message_event};
  uint32_t i = event_take(s);
  struct item *item = item_at(s, i);
  int64_t time = item->time;
  handlers[item->type](s, item, i, woken);
  return time;
}

/* All have ended, and nothing is under way: each ends when its processor is free. */
static void all_end(struct state *s, uint32_t own) {
  for (uint32_t number = 0; number < s->rank_count; number++) {
    struct rank *rank = &s->ranks[number];
    rank_wake(s, number);
    if (number == own) continue;
    rank->woken = false;
    s->host->resume(s->host, rank->process, seconds(rank->processor), (union psl_argument){0});
  }
  s->at_end = 0;
}

/* The host makes somebody's call again when it has come to the next event: a rank may be away for long. */
static void alarm_set(struct state *s) {
  if (events_none(s) || s->blocked.first == NONE) return;
  int64_t time = next_time(s);
  if (s->driver != NONE && s->alarm <= time) return;
  if (s->driver == NONE) s->driver = s->blocked.first;
  s->alarm = time;
  s->host->retry(s->host, s->ranks[s->driver].process, seconds(s->alarm));
}

/* The number of what a rank has waited for, negative where that has begun. */
static int64_t number_of(const struct rank *rank) {
  int64_t number = rank->item == NONE ? 0 : (int64_t)rank->item + 1;
  return rank->begun ? -number : number;
}

static void turns_give(struct state *s, struct woken *woken) {
  if (woken->count == 2 && woken->ranks[0] > woken->ranks[1])
    *woken = (struct woken){.ranks = {woken->ranks[1], woken->ranks[0]}, .count = 2};
  for (uint32_t k = 0; k < woken->count; k++) {
    s->ranks[woken->ranks[k]].turn = s->turns++;
    s->ranks[woken->ranks[k]].asked = 0;
  }
}

/* Handles events until somebody's wait is over. Is that of `own`? Then the call's clock is set. */
static bool run(struct state *s, uint32_t own, struct psl_call *call) {
  struct woken woken = {.count = 0};
  int64_t now = picoseconds(call->clock), time = now;
  while (!woken.count && !events_none(s) && (s->waiting == s->rank_count || (call->ordered && next_time(s) <= now)))
    time = event_handle(s, &woken);
  turns_give(s, &woken);
  for (uint32_t k = 0; k < woken.count; k++) {
    struct rank *rank = &s->ranks[woken.ranks[k]];
    if (woken.ranks[k] == own) continue;
    rank->woken = false;
    s->host->resume(s->host, rank->process, seconds(time), (union psl_argument){.integer = number_of(rank)});
  }
  if (s->at_end == s->rank_count && events_none(s)) {
    all_end(s, own);
    time = s->ranks[own].processor;
  }
  if (!s->ranks[own].woken) return false;
  if (seconds(time) > call->clock) call->clock = seconds(time);
  return true;
}

/* The rank waits, from its call on or still. */
static enum psl_status wait_on(struct state *s, uint32_t own, struct psl_call *call) {
  struct rank *rank = &s->ranks[own];
  if (s->driver == own && call->memory) s->driver = NONE; /* it has been called */
  bool over = rank->woken || run(s, own, call);
  if (!over) call->memory = s;
  if (over) rank->woken = false;
  call->result.integer = number_of(rank);
  alarm_set(s);
  return over ? PSL_DONE : PSL_BLOCKED;
}

/* ---- calls ---- */

static bool ranks_open(struct state *s, int64_t size) {
  if (s->rank_count) return size == s->rank_count;
  if (size < 1 || size > RANKS_MOST) return false;
  s->rank_count = (uint32_t)size;
  s->ranks = s->host->allocate(s->host, s->rank_count * sizeof *s->ranks);
  for (uint32_t i = 0; i < s->rank_count; i++) {
    struct list none = {NONE, NONE};
    s->ranks[i].receives = s->ranks[i].messages = s->ranks[i].finished = none;
    s->ranks[i].turn = s->turns++;
  }
  return true;
}

static __attribute__((noinline)) struct rank *rank_opened(struct state *s, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer, size = call->arguments[1].integer;
  if (ranks_open(s, size) && rank >= 0 && rank < size) return &s->ranks[rank];
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " of %" PRId64 " ranks", rank, size);
  return NULL;
}

static inline struct rank *rank_of(struct state *s, struct psl_call *call) {
  uint64_t rank = (uint64_t)call->arguments[0].integer;
  bool fine = call->arguments[1].integer == s->rank_count && rank < s->rank_count;
  return fine ? &s->ranks[rank] : rank_opened(s, call);
}

/* A new one of the call's rank; where others stand may change. */
static inline struct item *operation_new(struct state *s, const struct psl_call *call, enum type type) {
  struct item *item = item_at(s, item_new(s));
  item->type = (uint8_t)type;
  item->rank = (uint32_t)call->arguments[0].integer;
  item->sender = NONE;
  item->done = item->tells = item->given_up = false;
  return item;
}

static inline void message_of(struct item *item, int64_t partner, int64_t tag, int64_t communicator, double size) {
  item->partner = (int32_t)partner;
  item->tag = (int32_t)tag;
  item->communicator = (int32_t)communicator;
  item->size = size;
}

/* The operation gets its event, and the rank waits for its end or gets its number. */
static inline enum psl_status operate(struct state *s, struct psl_call *call, struct item *item, bool waits) {
  struct rank *rank = &s->ranks[item->rank];
  uint32_t i = (uint32_t)(item - s->items), number = item->rank;
  item->named = !waits;
  item->time = later(picoseconds(call->clock), rank->processor);
  if (item->type == TYPE_SEND) item->time = later(item->time, rank->sending);
  item->turn = turn_of(rank->turn, item->type);
  item->asked = rank->asked++;
  event_put(s, item, i);
  call->result.integer = (int64_t)i + 1;
  if (!waits) return PSL_DONE;
  rank->process = call->process;
  rank_block(s, number, WAITS_FOR_ITEM, i);
  return wait_on(s, number, call);
}

/* Mostly they are what they were. */
static inline void costs_set(struct state *s, const union psl_argument *given) {
  bool same = true;
  for (int k = 0; k < 6; k++)
    same &= s->given[k] == given[k].real;
  if (same) return;
  for (int k = 0; k < 6; k++)
    s->given[k] = given[k].real;
  s->latency = picoseconds(given[0].real);
  s->overhead = picoseconds(given[1].real);
  s->gap = picoseconds(given[2].real);
  s->byte_gap = given[3].real * 1e12;
  s->byte_overhead = given[4].real * 1e12;
  s->rendezvous = given[5].real;
  s->taken.size = -1; /* of none */
}

static enum psl_status loggops_send(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  struct rank *rank = rank_of(s, call);
  if (!rank) return PSL_FAILED;
  if (call->memory) return wait_on(s, (uint32_t)a[0].integer, call);
  if (a[2].integer < 0 || a[2].integer >= s->rank_count || a[3].integer < 0 || a[3].integer > INT32_MAX)
    return psl_failed(call, "a message to rank %" PRId64 " with tag %" PRId64, a[2].integer, a[3].integer);
  costs_set(s, a + 6);
  struct item *item = operation_new(s, call, TYPE_SEND);
  message_of(item, a[2].integer, a[3].integer, a[12].integer, a[4].real);
  return operate(s, call, item, a[5].integer);
}

static enum psl_status loggops_receive(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_of(s, call)) return PSL_FAILED;
  if (call->memory) return wait_on(s, (uint32_t)a[0].integer, call);
  if (a[2].integer < -1 || a[2].integer >= s->rank_count || a[3].integer < -1 || a[3].integer > INT32_MAX)
    return psl_failed(call, "a message from rank %" PRId64 " with tag %" PRId64, a[2].integer, a[3].integer);
  struct item *item = operation_new(s, call, TYPE_RECEIVE);
  message_of(item, a[2].integer, a[3].integer, a[5].integer, a[6].real);
  return operate(s, call, item, a[4].integer);
}

static enum psl_status loggops_compute(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_of(s, call)) return PSL_FAILED;
  if (call->memory) return wait_on(s, (uint32_t)a[0].integer, call);
  if (!(a[2].real >= 0 && a[2].real < 1e6)) return psl_failed(call, "a computation of %g s", a[2].real);
  struct item *item = operation_new(s, call, TYPE_COMPUTE);
  item->work = picoseconds(a[2].real);
  return operate(s, call, item, a[3].integer);
}

static enum psl_status block(struct state *s, struct psl_call *call, enum waits waits, uint32_t item) {
  uint32_t own = (uint32_t)call->arguments[0].integer;
  s->ranks[own].process = call->process;
  rank_block(s, own, waits, item);
  return wait_on(s, own, call);
}

/* The operation of the call's; NULL: error. */
static struct item *operation_of(struct state *s, struct psl_call *call) {
  int64_t i = call->arguments[2].integer - 1;
  struct item *item = i >= 0 && i < s->item_count ? item_at(s, (uint32_t)i) : NULL;
  if (item && item->named && item->rank == call->arguments[0].integer) return item;
  snprintf(call->error, sizeof call->error, "%" PRId64 " is no operation that is to be waited for", i + 1);
  return NULL;
}

static enum psl_status loggops_tell(void *state, struct psl_call *call) {
  struct state *s = state;
  struct item *item = rank_of(s, call) ? operation_of(s, call) : NULL;
  if (!item) return PSL_FAILED;
  item->tells = true;
  return PSL_DONE;
}

static enum psl_status loggops_give_up(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!rank_of(s, call)) return PSL_FAILED;
  if (call->arguments[2].integer == 0) return PSL_DONE; /* none */
  struct item *item = operation_of(s, call);
  if (!item) return PSL_FAILED;
  item->given_up = true;
  return PSL_DONE;
}

static enum psl_status loggops_wait(void *state, struct psl_call *call) {
  struct state *s = state;
  struct rank *rank = rank_of(s, call);
  int64_t i = call->arguments[2].integer - 1;
  if (!rank) return PSL_FAILED;
  if (call->memory) return wait_on(s, (uint32_t)call->arguments[0].integer, call);
  if (i == -1) return PSL_DONE;
  struct item *item = operation_of(s, call);
  if (!item) return PSL_FAILED;
  if (!item->done) return block(s, call, WAITS_FOR_ITEM, (uint32_t)i);
  list_take(s, &rank->finished, (uint32_t)i);
  item_free(s, (uint32_t)i);
  return PSL_DONE;
}

static enum psl_status loggops_wait_any(void *state, struct psl_call *call) {
  struct state *s = state;
  struct rank *rank = rank_of(s, call);
  if (!rank) return PSL_FAILED;
  if (call->memory) return wait_on(s, (uint32_t)call->arguments[0].integer, call);
  uint32_t i = rank->finished.first;
  if (i == NONE) return block(s, call, WAITS_FOR_ANY, NONE);
  list_take(s, &rank->finished, i);
  item_free(s, i);
  call->result.integer = (int64_t)i + 1;
  return PSL_DONE;
}

static enum psl_status loggops_end(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!rank_of(s, call)) return PSL_FAILED;
  if (call->memory) return wait_on(s, (uint32_t)call->arguments[0].integer, call);
  s->at_end++;
  return block(s, call, WAITS_FOR_END, NONE);
}

/* ---- the run ---- */

static void *loggops_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->free = s->driver = s->blocked.first = s->blocked.last = NONE;
  s->taken.size = -1;
  return s;
}

/* A rank that lasts, in a deadlock, waits: what belongs to it is told there. */
static bool lasts(const struct rank *rank) { return rank->waits != WAITS_NOT && rank->waits != WAITS_FOR_END; }

static void message_note(struct state *s, const struct item *message, struct leftovers *all) {
  const struct rank *from = &s->ranks[message->partner];
  if (message->sender != NONE && from->waits == WAITS_FOR_ITEM && from->item == message->sender) return;
  struct left left = {.time = seconds(message->time),
                      .size = message->size,
                      .rank = message->rank,
                      .source = message->partner,
                      .communicator = message->communicator,
                      .tag = message->tag};
  leftovers_note(all, LEFT_MESSAGE, &left);
}

static void receives_note(struct state *s, const struct list *list, struct leftovers *all) {
  for (uint32_t i = list->first; i != NONE; i = item_at(s, i)->next) {
    const struct item *item = item_at(s, i);
    if (item->type != TYPE_RECEIVE || !item->named || item->given_up) continue;
    struct left left = {.time = seconds(item->time),
                        .rank = item->rank,
                        .source = item->partner,
                        .communicator = item->communicator,
                        .tag = item->tag};
    leftovers_note(all, LEFT_RECEIVE, &left);
  }
}

static void leftovers_warn(struct state *s) {
  struct leftovers all = s->left;
  if (!s->host->complete(s->host)) return;
  for (uint32_t number = 0; number < s->rank_count; number++) {
    struct rank *rank = &s->ranks[number];
    if (lasts(rank)) continue;
    for (uint32_t i = rank->messages.first; i != NONE; i = item_at(s, i)->next)
      message_note(s, item_at(s, i), &all);
    receives_note(s, &rank->receives, &all);
    receives_note(s, &rank->finished, &all);
  }
  leftovers_tell(s->host, &all);
}

static size_t loggops_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  struct state *s = state;
  leftovers_warn(s);
  struct psl_statistic all[] = {{PSL_MESSAGES, "", (double)s->messages, true}, {PSL_BYTES, "byte", s->bytes, false}};
  for (size_t k = 0; k < 2 && k < capacity; k++)
    out[k] = all[k];
  return capacity < 2 ? capacity : 2;
}

/* What a rank waits for: one operation, or the oldest of those that have not ended, a receive first; NULL: none. */
static const struct item *waited_for(const struct state *s, uint32_t number) {
  const struct rank *rank = &s->ranks[number];
  if (rank->waits == WAITS_FOR_ITEM) return item_at(s, rank->item);
  if (rank->waits != WAITS_FOR_ANY) return NULL;
  if (rank->receives.first != NONE) return item_at(s, rank->receives.first);
  for (uint32_t i = 0; i < s->item_count; i++) {
    const struct item *item = item_at(s, i);
    if (item->type == TYPE_SEND && item->rank == number && item->named && !item->done) return item;
  }
  return NULL;
}

static void loggops_explain(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  uint32_t number = 0;
  while (number < s->rank_count && (s->ranks[number].waits == WAITS_NOT || s->ranks[number].process != process))
    number++;
  const struct rank *rank = number < s->rank_count ? &s->ranks[number] : NULL;
  const struct item *item = rank ? waited_for(s, number) : NULL;
  if (!item || item->type == TYPE_COMPUTE) {
    snprintf(out, size, "%s", rank && rank->waits == WAITS_FOR_END ? "for the other ranks to end" : "for an operation");
    return;
  }
  if (item->type == TYPE_RECEIVE && item->partner < 0)
    snprintf(out, size, "for a message from any rank");
  else if (item->type == TYPE_RECEIVE)
    snprintf(out, size, "for a message from rank %d, tag %d", item->partner, item->tag);
  else
    snprintf(out, size, "for rank %d to receive a message of %.0f bytes, tag %d", item->partner, item->size, item->tag);
  if (item->partner >= 0 && s->ranks[item->partner].waits != WAITS_NOT) *other = s->ranks[item->partner].process;
}

#define RANK "(rank : int, size : int, "

static const struct psl_evaluator_function functions[] = {
    {.name = "send",
     .signature = RANK "destination : int, tag : int, message : data, waits : bool, L : time, o : time, g : time,"
                       " G : time/data, O : time/data, S : data, communicator : int = 0) -> int",
     .kind = PSL_CALL,
     .call = loggops_send,
     .doc =
         "A rank of `size` sends. With `waits` it goes on when its processor has begun to, from more than S bytes on "
         "when the message meets its receive; else at once, with a number for `wait`."},
    {.name = "receive",
     .signature = RANK "source : int, tag : int, waits : bool, communicator : int = 0, room : data = 0 byte) -> int",
     .kind = PSL_CALL,
     .call = loggops_receive,
     .doc =
         "It receives, from -1: any rank, any tag. With `waits` it goes on when the message is there. A message that "
         "is longer than the room is said when the run has ended; 0: it has room for any."},
    {.name = "compute",
     .signature = RANK "work : time, waits : bool) -> int",
     .kind = PSL_CALL,
     .call = loggops_compute,
     .doc = "Its processor computes. With `waits` the rank goes on when that has begun, which what follows waits for."},
    {.name = "wait",
     .signature = RANK "operation : int)",
     .kind = PSL_CALL,
     .call = loggops_wait,
     .doc = "Waits for the end of an operation; 0: none. Error: the number is not that of one that was started."},
    {.name = "wait-any",
     .signature = "(rank : int, size : int) -> int",
     .kind = PSL_CALL,
     .call = loggops_wait_any,
     .doc = "Waits for the first of its operations to end that were started and not waited for: its number; or for one "
            "that tells to begin: its negative number."},
    {.name = "tell",
     .signature = RANK "operation : int)",
     .kind = PSL_CALL,
     .call = loggops_tell,
     .doc = "`wait-any` is to say when this operation begins, if it is not done at once then."},
    {.name = "give-up",
     .signature = RANK "operation : int)",
     .kind = PSL_CALL,
     .call = loggops_give_up,
     .doc = "Nobody may wait for this operation, which is then not said when the run has ended; 0: none."},
    {.name = "end",
     .signature = "(rank : int, size : int)",
     .kind = PSL_CALL,
     .call = loggops_end,
     .doc = "The rank has no more to do. It ends when all have come here, and its processor is free."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"a message takes its receiver's processor when it comes, received or not"},
    {"the request of a message above S and its answer take no time"},
    {NULL},
};

const struct psl_evaluator loggops_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "LogGOPS",
    .revision = "1",
    .doc = "LogGOPS as LogGOPSim simulates it: processors, interfaces and messages of ranks.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = loggops_open,
    .statistics = loggops_statistics,
    .explain_wait = loggops_explain,
};
