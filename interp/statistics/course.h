/* How a level goes over time, in bounded memory.
 *
 * Time is divided into at most COURSE_BINS bins of one width, a power of two seconds, which doubles when time goes
 * beyond them. A bin keeps the least and the greatest value that the level has changed to in it, the last one, and when
 * the first change came: a bin with one change has it where it was. A value that holds for no time is left out. Where
 * changes are too many for a line, means over stretches of some bins say more. */
#ifndef PSL_COURSE_H
#define PSL_COURSE_H
#include "grammar/arena.h"

enum { COURSE_BINS = 1024, COURSE_POINTS = 4 * COURSE_BINS + 2, COURSE_STRETCHES = 128 };

struct course_bin {
  double least, greatest, last;
  double at;   /* s: of the first change; NAN: none */
  double area; /* of the level over the time of the bin */
};
struct course_stretch {
  double middle; /* s */
  double mean, least, greatest;
};
struct course {        /* zero is one that has not been set */
  double width;        /* s; 0: not set */
  double begin, first; /* s, value: of the first setting */
  double noted;        /* the value that the last bin with a change ends with */
  double since, value; /* s, value: of the last setting */
  uint32_t bin_count;  /* that time has come to */
  struct course_bin *bins;
};

/* The value holds from that time on, s; times do not fall. */
void course_set(struct course *course, struct arena *arena, double time, double value);
/* The points of a line that shows it to the end. `x` and `y` have room for COURSE_POINTS; the x rise. How many they
 * are. */
size_t course_line(struct course *course, double end, double *x, double *y);
uint32_t course_changes(const struct course *course); /* bins in which it has changed */
/* The same time in at most COURSE_STRETCHES parts; how many they are. */
size_t course_stretches(struct course *course, double end, struct course_stretch *stretches);
#endif
