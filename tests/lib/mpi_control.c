/* Control flow as programs have it: triangular nests, continue, break, a do-while loop, ways that end in errors.
 *
 *   mpi_control POINTS NUMBERS */
#include <mpi.h>
#include <stdlib.h>
#include <stdio.h>
static double a[100][100];
static void usage(void) {
  fprintf(stderr, "usage\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) usage();
  int n = atoi(argv[1]), m = atoi(argv[2]);
  if (size < 2) {
    printf("too few\n");
    MPI_Finalize();
    return 1;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      for (int k = j; k < n; k += 2)
        a[j][k] += a[i][k] * 2;
    if (i % 3 == rank % 3) continue;
    int to = rank % 2 ? rank - 1 : rank + 1;
    if (to >= size) break;
    MPI_Sendrecv(a[i], m, MPI_DOUBLE, to, 0, a[i], m, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (m == 1) MPI_Barrier(MPI_COMM_WORLD);
  switch (0) {
  case 1: MPI_Barrier(MPI_COMM_WORLD); break;
  case 2:
  case 3: MPI_Bcast(&a[0][0], 1, MPI_INT, 0, MPI_COMM_WORLD); break;
  default: break;
  }
  int left = n;
  do {
    MPI_Allreduce(MPI_IN_PLACE, &a[0][0], left, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    left -= 3;
  } while (left > 0);
  MPI_Finalize();
  return 0;
}
