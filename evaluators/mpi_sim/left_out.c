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

/* Are there any, and does each have its place? */
static bool is_open(const struct half *half) { return half->length > 0; }
static bool has_each(const struct half *half) { return half->place == EACH; }
static uint32_t shift_of(const struct half *half) { return has_each(half) ? half->shift : MANY - FEW; }

static inline uint32_t place_of(const struct state *s, const struct half *half, double time) {
  return number_place(span_number(&s->span, time), shift_of(half));
}

static uint32_t *next_of(const struct state *s, uint32_t piece) {
  return &s->pieces[(piece - 1) >> PIECES_BITS]->next[(piece - 1) % PIECES];
}

static void pieces_grow(struct state *s, uint32_t count) {
  if (count == s->pieces_capacity) {
    uint32_t capacity = count ? 2 * count : 16;
    struct pieces **grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (count) memcpy(grown, s->pieces, count * sizeof *grown);
    s->pieces = grown;
    s->pieces_capacity = capacity;
  }
  s->pieces[count] = s->host->allocate(s->host, sizeof(struct pieces));
}

/* An empty one, the first in that list. */
static uint32_t piece_take(struct state *s, uint32_t *list) {
  uint32_t piece = s->piece_spare;
  if (piece) {
    s->piece_spare = *next_of(s, piece);
  } else {
    if (s->piece_count % PIECES == 0) pieces_grow(s, s->piece_count >> PIECES_BITS);
    piece = ++s->piece_count;
  }
  *piece_at(s->pieces, piece) = nothing;
  *next_of(s, piece) = *list;
  return *list = piece;
}

/* What has come, by time, in any order: so many buckets. */
static uint32_t half_copy(const struct state *s, const struct half *half, struct bucket out[1 << MANY]) {
  uint32_t count = 0;
  if (has_each(half)) {
    for (uint32_t k = 0; k < 1u << MANY >> half->shift; k++)
      if (half->all[k].first != INFINITY) out[count++] = half->all[k];
    return count;
  }
  for (uint32_t piece = half->some.first; piece; piece = *next_of(s, piece))
    out[count++] = *piece_at(s->pieces, piece);
  return count;
}

static void half_clear(struct state *s, struct half *half) {
  if (has_each(half)) {
    for (uint32_t k = 0; k < 1u << MANY >> half->shift; k++)
      half->all[k] = nothing;
    return;
  }
  for (uint32_t next, piece = half->some.first; piece; piece = next) {
    next = *next_of(s, piece);
    *next_of(s, piece) = s->piece_spare;
    s->piece_spare = piece;
  }
  half->some.first = 0;
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

/* From now on each has its place. */
static void half_spread(struct state *s, struct half *half, uint16_t shift) {
  uint32_t count = 1u << MANY >> shift;
  half->all = cut(&s->memory, count * sizeof(struct bucket));
  half->place = EACH;
  half->shift = shift;
  for (uint32_t k = 0; k < count; k++)
    half->all[k] = nothing;
}

static void half_open(struct state *s, struct half *half) {
  const struct rank *first = s->rank_chunks ? s->ranks[0] : NULL;
  half->length = (uint16_t)s->span.doublings;
  for (uint32_t k = 0; k < MANY_NODES && first; k++)
    if (half == &first[k].receives || (first[k].rare && half == &first[k].rare->sends)) half_spread(s, half, 0);
}

/* The bucket of that place, made where nothing has come in it; it is the latest. */
static struct bucket *half_seek(struct state *s, struct half *half, uint32_t place) {
  if (has_each(half)) return &half->all[place];
  uint32_t count = 0, piece = half->some.first;
  for (; piece && place_of(s, half, piece_at(s->pieces, piece)->first) != place; piece = *next_of(s, piece))
    count++;
  if (count == SOME && !piece) { /* more are used than stand one after another */
    struct bucket out[1 << MANY];
    half_copy(s, half, out);
    half_clear(s, half);
    half_spread(s, half, MANY - FEW);
    for (uint32_t k = 0; k < count; k++)
      half->all[place_of(s, half, out[k].first)] = out[k];
    return &half->all[place];
  }
  half->place = (uint16_t)place;
  half->some.latest = piece ? piece : piece_take(s, &half->some.first);
  return piece_at(s->pieces, half->some.latest);
}

/* Its buckets are as long as they are now. */
static void half_lengthen(struct state *s, struct half *half) {
  struct bucket out[1 << MANY];
  uint32_t count = half_copy(s, half, out);
  half_clear(s, half);
  half->length = (uint16_t)s->span.doublings;
  for (uint32_t k = 0; k < count; k++)
    bucket_add(half_seek(s, half, place_of(s, half, out[k].first)), out[k].first, out[k].last, out[k].busy);
}

struct bucket *left_out_seek(struct state *s, struct half *half, float at) {
  double time = at;
  if (time < 0) return NULL;
  if (!(time >= s->span.begin && time < s->span.end)) span_reach(&s->span, time);
  s->counted_from = later_of(s->span.begin, 0);
  if (!is_open(half))
    half_open(s, half);
  else if (half->length != s->span.doublings)
    half_lengthen(s, half);
  half->doublings = (uint16_t)s->span.doublings;
  return half_seek(s, half, place_of(s, half, time));
}

/* ---- the run is over ---- */

static struct burden half_burden(struct state *s, struct half *half) {
  struct burden all = {0};
  double end = 0, last = 0, late = 0;
  if (!is_open(half)) return all;
  if (half->length != s->span.doublings) half_lengthen(s, half);
  struct bucket out[1 << MANY], in_order[1 << MANY];
  uint32_t from = place_of(s, half, s->span.begin), count = 1u << MANY >> shift_of(half),
           some = half_copy(s, half, out);
  for (uint32_t k = 0; k < count; k++)
    in_order[k] = nothing;
  for (uint32_t k = 0; k < some; k++)
    in_order[(place_of(s, half, out[k].first) - from) & (count - 1)] = out[k];
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
