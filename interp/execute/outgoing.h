/* Items that one partition sends to another, each with its size before it, until they go. */
#ifndef PSL_OUTGOING_H
#define PSL_OUTGOING_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct outgoing { /* `begin`: what stands before has gone */
  char *bytes;
  size_t begin, end, capacity;
};

/* False: there is no memory. */
static inline bool outgoing_add(struct outgoing *out, const void *item, size_t size) {
  uint16_t head = (uint16_t)size;
  if (out->begin == out->end) out->begin = out->end = 0;
  if (out->end + sizeof head + size > out->capacity) {
    size_t capacity = out->capacity ? 2 * out->capacity : 1 << 14;
    char *grown = realloc(out->bytes, capacity);
    if (!grown) return false;
    out->bytes = grown;
    out->capacity = capacity;
  }
  memcpy(out->bytes + out->end, &head, sizeof head);
  memcpy(out->bytes + out->end + sizeof head, item, size);
  out->end += sizeof head + size;
  return true;
}
#endif
