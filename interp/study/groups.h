/* Points told apart by some of their values: the number of a group, by its key. */
#ifndef PSL_GROUPS_H
#define PSL_GROUPS_H
#include "grammar/arena.h"

struct groups { /* zeroed but for the arena: empty */
  struct arena *arena;
  struct group_key {
    const char *bytes;
    size_t size;
  } * keys; /* by group, in the order in which they were met */
  uint32_t count, key_capacity;
  uint32_t *places; /* open addressing: a group plus 1; 0: free */
  uint32_t capacity;
};

/* The group of the key, which is new if it has not been met. */
uint32_t groups_find(struct groups *groups, const void *bytes, size_t size);
bool groups_has(const struct groups *groups, const void *bytes, size_t size);
#endif
