/* Measurements as files have them: a table of numbers with a place in the text for each, from CSV or
 * Extra-P's formats, text and JSON lines.  Units and the choice of columns are others' business. */
#ifndef PSL_MEASUREMENTS_H
#define PSL_MEASUREMENTS_H
#include "grammar/diagnostic.h"

struct measurement_column {
  const char *name, *unit; /* unit: what stands in brackets behind the name, or NULL */
  struct span span, unit_span;
};

/* Rows that belong together: all of a CSV file; of Extra-P's, those of a region and a metric. */
struct measurement_set {
  const char *region, *metric; /* NULL: none */
  struct span span;
  uint32_t first, count; /* rows */
};

struct measurements {
  const struct source *source;
  bool extrap;    /* Extra-P's: the last column is what was measured, the others are parameters */
  bool comma;     /* numbers have a decimal comma */
  char separator; /* of cells, in CSV */
  struct measurement_column *columns;
  uint32_t column_count, column_capacity;
  /* by row and column; a cell without a number (a word, nothing) is NaN */
  double *values;
  struct span *places;
  uint32_t row_count, value_count, value_capacity, place_count, place_capacity;
  struct measurement_set *sets;
  uint32_t set_count, set_capacity;
};

/* Reads a source in one of these formats, which it tells by the first line. false after diagnostics. */
bool measurements_read(struct arena *arena, struct diagnostics *d, const struct source *source,
                       struct measurements *out);

bool column_is_whole(const struct measurements *measurements, uint32_t column);
/* Has it words in cells, and no number in any? */
bool column_is_text(const struct measurements *measurements, uint32_t column);
bool column_is_empty(const struct measurements *measurements, uint32_t column);
/* What stands in a cell, without the quotes around it. */
const char *measurement_text(struct arena *arena, const struct measurements *measurements, struct span place);

/* ---- for the readers ---- */
bool measurements_read_extrap(struct arena *arena, struct diagnostics *d, const struct source *source,
                              struct measurements *out);
bool measurements_read_jsonl(struct arena *arena, struct diagnostics *d, const struct source *source,
                             struct measurements *out); /* it has a line that begins with `{` */
/* Where the text begins, behind a byte order mark. */
uint32_t measurements_begin(const struct source *source);
/* The line that begins there, without its end; `at` goes to the next one. false: there is none. */
bool measurements_line(const struct source *source, size_t *at, const char **begin, const char **end);
/* A whole text as a finite number; `exponent`: one may stand behind it. */
bool measurement_number(const char *text, size_t length, bool exponent, double *out);
#endif
