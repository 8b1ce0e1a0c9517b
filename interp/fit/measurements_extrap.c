/* Extra-P's text format, as the ABNF of its documentation has it (docs/file-formats.md of extra-p/extrap):
 * PARAMETER and POINTS, then REGION and METRIC with a line of DATA a point.  A NUMBER there has no exponent.
 */
#include "interp/fit/measurements.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct word {
  const char *text;
  size_t length;
  struct span span;
};
struct points {
  double *values;
  struct span *places;
  uint32_t count, capacity, place_count, place_capacity;
};
struct extrap {
  struct arena *arena;
  struct diagnostics *d;
  const struct source *source;
  struct measurements *out;
  const char *at, *end; /* what is left of the line */
  struct points points;
  uint32_t parameters, data; /* data: lines of the set in hand */
  const char *region, *metric;
  struct span keyword;
  bool open; /* a set is in hand */
};

static struct span span_of(const struct extrap *e, const char *begin, const char *end) {
  return (struct span){e->source->base + (uint32_t)(begin - e->source->text),
                       e->source->base + (uint32_t)(end - e->source->text)};
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The next word of the line; a parenthesis is one. false: there is none. */
static bool next_word(struct extrap *e, bool parentheses, struct word *word) {
  while (e->at < e->end && is_blank(*e->at))
    e->at++;
  const char *begin = e->at;
  if (begin == e->end) return false;
  if (parentheses && strchr("()", *begin))
    e->at++;
  else
    while (e->at < e->end && !is_blank(*e->at) && !(parentheses && strchr("()", *e->at)))
      e->at++;
  *word = (struct word){begin, (size_t)(e->at - begin), span_of(e, begin, e->at)};
  return true;
}

static bool number_of(struct extrap *e, const struct word *word, double *out) {
  if (measurement_number(word->text, word->length, false, out)) return true;
  bool exponent = measurement_number(word->text, word->length, true, out);
  diagnostic_add(e->d, SEVERITY_ERROR, word->span, "'%.*s' is no number of Extra-P's text format",
                 word->length > 40 ? 40 : (int)word->length, word->text);
  if (memchr(word->text, ',', word->length))
    diagnostic_help(e->d, (struct span){0, 0}, "blanks part numbers, and points: (1000 1) (2000 1)");
  if (exponent)
    diagnostic_note(e->d, (struct span){0, 0}, "its numbers have no exponent, and a digit before the point");
  return false;
}

/* ---- PARAMETER, POINTS ---- */

static bool read_parameters(struct extrap *e) {
  struct word word;
  uint32_t before = e->out->column_count;
  if (e->points.count) {
    diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "PARAMETER has to stand before POINTS");
    return false;
  }
  while (next_word(e, false, &word)) {
    struct measurement_column column = {
        .name = arena_copy(e->arena, word.text, word.length), .span = word.span, .unit_span = word.span};
    for (uint32_t i = 0; i < e->out->column_count; i++) {
      if (strcmp(e->out->columns[i].name, column.name)) continue;
      diagnostic_add(e->d, SEVERITY_ERROR, word.span, "two parameters are called '%s'", column.name);
      diagnostic_note(e->d, e->out->columns[i].span, "the first is here");
      return false;
    }
    ARENA_PUSH(e->arena, e->out->columns, e->out->column_count, e->out->column_capacity, column);
  }
  e->parameters = e->out->column_count;
  if (e->parameters > before) return true;
  diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "PARAMETER wants a name");
  return false;
}

static void add_coordinate(struct extrap *e, double value, struct span span) {
  struct points *p = &e->points;
  ARENA_PUSH(e->arena, p->values, p->count, p->capacity, value);
  ARENA_PUSH(e->arena, p->places, p->place_count, p->place_capacity, span);
}

static bool wrong_point(struct extrap *e, struct span span, uint32_t count) {
  diagnostic_add(e->d, SEVERITY_ERROR, span, "this point has %u coordinate%s for %u parameter%s", count,
                 count == 1 ? "" : "s", e->parameters, e->parameters == 1 ? "" : "s");
  return false;
}

/* A point in parentheses, each of its coordinates in some if it likes; they are all closed at its end. */
static bool read_point(struct extrap *e, struct word first) {
  struct word word;
  uint32_t depth = 1, count = 0;
  while (next_word(e, true, &word)) {
    if (*word.text == ')') {
      if (--depth) continue;
      struct span span = span_join(first.span, word.span);
      return count == e->parameters || wrong_point(e, span, count);
    }
    double value;
    if (*word.text == '(' && depth == 1)
      depth++;
    else if (!number_of(e, &word, &value))
      return false;
    else {
      add_coordinate(e, value, word.span);
      count++;
    }
  }
  diagnostic_add(e->d, SEVERITY_ERROR, first.span, "this '(' is not closed on its line");
  return false;
}

static bool read_points(struct extrap *e) {
  struct word word;
  uint32_t before = e->points.count;
  if (!e->parameters) {
    diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "POINTS has to stand behind PARAMETER");
    return false;
  }
  if (e->open) {
    diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "POINTS has to stand before DATA");
    return false;
  }
  while (next_word(e, true, &word)) {
    double value;
    if (*word.text == '(') {
      if (!read_point(e, word)) return false;
    } else if (e->parameters > 1) {
      diagnostic_add(e->d, SEVERITY_ERROR, word.span, "a point of %u parameters stands in parentheses", e->parameters);
      if (*word.text == ',')
        diagnostic_help(e->d, (struct span){0, 0}, "points are parted by blanks: (1000 1) (2000 1)");
      return false;
    } else if (!number_of(e, &word, &value)) {
      return false;
    } else {
      add_coordinate(e, value, word.span);
    }
  }
  if (e->points.count > before) return true;
  diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "POINTS wants a point");
  return false;
}

