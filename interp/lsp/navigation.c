/* What stands somewhere, and where it comes from: hover and definitions. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- hover ---- */

/* psl's own layout, the head of each thing on a line and what is said of it indented below, as markdown. */
static void put_markdown(struct chars *out, const char *text) {
  bool inside = false;
  while (*text) {
    size_t length = strcspn(text, "\n");
    bool head = length && *text != ' ';
    if (head && !inside) chars_put(out, "%s```psl\n", out->size ? "\n" : "");
    if (!head && inside) chars_put(out, "```\n");
    inside = head;
    size_t indent = head ? 0 : strspn(text, " ");
    if (!head && indent > 2) indent = 2;
    chars_add(out, text + (indent < length ? indent : length), length - (indent < length ? indent : length));
    chars_put(out, head || !length ? "\n" : "  \n"); /* two blanks keep the line */
    text += length + (text[length] == '\n');
  }
  if (inside) chars_put(out, "```\n");
}

json_t *answer_hover(struct server *server, json_t *params, struct failure *failure) {
  unsigned line, column;
  struct document *d = params_place(server, params, &line, &column, failure);
  struct chars known = {0}, shown = {0};
  struct psl_place place;
  json_t *hover = NULL;
  if (!d) return NULL;
  psl_describe(document_model(d), d->path, line, column, &place, chars_take, &known);
  if (place.file && known.size) {
    put_markdown(&shown, known.data);
    hover = json_pack("{s:{s:s, s:s}, s:o}", "contents", "kind", "markdown", "value", shown.data, "range",
                      range_of(&d->text, server->encoding, &place));
  }
  chars_drop(&known);
  chars_drop(&shown);
  return hover;
}

/* ---- definitions ---- */

json_t *answer_definition(struct server *server, json_t *params, struct failure *failure) {
  unsigned line, column;
  const struct psl_name *name;
  struct document *d = params_place(server, params, &line, &column, failure);
  if (!d) return NULL;
  if (psl_name_at(document_model(d), d->path, line, column, &name) != PSL_OK || !name || !name->declared.file)
    return NULL;
  return location_of(server, &name->declared);
}
