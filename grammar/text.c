/* Growing texts: what the dumper, the formatter, reports and diagnostics are written to. */
#include "grammar/text.h"
#include "grammar/characters.h"
#include "grammar/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Room for n more bytes and the NUL. */
static char *text_room(struct text *text, size_t n) {
  if (text->capacity - text->size < n + 1) {
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity - text->size < n + 1)
      capacity *= 2;
    text->data = arena_grow(text->arena, text->data, text->capacity, capacity);
    text->capacity = capacity;
  }
  return text->data + text->size;
}

void text_put_n(struct text *text, const char *s, size_t n) {
  char *to = text_room(text, n);
  if (n) memcpy(to, s, n);
  to[n] = '\0';
  text->size += n;
}

void text_put(struct text *text, const char *s) { text_put_n(text, s, strlen(s)); }

void text_char(struct text *text, char c) { text_put_n(text, &c, 1); }

void text_vprintf(struct text *text, const char *format, va_list arguments) {
  char few[200]; /* most are short, and printed once */
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(few, sizeof few, format, arguments);
  if (length >= (int)sizeof few) {
    vsnprintf(text_room(text, (size_t)length), (size_t)length + 1, format, again);
    text->size += (size_t)length;
  } else if (length > 0) {
    text_put_n(text, few, (size_t)length);
  }
  va_end(again);
}

void text_printf(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(text, format, arguments);
  va_end(arguments);
}

void text_shown(struct text *text, const char *s, size_t n, const char *keep) {
  char shown[CHARACTER_SHOWN];
  for (size_t at = 0, plain; at < n;) {
    for (plain = at; plain < n && s[plain] >= ' ' && s[plain] < 0x7f;)
      plain++;
    text_put_n(text, s + at, plain - at);
    if (plain < n) {
      plain += character_show(s + plain, n - plain, keep, shown);
      text_put(text, shown);
    }
    at = plain;
  }
}

void text_line(struct text *text, const char *s) { text_shown(text, s, strlen(s), ""); }

const char *shown_line(struct arena *arena, const char *s) {
  struct text text = {.arena = arena};
  text_put(&text, "");
  text_line(&text, s);
  return text.data;
}

void text_string(struct text *text, const char *s) {
  text_char(text, '"');
  for (; *s; s++) {
    if (*s == '\n' || *s == '\t') {
      text_put(text, *s == '\n' ? "\\n" : "\\t");
      continue;
    }
    if (*s == '"' || *s == '\\') text_char(text, '\\');
    text_char(text, *s);
  }
  text_char(text, '"');
}

void text_json(struct text *text, const char *s) {
  text_char(text, '"');
  for (size_t size = strlen(s), length; size; s += length, size -= length) {
    uint32_t code = 0xfffd; /* stands for bytes that are none */
    length = character_read(s, size, &code);
    if (*s == '"' || *s == '\\')
      text_printf(text, "\\%c", *s);
    else if (*s == '\n')
      text_put(text, "\\n");
    else if (*s == '\t')
      text_put(text, "\\t");
    else if (!length || character_kind(code) != CHARACTER_PLAIN)
      text_printf(text, "\\u%04x", (unsigned)(length ? code : 0xfffd));
    else
      text_put_n(text, s, length);
    if (!length) length = 1;
  }
  text_char(text, '"');
}

void text_markup(struct text *text, const char *s) {
  struct text shown = {.arena = text->arena};
  text_shown(&shown, s, strlen(s), "\n\t");
  for (s = shown.data ? shown.data : ""; *s; s++) {
    if (*s == '&')
      text_put(text, "&amp;");
    else if (*s == '<')
      text_put(text, "&lt;");
    else if (*s == '>')
      text_put(text, "&gt;");
    else if (*s == '"')
      text_put(text, "&quot;");
    else
      text_char(text, *s);
  }
}

void text_number(struct text *text, double value) {
  char digits[DIGITS_ROOM];
  if (isfinite(value))
    text_put_n(text, digits, (size_t)digits_put(digits, value, 1));
  else
    text_put(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void text_wrapped(struct text *text, const char *words, size_t used, size_t width, size_t indent) {
  while (*words) {
    size_t gap = strspn(words, " "), length = strcspn(words + gap, " ");
    size_t wide = characters_width(words + gap, length);
    if (used && used + gap + wide > width) {
      text_printf(text, "\n%*s", (int)indent, "");
      words += gap;
      used = gap = 0;
    }
    text_put_n(text, words, gap + length);
    used += gap + wide;
    words += gap + length;
  }
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Behind a number that begins at `at`, and behind the prefix of a unit of it: 1,234 or 1.5e-06 m of 1.5e-06 ms. */
static const char *number_end(const char *at) {
  while (is_digit(*at) || ((*at == '.' || *at == ',') && is_digit(at[1])))
    at++;
  bool power = *at == 'e' && is_digit(at[1 + (at[1] == '-' || at[1] == '+')]);
  if (power) at += 2;
  while (power && is_digit(*at))
    at++;
  bool prefix = *at == ' ' && at[1] && strchr("munpkMGT", at[1]) && (at[2] == 's' || at[2] == 'B');
  return prefix && !is_letter(at[3]) ? at + 2 : *at == ' ' ? at + 1 : at;
}

bool text_alike(const char *a, const char *b) {
  for (char before = ' '; *a || *b;) {
    bool number = is_digit(*a) && is_digit(*b) && before != ':' && !is_letter(before) && !is_digit(before);
    if (!number && *a != *b) return false;
    before = number ? ' ' : *a;
    a = number ? number_end(a) : a + 1;
    b = number ? number_end(b) : b + 1;
  }
  return true;
}

void text_add_line(struct text *lines, const char *line) {
  size_t size;
  while (line[size = strcspn(line, "\n")]) {
    text_put_n(lines, line, size);
    text_char(lines, ' ');
    line += size + 1;
  }
  text_put_n(lines, line, size);
  text_char(lines, '\n');
}

const char *text_next_line(struct arena *arena, const char **at) {
  size_t size = strcspn(*at, "\n");
  if (!**at) return NULL;
  const char *line = arena_copy(arena, *at, size);
  *at += size + ((*at)[size] != '\0');
  return line;
}

void text_put_lines(struct text *text, const char *lines, const char *separator) {
  while (*lines) {
    size_t size = strcspn(lines, "\n");
    text_put_n(text, lines, size);
    lines += size + (lines[size] != '\0');
    if (*lines) text_put(text, separator);
  }
}
