/* Communicators by their handles: the number by which all of their ranks know them, and their members. The first rank
 * of a new one gives it its number, in a call of MPI's that follows the one that has made it. */
#include "evaluators/programs/record/recorder.h"

enum { LISTS = 1 << 10 };
/* Numbers of communicators that are made count from 1; a simulation has a million. */
enum { BY_MEMBERS = 1 << 19, BESIDE_WORLD = BY_MEMBERS - 1 };

struct item {
  struct item *next;
  struct communicator communicator;
};
static struct item *lists[LISTS];
static struct communicator *last;

static size_t list_of(MPI_Comm handle) { return (uintptr_t)handle * 0x9e3779b97f4a7c15u >> 54; }

/* ---- members ---- */

static int32_t *world_ranks(MPI_Group group, uint32_t count) {
  static MPI_Group world = MPI_GROUP_NULL;
  if (world == MPI_GROUP_NULL) PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int32_t *found = malloc((count + 1) * sizeof *found);
  int *own = malloc((count + 1) * sizeof *own);
  for (uint32_t k = 0; k < count; k++)
    own[k] = (int)k;
  PMPI_Group_translate_ranks(group, (int)count, own, world, found);
  free(own);
  PMPI_Group_free(&group);
  return found;
}

static int32_t *members_of(MPI_Comm handle, uint32_t *count, bool remote) {
  MPI_Group group;
  int size;
  if (remote)
    PMPI_Comm_remote_group(handle, &group);
  else
    PMPI_Comm_group(handle, &group);
  PMPI_Group_size(group, &size);
  *count = (uint32_t)size;
  return world_ranks(group, *count);
}

/* Of an intercommunicator the side of the lowest rank comes first. */
static int32_t *joined(const int32_t *a, uint32_t a_count, const int32_t *b, uint32_t b_count) {
  int32_t *all = malloc((a_count + b_count) * sizeof *all), least[2] = {INT32_MAX, INT32_MAX};
  for (uint32_t k = 0; k < a_count; k++)
    least[0] = a[k] < least[0] ? a[k] : least[0];
  for (uint32_t k = 0; k < b_count; k++)
    least[1] = b[k] < least[1] ? b[k] : least[1];
  bool first = least[0] < least[1];
  memcpy(all, first ? a : b, (first ? a_count : b_count) * sizeof *all);
  memcpy(all + (first ? a_count : b_count), first ? b : a, (first ? b_count : a_count) * sizeof *all);
  return all;
}

/* ---- the table ---- */

/* Where nobody has agreed on a number: the same on all of its ranks, and on others of the same ranks. */
static uint32_t number_by_members(const struct communicator *c) {
  uint32_t hash = 2166136261u;
  for (uint32_t k = 0; k < c->size; k++)
    hash = (hash ^ (uint32_t)c->members[k]) * 16777619u;
  return BY_MEMBERS + hash % BY_MEMBERS;
}

static struct communicator *add(MPI_Comm handle) {
  struct item *item = calloc(1, sizeof *item);
  struct communicator *c = &item->communicator;
  int inter;
  uint32_t own;
  PMPI_Comm_test_inter(handle, &inter);
  PMPI_Comm_rank(handle, &c->rank);
  c->handle = handle;
  c->inter = inter;
  c->peer_of = members_of(handle, &c->peers, inter);
  c->members = c->peer_of;
  c->size = c->peers;
  if (inter) {
    int32_t *local = members_of(handle, &own, false);
    c->members = joined(local, own, c->peer_of, c->peers);
    c->size += own;
    free(local);
  }
  c->number = handle == MPI_COMM_WORLD ? PROGRAM_WORLD : number_by_members(c);
  c->beside = BESIDE_WORLD; /* of others that are not made here nothing asks for it */
  c->announced = handle == MPI_COMM_WORLD;
  item->next = lists[list_of(handle)];
  lists[list_of(handle)] = item;
  return c;
}

struct communicator *communicator_of(MPI_Comm handle) {
  if (last && last->handle == handle) return last;
  struct item *item = lists[list_of(handle)];
  while (item && item->communicator.handle != handle)
    item = item->next;
  return last = item ? &item->communicator : add(handle);
}

static void drop(MPI_Comm handle) {
  struct item **at = &lists[list_of(handle)];
  last = NULL;
  while (*at && (*at)->communicator.handle != handle)
    at = &(*at)->next;
  struct item *item = *at;
  if (!item) return;
  *at = item->next;
  if (item->communicator.members != item->communicator.peer_of) free(item->communicator.members);
  free(item->communicator.peer_of);
  free(item);
}

static uint32_t announced(const struct communicator *c, uint32_t number, bool *already) {
  if (*already) return number;
  *already = true;
  struct program_operation o = operation_of(PROGRAM_COMM_MAKE);
  o.took = 0;
  o.communicator = number;
  o.members = c->members;
  o.member_count = c->size;
  operation_put(&o);
  return number;
}

uint32_t communicator_number(MPI_Comm handle) {
  struct communicator *c = communicator_of(handle);
  return announced(c, c->number, &c->announced);
}

