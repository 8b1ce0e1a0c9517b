/* The evaluator Program: hands the operations of programs to models, rank by rank. What an operation is, operations.h
 * says; what a model makes of each, stdlib/program.psl. It keeps the requests that operations have started by the
 * rank's own numbers, and what the runtime calls them; and the regions that a rank is in, for reports. */
#include "evaluators/programs/locks.h"
#include "evaluators/programs/operations.h"
#include "evaluators/programs/paraver.h"
#include "interp/include/evaluator.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct region { /* that a rank is in */
  const char *name;
  double begin;
  double inside; /* of that, time in regions that have ended */
};

struct members { /* of a communicator */
  struct members *next;
  uint32_t communicator, count;
  int64_t ranks[];
};

struct known_burst { /* of those that a model knows */
  uint64_t key;
  uint32_t place; /* in its list */
};

struct stream { /* of one rank */
  struct program_source *source;
  uint32_t rank;
  uint32_t instance; /* whose body takes its operations */
  struct program_operation operation;
  struct program_answer answer;
  int64_t *handles; /* the runtime's, by the number of a request */
  uint32_t handle_capacity;
  int64_t *list; /* of handles, for the host */
  uint32_t list_capacity;
  struct members *made;   /* communicators, the last one first */
  struct region *regions; /* the outermost first */
  uint32_t region_count, region_capacity;
  struct known_burst *bursts; /* by key */
  uint32_t burst_count;
};

struct computed { /* by ranks that have ended, by burst */
  uint64_t all, unknown;
  double work, unknown_work;
};

struct opened {
  struct opened *next;
  char *path;
  struct program_source *source;
};

struct name { /* of a region with its place, as reports have it */
  struct name *next;
  char *text;
};

enum { NAMES = 1 << 10 };

struct state {
  struct psl_items items; /* the streams */
  struct psl_host *host;
  struct opened *sources;
  struct stream *streams;
  uint32_t stream_count, stream_capacity;
  struct name *names[NAMES];
  struct locks *locks; /* of windows */
  struct computed computed;
  uint64_t counted[UNIT_INSTRUCTIONS + 1]; /* computations by what they count */
  uint32_t finished;                       /* streams */
};

static enum psl_status failed(struct psl_call *call, const char *text) { return psl_failed(call, "%s", text); }

/* At the place of the operation in hand. */
static enum psl_status failed_at(const struct stream *stream, struct psl_call *call, const char *text) {
  char place[80];
  stream->source->kind->place(stream->source, stream->rank, place, sizeof place);
  if (stream->source->kind->answered) /* all ranks run one program */
    return psl_failed(call, "%s%srank %u: %.110s", place, *place ? ": " : "", stream->rank, text);
  return psl_failed(call, "%s: %.110s", place, text);
}

/* Of the call's first argument; NULL: there is none of that number. */
static inline struct stream *stream_at(const struct state *s, const union psl_argument *arguments) {
  int64_t number = arguments[0].integer;
  return number >= 0 && number < s->stream_count ? &s->streams[number] : NULL;
}

static struct stream *stream_of(struct state *s, struct psl_call *call) {
  struct stream *stream = stream_at(s, call->arguments);
  int64_t number = call->arguments[0].integer;
  if (stream) return stream;
  snprintf(call->error, sizeof call->error, "no stream of operations has the number %lld", (long long)number);
  return NULL;
}

/* Room for one more item, twice as much as there was; NULL is what it was before. */
static void *grown(struct state *s, void *items, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity) return items;
  uint32_t larger = *capacity ? *capacity : 8;
  while (larger <= count)
    larger *= 2;
  void *room = s->host->allocate(s->host, larger * size);
  if (*capacity) memcpy(room, items, *capacity * size);
  *capacity = larger;
  return room;
}

/* ---- streams ---- */

static bool program_kind(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  result->integer = program_kind_named(arguments[0].string);
  if (result->integer < 0) snprintf(error, 200, "no operation is called '%.60s'", arguments[0].string);
  return result->integer >= 0;
}

static bool program_ranks(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  struct program_error why;
  result->integer = 0;
  if (!*arguments[0].string) return true;
  struct program_source *source = program_source_open(arguments[0].string, &why);
  if (!source) {
    snprintf(error, 200, "%s", why.text);
    return false;
  }
  result->integer = source->ranks;
  source->kind->close(source);
  return true;
}

