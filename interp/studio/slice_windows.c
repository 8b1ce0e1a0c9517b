/* Windows of a file of slices, which is mapped into memory.  What is asked for is made of the slices that lie in the
 * window.  Where these are very many, it is made of sums that were taken when the file was opened: for each row, of
 * what was done up to each of some thousand equal steps of time, so that what was done between any two of them is one
 * difference. */
#include "interp/studio/slice_windows.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  CLASSES = 3,        /* compute, communicate, wait */
  MANY = 200000,      /* slices in a window: more are taken by their sums, where these are as fine */
  MOST_STEPS = 2048,  /* of a row, */
  ALL_STEPS = 1 << 21 /* and of all rows together */
};

struct slices {
  atomic_int users;
  void *data;
  size_t size;
  const struct slices_header *header;
  const uint64_t *first;
  const struct slice *slices;
  char *names;
  bool *overlaps; /* by row: a slice begins before the one before it ends */
  uint32_t steps; /* 0: there are no sums */
  float *sums;    /* [rows][steps + 1][CLASSES], in steps */
};

static uint32_t class_of(uint32_t activity) { return activity < CLASSES ? activity : CLASSES - 1; }

/* ---- opening ---- */

static bool has_magic(const struct slices_header *header) {
  return !memcmp(header->magic, SLICES_MAGIC, sizeof header->magic) && header->version == SLICES_VERSION &&
         header->activities >= CLASSES && header->activities <= 64 && header->end >= 0 && isfinite(header->end);
}

/* Where its parts are, if it is as long as they are together. */
static bool find_parts(struct slices *s) {
  const struct slices_header *header = s->header = s->data;
  if (s->size < sizeof *header || !has_magic(header)) return false;
  size_t left = s->size - sizeof *header, places = ((size_t)header->rows + 1) * sizeof *s->first;
  if (places > left) return false;
  left -= places;
  if (header->count > left / sizeof *s->slices) return false;
  left -= header->count * sizeof *s->slices;
  if (left != header->names_size || header->components > left) return false; /* each has a name */
  s->first = (const uint64_t *)(header + 1);
  s->slices = (const struct slice *)(s->first + header->rows + 1);
  s->names = memory_copy((const char *)(s->slices + header->count), header->names_size);
  return true;
}

static bool is_sound(const struct slices *s, const struct slice *slice) {
  return slice->begin <= slice->end && slice->begin >= 0 && isfinite(slice->end) &&
         slice->component < s->header->components && slice->activity < s->header->activities;
}

static bool check_row(struct slices *s, uint32_t row) {
  uint64_t from = s->first[row], to = s->first[row + 1];
  if (from > to || to > s->header->count) return false;
  for (uint64_t i = from; i < to; i++) {
    if (!is_sound(s, &s->slices[i])) return false;
    if (i == from) continue;
    if (s->slices[i].begin < s->slices[i - 1].begin) return false;
    s->overlaps[row] |= s->slices[i].begin < s->slices[i - 1].end;
  }
  return true;
}

static bool check_rows(struct slices *s) {
  s->overlaps = memory_more(NULL, s->header->rows + 1);
  memset(s->overlaps, 0, s->header->rows + 1);
  if (s->first[0] != 0 || s->first[s->header->rows] != s->header->count) return false;
  for (uint32_t row = 0; row < s->header->rows; row++)
    if (!check_row(s, row)) return false;
  return true;
}

/* Adds a slice to columns of time, each of which is 1 wide; `begin` and `end` are in columns. */
static void spread(double *shares, uint32_t columns, uint32_t class, double begin, double end) {
  double from = fmax(begin, 0), to = fmin(end, columns);
  if (!(to > from)) return;
  uint32_t column = (uint32_t)from, last = (uint32_t)to;
  if (column == last) {
    shares[column * CLASSES + class] += to - from;
    return;
  }
  shares[column * CLASSES + class] += column + 1 - from;
  for (column++; column < last; column++)
    shares[column * CLASSES + class] += 1;
  if (last < columns) shares[last * CLASSES + class] += to - last;
}

