/* MPI-Sim: which message goes to which receive, and who waits for whom.
 *
 * It owns the envelopes of messages in flight and the receives that wait. What a step costs is not
 * known here: stdlib/mpi.psl holds the overheads, asks the hardware domain for each transfer, and
 * calls these functions at the clocks that come of it. All functions are O(1) but for wildcards.
 *
 * A rank is one process at a time, with its helpers (acts): two programs that use the same ranks at one time would get
 * each other's messages.
 *
 * Matching. Messages and receives meet as MPI has it: a message goes to the first posted receive that would have it,
 * a receive takes the first message that it would have, and messages of one source do not overtake each other.
 * Messages of collective operations have a context of their own.
 *
 * A receive of a given source and tag takes that channel's messages in the order in which they were
 * posted: both orders are program orders, so the host may call in any order. A receive from any source
 * takes the message that arrived first in virtual time, ties to the lowest rank; it is decided at that time, when all
 * arrivals up to it are known (host->retry), by who waits in it: its caller, or for one that is posted an agent beside
 * the program. While one is undecided, what it would have is kept from the receives behind it.
 *
 * Invariants: a channel holds messages or receives, never both; no receive in the rank's queue before one in a channel
 * would have a message of that; the heap of a rank holds every message that has arrived and is the
 * first of its channel (and entries that are no longer true, which are dropped when met).
 *
 * Waits are divided (host->waited). A message knows when its sender came to it, and a handshake when the receive was
 * posted. In collective operations either is the time at which the last of those ranks came to the operation on which
 * the message, or the receive, depends: a rank hands on what it knows of that with each message, and by how much all
 * that has queued in the operation has made it late so far. What a message has queued is what its stages were later for
 * it; a request that has queued, but waits for its receiver all the same, has cost nobody that.
 *
 * Handles are an index, a generation and a few bits, so that a stale or invented one is an error. */
#include "evaluators/mpi_state.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum psl_status failed_handle(struct psl_call *call, const char *what, int64_t handle) {
  snprintf(call->error, sizeof call->error, "%" PRId64 " is no handle of %s", handle, what);
  return PSL_FAILED;
}

/* ---- arguments ---- */

bool rank_check(struct psl_call *call, const char *what, int64_t rank, bool any) {
  if ((rank >= 0 && rank < RANK_LIMIT) || (any && rank == ANY)) return true;
  snprintf(call->error, sizeof call->error, "the %s is rank %" PRId64 "; ranks are 0 to %d", what, rank,
           RANK_LIMIT - 1);
  return false;
}

bool tag_check(struct psl_call *call, int64_t tag, bool any) {
  if ((tag >= 0 && tag <= INT32_MAX) || (any && tag == ANY)) return true;
  snprintf(call->error, sizeof call->error, "the tag is %" PRId64 "; tags are 0 to %d", tag, INT32_MAX);
  return false;
}

/* ---- who a rank is ---- */

/* A rank is the work of one process at a time, with those that it starts to work for it. False: not now, or never. */
static bool acts_as(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status) {
  int64_t number = call->arguments[0].integer;
  switch (s->host->stay(s->host, number, &rank->stay)) {
  case PSL_STAY_BEGUN:
  case PSL_STAY_HELPER: return true;
  case PSL_STAY_EARLY: *status = PSL_LATER; return false;
  case PSL_STAY_TAKEN: break;
  }
  snprintf(call->error, sizeof call->error,
           "rank %" PRId64 " is another process at this time, %.80s; programs that run beside each other need ranks of "
           "their own",
           number, s->host->name(s->host, rank->stay.instance));
  *status = PSL_FAILED;
  return false;
}

static inline bool acts(struct state *s, struct psl_call *call, struct rank *rank, enum psl_status *status) {
  return (rank->stay.process == call->process && rank->stay.end == INFINITY) || acts_as(s, call, rank, status);
}

/* What goes on beside the program has been begun by who acts as the rank. */
static inline bool acts_in(struct state *s, struct psl_call *call, struct rank *rank, int64_t communicator,
                           enum psl_status *status) {
  return slot_in(context_of(communicator)) || acts(s, call, rank, status);
}

/* ---- the functions of the evaluator ---- */

/* Who sent the message and when, until it is received. */
static void posted_note(struct state *s, const struct psl_call *call, uint32_t index) {
  if (index >= s->posted_capacity) {
    uint32_t capacity = s->posted_capacity ? s->posted_capacity : CHUNK;
    while (capacity <= index)
      capacity *= 2;
    struct posted *grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (s->posted_capacity) memcpy(grown, s->posted, s->posted_capacity * sizeof *grown);
    s->posted = grown;
    s->posted_capacity = capacity;
  }
  s->posted[index] = (struct posted){call->clock, s->host->owner(s->host, call->process)};
}

/* A network without a gap is right only for messages that follow each other slowly enough. */
static void gap_check(struct state *s, const struct psl_call *call, double gap) {
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  /* helpers post in any order; sums of times are rounded */
  if (rank->posted > 0 && fabs(call->clock - rank->posted) < gap * (1 - 1e-9)) {
    char text[160];
    snprintf(text, sizeof text,
             "messages of one process follow each other by less than the gap g (%g us), which this network "
             "leaves out",
             gap * 1e6);
    s->host->warn(s->host, text);
  }
  rank->posted = call->clock;
}

/* What a program's call names is no rank of it: stdlib/mpi.psl, which knows the program's size, has found out.
 */
static enum psl_status mpi_no_rank(void *state, struct psl_call *call) {
  (void)state;
  snprintf(call->error, sizeof call->error, NO_RANK, call->arguments[0].integer, call->arguments[1].integer - 1);
  return PSL_FAILED;
}

/* ---- communicators ---- */

static void no_place(struct psl_call *call, int64_t number, int64_t size, int64_t place) {
  if (number == 0)
    snprintf(call->error, sizeof call->error, NO_RANK, place, size - 1);
  else
    snprintf(call->error, sizeof call->error,
             "there is no rank %" PRId64 " in communicator %" PRId64 "; it has ranks 0 to %" PRId64, place, number,
             size - 1);
}

/* The caller's place in it and its size: what `place` and `ranks` take apart. `called`: where it counts its collective
 * operations. */