static struct program_source *source_of(struct state *s, const char *path, struct program_error *error) {
  struct opened *opened = s->sources;
  while (opened && strcmp(opened->path, path) != 0)
    opened = opened->next;
  if (opened) return opened->source;
  if (paraver_is_of_run(path)) {
    snprintf(error->text, sizeof error->text, "%s", PARAVER_NOT_AGAIN);
    return NULL;
  }
  struct program_source *source = program_source_open(path, error);
  if (!source) return NULL;
  if (source->kind->runs && s->host->once) s->host->once(s->host);
  opened = s->host->allocate(s->host, sizeof *opened);
  opened->path = s->host->allocate(s->host, strlen(path) + 1);
  strcpy(opened->path, path);
  opened->source = source;
  opened->next = s->sources;
  s->sources = opened;
  return source;
}

static enum psl_status program_open(void *state, struct psl_call *call) {
  struct state *s = state;
  struct program_error error;
  struct program_source *source = source_of(s, call->arguments[0].string, &error);
  if (!source) return failed(call, error.text);
  int64_t rank = call->arguments[1].integer;
  if (rank < 0 || rank >= source->ranks)
    return psl_failed(call, "there is no rank %lld among %u", (long long)rank, source->ranks);
  s->streams = grown(s, s->streams, s->stream_count, &s->stream_capacity, sizeof *s->streams);
  s->streams[s->stream_count] = (struct stream){.source = source, .rank = (uint32_t)rank, .instance = UINT32_MAX};
  call->result.integer = s->stream_count++;
  s->items = (struct psl_items){s->streams, s->stream_count, sizeof *s->streams};
  return PSL_DONE;
}

/* Of what comes most: false where it is to be looked at more closely. */
static inline bool plainly_right(const struct program_operation *o, uint32_t ranks) {
  switch (o->kind) {
  case PROGRAM_COMPUTE: return o->work >= 0 && o->work <= DBL_MAX && o->bytes == 0 && o->received == 0;
  case PROGRAM_SEND:
    return (uint32_t)o->destination < ranks && o->tag >= 0 && o->bytes >= 0 && o->bytes <= DBL_MAX && o->received == 0;
  case PROGRAM_RECV:
    return (uint32_t)o->source < ranks && o->source_tag >= 0 && o->received >= 0 && o->received <= DBL_MAX &&
           o->bytes == 0;
  default: return false;
  }
}

static __attribute__((noinline)) const char *operation_wrong(const struct stream *stream) {
  const struct program_operation *o = &stream->operation;
  const char *wrong = program_operation_wrong(o, stream->source->ranks);
  for (uint32_t k = 0; !wrong && k < o->request_count; k++)
    if (o->requests[k] >= stream->handle_capacity) wrong = "a request that nothing has started";
  return wrong;
}

static enum psl_status program_next(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  struct program_error error;
  if (!stream) return PSL_FAILED;
  *error.text = '\0';
  stream->answer.now = call->clock;
  stream->answer.until = s->host->until;
  stream->instance = call->instance;
  enum program_next next =
      stream->source->kind->next(stream->source, stream->rank, &stream->answer, &stream->operation, &error);
  stream->answer.begins_later = stream->answer.begun = false;
  if (next == PROGRAM_FAILED) return failed_at(stream, call, error.text);
  if (next == PROGRAM_LAST && stream->source->kind->remark &&
      stream->source->kind->remark(stream->source, stream->rank, error.text, sizeof error.text))
    s->host->warn(s->host, error.text);
  call->result.integer = next == PROGRAM_LAST ? -1 : (int64_t)stream->operation.kind;
  bool fine = next == PROGRAM_LAST || plainly_right(&stream->operation, stream->source->ranks);
  const char *wrong = fine ? NULL : operation_wrong(stream);
  return wrong ? failed_at(stream, call, wrong) : PSL_DONE;
}

/* ---- the fields of the operation in hand ---- */

#define FIELD(function, member, type, value)                                                                 \
  static const struct psl_member member_##function = {PSL_##type, offsetof(struct stream, operation.value)}; \
  static enum psl_status program_##function(void *state, struct psl_call *call) {                            \
    const struct stream *stream = stream_of(state, call);                                                    \
    if (!stream) return PSL_FAILED;                                                                          \
    call->result.member = stream->operation.value;                                                           \
    return PSL_DONE;                                                                                         \
  }
FIELD(work, real, DOUBLE, work)
FIELD(duration, real, DOUBLE, duration)
FIELD(destination, integer, INT32, destination)
FIELD(tag, integer, INT32, tag)
FIELD(source, integer, INT32, source)
FIELD(source_tag, integer, INT32, source_tag)
FIELD(bytes, real, DOUBLE, bytes)
FIELD(received, real, DOUBLE, received)
FIELD(communicator, integer, UINT32, communicator)
FIELD(pending, integer, UINT32, request_count)
FIELD(type, integer, INT64, type)
FIELD(value, integer, INT64, value)
FIELD(learns, integer, BOOL, asks)
FIELD(root_rank, integer, INT32, root)
FIELD(handle, integer, INT64, handle)
FIELD(offset, real, DOUBLE, offset)
FIELD(span, real, DOUBLE, span)
#undef FIELD

