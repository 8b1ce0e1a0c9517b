/* Making symbolic expressions in their one spelling: like terms are collected, products multiplied out, and what
 * can be decided for all values that names may have is.  Called by all of this folder. */
#include "interp/derive/algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- those that are there ---- */

static uint64_t mixed(uint64_t hash, uint64_t with) {
  hash = (hash ^ with) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static uint64_t number_hash(struct number number) {
  uint64_t bits;
  memcpy(&bits, &number.real, sizeof bits);
  return number.exact ? mixed((uint64_t)number.above, (uint64_t)number.below) : bits;
}

static bool number_equal(struct number a, struct number b) {
  return a.exact == b.exact && (a.exact ? a.above == b.above && a.below == b.below : a.real == b.real);
}

static bool same_factors(const struct poly_term *a, const struct poly_term *b) {
  return a->count == b->count && (!a->count || !memcmp(a->factors, b->factors, a->count * sizeof *a->factors));
}

/* Units and then names come first, in the order of their making. */
static int atom_order(const struct atom *a, const struct atom *b) {
  int left = a->kind > ATOM_NAME ? 2 : (int)a->kind, right = b->kind > ATOM_NAME ? 2 : (int)b->kind;
  if (left != right) return left - right;
  return (a->id > b->id) - (a->id < b->id);
}

static int factors_order(const struct poly_term *a, const struct poly_term *b) {
  for (uint32_t k = 0; k < a->count && k < b->count; k++) {
    int order = atom_order(a->factors[k].atom, b->factors[k].atom);
    if (order) return order;
    int64_t more = b->factors[k].power - a->factors[k].power;
    if (more) return more > 0 ? 1 : -1;
  }
  return (a->count < b->count) - (a->count > b->count); /* a constant stands last */
}

static int term_order(const void *a, const void *b) { return factors_order(a, b); }

/* The terms, in whatever order, like ones among them; they are sorted in place. */
static const struct poly *poly_of(struct algebra *al, struct poly_term *terms, uint32_t count) {
  uint32_t kept = 0;
  if (count > 1) qsort(terms, count, sizeof *terms, term_order);
  for (uint32_t k = 0; k < count; k++) {
    if (kept && same_factors(&terms[kept - 1], &terms[k]))
      terms[kept - 1].by = number_plus(terms[kept - 1].by, terms[k].by);
    else
      terms[kept++] = terms[k];
    if (number_is(terms[kept - 1].by, 0)) kept--;
  }
  if (kept > ALGEBRA_TERMS) {
    al->too_large = true;
    kept = 1;
  }
  uint64_t hash = kept;
  for (uint32_t k = 0; k < kept; k++) {
    hash = mixed(hash, number_hash(terms[k].by));
    for (uint32_t f = 0; f < terms[k].count; f++)
      hash = mixed(hash, (uint64_t)terms[k].factors[f].atom->id << 8 ^ (uint64_t)terms[k].factors[f].power);
  }
  struct poly **bucket = &al->polys[hash % ALGEBRA_BUCKETS];
  for (struct poly *poly = *bucket; poly; poly = poly->next) {
    bool same = poly->count == kept;
    for (uint32_t k = 0; k < kept && same; k++)
      same = number_equal(poly->terms[k].by, terms[k].by) && same_factors(&poly->terms[k], &terms[k]);
    if (same) return poly;
  }
  struct poly *poly = ARENA_NEW(al->arena, struct poly);
  struct poly_term *own = ARENA_ARRAY(al->arena, struct poly_term, kept ? kept : 1);
  if (kept) memcpy(own, terms, kept * sizeof *own);
  *poly = (struct poly){.id = ++al->poly_count, .count = kept, .terms = own, .next = *bucket};
  return *bucket = poly;
}

static const struct atom *atom_of(struct algebra *al, const struct atom *like) {
  uint64_t hash = mixed((uint64_t)like->kind, (uintptr_t)like->of);
  for (uint32_t k = 0; k < like->arg_count; k++)
    hash = mixed(hash, like->args[k]->id);
  hash = mixed(hash, like->variable ? like->variable->id : like->unit);
  struct atom **bucket = &al->atoms[hash % ALGEBRA_BUCKETS];
  for (struct atom *atom = *bucket; atom; atom = atom->next) {
    bool same = atom->kind == like->kind && atom->of == like->of && atom->unit == like->unit &&
                atom->variable == like->variable && atom->arg_count == like->arg_count &&
                !memcmp(atom->args, like->args, sizeof atom->args);
    if (same && like->kind == ATOM_NAME) same = like->of;
    if (same && like->kind == ATOM_FUNCTION) same = !strcmp(atom->name, like->name);
    if (same) return atom;
  }
  struct atom *atom = ARENA_NEW(al->arena, struct atom);
  *atom = *like;
  atom->id = ++al->atom_count;
  atom->next = *bucket;
  return *bucket = atom;
}

void algebra_open(struct algebra *al, struct arena *arena, const struct types *types) {
  *al = (struct algebra){.arena = arena, .types = types};
  al->zero = poly_of(al, NULL, 0);
  al->one = poly_whole(al, 1);
}

/* ---- the simplest ---- */

const struct poly *poly_number(struct algebra *al, struct number number) {
  struct poly_term term = {.by = number};
  return poly_of(al, &term, !number_is(number, 0));
}

const struct poly *poly_whole(struct algebra *al, int64_t value) { return poly_number(al, number_whole(value)); }

static const struct poly *powered(struct algebra *al, const struct atom *atom, int64_t power) {
  struct poly_factor *factor = ARENA_NEW(al->arena, struct poly_factor);
  *factor = (struct poly_factor){atom, power};
  struct poly_term term = {.by = number_whole(1), .count = 1, .factors = factor};
  return poly_of(al, &term, 1);
}

const struct poly *poly_atom(struct algebra *al, const struct atom *atom) { return powered(al, atom, 1); }

const struct poly *poly_unit(struct algebra *al, struct dimension dimension) {
  const struct poly *result = al->one;
  for (uint32_t k = 0; k < DIMENSION_MAX; k++) {
    struct atom unit = {.kind = ATOM_UNIT, .unit = k, .low = 1, .high = 1};
    unit.dimension.power[k] = 1;
    if (dimension.power[k]) result = poly_times(al, result, powered(al, atom_of(al, &unit), dimension.power[k]));
  }
  return result;
}

const struct atom *atom_name(struct algebra *al, const char *name, const void *of, bool whole,
                             struct dimension dimension, double low, double high) {
  struct atom atom = {
      .kind = ATOM_NAME, .name = name, .of = of, .whole = whole, .dimension = dimension, .low = low, .high = high};
  return atom_of(al, &atom);
}

/* ---- sums and products ---- */

static const struct poly *joined(struct algebra *al, const struct poly *a, const struct poly *b, int64_t sign) {
  struct poly_term *terms = ARENA_ARRAY(al->arena, struct poly_term, a->count + b->count + 1);
  if (a->count) memcpy(terms, a->terms, a->count * sizeof *terms);
  for (uint32_t k = 0; k < b->count; k++) {
    terms[a->count + k] = b->terms[k];
    if (sign < 0) terms[a->count + k].by = number_times(b->terms[k].by, number_whole(-1));
  }
  return poly_of(al, terms, a->count + b->count);
}

const struct poly *poly_plus(struct algebra *al, const struct poly *a, const struct poly *b) {
  return !b->count ? a : !a->count ? b : joined(al, a, b, 1);
}

const struct poly *poly_minus(struct algebra *al, const struct poly *a, const struct poly *b) {
  return a == b ? al->zero : b->count ? joined(al, a, b, -1) : a;
}

static struct poly_term product_of(struct algebra *al, const struct poly_term *a, const struct poly_term *b) {
  struct poly_factor *factors = ARENA_ARRAY(al->arena, struct poly_factor, a->count + b->count + 1);
  struct poly_term term = {.by = number_times(a->by, b->by), .factors = factors};
  uint32_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    int order = i == a->count ? 1 : j == b->count ? -1 : atom_order(a->factors[i].atom, b->factors[j].atom);
    struct poly_factor factor = order <= 0 ? a->factors[i++] : b->factors[j++];
    bool truth = factor.atom->kind == ATOM_NOT_LESS || factor.atom->kind == ATOM_ZERO;
    if (!order && !truth) factor.power += b->factors[j].power; /* 1 and 0 are their own squares */
    if (!order) j++;
    if (factor.power) factors[term.count++] = factor;
  }
  return term;
}

