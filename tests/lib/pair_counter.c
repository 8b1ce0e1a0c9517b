/* Counts the messages between each two ranks of a program, and their bytes, under whatever MPI runs it, by MPI's own
 * interface for tools. Rank 0 writes them at the end to the file that PAIR_COUNT names: FROM TO MESSAGES BYTES, a
 * line a pair. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };
static double counted[2][MOST];

static int world_rank(int to, MPI_Comm comm) {
  MPI_Group group, world;
  int rank;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &to, world, &rank);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return rank;
}

static void message(int count, MPI_Datatype type, int to, MPI_Comm comm) {
  int size;
  if (to == MPI_PROC_NULL) return;
  to = world_rank(to, comm);
  PMPI_Type_size(type, &size);
  counted[0][to]++;
  counted[1][to] += (double)count * size;
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  message(count, type, to, comm);
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Ssend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  message(count, type, to, comm);
  return PMPI_Ssend(data, count, type, to, tag, comm);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  message(count, type, to, comm);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
  message(count, type, to, comm);
  return PMPI_Sendrecv(out, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status);
}

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int tag, int from, int in_tag, MPI_Comm comm,
                         MPI_Status *status) {
  message(count, type, to, comm);
  return PMPI_Sendrecv_replace(data, count, type, to, tag, from, in_tag, comm, status);
}

/* Persistent sends, by their requests. */
static struct persistent {
  MPI_Request request;
  int count, to;
  MPI_Datatype type;
  MPI_Comm comm;
} persistent[256];
static int persistent_count;

int MPI_Send_init(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  int done = PMPI_Send_init(data, count, type, to, tag, comm, request);
  persistent[persistent_count++ % 256] = (struct persistent){*request, count, to, type, comm};
  return done;
}

static void started(MPI_Request request) {
  for (int i = 255; i >= 0; i--)
    if (i < persistent_count && persistent[i].request == request) {
      message(persistent[i].count, persistent[i].type, persistent[i].to, persistent[i].comm);
      return;
    }
}

int MPI_Start(MPI_Request *request) {
  started(*request);
  return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request *requests) {
  for (int i = 0; i < count; i++)
    started(requests[i]);
  return PMPI_Startall(count, requests);
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
