/* Groups: ordered sets of ranks, known to the process alone. */
#include "evaluators/programs/mpi/rank.h"
#include <stdlib.h>

#define GROUP 0x88000000u

struct group {
  uint32_t size;
  uint32_t members[]; /* ranks of the world */
};

static struct group nobody;

static MPI_Group enter(struct group *group) {
  if (!group->size) {
    free(group);
    return MPI_GROUP_EMPTY;
  }
  uint32_t place = 0;
  while (place < self->group_count && self->groups[place])
    place++;
  if (place == self->group_count) {
    self->group_count = self->group_count ? 2 * self->group_count : 16;
    self->groups = realloc(self->groups, self->group_count * sizeof *self->groups);
    memset(self->groups + place, 0, (self->group_count - place) * sizeof *self->groups);
  }
  self->groups[place] = group;
  return (MPI_Group)(GROUP | place);
}

static struct group *group_new(uint32_t size) {
  struct group *group = malloc(sizeof *group + size * sizeof *group->members);
  group->size = 0;
  return group;
}

static const struct group *group_of(MPI_Group handle) {
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  if (handle == MPI_GROUP_EMPTY) return &nobody;
  if (((uint32_t)handle & 0xfc000000u) == GROUP && place < self->group_count && self->groups[place])
    return self->groups[place];
  end_program("%s is given %#x, which is no group", call_name(), (unsigned)handle);
}

uint32_t group_size(MPI_Group group) { return group_of(group)->size; }
uint32_t group_at(MPI_Group group, uint32_t rank) { return group_of(group)->members[rank]; }

static int place_in(const struct group *group, uint32_t member) {
  for (uint32_t k = 0; k < group->size; k++)
    if (group->members[k] == member) return (int)k;
  return MPI_UNDEFINED;
}
int group_rank(MPI_Group group, uint32_t member) { return place_in(group_of(group), member); }

MPI_Group group_make(const uint32_t *members, uint32_t size) {
  struct group *group = group_new(size);
  for (; group->size < size; group->size++)
    group->members[group->size] = members[group->size];
  return enter(group);
}

API(Comm_group) int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
  COMMUNICATOR(c, comm);
  *group = group_make(c->context->members[c->side], local_size(c));
  return MPI_SUCCESS;
}

API(Comm_remote_group) int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group) {
  COMMUNICATOR(c, comm);
  *group = group_make(c->context->members[!c->side], peer_count(c));
  return MPI_SUCCESS;
}

API(Group_size) int MPI_Group_size(MPI_Group group, int *size) {
  *size = (int)group_of(group)->size;
  return MPI_SUCCESS;
}

API(Group_rank) int MPI_Group_rank(MPI_Group group, int *rank) {
  *rank = group_rank(group, self->number);
  return MPI_SUCCESS;
}

API(Group_free) int MPI_Group_free(MPI_Group *group) {
  if (*group != MPI_GROUP_EMPTY && group_of(*group)) {
    free(self->groups[*group & 0x3ffffff]);
    self->groups[*group & 0x3ffffff] = NULL;
  }
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

API(Group_translate_ranks)
int MPI_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to, int found[]) {
  COUNTS(MPI_ERR_ARG, count);
  const struct group *a = group_of(from), *b = group_of(to);
  for (int k = 0; k < count; k++)
    found[k] = ranks[k] == MPI_PROC_NULL ? MPI_PROC_NULL : place_in(b, a->members[ranks[k]]);
  return MPI_SUCCESS;
}

API(Group_compare) int MPI_Group_compare(MPI_Group one, MPI_Group other, int *result) {
  const struct group *a = group_of(one), *b = group_of(other);
  *result = a->size == b->size ? MPI_IDENT : MPI_UNEQUAL;
  for (uint32_t k = 0; k < a->size && *result != MPI_UNEQUAL; k++)
    if (a->members[k] != b->members[k]) *result = place_in(b, a->members[k]) < 0 ? MPI_UNEQUAL : MPI_SIMILAR;
  return MPI_SUCCESS;
}

