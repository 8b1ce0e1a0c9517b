/* A test of terms by simulation (a parametric bootstrap): the distribution of what a search gains from noise.
 * And a test of points by pairs: does what was measured fall? */
#include "interp/fit/significance.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* Of finding a term that is noise. */
#define LEVEL 0.02
enum {
  DRAWS_LEAST = 60, /* enough for LEVEL where noise never does as well */
  DRAWS_MOST = 1000,
  DRAWS_CLEAR = 200, /* after so many without one as good it is clear */
  WORK = 300000000,  /* products of all draws together */
  SEED = 20131117,
  COMPARED = 1000 /* points, of which each two are compared */
};
/* Of taking noise for a fall. */
#define FALL_LEVEL 0.001

struct significance *significance_open(struct arena *arena, const struct candidates *candidates,
                                       const struct observations *observations, uint32_t most_terms) {
  struct significance *s = ARENA_NEW(arena, struct significance);
  *s = (struct significance){.arena = arena,
                             .candidates = candidates,
                             .observations = observations,
                             .within = observations_within(observations),
                             .trials = trials_open(arena, candidates),
                             .ranks = ARENA_ARRAY(arena, struct ranking, most_terms + 1),
                             .predicted = ARENA_ARRAY(arena, double, candidates->points),
                             .y = ARENA_ARRAY(arena, double, candidates->points),
                             .weight = ARENA_ARRAY(arena, double, candidates->points),
                             .random = ARENA_ARRAY(arena, uint64_t, gsl_rng_taus2->size / sizeof(uint64_t) + 1)};
  for (uint32_t k = 0; k <= most_terms; k++)
    s->ranks[k] = ranking_open(arena, candidates->beam);
  return s;
}

double noise_variance(const struct observations *o, double within, const struct hypothesis *h) {
  uint32_t parameters = h->count + 1;
  double off = o->points > parameters ? h->rss / (o->points - parameters) : NAN;
  double pure = o->count > o->points ? within / (double)(o->count - o->points) : NAN;
  return fmax(off, pure); /* of one that is not a number the other */
}

static double gain(const struct observations *o, double within, const struct hypothesis *fewer,
                   const struct hypothesis *more) {
  double variance = noise_variance(o, within, more), gained = fewer->rss - more->rss;
  return variance > 0 ? gained / variance : gained > 0 ? INFINITY : 0;
}

/* Means of measurements of what the hypothesis predicts, with noise; false: such ones would not have been measured. */
static bool draw(const struct significance *s, gsl_rng *random, const double *predicted, double sigma, double *y) {
  const struct observations *o = s->observations;
  bool possible = true;
  for (uint32_t i = 0; i < o->points; i++) {
    double noise = gsl_ran_gaussian_ziggurat(random, sigma / sqrt(o->times[i]));
    y[i] = predicted[i] + (o->relative ? predicted[i] * noise : noise);
    possible &= !s->candidates->positive || y[i] > 0;
  }
  return possible;
}

/* What a search gains by so many more terms on a response of noise; nothing where it finds no such hypothesis. */
static double gain_drawn(struct significance *s, const struct observations *drawn, double within, uint32_t fewer,
                         uint32_t more) {
  observations_weigh(drawn, s->weight);
  trials_respond(s->trials, drawn->y, s->weight);
  for (uint32_t k = 0; k <= more; k++)
    trials_rank(s->trials, k, k ? &s->ranks[k - 1] : NULL, &s->ranks[k]);
  if (!s->ranks[fewer].count || !s->ranks[more].count) return 0;
  return gain(drawn, within, &s->ranks[fewer].best[0], &s->ranks[more].best[0]);
}

static uint32_t draws_of(const struct significance *s, uint32_t terms, uint64_t tried) {
  double work = (double)tried * s->candidates->points * 4 * (terms + 1);
  return (uint32_t)fmin(fmax(WORK / work, DRAWS_LEAST), DRAWS_MOST);
}

static void predict(const struct significance *s, const struct hypothesis *h, double *predicted) {
  const struct candidates *c = s->candidates;
  for (uint32_t i = 0; i < c->points; i++) {
    predicted[i] = h->constant;
    for (uint32_t k = 0; k < h->count; k++)
      predicted[i] += h->coefficients[k] * c->values[(size_t)h->places[k] * c->points + i];
  }
}

/* A gain that is clear without a search: by an F test of each hypothesis, which is right for noise that is normal, and
 * Bonferroni's inequality over all of them. */
static bool is_clear(const struct significance *s, double seen, const struct hypothesis *more, uint64_t tried) {
  const struct observations *o = s->observations;
  double terms = more->count, p = 1;
  if (o->points > more->count + 1) p = gsl_cdf_fdist_Q(seen / terms, terms, o->points - more->count - 1);
  if (o->count > o->points) p = fmin(p, gsl_cdf_fdist_Q(seen / terms, terms, (double)(o->count - o->points)));
  return p * (double)tried <= LEVEL;
}

bool significant(struct significance *s, const struct hypothesis *fewer, const struct hypothesis *more,
                 uint64_t tried) {
  const struct observations *o = s->observations;
  double seen = gain(o, s->within, fewer, more);
  if (isnan(noise_variance(o, s->within, more)) || !(seen > 0)) return false;
  if (is_clear(s, seen, more, tried)) return true;
  double sigma = sqrt((fewer->rss + s->within) / (double)(o->count - fewer->count - 1));
  uint64_t again = o->count - o->points;
  gsl_rng random = {gsl_rng_taus2, s->random};
  gsl_rng_set(&random, SEED);
  predict(s, fewer, s->predicted);
  struct observations drawn = *o;
  drawn.y = s->y;
  uint32_t draws = draws_of(s, more->count, tried), done = 0, as_good = 0;
  while (done < draws && as_good <= LEVEL * draws && (as_good || done < DRAWS_CLEAR)) {
    interrupt_look(s->candidates->memory);
    if (interrupted(s->candidates->memory)) return false;
    done++;
    if (!draw(s, &random, s->predicted, sigma, s->y)) continue;
    double within = again ? sigma * sigma * gsl_ran_chisq(&random, (double)again) : 0;
    as_good += gain_drawn(s, &drawn, within, fewer->count, more->count) >= seen;
  }
  return as_good + 1 <= LEVEL * (done + 1);
}

/* ---- falls ---- */

/* The variance of a mean, in that of noise. */
static double mean_variance(const struct observations *o, uint32_t point) {
  double scale = o->relative ? o->y[point] : 1;
  return scale * scale / o->times[point];
}

static bool none_greater(uint32_t parameters, const double *before, const double *behind) {
  for (uint32_t i = 0; i < parameters; i++)
    if (before[i] > behind[i]) return false;
  return true;
}

/* Student's t of each two means, and Bonferroni's inequality. */
bool observations_fall(const struct observations *o, uint32_t parameters, const double *x, double variance,
                       uint64_t freedom) {
  double most = 0, pairs = 0;
  uint32_t step = o->points / COMPARED + 1;
  for (uint32_t behind = 0; behind < o->points; behind += step)
    for (uint32_t before = 0; before < behind; before += step) {
      if (!none_greater(parameters, x + (size_t)before * parameters, x + (size_t)behind * parameters)) continue;
      most = fmax(most, (o->y[before] - o->y[behind]) / sqrt(mean_variance(o, before) + mean_variance(o, behind)));
      pairs++;
    }
  if (most == 0 || variance == 0 || !freedom) return most > 0;
  return pairs * gsl_cdf_tdist_Q(most / sqrt(variance), (double)freedom) <= FALL_LEVEL;
}
