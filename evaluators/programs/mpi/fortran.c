/* Stands before MPI's wrappers for Fortran, by each of the names that compilers give to a function: notes who calls,
 * and goes on there. */
#include "evaluators/programs/mpi/fortran.h"
#include <dlfcn.h>
#include <stdlib.h>

/* Functions whose calls take time, or may be wrong. */
#define FUNCTIONS                                                                                         \
  "abort, accumulate, allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, bcast, " \
  "bsend, bsend_init, buffer_attach, buffer_detach, cancel, cart_coords, cart_create, cart_get, "         \
  "cart_map, cart_rank, cart_shift, cart_sub, cartdim_get, comm_call_errhandler, comm_compare, "          \
  "comm_create, comm_create_group, comm_delete_attr, comm_disconnect, comm_dup, comm_dup_with_info, "     \
  "comm_free, comm_get_errhandler, comm_get_info, comm_get_name, comm_group, comm_rank, "                 \
  "comm_remote_group, comm_remote_size, comm_set_errhandler, comm_set_info, comm_set_name, comm_size, "   \
  "comm_split, comm_split_type, comm_test_inter, compare_and_swap, dims_create, dist_graph_create, "      \
  "dist_graph_create_adjacent, dist_graph_neighbors, dist_graph_neighbors_count, errhandler_free, "       \
  "errhandler_get, errhandler_set, exscan, fetch_and_op, file_call_errhandler, file_close, file_delete, " \
  "file_get_amode, file_get_atomicity, file_get_byte_offset, file_get_errhandler, file_get_group, "       \
  "file_get_info, file_get_position, file_get_position_shared, file_get_size, file_get_type_extent, "     \
  "file_get_view, file_iread, file_iread_all, file_iread_at, file_iread_at_all, file_iread_shared, "      \
  "file_iwrite, file_iwrite_all, file_iwrite_at, file_iwrite_at_all, file_iwrite_shared, file_open, "     \
  "file_preallocate, file_read, file_read_all, file_read_all_begin, file_read_all_end, file_read_at, "    \
  "file_read_at_all, file_read_at_all_begin, file_read_at_all_end, file_read_ordered, "                   \
  "file_read_ordered_begin, file_read_ordered_end, file_read_shared, file_seek, file_seek_shared, "       \
  "file_set_atomicity, file_set_errhandler, file_set_info, file_set_size, file_set_view, file_sync, "     \
  "file_write, file_write_all, file_write_all_begin, file_write_all_end, file_write_at, "                 \
  "file_write_at_all, file_write_at_all_begin, file_write_at_all_end, file_write_ordered, "               \
  "file_write_ordered_begin, file_write_ordered_end, file_write_shared, finalize, gather, gatherv, get, " \
  "get_accumulate, get_count, get_elements, get_elements_x, graph_create, graph_get, graph_map, "         \
  "graph_neighbors, graph_neighbors_count, graphdims_get, grequest_start, group_compare, "                \
  "group_difference, group_excl, group_free, group_incl, group_intersection, group_range_excl, "          \
  "group_range_incl, group_rank, group_size, group_translate_ranks, group_union, iallgather, "            \
  "iallgatherv, iallreduce, ialltoall, ialltoallv, ialltoallw, ibarrier, ibcast, ibsend, iexscan, "       \
  "igather, igatherv, improbe, imrecv, ineighbor_allgather, ineighbor_allgatherv, ineighbor_alltoall, "   \
  "ineighbor_alltoallv, ineighbor_alltoallw, init, init_thread, intercomm_create, intercomm_merge, "      \
  "iprobe, irecv, ireduce, ireduce_scatter, ireduce_scatter_block, irsend, iscan, iscatter, iscatterv, "  \
  "isend, issend, mprobe, mrecv, neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, "            \
  "neighbor_alltoallv, neighbor_alltoallw, op_commutative, op_create, op_free, pack, pack_external, "     \
  "pack_external_size, pack_size, pcontrol, probe, put, raccumulate, recv, recv_init, reduce, "           \
  "reduce_local, reduce_scatter, reduce_scatter_block, request_free, request_get_status, rget, "          \
  "rget_accumulate, rput, rsend, rsend_init, scan, scatter, scatterv, send, send_init, sendrecv, "        \
  "sendrecv_replace, ssend, ssend_init, start, startall, test, test_cancelled, testall, testany, "        \
  "testsome, topo_test, type_commit, type_contiguous, type_create_darray, type_create_f90_complex, "      \
  "type_create_f90_integer, type_create_f90_real, type_create_hindexed, type_create_hindexed_block, "     \
  "type_create_hvector, type_create_indexed_block, type_create_resized, type_create_struct, "             \
  "type_create_subarray, type_delete_attr, type_dup, type_extent, type_free, type_get_contents, "         \
  "type_get_envelope, type_get_extent, type_get_extent_x, type_get_name, type_get_true_extent, "          \
  "type_get_true_extent_x, type_hindexed, type_hvector, type_indexed, type_lb, type_match_size, "         \
  "type_set_name, type_size, type_size_x, type_struct, type_ub, type_vector, unpack, unpack_external, "   \
  "wait, waitall, waitany, waitsome, win_allocate, win_allocate_shared, win_attach, win_complete, "       \
  "win_create, win_create_dynamic, win_delete_attr, win_detach, win_fence, win_flush, win_flush_all, "    \
  "win_flush_local, win_flush_local_all, win_free, win_get_errhandler, win_get_group, win_get_info, "     \
  "win_get_name, win_lock, win_lock_all, win_post, win_set_errhandler, win_set_info, win_set_name, "      \
  "win_shared_query, win_start, win_sync, win_test, win_unlock, win_unlock_all, win_wait, wtime"

