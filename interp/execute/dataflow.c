/* Dataflow accepts: tokens wait in queues ordered by moment, one queue a parameter that
 * some edge reaches (one for all where the requests give all parameters), until a firing can begin. */
#include "grammar/children.h"
#include "interp/execute/causality.h"
#include "interp/execute/partitions.h"
#include "interp/execute/steps.h"
#include <math.h>
#include <string.h>

static size_t token_size(uint32_t count) { return offsetof(struct token, values) + count * sizeof(struct value); }

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
  inbox->reached = reach_mask(reach, instance - instances->first);
  inbox->queue_count = inbox->full ? 1 : accept->transaction->param_count;
  inbox->queues = &inbox->only;
  if (inbox->queue_count > 1) inbox->queues = ARENA_ARRAY(executor->arena, struct queue, inbox->queue_count);
  inbox->facility = facility_of(executor, accept, instance);
  if (inbox->full && asks_one_by_one(executor, accept))
    inbox->one_by_one = ARENA_NEW(executor->arena, struct one_by_one);
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

/* ---- tokens in the order of their moments ----
 * They mostly come in that order, and stand in line by `next`. One that comes later than one behind it, for its delay
 * was shorter, may belong anywhere in a long line: it is kept among the `others` of the first, which is the root of a
 * pairing heap: each token in there is before its own others, siblings are joined by `next`. No other one in line has
 * others, and the last in line is behind all of them, so that who takes the first has the next one: the head of the
 * line, or one of the others. */

static struct token *others_meld(struct token *a, struct token *b) {
  struct token *first = moment_before(b->sent, a->sent) ? b : a, *second = first == a ? b : a;
  second->next = first->others;
  first->others = second;
  return first;
}

/* One heap of siblings: they are melded by twos, and the pairs from the last to the first. */
static struct token *others_join(struct token *siblings) {
  struct token *pairs = NULL, *all = NULL;
  while (siblings) {
    struct token *a = siblings, *b = a->next;
    siblings = b ? b->next : NULL;
    struct token *pair = b ? others_meld(a, b) : a;
    pair->next = pairs;
    pairs = pair;
  }
  while (pairs) {
    struct token *pair = pairs;
    pairs = pair->next;
    all = all ? others_meld(all, pair) : pair;
  }
  if (all) all->next = NULL;
  return all;
}

struct token *token_after(struct token *first) {
  struct token *line = first->next, *other = first->others ? others_join(first->others) : NULL;
  first->others = NULL;
  if (!other) return line;
  if (moment_before(line->sent, other->sent)) {
    line->others = other;
    return line;
  }
  other->next = line;
  return other;
}

/* Puts it by its moment among those from *first to `last`; the last one then. */
static struct token *insert_from(struct token **first, struct token *last, struct token *token) {
  if (moment_before(last->sent, token->sent)) {
    token->next = last->next;
    last->next = token;
    return token;
  }
  if (moment_before((*first)->sent, token->sent)) {
    token->next = (*first)->others;
    (*first)->others = token;
    return last;
  }
  token->next = *first;
  token->others = (*first)->others;
  (*first)->others = NULL;
  *first = token;
  return last;
}

/* The queue of an `every` parameter stands by edge and sender first: those of one edge, and then by moment. */
static void every_insert(struct inbox *inbox, uint32_t k, struct token *token) {
  struct token **place = &inbox->queues[k].first, *first = *place;
  if (first && edge_order(inbox->queues[k].last, token) < 0) {
    place = &inbox->queues[k].last->next;
    first = NULL;
  }
  while (first && edge_order(first, token) < 0) {
    place = &first->last->next;
    first = *place;
  }
  if (first && edge_order(first, token) == 0) {
    struct token *last = insert_from(place, first->last, token);
    if (inbox->queues[k].last == first->last) inbox->queues[k].last = last;
    (*place)->last = last;
    return;
  }
  token->next = first;
  token->last = *place = token;
  if (!first) inbox->queues[k].last = token;
  inbox->queues[k].edges++;
}

/* True: it is the first there. */
static bool queue_insert(struct inbox *inbox, uint32_t k, struct token *token) {
  if (every_param(inbox, k)) {
    every_insert(inbox, k, token);
  } else if (inbox->queues[k].first) {
    inbox->queues[k].last = insert_from(&inbox->queues[k].first, inbox->queues[k].last, token);
  } else {
    token->next = NULL;
    inbox->queues[k].first = inbox->queues[k].last = token;
  }
  return inbox->queues[k].first == token;
}