/* Those of the first that are (or are not) in the second. */
static struct group *chosen(const struct group *a, const struct group *b, bool in, uint32_t room) {
  struct group *made = group_new(room);
  for (uint32_t k = 0; k < a->size; k++)
    if ((place_in(b, a->members[k]) >= 0) == in) made->members[made->size++] = a->members[k];
  return made;
}

API(Group_union) int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group *new) {
  const struct group *a = group_of(one), *b = group_of(other);
  struct group *made = group_new(a->size + b->size), *rest = chosen(b, a, false, b->size);
  memcpy(made->members, a->members, a->size * sizeof *a->members);
  memcpy(made->members + a->size, rest->members, rest->size * sizeof *a->members);
  made->size = a->size + rest->size;
  free(rest);
  *new = enter(made);
  return MPI_SUCCESS;
}

API(Group_intersection) int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group *new) {
  *new = enter(chosen(group_of(one), group_of(other), true, group_of(one)->size));
  return MPI_SUCCESS;
}

API(Group_difference) int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group *new) {
  *new = enter(chosen(group_of(one), group_of(other), false, group_of(one)->size));
  return MPI_SUCCESS;
}

API(Group_incl) int MPI_Group_incl(MPI_Group from, int count, const int ranks[], MPI_Group *new) {
  COUNTS(MPI_ERR_ARG, count);
  const struct group *a = group_of(from);
  struct group *made = group_new((uint32_t)count);
  for (int k = 0; k < count; k++) {
    if (ranks[k] < 0 || (uint32_t)ranks[k] >= a->size)
      end_program("%s: the group of %u has no rank %d", call_name(), a->size, ranks[k]);
    made->members[made->size++] = a->members[ranks[k]];
  }
  *new = enter(made);
  return MPI_SUCCESS;
}

API(Group_excl) int MPI_Group_excl(MPI_Group from, int count, const int ranks[], MPI_Group *new) {
  COUNTS(MPI_ERR_ARG, count);
  const struct group *a = group_of(from);
  struct group *made = group_new(a->size);
  for (uint32_t k = 0; k < a->size; k++) {
    bool out = false;
    for (int n = 0; n < count; n++)
      out |= ranks[n] == (int)k;
    if (!out) made->members[made->size++] = a->members[k];
  }
  *new = enter(made);
  return MPI_SUCCESS;
}

/* The ranks of ranges (first, last, stride), one after another. */
static int *ranges_ranks(int count, int ranges[][3], int *ranks_count) {
  int all = 0, used = 0;
  for (int k = 0; k < count; k++)
    all += ranges[k][2] ? (ranges[k][1] - ranges[k][0]) / ranges[k][2] + 1 : 0;
  int *ranks = malloc((size_t)(all > 0 ? all : 1) * sizeof *ranks);
  for (int k = 0; k < count; k++)
    for (int r = ranges[k][0]; ranges[k][2] > 0 ? r <= ranges[k][1] : ranges[k][2] < 0 && r >= ranges[k][1];
         r += ranges[k][2])
      ranks[used++] = r;
  *ranks_count = used;
  return ranks;
}

API(Group_range_incl) int MPI_Group_range_incl(MPI_Group from, int count, int ranges[][3], MPI_Group *new) {
  COUNTS(MPI_ERR_ARG, count);
  int all, *ranks = ranges_ranks(count, ranges, &all);
  MPI_Group_incl(from, all, ranks, new);
  free(ranks);
  return MPI_SUCCESS;
}

API(Group_range_excl) int MPI_Group_range_excl(MPI_Group from, int count, int ranges[][3], MPI_Group *new) {
  COUNTS(MPI_ERR_ARG, count);
  int all, *ranks = ranges_ranks(count, ranges, &all);
  MPI_Group_excl(from, all, ranks, new);
  free(ranks);
  return MPI_SUCCESS;
}
