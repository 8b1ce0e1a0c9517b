/* Diagnostics: put together, handed on when complete, and rendered for people and programs. */
#include "grammar/diagnostic.h"
#include "grammar/characters.h"
#include "grammar/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *vformat(struct diagnostics *d, const char *format, va_list arguments) {
  struct text text = {.arena = &d->arena};
  text_vprintf(&text, format, arguments);
  return text.data ? text.data : "";
}

static void deliver(struct diagnostics *d, const struct diagnostic *diagnostic) {
  if (d->sink) d->sink(d->user, d->sources, diagnostic);
}

void diagnostic_flush(struct diagnostics *d) {
  if (!d->open) return;
  d->open = false;
  bool error = d->current.severity == SEVERITY_ERROR;
  if (diagnostics_told(d)) {
    deliver(d, &d->current);
  } else if (error && d->errors == d->limit + 1) {
    deliver(d, &(struct diagnostic){.severity = SEVERITY_ERROR, .text = "too many errors"});
  }
  d->current = (struct diagnostic){0};
  arena_close(&d->arena);
}

/* What stands in a text that the tool has made is said of what that was made from. */
static struct span own_place(const struct diagnostics *d, struct span span, const struct source_origin **origin) {
  *origin = d->sources ? source_origin(d->sources, span.begin) : NULL;
  return *origin ? (*origin)->span : span;
}

/* The line that was made, without the blanks before it. */
static const char *made_line(struct diagnostics *d, struct span span) {
  const struct source *source = source_of(d->sources, span.begin);
  const char *begin = source->text + (span.begin - source->base), *line = begin;
  while (line > source->text && line[-1] != '\n')
    line--;
  line += strspn(line, " ");
  return arena_copy(&d->arena, line, strcspn(line, "\n"));
}

/* The texts of options are sources by the options' names: --set x. */
static bool is_option(const struct diagnostics *d, struct span span) {
  const struct source *source = span.end ? source_of(d->sources, span.begin) : NULL;
  return source && (source->given || strncmp(source->path, "--", 2) == 0);
}

static void begin(struct diagnostics *d, enum severity severity, struct span span, const char *text) {
  d->current = (struct diagnostic){.severity = severity, .span = span, .text = text};
  d->errors += severity == SEVERITY_ERROR;
  d->warnings += severity == SEVERITY_WARNING;
  d->open = true;
  if (severity == SEVERITY_ERROR && d->errors == 1) d->misuse = is_option(d, span);
}

void diagnostic_misuse(struct diagnostics *d, const char *format, ...) {
  diagnostic_flush(d);
  va_list arguments;
  va_start(arguments, format);
  begin(d, SEVERITY_ERROR, (struct span){0, 0}, vformat(d, format, arguments));
  va_end(arguments);
  if (d->errors == 1) d->misuse = true;
}

void diagnostic_add(struct diagnostics *d, enum severity severity, struct span span, const char *format, ...) {
  const struct source_origin *origin;
  diagnostic_flush(d);
  struct span place = own_place(d, span, &origin);
  va_list arguments;
  va_start(arguments, format);
  begin(d, d->mild && severity == SEVERITY_ERROR ? SEVERITY_WARNING : severity, place, vformat(d, format, arguments));
  va_end(arguments);
  if (origin) diagnostic_note(d, (struct span){0, 0}, "in %s, read as: %s", origin->what, made_line(d, span));
}

/* ---- what to write in place of what ---- */

/* The X of "did you mean 'X'?"; NULL: the help says something else. */
static const char *meant_by(struct arena *arena, const char *help) {
  static const char before[] = "did you mean '", behind[] = "'?";
  size_t length = strlen(help), head = sizeof before - 1, tail = sizeof behind - 1;
  if (length <= head + tail || strncmp(help, before, head) || strcmp(help + length - tail, behind)) return NULL;
  return arena_copy(arena, help + head, length - head - tail);
}

static bool is_part_of_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* Where the first thing that the message quotes stands in the text, as a word; none: it does not. */
static struct span quoted_in(const char *message, struct span span, const char *text) {
  const char *begin = strchr(message, '\''), *end = begin ? strchr(begin + 1, '\'') : NULL;
  size_t size = span.end - span.begin, length = end ? (size_t)(end - begin - 1) : 0;
  for (size_t at = 0; length && at + length <= size; at++)
    if (!memcmp(text + at, begin + 1, length) && (!at || !is_part_of_word(text[at - 1])) &&
        (at + length == size || !is_part_of_word(text[at + length])))
      return (struct span){span.begin + (uint32_t)at, span.begin + (uint32_t)(at + length)};
  return (struct span){0, 0};
}

/* What is replaced: the whole of one word, or what the message quotes. */
static struct span replaced_by_help(const struct diagnostics *d, struct span help) {
  struct span span = help.end ? help : d->current.span;
  const struct source *source = d->sources && span.end > span.begin ? source_of(d->sources, span.begin) : NULL;
  if (!source || source->origins || span.end > source->base + source->size) return (struct span){0, 0};
  const char *text = source->text + (span.begin - source->base);
  bool word = true;
  for (uint32_t i = 0; i < span.end - span.begin; i++)
    word &= is_part_of_word(text[i]) || (unsigned char)text[i] >= 0x80;
  return word || help.end ? span : quoted_in(d->current.text, span, text);
}

