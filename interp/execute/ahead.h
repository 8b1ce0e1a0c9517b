/* Processes that go on while they wait in a call of an evaluator (PSL_AHEAD): to the next calls of it, as far as the
 * code between looks at no clock and does nothing that others could see (compile_ahead.c). The evaluator has them one
 * after another without the process. When that has come to where it needs its clock it waits for the end of all.
 *
 * All is as if they were made one by one. Where it turns out that it was not, as where something fails, or waits for
 * ever, the whole run is made once more, without this. */
#ifndef PSL_AHEAD_H
#define PSL_AHEAD_H
#include "interp/execute/program.h"
#include "interp/execute/steps.h"

enum { AHEAD_MOST = 32 }; /* calls of one process: a power of 2 */

struct ahead {                    /* of a process that waits in so many calls, the oldest one at `first` */
  const struct native_site *site; /* of the last one, and what that has left and was given */
  void *memory;
  union psl_argument arguments[EVALUATOR_ARGUMENTS];
  uint32_t instance;
  bool waits; /* the process goes on no more */
  uint32_t first, count;
  const struct wait *calls[AHEAD_MOST]; /* a ring */
};

enum ahead_step { AHEAD_GOES_ON, AHEAD_WAITS, AHEAD_UNTRUE };

/* The process, which is not ahead, waits in its call and may go on. */
void ahead_begin(struct executor *executor, struct process *process, const struct native_site *site);
/* The next call of a process that is ahead: made, or to be made when it waits no more. */
enum ahead_step ahead_call(struct executor *executor, struct process *process, struct native_site *site,
                           const union slot *registers, union slot *out);
/* It needs its clock. Does it wait no more? False: it does, or the run has been stopped. */
bool ahead_over(struct executor *executor, struct process *process, struct frame *frame);
/* Something has failed: the run is made once more. */
void ahead_untrue(struct executor *executor);
/* Has the run, which has ended, to be made once more, by `options->one_by_one`? */
bool ahead_astray(const struct executor *executor);

/* May a process that is not ahead begin to be, in a call from which its code can go on? */
static inline bool ahead_possible(const struct executor *executor, const struct process *process) {
  return executor->going_ahead && !executor->once && !process->cancellable && !process->ordered && !executor->nest;
}
#endif
