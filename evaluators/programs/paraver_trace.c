/* Traces of Paraver (.prv), as Extrae writes them of programs of MPI, and PSL of runs and predictions:
 *
 *     #Paraver (DATE):TIME_ns:NODES(CPUS,…):1:TASKS(THREADS:NODE,…),COMMUNICATORS
 *     c:1:COMMUNICATOR:SIZE:TASK:…                          tasks are from 1
 *     1:CPU:1:TASK:THREAD:BEGIN:END:STATE
 *     2:CPU:1:TASK:THREAD:TIME:TYPE:VALUE[:TYPE:VALUE…]      events: a call begins, or ends by the value 0; and what
 *                                                            counters of the processor have counted since the last one
 *     3:CPU:1:TASK:THREAD:LOGICAL:PHYSICAL:CPU:1:TASK:THREAD:LOGICAL:PHYSICAL:SIZE:TAG      a message
 *
 * What lies between two calls is computing; without any calls, where the state is 1, running. A message belongs to the
 * call in which it is sent, and to that in which its receive begins; its wait is the call in which it is there. A pass
 * finds the lines of each task, and keeps communicators and who is the root of collective operations; messages are
 * sorted by task and time into a temporary file. In a trace of a run of a model states say all that time went to: what
 * a call has waited, and between calls, where else than computing, the rank sleeps. */
#include "evaluators/programs/counters.h"
#include "evaluators/programs/lists.h"
#include "evaluators/programs/paraver.h"
#include "evaluators/programs/rank_lines.h"
#include "evaluators/programs/shares.h"
#include "evaluators/programs/sorter.h"
#include "evaluators/programs/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "#Paraver "
enum { NAME_MOST = 120, REQUEST_OF_SENDS = 0 };
static const int64_t time_most = INT64_C(1000000000000000000);

struct message {
  int64_t at, there; /* when it is sent, or its receive begins; when it has been received */
  uint64_t order;
  uint32_t task, partner;
  bool received; /* by the task, or sent by it */
  int32_t tag;
  double size;
};

enum { BUFFERED = 32 };
struct messages { /* sent by a task, or received: by time, in a temporary file */
  int64_t place;
  uint64_t left; /* in the file, from that place on */
  struct message *items;
  uint32_t count, next; /* next: the first that no call has had */
};

struct communicator {
  int64_t name;
  uint32_t size, *members;
  uint32_t *roots, root_count, root_capacity; /* by place among its rooted operations; UINT32_MAX: not said */
  struct shares shares;
};

struct open_receive {
  int64_t there, request;
};

struct region { /* or a counter, of value 0 */
  int64_t type, value;
  const char *name;
};

struct state {
  int64_t begin, end, state;
};

enum counting { IN_BURST, IN_CALL, COUNTINGS };

struct task {
  struct messages sent, received;
  int64_t clock;           /* till when its time has been told */
  int64_t call, begun;     /* the call that it is in; 0: none */
  int64_t type;            /* of its event */
  int64_t lost[COUNTINGS]; /* others had the processor in what is still to be told, by enum counting */
  bool inside;             /* between MPI_Init and MPI_Finalize */
  int64_t gives, gets, communicator;
  bool root;
  struct state *states; /* of a run of a model: those that are still to be told, of its call */
  uint32_t state_count, state_capacity;
  struct program_operation *ready; /* operations that come next */
  uint32_t ready_count, ready_capacity, ready_next;
  struct open_receive *open;
  uint32_t open_count, open_capacity;
  int64_t *requests; /* of the wait in hand, */
  uint32_t request_count, request_capacity;
  int64_t *free; /* and numbers that are free again */
  uint32_t free_count, free_capacity;
  int64_t request_next;
  uint32_t *rooted; /* by communicator: how many rooted operations it has come to, */
  uint32_t *listed; /* and how many with lists */
  double *parts;    /* of the operation in hand */
  uint32_t part_room;
  uint32_t made;         /* communicators that it has been told */
  uint32_t depth;        /* regions */
  struct counts *counts; /* by enum counting; NULL: the trace has none */
  double *given;         /* those of operations that are ready */
};

struct trace {
  struct program_source base;
  struct rank_lines *lines;
  struct sorter *sorter; /* of messages, while it is opened */
  uint64_t message_count;
  FILE *messages;
  double unit; /* s */
  struct task *tasks;
  struct communicator *communicators;
  uint32_t communicator_count, communicator_capacity;
  uint32_t world;          /* UINT32_MAX: none is that of all */
  bool of_run;             /* of a model */
  bool loses;              /* states say when others had the processor */
  bool has_calls, counted; /* counted: rooted operations of communicators, which are all known then */
  struct region *regions;  /* those that have names */
  uint32_t region_count, region_capacity;
  int64_t counters[COUNTERS_MOST]; /* their types */
  uint32_t counter_count;
  struct counter_sets sets;
};

static bool fail(struct program_error *error, const char *text) {
  snprintf(error->text, sizeof error->text, "%s", text);
  return false;
}

static bool no_memory(struct program_error *error) { return fail(error, "there is no memory"); }

static bool not_sorted(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "its messages cannot be sorted: %s", strerror(errno));
  return false;
}

/* ---- fields of a line, parted by colons ---- */

static bool take(char **rest, const char *what, int64_t least, int64_t most, int64_t *out,
                 struct program_error *error) {
  char *field = *rest, *colon = field ? strchr(field, ':') : NULL;
  if (colon) *colon = '\0';
  *rest = colon ? colon + 1 : NULL;
  if (field && word_integer(field, least, most, out)) return true;
  if (field && *field)
    snprintf(error->text, sizeof error->text, "'%.40s' is no %s", field, what);
  else
    snprintf(error->text, sizeof error->text, "there is no %s", what);
  return false;
}

