/* Traces of Dimemas (.dim), as dimemas_trace.c reads them: communicators first, then the records of each task, then
 * where these begin, which the head says. So records stand in a temporary file until all are there. */
#include "evaluators/programs/lists.h"
#include "evaluators/programs/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLD = 1, REGION = 60000019, OFFSET_DIGITS = 15 };

struct request { /* what was started, by its number */
  enum { REQUEST_NONE, REQUEST_OTHER, REQUEST_RECEIVE, REQUEST_COLLECTIVE } kind;
  int32_t source, tag, number;
  uint32_t communicator;
  double bytes;
};

struct communicator {
  uint32_t name, count;
  int32_t *members;
};

struct text {
  struct trace_output output;
  FILE *file, *records;
  int64_t *offsets; /* in `records`, of each rank */
  struct request *requests;
  size_t capacity;
  struct communicator *communicators; /* but that of all */
  uint32_t communicator_count;
  char **regions; /* by number, from 1 */
  uint32_t region_count;
  uint32_t next; /* the first rank that has no records yet */
};

static void lost(struct text *t, const char *what) { trace_output_lost(&t->output, what); }

static bool failed(struct program_error *error) {
  snprintf(error->text, sizeof error->text, "the trace cannot be written: %s", strerror(errno));
  return false;
}

static void text_close(struct trace_output *output) {
  struct text *t = (struct text *)output;
  if (t->file) fclose(t->file);
  if (t->records) fclose(t->records);
  for (uint32_t k = 0; k < t->communicator_count; k++)
    free(t->communicators[k].members);
  for (uint32_t k = 0; k < t->region_count; k++)
    free(t->regions[k]);
  free(t->communicators);
  free(t->regions);
  free(t->requests);
  free(t->offsets);
  free(t);
}

static struct trace_output *text_open(const char *path, const char *name, uint32_t ranks, struct program_error *error) {
  struct text *t = calloc(1, sizeof *t);
  if (!t) return failed(error), NULL;
  t->file = fopen(path, "we");
  t->records = tmpfile();
  t->offsets = calloc(ranks ? ranks : 1, sizeof *t->offsets);
  if (t->file && t->records && t->offsets) return &t->output;
  snprintf(error->text, sizeof error->text, "%.80s cannot be written: %s", name, strerror(errno));
  text_close(&t->output);
  return NULL;
}

/* ---- numbers ---- */

static uint32_t name_of(uint32_t communicator) { return communicator + WORLD; }

static const struct communicator *members_of(const struct text *t, uint32_t communicator) {
  for (uint32_t k = 0; k < t->communicator_count; k++)
    if (t->communicators[k].name == communicator) return &t->communicators[k];
  return NULL;
}

static bool communicator_add(struct text *t, const struct program_operation *o) {
  if (members_of(t, o->communicator)) return true;
  struct communicator *grown = realloc(t->communicators, (t->communicator_count + 1) * sizeof *grown);
  int32_t *members = malloc((o->member_count ? o->member_count : 1) * sizeof *members);
  if (grown) t->communicators = grown;
  if (!grown || !members) return free(members), false;
  memcpy(members, o->members, o->member_count * sizeof *members);
  grown[t->communicator_count++] = (struct communicator){o->communicator, o->member_count, members};
  return true;
}

/* The number of a region; 0: no memory. */
static uint32_t region_of(struct text *t, const struct program_operation *o) {
  const char *name = o->name ? o->name : "?";
  uint32_t k = 0;
  while (k < t->region_count && strcmp(t->regions[k], name) != 0)
    k++;
  if (k < t->region_count) return k + 1;
  char **grown = realloc(t->regions, (k + 1) * sizeof *grown);
  if (grown) t->regions = grown;
  if (!grown || !(grown[k] = strdup(name))) return 0;
  t->region_count++;
  return k + 1;
}

static bool request_add(struct text *t, int64_t number, struct request request) {
  struct request *grown = table_grown(t->requests, (uint64_t)number, &t->capacity, sizeof *grown);
  if (!grown) return false;
  t->requests = grown;
  t->requests[number] = request;
  return true;
}

static double whole(struct text *t, double bytes) {
  if (bytes == floor(bytes)) return bytes;
  lost(t, "parts of bytes: sizes are rounded");
  return round(bytes);
}

/* ---- records ---- */

static void put_send(struct text *t, uint32_t rank, const struct program_operation *o, int mode) {
  if (o->destination < 0) return;
  fprintf(t->records, "2:%u:0:%d:%.0f:%d:%u:%d\n", rank, o->destination, whole(t, o->bytes), o->tag,
          name_of(o->communicator), mode);
}

