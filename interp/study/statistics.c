/* Statistics over repetitions and points.  Called by studies, comparisons, differences and sensitivities. */
#include "interp/statistics/tally.h"
#include "interp/study/study.h"

#include <gsl/gsl_cdf.h>

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
  return half_beyond(ROUNDING_OF_FIGURES, half, sample->mean);
}

struct study_mean study_mean_of(const double *figures, uint64_t count) {
  struct study_sample sample = {0};
  for (uint64_t r = 0; r < count; r++)
    study_sample_add(&sample, figures[r]);
  return (struct study_mean){sample.mean, study_sample_half(&sample)};
}

struct study_mean study_ratio(const double *above, const double *below, uint64_t count) {
  struct study_sample sample = {0};
  double base = study_mean_of(below, count).value, ratio = study_mean_of(above, count).value / base;
  for (uint64_t r = 0; r < count; r++)
    study_sample_add(&sample, ratio + (above[r] - ratio * below[r]) / base);
  return (struct study_mean){ratio, study_sample_half(&sample)};
}
