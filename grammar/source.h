/* Source texts and places in them.
 *
 * All texts of one interpreter stand in one space of byte offsets, one after another, so a span is
 * two numbers and needs no file.  The texts live as long as the interpreter. */
#ifndef PSL_SOURCE_H
#define PSL_SOURCE_H
#include "arena.h"

struct span {
  uint32_t begin, end; /* [begin, end); both 0: no place (command line, made by the tool) */
};

/* Where a line of a text that the tool has made comes from. */
struct source_origin {
  struct span span; /* in another text */
  const char *what; /* "action 'solve'" */
};

struct source {
  const char *path; /* as a user would name it */
  const char *name; /* the file's name without folder and ending: what `use` and `file.name` say */
  const char *text; /* NUL-terminated; may hold NULs before (refused by the lexer) */
  uint32_t base, size;
  uint32_t *lines; /* offsets in text at which lines begin */
  uint32_t line_count;
  const struct source_origin *origins; /* by line, where the tool has made the text; else NULL */
  bool handed;                         /* no file has it: it was handed over as a text */
  bool given;                          /* a line of a file that an option names: as if on the command line */
  uint32_t lines_before;               /* of what the text is a part of: its first line is the next one's */
};

struct sources {
  struct arena *arena;
  struct source **items;
  uint32_t count, capacity;
  uint32_t end; /* the first free offset; offset 0 belongs to nothing */
};

struct place { /* what a person is shown */
  const struct source *source;
  uint32_t line, column; /* from 1; the column counts characters (UTF-8), not bytes */
};

/* Adds a text (copied). NULL if all texts together would pass 2 GiB. */
struct source *source_add(struct sources *sources, const char *path, const char *text, size_t size);
/* The source that holds the offset; NULL for span 0. */
const struct source *source_of(const struct sources *sources, uint32_t offset);
struct place source_place(const struct sources *sources, uint32_t offset);
/* Those of both ends of a span; where the end is in another source, the begin twice. */
void source_places(const struct sources *sources, struct span span, struct place *begin, struct place *end);
/* The same of many: the line of the last one is where the next is looked for first. */
struct source_near {
  const struct source *source; /* NULL: there is none yet */
  uint32_t line;               /* from 0 */
};
void source_places_near(const struct sources *sources, struct span span, struct source_near *near, struct place *begin,
                        struct place *end);
/* Of a place in a text that the tool has made: what it was made from; NULL: it is the user's own. */
const struct source_origin *source_origin(const struct sources *sources, uint32_t offset);
/* Does the path end so: "stdlib/queueing.psl"? False of NULL. */
bool source_is(const struct source *source, const char *end);
/* The text of a line, numbered as in struct place, without its end. */
const char *source_line(const struct source *source, uint32_t line, size_t *length);
struct span span_join(struct span a, struct span b); /* from a's begin to b's end */
#endif
