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
    {"Type_contiguous", "nTt", NULL, NULL},
    {"Type_vector", "nn-Tt", NULL, NULL},
    {"Type_hvector", "nn-Tt", NULL, NULL},
    {"Type_create_hvector", "nn-Tt", NULL, NULL},
    {"Type_create_indexed_block", "nn-Tt", NULL, NULL},
    {"Type_indexed", "nl-Tt", NULL, NULL},
    {"Type_create_hindexed", "nl-Tt", NULL, NULL},
    {"Type_create_subarray", "n-l--Tt", NULL, NULL},
    {"Type_create_struct", "nl-Lt", NULL, NULL},
    {"Type_create_resized", "T--t", NULL, NULL},
    {"Type_dup", "Tt", NULL, NULL},
    {"Type_commit", "-", NULL, NULL},
    {"Type_free", "t", NULL, NULL},
    {"Type_size", "Ts", NULL, NULL},
    {"Buffer_attach", "--", NULL, NULL},
    {"Buffer_detach", "--", NULL, NULL},
    {"Comm_free", "c", NULL, NULL},
    {"Comm_set_errhandler", "--", NULL, NULL},
    {"Comm_set_name", "--", NULL, NULL},
    {"Comm_get_name", "---", NULL, NULL},
    {"Type_set_name", "--", NULL, NULL},
    {"Type_get_extent", "---", NULL, NULL},
    {"Info_create", "-", NULL, NULL},
    {"Info_set", "---", NULL, NULL},
    {"Info_free", "-", NULL, NULL},
    {"Cart_coords", "Cnns", NULL, NULL},
    {"Cart_shift", "Cnnkk", NULL, NULL},
    {"Cart_rank", "Cls", NULL, NULL},
    {"Cart_get", "Cn--k", NULL, NULL},
    {"Get_count", "GTs", NULL, NULL},
    {"Comm_group", "Cu", NULL, NULL},
    {"Group_incl", "Unlu", NULL, NULL},
    {"Group_excl", "Unlu", NULL, NULL},
    {"Group_free", "-", NULL, NULL},
    {"Get_address", "--", NULL, NULL},
    {"Initialized", "-", NULL, NULL},
    {"Finalized", "-", NULL, NULL},
    {"Op_create", "---", NULL, NULL},
    {"Op_free", "-", NULL, NULL},
    {"Get_version", "--", NULL, NULL},
    {"Get_library_version", "--", NULL, NULL},
    {"Wtime", "", NULL, NULL},
    {"Wtick", "", NULL, NULL},
    {"Abort", "--", NULL, NULL},
    {"Get_processor_name", "--", NULL, NULL},
    {"Send", "-nTpgC", "send(to, message, t)", "MPI-send(to, message, standard, t)"},
    {"Ssend", "-nTpgC", "ssend(to, message, t)", "MPI-send(to, message, synchronous, t)"},
    {"Bsend", "-nTpgC", "bsend(to, message, t)", "MPI-send(to, message, buffered, t)"},
    {"Rsend", "-nTpgC", "rsend(to, message, t)", "MPI-send(to, message, ready, t)"},
    {"Recv", "---pgCS", "receive(from, t)", "MPI-recv(from, t)"},
    {"Probe", "pgCS", "probe(from, t)", "MPI-probe(from, t)"},
    {"Isend", "-nTpgCQ", "isend(to, message, t)", "MPI-isend(to, message, standard, t)"},
    {"Ibsend", "-nTpgCQ", "ibsend(to, message, t)", "MPI-isend(to, message, buffered, t)"},
    {"Irsend", "-nTpgCQ", "irsend(to, message, t)", "MPI-isend(to, message, ready, t)"},
    {"Issend", "-nTpgCQ", "issend(to, message, t)", "MPI-isend(to, message, synchronous, t)"},
    {"Irecv", "---pgCQ", "irecv(from, t)", "MPI-irecv(from, t)"},
    {"Sendrecv", "-nTpg---pgCS", "sendrecv(to, message, from, t)", "MPI-sendrecv(to, message, from, t)"},
    {"Sendrecv_replace", "-nTpgpgCS", "sendrecv(to, message, from, t)", "MPI-sendrecv(to, message, from, t)"},
    {"Wait", "qS", "wait(request)", "MPI-wait(request)"},
    {"Waitall", "nW-", "waitall(list)", "MPI-waitall(list)"},
    {"Send_init", "-nTpgCQ", "send-init(to, message, t)", "MPI-send-init(to, message, standard, t)"},
    {"Ssend_init", "-nTpgCQ", "ssend-init(to, message, t)", "MPI-send-init(to, message, synchronous, t)"},
    {"Bsend_init", "-nTpgCQ", "bsend-init(to, message, t)", "MPI-send-init(to, message, buffered, t)"},
    {"Rsend_init", "-nTpgCQ", "rsend-init(to, message, t)", "MPI-send-init(to, message, ready, t)"},
    {"Recv_init", "---pgCQ", "recv-init(from, t)", "MPI-recv-init(from, t)"},
    {"Start", "q", "start(request)", "MPI-start(request)"},
    {"Startall", "nW", "startall(list)", "MPI-startall(list)"},
    {"Request_free", "q", "request-free(request)", "MPI-request-free(request)"},
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
    {"Gatherv", "-nT-l-TrC", "gatherv(message, list, root)", "MPI-gatherv(message, list, root)"},
    {"Scatterv", "-l-T-nTrC", "scatterv(list, message, root)", "MPI-scatterv(list, message, root)"},
    {"Allgatherv", "----l-TC", "allgatherv(list)", "MPI-allgatherv(list)"},
    {"Alltoallv", "-l-T-l-TC", "alltoallv(list, received)", "MPI-alltoallv(list, received)"},
    {"Reduce_scatter", "--lT-C", "reduce-scatter(list)", "MPI-reduce-scatter(list)"},
    {"Ibarrier", "CQ", "ibarrier()", "MPI-ibarrier()"},
    {"Ibcast", "-nTrCQ", "ibcast(message, root)", "MPI-ibcast(message, root)"},
    {"Ireduce", "--nT-rCQ", "ireduce(message, root)", "MPI-ireduce(message, root)"},
    {"Iallreduce", "--nT-CQ", "iallreduce(message)", "MPI-iallreduce(message)"},
    {"Iscan", "--nT-CQ", "iscan(message)", "MPI-iscan(message)"},
    {"Iexscan", "--nT-CQ", "iexscan(message)", "MPI-iexscan(message)"},
    {"Igather", "-nT---rCQ", "igather(message, root)", "MPI-igather(message, root)"},
    {"Iscatter", "----nTrCQ", "iscatter(message, root)", "MPI-iscatter(message, root)"},
    {"Iallgather", "-nT---CQ", "iallgather(message)", "MPI-iallgather(message)"},
    {"Ialltoall", "-nT---CQ", "ialltoall(message)", "MPI-ialltoall(message)"},
    {"Igatherv", "-nT-l-TrCQ", "igatherv(message, list, root)", "MPI-igatherv(message, list, root)"},
    {"Iscatterv", "-l-T-nTrCQ", "iscatterv(list, message, root)", "MPI-iscatterv(list, message, root)"},
    {"Iallgatherv", "----l-TCQ", "iallgatherv(list)", "MPI-iallgatherv(list)"},
    {"Ialltoallv", "-l-T-l-TCQ", "ialltoallv(list, received)", "MPI-ialltoallv(list, received)"},
    {"Ireduce_scatter", "--lT-CQ", "ireduce-scatter(list)", "MPI-ireduce-scatter(list)"},
    {"Ireduce_scatter_block", "--nT-CQ", "ireduce-scatter-block(message)", "MPI-ireduce-scatter-block(message)"},
    {"Comm_create", "CUc", "comm-split(c, color, order)", "MPI-comm-split(c, color, order)"},
    {"Cart_sub", "Clc", "comm-split(c, color, order)", "MPI-comm-split(c, color, order)"},
    {"Comm_split", "Cnnc", "comm-split(c, color, order)", "MPI-comm-split(c, color, order)"},
    {"Comm_dup", "Cc", "comm-dup(c)", "MPI-comm-dup(c)"},
    {"Cart_create", "Cnll-c", "comm-split(c, color, order)", "MPI-comm-split(c, color, order)"},
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

