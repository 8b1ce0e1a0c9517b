/* The wavefront on a grid of ranks, in C with MPI: each rank has cells of the kernel of wavefront.c, takes the faces
 * that come in from the west and the south, sweeps, and sends those that leave. With a compiler of MPI it runs on this
 * computer, with that of RISC-V and the mpi.h that stands beside it on simulated processors: `./ranks CELLS SWEEPS`,
 * cells along a rank's side. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 32 };
static double source[MOST * MOST * MOST], flux[MOST * MOST * MOST];
static double west[MOST * MOST], south[MOST * MOST], below[MOST * MOST];

static void sweep(int n, double mu, double eta, double xi) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        int cell = (k * n + j) * n + i;
        double *x = &west[k * n + j], *y = &south[k * n + i], *z = &below[j * n + i];
        double phi = (source[cell] + mu * *x + eta * *y + xi * *z) / (1 + mu + eta + xi);
        *x = 2 * phi - *x, *y = 2 * phi - *y, *z = 2 * phi - *z;
        flux[cell] += phi;
      }
}

int main(int count, char **arguments) {
  int rank, size, across = 1;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = count > 1 ? atoi(arguments[1]) : 8, sweeps = count > 2 ? atoi(arguments[2]) : 2;
  if (n < 1 || n > MOST) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int k = 2; k * k <= size; k++)
    if (size % k == 0) across = k;
  int i = rank % across, j = rank / across, face = n * n;
  int from_west = i ? rank - 1 : MPI_PROC_NULL, from_south = j ? rank - across : MPI_PROC_NULL;
  int to_east = i < across - 1 ? rank + 1 : MPI_PROC_NULL;
  int to_north = rank + across < size ? rank + across : MPI_PROC_NULL;
  for (int c = 0; c < n * n * n; c++)
    source[c] = 1 + (c + rank) % 5;
  for (int s = 1; s <= sweeps; s++) {
    MPI_Recv(west, face, MPI_DOUBLE, from_west, s, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(south, face, MPI_DOUBLE, from_south, s, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sweep(n, 0.1 * s, 0.2, 0.8 / s);
    MPI_Send(west, face, MPI_DOUBLE, to_east, s, MPI_COMM_WORLD);
    MPI_Send(south, face, MPI_DOUBLE, to_north, s, MPI_COMM_WORLD);
  }
  double sum = 0, all;
  for (int c = 0; c < n * n * n; c++)
    sum += flux[c];
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (!rank) printf("flux %.10g\n", all);
  MPI_Finalize();
  return 0;
}
