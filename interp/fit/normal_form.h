/* The search of the performance-model normal form: sums of products of n^a log2(n)^b, one factor a parameter.
 * A. Calotoiu, T. Hoefler, M. Poke, F. Wolf: Using automated performance modeling to find scalability bugs in
 * complex codes, SC 2013, with its sets of exponents: a in 0, 1/2, 1, ..., 3 and b in 0, 1, 2. */
#ifndef PSL_NORMAL_FORM_H
#define PSL_NORMAL_FORM_H
#include "interp/fit/regression.h"

enum { NORMAL_PARAMETERS = 3, NORMAL_TERMS = 4 };

struct normal_term {                /* besides a constant, which each hypothesis has */
  int8_t halves[NORMAL_PARAMETERS]; /* a, in halves */
  int8_t logs[NORMAL_PARAMETERS];   /* b */
};
struct normal_options {
  uint32_t parameters, most_terms;
  uint32_t folds;                  /* of the cross-validation; 0: a point is left out at a time */
  bool negative;                   /* a may be -1 and -1/2 as well */
  const volatile int *interrupted; /* looked at now and then: not 0 ends the search with what it has; may be NULL */
};
struct normal_form {
  struct normal_term terms[NORMAL_TERMS];
  uint32_t count;
  uint64_t tried; /* hypotheses */
};
/* How many points a search takes at most: its work is bounded. */
uint32_t normal_form_points(const struct normal_options *options);
/* x: points x parameters, all positive. Of the hypotheses with as many terms the one whose cross-validation
 * has the least SMAPE is taken; one term more where that lowers it by more than two of its standard errors,
 * and the chance that its weakest term is noise is under 5 % in all that were tried (t test, Bonferroni). */
struct normal_form normal_form_search(struct arena *arena, const double *x, const struct observations *observations,
                                      const struct normal_options *options);
double normal_term_value(const struct normal_term *term, uint32_t parameters, const double *x);
#endif
