/* Collective operations: each rank leaves its part in shared memory, and takes what it needs of the others' when psl
 * says that its operation has ended. Reductions go along a binary tree of the ranks in order, as MPICH's do, and are
 * done by the first rank that needs the result. Over an intercommunicator each side works with the other's parts. */
#include "evaluators/programs/mpi/request.h"
#include <stdio.h>
#include <stdlib.h>

/* Buffers of a call: a block for each rank, of one size, or of sizes and at places of their own. */
struct blocks {
  void *base;
  int count;
  const int *counts, *places;
  MPI_Datatype type;
  const MPI_Datatype *types; /* of alltoallw: places are in bytes */
};
struct exchange {
  enum program_kind kind;
  struct communicator *c;
  struct collective *shared;
  struct blocks in, out; /* what the rank gives, what it gets */
  MPI_Op op;
  int root; /* in the communicator */
  /* Of one that a request goes on with: derived datatypes, which last until then, whenever the program frees them; and
   * behind these the lists of datatypes of both blocks. */
  MPI_Datatype *kept;
  uint32_t kept_count;
  MPI_Comm own; /* a persistent one's, since each rank starts such ones in its own order; MPI_COMM_NULL: none */
};

static int64_t block_count(const struct blocks *b, int k) { return b->counts ? b->counts[k] : b->count; }
static MPI_Datatype block_type(const struct blocks *b, int k) { return b->types ? b->types[k] : b->type; }
static size_t block_bytes(const struct blocks *b, int k) { return bytes_of(block_count(b, k), block_type(b, k)); }
static void *block_at(const struct blocks *b, int k) {
  if (b->types) return at(b->base, b->places[k]);
  return at(b->base, (b->places ? b->places[k] : (int64_t)k * b->count) * datatype_of(b->type)->extent);
}

/* ---- the meeting ---- */

static uint32_t own_place(const struct communicator *c) { return c->rank + (c->side ? c->context->sizes[0] : 0); }
/* Where the parts of those begin that it works with, and how many there are. */
static uint32_t peer_base(const struct communicator *c) { return c->inter && !c->side ? c->context->sizes[0] : 0; }

static const char *kind_name(enum program_kind kind, char name[40]) {
  snprintf(name, 40, "MPI_%s", program_kinds[kind].name);
  name[4] = (char)(name[4] - 'a' + 'A');
  return name;
}

static enum program_kind started_kind(enum program_kind kind) { return kind + (PROGRAM_IBARRIER - PROGRAM_BARRIER); }

static void same_checked(const struct communicator *c, const struct collective *shared, enum program_kind kind,
                         int root, size_t bytes, uint32_t first) {
  char theirs[40];
  if (shared->kind != kind)
    end_program("%s is called where rank %u has called %s", call_name(), first, kind_name(shared->kind, theirs));
  if (!c->inter && shared->root != root)
    end_program("%s has the root %d, and that of rank %u has %d", call_name(), root, first, shared->root);
  if (shared->bytes != bytes)
    end_program("%s is of %zu bytes, and that of rank %u is of %zu", call_name(), bytes, first, shared->bytes);
}

/* The rank comes to its next collective operation on the communicator. */
static struct collective *meet(struct communicator *c, enum program_kind kind, int root, size_t bytes) {
  struct context *context = c->context;
  uint32_t number = c->collectives++, all = context->sizes[0] + context->sizes[1];
  struct collective *shared = context->first;
  while (shared && shared->number != number)
    shared = shared->next;
  if (!shared) {
    size_t size = sizeof *shared + all * sizeof *shared->parts;
    shared = shared_get(size);
    memset(shared, 0, size);
    shared->number = number, shared->kind = kind, shared->root = root, shared->bytes = bytes,
    shared->who = self->number;
    if (context->last)
      context->last->next = shared;
    else
      context->first = shared;
    context->last = shared;
  }
  same_checked(c, shared, kind, root, bytes, shared->who);
  shared->parts[own_place(c)].there = true;
  shared->come++;
  return shared;
}

void collective_leave(struct communicator *c, struct collective *shared) {
  struct context *context = c->context;
  uint32_t all = context->sizes[0] + context->sizes[1];
  if (++shared->gone < all) return;
  struct collective *before = NULL;
  for (struct collective *k = context->first; k != shared; k = k->next)
    before = k;
  *(before ? &before->next : &context->first) = shared->next;
  if (context->last == shared) context->last = before;
  for (uint32_t k = 0; k < all; k++) {
    shared_give(shared->parts[k].data);
    shared_give(shared->parts[k].places);
  }
  shared_give(shared->result);
  shared_give(shared);
}

