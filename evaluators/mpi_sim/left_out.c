/* Network interfaces that the network leaves out: by how much messages would go later that come to one at one time.
 *
 * An interface passes one message after another. Those that come to it from some time on keep it busy from then on for
 * as long as all of them take, and the last of them leaves it no earlier, whatever their order. What comes in a short
 * time is counted together, in a bucket; when the run is over the buckets pass the interface one after another. Where
 * it is idle between two of them a new burst of messages begins: each has a last one, which waits. */
#include "evaluators/mpi_sim/state.h"
#include <float.h>
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

static void half_open(struct state *s, struct half *half) {
  bool many = false;
  for (uint32_t k = 0; k < MANY_NODES && s->ranks[0]; k++)
    many |= half == &s->ranks[0][k].sends || half == &s->ranks[0][k].receives;
  half->mask = (uint16_t)((1 << (many ? MANY : FEW)) - 1);
  half->shift = many ? 0 : MANY - FEW;
  half->buckets = cut(&s->memory, (half->mask + 1u) * sizeof *half->buckets);
  for (uint32_t k = 0; k <= half->mask; k++)
    half->buckets[k] = nothing;
}

/* Its buckets are as long as they are now. */
static void half_lengthen(struct state *s, struct half *half) {
  half->doublings = s->span.doublings;
  if (!half->buckets) {
    half_open(s, half);
    return;
  }
  struct bucket old[1 << MANY];
  memcpy(old, half->buckets, (half->mask + 1u) * sizeof *old);
  for (uint32_t k = 0; k <= half->mask; k++)
    half->buckets[k] = nothing;
  for (uint32_t k = 0; k <= half->mask; k++) {
    if (old[k].first == INFINITY) continue;
    uint32_t place = half_place(half, span_number(&s->span, old[k].first));
    bucket_add(&half->buckets[place], old[k].first, old[k].last, old[k].busy);
  }
}

bool left_out_reach(struct state *s, struct half *half, double clock) {
  if (clock < s->host->begin) return false;
  if (!(clock >= s->span.begin && clock < s->span.end)) span_reach(&s->span, clock);
  if (half->doublings != s->span.doublings) half_lengthen(s, half);
  return true;
}

/* ---- the run is over ---- */

struct burden { /* what half an interface had to do, s */
  double busy;
  double late; /* by how much the last messages of its bursts would go later in all, at least */
};

static struct burden half_burden(struct state *s, struct half *half) {
  struct burden all = {0};
  double end = 0, last = 0, late = 0;
  if (!half->buckets) return all;
  if (half->doublings != s->span.doublings) half_lengthen(s, half);
  uint32_t from = half_place(half, span_number(&s->span, s->span.begin));
  for (uint32_t k = 0; k <= half->mask; k++) {
    const struct bucket *b = &half->buckets[(from + k) & half->mask];
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

struct interfaces {   /* s */
  double busiest;     /* for how long half an interface has to be busy at least */
  double least;       /* for how long at least until the last byte is there */
  struct burden most; /* of that whose messages would go latest */
};

static void burden_find(const struct state *s, const struct burden *burden, struct interfaces *all) {
  all->busiest = later_of(all->busiest, burden->busy);
  all->least = later_of(all->least, burden->busy - s->after);
  if (burden->late > all->most.late) all->most = *burden;
}

static void rank_find(struct state *s, struct rank *rank, struct interfaces *all) {
  struct burden own = {rank->sender.busy, rank->sender.late};
  struct burden sends = half_burden(s, &rank->sends), receives = half_burden(s, &rank->receives);
  own.busy = sends.busy += own.busy; /* one half has both to do */
  burden_find(s, &own, all);
  burden_find(s, &sends, all);
  burden_find(s, &receives, all);
}

static struct interfaces interfaces_find(struct state *s) {
  struct interfaces all = {0};
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
