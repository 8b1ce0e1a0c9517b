/* The deviation of what has been summed up.  Used by records of a run. */
#include "interp/statistics/sum.h"

/* The squares less those of the mean: of 32 digits many may cancel, and what rounding can have made is nothing. */
double sum_deviation(const struct sum *values, const struct sum *squares, uint64_t count) {
  double n = (double)count, mean = values->value / n, left = fma(-mean, n, values->value) + values->rest;
  double square = mean * mean, all = n * square, all_rest = fma(n, square, -all) + n * fma(mean, mean, -square);
  double spread = (squares->value - all) + (squares->rest - all_rest - left * (2 * mean + left / n));
  return count > 1 && !(spread <= n * 0x1p-104 * squares->value) ? sqrt(spread / (n - 1)) : 0;
}