static bool member_find(struct state *s, struct psl_call *call, int64_t rank, int64_t size, int64_t number,
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
  *called = &rank_at(s, (uint32_t)rank)->collectives;
  if (rank < size && size <= RANK_LIMIT) return true;
  snprintf(call->error, sizeof call->error, "the caller is rank %" PRId64 " of a program whose size is %" PRId64, rank,
           size);
  return false;
}

static int64_t membership(const struct entry *entry) { return (int64_t)entry->place << 29 | entry->size; }

static bool mpi_place(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = arguments[0].integer >> 29;
  return true;
}

static bool mpi_ranks(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = arguments[0].integer & ((1 << 29) - 1);
  return true;
}

static enum psl_status mpi_membership(void *state, struct psl_call *call) {
  const union psl_argument *a = call->arguments;
  struct entry entry;
  uint32_t *called;
  if (!member_find(state, call, a[0].integer, a[1].integer, a[2].integer, &entry, &called)) return PSL_FAILED;
  call->result.integer = membership(&entry);
  return PSL_DONE;
}

static bool quick_member(void *state, const union psl_argument *arguments, union psl_argument *result) {
  (void)state;
  result->integer = arguments[1].integer;
  return number_of(arguments[0].integer) == 0;
}

static enum psl_status mpi_member(void *state, struct psl_call *call) {
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

static enum psl_status mpi_communicator(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  bool fresh;
  if (!call->ordered) return PSL_LATER; /* its number may have been another one's until then */
  if (!communicator_join(&s->communicators, call, a[0].integer, a[1].integer, a[2].integer, &fresh)) return PSL_FAILED;
  call->result.integer = fresh;
  return PSL_DONE;
}

static enum psl_status mpi_enrol(void *state, struct psl_call *call) {
  struct state *s = state;
  bool fine = communicator_enrol(&s->communicators, call, call->arguments[0].integer, call->arguments[1].integer);
  return fine ? PSL_DONE : PSL_FAILED;
}

static enum psl_status mpi_leave(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  bool fine = communicator_leave(&s->communicators, call, call->arguments[0].integer, call->arguments[1].integer);
  return fine ? PSL_DONE : PSL_FAILED;
}

static enum psl_status mpi_collective(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  int64_t number = a[5].integer;
  struct entry entry;
  uint32_t *called;
  if (!member_find(s, call, a[0].integer, a[1].integer, number, &entry, &called)) return PSL_FAILED;
  entry.name = a[2].string;
  entry.root = a[3].integer ? a[4].integer : -1;
  if (a[3].integer && (entry.root < 0 || entry.root >= entry.size)) {
    no_place(call, number, entry.size, entry.root);
    return PSL_FAILED;
  }
  struct rank *rank = rank_at(s, entry.rank);
  enum psl_status status;
  if (!acts(s, call, rank, &status)) return status;
  rank->on = (struct depends){call->clock, 0};
  struct communicator *c = number ? s->communicators.others[number] : &s->communicators.world;
  if (!operation_enter(&s->communicators, call, c, called, &entry)) return PSL_FAILED;
  call->result.integer = membership(&entry);
  return PSL_DONE;
}

/* ---- communicators that their ranks make together ---- */

/* The caller and the operation that it has come to last, by which those who make one are told apart. */
static bool maker_find(struct state *s, struct psl_call *call, struct maker *maker) {
  const union psl_argument *a = call->arguments;
  struct entry entry;
  uint32_t *called;
  if (!member_find(s, call, a[0].integer, a[1].integer, a[2].integer, &entry, &called)) return false;
  *maker = (struct maker){entry.communicator, *called, entry.rank, entry.place, (uint32_t)entry.size};
  return true;
}

static enum psl_status mpi_offer(void *state, struct psl_call *call) {
  struct state *s = state;
  struct maker maker;
  if (!maker_find(s, call, &maker)) return PSL_FAILED;
  bool fine = split_offer(&s->communicators, call, &maker, call->arguments[3].integer, call->arguments[4].integer);
  return fine ? PSL_DONE : PSL_FAILED;
}

static enum psl_status mpi_part(void *state, struct psl_call *call) {
  struct state *s = state;
  struct maker maker;
  if (!call->ordered) return PSL_LATER; /* which numbers others have */
  if (!maker_find(s, call, &maker)) return PSL_FAILED;
  return split_part(&s->communicators, call, &maker, &call->result.integer) ? PSL_DONE : PSL_FAILED;
}

/* ---- collective operations beside the program ---- */

enum { SLOTS = 2047 }; /* so many of a communicator are told apart at one time */

struct beside *beside_of(struct state *s, struct psl_call *call, int64_t handle) {
  bool valid = (handle & 15) == HANDLE_BESIDE && handle_valid(&s->besides, handle, sizeof(struct beside));
  if (valid) return pool_at(&s->besides, handle_index(handle), sizeof(struct beside));
  failed_handle(call, "a collective operation that goes on", handle);
  return NULL;
}

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
static enum psl_status mpi_begin(void *state, struct psl_call *call) {
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
static enum psl_status mpi_begin_alone(void *state, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer;
  if (!rank_check(call, "caller", rank, false)) return PSL_FAILED;
  call->result.integer = beside_new(state, (uint32_t)rank, 0, call->clock);
  return PSL_DONE;
}

static enum psl_status mpi_context(void *state, struct psl_call *call) {
  const struct beside *beside = beside_of(state, call, call->arguments[0].integer);
  if (!beside) return PSL_FAILED;
  call->result.integer = ~((int64_t)beside->context >> 1);
  return PSL_DONE;
}

static enum psl_status mpi_end(void *state, struct psl_call *call) {
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

static enum psl_status beside_wait(struct state *s, struct psl_call *call) {
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

static enum psl_status beside_finish(struct state *s, struct psl_call *call) {
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

/* Both ends of a message belong to its communicator. */
static __attribute__((noinline)) bool members_check(struct state *s, struct psl_call *call, int64_t communicator,
                                                    int64_t rank, int64_t other) {
  int64_t number = number_of(communicator);
  if (number == 0) return true;
  uint32_t place;
  const struct communicator *c = communicator_of(&s->communicators, call, number);
  return c && communicator_place(c, call, number, rank, &place) &&
         (other == ANY || communicator_place(c, call, number, other, &place));
}

static inline bool context_check(struct state *s, struct psl_call *call, int64_t communicator, int64_t rank,
                                 int64_t other) {
  return (communicator >= -1 && communicator <= 0) || members_check(s, call, communicator, rank, other);
}

static inline bool receive_check(struct state *s, struct psl_call *call) {
  const union psl_argument *a = call->arguments;
  return rank_check(call, "receiver", a[0].integer, false) && rank_check(call, "source", a[1].integer, true) &&
         tag_check(call, a[2].integer, true) && context_check(s, call, a[3].integer, a[0].integer, a[1].integer);
}

/* A send in ready mode is an error where no receive has been posted that would have it. */
static enum psl_status not_ready(struct state *s, struct psl_call *call, const struct envelope *e, uint32_t index) {
  snprintf(call->error, sizeof call->error,
           "rank %u sends to rank %u in ready mode, tag %d, before a receive is posted for it", e->source,
           e->destination, e->tag);
  pool_give(&s->envelopes, index, sizeof *e);
  return PSL_FAILED;
}

static enum psl_status mpi_post(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!rank_check(call, "source", a[0].integer, false) || !rank_check(call, "destination", a[1].integer, false) ||
      !tag_check(call, a[2].integer, false) || !context_check(s, call, a[7].integer, a[0].integer, a[1].integer))
    return PSL_FAILED;
  if (!(a[3].real >= 0 && a[3].real < INFINITY)) {
    snprintf(call->error, sizeof call->error, "a message of %g bytes", a[3].real);
    return PSL_FAILED;
  }
  enum psl_status status;
  struct rank *sender = rank_at(s, (uint32_t)a[0].integer);
  if (!acts_in(s, call, sender, a[7].integer, &status)) return status;
  bool handshake = a[4].integer, bounded = !handshake && a[9].real >= 0;
  if ((bounded || a[8].integer) && !call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)a[1].integer);
  s->bounded |= bounded;
  if (bounded) handshake = !buffers_fit(s, rank, a[9].real, a[3].real, call->clock);
  uint32_t index = pool_take(&s->memory, &s->envelopes, sizeof(struct envelope));
  struct envelope *e = envelope_at(s, index);
  e->source = (uint32_t)a[0].integer;
  e->destination = (uint32_t)a[1].integer;
  e->tag = (int32_t)a[2].integer;
  e->size = a[3].real;
  e->receive = e->handshake = NONE;
  e->beside = handshake && a[5].integer;
  e->references = e->beside ? 2 : 1;
  e->buffered = false;
  e->context = context_of(a[7].integer);
  e->matched = e->answered = false;
  e->arrival = -1;
  e->on = depends_now(s, sender, e->context, call->clock);
  e->queued = call->queued;
  e->sequence = s->messages++;
  e->number = is_collective(e->context) ? 0 : ++sender->sent;
  s->bytes += e->size;
  if (s->host->message) posted_note(s, call, index);
  if (a[8].integer && !receive_posted(s, rank, e, call->clock)) return not_ready(s, call, e, index);
  if (handshake) {
    e->handshake = pool_take(&s->memory, &s->handshakes, sizeof(struct handshake));
    struct handshake *h = handshake_at(s, e->handshake);
    h->envelope = index;
    h->waited = 0;
    for (int k = 0; k < 3; k++) {
      h->waiter[k] = NONE;
      h->reached[k] = -1;
    }
  }

