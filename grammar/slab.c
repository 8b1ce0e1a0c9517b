/* Slabs.  The executor has frames, tokens and processes in one set, and the values that slots keep in another. */
#include "grammar/slab.h"

#include <string.h>

enum { STEP = 16, SMALL = 64 };

static size_t class_of(size_t size, size_t *rounded) {
  if (size <= SMALL * STEP) {
    size_t class = (size + STEP - 1) / STEP;
    if (class == 0) class = 1;
    *rounded = class * STEP;
    return class - 1;
  }
  size_t class = SMALL, bytes = SMALL * STEP * 2;
  while (bytes < size) {
    bytes *= 2;
    class ++;
  }
  *rounded = bytes;
  return class;
}

void slabs_open(struct slabs *slabs, struct arena *arena) { *slabs = (struct slabs){.arena = arena}; }

#ifdef ARENA_GUARDED
void *slab_take(struct slabs *slabs, size_t size) {
  size_t rounded, class = class_of(size, &rounded);
  if (slabs->given[class])
    slabs->given[class]--;
  else
    slabs->bytes += rounded;
  return arena_alone(slabs->arena, size);
}

void slab_give(struct slabs *slabs, void *block, size_t size) {
  size_t rounded;
  slabs->given[class_of(size, &rounded)]++;
  arena_give(slabs->arena, block);
}
#else
void *slab_take(struct slabs *slabs, size_t size) {
  size_t rounded, class = class_of(size, &rounded);
  void *block = slabs->free[class];
  if (block) {
    memcpy(&slabs->free[class], block, sizeof(void *));
    memset(block, 0, rounded);
    return block;
  }
  slabs->bytes += rounded;
  return arena_alloc(slabs->arena, rounded);
}

void slab_give(struct slabs *slabs, void *block, size_t size) {
  size_t rounded, class = class_of(size, &rounded);
  memcpy(block, &slabs->free[class], sizeof(void *));
  slabs->free[class] = block;
}
#endif
