/* Statistics of what is observed one by one: nothing is kept but a few numbers, and nothing is allocated. */
#ifndef PSL_TALLY_H
#define PSL_TALLY_H
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Half an interval that is no wider than rounding makes it is that of an exact value, 0: by which part of the value
 * figures may be off that are the same, and figures that are differences of clocks, which are large beside them. */
#define ROUNDING_OF_FIGURES 1e-12
#define ROUNDING_OF_CLOCKS 1e-9
static inline double half_beyond(double rounding, double half, double value) {
  return half < rounding * fabs(value) ? 0 : half;
}

struct tally { /* zero is an empty one */
  uint64_t count;
  double mean, square; /* square: sum of squared deviations from the mean */
  double minimum, maximum;
};

/* Welford's method (Note on a method for calculating corrected sums of squares and products, Technometrics 4,
 * 1962): exact where a sum of squares would cancel. */
static inline void tally_add(struct tally *tally, double value) {
  double far = value - tally->mean;
  if (!tally->count || value < tally->minimum) tally->minimum = value;
  if (!tally->count || value > tally->maximum) tally->maximum = value;
  tally->mean += far / (double)++tally->count;
  tally->square += far * (value - tally->mean);
}
/* As if all that `other` has seen had been added. */
void tally_join(struct tally *tally, const struct tally *other);
double tally_variance(const struct tally *tally); /* of the sample; 0 of fewer than two */
double tally_deviation(const struct tally *tally);
/* Half the width of the mean's confidence interval by Student's t; NaN of fewer than two, 0 where it is rounding. The
 * observations are taken to be independent, or are means of batches that are. */
double tally_half_width(const struct tally *tally, double confidence);

/* A value that holds from when it is set to when it is set again, weighted by time. Times do not fall. */
struct level {    /* zero is one that has not been set */
  uint64_t count; /* of settings */
  double begin, since, value;
  double area, mean, square; /* until `since`; square: of the deviations from the mean, over time */
  double minimum, maximum;
  bool carried; /* its first value was set before it begins */
};
void level_set(struct level *level, double time, double value);
double level_mean(const struct level *level,
                  double until); /* from its first setting on; its value if no time has passed */
double level_deviation(const struct level *level, double until);
#endif
