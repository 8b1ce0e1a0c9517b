/* Deferred counts of holds and of pairs of calls: see deferred.h. */
#include "interp/execute/deferred.h"
#include "interp/execute/host_time.h"
#include "interp/execute/program.h"

void deferred_count(struct executor *executor, struct deferred *deferred) {
  if (deferred->times) sum_add_times(deferred->to, deferred->seconds, (double)deferred->times);
  executor->events_done += deferred->times;
  deferred->times = 0;
}

void deferred_change(struct executor *executor, struct deferred *deferred, struct sum *to, double seconds) {
  if (deferred->run == executor->run) {
    deferred_count(executor, deferred);
  } else {
    *deferred = (struct deferred){.run = executor->run, .next = executor->deferred};
    executor->deferred = deferred;
  }
  deferred->to = to;
  deferred->seconds = seconds;
  sum_add(to, seconds);
  executor->events_done++;
}

static void pair_count(struct executor *executor, struct pair_site *site) {
  for (uint32_t k = 0; site->known && k < site->hold_count; k++) {
    const struct pair_hold *hold = &site->holds[k];
    sum_add_times(&executor->spent[ACTIVITIES * hold->component + ACTIVITY_COMMUNICATE], hold->seconds,
                  (double)site->made);
  }
  for (uint32_t k = 0; k < site->fire_count; k++)
    executor->fired[site->fires[k].component] += site->made;
  executor->events_done += ((site->known ? site->hold_count : 0) + site->spawns) * site->made;
  executor->paired_calls += 2 * site->made;
  if (site->place) site->place->paired += site->made;
  site->made = 0;
}

void deferred_counts(struct executor *executor) {
  for (struct deferred *deferred = executor->deferred; deferred; deferred = deferred->next)
    deferred_count(executor, deferred);
  for (struct pair_site *site = executor->pairs; site; site = site->next)
    if (site->made) pair_count(executor, site);
}

uint64_t firings_of(struct executor *executor) {
  uint64_t firings = 0;
  deferred_counts(executor);
  for (uint32_t c = 0; c < executor->graph->there_count; c++)
    firings += executor->fired[executor->graph->there[c]->component->id];
  return firings;
}
