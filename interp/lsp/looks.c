/* How a text looks in an editor: the colours of its names, the types that are not written, what can be folded away. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- colours ---- */

/* In the order of enum psl_name_kind, by the names that editors have colours for. */
static const char *const token_types[] = {
    [PSL_NAME_FILE] = "namespace",    [PSL_NAME_PARAM] = "property",        [PSL_NAME_LET] = "variable",
    [PSL_NAME_VAR] = "variable",      [PSL_NAME_LOCAL] = "variable",        [PSL_NAME_INDEX] = "parameter",
    [PSL_NAME_FUNCTION] = "function", [PSL_NAME_EVALUATOR] = "namespace",   [PSL_NAME_UNIT] = "number",
    [PSL_NAME_TYPE] = "type",         [PSL_NAME_DOMAIN] = "namespace",      [PSL_NAME_ATTRIBUTE] = "decorator",
    [PSL_NAME_TERM] = "enumMember",   [PSL_NAME_TRANSACTION] = "interface", [PSL_NAME_COMPONENT] = "class",
    [PSL_NAME_SYSTEM] = "struct",     [PSL_NAME_REQUEST] = "method",        [PSL_NAME_STUDY] = "event",
    [PSL_NAME_RECORD] = "property",   [PSL_NAME_FIELD] = "property",        [PSL_NAME_WORD] = "keyword",
    [PSL_NAME_PROTOCOL] = "type",
};
enum { TOKEN_TYPES = sizeof token_types / sizeof *token_types };
enum { DECLARATION = 1, READONLY = 2, LIBRARY = 4, MODIFICATION = 8 };

json_t *token_legend(void) {
  json_t *types = json_array();
  for (size_t i = 0; i < TOKEN_TYPES; i++)
    json_array_append_new(types, json_string(token_types[i]));
  return json_pack("{s:o, s:[s, s, s, s]}", "tokenTypes", types, "tokenModifiers", "declaration", "readonly",
                   "defaultLibrary", "modification");
}

static int modifiers(const struct psl_name *name) {
  bool constant = name->kind == PSL_NAME_PARAM || name->kind == PSL_NAME_LET || name->kind == PSL_NAME_INDEX;
  return (name->declares ? DECLARATION : 0) | (constant ? READONLY : 0) | (name->library ? LIBRARY : 0) |
         (name->assigned ? MODIFICATION : 0);
}

static json_int_t number_of(json_t *position, const char *member) {
  return json_integer_value(json_object_get(position, member));
}

/* Each as five numbers: lines and characters behind the one before, its length, what it is. */
void write_tokens(struct server *server, json_t *params, struct written *out, struct failure *failure) {
  const struct psl_name *names;
  size_t count;
  struct position last = {0};
  struct document *d = params_document(server, params, failure);
  if (!d) return;
  if (psl_names(document_model(d), d->path, &names, &count) != PSL_OK) count = 0;
  written_open(out, '{');
  written_member(out, "data");
  written_open(out, '[');
  for (size_t i = 0; i < count; i++) {
    const struct psl_place *place = &names[i].place;
    if (place->end_line != place->line) continue; /* words of an attribute on two lines */
    struct position at = document_position(d, place->line, place->column);
    struct position end = document_position(d, place->end_line, place->end_column);
    written_number(out, (json_int_t)(at.line - last.line));
    written_number(out, (json_int_t)(at.character - (at.line == last.line ? last.character : 0)));
    written_number(out, (json_int_t)(end.character - at.character));
    written_number(out, (json_int_t)names[i].kind);
    written_number(out, modifiers(&names[i]));
    last = at;
  }
  written_close(out, ']');
  written_close(out, '}');
}

/* ---- types ---- */

void write_hints(struct server *server, json_t *params, struct written *out, struct failure *failure) {
  enum { TYPE = 1 };
  const struct psl_hint *hints;
  size_t count;
  struct document *d = params_document(server, params, failure);
  json_t *range = json_object_get(params, "range"), *end = json_object_get(range, "end");
  json_int_t first = number_of(json_object_get(range, "start"), "line");
  json_int_t last = json_is_object(end) ? number_of(end, "line") : (json_int_t)1 << 40;
  if (!d) return;
  if (psl_hints(document_model(d), d->path, &hints, &count) != PSL_OK) count = 0;
  written_open(out, '[');
  for (size_t i = 0; i < count; i++) {
    struct position at = document_position(d, hints[i].line, hints[i].column);
    if ((json_int_t)at.line < first || (json_int_t)at.line > last) continue;
    written_open(out, '{');
    written_position(out, "position", at);
    written_member(out, "label");
    written_string(out, hints[i].text);
    written_member(out, "kind");
    written_number(out, TYPE);
    written_close(out, '}');
  }
  written_close(out, ']');
}

/* ---- folding ---- */

void write_folds(struct server *server, json_t *params, struct written *out, struct failure *failure) {
  const struct psl_fold *folds;
  size_t count;
  struct document *d = params_document(server, params, failure);
  if (!d) return;
  if (psl_folds(document_model(d), d->path, &folds, &count) != PSL_OK) count = 0;
  written_open(out, '[');
  for (size_t i = 0; i < count; i++) {
    const struct psl_place *place = &folds[i].place;
    written_open(out, '{');
    written_member(out, "startLine");
    written_number(out, (json_int_t)document_position(d, place->line, place->column).line);
    written_member(out, "endLine");
    written_number(out, (json_int_t)document_position(d, place->end_line, place->end_column).line);
    if (folds[i].comment) {
      written_member(out, "kind");
      written_string(out, "comment");
    }
    written_close(out, '}');
  }
  written_close(out, ']');
}
