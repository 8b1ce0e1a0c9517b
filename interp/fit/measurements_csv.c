/* Tables of measurements as CSV: a line of names, `n` or `time [ms]`, then a line a measurement.  What psl
 * writes with --format csv is read back; cells of words are for columns that nobody fits. */
#include "interp/fit/measurements.h"
#include "grammar/characters.h"
#include "grammar/map.h"
#include "grammar/name.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool measurement_number(const char *text, size_t length, bool exponent, double *out) {
  char copy[64];
  size_t at = length && (*text == '-' || *text == '+'), digits = 0;
  if (length >= sizeof copy) return false;
  for (; at < length && isdigit((unsigned char)text[at]); at++)
    digits++;
  if (at < length && text[at] == '.' && (digits || exponent)) at++;
  for (; at < length && isdigit((unsigned char)text[at]); at++)
    digits++;
  if (!digits) return false;
  if (exponent && at < length && (text[at] == 'e' || text[at] == 'E')) {
    at++;
    at += at < length && (text[at] == '-' || text[at] == '+');
    size_t begin = at;
    while (at < length && isdigit((unsigned char)text[at]))
      at++;
    if (at == begin) return false;
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  *out = strtod(copy, NULL);
  return at == length && isfinite(*out);
}

/* ---- cells ---- */

struct csv {
  struct arena *arena;
  struct diagnostics *d;
  const struct source *source;
  uint32_t at;
  char separator;     /* of cells; of other ones than ',' numbers may have a decimal comma */
  char decimal;       /* that of the first number that has one; 0: none has yet */
  struct names names; /* of columns, */
  struct map places;  /* and where these stand */
};
struct cell {
  const char *text; /* without blanks around it and quotes */
  size_t length;
  struct span span;
  bool last; /* of its line */
};

static struct span span_at(const struct source *source, size_t begin, size_t end) {
  return (struct span){source->base + (uint32_t)begin, source->base + (uint32_t)end};
}

static bool at_line_end(const struct csv *csv) {
  const char *text = csv->source->text;
  return csv->at >= csv->source->size || text[csv->at] == '\n' ||
         (text[csv->at] == '\r' && (csv->at + 1 == csv->source->size || text[csv->at + 1] == '\n'));
}

static bool at_blank(const struct csv *csv) {
  char c = csv->source->text[csv->at];
  return !at_line_end(csv) && (c == ' ' || c == '\t') && c != csv->separator;
}

static void skip_blanks(struct csv *csv) {
  while (at_blank(csv))
    csv->at++;
}

static void next_line(struct csv *csv) {
  while (!at_line_end(csv))
    csv->at++;
  while (csv->at < csv->source->size && csv->source->text[csv->at++] != '\n')
    continue;
}

/* Two quotes in quotes are one. */
static bool quoted_cell(struct csv *csv, struct cell *cell) {
  const char *text = csv->source->text;
  uint32_t begin = csv->at++, inside = csv->at;
  while (!at_line_end(csv) && (text[csv->at] != '"' || text[csv->at + 1] == '"'))
    csv->at += text[csv->at] == '"' ? 2 : 1;
  cell->span = span_at(csv->source, begin, csv->at + !at_line_end(csv));
  if (at_line_end(csv)) {
    diagnostic_add(csv->d, SEVERITY_ERROR, cell->span, "this quoted text does not end on its line");
    return false;
  }
  char *out = arena_alloc(csv->arena, csv->at - inside + 1);
  for (uint32_t i = inside; i < csv->at; i++) {
    i += text[i] == '"';
    out[cell->length++] = text[i];
  }
  cell->text = out;
  csv->at++;
  return true;
}

static bool next_cell(struct csv *csv, struct cell *cell) {
  const char *text = csv->source->text;
  *cell = (struct cell){0};
  skip_blanks(csv);
  if (!at_line_end(csv) && text[csv->at] == '"') {
    if (!quoted_cell(csv, cell)) return false;
    skip_blanks(csv);
  } else {
    uint32_t begin = csv->at, end = begin;
    for (; !at_line_end(csv) && text[csv->at] != csv->separator; csv->at++)
      if (!isspace((unsigned char)text[csv->at])) end = csv->at + 1;
    cell->text = text + begin;
    cell->length = end - begin;
    cell->span = span_at(csv->source, begin, end);
  }
  cell->last = at_line_end(csv);
  if (cell->last) return true;
  if (text[csv->at] != csv->separator) {
    diagnostic_add(csv->d, SEVERITY_ERROR, span_at(csv->source, csv->at, csv->at + 1), "expected %s behind this cell",
                   csv->separator == '\t'  ? "a tab"
                   : csv->separator == ';' ? "';'"
                                           : "','");
    return false;
  }
  csv->at++;
  return true;
}

