/* Data for other computers: "external32", in which MPI says for each basic type how many bytes it has, the most
 * significant one first. Programs pack by it, and files are written in it. */
#include "evaluators/programs/mpi/rank.h"
#include <stdlib.h>

/* ---- elements of basic types ---- */

/* Types that are two numbers of one type, one behind the other. */
static bool is_double(MPI_Datatype basic) {
  static const MPI_Datatype all[] = {
      MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16,
      MPI_2INT,    MPI_2INTEGER,       MPI_2REAL,           MPI_2DOUBLE_PRECISION};
  size_t k = 0;
  while (k < sizeof all / sizeof *all && all[k] != basic)
    k++;
  return k < sizeof all / sizeof *all;
}
static bool is_wide(MPI_Datatype basic) { return basic == MPI_LONG_DOUBLE || basic == MPI_C_LONG_DOUBLE_COMPLEX; }

static size_t external_size(MPI_Datatype basic) {
  return basic == MPI_LONG || basic == MPI_UNSIGNED_LONG ? 4 : basic == MPI_WCHAR ? 2 : (size_t)datatype_size(basic);
}

static void reverse(unsigned char *to, const unsigned char *from, size_t size) {
  for (size_t k = 0; k < size; k++)
    to[k] = from[size - 1 - k];
}

/* One number, to its external form or back; both sizes differ where ours is longer. */
static void number_out(unsigned char *to, const unsigned char *from, size_t size, bool wide) {
  long double value;
  _Float128 quad;
  if (wide) {
    memcpy(&value, from, sizeof value);
    quad = (_Float128)value;
    from = (const unsigned char *)&quad;
  }
  reverse(to, from, size);
}
static void number_in(unsigned char *to, const unsigned char *from, size_t size, size_t own, MPI_Datatype basic) {
  long double value;
  _Float128 quad;
  if (is_wide(basic)) {
    reverse((unsigned char *)&quad, from, sizeof quad);
    value = (long double)quad;
    memcpy(to, &value, sizeof value);
    return;
  }
  reverse(to, from, size);
  memset(to + size, basic == MPI_LONG && from[0] & 0x80 ? 0xff : 0, own - size);
}

/* ---- all of a type's, in the order of its data ---- */

struct external {
  unsigned char *own, *there; /* NULL, both: it is measured only */
  size_t left; /* there, for what is still to be converted; elements of which a part is missing stay out */
  bool packs;
};
static const struct external MEASURED = {.left = SIZE_MAX};

static void elements(struct external *e, MPI_Datatype basic, int64_t count) {
  size_t halves = is_double(basic) || basic == MPI_C_LONG_DOUBLE_COMPLEX ? 2 : 1, numbers = (size_t)count * halves;
  size_t own = (size_t)datatype_size(basic) / halves, there = external_size(basic) / halves;
  size_t whole = numbers <= e->left / there ? numbers : e->left / there;
  for (size_t k = 0; e->there && k < whole; k++) {
    if (e->packs)
      number_out(e->there, e->own, there, is_wide(basic));
    else
      number_in(e->own, e->there, there, own, basic);
    e->own += own, e->there += there;
  }
  e->left = whole < numbers ? 0 : e->left - whole * there;
}

/* MPI's own pairs, as MPI_DOUBLE_INT. */
static void pairs(struct external *e, MPI_Datatype pair, int64_t count) {
  const MPI_Datatype firsts[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG, MPI_SHORT, MPI_LONG_DOUBLE};
  for (int64_t k = 0; k < count; k++) {
    elements(e, firsts[pair & 0xff], 1);
    elements(e, MPI_INT, 1);
  }
}

static void walk(struct external *e, MPI_Datatype handle, int64_t count) {
  const struct datatype *type = datatype_of(handle);
  if (!type->size || count <= 0) return;
  if (is_named(handle)) {
    elements(e, handle, count);
  } else if (type->combiner == MPI_COMBINER_NAMED) {
    pairs(e, handle, count);
  } else if (type->basic != MPI_DATATYPE_NULL) {
    walk(e, type->basic, count * (type->size / type->basic_size));
  } else if (type->combiner == MPI_COMBINER_STRUCT) {
    for (int64_t k = 0; k < count; k++)
      for (int part = 0; part < type->type_count; part++)
        if (type->types[part] != MPI_LB && type->types[part] != MPI_UB)
          walk(e, type->types[part], type->integers[part + 1]);
  } else {
    walk(e, type->types[0], count * (type->size / datatype_of(type->types[0])->size));
  }
}

size_t external_bytes(int64_t count, MPI_Datatype type) {
  struct external e = MEASURED;
  walk(&e, type, count);
  return MEASURED.left - e.left;
}

void external_pack(const void *from, int64_t count, MPI_Datatype type, void *there) {
  unsigned char *own = malloc(bytes_of(count, type) + 1);
  pack(from, count, type, own);
  walk(&(struct external){own, there, external_bytes(count, type), true}, type, count);
  free(own);
}

size_t external_unpack(void *there, size_t bytes, void *to, int64_t count, MPI_Datatype type) {
  unsigned char *own = malloc(bytes_of(count, type) + 1);
  struct external e = {own, there, bytes, false};
  walk(&e, type, count);
  size_t whole = (size_t)(e.own - own), part = bytes - (size_t)(e.there - (unsigned char *)there);
  unpack(own, whole, to, count, type);
  free(own);
  return whole + part;
}

/* ---- how a file is laid out by a type: that is made once more, of types as long as what stands there ---- */