static bool quick_counts(void *state, const union psl_argument *arguments, union psl_argument *result) {
  const struct stream *stream = stream_at(state, arguments);
  if (!stream) return false;
  result->integer = stream->operation.unit;
  ((struct state *)state)->counted[stream->operation.unit]++;
  return true;
}

static enum psl_status program_counts(void *state, struct psl_call *call) {
  if (!stream_of(state, call)) return PSL_FAILED;
  quick_counts(state, call->arguments, &call->result);
  return PSL_DONE;
}

/* ---- bursts that the model knows ---- */

static int by_key(const void *a, const void *b) {
  const struct known_burst *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

/* Three numbers each: the rank, and the places that the key is made of. */
static enum psl_status program_know(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  const double *items = call->arguments[1].list.items;
  uint32_t count = call->arguments[1].list.count / 3;
  if (!stream) return PSL_FAILED;
  stream->bursts = s->host->allocate(s->host, (count + 1) * sizeof *stream->bursts);
  stream->burst_count = 0;
  for (uint32_t k = 0; k < count; k++, items += 3) {
    bool fine = items[1] >= 0 && items[1] <= UINT32_MAX && items[2] >= 0 && items[2] <= UINT32_MAX;
    if (!fine || items[0] != stream->rank) continue;
    stream->bursts[stream->burst_count++] = (struct known_burst){(uint64_t)items[1] << 32 ^ (uint64_t)items[2], k};
  }
  qsort(stream->bursts, stream->burst_count, sizeof *stream->bursts, by_key);
  return PSL_DONE;
}

static bool quick_burst(void *state, const union psl_argument *arguments, union psl_argument *result) {
  struct state *s = state;
  const struct stream *stream = stream_at(s, arguments);
  if (!stream) return false;
  const struct program_operation *o = &stream->operation;
  struct known_burst wanted = {.key = o->burst};
  const struct known_burst *found =
      stream->burst_count ? bsearch(&wanted, stream->bursts, stream->burst_count, sizeof wanted, by_key) : NULL;
  result->integer = found && o->burst ? (int64_t)found->place : -1;
  s->computed.all++;
  s->computed.work += o->work;
  if (result->integer >= 0) return true;
  s->computed.unknown++;
  s->computed.unknown_work += o->work;
  return true;
}

static enum psl_status program_burst(void *state, struct psl_call *call) {
  if (!stream_of(state, call)) return PSL_FAILED;
  quick_burst(state, call->arguments, &call->result);
  return PSL_DONE;
}

static void tell_unknown(const struct state *s) {
  const struct computed *c = &s->computed;
  char text[200];
  if (!c->unknown) return;
  snprintf(text, sizeof text,
           "%llu of %llu bursts, %.3g %% of what was computed where they were traced, are not in the signature: "
           "unknown-ratio is theirs",
           (unsigned long long)c->unknown, (unsigned long long)c->all, 100 * c->unknown_work / c->work);
  s->host->warn(s->host, text);
}

/* ---- communicators ---- */

static const struct members *members_numbered(const struct stream *stream, int64_t number) {
  const struct members *made = stream->made;
  while (made && made->communicator != number)
    made = made->next;
  return made;
}

static const struct members *members_of(const struct stream *stream) {
  return members_numbered(stream, stream->operation.communicator);
}

static enum psl_status program_members(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  if (!stream) return PSL_FAILED;
  const struct program_operation *o = &stream->operation;
  struct members *made = s->host->allocate(s->host, sizeof *made + o->member_count * sizeof *made->ranks);
  *made = (struct members){.next = stream->made, .communicator = o->communicator, .count = o->member_count};
  for (uint32_t k = 0; k < o->member_count; k++)
    made->ranks[k] = o->members[k];
  stream->made = made;
  call->result.integers.items = made->ranks;
  call->result.integers.count = made->count;
  return PSL_DONE;
}

static enum psl_status program_size(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  const struct members *made = members_of(stream);
  call->result.integer = made ? made->count : stream->source->ranks;
  return PSL_DONE;
}

/* The root's place in the communicator. */
static enum psl_status program_root(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  const struct members *made = members_of(stream);
  call->result.integer = stream->operation.root;
  for (uint32_t k = 0; made && k < made->count; k++)
    if (made->ranks[k] == stream->operation.root) call->result.integer = k;
  return PSL_DONE;
}

static struct program_share share_of(const struct stream *stream) {
  const struct members *made = members_of(stream);
  return program_share(&stream->operation, (int32_t)stream->rank, made ? (int32_t)made->ranks[0] : 0);
}

#define SHARE(function, member, value)                                            \
  static enum psl_status program_##function(void *state, struct psl_call *call) { \
    const struct stream *stream = stream_of(state, call);                         \
    if (!stream) return PSL_FAILED;                                               \
    call->result.member = share_of(stream).value;                                 \
    return PSL_DONE;                                                              \
  }
