/* What can be done about what psl has said: each "did you mean" as an edit. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

static bool number_at(json_t *range, const char *end, unsigned *line) {
  json_t *number = json_object_get(json_object_get(range, end), "line");
  *line = (unsigned)json_integer_value(number) + 1;
  return json_is_integer(number);
}

static json_t *action_of(struct document *d, const struct diagnosed *said, const struct noted *note) {
  struct psl_place place = note->replaced;
  struct text own = {0};
  const struct text *text = text_of_path(d->server, note->replaced_path, &own);
  if (!text) return NULL;
  size_t begin = text_at(text, place.line, place.column), end = text_at(text, place.end_line, place.end_column);
  struct chars title = {0};
  chars_put(&title, "write '%s' in place of '", note->replacement);
  chars_add(&title, text->data + begin, end - begin);
  chars_add(&title, "'", 1);
  json_t *edit =
      json_pack("{s:o, s:s}", "range", text_range(text, d->server->encoding, begin, end), "newText", note->replacement);
  char *uri = file_uri(d->server, note->replaced_path);
  json_t *action = json_pack("{s:s, s:s, s:b, s:[o], s:{s:{s:[o]}}}", "title", title.data, "kind", "quickfix",
                             "isPreferred", 1, "diagnostics", diagnosed_json(d, said), "edit", "changes", uri, edit);
  free(uri);
  chars_drop(&title);
  text_drop(&own);
  return action;
}

json_t *answer_actions(struct server *server, json_t *params, struct failure *failure) {
  unsigned first, last;
  struct document *d = params_document(server, params, failure);
  json_t *range = json_object_get(params, "range"), *list = json_array();
  if (!d) return NULL;
  if (!number_at(range, "start", &first) || !number_at(range, "end", &last)) {
    json_decref(list);
    return fail(failure, INVALID_PARAMS, "the params have no range");
  }
  document_model(d);
  document_sort_said(d);
  for (size_t i = 0; i < d->said_count; i++) {
    const struct diagnosed *said = &d->said[i];
    if (said->path && strcmp(said->path, d->path)) continue;
    for (size_t k = 0; k < said->note_count; k++) {
      const struct noted *note = &said->notes[k];
      bool near = said->place.line <= last && said->place.end_line >= first;
      json_t *action = near && note->replacement && note->replaced_path ? action_of(d, said, note) : NULL;
      if (action) json_array_append_new(list, action);
    }
  }
  return list;
}
