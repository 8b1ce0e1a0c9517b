/* Replacement. Blocks that are there, and of ARC those that were, are entries: found by a hash table, and each in one
 * of the cache's lists, whose heads are the blocks used last. LFU has a list for each number of uses, in rising
 * order. */
#include "evaluators/storage/cache.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, FIRST_ROOM = 64 };

/* T1 holds all blocks but of ARC and LFU. */
enum { T1, T2, B1, B2, LISTS };

struct entry {
  int64_t block;
  uint32_t chained;      /* in the table; free list */
  uint32_t newer, older; /* in its list */
  uint32_t list;         /* of LISTS; of LFU a place in `ranks` */
  bool written, referenced;
};
struct list {
  uint32_t head, tail, count;
};
struct rank { /* blocks that LFU has used so often */
  struct list list;
  uint64_t uses;
  uint32_t less, more; /* the next ranks in order; more: free list */
};
struct cache {
  struct psl_host *host;
  enum cache_policy policy;
  uint32_t capacity;
  struct entry *entries;
  uint32_t entry_count, entry_room, free_entries;
  uint32_t *table, table_size; /* a power of 2 */
  struct list lists[LISTS];
  double target; /* of ARC, p: how many blocks T1 should have */
  struct rank *ranks;
  uint32_t rank_count, rank_room, free_ranks, least_rank;
  int64_t *cleaned;
  uint32_t cleaned_room;
};

/* ---- memory ---- */

static void *grown(struct psl_host *host, const void *items, uint32_t *room, size_t size) {
  uint32_t more = *room ? 2 * *room : FIRST_ROOM;
  void *larger = host->allocate(host, more * size);
  if (*room) memcpy(larger, items, *room * size);
  *room = more;
  return larger;
}

struct cache *cache_make(struct psl_host *host, enum cache_policy policy, uint32_t capacity) {
  struct cache *c = host->allocate(host, sizeof *c);
  c->host = host;
  c->policy = policy;
  c->capacity = capacity;
  c->free_entries = c->free_ranks = c->least_rank = NONE;
  for (int i = 0; i < LISTS; i++)
    c->lists[i] = (struct list){NONE, NONE, 0};
  return c;
}

/* ---- the table ---- */

static uint32_t *slot_of(const struct cache *c, int64_t block) {
  uint64_t mixed = (uint64_t)block * UINT64_C(0x9e3779b97f4a7c15);
  return &c->table[(mixed >> 32) & (c->table_size - 1)];
}

static void table_grow(struct cache *c) {
  uint32_t size = c->table_size ? 2 * c->table_size : FIRST_ROOM, before_size = c->table_size, *before = c->table;
  c->table = c->host->allocate(c->host, size * sizeof *c->table);
  c->table_size = size;
  for (uint32_t i = 0; i < size; i++)
    c->table[i] = NONE;
  for (uint32_t i = 0; i < before_size; i++)
    for (uint32_t e = before[i], next; e != NONE; e = next) {
      next = c->entries[e].chained;
      uint32_t *slot = slot_of(c, c->entries[e].block);
      c->entries[e].chained = *slot;
      *slot = e;
    }
}

static uint32_t entry_find(const struct cache *c, int64_t block) {
  uint32_t e = c->table_size ? *slot_of(c, block) : (uint32_t)NONE;
  while (e != NONE && c->entries[e].block != block)
    e = c->entries[e].chained;
  return e;
}

static uint32_t entry_new(struct cache *c, int64_t block) {
  uint32_t e = c->free_entries;
  if (e != NONE) {
    c->free_entries = c->entries[e].chained;
  } else {
    if (c->entry_count == c->entry_room) c->entries = grown(c->host, c->entries, &c->entry_room, sizeof *c->entries);
    e = c->entry_count++;
    if (e >= c->table_size) table_grow(c);
  }
  uint32_t *slot = slot_of(c, block);
  c->entries[e] = (struct entry){.block = block, .chained = *slot};
  *slot = e;
  return e;
}

static void entry_free(struct cache *c, uint32_t e) {
  uint32_t *link = slot_of(c, c->entries[e].block);
  while (*link != e)
    link = &c->entries[*link].chained;
  *link = c->entries[e].chained;
  c->entries[e].chained = c->free_entries;
  c->free_entries = e;
}

