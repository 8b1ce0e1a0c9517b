/* A function fitted to measurements: what it was fitted to, what came out, how good it is.  All numbers are
 * in base units of what they measure. */
#ifndef PSL_FIT_H
#define PSL_FIT_H
#include "interp/fit/measurements.h"
#include "interp/fit/normal_form.h"
#include "interp/model/type.h"

struct fit_points { /* measurements, and by point those of the same arguments together */
  uint32_t parameters, rows;
  const double *x, *y;              /* by row: parameters, and what was measured */
  const struct span *span;          /* by row: where that stands */
  uint32_t *point;                  /* of each row */
  uint32_t count;                   /* of points, in rising order of their arguments */
  double *arguments;                /* by point */
  struct observations observations; /* of y, or of its logarithm */
};
/* Groups rows; `log`: the observations are natural logarithms of y, which is positive then. */
void fit_group(struct arena *arena, struct fit_points *points, bool log);

struct fit_term {
  const char *text;           /* as PSL writes it; NULL: the constant 1 */
  const char *name;           /* of a part; NULL: none */
  struct expr *part;          /* what that gives; NULL: not yet asked for */
  struct expr *expr;          /* over the parameters, as locals */
  struct dimension dimension; /* of its coefficient */
};
struct fit_range { /* of a parameter, as measured */
  double low, high;
};
struct model_fit {
  const char *name;
  const char *origin;                /* what it is fitted to: "data.csv, column time [s]" */
  const struct measurement_set *set; /* NULL: rows of the model */
  const char *const *parameters;
  const struct type *const *types; /* of the parameters: int, or a real */
  const struct type *result;
  struct fit_range *ranges;
  struct fit_points points;
  struct fit_term *terms;
  uint32_t term_count;
  bool log, searched;
  bool steps;    /* none: each measurement holds until the next one; a term that is the function itself */
  bool relative; /* wanted: errors count as parts of what was measured */
  bool relative_given;
  bool negative;                /* negative powers were searched */
  bool falls;                   /* what was measured does; not looked at where negative powers were asked for */
  uint32_t folds;               /* of the cross-validation; 0: a point left out at a time */
  uint64_t tried;               /* hypotheses of the search */
  struct regression regression; /* of the logarithm, where log is set */
  double smape;                 /* over the points, of which each counts by the mean of its measurements; a part */
  double scatter;               /* the same of measurements beside that mean; NaN: no point was measured twice */
  double validated;             /* SMAPE of the cross-validation, over the points; NaN: a point is needed by a term */
  double validated_error;       /* its standard error */
  const char *formula;          /* as PSL writes it */
  const char *shown;            /* the same with few digits */
  struct model_fit *others;     /* of a search: sums that fit as well, the best first */
  uint32_t other_count;
  /* at run time: the calls that were outside of the range, each said once */
  struct span *warned;
  uint32_t warned_count, warned_capacity;
};
/* smape, scatter and validated, from points and regression; design: points x terms. */
void fit_score(struct arena *arena, struct model_fit *fit, const double *design);
/* Are means off what is fitted by so much more than measurements of one point differ that noise does it in fewer than 1
 * of 1000 cases? */
bool fit_lacks(const struct model_fit *fit);
/* Spearman's rank correlation of how far measurements are off with what is fitted, where errors count as they are and
 * are parts of what was measured more likely: noise that is the same everywhere does it in fewer than 1 of 1000 cases.
 * NaN: they are not. */
double fit_grows(struct arena *arena, const struct model_fit *fit);
/* Do measurements of one point differ by what else was set, more than noise does in 1 of 1000 cases? setting: by row;
 * one whose values are mostly met once is none, but something else that was measured. */
bool fit_overlooks(struct arena *arena, const struct fit_points *points, const double *setting);
/* The fitted value at a point of the regression, and back from the logarithm where that was fitted. */
double fit_value(const struct model_fit *fit, double regressed);
#endif
