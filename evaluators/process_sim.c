/* Process-Sim: where processes of a simulation wait for each other. It owns storages, containers, facilities, events
 * and mailboxes, sets of the last two, and stores; stdlib/processes.psl has the components that models use, whose
 * bodies call these functions.
 *
 * A thing is known by the component instance whose body calls: that instance is the storage, the event, the
 * mailbox. Calls take effect in the order of virtual time, so each answers PSL_LATER until it is ordered. One
 * that has to wait is left in the thing's line and resumed by the call that ends its wait; where its patience
 * has an end it is also retried then, and so finds that it is still in line. Of those that are cancelled at one time
 * all leave their lines before anybody behind them is served.
 *
 * Invariants: a storage has nobody in line whose amount is free and who is first; a container nobody who is first of
 * those that get, or that put, and could; a mailbox holds messages or processes in line, never both, and a store no
 * item that somebody waits for; an event that has occurred has nobody in line. */
#include "evaluators/amount.h"
#include "evaluators/caller.h"
#include "evaluators/level.h"
#include "evaluators/shelf.h"
#include <inttypes.h>
#include <math.h>

enum { MEMBERS = 1 << 20 }; /* of a set, at most */

enum kind { STORAGE, CONTAINER, FACILITY, EVENT, EVENT_SET, MAILBOX, MAILBOX_SET, STORE };
static const char *const kind_names[] = {"a storage",       "a container", "a facility",         "an event",
                                         "a set of events", "a mailbox",   "a set of mailboxes", "a store"};

/* What is drawn over time. */
static const char *const level_names[] = {[STORAGE] = "in use",   [CONTAINER] = "level",      [FACILITY] = "reserved",
                                          [MAILBOX] = "messages", [MAILBOX_SET] = "messages", [STORE] = "items"};

struct thing_item { /* a message, or what is in a store */
  struct item item;
  struct thing_item *next, *before; /* MAILBOX_SET: among all, as they were sent; next: free list */
  struct member *member;            /* it is among what that has; NULL: it waits for room */
  struct waiter *sender;            /* who waits until it is received, or NULL */
  double priority;
};
struct waiter {
  struct wish wish;    /* for an item; its place is in any line */
  struct waiter *next; /* free list */
  struct thing *thing;
  struct line *line;       /* NULL: that of a shelf */
  struct member *member;   /* whose item he wants, or any one where the thing is a set */
  struct thing_item *item; /* that it wants to be received, or to put */
  struct class *class;     /* FACILITY */
  uint32_t process;
  bool idle; /* may wait for ever */
  bool any;  /* for any member of a set: it is told which */
  double amount, priority, since;
};
struct class { /* of those that reserve */
  struct class *next;
  const char *name;
  struct level level; /* servers that they have */
  uint64_t served;
  double waited;
};
struct member {            /* of a set; an event, a mailbox or a store has one */
  struct line line, queue; /* who waits for it, and who waits to put or is one to go on at a time */
  struct shelf shelf;      /* MAILBOX, STORE */
};
struct thing {
  struct thing *next;
  uint32_t instance;
  enum kind kind;
  struct line line;     /* who waits for an amount, a server, or for any member */
  struct line queue;    /* CONTAINER: who waits to put; EVENT_SET: of whom one goes on at a time */
  struct amount amount; /* STORAGE, FACILITY: in use; CONTAINER: there */
  struct level level;   /* of that in time; of messages; of items */
  struct level waiting; /* processes */
  double capacity;      /* STORAGE, CONTAINER, FACILITY, STORE */
  struct thing *next_left;
  bool left;
  uint64_t times; /* allocated, put, released, set, sent */
  double from;    /* the figures are of the time from then on */
  struct member *members;
  uint32_t member_count;
  uint64_t *occurred;                        /* EVENT, EVENT_SET: a bit a member, */
  uint64_t *some;                            /* and one for each word of these that is not 0 */
  struct thing_item *sent_first, *sent_last; /* MAILBOX_SET */
  struct class *classes, **last_class;       /* FACILITY: the first one has no name, and all are of it */
};
struct state {
  struct psl_host *host;
  struct thing *things, **last_thing;
  struct thing **by_instance;
  uint32_t instance_capacity;
  struct shelves shelves;
  struct waiter *free_waiters;
  struct thing_item *free_items;
  struct waiter **waiting; /* by process: who waits; NULL */
  uint32_t process_capacity;
  struct thing *left_first, *left_last; /* whose lines some have left, and nobody has been served there since */
  bool serving;                         /* these */
  uint64_t order;                       /* of the next that comes */
};

static void *process_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = s->shelves.host = s->shelves.ranks.host = host;
  s->last_thing = &s->things;
  return s;
}

/* ---- levels in time ---- */

static void level_open(struct state *s, struct level *level, uint32_t instance, const char *name) {
  level->drawn = s->host->level_open(s->host, instance, name);
  level->draw = s->host->level;
  level_set(level, 0, 0);
}

/* ---- things ---- */

static struct waiter **waiting_of(struct state *s, uint32_t process) {
  s->waiting = reached(s->host, s->waiting, &s->process_capacity, process);
  return &s->waiting[process];
}

static struct thing *thing_new(struct state *s, uint32_t instance, enum kind kind) {
  s->by_instance = reached(s->host, s->by_instance, &s->instance_capacity, instance);
  struct thing *thing = s->by_instance[instance] = s->host->allocate(s->host, sizeof *thing);
  thing->instance = instance;
  thing->kind = kind;
  if (level_names[kind]) level_open(s, &thing->level, instance, level_names[kind]);
  level_open(s, &thing->waiting, instance, "waiting");
  *s->last_thing = thing;
  s->last_thing = &thing->next;
  return thing;
}

static void figures_begin(struct thing *thing, double clock) {
  thing->from = clock;
  thing->times = 0;
  level_restart(&thing->level, clock);
  level_restart(&thing->waiting, clock);
  for (struct class *class = thing->classes; class; class = class->next) {
    class->served = 0;
    class->waited = 0;
    level_restart(&class->level, clock);
  }
}

/* Before anything happens to it at that time. */
static void warm_up_look(const struct state *s, struct thing *thing, double clock) {
  double end = s->host->begin;
  if (thing->from < end && clock >= end) figures_begin(thing, end);
}

/* The caller's, made at its first call; NULL after an error: it is of another kind. */
static struct thing *thing_of(struct state *s, struct psl_call *call, enum kind kind) {
  struct thing *thing = call->instance < s->instance_capacity ? s->by_instance[call->instance] : NULL;
  if (!thing) thing = thing_new(s, call->instance, kind);
  if (call->ordered) warm_up_look(s, thing, call->clock);
  if (thing->kind == kind) return thing;
  psl_failed(call, "%s is used as %s, and has been as %s", name_of(s->host, call), kind_names[kind],
             kind_names[thing->kind]);
  return NULL;
}

/* The same of one with members; of what is no set there is one. */
static struct thing *thing_with(struct state *s, struct psl_call *call, enum kind kind, int64_t size) {
  struct thing *thing = thing_of(s, call, kind);
  if (!thing || (thing->member_count && thing->member_count == size)) return thing;
  if (thing->member_count) {
    psl_failed(call, "%s has %" PRIu32 " members, and %" PRId64 " here", name_of(s->host, call), thing->member_count,
               size);
    return NULL;
  }
  if (size < 1 || size > MEMBERS) {
    psl_failed(call, "%s has %" PRId64 " members: 1 to %d can be", name_of(s->host, call), size, MEMBERS);
    return NULL;
  }
  thing->members = s->host->allocate(s->host, (size_t)size * sizeof *thing->members);
  thing->member_count = (uint32_t)size;
  if (kind != EVENT && kind != EVENT_SET) return thing;
  thing->occurred = s->host->allocate(s->host, ((size_t)size / 64 + 1) * sizeof *thing->occurred);
  thing->some = s->host->allocate(s->host, ((size_t)size / 4096 + 1) * sizeof *thing->some);
  return thing;
}

