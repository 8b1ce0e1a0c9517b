/* Blocks that are given back singly and used again: free lists by size over an arena, with which all ends.  What is
 * large goes back to the system at once, as mostly nothing else is as large.  In a build with the address sanitizer
 * each block is the system's own, so that the use of one that was given back shows. */
#ifndef PSL_SLAB_H
#define PSL_SLAB_H
#include "grammar/arena.h"
#include <string.h>

enum { SLAB_CLASSES = 64 + 32 }; /* in steps of 16 bytes to 1 KiB, then by powers of 2 */

struct slabs {
  struct arena *arena;
  size_t bytes; /* had from the arena at most, */
  size_t less;  /* and so much more than now, as what is large has been given back */
#ifdef ARENA_GUARDED
  size_t given[SLAB_CLASSES]; /* how many blocks would be at hand */
#else
  void *free[SLAB_CLASSES];
#endif
};

void slabs_open(struct slabs *slabs, struct arena *arena);
void *slab_new(struct slabs *slabs, size_t rounded);

enum { SLAB_STEP = 16, SLAB_SMALL = 64 };

static inline size_t slab_class(size_t size, size_t *rounded) {
  if (size <= SLAB_SMALL * SLAB_STEP) {
    size_t class = (size + SLAB_STEP - 1) / SLAB_STEP;
    if (class == 0) class = 1;
    *rounded = class * SLAB_STEP;
    return class - 1;
  }
  size_t class = SLAB_SMALL, bytes = SLAB_SMALL * SLAB_STEP * 2;
  while (bytes < size) {
    bytes *= 2;
    class ++;
  }
  *rounded = bytes > ARENA_LARGE ? size : bytes;
  return class;
}
static inline bool slab_alone(size_t rounded) { return rounded > ARENA_LARGE; }

#ifdef ARENA_GUARDED
void *slab_take(struct slabs *slabs, size_t size); /* zeroed */
static inline void *slab_take_raw(struct slabs *slabs, size_t size) { return slab_take(slabs, size); }
void slab_give(struct slabs *slabs, void *block, size_t size);
#else
/* What stands in it is chance. */
static inline void *slab_take_raw(struct slabs *slabs, size_t size) {
  size_t rounded, class = slab_class(size, &rounded);
  void *block = slabs->free[class];
  if (!block) return slab_new(slabs, rounded);
  memcpy(&slabs->free[class], block, sizeof(void *));
  return block;
}
static inline void *slab_take(struct slabs *slabs, size_t size) {
  size_t rounded, class = slab_class(size, &rounded);
  void *block = slabs->free[class]; /* none of those that stand alone */
  if (!block) return slab_new(slabs, rounded);
  memcpy(&slabs->free[class], block, sizeof(void *));
  return memset(block, 0, rounded);
}
static inline void slab_give(struct slabs *slabs, void *block, size_t size) {
  size_t rounded, class = slab_class(size, &rounded);
  if (slab_alone(rounded)) {
    slabs->less += rounded;
    arena_release(slabs->arena, block);
    return;
  }
  memcpy(block, &slabs->free[class], sizeof(void *));
  slabs->free[class] = block;
}
#endif
#endif
