/* One-sided communication: windows of the ranks' memory that others read and write. Only one rank runs at a time, and a
 * rank has the right to another's memory when a synchronisation has ended in virtual time; so data move at once where a
 * call says so, and what the call takes in time is psl's matter. Memory of another process is reached by the kernel. */
#include "evaluators/programs/mpi/request.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

#define WINDOW 0xa0000000u

struct exposed { /* what a rank shows */
  char *base;
  int64_t size;
  int unit, process;
};
struct shared_window {
  uint32_t references;
  struct exposed memory[]; /* by rank */
};

struct window {
  MPI_Win handle;
  struct communicator *c; /* the window's own */
  struct shared_window *shared;
  void *own; /* allocated with it, in shared memory; NULL: the program's */
  int flavor;
  bool fenced;              /* between two fences; */
  bool is_begun, is_posted; /* behind MPI_Win_start, MPI_Win_post, and before their ends */
  uint8_t *started;         /* by rank: MPI_Win_start has named it */
  bool *locked;             /* by rank: this one has its lock */
  uint32_t *posted, *begun; /* ranks in the groups of MPI_Win_post and MPI_Win_start */
  uint32_t posted_count, begun_count;
  MPI_Aint said_size;
  struct attribute *attributes;
  char name[MPI_MAX_OBJECT_NAME];
};

/* NULL: there is none, and the program is told of errors. */
static struct window *window_of(MPI_Win handle) {
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  if (((uint32_t)handle & 0xfc000000u) == WINDOW && place < self->window_count && self->windows[place])
    return self->windows[place];
  if (handle == MPI_WIN_NULL)
    fail(MPI_COMM_WORLD, MPI_ERR_WIN, "%s is given MPI_WIN_NULL", call_name());
  else
    fail(MPI_COMM_WORLD, MPI_ERR_WIN, "%s is given %#x, which is no window", call_name(), (unsigned)handle);
  return NULL;
}

/* Of a call, which gives that error. */
#define WINDOW_OF(w, handle)            \
  struct window *w = window_of(handle); \
  if (!w) return MPI_ERR_WIN

static struct program_operation *window_operation(const struct window *w, enum program_kind kind) {
  uint32_t number = communicator_number(w->c);
  struct program_operation *operation = operation_add(kind);
  operation->handle = number;
  return operation;
}

/* ---- another rank's memory ---- */

static bool is_shared(const void *place) {
  return area->inside || ((const char *)place >= (char *)area && (const char *)place < (char *)area + area->size);
}

static void reach(const struct exposed *memory, void *own, char *there, size_t size, bool writes) {
  if (!size) return;
  if (memory->process == (int)getpid() || is_shared(there)) {
    memcpy(writes ? there : own, writes ? own : there, size);
    return;
  }
  struct iovec here = {own, size}, other = {there, size};
  ssize_t done = writes ? process_vm_writev(memory->process, &here, 1, &other, 1, 0)
                        : process_vm_readv(memory->process, &here, 1, &other, 1, 0);
  if (done != (ssize_t)size)
    end_program("%s: another rank's memory cannot be reached (%s): that of MPI_Win_allocate can", call_name(),
                done < 0 ? strerror(errno) : "it is not all there");
}

/* ---- reading and writing ---- */

struct data { /* of the program's, in a call */
  void *base;
  int count;
  MPI_Datatype type;
};
struct there { /* at the target */
  int rank;
  MPI_Aint place;
  int count;
  MPI_Datatype type;
};

static int allowed(const struct window *w, const struct there *to) {
  if (to->rank < 0 || (uint32_t)to->rank >= local_size(w->c))
    return fail(w->c->handle, MPI_ERR_RANK, "%s: there is no rank %d in a window of %u", call_name(), to->rank,
                local_size(w->c));
  if (w->fenced || w->started[to->rank] || w->locked[to->rank]) return MPI_SUCCESS;
  return fail(w->c->handle, MPI_ERR_RMA_SYNC,
              "%s reaches rank %d before MPI_Win_fence, MPI_Win_start or MPI_Win_lock allows it", call_name(),
              to->rank);
}

struct stretch { /* what an access takes of the target's memory, from its first byte to its last one */
  char *from;    /* NULL: nothing */
  size_t size;
  int64_t before; /* bytes of it that stand before those of the first element's place */
};