static void add_note(struct diagnostics *d, enum severity severity, struct span span, const char *text) {
  const struct source_origin *origin;
  struct diagnostic *current = &d->current;
  struct diagnostic_note note = {.severity = severity, .span = own_place(d, span, &origin), .text = text};
  const char *meant = severity == SEVERITY_HELP ? meant_by(&d->arena, text) : NULL;
  if (meant) note.replaced = replaced_by_help(d, note.span);
  if (note.replaced.end) note.replacement = meant;
  ARENA_PUSH(&d->arena, current->notes, current->note_count, current->note_capacity, note);
}

void diagnostic_note(struct diagnostics *d, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_note(d, SEVERITY_NOTE, span, vformat(d, format, arguments));
  va_end(arguments);
}

void diagnostic_help(struct diagnostics *d, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_note(d, SEVERITY_HELP, span, vformat(d, format, arguments));
  va_end(arguments);
}

void diagnostic_move(struct diagnostics *d, struct span span, const char *more) {
  const struct source_origin *origin;
  d->current.span = own_place(d, span, &origin);
  d->current.text = arena_printf(&d->arena, "%s%s", d->current.text, more);
}

/* ---- rendering ---- */

enum { LINE_LIMIT = 160, MARGIN = 9, NARROWEST = 40, INDENT = 4 };

const char *severity_name(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return "error";
  case SEVERITY_WARNING: return "warning";
  case SEVERITY_NOTE: return "note";
  case SEVERITY_HELP: return "help";
  }
  return "";
}

static const char *severity_color(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return "\033[1;31m";
  case SEVERITY_WARNING: return "\033[1;35m";
  case SEVERITY_NOTE: return "\033[1;36m";
  case SEVERITY_HELP: return "\033[1;32m";
  }
  return "";
}

struct look {
  bool color;
  unsigned room; /* 0: there is no end of the columns */
};

static void put_headline(struct text *out, const struct sources *sources, enum severity severity, struct span span,
                         const char *message, const struct look *look) {
  struct place place = source_place(sources, span.begin);
  const char *bold = look->color ? "\033[1m" : "", *reset = look->color ? "\033[0m" : "";
  struct text head = {.arena = out->arena}, words = {.arena = out->arena};
  if (place.source) {
    text_shown(&head, place.source->path, strlen(place.source->path), "");
    text_printf(&head, ":%u:%u:", place.line, place.column);
  } else if (severity == SEVERITY_ERROR || severity == SEVERITY_WARNING) {
    text_put(&head, "psl:");
  }
  if (head.size) text_printf(out, "%s%s%s ", bold, head.data, reset);
  text_printf(out, "%s%s:%s%s", look->color ? severity_color(severity) : "", severity_name(severity), reset, bold);
  text_char(&words, ' ');
  text_shown(&words, message, strlen(message), "");
  size_t used = characters_width(head.data, head.size) + (head.size > 0) + strlen(severity_name(severity)) + 1;
  text_wrapped(out, words.data, used - INDENT, (look->room ? look->room : SIZE_MAX) - INDENT, INDENT);
  text_printf(out, "%s\n", reset);
}

/* Moves over n characters, not beyond length. */
static size_t advance(const char *s, size_t length, size_t at, size_t n) {
  for (uint32_t code; at < length && n; n--) {
    size_t size = character_read(s + at, length - at, &code);
    at += size ? size : 1;
  }
  return at;
}

static size_t characters(const char *s, size_t length) {
  size_t count = 0;
  for (size_t at = 0; at < length; count++)
    at = advance(s, length, at, 1);
  return count;
}

/* The part [*from, *to) of a line that is shown so that the span stays in sight. */
static void choose_window(const char *line, size_t length, size_t begin, size_t limit, size_t *from, size_t *to) {
  *from = 0;
  *to = length;
  if (characters(line, length) <= limit) return;
  size_t before = characters(line, begin);
  if (before > limit / 2) *from = advance(line, length, 0, before - limit / 2);
  *to = advance(line, length, *from, limit);
}

static size_t shown_width(struct arena *arena, const char *s, size_t length) {
  struct text shown = {.arena = arena};
  text_shown(&shown, s, length, "\t");
  return characters_width(shown.data, shown.size);
}

/* Blanks below a part of a line, and tabs where it has them. */
static void put_below(struct text *out, const char *s, size_t length) {
  while (length) {
    const char *tab = memchr(s, '\t', length);
    size_t part = tab ? (size_t)(tab - s) : length, width = shown_width(out->arena, s, part);
    for (size_t i = 0; i < width; i++)
      text_char(out, ' ');
    if (tab) text_char(out, '\t');
    part += tab != NULL;
    s += part;
    length -= part;
  }
}

