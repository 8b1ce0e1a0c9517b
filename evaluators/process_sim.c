/* Process-Sim: where processes of a simulation wait for each other. It owns storages, events and mailboxes;
 * stdlib/processes.psl has the components that models use, whose bodies call these functions.
 *
 * A thing is known by the component instance whose body calls: that instance is the storage, the event, the
 * mailbox. Calls take effect in the order of virtual time, so each answers PSL_LATER until it is ordered. One
 * that has to wait is left in the thing's line and resumed by the call that ends its wait; where its patience
 * has an end it is also retried then, and so finds that it is still in line.
 *
 * Invariants: a storage has nobody in line whose amount is free and who is first; a mailbox holds messages or
 * processes in line, never both; an event that has occurred has nobody in line. */
#include "interp/include/evaluator.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What rounding may add to sums of amounts, as a part of the capacity. */
#define ROUNDING 1e-9

enum kind { STORAGE, EVENT, MAILBOX };
static const char *const kind_names[] = {"a storage", "an event", "a mailbox"};

struct waiter {
  struct waiter *next, *before; /* in its line; free list */
  struct thing *thing;
  struct line *line;
  uint32_t process;
  bool idle; /* may wait for ever */
  double amount, priority;
};
struct line { /* by priority, then as they came */
  struct waiter *first, *last;
  uint64_t count;
};
struct level { /* a number that changes in time */
  double value, most, integral, since;
};
struct thing {
  struct thing *next;
  uint32_t instance;
  enum kind kind;
  struct line line;   /* who waits for an amount, for the event, for a message */
  struct line queue;  /* EVENT: of whom one goes on at a time */
  struct level level; /* STORAGE: amount in use; MAILBOX: messages; EVENT: processes that wait */
  struct level waiting;
  double capacity;   /* STORAGE */
  bool occurred;     /* EVENT */
  uint64_t times;    /* allocated, set, sent */
  int64_t *messages; /* MAILBOX: a ring */
  uint64_t message_first, message_count, message_capacity;
};
struct state {
  struct psl_host *host;
  struct thing *things, **last_thing;
  struct thing **by_instance;
  uint32_t instance_capacity;
  struct waiter *free_waiters;
};

static void *process_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->last_thing = &s->things;
  return s;
}

static struct thing *thing_new(struct state *s, uint32_t instance, enum kind kind) {
  if (instance >= s->instance_capacity) {
    uint32_t capacity = s->instance_capacity ? s->instance_capacity : 64;
    while (capacity <= instance)
      capacity *= 2;
    struct thing **grown = s->host->allocate(s->host, capacity * sizeof(struct thing *));
    if (s->instance_capacity) memcpy(grown, s->by_instance, s->instance_capacity * sizeof(struct thing *));
    s->by_instance = grown;
    s->instance_capacity = capacity;
  }
  struct thing *thing = s->by_instance[instance] = s->host->allocate(s->host, sizeof *thing);
  thing->instance = instance;
  thing->kind = kind;
  *s->last_thing = thing;
  s->last_thing = &thing->next;
  return thing;
}

