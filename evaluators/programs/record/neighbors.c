/* Collective operations among neighbours are the messages that they are made of, as under psl mpirun
 * (evaluators/programs/mpi/neighbor.c): receives from each, sends to each, and a wait for all of them. */
#include "evaluators/programs/record/recorder.h"

struct blocks { /* a block for each neighbour */
  int count;
  MPI_Datatype type;
  const int *counts;         /* NULL: each is `count` */
  const MPI_Datatype *types; /* NULL: each is of `type` */
};

struct neighbors {
  int *in, *out, ins, outs;
  bool grid;
};

static double block_bytes(const struct blocks *b, int k) {
  return bytes_of(b->counts ? b->counts[k] : b->count, b->types ? b->types[k] : b->type);
}

static struct neighbors room_for(int ins, int outs) {
  int *all = malloc((size_t)(ins + outs + 1) * sizeof *all);
  return (struct neighbors){.in = all, .out = all + ins, .ins = ins, .outs = outs};
}

/* `in` is to be freed. */
static struct neighbors neighbors_of(MPI_Comm comm) {
  int kind, rank, ins = 0, outs = 0, weighted;
  struct neighbors n;
  PMPI_Topo_test(comm, &kind);
  PMPI_Comm_rank(comm, &rank);
  if (kind == MPI_CART) {
    PMPI_Cartdim_get(comm, &ins);
    n = room_for(2 * ins, 2 * ins);
    n.grid = true;
    for (int d = 0; d < ins; d++)
      PMPI_Cart_shift(comm, d, 1, &n.in[2 * d], &n.in[2 * d + 1]);
    memcpy(n.out, n.in, 2 * (size_t)ins * sizeof *n.out);
  } else if (kind == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, rank, &ins);
    n = room_for(ins, ins);
    PMPI_Graph_neighbors(comm, rank, ins, n.in);
    memcpy(n.out, n.in, (size_t)ins * sizeof *n.out);
  } else {
    PMPI_Dist_graph_neighbors_count(comm, &ins, &outs, &weighted);
    n = room_for(ins, outs);
    int *weights = malloc((size_t)(ins + outs + 1) * sizeof *weights);
    PMPI_Dist_graph_neighbors(comm, ins, n.in, weights, outs, n.out, weights + ins);
    free(weights);
  }
  return n;
}

static void put_wait(int64_t *numbers, uint32_t count, double took) {
  struct program_operation o = operation_of(PROGRAM_WAITALL);
  o.requests = numbers, o.request_count = count, o.took = took;
  if (count) operation_put(&o);
}

/* Whose time the last one of its operations has. */
static void put(MPI_Comm comm, struct blocks in, struct blocks out, MPI_Request *request) {
  struct neighbors n = neighbors_of(comm);
  struct communicator *c = communicator_of(comm);
  struct started group = {.kind = PROGRAM_WAITALL, .active = true, .communicator = c};
  uint32_t number = communicator_beside(comm);
  double took = operation_of(PROGRAM_WAITALL).took;
  group.parts = malloc((size_t)(n.ins + n.outs + 1) * sizeof *group.parts);
  for (int k = 0; k < n.ins + n.outs; k++) {
    bool receives = k < n.ins;
    int which = receives ? n.ins - 1 - k : k - n.ins, peer = receives ? n.in[which] : n.out[which];
    if (peer == MPI_PROC_NULL) continue;
    struct program_operation o = operation_of(receives ? PROGRAM_IRECV : PROGRAM_ISEND);
    o.communicator = number, o.took = 0;
    o.request = group.parts[group.part_count++] = request_number();
    if (receives)
      o.source = world_rank(c, peer), o.source_tag = n.grid ? which : 0, o.received = block_bytes(&out, which);
    else
      o.destination = world_rank(c, peer), o.tag = n.grid ? which ^ 1 : 0, o.bytes = block_bytes(&in, which);
    operation_put(&o);
  }
  free(n.in);
  if (request) {
    request_add(*request, group);
    return;
  }
  put_wait(group.parts, group.part_count, took);
  numbers_give(group.parts, group.part_count);
}

#define SPREAD(...) __VA_ARGS__
#define BOTH(name, i_name, PARAMETERS, ARGUMENTS, ...)                                                                \
  STANDS_BEFORE(name, (SPREAD PARAMETERS, MPI_Comm comm), (SPREAD ARGUMENTS, comm), , put(comm, __VA_ARGS__, NULL))   \
  STANDS_BEFORE(i_name, (SPREAD PARAMETERS, MPI_Comm comm, MPI_Request * request), (SPREAD ARGUMENTS, comm, request), \
                , put(comm, __VA_ARGS__, request))
#define EACH(...) ((struct blocks){__VA_ARGS__})

BOTH(Neighbor_allgather, Ineighbor_allgather,
     (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type),
     (in, in_count, in_type, out, out_count, out_type), EACH(in_count, in_type), EACH(out_count, out_type))
BOTH(Neighbor_allgatherv, Ineighbor_allgatherv,
     (const void *in, int in_count, MPI_Datatype in_type, void *out, const int counts[], const int places[],
      MPI_Datatype out_type),
     (in, in_count, in_type, out, counts, places, out_type), EACH(in_count, in_type), EACH(0, out_type, counts))
BOTH(Neighbor_alltoall, Ineighbor_alltoall,
     (const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type),
     (in, in_count, in_type, out, out_count, out_type), EACH(in_count, in_type), EACH(out_count, out_type))
BOTH(Neighbor_alltoallv, Ineighbor_alltoallv,
     (const void *in, const int in_counts[], const int in_places[], MPI_Datatype in_type, void *out,
      const int out_counts[], const int out_places[], MPI_Datatype out_type),
     (in, in_counts, in_places, in_type, out, out_counts, out_places, out_type), EACH(0, in_type, in_counts),
     EACH(0, out_type, out_counts))
BOTH(Neighbor_alltoallw, Ineighbor_alltoallw,
     (const void *in, const int in_counts[], const MPI_Aint in_offsets[], const MPI_Datatype in_types[], void *out,
      const int out_counts[], const MPI_Aint out_offsets[], const MPI_Datatype out_types[]),
     (in, in_counts, in_offsets, in_types, out, out_counts, out_offsets, out_types),
     EACH(.counts = in_counts, .types = in_types), EACH(.counts = out_counts, .types = out_types))
