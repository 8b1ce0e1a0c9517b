/* Reductions: MPI's operations on MPI's types, and those of the program. */
#include "evaluators/programs/mpi/rank.h"
#include <complex.h>
#include <stdlib.h>

#define USER 0x98000000u
#define USERS 256
#define NEAR 16384 /* bytes that the processor has at hand */

struct user_operation {
  MPI_User_function *function;
  bool commutes;
  uint32_t references; /* the program's, and those of operations under way; 0: the place is free */
};

enum class { CLASS_NONE, CLASS_INTEGER, CLASS_UNSIGNED, CLASS_FLOAT, CLASS_COMPLEX, CLASS_PAIR };

/* By the number in the low byte of a type of MPICH, as its mpi.h has them. */
static enum class class_of(MPI_Datatype type) {
  switch (type){
    case MPI_CHAR : case MPI_SIGNED_CHAR : case MPI_CHARACTER : case MPI_SHORT : case MPI_INT : case MPI_LONG : case
    MPI_LONG_LONG : case MPI_INTEGER : case MPI_LOGICAL : case MPI_INTEGER1 : case MPI_INTEGER2 : case
    MPI_INTEGER4 : case MPI_INTEGER8 : case MPI_INT8_T : case MPI_INT16_T : case MPI_INT32_T : case MPI_INT64_T : case
    MPI_AINT : case MPI_OFFSET : case MPI_COUNT : return CLASS_INTEGER;
    case MPI_BYTE : case MPI_UNSIGNED_CHAR : case MPI_UNSIGNED_SHORT : case MPI_UNSIGNED : case MPI_UNSIGNED_LONG : case
    MPI_UNSIGNED_LONG_LONG : case MPI_WCHAR : case MPI_UINT8_T : case MPI_UINT16_T : case MPI_UINT32_T : case
    MPI_UINT64_T : case MPI_C_BOOL : case MPI_CXX_BOOL : return CLASS_UNSIGNED;
    case MPI_FLOAT : case MPI_DOUBLE : case MPI_LONG_DOUBLE : case MPI_REAL : case MPI_DOUBLE_PRECISION : case
    MPI_REAL4 : case MPI_REAL8 : return CLASS_FLOAT;
    case MPI_COMPLEX : case MPI_DOUBLE_COMPLEX : case MPI_COMPLEX8 : case MPI_COMPLEX16 : case
    MPI_C_FLOAT_COMPLEX : case MPI_C_DOUBLE_COMPLEX : case MPI_C_LONG_DOUBLE_COMPLEX : case MPI_CXX_FLOAT_COMPLEX : case
    MPI_CXX_DOUBLE_COMPLEX : case MPI_CXX_LONG_DOUBLE_COMPLEX : return CLASS_COMPLEX;
    case MPI_2INT : case MPI_2INTEGER : case MPI_2REAL : case MPI_2DOUBLE_PRECISION : case MPI_FLOAT_INT : case
    MPI_DOUBLE_INT : case MPI_LONG_INT : case MPI_SHORT_INT : case MPI_LONG_DOUBLE_INT : return CLASS_PAIR;
  }
return CLASS_NONE;
}

/* What a type is made of, where that is one type of MPI; the type itself else. */
static MPI_Datatype element_of(MPI_Datatype type) {
  MPI_Datatype basic = basic_of(type);
  return basic == MPI_DATATYPE_NULL ? type : basic;
}

/* Loops that a compiler makes instructions for several elements of: the operands do not overlap. */
#if defined __GNUC__ && !defined __clang__
#define LOOPS __attribute__((optimize("O3")))
#else
#define LOOPS
#endif
#define EACH(T, OPERATION, EXPRESSION)    \
  if (op == OPERATION) {                  \
    const T *restrict in = from;          \
    T *restrict out = to;                 \
    for (int64_t k = 0; k < count; k++) { \
      T a = in[k], b = out[k];            \
      out[k] = (T)(EXPRESSION);           \
    }                                     \
    return true;                          \
  }
#define ARITHMETIC(T)     \
  EACH(T, MPI_SUM, a + b) \
  EACH(T, MPI_PROD, a *b)
#define ORDERED(T)                \
  EACH(T, MPI_MAX, a > b ? a : b) \
  EACH(T, MPI_MIN, a < b ? a : b) \
  EACH(T, MPI_LAND, a &&b)        \
  EACH(T, MPI_LOR, a || b)        \
  EACH(T, MPI_LXOR, !a != !b)
#define BITWISE(T)        \
  EACH(T, MPI_BAND, a &b) \
  EACH(T, MPI_BOR, a | b) \
  EACH(T, MPI_BXOR, a ^ b)