static int stretch_of(const struct window *w, const struct there *to, struct stretch *out) {
  const struct datatype *type = datatype_of(to->type);
  const struct exposed *memory = &w->shared->memory[to->rank];
  *out = (struct stretch){0};
  if (to->count <= 0 || !type->size) return MPI_SUCCESS;
  int64_t last = (to->count - 1) * type->extent, place, from;
  int64_t low = type->true_lower + (last < 0 ? last : 0), size = type->true_extent + (last < 0 ? -last : last);
  bool dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC;
  out->size = (size_t)size;
  out->before = -low;
  if (dynamic) out->from = (char *)(intptr_t)(to->place + low);
  if (dynamic) return MPI_SUCCESS;
  bool far =
      __builtin_mul_overflow(to->place, (int64_t)memory->unit, &place) || __builtin_add_overflow(place, low, &from);
  if (!far && from >= 0 && size <= memory->size && from <= memory->size - size) {
    out->from = memory->base + from;
    return MPI_SUCCESS;
  }
  if (far)
    return fail(w->c->handle, MPI_ERR_RMA_RANGE, "%s: the displacement %ld is outside of the window of rank %d",
                call_name(), (long)to->place, to->rank);
  return fail(w->c->handle, MPI_ERR_RMA_RANGE,
              "%s: bytes %ld to %ld are outside of the window of rank %d, which has %ld", call_name(), (long)from,
              (long)(from + size - 1), to->rank, (long)memory->size);
}

static void combine(MPI_Op op, const void *in, void *inout, size_t bytes, MPI_Datatype type) {
  if (op == MPI_REPLACE)
    memcpy(inout, in, bytes);
  else if (op != MPI_NO_OP)
    reduce(op, in, inout, (int64_t)(bytes / datatype_of(type)->basic_size), datatype_of(type)->basic);
}

/* Data that lie together at both ends are read or written where they are. */
static bool moved_at_once(const struct window *w, const struct data *given, const struct data *got,
                          const struct there *to, char *there, MPI_Op op) {
  const struct data *own = given ? given : got;
  bool moves = !given || (!got && op == MPI_REPLACE);
  if (!moves || !datatype_is_contiguous(to->type) || !datatype_is_contiguous(own->type)) return false;
  size_t bytes = bytes_of(to->count, to->type);
  if (bytes_of(own->count, own->type) != bytes) return false;
  reach(&w->shared->memory[to->rank], own->base, there, bytes, given != NULL);
  return true;
}

/* What is given changes what is there, of which these are the packed data. */
static int change(const struct window *w, const struct data *given, const struct there *to, char *packed, MPI_Op op) {
  size_t bytes = bytes_of(to->count, to->type), has = bytes_of(given->count, given->type);
  if (has != bytes)
    return fail(w->c->handle, MPI_ERR_TRUNCATE, "%s: %zu bytes are given for %zu at rank %d", call_name(), has, bytes,
                to->rank);
  bool whole = datatype_is_contiguous(given->type);
  char *own = whole ? given->base : malloc(bytes);
  if (!whole) pack(given->base, given->count, given->type, own);
  combine(op, own, packed, bytes, to->type);
  if (!whole) free(own);
  return MPI_SUCCESS;
}

/* Of an accumulation both sides are of one of MPI's own types, the same; several names may stand for numbers
 * of the same size and kind. */
static int same_basic(const struct window *w, const struct data *own, const struct there *to) {
  MPI_Datatype here = basic_of(own->type), there = basic_of(to->type);
  char names[2][MPI_MAX_OBJECT_NAME];
  if (here != MPI_DATATYPE_NULL && there != MPI_DATATYPE_NULL && types_alike(here, there)) return MPI_SUCCESS;
  return fail(w->c->handle, MPI_ERR_TYPE, "%s: the data are of %s, and those at rank %d are accessed as %s",
              call_name(), datatype_name(here, names[0]), to->rank, datatype_name(there, names[1]));
}

static int data_checked(const struct window *w, const struct data *d) {
  if (!d) return MPI_SUCCESS;
  if (d->count < 0)
    return fail(w->c->handle, MPI_ERR_COUNT, "%s: the count %ld is negative", call_name(), (long)d->count);
  return data_check(w->c->handle, d->base, d->count, d->type);
}

