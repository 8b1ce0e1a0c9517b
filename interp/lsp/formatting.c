/* The layout of psl fmt as edits: the blanks between words that are to be others, and nothing else, so that marks and
 * cursors in the rest of the text stay where they are. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

struct edits {
  const struct document *document;
  json_t *list;
};

static void add_edit(struct edits *e, size_t begin, size_t end, const char *text, size_t size) {
  json_array_append_new(e->list, json_pack("{s:o, s:s%}", "range",
                                           text_range(&e->document->text, e->document->server->encoding, begin, end),
                                           "newText", text, size));
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t skip_blanks(const char *text, size_t size, size_t at) {
  while (at < size && is_blank(text[at]))
    at++;
  return at;
}

/* What differs beyond blanks is one edit from there to where both texts end alike. */
static void replace_rest(struct edits *e, size_t i, const struct chars *to, size_t j) {
  const struct text *from = &e->document->text;
  size_t same = 0;
  while (same < from->size - i && same < to->size - j &&
         from->data[from->size - 1 - same] == to->data[to->size - 1 - same])
    same++;
  while (same && ((unsigned char)from->data[from->size - same] & 0xC0) == 0x80)
    same--; /* no edit begins inside a character */
  add_edit(e, i, from->size - same, to->data + j, to->size - same - j);
}

static void compare(struct edits *e, const struct chars *to) {
  const struct text *from = &e->document->text;
  size_t i = 0, j = 0;
  while (i < from->size || j < to->size) {
    size_t blanks = skip_blanks(from->data, from->size, i), wanted = skip_blanks(to->data, to->size, j);
    if (blanks - i != wanted - j || memcmp(from->data + i, to->data + j, wanted - j))
      add_edit(e, i, blanks, to->data + j, wanted - j);
    i = blanks;
    j = wanted;
    size_t word = i;
    while (i < from->size && j < to->size && !is_blank(from->data[i]) && from->data[i] == to->data[j])
      i++, j++;
    bool ends = i == from->size || is_blank(from->data[i]), end = j == to->size || is_blank(to->data[j]);
    if (ends && end) continue;
    if (i > word && (ends || end)) continue; /* blanks begin here in one of them */
    replace_rest(e, i, to, j);
    return;
  }
}

json_t *answer_formatting(struct server *server, json_t *params, struct failure *failure) {
  struct document *d = params_document(server, params, failure);
  struct chars layout = {0};
  bool same;
  if (!d) return NULL;
  struct psl *psl = document_model(d);
  struct edits edits = {d, json_array()};
  if (psl_format_text(psl, d->path, d->text.data, d->text.size, &same, chars_take, &layout) == PSL_OK && !same) {
    chars_add(&layout, "", 0);
    compare(&edits, &layout);
  }
  chars_drop(&layout);
  return edits.list;
}
