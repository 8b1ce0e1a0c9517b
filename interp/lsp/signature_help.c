/* What a call takes, while its arguments are written. */
#include "interp/lsp/server.h"

#include <string.h>

json_t *answer_signature(struct server *server, json_t *params, struct failure *failure) {
  unsigned line, column;
  const struct psl_signature *found;
  struct document *d = params_place(server, params, &line, &column, failure);
  if (!d || psl_signature_at(document_model(d), d->path, line, column, &found) != PSL_OK || !found) return NULL;
  json_t *parts = json_array();
  struct text label = text_of(memory_copy(found->label, strlen(found->label)), strlen(found->label));
  for (size_t i = 0; i < found->count; i++) {
    json_t *range = text_range(&label, server->encoding, text_at(&label, 1, (unsigned)found->parts[i].begin + 1),
                               text_at(&label, 1, (unsigned)found->parts[i].end + 1));
    json_array_append_new(parts, json_pack("{s:[O, O]}", "label",
                                           json_object_get(json_object_get(range, "start"), "character"),
                                           json_object_get(json_object_get(range, "end"), "character")));
    json_decref(range);
  }
  text_drop(&label);
  json_t *signature = json_pack("{s:s, s:o}", "label", found->label, "parameters", parts);
  if (found->doc) json_object_set_new(signature, "documentation", json_string(found->doc));
  return json_pack("{s:[o], s:i, s:I}", "signatures", signature, "activeSignature", 0, "activeParameter",
                   (json_int_t)found->active);
}
