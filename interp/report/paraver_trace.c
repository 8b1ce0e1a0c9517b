/* What each process did when, as Paraver reads it (BSC): a trace (.prv) of states, events and messages, in whole
 * nanoseconds; what its numbers mean (.pcf); and what its rows are called (.row). For psl_write_paraver. A process is a
 * task of one thread, on a node of its own; regions are the events of user functions. */
#include "evaluators/programs/paraver.h"
#include "interp/report/results.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_REGION = PARAVER_FUNCTION, TYPE_CALL = PARAVER_RUNTIME, MPI_CALLS = 64 };
enum record_kind { RECORD_STATE = 1, RECORD_EVENT, RECORD_MESSAGE }; /* as traces number them */

static const struct {
  enum paraver_state state;
  const char *name; /* Paraver's */
} states[STRETCHES] = {
    [ACTIVITY_COMPUTE] = {PARAVER_RUNNING, "Running"},
    [ACTIVITY_COMMUNICATE] = {PARAVER_OTHERS, "Others"},
    [ACTIVITY_WAIT] = {PARAVER_BLOCKED, "Blocked"},
    [WAIT_LATE_SENDER] = {PARAVER_LATE_SENDER, "Waiting a message"},
    [WAIT_LATE_RECEIVER] = {PARAVER_LATE_RECEIVER, "Blocking Send"},
    [WAIT_COLLECTIVE] = {PARAVER_GROUP, "Group Communication"},
    [WAIT_TRANSFER] = {PARAVER_TRANSFER, "Wait/WaitAll"},
    [WAIT_CONTENTION] = {PARAVER_SYNCHRONIZATION, "Thread Synchronization"},
    [WAIT_STARVED] = {PARAVER_SYNCHRONIZATION, "Thread Synchronization"},
    [WAIT_BLOCKED] = {PARAVER_SYNCHRONIZATION, "Thread Synchronization"},
};

struct record {
  int64_t begin, end; /* ns; of a message: when its send began, and it was received */
  int64_t posted;     /* of a message: when its receive began */
  enum record_kind kind;
  uint32_t process, other; /* rows; other: of a message, to whom */
  int32_t value;           /* a state; a tag; of an event the number of its name, 0: what it began is over */
  bool lasted;             /* what is over has not begun at this time */
  uint32_t type;           /* of an event */
  double bytes;
  size_t order;
};

struct event_names { /* of events of a type, numbered from 1 */
  const char **names;
  uint32_t count, capacity;
};

struct paraver {
  struct arena *arena;
  const struct results *results;
  struct record *records;
  size_t count;
  struct event_names regions, calls;
  bool used[PARAVER_OTHER - PARAVER_POINT_TO_POINT + 1][MPI_CALLS]; /* by type, and place in the table */
};

static int64_t nanoseconds(double seconds) { return llround(seconds * 1e9); }

static uint32_t row_of(const struct results *results, uint32_t instance) {
  return instance < results->instance_count ? results->process_of[instance] : UINT32_MAX;
}

static int32_t number_of(struct paraver *p, struct event_names *names, const char *name) {
  for (uint32_t k = 0; k < names->count; k++)
    if (strcmp(names->names[k], name) == 0) return (int32_t)k + 1;
  ARENA_PUSH(p->arena, names->names, names->count, names->capacity, name);
  return (int32_t)names->count;
}

static void put(struct paraver *p, struct record record) {
  record.order = p->count;
  p->records[p->count++] = record;
}

/* In the table of calls: MPI-send is MPI_Send, and so is MPI-recv-any MPI_Recv; NULL: MPI has none of that name. */
static const struct paraver_call *call_named(const char *name) {
  if (strcmp(name, "MPI-recv-any") == 0) name = "MPI-recv";
  for (const struct paraver_call *call = paraver_calls; call->value; call++) {
    size_t k = 0;
    while (name[k] && (tolower((unsigned char)name[k]) == tolower((unsigned char)call->name[k]) ||
                       (name[k] == '-' && call->name[k] == '_')))
      k++;
    if (!name[k] && !call->name[k]) return call;
  }
  return NULL;
}

static void put_span(struct paraver *p, uint32_t instance, uint32_t type, struct event_names *names, const char *name,
                     double begin, double end) {
  uint32_t row = row_of(p->results, instance);
  bool lasts = isnan(end) || nanoseconds(begin) < nanoseconds(end);
  const struct paraver_call *call = type == TYPE_CALL ? call_named(name) : NULL;
  if (row == UINT32_MAX || (!call && !lasts)) return;
  struct record record = {.begin = nanoseconds(begin), .kind = RECORD_EVENT, .process = row, .type = type};
  if (call) {
    record.type = paraver_type_of(call);
    record.value = (int32_t)call->value;
    p->used[record.type - PARAVER_POINT_TO_POINT][call - paraver_calls] = true;
  } else {
    record.value = number_of(p, names, name);
  }
  put(p, record);
  record.value = 0;
  record.lasted = lasts;
  record.begin = nanoseconds(end);
  if (!isnan(end)) put(p, record);
}

