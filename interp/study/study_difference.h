/* Two studies side by side: points that have the same params are one row, with the figures of both, what they differ by
 * and their ratio. */
#ifndef PSL_STUDY_DIFFERENCE_H
#define PSL_STUDY_DIFFERENCE_H
#include "interp/report/report.h"
#include "interp/study/document.h"

struct joined_figure {
  const char *name, *unit;
  uint32_t figure[2]; /* of each side's document */
  bool text;          /* some value is a term; of a param */
};
struct joined_point {
  const struct document_point *sides[2];
};
struct unlike { /* what the two were made of that is not alike */
  const char *what, *sides[2];
  bool setting; /* of a param */
};
struct study_difference {
  struct arena *arena;
  struct document *sides[2];
  struct joined_figure *params; /* by which points are the same */
  uint32_t param_count;
  struct joined_figure *figures;
  uint32_t figure_count;
  const char *left_out; /* figures that one of the two has alone, or in another unit; NULL: none */
  struct joined_point *points;
  size_t point_count;
  size_t alone[2]; /* points that the other one does not have */
  struct unlike *unlike;
  size_t unlike_count, unlike_capacity;
  bool paired; /* the repetitions of both have the same seeds: two with one seed are a pair */
};

/* The means of a figure at a point, with half their intervals (NAN: there is none): of A, of B, B less A, B / A. A
 * value that is not there is NAN. */
struct joined_values {
  struct study_mean sides[2], less, ratio;
};
struct joined_values joined_values(const struct study_difference *d, const struct joined_figure *figure,
                                   const struct joined_point *point);
void report_study_difference(struct report *report, const struct study_difference *d);
#endif
