/* Messages in each of MPI's modes: at once, in rings in one place of memory, by requests that are started again, and
 * many of which some have come; and from memory that is used again as soon as MPI lets it be. All are between two ranks
 * and are counted. On any number of ranks from 2 on. */
#include "mpi_said.h"
#include <stdbool.h>

enum { MANY = 3000, EACH = 6 };
static double data[MANY], got[2][MANY];
static int next, before;

static void fill(void) {
  for (int k = 0; k < MANY; k++)
    data[k] = rank * MANY + k;
  next = (rank + 1) % ranks;
  before = (rank + ranks - 1) % ranks;
}

/* A receiver says that its receive is posted before the ready message is sent. */
static void modes(void) {
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int count;
  MPI_Bsend(data, MANY, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
  MPI_Recv(got[0], MANY, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("buffered", (long)got[0][7]);
  MPI_Irecv(got[0], MANY, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Sendrecv(NULL, 0, MPI_INT, before, 3, NULL, 0, MPI_INT, next, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Rsend(data, 100, MPI_DOUBLE, next, 2, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], &statuses[0]);
  MPI_Get_count(&statuses[0], MPI_DOUBLE, &count);
  say("ready", count + (long)got[0][99]);
  if (rank % 2 == 0) MPI_Ssend(data + 10, 1, MPI_DOUBLE, next, 4, MPI_COMM_WORLD);
  MPI_Recv(got[0], 1, MPI_DOUBLE, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank % 2) MPI_Ssend(data + 10, 1, MPI_DOUBLE, next, 4, MPI_COMM_WORLD);
  say("synchronous", (long)got[0][0]);
  MPI_Irecv(got[0], MANY, MPI_DOUBLE, before, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(got[1], MANY, MPI_DOUBLE, before, 6, MPI_COMM_WORLD, &requests[1]);
  MPI_Issend(data, MANY, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &requests[2]);
  MPI_Ibsend(data, 50, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, statuses);
  MPI_Get_count(&statuses[0], MPI_DOUBLE, &count);
  say("beside", count + (long)(got[0][49] + got[1][MANY - 1]));
}

static void again(void) {
  MPI_Request sends[3], receive;
  MPI_Status status;
  long sum = 0;
  MPI_Ssend_init(data, 10, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &sends[0]);
  MPI_Bsend_init(data + 1, 10, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &sends[1]);
  MPI_Send_init(data + 2, 10, MPI_DOUBLE, next, 9, MPI_COMM_WORLD, &sends[2]);
  MPI_Recv_init(got[0], 10, MPI_DOUBLE, before, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
  for (int k = 0; k < 5; k++) {
    MPI_Start(&receive);
    MPI_Start(&sends[k % 3]);
    MPI_Wait(&sends[k % 3], MPI_STATUS_IGNORE);
    MPI_Wait(&receive, &status);
    sum += (long)got[0][9] * 10 + status.MPI_TAG;
  }
  say("again", sum);
  for (int k = 0; k < 3; k++)
    MPI_Request_free(&sends[k]);
  MPI_Request_free(&receive);
}

static void rings(void) {
  MPI_Datatype column;
  MPI_Status status;
  int square[100], tag;
  long sum = 0;
  for (int k = 1; k <= 2 * ranks + 1; k++)
    MPI_Sendrecv_replace(data, 500, MPI_DOUBLE, next, k, before, k, MPI_COMM_WORLD, &status);
  say("round", (long)data[499]);
  MPI_Type_vector(10, 1, 10, MPI_INT, &column);
  MPI_Type_commit(&column);
  for (int k = 0; k < 100; k++)
    square[k] = rank * 100 + k;
  MPI_Sendrecv_replace(square + 3, 1, column, before, rank, next, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  tag = status.MPI_TAG;
  MPI_Sendrecv_replace(square, 100, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 1,
                       rank ? rank - 1 : MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  for (int k = 0; k < 100; k++)
    sum += square[k] * (k + 1L);
  say("column", sum * 10 + tag);
  MPI_Type_free(&column);
}

static void some_of_many(void) {
  static int room[64 * EACH][1000];
  MPI_Request requests[64 * EACH];
  MPI_Status statuses[64 * EACH];
  int places[64 * EACH], total = rank ? EACH : (ranks - 1) * EACH, done = 0, out, count, flag;
  long sum = 0;
  for (int k = 0; k < 1000; k++)
    room[0][k] = rank * 1000 + k;
  for (int k = 0; k < total; k++)
    if (rank)
      MPI_Isend(room[0], 1 + k * rank * 37 % 1000, MPI_INT, 0, EACH - 1 - k, MPI_COMM_WORLD, &requests[k]);
    else
      MPI_Irecv(room[k], 1000, MPI_INT, 1 + k / EACH, k % EACH, MPI_COMM_WORLD, &requests[k]);
  while ((rank ? MPI_Testsome : MPI_Waitsome)(total, requests, &out, places, statuses), out != MPI_UNDEFINED)
    for (int k = 0; k < out; k++, done++) {
      MPI_Get_count(&statuses[k], MPI_INT, &count);
      if (!rank) sum += (long)room[places[k]][count - 1] * (statuses[k].MPI_TAG + 1) + statuses[k].MPI_SOURCE;
    }
  say("some", done);
  say("sum", sum);
  MPI_Testany(total, requests, &out, &flag, MPI_STATUS_IGNORE);
  say("none left", flag && out == MPI_UNDEFINED);
}

static double sum_of(int count, int stride) {
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += (k + 1) * got[0][k * stride];
  return sum;
}

/* Of messages with a handshake the receive is posted first, as their sends last until then. */
static void used_again(void) {
  enum { SHORT = 300 };
  MPI_Datatype apart;
  MPI_Request requests[2];
  double sum = 0, told;
  MPI_Type_vector(SHORT, 1, 2, MPI_DOUBLE, &apart);
  MPI_Type_commit(&apart);
  for (int round = 0; round < 12; round++) {
    bool early = round % 2, typed = round % 3 == 0;
    int count = early && !typed && round > 6 ? MANY : SHORT, room = count == MANY || round % 4 ? count : MANY;
    for (int k = 0; k < count; k++)
      data[k] = rank + round * k;
    if (early)
      MPI_Irecv(got[0], typed ? 1 : room, typed ? apart : MPI_DOUBLE, before, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, count, MPI_DOUBLE, next, 11, MPI_COMM_WORLD, &requests[1]);
    if (early) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    memset(data, 0, sizeof data);
    if (!early)
      MPI_Recv(got[0], typed ? 1 : room, typed ? apart : MPI_DOUBLE, before, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += sum_of(count, typed ? 2 : 1);
  }
  data[7] = rank;
  MPI_Isend(data, SHORT, MPI_DOUBLE, next, 12, MPI_COMM_WORLD, &requests[0]);
  MPI_Request_free(&requests[0]);
  MPI_Recv(got[0], SHORT, MPI_DOUBLE, before, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(got[0] + 7, 1, MPI_DOUBLE, before, 13, &told, 1, MPI_DOUBLE, next, 13, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  say("used again", (long)sum + (long)(10 * got[0][7] + told));
  int flag = 0;
  MPI_Isend(data, SHORT, MPI_DOUBLE, next, 15, MPI_COMM_WORLD, &requests[0]);
  while (!flag)
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
  data[7] = -1;
  MPI_Recv(got[0], SHORT, MPI_DOUBLE, before, 15, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  say("looked at", (long)got[0][7]);
  MPI_Type_free(&apart);
  fill();
}

static void what_is_tested(void) {
  int size = 8 * (MPI_BSEND_OVERHEAD + (int)sizeof data);
  char *room = malloc((size_t)size), *same;
  fill();
  MPI_Buffer_attach(room, size);
  modes();
  again();
  used_again();
  rings();
  some_of_many();
  MPI_Buffer_detach(&same, &size);
  say("buffer", same == room);
  free(room);
}
