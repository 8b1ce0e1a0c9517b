/* The tests of the executor's invariant, that virtual time is causal (executor.h). They are active in the sanitizer
 * build, and cost nothing in others. */
#ifndef PSL_CAUSALITY_H
#define PSL_CAUSALITY_H
#include "interp/execute/executor.h"

#if defined(__SANITIZE_ADDRESS__)
#define CAUSALITY_TESTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAUSALITY_TESTED 1
#endif
#endif
#ifndef CAUSALITY_TESTED
#define CAUSALITY_TESTED 0
#endif

/* Ends the program: `what` happens at a time at which it must not. */
void causality_broken(const struct executor *executor, const char *what, double time) __attribute__((noreturn));

/* Something that others see, or that depends on what they have done, happens at `time`: it must be now,
 * and if a process does it, its turn. */
static inline void happens_now(const struct executor *executor, const char *what, double time) {
  const struct process *running = executor->running;
  bool ahead = running && running->state == PROCESS_RUNNING && !has_turn(running);
  if (CAUSALITY_TESTED && (time != executor->now || ahead) && executor->stop == STOP_END && !executor->partition &&
      !executor->in_tasks)
    causality_broken(executor, what, time);
}

/* Something is to happen at `time`: that must not be over. */
static inline void happens_later(const struct executor *executor, const char *what, double time) {
  if (CAUSALITY_TESTED && !(time >= executor->now) && executor->stop == STOP_END && !executor->partition &&
      !executor->in_tasks)
    causality_broken(executor, what, time);
}

/* The process is about to take its turn: whoever is before it at this time has had one. */
void turn_follows(struct executor *executor, const struct process *process);

/* The results do not depend on which of those that may run ahead does. With PSL_SHUFFLE=NUMBER in the environment the
 * sanitizer build takes them by chance: one of `count`, and 0 else. */
uint32_t shuffled(struct executor *executor, uint32_t count);
static inline bool shuffled_away(struct executor *executor) { return CAUSALITY_TESTED && shuffled(executor, 4) == 1; }

/* Vars of an instance of the component are read or changed at `time`. */
static inline void state_used(struct executor *executor, const struct model_component *component, double time) {
  if (CAUSALITY_TESTED && component_shared(component) && !requests_alone(executor))
    happens_now(executor, "a look at what others see", time);
}

/* An attribute of an instance of the component is read at `time`. */
void attribute_used(const struct executor *executor, const struct model_component *component, const struct name *folded,
                    double time);
#endif
