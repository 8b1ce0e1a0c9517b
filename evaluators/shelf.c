/* Shelves. The index of one is a hash table of buckets: by field and hash of its value, the items that have it and the
 * wishes for it. A bucket lasts while something is in it. */
#include "evaluators/shelf.h"
#include <string.h>

enum { FIELDS = 8, FIRST_BUCKETS = 64 }; /* more fields than that are not indexed */

struct entry { /* an item in the line of a bucket */
  struct place place;
  struct item *item;
  struct bucket *bucket;
  struct entry *next; /* of the item; free list */
};
struct bucket {
  struct bucket *next; /* in the table; free list */
  struct psl_wanted of;
  struct line items, wishes;
};
struct shelf_index {
  uint32_t fields[FIELDS], field_count;
  struct bucket **table;
  uint32_t size, count; /* size: a power of 2 */
};

static struct item *item_at(struct place *place) { return (struct item *)(void *)place; }
static struct wish *wish_at(struct place *place) { return (struct wish *)(void *)place; }
static struct entry *entry_at(struct place *place) { return (struct entry *)(void *)place; }

/* ---- buckets ---- */

static struct bucket **slot_of(const struct shelf_index *index, struct psl_wanted of) {
  uint64_t mixed = (of.hash + of.field) * UINT64_C(0x9e3779b97f4a7c15);
  return &index->table[(mixed >> 32) & (index->size - 1)];
}

static struct bucket *bucket_find(const struct shelf_index *index, struct psl_wanted of) {
  struct bucket *bucket = *slot_of(index, of);
  while (bucket && (bucket->of.field != of.field || bucket->of.hash != of.hash))
    bucket = bucket->next;
  return bucket;
}

static void index_grow(struct shelves *all, struct shelf_index *index) {
  struct shelf_index before = *index;
  index->size = before.size ? 2 * before.size : FIRST_BUCKETS;
  index->table = all->host->allocate(all->host, index->size * sizeof *index->table);
  for (uint32_t i = 0; i < before.size; i++)
    for (struct bucket *bucket = before.table[i], *next; bucket; bucket = next) {
      struct bucket **slot = slot_of(index, bucket->of);
      next = bucket->next;
      bucket->next = *slot;
      *slot = bucket;
    }
}

static struct bucket *bucket_of(struct shelves *all, struct shelf_index *index, struct psl_wanted of) {
  struct bucket *bucket = bucket_find(index, of);
  if (bucket) return bucket;
  if (index->count == index->size) index_grow(all, index);
  index->count++;
  bucket = all->free_buckets;
  if (bucket)
    all->free_buckets = bucket->next;
  else
    bucket = all->host->allocate(all->host, sizeof *bucket);
  struct bucket **slot = slot_of(index, of);
  *bucket = (struct bucket){.next = *slot, .of = of};
  return *slot = bucket;
}

static void bucket_left(struct shelves *all, struct shelf_index *index, struct bucket *bucket) {
  if (bucket->items.first || bucket->wishes.first) return;
  struct bucket **link = slot_of(index, bucket->of);
  while (*link != bucket)
    link = &(*link)->next;
  *link = bucket->next;
  index->count--;
  bucket->next = all->free_buckets;
  all->free_buckets = bucket;
}

/* ---- fields ---- */

static void entry_add(struct shelves *all, struct shelf_index *index, struct item *item, uint32_t field) {
  struct entry *entry = all->free_entries;
  if (entry)
    all->free_entries = entry->next;
  else
    entry = all->host->allocate(all->host, sizeof *entry);
  struct psl_wanted of = {field, all->host->hash(all->host, item->value, field)};
  struct bucket *bucket = bucket_of(all, index, of);
  *entry = (struct entry){.item = item, .bucket = bucket, .next = item->entries};
  item->entries = entry;
  line_enter(&all->ranks, &bucket->items, &entry->place, item->place.rank->priority);
}

