/* What a sensitivity analysis has found, and its report. */
#ifndef PSL_REPORT_SENSITIVITY_H
#define PSL_REPORT_SENSITIVITY_H
#include "interp/study/study_report.h"

enum sensitivity_status {
  SENSITIVITY_MOVES,     /* the figure follows it */
  SENSITIVITY_STAYS,     /* it was moved, and the figure stayed as it was */
  SENSITIVITY_FAILED,    /* a run at one of its sides failed */
  SENSITIVITY_BEGUN,     /* it was not moved: the analysis was interrupted before */
  SENSITIVITY_FIXED,     /* a number whose range has no other one a step away */
  SENSITIVITY_ZERO,      /* 0 without a range: there is nothing to take a part of */
  SENSITIVITY_NO_NUMBER, /* a term, a list, a range, ... */
  SENSITIVITY_CONTROL,   /* it says how a network is simulated, nothing of what is modelled */
  SENSITIVITY_CHECKED,   /* only assertions and ranges read it */
  SENSITIVITY_UNREAD,    /* nothing that the system runs reads it */
};

struct sensitivity_param {
  const char *name, *type_name, *unit, *error;
  const struct type *type;
  enum sensitivity_status status;
  double value;      /* NaN: no number */
  double at[2];      /* below and above; NaN: not run */
  double figure[2];  /* NaN: there is none */
  bool ran[2];       /* it has a figure, or has failed */
  double elasticity; /* NaN: there is none */
  double half;       /* of its 95 % confidence interval over repetitions; NaN: there is none */
  uint32_t axis, item[2];
  uint64_t run[2]; /* of its figures; 0 is the run as the params are */
};

struct sensitivity {
  const struct study_plan *plan;
  const char *system;
  const char *of;          /* the name of the figure; NULL: it is the predicted time */
  const struct type *type; /* of it */
  double figure, step;     /* of the params as they are; a part */
  double half;             /* of the interval of the mean over repetitions, or of one run; NaN: there is none */
  bool ranges;             /* some params are ranges, which were moved to their ends */
  bool middle;             /* the figure was a range, of which that counts */
  uint64_t repetitions;    /* of each run: figures are means over them */
  struct sensitivity_param *params; /* those that move it first, the greatest elasticity first */
  size_t count;
  /* Params of components that are numbers or lists of these and are not moved, each as COMPONENT.NAME, ranges first. */
  const char **fixed;
  size_t fixed_count, fixed_ranges;
  const char *warnings; /* of the run with the params as they are, a line each; "": none */
};

void report_sensitivity(struct report *report, const struct sensitivity *sensitivity);
#endif
