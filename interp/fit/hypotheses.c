/* Least squares of many hypotheses that have most of their terms in common: those are made orthogonal once, and each
 * further term then costs a few products a point. Called by the search of normal forms and by its test of terms. */
#include "interp/fit/hypotheses.h"

#include <math.h>
#include <string.h>

enum { VECTORS = HYPOTHESIS_TERMS + 1 };
/* A column counts as made of others when so little of its square is not. */
#define DEPENDENT 1e-20

struct trials {
  const struct candidates *candidates;
  double *root;    /* by point: of the weight */
  double *y;       /* weighted, as all that follows */
  double *columns; /* by candidate and point */
  double *squares; /* by candidate: the square of its column's length, */
  double *flat;    /* and the product with the constant's, of length 1 */
  double *vector;  /* by point: of the term in hand */
  struct base *plain, *bare;
};
struct base { /* terms that are made orthogonal, columns = vectors r */
  uint32_t count, places[HYPOTHESIS_TERMS], vectors;
  bool constant;                                   /* the first vector is its */
  double *q;                                       /* by vector and point */
  double *rest;                                    /* of the response */
  double rss, r[VECTORS][VECTORS], along[VECTORS]; /* `along`: the response, along each vector */
};

/* Four sums, which do not wait for each other. */
static double dot(const double *a, const double *b, size_t count) {
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    sum0 += a[i] * b[i];
    sum1 += a[i + 1] * b[i + 1];
    sum2 += a[i + 2] * b[i + 2];
    sum3 += a[i + 3] * b[i + 3];
  }
  for (; i < count; i++)
    sum0 += a[i] * b[i];
  return (sum0 + sum1) + (sum2 + sum3);
}

static struct base *base_new(struct arena *arena, uint32_t points) {
  struct base *base = ARENA_NEW(arena, struct base);
  base->q = ARENA_ARRAY(arena, double, (size_t)VECTORS *points);
  base->rest = ARENA_ARRAY(arena, double, points);
  return base;
}

struct trials *trials_open(struct arena *arena, const struct candidates *c) {
  struct trials *t = ARENA_NEW(arena, struct trials);
  t->candidates = c;
  t->root = ARENA_ARRAY(arena, double, c->points);
  t->y = ARENA_ARRAY(arena, double, c->points);
  t->columns = ARENA_ARRAY(arena, double, (size_t)c->count * c->points);
  t->squares = ARENA_ARRAY(arena, double, c->count);
  t->flat = ARENA_ARRAY(arena, double, c->count);
  t->vector = ARENA_ARRAY(arena, double, c->points);
  t->plain = base_new(arena, c->points);
  t->bare = base_new(arena, c->points);
  return t;
}

void trials_respond(struct trials *t, const double *y, const double *weight) {
  const struct candidates *c = t->candidates;
  for (uint32_t i = 0; i < c->points; i++) {
    t->root[i] = sqrt(weight[i]);
    t->y[i] = y[i] * t->root[i];
  }
  double length = sqrt(dot(t->root, t->root, c->points));
  for (uint32_t k = 0; k < c->count; k++) {
    double *column = t->columns + (size_t)k * c->points;
    for (uint32_t i = 0; i < c->points; i++)
      column[i] = c->values[(size_t)k * c->points + i] * t->root[i];
    t->squares[k] = dot(column, column, c->points);
    t->flat[k] = dot(column, t->root, c->points) / length;
  }
}

/* ---- orthogonal terms ---- */

/* What of a column is not along the vectors, into t->vector; its length, or 0 where it is made of them. */
static double part_across(struct trials *t, const struct base *base, const double *column, double *along) {
  uint32_t points = t->candidates->points;
  memcpy(t->vector, column, points * sizeof *column);
  for (uint32_t k = 0; k < base->vectors; k++) {
    const double *q = base->q + (size_t)k * points;
    along[k] = dot(q, t->vector, points);
    for (uint32_t i = 0; i < points; i++)
      t->vector[i] -= along[k] * q[i];
  }
  double square = dot(t->vector, t->vector, points);
  return square > DEPENDENT * dot(column, column, points) && isfinite(square) ? sqrt(square) : 0;
}

static bool base_add(struct trials *t, struct base *base, const double *column) {
  uint32_t points = t->candidates->points, k = base->vectors;
  double along[VECTORS], length = part_across(t, base, column, along), *q = base->q + (size_t)k * points;
  if (length == 0) return false;
  for (uint32_t i = 0; i < points; i++)
    q[i] = t->vector[i] / length;
  for (uint32_t j = 0; j < k; j++)
    base->r[j][k] = along[j];
  base->r[k][k] = length;
  base->along[k] = dot(q, base->rest, points);
  for (uint32_t i = 0; i < points; i++)
    base->rest[i] -= base->along[k] * q[i];
  base->rss = dot(base->rest, base->rest, points);
  base->vectors++;
  return true;
}

