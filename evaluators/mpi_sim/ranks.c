/* What calls say of ranks, tags and communicators is right, and who acts as a rank. */
#include "evaluators/mpi_sim/state.h"
#include <inttypes.h>
#include <stdio.h>

enum psl_status failed_handle(struct psl_call *call, const char *what, int64_t handle) {
  return psl_failed(call, "%" PRId64 " is no handle of %s", handle, what);
}

bool rank_check(struct psl_call *call, const char *what, int64_t rank, bool any) {
  if ((rank >= 0 && rank < RANK_LIMIT) || (any && rank == ANY)) return true;
  if (rank < 0)
    snprintf(call->error, sizeof call->error, "the %s is rank %" PRId64 "; ranks count from 0; no-process is nobody",
             what, rank);
  else
    snprintf(call->error, sizeof call->error, "the %s is rank %" PRId64 "; ranks are 0 to %d", what, rank,
             RANK_LIMIT - 1);
  return false;
}

bool tag_check(struct psl_call *call, int64_t tag, bool any) {
  if ((tag >= 0 && tag <= INT32_MAX) || (any && tag == ANY)) return true;
  snprintf(call->error, sizeof call->error, "the tag is %" PRId64 "; tags are 0 to %d", tag, INT32_MAX);
  return false;
}

/* A rank is the work of one process at a time, with those that it starts to work for it. False: not now, or never. */
bool acts_as(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status) {
  int64_t number = call->arguments[0].integer;
  uint32_t other = 0;
  rank_stand(s, (uint32_t)number, rank);
  switch (s->host->stay(s->host, number, &rank->stay, &other)) {
  case PSL_STAY_HELPER: rank->helped = true; return true;
  case PSL_STAY_BEGUN: return true;
  case PSL_STAY_EARLY: *status = PSL_LATER; return false;
  case PSL_STAY_TAKEN: break;
  }
  snprintf(call->error, sizeof call->error,
           "rank %" PRId64 " is another process at this time, %.80s; programs that run beside each other need ranks of "
           "their own",
           number, s->host->name(s->host, other));
  *status = PSL_FAILED;
  return false;
}

/* Both ends of a message belong to its communicator. */
__attribute__((noinline)) bool members_check(struct state *s, struct psl_call *call, int64_t communicator, int64_t rank,
                                             int64_t other) {
  int64_t number = number_of(communicator);
  if (number == 0) return true;
  uint32_t place;
  const struct communicator *c = communicator_of(&s->communicators, call, number);
  return c && communicator_place(c, call, number, rank, &place) &&
         (other == ANY || communicator_place(c, call, number, other, &place));
}
