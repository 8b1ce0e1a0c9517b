/* Time-independent traces of SimGrid, all ranks in one file, as time_independent.c reads them: sizes are bytes. Their
 * waits name a source, a destination and a tag, and mean the oldest request that has these. */
#include "evaluators/programs/lists.h"
#include "evaluators/programs/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS = 1 << 12 };

struct request { /* that has been started, by its number */
  bool pending;
  int32_t source, destination, tag;
  uint32_t before, behind; /* older and younger ones of its list, by number and one; 0: none */
};

struct text {
  struct trace_output output;
  FILE *file;
  struct request *requests; /* of the rank in hand */
  size_t capacity;
  uint32_t youngest[LISTS]; /* by what a wait says */
  uint32_t pending;
  bool begun, ended; /* of the rank in hand */
};

static struct trace_output *text_open(const char *path, const char *name, uint32_t ranks, struct program_error *error) {
  struct text *t = calloc(1, sizeof *t);
  if (t) t->file = fopen(path, "we");
  (void)ranks;
  if (t && t->file) return &t->output;
  snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", name, strerror(errno));
  free(t);
  return NULL;
}

static void lost(struct text *t, const char *what) { trace_output_lost(&t->output, what); }

/* ---- words ---- */

/* Sizes are whole numbers. */
static double whole(struct text *t, double bytes) {
  if (bytes == floor(bytes)) return bytes;
  lost(t, "parts of bytes: sizes are rounded");
  return round(bytes);
}

static void put_parts(struct text *t, const struct program_operation *o, bool sent) {
  for (uint32_t k = 0; k < t->output.ranks; k++)
    fprintf(t->file, " %.0f", whole(t, program_part(o, sent, k, t->output.ranks)));
}

/* ---- requests ---- */

static uint32_t *list_of(struct text *t, const struct request *request) {
  uint32_t hash = ((uint32_t)request->source * 31 + (uint32_t)request->destination) * 31 + (uint32_t)request->tag;
  return &t->youngest[hash * 2654435761u >> 20];
}

static void take(struct text *t, struct request *request) {
  if (request->before) t->requests[request->before - 1].behind = request->behind;
  if (request->behind)
    t->requests[request->behind - 1].before = request->before;
  else
    *list_of(t, request) = request->before;
  request->pending = false;
  t->pending--;
}

static bool start(struct text *t, const struct program_operation *o, int32_t source, int32_t destination, int32_t tag) {
  struct request *grown = table_grown(t->requests, (uint64_t)o->request, &t->capacity, sizeof *grown);
  if (!grown) return false;
  t->requests = grown;
  struct request *request = &t->requests[o->request];
  if (request->pending) take(t, request);
  *request = (struct request){true, source, destination, tag};
  uint32_t *list = list_of(t, request);
  request->before = *list;
  if (*list) t->requests[*list - 1].behind = (uint32_t)o->request + 1;
  *list = (uint32_t)o->request + 1;
  t->pending++;
  return true;
}

static bool same(const struct request *a, const struct request *b) {
  return a->source == b->source && a->destination == b->destination && a->tag == b->tag;
}

static struct request *request_of(struct text *t, int64_t number) {
  bool known = number >= 0 && (uint64_t)number < t->capacity && t->requests[number].pending;
  return known ? &t->requests[number] : NULL;
}

/* Is there an older one of the same words? A wait would be for that. */
static bool has_older(const struct text *t, const struct request *request) {
  for (uint32_t k = request->before; k; k = t->requests[k - 1].before)
    if (same(&t->requests[k - 1], request)) return true;
  return false;
}

static void put_wait(struct text *t, uint32_t rank, const char *action, struct request *request, bool takes) {
  if (has_older(t, request)) lost(t, "which of several requests of one partner and tag is waited for: the oldest is");
  fprintf(t->file, "%u %s %d %d %d\n", rank, action, request->source, request->destination, request->tag);
  if (takes) take(t, request);
}

