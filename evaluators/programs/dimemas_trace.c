/* Traces of Dimemas (.dim, .trf), as its simulator's version 5.5 takes them: a line at the head, the communicators, the
 * records of each task, one task after another, and where in the file those of each begin.
 *
 *     #DIMEMAS:"name":1,OFFSET:TASKS(THREADS,…),COMMUNICATORS
 *     d:1:COMMUNICATOR:SIZE:TASK:…
 *     1:TASK:THREAD:SECONDS                                                         a burst of computation
 *     2:TASK:THREAD:PARTNER[:THREAD]:BYTES:TAG:COMMUNICATOR:MODE                    a send
 *     3:TASK:THREAD:PARTNER[:THREAD]:BYTES:TAG:COMMUNICATOR:0|1|2                   recv, irecv, wait
 *     10:TASK:THREAD:OPERATION:COMMUNICATOR:IS-ROOT:THREAD:SENT:RECEIVED[:MODE]     a collective operation; of a
 *                                                                                   reduction the root's number
 *     20:TASK:THREAD:TYPE:VALUE                                                     an event
 *     s:TASK:OFFSET                                                                 where its records begin
 *
 * Only the root of a collective operation says who that is, and of one with lists each task what it gives and gets: the
 * pass over all lines that finds the tasks notes both. */
#include "evaluators/programs/lists.h"
#include "evaluators/programs/rank_lines.h"
#include "evaluators/programs/shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEND_RENDEZVOUS = 1, SEND_IMMEDIATE = 2 };                                   /* bits of a send's mode */
enum { RECEIVE_BLOCKING, RECEIVE_STARTED, RECEIVE_WAIT };                           /* modes of a receive */
enum { COLLECTIVE_STARTED, COLLECTIVE_BLOCKING, COLLECTIVE_WAIT, COLLECTIVE_ROOT }; /* those of collective operations */
enum { NO_TASK = UINT32_MAX, REQUEST_OF_SENDS = 0 }; /* nothing waits for a send: all have one number */

struct root { /* of the rooted operation of a communicator that has this place among them */
  uint64_t place;
  uint32_t task;
};

struct places { /* operations of a communicator that a task has come to */
  uint64_t rooted, listed;
};

struct communicator {
  int64_t name; /* in the trace */
  uint32_t size, *members;
  uint32_t first_root; /* that of all operations that `roots` does not have; NO_TASK: nobody is one */
  struct root *roots;  /* by place */
  uint32_t root_count, root_capacity;
  struct shares shares;
  uint32_t passed_task; /* while the trace is opened: the task at hand, */
  struct places passed; /* and what of it has passed */
};

struct pending { /* a receive or a collective operation that nobody has waited for */
  int32_t source, tag;
  uint32_t communicator; /* its place among them */
  bool collective;
  int64_t request;
};

struct come { /* a task, in a communicator */
  uint32_t communicator;
  struct places places;
};

struct task {
  uint32_t made;           /* communicators that it has been told, or that are not its own */
  struct pending *pending; /* the oldest first */
  uint32_t pending_count, pending_capacity;
  int64_t *free; /* numbers of requests, room for as many as there are */
  uint32_t free_count, free_capacity;
  struct come *come;
  uint32_t come_count, come_capacity;
  double *parts; /* of the operation in hand */
  uint32_t part_room;
  uint32_t regions; /* entered and not left */
  int64_t request;  /* of the wait in hand */
};

struct region {
  struct region *next;
  uint64_t type, value;
  char name[48];
};

struct trace {
  struct program_source base;
  struct rank_lines *lines;
  struct task *tasks;
  struct communicator *communicators;
  uint32_t communicator_count, communicator_capacity;
  uint32_t world; /* the communicator of all tasks in their order; NO_TASK: there is none */
  struct region *regions;
  uint32_t passed_task; /* while it is opened: whose records come last */
  bool *passed;         /* and which tasks have had theirs */
};

static bool fail(struct program_error *error, const char *text) {
  snprintf(error->text, sizeof error->text, "%s", text);
  return false;
}

/* ---- fields of a line, parted by colons ---- */