const struct poly *poly_times(struct algebra *al, const struct poly *a, const struct poly *b) {
  if (a == al->one) return b;
  if (b == al->one) return a;
  uint64_t count = (uint64_t)a->count * b->count;
  al->work += count;
  if (count > 64 * ALGEBRA_TERMS || al->work > ALGEBRA_WORK) al->too_large = true;
  if (al->too_large || !count) return al->zero;
  struct poly_term *terms = ARENA_ARRAY(al->arena, struct poly_term, count);
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++)
      terms[i * b->count + j] = product_of(al, &a->terms[i], &b->terms[j]);
  return poly_of(al, terms, (uint32_t)count);
}

const struct poly *poly_scaled(struct algebra *al, const struct poly *a, struct number by) {
  return poly_times(al, a, poly_number(al, by));
}

bool poly_constant(const struct poly *a, struct number *out) {
  if (a->count > 1 || (a->count && a->terms[0].count)) return false;
  *out = a->count ? a->terms[0].by : number_whole(0);
  return true;
}

static bool whole_constant(const struct poly *a, int64_t *out) {
  struct number number;
  if (!poly_constant(a, &number) || !number.exact || number.below != 1) return false;
  *out = number.above;
  return true;
}

static const struct poly *inverse(struct algebra *al, const struct poly *a) {
  struct poly_factor *factors = ARENA_ARRAY(al->arena, struct poly_factor, a->terms[0].count + 1);
  struct poly_term term = {.by = number_inverse(a->terms[0].by), .factors = factors};
  bool truths = false;
  for (uint32_t k = 0; k < a->terms[0].count; k++)
    truths |= a->terms[0].factors[k].atom->kind == ATOM_NOT_LESS || a->terms[0].factors[k].atom->kind == ATOM_ZERO;
  if (a->count == 1 && !truths) {
    for (; term.count < a->terms[0].count; term.count++) {
      factors[term.count] = a->terms[0].factors[term.count];
      factors[term.count].power = -factors[term.count].power;
    }
    return poly_of(al, &term, 1);
  }
  const struct poly *plain = poly_scaled(al, a, term.by); /* the first term's factor is 1 */
  struct atom group = {.kind = ATOM_GROUP, .arg_count = 1, .args = {plain}, .dimension = poly_dimension(a)};
  return poly_scaled(al, powered(al, atom_of(al, &group), -1), term.by);
}