/* ---- lists ---- */

static void list_enter(struct cache *c, struct list *list, uint32_t e) {
  c->entries[e].newer = NONE;
  c->entries[e].older = list->head;
  *(list->head == NONE ? &list->tail : &c->entries[list->head].newer) = e;
  list->head = e;
  list->count++;
}

static void list_leave(struct cache *c, struct list *list, uint32_t e) {
  const struct entry *entry = &c->entries[e];
  *(entry->newer == NONE ? &list->head : &c->entries[entry->newer].older) = entry->older;
  *(entry->older == NONE ? &list->tail : &c->entries[entry->older].newer) = entry->newer;
  list->count--;
}

static void entry_place(struct cache *c, uint32_t e, uint32_t list) {
  c->entries[e].list = list;
  list_enter(c, &c->lists[list], e);
}

static void entry_move(struct cache *c, uint32_t e, uint32_t list) {
  list_leave(c, &c->lists[c->entries[e].list], e);
  entry_place(c, e, list);
}

/* It is no more in the cache. */
static void entry_evict(const struct cache *c, uint32_t e, struct cache_outcome *out) {
  struct entry *entry = &c->entries[e];
  if (!entry->written) return;
  entry->written = false;
  out->evicts = true;
  out->victim = entry->block;
}

static void oldest_drop(struct cache *c, uint32_t list, struct cache_outcome *out) {
  uint32_t e = c->lists[list].tail;
  entry_evict(c, e, out);
  list_leave(c, &c->lists[list], e);
  entry_free(c, e);
}

/* ---- LFU ---- */

static uint32_t rank_after(struct cache *c, uint32_t before, uint64_t uses) {
  uint32_t next = before == NONE ? c->least_rank : c->ranks[before].more;
  if (next != NONE && c->ranks[next].uses == uses) return next;
  uint32_t r = c->free_ranks;
  if (r != NONE) {
    c->free_ranks = c->ranks[r].more;
  } else {
    if (c->rank_count == c->rank_room) c->ranks = grown(c->host, c->ranks, &c->rank_room, sizeof *c->ranks);
    r = c->rank_count++;
  }
  c->ranks[r] = (struct rank){.list = {NONE, NONE, 0}, .uses = uses, .less = before, .more = next};
  *(before == NONE ? &c->least_rank : &c->ranks[before].more) = r;
  if (next != NONE) c->ranks[next].less = r;
  return r;
}

static void rank_leave(struct cache *c, uint32_t r, uint32_t e) {
  list_leave(c, &c->ranks[r].list, e);
  if (c->ranks[r].list.count) return;
  uint32_t less = c->ranks[r].less, more = c->ranks[r].more;
  *(less == NONE ? &c->least_rank : &c->ranks[less].more) = more;
  if (more != NONE) c->ranks[more].less = less;
  c->ranks[r].more = c->free_ranks;
  c->free_ranks = r;
}

static void rank_enter(struct cache *c, uint32_t r, uint32_t e) {
  c->entries[e].list = r;
  list_enter(c, &c->ranks[r].list, e);
}

static void lfu_hit(struct cache *c, uint32_t e) {
  uint32_t before = c->entries[e].list, after = rank_after(c, before, c->ranks[before].uses + 1);
  rank_leave(c, before, e);
  rank_enter(c, after, e);
}

static uint32_t lfu_miss(struct cache *c, int64_t block, struct cache_outcome *out) {
  if (c->lists[T1].count == c->capacity) { /* it counts them all */
    uint32_t r = c->least_rank, gone = c->ranks[r].list.tail;
    entry_evict(c, gone, out);
    rank_leave(c, r, gone);
    entry_free(c, gone);
  } else {
    c->lists[T1].count++;
  }
  uint32_t e = entry_new(c, block);
  rank_enter(c, rank_after(c, NONE, 1), e);
  return e;
}

/* ---- LRU, FIFO, CLOCK ---- */