struct fields {
  char *rest; /* NULL: there are no more */
  struct program_error *error;
};

static char *field_next(struct fields *fields) {
  char *field = fields->rest, *colon = field ? strchr(field, ':') : NULL;
  if (colon) *colon = '\0';
  fields->rest = colon ? colon + 1 : NULL;
  return field;
}

static bool wrong(struct fields *fields, const char *what, const char *field) {
  if (field && *field)
    snprintf(fields->error->text, sizeof fields->error->text, "'%.40s' is no %s", field, what);
  else
    snprintf(fields->error->text, sizeof fields->error->text, "there is no %s", what);
  return false;
}

static bool take_integer(struct fields *fields, const char *what, int64_t least, int64_t most, int64_t *out) {
  const char *field = field_next(fields);
  return (field && word_integer(field, least, most, out)) || wrong(fields, what, field);
}

static bool take_amount(struct fields *fields, const char *what, double *out) {
  const char *field = field_next(fields);
  return (field && word_amount(field, out)) || wrong(fields, what, field);
}

static bool take_end(struct fields *fields) {
  if (!fields->rest) return true;
  snprintf(fields->error->text, sizeof fields->error->text, "'%.40s' is a field too many", fields->rest);
  return false;
}

static uint32_t fields_left(const struct fields *fields) {
  uint32_t count = fields->rest != NULL;
  for (const char *at = fields->rest; at && *at; at++)
    count += *at == ':';
  return count;
}

/* ---- communicators ---- */

/* The place of the one that the trace calls so; NO_TASK: none. */
static uint32_t communicator_find(const struct trace *trace, int64_t name) {
  uint32_t at = 0;
  while (at < trace->communicator_count && trace->communicators[at].name != name)
    at++;
  return at < trace->communicator_count ? at : NO_TASK;
}

static bool take_communicator(struct fields *fields, const struct trace *trace, uint32_t *out) {
  int64_t name;
  if (!take_integer(fields, "communicator", 0, INT32_MAX, &name)) return false;
  *out = communicator_find(trace, name);
  if (*out != NO_TASK) return true;
  snprintf(fields->error->text, sizeof fields->error->text, "communicator %lld is not defined", (long long)name);
  return false;
}

static uint32_t number_of(const struct trace *trace, uint32_t communicator) {
  return communicator == trace->world ? PROGRAM_WORLD : communicator + 1;
}

/* Which member the task is; the size: none. */
static uint32_t member_of(const struct communicator *c, uint32_t task) {
  uint32_t k = task < c->size && c->members[task] == task ? task : 0;
  while (k < c->size && c->members[k] != task)
    k++;
  return k;
}

static bool is_member(const struct communicator *c, uint32_t task) { return member_of(c, task) < c->size; }

/* One of all tasks, which nothing defines: messages may name such. */
static bool communicator_implied(struct trace *trace, int64_t name) {
  struct communicator made = {.name = name, .size = trace->base.ranks, .first_root = NO_TASK, .passed_task = NO_TASK};
  if (!list_grow(&trace->communicators, trace->communicator_count, &trace->communicator_capacity, sizeof made) ||
      !(made.members = calloc(made.size, sizeof *made.members)))
    return false;
  for (uint32_t k = 0; k < made.size; k++)
    made.members[k] = k;
  if (trace->world == NO_TASK) trace->world = trace->communicator_count;
  trace->communicators[trace->communicator_count++] = made;
  return true;
}

