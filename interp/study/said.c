/* What runs of points say, to whoever has the plan: each error and each warning once, whatever the values were
 * that made it, and only so much of it; at the end, of how many points warnings are. */
#include "interp/study/study.h"

#include <string.h>

static bool is_known(const struct study_said *said, const char *what) {
  for (size_t i = 0; i < said->count; i++)
    if (!strcmp(said->items[i].what, what)) return true;
  return false;
}

/* Of what is said for the first time; false: it was said before, or there is no more room. */
static bool note(struct study_said *said, struct arena *arena, const char *what) {
  if (said->count == STUDY_SAID_MOST || is_known(said, what)) return false;
  said->items[said->count++].what = arena_copy(arena, what, strlen(what));
  return true;
}

static void hand_over(struct psl *psl, enum psl_severity severity, const char *text) {
  if (psl->options.diagnostic)
    psl->options.diagnostic(psl->options.user,
                            &(struct psl_diagnostic){.severity = severity, .text = text, .message = text});
}

void study_said_error(struct study_said *said, struct psl *psl, const char *text, const char *error) {
  if (note(said, &psl->handed, error)) hand_over(psl, PSL_ERROR, text);
}

void study_said_row(struct study_said *said, struct psl *psl, const struct study_row *row) {
  bool new = false;
  if (row->error && *row->said) study_said_error(said, psl, row->said, row->error);
  if (row->error || !*row->said) return;
  for (const char *at = row->warnings, *line; (line = text_next_line(&psl->work, &at));)
    new |= note(said, &psl->handed, line);
  if (!*row->warnings) new = note(said, &psl->handed, row->said);
  if (new) hand_over(psl, *row->warnings ? PSL_WARNING : PSL_NOTE, row->said);
}

void study_said_line(struct study_said *said, struct psl *psl, const struct study_line *line) {
  for (const char *at = line->warnings, *warning; (warning = text_next_line(&psl->work, &at));)
    for (size_t i = 0; i < said->count; i++)
      said->items[i].points += !strcmp(said->items[i].what, warning);
}

void study_said_close(const struct study_said *said, struct psl *psl, uint64_t points) {
  for (size_t i = 0; i < said->count; i++)
    if (said->items[i].points > 1)
      diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0}, "%llu of %llu points: %s",
                     (unsigned long long)said->items[i].points, (unsigned long long)points, said->items[i].what);
}
