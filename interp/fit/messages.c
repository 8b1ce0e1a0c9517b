/* From measured times to LogGP's figures. Half a round trip is a line in the size, within a segment; the segments are
 * those that explain the times best, a further one counted against them (Schwarz's criterion). The line's height is
 * o + L + o of an eager message, (3a), and o_s + L + o_s + o_s + L + o + L + o of one that is announced, (3b). */
#include "interp/fit/messages.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS_MOST = 8, SIZES_LEAST = MESSAGE_SIZES_LEAST };
#define FLOOR 2e-3 /* to which part of a time a line has to fit it */
#define LEVEL 0.975
#define NEAR 0.01 /* part of a time by which a figure that segments share may change it */

/* ---- medians ---- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The interval is between two of the samples, by the binomial distribution of how many lie below the median. */
struct message_time message_time_of(double bytes, double *samples, uint32_t count) {
  qsort(samples, count, sizeof *samples, by_value);
  double reach = 0.98 * sqrt(count);
  double low = floor(count / 2.0 - reach), high = ceil(count / 2.0 + reach);
  return (struct message_time){
      .bytes = bytes,
      .median = (samples[(count - 1) / 2] + samples[count / 2]) / 2,
      .low = samples[low < 0 ? 0 : (uint32_t)low],
      .high = samples[high > count - 1 ? count - 1 : (uint32_t)high],
      .samples = count,
  };
}

/* ---- figures that are the same: one of 300 pairs of these is taken for two ---- */

static double sum_half(double a, double b) { return sqrt(a * a + b * b); }

static bool same(struct message_figure a, struct message_figure b) {
  return fabs(a.value - b.value) <= 1.5 * sum_half(a.half, b.half); /* false where one is not known */
}

/* Their mean, by how well each is known. */
static struct message_figure mean_of(struct message_figure a, struct message_figure b) {
  if (a.half <= 0 || b.half <= 0) return a.half <= 0 ? a : b;
  double weight = 1 / (a.half * a.half), other = 1 / (b.half * b.half);
  return (struct message_figure){(a.value * weight + b.value * other) / (weight + other), 1 / sqrt(weight + other)};
}

/* ---- lines ---- */

struct line {
  double height, slope;           /* neither below 0 */
  double height_half, slope_half; /* of the 95 % intervals */
  double rss;                     /* of errors as parts of the times */
};

static double weight_of(const struct message_time *time) { return 1 / (time->median * time->median); }

static void line_errors(const struct message_time *times, uint32_t count, struct line *line) {
  line->rss = 0;
  for (uint32_t k = 0; k < count; k++) {
    double error = (line->height + line->slope * times[k].bytes) / times[k].median - 1;
    line->rss += error * error;
  }
}

/* Of all that are at least that high at 0 the line that is nearest. */
static struct line line_above(const struct message_time *times, uint32_t count, double least) {
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (uint32_t k = 0; k < count; k++) {
    double weight = weight_of(&times[k]);
    weights += weight;
    x += weight * times[k].bytes;
    y += weight * times[k].median;
  }
  x /= weights, y /= weights;
  for (uint32_t k = 0; k < count; k++) {
    double weight = weight_of(&times[k]), off = times[k].bytes - x;
    xx += weight * off * off;
    xy += weight * off * (times[k].median - y);
  }
  struct line line = {.slope = xx > 0 && xy > 0 ? xy / xx : 0, .height_half = NAN, .slope_half = NAN};
  line.height = y - line.slope * x;
  bool low = line.height < least;
  if (low) {
    line.height = least;
    line.slope = fmax(0, (xy + weights * x * (y - least)) / (xx + weights * x * x));
  }
  line_errors(times, count, &line);
  if (count < 3) return line;
  double t = gsl_cdf_tdist_Pinv(LEVEL, count - 2), variance = line.rss / (count - 2);
  line.slope_half = xx > 0 ? t * sqrt(variance / xx) : 0;
  if (!low) line.height_half = t * sqrt(variance * (1 / weights + (xx > 0 ? x * x / xx : 0)));
  return line;
}

/* The line of that slope, itself known to `half`, that is nearest. */
static struct line line_along(const struct message_time *times, uint32_t count, struct message_figure slope) {
  double weights = 0, x = 0, y = 0;
  for (uint32_t k = 0; k < count; k++) {
    double weight = weight_of(&times[k]);
    weights += weight;
    x += weight * times[k].bytes;
    y += weight * times[k].median;
  }
  struct line line = {fmax(0, (y - slope.value * x) / weights), slope.value, NAN, slope.half};
  line_errors(times, count, &line);
  double t = gsl_cdf_tdist_Pinv(LEVEL, count - 1);
  line.height_half = sum_half(t * sqrt(line.rss / (count - 1) / weights), slope.half * x / weights);
  return line;
}

