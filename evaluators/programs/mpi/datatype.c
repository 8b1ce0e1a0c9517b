/* Datatypes: MPICH's own, which are numbers that hold their size, and those that a program derives from them. A derived
 * one is flattened to its blocks of bytes when it is made. */
#include "evaluators/programs/mpi/rank.h"
#include <limits.h>
#include <stdlib.h>

#define DERIVED 0x8c000000u /* handles of derived datatypes, and MPICH's pairs as MPI_DOUBLE_INT, which come first */
#define PAIRS 5

/* ---- MPICH's own ---- */

static struct datatype plain[256];

/* A named type's handle is 0x4c00, its size, its number. */
static const struct datatype *plain_type(MPI_Datatype handle) {
  struct datatype *type = &plain[handle & 255];
  if (!type->references) {
    int64_t size = handle >> 8 & 255;
    *type = (struct datatype){.size = size,
                              .extent = size,
                              .true_extent = size,
                              .basic = handle,
                              .basic_size = (uint32_t)size,
                              .committed = true,
                              .references = 1,
                              .combiner = MPI_COMBINER_NAMED};
  }
  return type;
}

/* Blocks of one size and one distance, behind one another in the data, are a run. */
static void runs_set(struct datatype *type) {
  for (uint32_t b = 0; b < type->block_count; b++) {
    const struct block *block = &type->blocks[b];
    struct run *last = type->run_count ? &type->runs[type->run_count - 1] : NULL;
    if (last && last->count == 1 && last->size == block->size) last->step = block->place - last->place;
    if (last && last->size == block->size && last->place + last->count * last->step == block->place) {
      last->count++;
      continue;
    }
    if (!(type->run_count & (type->run_count - 1))) /* room for as many again */
      type->runs = realloc(type->runs, (type->run_count ? 2 * type->run_count : 1) * sizeof *type->runs);
    type->runs[type->run_count++] = (struct run){block->place, block->size, 0, 1};
  }
}

static void pair_open(uint32_t number, int64_t first, int64_t place, int64_t extent) {
  struct datatype *type = &self->types[number];
  *type = (struct datatype){.size = first + 4,
                            .extent = extent,
                            .true_extent = place + 4,
                            .basic = (MPI_Datatype)(DERIVED | number),
                            .basic_size = (uint32_t)(first + 4),
                            .committed = true,
                            .references = 1,
                            .combiner = MPI_COMBINER_NAMED};
  if (first == place) return;
  type->block_count = 2;
  type->blocks = malloc(2 * sizeof *type->blocks);
  type->blocks[0] = (struct block){0, first};
  type->blocks[1] = (struct block){place, 4};
  runs_set(type);
}

static void table_open(void) {
  self->type_count = 16;
  self->types = calloc(self->type_count, sizeof *self->types);
  pair_open(0, 4, 4, 8);
  pair_open(1, 8, 8, 16);
  pair_open(2, 8, 8, 16);
  pair_open(3, 2, 4, 8);
  pair_open(4, 16, 16, 32);
  self->types[1].true_extent = self->types[2].true_extent = 12;
  for (uint32_t k = 0; k < PAIRS; k++)
    if (!self->types[k].blocks) {
      self->types[k].block_count = 1;
      self->types[k].blocks = malloc(sizeof *self->types[k].blocks);
      self->types[k].blocks[0] = (struct block){0, self->types[k].size};
    }
}

static struct datatype *derived(MPI_Datatype handle) {
  uint32_t number = (uint32_t)handle & 0x3ffffff;
  if (!self->types) table_open();
  return ((uint32_t)handle & 0xfc000000u) == DERIVED && number < self->type_count && self->types[number].references
             ? &self->types[number]
             : NULL;
}

bool datatype_valid(MPI_Datatype handle) { return is_named(handle) || derived(handle); }

int datatype_check(MPI_Comm comm, MPI_Datatype handle) {
  if (datatype_valid(handle)) return MPI_SUCCESS;
  if (handle == MPI_DATATYPE_NULL) return fail(comm, MPI_ERR_TYPE, "%s is given MPI_DATATYPE_NULL", call_name());
  return fail(comm, MPI_ERR_TYPE, "%s is given %#x, which is no datatype", call_name(), (unsigned)handle);
}

int data_type_check(MPI_Comm comm, int64_t count, MPI_Datatype handle) {
  if (count <= 0 || is_named(handle)) return MPI_SUCCESS;
  const struct datatype *type = derived(handle);
  if (!type) return datatype_check(comm, handle);
  if (type->committed) return MPI_SUCCESS;
  return fail(comm, MPI_ERR_TYPE, "%s is given a datatype that is not committed", call_name());
}

int data_check(MPI_Comm comm, const void *base, int64_t count, MPI_Datatype handle) {
  if (!base && count > 0 && is_named(handle) && datatype_size(handle))
    return fail(comm, MPI_ERR_BUFFER, "%s is given NULL for the place of its data", call_name());
  return data_type_check(comm, count, handle);
}

const struct datatype *datatype_of(MPI_Datatype handle) {
  if (is_named(handle)) return plain_type(handle);
  const struct datatype *type = derived(handle);
  if (!type) datatype_check(MPI_COMM_WORLD, handle);
  return type ? type : plain_type(MPI_BYTE);
}

struct attribute **datatype_attributes(MPI_Datatype handle) {
  if (!is_named(handle)) return &((struct datatype *)datatype_of(handle))->attributes;
  if (!self->type_attributes) self->type_attributes = calloc(256, sizeof *self->type_attributes);
  return &self->type_attributes[handle & 255];
}

void datatype_keep(MPI_Datatype handle) {
  struct datatype *type = is_named(handle) ? NULL : derived(handle);
  if (type) type->references++;
}

