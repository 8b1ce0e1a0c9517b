/* Network interfaces that the network leaves out: by how much messages would go later that come to one at one time.
 *
 * An interface passes one message after another. Those that come to it from some time on keep it busy from then on for
 * as long as all of them take, and the last of them leaves it no earlier, whatever their order. What comes in a short
 * time is counted together, in a bucket; when the run is over the buckets pass the interface one after another. Where
 * it is idle between two of them a new burst of messages begins: each has a last one, which waits. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>

#define LEAST_LENGTH 0x1p-40      /* of a bucket, s */
#define NUMBERS 0x1p52            /* of buckets: those before are told apart by a real number */
#define TIMES (1 << (MANY - FEW)) /* as long are those of a node that has few */

enum { LEFT_OUT_LEAST = 1, LEFT_OUT_WARNED = 10 }; /* percent of the run */

/* ---- what comes is counted ---- */

static const struct bucket nothing = {.first = INFINITY};

/* There are buckets for that time. How long they are then depends on the first and the last time alone. */
static void span_reach(struct span *span, double clock) {
  bool any = span->doublings > 0;
  double per = any ? span->per : 1 / LEAST_LENGTH, first = any ? fmin(clock, span->begin) : clock;
  double last = any ? fmax(clock, span->end - 1 / per) : clock; /* in the last bucket */
  uint32_t doublings = any ? span->doublings : 1;
  /* those who have few have enough, too */
  for (; last * per >= NUMBERS || floor(last * per / TIMES) - floor(first * per / TIMES) >= 1 << FEW; per /= 2)
    doublings++;
  *span = (struct span){floor(first * per) / per, (floor(last * per) + 1) / per, per, doublings};
}

/* How many places there are for them. */
static uint32_t places(const struct buckets *all) { return 1u << MANY >> all->shift; }

/* So many stand there. */
static uint32_t standing(const struct buckets *all) { return all->used == EACH ? places(all) : all->used; }

static inline uint32_t place_of(const struct state *s, const struct buckets *all, double clock) {
  return number_place(span_number(&s->span, clock), all->shift);
}

static struct buckets *buckets_cut(struct state *s, uint32_t room) {
  return cut(&s->memory, sizeof(struct buckets) + room * sizeof(struct bucket));
}

static void buckets_clear(struct buckets *all) {
  if (all->used != EACH) all->used = 0;
  for (uint32_t k = 0; k < standing(all); k++)
    all->items[k] = nothing;
}

static struct buckets *some_take(struct state *s) {
  struct buckets *some = s->spare_buckets;
  if (some)
    memcpy(&s->spare_buckets, some, sizeof(void *));
  else
    some = buckets_cut(s, SOME);
  some->shift = MANY - FEW;
  some->used = 0;
  return some;
}

static void some_give(struct state *s, struct buckets *some) {
  memcpy(some, &s->spare_buckets, sizeof(void *));
  s->spare_buckets = some;
}

static struct buckets *each_take(struct state *s, uint16_t shift) {
  struct buckets *all = buckets_cut(s, 1u << MANY >> shift);
  all->shift = shift;
  all->used = EACH;
  buckets_clear(all);
  return all;
}

void span_include(struct span *span, const struct span *other) {
  if (!other->doublings) return;
  if (!span->doublings) {
    *span = *other;
    return;
  }
  double last = span->end - 1 / span->per;
  for (; span->per > other->per; span->per /= 2)
    span->doublings++;
  span->begin = floor(span->begin * span->per) / span->per;
  span->end = (floor(last * span->per) + 1) / span->per;
  span_reach(span, other->begin);
  span_reach(span, other->end - 1 / other->per);
}

static void half_open(struct state *s, struct half *half) {
  bool many = false;
  const struct rank *first = s->rank_chunks ? s->ranks[0] : NULL;
  for (uint32_t k = 0; k < MANY_NODES && first; k++)
    many |= half == &first[k].receives || (first[k].rare && half == &first[k].rare->sends);
  half->all = many ? each_take(s, 0) : some_take(s);
  half->all->doublings = s->span.doublings;
}

/* More are used than have room one after another: from now on each has its place. */
static void half_spread(struct state *s, struct half *half) {
  struct buckets *some = half->all;
  half->all = each_take(s, MANY - FEW);
  half->all->doublings = s->span.doublings;
  for (uint32_t k = 0; k < SOME; k++)
    half->all->items[place_of(s, half->all, some->items[k].first)] = some->items[k];
  some_give(s, some);
}

/* Where the bucket of that place stands; it is made where nothing has come in it. */
static inline uint32_t half_seek(struct state *s, struct half *half, uint32_t place) {
  struct buckets *all = half->all;
  uint32_t at = all->used;
  if (at == EACH) return place;
  while (at > 0 && place_of(s, all, all->items[at - 1].first) != place)
    at--;
  if (at > 0) return at - 1;
  if (all->used == SOME) {
    half_spread(s, half);
    return place;
  }
  all->items[all->used] = nothing;
  return all->used++;
}

/* Its buckets are as long as they are now. */
static void half_lengthen(struct state *s, struct half *half) {
  half->all->doublings = s->span.doublings;
  struct bucket old[1 << MANY];
  uint32_t count = standing(half->all);
  memcpy(old, half->all->items, count * sizeof *old);
  buckets_clear(half->all);
  for (uint32_t k = 0; k < count; k++) {
    if (old[k].first == INFINITY) continue;
    uint32_t at = half_seek(s, half, place_of(s, half->all, old[k].first));
    bucket_add(&half->all->items[at], old[k].first, old[k].last, old[k].busy);
  }
}

