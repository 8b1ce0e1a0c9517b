/* The search for a best point: NLopt's DIRECT to see the whole space, its Subplex from the best places that
 * showed, then steps from point to point that end where no neighbour is better. Called by studies.
 *
 * NLopt moves in a cube of reals; a place on an axis is what a coordinate rounds to. A point that is not
 * allowed is moved to one near it that is. Every value is kept, so that a point which several of the methods
 * come to is computed once. Of points of equal value the first in the order of places counts as better. */
#include "interp/study/search.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

enum {
  LISTED = 1 << 21,     /* in a space of so many points `allowed` is asked of each */
  SCANNED = 1 << 16,    /* so many allowed points are looked through for a near one */
  SAMPLES = 400,        /* else so many are tried at each distance */
  MOST_DIMENSIONS = 64, /* DIRECT divides no more */
  STARTS = 3,           /* from so many places Subplex begins */
  DESCENTS = 20,        /* and at most so many times it is gone step by step */
  UNFIT = 1000,         /* what NLopt is told of a point without value: beyond asinh of all doubles */
};

struct known { /* a point that was evaluated */
  uint64_t *places;
  double value;
};

struct search {
  const struct search_problem *problem;
  struct arena *arena;
  uint32_t dims;
  size_t budget;
  struct known *known; /* in the order of evaluation */
  uint32_t known_count, known_capacity;
  uint32_t *slots; /* open addressing: place in known, plus 1 */
  uint32_t slot_count;
  const struct known *best; /* NULL: none was fit. Stands in `bests`, known may move */
  struct known bests;
  uint64_t *listed; /* allowed points by number, if there are few enough; else NULL */
  size_t listed_count;
  uint64_t *at, *near; /* of the look for a near point */
  bool stopped;        /* evaluate wanted no more */
  /* while NLopt runs: */
  nlopt_opt optimizer;
  size_t limit, idle; /* evaluations after which it ends; calls since the last evaluation */
  double scale, value;
  jmp_buf *outer;
  bool failed;
};

/* ---- places and coordinates ---- */

uint64_t search_size(const struct search_axis *axes, uint32_t axis_count) {
  uint64_t size = 1;
  for (uint32_t k = 0; k < axis_count; k++)
    if (__builtin_mul_overflow(size, axes[k].count, &size)) return UINT64_MAX;
  return size;
}

/* 0 .. 1 */
static double coordinate_of(const struct search_axis *axis, uint64_t place) {
  if (axis->count < 2) return 0.5;
  double part = (double)place / (double)(axis->count - 1);
  return axis->scale == SEARCH_RATIO ? log1p(part * (axis->ratio - 1)) / log(axis->ratio) : part;
}

static uint64_t place_of(const struct search_axis *axis, double coordinate) {
  double x = coordinate < 0 ? 0 : coordinate > 1 ? 1 : coordinate, last = (double)(axis->count - 1);
  if (axis->scale == SEARCH_RATIO) return (uint64_t)(last * (pow(axis->ratio, x) - 1) / (axis->ratio - 1) + 0.5);
  uint64_t place = (uint64_t)(x * (double)axis->count); /* each place has its share of the cube */
  return place < axis->count ? place : axis->count - 1;
}

static void places_of_number(const struct search *s, uint64_t number, uint64_t *places) {
  for (uint32_t k = s->dims; k-- > 0;) {
    places[k] = number % s->problem->axes[k].count;
    number /= s->problem->axes[k].count;
  }
}

static bool is_allowed(const struct search *s, const uint64_t *places) {
  return !s->problem->allowed || s->problem->allowed(s->problem->user, places);
}