#define NOTHING(T)

#define REDUCER(name, T, FIRST, SECOND, THIRD)                                   \
  LOOPS static bool name(MPI_Op op, const void *from, void *to, int64_t count) { \
    FIRST(T)                                                                     \
    SECOND(T)                                                                    \
    THIRD(T)                                                                     \
    return false;                                                                \
  }
#define INTEGERS(name, T) REDUCER(name, T, ARITHMETIC, ORDERED, BITWISE)
#define FLOATS(name, T) REDUCER(name, T, ARITHMETIC, ORDERED, NOTHING)
#define COMPLEXES(name, T) REDUCER(name, T, ARITHMETIC, NOTHING, NOTHING)
INTEGERS(reduce_i1, int8_t)
INTEGERS(reduce_i2, int16_t)
INTEGERS(reduce_i4, int32_t)
INTEGERS(reduce_i8, int64_t)
INTEGERS(reduce_u1, uint8_t)
INTEGERS(reduce_u2, uint16_t)
INTEGERS(reduce_u4, uint32_t)
INTEGERS(reduce_u8, uint64_t)
FLOATS(reduce_f4, float)
FLOATS(reduce_f8, double)
FLOATS(reduce_f16, long double)
COMPLEXES(reduce_c8, float complex)
COMPLEXES(reduce_c16, double complex)
COMPLEXES(reduce_c32, long double complex)

/* Pairs lie packed: the value, then the index without a gap. Of equal values the lesser index stays. */
#define EACH_PAIR(T, I, BETTER)                                                                    \
  for (int64_t k = 0; k < count; k++, in += sizeof(T) + sizeof(I), out += sizeof(T) + sizeof(I)) { \
    T a, b;                                                                                        \
    I at_a, at_b;                                                                                  \
    memcpy(&a, in, sizeof a), memcpy(&at_a, in + sizeof a, sizeof at_a);                           \
    memcpy(&b, out, sizeof b), memcpy(&at_b, out + sizeof b, sizeof at_b);                         \
    if (BETTER || (a == b && at_a < at_b)) memcpy(out, in, sizeof(T) + sizeof(I));                 \
  }
#define PAIRED(name, T, I)                                                       \
  LOOPS static bool name(MPI_Op op, const void *from, void *to, int64_t count) { \
    const char *restrict in = from;                                              \
    char *restrict out = to;                                                     \
    if (op != MPI_MAXLOC && op != MPI_MINLOC) return false;                      \
    if (op == MPI_MAXLOC)                                                        \
      EACH_PAIR(T, I, a > b)                                                     \
    else                                                                         \
      EACH_PAIR(T, I, a < b)                                                     \
    return true;                                                                 \
  }
PAIRED(reduce_ii, int, int)
PAIRED(reduce_ff, float, float)
PAIRED(reduce_dd, double, double)
PAIRED(reduce_fi, float, int)
PAIRED(reduce_di, double, int)
PAIRED(reduce_li, long, int)
PAIRED(reduce_si, short, int)
PAIRED(reduce_ldi, long double, int)

static bool reduce_pairs(MPI_Op op, MPI_Datatype type, const void *from, void *to, int64_t count) {
  switch (type) {
  case MPI_2INT:
  case MPI_2INTEGER: return reduce_ii(op, from, to, count);
  case MPI_2REAL: return reduce_ff(op, from, to, count);
  case MPI_2DOUBLE_PRECISION: return reduce_dd(op, from, to, count);
  case MPI_FLOAT_INT: return reduce_fi(op, from, to, count);
  case MPI_DOUBLE_INT: return reduce_di(op, from, to, count);
  case MPI_LONG_INT: return reduce_li(op, from, to, count);
  case MPI_SHORT_INT: return reduce_si(op, from, to, count);
  case MPI_LONG_DOUBLE_INT: return reduce_ldi(op, from, to, count);
  }
  return false;
}

/* False: MPI knows no such operation of the type. */
static bool reduce_basic(MPI_Op op, MPI_Datatype type, const void *from, void *to, int64_t count) {
  typedef bool reducer(MPI_Op, const void *, void *, int64_t);
  static reducer *const integers[] = {reduce_i1, reduce_i2, reduce_i4, reduce_i8};
  static reducer *const unsigneds[] = {reduce_u1, reduce_u2, reduce_u4, reduce_u8};
  static reducer *const floats[] = {reduce_f4, reduce_f8, reduce_f16};
  static reducer *const complexes[] = {reduce_c8, reduce_c16, reduce_c32};
  int size = __builtin_ctz((unsigned)datatype_of(type)->size | 1u << 30);
  switch (class_of(type)) {
  case CLASS_INTEGER: return size <= 3 && integers[size](op, from, to, count);
  case CLASS_UNSIGNED: return size <= 3 && unsigneds[size](op, from, to, count);
  case CLASS_FLOAT: return size >= 2 && size <= 4 && floats[size - 2](op, from, to, count);
  case CLASS_COMPLEX: return size >= 3 && size <= 5 && complexes[size - 3](op, from, to, count);
  case CLASS_PAIR: return reduce_pairs(op, type, from, to, count);
  case CLASS_NONE: break;
  }
  return false;
}