void datatype_drop(MPI_Datatype handle) {
  struct datatype *type = is_named(handle) ? NULL : derived(handle);
  if (!type || ((uint32_t)handle & 0x3ffffff) < PAIRS || --type->references) return;
  free(type->blocks);
  free(type->runs);
  free(type->integers);
  free(type->addresses);
  for (int k = 0; k < type->type_count; k++)
    datatype_drop(type->types[k]);
  free(type->types);
  free(type->name);
  *type = (struct datatype){0};
}

/* ---- moving data ---- */

static bool contiguous(const struct datatype *type) { return !type->blocks && type->size == type->extent; }

bool datatype_is_contiguous(MPI_Datatype handle) {
  const struct datatype *type = datatype_of(handle);
  bool one_block = !type->blocks || (type->block_count == 1 && !type->blocks->place);
  return one_block && type->size == type->extent;
}

/* Blocks of one size that lie `step` bytes apart here, and one behind the other there. Of the sizes of numbers each is
 * moved by an instruction. */
#define MOVE_BLOCKS(BYTES, HERE, THERE) \
  for (int64_t k = 0; k < count; k++)   \
    memcpy((to) + (THERE), (from) + (HERE), BYTES);
#define MOVERS(name, HERE, THERE)                                                                             \
  static void name(const char *restrict from, char *restrict to, int64_t size, int64_t step, int64_t count) { \
    switch (size) {                                                                                           \
    case 4: MOVE_BLOCKS(4, HERE, THERE) return;                                                               \
    case 8: MOVE_BLOCKS(8, HERE, THERE) return;                                                               \
    case 12: MOVE_BLOCKS(12, HERE, THERE) return;                                                             \
    case 16: MOVE_BLOCKS(16, HERE, THERE) return;                                                             \
    case 24: MOVE_BLOCKS(24, HERE, THERE) return;                                                             \
    case 32: MOVE_BLOCKS(32, HERE, THERE) return;                                                             \
    default: MOVE_BLOCKS((size_t)size, HERE, THERE)                                                           \
    }                                                                                                         \
  }
MOVERS(gather, k *step, k *size)
MOVERS(scatter, k *size, k *step)

void pack(const void *from, int64_t count, MPI_Datatype handle, void *to) {
  const struct datatype *type = is_named(handle) ? NULL : datatype_of(handle);
  if (no_data(from)) return;
  if (!type || datatype_is_contiguous(handle)) {
    memcpy(to, from, bytes_of(count, handle));
    return;
  }
  if (type->block_count == 1) {
    gather(at(from, type->blocks->place), to, type->blocks->size, type->extent, count);
    return;
  }
  for (int64_t k = 0; k < count; k++)
    for (uint32_t n = 0; n < type->run_count; n++) {
      const struct run *r = &type->runs[n];
      gather(at(from, k * type->extent + r->place), to, r->size, r->step, r->count);
      to = at(to, r->size * r->count);
    }
}

/* Of one element, which has not come as a whole. */
static void unpack_part(const char *from, size_t bytes, char *to, const struct datatype *type) {
  for (uint32_t b = 0; b < type->block_count && bytes; b++) {
    size_t part = (size_t)type->blocks[b].size < bytes ? (size_t)type->blocks[b].size : bytes;
    memcpy(to + type->blocks[b].place, from, part);
    from += part;
    bytes -= part;
  }
}

void unpack(const void *from, size_t bytes, void *to, int64_t count, MPI_Datatype handle) {
  const struct datatype *type = is_named(handle) ? NULL : datatype_of(handle);
  if (no_data(to)) return;
  if (!type || datatype_is_contiguous(handle)) {
    memcpy(to, from, bytes);
    return;
  }
  if (!type->size) return;
  int64_t whole = (int64_t)(bytes / (size_t)type->size);
  whole = whole < count ? whole : count;
  if (type->block_count == 1) {
    scatter(from, at(to, type->blocks->place), type->size, type->extent, whole);
    from = at(from, type->size * whole);
  } else {
    for (int64_t k = 0; k < whole; k++)
      for (uint32_t n = 0; n < type->run_count; n++) {
        const struct run *r = &type->runs[n];
        scatter(from, at(to, k * type->extent + r->place), r->size, r->step, r->count);
        from = at(from, r->size * r->count);
      }
  }
  if (whole < count) unpack_part(from, bytes - (size_t)(whole * type->size), at(to, whole * type->extent), type);
}

int elements_in(size_t bytes, MPI_Datatype handle) {
  int64_t size = datatype_of(handle)->size;
  if (size == 0) return bytes ? MPI_UNDEFINED : 0;
  return bytes % (size_t)size ? MPI_UNDEFINED : (int)(bytes / (size_t)size);
}

static int64_t basics_of_one(size_t bytes, MPI_Datatype handle) {
  const struct datatype *type = datatype_of(handle);
  size_t size = (size_t)type->size;
  if (type->combiner == MPI_COMBINER_NAMED) /* of a pair the second is an int */
    return (bytes == size) + (!is_named(handle) && bytes >= size - sizeof(int));
  if (type->combiner != MPI_COMBINER_STRUCT) return type->type_count == 1 ? basics_in(bytes, type->types[0]) : 0;
  int64_t sum = 0;
  for (int k = 0; k < type->type_count && bytes; k++) {
    size_t part = bytes_of(type->integers[1 + k], type->types[k]);
    part = part < bytes ? part : bytes;
    sum += basics_in(part, type->types[k]);
    bytes -= part;
  }
  return sum;
}

int64_t basics_in(size_t bytes, MPI_Datatype handle) {
  size_t size = (size_t)datatype_size(handle);
  if (!size) return 0;
  return (int64_t)(bytes / size) * basics_of_one(size, handle) +
         (bytes % size ? basics_of_one(bytes % size, handle) : 0);
}

/* ---- deriving ---- */

