/* The report of a study: a table, CSV, or a JSON object a line, from lines as they come. */
#ifndef PSL_REPORT_STUDY_H
#define PSL_REPORT_STUDY_H
#include "interp/report/table.h"
#include "interp/study/study.h"

struct study_report {
  struct study_plan *plan;
  struct output out;
  enum psl_format format;
  struct arena *arena;   /* of the table, which is printed at the end */
  struct arena *scratch; /* what a line needs while it is written */
  struct table table;
  struct text fixed; /* params that are the same at all points */
  uint64_t lines;
  double handed;        /* when lines were handed on last, s of the clock */
  const char *evidence; /* of all lines so far, as one; NULL: there were none */
  bool mixed;           /* they differ in it */
  bool failed;
};

/* Opens a report in psl->handed; psl->work is used while a line is written. */
void study_report_open(struct study_report *report, struct study_plan *plan, enum psl_format format, psl_write *write,
                       void *user);
void study_report_line(struct study_report *report, const struct study_line *line);
void study_report_close(struct study_report *report, const struct study_summary *summary);

void study_csv_head(struct study_report *report);
void study_csv_line(struct study_report *report, const struct study_line *line);
void study_json_line(struct study_report *report, const struct study_line *line);
void study_text_head(struct study_report *report);
void study_text_line(struct study_report *report, const struct study_line *line);
void study_text_tail(struct study_report *report, const struct study_summary *summary);

/* Is there an interval beside the column's mean? */
bool study_has_interval(const struct study_plan *plan, const struct study_column *column);
/* The unit of figures of a type in base units; "": it has none. */
const char *study_unit(struct study_report *report, const struct type *type);
#endif