const struct poly *poly_over(struct algebra *al, const struct poly *a, const struct poly *b) {
  if (a == b) return al->one;
  if (a->count > 1 && a->count == b->count) { /* a multiple of it */
    struct number ratio = number_times(a->terms[0].by, number_inverse(b->terms[0].by));
    if (poly_scaled(al, b, ratio) == a) return poly_number(al, ratio);
  }
  return poly_times(al, a, inverse(al, b));
}

const struct poly *poly_power(struct algebra *al, const struct poly *a, const struct poly *b) {
  int64_t power;
  if (whole_constant(b, &power) && power >= -16 && power <= 16 && (a->count || power >= 0)) {
    const struct poly *result = al->one;
    for (int64_t k = 0; k < (power < 0 ? -power : power); k++)
      result = power < 0 ? poly_over(al, result, a) : poly_times(al, result, a);
    return result;
  }
  struct atom atom = {.kind = ATOM_POWER, .arg_count = 2, .args = {a, b}};
  return poly_atom(al, atom_of(al, &atom));
}

/* ---- what is asked ---- */

struct dimension poly_dimension(const struct poly *a) {
  struct dimension dimension = {{0}};
  for (uint32_t f = 0; a->count && f < a->terms[0].count; f++) {
    const struct poly_factor *factor = &a->terms[0].factors[f];
    for (uint32_t k = 0; k < DIMENSION_MAX; k++)
      dimension.power[k] = (int8_t)(dimension.power[k] + factor->power * factor->atom->dimension.power[k]);
  }
  return dimension;
}

