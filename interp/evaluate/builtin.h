/* The built-in functions: one table that the checker, the reference walker, the compiler and the manual read.
 */
#ifndef PSL_BUILTIN_H
#define PSL_BUILTIN_H
#include "interp/model/random.h"
#include "interp/model/value.h"

/* How a function folds the bodies of `f(x in a .. b : body)`. */
enum builtin_fold { FOLD_NONE, FOLD_SUM, FOLD_PRODUCT, FOLD_MIN, FOLD_MAX, FOLD_COUNT, FOLD_ALL, FOLD_ANY };

struct builtin_call {
  struct arena *scratch;        /* where a result that is an object goes */
  struct random_stream *random; /* NULL: draws are errors */
  bool analysis;                /* draws are errors for that reason, */
  struct drawn *drawn;          /* unless this says what they give */
  const struct value *arguments;
  uint32_t count; /* within the arity */
  struct value result;
  char error[200]; /* why it failed: lower case, no full stop */
};

struct builtin {
  const char *name;
  const char *parameters;  /* for the manual and for errors: "(x, …)" */
  const char *doc;         /* one line */
  uint32_t least, most;    /* arguments; most UINT32_MAX: any number */
  enum builtin_fold fold;  /* NONE: has no form with binders */
  bool draws;              /* from a distribution that is its argument */
  bool takes_distribution; /* a distribution arrives as one; else it is drawn before the call */
  bool takes_any;          /* it passes parts on, or compares them, whatever their type is */
  /* The type of the result; NULL and a text in `error` where the arguments (`count` within the arity) do
   * not fit.  TYPE_ERROR and TYPE_ANY among them give no error.  For the form with binders pass one argument,
   * the list of the body's type. The result of an argument that is a RANGE is a RANGE where it would be a
   * number; of a DISTRIBUTION (drawn) it is REAL. */
  const struct type *(*type)(struct types *types, const struct builtin *builtin, const struct type *const *arguments,
                             uint32_t count, char *error, size_t error_size);
  bool (*apply)(const struct builtin *builtin, struct builtin_call *call);
  /* Without boxing, by the static types of the arguments; NULL where there is none. The real ones answer NaN
   * where the function is not defined there (call `apply` for the text of the error); the others false.
   * `apply` does the same operations. */
  double (*real1)(double);                   /* real -> real */
  double (*real2)(double, double);           /* real, real -> real */
  bool (*int1)(int64_t, int64_t *);          /* int -> int */
  bool (*int2)(int64_t, int64_t, int64_t *); /* int, int -> int */
  bool (*whole)(double, int64_t *);          /* real -> int: ceil, floor, round */
  int kind;                                  /* enum distribution_kind of those that make one, else of no use */
};

/* A fold in progress: of the items of a list and of the bodies under binders, by the same steps in the same
 * order. */
struct fold {
  enum builtin_fold kind;
  uint32_t count; /* of items so far, saturating */
  struct value value;
};
/* A range that a fold runs over to its end has at most so many values: no limit of a run ends it while it goes. */
enum { FOLD_MOST = 100000000 };
static inline bool fold_has_limit(enum builtin_fold fold) { return fold != FOLD_ALL && fold != FOLD_ANY; }
struct fold fold_open(enum builtin_fold kind);
/* One item more. false and a text in `error`: overflow. *decided is set where all and any need not go on. */
bool fold_add(struct fold *fold, struct arena *arena, struct value item, bool *decided, char *error, size_t error_size);
/* The result; false where there is none: min and max of nothing. */
bool fold_close(const struct fold *fold, struct value *out, char *error, size_t error_size);

/* routing.c */
bool routing_visits(const struct builtin *builtin, struct builtin_call *call);

extern const struct builtin psl_builtins[];           /* in the manual's order, ended by name NULL */
extern const struct builtin builtin_one_of;           /* of a choice among components; no model calls it by name */
const struct builtin *builtin_find(const char *name); /* NULL: none */

/* The distribution that a checked expression draws one number from, by `draw` or since it is one; NULL: it does
 * something else. */
struct expr;
struct expr *builtin_drawn(const struct expr *expr);
#endif
