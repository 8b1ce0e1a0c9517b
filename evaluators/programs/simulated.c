/* A program for another processor, as a source of operations: each rank runs on a simulated processor of its own, from
 * one call of MPI to the next. What it computes meanwhile takes the cycles that are simulated, or so many instructions;
 * a call becomes an operation. When that is done, its data are copied from memory to memory.
 *
 * A program calls as it calls the system, by numbers from OUTSIDE_CALLS on: examples/processor/mpi.h makes functions of
 * MPI of it. What is to be run the command line says (description.h): no model and no trace starts a program. */
#include "evaluators/processor/instruction.h"
#include "evaluators/processor/processor.h"
#include "evaluators/programs/description.h"
#include "evaluators/programs/recording.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAGIC, WORD_RANKS, WORD_COSTS, WORD_RECORD, WORD_SETTINGS }; /* settings, "", the program and its words */
enum { RANKS_MOST = 100000, SLICE = 1 << 20, REQUESTS_MOST = 1 << 16, STATUS_WORDS = 3 };

/* The calls; arguments are in the order of MPI's, with sizes in bytes. */
enum call {
  CALL_RANK = OUTSIDE_CALLS, /* () -> rank */
  CALL_SIZE,                 /* () -> how many there are */
  CALL_SEND,                 /* (data, size, destination, tag) */
  CALL_RECEIVE,              /* (room, size, source, tag, status: 0 or room for the source, the tag and the size) */
  CALL_ISEND,                /* as send -> request */
  CALL_IRECEIVE,             /* (room, size, source, tag) -> request */
  CALL_WAIT,                 /* (request, status) */
  CALL_BARRIER,              /* () */
  CALL_BCAST,                /* (data, size, root) */
  CALL_REDUCE,               /* (data, room, count, type * 16 + operation, root; -1: all get the result) */
  CALL_ABORT,                /* (code) */
  CALL_GATHER,               /* (data, room, size of each, root; -1: all get it) */
  CALL_SCATTER,              /* (data, room, size of each, root) */
  CALL_ALLTOALL,             /* (data, room, size of each) */
  CALL_PROBE,                /* (source, tag, status) */
  CALL_IPROBE,               /* (source, tag, status) -> is there one? */
};
enum item_type { TYPE_INT, TYPE_LONG, TYPE_FLOAT, TYPE_DOUBLE, TYPES };
enum reduction { REDUCE_SUM, REDUCE_LEAST, REDUCE_GREATEST, REDUCTIONS };

struct message { /* that has been sent, and not received */
  struct message *next;
  int64_t number; /* among those of its rank, from 1 */
  size_t size;
  uint8_t data[];
};

struct request {
  bool used, receives, done; /* done: with nobody, so that there is nothing to wait for */
  uint64_t room, size;
};

struct meeting { /* a collective operation */
  struct meeting *next;
  uint64_t number;
  struct outside_call call; /* of the first rank that has come */
  uint32_t came, left;
  uint8_t **given; /* by rank; NULL: it has not come */
};

struct rank {
  struct program *program; /* NULL: not started */
  struct processor *processor;
  uint64_t counted; /* cycles or instructions that have become operations */
  uint64_t instructions;
  struct message *first, *last;
  int64_t sent;
  uint64_t meetings; /* that it has come to */
  struct request *requests;
  uint32_t request_count;
  int64_t waited; /* the request of the operation in hand */
  struct program_operation operation;
  struct program_operation last_handed; /* for the trace of the run, */
  bool handed;                          /* where there is one */
  bool calls;                           /* the operation stands for a call, */
  bool given;                           /* and has been taken */
  bool ended;
};

struct simulated {
  struct program_source source;
  char *text, **words, **program_words;
  bool counts; /* instructions, not cycles */
  bool free;   /* computing takes no time */
  struct parameters parameters;
  struct rank *ranks;
  struct meeting *meetings;
  struct recording *recording;
};

/* ---- beginning and end ---- */

static bool simulated_recognise(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= sizeof SIMULATED_MAGIC && memcmp(head, SIMULATED_MAGIC, sizeof SIMULATED_MAGIC) == 0;
}