static const struct part *part_of(const struct exchange *e, uint32_t peer) {
  const struct part *part = &e->shared->parts[peer_base(e->c) + peer];
  if (!part->there)
    end_program("%s has ended before rank %u has come to it: direct execution needs messages that are simulated",
                call_name(), peer_world(e->c, (int)peer));
  return part;
}

struct collective *agree_begin(struct communicator *c, const void *data, size_t size) {
  struct collective *shared = meet(c, PROGRAM_ALLGATHER, -1, 0);
  struct part *part = &shared->parts[own_place(c)];
  part->data = shared_get(size ? size : 1);
  if (size) memcpy(part->data, data, size);
  part->bytes = size;
  uint32_t number = communicator_number(c), all = c->context->sizes[0] + c->context->sizes[1];
  if (all == 1) return shared;
  struct program_operation *operation = operation_add(PROGRAM_ALLGATHER);
  operation->communicator = number;
  operation->bytes = (double)size;
  operations_end();
  if (shared->come < all)
    end_program("%s has ended before all ranks have come to it: direct execution needs messages that are simulated",
                call_name());
  return shared;
}

/* ---- what a rank gives ---- */

static bool is_root(const struct exchange *e) { return e->c->inter ? e->root == MPI_ROOT : e->root == (int)e->c->rank; }

static void give(struct exchange *e, const void *from, int64_t count, MPI_Datatype type) {
  struct part *part = &e->shared->parts[own_place(e->c)];
  part->bytes = bytes_of(count, type);
  part->basic = basic_of(type);
  if (no_data(from)) return;
  part->data = shared_get(part->bytes);
  pack(from, count, type, part->data);
}

/* MPI_DATATYPE_NULL: of several types, or of nothing. */
static MPI_Datatype blocks_basic(const struct blocks *b, int count) {
  MPI_Datatype basic = MPI_DATATYPE_NULL;
  for (int k = 0; k < count; k++) {
    if (!block_bytes(b, k)) continue; /* of any type, were it none */
    MPI_Datatype of = basic_of(block_type(b, k));
    if (!b->types) return of;
    if (basic != MPI_DATATYPE_NULL && of != basic) return MPI_DATATYPE_NULL;
    basic = of;
  }
  return basic;
}

/* One block for each of `count` ranks. */
static void give_blocks(struct exchange *e, const struct blocks *b, int count) {
  struct part *part = &e->shared->parts[own_place(e->c)];
  part->places = shared_get(((size_t)count + 1) * sizeof *part->places);
  part->places[0] = 0;
  for (int k = 0; k < count; k++)
    part->places[k + 1] = part->places[k] + block_bytes(b, k);
  part->bytes = part->places[count];
  part->basic = blocks_basic(b, count);
  if (no_data(b->base)) return;
  part->data = shared_get(part->bytes);
  for (int k = 0; k < count; k++)
    pack(block_at(b, k), block_count(b, k), block_type(b, k), at(part->data, (int64_t)part->places[k]));
}

static void exchange_give(struct exchange *e) {
  int peers = (int)peer_count(e->c), n = (int)e->c->rank;
  bool in_place = e->in.base == MPI_IN_PLACE;
  switch (e->kind) {
  case PROGRAM_BCAST:
    if (is_root(e)) give(e, e->in.base, e->in.count, e->in.type);
    return;
  case PROGRAM_GATHER:
  case PROGRAM_GATHERV:
    if (e->c->inter ? e->root >= 0 : !(is_root(e) && in_place)) give(e, e->in.base, e->in.count, e->in.type);
    return;
  case PROGRAM_SCATTER:
  case PROGRAM_SCATTERV:
    if (is_root(e)) give_blocks(e, &e->in, peers);
    return;
  case PROGRAM_ALLGATHER:
  case PROGRAM_ALLGATHERV:
    if (in_place)
      give(e, block_at(&e->out, n), block_count(&e->out, n), e->out.type);
    else
      give(e, e->in.base, e->in.count, e->in.type);
    return;
  case PROGRAM_ALLTOALL:
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW: give_blocks(e, in_place ? &e->out : &e->in, peers); return;
  case PROGRAM_REDUCE:
    if (e->c->inter && e->root < 0) return;
    give(e, in_place ? e->out.base : e->in.base, e->in.count, e->in.type);
    return;
  case PROGRAM_ALLREDUCE:
  case PROGRAM_SCAN:
  case PROGRAM_EXSCAN:
  case PROGRAM_REDUCE_SCATTER:
  case PROGRAM_REDUCE_SCATTER_BLOCK: give(e, in_place ? e->out.base : e->in.base, e->in.count, e->in.type); return;
  default: return;
  }
}

