/* Gathers views while a profile is made: spans and messages are spread over the columns of time that they touch. */
#include "evaluators/programs/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 0x1p-40 /* s: of a column */

/* ---- columns ---- */

/* Two neighbours in one; `size` figures a column. */
static void halve(double *columns, size_t size) {
  for (size_t c = 0; c < VIEW_COLUMNS; c++)
    for (size_t k = 0; k < size; k++) {
      double pair = 2 * c < VIEW_COLUMNS ? columns[2 * c * size + k] + columns[(2 * c + 1) * size + k] : 0;
      columns[c * size + k] = pair;
    }
}

static void reach(struct views *v, double time) {
  while (time > VIEW_COLUMNS * v->width) {
    for (uint32_t row = 0; v->begun && row < v->rows; row++) {
      halve(v->spent + (size_t)row * VIEW_COLUMNS * SPENT_KINDS, SPENT_KINDS);
      halve(v->places + (size_t)row * VIEW_COLUMNS * VIEW_PLACES, VIEW_PLACES);
    }
    halve(v->flight, 1);
    halve(v->carried, 1);
    halve(v->together, 1);
    v->width *= 2;
  }
  v->begun = true;
}

/* What goes on from `begin` to `end`, so much a second; `size` figures a column. */
static void spread(struct views *v, double *columns, size_t size, double begin, double end, double rate) {
  for (size_t c = (size_t)(begin / v->width); c < VIEW_COLUMNS && (double)c * v->width < end; c++) {
    double inside = fmin(end, (double)(c + 1) * v->width) - fmax(begin, (double)c * v->width);
    if (inside > 0) columns[c * size] += rate * inside;
  }
}

/* ---- histograms ---- */

static const struct {
  enum view_axis x, y;
} axes[VIEW_HISTOGRAMS] = {[VIEW_BURSTS] = {VIEW_SECONDS, VIEW_RANK},
                           [VIEW_SIZES] = {VIEW_BYTES, VIEW_BANDWIDTH},
                           [VIEW_BANDWIDTHS] = {VIEW_SECONDS, VIEW_BANDWIDTH},
                           [VIEW_RATES] = {VIEW_SECONDS, VIEW_RATE},
                           [VIEW_COUNTERS... VIEW_HISTOGRAMS - 1] = {VIEW_SECONDS, VIEW_RATE},
                           [VIEW_PAIRS] = {VIEW_TO, VIEW_RANK}};

enum { LEAST_SECONDS = 10 /* powers of ten below a second */ };

uint32_t view_cycle(enum view_axis axis) {
  return axis == VIEW_RANK || axis == VIEW_TO ? 1 : axis == VIEW_BYTES ? VIEW_QUARTERS : VIEW_TENTHS;
}

/* Preferred numbers, ISO 3's R10: a step ends a quarter above its beginning or so, and its ends can be read. */
static const double preferred[VIEW_TENTHS] = {1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8};

static double tenth(int step) {
  int cycle = (int)floor((double)step / VIEW_TENTHS);
  return preferred[step - VIEW_TENTHS * cycle] * pow(10, cycle);
}

static double tenth_of(double figure) {
  double value = fmin(fmax(figure, 1e-300), 1e300);
  int step = VIEW_TENTHS * (int)floor(log10(value));
  while (tenth(step) > value) /* the logarithm may have been rounded */
    step--;
  while (tenth(step + 1) <= value)
    step++;
  return step;
}

static int lowest(enum view_axis axis) { return axis == VIEW_SECONDS ? -VIEW_TENTHS * LEAST_SECONDS : 0; }

double view_step(enum view_axis axis, uint32_t step) {
  if (axis == VIEW_RANK || axis == VIEW_TO) return step;
  int from = (int)step + lowest(axis);
  return axis == VIEW_BYTES ? exp2((double)from / VIEW_QUARTERS) : tenth(from);
}

static size_t step_of(const struct views *v, enum view_axis axis, double value) {
  if (axis == VIEW_RANK || axis == VIEW_TO) return (size_t)value / v->every;
  double step = axis == VIEW_BYTES ? floor(VIEW_QUARTERS * log2(value)) : tenth_of(value);
  step -= lowest(axis);
  return step < 0 ? 0 : step < VIEW_STEPS ? (size_t)step : VIEW_STEPS - 1;
}

/* Figures that are not above 0 have no place on an axis of powers. */
static void count(struct views *v, enum view_histogram_kind kind, double x, double y, double weight) {
  struct view_histogram *h = &v->histograms[kind];
  bool fit = (x > 0 || h->x == VIEW_TO) && (y > 0 || h->y == VIEW_RANK);
  if (!fit || !(weight > 0)) return;
  h->whole += weight;
  h->cells[step_of(v, h->y, y) * VIEW_STEPS + step_of(v, h->x, x)] += weight;
}

/* ---- takers ---- */

static size_t place_of(struct views *v, const struct history_span *span) {
  for (size_t k = 0; k < v->place_count; k++) {
    const struct view_place *place = &v->place[k];
    if (place->region == span->region && (span->region || place->kind == span->kind)) return k;
  }
  if (v->place_count == VIEW_PLACES) return VIEW_PLACES - 1;
  v->place[v->place_count] = (struct view_place){.region = span->region, .kind = span->kind};
  return v->place_count++;
}

