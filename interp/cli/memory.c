/* Scopes and buffers: called wherever the command line keeps something. */
#include "interp/cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scope_block {
  struct scope_block *older, *newer;
  max_align_t data[];
};

static _Noreturn void out_of_memory(void) {
  fputs("psl: error: out of memory\n", stderr);
  sinks_abandon();
  native_leave();
  exit(EXIT_MODEL);
}

static void link_in(struct scope *scope, struct scope_block *block) {
  block->newer = NULL;
  block->older = scope->newest;
  if (block->older) block->older->newer = block;
  scope->newest = block;
}

static void unlink_from(struct scope *scope, struct scope_block *block) {
  if (block->older) block->older->newer = block->newer;
  if (block->newer)
    block->newer->older = block->older;
  else
    scope->newest = block->older;
}

void scope_close(struct scope *scope) {
  for (struct scope_block *block = scope->newest, *older; block; block = older) {
    older = block->older;
    free(block);
  }
  scope->newest = NULL;
}

void *scope_alloc(struct scope *scope, size_t size) {
  struct scope_block *block = calloc(1, sizeof *block + size);
  if (!block) out_of_memory();
  link_in(scope, block);
  return block->data;
}

void *scope_grow(struct scope *scope, void *data, size_t size) {
  if (!data) return scope_alloc(scope, size);
  struct scope_block *block = (struct scope_block *)((char *)data - offsetof(struct scope_block, data));
  unlink_from(scope, block);
  block = realloc(block, sizeof *block + size);
  if (!block) out_of_memory();
  link_in(scope, block);
  return block->data;
}

char *scope_copy(struct scope *scope, const char *text, size_t length) {
  char *copy = scope_alloc(scope, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *scope_vprintf(struct scope *scope, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) out_of_memory();
  char *text = scope_alloc(scope, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *scope_printf(struct scope *scope, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = scope_vprintf(scope, format, arguments);
  va_end(arguments);
  return text;
}

void buffer_put(struct buffer *buffer, const char *text, size_t size) {
  if (buffer->size + size + 1 > buffer->capacity) {
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 64;
    buffer->capacity = capacity > buffer->size + size ? capacity : buffer->size + size + 1;
    buffer->data = scope_grow(buffer->scope, buffer->data, buffer->capacity);
  }
  memcpy(buffer->data + buffer->size, text, size);
  buffer->size += size;
  buffer->data[buffer->size] = '\0';
}

int buffer_write(void *buffer, const char *text, size_t size) {
  buffer_put(buffer, text, size);
  return 0;
}