  if (a[6].real > 0) gap_check(s, call, a[6].real);
  if (bounded && !handshake) buffers_take(rank, e);

  struct channel *c = envelope_channel(s, rank, e);
  if (c->tail != EMPTY && c->receives) { /* somebody waits for just this */
    struct receive *tail = receive_at(s, c->tail);
    uint32_t first = tail->item.next;
    struct receive *r = receive_at(s, first);
    if (first == c->tail)
      c->tail = EMPTY;
    else
      tail->item.next = r->item.next;
    e->matched = true;
    s->matched++;
    e->receive = first;
    r->envelope = index;
    meet(s, e, r->posted, r->on);
  } else {
    c->receives = false;
    list_append(c, c->tail == EMPTY ? NULL : &envelope_at(s, c->tail)->item, &e->item, index);
    if (rank->queue != NONE) settle(s, rank, NULL, call->clock);
  }
  call->result.integer = envelope_handle(e, index);
  return PSL_DONE;
}

/* A message arrives: true where a posted receive waits for this request, which the caller has to answer. */
static bool message_arrives(struct state *s, struct psl_call *call, struct envelope *e, uint32_t index) {
  e->arrival = call->clock;
  some_look(s, e->destination, call->clock);
  e->queued = later_of(call->queued - e->queued, 0);
  if (!e->matched) {
    struct rank *rank = rank_at(s, e->destination);
    if (rank->arrivals && channel_head(s, envelope_channel(s, rank, e)) == index)
      arrivals_push(s, rank->arrivals, index);
    if (rank->queue != NONE) settle(s, rank, NULL, call->clock);
    if (!e->matched) return false;
  }
  struct receive *r = e->receive == NONE ? NULL : receive_at(s, e->receive);
  if (e->buffered) buffers_release(s, e, later_of(call->clock, r ? r->posted : 0));
  if (!r) return false;
  bool answer = e->handshake != NONE && r->kind == RECEIVE_POSTED && !e->answered;
  if (answer) {
    e->answered = true;
    call->clock = r->posted > call->clock ? r->posted : call->clock;
  }
  receive_wake(s, r, e->receive, NULL);
  return answer;
}

static enum psl_status mpi_deliver(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  struct envelope *e = envelope_of(s, handle);
  enum stage stage = handle & 3;
  if (!e || (stage != STAGE_MESSAGE && e->handshake == NONE)) return failed_handle(call, "a message in flight", handle);
  struct handshake *h = stage == STAGE_MESSAGE ? NULL : handshake_at(s, e->handshake);
  if ((h ? h->reached[stage - 1] : e->arrival) >= 0) {
    snprintf(call->error, sizeof call->error, "a message from rank %u to rank %u, tag %d, was delivered twice",
             e->source, e->destination, e->tag);
    return PSL_FAILED;
  }
  call->result.integer = 0;
  if (!h) {
    call->result.integer = message_arrives(s, call, e, handle_index(handle));
    return PSL_DONE;
  }
  h->reached[stage - 1] = call->clock;
  some_look(s, stage == STAGE_DATA ? e->destination : e->source, call->clock);
  stage_queued(e, h, stage, call->queued);
  uint32_t waiter = h->waiter[stage - 1];
  if (waiter != NONE) {
    double since = h->waiting_since[stage - 1];
    union psl_argument nothing = {.integer = 0};
    h->waiter[stage - 1] = NONE;
    waited_stage(s, waiter, e, stage, since, call->clock);
    s->host->resume(s->host, waiter, since > call->clock ? since : call->clock, nothing);
  }
  return PSL_DONE;
}

static struct receive *receive_new(struct state *s, struct psl_call *call, enum receive_kind kind, uint32_t *index) {
  *index = pool_take(&s->memory, &s->receives, sizeof(struct receive));
  struct receive *r = receive_at(s, *index);
  r->rank = (uint32_t)call->arguments[0].integer;
  r->source = (int32_t)call->arguments[1].integer;
  r->tag = (int32_t)call->arguments[2].integer;
  r->context = context_of(call->arguments[3].integer);
  r->process = kind == RECEIVE_POSTED ? NONE : call->process;
  r->agent = NONE;
  r->agent_due = r->over = false;
  r->claim = 0;
  r->envelope = NONE;
  r->kind = kind;
  r->queued = false;
  r->posted = r->clock = call->clock;
  r->on = depends_now(s, rank_at(s, r->rank), r->context, call->clock);
  r->due = -1;
  return r;
}

static uint32_t receive_index(const struct state *s, const struct receive *r) {
  for (uint32_t chunk = 0; chunk < s->receives.chunk_count; chunk++) {
    const struct receive *first = (const struct receive *)(const void *)s->receives.chunks[chunk];
    if (r >= first && r < first + CHUNK) return (chunk << CHUNK_BITS) + (uint32_t)(r - first);
  }
  return NONE;
}

/* Answers the caller out of its receive, which is done with if its message has come. */
static enum psl_status receive_answer(struct state *s, struct psl_call *call, struct receive *r, uint32_t index) {
  if (!receive_ready(s, r)) {
    call->memory = r;
    return PSL_BLOCKED;
  }
  const struct envelope *e = envelope_at(s, r->envelope);
  double end = later_of(e->arrival, call->clock);
  waited_message(s, call->process, r->rank, e, call->clock, end);
  call->clock = end;
  call->result.integer = envelope_handle(e, r->envelope);
  if (r->kind == RECEIVE_PROBE) status_note(s, e);
  receive_free(s, r, index);
  return PSL_DONE;
}

/* A call that is made again because a receive from any source can be decided. */
static enum psl_status receive_again(struct state *s, struct psl_call *call) {
  struct receive *r = call->memory;
  if (r->queued && !call->ordered) return PSL_LATER;
  r->due = -1;
  if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
  return receive_answer(s, call, r, receive_index(s, r));
}

static enum psl_status mpi_receive(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  int64_t source = call->arguments[1].integer, tag = call->arguments[2].integer;
  if (rank->queue == NONE && source != ANY && tag != ANY) { /* the common case: it has come already */
    struct channel *c =
        channel_at(s, rank, origin_of((uint32_t)source, context_of(call->arguments[3].integer)), (int32_t)tag);
    uint32_t head = channel_head(s, c);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) {
      struct envelope *e = envelope_at(s, head);
      double begin = call->clock;
      take(s, rank, c, head);
      meet(s, e, begin, depends_now(s, rank, e->context, begin));
      call->clock = later_of(e->arrival, begin);
      waited_message(s, call->process, (uint32_t)call->arguments[0].integer, e, begin, call->clock);
      call->result.integer = envelope_handle(e, head);
      return PSL_DONE;
    }
  }
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_BLOCKING, &index);
  seek(s, rank, r, index, call);
  return receive_answer(s, call, r, index);
}

static enum psl_status mpi_probe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_PROBE, &index);
  seek(s, rank, r, index, call);
  return receive_answer(s, call, r, index);
}