/* Is the access right, as far as can be known before its place is? Of an operation by MPI_NO_OP what is given may be
 * anything. */
static int access_check(const struct window *w, const struct data *given, const struct data *got,
                        const struct there *to, MPI_Op op, bool accumulates) {
  if (to->rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (op == MPI_NO_OP) given = NULL;
  int wrong = data_checked(w, given);
  if (!wrong) wrong = data_checked(w, got);
  if (!wrong && to->count < 0)
    wrong = fail(w->c->handle, MPI_ERR_COUNT, "%s: the count %ld is negative", call_name(), (long)to->count);
  if (!wrong) wrong = data_type_check(w->c->handle, to->count, to->type);
  if (!wrong && to->place < 0 && w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
    wrong = fail(w->c->handle, MPI_ERR_DISP, "%s: the displacement %ld is negative", call_name(), (long)to->place);
  if (!wrong && accumulates && bytes_of(to->count, to->type)) {
    if (given && bytes_of(given->count, given->type)) wrong = same_basic(w, given, to);
    if (!wrong && got && bytes_of(got->count, got->type)) wrong = same_basic(w, got, to);
    if (!wrong) wrong = op_check_window(w->c->handle, op, basic_of(to->type));
  }
  return wrong ? wrong : allowed(w, to);
}

/* What is there goes to `got`, and what comes of it and `given` is there afterwards; either may have no base. */
static int access_window(struct window *w, const struct data *given, const struct data *got, const struct there *to,
                         MPI_Op op) {
  if (to->rank == MPI_PROC_NULL) return MPI_SUCCESS;
  struct stretch at_target = {0};
  size_t bytes = bytes_of(to->count, to->type);
  int wrong = stretch_of(w, to, &at_target);
  char *there = at_target.from;
  if (wrong || !there || moved_at_once(w, given, got, to, there, op)) return wrong;
  const struct exposed *memory = &w->shared->memory[to->rank];
  bool whole = datatype_is_contiguous(to->type);
  size_t size = at_target.size;
  char *span = malloc(size), *packed = whole ? span : malloc(bytes), *base = span + at_target.before;
  reach(memory, span, there, size, false);
  if (!whole) pack(base, to->count, to->type, packed);
  if (got) unpack(packed, bytes, got->base, got->count, got->type);
  if (given && op != MPI_NO_OP) {
    wrong = change(w, given, to, packed, op);
    if (!wrong && !whole) unpack(packed, bytes, base, to->count, to->type);
    if (!wrong) reach(memory, span, there, size, true);
  }
  free(span);
  if (!whole) free(packed);
  return wrong;
}

static void announce(const struct window *w, enum program_kind kind, int rank, size_t bytes) {
  if (rank < 0 || (uint32_t)rank >= local_size(w->c)) return;
  struct program_operation *o = window_operation(w, kind);
  o->destination = o->source = (int32_t)peer_world(w->c, rank);
  *(kind == PROGRAM_GET ? &o->received : &o->bytes) = (double)bytes;
}

#define THERE (&(struct there){rank, place, there_count, there_type})
#define GIVEN (&(struct data){(void *)in, count, type})
#define GOT (&(struct data){out, out_count, out_type})
#define TARGET int rank, MPI_Aint place, int there_count, MPI_Datatype there_type

static int put(const void *in, int count, MPI_Datatype type, TARGET, MPI_Op op, bool accumulates, MPI_Win window) {
  WINDOW_OF(w, window);
  int wrong = access_check(w, GIVEN, NULL, THERE, op, accumulates);
  if (!wrong && op == MPI_NO_OP)
    wrong = fail(w->c->handle, MPI_ERR_OP, "%s is given MPI_NO_OP, and gets nothing", call_name());
  if (wrong) return wrong;
  announce(w, op == MPI_REPLACE ? PROGRAM_PUT : PROGRAM_ACCUMULATE, rank, bytes_of(there_count, there_type));
  return access_window(w, GIVEN, NULL, THERE, op);
}

static int get(void *out, int count, MPI_Datatype type, TARGET, MPI_Win window) {
  WINDOW_OF(w, window);
  struct data got = {out, count, type};
  int wrong = access_check(w, NULL, &got, THERE, MPI_NO_OP, false);
  if (wrong) return wrong;
  announce(w, PROGRAM_GET, rank, bytes_of(there_count, there_type));
  return access_window(w, NULL, &got, THERE, MPI_NO_OP);
}

static int get_accumulate(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                          TARGET, MPI_Op op, MPI_Win window) {
  WINDOW_OF(w, window);
  int wrong = access_check(w, GIVEN, GOT, THERE, op, true);
  if (wrong) return wrong;
  size_t bytes = bytes_of(there_count, there_type);
  if (op != MPI_NO_OP) announce(w, PROGRAM_ACCUMULATE, rank, bytes);
  announce(w, PROGRAM_GET, rank, bytes);
  return access_window(w, GIVEN, GOT, THERE, op);
}

/* A request that is done: what it stands for is waited for by the window's synchronisation. */
static int done_already(int wrong, MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
  if (wrong) return wrong;
  struct request *r = request_new(request);
  r->kind = REQUEST_SEND;
  r->type = MPI_DATATYPE_NULL;
  r->active = r->done = true;
  return MPI_SUCCESS;
}

/* One that has got data waits for them here. */
static int arrived(int wrong, MPI_Win window, MPI_Request *request) {
  if (!wrong) window_operation(window_of(window), PROGRAM_WIN_FLUSH);
  return done_already(wrong, request);
}

API(Put) int MPI_Put(const void *in, int count, MPI_Datatype type, TARGET, MPI_Win window) {
  CALL;
  return put(in, count, type, rank, place, there_count, there_type, MPI_REPLACE, false, window);
}
API(Rput) int MPI_Rput(const void *in, int count, MPI_Datatype type, TARGET, MPI_Win window, MPI_Request *request) {
  CALL;
  return done_already(put(in, count, type, rank, place, there_count, there_type, MPI_REPLACE, false, window), request);
}
API(Accumulate) int MPI_Accumulate(const void *in, int count, MPI_Datatype type, TARGET, MPI_Op op, MPI_Win window) {
  CALL;
  return put(in, count, type, rank, place, there_count, there_type, op, true, window);
}
API(Raccumulate)
int MPI_Raccumulate(const void *in, int count, MPI_Datatype type, TARGET, MPI_Op op, MPI_Win window,
                    MPI_Request *request) {
  CALL;
  return done_already(put(in, count, type, rank, place, there_count, there_type, op, true, window), request);
}
API(Get) int MPI_Get(void *out, int count, MPI_Datatype type, TARGET, MPI_Win window) {
  CALL;
  return get(out, count, type, rank, place, there_count, there_type, window);
}
API(Rget) int MPI_Rget(void *out, int count, MPI_Datatype type, TARGET, MPI_Win window, MPI_Request *request) {
  CALL;
  return arrived(get(out, count, type, rank, place, there_count, there_type, window), window, request);
}
API(Get_accumulate)
int MPI_Get_accumulate(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                       TARGET, MPI_Op op, MPI_Win window) {
  CALL;
  return get_accumulate(in, count, type, out, out_count, out_type, rank, place, there_count, there_type, op, window);
}
API(Rget_accumulate)
int MPI_Rget_accumulate(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                        TARGET, MPI_Op op, MPI_Win window, MPI_Request *request) {
  CALL;
  int wrong =
      get_accumulate(in, count, type, out, out_count, out_type, rank, place, there_count, there_type, op, window);
  return arrived(wrong, window, request);
}
static int fail_of_own(const struct window *w) {
  return fail(w->c->handle, MPI_ERR_TYPE, "%s is given a datatype that is not one of MPI's own", call_name());
}
API(Fetch_and_op)
int MPI_Fetch_and_op(const void *in, void *out, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op op,
                     MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  if (!datatype_predefined(type)) return fail_of_own(w);
  return get_accumulate(in, 1, type, out, 1, type, rank, place, 1, type, op, window);
}
API(Compare_and_swap)
int MPI_Compare_and_swap(const void *in, const void *expected, void *out, MPI_Datatype type, int rank, MPI_Aint place,
                         MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  if (!datatype_predefined(type)) return fail_of_own(w);
  if (!compares(type))
    return fail(w->c->handle, MPI_ERR_TYPE, "%s: integers, logicals and bytes can be compared, not %s", call_name(),
                datatype_name(type, (char[MPI_MAX_OBJECT_NAME]){0}));
  struct there to = {rank, place, 1, type};
  int wrong = get_accumulate(NULL, 0, type, out, 1, type, rank, place, 1, type, MPI_NO_OP, window);
  if (wrong || rank == MPI_PROC_NULL || memcmp(out, expected, bytes_of(1, type)) != 0) return wrong;
  return access_window(w, &(struct data){(void *)in, 1, type}, NULL, &to, MPI_REPLACE);
}

/* ---- fences ---- */

API(Win_fence) int MPI_Win_fence(int assertion, MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  window_operation(w, PROGRAM_WIN_FENCE);
  w->fenced = !(assertion & MPI_MODE_NOSUCCEED);
  return MPI_Barrier(w->c->handle);
}

/* ---- post, start, complete, wait: messages without data ---- */

static uint32_t *ranks_of(const struct window *w, MPI_Group group, uint32_t *count) {
  *count = group_size(group);
  uint32_t *ranks = malloc((*count + 1) * sizeof *ranks);
  for (uint32_t k = 0; k < *count; k++)
    ranks[k] = (uint32_t)peer_rank(w->c, group_at(group, k));
  return ranks;
}

static void tell(const struct window *w, const uint32_t *ranks, uint32_t count, int tag) {
  for (uint32_t k = 0; k < count; k++)
    MPI_Send(NULL, 0, MPI_BYTE, (int)ranks[k], tag, w->c->handle);
}

static void hear(const struct window *w, const uint32_t *ranks, uint32_t count, int tag) {
  for (uint32_t k = 0; k < count; k++)
    MPI_Recv(NULL, 0, MPI_BYTE, (int)ranks[k], tag, w->c->handle, MPI_STATUS_IGNORE);
}

API(Win_post) int MPI_Win_post(MPI_Group group, int assertion, MPI_Win window) {
  CALL;
  (void)assertion;
  WINDOW_OF(w, window);
  GROUP_GIVEN(group);
  free(w->posted);
  w->posted = ranks_of(w, group, &w->posted_count);
  w->is_posted = true;
  tell(w, w->posted, w->posted_count, PROGRAM_TAG_POST);
  return MPI_SUCCESS;
}

API(Win_start) int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window) {
  CALL;
  (void)assertion;
  WINDOW_OF(w, window);
  GROUP_GIVEN(group);
  free(w->begun);
  w->begun = ranks_of(w, group, &w->begun_count);
  w->is_begun = true;
  hear(w, w->begun, w->begun_count, PROGRAM_TAG_POST);
  for (uint32_t k = 0; k < w->begun_count; k++)
    w->started[w->begun[k]] = true;
  return MPI_SUCCESS;
}

API(Win_complete) int MPI_Win_complete(MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  if (!w->is_begun)
    return fail(w->c->handle, MPI_ERR_RMA_SYNC, "%s is called without MPI_Win_start before it", call_name());
  w->is_begun = false;
  window_operation(w, PROGRAM_WIN_COMPLETE);
  tell(w, w->begun, w->begun_count, PROGRAM_TAG_COMPLETE);
  memset(w->started, 0, local_size(w->c));
  w->begun_count = 0;
  return MPI_SUCCESS;
}

static int fail_not_posted(const struct window *w) {
  return fail(w->c->handle, MPI_ERR_RMA_SYNC, "%s is called without MPI_Win_post before it", call_name());
}

API(Win_wait) int MPI_Win_wait(MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  if (!w->is_posted) return fail_not_posted(w);
  w->is_posted = false;
  hear(w, w->posted, w->posted_count, PROGRAM_TAG_COMPLETE);
  w->posted_count = 0;
  return MPI_SUCCESS;
}

API(Win_test) int MPI_Win_test(MPI_Win window, int *flag) {
  CALL;
  WINDOW_OF(w, window);
  if (!w->is_posted) return fail_not_posted(w);
  *flag = 1;
  for (uint32_t k = 0; k < w->posted_count && *flag; k++)
    MPI_Iprobe((int)w->posted[k], PROGRAM_TAG_COMPLETE, w->c->handle, flag, MPI_STATUS_IGNORE);
  return *flag ? MPI_Win_wait(window) : MPI_SUCCESS;
}

/* ---- locks: psl gives them, in the order of virtual time ---- */

static int lock(struct window *w, enum program_kind what, uint32_t rank, enum program_lock kind) {
  bool all = kind == PROGRAM_LOCK_ALL, locks = what == PROGRAM_WIN_LOCK;
  for (uint32_t k = all ? 0 : rank; k < (all ? local_size(w->c) : rank + 1); k++)
    if (w->locked[k] == locks)
      return fail(w->c->handle, MPI_ERR_RMA_SYNC, "%s: rank %u is %s", call_name(), k,
                  locks ? "locked already" : "not locked");
  for (uint32_t k = all ? 0 : rank; k < (all ? local_size(w->c) : rank + 1); k++)
    w->locked[k] = locks;
  struct program_operation *operation = window_operation(w, what);
  operation->destination = (int32_t)peer_world(w->c, (int)rank);
  operation->tag = kind;
  const struct program_answer *answer = operations_end();
  if (!locks) self->messages_sent += answer->number; /* by psl, to those who have waited for it */
  return MPI_SUCCESS;
}

API(Win_lock) int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win window) {
  CALL;
  (void)assertion;
  WINDOW_OF(w, window);
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || (uint32_t)rank >= local_size(w->c)) return allowed(w, &(struct there){.rank = rank});
  if (kind != MPI_LOCK_EXCLUSIVE && kind != MPI_LOCK_SHARED)
    return fail(w->c->handle, MPI_ERR_LOCKTYPE, "%s: there is no lock of kind %d", call_name(), kind);
  return lock(w, PROGRAM_WIN_LOCK, (uint32_t)rank,
              kind == MPI_LOCK_EXCLUSIVE ? PROGRAM_LOCK_ALONE : PROGRAM_LOCK_SHARED);
}

