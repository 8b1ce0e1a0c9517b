/* Statistics over repetitions and points.  Called by study.c. */
#include "interp/study/study.h"

#include <gsl/gsl_cdf.h>

#define ROUNDING 1e-12 /* of a mean */

void study_sample_add(struct study_sample *sample, double value) {
  double far = value - sample->mean;
  sample->count++;
  sample->mean += far / (double)sample->count;
  sample->square += far * (value - sample->mean);
}

double study_sample_half(const struct study_sample *sample) {
  if (sample->count < 2) return NAN;
  double n = (double)sample->count;
  double half = gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(sample->square / (n - 1) / n);
  return half < ROUNDING * fabs(sample->mean) ? 0 : half;
}
