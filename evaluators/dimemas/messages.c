/* Of Dimemas' model: processors, links, buses, and messages, from the send to the end of the receive. */
#include "evaluators/dimemas/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more; what is there stays. */
void *dimemas_grown(struct state *s, const void *old, uint32_t count, uint32_t *capacity, size_t size) {
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
    s->items = dimemas_grown(s, s->items, i / CHUNK, &s->item_chunks, sizeof *s->items);
    if (i % CHUNK == 0) s->items[i / CHUNK] = s->host->allocate(s->host, CHUNK * sizeof(struct item));
  }
  *item_at(s, i) = value;
  return i;
}

void dimemas_item_free(struct state *s, uint32_t i) {
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

void dimemas_event_put(struct state *s, double time, enum event_kind kind, uint32_t object) {
  struct event event = {time, s->orders++, kind, object};
  s->events = dimemas_grown(s, s->events, s->event_count, &s->event_capacity, sizeof event);
  uint32_t at = s->event_count++;
  for (; at && before(&event, &s->events[(at - 1) / 2]); at = (at - 1) / 2)
    s->events[at] = s->events[(at - 1) / 2];
  s->events[at] = event;
}

struct event dimemas_event_take(struct state *s) {
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

void dimemas_node_touch(struct state *s, uint32_t node) {
  if (s->nodes[node].touched) return;
  s->nodes[node].touched = true;
  uint32_t at = s->touched_count++;
  for (; at && s->touched[at - 1] > node; at--)
    s->touched[at] = s->touched[at - 1];
  s->touched[at] = node;
}

/* The task is to have a processor of its node, behind the others or before them. */
void dimemas_task_ready(struct state *s, uint32_t number, bool behind) {
  struct task *task = &s->tasks[number];
  struct queue *ready = &s->nodes[task->node].ready;
  task->previous = behind ? ready->last : NONE;
  task->next = behind ? NONE : ready->first;
  *(task->previous == NONE ? &ready->first : &s->tasks[task->previous].next) = number;
  *(task->next == NONE ? &ready->last : &s->tasks[task->next].previous) = number;
  dimemas_node_touch(s, task->node);
}

/* The call of the task is over: it is to say what it does next. */
void dimemas_task_answer(struct state *s, uint32_t number) {
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
void dimemas_task_goes_on(struct state *s, uint32_t number, bool behind) {
  dimemas_task_ready(s, number, behind);
  dimemas_task_answer(s, number);
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
  dimemas_event_put(s, s->now + task->burst, EVENT_TASK, number);
}

void dimemas_tasks_start(struct state *s) {
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
  dimemas_message_go(s, first);
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

double dimemas_byte_time(double bandwidth) { return bandwidth != 0 ? 1e9 / (1 << 20) / bandwidth : 0; }

void dimemas_line_put(struct state *s, bool collective, uint32_t object) {
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
void dimemas_message_go(struct state *s, uint32_t i) {
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
      dimemas_line_put(s, false, i);
    return;
  }
  if (buses) ++*used;
  double time =
      dimemas_byte_time(inside ? node->figures[FIGURE_inside_bandwidth] : s->bandwidth) * item->operation.size;
  dimemas_event_put(s, s->now + time, EVENT_RESOURCES, i);
  dimemas_event_put(s, s->now + time, EVENT_ARRIVAL, i);
}

/* The first in the line has a bus, or one more of all. */
void dimemas_line_serve(struct state *s) {
  struct waiting *first = &s->line[s->line_first];
  if (!first->collective) {
    dimemas_message_go(s, line_take(s).object);
    return;
  }
  struct collective *collective = &s->collectives[first->object];
  collective->buses += s->buses - s->used_buses;
  s->used_buses = s->buses;
  if (collective->buses == s->buses) dimemas_collective_buses(s, line_take(s).object);
}

void dimemas_resources_free(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  struct node *node = node_of(s, item->from);
  if (node == node_of(s, item->to)) {
    inside_free(s, i);
    if (node->inside_used) node->inside_used--;
    if (node->inside_wait.first != NONE) dimemas_message_go(s, take_first(s, &node->inside_wait));
    return;
  }
  links_free(s, i);
  if (s->used_buses) s->used_buses--;
  if (s->buses && s->line_count) dimemas_line_serve(s);
}

/* ---- sends and receives ---- */

static void message_seen(struct state *s, const struct item *item, uint32_t to) {
  if (!s->host->message) return;
  struct psl_message message = {.from = s->tasks[item->from].owner,
                                .to = s->tasks[to].owner,
                                .sent = item->operation.begun,
                                .posted = s->tasks[to].now.begun,
                                .received = seconds(s->now),
                                .bytes = item->operation.size,
                                .tag = item->operation.tag};
  s->host->message(s->host, &message);
}

void dimemas_message_arrive(struct state *s, uint32_t i) {
  struct item *item = item_at(s, i);
  if (item->collective != NONE) {
    dimemas_reduction_part(s, i);
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
  dimemas_task_goes_on(s, item->to, true);
  dimemas_item_free(s, i);
}

uint32_t dimemas_note_new(struct state *s, uint32_t from, uint32_t to, const struct operation *operation) {
  return item_new(s, (struct item){.operation = *operation, .from = from, .to = to, .collective = NONE});
}

/* The task takes the processor for the latency first; true: it has had that. */
bool dimemas_started(struct state *s, uint32_t number, double latency) {
  struct task *task = &s->tasks[number];
  if (latency < 1) latency = 0;
  if (task->stage == STAGE_STARTED || latency == 0) {
    task->stage = STAGE_BEGIN;
    return true;
  }
  task->stage = STAGE_STARTUP;
  task->burst = task->busy_first = latency;
  dimemas_task_ready(s, number, false);
  return false;
}

static double latency_between(const struct state *s, uint32_t from, uint32_t to) {
  const struct node *node = node_of(s, from);
  return node->figures[s->tasks[from].node == s->tasks[to].node ? FIGURE_inside_latency : FIGURE_latency];
}

void dimemas_send(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  const struct operation *operation = &task->now;
  uint32_t to = (uint32_t)operation->partner;
  struct task *partner = &s->tasks[to];
  if (!dimemas_started(s, number, latency_between(s, number, to))) return;
  if (PSL_COUNTS(s->host, seconds(s->now))) {
    s->messages++;
    s->bytes += operation->size;
  }
  task->now.serial = ++task->sent;
  uint32_t met = find_receive(s, &partner->receives_alone, number, operation);
  bool begun = met != NONE && item_at(s, met)->operation.kind == OPERATION_START_RECEIVE;
  if (met != NONE) {
    dimemas_room_check(s, number, to, operation, &item_at(s, met)->operation);
    take_out(s, &partner->receives_alone, met);
    dimemas_item_free(s, met);
  } else {
    put_last(s, &partner->sends_alone, dimemas_note_new(s, number, to, operation));
  }
  bool there = begun || (partner->waits && is_pair(operation, number, &partner->now));
  uint32_t i = dimemas_note_new(s, number, to, operation);
  if (operation->rendezvous && !there) {
    item_at(s, i)->blocks = !operation->immediate;
    put_last(s, &task->sending, i);
    if (!operation->immediate) return;
  } else {
    dimemas_message_go(s, i);
  }
  task->busy_since = s->now;
  dimemas_task_goes_on(s, number, false);
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
  dimemas_message_go(s, i);
  if (!blocks) return;
  s->tasks[from].busy_since = s->now;
  dimemas_task_goes_on(s, from, false);
}

/* The receive was reached: is there a send that waits for it? */
static bool receive_reached(struct state *s, uint32_t number, const struct operation *receive) {
  struct task *task = &s->tasks[number];
  uint32_t met = find_send(s, &task->sends_alone, number, receive);
  if (met == NONE) {
    put_last(s, &task->receives_alone, dimemas_note_new(s, number, number, receive));
    return false;
  }
  bool rendezvous = item_at(s, met)->operation.rendezvous;
  dimemas_room_check(s, item_at(s, met)->from, number, &item_at(s, met)->operation, receive);
  take_out(s, &task->sends_alone, met);
  dimemas_item_free(s, met);
  return rendezvous;
}

/* A receive, or the wait for one that was started. */
void dimemas_receive(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  const struct operation *operation = &task->now;
  uint32_t from = operation->partner == ANY ? number : (uint32_t)operation->partner;
  if (!dimemas_started(s, number, latency_between(s, from, number))) return;
  if (operation->kind == OPERATION_RECEIVE) receive_reached(s, number, operation);
  uint32_t i = find_send(s, &task->arrived, number, operation);
  if (i == NONE) {
    task->waits = true;
    meet(s, number, operation);
    return;
  }
  take_out(s, &task->arrived, i);
  message_seen(s, item_at(s, i), number);
  dimemas_item_free(s, i);
  task->busy_since = s->now;
  dimemas_task_goes_on(s, number, false);
}

/* A number for what the task has started, free ones again. */
int64_t dimemas_request_new(struct state *s, struct task *task, const struct operation *operation) {
  uint32_t at = 0;
  while (at < task->started_count && task->started[at].kind != OPERATION_NONE)
    at++;
  if (at == task->started_count) {
    task->started = dimemas_grown(s, task->started, at, &task->started_capacity, sizeof *task->started);
    task->started_count++;
  }
  task->started[at] = *operation;
  return (int64_t)at + 1;
}

void dimemas_start_receive(struct state *s, uint32_t number) {
  struct operation operation = s->tasks[number].now;
  s->tasks[number].result = dimemas_request_new(s, &s->tasks[number], &operation);
  if (receive_reached(s, number, &operation)) meet(s, number, &operation);
  s->tasks[number].busy_since = s->now;
  dimemas_task_goes_on(s, number, false);
}
