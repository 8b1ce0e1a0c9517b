/* MPI for programs that psl mpirun runs on simulated processors of RISC-V: what such a program includes in place of
 * another mpi.h. A function is a call of the system by a number of its own, which psl answers: see psl-processor(7). */
#ifndef MPI_H
#define MPI_H
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef long MPI_Request;
typedef struct {
  int64_t source, tag, bytes;
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;

enum { MPI_COMM_WORLD };
enum { MPI_SUCCESS };
enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1, MPI_PROC_NULL = -2, MPI_REQUEST_NULL = -1 };
enum { MPI_INT, MPI_LONG, MPI_FLOAT, MPI_DOUBLE, MPI_CHAR, MPI_BYTE };
enum { MPI_SUM, MPI_MIN, MPI_MAX };
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

enum {
  PSL_RANK = 20480,
  PSL_SIZE,
  PSL_SEND,
  PSL_RECEIVE,
  PSL_ISEND,
  PSL_IRECEIVE,
  PSL_WAIT,
  PSL_BARRIER,
  PSL_BCAST,
  PSL_REDUCE,
  PSL_ABORT,
  PSL_GATHER,
  PSL_SCATTER,
  PSL_ALLTOALL,
  PSL_PROBE,
  PSL_IPROBE
};

static inline long psl_call(long number, long a, long b, long c, long d, long e) {
  register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e, a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
  return a0;
}

static inline long psl_bytes(long count, MPI_Datatype type) {
  static const char sizes[] = {4, 8, 4, 8, 1, 1};
  return count * sizes[type];
}

static inline int psl_status(const MPI_Status *given, MPI_Status *status) {
  if (!status) return MPI_SUCCESS;
  *status = *given;
  status->MPI_SOURCE = (int)given->source;
  status->MPI_TAG = (int)given->tag;
  return status->MPI_ERROR = MPI_SUCCESS;
}

static inline int MPI_Init(int *count, char ***arguments) {
  (void)count, (void)arguments;
  return MPI_SUCCESS;
}
static inline int MPI_Finalize(void) { return MPI_SUCCESS; }
static inline int MPI_Abort(MPI_Comm comm, int code) { return (void)comm, (int)psl_call(PSL_ABORT, code, 0, 0, 0, 0); }

static inline int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  (void)comm;
  *rank = (int)psl_call(PSL_RANK, 0, 0, 0, 0, 0);
  return MPI_SUCCESS;
}
static inline int MPI_Comm_size(MPI_Comm comm, int *size) {
  (void)comm;
  *size = (int)psl_call(PSL_SIZE, 0, 0, 0, 0, 0);
  return MPI_SUCCESS;
}

static inline double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  (void)comm;
  return (int)psl_call(PSL_SEND, (long)data, psl_bytes(count, type), to, tag, 0);
}
static inline int MPI_Recv(void *room, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                           MPI_Status *status) {
  MPI_Status given;
  (void)comm;
  psl_call(PSL_RECEIVE, (long)room, psl_bytes(count, type), from, tag, (long)&given);
  return psl_status(&given, status);
}
static inline int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  (void)comm;
  *request = psl_call(PSL_ISEND, (long)data, psl_bytes(count, type), to, tag, 0);
  return MPI_SUCCESS;
}
static inline int MPI_Irecv(void *room, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  (void)comm;
  *request = psl_call(PSL_IRECEIVE, (long)room, psl_bytes(count, type), from, tag, 0);
  return MPI_SUCCESS;
}
static inline int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  MPI_Status given = {MPI_ANY_SOURCE, MPI_ANY_TAG, 0, 0, 0, 0};
  if (*request != MPI_REQUEST_NULL) psl_call(PSL_WAIT, *request, (long)&given, 0, 0, 0);
  *request = MPI_REQUEST_NULL;
  return psl_status(&given, status);
}
static inline int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  for (int k = 0; k < count; k++)
    MPI_Wait(&requests[k], statuses ? &statuses[k] : MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}
static inline int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *room, int most,
                               MPI_Datatype other, int from, int other_tag, MPI_Comm comm, MPI_Status *status) {
  MPI_Request request;
  MPI_Isend(data, count, type, to, tag, comm, &request);
  MPI_Recv(room, most, other, from, other_tag, comm, status);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static inline int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  *count = (int)(status->bytes / psl_bytes(1, type));
  return MPI_SUCCESS;
}

static inline int MPI_Barrier(MPI_Comm comm) { return (void)comm, (int)psl_call(PSL_BARRIER, 0, 0, 0, 0, 0); }
static inline int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  (void)comm;
  return (int)psl_call(PSL_BCAST, (long)data, psl_bytes(count, type), root, 0, 0);
}
static inline int MPI_Reduce(const void *data, void *room, int count, MPI_Datatype type, MPI_Op how, int root,
                             MPI_Comm comm) {
  (void)comm;
  return (int)psl_call(PSL_REDUCE, (long)data, (long)room, count, type * 16 + how, root);
}
static inline int MPI_Allreduce(const void *data, void *room, int count, MPI_Datatype type, MPI_Op how, MPI_Comm comm) {
  return MPI_Reduce(data, room, count, type, how, -1, comm);
}

/* Each rank gives and gets parts of one size: what is said twice has to be the same. */
static inline int MPI_Gather(const void *data, int count, MPI_Datatype type, void *room, int each, MPI_Datatype other,
                             int root, MPI_Comm comm) {
  (void)each, (void)other, (void)comm;
  return (int)psl_call(PSL_GATHER, (long)data, (long)room, psl_bytes(count, type), root, 0);
}
static inline int MPI_Allgather(const void *data, int count, MPI_Datatype type, void *room, int each,
                                MPI_Datatype other, MPI_Comm comm) {
  return MPI_Gather(data, count, type, room, each, other, -1, comm);
}
static inline int MPI_Scatter(const void *data, int each, MPI_Datatype other, void *room, int count, MPI_Datatype type,
                              int root, MPI_Comm comm) {
  (void)each, (void)other, (void)comm;
  return (int)psl_call(PSL_SCATTER, (long)data, (long)room, psl_bytes(count, type), root, 0);
}
static inline int MPI_Alltoall(const void *data, int count, MPI_Datatype type, void *room, int each, MPI_Datatype other,
                               MPI_Comm comm) {
  (void)each, (void)other, (void)comm;
  return (int)psl_call(PSL_ALLTOALL, (long)data, (long)room, psl_bytes(count, type), 0, 0);
}

static inline int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  MPI_Status given;
  (void)comm;
  *flag = (int)psl_call(PSL_IPROBE, from, tag, (long)&given, 0, 0);
  return *flag ? psl_status(&given, status) : MPI_SUCCESS;
}
static inline int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  MPI_Status given;
  (void)comm;
  psl_call(PSL_PROBE, from, tag, (long)&given, 0, 0);
  return psl_status(&given, status);
}
#endif