static enum psl_status failed(struct psl_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum psl_status failed(struct psl_call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  return PSL_FAILED;
}

static const char *name_of(const struct state *s, const struct psl_call *call) {
  return s->host->name(s->host, call->instance);
}

/* The caller's, made at its first call; NULL after an error: it is of another kind. */
static struct thing *thing_of(struct state *s, struct psl_call *call, enum kind kind) {
  struct thing *thing = call->instance < s->instance_capacity ? s->by_instance[call->instance] : NULL;
  if (!thing) return thing_new(s, call->instance, kind);
  if (thing->kind == kind) return thing;
  failed(call, "%s is used as %s, and has been as %s", name_of(s, call), kind_names[kind], kind_names[thing->kind]);
  return NULL;
}

/* ---- levels in time ---- */

static void level_set(struct level *level, double value, double clock) {
  level->integral += level->value * (clock - level->since);
  level->since = clock;
  level->value = value;
  if (value > level->most) level->most = value;
}

static double level_mean(const struct level *level, double end) {
  return end > 0 ? (level->integral + level->value * (end - level->since)) / end : 0;
}

/* ---- lines ---- */

static void line_enter(struct state *s, struct psl_call *call, struct thing *thing, struct line *line,
                       struct waiter like) {
  struct waiter *waiter = s->free_waiters, *before = line->last;
  if (waiter)
    s->free_waiters = waiter->next;
  else
    waiter = s->host->allocate(s->host, sizeof *waiter);
  *waiter = like;
  waiter->process = call->process;
  waiter->thing = thing;
  waiter->line = line;
  while (before && before->priority < waiter->priority)
    before = before->before;
  waiter->before = before;
  waiter->next = before ? before->next : line->first;
  *(before ? &before->next : &line->first) = waiter;
  *(waiter->next ? &waiter->next->before : &line->last) = waiter;
  line->count++;
  level_set(&thing->waiting, thing->waiting.value + 1, call->clock);
  call->memory = waiter;
}

static void line_leave(struct state *s, struct waiter *waiter, double clock) {
  struct line *line = waiter->line;
  *(waiter->before ? &waiter->before->next : &line->first) = waiter->next;
  *(waiter->next ? &waiter->next->before : &line->last) = waiter->before;
  line->count--;
  level_set(&waiter->thing->waiting, waiter->thing->waiting.value - 1, clock);
  waiter->thing = NULL;
  waiter->next = s->free_waiters;
  s->free_waiters = waiter;
}

static void line_resume(struct state *s, struct waiter *waiter, double clock, int64_t result) {
  uint32_t process = waiter->process;
  line_leave(s, waiter, clock);
  s->host->resume(s->host, process, clock, (union psl_argument){.integer = result});
}

/* Waits, with an end where `patience` is one (negative: none). */
static enum psl_status wait_in(struct state *s, struct psl_call *call, struct thing *thing, struct line *line,
                               double patience, struct waiter like) {
  line_enter(s, call, thing, line, like);
  if (patience >= 0) s->host->retry(s->host, call->process, call->clock + patience);
  return PSL_BLOCKED;
}

static bool patience_fits(struct psl_call *call, double patience) {
  if (patience >= 0 && isfinite(patience)) return true;
  failed(call, "a patience of %g s: it must be finite and not negative", patience);
  return false;
}

/* ---- storages ---- */

static bool storage_fits(const struct thing *storage, double amount) {
  return storage->level.value + amount <= storage->capacity * (1 + ROUNDING);
}

static void storage_take(struct thing *storage, double amount, double clock) {
  storage->times++;
  level_set(&storage->level, storage->level.value + amount, clock);
}

/* Nobody goes past the first in line. */
static void storage_serve(struct state *s, struct thing *storage, double clock) {
  for (struct waiter *first; (first = storage->line.first) && storage_fits(storage, first->amount);) {
    storage_take(storage, first->amount, clock);
    line_resume(s, first, clock, true);
  }
}

static enum psl_status storage_allocate(struct state *s, struct psl_call *call, double patience) {
  double amount = call->arguments[0].real, capacity = call->arguments[1].real;
  if (!call->ordered) return PSL_LATER;
  struct waiter *waiter = call->memory;
  if (waiter) { /* its patience has ended */
    struct thing *storage = waiter->thing;
    line_leave(s, waiter, call->clock);
    storage_serve(s, storage, call->clock);
    call->result.integer = false;
    return PSL_DONE;
  }
  struct thing *storage = thing_of(s, call, STORAGE);
  if (!storage) return PSL_FAILED;
  storage->capacity = capacity;
  if (!(capacity >= 0 && isfinite(capacity)))
    return failed(call, "%s has a capacity of %g", name_of(s, call), capacity);
  if (!(amount >= 0 && isfinite(amount)))
    return failed(call, "to allocate %g of %s: not a number from 0 up", amount, name_of(s, call));
  if (amount > capacity * (1 + ROUNDING))
    return failed(call, "to allocate %g of %s, whose capacity is %g: that would wait for ever", amount,
                  name_of(s, call), capacity);
  if (fabs(call->arguments[2].real) >= 0x1p53)
    return failed(call, "to allocate of %s with the priority %.17g: whole numbers are told apart below 2^53",
                  name_of(s, call), call->arguments[2].real);
  if (!storage->line.first && storage_fits(storage, amount)) {
    storage_take(storage, amount, call->clock);
    call->result.integer = true;
    return PSL_DONE;
  }
  struct waiter like = {.amount = amount, .priority = call->arguments[2].real};
  enum psl_status status = wait_in(s, call, storage, &storage->line, patience, like);
  storage_serve(s, storage, call->clock); /* a greater priority may go before one that wants too much */
  return status;
}

static enum psl_status allocate(void *state, struct psl_call *call) { return storage_allocate(state, call, -1); }

static enum psl_status timed_allocate(void *state, struct psl_call *call) {
  double patience = call->arguments[3].real;
  return patience_fits(call, patience) ? storage_allocate(state, call, patience) : PSL_FAILED;
}

static enum psl_status deallocate(void *state, struct psl_call *call) {
  struct state *s = state;
  double amount = call->arguments[0].real;
  if (!call->ordered) return PSL_LATER;
  struct thing *storage = thing_of(s, call, STORAGE);
  if (!storage) return PSL_FAILED;
  double left = storage->level.value - amount, least = storage->capacity * ROUNDING;
  if (!(amount >= 0 && isfinite(amount)))
    return failed(call, "to deallocate %g of %s: not a number from 0 up", amount, name_of(s, call));
  if (left < -least)
    return failed(call, "to deallocate %g of %s, of which %g is allocated", amount, name_of(s, call),
                  storage->level.value);
  level_set(&storage->level, left < least ? 0 : left, call->clock);
  storage_serve(s, storage, call->clock);
  return PSL_DONE;
}

static enum psl_status in_use(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *storage = thing_of(state, call, STORAGE);
  if (!storage) return PSL_FAILED;
  call->result.real = storage->level.value;
  return PSL_DONE;
}

/* ---- events ---- */

static enum psl_status event_await(struct state *s, struct psl_call *call, bool queued, double patience) {
  if (!call->ordered) return PSL_LATER;
  struct waiter *waiter = call->memory;
  call->result.integer = !waiter;
  if (waiter) {
    line_leave(s, waiter, call->clock);
    return PSL_DONE;
  }
  struct thing *event = thing_of(s, call, EVENT);
  if (!event) return PSL_FAILED;
  if (event->occurred) {
    event->occurred = false;
    return PSL_DONE;
  }
  struct waiter like = {.idle = patience < 0 && call->arguments[0].integer};
  return wait_in(s, call, event, queued ? &event->queue : &event->line, patience, like);
}

static enum psl_status wait_event(void *state, struct psl_call *call) { return event_await(state, call, false, -1); }
static enum psl_status queue_event(void *state, struct psl_call *call) { return event_await(state, call, true, -1); }
static enum psl_status timed_wait(void *state, struct psl_call *call) {
  double patience = call->arguments[0].real;
  return patience_fits(call, patience) ? event_await(state, call, false, patience) : PSL_FAILED;
}
static enum psl_status timed_queue(void *state, struct psl_call *call) {
  double patience = call->arguments[0].real;
  return patience_fits(call, patience) ? event_await(state, call, true, patience) : PSL_FAILED;
}

static enum psl_status set_event(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  struct thing *event = thing_of(s, call, EVENT);
  if (!event) return PSL_FAILED;
  event->times++;
  event->occurred = !event->line.first && !event->queue.first;
  while (event->line.first)
    line_resume(s, event->line.first, call->clock, true);
  if (event->queue.first) line_resume(s, event->queue.first, call->clock, true);
  return PSL_DONE;
}

static enum psl_status clear_event(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *event = thing_of(state, call, EVENT);
  if (!event) return PSL_FAILED;
  event->occurred = false;
  return PSL_DONE;
}

static enum psl_status occurred(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *event = thing_of(state, call, EVENT);
  if (!event) return PSL_FAILED;
  call->result.integer = event->occurred;
  return PSL_DONE;
}

/* ---- mailboxes ---- */

static void mailbox_put(struct state *s, struct thing *mailbox, int64_t message) {
  uint64_t capacity = mailbox->message_capacity;
  if (mailbox->message_count == capacity) {
    int64_t *grown = s->host->allocate(s->host, (capacity ? 2 * capacity : 16) * sizeof *grown);
    for (uint64_t i = 0; i < capacity; i++)
      grown[i] = mailbox->messages[(mailbox->message_first + i) & (capacity - 1)];
    mailbox->messages = grown;
    mailbox->message_first = 0;
    mailbox->message_capacity = capacity = capacity ? 2 * capacity : 16;
  }
  mailbox->messages[(mailbox->message_first + mailbox->message_count++) & (capacity - 1)] = message;
}

static enum psl_status send(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  struct thing *mailbox = thing_of(s, call, MAILBOX);
  if (!mailbox) return PSL_FAILED;
  mailbox->times++;
  if (mailbox->line.first) {
    line_resume(s, mailbox->line.first, call->clock, call->arguments[0].integer);
  } else {
    mailbox_put(s, mailbox, call->arguments[0].integer);
    level_set(&mailbox->level, mailbox->level.value + 1, call->clock);
  }
  return PSL_DONE;
}

static enum psl_status mailbox_receive(struct state *s, struct psl_call *call, double patience, int64_t otherwise,
                                       bool idle) {
  if (!call->ordered) return PSL_LATER;
  struct waiter *waiter = call->memory;
  if (waiter) {
    line_leave(s, waiter, call->clock);
    call->result.integer = otherwise;
    return PSL_DONE;
  }
  struct thing *mailbox = thing_of(s, call, MAILBOX);
  if (!mailbox) return PSL_FAILED;
  if (!mailbox->message_count)
    return wait_in(s, call, mailbox, &mailbox->line, patience, (struct waiter){.idle = idle});
  call->result.integer = mailbox->messages[mailbox->message_first];
  mailbox->message_first = (mailbox->message_first + 1) & (mailbox->message_capacity - 1);
  mailbox->message_count--;
  level_set(&mailbox->level, mailbox->level.value - 1, call->clock);
  return PSL_DONE;
}

static enum psl_status receive(void *state, struct psl_call *call) {
  return mailbox_receive(state, call, -1, 0, call->arguments[0].integer);
}

static enum psl_status timed_receive(void *state, struct psl_call *call) {
  double patience = call->arguments[0].real;
  if (!patience_fits(call, patience)) return PSL_FAILED;
  return mailbox_receive(state, call, patience, call->arguments[1].integer, false);
}

static enum psl_status messages(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *mailbox = thing_of(state, call, MAILBOX);
  if (!mailbox) return PSL_FAILED;
  call->result.integer = (int64_t)mailbox->message_count;
  return PSL_DONE;
}

/* ---- calls that are taken back ---- */

/* Who stands behind the first in line may be served when that one has left. */
static void process_cancel(void *state, uint32_t process, double clock, void *memory) {
  struct state *s = state;
  struct waiter *waiter = memory;
  (void)process;
  if (!waiter) return; /* it was still to be made in order */
  struct thing *thing = waiter->thing;
  line_leave(s, waiter, clock);
  if (thing->kind == STORAGE) storage_serve(s, thing, clock);
}

/* ---- what the report says ---- */

static struct psl_statistic row_of(struct state *s, const char *what, const char *name, double value, bool whole) {
  size_t size = strlen(what) + strlen(name) + 2;
  char *text = s->host->allocate(s->host, size);
  snprintf(text, size, "%s %s", what, name);
  return (struct psl_statistic){text, "", value, whole};
}

static size_t process_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  static const char *const texts[][2] = {
      {"allocations of", "mean in use of"}, {"settings of", NULL}, {"messages sent to", "mean messages in"}};
  struct state *s = state;
  double end = s->host->end(s->host);
  size_t count = 0;
  for (const struct thing *thing = s->things; thing && count + 3 <= capacity; thing = thing->next) {
    const char *name = s->host->name(s->host, thing->instance);
    double level = level_mean(&thing->level, end), waiting = level_mean(&thing->waiting, end);
    out[count++] = row_of(s, texts[thing->kind][0], name, (double)thing->times, true);
    if (texts[thing->kind][1]) out[count++] = row_of(s, texts[thing->kind][1], name, level, false);
    out[count++] = row_of(s, "mean number that wait at", name, waiting, false);
  }
  return count;
}

