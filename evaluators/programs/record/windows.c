/* One-sided communication, as psl mpirun has it (evaluators/programs/mpi/window.c): what is put and got has no part in
 * the other rank's processor, fences are barriers, post, start, complete and wait are messages without data, and who
 * gets a lock is a matter of the replay's time. A window has a communicator of its own. */
#include "evaluators/programs/record/recorder.h"

struct group {
  int32_t *members; /* world ranks; NULL: none */
  int count;
};
struct window {
  struct window *next;
  MPI_Win handle;
  struct communicator *c;
  struct group posted, begun; /* by MPI_Win_post, MPI_Win_start */
};
static struct window *windows;

/* NULL: it is MPI's own. */
static struct window *window_of(MPI_Win handle) {
  struct window *w = windows;
  while (w && w->handle != handle)
    w = w->next;
  return w;
}

static struct program_operation window_operation(const struct window *w, enum program_kind kind) {
  struct program_operation o = operation_of(kind);
  o.handle = w->c->number;
  return o;
}

/* ---- windows ---- */

/* Each rank says where its memory lies and how large it is; of memory that they share before that how much. */
static void made(MPI_Comm comm, MPI_Win handle, bool shared) {
  struct window *w = calloc(1, sizeof *w);
  if (shared && communicator_of(comm)->size > 1) {
    communicator_number(comm);
    meeting_put(communicator_of(comm), sizeof(MPI_Aint));
  }
  w->c = communicator_made(comm);
  w->handle = handle, w->next = windows;
  windows = w;
  meeting_put(w->c, sizeof(void *) + sizeof(int64_t) + 2 * sizeof(int));
}

static void put_barrier(const struct window *w) {
  struct program_operation o = operation_of(PROGRAM_BARRIER);
  o.communicator = w->c->number;
  if (w->c->size > 1) operation_put(&o);
}

/* An operation, and a barrier that has taken its time. */
static void put_before_barrier(const struct window *w, enum program_kind kind) {
  struct program_operation o = window_operation(w, kind);
  if (w->c->size > 1) o.took = 0;
  operation_put(&o);
  put_barrier(w);
}

static void freed(struct window *w) {
  if (!w) return;
  put_before_barrier(w, PROGRAM_WIN_FREE);
  struct window **at = &windows;
  while (*at != w)
    at = &(*at)->next;
  *at = w->next;
  communicator_forget(w->c);
  free(w->posted.members), free(w->begun.members);
  free(w);
}

STANDS_BEFORE(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
              (base, size, unit, info, comm, window), , made(comm, *window, false))
STANDS_BEFORE(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window), ,
              made(comm, *window, false))
STANDS_BEFORE(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
              (size, unit, info, comm, base, window), , made(comm, *window, false))
STANDS_BEFORE(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
              (size, unit, info, comm, base, window), , made(comm, *window, true))
STANDS_BEFORE(Win_free, (MPI_Win * window), (window), struct window *gone = window_of(*window), freed(gone))

/* ---- reading and writing ---- */

static void put_access(const struct window *w, enum program_kind kind, int rank, double bytes) {
  struct program_operation o = window_operation(w, kind);
  o.destination = o.source = world_rank(w->c, rank);
  *(kind == PROGRAM_GET ? &o.received : &o.bytes) = bytes;
  operation_put(&o);
}

static void put_flush(MPI_Win window) {
  const struct window *w = window_of(window);
  if (!w) return;
  struct program_operation o = window_operation(w, PROGRAM_WIN_FLUSH);
  operation_put(&o);
}

enum { PUTS = 1, ACCUMULATES = 2, GETS = 4, WAITS = 8 }; /* what an access does: WAITS for what it has got */

static void accessed(MPI_Win window, unsigned does, int rank, int count, MPI_Datatype type) {
  const struct window *w = window_of(window);
  if (!w || rank < 0) return;
  double bytes = bytes_of(count, type);
  if (does & PUTS) put_access(w, PROGRAM_PUT, rank, bytes);
  if (does & ACCUMULATES) put_access(w, PROGRAM_ACCUMULATE, rank, bytes);
  if (does & GETS) put_access(w, PROGRAM_GET, rank, bytes);
  if (does & WAITS) put_flush(window);
}

#define GIVEN const void *in, int count, MPI_Datatype type
#define GOT void *out, int out_count, MPI_Datatype out_type
#define THERE int rank, MPI_Aint place, int there_count, MPI_Datatype there_type
#define AT rank, place, there_count, there_type
#define SPREAD(...) __VA_ARGS__
#define ACCESSES(name, r_name, PARAMETERS, ARGUMENTS, does, r_does)                      \
  STANDS_BEFORE(name, (SPREAD PARAMETERS, MPI_Win window), (SPREAD ARGUMENTS, window), , \
                accessed(window, does, rank, there_count, there_type))                   \
  STANDS_BEFORE(r_name, (SPREAD PARAMETERS, MPI_Win window, MPI_Request * request),      \
                (SPREAD ARGUMENTS, window, request), , accessed(window, r_does, rank, there_count, there_type))
ACCESSES(Put, Rput, (GIVEN, THERE), (in, count, type, AT), PUTS, PUTS)
ACCESSES(Get, Rget, (GOT, THERE), (out, out_count, out_type, AT), GETS, GETS | WAITS)
ACCESSES(Accumulate, Raccumulate, (GIVEN, THERE, MPI_Op op), (in, count, type, AT, op), ACCUMULATES, ACCUMULATES)
#define CHANGES (op == MPI_NO_OP ? GETS : ACCUMULATES | GETS)
ACCESSES(Get_accumulate, Rget_accumulate, (GIVEN, GOT, THERE, MPI_Op op),
         (in, count, type, out, out_count, out_type, AT, op), CHANGES, CHANGES | WAITS)