/* `d:1:NUMBER:SIZE:TASK:…`, behind its `d`; windows and files, 2 and 3, have no records. */
static bool communicator_read(struct trace *trace, struct fields *fields) {
  int64_t type, name, size, member;
  if (!take_integer(fields, "kind of definition", 1, 3, &type)) return false;
  if (type != 1) return true;
  if (!take_integer(fields, "communicator", 0, INT32_MAX, &name) ||
      !take_integer(fields, "number of members", 1, trace->base.ranks, &size))
    return false;
  if (communicator_find(trace, name) != NO_TASK) return fail(fields->error, "the communicator is defined twice");
  struct communicator made = {.name = name, .size = (uint32_t)size, .first_root = NO_TASK, .passed_task = NO_TASK};
  if (!list_grow(&trace->communicators, trace->communicator_count, &trace->communicator_capacity, sizeof made) ||
      !(made.members = calloc((size_t)size, sizeof *made.members)))
    return fail(fields->error, "there is no memory for its members");
  trace->communicators[trace->communicator_count] = made;
  bool all = size == trace->base.ranks;
  for (uint32_t k = 0; k < size; k++) {
    if (!take_integer(fields, "task", 0, (int64_t)trace->base.ranks - 1, &member)) return free(made.members), false;
    made.members[k] = (uint32_t)member;
    all = all && member == k;
  }
  if (all && trace->world == NO_TASK) trace->world = trace->communicator_count;
  trace->communicator_count++;
  return take_end(fields);
}

/* ---- collective operations ---- */

enum { STARTED = PROGRAM_IBARRIER - PROGRAM_BARRIER }; /* from an operation to the same, started */

struct collective {
  enum program_kind kind; /* not started */
  uint32_t communicator;
  bool leads;
  double sent, received;
  int64_t mode;
};

/* Of a reduction to a root the trace says which task that is, of other operations whether it is this one. */
static bool collective_read(const struct trace *trace, uint32_t task, struct fields *fields, struct collective *out) {
  int64_t number, root, thread;
  if (!take_integer(fields, "collective operation", 0, INT32_MAX, &number)) return false;
  int kind = program_collective_of((int)number);
  if (kind < 0) {
    snprintf(fields->error->text, sizeof fields->error->text, "'%lld' is no collective operation", (long long)number);
    return false;
  }
  bool names = kind == PROGRAM_REDUCE;
  if (!take_communicator(fields, trace, &out->communicator) ||
      !take_integer(fields, names ? "task" : "mark of the root", 0, names ? (int64_t)trace->base.ranks - 1 : 1,
                    &root) ||
      !take_integer(fields, "thread", 0, INT32_MAX, &thread) || !take_amount(fields, "size", &out->sent) ||
      !take_amount(fields, "size", &out->received))
    return false;
  bool started = kind >= PROGRAM_IBARRIER && kind < PROGRAM_IBARRIER + STARTED;
  out->mode = started ? COLLECTIVE_STARTED : COLLECTIVE_BLOCKING;
  if (fields->rest && !take_integer(fields, "mode of a collective operation", 0, COLLECTIVE_ROOT, &out->mode))
    return false;
  out->kind = (enum program_kind)(started ? kind - STARTED : kind);
  out->leads = names ? root == task : root;
  return take_end(fields);
}

static bool is_rooted(enum program_kind kind) { return program_kinds[kind].fields & FIELD_ROOT; }

/* The task is or is not the root of its next rooted operation, which has this place. */
static bool root_note(struct communicator *c, uint64_t place, uint32_t task, bool root) {
  if (!root) return true;
  if (c->first_root == NO_TASK) c->first_root = task;
  if (c->first_root == task) return true;
  if (!list_grow(&c->roots, c->root_count, &c->root_capacity, sizeof *c->roots)) return false;
  c->roots[c->root_count++] = (struct root){place, task};
  return true;
}

/* While the trace is opened: the task comes to this one. */
static bool collective_pass(struct communicator *c, uint32_t task, const struct collective *collective) {
  uint32_t member = member_of(c, task);
  if (collective->mode == COLLECTIVE_WAIT) return true;
  if (c->passed_task != task) c->passed = (struct places){0};
  c->passed_task = task;
  if (is_rooted(collective->kind) && !root_note(c, c->passed.rooted++, task, collective->leads)) return false;
  if (!shares_are_of(collective->kind) || member == c->size) return true;
  struct share share = {.gives = collective->sent, .gets = collective->received};
  return shares_note(&c->shares, c->size, c->passed.listed++, member, share);
}

static int by_place(const void *a, const void *b) {
  const struct root *x = a, *y = b;
  return x->place < y->place ? -1 : x->place > y->place;
}

