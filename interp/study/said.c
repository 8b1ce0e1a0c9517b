/* What runs of points say, to whoever has the plan: each error and each warning once, whatever the values were
 * that made it and the figures are that it names. Only the first few errors, warnings and notes are shown whole; at the
 * end, of how many points warnings are. */
#include "interp/study/study.h"
#include "interp/report/report.h"

#include <string.h>

bool study_said_unsound(const char *warning) {
  static const char *const begins[] = {UNSOUND_STATE, UNSOUND_WIDTH, UNSOUND_VARIANCE, UNSOUND_MEAN};
  for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
    if (!strncmp(warning, begins[b], strlen(begins[b]))) return true;
  return false;
}

void study_said_left_out(struct psl *psl, const char *system, const struct psl_results *results,
                         const struct handle_catch *caught) {
  const char *text = report_left_out(&psl->work, results);
  diagnostic_flush(&psl->diagnostics);
  if (!text || (caught->warnings.size && strstr(caught->warnings.data, PSL_LEAVES_OUT))) return;
  diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, handle_system(psl, system)->symbol->span, "%s", text);
}

static bool has_line(struct arena *scratch, const struct text *text, const char *wanted) {
  const char *at = text->size ? text->data : "", *line;
  while ((line = text_next_line(scratch, &at)))
    if (!strcmp(line, wanted)) return true;
  return false;
}

void study_said_add_lines(struct arena *scratch, struct text *text, const char *more) {
  for (const char *line; (line = text_next_line(scratch, &more));)
    if (!has_line(scratch, text, line)) text_add_line(text, line);
}

static struct study_said_item *find(struct study_said *said, const char *what) {
  for (size_t i = 0; i < said->count; i++)
    if (text_alike(said->items[i].what, what)) return &said->items[i];
  return NULL;
}

static size_t shown_count(const struct study_said *said, enum psl_severity severity) {
  size_t count = 0;
  for (size_t i = 0; i < said->count; i++)
    count += said->items[i].shown && said->items[i].severity == severity;
  return count;
}

/* Is it to be shown? Not where it was said before or there is no more room; a warning is kept for the end then. */
static bool note(struct study_said *said, struct arena *arena, enum psl_severity severity, const char *what) {
  bool shown = shown_count(said, severity) < STUDY_SAID_MOST;
  if (find(said, what) || (!shown && severity != PSL_WARNING)) return false;
  said->more |= said->count == STUDY_SAID_KEPT;
  if (said->count == STUDY_SAID_KEPT) return false;
  said->items[said->count++] =
      (struct study_said_item){.what = arena_copy(arena, what, strlen(what)), .severity = severity, .shown = shown};
  return shown;
}

void study_said_error(struct study_said *said, struct psl *psl, const char *text, const char *error) {
  if (note(said, &psl->handed, PSL_ERROR, error)) handle_say_again(psl, PSL_ERROR, text);
}

bool study_said_row(struct study_said *said, struct psl *psl, const struct study_row *row) {
  bool new = false;
  if (row->error && *row->said) study_said_error(said, psl, row->said, row->error);
  if (row->error || !*row->said) return false;
  for (const char *at = row->warnings, *line; (line = text_next_line(&psl->work, &at));)
    new |= note(said, &psl->handed, PSL_WARNING, line);
  if (!*row->warnings) new = note(said, &psl->handed, PSL_NOTE, row->said);
  if (new) handle_say_again(psl, *row->warnings ? PSL_WARNING : PSL_NOTE, row->said);
  return new;
}

void study_said_line(struct study_said *said, struct study_plan *plan, const struct study_point *point,
                     const struct study_line *line) {
  struct psl *psl = plan->psl;
  bool counted[STUDY_SAID_KEPT] = {false};
  for (const char *at = line->warnings, *warning; (warning = text_next_line(&psl->work, &at));) {
    struct study_said_item *item = find(said, warning);
    if (!item || counted[item - said->items]) continue;
    counted[item - said->items] = true;
    const char *place = item->points++ ? NULL : study_place(plan, point);
    if (place) item->place = arena_copy(&psl->handed, place, strlen(place));
  }
}

const char *study_said_text(struct arena *arena, const struct study_said_item *item, uint64_t points) {
  struct text text = {.arena = arena};
  if (!item->points) return NULL;
  if (item->points > 1)
    text_printf(&text, " at %llu of %llu points, first at %s", (unsigned long long)item->points,
                (unsigned long long)points, item->place);
  else if (points > 1)
    text_printf(&text, " at %s", item->place);
  text_printf(&text, ": %s", item->what);
  return text.data;
}

void study_said_close(const struct study_said *said, struct psl *psl, uint64_t points) {
  for (size_t i = 0; i < said->count; i++)
    if (said->items[i].points > said->items[i].shown)
      diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0}, "warned%s",
                     study_said_text(&psl->work, &said->items[i], points));
  if (said->more) diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0}, "%s", STUDY_SAID_MORE);
}
