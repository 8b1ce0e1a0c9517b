/* Caches, access by access. A set holds line numbers (one more than they are, 0 is an empty place) in the order in
 * which they go: the last is the one that is replaced, but where that is by chance. */
#include "evaluators/programs/qemu/caches.h"

#include <stdlib.h>
#include <string.h>

bool cache_open(struct cache *cache) {
  cache->sets = cache->size / cache->line / cache->ways;
  cache->shift = (unsigned)__builtin_ctzll(cache->line);
  cache->mask = cache->sets & (cache->sets - 1) ? 0 : cache->sets - 1;
  cache->lines = calloc(cache->sets * cache->ways, sizeof *cache->lines);
  return cache->lines != NULL;
}

/* Line `way` of the set goes to the front, and those before it one place back. */
static void to_front(uint64_t *set, uint64_t way, uint64_t line) {
  for (; way; way--)
    set[way] = set[way - 1];
  *set = line;
}

static uint64_t random_next(struct caches *caches) {
  caches->random ^= caches->random << 13;
  caches->random ^= caches->random >> 7;
  return caches->random ^= caches->random << 17;
}

/* Is the line there? Else it comes, if `allocate` says so, in the place of another one. */
static bool look_up(struct caches *caches, struct cache *cache, uint64_t address, bool allocate) {
  uint64_t line = (address >> cache->shift), *set = cache_set(cache, line), way = 0, last = cache->ways - 1;
  line++;
  if (*set == line) return true;
  for (way = 1; way < cache->ways; way++)
    if (set[way] == line) {
      if (cache->replacement == REPLACE_LRU) to_front(set, way, line);
      return true;
    }
  if (!allocate) return false;
  if (cache->replacement == REPLACE_RANDOM && set[last])
    set[random_next(caches) % cache->ways] = line;
  else
    to_front(set, last, line);
  return false;
}

unsigned caches_access(struct caches *caches, uint64_t address, bool store) {
  unsigned at = 0;
  for (; at < caches->levels; at++) {
    struct cache *cache = &caches->level[at];
    if (look_up(caches, cache, address, !(store && cache->around))) break;
  }
  return at;
}

bool caches_page(struct caches *caches, uint64_t address) { return look_up(caches, &caches->tlb, address, true); }