static const struct waiter *waiter_of(const struct line *line, uint32_t process) {
  const struct waiter *waiter = line->first;
  while (waiter && waiter->process != process)
    waiter = waiter->next;
  return waiter;
}

static void process_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  const struct waiter *waiter = NULL;
  const struct thing *thing = s->things;
  (void)other; /* anybody may end the wait */
  for (; thing; thing = thing->next)
    if ((waiter = waiter_of(&thing->line, process)) || (waiter = waiter_of(&thing->queue, process))) break;
  if (!waiter) return;
  const char *name = s->host->name(s->host, thing->instance);
  if (waiter->idle)
    *out = 0;
  else if (thing->kind == STORAGE)
    snprintf(out, size, "for %g of %s, of which %g is free%s", waiter->amount, name,
             thing->capacity - thing->level.value, waiter->before ? ", behind others" : "");
  else if (thing->kind == EVENT)
    snprintf(out, size, "for %s to be set", name);
  else
    snprintf(out, size, "for a message in %s", name);
}

static const struct psl_evaluator_function functions[] = {
    {.name = "allocate",
     .signature = "(amount : real, capacity : real, priority : real = 0)",
     .kind = PSL_CALL,
     .call = allocate,
     .doc = "Takes an amount of the storage, waiting for it behind those that came before. Errors: an amount "
            "that is negative or above the capacity."},
    {.name = "timed-allocate",
     .signature = "(amount : real, capacity : real, priority : real, patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_allocate,
     .doc = "The same; false where it has waited that long in vain."},
    {.name = "deallocate",
     .signature = "(amount : real)",
     .kind = PSL_CALL,
     .call = deallocate,
     .doc = "Gives an amount back. Errors: an amount that is negative or more than is allocated."},
    {.name = "in-use",
     .signature = "() -> real",
     .kind = PSL_CALL,
     .call = in_use,
     .doc = "The amount that is allocated."},
    {.name = "wait",
     .signature = "(idle : bool = false)",
     .kind = PSL_CALL,
     .call = wait_event,
     .doc = "Goes on when the event has occurred, which it then no longer has."},
    {.name = "queue",
     .signature = "(idle : bool = false)",
     .kind = PSL_CALL,
     .call = queue_event,
     .doc = "The same; of those that queue one goes on each time."},
    {.name = "timed-wait",
     .signature = "(patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_wait,
     .doc = "Waits; false where the event has not occurred by then."},
    {.name = "timed-queue",
     .signature = "(patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_queue,
     .doc = "Queues; false where its turn has not come by then."},
    {.name = "set",
     .signature = "()",
     .kind = PSL_CALL,
     .call = set_event,
     .doc = "The event occurs: all that wait and the first that queues go on; where nobody does it stays "
            "occurred."},
    {.name = "clear", .signature = "()", .kind = PSL_CALL, .call = clear_event, .doc = "The event has not occurred."},
    {.name = "occurred", .signature = "() -> bool", .kind = PSL_CALL, .call = occurred, .doc = "Has it?"},
    {.name = "send",
     .signature = "(message : int)",
     .kind = PSL_CALL,
     .call = send,
     .doc = "Puts a message into the mailbox, for the first that waits there."},
    {.name = "receive",
     .signature = "(idle : bool = false) -> int",
     .kind = PSL_CALL,
     .call = receive,
     .doc = "Takes the first message, waiting for one."},
    {.name = "timed-receive",
     .signature = "(patience : time, otherwise : int) -> int",
     .kind = PSL_CALL,
     .call = timed_receive,
     .doc = "The same; `otherwise` where none has come by then."},
    {.name = "messages",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = messages,
     .doc = "How many messages wait."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {{NULL}};

const struct psl_evaluator process_sim_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Process-Sim",
    .revision = "1",
    .doc = "Storages, events and mailboxes of processes.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = process_open,
    .statistics = process_statistics,
    .explain_wait = process_explain_wait,
    .cancel = process_cancel,
};
