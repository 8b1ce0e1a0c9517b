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
 * it; a request that has queued, but waits for its receiver all the same, has cost nobody that. All that a call of the
 * program waits for is one wait: what it has queued is by how much the call was late.
 *
 * Handles are an index, a generation and a few bits, so that a stale or invented one is an error. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>
#include <string.h>

/* ---- the run ---- */

static void *mpi_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = s->memory.host = host;
  s->partition = host->partition;
  if (s->partition) s->envelopes.first = s->partition->number << AWAY_BITS;
  s->begin = host->begin;
  s->all_counts = !(host->begin > 0) && host->until == INFINITY;
  s->communicators.memory = &s->memory;
  static const char *const asked[] = {"status-source", "status-tag", "status-number", "status-size"};
  for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
    s->tells_statuses |= host->calls(host, &mpi_sim_evaluator, asked[k]);
  return s;
}

#define NOT_RECEIVED "messages not received"

static size_t mpi_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  struct state *s = state;
  leftovers_warn(s);
  struct psl_statistic all[5] = {
      {.name = PSL_MESSAGES, .unit = "", .value = (double)s->counted, .whole = true},
      {.name = PSL_BYTES, .unit = "byte", .value = s->bytes, .whole = false},
  };
  size_t count = 2;
  if (s->messages > s->matched)
    all[count++] = (struct psl_statistic){
        .name = NOT_RECEIVED, .unit = "", .value = (double)(s->messages - s->matched), .whole = true};
  count += left_out_statistics(s, &all[count]);
  for (size_t k = 0; k < count && k < capacity; k++)
    out[k] = all[k];
  return count < capacity ? count : capacity;
}

void explain_context(uint32_t context, int32_t tag, char out[80]) {
  left_explain_channel(is_collective(context), communicator_in(context), tag, out);
}

static void explain_receive(const struct receive *r, char *out, size_t size, int *rank) {
  char source[24] = "any rank", which[80];
  const struct envelope *e = r->envelope;
  int from = e ? (int)e->source : r->source;
  if (from != ANY) snprintf(source, sizeof source, "rank %d", from);
  *rank = from;
  explain_context(r->context, r->tag, which);
  snprintf(out, size, "for a message from %s%s", source, which);
}

static void explain_send(const struct envelope *e, char *out, size_t size, int *rank) {
  char which[80];
  explain_context(e->context, e->tag, which);
  *rank = (int)e->destination;
  snprintf(out, size, "for rank %u to receive a message of %.0f bytes%s", e->destination, e->size, which);
}

static void explain_handshake(const struct handshake *h, uint32_t process, char *out, size_t size, int *rank) {
  const struct envelope *e = h->envelope;
  char which[80];
  if (h->waiter[STAGE_DATA - 1] != process) {
    explain_send(e, out, size, rank);
    return;
  }
  explain_context(e->context, e->tag, which);
  *rank = (int)e->source;
  snprintf(out, size, "for the data of a message from rank %u%s", e->source, which);
}

static const struct receive *receive_at(const struct state *s, uint32_t place) {
  return pool_at(&s->receives, place, sizeof(struct receive));
}
static const struct handshake *handshake_at(const struct state *s, uint32_t place) {
  return pool_at(&s->handshakes, place, sizeof(struct handshake));
}

/* Does the process wait, beside the program, for the message to be received? */
static bool is_send_beside(const struct handshake *h, uint32_t process) {
  return h->envelope->beside && h->waiter[STAGE_ACKNOWLEDGEMENT - 1] == process;
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
  for (uint32_t k = 0; k < s->rank_chunks << CHUNK_BITS; k++)
    if (s->ranks[k >> CHUNK_BITS]) rank_stand(s, k, rank_at(s, k));
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

/* It waits for the first of some requests that is done: the oldest stands for them. */
static void explain_some(const struct state *s, uint32_t process, char *out, size_t size, int *rank) {
  uint32_t count;
  int64_t oldest = some_oldest(s, process, &count);
  if (count == 0) {
    snprintf(out, size, "for nothing that MPI-Sim knows");
    return;
  }
  if (count > 1) {
    int length = snprintf(out, size, "for the first of %u requests, the oldest ", count);
    out += length, size -= (size_t)length;
  }
  if ((oldest & 15) == HANDLE_BESIDE)
    explain_beside(s, handle_number(oldest), out, size);
  else if (oldest & HANDLE_RECEIVE)
    explain_receive(receive_at(s, handle_number(oldest)), out, size, rank);
  else
    explain_send(pool_at(&s->envelopes, handle_number(oldest), sizeof(struct envelope)), out, size, rank);
}

static void mpi_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  int rank = ANY;
  if (!s->waits_in) waiters_find(s);
  uint32_t place = process < s->waiter_count ? s->waits_in[process] : 0;
  bool receive = place && place - 1 < s->receives.count;
  bool announced = place && !receive && place - 1 - s->receives.count < s->handshakes.count;
  const struct handshake *handshake = announced ? handshake_at(s, place - 1 - s->receives.count) : NULL;
  if (receive && receive_at(s, place - 1)->agent == process)
    *out = '\0'; /* no program waits in it: it may never be matched */
  else if (receive)
    explain_receive(receive_at(s, place - 1), out, size, &rank);
  else if (handshake && is_send_beside(handshake, process))
    *out = '\0'; /* nor does one here: who waits for the send says so */
  else if (handshake)
    explain_handshake(handshake, process, out, size, &rank);
  else if (!place)
    explain_some(s, process, out, size, &rank);
  else
    explain_beside(s, place - 1 - s->receives.count - s->handshakes.count, out, size);
  if (rank == ANY) return;
  const struct psl_stay *stay = &rank_at(s, (uint32_t)rank)->stay;
  if (stay->lasts) *other = stay->process;
}

