/* A master hands out tasks to whichever worker is done: it receives from any source. Tasks are numbers whose divisors
 * are counted. Prints how many divisors there are in all, and that each task was done once.
 *
 *   master-worker [TASKS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASK = 1, RESULT, END };

static long divisors(long number) {
  long found = 0;
  for (long d = 1; d <= number; d++)
    found += number % d == 0;
  return found;
}

static void master(int tasks, int ranks) {
  long result[2], sum = 0, numbers = 0, next = 1;
  MPI_Status status;
  for (int worker = 1; worker < ranks; worker++, next++)
    MPI_Send(&next, 1, MPI_LONG, worker, next <= tasks ? TASK : END, MPI_COMM_WORLD);
  for (int done = 0; done < tasks; done++, next++) {
    MPI_Recv(result, 2, MPI_LONG, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
    numbers += result[0];
    sum += result[1];
    MPI_Send(&next, 1, MPI_LONG, status.MPI_SOURCE, next <= tasks ? TASK : END, MPI_COMM_WORLD);
  }
  printf("%d tasks, numbers %ld, divisors %ld\n", tasks, numbers, sum);
}

static void worker(void) {
  for (long result[2];;) {
    MPI_Status status;
    MPI_Recv(result, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == END) return;
    result[1] = divisors(result[0] * 10);
    MPI_Send(result, 2, MPI_LONG, 0, RESULT, MPI_COMM_WORLD);
  }
}

int main(int words, char **word) {
  int rank, ranks;
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    master(words > 1 ? atoi(word[1]) : 100, ranks);
  else
    worker();
  MPI_Finalize();
  return 0;
}
