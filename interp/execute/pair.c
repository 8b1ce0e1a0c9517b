/* Two calls of an evaluator as one, with the holds and firings between them: PAIR of compiled bodies (compile_pair.c).
 *
 * All is as if they were made one by one. What is odd is left to that: PAIR_APART, with nothing done. Firings, and
 * holds that are as long each time, are counted later (deferred.h). */
#include "interp/execute/host_time.h"
#include "interp/execute/program.h"
#include "interp/execute/steps.h"

static __attribute__((noinline)) void site_begin(struct executor *executor, struct pair_site *site) {
  site->run = executor->run;
  site->state = executor->evaluators[site->evaluator].state;
  site->made = 0;
  site->deferring = site->communicates && executor->deferring;
  site->alone = !site->hold_count && !site->fire_count && !site->spawns;
  site->next = executor->pairs;
  executor->pairs = site;
}

/* Makes both calls; PAIR_STOPPED: the run has been stopped by what was answered. */
static inline enum paired calls_make(struct executor *executor, struct process *process, struct pair_site *site,
                                     const union slot *registers, double later) {
  double begin = process->clock;
  for (const struct pair_varying *v = site->varying, *end = v + site->varying_count; v < end; v++)
    site->arguments[v->place].integer = registers[v->reg].integer;
  process->wait = site->first;
  struct psl_call *call =
      call_prepare(executor, process, (uint32_t)registers[site->instance].integer, begin, false, NULL, site->arguments);
  if (!site->call(site->state, call, later)) return PAIR_APART;
  if (call->clock != begin) {
    if (!clock_answered(executor, process, site->first, begin, call->clock)) return PAIR_STOPPED;
    process_answer_until(executor, process, call->clock);
  }
  return PAIR_MADE;
}

static inline enum paired answered(struct executor *executor, struct process *process, const struct pair_site *site,
                                   union slot *out) {
  const struct psl_call *call = &executor->call;
  *out = (union slot){.integer = call->result.integer};
  if (site->answers_real && !evaluator_result(executor, process, site->second, call->result)) return PAIR_STOPPED;
  return executor_stopped(executor) ? PAIR_STOPPED : PAIR_MADE;
}

/* Can a process be spawned now? */
static inline bool may_spawn(struct executor *executor) {
  return executor->nest < PASSES_DEEP && !shuffled_away(executor);
}

static inline void own_hold(struct process *process, double seconds) {
  double begin = process->clock;
  process->share[ACTIVITY_COMMUNICATE] += seconds;
  process->clock += seconds;
  if (process->clock > begin) process->still = 0;
}

/* What others see of a process that is spawned, which lasts till `end`. */
static inline void spawned(struct executor *executor, double begin, double end) {
  standstill_count(&executor->ahead_still, begin);
  if (end > executor->makespan) executor->makespan = end;
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
  return answered(executor, process, site, out);
}

/* Holds that last as long each time. */
static inline enum paired pair_known(struct executor *executor, struct process *process, struct pair_site *site,
                                     const union slot *registers, union slot *out) {
  const struct pair_hold *hold = site->holds, *own = hold + site->own_count, *end = hold + site->hold_count;
  double later = process->clock;
  for (; hold < end; hold++)
    later += hold->seconds;
  if (!(later <= CLOCK_MOST)) return PAIR_APART;
  enum paired paired = calls_make(executor, process, site, registers, later);
  if (paired != PAIR_MADE) return paired;
  site->made++;
  for (hold = site->holds; hold < own; hold++)
    own_hold(process, hold->seconds);
  if (site->spawns) spawned(executor, process->clock, later > process->clock ? later : process->clock);
  return answered(executor, process, site, out);
}

/* Holds that last as long as it comes. */
static inline enum paired pair_varying(struct executor *executor, struct process *process, struct pair_site *site,
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
    deferred_add(executor, &hold->deferred, hold->component, ACTIVITY_COMMUNICATE, seconds);
    if (hold < own) own_hold(process, seconds);
  }
  if (site->spawns) spawned(executor, process->clock, later > process->clock ? later : process->clock);
  return answered(executor, process, site, out);
}

static inline enum paired pair_alone(struct executor *executor, struct process *process, struct pair_site *site,
                                     const union slot *registers, union slot *out) {
  enum paired paired = calls_make(executor, process, site, registers, process->clock);
  if (paired != PAIR_MADE) return paired;
  site->made++;
  return answered(executor, process, site, out);
}

enum paired pair_make(struct executor *executor, struct process *process, struct pair_site *site,
                      const union slot *registers, union slot *out) {
  if (process->ordered || process->cancellable) return PAIR_APART;
  if (site->run != executor->run) site_begin(executor, site);
  if (!site->deferring) return pair_counted(executor, process, site, registers, out);
  if (site->alone) return pair_alone(executor, process, site, registers, out);
  if (site->spawns && !may_spawn(executor)) return PAIR_APART;
  return site->known ? pair_known(executor, process, site, registers, out)
                     : pair_varying(executor, process, site, registers, out);
}
