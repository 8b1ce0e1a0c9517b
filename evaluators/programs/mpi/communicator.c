/* Communicators: who is in them, how new ones are agreed on, and how they treat errors. What their ranks share is a
 * context; the handle and all else is the process's own. */
#include "evaluators/programs/mpi/rank.h"
#include <stdlib.h>
#include <unistd.h>

#define MADE 0x84000000u

/* ---- contexts ---- */

/* It lasts until all of its ranks have freed it, whenever they come to it. */
struct context *context_new(uint32_t size, uint32_t other_size) {
  struct context *context = shared_get(sizeof *context + (size + other_size) * sizeof(uint32_t));
  uint32_t *members = (uint32_t *)(context + 1);
  *context = (struct context){
      .references = size + other_size, .sizes = {size, other_size}, .members = {members, members + size}};
  context->id = area->contexts++;
  return context;
}

static void context_drop(struct context *context) {
  if (--context->references == 0) shared_give(context);
}

/* ---- handles ---- */

MPI_Comm communicator_new(struct context *context, uint32_t side, uint32_t rank, const struct communicator *like) {
  struct communicator *c = calloc(1, sizeof *c);
  uint32_t place = 0;
  while (place < self->communicator_count && self->communicators[place])
    place++;
  if (place == self->communicator_count) {
    self->communicator_count = self->communicator_count ? 2 * self->communicator_count : 16;
    self->communicators = realloc(self->communicators, self->communicator_count * sizeof *self->communicators);
    memset(self->communicators + place, 0, (self->communicator_count - place) * sizeof *self->communicators);
  }
  self->communicators[place] = c;
  *c = (struct communicator){.handle = (MPI_Comm)(MADE | place),
                             .references = 1,
                             .context = context,
                             .side = side,
                             .rank = rank,
                             .inter = context->sizes[1] > 0,
                             .errors = like ? errhandler_keep(like->errors) : MPI_ERRORS_ARE_FATAL};
  return c->handle;
}

static struct communicator *find(MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD) return self->world;
  if (handle == MPI_COMM_SELF) return self->alone;
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  return ((uint32_t)handle & 0xfc000000u) == MADE && place < self->communicator_count ? self->communicators[place]
                                                                                      : NULL;
}

struct communicator *communicator_given(MPI_Comm handle) {
  struct communicator *c = find(handle);
  if (!c && handle == MPI_COMM_NULL)
    fail(MPI_COMM_WORLD, MPI_ERR_COMM, "%s is given MPI_COMM_NULL", call_name());
  else if (!c)
    fail(MPI_COMM_WORLD, MPI_ERR_COMM, "%s is given %#x, which is no communicator", call_name(), (unsigned)handle);
  return c;
}

struct communicator *communicator_of(MPI_Comm handle) {
  struct communicator *c = communicator_given(handle);
  if (c) return c;
  end_program("%s is given %#x, which is no communicator", call_name(), (unsigned)handle);
}

static void members_fill(struct context *context, uint32_t side, const uint32_t *members) {
  memcpy(context->members[side], members, context->sizes[side] * sizeof *members);
}

void communicators_open(void) {
  if (!area->world) {
    area->world = context_new(area->ranks, 0);
    for (uint32_t k = 0; k < area->ranks; k++)
      area->world->members[0][k] = k;
  }
  struct context *own = context_new(1, 0);
  members_fill(own, 0, &self->number);
  self->world = find(communicator_new(area->world, 0, self->number, NULL));
  self->alone = find(communicator_new(own, 0, 0, NULL));
  self->world->handle = MPI_COMM_WORLD;
  self->alone->handle = MPI_COMM_SELF;
  strcpy(self->world->name, "MPI_COMM_WORLD");
  strcpy(self->alone->name, "MPI_COMM_SELF");
  self->world->announced = true;
  self->file_errors = MPI_ERRORS_RETURN;
}

/* psl is told of a communicator before it is used for the first time. */
uint32_t communicator_number(struct communicator *c) {
  if (c->announced) return c->context->id;
  c->announced = true;
  uint32_t count = c->context->sizes[0] + c->context->sizes[1];
  struct program_operation *made = operation_add(PROGRAM_COMM_MAKE);
  made->communicator = c->context->id;
  int32_t *members = operation_list(count * sizeof *members);
  for (uint32_t side = 0, k = 0; side < 2; side++)
    for (uint32_t m = 0; m < c->context->sizes[side]; m++)
      members[k++] = (int32_t)c->context->members[side][m];
  made->members = members;
  made->member_count = count;
  return c->context->id;
}