static void latest(struct moment *ready, const struct token *token) {
  if (moment_before(*ready, token->sent)) *ready = token->sent;
}

bool inbox_ready(struct executor *executor, const struct inbox *inbox, struct moment *ready) {
  const struct reach *reach = &executor->graph->reach[inbox->accept->id];
  uint32_t local = inbox->instance - executor->graph->instances[inbox->accept->component->id].first;
  *ready = (struct moment){0, {0, 0}};
  bool some = false;
  uint32_t every_count = 0, at = 0;
  for (uint32_t k = 0; !inbox->full && k < inbox->queue_count; k++)
    every_count += every_param(inbox, k);
  for (uint32_t k = 0; k < inbox->queue_count; k++) {
    bool every = every_param(inbox, k);
    uint32_t edges = every && reach->edges ? reach->edges[local * every_count + at] : 1;
    at += every;
    if (!inbox->full && !(inbox->reached >> k & 1)) continue;
    if (!inbox->queues[k].first) return false;
    some = true;
    if (every) {
      if (inbox->queues[k].edges < edges) return false;
      for (const struct token *token = inbox->queues[k].first; token; token = token->last->next)
        latest(ready, token); /* the first of each edge */
    } else {
      latest(ready, inbox->queues[k].first);
    }
  }
  return some;
}

/* Takes one token from each edge of an `every` parameter; their values become a list, by edge and sender. */
static struct value every_take(struct executor *executor, struct inbox *inbox, uint32_t k, double *time,
                               struct token **used) {
  uint32_t count = inbox->queues[k].edges, taken = 0;
  struct value list = value_object(&executor->scratch, VALUE_LIST, count);
  inbox->queues[k].edges = 0;
  inbox->queues[k].last = NULL;
  for (struct token **place = &inbox->queues[k].first; *place;) {
    struct token *token = *place, *last = token->last;
    *place = token_after(token);
    if (token != last) { /* others of its edge stay */
      (*place)->last = inbox->queues[k].last = last;
      inbox->queues[k].edges++;
      place = &last->next;
    }
    token->next = *used;
    *used = token;
    list.object->items[taken++] = token->values[0].value;
    if (token->sent.time > *time) *time = token->sent.time;
  }
  if (!value_seal(list)) executor_stop(executor, STOP_ERROR, inbox->accept->params[k]->span, VALUE_TOO_LARGE);
  return list;
}

static void await_counted(struct inbox *inbox, double waited) {
  inbox->one_by_one->begun++;
  inbox->one_by_one->late += waited > 0;
  inbox->one_by_one->waited += waited;
}

/* Takes those of the next firing, the last one first; *time: not before they all are there. */
static struct token *tokens_take(struct executor *executor, struct inbox *inbox, struct value *arguments,
                                 double *time) {
  struct model_transaction *transaction = inbox->accept->transaction;
  struct token *used = NULL;
  for (uint32_t k = 0; k < inbox->queue_count; k++) {
    if (!inbox->queues[k].first) continue;
    if (every_param(inbox, k)) {
      arguments[k] = every_take(executor, inbox, k, time, &used);
      continue;
    }
    struct token *token = inbox->queues[k].first;
    inbox->queues[k].first = token_after(token);
    inbox->facility->expected -= inbox->full;
    token->next = used;
    used = token;
    if (inbox->full)
      memcpy(arguments, kept_values(token->values), transaction->param_count * sizeof *arguments);
    else
      arguments[k] = token->values[0].value;
  }
  return used;
}

/* By the token that came last; or, where they had waited for a server or a rule, by who ended that. */
static void firing_caused(struct executor *executor, const struct process *process, const struct token *used) {
  const struct token *last = used;
  uint32_t releasing = executor->causes->releasing;
  for (; used; used = used->next)
    if (moment_before(last->sent, used->sent)) last = used;
  bool waited = process->clock > last->sent.time && releasing;
  causes_begin_for(executor, process, waited ? releasing : last->caller.cause, last->sent.time);
}

