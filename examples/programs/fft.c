/* A two-dimensional Fourier transform of n x n complex numbers, n a power of two: each rank has some of the rows,
 * transforms them, all transpose by an all-to-all, and transform again. Then back. Prints a number of the spectrum and
 * how far what comes back is from what was.
 *
 *   fft [POINTS] */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n = 32, rank, ranks, rows;

static void transform(double complex *line, int count, int sign) {
  for (int i = 1, j = 0; i < count; i++) {
    int bit = count >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      double complex swap = line[i];
      line[i] = line[j];
      line[j] = swap;
    }
  }
  for (int size = 2; size <= count; size *= 2)
    for (int i = 0; i < count; i += size)
      for (int k = 0; k < size / 2; k++) {
        double complex turn = cexp(sign * 2 * M_PI * I * k / size) * line[i + k + size / 2], low = line[i + k];
        line[i + k] = low + turn;
        line[i + k + size / 2] = low - turn;
      }
}

/* Squares of rows x rows go to each rank, whose columns are then rows. */
static void transpose(double complex *data, double complex *work) {
  for (int to = 0; to < ranks; to++)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < rows; j++)
        work[(to * rows + j) * rows + i] = data[i * n + to * rows + j];
  MPI_Alltoall(work, rows * rows, MPI_C_DOUBLE_COMPLEX, data, rows * rows, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; from++)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < rows; j++)
        work[i * n + from * rows + j] = data[(from * rows + i) * rows + j];
  for (int k = 0; k < rows * n; k++)
    data[k] = work[k];
}

static void both_ways(double complex *data, double complex *work, int sign) {
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < rows; i++)
      transform(data + i * n, n, sign);
    transpose(data, work);
  }
}

static double value(int k) { return sin(0.1 * k) + (k % 7) * 0.25; }

int main(int words, char **word) {
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (words > 1) n = atoi(word[1]);
  rows = n / ranks;
  double complex *data = calloc((size_t)(rows * n), sizeof *data), *work = calloc((size_t)(rows * n), sizeof *work);
  for (int k = 0; k < rows * n; k++)
    data[k] = value(rank * rows * n + k);
  both_ways(data, work, -1);
  if (rank == 0) printf("spectrum %.6f %+.6fi\n", creal(data[1]), cimag(data[1]));
  both_ways(data, work, 1);
  double own = 0, most;
  for (int k = 0; k < rows * n; k++)
    own = fmax(own, cabs(data[k] / n / n - value(rank * rows * n + k)));
  MPI_Reduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("back within 1e-12: %s\n", most < 1e-12 ? "yes" : "no");
  free(data);
  free(work);
  MPI_Finalize();
  return 0;
}