/* One for all that are pending, else one for each. */
static void put_waits(struct text *t, uint32_t rank, const struct program_operation *o) {
  uint32_t known = 0;
  for (uint32_t k = 0; k < o->request_count; k++)
    known += request_of(t, o->requests[k]) != NULL;
  bool all = o->kind == PROGRAM_WAITALL && known == t->pending;
  if (all) fprintf(t->file, "%u waitall\n", rank);
  for (uint32_t k = 0; k < o->request_count; k++) {
    struct request *request = request_of(t, o->requests[k]);
    if (!request) continue; /* of a collective operation, which stands there as one that blocks */
    if (!all) put_wait(t, rank, "wait", request, true);
    if (all) take(t, request);
  }
}

/* ---- operations ---- */

static const char *action_of(enum program_kind kind) {
  switch (kind) {
  case PROGRAM_ALLTOALLW: return "alltoallv";
  case PROGRAM_REDUCE_SCATTER:
  case PROGRAM_REDUCE_SCATTER_BLOCK: return "reducescatter";
  default: return program_kinds[kind].name;
  }
}

static bool put_collective(struct text *t, uint32_t rank, const struct program_operation *o, enum program_kind kind) {
  uint32_t ranks = t->output.ranks;
  double bytes = whole(t, o->bytes);
  fprintf(t->file, "%u %s", rank, action_of(kind));
  switch (kind) {
  case PROGRAM_BCAST: fprintf(t->file, " %.0f %d", bytes, o->root); break;
  case PROGRAM_REDUCE: fprintf(t->file, " %.0f 0 %d", bytes, o->root); break;
  case PROGRAM_ALLREDUCE:
  case PROGRAM_SCAN:
  case PROGRAM_EXSCAN: fprintf(t->file, " %.0f 0", bytes); break;
  case PROGRAM_GATHER:
  case PROGRAM_SCATTER: fprintf(t->file, " %.0f %.0f %d", bytes, bytes, o->root); break;
  case PROGRAM_ALLGATHER:
  case PROGRAM_ALLTOALL: fprintf(t->file, " %.0f %.0f", bytes, bytes); break;
  case PROGRAM_GATHERV:
    fprintf(t->file, " %.0f", bytes);
    put_parts(t, o, false);
    fprintf(t->file, " %d", o->root);
    break;
  case PROGRAM_ALLGATHERV:
    fprintf(t->file, " %.0f", bytes);
    put_parts(t, o, false);
    break;
  case PROGRAM_SCATTERV:
    put_parts(t, o, true);
    fprintf(t->file, " %.0f %d", whole(t, o->received), o->root);
    break;
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW:
    fprintf(t->file, " %.0f", bytes);
    put_parts(t, o, true);
    fprintf(t->file, " %.0f", whole(t, o->received));
    put_parts(t, o, false);
    break;
  case PROGRAM_REDUCE_SCATTER:
    put_parts(t, o, false);
    fputs(" 0", t->file);
    break;
  case PROGRAM_REDUCE_SCATTER_BLOCK:
    for (uint32_t k = 0; k < ranks; k++)
      fprintf(t->file, " %.0f", bytes);
    fputs(" 0", t->file);
    break;
  default: break;
  }
  fputc('\n', t->file);
  return true;
}

static bool write_collective(struct text *t, uint32_t rank, const struct program_operation *o) {
  bool starts = o->kind >= PROGRAM_IBARRIER;
  enum program_kind kind = starts ? o->kind - (PROGRAM_IBARRIER - PROGRAM_BARRIER) : o->kind;
  if (o->communicator != PROGRAM_WORLD) {
    lost(t, "collective operations of communicators other than that of all ranks: left out");
    return true;
  }
  if (starts) lost(t, "collective operations that do not block: they block");
  if (kind == PROGRAM_ALLTOALLW) lost(t, "datatypes of alltoallw: it is an alltoallv");
  if (kind == PROGRAM_REDUCE_SCATTER_BLOCK) lost(t, "reduce_scatter_block: it is a reduce_scatter");
  return put_collective(t, rank, o, kind);
}

