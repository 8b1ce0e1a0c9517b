/* Memory of the language server: blocks, and texts that grow. */
#include "interp/lsp/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_more(void *block, size_t size) {
  void *more = realloc(block, size ? size : 1);
  if (more) return more;
  fputs("psl: error: out of memory\n", stderr);
  exit(1);
}

char *memory_copy(const char *text, size_t size) {
  char *copy = memory_more(NULL, size + 1);
  memcpy(copy, text, size);
  copy[size] = 0;
  return copy;
}

void chars_add(struct chars *chars, const char *text, size_t size) {
  if (chars->capacity - chars->size <= size) {
    chars->capacity = (chars->capacity + size + 1) * 2;
    chars->data = memory_more(chars->data, chars->capacity);
  }
  memcpy(chars->data + chars->size, text, size);
  chars->size += size;
  chars->data[chars->size] = 0;
}

void chars_put(struct chars *chars, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (size > 0) chars_add(chars, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

int chars_take(void *buffer, const char *text, size_t size) {
  chars_add(buffer, text, size);
  return 0;
}

void chars_drop(struct chars *chars) {
  free(chars->data);
  *chars = (struct chars){0};
}
