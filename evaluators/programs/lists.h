/* Lists and tables that grow by doubling. The recorder has this, too, so it needs nothing else. */
#ifndef PSL_PROGRAM_LISTS_H
#define PSL_PROGRAM_LISTS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more item behind `count`; `list` is where its address stands. False: there is no memory. */
static inline bool list_grow(void *list, uint32_t count, uint32_t *capacity, size_t size) {
  void **items = list;
  if (count < *capacity) return true;
  uint32_t larger = *capacity ? 2 * *capacity : 16;
  void *grown = realloc(*items, larger * size);
  if (!grown) return false;
  *items = grown;
  *capacity = larger;
  return true;
}

/* A table that has the item of that number; what is new in it is zero. NULL: there is no memory, and it stays. */
static inline void *table_grown(void *table, uint64_t number, size_t *capacity, size_t size) {
  size_t larger = *capacity ? *capacity : 64;
  if (number < *capacity) return table;
  while (larger <= number)
    larger *= 2;
  char *grown = realloc(table, larger * size);
  if (!grown) return NULL;
  memset(grown + *capacity * size, 0, (larger - *capacity) * size);
  *capacity = larger;
  return grown;
}
#endif