/* By time; at one time as they were put, but that what has lasted ends before anything begins. */
static int compare(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  if (x->lasted != y->lasted) return x->lasted ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Elements are in the order of their ends: from the last one on, those that enclose come before what they enclose. */
static void gather(struct paraver *p) {
  const struct trace *trace = p->results->trace;
  size_t most = trace->count + 2 * trace->element_count + 2 * trace->call_count + trace->message_count;
  p->records = ARENA_ARRAY(p->arena, struct record, most + 1);
  for (size_t e = 0; e < trace->count; e++) {
    const struct trace_event *event = &trace->events[e];
    uint32_t row = row_of(p->results, event->process);
    struct record record = {.begin = nanoseconds(event->begin),
                            .end = nanoseconds(event->end),
                            .kind = RECORD_STATE,
                            .process = row,
                            .value = states[event->activity].state};
    if (row != UINT32_MAX && record.end > record.begin) put(p, record);
  }
  for (size_t e = trace->element_count; e-- > 0;) {
    const struct trace_named *element = &trace->elements[e];
    put_span(p, element->process, TYPE_REGION, &p->regions, element->name, element->begin, element->end);
  }
  for (size_t c = 0; c < trace->call_count; c++) {
    const struct trace_call *call = &trace->calls[c];
    if (call->outer == 0) put_span(p, call->process, TYPE_CALL, &p->calls, call->name, call->begin, call->end);
  }
  for (size_t m = 0; m < trace->message_count; m++) {
    const struct trace_message *message = &trace->messages[m];
    uint32_t from = row_of(p->results, message->source), to = row_of(p->results, message->destination);
    if (message->inside || from == UINT32_MAX || to == UINT32_MAX) continue;
    put(p, (struct record){.begin = nanoseconds(message->sent),
                           .end = nanoseconds(message->received),
                           .posted = nanoseconds(message->posted),
                           .kind = RECORD_MESSAGE,
                           .process = from,
                           .other = to,
                           .value = message->tag,
                           .bytes = message->bytes});
  }
  qsort(p->records, p->count, sizeof *p->records, compare);
}

static void put_to(void *user, const char *text) { text_put(user, text); }

static void put_head(struct text *out, const struct paraver *p) {
  size_t rows = p->results->public.process_count;
  paraver_head(put_to, out, nanoseconds(p->results->end), (uint32_t)rows, 1);
  text_put(out, PARAVER_OF_RUN);
  text_printf(out, "c:1:1:%zu", rows);
  for (size_t k = 0; k < rows; k++)
    text_printf(out, ":%zu", k + 1);
  text_char(out, '\n');
}

static void put_record(struct text *out, const struct record *record) {
  uint32_t row = record->process + 1, other = record->other + 1;
  long long begin = record->begin, end = record->end;
  switch (record->kind) {
  case RECORD_STATE: text_printf(out, "1:%u:1:%u:1:%lld:%lld:%d\n", row, row, begin, end, record->value); break;
  case RECORD_EVENT: text_printf(out, "2:%u:1:%u:1:%lld:%u:%d\n", row, row, begin, record->type, record->value); break;
  case RECORD_MESSAGE:
    text_printf(out, "3:%u:1:%u:1:%lld:%lld:%u:1:%u:1:%lld:%lld:%.0f:%d\n", row, row, begin, begin, other, other,
                (long long)record->posted, end, record->bytes, record->value);
    break;
  }
}

void report_paraver(struct output *out, const struct results *results) {
  struct paraver p = {.arena = out->text.arena, .results = results};
  gather(&p);
  put_head(&out->text, &p);
  for (size_t k = 0; k < p.count; k++) {
    put_record(&out->text, &p.records[k]);
    output_pass(out);
  }
}

static void put_type(struct text *out, uint32_t type, const char *name, const struct event_names *names) {
  if (!names->count) return;
  text_printf(out, "\nEVENT_TYPE\n0 %u %s\nVALUES\n0 End\n", type, name);
  for (uint32_t k = 0; k < names->count; k++)
    text_printf(out, "%u %s\n", k + 1, names->names[k]);
}

void report_paraver_names(struct output *out, const struct results *results) {
  struct paraver p = {.arena = out->text.arena, .results = results};
  bool written[32] = {false};
  gather(&p);
  text_put(&out->text, PARAVER_NAMES_HEAD);
  for (size_t k = 0; k < STRETCHES; k++) {
    if (!written[states[k].state]) text_printf(&out->text, "%d %s\n", states[k].state, states[k].name);
    written[states[k].state] = true;
  }
  put_type(&out->text, TYPE_REGION, "User function", &p.regions);
  for (enum paraver_type type = PARAVER_POINT_TO_POINT; type <= PARAVER_OTHER; type++)
    paraver_put_calls(put_to, &out->text, type, p.used[type - PARAVER_POINT_TO_POINT]);
  put_type(&out->text, TYPE_CALL, "Call of the runtime", &p.calls);
}

void report_paraver_rows(struct output *out, const struct results *results) {
  const struct psl_results *run = &results->public;
  text_printf(&out->text, "LEVEL TASK SIZE %zu\n", run->process_count);
  for (size_t k = 0; k < run->process_count; k++)
    text_printf(&out->text, "%s\n", run->processes[k].name);
}