struct
    bound { /* where a type begins, or ends: where its first part does, or its first mark where any of them has one */
  int64_t place;
  bool known, marked;
};
struct making { /* of a new type: its blocks so far */
  struct datatype type;
  struct bound low, high;
  uint32_t capacity;
  bool truly_bounded, mixed;
};

static void bound_move(struct bound *b, int64_t place, bool marked, bool beyond) {
  if (b->marked && !marked) return;
  if (!b->known || beyond || marked != b->marked) b->place = place;
  b->known = true;
  b->marked = marked;
}

static void low_move(struct making *m, int64_t place, bool marked) {
  bound_move(&m->low, place, marked, place < m->low.place);
}

static void high_move(struct making *m, int64_t place, bool marked) {
  bound_move(&m->high, place, marked, place > m->high.place);
}

/* As the program says. */
static void bounds_set(struct making *m, int64_t lower, int64_t extent) {
  m->low = (struct bound){lower, true, true};
  m->high = (struct bound){lower + extent, true, true};
}

static void block_add(struct making *m, int64_t place, int64_t size) {
  struct datatype *type = &m->type;
  if (!size) return;
  if (!m->truly_bounded || place < type->true_lower) {
    if (m->truly_bounded) type->true_extent += type->true_lower - place;
    type->true_lower = place;
  }
  if (!m->truly_bounded || place + size > type->true_lower + type->true_extent)
    type->true_extent = place + size - type->true_lower;
  m->truly_bounded = true;
  struct block *last = type->block_count ? &type->blocks[type->block_count - 1] : NULL;
  type->size += size;
  if (last && last->place + last->size == place) {
    last->size += size;
    return;
  }
  if (type->block_count == m->capacity) {
    m->capacity = m->capacity ? 2 * m->capacity : 4;
    type->blocks = realloc(type->blocks, m->capacity * sizeof *type->blocks);
  }
  type->blocks[type->block_count++] = (struct block){place, size};
}

/* `count` elements of a type, one behind the other, from `place` on. */
static void elements_add(struct making *m, int64_t place, int64_t count, MPI_Datatype handle) {
  const struct datatype *of = datatype_of(handle);
  struct datatype *type = &m->type;
  if (count <= 0) return;
  if (of->size) {
    if (m->mixed || (type->basic != MPI_DATATYPE_NULL && type->basic != of->basic)) {
      m->mixed = true;
      type->basic = MPI_DATATYPE_NULL;
      type->basic_size = 1;
    } else {
      type->basic = of->basic;
      type->basic_size = of->basic_size;
      m->mixed = of->basic == MPI_DATATYPE_NULL;
    }
  }
  int64_t last = (count - 1) * of->extent, upper = of->lower + of->extent;
  low_move(m, place + of->lower + (last < 0 ? last : 0), false);
  high_move(m, place + upper + (last > 0 ? last : 0), false);
  if (contiguous(of)) {
    block_add(m, place, count * of->size);
    return;
  }
  for (int64_t k = 0; k < count; k++)
    for (uint32_t b = 0; b < of->block_count; b++)
      block_add(m, place + k * of->extent + of->blocks[b].place, of->blocks[b].size);
}

static int *integers_copy(const int *from, int count) {
  int *copy = malloc((size_t)(count ? count : 1) * sizeof *copy);
  if (count) memcpy(copy, from, (size_t)count * sizeof *copy);
  return copy;
}

static uint32_t table_place(void) {
  if (!self->types) table_open();
  for (uint32_t k = PAIRS; k < self->type_count; k++)
    if (!self->types[k].references) return k;
  self->types = realloc(self->types, 2 * self->type_count * sizeof *self->types);
  memset(self->types + self->type_count, 0, self->type_count * sizeof *self->types);
  self->type_count *= 2;
  return self->type_count / 2;
}

/* Enters the type, with what it was made of. A single block at 0 stays one, so that basic types alone have none. */
static MPI_Datatype finish(struct making *m, int combiner, int integer_count, const int *integers, int address_count,
                           const MPI_Aint *addresses, int type_count, const MPI_Datatype *types) {
  uint32_t number = table_place();
  struct datatype *type = &self->types[number];
  *type = m->type;
  type->lower = m->low.place;
  type->extent = m->high.place - m->low.place;
  if (!type->blocks) type->blocks = calloc(1, sizeof *type->blocks);
  runs_set(type);
  type->references = 1;
  type->combiner = combiner;
  type->integer_count = integer_count;
  type->address_count = address_count;
  type->type_count = type_count;
  type->integers = integers_copy(integers, integer_count);
  type->types = integers_copy(types, type_count);
  type->addresses = malloc((size_t)(address_count ? address_count : 1) * sizeof *addresses);
  if (address_count) memcpy(type->addresses, addresses, (size_t)address_count * sizeof *addresses);
  for (int k = 0; k < type_count; k++)
    datatype_keep(types[k]);
  return (MPI_Datatype)(DERIVED | number);
}

static struct making making(void) { return (struct making){.type = {.basic = MPI_DATATYPE_NULL, .basic_size = 1}}; }

API(Type_contiguous) int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  DATATYPE(old);
  struct making m = making();
  elements_add(&m, 0, count, old);
  *new = finish(&m, MPI_COMBINER_CONTIGUOUS, 1, &count, 0, NULL, 1, &old);
  return MPI_SUCCESS;
}

static struct making vector_made(int count, int length, int64_t stride, MPI_Datatype old) {
  struct making m = making();
  for (int k = 0; k < count; k++)
    elements_add(&m, k * stride, length, old);
  return m;
}

API(Type_vector) int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  COUNTS(MPI_ERR_COUNT, length);
  DATATYPE(old);
  struct making m = vector_made(count, length, stride * datatype_of(old)->extent, old);
  *new = finish(&m, MPI_COMBINER_VECTOR, 3, (int[]){count, length, stride}, 0, NULL, 1, &old);
  return MPI_SUCCESS;
}

