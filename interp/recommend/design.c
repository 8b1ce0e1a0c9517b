/* Which points are worth a run. Problems are spread over what they may be (J. H. Halton's sequence, Numerische
 * Mathematik 2, 1960, moved by a random shift), and of each some of its candidates are run, drawn from equal parts
 * of all of them. Then the cases are learnt from, and what comes next is near what is predicted to be the best: of
 * problems that are known and of new ones the candidate of the least prediction, and one of those that may be better
 * still, as far as forecasters differ which have seen different problems. */
#include "interp/recommend/recommend.h"

#include <string.h>

enum {
  ENUMERATED = 100000, /* candidates of a problem that are all looked at */
  SAMPLED = 20000,     /* of more so many */
  FIRST = 6,           /* candidates of a new problem that are run before anything is known */
  ROUNDS = 4,
  ATTEMPTS = 50 /* for each problem that is wanted */
};

/* ---- candidates ---- */

/* Gives the point its places and its number. */
static void point_of(const struct study_plan *plan, const uint64_t *places, struct study_point *point) {
  uint64_t number = 0;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    if (axis->tied) continue;
    point->at[axis->place] = study_axis_at(axis, places[axis->place]);
    number = number * axis->count + places[axis->place];
  }
  point->number = plan->size <= INT64_MAX ? (int64_t)number : STUDY_NO_NUMBER;
}

static uint64_t size_of(const struct study_plan *plan, const bool *chosen) {
  uint64_t size = 1;
  for (uint32_t a = 0; a < plan->axis_count; a++)
    if (chosen[a] && !plan->axes[a].tied)
      size = plan->axes[a].count > UINT64_MAX / size ? UINT64_MAX : size * plan->axes[a].count;
  return size;
}

/* The places of the k-th candidate, or of one that is drawn. */
static void place(struct recommender *r, const bool *chosen, bool drawn, uint64_t k, uint64_t *places) {
  const struct study_plan *plan = r->plan;
  for (uint32_t a = plan->axis_count; a-- > 0;) {
    const struct study_axis *axis = &plan->axes[a];
    if (!chosen[a] || axis->tied) continue;
    places[axis->place] = drawn ? (uint64_t)(recommend_draw(r) * (double)axis->count) : k % axis->count;
    k /= axis->count;
  }
}

static bool is_wanted(struct recommender *r, struct study_point *point) {
  struct handle_catch caught;
  handle_catch(&caught, r->psl);
  study_set(r->plan, point);
  bool wanted = study_wanted(r->plan, &point->undecided) && !point->undecided && study_allowed(r->plan);
  handle_release(&caught);
  return wanted;
}

static bool has_all(const double *x, uint32_t count) {
  bool all = true;
  for (uint32_t f = 0; f < count; f++)
    all &= !isnan(x[f]);
  return all;
}

struct recommend_candidates design_candidates(struct recommender *r, const bool *chosen, const uint64_t *base) {
  struct study_plan *plan = r->plan;
  struct arena *arena = &r->psl->handed;
  uint64_t size = size_of(plan, chosen);
  struct recommend_candidates out = {.sampled = size > ENUMERATED};
  uint64_t count = out.sampled ? SAMPLED : size;
  uint64_t *places = ARENA_ARRAY(arena, uint64_t, plan->free_count + 1);
  struct groups met = {.arena = arena};
  uint32_t capacity = 0, x_capacity = 0, x_count = 0;
  double *x = ARENA_ARRAY(arena, double, r->feature_count + 1);
  out.base = ARENA_ARRAY(arena, uint64_t, plan->free_count + 1);
  memcpy(out.base, base, plan->free_count * sizeof *base);
  memcpy(places, base, plan->free_count * sizeof *base);
  for (uint64_t k = 0; k < count; k++) {
    double at[plan->free_count + 1];
    struct study_point point = {.at = at};
    place(r, chosen, out.sampled, k, places);
    point_of(plan, places, &point);
    uint32_t before = met.count;
    if (out.sampled && groups_find(&met, places, plan->free_count * sizeof *places) < before) continue;
    if (is_wanted(r, &point)) {
      cases_features(r, x);
      if (has_all(x, r->feature_count)) {
        point.at = ARENA_ARRAY(arena, double, plan->free_count + 1);
        memcpy(point.at, at, plan->free_count * sizeof *at);
        ARENA_PUSH(arena, out.points, out.count, capacity, point);
        for (uint32_t f = 0; f < r->feature_count; f++)
          ARENA_PUSH(arena, out.x, x_count, x_capacity, x[f]);
      }
    }
    arena_reset(&r->psl->work);
    if (interrupted(&r->psl->memory)) break;
  }
  return out;
}

