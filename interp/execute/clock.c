/* Virtual time: how far it goes, and whether it goes on at all. Called wherever a clock moves, and by the scheduler. */
#include "interp/execute/machine.h"
#include <stdio.h>

bool clock_passed(struct machine *machine, double time, struct span span) {
  if (machine->options->max_time > 0)
    limits_look(machine, time);
  else
    machine_stop(machine, STOP_ERROR, span, "the clock would pass %g s, where virtual time ends", CLOCK_MOST);
  return false;
}

bool clock_refused(struct machine *machine, struct process *process, const struct wait *wait, double time,
                   double answer) {
  if (answer > CLOCK_MOST) return clock_passed(machine, answer, wait->span);
  const char *callee = wait->callee->name->text;
  if (answer < time)
    snprintf(machine->call.error, sizeof machine->call.error, "'%s', called at %g s, answers at %g s", callee, time,
             answer);
  else
    snprintf(machine->call.error, sizeof machine->call.error, "'%s' answers at a time that is no number", callee);
  evaluator_failed(machine, process, wait);
  return false;
}

uint64_t events_most(const struct machine *machine) {
  enum { LEAST = 10000000, EACH = 1000 };
  uint64_t most = (uint64_t)EACH * machine->graph->instance_count;
  return most > LEAST ? most : LEAST;
}

void livelock(struct machine *machine, uint64_t count, const char *what, uint32_t instance, double time,
              struct span span) {
  struct text who = {.arena = machine->arena}, when = {.arena = machine->arena};
  graph_instance_print(&who, machine->graph, instance);
  quantity_print(&when, &machine->model->types, time, machine->model->types.time->dimension, 6);
  machine_stop(machine, STOP_LIVELOCK, span, "livelock: %llu %s and the clock stands still at %s, in %s",
               (unsigned long long)count, what, when.data, who.data);
}
