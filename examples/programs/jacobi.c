/* Jacobi's iteration on a square of n x n points, whose edge is 0 but for one side of 1: each rank has some of the rows
 * and exchanges those at their ends with its neighbours. Prints how much the last iteration has changed, and the sum of
 * all points.
 *
 *   jacobi [POINTS [ITERATIONS]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n = 64, iterations = 50, rank, ranks;

static double *row(double *points, int i) { return points + (size_t)i * (size_t)(n + 2); }

/* The rows beside those of this rank: 0 and count + 1. */
static void exchange(double *points, int count) {
  int below = rank ? rank - 1 : MPI_PROC_NULL, above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];
  MPI_Irecv(row(points, 0), n + 2, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(row(points, count + 1), n + 2, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(row(points, count), n + 2, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(row(points, 1), n + 2, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double step(double *from, double *to, int count) {
  double change = 0;
  for (int i = 1; i <= count; i++)
    for (int j = 1; j <= n; j++) {
      double mean = (row(from, i - 1)[j] + row(from, i + 1)[j] + row(from, i)[j - 1] + row(from, i)[j + 1]) / 4;
      change = fmax(change, fabs(mean - row(from, i)[j]));
      row(to, i)[j] = mean;
    }
  return change;
}

int main(int words, char **word) {
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (words > 1) n = atoi(word[1]);
  if (words > 2) iterations = atoi(word[2]);
  int first = n * rank / ranks, count = n * (rank + 1) / ranks - first;
  double *points = calloc((size_t)(count + 2) * (size_t)(n + 2), sizeof *points);
  double *next = calloc((size_t)(count + 2) * (size_t)(n + 2), sizeof *next), change = 0;
  for (int j = 0; rank == 0 && j < n + 2; j++)
    row(points, 0)[j] = row(next, 0)[j] = 1;
  for (int k = 0; k < iterations; k++) {
    exchange(points, count);
    double own = step(points, next, count), *swap = points;
    points = next;
    next = swap;
    MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  double sum = 0, all = 0;
  for (int i = 1; i <= count; i++)
    for (int j = 1; j <= n; j++)
      sum += row(points, i)[j];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d iterations: change %.10f, sum %.8f\n", iterations, change, all);
  free(points);
  free(next);
  MPI_Finalize();
  return 0;
}