unsigned long mpi_handle(const struct program *program, const struct statement *call, size_t place) {
  const struct argument *argument = &call->arguments[place];
  const struct value *value = argument->value;
  for (int depth = 0; value && depth < 20; depth++) {
    if (value->kind == VALUE_INT) return (unsigned long)value->number & 0xffffffff;
    const struct statement *made = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
    if (value->kind == VALUE_MEMORY)
      value = inputs_stored(program, call, argument, value->memory);
    else if (made && made->kind == STATEMENT_ASSIGN && made->value->kind == VALUE_MEMORY)
      value = inputs_stored(program, made, &made->load, made->value->memory);
    else
      value = made && made->kind == STATEMENT_ASSIGN ? made->value : NULL;
  }
  return 0;
}

bool mpi_in_world(const struct program *program, const struct statement *call) {
  const char *place = strchr(call->mpi->roles, 'C');
  size_t at = place ? (size_t)(place - call->mpi->roles) : 0;
  return !place || at >= call->argument_count || mpi_handle(program, call, at) == 0x44000000;
}

static bool holds(const struct value *value, long number, int depth) {
  if (!value || depth > 8) return false;
  if (value->kind == VALUE_INT) return value->number == number;
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (holds(value->arguments[i], number, depth + 1)) return true;
  const struct reference *memory = value->kind == VALUE_MEMORY || value->kind == VALUE_ADDRESS ? value->memory : NULL;
  if (memory && holds(memory->initial, number, depth + 1)) return true;
  for (size_t i = 0; memory && i < memory->element_count; i++)
    if (holds(memory->elements[i], number, depth + 1)) return true;
  return false;
}

bool mpi_compared(const struct program *program, long handle) {
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *statement = program->by_id[i];
    if (!statement || !program->blocks[statement->block].reached) continue;
    if (holds(statement->value, handle, 0)) return true;
    for (size_t k = 0; k < statement->argument_count; k++)
      if (holds(statement->arguments[k].value, handle, 0)) return true;
  }
  return false;
}
