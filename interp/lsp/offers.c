/* What could be written at a place. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* The protocol's kinds of what can be written. */
static int completion_kind(enum psl_name_kind kind) {
  enum { FUNCTION = 3, FIELD = 5, VARIABLE = 6, CLASS = 7, INTERFACE = 8, MODULE = 9, PROPERTY = 10, UNIT = 11 };
  enum { KEYWORD = 14, FILE_KIND = 17, ENUM_MEMBER = 20, CONSTANT = 21, STRUCT = 22, EVENT = 23, TYPE = 25 };
  switch (kind) {
  case PSL_NAME_FILE: return FILE_KIND;
  case PSL_NAME_PARAM: return PROPERTY;
  case PSL_NAME_LET: return CONSTANT;
  case PSL_NAME_VAR:
  case PSL_NAME_LOCAL:
  case PSL_NAME_INDEX: return VARIABLE;
  case PSL_NAME_REQUEST:
  case PSL_NAME_FUNCTION: return FUNCTION;
  case PSL_NAME_EVALUATOR: return MODULE;
  case PSL_NAME_UNIT: return UNIT;
  case PSL_NAME_TYPE: return TYPE;
  case PSL_NAME_DOMAIN: return MODULE;
  case PSL_NAME_ATTRIBUTE: return FIELD;
  case PSL_NAME_TERM: return ENUM_MEMBER;
  case PSL_NAME_TRANSACTION:
  case PSL_NAME_PROTOCOL: return INTERFACE;
  case PSL_NAME_COMPONENT: return CLASS;
  case PSL_NAME_SYSTEM: return STRUCT;
  case PSL_NAME_STUDY: return EVENT;
  case PSL_NAME_RECORD:
  case PSL_NAME_FIELD: return FIELD;
  case PSL_NAME_WORD: return KEYWORD;
  }
  return VARIABLE;
}

json_t *answer_completion(struct server *server, json_t *params, struct failure *failure) {
  unsigned line, column;
  const struct psl_completion *completion;
  struct document *d = params_place(server, params, &line, &column, failure);
  json_t *items = json_array();
  if (!d) return NULL;
  if (psl_complete_at(document_model(d), d->path, line, column, &completion) == PSL_OK && completion) {
    struct psl_place word = {NULL, line, (unsigned)completion->begin + 1, line, column};
    for (size_t i = 0; i < completion->count; i++) {
      json_t *edit = json_pack("{s:o, s:s}", "range", range_of(&d->text, server->encoding, &word), "newText",
                               completion->words[i]);
      json_array_append_new(items,
                            json_pack("{s:s, s:i, s:o, s:{s:s}}", "label", completion->words[i], "kind",
                                      completion_kind(completion->kinds[i]), "textEdit", edit, "data", "uri", d->uri));
    }
  }
  return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", items);
}

/* What is known of one of them is looked up when the client shows it. */
json_t *answer_resolve(struct server *server, json_t *params, struct failure *failure) {
  json_t *label = json_object_get(params, "label"), *uri = json_object_get(json_object_get(params, "data"), "uri");
  struct document *d = json_is_string(uri) ? document_find(server, json_string_value(uri)) : NULL;
  struct chars known = {0};
  if (!json_is_string(label)) return fail(failure, INVALID_PARAMS, "the item has no label");
  json_t *item = json_copy(params);
  if (d) psl_describe_name(document_model(d), json_string_value(label), chars_take, &known);
  if (known.size)
    json_object_set_new(item, "documentation", json_pack("{s:s, s:s}", "kind", "plaintext", "value", known.data));
  chars_drop(&known);
  return item;
}
