/* Caches of blocks: which of them are there, and which one has to go for another, by policies of replacement. A cache
 * knows nothing of time. */
#ifndef PSL_STORAGE_CACHE_H
#define PSL_STORAGE_CACHE_H
#include "interp/include/evaluator.h"

/* LRU, FIFO and LFU as everywhere; of blocks that LFU has used equally often the one goes that was used longest ago,
 * and what has gone is forgotten. CLOCK: second chances, a block that comes has none yet. ARC: N. Megiddo, D. S. Modha,
 * "ARC: A Self-Tuning, Low Overhead Replacement Cache", FAST 2003, figure 4. */
enum cache_policy { CACHE_LRU, CACHE_FIFO, CACHE_CLOCK, CACHE_LFU, CACHE_ARC, CACHE_POLICIES };
enum { CACHE_BLOCKS_MOST = 1 << 28 };

struct cache;
struct cache_outcome {
  bool hit;
  bool evicts;    /* a block had to go that has been written to */
  int64_t victim; /* which */
};

struct cache *cache_make(struct psl_host *host, enum cache_policy policy, uint32_t capacity);
bool cache_has(const struct cache *cache, int64_t block);
/* The block is used, and is there from now on. */
struct cache_outcome cache_use(struct cache *cache, int64_t block, bool writes);
/* The blocks that have been written to, in rising order, which are not from now on; the array stays until the next
 * call. */
const int64_t *cache_clean(struct cache *cache, uint32_t *count);
#endif
