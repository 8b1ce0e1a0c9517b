/* Slabs.  The executor has frames, tokens and processes in one set, and the values that slots keep in another. */
#include "grammar/slab.h"

void slabs_open(struct slabs *slabs, struct arena *arena) { *slabs = (struct slabs){.arena = arena}; }

#ifdef ARENA_GUARDED
void *slab_take(struct slabs *slabs, size_t size) {
  size_t rounded, class = slab_class(size, &rounded);
  if (slabs->given[class])
    slabs->given[class]--;
  else
    slabs->bytes += rounded;
  return arena_alone(slabs->arena, size);
}

void slab_give(struct slabs *slabs, void *block, size_t size) {
  size_t rounded;
  slabs->given[slab_class(size, &rounded)]++;
  arena_release(slabs->arena, block);
}
#endif

void *slab_new(struct slabs *slabs, size_t rounded) {
  size_t again = rounded < slabs->less ? rounded : slabs->less;
  slabs->less -= again;
  slabs->bytes += rounded - again;
  return arena_alloc(slabs->arena, rounded);
}
