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

static void *grown(struct state *s, const void *old, size_t size, uint32_t count, uint32_t capacity) {
  void *room = s->host->allocate(s->host, capacity * size);
  if (count) memcpy(room, old, count * size);
  return room;
}

/* ---- buckets that are had singly ---- */

static uint32_t *wide_next(const struct state *s, uint32_t piece) {
  return &s->wide.next[(piece - 1) >> PIECES_BITS][(piece - 1) % PIECES];
}

/* Of the half's list the first one, and who follows that; 0: none does. */
static uint32_t piece_first(const struct half *half) {
  if (has_each(half)) return 0;
  return half->used.unit ? half->first & GROUP_MASK : half->first;
}
static uint32_t piece_after(const struct state *s, const struct half *half, uint32_t piece) {
  return half->used.unit ? counted_at(s, half, piece)->many & GROUP_MASK : *wide_next(s, piece);
}
static void piece_follow(struct state *s, const struct half *half, uint32_t piece, uint32_t next) {
  uint32_t *after = half->used.unit ? &counted_at(s, half, piece)->many : wide_next(s, piece);
  *after = half->used.unit ? (*after & ~(uint32_t)GROUP_MASK) | next : next;
}
static struct times *piece_at(const struct state *s, const struct half *half, uint32_t piece) {
  return half->used.unit ? &counted_at(s, half, piece)->times : &wide_at(s, piece)->times;
}

/* It stands first in the list, before those. */
static void piece_lead(struct state *s, struct half *half, uint32_t piece) {
  piece_follow(s, half, piece, piece_first(half));
  half->first = half->used.unit ? (half->first & ~(uint32_t)GROUP_MASK) | piece : piece;
}

static void wide_grow(struct state *s) {
  struct pieces *pieces = &s->wide;
  uint32_t count = pieces->count >> PIECES_BITS;
  if (count == pieces->capacity) {
    pieces->capacity = count ? 2 * count : 16;
    pieces->items = grown(s, pieces->items, sizeof *pieces->items, count, pieces->capacity);
    pieces->next = grown(s, pieces->next, sizeof *pieces->next, count, pieces->capacity);
  }
  pieces->items[count] = s->host->allocate(s->host, PIECES * sizeof **pieces->items);
  pieces->next[count] = s->host->allocate(s->host, PIECES * sizeof **pieces->next);
}

static uint32_t wide_take(struct state *s) {
  struct pieces *pieces = &s->wide;
  uint32_t piece = pieces->spare;
  if (piece) {
    pieces->spare = *wide_next(s, piece);
  } else {
    if (pieces->count % PIECES == 0) wide_grow(s);
    piece = ++pieces->count;
  }
  *wide_at(s, piece) = nothing;
  return piece;
}

/* The half is one of the last group, or of a new one. */
static void group_join(struct state *s, struct half *half) {
  struct groups *groups = &s->counting;
  if (!groups->count || groups->halves == GROUP_HALVES) {
    if (groups->count + 1 >= groups->capacity) {
      uint32_t capacity = groups->capacity ? 2 * groups->capacity : 16;
      groups->items = grown(s, groups->items, sizeof(struct group *), groups->capacity, capacity);
      groups->capacity = capacity;
    }
    struct group *group = groups->items[++groups->count] = cut(&s->memory, sizeof *group);
    *group = (struct group){.count = 0};
    groups->halves = 0;
  }
  groups->halves++;
  half->first = groups->count << GROUP_BITS;
}

static uint32_t counted_take(struct state *s, struct half *half) {
  if (!half->first) group_join(s, half);
  struct group *group = group_of(s, half);
  uint32_t piece = group->spare;
  if (piece) {
    group->spare = counted_at(s, half, piece)->many;
  } else {
    piece = ++group->count;
    struct counted **items = &group->items[piece / GROUP_PIECES];
    if (!*items) *items = cut(&s->memory, GROUP_PIECES * sizeof **items);
  }
  *counted_at(s, half, piece) = (struct counted){.times = never};
  return piece;
}

/* An empty one. */
static uint32_t piece_take(struct state *s, struct half *half) {
  return half->used.unit ? counted_take(s, half) : wide_take(s);
}