/* ---- what it gets ---- */

static void type_checked(const struct exchange *e, const struct part *part, MPI_Datatype type, uint32_t sender) {
  char given[MPI_MAX_OBJECT_NAME], got[MPI_MAX_OBJECT_NAME];
  if (types_match(part->basic, basic_of(type))) return;
  fail(e->c->handle, MPI_ERR_TYPE, "%s: what rank %u gives is of %s, and is expected to be of %s", call_name(),
       peer_world(e->c, (int)sender), datatype_name(part->basic, given), datatype_name(basic_of(type), got));
}

static void get(struct exchange *e, const void *from, size_t bytes, const struct blocks *to, int k, uint32_t sender) {
  size_t room = block_bytes(to, k);
  if (bytes != room && (bytes > room || (e->kind != PROGRAM_BCAST && e->kind != PROGRAM_SCATTER)))
    fail(e->c->handle, MPI_ERR_TRUNCATE, "%s: rank %u gives %zu bytes where %zu are expected", call_name(),
         peer_world(e->c, (int)sender), bytes, room);
  if (bytes && room) type_checked(e, &e->shared->parts[peer_base(e->c) + sender], block_type(to, k), sender);
  unpack(from, bytes < room ? bytes : room, block_at(to, k), block_count(to, k), block_type(to, k));
}

static const struct part *given_part(const struct exchange *e, uint32_t rank) {
  const struct part *part = part_of(e, rank);
  if (part->bytes) type_checked(e, part, e->in.type, rank);
  return part;
}

/* The reduction of ranks first .. first + count - 1. */
static void reduce_ranks(const struct exchange *e, uint32_t first, uint32_t count, void *to) {
  if (count == 1) {
    const struct part *part = given_part(e, first);
    memcpy(to, part->data, part->bytes);
    return;
  }
  uint32_t half = 1;
  while (2 * half < count)
    half *= 2;
  reduce_ranks(e, first + half, count - half, to);
  if (half == 1 && op_spares(e->op)) { /* as the rank has given it */
    reduce(e->op, given_part(e, first)->data, to, e->in.count, e->in.type);
    return;
  }
  void *low = malloc(bytes_of(e->in.count, e->in.type) + 1);
  reduce_ranks(e, first, half, low);
  reduce(e->op, low, to, e->in.count, e->in.type);
  free(low);
}

static const void *result(struct exchange *e) {
  struct collective *shared = e->shared;
  if (e->c->inter || !shared->result) { /* each side has another one */
    void *made = shared_get(bytes_of(e->in.count, e->in.type));
    reduce_ranks(e, 0, peer_count(e->c), made);
    shared_give(shared->result);
    shared->result = made;
  }
  return shared->result;
}

static void get_prefix(struct exchange *e, uint32_t count) {
  if (!count) return;
  size_t bytes = bytes_of(e->in.count, e->in.type);
  void *made = malloc(bytes + 1);
  reduce_ranks(e, 0, count, made);
  unpack(made, bytes, e->out.base, e->in.count, e->in.type);
  free(made);
}

/* Nothing comes from there, and psl has not waited for it. */
static bool gets_nothing_of(const struct exchange *e, uint32_t k, int block) {
  return !block_bytes(&e->out, block) && !e->shared->parts[peer_base(e->c) + k].there;
}
static bool gets_nothing(const struct exchange *e, uint32_t k) { return gets_nothing_of(e, k, (int)k); }

/* That of rank k; its own is copied by its processor. */
static void get_block(struct exchange *e, const void *from, size_t bytes, uint32_t k) {
  bool own = k == e->c->rank && !e->c->inter;
  uint64_t begun = own ? clock_part_begin() : 0;
  get(e, from, bytes, &e->out, (int)k, k);
  if (own) clock_part_end(begun);
}