static bool has_occurred(const struct thing *set, const struct member *member) {
  size_t number = (size_t)(member - set->members);
  return set->occurred[number / 64] >> number % 64 & 1;
}

static void occurred_set(struct thing *set, const struct member *member, bool occurred) {
  size_t number = (size_t)(member - set->members), word = number / 64;
  uint64_t bit = UINT64_C(1) << number % 64, some = UINT64_C(1) << word % 64;
  set->occurred[word] = occurred ? set->occurred[word] | bit : set->occurred[word] & ~bit;
  set->some[word / 64] = set->occurred[word] ? set->some[word / 64] | some : set->some[word / 64] & ~some;
}

/* The member of the least number that has occurred; NULL: none has. */
static struct member *first_occurred(const struct thing *set) {
  size_t k = 0, end = set->member_count / 4096 + 1;
  while (k < end && !set->some[k])
    k++;
  if (k == end) return NULL;
  size_t word = 64 * k + (size_t)__builtin_ctzll(set->some[k]);
  return &set->members[64 * word + (size_t)__builtin_ctzll(set->occurred[word])];
}

static struct thing *event_of(struct state *s, struct psl_call *call) { return thing_with(s, call, EVENT, 1); }
static struct thing *mailbox_of(struct state *s, struct psl_call *call) { return thing_with(s, call, MAILBOX, 1); }

/* NULL after an error. */
static struct member *member_of(struct state *s, struct psl_call *call, struct thing *set, int64_t number) {
  if (!set) return NULL;
  if (number >= 0 && number < set->member_count) return &set->members[number];
  psl_failed(call, "%s has no member %" PRId64 ": they are 0 to %" PRIu32, name_of(s->host, call), number,
             set->member_count - 1);
  return NULL;
}

/* ---- lines ---- */

static struct waiter *first_of(const struct line *line) { return (struct waiter *)(void *)line->first; }

static void wait_enter(struct state *s, struct psl_call *call, struct thing *thing, struct line *line,
                       struct waiter like) {
  struct waiter *waiter = s->free_waiters;
  if (waiter)
    s->free_waiters = waiter->next;
  else
    waiter = s->host->allocate(s->host, sizeof *waiter);
  *waiter = like;
  waiter->process = call->process;
  waiter->thing = thing;
  waiter->line = line;
  waiter->since = call->clock;
  waiter->wish.condition = s->host->keep(s->host, like.wish.condition);
  waiter->wish.order = s->order++;
  if (waiter->item) waiter->item->sender = waiter;
  if (line)
    line_enter(&s->shelves.ranks, line, &waiter->wish.place, waiter->priority);
  else
    shelf_want(&s->shelves, &waiter->member->shelf, &waiter->wish);
  *waiting_of(s, call->process) = waiter;
  level_set(&thing->waiting, thing->waiting.value + 1, call->clock);
  call->memory = waiter;
}

static void wait_leave(struct state *s, struct waiter *waiter, double clock) {
  if (waiter->line)
    line_leave(&s->shelves.ranks, waiter->line, &waiter->wish.place);
  else
    shelf_unwant(&s->shelves, &waiter->member->shelf, &waiter->wish);
  s->host->drop(s->host, waiter->wish.condition);
  *waiting_of(s, waiter->process) = NULL;
  level_set(&waiter->thing->waiting, waiter->thing->waiting.value - 1, clock);
  waiter->thing = NULL;
  waiter->next = s->free_waiters;
  s->free_waiters = waiter;
}

/* Has it waited to get something, or to put it? */
static bool passes_items(const struct waiter *waiter) {
  enum kind kind = waiter->thing->kind;
  return kind == CONTAINER || kind == STORE || kind == MAILBOX || kind == MAILBOX_SET;
}

static enum psl_partner partner_of(const struct waiter *waiter) {
  return waiter->item || waiter->line == &waiter->thing->queue ? PSL_WAIT_TO_PUT : PSL_WAIT_TO_GET;
}

static void wait_told(struct state *s, const struct waiter *waiter, double clock) {
  if (passes_items(waiter)) s->host->waited(s->host, waiter->process, partner_of(waiter), clock, 0);
}

static void wait_resume_with(struct state *s, struct waiter *waiter, double clock, union psl_argument result) {
  uint32_t process = waiter->process;
  wait_told(s, waiter, clock);
  wait_leave(s, waiter, clock);
  s->host->resume(s->host, process, clock, result);
}

static void wait_resume(struct state *s, struct waiter *waiter, double clock, int64_t result) {
  wait_resume_with(s, waiter, clock, (union psl_argument){.integer = result});
}

/* Of those that are first in two lines, who came first; NULL: both are empty. */
static struct waiter *earlier(const struct line *a, const struct line *b) {
  if (!a->first || !b->first) return first_of(a->first ? a : b);
  return first_of(a)->wish.order < first_of(b)->wish.order ? first_of(a) : first_of(b);
}

/* Would nobody in the line stand before one of this priority? */
static bool goes_first(const struct line *line, double priority) {
  return !line->first || first_of(line)->priority < priority;
}

/* Waits, with an end where `patience` is one (negative: none). */
static enum psl_status wait_in(struct state *s, struct psl_call *call, struct thing *thing, struct line *line,
                               double patience, struct waiter like) {
  wait_enter(s, call, thing, line, like);
  if (patience >= 0) s->host->retry(s->host, call->process, call->clock + patience);
  return PSL_BLOCKED;
}

static bool patience_fits(struct psl_call *call, double patience) {
  if (patience >= 0 && isfinite(patience)) return true;
  psl_failed(call, "a patience of %g s: it must be finite and not negative", patience);
  return false;
}

static bool priority_fits(struct state *s, struct psl_call *call, const char *what, double priority) {
  if (fabs(priority) < 0x1p53) return true;
  psl_failed(call, "to %s %s with the priority %.17g: whole numbers are told apart below 2^53", what,
             name_of(s->host, call), priority);
  return false;
}

/* ---- items: messages, and what is in stores ---- */

static struct thing_item *item_new(struct state *s, struct psl_value value, double priority) {
  struct thing_item *item = s->free_items;
  if (item)
    s->free_items = item->next;
  else
    item = s->host->allocate(s->host, sizeof *item);
  *item = (struct thing_item){.item = {.value = s->host->keep(s->host, value)}, .priority = priority};
  return item;
}

static void item_free(struct state *s, struct thing_item *item) {
  s->host->drop(s->host, item->item.value);
  item->next = s->free_items;
  s->free_items = item;
}

static void item_put(struct state *s, struct thing *thing, struct member *member, struct thing_item *item,
                     double clock) {
  item->member = member;
  shelf_put(&s->shelves, &member->shelf, &item->item, item->priority);
  level_set(&thing->level, thing->level.value + 1, clock);
  if (thing->kind != MAILBOX_SET) return;
  item->before = thing->sent_last;
  item->next = NULL;
  *(thing->sent_last ? &thing->sent_last->next : &thing->sent_first) = item;
  thing->sent_last = item;
}

/* It is gone from there; item_free ends it. */
static void item_take(struct state *s, struct thing *thing, struct thing_item *item, double clock) {
  shelf_take(&s->shelves, &item->member->shelf, &item->item);
  level_set(&thing->level, thing->level.value - 1, clock);
  if (thing->kind != MAILBOX_SET) return;
  *(item->before ? &item->before->next : &thing->sent_first) = item->next;
  *(item->next ? &item->next->before : &thing->sent_last) = item->before;
}

