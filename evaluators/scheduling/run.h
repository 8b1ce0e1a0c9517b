/* Tasks of a graph as threads take them while the program runs. */
#ifndef PSL_SCHEDULING_RUN_H
#define PSL_SCHEDULING_RUN_H
#include "evaluators/scheduling/plan.h"

struct run;

/* How tasks are taken by the schedule of that name: "dynamic", "critical-path", "stealing", or by a plan (NULL: none).
 * A schedule that there is not: NULL. */
struct run *run_open(struct psl_host *host, const struct graph *graph, const char *schedule, const struct plan *plan);
/* The thread's next task, when there is one; -1: there is none any more. */
enum psl_status run_next(struct run *run, struct psl_call *call, uint32_t thread);
/* It has executed what it took last. False, with call->error: it has none. */
bool run_finish(struct run *run, struct psl_call *call, uint32_t thread);
/* In how many other threads' queues the thread looked before it found its last task; 0: it was in its own. */
uint32_t run_looked(const struct run *run, uint32_t thread);
/* Whose queue its last task was in. */
uint32_t run_queue(const struct run *run, uint32_t thread);
uint32_t run_stolen(const struct run *run); /* tasks, so far */
uint32_t run_finished(const struct run *run);
/* Which task a process waits for; false: it does not wait, or for any. */
bool run_waits(const struct run *run, uint32_t process, uint32_t *thread, uint32_t *task);
#endif
