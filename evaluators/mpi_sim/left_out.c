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

static const struct times never = {.first = INFINITY};
static const struct bucket nothing = {.times = {.first = INFINITY}};

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
static bool is_open(const struct half *half) { return half->used.doublings > 0; }
static bool has_each(const struct half *half) { return half->used.place >= EACH; }
static uint32_t shift_of(const struct half *half) { return half->used.place == EACH ? 0 : MANY - FEW; }

static inline uint32_t place_of(const struct state *s, const struct half *half, double time) {
  return number_place(span_number(&s->span, time), shift_of(half));
}

static struct pieces *pieces_of(struct state *s, const struct half *half) {
  return half->used.unit ? &s->counting : &s->wide;
}
static struct times *piece_at(const struct state *s, const struct half *half, uint32_t piece) {
  return half->used.unit ? &counted_at(s, piece)->times : &wide_at(s, piece)->times;
}
static uint32_t *next_of(const struct pieces *pieces, uint32_t piece) {
  return &pieces->next[(piece - 1) >> PIECES_BITS][(piece - 1) % PIECES];
}

static void *grown(struct state *s, const void *old, size_t size, uint32_t count, uint32_t capacity) {
  void *room = s->host->allocate(s->host, capacity * size);
  if (count) memcpy(room, old, count * size);
  return room;
}

static void pieces_grow(struct state *s, struct pieces *pieces, size_t size) {
  uint32_t count = pieces->count >> PIECES_BITS;
  if (count == pieces->capacity) {
    pieces->capacity = count ? 2 * count : 16;
    pieces->items = grown(s, pieces->items, sizeof *pieces->items, count, pieces->capacity);
    pieces->next = grown(s, pieces->next, sizeof *pieces->next, count, pieces->capacity);
  }
  pieces->items[count] = s->host->allocate(s->host, PIECES * size);
  pieces->next[count] = s->host->allocate(s->host, PIECES * sizeof **pieces->next);
}

/* An empty one, the first in the half's list. */
static uint32_t piece_take(struct state *s, struct half *half) {
  struct pieces *pieces = pieces_of(s, half);
  uint32_t piece = pieces->spare;
  if (piece) {
    pieces->spare = *next_of(pieces, piece);
  } else {
    if (pieces->count % PIECES == 0)
      pieces_grow(s, pieces, half->used.unit ? sizeof(struct counted) : sizeof(struct bucket));
    piece = ++pieces->count;
  }
  if (half->used.unit)
    *counted_at(s, piece) = (struct counted){.times = never};
  else
    *wide_at(s, piece) = nothing;
  *next_of(pieces, piece) = half->first;
  return half->first = piece;
}

static struct bucket bucket_of(const struct state *s, const struct half *half, const struct counted *counted) {
  return (struct bucket){counted->times, counted->count * s->units[half->used.unit]};
}

/* What has come, by time, in any order: so many that count, */
static uint32_t counted_copy(const struct state *s, const struct half *half, struct counted out[1 << FEW]) {
  uint32_t count = 0;
  for (uint32_t k = 0; has_each(half) && k < 1 << FEW; k++)
    if (half->counts[k].times.first != INFINITY) out[count++] = half->counts[k];
  for (uint32_t piece = has_each(half) ? 0 : half->first; piece; piece = *next_of(&s->counting, piece))
    out[count++] = *counted_at(s, piece);
  return count;
}
/* and so many buckets in any case. */
static uint32_t half_copy(const struct state *s, const struct half *half, struct bucket out[1 << MANY]) {
  uint32_t count = 0;
  if (half->used.unit) {
    struct counted counted[1 << FEW];
    count = counted_copy(s, half, counted);
    for (uint32_t k = 0; k < count; k++)
      out[k] = bucket_of(s, half, &counted[k]);
    return count;
  }
  for (uint32_t k = 0; has_each(half) && k < 1u << MANY >> shift_of(half); k++)
    if (half->all[k].times.first != INFINITY) out[count++] = half->all[k];
  for (uint32_t piece = has_each(half) ? 0 : half->first; piece; piece = *next_of(&s->wide, piece))
    out[count++] = *wide_at(s, piece);
  return count;
}

static void half_clear(struct state *s, struct half *half) {
  if (has_each(half)) {
    uint32_t count = 1u << MANY >> shift_of(half);
    for (uint32_t k = 0; half->used.unit && k < count; k++)
      half->counts[k] = (struct counted){.times = never};
    for (uint32_t k = 0; !half->used.unit && k < count; k++)
      half->all[k] = nothing;
    return;
  }
  struct pieces *pieces = pieces_of(s, half);
  for (uint32_t next, piece = half->first; piece; piece = next) {
    next = *next_of(pieces, piece);
    *next_of(pieces, piece) = pieces->spare;
    pieces->spare = piece;
  }
  half->first = 0;
}

