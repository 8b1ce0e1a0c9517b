/* Caches, set-associative, which write back and allocate on writes. A block that is on its way can be hit, and is there
 * when it has come. To put a block in the place of another takes one cycle of the bus to what is behind. */
#include "evaluators/processor/cache.h"

#include <stdlib.h>
#include <string.h>

static unsigned bits_of(uint32_t number) { return (number & (number - 1)) ? 0 : (unsigned)__builtin_ctz(number); }

bool cache_open(struct cache *cache, const struct cache_shape *shape, uint32_t latency, cache_behind *behind,
                void *user) {
  *cache = (struct cache){.shape = *shape, .latency = latency, .behind = behind, .user = user, .random = 1};
  cache->block_bits = bits_of(shape->block);
  cache->set_mask = shape->sets & (shape->sets - 1) ? 0 : shape->sets - 1;
  cache->last_number = UINT64_MAX;
  cache->blocks = calloc((size_t)shape->sets * shape->ways, sizeof *cache->blocks);
  return cache->blocks;
}

void cache_close(struct cache *cache) { free(cache->blocks); }

static uint64_t block_of(const struct cache *cache, uint64_t address) {
  return cache->block_bits ? address >> cache->block_bits : address / cache->shape.block;
}

static struct cache_block *set_of(const struct cache *cache, uint64_t number) {
  uint64_t set = cache->set_mask || cache->shape.sets == 1 ? number & cache->set_mask : number % cache->shape.sets;
  return cache->blocks + set * cache->shape.ways;
}

/* The block becomes the first of its set. */
static struct cache_block *to_front(struct cache_block *set, uint32_t way) {
  struct cache_block block = set[way];
  memmove(set + 1, set, way * sizeof *set);
  set[0] = block;
  return set;
}

static uint64_t at_least(uint64_t latency, uint64_t ready, uint64_t now) {
  return ready > now + latency ? ready - now : latency;
}

static uint64_t hit(struct cache *cache, struct cache_block *block, bool write, uint64_t now) {
  cache->hits++;
  block->dirty |= write;
  return at_least(cache->latency, block->ready, now);
}

/* What goes for the new block, at the place that the new one has. */
static struct cache_block *victim(struct cache *cache, struct cache_block *set) {
  uint32_t ways = cache->shape.ways;
  if (cache->shape.replacement != 'r') return to_front(set, ways - 1);
  cache->random = cache->random * 6364136223846793005u + 1442695040888963407u;
  return set + (cache->random >> 33) % ways;
}

/* The block leaves: how long that takes. */
static uint64_t replace(struct cache *cache, const struct cache_block *block, uint64_t now) {
  uint64_t latency = block->ready > now ? block->ready - now : 0;
  cache->replacements++;
  latency = at_least(latency, cache->bus_free, now);
  cache->bus_free = now + latency + 1;
  if (!block->dirty) return latency;
  cache->writebacks++;
  return latency + cache->behind(cache->user, cache, true, block->number * cache->shape.block, now + latency);
}

static uint64_t miss(struct cache *cache, uint64_t number, bool write, uint64_t now) {
  struct cache_block *block = victim(cache, set_of(cache, number));
  cache->misses++;
  cache->last_number = UINT64_MAX;
  uint64_t latency = block->valid ? replace(cache, block, now) : 0;
  latency += cache->behind(cache->user, cache, false, number * cache->shape.block, now + latency);
  *block = (struct cache_block){number, now + latency, true, write};
  return latency;
}

uint64_t cache_look(struct cache *cache, bool write, uint64_t address, uint64_t now) {
  uint64_t number = block_of(cache, address);
  struct cache_block *set = set_of(cache, number);
  for (uint32_t way = 0; way < cache->shape.ways; way++) {
    if (set[way].number != number || !set[way].valid) continue;
    cache->last = cache->shape.replacement == 'l' && way ? to_front(set, way) : &set[way];
    cache->last_number = number;
    return hit(cache, cache->last, write, now);
  }
  return miss(cache, number, write, now);
}

void cache_flush(struct cache *cache, uint64_t now) {
  size_t count = (size_t)cache->shape.sets * cache->shape.ways;
  for (size_t i = 0; i < count; i++) {
    struct cache_block *block = &cache->blocks[i];
    if (!block->valid) continue;
    cache->invalidations++;
    if (block->dirty) {
      cache->writebacks++;
      cache->behind(cache->user, cache, true, block->number * cache->shape.block, now);
    }
    block->valid = block->dirty = false;
  }
  cache->last_number = UINT64_MAX;
}
