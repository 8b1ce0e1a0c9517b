/* Caches: what is in them, and how long an access takes. They hold no data. */
#ifndef PSL_PROCESSOR_CACHE_H
#define PSL_PROCESSOR_CACHE_H
#include "evaluators/processor/parameters.h"

struct cache_block {
  uint64_t number; /* the address divided by the size of a block */
  uint64_t ready;  /* the cycle from which it is there */
  bool valid, dirty;
};

struct cache;
/* How many cycles it takes from `now` until what is behind a cache has given or taken a block. */
typedef uint64_t cache_behind(void *user, struct cache *, bool write, uint64_t address, uint64_t now);

struct cache {
  struct cache_shape shape;
  uint32_t latency;              /* of a hit, cycles */
  unsigned block_bits, set_mask; /* 0: the number is no power of two */
  struct cache_block *blocks;    /* by set, from the one that was used last (put in last: f) to that which goes first */
  struct cache_block *last;      /* the block of the last hit, */
  uint64_t last_number;
  uint64_t bus_free; /* the cycle from which it can replace another block */
  uint64_t random;   /* the state of choices by chance */
  cache_behind *behind;
  void *user;
  uint64_t hits, misses, replacements, writebacks, invalidations;
};

bool cache_open(struct cache *, const struct cache_shape *, uint32_t latency, cache_behind *, void *user);
void cache_close(struct cache *);
uint64_t cache_look(struct cache *, bool write, uint64_t address, uint64_t now);
/* How many cycles an access at cycle `now` takes. */
static inline uint64_t cache_access(struct cache *cache, bool write, uint64_t address, uint64_t now) {
  if (!cache->block_bits || address >> cache->block_bits != cache->last_number)
    return cache_look(cache, write, address, now);
  cache->hits++;
  cache->last->dirty |= write;
  return cache->last->ready > now + cache->latency ? cache->last->ready - now : cache->latency;
}
void cache_flush(struct cache *, uint64_t now);
#endif