static void get_all(struct exchange *e) {
  for (uint32_t k = 0; k < peer_count(e->c); k++) {
    if (gets_nothing(e, k)) continue;
    const struct part *part = part_of(e, k);
    if (part->data || no_data(e->out.base)) get_block(e, part->data, part->bytes, k); /* else it is in place */
  }
}

static void get_divided(struct exchange *e) {
  for (uint32_t k = 0; k < peer_count(e->c); k++) {
    if (gets_nothing(e, k)) continue;
    const struct part *part = part_of(e, k);
    size_t from = part->places[e->c->rank], to = part->places[e->c->rank + 1];
    get_block(e, at(part->data, (int64_t)from), to - from, k);
  }
}

/* Its share of a reduction: what comes before it are the shares of the ranks below. */
static void get_share(struct exchange *e) {
  int n = (int)e->c->rank;
  size_t place = 0;
  for (int k = 0; k < n; k++)
    place += bytes_of(block_count(&e->out, k), e->in.type);
  int64_t count = block_count(&e->out, n);
  unpack(at(result(e), (int64_t)place), bytes_of(count, e->in.type), e->out.base, count, e->in.type);
}

/* Does the rank get anything, so that it has to wait for the operation's end? */
static bool gets(const struct exchange *e) {
  switch (e->kind) {
  case PROGRAM_BARRIER: return area->memory_shared;
  case PROGRAM_BCAST:
  case PROGRAM_SCATTER:
  case PROGRAM_SCATTERV: return e->c->inter ? e->root >= 0 : !is_root(e) || e->out.base != MPI_IN_PLACE;
  case PROGRAM_GATHER:
  case PROGRAM_GATHERV:
  case PROGRAM_REDUCE: return is_root(e);
  default: return true;
  }
}

/* Nothing was reduced, and nothing is wanted. */
static bool reduces_nothing(const struct exchange *e) {
  bool reduces = e->kind == PROGRAM_REDUCE || e->kind == PROGRAM_ALLREDUCE || e->kind == PROGRAM_SCAN ||
                 e->kind == PROGRAM_EXSCAN || e->kind == PROGRAM_REDUCE_SCATTER ||
                 e->kind == PROGRAM_REDUCE_SCATTER_BLOCK;
  return reduces && no_data(e->out.base);
}

static void exchange_get(struct exchange *e) {
  uint32_t root = (uint32_t)e->root;
  if (reduces_nothing(e)) return;
  switch (e->kind) {
  case PROGRAM_BCAST: {
    const struct part *part = part_of(e, root);
    if (!is_root(e)) get(e, part->data, part->bytes, &e->in, 0, root);
    return;
  }
  case PROGRAM_SCATTER:
  case PROGRAM_SCATTERV: {
    if (gets_nothing_of(e, root, 0)) return;
    const struct part *part = part_of(e, root);
    size_t from = part->places[e->c->rank], to = part->places[e->c->rank + 1];
    get(e, at(part->data, (int64_t)from), to - from, &e->out, 0, root);
    return;
  }
  case PROGRAM_GATHER:
  case PROGRAM_GATHERV:
  case PROGRAM_ALLGATHER:
  case PROGRAM_ALLGATHERV: get_all(e); return;
  case PROGRAM_ALLTOALL:
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW: get_divided(e); return;
  case PROGRAM_REDUCE:
  case PROGRAM_ALLREDUCE:
    unpack(result(e), bytes_of(e->in.count, e->in.type), e->out.base, e->in.count, e->in.type);
    return;
  case PROGRAM_SCAN: get_prefix(e, e->c->rank + 1); return;
  case PROGRAM_EXSCAN: get_prefix(e, e->c->rank); return;
  case PROGRAM_REDUCE_SCATTER:
  case PROGRAM_REDUCE_SCATTER_BLOCK: get_share(e); return;
  default: return;
  }
}

void exchange_finish(struct exchange *e) {
  if (gets(e)) exchange_get(e);
  collective_leave(e->c, e->shared);
}

/* ---- the operation ---- */

static const double *parts_listed(const struct blocks *b, int count, double *list) {
  for (int k = 0; k < count; k++)
    list[k] = (double)block_bytes(b, k);
  return list;
}

static double parts_sum(const struct blocks *b, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += (double)block_bytes(b, k);
  return sum;
}

