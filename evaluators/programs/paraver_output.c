/* Traces of Paraver (.prv, with .pcf and .row beside it) as a format that traces with times are converted to. All
 * records are sorted by time; those of a rank stay in its order, in which calls begin and end. */
#include "evaluators/programs/history.h"
#include "evaluators/programs/lists.h"
#include "evaluators/programs/outputs.h"
#include "evaluators/programs/paraver.h"
#include "evaluators/programs/sorter.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum record_kind { RECORD_STATE = 1, RECORD_EVENT, RECORD_MESSAGE };

struct record {
  int64_t time, end; /* ns; end: of a state; of a message when it was received */
  uint64_t order;
  enum record_kind kind;
  uint32_t rank, other;
  int64_t type, value; /* of an event; of a state its number; of a message its tag, and when its receive began */
  double bytes, received;
  uint32_t communicator; /* of a collective operation, from 1; 0: the event is of none */
  bool root;
};

struct paraver {
  struct trace_output output;
  const char *path, *name;
  struct sorter *records;
  uint64_t count;
  char **counters; /* names */
  uint32_t counter_count, counter_capacity;
  struct members {
    int32_t *ranks; /* NULL: not known */
    uint32_t count;
  } * communicators; /* but that of all */
  size_t communicator_count;
  bool used[PARAVER_OTHER - PARAVER_POINT_TO_POINT + 1][64]; /* by type, and place in the table */
  bool loses;                                                /* others had the processor */
  bool failed;
};

static const int states[SPENT_KINDS] = {
    [SPENT_COMPUTE] = 1, [SPENT_LOST] = PARAVER_LOST, [SPENT_TRANSFER] = 8,
    [SPENT_WAIT] = 3,    [SPENT_COLLECTIVE] = 13,     [SPENT_OTHER] = 15,
};
static const char *const state_names[SPENT_KINDS] = {
    [SPENT_COMPUTE] = "Running",        [SPENT_LOST] = "Scheduling and Fork/Join",  [SPENT_TRANSFER] = "Wait/WaitAll",
    [SPENT_WAIT] = "Waiting a message", [SPENT_COLLECTIVE] = "Group Communication", [SPENT_OTHER] = "Others",
};

static int64_t nanoseconds(double seconds) { return llround(seconds * 1e9); }

static void put(struct paraver *p, struct record record) {
  record.order = p->count++;
  if (!p->failed && !sorter_add(p->records, &record)) p->failed = true;
}

/* ---- takers ---- */

static void take_span(void *user, const struct history_span *span) {
  struct paraver *p = user;
  struct record record = {.time = nanoseconds(span->begin),
                          .end = nanoseconds(span->end),
                          .kind = RECORD_STATE,
                          .rank = span->rank,
                          .value = states[span->spent]};
  if (record.end <= record.time) return;
  p->loses |= span->spent == SPENT_LOST;
  put(p, record);
}

static void take_message(void *user, const struct history_message *m) {
  put(user, (struct record){.time = nanoseconds(m->sent),
                            .end = nanoseconds(m->received),
                            .kind = RECORD_MESSAGE,
                            .rank = m->from,
                            .other = m->to,
                            .type = m->tag,
                            .value = nanoseconds(m->posted),
                            .bytes = m->bytes});
}

static const struct paraver_call *call_of(enum program_kind kind) {
  for (const struct paraver_call *call = paraver_calls; call->value; call++)
    if (call->kind == kind) return call;
  return NULL;
}

static void keep_members(struct paraver *p, const struct program_operation *o) {
  struct members *grown =
      table_grown(p->communicators, o->communicator, &p->communicator_count, sizeof *p->communicators);
  if (!grown || (p->communicators = grown, grown[o->communicator].ranks)) {
    p->failed |= !grown;
    return;
  }
  struct members *members = &grown[o->communicator];
  members->ranks = malloc((o->member_count + 1) * sizeof *members->ranks);
  p->failed |= !members->ranks;
  if (members->ranks) memcpy(members->ranks, o->members, o->member_count * sizeof *members->ranks);
  members->count = members->ranks ? o->member_count : 0;
}

static int32_t first_of(const struct paraver *p, uint32_t communicator) {
  bool known = communicator < p->communicator_count && p->communicators[communicator].count;
  return known ? p->communicators[communicator].ranks[0] : 0;
}

/* Which number among the trace's counters it gets. */
static uint32_t counter_number(struct paraver *p, const char *name, size_t size) {
  uint32_t k = 0;
  while (k < p->counter_count && (strncmp(p->counters[k], name, size) != 0 || p->counters[k][size]))
    k++;
  if (k < p->counter_count) return k;
  char *copy = strndup(name, size);
  if (!copy || !list_grow(&p->counters, k, &p->counter_capacity, sizeof *p->counters))
    return free(copy), p->failed = true, 0;
  p->counters[p->counter_count++] = copy;
  return k;
}