API(Win_unlock) int MPI_Win_unlock(int rank, MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || (uint32_t)rank >= local_size(w->c)) return allowed(w, &(struct there){.rank = rank});
  return lock(w, PROGRAM_WIN_UNLOCK, (uint32_t)rank, PROGRAM_LOCK_SHARED);
}

API(Win_lock_all) int MPI_Win_lock_all(int assertion, MPI_Win window) {
  CALL;
  (void)assertion;
  WINDOW_OF(w, window);
  return lock(w, PROGRAM_WIN_LOCK, w->c->rank, PROGRAM_LOCK_ALL);
}

API(Win_unlock_all) int MPI_Win_unlock_all(MPI_Win window) {
  CALL;
  WINDOW_OF(w, window);
  return lock(w, PROGRAM_WIN_UNLOCK, w->c->rank, PROGRAM_LOCK_ALL);
}

/* For one rank, or for all whose locks this one has; so far it has to have one. */
static int flush(const struct window *w, uint32_t first, uint32_t last) {
  bool any = false;
  for (uint32_t k = first; k <= last && !any; k++)
    any = w->locked[k];
  if (!any && first == last)
    return fail(w->c->handle, MPI_ERR_RMA_SYNC, "%s: rank %u is not locked", call_name(), first);
  if (!any) return fail(w->c->handle, MPI_ERR_RMA_SYNC, "%s: no rank is locked", call_name());
  window_operation(w, PROGRAM_WIN_FLUSH);
  operations_end();
  return MPI_SUCCESS;
}
static int flush_one(MPI_Win window, int rank) {
  WINDOW_OF(w, window);
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (rank < 0 || (uint32_t)rank >= local_size(w->c)) return allowed(w, &(struct there){.rank = rank});
  return flush(w, (uint32_t)rank, (uint32_t)rank);
}
static int flush_all(MPI_Win window) {
  WINDOW_OF(w, window);
  return flush(w, 0, local_size(w->c) - 1);
}
API(Win_flush) int MPI_Win_flush(int rank, MPI_Win window) {
  CALL;
  return flush_one(window, rank);
}
API(Win_flush_all) int MPI_Win_flush_all(MPI_Win window) {
  CALL;
  return flush_all(window);
}
API(Win_flush_local) int MPI_Win_flush_local(int rank, MPI_Win window) {
  CALL;
  return flush_one(window, rank);
}
API(Win_flush_local_all) int MPI_Win_flush_local_all(MPI_Win window) {
  CALL;
  return flush_all(window);
}
API(Win_sync) int MPI_Win_sync(MPI_Win window) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  (void)w;
  return MPI_SUCCESS;
}