API(Type_create_hvector)
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  COUNTS(MPI_ERR_COUNT, length);
  DATATYPE(old);
  struct making m = vector_made(count, length, stride, old);
  *new = finish(&m, MPI_COMBINER_HVECTOR, 2, (int[]){count, length}, 1, &stride, 1, &old);
  return MPI_SUCCESS;
}

API(Type_hvector) int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  return MPI_Type_create_hvector(count, length, stride, old, new);
}

/* The integers of a type made of blocks: their number, their lengths, and their places where these are integers. */
static MPI_Datatype blocks_finish(struct making *m, int combiner, int count, const int *lengths, const int *places,
                                  const MPI_Aint *addresses, MPI_Datatype old) {
  int *integers = malloc((size_t)(2 * count + 1) * sizeof *integers), used = 1;
  integers[0] = count;
  for (int k = 0; k < count; k++)
    integers[used++] = lengths[k];
  for (int k = 0; places && k < count; k++)
    integers[used++] = places[k];
  MPI_Datatype made = finish(m, combiner, used, integers, addresses ? count : 0, addresses, 1, &old);
  free(integers);
  return made;
}

API(Type_indexed)
int MPI_Type_indexed(int count, const int lengths[], const int places[], MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  for (int k = 0; k < count; k++)
    COUNTS(MPI_ERR_COUNT, lengths[k]);
  DATATYPE(old);
  struct making m = making();
  for (int k = 0; k < count; k++)
    elements_add(&m, places[k] * datatype_of(old)->extent, lengths[k], old);
  *new = blocks_finish(&m, MPI_COMBINER_INDEXED, count, lengths, places, NULL, old);
  return MPI_SUCCESS;
}

API(Type_create_hindexed)
int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint places[], MPI_Datatype old,
                             MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  for (int k = 0; k < count; k++)
    COUNTS(MPI_ERR_COUNT, lengths[k]);
  DATATYPE(old);
  struct making m = making();
  for (int k = 0; k < count; k++)
    elements_add(&m, places[k], lengths[k], old);
  *new = blocks_finish(&m, MPI_COMBINER_HINDEXED, count, lengths, NULL, places, old);
  return MPI_SUCCESS;
}

API(Type_hindexed)
int MPI_Type_hindexed(int count, int lengths[], MPI_Aint places[], MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  return MPI_Type_create_hindexed(count, lengths, places, old, new);
}

API(Type_create_indexed_block)
int MPI_Type_create_indexed_block(int count, int length, const int places[], MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  COUNTS(MPI_ERR_COUNT, length);
  DATATYPE(old);
  struct making m = making();
  int *integers = malloc((size_t)(count + 2) * sizeof *integers);
  integers[0] = count;
  integers[1] = length;
  for (int k = 0; k < count; k++) {
    elements_add(&m, places[k] * datatype_of(old)->extent, length, old);
    integers[k + 2] = places[k];
  }
  *new = finish(&m, MPI_COMBINER_INDEXED_BLOCK, count + 2, integers, 0, NULL, 1, &old);
  free(integers);
  return MPI_SUCCESS;
}

API(Type_create_hindexed_block)
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint places[], MPI_Datatype old,
                                   MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  COUNTS(MPI_ERR_COUNT, length);
  DATATYPE(old);
  struct making m = making();
  for (int k = 0; k < count; k++)
    elements_add(&m, places[k], length, old);
  *new = finish(&m, MPI_COMBINER_HINDEXED_BLOCK, 2, (int[]){count, length}, count, places, 1, &old);
  return MPI_SUCCESS;
}

/* A complex number is aligned as its parts are. */
static int64_t alignment_of_plain(MPI_Datatype handle) {
  static const MPI_Datatype pairs[] = {MPI_COMPLEX,
                                       MPI_DOUBLE_COMPLEX,
                                       MPI_COMPLEX8,
                                       MPI_COMPLEX16,
                                       MPI_COMPLEX32,
                                       MPI_2REAL,
                                       MPI_2DOUBLE_PRECISION,
                                       MPI_2INTEGER,
                                       MPI_C_FLOAT_COMPLEX,
                                       MPI_C_DOUBLE_COMPLEX,
                                       MPI_C_LONG_DOUBLE_COMPLEX,
                                       MPI_CXX_FLOAT_COMPLEX,
                                       MPI_CXX_DOUBLE_COMPLEX,
                                       MPI_CXX_LONG_DOUBLE_COMPLEX};
  int64_t size = datatype_size(handle);
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (pairs[k] == handle) return size / 2;
  return size > 16 ? 16 : size ? size : 1;
}

/* A structure ends where C ends it: at a multiple of its strictest alignment. */
static int64_t alignment_of(MPI_Datatype handle) {
  const struct datatype *type = datatype_of(handle);
  if (is_named(handle)) return alignment_of_plain(handle);
  if (type->combiner == MPI_COMBINER_NAMED) return type->extent / 2;
  if (!type->type_count) return is_named(type->basic) ? alignment_of_plain(type->basic) : 1;
  int64_t most = 1;
  for (int k = 0; k < type->type_count; k++) {
    int64_t of = alignment_of(type->types[k]);
    most = of > most ? of : most;
  }
  return most;
}

