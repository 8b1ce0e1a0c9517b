/* What programs say to MPI of files, windows and communicators as pairs of words: kept for them, and not looked at. */
#include "evaluators/programs/mpi/rank.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define INFO 0x9c000000u

struct pair {
  struct pair *next;
  char *value;
  char key[];
};
struct info {
  struct pair *first; /* in the order in which they were set */
};

static struct info *environment(void);

/* NULL: there is none, and the program is told of errors. */
static struct info *info_of(MPI_Info handle) {
  uint32_t place = (uint32_t)handle & 0x3ffffff;
  if (handle == MPI_INFO_ENV) return environment();
  if (((uint32_t)handle & 0xfc000000u) == INFO && place < self->info_count && self->infos[place])
    return self->infos[place];
  if (handle == MPI_INFO_NULL)
    fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s is given MPI_INFO_NULL", call_name());
  else
    fail(MPI_COMM_WORLD, MPI_ERR_INFO, "%s is given %#x, which is no MPI_Info", call_name(), (unsigned)handle);
  return NULL;
}

/* Of a call, which gives that error. */
#define INFO_OF(of, handle)          \
  struct info *of = info_of(handle); \
  if (!of) return handle == MPI_INFO_NULL ? MPI_ERR_ARG : MPI_ERR_INFO

static struct info *info_new(MPI_Info *handle) {
  uint32_t place = 0;
  while (place < self->info_count && self->infos[place])
    place++;
  if (place == self->info_count) {
    self->info_count = self->info_count ? 2 * self->info_count : 8;
    self->infos = realloc(self->infos, self->info_count * sizeof *self->infos);
    memset(self->infos + place, 0, (self->info_count - place) * sizeof *self->infos);
  }
  *handle = (MPI_Info)(INFO | place);
  return self->infos[place] = calloc(1, sizeof(struct info));
}

/* Where the pair is linked, or would be. */
static struct pair **place_of(struct info *info, const char *key) {
  struct pair **place = &info->first;
  while (*place && strcmp((*place)->key, key) != 0)
    place = &(*place)->next;
  return place;
}

static void pair_set(struct info *info, const char *key, const char *value) {
  struct pair **place = place_of(info, key);
  if (!*place) {
    *place = calloc(1, sizeof **place + strlen(key) + 1);
    strcpy((*place)->key, key);
  }
  free((*place)->value);
  (*place)->value = strdup(value);
}

static void pair_drop(struct pair **place) {
  struct pair *gone = *place;
  *place = gone->next;
  free(gone->value);
  free(gone);
}

static struct info *environment(void) {
  if (self->environment) return self->environment;
  char ranks[16];
  snprintf(ranks, sizeof ranks, "%u", area->ranks);
  self->environment = calloc(1, sizeof *self->environment);
  pair_set(self->environment, "command", program_invocation_name);
  pair_set(self->environment, "maxprocs", ranks);
  return self->environment;
}

API(Info_create) int MPI_Info_create(MPI_Info *info) {
  LOCAL_CALL_ANY_TIME;
  info_new(info);
  return MPI_SUCCESS;
}

static int info_copied(const struct info *from, MPI_Info *copy) {
  struct info *to = info_new(copy);
  for (const struct pair *pair = from->first; pair; pair = pair->next)
    pair_set(to, pair->key, pair->value);
  return MPI_SUCCESS;
}

API(Info_dup) int MPI_Info_dup(MPI_Info info, MPI_Info *copy) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(from, info);
  return info_copied(from, copy);
}

API(Info_create_env) int MPI_Info_create_env(int argument_count, char *arguments[], MPI_Info *info) {
  LOCAL_CALL_ANY_TIME;
  (void)argument_count, (void)arguments;
  return info_copied(environment(), info);
}

API(Info_free) int MPI_Info_free(MPI_Info *info) {
  LOCAL_CALL_ANY_TIME;
  if (*info == MPI_INFO_ENV)
    return fail(MPI_COMM_WORLD, MPI_ERR_INFO, "%s is given MPI_INFO_ENV, which cannot be freed", call_name());
  INFO_OF(gone, *info);
  self->infos[(uint32_t)*info & 0x3ffffff] = NULL;
  while (gone->first)
    pair_drop(&gone->first);
  free(gone);
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

API(Info_set) int MPI_Info_set(MPI_Info info, const char *key, const char *value) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  if (!*key || strlen(key) > MPI_MAX_INFO_KEY)
    return fail(MPI_COMM_WORLD, MPI_ERR_INFO_KEY, "MPI_Info_set: a key has 1 to %d characters, and this one %zu",
                MPI_MAX_INFO_KEY, strlen(key));
  if (strlen(value) > MPI_MAX_INFO_VAL)
    return fail(MPI_COMM_WORLD, MPI_ERR_INFO_VALUE, "MPI_Info_set: a value has at most %d characters, and this one %zu",
                MPI_MAX_INFO_VAL, strlen(value));
  pair_set(of, key, value);
  return MPI_SUCCESS;
}

API(Info_delete) int MPI_Info_delete(MPI_Info info, const char *key) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  struct pair **place = place_of(of, key);
  if (!*place) return fail(MPI_COMM_WORLD, MPI_ERR_INFO_NOKEY, "MPI_Info_delete: there is no key '%s'", key);
  pair_drop(place);
  return MPI_SUCCESS;
}

API(Info_get) int MPI_Info_get(MPI_Info info, const char *key, int room, char *value, int *flag) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  if (room < 0) return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "MPI_Info_get: the length %d is negative", room);
  const struct pair *pair = *place_of(of, key);
  *flag = pair != NULL;
  if (!pair) return MPI_SUCCESS;
  snprintf(value, (size_t)room + 1, "%s", pair->value);
  return MPI_SUCCESS;
}

/* *room becomes what the value takes with its end. */
API(Info_get_string) int MPI_Info_get_string(MPI_Info info, const char *key, int *room, char *value, int *flag) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  const struct pair *pair = *place_of(of, key);
  *flag = pair != NULL;
  if (!pair) return MPI_SUCCESS;
  if (*room > 0) snprintf(value, (size_t)*room, "%s", pair->value);
  *room = (int)strlen(pair->value) + 1;
  return MPI_SUCCESS;
}

API(Info_get_valuelen) int MPI_Info_get_valuelen(MPI_Info info, const char *key, int *length, int *flag) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  const struct pair *pair = *place_of(of, key);
  *flag = pair != NULL;
  if (pair) *length = (int)strlen(pair->value);
  return MPI_SUCCESS;
}

API(Info_get_nkeys) int MPI_Info_get_nkeys(MPI_Info info, int *count) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  *count = 0;
  for (const struct pair *pair = of->first; pair; pair = pair->next)
    ++*count;
  return MPI_SUCCESS;
}

API(Info_get_nthkey) int MPI_Info_get_nthkey(MPI_Info info, int n, char *key) {
  LOCAL_CALL_ANY_TIME;
  INFO_OF(of, info);
  const struct pair *pair = n < 0 ? NULL : of->first;
  while (pair && n-- > 0)
    pair = pair->next;
  if (!pair) return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "MPI_Info_get_nthkey: there are not so many keys");
  strcpy(key, pair->key);
  return MPI_SUCCESS;
}
