/* A shelf: items, and those who want one of which a condition holds. Items stand by priority, then as they came; of
 * those who want one the first to come gets it. Where conditions want a field to be equal to something, items and
 * wishes are found by its hash: those with others are not looked at. */
#ifndef PSL_SHELF_H
#define PSL_SHELF_H
#include "evaluators/priority_line.h"

struct item { /* begins what stands on a shelf */
  struct place place;
  struct psl_value value;
  struct entry *entries; /* in the lines of equal fields; NULL: none */
};
struct wish { /* begins whoever waits for one */
  struct place place;
  struct psl_value condition;
  struct bucket *bucket; /* in whose line it stands; NULL: in that of the shelf */
  uint64_t order;        /* of coming */
};
struct shelf {
  struct line items, wishes;
  struct shelf_index *index; /* NULL: nobody has wanted a field to be equal to anything */
};
struct shelves { /* what all of a run share */
  struct psl_host *host;
  struct ranks ranks;
  struct entry *free_entries;
  struct bucket *free_buckets;
};

void shelf_put(struct shelves *all, struct shelf *shelf, struct item *item, double priority);
void shelf_take(struct shelves *all, struct shelf *shelf, struct item *item);
/* The first item of which the condition holds; NULL: there is none. */
struct item *shelf_find(struct shelves *all, struct shelf *shelf, struct psl_value condition);
void shelf_want(struct shelves *all, struct shelf *shelf, struct wish *wish);
void shelf_unwant(struct shelves *all, struct shelf *shelf, struct wish *wish);
/* Of those that wait for one on the shelf, or in the line, the first to come whose condition holds; NULL: nobody. */
struct wish *shelf_who(struct shelves *all, const struct shelf *shelf, const struct line *line, struct psl_value value);
#endif
