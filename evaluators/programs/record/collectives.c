/* Collective operations, with the sizes that evaluators/programs/operations.h says; those that do not block as well. Of
 * an intercommunicator, whose sides do not do the same, a barrier stands for each. */
#include "evaluators/programs/record/recorder.h"

/* Buffers of a call: a block for each rank, of one size or of sizes of their own. */
struct blocks {
  int count;
  MPI_Datatype type;
  const int *counts;         /* NULL: each is `count` */
  const MPI_Datatype *types; /* NULL: each is of `type` */
};

struct exchange {
  enum program_kind kind;
  MPI_Comm comm;
  int root;
  bool in_place;
  struct blocks in, out; /* what the rank gives, what it gets */
};

static double block_bytes(const struct blocks *b, int k) {
  return bytes_of(b->counts ? b->counts[k] : b->count, b->types ? b->types[k] : b->type);
}

static double *parts_of(const struct blocks *b, int count, double *to, double *sum) {
  *sum = 0;
  for (int k = 0; k < count; k++)
    *sum += to[k] = block_bytes(b, k);
  return to;
}

static void sizes_set(struct program_operation *o, const struct exchange *e, const struct communicator *c) {
  unsigned fields = program_kinds[e->kind].fields;
  int count = (int)c->peers;
  const struct blocks *in = e->in_place ? &e->out : &e->in;
  bool root = e->root == c->rank, all = !(fields & FIELD_ROOT) || root;
  double *lists = scratch((2 * (size_t)count + 1) * sizeof *lists), sent = 0, received = 0;
  if (fields & FIELD_ROOT) o->root = world_rank(c, e->root);
  if ((fields & FIELD_SENT_PARTS) && all) o->parts = parts_of(in, count, lists, &sent), o->part_count = (uint32_t)count;
  if ((fields & FIELD_RECEIVED_PARTS) && all) {
    o->received_parts = parts_of(&e->out, count, lists + count, &received);
    if (!o->parts) o->part_count = (uint32_t)count;
  }
  o->received = received;
  switch (e->kind) {
  case PROGRAM_BARRIER: break;
  case PROGRAM_SCATTER: o->bytes = root ? block_bytes(&e->in, 0) : block_bytes(&e->out, 0); break;
  case PROGRAM_SCATTERV:
    o->bytes = sent;
    o->received = root && e->in_place ? 0 : block_bytes(&e->out, 0);
    break;
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW: o->bytes = sent; break;
  case PROGRAM_REDUCE_SCATTER:
    o->bytes = received; /* all shares together */
    o->received = block_bytes(&e->out, c->rank);
    break;
  case PROGRAM_REDUCE_SCATTER_BLOCK: o->bytes = block_bytes(&e->out, 0); break;
  case PROGRAM_GATHER:
  case PROGRAM_GATHERV:
  case PROGRAM_ALLGATHER:
  case PROGRAM_ALLGATHERV: o->bytes = block_bytes(in, e->in_place ? c->rank : 0); break;
  default: o->bytes = block_bytes(in, 0); break;
  }
}

/* What a communicator of one rank does takes no message, and psl is told nothing of it. */
static void put(struct exchange e, MPI_Request *request) {
  struct communicator *c = communicator_of(e.comm);
  if (!c->inter && c->size == 1) return;
  uint32_t number = communicator_number(e.comm);
  if (c->inter) e = (struct exchange){.kind = PROGRAM_BARRIER, .comm = e.comm};
  struct program_operation o = operation_of(request ? e.kind + (PROGRAM_IBARRIER - PROGRAM_BARRIER) : e.kind);
  o.communicator = number;
  sizes_set(&o, &e, c);
  if (request) o.request = request_add(*request, (struct started){.kind = o.kind, .active = true, .communicator = c});
  operation_put(&o);
}

#define SPREAD(...) __VA_ARGS__
#define BOTH(name, i_name, PARAMETERS, ARGUMENTS, ...)                                                                \
  STANDS_BEFORE(name, (SPREAD PARAMETERS, MPI_Comm comm), (SPREAD ARGUMENTS, comm), ,                                 \
                put((struct exchange){.comm = comm, __VA_ARGS__}, NULL))                                              \
  STANDS_BEFORE(i_name, (SPREAD PARAMETERS, MPI_Comm comm, MPI_Request * request), (SPREAD ARGUMENTS, comm, request), \
                , put((struct exchange){.comm = comm, __VA_ARGS__}, request))

