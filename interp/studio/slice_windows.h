/* Parts of what each process did when, of a file in the format of slices.h: as many cells as a picture has pixels, the
 * slices themselves where they are few, and what their times come to.  All answers about a file may be asked for by
 * several threads at once. */
#ifndef PSL_SLICE_WINDOWS_H
#define PSL_SLICE_WINDOWS_H
#include "interp/include/slices.h"
#include "interp/lsp/server.h"

struct slices; /* an open file, which stays as it is */
/* NULL: it is no such file, or is not whole. */
struct slices *slices_open(const char *path);
struct slices *slices_hold(struct slices *slices); /* for another user */
void slices_drop(struct slices *slices);           /* the last one closes it; NULL is fine */

const struct slices_header *slices_header(const struct slices *slices);
const char *slices_names(const struct slices *slices); /* JSON, as slices.h says */

struct slice_window {
  double from, to;      /* s */
  uint32_t first, rows; /* there are so many: first + rows <= those of the file */
};
/* A picture of a window: a line is of so many rows, a column of an equal part of the time. */
struct slice_picture {
  struct slice_window window;
  uint32_t group, columns;
};
enum {
  MOST_COLUMNS = 8192,
  MOST_CELLS = 1 << 23,
  EXACT_SLICES = 60000, /* no more than these are given one by one */
  CELL_STEPS = 31       /* a whole column, in a share of a cell */
};
/* As numbers, the lowest byte first. Of cells:
 *   uint32_t 0, lines, columns, 0; uint16_t cells[lines][columns]
 * where a cell has 5 bits each for the shares of its time that are computed, communicated and waited, from the lowest
 * on, and one that says that there is a slice at all, however short. Of slices, where there are no more than
 * EXACT_SLICES in the window and a line is one row:
 *   uint32_t 1, lines, count, overlaps; uint32_t first[lines + 1], and a 0 where their number is odd;
 *   double begin[count], end[count]; uint32_t kind[count]
 * where overlaps is 1 if some slice begins before the one before it in its row ends, and a kind is 256 times the number
 * of the component, and that of the activity. */
void slices_picture(const struct slices *slices, const struct slice_picture *picture, struct chars *out);

struct slice_times {
  struct slice_time {
    double time;               /* within the window */
    double least, most, whole; /* of the slices that touch it: the shortest, the longest, all together */
    uint64_t count;
  } * activities;          /* by activity */
  double (*components)[3]; /* by component: computed, communicated, waited in the window */
  double (*rows)[3];       /* by row of the window */
};
void slices_times(const struct slices *slices, const struct slice_window *window, struct slice_times *times);
void slice_times_drop(struct slice_times *times);

/* The slice of a row that goes on at the time, the last to begin of several; its number in the row. UINT64_MAX: none
 * does. */
uint64_t slice_at(const struct slices *slices, uint32_t row, double time);
/* A slice of a row by its number; NULL: there are not so many. */
const struct slice *slice_of(const struct slices *slices, uint32_t row, uint64_t number);
#endif
