/* Expressions of symbols in one spelling: sums of products with exact factors.
 *
 *  * A polynomial is a sum of terms, each a number times powers of atoms, and atoms are names, base units, comparisons
 * (1 where they hold, else 0), and what is no polynomial: the greatest of several, quotients of whole numbers, sums
 * over a range. Both are made once each, so that equal ones are the same pointer, and like terms meet wherever they
 * come from. All live in the algebra's arena. */
#ifndef PSL_ALGEBRA_H
#define PSL_ALGEBRA_H
#include "interp/model/type.h"

struct number { /* a quotient of whole numbers, or where these become too large a double */
  bool exact;
  int64_t above, below; /* below > 0, no common factor */
  double real;
};
struct number number_whole(int64_t value);
struct number number_of_double(double value); /* 0.07 is 7/100 */
double number_double(struct number number);
struct number number_times(struct number a, struct number b);
struct number number_plus(struct number a, struct number b);
struct number number_inverse(struct number a);
bool number_is(struct number number, int64_t value);

enum atom_kind {
  ATOM_UNIT,     /* 1 of a base unit, by its place among the dimensions */
  ATOM_NAME,     /* a param, an index, the variable of a loop */
  ATOM_NOT_LESS, /* 1 where args[0] >= 0, else 0 */
  ATOM_ZERO,     /* 1 where args[0] == 0, else 0 */
  ATOM_MAX,      /* the greater of args[0] and args[1] */
  ATOM_MIN,
  ATOM_DIV, /* args[0] div args[1], whole */
  ATOM_MOD,
  ATOM_FLOOR,
  ATOM_CEIL,
  ATOM_ROUND,
  ATOM_POWER,    /* args[0] ^ args[1] */
  ATOM_FUNCTION, /* `name` of args[0], of numbers without a dimension */
  ATOM_GROUP,    /* args[0] in brackets, of which a power below 0 is taken */
  ATOM_MOST,     /* the greatest, over the atom `variable` from args[0] to args[1], of args[2] */
  ATOM_SUM,      /* over the atom `variable` from args[0] to args[1], which is at least that less 1, of args[2] */
};
enum { ATOM_ARGS = 3 };

struct poly;
struct atom {
  enum atom_kind kind;
  uint32_t id;      /* in the order of making */
  const char *name; /* NAME, FUNCTION */
  uint32_t arg_count;
  const struct poly *args[ATOM_ARGS];
  const struct atom *variable; /* SUM, MOST */
  uint32_t unit;               /* UNIT */
  bool whole;                  /* its values are whole numbers */
  struct dimension dimension;
  const void *of;    /* NAME: the symbol that it stands for; NULL: none */
  double low, high;  /* NAME: all that its values may be; infinite: any */
  struct atom *next; /* in its bucket */
};
struct poly_factor {
  const struct atom *atom;
  int64_t power; /* not 0 */
};
struct poly_term {
  struct number by; /* not 0 */
  uint32_t count;
  const struct poly_factor *factors; /* by poly_order */
};
struct poly {
  uint32_t id, count;
  const struct poly_term *terms;
  struct poly *next; /* in its bucket */
};

enum { ALGEBRA_BUCKETS = 4096, ALGEBRA_TERMS = 4000, ALGEBRA_WORK = 4000000 };
struct algebra {
  struct arena *arena;
  const struct types *types;
  struct atom *atoms[ALGEBRA_BUCKETS];
  struct poly *polys[ALGEBRA_BUCKETS];
  uint32_t atom_count, poly_count;
  const struct poly *zero, *one;
  const struct poly **known; /* of which is known that they are 0 or more */
  uint32_t known_count, known_capacity;
  uint64_t work;  /* terms multiplied so far */
  bool too_large; /* an expression grew beyond what is kept: what is made from then on is nonsense */
};
void algebra_open(struct algebra *al, struct arena *arena, const struct types *types);

/* ---- making them ---- */
const struct poly *poly_number(struct algebra *al, struct number number);
const struct poly *poly_whole(struct algebra *al, int64_t value);
const struct poly *poly_atom(struct algebra *al, const struct atom *atom);
/* 1 of a unit of that dimension, in base units. */
const struct poly *poly_unit(struct algebra *al, struct dimension dimension);
/* A name of its own: another one of the same `of`, if that is not NULL, is the same. */
const struct atom *atom_name(struct algebra *al, const char *name, const void *of, bool whole,
                             struct dimension dimension, double low, double high);