static void inbox_begin(struct executor *executor, struct inbox *inbox, double now) {
  uint32_t params = inbox->accept->transaction->param_count;
  struct value *arguments = ARENA_ARRAY(&executor->scratch, struct value, params + 1);
  double time = now;
  struct token *used = tokens_take(executor, inbox, arguments, &time);
  struct body *body = body_of_accept(executor, inbox->accept);
  struct process *process =
      process_new(executor, inbox->instance, time, !inbox->facility->accept && !body->implementing);
  steady_customer(executor, process, inbox->accept, used);
  if (executor->causes) firing_caused(executor, process, used);
  struct frame *frame =
      frame_push(executor, process, body, inbox->instance, arguments, used->caller.instance, used->caller.accept, NULL);
  struct facility *facility = inbox->facility->unlimited ? NULL : inbox->facility;
  if (facility) called_apart(frame)->facility = facility;
  if (facility) facility->busy++;
  if (body_visits(body)) frame_visit(frame)->entered = 0;
  if (inbox->one_by_one) await_counted(inbox, time - used->sent.time);
  while (used) {
    struct token *next = used->next;
    process_queued_set(executor, process, used->queued + (time - used->sent.time)); /* at last: the first parameter's */
    if (body_visits(body)) frame_visit(frame)->entered = fmax(frame_visit(frame)->entered, used->sent.time);
    token_free(executor, used);
    used = next;
  }
  if (body->counted && usage_ask(executor, frame) && !facility_shares(facility))
    usage_begin(executor, frame_visit(frame)->usage, time);
  process_wake(executor, process);
}

static void inbox_schedule(struct executor *executor, struct inbox *inbox) {
  struct moment ready;
  if (!inbox_ready(executor, inbox, &ready)) return;
  if (inbox->scheduled && !moment_before(ready, inbox->due)) return;
  inbox->scheduled = true;
  inbox->due = ready;
  event_push(executor, fmax(ready.time, executor->now), EVENT_TOKEN, ready.stamp, inbox->instance, inbox,
             ++inbox->generation);
}

void inbox_due(struct executor *executor, struct inbox *inbox, uint32_t generation, double now) {
  if (generation != inbox->generation) return;
  inbox->scheduled = false;
  inbox_try(executor, inbox, now);
}

void inbox_try(struct executor *executor, struct inbox *inbox, double now) {
  struct moment ready;
  for (bool first = true; !executor_stopped(executor); first = false) {
    inbox->waiting = false;
    if (!inbox_ready(executor, inbox, &ready)) return;
    inbox->ready = ready;
    bool others = !first && ready.time == now && !none_before(executor, now, EVENT_TOKEN, ready.stamp);
    if (ready.time > now || others) {
      inbox_schedule(executor, inbox);
      return;
    }
    inbox->waiting = true;
    if (inbox->facility->rules) {
      rules_await_tokens(executor, inbox, now);
      return;
    }
    if (!facility_free(inbox->facility)) return;
    inbox_begin(executor, inbox, now);
  }
}

void inbox_fire(struct executor *executor, struct inbox *inbox, double time) {
  inbox_begin(executor, inbox, time);
  inbox_try(executor, inbox, time);
}

/* Firings that have not begun are in line until the run ends. */
void inbox_end(struct executor *executor, struct inbox *inbox) {
  uint32_t params = inbox->accept->transaction->param_count;
  struct moment ready;
  while (inbox_ready(executor, inbox, &ready) && ready.time <= executor->until) {
    struct value *arguments = ARENA_ARRAY(&executor->scratch, struct value, params + 1);
    struct token *used = tokens_take(executor, inbox, arguments, &ready.time);
    usage_wait(executor, inbox->facility, used->caller.accept, used->caller.instance, arguments, ready.time);
    while (used) {
      struct token *next = used->next;
      token_free(executor, used);
      used = next;
    }
    if (executor->scratch.blocks) arena_reset(&executor->scratch);
  }
}

/* A token of all parameters to an accept of unlimited servers, without a rule: a process of its own, which
 * may run ahead, but for a network's customer, who is observed in the order of time. */
bool token_starts(const struct executor *executor, const struct model_accept *accept) {
  return accept->unlimited && executor->graph->reach[accept->id].full && !accept->firing_rule &&
         !steady_observes(executor, accept);
}

/* What an accept may do, and all that it leads to. */
struct doing {
  struct executor *executor;
  bool ahead;    /* it may wait in evaluators whose calls have no order, but what it sends must have none either */
  uint8_t *seen; /* by accept id, of those that are ahead: it does what it may, or is being looked at */
};

