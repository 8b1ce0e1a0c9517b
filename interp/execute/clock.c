/* Virtual time: how far it goes, and whether it goes on at all. Called wherever a clock moves, and by the scheduler. */
#include "interp/execute/executor.h"
#include <stdio.h>

bool clock_passed(struct executor *executor, double time, struct span span) {
  if (executor->options->max_time > 0)
    limits_look(executor, time);
  else
    executor_stop(executor, STOP_ERROR, span, "the clock would pass %g s, where virtual time ends", CLOCK_MOST);
  return false;
}

bool clock_refused(struct executor *executor, struct process *process, const struct wait *wait, double time,
                   double answer) {
  if (answer > CLOCK_MOST) return clock_passed(executor, answer, wait->span);
  const char *callee = wait->callee->name->text;
  if (answer < time)
    snprintf(executor->call.error, sizeof executor->call.error, "'%s', called at %g s, answers at %g s", callee, time,
             answer);
  else
    snprintf(executor->call.error, sizeof executor->call.error, "'%s' answers at a time that is no number", callee);
  evaluator_failed(executor, process, wait);
  return false;
}

uint64_t events_most(const struct executor *executor) {
  enum { LEAST = 10000000, EACH = 1000 };
  uint64_t most = (uint64_t)EACH * executor->graph->instance_count;
  return most > LEAST ? most : LEAST;
}

void livelock(struct executor *executor, uint64_t count, const char *what, uint32_t instance, double time,
              struct span span) {
  struct text who = {.arena = executor->arena}, when = {.arena = executor->arena};
  graph_instance_print(&who, executor->graph, instance);
  quantity_print(&when, &executor->model->types, time, executor->model->types.time->dimension, 6);
  executor_stop(executor, STOP_LIVELOCK, span, "livelock: %llu %s and the clock stands still at %s, in %s",
                (unsigned long long)count, what, when.data, who.data);
}