/* ---- windows ---- */

/* Each rank shows its memory; what they share of it is made by the first that comes. */
static void window_new(struct communicator *like, struct exposed memory, int flavor, void *own, MPI_Win *handle) {
  struct window *w = calloc(1, sizeof *w);
  uint32_t place = 0;
  while (place < self->window_count && self->windows[place])
    place++;
  if (place == self->window_count) {
    self->window_count = self->window_count ? 2 * self->window_count : 8;
    self->windows = realloc(self->windows, self->window_count * sizeof *self->windows);
    memset(self->windows + place, 0, (self->window_count - place) * sizeof *self->windows);
  }
  self->windows[place] = w;
  *w = (struct window){.handle = (MPI_Win)(WINDOW | place), .flavor = flavor, .own = own, .said_size = memory.size};
  w->c = communicator_of(communicator_copy(like));
  w->c->window = w->handle;
  errhandler_set(&w->c->errors, MPI_ERRORS_ARE_FATAL);
  area->memory_shared = true;
  uint32_t ranks = local_size(w->c);
  w->started = calloc(ranks, 1), w->locked = calloc(ranks, sizeof *w->locked);
  memory.process = (int)getpid();
  struct collective *met = agree_begin(w->c, &memory, sizeof memory);
  void **made = &met->parts[0].made;
  if (!*made) {
    size_t size = sizeof *w->shared + ranks * sizeof *w->shared->memory;
    w->shared = *made = memset(shared_get(size), 0, size);
    w->shared->references = ranks;
    for (uint32_t k = 0; k < ranks; k++)
      memcpy(&w->shared->memory[k], met->parts[k].data, sizeof memory);
  }
  w->shared = *made;
  collective_leave(w->c, met);
  *handle = w->handle;
}