/* Before the record that ends in which they have counted. */
static void put_counts(struct paraver *p, uint32_t rank, double end, const struct program_operation *o) {
  for (uint32_t k = 0; k < o->counted; k++) {
    size_t size;
    const char *name = program_counter(o, k, &size);
    int64_t type = PARAVER_OWN_COUNTER + (size ? counter_number(p, name, size) : 0);
    put(p, (struct record){.time = nanoseconds(end),
                           .kind = RECORD_EVENT,
                           .rank = rank,
                           .type = type,
                           .value = llround(o->counts[k])});
  }
}

static void put_call(struct paraver *p, const struct paraver_call *call, uint32_t rank, double begin, double end,
                     const struct program_operation *o) {
  int64_t type = paraver_type_of(call);
  struct record record = {
      .time = nanoseconds(begin), .kind = RECORD_EVENT, .rank = rank, .type = type, .value = call->value};
  p->used[type - PARAVER_POINT_TO_POINT][call - paraver_calls] = true;
  if (type == PARAVER_COLLECTIVE) {
    struct program_share share = program_share(o, (int32_t)rank, first_of(p, o->communicator));
    record.communicator = o->communicator + 1;
    record.bytes = share.gives;
    bool known = o->communicator < p->communicator_count && p->communicators[o->communicator].count;
    const struct members *members = known ? &p->communicators[o->communicator] : NULL;
    record.received =
        program_own_part(o, (int32_t)rank, members ? members->ranks : NULL, members ? members->count : 0, share.gets);
    record.root = (program_kinds[o->kind].fields & FIELD_ROOT) && o->root == (int32_t)rank;
  }
  put(p, record);
  put_counts(p, rank, end, o);
  put(p, (struct record){.time = nanoseconds(end), .kind = RECORD_EVENT, .rank = rank, .type = type});
}

/* Of operations that have no number: does something of MPI's stay away with it? */
static bool is_call_left_out(enum program_kind kind) {
  return kind != PROGRAM_COMM_MAKE && kind != PROGRAM_COMM_FREE &&
         program_kinds[kind].fields & (FIELD_OUT | FIELD_IN | FIELD_COMMUNICATOR);
}

static void take_operation(void *user, uint32_t rank, double begin, double end, uint32_t region,
                           const struct program_operation *o) {
  struct paraver *p = user;
  const struct paraver_call *call = call_of(o->kind);
  bool leaves = o->kind == PROGRAM_LEAVE;
  if (o->kind == PROGRAM_COMM_MAKE) keep_members(p, o);
  if (o->kind == PROGRAM_SLEEP) trace_output_lost(&p->output, "sleep: it is computed");
  if (program_kinds[o->kind].fields & FIELD_WORK) put_counts(p, rank, end, o);
  if (call)
    put_call(p, call, rank, begin, end, o);
  else if (o->kind == PROGRAM_ENTER || leaves)
    put(p, (struct record){.time = nanoseconds(begin),
                           .kind = RECORD_EVENT,
                           .rank = rank,
                           .type = PARAVER_FUNCTION,
                           .value = leaves ? 0 : (int64_t)region});
  else if (is_call_left_out(o->kind))
    trace_output_lost(&p->output, "calls that its numbers of MPI's do not have: left out");
}

/* ---- writing ---- */

