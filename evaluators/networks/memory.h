/* Pieces of the run's memory whose sizes are powers of two: what grows gives its old piece back for others. */
#ifndef PSL_NETWORKS_MEMORY_H
#define PSL_NETWORKS_MEMORY_H
#include "interp/include/evaluator.h"
#include <string.h>

struct pieces {
  struct psl_host *host;
  char *bump; /* small pieces are cut from here */
  size_t bump_left;
  void *free[40]; /* by the logarithm of their size, linked through their first bytes */
};

static inline uint32_t piece_log(size_t size) {
  return size <= 8 ? 3 : 64 - (uint32_t)__builtin_clzll((unsigned long long)size - 1);
}

static inline void *piece_take(struct pieces *p, size_t size) {
  uint32_t log = piece_log(size);
  void *piece = p->free[log];
  if (piece) {
    memcpy(&p->free[log], piece, sizeof piece);
    return piece;
  }
  size = (size_t)1 << log;
  if (size > 1 << 14) return p->host->allocate(p->host, size);
  if (size > p->bump_left) {
    p->bump_left = 1 << 17;
    p->bump = p->host->allocate(p->host, p->bump_left);
  }
  piece = p->bump;
  p->bump += size;
  p->bump_left -= size;
  return piece;
}

static inline void piece_give(struct pieces *p, void *piece, size_t size) {
  uint32_t log = piece_log(size);
  memcpy(piece, &p->free[log], sizeof piece);
  p->free[log] = piece;
}

/* Of items by number: room for `number` and twice as many as before, what is new zero. */
static inline void *piece_reach(struct pieces *p, void *items, uint32_t *count, uint32_t number, size_t size) {
  if (number < *count) return items;
  uint32_t more = *count ? 2 * *count : 64;
  while (more <= number)
    more *= 2;
  char *grown = piece_take(p, more * size);
  if (*count) memcpy(grown, items, *count * size);
  memset(grown + *count * size, 0, (more - *count) * size);
  if (*count) piece_give(p, items, *count * size);
  *count = more;
  return grown;
}

/* Room for one more item behind `count`. */
#define PIECE_GROW(pieces, items, count, capacity)                             \
  do {                                                                         \
    if ((count) < (capacity)) break;                                           \
    uint32_t more_ = (capacity) ? 2 * (capacity) : 4;                          \
    void *grown_ = piece_take((pieces), more_ * sizeof *(items));              \
    if (count) memcpy(grown_, (items), (count) * sizeof *(items));             \
    if (capacity) piece_give((pieces), (items), (capacity) * sizeof *(items)); \
    (items) = grown_;                                                          \
    (capacity) = more_;                                                        \
  } while (0)
#endif
