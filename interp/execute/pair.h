/* Two calls of an evaluator as one, with the holds and firings between them: PAIR of compiled bodies (compile_pair.c).
 *
 * All is as if they were made one by one. What is odd is left to that: PAIR_APART, with nothing done. Firings, and
 * holds that are as long each time, are counted later (deferred.h). What is mostly so is in line here: each known hold
 * is the only one of its process, and the evaluator has prepared its arguments once. The rest is in pair.c. */
#ifndef PSL_PAIR_H
#define PSL_PAIR_H
#include "interp/execute/program.h"
#include "interp/execute/steps.h"

enum paired { PAIR_APART, PAIR_MADE, PAIR_WAITS, PAIR_STOPPED };

enum paired pair_make_whole(struct executor *executor, struct process *process, struct pair_site *site,
                            const union slot *registers, union slot *out);
/* The evaluator has called neither, or the process waits in the first as it does where that is called by itself. */
enum paired pair_not_made(struct executor *executor, struct process *process, enum psl_status status);
/* Of a process that waits in the first. */
const struct pair_site *pair_waiting(const struct frame *frame);
/* It has waited there, with nothing between the two, and the evaluator has answered both. */
void pair_ended(struct executor *executor, struct process *process, struct pair_site *site);
/* The process has waited in the first; false: the run has been stopped. */
bool pair_waited(struct executor *executor, struct process *process, const struct pair_site *site);

/* The same of a pair's stand-in. */
enum paired pair_ahead_not_made(struct executor *executor, struct process *process, const struct pair_site *site,
                                enum psl_status status);
/* It is not as it mostly is: PAIR_APART. */
enum paired pair_ahead_left(struct executor *executor, struct pair_site *site);
/* The run has been stopped, in its first call: PAIR_STOPPED. */
enum paired pair_ahead_stopped(struct executor *executor, const struct pair_site *site, double clock);

/* Has the evaluator make both, the first at the process's clock. */
static inline enum psl_status pair_call(struct executor *executor, struct process *process,
                                        const struct pair_site *site, const union slot *registers, double later) {
  struct psl_call *call =
      call_prepare(executor, process, (uint32_t)registers[site->instance].integer, process->clock, false, NULL, NULL);
  union psl_number first = {.integer = registers[site->numbers[0]].integer},
                   second = {.integer = registers[site->numbers[1]].integer};
  process->wait = site->first;
  process->state = PROCESS_EVALUATOR;
  call->paired = site->direct;
  return site->call(site->state, site->prepared, call, first, second, later);
}

static inline enum paired pair_answered(struct executor *executor, struct process *process,
                                        const struct pair_site *site, union slot *out) {
  const struct psl_call *call = &executor->call;
  out->integer = call->result.integer;
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

/* What others see of a process that is spawned, which lasts till `end` or its beginning. */
static inline void spawned(struct executor *executor, double begin, double end) {
  executor->starts++;
  if (!(end > begin)) end = begin;
  if (end > executor->makespan) executor->makespan = end;
}

/* Makes both calls of a pair at the process's clock, or none, or the first, in which it waits. */
static inline enum paired pair_make(struct executor *executor, struct process *process, struct pair_site *site,
                                    const union slot *registers, union slot *out) {
  double begin = process->clock, later = begin + site->own_hold + site->spawned_hold;
  if (site->brief != executor->run || process->ordered || process->cancellable || !(later <= CLOCK_MOST) ||
      (site->spawns && !may_spawn(executor)))
    return pair_make_whole(executor, process, site, registers, out);
  enum psl_status status = pair_call(executor, process, site, registers, later);
  if (status != PSL_DONE) return pair_not_made(executor, process, status);
  process->state = PROCESS_RUNNING;
  if (executor->call.clock != begin && !pair_waited(executor, process, site)) return PAIR_STOPPED;
  site->made++;
  if (site->own_hold > 0) own_hold(process, site->own_hold);
  if (site->spawns) spawned(executor, process->clock, later);
  return pair_answered(executor, process, site, out);
}

/* ---- stand-ins: PAIR_DIRECT, PAIR_HELD ---- */

static inline bool ahead_brief(const struct executor *executor, const struct process *process,
                               const struct pair_site *site) {
  return site->brief == executor->run && !(process->ordered | process->cancellable);
}

/* Tells the evaluator no more than it needs for both. */
static inline enum psl_status ahead_call(struct executor *executor, struct process *process,
                                         const struct pair_site *site, const union slot *registers, double later,
                                         bool paired) {
  struct psl_call *call = &executor->call;
  union psl_number first = {.integer = registers[site->numbers[0]].integer},
                   second = {.integer = registers[site->numbers[1]].integer};
  call->process = process->id;
  call->clock = process->clock;
  if (executor->more) call->queued = executor->more[process->id].queued; /* else it always is 0 */
  call->ordered = false;
  call->paired = paired;
  process->wait = site->first;
  process->state = PROCESS_EVALUATOR;
  return site->call(site->state, site->prepared, call, first, second, later);
}

/* Nothing between the calls. */
static inline enum paired pair_direct(struct executor *executor, struct process *process, struct pair_site *site,
                                      const union slot *registers, union slot *out) {
  double begin = process->clock;
  if (!ahead_brief(executor, process, site)) return pair_ahead_left(executor, site);
  enum psl_status status = ahead_call(executor, process, site, registers, begin, true);
  if (status != PSL_DONE) return pair_ahead_not_made(executor, process, site, status);
  process->state = PROCESS_RUNNING;
  if (executor->call.clock != begin && !pair_waited(executor, process, site))
    return pair_ahead_stopped(executor, site, begin);
  site->made++;
  return pair_answered(executor, process, site, out);
}

/* A hold of the process between the calls, and one of what it spawns, which makes the second. */
static inline enum paired pair_held(struct executor *executor, struct process *process, struct pair_site *site,
                                    const union slot *registers, union slot *out) {
  double later = process->clock + site->own_hold + site->spawned_hold;
  if (!ahead_brief(executor, process, site) || !(later <= CLOCK_MOST) || !may_spawn(executor))
    return pair_ahead_left(executor, site);
  enum psl_status status = ahead_call(executor, process, site, registers, later, false);
  if (status != PSL_DONE) return pair_ahead_not_made(executor, process, site, status);
  process->state = PROCESS_RUNNING;
  site->made++;
  own_hold(process, site->own_hold);
  spawned(executor, process->clock, later);
  out->integer = executor->call.result.integer;
  return executor_stopped(executor) ? PAIR_STOPPED : PAIR_MADE;
}
#endif