API(Type_create_struct)
int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint places[], const MPI_Datatype types[],
                           MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  for (int k = 0; k < count; k++)
    COUNTS(MPI_ERR_COUNT, lengths[k]);
  for (int k = 0; k < count; k++)
    DATATYPE(types[k]);
  struct making m = making();
  int64_t alignment = 1;
  for (int k = 0; k < count; k++) {
    if (types[k] == MPI_LB) low_move(&m, places[k], true); /* as MPI 1 had it */
    if (types[k] == MPI_UB) high_move(&m, places[k], true);
    if (types[k] == MPI_LB || types[k] == MPI_UB) continue;
    elements_add(&m, places[k], lengths[k], types[k]);
    int64_t of = lengths[k] > 0 ? alignment_of(types[k]) : 1;
    alignment = of > alignment ? of : alignment;
  }
  int64_t extent = m.high.place - m.low.place;
  if (!m.high.marked) m.high.place = m.low.place + (extent + alignment - 1) / alignment * alignment;
  int *integers = malloc((size_t)(count + 1) * sizeof *integers);
  integers[0] = count;
  if (count) memcpy(integers + 1, lengths, (size_t)count * sizeof *integers);
  *new = finish(&m, MPI_COMBINER_STRUCT, count + 1, integers, count, places, count, types);
  free(integers);
  return MPI_SUCCESS;
}

API(Type_struct)
int MPI_Type_struct(int count, int lengths[], MPI_Aint places[], MPI_Datatype types[], MPI_Datatype *new) {
  LOCAL_CALL;
  return MPI_Type_create_struct(count, lengths, places, types, new);
}

API(Type_create_resized)
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *new) {
  LOCAL_CALL;
  DATATYPE(old);
  struct making m = making();
  elements_add(&m, 0, 1, old);
  bounds_set(&m, lower, extent);
  *new = finish(&m, MPI_COMBINER_RESIZED, 0, NULL, 2, (MPI_Aint[]){lower, extent}, 1, &old);
  return MPI_SUCCESS;
}

API(Type_dup) int MPI_Type_dup(MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  DATATYPE(old);
  struct making m = making();
  elements_add(&m, 0, 1, old);
  *new = finish(&m, MPI_COMBINER_DUP, 0, NULL, 0, NULL, 1, &old);
  derived(*new)->committed = datatype_of(old)->committed;
  struct attribute *copies = NULL; /* types may move as the program's functions are called */
  int wrong = attributes_copy(MPI_COMM_WORLD, old, *datatype_attributes(old), &copies);
  *datatype_attributes(*new) = copies;
  if (!wrong) return MPI_SUCCESS;
  MPI_Type_free(new);
  return wrong;
}

/* ---- parts of arrays ---- */

/* Is the part in the array? */
static int part_check(int dimensions, const int *sizes, const int *parts, const int *starts, int order) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: the order is MPI_ORDER_C or MPI_ORDER_FORTRAN, not %d", call_name(),
                order);
  for (int d = 0; d < dimensions; d++)
    if (parts[d] < 0 || starts[d] < 0 || starts[d] > sizes[d] || parts[d] > sizes[d] - starts[d])
      return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: dimension %d is of %d, and the part of %d from %d on is not in it",
                  call_name(), d, sizes[d], parts[d], starts[d]);
  return MPI_SUCCESS;
}

/* The elements of a part of an array that are at `places[d][0 .. counts[d] - 1]` of each dimension, first the one that
 * varies slowest. */
static void array_add(struct making *m, int dimensions, const int *sizes, int *const *places, const int *counts,
                      MPI_Datatype old) {
  int64_t extent = datatype_of(old)->extent, all = 1;
  int *at_place = calloc((size_t)dimensions, sizeof *at_place);
  for (int d = 0; d < dimensions; d++)
    all *= counts[d];
  for (int64_t n = 0; n < all; n++) {
    int64_t place = 0;
    for (int d = 0; d < dimensions; d++)
      place = place * sizes[d] + places[d][at_place[d]];
    elements_add(m, place * extent, 1, old);
    for (int d = dimensions; d-- > 0 && ++at_place[d] == counts[d];)
      at_place[d] = 0;
  }
  free(at_place);
  int64_t whole = extent;
  for (int d = 0; d < dimensions; d++)
    whole *= sizes[d];
  bounds_set(m, 0, whole);
}

API(Type_create_subarray)
int MPI_Type_create_subarray(int dimensions, const int sizes[], const int parts[], const int starts[], int order,
                             MPI_Datatype old, MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, dimensions);
  DATATYPE(old);
  int wrong = part_check(dimensions, sizes, parts, starts, order);
  if (wrong) return wrong;
  struct making m = making();
  int **places = calloc((size_t)dimensions, sizeof *places);
  int *slow_sizes = calloc((size_t)dimensions, sizeof *slow_sizes),
      *counts = calloc((size_t)dimensions, sizeof *counts);
  for (int d = 0; d < dimensions; d++) {
    int from = order == MPI_ORDER_C ? d : dimensions - 1 - d;
    slow_sizes[d] = sizes[from];
    counts[d] = parts[from];
    places[d] = calloc((size_t)(parts[from] ? parts[from] : 1), sizeof **places);
    for (int k = 0; k < parts[from]; k++)
      places[d][k] = starts[from] + k;
  }
  array_add(&m, dimensions, slow_sizes, places, counts, old);
  int count = 3 * dimensions + 2, *integers = malloc((size_t)count * sizeof *integers);
  integers[0] = dimensions;
  memcpy(integers + 1, sizes, (size_t)dimensions * sizeof *integers);
  memcpy(integers + 1 + dimensions, parts, (size_t)dimensions * sizeof *integers);
  memcpy(integers + 1 + 2 * dimensions, starts, (size_t)dimensions * sizeof *integers);
  integers[count - 1] = order;
  *new = finish(&m, MPI_COMBINER_SUBARRAY, count, integers, 0, NULL, 1, &old);
  for (int d = 0; d < dimensions; d++)
    free(places[d]);
  free(places), free(slow_sizes), free(counts), free(integers);
  return MPI_SUCCESS;
}