/* The fields that the kind has; over an intercommunicator, whose sides do not do the same, a barrier stands for it. */
static struct program_operation *announce(struct exchange *e, bool starts) {
  struct communicator *c = e->c;
  uint32_t number = communicator_number(c);
  enum program_kind kind = c->inter ? PROGRAM_BARRIER : e->kind;
  struct program_operation *o = operation_add(starts ? started_kind(kind) : kind);
  o->communicator = number;
  if (c->inter) return o;
  unsigned fields = program_kinds[kind].fields;
  int count = (int)peer_count(c);
  const struct blocks *in = e->in.base == MPI_IN_PLACE ? &e->out : &e->in;
  bool root = (fields & FIELD_ROOT) && is_root(e);
  if (fields & FIELD_ROOT) o->root = (int32_t)peer_world(c, e->root);
  double *lists =
      (fields & (FIELD_SENT_PARTS | FIELD_RECEIVED_PARTS)) ? operation_list(2 * (size_t)count * sizeof *lists) : NULL;
  bool sends = (fields & FIELD_SENT_PARTS) && (!(fields & FIELD_ROOT) || root);
  bool receives = (fields & FIELD_RECEIVED_PARTS) && (!(fields & FIELD_ROOT) || root);
  o->part_count = (uint32_t)(sends || receives ? count : 0);
  if (sends) o->parts = parts_listed(in, count, lists);
  if (receives) o->received_parts = parts_listed(&e->out, count, lists + count);
  switch (kind) {
  case PROGRAM_SCATTER: o->bytes = (double)(root ? block_bytes(&e->in, 0) : block_bytes(&e->out, 0)); return o;
  case PROGRAM_SCATTERV:
    o->bytes = root ? parts_sum(&e->in, count) : 0;
    o->received = root && e->out.base == MPI_IN_PLACE ? 0 : (double)block_bytes(&e->out, 0);
    return o;
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW:
    o->bytes = parts_sum(in, count);
    o->received = parts_sum(&e->out, count);
    return o;
  case PROGRAM_REDUCE_SCATTER:
    o->bytes = (double)bytes_of(e->in.count, e->in.type);
    o->received = (double)bytes_of(block_count(&e->out, (int)c->rank), e->in.type);
    return o;
  case PROGRAM_REDUCE_SCATTER_BLOCK: o->bytes = (double)bytes_of(e->out.count, e->in.type); return o;
  case PROGRAM_BARRIER: return o;
  default: break;
  }
  if (receives) o->received = parts_sum(&e->out, count);
  bool own = e->in.base == MPI_IN_PLACE && (kind == PROGRAM_GATHER || kind == PROGRAM_GATHERV ||
                                            kind == PROGRAM_ALLGATHER || kind == PROGRAM_ALLGATHERV);
  o->bytes = own                        ? (double)block_bytes(&e->out, (int)c->rank)
             : kind == PROGRAM_ALLTOALL ? (double)block_bytes(in, 0)
                                        : (double)bytes_of(e->in.count, e->in.type);
  return o;
}

static bool is_rooted(const struct exchange *e) { return program_kinds[e->kind].fields & FIELD_ROOT; }
static bool reduces(const struct exchange *e) {
  return e->kind == PROGRAM_REDUCE || e->kind == PROGRAM_ALLREDUCE || e->kind == PROGRAM_SCAN ||
         e->kind == PROGRAM_EXSCAN || e->kind == PROGRAM_REDUCE_SCATTER || e->kind == PROGRAM_REDUCE_SCATTER_BLOCK;
}

/* Of data that the call looks at: at the root alone what all get from it, or give to it. */
static int blocks_check(const struct exchange *e, const struct blocks *b) {
  uint32_t count = b->base == MPI_IN_PLACE ? 0 : b->counts ? peer_count(e->c) : 1;
  for (uint32_t k = 0; k < count; k++) {
    int64_t of = block_count(b, (int)k);
    if (of < 0) return fail(e->c->handle, MPI_ERR_COUNT, "%s: the count %ld is negative", call_name(), (long)of);
    int wrong = b->places || b->types ? data_type_check(e->c->handle, of, block_type(b, (int)k))
                                      : data_check(e->c->handle, b->base, of, b->type);
    if (wrong) return wrong;
  }
  return MPI_SUCCESS;
}