struct communicator *communicator_beside(struct communicator *c) {
  if (c->beside) return c->beside;
  if (!c->context->beside) c->context->beside = area->contexts++;
  c->beside = malloc(sizeof *c->beside + sizeof *c->context);
  struct context *context = (struct context *)(c->beside + 1);
  *c->beside = *c, *context = *c->context;
  c->beside->announced = false;
  c->beside->owner = c;
  c->beside->context = context;
  context->id = context->beside;
  return c->beside;
}

int peer_rank(const struct communicator *c, uint32_t member) {
  for (uint32_t k = 0; k < peer_count(c); k++)
    if (peer_world(c, (int)k) == member) return (int)k;
  return MPI_UNDEFINED;
}

API(Comm_rank) int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *rank = (int)c->rank;
  return MPI_SUCCESS;
}

API(Comm_size) int MPI_Comm_size(MPI_Comm comm, int *size) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *size = (int)local_size(c);
  return MPI_SUCCESS;
}

API(Comm_remote_size) int MPI_Comm_remote_size(MPI_Comm comm, int *size) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *size = (int)peer_count(c);
  return MPI_SUCCESS;
}

API(Comm_test_inter) int MPI_Comm_test_inter(MPI_Comm comm, int *flag) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *flag = c->inter;
  return MPI_SUCCESS;
}

API(Comm_set_name) int MPI_Comm_set_name(MPI_Comm comm, const char *name) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  strncpy(c->name, name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}

API(Comm_get_name) int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  strcpy(name, c->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

/* ---- new communicators ---- */

struct wish { /* what a rank says when new ones are made */
  int color, key;
};

static uint32_t side_base(const struct communicator *c, uint32_t side) { return side ? c->context->sizes[0] : 0; }

/* Those of a side that want the color, by key and then by their rank there; to be freed. */
static uint32_t *choose(const struct communicator *c, const struct collective *shared, uint32_t side, int color,
                        uint32_t *count) {
  uint32_t size = c->context->sizes[side], base = side_base(c, side);
  uint32_t *ranks = malloc((size + 1) * sizeof *ranks);
  *count = 0;
  for (uint32_t k = 0; k < size; k++) {
    const struct wish *wish = shared->parts[base + k].data;
    if (wish->color != color) continue;
    uint32_t place = (*count)++;
    for (; place > 0; place--) {
      const struct wish *before = shared->parts[base + ranks[place - 1]].data;
      if (before->key <= wish->key) break;
      ranks[place] = ranks[place - 1];
    }
    ranks[place] = k;
  }
  return ranks;
}

/* Those that want the same are a new communicator; of an intercommunicator both sides are, if some of each want it. */
MPI_Comm communicator_split(struct communicator *c, int color, int key) {
  struct wish wish = {color, key};
  struct collective *shared = agree_begin(c, &wish, sizeof wish);
  uint32_t counts[2] = {0, 0}, *ranks[2] = {NULL, NULL}, sides = c->inter ? 2 : 1, rank = 0;
  for (uint32_t side = 0; side < sides; side++)
    ranks[side] = choose(c, shared, side, color, &counts[side]);
  MPI_Comm made = MPI_COMM_NULL;
  if (color != MPI_UNDEFINED && counts[0] && (counts[1] || !c->inter)) {
    void **place = &shared->parts[ranks[0][0]].made;
    struct context *context = *place ? *place : (*place = context_new(counts[0], counts[1]));
    for (uint32_t side = 0; side < sides; side++)
      for (uint32_t k = 0; k < counts[side]; k++)
        context->members[side][k] = c->context->members[side][ranks[side][k]];
    while (ranks[c->side][rank] != c->rank)
      rank++;
    made = communicator_new(context, c->side, rank, c);
  }
  free(ranks[0]);
  free(ranks[1]);
  collective_leave(c, shared);
  return made;
}

API(Comm_split) int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, comm);
  if (color < 0 && color != MPI_UNDEFINED)
    return fail(comm, MPI_ERR_ARG, "%s: the color %d is negative", call_name(), color);
  *new = communicator_split(c, color, key);
  return MPI_SUCCESS;
}

static bool info_has(MPI_Info info, const char *key, char value[MPI_MAX_INFO_VAL + 1]) {
  int found = 0;
  if (info != MPI_INFO_NULL) MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
  return found;
}

/* All ranks are taken to share their memory and their files: the program sees one machine, and no parts of it. */
static bool is_together(int type, MPI_Info info) {
  char value[MPI_MAX_INFO_VAL + 1];
  switch (type) {
  case MPI_COMM_TYPE_SHARED: return true;
  case MPI_COMM_TYPE_HW_GUIDED:
    return info_has(info, "mpi_hw_resource_type", value) && strcmp(value, "mpi_shared_memory") == 0;
  case MPIX_COMM_TYPE_NEIGHBORHOOD: return info_has(info, "nbhd_common_dirname", value) && access(value, F_OK) == 0;
  default: return false;
  }
}

