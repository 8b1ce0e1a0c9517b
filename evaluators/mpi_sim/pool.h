/* What MPI-Sim keeps its messages and receives in: items of pools, which are used again, and handles of these that
 * are known to be stale. */
#ifndef PSL_MPI_POOL_H
#define PSL_MPI_POOL_H
#include "interp/include/evaluator.h"
#include <inttypes.h>
#include <string.h>

#define NONE UINT32_MAX
#define CHUNK_BITS 10 /* items of a pool's chunk, and ranks that are made at once: 2^10 */
#define CHUNK (1u << CHUNK_BITS)

enum { CACHE_LINE = 64 }; /* byte */
static inline void *line_begin(char *room) { return room + (CACHE_LINE - (uintptr_t)room % CACHE_LINE) % CACHE_LINE; }

static inline double later_of(double a, double b) { return a > b ? a : b; }

static inline uint32_t log2_of(uint32_t power) {
  uint32_t n = 0;
  while (power >>= 1)
    n++;
  return n;
}

struct item {          /* how everything in a pool begins */
  struct item *next;   /* in whatever list it stands; free list */
  uint32_t generation; /* odd while in use */
  uint32_t number;     /* its place in the pool */
};

#define ITEMS_MOST (1u << 30) /* of a pool: their numbers, and a little more, have room in 32 bits */
struct pool {
  char **chunks;
  struct item *free;
  uint32_t chunk_count, chunk_capacity, count;
  uint32_t first; /* number of the first item: in partitions no two have the same of one kind */
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

static inline __attribute__((always_inline)) void *pool_at(const struct pool *pool, uint32_t number, size_t size) {
  uint32_t place = number - pool->first;
  return pool->chunks[place >> CHUNK_BITS] + (place & (CHUNK - 1)) * size;
}

static inline void pool_grow(struct memory *memory, struct pool *pool, size_t size) {
  if (pool->count >= ITEMS_MOST - CHUNK) memory->host->allocate(memory->host, SIZE_MAX); /* that is too much */
  if (pool->chunk_count == pool->chunk_capacity) {
    uint32_t capacity = pool->chunk_capacity ? 2 * pool->chunk_capacity : 16;
    char **chunks = memory->host->allocate(memory->host, capacity * sizeof *chunks);
    if (pool->chunk_count) memcpy(chunks, pool->chunks, pool->chunk_count * sizeof *chunks);
    pool->chunks = chunks;
    pool->chunk_capacity = capacity;
  }
  pool->chunks[pool->chunk_count++] = line_begin(memory->host->allocate(memory->host, CHUNK * size + CACHE_LINE));
}

static inline void *pool_take(struct memory *memory, struct pool *pool, size_t size) {
  struct item *item = pool->free;
  if (item) {
    pool->free = item->next;
  } else {
    if (pool->count == pool->chunk_count << CHUNK_BITS) pool_grow(memory, pool, size);
    item = pool_at(pool, pool->first + pool->count, size);
    item->number = pool->first + pool->count++;
  }
  item->generation++;
  return item;
}

static inline void pool_give(struct pool *pool, struct item *item) {
  item->generation++;
  item->next = pool->free;
  pool->free = item;
}

/* ---- handles: generation (27 bits), number (32), receive?, handshake?, stage (2) ---- */

#define HANDLE_HANDSHAKE 4
#define HANDLE_RECEIVE 8
#define HANDLE_BESIDE 9 /* a collective operation beside the program: none of a receive is a stage */
#define HANDLE_PERSISTENT 10

static inline int64_t handle_make(const struct item *item, int bits) {
  return (int64_t)(item->generation & 0x7ffffff) << 36 | (int64_t)item->number << 4 | bits;
}

static inline uint32_t handle_number(int64_t handle) { return (uint32_t)(handle >> 4); }

/* What the handle stands for; NULL: nothing. */
static inline void *handle_item(const struct pool *pool, int64_t handle, size_t size) {
  uint32_t number = handle_number(handle);
  if (handle <= 0 || number - pool->first >= pool->count) return NULL;
  struct item *item = pool_at(pool, number, size);
  return (item->generation & 1) && (int64_t)(item->generation & 0x7ffffff) == handle >> 36 ? item : NULL;
}

#endif
