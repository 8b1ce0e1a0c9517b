/* The texts that the client has opened.  The protocol counts the characters of a line in units of UTF-16, or of what
 * was agreed upon, psl counts characters; between both stand offsets in bytes. */
#include "interp/lsp/server.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- places ---- */

static size_t character_size(const char *text, size_t rest) {
  size_t size = 1;
  while (size < rest && ((unsigned char)text[size] & 0xC0) == 0x80)
    size++;
  return size;
}

static size_t units(size_t size, enum encoding encoding) {
  return encoding == ENCODING_UTF8 ? size : encoding == ENCODING_UTF16 && size == 4 ? 2 : 1;
}

static void find_lines(struct text *text) {
  size_t line_capacity = 0, place_capacity = 0;
  for (size_t at = 0; at <= text->size; at++) {
    bool feed = at && text->data[at - 1] == '\n';
    bool alone = at && text->data[at - 1] == '\r' && text->data[at] != '\n';
    if (at && !feed && !alone) continue;
    if (text->line_count == line_capacity)
      text->lines = memory_more(text->lines, (line_capacity = line_capacity * 2 + 64) * sizeof *text->lines);
    text->lines[text->line_count++] = at;
    if (alone) continue;
    if (text->place_count == place_capacity)
      text->places = memory_more(text->places, (place_capacity = place_capacity * 2 + 64) * sizeof *text->places);
    text->places[text->place_count++] = at;
  }
}

struct text text_of(char *data, size_t size) {
  struct text text = {.data = data, .size = size};
  find_lines(&text);
  return text;
}

void text_drop(struct text *text) {
  free(text->data);
  free(text->lines);
  free(text->places);
  *text = (struct text){0};
}

static size_t line_end(const struct text *text, size_t line) {
  size_t end = line + 1 < text->line_count ? text->lines[line + 1] : text->size;
  while (line + 1 < text->line_count && end > text->lines[line] && strchr("\r\n", text->data[end - 1]))
    end--;
  return end;
}

size_t text_offset(const struct text *text, enum encoding encoding, size_t line, size_t character) {
  if (line >= text->line_count) return text->size;
  size_t at = text->lines[line], end = line_end(text, line), count = 0;
  while (at < end) {
    size_t size = character_size(text->data + at, end - at);
    count += units(size, encoding);
    if (count > character) break;
    at += size;
  }
  return at;
}

