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
void text_json(struct text *text, const char *s); /* quoted and escaped as a JSON string */
/* The shortest decimal that reads back as the same double. */
void text_number(struct text *text, double value);
#endif