/* What whoever gets the item is given: itself, or the record of a member's number and it. */
static union psl_argument item_given(struct state *s, const struct thing *thing, const struct member *member,
                                     struct psl_value value, bool any) {
  union psl_argument given = {.value = value};
  if (!any) return given;
  struct psl_value both[] = {s->host->whole(s->host, member - thing->members), value};
  given.value = s->host->record(s->host, both, 2);
  return given;
}

/* Who has come first of those that wait for such an item; NULL: nobody does. */
static struct waiter *item_wanted(struct state *s, const struct thing *thing, const struct member *member,
                                  struct psl_value value) {
  return (struct waiter *)(void *)shelf_who(&s->shelves, &member->shelf, &thing->line, value);
}

/* It goes to one that waits for it. */
static void item_hand(struct state *s, const struct thing *thing, const struct member *member, struct waiter *waiter,
                      struct psl_value value, double clock) {
  wait_resume_with(s, waiter, clock, item_given(s, thing, member, value, waiter->any));
}

/* ---- who leaves a line in vain ---- */

static void storage_serve(struct state *s, struct thing *storage, double clock);
static void container_serve(struct state *s, struct thing *container, double clock);

/* What he has brought goes with him. */
static void leave_early(struct state *s, struct waiter *waiter, double clock) {
  struct thing *thing = waiter->thing;
  struct thing_item *item = waiter->item;
  wait_leave(s, waiter, clock);
  if (!item) return;
  if (item->member) item_take(s, thing, item, clock);
  item_free(s, item);
}

/* Who stood behind one that has left the line. */
static void left_serve(struct state *s, struct thing *thing, double clock) {
  if (thing->kind == STORAGE)
    storage_serve(s, thing, clock);
  else if (thing->kind == CONTAINER)
    container_serve(s, thing, clock);
}

/* The end of a patience: the call in hand gives false. */
static enum psl_status patience_ends(struct state *s, struct psl_call *call) {
  struct waiter was = *(struct waiter *)call->memory;
  leave_early(s, call->memory, call->clock);
  left_serve(s, was.thing, call->clock);
  wait_told(s, &was, call->clock); /* the last word: others have been resumed */
  call->result.integer = false;
  return PSL_DONE;
}

/* ---- storages and facilities: what is taken and given back ---- */

static bool storage_fits(const struct thing *storage, double amount) {
  return !amount_passes(&storage->amount, amount, storage->capacity);
}

static void storage_take(struct thing *storage, const struct waiter *waiter, double waited, double clock) {
  amount_add(&storage->amount, waiter->amount, storage->capacity);
  level_set(&storage->level, storage->amount.value, clock);
  if (storage->kind == STORAGE) storage->times++;
  if (!waiter->class) return;
  struct class *all = storage->classes;
  for (struct class *class = waiter->class; class; class = class == all ? NULL : all) {
    class->served++;
    class->waited += waited;
    level_set(&class->level, class->level.value + 1, clock);
  }
}

/* Nobody goes past the first in line. */
static void storage_serve(struct state *s, struct thing *storage, double clock) {
  for (struct waiter *first; (first = first_of(&storage->line)) && storage_fits(storage, first->amount);) {
    storage_take(storage, first, clock - first->since, clock);
    wait_resume(s, first, clock, true);
  }
}

static enum psl_status storage_wait(struct state *s, struct psl_call *call, struct thing *storage, double patience,
                                    struct waiter like) {
  if (goes_first(&storage->line, like.priority) && storage_fits(storage, like.amount)) {
    storage_take(storage, &like, 0, call->clock);
    call->result.integer = true;
    return PSL_DONE;
  }
  wait_in(s, call, storage, &storage->line, patience, like);
  storage_serve(s, storage, call->clock); /* the capacity may be another one */
  return PSL_BLOCKED;
}

static bool amount_fits(struct state *s, struct psl_call *call, const char *what, double amount, double capacity) {
  if (!(capacity >= 0 && isfinite(capacity)))
    psl_failed(call, "%s has a capacity of %g", name_of(s->host, call), capacity);
  else if (!(amount >= 0 && isfinite(amount)))
    psl_failed(call, "to %s %s: not a number from 0 up", what, name_of(s->host, call));
  else if (amount_passes(&(struct amount){amount, 0, 0}, 0, capacity))
    psl_failed(call, "to %s %s, whose capacity is %g: that would wait for ever", what, name_of(s->host, call),
               capacity);
  else
    return true;
  return false;
}

static enum psl_status storage_allocate(struct state *s, struct psl_call *call, double patience) {
  double amount = call->arguments[0].real, capacity = call->arguments[1].real;
  char what[60];
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return patience_ends(s, call);
  struct thing *storage = thing_of(s, call, STORAGE);
  if (!storage) return PSL_FAILED;
  snprintf(what, sizeof what, "allocate %g of", amount);
  if (!amount_fits(s, call, what, amount, capacity) || !priority_fits(s, call, "allocate of", call->arguments[2].real))
    return PSL_FAILED;
  storage->capacity = capacity;
  return storage_wait(s, call, storage, patience,
                      (struct waiter){.amount = amount, .priority = call->arguments[2].real});
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
  if (!(amount >= 0 && isfinite(amount)))
    return psl_failed(call, "to deallocate %g of %s: not a number from 0 up", amount, name_of(s->host, call));
  if (amount_lacks(&storage->amount, amount))
    return psl_failed(call, "to deallocate %g of %s, of which %g is allocated", amount, name_of(s->host, call),
                      storage->level.value);
  amount_take(&storage->amount, amount);
  level_set(&storage->level, storage->amount.value, call->clock);
  storage_serve(s, storage, call->clock);
  return PSL_DONE;
}

static enum psl_status level_asked(struct state *s, struct psl_call *call, enum kind kind) {
  if (!call->ordered) return PSL_LATER;
  struct thing *thing = thing_of(s, call, kind);
  if (!thing) return PSL_FAILED;
  call->result.real = thing->level.value;
  return PSL_DONE;
}

/* The same of what is counted. */
static enum psl_status number_asked(struct state *s, struct psl_call *call, enum kind kind) {
  enum psl_status status = level_asked(s, call, kind);
  if (status == PSL_DONE) call->result.integer = (int64_t)call->result.real;
  return status;
}

static enum psl_status in_use(void *state, struct psl_call *call) { return level_asked(state, call, STORAGE); }

static struct class *class_of(struct state *s, struct thing *facility, const char *name) {
  if (!facility->last_class) facility->last_class = &facility->classes;
  for (struct class *class = facility->classes; class; class = class->next)
    if (strcmp(class->name, name) == 0) return class;
  struct class *class = *facility->last_class = s->host->allocate(s->host, sizeof *class);
  char *copy = s->host->allocate(s->host, strlen(name) + 1);
  class->name = strcpy(copy, name);
  facility->last_class = &class->next;
  return class;
}

static enum psl_status facility_reserve(struct state *s, struct psl_call *call, double patience) {
  int64_t servers = call->arguments[0].integer;
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return patience_ends(s, call);
  struct thing *facility = thing_of(s, call, FACILITY);
  if (!facility || !priority_fits(s, call, "reserve", call->arguments[1].real)) return PSL_FAILED;
  if (servers < 1)
    return psl_failed(call, "%s has %" PRId64 " servers: at least one is wanted", name_of(s->host, call), servers);
  facility->capacity = (double)servers;
  class_of(s, facility, "");
  struct class *class = class_of(s, facility, call->arguments[2].string);
  return storage_wait(s, call, facility, patience,
                      (struct waiter){.amount = 1, .priority = call->arguments[1].real, .class = class});
}

static enum psl_status reserve(void *state, struct psl_call *call) { return facility_reserve(state, call, -1); }