/* ---- REGION, METRIC, DATA ---- */

static uint32_t point_count(const struct extrap *e) { return e->parameters ? e->points.count / e->parameters : 0; }

static bool close_set(struct extrap *e) {
  uint32_t points = point_count(e), data = e->data;
  if (!e->open) return true;
  struct measurement_set *set = &e->out->sets[e->out->set_count - 1];
  set->count = e->out->row_count - set->first;
  e->open = false;
  e->data = 0;
  if (data == points) return true;
  diagnostic_add(e->d, SEVERITY_ERROR, set->span, "%u line%s of DATA for %u points", data, data == 1 ? "" : "s",
                 points);
  diagnostic_note(e->d, e->points.places[0], "the points begin here");
  return false;
}

static const char *rest_of_line(struct extrap *e) {
  while (e->at < e->end && is_blank(*e->at))
    e->at++;
  const char *begin = e->at, *end = e->end;
  while (end > begin && is_blank(end[-1]))
    end--;
  e->at = e->end;
  return end > begin ? arena_copy(e->arena, begin, (size_t)(end - begin)) : NULL;
}

static bool read_name(struct extrap *e, const char *keyword, const char **out) {
  if (!close_set(e)) return false;
  *out = rest_of_line(e);
  if (*out) return true;
  diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "%s wants a name", keyword);
  return false;
}

static void open_set(struct extrap *e) {
  struct measurement_set set = {
      .region = e->region, .metric = e->metric, .span = e->keyword, .first = e->out->row_count};
  ARENA_PUSH(e->arena, e->out->sets, e->out->set_count, e->out->set_capacity, set);
  e->open = true;
}

static bool read_data(struct extrap *e) {
  struct measurements *m = e->out;
  struct word word;
  uint32_t before = m->row_count;
  if (!point_count(e)) {
    diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "DATA has to stand behind POINTS");
    return false;
  }
  if (!e->open) open_set(e);
  if (e->data == point_count(e)) {
    diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "more lines of DATA than the %u points", e->data);
    diagnostic_note(e->d, e->points.places[0], "the points begin here");
    return false;
  }
  while (next_word(e, false, &word)) {
    double value;
    if (!number_of(e, &word, &value)) return false;
    for (uint32_t i = 0; i < e->parameters; i++) {
      size_t at = (size_t)e->data * e->parameters + i;
      ARENA_PUSH(e->arena, m->values, m->value_count, m->value_capacity, e->points.values[at]);
      ARENA_PUSH(e->arena, m->places, m->place_count, m->place_capacity, e->points.places[at]);
    }
    ARENA_PUSH(e->arena, m->values, m->value_count, m->value_capacity, value);
    ARENA_PUSH(e->arena, m->places, m->place_count, m->place_capacity, word.span);
    m->row_count++;
  }
  e->data++;
  if (m->row_count > before) return true;
  diagnostic_add(e->d, SEVERITY_ERROR, e->keyword, "DATA wants a number");
  return false;
}

/* ---- lines ---- */

static bool read_line(struct extrap *e) {
  struct word word;
  if (!next_word(e, false, &word) || *word.text == '#') return true;
  static const char *const words[] = {"PARAMETER", "POINTS", "REGION", "METRIC", "DATA"};
  size_t which = 0;
  while (which < 5 && (strlen(words[which]) != word.length || memcmp(words[which], word.text, word.length)))
    which++;
  e->keyword = word.span;
  switch (which) {
  case 0: return read_parameters(e);
  case 1: return read_points(e);
  case 2: return read_name(e, words[which], &e->region);
  case 3: return read_name(e, words[which], &e->metric);
  case 4: return read_data(e);
  default: break;
  }
  diagnostic_add(e->d, SEVERITY_ERROR, word.span, "expected PARAMETER, POINTS, REGION, METRIC or DATA");
  const char *near = nearest_name(arena_copy(e->arena, word.text, word.length), words, 5);
  if (near) diagnostic_help(e->d, (struct span){0, 0}, "did you mean %s?", near);
  return false;
}

bool measurements_read_extrap(struct arena *arena, struct diagnostics *d, const struct source *source,
                              struct measurements *out) {
  struct extrap e = {.arena = arena, .d = d, .source = source, .out = out};
  out->extrap = true;
  for (size_t at = measurements_begin(source); measurements_line(source, &at, &e.at, &e.end);)
    if (!read_line(&e)) return false;
  if (!close_set(&e)) return false;
  if (!out->set_count) {
    diagnostic_add(d, SEVERITY_ERROR, (struct span){source->base, source->base}, "%s: there is no DATA in it",
                   source->path);
    return false;
  }
  struct measurement_column value = {.name = "value", .span = out->sets[0].span, .unit_span = out->sets[0].span};
  ARENA_PUSH(arena, out->columns, out->column_count, out->column_capacity, value);
  return true;
}
