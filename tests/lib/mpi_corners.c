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

/* In parts of a list of which some have nothing, nobody waits for the root. */
static void parts_of_nothing(void) {
  const int counts[4] = {0, 3, 0, 1}, places[4] = {0, 2, 5, 9};
  int sent[10], got[10], gathered[10] = {0};
  MPI_Request request;
  for (int k = 0; k < 10; k++)
    sent[k] = got[k] = 10 * rank + k;
  for (int root = 0; root < ranks; root++) {
    MPI_Iscatterv(sent, counts, places, MPI_INT, got, counts[rank], MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Scatterv(sent, counts, places, MPI_INT, got + 3, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    MPI_Igatherv(got, counts[rank], MPI_INT, gathered, counts, places, MPI_INT, root, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("parts", got[0] * 1000 + got[3] + gathered[4]);
  }
}

/* Of what a message is made, where its type is made of several. */
static void basics(void) {
  struct particle {
    char kind;
    double at[2];
    int number;
    short charge;
  } sent[5] = {{0}}, got[5];
  const int lengths[4] = {1, 2, 1, 1};
  const MPI_Aint places[4] = {offsetof(struct particle, kind), offsetof(struct particle, at),
                              offsetof(struct particle, number), offsetof(struct particle, charge)};
  const MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT};
  MPI_Datatype bare, particle, half, pairs;
  MPI_Status status;
  MPI_Count many;
  int count;
  MPI_Type_create_struct(4, lengths, places, types, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct particle), &particle);
  MPI_Type_create_struct(2, lengths, places, types, &half);
  MPI_Type_vector(2, 1, 2, particle, &pairs);
  MPI_Type_commit(&particle);
  MPI_Type_commit(&half);
  MPI_Type_commit(&pairs);
  MPI_Sendrecv(sent, 5, particle, rank, 0, got, 5, particle, rank, 0, MPI_COMM_WORLD, &status);
  MPI_Get_elements(&status, particle, &count);
  say("basics", count);
  MPI_Get_elements_x(&status, pairs, &many);
  say("of pairs", (long)many);
  MPI_Sendrecv(sent, 1, half, rank, 0, got, 1, particle, rank, 0, MPI_COMM_WORLD, &status);
  MPI_Get_elements(&status, particle, &count);
  say("of half", count);
  MPI_Get_count(&status, particle, &count);
  say("not whole", count == MPI_UNDEFINED);
  MPI_Sendrecv(sent, 7, MPI_BYTE, rank, 0, got, 7, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &status);
  MPI_Get_elements(&status, MPI_INT, &count);
  say("no whole ones", count == MPI_UNDEFINED);
  MPI_Type_free(&bare);
  MPI_Type_free(&particle);
  MPI_Type_free(&half);
  MPI_Type_free(&pairs);
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
  say("no communicator", class_of(MPI_Barrier(MPI_COMM_NULL)) == MPI_ERR_COMM);
  say("to rank 0 of it", class_of(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL)) == MPI_ERR_COMM);
  say("its size", class_of(MPI_Comm_size(MPI_COMM_NULL, &value)) == MPI_ERR_COMM);
  say("its copy", class_of(MPI_Comm_dup(MPI_COMM_NULL, &copy)) == MPI_ERR_COMM);
}

/* ---- for other computers ---- */

static void say_bytes(const char *what, const unsigned char *bytes, MPI_Aint count) {
  long sum = 0;
  for (MPI_Aint k = 0; k < count; k++)
    sum = (sum * 257 + bytes[k]) % 1000003;
  say(what, sum);
}

static void external(void) {
  unsigned char bytes[400];
  const struct {
    MPI_Datatype type;
    const void *data;
  } all[] = {{MPI_INT, (int[]){1, -2, 0x01020304}},
             {MPI_SHORT, (short[]){1, -2, 300}},
             {MPI_LONG, (long[]){5, -7, 1L << 30}},
             {MPI_DOUBLE, (double[]){1.5, -2e300, 0}},
             {MPI_FLOAT, (float[]){0.1f, 3, -4}},
             {MPI_LONG_DOUBLE, (long double[]){1.25L, -3, 1e-30L}},
             {MPI_C_DOUBLE_COMPLEX, (double[]){1, 2, 3, 4, 5, 6}}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    MPI_Aint place = 0, end = 0, room;
    int size;
    char back[400];
    MPI_Type_size(all[k].type, &size);
    MPI_Pack_external_size("external32", 3, all[k].type, &room);
    MPI_Pack_external("external32", all[k].data, 3, all[k].type, bytes, sizeof bytes, &place);
    MPI_Unpack_external("external32", bytes, place, &end, back, 3, all[k].type);
    say("room", (long)room), say_bytes("external", bytes, place), say("read", (long)end);
    if (all[k].type != MPI_LONG_DOUBLE) say("the same", memcmp(back, all[k].data, 3 * (size_t)size));
  }
  MPI_Aint place = 0;
  MPI_Datatype every;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every);
  MPI_Type_commit(&every);
  MPI_Pack_external("external32", values, 2, every, bytes, sizeof bytes, &place);
  say_bytes("every second", bytes, place);
  MPI_Type_free(&every);
}

