/* Groups of points by the bytes of a key; see groups.h. Called for what studies find for each value of a param. */
#include "interp/study/groups.h"

#include <string.h>
#include <xxhash.h>

static uint32_t *place_of(const struct groups *groups, const void *bytes, size_t size) {
  uint32_t mask = groups->capacity - 1, at = (uint32_t)XXH3_64bits(bytes, size) & mask;
  for (;; at = (at + 1) & mask) {
    uint32_t *place = &groups->places[at];
    if (!*place) return place;
    const struct group_key *key = &groups->keys[*place - 1];
    if (key->size == size && !memcmp(key->bytes, bytes, size)) return place;
  }
}

static void grow(struct groups *groups) {
  groups->capacity = groups->capacity ? 2 * groups->capacity : 16;
  groups->places = ARENA_ARRAY(groups->arena, uint32_t, groups->capacity);
  for (uint32_t g = 0; g < groups->count; g++)
    *place_of(groups, groups->keys[g].bytes, groups->keys[g].size) = g + 1;
}

uint32_t groups_find(struct groups *groups, const void *bytes, size_t size) {
  if (2 * groups->count >= groups->capacity) grow(groups);
  uint32_t *place = place_of(groups, bytes, size);
  if (*place) return *place - 1;
  struct group_key key = {arena_copy(groups->arena, bytes, size), size};
  ARENA_PUSH(groups->arena, groups->keys, groups->count, groups->key_capacity, key);
  *place = groups->count;
  return groups->count - 1;
}

bool groups_has(const struct groups *groups, const void *bytes, size_t size) {
  return groups->capacity && *place_of(groups, bytes, size);
}
