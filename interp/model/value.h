/* Values while a model is evaluated.
 *
 * Ownership. Numbers, booleans, terms and signals are held by value. Strings, lists, records, ranges and distributions
 * are objects, which are shared and do not change. A value is one of two types:
 *
 *   struct value   is borrowed. It may be read till the end of the statement or evaluation in hand; nobody frees it.
 *   struct kept    is a slot (a local, a var, a token, an answer), which has what it holds till it is stored to or
 *                  dropped.
 *
 * Expressions have to do with borrowed values alone; what is to outlive them is kept. Who an object lives for stands
 * in it, as `holds`:
 *
 *   0              the statement or evaluation that has made it, in its scratch arena; to keep it is to copy it
 *   1, 2, ...      so many slots and kept objects of a run; to keep it is to count one more
 *   HOLDS_MODEL    the values that params have now: what params, lets and calls of functions have come to
 *   HOLDS_CODE     what was made of it: code, a graph
 *
 * The last two outlive any run, which so keeps them as they are. They do not outlive each other, and are copied. */
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

#define HOLDS_MODEL UINT32_MAX
#define HOLDS_CODE (UINT32_MAX - 1)

struct object {
  uint32_t holds;
  uint32_t count; /* LIST: items; RECORD: fields; STRING: bytes without the NUL; RANGE: WHOLE_LOW, WHOLE_HIGH */
  uint32_t size; /* in values, what is in it with it, as often as it is there; 0: a list or record that is being made */
  uint32_t hash; /* 0: not asked for yet */
  union {
    struct value items[1]; /* LIST, RECORD (in the order of the type's fields) */
    char text[1];          /* STRING, NUL-terminated */
    struct {
      double low, high;
      double middle;       /* what the expression is with each range in it at its middle */
      uint64_t sources;    /* the ranges it is made of, by bit; interp/evaluate/range_groups.h */
      int64_t first, last; /* the same where they are whole numbers, which doubles are not for all of; see WHOLE_LOW */
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
  const struct instruction *at; /* on the stack of compiled functions: where a call stands */
};

bool value_equal(struct value a, struct value b); /* terms and names by folded id; an int equals its real */
/* Are they equal where a range is a number that lies in it, and may be any other time it is met? */
enum certainty { CERTAINLY_NOT, CERTAINLY, UNCERTAIN };
enum certainty value_equality(struct value a, struct value b);
bool value_same(struct value a, struct value b); /* to the last bit: 0 and -0 differ */
uint64_t value_hash(struct value value);         /* equal values of one type have equal hashes */
/* Numbers as values. */
static inline struct value value_integer(int64_t x) { return (struct value){.kind = VALUE_INT, .integer = x}; }
static inline struct value value_real(double x) { return (struct value){.kind = VALUE_REAL, .real = x}; }
static inline struct value value_boolean(bool x) { return (struct value){.kind = VALUE_BOOL, .boolean = x}; }
static inline bool value_is_object(struct value value) { return value.kind >= VALUE_STRING; }
/* An object in an arena, its contents zero: a list or record of `count` items, a string of so many bytes, a
 * distribution with so many samples. */
struct value value_object(struct arena *arena, enum value_kind kind, uint32_t count);
struct value value_string(struct arena *arena, const char *text, size_t length);
enum { WHOLE_LOW = 1, WHOLE_HIGH = 2 }; /* bounds of a range that are whole numbers */
struct value value_range(struct arena *arena, double low, double middle, double high, uint64_t sources);
uint64_t value_sources(struct value value); /* of a range; 0: of a number */
struct value value_range_between(struct arena *arena, struct value low, struct value high); /* numbers */
/* request's side `wanted` against profile's side `offered`: a wanted term without a qualifier takes any */
bool term_matches(struct term wanted, struct term offered);
/* To be called when the items of a list or record are there. false: it is larger than VALUE_SIZE. */
bool value_seal(struct value value);
/* No value is larger: so whatever goes through all of one ends, however much is shared in it. */
enum { VALUE_SIZE = 1 << 24 };
#define VALUE_TOO_LARGE "a value of more than 16,777,216 parts, those that are shared counted each time"
/* A copy in an arena, whose objects have `holds`: HOLDS_MODEL or HOLDS_CODE. */
struct value value_copy(struct arena *arena, struct value value, uint32_t holds);

struct kept {
  struct value value;
};
/* The objects of a run's slots stand in its slabs; what is none is only copied. */
struct value object_keep(struct slabs *slabs, struct value value);
void object_drop(struct slabs *slabs, struct value value);
static inline struct kept value_keep(struct slabs *slabs, struct value value) {
  return (struct kept){value_is_object(value) ? object_keep(slabs, value) : value};
}
static inline void kept_drop(struct slabs *slabs, struct kept *slot) { /* it has no value afterwards */
  struct value before = slot->value;
  slot->value.kind = VALUE_NONE;
  if (value_is_object(before)) object_drop(slabs, before);
}
static inline void kept_store(struct slabs *slabs, struct kept *slot, struct value value) {
  struct value before = slot->value;
  *slot = value_keep(slabs, value);
  if (value_is_object(before)) object_drop(slabs, before);
}
/* Stores to a part of it, that of the items `path`: what others hold of it stays as it is. false: too large. */
bool kept_put(struct slabs *slabs, struct kept *slot, const uint32_t *path, uint32_t depth, struct value part);
/* A list of what the slots have, which have nothing afterwards. false: too large. */
bool kept_list(struct slabs *slabs, struct kept *slots, uint32_t count, struct kept *out);
/* Slots that stand side by side, as borrowed values; NULL of none. */
static inline const struct value *kept_values(const struct kept *slots) { return slots ? &slots->value : NULL; }
/* As PSL would write it, with unit where the type has one (type may be NULL: base values). */
void value_print(struct text *out, const struct types *types, const struct names *names, const struct type *type,
                 struct value value, int digits);
/* The same for a message: cut where it is long. */
const char *value_brief(struct arena *arena, const struct types *types, const struct names *names,
                        const struct type *type, struct value value);
#endif