bool poly_is_whole(const struct poly *a) {
  for (uint32_t k = 0; k < a->count; k++) {
    if (!a->terms[k].by.exact || a->terms[k].by.below != 1) return false;
    for (uint32_t f = 0; f < a->terms[k].count; f++)
      if (!a->terms[k].factors[f].atom->whole || a->terms[k].factors[f].power < 0) return false;
  }
  return true;
}

static bool atom_reads(const struct atom *atom, const struct atom *name) {
  for (uint32_t k = 0; k < atom->arg_count; k++)
    if (poly_reads(atom->args[k], name)) return true;
  return atom == name;
}

bool poly_reads(const struct poly *a, const struct atom *name) {
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t f = 0; f < a->terms[k].count; f++)
      if (atom_reads(a->terms[k].factors[f].atom, name)) return true;
  return false;
}

bool poly_reads_rounded(const struct poly *a, const struct atom *name) {
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct atom *atom = a->terms[k].factors[f].atom;
      if (atom->kind >= ATOM_DIV && atom->kind <= ATOM_ROUND && atom_reads(atom, name)) return true;
      for (uint32_t g = 0; g < atom->arg_count; g++)
        if (poly_reads_rounded(atom->args[g], name)) return true;
    }
  return false;
}

static bool low_is_natural(const struct poly *a) {
  struct settings any = {0};
  return poly_interval(&any, a).low >= 0 && !any.failed;
}

/* Is it a product that stands in a, apart from a name that is never negative? */
static const struct poly *times_name(struct algebra *al, const struct poly *a, const struct poly *known, uint32_t *at) {
  for (; *at < a->count; ++*at) {
    const struct poly_term *term = &a->terms[*at];
    for (uint32_t f = 0; f < term->count; f++) {
      const struct atom *atom = term->factors[f].atom;
      if (term->count < 2 || atom->kind != ATOM_NAME || !(atom->low >= 0) || poly_reads(known, atom)) continue;
      ++*at;
      return poly_minus(al, a, poly_times(al, known, poly_atom(al, atom)));
    }
  }
  return NULL;
}

bool poly_never_negative(struct algebra *al, const struct poly *a) {
  if (low_is_natural(a)) return true;
  for (uint32_t k = 0; k < al->known_count; k++) {
    const struct poly *less;
    if (low_is_natural(poly_minus(al, a, al->known[k]))) return true;
    for (uint32_t at = 0; (less = times_name(al, a, al->known[k], &at));)
      if (low_is_natural(less)) return true;
  }
  return false;
}

/* ---- comparisons ---- */

/* A positive factor is of no matter; of an equation none is. */
static const struct poly *plainly(struct algebra *al, const struct poly *a, bool sign) {
  if (!a->count || !a->terms[0].by.exact) return a;
  struct number by = a->terms[0].by;
  uint64_t divisor = 0, multiple = 1;
  for (uint32_t k = 0; k < a->count; k++) {
    if (!a->terms[k].by.exact || a->terms[k].by.below > 1000000) return a;
    uint64_t x = divisor, y = (uint64_t)llabs(a->terms[k].by.above), below = (uint64_t)a->terms[k].by.below,
             m = multiple;
    while (y) {
      uint64_t rest = x % y;
      x = y;
      y = rest;
    }
    divisor = x;
    for (uint64_t z = below; z;) {
      uint64_t rest = m % z;
      m = z;
      z = rest;
    }
    multiple = multiple / m * below;
    if (multiple > 1000000000) return a;
  }
  struct number scale = number_times(number_whole((int64_t)multiple), number_inverse(number_whole((int64_t)divisor)));
  if (sign && by.above < 0) scale = number_times(scale, number_whole(-1));
  return poly_scaled(al, a, scale);
}

/* By what is known of it: 1, 0, or -1 where neither is. */
static int decided(struct algebra *al, const struct poly *a, bool whole) {
  struct settings any = {0};
  if (poly_never_negative(al, a)) return 1;
  const struct poly *less = poly_minus(al, al->zero, whole ? poly_plus(al, a, al->one) : a);
  if (whole) return poly_never_negative(al, less) ? 0 : -1;
  return poly_interval(&any, a).high < 0 ? 0 : -1;
}

/* A comparison that decides what is compared; NULL: none does. */
static const struct atom *deciding(const struct poly *a) {
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct atom *atom = a->terms[k].factors[f].atom;
      if (atom->kind == ATOM_NOT_LESS || atom->kind == ATOM_ZERO) return atom;
    }
  return NULL;
}

