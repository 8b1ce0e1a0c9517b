/* The fit of a nest's factor: times of runs against the times of its operations, as the model counts these. */
#include "interp/compile/calibration.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double disturbed_by = 1.1;
static const double by_chance = 0.01;  /* factors of shapes differ so by noise in so many cases */
static const double far_enough = 1.05; /* factors that are closer are the same for a model */

/* Time of an entry by the work of an entry, over runs whose time is near to the fastest one's. */
static size_t ratios(const struct nest_shape *shape, size_t repetitions, double *kept, struct nest_fit *fit) {
  double least = INFINITY, each = shape->work / shape->entries;
  size_t count = 0;
  for (size_t r = 0; r < repetitions; r++)
    least = fmin(least, shape->times[r]);
  for (size_t r = 0; r < repetitions; r++) {
    if (shape->times[r] <= disturbed_by * least)
      kept[count++] = shape->times[r] / shape->program_entries / each;
    else
      fit->disturbed++;
  }
  return count;
}

/* The factor f that makes the sum of (1 - f / q)^2 least, and that sum. */
static double fitted(const double *q, size_t count, double *squares, double *weight) {
  double first = 0, second = 0;
  for (size_t i = 0; i < count; i++) {
    first += 1 / q[i];
    second += 1 / (q[i] * q[i]);
  }
  double factor = first / second;
  *squares = 0;
  for (size_t i = 0; i < count; i++)
    *squares += (1 - factor / q[i]) * (1 - factor / q[i]);
  *weight = second;
  return factor;
}

static struct nest_factor with_interval(double work, double value, double variance, double weight, double freedom,
                                        double level) {
  double half = freedom > 0 ? gsl_cdf_tdist_Pinv(0.5 + level / 2, freedom) * sqrt(variance / weight) : INFINITY;
  return (struct nest_factor){.work = work, .value = value, .low = fmax(0, value - half), .high = value + half};
}

static bool is_entered(const struct nest_shape *shape) {
  return shape->entries > 0 && shape->work > 0 && shape->program_entries > 0;
}

static int by_work(const void *a, const void *b) {
  const struct nest_factor *left = a, *right = b;
  return left->work < right->work ? -1 : left->work > right->work;
}

double calibrated_factor(const struct nest_fit *fit, double work) {
  const struct nest_factor *at = fit->factors;
  size_t i = 1;
  if (fit->count == 1 || work <= at[0].work) return at[0].value;
  while (i < fit->count && at[i].work < work)
    i++;
  if (i == fit->count) return at[i - 1].value;
  double part = (work - at[i - 1].work) / (at[i].work - at[i - 1].work);
  return at[i - 1].value + part * (at[i].value - at[i - 1].value);
}

/* Those of the same work are one. */
static size_t joined(struct nest_factor *factors, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    struct nest_factor *last = kept ? &factors[kept - 1] : NULL;
    if (last && factors[i].work <= 1.01 * last->work) {
      last->value = sqrt(last->value * factors[i].value);
      last->low = fmin(last->low, factors[i].low);
      last->high = fmax(last->high, factors[i].high);
    } else {
      factors[kept++] = factors[i];
    }
  }
  return kept;
}