/* CPU, application, task and thread; *mine: it is the task's first thread, which is the rank. */
static bool take_place(const struct trace *trace, char **rest, uint32_t *task, bool *mine,
                       struct program_error *error) {
  int64_t cpu, application, number, thread;
  if (!take(rest, "processor", 0, INT32_MAX, &cpu, error) ||
      !take(rest, "application of a trace that has one", 1, 1, &application, error) ||
      !take(rest, "task", 1, trace->base.ranks, &number, error) || !take(rest, "thread", 1, INT32_MAX, &thread, error))
    return false;
  *task = (uint32_t)number - 1;
  *mine = thread == 1;
  return true;
}

static bool take_time(char **rest, int64_t *out, struct program_error *error) {
  return take(rest, "time", 0, time_most, out, error);
}

/* ---- communicators ---- */

static uint32_t communicator_find(const struct trace *trace, int64_t name) {
  uint32_t k = 0;
  while (k < trace->communicator_count && trace->communicators[k].name != name)
    k++;
  return k < trace->communicator_count ? k : UINT32_MAX;
}

static bool communicator_read(struct trace *trace, char *rest, struct program_error *error) {
  int64_t application, name, size, member;
  if (!take(&rest, "application of a trace that has one", 1, 1, &application, error) ||
      !take(&rest, "communicator", 0, INT32_MAX, &name, error) ||
      !take(&rest, "number of members", 1, trace->base.ranks, &size, error))
    return false;
  if (communicator_find(trace, name) != UINT32_MAX) return fail(error, "the communicator is defined twice");
  struct communicator made = {.name = name, .size = (uint32_t)size, .members = calloc((size_t)size, sizeof(uint32_t))};
  if (!made.members ||
      !list_grow(&trace->communicators, trace->communicator_count, &trace->communicator_capacity, sizeof made)) {
    free(made.members);
    return no_memory(error);
  }
  uint32_t at = trace->communicator_count++;
  trace->communicators[at] = made;
  bool all = size == trace->base.ranks;
  for (uint32_t k = 0; k < size; k++) {
    if (!take(&rest, "task", 1, trace->base.ranks, &member, error)) return false;
    made.members[k] = (uint32_t)member - 1;
    all = all && member == (int64_t)k + 1;
  }
  if (all && trace->world == UINT32_MAX) trace->world = at;
  return true;
}

static uint32_t number_of(const struct trace *trace, uint32_t at) {
  return at == UINT32_MAX || at == trace->world ? PROGRAM_WORLD : at + 1;
}

/* Its place among the members; the size: it is none. */
static uint32_t member_of(const struct communicator *c, uint32_t task) {
  uint32_t k = task < c->size && c->members[task] == task ? task : 0;
  while (k < c->size && c->members[k] != task)
    k++;
  return k;
}

static bool is_member(const struct communicator *c, uint32_t task) { return member_of(c, task) < c->size; }

/* ---- messages ---- */

static bool message_add(struct trace *trace, struct message message) {
  message.order = trace->message_count++;
  return trace->sorter && sorter_add(trace->sorter, &message);
}

static bool message_read(struct trace *trace, char *rest, struct program_error *error) {
  uint32_t from, to;
  bool sender, receiver;
  int64_t sent, left, posted, received, size, tag;
  if (!take_place(trace, &rest, &from, &sender, error) || !take_time(&rest, &sent, error) ||
      !take_time(&rest, &left, error) || !take_place(trace, &rest, &to, &receiver, error) ||
      !take_time(&rest, &posted, error) || !take_time(&rest, &received, error) ||
      !take(&rest, "size", 0, time_most, &size, error) || !take(&rest, "tag", INT32_MIN, INT32_MAX, &tag, error))
    return false;
  int32_t plain = tag < 0 ? 0 : (int32_t)tag;
  if (!sender || !receiver) return true;
  return (message_add(trace, (struct message){sent, received, 0, from, to, false, plain, (double)size}) &&
          message_add(trace, (struct message){posted, received, 0, to, from, true, plain, (double)size})) ||
         not_sorted(error);
}

