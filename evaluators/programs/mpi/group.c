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

/* Of one that is checked. */
static const struct group *group_of(MPI_Group handle) {
  return handle == MPI_GROUP_EMPTY ? &nobody : self->groups[handle & 0x3ffffff];
}

int group_check(MPI_Group handle) {
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  bool made = ((uint32_t)handle & 0xfc000000u) == GROUP && place < self->group_count && self->groups[place];
  if (made || handle == MPI_GROUP_EMPTY) return MPI_SUCCESS;
  if (handle == MPI_GROUP_NULL) return fail(MPI_COMM_WORLD, MPI_ERR_GROUP, "%s is given MPI_GROUP_NULL", call_name());
  return fail(MPI_COMM_WORLD, MPI_ERR_GROUP, "%s is given %#x, which is no group", call_name(), (unsigned)handle);
}

/* The group has a rank of that number. */
static int rank_check(const struct group *a, int rank) {
  if (rank >= 0 && (uint32_t)rank < a->size) return MPI_SUCCESS;
  return fail(MPI_COMM_WORLD, MPI_ERR_RANK, "%s: the group of %u has no rank %d", call_name(), a->size, rank);
}

/* They are ranks of the group, each of them once. */
static int ranks_check(const struct group *a, int count, const int *ranks) {
  bool *named = calloc(a->size + 1, sizeof *named);
  int wrong = MPI_SUCCESS;
  for (int k = 0; k < count && !wrong; k++) {
    wrong = rank_check(a, ranks[k]);
    if (!wrong && named[ranks[k]])
      wrong = fail(MPI_COMM_WORLD, MPI_ERR_RANK, "%s names rank %d twice", call_name(), ranks[k]);
    if (!wrong) named[ranks[k]] = true;
  }
  free(named);
  return wrong;
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
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *group = group_make(c->context->members[c->side], local_size(c));
  return MPI_SUCCESS;
}

API(Comm_remote_group) int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group) {
  LOCAL_CALL;
  COMMUNICATOR(c, comm);
  *group = group_make(c->context->members[!c->side], peer_count(c));
  return MPI_SUCCESS;
}

API(Group_size) int MPI_Group_size(MPI_Group group, int *size) {
  LOCAL_CALL;
  GROUP_GIVEN(group);
  *size = (int)group_of(group)->size;
  return MPI_SUCCESS;
}

API(Group_rank) int MPI_Group_rank(MPI_Group group, int *rank) {
  LOCAL_CALL;
  GROUP_GIVEN(group);
  *rank = group_rank(group, self->number);
  return MPI_SUCCESS;
}

API(Group_free) int MPI_Group_free(MPI_Group *group) {
  LOCAL_CALL;
  GROUP_GIVEN(*group);
  if (*group != MPI_GROUP_EMPTY) {
    free(self->groups[*group & 0x3ffffff]);
    self->groups[*group & 0x3ffffff] = NULL;
  }
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

API(Group_translate_ranks)
int MPI_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to, int found[]) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, count);
  GROUP_GIVEN(from);
  GROUP_GIVEN(to);
  const struct group *a = group_of(from), *b = group_of(to);
  for (int k = 0; k < count; k++) {
    if (ranks[k] != MPI_PROC_NULL && rank_check(a, ranks[k])) return MPI_ERR_RANK;
    found[k] = ranks[k] == MPI_PROC_NULL ? MPI_PROC_NULL : place_in(b, a->members[ranks[k]]);
  }
  return MPI_SUCCESS;
}

API(Group_compare) int MPI_Group_compare(MPI_Group one, MPI_Group other, int *result) {
  LOCAL_CALL;
  GROUP_GIVEN(one);
  GROUP_GIVEN(other);
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
  LOCAL_CALL;
  GROUP_GIVEN(one);
  GROUP_GIVEN(other);
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
  LOCAL_CALL;
  GROUP_GIVEN(one);
  GROUP_GIVEN(other);
  *new = enter(chosen(group_of(one), group_of(other), true, group_of(one)->size));
  return MPI_SUCCESS;
}

