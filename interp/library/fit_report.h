/* What a fit came to, for its report. */
#ifndef PSL_FIT_REPORT_H
#define PSL_FIT_REPORT_H
#include "interp/fit/fit.h"
#include "interp/model/model.h"
#include "interp/report/report.h"

struct fitted_point {
  const double *arguments;
  uint64_t count;                        /* of measurements; 0: asked for, not measured */
  double measured;                       /* their mean; of a logarithm's fit, the geometric one */
  double fitted, mean[2], prediction[2]; /* intervals: of the mean and of one more measurement; NaN: there is none */
};
struct fitted_sum { /* one of those that fit as well */
  const struct model_fit *fit;
  double *predicted; /* by place */
};
struct fitted {
  const struct model *model;
  const struct model_fit *fit;
  double level; /* of the intervals: 0.95 */
  struct fitted_point *points;
  size_t count;
  struct fitted_sum *sums; /* `fit` first; alone where no other fits as well */
  size_t sum_count;
  const double **places; /* arguments where they are compared */
  size_t place_count;
};
void report_fits(struct report *report, const struct fitted *fits, size_t count);
/* A function of PSL that needs neither data nor fit. */
void fitted_psl(struct text *out, const struct fitted *fitted);
/* A type of a number as a declaration writes it: time/data, data*data, real/time. */
void fitted_type(struct text *out, const struct types *types, const struct type *type);
/* `adjusted R² 0.9987, SMAPE 1.2 %, cross-validated 1.5 %` */
void fitted_quality(struct text *out, const struct model_fit *fit);
/* `measurements of one point are off their mean by 2.10 %`; nothing where no point was measured twice */
void fitted_scatter(struct text *out, const struct model_fit *fit);
/* `errors grow with what is fitted ...`: what to write then; nothing where they do not, or of a search. */
void fitted_growth(struct text *out, const struct fitted *fitted, const char *option);
/* Of a fit that lacks something: `lack of fit: means are off with 76 times the variance of ...` */
void fitted_lack(struct text *out, const struct model_fit *fit);
#endif