const struct poly *poly_where(struct algebra *al, const struct poly *a, const struct atom *atom, bool holds) {
  const struct poly *result = al->zero;
  for (uint32_t k = 0; k < a->count; k++) {
    struct poly_factor *kept = ARENA_ARRAY(al->arena, struct poly_factor, a->terms[k].count + 1);
    struct poly_term term = {.by = a->terms[k].by, .factors = kept};
    bool there = false;
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      there |= a->terms[k].factors[f].atom == atom;
      if (a->terms[k].factors[f].atom != atom) kept[term.count++] = a->terms[k].factors[f];
    }
    if (there && !holds) continue;
    result = poly_plus(al, result, poly_of(al, &term, 1));
  }
  return result;
}

typedef const struct poly *comparing(struct algebra *al, const struct poly *a, bool whole);

/* Of what another comparison decides: the one where that holds, and the other where not. */
static const struct poly *by_cases(struct algebra *al, const struct poly *a, const struct atom *atom, bool whole,
                                   comparing *compare) {
  const struct poly *of = atom->args[0], *results[2];
  for (int holds = 0; holds < 2; holds++) {
    uint32_t known = al->known_count;
    bool whole_one = poly_is_whole(of);
    const struct poly *fact = holds ? of : poly_minus(al, poly_whole(al, whole_one ? -1 : 0), of);
    if (atom->kind == ATOM_NOT_LESS) ARENA_PUSH(al->arena, al->known, al->known_count, al->known_capacity, fact);
    results[holds] = compare(al, poly_where(al, a, atom, holds), whole);
    al->known_count = known;
  }
  return poly_if(al, poly_atom(al, atom), results[1], results[0]);
}

static const struct poly *compare_zero(struct algebra *al, const struct poly *a, bool whole) {
  (void)whole;
  return poly_is_zero(al, a);
}

const struct poly *poly_not_less(struct algebra *al, const struct poly *a, bool whole) {
  const struct atom *by = al->too_large ? NULL : deciding(a);
  if (by) return by_cases(al, a, by, whole, poly_not_less);
  int holds = decided(al, a, whole);
  if (holds >= 0) return holds ? al->one : al->zero;
  if (!whole) a = plainly(al, a, false);
  struct atom atom = {.kind = ATOM_NOT_LESS, .arg_count = 1, .args = {a}, .whole = true};
  /* Of a >= 0 and -a - 1 >= 0 one is the other's opposite: the one that was made first stands for both. */
  if (whole) {
    struct atom opposite = atom;
    opposite.args[0] = poly_minus(al, poly_whole(al, -1), a);
    if (opposite.args[0]->id < a->id) return poly_minus(al, al->one, poly_atom(al, atom_of(al, &opposite)));
  }
  return poly_atom(al, atom_of(al, &atom));
}

const struct poly *poly_is_zero(struct algebra *al, const struct poly *a) {
  struct settings any = {0};
  const struct atom *by = al->too_large ? NULL : deciding(a);
  if (!a->count) return al->one;
  if (by) return by_cases(al, a, by, false, compare_zero);
  struct interval range = poly_interval(&any, a);
  if (range.low > 0 || range.high < 0) return al->zero;
  const struct poly *less = poly_minus(al, poly_whole(al, -1), a); /* of whole numbers 1 or more, -1 or less */
  if (poly_is_whole(a) && (poly_never_negative(al, poly_minus(al, a, al->one)) || poly_never_negative(al, less)))
    return al->zero;
  a = plainly(al, a, true);
  struct atom atom = {.kind = ATOM_ZERO, .arg_count = 1, .args = {a}, .whole = true};
  return poly_atom(al, atom_of(al, &atom));
}

const struct poly *poly_if(struct algebra *al, const struct poly *truth, const struct poly *then,
                           const struct poly *otherwise) {
  if (truth == al->one || then == otherwise) return then;
  if (!truth->count) return otherwise;
  return poly_plus(al, otherwise, poly_times(al, truth, poly_minus(al, then, otherwise)));
}