static void meeting_free(struct meeting *meeting, uint32_t ranks) {
  for (uint32_t k = 0; meeting->given && k < ranks; k++)
    free(meeting->given[k]);
  free(meeting->given);
  free(meeting);
}

static void rank_free(struct rank *rank) {
  for (struct message *m = rank->first, *next; m; m = next) {
    next = m->next;
    free(m);
  }
  if (rank->processor) processor_close(rank->processor);
  if (rank->program) program_close(rank->program);
  free(rank->requests);
}

static void simulated_close(struct program_source *source) {
  struct simulated *s = (struct simulated *)source;
  for (uint32_t k = 0; s->ranks && k < s->source.ranks; k++)
    rank_free(&s->ranks[k]);
  for (struct meeting *m = s->meetings, *next; m; m = next) {
    next = m->next;
    meeting_free(m, s->source.ranks);
  }
  recording_close(s->recording);
  free(s->ranks);
  free(s->words);
  free(s->text);
  free(s);
}

/* The settings were looked at before. */
static bool words_read(struct simulated *s, const char *path) {
  size_t count, k = WORD_SETTINGS;
  char error[200];
  s->words = description_read(path, &s->text, &count);
  if (!s->words || count <= WORD_SETTINGS) return false;
  s->source.ranks = (uint32_t)strtoul(s->words[WORD_RANKS], NULL, 10);
  s->counts = !strcmp(s->words[WORD_COSTS], "instructions");
  s->free = !strcmp(s->words[WORD_COSTS], "none");
  parameters_default(&s->parameters);
  for (; k + 1 < count && *s->words[k]; k += 2)
    parameters_set(&s->parameters, s->words[k], s->words[k + 1], error, sizeof error);
  s->program_words = s->words + k + 1;
  return k + 1 < count;
}

static struct program_source *simulated_open(const char *path, struct program_error *error) {
  struct simulated *s = calloc(1, sizeof *s);
  snprintf(error->text, sizeof error->text, "only psl mpirun starts programs");
  if (!s) return NULL;
  s->source.kind = &simulated_source;
  bool fine = words_read(s, path);
  if (fine && (s->source.ranks > RANKS_MOST || !(s->ranks = calloc(s->source.ranks, sizeof *s->ranks)))) {
    snprintf(error->text, sizeof error->text, "memory does not suffice for %u ranks", s->source.ranks);
    fine = false;
  }
  if (fine) return &s->source;
  simulated_close(&s->source);
  return NULL;
}

/* ---- running ---- */