static int places_order(const struct search *s, const uint64_t *a, const uint64_t *b) {
  for (uint32_t k = 0; k < s->dims; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

static double distance(const struct search *s, const uint64_t *a, const uint64_t *b) {
  double sum = 0;
  for (uint32_t k = 0; k < s->dims; k++) {
    const struct search_axis *axis = &s->problem->axes[k];
    double apart = axis->scale == SEARCH_NAMES ? a[k] != b[k] : coordinate_of(axis, a[k]) - coordinate_of(axis, b[k]);
    sum += apart * apart;
  }
  return sum;
}

/* ---- what is known ---- */

static uint32_t *slot_of(const struct search *s, const uint64_t *places) {
  uint64_t hash = 0;
  for (uint32_t k = 0; k < s->dims; k++)
    hash = (hash ^ places[k]) * UINT64_C(0x9e3779b97f4a7c15) + k;
  uint32_t at = (uint32_t)(hash >> 32) & (s->slot_count - 1);
  while (s->slots[at] && places_order(s, s->known[s->slots[at] - 1].places, places))
    at = (at + 1) & (s->slot_count - 1);
  return &s->slots[at];
}

static const struct known *find_known(const struct search *s, const uint64_t *places) {
  uint32_t slot = *slot_of(s, places);
  return slot ? &s->known[slot - 1] : NULL;
}

static bool is_better(const struct search *s, const struct known *a, const struct known *b) {
  if (isnan(a->value)) return false;
  if (!b || isnan(b->value)) return true;
  return a->value < b->value || (a->value == b->value && places_order(s, a->places, b->places) < 0);
}

static void grow_slots(struct search *s) {
  s->slot_count = s->slot_count ? s->slot_count * 2 : 1024;
  s->slots = ARENA_ARRAY(s->arena, uint32_t, s->slot_count);
  for (uint32_t i = 0; i < s->known_count; i++)
    *slot_of(s, s->known[i].places) = i + 1;
}

static void learn(struct search *s, const uint64_t *places, double value) {
  struct known known = {ARENA_ARRAY(s->arena, uint64_t, s->dims), value};
  memcpy(known.places, places, s->dims * sizeof *places);
  if (s->known_count * 2 >= s->slot_count) grow_slots(s);
  uint32_t *slot = slot_of(s, places);
  ARENA_PUSH(s->arena, s->known, s->known_count, s->known_capacity, known);
  *slot = s->known_count;
  if (!is_better(s, &known, s->best)) return;
  s->bests = known;
  s->best = &s->bests;
}

/* Evaluates those of the points that are new, as many as may be. */
static void evaluate(struct search *s, uint64_t *const *points, size_t count) {
  const uint64_t **fresh = ARENA_ARRAY(s->arena, const uint64_t *, count);
  size_t fresh_count = 0;
  for (size_t i = 0; i < count && s->known_count + fresh_count < s->budget && !s->stopped; i++) {
    bool seen = find_known(s, points[i]) != NULL;
    for (size_t j = 0; j < fresh_count && !seen; j++)
      seen = !places_order(s, fresh[j], points[i]);
    if (!seen) fresh[fresh_count++] = points[i];
  }
  if (!fresh_count) return;
  double *values = ARENA_ARRAY(s->arena, double, fresh_count);
  for (size_t i = 0; i < fresh_count; i++)
    values[i] = NAN;
  s->stopped = !s->problem->evaluate(s->problem->user, fresh, fresh_count, values);
  for (size_t i = 0; i < fresh_count && !s->stopped; i++)
    learn(s, fresh[i], values[i]);
}

static bool is_spent(const struct search *s) { return s->stopped || s->known_count >= s->budget; }

/* ---- points near a place ---- */

static void list_allowed(struct search *s) {
  uint64_t size = search_size(s->problem->axes, s->dims), *places = ARENA_ARRAY(s->arena, uint64_t, s->dims);
  size_t capacity = 0;
  if (size > (s->problem->allowed ? LISTED : s->budget)) return;
  for (uint64_t number = 0; number < size; number++) {
    places_of_number(s, number, places);
    if (is_allowed(s, places)) {
      ARENA_PUSH(s->arena, s->listed, s->listed_count, capacity, number);
    }
  }
  if (!s->listed) s->listed = ARENA_ARRAY(s->arena, uint64_t, 1);
}

/* A side of the point: places of one axis from `from` on, up or down. */
struct side {
  uint32_t axis;
  int direction; /* 0: all around */
  uint64_t from;
};

static bool on_side(const struct side *side, const uint64_t *places) {
  return side->direction == 0 ||
         (side->direction > 0 ? places[side->axis] >= side->from : places[side->axis] <= side->from);
}

static bool near_listed(const struct search *s, uint64_t *places, const struct side *side) {
  double least = INFINITY;
  for (size_t i = 0; i < s->listed_count; i++) {
    places_of_number(s, s->listed[i], s->at);
    double apart = on_side(side, s->at) ? distance(s, s->at, places) : INFINITY;
    if (apart >= least) continue;
    least = apart;
    memcpy(s->near, s->at, s->dims * sizeof *s->at);
  }
  if (least == INFINITY) return false;
  memcpy(places, s->near, s->dims * sizeof *places);
  return true;
}

static uint64_t mix(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Tries at random, farther and farther away. */
static bool near_sampled(const struct search *s, uint64_t *places, const struct side *side) {
  uint64_t state = s->problem->seed, *at = s->at;
  double least = INFINITY;
  for (uint32_t k = 0; k < s->dims; k++)
    state = state * 31 + places[k];
  for (double reach = 1e-9; reach < 4 && least == INFINITY; reach *= 2)
    for (int try = 0; try < SAMPLES; try++) {
      for (uint32_t k = 0; k < s->dims; k++) {
        uint64_t last = s->problem->axes[k].count - 1;
        uint64_t width = (uint64_t)((double)last * (reach < 1 ? reach : 1)) + 1;
        uint64_t low = places[k] > width ? places[k] - width : 0;
        uint64_t high = last - places[k] > width ? places[k] + width : last;
        at[k] = low + mix(&state) % (high - low + 1);
      }
      double apart = on_side(side, at) && is_allowed(s, at) ? distance(s, at, places) : INFINITY;
      if (apart >= least) continue;
      least = apart;
      memcpy(s->near, at, s->dims * sizeof *at);
    }
  if (least == INFINITY) return false;
  memcpy(places, s->near, s->dims * sizeof *places);
  return true;
}

/* Moves the point to an allowed one on that side; false: none was found. */
static bool snap(const struct search *s, uint64_t *places, const struct side *side) {
  if (on_side(side, places) && is_allowed(s, places)) return true;
  return s->listed && s->listed_count <= SCANNED ? near_listed(s, places, side) : near_sampled(s, places, side);
}

/* ---- NLopt ---- */

/* Logarithms, but for what is about 0: a space's worst points must not hide what its best are like. */
static double squeeze(const struct search *s, double value) { return asinh(value / s->scale); }

static double ask(struct search *s, const double *x) {
  uint64_t *places = ARENA_ARRAY(s->arena, uint64_t, s->dims);
  for (uint32_t k = 0; k < s->dims; k++)
    places[k] = place_of(&s->problem->axes[k], x[k]);
  if (!snap(s, places, &(struct side){0})) return UNFIT;
  const struct known *known = find_known(s, places);
  s->idle = known ? s->idle + 1 : 0;
  if (!known) evaluate(s, &places, 1);
  known = find_known(s, places);
  if (!known || isnan(known->value)) return UNFIT;
  if (s->scale == 0) s->scale = known->value == 0 ? 1 : fabs(known->value);
  return squeeze(s, known->value);
}

/* An allocation that fails must not jump over NLopt's frames: what it holds would be left behind. */
static double ask_guarded(unsigned count, const double *x, double *gradient, void *user) {
  struct search *s = user;
  (void)count;
  (void)gradient;
  jmp_buf guard;
  s->value = UNFIT;
  if (setjmp(guard)) {
    s->failed = true;
  } else {
    s->arena->memory->guard = &guard;
    s->value = ask(s, x);
  }
  s->arena->memory->guard = s->outer;
  if (s->failed || is_spent(s) || s->known_count >= s->limit || s->idle > 100 + s->limit)
    nlopt_force_stop(s->optimizer);
  return s->value;
}

/* Lets a method of NLopt spend `share` evaluations, from `x` on. */
static void optimize(struct search *s, nlopt_algorithm algorithm, double *x, double step, size_t share) {
  double value;
  if (is_spent(s) || s->dims > MOST_DIMENSIONS || !(s->optimizer = nlopt_create(algorithm, s->dims))) return;
  s->limit = s->known_count + share < s->budget ? s->known_count + share : s->budget;
  s->idle = 0;
  s->failed = false;
  s->outer = s->arena->memory->guard;
  nlopt_srand((unsigned long)s->problem->seed);
  nlopt_set_min_objective(s->optimizer, ask_guarded, s);
  nlopt_set_lower_bounds1(s->optimizer, 0);
  nlopt_set_upper_bounds1(s->optimizer, 1);
  nlopt_set_initial_step1(s->optimizer, step);
  nlopt_set_xtol_abs1(s->optimizer, 1e-7);
  nlopt_set_maxeval(s->optimizer, (int)(20 * (share < 1000000 ? share : 1000000)));
  nlopt_optimize(s->optimizer, x, &value);
  nlopt_destroy(s->optimizer);
  s->optimizer = NULL;
  if (s->failed && s->outer) longjmp(*s->outer, 1);
}

static void optimize_from(struct search *s, const uint64_t *places, size_t share) {
  double *x = ARENA_ARRAY(s->arena, double, s->dims);
  for (uint32_t k = 0; k < s->dims; k++)
    x[k] = coordinate_of(&s->problem->axes[k], places[k]);
  optimize(s, NLOPT_LN_SBPLX, x, 0.1, share);
}

/* ---- steps ---- */

/* Where steps of that width from the point lead to: along each axis, both ways, and along two axes at once.
 */
static size_t steps_from(struct search *s, const uint64_t *from, const uint64_t *width, bool diagonal,
                         uint64_t ***out) {
  size_t count = 0, capacity = 0;
  *out = NULL;
  for (uint32_t k = 0; k < s->dims; k++) {
    const struct search_axis *axis = &s->problem->axes[k];
    uint64_t ways = axis->scale == SEARCH_NAMES ? axis->count : 2;
    for (uint64_t w = 0; w < ways; w++) {
      uint64_t *to = ARENA_ARRAY(s->arena, uint64_t, s->dims);
      memcpy(to, from, s->dims * sizeof *to);
      struct side side = {k, w ? 1 : -1, 0};
      if (axis->scale == SEARCH_NAMES) {
        to[k] = w;
        if (w == from[k] || !is_allowed(s, to)) continue;
      } else {
        if (w ? axis->count - 1 - from[k] < width[k] : from[k] < width[k]) continue;
        to[k] = side.from = w ? from[k] + width[k] : from[k] - width[k];
        if (!snap(s, to, &side)) continue;
      }
      ARENA_PUSH(s->arena, *out, count, capacity, to);
    }
  }
  size_t straight = count;
  for (size_t a = 0; diagonal && a < straight; a++)
    for (size_t b = a + 1; b < straight; b++) {
      uint64_t *to = ARENA_ARRAY(s->arena, uint64_t, s->dims);
      bool both = true;
      for (uint32_t k = 0; k < s->dims; k++) {
        both &= (*out)[a][k] == from[k] || (*out)[b][k] == from[k];
        to[k] = (*out)[a][k] != from[k] ? (*out)[a][k] : (*out)[b][k];
      }
      if (both && is_allowed(s, to)) ARENA_PUSH(s->arena, *out, count, capacity, to);
    }
  return count;
}

static bool widths_halve(const struct search *s, uint64_t *width) {
  bool any = false;
  for (uint32_t k = 0; k < s->dims; k++) {
    any |= width[k] > 1;
    width[k] = width[k] > 1 ? width[k] / 2 : 1;
  }
  return any;
}

/* Steps to the best of the places around, wide ones first, and says where that ended. True: none of the
 * neighbours there is better. */
static bool descend(struct search *s, const uint64_t *start, uint64_t divisor, const uint64_t **end) {
  uint64_t *width = ARENA_ARRAY(s->arena, uint64_t, s->dims), **around;
  struct known at = *find_known(s, start);
  for (uint32_t k = 0; k < s->dims; k++)
    width[k] = 1 + s->problem->axes[k].count / divisor;
  bool diagonal = false;
  *end = start;
  while (!is_spent(s)) {
    struct known best = at;
    *end = at.places;
    size_t count = steps_from(s, at.places, width, diagonal, &around);
    evaluate(s, around, count);
    for (size_t i = 0; i < count; i++) {
      const struct known *known = find_known(s, around[i]);
      if (known && is_better(s, known, &best)) best = *known;
    }
    if (best.places != at.places) {
      at = best;
      continue;
    }
    if (is_spent(s)) break;
    if (widths_halve(s, width)) continue;
    if (diagonal) return true;
    diagonal = true;
  }
  return false;
}

/* ---- the whole ---- */

/* The best known point that is not near one of those where a search has begun or ended; NULL: none. */
static const uint64_t *next_start(const struct search *s, const uint64_t *const *tried, size_t count) {
  const struct known *best = NULL;
  for (uint32_t i = 0; i < s->known_count; i++) {
    bool near = false;
    for (size_t t = 0; t < count; t++)
      near |= distance(s, s->known[i].places, tried[t]) < 0.01;
    if (!near && is_better(s, &s->known[i], best)) best = &s->known[i];
  }
  return best ? best->places : NULL;
}

static void search_everything(struct search *s) {
  uint64_t **points = ARENA_ARRAY(s->arena, uint64_t *, s->listed_count);
  for (size_t i = 0; i < s->listed_count; i++) {
    points[i] = ARENA_ARRAY(s->arena, uint64_t, s->dims);
    places_of_number(s, s->listed[i], points[i]);
  }
  evaluate(s, points, s->listed_count);
}

/* At random, where nothing showed yet that is fit. */
static void try_anything(struct search *s) {
  uint64_t state = s->problem->seed, *places = ARENA_ARRAY(s->arena, uint64_t, s->dims);
  for (size_t tries = 20 * s->budget; tries-- > 0 && !s->best && !is_spent(s);) {
    for (uint32_t k = 0; k < s->dims; k++)
      places[k] = mix(&state) % s->problem->axes[k].count;
    if (snap(s, places, &(struct side){0})) evaluate(s, &places, 1);
  }
}

/* True: none of the best point's neighbours is better. */
static bool search_space(struct search *s) {
  const uint64_t *tried[STARTS + 2 * DESCENTS];
  double *x = ARENA_ARRAY(s->arena, double, s->dims);
  size_t count = 0;
  for (uint32_t k = 0; k < s->dims; k++)
    x[k] = 0.5;
  optimize(s, NLOPT_GN_DIRECT_L, x, 0, s->budget * 2 / 5);
  try_anything(s);
  for (; count < STARTS && !is_spent(s); count++) {
    if (!(tried[count] = next_start(s, tried, count))) break;
    optimize_from(s, tried[count], (s->budget - s->known_count) / (STARTS + 1 - count));
  }
  const uint64_t *settled = NULL;
  count = 0;
  for (size_t t = 0; t < DESCENTS && !is_spent(s); t++) {
    const uint64_t *start = t ? next_start(s, tried, count) : s->best ? s->bests.places : NULL, *end;
    if (!start) break;
    bool done = descend(s, start, t ? 16 : 64, &end);
    if (done && end == s->bests.places) settled = end;
    tried[count++] = start;
    tried[count++] = end;
  }
  return settled && settled == s->bests.places;
}

struct search_result search_minimize(struct arena *arena, const struct search_problem *problem) {
  struct search s = {.problem = problem, .arena = arena, .dims = problem->axis_count};
  struct search_result result = {.value = NAN};
  s.budget = problem->evaluations ? problem->evaluations : SEARCH_EVALUATIONS;
  s.at = ARENA_ARRAY(arena, uint64_t, s.dims);
  s.near = ARENA_ARRAY(arena, uint64_t, s.dims);
  grow_slots(&s);
  list_allowed(&s);
  result.all = s.listed && s.listed_count <= s.budget;
  if (result.all)
    search_everything(&s);
  else
    result.neighbours = search_space(&s);
  result.all &= !s.stopped;
  result.method = result.all ? "all points" : "DIRECT-L, Subplex (NLopt), then neighbours";
  result.interrupted = s.stopped;
  result.evaluations = s.known_count;
  if (!s.best) return result;
  result.places = s.bests.places;
  result.value = s.bests.value;
  return result;
}