static enum psl_status mpi_iprobe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(s, call)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  struct receive probe = {.kind = RECEIVE_PROBE,
                          .source = (int32_t)call->arguments[1].integer,
                          .tag = (int32_t)call->arguments[2].integer,
                          .context = context_of(call->arguments[3].integer)};
  if (probe.source == ANY) arrivals_open(s, rank);
  settle(s, rank, call, call->clock);
  uint32_t index = candidate(s, rank, &probe, NONE);
  double arrival = index == NONE ? -1 : envelope_at(s, index)->arrival;
  call->result.integer = arrival >= 0 && arrival <= call->clock;
  if (call->result.integer) status_note(s, envelope_at(s, index));
  return PSL_DONE;
}

static enum psl_status mpi_irecv(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_POSTED, &index);
  seek(s, rank, r, index, call);
  call->result.integer = handle_make(index, r->item.generation, HANDLE_RECEIVE);
  return PSL_DONE;
}

/* The receive of a handle, or NULL. */
struct receive *receive_of(struct state *s, int64_t handle) {
  bool valid = (handle & 15) == HANDLE_RECEIVE && handle_valid(&s->receives, handle, sizeof(struct receive));
  struct receive *r = valid ? receive_at(s, handle_index(handle)) : NULL;
  return r && (!r->over || r->agent_due) ? r : NULL;
}

static void envelope_release(struct state *s, struct envelope *e, uint32_t index) {
  if (--e->references > 0) return;
  if (e->handshake != NONE) pool_give(&s->handshakes, e->handshake, sizeof(struct handshake));
  pool_give(&s->envelopes, index, sizeof *e);
}

static enum psl_status stage_await(struct state *s, struct psl_call *call, int64_t handle) {
  struct envelope *e = envelope_of(s, handle);
  enum stage stage = handle & 3;
  call->result.integer = 0;
  if (!e || (stage != STAGE_MESSAGE && e->handshake == NONE) || (stage == STAGE_MESSAGE && e->arrival < 0))
    return failed_handle(call, "a stage of a message that can be awaited", handle);
  struct handshake *h = stage == STAGE_MESSAGE ? NULL : handshake_at(s, e->handshake);
  double reached = h ? h->reached[stage - 1] : e->arrival;
  if (stage == STAGE_ACKNOWLEDGEMENT) h->sending = call->queued; /* the caller sends the data then */
  if (reached < 0) {
    h->waiter[stage - 1] = call->process;
    h->waiting_since[stage - 1] = call->clock;
    return PSL_BLOCKED;
  }
  double end = later_of(reached, call->clock);
  if (h) waited_stage(s, call->process, e, stage, call->clock, end);
  call->clock = end;
  return PSL_DONE;
}