static bool accept_does(const struct doing *doing, struct model_accept *accept);

/* Is the request one that a process without a turn of its own makes? */
static bool request_does(const struct doing *doing, const struct model_request *request) {
  const struct executor *executor = doing->executor;
  const struct binding *binding = &executor->graph->bindings[request->id];
  bool sends = request->protocol == PROTOCOL_DATAFLOW;
  if (executor->ordered[request->id]) return false;
  if ((sends && !doing->ahead) || binding->kind == BINDING_ABSENT) return true;
  for (uint32_t i = 0; i < binding->adapter_count; i++)
    if (binding->adapters[i]->transaction) return false;
  for (uint32_t i = 0; i < binding->candidate_count; i++) {
    struct model_accept *callee = binding->candidates[i];
    if (sends && !token_starts(executor, callee)) return false;
    if ((callee->servers && !callee->unlimited) || !accept_does(doing, callee)) return false;
  }
  return true;
}

static bool call_does(const struct doing *doing, const struct symbol *callee) {
  if (callee->kind == SYMBOL_LABEL) return request_does(doing, callee->request);
  if (callee->kind != SYMBOL_EVALUATOR_FUNCTION) return false;
  const struct psl_evaluator_function *function = callee->evaluator_function;
  return function->kind == PSL_EVENT || function->kind == PSL_PURE || (doing->ahead && function->unordered);
}

static bool block_does(const struct doing *doing, const struct model_component *component, const struct block *block) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next) {
    switch (stmt->kind) {
    case STMT_LET:
    case STMT_ASSIGN:
    case STMT_CALL:
    case STMT_RETURN:
      if (stmt->assign.is_call && !call_does(doing, stmt->assign.callee)) return false;
      break;
    case STMT_RECORD:
      if (record_ordered(component, stmt->record.name.name)) return false;
      break;
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_FIRST_OF:
    case STMT_PROFILE: return false;
    case STMT_HOLD:
    case STMT_ASSERT:
    case STMT_IF:
    case STMT_ONE_OF:
    case STMT_KINDS: break;
    }
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && !block_does(doing, component, c.block)) return false;
  }
  return true;
}

static bool body_does(const struct doing *doing, struct model_accept *accept) {
  const struct body *body = body_of_accept(doing->executor, accept);
  bool fine =
      !accept->firing_rule && !body->shared && !body->observed && block_does(doing, accept->component, body->block);
  for (uint32_t i = 0; i < accept->request_count; i++)
    fine = fine && request_does(doing, accept->requests[i]);
  return fine;
}

enum { UNKNOWN, YES, NO };

/* Where it calls itself it is NO while it is looked at; where it leads to itself by what it sends that is no matter. */
static bool accept_does(const struct doing *doing, struct model_accept *accept) {
  uint8_t *known = doing->ahead ? &doing->seen[accept->id] : &doing->executor->passes[accept->id];
  if (*known != UNKNOWN) return *known == YES;
  *known = doing->ahead ? YES : NO;
  bool fine = body_does(doing, accept);
  *known = fine ? YES : NO;
  return fine;
}

bool token_passes(struct executor *executor, struct model_accept *accept) {
  if (executor->passes[accept->id] == NO || executor->nest >= PASSES_DEEP) return false;
  return accept_does(&(struct doing){.executor = executor}, accept);
}

/* Does a process of the accept need no turn, though it may wait? Neither it nor what it leads to does anything in
 * order. */
static bool token_goes_ahead(struct executor *executor, const struct process *child, struct model_accept *accept) {
  uint8_t *known = &executor->ahead_of_all[accept->id];
  if (*known == UNKNOWN) {
    uint8_t *seen = ARENA_ARRAY(&executor->scratch, uint8_t, executor->model->accept_count + 1);
    bool fine = accept_does(&(struct doing){executor, true, seen}, accept);
    *known = fine && !executor->options->trace ? YES : NO;
  }
  return *known == YES && executor->nest < PASSES_DEEP && child->clock <= executor->time_most &&
         !shuffled_away(executor);
}

/* It does at once all that it does at all. */
static void process_pass(struct executor *executor, struct process *child) {
  struct process *sender = executor->running;
  double spawned_at = executor->spawned_at;
  child->turn_at = child->clock;
  executor->spawned_at = -1;
  executor->nest++;
  process_run(executor, child);
  executor->nest--;
  executor->spawned_at = spawned_at;
  executor->running = sender;
}