/* ---- the head ---- */

/* `time [ms]` is a name and its unit. */
static bool add_column(struct csv *csv, struct measurements *out, const struct cell *cell) {
  struct measurement_column column = {.span = cell->span};
  const char *open = memchr(cell->text, '[', cell->length);
  size_t length = open ? (size_t)(open - cell->text) : cell->length;
  while (length && isspace((unsigned char)cell->text[length - 1]))
    length--;
  if (!length) {
    diagnostic_add(csv->d, SEVERITY_ERROR, cell->span, "column %u has no name", out->column_count + 1);
    if (!out->column_count)
      diagnostic_help(csv->d, (struct span){0, 0},
                      "it may be the index of a table of pandas, which to_csv(..., index=False) leaves out");
    return false;
  }
  double number;
  if (measurement_number(cell->text, cell->length, true, &number)) {
    diagnostic_add(csv->d, SEVERITY_ERROR, cell->span, "the first line has to name the columns, and this is a number");
    diagnostic_help(csv->d, (struct span){0, 0}, "as in n,time [s]");
    return false;
  }
  column.name = arena_copy(csv->arena, cell->text, length);
  column.unit_span = cell->span;
  if (open && cell->text[cell->length - 1] != ']') {
    diagnostic_add(csv->d, SEVERITY_ERROR, cell->span, "the unit of '%s' lacks its ']'", column.name);
    return false;
  }
  if (open) column.unit = arena_copy(csv->arena, open + 1, (size_t)(cell->text + cell->length - open - 2));
  bool known;
  uint64_t key = map_key(name_of(&csv->names, column.name));
  uint32_t place = map_add(csv->arena, &csv->places, key, out->column_count, &known);
  if (known) {
    diagnostic_add(csv->d, SEVERITY_ERROR, cell->span, "two columns are called '%s'", column.name);
    diagnostic_note(csv->d, out->columns[place].span, "the first is here");
    return false;
  }
  ARENA_PUSH(csv->arena, out->columns, out->column_count, out->column_capacity, column);
  return true;
}

/* A comma if the first line has one outside of quotes, else a semicolon, else a tab. */
static char find_separator(const struct csv *csv) {
  bool quoted = false, semicolon = false, tab = false;
  for (struct csv look = *csv; !at_line_end(&look); look.at++) {
    char c = look.source->text[look.at];
    quoted ^= c == '"';
    if (quoted) continue;
    if (c == ',') return ',';
    semicolon |= c == ';';
    tab |= c == '\t';
  }
  return semicolon ? ';' : tab ? '\t' : ',';
}

static bool read_head(struct csv *csv, struct measurements *out) {
  struct cell cell;
  csv->separator = find_separator(csv);
  do {
    if (!next_cell(csv, &cell) || !add_column(csv, out, &cell)) return false;
  } while (!cell.last);
  next_line(csv);
  return true;
}

/* ---- rows ---- */

/* A cell without a number is NaN. false: 1.5 and 2,000 in one table, of which the latter could be either. */
static bool read_number(struct csv *csv, const struct cell *cell, double *out) {
  char copy[64];
  const char *mark = cell->length < sizeof copy ? memchr(cell->text, ',', cell->length) : NULL;
  const char *text = mark ? memcpy(copy, cell->text, cell->length) : cell->text;
  if (mark) copy[mark - cell->text] = '.';
  bool point = memchr(text, '.', cell->length);
  if ((mark && csv->separator == ',') || !measurement_number(text, cell->length, true, out)) {
    *out = NAN;
    return true;
  }
  char decimal = mark ? ',' : point ? '.' : csv->decimal;
  bool same = !csv->decimal || decimal == csv->decimal;
  if (!same)
    diagnostic_add(csv->d, SEVERITY_ERROR, cell->span, "a '%c' in this number, and a '%c' in those before it", decimal,
                   csv->decimal);
  csv->decimal = decimal;
  return same;
}

static bool read_row(struct csv *csv, struct measurements *out) {
  uint32_t begin = csv->at;
  for (uint32_t i = 0;; i++) {
    struct cell cell;
    if (!next_cell(csv, &cell)) return false;
    double number = NAN;
    if (i < out->column_count) {
      if (!read_number(csv, &cell, &number)) return false;
      if (!cell.length) cell.span.end = cell.span.begin + 1;
      ARENA_PUSH(csv->arena, out->values, out->value_count, out->value_capacity, number);
      ARENA_PUSH(csv->arena, out->places, out->place_count, out->place_capacity, cell.span);
    }
    if (!cell.last) continue;
    if (i + 1 == out->column_count) break;
    diagnostic_add(csv->d, SEVERITY_ERROR, span_at(csv->source, begin, csv->at),
                   "this line has %u cell%s, and the first line names %u columns", i + 1, i ? "s" : "",
                   out->column_count);
    return false;
  }
  out->row_count++;
  next_line(csv);
  return true;
}

