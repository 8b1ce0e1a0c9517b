/* Types and dimensions.
 *
 * A dimension is a vector of exponents over the base dimensions: 0 is time, 1 is data, the others
 * are declared by `unit NAME;` in the order in which they are met. Types are made once each
 * (hash-consed), so that equal types are the same pointer. Numbers inside are in base units: seconds
 * and bytes for time and data, the declared unit itself for others. */
#ifndef PSL_TYPE_H
#define PSL_TYPE_H
#include "grammar/name.h"
#include "grammar/text.h"

enum { DIMENSION_MAX = 16, DIMENSION_TIME = 0, DIMENSION_DATA = 1 };

struct dimension {
  int8_t power[DIMENSION_MAX];
};

enum type_kind {
  TYPE_ERROR, /* after a diagnostic: conforms to everything, says nothing more */
  TYPE_ANY,   /* not known before the run (parameters of undeclared transactions): passed on, compared
               * for equality, printed; nothing else */
  TYPE_VOID,  /* the result of a transaction without one */
  TYPE_INT,
  TYPE_REAL, /* with a dimension; dimensionless where that is 0 */
  TYPE_BOOL,
  TYPE_STRING,
  TYPE_TERM,
  TYPE_SIGNAL, /* precedence alone */
  TYPE_LIST,   /* of element */
  TYPE_RECORD,
  TYPE_RANGE,        /* an uncertain real, with a dimension: low .. high */
  TYPE_DISTRIBUTION, /* a random real, with a dimension */
};

struct type {
  enum type_kind kind;
  struct dimension dimension; /* REAL, RANGE, DISTRIBUTION */
  const struct type *element; /* LIST */
  struct type_field {
    const struct name *name;
    const struct type *type;
  } * fields; /* RECORD, in the order written */
  uint32_t field_count;
  uint32_t size, depth; /* written out: types in it, itself too, and how deep they nest */
  struct type *next;    /* in the table */
};

/* The types that are a word each, as they are written. */
extern const struct type_word {
  const char *name;
  enum type_kind kind;
} type_words[]; /* ended by name NULL */

/* The check lets no larger types through: who walks one may recurse. */
enum { TYPE_SIZE = 10000, TYPE_DEPTH = 1000 };

struct types {
  struct arena *arena;
  struct type *buckets[256];
  const struct name *dimensions[DIMENSION_MAX]; /* names of base dimensions: time, data, flop, … */
  const struct name *base_units[DIMENSION_MAX]; /* s, byte, flop, … : what numbers are printed in */
  uint32_t dimension_count;
  /* the often used ones */
  const struct type *error, *any, *none, *integer, *real, *boolean, *string, *term, *signal, *time, *data;
};

void types_open(struct types *types, struct arena *arena, struct names *names);
const struct type *type_real(struct types *types, struct dimension dimension); /* TYPE_REAL */
const struct type *type_of_kind(struct types *types, enum type_kind kind,
                                struct dimension dimension); /* REAL, RANGE, DISTRIBUTION */
const struct type *type_list(struct types *types, const struct type *element);
const struct type *type_record(struct types *types, const struct type_field *fields, uint32_t count);
bool dimension_equal(struct dimension a, struct dimension b);
bool dimension_none(struct dimension a);
/* a * b^sign; false if an exponent would leave -100 .. 100 */
bool dimension_combine(struct dimension a, struct dimension b, int sign, struct dimension *out);
/* a ^ (numerator / denominator); false if an exponent would not be whole or leave -100 .. 100 */
bool dimension_power(struct dimension a, int64_t numerator, int64_t denominator, struct dimension *out);
/* As a person reads it: `time`, `time/data`, `data^2`, `1` for none. */
void dimension_print(struct text *out, const struct types *types, struct dimension dimension);
/* `int`, `time/data`, `[data]`, `range*time`, `distribution*time`, `{ id : int, refs : real }` */
void type_print(struct text *out, const struct types *types, const struct type *type);
bool type_is_number(const struct type *type);                                /* INT, REAL, RANGE, DISTRIBUTION */
struct dimension type_dimension(const struct type *type);                    /* none where it is no quantity */
const struct type *type_plain(struct types *types, const struct type *type); /* RANGE and DISTRIBUTION to REAL */
/* Is a value of the one type taken where the other is wanted? */
bool type_conforms(const struct type *from, const struct type *to);
/* A number with its unit, scaled to read well: 1.234 ms, 80 byte, 1.5 GB/s, 42. `digits` significant
 * ones, 0: the shortest that reads back exactly, in base units. */
void quantity_print(struct text *out, const struct types *types, double value, struct dimension dimension, int digits);
/* A plain number to `digits` significant ones (0: the shortest that reads back), never with an exponent from
 * 1e-5 to 1e15. */
void number_print(struct text *out, double value, int digits);
/* The unit alone, in base units, as it may stand behind a number in a model: `s`, `byte/s`, `s^-1`, `byte/s^-1`; empty
 * for none. */
void unit_print(struct text *out, const struct types *types, struct dimension dimension);
#endif