STANDS_BEFORE(Fetch_and_op,
              (const void *in, void *out, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op op, MPI_Win window),
              (in, out, type, rank, place, op, window), , accessed(window, CHANGES, rank, 1, type))
STANDS_BEFORE(Compare_and_swap,
              (const void *in, const void *expected, void *out, MPI_Datatype type, int rank, MPI_Aint place,
               MPI_Win window),
              (in, expected, out, type, rank, place, window), , accessed(window, GETS, rank, 1, type))
STANDS_BEFORE(Win_flush, (int rank, MPI_Win window), (rank, window), , put_flush(window))
STANDS_BEFORE(Win_flush_all, (MPI_Win window), (window), , put_flush(window))
STANDS_BEFORE(Win_flush_local, (int rank, MPI_Win window), (rank, window), , put_flush(window))
STANDS_BEFORE(Win_flush_local_all, (MPI_Win window), (window), , put_flush(window))

/* ---- synchronisation ---- */

static void fenced(const struct window *w) {
  if (w) put_before_barrier(w, PROGRAM_WIN_FENCE);
}

STANDS_BEFORE(Win_fence, (int assertion, MPI_Win window), (assertion, window), , fenced(window_of(window)))

static void group_set(struct group *group, MPI_Group given) {
  MPI_Group all;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_size(given, &group->count);
  int *places = scratch((size_t)group->count * sizeof *places + 1);
  for (int k = 0; k < group->count; k++)
    places[k] = k;
  group->members = realloc(group->members, (size_t)group->count * sizeof *group->members + 1);
  PMPI_Group_translate_ranks(given, group->count, places, all, group->members);
  PMPI_Group_free(&all);
}

/* A message without data to or from each; the last one has taken the time of all. */
static void put_messages(const struct window *w, const struct group *group, enum program_kind kind, int tag,
                         bool timed) {
  for (int k = 0; k < group->count; k++) {
    struct program_operation o = operation_of(kind);
    o.communicator = w->c->number;
    if (program_kinds[kind].fields & FIELD_OUT)
      o.destination = group->members[k], o.tag = tag;
    else
      o.source = group->members[k], o.source_tag = tag;
    if (!timed || k < group->count - 1) o.took = 0;
    operation_put(&o);
  }
}

static void posted(struct window *w, MPI_Group group) {
  if (!w) return;
  group_set(&w->posted, group);
  put_messages(w, &w->posted, PROGRAM_SEND, PROGRAM_TAG_POST, true);
}

static void begun(struct window *w, MPI_Group group) {
  if (!w) return;
  group_set(&w->begun, group);
  put_messages(w, &w->begun, PROGRAM_RECV, PROGRAM_TAG_POST, true);
}

static void completed(const struct window *w) {
  if (!w) return;
  struct program_operation o = window_operation(w, PROGRAM_WIN_COMPLETE);
  operation_put(&o);
  put_messages(w, &w->begun, PROGRAM_SEND, PROGRAM_TAG_COMPLETE, false);
}

static void waited(const struct window *w, bool looked) {
  if (w && looked) put_messages(w, &w->posted, PROGRAM_PROBE, PROGRAM_TAG_COMPLETE, false);
  if (w) put_messages(w, &w->posted, PROGRAM_RECV, PROGRAM_TAG_COMPLETE, true);
}

STANDS_BEFORE(Win_post, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window), ,
              posted(window_of(window), group))
STANDS_BEFORE(Win_start, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window), ,
              begun(window_of(window), group))
STANDS_BEFORE(Win_complete, (MPI_Win window), (window), , completed(window_of(window)))
STANDS_BEFORE(Win_wait, (MPI_Win window), (window), , waited(window_of(window), false))
STANDS_BEFORE(Win_test, (MPI_Win window, int *flag), (window, flag), , if (*flag) waited(window_of(window), true))

static void put_lock(MPI_Win window, enum program_kind kind, int rank, enum program_lock lock) {
  const struct window *w = window_of(window);
  if (!w || rank < 0) return;
  struct program_operation o = window_operation(w, kind);
  o.destination = lock == PROGRAM_LOCK_ALL ? (int32_t)self : world_rank(w->c, rank);
  o.tag = lock;
  operation_put(&o);
}

STANDS_BEFORE(Win_lock, (int kind, int rank, int assertion, MPI_Win window), (kind, rank, assertion, window), ,
              put_lock(window, PROGRAM_WIN_LOCK, rank,
                       kind == MPI_LOCK_EXCLUSIVE ? PROGRAM_LOCK_ALONE : PROGRAM_LOCK_SHARED))
STANDS_BEFORE(Win_unlock, (int rank, MPI_Win window), (rank, window), ,
              put_lock(window, PROGRAM_WIN_UNLOCK, rank, PROGRAM_LOCK_SHARED))
STANDS_BEFORE(Win_lock_all, (int assertion, MPI_Win window), (assertion, window), ,
              put_lock(window, PROGRAM_WIN_LOCK, 0, PROGRAM_LOCK_ALL))
STANDS_BEFORE(Win_unlock_all, (MPI_Win window), (window), , put_lock(window, PROGRAM_WIN_UNLOCK, 0, PROGRAM_LOCK_ALL))
