/* What the mpi.h of examples/processor has of MPI: each rank prints what it gets, in the order of ranks. The first
 * argument says what goes wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void in_turn(const char *what, double value) {
  int token = 0;
  MPI_Recv(&token, 1, MPI_INT, rank ? rank - 1 : MPI_PROC_NULL, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%d: %s %.10g\n", rank, what, value);
  fflush(stdout);
  MPI_Send(&token, 1, MPI_INT, rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 9, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void messages(void) {
  double out[4] = {rank, rank + 0.25, rank + 0.5, 4}, in[8] = {0};
  MPI_Request requests[3];
  MPI_Status status, each[3];
  int count, right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Irecv(in, 8, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[0]); /* not in the order of the sends */
  MPI_Irecv(in + 4, 4, MPI_DOUBLE, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out + 1, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Send(out, 3, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, each);
  MPI_Get_count(&each[0], MPI_DOUBLE, &count);
  in_turn("three", 100 * count + in[0] + in[1] + in[2]);
  in_turn("one, by tag", 10 * each[1].MPI_TAG + in[4]);
  MPI_Sendrecv(out, 1, MPI_DOUBLE, right, 3, in, 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &status);
  in_turn("exchanged", in[0] + 10 * status.MPI_SOURCE);
  double sum = 0;
  for (int k = 1; k < size && !rank; k++) {
    MPI_Recv(in, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    sum += in[0] == status.MPI_SOURCE ? in[0] : -1000;
  }
  if (rank) MPI_Send(out, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
  in_turn("from all", sum);
  static char long_one[20000];
  memset(long_one, 'a' + rank, sizeof long_one);
  MPI_Sendrecv(long_one, 10000, MPI_CHAR, right, 6, long_one + 10000, 10000, MPI_CHAR, left, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  in_turn("long", long_one[19999]);
}

static void collectives(void) {
  int whole[2] = {rank + 1, -rank}, got[2] = {0, 0};
  double real = 1.5 * rank, most = 0;
  long large = 1L << (40 + rank), least = 0;
  float single = rank + 0.5f, all = 0;
  MPI_Bcast(whole, 2, MPI_INT, size - 1, MPI_COMM_WORLD);
  in_turn("of the last", whole[0] + whole[1]);
  whole[0] = rank + 1, whole[1] = -rank;
  MPI_Reduce(whole, got, 2, MPI_INT, MPI_SUM, 1 % size, MPI_COMM_WORLD);
  in_turn("sums at one", 100 * got[0] + got[1]);
  MPI_Allreduce(&real, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  in_turn("greatest", most);
  MPI_Allreduce(&large, &least, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  in_turn("least", (double)least);
  MPI_Allreduce(&single, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  in_turn("sum", all);
}

static void exchanges(void) {
  int own[2] = {rank, 10 * rank + 1}, all[2 * 8] = {0}, other[2 * 8] = {0};
  double sum = 0;
  MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, 1 % size, MPI_COMM_WORLD);
  for (int k = 0; k < 2 * size; k++)
    sum = 3 * sum + all[k];
  in_turn("gathered at one", sum);
  for (int k = 0; k < 2 * size; k++)
    all[k] = rank == size - 1 ? 100 + k : -1;
  MPI_Scatter(all, 2, MPI_INT, own, 2, MPI_INT, size - 1, MPI_COMM_WORLD);
  in_turn("scattered by the last", own[0] + 1000 * own[1]);
  MPI_Allgather(own, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
  for (int k = sum = 0; k < size; k++)
    sum = 7 * sum + other[k];
  in_turn("gathered by all", sum);
  for (int k = 0; k < 2 * size; k++)
    all[k] = 100 * rank + k;
  MPI_Alltoall(all, 2, MPI_INT, other, 2, MPI_INT, MPI_COMM_WORLD);
  for (int k = sum = 0; k < 2 * size; k++)
    sum = 3 * sum + other[k];
  in_turn("all to all", sum);
}

static void probes(void) {
  double out[3] = {1, 2, 3}, in[3];
  MPI_Status status;
  int flag = 7, count, right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, &status);
  in_turn("nothing there", flag);
  MPI_Isend(out, 1 + rank % 3, MPI_DOUBLE, right, 8, MPI_COMM_WORLD, &request);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  in_turn("of that size from there", count + 10 * status.MPI_SOURCE + 1000 * status.MPI_TAG);
  MPI_Iprobe(left, 8, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(in, count, MPI_DOUBLE, status.MPI_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  in_turn("received", flag + in[count - 1]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 8, MPI_COMM_WORLD, &status);
  in_turn("nobody", status.MPI_SOURCE == MPI_PROC_NULL);
}

static void wrong(const char *what) {
  char byte[8] = "", *volatile nowhere = (char *)64;
  int root = strcmp(what, "root") == 0 ? 7 : rank;
  MPI_Request none = 77;
  if (!strcmp(what, "short") && !rank) MPI_Send(byte, 8, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
  if (!strcmp(what, "short") && rank == 1) MPI_Recv(byte, 4, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(what, "root") || !strcmp(what, "roots")) MPI_Bcast(byte, 1, MPI_CHAR, root, MPI_COMM_WORLD);
  if (!strcmp(what, "kinds")) rank ? MPI_Barrier(MPI_COMM_WORLD) : MPI_Bcast(byte, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (!strcmp(what, "nowhere") && !rank) MPI_Send(nowhere, 8, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
  if (!strcmp(what, "nobody") && !rank) MPI_Send(byte, 8, MPI_CHAR, 5, 1, MPI_COMM_WORLD);
  if (!strcmp(what, "request")) MPI_Wait(&none, MPI_STATUS_IGNORE);
  if (!strcmp(what, "type")) MPI_Allreduce(byte, byte, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
  if (!strcmp(what, "abort")) MPI_Abort(MPI_COMM_WORLD, 5);
  if (!strcmp(what, "status")) exit(4);
  if (!strcmp(what, "crash")) *nowhere = 1;
  if (!strcmp(what, "deadlock")) MPI_Recv(byte, 4, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (count > 1) {
    wrong(arguments[1]);
  } else {
    messages();
    collectives();
    exchanges();
    probes();
  }
  MPI_Finalize();
  return 0;
}