static uint32_t root_of(const struct communicator *c, uint64_t place) {
  struct root wanted = {.place = place};
  const struct root *found =
      c->root_count ? bsearch(&wanted, c->roots, c->root_count, sizeof *c->roots, by_place) : NULL;
  if (found) return found->task;
  return c->first_root == NO_TASK ? c->members[0] : c->first_root;
}

/* ---- records as operations ---- */

static bool pending_add(struct task *task, struct pending pending, struct program_operation *out) {
  if (!list_grow(&task->pending, task->pending_count, &task->pending_capacity, sizeof pending)) return false;
  if (!list_grow(&task->free, task->free_count + task->pending_count, &task->free_capacity, sizeof *task->free))
    return false;
  pending.request = task->free_count ? task->free[--task->free_count] : REQUEST_OF_SENDS + 1 + task->pending_count;
  task->pending[task->pending_count++] = pending;
  out->request = pending.request;
  return true;
}

/* The wait is for the oldest one that is such a receive, or such an operation. */
static bool pending_take(struct task *task, struct pending wanted, struct program_operation *out) {
  uint32_t at = 0;
  while (at < task->pending_count &&
         !(task->pending[at].collective == wanted.collective && task->pending[at].source == wanted.source &&
           task->pending[at].tag == wanted.tag && task->pending[at].communicator == wanted.communicator))
    at++;
  if (at == task->pending_count) return false;
  task->request = task->free[task->free_count++] = task->pending[at].request;
  memmove(&task->pending[at], &task->pending[at + 1], (--task->pending_count - at) * sizeof *task->pending);
  *out = (struct program_operation){.kind = PROGRAM_WAIT, .requests = &task->request, .request_count = 1};
  return true;
}

struct message {
  int32_t partner, tag;
  uint32_t communicator;
  double size;
};

/* The partner's thread may be said: -1, or that of a task of one thread. */
static bool message_read(const struct trace *trace, struct fields *fields, bool any, struct message *out) {
  int64_t partner, thread, tag;
  bool threads = fields_left(fields) == 6;
  if (!take_integer(fields, "task", any ? PROGRAM_ANY : 0, (int64_t)trace->base.ranks - 1, &partner) ||
      (threads && !take_integer(fields, "thread of a task that has one", -2, 0, &thread)) ||
      !take_amount(fields, "size", &out->size) ||
      !take_integer(fields, "tag", any ? PROGRAM_ANY : 0, INT32_MAX, &tag) ||
      !take_communicator(fields, trace, &out->communicator))
    return false;
  out->partner = (int32_t)partner;
  out->tag = (int32_t)tag;
  return true;
}

static bool record_send(struct trace *trace, uint32_t number, struct fields *fields, struct program_operation *out) {
  static const enum program_kind kinds[] = {PROGRAM_SEND, PROGRAM_SSEND, PROGRAM_ISEND, PROGRAM_ISSEND};
  struct message message;
  int64_t mode;
  (void)number;
  if (!message_read(trace, fields, false, &message) ||
      !take_integer(fields, "mode of a send", 0, SEND_RENDEZVOUS | SEND_IMMEDIATE, &mode))
    return false;
  *out = (struct program_operation){.kind = kinds[mode],
                                    .destination = message.partner,
                                    .tag = message.tag,
                                    .bytes = message.size,
                                    .communicator = number_of(trace, message.communicator),
                                    .request = REQUEST_OF_SENDS};
  return take_end(fields);
}

static bool record_receive(struct trace *trace, uint32_t number, struct fields *fields, struct program_operation *out) {
  struct task *task = &trace->tasks[number];
  struct message message;
  int64_t mode;
  if (!message_read(trace, fields, true, &message) ||
      !take_integer(fields, "mode of a receive", RECEIVE_BLOCKING, RECEIVE_WAIT, &mode) || !take_end(fields))
    return false;
  struct pending pending = {.source = message.partner, .tag = message.tag, .communicator = message.communicator};
  if (mode == RECEIVE_WAIT)
    return pending_take(task, pending, out) || fail(fields->error, "a wait for a receive that was not started");
  *out = (struct program_operation){.kind = mode == RECEIVE_STARTED ? PROGRAM_IRECV : PROGRAM_RECV,
                                    .source = message.partner,
                                    .source_tag = message.tag,
                                    .received = message.size,
                                    .communicator = number_of(trace, message.communicator)};
  return mode == RECEIVE_BLOCKING || pending_add(task, pending, out) || fail(fields->error, "there is no memory");
}