static void put_receive(struct text *t, uint32_t rank, struct request request, int mode) {
  if (request.source == PROGRAM_NOBODY) return;
  if (request.source == PROGRAM_ANY || request.tag == PROGRAM_ANY)
    lost(t, "receives from any source or of any tag, for which Dimemas' own simulator has no matching");
  fprintf(t->records, "3:%u:0:%d:%.0f:%d:%u:%d\n", rank, request.source, whole(t, request.bytes), request.tag,
          name_of(request.communicator), mode);
}

static struct request receive_of(const struct program_operation *o) {
  return (struct request){REQUEST_RECEIVE, o->source, o->source_tag, 0, o->communicator, o->received};
}

static void put_wait(struct text *t, uint32_t rank, int64_t number) {
  struct request *request = number >= 0 && (uint64_t)number < t->capacity ? &t->requests[number] : NULL;
  if (!request) return;
  if (request->kind == REQUEST_RECEIVE) put_receive(t, rank, *request, 2);
  if (request->kind == REQUEST_OTHER) lost(t, "waits for sends");
  if (request->kind == REQUEST_COLLECTIVE)
    fprintf(t->records, "10:%u:0:%d:%u:0:0:0:0:2\n", rank, request->number, name_of(request->communicator));
  request->kind = REQUEST_NONE;
}

static bool put_collective(struct text *t, uint32_t rank, const struct program_operation *o) {
  int number = program_collective_number(o->kind);
  const struct communicator *all = members_of(t, o->communicator);
  struct program_share share = program_share(o, (int32_t)rank, all ? all->members[0] : 0);
  bool started = program_kinds[o->kind].fields & FIELD_REQUEST;
  if (number < 0) {
    lost(t, "exclusive scans: left out");
    return !started || request_add(t, o->request, (struct request){.kind = REQUEST_NONE});
  }
  enum program_kind plain = program_plain(o->kind);
  if (o->part_count && (plain == PROGRAM_ALLTOALLV || plain == PROGRAM_ALLTOALLW))
    lost(t, "parts of different sizes: their sum");
  double gets = program_own_part(o, (int32_t)rank, all ? all->members : NULL, all ? all->count : 0, share.gets);
  fprintf(t->records, "10:%u:0:%d:%u:%d:0:%.0f:%.0f:%d\n", rank, number, name_of(o->communicator),
          o->kind == PROGRAM_REDUCE ? o->root : share.leads, whole(t, share.gives), whole(t, gets),
          started           ? 0
          : share.converges ? 3
                            : 1);
  struct request request = {.kind = REQUEST_COLLECTIVE, .number = number, .communicator = o->communicator};
  return !started || request_add(t, o->request, request);
}

static void put_compute(struct text *t, uint32_t rank, const struct program_operation *o) {
  double seconds = o->work;
  if (o->unit != UNIT_SECONDS && o->took > 0)
    seconds = o->took;
  else if (o->unit != UNIT_SECONDS) {
    lost(t, "flops and instructions: a nanosecond each");
    seconds = o->work * 1e-9;
  }
  fprintf(t->records, "1:%u:0:%.9f\n", rank, seconds);
}

/* Numbered anew where the trace has names alone. */
static bool put_region(struct text *t, uint32_t rank, const struct program_operation *o) {
  int64_t type = o->type ? o->type : REGION, value = o->value;
  if (o->kind == PROGRAM_ENTER && !o->type) {
    lost(t, "names of regions: they are numbered");
    value = region_of(t, o);
  }
  fprintf(t->records, "20:%u:0:%lld:%lld\n", rank, (long long)type, (long long)value);
  return value || o->kind == PROGRAM_LEAVE;
}

