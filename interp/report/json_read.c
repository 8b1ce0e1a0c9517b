/* Reading JSON: what psl itself wrote into a database, which others may have changed.  Called by document.c.
 */
#include "interp/report/json_read.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
    at++;
  return at;
}

/* Behind the closing quote; NULL: there is none. */
static const char *skip_string(const char *at) {
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && !*++at) return NULL;
  return *at ? at + 1 : NULL;
}

/* Behind a value; NULL: it does not end. */
static const char *skip_value(const char *at) {
  size_t depth = 0;
  do {
    at = skip_blanks(at);
    if (*at == '"') {
      if (!(at = skip_string(at))) return NULL;
    } else if (*at == '{' || *at == '[') {
      depth++;
      at++;
    } else if (*at == '}' || *at == ']') {
      if (!depth--) return NULL;
      at++;
    } else if (*at == ',' || *at == ':') {
      if (!depth) return NULL;
      at++;
    } else {
      const char *begin = at;
      while (isalnum((unsigned char)*at) || *at == '+' || *at == '-' || *at == '.')
        at++;
      if (at == begin) return NULL;
    }
  } while (depth);
  return at;
}

static bool starts_value(const char *at) {
  return *at == '"' || *at == '{' || *at == '[' || *at == '-' || isalnum((unsigned char)*at);
}

const char *json_read_first(const char *array) {
  if (!array || *array != '[') return NULL;
  array = skip_blanks(array + 1);
  return starts_value(array) ? array : NULL;
}

const char *json_read_next(const char *value) {
  const char *at = skip_value(value);
  if (!at || *(at = skip_blanks(at)) != ',') return NULL;
  at = skip_blanks(at + 1);
  return starts_value(at) ? at : NULL;
}

const char *json_read_member(const char *object, const char *name) {
  size_t length = strlen(name);
  if (!object || *object != '{') return NULL;
  for (const char *key = skip_blanks(object + 1); key && *key == '"';) {
    const char *end = skip_string(key), *at = end ? skip_blanks(end) : NULL;
    if (!at || *at != ':') return NULL;
    at = skip_blanks(at + 1);
    if (!starts_value(at)) return NULL;
    if ((size_t)(end - key) == length + 2 && strncmp(key + 1, name, length) == 0) return at;
    if (!(at = skip_value(at)) || *(at = skip_blanks(at)) != ',') return NULL;
    key = skip_blanks(at + 1);
  }
  return NULL;
}

/* \uXXXX as UTF-8; what is half of a pair is left out: psl writes none. */
static const char *put_code(struct text *out, const char *digits) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++, digits++) {
    if (!isxdigit((unsigned char)*digits)) return digits;
    code = 16 * code + (unsigned)(isdigit((unsigned char)*digits) ? *digits - '0' : (*digits | 32) - 'a' + 10);
  }
  if (code < 0x80) {
    text_char(out, (char)(code ? code : ' '));
  } else if (code < 0x800) {
    text_char(out, (char)(0xc0 | code >> 6));
    text_char(out, (char)(0x80 | (code & 0x3f)));
  } else if (code < 0xd800 || code > 0xdfff) {
    text_char(out, (char)(0xe0 | code >> 12));
    text_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
    text_char(out, (char)(0x80 | (code & 0x3f)));
  }
  return digits;
}

const char *json_read_string(struct arena *arena, const char *value) {
  if (!value || *value != '"') return NULL;
  struct text out = {.arena = arena};
  text_put(&out, "");
  for (const char *at = value + 1; *at && *at != '"';) {
    if (*at != '\\') {
      text_char(&out, *at++);
      continue;
    }
    char c = at[1];
    if (!c) break;
    at += 2;
    if (c == 'u')
      at = put_code(&out, at);
    else
      text_char(&out, c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' || c == 'b' || c == 'f' ? ' ' : c);
  }
  return out.data;
}

double json_read_number(const char *value) {
  if (!value || (*value != '-' && !isdigit((unsigned char)*value))) return NAN;
  return strtod(value, NULL);
}

bool json_read_true(const char *value) { return value && strncmp(value, "true", 4) == 0; }
