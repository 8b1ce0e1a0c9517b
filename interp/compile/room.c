/* Memory of one compilation. */
#include "interp/compile/room.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct room_block {
  struct room_block *older;
  max_align_t data[];
};

void *room_alloc(struct room *room, size_t size) {
  struct room_block *block = calloc(1, sizeof *block + size + 1);
  if (!block) {
    fputs("psl: error: out of memory\n", stderr);
    exit(1);
  }
  block->older = room->newest;
  room->newest = block;
  return block->data;
}

char *room_copy(struct room *room, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(room_alloc(room, size), text, size);
}

static char *room_vprintf(struct room *room, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = room_alloc(room, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *room_printf(struct room *room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = room_vprintf(room, format, arguments);
  va_end(arguments);
  return text;
}

void room_close(struct room *room) {
  while (room->newest) {
    struct room_block *block = room->newest;
    room->newest = block->older;
    free(block);
  }
}

void text_add(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *more = room_vprintf(text->room, format, arguments);
  va_end(arguments);
  size_t length = strlen(more);
  if (text->size + length + 1 > text->capacity) {
    text->capacity = 2 * (text->size + length + 1);
    char *data = room_alloc(text->room, text->capacity);
    if (text->size) memcpy(data, text->data, text->size);
    text->data = data;
  }
  memcpy(text->data + text->size, more, length + 1);
  text->size += length;
}

static bool in_word(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

const char *text_find_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; length && (at = strstr(at, word)); at += length)
    if (!in_word(at[length]) && (at == text || !in_word(at[-1]))) return at;
  return NULL;
}

bool text_has_word(const char *text, const char *word) { return text_find_word(text, word) != NULL; }