/* Has a process never acted as the rank, which another waits for? */
static bool is_absent(struct state *s, int rank) { return rank >= 0 && !rank_at(s, (uint32_t)rank)->stay.place; }

static bool mpi_advise(void *state, uint32_t process, bool circle, char *out, size_t size) {
  struct state *s = state;
  int partner = ANY;
  bool sends = false;
  if (!s->waits_in) waiters_find(s);
  uint32_t place = process < s->waiter_count ? s->waits_in[process] : 0;
  if (place && place - 1 < s->receives.count) {
    const struct receive *r = receive_at(s, place - 1);
    if (!r->envelope) partner = r->source;
  } else if (place && place - 1 - s->receives.count < s->handshakes.count) {
    const struct handshake *h = handshake_at(s, place - 1 - s->receives.count);
    sends = h->waiter[STAGE_ACKNOWLEDGEMENT - 1] == process && !is_collective(h->envelope->context);
    if (sends) partner = (int)h->envelope->destination;
  }
  if (is_absent(s, partner))
    snprintf(out, size, "no call has come from rank %d; ranks are numbered from 0 to size - 1", partner);
  else if (sends && circle)
    snprintf(out, size,
             "a send from the handshake threshold on, or without room in its receiver's buffers, waits for that: "
             "let one side receive first, or go on while its send is under way");
  else
    return false;
  return true;
}

#define MATCH "(rank : int, source : int = -1, tag : int = -1, communicator : int = 0"

