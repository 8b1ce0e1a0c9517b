/* Log-linear counting of observations; see sketch.h.  Records that ask for quantiles or a histogram have one.
 */
#include "interp/statistics/sketch.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 256, SLOT_BITS = 8, MANTISSA_BITS = 52, POWERS = 2047 /* of finite doubles */ };

static uint32_t bucket_of(double size) {
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (uint32_t)(bits >> (MANTISSA_BITS - SLOT_BITS));
}

/* Where the bucket begins; the next one is its end, but for that of 0, which is a number of its own. */
static double bucket_begin(uint32_t bucket) {
  uint64_t bits = (uint64_t)bucket << (MANTISSA_BITS - SLOT_BITS);
  double size;
  memcpy(&size, &bits, sizeof size);
  return size;
}

static uint64_t *page_of(struct sketch *sketch, uint64_t ***pages, uint32_t power) {
  if (!*pages) *pages = ARENA_ARRAY(sketch->arena, uint64_t *, POWERS);
  uint64_t **page = &(*pages)[power];
  if (!*page) *page = ARENA_ARRAY(sketch->arena, uint64_t, SLOTS);
  return *page;
}

void sketch_add(struct sketch *sketch, double value) {
  if (!sketch->count || value < sketch->minimum) sketch->minimum = value;
  if (!sketch->count || value > sketch->maximum) sketch->maximum = value;
  sketch->count++;
  uint32_t bucket = bucket_of(fabs(value));
  page_of(sketch, value < 0 ? &sketch->negative : &sketch->positive, bucket / SLOTS)[bucket % SLOTS]++;
}

/* ---- walking through the buckets in the order of values ---- */

struct bucket {
  double low, high;
  uint64_t count;
};
/* true: enough */
typedef bool visitor(void *user, struct bucket bucket);

static bool side_walk(uint64_t *const *pages, bool negative, visitor *visit, void *user) {
  for (uint32_t p = 0; pages && p < POWERS; p++) {
    uint32_t power = negative ? POWERS - 1 - p : p;
    for (uint32_t i = 0; pages[power] && i < SLOTS; i++) {
      uint32_t slot = negative ? SLOTS - 1 - i : i;
      if (!pages[power][slot]) continue;
      uint32_t number = power * SLOTS + slot;
      double low = bucket_begin(number), high = number ? bucket_begin(number + 1) : 0;
      struct bucket bucket = {negative ? -high : low, negative ? -low : high, pages[power][slot]};
      if (visit(user, bucket)) return true;
    }
  }
  return false;
}

static void walk(const struct sketch *sketch, visitor *visit, void *user) {
  if (!side_walk(sketch->negative, true, visit, user)) side_walk(sketch->positive, false, visit, user);
}

static double within(const struct sketch *sketch, double value) {
  return fmin(fmax(value, sketch->minimum), sketch->maximum);
}

struct search { /* of a rank: the value; or of a value: the rank */
  double rank, value, below;
};

static bool find_rank(void *user, struct bucket bucket) {
  struct search *search = user;
  double count = (double)bucket.count;
  if (search->below + count < search->rank) {
    search->below += count;
    return false;
  }
  search->value = bucket.low + (bucket.high - bucket.low) * (search->rank - search->below) / count;
  return true;
}

double sketch_quantile(const struct sketch *sketch, double part) {
  if (!sketch->count) return NAN;
  struct search search = {.rank = part * (double)sketch->count, .value = sketch->maximum};
  walk(sketch, find_rank, &search);
  return within(sketch, search.value);
}

static bool find_value(void *user, struct bucket bucket) {
  struct search *search = user;
  if (bucket.low >= search->value) return true;
  double part = fmin(1, (search->value - bucket.low) / (bucket.high - bucket.low));
  search->below += part * (double)bucket.count;
  return false;
}

double sketch_below(const struct sketch *sketch, double value) {
  if (value <= sketch->minimum) return 0;
  if (value > sketch->maximum) return (double)sketch->count;
  struct search search = {.value = value};
  walk(sketch, find_value, &search);
  return search.below;
}
