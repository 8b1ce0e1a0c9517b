/* How a level goes over time, in bins: see course.h. Called where a run keeps its levels, and where they are drawn. */
#include "interp/statistics/course.h"

#include <math.h>

static const struct course_bin unchanged = {INFINITY, -INFINITY, 0, NAN, 0};

/* Two bins in one. */
static struct course_bin joined(struct course_bin a, struct course_bin b) {
  return (struct course_bin){fmin(a.least, b.least), fmax(a.greatest, b.greatest), isnan(b.at) ? a.last : b.last,
                             isnan(a.at) ? b.at : a.at, a.area + b.area};
}

static void widen(struct course *course) {
  for (uint32_t b = 0; b < course->bin_count; b += 2)
    course->bins[b / 2] = joined(course->bins[b], b + 1 < course->bin_count ? course->bins[b + 1] : unchanged);
  course->bin_count = (course->bin_count + 1) / 2;
  course->width *= 2;
}

static struct course_bin *bin_at(struct course *course, double time) {
  while (time / course->width >= COURSE_BINS)
    widen(course);
  for (uint32_t place = (uint32_t)(time / course->width); course->bin_count <= place;)
    course->bins[course->bin_count++] = unchanged;
  return &course->bins[course->bin_count - 1];
}

/* The value that has been set last has held for some time. */
static void note(struct course *course) {
  if (course->value == course->noted) return;
  struct course_bin *bin = bin_at(course, course->since);
  if (isnan(bin->at)) bin->at = course->since;
  bin->least = fmin(bin->least, course->value);
  bin->greatest = fmax(bin->greatest, course->value);
  bin->last = course->noted = course->value;
}

/* It has held till then. */
static void hold(struct course *course, double time) {
  if (course->since > course->begin) note(course);
  for (double from = course->since, to; from < time; from = to) {
    struct course_bin *bin = bin_at(course, from);
    to = fmin((double)course->bin_count * course->width, time);
    bin->area += course->value * (to - from);
  }
  course->since = time;
}

void course_set(struct course *course, struct arena *arena, double time, double value) {
  if (course->width == 0) {
    *course = (struct course){.width = 0x1p-60, .begin = time, .since = time};
    course->bins = ARENA_ARRAY(arena, struct course_bin, COURSE_BINS);
  }
  if (time > course->since) hold(course, time);
  if (course->since == course->begin) course->first = course->noted = value;
  course->value = value;
}

struct line {
  double *x, *y;
  size_t count;
};

static void add(struct line *line, double x, double y) {
  if (line->count && !(x > line->x[line->count - 1])) return;
  line->x[line->count] = x;
  line->y[line->count++] = y;
}

size_t course_line(struct course *course, double end, double *x, double *y) {
  struct line line = {x, y, 0};
  double value = course->first;
  if (course->width == 0) return 0;
  if (end > course->since) hold(course, end);
  add(&line, course->begin, value);
  for (uint32_t b = 0; b < course->bin_count; b++) {
    const struct course_bin *bin = &course->bins[b];
    if (isnan(bin->at)) continue;
    double step = fmin((b + 1) * course->width - bin->at, course->width / 4) / 4;
    add(&line, bin->at, value);
    if (bin->least < fmin(value, bin->last)) add(&line, bin->at + step, bin->least);
    if (bin->greatest > fmax(value, bin->last)) add(&line, bin->at + 2 * step, bin->greatest);
    add(&line, bin->at + 3 * step, value = bin->last);
  }
  add(&line, end, value);
  return line.count;
}

uint32_t course_changes(const struct course *course) {
  uint32_t changes = 0;
  for (uint32_t b = 0; b < course->bin_count; b++)
    changes += !isnan(course->bins[b].at);
  return changes;
}

size_t course_stretches(struct course *course, double end, struct course_stretch *stretches) {
  double value = course->first;
  size_t count = 0;
  if (course->width == 0) return 0;
  if (end > course->since) hold(course, end);
  uint32_t each = (course->bin_count + COURSE_STRETCHES - 1) / COURSE_STRETCHES;
  for (uint32_t b = 0; b < course->bin_count; b += each) {
    double from = fmax(b * course->width, course->begin), to = fmin((b + each) * course->width, course->since);
    struct course_bin all = {value, value, value, NAN, 0};
    for (uint32_t k = b; k < b + each && k < course->bin_count; k++)
      all = joined(all, course->bins[k]);
    value = all.last;
    if (to > from)
      stretches[count++] = (struct course_stretch){(from + to) / 2, all.area / (to - from), all.least, all.greatest};
  }
  return count;
}
