/* Communicators as the calls of models know them: who is in one, at which place, and which collective operation its
 * ranks have come to; and those that their ranks make together. */
#include "evaluators/mpi_sim/state.h"
#include <inttypes.h>
#include <stdio.h>

/* What a program's call names is no rank of it: stdlib/mpi.psl, which knows the program's size, has found out.
 */
enum psl_status mpi_no_rank(void *state, struct psl_call *call) {
  (void)state;
  return psl_failed(call, NO_RANK, call->arguments[0].integer, call->arguments[1].integer - 1);
}

static void no_place(struct psl_call *call, int64_t number, int64_t size, int64_t place) {
  if (number == 0)
    snprintf(call->error, sizeof call->error, NO_RANK, place, size - 1);
  else
    snprintf(call->error, sizeof call->error,
             "there is no rank %" PRId64 " in communicator %" PRId64 "; it has ranks 0 to %" PRId64, place, number,
             size - 1);
}

bool member_find(struct state *s, struct psl_call *call, int64_t rank, int64_t size, int64_t number,
                 struct entry *entry, uint32_t **called) {
  *entry = (struct entry){.communicator = number, .rank = (uint32_t)rank, .place = (uint32_t)rank, .size = size};
  if (!rank_check(call, "caller", rank, false)) return false;
  if (number != 0) {
    const struct communicator *c = communicator_of(&s->communicators, call, number);
    if (!c || !communicator_place(c, call, number, rank, &entry->place)) return false;
    entry->size = c->size;
    *called = &c->called[entry->place];
    return true;
  }
  *called = &rank_rare(s, rank_at(s, (uint32_t)rank))->collectives;
  if (rank < size && size <= RANK_LIMIT) return true;
  snprintf(call->error, sizeof call->error, "the caller is rank %" PRId64 " of a program whose size is %" PRId64, rank,
           size);
  return false;
}

static int64_t membership(const struct entry *entry) { return (int64_t)entry->place << 29 | entry->size; }

bool mpi_place(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = arguments[0].integer >> 29;
  return true;
}

bool mpi_ranks(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = arguments[0].integer & ((1 << 29) - 1);
  return true;
}

enum psl_status mpi_membership(void *state, struct psl_call *call) {
  const union psl_argument *a = call->arguments;
  struct entry entry;
  uint32_t *called;
  if (!member_find(state, call, a[0].integer, a[1].integer, a[2].integer, &entry, &called)) return PSL_FAILED;
  call->result.integer = membership(&entry);
  return PSL_DONE;
}

bool quick_member(void *state, const union psl_argument *arguments, union psl_argument *result) {
  (void)state;
  result->integer = arguments[1].integer;
  return number_of(arguments[0].integer) == 0;
}

enum psl_status mpi_member(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t number = number_of(call->arguments[0].integer), place = call->arguments[1].integer;
  call->result.integer = place;
  if (number == 0) return PSL_DONE;
  const struct communicator *c = communicator_of(&s->communicators, call, number);
  if (!c) return PSL_FAILED;
  if (place < 0 || place >= c->count) {
    no_place(call, number, c->size, place);
    return PSL_FAILED;
  }
  call->result.integer = c->members[place];
  return PSL_DONE;
}

enum psl_status mpi_communicator(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  bool fresh;
  if (!call->ordered) return PSL_LATER; /* its number may have been another one's until then */
  if (!communicator_join(&s->communicators, call, a[0].integer, a[1].integer, a[2].integer, &fresh)) return PSL_FAILED;
  call->result.integer = fresh;
  return PSL_DONE;
}

enum psl_status mpi_enrol(void *state, struct psl_call *call) {
  struct state *s = state;
  bool fine = communicator_enrol(&s->communicators, call, call->arguments[0].integer, call->arguments[1].integer);
  return fine ? PSL_DONE : PSL_FAILED;
}

enum psl_status mpi_leave(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  bool fine = communicator_leave(&s->communicators, call, call->arguments[0].integer, call->arguments[1].integer);
  return fine ? PSL_DONE : PSL_FAILED;
}

enum psl_status mpi_collective(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  int64_t number = a[5].integer;
  struct entry entry;
  uint32_t *called;
  if (!member_find(s, call, a[0].integer, a[1].integer, number, &entry, &called)) return PSL_FAILED;
  entry.name = a[2].string;
  entry.root = a[3].integer ? a[4].integer : -1;
  entry.bytes = a[6].real;
  if (a[3].integer && (entry.root < 0 || entry.root >= entry.size)) {
    no_place(call, number, entry.size, entry.root);
    return PSL_FAILED;
  }
  struct rank *rank = rank_at(s, entry.rank);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  rank_rare(s, rank)->on = (struct depends){call->clock, 0};
  struct communicator *c = number ? s->communicators.others[number] : &s->communicators.world;
  if (!operation_enter(&s->communicators, call, c, called, &entry)) return PSL_FAILED;
  call->result.integer = membership(&entry);
  return PSL_DONE;
}

/* The caller and the operation that it has come to last, by which those who make one are told apart. */
static bool maker_find(struct state *s, struct psl_call *call, struct maker *maker) {
  const union psl_argument *a = call->arguments;
  struct entry entry;
  uint32_t *called;
  if (!member_find(s, call, a[0].integer, a[1].integer, a[2].integer, &entry, &called)) return false;
  *maker = (struct maker){entry.communicator, *called, entry.rank, entry.place, (uint32_t)entry.size};
  return true;
}

enum psl_status mpi_offer(void *state, struct psl_call *call) {
  struct state *s = state;
  struct maker maker;
  if (!maker_find(s, call, &maker)) return PSL_FAILED;
  bool fine = split_offer(&s->communicators, call, &maker, call->arguments[3].integer, call->arguments[4].integer);
  return fine ? PSL_DONE : PSL_FAILED;
}

enum psl_status mpi_part(void *state, struct psl_call *call) {
  struct state *s = state;
  struct maker maker;
  if (!call->ordered) return PSL_LATER; /* which numbers others have */
  if (!maker_find(s, call, &maker)) return PSL_FAILED;
  return split_part(&s->communicators, call, &maker, &call->result.integer) ? PSL_DONE : PSL_FAILED;
}