uint8_t left_out_unit(struct state *s, double busy) {
  for (uint32_t k = s->unit_count; k > 0; k--)
    if (s->units[k] == busy) return (uint8_t)k;
  if (s->unit_count == UNITS) return NO_UNIT;
  s->units[++s->unit_count] = busy;
  return (uint8_t)s->unit_count;
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

/* From now on each has its place, and nothing is there. */
static void half_spread(struct state *s, struct half *half, uint16_t place) {
  uint32_t count = place == EACH ? 1 << MANY : 1 << FEW;
  if (half->used.unit)
    half->counts = cut(&s->memory, count * sizeof *half->counts);
  else
    half->all = cut(&s->memory, count * sizeof *half->all);
  half->used.place = place;
  half_clear(s, half);
}

static void half_open(struct state *s, struct half *half, uint8_t unit) {
  const struct rank *first = s->rank_chunks ? s->ranks[0] : NULL;
  bool many = false;
  for (uint32_t k = 0; k < MANY_NODES && first; k++)
    many |= half == &first[k].receives || (first[k].rare && half == &first[k].rare->sends);
  half->used.doublings = (uint8_t)s->span.doublings;
  half->used.unit = many || unit == NO_UNIT ? 0 : unit;
  if (many) half_spread(s, half, EACH);
}

static struct times *half_seek(struct state *s, struct half *half, uint32_t place);

/* What is in some buckets comes to those of the half. */
static void half_fill(struct state *s, struct half *half, const struct bucket *some, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    struct times *times = half_seek(s, half, place_of(s, half, some[k].times.first));
    times_add(times, some[k].times.first, some[k].times.last);
    ((struct bucket *)(void *)times)->busy += some[k].busy;
  }
}
/* The same of those that count. */
static void counted_fill(struct state *s, struct half *half, const struct counted *some, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    struct times *times = half_seek(s, half, place_of(s, half, some[k].times.first));
    times_add(times, some[k].times.first, some[k].times.last);
    ((struct counted *)(void *)times)->count += some[k].count;
  }
}

/* More are used than stand one after another. */
static void half_spread_some(struct state *s, struct half *half) {
  struct bucket out[1 << MANY];
  struct counted counted[1 << FEW];
  uint32_t count = half->used.unit ? counted_copy(s, half, counted) : half_copy(s, half, out);
  half_clear(s, half);
  half_spread(s, half, EACH_FEW);
  if (half->used.unit)
    counted_fill(s, half, counted, count);
  else
    half_fill(s, half, out, count);
}

/* The bucket of that place, made where nothing has come in it; it is the latest. */
static struct times *half_seek(struct state *s, struct half *half, uint32_t place) {
  if (has_each(half)) return half->used.unit ? &half->counts[place].times : &half->all[place].times;
  const struct pieces *pieces = pieces_of(s, half);
  uint32_t count = 0, piece = half->first;
  for (; piece && place_of(s, half, piece_at(s, half, piece)->first) != place; piece = *next_of(pieces, piece))
    count++;
  if (count == SOME && !piece) {
    half_spread_some(s, half);
    return half_seek(s, half, place);
  }
  half->used.place = (uint16_t)place;
  return half->latest = piece_at(s, half, piece ? piece : piece_take(s, half));
}

/* Its buckets do not count any more. */
static void half_widen(struct state *s, struct half *half) {
  struct bucket out[1 << MANY];
  uint32_t count = half_copy(s, half, out);
  uint16_t place = half->used.place;
  half_clear(s, half);
  half->used.unit = 0;
  if (place >= EACH) half_spread(s, half, place);
  half_fill(s, half, out, count);
}

/* Its buckets are as long as they are now. */
static void half_lengthen(struct state *s, struct half *half) {
  struct counted counted[1 << FEW];
  uint64_t all = 0;
  uint32_t count = half->used.unit ? counted_copy(s, half, counted) : 0;
  for (uint32_t k = 0; k < count; k++)
    all += counted[k].count;
  if (all > UINT32_MAX) half_widen(s, half);
  struct bucket out[1 << MANY];
  if (!half->used.unit) count = half_copy(s, half, out);
  half_clear(s, half);
  half->used.doublings = (uint8_t)s->span.doublings;
  if (half->used.unit)
    counted_fill(s, half, counted, count);
  else
    half_fill(s, half, out, count);
}

struct times *left_out_seek(struct state *s, struct half *half, float at, double busy) {
  uint8_t unit = left_out_unit(s, busy);
  double time = at;
  if (time < 0) return NULL;
  if (!(time >= s->span.begin && time < s->span.end)) span_reach(&s->span, time);
  s->counted_from = later_of(s->span.begin, 0);
  if (!is_open(half))
    half_open(s, half, unit);
  else if (half->used.doublings != s->span.doublings)
    half_lengthen(s, half);
  if (half->used.unit && half->used.unit != unit) half_widen(s, half);
  struct times *times = half_seek(s, half, place_of(s, half, time));
  if (!half->used.unit || ((struct counted *)(void *)times)->count < UINT32_MAX) return times;
  half_widen(s, half);
  return half_seek(s, half, place_of(s, half, time));
}

/* ---- the run is over ---- */

static struct burden half_burden(struct state *s, struct half *half) {
  struct burden all = {0};
  double end = 0, last = 0, late = 0;
  if (!is_open(half)) return all;
  if (half->used.doublings != s->span.doublings) half_lengthen(s, half);
  struct bucket out[1 << MANY], in_order[1 << MANY];
  uint32_t from = place_of(s, half, s->span.begin), count = 1u << MANY >> shift_of(half),
           some = half_copy(s, half, out);
  for (uint32_t k = 0; k < count; k++)
    in_order[k] = nothing;
  for (uint32_t k = 0; k < some; k++)
    in_order[(place_of(s, half, out[k].times.first) - from) & (count - 1)] = out[k];
  for (const struct bucket *b = in_order; b < in_order + count; b++) {
    if (b->times.first == INFINITY) continue;
    if (b->times.first >= end) {
      all.late += late;
      end = b->times.first;
      late = 0;
    }
    all.busy += b->busy;
    end += b->busy;
    last = later_of(last, b->times.last);
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