/* A process that a token starts, without a frame. */
static inline __attribute__((always_inline)) struct process *token_process(struct executor *executor, uint32_t instance,
                                                                           double time) {
  struct process *child = process_take(executor, instance, time), *sender = executor->running;
  if (executor->partition && partition_lacks(executor, instance))
    partition_give_up(executor, executor_span(executor), "a token goes from one instance to another");
  happens_later(executor, "a process begins", time);
  if (executor->causes) causes_begin(executor, child, CAUSE_TOKEN);
  process_queued_set(executor, child, process_has_queued(executor, sender));
  if (customer_of(executor, sender)) {
    customer_set(executor, child, customer_of(executor, sender));
    *child->response = steady_passes(executor, sender);
  }
  executor->events_done++;
  executor->starts++;
  return child;
}

struct process *token_begin(struct executor *executor, struct requester who, struct model_accept *accept,
                            uint32_t instance, const struct value *arguments, double time) {
  struct process *child = token_process(executor, instance, time);
  frame_push(executor, child, body_of_accept(executor, accept), instance, arguments, who.instance, who.accept, NULL);
  return child;
}

struct process *token_start(struct executor *executor, uint32_t sender, struct model_accept *requester,
                            struct body *body, uint32_t instance, double time) {
  struct process *child = token_process(executor, instance, time);
  frame_start(executor, child, body, sender, requester);
  return child;
}

bool token_queued(struct executor *executor, struct process *child, struct model_accept *accept) {
  struct process *setter = executor->setter;
  if (token_passes(executor, accept)) {
    stamp_set(executor, child, stamp_of(executor, setter));
    return false;
  }
  stamp_set(executor, child, stamp_next(executor, setter));
  child->answered = setter->answered;
  if (token_goes_ahead(executor, child, accept)) return false;
  child->begins = true;
  child->state = PROCESS_QUEUED;
  event_push(executor, child->clock, EVENT_PROCESS, stamp_of(executor, child), child->instance, child,
             child->generation);
  if (shuffled_away(executor)) executor->ahead = SENT;
  sent_ahead(executor);
  return true;
}

void token_run(struct executor *executor, struct process *child) {
  process_pass(executor, child);
  if (child->state == PROCESS_EVALUATOR) sent_ahead(executor);
}

void token_send(struct executor *executor, struct requester who, const struct model_request *request,
                struct target target, const struct value *arguments, double time) {
  struct model_accept *accept = executor->model->accepts[target.accept];
  const struct model_transaction *transaction = accept->transaction;
  if (executor->partition && partition_begins(executor, who.accept) && partition_lacks(executor, target.instance))
    return;
  if (token_starts(executor, accept)) {
    struct process *child = token_begin(executor, who, accept, target.instance, arguments, time);
    if (!token_queued(executor, child, accept)) token_run(executor, child);
    return;
  }
  if (executor->partition && !partition_begins(executor, who.accept))
    partition_give_up(executor, executor_span(executor), "tokens wait here for what others do");
  executor->events_done++;
  struct inbox *inbox = inbox_of(executor, accept, target.instance);
  bool first = false;
  happens_later(executor, "a token", time);
  uint32_t customer = customer_of(executor, executor->running);
  if (customer && steady_starts(executor, accept, target.instance)) customer = 0;
  double response = customer ? steady_passes(executor, executor->running) : 0;
  uint32_t cause = executor->causes
                       ? causes_note(executor, CAUSE_TOKEN, executor->running, executor->running->clock, INSTANCE_NONE)
                       : 0;
  for (uint32_t k = 0; k < transaction->param_count + inbox->full; k++) {
    if (!inbox->full && (k >= transaction->param_count || arguments[k].kind == VALUE_NONE)) continue;
    uint32_t count = inbox->full ? transaction->param_count : 1;
    struct token *token = slab_take(&executor->slabs, token_size(count));
    token->count = count;
    token->others = NULL;
    token->sent = (struct moment){time, stamp_next(executor, executor->setter)};
    token->edge = request->id;
    token->sender = who.instance;
    token->caller.instance = who.instance;
    token->caller.accept = who.accept;
    token->caller.cause = cause;
    token->customer = customer;
    token->response = response;
    token->queued = process_has_queued(executor, executor->running);
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