static void message_of(struct text *t, const struct program_operation *o) {
  if (o->communicator != PROGRAM_WORLD) lost(t, "communicators of messages: all are those of one");
}

static bool write_send(struct text *t, uint32_t rank, const struct program_operation *o, bool starts) {
  if (o->destination == PROGRAM_NOBODY) {
    lost(t, "messages to nobody: left out");
    return true;
  }
  if (o->kind != PROGRAM_SEND && o->kind != PROGRAM_ISEND)
    lost(t, "modes of sending, such as synchronous or buffered: all are standard");
  message_of(t, o);
  fprintf(t->file, "%u %s %d %d %.0f\n", rank, starts ? "isend" : "send", o->destination, o->tag, whole(t, o->bytes));
  return !starts || start(t, o, (int32_t)rank, o->destination, o->tag);
}

static bool write_recv(struct text *t, uint32_t rank, const struct program_operation *o, bool starts) {
  if (o->source == PROGRAM_NOBODY) {
    lost(t, "messages from nobody: left out");
    return true;
  }
  message_of(t, o);
  fprintf(t->file, "%u %s %d %d %.0f\n", rank, starts ? "irecv" : "recv", o->source, o->source_tag,
          whole(t, o->received));
  return !starts || start(t, o, o->source, (int32_t)rank, o->source_tag);
}

/* As what it stands for: both at once, then both are waited for. */
static void write_sendrecv(struct text *t, uint32_t rank, const struct program_operation *o) {
  struct program_operation part = *o;
  if (o->destination == PROGRAM_NOBODY || o->source == PROGRAM_NOBODY) {
    part.kind = o->source == PROGRAM_NOBODY ? PROGRAM_SEND : PROGRAM_RECV;
    if (o->source == PROGRAM_NOBODY)
      write_send(t, rank, &part, false);
    else
      write_recv(t, rank, &part, false);
    return;
  }
  lost(t, "sendrecv: it is an isend, a recv and a wait");
  fprintf(t->file, "%u isend %d %d %.0f\n", rank, o->destination, o->tag, whole(t, o->bytes));
  part.kind = PROGRAM_RECV;
  write_recv(t, rank, &part, false);
  fprintf(t->file, "%u wait %u %d %d\n", rank, rank, o->destination, o->tag);
}

static bool write_compute(struct text *t, uint32_t rank, const struct program_operation *o) {
  if (o->kind == PROGRAM_ICOMPUTE) lost(t, "computing beside messages: they go on when it has ended");
  if (o->burst) lost(t, "which burst a computation is");
  if (o->unit == UNIT_INSTRUCTIONS) lost(t, "instructions: they are counted as flops");
  fprintf(t->file, "%u %s %.17g\n", rank, o->unit == UNIT_SECONDS ? "sleep" : "compute", o->work);
  return true;
}

static bool write_sleep(struct text *t, uint32_t rank, const struct program_operation *o) {
  lost(t, "sleep: it is computed");
  return write_compute(t, rank, &(struct program_operation){.kind = PROGRAM_COMPUTE, .work = o->duration});
}

static void begin(struct text *t, uint32_t rank) {
  if (!t->begun) fprintf(t->file, "%u init\n", rank);
  t->begun = true;
}

static void finalize(struct text *t, uint32_t rank) {
  begin(t, rank);
  if (!t->ended) fprintf(t->file, "%u finalize\n", rank);
  t->ended = true;
}

