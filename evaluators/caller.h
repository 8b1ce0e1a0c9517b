/* The component instance whose body calls a function of an evaluator: its name, and an array with a place for it. */
#ifndef PSL_CALLER_H
#define PSL_CALLER_H
#include "interp/include/evaluator.h"
#include <string.h>

static inline const char *name_of(struct psl_host *host, const struct psl_call *call) {
  return host->name(host, call->instance);
}

/* An array of pointers, the old one or a copy of it, that has the place; what is new in it is NULL. */
static inline void *reached(struct psl_host *host, void *array, uint32_t *capacity, uint32_t place) {
  uint32_t wanted = *capacity ? *capacity : 64;
  if (place < *capacity) return array;
  while (wanted <= place)
    wanted *= 2;
  void *grown = host->allocate(host, wanted * sizeof(void *));
  if (*capacity) memcpy(grown, array, *capacity * sizeof(void *));
  *capacity = wanted;
  return grown;
}
#endif
