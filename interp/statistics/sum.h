/* Sums to twice the precision of a double, which so are the same in whatever order their parts come: engines differ in
 * which processes they let run ahead, and what those spend and record is added together. */
#ifndef PSL_SUM_H
#define PSL_SUM_H
#include <math.h>
#include <stdint.h>

struct sum {          /* zero is an empty one */
  double value, rest; /* rest: what rounding has left out of the value */
};

/* Knuth, The Art of Computer Programming 2, 4.2.2: the rounding error of a sum is a number. */
static inline void sum_add(struct sum *sum, double part) {
  double before = sum->value, after = before + part, added = after - before;
  sum->rest += (before - (after - added)) + (part - added);
  sum->value = after;
}
/* Two at once, each as above. */
typedef double sum_pair __attribute__((vector_size(2 * sizeof(double))));
static inline void sum_add_both(struct sum *a, double to_a, struct sum *b, double to_b) {
  sum_pair before = {a->value, b->value}, part = {to_a, to_b}, after = before + part, added = after - before;
  sum_pair rest = (before - (after - added)) + (part - added);
  a->value = after[0];
  b->value = after[1];
  a->rest += rest[0];
  b->rest += rest[1];
}
/* So has that of a product: `times` parts that are the same. */
static inline void sum_add_times(struct sum *sum, double part, double times) {
  double product = part * times;
  sum_add(sum, product);
  sum->rest += fma(part, times, -product);
}
/* A value and its square, whose rounding error is found by halves of the value's digits: Dekker, Numerische Mathematik
 * 18 (1971), without a call of fma. Where these are too great, so is the square. */
static inline void sum_add_value(struct sum *values, struct sum *squares, double value) {
  double square = value * value, split = value * 134217729 /* 2^27 + 1 */;
  double high = split - (split - value), low = value - high;
  sum_add_both(values, value, squares, square);
  squares->rest += low * low - ((square - high * high) - 2 * high * low);
}
/* And of what others have added up. */
static inline void sum_join(struct sum *sum, const struct sum *other) {
  sum_add(sum, other->value);
  sum->rest += other->rest;
}
static inline double sum_total(const struct sum *sum) {
  return isfinite(sum->value) ? sum->value + sum->rest : sum->value;
}
/* The standard deviation of a sample by the sums of its values and of their squares; 0 of fewer than two. */
double sum_deviation(const struct sum *values, const struct sum *squares, uint64_t count);
#endif
