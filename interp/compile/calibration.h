/* Factors of a model's nests, and chances of the branches in them, from what runs of its program have taken. */
#ifndef PSL_COMPILE_CALIBRATION_H
#define PSL_COMPILE_CALIBRATION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nest_shape {     /* what a nest has done in runs with the same arguments, all ranks together */
  double work, entries; /* of the model: the time of its operations, and how often it is come to */
  double program_entries;
  double *totals; /* of each repetition, s */
  double *times;  /* the same, if all entries had taken as long as those behind the first ones of a rank */
  double pages;   /* of memory that these first ones have touched first */
};
struct nest_factor {
  double work; /* that an entry has, s */
  double value, low, high;
  bool beyond; /* what was measured: of runs that had less of the caches */
};
struct nest_fit {
  struct nest_factor *factors; /* by work; one holds for all */
  size_t count;
  double off;             /* how far the fastest run of a shape is off at most, a part */
  double least, greatest; /* work of an entry that was measured */
  size_t disturbed;       /* runs that were left out */
};

/* ---- calibration.c ---- */
/* By least squares of parts of what was measured; `level`: of the intervals, a part of 1. A run that took more than a
 * tenth longer than the fastest one of its shape was disturbed, and is left out. Where factors of shapes differ by more
 * than runs of one shape do, each keeps its own. `factors` and `kept` have room for one a shape and for all times. */
void calibrate_nest(const struct nest_shape *shapes, size_t count, size_t repetitions, double level,
                    struct nest_factor *factors, double *kept, struct nest_fit *fit);
/* Factors beyond the greatest work that was measured. `ratios`: what an entry took at that work with less of the caches
 * to what it took with all of them, where more data, so many `times` as much, would have left as much of theirs there;
 * rising, as many as `count`. `growth`: data go as work to this power, above 0. `factors` has room for `count` more.
 * Where no ratio is above what noise makes, nothing changes. */
void calibrate_beyond(struct nest_fit *fit, const double *times, const double *ratios, size_t count, double growth);
/* The power of work by which data grow, by runs that have both; 0: that is not seen. */
double calibrate_growth(const double *data, const double *work, size_t count);
/* What touching a page of memory first takes, s: by what the first entries have taken more, of the fastest runs, over
 * all nests that have touched some; 0: none has. */
double calibrate_page(const struct nest_shape *const *nests, size_t nest_count, size_t count, size_t repetitions);
/* What the first entry of a rank takes more then, in terms of its work, in the runs with most pages. */
double calibrate_first(const struct nest_shape *shapes, size_t count, double page, size_t ranks);
/* What the model takes at so much work. */
double calibrated_factor(const struct nest_fit *fit, double work);

#endif
