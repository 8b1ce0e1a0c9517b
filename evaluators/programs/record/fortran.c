/* Calls from Fortran come by way of MPI's own wrappers: what stands before these notes who calls, and goes on there. */
#include "evaluators/programs/record/recorder.h"

#define FUNCTIONS(X)          \
  X(send)                     \
  X(bsend)                    \
  X(ssend)                    \
  X(rsend)                    \
  X(recv)                     \
  X(isend)                    \
  X(ibsend)                   \
  X(issend)                   \
  X(irsend)                   \
  X(irecv)                    \
  X(sendrecv)                 \
  X(sendrecv_replace)         \
  X(probe)                    \
  X(iprobe)                   \
  X(send_init)                \
  X(bsend_init)               \
  X(ssend_init)               \
  X(rsend_init)               \
  X(recv_init)                \
  X(start)                    \
  X(startall)                 \
  X(wait)                     \
  X(waitall)                  \
  X(waitany)                  \
  X(waitsome)                 \
  X(test)                     \
  X(testall)                  \
  X(testany)                  \
  X(testsome)                 \
  X(barrier)                  \
  X(bcast)                    \
  X(gather)                   \
  X(gatherv)                  \
  X(scatter)                  \
  X(scatterv)                 \
  X(allgather)                \
  X(allgatherv)               \
  X(alltoall)                 \
  X(alltoallv)                \
  X(alltoallw)                \
  X(reduce)                   \
  X(allreduce)                \
  X(scan)                     \
  X(exscan)                   \
  X(reduce_scatter)           \
  X(reduce_scatter_block)     \
  X(ibarrier)                 \
  X(ibcast)                   \
  X(igather)                  \
  X(igatherv)                 \
  X(iscatter)                 \
  X(iscatterv)                \
  X(iallgather)               \
  X(iallgatherv)              \
  X(ialltoall)                \
  X(ialltoallv)               \
  X(ialltoallw)               \
  X(ireduce)                  \
  X(iallreduce)               \
  X(iscan)                    \
  X(iexscan)                  \
  X(ireduce_scatter)          \
  X(ireduce_scatter_block)    \
  X(comm_dup)                 \
  X(comm_split)               \
  X(comm_create)              \
  X(comm_free)                \
  X(cart_create)              \
  X(cart_sub)                 \
  X(graph_create)             \
  X(file_read_at)             \
  X(file_read_at_all)         \
  X(file_read)                \
  X(file_read_all)            \
  X(file_read_shared)         \
  X(file_read_ordered)        \
  X(file_iread_at)            \
  X(file_iread)               \
  X(file_iread_shared)        \
  X(file_read_at_all_begin)   \
  X(file_read_at_all_end)     \
  X(file_read_all_begin)      \
  X(file_read_all_end)        \
  X(file_read_ordered_begin)  \
  X(file_read_ordered_end)    \
  X(file_write_at)            \
  X(file_write_at_all)        \
  X(file_write)               \
  X(file_write_all)           \
  X(file_write_shared)        \
  X(file_write_ordered)       \
  X(file_iwrite_at)           \
  X(file_iwrite)              \
  X(file_iwrite_shared)       \
  X(file_write_at_all_begin)  \
  X(file_write_at_all_end)    \
  X(file_write_all_begin)     \
  X(file_write_all_end)       \
  X(file_write_ordered_begin) \
  X(file_write_ordered_end)   \
  X(file_open)                \
  X(file_close)               \
  X(file_delete)              \
  X(file_set_view)            \
  X(file_set_size)            \
  X(file_preallocate)         \
  X(file_get_size)            \
  X(file_sync)                \
  X(file_seek_shared)         \
  X(file_get_position_shared) \
  X(file_set_atomicity)       \
  X(pcontrol)                 \
  X(init)                     \
  X(init_thread)              \
  X(finalize)

#define POINTER(name) static void (*next_##name)(void);
FUNCTIONS(POINTER)

static void note(const void *site) { fortran_site = site; }

/* Registers of the call's arguments stay as they are: the address on the stack goes by r11 to where C keeps it. */
#define JUMP(name)                                                                               \
  __attribute__((naked)) PUBLIC void mpi_##name##_(void) {                                       \
    __asm__("push %%rdi; push %%rsi; push %%rdx; push %%rcx; push %%r8; push %%r9; push %%rax\n" \
            "mov 56(%%rsp), %%rdi; call *%0\n"                                                   \
            "pop %%rax; pop %%r9; pop %%r8; pop %%rcx; pop %%rdx; pop %%rsi; pop %%rdi\n"        \
            "jmp *%1\n" ::"m"(noting),                                                           \
            "m"(next_##name));                                                                   \
  }
static void (*noting)(const void *site) = note;
FUNCTIONS(JUMP)

static void missing(void) { abort(); } /* the program has no MPI in Fortran, and so no call of it */

__attribute__((constructor)) static void find_next(void) {
#define FIND(name)                                             \
  *(void **)&next_##name = dlsym(RTLD_NEXT, "mpi_" #name "_"); \
  if (!next_##name) next_##name = missing;
  FUNCTIONS(FIND)
}