static int window_check(MPI_Comm comm, MPI_Aint size, int unit) {
  if (size < 0) return fail(comm, MPI_ERR_SIZE, "%s: the size %ld is negative", call_name(), (long)size);
  if (unit > 0) return MPI_SUCCESS;
  return fail(comm, MPI_ERR_DISP, "%s: displacements are counted in units of %d bytes", call_name(), unit);
}

API(Win_create)
int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window) {
  CALL;
  COMMUNICATOR(c, comm);
  (void)info;
  int wrong = window_check(comm, size, unit);
  if (wrong) return wrong;
  window_new(c, (struct exposed){base, size, unit, 0}, MPI_WIN_FLAVOR_CREATE, NULL, window);
  return MPI_SUCCESS;
}

API(Win_create_dynamic) int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *window) {
  CALL;
  COMMUNICATOR(c, comm);
  (void)info;
  window_new(c, (struct exposed){NULL, 0, 1, 0}, MPI_WIN_FLAVOR_DYNAMIC, NULL, window);
  return MPI_SUCCESS;
}
API(Win_attach) int MPI_Win_attach(MPI_Win window, void *base, MPI_Aint size) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  (void)base, (void)size, (void)w;
  return MPI_SUCCESS;
}
API(Win_detach) int MPI_Win_detach(MPI_Win window, const void *base) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  (void)base, (void)w;
  return MPI_SUCCESS;
}