/* They are nobody's. */
static void pieces_give(struct state *s, struct half *half) {
  for (uint32_t next, piece = piece_first(half); piece; piece = next) {
    next = piece_after(s, half, piece);
    uint32_t *spare = half->used.unit ? &group_of(s, half)->spare : &s->wide.spare;
    *(half->used.unit ? &counted_at(s, half, piece)->many : wide_next(s, piece)) = *spare;
    *spare = piece;
  }
  half->first = half->used.unit ? half->first & ~(uint32_t)GROUP_MASK : 0;
}

/* ---- the buckets of a half ---- */

static struct bucket bucket_of(const struct state *s, const struct half *half, const struct counted *counted) {
  return (struct bucket){counted->times, (counted->many >> GROUP_BITS) * s->units[half->used.unit]};
}

/* What has come, by time, in any order: so many that count, */
static uint32_t counted_copy(const struct state *s, const struct half *half, struct counted out[1 << FEW]) {
  uint32_t count = 0;
  for (uint32_t k = 0; has_each(half) && k < 1 << FEW; k++)
    if (s->spread[half->first].counts[k].times.first != INFINITY) out[count++] = s->spread[half->first].counts[k];
  for (uint32_t piece = piece_first(half); piece; piece = piece_after(s, half, piece))
    out[count++] = *counted_at(s, half, piece);
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
    if (s->spread[half->first].all[k].times.first != INFINITY) out[count++] = s->spread[half->first].all[k];
  for (uint32_t piece = piece_first(half); piece; piece = piece_after(s, half, piece))
    out[count++] = *wide_at(s, piece);
  return count;
}

static void half_clear(struct state *s, struct half *half) {
  uint32_t count = has_each(half) ? 1u << MANY >> shift_of(half) : 0;
  for (uint32_t k = 0; half->used.unit && k < count; k++)
    s->spread[half->first].counts[k] = (struct counted){.times = never};
  for (uint32_t k = 0; !half->used.unit && k < count; k++)
    s->spread[half->first].all[k] = nothing;
  if (!has_each(half)) pieces_give(s, half);
}

uint8_t left_out_unit(struct state *s, double busy) {
  for (uint32_t k = s->unit_count; k > 0; k--)
    if (s->units[k] == busy) return (uint8_t)k;
  if (s->unit_count == UNITS) return NO_UNIT;
  s->units[++s->unit_count] = busy;
  return (uint8_t)s->unit_count;
}

uint32_t sender_length(struct state *s, double taken) {
  uint32_t k = s->length_count;
  while (k > 0 && s->lengths[k] != taken)
    k--;
  if (!k && s->length_count < LENGTHS) s->lengths[k = ++s->length_count] = taken;
  return (uint32_t)(k ? k : NO_LENGTH) << ALIKE_BITS;
}

static double *sum_at(const struct state *s, uint32_t number) {
  return &s->sums[(number - 1) >> CHUNK_BITS][(number - 1) % CHUNK];
}

static bool is_sum(uint32_t alike) { return alike && alike <= ALIKE_MOST; }

/* What is alike is added as it came: the sum is the same to the last digit. */
double sender_busy(struct state *s, const struct rank *rank) {
  if (is_sum(rank->alike)) return *sum_at(s, rank->alike);
  if (s->added.alike == rank->alike) return s->added.busy;
  double busy = 0, taken = s->lengths[rank->alike >> ALIKE_BITS];
  for (uint32_t many = rank->alike & ALIKE_MOST; many > 0; many--)
    busy += taken;
  s->added = (struct added){rank->alike, busy};
  return busy;
}

static uint32_t sum_new(struct state *s) {
  uint32_t chunk = s->sum_count >> CHUNK_BITS;
  if (s->sum_count == ALIKE_MOST) s->host->allocate(s->host, SIZE_MAX); /* that is too much */
  if (s->sum_count % CHUNK == 0) {
    if (chunk == s->sum_capacity) {
      s->sum_capacity = chunk ? 2 * chunk : 16;
      s->sums = grown(s, s->sums, sizeof *s->sums, chunk, s->sum_capacity);
    }
    s->sums[chunk] = s->host->allocate(s->host, CHUNK * sizeof **s->sums);
  }
  return ++s->sum_count;
}