static struct places *places_of(struct task *task, uint32_t communicator) {
  for (uint32_t k = 0; k < task->come_count; k++)
    if (task->come[k].communicator == communicator) return &task->come[k].places;
  if (!list_grow(&task->come, task->come_count, &task->come_capacity, sizeof *task->come)) return NULL;
  task->come[task->come_count] = (struct come){communicator, {0}};
  return &task->come[task->come_count++].places;
}

/* Who its root is, and its lists. */
static bool operation_fill(const struct communicator *c, struct task *task, uint32_t number, struct places *places,
                           struct program_operation *o) {
  uint32_t root = is_rooted(o->kind) ? root_of(c, places->rooted++) : c->members[0];
  if (is_rooted(o->kind)) o->root = (int32_t)root;
  if (!shares_are_of(o->kind)) return true;
  if (task->part_room < 2 * c->size) {
    double *grown = realloc(task->parts, 2 * c->size * sizeof *grown);
    if (!grown) return false;
    task->parts = grown;
    task->part_room = 2 * c->size;
  }
  shares_give(&c->shares, c->size, places->listed++, member_of(c, number), member_of(c, root), o, task->parts);
  return true;
}

static bool record_collective(struct trace *trace, uint32_t number, struct fields *fields,
                              struct program_operation *out) {
  struct task *task = &trace->tasks[number];
  struct collective collective;
  if (!collective_read(trace, number, fields, &collective)) return false;
  const struct communicator *communicator = &trace->communicators[collective.communicator];
  struct pending pending = {.collective = true, .communicator = collective.communicator};
  if (!is_member(communicator, number)) return fail(fields->error, "the task is no member of the communicator");
  if (collective.mode == COLLECTIVE_WAIT)
    return pending_take(task, pending, out) || fail(fields->error, "a wait for an operation that was not started");
  *out = (struct program_operation){.kind = collective.kind,
                                    .bytes = collective.sent,
                                    .received = collective.received,
                                    .communicator = number_of(trace, collective.communicator),
                                    .share = {.known = true,
                                              .leads = collective.leads,
                                              .converges = collective.mode == COLLECTIVE_ROOT,
                                              .gives = collective.sent,
                                              .gets = collective.received}};
  struct places *places = places_of(task, collective.communicator);
  if (!places || !operation_fill(communicator, task, number, places, out))
    return fail(fields->error, "there is no memory");
  if ((collective.kind == PROGRAM_BCAST || collective.kind == PROGRAM_SCATTER) && out->bytes < out->received)
    out->bytes = out->received; /* what one part of it is, at all members */
  if (collective.mode != COLLECTIVE_STARTED) return true;
  out->kind += STARTED;
  return pending_add(task, pending, out) || fail(fields->error, "there is no memory");
}

static bool record_burst(struct trace *trace, uint32_t number, struct fields *fields, struct program_operation *out) {
  (void)trace;
  (void)number;
  *out = (struct program_operation){.kind = PROGRAM_COMPUTE};
  return take_amount(fields, "time", &out->work) && take_end(fields);
}

/* Of events, functions, calls and blocks of the user are regions, and clusters of bursts. */
static const char *region_kind(uint64_t type) {
  static const struct {
    uint64_t type;
    const char *name;
  } kinds[] = {{60000019, "function"}, {60000020, "call"}, {60000021, "block"}, {90000001, "cluster"}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].type == type) return kinds[k].name;
  return NULL;
}

static const char *region_name(struct trace *trace, uint64_t type, uint64_t value) {
  struct region *region = trace->regions;
  while (region && (region->type != type || region->value != value))
    region = region->next;
  if (region || !(region = calloc(1, sizeof *region))) return region ? region->name : NULL;
  *region = (struct region){.next = trace->regions, .type = type, .value = value};
  snprintf(region->name, sizeof region->name, "%s %llu", region_kind(type), (unsigned long long)value);
  return (trace->regions = region)->name;
}

