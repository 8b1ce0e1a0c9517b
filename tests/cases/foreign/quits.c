/* An evaluator of a user that ends the program, at once or by a thread of its own. */
#include "interp/include/evaluator.h"
#include <pthread.h>
#include <stdlib.h>

static void *quit(void *unused) {
  exit(0);
  return unused;
}

static enum psl_status quits_now(void *state, struct psl_call *call) {
  pthread_t thread;
  (void)state;
  if (call->arguments[0].integer == 1) quit(NULL);
  if (call->arguments[0].integer == 2 && !pthread_create(&thread, NULL, quit, NULL)) pthread_join(thread, NULL);
  call->result.integer = call->arguments[0].integer;
  return PSL_DONE;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "now",
     .signature = "(how : int) -> int",
     .kind = PSL_EVENT,
     .call = quits_now,
     .doc = "Ends the program where it is given 1, or 2."},
    {.name = NULL},
};

const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .name = "quits",
                                            .revision = "1",
                                            .doc = "Ends the program.",
                                            .evidence = PSL_SIMULATED,
                                            .functions = functions};
