/* The table of the kinds of operations, and what collective ones are to Dimemas. */
#include "evaluators/programs/operations.h"

#include <math.h>
#include <string.h>

const struct program_kind_row program_kinds[PROGRAM_KINDS] = {
#define ROW(kind, name, fields) {name, fields},
#define COLLECTIVE_ROW(kind, name, fields) {name, (fields) | FIELD_COMMUNICATOR},
#define I_ROW(kind, name, fields) {"i" name, (fields) | FIELD_COMMUNICATOR | FIELD_REQUEST},
    PROGRAM_POINT_TO_POINT(ROW) PROGRAM_COLLECTIVES(COLLECTIVE_ROW) PROGRAM_COLLECTIVES(I_ROW) PROGRAM_OTHERS(ROW)};

int program_kind_named(const char *name) {
  for (int kind = 0; kind < PROGRAM_KINDS; kind++)
    if (strcmp(program_kinds[kind].name, name) == 0) return kind;
  return -1;
}

const char *program_operation_wrong(const struct program_operation *o, uint32_t all) {
  unsigned fields = program_kinds[o->kind].fields;
  int64_t ranks = all;
  if ((fields & FIELD_WORK) && !(o->work >= 0 && isfinite(o->work))) return "a computation that takes no finite time";
  if ((fields & FIELD_DURATION) && !(o->duration >= 0 && isfinite(o->duration))) return "a sleep of no finite time";
  if ((fields & FIELD_OUT) &&
      (o->destination >= ranks || o->destination < PROGRAM_NOBODY || o->destination == PROGRAM_ANY))
    return "a destination that is no rank";
  if ((fields & FIELD_IN) && (o->source >= ranks || o->source < PROGRAM_NOBODY)) return "a source that is no rank";
  if ((fields & FIELD_OUT) && o->tag < 0) return "a negative tag";
  if ((fields & FIELD_IN) && o->source_tag < PROGRAM_ANY) return "a negative tag";
  if ((fields & FIELD_ROOT) && (o->root < 0 || o->root >= ranks)) return "a root that is no rank";
  if (!(o->bytes >= 0 && o->received >= 0 && isfinite(o->bytes + o->received)))
    return "a size that is no finite number";
  if ((fields & FIELD_FILE) &&
      !(o->handle >= 0 && o->offset >= 0 && o->span >= 0 && o->offset + fmax(o->bytes, o->span) <= PROGRAM_FILE_MOST))
    return "a place in a file out of range";
  if ((fields & FIELD_REQUEST) && (o->request < 0 || o->request >= PROGRAM_REQUESTS_MOST))
    return "a request out of range";
  for (uint32_t k = 0; (fields & FIELD_REQUESTS) && k < o->request_count; k++)
    if (o->requests[k] < 0 || o->requests[k] >= PROGRAM_REQUESTS_MOST) return "a request that nothing has started";
  return NULL;
}

static const enum program_kind numbered[] = {PROGRAM_BARRIER,        PROGRAM_BCAST,
                                             PROGRAM_GATHER,         PROGRAM_GATHERV,
                                             PROGRAM_SCATTER,        PROGRAM_SCATTERV,
                                             PROGRAM_ALLGATHER,      PROGRAM_ALLGATHERV,
                                             PROGRAM_ALLTOALL,       PROGRAM_ALLTOALLV,
                                             PROGRAM_REDUCE,         PROGRAM_ALLREDUCE,
                                             PROGRAM_REDUCE_SCATTER, PROGRAM_REDUCE_SCATTER_BLOCK,
                                             PROGRAM_SCAN,           PROGRAM_ALLTOALLW};
enum { NUMBERED = sizeof numbered / sizeof *numbered, STARTED = PROGRAM_IBARRIER - PROGRAM_BARRIER };

enum program_kind program_plain(enum program_kind kind) {
  return kind >= PROGRAM_IBARRIER && kind < PROGRAM_IBARRIER + STARTED ? kind - STARTED : kind;
}

/* Those that are started come behind the others. */
int program_collective_number(enum program_kind kind) {
  enum program_kind plain = program_plain(kind);
  for (int number = 0; number < NUMBERED; number++)
    if (numbered[number] == plain) return kind == plain ? number : number + NUMBERED;
  return -1;
}

int program_collective_of(int number) {
  if (number < 0 || number >= 2 * NUMBERED) return -1;
  return number < NUMBERED ? (int)numbered[number] : (int)numbered[number - NUMBERED] + STARTED;
}

/* What comes to the rank, where the operation has it apart from what it gives: 0 is known, then. */
static double comes(const struct program_operation *o) {
  enum program_kind kind = program_plain(o->kind);
  bool apart = kind == PROGRAM_SCATTERV || kind == PROGRAM_ALLTOALLV || kind == PROGRAM_ALLTOALLW;
  return apart || o->received > 0 ? o->received : o->bytes;
}

struct program_share program_share(const struct program_operation *operation, int32_t rank, int32_t first) {
  if (operation->share.known) return operation->share;
  enum program_kind kind = program_plain(operation->kind);
  bool rooted = program_kinds[kind].fields & FIELD_ROOT, leads = rank == (rooted ? operation->root : first);
  double bytes = operation->bytes;
  struct program_share share = {
      .leads = leads, .gives = bytes, .gets = comes(operation), .converges = kind == PROGRAM_REDUCE};
  if (rooted && (kind == PROGRAM_BCAST || kind == PROGRAM_SCATTER || kind == PROGRAM_SCATTERV))
    *(leads ? &share.gets : &share.gives) = 0;
  else if (rooted && !leads)
    share.gets = 0;
  return share;
}

double program_own_part(const struct program_operation *o, int32_t rank, const int32_t *ranks, uint32_t count,
                        double share) {
  uint32_t k = ranks ? 0 : (uint32_t)rank;
  while (ranks && k < count && ranks[k] != rank)
    k++;
  bool has = program_plain(o->kind) == PROGRAM_REDUCE_SCATTER && o->received_parts && k < o->part_count;
  return has ? o->received_parts[k] : share;
}

double program_part(const struct program_operation *o, bool sent, uint32_t k, uint32_t members) {
  const double *parts = sent ? o->parts : o->received_parts;
  if (parts) return k < o->part_count ? parts[k] : 0;
  double whole = sent ? o->bytes : comes(o);
  return floor(whole * (k + 1) / members) - floor(whole * k / members);
}

const char *program_counter(const struct program_operation *o, uint32_t k, size_t *size) {
  const char *name = o->counters ? o->counters : "";
  for (; k && *name; k--) {
    name += strcspn(name, ",");
    name += *name == ',';
  }
  *size = strcspn(name, ",");
  return name;
}
