/* Dataflow accepts: tokens wait in queues ordered by (time, edge, sequence), one queue a parameter that
 * some edge reaches (one for all where the requests give all parameters), until a firing can begin. */
#include "interp/execute/causality.h"
#include "interp/execute/steady.h"
#include <math.h>
#include <string.h>

static size_t token_size(uint32_t count) { return sizeof(struct token) + count * sizeof(struct value); }

static void token_free(struct executor *executor, struct token *token) {
  for (uint32_t i = 0; i < token->count; i++)
    kept_drop(&executor->keep, &token->values[i]);
  slab_give(&executor->slabs, token, token_size(token->count));
}

static struct inbox *inbox_of(struct executor *executor, struct model_accept *accept, uint32_t instance) {
  const struct instances *instances = &executor->graph->instances[accept->component->id];
  struct inbox ***row = &executor->inboxes[accept->id];
  if (!*row) *row = ARENA_ARRAY(executor->arena, struct inbox *, instances->count);
  struct inbox **place = &(*row)[instance - instances->first];
  if (*place) return *place;
  struct inbox *inbox = *place = ARENA_NEW(executor->arena, struct inbox);
  const struct reach *reach = &executor->graph->reach[accept->id];
  inbox->accept = accept;
  inbox->instance = instance;
  inbox->full = reach->full;
  inbox->reached = reach->masks ? reach->masks[instance - instances->first] : reach->same;
  inbox->queue_count = inbox->full ? 1 : accept->transaction->param_count;
  inbox->queues = ARENA_ARRAY(executor->arena, struct token *, inbox->queue_count + 1);
  inbox->lasts = ARENA_ARRAY(executor->arena, struct token *, inbox->queue_count + 1);
  inbox->edges = ARENA_ARRAY(executor->arena, uint32_t, inbox->queue_count + 1);
  inbox->facility = facility_of(executor, accept, instance);
  inbox->next = executor->all_inboxes;
  executor->all_inboxes = inbox;
  inbox->peer = inbox->facility->inboxes;
  inbox->facility->inboxes = inbox;
  return inbox;
}

static bool every_param(const struct inbox *inbox, uint32_t k) {
  return !inbox->full && inbox->accept->transaction->params[k].every;
}

static int edge_order(const struct token *a, const struct token *b) {
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  return a->sender < b->sender ? -1 : a->sender > b->sender;
}

/* By (time, edge, sender, sequence); the queue of an `every` parameter by edge first. */
static bool token_before(const struct token *a, const struct token *b, bool every) {
  int edge = edge_order(a, b);
  if (every && edge != 0) return edge < 0;
  if (a->time != b->time) return a->time < b->time;
  return edge != 0 ? edge < 0 : a->sequence < b->sequence;
}

/* True: it is the first there. */
static bool queue_insert(struct inbox *inbox, uint32_t k, struct token *token) {
  bool every = every_param(inbox, k);
  struct token **place = &inbox->queues[k], *before = NULL;
  if (*place && token_before(inbox->lasts[k], token, every)) {
    before = inbox->lasts[k];
    place = &before->next;
  }
  while (*place && token_before(*place, token, every)) {
    before = *place;
    place = &before->next;
  }
  token->next = *place;
  *place = token;
  if (!token->next) inbox->lasts[k] = token;
  bool known = (before && edge_order(before, token) == 0) || (token->next && edge_order(token, token->next) == 0);
  inbox->edges[k] += every && !known;
  return inbox->queues[k] == token;
}

/* `every`: the latest of the first tokens of the edges. */
static double every_time(const struct token *queue) {
  double time = 0;
  for (const struct token *token = queue, *before = NULL; token; before = token, token = token->next)
    if ((!before || edge_order(before, token) != 0) && token->time > time) time = token->time;
  return time;
}