static enum psl_status mpi_await(void *state, struct psl_call *call) {
  return stage_await(state, call, call->arguments[0].integer);
}

static enum psl_status mpi_wait(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  if (call->memory) return receive_again(s, call);
  struct persistent *p = is_persistent(request) ? persistent_of(s, call, request) : NULL;
  if (!active_request(s, call, &request)) return PSL_FAILED;
  if (request <= 0) {
    call->result.integer = 0;
    return PSL_DONE;
  }
  if (p && p->mode == RECEIVES) p->active = INACTIVE;
  if ((request & 15) == HANDLE_BESIDE) return beside_wait(s, call);
  if (!(request & HANDLE_RECEIVE)) return stage_await(s, call, request);
  struct receive *r = receive_of(s, request);
  if (!r || r->over) return failed_handle(call, "a request that is still to be waited for", request);
  if (r->process != NONE) {
    snprintf(call->error, sizeof call->error, "two processes wait for one request, a receive of rank %u", r->rank);
    return PSL_FAILED;
  }
  r->process = call->process;
  r->clock = call->clock;
  if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
  return receive_answer(s, call, r, handle_index(request));
}

static enum psl_status mpi_test(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  call->result.integer = 1;
  if (!active_request(s, call, &request)) return PSL_FAILED;
  if (request <= 0) return PSL_DONE;
  if (!call->ordered) return PSL_LATER;
  double reached;
  if (!request_reached(s, call, request, &reached)) return PSL_FAILED;
  call->result.integer = reached >= 0 && reached <= call->clock;
  return PSL_DONE;
}

static enum psl_status mpi_unanswered(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  struct receive *r = receive_of(s, handle);
  struct envelope *e = r ? NULL : envelope_of(s, handle);
  if ((!r || r->over) && !e) return failed_handle(call, "a receive or a message", handle);
  call->result.integer = 0;
  if (r) {
    r->agent_due = r->queued;
    call->result.integer = r->queued ? handle : r->envelope == NONE ? 0 : request_claim(s, r);
  } else if (e->handshake != NONE && e->matched && e->arrival >= 0 && !e->answered) {
    e->answered = true;
    handshake_at(s, e->handshake)->answering = call->queued;
    call->result.integer = handle;
  }
  return PSL_DONE;
}

static enum psl_status mpi_claim(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if (!(handle & HANDLE_RECEIVE)) {
    struct envelope *e = envelope_of(s, handle);
    if (!e || e->arrival < 0) return failed_handle(call, "a message that has come", handle);
    if (e->handshake != NONE) handshake_at(s, e->handshake)->answering = call->queued;
    if (e->arrival > call->clock) waited(s, call->process, e, PSL_LATE_SENDER, e->on.came, e->queued);
    call->clock = later_of(e->arrival, call->clock);
    call->result.integer = handle;
    return PSL_DONE;
  }
  struct receive *r = call->memory ? call->memory : receive_of(s, handle);
  call->result.integer = 0;
  if (!r || (!r->queued && !r->agent_due)) return PSL_DONE;
  r->agent_due = false;
  r->queued_agent = call->queued;
  if (!r->queued) { /* it was matched meanwhile */
    struct envelope *e = envelope_of(s, r->claim);
    if (e) {
      handshake_at(s, e->handshake)->answering = call->queued;
      if (r->matched > call->clock) waited(s, call->process, e, PSL_LATE_SENDER, e->on.came, e->queued);
    }
    call->result.integer = r->claim;
    call->clock = later_of(r->matched, call->clock);
    if (r->over) receive_free(s, r, handle_index(handle));
    return PSL_DONE;
  }
  call->memory = r;
  r->agent = call->process;
  r->due = -1;
  settle(s, rank_at(s, r->rank), call, call->clock);
  return call->memory ? PSL_BLOCKED : PSL_DONE;
}

/* What is done already, or nothing, or a receive from nobody, whose status says that. */
static enum psl_status nothing_finish(struct state *s, struct psl_call *call, int64_t handle) {
  call->result.real = 0;
  if (handle > NOBODY) return PSL_DONE;
  if (!rank_check(call, "caller", NOBODY - handle, false)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)(NOBODY - handle));
  rank->status_source = NOBODY;
  rank->status_tag = ANY;
  rank->status_number = 0;
  rank->status_size = 0;
  return PSL_DONE;
}

/* A message itself, where nobody else wants to know of it. */
static bool quick_finish(void *state, const union psl_argument *arguments, union psl_argument *result) {
  struct state *s = state;
  int64_t handle = arguments[0].integer;
  if (handle <= 0 || (handle & 15) == HANDLE_BESIDE || is_persistent(handle) || s->host->message) return false;
  struct envelope *e = envelope_of(s, handle);
  if (!e || (handle & 3) != STAGE_MESSAGE || !e->matched || e->arrival < 0) return false;
  if (!is_collective(e->context)) status_note(s, e);
  result->real = e->size;
  envelope_release(s, e, handle_index(handle));
  return true;
}

static enum psl_status mpi_finish(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if (quick_finish(s, call->arguments, &call->result)) return PSL_DONE;
  if ((handle & 15) == HANDLE_BESIDE && handle > 0) return beside_finish(s, call);
  if (is_persistent(handle)) {
    struct persistent *p = persistent_of(s, call, handle);
    if (!p) return PSL_FAILED;
    handle = p->active;
    p->active = INACTIVE;
  }
  if (handle <= 0) return nothing_finish(s, call, handle);
  struct envelope *e = envelope_of(s, handle);
  if (!e || ((handle & 3) == STAGE_MESSAGE && (!e->matched || e->arrival < 0)))
    return failed_handle(call, "a message that has been received", handle);
  call->result.real = e->size;
  if ((handle & 3) == STAGE_MESSAGE && !is_collective(e->context)) status_note(s, e);
  if (s->host->message && (handle & 3) == STAGE_MESSAGE) {
    const struct posted *posted = &s->posted[handle_index(handle)];
    s->host->message(s->host, posted->owner, s->host->owner(s->host, call->process), posted->clock, call->clock,
                     e->size);
  }
  envelope_release(s, e, handle_index(handle));
  return PSL_DONE;
}

