/* Communicators that the ranks of another one make together: each offers a color and a key, and when all have, those of
 * one color are a new one. Which ranks belong together is known by the operation of the old one that they are in. */
#include "evaluators/mpi_sim/communicators.h"
#include <stdio.h>
#include <stdlib.h>

static struct split **split_find(struct communicators *cs, const struct maker *maker) {
  struct split **at = &cs->splits;
  while (*at && ((*at)->communicator != maker->communicator || (*at)->operation != maker->operation))
    at = &(*at)->next;
  return at;
}

static struct split *split_new(struct communicators *cs, const struct maker *maker) {
  struct split **at = &cs->free_splits;
  while (*at && (*at)->capacity < maker->size)
    at = &(*at)->next;
  struct split *split = *at;
  if (split) {
    *at = split->next;
  } else {
    split = cut(cs->memory, sizeof *split);
    split->capacity = maker->size;
    split->offers = cut(cs->memory, split->capacity * sizeof *split->offers);
    split->numbers = cut(cs->memory, split->capacity * sizeof *split->numbers);
  }
  split->communicator = maker->communicator;
  split->operation = maker->operation;
  split->size = maker->size;
  split->came = split->told = 0;
  split->next = cs->splits;
  return cs->splits = split;
}

bool split_offer(struct communicators *cs, struct psl_call *call, const struct maker *maker, int64_t color,
                 int64_t key) {
  struct split *split = *split_find(cs, maker);
  if (!split) split = split_new(cs, maker);
  if (split->came < split->size) {
    split->offers[split->came++] = (struct offer){color, key, maker->rank, maker->place};
    return true;
  }
  snprintf(call->error, sizeof call->error, "rank %u offers a color where all have", maker->rank);
  return false;
}

static int64_t free_number(const struct communicators *cs) {
  int64_t number = 1;
  while (number < cs->other_count && cs->others[number] && cs->others[number]->size)
    number++;
  return number;
}

static int offers_compare(const void *a, const void *b) {
  const struct offer *x = a, *y = b;
  if (x->color != y->color) return x->color < y->color ? -1 : 1;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

/* All have come: makes the communicators, by rising colors. */
static bool split_make(struct communicators *cs, struct psl_call *call, struct split *split) {
  qsort(split->offers, split->size, sizeof *split->offers, offers_compare);
  for (uint32_t begin = 0, end; begin < split->size; begin = end) {
    for (end = begin + 1; end < split->size && split->offers[end].color == split->offers[begin].color;)
      end++;
    int64_t number = split->offers[begin].color < 0 ? -1 : free_number(cs);
    bool fresh;
    uint32_t first = split->offers[begin].rank;
    if (number > 0 && !communicator_join(cs, call, number, first, end - begin, &fresh)) return false;
    for (uint32_t k = begin; k < end; k++) {
      split->numbers[split->offers[k].place] = number;
      if (number > 0 && !communicator_enrol(cs, call, number, split->offers[k].rank)) return false;
    }
    if (number > 0) cs->others[number]->split = true;
  }
  return true;
}

bool split_part(struct communicators *cs, struct psl_call *call, const struct maker *maker, int64_t *number) {
  struct split **at = split_find(cs, maker), *split = *at;
  if (!split || split->came < split->size) {
    snprintf(call->error, sizeof call->error, "rank %u asks for its part before all have offered a color", maker->rank);
    return false;
  }
  if (split->told == 0 && !split_make(cs, call, split)) return false;
  *number = split->numbers[maker->place];
  if (++split->told < split->size) return true;
  *at = split->next;
  split->next = cs->free_splits;
  cs->free_splits = split;
  return true;
}