/* ---- what hangs on datatypes ---- */

static int copies, removals;
static int copy_number(MPI_Datatype type, int key, void *extra, void *value, void *copy, int *flag) {
  (void)type, (void)key, (void)extra;
  copies++;
  *(void **)copy = (char *)value + 1;
  *flag = 1;
  return MPI_SUCCESS;
}
static int remove_number(MPI_Datatype type, int key, void *value, void *extra) {
  (void)type, (void)key, (void)extra;
  removals += (int)(size_t)value;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int keys[2], flag;
  void *value = NULL;
  MPI_Datatype pair, copy;
  MPI_Type_create_keyval(copy_number, remove_number, &keys[0], NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keys[1], NULL);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_get_attr(pair, keys[0], &value, &flag);
  say("none", flag);
  MPI_Type_set_attr(pair, keys[0], (void *)(size_t)(10 + rank));
  MPI_Type_set_attr(pair, keys[1], NULL);
  MPI_Type_dup(pair, &copy);
  MPI_Type_get_attr(copy, keys[0], &value, &flag);
  say("copied", flag), say("as", (long)(size_t)value);
  MPI_Type_get_attr(copy, keys[1], &value, &flag);
  say("not copied", flag);
  MPI_Type_delete_attr(copy, keys[0]);
  MPI_Type_get_attr(copy, keys[0], &value, &flag);
  say("deleted", flag), say("removed", removals);
  MPI_Type_free(&pair);
  MPI_Type_free(&copy);
  say("copies", copies), say("removed", removals);
  MPI_Type_set_attr(MPI_INT, keys[1], &flag);
  MPI_Type_get_attr(MPI_INT, keys[1], &value, &flag);
  say("of an int", flag && value == &flag);
  MPI_Type_free_keyval(&keys[0]);
  MPI_Type_free_keyval(&keys[1]);
  say("freed", keys[0] == MPI_KEYVAL_INVALID);
}

/* ---- generalized requests ---- */

static int steps;
static int query(void *extra, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int release(void *extra) {
  steps += 100 * *(int *)extra;
  return MPI_SUCCESS;
}
static int cancel(void *extra, int complete) {
  steps += *(int *)extra + complete;
  return MPI_SUCCESS;
}

static void generalized(void) {
  int own = 3 + rank, flag, index, got;
  MPI_Request requests[2], one;
  MPI_Status status;
  MPI_Grequest_start(query, release, cancel, &own, &one);
  MPI_Test(&one, &flag, &status);
  say("not done", flag);
  MPI_Cancel(&one);
  MPI_Grequest_complete(one);
  MPI_Request_get_status(one, &flag, &status);
  MPI_Get_count(&status, MPI_INT, &got);
  say("done", flag), say("with", got);
  MPI_Wait(&one, &status);
  MPI_Get_count(&status, MPI_INT, &got);
  say("waited", got), say("steps", steps), say("gone", one == MPI_REQUEST_NULL);
  MPI_Grequest_start(query, release, cancel, &own, &requests[0]);
  MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&own, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD);
  MPI_Waitany(2, requests, &index, &status);
  say("first", index);
  MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
  say("not all", flag);
  MPI_Grequest_complete(requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say("steps", steps);
}

static void unweighted(void) {
  int in = (rank + 1) % ranks, out = (rank + ranks - 1) % ranks, counts[2], weighted;
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &in, MPI_UNWEIGHTED, 1, &out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  MPI_Dist_graph_neighbors_count(ring, &counts[0], &counts[1], &weighted);
  say("weighted", weighted);
  MPI_Comm_free(&ring);
}

static void what_is_tested(void) {
  in_place();
  nothing();
  parts_of_nothing();
  basics();
  neighbors();
  sides();
  external();
  attributes();
  generalized();
  unweighted();
  errors();
}