/* ---- problems ---- */

struct problems {
  struct recommender *r;
  bool *chosen;
  double *shift;  /* by axis */
  uint64_t drawn; /* so many of the sequence have been looked at */
  bool random;    /* they are drawn, in place of the sequence */
  struct groups met;
  struct recommend_candidates *items;
  uint32_t count, capacity;
};

static const uint32_t primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29,  31,  37,  41,  43,  47,  53,
                                  59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131};
enum { PRIMES = sizeof primes / sizeof *primes };

static double radical_inverse(uint64_t n, uint32_t base) {
  double part = 1.0 / base, sum = 0;
  for (; n; n /= base, part /= base)
    sum += (double)(n % base) * part;
  return sum;
}

static struct problems problems_open(struct recommender *r) {
  struct study_plan *plan = r->plan;
  struct arena *arena = &r->psl->handed;
  struct problems p = {.r = r, .chosen = ARENA_ARRAY(arena, bool, plan->axis_count + 1), .met.arena = arena};
  p.shift = ARENA_ARRAY(arena, double, plan->axis_count + 1);
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    p.chosen[a] = !recommend_is_stated(&plan->axes[a]);
    p.shift[a] = recommend_draw(r);
  }
  return p;
}

static void next_places(struct problems *p, uint64_t *places) {
  const struct study_plan *plan = p->r->plan;
  uint32_t dimension = 0;
  p->drawn++;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    if (axis->tied || p->chosen[a]) continue;
    bool spread = !p->random && axis->count > 1 && dimension < PRIMES;
    double u = spread ? radical_inverse(p->drawn, primes[dimension++]) + p->shift[a] : recommend_draw(p->r);
    places[axis->place] = (uint64_t)((u - floor(u)) * (double)axis->count);
  }
}

/* The next problem that has candidates; NULL: none is found. */
static struct recommend_candidates *next_problem(struct problems *p) {
  struct study_plan *plan = p->r->plan;
  uint64_t *places = ARENA_ARRAY(&p->r->psl->handed, uint64_t, plan->free_count + 1);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    uint32_t before = p->met.count;
    next_places(p, places);
    if (groups_find(&p->met, places, plan->free_count * sizeof *places) < before) continue;
    struct recommend_candidates candidates = design_candidates(p->r, p->chosen, places);
    if (!candidates.count) continue;
    ARENA_PUSH(&p->r->psl->handed, p->items, p->count, p->capacity, candidates);
    return &p->items[p->count - 1];
  }
  return NULL;
}

/* ---- the plan ---- */

struct batch {
  struct arena *arena;
  struct study_point *points;
  uint32_t count, capacity;
};

/* Drawn from equal parts of all of them. */
static void add_spread(struct recommender *r, const struct recommend_candidates *candidates, uint32_t wanted,
                       struct batch *batch) {
  uint32_t count = wanted < candidates->count ? wanted : candidates->count;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t low = (uint32_t)((uint64_t)candidates->count * k / count);
    uint32_t high = (uint32_t)((uint64_t)candidates->count * (k + 1) / count);
    uint32_t place = low + (uint32_t)(recommend_draw(r) * (high - low));
    ARENA_PUSH(batch->arena, batch->points, batch->count, batch->capacity, candidates->points[place]);
  }
}

static bool is_run(const struct recommender *r, const double *at) {
  return groups_has(&r->tried, at, r->plan->free_count * sizeof *at);
}

/* What it may well be: the prediction less twice what forecasters differ by. */
static double hope(const struct recommender *r, const struct recommend_choice *choice) {
  bool relative = forecaster_quality(r->figures[r->goal].forecaster)->relative;
  double spread = 2 * choice->goal.spread;
  if (!isfinite(choice->cost)) return INFINITY;
  return !relative          ? choice->cost - spread
         : choice->cost > 0 ? choice->cost * exp(-spread)
                            : choice->cost * exp(spread);
}

