/* Memory that all ranks see: blocks of sizes that grow by a quarter, from the area's end or from those given back. Only
 * one rank runs at a time, so there are no locks. */
#include "evaluators/programs/mpi/rank.h"

struct header {
  uint32_t class, unused[3];
};

/* The class of a size, and the size of a class: four to each power of two, the least of 32 bytes. */
static uint32_t class_of(size_t size) {
  if (size <= 32) return 0;
  uint32_t power = 63 - (uint32_t)__builtin_clzll(size - 1);
  return (power - 5) * 4 + (uint32_t)((size - 1) >> (power - 2) & 3) + 1;
}
static size_t size_of(uint32_t class) {
  return class == 0 ? 32 : ((size_t)4 + (class - 1) % 4 + 1) << ((class - 1) / 4 + 3);
}

void *shared_get(size_t size) {
  uint32_t class = class_of(size + sizeof(struct header));
  struct header *block = area->spare[class];
  if (block) {
    memcpy(&area->spare[class], block + 1, sizeof(void *));
  } else {
    size_t whole = (size_of(class) + 15) & ~(size_t)15;
    if (area->top + whole > area->size)
      end_program("the messages of the ranks take more than %zu GiB", area->size >> 30);
    block = at(area, (int64_t)area->top);
    area->top += whole;
  }
  block->class = class;
  return block + 1;
}

void shared_give(void *given) {
  if (!given) return;
  struct header *block = (struct header *)given - 1;
  memcpy(given, &area->spare[block->class], sizeof(void *));
  area->spare[block->class] = block;
}