/* Is the field one by which items are found? It is from now on, unless there are too many. */
static bool is_indexed(struct shelves *all, struct shelf *shelf, uint32_t field) {
  if (!shelf->index) {
    shelf->index = all->host->allocate(all->host, sizeof *shelf->index);
    index_grow(all, shelf->index);
  }
  struct shelf_index *index = shelf->index;
  for (uint32_t i = 0; i < index->field_count; i++)
    if (index->fields[i] == field) return true;
  if (index->field_count == FIELDS) return false;
  index->fields[index->field_count++] = field;
  for (struct place *place = shelf->items.first; place; place = place->next)
    entry_add(all, index, item_at(place), field);
  return true;
}

/* ---- items ---- */

void shelf_put(struct shelves *all, struct shelf *shelf, struct item *item, double priority) {
  item->entries = NULL;
  line_enter(&all->ranks, &shelf->items, &item->place, priority);
  for (uint32_t i = 0; shelf->index && i < shelf->index->field_count; i++)
    entry_add(all, shelf->index, item, shelf->index->fields[i]);
}

void shelf_take(struct shelves *all, struct shelf *shelf, struct item *item) {
  line_leave(&all->ranks, &shelf->items, &item->place);
  for (struct entry *entry = item->entries, *next; entry; entry = next) {
    next = entry->next;
    line_leave(&all->ranks, &entry->bucket->items, &entry->place);
    bucket_left(all, shelf->index, entry->bucket);
    entry->next = all->free_entries;
    all->free_entries = entry;
  }
}

struct item *shelf_find(struct shelves *all, struct shelf *shelf, struct psl_value condition) {
  struct psl_host *host = all->host;
  struct psl_wanted wanted;
  if (!host->wants(host, condition, &wanted) || !is_indexed(all, shelf, wanted.field)) {
    struct place *place = shelf->items.first;
    while (place && !host->holds(host, condition, item_at(place)->value))
      place = place->next;
    return place ? item_at(place) : NULL;
  }
  const struct bucket *bucket = bucket_find(shelf->index, wanted);
  struct place *place = bucket ? bucket->items.first : NULL;
  while (place && !host->holds(host, condition, entry_at(place)->item->value))
    place = place->next;
  return place ? entry_at(place)->item : NULL;
}

/* ---- wishes ---- */

void shelf_want(struct shelves *all, struct shelf *shelf, struct wish *wish) {
  struct psl_wanted wanted;
  bool equal = all->host->wants(all->host, wish->condition, &wanted) && is_indexed(all, shelf, wanted.field);
  wish->bucket = equal ? bucket_of(all, shelf->index, wanted) : NULL;
  line_enter(&all->ranks, equal ? &wish->bucket->wishes : &shelf->wishes, &wish->place, 0);
}

void shelf_unwant(struct shelves *all, struct shelf *shelf, struct wish *wish) {
  struct bucket *bucket = wish->bucket;
  line_leave(&all->ranks, bucket ? &bucket->wishes : &shelf->wishes, &wish->place);
  if (bucket) bucket_left(all, shelf->index, bucket);
}

/* The first of the line whose condition holds, if it has come before `best`; else that one. */
static struct wish *earlier(struct psl_host *host, const struct line *line, struct psl_value value, struct wish *best) {
  for (struct place *place = line->first; place; place = place->next) {
    struct wish *wish = wish_at(place);
    if (best && best->order < wish->order) return best;
    if (host->holds(host, wish->condition, value)) return wish;
  }
  return best;
}

struct wish *shelf_who(struct shelves *all, const struct shelf *shelf, const struct line *line,
                       struct psl_value value) {
  struct psl_host *host = all->host;
  struct wish *best = earlier(host, line, value, earlier(host, &shelf->wishes, value, NULL));
  for (uint32_t i = 0; shelf->index && i < shelf->index->field_count; i++) {
    uint32_t field = shelf->index->fields[i];
    const struct bucket *bucket = bucket_find(shelf->index, (struct psl_wanted){field, host->hash(host, value, field)});
    if (bucket) best = earlier(host, &bucket->wishes, value, best);
  }
  return best;
}