static enum psl_status mpi_source(void *state, struct psl_call *call) {
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.integer = e->source;
  return PSL_DONE;
}

static enum psl_status mpi_destination(void *state, struct psl_call *call) {
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.integer = e->destination;
  return PSL_DONE;
}

static enum psl_status mpi_tag(void *state, struct psl_call *call) {
  if (is_persistent(call->arguments[0].integer)) {
    const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
    if (p) call->result.integer = p->tag;
    return p ? PSL_DONE : PSL_FAILED;
  }
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.integer = e->tag;
  return PSL_DONE;
}

static enum psl_status mpi_size(void *state, struct psl_call *call) {
  if (is_persistent(call->arguments[0].integer)) {
    const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
    if (p) call->result.real = p->size;
    return p ? PSL_DONE : PSL_FAILED;
  }
  struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) return failed_handle(call, "a message", call->arguments[0].integer);
  call->result.real = e->size;
  return PSL_DONE;
}

static bool stage_of(const union psl_argument *arguments, union psl_argument *result, enum stage stage) {
  result->integer = (arguments[0].integer & ~(int64_t)3) | (int64_t)stage;
  return true;
}

static bool mpi_acknowledgement(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_ACKNOWLEDGEMENT);
}

static bool mpi_data(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_DATA);
}

static bool mpi_sent(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_SENT);
}

static bool mpi_handshake(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = (arguments[0].integer & HANDLE_HANDSHAKE) != 0 && (arguments[0].integer & 3) == STAGE_MESSAGE;
  return true;
}

/* ---- the run ---- */

static void *mpi_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = s->memory.host = host;
  s->communicators.memory = &s->memory;
  s->envelopes.free = s->handshakes.free = s->receives.free = s->kept.free = s->besides.free = NONE;
  s->persistents.free = NONE;
  return s;
}

static size_t mpi_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  struct psl_statistic all[] = {
      {.name = PSL_MESSAGES, .unit = "", .value = (double)s->messages, .whole = true},
      {.name = PSL_BYTES, .unit = "byte", .value = s->bytes, .whole = false},
      {.name = "messages not received", .unit = "", .value = (double)(s->messages - s->matched), .whole = true},
  };
  size_t count = s->messages > s->matched ? 3 : 2;
  for (size_t k = 0; k < count && k < capacity; k++)
    out[k] = all[k];
  return count < capacity ? count : capacity;
}

/* ", tag 3", and what else tells messages apart. */
static void explain_context(uint32_t context, int32_t tag, char out[80]) {
  int length = is_collective(context) ? snprintf(out, 80, " of a collective operation")
               : tag == ANY           ? snprintf(out, 80, ", any tag")
                                      : snprintf(out, 80, ", tag %d", tag);
  uint32_t number = communicator_in(context);
  if (number) snprintf(out + length, 80 - (size_t)length, ", communicator %u", number);
}

static void explain_receive(const struct state *s, const struct receive *r, char *out, size_t size, int *rank) {
  char source[24] = "any rank", which[80];
  const struct envelope *e = r->envelope == NONE ? NULL : envelope_at(s, r->envelope);
  int from = e ? (int)e->source : r->source;
  if (from != ANY) snprintf(source, sizeof source, "rank %d", from);
  *rank = from;
  explain_context(r->context, r->tag, which);
  snprintf(out, size, "for a message from %s%s", source, which);
}

static void explain_handshake(const struct state *s, const struct handshake *h, uint32_t process, char *out,
                              size_t size, int *rank) {
  const struct envelope *e = envelope_at(s, h->envelope);
  bool data = h->waiter[STAGE_DATA - 1] == process;
  *rank = (int)(data ? e->source : e->destination);
  char which[80];
  explain_context(e->context, e->tag, which);
  if (data)
    snprintf(out, size, "for the data of a message from rank %u%s", e->source, which);
  else
    snprintf(out, size, "for rank %u to receive a message of %.0f bytes%s", e->destination, e->size, which);
}

/* Notes or counts who waits in a receive (below receives.count), a handshake, or for an operation beside it. */
static uint32_t waiters_note(const struct state *s, uint32_t place, uint32_t *waits_in) {
  uint32_t who[3] = {NONE, NONE, NONE}, most = 0;
  if (place < s->receives.count) {
    const struct receive *r = receive_at(s, place);
    if (!(r->item.generation & 1)) return 0;
    who[0] = r->process;
    who[1] = r->agent;
  } else if (place - s->receives.count < s->handshakes.count) {
    const struct handshake *h = handshake_at(s, place - s->receives.count);
    if (!(h->item.generation & 1)) return 0;
    memcpy(who, h->waiter, sizeof who);
  } else {
    uint32_t index = place - s->receives.count - s->handshakes.count;
    const struct beside *beside = pool_at(&s->besides, index, sizeof *beside);
    if (!(beside->item.generation & 1)) return 0;
    who[0] = beside->waiter;
  }
  for (int i = 0; i < 3; i++) {
    if (who[i] == NONE) continue;
    most = who[i] > most ? who[i] : most;
    if (waits_in) waits_in[who[i]] = place + 1;
  }
  return most;
}

/* Reports ask for one process after another: who waits where is looked through once, when the run is over. */
static void waiters_find(struct state *s) {
  uint32_t most = 0, places = s->receives.count + s->handshakes.count + s->besides.count;
  for (uint32_t k = 0; k < places; k++) {
    uint32_t here = waiters_note(s, k, NULL);
    most = here > most ? here : most;
  }
  s->waits_in = s->host->allocate(s->host, (most + 1) * sizeof *s->waits_in);
  for (uint32_t k = 0; k < places; k++)
    waiters_note(s, k, s->waits_in);
  s->waiter_count = most + 1;
}

static void explain_beside(const struct state *s, uint32_t index, char *out, size_t size) {
  const struct beside *beside = pool_at(&s->besides, index, sizeof *beside);
  snprintf(out, size, "for %s that goes on beside it", beside->context ? "a collective operation" : "something");
}