bool inbox_ready(struct executor *executor, const struct inbox *inbox, double *time) {
  const struct reach *reach = &executor->graph->reach[inbox->accept->id];
  uint32_t local = inbox->instance - executor->graph->instances[inbox->accept->component->id].first;
  *time = 0;
  bool some = false;
  uint32_t every_count = 0, at = 0;
  for (uint32_t k = 0; !inbox->full && k < inbox->queue_count; k++)
    every_count += every_param(inbox, k);
  for (uint32_t k = 0; k < inbox->queue_count; k++) {
    bool every = every_param(inbox, k);
    uint32_t edges = every && reach->edges ? reach->edges[local * every_count + at] : 1;
    at += every;
    if (!inbox->full && !(inbox->reached >> k & 1)) continue;
    if (!inbox->queues[k]) return false;
    some = true;
    if (every) {
      if (inbox->edges[k] < edges) return false;
      double latest = every_time(inbox->queues[k]);
      if (latest > *time) *time = latest;
    } else if (inbox->queues[k]->time > *time) {
      *time = inbox->queues[k]->time;
    }
  }
  return some;
}

/* Takes one token from each edge of an `every` parameter; their values become a list, by edge and sender. */
static struct value every_take(struct executor *executor, struct inbox *inbox, uint32_t k, double *time,
                               struct token **used) {
  uint32_t count = inbox->edges[k], taken = 0;
  struct value list = value_object(&executor->scratch, VALUE_LIST, count);
  struct token *last = NULL; /* that was taken */
  inbox->edges[k] = 0;
  inbox->lasts[k] = NULL;
  for (struct token **place = &inbox->queues[k]; *place;) {
    struct token *token = *place;
    if (last && edge_order(last, token) == 0) { /* it stays: a second one of its edge */
      inbox->edges[k] += !inbox->lasts[k] || edge_order(inbox->lasts[k], token) != 0;
      inbox->lasts[k] = token;
      place = &token->next;
      continue;
    }
    *place = token->next;
    token->next = *used;
    *used = last = token;
    list.object->items[taken++] = token->values[0].value;
    if (token->time > *time) *time = token->time;
  }
  if (!value_seal(list)) executor_stop(executor, STOP_ERROR, inbox->accept->params[k]->span, VALUE_TOO_LARGE);
  return list;
}

static void fire(struct executor *executor, struct inbox *inbox, double now) {
  struct model_transaction *transaction = inbox->accept->transaction;
  struct value *arguments = ARENA_ARRAY(&executor->scratch, struct value, transaction->param_count + 1);
  struct token *used = NULL;
  double time = now;
  for (uint32_t k = 0; k < inbox->queue_count; k++) {
    if (!inbox->queues[k]) continue;
    if (every_param(inbox, k)) {
      arguments[k] = every_take(executor, inbox, k, &time, &used);
      continue;
    }
    struct token *token = inbox->queues[k];
    inbox->queues[k] = token->next;
    inbox->facility->expected -= inbox->full;
    token->next = used;
    used = token;
    if (inbox->full)
      memcpy(arguments, kept_values(token->values), transaction->param_count * sizeof *arguments);
    else
      arguments[k] = token->values[0].value;
  }
  struct body *body = body_of_accept(executor, inbox->accept);
  struct process *process =
      process_new(executor, inbox->instance, time, !inbox->facility->accept && !body->implementing);
  process->customer = steady_customer(executor, inbox->accept, inbox->instance, used->customer);
  struct frame *frame =
      frame_push(executor, process, body, inbox->instance, arguments, used->caller.instance, used->caller.accept, NULL);
  frame->facility = inbox->facility->unlimited ? NULL : inbox->facility;
  if (frame->facility) frame->facility->busy++;
  if (body->observed) frame_visit(frame)->entered = 0;
  while (used) {
    struct token *next = used->next;
    if (body->observed) frame_visit(frame)->entered = fmax(frame_visit(frame)->entered, used->time);
    token_free(executor, used);
    used = next;
  }
  process_ready(executor, process);
}

