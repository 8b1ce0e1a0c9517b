/* What the time of a way through a run was spent for, by region: the critical path to an operation leads from rank to
 * rank, wherever one waited for another. Paths are shared by reference until one is added to. */
#ifndef PSL_PATH_H
#define PSL_PATH_H
#include <stdbool.h>
#include <stdint.h>

struct path_part {
  uint32_t region, spent; /* enum spent */
  double seconds;
};
struct path {
  uint32_t references, count, capacity;
  struct path_part parts[]; /* by region, then what time was spent for */
};

/* NULL is a path of no time. */
struct path *path_share(struct path *path);
void path_drop(struct path *path);
/* False: there is no memory. */
bool path_add(struct path **path, uint32_t region, uint32_t spent, double seconds);
#endif
