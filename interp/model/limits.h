/* Limits that more than one file lives by; the check refuses what goes beyond them. */
#ifndef PSL_LIMITS_H
#define PSL_LIMITS_H

enum {
  EVALUATOR_ARGUMENTS = 16,    /* of a function of an evaluator */
  COMPONENT_INDICES = 64,      /* of a component, with those of the components around it */
  TRANSACTION_PARAMETERS = 64, /* each has a bit in masks of 64 bits */
  SELECTOR_CONJUNCTS = 64,     /* of a selector that reasons are given for; the rest is tested all the same */
  RECORDED_INSTANCES = 1000,   /* of a component: of more, records are those of all together alone */
  INLINE_DEPTH = 24,           /* of calls that are put in the place of each other in formulas and sets */
};
#endif
