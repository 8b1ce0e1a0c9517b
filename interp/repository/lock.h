/* MODEL.lock: what of a database was chosen for a model's requests, so that the next run is the same though the
 * database has grown. A line a choice, an object of JSON; other lines begin with '#'. */
#ifndef PSL_LOCK_H
#define PSL_LOCK_H
#include "grammar/diagnostic.h"

struct lock_line {
  const char *request;  /* component.label */
  const char *selector; /* what it wanted, with the values that its params had */
  const char *entry;    /* KIND/NAME */
  const char *hash;     /* of it, all digits */
  unsigned number;      /* the line's in the file, from 1; 0: it is not yet there */
};
struct lock {
  struct arena *arena;
  const char *path;
  struct lock_line *lines;
  uint32_t count, capacity;
  bool changed;
};
/* Reads it, where it is there; false after a diagnostic. */
bool lock_read(struct lock *lock, struct diagnostics *diagnostics);
const struct lock_line *lock_find(const struct lock *lock, const char *request, const char *selector);
void lock_add(struct lock *lock, struct lock_line line);
/* Writes it anew, whole or not at all, where something was added; false with errno. */
bool lock_write(const struct lock *lock);
#endif
