/* Communicators: sets of ranks, in an order. MPI-Sim keeps messages of different ones apart; here stands who belongs to
 * which, as which number of it, and which collective operations its members have come to.
 *
 * The world is number 0, and is not made: each program that uses it says how many ranks that has. Another one is made
 * by the first of its members that names it, and is no more when all have left it.
 *
 * An operation is kept until all members have come to it. */
#include "evaluators/mpi_sim/communicators.h"
#include <stdio.h>

/* ---- members ---- */

static uint32_t rank_hash(uint32_t rank) {
  uint32_t h = rank * 0x9e3779b1u;
  return h ^ h >> 15;
}

/* Where the rank stands in the table, or would. */
static uint32_t *places_find(const struct communicator *c, uint32_t rank) {
  uint32_t mask = 2 * c->capacity - 1, k = rank_hash(rank) & mask;
  while (c->places[k] != NONE && c->members[c->places[k]] != rank)
    k = (k + 1) & mask;
  return &c->places[k];
}

static void tables_give(struct communicators *cs, struct communicator *c) {
  uint32_t size = log2_of(c->capacity);
  memcpy(c->members, &cs->spare[size], sizeof(void *));
  cs->spare[size] = c->members;
}

static void tables_grow(struct communicators *cs, struct communicator *c) {
  struct communicator old = *c;
  c->capacity = old.capacity ? 2 * old.capacity : 8;
  uint32_t *tables = cs->spare[log2_of(c->capacity)];
  if (tables)
    memcpy(&cs->spare[log2_of(c->capacity)], tables, sizeof(void *));
  else
    tables = cut(cs->memory, 4 * c->capacity * sizeof *tables);
  c->members = tables;
  c->called = tables + c->capacity;
  c->places = tables + 2 * (size_t)c->capacity;
  memset(c->places, 0xff, 2 * c->capacity * sizeof *c->places);
  if (!old.capacity) return;
  memcpy(c->members, old.members, old.count * sizeof *c->members);
  memcpy(c->called, old.called, old.count * sizeof *c->called);
  for (uint32_t place = 0; place < c->count; place++)
    *places_find(c, c->members[place]) = place;
  tables_give(cs, &old);
}

bool communicator_place(const struct communicator *c, struct psl_call *call, int64_t number, int64_t rank,
                        uint32_t *place) {
  *place = rank >= 0 && rank < RANK_LIMIT ? *places_find(c, (uint32_t)rank) : NONE;
  if (*place != NONE) return true;
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " is no member of communicator %" PRId64, rank, number);
  return false;
}

/* ---- making and leaving them ---- */

static struct communicator *slot_of(struct communicators *cs, struct psl_call *call, int64_t number) {
  if (number < 1 || number >= COMMUNICATOR_LIMIT) {
    snprintf(call->error, sizeof call->error,
             "communicator %" PRId64 " cannot be made; 0 is the world, and others are 1 to %d", number,
             COMMUNICATOR_LIMIT - 1);
    return NULL;
  }
  if (number >= cs->other_count) {
    uint32_t count = cs->other_count ? cs->other_count : 16;
    while (count <= number)
      count *= 2;
    struct communicator **grown = cs->memory->host->allocate(cs->memory->host, count * sizeof *grown);
    if (cs->other_count) memcpy(grown, cs->others, cs->other_count * sizeof *grown);
    cs->others = grown;
    cs->other_count = count;
  }
  if (!cs->others[number]) cs->others[number] = cut(cs->memory, sizeof(struct communicator));
  return cs->others[number];
}

struct communicator *communicator_of(struct communicators *cs, struct psl_call *call, int64_t number) {
  struct communicator *c = number > 0 && number < cs->other_count ? cs->others[number] : NULL;
  if (c && c->size) return c;
  snprintf(call->error, sizeof call->error, "there is no communicator %" PRId64, number);
  return NULL;
}