/* Which of `size` indices process `rank` of `processes` has, dealt out in blocks. */
static int *dealt(int size, int distribution, int argument, int processes, int rank, int *count) {
  int *places = calloc((size_t)(size ? size : 1), sizeof *places);
  int block = distribution == MPI_DISTRIBUTE_NONE    ? size
              : argument != MPI_DISTRIBUTE_DFLT_DARG ? argument
              : distribution == MPI_DISTRIBUTE_BLOCK ? (size + processes - 1) / processes
                                                     : 1;
  if (distribution == MPI_DISTRIBUTE_NONE) processes = 1, rank = 0;
  *count = 0;
  for (int k = 0; k < size; k++)
    if (k / (block ? block : 1) % processes == rank) places[(*count)++] = k;
  return places;
}

API(Type_create_darray)
int MPI_Type_create_darray(int size, int rank, int dimensions, const int sizes[], const int distributions[],
                           const int arguments[], const int processes[], int order, MPI_Datatype old,
                           MPI_Datatype *new) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_ARG, dimensions);
  DATATYPE(old);
  struct making m = making();
  int **places = calloc((size_t)dimensions, sizeof *places), *own = calloc((size_t)dimensions, sizeof *own);
  int *slow_sizes = calloc((size_t)dimensions, sizeof *slow_sizes),
      *counts = calloc((size_t)dimensions, sizeof *counts);
  for (int d = dimensions, left = rank; d-- > 0; left /= processes[d]) /* processes are numbered as C's arrays are */
    own[d] = left % processes[d];
  for (int d = 0; d < dimensions; d++) {
    int from = order == MPI_ORDER_C ? d : dimensions - 1 - d;
    slow_sizes[d] = sizes[from];
    places[d] = dealt(sizes[from], distributions[from], arguments[from], processes[from], own[from], &counts[d]);
  }
  array_add(&m, dimensions, slow_sizes, places, counts, old);
  int count = 4 * dimensions + 4, *integers = malloc((size_t)count * sizeof *integers), used = 3;
  memcpy(integers, (int[]){size, rank, dimensions}, 3 * sizeof *integers);
  const int *lists[] = {sizes, distributions, arguments, processes};
  for (int k = 0; k < 4; k++, used += dimensions)
    memcpy(integers + used, lists[k], (size_t)dimensions * sizeof *integers);
  integers[used] = order;
  *new = finish(&m, MPI_COMBINER_DARRAY, count, integers, 0, NULL, 1, &old);
  for (int d = 0; d < dimensions; d++)
    free(places[d]);
  free(places), free(own), free(slow_sizes), free(counts), free(integers);
  return MPI_SUCCESS;
}

/* ---- what is asked of a type ---- */

API(Type_commit) int MPI_Type_commit(MPI_Datatype *type) {
  LOCAL_CALL;
  DATATYPE(*type);
  struct datatype *made = is_named(*type) ? NULL : derived(*type);
  if (made) made->committed = true;
  return MPI_SUCCESS;
}

static bool is_of_fortran(int combiner) {
  return combiner == MPI_COMBINER_F90_INTEGER || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX;
}

bool datatype_predefined(MPI_Datatype handle) {
  int combiner = datatype_of(handle)->combiner;
  return combiner == MPI_COMBINER_NAMED || is_of_fortran(combiner);
}

/* What hangs on it goes with the program's handle, whoever has the type still. */
API(Type_free) int MPI_Type_free(MPI_Datatype *type) {
  LOCAL_CALL;
  DATATYPE(*type);
  int combiner = datatype_of(*type)->combiner;
  if (combiner == MPI_COMBINER_NAMED)
    return fail(MPI_COMM_WORLD, MPI_ERR_TYPE, "%s is given a datatype of MPI's own, which cannot be freed",
                call_name());
  int wrong = attributes_free(MPI_COMM_WORLD, *type, datatype_attributes(*type));
  if (wrong) return wrong;
  if (!is_of_fortran(combiner)) datatype_drop(*type); /* the same one is given for the same numbers */
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

API(Type_size) int MPI_Type_size(MPI_Datatype type, int *size) {
  LOCAL_CALL;
  DATATYPE(type);
  int64_t bytes = datatype_of(type)->size;
  *size = bytes > INT_MAX ? MPI_UNDEFINED : (int)bytes;
  return MPI_SUCCESS;
}

API(Type_size_x) int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size) {
  LOCAL_CALL;
  DATATYPE(type);
  *size = datatype_of(type)->size;
  return MPI_SUCCESS;
}

API(Type_get_extent) int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  LOCAL_CALL;
  DATATYPE(type);
  *lower = datatype_of(type)->lower;
  *extent = datatype_of(type)->extent;
  return MPI_SUCCESS;
}

API(Type_get_extent_x) int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  LOCAL_CALL;
  return MPI_Type_get_extent(type, lower, extent);
}

API(Type_get_true_extent) int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  LOCAL_CALL;
  DATATYPE(type);
  *lower = datatype_of(type)->true_lower;
  *extent = datatype_of(type)->true_extent;
  return MPI_SUCCESS;
}

API(Type_get_true_extent_x) int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  LOCAL_CALL;
  return MPI_Type_get_true_extent(type, lower, extent);
}

API(Type_extent) int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent) {
  LOCAL_CALL;
  DATATYPE(type);
  *extent = datatype_of(type)->extent;
  return MPI_SUCCESS;
}

API(Type_lb) int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower) {
  LOCAL_CALL;
  DATATYPE(type);
  *lower = datatype_of(type)->lower;
  return MPI_SUCCESS;
}

API(Type_ub) int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper) {
  LOCAL_CALL;
  DATATYPE(type);
  *upper = datatype_of(type)->lower + datatype_of(type)->extent;
  return MPI_SUCCESS;
}