static MPI_Datatype basic_there(MPI_Datatype basic) {
  return basic == MPI_LONG            ? MPI_INT
         : basic == MPI_UNSIGNED_LONG ? MPI_UNSIGNED
         : basic == MPI_WCHAR         ? MPI_SHORT
         : basic == MPI_LONG_INT      ? MPI_2INT
                                      : basic;
}

/* By the same constructor. What it counts in bytes are bytes of the file. */
static MPI_Datatype made_again(const struct datatype *type, const MPI_Datatype *of) {
  const int *n = type->integers;
  const MPI_Aint *places = type->addresses;
  MPI_Datatype made = *of;
  switch (type->combiner) {
  case MPI_COMBINER_DUP: MPI_Type_contiguous(1, *of, &made); break;
  case MPI_COMBINER_CONTIGUOUS: MPI_Type_contiguous(n[0], *of, &made); break;
  case MPI_COMBINER_VECTOR: MPI_Type_vector(n[0], n[1], n[2], *of, &made); break;
  case MPI_COMBINER_HVECTOR: MPI_Type_create_hvector(n[0], n[1], places[0], *of, &made); break;
  case MPI_COMBINER_INDEXED: MPI_Type_indexed(n[0], n + 1, n + 1 + n[0], *of, &made); break;
  case MPI_COMBINER_HINDEXED: MPI_Type_create_hindexed(n[0], n + 1, places, *of, &made); break;
  case MPI_COMBINER_INDEXED_BLOCK: MPI_Type_create_indexed_block(n[0], n[1], n + 2, *of, &made); break;
  case MPI_COMBINER_HINDEXED_BLOCK: MPI_Type_create_hindexed_block(n[0], n[1], places, *of, &made); break;
  case MPI_COMBINER_STRUCT: MPI_Type_create_struct(n[0], n + 1, places, of, &made); break;
  case MPI_COMBINER_RESIZED: MPI_Type_create_resized(*of, places[0], places[1], &made); break;
  case MPI_COMBINER_SUBARRAY: {
    const int d = n[0], *lists = n + 1;
    MPI_Type_create_subarray(d, lists, lists + d, lists + 2 * d, lists[3 * d], *of, &made);
    break;
  }
  case MPI_COMBINER_DARRAY: {
    const int d = n[2], *lists = n + 3;
    MPI_Type_create_darray(n[0], n[1], d, lists, lists + d, lists + 2 * d, lists + 3 * d, lists[4 * d], *of, &made);
    break;
  }
  default: break;
  }
  return made;
}

MPI_Datatype external_layout(MPI_Datatype handle) {
  const struct datatype type = *datatype_of(handle); /* types move as new ones are made */
  if ((int64_t)external_bytes(1, handle) == type.size) {
    datatype_keep(handle);
    return handle;
  }
  if (type.combiner == MPI_COMBINER_NAMED) return basic_there(handle);
  MPI_Datatype *of = malloc((size_t)type.type_count * sizeof *of);
  for (int k = 0; k < type.type_count; k++)
    of[k] = external_layout(type.types[k]);
  MPI_Datatype made = made_again(&type, of);
  for (int k = 0; k < type.type_count; k++)
    datatype_drop(of[k]);
  free(of);
  return made;
}

/* ---- the calls ---- */

static int form_checked(const char *form) {
  if (strcmp(form, "external32") == 0) return MPI_SUCCESS;
  return fail(MPI_COMM_WORLD, MPI_ERR_ARG, "%s: data are packed as \"external32\", not \"%s\"", call_name(), form);
}

API(Pack_external_size)
int MPI_Pack_external_size(const char *form, int count, MPI_Datatype type, MPI_Aint *size) {
  CALL;
  COUNTS(MPI_ERR_COUNT, count);
  DATATYPE(type);
  int wrong = form_checked(form);
  if (!wrong) *size = (MPI_Aint)external_bytes(count, type);
  return wrong;
}

/* How many bytes it is there, if they are in a buffer of that size. */
static int fits(const char *form, int count, MPI_Datatype type, MPI_Aint size, MPI_Aint position, size_t *bytes) {
  int wrong = form_checked(form);
  if (!wrong) wrong = data_type_check(MPI_COMM_WORLD, count, type);
  if (wrong) return wrong;
  *bytes = external_bytes(count, type);
  if (position >= 0 && position + (MPI_Aint)*bytes <= size) return MPI_SUCCESS;
  return fail(MPI_COMM_WORLD, MPI_ERR_TRUNCATE, "%s: %zu bytes are more than the %ld that are left", call_name(),
              *bytes, (long)(size - position));
}

API(Pack_external)
int MPI_Pack_external(const char *form, const void *in, int count, MPI_Datatype type, void *out, MPI_Aint size,
                      MPI_Aint *position) {
  CALL;
  COUNTS(MPI_ERR_COUNT, count);
  size_t bytes;
  int wrong = fits(form, count, type, size, *position, &bytes);
  if (wrong) return wrong;
  external_pack(in, count, type, at(out, *position));
  *position += (MPI_Aint)bytes;
  return MPI_SUCCESS;
}

API(Unpack_external)
int MPI_Unpack_external(const char *form, const void *in, MPI_Aint size, MPI_Aint *position, void *out, int count,
                        MPI_Datatype type) {
  CALL;
  COUNTS(MPI_ERR_COUNT, count);
  size_t bytes;
  int wrong = fits(form, count, type, size, *position, &bytes);
  if (wrong) return wrong;
  external_unpack(at(in, *position), bytes, out, count, type);
  *position += (MPI_Aint)bytes;
  return MPI_SUCCESS;
}
