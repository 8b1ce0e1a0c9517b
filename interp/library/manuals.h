/* The manuals as they are installed, and where they speak of something. */
#ifndef PSL_MANUALS_H
#define PSL_MANUALS_H
#include "grammar/text.h"

struct manual_paragraph {
  const char *page;                 /* psl-queueing(7) */
  const char *section, *subsection; /* NULL: in none */
  const char *item;                 /* of a list that it explains; NULL: of none */
  const char *text;
  bool display; /* an example, line by line */
};

struct manuals {
  struct manual_paragraph *items;
  uint32_t count, capacity;
};

/* False: no manuals are found. */
bool manuals_read(struct arena *arena, struct manuals *manuals);

/* Writes the sections in which the words stand best. *all: each of the words stands somewhere. False: there is none. */
bool manuals_search(const struct manuals *manuals, const char *words, bool *all, struct text *out);
#endif
