/* What a figure is likely to be at a point, learnt from cases: a trend, what trees add to it, and how far it may be
 * off.
 *
 * The trend is a polynomial of the features by least squares, of their logarithms where these are positive: a power
 * law where the figure is positive, too. What it leaves is added up by small regression trees, each of which is
 * fitted to what those before it have left (J. Friedman: Greedy Function Approximation: A Gradient Boosting Machine,
 * Annals of Statistics 29(5), 2001, with squares as loss). Degree and number of trees are those of the least error
 * where whole problems are left out in turn.
 *
 * How far it may be off is told by these errors of cases that were left out, by region: a pruned tree parts the
 * cases by the size of their errors, and of each leaf nine tenths of them are no greater (split conformal
 * prediction, A. N. Angelopoulos and S. Bates: A Gentle Introduction to Conformal Prediction, 2021, section 1). */
#ifndef PSL_RECOMMEND_FORECASTER_H
#define PSL_RECOMMEND_FORECASTER_H
#include "interp/recommend/tree.h"

enum { FORECASTER_FOLDS = 5 };
#define FORECASTER_LEVEL 0.9 /* of its intervals */

struct forecaster_cases {
  uint32_t rows, features;
  const double *x;         /* by row and feature; a word's number */
  const bool *named;       /* by feature */
  const double *y;         /* by row; NaN: not known */
  const uint32_t *problem; /* by row: cases of one problem are left out together */
};

struct forecaster;
/* NULL: fewer than 10 cases, or two problems, are known. */
struct forecaster *forecaster_learn(struct arena *arena, const struct forecaster_cases *cases);

struct prediction {
  double value;
  double low, high; /* of nine in ten cases */
  double spread;    /* how far apart forecasters are that have not seen some of the problems, in the scale of errors */
};
struct prediction forecaster_at(const struct forecaster *forecaster, const double *x);

struct forecaster_quality {
  uint32_t cases, problems;
  bool relative;          /* errors are parts of the figure, as its logarithm differs; else in its unit */
  double median, most;    /* of the errors of cases that were left out: of half of them, of nine in ten */
  double median_of_half;  /* the median where half of the problems alone were learnt from; NaN: too few */
  uint32_t degree, trees; /* of the trend; trees behind it */
};
const struct forecaster_quality *forecaster_quality(const struct forecaster *forecaster);
#endif
