/* Collective operations that go on beside the program, and one-sided communication, whose parts cross the network each
 * for itself. */
#include "evaluators/mpi_sim/state.h"

struct beside *beside_of(struct state *s, struct psl_call *call, int64_t handle) {
  struct beside *beside =
      (handle & 15) == HANDLE_BESIDE ? handle_item(&s->besides, handle, sizeof(struct beside)) : NULL;
  if (!beside) failed_handle(call, "a collective operation that goes on", handle);
  return beside;
}

enum { SLOTS = 2047 }; /* so many of a communicator are told apart at one time */

static struct beside *beside_new(struct state *s, uint32_t number, uint32_t context, double clock, int64_t *handle) {
  struct beside *beside = pool_take(&s->memory, &s->besides, sizeof *beside);
  *beside = (struct beside){.item = beside->item,
                            .rank = number,
                            .context = context,
                            .waiter = NONE,
                            .parts = 1,
                            .on = {clock, 0},
                            .reached = -1};
  if (context) {
    struct rank *rank = rank_at(s, number);
    struct rare *rare = rank_rare(s, rank);
    beside->item.next = rare->beside ? &rare->beside->item : NULL;
    rare->beside = beside;
  }
  *handle = handle_make(&beside->item, HANDLE_BESIDE);
  return beside;
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
  beside_new(s, entry.rank, context, call->clock, &call->result.integer);
  return PSL_DONE;
}

/* Something without messages; a context of none stands for it. */
enum psl_status mpi_begin_alone(void *state, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer;
  if (!rank_check(call, "caller", rank, false)) return PSL_FAILED;
  beside_new(state, (uint32_t)rank, 0, call->clock, &call->result.integer);
  return PSL_DONE;
}

/* A part of it begins to cross the network; or the same one, which has come, does again. */
enum psl_status mpi_cross(void *state, struct psl_call *call) {
  struct state *s = state;
  struct beside *beside = beside_of(s, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  call->result.integer = call->arguments[0].integer;
  if (!beside->whole) {
    beside->parts++;
    beside = beside_new(s, beside->rank, 0, call->clock, &call->result.integer);
    beside->whole = call->arguments[0].integer;
  }
  beside->reached = -1;
  beside->on = (struct depends){call->clock, 0};
  beside->queued = call->queued;
  return PSL_DONE;
}

enum psl_status mpi_context(void *state, struct psl_call *call) {
  const struct beside *beside = beside_of(state, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  call->result.integer = ~((int64_t)beside->context >> 1);
  return PSL_DONE;
}

static void divide(struct state *s, uint32_t process, const struct beside *beside, double begin) {
  enum psl_partner partner = beside->context ? PSL_COLLECTIVE : PSL_LATE_SENDER;
  double came = beside->on.came, late = beside->on.late, at = beside->reached;
  if (at > begin && s->host->because) s->host->because(s->host, process, beside->moment);
  if (beside->by_rank) late = depend_late(s, rank_at(s, beside->rank), late, begin, at);
  if (late < 0) s->host->waited(s->host, process, partner, came, late);
  if (at > begin) s->host->waited(s->host, process, partner, came, later_of(late, 0));
}

static void reach(struct state *s, struct beside *beside, double clock) {
  uint32_t waiter = beside->waiter;
  beside->reached = clock;
  if (s->host->moment) beside->moment = s->host->moment(s->host);
  some_look(s, beside->rank, clock);
  if (waiter == NONE) return;
  beside->waiter = NONE;
  divide(s, waiter, beside, beside->since);
  s->host->resume(s->host, waiter, later_of(beside->since, clock), (union psl_argument){.integer = 0});
}

enum psl_status beside_deliver(struct state *s, struct psl_call *call) {
  struct beside *beside = beside_of(s, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  if (!beside->whole) return failed_handle(call, "a message in flight", call->arguments[0].integer);
  beside->on.late = later_of(call->queued - beside->queued, 0);
  beside->late += beside->on.late;
  reach(s, beside, call->clock);
  call->result.integer = 0;
  return PSL_DONE;
}

/* A part has ended, which had queued so long; with the last one all of it. */
static void part_end(struct state *s, struct beside *whole, double clock, double late) {
  whole->last = later_of(whole->last, clock);
  whole->alone = later_of(whole->alone, clock - late);
  if (--whole->parts > 0) return;
  if (!whole->context) whole->on.late = whole->last - whole->alone;
  reach(s, whole, whole->last);
}

enum psl_status mpi_end(void *state, struct psl_call *call) {
  struct state *s = state;
  struct beside *beside = beside_of(s, call, call->arguments[0].integer);
  struct beside *whole = beside && beside->whole ? beside_of(s, call, beside->whole) : beside;
  if (!whole) return PSL_FAILED;
  if (whole->parts == 0) return failed_handle(call, "a collective operation that goes on", call->arguments[0].integer);
  part_end(s, whole, call->clock, beside->late);
  if (whole != beside) pool_give(&s->besides, &beside->item);
  return PSL_DONE;
}

enum psl_status beside_wait(struct state *s, struct psl_call *call, bool by_rank) {
  struct beside *beside = beside_of(s, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  call->result.integer = 0;
  beside->by_rank = by_rank;
  if (beside->reached < 0) {
    beside->waiter = call->process;
    beside->since = call->clock;
    return PSL_BLOCKED;
  }
  divide(s, call->process, beside, call->clock);
  call->clock = later_of(beside->reached, call->clock);
  return PSL_DONE;
}

enum psl_status beside_finish(struct state *s, struct psl_call *call) {
  int64_t handle = call->arguments[0].integer;
  struct beside *beside = beside_of(s, call, handle);
  if (!beside) return PSL_FAILED;
  if (beside->context) {
    struct beside **from = &rank_rare(s, rank_at(s, beside->rank))->beside;
    while (*from != beside)
      from = (struct beside **)&(*from)->item.next;
    *from = (struct beside *)beside->item.next;
  }
  call->result.real = 0;
  pool_give(&s->besides, &beside->item);
  return PSL_DONE;
}
