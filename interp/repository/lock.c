/* Reading and writing MODEL.lock. Called by completed_model.c. */
#include "interp/repository/lock.h"
#include "interp/check/load.h"
#include "interp/report/json_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char head[] =
    "# What psl has chosen from a database for requests that no file of the model accepts, a line a request.\n"
    "# The next run takes the same. Without a line, or the file, it is chosen anew: see psl-db(1).\n";

static const size_t most_bytes = (size_t)16 << 20;

static bool read_line(struct lock *lock, const char *text, unsigned number) {
  struct arena *arena = lock->arena;
  struct lock_line line = {
      .request = json_read_string(arena, json_read_member(text, "request")),
      .selector = json_read_string(arena, json_read_member(text, "selector")),
      .entry = json_read_string(arena, json_read_member(text, "entry")),
      .hash = json_read_string(arena, json_read_member(text, "hash")),
      .number = number,
  };
  if (!line.request || !line.selector || !line.entry || !line.hash) return false;
  ARENA_PUSH(arena, lock->lines, lock->count, lock->capacity, line);
  return true;
}

bool lock_read(struct lock *lock, struct diagnostics *diagnostics) {
  size_t size;
  const char *why, *text = plain_file_text(lock->arena, lock->path, most_bytes, &size, &why);
  if (!text && errno == ENOENT) return true;
  if (!text) {
    diagnostic_add(diagnostics, SEVERITY_ERROR, (struct span){0}, "%s cannot be read: %s",
                   shown_line(lock->arena, lock->path), why);
    return false;
  }
  text = arena_copy(lock->arena, text, size);
  unsigned number = 0;
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    number++;
    if (line == end || *line == '#') continue;
    if (read_line(lock, arena_copy(lock->arena, line, (size_t)(end - line)), number)) continue;
    diagnostic_add(diagnostics, SEVERITY_ERROR, (struct span){0}, "%s:%u: this is no choice that psl has written",
                   shown_line(lock->arena, lock->path), number);
    diagnostic_help(diagnostics, (struct span){0}, "delete the line, or the file: then it is chosen anew");
    return false;
  }
  return true;
}

const struct lock_line *lock_find(const struct lock *lock, const char *request, const char *selector) {
  for (uint32_t k = 0; k < lock->count; k++)
    if (!strcmp(lock->lines[k].request, request) && !strcmp(lock->lines[k].selector, selector)) return &lock->lines[k];
  return NULL;
}

void lock_add(struct lock *lock, struct lock_line line) {
  ARENA_PUSH(lock->arena, lock->lines, lock->count, lock->capacity, line);
  lock->changed = true;
}

static void put(struct text *text, const char *name, const char *value) {
  text_json(text, name);
  text_put(text, ": ");
  text_json(text, value);
}

bool lock_write(const struct lock *lock) {
  struct text text = {.arena = lock->arena};
  const char *beside = arena_printf(lock->arena, "%s.%ld.new", lock->path, (long)getpid());
  text_put(&text, head);
  for (uint32_t k = 0; k < lock->count; k++) {
    const struct lock_line *line = &lock->lines[k];
    text_char(&text, '{');
    put(&text, "request", line->request);
    text_put(&text, ", ");
    put(&text, "selector", line->selector);
    text_put(&text, ", ");
    put(&text, "entry", line->entry);
    text_put(&text, ", ");
    put(&text, "hash", line->hash);
    text_put(&text, "}\n");
  }
  FILE *file = fopen(beside, "wx");
  if (!file) return false;
  bool written = fwrite(text.data, 1, text.size, file) == text.size;
  written = fclose(file) == 0 && written;
  if (written && rename(beside, lock->path) == 0) return true;
  int why = errno;
  unlink(beside);
  errno = why;
  return false;
}