static bool base_make(struct trials *t, struct base *base, bool constant, const uint32_t *places, uint32_t count) {
  uint32_t points = t->candidates->points;
  base->constant = constant;
  base->vectors = 0;
  base->count = count;
  if (count) memcpy(base->places, places, count * sizeof *places);
  memcpy(base->rest, t->y, points * sizeof *t->y);
  base->rss = dot(t->y, t->y, points);
  bool fine = !constant || base_add(t, base, t->root);
  for (uint32_t k = 0; fine && k < count; k++)
    fine = base_add(t, base, t->columns + (size_t)places[k] * points);
  return fine;
}

/* ---- hypotheses ---- */

/* The coefficients from the triangle; false: one of a term is below 0, or nothing. */
static bool coefficients_of(const struct base *base, bool positive, struct hypothesis *h) {
  double x[VECTORS];
  for (uint32_t k = base->vectors; k-- > 0;) {
    x[k] = base->along[k];
    for (uint32_t j = k + 1; j < base->vectors; j++)
      x[k] -= base->r[k][j] * x[j];
    x[k] /= base->r[k][k];
    if (!isfinite(x[k]) || (positive && x[k] <= 0 && k >= (uint32_t)base->constant)) return false;
  }
  h->bare = !base->constant;
  h->constant = base->constant ? x[0] : 0;
  memcpy(h->coefficients, x + base->constant, h->count * sizeof *x);
  return true;
}

static bool same_terms(const struct hypothesis *a, const struct hypothesis *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    bool found = false;
    for (uint32_t k = 0; k < b->count; k++)
      found |= a->places[i] == b->places[k];
    if (!found) return false;
  }
  return true;
}

static void keep(struct ranking *ranking, const struct hypothesis *h) {
  uint32_t at = ranking->count;
  while (at && h->rss < ranking->best[at - 1].rss * (1 - 1e-12))
    at--;
  for (uint32_t k = at; k-- > 0 && ranking->best[k].rss >= h->rss * (1 - 1e-9);)
    if (same_terms(h, &ranking->best[k])) return;
  if (at >= ranking->capacity) return;
  uint32_t moved = ranking->count < ranking->capacity ? ranking->count++ : ranking->count - 1;
  memmove(&ranking->best[at + 1], &ranking->best[at], (moved - at) * sizeof *h);
  ranking->best[at] = *h;
}

/* The hypothesis without its constant. */
static void try_bare(struct trials *t, struct hypothesis *h, struct ranking *out) {
  if (!base_make(t, t->bare, false, h->places, h->count) || !coefficients_of(t->bare, true, h)) return;
  h->rss = t->bare->rss;
  keep(out, h);
}

/* Could the ranking want the base, which has the constant, with one more column? Told by products alone, so with a
 * margin for their rounding. */
static bool is_promising(const struct trials *t, const struct base *base, uint32_t place, const struct ranking *out) {
  uint32_t points = t->candidates->points;
  const double *column = t->columns + (size_t)place * points;
  double part = dot(column, base->rest, points), across = t->squares[place] - t->flat[place] * t->flat[place];
  if (t->candidates->positive && part < 0 && part * part > 1e-12 * t->squares[place] * base->rss) return false;
  if (out->count < out->capacity) return true;
  for (uint32_t k = 1; k < base->vectors; k++) {
    double along = dot(base->q + (size_t)k * points, column, points);
    across -= along * along;
  }
  if (across < 1e-6 * t->squares[place]) return true;
  return base->rss - part * part / across <= out->best[out->count - 1].rss + 1e-6 * base->rss;
}