static bool record_event(struct trace *trace, uint32_t number, struct fields *fields, struct program_operation *out) {
  struct task *task = &trace->tasks[number];
  int64_t type, value;
  if (!take_integer(fields, "type of an event", 0, INT64_MAX / 16, &type) ||
      !take_integer(fields, "value of an event", 0, INT64_MAX / 16, &value) || !take_end(fields))
    return false;
  out->kind = PROGRAM_KINDS;
  if (!region_kind((uint64_t)type) || (value == 0 && !task->regions)) return true;
  *out = (struct program_operation){.kind = value ? PROGRAM_ENTER : PROGRAM_LEAVE, .type = type, .value = value};
  if (value == 0) return task->regions--, true;
  task->regions++;
  out->name = region_name(trace, (uint64_t)type, (uint64_t)value);
  return out->name || fail(fields->error, "there is no memory");
}

static bool record_nothing(struct trace *trace, uint32_t number, struct fields *fields, struct program_operation *out) {
  (void)trace;
  (void)number;
  out->kind = PROGRAM_KINDS;
  return take_end(fields);
}

/* Each gives the operation that it is; of kind PROGRAM_KINDS: none. */
static const struct record {
  int64_t type;
  bool (*read)(struct trace *trace, uint32_t task, struct fields *fields, struct program_operation *out);
} records[] = {{0, record_nothing}, {1, record_burst},       {2, record_send},
               {3, record_receive}, {10, record_collective}, {20, record_event}};

static const struct record *record_of(int64_t type) {
  for (size_t k = 0; k < sizeof records / sizeof *records; k++)
    if (records[k].type == type) return &records[k];
  return NULL;
}

/* ---- the stream of a task ---- */

/* What a record begins with: its type and task, and the thread that is the task's only one. */
static bool record_begin(const struct trace *trace, struct fields *fields, const struct record **record,
                         uint32_t *task) {
  int64_t type, number, thread;
  const char *field = field_next(fields);
  *record = field && word_integer(field, 0, INT32_MAX, &type) ? record_of(type) : NULL;
  if (!*record) return wrong(fields, "record of a trace of Dimemas", field);
  if (!take_integer(fields, "task", 0, (int64_t)trace->base.ranks - 1, &number) ||
      !take_integer(fields, "thread of a task that has one", 0, 0, &thread))
    return false;
  *task = (uint32_t)number;
  return true;
}

/* Before its first record a task is told the communicators that it belongs to. */
static bool communicator_told(const struct trace *trace, struct task *task, uint32_t number,
                              struct program_operation *out) {
  while (task->made < trace->communicator_count) {
    uint32_t at = task->made++;
    const struct communicator *communicator = &trace->communicators[at];
    if (at == trace->world || !is_member(communicator, number)) continue;
    *out = (struct program_operation){.kind = PROGRAM_COMM_MAKE,
                                      .communicator = number_of(trace, at),
                                      .members = (const int32_t *)communicator->members,
                                      .member_count = communicator->size};
    return true;
  }
  return false;
}

static enum program_next trace_next(struct program_source *source, uint32_t number, const struct program_answer *answer,
                                    struct program_operation *out, struct program_error *error) {
  struct trace *trace = (struct trace *)source;
  (void)answer;
  if (communicator_told(trace, &trace->tasks[number], number, out)) return PROGRAM_NEXT;
  for (;;) {
    struct fields fields = {
        number < rank_lines_ranks(trace->lines) ? rank_lines_next(trace->lines, number, error) : NULL, error};
    const struct record *record;
    uint32_t task;
    if (!fields.rest) return *error->text ? PROGRAM_FAILED : PROGRAM_LAST;
    if (!record_begin(trace, &fields, &record, &task) || !record->read(trace, task, &fields, out))
      return PROGRAM_FAILED;
    if (out->kind != PROGRAM_KINDS) return PROGRAM_NEXT;
  }
}

static void trace_place(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  rank_lines_place(((const struct trace *)source)->lines, rank, out, size);
}

/* ---- opening ---- */

