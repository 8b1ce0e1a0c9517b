/* Calls of MPI where they are seldom used: in place, with nothing to give, among neighbours that come twice, over two
 * sides, with errors that are returned. To be run on 4 ranks. */
#include "mpi_said.h"

enum { SIZE = 16 };
static int values[SIZE];

static void fill(void) {
  for (int k = 0; k < SIZE; k++)
    values[k] = rank * 100 + k;
}

static void say_values(const char *what) {
  long sum = 0;
  for (int k = 0; k < SIZE; k++)
    sum = (sum * 31 + values[k]) % 1000003;
  say(what, sum);
  fill();
}

static void in_place(void) {
  const int counts[4] = {1, 2, 3, 4}, places[4] = {12, 9, 5, 0}, apart[4] = {0, 4, 8, 12};
  int swapped[4], bytes[4] = {0, 16, 32, 48};
  MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  MPI_Request request;
  for (int k = 0; k < 4; k++)
    swapped[k] = rank * k % 4;
  fill();
  MPI_Gatherv(rank == 1 ? MPI_IN_PLACE : values, rank, MPI_INT, values, (int[]){0, 1, 2, 3}, apart, MPI_INT, 1,
              MPI_COMM_WORLD);
  say_values("gatherv");
  MPI_Scatterv(values, counts, apart, MPI_INT, rank ? values : MPI_IN_PLACE, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  say_values("scatterv");
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, counts, places, MPI_INT, MPI_COMM_WORLD);
  say_values("allgatherv");
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 4, MPI_INT, MPI_COMM_WORLD);
  say_values("all to all");
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, values, swapped, apart, MPI_INT, MPI_COMM_WORLD);
  say_values("of sizes of their own");
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, values, swapped, bytes, types, MPI_COMM_WORLD);
  say_values("of types of their own");
  MPI_Exscan(MPI_IN_PLACE, values, SIZE, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (!rank) fill();
  say_values("exscan");
  MPI_Ireduce(rank == 2 ? MPI_IN_PLACE : values, values, SIZE, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say_values("ireduce");
}

/* What is empty takes no message. */
static void nothing(void) {
  const int none[4] = {0};
  int own = rank, got = -1, size;
  MPI_Datatype empty, many;
  MPI_Alltoallv(&own, none, none, MPI_INT, &got, none, none, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(&own, 0, MPI_INT, &got, 0, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(&own, rank == 2, MPI_INT, &got, (int[]){0, 0, 1, 0}, none, MPI_INT, MPI_COMM_WORLD);
  say("the one", got);
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_contiguous(1 << 30, MPI_INT, &many);
  MPI_Type_size(empty, &size);
  say("empty", size);
  MPI_Type_size(many, &size);
  say("too many", size == MPI_UNDEFINED);
  MPI_Type_free(&empty);
  MPI_Type_free(&many);
}

static void neighbors(void) {
  MPI_Comm ring, twice;
  int given[2] = {rank, rank + 10}, got[4] = {-1, -1, -1, -1}, same[2] = {(rank + 1) % 4, (rank + 1) % 4},
      before[2] = {(rank + 3) % 4, (rank + 3) % 4}, index, one[2] = {1, 1};
  MPI_Aint places[2] = {4, 0};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Request requests[2];
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring);
  MPI_Neighbor_alltoallw(given, one, places, types, got, one, places, types, ring);
  say("round", got[0] * 100 + got[1]);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, MPI_UNWEIGHTED, 2, same, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &twice);
  MPI_Neighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, twice);
  say("twice", got[0] * 100 + got[1]);
  MPI_Ineighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, ring, &requests[0]);
  MPI_Ineighbor_allgather(given, 1, MPI_INT, got + 2, 1, MPI_INT, ring, &requests[1]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say("started", got[0] * 1000 + got[1] * 100 + got[2] * 10 + got[3]);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&twice);
}

static void sides(void) {
  MPI_Comm half, inter, part;
  int sum = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0, 7, &inter);
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, rank == 0 ? 1 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL, inter);
  MPI_Comm_split(inter, rank == 0, 0, &part);
  say("none on the other side", part == MPI_COMM_NULL);
  say("sum", sum);
}

static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

static void errors(void) {
  int value = 0;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  say("root", class_of(MPI_Bcast(&value, 1, MPI_INT, 9, copy)) == MPI_ERR_ROOT);
  say("operation", class_of(MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_OP_NULL, copy)) == MPI_ERR_OP);
  say("count", class_of(MPI_Type_contiguous(-1, MPI_INT, &(MPI_Datatype){0})) == MPI_ERR_COUNT);
}

static void what_is_tested(void) {
  in_place();
  nothing();
  neighbors();
  sides();
  errors();
}
