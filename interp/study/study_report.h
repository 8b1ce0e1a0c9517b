/* The report of a study, from lines as they come. */
#ifndef PSL_STUDY_REPORT_H
#define PSL_STUDY_REPORT_H
#include "interp/report/report.h"
#include "interp/study/study.h"

struct study_report {
  struct study_plan *plan;
  struct report report;
  struct report_section section;
  struct report_cell *cells; /* of a row */
  uint64_t lines;
  bool best;     /* it has the best points alone */
  bool pareto;   /* and a Pareto front; lines have that alone */
  bool notes;    /* it may have notes on figures of simulated networks */
  double handed; /* when lines were handed on last, s of the clock */
};

/* Opens a report in psl->handed; psl->work is used while a line is written. */
void study_report_open(struct study_report *report, struct study_plan *plan, const struct psl_study_options *options,
                       psl_write *write, void *user);
/* The same for points that are not run: of each its params, how many runs it has, and how many of them are kept. */
void study_report_dry(struct study_report *report, struct study_plan *plan, const struct psl_study_options *options,
                      psl_write *write, void *user);
/* A value of a column as people read it; "-": there is none. */
const char *study_value_text(const struct study_plan *plan, const struct type *type, struct value value);
const char *study_unit(const struct study_plan *plan,
                       const struct type *type); /* of its figures; NULL: they have none */
/* The value of an axis at the point that is set. */
struct report_cell study_param_cell(const struct study_report *report, uint32_t axis, struct value value);
void study_report_line(struct study_report *report, const struct study_line *line);
/* said: what points have warned of. broken_off: what is said where not all points are there; NULL: they are. */
void study_report_close(struct study_report *report, const struct study_summary *summary, const struct study_said *said,
                        const char *broken_off);

/* ---- dry_run.c ---- */

/* Lists the points of a plan, and which runs of options->database are there; runs and writes nothing. */
enum psl_code study_dry_run(struct study_plan *plan, const struct psl_study_options *options, psl_write *write,
                            void *user);
#endif