/* The terms of the base and one more. */
static void try_term(struct trials *t, const struct base *base, uint32_t place, struct ranking *out) {
  uint32_t points = t->candidates->points, last = base->vectors;
  struct base longer;
  double along[VECTORS], length;
  out->tried++;
  if (last >= points || !is_promising(t, base, place, out)) return;
  if ((length = part_across(t, base, t->columns + (size_t)place * points, along)) == 0) return;
  double part = dot(t->vector, base->rest, points) / length;
  memcpy(longer.r, base->r, sizeof longer.r);
  memcpy(longer.along, base->along, sizeof longer.along);
  longer.vectors = last + 1;
  longer.constant = true;
  for (uint32_t k = 0; k < last; k++)
    longer.r[k][last] = along[k];
  longer.r[last][last] = length;
  longer.along[last] = part;
  struct hypothesis h = {.count = base->count + 1};
  memcpy(h.places, base->places, base->count * sizeof *h.places);
  h.places[base->count] = place;
  if (!coefficients_of(&longer, t->candidates->positive, &h)) return;
  if (t->candidates->positive && h.constant < 0) {
    try_bare(t, &h, out);
    return;
  }
  for (uint32_t i = 0; i < points; i++) {
    double left = base->rest[i] - part / length * t->vector[i];
    h.rss += left * left;
  }
  keep(out, &h);
}

static bool ended(const struct trials *t) {
  interrupt_look(t->candidates->memory);
  return interrupted(t->candidates->memory);
}

static bool is_basis(const struct candidates *c, uint32_t place) { return place < c->plain || c->only[place] >= 0; }

static void rank_all_pairs(struct trials *t, struct ranking *out) {
  for (uint32_t a = 0; a < t->candidates->count && !ended(t); a++) {
    if (!base_make(t, t->plain, true, &a, 1)) continue;
    for (uint32_t b = a + 1; b < t->candidates->count; b++)
      try_term(t, t->plain, b, out);
  }
}

/* A term of one parameter, or a plain one, and any other. */
static void rank_sums(struct trials *t, struct ranking *out) {
  const struct candidates *c = t->candidates;
  for (uint32_t a = 0; a < c->count && !ended(t); a++) {
    if (!is_basis(c, a) || !base_make(t, t->plain, true, &a, 1)) continue;
    for (uint32_t b = 0; b < c->count; b++)
      if (b > a || !is_basis(c, b)) try_term(t, t->plain, b, out);
  }
}

/* So many terms and each further one. */
static void extend(struct trials *t, const uint32_t *places, uint32_t count, struct ranking *out) {
  if (ended(t) || !base_make(t, t->plain, true, places, count)) return;
  for (uint32_t place = 0; place < t->candidates->count; place++) {
    bool again = false;
    for (uint32_t k = 0; k < count; k++)
      again |= places[k] == place;
    if (!again) try_term(t, t->plain, place, out);
  }
}

static void rank_longer(struct trials *t, const struct ranking *fewer, struct ranking *out) {
  for (uint32_t f = 0; f < fewer->count && f < t->candidates->beam; f++)
    extend(t, fewer->best[f].places, fewer->best[f].count, out);
}

/* Sequential replacement: in the place of each term of the best whichever does best beside the others, until none does
 * better (A. Miller: Subset selection in regression, 2nd edition, 2002, 3.4). */
static void rank_replaced(struct trials *t, struct ranking *out) {
  double before = INFINITY;
  while (out->count && out->best[0].rss < before * (1 - 1e-9) && !ended(t)) {
    const struct hypothesis h = out->best[0];
    before = h.rss;
    for (uint32_t k = 0; k < h.count; k++) {
      uint32_t others[HYPOTHESIS_TERMS], count = 0;
      for (uint32_t j = 0; j < h.count; j++)
        if (j != k) others[count++] = h.places[j];
      extend(t, others, count, out);
    }
  }
}

struct ranking ranking_open(struct arena *arena, uint32_t capacity) {
  return (struct ranking){.best = ARENA_ARRAY(arena, struct hypothesis, capacity), .capacity = capacity};
}

void trials_rank(struct trials *t, uint32_t terms, const struct ranking *fewer, struct ranking *out) {
  out->count = 0;
  out->tried = 0;
  if (terms == 0) {
    struct hypothesis h = {.count = 0};
    out->tried = 1;
    if (base_make(t, t->plain, true, NULL, 0) && coefficients_of(t->plain, false, &h)) {
      h.rss = t->plain->rss;
      keep(out, &h);
    }
  } else if (terms == 1) {
    if (!base_make(t, t->plain, true, NULL, 0)) return;
    for (uint32_t place = 0; place < t->candidates->count && !ended(t); place++)
      try_term(t, t->plain, place, out);
  } else if (terms == 2 && t->candidates->parameters == 1) {
    rank_all_pairs(t, out);
  } else {
    if (terms == 2) rank_sums(t, out);
    rank_longer(t, fewer, out);
    rank_replaced(t, out);
  }
}

double hypothesis_value(const struct hypothesis *h, const double *values) {
  double value = h->constant;
  for (uint32_t k = 0; k < h->count; k++)
    value += h->coefficients[k] * values[h->places[k]];
  return value;
}