static void inbox_schedule(struct executor *executor, struct inbox *inbox) {
  double time;
  if (!inbox_ready(executor, inbox, &time)) return;
  if (inbox->scheduled && inbox->ready_at <= time) return;
  inbox->scheduled = true;
  inbox->ready_at = time;
  event_push(executor, time > executor->now ? time : executor->now, EVENT_TOKEN, inbox->instance, inbox, 0);
}

void inbox_try(struct executor *executor, struct inbox *inbox, double now) {
  double time;
  inbox->scheduled = false;
  while (!executor_stopped(executor)) {
    inbox->waiting = false;
    if (!inbox_ready(executor, inbox, &time)) return;
    inbox->ready_at = time;
    if (time > now) {
      inbox_schedule(executor, inbox);
      return;
    }
    inbox->waiting = true;
    if (inbox->facility->rules) {
      rules_await_tokens(executor, inbox, now);
      return;
    }
    if (!facility_free(inbox->facility)) return;
    fire(executor, inbox, now);
  }
}

void inbox_fire(struct executor *executor, struct inbox *inbox, double time) {
  fire(executor, inbox, time);
  inbox_try(executor, inbox, time);
}

/* A token of all parameters to an accept of unlimited servers, without a rule: a process of its own, which
 * may run ahead, but for a network's customer, who is observed in the order of time. */
bool token_starts(const struct executor *executor, const struct model_accept *accept) {
  return accept->unlimited && executor->graph->reach[accept->id].full && !accept->firing_rule &&
         !steady_observes(executor, accept);
}

void token_start(struct executor *executor, struct requester who, struct model_accept *accept, uint32_t instance,
                 const struct value *arguments, double time) {
  struct process *child = process_new(executor, instance, time, false);
  happens_later(executor, "a process begins", time);
  child->customer = executor->running->customer;
  executor->events_done++;
  frame_push(executor, child, body_of_accept(executor, accept), instance, arguments, who.instance, who.accept, NULL);
  uint32_t generation = child->generation;
  standstill_count(&executor->ahead_still, time);
  if (executor->nest < SPAWN_DEPTH && !shuffled_away(executor)) {
    struct process *sender = executor->running;
    executor->nest++;
    process_run(executor, child);
    executor->nest--;
    executor->running = sender;
  } else {
    process_ready(executor, child);
  }
  if (shuffled_away(executor)) executor->ahead = SENT;
  if (child->generation == generation) sent_ahead(executor); /* it has not ended */
}

void token_send(struct executor *executor, struct requester who, const struct model_request *request,
                struct target target, const struct value *arguments, double time) {
  struct model_accept *accept = executor->model->accepts[target.accept];
  const struct model_transaction *transaction = accept->transaction;
  if (token_starts(executor, accept)) {
    token_start(executor, who, accept, target.instance, arguments, time);
    return;
  }
  executor->events_done++;
  struct inbox *inbox = inbox_of(executor, accept, target.instance);
  bool first = false;
  happens_later(executor, "a token", time);
  for (uint32_t k = 0; k < transaction->param_count + inbox->full; k++) {
    if (!inbox->full && (k >= transaction->param_count || arguments[k].kind == VALUE_NONE)) continue;
    uint32_t count = inbox->full ? transaction->param_count : 1;
    struct token *token = slab_take(&executor->slabs, token_size(count));
    token->count = count;
    token->time = time;
    token->edge = request->id;
    token->sender = who.instance;
    token->sequence = executor->sequence++;
    token->caller.instance = who.instance;
    token->caller.accept = who.accept;
    token->customer = executor->running->customer;
    for (uint32_t i = 0; i < count; i++)
      token->values[i] = value_keep(&executor->keep, arguments[inbox->full ? i : k]);
    first |= queue_insert(inbox, inbox->full ? 0 : k, token);
    if (inbox->full) break;
  }
  inbox->facility->expected += inbox->full;
  if (first || !inbox->waiting) inbox_schedule(executor, inbox);
  if (shuffled_away(executor)) executor->ahead = SENT;
  sent_ahead(executor);
}
