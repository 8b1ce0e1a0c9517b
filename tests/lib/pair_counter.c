/* Counts the messages between each two ranks of a program, and their bytes, under whatever MPI runs it, by MPI's own
 * interface for tools. Rank 0 writes them at the end to the file that PAIR_COUNT names: FROM TO MESSAGES BYTES, a
 * line a pair. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };
static double counted[2][MOST];

static void message(int count, MPI_Datatype type, int to) {
  int size;
  if (to == MPI_PROC_NULL) return;
  PMPI_Type_size(type, &size);
  counted[0][to]++;
  counted[1][to] += (double)count * size;
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  message(count, type, to);
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  message(count, type, to);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
  message(count, type, to);
  return PMPI_Sendrecv(out, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status);
}

int MPI_Finalize(void) {
  int rank, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double all[MOST][2][MOST];
  PMPI_Gather(counted, 2 * MOST, MPI_DOUBLE, all, 2 * MOST, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  FILE *file = rank == 0 ? fopen(getenv("PAIR_COUNT"), "w") : NULL;
  for (int from = 0; file && from < ranks; from++)
    for (int to = 0; to < ranks; to++)
      if (all[from][0][to] > 0) fprintf(file, "%d %d %.0f %.0f\n", from, to, all[from][0][to], all[from][1][to]);
  if (file) fclose(file);
  return PMPI_Finalize();
}