static enum program_next failed(struct program_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum program_next failed(struct program_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return PROGRAM_FAILED;
}

static enum program_next start(struct simulated *s, uint32_t number, struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  char why[120];
  rank->program = program_open(*s->program_words, (const char *const *)s->program_words,
                               number ? REACHES_NO_INPUT : REACHES_ALL, why, sizeof why);
  if (!rank->program) return failed(error, "%.50s cannot be run: %s", *s->program_words, why);
  rank->program->served = true;
  if (!s->counts && !s->free) rank->processor = processor_open(&s->parameters, rank->program);
  return s->counts || s->free || rank->processor ? PROGRAM_NEXT : failed(error, "memory does not suffice");
}

static uint64_t time_of(const struct rank *rank) {
  return rank->processor ? processor_cycles(rank->processor) : rank->instructions;
}

/* What the rank comes to where the run has ended; nobody asks farther. Instructions take as long as the model says: it
 * is asked now and then. */
static uint64_t time_limit(const struct simulated *s, const struct rank *rank, const struct program_answer *answer) {
  double left = (answer->until - answer->now) * s->parameters.clock;
  if (s->free || !isfinite(answer->until)) return UINT64_MAX;
  uint64_t more = s->counts ? 64 * SLICE : left < 1 ? 1 : left < 1e18 ? (uint64_t)left + 1 : (uint64_t)1e18;
  return time_of(rank) + more;
}

/* To the next call, or its end, or that time. */
static void run(struct rank *rank, uint64_t limit) {
  const struct front_end *front = rank->program->front;
  if (front->enter) front->enter(rank->program);
  if (rank->program->halted && rank->processor)
    processor_go_on(rank->processor);
  else if (rank->program->halted)
    program_go_on(rank->program);
  while (program_runs(rank->program) && time_of(rank) < limit) {
    uint64_t more = limit - time_of(rank) < SLICE ? limit - time_of(rank) : SLICE;
    if (rank->processor)
      processor_run(rank->processor, processor_cycles(rank->processor) + more);
    else
      rank->instructions += program_execute(rank->program, more);
  }
  if (front->leave) front->leave(rank->program);
}

/* The program's clocks tell the virtual time. */
static void clock_set(const struct simulated *s, struct rank *rank, double now) {
  double own = rank->processor ? (double)time_of(rank) / s->parameters.clock : 0;
  double still = (now - own) * 1e9;
  rank->program->stood_still = still > 0 ? (uint64_t)still : 0;
  rank->program->nanoseconds = (uint64_t)(now * 1e9);
}

/* ---- memory ---- */

static uint8_t *copy_from(const struct rank *rank, uint64_t address, uint64_t size) {
  uint8_t *bytes = size <= UINT32_MAX ? malloc(size + 1) : NULL;
  if (bytes && space_read_across(&rank->program->space, address, bytes, size)) return bytes;
  free(bytes);
  return NULL;
}

static enum program_next no_memory(struct program_error *error, uint64_t address, uint64_t size) {
  return failed(error, "a call of MPI is given %llu bytes at 0x%llx, where there is no such memory",
                (unsigned long long)size, (unsigned long long)address);
}

static bool copy_to(const struct rank *rank, uint64_t address, const void *bytes, uint64_t size) {
  return space_write_across(&rank->program->space, address, bytes, size);
}

/* ---- messages ---- */

static bool message_add(struct rank *rank, uint64_t address, uint64_t size) {
  struct message *m = size <= UINT32_MAX ? malloc(sizeof *m + size) : NULL;
  if (!m || !space_read_across(&rank->program->space, address, m->data, size)) {
    free(m);
    return false;
  }
  m->next = NULL;
  m->number = ++rank->sent;
  m->size = size;
  *(rank->last ? &rank->last->next : &rank->first) = m;
  rank->last = m;
  return true;
}

/* The first ones are mostly received first. */
static struct message *message_take(struct rank *sender, int64_t number) {
  struct message *before = NULL, *m = sender->first;
  while (m && m->number != number)
    before = m, m = m->next;
  if (!m) return NULL;
  *(before ? &before->next : &sender->first) = m->next;
  if (sender->last == m) sender->last = before;
  return m;
}

static enum program_next deliver(struct simulated *s, struct rank *rank, const struct program_answer *answer,
                                 uint64_t room, uint64_t size, uint64_t status, struct program_error *error) {
  bool known = answer->source >= 0 && (uint32_t)answer->source < s->source.ranks;
  struct message *m = known ? message_take(&s->ranks[answer->source], answer->number) : NULL;
  enum program_next next = PROGRAM_NEXT;
  if (!m) return failed(error, "a message that no rank has sent");
  const int64_t said[STATUS_WORDS] = {answer->source, answer->tag, (int64_t)m->size};
  if (m->size > size)
    next = failed(error, "a message of %zu bytes from rank %d, where %llu have room", m->size, answer->source,
                  (unsigned long long)size);
  else if (!copy_to(rank, room, m->data, m->size))
    next = no_memory(error, room, m->size);
  else if (status && !copy_to(rank, status, said, sizeof said))
    next = no_memory(error, status, sizeof said);
  free(m);
  return next;
}

/* ---- requests ---- */

/* -1: there are too many. */
static int64_t request_new(struct rank *rank, struct request request) {
  uint32_t place = 0;
  while (place < rank->request_count && rank->requests[place].used)
    place++;
  if (place == rank->request_count) {
    uint32_t larger = place ? 2 * place : 16;
    struct request *grown = larger <= REQUESTS_MOST ? realloc(rank->requests, larger * sizeof *grown) : NULL;
    if (!grown) return -1;
    memset(grown + place, 0, (larger - place) * sizeof *grown);
    rank->requests = grown;
    rank->request_count = larger;
  }
  rank->requests[place] = request;
  return place;
}

/* ---- collective operations ---- */

static const size_t sizes[TYPES] = {[TYPE_INT] = 4, [TYPE_LONG] = 8, [TYPE_FLOAT] = 4, [TYPE_DOUBLE] = 8};

static bool reduction_known(uint64_t how) { return how / 16 < TYPES && how % 16 < REDUCTIONS; }

/* Sums of whole numbers wrap. */
#define COMBINE(type, wide)                       \
  for (uint64_t k = 0; k < count; k++) {          \
    type a, b;                                    \
    memcpy(&a, into + k * sizeof a, sizeof a);    \
    memcpy(&b, from + k * sizeof b, sizeof b);    \
    if (how == REDUCE_SUM)                        \
      a = (type)((wide)a + (wide)b);              \
    else if (how == REDUCE_LEAST ? b < a : b > a) \
      a = b;                                      \
    memcpy(into + k * sizeof a, &a, sizeof a);    \
  }

static void combine(uint8_t *into, const uint8_t *from, uint64_t count, enum item_type type, enum reduction how) {
  switch (type) {
  case TYPE_INT: COMBINE(int32_t, uint32_t) break;
  case TYPE_LONG: COMBINE(int64_t, uint64_t) break;
  case TYPE_FLOAT: COMBINE(float, float) break;
  default: COMBINE(double, double) break;
  }
}

static struct meeting *meeting_of(struct simulated *s, uint64_t number, const struct outside_call *call) {
  struct meeting *m = s->meetings;
  while (m && m->number != number)
    m = m->next;
  if (m) return m;
  m = calloc(1, sizeof *m);
  if (m && !(m->given = calloc(s->source.ranks, sizeof *m->given))) {
    free(m);
    return NULL;
  }
  if (!m) return NULL;
  m->number = number;
  m->call = *call;
  m->next = s->meetings;
  return s->meetings = m;
}

/* Bytes of it: of what one rank has, or of each one's part. */
static uint64_t bytes_of(const struct outside_call *call) {
  switch (call->number) {
  case CALL_BCAST: return call->arguments[1];
  case CALL_REDUCE: return call->arguments[2] * sizes[call->arguments[3] / 16];
  case CALL_BARRIER: return 0;
  default: return call->arguments[2];
  }
}
static int32_t root_of(const struct outside_call *call) {
  static const uint8_t places[] = {
      [CALL_BCAST - OUTSIDE_CALLS] = 2,   [CALL_REDUCE - OUTSIDE_CALLS] = 4,   [CALL_GATHER - OUTSIDE_CALLS] = 3,
      [CALL_SCATTER - OUTSIDE_CALLS] = 3, [CALL_ALLTOALL - OUTSIDE_CALLS] = 0,
  };
  uint8_t place = places[call->number - OUTSIDE_CALLS];
  return place ? (int32_t)call->arguments[place] : -1;
}

/* Bytes that the rank gives to it. */
static uint64_t gives(const struct simulated *s, const struct outside_call *call, uint32_t number) {
  uint64_t bytes = bytes_of(call);
  bool roots = root_of(call) == (int32_t)number;
  switch (call->number) {
  case CALL_BCAST: return roots ? bytes : 0;
  case CALL_SCATTER: return roots ? bytes * s->source.ranks : 0;
  case CALL_ALLTOALL: return bytes * s->source.ranks;
  default: return bytes;
  }
}

/* And that it gets of it. */
static uint64_t gets(const struct simulated *s, const struct outside_call *call, uint32_t number) {
  uint64_t bytes = bytes_of(call);
  int32_t root = root_of(call);
  bool roots = root < 0 || root == (int32_t)number;
  switch (call->number) {
  case CALL_BCAST: return roots ? 0 : bytes;
  case CALL_REDUCE: return roots ? bytes : 0;
  case CALL_GATHER: return roots ? bytes * s->source.ranks : 0;
  case CALL_ALLTOALL: return bytes * s->source.ranks;
  default: return bytes;
  }
}

static bool agree(const struct outside_call *a, const struct outside_call *b) {
  return a->number == b->number && bytes_of(a) == bytes_of(b) && root_of(a) == root_of(b) &&
         (a->number != CALL_REDUCE || a->arguments[3] == b->arguments[3]);
}

static enum program_next meet(struct simulated *s, uint32_t number, struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  const struct outside_call *call = &rank->program->call;
  struct meeting *m = meeting_of(s, rank->meetings, call);
  if (!m) return failed(error, "memory does not suffice");
  if (!agree(&m->call, call))
    return failed(error,
                  "its collective operation %llu is another one, or of another root, size or type, than that of "
                  "other ranks",
                  (unsigned long long)rank->meetings + 1);
  m->came++;
  uint64_t bytes = bytes_of(call) <= UINT32_MAX ? gives(s, call, number) : UINT64_MAX;
  if (!bytes) return PROGRAM_NEXT;
  m->given[number] = copy_from(rank, call->arguments[0], bytes);
  return m->given[number] ? PROGRAM_NEXT : no_memory(error, call->arguments[0], bytes);
}

/* What the rank gets, of what all have given in their order. */
static void assemble(const struct simulated *s, const struct meeting *m, uint32_t number, uint8_t *got) {
  uint64_t bytes = bytes_of(&m->call);
  unsigned how = (unsigned)m->call.arguments[3];
  if (m->call.number == CALL_BCAST || m->call.number == CALL_SCATTER) {
    memcpy(got, m->given[root_of(&m->call)] + (m->call.number == CALL_SCATTER ? number * bytes : 0), bytes);
    return;
  }
  for (uint32_t k = 0; k < s->source.ranks; k++)
    if (m->call.number == CALL_REDUCE && k)
      combine(got, m->given[k], m->call.arguments[2], how / 16, how % 16);
    else if (m->call.number == CALL_REDUCE)
      memcpy(got, m->given[k], bytes);
    else
      memcpy(got + k * bytes, m->given[k] + (m->call.number == CALL_ALLTOALL ? number * bytes : 0), bytes);
}

/* Has everybody come of whom the rank gets something? */
static bool complete(const struct simulated *s, const struct meeting *m) {
  bool one = m->call.number == CALL_BCAST || m->call.number == CALL_SCATTER;
  return one ? m->given[root_of(&m->call)] != NULL : m->came == s->source.ranks;
}

/* What the rank gets of a meeting that is at its end for it. */
static enum program_next part(struct simulated *s, uint32_t number, struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  const struct outside_call *call = &rank->program->call;
  struct meeting **link = &s->meetings;
  while ((*link)->number != rank->meetings)
    link = &(*link)->next;
  struct meeting *m = *link;
  enum program_next next = PROGRAM_NEXT;
  uint64_t bytes = gets(s, call, number), room = call->arguments[call->number != CALL_BCAST];
  if (bytes) {
    uint8_t *got = complete(s, m) ? malloc(bytes) : NULL;
    if (!got) return failed(error, "it gets what others have not given yet");
    assemble(s, m, number, got);
    if (!copy_to(rank, room, got, bytes)) next = no_memory(error, room, bytes);
    free(got);
  }
  rank->meetings++;
  if (++m->left < s->source.ranks) return next;
  *link = m->next;
  meeting_free(m, s->source.ranks);
  return next;
}

/* ---- calls ---- */

static bool is_nobody(uint64_t peer) { return (int32_t)peer == PROGRAM_NOBODY; }

/* The call has come to its end without an operation. */
static enum program_next answered(struct rank *rank, uint64_t value) {
  rank->program->front->answer(rank->program, value);
  rank->calls = false;
  return PROGRAM_NEXT;
}

/* A receive from nobody. */
static enum program_next nothing_received(struct rank *rank, uint64_t status, struct program_error *error) {
  const int64_t said[STATUS_WORDS] = {PROGRAM_NOBODY, PROGRAM_ANY, 0};
  if (status && !copy_to(rank, status, said, sizeof said)) return no_memory(error, status, sizeof said);
  return answered(rank, 0);
}

static enum program_next send(struct rank *rank, enum program_kind kind, struct program_error *error) {
  const uint64_t *a = rank->program->call.arguments;
  struct program_operation *o = &rank->operation;
  bool started = kind == PROGRAM_ISEND;
  int64_t request = started ? request_new(rank, (struct request){.used = true, .done = is_nobody(a[2])}) : 0;
  if (request < 0) return failed(error, "more than %d requests", REQUESTS_MOST);
  if (is_nobody(a[2])) return answered(rank, (uint64_t)request);
  *o = (struct program_operation){
      .kind = kind, .destination = (int32_t)a[2], .tag = (int32_t)a[3], .bytes = (double)a[1], .request = request};
  return message_add(rank, a[0], a[1]) ? PROGRAM_NEXT : no_memory(error, a[0], a[1]);
}

static enum program_next receive(struct rank *rank, enum program_kind kind, struct program_error *error) {
  const uint64_t *a = rank->program->call.arguments;
  bool started = kind == PROGRAM_IRECV, nobody = is_nobody(a[2]);
  if (!started && nobody) return nothing_received(rank, a[4], error);
  int64_t request = 0;
  if (started)
    request = request_new(rank, (struct request){.used = true, .receives = true, .done = nobody, a[0], a[1]});
  if (request < 0) return failed(error, "more than %d requests", REQUESTS_MOST);
  if (nobody) return answered(rank, (uint64_t)request);
  rank->operation = (struct program_operation){.kind = kind,
                                               .source = (int32_t)a[2],
                                               .source_tag = (int32_t)a[3],
                                               .received = (double)a[1],
                                               .request = request,
                                               .asks = !started};
  return PROGRAM_NEXT;
}

static enum program_next probe(struct rank *rank, enum program_kind kind, struct program_error *error) {
  const uint64_t *a = rank->program->call.arguments;
  if (is_nobody(a[0])) {
    enum program_next next = nothing_received(rank, a[2], error);
    return next == PROGRAM_NEXT ? answered(rank, 1) : next;
  }
  rank->operation =
      (struct program_operation){.kind = kind, .source = (int32_t)a[0], .source_tag = (int32_t)a[1], .asks = true};
  return PROGRAM_NEXT;
}

/* A message is there, or not yet. */
static enum program_next probed(struct simulated *s, struct rank *rank, const struct program_answer *answer,
                                struct program_error *error) {
  const uint64_t *a = rank->program->call.arguments;
  bool found = rank->operation.kind == PROGRAM_PROBE || answer->done;
  bool known = answer->source >= 0 && (uint32_t)answer->source < s->source.ranks;
  const struct message *m = found && known ? s->ranks[answer->source].first : NULL;
  while (m && m->number != answer->number)
    m = m->next;
  rank->program->front->answer(rank->program, found);
  if (!found) return PROGRAM_NEXT;
  if (!m) return failed(error, "a message that no rank has sent");
  const int64_t said[STATUS_WORDS] = {answer->source, answer->tag, (int64_t)m->size};
  return !a[2] || copy_to(rank, a[2], said, sizeof said) ? PROGRAM_NEXT : no_memory(error, a[2], sizeof said);
}

static enum program_next await(struct rank *rank, struct program_error *error) {
  const uint64_t *a = rank->program->call.arguments;
  struct request *request = a[0] < rank->request_count ? &rank->requests[a[0]] : NULL;
  if (!request || !request->used) return failed(error, "it waits for a request that there is not");
  rank->waited = (int64_t)a[0];
  if (request->done) {
    *request = (struct request){.used = false};
    return nothing_received(rank, a[1], error);
  }
  rank->operation = (struct program_operation){
      .kind = PROGRAM_WAIT, .requests = &rank->waited, .request_count = 1, .asks = request->receives};
  return PROGRAM_NEXT;
}

static enum program_kind kind_of(const struct outside_call *call) {
  bool all = root_of(call) < 0;
  switch (call->number) {
  case CALL_BCAST: return PROGRAM_BCAST;
  case CALL_REDUCE: return all ? PROGRAM_ALLREDUCE : PROGRAM_REDUCE;
  case CALL_GATHER: return all ? PROGRAM_ALLGATHER : PROGRAM_GATHER;
  case CALL_SCATTER: return PROGRAM_SCATTER;
  case CALL_ALLTOALL: return PROGRAM_ALLTOALL;
  default: return PROGRAM_BARRIER;
  }
}

static enum program_next collective(struct simulated *s, uint32_t number, struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  const struct outside_call *call = &rank->program->call;
  if (call->number == CALL_REDUCE && (!reduction_known(call->arguments[3]) || call->arguments[2] > UINT32_MAX))
    return failed(error, "a reduction of a kind that is not known");
  int32_t root = root_of(call);
  bool for_all = call->number == CALL_BARRIER || call->number == CALL_ALLTOALL ||
                 ((call->number == CALL_REDUCE || call->number == CALL_GATHER) && root == -1);
  if (!for_all && (root < 0 || root >= (int64_t)s->source.ranks)) return failed(error, "a root that is no rank");
  rank->operation =
      (struct program_operation){.kind = kind_of(call), .bytes = (double)bytes_of(call), .root = for_all ? 0 : root};
  return meet(s, number, error);
}

/* What the call at which the rank has halted becomes. */
static enum program_next take(struct simulated *s, uint32_t number, struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  rank->calls = true;
  switch (rank->program->call.number) {
  case CALL_RANK: return answered(rank, number);
  case CALL_SIZE: return answered(rank, s->source.ranks);
  case CALL_SEND: return send(rank, PROGRAM_SEND, error);
  case CALL_ISEND: return send(rank, PROGRAM_ISEND, error);
  case CALL_RECEIVE: return receive(rank, PROGRAM_RECV, error);
  case CALL_IRECEIVE: return receive(rank, PROGRAM_IRECV, error);
  case CALL_WAIT: return await(rank, error);
  case CALL_BARRIER:
  case CALL_BCAST:
  case CALL_GATHER:
  case CALL_SCATTER:
  case CALL_ALLTOALL:
  case CALL_REDUCE: return collective(s, number, error);
  case CALL_PROBE: return probe(rank, PROGRAM_PROBE, error);
  case CALL_IPROBE: return probe(rank, PROGRAM_IPROBE, error);
  case CALL_ABORT:
    return failed(error, "the program calls MPI_Abort with code %d", (int)rank->program->call.arguments[0]);
  default:
    return failed(error, "a call of MPI of number %llu, which is none", (unsigned long long)rank->program->call.number);
  }
}

/* The operation of a call is done. */
static enum program_next finish(struct simulated *s, uint32_t number, const struct program_answer *answer,
                                struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  const uint64_t *a = rank->program->call.arguments;
  struct request request;
  rank->calls = rank->given = false;
  clock_set(s, rank, answer->now);
  rank->program->front->answer(rank->program, (uint64_t)rank->operation.request);
  switch (rank->operation.kind) {
  case PROGRAM_RECV: return deliver(s, rank, answer, a[0], a[1], a[4], error);
  case PROGRAM_PROBE:
  case PROGRAM_IPROBE: return probed(s, rank, answer, error);
  case PROGRAM_WAIT:
    request = rank->requests[rank->waited];
    rank->requests[rank->waited].used = false;
    return request.receives ? deliver(s, rank, answer, request.room, request.size, a[1], error) : PROGRAM_NEXT;
  case PROGRAM_BARRIER:
  case PROGRAM_BCAST:
  case PROGRAM_REDUCE:
  case PROGRAM_GATHER:
  case PROGRAM_ALLGATHER:
  case PROGRAM_SCATTER:
  case PROGRAM_ALLTOALL:
  case PROGRAM_ALLREDUCE: return part(s, number, error);
  default: return PROGRAM_NEXT;
  }
}

/* ---- operations ---- */

static enum program_next end_of(struct rank *rank, struct program_error *error) {
  struct program *p = rank->program;
  rank->ended = true;
  if (*p->fault) return failed(error, "the program goes wrong: %.140s", p->fault);
  return p->status ? failed(error, "the program ends with status %d", p->status) : PROGRAM_LAST;
}

/* What it has computed since the last operation; false: nothing. */
static bool computed(const struct simulated *s, struct rank *rank, struct program_operation *operation) {
  uint64_t now = time_of(rank), more = now - rank->counted;
  rank->counted = now;
  *operation = (struct program_operation){.kind = PROGRAM_COMPUTE,
                                          .unit = s->counts ? UNIT_INSTRUCTIONS : UNIT_SECONDS,
                                          .work = s->counts ? (double)more : (double)more / s->parameters.clock};
  return more && !s->free;
}

static enum program_next next_operation(struct simulated *s, uint32_t number, const struct program_answer *answer,
                                        struct program_operation *operation, struct program_error *error) {
  struct rank *rank = &s->ranks[number];
  enum program_next next = PROGRAM_NEXT;
  if (rank->calls && rank->given) next = finish(s, number, answer, error);
  bool cut = false;
  while (next == PROGRAM_NEXT && !rank->calls && !rank->ended && !cut) {
    if (!rank->program) next = start(s, number, error);
    if (next == PROGRAM_NEXT) run(rank, time_limit(s, rank, answer));
    if (next == PROGRAM_NEXT && rank->program->halted) next = take(s, number, error);
    cut = next == PROGRAM_NEXT && program_runs(rank->program);
    if (next == PROGRAM_NEXT && !rank->calls && !rank->program->halted && !cut) rank->ended = true;
  }
  if (next != PROGRAM_NEXT) return next;
  if (computed(s, rank, operation)) return PROGRAM_NEXT;
  if (rank->ended) return end_of(rank, error);
  rank->given = true;
  *operation = rank->operation;
  return PROGRAM_NEXT;
}

/* ---- the trace of the run ---- */

/* What the rank was handed last is done. */
static bool record(struct simulated *s, uint32_t number, const struct program_answer *answer) {
  struct rank *rank = &s->ranks[number];
  if (!*s->words[WORD_RECORD]) return true;
  if (!s->recording) s->recording = recording_open(s->words[WORD_RECORD], s->source.ranks);
  if (!s->recording || (rank->handed && !recording_add(s->recording, number, &rank->last_handed, answer))) return false;
  rank->handed = false;
  return true;
}

static enum program_next simulated_next(struct program_source *source, uint32_t number,
                                        const struct program_answer *answer, struct program_operation *operation,
                                        struct program_error *error) {
  struct simulated *s = (struct simulated *)source;
  struct rank *rank = &s->ranks[number];
  enum program_next next = PROGRAM_FAILED;
  bool fine = record(s, number, answer);
  if (fine) next = next_operation(s, number, answer, operation, error);
  if (next == PROGRAM_LAST && s->recording) fine = recording_end(s->recording, number);
  rank->handed = next == PROGRAM_NEXT;
  if (rank->handed) rank->last_handed = *operation;
  return fine ? next : failed(error, "the trace %.80s cannot be written: %s", s->words[WORD_RECORD], strerror(errno));
}

/* ---- places ---- */

static void simulated_place(const struct program_source *source, uint32_t number, char *out, size_t size) {
  const struct simulated *s = (const struct simulated *)source;
  const struct program *p = s->ranks[number].program;
  const char *slash = strrchr(*s->program_words, '/');
  *out = '\0';
  if (p) snprintf(out, size, "%.40s at 0x%llx", slash ? slash + 1 : *s->program_words, (unsigned long long)p->pc);
}

const struct program_source_kind simulated_source = {
    .name = "program on simulated processors",
    .runs = true,
    .recognise = simulated_recognise,
    .open = simulated_open,
    .next = simulated_next,
    .place = simulated_place,
    .close = simulated_close,
    .answered = true,
};