static bool put_operation(struct text *t, uint32_t rank, const struct program_operation *o) {
  struct request other = {.kind = REQUEST_OTHER};
  switch (o->kind) {
  case PROGRAM_COMPUTE: put_compute(t, rank, o); return true;
  case PROGRAM_SLEEP:
    lost(t, "sleep: it is computed");
    put_compute(t, rank, &(struct program_operation){.work = o->duration});
    return true;
  case PROGRAM_SEND:
  case PROGRAM_RSEND: put_send(t, rank, o, 0); return true;
  case PROGRAM_BSEND: /* it waits for nobody */
    trace_output_lost(&t->output, "buffers of buffered sends: sent at once");
    put_send(t, rank, o, 2);
    return true;
  case PROGRAM_SSEND: put_send(t, rank, o, 1); return true;
  case PROGRAM_ISEND:
  case PROGRAM_IBSEND:
  case PROGRAM_IRSEND: put_send(t, rank, o, 2); return request_add(t, o->request, other);
  case PROGRAM_ISSEND: put_send(t, rank, o, 3); return request_add(t, o->request, other);
  case PROGRAM_RECV: put_receive(t, rank, receive_of(o), 0); return true;
  case PROGRAM_IRECV: put_receive(t, rank, receive_of(o), 1); return request_add(t, o->request, receive_of(o));
  case PROGRAM_SENDRECV:
    put_receive(t, rank, receive_of(o), 1);
    put_send(t, rank, o, 0);
    put_receive(t, rank, receive_of(o), 2);
    return true;
  case PROGRAM_WAIT:
  case PROGRAM_WAITALL:
    for (uint32_t k = 0; k < o->request_count; k++)
      put_wait(t, rank, o->requests[k]);
    return true;
  case PROGRAM_ENTER:
  case PROGRAM_LEAVE: return put_region(t, rank, o);
  case PROGRAM_COMM_MAKE: return communicator_add(t, o);
  case PROGRAM_INIT:
  case PROGRAM_FINALIZE:
  case PROGRAM_COMM_FREE: return true;
  default: lost(t, "operations that have no record: left out"); return true;
  }
}

static bool is_collective(enum program_kind kind) { return kind >= PROGRAM_BARRIER && kind <= PROGRAM_IEXSCAN; }

/* A task that does not begin by a burst would not be simulated there. */
static void rank_begin(struct text *t, uint32_t rank, bool computes) {
  if (rank < t->next) return;
  t->offsets[rank] = ftello(t->records);
  t->next = rank + 1;
  if (!computes) fprintf(t->records, "1:%u:0:0\n", rank);
}

static bool text_write(struct trace_output *output, uint32_t rank, const struct program_operation *o,
                       struct program_error *error) {
  struct text *t = (struct text *)output;
  rank_begin(t, rank, o->kind == PROGRAM_COMPUTE || o->kind == PROGRAM_SLEEP);
  bool fine = is_collective(o->kind) ? put_collective(t, rank, o) : put_operation(t, rank, o);
  return (fine && !ferror(t->records)) || failed(error);
}

static bool text_end(struct trace_output *output, uint32_t rank, struct program_error *error) {
  struct text *t = (struct text *)output;
  rank_begin(t, rank, false);
  if (t->capacity) memset(t->requests, 0, t->capacity * sizeof *t->requests);
  return !ferror(t->records) || failed(error);
}

static void put_definitions(struct text *t) {
  fprintf(t->file, "d:1:%d:%u", WORLD, t->output.ranks);
  for (uint32_t rank = 0; rank < t->output.ranks; rank++)
    fprintf(t->file, ":%u", rank);
  fputc('\n', t->file);
  for (uint32_t k = 0; k < t->communicator_count; k++) {
    const struct communicator *c = &t->communicators[k];
    fprintf(t->file, "d:1:%u:%u", name_of(c->name), c->count);
    for (uint32_t m = 0; m < c->count; m++)
      fprintf(t->file, ":%d", c->members[m]);
    fputc('\n', t->file);
  }
}

static bool text_finish(struct trace_output *output, struct program_error *error) {
  struct text *t = (struct text *)output;
  char block[1 << 14];
  fprintf(t->file, "#DIMEMAS:\"trace\":1,");
  off_t place = ftello(t->file);
  fprintf(t->file, "%0*d:%u(", OFFSET_DIGITS, 0, output->ranks);
  for (uint32_t rank = 0; rank < output->ranks; rank++)
    fprintf(t->file, "%s1", rank ? "," : "");
  fprintf(t->file, "),%u\n", t->communicator_count + 1);
  put_definitions(t);
  off_t begin = ftello(t->file);
  rewind(t->records);
  for (size_t got; (got = fread(block, 1, sizeof block, t->records)) > 0;)
    fwrite(block, 1, got, t->file);
  off_t end = ftello(t->file);
  for (uint32_t rank = 0; rank < output->ranks; rank++)
    fprintf(t->file, "s:%u:%lld\n", rank, (long long)(begin + t->offsets[rank]));
  if (fseeko(t->file, place, SEEK_SET) == 0) fprintf(t->file, "%0*lld", OFFSET_DIGITS, (long long)end);
  return (fflush(t->file) == 0 && !ferror(t->file) && !ferror(t->records)) || failed(error);
}

const struct trace_output_kind dimemas_output = {
    .name = "trace of Dimemas",
    .endings = ".dim",
    .open = text_open,
    .write = text_write,
    .end = text_end,
    .finish = text_finish,
    .close = text_close,
};
