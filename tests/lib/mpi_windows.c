/* One-sided communication and matched probes, whose results are the same on any machine: what each rank has in the end
 * is printed by rank 0, in order. To be run on 4 ranks. */
#include "mpi_said.h"

enum { SIZE = 20 };
static int next, before;

static void fences(MPI_Win window, int *memory) {
  int given[3] = {rank + 1000, rank + 2000, rank + 3000}, got[2];
  long sum = 0;
  MPI_Datatype every;
  MPI_Win_fence(0, window);
  MPI_Put(given, 3, MPI_INT, next, 2, 3, MPI_INT, window);
  MPI_Get(got, 2, MPI_INT, before, 10, 2, MPI_INT, window);
  MPI_Accumulate(&rank, 1, MPI_INT, 0, 15, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  say("put", memory[4]), say("got", got[1]), say("accumulated", memory[15]);
  MPI_Type_vector(3, 1, 2, MPI_INT, &every);
  MPI_Type_commit(&every);
  MPI_Put(given, 3, MPI_INT, next, 0, 1, every, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  for (int k = 0; k < SIZE; k++)
    sum = sum * 3 % 100003 + memory[k];
  say("strided", sum);
  MPI_Type_free(&every);
}

static void groups(MPI_Win window, int *memory) {
  MPI_Group all, from, to;
  int value = rank * 7, flag;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &before, &from);
  MPI_Group_incl(all, 1, &next, &to);
  for (int k = 0; k < 2; k++) {
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(&value, 1, MPI_INT, next, 7 + k, 1, MPI_INT, window);
    MPI_Win_complete(window);
    if (k) MPI_Win_wait(window);
    for (flag = k; !flag;)
      MPI_Win_test(window, &flag);
  }
  say("posted", memory[7] * 100 + memory[8]);
}

/* Each rank counts up, with locks of its own and by fetching; no count is lost. */
static void locks(void) {
  int *counters, one = 1, old, got[2], expected = 0, most = 0;
  MPI_Win window;
  MPI_Win_allocate(4 * sizeof *counters, sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &window);
  memset(counters, 0, 4 * sizeof *counters);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0, count; k < 10; k++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Win_lock_all(0, window);
  for (int k = 0; k < 5; k++) {
    MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 1, MPI_SUM, window);
    MPI_Win_flush(0, window);
    most = old > most ? old : most;
  }
  MPI_Win_unlock_all(window);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Get(got, 2, MPI_INT, 0, 0, 2, MPI_INT, window);
  MPI_Win_unlock(0, window);
  say("counted", got[0]), say("fetched", got[1]), say("most", most);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Compare_and_swap(&ranks, &expected, &old, MPI_INT, 1, 3, window);
  MPI_Win_fence(0, window);
  say("swapped", counters[3]);
  MPI_Win_free(&window);
}

static void shared(void) {
  int *own, *theirs, unit;
  MPI_Aint size;
  MPI_Win window;
  MPI_Win_allocate_shared(sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
  *own = rank * rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_shared_query(window, next, &size, &unit, &theirs);
  say("shared", *theirs), say("size", size);
  MPI_Win_free(&window);
}

/* A message that one probe has found is not another receive's; a receive is taken back. */
static void matched(void) {
  int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, values[4], count, flag, sum = 0;
  MPI_Message message;
  MPI_Request request;
  MPI_Status status;
  MPI_Send((int[]){rank, 7}, 2, MPI_INT, next, 11, MPI_COMM_WORLD);
  MPI_Send((int[]){rank, 8, 9}, 3, MPI_INT, next, 11, MPI_COMM_WORLD);
  MPI_Mprobe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &message, &status);
  MPI_Recv(values, 4, MPI_INT, before, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("second", values[1]);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Mrecv(values, count, MPI_INT, &message, &status);
  say("first", values[1] * 10 + (values[0] == status.MPI_SOURCE && message == MPI_MESSAGE_NULL));
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 12, MPI_COMM_WORLD);
  for (int k = 1; rank == 0 && k < ranks; k++) {
    do
      MPI_Improbe(MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &flag, &message, &status);
    while (!flag);
    MPI_Imrecv(values, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    sum += values[0] == status.MPI_SOURCE ? values[0] : 1000;
  }
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(values, 1, MPI_INT, &message, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank) { /* it waits for the message of a rank that it names */
    MPI_Mprobe(before, 15, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(values, 1, MPI_INT, &message, &status);
    say("named", values[0] * 100 + status.MPI_SOURCE);
  }
  if (next) MPI_Send(&rank, 1, MPI_INT, next, 15, MPI_COMM_WORLD);
  say("improbed", sum), say("nobody", status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Irecv(values, 1, MPI_INT, before, 14, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  say("cancelled", flag);
  MPI_Irecv(values, 1, MPI_INT, before, 13, MPI_COMM_WORLD, &request);
  MPI_Send(&rank, 1, MPI_INT, next, 13, MPI_COMM_WORLD);
  do
    MPI_Request_get_status(request, &flag, &status);
  while (!flag);
  count = status.MPI_TAG;
  MPI_Wait(&request, &status);
  say("looked at", count), say("got", values[0]);
}

static void information(void) {
  MPI_Info info, copy;
  char text[20];
  int flag, count;
  MPI_Info_create(&info);
  MPI_Info_set(info, "one", "1");
  MPI_Info_set(info, "two", "2");
  MPI_Info_dup(info, &copy);
  MPI_Info_set(copy, "one", "first");
  MPI_Info_delete(copy, "two");
  MPI_Info_get(copy, "one", sizeof text - 1, text, &flag);
  MPI_Info_get_nkeys(info, &count);
  say("info", flag && strcmp(text, "first") == 0), say("keys", count);
  MPI_Info_get(copy, "two", sizeof text - 1, text, &flag);
  MPI_Info_get_nthkey(info, 1, text);
  say("deleted", !flag && strcmp(text, "two") == 0);
  MPI_Info_free(&info);
  MPI_Info_free(&copy);
}

static void what_is_tested(void) {
  int memory[SIZE], flag;
  MPI_Aint *size;
  MPI_Win window;
  next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  for (int k = 0; k < SIZE; k++)
    memory[k] = rank * 100 + k;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  fences(window, memory);
  groups(window, memory);
  MPI_Win_get_attr(window, MPI_WIN_SIZE, &size, &flag);
  say("window", *size);
  MPI_Win_free(&window);
  locks();
  shared();
  matched();
  information();
}
