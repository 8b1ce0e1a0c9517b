/* An amount that others are added to and taken from: the exact sum of them as two doubles, and what roundings may have
 * made of it: each number that is not whole may differ from the one that is meant by a few units in its last place.
 * So 0.3 has 0.1 three times, and what is left then is nothing; but of whole numbers none is taken for another. */
#ifndef PSL_AMOUNT_H
#define PSL_AMOUNT_H
#include <math.h>
#include <stdbool.h>

struct amount {
  double value, rest; /* the sum is of both */
  double doubt;       /* by how much the sum that is meant may differ */
};

/* By how much the number that is meant may differ. */
static inline double doubt_of(double number) {
  bool exact = floor(number) == number && fabs(number) < 0x1p53;
  return exact ? 0 : 0x1p-50 * fabs(number);
}

static inline void amount_move(struct amount *a, double by) {
  double sum = a->value + by, part = sum - a->value;
  a->rest += (a->value - (sum - part)) + (by - part);
  a->value = sum + a->rest;
  a->rest -= a->value - sum;
  a->doubt += doubt_of(by);
}

/* Would it be more than `most`, with so much more? */
static inline bool amount_passes(const struct amount *a, double more, double most) {
  double room = most - a->value - a->rest - more;
  return room < -(a->doubt + doubt_of(more) + doubt_of(most));
}

/* Is there less of it? */
static inline bool amount_lacks(const struct amount *a, double amount) {
  return a->value - amount + a->rest < -(a->doubt + doubt_of(amount));
}

/* Puts in what does not pass `most`: what is that but for roundings is that. */
static inline void amount_add(struct amount *a, double more, double most) {
  amount_move(a, more);
  if (fabs(most - a->value - a->rest) <= a->doubt + doubt_of(most)) *a = (struct amount){most, 0, doubt_of(most)};
}

/* Takes out what is not lacking: what is nothing but for roundings is nothing. */
static inline void amount_take(struct amount *a, double less) {
  amount_move(a, -less);
  if (fabs(a->value + a->rest) <= a->doubt) *a = (struct amount){0, 0, 0};
}
#endif
