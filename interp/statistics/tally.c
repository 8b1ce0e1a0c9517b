/* Means, variances and their intervals; levels weighted by time.  Used by records of a run and by the
 * estimates of steady states. */
#include "interp/statistics/tally.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Chan, Golub, LeVeque: Updating formulae and a pairwise algorithm for computing sample variances, 1979. */
void tally_join(struct tally *tally, const struct tally *other) {
  if (!other->count) return;
  if (!tally->count) {
    *tally = *other;
    return;
  }
  double a = (double)tally->count, b = (double)other->count, far = other->mean - tally->mean;
  tally->count += other->count;
  tally->mean += far * b / (a + b);
  tally->square += other->square + far * far * a * b / (a + b);
  tally->minimum = fmin(tally->minimum, other->minimum);
  tally->maximum = fmax(tally->maximum, other->maximum);
}

double tally_variance(const struct tally *tally) {
  return tally->count > 1 ? tally->square / (double)(tally->count - 1) : 0;
}

double tally_deviation(const struct tally *tally) { return sqrt(tally_variance(tally)); }

double tally_half_width(const struct tally *tally, double confidence) {
  if (tally->count < 2) return NAN;
  double count = (double)tally->count;
  double half = gsl_cdf_tdist_Pinv((1 + confidence) / 2, count - 1) * sqrt(tally_variance(tally) / count);
  return half_beyond(ROUNDING_OF_FIGURES, half, tally->mean);
}

/* Its value holds until that time: Welford's method, with weights. The first one is the mean as it is, and rounding
 * does not carry a mean past its value, so a level that does not change has no deviation and no square is below 0. */
static void level_hold(struct level *level, double until) {
  double time = until - level->since, far = level->value - level->mean;
  if (!(time > 0)) return;
  level->area += level->value * time;
  level->mean = level->since > level->begin ? level->mean + far * time / (until - level->begin) : level->value;
  if (level->since > level->begin) level->square += fmax(far * (level->value - level->mean), 0) * time;
  level->since = until;
}

void level_set(struct level *level, double time, double value) {
  if (!level->count) {
    level->begin = level->since = time;
    level->minimum = level->maximum = value;
  }
  level_hold(level, time);
  level->minimum = fmin(level->minimum, value);
  level->maximum = fmax(level->maximum, value);
  level->count++;
  level->value = value;
}

double level_mean(const struct level *level, double until) {
  if (!(until > level->begin)) return level->value;
  double mean = (level->area + level->value * (until - level->since)) / (until - level->begin);
  return fmin(fmax(mean, level->minimum), level->maximum);
}

double level_deviation(const struct level *level, double until) {
  if (!(until > level->begin)) return 0;
  struct level whole = *level;
  level_hold(&whole, until);
  return sqrt(whole.square / (until - level->begin));
}
