/* Collective operations that go on beside the program. */
#include "evaluators/mpi_sim/state.h"

struct beside *beside_of(struct state *s, struct psl_call *call, int64_t handle) {
  bool valid = (handle & 15) == HANDLE_BESIDE && handle_valid(&s->besides, handle, sizeof(struct beside));
  if (valid) return pool_at(&s->besides, handle_index(handle), sizeof(struct beside));
  failed_handle(call, "a collective operation that goes on", handle);
  return NULL;
}

enum { SLOTS = 2047 }; /* so many of a communicator are told apart at one time */

static int64_t beside_new(struct state *s, uint32_t number, uint32_t context, double clock) {
  struct rank *rank = rank_at(s, number);
  uint32_t index = pool_take(&s->memory, &s->besides, sizeof(struct beside));
  struct beside *beside = pool_at(&s->besides, index, sizeof *beside);
  beside->rank = number;
  beside->context = context;
  beside->waiter = NONE;
  beside->on = (struct depends){clock, 0};
  beside->reached = -1;
  beside->item.next = rank->beside;
  rank->beside = index;
  return handle_make(index, beside->item.generation, HANDLE_BESIDE);
}

/* The operation that the rank has come to last. */
enum psl_status mpi_begin(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t number = call->arguments[2].integer;
  struct entry entry;
  uint32_t *called;
  if (!member_find(s, call, call->arguments[0].integer, call->arguments[1].integer, number, &entry, &called))
    return PSL_FAILED;
  uint32_t context = context_of(~((int64_t)(1 + *called % SLOTS) * COMMUNICATOR_LIMIT + number));
  call->result.integer = beside_new(s, entry.rank, context, call->clock);
  return PSL_DONE;
}

/* Something without messages; a context of none stands for it. */
enum psl_status mpi_begin_alone(void *state, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer;
  if (!rank_check(call, "caller", rank, false)) return PSL_FAILED;
  call->result.integer = beside_new(state, (uint32_t)rank, 0, call->clock);
  return PSL_DONE;
}

enum psl_status mpi_context(void *state, struct psl_call *call) {
  const struct beside *beside = beside_of(state, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  call->result.integer = ~((int64_t)beside->context >> 1);
  return PSL_DONE;
}

enum psl_status mpi_end(void *state, struct psl_call *call) {
  struct state *s = state;
  struct beside *beside = beside_of(s, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  beside->reached = call->clock;
  some_look(s, beside->rank, call->clock);
  if (beside->waiter == NONE) return PSL_DONE;
  uint32_t waiter = beside->waiter;
  beside->waiter = NONE;
  s->host->waited(s->host, waiter, PSL_COLLECTIVE, beside->on.came, beside->on.late);
  s->host->resume(s->host, waiter, later_of(beside->since, call->clock), (union psl_argument){.integer = 0});
  return PSL_DONE;
}

enum psl_status beside_wait(struct state *s, struct psl_call *call) {
  struct beside *beside = beside_of(s, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  call->result.integer = 0;
  if (beside->reached < 0) {
    beside->waiter = call->process;
    beside->since = call->clock;
    return PSL_BLOCKED;
  }
  if (beside->reached > call->clock) {
    s->host->waited(s->host, call->process, PSL_COLLECTIVE, beside->on.came, beside->on.late);
    call->clock = beside->reached;
  }
  return PSL_DONE;
}

enum psl_status beside_finish(struct state *s, struct psl_call *call) {
  int64_t handle = call->arguments[0].integer;
  struct beside *beside = beside_of(s, call, handle);
  if (!beside) return PSL_FAILED;
  uint32_t index = handle_index(handle), *from = &rank_at(s, beside->rank)->beside;
  while (*from != index)
    from = &((struct beside *)pool_at(&s->besides, *from, sizeof *beside))->item.next;
  *from = beside->item.next;
  call->result.real = 0;
  pool_give(&s->besides, index, sizeof *beside);
  return PSL_DONE;
}
