/* Collective operations among neighbours: a message from each and to each, as MPICH does them, and only these take
 * time. They are messages of a communicator beside the one of the call, so that no other receive gets them. */
#include "evaluators/programs/mpi/request.h"
#include <stdlib.h>

/* Buffers of a call: a block for each neighbour, or one for all. */
struct blocks {
  void *base;
  int count;
  const int *counts, *places;
  const MPI_Aint *offsets; /* in bytes */
  MPI_Datatype type;
  const MPI_Datatype *types;
  bool one;
};

static void *block_at(const struct blocks *b, int k) {
  if (b->one) return b->base;
  if (b->offsets) return at(b->base, b->offsets[k]);
  return at(b->base, (b->places ? b->places[k] : (int64_t)k * b->count) * datatype_of(b->type)->extent);
}

static int made(enum program_kind mode, bool persistent, struct communicator *c, const struct blocks *b, int k,
                int peer, int tag, MPI_Request *request) {
  return request_make(mode, persistent, block_at(b, k), b->counts ? b->counts[k] : b->count,
                      b->types ? b->types[k] : b->type, peer, tag, c, request);
}

/* What goes one way in a grid comes from the other one. Of a neighbour of a graph that comes several times the last one
 * gets what is sent first, or, where each has a count of its own, the first one: as under MPICH. */
static int make_all(struct communicator *c, bool persistent, const struct blocks *in, const struct blocks *out,
                    MPI_Request *requests) {
  struct neighbors n = neighbors_of(c);
  struct communicator *beside = communicator_beside(c);
  bool grid = c->topology->kind == MPI_CART;
  int wrong = MPI_SUCCESS;
  for (int posted = 0; !wrong && posted < n.in_count; posted++) {
    int k = in->counts ? posted : n.in_count - 1 - posted;
    wrong = made(PROGRAM_RECV, persistent, beside, out, k, n.in[k], grid ? k : 0, &requests[k]);
  }
  for (int k = 0; !wrong && k < n.out_count; k++)
    wrong = made(PROGRAM_SEND, persistent, beside, in, k, n.out[k], grid ? k ^ 1 : 0, &requests[n.in_count + k]);
  return wrong;
}

static int exchange(MPI_Comm comm, bool persistent, struct blocks in, struct blocks out, MPI_Request *request) {
  COMMUNICATOR(c, comm);
  if (!c->topology) return fail(comm, MPI_ERR_TOPOLOGY, "%s: the communicator has no topology", call_name());
  struct neighbors n = neighbors_of(c);
  int count = n.in_count + n.out_count;
  MPI_Request *parts = calloc((size_t)count + 1, sizeof *parts);
  int wrong = make_all(c, persistent, &in, &out, parts);
  if (request && !wrong) {
    request_group(c, persistent, parts, count, request);
    return MPI_SUCCESS;
  }
  if (!wrong) wrong = requests_wait(count, parts, MPI_STATUSES_IGNORE);
  free(parts);
  return wrong;
}

#define FORMS(name, i_name, PARAMETERS, ...)                                                                      \
  API(name) int MPI_##name(SPREAD PARAMETERS, MPI_Comm comm) {                                                    \
    CALL;                                                                                                         \
    return exchange(comm, false, __VA_ARGS__, NULL);                                                              \
  }                                                                                                               \
  API(i_name) int MPI_##i_name(SPREAD PARAMETERS, MPI_Comm comm, MPI_Request *request) {                          \
    CALL;                                                                                                         \
    return exchange(comm, false, __VA_ARGS__, request);                                                           \
  }                                                                                                               \
  API(name##_init) int MPI_##name##_init(SPREAD PARAMETERS, MPI_Comm comm, MPI_Info info, MPI_Request *request) { \
    CALL;                                                                                                         \
    (void)info;                                                                                                   \
    return exchange(comm, true, __VA_ARGS__, request);                                                            \
  }
#define SPREAD(...) __VA_ARGS__
#define BLOCKS(...) ((struct blocks){__VA_ARGS__})

FORMS(Neighbor_allgather, Ineighbor_allgather,
      (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type),
      BLOCKS(.base = (void *)in, .count = in_count, .type = in_type, .one = true),
      BLOCKS(.base = out, .count = out_count, .type = out_type))
FORMS(Neighbor_allgatherv, Ineighbor_allgatherv,
      (const void *in, int in_count, MPI_Datatype in_type, void *out, const int counts[], const int places[],
       MPI_Datatype out_type),
      BLOCKS(.base = (void *)in, .count = in_count, .type = in_type, .one = true),
      BLOCKS(.base = out, .counts = counts, .places = places, .type = out_type))
FORMS(Neighbor_alltoall, Ineighbor_alltoall,
      (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type),
      BLOCKS(.base = (void *)in, .count = in_count, .type = in_type),
      BLOCKS(.base = out, .count = out_count, .type = out_type))
FORMS(Neighbor_alltoallv, Ineighbor_alltoallv,
      (const void *in, const int in_counts[], const int in_places[], MPI_Datatype in_type, void *out,
       const int out_counts[], const int out_places[], MPI_Datatype out_type),
      BLOCKS(.base = (void *)in, .counts = in_counts, .places = in_places, .type = in_type),
      BLOCKS(.base = out, .counts = out_counts, .places = out_places, .type = out_type))
FORMS(Neighbor_alltoallw, Ineighbor_alltoallw,
      (const void *in, const int in_counts[], const MPI_Aint in_offsets[], const MPI_Datatype in_types[], void *out,
       const int out_counts[], const MPI_Aint out_offsets[], const MPI_Datatype out_types[]),
      BLOCKS(.base = (void *)in, .counts = in_counts, .offsets = in_offsets, .types = in_types),
      BLOCKS(.base = out, .counts = out_counts, .offsets = out_offsets, .types = out_types))