static void sum_row(struct slices *s, uint32_t row, double *shares) {
  double scale = s->steps / s->header->end, sums[CLASSES] = {0};
  float *to = s->sums + (size_t)row * (s->steps + 1) * CLASSES;
  memset(shares, 0, s->steps * CLASSES * sizeof *shares);
  for (uint64_t i = s->first[row]; i < s->first[row + 1]; i++)
    spread(shares, s->steps, class_of(s->slices[i].activity), s->slices[i].begin * scale, s->slices[i].end * scale);
  for (uint32_t step = 0; step <= s->steps; step++)
    for (int c = 0; c < CLASSES; c++) {
      to[step * CLASSES + c] = (float)sums[c];
      if (step < s->steps) sums[c] += shares[step * CLASSES + c];
    }
}

static void sum_rows(struct slices *s) {
  if (s->header->count <= MANY || !(s->header->end > 0)) return;
  for (s->steps = MOST_STEPS; s->steps >= 64 && (uint64_t)s->steps * s->header->rows > ALL_STEPS;)
    s->steps /= 2;
  if (s->steps < 64) s->steps = 0;
  if (!s->steps) return;
  double *shares = memory_more(NULL, s->steps * CLASSES * sizeof *shares);
  s->sums = memory_more(NULL, (size_t)s->header->rows * (s->steps + 1) * CLASSES * sizeof *s->sums);
  for (uint32_t row = 0; row < s->header->rows; row++)
    sum_row(s, row, shares);
  free(shares);
}

static bool map_file(struct slices *s, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    s->size = (size_t)status.st_size;
    s->data = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  if (s->data == MAP_FAILED) s->data = NULL;
  return s->data;
}

struct slices *slices_open(const char *path) {
  struct slices *s = memory_more(NULL, sizeof *s);
  *s = (struct slices){.users = 1};
  if (map_file(s, path) && find_parts(s) && check_rows(s)) {
    sum_rows(s);
    return s;
  }
  slices_drop(s);
  return NULL;
}

struct slices *slices_hold(struct slices *slices) {
  if (slices) atomic_fetch_add(&slices->users, 1);
  return slices;
}

void slices_drop(struct slices *slices) {
  if (!slices || atomic_fetch_sub(&slices->users, 1) > 1) return;
  if (slices->data) munmap(slices->data, slices->size);
  free(slices->names), free(slices->overlaps), free(slices->sums);
  free(slices);
}

const struct slices_header *slices_header(const struct slices *slices) { return slices->header; }
const char *slices_names(const struct slices *slices) { return slices->names; }

/* ---- what lies in a window ---- */