static struct line line_through(const struct message_time *times, uint32_t count) {
  return line_above(times, count, 0);
}

/* ---- segments ---- */

struct splitting {
  const struct message_time *times;
  uint32_t count;
  double *cost;    /* by first and last size: of one line through them; NaN: not known yet */
  double *best;    /* by segments and sizes: of the first so many sizes in so many segments */
  uint32_t *begin; /* of the last of them */
};

static double line_cost(struct splitting *s, uint32_t from, uint32_t to) {
  double *cost = &s->cost[(size_t)from * (s->count + 1) + to];
  if (isnan(*cost)) *cost = line_through(s->times + from, to - from).rss;
  return *cost;
}

static void split(struct splitting *s, uint32_t segments) {
  uint32_t row = s->count + 1;
  for (uint32_t to = 0; to <= s->count; to++) {
    double *best = &s->best[segments * row + to];
    *best = INFINITY;
    if (segments == 1 && to >= SIZES_LEAST) *best = line_cost(s, 0, to);
    for (uint32_t from = SIZES_LEAST; segments > 1 && from + SIZES_LEAST <= to; from++) {
      double before = s->best[(segments - 1) * row + from];
      if (!isfinite(before) || before >= *best) continue;
      double cost = before + line_cost(s, from, to);
      if (cost >= *best) continue;
      *best = cost;
      s->begin[segments * row + to] = from;
    }
  }
}

/* Writes where segments begin, in order, and says how many there are. */
static uint32_t segments_found(struct arena *arena, const struct message_time *times, uint32_t count,
                               uint32_t begins[SEGMENTS_MOST]) {
  uint32_t row = count + 1, chosen = 1;
  struct splitting s = {times, count, ARENA_ARRAY(arena, double, row *row),
                        ARENA_ARRAY(arena, double, (SEGMENTS_MOST + 1) * row),
                        ARENA_ARRAY(arena, uint32_t, (SEGMENTS_MOST + 1) * row)};
  double least = INFINITY;
  for (size_t k = 0; k < (size_t)row * row; k++)
    s.cost[k] = NAN;
  for (uint32_t segments = 1; segments <= SEGMENTS_MOST; segments++) {
    split(&s, segments);
    double rss = s.best[segments * row + count];
    double criterion = count * log(rss / count + FLOOR * FLOOR) + 3 * segments * log(count);
    if (!isfinite(rss) || criterion >= least) continue;
    least = criterion;
    chosen = segments;
  }
  for (uint32_t k = chosen, to = count; k > 0; k--)
    begins[k - 1] = to = k > 1 ? s.begin[k * row + to] : 0;
  return chosen;
}

static void take_line(struct message_segment *segment, struct line line) {
  segment->total = (struct message_figure){line.height, line.height_half};
  segment->gap = (struct message_figure){line.slope, line.slope_half};
  segment->off = 0;
  for (uint32_t k = 0; k < segment->sizes; k++) {
    const struct message_time *time = &segment->times[k];
    segment->off = fmax(segment->off, fabs((line.height + line.slope * time->bytes) / time->median - 1));
  }
}

static struct message_segment segment_of(const struct message_time *times, uint32_t count, bool announced) {
  struct message_segment segment = {
      .begin = times->bytes,
      .times = times,
      .sizes = count,
      .announced = announced,
      .send = {NAN, NAN},
      .receive = {NAN, NAN},
  };
  take_line(&segment, line_through(times, count));
  return segment;
}

static void add_segments(struct arena *arena, struct message_figures *f, const struct message_time *times,
                         uint32_t count, bool announced) {
  uint32_t begins[SEGMENTS_MOST];
  if (count < SIZES_LEAST) return;
  uint32_t found = segments_found(arena, times, count, begins);
  for (uint32_t k = 0; k < found; k++) {
    uint32_t to = k + 1 < found ? begins[k + 1] : count;
    f->segments[f->count++] = segment_of(times + begins[k], to - begins[k], announced);
  }
}

