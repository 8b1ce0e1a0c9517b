/* Lines by priority: a list, and a treap of the priorities that are in it, each of which knows the last who has it. */
#include "evaluators/priority_line.h"

/* Looks random, and is the same in each run. */
static uint64_t weight_of(uint64_t number) {
  uint64_t x = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* The rank of that priority; *above: the one that stands before it, or would; NULL: none does. */
static struct rank *rank_find(const struct line *line, double priority, struct rank **above) {
  struct rank *rank = line->ranks;
  *above = NULL;
  while (rank && rank->priority != priority) {
    if (rank->priority > priority) *above = rank;
    rank = rank->priority > priority ? rank->left : rank->right;
  }
  return rank;
}

static void rank_insert(struct rank **root, struct rank *rank) {
  while (*root && (*root)->weight >= rank->weight)
    root = (*root)->priority > rank->priority ? &(*root)->left : &(*root)->right;
  struct rank *rest = *root, **less = &rank->left, **greater = &rank->right;
  *root = rank;
  while (rest) { /* what was there goes under it */
    bool is_less = rest->priority < rank->priority;
    *(is_less ? less : greater) = rest;
    if (is_less)
      less = &rest->right;
    else
      greater = &rest->left;
    rest = is_less ? rest->right : rest->left;
  }
  *less = *greater = NULL;
}

static void rank_remove(struct rank **root, const struct rank *rank) {
  while (*root != rank)
    root = (*root)->priority > rank->priority ? &(*root)->left : &(*root)->right;
  struct rank *less = rank->left, *greater = rank->right;
  while (less && greater) {
    bool is_less = less->weight > greater->weight;
    *root = is_less ? less : greater;
    root = is_less ? &less->right : &greater->left;
    if (is_less)
      less = less->right;
    else
      greater = greater->left;
  }
  *root = less ? less : greater;
}

static struct rank *rank_new(struct ranks *ranks, struct line *line, double priority) {
  struct rank *rank = ranks->free;
  if (rank)
    ranks->free = rank->left;
  else
    rank = ranks->host->allocate(ranks->host, sizeof *rank);
  *rank = (struct rank){.priority = priority, .weight = weight_of(ranks->made++)};
  rank_insert(&line->ranks, rank);
  return rank;
}

void line_enter(struct ranks *ranks, struct line *line, struct place *place, double priority) {
  struct place *before = line->last;
  struct rank *rank = before ? before->rank : NULL;
  if (!rank || rank->priority != priority) {
    struct rank *above;
    rank = rank_find(line, priority, &above);
    before = rank ? rank->last : above ? above->last : NULL;
    if (!rank) rank = rank_new(ranks, line, priority);
  }
  rank->last = place;
  *place = (struct place){before ? before->next : line->first, before, rank};
  *(before ? &before->next : &line->first) = place;
  *(place->next ? &place->next->before : &line->last) = place;
  line->count++;
}

void line_leave(struct ranks *ranks, struct line *line, struct place *place) {
  struct rank *rank = place->rank;
  *(place->before ? &place->before->next : &line->first) = place->next;
  *(place->next ? &place->next->before : &line->last) = place->before;
  line->count--;
  if (rank->last != place) return;
  if (place->before && place->before->rank == rank) {
    rank->last = place->before;
    return;
  }
  rank_remove(&line->ranks, rank); /* nobody has that priority any more */
  rank->left = ranks->free;
  ranks->free = rank;
}
