/* What lasts longer than the program's handle of it: communicators, datatypes, operations, requests and handlers of
 * errors that are freed while something uses them; and what is used again and again. To be run on 4 ranks. */
#include "mpi_said.h"

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int k = 0; k < *count; k++)
    ((int *)inout)[k] += ((int *)in)[k];
}

static void freed_types(void) {
  int given[8], got[32] = {0}, counts[4] = {1, 1, 1, 1}, places[4] = {0, 4, 8, 12};
  MPI_Datatype pairs, kinds[4];
  MPI_Request requests[3];
  MPI_Op op;
  for (int k = 0; k < 8; k++)
    given[k] = 10 * rank + k;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  MPI_Iallgather(given, 1, pairs, got, 1, pairs, MPI_COMM_WORLD, &requests[0]);
  MPI_Type_free(&pairs);
  MPI_Type_contiguous(3, MPI_DOUBLE, &pairs); /* in the place of the other one, if that is free */
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Type_free(&pairs);
  for (int k = 0; k < 12; k++)
    say("", got[k]);
  MPI_Op_create(add, 1, &op);
  MPI_Iallreduce(given, got, 4, MPI_INT, op, MPI_COMM_WORLD, &requests[0]);
  MPI_Op_free(&op);
  MPI_Op_create(add, 0, &op);
  MPI_Op_free(&op);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  say("added", got[3]);
  MPI_Type_contiguous(1, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  for (int k = 0; k < 4; k++)
    kinds[k] = pairs;
  MPI_Ialltoallw(given, counts, places, kinds, got, counts, places, kinds, MPI_COMM_WORLD, &requests[0]);
  MPI_Type_free(&pairs);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  say("to all", got[3]);
}

/* What was there is sent on, though what comes takes its place. */
static void replaced(void) {
  enum { LONG = 500 };
  int data[LONG], right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  MPI_Request request;
  for (int k = 0; k < LONG; k++)
    data[k] = 1000 * rank + k;
  MPI_Isendrecv_replace(data, LONG, MPI_INT, right, 6, left, 6, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("replaced", data[7]), say("", data[LONG - 1]);
}

static void freed_communicators(void) {
  int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, got[3] = {0}, other = 7;
  MPI_Comm comm, next;
  MPI_Request requests[4];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Irecv(&got[0], 1, MPI_INT, left, 3, comm, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, right, 3, comm, &requests[1]);
  MPI_Iallreduce(&rank, &got[1], 1, MPI_INT, MPI_SUM, comm, &requests[2]);
  MPI_Irecv(&got[2], 1, MPI_INT, left, 4, comm, &requests[3]);
  MPI_Send(&other, 1, MPI_INT, right, 4, comm);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &next);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  say("by one that is freed", got[0]), say("", got[1]), say("", got[2]);
  MPI_Comm_free(&next);
}

/* Ranks come to two of them in different orders. */
static void duplicated(void) {
  MPI_Comm made[2], halves[2];
  MPI_Request requests[2];
  int sum, flag;
  MPI_Info info;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &halves[0]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves[1]);
  MPI_Comm_idup(halves[rank % 2], &made[rank % 2], &requests[0]);
  MPI_Comm_idup_with_info(halves[1 - rank % 2], MPI_INFO_NULL, &made[1 - rank % 2], &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < 2; k++) {
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made[k]);
    say("half", sum);
    MPI_Comm_free(&made[k]), MPI_Comm_free(&halves[k]);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &made[0]);
  say("no resource", made[0] == MPI_COMM_NULL);
  MPI_Comm_get_info(MPI_COMM_WORLD, &info);
  MPI_Info_get(info, "nobody's", 0, (char *)&sum, &flag);
  say("no hint", flag);
  MPI_Info_free(&info);
}

static int calls, classes;
static MPI_Comm wanted;
static void handle(MPI_Comm *comm, int *class, ...) { calls += *comm == wanted, classes += *class == MPI_ERR_OTHER; }
static void handle_window(MPI_Win *window, int *class, ...) {
  calls += *window == wanted, classes += *class == MPI_ERR_OTHER;
}

