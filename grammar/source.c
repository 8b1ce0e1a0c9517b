/* Source texts: kept in one space of offsets, with the map from offsets to lines. */
#include "grammar/source.h"

#include <string.h>

static const char *base_name(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return arena_copy(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static void find_lines(struct arena *arena, struct source *source) {
  const char *text = source->text, *end = text + source->size, *at = text;
  uint32_t count = 1;
  while ((at = memchr(at, '\n', (size_t)(end - at))))
    at++, count++;
  source->lines = ARENA_ARRAY(arena, uint32_t, count);
  source->line_count = 1;
  for (at = text; (at = memchr(at, '\n', (size_t)(end - at)));)
    source->lines[source->line_count++] = (uint32_t)(++at - text);
}

struct source *source_add(struct sources *sources, const char *path, const char *text, size_t size) {
  uint32_t base = sources->end ? sources->end : 1;
  if (size >= INT32_MAX - (size_t)base) return NULL;
  struct source *source = ARENA_NEW(sources->arena, struct source);
  source->path = arena_copy(sources->arena, path, strlen(path));
  source->name = base_name(sources->arena, path);
  source->text = arena_copy(sources->arena, text, size);
  source->base = base;
  source->size = (uint32_t)size;
  find_lines(sources->arena, source);
  ARENA_PUSH(sources->arena, sources->items, sources->count, sources->capacity, source);
  sources->end = base + source->size + 1; /* the place behind the last byte is its own, too */
  return source;
}

const struct source *source_of(const struct sources *sources, uint32_t offset) {
  if (!offset || !sources->count || offset >= sources->end) return NULL;
  uint32_t low = 0, high = sources->count; /* the last one whose base is not beyond the offset */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (sources->items[middle]->base <= offset)
      low = middle;
    else
      high = middle;
  }
  return sources->items[low];
}

bool source_is(const struct source *source, const char *end) {
  size_t length = source ? strlen(source->path) : 0, wanted = strlen(end);
  return length >= wanted && strcmp(source->path + length - wanted, end) == 0;
}

/* The line that holds an offset of the text, from 0. */
static uint32_t line_of(const struct source *source, uint32_t at) {
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

const struct source_origin *source_origin(const struct sources *sources, uint32_t offset) {
  const struct source *source = source_of(sources, offset);
  return source && source->origins ? &source->origins[line_of(source, offset - source->base)] : NULL;
}

/* Characters between two offsets of one text. */
static uint32_t characters(const struct source *source, uint32_t begin, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = begin; i < end; i++)
    count += ((unsigned char)source->text[i] & 0xC0) != 0x80; /* not a byte that continues a character */
  return count;
}

static struct place place_in(const struct source *source, uint32_t at, uint32_t line) {
  return (struct place){source, source->lines_before + line + 1, 1 + characters(source, source->lines[line], at)};
}

struct place source_place(const struct sources *sources, uint32_t offset) {
  const struct source *source = source_of(sources, offset);
  if (!source) return (struct place){0};
  uint32_t at = offset - source->base, line = line_of(source, at);
  if (source->origins) return source_place(sources, source->origins[line].span.begin);
  return place_in(source, at, line);
}

/* The last place, and the line behind it, are looked at first. */
static uint32_t line_near(const struct source *source, struct source_near *near, uint32_t at) {
  uint32_t line = near->line;
  bool known = near->source == source;
  if (known && at >= source->lines[line] && line + 1 < source->line_count && at >= source->lines[line + 1]) line++;
  bool there = known && at >= source->lines[line] && (line + 1 == source->line_count || at < source->lines[line + 1]);
  near->source = source;
  return near->line = there ? line : line_of(source, at);
}

void source_places_near(const struct sources *sources, struct span span, struct source_near *near, struct place *begin,
                        struct place *end) {
  const struct source *source = near->source;
  if (!source || span.begin < source->base || span.begin - source->base > source->size)
    source = source_of(sources, span.begin);
  bool same = source && !source->origins && span.end >= span.begin && span.end - source->base <= source->size;
  if (!same) {
    *begin = source_place(sources, span.begin);
    *end = source_place(sources, span.end);
    if (end->source != begin->source) *end = *begin;
    return;
  }
  uint32_t from = span.begin - source->base, to = span.end - source->base, line = line_near(source, near, from);
  *begin = *end = place_in(source, from, line);
  if (line + 1 == source->line_count || to < source->lines[line + 1])
    end->column += characters(source, from, to);
  else
    *end = place_in(source, to, line_of(source, to));
}

void source_places(const struct sources *sources, struct span span, struct place *begin, struct place *end) {
  source_places_near(sources, span, &(struct source_near){0}, begin, end);
}

const char *source_line(const struct source *source, uint32_t line, size_t *length) {
  line -= source->lines_before;
  uint32_t begin = source->lines[line - 1];
  uint32_t end = line < source->line_count ? source->lines[line] - 1 : source->size;
  if (end > begin && source->text[end - 1] == '\r') end--;
  *length = end - begin;
  return source->text + begin;
}

struct span span_join(struct span a, struct span b) {
  return (struct span){a.begin, b.end};
}