static __thread const void *noted;

const void *fortran_caller(const void *from) {
  const void *caller = noted ? noted : from;
  noted = NULL;
  return caller;
}

bool fortran_calls(void) { return noted != NULL; }

/* Where to go on, which is found once. */
__attribute__((visibility("hidden"))) void *psl_fortran_enter(const void *site, const char *name, void **next);
void *psl_fortran_enter(const void *site, const char *name, void **next) {
  if (!*next) *next = dlsym(RTLD_NEXT, name);
  if (!*next) { /* inside of psl, where it is a library beside this one */
    void *library = dlopen("libmpichfort.so.12", RTLD_LAZY | RTLD_NOLOAD);
    if (library) *next = dlsym(library, name);
  }
  if (!*next) abort(); /* the program has no MPI in Fortran, and so no call of it */
  noted = site;
  return *next;
}

/* Registers of the call's arguments stay as they are. */
__asm__(".macro psl_stands_before name\n"
        ".pushsection .rodata\n"
        ".Lname_\\name: .asciz \"\\name\"\n"
        ".popsection\n"
        ".pushsection .bss\n"
        ".balign 8\n"
        ".Lnext_\\name: .skip 8\n"
        ".popsection\n"
        ".pushsection .text\n"
        ".globl \\name\n"
        ".type \\name, @function\n"
        "\\name:\n"
        "push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax\n"
        "mov 56(%rsp), %rdi; lea .Lname_\\name(%rip), %rsi; lea .Lnext_\\name(%rip), %rdx\n"
        "call psl_fortran_enter\n"
        "mov %rax, %r11\n"
        "pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
        "jmp *%r11\n"
        ".size \\name, .-\\name\n"
        ".popsection\n"
        ".endm\n"
        ".irp function, " FUNCTIONS "\n"
        "psl_stands_before mpi_\\function\\()_\n"
        "psl_stands_before mpi_\\function\\()_f08_\n"
        "psl_stands_before mpi_\\function\\()_f08ts_\n"
        ".endr\n");