const struct poly *poly_extreme(struct algebra *al, const struct poly *a, const struct poly *b, bool greatest) {
  const struct poly *difference = poly_minus(al, a, b);
  if (a == b || poly_never_negative(al, difference)) return greatest ? a : b;
  if (poly_never_negative(al, poly_minus(al, al->zero, difference))) return greatest ? b : a;
  if (a->id > b->id) {
    const struct poly *other = a;
    a = b;
    b = other;
  }
  struct atom atom = {.kind = greatest ? ATOM_MAX : ATOM_MIN,
                      .arg_count = 2,
                      .args = {a, b},
                      .whole = poly_is_whole(a) && poly_is_whole(b),
                      .dimension = poly_dimension(a->count ? a : b)};
  return poly_atom(al, atom_of(al, &atom));
}

/* ---- comparisons that others decide ---- */

/* One of the term's comparisons, where the term's others hold. */
static const struct poly *among_others(struct algebra *al, const struct poly_factor *factors, uint32_t count,
                                       uint32_t at) {
  uint32_t known = al->known_count;
  const struct atom *atom = factors[at].atom;
  for (uint32_t f = 0; f < count; f++)
    if (f != at && factors[f].atom->kind == ATOM_NOT_LESS)
      ARENA_PUSH(al->arena, al->known, al->known_count, al->known_capacity, factors[f].atom->args[0]);
  const struct poly *result = atom->kind == ATOM_ZERO ? poly_is_zero(al, atom->args[0])
                                                      : poly_not_less(al, atom->args[0], poly_is_whole(atom->args[0]));
  al->known_count = known;
  return result;
}

const struct poly *poly_tidied(struct algebra *al, const struct poly *a) {
  const struct poly *result = al->zero;
  for (uint32_t k = 0; k < a->count && !al->too_large; k++) {
    struct poly_factor *kept = ARENA_ARRAY(al->arena, struct poly_factor, a->terms[k].count + 1);
    struct poly_term term = {.by = a->terms[k].by, .factors = kept, .count = a->terms[k].count};
    bool never = false;
    if (term.count) memcpy(kept, a->terms[k].factors, term.count * sizeof *kept);
    for (uint32_t f = 0; f < term.count;) {
      bool compares = kept[f].atom->kind == ATOM_NOT_LESS || kept[f].atom->kind == ATOM_ZERO;
      const struct poly *holds = compares ? among_others(al, kept, term.count, f) : NULL;
      never |= holds == al->zero;
      if (holds == al->one)
        memmove(&kept[f], &kept[f + 1], (--term.count - f) * sizeof *kept);
      else
        f++;
    }
    if (!never) result = poly_plus(al, result, poly_of(al, &term, 1));
  }
  return result;
}

/* ---- quotients of whole numbers ---- */

/* a = by * quotient + rest, by whole factors; false: nothing of a is a multiple. */
static bool multiples_apart(struct algebra *al, const struct poly *a, int64_t by, const struct poly **quotient,
                            const struct poly **rest) {
  *quotient = *rest = al->zero;
  for (uint32_t k = 0; k < a->count; k++) {
    const struct poly_term *term = &a->terms[k];
    struct poly_term of = *term;
    const struct poly *one = poly_of(al, &of, 1);
    if (!poly_is_whole(one)) return false;
    int64_t times = term->by.above / by - (term->by.above % by < 0), left = term->by.above - times * by;
    const struct poly *alone = poly_scaled(al, one, number_inverse(term->by));
    if (times && (!left || !term->count)) {
      *quotient = poly_plus(al, *quotient, poly_scaled(al, alone, number_whole(times)));
      *rest = poly_plus(al, *rest, poly_scaled(al, alone, number_whole(left)));
    } else {
      *rest = poly_plus(al, *rest, one);
    }
  }
  return (*quotient)->count;
}

static const struct poly *quotient_atom(struct algebra *al, enum atom_kind kind, const struct poly *a,
                                        const struct poly *b) {
  struct atom atom = {.kind = kind, .arg_count = 2, .args = {a, b}, .whole = true};
  return poly_atom(al, atom_of(al, &atom));
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b && (a < 0) != (b < 0)); }