static void trace_close(struct program_source *source) {
  struct trace *trace = (struct trace *)source;
  for (uint32_t i = 0; trace->tasks && i < source->ranks; i++) {
    free(trace->tasks[i].pending);
    free(trace->tasks[i].free);
    free(trace->tasks[i].come);
    free(trace->tasks[i].parts);
  }
  for (uint32_t i = 0; i < trace->communicator_count; i++) {
    free(trace->communicators[i].members);
    free(trace->communicators[i].roots);
    shares_free(&trace->communicators[i].shares);
  }
  for (struct region *next, *region = trace->regions; region; region = next) {
    next = region->next;
    free(region);
  }
  free(trace->communicators);
  free(trace->tasks);
  free(trace->passed);
  rank_lines_close(trace->lines);
  free(trace);
}

static bool trace_recognise(const char *path, const char *head, size_t size) {
  static const char magic[] = "#DIMEMAS:";
  (void)path;
  return size >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0;
}

/* `TASKS(THREADS,…)`, of one thread each; what is behind it says nothing that the records do not. */
static bool tasks_read(char *text, int64_t *tasks, struct program_error *error) {
  char *list = strchr(text, '('), *end = list ? strchr(list, ')') : NULL;
  int64_t count = 0;
  if (end) *list = *end = '\0';
  if (!end || !word_integer(text, 1, RANKS_MOST, tasks))
    return fail(error, "its head does not say how many tasks there are");
  for (char *at = list + 1, *next; at; at = next, count++) {
    int64_t threads;
    next = strchr(at, ',');
    if (next) *next++ = '\0';
    if (!word_integer(at, 1, INT32_MAX, &threads))
      return fail(error, "its head does not say how many threads a task has");
    if (threads == 1) continue;
    snprintf(error->text, sizeof error->text, "task %lld has %lld threads, and can have one", (long long)count,
             (long long)threads);
    return false;
  }
  return count == *tasks || fail(error, "its head lists more or fewer tasks than it says there are");
}

/* `#DIMEMAS:"name":1,OFFSET:TASKS(THREADS,…),COMMUNICATORS`; `offsets` is 0 where the trace has none. */
static bool head_read(char *line, int64_t *tasks, int64_t *offsets, struct program_error *error) {
  char *name = strchr(line, '"'), *end = name ? strchr(name + 1, '"') : NULL;
  if (!end || end[1] != ':') return fail(error, "its head has no name in quotes");
  char *present = end + 2, *application = strchr(present, ':');
  if (!application) return fail(error, "its head does not say how many tasks there are");
  *application++ = '\0';
  *offsets = 0;
  if (strncmp(present, "1,", 2) == 0 && !word_integer(present + 2, 1, INT64_MAX / 16, offsets))
    return fail(error, "its head does not say where the offsets stand");
  if (*offsets == 0 && strcmp(present, "0") != 0 && strcmp(present, "0,0") != 0)
    return fail(error, "its head does not say where the offsets stand");
  return tasks_read(application, tasks, error);
}

/* The communicator of a message is its last field but one. */
static bool message_pass(struct trace *trace, struct fields *fields) {
  int64_t name;
  for (uint32_t left = fields_left(fields); left > 2; left--)
    field_next(fields);
  const char *field = field_next(fields);
  if (!field || !word_integer(field, 0, INT32_MAX, &name) || communicator_find(trace, name) != NO_TASK) return true;
  return communicator_implied(trace, name) || fail(fields->error, "there is no memory");
}

