/* Diagnostics as the user of the library gets them, or kept from him till it is known what becomes of them: for work
 * that may fail, as a point of a study. */
#include "grammar/habits.h"
#include "interp/library/handle.h"

#include <stdio.h>
#include <string.h>

static enum psl_severity severity_out(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR: return PSL_ERROR;
  case SEVERITY_WARNING: return PSL_WARNING;
  case SEVERITY_NOTE: return PSL_NOTE;
  case SEVERITY_HELP: return PSL_HELP;
  }
  return PSL_NOTE;
}

static enum severity severity_in(enum psl_severity severity) {
  switch (severity) {
  case PSL_ERROR: return SEVERITY_ERROR;
  case PSL_WARNING: return SEVERITY_WARNING;
  case PSL_NOTE: return SEVERITY_NOTE;
  case PSL_HELP: return SEVERITY_HELP;
  }
  return SEVERITY_NOTE;
}

static enum diagnostic_format format_in(enum psl_diagnostic_format format) {
  switch (format) {
  case PSL_FULL: return DIAGNOSTIC_FULL;
  case PSL_SHORT: return DIAGNOSTIC_SHORT;
  case PSL_JSON_LINES: return DIAGNOSTIC_JSON;
  }
  return DIAGNOSTIC_FULL;
}

struct psl_place handle_place(const struct sources *sources, struct span span) {
  return handle_place_near(sources, span, &(struct source_near){0});
}

struct psl_place handle_place_near(const struct sources *sources, struct span span, struct source_near *near) {
  struct place begin, end;
  source_places_near(sources, span, near, &begin, &end);
  if (!begin.source) return (struct psl_place){0};
  return (struct psl_place){begin.source->path, begin.line, begin.column, end.line, end.column};
}

/* In `arena`, for the call alone. */
static void hand_over(const struct psl_options *options, struct arena *arena, const struct sources *sources,
                      const struct diagnostic *diagnostic) {
  struct psl_note *notes = ARENA_ARRAY(arena, struct psl_note, diagnostic->note_count);
  for (size_t i = 0; i < diagnostic->note_count; i++) {
    const struct diagnostic_note *note = &diagnostic->notes[i];
    notes[i] = (struct psl_note){.severity = severity_out(note->severity),
                                 .place = handle_place(sources, note->span),
                                 .message = note->text,
                                 .replaced = handle_place(sources, note->replaced),
                                 .replacement = note->replacement};
  }
  struct psl_diagnostic out = {
      .severity = severity_out(diagnostic->severity),
      .place = handle_place(sources, diagnostic->span),
      .message = diagnostic->text,
      .notes = notes,
      .note_count = diagnostic->note_count,
      .text = diagnostic_render(arena, sources, diagnostic, format_in(options->diagnostic_format),
                                options->diagnostic_color, options->diagnostic_columns),
  };
  options->diagnostic(options->user, &out);
}

void handle_say(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct psl *psl = user;
  if (!psl->options.diagnostic) return;
  if (diagnostic->severity == SEVERITY_WARNING && session_said(psl, diagnostic)) return;
  hand_over(&psl->options, &psl->said, sources, diagnostic);
  arena_close(&psl->said);
}

void handle_say_again(struct psl *psl, enum psl_severity severity, const char *text) {
  if (psl->options.diagnostic)
    psl->options.diagnostic(psl->options.user,
                            &(struct psl_diagnostic){.severity = severity, .text = text, .message = text});
}

/* Needs no memory. */
static void say_plainly(const struct psl_options *options, enum psl_severity severity, const char *message) {
  char text[300];
  if (options->diagnostic_format == PSL_JSON_LINES)
    snprintf(text, sizeof text, "{\"severity\":\"%s\",\"message\":\"%s\",\"notes\":[]}\n",
             severity_name(severity_in(severity)), message);
  else
    snprintf(text, sizeof text, "psl: %s: %s\n", severity_name(severity_in(severity)), message);
  struct psl_diagnostic out = {.severity = severity, .message = message, .text = text};
  options->diagnostic(options->user, &out);
}

void handle_say_plainly(struct psl *psl, const char *message) {
  psl->diagnostics.errors++;
  if (psl->options.diagnostic) say_plainly(&psl->options, PSL_ERROR, message);
}

void psl_say(const struct psl_options *options, enum psl_severity severity, const char *message, const char *help) {
  struct memory memory = {0};
  struct arena arena;
  struct diagnostic_note note = {.severity = SEVERITY_HELP, .text = help};
  struct diagnostic diagnostic = {
      .severity = severity_in(severity), .text = message, .notes = &note, .note_count = help != NULL};
  struct sources none = {.arena = &arena};
  jmp_buf guard;
  if (!options->diagnostic) return;
  arena_open(&arena, &memory);
  memory.guard = &guard;
  if (setjmp(guard))
    say_plainly(options, severity, message);
  else
    hand_over(options, &arena, &none, &diagnostic);
  arena_close(&arena);
}

const char *psl_advice(const char *word) {
  const char *help = habit_help(HABIT_COLON, word, strlen(word));
  return help ? help : habit_help(HABIT_INPUT, word, strlen(word));
}

const char *psl_nearest(const char *word, const char *const *candidates, size_t count) {
  return nearest_name(word, candidates, count);
}

/* ---- what is kept for later ---- */

/* The message, and the line that it is about: of a file its name, since folders are another matter elsewhere. */
static const char *kept_text(struct arena *arena, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct place place = source_place(sources, diagnostic->span.begin);
  const char *path = place.source ? place.source->path : NULL, *folder = path ? strrchr(path, '/') : NULL;
  if (!path || !strncmp(path, "--", 2)) return diagnostic->text; /* what an option has given is a column of the point */
  return arena_printf(arena, "%s (%s:%u)", diagnostic->text, folder ? folder + 1 : path, place.line);
}

static void take(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct handle_catch *caught = user;
  const struct psl_options *options = &caught->psl->options;
  text_put(&caught->said,
           diagnostic_render(caught->said.arena, sources, diagnostic, format_in(options->diagnostic_format),
                             options->diagnostic_color, options->diagnostic_columns));
  const char *kept = kept_text(caught->said.arena, sources, diagnostic);
  if (diagnostic->severity == SEVERITY_ERROR && !*caught->error)
    snprintf(caught->error, sizeof caught->error, "%s", kept);
  if (caught->psl->resolving) return;
  if (diagnostic->severity == SEVERITY_WARNING) text_add_line(&caught->warnings, kept);
  if (diagnostic->severity == SEVERITY_NOTE) text_add_line(&caught->notes, kept);
}

void handle_catch(struct handle_catch *caught, struct psl *psl) {
  struct diagnostics *d = &psl->diagnostics;
  diagnostic_flush(d);
  arena_reset(&psl->said);
  caught->psl = psl;
  psl->resolving = false;
  caught->kept = *d;
  caught->said = caught->warnings = caught->notes = (struct text){.arena = &psl->said};
  *caught->error = 0;
  text_put(&caught->said, "");
  text_put(&caught->warnings, "");
  text_put(&caught->notes, "");
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