static void take_span(void *user, const struct history_span *span) {
  struct views *v = user;
  double seconds = span->end - span->begin;
  if (!(seconds > 0)) return;
  reach(v, span->end);
  size_t row = span->rank / v->every, at = row * VIEW_COLUMNS, place = place_of(v, span);
  v->place[place].seconds += seconds;
  spread(v, v->spent + at * SPENT_KINDS + span->spent, SPENT_KINDS, span->begin, span->end, 1);
  spread(v, v->places + at * VIEW_PLACES + place, VIEW_PLACES, span->begin, span->end, 1);
  if (span->spent == SPENT_COMPUTE) count(v, VIEW_BURSTS, seconds, span->rank, seconds);
}

/* Those that are only started count where they are. */
static void take_collective(struct views *v, uint32_t rank, double begin, double end,
                            const struct program_operation *o) {
  double bytes = profile_given(o, rank);
  if (!(bytes > 0 && end > begin)) return;
  reach(v, end);
  spread(v, v->together, 1, begin, end, bytes / (end - begin));
  v->collective = true;
}

/* Which of those that are shown; COUNTERS_SHOWN: none. */
static int counter_place(struct views *v, const char *name, size_t size) {
  int k = 0;
  while (k < COUNTERS_SHOWN && v->counters[k] && (strncmp(v->counters[k], name, size) != 0 || v->counters[k][size]))
    k++;
  if (k < COUNTERS_SHOWN && !v->counters[k] && !(v->counters[k] = strndup(name, size))) return COUNTERS_SHOWN;
  return k;
}

static void take_counters(struct views *v, double seconds, const struct program_operation *o) {
  for (uint32_t k = 0; k < o->counted; k++) {
    size_t size;
    const char *name = program_counter(o, k, &size);
    int place = size ? counter_place(v, name, size) : COUNTERS_SHOWN;
    if (place < COUNTERS_SHOWN)
      count(v, (enum view_histogram_kind)(VIEW_COUNTERS + place), seconds, o->counts[k] / seconds, seconds);
  }
}

static void take_operation(void *user, uint32_t rank, double begin, double end, uint32_t region,
                           const struct program_operation *o) {
  struct views *v = user;
  unsigned fields = program_kinds[o->kind].fields;
  (void)region;
  if (o->kind >= PROGRAM_BARRIER && o->kind <= PROGRAM_IEXSCAN) take_collective(v, rank, begin, end, o);
  if ((fields & FIELD_WORK) && o->unit != UNIT_SECONDS && end > begin)
    count(v, VIEW_RATES, end - begin, o->work / (end - begin), end - begin);
  if ((fields & FIELD_WORK) && end > begin) take_counters(v, end - begin, o);
  if ((fields & FIELD_OUT) && !(fields & FIELD_WINDOW) && o->destination >= 0)
    count(v, VIEW_PAIRS, o->destination, rank, o->bytes);
}

static void take_message(void *user, const struct history_message *m) {
  struct views *v = user;
  double seconds = m->received - m->sent;
  if (!(seconds > 0)) return;
  reach(v, m->received);
  spread(v, v->flight, 1, m->sent, m->received, m->bytes);
  spread(v, v->carried, 1, m->sent, m->received, m->bytes / seconds);
  count(v, VIEW_SIZES, m->bytes, m->bytes / seconds, 1);
  count(v, VIEW_BANDWIDTHS, m->burst, m->bytes / seconds, 1);
}

/* ---- all of it ---- */

uint32_t views_columns(const struct views *v) {
  double columns = ceil(v->profile.end / v->width);
  return columns < VIEW_COLUMNS ? (uint32_t)columns : VIEW_COLUMNS;
}

static bool make_room(struct views *v, uint32_t ranks) {
  v->every = (ranks + VIEW_ROWS - 1) / VIEW_ROWS;
  v->rows = (ranks + v->every - 1) / v->every;
  v->width = SHORTEST;
  v->spent = calloc((size_t)v->rows * VIEW_COLUMNS * SPENT_KINDS, sizeof *v->spent);
  v->places = calloc((size_t)v->rows * VIEW_COLUMNS * VIEW_PLACES, sizeof *v->places);
  for (int k = 0; k < VIEW_HISTOGRAMS; k++)
    v->histograms[k] = (struct view_histogram){.x = axes[k].x, .y = axes[k].y};
  return v->spent && v->places;
}

struct views *views_make(struct program_source *source, struct program_error *error) {
  struct views *v = calloc(1, sizeof *v);
  struct history_takers takers = {.user = v, .span = take_span, .message = take_message, .operation = take_operation};
  bool fine = v && make_room(v, source->ranks);
  if (!fine) snprintf(error->text, sizeof error->text, "there is no memory for what the ranks do");
  if (fine && profile_make(source, &v->profile, &takers, error)) {
    reach(v, v->profile.end);
    return v;
  }
  views_free(v);
  return NULL;
}

void views_free(struct views *v) {
  if (!v) return;
  profile_free(&v->profile);
  free(v->spent);
  free(v->places);
  for (int k = 0; k < COUNTERS_SHOWN; k++)
    free(v->counters[k]);
  free(v);
}
