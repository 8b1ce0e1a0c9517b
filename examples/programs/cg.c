/* Conjugate gradients for the Laplacian of a square of n x n points: each rank has some of the rows. Prints the
 * residual after some iterations, and the sum of the solution.
 *
 *   cg [POINTS [ITERATIONS]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n = 32, iterations = 40, rank, ranks, count;

static double product(const double *a, const double *b) {
  double own = 0, all;
  for (int k = n; k < n + count * n; k++)
    own += a[k] * b[k];
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* out = A in; the rows beside this rank's own come first. */
static void multiply(double *in, double *out) {
  int below = rank ? rank - 1 : MPI_PROC_NULL, above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(in + n, n, MPI_DOUBLE, below, 1, in + (count + 1) * n, n, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(in + count * n, n, MPI_DOUBLE, above, 2, in, n, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 1; i <= count; i++)
    for (int j = 0; j < n; j++) {
      const double *at = in + i * n + j;
      out[i * n + j] = 4 * *at - at[-n] - at[n] - (j > 0 ? at[-1] : 0) - (j + 1 < n ? at[1] : 0);
    }
}

int main(int words, char **word) {
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (words > 1) n = atoi(word[1]);
  if (words > 2) iterations = atoi(word[2]);
  count = n * (rank + 1) / ranks - n * rank / ranks;
  size_t size = (size_t)(count + 2) * (size_t)n;
  double *x = calloc(4 * size, sizeof *x), *r = x + size, *p = r + size, *q = p + size;
  for (int k = n; k < n + count * n; k++)
    r[k] = p[k] = 1;
  double old = product(r, r);
  for (int k = 0; k < iterations; k++) {
    multiply(p, q);
    double alpha = old / product(p, q);
    for (int m = n; m < n + count * n; m++) {
      x[m] += alpha * p[m];
      r[m] -= alpha * q[m];
    }
    double new = product(r, r);
    for (int m = n; m < n + count * n; m++)
      p[m] = r[m] + new / old *p[m];
    old = new;
  }
  for (int k = n; k < n + count * n; k++)
    p[k] = 1;
  double sum = product(x, p);
  if (rank == 0) printf("%d iterations: residual %.6e, sum %.6f\n", iterations, sqrt(old), sum);
  free(x);
  MPI_Finalize();
  return 0;
}
