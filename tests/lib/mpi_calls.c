/* Calls of MPI whose results are the same on any machine: what each rank has got is printed by rank 0, in order. To be
 * run on 4 ranks. */
#include "mpi_said.h"

static void communicators(void) {
  MPI_Comm row, copy, grid, inter, merged, pair;
  int place, size, sum, all[16], from, to, got = -9, dims[2] = {0, 0}, periods[2] = {1, 0}, result;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &row);
  MPI_Comm_rank(row, &place);
  MPI_Comm_size(row, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
  say("place", place), say("sum", sum);
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 1, row);
  if (place == 1) say("gathered", all[0] * 10 + all[1]);
  MPI_Comm_dup(row, &copy);
  int root = place == size - 1 ? rank : -1;
  MPI_Bcast(&root, 1, MPI_INT, size - 1, copy);
  MPI_Comm_compare(row, copy, &result);
  say("root", root), say("congruent", result == MPI_CONGRUENT);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &from, &to);
  MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
  say("shifted", got);
  int neighbours[4] = {-1, -1, -1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, neighbours, 1, MPI_INT, grid);
  for (int k = 0; k < 4; k++)
    say("neighbour", neighbours[k]);
  MPI_Intercomm_create(row, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 5, &inter);
  MPI_Comm_remote_size(inter, &size);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  MPI_Comm_rank(merged, &place);
  say("remote", size), say("merged", place);
  MPI_Group world, two;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, (int[]){3, 1}, &two);
  MPI_Comm_create(MPI_COMM_WORLD, two, &pair);
  if (pair != MPI_COMM_NULL) {
    MPI_Comm_rank(pair, &place);
    say("pair", place);
    MPI_Comm_free(&pair);
  }
}

static void requests(void) {
  int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, got = -1, flag = 0, index, values[4], sum = 0;
  MPI_Request request, several[4];
  MPI_Status status;
  MPI_Irecv(&got, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &request);
  MPI_Send(&rank, 1, MPI_INT, next, 3, MPI_COMM_WORLD);
  while (!flag)
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  say("tested", got);
  for (int k = 0; rank == 0 && k < ranks - 1; k++)
    MPI_Irecv(&values[k], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &several[k]);
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  for (int k = 0; rank == 0 && k < ranks - 1; k++) {
    MPI_Waitany(ranks - 1, several, &index, &status);
    sum += values[index] == status.MPI_SOURCE ? values[index] : 1000;
  }
  say("any", sum);
  int three[3] = {1, 2, 3}, count = 0;
  if (rank == 1) MPI_Send(three, 3, MPI_INT, 0, 9, MPI_COMM_WORLD);
  if (rank == 0) {
    do
      MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, &status);
    while (!flag);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(values, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  say("probed", count);
  MPI_Send_init(&rank, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &several[0]);
  MPI_Recv_init(&got, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &several[1]);
  for (int k = sum = 0; k < 3; k++) {
    MPI_Startall(2, several);
    MPI_Waitall(2, several, MPI_STATUSES_IGNORE);
    sum += got;
  }
  say("persistent", sum);
  MPI_Request_free(&several[0]);
  MPI_Request_free(&several[1]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("started", sum);
}

static void join(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int k = 0; k < *count; k++) /* a b: the digits of a before those of b; not commutative */
    ((int *)inout)[k] = ((int *)in)[k] * 10 + ((int *)inout)[k] % 10;
}

static void collectives(void) {
  int sum, prefix = 0, pairs[2], two[2] = {rank, -rank}, counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6};
  int all[10], own[4] = {rank, rank, rank, rank}, part[2], many[8], back[8];
  struct {
    double value;
    int place;
  } in = {(rank * 3) % 4, rank}, most;
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("scan", sum), say("exscan", prefix);
  MPI_Allreduce(two, pairs, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  say("greatest", pairs[0] * 10 + pairs[1]);
  MPI_Allreduce(&in, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  say("where", most.place);
  MPI_Allgatherv(own, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < 10; k++)
    sum += all[k] * (k + 1);
  say("gathered", sum);
  for (int k = 0; k < 8; k++)
    many[k] = rank * 10 + k;
  MPI_Alltoall(many, 2, MPI_INT, back, 2, MPI_INT, MPI_COMM_WORLD);
  say("all to all", back[2] * 100 + back[7]);
  MPI_Reduce_scatter_block(many, part, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("share", part[1]);
  MPI_Op op;
  MPI_Op_create(join, 0, &op);
  MPI_Reduce(&rank, &sum, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
  if (rank == 0) say("joined", sum);
  MPI_Op_free(&op);
  sum = rank + 1;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
  say("in place", sum);
}

static void datatypes(void) {
  int grid[4][5], edge[4] = {0}, inner[6] = {0}, other[4][5] = {{0}};
  MPI_Datatype column, part, pair;
  struct pair {
    char letter;
    double number;
  } mine = {(char)('a' + rank), rank * 1.5}, theirs;
  int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, size;
  MPI_Aint lower, extent;
  for (int k = 0; k < 20; k++)
    grid[k / 5][k % 5] = rank * 100 + k;
  MPI_Type_vector(4, 1, 5, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(&grid[0][4], 1, column, next, 1, edge, 4, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("column", edge[3]);
  MPI_Type_create_subarray(2, (int[]){4, 5}, (int[]){2, 3}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT, &part);
  MPI_Type_commit(&part);
  MPI_Sendrecv(grid, 1, part, next, 2, inner, 6, MPI_INT, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(inner, 6, MPI_INT, next, 3, other, 1, part, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("inner", inner[5]), say("back", other[2][3]);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){offsetof(struct pair, letter), offsetof(struct pair, number)},
                         (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE}, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_size(pair, &size);
  MPI_Type_get_extent(pair, &lower, &extent);
  MPI_Sendrecv(&mine, 1, pair, next, 4, &theirs, 1, pair, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("size", size), say("extent", (int)extent), say("letter", theirs.letter), say("number", (int)(2 * theirs.number));
  char packed[100];
  int place = 0, number = 0;
  MPI_Pack(&rank, 1, MPI_INT, packed, 100, &place, MPI_COMM_WORLD);
  MPI_Pack(&mine, 1, pair, packed, 100, &place, MPI_COMM_WORLD);
  say("packed", place);
  place = 0;
  MPI_Unpack(packed, 100, &place, &number, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(packed, 100, &place, &theirs, 1, pair, MPI_COMM_WORLD);
  say("unpacked", number + (int)theirs.number);
}

static int copied(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
  (void)comm, (void)key, (void)extra;
  *(void **)copy = (int *)value + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static void attributes(void) {
  static int values[3] = {7, 8, 9};
  int key, flag, *found;
  MPI_Comm copy;
  MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, values);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_get_attr(copy, key, &found, &flag);
  say("attribute", flag ? *found : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found, &flag);
  say("tags", flag && *found >= 32767);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  say("error", MPI_Send(&key, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
}

static void what_is_tested(void) {
  communicators();
  requests();
  collectives();
  datatypes();
  attributes();
}
