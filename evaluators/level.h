/* A number that changes in time: its mean, and what is drawn of it. */
#ifndef PSL_LEVEL_H
#define PSL_LEVEL_H
#include "interp/include/evaluator.h"

struct level {
  double value, integral, since;
  struct psl_level *drawn; /* NULL: it is not */
  void (*draw)(struct psl_level *, double clock, double value);
};

static inline void level_set(struct level *level, double value, double clock) {
  if (clock > level->since) { /* it is set at 0 where it is met behind the warm-up first */
    level->integral += level->value * (clock - level->since);
    level->since = clock;
  }
  level->value = value;
  if (level->drawn) level->draw(level->drawn, clock, value);
}

/* From the beginning of the run, or of the figures, to the end. */
static inline double level_mean(const struct level *level, double from, double end) {
  return end > from ? (level->integral + level->value * (end - level->since)) / (end - from) : 0;
}

static inline void level_restart(struct level *level, double clock) {
  level->integral = 0;
  level->since = clock;
}
#endif