static void mpi_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  int rank = ANY;
  if (!s->waits_in) waiters_find(s);
  uint32_t place = process < s->waiter_count ? s->waits_in[process] : 0;
  if (place == 0) {
    snprintf(out, size, some_has(s, process) ? "for the first of several requests" : "for nothing that MPI-Sim knows");
    return;
  }
  bool receive = place - 1 < s->receives.count;
  if (receive && receive_at(s, place - 1)->agent == process)
    *out = '\0'; /* no program waits in it: it may never be matched */
  else if (receive)
    explain_receive(s, receive_at(s, place - 1), out, size, &rank);
  else if (place - 1 - s->receives.count < s->handshakes.count)
    explain_handshake(s, handshake_at(s, place - 1 - s->receives.count), process, out, size, &rank);
  else
    explain_beside(s, place - 1 - s->receives.count - s->handshakes.count, out, size);
  if (rank == ANY) return;
  const struct psl_stay *stay = &rank_at(s, (uint32_t)rank)->stay;
  if (stay->end == INFINITY) *other = stay->process;
}

#define MATCH "(rank : int, source : int = -1, tag : int = -1, communicator : int = 0) -> "

static const struct psl_evaluator_function functions[] = {
    {.name = "post",
     .signature = "(source : int, destination : int, tag : int, size : data, handshake : bool = false,"
                  " waited : bool = false, gap : time = 0 s, communicator : int = 0, ready : bool = false,"
                  " buffers : data = -1 byte) -> int",
     .kind = PSL_CALL,
     .call = mpi_post,
     .doc =
         "A message enters the order of its source, destination, tag and communicator. What collective operations "
         "of communicator c are made of has the number -1 - c, and is matched apart from the program's own. With a "
         "handshake it stands for the request, whose acknowledgement, data and end are stages of their own; "
         "`waited`: its sender will wait for `sent`, too. `ready`: a receive has to be posted for it. `buffers`, from "
         "0 byte on, what messages may take at their receiver that have come without a handshake or will come: where "
         "this one finds no room, it has a handshake. The handle of the message. Its sender comes to it at the "
         "caller's clock, before its overhead. Error: a rank or tag out of range, no receive posted."},
    {.name = "no-rank",
     .signature = "(rank : int, size : int)",
     .kind = PSL_EVENT,
     .call = mpi_no_rank,
     .doc = "Fails: a program of `size` ranks has no such rank."},
    {.name = "communicator",
     .signature = "(communicator : int, rank : int, members : int) -> bool",
     .kind = PSL_CALL,
     .call = mpi_communicator,
     .doc = "A rank makes or joins the communicator of this number with so many members. True: it is the first, and "
            "names them all by `enrol`. Error: it has others."},
    {.name = "enrol",
     .signature = "(communicator : int, rank : int)",
     .kind = PSL_EVENT,
     .call = mpi_enrol,
     .doc = "The next member of a communicator that is being made is this rank of the world."},
    {.name = "leave",
     .signature = "(communicator : int, rank : int)",
     .kind = PSL_CALL,
     .call = mpi_leave,
     .doc = "A member leaves the communicator, which is no more when all have."},
    {.name = "membership",
     .signature = "(rank : int, size : int, communicator : int = 0) -> int",
     .kind = PSL_EVENT,
     .call = mpi_membership,
     .doc = "What `place` and `ranks` tell of a rank, of a program of this size, in a communicator."},
    {.name = "place",
     .signature = "(membership : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_place,
     .doc = "The rank's number in the communicator."},
    {.name = "ranks",
     .signature = "(membership : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_ranks,
     .doc = "How many ranks the communicator has."},
    {.name = "member",
     .signature = "(communicator : int, place : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_member,
     .quick = quick_member,
     .doc = "The rank of the world that has this number in the communicator."},
    {.name = "collective",
     .signature = "(rank : int, size : int, operation : string, rooted : bool = false, root : int = 0,"
                  " communicator : int = 0) -> int",
     .kind = PSL_CALL,
     .call = mpi_collective,
     .doc = "A rank comes to the next collective operation of a communicator: its membership. The root is a number in "
            "the communicator. Error: the root or the caller is no rank of it, or another rank's operation of this "
            "number is another one, or has another root or size."},
    {.name = "begin",
     .signature = "(rank : int, size : int, communicator : int = 0) -> int",
     .kind = PSL_EVENT,
     .call = mpi_begin,
     .doc = "The collective operation that the rank has come to last goes on beside its program: a request for `wait`, "
            "`test` and `finish`. Its messages have a `context` of their own, until `end`."},
    {.name = "begin-alone",
     .signature = "(rank : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_begin_alone,
     .doc = "Something without messages goes on beside the rank's program: a request as that of `begin`, until `end`."},
    {.name = "context",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_context,
     .doc = "In place of a communicator: where messages of a collective operation beside the program are sent."},
    {.name = "end",
     .signature = "(request : int)",
     .kind = PSL_EVENT,
     .call = mpi_end,
     .doc = "It is over at the caller's clock, and who waits for it goes on."},
    {.name = "deliver",
     .signature = "(message : int) -> bool",
     .kind = PSL_EVENT,
     .call = mpi_deliver,
     .doc = "This stage of the message is reached at the caller's clock; whoever waits for it goes on. True "
            "where a "
            "non-blocking receive was posted for a request: the caller answers it, at the clock that it gets."},
    {.name = "receive",
     .signature = MATCH "int",
     .kind = PSL_CALL,
     .call = mpi_receive,
     .doc = "Waits for the next message of that source and tag, -1 for any: its handle, at the later of the "
            "call and the "
            "arrival. From any source: the first to arrive, ties to the lowest rank."},
    {.name = "irecv",
     .signature = MATCH "int",
     .kind = PSL_CALL,
     .call = mpi_irecv,
     .doc = "Posts a receive and goes on: a request for `wait`, `test` and `unanswered`."},
    {.name = "probe",
     .signature = MATCH "int",
     .kind = PSL_CALL,
     .call = mpi_probe,
     .doc = "Waits as `receive` does and leaves the message where it is: its handle, for `source`, `tag` and "
            "`size`."},
    {.name = "iprobe",
     .signature = MATCH "bool",
     .kind = PSL_CALL,
     .call = mpi_iprobe,
     .doc = "Has such a message arrived by the caller's clock?"},
    {.name = "wait",
     .signature = "(request : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_wait,
     .doc = "Waits till a request of `irecv` has its message (with a handshake: the request of it), whose "
            "handle it gives; "
            "or for a stage of a message: 0. A request of 0 is done already, one of -1 is none, and -2 - r is rank r's "
            "for a message from nobody."},
    {.name = "test",
     .signature = "(request : int) -> bool",
     .kind = PSL_CALL,
     .call = mpi_test,
     .doc = "Is the request done by the caller's clock, so that `wait` would not wait?"},
    {.name = "prepare",
     .signature = "(rank : int, partner : int, tag : int, communicator : int = 0, size : data = 0 byte,"
                  " mode : int = -1) -> int",
     .kind = PSL_EVENT,
     .call = mpi_prepare,
     .doc = "A persistent request, of a send in that mode (a number of the model's) or, by -1, of a receive. It stands "
            "for what it was `started` as; -2 is a partner with whom nothing is exchanged."},
    {.name = "mode",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_mode,
     .doc = "The mode of a persistent request that is to be started; `tag` and `size` tell of it, too. Error: it is "
            "started already."},
    {.name = "partner",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_partner,
     .doc = "With whom a persistent request exchanges messages."},
    {.name = "communicator-of",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_communicator_of,
     .doc = "The communicator of a persistent request."},
    {.name = "started",
     .signature = "(request : int, active : int)",
     .kind = PSL_EVENT,
     .call = mpi_started,
     .doc = "The persistent request stands for the other one, until that has been waited for."},
    {.name = "forget",
     .signature = "(request : int)",
     .kind = PSL_EVENT,
     .call = mpi_forget,
     .doc = "A persistent request is no more. Error: it is started."},
    {.name = "offer",
     .signature = "(rank : int, size : int, communicator : int, color : int, key : int)",
     .kind = PSL_EVENT,
     .call = mpi_offer,
     .doc = "In the collective operation that the rank has come to last it offers this for a `part` of the "
            "communicator."},
    {.name = "part",
     .signature = "(rank : int, size : int, communicator : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_part,
     .doc = "When all have offered theirs: the new communicator of the ranks of the same color, in the order of keys "
            "and then of places, or -1 with a color below 0. It has the lowest number that none has."},
    {.name = "keep",
     .signature = "(request : int)",
     .kind = PSL_CALL,
     .call = mpi_keep,
     .doc = "Puts a request behind those that the process has put together."},
    {.name = "kept", .signature = "() -> int", .kind = PSL_CALL, .call = mpi_kept, .doc = "How many these are."},
    {.name = "take",
     .signature = "() -> int",
     .kind = PSL_CALL,
     .call = mpi_take,
     .doc = "The first of them, which is kept no more. Error: there is none."},
    {.name = "some-done",
     .signature = "(rank : int, wait : bool) -> [int]",
     .kind = PSL_CALL,
     .call = mpi_some_done,
     .doc =
         "Which of the requests that the process has put together are done by the caller's clock, by their places from "
         "0 on; these are kept no more. With `wait` it waits till one is. A request of -1 is none."},
    {.name = "cancel",
     .signature = "(request : int) -> bool",
     .kind = PSL_CALL,
     .call = mpi_cancel,
     .doc =
         "Takes back a receive that has no message at the caller's clock, and says whether that is so: the request is "
         "not valid any more then."},
    {.name = "status-source",
     .signature = "(rank : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_status_source,
     .doc = "Who sent what the rank has received last, or seen by a probe; -1: nothing yet."},
    {.name = "status-tag",
     .signature = "(rank : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_status_tag,
     .doc = "Its tag."},
    {.name = "status-number",
     .signature = "(rank : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_status_number,
     .doc = "Its number among the messages that its rank has sent, from 1, those of collective operations left out."},
    {.name = "status-size",
     .signature = "(rank : int) -> data",
     .kind = PSL_EVENT,
     .call = mpi_status_size,
     .doc = "Its size."},
    {.name = "unanswered",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_unanswered,
     .doc = "The message of this receive (or this message), if it came with a handshake that nobody has "
            "acknowledged: the caller then has to. Of a receive whose message depends on what arrives first: the "
            "request itself, for `claim` beside the program. Else 0."},
    {.name = "claim",
     .signature = "(request : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_claim,
     .doc = "Waits beside the program till a receive has its message, by virtual time, and gives it if the caller has "
            "to acknowledge it, else 0. Of a message: waits for its request."},
    {.name = "await",
     .signature = "(message : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_await,
     .doc = "Waits till this stage of the message is reached."},
    {.name = "finish",
     .signature = "(message : int) -> data",
     .kind = PSL_EVENT,
     .call = mpi_finish,
     .quick = quick_finish,
     .doc = "The message has been received, or its sender has waited for it: its size. The handle is not "
            "valid any more. Of a persistent request: the message that it stands for."},
    {.name = "source",
     .signature = "(message : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_source,
     .doc = "The rank that sent the message."},
    {.name = "destination",
     .signature = "(message : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_destination,
     .doc = "The rank that the message goes to."},
    {.name = "tag",
     .signature = "(message : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_tag,
     .doc = "The tag of the message."},
    {.name = "size",
     .signature = "(message : int) -> data",
     .kind = PSL_EVENT,
     .call = mpi_size,
     .doc = "The size of the message."},
    {.name = "handshake",
     .signature = "(message : int) -> bool",
     .kind = PSL_PURE,
     .pure = mpi_handshake,
     .doc = "Was the message announced by a request?"},
    {.name = "acknowledgement",
     .signature = "(message : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_acknowledgement,
     .doc = "The stage at which the sender learns that the receiver is ready."},
    {.name = "data",
     .signature = "(message : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_data,
     .doc = "The stage at which the receiver has the data."},
    {.name = "sent",
     .signature = "(message : int) -> int",
     .kind = PSL_PURE,
     .pure = mpi_sent,
     .doc = "The stage at which the sender is done with a non-blocking send."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"buffers for messages below the handshake threshold never run out"},
    {"a receive from any source takes the message that arrived first, of several at once the one of the "
     "lowest rank"},
    {NULL},
};

static bool mpi_assumes(void *state, size_t number) { return number > 0 || !((const struct state *)state)->bounded; }

const struct psl_evaluator mpi_sim_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "MPI-Sim",
    .revision = "3",
    .doc = "Simulation of MPI's point-to-point messages: envelopes, matching, handshakes, requests.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .assumes = mpi_assumes,
    .open = mpi_open,
    .statistics = mpi_statistics,
    .explain_wait = mpi_explain_wait,
};
