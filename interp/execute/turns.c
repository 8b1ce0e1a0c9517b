/* Turns of a loop that are like the one before, many at once. */
#include "interp/execute/turns.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/execute/program.h"
#include "interp/execute/steps.h"
#include <float.h>
#include <string.h>

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

static inline double with_parts(double sum, const struct parts *parts) {
  for (uint32_t k = 0; k < parts->count; k++)
    sum += parts->of[k];
  return sum;
}

/* The sums stay in registers of the machine: a turn takes no longer than the longest of them. */
static void turns_add(const struct parts *seconds, const struct parts shares[ACTIVITIES], const struct parts *more,
                      uint64_t turns, struct state *state) {
  double clock = state->clock, compute = state->share[ACTIVITY_COMPUTE];
  double communicate = state->share[ACTIVITY_COMMUNICATE], wait = state->share[ACTIVITY_WAIT];
  for (uint64_t t = 0; t < turns; t++) {
    double before = clock;
    clock = with_parts(clock, seconds);
    compute = with_parts(compute, &shares[ACTIVITY_COMPUTE]);
    communicate = with_parts(communicate, &shares[ACTIVITY_COMMUNICATE]);
    wait = with_parts(wait, &shares[ACTIVITY_WAIT]);
    for (uint32_t s = 0; s < more->count; s++)
      state->vars[s] += more->of[s];
    state->still = clock > before ? 1 : state->still + 1;
  }
  state->clock = clock;
  state->share[ACTIVITY_COMPUTE] = compute;
  state->share[ACTIVITY_COMMUNICATE] = communicate;
  state->share[ACTIVITY_WAIT] = wait;
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