#define IN const void *in, int in_count, MPI_Datatype in_type
#define OUT void *out, int out_count, MPI_Datatype out_type
#define IN_PARTS const void *in, const int in_counts[], const int in_places[]
#define OUT_PARTS void *out, const int out_counts[], const int out_places[]
#define REDUCES const void *in, void *out, int count, MPI_Datatype type, MPI_Op reduction
#define FROM .in_place = in == MPI_IN_PLACE, .in = {in_count, in_type}
#define TO .out = {out_count, out_type}
#define FROM_PARTS .in_place = in == MPI_IN_PLACE, .in = {0, in_type, in_counts}
#define TO_PARTS .out = {0, out_type, out_counts}
#define FROM_TYPES .in_place = in == MPI_IN_PLACE, .in = {.counts = in_counts, .types = in_types}
#define TO_TYPES .out = {.counts = out_counts, .types = out_types}
#define REDUCED .in = {count, type}

STANDS_BEFORE(Barrier, (MPI_Comm comm), (comm), , put((struct exchange){.comm = comm, .kind = PROGRAM_BARRIER}, NULL))
STANDS_BEFORE(Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request), ,
              put((struct exchange){.comm = comm, .kind = PROGRAM_BARRIER}, request))
BOTH(Bcast, Ibcast, (void *buffer, int count, MPI_Datatype type, int root), (buffer, count, type, root),
     .kind = PROGRAM_BCAST, .root = root, .in = {count, type})
BOTH(Gather, Igather, (IN, OUT, int root), (in, in_count, in_type, out, out_count, out_type, root),
     .kind = PROGRAM_GATHER, .root = root, FROM, TO)
BOTH(Gatherv, Igatherv, (IN, OUT_PARTS, MPI_Datatype out_type, int root),
     (in, in_count, in_type, out, out_counts, out_places, out_type, root), .kind = PROGRAM_GATHERV, .root = root, FROM,
     TO_PARTS)
BOTH(Scatter, Iscatter, (IN, OUT, int root), (in, in_count, in_type, out, out_count, out_type, root),
     .kind = PROGRAM_SCATTER, .root = root, .in_place = out == MPI_IN_PLACE, .in = {in_count, in_type}, TO)
BOTH(Scatterv, Iscatterv, (IN_PARTS, MPI_Datatype in_type, OUT, int root),
     (in, in_counts, in_places, in_type, out, out_count, out_type, root), .kind = PROGRAM_SCATTERV, .root = root,
     .in_place = out == MPI_IN_PLACE, .in = {0, in_type, in_counts}, TO)
BOTH(Allgather, Iallgather, (IN, OUT), (in, in_count, in_type, out, out_count, out_type), .kind = PROGRAM_ALLGATHER,
     .root = -1, FROM, TO)
BOTH(Allgatherv, Iallgatherv, (IN, OUT_PARTS, MPI_Datatype out_type),
     (in, in_count, in_type, out, out_counts, out_places, out_type), .kind = PROGRAM_ALLGATHERV, .root = -1, FROM,
     TO_PARTS)
BOTH(Alltoall, Ialltoall, (IN, OUT), (in, in_count, in_type, out, out_count, out_type), .kind = PROGRAM_ALLTOALL,
     .root = -1, FROM, TO)
BOTH(Alltoallv, Ialltoallv, (IN_PARTS, MPI_Datatype in_type, OUT_PARTS, MPI_Datatype out_type),
     (in, in_counts, in_places, in_type, out, out_counts, out_places, out_type), .kind = PROGRAM_ALLTOALLV, .root = -1,
     FROM_PARTS, TO_PARTS)
BOTH(Alltoallw, Ialltoallw, (IN_PARTS, const MPI_Datatype in_types[], OUT_PARTS, const MPI_Datatype out_types[]),
     (in, in_counts, in_places, in_types, out, out_counts, out_places, out_types), .kind = PROGRAM_ALLTOALLW,
     .root = -1, FROM_TYPES, TO_TYPES)
BOTH(Reduce, Ireduce, (REDUCES, int root), (in, out, count, type, reduction, root), .kind = PROGRAM_REDUCE,
     .root = root, REDUCED)
BOTH(Allreduce, Iallreduce, (REDUCES), (in, out, count, type, reduction), .kind = PROGRAM_ALLREDUCE, .root = -1,
     REDUCED)
BOTH(Scan, Iscan, (REDUCES), (in, out, count, type, reduction), .kind = PROGRAM_SCAN, .root = -1, REDUCED)
BOTH(Exscan, Iexscan, (REDUCES), (in, out, count, type, reduction), .kind = PROGRAM_EXSCAN, .root = -1, REDUCED)
BOTH(Reduce_scatter, Ireduce_scatter,
     (const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op reduction),
     (in, out, counts, type, reduction), .kind = PROGRAM_REDUCE_SCATTER, .root = -1, .out = {0, type, counts})
BOTH(Reduce_scatter_block, Ireduce_scatter_block, (REDUCES), (in, out, count, type, reduction),
     .kind = PROGRAM_REDUCE_SCATTER_BLOCK, .root = -1, .out = {count, type})
