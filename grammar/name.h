/* Names: one copy of each spelling, so that names compare by pointer.
 *
 * Symbols (terms in profiles and selectors) compare without case: compare `folded`.
 * For people a term is written as it was written first (name_written).
 * Attribute names of several words are one name joined by '-': `node type` is `node-type`. */
#ifndef PSL_NAME_H
#define PSL_NAME_H
#include "arena.h"

enum known {
  KNOWN_NONE,
#define KNOWN(name, text) KNOWN_##name,
#include "known.def"
  KNOWN_NAMES
};

struct name {
  const char *text;
  uint32_t length;
  uint32_t id;               /* dense, from 1; those that are known come first */
  const struct name *folded; /* the lower-case spelling; itself where it is lower case */
  const struct word *word;   /* of the language, for which the lexer takes it; NULL: none */
  struct name *next;         /* in its bucket */
};

struct names {
  struct arena *arena;
  struct name **buckets;
  uint32_t bucket_count, count;
  const struct name **by_id;   /* [0] unused */
  const struct name **written; /* by id of a folded name: how a term of it was first written; NULL: not yet */
  uint32_t by_id_capacity;
};

void names_open(struct names *names, struct arena *arena);
const struct name *name_intern(struct names *names, const char *text, size_t length);
/* Notes that a term is written so. */
void name_write(struct names *names, const struct name *name);
/* The folded name of that id as it was first written as a term. */
const struct name *name_written(const struct names *names, uint32_t id);
const struct name *name_of(struct names *names, const char *text);
static inline const struct name *name_known(const struct names *names, enum known known) { return names->by_id[known]; }
static inline bool name_is(const struct name *name, enum known known) { return name->id == (uint32_t)known; }
#endif