static void put_snippet(struct text *out, const struct sources *sources, struct span span, enum severity severity,
                        const struct look *look) {
  struct place place = source_place(sources, span.begin);
  if (!place.source) return;
  size_t limit = look->room && look->room < LINE_LIMIT + MARGIN ? look->room - MARGIN : LINE_LIMIT, length, from, to;
  const char *line = source_line(place.source, place.line, &length);
  size_t begin = span.begin - place.source->base - place.source->lines[place.line - 1 - place.source->lines_before];
  if (begin > length) begin = length;
  size_t end = span.end > span.begin ? begin + (span.end - span.begin) : begin;
  if (end > length) end = length;
  choose_window(line, length, begin, limit, &from, &to);
  if (end > to) end = to;

  text_printf(out, "%4u | %s", place.line, from ? "…" : "");
  text_shown(out, line + from, to - from, "\t");
  text_printf(out, "%s\n     | %s", to < length ? "…" : "", from ? " " : "");
  put_below(out, line + from, begin - from);
  text_printf(out, "%s^", look->color ? severity_color(severity) : "");
  size_t width = end > begin ? shown_width(out->arena, line + begin, end - begin) : 1;
  for (size_t i = 1; i < width; i++)
    text_char(out, '~');
  text_printf(out, "%s\n", look->color ? "\033[0m" : "");
}

static void put_json_place(struct text *out, const struct sources *sources, enum severity severity, struct span span,
                           const char *message) {
  text_printf(out, "{\"severity\":\"%s\",\"message\":", severity_name(severity));
  text_json(out, message);
  struct place begin, end;
  source_places(sources, span, &begin, &end);
  if (!begin.source) return;
  text_put(out, ",\"file\":");
  text_json(out, begin.source->path);
  text_printf(out, ",\"line\":%u,\"column\":%u,\"endLine\":%u,\"endColumn\":%u", begin.line, begin.column, end.line,
              end.column);
}

static void put_json(struct text *out, const struct sources *sources, const struct diagnostic *diagnostic) {
  put_json_place(out, sources, diagnostic->severity, diagnostic->span, diagnostic->text);
  text_put(out, ",\"notes\":[");
  for (size_t i = 0; i < diagnostic->note_count; i++) {
    const struct diagnostic_note *note = &diagnostic->notes[i];
    if (i) text_char(out, ',');
    put_json_place(out, sources, note->severity, note->span, note->text);
    text_char(out, '}');
  }
  text_put(out, "]}\n");
}

const char *diagnostic_render(struct arena *arena, const struct sources *sources, const struct diagnostic *diagnostic,
                              enum diagnostic_format format, bool color, unsigned room) {
  struct text out = {.arena = arena};
  struct look look = {color, room >= NARROWEST ? room : 0};
  if (format == DIAGNOSTIC_JSON) {
    put_json(&out, sources, diagnostic);
    return out.data;
  }
  put_headline(&out, sources, diagnostic->severity, diagnostic->span, diagnostic->text, &look);
  if (format == DIAGNOSTIC_SHORT) return out.data;
  put_snippet(&out, sources, diagnostic->span, diagnostic->severity, &look);
  for (size_t i = 0; i < diagnostic->note_count; i++) {
    const struct diagnostic_note *note = &diagnostic->notes[i];
    put_headline(&out, sources, note->severity, note->span, note->text, &look);
    put_snippet(&out, sources, note->span, note->severity, &look);
  }
  return out.data;
}

/* ---- did you mean ---- */

enum { WORD_LIMIT = 63 }; /* longer words are not misspelt but different */

/* Damerau-Levenshtein (optimal string alignment), case folded. */
static size_t distance(const char *a, size_t m, const char *b, size_t n) {
  size_t rows[3][WORD_LIMIT + 1], *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= n; j++)
    above[j] = j;
  for (size_t i = 1; i <= m; i++) {
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
      size_t best = above[j - 1] + (x != y);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && tolower((unsigned char)a[i - 2]) == y &&
          before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
    size_t *oldest = before;
    before = above;
    above = row;
    row = oldest;
  }
  return above[n];
}

/* The nearest that is at most `best` letters off. */
static const char *nearest_within(const char *word, const char *const *candidates, size_t count, size_t best) {
  size_t length = strlen(word);
  const char *nearest = NULL;
  if (length > WORD_LIMIT) return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t n = strlen(candidates[i]);
    if (n > WORD_LIMIT || (n > length ? n - length : length - n) > best) continue;
    size_t found = distance(word, length, candidates[i], n);
    if (found >= (length > n ? length : n)) continue; /* nothing in common */
    if (found < best || (found == best && !nearest)) {
      best = found;
      nearest = candidates[i];
    }
  }
  return nearest;
}

const char *nearest_name(const char *word, const char *const *candidates, size_t count) {
  size_t letters = strlen(word) / 3;
  return nearest_within(word, candidates, count, letters > 1 ? letters : 1);
}

enum { MISSPELT_LETTERS = 4 }; /* of shorter words too many are a letter apart */

const char *misspelt_name(const char *word, const char *const *candidates, size_t count) {
  return strlen(word) < MISSPELT_LETTERS ? NULL : nearest_within(word, candidates, count, 1);
}