/* Does the rank give from where it gets its own part, or the whole of a reduction? */
static bool is_aliased(const struct exchange *e) {
  int n = (int)e->c->rank;
  const void *in = e->in.base, *out = e->out.base;
  if (in == MPI_IN_PLACE || out == MPI_IN_PLACE) return false;
  switch (e->kind) {
  case PROGRAM_REDUCE: return is_root(e) && e->in.count && in == out;
  case PROGRAM_ALLREDUCE:
  case PROGRAM_SCAN:
  case PROGRAM_EXSCAN:
  case PROGRAM_REDUCE_SCATTER:
  case PROGRAM_REDUCE_SCATTER_BLOCK: return e->in.count && in == out;
  case PROGRAM_GATHER:
  case PROGRAM_GATHERV:
    if (!is_root(e)) return false;
    /* fall through */
  case PROGRAM_ALLGATHER:
  case PROGRAM_ALLGATHERV:
    return bytes_of(e->in.count, e->in.type) && block_bytes(&e->out, n) && in == block_at(&e->out, n);
  case PROGRAM_SCATTER:
  case PROGRAM_SCATTERV:
    return is_root(e) && block_bytes(&e->out, 0) && block_bytes(&e->in, n) && block_at(&e->in, n) == out;
  case PROGRAM_ALLTOALL:
  case PROGRAM_ALLTOALLV:
  case PROGRAM_ALLTOALLW:
    return block_bytes(&e->in, n) && block_bytes(&e->out, n) && block_at(&e->in, n) == block_at(&e->out, n);
  default: return false;
  }
}

static int data_checked(const struct exchange *e) {
  bool scatters = e->kind == PROGRAM_SCATTER || e->kind == PROGRAM_SCATTERV;
  bool gathers = e->kind == PROGRAM_GATHER || e->kind == PROGRAM_GATHERV;
  int wrong = MPI_SUCCESS;
  if (e->c->inter || e->kind == PROGRAM_BARRIER) return MPI_SUCCESS;
  if (!scatters || is_root(e)) wrong = blocks_check(e, &e->in);
  if (!wrong && !reduces(e) && (!gathers || is_root(e))) wrong = blocks_check(e, &e->out);
  if (!wrong && reduces(e) && e->in.count && (e->kind != PROGRAM_REDUCE || is_root(e)) &&
      (!e->out.base || e->out.base == MPI_IN_PLACE))
    wrong = fail(e->c->handle, MPI_ERR_BUFFER, "%s is given %s for the place of what it gets", call_name(),
                 e->out.base ? "MPI_IN_PLACE" : "NULL");
  if (!wrong && is_aliased(e)) wrong = fail_alias(e->c->handle);
  return wrong;
}

static int exchange_checked(const struct exchange *e) {
  struct communicator *c = e->c;
  if (is_rooted(e) && !c->inter && (e->root < 0 || (uint32_t)e->root >= local_size(c)))
    return fail(c->handle, MPI_ERR_ROOT, "%s: there is no rank %d in a communicator of %u to be the root", call_name(),
                e->root, local_size(c));
  int wrong = reduces(e) ? op_check(c->handle, e->op, e->in.type) : MPI_SUCCESS;
  return wrong ? wrong : data_checked(e);
}

static struct collective *exchange_meet(const struct exchange *e) {
  bool alike = (e->kind == PROGRAM_BCAST || reduces(e)) && !e->c->inter;
  return meet(e->c, e->kind, is_rooted(e) ? e->root : -1, alike ? bytes_of(e->in.count, e->in.type) : 0);
}

static void exchange_begin(struct exchange *e) {
  e->shared = exchange_meet(e);
  exchange_give(e);
}

static bool is_alone(const struct communicator *c) { return !c->inter && local_size(c) == 1; }

static int exchange(struct exchange e) {
  int wrong = exchange_checked(&e);
  if (wrong) return wrong;
  exchange_begin(&e);
  if (!is_alone(e.c)) {
    announce(&e, false);
    if (gets(&e)) operations_end();
  }
  exchange_finish(&e);
  return MPI_SUCCESS;
}

/* What a rank's own part says nothing of may be anything. */
static void type_keep(struct exchange *e, MPI_Datatype type) {
  if (is_named(type) || !datatype_valid(type)) return;
  datatype_keep(type);
  e->kept[e->kept_count++] = type;
}

/* A list of datatypes may be Fortran's, which is gone when the call returns: it is copied to `list`. */
static void blocks_keep(struct exchange *e, struct blocks *b, MPI_Datatype *list) {
  if (b->base == MPI_IN_PLACE) return;
  if (b->types) b->types = memcpy(list, b->types, peer_count(e->c) * sizeof *list);
  for (uint32_t k = 0; b->types && k < peer_count(e->c); k++)
    type_keep(e, b->types[k]);
  if (!b->types) type_keep(e, b->type);
}

