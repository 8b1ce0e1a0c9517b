/* Blocks that are given back singly and used again: free lists by size over an arena, with which all ends.  In a build
 * with the address sanitizer each block is the system's own, so that the use of one that was given back shows. */
#ifndef PSL_SLAB_H
#define PSL_SLAB_H
#include "grammar/arena.h"

enum { SLAB_CLASSES = 64 + 32 }; /* in steps of 16 bytes to 1 KiB, then by powers of 2 */

struct slabs {
  struct arena *arena;
  size_t bytes; /* had from the arena so far */
#ifdef ARENA_GUARDED
  size_t given[SLAB_CLASSES]; /* how many blocks would be at hand */
#else
  void *free[SLAB_CLASSES];
#endif
};

void slabs_open(struct slabs *slabs, struct arena *arena);
void *slab_take(struct slabs *slabs, size_t size); /* zeroed */
void slab_give(struct slabs *slabs, void *block, size_t size);
#endif