bool communicator_join(struct communicators *cs, struct psl_call *call, int64_t number, int64_t rank, int64_t size,
                       bool *fresh) {
  struct communicator *c = slot_of(cs, call, number);
  if (!c) return false;
  if (size < 1 || size >= RANK_LIMIT) {
    snprintf(call->error, sizeof call->error, "a communicator of %" PRId64 " members", size);
    return false;
  }
  *fresh = c->size == 0;
  if (*fresh) {
    c->size = (uint32_t)size;
    c->count = c->left = 0;
    c->split = false;
    return true;
  }
  uint32_t place;
  if (c->left || c->split || c->size != size) {
    const char *what = c->left    ? "not all of which have left it"
                       : c->split ? "which have made it together"
                                  : "and another number here";
    snprintf(call->error, sizeof call->error, "communicator %" PRId64 " has %u members, %s", number, c->size, what);
    return false;
  }
  return communicator_place(c, call, number, rank, &place);
}

bool communicator_enrol(struct communicators *cs, struct psl_call *call, int64_t number, int64_t rank) {
  struct communicator *c = communicator_of(cs, call, number);
  if (!c) return false;
  if (rank < 0 || rank >= RANK_LIMIT || c->count == c->size) {
    snprintf(call->error, sizeof call->error, "rank %" PRId64 " cannot be a member of communicator %" PRId64, rank,
             number);
    return false;
  }
  if (c->count == c->capacity) tables_grow(cs, c);
  uint32_t *place = places_find(c, (uint32_t)rank);
  if (*place != NONE) {
    snprintf(call->error, sizeof call->error, "rank %" PRId64 " is twice a member of communicator %" PRId64, rank,
             number);
    return false;
  }
  *place = c->count;
  c->members[c->count] = (uint32_t)rank;
  c->called[c->count++] = 0;
  return true;
}

/* Has it not left the communicator? */
static bool still_member(struct psl_call *call, const uint32_t *called, int64_t number, int64_t rank) {
  if (*called != NONE) return true;
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " has left communicator %" PRId64, rank, number);
  return false;
}

bool communicator_leave(struct communicators *cs, struct psl_call *call, int64_t number, int64_t rank) {
  struct communicator *c = communicator_of(cs, call, number);
  uint32_t place;
  if (!c || !communicator_place(c, call, number, rank, &place) || !still_member(call, &c->called[place], number, rank))
    return false;
  c->called[place] = NONE;
  if (++c->left < c->size) return true;
  tables_give(cs, c);
  c->size = c->capacity = c->due_count = 0;
  c->first = 0;
  return true;
}

/* ---- collective operations ---- */

static uint32_t name_intern(struct communicators *cs, const char *name) {
  uint32_t k = 0;
  while (k < cs->name_count && strcmp(cs->names[k], name) != 0)
    k++;
  if (k < cs->name_count) return k;
  struct psl_host *host = cs->memory->host;
  if (k % 16 == 0) {
    const char **grown = host->allocate(host, (k + 16) * sizeof *grown);
    if (k) memcpy(grown, cs->names, k * sizeof *grown);
    cs->names = grown;
  }
  char *copy = host->allocate(host, strlen(name) + 1);
  cs->names[cs->name_count++] = strcpy(copy, name);
  return k;
}

static struct operation *due_at(const struct communicator *c, uint64_t number) {
  return &c->due[(c->due_begin + (uint32_t)(number - c->first)) & (c->due_capacity - 1)];
}

static struct operation *due_append(struct communicators *cs, struct communicator *c) {
  if (c->due_count == c->due_capacity) {
    uint32_t capacity = c->due_capacity ? 2 * c->due_capacity : 4;
    struct operation *grown = cut(cs->memory, capacity * sizeof *grown);
    for (uint32_t k = 0; k < c->due_count; k++)
      grown[k] = *due_at(c, c->first + k);
    c->due = grown;
    c->due_begin = 0;
    c->due_capacity = capacity;
  }
  return due_at(c, c->first + c->due_count++);
}