SHARE(leads, integer, leads)
SHARE(converges, integer, converges)
SHARE(gives, real, gives)
SHARE(gets, real, gets)
#undef SHARE

static enum psl_status program_number(void *state, struct psl_call *call) {
  const struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  call->result.integer = program_collective_number(stream->operation.kind);
  return PSL_DONE;
}

/* Bytes to or from each rank of the communicator; where the operation does not say, equal parts of the whole. */
static enum psl_status parts_given(void *state, struct psl_call *call, bool sent) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  if (!stream) return PSL_FAILED;
  const struct program_operation *o = &stream->operation;
  const struct members *made = members_of(stream);
  uint32_t members = made ? made->count : stream->source->ranks;
  uint32_t count = (sent ? o->parts : o->received_parts) ? o->part_count : members;
  stream->list = grown(s, stream->list, count, &stream->list_capacity, sizeof *stream->list);
  for (uint32_t k = 0; k < count; k++)
    stream->list[k] = (int64_t)program_part(o, sent, k, count);
  call->result.integers.items = stream->list;
  call->result.integers.count = count;
  return PSL_DONE;
}

static enum psl_status program_sent_parts(void *state, struct psl_call *call) { return parts_given(state, call, true); }
static enum psl_status program_received_parts(void *state, struct psl_call *call) {
  return parts_given(state, call, false);
}

/* ---- answers ---- */

static enum psl_status program_asks(void *state, struct psl_call *call) {
  const struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  call->result.integer = stream->source->kind->answered;
  return PSL_DONE;
}

static enum psl_status program_learn(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  stream->answer.source = (int32_t)call->arguments[1].integer;
  stream->answer.tag = (int32_t)call->arguments[2].integer;
  stream->answer.number = call->arguments[3].integer;
  return PSL_DONE;
}

static enum psl_status program_found(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  stream->answer.index = (int32_t)call->arguments[1].integer;
  stream->answer.done = stream->answer.index >= 0;
  return PSL_DONE;
}

/* ---- requests ---- */

static bool quick_started(void *state, const union psl_argument *arguments, union psl_argument *result) {
  struct stream *stream = stream_at(state, arguments);
  if (!stream || stream->operation.request >= stream->handle_capacity) return false;
  stream->handles[stream->operation.request] = arguments[1].integer;
  result->integer = 0;
  return true;
}

static enum psl_status program_started(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  if (!stream) return PSL_FAILED;
  uint32_t number = (uint32_t)stream->operation.request;
  stream->handles = grown(s, stream->handles, number, &stream->handle_capacity, sizeof *stream->handles);
  stream->handles[number] = call->arguments[1].integer;
  return PSL_DONE;
}

static bool quick_request(void *state, const union psl_argument *arguments, union psl_argument *result) {
  const struct stream *stream = stream_at(state, arguments);
  int64_t k = arguments[1].integer;
  if (!stream || k < 0 || k >= stream->operation.request_count) return false;
  result->integer = stream->handles[stream->operation.requests[k]];
  return true;
}

static enum psl_status program_request(void *state, struct psl_call *call) {
  const struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  if (quick_request(state, call->arguments, &call->result)) return PSL_DONE;
  return failed_at(stream, call, "it is about no such request");
}

static enum psl_status program_handles(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  if (!stream) return PSL_FAILED;
  const struct program_operation *o = &stream->operation;
  stream->list = grown(s, stream->list, o->request_count, &stream->list_capacity, sizeof *stream->list);
  for (uint32_t k = 0; k < o->request_count; k++)
    stream->list[k] = stream->handles[o->requests[k]];
  call->result.integers.items = stream->list;
  call->result.integers.count = o->request_count;
  return PSL_DONE;
}

static bool quick_tells(void *state, const union psl_argument *arguments, union psl_argument *result) {
  struct stream *stream = stream_at(state, arguments);
  if (!stream) return false;
  result->integer = stream->answer.begins_later = stream->operation.tells;
  return true;
}

static enum psl_status program_tells(void *state, struct psl_call *call) {
  return quick_tells(state, call->arguments, &call->result) ? PSL_DONE : (stream_of(state, call), PSL_FAILED);
}

/* The request of the rank's that the runtime calls so, negative where it has but begun, among those that the operation
 * is about. */