static bool is_user(MPI_Op op) {
  return ((uint32_t)op & 0xfc000000u) == USER && ((uint32_t)op & 0x3ffffff) < USERS && self->users &&
         self->users[op & (USERS - 1)].references;
}

void op_keep(MPI_Op op) {
  if (is_user(op)) self->users[op & (USERS - 1)].references++;
}

void op_drop(MPI_Op op) {
  if (is_user(op)) self->users[op & (USERS - 1)].references--;
}

bool op_commutes(MPI_Op op) { return !is_user(op) || self->users[op & (USERS - 1)].commutes; }

/* MPI's own, as their handles are; those that a window alone knows are among them. */
static bool is_own(MPI_Op op) { return op >= MPI_MAX && op <= MPI_NO_OP; }

bool op_spares(MPI_Op op) { return !is_user(op); }

static int op_given(MPI_Comm comm, MPI_Op op) {
  if (is_user(op) || is_own(op)) return MPI_SUCCESS;
  if (op == MPI_OP_NULL) return fail(comm, MPI_ERR_OP, "%s is given MPI_OP_NULL", call_name());
  return fail(comm, MPI_ERR_OP, "%s is given %#x, which is no operation", call_name(), (unsigned)op);
}

static int fail_undefined(MPI_Comm comm) {
  return fail(comm, MPI_ERR_OP, "%s: the operation is not defined for the datatype", call_name());
}

int op_check(MPI_Comm comm, MPI_Op op, MPI_Datatype type) {
  int wrong = op_given(comm, op);
  if (wrong || is_user(op)) return wrong;
  if (op == MPI_REPLACE || op == MPI_NO_OP)
    return fail(comm, MPI_ERR_OP, "%s is given %s, which accesses of windows alone have", call_name(),
                op == MPI_REPLACE ? "MPI_REPLACE" : "MPI_NO_OP");
  if (datatype_predefined(type) && reduce_basic(op, element_of(type), NULL, NULL, 0)) return MPI_SUCCESS;
  return fail_undefined(comm);
}

int fail_alias(MPI_Comm comm) {
  return fail(comm, MPI_ERR_BUFFER,
              "%s: what is given and what is got stand at one place, which is said by MPI_IN_PLACE", call_name());
}

int op_check_window(MPI_Comm comm, MPI_Op op, MPI_Datatype basic) {
  int wrong = op_given(comm, op);
  if (wrong) return wrong;
  if (is_user(op))
    return fail(comm, MPI_ERR_OP, "%s is given an operation of the program's, and windows have MPI's own alone",
                call_name());
  if (op == MPI_REPLACE || op == MPI_NO_OP || reduce_basic(op, element_of(basic), NULL, NULL, 0)) return MPI_SUCCESS;
  return fail_undefined(comm);
}

bool types_alike(MPI_Datatype basic, MPI_Datatype other) {
  return basic == other || (class_of(basic) == class_of(other) && class_of(basic) != CLASS_PAIR &&
                            datatype_size(basic) == datatype_size(other));
}

/* What a pair of two numbers alike is made of. */
static MPI_Datatype half_of(MPI_Datatype type) {
  switch (type) {
  case MPI_2INT: return MPI_INT;
  case MPI_2INTEGER: return MPI_INTEGER;
  case MPI_2REAL: return MPI_REAL;
  case MPI_2DOUBLE_PRECISION: return MPI_DOUBLE_PRECISION;
  }
  return type;
}

static enum class signless(enum class class) { return class == CLASS_UNSIGNED ? CLASS_INTEGER : class; }

bool types_match(MPI_Datatype sent, MPI_Datatype received) {
  if (sent == received || sent == MPI_DATATYPE_NULL || received == MPI_DATATYPE_NULL) return true;
  if (sent == MPI_BYTE || received == MPI_BYTE || sent == MPI_PACKED || received == MPI_PACKED) return true;
  MPI_Datatype a = half_of(sent), b = half_of(received);
  if (a == b) return true;
  if (datatype_of(a)->size != datatype_of(b)->size) return false;
  enum class of_a = signless(class_of(a)), of_b = signless(class_of(b));
  return of_a == CLASS_NONE || of_b == CLASS_NONE || (of_a == of_b && of_a != CLASS_PAIR);
}