static void handlers(void) {
  for (int k = 0; k < 200; k++) {
    MPI_Errhandler handler;
    MPI_Comm one, other;
    MPI_Comm_dup(MPI_COMM_SELF, &one);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(one, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_dup(one, &other);
    MPI_Comm_free(&one);
    MPI_Comm_call_errhandler(wanted = other, MPI_ERR_OTHER);
    MPI_Comm_get_errhandler(other, &handler);
    MPI_Comm_free(&other);
    MPI_Errhandler_free(&handler);
  }
  say("called", calls), say("with the class", classes);
  MPI_Win window;
  MPI_Errhandler handler;
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_create_errhandler(handle_window, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Errhandler_free(&handler);
  MPI_Win_call_errhandler(wanted = window, MPI_ERR_OTHER);
  say("of a window", calls);
  MPI_Win_free(&window);
}

/* Started in an order of each rank's own. */
static void persistent(void) {
  int sum = 0, told = 0, own = 0, around[2];
  MPI_Comm ring;
  MPI_Datatype one;
  MPI_Request requests[4];
  MPI_Op op;
  MPI_Type_contiguous(1, MPI_INT, &one);
  MPI_Type_commit(&one);
  MPI_Op_create(add, 1, &op);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring);
  MPI_Bcast_init(&told, 1, one, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Allreduce_init(&own, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Neighbor_allgather_init(&own, 1, MPI_INT, around, 1, one, ring, MPI_INFO_NULL, &requests[2]);
  MPI_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, &requests[3]);
  MPI_Type_free(&one), MPI_Op_free(&op), MPI_Comm_free(&ring);
  for (int round = 0; round < 3; round++) {
    own = rank + 10 * round;
    if (rank == 1) told = 100 * round;
    MPI_Start(&requests[rank % 2]);
    MPI_Start(&requests[1 - rank % 2]);
    MPI_Startall(2, requests + 2);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    say("told", told), say("sum", sum), say("around", around[0] + 1000 * around[1]);
  }
  for (int k = 0; k < 4; k++)
    MPI_Request_free(&requests[k]);
}

static void both_ways(void) {
  int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, got = -1, value = rank, flag = 0, first;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Isendrecv(&rank, 1, MPI_INT, right, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], &status);
  say("got", got);
  MPI_Isendrecv_replace(&value, 1, MPI_INT, left, 6, right, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  while (!flag)
    MPI_Test(&requests[0], &flag, &status);
  say("replaced", value);
  MPI_Irecv(&got, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isendrecv(&rank, 1, MPI_INT, left, 8, &value, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(2, requests, &first, &status);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say("first", first), say("value", value);
}

/* What a status says of errors, which is what it said before where nothing but one ends. */
static void statuses(void) {
  int got[2], sent[2] = {rank, rank};
  MPI_Status two[2];
  MPI_Message message;
  MPI_Request requests[2];
  MPI_Comm comm;
  MPI_Count bytes;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  two[0].MPI_ERROR = two[1].MPI_ERROR = 77;
  MPI_Isend(sent, 2, MPI_INT, rank, 0, comm, &requests[0]);
  MPI_Mprobe(rank, 0, comm, &message, &two[0]);
  MPI_Mrecv(got, 2, MPI_INT, &message, &two[1]);
  MPI_Wait(&requests[0], &two[1]);
  say("untouched", two[0].MPI_ERROR), say("", two[1].MPI_ERROR);
  for (int k = 0; k < 2; k++) {
    MPI_Irecv(&got[k], 1, MPI_INT, (rank + ranks - 1) % ranks, k, comm, &requests[k]);
    MPI_Send(sent, 1 + k, MPI_INT, (rank + 1) % ranks, k, comm);
  }
  say("in status", MPI_Waitall(2, requests, two) == MPI_ERR_IN_STATUS);
  for (int k = 0; k < 2; k++) {
    int class;
    MPI_Error_class(two[k].MPI_ERROR, &class);
    say(k ? "truncated" : "fine", class == (k ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  }
  two[0].MPI_ERROR = 77;
  MPI_Request_get_status(MPI_REQUEST_NULL, got, &two[0]);
  say("empty", two[0].MPI_ERROR);
  say("nobody's", MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, comm, &two[0]) == MPI_SUCCESS);
  MPI_Status_set_elements_x(&two[0], MPI_INT, (MPI_Count)1 << 40);
  MPI_Get_elements_x(&two[0], MPI_BYTE, &bytes);
  say("elements", bytes == (MPI_Count)1 << 42);
  MPI_Comm_free(&comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Nobody waits for the first message, nor for that of another tag, which come before the one that is waited for. */
static void freed_requests(void) {
  int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, got[3] = {-1, -1, -1};
  MPI_Request request;
  MPI_Irecv(&got[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Irecv(&got[1], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Irecv(&got[2], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
  for (int k = 0; k < 3; k++) {
    int sent = 10 * rank + k;
    MPI_Send(&sent, 1, MPI_INT, right, k == 1, MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("of nobody", got[0]), say("", got[1]), say("waited for", got[2]);
}

static void what_is_tested(void) {
  replaced();
  freed_types();
  freed_communicators();
  duplicated();
  handlers();
  persistent();
  both_ways();
  statuses();
  freed_requests();
}
