/* How levels go over the time of a run, kept while it is made: of things that evaluators know, of the lines at servers,
 * and what bodies record so. */
#ifndef PSL_LEVELS_H
#define PSL_LEVELS_H
#include "interp/model/run.h"
#include "interp/statistics/course.h"

struct graph;
struct psl_level { /* of an instance; evaluators know it as a handle */
  struct levels *levels;
  uint32_t instance;
  const char *name;        /* what of it: "items" */
  const struct type *type; /* NULL: a plain number */
  struct course course;
};
struct levels {
  struct arena *arena;
  uint32_t first, last; /* instances whose levels are wanted */
  bool full;            /* LEVELS was reached: others are not there */
  struct psl_level **items;
  uint32_t count, capacity;
};
enum { LEVELS = 200 };

#define LEVELS_ARE                                                                                                     \
  "stores and their like of stdlib/processes have levels, lines at servers, and what is recorded as one: 'record x = " \
  "n, level;'"

/* Those of a component, of one instance, or of all (NULL). False after a diagnostic: there is none of that name. */
bool levels_choose(struct levels *levels, const struct graph *graph, const char *name);
/* A new one, whose name must stay; NULL: it is not wanted, or there are too many. */
struct psl_level *level_open(struct levels *levels, uint32_t instance, const char *name, const struct type *type);
/* It has the value from that time on. */
static inline void level_now(struct psl_level *level, double time, double value) {
  course_set(&level->course, level->levels->arena, time, value);
}
/* When the run has ended: by instance, then as they were opened. */
void levels_sort(struct levels *levels);
#endif