static int by_time(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void put_to(void *user, const char *text) { fputs(text, user); }

static void put_communicators(FILE *file, const struct paraver *p) {
  fprintf(file, "c:1:1:%u", p->output.ranks);
  for (uint32_t rank = 0; rank < p->output.ranks; rank++)
    fprintf(file, ":%u", rank + 1);
  fputc('\n', file);
  for (size_t c = 1; c < p->communicator_count; c++) {
    const struct members *members = &p->communicators[c];
    if (!members->ranks) continue;
    fprintf(file, "c:1:%zu:%u", c + 1, members->count);
    for (uint32_t k = 0; k < members->count; k++)
      fprintf(file, ":%d", members->ranks[k] + 1);
    fputc('\n', file);
  }
}

static void put_record(FILE *file, const struct record *r) {
  uint32_t row = r->rank + 1, other = r->other + 1;
  long long time = r->time, end = r->end, type = r->type, value = r->value;
  fprintf(file, "%d:%u:1:%u:1:%lld", r->kind, row, row, time);
  if (r->kind == RECORD_STATE) fprintf(file, ":%lld:%lld", end, value);
  if (r->kind == RECORD_MESSAGE)
    fprintf(file, ":%lld:%u:1:%u:1:%lld:%lld:%.0f:%lld", time, other, other, value, end, r->bytes, type);
  if (r->kind == RECORD_EVENT) fprintf(file, ":%lld:%lld", type, value);
  if (r->communicator)
    fprintf(file, ":%d:%.0f:%d:%.0f:%d:%u", PARAVER_SENT, r->bytes, PARAVER_RECEIVED, r->received, PARAVER_COMMUNICATOR,
            r->communicator);
  if (r->root) fprintf(file, ":%d:1", PARAVER_ROOT);
  fputc('\n', file);
}

static uint32_t communicators(const struct paraver *p) {
  uint32_t count = 1;
  for (size_t c = 1; c < p->communicator_count; c++)
    count += p->communicators[c].ranks != NULL;
  return count;
}

static void put_trace(FILE *file, struct paraver *p, const struct history *history) {
  double end = 0;
  for (uint32_t rank = 0; rank < p->output.ranks; rank++)
    end = fmax(end, history_end(history, rank));
  paraver_head(put_to, file, nanoseconds(end), p->output.ranks, communicators(p));
  if (p->loses) fputs(PARAVER_LOSES, file);
  put_communicators(file, p);
  for (const struct record *record; (record = sorter_next(p->records));)
    put_record(file, record);
}

static void put_names(FILE *file, struct paraver *p, const struct history *history) {
  fputs(PARAVER_NAMES_HEAD, file);
  for (int k = 0; k < SPENT_KINDS; k++)
    fprintf(file, "%d %s\n", states[k], state_names[k]);
  uint32_t regions = history_regions(history);
  if (regions) fprintf(file, "\nEVENT_TYPE\n0 %d User function\nVALUES\n0 End\n", PARAVER_FUNCTION);
  for (uint32_t k = 1; k <= regions; k++) {
    const char *name = history_region(history, k)->name;
    fprintf(file, "%u %s\n", k, name ? name : "?");
  }
  if (p->counter_count) fputs("\nEVENT_TYPE\n", file);
  for (uint32_t k = 0; k < p->counter_count; k++)
    fprintf(file, "7 %u %s\n", PARAVER_OWN_COUNTER + k, p->counters[k]);
  for (int type = PARAVER_POINT_TO_POINT; type <= PARAVER_OTHER; type++)
    paraver_put_calls(put_to, file, type, p->used[type - PARAVER_POINT_TO_POINT]);
}

static void put_rows(FILE *file, struct paraver *p, const struct history *history) {
  (void)history;
  fprintf(file, "LEVEL TASK SIZE %u\n", p->output.ranks);
  for (uint32_t rank = 0; rank < p->output.ranks; rank++)
    fprintf(file, "rank %u\n", rank);
}

/* `ending` in the place of that of the name; NULL: the trace itself. */
static bool write_file(struct paraver *p, const char *ending, const struct history *history,
                       void (*write)(FILE *, struct paraver *, const struct history *), struct program_error *error) {
  char *beside = NULL;
  size_t length = strlen(p->name) - strlen(".prv");
  if (ending && asprintf(&beside, "%.*s%s", (int)length, p->name, ending) < 0) beside = NULL;
  FILE *file = ending && !beside ? NULL : fopen(beside ? beside : p->path, "we");
  if (file) write(file, p, history);
  bool fine = file && fflush(file) == 0 && !ferror(file) && !sorter_failed(p->records);
  if (!fine)
    snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", beside ? beside : p->name,
             strerror(errno));
  if (file) fclose(file);
  free(beside);
  return fine;
}

static bool paraver_whole(struct trace_output *output, struct program_source *source, struct program_error *error) {
  struct paraver *p = (struct paraver *)output;
  const struct history_takers takers = {
      .user = p, .span = take_span, .message = take_message, .operation = take_operation};
  struct history *history = trace_output_history(source, &takers, error);
  if (!history) return false;
  bool fine = !p->failed && sorter_begin(p->records);
  if (!fine && sorter_failed(p->records))
    snprintf(error->text, sizeof error->text, "its records cannot be sorted: %s", strerror(errno));
  else if (!fine)
    snprintf(error->text, sizeof error->text, "there is no memory for what the ranks do");
  fine = fine && write_file(p, NULL, history, put_trace, error) && write_file(p, ".pcf", history, put_names, error) &&
         write_file(p, ".row", history, put_rows, error);
  history_free(history);
  return fine;
}

static struct trace_output *paraver_open(const char *path, const char *name, uint32_t ranks,
                                         struct program_error *error) {
  struct paraver *p = calloc(1, sizeof *p);
  struct sorter *records = sorter_open(sizeof(struct record), SORTER_MEMORY, by_time);
  if (!p || !records) {
    snprintf(error->text, sizeof error->text, "there is no memory for what the ranks do");
    free(p), sorter_close(records);
    return NULL;
  }
  *p = (struct paraver){.output.ranks = ranks, .path = path, .name = name, .records = records};
  return &p->output;
}

static void paraver_close(struct trace_output *output) {
  struct paraver *p = (struct paraver *)output;
  for (size_t c = 0; c < p->communicator_count; c++)
    free(p->communicators[c].ranks);
  free(p->communicators);
  for (uint32_t k = 0; k < p->counter_count; k++)
    free(p->counters[k]);
  free(p->counters);
  sorter_close(p->records);
  free(p);
}

const struct trace_output_kind paraver_output = {
    .name = "trace of Paraver",
    .endings = ".prv",
    .counts = true,
    .open = paraver_open,
    .whole = paraver_whole,
    .close = paraver_close,
};