API(Comm_split_type) int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, comm);
  *new = communicator_split(c, is_together(type, info) ? 0 : MPI_UNDEFINED, key);
  return MPI_SUCCESS;
}

MPI_Comm communicator_copied(struct communicator *c, struct collective *shared) {
  void **place = &shared->parts[0].made;
  if (!*place) {
    struct context *context = context_new(c->context->sizes[0], c->context->sizes[1]);
    members_fill(context, 0, c->context->members[0]);
    members_fill(context, 1, c->context->members[1]);
    *place = context;
  }
  return communicator_new(*place, c->side, c->rank, c);
}

MPI_Comm communicator_copy(struct communicator *c) {
  struct collective *shared = agree_begin(c, NULL, 0);
  MPI_Comm made = communicator_copied(c, shared);
  collective_leave(c, shared);
  return made;
}

API(Comm_create) int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, comm);
  GROUP_GIVEN(group);
  int place = group_rank(group, self->number);
  int color = place < 0 ? MPI_UNDEFINED : c->inter ? 0 : (int)group_at(group, 0);
  *new = communicator_split(c, color, place < 0 ? 0 : place);
  return MPI_SUCCESS;
}

struct forming { /* a communicator whose ranks come one by one, by no operation of all of the old one; shared */
  struct forming *next;
  struct context *context;
  int tag;
  uint32_t come;
  bool there[];
};

/* The context of these ranks, made by the first of them that comes. */
static struct context *formed(struct communicator *c, const uint32_t *members, uint32_t count, int tag,
                              uint32_t place) {
  struct forming **at_place = &c->context->forming, *f;
  for (; (f = *at_place); at_place = &f->next)
    if (f->tag == tag && f->context->sizes[0] == count && !f->there[place] &&
        memcmp(f->context->members[0], members, count * sizeof *members) == 0)
      break;
  if (!f) {
    *at_place = f = shared_get(sizeof *f + count);
    *f = (struct forming){.context = context_new(count, 0), .tag = tag};
    memset(f->there, 0, count);
    members_fill(f->context, 0, members);
  }
  f->there[place] = true;
  struct context *context = f->context;
  if (++f->come < count) return context;
  *at_place = f->next;
  shared_give(f);
  return context;
}

/* Ranks of the group alone take part. */
API(Comm_create_group) int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, comm);
  GROUP_GIVEN(group);
  int place = group_rank(group, self->number);
  *new = MPI_COMM_NULL;
  if (place < 0) return MPI_SUCCESS;
  uint32_t count = group_size(group), *members = malloc(count * sizeof *members);
  for (uint32_t k = 0; k < count; k++)
    members[k] = group_at(group, k);
  struct context *context = formed(c, members, count, tag, (uint32_t)place);
  free(members);
  *new = communicator_new(context, 0, (uint32_t)place, c);
  return MPI_Barrier(*new);
}

void communicator_end(struct communicator *c) {
  errhandler_drop(c->errors);
  topology_free(c->topology);
  context_drop(c->context);
  free(c->beside);
  free(c);
}

/* Operations under way go on with it. */
API(Comm_free) int MPI_Comm_free(MPI_Comm *comm) {
  LOCAL_CALL;
  COMMUNICATOR(c, *comm);
  uint32_t place = (uint32_t)c->handle & 0x3ffffff;
  if (c == self->world || c == self->alone)
    return fail(*comm, MPI_ERR_COMM, "%s is given %s, which cannot be freed", call_name(),
                c == self->world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
  int wrong = attributes_free(c->handle, c->handle, &c->attributes);
  if (wrong) return wrong;
  *comm = MPI_COMM_NULL;
  self->communicators[place] = NULL;
  c->handle = MPI_COMM_NULL;
  communicator_drop(c);
  return MPI_SUCCESS;
}

API(Comm_disconnect) int MPI_Comm_disconnect(MPI_Comm *comm) {
  LOCAL_CALL;
  return MPI_Comm_free(comm);
}

API(Comm_compare) int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int *result) {
  LOCAL_CALL;
  COMMUNICATOR(a, one);
  COMMUNICATOR(b, other);
  *result = MPI_UNEQUAL;
  if (a->context == b->context) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  if (a->inter != b->inter || local_size(a) != local_size(b) || peer_count(a) != peer_count(b)) return MPI_SUCCESS;
  bool same = true, alike = true;
  for (uint32_t side = 0; side < (a->inter ? 2 : 1); side++)
    for (uint32_t k = 0; k < a->context->sizes[a->side ^ side]; k++) {
      uint32_t member = a->context->members[a->side ^ side][k], other_side = b->side ^ side;
      same &= member == b->context->members[other_side][k];
      bool found = false;
      for (uint32_t m = 0; m < b->context->sizes[other_side]; m++)
        found |= member == b->context->members[other_side][m];
      alike &= found;
    }
  *result = same ? MPI_CONGRUENT : alike ? MPI_SIMILAR : MPI_UNEQUAL;
  return MPI_SUCCESS;
}

