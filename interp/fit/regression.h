/* Least squares on a design of terms, with what tells how good a fit is: standard errors, leave-one-out
 * predictions, bands.  Numbers only; no model, no text. */
#ifndef PSL_REGRESSION_H
#define PSL_REGRESSION_H
#include "grammar/arena.h"

/* What is fitted: measurements of one point are one row, their mean. */
struct observations {
  uint32_t points;
  const double *y;
  const double *times;  /* by point: how many measurements */
  const double *spread; /* by point: sum of their squares about their mean */
  uint64_t count;       /* of measurements */
  bool relative;        /* errors count as parts of y, which is above 0; else as they are */
};
/* By point: what a squared residual of the mean counts. */
void observations_weigh(const struct observations *observations, double *weight);
/* The sum of squares of measurements about the mean of their point, as residuals count. */
double observations_within(const struct observations *observations);

struct regression {
  uint32_t points, terms;
  uint64_t freedom;              /* degrees of freedom of the residuals: measurements less terms */
  double *coefficients, *errors; /* errors: standard ones; NaN without freedom */
  double *root;                  /* terms x terms: root root^T is the inverse of the normal equations */
  double *fitted;                /* by point */
  double *left_out;              /* by point: what is predicted there without its measurements; NaN: nothing can be */
  double rss, total;             /* sums of squares of the residuals, and about the mean (about 0 without a constant);
                                    of relative errors they are parts */
  double sigma, r2, adjusted;    /* sigma: standard deviation of a residual; NaN: not defined */
  double lack, lack_chance; /* variance of the means about what is fitted, in that of measurements of one point (NaN:
                               there are none); how likely as much is where nothing but noise is missed, by an F test */
  bool constant;            /* a term is a constant, or terms make one */
  bool relative;
};

enum regression_failure {
  REGRESSION_FINE,
  REGRESSION_FEW,       /* fewer points than terms */
  REGRESSION_DEPENDENT, /* *term can be made of the others */
  REGRESSION_RANGE,     /* numbers too large for the arithmetic */
};
/* design: points x terms. Coefficients fit y = sum of coefficient x term. */
enum regression_failure regression_fit(struct arena *arena, const double *design, uint32_t terms,
                                       const struct observations *observations, struct regression *out, uint32_t *term);

/* Predictions with folds of points left out in turn (point i is in fold i mod folds), into `out`, by point;
 * NaN where nothing can be predicted. */
void regression_fold(struct arena *arena, const double *design, uint32_t terms, const struct observations *observations,
                     uint32_t folds, double *out);

/* The fit at a row of terms and the half-widths of its confidence interval and of that of one more
 * measurement, at a level such as 0.95. */
struct band {
  double value, mean, prediction;
};
struct band regression_band(const struct regression *regression, const double *row, double level);

/* A coefficient beside 0: the half-width of its confidence interval at a level, its t statistic, and how likely one as
 * far from 0 is where the term is none; NaN without freedom. */
struct coefficient {
  double half, t, chance;
};
struct coefficient regression_coefficient(const struct regression *regression, uint32_t term, double level);

/* The errors whose mean is the symmetric mean absolute percentage error, as parts (0 to 2): 2 |a - b| / (|a| + |b|).
 * A measured 0 that is predicted within the rounding of the greatest measurement is met. */
void smape_errors(const double *predicted, const double *measured, uint32_t count, double *errors);
#endif
