/* How levels go over the time of a run: called where they change. */
#include "interp/execute/levels.h"

struct psl_level *level_open(struct levels *levels, uint32_t instance, const char *name, const struct type *type) {
  if (levels->count == LEVELS) {
    levels->full = true;
    return NULL;
  }
  struct psl_level *level = ARENA_NEW(levels->arena, struct psl_level);
  *level = (struct psl_level){.levels = levels, .instance = instance, .name = name, .type = type};
  ARENA_PUSH(levels->arena, levels->items, levels->count, levels->capacity, level);
  return level;
}

void levels_sort(struct levels *levels) {
  for (uint32_t i = 1; i < levels->count; i++) { /* few, and mostly in order */
    struct psl_level *level = levels->items[i];
    uint32_t place = i;
    for (; place && levels->items[place - 1]->instance > level->instance; place--)
      levels->items[place] = levels->items[place - 1];
    levels->items[place] = level;
  }
}
