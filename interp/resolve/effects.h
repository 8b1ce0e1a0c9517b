/* Which params can affect what a system's run gives. */
#ifndef PSL_EFFECTS_H
#define PSL_EFFECTS_H
#include "interp/model/model.h"

enum effect {
  EFFECT_NONE,   /* nothing that the system runs reads the param */
  EFFECT_CHECK,  /* only assertions and ranges of params do: they can refuse a value, not change a result */
  EFFECT_RESULT, /* something does */
};

/* Params of components that a result reads, and in whose values no param of the model is read. */
struct effects_fixed {
  const struct symbol **items;
  uint32_t count, capacity;
};

struct effects_options { /* zero is a good value for each */
  bool deny_lossy;
  /* Params whose values are not those that they have now: what depends on them may be anything. What is said
   * then holds for all their values. */
  struct symbol *const *open;
  uint32_t open_count;
  const struct expr *const *read; /* these are read, too: what a study makes of the results */
  uint32_t read_count;
  struct effects_fixed *fixed; /* filled in, if it is there; an item is made in the arena of effects_of */
};

/* By place in model->params. The model is bound. It holds for the present settings of all params but one: a
 * param that has no effect has none whatever its value, as long as the others keep theirs. Where it cannot
 * be said a param has an effect. */
const enum effect *effects_of(struct model *model, struct arena *arena, struct model_component *system,
                              const struct effects_options *options);
/* Sets those of the components, by id, that a request of the system may reach whatever the params are. */
void effects_reached(struct model *model, struct arena *arena, struct model_component *system, bool *components);
/* The first of the params that the value of the expression depends on, through lets, functions and the
 * params' own values as well; NULL: it depends on none of them. */
struct symbol *effects_reads(struct arena *scratch, const struct expr *expr, struct symbol *const *params,
                             uint32_t count);

/* ---- choices.c ---- */

/* Notes a component of the user's own, as a machine, whose figures the expression does not have since nobody set the
 * param that chooses one. The expression was evaluated. */
void choices_note(struct model *model, struct arena *scratch, const struct expr *answered);
#endif