static void operation_print(const struct communicators *cs, const struct operation *o, char out[80]) {
  int length = snprintf(out, 80, "%.40s", cs->names[o->name]);
  if (o->root >= 0) length += snprintf(out + length, 80 - (size_t)length, " with root %d", o->root);
  snprintf(out + length, 80 - (size_t)length, " in rank %u of %" PRId64, o->rank, o->size);
}

static bool operation_differs(struct communicators *cs, struct psl_call *call, const struct entry *entry,
                              const struct operation *first, uint64_t number) {
  struct operation here = {
      name_intern(cs, entry->name), entry->rank, (int32_t)entry->root, 1, entry->size, {0, 0}, {0, 0}};
  char mine[80], other[80], which[40] = "";
  operation_print(cs, &here, mine);
  operation_print(cs, first, other);
  if (entry->communicator) snprintf(which, sizeof which, " of communicator %" PRId64, entry->communicator);
  snprintf(call->error, sizeof call->error, "collective operation %" PRIu64 "%s is %s, %s", number + 1, which, mine,
           other);
  return false;
}

/* Ranks come in any order; what is kept does not depend on that. */
static void giver_add(struct operation *o, struct giver giver) {
  if (o->lowest.bytes == 0) {
    o->lowest = giver;
  } else if (giver.rank < o->lowest.rank) {
    if (giver.bytes != o->lowest.bytes) o->other = o->lowest;
    o->lowest = giver;
  } else if (giver.bytes != o->lowest.bytes && (o->other.bytes == 0 || giver.rank < o->other.rank)) {
    o->other = giver;
  }
}

static void sizes_compare(struct communicators *cs, const struct entry *entry, struct operation *o, uint64_t number) {
  struct differing *first = &cs->differing;
  if (entry->bytes <= 0) return;
  giver_add(o, (struct giver){entry->bytes, entry->rank});
  if (o->other.bytes == 0) return;
  bool later = first->number && (first->number < number + 1 ||
                                 (first->number == number + 1 && first->communicator < entry->communicator));
  if (!later) *first = (struct differing){number + 1, entry->communicator, o->name, o->lowest, o->other};
}

bool operation_enter(struct communicators *cs, struct psl_call *call, struct communicator *c, uint32_t *called,
                     const struct entry *entry) {
  if (!still_member(call, called, entry->communicator, entry->rank)) return false;
  if (*called < c->first) *called = (uint32_t)c->first; /* those before were a smaller program's */
  uint64_t number = (*called)++;
  struct operation *o;
  if (number - c->first < c->due_count) {
    o = due_at(c, number);
    if (o->root != entry->root || o->size != entry->size || strcmp(cs->names[o->name], entry->name) != 0)
      return operation_differs(cs, call, entry, o, number);
  } else {
    o = due_append(cs, c);
    *o = (struct operation){
        name_intern(cs, entry->name), entry->rank, (int32_t)entry->root, 0, entry->size, {0, 0}, {0, 0}};
  }
  sizes_compare(cs, entry, o, number);
  if (++o->came < o->size || number != c->first) return true;
  c->first++;
  c->due_count--;
  c->due_begin = (c->due_begin + 1) & (c->due_capacity - 1);
  return true;
}

static uint64_t digest_add(uint64_t digest, uint64_t part) {
  digest = (digest ^ part) * 0x9e3779b97f4a7c15u;
  return digest ^ digest >> 29;
}

struct called operations_called(const struct communicators *cs) {
  const struct communicator *c = &cs->world;
  struct called called = {c->first + c->due_count, c->first};
  for (uint32_t k = 0; k < c->due_count; k++) {
    const struct operation *o = due_at(c, c->first + k);
    uint64_t bytes;
    memcpy(&bytes, &o->lowest.bytes, sizeof bytes);
    for (const char *name = cs->names[o->name]; *name; name++)
      called.digest = digest_add(called.digest, (unsigned char)*name);
    called.digest = digest_add(called.digest, (uint64_t)(uint32_t)o->root);
    called.digest = digest_add(called.digest, (uint64_t)o->size);
    called.digest = digest_add(called.digest, bytes);
  }
  return called;
}