/* The candidate of the least prediction, and those of the greatest hope, that have not run; `wanted` of them. */
static void add_promising(struct recommender *r, const struct recommend_candidates *candidates, uint32_t wanted,
                          struct batch *batch) {
  struct recommend_choice *ranked = choose_rank(r, candidates);
  bool *taken = ARENA_ARRAY(&r->psl->handed, bool, candidates->count);
  for (uint32_t k = 0; k < wanted; k++) {
    const struct recommend_choice *best = NULL;
    for (uint32_t i = 0; i < candidates->count; i++) {
      if (taken[i] || is_run(r, candidates->points[ranked[i].candidate].at)) continue;
      if (best && (!k || hope(r, &ranked[i]) >= hope(r, best))) continue;
      best = &ranked[i];
    }
    if (!best) return;
    taken[best - ranked] = true;
    ARENA_PUSH(batch->arena, batch->points, batch->count, batch->capacity, candidates->points[best->candidate]);
  }
}

static enum psl_code run_batch(struct recommender *r, struct batch *batch) {
  enum psl_code code = cases_run(r, batch->points, batch->count);
  batch->count = 0;
  return code;
}

/* Half for problems that are known, half for new ones. */
static void plan_round(struct problems *p, uint64_t runs, struct batch *batch) {
  uint32_t known = p->count;
  for (uint32_t i = 0; i < known && batch->count < runs / 2; i++)
    add_promising(p->r, &p->items[(p->drawn + i) % known], 1, batch);
  while (batch->count < runs) {
    const struct recommend_candidates *problem = next_problem(p);
    if (!problem) break;
    add_promising(p->r, problem, 2, batch);
  }
  for (uint32_t i = 0; i < known && batch->count < runs; i++) /* where there is no new one */
    add_promising(p->r, &p->items[i], 2, batch);
}

/* The first part, before anything is known. */
static void plan_first(struct problems *p, uint64_t runs, struct batch *batch) {
  while (batch->count < runs) {
    const struct recommend_candidates *problem = next_problem(p);
    if (!problem) break;
    add_spread(p->r, problem, FIRST, batch);
  }
  for (uint32_t i = 0; p->count && batch->count < runs && i < runs; i++)
    add_spread(p->r, &p->items[i % p->count], 1, batch);
}

enum psl_code design_run(struct recommender *r, uint64_t budget) {
  struct problems p = problems_open(r);
  struct batch batch = {.arena = &r->psl->handed};
  uint64_t points = budget / r->plan->repetitions;
  r->asked = r->runs + budget;
  plan_first(&p, points / 2, &batch);
  if (batch.count > points) batch.count = (uint32_t)points;
  uint64_t planned = batch.count;
  enum psl_code code = run_batch(r, &batch);
  for (int round = 0; round < ROUNDS && code == PSL_OK && planned < points; round++) {
    uint64_t share = (points - planned + (uint64_t)(ROUNDS - round) - 1) / (uint64_t)(ROUNDS - round);
    learn_forecasters(r);
    if (!r->figures[r->goal].forecaster) break;
    plan_round(&p, share, &batch);
    if (batch.count > share) batch.count = (uint32_t)share;
    planned += batch.count;
    if (!batch.count) break;
    code = run_batch(r, &batch);
  }
  return code;
}

/* ---- problems that nothing was learnt from ---- */

/* Has a case the problem's places? */
static bool is_learnt(const struct recommender *r, const struct problems *p,
                      const struct recommend_candidates *problem) {
  const struct study_plan *plan = r->plan;
  for (uint32_t c = 0; c < r->cases.count; c++) {
    bool same = true;
    for (uint32_t a = 0; a < plan->axis_count && same; a++)
      if (!plan->axes[a].tied && !p->chosen[a])
        same = r->cases.items[c].at[plan->axes[a].place] == problem->points->at[plan->axes[a].place];
    if (same) return true;
  }
  return false;
}

uint32_t design_unseen(struct recommender *r, uint32_t count, struct recommend_candidates *out) {
  struct problems p = problems_open(r);
  uint32_t found = 0;
  p.random = true;
  for (uint32_t tried = 0; found < count && tried < ATTEMPTS * count; tried++) {
    const struct recommend_candidates *problem = next_problem(&p);
    if (!problem) break;
    if (!is_learnt(r, &p, problem)) out[found++] = *problem;
  }
  return found;
}