static enum psl_status timed_reserve(void *state, struct psl_call *call) {
  double patience = call->arguments[3].real;
  return patience_fits(call, patience) ? facility_reserve(state, call, patience) : PSL_FAILED;
}

static enum psl_status release(void *state, struct psl_call *call) {
  struct state *s = state;
  const char *name = call->arguments[0].string;
  if (!call->ordered) return PSL_LATER;
  struct thing *facility = thing_of(s, call, FACILITY);
  if (!facility) return PSL_FAILED;
  class_of(s, facility, "");
  struct class *all = facility->classes, *of = class_of(s, facility, name);
  double unnamed = all->level.value; /* of no class: all but those of the others */
  for (const struct class *class = all->next; class && of == all; class = class->next)
    unnamed -= class->level.value;
  if (!((of == all ? unnamed : of->level.value) > 0))
    return psl_failed(call, "to release %s: no server is reserved%s%.80s", name_of(s->host, call),
                      of == all ? "" : " by class ", name);
  for (struct class *class = of; class; class = class == all ? NULL : all)
    level_set(&class->level, class->level.value - 1, call->clock);
  facility->times++;
  amount_take(&facility->amount, 1);
  level_set(&facility->level, facility->amount.value, call->clock);
  storage_serve(s, facility, call->clock);
  return PSL_DONE;
}

static enum psl_status reserved(void *state, struct psl_call *call) { return number_asked(state, call, FACILITY); }

/* ---- containers: who puts waits, too ---- */

static bool container_puts(struct thing *container, double amount, double clock) {
  if (amount_passes(&container->amount, amount, container->capacity)) return false;
  container->times++;
  amount_add(&container->amount, amount, container->capacity);
  level_set(&container->level, container->amount.value, clock);
  return true;
}

static bool container_gets(struct thing *container, double amount, double clock) {
  if (amount_lacks(&container->amount, amount)) return false;
  amount_take(&container->amount, amount);
  level_set(&container->level, container->amount.value, clock);
  return true;
}

/* Those that get first, until nobody can. */
static void container_serve(struct state *s, struct thing *container, double clock) {
  for (;;) {
    struct waiter *get = first_of(&container->line), *put = first_of(&container->queue);
    if (get && container_gets(container, get->amount, clock))
      wait_resume(s, get, clock, true);
    else if (put && container_puts(container, put->amount, clock))
      wait_resume(s, put, clock, true);
    else
      return;
  }
}

/* The caller's, with its capacity, and its initial level at first; NULL after an error. */
static struct thing *container_of(struct state *s, struct psl_call *call, double capacity, double initial) {
  bool fresh = call->instance >= s->instance_capacity || !s->by_instance[call->instance];
  struct thing *container = thing_of(s, call, CONTAINER);
  if (!container) return NULL;
  container->capacity = capacity;
  if (!fresh) return container;
  container->amount = (struct amount){initial, 0, doubt_of(initial)};
  level_set(&container->level, initial, 0);
  if (initial >= 0 && initial <= capacity) return container;
  psl_failed(call, "%s begins with %g: from 0 up to its capacity, %g, can be in it", name_of(s->host, call), initial,
             capacity);
  return NULL;
}

static enum psl_status container_change(struct state *s, struct psl_call *call, bool puts, double patience, bool idle) {
  double amount = call->arguments[0].real, capacity = call->arguments[1].real, priority = call->arguments[3].real;
  char what[60];
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return patience_ends(s, call);
  snprintf(what, sizeof what, puts ? "put %g into" : "get %g from", amount);
  if (!amount_fits(s, call, what, amount, capacity) ||
      !priority_fits(s, call, puts ? "put into" : "get from", priority))
    return PSL_FAILED;
  struct thing *container = container_of(s, call, capacity, call->arguments[2].real);
  if (!container) return PSL_FAILED;
  struct line *line = puts ? &container->queue : &container->line;
  if (goes_first(line, priority) && (puts ? container_puts : container_gets)(container, amount, call->clock)) {
    call->result.integer = true;
    container_serve(s, container, call->clock);
    return PSL_DONE;
  }
  wait_in(s, call, container, line, patience, (struct waiter){.amount = amount, .priority = priority, .idle = idle});
  container_serve(s, container, call->clock); /* the capacity may be another one */
  return PSL_BLOCKED;
}

static enum psl_status put_amount(void *state, struct psl_call *call) {
  return container_change(state, call, true, -1, call->arguments[4].integer);
}
static enum psl_status get_amount(void *state, struct psl_call *call) {
  return container_change(state, call, false, -1, call->arguments[4].integer);
}
static enum psl_status timed_put_amount(void *state, struct psl_call *call) {
  double patience = call->arguments[4].real;
  return patience_fits(call, patience) ? container_change(state, call, true, patience, false) : PSL_FAILED;
}
static enum psl_status timed_get_amount(void *state, struct psl_call *call) {
  double patience = call->arguments[4].real;
  return patience_fits(call, patience) ? container_change(state, call, false, patience, false) : PSL_FAILED;
}

static enum psl_status amount_held(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *container = container_of(state, call, call->arguments[0].real, call->arguments[1].real);
  if (!container) return PSL_FAILED;
  call->result.real = container->level.value;
  return PSL_DONE;
}

/* ---- events ---- */

/* Waits for the member, or for any where there is none. */
static enum psl_status event_await(struct state *s, struct psl_call *call, struct thing *set, struct member *member,
                                   bool queued, bool stays, bool idle, double patience) {
  struct member *occurred = member ? member : first_occurred(set);
  if (occurred && has_occurred(set, occurred)) {
    occurred_set(set, occurred, stays);
    call->result.integer = member ? true : occurred - set->members;
    return PSL_DONE;
  }
  struct waiter like = {.idle = patience < 0 && idle, .any = !member};
  struct line *line = member ? (queued ? &member->queue : &member->line) : queued ? &set->queue : &set->line;
  return wait_in(s, call, set, line, patience, like);
}

/* It has not come by the end of the patience. */
static enum psl_status event_missed(struct state *s, struct psl_call *call, struct waiter *waiter) {
  call->result.integer = waiter->any ? -1 : false;
  wait_leave(s, waiter, call->clock);
  return PSL_DONE;
}

static enum psl_status event_alone(struct state *s, struct psl_call *call, bool queued, double patience) {
  bool stays = call->arguments[1].integer, idle = patience < 0 && call->arguments[0].integer;
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return event_missed(s, call, call->memory);
  struct thing *event = event_of(s, call);
  return event ? event_await(s, call, event, event->members, queued, stays, idle, patience) : PSL_FAILED;
}

static enum psl_status wait_event(void *state, struct psl_call *call) { return event_alone(state, call, false, -1); }
static enum psl_status queue_event(void *state, struct psl_call *call) { return event_alone(state, call, true, -1); }
static enum psl_status timed_wait(void *state, struct psl_call *call) {
  double patience = call->arguments[0].real;
  return patience_fits(call, patience) ? event_alone(state, call, false, patience) : PSL_FAILED;
}
static enum psl_status timed_queue(void *state, struct psl_call *call) {
  double patience = call->arguments[0].real;
  return patience_fits(call, patience) ? event_alone(state, call, true, patience) : PSL_FAILED;
}

static enum psl_status event_any(struct state *s, struct psl_call *call, bool queued, double patience) {
  bool stays = call->arguments[1].integer, idle = patience < 0 && call->arguments[2].integer;
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return event_missed(s, call, call->memory);
  struct thing *set = thing_with(s, call, EVENT_SET, call->arguments[0].integer);
  return set ? event_await(s, call, set, NULL, queued, stays, idle, patience) : PSL_FAILED;
}