/* The segment at whose beginning lines become higher most, by a quarter at least; the number of segments: none. */
static uint32_t steepest(const struct message_figures *f) {
  double most = 0;
  uint32_t at = f->count;
  for (uint32_t k = 1; k < f->count; k++) {
    double before = f->segments[k - 1].total.value, rise = f->segments[k].total.value - before;
    if (rise <= most || rise < before / 4) continue;
    most = rise;
    at = k;
  }
  return at;
}

static void find_segments(struct arena *arena, struct message_figures *f, const struct message_time *times,
                          uint32_t count) {
  f->segments = ARENA_ARRAY(arena, struct message_segment, 2 * SEGMENTS_MOST);
  if (isnan(f->handshake)) {
    add_segments(arena, f, times, count, false);
    uint32_t from = steepest(f);
    f->guessed = true;
    f->handshake = from < f->count ? f->segments[from].begin : INFINITY;
    for (uint32_t k = from; k < f->count; k++)
      f->segments[k].announced = true;
    return;
  }
  uint32_t eager = 0;
  while (eager < count && times[eager].bytes < f->handshake)
    eager++;
  if (eager < SIZES_LEAST || count - eager < SIZES_LEAST) { /* too few for a line: all are of one kind */
    f->handshake = INFINITY;
    eager = count;
  }
  add_segments(arena, f, times, eager, false);
  uint32_t before = f->count;
  add_segments(arena, f, times + eager, count - eager, true);
  if (f->count > before) f->segments[before].begin = f->handshake;
}

/* Is the line near what the segment's own one says, at all of its sizes? Few sizes leave wide intervals. */
static bool is_near(const struct message_segment *segment, const struct line *line) {
  for (uint32_t k = 0; k < segment->sizes; k++) {
    double own = segment->total.value + segment->gap.value * segment->times[k].bytes;
    if (fabs(line->height + line->slope * segment->times[k].bytes - own) > NEAR * own) return false;
  }
  return true;
}

static bool gap_fits(const struct message_segment *segment, struct message_figure gap) {
  struct line line = line_along(segment->times, segment->sizes, gap);
  return is_near(segment, &line);
}

/* Segments in a row whose gaps are the same have one, if their times allow it. */
static void share_gaps(struct message_figures *f) {
  for (uint32_t from = 0, to; from < f->count; from = to) {
    struct message_figure gap = f->segments[from].gap;
    for (to = from + 1; to < f->count && same(gap, f->segments[to].gap); to++) {
      struct message_figure shared = mean_of(gap, f->segments[to].gap);
      bool fits = true;
      for (uint32_t k = from; k <= to; k++)
        fits &= gap_fits(&f->segments[k], shared);
      if (!fits) break;
      gap = shared;
    }
    for (uint32_t k = from; k < to && to - from > 1; k++)
      take_line(&f->segments[k], line_along(f->segments[k].times, f->segments[k].sizes, gap));
  }
}

/* ---- overheads, as measured ---- */

static struct message_figure overhead_in(const struct message_test *test, double begin, double end) {
  struct message_figure none = {NAN, NAN};
  uint32_t from = 0, to = 0;
  if (!test) return none;
  while (from < test->count && test->times[from].bytes < begin)
    from++;
  for (to = from; to < test->count && test->times[to].bytes < end; to++)
    if (!(test->times[to].median > 0)) return (struct message_figure){0, 0};
  if (from == to) return none;
  struct line line = line_through(test->times + from, to - from);
  return (struct message_figure){line.height, line.height_half};
}

static void find_overheads(struct message_figures *f, const struct message_test *sends,
                           const struct message_test *receives) {
  for (uint32_t k = 0; k < f->count; k++) {
    struct message_segment *segment = &f->segments[k];
    if (segment->announced) break; /* there a call waits for the other end */
    double end = k + 1 < f->count ? f->segments[k + 1].begin : f->handshake;
    segment->send = overhead_in(sends, segment->begin, end);
    segment->receive = overhead_in(receives, segment->begin, end);
  }
}

/* ---- equations (3a) and (3b) ---- */

/* What would be negative is 0. */
static double at_least_0(struct message_figures *f, double value) {
  if (value < 0) f->clipped = true;
  return fmax(value, 0);
}

/* Another figure in place of one, if they are the same and so many of it change the time of no message much. */
static void take_same(const struct message_segment *segment, struct message_figure *figure, struct message_figure other,
                      double times) {
  double change = times * fabs(other.value - figure->value), least = segment->total.value;
  if (same(*figure, other) && change <= NEAR * (least + segment->gap.value * segment->begin)) *figure = other;
}

