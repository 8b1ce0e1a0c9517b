/* Extra-P's JSON lines: an object a line, {"params": {"p": 2}, "metric": "time", "callpath": "main", "value": 1.5}, a
 * measurement of a metric of a region; both may be left out, and what else stands in it says nothing here.
 * Called by measurements_read. */
#include "interp/fit/measurements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 100, PARAMETERS_MOST = 100 };

struct line { /* a measurement */
  const char *region, *metric;
  struct span span;
  uint32_t row;
};
struct jsonl {
  struct arena *arena;
  struct diagnostics *d;
  const struct source *source;
  struct measurements *out;
  const char *at, *end; /* what is left of the line */
  double *values;       /* by line, in the order of the columns, the measured one last */
  struct span *places;
  uint32_t value_count, value_capacity, place_count, place_capacity;
  struct line *lines;
  uint32_t count, capacity;
};
struct member { /* of the object in hand */
  const char *name;
  struct span span;
};

/* ---- JSON ---- */

static struct span span_of(const struct jsonl *j, const char *begin, const char *end) {
  return (struct span){j->source->base + (uint32_t)(begin - j->source->text),
                       j->source->base + (uint32_t)(end - j->source->text)};
}

static void skip_blanks(struct jsonl *j) {
  while (j->at < j->end && strchr(" \t", *j->at))
    j->at++;
}

static bool expected(struct jsonl *j, const char *what) {
  const char *end = j->at < j->end ? j->at + 1 : j->at;
  diagnostic_add(j->d, SEVERITY_ERROR, span_of(j, j->at, end), "expected %s", what);
  return false;
}

static bool is_next(struct jsonl *j, char c) {
  skip_blanks(j);
  if (j->at == j->end || *j->at != c) return false;
  j->at++;
  return true;
}

/* Its text as it is written: an escape stays one, and names are compared so. */
static bool read_string(struct jsonl *j, const char *what, struct member *out) {
  skip_blanks(j);
  const char *begin = j->at;
  if (j->at == j->end || *j->at != '"') return expected(j, what);
  for (j->at++; j->at < j->end && *j->at != '"'; j->at++)
    if (*j->at == '\\' && j->at + 1 < j->end) j->at++;
  if (j->at == j->end) return expected(j, "'\"', the end of a string");
  j->at++;
  out->name = arena_copy(j->arena, begin + 1, (size_t)(j->at - begin) - 2);
  out->span = span_of(j, begin, j->at);
  return true;
}

static const char *word_end(const struct jsonl *j) {
  const char *end = j->at;
  while (end < j->end && !strchr(" \t,:{}[]\"", *end))
    end++;
  return end;
}

static bool read_number(struct jsonl *j, double *value, struct span *span) {
  skip_blanks(j);
  const char *begin = j->at, *end = word_end(j);
  if (begin == end || !measurement_number(begin, (size_t)(end - begin), true, value)) return expected(j, "a number");
  j->at = end;
  *span = span_of(j, begin, end);
  return true;
}

/* Any value; the members and items of what nests go by one by one. */
static bool skip_value(struct jsonl *j) {
  char closing[DEPTH_MOST];
  struct member text;
  size_t depth = 0;
  do {
    skip_blanks(j);
    if (depth && is_next(j, closing[depth - 1])) {
      depth--;
      continue;
    }
    if (depth && (is_next(j, ',') || is_next(j, ':'))) continue;
    if (depth < DEPTH_MOST && is_next(j, '{')) {
      closing[depth++] = '}';
    } else if (depth < DEPTH_MOST && is_next(j, '[')) {
      closing[depth++] = ']';
    } else if (j->at < j->end && *j->at == '"') {
      if (!read_string(j, "a string", &text)) return false;
    } else {
      const char *end = word_end(j);
      if (end == j->at) return expected(j, "a value");
      j->at = end;
    }
  } while (depth);
  return true;
}

