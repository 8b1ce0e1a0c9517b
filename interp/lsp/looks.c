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

json_t *answer_tokens(struct server *server, json_t *params, struct failure *failure) {
  const struct psl_name *names;
  size_t count;
  json_int_t line = 0, character = 0;
  struct document *d = params_document(server, params, failure);
  if (!d) return NULL;
  json_t *data = json_array();
  if (psl_names(document_model(d), d->path, &names, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++) {
    if (names[i].place.end_line != names[i].place.line) continue; /* words of an attribute on two lines */
    json_t *range = range_of(&d->text, server->encoding, &names[i].place);
    json_t *start = json_object_get(range, "start");
    json_int_t at = number_of(start, "line"), begin = number_of(start, "character");
    json_int_t length = number_of(json_object_get(range, "end"), "character") - begin;
    json_int_t token[] = {at - line, at == line ? begin - character : begin, length, (json_int_t)names[i].kind,
                          modifiers(&names[i])};
    for (size_t k = 0; k < sizeof token / sizeof *token; k++)
      json_array_append_new(data, json_integer(token[k]));
    line = at;
    character = begin;
    json_decref(range);
  }
  return json_pack("{s:o}", "data", data);
}

/* ---- types ---- */

json_t *answer_hints(struct server *server, json_t *params, struct failure *failure) {
  enum { TYPE = 1 };
  const struct psl_hint *hints;
  size_t count;
  struct document *d = params_document(server, params, failure);
  json_t *range = json_object_get(params, "range"), *end = json_object_get(range, "end");
  json_int_t first = number_of(json_object_get(range, "start"), "line");
  json_int_t last = json_is_object(end) ? number_of(end, "line") : (json_int_t)1 << 40;
  if (!d) return NULL;
  json_t *list = json_array();
  if (psl_hints(document_model(d), d->path, &hints, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++) {
    size_t offset = text_at(&d->text, hints[i].line, hints[i].column);
    json_t *position = text_position(&d->text, server->encoding, offset);
    json_int_t line = number_of(position, "line");
    if (line >= first && line <= last)
      json_array_append_new(list,
                            json_pack("{s:O, s:s, s:i}", "position", position, "label", hints[i].text, "kind", TYPE));
    json_decref(position);
  }
  return list;
}

/* ---- folding ---- */

json_t *answer_folds(struct server *server, json_t *params, struct failure *failure) {
  const struct psl_fold *folds;
  size_t count;
  struct document *d = params_document(server, params, failure);
  if (!d) return NULL;
  json_t *list = json_array();
  if (psl_folds(document_model(d), d->path, &folds, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++) {
    json_t *range = range_of(&d->text, server->encoding, &folds[i].place);
    json_t *fold = json_pack("{s:I, s:I}", "startLine", number_of(json_object_get(range, "start"), "line"), "endLine",
                             number_of(json_object_get(range, "end"), "line"));
    if (folds[i].comment) json_object_set_new(fold, "kind", json_string("comment"));
    json_array_append_new(list, fold);
    json_decref(range);
  }
  return list;
}
