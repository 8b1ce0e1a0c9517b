/* Persistent requests: what a send or a receive is to be is kept here, and each time that the program starts it a
 * request of that time stands for it until it has been waited for. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>

bool is_persistent(int64_t handle) { return handle > 0 && (handle & 15) == HANDLE_PERSISTENT; }

struct persistent *persistent_of(struct state *s, struct psl_call *call, int64_t handle) {
  if (is_persistent(handle) && handle_valid(&s->persistents, handle, sizeof(struct persistent)))
    return pool_at(&s->persistents, handle_index(handle), sizeof(struct persistent));
  failed_handle(call, "a persistent request", handle);
  return NULL;
}

bool active_request(struct state *s, struct psl_call *call, int64_t *request) {
  if (!is_persistent(*request)) return true;
  const struct persistent *p = persistent_of(s, call, *request);
  if (p) *request = p->active;
  return p;
}

enum psl_status mpi_prepare(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_check(call, "caller", a[0].integer, false) ||
      (a[1].integer != NOBODY && !rank_check(call, "partner", a[1].integer, a[5].integer == RECEIVES)) ||
      !tag_check(call, a[2].integer, a[5].integer == RECEIVES))
    return PSL_FAILED;
  uint32_t index = pool_take(&s->memory, &s->persistents, sizeof(struct persistent));
  struct persistent *p = pool_at(&s->persistents, index, sizeof *p);
  p->rank = (uint32_t)a[0].integer;
  p->partner = a[1].integer;
  p->tag = a[2].integer;
  p->communicator = a[3].integer;
  p->size = a[4].real;
  p->mode = a[5].integer;
  p->active = INACTIVE;
  call->result.integer = handle_make(index, p->item.generation, HANDLE_PERSISTENT);
  return PSL_DONE;
}

static enum psl_status refused(struct psl_call *call, const struct persistent *p, const char *what) {
  snprintf(call->error, sizeof call->error, "a persistent request of rank %u is %s before its last start is waited for",
           p->rank, what);
  return PSL_FAILED;
}

enum psl_status mpi_mode(void *state, struct psl_call *call) {
  const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
  if (!p) return PSL_FAILED;
  if (p->active != INACTIVE) return refused(call, p, "started");
  call->result.integer = p->mode;
  return PSL_DONE;
}

enum psl_status mpi_partner(void *state, struct psl_call *call) {
  const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
  if (!p) return PSL_FAILED;
  call->result.integer = p->partner;
  return PSL_DONE;
}

enum psl_status mpi_communicator_of(void *state, struct psl_call *call) {
  const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
  if (!p) return PSL_FAILED;
  call->result.integer = p->communicator;
  return PSL_DONE;
}

enum psl_status mpi_started(void *state, struct psl_call *call) {
  struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
  if (!p) return PSL_FAILED;
  p->active = call->arguments[1].integer;
  return PSL_DONE;
}

enum psl_status mpi_forget(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  const struct persistent *p = persistent_of(s, call, handle);
  if (!p) return PSL_FAILED;
  if (p->active != INACTIVE) return refused(call, p, "freed");
  pool_give(&s->persistents, handle_index(handle), sizeof *p);
  return PSL_DONE;
}
