/* The table of MPI's calls in traces of Paraver, and what all such traces begin with. */
#include "evaluators/programs/paraver.h"

#include <stdio.h>

const struct paraver_call paraver_calls[] = {
    {1, PROGRAM_SEND, "MPI_Send"},
    {2, PROGRAM_RECV, "MPI_Recv"},
    {3, PROGRAM_ISEND, "MPI_Isend"},
    {4, PROGRAM_IRECV, "MPI_Irecv"},
    {5, PROGRAM_WAIT, "MPI_Wait"},
    {6, PROGRAM_WAITALL, "MPI_Waitall"},
    {7, PROGRAM_BCAST, "MPI_Bcast"},
    {8, PROGRAM_BARRIER, "MPI_Barrier"},
    {9, PROGRAM_REDUCE, "MPI_Reduce"},
    {10, PROGRAM_ALLREDUCE, "MPI_Allreduce"},
    {11, PROGRAM_ALLTOALL, "MPI_Alltoall"},
    {12, PROGRAM_ALLTOALLV, "MPI_Alltoallv"},
    {13, PROGRAM_GATHER, "MPI_Gather"},
    {14, PROGRAM_GATHERV, "MPI_Gatherv"},
    {15, PROGRAM_SCATTER, "MPI_Scatter"},
    {16, PROGRAM_SCATTERV, "MPI_Scatterv"},
    {17, PROGRAM_ALLGATHER, "MPI_Allgather"},
    {18, PROGRAM_ALLGATHERV, "MPI_Allgatherv"},
    {30, PROGRAM_SCAN, "MPI_Scan"},
    {31, PROGRAM_INIT, "MPI_Init"},
    {32, PROGRAM_FINALIZE, "MPI_Finalize"},
    {33, PROGRAM_BSEND, "MPI_Bsend"},
    {34, PROGRAM_SSEND, "MPI_Ssend"},
    {35, PROGRAM_RSEND, "MPI_Rsend"},
    {36, PROGRAM_IBSEND, "MPI_Ibsend"},
    {37, PROGRAM_ISSEND, "MPI_Issend"},
    {38, PROGRAM_IRSEND, "MPI_Irsend"},
    {39, PROGRAM_TEST, "MPI_Test"},
    {41, PROGRAM_SENDRECV, "MPI_Sendrecv"},
    {59, PROGRAM_WAITANY, "MPI_Waitany"},
    {60, PROGRAM_WAITSOME, "MPI_Waitsome"},
    {61, PROGRAM_PROBE, "MPI_Probe"},
    {62, PROGRAM_IPROBE, "MPI_Iprobe"},
    {80, PROGRAM_REDUCE_SCATTER, "MPI_Reduce_scatter"},
    {0},
};

enum paraver_type paraver_type_of(const struct paraver_call *call) {
  unsigned fields = program_kinds[call->kind].fields;
  if (fields & (FIELD_OUT | FIELD_IN | FIELD_REQUESTS)) return PARAVER_POINT_TO_POINT;
  return fields & FIELD_COMMUNICATOR ? PARAVER_COLLECTIVE : PARAVER_OTHER;
}

void paraver_head(paraver_put *put, void *user, int64_t end, uint32_t rows, uint32_t communicators) {
  char text[80];
  snprintf(text, sizeof text, "#Paraver (01/01/70 at 00:00):%lld_ns:%u(", (long long)end, rows);
  put(user, text);
  for (uint32_t k = 0; k < rows; k++)
    put(user, k ? ",1" : "1");
  snprintf(text, sizeof text, "):1:%u(", rows);
  put(user, text);
  for (uint32_t k = 0; k < rows; k++) {
    snprintf(text, sizeof text, "%s1:%u", k ? "," : "", k + 1);
    put(user, text);
  }
  snprintf(text, sizeof text, "),%u\n", communicators);
  put(user, text);
}

void paraver_put_calls(paraver_put *put, void *user, enum paraver_type type, const bool *used) {
  static const char *const types[] = {"MPI Point-to-point", "MPI Collective Comm", "MPI Other"};
  char text[120];
  bool any = false;
  for (size_t k = 0; paraver_calls[k].value; k++) {
    if (!used[k]) continue;
    if (!any) {
      snprintf(text, sizeof text, "\nEVENT_TYPE\n9 %u %s\nVALUES\n0 Outside MPI\n", type,
               types[type - PARAVER_POINT_TO_POINT]);
      put(user, text);
    }
    snprintf(text, sizeof text, "%lld %s\n", (long long)paraver_calls[k].value, paraver_calls[k].name);
    put(user, text);
    any = true;
  }
}
