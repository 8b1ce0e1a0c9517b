/* The plots of a study: what each needs of a row is gathered as the rows come. */
#ifndef PSL_STUDY_PICTURE_H
#define PSL_STUDY_PICTURE_H
#include "interp/report/plot.h"
#include "interp/study/study.h"

struct study_picture;
/* One for each plot of the plan, in psl->handed. */
struct study_picture *study_pictures_open(struct study_plan *plan);
/* A row whose results and columns study_evaluate sees, at the point that is set; repetitions of a point come one after
 * another. What goes wrong is said as a diagnostic: catch it. */
void study_pictures_row(struct study_picture *pictures, const struct study_point *point);
/* The k-th plot of the plan, arranged; over repetitions it has means with their 95 % confidence intervals. */
struct plot *study_picture_plot(struct study_picture *pictures, uint32_t k);

/* Draws the plots as the options say, and hands them over; false after a diagnostic. */
bool study_pictures_draw(struct study_picture *pictures, const struct psl_plot_options *options);
/* Can they be drawn? Asked before hours of runs. */
bool study_pictures_possible(struct psl *psl, const struct psl_plot_options *options);
#endif
