/* What of a component or a system a form can show: the values that stand in its text, with what is known of each. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {[PSL_FIELD_VALUE] = "value",
                                    [PSL_FIELD_ATTRIBUTE] = "attribute",
                                    [PSL_FIELD_SET] = "set",
                                    [PSL_FIELD_GIVEN] = "given"};

static json_t *field_json(const struct document *d, const struct psl_field *field) {
  size_t begin = text_at(&d->text, field->place.line, field->place.column);
  size_t end = text_at(&d->text, field->place.end_line, field->place.end_column);
  json_t *one = json_pack("{s:s, s:s, s:s, s:o}", "part", field->part, "label", field->label, "kind",
                          kinds[field->kind], "value", json_stringn(d->text.data + begin, end - begin));
  if (field->requested)
    json_object_update_new(one, json_pack("{s:s, s:i}", "requested", field->requested, "request", field->request - 1));
  return one;
}

/* The terms and values that an attribute may have. */
static void add_known(json_t *one, struct document *d, const struct psl_place *place) {
  const struct psl_completion *completion;
  json_t *known = json_array();
  if (psl_complete_at(document_model(d), d->path, place->line, place->column, &completion) == PSL_OK && completion)
    for (size_t i = 0; i < completion->count; i++)
      if (completion->kinds[i] == PSL_NAME_TERM) json_array_append_new(known, json_string(completion->words[i]));
  json_object_set_new(one, "known", known);
}

json_t *answer_fields(struct server *server, json_t *params, struct failure *failure) {
  const char *component = json_string_value(json_object_get(params, "component"));
  const struct psl_field *fields;
  struct document *d = params_document(server, params, failure);
  size_t count, i;
  json_t *list, *one;
  if (!d) return NULL;
  if (!component) return fail(failure, INVALID_PARAMS, "the params have no component");
  if (psl_fields(document_model(d), d->path, component, &fields, &count) != PSL_OK) count = 0;
  list = json_array();
  struct psl_place *places = memory_more(NULL, (count + 1) * sizeof *places);
  for (i = 0; i < count; i++) {
    places[i] = fields[i].place;
    json_array_append_new(list, field_json(d, &fields[i]));
  }
  json_array_foreach(list, i, one) {
    if (strcmp(json_string_value(json_object_get(one, "kind")), kinds[PSL_FIELD_ATTRIBUTE]) != 0) continue;
    add_known(one, d, &places[i]);
  }
  free(places);
  return list;
}