const struct poly *poly_div(struct algebra *al, const struct poly *a, const struct poly *b) {
  int64_t above, below;
  const struct poly *times, *rest;
  if (a == b) return al->one;
  if (!a->count || b == al->one) return a;
  bool by_number = whole_constant(b, &below) && below;
  if (by_number && whole_constant(a, &above)) return poly_whole(al, floor_div(above, below));
  if (!by_number || below < 0) {
    const struct poly *exact = poly_over(al, a, b);
    return !by_number && poly_is_whole(exact) ? exact : quotient_atom(al, ATOM_DIV, a, b);
  }
  if (multiples_apart(al, a, below, &times, &rest)) return poly_plus(al, times, poly_div(al, rest, b));
  if (poly_never_negative(al, a) && poly_never_negative(al, poly_minus(al, poly_whole(al, below - 1), a)))
    return al->zero;
  return quotient_atom(al, ATOM_DIV, a, b);
}

/* Of a rest by what is no number: without multiples of that, and itself where it lies within. */
static const struct poly *rest_of(struct algebra *al, const struct poly *a, const struct poly *b) {
  const struct poly *rest = al->zero;
  if (b->count != 1 || !poly_is_whole(a)) return quotient_atom(al, ATOM_MOD, a, b);
  for (uint32_t k = 0; k < a->count; k++) {
    const struct poly *one =
        poly_of(al, &(struct poly_term){a->terms[k].by, a->terms[k].count, a->terms[k].factors}, 1);
    if (!poly_is_whole(poly_over(al, one, b))) rest = poly_plus(al, rest, one);
  }
  if (poly_never_negative(al, rest) && poly_never_negative(al, poly_minus(al, poly_minus(al, b, al->one), rest)))
    return rest;
  return rest->count ? quotient_atom(al, ATOM_MOD, rest, b) : rest;
}

const struct poly *poly_mod(struct algebra *al, const struct poly *a, const struct poly *b) {
  int64_t above, below;
  const struct poly *times, *rest;
  if (!a->count || a == b) return al->zero;
  bool by_number = whole_constant(b, &below) && below > 0;
  if (by_number && whole_constant(a, &above)) return poly_whole(al, above - floor_div(above, below) * below);
  if (!by_number) return poly_is_whole(poly_over(al, a, b)) ? al->zero : rest_of(al, a, b);
  if (multiples_apart(al, a, below, &times, &rest)) return poly_mod(al, rest, b);
  if (poly_never_negative(al, a) && poly_never_negative(al, poly_minus(al, poly_whole(al, below - 1), a))) return a;
  return quotient_atom(al, ATOM_MOD, a, b);
}

const struct poly *poly_rounded(struct algebra *al, enum atom_kind kind, const struct poly *a, bool whole) {
  struct number number;
  if (whole || poly_is_whole(a)) return a;
  if (poly_constant(a, &number)) {
    double value = number_double(number);
    value = kind == ATOM_FLOOR ? floor(value) : kind == ATOM_CEIL ? ceil(value) : round(value);
    return poly_number(al, number_of_double(value));
  }
  struct atom atom = {.kind = kind, .arg_count = 1, .args = {a}, .whole = true};
  return poly_atom(al, atom_of(al, &atom));
}

const struct poly *poly_function(struct algebra *al, const char *name, const struct poly *a) {
  struct number number;
  struct atom atom = {.kind = ATOM_FUNCTION, .name = name, .arg_count = 1, .args = {a}};
  if (!strcmp(name, "sqrt")) dimension_power(poly_dimension(a), 1, 2, &atom.dimension);
  const struct poly *result = poly_atom(al, atom_of(al, &atom));
  struct settings none = {0};
  if (poly_constant(a, &number)) {
    double value = poly_value(&none, result);
    if (!none.failed && isfinite(value)) return poly_number(al, number_of_double(value));
  }
  return result;
}

/* ---- something in the place of atoms ---- */

