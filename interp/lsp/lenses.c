/* What stands above systems and studies, to be run, and above requests: where each goes for the params as they are. */
#include "interp/lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* The command takes the text and the name of what stands there; none: it only says something. */
static void put_lens(struct written *out, const struct document *d, const struct psl_place *place, const char *title,
                     const char *command, const char *name) {
  written_open(out, '{');
  written_range(out, "range", d, place);
  written_member(out, "command");
  written_open(out, '{');
  written_member(out, "title");
  written_string(out, title);
  written_member(out, "command");
  written_string(out, command);
  if (*command) {
    written_member(out, "arguments");
    written_open(out, '[');
    written_string(out, d->uri);
    written_string(out, name);
    written_close(out, ']');
  }
  written_close(out, '}');
  written_close(out, '}');
}

void write_lenses(struct server *server, json_t *params, struct written *out, struct failure *failure) {
  const struct psl_outlined *items;
  const struct psl_match *matches;
  size_t count;
  struct document *d = params_document(server, params, failure);
  if (!d) return;
  written_open(out, '[');
  struct psl *psl = document_model(d);
  if (psl_outline(psl, d->path, &items, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++) {
    const struct psl_place *place = &items[i].name_place;
    if (items[i].kind == PSL_NAME_SYSTEM) {
      put_lens(out, d, place, "run", "psl.run", items[i].name);
      put_lens(out, d, place, "check", "psl.check", items[i].name);
    }
    if (items[i].kind == PSL_NAME_STUDY) put_lens(out, d, place, "study", "psl.study", items[i].name);
  }
  if (document_matches(d, &matches, &count) != PSL_OK) count = 0;
  for (size_t i = 0; i < count; i++)
    put_lens(out, d, &matches[i].place, matches[i].text, "", "");
  written_close(out, ']');
}
