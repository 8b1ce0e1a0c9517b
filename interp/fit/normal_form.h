/* The search of the performance-model normal form: sums of products of n^a log2(n)^b, one factor a parameter.
 * A. Calotoiu, T. Hoefler, M. Poke, F. Wolf: Using automated performance modeling to find scalability bugs in
 * complex codes, SC 2013; with sets of exponents as later tools have them: a in 0, 1/4, 1/3, 1/2, ..., 3 and b in
 * 0, 1, 2. */
#ifndef PSL_NORMAL_FORM_H
#define PSL_NORMAL_FORM_H
#include "interp/fit/hypotheses.h"
#include "interp/fit/regression.h"

enum { NORMAL_PARAMETERS = 3, NORMAL_TERMS = HYPOTHESIS_TERMS };

struct normal_term {
  int8_t twelfths[NORMAL_PARAMETERS]; /* a, in twelfths */
  int8_t logs[NORMAL_PARAMETERS];     /* b */
};
struct normal_sum {
  struct normal_term terms[NORMAL_TERMS];
  uint32_t count;
  bool constant; /* there is one besides */
};
enum normal_errors { NORMAL_CHOOSE, NORMAL_ABSOLUTE, NORMAL_RELATIVE }; /* the last: all that was measured is above 0 */
struct normal_options {
  uint32_t parameters, most_terms;
  bool negative;             /* a may be -1, -3/4, ..., -1/4 as well */
  bool positive;             /* what was measured cannot be below 0: no coefficient is */
  enum normal_errors errors; /* how they count; NORMAL_CHOOSE: as measurements of one point differ */
};
struct normal_form {
  struct normal_sum chosen;
  struct normal_sum *others; /* that fit as well, the best first */
  uint32_t other_count;
  bool relative;    /* errors count as parts */
  double noise;     /* the variance that the chosen sum leaves to it, */
  uint64_t freedom; /* and its degrees of freedom */
  uint64_t tried;   /* hypotheses */
};
/* How many points a search takes at most: its work is bounded. */
uint32_t normal_form_points(const struct normal_options *options);
/* x: points x parameters, all positive. A sum with more terms is taken where it leaves so much less that noise alone
 * would do as well in fewer than 2 of 100 searches like this one (significance.h). Of sums with as many terms those
 * that differ from the best by less than noise fit as well; of them that is taken which predicts for 4 times the
 * greatest parameters what lies in the middle of what all sums predict, each by its likelihood. */
struct normal_form normal_form_search(struct arena *arena, const double *x, const struct observations *observations,
                                      const struct normal_options *options);
double normal_term_value(const struct normal_term *term, uint32_t parameters, const double *x);
#endif