static void exchange_keep(struct exchange *e) {
  size_t peers = (size_t)peer_count(e->c) + 1;
  e->kept = malloc(4 * peers * sizeof *e->kept);
  blocks_keep(e, &e->in, e->kept + 2 * peers);
  blocks_keep(e, &e->out, e->kept + 3 * peers);
  if (reduces(e)) type_keep(e, e->in.type), op_keep(e->op);
}

void exchange_free(struct exchange *e) {
  for (uint32_t k = 0; k < e->kept_count; k++)
    datatype_drop(e->kept[k]);
  if (reduces(e)) op_drop(e->op);
  if (e->own != MPI_COMM_NULL) MPI_Comm_free(&e->own);
  free(e->kept);
  free(e);
}

void exchange_start(struct request *r) {
  struct exchange *e = r->exchange;
  exchange_begin(e);
  r->active = true;
  if (is_alone(e->c))
    r->done = true;
  else
    announce(e, true)->request = r->number;
}

static void own_make(struct exchange *e) {
  struct collective *shared = exchange_meet(e);
  e->own = communicator_copied(e->c, shared);
  collective_leave(e->c, shared);
  e->c = communicator_of(e->own);
}

static int exchange_make(struct exchange e, bool persistent, MPI_Request *handle) {
  *handle = MPI_REQUEST_NULL;
  int wrong = exchange_checked(&e);
  if (wrong) return wrong;
  struct request *r = request_new(handle);
  r->kind = REQUEST_COLLECTIVE;
  r->type = MPI_DATATYPE_NULL;
  r->c = communicator_keep(e.c);
  r->persistent = persistent;
  r->exchange = malloc(sizeof *r->exchange);
  *r->exchange = e;
  r->exchange->own = MPI_COMM_NULL;
  exchange_keep(r->exchange);
  if (persistent)
    own_make(r->exchange);
  else
    exchange_start(r);
  return MPI_SUCCESS;
}

struct collective *agree_start(struct communicator *c, MPI_Request *request) {
  struct blocks none = {.type = MPI_BYTE};
  exchange_make((struct exchange){.c = c, .kind = PROGRAM_ALLGATHER, .in = none, .out = none}, false, request);
  return request_of(*request)->exchange->shared;
}

/* ---- the calls, each with its non-blocking form and its persistent one ---- */

#define FORMS(name, i_name, PARAMETERS, ...)                                                                      \
  API(name) int MPI_##name(SPREAD PARAMETERS, MPI_Comm comm) {                                                    \
    CALL;                                                                                                         \
    COMMUNICATOR(c, comm);                                                                                        \
    return exchange((struct exchange){.c = c, __VA_ARGS__});                                                      \
  }                                                                                                               \
  API(i_name) int MPI_##i_name(SPREAD PARAMETERS, MPI_Comm comm, MPI_Request *request) {                          \
    CALL;                                                                                                         \
    COMMUNICATOR(c, comm);                                                                                        \
    return exchange_make((struct exchange){.c = c, __VA_ARGS__}, false, request);                                 \
  }                                                                                                               \
  API(name##_init) int MPI_##name##_init(SPREAD PARAMETERS, MPI_Comm comm, MPI_Info info, MPI_Request *request) { \
    CALL;                                                                                                         \
    (void)info;                                                                                                   \
    COMMUNICATOR(c, comm);                                                                                        \
    return exchange_make((struct exchange){.c = c, __VA_ARGS__}, true, request);                                  \
  }
#define SPREAD(...) __VA_ARGS__
#define IN const void *in, int in_count, MPI_Datatype in_type
#define OUT void *out, int out_count, MPI_Datatype out_type
#define IN_PARTS const void *in, const int in_counts[], const int in_places[]
#define OUT_PARTS void *out, const int out_counts[], const int out_places[]
#define REDUCES const void *in, void *out, int count, MPI_Datatype type, MPI_Op reduction
#define FROM .in = {.base = (void *)in, .count = in_count, .type = in_type}
#define TO .out = {.base = out, .count = out_count, .type = out_type}
#define FROM_PARTS .in = {.base = (void *)in, .counts = in_counts, .places = in_places, .type = in_type}
#define TO_PARTS .out = {.base = out, .counts = out_counts, .places = out_places, .type = out_type}
#define FROM_TYPES .in = {.base = (void *)in, .counts = in_counts, .places = in_places, .types = in_types}
#define TO_TYPES .out = {.base = out, .counts = out_counts, .places = out_places, .types = out_types}
#define REDUCED .in = {.base = (void *)in, .count = count, .type = type}, .out = {.base = out}, .op = reduction