static const struct psl_evaluator_function functions[] = {
    {.name = "post",
     .signature = "(source : int, destination : int, tag : int, size : data, handshake : bool = false,"
                  " waited : bool = false, gap : time = 0 s, communicator : int = 0, ready : bool = false,"
                  " buffers : data = -1 byte, byte-gap : time/data = 0 s/byte, from : int = -1, to : int = -1) -> int",
     .kind = PSL_CALL,
     .call = mpi_post,
     .pair = &mpi_post_pair,
     .doc =
         "A message enters the order of its source, destination, tag and communicator. What collective operations "
         "of communicator c are made of has the number -1 - c, and is matched apart from the program's own. With a "
         "handshake it stands for the request, whose acknowledgement, data and end are stages of their own; "
         "`waited`: its sender will wait for `sent`, too. `ready`: a receive has to be posted for it. `buffers`, from "
         "0 byte on, what messages may take at their receiver that have come without a handshake or will come: where "
         "this one finds no room, it has a handshake. `gap` and `byte-gap`: what the network leaves out, how long a "
         "network interface takes for a message and for each of its bytes: a warning where messages of a rank follow "
         "each other by less than `gap`, and figures of by how much they would have gone later and of how long they "
         "take; `from` and `to`: the numbers of these interfaces, those of the ranks unless given. The handle of the "
         "message. Its sender comes to it at the "
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
     .passing = &(const struct psl_passing){-1, 0}, /* the world, and what is inside of its collective operations */
     .doc = "The rank of the world that has this number in the communicator."},
    {.name = "collective",
     .signature = "(rank : int, size : int, operation : string, rooted : bool = false, root : int = 0,"
                  " communicator : int = 0, message : data = 0 byte) -> int",
     .kind = PSL_CALL,
     .call = mpi_collective,
     .doc = "A rank comes to the next collective operation of a communicator: its membership. The root is a number in "
            "the communicator. Error: the root or the caller is no rank of it, or another rank's operation of this "
            "number is another one, or has another root or size. Where both give a `message`, of more than 0 byte, a "
            "warning in the end if these differ."},
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
     .doc = "Something else goes on beside the rank's program: a request as that of `begin`, until `end`."},
    {.name = "cross",
     .signature = "(request : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_cross,
     .doc = "A part of what goes on under the request begins to cross the network: a handle of it for `transfer`, "
            "`wait` and `end`. All has ended when that has been called for the request and for each part. Given a part "
            "that has come, it crosses again."},
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
     .signature = MATCH ", room : data = 0 byte) -> int",
     .kind = PSL_CALL,
     .call = mpi_receive,
     .local = true,
     .pair = &mpi_receive_pair,
     .doc = "Waits for the next message of that source and tag, -1 for any: its handle, at the later of the call and "
            "the arrival. From any source: the first to arrive, ties to the lowest rank. In the end a warning if a "
            "message was larger than the `room` for it, of more than 0 byte."},
    {.name = "irecv",
     .signature = MATCH ", room : data = 0 byte) -> int",
     .kind = PSL_CALL,
     .call = mpi_irecv,
     .local = true,
     .doc =
         "Posts a receive and goes on: a request for `wait`, `test` and `unanswered`. In the end a warning if nobody "
         "has waited for it or tested it."},
    {.name = "probe",
     .signature = MATCH ") -> int",
     .kind = PSL_CALL,
     .call = mpi_probe,
     .local = true,
     .doc = "Waits as `receive` does and leaves the message where it is: its handle, for `source`, `tag` and "
            "`size`."},
    {.name = "iprobe",
     .signature = MATCH ") -> bool",
     .kind = PSL_CALL,
     .call = mpi_iprobe,
     .local = true,
     .doc = "Has such a message arrived by the caller's clock?"},
    {.name = "wait",
     .signature = "(request : int, rank : int = -1, follows : bool = false) -> int",
     .kind = PSL_CALL,
     .call = mpi_wait,
     .local = true,
     .doc = "Waits till a request of `irecv` has its message (with a handshake: the request of it), whose "
            "handle it gives; "
            "or for a stage of a message: 0. A request of 0 is done already, one of -1 is none, and -2 - r is rank r's "
            "for a message from nobody. `rank`, where it is given, waits for it in a call of its program; `follows`: "
            "and has in that call waited before, so that contention is by how much all of it takes longer."},
    {.name = "test",
     .signature = "(request : int) -> bool",
     .kind = PSL_CALL,
     .call = mpi_test,
     .local = true,
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
     .quick = quick_forget,
     .doc = "A persistent request is no more. Error: it is started. Of a receive that is posted: nobody will wait for "
            "it."},
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
     .local = true,
     .doc =
         "Which of the requests that the process has put together are done by the caller's clock, by their places from "
         "0 on; these are kept no more. With `wait` it waits till one is. A request of -1 is none."},
    {.name = "cancel",
     .signature = "(request : int) -> bool",
     .kind = PSL_CALL,
     .call = mpi_cancel,
     .local = true,
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
     .quick = quick_unanswered,
     .doc = "The message of this receive (or this message), if it came with a handshake that nobody has "
            "acknowledged: the caller then has to. Of a receive whose message depends on what arrives first: the "
            "request itself, for `claim` beside the program. Else 0."},
    {.name = "due",
     .signature = "(rank : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_due,
     .doc = "How many messages have come with a handshake for receives that the rank has posted behind one from any "
            "source, which has its message now or is no more: the caller has to acknowledge each, by `take-due`."},
    {.name = "take-due",
     .signature = "(rank : int) -> int",
     .kind = PSL_EVENT,
     .call = mpi_take_due,
     .doc = "The oldest of these messages, which is due no more. Error: there is none."},
    {.name = "claim",
     .signature = "(request : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_claim,
     .local = true,
     .doc = "Waits beside the program till a receive has its message, by virtual time, and gives it if the caller has "
            "to acknowledge it, else 0. Of a message: waits for its request."},
    {.name = "answer",
     .signature = "(message : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_answer,
     .unordered = true,
     .doc =
         "The caller, beside the program, acknowledges this message, whose request has come and which has its "
         "receive: it is there from then on. Its source; -2: in a partition of a run it has turned out that somebody "
         "else acknowledges it."},
    {.name = "await",
     .signature = "(message : int) -> int",
     .kind = PSL_CALL,
     .call = mpi_await,
     .unordered = true,
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
     .quick = quick_source,
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

static const struct psl_evaluator_figure figures[] = {
    {.name = NOT_RECEIVED, .unit = "", .whole = true},
    {.name = PSL_INTERFACE, .unit = "s"},
    {.name = PSL_WAITS_LEFT_OUT, .unit = "s"},
    {.name = NULL},
};

const struct psl_evaluator mpi_sim_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "MPI-Sim",
    .revision = "5",
    .doc = "Simulation of MPI's point-to-point messages: envelopes, matching, handshakes, requests.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .assumes = mpi_assumes,
    .open = mpi_open,
    .statistics = mpi_statistics,
    .figures = figures,
    .explain_wait = mpi_explain_wait,
    .advise = mpi_advise,
    .partitioned = &mpi_partitioned,
};
