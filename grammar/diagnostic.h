/* Diagnostics: collected with their spans, notes and help, handed to a callback when complete.
 *
 * A diagnostic is begun by diagnostic_add, gets notes, and is delivered by the next diagnostic_add
 * or diagnostic_flush.  Texts begin lower case and end without a full stop. */
#ifndef PSL_DIAGNOSTIC_H
#define PSL_DIAGNOSTIC_H
#include "source.h"
#include <stdarg.h>

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITY_HELP };
const char *severity_name(enum severity severity); /* "error", ... */

struct diagnostic_note {
  enum severity severity; /* NOTE or HELP */
  struct span span;       /* may be none */
  const char *text;
  struct span replaced; /* of "did you mean 'X'?": what X is written in place of; none: it is not known */
  const char *replacement;
};

struct diagnostic {
  enum severity severity; /* ERROR or WARNING, or NOTE for one that stands alone */
  struct span span;
  const char *text;
  struct diagnostic_note *notes;
  size_t note_count, note_capacity;
};

typedef void diagnostic_sink(void *user, const struct sources *sources, const struct diagnostic *diagnostic);

struct diagnostics {
  struct arena arena; /* texts of the one in hand */
  const struct sources *sources;
  diagnostic_sink *sink;
  void *user;
  struct diagnostic current;
  bool open;
  unsigned errors, warnings;
  bool misuse;    /* the first error is of what the caller asked for: of a text of the command line, or its names */
  bool unheard;   /* nobody is told: what needs a warning must wait for another time */
  bool mild;      /* what is said may never happen: errors are warnings */
  unsigned limit; /* after so many errors one says so and the rest are counted only (0: none) */
};

void diagnostic_add(struct diagnostics *d, enum severity severity, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An error of what the caller asked for, which stands in no text: a name of nothing, something left out. */
void diagnostic_misuse(struct diagnostics *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diagnostic_note(struct diagnostics *d, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Help that is worded "did you mean 'X'?" carries X as data, too: it is written in place of what stands at the note's
 * span, else of what the message quotes of the text at its own. */
void diagnostic_help(struct diagnostics *d, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts the one in hand at another place, with `more` behind its text. */
void diagnostic_move(struct diagnostics *d, struct span span, const char *more);
/* Is the one in hand told, or counted only? */
static inline bool diagnostics_told(const struct diagnostics *d) { return !d->limit || d->errors <= d->limit; }
void diagnostic_flush(struct diagnostics *d);

enum diagnostic_format { DIAGNOSTIC_FULL, DIAGNOSTIC_SHORT, DIAGNOSTIC_JSON };
/* The text of a diagnostic as style of `format`, in `arena`.
 * full:  file:line:col: error: text / the line / a caret under the span / notes the same way
 * short: file:line:col: error: text (a line a diagnostic, notes left out)
 * each ends in a newline
 * json:  one object a line: severity, message, file, line, column, endLine, endColumn, notes[]
 * room: columns of the terminal, at which lines are broken between words; 0: there is no end of them */
const char *diagnostic_render(struct arena *arena, const struct sources *sources, const struct diagnostic *diagnostic,
                              enum diagnostic_format format, bool color, unsigned room);

/* The best of `candidates` for a misspelt `word` (Damerau-Levenshtein, case folded, at most a third
 * of the letters, at least one), or NULL; the first of equals in the order given. */
const char *nearest_name(const char *word, const char *const *candidates, size_t count);
/* The one that a word which may stand there is likely to be meant for: one letter is another, too many or missing, or
 * two have changed places. */
const char *misspelt_name(const char *word, const char *const *candidates, size_t count);
#endif
