/* Turns of a loop that are like the one before, many at once. */
#include "interp/execute/turns.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/execute/program.h"
#include "interp/execute/steps.h"
#include <float.h>
#include <string.h>

enum { LEAP = 4 }; /* turns that are worth to be made by a product */

#define WRAP(x, op, y) ((int64_t)((uint64_t)(x)op(uint64_t)(y)))

/* The value of the turn whose variable is `x`. */
static int64_t value_at(const struct turns_site *site, const union slot *registers, int64_t x) {
  for (const struct turns_link *link = site->chain, *end = link + site->chain_count; link < end; link++) {
    int64_t other = registers[link->other].integer;
    switch ((enum operation)link->op) {
    case DO_ADD: x = WRAP(x, +, other); break;
    case DO_SUB: x = link->behind ? WRAP(other, -, x) : WRAP(x, -, other); break;
    case DO_MUL: x = WRAP(x, *, other); break;
    case DO_DIV: int_divide(x, other, &x); break;
    case DO_DIV_SHIFT: x >>= link->whole; break;
    case DO_INT_MIN: x = other < x ? other : x; break;
    default: x = other > x ? other : x; break; /* INT_MAX */
    }
  }
  return x;
}

/* How many turns from this one on have the value that is kept, of `most`. */
static uint64_t alike(const struct turns_site *site, const union slot *registers, uint64_t most) {
  int64_t at = registers[site->variable].integer, step = registers[site->step].integer;
  int64_t kept = registers[site->kept].integer;
  if (value_at(site, registers, at) != kept) return 0;
  if (value_at(site, registers, at + (int64_t)(most - 1) * step) == kept) return most;
  uint64_t are = 1, end = most; /* so many have it, and not the last of so many */
  while (are + 1 < end) {
    uint64_t tried = are + (end - are) / 2;
    if (value_at(site, registers, at + (int64_t)(tried - 1) * step) == kept)
      are = tried;
    else
      end = tried;
  }
  return are;
}

/* Is each hold for as long as the last time, and is all counted later? */
static bool holds_known(const struct executor *executor, const struct process *process, const struct turns_site *site,
                        const union slot *registers) {
  for (uint32_t h = 0; h < site->held_count; h++) {
    const struct held *held = site->held[h].held;
    if (!deferred_again(executor, &held->deferred, registers[site->held[h].reg].real) ||
        activity_in(process, held->activity) != held->activity)
      return false;
  }
  return executor->all_counts;
}

/* Of what the turns change. */
struct state {
  double clock, share[ACTIVITIES], vars[TURNS_SUMS];
  uint32_t still;
};

struct parts { /* of a sum, in each turn */
  uint32_t count;
  double of[TURNS_HELD];
};

static inline double with_parts(double sum, const double *parts, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    sum += parts[k];
  return sum;
}

/* The sign and the exponent: those of all numbers from one power of two up to the next. */
static uint64_t scale_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits >> 52;
}

/* The first number beyond those of the scale. */
static double scale_end(uint64_t scale) {
  uint64_t bits = (scale + 1) << 52;
  double end;
  memcpy(&end, &bits, sizeof end);
  return end;
}

/* A sum to which the same parts are added in each of so many turns; `still`: how many of the last have left it as it
 * was.
 *
 * Up to the next power of two all sums are multiples of one unit, to which each step rounds: a part comes to the same
 * number of units each time, or, where it lies in the middle between two, to that with which the sum is even. From
 * there all that follows is even or odd as it was the turn before. So the second turn of two adds what each that
 * follows adds, and the product of that is exact as long as the sum stays below the power of two. */
static double sum_turns(double sum, const double *parts, uint32_t count, uint64_t turns, uint32_t *still) {
  bool grows = true;
  for (uint32_t k = 0; k < count; k++)
    grows &= parts[k] >= 0;
  while (turns && count) {
    double first = with_parts(sum, parts, count), second, each, last;
    *still = first > sum ? 1 : *still + 1;
    if (--turns < LEAP || !grows || !(sum > 0)) {
      sum = first;
      continue;
    }
    second = with_parts(first, parts, count);
    each = second - first;
    *still = each > 0 ? 1 : *still + 1;
    turns--;
    uint64_t scale = scale_of(sum), leap = turns;
    sum = second;
    if (scale_of(second) != scale) continue;
    last = second + (double)leap * each;
    if (scale_of(last) != scale) {
      double fit = (scale_end(scale) - second) / each - 1; /* one less than there may be: the quotient is rounded */
      if (!(fit >= 1)) continue;
      leap = fit < (double)leap ? (uint64_t)fit : leap;
      last = second + (double)leap * each;
    }
    *still = each > 0 ? 1 : *still + (uint32_t)leap;
    turns -= leap;
    sum = last;
  }
  return sum;
}