const struct poly *poly_plus(struct algebra *al, const struct poly *a, const struct poly *b);
const struct poly *poly_minus(struct algebra *al, const struct poly *a, const struct poly *b);
const struct poly *poly_times(struct algebra *al, const struct poly *a, const struct poly *b);
const struct poly *poly_scaled(struct algebra *al, const struct poly *a, struct number by);
const struct poly *poly_over(struct algebra *al, const struct poly *a, const struct poly *b); /* b is not zero */
const struct poly *poly_power(struct algebra *al, const struct poly *a, const struct poly *b);
const struct poly *poly_extreme(struct algebra *al, const struct poly *a, const struct poly *b, bool greatest);
const struct poly *poly_div(struct algebra *al, const struct poly *a, const struct poly *b);
const struct poly *poly_mod(struct algebra *al, const struct poly *a, const struct poly *b);
const struct poly *poly_rounded(struct algebra *al, enum atom_kind kind, const struct poly *a, bool whole);
const struct poly *poly_function(struct algebra *al, const char *name, const struct poly *a);
/* 1 where a >= 0, else 0; whole: a is a whole number. */
const struct poly *poly_not_less(struct algebra *al, const struct poly *a, bool whole);
const struct poly *poly_is_zero(struct algebra *al, const struct poly *a);
const struct poly *poly_if(struct algebra *al, const struct poly *truth, const struct poly *then,
                           const struct poly *otherwise);
/* Of `body` over all whole values of the variable from low to high; none where high < low. */
const struct poly *poly_sum(struct algebra *al, const struct atom *variable, const struct poly *low,
                            const struct poly *high, const struct poly *body);
const struct poly *poly_with(struct algebra *al, const struct poly *a, const struct atom *name,
                             const struct poly *value);
/* Where a comparison holds that stands in its terms, or does not. */
const struct poly *poly_where(struct algebra *al, const struct poly *a, const struct atom *atom, bool holds);
/* Without comparisons that others in the same term decide. */
const struct poly *poly_tidied(struct algebra *al, const struct poly *a);
/* The greatest of `body` over all whole values of the variable from low to high, of which there is one at least. */
const struct poly *poly_most(struct algebra *al, const struct atom *variable, const struct poly *low,
                             const struct poly *high, const struct poly *body);
/* With what the function gives for atoms in their place, NULL: themselves, with what it gives for those in them. */
typedef const struct poly *poly_map(void *user, const struct atom *atom);
const struct poly *poly_mapped(struct algebra *al, const struct poly *a, poly_map *map, void *user);
/* As many as from low to high: 0 or more. */
const struct poly *poly_count_between(struct algebra *al, const struct poly *low, const struct poly *high);

/* The same where no closed form is known, from `low` to `high`, which is at least that less 1. */
const struct poly *atom_sum(struct algebra *al, const struct atom *variable, const struct poly *low,
                            const struct poly *high, const struct poly *body);

/* ---- asking ---- */
bool poly_reads(const struct poly *a, const struct atom *name);
/* In something that is rounded, as a quotient of whole numbers. */
bool poly_reads_rounded(const struct poly *a, const struct atom *name);
bool poly_constant(const struct poly *a, struct number *out);
struct dimension poly_dimension(const struct poly *a); /* of 0: none */
bool poly_is_whole(const struct poly *a);              /* by its factors and atoms */
/* Is it 0 or more for all values that its names may have, as far as that is seen? */
bool poly_never_negative(struct algebra *al, const struct poly *a);

/* ---- sums.c ---- */
const struct poly *poly_sum_parts(struct algebra *al, const struct atom *variable, const struct poly *low,
                                  const struct poly *high, const struct poly *body);

/* ---- intervals.c: numbers ---- */
struct interval {
  double low, high;
};
/* What names have, by the ids of their atoms; where `at` is NULL, all that they may be. */
struct settings {
  const struct interval *at;
  uint32_t count;
  bool failed; /* a sum goes over too many values, or something is not defined there */
};
double poly_value(struct settings *settings, const struct poly *a); /* of the low ends */
struct interval poly_interval(struct settings *settings, const struct poly *a);
/* The bounds of how fast it rises with the name. */
struct interval poly_slope(struct settings *settings, const struct poly *a, const struct atom *name);

/* ---- writing.c ---- */
enum notation { NOTATION_TEXT, NOTATION_PSL, NOTATION_LATEX };
/* 0 is written with a unit of that dimension. */
void poly_write(struct text *out, struct algebra *al, const struct poly *a, enum notation notation,
                struct dimension dimension);
/* a >= 0 (whole: of whole numbers), and what an atom says that compares, or its opposite. */
void poly_write_comparison(struct text *out, struct algebra *al, const struct poly *a, bool holds);
void atom_write_comparison(struct text *out, struct algebra *al, const struct atom *atom, bool holds);
#endif