API(Win_allocate)
int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window) {
  CALL;
  COMMUNICATOR(c, comm);
  (void)info;
  int wrong = window_check(comm, size, unit);
  if (wrong) return wrong;
  char *own = shared_get((size_t)size);
  memcpy(base, &own, sizeof own);
  window_new(c, (struct exposed){own, size, unit, 0}, MPI_WIN_FLAVOR_ALLOCATE, own, window);
  return MPI_SUCCESS;
}

/* The parts of the ranks lie one behind the other. */
API(Win_allocate_shared)
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window) {
  CALL;
  (void)info;
  COMMUNICATOR(c, comm);
  int wrong = window_check(comm, size, unit);
  if (wrong) return wrong;
  struct collective *met = agree_begin(c, &size, sizeof size);
  MPI_Aint all = 0, before = 0, each;
  for (uint32_t k = 0; k < local_size(c); k++) {
    memcpy(&each, met->parts[k].data, sizeof each);
    if (k < c->rank) before += each;
    all += each;
  }
  void **made = &met->parts[0].made;
  if (!*made) *made = shared_get((size_t)all);
  char *whole = *made, *own = size ? whole + before : NULL;
  collective_leave(c, met);
  memcpy(base, &own, sizeof own);
  window_new(c, (struct exposed){own, size, unit, 0}, MPI_WIN_FLAVOR_SHARED, c->rank ? NULL : whole, window);
  return MPI_SUCCESS;
}