static enum psl_status program_completed(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  const struct program_operation *o = &stream->operation;
  struct program_answer *answer = &stream->answer;
  int64_t given = call->arguments[1].integer, request = given < 0 ? -given : given;
  uint32_t k = 0;
  while (k < o->request_count && stream->handles[o->requests[k]] != request)
    k++;
  if (k == o->request_count) return failed_at(stream, call, "another request is done");
  answer->request = o->requests[k];
  answer->begun = given < 0;
  answer->index = answer->begun ? -1 : (int32_t)k;
  if (!answer->begun) stream->handles[answer->request] = 0; /* done, if the trace has it again */
  return PSL_DONE;
}

/* ---- locks of windows ---- */

/* The memories that the operation in hand locks: of one rank, or of all. */
static uint32_t memories(const struct stream *stream, const struct members **all) {
  const struct program_operation *o = &stream->operation;
  *all = o->tag == PROGRAM_LOCK_ALL ? members_numbered(stream, o->handle) : NULL;
  return *all ? (*all)->count : o->tag == PROGRAM_LOCK_ALL ? stream->source->ranks : 1;
}

static int32_t memory_at(const struct stream *stream, const struct members *all, uint32_t k) {
  const struct program_operation *o = &stream->operation;
  return all ? (int32_t)all->ranks[k] : o->tag == PROGRAM_LOCK_ALL ? (int32_t)k : o->destination;
}

static enum psl_status program_lock(void *state, struct psl_call *call) {
  struct state *s = state;
  const struct stream *stream = stream_of(s, call);
  const struct members *all;
  if (!stream) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  const struct program_operation *o = &stream->operation;
  uint32_t count = memories(stream, &all);
  call->result.integer = 0;
  for (uint32_t k = 0; k < count; k++)
    call->result.integer +=
        !lock_take(s->locks, o->handle, memory_at(stream, all, k), (int32_t)stream->rank, o->tag == PROGRAM_LOCK_ALONE);
  return PSL_DONE;
}

static enum psl_status program_unlock(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  const struct members *all;
  if (!stream) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  int64_t window = stream->operation.handle;
  uint32_t count = memories(stream, &all), told = 0;
  for (uint32_t k = 0; k < count; k++) {
    int32_t memory = memory_at(stream, all, k), next;
    lock_leave(s->locks, window, memory);
    while ((next = lock_next(s->locks, window, memory)) >= 0) {
      stream->list = grown(s, stream->list, told, &stream->list_capacity, sizeof *stream->list);
      stream->list[told++] = next;
    }
  }
  stream->answer.number = told;
  call->result.integers.items = stream->list;
  call->result.integers.count = told;
  return PSL_DONE;
}

static enum psl_status program_missing(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  char text[120];
  if (!stream) return PSL_FAILED;
  snprintf(text, sizeof text, "'%s' has no counterpart in the library's MPI",
           program_kinds[stream->operation.kind].name);
  return failed_at(stream, call, text);
}

/* ---- nests of loops of sliced programs ---- */

static enum psl_status program_operations(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  if (!stream) return PSL_FAILED;
  const struct program_operation *o = &stream->operation;
  stream->list = grown(s, stream->list, o->counted, &stream->list_capacity, sizeof *stream->list);
  for (uint32_t k = 0; k < o->counted; k++)
    stream->list[k] = (int64_t)fmin(fmax(o->counts[k], 0), 0x1p62);
  call->result.integers.items = stream->list;
  call->result.integers.count = o->counted;
  return PSL_DONE;
}

/* What a part takes by the time of each of its operations. */
static enum psl_status program_worked(void *state, struct psl_call *call) {
  const struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  const struct program_operation *o = &stream->operation;
  int64_t part = call->arguments[1].integer;
  call->result.real = 0;
  for (uint32_t k = 0; k < 4 && part >= 0 && part < o->counted / 4; k++)
    call->result.real += fmin(fmax(o->counts[4 * part + k], 0), 0x1p62) * call->arguments[2 + k].real;
  return PSL_DONE;
}

/* ---- regions ---- */

