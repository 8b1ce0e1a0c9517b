/* What stands above systems and studies, to be run, and above requests: where each goes for the params as they are. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

static void add_lens(json_t *list, struct document *d, const struct psl_outlined *item, const char *title,
                     const char *command) {
  json_array_append_new(list, json_pack("{s:o, s:{s:s, s:s, s:[s, s]}}", "range",
                                        range_of(&d->text, d->server->encoding, &item->name_place), "command", "title",
                                        title, "command", command, "arguments", d->uri, item->name));
}

json_t *answer_lenses(struct server *server, json_t *params, struct failure *failure) {
  const struct psl_outlined *items;
  const struct psl_match *matches;
  size_t count;
  struct document *d = params_document(server, params, failure);
  if (!d) return NULL;
  json_t *list = json_array();
  struct psl *psl = document_model(d);
  if (psl_outline(psl, d->path, &items, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind == PSL_NAME_SYSTEM) {
      add_lens(list, d, &items[i], "run", "psl.run");
      add_lens(list, d, &items[i], "check", "psl.check");
    }
    if (items[i].kind == PSL_NAME_STUDY) add_lens(list, d, &items[i], "study", "psl.study");
  }
  if (document_matches(d, &matches, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_pack("{s:o, s:{s:s, s:s}}", "range",
                                          range_of(&d->text, server->encoding, &matches[i].place), "command", "title",
                                          matches[i].text, "command", ""));
  return list;
}
