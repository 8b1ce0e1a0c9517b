/* Each line stands at the time of its last use, a place in a tree of Fenwick's, which counts the places that are taken:
 * what stands behind a line was used since. When the places are used up those that are taken move together. */
#include "evaluators/programs/qemu/distances.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_FIRST = 1 << 16 };

struct entry {
  uint64_t line; /* one more than its number; 0: none */
  uint64_t place;
};

struct distances {
  uint64_t one_of, limit;   /* of hashes */
  struct entry *entries;    /* a hash table */
  uint64_t capacity, count; /* of it */
  uint32_t *tree;           /* by place, from 1 */
  uint64_t *lines;          /* that stands at the place; 0: none */
  uint64_t places, used;    /* there are, and up to which one they are used */
  uint64_t last;            /* one more than the line that was used last */
};

uint64_t distances_limit(const struct distances *d) { return d->limit; }

/* ---- the tree ---- */

static void tree_add(struct distances *d, uint64_t place, uint32_t one) {
  for (; place <= d->places; place += place & -place)
    d->tree[place] += one;
}

static uint64_t tree_before(const struct distances *d, uint64_t place) {
  uint64_t sum = 0;
  for (; place; place &= place - 1)
    sum += d->tree[place];
  return sum;
}

/* ---- the table ---- */

static struct entry *entry_of(const struct distances *d, uint64_t line) {
  uint64_t at = (distances_hash(line) * 0x9e3779b97f4a7c15u) >> 20 & (d->capacity - 1);
  while (d->entries[at].line && d->entries[at].line != line + 1)
    at = (at + 1) & (d->capacity - 1);
  return &d->entries[at];
}

static bool table_grow(struct distances *d) {
  struct entry *old = d->entries, *end = old + d->capacity;
  struct entry *entries = calloc(2 * d->capacity, sizeof *entries);
  if (!entries) return false;
  d->entries = entries;
  d->capacity *= 2;
  for (struct entry *entry = old; entry < end; entry++)
    if (entry->line) *entry_of(d, entry->line - 1) = *entry;
  free(old);
  return true;
}

/* ---- places ---- */

/* Lines move to the first places, in their order; there are at least as many free ones as that then. */
static bool places_make(struct distances *d) {
  uint64_t places = d->places;
  while (places < 2 * d->count)
    places *= 2;
  uint64_t *lines = calloc(places + 1, sizeof *lines);
  uint32_t *tree = calloc(places + 1, sizeof *tree);
  if (!lines || !tree) return free(lines), free(tree), false;
  uint64_t used = 0;
  for (uint64_t place = 1; place <= d->used; place++) {
    if (!d->lines[place]) continue;
    lines[++used] = d->lines[place];
    entry_of(d, d->lines[place] - 1)->place = used;
  }
  free(d->lines);
  free(d->tree);
  d->lines = lines, d->tree = tree, d->places = places;
  d->used = used;
  for (uint64_t place = 1; place <= places; place++) { /* of the places that it spans those that are taken */
    uint64_t from = place - (place & -place), to = place < used ? place : used;
    tree[place] = (uint32_t)(from < to ? to - from : 0);
  }
  return true;
}

bool distances_use(struct distances *d, uint64_t line, uint64_t *distance) {
  if (d->last == line + 1) return *distance = 0, true;
  if (d->used == d->places && !places_make(d)) return false;
  if (2 * d->count >= d->capacity && !table_grow(d)) return false;
  struct entry *entry = entry_of(d, line);
  *distance = DISTANCE_NEVER;
  if (entry->line) {
    *distance = (d->count - tree_before(d, entry->place)) * d->one_of;
    tree_add(d, entry->place, (uint32_t)-1);
    d->lines[entry->place] = 0;
  } else {
    entry->line = line + 1;
    d->count++;
  }
  d->last = line + 1;
  entry->place = ++d->used;
  d->lines[entry->place] = line + 1;
  tree_add(d, entry->place, 1);
  return true;
}

uint64_t distances_lines(const struct distances *d) { return d->count; }

struct distances *distances_open(uint64_t one_of) {
  struct distances *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  *d = (struct distances){
      .one_of = one_of, .limit = UINT64_MAX / one_of, .capacity = PLACES_FIRST, .places = PLACES_FIRST};
  d->entries = calloc(d->capacity, sizeof *d->entries);
  d->tree = calloc(d->places + 1, sizeof *d->tree);
  d->lines = calloc(d->places + 1, sizeof *d->lines);
  if (d->entries && d->tree && d->lines) return d;
  distances_close(d);
  return NULL;
}

void distances_close(struct distances *d) {
  if (!d) return;
  free(d->entries);
  free(d->tree);
  free(d->lines);
  free(d);
}