static enum psl_status wait_any(void *state, struct psl_call *call) { return event_any(state, call, false, -1); }
static enum psl_status queue_any(void *state, struct psl_call *call) { return event_any(state, call, true, -1); }
static enum psl_status timed_wait_any(void *state, struct psl_call *call) {
  double patience = call->arguments[2].real;
  return patience_fits(call, patience) ? event_any(state, call, false, patience) : PSL_FAILED;
}
static enum psl_status timed_queue_any(void *state, struct psl_call *call) {
  double patience = call->arguments[2].real;
  return patience_fits(call, patience) ? event_any(state, call, true, patience) : PSL_FAILED;
}

static enum psl_status wait_member(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  struct thing *set = thing_with(s, call, EVENT_SET, call->arguments[1].integer);
  struct member *member = member_of(s, call, set, call->arguments[0].integer);
  if (!member) return PSL_FAILED;
  return event_await(s, call, set, member, false, call->arguments[2].integer, call->arguments[3].integer, -1);
}

/* All that wait go on, for it and for any, as they came; then the first that queues, or all where it stays. */
static void event_set(struct state *s, struct thing *set, struct member *member, bool stays, double clock) {
  int64_t number = member - set->members;
  struct waiter *waiter;
  bool met = false;
  set->times++;
  for (; (waiter = earlier(&member->line, &set->line)); met = true)
    wait_resume(s, waiter, clock, waiter->any ? number : true);
  for (bool one = true; (one || stays) && (waiter = earlier(&member->queue, &set->queue)); one = false, met = true)
    wait_resume(s, waiter, clock, waiter->any ? number : true);
  occurred_set(set, member, stays || !met);
}

static enum psl_status set_event(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *event = event_of(state, call);
  if (!event) return PSL_FAILED;
  event_set(state, event, event->members, call->arguments[0].integer, call->clock);
  return PSL_DONE;
}

static enum psl_status clear_event(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *event = event_of(state, call);
  if (!event) return PSL_FAILED;
  occurred_set(event, event->members, false);
  return PSL_DONE;
}

static enum psl_status occurred(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *event = event_of(state, call);
  if (!event) return PSL_FAILED;
  call->result.integer = has_occurred(event, event->members);
  return PSL_DONE;
}

/* The member of the caller's set that the call is about, (member, size, ...); NULL after an error. */
static struct member *member_called(struct state *s, struct psl_call *call, enum kind kind, struct thing **set) {
  *set = thing_with(s, call, kind, call->arguments[1].integer);
  return member_of(s, call, *set, call->arguments[0].integer);
}

static enum psl_status set_member(void *state, struct psl_call *call) {
  struct thing *set;
  if (!call->ordered) return PSL_LATER;
  struct member *member = member_called(state, call, EVENT_SET, &set);
  if (!member) return PSL_FAILED;
  event_set(state, set, member, call->arguments[2].integer, call->clock);
  return PSL_DONE;
}

static enum psl_status clear_member(void *state, struct psl_call *call) {
  struct thing *set;
  if (!call->ordered) return PSL_LATER;
  struct member *member = member_called(state, call, EVENT_SET, &set);
  if (!member) return PSL_FAILED;
  occurred_set(set, member, false);
  return PSL_DONE;
}

static enum psl_status member_occurred(void *state, struct psl_call *call) {
  struct thing *set;
  if (!call->ordered) return PSL_LATER;
  struct member *member = member_called(state, call, EVENT_SET, &set);
  if (!member) return PSL_FAILED;
  call->result.integer = has_occurred(set, member);
  return PSL_DONE;
}

/* ---- mailboxes ---- */

/* To the first that waits for it, or for any; else it stays, and its sender waits where that is wanted. */
static enum psl_status mailbox_send(struct state *s, struct psl_call *call, struct thing *set, struct member *member,
                                    struct psl_value message, bool waits, double patience) {
  struct waiter *waiter = item_wanted(s, set, member, message);
  set->times++;
  call->result.integer = true;
  if (waiter) {
    item_hand(s, set, member, waiter, message, call->clock);
    return PSL_DONE;
  }
  struct thing_item *item = item_new(s, message, 0);
  item_put(s, set, member, item, call->clock);
  if (!waits) return PSL_DONE;
  return wait_in(s, call, set, &member->queue, patience, (struct waiter){.item = item});
}

static enum psl_status mailbox_synchronous(struct state *s, struct psl_call *call, double patience) {
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return patience_ends(s, call); /* nobody has received it */
  struct thing *mailbox = mailbox_of(s, call);
  if (!mailbox) return PSL_FAILED;
  return mailbox_send(s, call, mailbox, mailbox->members, call->arguments[0].value, true, patience);
}

static enum psl_status send(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *mailbox = mailbox_of(state, call);
  if (!mailbox) return PSL_FAILED;
  return mailbox_send(state, call, mailbox, mailbox->members, call->arguments[0].value, false, -1);
}

static enum psl_status synchronous_send(void *state, struct psl_call *call) {
  return mailbox_synchronous(state, call, -1);
}

static enum psl_status timed_synchronous_send(void *state, struct psl_call *call) {
  double patience = call->arguments[1].real;
  return patience_fits(call, patience) ? mailbox_synchronous(state, call, patience) : PSL_FAILED;
}

static enum psl_status send_to(void *state, struct psl_call *call) {
  struct thing *set;
  if (!call->ordered) return PSL_LATER;
  struct member *member = member_called(state, call, MAILBOX_SET, &set);
  return member ? mailbox_send(state, call, set, member, call->arguments[2].value, false, -1) : PSL_FAILED;
}

/* The message leaves; its sender goes on if it waits. */
static enum psl_status mailbox_give(struct state *s, struct psl_call *call, struct thing *set, struct thing_item *item,
                                    bool any) {
  item_take(s, set, item, call->clock);
  if (item->sender) wait_resume(s, item->sender, call->clock, true);
  call->result = item_given(s, set, item->member, item->item.value, any);
  item_free(s, item);
  return PSL_DONE;
}

static enum psl_status mailbox_receive(struct state *s, struct psl_call *call, struct thing *set, struct member *member,
                                       struct psl_value condition, double patience, bool idle) {
  struct item *item = shelf_find(&s->shelves, &member->shelf, condition);
  if (item) return mailbox_give(s, call, set, (struct thing_item *)(void *)item, false);
  struct waiter like = {.wish = {.condition = condition}, .member = member, .idle = idle};
  return wait_in(s, call, set, NULL, patience, like);
}

static enum psl_status receive(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *mailbox = mailbox_of(state, call);
  if (!mailbox) return PSL_FAILED;
  return mailbox_receive(state, call, mailbox, mailbox->members, call->arguments[0].value, -1,
                         call->arguments[1].integer);
}

