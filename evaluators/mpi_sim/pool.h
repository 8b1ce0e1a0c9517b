/* What MPI-Sim keeps its messages and receives in: items of pools, which are used again, and handles of these that
 * are known to be stale. */
#ifndef PSL_MPI_POOL_H
#define PSL_MPI_POOL_H
#include "interp/include/evaluator.h"
#include <inttypes.h>
#include <string.h>

#define NONE UINT32_MAX
#define CHUNK_BITS 10 /* items of a pool's chunk, and ranks of a page: 2^10 */
#define CHUNK (1u << CHUNK_BITS)

static inline double later_of(double a, double b) { return a > b ? a : b; }

static inline uint32_t log2_of(uint32_t power) {
  uint32_t n = 0;
  while (power >>= 1)
    n++;
  return n;
}

struct item {          /* how everything in a pool begins */
  uint32_t next;       /* in whatever list it stands; free list */
  uint32_t generation; /* odd while in use */
};

struct pool {
  char **chunks;
  uint32_t chunk_count, chunk_capacity, count, free;
};

struct memory {
  struct psl_host *host;
  char *bump; /* small pieces are cut from here */
  size_t bump_left;
};

static inline void *cut(struct memory *memory, size_t size) {
  if (size > 1 << 14) return memory->host->allocate(memory->host, size);
  if (size > memory->bump_left) {
    memory->bump_left = 1 << 16;
    memory->bump = memory->host->allocate(memory->host, memory->bump_left);
  }
  void *piece = memory->bump;
  memory->bump += size;
  memory->bump_left -= size;
  return piece;
}

static inline void *pool_at(const struct pool *pool, uint32_t index, size_t size) {
  return pool->chunks[index >> CHUNK_BITS] + (index & (CHUNK - 1)) * size;
}

static inline void pool_grow(struct memory *memory, struct pool *pool, size_t size) {
  if (pool->chunk_count == pool->chunk_capacity) {
    uint32_t capacity = pool->chunk_capacity ? 2 * pool->chunk_capacity : 16;
    char **chunks = memory->host->allocate(memory->host, capacity * sizeof *chunks);
    if (pool->chunk_count) memcpy(chunks, pool->chunks, pool->chunk_count * sizeof *chunks);
    pool->chunks = chunks;
    pool->chunk_capacity = capacity;
  }
  pool->chunks[pool->chunk_count++] = memory->host->allocate(memory->host, CHUNK * size);
}

static inline uint32_t pool_take(struct memory *memory, struct pool *pool, size_t size) {
  uint32_t index = pool->free;
  if (index != NONE) {
    struct item *item = pool_at(pool, index, size);
    pool->free = item->next;
    item->generation++;
    return index;
  }
  if (pool->count == pool->chunk_count << CHUNK_BITS) pool_grow(memory, pool, size);
  index = pool->count++;
  ((struct item *)pool_at(pool, index, size))->generation = 1;
  return index;
}

static inline void item_give(struct pool *pool, struct item *item, uint32_t index) {
  item->generation++;
  item->next = pool->free;
  pool->free = index;
}

static inline void pool_give(struct pool *pool, uint32_t index, size_t size) {
  item_give(pool, pool_at(pool, index, size), index);
}

/* ---- handles: generation (27 bits), index (32), receive?, handshake?, stage (2) ---- */

#define HANDLE_HANDSHAKE 4
#define HANDLE_RECEIVE 8
#define HANDLE_BESIDE 9 /* a collective operation beside the program: none of a receive is a stage */
#define HANDLE_PERSISTENT 10

static inline int64_t handle_make(uint32_t index, uint32_t generation, int bits) {
  return (int64_t)(generation & 0x7ffffff) << 36 | (int64_t)index << 4 | bits;
}

static inline uint32_t handle_index(int64_t handle) { return (uint32_t)(handle >> 4); }

static inline bool handle_valid(const struct pool *pool, int64_t handle, size_t size) {
  uint32_t index = handle_index(handle);
  if (handle <= 0 || index >= pool->count) return false;
  uint32_t generation = ((struct item *)pool_at(pool, index, size))->generation;
  return (generation & 1) && (int64_t)(generation & 0x7ffffff) == handle >> 36;
}

#endif
