/* How long a program of MPI takes from MPI_Init to MPI_Finalize under whatever MPI runs it, by MPI's own interface for
 * tools: the longest of its ranks, in s, to the file that PROGRAM_TIME names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double begun;

/* All ranks begin at one time, as they do on simulated ranks. */
static int begin(int done) {
  PMPI_Barrier(MPI_COMM_WORLD);
  begun = PMPI_Wtime();
  return done;
}
int MPI_Init(int *count, char ***words) { return begin(PMPI_Init(count, words)); }
int MPI_Init_thread(int *count, char ***words, int wanted, int *level) {
  return begin(PMPI_Init_thread(count, words, wanted, level));
}

int MPI_Finalize(void) {
  double own = PMPI_Wtime() - begun, longest = 0;
  int rank;
  PMPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE *file = rank == 0 && getenv("PROGRAM_TIME") ? fopen(getenv("PROGRAM_TIME"), "w") : NULL;
  if (file) fprintf(file, "%.9g\n", longest);
  if (file) fclose(file);
  return PMPI_Finalize();
}