static enum psl_status timed_receive(void *state, struct psl_call *call) {
  double patience = call->arguments[1].real;
  if (!patience_fits(call, patience)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  struct thing *mailbox = mailbox_of(state, call);
  if (!mailbox) return PSL_FAILED;
  if (!call->memory)
    return mailbox_receive(state, call, mailbox, mailbox->members, call->arguments[0].value, patience, false);
  patience_ends(state, call);
  call->result.value = call->arguments[2].value;
  return PSL_DONE;
}

static enum psl_status receive_from(void *state, struct psl_call *call) {
  struct thing *set;
  if (!call->ordered) return PSL_LATER;
  struct member *member = member_called(state, call, MAILBOX_SET, &set);
  if (!member) return PSL_FAILED;
  return mailbox_receive(state, call, set, member, call->arguments[2].value, -1, call->arguments[3].integer);
}

/* The message that was sent first, and whose it is. */
static enum psl_status mailbox_any(struct state *s, struct psl_call *call, double patience, bool idle) {
  struct psl_value condition = call->arguments[1].value;
  if (!call->ordered) return PSL_LATER;
  struct thing *set = thing_with(s, call, MAILBOX_SET, call->arguments[0].integer);
  if (!set) return PSL_FAILED;
  if (call->memory) {
    patience_ends(s, call);
    call->result.value = call->arguments[3].value;
    return PSL_DONE;
  }
  struct thing_item *item = set->sent_first;
  while (item && !s->host->holds(s->host, condition, item->item.value))
    item = item->next;
  if (item) return mailbox_give(s, call, set, item, true);
  struct waiter like = {.wish = {.condition = condition}, .idle = idle, .any = true};
  return wait_in(s, call, set, &set->line, patience, like);
}

static enum psl_status receive_any(void *state, struct psl_call *call) {
  return mailbox_any(state, call, -1, call->arguments[2].integer);
}
static enum psl_status timed_receive_any(void *state, struct psl_call *call) {
  double patience = call->arguments[2].real;
  return patience_fits(call, patience) ? mailbox_any(state, call, patience, false) : PSL_FAILED;
}

static enum psl_status messages(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  struct thing *mailbox = mailbox_of(state, call);
  if (!mailbox) return PSL_FAILED;
  call->result.integer = (int64_t)mailbox->members->shelf.items.count;
  return PSL_DONE;
}

static enum psl_status messages_of(void *state, struct psl_call *call) {
  struct thing *set;
  if (!call->ordered) return PSL_LATER;
  struct member *member = member_called(state, call, MAILBOX_SET, &set);
  if (!member) return PSL_FAILED;
  call->result.integer = (int64_t)member->shelf.items.count;
  return PSL_DONE;
}

/* ---- stores ---- */

static struct thing *store_of(struct state *s, struct psl_call *call) { return thing_with(s, call, STORE, 1); }

/* To the first that waits for such a one, or into the store. */
static void store_put(struct state *s, struct thing *store, struct thing_item *item, double clock) {
  struct waiter *waiter = item_wanted(s, store, store->members, item->item.value);
  store->times++;
  item->sender = NULL;
  if (!waiter) {
    item_put(s, store, store->members, item, clock);
    return;
  }
  item_hand(s, store, store->members, waiter, item->item.value, clock);
  item_free(s, item);
}

static enum psl_status store_enter(struct state *s, struct psl_call *call, double patience) {
  double priority = call->arguments[1].real;
  int64_t capacity = call->arguments[2].integer;
  if (!call->ordered) return PSL_LATER;
  if (call->memory) return patience_ends(s, call);
  struct thing *store = store_of(s, call);
  if (!store || !priority_fits(s, call, "put into", priority)) return PSL_FAILED;
  if (capacity < 1) return psl_failed(call, "%s has a capacity of %" PRId64, name_of(s->host, call), capacity);
  struct thing_item *item = item_new(s, call->arguments[0].value, priority);
  store->capacity = (double)capacity;
  if (store->level.value >= store->capacity)
    return wait_in(s, call, store, &store->members->queue, patience, (struct waiter){.item = item});
  store_put(s, store, item, call->clock);
  call->result.integer = true;
  return PSL_DONE;
}

static enum psl_status put_item(void *state, struct psl_call *call) { return store_enter(state, call, -1); }
static enum psl_status timed_put_item(void *state, struct psl_call *call) {
  double patience = call->arguments[3].real;
  return patience_fits(call, patience) ? store_enter(state, call, patience) : PSL_FAILED;
}

static enum psl_status store_get(struct state *s, struct psl_call *call, double patience, bool idle) {
  struct psl_value condition = call->arguments[0].value;
  struct thing *store = store_of(s, call);
  if (!store) return PSL_FAILED;
  struct member *member = store->members;
  struct thing_item *item = (struct thing_item *)(void *)shelf_find(&s->shelves, &member->shelf, condition);
  if (!item) {
    struct waiter like = {.wish = {.condition = condition}, .member = member, .idle = idle};
    return wait_in(s, call, store, NULL, patience, like);
  }
  item_take(s, store, item, call->clock);
  struct waiter *put;
  while (store->level.value < store->capacity && (put = first_of(&member->queue))) {
    struct thing_item *next = put->item;
    wait_resume(s, put, call->clock, true);
    store_put(s, store, next, call->clock);
  }
  call->result.value = item->item.value;
  item_free(s, item);
  return PSL_DONE;
}

static enum psl_status get_item(void *state, struct psl_call *call) {
  if (!call->ordered) return PSL_LATER;
  return store_get(state, call, -1, call->arguments[1].integer);
}

static enum psl_status timed_get_item(void *state, struct psl_call *call) {
  double patience = call->arguments[1].real;
  if (!patience_fits(call, patience)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  if (!call->memory) return store_get(state, call, patience, false);
  patience_ends(state, call);
  call->result.value = call->arguments[2].value;
  return PSL_DONE;
}

static enum psl_status items_held(void *state, struct psl_call *call) { return number_asked(state, call, STORE); }

/* ---- calls that are taken back ---- */

static void process_cancel(void *state, uint32_t process, double clock, void *memory) {
  struct state *s = state;
  struct waiter *waiter = memory;
  (void)process;
  if (!waiter) return; /* it was still to be made in order */
  struct thing *thing = waiter->thing;
  warm_up_look(s, thing, clock);
  wait_told(s, waiter, clock);
  leave_early(s, waiter, clock);
  if (thing->left) return;
  thing->left = true;
  thing->next_left = NULL;
  *(s->left_first ? &s->left_last->next_left : &s->left_first) = thing;
  s->left_last = thing;
}

static void process_cancelled(void *state, double clock) {
  struct state *s = state;
  if (s->serving) return; /* what is left meanwhile comes behind */
  s->serving = true;
  for (struct thing *thing; (thing = s->left_first);) {
    s->left_first = thing->next_left;
    thing->left = false;
    left_serve(s, thing, clock);
  }
  s->serving = false;
}

/* ---- what the report says ---- */

/* The figures of the caller's begin anew. */
static enum psl_status reset(void *state, struct psl_call *call) {
  const struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  struct thing *thing = call->instance < s->instance_capacity ? s->by_instance[call->instance] : NULL;
  if (!thing) return PSL_DONE; /* there are none yet */
  figures_begin(thing, call->clock);
  return PSL_DONE;
}

/* The figures of the whole run begin anew. */
static enum psl_status reset_all(void *state, struct psl_call *call) {
  const struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  s->host->restart(s->host, call->clock);
  return PSL_DONE;
}

enum figure {
  FIGURE_NONE,
  ALLOCATIONS,
  IN_USE,
  PUTS,
  LEVEL,
  SETTINGS,
  SENT,
  MESSAGES,
  ITEMS_PUT,
  ITEMS,
  RESERVATIONS,
  UTILISATION,
  MEAN_WAIT,
  THROUGHPUT,
  WAITING,
  FIGURES
};
#define STORAGE_CALLS "allocate timed-allocate deallocate in-use"
#define CONTAINER_CALLS "put-amount timed-put-amount get-amount timed-get-amount amount-held"
#define FACILITY_CALLS "reserve timed-reserve release reserved"
#define EVENT_CALLS                                       \
  "wait queue timed-wait timed-queue set clear occurred " \
  "wait-any queue-any timed-wait-any timed-queue-any wait-member set-member clear-member member-occurred"
#define MAILBOX_CALLS                                                            \
  "send synchronous-send timed-synchronous-send receive timed-receive messages " \
  "send-to receive-from receive-any timed-receive-any messages-of"
#define STORE_CALLS "put-item timed-put-item get-item timed-get-item items-held"

static const struct psl_evaluator_figure figures[FIGURES] = {
    {"allocations of", "", true, STORAGE_CALLS},
    {"mean in use of", "", false, STORAGE_CALLS},
    {"puts into", "", true, CONTAINER_CALLS},
    {"mean level of", "", false, CONTAINER_CALLS},
    {"settings of", "", true, EVENT_CALLS},
    {"messages sent to", "", true, MAILBOX_CALLS},
    {"mean messages in", "", false, MAILBOX_CALLS},
    {"items put into", "", true, STORE_CALLS},
    {"mean items in", "", false, STORE_CALLS},
    {"reservations of", "", true, FACILITY_CALLS},
    {"utilisation of", "", false, FACILITY_CALLS},
    {"mean wait for", "s", false, FACILITY_CALLS},
    {"throughput of", "s^-1", false, FACILITY_CALLS},
    {"mean number that wait at", "", false,
     STORAGE_CALLS " " CONTAINER_CALLS " " FACILITY_CALLS " " EVENT_CALLS " " MAILBOX_CALLS " " STORE_CALLS},
    {NULL, NULL, false, NULL},
};

struct rows {
  struct psl_statistic *out;
  size_t count, capacity;
};

static void row_add(struct state *s, struct rows *rows, enum figure figure, const char *name, const char *class,
                    double value) {
  const struct psl_evaluator_figure *of = &figures[figure - 1];
  if (rows->count == rows->capacity) return;
  size_t size = strlen(of->name) + strlen(name) + strlen(class) + 7;
  char *text = s->host->allocate(s->host, size);
  snprintf(text, size, "%s %s%s%s", of->name, name, *class ? " by " : "", class);
  rows->out[rows->count++] = (struct psl_statistic){text, of->unit, value, of->whole};
}

static void facility_rows(struct state *s, struct rows *rows, const struct thing *facility, const char *name,
                          double end) {
  for (const struct class *class = facility->classes; class; class = class->next) {
    row_add(s, rows, RESERVATIONS, name, class->name, (double)class->served);
    row_add(s, rows, UTILISATION, name, class->name,
            level_mean(&class->level, facility->from, end) / fmax(1, facility->capacity));
    if (class->served) row_add(s, rows, MEAN_WAIT, name, class->name, class->waited / (double)class->served);
  }
  row_add(s, rows, THROUGHPUT, name, "", end > facility->from ? (double)facility->times / (end - facility->from) : 0);
}

/* Of a mailbox in which more messages are left than were received: some may be left where a model ends receivers. */
static bool is_left(const struct thing *thing) {
  bool mailbox = thing->kind == MAILBOX || thing->kind == MAILBOX_SET;
  return mailbox && 2 * thing->level.value > (double)thing->times;
}

/* Messages that no process has received, nor will, in the first such mailbox. */
static void left_warn(const struct state *s) {
  const struct thing *first = s->things;
  char text[280];
  while (first && !is_left(first))
    first = first->next;
  if (!first || !s->host->complete(s->host)) return;
  const char *name = s->host->name(s->host, first->instance), *verb = first->level.value == 1 ? " is" : "s are";
  snprintf(text, sizeof text, "%.0f message%s never received, left in %.200s", first->level.value, verb, name);
  s->host->warn(s->host, text);
}

static size_t process_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  static const enum figure of_kinds[][2] = {[STORAGE] = {ALLOCATIONS, IN_USE}, /* how often, and how many */
                                            [CONTAINER] = {PUTS, LEVEL},       [FACILITY] = {FIGURE_NONE, FIGURE_NONE},
                                            [EVENT] = {SETTINGS, FIGURE_NONE}, [EVENT_SET] = {SETTINGS, FIGURE_NONE},
                                            [MAILBOX] = {SENT, MESSAGES},      [MAILBOX_SET] = {SENT, MESSAGES},
                                            [STORE] = {ITEMS_PUT, ITEMS}};
  struct state *s = state;
  struct rows rows = {out, 0, capacity};
  double end = s->host->end(s->host);
  left_warn(s);
  for (struct thing *thing = s->things; thing && rows.count < capacity; thing = thing->next) {
    warm_up_look(s, thing, INFINITY);
    const char *name = s->host->name(s->host, thing->instance);
    const enum figure *of = of_kinds[thing->kind];
    if (thing->kind == FACILITY) facility_rows(s, &rows, thing, name, end);
    if (of[0]) row_add(s, &rows, of[0], name, "", (double)thing->times);
    if (of[1]) row_add(s, &rows, of[1], name, "", level_mean(&thing->level, thing->from, end));
    row_add(s, &rows, WAITING, name, "", level_mean(&thing->waiting, thing->from, end));
  }
  return rows.count;
}

static void wait_explain(const struct waiter *waiter, const char *name, char *out, size_t size) {
  const struct thing *thing = waiter->thing;
  const char *behind = waiter->wish.place.before ? ", behind others" : "";
  bool puts = waiter->item || waiter->line == &thing->queue;
  switch (thing->kind) {
  case STORAGE:
    snprintf(out, size, "for %g of %s, of which %g is free%s", waiter->amount, name,
             thing->capacity - thing->level.value, behind);
    break;
  case CONTAINER:
    if (puts)
      snprintf(out, size, "to put %g into %s, in which %g is free%s", waiter->amount, name,
               thing->capacity - thing->level.value, behind);
    else
      snprintf(out, size, "for %g of %s, in which %g is%s", waiter->amount, name, thing->level.value, behind);
    break;
  case FACILITY: snprintf(out, size, "for a server of %s%s", name, behind); break;
  case EVENT: snprintf(out, size, "for %s to be set", name); break;
  case EVENT_SET:
    if (waiter->any)
      snprintf(out, size, "for any event of %s to be set", name);
    else
      snprintf(out, size, "for an event of %s to be set", name);
    break;
  case MAILBOX:
  case MAILBOX_SET:
    snprintf(out, size, puts ? "for a message in %s to be received" : "for a message in %s", name);
    break;
  case STORE: snprintf(out, size, puts ? "to put an item into %s" : "for an item of %s", name); break;
  }
}

static void process_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  const struct waiter *waiter = process < s->process_capacity ? s->waiting[process] : NULL;
  (void)other; /* anybody may end the wait */
  if (!waiter) return;
  if (waiter->idle)
    *out = 0;
  else
    wait_explain(waiter, s->host->name(s->host, waiter->thing->instance), out, size);
}

