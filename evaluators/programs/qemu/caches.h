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
  unsigned shift;        /* the line is 1 << shift bytes */
};

struct caches {
  unsigned levels;
  struct cache level[LEVELS_MOST], tlb; /* tlb.lines NULL: none */
  uint64_t random;
};

/* Makes the lines; false: memory does not suffice. */
bool cache_open(struct cache *cache);
/* The level, from 0, that has what stands at this address; `levels` is the memory. Those before it have it now. */
unsigned caches_access(struct caches *caches, uint64_t address, bool store);
/* Was the page in the TLB? It is now. */
bool caches_page(struct caches *caches, uint64_t address);
#endif
