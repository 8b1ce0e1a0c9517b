/* A wavefront of several fields, as Sweep3D has them: the flux in six angles, its source, two cross sections;
 * n x n x n cells a rank, in blocks of planes.
 *
 *   fields N */
#include <mpi.h>
#include <stdlib.h>
enum { ANGLES = 6 };
int main(int words, char **word) {
  MPI_Init(&words, &word);
  int rank, ranks, dims[2] = {0, 0}, periods[2] = {0, 0}, west, east, south, north, n = atoi(word[1]), planes = 10;
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &west, &east);
  MPI_Cart_shift(grid, 1, 1, &south, &north);
  size_t cells = (size_t)n * n * n;
  double *flux[ANGLES], *source = malloc(cells * 8), *total = malloc(cells * 8), *scattered = malloc(cells * 8);
  double *x_face = calloc((size_t)n * planes, 8), *y_face = calloc((size_t)n * planes, 8);
  for (int a = 0; a < ANGLES; a++)
    flux[a] = calloc(cells, 8);
  for (size_t k = 0; k < cells; k++)
    source[k] = 1, total[k] = 0.5 + k % 7, scattered[k] = 0.1;
  for (int a = 0; a < ANGLES; a++)
    for (int z = 0; z < n; z += planes) {
      int deep = z + planes < n ? planes : n - z;
      MPI_Recv(x_face, n * deep, MPI_DOUBLE, west, a, grid, MPI_STATUS_IGNORE);
      MPI_Recv(y_face, n * deep, MPI_DOUBLE, south, a, grid, MPI_STATUS_IGNORE);
      for (int k = z; k < z + deep; k++)
        for (int j = 0; j < n; j++)
          for (int i = 0; i < n; i++) {
            size_t at = ((size_t)k * n + j) * n + i;
            double in = x_face[(k - z) * n + j] + y_face[(k - z) * n + i];
            flux[a][at] = (source[at] + scattered[at] * in) / total[at];
            x_face[(k - z) * n + j] = y_face[(k - z) * n + i] = flux[a][at];
          }
      MPI_Send(x_face, n * deep, MPI_DOUBLE, east, a, grid);
      MPI_Send(y_face, n * deep, MPI_DOUBLE, north, a, grid);
    }
  double all = 0, sum = 0;
  for (int a = 0; a < ANGLES; a++)
    for (size_t k = 0; k < cells; k++)
      sum += flux[a][k];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
