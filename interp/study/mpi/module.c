/* One MPI behind struct psl_mpi. Compiled once for each MPI, as a shared object of its own. */
#include "interp/study/mpi/module.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { TAG = 1 };

/* Entries of the library work on threads of their own, one after another. */
static bool module_open(int *rank, int *size) {
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) return false;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return provided >= MPI_THREAD_SERIALIZED;
}

static void *module_send(int rank, const void *data, size_t size) {
  MPI_Request *request = malloc(sizeof *request);
  if (!request || size > INT_MAX) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Isend(data, (int)size, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, request);
  return request;
}

static bool module_sent(void *request) {
  int done = 0;
  MPI_Test(request, &done, MPI_STATUS_IGNORE);
  if (done) free(request);
  return done;
}

static bool module_probe(int *rank, size_t *size) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
  if (!there) return false;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *rank = status.MPI_SOURCE;
  *size = (size_t)count;
  return true;
}

static void module_receive(int rank, void *data, size_t size) {
  MPI_Recv(data, (int)size, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void module_close(void) { MPI_Finalize(); }

static void module_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

extern const struct psl_mpi psl_mpi_module;
__attribute__((visibility("default"))) const struct psl_mpi psl_mpi_module = {
    .version = PSL_MPI_VERSION,
    .open = module_open,
    .send = module_send,
    .sent = module_sent,
    .probe = module_probe,
    .receive = module_receive,
    .close = module_close,
    .abort = module_abort,
};
