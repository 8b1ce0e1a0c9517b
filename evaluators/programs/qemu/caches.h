/* The caches of one machine: levels of lines, from the one that the processor asks first, and a TLB beside them. */
#ifndef PSL_CACHES_H
#define PSL_CACHES_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LEVELS_MOST = 8 };

enum replacement { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM };

struct cache {
  uint64_t size, ways, line; /* bytes, lines of a set, bytes */
  enum replacement replacement;
  bool around;           /* stores that miss leave no line here */
  uint64_t sets, *lines; /* by set and, in the first place, what was used last (LRU) or came last (FIFO); 0: none */
  uint64_t mask;         /* of a line's number, its set; 0: there is one set, or their number is no power of 2 */
  unsigned shift;        /* the line is 1 << shift bytes */
};

struct caches {
  unsigned levels;
  struct cache level[LEVELS_MOST], tlb; /* tlb.lines NULL: none */
  uint64_t random;
};

/* Makes the lines; false: memory does not suffice. */
bool cache_open(struct cache *cache);
/* Where the lines of a line's set begin. */
static inline uint64_t *cache_set(const struct cache *cache, uint64_t line) {
  return cache->lines + (cache->mask ? line & cache->mask : line % cache->sets) * cache->ways;
}
/* Has this cache what stands at this address in the first place of a set? To use it again changes nothing then. */
static inline bool cache_has_first(const struct cache *cache, uint64_t address) {
  uint64_t line = address >> cache->shift;
  return *cache_set(cache, line) == line + 1;
}
/* The level, from 0, that has what stands at this address; `levels` is the memory. Those before it have it now. */
unsigned caches_access(struct caches *caches, uint64_t address, bool store);
/* Was the page in the TLB? It is now. */
bool caches_page(struct caches *caches, uint64_t address);
#endif
