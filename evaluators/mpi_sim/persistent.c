/* Persistent requests: what a send or a receive is to be is kept here, and each time that the program starts it a
 * request of that time stands for it until it has been waited for. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>

struct persistent *persistent_of(struct state *s, struct psl_call *call, int64_t handle) {
  struct persistent *p = is_persistent(handle) ? handle_item(&s->persistents, handle, sizeof(struct persistent)) : NULL;
  if (!p) failed_handle(call, "a persistent request", handle);
  return p;
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
  struct persistent *p = pool_take(&s->memory, &s->persistents, sizeof *p);
  p->rank = (uint32_t)a[0].integer;
  p->partner = a[1].integer;
  p->tag = a[2].integer;
  p->communicator = a[3].integer;
  p->size = a[4].real;
  p->mode = a[5].integer;
  p->active = INACTIVE;
  call->result.integer = handle_make(&p->item, HANDLE_PERSISTENT);
  return PSL_DONE;
}

static enum psl_status refused(struct psl_call *call, const struct persistent *p, const char *what) {
  return psl_failed(call, "a persistent request of rank %u is %s before its last start is waited for", p->rank, what);
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

/* It ends by itself. */
static enum psl_status request_give_up(struct state *s, int64_t handle) {
  struct receive *r = receive_of(s, handle);
  if (r) r->asked = true;
  return PSL_DONE;
}

bool quick_forget(void *state, const union psl_argument *arguments, union psl_argument *result) {
  if (is_persistent(arguments[0].integer)) return false;
  result->integer = 0;
  return request_give_up(state, arguments[0].integer) == PSL_DONE;
}

enum psl_status mpi_forget(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if (!is_persistent(handle)) return request_give_up(s, handle);
  struct persistent *p = persistent_of(s, call, handle);
  if (!p) return PSL_FAILED;
  if (p->active != INACTIVE) return refused(call, p, "freed");
  pool_give(&s->persistents, &p->item);
  return PSL_DONE;
}
