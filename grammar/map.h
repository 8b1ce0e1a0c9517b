/* What has been met, by a key: a set or a map of an arena, for lists that may be long. */
#ifndef PSL_MAP_H
#define PSL_MAP_H
#include "arena.h"

struct map { /* zeroed: empty */
  struct map_item {
    uint64_t key;
    uint32_t value;
    bool held;
  } * items;
  uint32_t count, capacity; /* the capacity is a power of two */
};

/* The value of a key: the one that it has, or the one given, which it has then. *known: it was there. */
uint32_t map_add(struct arena *arena, struct map *map, uint64_t key, uint32_t value, bool *known);
/* That of a key that is there; `otherwise` where it is not. */
uint32_t map_get(const struct map *map, uint64_t key, uint32_t otherwise);
static inline uint64_t map_key(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }
#endif