static bool write_one(struct text *t, uint32_t rank, const struct program_operation *o) {
  switch (o->kind) {
  case PROGRAM_INIT: return true;
  case PROGRAM_FINALIZE: finalize(t, rank); return true;
  case PROGRAM_COMPUTE:
  case PROGRAM_ICOMPUTE: return write_compute(t, rank, o);
  case PROGRAM_SLEEP: return write_sleep(t, rank, o);
  case PROGRAM_SEND:
  case PROGRAM_BSEND:
  case PROGRAM_SSEND:
  case PROGRAM_RSEND: return write_send(t, rank, o, false);
  case PROGRAM_ISEND:
  case PROGRAM_IBSEND:
  case PROGRAM_ISSEND:
  case PROGRAM_IRSEND: return write_send(t, rank, o, true);
  case PROGRAM_RECV: return write_recv(t, rank, o, false);
  case PROGRAM_IRECV: return write_recv(t, rank, o, true);
  case PROGRAM_SENDRECV: write_sendrecv(t, rank, o); return true;
  case PROGRAM_WAIT:
  case PROGRAM_WAITALL: put_waits(t, rank, o); return true;
  case PROGRAM_TEST:
    if (o->request_count == 1 && request_of(t, *o->requests))
      put_wait(t, rank, "test", request_of(t, *o->requests), false);
    return true;
  case PROGRAM_COMM_MAKE:
  case PROGRAM_COMM_FREE: lost(t, "communicators: their messages are those of one"); return true;
  case PROGRAM_ENTER:
  case PROGRAM_LEAVE: lost(t, "regions: left out"); return true;
  case PROGRAM_PROBE:
  case PROGRAM_IPROBE: lost(t, "probes: left out"); return true;
  case PROGRAM_WAITANY:
  case PROGRAM_WAITSOME:
  case PROGRAM_TESTALL:
  case PROGRAM_TESTANY:
  case PROGRAM_TESTSOME: lost(t, "waits and tests of some of several requests: left out"); return true;
  case PROGRAM_SEND_INIT:
  case PROGRAM_RECV_INIT:
  case PROGRAM_START: lost(t, "persistent requests: left out"); return true;
  case PROGRAM_CANCEL:
  case PROGRAM_REQUEST_FREE: lost(t, "requests that are cancelled or freed: left out"); return true;
  default: lost(t, "files and one-sided communication: left out"); return true;
  }
}

static bool is_collective(enum program_kind kind) { return kind >= PROGRAM_BARRIER && kind <= PROGRAM_IEXSCAN; }

static bool text_failed(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "the trace cannot be written: %s", strerror(errno));
  return false;
}

static bool text_write(struct trace_output *output, uint32_t rank, const struct program_operation *o,
                       struct program_error *error) {
  struct text *t = (struct text *)output;
  if (o->took > 0) lost(t, "how long operations took");
  if (o->site) lost(t, "places of calls");
  if (t->ended) {
    lost(t, "what comes after MPI_Finalize: left out");
    return true;
  }
  begin(t, rank);
  bool fine = is_collective(o->kind) ? write_collective(t, rank, o) : write_one(t, rank, o);
  return (fine && !ferror(t->file)) || text_failed(error);
}

static bool text_end(struct trace_output *output, uint32_t rank, struct program_error *error) {
  struct text *t = (struct text *)output;
  finalize(t, rank);
  if (t->capacity) memset(t->requests, 0, t->capacity * sizeof *t->requests);
  memset(t->youngest, 0, sizeof t->youngest);
  t->pending = 0;
  t->begun = t->ended = false;
  return !ferror(t->file) || text_failed(error);
}

static bool text_finish(struct trace_output *output, struct program_error *error) {
  struct text *t = (struct text *)output;
  return fflush(t->file) == 0 || text_failed(error);
}

static void text_close(struct trace_output *output) {
  struct text *t = (struct text *)output;
  fclose(t->file);
  free(t->requests);
  free(t);
}

const struct trace_output_kind time_independent_output = {
    .name = "time-independent trace of SimGrid",
    .endings = ".tit .ti",
    .open = text_open,
    .write = text_write,
    .end = text_end,
    .finish = text_finish,
    .close = text_close,
};
