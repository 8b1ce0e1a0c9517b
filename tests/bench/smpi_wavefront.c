/* The wavefront of tests/bench/wavefront.psl as an MPI program, for SimGrid's SMPI (built by smpicc where
 * libsimgrid-dev is installed).
 *
 *   smpirun -np N ... smpi_wavefront PX PY   rank 0 prints the predicted seconds */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 52, BYTES = 2880 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int px = atoi(argv[1]), py = atoi(argv[2]), rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int i = rank / py, j = rank % py;
  char message[BYTES] = {0};
  for (int sweep = 0; sweep < 8; sweep++) {
    int di = sweep < 4 ? -1 : 1, dj = sweep % 4 < 2 ? -1 : 1;
    for (int b = 0; b < BLOCKS; b++) {
      if (i - di >= 0 && i - di < px)
        MPI_Recv(message, BYTES, MPI_CHAR, (i - di) * py + j, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (j - dj >= 0 && j - dj < py)
        MPI_Recv(message, BYTES, MPI_CHAR, i * py + j - dj, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      smpi_execute_flops(1e9 * 1.05e-6 * 30 * 12 * 12); /* on hosts of 1 Gf */
      if (i + di >= 0 && i + di < px) MPI_Send(message, BYTES, MPI_CHAR, (i + di) * py + j, 0, MPI_COMM_WORLD);
      if (j + dj >= 0 && j + dj < py) MPI_Send(message, BYTES, MPI_CHAR, i * py + j + dj, 0, MPI_COMM_WORLD);
    }
  }
  double mine = MPI_Wtime(), latest = 0;
  MPI_Reduce(&mine, &latest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (!rank) printf("%.9f\n", latest);
  MPI_Finalize();
  return 0;
}
