/* A path is an array of few parts in order; one that others share is copied before it changes. */
#include "evaluators/programs/path.h"

#include <stdlib.h>
#include <string.h>

struct path *path_share(struct path *path) {
  if (path) path->references++;
  return path;
}

void path_drop(struct path *path) {
  if (path && !--path->references) free(path);
}

/* With room for one part more, and nobody else's. */
static bool path_own(struct path **path) {
  struct path *old = *path, *own;
  uint32_t count = old ? old->count : 0;
  if (old && old->references == 1 && count < old->capacity) return true;
  uint32_t capacity = count + count / 2 + 4;
  if (!(own = malloc(sizeof *own + capacity * sizeof *own->parts))) return false;
  *own = (struct path){1, count, capacity};
  if (old) memcpy(own->parts, old->parts, count * sizeof *own->parts);
  path_drop(old);
  *path = own;
  return true;
}

static uint32_t path_find(const struct path *path, uint32_t region, uint32_t spent) {
  uint32_t low = 0, high = path->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct path_part *part = &path->parts[middle];
    if (part->region < region || (part->region == region && part->spent < spent))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool path_add(struct path **path, uint32_t region, uint32_t spent, double seconds) {
  if (seconds == 0) return true;
  if (!path_own(path)) return false;
  struct path *own = *path;
  uint32_t at = path_find(own, region, spent);
  struct path_part *part = &own->parts[at];
  if (at == own->count || part->region != region || part->spent != spent) {
    memmove(part + 1, part, (own->count++ - at) * sizeof *part);
    *part = (struct path_part){region, spent, 0};
  }
  part->seconds += seconds;
  return true;
}
