/* Are further terms more than noise? A search that tries many finds some that fit better whatever is measured: so the
 * search itself is done on responses made of fewer terms and noise, and what it finds there is what is to be beaten. */
#ifndef PSL_SIGNIFICANCE_H
#define PSL_SIGNIFICANCE_H
#include "interp/fit/hypotheses.h"
#include "interp/fit/regression.h"

struct significance {
  struct arena *arena;
  const struct candidates *candidates;
  const struct observations *observations;
  double within; /* observations_within */
  struct trials *trials;
  struct ranking *ranks;          /* of a draw, by number of terms */
  double *predicted, *y, *weight; /* of a draw, by point */
  void *random;                   /* state of the generator */
};
struct significance *significance_open(struct arena *arena, const struct candidates *candidates,
                                       const struct observations *observations, uint32_t most_terms);
/* The variance of noise that a hypothesis leaves: what measurements of one point differ by, or what points are off by
 * if that is more. NaN: nothing tells it. */
double noise_variance(const struct observations *observations, double within, const struct hypothesis *hypothesis);
/* Does `more` leave so much less than `fewer` that noise does it in fewer than 2 of 100 searches? `tried`: what one
 * search for as many terms tries. */
bool significant(struct significance *s, const struct hypothesis *fewer, const struct hypothesis *more, uint64_t tried);
/* Is less measured at a point than at another one none of whose parameters is greater (x: by point and parameter), by
 * more than noise makes in 1 of 1000 cases? The variance of that, and its degrees of freedom: 0 is no noise. */
bool observations_fall(const struct observations *observations, uint32_t parameters, const double *x, double variance,
                       uint64_t freedom);
#endif
