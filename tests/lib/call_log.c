/* What each rank of a program sends and receives, and its collective operations, in order, by MPI's own interface for
 * tools: a line a call to the file that CALL_LOG names, with the rank's number behind it. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *out;

static void say(const char *format, ...) {
  va_list arguments;
  char name[4000];
  int rank;
  if (!out) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", getenv("CALL_LOG"), rank);
    out = fopen(name, "w");
    if (!out) abort();
  }
  va_start(arguments, format);
  vfprintf(out, format, arguments);
  va_end(arguments);
}

static int size_of(MPI_Datatype type) {
  int size;
  PMPI_Type_size(type, &size);
  return size;
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  say("send %d of %d to %d tag %d\n", count, size_of(type), to, tag);
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
  say("receive %d of %d from %d tag %d\n", count, size_of(type), from, tag);
  return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  say("start to send %d of %d to %d tag %d\n", count, size_of(type), to, tag);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  say("start to receive %d of %d from %d tag %d\n", count, size_of(type), from, tag);
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  say("wait for %d\n", count);
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Sendrecv(const void *given, int count, MPI_Datatype type, int to, int tag, void *got, int room,
                 MPI_Datatype got_type, int from, int got_tag, MPI_Comm comm, MPI_Status *status) {
  say("send %d of %d to %d tag %d, receive %d of %d from %d tag %d\n", count, size_of(type), to, tag, room,
      size_of(got_type), from, got_tag);
  return PMPI_Sendrecv(given, count, type, to, tag, got, room, got_type, from, got_tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm) {
  say("barrier\n");
  return PMPI_Barrier(comm);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  say("bcast %d of %d, root %d\n", count, size_of(type), root);
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Reduce(const void *given, void *got, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  say("reduce %d of %d, root %d\n", count, size_of(type), root);
  return PMPI_Reduce(given, got, count, type, op, root, comm);
}

int MPI_Allreduce(const void *given, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  say("allreduce %d of %d\n", count, size_of(type));
  return PMPI_Allreduce(given, got, count, type, op, comm);
}

int MPI_Gather(const void *given, int count, MPI_Datatype type, void *got, int room, MPI_Datatype got_type, int root,
               MPI_Comm comm) {
  say("gather %d of %d, root %d\n", count, size_of(type), root);
  return PMPI_Gather(given, count, type, got, room, got_type, root, comm);
}

int MPI_Alltoall(const void *given, int count, MPI_Datatype type, void *got, int room, MPI_Datatype got_type,
                 MPI_Comm comm) {
  say("alltoall %d of %d\n", count, size_of(type));
  return PMPI_Alltoall(given, count, type, got, room, got_type, comm);
}

int MPI_Alltoallv(const void *given, const int *counts, const int *places, MPI_Datatype type, void *got,
                  const int *rooms, const int *got_places, MPI_Datatype got_type, MPI_Comm comm) {
  int ranks;
  PMPI_Comm_size(comm, &ranks);
  for (int k = 0; k < ranks; k++)
    say("alltoallv %d at %d, %d at %d\n", counts[k], places[k], rooms[k], got_places[k]);
  return PMPI_Alltoallv(given, counts, places, type, got, rooms, got_places, got_type, comm);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  say("split %d by %d\n", color, key);
  return PMPI_Comm_split(comm, color, key, made);
}

int MPI_Send_init(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *made) {
  say("persistent: send %d of %d to %d tag %d\n", count, size_of(type), to, tag);
  return PMPI_Send_init(data, count, type, to, tag, comm, made);
}

int MPI_Recv_init(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *made) {
  say("persistent: receive %d of %d from %d tag %d\n", count, size_of(type), from, tag);
  return PMPI_Recv_init(data, count, type, from, tag, comm, made);
}

int MPI_Startall(int count, MPI_Request *requests) {
  say("start %d\n", count);
  return PMPI_Startall(count, requests);
}

int MPI_Finalize(void) {
  say("end\n");
  fclose(out);
  return PMPI_Finalize();
}
