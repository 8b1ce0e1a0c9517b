/* Several runs of one system side by side, and their report. */
#ifndef PSL_COMPARISON_REPORT_H
#define PSL_COMPARISON_REPORT_H
#include "interp/report/report.h"
#include "interp/study/repeated.h"

struct comparison { /* rows[k] is the run under values[k], NULL where it failed */
  const char *param;
  const char *const *values;
  const struct results *const *rows;      /* over repetitions their means, see repeated.h */
  const struct repeated *const *repeated; /* by row that is complete: its runs */
  const char *const *warnings;            /* by row, of all its runs, each once, a line each; "": none */
  uint64_t repetitions;
  size_t count, begun; /* those from `begun` on were not run: the comparison was interrupted */
  double spread;       /* of the makespans: largest over smallest, minus 1; negative: fewer than two ended */
  double tolerance;    /* negative: none asked for */
};
double comparison_spread(const struct results *const *rows, size_t count);
/* Which values have warned of what, a text each kind of warning, in order; *at, from 0, moves on. NULL: no more. */
const char *comparison_warned(struct arena *arena, const struct comparison *comparison, size_t *at);
void report_comparison(struct report *report, const struct comparison *comparison);
#endif