void sender_unlike(struct state *s, struct rank *rank, uint32_t length, double taken) {
  if (!rank->alike && length >> ALIKE_BITS != NO_LENGTH) {
    rank->alike = length | 1;
    return;
  }
  if (!is_sum(rank->alike)) {
    double busy = sender_busy(s, rank);
    rank->alike = sum_new(s);
    *sum_at(s, rank->alike) = busy;
  }
  *sum_at(s, rank->alike) += taken;
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
  if (s->spread_count == s->spread_capacity) {
    s->spread_capacity = s->spread_count ? 2 * s->spread_count : 64;
    s->spread = grown(s, s->spread, sizeof *s->spread, s->spread_count, s->spread_capacity);
  }
  union spread *spread = &s->spread[half->first = s->spread_count++];
  if (half->used.unit)
    spread->counts = cut(&s->memory, count * sizeof *spread->counts);
  else
    spread->all = cut(&s->memory, count * sizeof *spread->all);
  half->used.place = place;
  half_clear(s, half);
}

static void half_open(struct state *s, struct half *half, uint8_t unit) {
  const struct rank *first = s->rank_chunks ? s->ranks[0] : NULL;
  bool many = false;
  for (uint32_t k = 0; k < MANY_NODES && first; k++)
    many |= half == &first[k].receives || (first[k].rare && half == &rare_of(&first[k])->sends);
  half->used.doublings = (uint8_t)s->span.doublings;
  bool more = s->counting.count < UINT32_MAX >> GROUP_BITS; /* groups have numbers */
  half->used.unit = many || unit == NO_UNIT || !more ? 0 : unit;
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
    counted_add((struct counted *)(void *)times, some[k].many >> GROUP_BITS);
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

/* The place of a bucket of a list, of which there are as many as of a few. */
static inline uint32_t piece_place(const struct state *s, const struct half *half, uint32_t piece) {
  return number_place(span_number(&s->span, piece_at(s, half, piece)->first), MANY - FEW);
}

/* The bucket of that place, made where nothing has come in it; it is the latest. */
static struct times *half_seek(struct state *s, struct half *half, uint32_t place) {
  if (has_each(half)) {
    union spread spread = s->spread[half->first];
    return half->used.unit ? &spread.counts[place].times : &spread.all[place].times;
  }
  uint32_t count = 0, before = 0, piece = piece_first(half);
  for (; piece && piece_place(s, half, piece) != place; piece = piece_after(s, half, piece)) {
    before = piece;
    count++;
  }
  if (count == SOME && !piece) {
    half_spread_some(s, half);
    return half_seek(s, half, place);
  }
  half->used.place = (uint16_t)place;
  if (piece && before) piece_follow(s, half, before, piece_after(s, half, piece));
  if (!piece) piece = piece_take(s, half);
  if (piece != piece_first(half)) piece_lead(s, half, piece);
  return piece_at(s, half, piece);
}

/* Its buckets do not count any more. */
static void half_widen(struct state *s, struct half *half) {
  struct bucket out[1 << MANY];
  uint32_t count = half_copy(s, half, out);
  uint16_t place = half->used.place;
  half_clear(s, half);
  half->used.unit = 0;
  half->first = 0;
  if (place >= EACH) half_spread(s, half, place);
  half_fill(s, half, out, count);
}

/* Its buckets are as long as they are now. */
static void half_lengthen(struct state *s, struct half *half) {
  struct counted counted[1 << FEW];
  uint64_t all = 0;
  uint32_t count = half->used.unit ? counted_copy(s, half, counted) : 0;
  for (uint32_t k = 0; k < count; k++)
    all += counted[k].many >> GROUP_BITS;
  if (all > COUNTED_MOST) half_widen(s, half);
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
  if (!half->used.unit || !counted_full((struct counted *)(void *)times)) return times;
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
  struct burden own = {sender_busy(s, rank), rank->sender.late};
  struct burden sends = rank->rare ? half_burden(s, &rare_of(rank)->sends) : (struct burden){0};
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