bool compares(MPI_Datatype type) {
  MPI_Datatype element = element_of(type);
  return class_of(element) == CLASS_INTEGER || class_of(element) == CLASS_UNSIGNED;
}

/* A function of the program sees its elements where its type has them. */
static void reduce_user(MPI_Op op, const void *from, void *to, int64_t count, MPI_Datatype type) {
  MPI_User_function *function = self->users[op & (USERS - 1)].function;
  const struct datatype *of = datatype_of(type);
  int length = (int)count;
  if (!of->blocks && of->size == of->extent) {
    function((void *)from, to, &length, &type);
    return;
  }
  size_t room = (size_t)(of->true_extent + (count > 0 ? count - 1 : 0) * of->extent);
  char *in = malloc(room + 1), *out = malloc(room + 1);
  size_t bytes = bytes_of(count, type);
  unpack(from, bytes, in - of->true_lower, count, type);
  unpack(to, bytes, out - of->true_lower, count, type);
  function(in - of->true_lower, out - of->true_lower, &length, &type);
  pack(out - of->true_lower, count, type, to);
  free(in), free(out);
}

void reduce(MPI_Op op, const void *in, void *inout, int64_t count, MPI_Datatype type) {
  if (count <= 0 || op == MPI_NO_OP) return;
  if (op == MPI_REPLACE) {
    memcpy(inout, in, bytes_of(count, type));
    return;
  }
  if (is_user(op)) {
    reduce_user(op, in, inout, count, type);
    return;
  }
  MPI_Datatype element = element_of(type);
  reduce_basic(op, element, in, inout, (int64_t)bytes_of(count, type) / datatype_of(element)->size);
}

API(Op_create) int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
  LOCAL_CALL;
  if (!self->users) self->users = calloc(USERS, sizeof *self->users);
  for (uint32_t k = 0; k < USERS; k++)
    if (!self->users[k].references) {
      self->users[k] = (struct user_operation){.function = function, .commutes = commutes, .references = 1};
      *op = (MPI_Op)(USER | k);
      return MPI_SUCCESS;
    }
  return fail(MPI_COMM_WORLD, MPI_ERR_OP, "%s: more than %d operations", call_name(), USERS);
}

API(Op_free) int MPI_Op_free(MPI_Op *op) {
  LOCAL_CALL;
  int wrong = op_given(MPI_COMM_WORLD, *op);
  if (wrong) return wrong;
  if (is_own(*op))
    return fail(MPI_COMM_WORLD, MPI_ERR_OP, "%s is given an operation of MPI's own, which cannot be freed",
                call_name());
  op_drop(*op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

API(Op_commutative) int MPI_Op_commutative(MPI_Op op, int *commutes) {
  LOCAL_CALL;
  int wrong = op_given(MPI_COMM_WORLD, op);
  if (wrong) return wrong;
  *commutes = op_commutes(op);
  return MPI_SUCCESS;
}

API(Reduce_local) int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op) {
  LOCAL_CALL;
  COUNTS(MPI_ERR_COUNT, count);
  int wrong = op_check(MPI_COMM_WORLD, op, type);
  if (!wrong) wrong = data_check(MPI_COMM_WORLD, in, count, type);
  if (!wrong) wrong = data_check(MPI_COMM_WORLD, inout, count, type);
  if (!wrong && count && in == inout) wrong = fail_alias(MPI_COMM_WORLD);
  if (wrong) return wrong;
  if (datatype_is_contiguous(type)) { /* packed as it is */
    reduce(op, in, inout, count, type);
    return MPI_SUCCESS;
  }
  /* As many elements at a time as stay near; of a function of the program's all, which it is called with once. */
  int64_t size = datatype_size(type), extent = datatype_of(type)->extent;
  int64_t most = is_user(op) || size > NEAR ? count : NEAR / (size ? size : 1);
  most = most < count ? most : count;
  char *from = malloc(bytes_of(most, type) + 1), *to = malloc(bytes_of(most, type) + 1);
  for (int64_t k = 0; k < count; k += most) {
    int64_t part = count - k < most ? count - k : most;
    pack(at(in, k * extent), part, type, from);
    pack(at(inout, k * extent), part, type, to);
    reduce(op, from, to, part, type);
    unpack(to, bytes_of(part, type), at(inout, k * extent), part, type);
  }
  free(from), free(to);
  return MPI_SUCCESS;
}