static size_t line_of(const size_t *lines, size_t count, size_t offset) {
  size_t low = 0, high = count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

struct position position_in(const struct text *text, enum encoding encoding, size_t offset) {
  size_t line = line_of(text->lines, text->line_count, offset), at = text->lines[line], count = 0;
  size_t end = line_end(text, line);
  if (offset > end) offset = end; /* no place is between the two of \r\n */
  while (at < offset) {
    size_t size = character_size(text->data + at, text->size - at);
    count += units(size, encoding);
    at += size;
  }
  return (struct position){line, count};
}

struct position document_position(const struct document *d, unsigned line, unsigned column) {
  return position_in(&d->text, d->server->encoding, text_at(&d->text, line, column));
}

json_t *text_position(const struct text *text, enum encoding encoding, size_t offset) {
  struct position position = position_in(text, encoding, offset);
  return json_pack("{s:I, s:I}", "line", (json_int_t)position.line, "character", (json_int_t)position.character);
}

json_t *text_range(const struct text *text, enum encoding encoding, size_t begin, size_t end) {
  return json_pack("{s:o, s:o}", "start", text_position(text, encoding, begin), "end",
                   text_position(text, encoding, end));
}

size_t text_at(const struct text *text, unsigned line, unsigned column) {
  if (!line) return 0;
  if (line > text->place_count) return text->size;
  size_t at = text->places[line - 1], end = line < text->place_count ? text->places[line] - 1 : text->size;
  for (unsigned c = 1; c < column && at < end; c++)
    at += character_size(text->data + at, end - at);
  return at;
}

void text_place(const struct text *text, size_t offset, unsigned *line, unsigned *column) {
  size_t found = line_of(text->places, text->place_count, offset), at = text->places[found];
  *line = (unsigned)found + 1;
  *column = 1;
  for (; at < offset; ++*column)
    at += character_size(text->data + at, text->size - at);
}

json_t *range_of(const struct text *text, enum encoding encoding, const struct psl_place *place) {
  return text_range(text, encoding, text_at(text, place->line, place->column),
                    text_at(text, place->end_line, place->end_column));
}

/* ---- URIs ---- */

static int digit(char c) {
  return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

char *uri_path(const char *uri) {
  static const char scheme[] = "file://";
  char resolved[PATH_MAX];
  struct chars path = {0};
  const char *at = uri;
  if (!strncasecmp(uri, scheme, sizeof scheme - 1)) {
    at += sizeof scheme - 1;
    at += strcspn(at, "/"); /* the host is this one */
    for (; *at; at++) {
      char c = *at;
      if (c == '%' && digit(at[1]) >= 0 && digit(at[2]) >= 0 && (digit(at[1]) || digit(at[2]))) {
        c = (char)(digit(at[1]) * 16 + digit(at[2]));
        at += 2;
      }
      chars_add(&path, &c, 1);
    }
  }
  if (!path.size) return memory_copy(uri, strlen(uri));
  if (!realpath(path.data, resolved)) return path.data;
  chars_drop(&path);
  return memory_copy(resolved, strlen(resolved));
}

char *path_uri(const char *path) {
  struct chars uri = {0};
  if (*path != '/') return memory_copy(path, strlen(path));
  chars_put(&uri, "file://");
  for (; *path; path++) {
    bool plain = isalnum((unsigned char)*path) || strchr("/-._~+,@", *path);
    chars_put(&uri, plain ? "%c" : "%%%02X", (unsigned char)*path);
  }
  return uri.data;
}

char *file_uri(struct server *server, const char *path) {
  const struct document *document = document_of_path(server, path);
  return document ? memory_copy(document->uri, strlen(document->uri)) : path_uri(path);
}

/* ---- documents ---- */

struct document *document_find(struct server *server, const char *uri) {
  struct document *d = server->documents;
  while (d && strcmp(d->uri, uri))
    d = d->next;
  return d;
}

struct document *document_of_path(struct server *server, const char *path) {
  struct document *d = server->documents;
  while (d && strcmp(d->path, path))
    d = d->next;
  return d;
}

struct document *document_open(struct server *server, const char *uri, json_int_t version, char *data, size_t size) {
  struct document *d = document_find(server, uri);
  if (d) document_close(d); /* a client may not open it twice, and means the newer text */
  d = memory_more(NULL, sizeof *d);
  *d = (struct document){.server = server, .version = version, .stale = true, .text = text_of(data, size)};
  d->uri = memory_copy(uri, strlen(uri));
  d->path = uri_path(uri);
  struct document **last = &server->documents;
  while (*last)
    last = &(*last)->next;
  *last = d;
  documents_touch(server);
  return d;
}

void document_close(struct document *document) {
  struct document **link = &document->server->documents;
  while (*link != document)
    link = &(*link)->next;
  *link = document->next;
  document_unpublish(document);
  documents_touch(document->server);
  psl_close(document->psl);
  text_drop(&document->text);
  free(document->uri);
  free(document->path);
  free(document);
}

static bool offset_of(const struct document *d, json_t *position, size_t *offset) {
  json_t *line = json_object_get(position, "line"), *character = json_object_get(position, "character");
  if (!json_is_integer(line) || !json_is_integer(character)) return false;
  if (json_integer_value(line) < 0 || json_integer_value(character) < 0) return false;
  *offset = text_offset(&d->text, d->server->encoding, (size_t)json_integer_value(line),
                        (size_t)json_integer_value(character));
  return true;
}

static bool change_one(struct document *d, json_t *change) {
  json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
  size_t begin = 0, end = d->text.size, size = json_string_length(text);
  if (!json_is_string(text)) return false;
  if (range && !json_is_null(range) &&
      (!offset_of(d, json_object_get(range, "start"), &begin) || !offset_of(d, json_object_get(range, "end"), &end)))
    return false;
  if (end < begin) {
    size_t other = begin;
    begin = end;
    end = other;
  }
  char *data = memory_more(NULL, d->text.size - (end - begin) + size + 1);
  size_t rest = d->text.size - end;
  memcpy(data, d->text.data, begin);
  memcpy(data + begin, json_string_value(text), size);
  memcpy(data + begin + size, d->text.data + end, rest);
  data[begin + size + rest] = 0;
  text_drop(&d->text);
  d->text = text_of(data, begin + size + rest);
  return true;
}

bool document_change(struct document *document, json_t *changes) {
  size_t i;
  json_t *change;
  bool fine = json_is_array(changes);
  json_array_foreach(changes, i, change) fine &= change_one(document, change);
  document_touch(document);
  return fine;
}

const struct text *text_of_path(struct server *server, const char *path, struct text *own) {
  const struct document *document = document_of_path(server, path);
  if (document) return &document->text;
  if (own->data) text_drop(own);
  FILE *file = fopen(path, "rb");
  struct chars content = {0};
  char part[1 << 16];
  size_t size;
  if (!file) return NULL;
  chars_add(&content, "", 0);
  while ((size = fread(part, 1, sizeof part, file)) > 0)
    chars_add(&content, part, size);
  fclose(file);
  *own = text_of(content.data, content.size);
  return own;
}