API(Barrier) int MPI_Barrier(MPI_Comm comm) {
  CALL;
  COMMUNICATOR(c, comm);
  return exchange((struct exchange){.c = c, .kind = PROGRAM_BARRIER});
}
API(Ibarrier) int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  CALL;
  COMMUNICATOR(c, comm);
  return exchange_make((struct exchange){.c = c, .kind = PROGRAM_BARRIER}, false, request);
}
API(Barrier_init) int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  CALL;
  (void)info;
  COMMUNICATOR(c, comm);
  return exchange_make((struct exchange){.c = c, .kind = PROGRAM_BARRIER}, true, request);
}

FORMS(Bcast, Ibcast, (void *buffer, int count, MPI_Datatype type, int root), .kind = PROGRAM_BCAST, .root = root,
      .in = {.base = buffer, .count = count, .type = type}, .out = {.base = MPI_IN_PLACE})
FORMS(Gather, Igather, (IN, OUT, int root), .kind = PROGRAM_GATHER, .root = root, FROM, TO)
FORMS(Gatherv, Igatherv, (IN, OUT_PARTS, MPI_Datatype out_type, int root), .kind = PROGRAM_GATHERV, .root = root, FROM,
      TO_PARTS)
FORMS(Scatter, Iscatter, (IN, OUT, int root), .kind = PROGRAM_SCATTER, .root = root, FROM, TO)
FORMS(Scatterv, Iscatterv, (IN_PARTS, MPI_Datatype in_type, OUT, int root), .kind = PROGRAM_SCATTERV, .root = root,
      FROM_PARTS, TO)
FORMS(Allgather, Iallgather, (IN, OUT), .kind = PROGRAM_ALLGATHER, FROM, TO)
FORMS(Allgatherv, Iallgatherv, (IN, OUT_PARTS, MPI_Datatype out_type), .kind = PROGRAM_ALLGATHERV, FROM, TO_PARTS)
FORMS(Alltoall, Ialltoall, (IN, OUT), .kind = PROGRAM_ALLTOALL, FROM, TO)
FORMS(Alltoallv, Ialltoallv, (IN_PARTS, MPI_Datatype in_type, OUT_PARTS, MPI_Datatype out_type),
      .kind = PROGRAM_ALLTOALLV, FROM_PARTS, TO_PARTS)
FORMS(Alltoallw, Ialltoallw, (IN_PARTS, const MPI_Datatype in_types[], OUT_PARTS, const MPI_Datatype out_types[]),
      .kind = PROGRAM_ALLTOALLW, FROM_TYPES, TO_TYPES)
FORMS(Reduce, Ireduce, (REDUCES, int root), .kind = PROGRAM_REDUCE, .root = root, REDUCED)
FORMS(Allreduce, Iallreduce, (REDUCES), .kind = PROGRAM_ALLREDUCE, REDUCED)
FORMS(Scan, Iscan, (REDUCES), .kind = PROGRAM_SCAN, REDUCED)
FORMS(Exscan, Iexscan, (REDUCES), .kind = PROGRAM_EXSCAN, REDUCED)

static int sum_of(const int *counts, const struct communicator *c) {
  int sum = 0;
  for (uint32_t k = 0; k < local_size(c); k++)
    sum += counts[k];
  return sum;
}
FORMS(Reduce_scatter, Ireduce_scatter,
      (const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op reduction),
      .kind = PROGRAM_REDUCE_SCATTER, .in = {.base = (void *)in, .count = sum_of(counts, c), .type = type},
      .out = {.base = out, .counts = counts, .type = type}, .op = reduction)
FORMS(Reduce_scatter_block, Ireduce_scatter_block, (REDUCES), .kind = PROGRAM_REDUCE_SCATTER_BLOCK,
      .in = {.base = (void *)in, .count = count * (int)local_size(c), .type = type},
      .out = {.base = out, .count = count, .type = type}, .op = reduction)