/* A line of blanks, or a comment. */
static bool is_nothing(const struct csv *csv) {
  struct csv look = *csv;
  skip_blanks(&look);
  return at_line_end(&look) || look.source->text[look.at] == '#';
}

static bool read_csv(struct csv *csv, struct measurements *out) {
  bool head = false;
  names_open(&csv->names, csv->arena);
  while (csv->at < csv->source->size) {
    if (is_nothing(csv))
      next_line(csv);
    else if (!(head ? read_row(csv, out) : read_head(csv, out)))
      return false;
    else
      head = true;
  }
  out->comma = csv->decimal == ',';
  out->separator = csv->separator;
  if (out->row_count) {
    struct measurement_set all = {.count = out->row_count, .span = out->columns[0].span};
    ARENA_PUSH(csv->arena, out->sets, out->set_count, out->set_capacity, all);
    return true;
  }
  diagnostic_add(csv->d, SEVERITY_ERROR, span_at(csv->source, 0, 0),
                 head ? "%s: there are no measurements below the line of names" : "%s: there is nothing in it",
                 csv->source->path);
  return false;
}

uint32_t measurements_begin(const struct source *source) {
  return source->size >= 3 && !memcmp(source->text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

bool measurements_line(const struct source *source, size_t *at, const char **begin, const char **end) {
  if (*at >= source->size) return false;
  const char *line_end = memchr(source->text + *at, '\n', source->size - *at);
  *begin = source->text + *at;
  *end = line_end ? line_end : source->text + source->size;
  *at = (size_t)(*end - source->text) + (line_end != NULL);
  if (*end > *begin && (*end)[-1] == '\r') --*end;
  return true;
}

bool measurements_read(struct arena *arena, struct diagnostics *d, const struct source *source,
                       struct measurements *out) {
  struct csv csv = {.arena = arena, .d = d, .source = source, .separator = ','};
  *out = (struct measurements){.source = source};
  size_t wrong = characters_refused(source->text, source->size, true);
  if (wrong < source->size) {
    char what[CHARACTER_DESCRIBED];
    size_t length = character_describe(source->text + wrong, source->size - wrong, what);
    diagnostic_add(d, SEVERITY_ERROR, span_at(source, wrong, wrong + length), "%s cannot be part of a table", what);
    return false;
  }
  csv.at = measurements_begin(source);
  struct csv first = csv;
  while (first.at < source->size && is_nothing(&first))
    next_line(&first);
  const char *line = source->text + first.at + strspn(source->text + first.at, " \t");
  if (!strncmp(line, "PARAMETER", 9) && (line[9] == ' ' || line[9] == '\t'))
    return measurements_read_extrap(arena, d, source, out);
  if (*line == '{') return measurements_read_jsonl(arena, d, source, out);
  return read_csv(&csv, out);
}

bool column_is_whole(const struct measurements *m, uint32_t column) {
  for (uint32_t row = 0; row < m->row_count; row++) {
    double value = m->values[(size_t)row * m->column_count + column];
    if (value != nearbyint(value) || fabs(value) > 9e15) return false;
  }
  return true;
}

/* The place of a cell without anything in it is what stands behind it. */
static bool is_empty(const struct measurements *m, struct span place) {
  char first = m->source->text[place.begin - m->source->base];
  return !first || isspace((unsigned char)first) || first == m->separator;
}

const char *measurement_text(struct arena *arena, const struct measurements *m, struct span place) {
  struct csv csv = {.arena = arena, .source = m->source, .at = place.begin - m->source->base};
  struct cell cell = {0};
  const char *text = m->source->text + csv.at;
  if (is_empty(m, place)) return "";
  if (*text != '"') return arena_copy(arena, text, place.end - place.begin);
  return quoted_cell(&csv, &cell) ? arena_copy(arena, cell.text, cell.length) : "";
}

bool column_is_text(const struct measurements *m, uint32_t column) {
  bool words = false;
  for (uint32_t row = 0; row < m->row_count; row++) {
    size_t cell = (size_t)row * m->column_count + column;
    if (!isnan(m->values[cell])) return false;
    words |= !is_empty(m, m->places[cell]);
  }
  return words;
}

bool column_is_empty(const struct measurements *m, uint32_t column) {
  for (uint32_t row = 0; row < m->row_count; row++)
    if (!is_empty(m, m->places[(size_t)row * m->column_count + column])) return false;
  return true;
}