void calibrate_nest(const struct nest_shape *shapes, size_t count, size_t repetitions, double level,
                    struct nest_factor *factors, double *kept, struct nest_fit *fit) {
  double within = 0, squares, weight;
  size_t all = 0, groups = 0;
  *fit = (struct nest_fit){.factors = factors, .least = INFINITY};
  double lowest = INFINITY, highest = 0;
  for (size_t s = 0; s < count; s++) {
    if (!is_entered(&shapes[s])) continue;
    size_t more = ratios(&shapes[s], repetitions, kept + all, fit);
    double value = fitted(kept + all, more, &squares, &weight), work = shapes[s].work / shapes[s].entries;
    factors[groups++] = (struct nest_factor){.work = work, .value = value, .low = weight};
    within += squares;
    all += more;
    fit->least = fmin(fit->least, work);
    fit->greatest = fmax(fit->greatest, work);
    lowest = fmin(lowest, value);
    highest = fmax(highest, value);
  }
  if (!groups) return;
  double one = fitted(kept, all, &squares, &weight), freedom = (double)(all - groups);
  double between = squares > within ? squares - within : 0;
  bool differ = groups > 1 && highest > far_enough * lowest && fit->greatest > 1.01 * fit->least;
  if (differ && freedom > 0)
    differ = gsl_cdf_fdist_Q(between / (double)(groups - 1) / fmax(within / freedom, 1e-12), (double)(groups - 1),
                             freedom) < by_chance;
  if (differ) {
    for (size_t g = 0; g < groups; g++)
      factors[g] = with_interval(factors[g].work, factors[g].value, within / freedom, factors[g].low, freedom, level);
    qsort(factors, groups, sizeof *factors, by_work);
    fit->count = joined(factors, groups);
  } else {
    factors[0] = with_interval(0, one, squares / fmax(1, (double)all - 1), weight, (double)all - 1, level);
    fit->count = 1;
  }
  for (size_t s = 0; s < count; s++) {
    if (!is_entered(&shapes[s])) continue;
    double least = INFINITY, work = shapes[s].work / shapes[s].entries;
    for (size_t r = 0; r < repetitions; r++)
      least = fmin(least, shapes[s].times[r] / shapes[s].program_entries);
    fit->off = fmax(fit->off, fabs(calibrated_factor(fit, work) * work / least - 1));
  }
}

/* ---- beyond what was measured ---- */

void calibrate_beyond(struct nest_fit *fit, const double *times, const double *ratios, size_t count, double growth) {
  static const double noise = 1.03;
  double highest = 1;
  for (size_t i = 0; i < count; i++)
    highest = fmax(highest, ratios[i]);
  if (!fit->count || highest <= noise || growth <= 0) return;
  struct nest_factor last = fit->factors[fit->count - 1];
  if (fit->count == 1) fit->factors[0].work = fit->greatest;
  highest = 1;
  for (size_t i = 0; i < count; i++) {
    const struct nest_factor *before = &fit->factors[fit->count - 1];
    highest = fmax(highest, ratios[i]);
    struct nest_factor next = {.work = fit->greatest * pow(times[i], 1 / growth),
                               .value = last.value * highest,
                               .low = last.low * highest,
                               .high = last.high * highest,
                               .beyond = true};
    /* of several that are the same the first and the last one say it all; behind the last one it stays so */
    if (before->beyond && before->value >= next.value && before[-1].value >= next.value) fit->count--;
    if (before->value < next.value || i + 1 < count) fit->factors[fit->count++] = next;
  }
}

double calibrate_growth(const double *data, const double *work, size_t count) {
  size_t least = count, greatest = count;
  for (size_t i = 0; i < count; i++) {
    if (data[i] <= 0 || work[i] <= 0) continue;
    if (least == count || work[i] < work[least]) least = i;
    if (greatest == count || work[i] > work[greatest]) greatest = i;
  }
  if (least == count || work[greatest] < 1.05 * work[least]) return 0;
  double growth = log(data[greatest] / data[least]) / log(work[greatest] / work[least]);
  return growth > 0.1 ? fmin(growth, 4) : 0;
}

/* ---- memory that is touched first ---- */

double calibrate_page(const struct nest_shape *const *nests, size_t nest_count, size_t count, size_t repetitions) {
  double more = 0, pages = 0;
  for (size_t i = 0; i < nest_count; i++)
    for (size_t s = 0; s < count; s++) {
      const struct nest_shape *shape = &nests[i][s];
      double least = INFINITY;
      for (size_t r = 0; r < repetitions; r++)
        least = fmin(least, shape->totals[r] - shape->times[r]);
      if (shape->pages <= 0) continue;
      more += fmax(0, least);
      pages += shape->pages;
    }
  return pages > 0 ? more / pages : 0;
}

double calibrate_first(const struct nest_shape *shapes, size_t count, double page, size_t ranks) {
  const struct nest_shape *most = shapes;
  for (size_t s = 1; s < count; s++)
    if (shapes[s].pages > most->pages) most = &shapes[s];
  if (most->pages <= 0 || !is_entered(most)) return 0;
  return most->pages / (double)ranks * page / (most->work / most->entries);
}