/* Whose is the line, while the trace is opened? Its definitions are read, and who is a root is noted. */
static int64_t task_of(void *state, const char *line, struct program_error *error) {
  struct trace *trace = state;
  char *copy = strdup(line);
  struct fields fields = {copy, error};
  const struct record *record;
  uint32_t task = 0;
  int64_t result = -1;
  if (!copy) {
    fail(error, "there is no memory");
    result = -2;
  } else if (strncmp(line, "d:", 2) == 0) {
    field_next(&fields);
    result = communicator_read(trace, &fields) ? -1 : -2;
  } else if (*line && *line != '#' && strncmp(line, "s:", 2) != 0) {
    struct collective collective;
    bool fine = record_begin(trace, &fields, &record, &task);
    if (fine && task != trace->passed_task && trace->passed[task])
      fine = fail(error, "the records of a task stand in two places");
    if (fine && (record->read == record_send || record->read == record_receive)) fine = message_pass(trace, &fields);
    if (fine && record->read == record_collective) {
      fine = collective_read(trace, task, &fields, &collective) &&
             (collective_pass(&trace->communicators[collective.communicator], task, &collective) ||
              fail(error, "there is no memory"));
    }
    if (fine) trace->passed[trace->passed_task = task] = true;
    result = fine ? (int64_t)task : -2;
  }
  free(copy);
  return result;
}

/* The offsets are those of the first records, and all there: a trace that is cut off has none. */
static bool offsets_check(const struct trace *trace, FILE *file, int64_t offsets, struct program_error *error) {
  char *line = NULL;
  size_t capacity = 0;
  bool fine = fseeko(file, offsets, SEEK_SET) == 0;
  for (uint32_t task = 0; fine && task < trace->base.ranks; task++) {
    int64_t said, offset, begin = task < rank_lines_ranks(trace->lines) ? rank_lines_begin(trace->lines, task) : -1;
    fine = getline(&line, &capacity, file) > 0;
    if (fine) line[strcspn(line, "\r\n")] = '\0';
    struct fields fields = {line, error};
    fine = fine && strcmp(field_next(&fields), "s") == 0 && take_integer(&fields, "task", task, task, &said) &&
           take_integer(&fields, "offset", 0, INT64_MAX / 16, &offset);
    if (!fine)
      snprintf(error->text, sizeof error->text,
               "there is no offset of task %u behind byte %lld, where its head says: it is cut off, or changed", task,
               (long long)offsets);
    else if (begin >= 0 && offset != begin) {
      snprintf(error->text, sizeof error->text, "the records of task %u begin at byte %lld, and its offset is %lld",
               task, (long long)begin, (long long)offset);
      fine = false;
    }
  }
  free(line);
  return fine;
}

static bool trace_fill(struct trace *trace, const char *path, FILE *file, char *line, struct program_error *error) {
  int64_t tasks, offsets;
  if (!head_read(line, &tasks, &offsets, error)) return error_at(error, path, 1), false;
  trace->base.ranks = (uint32_t)tasks;
  trace->tasks = calloc((size_t)tasks, sizeof *trace->tasks);
  trace->passed = calloc((size_t)tasks, sizeof *trace->passed);
  if (!trace->tasks || !trace->passed) return fail(error, "there is no memory for so many tasks");
  trace->lines = rank_lines_open(path, task_of, NULL, trace, error);
  if (!trace->lines) return false;
  if (offsets && !offsets_check(trace, file, offsets, error)) {
    struct program_error said = *error;
    snprintf(error->text, sizeof error->text, "%.40s: %.130s", file_name(path), said.text);
    return false;
  }
  for (uint32_t i = 0; i < trace->communicator_count; i++)
    if (trace->communicators[i].root_count)
      qsort(trace->communicators[i].roots, trace->communicators[i].root_count, sizeof(struct root), by_place);
  free(trace->passed);
  trace->passed = NULL;
  return true;
}

static struct program_source *trace_open(const char *path, struct program_error *error) {
  *error->text = '\0';
  FILE *file;
  char *line = file_head(path, &file, error);
  if (!line) return NULL;
  struct trace *trace = calloc(1, sizeof *trace);
  bool fine = trace || fail(error, "there is no memory");
  if (fine) {
    trace->base.kind = &dimemas_source;
    trace->world = trace->passed_task = NO_TASK;
    fine = trace_fill(trace, path, file, line, error);
  }
  free(line);
  fclose(file);
  if (fine) return &trace->base;
  if (trace) trace_close(&trace->base);
  return NULL;
}

const struct program_source_kind dimemas_source = {
    .name = "trace of Dimemas",
    .recognise = trace_recognise,
    .open = trace_open,
    .next = trace_next,
    .place = trace_place,
    .close = trace_close,
};
