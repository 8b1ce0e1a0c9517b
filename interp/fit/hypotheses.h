/* Many sums of terms fitted to one response by weighted least squares, and the best of those with as many terms. */
#ifndef PSL_HYPOTHESES_H
#define PSL_HYPOTHESES_H
#include "grammar/arena.h"

enum { HYPOTHESIS_TERMS = 4 };

struct candidates { /* what terms there are */
  uint32_t points, count, parameters;
  const double *values;  /* by candidate and point */
  const int8_t *only;    /* by candidate: the one parameter that it is of; -1: several */
  uint32_t plain;        /* so many of the first stand in sums of two with any other */
  bool positive;         /* no coefficient may be below 0 */
  uint32_t beam;         /* from so many of the best with a term less those with more are made */
  struct memory *memory; /* its user may want an end: then the rest is left out, or the search fails */
};
struct hypothesis { /* a constant and so many candidates */
  uint32_t count, places[HYPOTHESIS_TERMS];
  bool bare; /* without the constant, which would be below 0 */
  double constant, coefficients[HYPOTHESIS_TERMS];
  double rss; /* weighted */
};
struct ranking { /* hypotheses with as many terms, the best first */
  struct hypothesis *best;
  uint32_t count, capacity;
  uint64_t tried;
};
struct trials; /* a response, and the memory to work in */

struct trials *trials_open(struct arena *arena, const struct candidates *candidates);
/* The response, by point; `weight`: what a squared residual counts. */
void trials_respond(struct trials *trials, const double *y, const double *weight);
struct ranking ranking_open(struct arena *arena, uint32_t capacity);
/* Of `terms` terms: `fewer` ranks those with one less, on the same response (NULL for none and one). All are tried up
 * to one term, of one parameter up to two; else sums of two of which one is of one parameter or plain, those that have
 * all terms but one of one of the best, and what replaces a term of the best. Of equals the one that is tried first
 * stays before. */
void trials_rank(struct trials *trials, uint32_t terms, const struct ranking *fewer, struct ranking *out);
/* Its value where the candidates have these. */
double hypothesis_value(const struct hypothesis *hypothesis, const double *values);
#endif
