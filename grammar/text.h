/* A growing text: what printers write to. */
#ifndef PSL_TEXT_H
#define PSL_TEXT_H
#include "arena.h"
#include <stdarg.h>

struct text {
  struct arena *arena;
  char *data; /* NUL-terminated once anything was written */
  size_t size, capacity;
};
void text_put(struct text *text, const char *s);
void text_put_n(struct text *text, const char *s, size_t n);
void text_char(struct text *text, char c);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list arguments);
/* As people are shown it, see character_show: what would steer a terminal but for the characters of `keep`, and what
 * is no UTF-8, by its numbers. */
void text_shown(struct text *text, const char *s, size_t n, const char *keep);
void text_line(struct text *text, const char *s); /* shown, on one line: names of files, which may hold anything */
const char *shown_line(struct arena *arena, const char *s); /* the same, alone */
void text_string(struct text *text, const char *s);         /* a string of PSL */
void text_json(struct text *text, const char *s);   /* quoted and escaped as a JSON string, of UTF-8 in any case */
void text_markup(struct text *text, const char *s); /* shown, and escaped for HTML and XML */
/* Words on lines of `width` columns, of which `used` of the first are taken; the others begin with `indent` blanks that
 * do not count. A word that is wider stands alone. */
void text_wrapped(struct text *text, const char *words, size_t used, size_t width, size_t indent);
/* The shortest decimal that reads back as the same double. */
void text_number(struct text *text, double value);

/* Are they the same but for their numbers, with the prefixes of units behind these, as messages of one kind are? What
 * stands behind a colon, as the line of a place does, is none of these numbers. */
bool text_alike(const char *a, const char *b);

/* ---- lists of words, a line each ---- */

void text_add_line(struct text *lines, const char *line); /* as one, whatever it holds */
/* The next one, in `arena`; *at moves behind it. NULL: there is none. */
const char *text_next_line(struct arena *arena, const char **at);
void text_put_lines(struct text *text, const char *lines, const char *separator); /* on one line */
#endif