/* The bucket in that place, which stands there, is the latest. */
static void half_use(const struct state *s, struct half *half, uint32_t place, uint32_t at) {
  bool each = half->all->used == EACH;
  half->doublings = (uint16_t)s->span.doublings;
  half->place = (uint16_t)(each ? EACH : place);
  half->at = (uint16_t)(each ? half->all->shift : at);
}

struct bucket *left_out_seek(struct state *s, struct half *half, double clock) {
  if (clock < s->host->begin) return NULL;
  if (!(clock >= s->span.begin && clock < s->span.end)) span_reach(&s->span, clock);
  s->counted_from = later_of(s->span.begin, s->host->begin);
  if (!half->all)
    half_open(s, half);
  else if (half->all->doublings != s->span.doublings)
    half_lengthen(s, half);
  uint32_t place = place_of(s, half->all, clock), at = half_seek(s, half, place);
  half_use(s, half, place, at);
  return &half->all->items[at];
}

/* ---- the run is over ---- */

static struct burden half_burden(struct state *s, struct half *half) {
  struct burden all = {0};
  double end = 0, last = 0, late = 0;
  if (!half->all) return all;
  if (half->all->doublings != s->span.doublings) half_lengthen(s, half);
  const struct buckets *buckets = half->all;
  uint32_t from = place_of(s, buckets, s->span.begin), count = places(buckets);
  struct bucket in_order[1 << MANY];
  for (uint32_t k = 0; k < count; k++)
    in_order[k] = nothing;
  for (uint32_t k = 0; k < standing(buckets); k++) {
    const struct bucket *b = &buckets->items[k];
    if (b->first != INFINITY) in_order[(place_of(s, buckets, b->first) - from) & (count - 1)] = *b;
  }
  for (const struct bucket *b = in_order; b < in_order + count; b++) {
    if (b->first == INFINITY) continue;
    if (b->first >= end) {
      all.late += late;
      end = b->first;
      late = 0;
    }
    all.busy += b->busy;
    end += b->busy;
    last = later_of(last, b->last);
    late = later_of(late, end - last);
  }
  all.late += late;
  return all;
}

static void burden_find(const struct state *s, const struct burden *burden, struct interfaces *all) {
  all->busiest = later_of(all->busiest, burden->busy);
  all->least = later_of(all->least, burden->busy - s->after);
  if (burden->late > all->most.late) all->most = *burden;
}

static void rank_find(struct state *s, struct rank *rank, struct interfaces *all) {
  struct burden own = {rank->sender.busy, rank->sender.late};
  struct burden sends = rank->rare ? half_burden(s, &rank->rare->sends) : (struct burden){0};
  struct burden receives = half_burden(s, &rank->receives);
  own.busy = sends.busy += own.busy; /* one half has both to do */
  burden_find(s, &own, all);
  burden_find(s, &sends, all);
  burden_find(s, &receives, all);
}

void interfaces_join(struct interfaces *all, const struct interfaces *some) {
  all->busiest = later_of(all->busiest, some->busiest);
  all->least = later_of(all->least, some->least);
  if (some->most.late > all->most.late) all->most = some->most;
}

struct interfaces interfaces_find(struct state *s) {
  struct interfaces all = s->elsewhere;
  for (uint32_t k = 0; k < s->rank_chunks << CHUNK_BITS; k++)
    if (s->ranks[k >> CHUNK_BITS]) rank_find(s, rank_at(s, k), &all);
  return all;
}

static void time_print(double seconds, char out[24]) {
  bool tiny = seconds < 1e-3, small = seconds < 1;
  snprintf(out, 24, "%.4g %s", seconds * (tiny ? 1e6 : small ? 1e3 : 1), tiny ? "us" : small ? "ms" : "s");
}

/* What a node sends, or receives, takes its interface longer than the run: no network with interfaces is so fast. */
static bool is_too_fast(const struct state *s, const struct interfaces *interfaces, double run) {
  if (interfaces->least <= run * (1 + 1e-9)) return false;
  char busy[24], all[24], text[240];
  time_print(interfaces->busiest, busy);
  time_print(run, all);
  snprintf(text, sizeof text,
           "a network interface is busy for %s in a run of %s: " PSL_LEAVES_OUT ", and the predicted "
           "time is too short; --set 'network=simulation[NIC]' has them",
           busy, all);
  s->host->warn(s->host, text);
  return true;
}

/* Who compares runs, or has many, sees their times alone. */
static void late_warn(const struct state *s, const struct burden *most, double run) {
  char late[24], all[24], text[280];
  if (most->late <= 0 || most->late * 100 < LEFT_OUT_WARNED * run) return;
  time_print(most->late, late);
  time_print(run, all);
  snprintf(text, sizeof text, PSL_LEFT_OUT_WARNING, late, all);
  s->host->warn(s->host, text);
}

size_t left_out_statistics(struct state *s, struct psl_statistic out[2]) {
  double run = s->host->end(s->host) - s->host->begin;
  struct interfaces interfaces = interfaces_find(s);
  bool too_fast = is_too_fast(s, &interfaces, run);
  size_t count = 0;
  if (too_fast) out[count++] = (struct psl_statistic){.name = PSL_INTERFACE, .unit = "s", .value = interfaces.busiest};
  if (!too_fast) late_warn(s, &interfaces.most, run);
  double late = interfaces.most.late;
  if (late > 0 && late * 100 >= LEFT_OUT_LEAST * run)
    out[count++] = (struct psl_statistic){.name = PSL_WAITS_LEFT_OUT, .unit = "s", .value = late};
  return count;
}
