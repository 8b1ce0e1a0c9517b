/* The calls of MPI that a model can make, and the requests that stand for them. */
#include "interp/compile/mpi_program.h"

#include <string.h>
#include <strings.h>

/* What a transaction is given is named by the parameters of the request's label. */
static const struct mpi_call calls[] = {
    {"Init", "--", NULL, NULL},
    {"Init_thread", "----", NULL, NULL},
    {"Finalize", "", NULL, NULL},
    {"Comm_rank", "CR", NULL, NULL},
    {"Comm_size", "CZ", NULL, NULL},
    {"Dims_create", "nnd", NULL, NULL},
    {"Type_commit", "-", NULL, NULL},
    {"Wtime", "", NULL, NULL},
    {"Wtick", "", NULL, NULL},
    {"Abort", "--", NULL, NULL},
    {"Get_processor_name", "--", NULL, NULL},
    {"Send", "-nTpgC", "send(to, message, t)", "MPI-send(to, message, standard, t)"},
    {"Ssend", "-nTpgC", "ssend(to, message, t)", "MPI-send(to, message, synchronous, t)"},
    {"Bsend", "-nTpgC", "bsend(to, message, t)", "MPI-send(to, message, buffered, t)"},
    {"Rsend", "-nTpgC", "rsend(to, message, t)", "MPI-send(to, message, ready, t)"},
    {"Recv", "---pgCS", "receive(from, t)", "MPI-recv(from, t)"},
    {"Isend", "-nTpgCQ", "isend(to, message, t)", "MPI-isend(to, message, standard, t)"},
    {"Issend", "-nTpgCQ", "issend(to, message, t)", "MPI-isend(to, message, synchronous, t)"},
    {"Irecv", "---pgCQ", "irecv(from, t)", "MPI-irecv(from, t)"},
    {"Sendrecv", "-nTpg---pgCS", "sendrecv(to, message, from, t)", "MPI-sendrecv(to, message, from, t)"},
    {"Wait", "qS", "wait(request)", "MPI-wait(request)"},
    {"Waitall", "nW-", "waitall(list)", "MPI-waitall(list)"},
    {"Barrier", "C", "barrier()", "MPI-barrier()"},
    {"Bcast", "-nTrC", "bcast(message, root)", "MPI-bcast(message, root)"},
    {"Reduce", "--nT-rC", "reduce(message, root)", "MPI-reduce(message, root)"},
    {"Allreduce", "--nT-C", "allreduce(message)", "MPI-allreduce(message)"},
    {"Scan", "--nT-C", "scan(message)", "MPI-scan(message)"},
    {"Exscan", "--nT-C", "exscan(message)", "MPI-exscan(message)"},
    {"Gather", "-nT---rC", "gather(message, root)", "MPI-gather(message, root)"},
    {"Scatter", "----nTrC", "scatter(message, root)", "MPI-scatter(message, root)"},
    {"Allgather", "-nT---C", "allgather(message)", "MPI-allgather(message)"},
    {"Alltoall", "-nT---C", "alltoall(message)", "MPI-alltoall(message)"},
    {"Reduce_scatter_block", "--nT-C", "reduce-scatter-block(message)", "MPI-reduce-scatter-block(message)"},
};

/* One that is not known here, of whose arguments nothing can be said. */
static const struct mpi_call other = {"", "", "", NULL};

const struct mpi_call *mpi_call_find(const char *name) {
  if (strncasecmp(name, "mpi_", 4)) return NULL;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (*name == 'M' ? !strcmp(name + 4, calls[i].name) : !strcasecmp(name + 4, calls[i].name)) return &calls[i];
  return &other;
}

bool mpi_communicates(const struct mpi_call *call) { return call->label != NULL; }