/* The first slice of the row that begins at the time or later. */
static uint64_t first_from(const struct slices *s, uint32_t row, double time) {
  uint64_t low = s->first[row], high = s->first[row + 1];
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (s->slices[middle].begin < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Slices that are not over at `from`, up to those that begin at `to`. Where they overlap some of them may be over. */
static void find_range(const struct slices *s, uint32_t row, double from, double to, uint64_t *begin, uint64_t *end) {
  *begin = s->overlaps[row] ? s->first[row] : first_from(s, row, from);
  if (*begin > s->first[row] && s->slices[*begin - 1].end > from) --*begin;
  *end = first_from(s, row, to);
  if (*end < *begin) *end = *begin;
}

static uint64_t count_range(const struct slices *s, const struct slice_window *window) {
  uint64_t count = 0, begin, end;
  for (uint32_t row = window->first; row < window->first + window->rows; row++) {
    find_range(s, row, window->from, window->to, &begin, &end);
    count += end - begin;
  }
  return count;
}

/* ---- pictures ---- */

static void add_number(struct chars *out, uint32_t number) { chars_add(out, (const char *)&number, sizeof number); }

static void put_slices(const struct slices *s, const struct slice_window *window, uint64_t count, struct chars *out) {
  uint64_t begin, end;
  uint32_t so_far = 0, overlaps = 0;
  double *times = memory_more(NULL, 2 * (count + 1) * sizeof *times);
  uint32_t *kinds = memory_more(NULL, (count + 1) * sizeof *kinds);
  for (uint32_t row = window->first; row < window->first + window->rows; row++)
    overlaps |= s->overlaps[row];
  add_number(out, 1), add_number(out, window->rows), add_number(out, (uint32_t)count), add_number(out, overlaps);
  for (uint32_t row = window->first; row < window->first + window->rows; row++) {
    add_number(out, so_far);
    find_range(s, row, window->from, window->to, &begin, &end);
    for (uint64_t i = begin; i < end; i++, so_far++) {
      times[so_far] = s->slices[i].begin;
      times[count + so_far] = s->slices[i].end;
      kinds[so_far] = s->slices[i].component << 8 | s->slices[i].activity;
    }
  }
  add_number(out, so_far);
  if (window->rows % 2 == 0) add_number(out, 0);
  chars_add(out, (const char *)times, 2 * count * sizeof *times);
  chars_add(out, (const char *)kinds, count * sizeof *kinds);
  free(times), free(kinds);
}

/* Two firings at once make more than all of a column: it is divided among them. */
static uint16_t cell_of(const double *shares, double group) {
  double all = 0;
  uint16_t cell = 0;
  for (int c = 0; c < CLASSES; c++)
    all += shares[c];
  double scale = CELL_STEPS / fmax(group, all);
  for (int c = 0; c < CLASSES; c++)
    cell |= (uint16_t)((unsigned)(shares[c] * scale + 0.5) << 5 * c);
  return all > 0 ? cell | 1 << 15 : 0;
}

static void add_row(const struct slices *s, uint32_t row, const struct slice_picture *picture, double *shares) {
  const struct slice_window *window = &picture->window;
  double scale = picture->columns / (window->to - window->from);
  uint64_t begin, end;
  find_range(s, row, window->from, window->to, &begin, &end);
  for (uint64_t i = begin; i < end; i++) {
    const struct slice *slice = &s->slices[i];
    spread(shares, picture->columns, class_of(slice->activity), (slice->begin - window->from) * scale,
           (slice->end - window->from) * scale);
  }
}

/* What was done up to a time, which stands in steps: between two of them, as if it went on evenly. */
static double sum_at(const float *sums, uint32_t steps, int class, double at) {
  if (at <= 0) return 0;
  if (at >= steps) return (double)sums[steps * CLASSES + class];
  uint32_t step = (uint32_t)at;
  double low = (double)sums[step * CLASSES + class], high = (double)sums[(step + 1) * CLASSES + class];
  return low + (at - step) * (high - low);
}

static void add_sums(const struct slices *s, uint32_t row, const struct slice_picture *picture, double *shares) {
  const struct slice_window *window = &picture->window;
  const float *sums = s->sums + (size_t)row * (s->steps + 1) * CLASSES;
  double scale = s->steps / s->header->end, wide = (window->to - window->from) / picture->columns * scale;
  for (int c = 0; c < CLASSES; c++) {
    double before = sum_at(sums, s->steps, c, window->from * scale);
    for (uint32_t column = 0; column < picture->columns; column++) {
      double now = sum_at(sums, s->steps, c, window->from * scale + (column + 1) * wide);
      shares[column * CLASSES + c] += (now - before) / wide;
      before = now;
    }
  }
}

static void put_cells(const struct slices *s, const struct slice_picture *picture, uint64_t count, struct chars *out) {
  const struct slice_window *window = &picture->window;
  uint32_t columns = picture->columns, lines = (window->rows + picture->group - 1) / picture->group;
  bool fine = s->steps && (window->to - window->from) / s->header->end * s->steps >= columns / 2;
  bool summed = fine && count > MANY;
  double *shares = memory_more(NULL, columns * CLASSES * sizeof *shares);
  uint16_t *cells = memory_more(NULL, columns * sizeof *cells);
  add_number(out, 0), add_number(out, lines), add_number(out, columns), add_number(out, 0);
  for (uint32_t line = 0; line < lines; line++) {
    uint32_t from = window->first + line * picture->group, to = from + picture->group;
    if (to > window->first + window->rows) to = window->first + window->rows;
    memset(shares, 0, columns * CLASSES * sizeof *shares);
    for (uint32_t row = from; row < to; row++)
      summed ? add_sums(s, row, picture, shares) : add_row(s, row, picture, shares);
    for (uint32_t column = 0; column < columns; column++)
      cells[column] = cell_of(&shares[column * CLASSES], to - from);
    chars_add(out, (const char *)cells, columns * sizeof *cells);
  }
  free(shares), free(cells);
}

void slices_picture(const struct slices *slices, const struct slice_picture *picture, struct chars *out) {
  uint64_t count = count_range(slices, &picture->window);
  if (count <= EXACT_SLICES && picture->group == 1)
    put_slices(slices, &picture->window, count, out);
  else
    put_cells(slices, picture, count, out);
}

/* ---- times ---- */

static void add_time(struct slice_time *to, const struct slice *slice, double time) {
  double whole = slice->end - slice->begin;
  if (!to->count || whole < to->least) to->least = whole;
  if (!to->count || whole > to->most) to->most = whole;
  to->whole += whole;
  to->time += time;
  to->count++;
}

/* Longer than what rounding makes of two times that are one. */
static bool lasts(const struct slice *slice) { return slice->end - slice->begin > 16 * DBL_EPSILON * slice->end; }

void slices_times(const struct slices *slices, const struct slice_window *window, struct slice_times *times) {
  const struct slices_header *header = slices->header;
  size_t activities = header->activities, components = header->components;
  *times = (struct slice_times){.activities = memory_more(NULL, activities * sizeof *times->activities),
                                .components = memory_more(NULL, (components + 1) * sizeof *times->components),
                                .rows = memory_more(NULL, (window->rows + (size_t)1) * sizeof *times->rows)};
  memset(times->activities, 0, activities * sizeof *times->activities);
  memset(times->components, 0, components * sizeof *times->components);
  memset(times->rows, 0, window->rows * sizeof *times->rows);
  for (uint32_t row = 0; row < window->rows; row++) {
    uint64_t begin, end;
    find_range(slices, window->first + row, window->from, window->to, &begin, &end);
    for (uint64_t i = begin; i < end; i++) {
      const struct slice *slice = &slices->slices[i];
      double time = fmin(slice->end, window->to) - fmax(slice->begin, window->from);
      if (!(time > 0) || !lasts(slice)) continue;
      add_time(&times->activities[slice->activity], slice, time);
      times->components[slice->component][class_of(slice->activity)] += time;
      times->rows[row][class_of(slice->activity)] += time;
    }
  }
}

void slice_times_drop(struct slice_times *times) {
  free(times->activities), free(times->components), free(times->rows);
  *times = (struct slice_times){0};
}

/* ---- one slice ---- */

const struct slice *slice_of(const struct slices *slices, uint32_t row, uint64_t number) {
  uint64_t count = row < slices->header->rows ? slices->first[row + 1] - slices->first[row] : 0;
  return number < count ? &slices->slices[slices->first[row] + number] : NULL;
}

uint64_t slice_at(const struct slices *slices, uint32_t row, double time) {
  if (row >= slices->header->rows) return UINT64_MAX;
  uint64_t at = first_from(slices, row, nextafter(time, INFINITY));
  while (at > slices->first[row] && slices->slices[at - 1].end <= time && slices->overlaps[row])
    at--;
  if (at == slices->first[row] || slices->slices[at - 1].end <= time) return UINT64_MAX;
  return at - 1 - slices->first[row];
}