API(Type_get_envelope)
int MPI_Type_get_envelope(MPI_Datatype handle, int *integers, int *addresses, int *types, int *combiner) {
  LOCAL_CALL;
  DATATYPE(handle);
  const struct datatype *type = datatype_of(handle);
  *integers = type->integer_count;
  *addresses = type->address_count;
  *types = type->type_count;
  *combiner = type->combiner;
  return MPI_SUCCESS;
}

API(Type_get_contents)
int MPI_Type_get_contents(MPI_Datatype handle, int max_integers, int max_addresses, int max_types, int integers[],
                          MPI_Aint addresses[], MPI_Datatype types[]) {
  LOCAL_CALL;
  DATATYPE(handle);
  const struct datatype *type = datatype_of(handle);
  if (type->combiner == MPI_COMBINER_NAMED)
    return fail(MPI_COMM_WORLD, MPI_ERR_TYPE, "%s: a datatype with a name of its own is made of no others",
                call_name());
  if (max_integers < type->integer_count || max_addresses < type->address_count || max_types < type->type_count)
    return fail(MPI_COMM_WORLD, MPI_ERR_ARG,
                "%s: room for %d, %d and %d, and the datatype has %d integers, %d addresses and %d datatypes",
                call_name(), max_integers, max_addresses, max_types, type->integer_count, type->address_count,
                type->type_count);
  for (int k = 0; k < type->integer_count; k++)
    integers[k] = type->integers[k];
  for (int k = 0; k < type->address_count; k++)
    addresses[k] = type->addresses[k];
  for (int k = 0; k < type->type_count; k++)
    datatype_keep(types[k] = type->types[k]);
  return MPI_SUCCESS;
}

/* Where the name stands that the program has given to a type. */
static char **given_name(MPI_Datatype handle) {
  if (!is_named(handle)) return &((struct datatype *)datatype_of(handle))->name;
  if (!self->type_names) self->type_names = calloc(256, sizeof *self->type_names);
  return &self->type_names[handle & 255];
}