static int by_time(const void *left, const void *right) {
  const struct message *a = left, *b = right;
  if (a->task != b->task) return a->task < b->task ? -1 : 1;
  if (a->received != b->received) return a->received ? 1 : -1;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  if (a->there != b->there) return a->there < b->there ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static bool messages_sort(struct trace *trace, struct program_error *error) {
  if (!trace->message_count) return true;
  trace->messages = temporary_file();
  bool fine = trace->messages && sorter_begin(trace->sorter);
  const struct message *m;
  for (int64_t place = 0; fine && (m = sorter_next(trace->sorter)); place += (int64_t)sizeof *m) {
    struct messages *of = m->received ? &trace->tasks[m->task].received : &trace->tasks[m->task].sent;
    if (!of->left++) of->place = place;
    fine = fwrite(m, sizeof *m, 1, trace->messages) == 1;
  }
  return (fine && !sorter_failed(trace->sorter) && fflush(trace->messages) == 0) || not_sorted(error);
}

/* The first message that no call has had; NULL: there is none. */
static const struct message *message_first(const struct trace *trace, struct messages *messages) {
  if (messages->next < messages->count) return &messages->items[messages->next];
  uint32_t count = messages->left < BUFFERED ? (uint32_t)messages->left : BUFFERED;
  if (count && !messages->items) messages->items = malloc(BUFFERED * sizeof *messages->items);
  size_t size = count * sizeof *messages->items;
  if (!count || !messages->items ||
      pread(fileno(trace->messages), messages->items, size, messages->place) != (ssize_t)size)
    return NULL;
  messages->place += (int64_t)size;
  messages->left -= count;
  messages->count = count;
  messages->next = 0;
  return messages->items;
}

/* The next message of the call; NULL: there is none. What no call has had is passed over. */
static const struct message *message_of(const struct trace *trace, struct messages *messages, int64_t begun,
                                        int64_t end) {
  const struct message *m = message_first(trace, messages);
  while (m && m->at < begun) {
    messages->next++;
    m = message_first(trace, messages);
  }
  if (!m || m->at > end) return NULL;
  messages->next++;
  return m;
}

/* ---- calls ---- */

static enum program_kind kind_of(int64_t type, int64_t value) {
  if (type > PARAVER_OTHER) return PROGRAM_KINDS;
  for (const struct paraver_call *call = paraver_calls; call->value; call++)
    if (call->value == value) return call->kind;
  return PROGRAM_KINDS;
}

static bool is_collective(enum program_kind kind) { return kind >= PROGRAM_BARRIER && kind < PROGRAM_IBARRIER; }

static bool is_rooted(enum program_kind kind) {
  return is_collective(kind) && (program_kinds[kind].fields & FIELD_ROOT);
}

static bool is_call(const struct trace *trace, int64_t type) {
  return (type >= PARAVER_POINT_TO_POINT && type <= PARAVER_LAST_CALL) || (trace->of_run && type == PARAVER_RUNTIME);
}

static bool is_region(int64_t type) { return type >= PARAVER_FUNCTION && type <= PARAVER_BLOCK; }

static bool is_counter(int64_t type) { return type >= PARAVER_COUNTER && type <= PARAVER_LAST_COUNTER; }

/* What an event says of the call that begins. */
static void event_detail(struct task *task, int64_t type, int64_t value) {
  if (type == PARAVER_SENT) task->gives = value;
  if (type == PARAVER_RECEIVED) task->gets = value;
  if (type == PARAVER_ROOT) task->root = value != 0;
  if (type == PARAVER_COMMUNICATOR) task->communicator = value;
}

static struct program_operation *operation_add(struct task *task, enum program_kind kind) {
  if (!list_grow(&task->ready, task->ready_count, &task->ready_capacity, sizeof *task->ready)) return NULL;
  struct program_operation *o = &task->ready[task->ready_count++];
  *o = (struct program_operation){.kind = kind};
  return o;
}

static bool add_send(struct task *task, enum program_kind kind, const struct message *m) {
  struct program_operation *o = operation_add(task, kind);
  if (!o) return false;
  o->destination = m ? (int32_t)m->partner : PROGRAM_NOBODY;
  o->tag = m ? m->tag : 0;
  o->bytes = m ? m->size : 0;
  o->request = REQUEST_OF_SENDS;
  return true;
}

static bool add_receive(struct task *task, enum program_kind kind, const struct message *m) {
  struct program_operation *o = operation_add(task, kind);
  if (!o) return false;
  o->source = m ? (int32_t)m->partner : PROGRAM_NOBODY;
  o->source_tag = m ? m->tag : 0;
  o->received = m ? m->size : 0;
  if (kind != PROGRAM_IRECV || !m) return true;
  if (!list_grow(&task->open, task->open_count, &task->open_capacity, sizeof *task->open)) return false;
  o->request = task->free_count ? task->free[--task->free_count] : ++task->request_next;
  task->open[task->open_count++] = (struct open_receive){m->there, o->request};
  return true;
}

/* Receives that began before are waited for where their messages are there. */
static bool add_wait(struct task *task, int64_t end, bool waits) {
  uint32_t kept = 0;
  task->request_count = 0;
  for (uint32_t k = 0; k < task->open_count; k++) {
    if (task->open[k].there > end) {
      task->open[kept++] = task->open[k];
      continue;
    }
    if (!list_grow(&task->requests, task->request_count, &task->request_capacity, sizeof *task->requests) ||
        !list_grow(&task->free, task->free_count, &task->free_capacity, sizeof *task->free))
      return false;
    task->requests[task->request_count++] = task->free[task->free_count++] = task->open[k].request;
  }
  task->open_count = kept;
  if (!waits && !task->request_count) return true;
  struct program_operation *o = operation_add(task, PROGRAM_WAITALL);
  if (!o) return false;
  o->requests = task->requests;
  o->request_count = task->request_count;
  return true;
}

/* Which of the communicator's rooted operations the task comes to with this one. */
static uint32_t rooted_place(struct task *task, uint32_t communicator) { return task->rooted[communicator]++; }

static bool add_collective(struct trace *trace, struct task *task, uint32_t rank, enum program_kind kind) {
  uint32_t at = task->communicator >= 0 ? communicator_find(trace, task->communicator) : trace->world;
  struct program_operation *o = operation_add(task, kind);
  if (!o) return false;
  if (at != UINT32_MAX && !is_member(&trace->communicators[at], rank)) at = trace->world;
  o->communicator = number_of(trace, at);
  o->bytes = (double)task->gives;
  o->received = (double)task->gets;
  o->share = (struct program_share){.known = true, .leads = task->root, .gives = o->bytes, .gets = o->received};
  if ((kind == PROGRAM_BCAST || kind == PROGRAM_SCATTER) && o->bytes < o->received) o->bytes = o->received;
  if (!is_rooted(kind) || at == UINT32_MAX) return true;
  const struct communicator *c = &trace->communicators[at];
  uint32_t place = rooted_place(task, at), root = place < c->root_count ? c->roots[place] : UINT32_MAX;
  o->root = (int32_t)(root == UINT32_MAX ? c->members[0] : root);
  return true;
}

/* The lists of the operation that comes next. */
static bool give_lists(struct trace *trace, struct task *task, uint32_t rank, struct program_operation *o) {
  if (!shares_are_of(o->kind)) return true;
  uint32_t at = o->communicator == PROGRAM_WORLD ? trace->world : o->communicator - 1;
  if (at == UINT32_MAX) return true;
  const struct communicator *c = &trace->communicators[at];
  if (task->part_room < 2 * c->size) {
    double *grown = realloc(task->parts, 2 * c->size * sizeof *grown);
    if (!grown) return false;
    task->parts = grown;
    task->part_room = 2 * c->size;
  }
  shares_give(&c->shares, c->size, task->listed[at]++, member_of(c, rank), member_of(c, (uint32_t)o->root), o,
              task->parts);
  return true;
}

/* ---- what counters of the processor have counted ---- */

static const char *region_name(const struct trace *trace, int64_t type, int64_t value) {
  for (uint32_t k = 0; k < trace->region_count; k++)
    if (trace->regions[k].type == type && trace->regions[k].value == value) return trace->regions[k].name;
  return NULL;
}

/* Its place among the trace's; COUNTERS_MOST: it is none of them. */
static uint32_t counter_place(const struct trace *trace, int64_t type) {
  uint32_t k = 0;
  while (k < trace->counter_count && trace->counters[k] != type)
    k++;
  return k < trace->counter_count ? k : COUNTERS_MOST;
}

static const char *name_of(const void *user, uint32_t counter) {
  const struct trace *trace = user;
  const char *name = region_name(trace, trace->counters[counter], 0);
  return name ? name : "?";
}

static bool give(struct trace *trace, struct task *task, struct program_operation *o, enum counting counting) {
  return !task->counts ||
         counts_give(&trace->sets, &task->counts[counting], o, task->given + counting * COUNTERS_MOST, name_of, trace);
}

/* What stands in a line with the end of a call, or in one during it, is the call's; all else is the burst's. */
static bool count(const struct trace *trace, struct task *task, int64_t type, int64_t value, enum counting counting) {
  uint32_t place = counter_place(trace, type);
  if (place == COUNTERS_MOST || value < 0) return true;
  if (!task->counts) task->counts = calloc(COUNTINGS, sizeof *task->counts);
  if (!task->given) task->given = calloc(COUNTINGS * COUNTERS_MOST, sizeof *task->given);
  if (!task->counts || !task->given) return false;
  counts_add(&task->counts[counting], place, (double)value);
  return true;
}

/* The next message that begins in a call of no send or receive of its own. What begins where a wait ends is of the call
 * behind it, but for a receive that has its message then. */
static const struct message *message_inside(const struct trace *trace, struct messages *messages, bool waits,
                                            int64_t begun, int64_t end) {
  const struct message *m = message_first(trace, messages);
  bool behind = m && m->at == end && (waits || begun < end) && !(m->received && m->there <= end);
  return behind ? NULL : message_of(trace, messages, begun, end);
}

static bool add_messages(const struct trace *trace, struct task *task, enum program_kind kind, int64_t begun,
                         int64_t end) {
  unsigned fields = kind == PROGRAM_KINDS ? 0 : program_kinds[kind].fields;
  bool sends = fields & FIELD_OUT, receives = (fields & FIELD_IN) && kind != PROGRAM_PROBE && kind != PROGRAM_IPROBE;
  const struct message *m;
  bool fine = true;
  if (kind == PROGRAM_SENDRECV) {
    const struct message *in = message_of(trace, &task->received, begun, end), *out = NULL;
    struct message got = in ? *in : (struct message){0};
    out = message_of(trace, &task->sent, begun, end);
    fine = add_send(task, kind, out);
    struct program_operation *o = fine ? &task->ready[task->ready_count - 1] : NULL;
    if (o) o->source = in ? (int32_t)got.partner : PROGRAM_NOBODY;
    if (o && in) o->source_tag = got.tag, o->received = got.size;
    return fine;
  }
  if (sends) fine = add_send(task, kind, message_of(trace, &task->sent, begun, end));
  if (receives) fine = add_receive(task, kind, message_of(trace, &task->received, begun, end));
  if (sends || receives) return fine;
  bool waits = fields != 0;
  while (fine && (m = message_inside(trace, &task->sent, waits, begun, end)))
    fine = add_send(task, PROGRAM_ISEND, m);
  while (fine && (m = message_inside(trace, &task->received, waits, begun, end)))
    fine = add_receive(task, PROGRAM_IRECV, m);
  return fine && add_wait(task, end, true);
}

static bool add_sleep(const struct trace *trace, struct task *task, int64_t end) {
  if (end <= task->clock) return true;
  struct program_operation *o = operation_add(task, PROGRAM_SLEEP);
  if (o) o->duration = o->took = (double)(end - task->clock) * trace->unit;
  task->clock = end;
  return o;
}

static bool add_compute(struct trace *trace, struct task *task, int64_t begin, int64_t end) {
  if (end <= begin) return true;
  struct program_operation *o = operation_add(task, PROGRAM_COMPUTE);
  int64_t lost = task->lost[IN_BURST] < end - begin ? task->lost[IN_BURST] : end - begin;
  task->lost[IN_BURST] = 0;
  if (o) o->took = (double)(end - begin) * trace->unit;
  if (o) o->work = (double)(end - begin - lost) * trace->unit;
  return o && give(trace, task, o, IN_BURST);
}

/* What the task did from `clock` to `end`, in no call: computing, or in a trace of a run what states say. */
static bool add_between(struct trace *trace, struct task *task, int64_t end) {
  if (!trace->of_run) return add_compute(trace, task, task->clock, end);
  uint32_t kept = 0;
  bool fine = true;
  for (uint32_t k = 0; fine && k < task->state_count; k++) {
    struct state state = task->states[k];
    int64_t begin = state.begin, over = state.end < end ? state.end : end;
    if (state.end > end) { /* calls of no length leave it whole */
      state.begin = begin < end ? end : begin;
      task->states[kept++] = state;
    }
    if (state.state != PARAVER_RUNNING || over <= begin || over <= task->clock) continue;
    fine = add_sleep(trace, task, begin) && add_compute(trace, task, task->clock, over);
    task->clock = over;
  }
  task->state_count = kept;
  return fine && add_sleep(trace, task, end);
}

/* A call that took some time has all states from its beginning on. What it has waited for others is known where these
 * say of all waiting what it was for. */
static void give_states(struct task *task, int64_t end, double unit, struct program_operation *o) {
  int64_t waited = 0;
  bool divided = true;
  if (end == task->begun) return;
  for (uint32_t k = 0; k < task->state_count; k++) {
    const struct state *state = &task->states[k];
    bool waits =
        state->state == PARAVER_LATE_SENDER || state->state == PARAVER_LATE_RECEIVER || state->state == PARAVER_GROUP;
    divided &= state->state != PARAVER_BLOCKED;
    waited += waits ? state->end - state->begin : 0;
  }
  task->state_count = 0;
  o->divided = divided;
  o->waited = (double)waited * unit;
}

/* The call has ended: what was before it, and what it is. All of its time is the last operation's. */
static bool call_end(struct trace *trace, struct task *task, uint32_t rank, int64_t end) {
  enum program_kind kind = kind_of(task->type, task->call);
  bool fine = add_between(trace, task, task->begun);
  if (fine && (kind == PROGRAM_INIT || kind == PROGRAM_FINALIZE))
    fine = operation_add(task, kind);
  else if (fine && is_collective(kind))
    fine = add_collective(trace, task, rank, kind);
  else if (fine)
    fine = add_messages(trace, task, kind, task->begun, end);
  struct program_operation *last = fine ? &task->ready[task->ready_count - 1] : NULL;
  if (last) last->took = (double)(end - task->begun) * trace->unit;
  if (last) last->lost = (double)task->lost[IN_CALL] * trace->unit;
  task->lost[IN_CALL] = 0;
  if (last && trace->of_run) give_states(task, end, trace->unit, last);
  if (last) fine = give(trace, task, last, IN_CALL);
  task->clock = end;
  task->call = 0;
  return fine;
}

static void call_begin(struct task *task, int64_t type, int64_t value, int64_t time) {
  enum program_kind kind = kind_of(type, value);
  if (kind == PROGRAM_INIT || kind == PROGRAM_FINALIZE) task->inside = kind == PROGRAM_INIT;
  task->type = type;
  task->call = value;
  task->begun = time;
  task->gives = task->gets = 0;
  task->communicator = -1;
  task->root = false;
}

static bool region_event(struct trace *trace, struct task *task, int64_t type, int64_t value, int64_t time) {
  if (!value && !task->depth) return true;
  if (!task->call && !add_between(trace, task, time)) return false;
  if (!task->call && time > task->clock) task->clock = time;
  struct program_operation *o = operation_add(task, value ? PROGRAM_ENTER : PROGRAM_LEAVE);
  if (!o) return false;
  o->type = type;
  o->value = value;
  if (value) o->name = region_name(trace, type, value);
  task->depth += value ? 1 : -1u;
  return true;
}

/* ---- lines of a task ---- */

/* Those of a line come before what else it says, since what they have counted ends there. Behind the end of a call, at
 * that time, they are nobody's: it has been given away. */
static bool counts_read(const struct trace *trace, struct task *task, char *rest, int64_t time) {
  struct program_error none;
  int64_t type, value;
  bool ends = false, fine = true;
  char *line = trace->counter_count && rest ? strdup(rest) : NULL, *at = line;
  while (at && take(&at, "", 0, time_most, &type, &none) && take(&at, "", INT64_MIN, INT64_MAX, &value, &none))
    ends |= is_call(trace, type) && task->call && value != task->call;
  enum counting counting = task->call && (ends || time > task->begun) ? IN_CALL : IN_BURST;
  if (line) strcpy(line, rest);
  at = task->call || time > task->clock || !task->clock ? line : NULL;
  while (fine && at && take(&at, "", 0, time_most, &type, &none) && take(&at, "", INT64_MIN, INT64_MAX, &value, &none))
    if (is_counter(type)) fine = count(trace, task, type, value, counting);
  free(line);
  return fine && (line || !trace->counter_count || !rest);
}

/* Details of a call stand in the line of its beginning, before or behind it. */
static bool events_read(struct trace *trace, struct task *task, uint32_t rank, char *rest,
                        struct program_error *error) {
  int64_t time, type, value;
  if (!take_time(&rest, &time, error)) return false;
  if (time < task->clock || (task->call && time < task->begun)) return fail(error, "its time goes back");
  if (trace->has_calls && !counts_read(trace, task, rest, time)) return no_memory(error);
  char *details = rest ? strdup(rest) : NULL, *at = details;
  if (rest && !details) return no_memory(error);
  bool fine = true;
  do {
    fine = take(&rest, "type of an event", 0, time_most, &type, error) &&
           take(&rest, "value of an event", INT64_MIN, INT64_MAX, &value, error);
    if (!fine) break;
    if (is_call(trace, type) && task->call && (value == 0 || value != task->call))
      fine = call_end(trace, task, rank, time) || no_memory(error);
    if (is_call(trace, type) && value > 0) call_begin(task, type, value, time);
    if (fine && is_region(type)) fine = region_event(trace, task, type, value, time) || no_memory(error);
  } while (fine && rest);
  while (fine && at && task->call && task->begun == time) {
    struct program_error none;
    if (!take(&at, "", 0, time_most, &type, &none) || !take(&at, "", INT64_MIN, INT64_MAX, &value, &none)) break;
    if (value >= 0) event_detail(task, type, value);
  }
  free(details);
  return fine;
}

/* A state of a trace of a run of a model: before it all is known that was in no call. */
static bool state_keep(struct trace *trace, struct task *task, struct state state) {
  if (state.end == state.begin) return true;
  if (!task->call && state.begin > task->clock && !add_between(trace, task, state.begin)) return false;
  if (!list_grow(&task->states, task->state_count, &task->state_capacity, sizeof state)) return false;
  task->states[task->state_count++] = state;
  return true;
}

static bool state_read(struct trace *trace, struct task *task, char *rest, struct program_error *error) {
  int64_t begin, end, state;
  if (!take_time(&rest, &begin, error) || !take_time(&rest, &end, error) ||
      !take(&rest, "state", 0, INT32_MAX, &state, error))
    return false;
  bool lost = trace->loses && trace->has_calls && state == PARAVER_LOST;
  if (!trace->of_run && !lost && (trace->has_calls || state != PARAVER_RUNNING)) return true;
  if (end < begin) return fail(error, "its time goes back");
  if (lost) task->lost[task->call ? IN_CALL : IN_BURST] += end - begin;
  if (lost) return true;
  if (trace->of_run) return state_keep(trace, task, (struct state){begin, end, state}) || no_memory(error);
  return add_compute(trace, task, begin, end) || no_memory(error);
}

static bool communicator_told(const struct trace *trace, struct task *task, uint32_t rank,
                              struct program_operation *out) {
  while (task->made < trace->communicator_count) {
    const struct communicator *c = &trace->communicators[task->made++];
    if (task->made - 1 == trace->world || !is_member(c, rank)) continue;
    *out = (struct program_operation){.kind = PROGRAM_COMM_MAKE,
                                      .communicator = task->made,
                                      .members = (const int32_t *)c->members,
                                      .member_count = c->size};
    return true;
  }
  return false;
}

static enum program_next trace_next(struct program_source *source, uint32_t rank, const struct program_answer *answer,
                                    struct program_operation *out, struct program_error *error) {
  struct trace *trace = (struct trace *)source;
  struct task *task = &trace->tasks[rank];
  (void)answer;
  if (communicator_told(trace, task, rank, out)) return PROGRAM_NEXT;
  while (task->ready_next == task->ready_count) {
    task->ready_next = task->ready_count = 0;
    char *line = rank < rank_lines_ranks(trace->lines) ? rank_lines_next(trace->lines, rank, error) : NULL;
    uint32_t number;
    bool mine;
    if (!line && !*error->text && task->state_count && !task->call) {
      if (!add_between(trace, task, task->states[task->state_count - 1].end)) return no_memory(error), PROGRAM_FAILED;
      continue;
    }
    if (!line) return *error->text ? PROGRAM_FAILED : PROGRAM_LAST;
    char *rest = line + 2, kind = *line;
    if (!take_place(trace, &rest, &number, &mine, error)) return PROGRAM_FAILED;
    if (!(kind == '2' ? events_read(trace, task, rank, rest, error) : state_read(trace, task, rest, error)))
      return PROGRAM_FAILED;
  }
  *out = task->ready[task->ready_next++];
  return give_lists(trace, task, rank, out) ? PROGRAM_NEXT : (no_memory(error), PROGRAM_FAILED);
}

/* Parts of traces can be replayed, too; so this is no error, and one warning for all ranks. */
static bool trace_remark(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  const struct task *task = &((const struct trace *)source)->tasks[rank];
  if (task->call || task->inside)
    snprintf(out, size, "%s: the trace is cut off, or it is a part of one",
             task->call ? "a call has begun, and not ended" : "there is MPI_Init, and no MPI_Finalize");
  return task->call || task->inside;
}

static void trace_place(const struct program_source *source, uint32_t rank, char *out, size_t size) {
  rank_lines_place(((const struct trace *)source)->lines, rank, out, size);
}

/* ---- opening ---- */

static bool root_note(struct communicator *c, uint32_t place, uint32_t task) {
  while (c->root_count <= place) {
    if (!list_grow(&c->roots, c->root_count, &c->root_capacity, sizeof *c->roots)) return false;
    c->roots[c->root_count++] = UINT32_MAX;
  }
  c->roots[place] = task;
  return true;
}

static bool region_add(struct trace *trace, int64_t type, int64_t value, const char *name) {
  struct region region = {type, value, strndup(name, NAME_MOST)};
  if (region.name && list_grow(&trace->regions, trace->region_count, &trace->region_capacity, sizeof region)) {
    trace->regions[trace->region_count++] = region;
    return true;
  }
  free((char *)region.name);
  return false;
}

static bool counter_name_by_number(struct trace *trace, int64_t type) {
  char number[24];
  snprintf(number, sizeof number, "%lld", (long long)type);
  return region_add(trace, type, 0, number);
}

static bool places_begin(const struct trace *trace, struct task *task) {
  if (!task->rooted) task->rooted = calloc(trace->communicator_count + 1, sizeof *task->rooted);
  if (!task->listed) task->listed = calloc(trace->communicator_count + 1, sizeof *task->listed);
  return task->rooted && task->listed;
}

static void places_end(struct task *task) {
  free(task->rooted);
  free(task->listed);
  task->rooted = task->listed = NULL;
}

/* Are there calls, and who is the root of the collective operation that begins, what does each give and get? */
static bool events_pass(struct trace *trace, uint32_t rank, char *rest, struct program_error *error) {
  struct task *task = &trace->tasks[rank];
  struct program_error none;
  int64_t time, type, value, call = 0;
  if (!take_time(&rest, &time, error)) return false;
  task->gives = task->gets = 0;
  task->communicator = -1;
  task->root = false;
  while (rest && take(&rest, "", 0, time_most, &type, &none) && take(&rest, "", INT64_MIN, INT64_MAX, &value, &none)) {
    if (is_call(trace, type)) trace->has_calls = true;
    if (is_counter(type) && counter_place(trace, type) == COUNTERS_MOST) {
      if (trace->counter_count == COUNTERS_MOST) return fail(error, "it has more than 64 hardware counters");
      trace->counters[trace->counter_count++] = type;
      if (!region_name(trace, type, 0) && !counter_name_by_number(trace, type)) return no_memory(error);
    }
    if (type == PARAVER_COLLECTIVE && value > 0) call = value;
    event_detail(task, type, value);
  }
  enum program_kind kind = call ? kind_of(PARAVER_COLLECTIVE, call) : PROGRAM_KINDS;
  if (kind == PROGRAM_KINDS || !is_collective(kind)) return true;
  bool rooted = is_rooted(kind), listed = shares_are_of(kind);
  if (!rooted && !listed) return true;
  uint32_t at = task->communicator >= 0 ? communicator_find(trace, task->communicator) : trace->world;
  if (at != UINT32_MAX && !is_member(&trace->communicators[at], rank)) at = trace->world;
  if (at == UINT32_MAX) return true;
  trace->counted = true;
  if (!places_begin(trace, task)) return no_memory(error);
  struct communicator *c = &trace->communicators[at];
  struct share share = {(double)task->gives, (double)task->gets};
  if (listed && !shares_note(&c->shares, c->size, task->listed[at]++, member_of(c, rank), share))
    return no_memory(error);
  uint32_t place = rooted ? rooted_place(task, at) : 0;
  return !rooted || !task->root || root_note(c, place, rank) || no_memory(error);
}

static void communicators_free(struct trace *trace) {
  for (uint32_t k = 0; k < trace->communicator_count; k++) {
    free(trace->communicators[k].members);
    free(trace->communicators[k].roots);
    shares_free(&trace->communicators[k].shares);
  }
  trace->communicator_count = 0;
}

/* All lines are passed again where those of several tasks are mixed: nothing has been read. */
static void pass_begin(struct trace *trace) {
  communicators_free(trace);
  trace->world = UINT32_MAX;
  trace->has_calls = trace->counted = false;
  trace->message_count = 0;
  sorter_close(trace->sorter);
  trace->sorter = sorter_open(sizeof(struct message), SORTER_MEMORY, by_time);
  for (uint32_t k = 0; k < trace->base.ranks; k++)
    places_end(&trace->tasks[k]);
}

/* Whose is the line, while the trace is opened? */
static int64_t task_of(void *state, const char *line, struct program_error *error) {
  struct trace *trace = state;
  uint32_t task = 0;
  bool mine = false, fine = true;
  char *copy = strdup(line), *rest = copy ? copy + 2 : NULL;
  if (!copy) return no_memory(error), -2;
  if (strncmp(line, HEAD, sizeof HEAD - 1) == 0) pass_begin(trace);
  if (strncmp(line, PARAVER_OF_RUN, sizeof PARAVER_OF_RUN - 2) == 0) trace->of_run = true;
  if (strncmp(line, PARAVER_LOSES, sizeof PARAVER_LOSES - 2) == 0) trace->loses = true;
  if (strncmp(line, "c:", 2) == 0)
    fine =
        trace->counted ? fail(error, "communicators stand before all events") : communicator_read(trace, rest, error);
  else if (strncmp(line, "3:", 2) == 0)
    fine = message_read(trace, rest, error);
  else if (strncmp(line, "1:", 2) == 0 || strncmp(line, "2:", 2) == 0) {
    fine = take_place(trace, &rest, &task, &mine, error);
    if (fine && mine && *line == '2') fine = events_pass(trace, task, rest, error);
  } else if (*line && *line != '#' && strncmp(line, "i:", 2) != 0)
    fine = fail(error, "it is no record of a trace of Paraver");
  free(copy);
  return !fine ? -2 : mine ? (int64_t)task : -1;
}

bool paraver_is_of_run(const char *path) {
  FILE *file = fopen(path, "re");
  char *line = NULL;
  size_t room = 0;
  bool is = file && getline(&line, &room, file) > 0 && strncmp(line, HEAD, sizeof HEAD - 1) == 0 &&
            getline(&line, &room, file) > 0 && strcmp(line, PARAVER_OF_RUN) == 0;
  free(line);
  if (file) fclose(file);
  return is;
}

/* `#Paraver (DATE):TIME_ns:NODES(…):1:TASKS(THREADS:NODE,…),…`: of times without a unit it is 1 us. */
static bool head_read(struct trace *trace, const char *line, struct program_error *error) {
  const char *at = strstr(line, "):"), *end;
  unsigned long tasks, applications;
  if (!at) return fail(error, "its head has no date in brackets");
  size_t digits = strspn(at + 2, "0123456789");
  trace->unit = strncmp(at + 2 + digits, "_ns", 3) == 0 ? 1e-9 : 1e-6;
  at = strchr(at + 2, ':');
  if (at && (end = strpbrk(at + 1, "(:")) && *end == '(') at = strchr(end, ')');
  at = at ? strchr(at + 1, ':') : NULL;
  if (!at || sscanf(at, ":%lu:%lu(", &applications, &tasks) != 2)
    return fail(error, "its head does not say how many tasks there are");
  if (applications != 1) return fail(error, "it has more than one application");
  if (!tasks || tasks > RANKS_MOST) return fail(error, "its number of tasks is out of range");
  trace->base.ranks = (uint32_t)tasks;
  return true;
}

static void trace_close(struct program_source *source) {
  struct trace *trace = (struct trace *)source;
  for (uint32_t k = 0; trace->tasks && k < source->ranks; k++) {
    struct task *task = &trace->tasks[k];
    free(task->sent.items);
    free(task->received.items);
    free(task->states);
    free(task->ready);
    free(task->open);
    free(task->requests);
    free(task->free);
    places_end(task);
    free(task->parts);
    free(task->counts);
    free(task->given);
  }
  counter_sets_free(&trace->sets);
  communicators_free(trace);
  for (uint32_t k = 0; k < trace->region_count; k++)
    free((char *)trace->regions[k].name);
  free(trace->regions);
  free(trace->communicators);
  free(trace->tasks);
  rank_lines_close(trace->lines);
  sorter_close(trace->sorter);
  if (trace->messages) fclose(trace->messages);
  free(trace);
}

/* X.pcf beside X.prv; NULL: no memory. */
static char *names_path(const char *path) {
  size_t length = strlen(path);
  char *names = malloc(length + 5);
  if (!names) return NULL;
  if (length > 4 && strcmp(path + length - 4, ".prv") == 0) length -= 4;
  memcpy(names, path, length);
  strcpy(names + length, ".pcf");
  return names;
}

/* Names of regions and counters; a trace may come without. Blocks begin with EVENT_TYPE, their values with VALUES. */
static bool names_read(struct trace *trace, const char *path) {
  char *names = names_path(path), *line = NULL;
  FILE *file = names ? fopen(names, "re") : NULL;
  size_t capacity = 0;
  int64_t type = 0, number;
  bool fine = names, values = false;
  while (fine && file && getline(&line, &capacity, file) > 0) {
    line[strcspn(line, "\r\n")] = '\0';
    char *rest = line, *word = word_next(&rest);
    if (!word) continue;
    if (strcmp(word, "EVENT_TYPE") == 0)
      type = 0, values = false;
    else if (strcmp(word, "VALUES") == 0)
      values = true;
    else if (values && is_region(type) && word_integer(word, 1, time_most, &number)) {
      const char *name = rest ? rest + strspn(rest, " \t") : "";
      fine = region_add(trace, type, number, *name ? name : word);
    } else if (!values && (word = word_next(&rest)) && !word_integer(word, 0, time_most, &type))
      type = 0;
    else if (!values && is_counter(type) && rest[strspn(rest, " \t")])
      fine = region_add(trace, type, 0, rest + strspn(rest, " \t"));
  }
  free(line);
  if (file) fclose(file);
  free(names);
  return fine;
}

static bool trace_fill(struct trace *trace, const char *path, const char *head, struct program_error *error) {
  if (!head_read(trace, head, error)) return error_at(error, path, 1), false;
  trace->world = UINT32_MAX;
  trace->tasks = calloc(trace->base.ranks, sizeof *trace->tasks);
  if (!trace->tasks || !names_read(trace, path)) return no_memory(error);
  trace->lines = rank_lines_open(path, task_of, NULL, trace, error);
  if (!trace->lines || !messages_sort(trace, error)) return false;
  sorter_close(trace->sorter);
  trace->sorter = NULL;
  for (uint32_t k = 0; k < trace->base.ranks; k++) {
    struct task *task = &trace->tasks[k];
    places_end(task);
    if (!places_begin(trace, task)) return no_memory(error);
  }
  return true;
}

static struct program_source *trace_open(const char *path, struct program_error *error) {
  *error->text = '\0';
  FILE *file;
  char *line = file_head(path, &file, error);
  if (!line) return NULL;
  struct trace *trace = calloc(1, sizeof *trace);
  bool fine = trace || no_memory(error);
  if (fine) {
    trace->base.kind = &paraver_source;
    fine = trace_fill(trace, path, line, error);
  }
  free(line);
  fclose(file);
  if (fine) return &trace->base;
  if (trace) trace_close(&trace->base);
  return NULL;
}

static bool trace_recognise(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= sizeof HEAD - 1 && memcmp(head, HEAD, sizeof HEAD - 1) == 0;
}

static void trace_files(const char *path, program_take_file *take_file, void *user) {
  char *names = names_path(path);
  FILE *file = names ? fopen(names, "re") : NULL;
  if (file) take_file(user, names);
  if (file) fclose(file);
  free(names);
}

const struct program_source_kind paraver_source = {
    .name = "trace of Paraver",
    .recognise = trace_recognise,
    .open = trace_open,
    .files = trace_files,
    .next = trace_next,
    .remark = trace_remark,
    .place = trace_place,
    .close = trace_close,
};