/* Calls `read` at the value of each member. */
static bool read_object(struct jsonl *j, bool read(struct jsonl *j, struct member member, void *user), void *user) {
  struct member member;
  if (!is_next(j, '{')) return expected(j, "'{'");
  if (is_next(j, '}')) return true;
  do {
    if (!read_string(j, "a name in quotes", &member)) return false;
    if (!is_next(j, ':')) return expected(j, "':'");
    if (!read(j, member, user)) return false;
  } while (is_next(j, ','));
  return is_next(j, '}') || expected(j, "',' or '}'");
}

/* ---- a measurement ---- */

struct measured {
  double *values; /* by column; NaN: not met yet */
  struct span *places;
  unsigned met; /* bit k: the k-th of the members that count */
  double value;
  struct span place;
  struct line line;
};

static uint32_t column_of(const struct jsonl *j, const char *name) {
  uint32_t c = 0;
  while (c < j->out->column_count && strcmp(j->out->columns[c].name, name))
    c++;
  return c;
}

/* The first measurement says which parameters there are. */
static bool read_parameter(struct jsonl *j, struct member member, void *user) {
  struct measured *measured = user;
  struct measurements *m = j->out;
  double value;
  struct span span;
  uint32_t c = column_of(j, member.name);
  if (!read_number(j, &value, &span)) return false;
  if (j->count && c == m->column_count) {
    diagnostic_add(j->d, SEVERITY_ERROR, member.span, "'%s' is no parameter of the first measurement", member.name);
    diagnostic_note(j->d, m->columns[0].span, "its parameters begin here");
    return false;
  }
  if (c == PARAMETERS_MOST) {
    diagnostic_add(j->d, SEVERITY_ERROR, member.span, "more than %d parameters", PARAMETERS_MOST);
    return false;
  }
  if (c == m->column_count) {
    struct measurement_column column = {.name = member.name, .span = member.span, .unit_span = member.span};
    ARENA_PUSH(j->arena, m->columns, m->column_count, m->column_capacity, column);
    measured->values = arena_grow(j->arena, measured->values, c * sizeof(double), (c + 1) * sizeof(double));
    measured->places = arena_grow(j->arena, measured->places, c * sizeof(struct span), (c + 1) * sizeof(struct span));
  } else if (!isnan(measured->values[c])) {
    diagnostic_add(j->d, SEVERITY_ERROR, member.span, "'%s' has a value already", member.name);
    return false;
  }
  measured->values[c] = value;
  measured->places[c] = span;
  return true;
}

static bool read_member(struct jsonl *j, struct member member, void *user) {
  struct measured *measured = user;
  static const char *const names[] = {"params", "value", "callpath", "metric"};
  struct member text;
  size_t which = 0;
  while (which < 4 && strcmp(member.name, names[which]))
    which++;
  if (which == 4) return skip_value(j);
  if (measured->met & 1U << which) {
    diagnostic_add(j->d, SEVERITY_ERROR, member.span, "this measurement has its \"%s\" already", names[which]);
    return false;
  }
  measured->met |= 1U << which;
  if (which == 0) return read_object(j, read_parameter, measured);
  if (which == 1) return read_number(j, &measured->value, &measured->place);
  if (!read_string(j, "a name in quotes", &text)) return false;
  *(which == 2 ? &measured->line.region : &measured->line.metric) = text.name;
  return true;
}

static bool is_whole(struct jsonl *j, const struct measured *measured) {
  const char *lacks = !(measured->met & 1) ? "params" : isnan(measured->value) ? "value" : NULL;
  if (lacks) {
    diagnostic_add(j->d, SEVERITY_ERROR, measured->line.span, "this measurement has no \"%s\"", lacks);
    diagnostic_help(j->d, (struct span){0, 0}, "a line is {\"params\": {\"p\": 2}, \"value\": 1.5}");
    return false;
  }
  for (uint32_t c = 0; c < j->out->column_count; c++) {
    if (!isnan(measured->values[c])) continue;
    diagnostic_add(j->d, SEVERITY_ERROR, measured->line.span, "this measurement has no parameter '%s'",
                   j->out->columns[c].name);
    diagnostic_note(j->d, j->out->columns[c].span, "the first one has it");
    return false;
  }
  return true;
}

