/* Counts the messages of a program under whatever MPI runs it, by MPI's own interface for tools, and writes at the end
 * how many there are and of how many bytes to the file that MESSAGE_COUNT names. A collective operation counts as the
 * messages of the algorithms that psl's library states, of closed forms: rank 0 counts them for all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double counted[2]; /* messages, bytes */

static double bytes_of(int count, MPI_Datatype type) {
  int size;
  PMPI_Type_size(type, &size);
  return (double)count * size;
}

static void message(int count, MPI_Datatype type, int to) {
  if (to == MPI_PROC_NULL) return;
  counted[0]++;
  counted[1] += bytes_of(count, type);
}

static void collective(MPI_Comm comm, double messages_of(int ranks), double bytes) {
  int rank, ranks;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  if (rank) return;
  counted[0] += messages_of(ranks);
  counted[1] += messages_of(ranks) * bytes;
}

static double tree(int n) { return n - 1; }
static double pairs(int n) { return (double)n * (n - 1); }

static double doubling(int n) { /* of n = 2^k + b ranks, 2b fold */
  int rounds = 0, power = 1;
  for (; 2 * power <= n; power *= 2)
    rounds++;
  return (double)rounds * power + 2 * (n - power);
}

#define SEND(name)                                                                                   \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    message(count, type, to);                                                                        \
    return PMPI_##name(buffer, count, type, to, tag, comm);                                          \
  }
#define SEND_BESIDE(name)                                                                          \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                           \
    message(count, type, to);                                                                      \
    return PMPI_##name(buffer, count, type, to, tag, comm, request);                               \
  }
SEND(Send)
SEND(Bsend)
SEND(Rsend)
SEND(Ssend)
SEND_BESIDE(Isend)
SEND_BESIDE(Ibsend)
SEND_BESIDE(Irsend)
SEND_BESIDE(Issend)

static struct { /* requests that can be started again */
  MPI_Request request;
  int count, to;
  MPI_Datatype type;
} again[16];
static int again_count;

#define SEND_AGAIN(name)                                                                           \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request *request) {                                                           \
    int result = PMPI_##name(buffer, count, type, to, tag, comm, request);                         \
    again[again_count].request = *request;                                                         \
    again[again_count].count = count;                                                              \
    again[again_count].to = to;                                                                    \
    again[again_count++].type = type;                                                              \
    return result;                                                                                 \
  }
SEND_AGAIN(Send_init)
SEND_AGAIN(Bsend_init)
SEND_AGAIN(Ssend_init)

int MPI_Start(MPI_Request *request) {
  for (int k = 0; k < again_count; k++)
    if (again[k].request == *request) message(again[k].count, again[k].type, again[k].to);
  return PMPI_Start(request);
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag, int from, int in_tag,
                         MPI_Comm comm, MPI_Status *status) {
  message(count, type, to);
  return PMPI_Sendrecv_replace(buffer, count, type, to, tag, from, in_tag, comm, status);
}
int MPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
  message(count, type, to);
  return PMPI_Sendrecv(out, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status);
}
int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  collective(comm, tree, bytes_of(count, type));
  return PMPI_Reduce(in, out, count, type, op, root, comm);
}
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  collective(comm, doubling, bytes_of(count, type));
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Alltoall(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                 MPI_Comm comm) {
  collective(comm, pairs, bytes_of(count, type));
  return PMPI_Alltoall(in, count, type, out, out_count, out_type, comm);
}

int MPI_Gather(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type, int root,
               MPI_Comm comm) {
  int rank, ranks;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  if (rank == root) {
    counted[0] += ranks - 1;
    for (int k = 1; k < ranks; k++) /* up a tree, a message as often as its place has bits */
      counted[1] += __builtin_popcount((unsigned)k) * bytes_of(count, type);
  }
  return PMPI_Gather(in, count, type, out, out_count, out_type, root, comm);
}

int MPI_Finalize(void) {
  double all[2];
  int rank;
  PMPI_Reduce(counted, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE *file = rank == 0 ? fopen(getenv("MESSAGE_COUNT"), "w") : NULL;
  if (file) fprintf(file, "%.0f %.0f\n", all[0], all[1]);
  if (file) fclose(file);
  return PMPI_Finalize();
}
