/* Extra-P's JSON lines: an object a line, {"params": {"p": 2}, "metric": "time", "callpath": "main", "value": 1.5}, a
 * measurement of a metric of a region; both may be left out, and what else stands in it says nothing here.
 * Called by measurements_read. */
#include "interp/fit/measurements.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MOST = 100 };

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
  double *values; /* by line, in the order of the columns, the measured one last */
  uint32_t value_count, value_capacity;
  struct line *lines;
  uint32_t count, capacity;
};

/* ---- a measurement ---- */

static uint32_t column_of(const struct jsonl *j, const char *name) {
  uint32_t c = 0;
  while (c < j->out->column_count && strcmp(j->out->columns[c].name, name))
    c++;
  return c;
}

/* The columns are the parameters of the first measurement, in its order. */
static bool begin_columns(struct jsonl *j, json_t *params, struct span span) {
  struct measurements *m = j->out;
  const char *name;
  json_t *value;
  if (json_object_size(params) > PARAMETERS_MOST) {
    diagnostic_add(j->d, SEVERITY_ERROR, span, "more than %d parameters", PARAMETERS_MOST);
    return false;
  }
  json_object_foreach(params, name, value) {
    struct measurement_column column = {
        .name = arena_copy(j->arena, name, strlen(name)), .span = span, .unit_span = span};
    ARENA_PUSH(j->arena, m->columns, m->column_count, m->column_capacity, column);
  }
  return true;
}

static bool has_columns(const struct jsonl *j, json_t *params, struct span span) {
  const struct measurements *m = j->out;
  const char *name;
  json_t *value;
  json_object_foreach(params, name, value) {
    if (!json_is_number(value)) {
      diagnostic_add(j->d, SEVERITY_ERROR, span, "the parameter '%s' is not a number", name);
      return false;
    }
    if (column_of(j, name) < m->column_count) continue;
    diagnostic_add(j->d, SEVERITY_ERROR, span, "'%s' is no parameter of the first measurement", name);
    if (m->column_count) diagnostic_note(j->d, m->columns[0].span, "which is this one");
    return false;
  }
  for (uint32_t c = 0; c < m->column_count; c++) {
    if (json_object_get(params, m->columns[c].name)) continue;
    diagnostic_add(j->d, SEVERITY_ERROR, span, "this measurement has no parameter '%s'", m->columns[c].name);
    diagnostic_note(j->d, m->columns[c].span, "the first one has it");
    return false;
  }
  return true;
}

/* What a measurement has, of the type that it must be of; NULL where it is left out. */
static bool member_of(struct jsonl *j, json_t *object, const char *name, json_type type, struct span span,
                      json_t **out) {
  static const char *const types[] = {
      [JSON_OBJECT] = "an object", [JSON_STRING] = "a string", [JSON_REAL] = "a number"};
  *out = json_object_get(object, name);
  if (!*out || json_typeof(*out) == type) return true;
  diagnostic_add(j->d, SEVERITY_ERROR, span, "\"%s\" is not %s", name, types[type]);
  return false;
}

static bool is_printed(json_t *string) {
  for (const char *c = string ? json_string_value(string) : ""; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) return false;
  return true;
}

static const char *text_of(struct jsonl *j, json_t *string) {
  return string ? arena_copy(j->arena, json_string_value(string), json_string_length(string)) : NULL;
}

static bool read_measurement(struct jsonl *j, json_t *object, struct span span) {
  json_t *params, *value, *region, *metric;
  if (!member_of(j, object, "params", JSON_OBJECT, span, &params) ||
      !member_of(j, object, "value", JSON_REAL, span, &value) ||
      !member_of(j, object, "callpath", JSON_STRING, span, &region) ||
      !member_of(j, object, "metric", JSON_STRING, span, &metric))
    return false;
  if (!is_printed(region) || !is_printed(metric)) {
    diagnostic_add(j->d, SEVERITY_ERROR, span, "the name in \"%s\" has a control character",
                   is_printed(region) ? "metric" : "callpath");
    return false;
  }
  if (!params || !value) {
    diagnostic_add(j->d, SEVERITY_ERROR, span, "this measurement has no \"%s\"", params ? "value" : "params");
    diagnostic_help(j->d, (struct span){0, 0}, "a line is {\"params\": {\"p\": 2}, \"value\": 1.5}");
    return false;
  }
  if ((!j->count && !begin_columns(j, params, span)) || !has_columns(j, params, span)) return false;
  struct line line = {text_of(j, region), text_of(j, metric), span, j->count};
  for (uint32_t c = 0; c < j->out->column_count; c++) {
    double x = json_number_value(json_object_get(params, j->out->columns[c].name));
    ARENA_PUSH(j->arena, j->values, j->value_count, j->value_capacity, x);
  }
  ARENA_PUSH(j->arena, j->values, j->value_count, j->value_capacity, json_number_value(value));
  ARENA_PUSH(j->arena, j->lines, j->count, j->capacity, line);
  return true;
}

static bool read_line(struct jsonl *j, const char *begin, const char *end) {
  begin += strspn(begin, " \t");
  if (begin >= end) return true;
  uint32_t at = j->source->base + (uint32_t)(begin - j->source->text);
  struct span span = {at, at + (uint32_t)(end - begin)};
  json_error_t error;
  json_t *object = json_loadb(begin, (size_t)(end - begin), JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
  bool fine = json_is_object(object) && read_measurement(j, object, span);
  if (!object) {
    uint32_t behind = at + (uint32_t)error.position;
    diagnostic_add(j->d, SEVERITY_ERROR, (struct span){behind > at ? behind - 1 : at, behind},
                   "this line is not an object of JSON: %s", error.text);
  } else if (!json_is_object(object)) {
    diagnostic_add(j->d, SEVERITY_ERROR, span, "this line is not an object of JSON");
  }
  json_decref(object);
  return fine;
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
    ARENA_PUSH(j->arena, m->places, m->place_count, m->place_capacity, line->span);
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
  const char *unnamed = sets > 1 ? "-" : NULL; /* of several each is named */
  for (uint32_t s = 0; s < sets; s++) {
    const struct line *line = firsts[s];
    struct measurement_set set = {.region = line->region ? line->region : unnamed,
                                  .metric = line->metric ? line->metric : unnamed,
                                  .span = line->span,
                                  .first = m->row_count};
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
  const char *begin, *end;
  for (size_t at = measurements_begin(source); measurements_line(source, &at, &begin, &end);)
    if (!read_line(&j, begin, end)) return false;
  struct measurement_column value = {.name = "value", .span = j.lines[0].span, .unit_span = j.lines[0].span};
  ARENA_PUSH(arena, out->columns, out->column_count, out->column_capacity, value);
  put_sets(&j);
  return true;
}