/* `solve (sweep.f:12)`, kept once. */
static const char *region_name(struct state *s, const struct program_operation *o) {
  char text[256];
  if (o->file && o->line)
    snprintf(text, sizeof text, "%.120s (%.100s:%u)", o->name ? o->name : "?", o->file, o->line);
  else
    snprintf(text, sizeof text, "%.200s", o->name ? o->name : "?");
  uint32_t hash = 2166136261u;
  for (const char *at = text; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 16777619u;
  struct name **list = &s->names[hash % NAMES];
  for (struct name *name = *list; name; name = name->next)
    if (strcmp(name->text, text) == 0) return name->text;
  struct name *name = s->host->allocate(s->host, sizeof *name);
  name->text = strcpy(s->host->allocate(s->host, strlen(text) + 1), text);
  name->next = *list;
  return (*list = name)->text;
}

static enum psl_status program_enter(void *state, struct psl_call *call) {
  struct state *s = state;
  struct stream *stream = stream_of(s, call);
  if (!stream) return PSL_FAILED;
  stream->regions = grown(s, stream->regions, stream->region_count, &stream->region_capacity, sizeof *stream->regions);
  stream->regions[stream->region_count++] =
      (struct region){.name = region_name(s, &stream->operation), .begin = call->clock};
  return PSL_DONE;
}

static void region_end(struct state *s, struct stream *stream, const struct psl_call *call) {
  struct region *region = &stream->regions[--stream->region_count];
  double whole = call->clock - region->begin;
  if (stream->region_count) region[-1].inside += whole;
  s->host->element(s->host, call->process, "region", region->name, region->begin, call->clock, whole - region->inside);
}

static enum psl_status program_leave(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  if (!stream->region_count) return failed_at(stream, call, "it leaves a region, and has entered none");
  region_end(state, stream, call);
  return PSL_DONE;
}

/* Of bursts: all, those that were interrupted, or replaced. */
static enum psl_status program_bursts(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  const struct program_source *source = stream->source;
  struct program_bursts bursts = {0};
  if (source->kind->bursts) bursts = source->kind->bursts(source, stream->rank);
  const char *which = call->arguments[1].string;
  call->result.integer = (int64_t)(!strcmp(which, "interrupted") ? bursts.interrupted
                                   : !strcmp(which, "replaced")  ? bursts.replaced
                                                                 : bursts.all);
  return PSL_DONE;
}

static enum psl_status program_finish(void *state, struct psl_call *call) {
  struct stream *stream = stream_of(state, call);
  if (!stream) return PSL_FAILED;
  while (stream->region_count)
    region_end(state, stream, call);
  struct state *s = state;
  if (++s->finished == s->stream_count) tell_unknown(s);
  return PSL_DONE;
}

/* ---- the run ---- */

static void *program_state(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->locks = locks_open(host);
  return s;
}

static void program_close(void *state) {
  struct state *s = state;
  for (struct opened *opened = s->sources; opened; opened = opened->next)
    opened->source->kind->close(opened->source);
}

#define STREAM "(stream : int)"

static const struct psl_evaluator_function functions[] = {
    {.name = "kind",
     .signature = "(name : string) -> int",
     .kind = PSL_PURE,
     .pure = program_kind,
     .doc = "The number that `next` gives for operations of this name. Error: there are none."},
    {.name = "ranks",
     .signature = "(trace : string) -> int",
     .kind = PSL_PURE,
     .pure = program_ranks,
     .reads = 1,
     .doc = "How many ranks the program of a trace has; 0 where none is named. Error: it is no trace."},
    {.name = "open",
     .signature = "(trace : string, rank : int) -> int",
     .kind = PSL_EVENT,
     .call = program_open,
     .reads = 1,
     .doc = "The number of a stream: the operations of one rank from the first one on."},
    {.name = "next",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_next,
     .doc =
         "Takes the next operation of the stream, whose kind it gives; -1: there is none. Error: the trace is wrong, "
         "with the place."},
    {.name = "counts",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_counts,
     .quick = quick_counts,
     .doc = "Of the operation in hand: what `work` counts, 0 seconds, 1 flops, 2 instructions."},
    {.name = "work",
     .signature = STREAM " -> real",
     .kind = PSL_EVENT,
     .call = program_work,
     .member = &member_work,
     .doc = "Of a compute: how much there is to do."},
    {.name = "duration",
     .signature = STREAM " -> time",
     .kind = PSL_EVENT,
     .call = program_duration,
     .member = &member_duration,
     .doc = "How long a sleep lasts, whatever the machine."},
    {.name = "destination",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_destination,
     .member = &member_destination,
     .doc = "The rank that a message goes to; -2: nobody."},
    {.name = "tag",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_tag,
     .member = &member_tag,
     .doc = "Its tag."},
    {.name = "source",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_source,
     .member = &member_source,
     .doc = "The rank that a message is received from; -1: any, -2: nobody."},
    {.name = "source-tag",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_source_tag,
     .member = &member_source_tag,
     .doc = "The tag of a message that is received; -1: any."},
    {.name = "bytes",
     .signature = STREAM " -> data",
     .kind = PSL_EVENT,
     .call = program_bytes,
     .member = &member_bytes,
     .doc = "What the rank sends or gives; to each rank where it gives to all alike."},
    {.name = "received",
     .signature = STREAM " -> data",
     .kind = PSL_EVENT,
     .call = program_received,
     .member = &member_received,
     .doc = "What the rank receives, as far as the trace says."},
    {.name = "file",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_handle,
     .member = &member_handle,
     .doc = "The number of the file, from 0, which is the same on all ranks that have opened it together."},
    {.name = "offset",
     .signature = STREAM " -> data",
     .kind = PSL_EVENT,
     .call = program_offset,
     .member = &member_offset,
     .doc = "Where in the file the first byte is that the rank reads or writes."},
    {.name = "span",
     .signature = STREAM " -> data",
     .kind = PSL_EVENT,
     .call = program_span,
     .member = &member_span,
     .doc = "How far it is from there to behind the last byte, where bytes lie between that are no part of it; 0: none "
            "do."},
    {.name = "root",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_root,
     .doc = "The root of a collective operation: its place in the communicator."},
    {.name = "communicator",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_communicator,
     .member = &member_communicator,
     .doc = "The number of the communicator; 0: that of all ranks."},
    {.name = "members",
     .signature = STREAM " -> [int]",
     .kind = PSL_CALL,
     .call = program_members,
     .doc = "The ranks of the communicator that the operation in hand makes."},
    {.name = "size",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_size,
     .doc = "How many ranks the communicator of the operation in hand has."},
    {.name = "root-rank",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_root_rank,
     .member = &member_root_rank,
     .doc = "The same root as a rank of all."},
    {.name = "collective",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_number,
     .doc =
         "The number that traces of Dimemas have for the collective operation in hand; -1: it is none, or has none."},
    {.name = "leads",
     .signature = STREAM " -> bool",
     .kind = PSL_EVENT,
     .call = program_leads,
     .doc = "Is the rank its root, or, where it has none, the one whose sizes are those of the operation?"},
    {.name = "converges",
     .signature = STREAM " -> bool",
     .kind = PSL_EVENT,
     .call = program_converges,
     .doc = "Is it a reduction in which the members do not wait for each other?"},
    {.name = "gives",
     .signature = STREAM " -> data",
     .kind = PSL_EVENT,
     .call = program_gives,
     .doc = "What the rank sends in the collective operation in hand, as Dimemas counts it."},
    {.name = "gets",
     .signature = STREAM " -> data",
     .kind = PSL_EVENT,
     .call = program_gets,
     .doc = "What it receives, as Dimemas counts it."},
    {.name = "region-type",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_type,
     .member = &member_type,
     .doc = "The type of the event by which the rank enters or leaves a region; 0: the trace does not number them."},
    {.name = "region-value",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_value,
     .member = &member_value,
     .doc = "Its value; 0: the region is left."},
    {.name = "sent-parts",
     .signature = STREAM " -> [int]",
     .kind = PSL_CALL,
     .call = program_sent_parts,
     .doc = "Bytes to each rank of the communicator; equal parts where the trace has only their sum."},
    {.name = "received-parts",
     .signature = STREAM " -> [int]",
     .kind = PSL_CALL,
     .call = program_received_parts,
     .doc = "Bytes from each rank of the communicator, likewise."},
    {.name = "asks",
     .signature = STREAM " -> bool",
     .kind = PSL_EVENT,
     .call = program_asks,
     .doc = "Does the program want to know what came of its operations? A trace does not."},
    {.name = "learns",
     .signature = STREAM " -> bool",
     .kind = PSL_EVENT,
     .call = program_learns,
     .member = &member_learns,
     .doc = "Does it want to know which message the operation in hand has received?"},
    {.name = "learn",
     .signature = "(stream : int, source : int, tag : int, number : int)",
     .kind = PSL_EVENT,
     .call = program_learn,
     .doc = "Tells it: who sent the message, its tag, and its number among those that its rank has sent."},
    {.name = "found",
     .signature = "(stream : int, place : int)",
     .kind = PSL_EVENT,
     .call = program_found,
     .doc = "Tells it which of the requests that the operation is about is done, from 0, or that what it looked for is "
            "there; -1: none."},
    {.name = "started",
     .signature = "(stream : int, request : int)",
     .kind = PSL_EVENT,
     .call = program_started,
     .quick = quick_started,
     .doc = "The operation in hand has started this request of the runtime's."},
    {.name = "pending",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_pending,
     .member = &member_pending,
     .doc = "How many requests the operation is about."},
    {.name = "request",
     .signature = "(stream : int, k : int) -> int",
     .kind = PSL_EVENT,
     .call = program_request,
     .quick = quick_request,
     .doc = "The runtime's request that the operation names at place k, from 0."},
    {.name = "handles",
     .signature = STREAM " -> [int]",
     .kind = PSL_CALL,
     .call = program_handles,
     .doc = "The runtime's requests that the operation in hand is about, in order."},
    {.name = "completed",
     .signature = "(stream : int, request : int)",
     .kind = PSL_EVENT,
     .call = program_completed,
     .doc = "Of the requests that the operation is about, this one of the runtime's is done; its negative number: it "
            "has begun."},
    {.name = "tells",
     .signature = STREAM " -> bool",
     .kind = PSL_EVENT,
     .call = program_tells,
     .quick = quick_tells,
     .doc = "Does it matter when what the operation in hand starts begins? Who asks will say so, by `completed`."},
    {.name = "window",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_handle,
     .member = &member_handle,
     .doc = "The number of the communicator that the window of memory has of its own."},
    {.name = "lock",
     .signature = STREAM " -> int",
     .kind = PSL_CALL,
     .call = program_lock,
     .doc = "Takes the locks of the operation in hand, or a place in the line of each that others have: how many. It "
            "has them all when it has been told as often."},
    {.name = "unlock",
     .signature = STREAM " -> [int]",
     .kind = PSL_CALL,
     .call = program_unlock,
     .doc = "Gives them back: the ranks that are to be told, since they have one now."},
    {.name = "missing",
     .signature = STREAM,
     .kind = PSL_EVENT,
     .call = program_missing,
     .doc = "Fails: the model has nothing that the operation could become."},
    {.name = "nest",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_value,
     .member = &member_value,
     .doc = "Which nest of loops of a sliced program the operation in hand is, from 0."},
    {.name = "operations",
     .signature = STREAM " -> [int]",
     .kind = PSL_CALL,
     .call = program_operations,
     .doc = "What it does, in parts, each of four numbers: operations on integers, on floating-point numbers, loads, "
            "stores."},
    {.name = "worked",
     .signature = "(stream : int, part : int, integers : time, floats : time, loads : time, stores : time) -> time",
     .kind = PSL_EVENT,
     .call = program_worked,
     .doc = "What one of these parts takes by what each of its operations takes; 0 s where there is no such part."},
    {.name = "enter",
     .signature = STREAM,
     .kind = PSL_CALL,
     .call = program_enter,
     .doc = "The operation in hand enters a region, inside those that were entered and not left."},
    {.name = "leave",
     .signature = STREAM,
     .kind = PSL_CALL,
     .call = program_leave,
     .doc = "The region that was entered last is left: an element of the report. Error: there is none."},
    {.name = "bursts",
     .signature = "(stream : int, which : string) -> int",
     .kind = PSL_CALL,
     .call = program_bursts,
     .doc = "How many bursts of computing were measured as the program ran; \"interrupted\": of these, those that the "
            "system interrupted; \"replaced\": of these, those whose time was an outlier."},
    {.name = "know-bursts",
     .signature = "(stream : int, bursts : [int])",
     .kind = PSL_EVENT,
     .call = program_know,
     .doc = "The bursts that the model knows, three numbers each: the rank, and where in the program's file the calls "
            "before and behind it stand."},
    {.name = "burst",
     .signature = STREAM " -> int",
     .kind = PSL_EVENT,
     .call = program_burst,
     .quick = quick_burst,
     .doc = "Of a compute: its place among the bursts that the model knows; -1: it is none of them, which is counted, "
            "and a warning when the last rank is at its end."},
    {.name = "finish",
     .signature = STREAM,
     .kind = PSL_CALL,
     .call = program_finish,
     .doc = "The stream has no more operations: what was entered is left."},
    {.name = NULL},
};

static bool program_where(void *state, uint32_t instance, char *out, size_t size) {
  const struct state *s = state;
  for (uint32_t k = 0; k < s->stream_count; k++) {
    const struct stream *stream = &s->streams[k];
    if (stream->instance != instance) continue;
    stream->source->kind->place(stream->source, stream->rank, out, size);
    return *out != '\0';
  }
  return false;
}

#define MEASURED "computations take as long as where they were measured, divided by speed, on any machine"
/* All computations are as measured, or some, beside those that the machine's clock makes time of. */
enum { AS_MEASURED, PARTLY_MEASURED, BY_CYCLES };
static const struct psl_assumption assumptions[] = {
    [AS_MEASURED] = {.text = MEASURED, .unread = "float rate|frequency"},
    [PARTLY_MEASURED] = {.text = MEASURED, .unread = "float rate"},
    [BY_CYCLES] = {.text = "an instruction takes a cycle, and cycles are divided by speed",
                   .unread = "float rate",
                   .relied = "frequency"},
    {NULL}};

/* None of measured times where the model tells all bursts apart. */
static bool program_assumes(void *state, size_t number) {
  const struct state *s = state;
  bool cycles = s->counted[UNIT_INSTRUCTIONS] > 0, measured = s->counted[UNIT_SECONDS] > s->computed.all;
  bool partly = cycles || s->computed.all > 0;
  if (s->counted[UNIT_FLOPS]) return false;
  return number == BY_CYCLES ? cycles : measured && partly == (number == PARTLY_MEASURED);
}

const struct psl_evaluator program_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Program",
    .revision = "1",
    .doc = "The operations of programs, rank by rank, from traces.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .assumes = program_assumes,
    .open = program_state,
    .close = program_close,
    .files = program_source_files,
    .where = program_where,
};
