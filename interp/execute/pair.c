/* Pairs of calls, where not all is as it mostly is: see pair.h. */
#include "interp/execute/pair.h"
#include "interp/execute/host_time.h"

/* May all be as it mostly is in this run? */
static bool is_brief(const struct pair_site *site) {
  return site->deferring && !site->refused && !site->varying_count && site->known && site->own_count <= 1 &&
         site->hold_count - site->own_count <= 1;
}

static __attribute__((noinline)) void site_begin(struct executor *executor, struct pair_site *site) {
  site->run = executor->run;
  site->state = executor->evaluators[site->evaluator].state;
  site->made = 0;
  site->deferring = site->communicates && executor->deferring;
  site->refused =
      site->pair->prepare && !site->varying_count && !site->pair->prepare(site->state, site->arguments, site->prepared);
  if (is_brief(site)) {
    site->brief = site->run;
    site->own_hold = site->own_count ? site->holds[0].seconds : 0;
    site->spawned_hold = site->hold_count > site->own_count ? site->holds[site->own_count].seconds : 0;
  }
  site->next = executor->pairs;
  executor->pairs = site;
  if (site->then && site->then->run != site->run) site_begin(executor, site->then);
}

enum paired pair_not_made(struct executor *executor, struct process *process, enum psl_status status) {
  if (status == PSL_BLOCKED) {
    process_blocked(executor, process);
    return PAIR_WAITS;
  }
  process->state = PROCESS_RUNNING;
  return PAIR_APART;
}

enum paired pair_ahead_not_made(struct executor *executor, struct process *process, const struct pair_site *site,
                                enum psl_status status) {
  if (status == PSL_BLOCKED) fire(executor, site->component, process->clock); /* the rest is the pair's own */
  return pair_not_made(executor, process, status);
}

__attribute__((noinline)) enum paired pair_ahead_left(struct executor *executor, struct pair_site *site) {
  if (site->run != executor->run) site_begin(executor, site);
  return PAIR_APART;
}

enum paired pair_ahead_stopped(struct executor *executor, const struct pair_site *site, double clock) {
  fire(executor, site->component, clock);
  return PAIR_STOPPED;
}

/* The calls by themselves stand behind the pair. */
const struct pair_site *pair_waiting(const struct frame *frame) {
  return frame->body->program->code[frame->at - PAIR_LENGTH].site;
}

void pair_ended(struct executor *executor, struct process *process, struct pair_site *site) {
  if (site->place) site->place->apart--; /* as it was taken to be when the first began to wait */
  if (site->deferring) {
    site->made++;
    return;
  }
  for (uint32_t k = 0; k < site->fire_count; k++)
    fire(executor, site->fires[k].component, process->clock);
  executor->paired_calls += 2;
  if (site->place) site->place->paired++;
}

bool pair_waited(struct executor *executor, struct process *process, const struct pair_site *site) {
  double clock = executor->call.clock;
  if (!clock_answered(executor, process, site->first, process->clock, clock)) return false;
  process_answer_until(executor, process, clock);
  return true;
}

/* Has the evaluator prepared the arguments? */
static bool is_prepared(struct pair_site *site, const union slot *registers) {
  if (!site->varying_count) return !site->refused;
  for (const struct varying *v = site->varying, *end = v + site->varying_count; v < end; v++)
    site->arguments[v->place].integer = registers[v->reg].integer;
  return !site->pair->prepare || site->pair->prepare(site->state, site->arguments, site->prepared);
}

/* Makes both calls; PAIR_STOPPED: the run has been stopped by what was answered. */
static inline enum paired calls_make(struct executor *executor, struct process *process, struct pair_site *site,
                                     const union slot *registers, double later) {
  if (!is_prepared(site, registers)) return PAIR_APART;
  double begin = process->clock;
  enum psl_status status = pair_call(executor, process, site, registers, later);
  if (status != PSL_DONE) return pair_not_made(executor, process, status);
  process->state = PROCESS_RUNNING;
  return executor->call.clock == begin || pair_waited(executor, process, site) ? PAIR_MADE : PAIR_STOPPED;
}

/* Gives when each hold ends, from `begin` on. False: not all of them can be done. */
static bool times_find(const struct pair_site *site, const union slot *registers, double *times, double begin) {
  bool fine = true;
  times[0] = begin;
  for (uint32_t k = 0; k < site->hold_count; k++) {
    double seconds = registers[site->holds[k].reg].real;
    fine &= seconds >= 0;
    times[k + 1] = times[k] + seconds;
  }
  return fine && times[site->hold_count] <= CLOCK_MOST;
}

/* Where something is to be counted at once. */
static __attribute__((noinline)) enum paired pair_counted(struct executor *executor, struct process *process,
                                                          struct pair_site *site, const union slot *registers,
                                                          union slot *out) {
  double times[PAIR_STEPS + 1];
  if (executor->options->trace || (site->spawns && !may_spawn(executor))) return PAIR_APART;
  if (!times_find(site, registers, times, process->clock)) return PAIR_APART;
  enum paired paired = calls_make(executor, process, site, registers, times[site->hold_count]);
  if (paired != PAIR_MADE) return paired;
  times_find(site, registers, times, process->clock);
  for (uint32_t k = 0; k < site->hold_count; k++) {
    const struct pair_hold *hold = &site->holds[k];
    hold_count(executor, k < site->own_count ? process : NULL, hold->component, activity_in(process, hold->activity),
               registers[hold->reg].real, times[k], times[k + 1]);
  }
  for (uint32_t k = 0; k < site->fire_count; k++)
    fire(executor, site->fires[k].component, times[site->fires[k].behind]);
  process->clock = times[site->own_count];
  executor->events_done += site->spawns;
  executor->paired_calls += 2;
  if (site->place) site->place->paired++;
  if (site->spawns) spawned(executor, process->clock, times[site->hold_count]);
  return pair_answered(executor, process, site, out);
}

/* Any number of holds, which last as long as it comes; those that are known are counted later. */
static inline enum paired pair_deferred(struct executor *executor, struct process *process, struct pair_site *site,
                                        const union slot *registers, union slot *out) {
  struct pair_hold *hold = site->holds, *own = hold + site->own_count, *end = hold + site->hold_count;
  double later = process->clock;
  for (; hold < end; hold++) {
    double seconds = registers[hold->reg].real;
    later = seconds >= 0 ? later + seconds : INFINITY;
  }
  if (!(later <= CLOCK_MOST)) return PAIR_APART;
  enum paired paired = calls_make(executor, process, site, registers, later);
  if (paired != PAIR_MADE) return paired;
  site->made++;
  for (hold = site->holds; hold < end; hold++) {
    double seconds = registers[hold->reg].real;
    if (!site->known) deferred_add(executor, &hold->deferred, hold->component, ACTIVITY_COMMUNICATE, seconds);
    if (hold < own) own_hold(process, seconds);
  }
  if (site->spawns) spawned(executor, process->clock, later);
  return pair_answered(executor, process, site, out);
}

enum paired pair_make_whole(struct executor *executor, struct process *process, struct pair_site *site,
                            const union slot *registers, union slot *out) {
  if (process->ordered || process->cancellable) return PAIR_APART;
  if (site->run != executor->run) site_begin(executor, site);
  if (!site->deferring) return pair_counted(executor, process, site, registers, out);
  if (site->spawns && !may_spawn(executor)) return PAIR_APART;
  return pair_deferred(executor, process, site, registers, out);
}
