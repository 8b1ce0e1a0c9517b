/* What is wrong, kept from the user till it is known what becomes of it: for work that may fail, as a point of a study. */
#include "interp/library/handle.h"

#include <stdio.h>

static void take(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  static const enum diagnostic_format formats[] = {DIAGNOSTIC_FULL, DIAGNOSTIC_SHORT, DIAGNOSTIC_JSON};
  struct handle_catch *caught = user;
  const struct psl_options *options = &caught->psl->options;
  text_put(&caught->said, diagnostic_render(caught->said.arena, sources, diagnostic,
                                            formats[options->diagnostic_format], options->diagnostic_color));
  if (diagnostic->severity == SEVERITY_ERROR && !*caught->error)
    snprintf(caught->error, sizeof caught->error, "%s", diagnostic->text);
}

void handle_catch(struct handle_catch *caught, struct psl *psl) {
  struct diagnostics *d = &psl->diagnostics;
  diagnostic_flush(d);
  arena_close(&psl->said);
  caught->psl = psl;
  caught->kept = *d;
  caught->said = (struct text){.arena = &psl->said};
  *caught->error = 0;
  text_put(&caught->said, "");
  d->sink = take;
  d->user = caught;
  d->errors = d->warnings = 0;
}

void handle_release(struct handle_catch *caught) {
  struct diagnostics *d = &caught->psl->diagnostics;
  diagnostic_flush(d);
  d->sink = caught->kept.sink;
  d->user = caught->kept.user;
  d->errors = caught->kept.errors;
  d->warnings = caught->kept.warnings;
}
