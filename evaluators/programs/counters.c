/* Names are made once for all operations of which the same counters have counted. */
#include "evaluators/programs/counters.h"
#include "evaluators/programs/lists.h"

#include <stdio.h>

void counts_add(struct counts *counts, uint32_t counter, double count) {
  uint64_t bit = UINT64_C(1) << counter;
  counts->of[counter] = count + (counts->mask & bit ? counts->of[counter] : 0);
  counts->mask |= bit;
}

static char *names_make(uint64_t mask, counter_name *name, const void *user) {
  char *names = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&names, &size);
  for (uint32_t k = 0; out && k < COUNTERS_MOST; k++) {
    if (!(mask >> k & 1)) continue;
    const char *of = name(user, k);
    fprintf(out, "%s%.*s", ftell(out) > 0 ? "," : "", (int)strcspn(of, " \t,"), of);
  }
  if (out && fclose(out) == 0) return names;
  free(names);
  return NULL;
}

static const char *set_names(struct counter_sets *sets, uint64_t mask, counter_name *name, const void *user) {
  for (uint32_t k = 0; k < sets->count; k++)
    if (sets->items[k].mask == mask) return sets->items[k].names;
  char *names = names_make(mask, name, user);
  if (!names || !list_grow(&sets->items, sets->count, &sets->capacity, sizeof *sets->items)) return free(names), NULL;
  sets->items[sets->count++] = (struct counter_set){mask, names};
  return names;
}

bool counts_give(struct counter_sets *sets, struct counts *counts, struct program_operation *o,
                 double to[COUNTERS_MOST], counter_name *name, const void *user) {
  if (!counts->mask) return true;
  o->counters = set_names(sets, counts->mask, name, user);
  o->counts = to;
  for (uint32_t k = 0; k < COUNTERS_MOST; k++)
    if (counts->mask >> k & 1) to[o->counted++] = counts->of[k];
  counts->mask = 0;
  return o->counters;
}

void counter_sets_free(struct counter_sets *sets) {
  for (uint32_t k = 0; k < sets->count; k++)
    free(sets->items[k].names);
  free(sets->items);
}