static uint32_t line_miss(struct cache *c, int64_t block, struct cache_outcome *out) {
  const struct list *all = &c->lists[T1];
  if (all->count == c->capacity) {
    for (uint32_t e = all->tail; c->entries[e].referenced; e = all->tail) { /* of CLOCK alone */
      c->entries[e].referenced = false;
      entry_move(c, e, T1);
    }
    oldest_drop(c, T1, out);
  }
  uint32_t e = entry_new(c, block);
  entry_place(c, e, T1);
  return e;
}

/* ---- ARC ---- */

/* REPLACE(x, p): what goes is remembered. */
static void arc_replace(struct cache *c, bool in_B2, struct cache_outcome *out) {
  double here = c->lists[T1].count;
  bool first = here >= 1 && (here > c->target || (in_B2 && here == c->target));
  uint32_t e = c->lists[first ? T1 : T2].tail;
  entry_evict(c, e, out);
  entry_move(c, e, first ? B1 : B2);
}

static double ratio(const struct cache *c, int of, int to) {
  double more = c->lists[of].count, less = c->lists[to].count;
  return more > less ? more / less : 1;
}

static void arc_remembered(struct cache *c, uint32_t e, struct cache_outcome *out) {
  bool in_B2 = c->entries[e].list == B2;
  double target = in_B2 ? c->target - ratio(c, B1, B2) : c->target + ratio(c, B2, B1);
  c->target = target < 0 ? 0 : target > c->capacity ? c->capacity : target;
  arc_replace(c, in_B2, out);
  entry_move(c, e, T2);
}

static uint32_t arc_miss(struct cache *c, int64_t block, struct cache_outcome *out) {
  uint64_t seen_once = (uint64_t)c->lists[T1].count + c->lists[B1].count;
  uint64_t all = seen_once + c->lists[T2].count + c->lists[B2].count;
  if (seen_once == c->capacity) {
    if (c->lists[T1].count < c->capacity) {
      oldest_drop(c, B1, out);
      arc_replace(c, false, out);
    } else {
      oldest_drop(c, T1, out);
    }
  } else if (all >= c->capacity) {
    if (all == 2 * (uint64_t)c->capacity) oldest_drop(c, B2, out);
    arc_replace(c, false, out);
  }
  uint32_t e = entry_new(c, block);
  entry_place(c, e, T1);
  return e;
}

/* ---- all ---- */

static bool is_there(const struct cache *c, uint32_t e) {
  return e != NONE && (c->policy != CACHE_ARC || c->entries[e].list == T1 || c->entries[e].list == T2);
}

bool cache_has(const struct cache *c, int64_t block) { return is_there(c, entry_find(c, block)); }

static void hit(struct cache *c, uint32_t e) {
  switch (c->policy) {
  case CACHE_LRU: entry_move(c, e, T1); break;
  case CACHE_CLOCK: c->entries[e].referenced = true; break;
  case CACHE_LFU: lfu_hit(c, e); break;
  case CACHE_ARC: entry_move(c, e, T2); break;
  case CACHE_FIFO:
  case CACHE_POLICIES: break;
  }
}

static uint32_t miss(struct cache *c, int64_t block, struct cache_outcome *out) {
  if (c->policy == CACHE_ARC) return arc_miss(c, block, out);
  return c->policy == CACHE_LFU ? lfu_miss(c, block, out) : line_miss(c, block, out);
}

struct cache_outcome cache_use(struct cache *c, int64_t block, bool writes) {
  struct cache_outcome out = {.hit = false};
  uint32_t e = entry_find(c, block);
  out.hit = is_there(c, e);
  if (out.hit)
    hit(c, e);
  else if (e != NONE)
    arc_remembered(c, e, &out);
  else
    e = miss(c, block, &out);
  c->entries[e].written |= writes;
  return out;
}

static int by_number(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

const int64_t *cache_clean(struct cache *c, uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < c->table_size; i++)
    for (uint32_t e = c->table[i]; e != NONE; e = c->entries[e].chained) {
      if (!c->entries[e].written) continue;
      c->entries[e].written = false;
      if (*count == c->cleaned_room) c->cleaned = grown(c->host, c->cleaned, &c->cleaned_room, sizeof *c->cleaned);
      c->cleaned[(*count)++] = c->entries[e].block;
    }
  if (*count) qsort(c->cleaned, *count, sizeof *c->cleaned, by_number);
  return c->cleaned;
}
