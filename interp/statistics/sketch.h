/* Quantiles and histograms of any number of observations in bounded memory.
 *
 * A sketch counts observations in buckets of a 256th of a power of two: the exponent and the first 8 bits of
 * the mantissa of a double are the bucket's number, so that adding costs no logarithm. A quantile lies in its
 * bucket, hence within 1/256 = 0.4 % of the sample's own; between a bucket's ends it is interpolated. Memory
 * is taken by powers of two that occur, 2 KiB each, and stays below 9 MiB whatever is observed. */
#ifndef PSL_SKETCH_H
#define PSL_SKETCH_H
#include "grammar/arena.h"

struct sketch { /* zero, with `arena` set, is an empty one */
  struct arena *arena;
  uint64_t count;
  double minimum, maximum;
  uint64_t **positive, **negative; /* counts by power of two and bucket, NULL until used; 0 is positive */
};

void sketch_add(struct sketch *sketch, double value); /* finite */
/* The value that a part of 0 .. 1 of the observations does not exceed; NaN of an empty one. */
double sketch_quantile(const struct sketch *sketch, double part);
/* How many observations are below the value, interpolated within its bucket. */
double sketch_below(const struct sketch *sketch, double value);
#endif