uint32_t communicator_beside(MPI_Comm handle) {
  struct communicator *c = communicator_of(handle);
  return announced(c, c->beside, &c->beside_announced);
}

/* ---- new ones ---- */

void meeting_put(const struct communicator *c, double bytes) {
  struct program_operation o = operation_of(PROGRAM_ALLGATHER);
  o.communicator = c->number;
  o.bytes = bytes;
  if (c->size > 1) operation_put(&o);
}

static void put_agreement(MPI_Comm old, double bytes) {
  if (communicator_of(old)->size > 1) communicator_number(old);
  meeting_put(communicator_of(old), bytes);
}

static uint32_t number_agreed(MPI_Comm handle, bool inter, bool first) {
  static uint32_t count;
  uint32_t number = 1 + self + 2 * ranks * count++, theirs, own;
  if (!inter) {
    PMPI_Bcast(&number, 1, MPI_UINT32_T, 0, handle);
    return number;
  }
  if (!first) number = 0; /* each side gets what the other one has */
  PMPI_Allreduce(&number, &theirs, 1, MPI_UINT32_T, MPI_MAX, handle);
  PMPI_Allreduce(&theirs, &own, 1, MPI_UINT32_T, MPI_MAX, handle);
  return theirs > own ? theirs : own;
}

static void made(MPI_Comm new) {
  if (new == MPI_COMM_NULL) return;
  drop(new); /* the handle of one that is gone */
  struct communicator *c = communicator_of(new);
  c->number = number_agreed(new, c->inter, c->rank == 0);
  c->beside = c->number + ranks;
}

struct communicator *communicator_made(MPI_Comm handle) {
  const struct communicator *like = communicator_of(handle);
  struct communicator *c = malloc(sizeof *c);
  put_agreement(handle, 0);
  *c = *like;
  c->members = c->peer_of = malloc(c->size * sizeof *c->members);
  memcpy(c->members, like->members, c->size * sizeof *c->members);
  c->number = number_agreed(handle, false, false);
  c->announced = false;
  announced(c, c->number, &c->announced);
  return c;
}

void communicator_forget(struct communicator *c) {
  free(c->members);
  free(c);
}

#define MAKES(name, PARAMETERS, ARGUMENTS, old, bytes, new) \
  STANDS_BEFORE(name, PARAMETERS, ARGUMENTS, , put_agreement(old, bytes); made(new))

MAKES(Comm_dup, (MPI_Comm old, MPI_Comm *new), (old, new), old, 0, *new)
MAKES(Comm_dup_with_info, (MPI_Comm old, MPI_Info info, MPI_Comm *new), (old, info, new), old, 0, *new)
MAKES(Comm_split, (MPI_Comm old, int color, int key, MPI_Comm *new), (old, color, key, new), old, 8, *new)
MAKES(Comm_split_type, (MPI_Comm old, int type, int key, MPI_Info info, MPI_Comm *new), (old, type, key, info, new),
      old, 8, *new)
MAKES(Comm_create, (MPI_Comm old, MPI_Group group, MPI_Comm *new), (old, group, new), old, 8, *new)
MAKES(Cart_create, (MPI_Comm old, int dimensions, const int extents[], const int periods[], int reorder, MPI_Comm *new),
      (old, dimensions, extents, periods, reorder, new), old, 8, *new)
MAKES(Cart_sub, (MPI_Comm old, const int kept[], MPI_Comm *new), (old, kept, new), old, 8, *new)
MAKES(Graph_create, (MPI_Comm old, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *new),
      (old, nodes, index, edges, reorder, new), old, 8, *new)
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm old, int ins, const int sources[], const int in_weights[], int outs, const int destinations[],
       const int out_weights[], MPI_Info info, int reorder, MPI_Comm *new),
      (old, ins, sources, in_weights, outs, destinations, out_weights, info, reorder, new), old, 8, *new)
MAKES(Dist_graph_create,
      (MPI_Comm old, int count, const int sources[], const int degrees[], const int destinations[], const int weights[],
       MPI_Info info, int reorder, MPI_Comm *new),
      (old, count, sources, degrees, destinations, weights, info, reorder, new), old, 8, *new)
MAKES(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *new),
      (local, leader, peer, remote, tag, new), local, 8, *new)
MAKES(Intercomm_merge, (MPI_Comm inter, int high, MPI_Comm *new), (inter, high, new), inter, 4, *new)
/* Ranks of the group alone take part, who meet in the new one. */
STANDS_BEFORE(Comm_create_group, (MPI_Comm old, MPI_Group group, int tag, MPI_Comm *new), (old, group, tag, new), ,
              made(*new);
              if (*new != MPI_COMM_NULL) put_agreement(*new, 0))
STANDS_BEFORE(Comm_free, (MPI_Comm * comm), (comm), MPI_Comm gone = *comm, drop(gone))
STANDS_BEFORE(Comm_disconnect, (MPI_Comm * comm), (comm), MPI_Comm gone = *comm, drop(gone))
