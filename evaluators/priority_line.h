/* Lines by priority, the greatest first, then as they came: who waits, and what there is. To enter one takes
 * logarithmic time in the number of different priorities, to leave one constant time where others have the same.
 *
 * What stands in a line begins with a struct place. */
#ifndef PSL_PRIORITY_LINE_H
#define PSL_PRIORITY_LINE_H
#include "interp/include/evaluator.h"

struct place {
  struct place *next, *before;
  struct rank *rank;
};
struct rank { /* those of one priority, which stand together */
  double priority;
  struct place *last;
  struct rank *left, *right; /* of less and of greater priority: a treap; left: free list */
  uint64_t weight;           /* none is above a greater one */
};
struct line {
  struct place *first, *last;
  struct rank *ranks;
  uint64_t count;
};
struct ranks { /* of all lines of a run */
  struct psl_host *host;
  struct rank *free;
  uint64_t made;
};

void line_enter(struct ranks *ranks, struct line *line, struct place *place, double priority);
void line_leave(struct ranks *ranks, struct line *line, struct place *place);
#endif
