/* Two phases of computing in each step, which different machines take differently long for: one looks up entries of a
 * table from anywhere, one does arithmetic in registers. Between them ranks pass a sum on in a ring, and at the end of
 * the step all add theirs.
 *
 *   phases [ENTRIES [STEPS]] */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double look_up(const double *table, size_t entries, uint64_t *random) {
  double sum = 0;
  for (int k = 0; k < 20000; k++) {
    *random = *random * UINT64_C(6364136223846793005) + 1;
    sum += table[(*random >> 33) % entries];
  }
  return sum;
}

static double polynomial(double x) {
  double sum = 0;
  for (int k = 0; k < 50000; k++)
    sum = sum * x + 1;
  return sum;
}

int main(int words, char **word) {
  int rank, ranks;
  MPI_Init(&words, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size_t entries = words > 1 ? strtoul(word[1], NULL, 10) : 32768;
  int steps = words > 2 ? atoi(word[2]) : 5;
  uint64_t random = (uint64_t)rank + 1;
  double *table = malloc(entries * sizeof *table), sum = 0, from = 0, all = 0;
  for (size_t k = 0; k < entries; k++)
    table[k] = 1.0 / (double)(k + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < steps; step++) {
    sum = look_up(table, entries, &random);
    MPI_Sendrecv(&sum, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &from, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum = polynomial(1 / (1 + from));
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%.6f\n", all);
  free(table);
  MPI_Finalize();
  return 0;
}
