/* Answers about a whole text, which are long: written as the client gets them. To make a tree of one first, as of all
 * other answers, would take several times as long as to find what it says. */
#include "interp/lsp/server.h"

#include <string.h>

static void put_char(struct written *w, char c) { chars_add(&w->text, &c, 1); }

static void begin_value(struct written *w) {
  if (w->follows) put_char(w, ',');
  w->follows = true;
}

void written_open(struct written *w, char bracket) {
  begin_value(w);
  put_char(w, bracket);
  w->follows = false;
}

void written_close(struct written *w, char bracket) {
  put_char(w, bracket);
  w->follows = true;
}

void written_member(struct written *w, const char *name) {
  written_string(w, name);
  put_char(w, ':');
  w->follows = false;
}

void written_number(struct written *w, json_int_t number) {
  char digits[24], *at = digits + sizeof digits;
  unsigned long long rest = number < 0 ? -(unsigned long long)number : (unsigned long long)number;
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) *--at = '-';
  begin_value(w);
  chars_add(&w->text, at, (size_t)(digits + sizeof digits - at));
}

/* Those that JSON has no other way to write are left to jansson. */
static bool is_plain(const char *text) {
  while (*text >= ' ' && *text != '"' && *text != '\\')
    text++;
  return !*text;
}

static int take(const char *text, size_t size, void *user) { return chars_take(user, text, size); }

void written_string(struct written *w, const char *text) {
  begin_value(w);
  if (is_plain(text)) {
    put_char(w, '"');
    chars_add(&w->text, text, strlen(text));
    put_char(w, '"');
    return;
  }
  json_t *string = json_string(text);
  if (!string || json_dump_callback(string, take, &w->text, JSON_ENCODE_ANY)) chars_add(&w->text, "\"\"", 2);
  json_decref(string);
}

void written_position(struct written *w, const char *name, struct position position) {
  written_member(w, name);
  written_open(w, '{');
  written_member(w, "line");
  written_number(w, (json_int_t)position.line);
  written_member(w, "character");
  written_number(w, (json_int_t)position.character);
  written_close(w, '}');
}

void written_range(struct written *w, const char *name, const struct document *d, const struct psl_place *place) {
  written_member(w, name);
  written_open(w, '{');
  written_position(w, "start", document_position(d, place->line, place->column));
  written_position(w, "end", document_position(d, place->end_line, place->end_column));
  written_close(w, '}');
}