/* (3a): L is what the overheads leave of half a round trip. */
static void take_overheads(struct message_figures *f, struct message_segment *segment) {
  double both = segment->send.value + segment->receive.value;
  double half = sum_half(segment->send.half, segment->receive.half);
  segment->latency =
      (struct message_figure){at_least_0(f, segment->total.value - both), sum_half(segment->total.half, half)};
  segment->overhead = (struct message_figure){fmin(both, segment->total.value) / 2, half / 2};
  take_same(segment, &segment->latency, f->segments->latency, 1);
}

/* (3a) with L known. */
static void take_latency(struct message_figures *f, struct message_segment *segment, struct message_figure latency) {
  segment->latency = latency;
  segment->overhead = (struct message_figure){at_least_0(f, segment->total.value - latency.value) / 2,
                                              sum_half(segment->total.half, latency.half) / 2};
  if (segment->total.value < latency.value) segment->latency.value = segment->total.value;
}

/* (3b): 2 o is what L and the handshake leave, or o of the segment before if that is the same. Where they leave nothing
 * the line is one that is as high as they. */
static void take_handshake(struct message_segment *segment, const struct message_segment *first) {
  double least = 3 * first->overhead.value + 3 * first->latency.value;
  if (segment->total.value < least) take_line(segment, line_above(segment->times, segment->sizes, least));
  segment->latency = first->latency;
  segment->overhead = (struct message_figure){
      fmax(segment->total.value - least, 0) / 2,
      sum_half(segment->total.half, 3 * sum_half(first->overhead.half, first->latency.half)) / 2};
  take_same(segment, &segment->overhead, segment[-1].overhead, 2);
}

/* As POEMS did it, from three round trips: a short one, 2 o_s + L; the longest eager one, 2 o + L; and the shortest one
 * with a handshake, 3 o_s + 3 L + 2 o. */
static struct message_figure latency_solved(struct message_figures *f, uint32_t eager) {
  const struct message_figure *a = &f->segments[0].total, *b = &f->segments[eager - 1].total,
                              *c = &f->segments[eager].total;
  double latency = 2 * (c->value - b->value) - 3 * a->value;
  return (struct message_figure){fmin(at_least_0(f, latency), a->value),
                                 sum_half(2 * sum_half(c->half, b->half), 3 * a->half)};
}

static void solve(struct message_figures *f) {
  uint32_t eager = 0;
  while (eager < f->count && !f->segments[eager].announced)
    eager++;
  bool measured = eager && !isnan(f->segments[0].send.value) && !isnan(f->segments[0].receive.value);
  struct message_figure latency = {0, NAN};
  f->solved = !measured;
  if (!measured && eager && eager < f->count) latency = latency_solved(f, eager);
  for (uint32_t k = 0; k < f->count; k++) {
    struct message_segment *segment = &f->segments[k];
    if (segment->announced && eager)
      take_handshake(segment, f->segments);
    else if (!isnan(segment->send.value + segment->receive.value))
      take_overheads(f, segment);
    else
      take_latency(f, segment, measured ? f->segments[0].latency : latency);
  }
}

/* The interface takes max(g, G x size) from one message to the next: g by the sizes of which the bytes take less. */
static struct message_figure gap_of(const struct message_figures *f, const struct message_test *gaps) {
  double end = f->count > 1 ? f->segments[1].begin : f->handshake, slope = f->segments[0].gap.value;
  if (gaps && gaps->count && slope > 0) end = fmin(end, 0.9 * gaps->times[0].median / slope);
  return overhead_in(gaps, 0, fmax(end, 1));
}

struct message_figures message_figures_of(struct arena *arena, const struct message_test *round_trips,
                                          const struct message_test *sends, const struct message_test *receives,
                                          const struct message_test *gaps, double handshake) {
  struct message_figures f = {.handshake = handshake, .g = {NAN, NAN}};
  struct message_time *halves = ARENA_ARRAY(arena, struct message_time, round_trips->count);
  for (uint32_t k = 0; k < round_trips->count; k++) {
    halves[k] = round_trips->times[k];
    halves[k].median /= 2, halves[k].low /= 2, halves[k].high /= 2;
  }
  find_segments(arena, &f, halves, round_trips->count);
  if (!f.count) return f;
  f.segments[0].begin = 0;
  share_gaps(&f);
  find_overheads(&f, sends, receives);
  solve(&f);
  if (!f.segments[0].announced) f.g = gap_of(&f, gaps);
  return f;
}