static const struct psl_evaluator_function functions[] = {
    {.name = "allocate",
     .signature = "(amount : real, capacity : real, priority : real = 0)",
     .kind = PSL_CALL,
     .call = allocate,
     .doc = "Takes an amount of the storage, waiting for it behind those that came before. Errors: an amount that is "
            "negative or above the capacity."},
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
    {.name = "put-amount",
     .signature = "(amount : real, capacity : real, initial : real, priority : real = 0, idle : bool = false)",
     .kind = PSL_CALL,
     .call = put_amount,
     .doc = "Puts an amount into the container, waiting while there is no room for it. Errors: an amount that is "
            "negative or above the capacity."},
    {.name = "timed-put-amount",
     .signature = "(amount : real, capacity : real, initial : real, priority : real, patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_put_amount,
     .doc = "The same; false where it has waited that long in vain."},
    {.name = "get-amount",
     .signature = "(amount : real, capacity : real, initial : real, priority : real = 0, idle : bool = false)",
     .kind = PSL_CALL,
     .call = get_amount,
     .doc = "Gets an amount out of the container, waiting while there is too little. Errors: an amount that is "
            "negative or above the capacity."},
    {.name = "timed-get-amount",
     .signature = "(amount : real, capacity : real, initial : real, priority : real, patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_get_amount,
     .doc = "The same; false where it has waited that long in vain."},
    {.name = "amount-held",
     .signature = "(capacity : real, initial : real) -> real",
     .kind = PSL_CALL,
     .call = amount_held,
     .doc = "What is in the container."},
    {.name = "reserve",
     .signature = "(servers : int, priority : real = 0, class : string = \"\")",
     .kind = PSL_CALL,
     .call = reserve,
     .doc =
         "Takes a server of the facility, waiting for one in line; kept until `release`. Figures are by class, too."},
    {.name = "timed-reserve",
     .signature = "(servers : int, priority : real, class : string, patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_reserve,
     .doc = "The same; false where it has waited that long in vain."},
    {.name = "release",
     .signature = "(class : string = \"\")",
     .kind = PSL_CALL,
     .call = release,
     .doc = "Gives back a server that one of this class has reserved. Error: there is none."},
    {.name = "reserved",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = reserved,
     .doc = "How many servers are reserved."},
    {.name = "wait",
     .signature = "(idle : bool = false, stays : bool = false)",
     .kind = PSL_CALL,
     .call = wait_event,
     .doc = "Goes on when the event has occurred, which it then no longer has, unless it stays."},
    {.name = "queue",
     .signature = "(idle : bool = false, stays : bool = false)",
     .kind = PSL_CALL,
     .call = queue_event,
     .doc = "The same; of those that queue one goes on each time."},
    {.name = "timed-wait",
     .signature = "(patience : time, stays : bool = false) -> bool",
     .kind = PSL_CALL,
     .call = timed_wait,
     .doc = "Waits; false where the event has not occurred by then."},
    {.name = "timed-queue",
     .signature = "(patience : time, stays : bool = false) -> bool",
     .kind = PSL_CALL,
     .call = timed_queue,
     .doc = "Queues; false where its turn has not come by then."},
    {.name = "set",
     .signature = "(stays : bool = false)",
     .kind = PSL_CALL,
     .call = set_event,
     .doc = "The event occurs: all that wait and the first that queues go on; where nobody does it stays occurred. "
            "One that stays: all go on, and it stays occurred."},
    {.name = "clear", .signature = "()", .kind = PSL_CALL, .call = clear_event, .doc = "The event has not occurred."},
    {.name = "occurred", .signature = "() -> bool", .kind = PSL_CALL, .call = occurred, .doc = "Has it?"},
    {.name = "wait-any",
     .signature = "(size : int, stays : bool = false, idle : bool = false) -> int",
     .kind = PSL_CALL,
     .call = wait_any,
     .doc = "Waits for any event of the set; which."},
    {.name = "queue-any",
     .signature = "(size : int, stays : bool = false, idle : bool = false) -> int",
     .kind = PSL_CALL,
     .call = queue_any,
     .doc = "The same; of those that queue one goes on each time."},
    {.name = "timed-wait-any",
     .signature = "(size : int, stays : bool, patience : time) -> int",
     .kind = PSL_CALL,
     .call = timed_wait_any,
     .doc = "Waits for any; -1 where none has occurred by then."},
    {.name = "timed-queue-any",
     .signature = "(size : int, stays : bool, patience : time) -> int",
     .kind = PSL_CALL,
     .call = timed_queue_any,
     .doc = "Queues for any; -1 where its turn has not come by then."},
    {.name = "wait-member",
     .signature = "(member : int, size : int, stays : bool = false, idle : bool = false)",
     .kind = PSL_CALL,
     .call = wait_member,
     .doc = "Waits for one event of the set."},
    {.name = "set-member",
     .signature = "(member : int, size : int, stays : bool = false)",
     .kind = PSL_CALL,
     .call = set_member,
     .doc = "One event of the set occurs."},
    {.name = "clear-member",
     .signature = "(member : int, size : int)",
     .kind = PSL_CALL,
     .call = clear_member,
     .doc = "It has not occurred."},
    {.name = "member-occurred",
     .signature = "(member : int, size : int) -> bool",
     .kind = PSL_CALL,
     .call = member_occurred,
     .doc = "Has it?"},
    {.name = "send",
     .signature = "(message : value)",
     .kind = PSL_CALL,
     .call = send,
     .doc = "Puts a message into the mailbox, for the first that waits there."},
    {.name = "synchronous-send",
     .signature = "(message : value)",
     .kind = PSL_CALL,
     .call = synchronous_send,
     .doc = "The same, and waits until it is received."},
    {.name = "timed-synchronous-send",
     .signature = "(message : value, patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_synchronous_send,
     .doc = "The same; where nobody has received it by then the message is taken back: false."},
    {.name = "receive",
     .signature = "(fits : value, idle : bool = false) -> value",
     .kind = PSL_CALL,
     .call = receive,
     .doc = "Takes the first message of which the condition `fits` holds, waiting for one."},
    {.name = "timed-receive",
     .signature = "(fits : value, patience : time, otherwise : value) -> value",
     .kind = PSL_CALL,
     .call = timed_receive,
     .doc = "The same; `otherwise` where none has come by then."},
    {.name = "messages",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = messages,
     .doc = "How many messages wait."},
    {.name = "send-to",
     .signature = "(member : int, size : int, message : value)",
     .kind = PSL_CALL,
     .call = send_to,
     .doc = "Puts a message into one mailbox of the set."},
    {.name = "receive-from",
     .signature = "(member : int, size : int, fits : value, idle : bool = false) -> value",
     .kind = PSL_CALL,
     .call = receive_from,
     .doc = "Takes the first such message of one mailbox of the set."},
    {.name = "receive-any",
     .signature = "(size : int, fits : value, idle : bool = false) -> value",
     .kind = PSL_CALL,
     .call = receive_any,
     .doc = "Takes the message of the set that was sent first of such ones: a record of its mailbox and itself."},
    {.name = "timed-receive-any",
     .signature = "(size : int, fits : value, patience : time, otherwise : value) -> value",
     .kind = PSL_CALL,
     .call = timed_receive_any,
     .doc = "The same; `otherwise` where none has come by then."},
    {.name = "messages-of",
     .signature = "(member : int, size : int) -> int",
     .kind = PSL_CALL,
     .call = messages_of,
     .doc = "How many messages wait in one mailbox of the set."},
    {.name = "put-item",
     .signature = "(item : value, priority : real, capacity : int)",
     .kind = PSL_CALL,
     .call = put_item,
     .doc = "Puts an item into the store, waiting while that is full."},
    {.name = "timed-put-item",
     .signature = "(item : value, priority : real, capacity : int, patience : time) -> bool",
     .kind = PSL_CALL,
     .call = timed_put_item,
     .doc = "The same; false where it has waited that long in vain."},
    {.name = "get-item",
     .signature = "(fits : value, idle : bool = false) -> value",
     .kind = PSL_CALL,
     .call = get_item,
     .doc = "Takes the first item of the greatest priority of which the condition `fits` holds, waiting for one."},
    {.name = "timed-get-item",
     .signature = "(fits : value, patience : time, otherwise : value) -> value",
     .kind = PSL_CALL,
     .call = timed_get_item,
     .doc = "The same; `otherwise` where none has come by then."},
    {.name = "items-held",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = items_held,
     .doc = "How many items are in the store."},
    {.name = "reset",
     .signature = "()",
     .kind = PSL_CALL,
     .call = reset,
     .doc = "The figures of the report begin anew; nothing else changes."},
    {.name = "reset-all",
     .signature = "()",
     .kind = PSL_CALL,
     .call = reset_all,
     .doc = "All figures of the run begin anew, those of others, too."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {{NULL}};

const struct psl_evaluator process_sim_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Process-Sim",
    .revision = "7",
    .doc = "Storages, containers, facilities, events, mailboxes and stores of processes.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = process_open,
    .statistics = process_statistics,
    .figures = figures,
    .explain_wait = process_explain_wait,
    .cancel = process_cancel,
    .cancelled = process_cancelled,
};
