/* The plots of a study: rows of figures into series, as the rows come from runs or out of a database. */
#ifndef PSL_STUDY_PICTURE_H
#define PSL_STUDY_PICTURE_H
#include "interp/report/plot.h"
#include "interp/study/study.h"

struct picture_figure {
  const char *name, *unit;
  bool optimised; /* and in no report */
  bool varied;    /* it is a param: its values are in order whatever the order of the points */
};
struct picture_value { /* of a figure in a row */
  double number;       /* NAN: none */
  const char *text;    /* of a value that is no number: a term; NULL: it is one */
  double half;         /* half the interval that one run has of it; NAN: none */
};

struct picture;
/* Of one plot of a study, in `arena`; plot and figures must stay. Series that are of one unit stand in one
 * panel. */
struct picture *picture_open(struct arena *arena, const char *title, const struct study_plot *plot,
                             const struct picture_figure *figures);
/* `values` by figure, of a run that may have failed. Repetitions of a point, which have its number, come one
 * after another. */
void picture_row(struct picture *picture, uint64_t point, const struct picture_value *values, bool failed);
/* All repetitions of a point at once: `samples` by figure. */
void picture_point(struct picture *picture, uint64_t point, const struct picture_value *values,
                   const struct study_sample *samples, bool failed);
/* The plot, arranged; over repetitions it has means with their 95 % confidence intervals, of one run the interval that
 * the run has. */
struct plot *picture_plot(struct picture *picture);

/* The plots of a plan; what they need of a row is in the plan's columns. */
struct study_pictures;
struct study_pictures *study_pictures_open(struct study_plan *plan);
void study_pictures_row(struct study_pictures *pictures, const struct study_point *point, const struct study_row *row,
                        const struct study_lines *lines);
/* Draws them as the options say, and hands them over; false after a diagnostic. */
bool study_pictures_draw(struct study_pictures *pictures, const struct psl_plot_options *options);
#endif