API(Type_set_name) int MPI_Type_set_name(MPI_Datatype handle, const char *name) {
  LOCAL_CALL;
  DATATYPE(handle);
  char **given = given_name(handle);
  free(*given);
  *given = strndup(name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}

static const struct {
  MPI_Datatype type;
  const char *name;
} named[] = {
#define NAMED(type) \
  { type, #type }
    NAMED(MPI_CHAR),
    NAMED(MPI_SIGNED_CHAR),
    NAMED(MPI_UNSIGNED_CHAR),
    NAMED(MPI_BYTE),
    NAMED(MPI_WCHAR),
    NAMED(MPI_SHORT),
    NAMED(MPI_UNSIGNED_SHORT),
    NAMED(MPI_INT),
    NAMED(MPI_UNSIGNED),
    NAMED(MPI_LONG),
    NAMED(MPI_UNSIGNED_LONG),
    NAMED(MPI_FLOAT),
    NAMED(MPI_DOUBLE),
    NAMED(MPI_LONG_DOUBLE),
    NAMED(MPI_LONG_LONG_INT),
    NAMED(MPI_UNSIGNED_LONG_LONG),
    NAMED(MPI_PACKED),
    NAMED(MPI_FLOAT_INT),
    NAMED(MPI_DOUBLE_INT),
    NAMED(MPI_LONG_INT),
    NAMED(MPI_SHORT_INT),
    NAMED(MPI_2INT),
    NAMED(MPI_LONG_DOUBLE_INT),
    NAMED(MPI_COMPLEX),
    NAMED(MPI_DOUBLE_COMPLEX),
    NAMED(MPI_LOGICAL),
    NAMED(MPI_REAL),
    NAMED(MPI_DOUBLE_PRECISION),
    NAMED(MPI_INTEGER),
    NAMED(MPI_CHARACTER),
    NAMED(MPI_INT8_T),
    NAMED(MPI_INT16_T),
    NAMED(MPI_INT32_T),
    NAMED(MPI_INT64_T),
    NAMED(MPI_UINT8_T),
    NAMED(MPI_UINT16_T),
    NAMED(MPI_UINT32_T),
    NAMED(MPI_UINT64_T),
    NAMED(MPI_C_BOOL),
    NAMED(MPI_C_COMPLEX),
    NAMED(MPI_C_DOUBLE_COMPLEX),
    NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
    NAMED(MPI_AINT),
    NAMED(MPI_OFFSET),
    NAMED(MPI_COUNT),
    NAMED(MPI_2INTEGER),
    NAMED(MPI_2REAL),
    NAMED(MPI_2DOUBLE_PRECISION),
    NAMED(MPI_REAL4),
    NAMED(MPI_REAL8),
    NAMED(MPI_REAL16),
    NAMED(MPI_COMPLEX8),
    NAMED(MPI_COMPLEX16),
    NAMED(MPI_COMPLEX32),
    NAMED(MPI_INTEGER1),
    NAMED(MPI_INTEGER2),
    NAMED(MPI_INTEGER4),
    NAMED(MPI_INTEGER8),
    NAMED(MPI_INTEGER16),
    NAMED(MPI_LB),
    NAMED(MPI_UB),
    NAMED(MPI_CXX_BOOL),
    NAMED(MPI_CXX_FLOAT_COMPLEX),
    NAMED(MPI_CXX_DOUBLE_COMPLEX),
    NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
#undef NAMED
};

static const char *plain_name(MPI_Datatype handle) {
  for (size_t k = 0; k < sizeof named / sizeof *named; k++)
    if (named[k].type == handle) return named[k].name;
  return "";
}

const char *datatype_name(MPI_Datatype handle, char name[MPI_MAX_OBJECT_NAME]) {
  int length;
  if (handle == MPI_DATATYPE_NULL) return "several types";
  MPI_Type_get_name(handle, name, &length);
  return *name ? name : "a type without a name";
}

API(Type_get_name) int MPI_Type_get_name(MPI_Datatype handle, char *name, int *length) {
  LOCAL_CALL;
  DATATYPE(handle);
  const char *given = *given_name(handle);
  strcpy(name, given ? given : plain_name(handle));
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

API(Type_match_size) int MPI_Type_match_size(int class, int size, MPI_Datatype *type) {
  LOCAL_CALL;
  static const MPI_Datatype of[3][6] = {
      {0, 0, MPI_REAL4, MPI_REAL8, MPI_REAL16, 0},
      {MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, 0, 0},
      {0, 0, 0, MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32},
  };
  int row = class == MPI_TYPECLASS_REAL ? 0 : class == MPI_TYPECLASS_INTEGER ? 1 : 2;
  for (int k = 0; k < 6; k++)
    if (size == 1 << k && of[row][k]) {
      *type = of[row][k];
      return MPI_SUCCESS;
    }
  return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: there is no type of %d bytes", call_name(), size);
}

/* The type of Fortran's numbers of that precision and range; the same for the same. */
static int f90_type(int combiner, int count, const int *wanted, MPI_Datatype of, MPI_Datatype *type) {
  if (of == MPI_DATATYPE_NULL)
    return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: there are no numbers of that precision and range", call_name());
  for (uint32_t k = PAIRS; k < self->type_count; k++) {
    const struct datatype *there = &self->types[k];
    *type = (MPI_Datatype)(DERIVED | k);
    if (there->references && there->combiner == combiner && there->integer_count == count &&
        !memcmp(there->integers, wanted, (size_t)count * sizeof *wanted))
      return MPI_SUCCESS;
  }
  struct making m = making();
  elements_add(&m, 0, 1, of);
  *type = finish(&m, combiner, count, wanted, 0, NULL, 0, NULL);
  derived(*type)->committed = true;
  return MPI_SUCCESS;
}

API(Type_create_f90_integer) int MPI_Type_create_f90_integer(int range, MPI_Datatype *type) {
  LOCAL_CALL;
  MPI_Datatype of = range <= 2    ? MPI_INTEGER1
                    : range <= 4  ? MPI_INTEGER2
                    : range <= 9  ? MPI_INTEGER4
                    : range <= 18 ? MPI_INTEGER8
                                  : MPI_DATATYPE_NULL;
  return f90_type(MPI_COMBINER_F90_INTEGER, 1, &range, of, type);
}

/* How many bytes a number of that precision and range takes; MPI_UNDEFINED is any. */
static int f90_real_size(int precision, int range) {
  int digits = precision == MPI_UNDEFINED ? 0 : precision, decades = range == MPI_UNDEFINED ? 0 : range;
  if (digits <= 6 && decades <= 37) return 4;
  if (digits <= 15 && decades <= 307) return 8;
  return digits <= 33 && decades <= 4931 ? 16 : 0;
}

static int f90_pair(int combiner, int precision, int range, const MPI_Datatype of[3], MPI_Datatype *type) {
  int size = f90_real_size(precision, range);
  MPI_Datatype base = size ? of[size / 8] : MPI_DATATYPE_NULL;
  return f90_type(combiner, 2, (int[]){precision, range}, base, type);
}

API(Type_create_f90_real) int MPI_Type_create_f90_real(int precision, int range, MPI_Datatype *type) {
  LOCAL_CALL;
  return f90_pair(MPI_COMBINER_F90_REAL, precision, range, (MPI_Datatype[]){MPI_REAL4, MPI_REAL8, MPI_REAL16}, type);
}

API(Type_create_f90_complex) int MPI_Type_create_f90_complex(int precision, int range, MPI_Datatype *type) {
  LOCAL_CALL;
  return f90_pair(MPI_COMBINER_F90_COMPLEX, precision, range,
                  (MPI_Datatype[]){MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32}, type);
}

API(Get_address) int MPI_Get_address(const void *location, MPI_Aint *address) {
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}

API(Address) int MPI_Address(void *location, MPI_Aint *address) {
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}

API(Aint_add) MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint offset) { return base + offset; }
API(Aint_diff) MPI_Aint MPI_Aint_diff(MPI_Aint a, MPI_Aint b) { return a - b; }

/* ---- packing by the program ---- */

API(Pack)
int MPI_Pack(const void *in, int count, MPI_Datatype type, void *out, int size, int *position, MPI_Comm comm) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  COMMUNICATOR(c, comm);
  int wrong = data_check(c->handle, in, count, type);
  if (wrong) return wrong;
  size_t bytes = bytes_of(count, type);
  if ((size_t)*position + bytes > (size_t)size)
    return fail(comm, MPI_ERR_TRUNCATE, "%s: %zu bytes do not fit into the %d that are left", call_name(), bytes,
                size - *position);
  pack(in, count, type, at(out, *position));
  *position += (int)bytes;
  return MPI_SUCCESS;
}

API(Unpack)
int MPI_Unpack(const void *in, int size, int *position, void *out, int count, MPI_Datatype type, MPI_Comm comm) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  COMMUNICATOR(c, comm);
  int wrong = data_check(c->handle, out, count, type);
  if (wrong) return wrong;
  size_t bytes = bytes_of(count, type);
  if ((size_t)*position + bytes > (size_t)size)
    return fail(comm, MPI_ERR_TRUNCATE, "%s: %zu bytes are more than the %d that are left", call_name(), bytes,
                size - *position);
  unpack(at(in, *position), bytes, out, count, type);
  *position += (int)bytes;
  return MPI_SUCCESS;
}

API(Pack_size) int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  DATATYPE(type);
  int wrong = data_type_check(MPI_COMM_WORLD, count, type);
  if (wrong) return wrong;
  (void)comm;
  *size = (int)bytes_of(count, type);
  return MPI_SUCCESS;
}