API(Group_difference) int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group *new) {
  LOCAL_CALL;
  GROUP_GIVEN(one);
  GROUP_GIVEN(other);
  *new = enter(chosen(group_of(one), group_of(other), false, group_of(one)->size));
  return MPI_SUCCESS;
}

/* These in this order. */
static int include(const struct group *a, int count, const int *ranks, MPI_Group *new) {
  if (ranks_check(a, count, ranks)) return MPI_ERR_RANK;
  struct group *made = group_new((uint32_t)count);
  for (int k = 0; k < count; k++)
    made->members[made->size++] = a->members[ranks[k]];
  *new = enter(made);
  return MPI_SUCCESS;
}

/* The others. */
static int exclude(const struct group *a, int count, const int *ranks, MPI_Group *new) {
  if (ranks_check(a, count, ranks)) return MPI_ERR_RANK;
  bool *out = calloc(a->size + 1, sizeof *out);
  for (int k = 0; k < count; k++)
    out[ranks[k]] = true;
  struct group *made = group_new(a->size);
  for (uint32_t k = 0; k < a->size; k++)
    if (!out[k]) made->members[made->size++] = a->members[k];
  free(out);
  *new = enter(made);
  return MPI_SUCCESS;
}

API(Group_incl) int MPI_Group_incl(MPI_Group from, int count, const int ranks[], MPI_Group *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, count);
  GROUP_GIVEN(from);
  return include(group_of(from), count, ranks, new);
}

API(Group_excl) int MPI_Group_excl(MPI_Group from, int count, const int ranks[], MPI_Group *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, count);
  GROUP_GIVEN(from);
  return exclude(group_of(from), count, ranks, new);
}

/* They go from ranks to ranks of the group, by steps that lead there. */
static int ranges_check(const struct group *a, int count, int ranges[][3]) {
  for (int k = 0; k < count; k++) {
    int first = ranges[k][0], last = ranges[k][1], stride = ranges[k][2];
    if (!stride || (stride > 0 ? first > last : first < last))
      return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: no steps of %d lead from rank %d to %d", call_name(), stride, first,
                  last);
    int64_t end = first + ((int64_t)last - first) / stride * stride; /* which the steps reach */
    if (first < 0 || end < 0 || (uint32_t)first >= a->size || end >= a->size)
      return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: the ranks %d to %d are not all in the group of %u", call_name(),
                  first, (int)end, a->size);
  }
  return MPI_SUCCESS;
}

/* The ranks of ranges (first, last, stride), one after another, each of them once: to be freed, or NULL. */
static int *ranges_ranks(const struct group *a, int count, int ranges[][3], int *ranks_count) {
  if (ranges_check(a, count, ranges)) return NULL;
  int *ranks = malloc((a->size + 1) * sizeof *ranks), used = 0;
  bool *named = calloc(a->size + 1, sizeof *named), twice = false;
  for (int k = 0; k < count && !twice; k++)
    for (int64_t r = ranges[k][0]; !twice && (ranges[k][2] > 0 ? r <= ranges[k][1] : r >= ranges[k][1]);
         r += ranges[k][2]) {
      twice = named[r];
      if (twice) fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s names rank %d twice", call_name(), (int)r);
      if (!twice) named[r] = true, ranks[used++] = (int)r;
    }
  free(named);
  *ranks_count = used;
  if (!twice) return ranks;
  free(ranks);
  return NULL;
}

API(Group_range_incl) int MPI_Group_range_incl(MPI_Group from, int count, int ranges[][3], MPI_Group *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, count);
  GROUP_GIVEN(from);
  int all, *ranks = ranges_ranks(group_of(from), count, ranges, &all);
  if (!ranks) return MPI_ERR_ARG;
  int wrong = include(group_of(from), all, ranks, new);
  free(ranks);
  return wrong;
}

API(Group_range_excl) int MPI_Group_range_excl(MPI_Group from, int count, int ranges[][3], MPI_Group *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, count);
  GROUP_GIVEN(from);
  int all, *ranks = ranges_ranks(group_of(from), count, ranges, &all);
  if (!ranks) return MPI_ERR_ARG;
  int wrong = exclude(group_of(from), all, ranks, new);
  free(ranks);
  return wrong;
}
