/* Values while a model is evaluated.
 *
 * Ownership: a value is immutable. Numbers, booleans, terms, names and signals are held by value. Strings,
 * lists, records and distributions are objects in an arena: those that expressions make stand in the
 * evaluation's scratch arena and live till the end of the statement; a slot that keeps one (a local,
 * a var, a token, a result) keeps a copy of its own (value_keep) and frees it when it is overwritten
 * (value_drop). Objects marked `constant` (values of params and global lets) are never copied and never
 * freed. */
#ifndef PSL_VALUE_H
#define PSL_VALUE_H
#include "grammar/slab.h"
#include "interp/model/type.h"

enum value_kind {
  VALUE_NONE, /* no value: a call without result */
  VALUE_INT,
  VALUE_REAL,
  VALUE_BOOL,
  VALUE_TERM,
  VALUE_SIGNAL,
  VALUE_STRING,
  VALUE_LIST,
  VALUE_RECORD,
  VALUE_RANGE,
  VALUE_DISTRIBUTION,
};

/* A term head[qualifier]: ids of folded names (struct name.id); qualifier 0: none. */
struct term {
  uint32_t head, qualifier;
};

enum distribution_kind {
  DISTRIBUTION_CONSTANT,
  DISTRIBUTION_UNIFORM,
  DISTRIBUTION_EXPONENTIAL,
  DISTRIBUTION_NORMAL,
  DISTRIBUTION_LOGNORMAL,
  DISTRIBUTION_GAMMA,
  DISTRIBUTION_ERLANG,
  DISTRIBUTION_HYPEREXPONENTIAL,
  DISTRIBUTION_WEIBULL,
  DISTRIBUTION_PARETO,
  DISTRIBUTION_TRIANGULAR,
  DISTRIBUTION_BERNOULLI,
  DISTRIBUTION_GEOMETRIC,
  DISTRIBUTION_POISSON,
  DISTRIBUTION_EMPIRICAL,
  DISTRIBUTION_WEIGHTED,
  DISTRIBUTION_HYPOEXPONENTIAL,
  DISTRIBUTION_BETA,
  DISTRIBUTION_UNIFORM_INT,
  DISTRIBUTION_BINOMIAL,
  DISTRIBUTION_NEGATIVE_BINOMIAL,
  DISTRIBUTION_ZIPF
};

struct value {
  enum value_kind kind;
  union {
    int64_t integer;
    double real;
    bool boolean;
    struct term term;
    struct object *object; /* STRING, LIST, RECORD, RANGE, DISTRIBUTION */
  };
};

struct object {
  bool constant;
  uint32_t size;  /* of the whole block in bytes */
  uint32_t count; /* LIST: items; RECORD: fields; STRING: bytes without the NUL */
  union {
    struct value items[1]; /* LIST, RECORD (in the order of the type's fields) */
    char text[1];          /* STRING, NUL-terminated */
    struct {
      double low, high;
    } range;
    struct {
      enum distribution_kind kind;
      double a, b, c, d, scale, shift;
      double sample[1];
    } distribution; /* x = shift + scale * X(a..d); `count` items in sample (distribution.h) */
  };
};

/* One 8-byte slot of compiled code, whose static type says which member is meant. */
union slot {
  int64_t integer; /* INT; BOOL as 0 and 1 */
  double real;
  struct term term;
  struct object *object;
  const struct value *any;      /* TYPE_ANY: a kept value */
  const struct instruction *at; /* on the stack of compiled functions: where a call stands */
};

bool value_equal(struct value a, struct value b); /* terms and names by folded id; an int equals its real */
uint64_t value_hash(struct value value);          /* equal values of one type have equal hashes */
/* Numbers as values. */
static inline struct value value_integer(int64_t x) { return (struct value){.kind = VALUE_INT, .integer = x}; }
static inline struct value value_real(double x) { return (struct value){.kind = VALUE_REAL, .real = x}; }
static inline struct value value_boolean(bool x) { return (struct value){.kind = VALUE_BOOL, .boolean = x}; }
static inline bool value_is_object(struct value value) { return value.kind >= VALUE_STRING; }
/* An object in an arena, its contents zero: a list or record of `count` items, a string of so many bytes, a
 * distribution with so many samples. */
struct value value_object(struct arena *arena, enum value_kind kind, uint32_t count);
struct value value_string(struct arena *arena, const char *text, size_t length);
struct value value_range(struct arena *arena, double low, double high);
/* request's side `wanted` against profile's side `offered`: a wanted term without a qualifier takes any */
bool term_matches(struct term wanted, struct term offered);
/* A deep copy in blocks of the slabs, and what gives them back. */
struct value value_keep(struct slabs *keep, struct value value);
void value_drop(struct slabs *keep, struct value value);
/* A deep copy that is marked constant and shares nothing, and what gives it back. */
struct value value_constant(struct slabs *keep, struct value value);
void value_release(struct slabs *keep, struct value value);
/* As PSL would write it, with unit where the type has one (type may be NULL: base values). */
void value_print(struct text *out, const struct types *types, const struct names *names, const struct type *type,
                 struct value value, int digits);
#endif