static void turns_add(const struct parts *seconds, const struct parts shares[ACTIVITIES], const struct parts *more,
                      uint64_t turns, struct state *state) {
  uint32_t unused = 0;
  state->clock = sum_turns(state->clock, seconds->of, seconds->count, turns, &state->still);
  for (uint32_t a = 0; a < ACTIVITIES; a++)
    if (shares[a].count) state->share[a] = sum_turns(state->share[a], shares[a].of, shares[a].count, turns, &unused);
  for (uint32_t s = 0; s < more->count; s++)
    state->vars[s] = sum_turns(state->vars[s], &more->of[s], 1, turns, &unused);
}

static bool can_be(const struct state *state, uint32_t sums) {
  bool fine = state->clock <= CLOCK_MOST;
  for (uint32_t s = 0; s < sums; s++)
    fine &= fabs(state->vars[s]) <= DBL_MAX;
  return fine;
}

/* So many turns could come before one that looks whether somebody wants the end, and before the last of the loop. */
static uint64_t turns_most(const struct executor *executor, const struct process *process,
                           const struct turns_site *site, const union slot *registers) {
  int64_t at = registers[site->variable].integer, high = registers[site->high].integer;
  int64_t step = registers[site->step].integer;
  if (step <= 0 || at >= high || executor->turns >= executor->look_at || process->still >= STILL_LIMIT) return 0;
  uint64_t most = ((uint64_t)high - (uint64_t)at) / (uint64_t)step;
  uint64_t looks = executor->look_at - executor->turns - 1, stands = STILL_LIMIT - process->still - 1;
  most = most < looks ? most : looks;
  return most < stands ? most : stands;
}

double turns_make(struct executor *executor, struct process *process, const struct turns_site *site,
                  union slot *registers, double clock) {
  uint64_t most = turns_most(executor, process, site, registers);
  if (most < 2 || !holds_known(executor, process, site, registers)) return clock;
  uint64_t turns = alike(site, registers, most);
  if (turns < 2) return clock;
  struct value *vars[TURNS_SUMS];
  struct parts seconds, shares[ACTIVITIES], more;
  struct state state = {.clock = clock, .still = process->still};
  memcpy(state.share, process->share, sizeof state.share);
  seconds.count = more.count = 0;
  for (uint32_t a = 0; a < ACTIVITIES; a++)
    shares[a].count = 0;
  for (uint32_t h = 0; h < site->held_count; h++) {
    double part = registers[site->held[h].reg].real;
    struct parts *share = &shares[site->held[h].held->activity];
    seconds.of[seconds.count++] = part;
    share->of[share->count++] = part;
  }
  for (uint32_t s = 0; s < site->sum_count; s++) {
    const struct turns_sum *sum = &site->sums[s];
    vars[s] = &site_var(executor, sum->site, (uint32_t)registers[sum->instance].integer)->value;
    if (vars[s]->kind != VALUE_REAL) return clock;
    state_used(executor, sum->site->component, clock);
    state.vars[s] = vars[s]->real;
    more.of[more.count++] = registers[sum->more].real;
  }
  turns_add(&seconds, shares, &more, turns, &state);
  if (!can_be(&state, site->sum_count)) return clock;
  for (uint32_t s = 0; s < site->sum_count; s++)
    vars[s]->real = state.vars[s];
  for (uint32_t h = 0; h < site->held_count; h++) {
    struct held *held = site->held[h].held;
    held->deferred.times += turns;
    if (held->fires) executor->fired[held->component] += turns;
  }
  memcpy(process->share, state.share, sizeof state.share);
  process->still = state.still;
  executor->turns += turns;
  registers[site->variable].integer += (int64_t)turns * registers[site->step].integer;
  return state.clock;
}