static const struct poly *atom_mapped(struct algebra *al, const struct atom *atom, poly_map *map, void *user) {
  const struct poly *args[ATOM_ARGS], *instead = map(user, atom);
  bool same = true;
  if (instead) return instead;
  for (uint32_t k = 0; k < atom->arg_count; k++) {
    args[k] = poly_mapped(al, atom->args[k], map, user);
    same &= args[k] == atom->args[k];
  }
  if (same) return poly_atom(al, atom);
  switch (atom->kind) {
  case ATOM_UNIT:
  case ATOM_NAME: break;
  case ATOM_NOT_LESS: return poly_not_less(al, args[0], poly_is_whole(atom->args[0]));
  case ATOM_ZERO: return poly_is_zero(al, args[0]);
  case ATOM_MAX: return poly_extreme(al, args[0], args[1], true);
  case ATOM_MIN: return poly_extreme(al, args[0], args[1], false);
  case ATOM_DIV: return poly_div(al, args[0], args[1]);
  case ATOM_MOD: return poly_mod(al, args[0], args[1]);
  case ATOM_FLOOR:
  case ATOM_CEIL:
  case ATOM_ROUND: return poly_rounded(al, atom->kind, args[0], false);
  case ATOM_POWER: return poly_power(al, args[0], args[1]);
  case ATOM_FUNCTION: return poly_function(al, atom->name, args[0]);
  case ATOM_GROUP: return args[0];
  case ATOM_MOST: return poly_most(al, atom->variable, args[0], args[1], args[2]);
  case ATOM_SUM: return poly_sum(al, atom->variable, args[0], args[1], args[2]);
  }
  return poly_atom(al, atom);
}

const struct poly *poly_mapped(struct algebra *al, const struct poly *a, poly_map *map, void *user) {
  const struct poly *result = al->zero;
  for (uint32_t k = 0; k < a->count && !al->too_large; k++) {
    const struct poly *term = poly_number(al, a->terms[k].by);
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct poly_factor *factor = &a->terms[k].factors[f];
      const struct poly *base = atom_mapped(al, factor->atom, map, user);
      if (factor->power < 0 && !base->count) base = powered(al, factor->atom, 1); /* a quotient by zero stays */
      term = poly_times(al, term, poly_power(al, base, poly_whole(al, factor->power)));
    }
    result = poly_plus(al, result, term);
  }
  return result;
}

struct replacing {
  const struct atom *name;
  const struct poly *value;
};

static const struct poly *replaced(void *user, const struct atom *atom) {
  const struct replacing *replacing = user;
  return atom == replacing->name ? replacing->value : NULL;
}

const struct poly *poly_with(struct algebra *al, const struct poly *a, const struct atom *name,
                             const struct poly *value) {
  struct replacing replacing = {name, value};
  return poly_reads(a, name) ? poly_mapped(al, a, replaced, &replacing) : a;
}

const struct poly *poly_count_between(struct algebra *al, const struct poly *low, const struct poly *high) {
  return poly_extreme(al, poly_plus(al, poly_minus(al, high, low), al->one), al->zero, true);
}

const struct poly *atom_sum(struct algebra *al, const struct atom *variable, const struct poly *low,
                            const struct poly *high, const struct poly *body) {
  struct atom atom = {.kind = ATOM_SUM,
                      .arg_count = 3,
                      .args = {low, high, body},
                      .variable = variable,
                      .whole = poly_is_whole(body),
                      .dimension = poly_dimension(body)};
  return poly_atom(al, atom_of(al, &atom));
}

const struct poly *poly_most(struct algebra *al, const struct atom *variable, const struct poly *low,
                             const struct poly *high, const struct poly *body) {
  const struct poly *same = al->zero, *inside = al->zero;
  for (uint32_t k = 0; k < body->count; k++) {
    struct poly_term term = body->terms[k];
    const struct poly *one = poly_of(al, &term, 1);
    bool reads = poly_reads(one, variable);
    same = reads ? same : poly_plus(al, same, one);
    inside = reads ? poly_plus(al, inside, one) : inside;
  }
  if (!inside->count || al->too_large) return same;
  struct atom atom = {.kind = ATOM_MOST,
                      .arg_count = 3,
                      .args = {low, high, inside},
                      .variable = variable,
                      .whole = poly_is_whole(inside),
                      .dimension = poly_dimension(inside)};
  return poly_plus(al, same, poly_atom(al, atom_of(al, &atom)));
}

const struct poly *poly_sum(struct algebra *al, const struct atom *variable, const struct poly *low,
                            const struct poly *high, const struct poly *body) {
  if (al->too_large || !body->count) return al->zero;
  if (!poly_reads(body, variable)) return poly_times(al, poly_count_between(al, low, high), body);
  return poly_sum_parts(al, variable, low, high, body);
}
