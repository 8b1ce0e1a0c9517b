/* Time across a page: what pictures of it share, and rows of time that stands in columns already. */
#ifndef PSL_TIMELINE_H
#define PSL_TIMELINE_H
#include "interp/report/output.h"

/* Colours mixed in proportion: each pixel goes to what is owed most (`count`: to nothing), so that stretches shorter
 * than a pixel neither vanish nor beat against the pixels. `owed` has room for count + 1, begins as 0 and is kept along
 * a row. */
int timeline_owed(double *owed, const double *shares, int count);
/* Ticks with their times; `scale`: pixels a second. Styles for `tick` and `mark` are the picture's. */
void timeline_axis(struct text *out, double left, double top, double bottom, double scale, double seconds);

/* Rows of time and plots over time that stand below each other on a page have one scale: these pixels across, and at
 * the right. */
enum { TIMES_ACROSS = 1000, TIMES_RIGHT = 24 };

struct time_class {
  const char *name;
  unsigned color;
};
struct time_rows {
  size_t rows, columns, count;
  const double *shares;      /* 0 to 1: by row, column, class */
  const char *const *labels; /* by row */
  const struct time_class *classes;
  double column, end; /* s: of a column; of all */
  double left;        /* pixels before them, as time_rows_left or more */
};
double time_rows_left(const char *const *labels, size_t rows); /* what their labels need */
/* As SVG: a row a line, a colour a class. */
void time_rows_draw(struct output *out, const struct time_rows *rows);

/* ---- two figures ---- */

struct heat_axis {
  const char *label;
  const char *const *ends; /* what a step begins with, and the last one ends with: count + 1 */
  size_t count;
  bool ranges;         /* a step is all from one end to the next, not the one end */
  size_t first, cycle; /* the number of its first step, and how many there are from one round figure to the next */
};
struct heat_map {
  struct heat_axis x, y;
  const double *values;     /* by y, from below, then x */
  const char *const *shown; /* the same as texts */
};
/* As SVG: the darker a cell, the greater its value, by powers; each says what it is. */
void heat_map_draw(struct output *out, const struct heat_map *map);
#endif