API(Win_shared_query) int MPI_Win_shared_query(MPI_Win window, int rank, MPI_Aint *size, int *unit, void *base) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  uint32_t first = 0;
  while (rank == MPI_PROC_NULL && first + 1 < local_size(w->c) && !w->shared->memory[first].size)
    first++;
  const struct exposed *memory = &w->shared->memory[rank == MPI_PROC_NULL ? first : (uint32_t)rank];
  *size = memory->size;
  *unit = memory->unit;
  memcpy(base, &memory->base, sizeof memory->base);
  return MPI_SUCCESS;
}

API(Win_free) int MPI_Win_free(MPI_Win *window) {
  CALL;
  WINDOW_OF(w, *window);
  MPI_Comm comm = w->c->handle;
  int wrong = attributes_free(comm, *window, &w->attributes);
  if (wrong) return wrong;
  window_operation(w, PROGRAM_WIN_FREE);
  MPI_Barrier(comm);
  operations_end();
  if (--w->shared->references == 0) shared_give(w->shared);
  shared_give(w->own);
  MPI_Comm_free(&comm);
  self->windows[w->handle & 0x3ffffff] = NULL;
  free(w->started), free(w->locked), free(w->posted), free(w->begun);
  free(w);
  *window = MPI_WIN_NULL;
  return MPI_SUCCESS;
}

API(Win_get_group) int MPI_Win_get_group(MPI_Win window, MPI_Group *group) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  return MPI_Comm_group(w->c->handle, group);
}
API(Win_set_name) int MPI_Win_set_name(MPI_Win window, const char *name) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  strncpy(w->name, name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}
API(Win_get_name) int MPI_Win_get_name(MPI_Win window, char *name, int *length) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  strcpy(name, w->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}
API(Win_create_errhandler)
int MPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *handler) {
  LOCAL_CALL_ANY_TIME;
  return MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)(void *)function, handler);
}
API(Win_set_errhandler) int MPI_Win_set_errhandler(MPI_Win window, MPI_Errhandler handler) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  return errhandler_set_checked(&w->c->errors, handler);
}
API(Win_get_errhandler) int MPI_Win_get_errhandler(MPI_Win window, MPI_Errhandler *handler) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  *handler = errhandler_keep(w->c->errors);
  return MPI_SUCCESS;
}
API(Win_call_errhandler) int MPI_Win_call_errhandler(MPI_Win window, int class) {
  CALL;
  WINDOW_OF(w, window);
  fail(w->c->handle, class, "%s: the program calls the handler of errors for class %d", call_name(), class);
  return MPI_SUCCESS;
}
API(Win_set_info) int MPI_Win_set_info(MPI_Win window, MPI_Info info) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  (void)info, (void)w;
  return MPI_SUCCESS;
}
API(Win_get_info) int MPI_Win_get_info(MPI_Win window, MPI_Info *info) {
  LOCAL_CALL;
  WINDOW_OF(w, window);
  (void)w;
  return MPI_Info_create(info);
}

struct attribute **window_attributes(MPI_Win handle) {
  struct window *w = window_of(handle);
  return w ? &w->attributes : NULL;
}

MPI_Comm window_errors(MPI_Win handle) { return window_of(handle)->c->handle; }

bool window_known(MPI_Win window, int key, void *value, int *flag) {
  static int unified = MPI_WIN_UNIFIED;
  struct window *w = window_of(window);
  struct exposed *memory = &w->shared->memory[w->c->rank];
  const void *found = key == MPI_WIN_BASE            ? (const void *)memory->base
                      : key == MPI_WIN_SIZE          ? (const void *)&w->said_size
                      : key == MPI_WIN_DISP_UNIT     ? (const void *)&memory->unit
                      : key == MPI_WIN_CREATE_FLAVOR ? (const void *)&w->flavor
                      : key == MPI_WIN_MODEL         ? (const void *)&unified
                                                     : NULL;
  bool known = key == MPI_WIN_BASE || found;
  if (known) memcpy(value, &found, sizeof found);
  if (known) *flag = 1;
  return known;
}