/* A copy without what it should have is none. */
static int copy_fill(const struct communicator *c, MPI_Comm *new) {
  struct communicator *made = communicator_of(*new);
  if (c->topology) made->topology = topology_copy(c->topology);
  int wrong = attributes_copy(c->handle, c->handle, c->attributes, &made->attributes);
  if (wrong) MPI_Comm_free(new);
  return wrong;
}

API(Comm_dup) int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, comm);
  *new = communicator_copy(c);
  return copy_fill(c, new);
}

API(Comm_dup_with_info) int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *new) {
  CALL;
  (void)info;
  return MPI_Comm_dup(comm, new);
}

/* The new communicator is there at once, and the request is done when all ranks have come. */
API(Comm_idup) int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *new, MPI_Request *request) {
  CALL;
  COMMUNICATOR(c, comm);
  *new = communicator_copied(c, agree_start(c, request));
  return copy_fill(c, new);
}

API(Comm_idup_with_info)
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *new, MPI_Request *request) {
  CALL;
  (void)info;
  return MPI_Comm_idup(comm, new, request);
}

/* No hint has an effect, so a communicator has none. */
API(Comm_set_info) int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  (void)info;
  return MPI_SUCCESS;
}

API(Comm_get_info) int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  return MPI_Info_create(info);
}

/* ---- intercommunicators ---- */

/* The leaders tell each other of their sides by messages of the program's kind, and each side its ranks. */
API(Intercomm_create)
int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, local);
  uint32_t own = local_size(c), other = 0;
  struct context *context = NULL, *theirs = NULL;
  if ((int)c->rank == leader) {
    struct communicator *p = communicator_of(peer);
    struct context *half = context_new(own, 0); /* this side, for the other one to see */
    members_fill(half, 0, c->context->members[c->side]);
    half->references = 1;
    leaders_exchange(p, remote, tag, &half, &theirs, sizeof theirs);
    other = theirs->sizes[0];
    bool first = self->number < peer_world(p, remote);
    if (first) {
      context = context_new(own, other);
      members_fill(context, 0, c->context->members[c->side]);
      members_fill(context, 1, theirs->members[0]);
    }
    struct context *made = NULL;
    leaders_exchange(p, remote, tag, &context, &made, sizeof made);
    if (!first) context = made;
    context_drop(half);
  }
  struct collective *shared = agree_begin(c, &context, sizeof context);
  memcpy(&context, shared->parts[leader].data, sizeof context);
  collective_leave(c, shared);
  uint32_t side = 1;
  for (uint32_t k = 0; k < context->sizes[0]; k++)
    if (context->members[0][k] == self->number) side = 0;
  *new = communicator_new(context, side, c->rank, c);
  return MPI_SUCCESS;
}

API(Intercomm_merge) int MPI_Intercomm_merge(MPI_Comm inter, int high, MPI_Comm *new) {
  CALL;
  COMMUNICATOR(c, inter);
  struct collective *shared = agree_begin(c, &high, sizeof high);
  int highs[2];
  memcpy(&highs[0], shared->parts[0].data, sizeof(int));
  memcpy(&highs[1], shared->parts[c->context->sizes[0]].data, sizeof(int));
  uint32_t first = highs[0] && !highs[1] ? 1 : 0, low = c->context->sizes[first];
  void **place = &shared->parts[0].made;
  if (!*place) {
    struct context *context = context_new(c->context->sizes[0] + c->context->sizes[1], 0);
    memcpy(context->members[0], c->context->members[first], low * sizeof(uint32_t));
    memcpy(context->members[0] + low, c->context->members[!first], c->context->sizes[!first] * sizeof(uint32_t));
    *place = context;
  }
  *new = communicator_new(*place, 0, c->side == first ? c->rank : low + c->rank, c);
  collective_leave(c, shared);
  return MPI_SUCCESS;
}

/* ---- errors ---- */

bool errors_return(MPI_Comm comm, int class) { return errors_handle(find(comm), class); }
