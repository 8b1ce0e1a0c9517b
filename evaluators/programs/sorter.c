/* Items are gathered in memory, sorted there, and written as a run of the first level. As many runs of a level as one
 * merge takes become one of the next level, so that few are open at a time, and each item is copied once a level. */
#include "evaluators/programs/sorter.h"
#include "evaluators/programs/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 14, RUNS = 64, LEVELS = 8 };

struct run { /* a stretch of a file that is still to be read, or of the items in memory */
  int file;
  off_t at;
  uint64_t left;
  char *items; /* those that have been read */
  size_t next, count;
};

struct level {
  FILE *file;
  off_t end;
  uint32_t count;
  struct run runs[RUNS];
};

struct sorter {
  size_t size, most, count; /* of an item; items in memory at most, and now */
  sorter_compare *compare;
  char *items;
  struct level levels[LEVELS];
  struct run **heap; /* of those that are merged, by their first items */
  size_t heap_count;
  struct run *given; /* the one whose first item has been given */
  struct run own;    /* of what is in memory */
  int error;
};

struct sorter *sorter_open(size_t size, size_t memory, sorter_compare *compare) {
  struct sorter *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  *s = (struct sorter){.size = size, .most = memory / size, .compare = compare};
  s->heap = malloc((RUNS * LEVELS + 1) * sizeof *s->heap);
  if (s->heap) return s;
  free(s);
  return NULL;
}

static bool failed(struct sorter *s) {
  if (!s->error) s->error = errno ? errno : EIO;
  return false;
}

bool sorter_failed(const struct sorter *s) { return s->error != 0; }

/* ---- one run ---- */

static const char *first_of(const struct sorter *s, const struct run *run) { return run->items + run->next * s->size; }

static bool run_fill(struct sorter *s, struct run *run) {
  size_t most = BUFFER / s->size ? BUFFER / s->size : 1, count = run->left < most ? (size_t)run->left : most;
  if (!run->items && !(run->items = malloc(most * s->size))) return failed(s);
  ssize_t got = pread(run->file, run->items, count * s->size, run->at);
  if (got != (ssize_t)(count * s->size)) return failed(s);
  run->at += got;
  run->left -= count;
  run->next = 0;
  run->count = count;
  return true;
}

/* ---- merging ---- */

static bool before(const struct sorter *s, const struct run *a, const struct run *b) {
  return s->compare(first_of(s, a), first_of(s, b)) < 0;
}

static void sink(struct sorter *s, size_t at) {
  for (size_t child; (child = 2 * at + 1) < s->heap_count; at = child) {
    if (child + 1 < s->heap_count && before(s, s->heap[child + 1], s->heap[child])) child++;
    if (!before(s, s->heap[child], s->heap[at])) return;
    struct run *run = s->heap[at];
    s->heap[at] = s->heap[child];
    s->heap[child] = run;
  }
}

static void merge_begin(struct sorter *s) {
  s->given = NULL;
  for (size_t k = s->heap_count / 2; k-- > 0;)
    sink(s, k);
}

static bool merge_add(struct sorter *s, struct run *run) {
  if (run->next == run->count && !run->left) return true;
  if (run->next == run->count && !run_fill(s, run)) return false;
  s->heap[s->heap_count++] = run;
  return true;
}

/* Goes on behind what has been given. */
static const void *merge_next(struct sorter *s) {
  struct run *run = s->given;
  if (run && ++run->next == run->count && run->left && !run_fill(s, run)) return NULL;
  if (run && run->next == run->count) s->heap[0] = s->heap[--s->heap_count];
  if (run) sink(s, 0);
  s->given = s->heap_count ? s->heap[0] : NULL;
  return s->given ? first_of(s, s->given) : NULL;
}

/* ---- levels ---- */

static bool level_open(struct sorter *s, struct level *level) {
  if (!level->file && !(level->file = temporary_file())) return failed(s);
  level->runs[level->count] = (struct run){.file = fileno(level->file), .at = level->end};
  return true;
}

static void run_end(struct sorter *s, struct level *level, uint64_t count) {
  struct run *run = &level->runs[level->count++];
  run->left = count;
  level->end += (off_t)(count * s->size);
}

static bool level_merge(struct sorter *s, uint32_t number);

/* Room for one more run. */
static bool level_room(struct sorter *s, uint32_t number) {
  struct level *level = &s->levels[number];
  return (level->count < RUNS || level_merge(s, number)) && level_open(s, level);
}

/* All of a level's runs become one of the next. */
static bool level_merge(struct sorter *s, uint32_t number) {
  struct level *from = &s->levels[number], *to = &s->levels[number + 1];
  if (number + 1 == LEVELS) return errno = EFBIG, failed(s);
  if (!level_room(s, number + 1)) return false;
  uint64_t count = 0;
  s->heap_count = 0;
  for (uint32_t k = 0; k < from->count; k++)
    if (!merge_add(s, &from->runs[k])) return false;
  merge_begin(s);
  fseeko(to->file, to->end, SEEK_SET);
  for (const void *item; (item = merge_next(s)); count++)
    if (fwrite(item, s->size, 1, to->file) != 1) return failed(s);
  if (s->error || fflush(to->file) != 0) return failed(s);
  run_end(s, to, count);
  for (uint32_t k = 0; k < from->count; k++)
    free(from->runs[k].items);
  from->count = 0;
  from->end = 0;
  return ftruncate(fileno(from->file), 0) == 0 || failed(s);
}

static bool spill(struct sorter *s) {
  struct level *level = &s->levels[0];
  if (!level_room(s, 0)) return false;
  qsort(s->items, s->count, s->size, s->compare);
  fseeko(level->file, level->end, SEEK_SET);
  if (fwrite(s->items, s->size, s->count, level->file) != s->count || fflush(level->file) != 0) return failed(s);
  run_end(s, level, s->count);
  s->count = 0;
  return true;
}

/* ---- the calls ---- */

bool sorter_add(struct sorter *s, const void *item) {
  if (s->error) return errno = s->error, false;
  if (!s->items && !(s->items = malloc(s->most * s->size))) return failed(s);
  if (s->count == s->most && !spill(s)) return errno = s->error, false;
  memcpy(s->items + s->count++ * s->size, item, s->size);
  return true;
}

bool sorter_begin(struct sorter *s) {
  s->own = (struct run){.items = s->items, .count = s->count};
  if (s->count) qsort(s->items, s->count, s->size, s->compare);
  s->heap_count = 0;
  bool fine = !s->error && merge_add(s, &s->own);
  for (uint32_t l = 0; fine && l < LEVELS; l++)
    for (uint32_t k = 0; fine && k < s->levels[l].count; k++)
      fine = merge_add(s, &s->levels[l].runs[k]);
  merge_begin(s);
  return fine || (errno = s->error, false);
}

const void *sorter_next(struct sorter *s) {
  const void *item = s->error ? NULL : merge_next(s);
  if (s->error) errno = s->error;
  return item;
}

void sorter_close(struct sorter *s) {
  if (!s) return;
  for (uint32_t l = 0; l < LEVELS; l++) {
    for (uint32_t k = 0; k < s->levels[l].count; k++)
      free(s->levels[l].runs[k].items);
    if (s->levels[l].file) fclose(s->levels[l].file);
  }
  free(s->heap);
  free(s->items);
  free(s);
}