static bool read_line(struct jsonl *j) {
  uint32_t columns = j->out->column_count;
  struct measured measured = {.value = (double)NAN};
  skip_blanks(j);
  if (j->at == j->end) return true;
  measured.values = ARENA_ARRAY(j->arena, double, columns);
  measured.places = ARENA_ARRAY(j->arena, struct span, columns);
  for (uint32_t c = 0; c < columns; c++)
    measured.values[c] = (double)NAN;
  measured.line.row = j->count;
  measured.line.span = span_of(j, j->at, j->end);
  if (!read_object(j, read_member, &measured)) return false;
  skip_blanks(j);
  if (j->at < j->end) return expected(j, "the end of the line: an object a line");
  if (!is_whole(j, &measured)) return false;
  for (uint32_t c = 0; c < j->out->column_count; c++) {
    ARENA_PUSH(j->arena, j->values, j->value_count, j->value_capacity, measured.values[c]);
    ARENA_PUSH(j->arena, j->places, j->place_count, j->place_capacity, measured.places[c]);
  }
  ARENA_PUSH(j->arena, j->values, j->value_count, j->value_capacity, measured.value);
  ARENA_PUSH(j->arena, j->places, j->place_count, j->place_capacity, measured.place);
  ARENA_PUSH(j->arena, j->lines, j->count, j->capacity, measured.line);
  return true;
}

/* ---- regions and metrics, in the order in which they are met ---- */

static int by_text(const char *a, const char *b) { return !a || !b ? (a ? 1 : b ? -1 : 0) : strcmp(a, b); }

static int by_set(const struct line *a, const struct line *b) {
  int order = by_text(a->region, b->region);
  return order ? order : by_text(a->metric, b->metric);
}

static int by_set_and_row(const void *left, const void *right) {
  const struct line *a = left, *b = right;
  int order = by_set(a, b);
  return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static int by_first(const void *left, const void *right) {
  const struct line *const *a = left, *const *b = right;
  return (*a)->row < (*b)->row ? -1 : (*a)->row > (*b)->row;
}

static void put_row(struct jsonl *j, const struct line *line) {
  struct measurements *m = j->out;
  for (uint32_t c = 0; c < m->column_count; c++) {
    size_t at = (size_t)line->row * m->column_count + c;
    ARENA_PUSH(j->arena, m->values, m->value_count, m->value_capacity, j->values[at]);
    ARENA_PUSH(j->arena, m->places, m->place_count, m->place_capacity, j->places[at]);
  }
  m->row_count++;
}

/* Rows of one set stand together. */
static void put_sets(struct jsonl *j) {
  struct measurements *m = j->out;
  const struct line **firsts = ARENA_ARRAY(j->arena, const struct line *, j->count);
  uint32_t sets = 0;
  qsort(j->lines, j->count, sizeof *j->lines, by_set_and_row);
  for (uint32_t i = 0; i < j->count; i++)
    if (!i || by_set(&j->lines[i - 1], &j->lines[i])) firsts[sets++] = &j->lines[i];
  qsort(firsts, sets, sizeof *firsts, by_first);
  for (uint32_t s = 0; s < sets; s++) {
    const struct line *line = firsts[s];
    struct measurement_set set = {
        .region = line->region, .metric = line->metric, .span = line->span, .first = m->row_count};
    for (; line < j->lines + j->count && !by_set(firsts[s], line); line++)
      put_row(j, line);
    set.count = m->row_count - set.first;
    ARENA_PUSH(j->arena, m->sets, m->set_count, m->set_capacity, set);
  }
}

bool measurements_read_jsonl(struct arena *arena, struct diagnostics *d, const struct source *source,
                             struct measurements *out) {
  struct jsonl j = {.arena = arena, .d = d, .source = source, .out = out};
  out->extrap = true;
  for (size_t at = measurements_begin(source); measurements_line(source, &at, &j.at, &j.end);)
    if (!read_line(&j)) return false;
  struct measurement_column value = {.name = "value", .span = j.lines[0].span, .unit_span = j.lines[0].span};
  ARENA_PUSH(arena, out->columns, out->column_count, out->column_capacity, value);
  put_sets(&j);
  return true;
}
